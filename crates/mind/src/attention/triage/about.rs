//! What a trigger refers to: the part of the message it most likely speaks of.
//!
//! The rest of the sentence after the trigger, with the words of the trigger that begin it ("forget my" says nothing, "my address"
//! does); where nothing is left but words that end a request, the sentence after a colon, else the object inside the trigger, else
//! what stands before the trigger, else the sentence before. Of a correction, the clause of the new value.

use std::ops::Range;

use super::Family;
use crate::wording::Talk;

/// A language's small words around what is spoken of. Each list is words between spaces, as in plain form.
#[derive(Debug)]
pub(super) struct About {
    /// What leads from a trigger to its object: `that`, `dass`.
    pub(super) leading: &'static str,
    /// What comes before a value that is no longer so: `not`, `instead of`. Spaces at both ends.
    pub(super) instead_of: &'static [&'static str],
    /// What begins what is spoken of, and which a trigger may end with or hold: `my`, `what`.
    pub(super) opening: &'static [&'static str],
    /// What comes after an object inside a trigger: `into your`. Spaces at both ends, where the language has them.
    pub(super) closing: &'static [&'static str],
    /// What ends a request and is no object: `please`, `somewhere`.
    pub(super) trailing: &'static str,
}

/// The text that the trigger at these bytes of the plain form refers to.
pub(super) fn about(
    text: &str,
    talk: &Talk,
    number: usize,
    trigger: &Range<usize>,
    family: Family,
    words: &About,
) -> String {
    let sentence = talk.sentences[number].plain.clone();
    let plain = talk.plain.text.as_str();
    let piece = |range: Range<usize>| trimmed(text, talk, range, words.leading);
    let mut end = trigger.end.max(sentence.start);
    // Hangul has what ends a verb after it.
    if plain[..end].ends_with(crate::wording::is_hangul) {
        end += plain[end..].find(' ').unwrap_or(0);
    }
    // Chinese has what says that it is done; "了解" is a verb.
    if plain[end..].starts_with('了') && !plain[end..].starts_with("了解") {
        end += '了'.len_utf8();
    }
    let mut rest = opened(plain, trigger.start..end, words.opening)..sentence.end.max(end);
    if family == Family::SoftCorrection {
        rest.end = rest.start + before_any(&plain[rest.clone()], words.instead_of);
    }
    if plain[rest.clone()].split(' ').any(|word| is_said(word, words.trailing))
        && let Some(found) = piece(rest)
    {
        return found;
    }
    let at_end =
        |index: usize| talk.plain.text[talk.sentences[index].plain.clone()].trim_end().ends_with(':');
    let next = || talk.sentences.get(number + 1).and_then(|sentence| piece(sentence.plain.clone()));
    let previous = || number.checked_sub(1).and_then(|before| piece(talk.sentences[before].plain.clone()));
    let before = || piece(sentence.start..trigger.start);
    let found = if at_end(number) {
        next().or_else(before)
    } else if family == Family::SoftCorrection {
        // The trigger holds the new value: the clause says of what.
        let told = sentence.start + before_any(&plain[sentence.clone()], words.instead_of);
        let is_told = plain[trigger.clone()].split(' ').any(|word| is_said(word, words.trailing));
        let clause = is_told.then(|| piece(sentence.start..told.max(trigger.start))).flatten();
        clause.or_else(before).or_else(previous)
    } else {
        inside(plain, trigger.start..end, words)
            .and_then(piece)
            .or_else(before)
            .or_else(previous)
            .or_else(next)
    };
    found.unwrap_or_default()
}

/// Where the words begin that end a trigger and begin what it speaks of.
fn opened(plain: &str, trigger: Range<usize>, opening: &[&str]) -> usize {
    let mut start = trigger.end;
    loop {
        let head = plain[trigger.start..start].trim_end();
        let is_word = |word: &&&str| {
            head.strip_suffix(**word).is_some_and(|before| {
                before.ends_with(' ')
                    || !before.is_empty()
                        && !word.starts_with(|each: char| each.is_ascii() || crate::wording::is_hangul(each))
            })
        };
        // The longest: of `我的` and `我` the first.
        let Some(word) = opening.iter().filter(is_word).max_by_key(|word| word.len()) else { return start };
        start = trigger.start + head.len() - word.len();
    }
}

/// The object that a trigger holds: from a word that begins one to what comes after it.
fn inside(plain: &str, trigger: Range<usize>, words: &About) -> Option<Range<usize>> {
    let text = &plain[trigger.clone()];
    let first = text.len() - text.trim_start().len();
    let begin = text[first..].find(' ').map(|at| first + at)?;
    let starts = words.opening.iter().filter_map(|word| text[begin..].find(&format!(" {word} ")));
    let start = begin + starts.min()?;
    let object = &text[start..];
    let end = match before_any(object, words.closing) {
        // The last word is the trigger's own.
        end if end == object.len() => object.trim_end().rfind(' ').unwrap_or(end),
        end => end,
    };
    Some(trigger.start + start..trigger.start + start + end)
}

/// How much of a text stands before the first of these pieces; all of it where there is none.
fn before_any(text: &str, pieces: &[&str]) -> usize {
    pieces.iter().filter_map(|piece| text.find(piece)).filter(|at| *at > 1).min().unwrap_or(text.len())
}

/// Whether a word says anything: no sign, none of these.
fn is_said(word: &str, trailing: &str) -> bool {
    word.chars().any(char::is_alphanumeric) && !crate::wording::contains(trailing, word)
}

/// The original of a range of the plain form without signs and leading words around it; `None` where nothing is left.
fn trimmed(text: &str, talk: &Talk, mut range: Range<usize>, leading: &str) -> Option<String> {
    let is_sign = |word: &str| !word.chars().any(char::is_alphanumeric);
    loop {
        let plain = &talk.plain.text[range.clone()];
        let start = plain.len() - plain.trim_start().len();
        let word = plain[start..].split(' ').next().unwrap_or_default();
        if word.is_empty() {
            return None;
        }
        if !is_sign(word) && !crate::wording::contains(leading, word) {
            break;
        }
        range.start += start + word.len();
    }
    loop {
        let plain = talk.plain.text[range.clone()].trim_end();
        let word = plain.rsplit(' ').next().unwrap_or_default();
        range.end = range.start + plain.len();
        if !is_sign(word) {
            break;
        }
        range.end -= word.len();
    }
    talk.original(text, range).map(|span| text[span].to_owned())
}
