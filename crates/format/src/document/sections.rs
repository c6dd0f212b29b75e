//! The heading tree of a Markdown body.
//!
//! Owns the rule for what is a heading: an ATX heading (`#` to `######`) that is not inside a fenced code block.
//! Underlined (setext) headings are not used in any file of a workspace and are read as text. Must not interpret
//! what a section says.

use std::ops::Range;

use crate::fence::{Fence, is_closed_by, opened_by};

/// A heading with everything below it, up to the next heading of the same or a higher level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// 1 for `#` to 6 for `######`.
    pub level: u8,
    /// The heading's text without its marks; bytes that are not UTF-8 are replaced.
    pub title: String,
    /// 1-based lines of the file, end exclusive, subsections included; `lines.start` is the heading.
    pub lines: Range<usize>,
    /// Bytes of the file that those lines are.
    pub bytes: Range<usize>,
    /// Bytes between the heading line and the first subsection (or the end): the section's own text.
    pub content: Range<usize>,
    /// The subsections in order.
    pub children: Vec<Section>,
}

/// Lines of `bytes` with their byte ranges, newline included; the last may lack one.
pub(crate) fn lines_of(bytes: &[u8], start: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut position = start;
    std::iter::from_fn(move || {
        let rest = bytes.get(position..)?;
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |at| position + at + 1);
        let line = position..end;
        position = end;
        Some(line)
    })
}

struct Heading {
    level: u8,
    title: String,
    line: usize,
    bytes: Range<usize>,
}

/// The heading tree of `bytes[body_start..]`; lines are counted from the start of `bytes`.
pub(super) fn sections(bytes: &[u8], body_start: usize) -> Vec<Section> {
    let mut line = 1 + memchr::memchr_iter(b'\n', &bytes[..body_start]).count();
    let mut headings = Vec::new();
    let mut fence: Option<Fence> = None;
    for range in lines_of(bytes, body_start) {
        let text = content_of(&bytes[range.clone()]);
        match fence {
            Some(open) if unindented(text).is_some_and(|text| closes(text, open)) => fence = None,
            Some(_) => {}
            None => {
                fence = unindented(text).and_then(opens);
                if let Some((level, title)) = heading(text).filter(|_| fence.is_none()) {
                    headings.push(Heading { level, title, line, bytes: range });
                }
            }
        }
        line += 1;
    }
    let mut rest = headings.as_slice();
    let mut tree = Vec::new();
    while let Some((first, below)) = rest.split_first() {
        rest = below;
        tree.push(section(first, &mut rest, line, bytes.len()));
    }
    tree
}

/// The section of `first`, taking from `rest` all that is deeper. Recursion is at most six levels.
fn section(first: &Heading, rest: &mut &[Heading], end_line: usize, end_byte: usize) -> Section {
    let mut children = Vec::new();
    while let Some((next, below)) = rest.split_first().filter(|(next, _)| next.level > first.level) {
        *rest = below;
        children.push(section(next, rest, end_line, end_byte));
    }
    let (line, byte) = rest.first().map_or((end_line, end_byte), |next| (next.line, next.bytes.start));
    let own_end = children.first().map_or(byte, |child: &Section| child.bytes.start);
    Section {
        level: first.level,
        title: first.title.clone(),
        lines: first.line..line,
        bytes: first.bytes.start..byte,
        content: first.bytes.end..own_end,
        children,
    }
}

/// The line without its newline (LF or CRLF).
pub(super) fn content_of(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The line without up to three leading spaces; four make it code.
fn unindented(line: &[u8]) -> Option<&[u8]> {
    let spaces = line.iter().take_while(|byte| **byte == b' ').count();
    if spaces > 3 { None } else { line.get(spaces..) }
}

fn opens(line: &[u8]) -> Option<Fence> {
    let may_open = !line.starts_with(b"\t") && line.iter().any(|byte| matches!(byte, b'`' | b'~'));
    may_open.then(|| opened_by(&String::from_utf8_lossy(line))).flatten()
}

fn closes(line: &[u8], open: Fence) -> bool {
    let begins = line.first().is_some_and(|first| char::from(*first) == open.0);
    begins && is_closed_by(&String::from_utf8_lossy(line), open)
}

fn heading(line: &[u8]) -> Option<(u8, String)> {
    let line = unindented(line)?;
    let level = line.iter().take_while(|byte| **byte == b'#').count();
    if !(1..=6).contains(&level) {
        return None;
    }
    let text = line.get(level..)?;
    if !text.first().is_none_or(|byte| matches!(byte, b' ' | b'\t')) {
        return None;
    }
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    // A run of `#` at the end closes the heading when a space (or nothing) stands before it.
    let closed = text.trim_end_matches('#');
    let title = if closed.is_empty() || closed.ends_with([' ', '\t']) { closed.trim_end() } else { text };
    Some((u8::try_from(level).ok()?, title.to_owned()))
}
