//! Changing one setting in CONFIG.md without touching anything else.
//!
//! Comments, indentation, line endings and order stay as the person left them: one line changes, or one line
//! (with its section, two) is added. A value written over several lines becomes one line. The result is read
//! back before it is returned, so an edit that would change another setting cannot happen.

use std::ops::Range;

use super::error::{ConfigError, ConfigErrors, SetError};
use super::parameter::Parameter;
use super::value::Mistake;
use super::{Config, Kind, PARAMETERS, block, find, nearest};
use crate::yaml::{self, Content, Entry, Node};

/// Sets the parameter `name` in the text of CONFIG.md to `value_text`; the answer is the new text.
///
/// Single values are taken literally (`Europe/Berlin`, `0.3`); lists and mappings are given as YAML
/// (`[a, b]`). An older name is accepted, and where the file has the key under an older name, that line changes.
///
/// # Errors
/// [`SetError`], with nothing changed: an unknown name, a value of the wrong type or out of range, a value that
/// contradicts another setting, or a file that cannot be read or has an unusual layout. Wrong values of other settings
/// do not stand in the way.
pub fn set(text: &str, name: &str, value_text: &str) -> Result<String, SetError> {
    let parameter = find(name).ok_or_else(|| SetError::UnknownKey {
        key: name.to_owned(),
        nearest: nearest(name).map(str::to_owned),
    })?;
    refuse_secret(parameter, value_text)?;
    let value = checked(parameter, value_text)?;
    let (before, wrong) = Config::parse_as_far_as_it_is_right(text);
    if wrong.iter().any(|problem| matches!(problem, ConfigError::Malformed { .. })) {
        return Err(ConfigErrors { problems: wrong }.into());
    }
    let line_ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let given = before.given.get(parameter.name).map(|given| given.written_as.as_str());
    let edit = edit(text, parameter, given, &yaml::render(&value), line_ending)
        .map_err(|line| SetError::Layout { key: parameter.name.to_owned(), line })?;
    let mut changed = String::with_capacity(text.len() + edit.insert.len());
    changed.push_str(&text[..edit.replaced.start]);
    changed.push_str(&edit.insert);
    changed.push_str(&text[edit.replaced.end..]);

    // A file with wrong settings is mended one by one: none may come to them, and this one may not be among them.
    let (after, still_wrong) = Config::parse_as_far_as_it_is_right(&changed);
    let is_mended = still_wrong.len() < wrong.len() || still_wrong.is_empty();
    let is_kept =
        still_wrong.len() == wrong.len() && !still_wrong.iter().any(|problem| problem.is_of(parameter.name));
    if !is_mended && !is_kept {
        let problem = ConfigErrors { problems: still_wrong };
        return Err(SetError::Conflicts { key: parameter.name.to_owned(), problem });
    }
    let reads = |parameter: &Parameter, config: &Config| (parameter.read)(config);
    let others_kept = PARAMETERS.iter().filter(|other| other.name != parameter.name).all(|other| {
        // A preset may be implied by the very key that was set.
        other.name == "context.preset" || reads(other, &after.config) == reads(other, &before.config)
    });
    if reads(parameter, &after.config) == value && others_kept {
        Ok(changed)
    } else {
        let line = text[..edit.replaced.start].matches('\n').count() + 1;
        Err(SetError::Layout { key: parameter.name.to_owned(), line })
    }
}

/// CONFIG.md is committed: a key or a password that was put into the wrong setting is not. It is not repeated either.
fn refuse_secret(parameter: &Parameter, value: &str) -> Result<(), SetError> {
    let refused = |expected: &str, found: &str| {
        let (expected, found) = (expected.to_owned(), found.to_owned());
        Err(SetError::BadValue { key: parameter.name.to_owned(), expected, found })
    };
    let is_name = |name: &str| {
        !name.starts_with(|sign: char| sign.is_ascii_digit())
            && name.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'_')
    };
    if parameter.key.ends_with("api_key_variable") && !is_name(value.trim()) {
        return refused(
            "the name of an environment variable",
            "no such name; a key itself belongs into the variable or a file",
        );
    }
    let authority = value.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
    if parameter.key.ends_with("url") && authority.is_some_and(|authority| authority.contains('@')) {
        return refused("an address", "one with a name or a password in it");
    }
    Ok(())
}

/// The value as the parameter understands it, or why it does not.
fn checked(parameter: &Parameter, value_text: &str) -> Result<serde_json::Value, SetError> {
    let bad = |expected: String, found: String| SetError::BadValue {
        key: parameter.name.to_owned(),
        expected,
        found,
    };
    let is_single = matches!(
        parameter.kind,
        Kind::Boolean
            | Kind::Integer
            | Kind::Number
            | Kind::Text
            | Kind::Choice(_)
            | Kind::Schedule
            | Kind::TimeZone
    );
    if matches!(parameter.kind, Kind::Schedule) && value_text.trim().is_empty() {
        return Err(bad(format!("{}; `off` turns it off", parameter.expectation()), "empty".to_owned()));
    }
    let node = if is_single {
        let is_text = matches!(parameter.kind, Kind::Text);
        Node::scalar(if is_text { value_text } else { value_text.trim() }, true)
    } else {
        yaml::parse(value_text, 0, 1)
            .map_err(|malformed| bad(parameter.expectation(), malformed.message))?
            .ok_or_else(|| bad(parameter.expectation(), "empty".to_owned()))?
    };
    let mut scratch = Config::default();
    (parameter.assign)(&mut scratch, &node, parameter)
        .map_err(|Mistake { expected, found, .. }| bad(expected, found))?;
    Ok((parameter.read)(&scratch))
}

/// One replacement in the text.
struct Edit {
    replaced: Range<usize>,
    insert: String,
}

/// The edit that makes `parameter` say `value`; the error is the line where the layout was not understood.
fn edit(
    text: &str,
    parameter: &Parameter,
    given: Option<&str>,
    value: &str,
    line_ending: &str,
) -> Result<Edit, usize> {
    let (section, key) = (parameter.section, parameter.key);
    let Some(block) = block::find(text) else {
        let gap = match text {
            "" => String::new(),
            _ if text.ends_with('\n') => line_ending.to_owned(),
            _ => line_ending.repeat(2),
        };
        let lines = ["```yaml", &format!("{section}:"), &format!("  {key}: {value}"), "```", ""];
        return Ok(insertion(text.len(), format!("{gap}{}", lines.join(line_ending))));
    };
    let source = &text[block.bytes.clone()];
    let root =
        yaml::parse(source, block.bytes.start, block.first_line).map_err(|malformed| malformed.line)?;
    let entries: &[Entry] = match &root {
        Some(Node { content: Content::Map { entries, .. }, .. }) => entries,
        _ => &[],
    };
    let is_flow = matches!(&root, Some(Node { content: Content::Map { flow: true, .. }, .. }));

    if let Some(written_as) = given {
        let entry = locate(entries, written_as).ok_or(block.first_line)?;
        return replacement(text, entry, value).ok_or(entry.key_line);
    }
    if let Some(entry) = entries.iter().find(|entry| entry.key == section) {
        return into_section(text, entry, key, value, line_ending).ok_or(entry.key_line);
    }
    if is_flow {
        return Err(block.first_line);
    }
    let indentation = " ".repeat(entries.first().map_or(0, |entry| entry.key_column));
    let mut insert = String::new();
    if !source.is_empty() && !source.ends_with('\n') {
        insert.push_str(line_ending);
    }
    // A fence at the very end of the file has not even its own line ending.
    if source.is_empty() && !text[..block.bytes.start].ends_with('\n') {
        insert.push_str(line_ending);
    }
    insert
        .push_str(&format!("{indentation}{section}:{line_ending}{indentation}  {key}: {value}{line_ending}"));
    Ok(insertion(block.bytes.end, insert))
}

fn insertion(at: usize, insert: String) -> Edit {
    Edit { replaced: at..at, insert }
}

fn locate<'a>(entries: &'a [Entry], written_as: &str) -> Option<&'a Entry> {
    if let Some(entry) = entries.iter().find(|entry| entry.key == written_as) {
        return Some(entry);
    }
    let (section, key) = written_as.split_once('.')?;
    match &entries.iter().find(|entry| entry.key == section)?.value.content {
        Content::Map { entries, .. } => entries.iter().find(|entry| entry.key == key),
        _ => None,
    }
}

/// Replaces what stands after the key's colon, up to the end of the value.
fn replacement(text: &str, entry: &Entry, value: &str) -> Option<Edit> {
    let colon = entry.key_span.end + text[entry.key_span.end..].find(':')?;
    let after_colon = colon + 1;
    let is_single_line =
        matches!(entry.value.content, Content::Scalar { .. } | Content::Map { flow: true, .. })
            || text[entry.value.span.clone()].starts_with('[');
    let is_empty = entry.value.span.start >= entry.value.span.end;
    if entry.value.is_null() && is_empty {
        return Some(insertion(after_colon, format!(" {value}")));
    }
    if entry.value.span.start < after_colon {
        return None;
    }
    let end = entry.value.span.start + text[entry.value.span.clone()].trim_end().len();
    if is_single_line && !text[after_colon..entry.value.span.start].contains('\n') {
        return Some(Edit { replaced: entry.value.span.start..end, insert: value.to_owned() });
    }
    Some(Edit { replaced: after_colon..end, insert: format!(" {value}") })
}

/// Adds a key to a section that exists.
fn into_section(text: &str, entry: &Entry, key: &str, value: &str, line_ending: &str) -> Option<Edit> {
    match &entry.value.content {
        Content::Map { flow: true, entries } => {
            let inside = entry.value.span.start + 1;
            let separator = if entries.is_empty() { "" } else { ", " };
            Some(insertion(inside, format!("{key}: {value}{separator}")))
        }
        Content::Map { flow: false, entries } => {
            let first = entries.first()?;
            let line_start = text[..first.key_span.start].rfind('\n').map_or(0, |newline| newline + 1);
            let indentation = &text[line_start..first.key_span.start];
            indentation
                .trim()
                .is_empty()
                .then(|| insertion(line_start, format!("{indentation}{key}: {value}{line_ending}")))
        }
        _ if entry.value.is_null() && entry.value.span.is_empty() => {
            let rest = &text[entry.key_span.end..];
            let (at, before) = match rest.find('\n') {
                Some(newline) => (entry.key_span.end + newline + 1, ""),
                None => (text.len(), line_ending),
            };
            let indentation = " ".repeat(entry.key_column + 2);
            Some(insertion(at, format!("{before}{indentation}{key}: {value}{line_ending}")))
        }
        _ if entry.value.is_null() => {
            Some(Edit { replaced: entry.value.span.clone(), insert: format!("{{{key}: {value}}}") })
        }
        _ => None,
    }
}
