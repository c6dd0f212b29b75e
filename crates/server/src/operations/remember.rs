//! `memory_remember`: a statement is kept where it belongs.

use rem_mind::stores::RememberRequest;
use rem_mind::stores::router::StoreKind;
use serde_json::json;

use super::{Effect, Operation, answer, arguments, choice, flag, text, texts};
use crate::call::{Call, Output};
use crate::failure::Failure;

pub(super) const OPERATION: Operation = Operation {
    tool: Some("memory_remember"),
    path: Some("remember"),
    title: "Remember",
    description: "Keeps one statement where it belongs: core memory, the day's episodes, an entity of the graph, a procedure or the vault. What is known \
                  already is strengthened, what it contradicts is replaced and stays readable with its dates; secrets are replaced by a name first. Give \
                  one plain, self-contained sentence a call, with names instead of pronouns. Call it when the user asks for it or says something lasting.",
    effect: Effect::Adds,
    input: || {
        arguments(
            json!({
                "text": text("The statement: one plain sentence that is understood without the conversation."),
                "store": choice(&stores(), "Where it goes. Leave it out: its words say so."),
                "tags": texts("What it is about, besides what it says itself."),
                "pin": flag("Never to fade and never to make room."),
                "detected": flag("You noticed it and nobody asked: kept only if there is something in it, and held less sure."),
                "session": text("The id of the session it came up in."),
                "for": texts("For these people or groups alone. Leave it out for what anybody may know."),
            }),
            &["text"],
        )
    },
    output: || {
        answer(json!({
            "id": {"type": "string", "description": "The memory's id; empty where nothing was written."},
            "path": {"type": ["string", "null"]},
            "effect": {"type": "string", "enum": ["added", "merged", "replaced", "nothing"]},
            "replaced": {"type": ["string", "null"]},
            "linked": {"type": "array", "items": {"type": "string"}},
            "demoted": {"type": "array", "items": {"type": "string"}},
            "revived": {"type": "array", "items": {"type": "string"}, "description": "Forgotten entities that were begun anew."},
            "elsewhere": {"type": "boolean"},
            "change": {"type": "string"},
            "echo": {"type": "boolean"},
            "routing": {"type": "object"},
        }))
    },
    run,
};

fn stores() -> Vec<&'static str> {
    StoreKind::ALL.iter().map(|store| store.as_str()).collect()
}

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let stores = StoreKind::ALL.map(|store| (store.as_str(), store));
    let given = &mut call.arguments;
    let request = RememberRequest {
        text: given.text("text")?,
        store: given.choice("store", &stores)?,
        tags: given.texts("tags")?,
        pin: given.flag("pin")?,
        detected: given.flag("detected")?,
        relayed: true,
        session: given.optional_text("session")?,
        addressees: given.texts("for")?,
    };
    call.arguments_end()?;
    Output::of(&call.memory.remember(&request)?)
}
