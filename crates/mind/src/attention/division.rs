//! Dividing a file that does not fit its slot into its entries, so that those which fit can be kept.
//!
//! An entry is a list item with everything indented under it, a paragraph, a table or a fence; each stands
//! under the headings before it. Nothing is ever divided further: an entry is shown whole or not at all.

use std::collections::BTreeSet;

use rem_recall::{Language, QueryWord, document_tokens, query_words};

/// One entry of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// First line within the text, from 0.
    pub(super) first: usize,
    /// Last line within the text, inclusive.
    pub(super) last: usize,
    /// The lines of the headings it stands under, outermost first.
    pub(super) headings: Vec<usize>,
}

/// The entries of `text` in their order. Headings without entries belong to none.
pub(super) fn entries(lines: &[&str]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut headings: Vec<(usize, usize)> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut after_blank = true;
    for (index, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        let indentation = line.len() - line.trim_start().len();
        if let Some(open) = fence {
            extend(&mut entries, index);
            fence = (!closes(open, trimmed)).then_some(open);
            continue;
        }
        if trimmed.is_empty() {
            after_blank = true;
            continue;
        }
        let opened = opening_fence(trimmed);
        if let Some(level) = heading_level(line) {
            headings.retain(|(outer, _)| *outer < level);
            headings.push((level, index));
            after_blank = true;
            continue;
        }
        let is_item = indentation == 0 && is_item(trimmed);
        let goes_on = entries.last().is_some_and(|last| {
            let follows = headings.last().is_none_or(|(_, heading)| *heading < last.first);
            follows && !is_item && (indentation > 0 || !after_blank)
        });
        if goes_on {
            extend(&mut entries, index);
        } else {
            let headings = headings.iter().map(|(_, line)| *line).collect();
            entries.push(Entry { first: index, last: index, headings });
        }
        fence = opened;
        after_blank = false;
    }
    entries
}

/// How much each entry has of a question's words, the rarer ones counting more; 0 where it has none.
pub(super) fn relevance(question: &str, lines: &[&str], entries: &[Entry]) -> Vec<f64> {
    let language = Language::of(&lines.join("\n"));
    let asked = query_words(question, &[language]);
    let words_of = |entry: &Entry| -> Vec<usize> {
        let tokens: BTreeSet<String> =
            document_tokens(&lines[entry.first..=entry.last].join("\n"), language).into_iter().collect();
        let is_in = |word: &QueryWord| word.tokens.iter().any(|token| tokens.contains(token));
        (0..asked.len()).filter(|word| is_in(&asked[*word])).collect()
    };
    let found: Vec<Vec<usize>> = entries.iter().map(words_of).collect();
    let mut frequencies = vec![0.0; asked.len()];
    found.iter().flatten().for_each(|word| frequencies[*word] += 1.0);
    found.iter().map(|words| words.iter().map(|word| 1.0 / frequencies[*word]).sum()).collect()
}

fn extend(entries: &mut [Entry], line: usize) {
    if let Some(last) = entries.last_mut() {
        last.last = line;
    }
}

/// The fence that lines open and do not close: its mark and how many of them.
pub(super) fn open_fence<'l>(lines: impl Iterator<Item = &'l str>) -> Option<(char, usize)> {
    lines.fold(None, |fence, line| match fence {
        Some(open) => (!closes(open, line.trim())).then_some(open),
        None => opening_fence(line.trim()),
    })
}

fn closes((mark, length): (char, usize), trimmed: &str) -> bool {
    let run = trimmed.chars().take_while(|each| *each == mark).count();
    run >= length && trimmed.chars().all(|each| each == mark)
}

fn opening_fence(trimmed: &str) -> Option<(char, usize)> {
    let mark = trimmed.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = trimmed.chars().take_while(|each| *each == mark).count();
    (length >= 3 && !(mark == '`' && trimmed[length..].contains('`'))).then_some((mark, length))
}

fn heading_level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    ((1..=6).contains(&level) && line[level..].starts_with([' ', '\t'])).then_some(level)
}

fn is_item(trimmed: &str) -> bool {
    let after_digits = trimmed.trim_start_matches(|each: char| each.is_ascii_digit());
    let is_numbered = after_digits.len() < trimmed.len() && after_digits.starts_with(['.', ')']);
    let rest =
        if is_numbered { &after_digits[1..] } else { trimmed.strip_prefix(['-', '*', '+']).unwrap_or("") };
    rest.starts_with([' ', '\t'])
}

/// The entries at the beginning of a text that fit into so many bytes.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text.trim_end();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut ends = Vec::with_capacity(lines.len());
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        ends.push(end);
    }
    let entries = entries(&lines);
    let fitting = entries.iter().map(|entry| ends[entry.last]).take_while(|end| *end <= most).last();
    text[..fitting.unwrap_or(0)].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_between_entries() {
        let text = "# List\n\n- one\n- two\n  more\n- three\n";
        assert_eq!(beginning(text, 1_000), text.trim_end());
        assert_eq!(beginning(text, 30), "# List\n\n- one\n- two\n  more");
        assert_eq!(beginning(text, 20), "# List\n\n- one");
        assert_eq!(beginning(text, 10), "");
    }

    #[test]
    fn items_paragraphs_and_fences_are_entries_under_their_headings() {
        let text =
            "# Title\n\n## One\n- a\n  more\n- b\n\nwords\nwords\n\n```\n# code\n\n- code\n```\n## Two\n1. c";
        let lines: Vec<&str> = text.lines().collect();
        let found: Vec<(usize, usize, Vec<usize>)> =
            entries(&lines).into_iter().map(|entry| (entry.first, entry.last, entry.headings)).collect();
        let one = vec![0, 2];
        assert_eq!(
            found,
            [
                (3, 4, one.clone()),
                (5, 5, one.clone()),
                (7, 8, one.clone()),
                (10, 14, one),
                (16, 16, vec![0, 15])
            ]
        );
    }
}
