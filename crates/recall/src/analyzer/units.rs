//! Where the words of a text are: runs of letters, names in code, pictographs, and runs of ideographs. Pure.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::{LONGEST_TOKEN, is_ideograph};

/// A name with signs after it, such as `notepad++`, has at most so many letters.
const LONGEST_SIGNED: usize = 12;

pub(super) enum Unit<'a> {
    Word(&'a str),
    /// Something written together from several parts: a name in code, a path, an address.
    Identifier(&'a str, Vec<&'a str>),
    Ideographs(&'a str),
}

/// Calls `visit` for each unit of the text, with its byte range in `text` (for text that normalisation changes,
/// the range of the piece between two white spaces).
pub(super) fn for_each_unit(text: &str, mut visit: impl FnMut(Unit<'_>, Range<usize>)) {
    let mut offset = 0;
    for chunk in text.split_inclusive(char::is_whitespace) {
        let start = offset;
        offset += chunk.len();
        let chunk = chunk.trim_end();
        if chunk.is_empty() {
            continue;
        }
        let composed: Cow<'_, str> =
            if chunk.is_ascii() { Cow::Borrowed(chunk) } else { Cow::Owned(chunk.nfkc().collect()) };
        let is_changed = composed != chunk;
        let mut rest: &str = &composed;
        while !rest.is_empty() {
            let Some(kind) = rest.chars().next().map(Kind::of) else { break };
            let end = rest.find(|character| Kind::of(character) != kind).unwrap_or(rest.len());
            let (piece, tail) = rest.split_at(end);
            let inside = composed.len() - rest.len();
            rest = tail;
            let place = |range: Range<usize>| {
                if is_changed {
                    start..start + chunk.len()
                } else {
                    start + inside + range.start..start + inside + range.end
                }
            };
            match kind {
                Kind::Ideograph => visit(Unit::Ideographs(piece), place(0..piece.len())),
                Kind::Pictograph => visit_pictographs(piece, &mut visit, place),
                Kind::Other => visit_words(piece, &mut visit, place),
            }
        }
    }
}

/// What stands together.
#[derive(PartialEq)]
enum Kind {
    Ideograph,
    Pictograph,
    Other,
}

impl Kind {
    fn of(character: char) -> Self {
        match character {
            _ if character.is_ascii() => Self::Other,
            _ if is_ideograph(character) => Self::Ideograph,
            _ if is_pictograph(character) => Self::Pictograph,
            _ => Self::Other,
        }
    }
}

/// Emoji and other pictures that are a sign of text, with the tones of skin. What joins them or chooses how they look is none.
pub(crate) fn is_pictograph(character: char) -> bool {
    matches!(u32::from(character),
        0x2300..=0x23FF | 0x2600..=0x27BF | 0x2B1B..=0x2B1C | 0x2B50..=0x2B55 | 0x1F000..=0x1FAFF)
}

/// Each pictograph is a word; a flag is the two letters of its country, and a tone of skin is nothing.
fn visit_pictographs(
    piece: &str,
    visit: &mut impl FnMut(Unit<'_>, Range<usize>),
    place: impl Fn(Range<usize>) -> Range<usize>,
) {
    let is_letter = |each: char| matches!(each, '\u{1F1E6}'..='\u{1F1FF}');
    let mut signs = piece.char_indices().peekable();
    while let Some((start, sign)) = signs.next() {
        let mut end = start + sign.len_utf8();
        if is_letter(sign)
            && let Some((_, second)) = signs.next_if(|(_, second)| is_letter(*second))
        {
            end += second.len_utf8();
        }
        if !matches!(sign, '\u{1F3FB}'..='\u{1F3FF}') {
            visit(Unit::Word(&piece[start..end]), place(start..end));
        }
    }
}

fn visit_words(
    piece: &str,
    visit: &mut impl FnMut(Unit<'_>, Range<usize>),
    place: impl Fn(Range<usize>) -> Range<usize>,
) {
    let trimmed = piece.trim_matches(|character: char| !character.is_alphanumeric());
    if trimmed.is_empty() {
        return;
    }
    let start = trimmed.as_ptr() as usize - piece.as_ptr() as usize;
    let trimmed = &piece[start..start + trimmed.len() + signs_after(&piece[start..], trimmed.len())];
    if is_plain(trimmed) {
        return visit(Unit::Word(trimmed), place(start..start + trimmed.len()));
    }
    let mut parts: Vec<(usize, &str)> = Vec::new();
    for (offset, word) in trimmed.unicode_word_indices() {
        let signs = signs_after(&trimmed[offset..], word.len());
        // Of one letter alone the signs make another name.
        if signs == 0 || word.len() > 1 {
            split_identifier(word, |inside, part| parts.push((offset + inside, part)));
        }
        // A name that is all there is is kept whole below.
        if signs > 0 && (word.len() == 1 || word.len() + signs < trimmed.len()) {
            parts.push((offset, &trimmed[offset..offset + word.len() + signs]));
        }
    }
    match parts[..] {
        [] => {}
        [(offset, word)] if word.len() == trimmed.len() || !trimmed.ends_with(['+', '#']) => {
            visit(Unit::Word(word), place(start + offset..start + offset + word.len()))
        }
        // Long runs are text without spaces rather than a name.
        _ if trimmed.len() <= LONGEST_TOKEN && is_name(trimmed) => {
            let parts = parts.into_iter().map(|(_, part)| part).collect();
            visit(Unit::Identifier(trimmed, parts), place(start..start + trimmed.len()));
        }
        _ => {
            for (offset, part) in parts {
                visit(Unit::Word(part), place(start + offset..start + offset + part.len()));
            }
        }
    }
}

/// How many of the signs after the first `length` bytes of a text, which are a word, belong to it: `C++`, `C#`, `notepad++`, `C++17`.
fn signs_after(text: &str, length: usize) -> usize {
    let (head, rest) = text.split_at(length);
    let name = head.rsplit(|each: char| !each.is_ascii_alphanumeric()).next().unwrap_or_default();
    let is_name = name.starts_with(|each: char| each.is_ascii_alphabetic()) && name.len() <= LONGEST_SIGNED;
    let count = rest.bytes().take_while(|each| matches!(each, b'+' | b'#')).count();
    match rest[count..].chars().next() {
        // A version of a language; "x+1" is none.
        Some(next) if next.is_ascii_digit() && name.len() == 1 && &rest[..count] != "+" => count,
        Some(next) if next.is_alphanumeric() => 0,
        _ if is_name => count,
        _ => 0,
    }
}

/// Whether this is surely one word: most are, and need not be looked at closely.
fn is_plain(text: &str) -> bool {
    let is_lower = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.as_bytes()
        .split_first()
        .is_some_and(|(first, rest)| first.is_ascii_alphanumeric() && rest.iter().all(is_lower))
}

/// Letters, digits and the signs that hold names together.
fn is_name(text: &str) -> bool {
    text.chars().all(|each| {
        each.is_alphanumeric() || matches!(each, '_' | '-' | '.' | '/' | ':' | '@' | '+' | '#' | '\\')
    })
}

/// Splits a word at underscores, dots and changes of case: `parseHTTPHeader_v2` is parse, HTTP, Header, v2.
fn split_identifier<'a>(word: &'a str, mut part: impl FnMut(usize, &'a str)) {
    let characters: Vec<(usize, char)> = word.char_indices().collect();
    let mut start = 0;
    for (index, &(offset, character)) in characters.iter().enumerate() {
        let previous = index.checked_sub(1).map(|index| characters[index].1);
        let next = characters.get(index + 1).map(|next| next.1);
        if matches!(character, '_' | '.' | ':') {
            if offset > start {
                part(start, &word[start..offset]);
            }
            start = offset + character.len_utf8();
        } else if character.is_uppercase()
            && offset > start
            && previous.is_some_and(|previous| {
                previous.is_lowercase() || previous.is_uppercase() && next.is_some_and(char::is_lowercase)
            })
        {
            part(start, &word[start..offset]);
            start = offset;
        }
    }
    if start < word.len() {
        part(start, &word[start..]);
    }
}
