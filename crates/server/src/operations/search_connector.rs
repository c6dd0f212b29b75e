//! `search`: the memory searched in the shape that ChatGPT's connectors ask for.

use serde_json::json;

use super::{Effect, Operation, answer, arguments, text};
use crate::call::{Call, Output};
use crate::failure::Failure;
use crate::mcp::uri;

/// So many results: whoever wants more has `memory_search`.
const MOST: usize = 10;

pub(super) const OPERATION: Operation = Operation {
    tool: Some("search"),
    path: None,
    title: "Search",
    description: "Searches the memory and gives ids, titles and addresses, for hosts that know only search and fetch. Read a result with fetch. Where \
                  memory_search is at hand, it says more.",
    effect: Effect::Reads,
    input: || arguments(json!({"query": text("The question, in plain words.")}), &["query"]),
    output: || {
        let result =
            answer(json!({"id": {"type": "string"}, "title": {"type": "string"}, "url": {"type": "string"}}));
        answer(json!({"results": {"type": "array", "items": result}}))
    },
    run,
};

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let text = call.arguments.question("query")?;
    call.arguments_end()?;
    let query = rem_mind::recall::Query { limit: MOST, ..call.memory.query(&text) };
    let answer = call.recall(&query)?;
    let results: Vec<_> = answer
        .results
        .iter()
        .map(|hit| {
            let title = match &hit.section {
                Some(section) if !section.trim().is_empty() => format!("{section} ({})", hit.path),
                _ => format!("{}:{}-{}", hit.path, hit.start_line, hit.end_line),
            };
            json!({"id": hit.id, "title": title, "url": uri::of_memory(&hit.id)})
        })
        .collect();
    Output::of(&json!({"results": results}))
}
