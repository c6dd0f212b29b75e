//! The text of a note: what was said without fillers at its ends and without the phrase that asks for remembering.

use super::session::Said;
use super::wordings;
use crate::wording::Plain;

/// A sentence as a note, in the words that it was said in.
pub(super) fn note(said: &Said) -> String {
    let text = without_request(&said.text);
    let plain = Plain::of(text);
    let words: Vec<(usize, &str)> = words(&plain.text).collect();
    let says =
        |word: &str| word.chars().any(char::is_alphanumeric) && !wordings::is_filler(word, said.language);
    let Some(first) = words.iter().position(|each| says(each.1)) else { return text.to_owned() };
    // Signs that belong to the first word stay with it: a path, a quotation.
    let first = match first.checked_sub(1).map(|before| words[before].1) {
        Some("/" | "`" | "\"" | "'" | "(" | "@" | "#" | "." | "-" | "~" | "$") => first - 1,
        _ => first,
    };
    let last = words.iter().rposition(|each| says(each.1)).unwrap_or(first);
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

/// The rest after "remember that" and the like.
fn without_request(text: &str) -> &str {
    crate::stores::router::without_request(text)
}

/// With a capital where a sentence in small letters begins with an ordinary word.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
