//! The memory router: what a sentence is and which store it belongs in (seed M8.2), by rules and by weights learned from
//! labelled sentences.
//!
//! `crate::wording` brings a sentence into the form that patterns are written for and tells its language, `reader` reads
//! its signals from the patterns in `english`, `german`, `korean` and `chinese`. `features` are what the weights in `learned`
//! look at; `weights` turns the signals and these into a verdict.
//! `relations` finds what is said of two names (wordings in `ties` and `leanings`), `entities` the names.
//! The same sentence always gets the same answer, offline; no file is read or written here.

use std::borrow::Cow;

use rem_format::entity::EntityType;
use rem_format::episode::Certainty;
use serde::{Deserialize, Serialize};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

mod chinese;
mod english;
mod entities;
mod evidence;
mod features;
mod german;
mod hedged;
mod korean;
mod leanings;
mod learned;
mod reader;
mod relations;
pub(crate) mod signal;
mod ties;
mod weights;

pub(crate) use entities::may_be_first_name;
pub(crate) use evidence::evident;
pub(crate) use relations::USER;
use signal::{Signal, Signals};
pub(crate) use ties::PREMISES;
use weights::Ruling;

use super::claims::is_regular;
use crate::wording::{Language, in_first_person};

pub use rem_format::decay_scores::StoreKind;

/// What a sentence is, finer than its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// What the user likes or refuses.
    Preference,
    /// Who the user is.
    Identity,
    /// How the assistant must always behave.
    Rule,
    /// What the user is busy with now.
    Focus,
    /// What was settled.
    Decision,
    /// What happened or will happen.
    Event,
    /// How something is done.
    Howto,
    /// A tie between two names.
    Relation,
    /// An attribute of something.
    Fact,
    /// To be kept for good.
    Pin,
}

impl Kind {
    /// The store that memories of this kind are kept in.
    pub fn store(self) -> StoreKind {
        match self {
            Self::Preference | Self::Identity | Self::Rule | Self::Focus => StoreKind::Core,
            Self::Decision | Self::Event => StoreKind::Episodic,
            Self::Relation | Self::Fact => StoreKind::Semantic,
            Self::Howto => StoreKind::Procedural,
            Self::Pin => StoreKind::Vault,
        }
    }
}

/// A name in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mention {
    /// As written, without title or particle.
    pub name: String,
    /// What it names, by its surroundings.
    pub r#type: EntityType,
}

/// What a sentence says of two names. `user` is the user.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Statement {
    /// Who or what it is said of.
    pub from: String,
    /// A verb in English, words joined by hyphens (`works-at`).
    pub relation: String,
    /// The other end.
    pub to: String,
}

/// What the router makes of a sentence: the answer of seed M8.2, and the kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Routing {
    /// Where it belongs; `None` when nothing would be missed if it were dropped.
    pub store: Option<StoreKind>,
    /// What it is; for a sentence that belongs nowhere, what it would be if it were kept all the same.
    pub kind: Kind,
    /// The names in it; none when it belongs nowhere.
    pub entities: Vec<Mention>,
    /// What it says of two names; none when it belongs nowhere.
    pub relations: Vec<Statement>,
    /// Up to five of its own words, folded; fewer than two when it has fewer words.
    pub tags: Vec<String>,
    /// How sure it is that this is worth keeping.
    pub confidence: Certainty,
    /// Whether the core memory changes: who the user is, what they are busy with, what must never be forgotten.
    pub core_update: bool,
    /// The sentence without the phrase that asks for remembering it.
    pub summary: String,
}

/// What the patterns need (`crate::patterns`).
const WORDS: &str = include_str!("words.txt");
/// Bytes of a text that are read; a memory is a sentence, and what is longer is judged by its beginning.
const LONGEST_READ: usize = 4096;
/// Tags are at most this many.
const MOST_TAGS: usize = 5;
/// How likely a store must be for medium confidence.
const LIKELY: f64 = 0.7;

/// What a sentence is and where it goes. `store: None`: nothing worth remembering (chit-chat, a question, a one-off
/// command, a log).
///
/// The time it takes grows with the length of the text and no faster; beyond 4 KiB only the beginning is read, while
/// [`Routing::summary`] holds the whole text.
///
/// ```
/// use rem_mind::stores::router::{Kind, StoreKind, route};
///
/// let routing = route("remember that Ada works at Nordlys");
/// assert_eq!(routing.store, Some(StoreKind::Semantic));
/// assert_eq!(routing.kind, Kind::Relation);
/// assert_eq!(routing.relations[0].relation, "works-at");
/// assert_eq!(routing.summary, "Ada works at Nordlys");
/// assert_eq!(route("What's the weather like?").store, None);
/// ```
pub fn route(text: &str) -> Routing {
    let text = composed(text.trim());
    match in_first_person(&text) {
        Cow::Borrowed(text) => route_said(text),
        // What is kept has its own words.
        Cow::Owned(said) => Routing { summary: capitalised(without_request(&text)), ..route_said(&said) },
    }
}

fn route_said(text: &str) -> Routing {
    let (reading, Judgement { store, kind, likelihood, .. }) = judged(text);
    let (store, kind) = match store {
        Some(StoreKind::Core)
            if kind == Kind::Preference && hedged::is_of_another(&text[reading.start..]) =>
        {
            (Some(StoreKind::Semantic), Kind::Relation)
        }
        Some(StoreKind::Procedural) if korean::tells_what_is_done(&reading.plain) => {
            (Some(StoreKind::Semantic), Kind::Fact)
        }
        // What is on a day of each week holds; it did not happen.
        Some(StoreKind::Episodic) if is_regular(&text[reading.start..]) => {
            (Some(StoreKind::Semantic), Kind::Fact)
        }
        store => (store, kind),
    };
    let sentence = &text[reading.start..text.floor_char_boundary(LONGEST_READ)];
    let (relations, entities) = match store {
        Some(_) => {
            // Of what is not so any more nothing is tied.
            let turned = super::statement::turned(sentence);
            let sentence = turned.as_ref().map_or(sentence, |turned| turned.instead.as_str());
            let plain = hedged::without_time(sentence);
            let relations = relations::statements(&plain, reading.language, kind);
            let entities = entities::mentions(sentence, reading.language, &relations);
            (relations, entities)
        }
        None => (Vec::new(), Vec::new()),
    };
    let is_of_another = |each: &Statement| each.from != USER && sentence.starts_with(&each.from);
    let (store, kind) = match (store, kind) {
        // What is tied to somebody whom the sentence begins with is nothing about the user.
        (Some(StoreKind::Core | StoreKind::Procedural), Kind::Identity | Kind::Preference | Kind::Howto)
            if reading.language == Language::Korean && relations.iter().any(is_of_another) =>
        {
            (Some(StoreKind::Semantic), Kind::Relation)
        }
        kept => kept,
    };
    let asked = reading.signals.hold(Signals::of(&[Signal::Triggered])) || store == Some(StoreKind::Vault);
    let confidence = match store {
        Some(_) if asked => Certainty::High,
        Some(_) if likelihood >= LIKELY => Certainty::Medium,
        _ => Certainty::Low,
    };
    Routing {
        store,
        kind,
        entities,
        relations,
        tags: tags(sentence),
        confidence,
        core_update: matches!(store, Some(StoreKind::Core | StoreKind::Vault)),
        summary: capitalised(&text[reading.start..]),
    }
}

/// What a sentence shows, and what that comes to: for whoever judges sentences by more than these.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judgement {
    /// What it shows.
    pub(crate) signals: Signals,
    /// As [`Routing::store`].
    pub(crate) store: Option<StoreKind>,
    /// As [`Routing::kind`].
    pub(crate) kind: Kind,
    /// How likely the store is, from 0 to 1.
    pub(crate) likelihood: f64,
    /// How likely each verdict is, from 0 to 1, in the order of [`VERDICTS`].
    pub(crate) shares: [f64; VERDICTS.len()],
}

/// What each of [`Judgement::shares`] is of.
pub(crate) const VERDICTS: [&str; 11] = [
    "pin",
    "rule",
    "howto",
    "decision",
    "event",
    "focus",
    "identity",
    "preference",
    "relation",
    "fact",
    "none",
];

/// What a sentence shows and comes to, without names and relations, whose patterns cost most.
pub(crate) fn judge(text: &str) -> Judgement {
    judged(&composed(text.trim())).1
}

/// A text with its characters composed, as patterns and names have them: `ü` is one sign, and so is a Korean syllable.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

fn judged(text: &str) -> (reader::Reading, Judgement) {
    let read = &*korean::politely(&text[..text.floor_char_boundary(LONGEST_READ)]);
    let reading = reader::read(read);
    let opinions = learned::opinions(&reading, &read[reading.start..]);
    let Ruling { verdict, likelihood, kind, shares } = weights::judge(reading.signals, &opinions);
    let judgement = Judgement { signals: reading.signals, store: verdict.store(), kind, likelihood, shares };
    (reading, judgement)
}

/// The text without the phrase that asks for remembering it.
pub(crate) fn without_request(text: &str) -> &str {
    let text = text.trim();
    &text[reader::read(&text[..text.floor_char_boundary(LONGEST_READ)]).start..]
}

/// Words that say what kind of memory it is, or when, rather than what it is about. Sorted, folded.
const NO_TAGS: &[&str] = &[
    "also",
    "always",
    "auch",
    "benutzen",
    "benutzt",
    "bitte",
    "decide",
    "decided",
    "decision",
    "entscheiden",
    "entschieden",
    "gestern",
    "get",
    "gets",
    "going",
    "got",
    "habe",
    "haben",
    "hatte",
    "heute",
    "immer",
    "just",
    "keep",
    "like",
    "likes",
    "made",
    "mag",
    "make",
    "makes",
    "mogen",
    "morgen",
    "muss",
    "mussen",
    "need",
    "needs",
    "never",
    "nie",
    "noch",
    "note",
    "now",
    "nur",
    "nutzen",
    "nutzt",
    "please",
    "prefer",
    "prefers",
    "really",
    "remember",
    "soll",
    "sollen",
    "today",
    "tomorrow",
    "uns",
    "use",
    "used",
    "uses",
    "using",
    "want",
    "wants",
    "werden",
    "wird",
    "wurde",
    "yesterday",
    "今天",
    "使用",
    "决定",
    "喜欢",
    "总是",
    "我们",
    "明天",
    "昨天",
    "永远",
    "记住",
    "결정했다",
    "결정했습니다",
    "결정했어",
    "기억해",
    "내일",
    "사용한다",
    "사용해",
    "어제",
    "오늘",
    "절대",
    "항상",
];

/// The first content words of a sentence, each once. Single ideographs and digits say too little.
pub(crate) fn tags(sentence: &str) -> Vec<String> {
    let words = rem_recall::query_words(sentence, &[]).into_iter().map(|word| word.folded);
    let mut tags: Vec<String> = Vec::new();
    for word in words.filter(|word| word.chars().count() > 1 && word.chars().any(char::is_alphabetic)) {
        let is_about = NO_TAGS.binary_search(&word.as_str()).is_err();
        if is_about && tags.len() < MOST_TAGS && !tags.contains(&word) {
            tags.push(word);
        }
    }
    tags
}

/// Whether this is the name of a program, a language or a service.
pub(crate) fn is_program(name: &str) -> bool {
    crate::wording::contains(entities::TOOLS, name)
}

/// Whether a word says what somebody is to somebody.
pub(crate) fn is_kin(word: &str) -> bool {
    ties::KIN.iter().any(|kin| kin.0 == word)
}

/// Programs whose names begin with a small letter, and are no other words.
const SMALL_NAMES: &str = " npm pnpm npx pip apt curl ssh rsync grep sed awk cmake gcc clang rustc tmux jq systemd kubectl nginx git zsh vim dbt \
    kubernetes docker terraform kafka redis postgres psql sqlite ffmpeg ";

/// With a capital at the beginning, where the script has any; a name that is written otherwise stays as it is.
fn capitalised(sentence: &str) -> String {
    let first = sentence
        .split(|each: char| each.is_whitespace() || matches!(each, ',' | '.' | ':' | '\''))
        .next()
        .unwrap_or_default();
    // `iPhone`, `macOS`, `rem-cli`'s kind of names begin as their makers want.
    if first.chars().skip(1).any(char::is_uppercase) || crate::wording::contains(SMALL_NAMES, first) {
        return sentence.to_owned();
    }
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod training;
