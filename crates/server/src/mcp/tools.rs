//! Operations as the tools of MCP.

use std::sync::Arc;

use rem_mind::ledger::AgentRole;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use crate::call::Output;
use crate::call::Then;
use crate::failure::Failure;
use crate::operations::{Effect, OPERATIONS, Operation};

/// The operation that is a tool of this name. One that the role may not use is there as well, and the memory itself refuses it.
pub(super) fn named(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.tool == Some(name))
}

/// The names of all tools.
pub(super) fn names() -> Vec<&'static str> {
    OPERATIONS.iter().filter_map(|operation| operation.tool).collect()
}

/// What is listed for an agent of this role: a sub-agent reads and proposes.
pub(super) fn offered_to(role: AgentRole) -> Vec<Tool> {
    OPERATIONS
        .iter()
        .filter(|operation| {
            role == AgentRole::Main || matches!(operation.effect, Effect::Reads | Effect::Proposes)
        })
        .filter_map(|operation| Some(listed(operation, operation.tool?)))
        .collect()
}

fn listed(operation: &Operation, name: &'static str) -> Tool {
    let annotations = ToolAnnotations::with_title(operation.title)
        .read_only(operation.effect == Effect::Reads)
        .destructive(operation.effect == Effect::TakesAway)
        .idempotent(matches!(operation.effect, Effect::Reads | Effect::TakesAway))
        .open_world(false);
    let mut listed = Tool::new(name, operation.description, object((operation.input)()));
    listed.title = Some(operation.title.to_owned());
    listed.output_schema = Some(object((operation.output)()));
    listed.annotations = Some(annotations);
    listed
}

/// A schema as the SDK takes it; every one here is an object.
fn object(schema: Value) -> Arc<JsonObject> {
    Arc::new(match schema {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    })
}

/// An answer in the protocol's form, and what remains to be done.
pub(super) fn answered(output: Output) -> (CallToolResult, Option<Then>) {
    let Output { value, text, then } = output;
    let mut result = CallToolResult::structured(value);
    if let Some(text) = text {
        result.content = vec![ContentBlock::text(text)];
    }
    (result, then)
}

/// A failure in the protocol's form: the model reads it and may do better.
pub(super) fn failed(failure: &Failure) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(failure.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_stays_inside_the_memory() {
        for tool in offered_to(AgentRole::Main) {
            let listed = serde_json::to_value(&tool).unwrap();
            assert_eq!(listed["annotations"]["openWorldHint"], false, "{}", tool.name);
            assert!(listed["outputSchema"].is_object(), "{}", tool.name);
        }
    }

    #[test]
    fn a_sub_agent_is_offered_what_reads_and_what_proposes() {
        let names: Vec<String> =
            offered_to(AgentRole::Sub).into_iter().map(|tool| tool.name.into_owned()).collect();
        assert_eq!(
            names,
            [
                "memory_context",
                "memory_search",
                "memory_get",
                "memory_propose",
                "memory_graph",
                "memory_audit",
                "memory_status",
                "search",
                "fetch"
            ]
        );
    }
}
