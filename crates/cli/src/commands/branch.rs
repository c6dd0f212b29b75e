//! `rem branch`

use anyhow::Result;
use rem_mind::ledger::{Branch, BranchKind};
use rem_mind::lifecycle::reconstruct::{ComparedEntry, Comparison};

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Entries of a comparison that are shown of a store, unless all are asked for.
const SHOWN: usize = 10;

/// Try something beside the memory in use, look at it, take it over or drop it
///
/// A branch has a folder of its own that is a workspace: `rem -C FOLDER` works in it, and the memory in use is not touched.
/// `rem reconstruct` makes the branches `extract/NAME`.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum BranchCommand {
    /// Begin a branch at the present state
    Start {
        /// Its name, in a few words
        name: String,
        /// What it is for
        #[arg(long, value_name = "KIND", value_parser = ["explore", "extract"], default_value = "explore")]
        kind: String,
    },
    /// The branches, what each changed and where its folder is
    List,
    /// What a branch gained, lost and changed, by store
    Compare {
        /// The branch
        name: String,
        /// Show every entry
        #[arg(long)]
        all: bool,
    },
    /// Take over what a branch changed, as one change, and drop it
    Merge {
        /// The branch
        name: String,
    },
    /// Drop a branch and its folder
    Drop {
        /// The branch
        name: String,
    },
    /// Drop the branches `explore/…` that nobody worked on for a week
    Prune,
}

pub(crate) fn run(command: &BranchCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    match command {
        BranchCommand::Start { name, kind } => {
            let kind = if kind == "extract" { BranchKind::Extract } else { BranchKind::Explore };
            let branch = memory.branch_start(kind, name)?;
            printer.answer(&branch, || format!("{} is in {}", branch.name, branch.path.display()))
        }
        BranchCommand::List => {
            let branches = memory.ledger().branches()?;
            printer.answer(&branches, || match branches.is_empty() {
                true => "There are no branches.".to_owned(),
                false => branches.iter().map(line).collect::<Vec<_>>().join("\n"),
            })
        }
        BranchCommand::Compare { name, all } => {
            let comparison = memory.branch_compare(name)?;
            printer.answer(&comparison, || compared(&comparison, *all))
        }
        BranchCommand::Merge { name } => {
            let applied = memory.branch_merge(name)?;
            printer.answer(&applied, || match applied.files.len() {
                0 => format!("{name} changed nothing, and is dropped."),
                count => format!("{} took over {count} files of {name}", applied.change),
            })
        }
        BranchCommand::Drop { name } => {
            let branch = memory.ledger().branch_drop(name)?;
            printer.answer(&branch, || {
                format!("{} is dropped; its last commit was {}", branch.name, branch.commit)
            })
        }
        BranchCommand::Prune => {
            let gone = memory.branches_prune()?;
            printer.answer(&gone, || match gone.is_empty() {
                true => "No branch is old enough.".to_owned(),
                false => format!("dropped: {}", gone.join(", ")),
            })
        }
    }
}

fn line(branch: &Branch) -> String {
    let Branch { name, commits, last_commit, path, .. } = branch;
    format!("{name}  {commits} commits, the last {last_commit}  {}", path.display())
}

/// A comparison in words.
pub(crate) fn compared(comparison: &Comparison, all: bool) -> String {
    let mut lines = Vec::new();
    for (store, of) in &comparison.stores {
        lines.push(format!("{store}: {} gained, {} lost, {} changed", of.gained, of.lost, of.changed));
        let shown = if all { usize::MAX } else { SHOWN };
        for entry in of.entries.iter().take(shown) {
            lines.extend(sides(entry));
        }
        if of.entries.len() > shown {
            lines.push(format!("  … {} more: --all shows them", of.entries.len() - shown));
        }
    }
    let (here, there) = (comparison.here, comparison.there);
    lines.push(format!(
        "entries {} → {}, with a transcript as source {} → {}, tokens of MEMORY.md {} → {}",
        here.entries, there.entries, here.sourced, there.sourced, here.core_tokens, there.core_tokens
    ));
    lines.join("\n")
}

fn sides(entry: &ComparedEntry) -> impl Iterator<Item = String> {
    let side = |sign: &str, text: &Option<String>| {
        text.as_ref().map(|text| format!("  {sign} {text}  ({})", entry.path))
    };
    [side("-", &entry.here), side("+", &entry.branch)].into_iter().flatten()
}
