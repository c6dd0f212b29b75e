//! `memory_observe`: the whole loop for one message of a session.

use rem_format::transcript::Role;
use rem_mind::attention::Observation;
use rem_mind::identity::Validation;
use serde_json::json;

use super::context::AUDIENCES;
use super::{Effect, Operation, answer, arguments, choice, compiled, on_behalf_of, text, texts};
use crate::call::{Call, Output};
use crate::failure::Failure;

pub(super) const OPERATION: Operation = Operation {
    tool: Some("memory_observe"),
    path: Some("observe"),
    title: "Observe a message",
    description: "Takes a message of the conversation in: records it in the session's transcript (secrets replaced first), tells what it asks of the memory \
                  and which topics it makes active, and for a user's message compiles the context to answer with. For hosts without hooks: call it with each \
                  message of the user before you answer, and with your own answer afterwards.",
    effect: Effect::Adds,
    input: || {
        arguments(
            json!({
                "text": text("The message as it was said."),
                "session": text("The id of the session: the same for all messages of one conversation."),
                "role": choice(&["user", "agent", "system"], "Who says it [default: user]"),
                "tool_paths": texts("Paths that tool calls beside the message name."),
                "kind": choice(&["main", "shared"], "Who listens: in a shared session core memory and the user's profile stay private [default: main]"),
                "for": on_behalf_of(),
            }),
            &["text", "session"],
        )
    },
    output: || {
        let mut context = compiled();
        if let Some(kind) = context.get_mut("type") {
            *kind = json!(["object", "null"]);
        }
        answer(json!({
            "session": {"type": "string"},
            "echo": {"type": "boolean"},
            "triage": {"type": "object"},
            "topics": {"type": "array", "items": {"type": "object"}},
            "hints": {"type": "array", "items": {"type": "string"}},
            "context": context,
            "milliseconds": {"type": "integer"},
        }))
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let given = &mut call.arguments;
    let (text, session) = (given.text("text")?, given.text("session")?);
    let roles = [("user", Role::User), ("agent", Role::Agent), ("system", Role::System)];
    let role = given.choice("role", &roles)?.unwrap_or(Role::User);
    let tool_paths = given.texts("tool_paths")?;
    let audience = given.choice("kind", &AUDIENCES)?.unwrap_or_default();
    let asking = given.asking()?;
    call.arguments_end()?;
    call.wait_for_index();
    let observation =
        Observation { tool_paths: &tool_paths, asking, audience, ..Observation::new(&session, role, &text) };
    let memory = &call.memory;
    let observed = memory.observe(&observation, &memory.gate(), call.machine_time())?;
    if observed.correction.as_ref().is_some_and(Validation::is_unjudged) {
        let memory = memory.acting_as(memory.agent(), memory.ledger().role());
        // Nobody waits for it: what it finds is there for the next message.
        std::thread::spawn(move || memory.judge_recall(&text, &session));
    }
    Output::of(&observed)
}
