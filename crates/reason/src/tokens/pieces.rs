//! Cutting a text into the pieces of which no token reaches into another.
//!
//! The encoding defines pieces by a pattern: a contraction; letters with one sign before them; up to three digits; signs with one
//! space before and line ends behind them; white space up to its last line end; white space but for its last character, which
//! belongs to what follows. What it takes for a letter outside of ASCII is what the `regex` crates take for one.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};

/// The pieces of a text, in order and without gaps.
pub(super) fn of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(first_piece(rest)?);
        rest = after;
        Some(piece)
    })
}

/// How long the first piece is.
fn first_piece(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let after = &text[first.len_utf8()..];
    if let Some(length) = contraction(text) {
        return Some(length);
    }
    if is_letter(first) {
        return Some(run(text, is_letter));
    }
    if is_number(first) {
        return Some(text.chars().take_while(|each| is_number(*each)).take(3).map(char::len_utf8).sum());
    }
    let letters = if is_line_end(first) { 0 } else { run(after, is_letter) };
    if letters > 0 {
        return Some(first.len_utf8() + letters);
    }
    let space = usize::from(first == ' ');
    let signs = run(&text[space..], is_sign);
    if signs > 0 {
        let end = space + signs;
        return Some(end + run(&text[end..], is_line_end));
    }
    let white = &text[..run(text, char::is_whitespace)];
    if let Some(line_end) = white.rfind(is_line_end) {
        return Some(line_end + 1);
    }
    let last = white.chars().next_back().map_or(0, char::len_utf8);
    let is_whole = white.len() == text.len() || white.len() == last;
    Some(if is_whole { white.len() } else { white.len() - last })
}

/// `'s`, `'t`, `'m`, `'d`, `'re`, `'ve` or `'ll`, in any case.
fn contraction(text: &str) -> Option<usize> {
    let said = text.strip_prefix('\'')?;
    let mut letters = said.chars().map(|each| each.to_ascii_lowercase());
    match (letters.next()?, letters.next()) {
        ('s' | 't' | 'm' | 'd', _) => Some(2),
        // The long s is an s in another case.
        ('ſ', _) => Some(1 + 'ſ'.len_utf8()),
        ('r' | 'v', Some('e')) | ('l', Some('l')) => Some(3),
        _ => None,
    }
}

/// How many bytes at the beginning are such characters.
fn run(text: &str, is_one: impl Fn(char) -> bool) -> usize {
    text.find(|each| !is_one(each)).unwrap_or(text.len())
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\r' | '\n')
}

fn is_sign(character: char) -> bool {
    !character.is_whitespace() && !is_letter(character) && !is_number(character)
}

fn is_letter(character: char) -> bool {
    match character.is_ascii() {
        true => character.is_ascii_alphabetic(),
        false => holds(&LETTERS, character),
    }
}

fn is_number(character: char) -> bool {
    match character.is_ascii() {
        true => character.is_ascii_digit(),
        false => holds(&NUMBERS, character),
    }
}

/// Ranges of characters, both ends in it, in order.
type Ranges = Vec<(char, char)>;

static LETTERS: LazyLock<Ranges> = LazyLock::new(|| ranges(r"\p{L}"));
static NUMBERS: LazyLock<Ranges> = LazyLock::new(|| ranges(r"\p{N}"));

fn ranges(class: &str) -> Ranges {
    match regex_syntax::parse(class).map(regex_syntax::hir::Hir::into_kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => {
            class.iter().map(|range| (range.start(), range.end())).collect()
        }
        // Both classes are constants, and a test compares every character.
        _ => Ranges::new(),
    }
}

fn holds(ranges: &Ranges, character: char) -> bool {
    let at = ranges.partition_point(|(_, end)| *end < character);
    ranges.get(at).is_some_and(|(start, _)| *start <= character)
}
