//! Matches a message's sentences against the tables of the languages that it is written in.
//!
//! A table has patterns, each of a family, and vetoes: wordings in whose presence a sentence is ordinary talk, whatever pattern of
//! the family matched. A wording is compiled when a message may hold it (`crate::patterns`).

use std::sync::LazyLock;

use super::about::{About, about};
use super::{Family, Match, chinese, english, german, korean};
use crate::patterns::Patterns;
use crate::wording::{Language, Talk, is_east_asian};

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
    /// Vetoes by what a sentence is about, which what is `explicit` for a family does not mind.
    pub(super) subjects: &'static [Veto],
    /// Families, and a wording that asks for it in so many words.
    pub(super) explicit: &'static [Veto],
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

/// A table in use.
struct Reader {
    table: &'static Table,
    /// Each trigger, as the patterns are numbered.
    triggers: Vec<&'static Trigger>,
    wordings: Patterns,
    vetoes: Patterns,
    subjects: Patterns,
    explicit: Patterns,
    borrowed: Patterns,
}

static READERS: [LazyLock<Reader>; 4] = [
    LazyLock::new(|| Reader::new(&english::TABLE, Language::English)),
    LazyLock::new(|| Reader::new(&german::TABLE, Language::German)),
    LazyLock::new(|| Reader::new(&korean::TABLE, Language::Korean)),
    LazyLock::new(|| Reader::new(&chinese::TABLE, Language::Chinese)),
];
/// What the wordings need (`crate::patterns`).
const WORDS: &str = include_str!("words.txt");

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
    fn new(table: &'static Table, language: Language) -> Self {
        let patterns = |section: &str, wordings: Vec<&'static str>| {
            let section = format!("{} {section}", language.code());
            Patterns::new(wordings.len(), WORDS, &section, PATTERN_SIZE, move |index| {
                written_out(wordings[index], table.pieces)
            })
        };
        Self {
            table,
            triggers: table.triggers().collect(),
            wordings: patterns("triggers", table.triggers().map(|trigger| trigger.3).collect()),
            vetoes: patterns("vetoes", table.vetoes.iter().map(|veto| veto.1).collect()),
            subjects: patterns("subjects", table.subjects.iter().map(|veto| veto.1).collect()),
            explicit: patterns("explicit", table.explicit.iter().map(|veto| veto.1).collect()),
            borrowed: patterns("borrowed", vec![table.borrowed]),
        }
    }

    fn read(&self, text: &str, talk: &Talk, matches: &mut Vec<Match>) {
        // The paragraph in which a text is presented, if one is: the following ones are that text.
        let mut presented = None;
        for (number, sentence) in talk.sentences.iter().enumerate() {
            if presented.is_some_and(|paragraph| sentence.paragraph > paragraph) {
                continue;
            }
            let mut plain = &talk.plain.text[sentence.plain.clone()];
            if let Some(found) = self.borrowed.find(0, plain) {
                presented = Some(sentence.paragraph);
                if let Some(colon) = plain[found.start()..].find(" : ") {
                    plain = &plain[..found.start() + colon + 1];
                }
            }
            let fired = self.wordings.matches(plain);
            if fired.is_empty() {
                continue;
            }
            // Only what can take back a trigger that fired is asked.
            let fires = |family: &Family| fired.iter().any(|index| self.triggers[*index].0 == *family);
            let families_of = |patterns: &Patterns, list: &'static [Veto]| -> Vec<Family> {
                let matched = patterns.matches_of(plain, |index| list[index].0.iter().any(fires));
                matched.into_iter().flat_map(|index| list[index].0.iter().copied()).collect()
            };
            let mut vetoed = families_of(&self.subjects, self.table.subjects);
            if !vetoed.is_empty() {
                let explicit = families_of(&self.explicit, self.table.explicit);
                vetoed.retain(|family| !explicit.contains(family));
            }
            vetoed.extend(families_of(&self.vetoes, self.table.vetoes));
            for index in fired {
                let (family, name, _, _) = self.triggers[index];
                if vetoed.contains(family) {
                    continue;
                }
                let Some(found) = self.wordings.single(index).find(plain) else { continue };
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

/// The patterns of all languages, for tests.
#[cfg(test)]
pub(super) fn patterns() -> crate::patterns::tests::Tables<'static> {
    let sections = READERS.iter().zip(["en", "de", "ko", "zh"]).flat_map(|(reader, code)| {
        [
            ("triggers", &reader.wordings),
            ("vetoes", &reader.vetoes),
            ("subjects", &reader.subjects),
            ("explicit", &reader.explicit),
            ("borrowed", &reader.borrowed),
        ]
        .map(|(section, patterns)| (format!("{code} {section}"), patterns))
    });
    crate::patterns::tests::Tables {
        file: "attention/triage/words.txt",
        words: WORDS,
        sections: sections.collect(),
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
