//! Which of the four languages a sentence is in, told from script and function words.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::plain::is_east_asian;

/// A language the router knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    German,
    Korean,
    Chinese,
}

/// Words that tell German from English; what both have (`in`, `so`, `die`, `war`, `also`, `will`) tells nothing.
const GERMAN: &str = " der das und ist nicht ich du er sie wir ihr ein eine einen einem einer mit für auf auch bei beim von vom \
    zum zur den dem des im am um nur noch nach vor aus wie wenn falls dass mein meine meinen meinem meiner mir mich dich dir \
    dein deine unser unsere sich es man wird werden wurde sind hat haben habe hab bin bist kein keine keinen über bis oder aber \
    heute gestern morgen jetzt immer nie erst dann danach doch mal schon bitte uns dir dieser diese dieses seit wegen ohne \
    gegen durch uhr ab zwischen heißt kommt geht was frau herr ach nee boah na ja nö danke puh hm moment endlich kannst könntest gibt wer wo warum \
    wohnt lebt arbeitet mag spielt spricht trinkt isst nutzt leitet liebt ";
const ENGLISH: &str = " the a an and is are of to i you he she it we they my your his her our their with for on at by from not \
    that this these those was were be been has have had do does did will would can could should if when then there what who how \
    as or but i'm it's don't that's we're i've i'd i'll after before only up out about into ok thanks please lol \
    lives works uses likes loves prefers hates speaks plays teaches drinks eats wants needs owns knows runs leads manages reports moved ";

impl Language {
    /// Its code in the labelled sentences and in the names of features.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Korean => "ko",
            Self::Chinese => "zh",
        }
    }

    /// The language of a sentence in plain form; English where nothing tells.
    pub(crate) fn of(plain: &str) -> Self {
        Self::told(plain).unwrap_or(Self::English)
    }

    /// The language of a sentence in plain form; nothing where neither script nor function words tell.
    pub(crate) fn told(plain: &str) -> Option<Self> {
        let letters = plain.chars().filter(|each| each.is_alphabetic());
        let (mut hangul, mut han, mut other) = (0, 0, 0);
        for letter in letters {
            match letter {
                '가'..='힣' | 'ㄱ'..='ㅣ' => hangul += 1,
                _ if is_east_asian(letter) => han += 1,
                _ => other += 1,
            }
        }
        // A name or a program in Latin letters does not make a sentence English: an ideograph says more than a letter.
        if hangul > 0 && hangul * 4 >= other {
            return Some(if han > hangul { Self::Chinese } else { Self::Korean });
        }
        if han > 0 && han * 4 >= other {
            return Some(Self::Chinese);
        }
        let (german, english) = Self::latin_evidence(plain);
        match german.cmp(&english) {
            std::cmp::Ordering::Greater => Some(Self::German),
            std::cmp::Ordering::Less => Some(Self::English),
            std::cmp::Ordering::Equal => (german > 0).then_some(Self::English),
        }
    }

    /// How much in a text in plain form speaks for German, and how much for English: its words, and once the letters that English lacks,
    /// however many there are, since names have them in any language.
    pub(crate) fn latin_evidence(plain: &str) -> (usize, usize) {
        let (mut german, mut english) = (0, 0);
        for word in plain.split_ascii_whitespace().filter(|word| word.len() <= LONGEST) {
            german += usize::from(GERMAN_WORDS.contains(word));
            english += usize::from(ENGLISH_WORDS.contains(word));
        }
        (german + usize::from(plain.contains(['ä', 'ö', 'ü', 'ß'])), english)
    }
}

/// No word of the lists has more bytes.
const LONGEST: usize = 9;
static GERMAN_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| GERMAN.split_ascii_whitespace().collect());
static ENGLISH_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ENGLISH.split_ascii_whitespace().collect());

/// Whether a word is in a list of words.
pub(crate) fn contains(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|each| each == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::Plain;

    #[test]
    fn words_say_more_than_the_letters_of_names() {
        for (text, expected) in [
            ("Jörg Müller prefers tea", Language::English),
            ("Zoë lives in Zürich", Language::English),
            ("Jörg Müller and Käthe Größler are in Köln", Language::English),
            ("Mira works at Möbel Höffner in München", Language::English),
            ("Jörg Müller mag Tee", Language::German),
            ("Zoë wohnt in Zürich", Language::German),
            ("Mira hat zwei Kinder", Language::German),
            ("Der Termin ist am Montag", Language::German),
            ("Mira wohnt in Bonn und spielt Cello", Language::German),
            ("Größe prüfen", Language::German),
            ("Jörg trinkt gerne Tee", Language::German),
        ] {
            assert_eq!(Language::of(&Plain::of(text).text), expected, "{text}");
        }
    }
}
