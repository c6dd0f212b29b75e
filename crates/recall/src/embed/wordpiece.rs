//! Text to rows of the table: BERT's WordPiece, without case and accents, and words of other languages.
//!
//! Letters and digits make words; every other visible character stands alone. A word is cut into the longest tokens from
//! its start; one that cannot be cut is left out. Words of other languages are never pieces of one in Latin letters.
//! Chinese, Japanese and Korean are cut into the longest words of the table, and what lies between is passed over.
//! Nothing is allocated per word.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use super::table::{CONTINUED, START, Table, hash};

/// The longest word in bytes that is looked at. Longer ones are no words.
const LONGEST_WORD: usize = 200;

/// A run of Chinese, Japanese or Korean is cut here at the latest.
const LONGEST_RUN: usize = 180;

/// How the letters of a word become tokens.
#[derive(Clone, Copy, PartialEq)]
enum Script {
    /// Words lie between spaces.
    Spaced,
    /// Chinese and Japanese: nothing says where a word ends.
    Han,
    /// Korean, in its decomposed letters: endings are joined to words.
    Hangul,
}

/// Calls `each` with the row of every known token of the text, in order.
pub(super) fn rows(table: &Table, text: &str, mut each: impl FnMut(usize)) {
    words(text, |word, script| match script {
        Script::Spaced => pieces(table, word, &mut each),
        Script::Han | Script::Hangul => run(table, word, &mut each),
    });
}

/// The row of a word that is one token.
pub(super) fn whole_word(table: &Table, word: &str) -> Option<usize> {
    let (mut row, mut count) = (None, 0);
    words(word, |word, _| {
        count += 1;
        let bytes = word.as_bytes();
        row = table.find(bytes, false, bytes.iter().fold(START, |before, byte| hash(before, *byte)));
    });
    row.filter(|_| count == 1)
}

/// The word that is being read.
struct Reader<F> {
    word: String,
    script: Script,
    each: F,
}

impl<F: FnMut(&str, Script)> Reader<F> {
    fn letter(&mut self, letter: char, script: Script) {
        if script != self.script || (script != Script::Spaced && self.word.len() >= LONGEST_RUN) {
            self.finish();
            self.script = script;
        }
        if self.word.len() < LONGEST_WORD {
            self.word.push(letter);
        }
    }

    fn alone(&mut self, mark: char) {
        self.finish();
        self.letter(mark, Script::Spaced);
        self.finish();
    }

    fn finish(&mut self) {
        if !self.word.is_empty() && self.word.len() < LONGEST_WORD {
            (self.each)(&self.word, self.script);
        }
        self.word.clear();
    }
}

/// Calls `each` with every word of the text in lower case, accents taken off.
fn words(text: &str, each: impl FnMut(&str, Script)) {
    let mut reader = Reader { word: String::with_capacity(LONGEST_WORD + 4), script: Script::Spaced, each };
    for mark in text.chars() {
        if mark.is_ascii_alphanumeric() {
            reader.letter(mark.to_ascii_lowercase(), Script::Spaced);
        } else if mark.is_ascii_graphic() {
            reader.alone(mark);
        } else if mark.is_whitespace() {
            reader.finish();
        } else if !mark.is_ascii() {
            for lower in mark.to_lowercase() {
                decompose_canonical(lower, |mark| {
                    if is_combining_mark(mark) || is_invisible(mark) {
                    } else if mark.is_alphanumeric() {
                        reader.letter(mark, script(mark));
                    } else {
                        reader.alone(mark);
                    }
                });
            }
        }
    }
    reader.finish();
}

/// Calls `each` with the rows of a word, or not at all if a part of it is in no token.
#[inline]
fn pieces(table: &Table, word: &str, each: &mut impl FnMut(usize)) {
    let bytes = word.as_bytes();
    let mut found = [0; LONGEST_WORD];
    let mut count = 0;
    let mut start = 0;
    while start < bytes.len() {
        let fits = |row, end| row < table.english || (start == 0 && end == bytes.len());
        let Some((row, end)) = longest(table, bytes, start, start > 0, fits) else { return };
        found[count] = row;
        count += 1;
        start = end;
    }
    found[..count].iter().copied().for_each(each);
}

/// Calls `each` with the rows of the longest words that a run of letters can be cut into.
fn run(table: &Table, run: &str, each: &mut impl FnMut(usize)) {
    let mut start = 0;
    while let Some(letter) = run[start..].chars().next() {
        let fits = |_, end: usize| !run[end..].starts_with(|next| matches!(next, '\u{1160}'..='\u{11ff}'));
        start = match longest(table, run.as_bytes(), start, false, fits) {
            Some((row, end)) => {
                each(row);
                end
            }
            None => start + letter.len_utf8(),
        };
    }
}

/// The longest token that starts at `start` and `fits` (row, end), and where it ends.
#[inline]
fn longest(
    table: &Table,
    word: &[u8],
    start: usize,
    continued: bool,
    fits: impl Fn(usize, usize) -> bool,
) -> Option<(usize, usize)> {
    let longest = table.longest.min(word.len() - start).min(LONGEST_WORD);
    let mut hashes = [0; LONGEST_WORD];
    let mut running = if continued { CONTINUED } else { START };
    for (length, byte) in word[start..start + longest].iter().enumerate() {
        running = hash(running, *byte);
        hashes[length] = running;
    }
    (1..=longest).rev().find_map(|length| {
        let end = start + length;
        let row = table.find(&word[start..end], continued, hashes[length - 1])?;
        fits(row, end).then_some((row, end))
    })
}

/// Characters that are not seen: controls, joiners, marks of direction, the byte order mark.
fn is_invisible(mark: char) -> bool {
    mark.is_control()
        || matches!(mark, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}')
        || matches!(mark, '\u{feff}' | '\u{fffd}')
}

fn script(letter: char) -> Script {
    match letter {
        '\u{1100}'..='\u{11ff}' => Script::Hangul,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => Script::Han,
        '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}' => Script::Han,
        _ => Script::Spaced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        words(text, |word, _| found.push(word.to_owned()));
        found
    }

    #[test]
    fn words_lose_case_and_accents() {
        assert_eq!(words_of("Naïve  Café,\tÉCOLE İstanbul"), ["naive", "cafe", ",", "ecole", "istanbul"]);
    }

    #[test]
    fn marks_stand_alone_and_scripts_do_not_mix() {
        assert_eq!(words_of("e-mail_5€ 中文a。"), ["e", "-", "mail", "_", "5", "€", "中文", "a", "。"]);
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

    #[test]
    fn chinese_and_korean_are_cut_into_words_and_endings_are_passed_over() {
        let table = Table::compiled_in();
        let names = |text: &str| {
            let mut names = Vec::new();
            rows(&table, text, |row| names.push(table.name(row)));
            names
        };
        assert_eq!(names("政府音乐"), ["政府", "音乐"]);
        assert_eq!(names("학교"), names("학교는")[..1]);
        assert_eq!(names("학교").len(), 1);
    }
}
