//! The words by which people say that one thing takes the place of another, found in a text.
//!
//! A thing can be named in all the letters there are, and a pattern over all letters takes ten milliseconds to compile, more than
//! compiling a whole context does. So a line is read in plain form where it has one: other letters stand there as a letter that is in no
//! wording, other signs as a sign that is in none, each as often as it has bytes. The small pattern finds there what the full one finds in
//! the line, in the same places. Lines with characters of which that is not certain, such as `²` and combining marks, are read by
//! the full pattern. Either is compiled when a line with its words is met first.

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};
use std::sync::OnceLock;

use memchr::memmem;
use regex::Regex;

/// A wording: of two things, one takes the place of the other.
struct Wording {
    /// One of these is in every line that it matches, with ASCII letters in lower case.
    needs: &'static [&'static str],
    /// Its first thing is the old one.
    is_old_first: bool,
    /// Whether people say it of what merely happened as well, so that a word of choosing has to stand beside it.
    needs_choice: bool,
    /// The pattern, with `TERM` for a thing.
    pattern: &'static str,
    /// Letters of its own, which stay what they are in plain form.
    letters: &'static str,
}

/// English, German, Korean and Chinese.
const WORDINGS: [Wording; 9] = [
    Wording {
        needs: &["from"],
        is_old_first: true,
        needs_choice: false,
        pattern: r"(?i)\b(?:switch|mov|migrat|chang)\w*\s+(?:\w+\s+){0,3}from\s+TERM\s+to\s+TERM",
        letters: "",
    },
    Wording {
        needs: &["replac"],
        is_old_first: true,
        needs_choice: false,
        pattern: r"(?i)\breplac\w+\s+TERM\s+(?:with|by)\s+TERM",
        letters: "",
    },
    // Some cases of `s` are no ASCII letters.
    Wording {
        needs: &["tead"],
        is_old_first: false,
        needs_choice: true,
        pattern: r"(?i)TERM\s+instead\s+of\s+TERM",
        letters: "",
    },
    Wording {
        needs: &["not"],
        is_old_first: false,
        needs_choice: false,
        pattern: r"(?i)\b(?:is|are|called|named|use|it's)\s+TERM,?\s+not\s+TERM",
        letters: "",
    },
    Wording {
        needs: &["von"],
        is_old_first: true,
        needs_choice: true,
        pattern: r"(?i)\bvon\s+(?:de[rmn]\s+)?TERM\s+(?:auf|zu[mr]?)\s+(?:de[rmn]\s+|das\s+|die\s+)?TERM",
        letters: "",
    },
    Wording {
        needs: &["tatt", "telle"],
        is_old_first: false,
        needs_choice: true,
        pattern: r"(?i)TERM\s+(?:statt|anstatt|anstelle\s+von)\s+TERM",
        letters: "",
    },
    Wording {
        needs: &["대신"],
        is_old_first: true,
        needs_choice: true,
        pattern: r"TERM\s*대신\s*(?:에\s*)?TERM",
        letters: "대신에",
    },
    Wording {
        needs: &["에서"],
        is_old_first: true,
        needs_choice: false,
        pattern: r"TERM에서\s+TERM(?:으)?로\s+(?:바꾸|바꿨|옮기|옮겼|전환)",
        letters: "에서으로바꾸꿨옮기겼전환",
    },
    Wording {
        needs: &["从"],
        is_old_first: true,
        needs_choice: false,
        pattern: r"从\s*TERM\s*(?:换[成到为]|改[成用为]|迁移?到|[转搬]到)了?\s*TERM",
        letters: "从换成到为改用迁移转搬了",
    },
];

/// A word, a name or an identifier.
const TERM: &str = r"([\p{L}\p{N}][\p{L}\p{N}._+#/-]*[\p{L}\p{N}+#]|[\p{L}\p{N}])";

/// What stands for other letters, other signs and other spaces in plain form.
const LETTER: &str = "q";
const SIGN: &str = "\u{1}";
const SPACE: &str = " ";

/// Characters that are letters to every part of a pattern: Latin, Greek, Cyrillic, kana, Chinese and Korean.
const LETTERS: [RangeInclusive<char>; 15] = [
    'À'..='Ö',
    'Ø'..='ö',
    'ø'..='ž',
    '\u{180}'..='\u{24f}',
    'Α'..='Ρ',
    'Σ'..='ώ',
    'Ѐ'..='ҁ',
    'ぁ'..='ゖ',
    'ァ'..='ヺ',
    'ー'..='ー',
    '\u{3400}'..='\u{4dbf}',
    '\u{4e00}'..='\u{9fff}',
    '가'..='힣',
    'Ａ'..='Ｚ',
    'ａ'..='ｚ',
];
/// Characters that are neither letter nor space to any part of a pattern: punctuation, arrows, drawings, emoji.
const SIGNS: [RangeInclusive<char>; 14] = [
    '¡'..='©',
    '«'..='±',
    '¶'..='·',
    '»'..='»',
    '¿'..='¿',
    '×'..='×',
    '÷'..='÷',
    '‐'..='‧',
    '‰'..='‾',
    '₠'..='⃀',
    '←'..='⑊',
    '─'..='❵',
    '、'..='〃',
    '\u{1f300}'..='\u{1faff}',
];
const SPACES: [RangeInclusive<char>; 3] =
    ['\u{a0}'..='\u{a0}', '\u{2000}'..='\u{200a}', '\u{3000}'..='\u{3000}'];

/// The patterns as they are, and those for plain form, compiled as they are needed.
static FULL: Compiled = [const { OnceLock::new() }; WORDINGS.len()];
static SMALL: Compiled = [const { OnceLock::new() }; WORDINGS.len()];

type Compiled = [OnceLock<Option<Regex>>; WORDINGS.len()];

/// One thing takes the place of another.
#[derive(Debug, PartialEq, Eq)]
pub struct Replaced<'t> {
    /// The line, from 0.
    pub line: usize,
    /// Whether it is one only beside a word of choosing.
    pub needs_choice: bool,
    /// The thing that it was.
    pub old: &'t str,
    /// The thing that it is.
    pub new: &'t str,
}

/// What a text says of things that take the place of others, line by line.
pub fn replacements(text: &str) -> Vec<Replaced<'_>> {
    let lower = text.to_ascii_lowercase();
    let needed = |text: &str, wording: &Wording| {
        wording.needs.iter().any(|word| memmem::find(text.as_bytes(), word.as_bytes()).is_some())
    };
    let wordings: Vec<usize> =
        (0..WORDINGS.len()).filter(|index| needed(&lower, &WORDINGS[*index])).collect();
    if wordings.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (number, (line, lower)) in text.lines().zip(lower.lines()).enumerate() {
        for index in wordings.iter().copied().filter(|index| needed(lower, &WORDINGS[*index])) {
            let places = match plain(line, WORDINGS[index].letters) {
                Some(plain) => places(small(index), index, &plain),
                None => places(full(index), index, line),
            };
            found.extend(places.into_iter().map(|(old, new)| Replaced {
                line: number,
                needs_choice: WORDINGS[index].needs_choice,
                old: &line[old],
                new: &line[new],
            }));
        }
    }
    found
}

/// Where the old things and the new ones are.
fn places(pattern: Option<&Regex>, index: usize, text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let captures = pattern.into_iter().flat_map(|pattern| pattern.captures_iter(text));
    let places = captures.filter_map(|groups| {
        let (one, other) = (groups.get(1)?.range(), groups.get(2)?.range());
        Some(if WORDINGS[index].is_old_first { (one, other) } else { (other, one) })
    });
    places.collect()
}

/// The pattern over all characters.
fn full(index: usize) -> Option<&'static Regex> {
    let compile = || Regex::new(&WORDINGS[index].pattern.replace("TERM", TERM)).ok();
    FULL[index].get_or_init(compile).as_ref()
}

/// The pattern over plain form.
fn small(index: usize) -> Option<&'static Regex> {
    let compile = || {
        let Wording { pattern, letters, .. } = &WORDINGS[index];
        let term = TERM.replace(r"\p{L}\p{N}", &format!("A-Za-z0-9{letters}"));
        let pattern = pattern.replace("TERM", &term).replace(r"\w", "[A-Za-z0-9_]");
        Regex::new(&pattern.replace(r"\b", r"(?-u:\b)").replace(r"\s", "[\t\n\x0B\x0C\r ]")).ok()
    };
    SMALL[index].get_or_init(compile).as_ref()
}

/// A line in plain form, in which these letters stay what they are; nothing where it has none.
fn plain<'t>(line: &'t str, letters: &str) -> Option<Cow<'t, str>> {
    if line.is_ascii() {
        return Some(Cow::Borrowed(line));
    }
    let mut plain = String::with_capacity(line.len());
    for character in line.chars() {
        if character.is_ascii() || letters.contains(character) {
            plain.push(character);
            continue;
        }
        let is_in = |ranges: &[RangeInclusive<char>]| ranges.iter().any(|range| range.contains(&character));
        let stands_for_it = match () {
            () if is_in(&LETTERS) => LETTER,
            () if is_in(&SIGNS) => SIGN,
            () if is_in(&SPACES) => SPACE,
            () => return None,
        };
        (0..character.len_utf8()).for_each(|_| plain.push_str(stands_for_it));
    }
    Some(Cow::Owned(plain))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What the full patterns find in every line, whatever words are in it.
    fn by_full_patterns(text: &str) -> Vec<Replaced<'_>> {
        let mut found = Vec::new();
        for (number, line) in text.lines().enumerate() {
            for (index, wording) in WORDINGS.iter().enumerate() {
                found.extend(places(full(index), index, line).into_iter().map(|(old, new)| Replaced {
                    line: number,
                    needs_choice: wording.needs_choice,
                    old: &line[old],
                    new: &line[new],
                }));
            }
        }
        found
    }

    #[test]
    fn every_pattern_compiles() {
        assert!((0..WORDINGS.len()).all(|index| full(index).is_some() && small(index).is_some()));
    }

    #[test]
    fn what_stands_for_a_character_is_one_to_every_part_of_a_pattern() {
        let is = |pattern: &str, character: char| {
            Regex::new(pattern).unwrap().is_match(character.encode_utf8(&mut [0; 4]))
        };
        let each = |ranges: &[RangeInclusive<char>]| ranges.iter().cloned().flatten().collect::<String>();
        let whole = |pattern: &str, ranges| Regex::new(pattern).unwrap().is_match(&each(ranges));
        assert!(whole(r"^(?i:[\p{L}\p{N}])+$", &LETTERS) && whole(r"^[\p{L}\p{N}]+$", &LETTERS));
        assert!(whole(r"^\w+$", &LETTERS));
        assert!(whole(r"^(?:[^\w\s]*)$", &SIGNS) && !whole(r"(?i)[\p{L}\p{N}]", &SIGNS));
        assert!(whole(r"^\s+$", &SPACES));
        // No other character is an ASCII letter in another case, but these two.
        assert!(!whole(r"(?i)[a-z]", &LETTERS) && is("(?i)s", 'ſ') && is("(?i)k", '\u{212a}'));
        for Wording { pattern, letters, .. } in WORDINGS {
            let said: String = pattern.chars().filter(|each| !each.is_ascii()).collect();
            assert!(said.chars().all(|each| letters.contains(each)), "{pattern}");
            assert!(
                !pattern
                    .replace("TERM", "")
                    .contains([LETTER, SIGN].map(|text| text.chars().next().unwrap()))
            );
        }
    }

    proptest! {
        #[test]
        fn small_patterns_find_what_the_full_ones_find(
            words in prop::collection::vec(
                prop_oneof![
                    prop::sample::select(&[
                        "switching", "Moved", "from", "FROM", "to", "replace", "Replacing", "with", "by", "instead", "of", "is",
                        "it's", "use", "not", "von", "auf", "zu", "statt", "anstelle", "umgestiegen", "대신", "에서", "으로", "로",
                        "바꿨다", "옮기자", "전환", "SQLite", "PostgreSQL,", "harbor-stage-1.", "C++", "(Redis)", "Straße", "Çelik",
                        "데이터베이스", "数据库", "从", "换成了", "改用", "迁移到", "der", "zum", "—", "“Tea”", "😀", "x²", "e\u{301}", "Ⓐ", "ſo", "i\u{17f}", "\u{212a}ey", "Ⅷ", "\u{a0}",
                    ][..]).prop_map(str::to_owned),
                    "\\PC{0,4}", "[a-zé한—._+#/-]{1,5}",
                ],
                0..16,
            ),
            between in prop::collection::vec(prop::sample::select(&[" ", " ", " ", "", "\u{a0}", "  ", "\n", "\u{3000}", ", "][..]), 16),
        ) {
            let text: String = words.iter().zip(&between).flat_map(|(word, space)| [word.as_str(), space]).collect();
            prop_assert_eq!(replacements(&text), by_full_patterns(&text));
        }
    }
}
