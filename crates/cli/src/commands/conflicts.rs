//! `rem conflicts`

use anyhow::Result;
use rem_mind::identity::{ConflictShown, Resolution};

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Memories that contradict each other, and which of them is right
///
/// A scan holds what was written lately against everything that is stored. An operator's correction wins, and so does what was said a month
/// later of an event, a decision or a piece of knowledge; the rest waits for you in CONFLICTS.md. The job `conflict-detector` scans every day.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum ConflictsCommand {
    /// Look for contradictions in what was written lately (conflicts.scan_hours)
    Scan {
        /// Only show what would be found
        #[arg(long)]
        dry_run: bool,
    },
    /// The conflicts that wait for you
    List {
        /// Those that are settled too
        #[arg(long)]
        all: bool,
    },
    /// Say which side is right: the other is superseded wherever it stands
    Resolve {
        /// The conflict's id
        id: String,
        /// The side that is right
        #[arg(long, value_enum, required_unless_present = "right")]
        keep: Option<Keep>,
        /// What is right where neither is
        #[arg(long, value_name = "TEXT", conflicts_with = "keep")]
        right: Option<String>,
    },
}

/// A side to keep.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum Keep {
    First,
    Second,
    /// They do not contradict each other
    Both,
}

pub(crate) fn run(command: &ConflictsCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    match command {
        ConflictsCommand::Scan { dry_run } => {
            let scan = memory.scan_conflicts(*dry_run)?;
            printer.answer(&scan, || {
                let head = format!("{} memories are new; {} conflicts.", scan.looked_at, scan.found.len());
                std::iter::once(head).chain(scan.found.iter().map(told)).collect::<Vec<_>>().join("\n")
            })
        }
        ConflictsCommand::List { all } => {
            let mut found = memory.conflicts()?;
            found.retain(|conflict| *all || conflict.kept.is_none());
            printer.answer(&found, || match found.is_empty() {
                true => "No memory waits for you to say which is right.".to_owned(),
                false => found.iter().map(told).collect::<Vec<_>>().join("\n"),
            })
        }
        ConflictsCommand::Resolve { id, keep, right } => {
            let resolution = match (keep, right) {
                (_, Some(right)) => Resolution::Neither(right.clone()),
                (Some(Keep::First), _) => Resolution::First,
                (Some(Keep::Second), _) => Resolution::Second,
                (Some(Keep::Both) | None, _) => Resolution::Both,
            };
            let resolved = memory.resolve_conflict(id, &resolution)?;
            printer.answer(&resolved, || format!("{id} settled: {}  ({})", resolved.kept, resolved.change))
        }
    }
}

fn told(conflict: &ConflictShown) -> String {
    let ConflictShown { id, first, second, rule, kept, .. } = conflict;
    let kept = kept.as_deref().map_or_else(|| "open".to_owned(), |kept| format!("kept: {kept}"));
    let mut lines = vec![format!("{id}  {rule}  {kept}")];
    for (name, side) in [("first ", first), ("second", second)] {
        if !side.text.is_empty() {
            lines.push(format!("  {name}  {}  ({})", side.text, side.place));
        }
    }
    lines.join("\n")
}
