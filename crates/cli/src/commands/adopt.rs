//! `rem adopt`

use std::path::PathBuf;

use anyhow::Result;
use rem_mind::Memory;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Take over the workspace of an agent, in place
///
/// No existing byte changes: files are committed as found, and what rem adds comes in one more commit. `git revert` of that
/// commit undoes the adoption.
#[derive(Debug, clap::Args)]
pub(crate) struct AdoptArgs {
    /// The folder [default: here]
    dir: Option<PathBuf>,
    /// Only say what is recognised and would be added
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &AdoptArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let root = arguments.target(args.dir.as_ref())?;
    let outcome = Memory::adopt(&root, args.dry_run, arguments.options.clone())?;
    printer.answer(&outcome, || {
        let mut text = format!("Recognised (layout {}):\n", outcome.layout);
        for kind in &outcome.recognised {
            let shown: Vec<&str> = kind.files.iter().take(4).map(String::as_str).collect();
            let more = kind.files.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            text.push_str(&format!(
                "  {:<18} {:>4}  {}{more}\n",
                kind.kind,
                kind.files.len(),
                shown.join(", ")
            ));
        }
        if outcome.others > 0 {
            text.push_str(&format!("  {:<18} {:>4}\n", "other Markdown", outcome.others));
        }
        for setting in &outcome.settings {
            text.push_str(&format!("  setting taken over: {setting}\n"));
        }
        let verb = if args.dry_run { "Would add" } else { "Added" };
        text.push_str(&format!("{verb} {} files; no existing file changes.\n", outcome.added.len()));
        if let Some(commit) = &outcome.commit {
            text.push_str(&format!("`git revert {}` undoes it.\n", &commit[..10]));
        }
        text
    })
}
