//! `rem mine`

use anyhow::Result;
use rem_mind::lifecycle::mine::{MineOutcome, MineRequest, MinedMemory};
use rem_mind::stores::Effect;

use crate::arguments::Arguments;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};

/// Keep what closed conversations say: decisions, lessons, people, procedures, facts
///
/// Each conversation is mined once, in one commit, and each memory says the lines that it is from. What is known already becomes surer,
/// what was put right later stays. `rem jobs` runs it every morning; `rem extract` shows how a single conversation is read.
///
///   rem mine --dry-run
#[derive(Debug, clap::Args)]
pub(crate) struct MineArgs {
    /// A session's id, or the path of a transcript; all that were not mined where there is none
    #[arg(value_name = "SESSION|PATH")]
    session_or_path: Option<String>,
    /// At most so many conversations, those in which something was asked to be remembered first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Only show what would be kept, and where: by the rules, no model is asked
    #[arg(long)]
    dry_run: bool,
    /// Have the model read those that rules mined, as while it gave no answer of use; what is kept already stays
    #[arg(long)]
    again: bool,
}

pub(crate) fn run(args: &MineArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let request = MineRequest {
        session_or_path: args.session_or_path.clone(),
        limit: args.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        preview: args.dry_run,
        again: args.again,
    };
    let mut progress = Progress::new("mining", Unit::Items);
    let outcome = memory.mine(&request, &mut |done, total| progress.set(done as u64, total as u64))?;
    drop(progress);
    printer.answer(&outcome, || told(&outcome, args.again))
}

fn told(outcome: &MineOutcome, is_again: bool) -> String {
    let mut lines = Vec::new();
    for mined in outcome.mined.iter().filter(|mined| !mined.memories.is_empty()) {
        lines.push(mined.path.to_string());
        lines.extend(mined.memories.iter().map(line));
    }
    let failed = outcome.failed.iter().filter(|failed| failed.waits.is_none());
    lines.extend(failed.map(|failed| format!("{}  not mined: {}", failed.path, failed.why)));
    let memories = outcome.mined.iter().flat_map(|mined| &mined.memories);
    let kept = memories.filter(|memory| memory.not_kept.is_none()).count();
    lines.push(match (outcome.mined.len(), outcome.applied) {
        (0, _) if outcome.failed.is_empty() && is_again => "No conversation was mined by rules.".to_owned(),
        (0, _) if outcome.failed.is_empty() => "Every closed conversation is mined.".to_owned(),
        (count, true) => format!("Mined: {count}; memories: {kept}; still to mine: {}", outcome.remaining),
        (count, false) => format!("Nothing was changed; {count} conversations hold {kept} memories."),
    });
    lines.extend(outcome.by_rules.iter().map(|each| {
        format!(
            "By rules, in part at least: {} conversations, for no model answered: {}\n`rem mine --again` has the model read them.",
            each.count, each.why
        )
    }));
    lines.extend(outcome.waiting.iter().map(|each| {
        format!("Waiting for the model, for the next run: {} conversations: {}", each.count, each.why)
    }));
    lines.extend(outcome.would_ask.iter().map(|model| {
        format!("This was read by the rules; without --dry-run {model} is asked, and may find other things.")
    }));
    lines.join("\n")
}

fn line(memory: &MinedMemory) -> String {
    let MinedMemory { kind, tag, text, path, effect, not_kept, lines, .. } = memory;
    let became = match (not_kept, effect) {
        (Some(why), _) => format!("not kept: {why}"),
        (None, Some(Effect::Merged)) => format!("known, in {}", place(path.as_ref())),
        (None, Some(Effect::Replaced)) => format!("replaces what was in {}", place(path.as_ref())),
        (None, Some(Effect::Nothing)) => format!("{} says it or something newer", place(path.as_ref())),
        (None, _) => place(path.as_ref()),
    };
    format!("  {:<9}  #{tag}  {text}  (line {})  → {became}", kind.as_str(), lines.start)
}

fn place(path: Option<&rem_format::path::MemoryPath>) -> String {
    path.map_or_else(String::new, ToString::to_string)
}
