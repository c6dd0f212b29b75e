//! Which lines of a page are items.
//!
//! A list item begins with `-`, `*`, `+` or a number, at most three spaces in, outside fenced code and comments of several
//! lines. What is indented further, and lines that follow it without a blank one between, belong to it.

use std::ops::Range;

use super::{Item, flattened};
use crate::annotation::{Annotation, trailing};
use crate::document::{Section, lines_of};
use crate::fence::{Fence, fence_of, is_closed_by};

/// All items of `text[start..]`.
pub(super) fn items(text: &str, start: usize, sections: &[Section]) -> Vec<Item> {
    let sections = flattened(sections);
    let is_heading = |at: usize| sections.binary_search_by_key(&at, |section| section.bytes.start).is_ok();
    let title_before = |at: usize| match sections.partition_point(|section| section.bytes.start < at) {
        0 => "",
        after => sections[after - 1].title.as_str(),
    };
    let first_line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..start]).count();
    let mut found: Vec<Item> = Vec::new();
    let mut open: Option<Open> = None;
    let mut fence: Option<Fence> = None;
    let mut in_comment = false;
    for (line, range) in (first_line..).zip(lines_of(text.as_bytes(), start)) {
        let content = text[range.clone()].trim_end_matches(['\n', '\r']);
        let is_indented = content.starts_with([' ', '\t']);
        let is_blank = content.trim().is_empty();
        let opens = fence_of(content);
        if let Some(opened) = fence {
            if is_closed_by(content, opened) {
                fence = None;
            }
            if let Some(open) = open.as_mut().filter(|_| is_indented) {
                open.end = range.end;
            }
        } else if in_comment {
            in_comment = !content.contains("-->");
        } else if is_heading(range.start) {
            found.extend(open.take().map(|open| open.close(text)));
        } else if opens.is_some() {
            fence = opens;
            match open.as_mut().filter(|_| is_indented) {
                Some(open) => open.end = range.end,
                None => found.extend(open.take().map(|open| open.close(text))),
            }
        } else if let Some(mark) = mark_of(content) {
            found.extend(open.take().map(|open| open.close(text)));
            fence = fence_of(&content[mark.end..]);
            let mark = range.start + mark.start..range.start + mark.end;
            open = Some(Open {
                section: title_before(range.start).to_owned(),
                line,
                start: range.start,
                mark,
                end: range.end,
                is_broken: false,
            });
        } else if is_blank {
            if let Some(open) = open.as_mut() {
                open.is_broken = true;
            }
        } else if let Some(current) =
            open.as_mut().filter(|open| is_indented || !open.is_broken && !is_beside(text, open, content))
        {
            current.end = range.end;
        } else {
            found.extend(open.take().map(|open| open.close(text)));
            in_comment = content.trim_start().starts_with("<!--") && !content.contains("-->");
        }
    }
    found.extend(open.take().map(|open| open.close(text)));
    found
}

/// Whether a line at the margin is a comment that belongs to the page: a remark, or one more after an item's own.
fn is_beside(text: &str, open: &Open, line: &str) -> bool {
    let is_known = || trailing(text[open.mark.end..open.end].trim_end()).is_some();
    line.starts_with("<!--") && (Annotation::parse(line).is_none() || is_known())
}

/// An item whose end is not known yet.
struct Open {
    section: String,
    line: usize,
    start: usize,
    mark: Range<usize>,
    end: usize,
    /// A blank line came: only what is indented still belongs to it.
    is_broken: bool,
}

impl Open {
    fn close(self, text: &str) -> Item {
        let said = text[self.mark.end..self.end].trim_end();
        let lines = memchr::memchr_iter(b'\n', text[self.start..self.end].trim_end().as_bytes()).count() + 1;
        let (length, annotation) = match trailing(said) {
            Some((start, annotation)) => (said[..start].trim_end().len(), annotation),
            None => (said.len(), Annotation::new()),
        };
        Item {
            section: self.section,
            text: said[..length].replace("\r\n", "\n"),
            annotation,
            lines: self.line..self.line + lines,
            bytes: self.start..self.end,
            said: self.mark.end..self.mark.end + length,
            comment: self.mark.end + length..self.mark.end + said.len(),
            mark: self.mark,
        }
    }
}

/// The mark of a list item with what stands before it and the space after it.
fn mark_of(line: &str) -> Option<Range<usize>> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    if indent > 1 {
        return None;
    }
    let rest = &line[indent..];
    let digits = rest.len() - rest.trim_start_matches(|each: char| each.is_ascii_digit()).len();
    let mark = match rest[digits..].chars().next()? {
        '-' | '*' | '+' if digits == 0 => 1,
        '.' | ')' if (1..=9).contains(&digits) => digits + 1,
        _ => return None,
    };
    let after = &rest[mark..];
    let space = after.len() - after.trim_start_matches([' ', '\t']).len();
    // `---` is a rule and `**bold**` is a word.
    (space > 0 && !after.trim().is_empty()).then_some(0..indent + mark + space)
}
