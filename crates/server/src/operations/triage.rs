//! `triage`: what a message asks of the memory, by patterns alone.

use rem_mind::attention::topics::Side;
use serde_json::json;

use super::{Effect, Operation, answer, arguments, choice, text, texts};
use crate::call::{Call, Output};
use crate::failure::Failure;

pub(super) const OPERATION: Operation = Operation {
    tool: None,
    path: Some("triage"),
    title: "Triage",
    description: "Tells what a message asks of the memory, by patterns alone and without a look at the memory: to remember, to forget, to go over \
                  something, or that something was remembered wrongly. A match is a candidate, never a verdict.",
    effect: Effect::Reads,
    input: || {
        arguments(
            json!({
                "text": text("The message as it was said."),
                "side": choice(&["input", "output"], "Whose message it is: a person's, or an agent's [default: input]"),
            }),
            &["text"],
        )
    },
    output: || {
        answer(json!({
            "memory": texts("Something is to be kept."),
            "recall_failure": {"type": ["object", "null"]},
            "forget": texts("Something is not to be kept any longer."),
            "reflection": texts("What is kept is to be gone over."),
            "custom": texts("Patterns of CONFIG.md."),
            "question": texts("What is remembered is asked about."),
            "matches": {"type": "array", "items": {"type": "object"}},
        }))
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let text = call.arguments.text("text")?;
    let side = call.arguments.choice("side", &[("input", Side::Input), ("output", Side::Output)])?;
    call.arguments_end()?;
    Output::of(&call.memory.triage(&text, side.unwrap_or(Side::Input))?)
}
