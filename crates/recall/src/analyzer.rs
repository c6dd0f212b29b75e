//! From text to the tokens that are compared: the same for documents and for questions.
//!
//! A word becomes its folded form (compatibility-normalised, without diacritics, lower case) and its stem;
//! identifiers are kept whole and in parts, and so are names that end in signs (`C++`, `C#`); a pictograph is a word; Chinese, Japanese and Korean text becomes single characters and
//! pairs, so that words of two characters are found (S6). A token never holds white space, quotes or any other
//! sign that SQLite's full-text syntax could mistake for its own: what is no letter or digit is shifted into a
//! private Unicode range. This file knows nothing of indexes and ranking.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;

use crate::stop_words::is_stop_word;

mod told;
mod units;

pub(crate) use units::is_pictograph;

pub use told::written_in;
use units::{Unit, for_each_unit};

/// Longer tokens are cut: nobody types them, and an index of encoded attachments helps nobody.
const LONGEST_TOKEN: usize = 64;
/// Distinct words of a question beyond these are noise.
const MOST_QUERY_WORDS: usize = 64;
/// Words an [`Analyzer`] remembers before it starts over; some megabytes.
const MOST_REMEMBERED_WORDS: usize = 50_000;
/// Shorter texts do not tell their language.
const SHORTEST_DETECTABLE: usize = 80;
/// Where ASCII signs inside tokens are shifted to (a private-use plane of Unicode).
const PRIVATE_BASE: u32 = 0xE000;

/// A language that words are stemmed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// English; also the default for text too short to tell.
    English,
    /// Arabic.
    Arabic,
    /// Dutch.
    Dutch,
    /// French.
    French,
    /// German.
    German,
    /// Italian.
    Italian,
    /// Portuguese.
    Portuguese,
    /// Russian.
    Russian,
    /// Spanish.
    Spanish,
    /// Swedish.
    Swedish,
    /// Turkish.
    Turkish,
}

impl QueryWord {
    /// Whether a text, folded as the word is, holds it: as it stands, or in one of its forms.
    pub fn is_in(&self, folded: &str) -> bool {
        folded.contains(&self.folded) || self.tokens.iter().any(|token| folded.contains(token.as_str()))
    }
}

impl Language {
    const ALL: [(Self, &'static str, Algorithm); 11] = [
        (Self::English, "en", Algorithm::English),
        (Self::Arabic, "ar", Algorithm::Arabic),
        (Self::Dutch, "nl", Algorithm::Dutch),
        (Self::French, "fr", Algorithm::French),
        (Self::German, "de", Algorithm::German),
        (Self::Italian, "it", Algorithm::Italian),
        (Self::Portuguese, "pt", Algorithm::Portuguese),
        (Self::Russian, "ru", Algorithm::Russian),
        (Self::Spanish, "es", Algorithm::Spanish),
        (Self::Swedish, "sv", Algorithm::Swedish),
        (Self::Turkish, "tr", Algorithm::Turkish),
    ];

    /// The language a text is written in; English when it is short or in a language without a stemmer.
    pub fn of(text: &str) -> Self {
        if text.len() < SHORTEST_DETECTABLE {
            return Self::English;
        }
        Self::detected(text)
    }

    /// The one that its letters are most like.
    fn detected(text: &str) -> Self {
        use whichlang::Lang;
        match whichlang::detect_language(text) {
            Lang::Ara => Self::Arabic,
            Lang::Nld => Self::Dutch,
            Lang::Fra => Self::French,
            Lang::Deu => Self::German,
            Lang::Ita => Self::Italian,
            Lang::Por => Self::Portuguese,
            Lang::Rus => Self::Russian,
            Lang::Spa => Self::Spanish,
            Lang::Swe => Self::Swedish,
            Lang::Tur => Self::Turkish,
            _ => Self::English,
        }
    }

    /// Its two-letter code.
    pub fn code(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The language with this two-letter code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().find(|each| each.1 == code).map(|each| each.0)
    }

    fn stemmer(self) -> Stemmer {
        Stemmer::create(Self::ALL[self as usize].2)
    }
}

/// One word of a question, with everything that counts as finding it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryWord {
    /// The word, folded.
    pub folded: String,
    /// The word as written, for searching files directly.
    pub written: String,
    /// Tokens any of which finds it.
    pub tokens: Vec<String>,
}

/// The tokens of a document in their order, with repetitions. A word is its folded form followed by its stems.
pub fn document_tokens(text: &str, language: Language) -> Vec<String> {
    let mut tokens = Vec::new();
    Analyzer::default().visit(text, language, |token, _, _| tokens.push(token.to_owned()));
    tokens
}

/// Analyses many documents, remembering what it made of each word: the same words come again and again.
#[derive(Default)]
pub(crate) struct Analyzer(HashMap<Language, (Stemmers, FxHashMap<String, Vec<String>>)>);

impl Analyzer {
    /// Calls `token` with each token of a document in its order, `true` where a word begins, and the byte at which the word or
    /// the run of ideographs stands. Stems, pairs of ideographs and identifiers kept whole do not lengthen the text, so only
    /// words count for its length.
    pub(crate) fn visit(&mut self, text: &str, language: Language, mut token: impl FnMut(&str, bool, usize)) {
        let (stemmers, known) =
            self.0.entry(language).or_insert_with(|| (Stemmers::new(language, &[]), FxHashMap::default()));
        if known.len() > MOST_REMEMBERED_WORDS {
            known.clear();
        }
        let mut add_word = |word: &str, at: usize, token: &mut dyn FnMut(&str, bool, usize)| {
            let mut say = |tokens: &[String]| {
                tokens.iter().enumerate().for_each(|(index, each)| token(each, index == 0, at));
            };
            if let Some(tokens) = known.get(word) {
                return say(tokens);
            }
            let mut tokens = Vec::new();
            word_tokens(word, stemmers, &mut tokens);
            say(&tokens);
            known.insert(word.to_owned(), tokens);
        };
        let mut pair = String::new();
        for_each_unit(text, |unit, range| match unit {
            Unit::Word(word) => add_word(word, range.start, &mut token),
            Unit::Identifier(whole, parts) => {
                for part in parts {
                    add_word(part, range.start, &mut token);
                }
                whole_tokens(whole).for_each(|whole| token(&whole, false, range.start));
            }
            Unit::Ideographs(characters) => {
                let mut previous = None;
                for character in characters.chars() {
                    token(character.encode_utf8(&mut [0; 4]), true, range.start);
                    if let Some(previous) = previous.replace(character) {
                        pair.clear();
                        pair.extend([previous, character]);
                        token(&pair, false, range.start);
                    }
                }
            }
        });
    }
}

/// Finds the words of a question in a text, for showing them.
pub(crate) struct Highlighter<'a> {
    wanted: &'a HashSet<String>,
    /// What the wanted tokens begin with: a word that begins otherwise need not be stemmed.
    openings: Vec<Opening>,
    stemmers: Stemmers,
    /// The wanted tokens of each word met so far: passages that answer one question share their words.
    known: RefCell<FxHashMap<String, Vec<&'a str>>>,
}

/// The first letters of a word, which stemming leaves as they are; zeros where it has fewer.
type Opening = [u8; 3];

/// The opening of a word that begins with ASCII letters alone, of which folding makes small ones. Stems have an `i` where
/// words have a `y`.
fn opening(word: &str) -> Option<Opening> {
    let mut opening = Opening::default();
    for (place, letter) in opening.iter_mut().zip(word.bytes()) {
        *place = match letter.to_ascii_lowercase() {
            b'y' => b'i',
            letter => letter,
        };
    }
    opening.is_ascii().then_some(opening)
}

impl<'a> Highlighter<'a> {
    /// `wanted` are the tokens of the question, `languages` those its words were stemmed by.
    pub(crate) fn new(wanted: &'a HashSet<String>, languages: &[Language]) -> Self {
        let mut openings: Vec<Opening> = wanted.iter().filter_map(|token| opening(token)).collect();
        openings.sort_unstable();
        openings.dedup();
        let stemmers = Stemmers::new(Language::English, languages);
        Self { wanted, openings, stemmers, known: RefCell::default() }
    }

    /// Whether a wanted token may begin so, the shorter of the two as far as it goes.
    fn begins_one(&self, word: Opening) -> bool {
        let is_like = |token: &Opening| {
            token.iter().zip(word).all(|(one, other)| *one == other || *one == 0 || other == 0)
        };
        self.openings.iter().any(is_like)
    }

    /// The wanted tokens among those of a word.
    fn of_word(&self, word: &str, visit: &mut dyn FnMut(&'a str)) {
        // What stands after an apostrophe may begin otherwise.
        if !word.contains(['\'', '’']) && opening(word).is_some_and(|word| !self.begins_one(word)) {
            return;
        }
        let mut known = self.known.borrow_mut();
        if let Some(found) = known.get(word) {
            return found.iter().for_each(|token| visit(token));
        }
        let mut tokens = Vec::new();
        word_tokens(word, &self.stemmers, &mut tokens);
        let found: Vec<&'a str> =
            tokens.iter().filter_map(|token| self.wanted.get(token)).map(String::as_str).collect();
        found.iter().for_each(|token| visit(token));
        known.insert(word.to_owned(), found);
    }

    /// Each wanted token in its place, as bytes from the beginning of the text.
    pub(crate) fn find(&self, text: &str) -> Vec<(usize, &'a str)> {
        let mut found = Vec::new();
        for_each_unit(text, |unit, range| {
            let mut add = |token: &'a str| found.push((range.start, token));
            match unit {
                Unit::Word(word) => self.of_word(word, &mut add),
                Unit::Identifier(whole, parts) => {
                    whole_tokens(whole)
                        .filter_map(|whole| self.wanted.get(&whole))
                        .for_each(|token| add(token));
                    parts.into_iter().for_each(|part| self.of_word(part, &mut add));
                }
                Unit::Ideographs(characters) => {
                    let characters: Vec<char> = characters.chars().collect();
                    for length in [1, 2] {
                        let pieces = characters.windows(length).map(String::from_iter);
                        pieces.filter_map(|piece| self.wanted.get(&piece)).for_each(|token| add(token));
                    }
                }
            }
        });
        found
    }
}

/// The distinct words of a question, without stop words unless there is nothing else. `languages` are the ones
/// the documents are written in: a question is too short to tell its own, so its words are stemmed by each.
pub fn query_words(text: &str, languages: &[Language]) -> Vec<QueryWord> {
    let mut words = all_query_words(text, languages);
    let mut seen = HashSet::new();
    words.retain(|word| seen.insert(word.folded.clone()));
    if words.iter().any(|word| !is_stop_word(&word.folded)) {
        words.retain(|word| !is_stop_word(&word.folded));
    }
    words.truncate(MOST_QUERY_WORDS);
    words
}

/// The words of a text that say what it is about, in their order and with repetitions: all but stop words. `languages` as in
/// [`query_words`].
pub fn content_words(text: &str, languages: &[Language]) -> Vec<QueryWord> {
    let mut words = all_query_words(text, languages);
    words.retain(|word| !is_stop_word(&word.folded));
    words
}

/// All words of a question in their order, with repetitions and stop words.
pub(crate) fn all_query_words(text: &str, languages: &[Language]) -> Vec<QueryWord> {
    let stemmers = Stemmers::new(Language::told(text), languages);
    let mut words: Vec<QueryWord> = Vec::new();
    let mut add = |folded: String, written: &str, tokens: Vec<String>| {
        if !folded.is_empty() && !tokens.is_empty() {
            words.push(QueryWord { folded, written: written.to_owned(), tokens });
        }
    };
    let word_of = |word: &str| {
        let mut tokens = Vec::new();
        word_tokens(word, &stemmers, &mut tokens);
        (fold(word), tokens)
    };
    for_each_unit(text, |unit, _| match unit {
        Unit::Word(word) => {
            let (folded, tokens) = word_of(word);
            add(folded, word, tokens);
        }
        Unit::Identifier(whole, parts) => {
            for part in parts {
                let (folded, tokens) = word_of(part);
                add(folded, part, tokens);
            }
            add(fold(whole), whole, whole_tokens(whole).collect());
        }
        Unit::Ideographs(characters) => {
            let characters: Vec<char> = characters.chars().collect();
            let pairs: Vec<String> = match characters[..] {
                [single] => vec![single.to_string()],
                _ => characters.windows(2).map(String::from_iter).collect(),
            };
            for pair in pairs {
                add(pair.clone(), &pair, vec![pair.clone()]);
            }
        }
    });
    words
}

/// `text` folded for comparison: compatibility forms united, diacritics gone, lower case.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    // Decomposed to lose the diacritics, composed again for the scripts whose letters are compositions.
    let bare = text.nfkd().filter(|character| !is_diacritic(*character));
    for character in bare.nfc().flat_map(char::to_lowercase).filter(|character| !is_diacritic(*character)) {
        match character {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            other => folded.push(other),
        }
    }
    folded
}

/// The marks that Latin, Greek and Cyrillic letters carry. Others, such as the voicing of kana or the vowels of
/// Devanagari, make a different letter and stay.
fn is_diacritic(character: char) -> bool {
    matches!(u32::from(character), 0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F)
}

/// A system of writing, as far as it tells one language from another at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Ideographs,
    Other,
}

/// The script that most letters of a text are of; an ideograph says about as much as two letters. Latin of equals.
pub(crate) fn script(text: &str) -> Script {
    let (mut latin, mut ideographs, mut others) = (0, 0, 0);
    for letter in text.chars().filter(|letter| letter.is_alphabetic()) {
        match u32::from(letter) {
            0..=0x024F | 0x1E00..=0x1EFF => latin += 1,
            _ if is_ideograph(letter) => ideographs += 2,
            _ => others += 1,
        }
    }
    match latin.max(ideographs).max(others) {
        most if most == latin => Script::Latin,
        most if most == ideographs => Script::Ideographs,
        _ => Script::Other,
    }
}

pub(crate) fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character),
        0x1100..=0x11FF | 0x3005..=0x3007 | 0x3041..=0x309F | 0x30A1..=0x30FF | 0x3130..=0x318F | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF
        | 0x20000..=0x3FFFF)
        // The middle dot of katakana separates words.
        && character != '・'
}

struct Stemmers(Vec<Stemmer>);

impl Stemmers {
    /// English always: names, code and borrowed words are English everywhere.
    fn new(language: Language, further: &[Language]) -> Self {
        let mut languages = vec![Language::English, language];
        languages.extend_from_slice(further);
        languages.sort_unstable();
        languages.dedup();
        Self(languages.into_iter().map(Language::stemmer).collect())
    }
}

/// The folded word and its stems, without repeating one.
fn word_tokens(word: &str, stemmers: &Stemmers, tokens: &mut Vec<String>) {
    let first = tokens.len();
    push_token(finish(word), tokens);
    if let Some(number) = ungrouped(word) {
        tokens.push(number);
        return;
    }
    if word.len() > LONGEST_TOKEN || word.bytes().all(|byte| byte.is_ascii_digit()) {
        return;
    }
    let lower =
        if word.contains('’') { word.to_lowercase().replace('’', "'") } else { word.to_lowercase() };
    for stemmer in &stemmers.0 {
        let token = finish(&stemmer.stem(&lower));
        if !token.is_empty() && !tokens[first..].contains(&token) {
            tokens.push(token);
        }
    }
    // What stands after the apostrophe is found by itself, too.
    if let Some(word) = elided(&lower).filter(|word| !is_stop_word(&fold(word))) {
        word_tokens(word, stemmers, tokens);
    }
}

/// What an identifier that is kept whole is found by.
fn whole_tokens(whole: &str) -> impl Iterator<Item = String> {
    [Some(finish(whole)).filter(|token| !token.is_empty()), ungrouped(whole)].into_iter().flatten()
}

/// A number without the signs between its groups of three digits: `5000` for `5,000`, `5.000` and `5'000`.
fn ungrouped(word: &str) -> Option<String> {
    let sign = word
        .chars()
        .find(|sign| !sign.is_ascii_digit())
        .filter(|sign| matches!(sign, ',' | '.' | '\'' | '’'))?;
    let mut groups = word.split(sign);
    let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let is_first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()) && is_digits(group));
    let is_grouped = is_first && groups.all(|group| group.len() == 3 && is_digits(group));
    is_grouped.then(|| word.chars().filter(char::is_ascii_digit).collect())
}

/// Articles, pronouns and prepositions that lose their vowel before another: `l'écurie`, `qu'Émilie`, `dell'acqua`.
const ELIDED: [&str; 34] = [
    "l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu", "presqu", "quelqu",
    "un", "all", "dall", "dell", "nell", "sull", "coll", "quell", "quest", "bell", "sant", "gl", "ch",
    "tutt", "mezz", "senz", "anch", "c\u{327}", "ç",
];

/// The word after an elided one, of a word in lower case.
fn elided(word: &str) -> Option<&str> {
    let (head, rest) = word.split_once('\'')?;
    (ELIDED.contains(&head) && rest.chars().nth(1).is_some()).then_some(rest)
}

/// Adds a token, unless folding left nothing of it.
fn push_token(token: String, tokens: &mut Vec<String>) {
    if !token.is_empty() {
        tokens.push(token);
    }
}

/// Folds a word and makes it safe for the index: no apostrophes, no ASCII sign, not too long.
fn finish(word: &str) -> String {
    if word.len() <= LONGEST_TOKEN && word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return word.to_ascii_lowercase();
    }
    fold(word)
        .chars()
        // Compatibility forms of some signs hold a space.
        .filter(|character| !matches!(character, '\'' | '’') && !character.is_whitespace())
        .take(LONGEST_TOKEN)
        .map(|character| match character {
            sign if sign.is_ascii() && !sign.is_ascii_alphanumeric() => {
                char::from_u32(PRIVATE_BASE + u32::from(sign)).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests;
