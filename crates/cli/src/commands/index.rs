//! `rem index`

use anyhow::Result;
use serde_json::json;

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};

/// Bring the search index up to date
///
/// Every search does this by itself; here it can be done ahead of time, or from nothing. Where embeddings.provider names a
/// provider, its vectors are made here too: an interrupted run goes on where it was.
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
    let mut progress = Progress::new("encoding", Unit::Items);
    let encoding = memory.encode(&mut |at| progress.set(at.done as u64, at.total as u64))?;
    drop(progress);
    if let Some(error) = encoding.as_ref().and_then(|encoding| encoding.error.as_ref()) {
        printer.note(&format!("{error}: the built-in model answers until this works"));
    }
    let mut answer = json!({
        "indexed": refreshed.indexed, "removed": refreshed.removed, "unchanged": refreshed.unchanged,
        "skipped": refreshed.skipped, "generation": refreshed.generation, "milliseconds": refreshed.milliseconds,
    });
    if let Some(encoding) = &encoding {
        answer["encoding"] = json!(encoding);
    }
    for notice in &refreshed.notices {
        printer.note(notice);
    }
    printer.answer(&answer, || {
        let mut text = format!(
            "{} files indexed, {} removed, {} unchanged, {} skipped ({} ms)",
            refreshed.indexed,
            refreshed.removed,
            refreshed.unchanged,
            refreshed.skipped.len(),
            refreshed.milliseconds
        );
        if let Some(encoding) = encoding.as_ref().filter(|encoding| !encoding.embedder.is_empty()) {
            let of = format!("{} of {}", encoding.done, encoding.total);
            text.push_str(&format!("\n{of} passages encoded by {}", encoding.embedder));
        }
        text
    })
}
