//! `memory_status`: the state of the memory at a glance.

use serde_json::json;

use super::{Effect, Operation, answer, arguments};
use crate::call::{Call, Output};
use crate::failure::Failure;

pub(super) const OPERATION: Operation = Operation {
    tool: Some("memory_status"),
    path: Some("status"),
    title: "State of the memory",
    description: "Tells how much the memory holds, what waits for the user (alerts, proposals), how many sessions are open, and how its index and its git \
                  repository stand. Use it when the user asks about the memory itself, or when other tools fail.",
    effect: Effect::Reads,
    input: || arguments(json!({}), &[]),
    output: || {
        answer(json!({
            "workspace": {"type": "string"},
            "tiers": {"type": "object"},
            "stores": {"type": "object"},
            "decay": {"type": "object"},
            "pending": {"type": "object"},
            "transcripts": {"type": "object"},
            "index": {"type": "object"},
            "git": {"type": "object"},
            "contexts": {"type": "array", "items": {"type": "object"}},
            "models": {"type": "object"},
            "trusted": {"type": ["boolean", "null"]},
            "last_jobs": {"type": "object"},
        }))
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    call.arguments_end()?;
    Output::of(&call.memory.catch_up_and_status()?)
}
