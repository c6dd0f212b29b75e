//! Matches a message's sentences against the tables of the languages that it is written in.
//!
//! A table has patterns, each of a family, and vetoes: wordings in whose presence a sentence is ordinary talk, whatever pattern of
//! the family matched. A language is compiled when a message in it is met first; the pattern that says where a trigger stands,
//! when it fires first.

use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::about::{About, about};
use super::talk::Talk;
use super::{Family, Match, chinese, english, german, korean};
use crate::wording::{Language, is_east_asian};

/// A trigger: its family, its name, the seeds that have it (empty for ours), and the wording in plain form.
pub(super) type Trigger = (Family, &'static str, &'static str, &'static str);
/// Families, and a wording in whose presence they do not fire in the sentence.
pub(super) type Veto = (&'static [Family], &'static str);

/// A language's wordings.
#[derive(Debug)]
pub(super) struct Table {
    /// In groups; their order means nothing.
    pub(super) triggers: &'static [&'static [Trigger]],
    pub(super) vetoes: &'static [Veto],
    /// A text is to be translated, corrected or judged: what follows it in the message is that text.
    pub(super) borrowed: &'static str,
    /// Pieces of patterns by name: `{name}` stands for the text. A piece may contain those before it.
    pub(super) pieces: &'static [(&'static str, &'static str)],
    pub(super) about: About,
}

impl Table {
    /// Every trigger.
    pub(super) fn triggers(&self) -> impl Iterator<Item = &'static Trigger> {
        self.triggers.iter().copied().flatten()
    }
}

/// A table, compiled.
struct Reader {
    table: &'static Table,
    triggers: RegexSet,
    /// Each trigger, and its wording by itself once it was needed.
    single: Vec<(&'static Trigger, OnceLock<Regex>)>,
    vetoes: RegexSet,
    borrowed: Regex,
}

static READERS: [LazyLock<Reader>; 4] = [
    LazyLock::new(|| Reader::new(&english::TABLE)),
    LazyLock::new(|| Reader::new(&german::TABLE)),
    LazyLock::new(|| Reader::new(&korean::TABLE)),
    LazyLock::new(|| Reader::new(&chinese::TABLE)),
];

/// Bytes that compiled patterns, and the automaton built while matching, may take.
const PATTERN_SIZE: usize = 64 << 20;

/// A wording with its pieces put in. `{wN}` is up to N words.
fn written_out(wording: &str, pieces: &[(&str, &str)]) -> String {
    let mut text = wording.to_owned();
    for (name, piece) in pieces.iter().rev() {
        text = text.replace(&format!("{{{name}}}"), piece);
    }
    for words in 1..=9 {
        text = text.replace(&format!("{{w{words}}}"), &format!("(?:[^ ]+ ){{0,{words}}}"));
    }
    text
}

impl Reader {
    #[expect(clippy::expect_used, reason = "constant patterns, compiled by every test")]
    fn new(table: &'static Table) -> Self {
        let set = |wordings: &mut dyn Iterator<Item = &'static str>| {
            RegexSetBuilder::new(wordings.map(|wording| written_out(wording, table.pieces)))
                .size_limit(PATTERN_SIZE)
                .dfa_size_limit(PATTERN_SIZE)
                .build()
                .expect("constant patterns")
        };
        Self {
            table,
            triggers: set(&mut table.triggers().map(|trigger| trigger.3)),
            single: table.triggers().map(|trigger| (trigger, OnceLock::new())).collect(),
            vetoes: set(&mut table.vetoes.iter().map(|veto| veto.1)),
            borrowed: Regex::new(&written_out(table.borrowed, table.pieces)).expect("a constant pattern"),
        }
    }

    /// The trigger by itself, to find where it stands.
    #[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test as part of the set")]
    fn single(&self, index: usize) -> &Regex {
        let (trigger, compiled) = &self.single[index];
        compiled.get_or_init(|| {
            RegexBuilder::new(&written_out(trigger.3, self.table.pieces))
                .size_limit(PATTERN_SIZE)
                .build()
                .expect("a constant pattern")
        })
    }

    fn read(&self, text: &str, talk: &Talk, matches: &mut Vec<Match>) {
        // The paragraph in which a text is presented, if one is: the following ones are that text.
        let mut presented = None;
        for (number, sentence) in talk.sentences.iter().enumerate() {
            if presented.is_some_and(|paragraph| sentence.paragraph > paragraph) {
                continue;
            }
            let mut plain = &talk.plain.text[sentence.plain.clone()];
            if let Some(found) = self.borrowed.find(plain) {
                presented = Some(sentence.paragraph);
                if let Some(colon) = plain[found.start()..].find(" : ") {
                    plain = &plain[..found.start() + colon + 1];
                }
            }
            if !self.triggers.is_match(plain) {
                continue;
            }
            let vetoes = self.vetoes.matches(plain);
            let is_vetoed =
                |family: &Family| vetoes.iter().any(|veto| self.table.vetoes[veto].0.contains(family));
            for index in self.triggers.matches(plain) {
                let (family, name, _, _) = self.single[index].0;
                if is_vetoed(family) {
                    continue;
                }
                let Some(found) = self.single(index).find(plain) else { continue };
                let begin = sentence.plain.start;
                let trigger = begin + found.start()..begin + found.end();
                let Some(span) = talk.original(text, trigger.clone()) else { continue };
                matches.push(Match {
                    family: *family,
                    pattern: (*name).to_owned(),
                    text: text[span.clone()].to_owned(),
                    about: about(text, talk, number, &trigger, *family, &self.table.about),
                    span,
                });
            }
        }
    }
}

/// Which languages a message is written in.
fn languages(plain: &str) -> impl Iterator<Item = Language> {
    let (mut hangul, mut han, mut latin) = (0, 0, 0);
    for character in plain.chars() {
        match character {
            'a'..='z' => latin += 1,
            '가'..='힣' | 'ㄱ'..='ㅣ' => hangul += 1,
            _ if character.is_ascii() => {}
            _ if is_east_asian(character) && character.is_alphabetic() => han += 1,
            _ if character.is_alphabetic() => latin += 1,
            _ => {}
        }
    }
    let (german, english) = if latin > 0 { Language::latin_evidence(plain) } else { (0, 0) };
    let is_east_asian = hangul > 0 || han > 0;
    [
        (
            Language::English,
            latin > 0 && (english >= german || english > 2) && (!is_east_asian || english > 2),
        ),
        (Language::German, german > english || german > 2),
        (Language::Korean, hangul > 1),
        (Language::Chinese, han > 1 && han > hangul),
    ]
    .into_iter()
    .filter_map(|(language, is_met)| is_met.then_some(language))
}

/// Every trigger of a message's own talk.
pub(super) fn read(text: &str, talk: &Talk, matches: &mut Vec<Match>) {
    for language in languages(&talk.plain.text) {
        READERS[language as usize].read(text, talk, matches);
    }
}

/// The tables, for tests.
#[cfg(test)]
pub(super) fn tables() -> [&'static Table; 4] {
    [&english::TABLE, &german::TABLE, &korean::TABLE, &chinese::TABLE]
}

#[cfg(test)]
impl Table {
    /// A wording of this table with its pieces put in.
    pub(super) fn written_out(&self, wording: &str) -> String {
        written_out(wording, self.pieces)
    }
}
