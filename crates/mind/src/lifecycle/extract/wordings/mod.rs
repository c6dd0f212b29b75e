//! Which wording shows which mark, language by language; fillers, and how names of persons stand in a sentence.

mod chinese;
mod english;
mod german;
mod korean;

use std::sync::LazyLock;

use super::mark::Mark;
use crate::patterns::Patterns;
use crate::wording::{Language, contains};

/// A mark, and wording in plain form that shows it.
type Cue = (Mark, &'static str);

/// A language's wordings.
struct Table {
    /// In groups; their order means nothing.
    cues: &'static [&'static [Cue]],
    /// Words that may stand before or after what is said and say nothing. Words between spaces.
    fillers: &'static str,
    /// The same for words that do so only beside a sign: "no, …" but not "no …".
    replies: &'static str,
    /// Asks for remembering what follows, besides what the router knows of that.
    request: &'static str,
    /// Wording that introduces a reason; the capture is the reason.
    reasons: &'static [&'static str],
    /// How a person's name stands in a sentence as it was written; the capture is the name.
    names: &'static [&'static str],
    /// Words in the place of names that name nobody.
    nobody: &'static str,
    /// How the thing that is worked on is named, in a message as it was written; the capture is the name.
    projects: &'static [&'static str],
}

/// A table in use.
struct Reader {
    table: &'static Table,
    /// The mark of each wording, as the patterns are numbered.
    marks: Vec<Mark>,
    cues: Patterns,
    request: Patterns,
    reasons: Patterns,
    names: Patterns,
    projects: Patterns,
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

impl Reader {
    fn new(table: &'static Table, language: Language) -> Self {
        let patterns = |section: &str, wordings: Vec<&'static str>| {
            let section = format!("{} {section}", language.code());
            Patterns::new(wordings.len(), WORDS, &section, PATTERN_SIZE, move |index| {
                wordings[index].to_owned()
            })
        };
        let cues: Vec<Cue> = table.cues.iter().copied().flatten().copied().collect();
        Self {
            table,
            marks: cues.iter().map(|cue| cue.0).collect(),
            cues: patterns("cues", cues.iter().map(|cue| cue.1).collect()),
            request: patterns("request", vec![table.request]),
            reasons: patterns("reasons", table.reasons.to_vec()),
            names: patterns("names", table.names.to_vec()),
            projects: patterns("projects", table.projects.to_vec()),
        }
    }

    /// The first capture of the first pattern that has one which is wanted.
    fn captured<'t>(
        patterns: &Patterns,
        count: usize,
        text: &'t str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<&'t str> {
        (0..count).find_map(|index| {
            let pattern = patterns.held(index, text)?;
            let mut found = pattern.captures_iter(text).filter_map(|captures| captures.get(1));
            found.find(|name| is_wanted(name.as_str())).map(|name| name.as_str())
        })
    }
}

/// The marks that wordings give a sentence in plain form; some may come twice.
pub(super) fn marks(plain: &str, language: Language) -> Vec<Mark> {
    let reader = &READERS[language as usize];
    reader.cues.matches(plain).into_iter().map(|index| reader.marks[index]).collect()
}

/// Whether a word of the plain form is a filler, beside a sign or not.
pub(super) fn is_filler(word: &str, is_beside_sign: bool, language: Language) -> bool {
    let table = READERS[language as usize].table;
    contains(table.fillers, word) || is_beside_sign && contains(table.replies, word)
}

/// Where what is to be remembered begins in a sentence in plain form that asks for it.
pub(super) fn after_request(plain: &str, language: Language) -> Option<usize> {
    READERS[language as usize].request.find(0, plain).map(|found| found.end())
}

/// The reason that a sentence in plain form gives: its place in the plain form.
pub(super) fn reason(plain: &str, language: Language) -> Option<std::ops::Range<usize>> {
    let reader = &READERS[language as usize];
    let found = Reader::captured(&reader.reasons, reader.table.reasons.len(), plain, |_| true)?;
    let start = found.as_ptr() as usize - plain.as_ptr() as usize;
    Some(start..start + found.len())
}

/// No Chinese name begins with these, though one may seem to stand there.
const NO_NAMES: [char; 12] = ['想', '要', '会', '在', '说', '有', '做', '去', '不', '也', '都', '很'];

/// The person whom a sentence names.
pub(super) fn name(text: &str, language: Language) -> Option<&str> {
    let reader = &READERS[language as usize];
    let is_name = |name: &str| {
        let first = name.split(' ').next().unwrap_or_default();
        if language == Language::Chinese && name.starts_with(NO_NAMES) {
            return false;
        }
        !contains(reader.table.nobody, first) && !contains(reader.table.nobody, name)
    };
    let found = Reader::captured(&reader.names, reader.table.names.len(), text, is_name)?;
    let start = found.as_ptr() as usize - text.as_ptr() as usize;
    if is_of_thing(&text[..start]) {
        return None;
    }
    let end = start + found.len();
    if let Some(surname) = surname(&text[..start], found, &text[end..], language).filter(|name| is_name(name))
    {
        return Some(&text[start..end + 1 + surname.len()]);
    }
    let first = first_name(&text[..start], language).filter(|name| is_name(name) && !found.contains(' '));
    Some(first.map_or(found, |first| &text[start - first.len() - 1..end]))
}

/// What is called something, and is nobody.
const THINGS: &str = " network wifi wi-fi wlan ssid server host machine box computer laptop router printer database db cluster bucket branch repo repository \
    project service app tool script job queue topic channel room building office street road house ship boat car van team company firm club band \
    file folder directory page field column table variable function class module package library crate product feature version release city town \
    village restaurant cafe pub bar hotel shop store book film song game course school event conference ";

/// Whether "a network called" stands before a name.
fn is_of_thing(before: &str) -> bool {
    let mut words = before.split_ascii_whitespace().rev();
    let is_called = words.next().is_some_and(|word| matches!(word, "called" | "named"));
    let mut about = words.filter(|word| !matches!(*word, "is" | "was" | "are" | "now" | "been" | "has"));
    is_called && about.next().is_some_and(|word| contains(THINGS, &word.to_lowercase()))
}

/// The name before a surname: `Petra` of "Petra Lang is my dentist".
fn first_name(before: &str, language: Language) -> Option<&str> {
    let word = before.strip_suffix(' ')?.rsplit(|each: char| !each.is_alphabetic() && each != '-').next()?;
    (language == Language::English && crate::stores::router::may_be_first_name(word)).then_some(word)
}

/// Words after which a German verb is not the second part of its sentence.
const SUBORDINATING: &str = " weil dass da wenn als ob damit obwohl während bevor nachdem ";
/// So many words at most stand before a name that a German sentence begins with: "meine liebe Kollegin".
const BEFORE_NAME: usize = 4;

/// The name after a first name: `Weiss` of "Dana Weiss". Any German noun has a capital, so there it has to stand before the verb of a
/// sentence that begins with whom it names.
fn surname<'t>(before: &str, name: &str, after: &'t str, language: Language) -> Option<&'t str> {
    let rest = after.strip_prefix(' ').filter(|_| !name.contains(' '))?;
    let end = rest
        .find(|each: char| !each.is_alphabetic() && !matches!(each, '-' | '\'' | '’'))
        .unwrap_or(rest.len());
    let (word, rest) = rest.split_at(end);
    let mut letters = word.chars();
    let is_name = letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase);
    let fits = match language {
        Language::English => !word.ends_with("'s") && !word.ends_with("’s"),
        Language::German => {
            let words: Vec<&str> = before.split_whitespace().collect();
            let next = rest.trim_start().split([' ', ',', '.']).next().unwrap_or_default();
            let is_verb = next.len() > 2 && next.ends_with('t') && next.chars().all(char::is_lowercase);
            let is_bare = words.iter().all(|word| !word.contains([',', '.', ':']));
            words.len() <= BEFORE_NAME
                && is_bare
                && !words.first().is_some_and(|word| contains(SUBORDINATING, &word.to_lowercase()))
                && is_verb
                && next != "nicht"
        }
        Language::Korean | Language::Chinese => false,
    };
    (is_name && fits).then_some(word)
}

/// The thing that a message says is worked on.
pub(super) fn project(text: &str, language: Language) -> Option<&str> {
    let reader = &READERS[language as usize];
    let is_name = |name: &str| !contains(reader.table.nobody, name);
    Reader::captured(&reader.projects, reader.table.projects.len(), text, is_name)
}

/// The patterns of all languages, for tests.
#[cfg(test)]
pub(super) fn patterns() -> crate::patterns::tests::Tables<'static> {
    let sections = READERS.iter().zip(["en", "de", "ko", "zh"]).flat_map(|(reader, code)| {
        [
            ("cues", &reader.cues),
            ("request", &reader.request),
            ("reasons", &reader.reasons),
            ("names", &reader.names),
            ("projects", &reader.projects),
        ]
        .map(|(section, patterns)| (format!("{code} {section}"), patterns))
    });
    crate::patterns::tests::Tables {
        file: "lifecycle/extract/wordings/words.txt",
        words: WORDS,
        sections: sections.collect(),
    }
}
