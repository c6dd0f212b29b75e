//! `rem branch`

use anyhow::{Context as _, Result};
use rem_format::path::MemoryPath;
use rem_mind::ledger::{Branch, BranchKind};
use rem_mind::lifecycle::reconstruct::{
    AskedQuestion, ComparedEntry, Comparison, Figures, Measured, MeasuredSide,
};

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};

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
        /// Ask both sides these questions: a JSON object a line, {"question": "…", "evidence": ["…"]}
        ///
        /// Evidence is words that stand in a memory, or a place: raw/….md:12, which a memory from there counts for, too.
        #[arg(long, value_name = "FILE")]
        questions: Option<std::path::PathBuf>,
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
        BranchCommand::Compare { name, all, questions } => {
            let questions = match questions {
                Some(file) => {
                    let text = std::fs::read_to_string(file)
                        .with_context(|| format!("cannot read {}", file.display()))?;
                    AskedQuestion::read_all(&text)?
                }
                None => Vec::new(),
            };
            let mut bar = Progress::new("asking", Unit::Items);
            let comparison =
                memory.branch_measure(name, &questions, environment::system_time(), &mut |done, all| {
                    bar.set(done as u64, all as u64);
                })?;
            drop(bar);
            printer.answer(&comparison, || compared(&comparison, *all))
        }
        BranchCommand::Merge { name } => {
            let applied = memory.branch_merge(name)?;
            printer.answer(&applied, || match applied.files.len() {
                0 => format!("{name} changed nothing, and is dropped."),
                count => format!("{} took over {count} files of {name}, which is dropped", applied.change),
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
        lines.push(format!(
            "{store}: {} gained, {} lost, {} changed, {} moved",
            of.gained, of.lost, of.changed, of.moved
        ));
        let shown = if all { usize::MAX } else { SHOWN };
        for entry in of.entries.iter().take(shown) {
            lines.extend(sides(entry));
        }
        if of.entries.len() > shown {
            lines.push(format!("  … {} more: --all shows them", of.entries.len() - shown));
        }
    }
    lines.extend(figures(&comparison.here, &comparison.there));
    lines.extend(comparison.questions.iter().flat_map(measured));
    lines.push(merging(comparison));
    lines.join("\n")
}

/// What taking the branch over comes to.
fn merging(comparison: &Comparison) -> String {
    let Comparison { branch, files, crossed, stores, .. } = comparison;
    let shown: Vec<String> = crossed.iter().take(SHOWN).map(ToString::to_string).collect();
    match (crossed.is_empty(), *files) {
        (false, _) => format!(
            "{branch} cannot be merged: {} files say different things of the same here and there: {}{}",
            crossed.len(),
            shown.join(", "),
            if crossed.len() > SHOWN { ", …" } else { "" }
        ),
        (true, 0) => format!("{branch} says what is said here: merged, it changes nothing."),
        (true, count) if stores.is_empty() => {
            format!(
                "{branch} changes no entry: merged, it changes {count} files that say how they were made."
            )
        }
        (true, count) => format!("Merged, it changes {count} files."),
    }
}

/// What is counted of both sides, one figure a line.
fn figures(here: &Figures, there: &Figures) -> Vec<String> {
    let mut rows = vec![
        ("entries", here.entries, there.entries),
        ("with a transcript as source", here.sourced, there.sourced),
        ("said twice", here.duplicates, there.duplicates),
        ("tokens of all", here.tokens, there.tokens),
        ("tokens of MEMORY.md", here.core_tokens, there.core_tokens),
    ];
    if let (Some(here), Some(there)) = (here.contradictions, there.contradictions) {
        rows.insert(3, ("contradictions", here, there));
    }
    rows.into_iter().map(|(what, here, there)| format!("{what}: {here} → {there}")).collect()
}

/// How well the questions find their evidence on both sides.
fn measured(measured: &Measured) -> Vec<String> {
    let mut lines = vec![format!("{} questions                  R@5   R@10  cov 1000", measured.questions)];
    let row = |what: &str, scores: &rem_mind::recall::metrics::Scores| {
        format!("  {what:<26} {:.3}  {:.3}  {:.3}", scores.recall[1], scores.recall[2], scores.coverage[1])
    };
    let side = |name: &str, side: &MeasuredSide| {
        [row(&format!("{name}, knowledge"), &side.knowledge), row(&format!("{name}, all"), &side.all)]
    };
    lines.extend(side("memory in use", &measured.here));
    lines.extend(side("branch", &measured.there));
    lines.extend(measured.better.iter().map(|question| format!("  better: {question}")));
    lines.extend(measured.worse.iter().map(|question| format!("  worse: {question}")));
    lines
}

fn sides(entry: &ComparedEntry) -> impl Iterator<Item = String> {
    let side = |sign: &str, text: &Option<String>, path: &MemoryPath| {
        text.as_ref().map(|text| format!("  {sign} {text}  ({path})"))
    };
    [
        side("-", &entry.here, entry.from.as_ref().unwrap_or(&entry.path)),
        side("+", &entry.branch, &entry.path),
    ]
    .into_iter()
    .flatten()
}
