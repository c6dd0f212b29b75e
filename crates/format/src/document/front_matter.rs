//! The lines of front matter: which belong to a key, and how one key's lines are replaced.
//!
//! Works by shape alone (indentation, dashes, quotes), because a YAML reader does not keep what a person typed.
//! The caller checks each result by reading it. Must not touch a byte outside the key's own lines.

use std::ops::Range;

use super::sections::{content_of, lines_of};
use super::value::write_entry;
use super::{Front, Value};

/// The key that a top-level line starts, and the offset in the line just after its colon.
pub(super) fn key_of(line: &[u8]) -> Option<(String, usize)> {
    let line = content_of(line);
    let first = *line.first()?;
    if matches!(
        first,
        b' ' | b'\t' | b'#' | b'[' | b']' | b'{' | b'}' | b',' | b'&' | b'*' | b'!' | b'|' | b'>'
    ) || (first == b'-' && line.get(1).is_none_or(|byte| *byte == b' '))
    {
        return None;
    }
    let (key, after) = if first == b'"' || first == b'\'' {
        let end = quote_end(line, 0)?;
        (unquoted(&line[..end])?, end)
    } else {
        let end = line
            .iter()
            .enumerate()
            .find(|(at, byte)| {
                **byte == b':' && line.get(at + 1).is_none_or(|next| matches!(next, b' ' | b'\t'))
            })?
            .0;
        (std::str::from_utf8(&line[..end]).ok()?.trim_end().to_owned(), end)
    };
    let spaces = line.get(after..)?.iter().take_while(|byte| **byte == b' ').count();
    let colon = after + spaces;
    let ends =
        line.get(colon) == Some(&b':') && line.get(colon + 1).is_none_or(|next| matches!(next, b' ' | b'\t'));
    ends.then_some((key, colon + 1))
}

/// The offset just after the quote that closes the one at `start`.
fn quote_end(line: &[u8], start: usize) -> Option<usize> {
    let quote = *line.get(start)?;
    let mut at = start + 1;
    while let Some(byte) = line.get(at) {
        match *byte {
            b'\\' if quote == b'"' => at += 2,
            // A doubled single quote is a quote inside the text.
            byte if byte == quote && quote == b'\'' && line.get(at + 1) == Some(&quote) => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// A quoted key's text, by the reader itself.
fn unquoted(quoted: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(quoted).ok()?;
    let pairs = super::value::read_mapping(&format!("{text}: 1\n")).ok()?;
    pairs.into_iter().next().map(|(key, _)| key)
}

/// The bytes of a key's lines: from its own line to the last line of its value. Comments and blank lines between
/// it and the next key are not its own.
fn lines_of_key(bytes: &[u8], front: &Front, key: &str) -> Option<Range<usize>> {
    let mut lines = lines_of(&bytes[..front.text.end], front.text.start)
        .skip_while(|line| key_of(&bytes[line.clone()]).is_none_or(|(name, _)| name != key));
    let first = lines.next()?;
    let mut end = first.end;
    for line in lines {
        let text = &bytes[line.clone()];
        if key_of(text).is_some() {
            break;
        }
        let content = content_of(text);
        let comment_or_blank = content.trim_ascii().is_empty() || content.starts_with(b"#");
        if !comment_or_blank {
            end = line.end;
        }
    }
    Some(first.start..end)
}

/// The newline that the file uses.
fn newline_of(bytes: &[u8]) -> &'static str {
    match memchr::memchr(b'\n', bytes) {
        Some(at) if at > 0 && bytes.get(at - 1) == Some(&b'\r') => "\r\n",
        _ => "\n",
    }
}

/// The comment at the end of a one-line value with the spaces before it.
fn trailing_comment(line: &[u8], value_start: usize) -> &[u8] {
    let line = content_of(line);
    let mut at = value_start;
    let mut word_starts = true;
    while let Some(byte) = line.get(at) {
        match *byte {
            b'"' | b'\'' if word_starts => match quote_end(line, at) {
                Some(end) => at = end,
                None => return b"",
            },
            b'#' if matches!(line.get(at.wrapping_sub(1)), Some(b' ' | b'\t')) => {
                let value = line.get(..at).unwrap_or_default().trim_ascii_end().len();
                return line.get(value.max(value_start)..).unwrap_or_default();
            }
            byte => {
                word_starts = matches!(byte, b' ' | b'\t' | b'[' | b'{' | b',' | b':');
                at += 1;
                continue;
            }
        }
        word_starts = false;
    }
    b""
}

/// The file with `key` set to `value`.
pub(super) fn with_key(bytes: &[u8], front: Option<&Front>, key: &str, value: &Value) -> Vec<u8> {
    let newline = newline_of(bytes);
    let mut entry = write_entry(key, value, newline).into_bytes();
    let Some(front) = front else {
        let start = if bytes.starts_with(super::BYTE_ORDER_MARK) { super::BYTE_ORDER_MARK.len() } else { 0 };
        let fence = format!("---{newline}");
        let block = [fence.as_bytes(), &entry, fence.as_bytes()].concat();
        return splice(bytes, start..start, &block);
    };
    let Some(range) = lines_of_key(bytes, front, key) else {
        return splice(bytes, front.text.end..front.text.end, &entry);
    };
    let old = &bytes[range.clone()];
    let one_line = memchr::memchr(b'\n', old).is_none_or(|at| at + 1 == old.len());
    let block_scalar = |start: usize| {
        matches!(
            content_of(old).get(start..).unwrap_or_default().trim_ascii_start().first(),
            Some(b'|' | b'>')
        )
    };
    if let Some((_, start)) = key_of(old).filter(|(_, start)| one_line && !block_scalar(*start)) {
        let comment = trailing_comment(old, start);
        let written_on_one_line = entry.iter().filter(|byte| **byte == b'\n').count() == 1;
        if written_on_one_line && !comment.is_empty() {
            entry.truncate(content_of(&entry).len());
            entry.extend_from_slice(comment);
            entry.extend_from_slice(newline.as_bytes());
        }
    }
    splice(bytes, range, &entry)
}

/// The file without `key`.
pub(super) fn without_key(bytes: &[u8], front: &Front, key: &str) -> Vec<u8> {
    lines_of_key(bytes, front, key).map_or_else(|| bytes.to_vec(), |range| splice(bytes, range, b""))
}

fn splice(bytes: &[u8], range: Range<usize>, with: &[u8]) -> Vec<u8> {
    [&bytes[..range.start], with, &bytes[range.end..]].concat()
}
