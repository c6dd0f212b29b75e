//! What a trigger refers to: the part of the message it most likely speaks of.
//!
//! The rest of the sentence after the trigger; where nothing is left, the sentence after a colon, else what stands before the
//! trigger, else the sentence before. Of a correction, the clause of the new value.

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
    let mut rest = trigger.end.max(sentence.start)..sentence.end;
    if family == Family::SoftCorrection {
        let plain = &talk.plain.text[rest.clone()];
        let cut = words.instead_of.iter().filter_map(|word| plain.find(word)).filter(|at| *at > 1).min();
        rest.end = rest.start + cut.unwrap_or(plain.len());
    }
    let piece = |range: Range<usize>| trimmed(text, talk, range, words.leading);
    if let Some(found) = piece(rest) {
        return found;
    }
    let at_end =
        |index: usize| talk.plain.text[talk.sentences[index].plain.clone()].trim_end().ends_with(':');
    let next = || talk.sentences.get(number + 1).and_then(|sentence| piece(sentence.plain.clone()));
    let previous = || number.checked_sub(1).and_then(|before| piece(talk.sentences[before].plain.clone()));
    let found = match at_end(number) {
        true => next().or_else(|| piece(sentence.start..trigger.start)),
        false => piece(sentence.start..trigger.start).or_else(previous).or_else(next),
    };
    found.unwrap_or_default()
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
