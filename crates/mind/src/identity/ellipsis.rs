//! Corrections that leave out what they are about: "No, 5440.", "Nein, in Hamburg.", "不对,是北京".
//!
//! They are completed from what the agent has just said: the value of the same kind, after the same words, takes its place, where exactly
//! one place fits. What is asked, what the agent did itself, and whatever says more than a value is left alone. Pure.

use super::cues::{claim, without_stop};
use crate::stores::statement::{MONTHS, WEEKDAYS};

/// A message of more characters says what it is about.
const LONGEST: usize = 60;
/// Words that point at what was said, and what links them to the value, in small letters.
const POINTING: &[&str] = &[
    "it's", "it is", "that's", "that is", "they're", "they are", "she's", "he's", "it", "she", "he", "they",
    "that", "er ist", "sie ist", "es ist", "das ist", "er", "sie", "es", "das",
];
/// How an agent begins that tells what it did or will do itself.
const OF_ITSELF: &[&str] = &["i ", "i'", "ich ", "let me", "我", "저는", "제가", "나는", "내가"];
/// Korean words with the ending of a name and none.
const NO_NAMES_KO: &[&str] =
    &["아니야", "뭐야", "거야", "그거야", "진짜야", "아니에요", "정말이야", "가짜야", "안돼야"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A number of this shape: its digits each as one sign.
    Number(&'static str),
    Month,
    Weekday,
    Name,
}

/// What the agent said, as the user would say it, and what is right instead; nothing where a message says what it is about, or where more than
/// one place in what the agent said last could be meant.
pub(super) fn completed(message: &str, said: &[String]) -> Option<(String, String)> {
    let first = message.trim();
    if first.chars().count() > LONGEST || first.contains(['?', '？', '\n', '"', '`']) {
        return None;
    }
    let said: Vec<String> = said
        .iter()
        .map(|sentence| sentence.trim())
        .filter(|sentence| {
            let lower = sentence.to_lowercase();
            !sentence.ends_with(['?', '？']) && !OF_ITSELF.iter().any(|words| lower.starts_with(words))
        })
        .filter_map(|sentence| Some(as_the_user_says(reported(without_stop(sentence))?)))
        .collect();
    let first = with_own_commas(first);
    let rest = without_stop(claim(without_stop(&first)));
    if rest.chars().any(is_joined) {
        return in_one_place(&said, |sentence| completed_joined(rest, sentence));
    }
    let rest = without_pointing(rest);
    if let Some((right, wrong)) = instead(rest) {
        return in_one_place(&said, |sentence| {
            let mut places = places_of(sentence, wrong);
            let at = places.next().filter(|_| places.next().is_none())?;
            Some(format!("{}{right}{}", &sentence[..at], &sentence[at + wrong.len()..]))
        });
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (kind, count) = value_at_end(&words)?;
    let (before, value) = words.split_at(words.len() - count);
    // A bare name could stand for any.
    if kind == Kind::Name && before.is_empty() {
        return None;
    }
    in_one_place(&said, |sentence| replaced(sentence, before, kind, &value.join(" ")))
}

/// Whether a message is two values and nothing else, the second of which it denies.
pub(super) fn names_both(message: &str) -> bool {
    let rest = without_stop(message.trim());
    rest.chars().count() <= LONGEST && rest.contains(" not ") && instead(without_pointing(rest)).is_some()
}

/// What an agent says that it was told, without the words that say so; nothing where the rest is no sentence by itself.
fn reported(sentence: &str) -> Option<&str> {
    const TOLD: &[&str] = &[
        "you told me that ",
        "you told me ",
        "you said that ",
        "you said ",
        "you mentioned that ",
        "you mentioned ",
        "as far as i know, ",
        "according to my notes, ",
        "soweit ich weiß, ",
        "你告诉过我，",
        "你告诉过我",
        "你告诉我，",
        "你告诉我",
        "你说过，",
        "你说过",
        "你说，",
        "你说",
    ];
    let lower = sentence.to_lowercase();
    // A clause after "dass" has its verb at the end.
    if lower.starts_with("du ") && lower.contains(", dass ") {
        return None;
    }
    let told = TOLD.iter().find(|words| lower.starts_with(**words));
    Some(told.and_then(|words| sentence.get(words.len()..)).unwrap_or(sentence))
}

/// What one of the sentences alone comes to, with that sentence.
fn in_one_place(said: &[String], complete: impl Fn(&str) -> Option<String>) -> Option<(String, String)> {
    let mut found = said.iter().filter_map(|sentence| Some((sentence.clone(), complete(sentence)?)));
    found.next().filter(|(sentence, right)| found.next().is_none() && sentence != right)
}

/// "2.4, not 2.3": both values, of which the second was said.
fn instead(rest: &str) -> Option<(&str, &str)> {
    let (right, wrong) = [", not ", " not ", ", nicht ", " statt ", " instead of "]
        .iter()
        .find_map(|between| rest.split_once(between))?;
    let kind = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        value_at_end(&words).filter(|(_, count)| *count == words.len()).map(|(kind, _)| kind)
    };
    let (one, other) = (kind(right)?, kind(wrong)?);
    let is_alike = one == other || matches!((one, other), (Kind::Number(_), Kind::Number(_)));
    is_alike.then_some((right, wrong))
}

/// A sentence with a value in the place of the one of its kind that stands after these words; nothing where that is not one alone.
fn replaced(sentence: &str, before: &[&str], kind: Kind, value: &str) -> Option<String> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let count = value_from(&words[at..], kind);
        if count == 0 {
            at += 1;
            continue;
        }
        let stands_after = at >= before.len()
            && words[at - before.len()..at]
                .iter()
                .zip(before)
                .all(|(one, other)| bare(one).eq_ignore_ascii_case(bare(other)));
        if stands_after {
            found.push((at, count));
        }
        at += count;
    }
    let [(at, count)] = found[..] else { return None };
    let last = words[at + count - 1];
    let stop = &last[last.trim_end_matches([',', ';', '.', ':', '!']).len()..];
    let value = format!("{value}{stop}");
    let all = words[..at].iter().copied().chain([value.as_str()]).chain(words[at + count..].iter().copied());
    Some(all.collect::<Vec<_>>().join(" "))
}

/// The value that words end with, and of how many words it is.
fn value_at_end(words: &[&str]) -> Option<(Kind, usize)> {
    let last = words.last()?;
    let kind = kind_of(last)?;
    let count = match kind {
        Kind::Name => words.iter().rev().take_while(|word| kind_of(word) == Some(Kind::Name)).count(),
        _ => 1,
    };
    Some((kind, count))
}

/// Of how many words the value of a kind is that words begin with.
fn value_from(words: &[&str], kind: Kind) -> usize {
    match kind {
        Kind::Name => words.iter().take_while(|word| kind_of(word) == Some(Kind::Name)).count(),
        _ => usize::from(words.first().and_then(|word| kind_of(word)) == Some(kind)),
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches([',', '.', ';', ':', '!', '(', ')'])
}

fn kind_of(word: &str) -> Option<Kind> {
    let word = bare(word);
    let lower = word.to_lowercase();
    if MONTHS.contains(&lower.as_str()) && word != "may" {
        return Some(Kind::Month);
    }
    if WEEKDAYS.contains(&lower.as_str()) {
        return Some(Kind::Weekday);
    }
    let first = word.chars().next()?;
    if first.is_ascii_digit() || word.len() > 1 && word.starts_with(['$', '€', 'v']) {
        let digits = word.trim_start_matches(['$', '€', 'v']);
        let is_number = digits.starts_with(|each: char| each.is_ascii_digit())
            && digits
                .chars()
                .all(|each| each.is_ascii_digit() || matches!(each, '.' | ':' | ',' | '%' | '€' | '$'));
        if is_number {
            // A time is no version, and neither is a count.
            return Some(Kind::Number(match digits {
                time if time.contains(':') => ":",
                part if part.contains('%') => "%",
                dotted if dotted.contains('.') => ".",
                _ => "",
            }));
        }
    }
    (first.is_uppercase() && word.len() > 1 && word.chars().skip(1).any(char::is_alphabetic))
        .then_some(Kind::Name)
}

fn without_pointing(text: &str) -> &str {
    let lower = text.to_lowercase().replace('’', "'");
    for words in POINTING {
        if let Some(after) = lower.strip_prefix(words)
            && after.starts_with(' ')
        {
            // An apostrophe may have more bytes.
            return text.get(text.len() - after.len()..).map_or(text, str::trim_start);
        }
    }
    text
}

fn places_of<'t>(text: &'t str, part: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(part).map(|(at, _)| at).filter(move |at| {
        let goes_on = |each: char| each.is_alphanumeric();
        let rest = &text[at + part.len()..];
        let is_number_going_on =
            rest.starts_with(['.', ':', ',']) && rest[1..].starts_with(|each: char| each.is_ascii_digit());
        !text[..*at].chars().next_back().is_some_and(goes_on)
            && !rest.chars().next().is_some_and(goes_on)
            && !is_number_going_on
    })
}

/// Commas between Chinese words in the form that Chinese has for them.
fn with_own_commas(text: &str) -> String {
    let mut before = ' ';
    let own = |each: char| {
        let is_after_han = matches!(u32::from(before), 0x3400..=0x9fff);
        before = each;
        if each == ',' && is_after_han { '，' } else { each }
    };
    text.chars().map(own).collect()
}

fn is_joined(each: char) -> bool {
    matches!(u32::from(each), 0x3400..=0x9fff | 0xac00..=0xd7a3)
}

/// The same where words are not set apart: a name after 是, or with the ending of one in Korean.
fn completed_joined(rest: &str, sentence: &str) -> Option<String> {
    let rest = rest.trim_start_matches(['，', ',', ' ', '是']).trim();
    let is_han = rest.chars().all(|each| matches!(u32::from(each), 0x3400..=0x9fff));
    if is_han && (2..=4).contains(&rest.chars().count()) {
        let (start, _) =
            ["住在", "是在", "叫"].iter().find_map(|word| Some((sentence.find(word)? + word.len(), word)))?;
        let is_plain = |text: &str| {
            (2..=4).contains(&text.chars().count())
                && text.chars().all(|each| matches!(u32::from(each), 0x3400..=0x9fff))
        };
        const NO_NAMES: [char; 12] = ['不', '没', '的', '了', '吗', '我', '你', '他', '她', '它', '这', '那'];
        let is_name = |text: &str| is_plain(text) && !text.contains(NO_NAMES);
        let value = &sentence[start..];
        return (is_name(value) && is_name(rest)).then(|| format!("{}{rest}", &sentence[..start]));
    }
    // 강아지 이름은 보리야.
    let ending =
        |text: &str| ["이에요", "예요", "입니다", "이야", "야"].iter().any(|ending| text.ends_with(ending));
    let is_hangul = rest.chars().all(|each| matches!(u32::from(each), 0xac00..=0xd7a3));
    let (about, value) = sentence.rsplit_once(' ')?;
    let is_name_of = about.ends_with("이름은") || about.ends_with("이름이");
    let fits = is_hangul && is_name_of && ending(rest) && ending(value) && !NO_NAMES_KO.contains(&rest);
    (fits && (2..=8).contains(&rest.chars().count())).then(|| format!("{about} {rest}"))
}

/// What an agent says of its user, as they say it of themselves.
fn as_the_user_says(sentence: &str) -> String {
    if sentence.chars().any(is_joined) {
        return sentence.replace(['你', '您'], "我");
    }
    let words: Vec<&str> = sentence.split(' ').collect();
    let mut said: Vec<String> = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| words[at].to_lowercase()).unwrap_or_default();
        let lower = word.to_lowercase();
        let own = match lower.as_str() {
            "you" => "I",
            "you're" => "I'm",
            "your" if at == 0 => "My",
            "your" => "my",
            "are" if before == "you" => "am",
            "du" if at == 0 => "Ich",
            "du" => "ich",
            "bist" if before == "du" => "bin",
            "hast" if before == "du" => "habe",
            "dein" if at == 0 => "Mein",
            "dein" => "mein",
            "deine" if at == 0 => "Meine",
            "deine" => "meine",
            _ => "",
        };
        said.push(match (own, lower.strip_suffix("st")) {
            // Du wohnst, du arbeitest.
            ("", Some(stem)) if before == "du" => format!("{}e", stem.trim_end_matches('e')),
            ("", _) => (*word).to_owned(),
            (own, _) => own.to_owned(),
        });
    }
    said.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right(said: &str, message: &str) -> Option<String> {
        completed(message, &[said.to_owned()]).map(|(_, right)| right)
    }

    #[test]
    fn what_is_left_out_is_taken_from_what_was_said() {
        let database = "The staging database runs on port 5432.";
        for (said, message, is) in [
            (database, "No, it's 5440.", "The staging database runs on port 5440"),
            (database, "No, 5440.", "The staging database runs on port 5440"),
            (database, "No, it runs on port 5440.", "The staging database runs on port 5440"),
            (database, "Actually it's port 5440", "The staging database runs on port 5440"),
            (database, "5440, not 5432", "The staging database runs on port 5440"),
            ("Mira works at Acme.", "No, she works at Globex.", "Mira works at Globex"),
            ("Mira works at Acme.", "No, at Globex.", "Mira works at Globex"),
            (
                "Der Server läuft auf Port 8080.",
                "Nein, er läuft auf Port 9090.",
                "Der Server läuft auf Port 9090",
            ),
            ("Du wohnst in München.", "Nein, in Hamburg.", "Ich wohne in Hamburg"),
            ("You live in Munich.", "No, in Hamburg.", "I live in Hamburg"),
            ("The launch is in May.", "No, in June.", "The launch is in June"),
            ("你住在上海。", "不对,是北京。", "我住在北京"),
            ("강아지 이름은 보리야.", "아니, 초코야.", "강아지 이름은 초코야"),
            ("We are on version 2.3 now.", "2.4, not 2.3", "We are on version 2.4 now"),
            ("You told me that your daughter Clara is 7.", "No, 8!", "My daughter Clara is 8"),
            ("You said the port is 8080.", "No, 9090.", "the port is 9090"),
            ("你告诉过我你住在上海。", "不对，是北京。", "我住在北京"),
        ] {
            assert_eq!(right(said, message).as_deref(), Some(is), "{said} {message}");
        }
    }

    #[test]
    fn where_more_than_one_place_fits_or_more_is_said_nothing_is_completed() {
        let database = "The staging database runs on port 5432.";
        for (said, message) in [
            ("It took 5 tests and 3 hours.", "No, 4."),
            ("Mira works at Acme and Bo works at Hooli.", "No, at Globex."),
            ("Mira works at Acme.", "No, Globex."),
            ("Mira works at Acme.", "No, in Berlin."),
            (database, "No, 3 of them failed."),
            (database, "No, it's fine."),
            (database, "No, it's 5440?"),
            (database, "No, at 10:30."),
            (database, "No, in June."),
            (database, "No, it listens on port 5440."),
            ("Shall I use port 5432?", "No, 5440."),
            ("I booked the hotel in Munich.", "No, in Hamburg."),
            ("强的住在上海。", "不对，我不知道"),
            ("강아지 이름은 보리야.", "아니, 괜찮아."),
            ("강아지 이름은 보리야.", "아니, 아니야."),
            ("We are on version 2.3 now.", "2.4, not 2.2"),
            (database, "No, Mira lives in Oslo and I told you that the port was another one"),
        ] {
            assert_eq!(right(said, message), None, "{said} {message}");
        }
    }
}
