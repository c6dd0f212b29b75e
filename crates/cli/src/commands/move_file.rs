//! `rem move`

use anyhow::Result;
use rem_format::path::MemoryPath;
use rem_mind::stores::RenameOutcome;

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// Give a file another path, and lead every link to it there
///
/// `rem move memory/plan.md memory/projects/atlas/plan.md`. The file and the links change in one commit. Conversations, episodes
/// and identity files keep their links, which are listed. An entity is still found by its old id.
#[derive(Debug, clap::Args)]
pub(crate) struct MoveArgs {
    /// Where it is, from the workspace's root
    #[arg(value_name = "OLD", value_parser = path)]
    from: MemoryPath,
    /// Where it shall be; no file may be there
    #[arg(value_name = "NEW", value_parser = path)]
    to: MemoryPath,
}

fn path(text: &str) -> Result<MemoryPath, String> {
    MemoryPath::new(text).map_err(|error| error.to_string())
}

pub(crate) fn run(args: &MoveArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let outcome = memory.rename(&args.from, &args.to, environment::system_time())?;
    printer.answer(&outcome, || told(&outcome))
}

fn told(outcome: &RenameOutcome) -> String {
    let links: usize = outcome.rewritten.values().sum();
    let files = outcome.rewritten.len();
    let mut text = format!("Moved {} to {}", outcome.from, outcome.to);
    if links > 0 {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        text.push_str(&format!(", and {links} link{} in {files} file{}", plural(links), plural(files)));
    }
    text.push_str(&format!("  ({})", outcome.change));
    for link in &outcome.left {
        text.push_str(&format!(
            "\nleft as it is: [[{}]] in {}:{}, which may not change",
            link.target, link.path, link.line
        ));
    }
    text
}
