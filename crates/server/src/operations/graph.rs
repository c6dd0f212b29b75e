//! `memory_graph`: who or what something is, what is connected with it, and how two are connected.

use serde_json::json;

use super::{Effect, Operation, arguments, count, flag, on_behalf_of, text};
use crate::call::{Call, Output};
use crate::failure::Failure;

pub(super) const OPERATION: Operation = Operation {
    tool: Some("memory_graph"),
    path: Some("graph"),
    title: "Knowledge graph",
    description: "Asks the graph of people, projects, tools and places. With `entity` alone: who or what it is, its facts with dates, and what it is \
                  connected with. With `to`: the shortest connection between the two. With `backlinks`: the files that link to it. With `at`: as it was on \
                  that day.",
    effect: Effect::Reads,
    input: || {
        arguments(
            json!({
                "entity": text("A name, another name it goes by, or an id such as person--mira-holt."),
                "to": text("Another one: how the two are connected."),
                "backlinks": flag("The links that lead to it."),
                "at": text("As it was on this day, as 2026-03-01."),
                "hops": count(1, "How many steps away connections may begin: 1 or 2 [default: 1]"),
                "for": on_behalf_of(),
            }),
            &["entity"],
        )
    },
    output: || {
        json!({
            "type": "object",
            "properties": {
                "entity": {"type": ["object", "null"], "description": "The entity that was asked about."},
                "aliases": {"type": "array", "items": {"type": "string"}},
                "merged_into": {"type": "string", "description": "The entity that it became part of."},
                "at": {"type": ["string", "null"]},
                "facts": {"type": "array", "items": {"type": "object"}},
                "relations": {"type": "array", "items": {"type": "object"}},
                "further": {"type": "array", "items": {"type": "object"}},
                "linked_from": {"type": "array", "items": {"type": "string"}},
                "others": {"type": "array", "items": {"type": "object"}, "description": "Others that the name may mean."},
                "from": {"type": "object", "description": "With `to`: where the connection begins."},
                "to": {"type": "object"},
                "steps": {"type": ["array", "null"], "items": {"type": "object"}, "description": "With `to`: the connections in order; null where there is none of at most six."},
                "path": {"type": "string", "description": "With `backlinks`: the file they lead to."},
                "links": {"type": "array", "items": {"type": "object"}},
            },
        })
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let given = &mut call.arguments;
    let entity = given.text("entity")?;
    let to = given.optional_text("to")?;
    let backlinks = given.flag("backlinks")?;
    let at = given.day("at")?;
    let hops = given.count("hops", 1)?.unwrap_or(1);
    if hops > 2 {
        return Err(given.wrong("hops", "must be 1 or 2"));
    }
    let asking = given.asking()?;
    if backlinks && (to.is_some() || at.is_some()) {
        return Err(given.wrong("backlinks", "goes with neither `to` nor `at`"));
    }
    call.arguments_end()?;
    call.catch_up();
    let (memory, now) = (&call.memory, call.machine_time());
    match to {
        Some(to) => Output::of(&memory.graph_path(&asking, &entity, &to, at, now)?),
        None if backlinks => Output::of(&memory.backlinks(&asking, &entity, now)?),
        None => Output::of(&memory.graph_show_to(&asking, &entity, at, hops, now)?),
    }
}
