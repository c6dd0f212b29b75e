//! `rem compact`

use anyhow::Result;
use rem_format::config::Granularity;
use rem_mind::lifecycle::compact::{CompactOutcome, CompactRequest, Kept};
use rem_mind::recall::Linked;

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// Put old days into archives
///
/// Dated notes that are old enough go into one archive for each month or quarter, each byte for byte as it is. Without `--apply` it
/// only says what would happen; with it the archives are written and the notes stay; with `--remove` the notes that are whole in an
/// archive go, and COMPACTION_LOG.md says how each comes back. Where a model is named and `compaction.style` is narrative, the month's
/// chronicle tells of what was archived. Corrections, what is pinned and what is for some people alone stay.
///
///   rem compact --days 365 --granularity quarter --apply --remove
#[derive(Debug, clap::Args)]
pub(crate) struct CompactArgs {
    /// Notes of days before so many days ago [default: compaction.age_days]
    #[arg(long, value_name = "N")]
    days: Option<u64>,
    /// The span of an archive: month or quarter [default: compaction.granularity]
    #[arg(long, value_name = "SPAN", value_parser = granularity)]
    granularity: Option<Granularity>,
    /// Write the archives
    #[arg(long)]
    apply: bool,
    /// Take away the notes that are in an archive
    #[arg(long)]
    remove: bool,
    /// Whether days are those of Soul Memory's command.
    #[arg(skip)]
    by_archive_days: bool,
}

impl CompactArgs {
    /// The same as Soul Memory has it: quarters, and `compaction.archive_days`, where nothing else is named.
    pub(crate) fn as_soul_memory(&self) -> Self {
        Self { granularity: self.granularity.or(Some(Granularity::Quarter)), by_archive_days: true, ..*self }
    }
}

fn granularity(text: &str) -> Result<Granularity, String> {
    Granularity::from_name(text).ok_or_else(|| format!("one of {}", Granularity::NAMES.join(", ")))
}

pub(crate) fn run(args: &CompactArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let request = CompactRequest {
        days: args.days.or_else(|| args.by_archive_days.then(|| memory.config().compaction.archive_days)),
        granularity: args.granularity,
        apply: args.apply,
        remove: args.remove,
    };
    let outcome = memory.compact(&request, environment::system_time())?;
    printer.answer(&outcome, || told(&outcome, args))
}

fn told(outcome: &CompactOutcome, args: &CompactArgs) -> String {
    let mut lines = Vec::new();
    for archive in &outcome.archives {
        let there = archive.files.iter().filter(|file| file.was_archived).count();
        let new = archive.files.len() - there;
        lines.push(format!("{}  {}", archive.path, counted(new, there)));
        lines.extend(archive.files.iter().map(|file| format!("  {}  {} lines", file.path, file.lines)));
    }
    lines.extend(staying(&outcome.kept, &outcome.left));
    let count: usize = outcome.archives.iter().map(|archive| archive.files.len()).sum();
    lines.extend(outcome.chronicles.iter().map(|path| format!("{path} tells of them")));
    lines.extend(
        outcome.not_told.iter().map(|why| format!("Not told in a chronicle, until the next time: {why}")),
    );
    lines.push(match (count, outcome.applied, outcome.removed) {
        (0, ..) => format!("No note from before {} can be archived.", outcome.before),
        (_, false, _) => match args.remove {
            true => "Nothing was changed; --apply --remove archives these and takes them away.".to_owned(),
            false => "Nothing was changed; --apply archives these.".to_owned(),
        },
        (_, true, _) if outcome.change.is_empty() => "All of it was archived before.".to_owned(),
        (_, true, true) => format!("Archived and taken away: {count}  ({})", outcome.change),
        (_, true, false) => format!("Archived: {count}; the notes are still there  ({})", outcome.change),
    });
    lines.join("\n")
}

/// What stays where it is, or as it is, and why.
pub(crate) fn staying(kept: &[Kept], left: &[Linked]) -> Vec<String> {
    let kept = kept.iter().map(|kept| format!("{} stays: {}", kept.path, kept.why));
    let left =
        left.iter().map(|link| format!("{}:{} still links to [[{}]]", link.path, link.line, link.target));
    kept.chain(left).collect()
}

fn counted(new: usize, there: usize) -> String {
    match (new, there) {
        (new, 0) => format!("{new} new"),
        (0, there) => format!("{there} there already"),
        (new, there) => format!("{new} new, {there} there already"),
    }
}
