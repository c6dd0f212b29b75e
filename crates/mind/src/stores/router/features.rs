//! What the learned weights look at: the words of a sentence and what they end in, its signals, and
//! which signals come together.
//!
//! A feature is a short text, such as `w:en_yesterday` (a word), `b:de_für_immer` (two words in a row), `e:ko_했어` (how the
//! sentence ends) or `s:Past+Clock` (two signals); a space in it is written `_`. Numbers are all alike.

use super::signal::{Signal, Signals};
use crate::wording::Language;

/// Words shorter than this show no ending of two or three letters.
const INFLECTED: usize = 4;
/// How many characters at the end of a sentence are looked at, in a language that ends its sentences with the verb.
const ENDING: usize = 4;

/// The features of a sentence in plain form, sorted, each once.
pub(super) fn of(plain: &str, language: Language, signals: Signals) -> Vec<String> {
    let mut found = Vec::with_capacity(512);
    let code = language.code();
    found.push(format!("l:{code}"));
    match language {
        Language::English | Language::German => spaced(plain, code, &mut found),
        Language::Korean | Language::Chinese => unspaced(plain, language, &mut found),
    }
    let shown: Vec<Signal> =
        Signal::ALL.into_iter().filter(|each| signals.hold(Signals::of(&[*each]))).collect();
    for (place, first) in shown.iter().enumerate() {
        found.push(format!("s:{first:?}"));
        found.push(format!("s:{code}_{first:?}"));
        found.extend(shown[place + 1..].iter().map(|second| format!("s:{first:?}+{second:?}")));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Words, pairs of words, endings of words; the first word, the last two.
fn spaced(plain: &str, code: &str, found: &mut Vec<String>) {
    let is_number = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    let words: Vec<&str> =
        plain.split_ascii_whitespace().map(|word| if is_number(word) { "0" } else { word }).collect();
    let mut previous = "^";
    for word in words.iter().copied().chain(["$"]) {
        found.push(format!("b:{code}_{previous}_{word}"));
        previous = word;
    }
    for word in &words {
        found.push(format!("w:{code}_{word}"));
        let starts: Vec<usize> = word.char_indices().map(|each| each.0).collect();
        if starts.len() >= INFLECTED {
            for letters in [2, 3] {
                found.push(format!("x:{code}_{}", &word[starts[starts.len() - letters]..]));
            }
        }
    }
    if let [first, ..] = words[..] {
        found.push(format!("a:{code}_{first}"));
        found.push(format!("e:{code}_{}", words[words.len().saturating_sub(2)..].join("_")));
    }
}

/// Runs of characters, since particles and endings are attached or words not parted at all; how the sentence begins and
/// ends.
fn unspaced(plain: &str, language: Language, found: &mut Vec<String>) {
    let code = language.code();
    let mut characters: Vec<char> = Vec::with_capacity(plain.len());
    for character in plain.chars() {
        match character {
            '0'..='9' if characters.last() == Some(&'0') => {}
            '0'..='9' => characters.push('0'),
            ' ' if language == Language::Chinese => {}
            ' ' => characters.push('_'),
            other => characters.push(other),
        }
    }
    let run = |of: &[char]| of.iter().collect::<String>();
    found.extend(characters.windows(2).map(|each| format!("c:{code}_{}", run(each))));
    if language == Language::Chinese {
        found.extend(characters.iter().map(|each| format!("c:{code}_{each}")));
    } else {
        found.extend(plain.split_ascii_whitespace().map(|word| format!("w:{code}_{word}")));
    }
    let is_edge = |character: &char| matches!(character, '_' | '.' | '!' | '~');
    let end = characters.iter().rposition(|each| !is_edge(each)).map_or(0, |last| last + 1);
    for length in 1..=ENDING.min(end) {
        found.push(format!("e:{code}_{}", run(&characters[end - length..end])));
    }
    let start = characters[..end].iter().position(|each| !is_edge(each)).unwrap_or(end);
    found.push(format!("a:{code}_{}", run(&characters[start..end.min(start + 2)])));
}
