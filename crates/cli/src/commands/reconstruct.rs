//! `rem reconstruct`

use anyhow::Result;

use super::branch::compared;
use crate::arguments::Arguments;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};

/// Make all knowledge anew from the transcripts, on a branch, and compare
///
/// What was mined or condensed is made again by the extractors of this version; what people wrote or asked for stays. The memory in use is
/// not touched. Interrupted, the same command goes on. Then `rem branch compare`, `merge` or `drop`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReconstructArgs {
    /// The branch is called extract/NAME
    #[arg(default_value = "reconstructed")]
    name: String,
}

pub(crate) fn run(args: &ReconstructArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let mut progress = Progress::new("reconstructing", Unit::Items);
    let outcome =
        memory.reconstruct(Some(&args.name), &mut |done, all| progress.set(done as u64, all as u64))?;
    drop(progress);
    printer.answer(&outcome, || {
        let failed =
            outcome.failed.iter().map(|failed| format!("{}  not mined: {}\n", failed.path, failed.why));
        let branch = &outcome.branch;
        let is_same = outcome.comparison.files == 0 && outcome.comparison.crossed.is_empty();
        let next = match is_same {
            true => format!("`rem branch drop {}` forgets it.", branch.name),
            false => format!(
                "`rem branch merge {0}` takes it over, `rem branch drop {0}` forgets it.",
                branch.name
            ),
        };
        format!(
            "{}{}\n{} is in {}: {} conversations mined{}.\n{next}",
            failed.collect::<String>(),
            compared(&outcome.comparison, false),
            branch.name,
            branch.path.display(),
            outcome.mined,
            if outcome.resumed { " (it went on where it was)" } else { "" },
        )
    })
}
