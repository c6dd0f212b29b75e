//! What a text must hold for a pattern to match at all.
//!
//! A pattern is walked for clauses: sets of words one of which is in every match. Words are compared with ASCII letters in lower
//! case, so that a pattern without case needs no word in every case. What is not understood says nothing, which is always right.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The most words of one clause, and of what a part of a pattern can be.
const MOST: usize = 160;
/// The most characters that one place of a pattern may have.
const MOST_CHARACTERS: usize = 8;
/// A word with so many bytes is worth looking for.
const SHORTEST: usize = 2;

type Words = Vec<Vec<u8>>;

/// The most clauses that are looked for.
const MOST_CLAUSES: usize = 3;
/// The most bytes of a word that are looked for; more would hardly tell more.
const LONGEST: usize = 12;

/// The line of a pattern in a file of words (`words`); empty where nothing is known.
pub(super) fn line(hir: &Hir) -> String {
    let mut clauses: Vec<Words> = part(hir).clauses().into_iter().filter_map(shortened).collect();
    clauses.sort_by_key(|words| std::cmp::Reverse(worth(words)));
    clauses.dedup();
    let is_text = |words: &Words| {
        let has_sign = |word: &Vec<u8>| word.iter().any(|byte| matches!(byte, b'|' | b'\t' | b'\n' | b'\r'));
        words.iter().all(|word| std::str::from_utf8(word).is_ok() && !has_sign(word))
    };
    let written = |words: Words| {
        let words: Vec<String> = words.into_iter().filter_map(|word| String::from_utf8(word).ok()).collect();
        format!("|{}|", words.join("|"))
    };
    let lines = clauses.into_iter().filter(is_text).take(MOST_CLAUSES).map(written);
    lines.collect::<Vec<_>>().join("\t")
}

/// The beginnings of words.
fn shortened(words: Words) -> Option<Words> {
    let short = |word: Vec<u8>| match std::str::from_utf8(&word) {
        Ok(text) => text.as_bytes()[..text.floor_char_boundary(LONGEST)].to_vec(),
        Err(_) => word,
    };
    useful(words.into_iter().map(short).collect())
}

/// What is known of a part of a pattern.
#[derive(Default)]
struct Part {
    /// All that it can match.
    exact: Option<Words>,
    /// Of each, one word is in every match.
    clauses: Vec<Words>,
}

impl Part {
    fn exactly(mut words: Words) -> Self {
        words.sort_unstable();
        words.dedup();
        Self { exact: (words.len() <= MOST).then_some(words), clauses: Vec::new() }
    }

    /// Every clause that is worth anything.
    fn clauses(self) -> Vec<Words> {
        let mut clauses = self.clauses;
        clauses.extend(self.exact.and_then(useful));
        clauses
    }
}

fn part(hir: &Hir) -> Part {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Part::exactly(vec![Vec::new()]),
        HirKind::Literal(literal) => Part::exactly(vec![literal.0.to_ascii_lowercase()]),
        HirKind::Class(class) => characters(class).map_or_else(Part::default, Part::exactly),
        HirKind::Capture(capture) => part(&capture.sub),
        HirKind::Repetition(repetition) => {
            if repetition.min == 0 && repetition.max != Some(1) {
                return Part::default();
            }
            let inner = part(&repetition.sub);
            match (repetition.min, repetition.max) {
                (0, _) => inner.exact.map_or_else(Part::default, |mut words| {
                    words.push(Vec::new());
                    Part::exactly(words)
                }),
                (1, Some(1)) => inner,
                _ => Part { exact: None, clauses: inner.clauses() },
            }
        }
        HirKind::Concat(parts) => concatenation(parts),
        HirKind::Alternation(parts) => alternation(parts),
    }
}

/// The characters of a class, where they are few.
fn characters(class: &Class) -> Option<Words> {
    let mut characters = Words::new();
    let mut add = |character: char| {
        let mut word = character.to_string().into_bytes();
        word.make_ascii_lowercase();
        if !characters.contains(&word) {
            characters.push(word);
        }
        characters.len() <= MOST_CHARACTERS
    };
    let is_small = match class {
        Class::Unicode(class) => class.iter().flat_map(|range| range.start()..=range.end()).all(&mut add),
        Class::Bytes(class) => {
            let mut bytes = class.iter().flat_map(|range| range.start()..=range.end());
            bytes.all(|byte| byte.is_ascii() && add(char::from(byte)))
        }
    };
    is_small.then_some(characters)
}

fn alternation(parts: &[Hir]) -> Part {
    let (mut exact, mut union) = (Some(Words::new()), Some(Words::new()));
    for part in parts.iter().map(part) {
        exact = exact.zip(part.exact.as_ref()).map(|(mut words, more)| {
            words.extend(more.iter().cloned());
            words
        });
        let best = part.clauses().into_iter().max_by_key(worth);
        union = union.zip(best).map(|(mut words, more)| {
            words.extend(more);
            words
        });
    }
    match exact.map(Part::exactly) {
        Some(part) if part.exact.is_some() => part,
        _ => Part { exact: None, clauses: union.and_then(useful).into_iter().collect() },
    }
}

fn concatenation(parts: &[Hir]) -> Part {
    let mut running = vec![Vec::new()];
    let mut clauses = Vec::new();
    let mut is_exact = true;
    for next in parts.iter().map(part) {
        match next.exact {
            Some(words) if words.len() * running.len() <= MOST => {
                running = running
                    .iter()
                    .flat_map(|before| words.iter().map(|after| [&before[..], after].concat()))
                    .collect();
            }
            // What follows goes on from these words, where they are known.
            other => {
                is_exact = false;
                let words = other.unwrap_or_else(|| vec![Vec::new()]);
                clauses.extend(useful(std::mem::replace(&mut running, words)));
                clauses.extend(next.clauses);
            }
        }
    }
    match is_exact {
        true => Part::exactly(running),
        false => {
            clauses.extend(useful(running));
            Part { exact: None, clauses }
        }
    }
}

/// The words without those that hold another of them; nothing where one is too short to say anything.
fn useful(mut words: Words) -> Option<Words> {
    if words.is_empty() || shortest(&words) < SHORTEST || words.len() > 4 * MOST {
        return None;
    }
    words.sort_unstable_by_key(Vec::len);
    let mut kept = Words::new();
    for word in words {
        if !kept.iter().any(|other| memchr::memmem::find(&word, other).is_some()) {
            kept.push(word);
        }
    }
    (kept.len() <= MOST).then_some(kept)
}

fn shortest(words: &Words) -> usize {
    words.iter().map(Vec::len).min().unwrap_or(0)
}

/// Long words are rare ones, and few are rarer than many.
fn worth(words: &Words) -> (usize, std::cmp::Reverse<usize>) {
    (shortest(words), std::cmp::Reverse(words.len()))
}
