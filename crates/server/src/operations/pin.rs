//! `pin` and `unpin`: whether a memory may fade and make room.

use serde_json::json;

use super::{Effect, Operation, answer, arguments, text};
use crate::call::{Call, Output};
use crate::failure::Failure;

pub(super) const PIN: Operation = Operation {
    tool: None,
    path: Some("pin"),
    title: "Pin",
    description: "Pins a memory: it never fades, and never makes room for another one. Pinning what is pinned changes nothing.",
    effect: Effect::TakesAway,
    input,
    output,
    run: |call| run(call, true),
};

pub(super) const UNPIN: Operation = Operation {
    path: Some("unpin"),
    title: "Unpin",
    description: "Lets a pinned memory fade and make room again like any other. Unpinning what is not pinned changes nothing.",
    run: |call| run(call, false),
    ..PIN
};

fn input() -> serde_json::Value {
    arguments(json!({"id": text("The memory's id.")}), &["id"])
}

fn output() -> serde_json::Value {
    answer(json!({
        "change": {"type": "string", "description": "The id of the change; empty where nothing changed."},
        "commit": {"type": ["string", "null"]},
        "files": {"type": "array", "items": {"type": "object"}},
    }))
}

fn run(call: &mut Call<'_>, pinned: bool) -> Result<Output, Failure> {
    let id = call.arguments.text("id")?;
    call.arguments_end()?;
    Output::of(&call.memory.pin(&id, pinned)?)
}
