//! This program's parts in settings in JSON, with or without comments.
//!
//! The text is changed as a tree of all its characters, so that what is not this program's comes out as it went in.

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use jsonc_parser::{CollectOptions, ParseOptions, ast};
use serde_json::{Value, json};

use super::call::Call;
use super::{HookShape, Part, taken_by_another};
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
        Part::Hooks { events, shape, call, host } => {
            let ours = Ours { call, host: *host };
            let mut is_changed = ours.update(&object, *shape, events)?;
            let missing = ours.missing(&object, *shape, events)?;
            if *shape == HookShape::Flat
                && object.get("version").is_none()
                && (is_changed || !missing.is_empty())
            {
                object.insert(0, "version", input(&json!(1)));
            }
            for event in missing {
                let entries = inner(&object, "hooks")?
                    .array_value_or_create(event)
                    .ok_or_else(|| format!("\"hooks\" has something else than a list for \"{event}\""))?;
                entries.append(input(&entry(*shape, event, &handler(*shape, &call.hook(*host)))));
                is_changed = true;
            }
            if !is_changed {
                return Ok(text.to_owned());
            }
        }
        Part::McpJson { call } => {
            let servers = inner(&object, "mcpServers")?;
            let command = |call: &Call| {
                let words = call.server();
                json!({ "command": words[0], "args": words[1..] })
            };
            match servers.get(SERVER) {
                None => drop(servers.append(SERVER, input(&command(call)))),
                Some(found) => {
                    // What else a person set for it stays.
                    let Some(server) = found.object_value() else {
                        return Err(format!(
                            "\"mcpServers\" has something else than an object for \"{SERVER}\""
                        ));
                    };
                    let Some(calls) = our_server(&found, call) else {
                        return Err(taken_by_another(&format!("\"{SERVER}\" in \"mcpServers\"")));
                    };
                    let wanted = call.for_agent_of(&calls);
                    if wanted == calls {
                        return Ok(text.to_owned());
                    }
                    let wanted = command(&wanted);
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
        Part::Hooks { shape, call, host, .. } => {
            if !(Ours { call, host: *host }).take_out(&object, *shape, &|_| true)? {
                return Ok(text.to_owned());
            }
        }
        Part::McpJson { call } => {
            let Some(servers) = object.get("mcpServers") else { return Ok(text.to_owned()) };
            let Some(inside) = servers.object_value() else { return Ok(text.to_owned()) };
            let Some(server) = inside.get(SERVER).filter(|server| our_server(server, call).is_some()) else {
                return Ok(text.to_owned());
            };
            server.remove();
            if is_empty(&inside) {
                servers.remove();
            }
        }
        Part::McpToml { .. } => {}
    }
    Ok(root.to_string())
}

/// Whether what a text has of the part, where it has any, says nothing that this program does not write.
pub(super) fn is_plain(text: &str, part: &Part) -> bool {
    let Ok(root) = parsed(text) else { return false };
    let Some(object) = root.object_value() else { return true };
    // Nothing where a comment stands in it.
    let said = |node: &CstNode| {
        let strict = ParseOptions { allow_comments: false, ..ParseOptions::default() };
        let has_none =
            jsonc_parser::parse_to_ast(&node.to_string(), &CollectOptions::default(), &strict).is_ok();
        node.to_serde_value().filter(|_| has_none)
    };
    match part {
        Part::Hooks { shape, call, host, .. } => {
            let ours = Ours { call, host: *host };
            let mut is_plain = true;
            let visited = for_each_list(&object, *shape, &mut |_, list| {
                for node in list.elements() {
                    if let Some(calls) = ours.called_by(&node) {
                        let written = handler(*shape, &calls.hook(*host));
                        let is_written = |(key, value): (&String, &Value)| written.get(key) == Some(value);
                        let said = said(&node);
                        let said = said.as_ref().and_then(Value::as_object);
                        is_plain &= said.is_some_and(|said| said.iter().all(is_written));
                    }
                }
            });
            visited.is_ok() && is_plain
        }
        Part::McpJson { call } => {
            let server = object.object_value("mcpServers").and_then(|servers| servers.get(SERVER));
            let Some(server) = server.filter(|server| our_server(server, call).is_some()) else {
                return true;
            };
            let said = server.value().as_ref().and_then(said);
            let keys = said.as_ref().and_then(Value::as_object).map(|said| said.keys());
            keys.is_some_and(|mut keys| keys.all(|key| matches!(key.as_str(), "command" | "args")))
        }
        Part::McpToml { .. } => true,
    }
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
    let root = CstRootNode::parse(text, &options).map_err(|error| error.to_string())?;
    let read = jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &options);
    if let Some(ast::Value::Object(object)) = read.map_err(|error| error.to_string())?.value {
        once_each(text, &object, "the file", 2)?;
    }
    Ok(root)
}

/// A name that stands twice is read otherwise by every program: which of the two is meant is the person's to say.
fn once_each(text: &str, object: &ast::Object<'_>, within: &str, deep: usize) -> Result<(), String> {
    let mut seen: Vec<&str> = Vec::new();
    for property in &object.properties {
        let name = property.name.as_str();
        let matters = deep < 2 || matches!(name, "hooks" | "mcpServers");
        if matters && seen.contains(&name) {
            let line = text[..property.range.start].matches('\n').count() + 1;
            return Err(format!("{within} has \"{name}\" twice, again on line {line}: keep one of the two"));
        }
        seen.push(name);
        if let (ast::Value::Object(inside), true) = (&property.value, matters && deep > 1) {
            once_each(text, inside, &format!("\"{name}\""), deep - 1)?;
        }
    }
    Ok(())
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

/// This program's handlers for a host, by what they call.
struct Ours<'a> {
    call: &'a Call,
    host: Host,
}

impl Ours<'_> {
    /// Has the handlers that are there call what is wanted, and takes those out that are there twice or of an event that none is wanted for;
    /// all else that a person made of them stays. Says whether that changed anything.
    fn update(&self, object: &CstObject, shape: HookShape, events: &[&str]) -> Result<bool, String> {
        let mut is_changed = self.take_out(object, shape, &|event| !events.contains(&event))?;
        let mut seen: Vec<String> = Vec::new();
        for_each_list(object, shape, &mut |event, list| {
            for node in list.elements() {
                let Some(calls) = self.called_by(&node) else { continue };
                if seen.iter().any(|other| other == event) {
                    node.remove();
                    is_changed = true;
                    continue;
                }
                seen.push(event.to_owned());
                let wanted = self.call.for_agent_of(&calls);
                let command = node.as_object().and_then(|handler| handler.get("command"));
                if let Some(command) = command.filter(|_| wanted != calls) {
                    command.set_value(input(&json!(wanted.hook(self.host))));
                    is_changed = true;
                }
            }
        })?;
        Ok(is_changed)
    }

    /// The events that have no handler of ours.
    fn missing<'e>(
        &self,
        object: &CstObject,
        shape: HookShape,
        events: &[&'e str],
    ) -> Result<Vec<&'e str>, String> {
        let mut missing = events.to_vec();
        for_each_list(object, shape, &mut |event, list| {
            if list.elements().iter().any(|node| self.called_by(node).is_some()) {
                missing.retain(|wanted| *wanted != event);
            }
        })?;
        Ok(missing)
    }

    /// Takes the handlers of these events out, and what holds nothing else any more; says whether there were any.
    fn take_out(
        &self,
        object: &CstObject,
        shape: HookShape,
        counts: &dyn Fn(&str) -> bool,
    ) -> Result<bool, String> {
        let Some(hooks) = object.get("hooks") else { return Ok(false) };
        let inside = hooks.object_value().ok_or("\"hooks\" is something else than an object")?;
        let mut had_any = false;
        for event in inside.properties() {
            if !event.decoded_name().is_some_and(|name| counts(&name)) {
                continue;
            }
            let Some(entries) = event.array_value() else { continue };
            let is_taken = match shape {
                HookShape::Flat => self.take_from(&entries),
                HookShape::Grouped { .. } => {
                    let mut is_taken = false;
                    for group in entries.elements() {
                        let handlers = group.as_object().and_then(|group| group.array_value("hooks"));
                        let Some(handlers) = handlers.filter(|handlers| self.take_from(handlers)) else {
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

    fn take_from(&self, list: &CstArray) -> bool {
        let ours = |node: &CstNode| self.called_by(node).is_some();
        let ours: Vec<CstNode> = list.elements().into_iter().filter(ours).collect();
        let had_any = !ours.is_empty();
        ours.into_iter().for_each(CstNode::remove);
        had_any
    }

    /// What a handler calls, where that is this program.
    fn called_by(&self, handler: &CstNode) -> Option<Call> {
        let handler = value_of(Some(handler.clone()));
        self.call.of_hook(handler["command"].as_str()?, self.host)
    }
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

/// What an entry of `mcpServers` calls, where that is this program.
fn our_server(server: &CstObjectProp, call: &Call) -> Option<Call> {
    let server = value_of(server.value());
    let arguments: Vec<&str> = server["args"].as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
    call.of_server(server["command"].as_str()?, &arguments)
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
