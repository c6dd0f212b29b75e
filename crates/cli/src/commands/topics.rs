//! `rem topics`

use anyhow::Result;
use rem_mind::attention::topics::{
    Cause, Gate, GateRecord, GateState, LoggedDecision, Nobody, Side, TopicCheck, TopicMatch, TopicMatches,
    TopicMessage, TopicSet, Tuning,
};
use rem_mind::recall::Asking;
use serde::Serialize;

use super::text_or_stdin;
use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Ask which playbooks there are, and which a message makes active
///
/// A topic is a Markdown file in the topics folder: what makes it active stands in its front matter, what the agent is told then in
/// its body. Example:
///   rem topics match "Can you review the PR that just came in?"
#[derive(Debug, clap::Subcommand)]
#[command(verbatim_doc_comment)]
pub(crate) enum TopicsCommand {
    /// Every topic, by name
    List,
    /// What is wrong in the files of topics, with lines
    ///
    /// Changes nothing. Exit code 5 when something needs mending.
    Check,
    /// Which topics a message makes active, and why
    ///
    /// Shows the triggers that match and where, every measure of similarity, and what was decided. No model is asked unless --ask is
    /// given: where the gate would be, topics.gate_default answers.
    Match(MatchArgs),
    /// What was decided over topics, and whether it was of use
    ///
    /// A line for each decision, oldest first: what both tiers said, what the gate said and who answered for it, and whether the reply
    /// used the topic, as far as a reply was seen. Messages are not kept; their hashes are.
    Log(LogArgs),
    /// Thresholds that the log of decisions speaks for
    ///
    /// Says for topics.similarity_threshold and for each topic how many decisions there were at which likeness, how many of them were of
    /// use, and which threshold would have been less wrong. With too little evidence it says so. Changes nothing without --apply.
    Tune(TuneArgs),
    /// Make a topic active for the next message
    ///
    /// Also one that only a person activates. Example:
    ///   rem topics activate release-notes --session 2f6a
    #[command(verbatim_doc_comment)]
    Activate(ActivateArgs),
}

/// Which decisions are listed.
#[derive(Debug, clap::Args)]
pub(crate) struct LogArgs {
    /// Only the last N
    #[arg(long, value_name = "N")]
    tail: Option<usize>,
    /// Only those over this topic
    #[arg(long, value_name = "NAME")]
    topic: Option<String>,
}

/// Whether proposals are carried out.
#[derive(Debug, clap::Args)]
pub(crate) struct TuneArgs {
    /// Write what is proposed into CONFIG.md and the files of topics
    #[arg(long)]
    apply: bool,
}

/// Which topic, for whom.
#[derive(Debug, clap::Args)]
pub(crate) struct ActivateArgs {
    /// The topic
    #[arg(value_name = "NAME")]
    name: String,
    /// The session whose next message it is for; else the next of any
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

/// What the log speaks for, and what was made of it.
#[derive(Debug, Serialize)]
struct Tuned<'a> {
    #[serde(flatten)]
    tuning: &'a Tuning,
    /// The change; nothing where none was asked for or none was needed.
    change: Option<String>,
}

/// What is matched.
#[derive(Debug, clap::Args)]
pub(crate) struct MatchArgs {
    /// The message; - reads it from standard input
    #[arg(required = true, num_args = 1.., value_name = "TEXT")]
    text: Vec<String>,
    /// Whose words they are
    #[arg(long, value_enum, default_value = "input", value_name = "SIDE")]
    side: Spoken,
    /// A path that a tool call beside the message names; may be given again
    #[arg(long = "tool-path", value_name = "P")]
    tool_paths: Vec<String>,
    /// Ask the model of topics.gate_provider where the gate decides
    #[arg(long)]
    ask: bool,
}

/// Whose words a message is.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Spoken {
    /// The user's
    Input,
    /// The agent's own
    Output,
}

/// One topic of the list.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    name: &'a str,
    path: Option<&'a str>,
    title: &'a str,
    description: &'a str,
    activation: &'static str,
    priority: &'static str,
    triggers: Vec<&'static str>,
    subscriptions: Vec<&'a str>,
    max_context_kb: Option<u64>,
    similarity_threshold: Option<f64>,
}

pub(crate) fn run(command: &TopicsCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_quietly()?;
    match command {
        TopicsCommand::List => {
            let set = memory.topics()?;
            if set.unusable() > 0 {
                printer.note(&unusable(set.unusable()));
            }
            let listed = listed(&set);
            printer.answer(&listed, || match listed.is_empty() {
                true => "No topic yet. docs/topics.md says how one is written.".to_owned(),
                false => listed.iter().map(line).collect(),
            })
        }
        TopicsCommand::Check => {
            let check = memory.check_topics()?;
            printer.answer(&check, || checked(&check))?;
            match check.is_well() {
                true => Ok(()),
                false => Err(Hinted::integrity(
                    "some topics need mending",
                    "edit the files at these lines; docs/formats.md says what a topic's file holds",
                )
                .into()),
            }
        }
        TopicsCommand::Match(args) => {
            let text = text_or_stdin(&args.text.join(" "))?;
            let people: Vec<String> = match memory.topics()?.waits_for_people() {
                true => memory
                    .people(&Asking::default(), environment::system_time())?
                    .into_iter()
                    .map(|person| person.name)
                    .collect(),
                false => Vec::new(),
            };
            let message = TopicMessage {
                text: &text,
                side: match args.side {
                    Spoken::Input => Side::Input,
                    Spoken::Output => Side::Output,
                },
                tool_paths: &args.tool_paths,
                people: &people,
            };
            let model = memory.gate();
            let gate: &dyn Gate = if args.ask { &model } else { &Nobody };
            let found = memory.match_topics(&message, gate)?;
            if found.unusable > 0 {
                printer.note(&unusable(found.unusable));
            }
            printer.answer(&found, || told(&found))
        }
        TopicsCommand::Log(args) => {
            let mut log = memory.gate_log();
            log.retain(|record| args.topic.as_ref().is_none_or(|topic| *topic == record.topic_name));
            let first = log.len().saturating_sub(args.tail.unwrap_or(log.len()));
            let shown = &log[first..];
            printer.answer(&shown, || match shown.is_empty() {
                true => "No decision yet.".to_owned(),
                false => shown.iter().map(logged).collect(),
            })
        }
        TopicsCommand::Tune(args) => {
            let tuning = memory.tune_topics()?;
            let applied = if args.apply { memory.apply_tuning(&tuning)? } else { None };
            let change = applied.map(|applied| applied.change);
            printer.answer(&Tuned { tuning: &tuning, change: change.clone() }, || {
                tuned(&tuning, change.is_some())
            })
        }
        TopicsCommand::Activate(args) => {
            let activation = memory.queue_activation(&args.name, Cause::Manual, args.session.as_deref())?;
            printer.answer(&activation, || match &activation.session {
                Some(session) => {
                    format!("{} is active for the next message of session {session}.", activation.topic)
                }
                None => format!("{} is active for the next message.", activation.topic),
            })
        }
    }
}

/// A decision on one line.
fn logged(record: &GateRecord) -> String {
    let decision = match record.decision {
        LoggedDecision::Bypassed => "active without the gate",
        LoggedDecision::Skipped => "dropped before the gate",
        LoggedDecision::Yes => "the gate says yes",
        LoggedDecision::No => "the gate says no",
        LoggedDecision::Default if record.gate_result == Some(true) => "no answer: yes by default",
        LoggedDecision::Default => "no answer: no by default",
    };
    let trigger = if record.tier1_matched { "trigger" } else { "no trigger" };
    let by = record.by.as_ref().map_or(String::new(), |by| format!(" ({by})"));
    let useful = match record.was_useful {
        Some(true) => ", of use",
        Some(false) => ", of no use",
        None => "",
    };
    format!(
        "{}  {}  {trigger}, likeness {:.3} (from {}): {decision}{by}{useful}\n",
        record.timestamp, record.topic_name, record.tier2_score, record.threshold
    )
}

fn tuned(tuning: &Tuning, is_applied: bool) -> String {
    let mut text = format!(
        "{} decisions, of {} of them it is known whether the topic was of use.\n",
        tuning.decisions, tuning.judged
    );
    for each in &tuning.thresholds {
        let name = each.topic.as_deref().unwrap_or("topics.similarity_threshold");
        let then = each.proposed.map_or(String::new(), |then| format!(" → {then}"));
        text.push_str(&format!("{name}  {}{then}: {}\n", each.now, each.why));
        for band in &each.by_score {
            text.push_str(&format!(
                "  {} to {}: {} of use, {} not\n",
                band.from, band.to, band.useful, band.not_useful
            ));
        }
    }
    text.push_str(match (tuning.proposals().next().is_some(), is_applied) {
        (true, true) => "Written. `rem rollback` takes it back.\n",
        (true, false) => "Nothing was changed; --apply writes what is proposed.\n",
        (false, _) => "Nothing is proposed.\n",
    });
    text
}

fn unusable(count: usize) -> String {
    format!("{count} files in the topics folder cannot be used: `rem topics check` says why")
}

fn listed(set: &TopicSet) -> Vec<Listed<'_>> {
    let all = set.topics().iter();
    all.map(|topic| Listed {
        name: &topic.name,
        path: set.path(&topic.name).map(AsRef::as_ref),
        title: &topic.title,
        description: &topic.description,
        activation: topic.activation.name(),
        priority: topic.priority.name(),
        triggers: topic.triggers.iter().map(|trigger| trigger.when.kind()).collect(),
        subscriptions: topic.subscriptions.iter().map(|each| each.path.as_str()).collect(),
        max_context_kb: topic.max_context_kb,
        similarity_threshold: topic.similarity_threshold,
    })
    .collect()
}

fn line(topic: &Listed<'_>) -> String {
    format!("{}  [{}, {}]  {}\n", topic.name, topic.priority, topic.activation, topic.description)
}

fn checked(check: &TopicCheck) -> String {
    let mut text = String::new();
    for problem in &check.problems {
        let kind = if problem.is_error { "ERROR" } else { "note" };
        text.push_str(&format!("{kind:<6}{}:{}: {}\n", problem.path, problem.line, problem.what));
    }
    let topics = if check.usable == 1 { "topic" } else { "topics" };
    text.push_str(&format!("{} {topics} can be used, {} cannot.\n", check.usable, check.unusable));
    text
}

fn told(found: &TopicMatches) -> String {
    if found.topics.is_empty() {
        return format!("None of {} topics has to do with it.", found.among);
    }
    let (active, others): (Vec<&TopicMatch>, Vec<&TopicMatch>) =
        found.topics.iter().partition(|topic| topic.active);
    let mut text: String = active.into_iter().map(explained).collect();
    text.extend(others.iter().take(MOST_NOT_ACTIVE).map(|topic| explained(topic)));
    if let Some(more) = others.len().checked_sub(MOST_NOT_ACTIVE).filter(|more| *more > 0) {
        text.push_str(&format!("{more} more that are not active; --json has all\n"));
    }
    text
}

/// So many topics that something speaks for, and that are not active, are explained to a person.
const MOST_NOT_ACTIVE: usize = 10;

/// Both tiers of one topic, and what came of them.
fn explained(topic: &TopicMatch) -> String {
    let state = if topic.active { "ACTIVE" } else { "not active" };
    let mut text = format!("{}  {state}: {}\n", topic.name, topic.why);
    for matched in &topic.matches {
        let place =
            matched.span.as_ref().map_or(String::new(), |span| format!(" at {}–{}", span.start, span.end));
        text.push_str(&format!(
            "  trigger   {} (line {}) {:?}{place}\n",
            matched.trigger, matched.line, matched.text
        ));
    }
    if topic.matches.is_empty() {
        text.push_str("  trigger   none matched\n");
    }
    let each = &topic.similarity;
    text.push_str(&format!(
        "  likeness  {:.3} (from {}): TF-IDF {:.2}, BM25 {:.2}, Jaccard {:.2}, spelling {:.2}, meaning {:.2} and {:.2}\n",
        topic.tier2, topic.threshold, each.tfidf, each.bm25, each.jaccard, each.ngrams, each.meaning, each.meaning_of_all
    ));
    text.push_str(&format!("  decision  {} priority, {}: ", topic.priority.name(), topic.activation.name()));
    text.push_str(match topic.gate {
        GateState::Bypassed => "activated without the gate",
        GateState::Skipped => "dropped before the gate",
        GateState::Yes => "the gate says yes",
        GateState::No => "the gate says no",
    });
    if let Some(by) = &topic.answered_by {
        text.push_str(&format!(", answered by {by}"));
    }
    if let Some(error) = &topic.gate_error {
        text.push_str(&format!(" ({error})"));
    }
    text.push('\n');
    if let Some(hint) = &topic.hint {
        text.push_str(&format!("  hint      {hint}\n"));
    }
    text
}
