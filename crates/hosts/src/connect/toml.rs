//! The MCP server in settings in TOML. Comments, order and spacing of everything else stay.

use toml_edit::{Array, DocumentMut, Item, Table, value};

const SERVERS: &str = "mcp_servers";
const SERVER: &str = "rem";

/// The text with the server in it.
pub(super) fn with(text: &str, command: &[String]) -> Result<String, String> {
    let mut document = parsed(text)?;
    let servers = document.entry(SERVERS).or_insert_with(|| {
        let mut servers = Table::new();
        servers.set_implicit(true);
        Item::Table(servers)
    });
    let servers = servers.as_table_like_mut().ok_or(format!("{SERVERS} is something else than a table"))?;
    let server = servers.entry(SERVER).or_insert_with(|| Item::Table(Table::new()));
    let server =
        server.as_table_like_mut().ok_or(format!("{SERVERS}.{SERVER} is something else than a table"))?;
    let mut is_changed = false;
    if server.get("command").and_then(Item::as_str) != command.first().map(String::as_str) {
        server.insert("command", value(command.first().cloned().unwrap_or_default()));
        is_changed = true;
    }
    let rest = command.get(1..).unwrap_or_default();
    let found = server.get("args").and_then(Item::as_array);
    let is_it = found.is_some_and(|found| {
        found.len() == rest.len() && found.iter().zip(rest).all(|(one, other)| one.as_str() == Some(other))
    });
    if !is_it {
        server.insert("args", value(rest.iter().collect::<Array>()));
        is_changed = true;
    }
    Ok(if is_changed { document.to_string() } else { text.to_owned() })
}

/// The text without the server.
pub(super) fn without(text: &str) -> Result<String, String> {
    let mut document = parsed(text)?;
    let Some(servers) = document.get_mut(SERVERS).and_then(Item::as_table_like_mut) else {
        return Ok(text.to_owned());
    };
    if servers.remove(SERVER).is_none() {
        return Ok(text.to_owned());
    }
    let is_implicit = document.get(SERVERS).and_then(Item::as_table).is_some_and(Table::is_implicit);
    if is_implicit && document.get(SERVERS).and_then(Item::as_table).is_some_and(Table::is_empty) {
        document.remove(SERVERS);
    }
    Ok(document.to_string())
}

fn parsed(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|error| error.to_string().trim_end().replace('\n', "\n  "))
}
