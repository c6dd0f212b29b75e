//! `capture`: a session of the host, written down message by message (A8.2).

use jiff::Timestamp;
use rem_format::transcript::{Role, Turn, TurnKind, TurnPart};
use rem_mind::attention::Audience;
use rem_mind::transcripts::{SessionEnd, SessionStart};
use serde_json::{Value, json};

use super::context::AUDIENCES;
use super::{Effect, Operation, answer, arguments, choice, count, on_behalf_of, text, texts};
use crate::arguments::Arguments;
use crate::call::{Call, Output};
use crate::failure::Failure;

const ROLES: [(&str, Role); 3] = [("user", Role::User), ("agent", Role::Agent), ("system", Role::System)];

pub(super) const START: Operation = Operation {
    tool: None,
    path: Some("capture/start"),
    title: "Start a session",
    description: "Opens the transcript of a session. A message of a session that is not open opens it as well; this adds what is known of it.",
    effect: Effect::Adds,
    input: || {
        arguments(
            json!({
                "session": session(),
                "model": text("The model that answers."),
                "channel": text("Where it takes place."),
                "topic": text("What it is about."),
                "kind": choice(&AUDIENCES.map(|(name, _)| name), "Who listens: main is the operator alone, of shared sessions nothing is learned."),
                "for": on_behalf_of(),
                "at": moment(),
            }),
            &["session"],
        )
    },
    output: captured,
    run: start,
};

pub(super) const MESSAGE: Operation = Operation {
    tool: None,
    path: Some("capture/message"),
    title: "Capture a message",
    description: "Appends a message to the session's transcript, secrets replaced first. When this answers, the message is on disk.",
    effect: Effect::Adds,
    input: || {
        arguments(
            json!({
                "session": session(),
                "role": choice(&ROLES.map(|(name, _)| name), "Who says it."),
                "text": text("What is said."),
                "at": moment(),
            }),
            &["session", "role", "text"],
        )
    },
    output: captured,
    run: message,
};

pub(super) const TOOL: Operation = Operation {
    tool: None,
    path: Some("capture/tool"),
    title: "Capture a tool call",
    description: "Appends a call of a tool to the session's transcript: one line of what was called and one of what came of it.",
    effect: Effect::Adds,
    input: || {
        arguments(
            json!({
                "session": session(),
                "name": text("The tool's name."),
                "summary": text("What it was called with, in a line."),
                "result": text("What came of it, in a line."),
                "at": moment(),
            }),
            &["session", "name", "summary"],
        )
    },
    output: captured,
    run: tool,
};

pub(super) const MEMORY: Operation = Operation {
    tool: None,
    path: Some("capture/memory"),
    title: "Capture a memory operation",
    description: "Appends to the session's transcript that a file of the memory was changed, and how: what a reader of the conversation should know.",
    effect: Effect::Adds,
    input: || {
        arguments(
            json!({
                "session": session(),
                "action": text("What was done, such as updated."),
                "path": text("The file, relative to the workspace."),
                "summary": text("What changed, in a line."),
                "at": moment(),
            }),
            &["session", "action", "path", "summary"],
        )
    },
    output: captured,
    run: memory,
};

pub(super) const END: Operation = Operation {
    tool: None,
    path: Some("capture/end"),
    title: "End a session",
    description: "Closes the session's transcript and commits it. A closed transcript never changes again.",
    effect: Effect::Adds,
    input: || {
        arguments(
            json!({
                "session": session(),
                "topic": text("What it was about."),
                "tags": texts("Labels."),
                "tokens_in": count(0, "Tokens read by the model."),
                "tokens_out": count(0, "Tokens written by the model."),
                "at": moment(),
            }),
            &["session"],
        )
    },
    output: || {
        answer(json!({
            "change": {"type": "string"},
            "commit": {"type": ["string", "null"]},
            "files": {"type": "array", "items": {"type": "object"}},
        }))
    },
    run: end,
};

fn session() -> Value {
    text("The id of the session.")
}

fn moment() -> Value {
    json!({"type": "string", "format": "date-time", "description": "When, in RFC 3339 [default: now]"})
}

fn captured() -> Value {
    answer(json!({
        "session": {"type": "string"},
        "path": {"type": "string"},
        "created": {"type": "boolean"},
        "redacted": texts("The rules that hid something."),
        "echo": {"type": "boolean"},
        "again": {"type": "boolean"},
    }))
}

fn start(call: &mut Call<'_>) -> Result<Output, Failure> {
    let asking = call.arguments.asking()?;
    let given = &mut call.arguments;
    let start = SessionStart {
        is_shared: given.choice("kind", &AUDIENCES)?.unwrap_or_default() == Audience::Shared,
        on_behalf_of: asking.names().map(str::to_owned).collect(),
        session: given.text("session")?,
        started: given.moment("at")?,
        model: given.optional_text("model")?,
        channel: given.optional_text("channel")?,
        topic: given.optional_text("topic")?,
        source: None,
    };
    call.arguments_end()?;
    Output::of(&call.memory.start_session(&start)?)
}

fn message(call: &mut Call<'_>) -> Result<Output, Failure> {
    let given = &mut call.arguments;
    let role = given.choice("role", &ROLES)?.ok_or_else(|| given.wrong("role", "is missing"))?;
    let part = TurnPart::Text(given.text("text")?);
    append(call, role, TurnKind::Message, part)
}

fn tool(call: &mut Call<'_>) -> Result<Output, Failure> {
    let given = &mut call.arguments;
    let (name, summary) = (given.text("name")?, given.text("summary")?);
    let part = TurnPart::Tool { name, summary, result: given.optional_text("result")?.unwrap_or_default() };
    append(call, Role::Agent, TurnKind::Message, part)
}

fn memory(call: &mut Call<'_>) -> Result<Output, Failure> {
    let given = &mut call.arguments;
    let (action, path, summary) = (given.text("action")?, given.text("path")?, given.text("summary")?);
    append(call, Role::Agent, TurnKind::Memory, TurnPart::Knowledge { action, path, summary })
}

fn append(call: &mut Call<'_>, role: Role, kind: TurnKind, part: TurnPart) -> Result<Output, Failure> {
    let (session, at) = place(&mut call.arguments)?;
    call.arguments_end()?;
    let time = at.unwrap_or_else(|| call.memory.now());
    Output::of(&call.memory.capture(&session, &Turn { time, role, kind, body: vec![part] })?)
}

fn place(given: &mut Arguments) -> Result<(String, Option<Timestamp>), Failure> {
    Ok((given.text("session")?, given.moment("at")?))
}

fn end(call: &mut Call<'_>) -> Result<Output, Failure> {
    let (session, ended) = place(&mut call.arguments)?;
    let given = &mut call.arguments;
    let tokens = |count: Option<usize>| count.map_or(0, |count| count as u64);
    let end = SessionEnd {
        ended,
        topic: given.optional_text("topic")?,
        tags: given.texts("tags")?,
        tokens_in: tokens(given.count("tokens_in", 0)?),
        tokens_out: tokens(given.count("tokens_out", 0)?),
        source_leaf: None,
    };
    call.arguments_end()?;
    let applied = call.memory.end_session(&session, &end)?;
    call.memory.mine_ended(&session);
    Output::of(&applied)
}
