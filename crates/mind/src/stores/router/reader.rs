//! Reads the signals of a sentence: patterns of its language, and what can be told without any language.

use std::sync::LazyLock;

use super::signal::{Signal, Signals};
use super::{WORDS, chinese, english, german, korean};
use crate::patterns::Patterns;
use crate::wording::{Language, MACHINE, Plain, contains, is_east_asian};

/// How a past tense shows in single words, for a language where it does. Lists are words between spaces.
pub(super) struct Tense {
    /// Irregular forms.
    pub(super) verbs: &'static str,
    /// What regular forms end in.
    pub(super) ending: &'static str,
    /// Words with that ending that are no verbs.
    pub(super) no_verbs: &'static str,
    /// Words after which a form is no past tense but a participle or an adjective.
    pub(super) not_after: &'static str,
}

impl Tense {
    /// The place among the words where a past tense first shows.
    fn first(&self, plain: &str) -> Option<usize> {
        let mut previous = "";
        plain.split_ascii_whitespace().position(|word| {
            let before = std::mem::replace(&mut previous, word);
            let regular = word.len() > 4 && word.ends_with(self.ending) && !word.ends_with("eed");
            (contains(self.verbs, word) || regular && !contains(self.no_verbs, word))
                && !contains(self.not_after, before)
        })
    }
}

/// A language's patterns.
struct Reader {
    cues: Patterns,
    table: &'static [(Signal, &'static str)],
    trigger: Patterns,
}

/// By language, each made when it is met first: most sessions meet one.
static READERS: [LazyLock<Reader>; 4] = [
    LazyLock::new(|| Reader::new(english::CUES, english::TRIGGERS, Language::English)),
    LazyLock::new(|| Reader::new(german::CUES, german::TRIGGERS, Language::German)),
    LazyLock::new(|| Reader::new(korean::CUES, korean::TRIGGERS, Language::Korean)),
    LazyLock::new(|| Reader::new(chinese::CUES, chinese::TRIGGERS, Language::Chinese)),
];

/// A name that something is said of: `Bruno is`, `Jette hat`.
pub(super) static SOMEBODY: LazyLock<Patterns> = LazyLock::new(|| {
    let somebody = r"^(\p{Lu}\p{Ll}+) (?:is|has|was|can't|cannot|doesn't|won't|never|always|prefers|likes|loves|hates|eats|ist|hat|isst|mag|kann|darf|verträgt|trinkt|spricht|will) ";
    Patterns::of(WORDS, "somebody", vec![somebody.to_owned()])
});
/// Words that begin a sentence and name nobody.
const NOBODY: &str = " This That It There Everything Nothing What Who Our The A An These Those Everybody Nobody Someone Der Die Das Es Hier Da \
    Dies Alles Nichts Wer Was Niemand Jemand Mein Meine Unser Unsere Man I We You He She They My One Here Now ";

impl Reader {
    fn new(cues: &'static [(Signal, &'static str)], trigger: &'static str, language: Language) -> Self {
        let patterns = |section: &str, wordings: Vec<&'static str>| {
            let section = format!("{} {section}", language.code());
            Patterns::new(wordings.len(), WORDS, &section, PATTERN_SIZE, move |index| {
                wordings[index].to_owned()
            })
        };
        Self {
            cues: patterns("cues", cues.iter().map(|cue| cue.1).collect()),
            table: cues,
            trigger: patterns("trigger", vec![trigger]),
        }
    }
}

/// Bytes that a language's compiled patterns, and the automaton built while matching, may take.
const PATTERN_SIZE: usize = 64 << 20;
/// A sentence with at most this many words is short.
const FEW_WORDS: usize = 9;
/// With no more than these it says nothing worth keeping.
const TINY: usize = 2;

/// What was read.
pub(super) struct Reading {
    pub(super) language: Language,
    pub(super) signals: Signals,
    /// Where the sentence begins when the phrase that asks for remembering is left out.
    pub(super) start: usize,
    /// The sentence from there on, in plain form.
    pub(super) plain: String,
}

/// Reads a sentence.
pub(super) fn read(text: &str) -> Reading {
    let whole = Plain::of(text);
    let language = Language::of(&whole.text);
    let reader = &READERS[language as usize];
    let mut signals = Signals::default();
    let mut start = 0;
    if let Some(found) = reader.trigger.find(0, &whole.text) {
        let after = whole.origin(found.end()).unwrap_or(text.len());
        if text[after..].chars().any(char::is_alphanumeric) {
            start = after;
            signals.add(Signal::Triggered);
        }
    }
    for index in reader.cues.matches(&whole.text) {
        let signal = reader.table[index].0;
        if start == 0 || matches!(signal, Signal::Permanent | Signal::Chatter | Signal::Question) {
            signals.add(signal);
        }
    }
    let plain = if start > 0 { Plain::of(&text[start..]).text } else { whole.text.clone() };
    if start > 0 {
        reader.cues.matches(&plain).into_iter().for_each(|index| signals.add(reader.table[index].0));
    }
    let sentence = &text[start..];
    let somebody = SOMEBODY.find_map(sentence, |_, found| found.get(1));
    if somebody.is_some_and(|name| !contains(NOBODY, name.as_str())) {
        signals.add(Signal::Third);
    }
    let past = match language {
        Language::English => english::PAST.first(&plain),
        Language::Korean => korean::shows_past(&whole.text).then_some(1),
        Language::German | Language::Chinese => None,
    };
    if let Some(place) = past {
        signals.add(Signal::Past);
        // Notes leave the subject out: "Met the neighbours".
        if place == 0 {
            signals.add(Signal::PastTime);
        }
    }
    if MACHINE.is_match(text) {
        signals.add(Signal::Machine);
    }
    // A piece of code inside a sentence is something to type.
    if text.matches('`').count() > 1 {
        signals.add(Signal::Handling);
    }
    let size = size(&whole.text);
    if size <= FEW_WORDS {
        signals.add(Signal::Short);
    }
    if size <= TINY {
        signals.add(Signal::Tiny);
    }
    Reading { language, signals, start, plain }
}

/// How many words there are; two ideographs count for one. Signs count for nothing.
fn size(plain: &str) -> usize {
    let ideographs =
        plain.chars().filter(|each| is_east_asian(*each) && !matches!(each, '가'..='힣')).count();
    let is_word = |word: &&str| {
        word.chars().next().is_some_and(|first| {
            first.is_alphanumeric() && (!is_east_asian(first) || matches!(first, '가'..='힣'))
        })
    };
    plain.split_ascii_whitespace().filter(is_word).count() + ideographs / 2
}

/// The patterns of all languages, for tests.
#[cfg(test)]
pub(super) fn patterns() -> Vec<(String, &'static Patterns)> {
    let readers = READERS.iter().zip(["en", "de", "ko", "zh"]);
    let sections = readers.flat_map(|(reader, code)| {
        [(format!("{code} cues"), &reader.cues), (format!("{code} trigger"), &reader.trigger)]
    });
    sections.collect()
}
