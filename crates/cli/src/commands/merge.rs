//! `rem merge`

use anyhow::Result;
use rem_mind::lifecycle::joining::MergeOutcome;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Conflicts that are shown.
const SHOWN: usize = 10;

/// Take in what another clone of this memory knows
///
/// Both may have gone on: logs interleave, entries unite, and what both changed is settled by rules, told here and left in CONFLICTS.md for you
/// to look at. Nothing is lost and nothing has to be mended by hand.
///
/// Example: rem merge ../notebook-on-the-laptop
#[derive(Debug, clap::Args)]
pub(crate) struct MergeArgs {
    /// Another clone's folder, a remote, REMOTE/BRANCH or a branch; without it what the current branch follows
    from: Option<String>,
    /// Only show what would come in
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &MergeArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    // A folder is meant from where the command is given, not from the workspace.
    let from = args.from.as_deref().map(|from| match std::path::Path::new(from) {
        folder if folder.is_dir() => {
            std::path::absolute(folder).map(|folder| folder.to_string_lossy().into_owned())
        }
        _ => Ok(from.to_owned()),
    });
    let from = from.transpose()?;
    let outcome = memory.merge(from.as_deref(), args.dry_run)?;
    printer.answer(&outcome, || told(&outcome))
}

fn told(outcome: &MergeOutcome) -> String {
    let from = &outcome.from;
    if outcome.is_up_to_date {
        return format!("Nothing to merge: everything of {from} is here.");
    }
    let how = match (outcome.applied, outcome.is_forward) {
        (false, _) => "would come in",
        (true, true) => "came in; nothing was new here, so the branch went forward",
        (true, false) => "came in",
    };
    let mut lines = vec![format!("{} commits of {from} {how}.", outcome.commits)];
    for (kind, came) in &outcome.stores {
        lines.push(format!(
            "  {kind}: {} files, {} entries more, {} fewer",
            came.files, came.added, came.removed
        ));
    }
    for (file, other) in &outcome.beside {
        lines.push(format!("  {file}: the other version of {other}, which stays as it is here"));
    }
    for path in &outcome.left_out {
        lines.push(format!("  {path}: left out, for its name cannot be had here"));
    }
    for text in &outcome.made_room {
        lines.push(format!("  MEMORY.md was over a cap, and this left it: {text}"));
    }
    if outcome.forgotten.statements > 0 {
        lines.push(format!(
            "{} statements stay forgotten: one side had forgotten them for good before the other knew.",
            outcome.forgotten.statements
        ));
    }
    for path in &outcome.forgotten.said_since {
        lines.push(format!(
            "  {path}: says something again that the other side had forgotten before; it stays"
        ));
    }
    let all = outcome.conflicts.iter().chain(&outcome.contradictions);
    let open: Vec<_> = all.clone().filter(|conflict| conflict.kept.is_none()).collect();
    let settled = all.count() - open.len();
    if settled > 0 {
        lines.push(format!(
            "{settled} conflicts were settled by rules; `rem conflicts list --all` shows them."
        ));
    }
    if outcome.applied && !outcome.is_forward {
        lines.push("The other clone has all of it after `rem merge` there.".to_owned());
    }
    if open.is_empty() {
        return lines.join("\n");
    }
    lines.push(format!("{} things contradict each other and wait for you:", open.len()));
    for conflict in open.iter().take(SHOWN) {
        let (first, second) = (&conflict.first, &conflict.second);
        // By the names that `rem conflicts resolve --keep` has for them.
        lines.push(format!("  {}  first   {}  ({})", conflict.id, first.text, first.place));
        lines.push(format!(
            "  {:width$}  second  {}  ({})",
            "",
            second.text,
            second.place,
            width = conflict.id.len()
        ));
    }
    if open.len() > SHOWN {
        lines.push(format!("  … {} more", open.len() - SHOWN));
    }
    let next = match outcome.applied {
        true => {
            "`rem conflicts list` shows them, `rem conflicts resolve ID --keep first|second|both` settles one."
        }
        false => "Without --dry-run they go to CONFLICTS.md.",
    };
    lines.push(next.to_owned());
    lines.join("\n")
}
