//! The part of a passage that a result shows: where the words of the question stand closest together.
//!
//! A snippet is one line of text cut at words, never through a grapheme; cut ends carry an ellipsis.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::analyzer::Highlighter;

/// At most about `length` characters of `text` around the words that the highlighter looks for.
pub(crate) fn snippet(words: &Highlighter<'_>, text: &str, length: usize) -> String {
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
    fn text_without_spaces_is_cut_between_graphemes() {
        let shown = of(&"👩‍👩‍👧‍👦".repeat(50), &[], 30);
        assert_eq!(shown, format!("{}…", "👩‍👩‍👧‍👦".repeat(4)));
    }
}
