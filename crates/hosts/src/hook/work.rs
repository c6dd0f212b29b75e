//! What the memory does when a hook is called.
//!
//! A prompt is captured before anything else but what the host's transcript holds of the time before it; what comes after it is taken from
//! there after the turn: both are one transcript of one session. Whatever fails is noted in the private folder and is no reason to answer nothing where an answer can be
//! given: a workspace that cannot be written to can still be read.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rem_format::config::ReviewMode;
use rem_format::path::MemoryPath;
use rem_format::transcript::{Role, Turn, TurnKind, TurnPart};
use rem_mind::agents::TakeBackRequest;
use rem_mind::attention::topics::Side;
use rem_mind::attention::{ContextQuery, Observation, Overrides};
use rem_mind::identity::Validation;
use rem_mind::import::cleaned;
use rem_mind::ledger::{AgentRole, Clock, Ledger, LedgerOptions};
use rem_mind::transcripts::{SessionEnd, Told};
use rem_mind::{Memory, MemoryError};

use super::hearing::{self, Unheard, capture, unheard};
use super::{Call, Event, Written, condensed, injection};

/// The log in the private folder, and the most it may hold.
const LOG: &str = "hooks.log";
const LOG_BYTES: u64 = 64 << 10;

/// How long ago a tool that has just written may have written.
const JUST_NOW: Duration = Duration::from_secs(60);

/// What a command of a shell holds that writes: one that only reads a file must not take a person's edit of it back.
const SIGNS_OF_WRITING: [&str; 9] =
    [">", "tee ", "sed -i", "perl -i", "mv ", "cp ", "rm ", "truncate ", "patch "];

/// What was made of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    /// The context for the model, where the event is one that is given context.
    pub context: Option<String>,
    /// Whether a model has still to look at what was said, apart from the host: [`judge`].
    pub is_unjudged: bool,
    /// Whether the host's transcript holds more than could be taken in while the host waits: [`finish`] takes it in, apart from the host.
    pub is_unheard: bool,
}

/// Does what the event asks for.
///
/// # Errors
/// [`MemoryError`] where neither that nor an answer can be had.
pub fn respond(memory: &Memory, call: &Call, observed_at: SystemTime) -> Result<Response, MemoryError> {
    if let (Event::Prompt { text }, Some(session)) = (&call.event, &call.session) {
        return prompt(memory, call, session, text, observed_at);
    }
    let mut is_unheard = false;
    let context = match (&call.event, &call.session) {
        (Event::SessionStart { is_compacted }, session) => {
            is_unheard = session.as_deref().is_some_and(|session| !hear(memory, call, session));
            if let Some(session) = session.as_deref().filter(|_| *is_compacted) {
                condensed::note(memory, session);
            }
            start(memory, call, session.as_deref().filter(|_| *is_compacted), observed_at).map(Some)
        }
        (Event::TurnEnd { said }, Some(session)) => {
            end_turn(memory, call, session, said.as_deref()).map(|()| None)
        }
        (Event::BeforeCompaction, Some(session)) => {
            let captured = capture(memory, call, session);
            condensed::note(memory, session);
            captured.map(|_| None)
        }
        (Event::SessionEnd, Some(session)) => end_session(memory, call, session).map(|()| None),
        (Event::Wrote { written, subagent }, session) => {
            take_back(memory, written, subagent.as_deref(), session.as_deref())
        }
        _ => Ok(None),
    };
    Ok(Response { context: context?, is_unjudged: false, is_unheard })
}

/// Takes in what the host's transcript holds of the time before: a session that is resumed or forked, turns that no hook was called for, an
/// answer that was written down late. Gives whether all of it is kept.
fn hear(memory: &Memory, call: &Call, session: &str) -> bool {
    match unheard(memory, call, session) {
        Unheard::Nothing => true,
        Unheard::Much => false,
        Unheard::Some => {
            if let Err(error) = capture(memory, call, session) {
                note(memory.ledger(), &call.name, &error.to_string());
            }
            true
        }
    }
}

/// Has a model look at what was said, apart from the host.
pub fn judge(memory: &Memory, call: &Call) {
    if let (Event::Prompt { text }, Some(session)) = (&call.event, &call.session) {
        memory.judge_recall(&cleaned(text), session);
    }
}

/// Does what is left of a call that was not done in time, apart from the host: what was said is captured, and the index brought up to date
/// so that the next answer is in time.
///
/// # Errors
/// As [`respond`].
pub fn finish(memory: &Memory, call: &Call, observed_at: SystemTime) -> Result<(), MemoryError> {
    match (&call.event, &call.session) {
        (Event::SessionStart { .. }, session) => {
            if let Some(session) = session {
                capture(memory, call, session)?;
            }
            memory.catch_up();
        }
        (Event::Prompt { text }, Some(session)) => {
            let words = cleaned(text);
            // What the host writes down itself is taken from there, now or after the turn: this may be late.
            if capture(memory, call, session)?.is_none() && !words.is_empty() {
                memory.capture_told(session, &turn(memory, Role::User, &words), told(call))?;
            }
            memory.catch_up();
        }
        _ => return respond(memory, call, observed_at).map(|_| ()),
    }
    memory.index(false, observed_at, &mut |_| {})?;
    Ok(())
}

/// Notes in the private folder why a call was not answered. What cannot be noted is not.
pub fn note(ledger: &Ledger, call: &str, reason: &str) {
    let line = format!("{} {}: {}\n", ledger.now(), in_one_line(call, 80), in_one_line(reason, 2_000));
    if let Err(error) = ledger.append_private(LOG, line.as_bytes(), LOG_BYTES) {
        tracing::info!("the log of hooks cannot be written: {error}");
    }
}

/// The beginning of a text, in one line.
fn in_one_line(text: &str, most: usize) -> String {
    let cut = text.floor_char_boundary(most);
    text[..cut].chars().map(|each| if each.is_control() { ' ' } else { each }).collect()
}

/// As [`note`] for a workspace that cannot be opened as a memory, because its settings are wrong.
pub fn note_without_memory(root: &Path, clock: Arc<dyn Clock>, call: &str, reason: &str) {
    if let Ok(ledger) = Ledger::open(root, LedgerOptions::default(), clock) {
        note(&ledger, call, reason);
    }
}

/// Facts for a session that begins; for one whose model lost its context also what the last message recalls.
fn start(
    memory: &Memory,
    call: &Call,
    compacted: Option<&str>,
    observed_at: SystemTime,
) -> Result<String, MemoryError> {
    memory.catch_up();
    let pending = memory.pending()?;
    let alerts = memory.alerted_files()?;
    // At the start of a session the main agent goes through them, where a person has not kept that (M13.4).
    let reviewer = match memory.config().proposals.review {
        ReviewMode::Manual => "operator",
        ReviewMode::Batch | ReviewMode::AutoCommit => "main agent",
    };
    let waiting = [
        ("operator", "reflections", usize::from(pending.reflection)),
        (
            reviewer,
            "proposals of sub-agents (memory_proposals or `rem proposals list` shows them)",
            pending.proposals,
        ),
        ("operator", "contradictions (`rem conflicts list` shows them)", pending.conflicts),
        ("operator", "proposed changes of identity (`rem identity review`)", pending.identity),
        (
            "operator",
            "changes that came past their approval (`rem operator show` has them)",
            pending.unsigned,
        ),
    ];
    // What waits for the operator is no group's business.
    let mut text = if call.is_shared { String::new() } else { injection::of_state(&alerts, &waiting) };
    if let Some(session) = compacted {
        let last = last_said(memory, session).unwrap_or_default();
        let context = memory.context(&query(memory, call, session, &last), observed_at)?;
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&injection::of_context(&context, &[]));
    }
    Ok(text)
}

/// What a sub-agent wrote into the memory is taken back, and it is told; whatever else an agent writes is none of the memory's business.
fn take_back(
    memory: &Memory,
    written: &Written,
    subagent: Option<&str>,
    session: Option<&str>,
) -> Result<Option<String>, MemoryError> {
    let agent = match (subagent, memory.ledger().role()) {
        (Some(agent), _) => agent,
        (None, AgentRole::Sub) => memory.agent(),
        (None, AgentRole::Main) => return Ok(None),
    };
    let files = match written {
        Written::File(file) => vec![file.clone()],
        Written::ByCommand(command) if !SIGNS_OF_WRITING.iter().any(|sign| command.contains(sign)) => {
            Vec::new()
        }
        // What it names and what changed just now.
        Written::ByCommand(command) => {
            let changed = memory.changed_outside_within(JUST_NOW)?;
            let is_named = |path: &MemoryPath| command.contains(path.file_name());
            changed.into_iter().filter(is_named).map(|path| path.as_str().into()).collect()
        }
    };
    let mut told = Vec::new();
    for file in &files {
        match memory.take_back(&TakeBackRequest { file, agent, session, within: Some(JUST_NOW) }) {
            Ok(taken) => told.extend(taken.map(|taken| injection::of_taken_back(&taken))),
            // It lies elsewhere.
            Err(MemoryError::Usage { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok((!told.is_empty()).then(|| told.join("\n")))
}

fn prompt(
    memory: &Memory,
    call: &Call,
    session: &str,
    text: &str,
    observed_at: SystemTime,
) -> Result<Response, MemoryError> {
    let words = cleaned(text);
    if words.is_empty() {
        return Ok(Response::default());
    }
    // What was said before comes before it. Where that takes too long, both are taken from the host's transcript after the turn.
    if !hear(memory, call, session) {
        let context = memory.context(&query(memory, call, session, &words), observed_at)?;
        let context = Some(injection::of_context(&context, &[]));
        return Ok(Response { context, is_unjudged: false, is_unheard: true });
    }
    // The rest of the time is for the context.
    let gate = memory.gate_within(Duration::from_millis(memory.config().hooks.deadline_ms / 2));
    let observation = Observation {
        most_units: Some(injection::ROOM),
        audience: call.audience(),
        overrides: overrides(memory),
        history: Some(&[]),
        condensed: condensed::turns(memory, session),
        told: told(call),
        ..Observation::new(session, Role::User, &words)
    };
    // What each process makes once, the patterns of triage, is made beside the reading of files.
    let observed = std::thread::scope(|scope| {
        scope.spawn(|| memory.triage(&words, Side::Input).map(drop));
        memory.observe(&observation, &gate, observed_at)
    });
    match observed {
        Ok(observed) => Ok(Response {
            is_unjudged: observed.correction.as_ref().is_some_and(Validation::is_unjudged),
            context: observed.context.map(|context| injection::of_context(&context, &observed.hints)),
            is_unheard: false,
        }),
        Err(error) => {
            note(memory.ledger(), &call.name, &error.to_string());
            let context = memory.context(&query(memory, call, session, &words), observed_at)?;
            Ok(Response { context: Some(injection::of_context(&context, &[])), ..Response::default() })
        }
    }
}

fn end_turn(memory: &Memory, call: &Call, session: &str, said: Option<&str>) -> Result<(), MemoryError> {
    let is_new = match capture(memory, call, session)? {
        Some(added) => added > 0,
        // The host keeps no transcript that can be read: its words are the only source.
        None => match said {
            Some(said) => {
                let turn = turn(memory, Role::Agent, said.trim());
                // Capturing takes note of what the answer used.
                let captured = memory.capture_told(session, &turn, told(call))?;
                if !captured.again {
                    memory.watch_output(session, said, &memory.gate())?;
                }
                return Ok(());
            }
            None => false,
        },
    };
    if let (true, Some(said)) = (is_new, said) {
        memory.attend_reply(session, said, &memory.gate())?;
    }
    Ok(())
}

fn end_session(memory: &Memory, call: &Call, session: &str) -> Result<(), MemoryError> {
    if let Err(error) = capture(memory, call, session) {
        note(memory.ledger(), &call.name, &error.to_string());
    }
    match memory.end_session(session, &SessionEnd::default()) {
        // Nobody said anything, or another hook was faster.
        Err(MemoryError::NoSession(_)) => Ok(()),
        Err(error) => Err(error),
        Ok(_) => {
            hearing::forget(memory, session);
            condensed::forget(memory, session);
            memory.mine_ended(session);
            Ok(())
        }
    }
}

fn told(call: &Call) -> Told<'static> {
    Told { source: Some(call.host.name()), once: true, is_shared: call.is_shared, ..Told::default() }
}

fn turn(memory: &Memory, role: Role, text: &str) -> Turn {
    let body = vec![TurnPart::Text(text.to_owned())];
    Turn { time: memory.now(), role, kind: TurnKind::Message, body }
}

fn overrides(memory: &Memory) -> Overrides {
    let tokens = memory.config().hooks.context_tokens;
    Overrides { budget: Some(usize::try_from(tokens).unwrap_or(usize::MAX)), ..Overrides::default() }
}

fn query<'a>(memory: &Memory, call: &Call, session: &'a str, message: &'a str) -> ContextQuery<'a> {
    ContextQuery {
        audience: call.audience(),
        most_units: Some(injection::ROOM),
        message,
        session: Some(session),
        overrides: overrides(memory),
        history: Some(&[]),
        condensed: condensed::turns(memory, session),
        ..ContextQuery::default()
    }
}

/// What a person said last in a session.
fn last_said(memory: &Memory, session: &str) -> Option<String> {
    let turns = memory.open_session_turns(session)?;
    turns.iter().rev().find(|turn| turn.role == Role::User).map(Turn::text)
}
