//! `rem prune`

use anyhow::Result;
use rem_mind::lifecycle::prune::PruneOutcome;

use super::compact::staying;
use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// Put away what is over its cap, its age or out of use
///
/// Shows entries of MEMORY.md that nobody is sure of any more, that stand there twice or exceed its caps; days older than
/// `lifecycle.journal_retention_days`; and pages of projects, people and references that are old and nothing links to. `--apply` moves them, with a line in
/// COMPACTION_LOG.md for each. Corrections, what is pinned, identity and vault stay.
///
///   rem prune --apply
#[derive(Debug, clap::Args)]
pub(crate) struct PruneArgs {
    /// Move them
    #[arg(long)]
    apply: bool,
}

pub(crate) fn run(args: &PruneArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let outcome = memory.prune(args.apply, environment::system_time())?;
    printer.answer(&outcome, || told(&outcome))
}

fn told(outcome: &PruneOutcome) -> String {
    let mut lines = Vec::new();
    lines.extend(
        outcome
            .entries
            .iter()
            .map(|entry| format!("{}: {} → {}  ({})", entry.section, entry.text, entry.target, entry.why)),
    );
    lines.extend(
        outcome
            .files
            .iter()
            .map(|file| format!("{} → {}  ({}, {} days)", file.path, file.target, file.why, file.days)),
    );
    lines.extend(staying(&outcome.kept, &outcome.left));
    if outcome.is_over_cap {
        lines.push(
            "MEMORY.md stays over a cap: nothing more in it may go. Unpin something, or edit it.".to_owned(),
        );
    }
    lines.push(match (outcome.entries.len() + outcome.files.len(), outcome.applied) {
        (0, _) => "Nothing to prune.".to_owned(),
        (_, false) => "Nothing was changed; --apply moves these.".to_owned(),
        (count, true) => format!("Moved {count}  ({})", outcome.changes.join(", ")),
    });
    lines.join("\n")
}
