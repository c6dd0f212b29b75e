//! `memory_context`: what the agent should see before it answers a message.

use rem_mind::attention::{Audience, CompiledContext, ContextQuery, Overrides};
use serde_json::json;

use super::{Effect, Operation, arguments, choice, compiled, count, on_behalf_of, text, texts};
use crate::call::{Call, Output};
use crate::failure::Failure;

pub(super) const OPERATION: Operation = Operation {
    tool: Some("memory_context"),
    path: Some("context"),
    title: "Context for a message",
    description: "Compiles what to know before answering a message: identity, core memory, active projects, recent days, and what the message \
                  recalls, within a budget of tokens. Call it once with the user's message before you answer; use memory_search for single questions.",
    effect: Effect::Reads,
    input: || {
        arguments(
            json!({
                "message": text("The user's message as it is. Without one nothing is recalled and the rest is given."),
                "budget": count(1, "The most tokens of all together [default: CONFIG.md's]"),
                "session": text("The id of the session it is for: what is handed out is noted, so that it is not learned again."),
                "topics": texts("Names of topics that are active, whatever the message says [default: those that it makes active]."),
                "kind": choice(&["main", "shared"], "Who listens: in a shared session core memory and the user's profile stay private [default: main]"),
                "for": on_behalf_of(),
            }),
            &[],
        )
    },
    output: compiled,
    run,
};

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let message = call.arguments.optional_text("message")?.unwrap_or_default();
    let budget = call.arguments.count("budget", 1)?;
    let session = call.arguments.optional_text("session")?.filter(|session| !session.is_empty());
    let topics = call.arguments.texts("topics")?;
    let audience = call.arguments.choice("kind", &AUDIENCES)?.unwrap_or_default();
    let asking = call.arguments.asking()?;
    call.arguments_end()?;
    call.wait_for_index();
    let memory = call.memory.clone();
    let topics = match topics.is_empty() {
        true => memory.topics_of(&message, call.machine_time())?,
        false => topics,
    };
    let query = ContextQuery {
        message: &message,
        session: session.as_deref(),
        asking,
        audience,
        overrides: Overrides { budget, ..Overrides::default() },
        topics: &topics,
        history: None,
        condensed: 0,
        most_units: None,
    };
    let context = memory.context(&query, call.machine_time())?;
    if session.is_some() {
        memory.keep_receipt(&memory.receipt(&query, &context)?)?;
    }
    let said = match context.text.trim().is_empty() {
        true => why_empty(&context),
        false => context.text.clone(),
    };
    Ok(Output::of(&context)?.read_as(said))
}

/// Why there is nothing to read.
fn why_empty(context: &CompiledContext) -> String {
    let dropped = context.slots.iter().flat_map(|slot| &slot.dropped);
    match dropped.filter(|dropped| dropped.is_over_budget()).map(|dropped| dropped.tokens).min() {
        None => "The memory holds nothing for this yet.".to_owned(),
        Some(least) => format!(
            "The memory holds something for this, but nothing of it fits into the budget of {} tokens: the least of it takes {least}.",
            context.budget
        ),
    }
}

/// Who listens.
pub(super) const AUDIENCES: [(&str, Audience); 2] = [("main", Audience::Main), ("shared", Audience::Shared)];
