//! The part of a passage that a result shows: where the words of the question stand closest together.
//!
//! A snippet is one line of text cut at words, never through a grapheme; cut ends carry an ellipsis.

use std::borrow::Cow;
use std::collections::HashMap;

use rem_format::annotation::Annotation;
use rem_format::fence::{Fence, is_closed_by, opened_by};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::analyzer::Highlighter;
use crate::blocks::is_heading;

/// A memory that is no surer than what was inferred, from 0 to 1, is told to be unsure (P8).
const UNSURE: f64 = 0.6;

/// At most about `length` characters of a passage of that category around the words that the highlighter looks for. What was said is shown
/// as it was, memories as a person reads them.
pub(crate) fn snippet_of(category: &str, words: &Highlighter<'_>, text: &str, length: usize) -> String {
    match category {
        "conversation" => snippet(words, text, length),
        _ => snippet(words, &readable(text), length),
    }
}

/// At most about `length` characters of `text` around the words that the highlighter looks for.
fn snippet(words: &Highlighter<'_>, text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return on_one_line(text);
    }
    let found = words.find(text);
    let best = densest(&found, length);
    // A little of what stands before, so that the sentence can be understood.
    let start = text.floor_char_boundary(best.saturating_sub(length / 4));
    let start = if start == 0 { 0 } else { after_space(text, start, best) };
    let mut shown = String::new();
    let mut characters = 0;
    for grapheme in text[start..].graphemes(true) {
        characters += grapheme.chars().count();
        if characters > length {
            break;
        }
        shown.push_str(grapheme);
    }
    let is_cut = start + shown.len() < text.len();
    if is_cut && let Some(space) = shown.rfind(char::is_whitespace).filter(|space| *space > shown.len() / 2) {
        shown.truncate(space);
    }
    let (before, after) = (if start > 0 { "…" } else { "" }, if is_cut { "…" } else { "" });
    format!("{before}{}{after}", on_one_line(&shown))
}

/// Where the window of `length` bytes with the most different tokens begins.
fn densest(found: &[(usize, &str)], length: usize) -> usize {
    let (mut first, mut best, mut most) = (0, 0, 0);
    let mut inside: HashMap<&str, usize> = HashMap::new();
    for &(offset, token) in found {
        *inside.entry(token).or_default() += 1;
        while offset - found[first].0 > length {
            let leaving = found[first].1;
            if let Some(count) = inside.get_mut(leaving) {
                *count -= 1;
                if *count == 0 {
                    inside.remove(leaving);
                }
            }
            first += 1;
        }
        if inside.len() > most {
            most = inside.len();
            best = found[first].0;
        }
    }
    best
}

/// The first place after a space between `start` and `latest`; a grapheme boundary where there is no space.
fn after_space(text: &str, start: usize, latest: usize) -> usize {
    match text[start..latest].char_indices().find(|(_, character)| character.is_whitespace()) {
        Some((offset, space)) => start + offset + space.len_utf8(),
        None => {
            // Starting at the word itself never divides a grapheme of the text before it.
            latest
        }
    }
}

/// A memory as a person reads it: without the comments that the program keeps beside each line, save from when to when it holds, and
/// without headings that nothing stands under. Code stays as it is.
#[must_use]
pub fn readable(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut code: Option<Fence> = None;
    for line in text.lines() {
        if let Some(fence) = code {
            lines.push(line.to_owned());
            code = (!is_closed_by(line, fence)).then_some(fence);
            continue;
        }
        code = opened_by(line);
        let line = without_annotation(line);
        if let Some(level) = heading_of(&line) {
            // Nothing came between it and one that begins at least as far up.
            while lines.last().and_then(|last| heading_of(last)).is_some_and(|before| before >= level) {
                lines.pop();
            }
        }
        if !line.trim().is_empty() {
            lines.push(line.into_owned());
        }
    }
    while lines.len() > 1 && lines.last().is_some_and(|last| heading_of(last).is_some()) {
        lines.pop();
    }
    if lines.is_empty() { text.to_owned() } else { lines.join("\n") }
}

/// How deep a heading is, where a line is one.
fn heading_of(line: &str) -> Option<usize> {
    is_heading(line).then(|| line.bytes().take_while(|byte| *byte == b'#').count())
}

/// A line with the days in the place of its annotation, and whether it is unsure: `(since 2026-01-10)`, `(2026-01-10 to 2026-02-20)`,
/// `(unsure, since 2026-01-10)`.
fn without_annotation(line: &str) -> Cow<'_, str> {
    let begun = line.trim_end();
    let Some((said, annotation)) =
        begun.rfind("<!--").and_then(|at| Some((begun[..at].trim_end(), Annotation::parse(&begun[at..])?)))
    else {
        return line.into();
    };
    let confidence = annotation.get("confidence").and_then(|said| said.parse::<f64>().ok());
    let unsure = confidence.is_some_and(|confidence| confidence <= UNSURE).then(|| "unsure".to_owned());
    let days = match (annotation.date("since"), annotation.date("superseded")) {
        (Some(since), Some(until)) => Some(format!("{since} to {until}")),
        (Some(since), None) => Some(format!("since {since}")),
        (None, Some(until)) => Some(format!("until {until}")),
        (None, None) => None,
    };
    let notes: Vec<String> = unsure.into_iter().chain(days).collect();
    match (said.is_empty(), notes.is_empty()) {
        (true, _) => "".into(),
        (false, true) => said.into(),
        (false, false) => format!("{said} ({})", notes.join(", ")).into(),
    }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, words: &[&str], length: usize) -> String {
        snippet(&Highlighter::new(&words.iter().map(ToString::to_string).collect(), &[]), text, length)
    }

    #[test]
    fn it_shows_where_most_words_stand_together() {
        let text =
            format!("atlas {} the atlas launch slipped to June {}", "pad ".repeat(50), "pad ".repeat(50));
        let shown = of(&text, &["atlas", "launch", "june"], 80);
        assert!(shown.contains("atlas launch slipped to June") && shown.chars().count() <= 82, "{shown}");
        assert!(shown.starts_with('…') && shown.ends_with('…'));
    }

    #[test]
    fn short_passages_are_shown_whole_and_on_one_line() {
        assert_eq!(of("- a\n  b\n", &["b"], 80), "- a b");
    }

    #[test]
    fn a_memory_is_shown_without_the_programs_own_remarks_and_empty_sections() {
        let page = "# Mira\n<!-- Type: person | Created: 2026-01-01 -->\n\n## Summary\n\n## Facts\n\
                    - ~~Lives in Bremen~~ <!-- since:2026-01-01 | superseded:2026-03-01 -->\n\
                    - Lives in Lyon <!-- since:2026-03-01 | confidence:0.9 -->\n- Rows <!-- id:r -->\n- Likes tea <!-- since:2026-03-02 | confidence:0.60 -->\n\n## Timeline\n";
        assert_eq!(
            readable(page),
            "# Mira\n## Facts\n- ~~Lives in Bremen~~ (2026-01-01 to 2026-03-01)\n- Lives in Lyon (since 2026-03-01)\n- Rows\n\
             - Likes tea (unsure, since 2026-03-02)"
        );
        // A person's remark, code, and what is nothing else stay.
        for text in ["Use `<!-- x -->` here", "a <!-- why? -->", "<!-- Type: person -->", "## Plan"] {
            assert_eq!(readable(text), text);
        }
    }

    #[test]
    fn text_without_spaces_is_cut_between_graphemes() {
        let shown = of(&"👩‍👩‍👧‍👦".repeat(50), &[], 30);
        assert_eq!(shown, format!("{}…", "👩‍👩‍👧‍👦".repeat(4)));
    }
}
