//! Text to rows of the table: BERT's WordPiece, without case and accents.
//!
//! Letters and digits make words; every other visible character, and every Chinese or Japanese one of the common
//! blocks, stands alone. A word is cut into the longest tokens from its start; one that cannot be cut is left out.
//! Nothing is allocated per word.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use super::table::{CONTINUED, START, Table, hash};

/// The longest word in bytes that is looked at. Longer ones are no words.
const LONGEST_WORD: usize = 200;

/// Calls `each` with the row of every known token of the text, in order.
pub(super) fn rows(table: &Table, text: &str, mut each: impl FnMut(usize)) {
    words(text, |word| pieces(table, word, &mut each));
}

/// The row of a word that is one token.
pub(super) fn whole_word(table: &Table, word: &str) -> Option<usize> {
    let (mut row, mut count) = (None, 0);
    words(word, |word| {
        count += 1;
        let bytes = word.as_bytes();
        row = table.find(bytes, false, bytes.iter().fold(START, |before, byte| hash(before, *byte)));
    });
    row.filter(|_| count == 1)
}

/// Calls `each` with every word of the text in lower case, accents taken off.
fn words(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::with_capacity(LONGEST_WORD);
    let mut finish = |word: &mut String| {
        if !word.is_empty() {
            if word.len() < LONGEST_WORD {
                each(word);
            }
            word.clear();
        }
    };
    for mark in text.chars() {
        if mark.is_ascii() {
            if mark.is_ascii_alphanumeric() {
                if word.len() < LONGEST_WORD {
                    word.push(mark.to_ascii_lowercase());
                }
            } else if !mark.is_ascii_control() || mark.is_ascii_whitespace() {
                finish(&mut word);
                if !mark.is_ascii_whitespace() {
                    word.push(mark);
                    finish(&mut word);
                }
            }
            continue;
        }
        for lower in mark.to_lowercase() {
            decompose_canonical(lower, |mark| {
                if is_combining_mark(mark) || is_invisible(mark) {
                    return;
                }
                let alone = is_han(mark) || !(mark.is_alphanumeric() || mark.is_whitespace());
                if alone || mark.is_whitespace() {
                    finish(&mut word);
                }
                if !mark.is_whitespace() && word.len() < LONGEST_WORD {
                    word.push(mark);
                }
                if alone {
                    finish(&mut word);
                }
            });
        }
    }
    finish(&mut word);
}

/// Calls `each` with the rows of a word, or not at all if a part of it is in no token.
#[inline]
fn pieces(table: &Table, word: &str, each: &mut impl FnMut(usize)) {
    let bytes = word.as_bytes();
    let mut found = [0; LONGEST_WORD];
    let mut count = 0;
    let mut start = 0;
    while start < bytes.len() {
        let Some((row, end)) = longest_piece(table, bytes, start) else { return };
        found[count] = row;
        count += 1;
        start = end;
    }
    found[..count].iter().copied().for_each(each);
}

/// The longest token that starts at `start`, and where it ends.
#[inline]
fn longest_piece(table: &Table, word: &[u8], start: usize) -> Option<(usize, usize)> {
    let continued = start > 0;
    let longest = table.longest.min(word.len() - start).min(LONGEST_WORD);
    let mut hashes = [0; LONGEST_WORD];
    let mut running = if continued { CONTINUED } else { START };
    for (length, byte) in word[start..start + longest].iter().enumerate() {
        running = hash(running, *byte);
        hashes[length] = running;
    }
    (1..=longest).rev().find_map(|length| {
        let row = table.find(&word[start..start + length], continued, hashes[length - 1])?;
        Some((row, start + length))
    })
}

/// Characters that are not seen: controls, joiners, marks of direction, the byte order mark.
fn is_invisible(mark: char) -> bool {
    mark.is_control()
        || matches!(mark, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}')
        || matches!(mark, '\u{feff}' | '\u{fffd}')
}

fn is_han(mark: char) -> bool {
    matches!(mark, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        words(text, |word| found.push(word.to_owned()));
        found
    }

    #[test]
    fn words_lose_case_and_accents() {
        assert_eq!(words_of("Naïve  Café,\tÉCOLE İstanbul"), ["naive", "cafe", ",", "ecole", "istanbul"]);
    }

    #[test]
    fn punctuation_symbols_and_chinese_stand_alone() {
        assert_eq!(words_of("e-mail_5€ 中文a。"), ["e", "-", "mail", "_", "5", "€", "中", "文", "a", "。"]);
    }

    #[test]
    fn what_is_not_seen_is_not_there() {
        assert_eq!(words_of("\u{feff}so\u{ad}ft\u{200b} wo\u{0}rd"), ["soft", "word"]);
    }

    #[test]
    fn a_word_is_cut_into_the_longest_tokens() {
        let table = Table::compiled_in();
        let mut names = Vec::new();
        rows(&table, "unbelievableness", |row| names.push(table.name(row)));
        assert_eq!(names, ["unbelievable", "ness"]);
    }
}
