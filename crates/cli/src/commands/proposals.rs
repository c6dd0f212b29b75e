//! `rem proposals`

use std::cell::Cell;
use std::path::PathBuf;

use anyhow::Result;
use rem_mind::Memory;
use rem_mind::agents::{
    CommitRequest, Committed, ProposalShown, ProposalState, ProposalsCommitted, ProposalsDecided,
    ProposalsShown, ProposeEffect, ProposeOutcome, ProposeRequest, Reviewer, TakeBackRequest, TakenBack,
    Which,
};
use rem_mind::format::episode::Certainty;
use rem_mind::ledger::AgentRole;
use rem_mind::stores::Effect;
use rem_mind::stores::router::StoreKind;

use super::remember::store;
use super::text_or_stdin;
use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;
use crate::review::{Reviewed, Tally, Verdict, harmless, review};

/// What sub-agents propose to remember, and what becomes of it
///
/// A sub-agent (REM_ROLE=sub) may propose and change nothing else. What it proposes waits in memory/meta/pending-memories.md until the
/// main agent or a person commits, rejects or defers it; `proposals.review` in CONFIG.md says who.
///
/// Examples:
///   REM_ROLE=sub rem --agent researcher proposals add "Mira prefers papers to posts"
///   rem proposals review
///   rem proposals commit 3 --store episodic
#[derive(Debug, clap::Subcommand)]
#[command(verbatim_doc_comment)]
pub(crate) enum ProposalsCommand {
    /// Propose a memory
    Add(AddArgs),
    /// The proposals that wait
    List,
    /// Go through them one by one at the terminal
    Review,
    /// Make memories of proposals
    Commit(CommitArgs),
    /// Take proposals out and remember that they were rejected
    Reject {
        #[command(flatten)]
        which: WhichArgs,
        /// Why; whoever proposes the same again is told
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
    },
    /// Put proposals off: nobody is asked about them until they are named
    Defer {
        #[command(flatten)]
        which: WhichArgs,
    },
    /// Take back what a sub-agent wrote into a file itself, and propose it in its name
    ///
    /// The file gets what it held before another program changed it last, an alert says so, and a commit keeps what was written. Claude Code's
    /// hook does it for its own sub-agents.
    TakeBack {
        /// The file
        file: PathBuf,
        /// The sub-agent
        #[arg(long, value_name = "NAME")]
        from: String,
        /// The session it worked in
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct AddArgs {
    /// The statement, or - for standard input
    text: String,
    /// Where it should go, instead of where its words say
    #[arg(long, value_name = "STORE", value_parser = store)]
    store: Option<StoreKind>,
    /// A label; may be given again
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// An entity that it is about, as project--atlas; may be given again
    #[arg(long = "entity", value_name = "ID")]
    entities: Vec<String>,
    /// How sure you are: high, medium or low [default: medium]
    #[arg(long, value_name = "WORD", value_parser = certainty)]
    confidence: Option<Certainty>,
    /// It should always be in sight, in MEMORY.md
    #[arg(long)]
    core: bool,
    /// What led to it
    #[arg(long, value_name = "TEXT")]
    trigger: Option<String>,
    /// What speaks for it now and did not when it was rejected
    #[arg(long, value_name = "TEXT")]
    evidence: Option<String>,
    /// The session it came up in
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The agent it comes from, where the main agent writes it down for another
    #[arg(long, value_name = "NAME")]
    from: Option<String>,
}

/// Which proposals are meant.
#[derive(Debug, clap::Args)]
pub(crate) struct WhichArgs {
    /// Their numbers
    #[arg(value_name = "NUMBER", value_parser = number, required_unless_present = "all")]
    numbers: Vec<u64>,
    /// All that wait; not those that were put off or contradict another one
    #[arg(long, conflicts_with = "numbers")]
    all: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CommitArgs {
    #[command(flatten)]
    which: WhichArgs,
    /// Where they go, instead of where they suggest
    #[arg(long, value_name = "STORE", value_parser = store)]
    store: Option<StoreKind>,
    /// Reject those that contradict them
    #[arg(long)]
    resolve: bool,
    /// Commit those that contradict them as well, all with little confidence; the operator is asked which is right
    #[arg(long, conflicts_with_all = ["resolve", "all"])]
    both: bool,
}

impl WhichArgs {
    fn which(&self) -> Which {
        if self.all { Which::All } else { Which::These(self.numbers.clone()) }
    }
}

fn number(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    digits.parse().map_err(|_| format!("{text:?} is no number of a proposal, as 3 or #3"))
}

fn certainty(word: &str) -> Result<Certainty, String> {
    word.parse::<Certainty>().map_err(|error| error.to_string())
}

pub(crate) fn run(command: &ProposalsCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    if let ProposalsCommand::Review = command {
        can_be_asked(printer)?;
    }
    let memory = arguments.open()?;
    let reviewer = reviewer(&memory);
    match command {
        ProposalsCommand::Add(args) => {
            let outcome = memory.propose(&ProposeRequest {
                text: text_or_stdin(&args.text)?,
                store: args.store,
                tags: args.tags.clone(),
                entities: args.entities.clone(),
                confidence: args.confidence,
                core_worthy: args.core,
                trigger: args.trigger.clone(),
                evidence: args.evidence.clone(),
                session: args.session.clone(),
                from: args.from.clone(),
            })?;
            printer.answer(&outcome, || proposed(&outcome))
        }
        ProposalsCommand::List => {
            let all = memory.proposals()?;
            printer.answer(&all, || listed(&all))
        }
        ProposalsCommand::Review => {
            let tally = reviewed(&memory, printer)?;
            printer.answer(&tally, || counted(tally))
        }
        ProposalsCommand::Commit(args) => {
            let outcome = memory.commit_proposals(&CommitRequest {
                which: args.which.which(),
                store: args.store,
                resolve: args.resolve,
                both: args.both,
                reviewer,
                ..CommitRequest::default()
            })?;
            printer.answer(&outcome, || committed(&outcome))
        }
        ProposalsCommand::Reject { which, reason } => {
            let outcome = memory.reject_proposals(&which.which(), reason, reviewer)?;
            printer.answer(&outcome, || decided("Rejected", &outcome))
        }
        ProposalsCommand::Defer { which } => {
            let outcome = memory.defer_proposals(&which.which(), reviewer)?;
            printer.answer(&outcome, || decided("Put off", &outcome))
        }
        ProposalsCommand::TakeBack { file, from, session } => {
            memory.ledger().may_change()?;
            let request = TakeBackRequest { file, agent: from, session: session.as_deref(), within: None };
            let taken = memory.take_back(&request)?;
            printer.answer(&taken, || taken_back(taken.as_ref()))
        }
    }
}

fn taken_back(taken: Option<&TakenBack>) -> String {
    let Some(taken) = taken else {
        return "Nothing to take back: no other program changed that file last.".to_owned();
    };
    let mut lines = vec![format!(
        "{} holds again what it held before; commit {} keeps what was written.",
        taken.path, taken.commit
    )];
    if !taken.proposals.is_empty() {
        lines.push(format!("Waiting: {}  (`rem proposals review`)", signs(&taken.proposals)));
    }
    if taken.left > 0 {
        lines.push(format!("Not proposed: {} more, known before or too much", taken.left));
    }
    harmless(&lines.join("\n"))
}

/// A person only where one sits at the terminal and no agent has given its name.
fn reviewer(memory: &Memory) -> Reviewer {
    let is_person = memory.named_agent().is_none()
        && memory.ledger().role() == AgentRole::Main
        && environment::is_asked_by_a_person();
    if is_person { Reviewer::Person } else { Reviewer::Agent }
}

fn can_be_asked(printer: &Printer) -> Result<()> {
    if printer.is_json() || !environment::is_asked_by_a_person() {
        return Err(Hinted::usage(
            "there is no terminal to ask a person at",
            "`rem proposals list` shows what waits; `rem proposals commit|reject|defer NUMBER` decide without a question",
        )
        .into());
    }
    Ok(())
}

fn reviewed(memory: &Memory, printer: &Printer) -> Result<Tally> {
    memory.ledger().may_change()?;
    memory.mark_conflicting_proposals()?;
    let all = memory.proposals()?;
    for broken in &all.broken {
        printer.note(&format!("{}:{}  {}", all.path, broken.line, harmless(&broken.what)));
    }
    let waiting: Vec<u64> = all
        .proposals
        .iter()
        .filter(|each| each.status != ProposalState::Deferred)
        .map(|each| each.number)
        .collect();
    let says_it_rejects = Cell::new(false);
    let commit = |number: u64, text: Option<&String>| {
        memory.commit_proposals(&CommitRequest {
            which: Which::These(vec![number]),
            text: text.cloned(),
            // Where the question said so.
            resolve: says_it_rejects.get(),
            reviewer: reviewer(memory),
            ..CommitRequest::default()
        })
    };
    review(
        &waiting,
        &Reviewed {
            question: "Remember this?",
            show: &|number| {
                let all = memory.proposals()?;
                let Some(found) = all.proposals.iter().find(|each| each.number == *number) else {
                    return Ok(None);
                };
                says_it_rejects.set(!found.conflicts.is_empty());
                let denied = memory.weigh_proposal(*number)?.denied;
                let warned = denied.map(|said| harmless(&format!("\n    against your own word: {said}")));
                Ok(Some(asked(found) + &warned.unwrap_or_default()))
            },
            why: &|number| {
                let weighed = memory.weigh_proposal(*number)?;
                let mut lines = vec![
                    format!(
                        "It would go to {}, {}.",
                        weighed.proposal.store.as_str(),
                        match weighed.suggested {
                            true => "which the agent suggests",
                            false => "which is what its words say",
                        }
                    ),
                    format!("What led to it: {}", weighed.proposal.trigger),
                ];
                if !weighed.proposal.evidence.is_empty() {
                    lines.push(format!("New evidence: {}", weighed.proposal.evidence));
                }
                lines.extend(
                    weighed.known.map(|path| format!("{path} says the same already: that gets surer.")),
                );
                lines.extend(weighed.contradicts.map(|known| format!("It would take the place of: {known}")));
                lines.extend(weighed.conflicting.iter().map(|other| {
                    format!("It contradicts #{} of {}: {}", other.number, other.from, other.content)
                }));
                Ok(harmless(&lines.join("\n")))
            },
            words: &|number| {
                let all = memory.proposals()?;
                Ok(all.proposals.into_iter().find(|each| each.number == *number).map(|each| each.content))
            },
            edit: &environment::edited,
            decide: &|number, verdict| {
                Ok(match verdict {
                    Verdict::Yes => committed(&commit(*number, None)?),
                    Verdict::Edited(text) => committed(&commit(*number, Some(text))?),
                    Verdict::No(reason) => {
                        let which = Which::These(vec![*number]);
                        decided("Rejected", &memory.reject_proposals(&which, reason, reviewer(memory))?)
                    }
                    Verdict::Later => {
                        let which = Which::These(vec![*number]);
                        decided("Put off", &memory.defer_proposals(&which, reviewer(memory))?)
                    }
                })
            },
        },
        &mut std::io::stdin().lock(),
        printer,
    )
}

fn signs(numbers: &[u64]) -> String {
    numbers.iter().map(|number| format!("#{number}")).collect::<Vec<_>>().join(", ")
}

fn proposed(outcome: &ProposeOutcome) -> String {
    let ProposeOutcome { number, change, .. } = outcome;
    let mut lines = vec![match outcome.effect {
        ProposeEffect::Proposed => format!("Proposed as #{number}  ({change})"),
        ProposeEffect::Committed => {
            format!("Proposed as #{number}, and committed at once (proposals.review: auto_commit)")
        }
        ProposeEffect::Waiting => format!("The same waits already: #{number}"),
        ProposeEffect::Rejected => {
            let reason = outcome.reason.as_deref().filter(|reason| !reason.is_empty());
            let because = reason.map_or(String::new(), |reason| format!(" ({reason})"));
            format!(
                "The same was rejected as #{number}{because}: propose it again with --evidence where something new speaks for it"
            )
        }
        ProposeEffect::Echo => "Nothing new: the memory handed that out itself.".to_owned(),
    }];
    if !outcome.conflicts.is_empty() {
        lines.push(format!("  contradicts {}, which waits as well", signs(&outcome.conflicts)));
    }
    lines.extend(outcome.known.as_ref().map(|path| format!("  {path} says the same already")));
    lines.extend(outcome.contradicts.as_ref().map(|known| format!("  would take the place of: {known}")));
    lines.extend(outcome.committed.as_ref().map(written));
    harmless(&lines.join("\n"))
}

fn heading(each: &ProposalShown) -> String {
    let state = match each.status {
        ProposalState::Pending => "pending".to_owned(),
        ProposalState::Deferred => "deferred".to_owned(),
        ProposalState::Conflict => format!("contradicts {}", signs(&each.conflicts)),
    };
    let time = each.time.as_deref().map_or("", |time| time.get(..16).unwrap_or(time));
    let ProposalShown { number, from, store, confidence, .. } = each;
    format!("#{number}  {state}  {from}  {time}  {}  {confidence}", store.as_str())
}

fn asked(each: &ProposalShown) -> String {
    let choice = match each.conflicts.is_empty() {
        true => String::new(),
        false => format!("\n    yes rejects {}", signs(&each.conflicts)),
    };
    harmless(&format!("\n{}\n    {}{choice}", heading(each), each.content.replace('\n', "\n    ")))
}

fn listed(all: &ProposalsShown) -> String {
    let mut lines: Vec<String> = all
        .proposals
        .iter()
        .map(|each| harmless(&format!("{}\n    {}", heading(each), each.content.replace('\n', "\n    "))))
        .collect();
    if lines.is_empty() {
        lines.push("No proposal waits.".to_owned());
    }
    let broken =
        all.broken.iter().map(|each| format!("{}:{}  {}", all.path, each.line, harmless(&each.what)));
    lines.extend(broken);
    lines.join("\n")
}

fn written(each: &Committed) -> String {
    let Committed { number, id, path, change, .. } = each;
    let what = match each.effect {
        Effect::Added => "remembered",
        Effect::Merged => "known already, and surer now",
        Effect::Replaced => "remembered in the place of what was known",
        Effect::Nothing => "known already",
    };
    let replaced = each.replaced.as_ref().map_or(String::new(), |old| format!("\n    was: {old}"));
    format!("#{number}  {what}: {id} in {path}  ({change}){replaced}")
}

fn committed(outcome: &ProposalsCommitted) -> String {
    let mut lines: Vec<String> = outcome.committed.iter().map(written).collect();
    if !outcome.rejected.is_empty() {
        lines.push(format!("Rejected because of that: {}", signs(&outcome.rejected)));
    }
    if !outcome.asked.is_empty() {
        lines.push(format!(
            "Which is right is yours to say: rem conflicts resolve {}",
            outcome.asked.join(", ")
        ));
    }
    if !outcome.conflicting.is_empty() {
        lines.push(format!(
            "These contradict each other and wait for a choice (commit one with --resolve, or with --both): {}",
            signs(&outcome.conflicting)
        ));
    }
    if !outcome.gone.is_empty() {
        lines.push(format!("Decided before: {}", signs(&outcome.gone)));
    }
    lines.extend(outcome.failed.iter().map(|each| format!("#{} waits: {}", each.number, each.why)));
    if lines.is_empty() {
        lines.push("No proposal waits.".to_owned());
    }
    harmless(&lines.join("\n"))
}

fn decided(what: &str, outcome: &ProposalsDecided) -> String {
    let mut lines = Vec::new();
    match outcome.numbers.is_empty() {
        false if outcome.change.is_empty() => {
            lines.push(format!("{what} already: {}", signs(&outcome.numbers)))
        }
        false => lines.push(format!("{what}: {}  ({})", signs(&outcome.numbers), outcome.change)),
        true if outcome.gone.is_empty() => lines.push("No proposal waits.".to_owned()),
        true => {}
    }
    if !outcome.gone.is_empty() {
        lines.push(format!("Decided before: {}", signs(&outcome.gone)));
    }
    lines.join("\n")
}

fn counted(tally: Tally) -> String {
    let Tally { accepted, rejected, deferred, left } = tally;
    match accepted + rejected + deferred + left {
        0 => "No proposal waits.".to_owned(),
        _ => format!("{accepted} committed, {rejected} rejected, {deferred} put off, {left} left"),
    }
}
