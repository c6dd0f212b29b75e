//! `rem decay`

use anyhow::Result;
use rem_mind::stores::DecayReport;

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// Write down how relevant every memory is now
///
/// Relevance fades with the days since a memory was last used and grows with use. Searches compute it for the moment they are
/// asked in; this writes the checkpoint (decay-scores.json), which also keeps what was used, and tells the audit log what became
/// less or more visible.
#[derive(Debug, clap::Args)]
pub(crate) struct DecayArgs {
    /// Show what would be written
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &DecayArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let report = memory.decay(args.dry_run, environment::system_time())?;
    printer.answer(&report, || told(&report, args.dry_run))
}

fn told(report: &DecayReport, is_preview: bool) -> String {
    let count = |status: &str| report.counts.get(status).copied().unwrap_or(0);
    let mut text = format!(
        "{} active, {} fading, {} dormant, {} archived\n",
        count("active"),
        count("fading"),
        count("dormant"),
        count("archived")
    );
    for each in &report.transitions {
        let (from, to) = (each.from.as_str(), each.to.as_str());
        text.push_str(&format!("  {from} → {to}  {}  ({:.2})\n", each.id, each.score));
    }
    match (is_preview, report.change.is_empty()) {
        (true, _) => text.push_str("Nothing was written."),
        (false, true) => text.push_str("The checkpoint says so already."),
        (false, false) => text.push_str(&format!("Written  ({})", report.change)),
    }
    text
}
