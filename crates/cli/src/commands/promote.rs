//! `rem promote`

use anyhow::Result;
use rem_format::path::MemoryPath;
use rem_mind::stores::promote::{Candidate, LEAST_SESSIONS};
use serde::Serialize;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Move what should last out of dated notes
///
/// Shows the sections of the last days' notes that speak of decisions, architecture, money, law, people, milestones or strategy, or
/// say that they are important. `--apply` moves them to the file of their category where there is one, else to MEMORY.md.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PromoteArgs {
    /// How many days back
    #[arg(long, value_name = "N", default_value_t = 7)]
    days: u32,
    /// Only sections of at least this confidence, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.4)]
    min_confidence: f64,
    /// What answers listed in three sessions and more, instead of what rules speak for
    #[arg(long)]
    frequency: bool,
    /// Move them; episodes are copied
    #[arg(long)]
    apply: bool,
    /// Move them here
    #[arg(long, value_name = "PATH", requires = "apply", value_parser = path)]
    target: Option<MemoryPath>,
}

fn path(text: &str) -> Result<MemoryPath, String> {
    MemoryPath::new(text).map_err(|error| error.to_string())
}

/// The reference implementation's answer.
#[derive(Serialize)]
struct Candidates {
    candidates: Vec<Candidate>,
}

/// The same with what `openclaw memory promote` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct OpenClawArgs {
    #[command(flatten)]
    args: PromoteArgs,
    /// At most so many sections, the surest
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// As --min-confidence
    #[arg(long, value_name = "SCORE", conflicts_with = "min_confidence")]
    min_score: Option<f64>,
    /// By frequency: only what answers listed in at least so many sessions
    #[arg(long, value_name = "N")]
    min_recall_count: Option<u32>,
    /// The same: a session's questions count once
    #[arg(long, value_name = "N")]
    min_unique_queries: Option<u32>,
    /// Changes nothing: what was moved is in the notes no more
    #[arg(long)]
    include_promoted: bool,
}

/// Which sections are looked at, beside what [`PromoteArgs`] says.
struct Choice {
    least_sessions: u32,
    limit: usize,
}

pub(crate) fn run(args: &PromoteArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let choice = Choice { least_sessions: LEAST_SESSIONS, limit: usize::MAX };
    run_with(args, &choice, arguments, printer)
}

/// `rem memory promote`
pub(crate) fn run_as_openclaw(args: &OpenClawArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let least = args.min_recall_count.max(args.min_unique_queries);
    let choice =
        Choice { least_sessions: least.unwrap_or(LEAST_SESSIONS), limit: args.limit.unwrap_or(usize::MAX) };
    let own = PromoteArgs {
        min_confidence: args.min_score.unwrap_or(args.args.min_confidence),
        frequency: args.args.frequency || least.is_some(),
        ..args.args.clone()
    };
    run_with(&own, &choice, arguments, printer)
}

fn run_with(args: &PromoteArgs, choice: &Choice, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let mut candidates = match args.frequency {
        true => memory.frequent_candidates(args.days, choice.least_sessions)?,
        false => memory.promotion_candidates(args.days, args.min_confidence)?,
    };
    if candidates.len() > choice.limit {
        candidates.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
        candidates.truncate(choice.limit);
    }
    if !args.apply {
        let answer = Candidates { candidates };
        return printer.answer(&answer, || listed(&answer.candidates, args));
    }
    let outcome = memory.promote(&candidates, args.target.as_ref())?;
    printer.answer(&outcome, || {
        let stayed = outcome
            .stayed
            .iter()
            .map(|one| format!("\nNot moved: {}: {}, since {}", one.file, one.section, one.reason));
        let stayed: String = stayed.collect();
        match outcome.results.len() {
            0 => format!("Nothing to move.{stayed}"),
            count => {
                let moved = outcome
                    .results
                    .iter()
                    .map(|one| format!("\n  {}: {} → {}", one.file, one.section, one.target));
                format!("Moved {count}  ({}){}{stayed}", outcome.change, moved.collect::<String>())
            }
        }
    })
}

fn listed(candidates: &[Candidate], args: &PromoteArgs) -> String {
    if candidates.is_empty() {
        return match args.frequency {
            true => format!("Nothing came up in three sessions of the last {} days.", args.days),
            false => format!("Nothing in the notes of the last {} days should be moved.", args.days),
        };
    }
    let mut list = String::new();
    for candidate in candidates {
        let mut categories: Vec<&str> = match args.frequency {
            true => candidate.reasons.iter().map(|reason| reason.matched_pattern.as_str()).collect(),
            false => candidate.reasons.iter().map(|reason| reason.category).collect(),
        };
        categories.dedup();
        list.push_str(&format!(
            "{:3.0} %  {}: {}  ({})\n",
            candidate.confidence * 100.0,
            candidate.file,
            candidate.section,
            categories.join(", ")
        ));
    }
    list.push_str("\nNothing was moved; --apply moves these.");
    list
}
