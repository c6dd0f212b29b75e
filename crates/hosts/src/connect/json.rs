//! This program's parts in settings in JSON, with or without comments.
//!
//! The text is changed as a tree of all its characters, so that what is not this program's comes out as it went in.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use serde_json::{Value, json};

use super::{HookShape, Part, calls_our_hook, is_our_server, taken_by_another};
use crate::Host;
use crate::hook::{AFTER_A_TOOL, WRITING_TOOLS};

/// The server's name among others.
const SERVER: &str = "rem";

/// The text with the part in it.
pub(super) fn with(text: &str, part: &Part) -> Result<String, String> {
    let root = parsed(text)?;
    let object = match root.value() {
        None => root.object_value_or_set(),
        Some(value) => value.as_object().ok_or("it holds no object")?,
    };
    match part {
        Part::Hooks { events, shape, command, host } => {
            let handler = handler(*shape, command);
            if handlers(&object, *shape, *host)? == wanted(events, &handler) {
                return Ok(text.to_owned());
            }
            take_out(&object, *shape, *host)?;
            if *shape == HookShape::Flat && object.get("version").is_none() {
                object.insert(0, "version", input(&json!(1)));
            }
            let hooks = inner(&object, "hooks")?;
            for event in *events {
                let entries = hooks
                    .array_value_or_create(event)
                    .ok_or_else(|| format!("\"hooks\" has something else than a list for \"{event}\""))?;
                entries.append(input(&entry(*shape, event, &handler)));
            }
        }
        Part::McpJson { command } => {
            let servers = inner(&object, "mcpServers")?;
            let wanted = json!({ "command": command[0], "args": command[1..] });
            match servers.get(SERVER) {
                None => drop(servers.append(SERVER, input(&wanted))),
                Some(found) => {
                    // What else a person set for it stays.
                    let Some(server) = found.object_value() else {
                        return Err(format!(
                            "\"mcpServers\" has something else than an object for \"{SERVER}\""
                        ));
                    };
                    if !is_ours_among(&found) {
                        return Err(taken_by_another(&format!("\"{SERVER}\" in \"mcpServers\"")));
                    }
                    for key in ["command", "args"] {
                        match server.get(key) {
                            None => drop(server.append(key, input(&wanted[key]))),
                            Some(kept) if value_of(kept.value()) == wanted[key] => {}
                            Some(kept) => kept.set_value(input(&wanted[key])),
                        }
                    }
                }
            }
        }
        Part::McpToml { .. } => {}
    }
    let edited = root.to_string();
    Ok(if text.trim().is_empty() { format!("{}\n", edited.trim()) } else { edited })
}

/// The text without the part.
pub(super) fn without(text: &str, part: &Part) -> Result<String, String> {
    let root = parsed(text)?;
    let Some(object) = root.object_value() else { return Ok(text.to_owned()) };
    match part {
        Part::Hooks { shape, host, .. } => {
            if !take_out(&object, *shape, *host)? {
                return Ok(text.to_owned());
            }
        }
        Part::McpJson { .. } => {
            let Some(servers) = object.get("mcpServers") else { return Ok(text.to_owned()) };
            let Some(inside) = servers.object_value() else { return Ok(text.to_owned()) };
            let Some(server) = inside.get(SERVER).filter(is_ours_among) else { return Ok(text.to_owned()) };
            server.remove();
            if is_empty(&inside) {
                servers.remove();
            }
        }
        Part::McpToml { .. } => {}
    }
    Ok(root.to_string())
}

fn parsed(text: &str) -> Result<CstRootNode, String> {
    // What no host reads is a mistake of the person's, and theirs to mend.
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_loose_object_property_names: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(text, &options).map_err(|error| error.to_string())
}

fn inner(object: &CstObject, name: &str) -> Result<CstObject, String> {
    object.object_value_or_create(name).ok_or_else(|| format!("\"{name}\" is something else than an object"))
}

fn handler(shape: HookShape, command: &str) -> Value {
    match shape {
        HookShape::Grouped { timeout } => {
            json!({ "type": "command", "command": command, "timeout": timeout })
        }
        HookShape::Flat => json!({ "command": command }),
    }
}

/// A handler as it stands in the list of its event; after a tool it is called for those that write files, and for no others.
fn entry(shape: HookShape, event: &str, handler: &Value) -> Value {
    match shape {
        HookShape::Grouped { .. } if event == AFTER_A_TOOL => {
            json!({ "matcher": WRITING_TOOLS.join("|"), "hooks": [handler] })
        }
        HookShape::Grouped { .. } => json!({ "hooks": [handler] }),
        HookShape::Flat => handler.clone(),
    }
}

fn wanted(events: &[&str], handler: &Value) -> Vec<(String, Value)> {
    let mut wanted: Vec<(String, Value)> =
        events.iter().map(|event| ((*event).to_owned(), handler.clone())).collect();
    wanted.sort_by(|one, other| one.0.cmp(&other.0));
    wanted
}

/// This program's handlers that are there, by event.
fn handlers(object: &CstObject, shape: HookShape, host: Host) -> Result<Vec<(String, Value)>, String> {
    let mut found = Vec::new();
    for_each_list(object, shape, &mut |event, list| {
        let ours = list.elements().into_iter().map(|node| value_of(Some(node)));
        found.extend(ours.filter(|value| is_ours(value, host)).map(|value| (event.to_owned(), value)));
    })?;
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}

/// Takes this program's handlers out, and what holds nothing else any more; says whether there were any.
fn take_out(object: &CstObject, shape: HookShape, host: Host) -> Result<bool, String> {
    let Some(hooks) = object.get("hooks") else { return Ok(false) };
    let inside = hooks.object_value().ok_or("\"hooks\" is something else than an object")?;
    let mut had_any = false;
    for event in inside.properties() {
        let Some(entries) = event.array_value() else { continue };
        let is_taken = match shape {
            HookShape::Flat => take_from(&entries, host),
            HookShape::Grouped { .. } => {
                let mut is_taken = false;
                for group in entries.elements() {
                    let handlers = group.as_object().and_then(|group| group.array_value("hooks"));
                    let Some(handlers) = handlers.filter(|handlers| take_from(handlers, host)) else {
                        continue;
                    };
                    is_taken = true;
                    if handlers.elements().is_empty() && !has_comment(&handlers.children()) {
                        group.remove();
                    }
                }
                is_taken
            }
        };
        if is_taken && entries.elements().is_empty() && !has_comment(&entries.children()) {
            event.remove();
        }
        had_any |= is_taken;
    }
    if had_any && is_empty(&inside) {
        hooks.remove();
    }
    Ok(had_any)
}

fn take_from(list: &CstArray, host: Host) -> bool {
    let ours = |node: &CstNode| is_ours(&value_of(Some(node.clone())), host);
    let ours: Vec<CstNode> = list.elements().into_iter().filter(ours).collect();
    let had_any = !ours.is_empty();
    ours.into_iter().for_each(CstNode::remove);
    had_any
}

fn has_comment(children: &[CstNode]) -> bool {
    children.iter().any(CstNode::is_comment)
}

/// Every list of handlers, with its event.
fn for_each_list(
    object: &CstObject,
    shape: HookShape,
    visit: &mut dyn FnMut(&str, &CstArray),
) -> Result<(), String> {
    let Some(hooks) = object.get("hooks") else { return Ok(()) };
    let hooks = hooks.object_value().ok_or("\"hooks\" is something else than an object")?;
    for event in hooks.properties() {
        let Some(name) = event.decoded_name() else { continue };
        let Some(entries) = event.array_value() else { continue };
        match shape {
            HookShape::Flat => visit(&name, &entries),
            HookShape::Grouped { .. } => {
                for group in entries.elements() {
                    if let Some(handlers) = group.as_object().and_then(|group| group.array_value("hooks")) {
                        visit(&name, &handlers);
                    }
                }
            }
        }
    }
    Ok(())
}

fn is_ours(handler: &Value, host: Host) -> bool {
    handler["command"].as_str().is_some_and(|command| calls_our_hook(command, host))
}

/// Whether an entry of `mcpServers` is this program's.
fn is_ours_among(server: &CstObjectProp) -> bool {
    let server = value_of(server.value());
    let arguments: Option<Vec<&str>> =
        server["args"].as_array().and_then(|words| words.iter().map(Value::as_str).collect());
    server["command"].as_str().zip(arguments).is_some_and(|(program, words)| is_our_server(program, &words))
}

fn is_empty(object: &CstObject) -> bool {
    object.properties().is_empty() && !has_comment(&object.children())
}

fn value_of(node: Option<CstNode>) -> Value {
    node.and_then(|node| node.to_serde_value()).unwrap_or_default()
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(entries) => {
            CstInputValue::Object(entries.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}
