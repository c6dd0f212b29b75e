//! `rem index`

use anyhow::Result;
use serde_json::json;

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};

/// Bring the search index up to date
///
/// Every search does this by itself; here it can be done ahead of time, or from nothing.
#[derive(Debug, clap::Args)]
pub(crate) struct IndexArgs {
    /// Throw the index away and make it anew
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &IndexArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let mut progress = Progress::new("indexing", Unit::Items);
    let refreshed = memory.index(args.force, environment::system_time(), &mut |at| {
        progress.set(at.done as u64, at.total as u64)
    })?;
    drop(progress);
    let answer = json!({
        "indexed": refreshed.indexed, "removed": refreshed.removed, "unchanged": refreshed.unchanged,
        "skipped": refreshed.skipped, "generation": refreshed.generation, "milliseconds": refreshed.milliseconds,
    });
    for notice in &refreshed.notices {
        printer.note(notice);
    }
    printer.answer(&answer, || {
        format!(
            "{} files indexed, {} removed, {} unchanged, {} skipped ({} ms)",
            refreshed.indexed,
            refreshed.removed,
            refreshed.unchanged,
            refreshed.skipped.len(),
            refreshed.milliseconds
        )
    })
}
