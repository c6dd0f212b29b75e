//! The MCP server in settings in TOML. Comments, order, spacing and line ends of everything else stay.

use std::ops::Range;

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value, value};

use super::call::Call;
use super::{taken_by_another, with_line_ends_of};

const SERVERS: &str = "mcp_servers";
const SERVER: &str = "rem";

/// The text with the server in it.
pub(super) fn with(text: &str, call: &Call) -> Result<String, String> {
    let mut document = parsed(text)?;
    let Some(server) = server_in(&mut document)? else {
        return Ok(with_new(text, document, call));
    };
    let Some(found) = ours(server, call) else {
        return Err(taken_by_another(&format!("{SERVERS}.{SERVER}")));
    };
    let wanted = call.for_agent_of(&found);
    if found == wanted {
        return Ok(text.to_owned());
    }
    set(server, "command", wanted.program.as_str().into());
    let arguments: Vec<String> = wanted.server().into_iter().skip(1).collect();
    let there = server.get_mut("args").and_then(Item::as_array_mut);
    match there.filter(|there| there.len() == arguments.len()) {
        // Each in its place: comments stand between them.
        Some(there) => there.iter_mut().zip(&arguments).for_each(|(word, wanted)| put(word, wanted.into())),
        None => set(server, "args", arguments.iter().collect::<Array>().into()),
    }
    Ok(with_line_ends_of(text, &document.to_string()))
}

/// Sets what a key has, with the comments around it as they are.
fn set(table: &mut dyn TableLike, key: &str, wanted: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(there) => put(there, wanted),
        None => drop(table.insert(key, Item::Value(wanted))),
    }
}

fn put(there: &mut Value, mut wanted: Value) {
    if there.as_str().is_some_and(|there| wanted.as_str() == Some(there)) {
        return;
    }
    *wanted.decor_mut() = there.decor().clone();
    *there = wanted;
}

/// Whether the server's table, where it is there, says nothing that this program does not write.
pub(super) fn is_plain(text: &str) -> bool {
    let Ok(mut document) = parsed(text) else { return false };
    let Ok(Some(server)) = server_in(&mut document) else { return true };
    let keys: Vec<&str> = server.iter().map(|(key, _)| key).collect();
    let ours = lines_of_ours(text);
    let has_comment =
        ours.is_none_or(|ours| text.lines().skip(ours.start).take(ours.len()).any(|line| line.contains('#')));
    keys.iter().all(|key| matches!(*key, "command" | "args")) && !has_comment
}

/// A table of its own after everything else, so that all that stands there stays; within the table of servers where that is written inline.
fn with_new(text: &str, mut document: DocumentMut, call: &Call) -> String {
    let mut server = Table::new();
    server.insert("command", value(&call.program));
    server.insert("args", value(call.server().into_iter().skip(1).collect::<Array>()));
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let appended = format!("{text}{gap}[{SERVERS}.{SERVER}]\n{server}");
    if parsed(&appended).is_ok() {
        return with_line_ends_of(text, &appended);
    }
    if let Some(servers) = document.get_mut(SERVERS).and_then(Item::as_table_like_mut) {
        servers.insert(SERVER, Item::Table(server));
    }
    with_line_ends_of(text, &document.to_string())
}

/// The text without the server.
pub(super) fn without(text: &str, call: &Call) -> Result<String, String> {
    let mut document = parsed(text)?;
    if server_in(&mut document)?.is_none_or(|server| ours(server, call).is_none()) {
        return Ok(text.to_owned());
    }
    if let Some(cut) = cut_out(text) {
        return Ok(cut);
    }
    if let Some(servers) = document.get_mut(SERVERS).and_then(Item::as_table_like_mut) {
        servers.remove(SERVER);
    }
    let is_implicit = document.get(SERVERS).and_then(Item::as_table).is_some_and(Table::is_implicit);
    if is_implicit && document.get(SERVERS).and_then(Item::as_table).is_some_and(Table::is_empty) {
        document.remove(SERVERS);
    }
    Ok(with_line_ends_of(text, &document.to_string()))
}

/// The text without the lines of our table, where it is a table of its own: comments before and after it belong to others. `None` where
/// it is written in another way.
fn cut_out(text: &str) -> Option<String> {
    let ours = lines_of_ours(text)?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let gap = usize::from(ours.start > 0 && lines[ours.start - 1].trim().is_empty());
    let cut: String = lines[..ours.start - gap].iter().chain(&lines[ours.end..]).copied().collect();
    let mut rest = parsed(&cut).ok()?;
    server_in(&mut rest).is_ok_and(|server| server.is_none()).then_some(cut)
}

/// The lines of our table and of those within it, where it is a table of its own.
fn lines_of_ours(text: &str) -> Option<Range<usize>> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let header = |line: &str| {
        let inside = line.trim_start().strip_prefix('[')?.split(']').next()?;
        Some(inside.split('.').map(|part| part.trim().trim_matches('"')).collect::<Vec<_>>().join("."))
    };
    let ours = format!("{SERVERS}.{SERVER}");
    let first = lines.iter().position(|line| header(line).as_deref() == Some(ours.as_str()))?;
    let is_others =
        |line: &&str| header(line).is_some_and(|name| name != ours && !name.starts_with(&format!("{ours}.")));
    let end = lines[first..].iter().position(is_others).map_or(lines.len(), |at| first + at);
    let says = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    Some(first..first + lines[first..end].iter().rposition(says)? + 1)
}

/// What stands under our name.
fn server_in(document: &mut DocumentMut) -> Result<Option<&mut dyn TableLike>, String> {
    let Some(servers) = document.get_mut(SERVERS) else { return Ok(None) };
    let servers = servers.as_table_like_mut().ok_or(format!("{SERVERS} is something else than a table"))?;
    let Some(server) = servers.get_mut(SERVER) else { return Ok(None) };
    server.as_table_like_mut().map(Some).ok_or(format!("{SERVERS}.{SERVER} is something else than a table"))
}

/// What the server's entry calls, where that is this program.
fn ours(server: &dyn TableLike, call: &Call) -> Option<Call> {
    let program = server.get("command").and_then(Item::as_str)?;
    call.of_server(program, &arguments_of(server))
}

fn arguments_of(server: &dyn TableLike) -> Vec<&str> {
    let arguments = server.get("args").and_then(Item::as_array);
    arguments.into_iter().flatten().filter_map(|word| word.as_str()).collect()
}

fn parsed(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|error| error.to_string().trim_end().replace('\n', "\n  "))
}
