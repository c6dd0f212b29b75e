//! The one-line parts of a turn: tool calls, attachments and knowledge changes.
//!
//! Owns how they are brought to one bounded line and how that line reads back: `parse(push(p)) == normalized(p)`
//! for every part. Must not be given text parts, which are `escape`'s.

use super::TurnPart;

/// The longest summary and the longest result of a tool or knowledge line, in characters.
const MAX_DETAIL: usize = 200;
/// The longest tool name and knowledge action, in characters.
const MAX_NAME: usize = 80;
/// The longest path of a knowledge line, in characters.
const MAX_PATH: usize = 1024;

/// The part as its line can carry it.
pub(super) fn normalized(part: &TurnPart) -> TurnPart {
    match part {
        TurnPart::Text(text) => TurnPart::Text(text.clone()),
        TurnPart::Tool { name, summary, result } => TurnPart::Tool {
            name: label(name, "tool"),
            summary: one_line(&summary.replace('→', "->"), MAX_DETAIL),
            result: one_line(result, MAX_DETAIL),
        },
        TurnPart::Attachment { path } => {
            TurnPart::Attachment { path: path.replace(|character: char| character.is_control(), "?") }
        }
        TurnPart::Knowledge { action, path, summary } => TurnPart::Knowledge {
            action: label(action, "updated"),
            path: one_line(&path.replace('—', "-"), MAX_PATH),
            summary: one_line(summary, MAX_DETAIL),
        },
    }
}

/// Appends the line of a normalized part, without its newline.
pub(super) fn push(out: &mut String, part: &TurnPart) {
    match part {
        TurnPart::Text(text) => out.push_str(text),
        TurnPart::Tool { name, summary, result } => {
            push_fields(out, &format!("> [tool:{name}]"), summary, " → ", result);
        }
        TurnPart::Attachment { path } => out.push_str(&format!("> [attachment:{path}]")),
        TurnPart::Knowledge { action, path, summary } => {
            push_fields(out, &format!("> [knowledge:{action}]"), path, " — ", summary);
        }
    }
}

fn push_fields(out: &mut String, mark: &str, first: &str, between: &str, second: &str) {
    out.push_str(mark);
    if !first.is_empty() {
        out.push(' ');
        out.push_str(first);
    }
    if !second.is_empty() {
        out.push_str(between);
        out.push_str(second);
    }
}

/// The part that a line is, or `None` for a line of text.
pub(super) fn parse(line: &str) -> Option<TurnPart> {
    let mark = line.strip_prefix("> [")?;
    if let Some(path) = mark.strip_prefix("attachment:") {
        return Some(TurnPart::Attachment { path: path.strip_suffix(']')?.to_owned() });
    }
    let (kind, rest) = mark.split_once(':')?;
    let (name, rest) = rest.split_once(']')?;
    let split = |between: &str| {
        let (first, second) = rest.split_once(between).unwrap_or((rest, ""));
        (first.trim().to_owned(), second.trim().to_owned())
    };
    match kind {
        "tool" => {
            let (summary, result) = split(" → ");
            Some(TurnPart::Tool { name: name.to_owned(), summary, result })
        }
        "knowledge" => {
            let (path, summary) = split(" — ");
            Some(TurnPart::Knowledge { action: name.to_owned(), path, summary })
        }
        _ => None,
    }
}

/// A name inside brackets: one word or a few, never empty.
fn label(text: &str, otherwise: &str) -> String {
    let text = text.replace('[', "(").replace(']', ")");
    let text = one_line(&text, MAX_NAME);
    if text.is_empty() { otherwise.to_owned() } else { text }
}

/// The text on one line of at most `most` characters: runs of white space and control characters become one
/// space, and what does not fit is cut with an ellipsis. Reads no further than it needs to.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    let mut gap = false;
    for character in text.chars() {
        if character.is_whitespace() || character.is_control() {
            gap = !out.is_empty();
            continue;
        }
        length += 1 + usize::from(gap);
        if length > most {
            let kept = out.chars().take(most - 1).collect::<String>();
            return format!("{}…", kept.trim_end());
        }
        if gap {
            out.push(' ');
            gap = false;
        }
        out.push(character);
    }
    out
}
