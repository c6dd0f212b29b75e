//! What a client may ask of the memory, one file for each thing: what is said about it, the shapes of its arguments and its answer, and
//! what it calls. MCP offers operations as tools, HTTP as addresses below `/api/v1`.
//!
//! The answers are the shapes that `--json` prints; where that is a list, it stands under a name, for both protocols want an object.

mod audit;
mod capture;
mod context;
mod fetch;
mod forget;
mod get;
mod graph;
mod jobs;
mod observe;
mod pin;
mod proposals;
mod reflect;
mod remember;
mod schema;
mod search;
mod search_connector;
mod status;
mod topics;
mod triage;

use serde_json::Value;

use self::schema::{answer, arguments, choice, compiled, count, flag, located, on_behalf_of, text, texts};
use crate::call::{Call, Output};
use crate::failure::Failure;

/// What an operation does to the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Reads,
    /// It adds, and takes nothing away.
    Adds,
    /// It adds a proposal, which is no memory yet: what a sub-agent may.
    Proposes,
    /// It may take something out of sight.
    TakesAway,
}

/// One operation.
pub(crate) struct Operation {
    /// Its name as a tool of MCP; nothing where it is none.
    pub(crate) tool: Option<&'static str>,
    /// Its address below `/api/v1/`; nothing where it has none.
    pub(crate) path: Option<&'static str>,
    /// Its name for a person.
    pub(crate) title: &'static str,
    /// What it is for and when to call it, for a model.
    pub(crate) description: &'static str,
    /// What it does to the memory.
    pub(crate) effect: Effect,
    /// The JSON schema of its arguments.
    pub(crate) input: fn() -> Value,
    /// The JSON schema of its answer.
    pub(crate) output: fn() -> Value,
    /// What it does.
    pub(crate) run: fn(&mut Call<'_>) -> Result<Output, Failure>,
}

/// All operations, in the order in which they are listed.
pub(crate) static OPERATIONS: [Operation; 25] = [
    context::OPERATION,
    search::OPERATION,
    get::OPERATION,
    remember::OPERATION,
    forget::OPERATION,
    observe::OPERATION,
    proposals::PROPOSE,
    proposals::PROPOSALS,
    reflect::OPERATION,
    graph::OPERATION,
    audit::OPERATION,
    status::OPERATION,
    search_connector::OPERATION,
    fetch::OPERATION,
    pin::PIN,
    pin::UNPIN,
    triage::OPERATION,
    topics::OPERATION,
    capture::START,
    capture::MESSAGE,
    capture::TOOL,
    capture::MEMORY,
    capture::END,
    jobs::LIST,
    jobs::RUN,
];

/// The names of the arguments of an operation, which is called by its name as a tool or by its address.
pub(crate) fn arguments_of(name: &str) -> Vec<String> {
    let called = |operation: &&Operation| operation.tool == Some(name) || operation.path == Some(name);
    let input = OPERATIONS.iter().find(called).map(|operation| (operation.input)()).unwrap_or_default();
    input["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_names_every_address() {
        let documented = include_str!("../../../../docs/http.md");
        for path in OPERATIONS.iter().filter_map(|operation| operation.path) {
            assert!(documented.contains(&format!("`{path}`")), "{path}");
        }
    }

    #[test]
    fn every_operation_says_what_it_does_and_what_it_takes() {
        for operation in &OPERATIONS {
            let name = operation.tool.or(operation.path).unwrap();
            assert!(name.len() <= 63 && operation.description.len() > 60, "{name}");
            for schema in [(operation.input)(), (operation.output)()] {
                assert_eq!(schema["type"], "object", "{name}");
                let required = schema["required"].as_array().cloned().unwrap_or_default();
                for property in required {
                    let property = property.as_str().unwrap();
                    assert!(schema["properties"].get(property).is_some(), "{name}: {property}");
                }
            }
        }
    }
}
