//! `rem identity`

use std::cell::RefCell;

use anyhow::Result;
use rem_mind::format::identity::{Growth, GrowthKind, LeavingTo, Occurrence};
use rem_mind::identity::{
    DriftReport, DriftRequest, IdentityConflict, IdentityDecided, IdentityGrown, IdentityHistory,
    IdentityShown, PatternWaiting,
};
use rem_mind::{Memory, ReviewDecision};

use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;
use crate::review::{AT_THE_END, Reviewed, Verdict, approving, harmless, rejecting, review};

/// So many patterns that wait are shown; all of them with --json.
const SHOWN: usize = 20;

/// Who the agent is: what SOUL.md could learn, and your consent to it
///
/// What you corrected or said more than once on separate dates or in separate sessions may become a principle of SOUL.md, after a rest and
/// never from what agents, tools or imported files say. Under `identity.policy` `propose` it waits for your answer, under `auto` it is
/// applied behind the same gate, under `immutable` nothing is written. Each change has a snapshot before it in SOUL_HISTORY/ and its
/// evidence in CHANGELOG.md.
///
///   rem identity grow --dry-run
///   rem identity grow
///   rem identity review
///   rem identity rollback latest
#[derive(Debug, clap::Subcommand)]
pub(crate) enum IdentityCommand {
    /// The principles, what waits for your answer, and what is no principle yet and why
    Show,
    /// Look for what could become a principle, and propose it
    Grow {
        /// Only show what would be proposed, and what fails the gate and why
        #[arg(long)]
        dry_run: bool,
        /// Drop proposals that wait for an answer
        #[arg(long, conflicts_with = "dry_run")]
        replace: bool,
    },
    /// Answer proposal by proposal at the terminal: yes, no, edit, later, why
    Review,
    /// Apply all proposals, or those named
    ///
    ///   rem identity approve i4f0a1c
    ///   rem identity approve --edit "i4f0a1c=Confirm the time zone before every meeting"
    Approve {
        /// The ids of proposals
        ids: Vec<String>,
        /// A proposal in your words
        #[arg(long = "edit", value_name = "ID=TEXT")]
        edits: Vec<String>,
    },
    /// Reject all proposals, or those named: they come up again with new evidence alone
    Reject {
        /// The ids of proposals
        ids: Vec<String>,
        /// Why, for CHANGELOG.md
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
    },
    /// The snapshots of SOUL.md, and what CHANGELOG.md says
    History,
    /// Make SOUL.md what a snapshot has; what it was becomes a snapshot itself
    ///
    ///   rem identity rollback latest
    ///   rem identity rollback 2026-02-22
    ///   rem identity rollback SOUL_HISTORY/2026-02-22-0230.md
    Rollback {
        /// `latest`, a day (the last snapshot of it), or a snapshot's file
        snapshot: String,
        /// Without a question
        #[arg(long)]
        yes: bool,
    },
    /// Whether the agent's messages still fit SOUL.md, and how they changed: with messages as evidence, or not at all
    ///
    /// Principles that can be tested (no lists, no emoji, this language) are held against each message; what the operator had to say again is
    /// named; length, sentences, lists, questions, exclamations, emoji, apologies, headings and tables are held against the time before.
    ///
    ///   rem identity drift
    ///   rem identity drift --days 7 --baseline-days 60 --json
    Drift {
        /// The days that are looked at (identity.drift_days)
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..=3650))]
        days: Option<u64>,
        /// The days before them that they are held against (identity.drift_baseline_days)
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u64).range(1..=3650))]
        baseline_days: Option<u64>,
    },
}

pub(crate) fn run(command: &IdentityCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    memory.catch_up();
    match command {
        IdentityCommand::Show => {
            let shown = memory.identity()?;
            printer.answer(&shown, || harmless(&told(&shown)))
        }
        IdentityCommand::Grow { dry_run, replace } => {
            let grown = memory.grow_identity(*dry_run, *replace)?;
            printer.answer(&grown, || harmless(&of_growth(&grown)))
        }
        IdentityCommand::Review => reviewed(&memory, printer),
        IdentityCommand::Approve { ids, edits } => {
            decide(&memory, &approving(ids, edits, "rem identity show")?, printer)
        }
        IdentityCommand::Reject { ids, reason } => decide(&memory, &rejecting(ids, reason), printer),
        IdentityCommand::History => {
            let history = memory.identity_history()?;
            printer.answer(&history, || harmless(&of_history(&history)))
        }
        IdentityCommand::Drift { days, baseline_days } => {
            let report = memory.drift(&DriftRequest { days: *days, baseline_days: *baseline_days })?;
            printer.answer(&report, || harmless(&of_drift(&report)))
        }
        IdentityCommand::Rollback { snapshot, yes } => {
            memory.only_a_person("going back to another SOUL.md")?;
            let path = memory.soul_snapshot(snapshot)?;
            if !yes && !asked(path.as_str(), printer)? {
                return Err(Hinted::refused("SOUL.md stays as it is", "nothing was changed").into());
            }
            let outcome = memory.rollback_identity(path.as_str())?;
            printer.answer(&outcome, || {
                format!(
                    "SOUL.md is what {} has; what it was is {}  ({})",
                    outcome.to, outcome.snapshot, outcome.change
                )
            })
        }
    }
}

fn asked(path: &str, printer: &Printer) -> Result<bool> {
    if printer.is_json() || !environment::is_asked_by_a_person() {
        return Err(Hinted::usage(
            "there is no terminal to ask a person at",
            "`rem identity history` lists the snapshots; `rem identity rollback SNAPSHOT --yes` asks nothing",
        )
        .into());
    }
    printer.question(&format!("Make SOUL.md what {path} has? [y/N] "));
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn decide(memory: &Memory, decision: &ReviewDecision, printer: &Printer) -> Result<()> {
    let decided = memory.decide_identity(decision)?;
    printer.answer(&decided, || of_decision(&decided))
}

fn reviewed(memory: &Memory, printer: &Printer) -> Result<()> {
    if printer.is_json() || !environment::is_asked_by_a_person() {
        return Err(Hinted::usage(
            "there is no terminal to ask a person at",
            "`rem identity show` shows the proposals; `rem identity approve ID…` and `rem identity reject ID…` answer them",
        )
        .into());
    }
    let shown = memory.identity()?;
    let Some(pending) = &shown.pending else {
        return printer.text("No change of identity waits for an answer.");
    };
    let answered = RefCell::new(ReviewDecision::default());
    let reviewed = Reviewed {
        question: "Make it part of the identity?",
        show: &|item: &Growth| Ok(Some(harmless(&of_item(item, &shown.conflicts)))),
        why: &|item| Ok(harmless(&why(item))),
        words: &|item| Ok((item.kind != GrowthKind::Remove).then(|| item.principle.clone())),
        edit: &environment::edited,
        // One principle changes what the others contradict: all are applied together.
        decide: &|item, verdict| {
            let (mut decision, id) = (answered.borrow_mut(), item.id.clone());
            match verdict {
                Verdict::Yes => decision.approve.push(id),
                Verdict::No(reason) => drop(decision.reject.insert(id, reason.clone())),
                Verdict::Edited(text) => drop(decision.edits.insert(id, text.clone())),
                Verdict::Later => {}
            }
            Ok(AT_THE_END.to_owned())
        },
    };
    review(&pending.items, &reviewed, &mut std::io::stdin().lock(), printer)?;
    let decision = answered.into_inner();
    if decision.approve.is_empty() && decision.reject.is_empty() && decision.edits.is_empty() {
        return printer.text("Nothing was answered; all of it waits.");
    }
    decide(memory, &decision, printer)
}

/// An item in a few lines.
fn of_item(item: &Growth, conflicts: &[IdentityConflict]) -> String {
    let Growth { id, kind, principle, section, replaces, leaves, .. } = item;
    let mut text = format!("{kind} {id}: {principle}\n  under {section}");
    if let Some(replaces) = replaces {
        text.push_str(&format!("\n  instead of: {replaces}"));
    }
    for leaving in leaves {
        let to = match leaving.to {
            LeavingTo::Merged => "goes, for another says the same",
            LeavingTo::Memory => "moves to MEMORY.md",
        };
        text.push_str(&format!("\n  for room “{}” {to}", leaving.principle));
    }
    if let Some(conflict) = conflicts.iter().find(|conflict| conflict.id == *id) {
        text.push_str(&format!("\n  cannot be applied: {}", conflict.why));
    }
    text
}

fn why(item: &Growth) -> String {
    let mut lines = vec![format!("  {}", item.reason)];
    let said = |each: &Occurrence| format!("  {} {}: {}", each.day, each.place(), each.text);
    lines.extend(item.occurrences.iter().map(said));
    if item.kind != GrowthKind::Remove {
        lines.push(format!(
            "  {} occurrences (threshold {}), {}h since the first (threshold {}h)",
            item.counted, item.threshold, item.elapsed_hours, item.cooldown_hours
        ));
    }
    lines.join("\n")
}

fn told(shown: &IdentityShown) -> String {
    let mut text =
        format!("{}  {} of {} tokens, policy {}\n", shown.path, shown.tokens, shown.max_tokens, shown.policy);
    for principle in &shown.principles {
        let by = match &principle.encoded {
            None => String::new(),
            Some(encoded) if encoded.corrections.is_empty() => format!("  (encoded {})", encoded.day),
            Some(encoded) => {
                format!("  (encoded {}, corrections {})", encoded.day, encoded.corrections.join(", "))
            }
        };
        text.push_str(&format!("  {:>3}  {}{by}\n", principle.line, principle.text));
    }
    match &shown.pending {
        None => text.push_str("\nNo change waits for your answer.\n"),
        Some(pending) => {
            text.push_str(&format!("\nWaiting for your answer since {}:\n", pending.day));
            for item in &pending.items {
                text.push_str(&format!("{}\n{}\n", of_item(item, &shown.conflicts), why(item)));
            }
        }
    }
    if shown.is_document_changed {
        text.push_str(
            "\nThe document was changed since it was written: it says no longer what would be applied.\n",
        );
    }
    text + &of_waiting(&shown.waiting)
}

fn of_waiting(waiting: &[PatternWaiting]) -> String {
    if waiting.is_empty() {
        return String::new();
    }
    let mut text = "\nNo principles yet:\n".to_owned();
    for pattern in waiting.iter().take(SHOWN) {
        text.push_str(&format!("- {}  (last {})\n", pattern.principle, pattern.last));
        pattern.why.iter().for_each(|why| text.push_str(&format!("    {why}\n")));
        text.push_str(&format!("    seen in {}\n", pattern.evidence.join(", ")));
    }
    if waiting.len() > SHOWN {
        text.push_str(&format!("and {} more: --json has all\n", waiting.len() - SHOWN));
    }
    text
}

fn of_growth(grown: &IdentityGrown) -> String {
    let count = grown.items.len();
    let mut text = match (grown.policy.as_str(), grown.preview) {
        ("immutable", _) => format!(
            "The identity is immutable (identity.policy): nothing is written. {count} patterns would pass the gate.\n"
        ),
        (_, true) => format!("Passing the gate: {count}. Nothing was written.\n"),
        _ if count == 0 => "Nothing passes the gate.\n".to_owned(),
        _ => {
            let (applied, rest) = (grown.applied.len(), count - grown.applied.len());
            let review = if rest == 0 { "" } else { "; `rem identity review` goes through them" };
            format!("{applied} applied, {rest} wait for your answer  ({}){review}\n", grown.change)
        }
    };
    for item in &grown.items {
        text.push_str(&format!("{}\n{}\n", of_item(item, &[]), why(item)));
    }
    text + &of_waiting(&grown.waiting)
}

fn of_decision(decided: &IdentityDecided) -> String {
    let mut lines: Vec<String> = decided
        .conflicts
        .iter()
        .map(|conflict| format!("{} waits on: {}", conflict.id, conflict.why))
        .collect();
    let snapshot = decided.snapshot.as_ref().map(|path| format!("; SOUL.md as it was is {path}"));
    let change = if decided.change.is_empty() { String::new() } else { format!("  ({})", decided.change) };
    lines.push(format!(
        "{} applied, {} rejected, {} wait{}{change}",
        decided.applied.len(),
        decided.rejected.len(),
        decided.pending,
        snapshot.unwrap_or_default()
    ));
    lines.join("\n")
}

fn of_history(history: &IdentityHistory) -> String {
    let mut text = String::new();
    for change in &history.changes {
        text.push_str(&format!("{}  {}: {}\n", change.day, change.what, change.principle));
        for (name, value) in &change.details {
            text.push_str(&format!("    {name}: {value}\n"));
        }
    }
    if history.changes.is_empty() {
        text.push_str("CHANGELOG.md names no change of identity.\n");
    }
    text.push_str(&format!("\nSnapshots, the newest first ({}):\n", history.snapshots.len()));
    for snapshot in &history.snapshots {
        text.push_str(&format!("  {}  {}\n", snapshot.taken, snapshot.path));
    }
    text
}

fn of_drift(report: &DriftReport) -> String {
    let day = |time: &str| time.get(..10).unwrap_or(time).to_owned();
    let span = |span: &rem_mind::identity::DriftSpan| {
        format!(
            "{} to {}: {} messages in {} conversations",
            day(&span.since),
            day(&span.until),
            span.messages,
            span.sessions
        )
    };
    let mut text = format!("Now     {}\nBefore  {}\n", span(&report.now), span(&report.before));
    text.push_str(&format!(
        "{} principles can be held against a message, {} cannot.\n",
        report.tested.len(),
        report.untested
    ));
    if let Some(why) = &report.not_enough {
        text.push_str(&format!("Not enough to say how messages changed: {why}\n"));
    }
    if report.claims.is_empty() && report.not_enough.is_none() {
        text.push_str("\nNothing shows drift.\n");
    }
    for claim in &report.claims {
        text.push_str(&format!("\n- {}\n", claim.says));
        for each in &claim.evidence {
            let place = match &each.id {
                Some(id) => format!("{} #{id}", each.path),
                None => format!("{}:{}", each.path, each.lines.start),
            };
            text.push_str(&format!("    {} {place}  {}\n", each.day, each.text));
        }
    }
    if !report.measures.is_empty() {
        text.push_str("\nMeasure           now     before  delta\n");
    }
    for each in &report.measures {
        let delta = each.delta.map_or_else(|| "—".to_owned(), |delta| format!("{delta:+.2}"));
        text.push_str(&format!(
            "{:<16}  {:<6.2}  {:<6.2}  {delta}\n",
            each.measure.as_str(),
            each.now,
            each.before
        ));
    }
    if !report.weeks.is_empty() {
        text.push_str("\nWeek of     messages  words  against principles\n");
    }
    for week in &report.weeks {
        let words = week.values.get(&rem_mind::identity::Measure::Length).copied().unwrap_or(0.0);
        text.push_str(&format!(
            "{}  {:>8}  {words:>5.0}  {:>18}\n",
            week.begins, week.messages, week.contradicting
        ));
    }
    text
}
