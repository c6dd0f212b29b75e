//! What somebody changed in settings after they were connected, put into the settings of before: so that taking this program out leaves
//! their spacing as well, where putting it in had to write a line anew.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// `old` with what makes `now` of `connected`; nothing where both changed one place.
pub(super) fn undone(connected: &str, old: &str, now: &str) -> Option<String> {
    let base = pieces(connected);
    let (one, other) = (pieces(old), pieces(now));
    let mut edits: Vec<(Range<usize>, &[&str])> = edits(&base, &one);
    edits.extend(self::edits(&base, &other));
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = String::with_capacity(now.len());
    let mut at = 0;
    let mut last: Option<(Range<usize>, &[&str])> = None;
    for (range, new) in edits {
        if last.as_ref().is_some_and(|(before, with)| *before == range && *with == new) {
            continue;
        }
        let is_after = last.as_ref().is_none_or(|(before, _)| range.start >= before.end && range != *before);
        if !is_after {
            return None;
        }
        base[at..range.start].iter().chain(new).for_each(|piece| text.push_str(piece));
        at = range.end;
        last = Some((range, new));
    }
    base[at..].iter().for_each(|piece| text.push_str(piece));
    Some(text)
}

/// Whether two texts differ in nothing but white space between their pieces.
pub(super) fn says_the_same(one: &str, other: &str) -> bool {
    let said = |text| pieces(text).into_iter().filter(|piece| !piece.trim().is_empty());
    said(one).eq(said(other))
}

/// Which pieces become which.
fn edits<'a>(base: &[&'a str], to: &'a [&'a str]) -> Vec<(Range<usize>, &'a [&'a str])> {
    let ops = capture_diff_slices(Algorithm::Myers, base, to);
    let changed = ops.into_iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changed.map(|op| (op.old_range(), &to[op.new_range()])).collect()
}

/// A text in words, texts in quotes, signs and runs of white space.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' => quoted(rest),
            _ if first.is_whitespace() => rest.find(|each: char| !each.is_whitespace()),
            _ if is_of_word(first) => rest.find(|each| !is_of_word(each)),
            _ => Some(first.len_utf8()),
        };
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn is_of_word(each: char) -> bool {
    each.is_alphanumeric() || matches!(each, '_' | '-' | '.' | '+')
}

/// Where a text in quotes ends that a text begins with; it ends with its line at the latest.
fn quoted(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, each) in text.char_indices().skip(1) {
        match each {
            '\n' => return Some(at),
            '"' if !is_escaped => return Some(at + 1),
            _ => is_escaped = each == '\\' && !is_escaped,
        }
    }
    None
}
