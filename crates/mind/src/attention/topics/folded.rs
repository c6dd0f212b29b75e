//! A text as it is compared: every character folded by itself, with the way back to where it stood.
//!
//! Folding unites upper and lower case one character at a time (`ſ`, `S` and `s` are one, `ß` stays), and makes every white space a
//! blank. Because each character becomes exactly one, a place in the folded text has one place in the original.

use std::ops::Range;

/// A folded text.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) text: String,
    /// For each byte of `text` the byte of the original; nothing where they are the same.
    origins: Option<Vec<u32>>,
    length: usize,
}

/// One character, folded.
pub(super) fn fold(character: char) -> char {
    if character.is_ascii() {
        return if character.is_ascii_whitespace() { ' ' } else { character.to_ascii_lowercase() };
    }
    if character.is_whitespace() {
        return ' ';
    }
    // Up and down again: what has one upper case is one letter, whatever its small forms.
    single(single(character, char::to_uppercase), char::to_lowercase)
}

fn single<I: Iterator<Item = char>>(character: char, change: fn(char) -> I) -> char {
    let mut changed = change(character);
    match (changed.next(), changed.next()) {
        (Some(one), None) => one,
        _ => character,
    }
}

/// A word or phrase, folded.
pub(super) fn folded(text: &str) -> String {
    text.chars().map(fold).collect()
}

impl Folded {
    pub(super) fn of(text: &str) -> Self {
        let mut folded = Self { text: String::with_capacity(text.len()), origins: None, length: text.len() };
        for (at, character) in text.char_indices() {
            let new = fold(character);
            if new.len_utf8() != character.len_utf8() && folded.origins.is_none() {
                folded.origins = Some((0..folded.text.len()).map(number).collect());
            }
            if let Some(origins) = &mut folded.origins {
                origins.resize(folded.text.len() + new.len_utf8(), number(at));
            }
            folded.text.push(new);
        }
        folded
    }

    /// The bytes of the original that these bytes of the folded text stand for.
    pub(super) fn origin(&self, span: Range<usize>) -> Range<usize> {
        let Some(origins) = &self.origins else { return span };
        let origin = |at: usize| origins.get(at).map_or(self.length, |origin| *origin as usize);
        origin(span.start)..origin(span.end)
    }

    /// Whether a word stands at this place by itself. Letters and digits beside it make it a part of another word, but where a
    /// script writes no blanks: Chinese and Japanese words stand anywhere, particles may follow Korean ones, and where two
    /// scripts meet there is an edge.
    pub(super) fn is_word(&self, span: &Range<usize>) -> bool {
        let before = self.text[..span.start].chars().next_back();
        let after = self.text[span.end..].chars().next();
        let mut inside = self.text[span.clone()].chars();
        let Some(first) = inside.next() else { return false };
        let last = inside.next_back().unwrap_or(first);
        let starts = match before {
            Some(before) if before.is_alphanumeric() => match (script(before), script(first)) {
                (Script::Spaceless, _) | (_, Script::Spaceless) => true,
                // An address is no mention.
                (_, Script::None) => first != '@',
                (one, other) => one != other,
            },
            _ => true,
        };
        let ends = match after {
            Some(after) if after.is_alphanumeric() => {
                let last = script(last);
                matches!(last, Script::Spaceless | Script::Hangul | Script::None) || last != script(after)
            }
            _ => true,
        };
        starts && ends
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// How a script marks the edges of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    /// No letter: a sign.
    None,
    /// Without blanks: ideographs and kana.
    Spaceless,
    /// With blanks, and with particles at the end of words.
    Hangul,
    /// With blanks.
    Spaced,
}

fn script(character: char) -> Script {
    match u32::from(character) {
        0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xAC00..=0xD7FF => Script::Hangul,
        0x3005..=0x3007
        | 0x3041..=0x30FF
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF
        | 0x20000..=0x3FFFF => Script::Spaceless,
        _ if character.is_alphanumeric() => Script::Spaced,
        _ => Script::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn has(text: &str, word: &str) -> bool {
        let (text, word) = (Folded::of(text), folded(word));
        let places = text.text.match_indices(&word);
        places.into_iter().any(|(at, found)| text.is_word(&(at..at + found.len())))
    }

    #[test]
    fn words_have_edges_in_every_script() {
        for (text, word) in [
            ("Deploy it", "deploy"),
            ("please DEPLOY.", "deploy"),
            ("배포해줘", "배포"),
            ("오늘 배포를 하자", "배포"),
            ("deploy를 해줘", "deploy"),
            ("请部署到服务器", "部署"),
            ("サーバーにデプロイして", "デプロイ"),
            ("Größe: ÜBERWEISUNG!", "überweisung"),
            ("I like c++ a lot", "c++"),
            ("ask @Silas, please", "@silas"),
            ("ask @Silas", "silas"),
            ("pull\nrequest", "pull request"),
        ] {
            assert!(has(text, word), "{word} in {text}");
        }
        for (text, word) in [
            ("email", "mail"),
            ("mailbox", "mail"),
            ("재배포", "배포"),
            ("me@silas.example", "@silas"),
            ("", "a"),
        ] {
            assert!(!has(text, word), "{word} in {text}");
        }
    }

    proptest! {
        #[test]
        fn every_place_leads_back_to_a_character(text in any::<String>()) {
            let folded = Folded::of(&text);
            for (at, character) in folded.text.char_indices() {
                let origin = folded.origin(at..at + character.len_utf8());
                prop_assert!(text.is_char_boundary(origin.start) && text.is_char_boundary(origin.end));
                prop_assert_eq!(text[origin].chars().map(fold).collect::<String>(), character.to_string());
            }
        }
    }
}
