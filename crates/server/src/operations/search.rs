//! `memory_search`: what the memory says about a question.

use rem_mind::recall::{Include, Mode, Query, Scope};
use serde_json::json;

use super::{Effect, Operation, answer, arguments, choice, count, on_behalf_of, text, texts};
use crate::call::{Call, Output};
use crate::failure::Failure;

pub(super) const OPERATION: Operation = Operation {
    tool: Some("memory_search"),
    path: Some("search"),
    title: "Search the memory",
    description: "Searches everything remembered and every conversation kept, by words and by meaning, in any language. Ask in plain words; a \
                  question is text, never syntax. Each result has the id for memory_get, its file and lines, and a snippet. No result is an answer \
                  too, unless freshness.files_changed_since says that files are still being indexed: then ask again in a moment.",
    effect: Effect::Reads,
    input: || {
        arguments(
            json!({
                "query": text("The question, in plain words."),
                "limit": count(1, "At most so many results [default: 20]"),
                "min_score": {"type": "number", "minimum": 0, "maximum": 1, "description": "Only results with at least this score [default: 0.3]"},
                "categories": texts("Only these kinds, such as conversation, episode, entity, memory."),
                "tags": texts("Only files with one of these tags."),
                "paths": texts("Only paths that match one of these globs."),
                "scopes": texts("Only inside all of these: agent:NAME, project:NAME, person:NAME, tag:NAME or folder:PATH."),
                "since": text("Only files about this day or later, as 2026-03-01."),
                "until": text("Only files about this day or earlier."),
                "mode": choice(&["hybrid", "keyword", "vector"], "By words and meaning, by words, or by meaning alone [default: hybrid]"),
                "include": {"type": "array", "items": {"type": "string", "enum": ["dormant", "archived"]}, "description": "Also what faded or was forgotten."},
                "session": text("The id of the session it is asked in."),
                "for": on_behalf_of(),
            }),
            &["query"],
        )
    },
    output: || {
        answer(json!({
            "mode": {"type": "string"},
            "strategy": {"type": ["string", "null"]},
            "period": {"type": ["array", "null"], "items": {"type": "string"}},
            "results": {"type": "array", "items": answer(json!({
                "id": {"type": "string"},
                "path": {"type": "string"},
                "start_line": {"type": "integer"},
                "end_line": {"type": "integer"},
                "category": {"type": "string"},
                "date": {"type": ["string", "null"]},
                "score": {"type": "number"},
                "snippet": {"type": "string"},
                "status": {"type": "string"},
                "tier": {"type": "string"},
                "explain": {"type": "object"},
            }))},
            "left_out": {"type": "object"},
            "freshness": {"type": "object", "description": "files_changed_since: files that changed and are not searched yet, because they are being indexed."},
        }))
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let session = call.arguments.optional_text("session")?;
    let text = call.arguments.question("query")?;
    let configured = call.memory.query(&text);
    let given = &mut call.arguments;
    let mut scopes = Vec::new();
    for scope in given.texts("scopes")? {
        scopes.push(
            scope
                .parse::<Scope>()
                .map_err(|error| given.wrong("scopes", &format!("cannot be used: {error}")))?,
        );
    }
    let mut include = Include::default();
    for status in given.texts("include")? {
        match status.as_str() {
            "dormant" => include.dormant = true,
            "archived" => include.archived = true,
            _ => return Err(given.wrong("include", "must hold dormant or archived")),
        }
    }
    let modes = [("hybrid", Mode::Hybrid), ("keyword", Mode::Keyword), ("vector", Mode::Vector)];
    let query = Query {
        categories: given.texts("categories")?,
        paths: given.texts("paths")?,
        tags: given.texts("tags")?,
        scopes,
        since: given.day("since")?,
        until: given.day("until")?,
        mode: given.choice("mode", &modes)?.unwrap_or(configured.mode),
        include,
        asking: given.asking()?,
        limit: given.count("limit", 1)?.unwrap_or(configured.limit),
        min_score: given.share("min_score")?.unwrap_or(configured.min_score),
        ..configured
    };
    call.arguments_end()?;
    let query = call.memory.with_filters_checked(query, call.machine_time())?;
    let answer = call.recall(&query)?;
    let output = Output::of(&answer)?;
    let memory = call.memory.clone();
    // Nobody waits for the count.
    Ok(output.then(move || memory.note_hits(session.as_deref(), &answer)))
}
