//! The text of a note: what was said without fillers at its ends and without the phrase that asks for remembering.

use super::session::Said;
use super::wordings;
use crate::wording::Plain;

/// A sentence as a note, in the words that it was said in.
pub(super) fn note(said: &Said) -> String {
    let text = without_request(said);
    let plain = Plain::of(text);
    let words: Vec<(usize, &str)> = words(&plain.text).collect();
    let is_word = |at: usize| words.get(at).is_none_or(|each| each.1.chars().any(char::is_alphanumeric));
    let says = |at: usize, is_beside_sign: bool| {
        is_word(at) && !wordings::is_filler(words[at].1, is_beside_sign, said.language)
    };
    // From outside in: a word that says nothing only beside a sign does so as long as nothing was said yet.
    let first = (0..words.len()).find(|at| says(*at, leads_to_sign(&words, *at, said)));
    let Some(first) = first else { return text.to_owned() };
    let last = (first..words.len()).rev().find(|at| says(*at, *at > 0 && !is_word(*at - 1))).unwrap_or(first);
    // Signs that belong to the first word stay with it: a path, a quotation.
    let first = match first.checked_sub(1).map(|before| words[before].1) {
        Some("/" | "`" | "\"" | "'" | "(" | "@" | "#" | "." | "-" | "~" | "$") => first - 1,
        _ => first,
    };
    let start = plain.origin(words[first].0).unwrap_or(0);
    let end = plain.origin(words[last].0 + words[last].1.len() - 1).unwrap_or(text.len());
    let end = end + text[end..].chars().next().map_or(0, char::len_utf8);
    let rest = &text[end..];
    // What closes the sentence stays: a bracket, a quotation, a unit.
    let closing = rest.find(|sign: char| {
        !matches!(sign, ')' | '"' | '”' | '“' | '\'' | '’' | '`' | '%' | '°' | '€' | '$' | '」' | '』' | '》')
    });
    capitalised(text[start..end + closing.unwrap_or(rest.len())].trim())
}

/// Whether from this word on only words that may be fillers stand before a sign: `no wait , `.
fn leads_to_sign(words: &[(usize, &str)], at: usize, said: &Said) -> bool {
    let rest = words[at..].iter().map(|each| each.1);
    let mut after = rest.skip_while(|word| {
        word.chars().any(char::is_alphanumeric) && wordings::is_filler(word, true, said.language)
    });
    after.next().is_some_and(|word| !word.chars().any(char::is_alphanumeric))
}

fn words(plain: &str) -> impl Iterator<Item = (usize, &str)> {
    plain
        .split(' ')
        .scan(0, |at, word| {
            let begin = *at;
            *at += word.len() + 1;
            Some((begin, word))
        })
        .filter(|each| !each.1.is_empty())
}

/// The rest after "remember that" and the like, without the sign of a question where that was one.
fn without_request(said: &Said) -> &str {
    let text = said.text.as_str();
    let plain = Plain::of(text);
    let asked = wordings::after_request(&plain.text, said.language).and_then(|after| plain.origin(after));
    match asked {
        Some(after) => text[after..].trim_end_matches(['?', '？', ' ']),
        None => crate::stores::router::without_request(text),
    }
}

/// With a capital where a sentence in small letters begins with an ordinary word.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
