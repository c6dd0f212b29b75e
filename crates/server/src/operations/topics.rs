//! `topics/match`: which topics a message makes active.

use rem_mind::attention::topics::{Side, TopicMessage};
use serde_json::json;

use super::{Effect, Operation, answer, arguments, choice, text, texts};
use crate::call::{Call, Output};
use crate::failure::Failure;

pub(super) const OPERATION: Operation = Operation {
    tool: None,
    path: Some("topics/match"),
    title: "Match topics",
    description: "Tells which topics a message makes active, and what spoke for each: the triggers that matched, how similar it is, and what the gate \
                  said. Nothing is recorded.",
    effect: Effect::Reads,
    input: || {
        arguments(
            json!({
                "text": text("The message as it was said."),
                "tool_paths": texts("Paths that tool calls beside the message name."),
                "side": choice(&["input", "output"], "Whose message it is: a person's, or an agent's [default: input]"),
            }),
            &["text"],
        )
    },
    output: || {
        answer(json!({
            "side": {"type": "string"},
            "among": {"type": "integer"},
            "unusable": {"type": "integer"},
            "topics": {"type": "array", "items": {"type": "object"}},
        }))
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let text = call.arguments.text("text")?;
    let paths = call.arguments.texts("tool_paths")?;
    let side = call.arguments.choice("side", &[("input", Side::Input), ("output", Side::Output)])?;
    call.arguments_end()?;
    let message = TopicMessage {
        text: &text,
        tool_paths: &paths,
        side: side.unwrap_or(Side::Input),
        ..TopicMessage::default()
    };
    let memory = &call.memory;
    Output::of(&memory.match_topics(&message, &memory.gate())?)
}
