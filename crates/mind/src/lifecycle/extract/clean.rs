//! The text of a note: what was said without fillers at its ends and without the phrase that asks for remembering.

use std::sync::LazyLock;

use regex::Regex;

use super::session::Said;
use super::wordings;
use crate::wording::Plain;

/// What is announced has so many letters at least.
const SHORTEST: usize = 6;

/// A sentence as a note, in the words that it was said in.
pub(super) fn note(said: &Said) -> String {
    let text = without_announcement(without_request(said));
    let plain = Plain::of(text);
    let words: Vec<(usize, &str)> = words(&plain.text).collect();
    let is_word = |at: usize| words.get(at).is_none_or(|each| each.1.chars().any(char::is_alphanumeric));
    let says = |at: usize, is_beside_sign: bool| {
        is_word(at) && !wordings::is_filler(words[at].1, is_beside_sign, said.language)
    };
    // From outside in: a word that says nothing only beside a sign does so as long as nothing was said yet.
    let first = (0..words.len()).find(|at| says(*at, leads_to_sign(&words, *at, said)));
    let Some(first) = first else { return text.to_owned() };
    let last = (first..words.len()).rev().find(|at| says(*at, *at > 0 && !is_word(*at - 1))).unwrap_or(first);
    // Signs that belong to the first word stay with it: a path, a quotation.
    let first = match first.checked_sub(1).map(|before| words[before].1) {
        Some("/" | "`" | "\"" | "'" | "(" | "@" | "#" | "." | "-" | "~" | "$") => first - 1,
        _ => first,
    };
    let start = plain.origin(words[first].0).unwrap_or(0);
    let end = plain.origin(words[last].0 + words[last].1.len() - 1).unwrap_or(text.len());
    let end = end + text[end..].chars().next().map_or(0, char::len_utf8);
    let rest = &text[end..];
    // What closes the sentence stays: a bracket, a quotation, a unit.
    let closing = rest.find(|sign: char| {
        !matches!(sign, ')' | '"' | '”' | '“' | '\'' | '’' | '`' | '%' | '°' | '€' | '$' | '」' | '』' | '》')
    });
    capitalised(text[start..end + closing.unwrap_or(rest.len())].trim())
}

/// Whether from this word on only words that may be fillers stand before a sign: `no wait , `.
fn leads_to_sign(words: &[(usize, &str)], at: usize, said: &Said) -> bool {
    let rest = words[at..].iter().map(|each| each.1);
    let mut after = rest.skip_while(|word| {
        word.chars().any(char::is_alphanumeric) && wordings::is_filler(word, true, said.language)
    });
    after.next().is_some_and(|word| !word.chars().any(char::is_alphanumeric))
}

fn words(plain: &str) -> impl Iterator<Item = (usize, &str)> {
    plain
        .split(' ')
        .scan(0, |at, word| {
            let begin = *at;
            *at += word.len() + 1;
            Some((begin, word))
        })
        .filter(|each| !each.1.is_empty())
}

/// The rest after "remember that" and the like, without the sign of a question where that was one.
fn without_request(said: &Said) -> &str {
    let text = said.text.as_str();
    let plain = Plain::of(text);
    let asked = wordings::after_request(&plain.text, said.language).and_then(|after| plain.origin(after));
    match asked {
        Some(after) => text[after..].trim_end_matches(['?', '？', ' ']),
        None => crate::stores::router::without_request(text),
    }
}

/// What only says that something is said now: "One thing about how you write:", "Noch etwas:", "한 가지 더:", "还有一点：".
static ANNOUNCEMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^(?:
            (?:(?:and|also|oh|ok|okay|btw|so|by\ the\ way|just)[,\ ]\ *)* (?:
                (?:(?:one|another|an?|two|some|just|here's|here\ is|here\ are|there's|a\ few|last|first|second|final|other|more|quick|small|little|side|general|thing)\ +)*
                (?:things?|notes?|points?|remarks?|reminder|heads-?up|aside|fyi|ps|p\.s\.|one\ more|side\ note)
              | and\ now\ the\ [a-z]+ )
            (?:\ (?:about|on|for|to|regarding|before|in)\ [^:.,;!?]{1,40})? :\ +
          | (?:(?:und|ach|also|nur|noch|übrigens)[,\ ]\ *)* (?:(?:eine?|noch|kurze?r?|kleine?r?|wichtige?r?|letzte?r?)\ +)*
            (?:etwas|was|sache|hinweis|info|anmerkung|punkt|notiz|kurz|nachtrag|nebenbei)
            (?:\ (?:zu|zum|zur|über|für|vor|vorab|dazu|noch)\ ?[^:.,;!?]{0,40})? :\ +
          | (?:그리고\ )?(?:한\ 가지(?:\ 더)?|참고로|추가로|하나\ 더|덧붙이면)\ ?[:,：]\ *
          | (?:还有|另外|再|补充)(?:一点|一件事|说一下|一句)?[:：]\ *
        )",
    )
    .ok()
});

/// The text without an announcement of it; as it is where nothing else would be left.
fn without_announcement(text: &str) -> &str {
    let found = ANNOUNCEMENT.as_ref().and_then(|announcement| announcement.find(text));
    let rest = found.map_or(text, |found| &text[found.end()..]);
    if rest.chars().filter(|sign| sign.is_alphanumeric()).count() < SHORTEST { text } else { rest }
}

/// With a capital where a sentence in small letters begins with an ordinary word.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_announces_is_no_part_of_a_note() {
        for (text, rest) in [
            ("One thing about how you write: I prefer short answers", "I prefer short answers"),
            ("And another thing: never deploy on a Friday", "never deploy on a Friday"),
            ("Quick note: the key hangs in the hall", "the key hangs in the hall"),
            ("FYI: the office moved to Lyon", "the office moved to Lyon"),
            ("Noch etwas: der Schlüssel hängt im Flur", "der Schlüssel hängt im Flur"),
            ("Kurzer Hinweis zum Server: er heißt jetzt nord", "er heißt jetzt nord"),
            ("한 가지 더: 회의는 월요일이야", "회의는 월요일이야"),
            ("还有一点：会议在星期一", "会议在星期一"),
            ("The port of the service: 8080", "The port of the service: 8080"),
            ("Things we need: milk and bread", "Things we need: milk and bread"),
            ("Lesson learned: never deploy on a Friday", "Lesson learned: never deploy on a Friday"),
            ("Notes are kept in Obsidian: no exceptions", "Notes are kept in Obsidian: no exceptions"),
            ("Was wir nehmen: Postgres", "Was wir nehmen: Postgres"),
            ("PS: ok", "PS: ok"),
        ] {
            assert_eq!(without_announcement(text), rest, "{text}");
        }
    }
}
