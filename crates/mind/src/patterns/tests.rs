//! What the files of words say, and that both ways of asking patterns give the same answers.

use std::fmt::Write as _;

use regex_syntax::hir::{Class, Hir, HirKind};

use super::{Patterns, required, words};

/// Tables of patterns with the names of their sections, and the file that their words stand in.
pub(crate) struct Tables<'a> {
    /// Below `crates/mind/src`.
    pub(crate) file: &'a str,
    pub(crate) words: &'a str,
    pub(crate) sections: Vec<(String, &'a Patterns)>,
}

fn parsed(pattern: &str) -> Hir {
    regex_syntax::parse(pattern).unwrap()
}

impl Tables<'_> {
    /// The file holds what the patterns need: `REM_WRITE_WORDS=1 cargo test -p rem-mind --lib words_of` writes it.
    #[expect(clippy::disallowed_methods, reason = "writes a file of the source, when asked to")]
    pub(crate) fn assert_words_are_current(&self) {
        let mut wanted = String::new();
        for (name, patterns) in &self.sections {
            writeln!(wanted, "[{name}]").unwrap();
            for index in 0..patterns.singles.len() {
                writeln!(wanted, "{}", required::line(&parsed(&(patterns.source)(index)))).unwrap();
            }
        }
        if wanted != self.words && std::env::var_os("REM_WRITE_WORDS").is_some() {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(self.file);
            std::fs::write(path, wanted).unwrap();
            return;
        }
        assert!(
            wanted == self.words,
            "{} is not what the patterns need: run REM_WRITE_WORDS=1 cargo test -p rem-mind --lib words_of",
            self.file
        );
    }

    /// What a pattern matches has its words, whatever the text: texts made of the pattern itself.
    pub(crate) fn assert_matches_have_their_words(&self, seed: u64) {
        let mut random = Random(seed | 1);
        for (name, patterns) in &self.sections {
            let mut sentence = String::new();
            for index in 0..patterns.singles.len() {
                let hir = parsed(&(patterns.source)(index));
                let mut made = Vec::new();
                make(&hir, &mut random, &mut made);
                let made = String::from_utf8_lossy(&made).into_owned();
                let line = patterns.singles[index].0;
                assert!(
                    words::Held::by(&made).all_of(line),
                    "{name} {index}: {made:?} lacks a word of {line}"
                );
                // Both forms of a pattern give the same answer.
                if made.is_ascii() {
                    let (whole, fitting) = (patterns.single(index), patterns.fitting(index, &made));
                    assert_eq!(whole.find(&made), fitting.find(&made), "{name} {index}: {made:?}");
                }
                sentence.push_str(&made);
                if random.below(4) == 0 {
                    assert_same(name, patterns, &std::mem::take(&mut sentence));
                }
            }
        }
    }

    /// Both ways give the same answer for each text, asked of the sections whose name begins as is said beside it.
    pub(crate) fn assert_answers_are_those_of_the_set(&self, texts: &[(String, String)]) {
        for (beginning, text) in texts {
            let sections = self.sections.iter().filter(|(name, _)| name.starts_with(beginning));
            sections.for_each(|(name, patterns)| assert_same(name, patterns, text));
        }
    }
}

fn assert_same(name: &str, patterns: &Patterns, text: &str) {
    assert_eq!(patterns.matches_by_words(text, |_| true), patterns.whole().matches(text), "{name}: {text}");
}

/// The same numbers on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// A text that a pattern matches, but for what it says of the text around.
fn make(hir: &Hir, random: &mut Random, made: &mut Vec<u8>) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => made.extend_from_slice(&literal.0),
        HirKind::Class(Class::Unicode(class)) => {
            let range = class.ranges()[random.below(class.ranges().len())];
            let (start, end) = (u32::from(range.start()), u32::from(range.end()));
            let picked = start + u32::try_from(random.below((end - start + 1) as usize)).unwrap();
            let character = char::from_u32(picked).unwrap_or(range.start());
            made.extend_from_slice(character.to_string().as_bytes());
        }
        HirKind::Class(Class::Bytes(class)) => {
            let range = class.ranges()[random.below(class.ranges().len())];
            made.push(
                range.start()
                    + u8::try_from(random.below(usize::from(range.end() - range.start()) + 1)).unwrap(),
            );
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX).min(repetition.min + 2);
            let times = repetition.min as usize + random.below((most - repetition.min + 1) as usize);
            (0..times).for_each(|_| make(&repetition.sub, random, made));
        }
        HirKind::Capture(capture) => make(&capture.sub, random, made),
        HirKind::Concat(parts) => parts.iter().for_each(|part| make(part, random, made)),
        HirKind::Alternation(parts) => make(&parts[random.below(parts.len())], random, made),
    }
}

#[test]
fn patterns_with_words_have_words_and_others_have_none() {
    for (pattern, line) in [
        ("email|inbox|mail", "|mail|inbox|"),
        (r"print\s+\w+", "|print|"),
        (r"(?i-u:bearer)", "|bearer|"),
        (r" (?:[^ ]+ )?told (?:you|him) [0-9]+ times", "| times|\t|told him |told you |"),
        (r"gh[pous]_[0-9]+", "|gho_|ghp_|ghs_|ghu_|"),
        (r"(?:error|fail)+ in \d+", "| in |\t|fail|error|"),
        (r"\d{4}-\d{2}", ""),
        ("(mail)?", ""),
        ("mail|", ""),
        ("", ""),
    ] {
        let found = required::line(&parsed(pattern));
        let parts = |line: &str| {
            let mut parts: Vec<String> = line.split('\t').map(String::from).collect();
            parts.sort();
            parts
        };
        assert_eq!(parts(&found), parts(line), "{pattern}: {found}");
    }
}

#[test]
fn a_pattern_is_compiled_when_its_words_are_there_and_the_set_after_much_text() {
    const WORDS: &str = "[other]\n|x|\n[mine]\n|remember|\n\n";
    let sources = ["remember (?:me|this)", "[0-9]+"];
    let patterns = Patterns::new(2, WORDS, "mine", 1 << 20, move |index| sources[index].to_owned());
    assert_eq!(patterns.matches("nothing here"), [0_usize; 0]);
    assert!(patterns.singles[0].1.get().is_none() && patterns.singles[1].1.get().is_some());
    assert!(patterns.find(0, "nothing here").is_none() && patterns.singles[0].1.get().is_none());
    assert_eq!(patterns.matches("remember this 4711"), [0, 1]);
    assert!(patterns.whole.get().is_none());
    let long = format!("{}remember me", "lorem ".repeat(super::BYTES_BEFORE_THE_SET / 6));
    assert_eq!(patterns.matches(&long), [0]);
    assert!(patterns.whole.get().is_some());
    assert_eq!(patterns.matches_of("remember this 4711", |index| index > 0), [1]);
}
