//! The OpenAPI document of the HTTP interface, made of the same schemas that operations are checked by.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::reply::{self, OUTCOMES};
use crate::operations::{OPERATIONS, Operation};

/// `GET /api/v1/openapi.json`.
pub(super) async fn show() -> Response {
    reply::json(StatusCode::OK, &document())
}

/// The document, as OpenAPI 3.1.
fn document() -> Value {
    let mut paths: Map<String, Value> = OPERATIONS
        .iter()
        .filter_map(|operation| {
            Some((format!("/api/v1/{}", operation.path?), json!({"post": described(operation)})))
        })
        .collect();
    paths.insert("/webhook/{source}".to_owned(), json!({"post": webhook()}));
    paths.insert("/health".to_owned(), json!({"get": health()}));
    paths.insert("/metrics".to_owned(), json!({"get": metrics()}));
    let outcomes: Vec<&str> = OUTCOMES.iter().map(|(_, name)| *name).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Remembrancer",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "An agent's memory over HTTP. Every call takes one JSON object and gives one back; what memories say is data, whatever it says.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": {
                "type": "object",
                "required": ["error"],
                "properties": {"error": {
                    "type": "object",
                    "required": ["outcome", "message", "because", "hint"],
                    "properties": {
                        "outcome": {"type": "string", "enum": outcomes},
                        "message": {"type": "string", "description": "What went wrong."},
                        "because": {"type": "array", "items": {"type": "string"}, "description": "Why, the nearest cause first."},
                        "hint": {"type": ["string", "null"], "description": "What to do next."},
                    },
                }},
            }},
        },
    })
}

fn described(operation: &Operation) -> Value {
    let input = as_checked((operation.input)());
    let is_required = input["required"].as_array().is_some_and(|names| !names.is_empty());
    json!({
        "operationId": operation.path.unwrap_or_default().replace('/', "_"),
        "summary": operation.title,
        "description": operation.description,
        "requestBody": {"required": is_required, "content": {"application/json": {"schema": input}}},
        "responses": responses("What --json prints.", json!({"application/json": {"schema": (operation.output)()}})),
    })
}

/// The schema of arguments as they are checked, which is laxer and stricter than what a model is told: a list may be one text, what is
/// null is not given, a text that must be there says something, and a misspelt argument is an error.
fn as_checked(mut schema: Value) -> Value {
    let required = schema["required"].clone();
    let is_required =
        |name: &str| required.as_array().is_some_and(|names| names.iter().any(|known| known == name));
    for (name, property) in schema["properties"].as_object_mut().into_iter().flatten() {
        let mut kinds = vec![property["type"].clone()];
        if kinds[0] == "array" {
            kinds.push(json!("string"));
        }
        if is_required(name) {
            if kinds[0] == "string" && property["enum"].is_null() {
                property["pattern"] = json!("\\S");
            }
        } else {
            kinds.push(json!("null"));
            if let Some(words) = property.get_mut("enum").and_then(Value::as_array_mut) {
                words.push(Value::Null);
            }
        }
        property["type"] = json!(kinds);
    }
    schema["additionalProperties"] = json!(false);
    schema
}

fn webhook() -> Value {
    json!({
        "operationId": "webhook",
        "summary": "Webhook",
        "description": "Makes the topics that wait for this event active for the next message. The event is named by `event` of the query, an X-Event header, \
                        or `event` or `type` of the body. Any token may send one.",
        "parameters": [
            {"name": "source", "in": "path", "required": true, "description": "Who sends it, as topics name it.", "schema": {"type": "string", "minLength": 1, "maxLength": 200}},
            {"name": "event", "in": "query", "required": true, "description": "What happened, as topics name it.", "schema": {"type": "string", "pattern": "\\S", "maxLength": 200}},
        ],
        "requestBody": {"required": false, "content": {"application/json": {"schema": {"type": "object"}}}},
        "responses": responses("The topics that wait for it.", json!({"application/json": {"schema": {
            "type": "object",
            "required": ["topics"],
            "properties": {"topics": {"type": "array", "items": {"type": "string"}}},
        }}})),
    })
}

fn health() -> Value {
    json!({
        "operationId": "health",
        "summary": "Health",
        "description": "Whether the process answers. Needs no token, and says nothing of the memory.",
        "security": [],
        "responses": responses("It does.", json!({"application/json": {"schema": {
            "type": "object",
            "required": ["status"],
            "properties": {"status": {"type": "string"}},
        }}})),
    })
}

fn metrics() -> Value {
    json!({
        "operationId": "metrics",
        "summary": "Metrics",
        "description": "What the server counts, in the OpenMetrics text format.",
        "responses": responses("The counters.", json!({"application/openmetrics-text": {"schema": {"type": "string"}}})),
    })
}

fn responses(what: &str, content: Value) -> Value {
    let error = |description: &str| {
        let schema = json!({"$ref": "#/components/schemas/Error"});
        json!({"description": description, "content": {"application/json": {"schema": schema}}})
    };
    json!({
        "200": {"description": what, "content": content},
        "400": error("The request makes no sense."),
        "401": error("No token, or none that is known."),
        "403": error("The host, the web page, or the token's role may not do that."),
        "405": error("The address takes another method."),
        "408": error("The body took too long."),
        "413": error("The body is too large."),
        "415": error("The body is no JSON."),
        "429": error("Too many wrong tokens."),
        "500": error("Something is wrong with the memory or the program."),
        "503": error("The workspace is not there, or too many are waiting: ask again in a moment."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_is_described_once() {
        let document = document();
        let paths = document["paths"].as_object().unwrap();
        let offered = OPERATIONS.iter().filter(|operation| operation.path.is_some()).count();
        assert_eq!(paths.len(), offered + 3);
        let search = &paths["/api/v1/search"]["post"];
        let schema = &search["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(schema["properties"]["query"]["pattern"], "\\S");
        assert_eq!(schema["properties"]["tags"]["type"], json!(["array", "string", "null"]));
        assert_eq!(schema["properties"]["mode"]["enum"], json!(["hybrid", "keyword", "vector", null]));
        assert_eq!(paths["/api/v1/capture/message"]["post"]["operationId"], "capture_message");
    }
}
