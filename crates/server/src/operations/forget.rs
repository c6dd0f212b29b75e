//! `memory_forget`: first the candidates, then those that are named.

use serde_json::json;

use super::{Effect, Operation, arguments, flag, located, text, texts};
use crate::call::{Call, Output};
use crate::failure::Failure;

pub(super) const OPERATION: Operation = Operation {
    tool: Some("memory_forget"),
    path: Some("forget"),
    title: "Forget",
    description: "Forgets in two steps. With `question` it lists the memories that are meant and changes nothing; show them to the user. With `ids`, once \
                  the user has agreed, it puts those out of sight: their words are kept in the archive. `permanent` takes them off the disk; git and the audit log keep \
                  them. Only when the user asks to forget; conversations are evidence and are not forgotten.",
    effect: Effect::TakesAway,
    input: || {
        arguments(
            json!({
                "question": text("First step: what to forget, in words."),
                "ids": texts("Second step: the ids of the memories to forget, all or none."),
                "permanent": flag("Off the disk as well; only with `ids`, and only if the user said so."),
            }),
            &[],
        )
    },
    output: || {
        json!({
            "type": "object",
            "properties": {
                "candidates": {"type": "array", "items": located(), "description": "First step: what is meant, best first. Nothing was changed."},
                "forgotten": {"type": "array", "items": located(), "description": "Second step: the memories as they were."},
                "permanent": {"type": "boolean"},
                "proposals": {"type": "array", "items": {"type": "integer"}, "description": "Proposals that said it, and wait no more."},
                "still_said": {"type": "array", "items": {"type": "string"}, "description": "Files that say it still because it is signed there; no search answers with them."},
                "change": {"type": "string"},
            },
        })
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let question = call.arguments.has("question").then(|| call.arguments.question("question")).transpose()?;
    let ids = call.arguments.texts("ids")?;
    let permanent = call.arguments.flag("permanent")?;
    call.arguments_end()?;
    match (question, ids.is_empty()) {
        (Some(question), true) if !permanent => {
            // Whoever may not forget need not choose.
            call.memory.ledger().may_change()?;
            call.catch_up();
            let candidates = call.memory.forget_candidates(&question, call.machine_time())?;
            Output::of(&json!({"candidates": candidates}))
        }
        (None, false) => Output::of(&call.memory.forget(&ids, permanent)?),
        _ => Err(Failure::new(
            "memory_forget takes either `question` or `ids`, and `permanent` only with `ids`",
            "call it with `question` first; once the user has agreed, with the `ids` of what is to be forgotten",
        )),
    }
}
