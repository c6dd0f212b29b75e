//! How something is said: in which language, how urgently, how strongly. Code is left out; what is in it is not said by anybody.
//!
//! Urgency knows a few words in five languages. Sentiment knows none that mean good or bad: it goes by punctuation, capitals,
//! letters drawn out, emoji, and words of negation, so it is a signal of strength more than of direction.

use std::ops::Range;

use rem_format::topic::{Mood, NaturalLanguage};

use super::code::Code;
use super::folded::Folded;
use crate::wording::Language as Routed;

/// Texts with fewer letters do not tell their language by statistics.
const DETECTABLE_LETTERS: usize = 32;
/// Letters with case, and the share of capitals among them, from which a text shouts.
const SHOUTED_LETTERS: usize = 12;
const SHOUTED_SHARE: f32 = 0.7;
/// A text this strong is moved; from 0 to 1.
const MOVED: f32 = 0.5;

/// Words that say that something cannot wait.
const URGENT: &[&str] = &[
    "urgent",
    "urgently",
    "asap",
    "emergency",
    "dringend",
    "eilt",
    "notfall",
    "sofort",
    "긴급",
    "급해",
    "급합니다",
    "시급",
    "紧急",
    "緊急",
    "火急",
    "十万火急",
    "尽快",
    "至急",
];
/// Before one of those words these take it back.
const NOT: &[&str] =
    &["not", "no", "isn't", "nothing", "n't", "nicht", "kein", "keine", "nichts", "不", "没", "안"];
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "don't", "doesn't", "didn't", "can't", "won't", "isn't", "nothing", "nicht",
    "kein", "keine", "nie", "nichts", "안", "못", "없어", "아니", "不", "没", "別", "ない",
];

/// The text without its code.
pub(super) fn prose(text: &str, code: &[Code]) -> String {
    let mut prose = String::with_capacity(text.len());
    let mut from = 0;
    for piece in code {
        prose.push_str(&text[from..piece.span.start.max(from)]);
        from = piece.span.end;
    }
    prose.push_str(&text[from..]);
    prose
}

/// The language a prose is written in; nothing where it is too short to tell.
pub(super) fn language(prose: &str) -> Option<NaturalLanguage> {
    let kana = prose.chars().filter(|each| matches!(each, '\u{3041}'..='\u{30FF}')).count();
    let letters = prose.chars().filter(|each| each.is_alphabetic()).count();
    if kana > 0 && kana * 8 >= letters {
        return Some(NaturalLanguage::Japanese);
    }
    let words = spaced(prose);
    match Routed::told(&words) {
        Some(Routed::Korean) => return Some(NaturalLanguage::Korean),
        Some(Routed::Chinese) => return Some(NaturalLanguage::Chinese),
        // Statistics know more languages than the function words do, and need more text.
        _ if letters >= DETECTABLE_LETTERS => {}
        Some(Routed::German) => return Some(NaturalLanguage::German),
        Some(Routed::English) => return Some(NaturalLanguage::English),
        None => return None,
    }
    rem_recall::written_in(prose).and_then(NaturalLanguage::parse)
}

/// Lower case, one blank between words, no signs but those inside of words.
fn spaced(text: &str) -> String {
    let is_word = |each: char| each.is_alphanumeric() || matches!(each, '\'' | '’');
    let mut spaced = String::with_capacity(text.len());
    for word in text.split(|each: char| !is_word(each)).filter(|word| !word.is_empty()) {
        spaced.push(' ');
        spaced.extend(
            word.chars().flat_map(char::to_lowercase).map(|each| if each == '’' { '\'' } else { each }),
        );
    }
    spaced.push(' ');
    spaced
}

/// What makes a text urgent: three exclamation marks, a word, or capitals throughout. `folded` is of the same text.
pub(super) fn urgency(text: &str, folded: &Folded) -> Option<Range<usize>> {
    exclaimed(text, 3).or_else(|| urgent_word(folded)).or_else(|| shouted(text))
}

/// A run of at least so many exclamation marks.
fn exclaimed(text: &str, least: usize) -> Option<Range<usize>> {
    let (mut start, mut run) = (0, 0);
    for (at, character) in text.char_indices() {
        if !matches!(character, '!' | '！' | '‼') {
            run = 0;
            continue;
        }
        if run == 0 {
            start = at;
        }
        run += if character == '‼' { 2 } else { 1 };
        if run >= least {
            return Some(start..at + character.len_utf8());
        }
    }
    None
}

fn urgent_word(folded: &Folded) -> Option<Range<usize>> {
    URGENT.iter().find_map(|word| {
        folded
            .text
            .match_indices(word)
            .map(|(at, _)| at..at + word.len())
            .find(|span| {
                let before = folded.text[..span.start].trim_end();
                let is_denied = NOT.iter().any(|not| before.ends_with(not))
                    || ["so", "that", "very", "really", "so dringend", "that urgent"].iter().any(|word| {
                        before
                            .strip_suffix(word)
                            .is_some_and(|rest| NOT.iter().any(|not| rest.trim_end().ends_with(not)))
                    });
                folded.is_word(span) && !is_denied
            })
            .map(|span| folded.origin(span))
    })
}

fn shouted(text: &str) -> Option<Range<usize>> {
    let cased = text.chars().filter(|each| each.is_lowercase() || each.is_uppercase()).count();
    let capitals = text.chars().filter(|each| each.is_uppercase()).count();
    (cased >= SHOUTED_LETTERS
        && text.split_whitespace().count() >= 3
        && capitals as f32 >= SHOUTED_SHARE * cased as f32)
        .then_some(0..text.len())
}

/// How a text is moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sentiment {
    /// How strongly, from 0 to 1.
    pub(super) strength: f32,
    /// From -1 (displeased) to 1 (pleased); 0 where nothing tells.
    pub(super) leaning: f32,
}

impl Sentiment {
    /// Of a prose; `folded` is of the same text.
    pub(super) fn of(prose: &str, folded: &Folded) -> Self {
        let (mut pleased, mut displeased) = (0_u8, 0_u8);
        for character in prose.chars() {
            match face(character) {
                1 => pleased = pleased.saturating_add(1),
                -1 => displeased = displeased.saturating_add(1),
                _ => {}
            }
        }
        for word in prose.split_whitespace() {
            match word {
                ":)" | ":-)" | ":D" | ":-D" | ";)" | "^^" | "<3" => pleased = pleased.saturating_add(1),
                ":(" | ":-(" | ":/" | ":-/" | ">:(" | ":'(" | "ㅠㅠ" | "ㅜㅜ" => {
                    displeased = displeased.saturating_add(1)
                }
                _ => {}
            }
        }
        let is_negated = NEGATIONS.iter().any(|word| {
            folded.text.match_indices(word).any(|(at, found)| folded.is_word(&(at..at + found.len())))
        });
        let marks =
            prose.contains("?!") || prose.contains("!?") || prose.contains("？！") || prose.contains("??");
        let mut strength = 0.3 * f32::from(pleased.max(displeased).min(3));
        strength += if exclaimed(prose, 2).is_some() {
            0.5
        } else if exclaimed(prose, 1).is_some() {
            0.2
        } else {
            0.0
        };
        strength += if marks { 0.3 } else { 0.0 };
        strength += if shouted(prose).is_some() { 0.5 } else { 0.0 };
        strength += if has_drawn_out(&folded.text) { 0.2 } else { 0.0 };
        strength += if is_negated { 0.1 } else { 0.0 };
        let faces = f32::from(pleased) - f32::from(displeased);
        // Strong words with a negation, and no face that says otherwise, are hardly praise.
        let leaning =
            if faces == 0.0 && is_negated && strength > 0.3 { -0.6 } else { (faces * 0.6).clamp(-1.0, 1.0) };
        Self { strength: strength.min(1.0), leaning }
    }

    /// Whether a trigger that waits for this mood fires.
    pub(super) fn is(self, mood: Mood) -> bool {
        match mood {
            Mood::Strong => self.strength >= MOVED,
            Mood::Negative => self.leaning <= -MOVED,
            Mood::Positive => self.leaning >= MOVED,
        }
    }
}

/// A letter three times or more: `sooo`, `nooo`. Digits and signs say nothing, nor do `www` and Korean laughter.
fn has_drawn_out(folded: &str) -> bool {
    let mut last = (' ', 0);
    folded.chars().any(|character| {
        last = if character == last.0 { (character, last.1 + 1) } else { (character, 1) };
        last.1 >= 3 && matches!(character, 'a'..='v' | 'x'..='z' | 'ä' | 'ö' | 'ü')
    })
}

/// 1 for a pleased emoji, -1 for a displeased one, 0 for all else.
fn face(character: char) -> i8 {
    match character {
        '😀'..='😎'
        | '😗'..='😝'
        | '🙂'
        | '🙃'
        | '🤗'
        | '🤩'
        | '🥰'
        | '🥳'
        | '👍'
        | '👏'
        | '🎉'
        | '❤'
        | '💚'
        | '💙'
        | '🙌'
        | '✨'
        | '🚀' => 1,
        '😑'..='😓'
        | '😕'
        | '😖'
        | '😞'..='😭'
        | '😰'..='😱'
        | '😾'
        | '😿'
        | '🙁'
        | '☹'
        | '🤬'
        | '🤮'
        | '🤦'
        | '👎'
        | '💩'
        | '💔' => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_from_few_words_where_they_can_be() {
        use NaturalLanguage as N;
        for (text, expected) in [
            ("Kannst du mir bei der Rechnung helfen?", Some(N::German)),
            ("이 오류 좀 봐줄래?", Some(N::Korean)),
            ("请帮我看一下这个错误", Some(N::Chinese)),
            ("このエラーを見てください", Some(N::Japanese)),
            ("Could you look at the invoice for me, please?", Some(N::English)),
            ("Pouvez-vous regarder cette facture avant demain matin ?", Some(N::French)),
            ("¿Puedes revisar la factura antes de mañana por la mañana?", Some(N::Spanish)),
            ("xyz", None),
            ("", None),
        ] {
            assert_eq!(language(text), expected, "{text}");
        }
    }

    fn is_urgent(text: &str) -> bool {
        urgency(text, &Folded::of(text)).is_some()
    }

    #[test]
    fn what_cannot_wait_is_told_from_what_can() {
        for text in [
            "It is down!!!",
            "URGENT: the site",
            "this is urgent",
            "ich brauche das dringend",
            "긴급 상황이야",
            "紧急！",
            "FIX THE SERVER NOW PLEASE",
        ] {
            assert!(is_urgent(text), "{text}");
        }
        for text in [
            "Nice!",
            "this is not urgent",
            "nothing urgent",
            "das eilt nicht so, nicht dringend",
            "NASA and ESA",
            "The FBI",
            "",
        ] {
            let expected = text.contains("eilt");
            assert_eq!(is_urgent(text), expected, "{text}");
        }
    }

    #[test]
    fn feeling_is_told_by_how_a_text_is_written() {
        let is = |text: &str, mood| Sentiment::of(text, &Folded::of(text)).is(mood);
        assert!(is("WHY DOES THIS NOT WORK AGAIN", Mood::Strong));
        assert!(is("This does not work!!", Mood::Negative) && is("안 돼요!!", Mood::Negative));
        assert!(is("danke 🎉👍", Mood::Positive) && is("so sad 😭", Mood::Negative));
        for mood in [Mood::Strong, Mood::Negative, Mood::Positive] {
            assert!(!is("Please look at the invoice.", mood) && !is("", mood));
        }
    }
}
