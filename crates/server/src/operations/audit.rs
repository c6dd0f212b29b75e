//! `memory_audit`: who changed what, when and why.

use rem_format::audit::Action;
use rem_mind::ledger::AuditQuery;
use serde_json::json;

use super::{Effect, Operation, answer, arguments, count, text, texts};
use crate::call::{Call, Output};
use crate::failure::Failure;

/// So many lines, where it is not said.
const TAIL: usize = 20;

pub(super) const OPERATION: Operation = Operation {
    tool: Some("memory_audit"),
    path: Some("audit"),
    title: "Audit log",
    description: "Tells who changed what in the memory, when, why and by whose approval; the newest lines last. Use it to answer why something is remembered, \
                  when it was learned, or who forgot it.",
    effect: Effect::Reads,
    input: || {
        arguments(
            json!({
                "tail": count(1, "Only the last so many lines [default: 20]"),
                "actor": text("Only this actor, such as bot:main or manual; * stands for anything."),
                "actions": texts("Only these actions, such as CREATE, EDIT, APPEND, ARCHIVE, DECAY, REVERT."),
                "file": text("Only this file, or what lies in this folder."),
                "since": text("Not before this day or time, as 2026-03-01 or 2026-03-01T12:00:00Z."),
                "contains": text("Only lines that hold this text."),
            }),
            &[],
        )
    },
    output: || {
        let line = answer(json!({
            "time": {"type": "string"},
            "action": {"type": "string"},
            "file": {"type": "string"},
            "actor": {"type": "string"},
            "approval": {"type": "string"},
            "summary": {"type": "string"},
        }));
        answer(json!({"lines": {"type": "array", "items": line}}))
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let given = &mut call.arguments;
    let mut actions = Vec::new();
    for action in given.texts("actions")? {
        let known = action.parse::<Action>();
        actions.push(known.map_err(|error| given.wrong("actions", &format!("cannot be used: {error}")))?);
    }
    let since = given.optional_text("since")?.map(|since| call.memory.moment(&since)).transpose()?;
    let query = AuditQuery {
        tail: Some(given.count("tail", 1)?.unwrap_or(TAIL)),
        actor: given.optional_text("actor")?,
        actions,
        file: given.optional_text("file")?,
        since,
        contains: given.optional_text("contains")?,
    };
    call.arguments_end()?;
    call.catch_up();
    Output::of(&json!({"lines": call.memory.ledger().audit(&query)?}))
}
