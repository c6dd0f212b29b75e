//! Corrections that leave out what they are about: "No, 5440.", "Nein, in Hamburg.", "不对,是北京".
//!
//! They are completed from what the agent has just said: the value of the same kind, after the same words, takes its place, where exactly
//! one place fits. What is asked, what the agent did itself, and whatever says more than a value is left alone. Pure.

use super::cues::{claim, without_stop};
use crate::stores::statement::{MONTHS, WEEKDAYS};

mod joined;

/// A message of more characters says what it is about.
const LONGEST: usize = 60;
/// Words that point at what was said, and what links them to the value, in small letters.
const POINTING: &[&str] = &[
    "it's", "it is", "that's", "that is", "they're", "they are", "she's", "he's", "it", "she", "he", "they",
    "that", "er ist", "sie ist", "es ist", "das ist", "er", "sie", "es", "das",
];
/// How an agent begins that tells what it did or will do itself.
const OF_ITSELF: &[&str] = &["i ", "i'", "ich ", "let me", "我", "저는", "제가", "나는", "내가"];
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
    let said: Vec<String> = said
        .iter()
        .map(|sentence| sentence.trim())
        .filter(|sentence| {
            let lower = sentence.to_lowercase();
            !sentence.ends_with(['?', '？']) && !OF_ITSELF.iter().any(|words| lower.starts_with(words))
        })
        .filter_map(|sentence| Some(as_the_user_says(reported(without_stop(sentence))?)))
        .collect();
    let rest = rest_of(message)?;
    let mut found =
        said.iter().filter_map(|sentence| Some((sentence.clone(), put_in(&rest, sentence, false)?)));
    found.next().filter(|(sentence, right)| found.next().is_none() && sentence != right)
}

/// What an agent said as its user may put it: of themselves, and with or without whose it is.
pub(super) fn in_the_users_words(clause: &str) -> Vec<String> {
    let own = as_the_user_says(clause);
    let (first, rest) = own.split_once(' ').unwrap_or((own.as_str(), ""));
    // "Ihr Zug" is "der Zug" to whose it is.
    let is_whose = ["Ihr", "Ihre", "Mein", "Meine", "My"].contains(&first);
    let bare = Some(rest).filter(|rest| is_whose && !rest.is_empty()).map(str::to_owned);
    let mut all = vec![own.clone()];
    all.extend(bare);
    all.retain(|said| said != clause);
    all
}

/// A sentence of somebody's own with what they put right afterwards: "The backup runs at 02:00 on otter.", "No, at 03:00.". `is_sure`: the
/// message says in so many words that it was wrong, so that a bare name stands for the one that the sentence ends with.
pub(crate) fn put_right(message: &str, sentence: &str, is_sure: bool) -> Option<String> {
    if sentence.ends_with(['?', '？']) {
        return None;
    }
    let sentence = without_stop(sentence);
    put_in(&rest_of(message)?, sentence, is_sure).filter(|right| right != sentence)
}

/// What a short message says after the words of correcting.
fn rest_of(message: &str) -> Option<String> {
    let message = message.trim();
    if message.chars().count() > LONGEST || message.contains(['?', '？', '\n', '"', '`']) {
        return None;
    }
    Some(without_stop(claim(without_stop(&with_own_commas(message)))).to_owned())
}

/// A sentence with what is right in the one place where it fits.
fn put_in(rest: &str, sentence: &str, is_sure: bool) -> Option<String> {
    if rest.chars().any(is_joined) || sentence.chars().any(is_joined) {
        return joined::put_in(rest, sentence, is_sure);
    }
    let rest = without_pointing(rest);
    if let Some((right, wrong)) = instead(rest) {
        let mut places = places_of(sentence, wrong);
        let at = places.next().filter(|_| places.next().is_none())?;
        return Some(format!("{}{right}{}", &sentence[..at], &sentence[at + wrong.len()..]));
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (at, kind, count) = last_value(&words)?;
    let (before, value, after) = (&words[..at], words[at..at + count].join(" "), &words[at + count..]);
    match kind == Kind::Name && before.is_empty() {
        // A bare name could stand for any but the one that a sentence is there to say.
        true => named_at_end(sentence, &value).filter(|_| is_sure && after.is_empty()),
        false => replaced(sentence, before, kind, &value, after),
    }
}

/// A sentence that says what something is called or who somebody is, with another name.
fn named_at_end(sentence: &str, name: &str) -> Option<String> {
    const SAYS: [&str; 7] = ["is", "are", "called", "named", "ist", "heißt", "sind"];
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let (kind, count) = value_at_end(&words)?;
    let about = &words[..words.len() - count];
    let says = about.last().is_some_and(|word| SAYS.contains(word)) && about.len() > 1;
    (kind == Kind::Name && says).then(|| format!("{} {name}", about.join(" ")))
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

/// A sentence with a value in the place of the one of its kind that stands between these words; nothing where that is not one alone.
fn replaced(sentence: &str, before: &[&str], kind: Kind, value: &str, after: &[&str]) -> Option<String> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let count = value_from(&words[at..], kind);
        if count == 0 {
            at += 1;
            continue;
        }
        let is_same = |words: &[&str], others: &[&str]| {
            words.len() == others.len()
                && words
                    .iter()
                    .zip(others)
                    .all(|(one, other)| bare(one).to_lowercase() == bare(other).to_lowercase())
        };
        let rest = &words[at + count..];
        if at >= before.len()
            && is_same(&words[at - before.len()..at], before)
            && is_same(&rest[..rest.len().min(after.len())], after)
        {
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

/// The last value in words: its place, and of how many words it is.
fn last_value(words: &[&str]) -> Option<(usize, Kind, usize)> {
    (1..=words.len()).rev().find_map(|end| {
        let (kind, count) = value_at_end(&words[..end])?;
        // Words that only end in the sign of a name are none: "The", at the beginning.
        (end == words.len() || kind != Kind::Name).then_some((end - count, kind, count))
    })
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
            ("张伟住在上海。", "不对,他住在广州。", "张伟住在广州"),
            ("服务器的端口是8080。", "错了,是9090。", "服务器的端口是9090"),
            ("서버 포트는 8080입니다.", "틀렸어, 9090이야.", "서버 포트는 9090입니다"),
            ("Jonas ist 34 Jahre alt.", "Nein, er ist 36.", "Jonas ist 36 Jahre alt"),
        ] {
            assert_eq!(right(said, message).as_deref(), Some(is), "{said} {message}");
        }
    }

    #[test]
    fn what_somebody_said_and_puts_right_is_one_sentence() {
        for (said, message, is_sure, is) in [
            (
                "The backup runs at 02:00 on host otter.",
                "it runs at 03:00",
                true,
                "The backup runs at 03:00 on host otter",
            ),
            (
                "Remember that it rotates every 90 days and Kim owns it",
                "it rotates every 60 days.",
                true,
                "Remember that it rotates every 60 days and Kim owns it",
            ),
            ("The owner of the project is Kim.", "it's Lee", true, "The owner of the project is Lee"),
            (
                "My sister Anna lives in Oslo.",
                "No, she lives in Bergen.",
                false,
                "My sister Anna lives in Bergen",
            ),
            (
                "Das Backup läuft um 02:00 auf otter.",
                "es läuft um 03:00",
                true,
                "Das Backup läuft um 03:00 auf otter",
            ),
            (
                "백업은 otter 호스트에서 새벽 2시에 실행돼.",
                "새벽 3시에 실행돼",
                true,
                "백업은 otter 호스트에서 새벽 3시에 실행돼",
            ),
            ("회의는 월요일 오전 10시야.", "아니, 화요일이야.", false, "회의는 화요일 오전 10시야"),
            ("담당자는 박민수야.", "이영희야", true, "담당자는 이영희야"),
            (
                "备份在凌晨两点运行，主机是otter。",
                "不对，是凌晨三点。",
                false,
                "备份在凌晨三点运行，主机是otter",
            ),
            ("会议在星期三下午两点。", "不对，是上午十点。", false, "会议在星期三上午十点"),
            ("每周四发布。", "不对，是周五。", false, "每周五发布"),
            ("负责人是王芳。", "是李雷", true, "负责人是李雷"),
        ] {
            assert_eq!(put_right(message, said, is_sure).as_deref(), Some(is), "{said} {message}");
        }
        for (said, message, is_sure) in [
            ("The owner of the project is Kim.", "No, Lee.", false),
            ("It took 5 tests and 3 hours.", "4", true),
            ("백업은 2시와 3시에 실행돼.", "아니, 4시에 실행돼.", true),
            ("负责人是王芳。", "不对，是明天", false),
            ("备份在两点运行。", "不对，花了三块钱。", true),
        ] {
            assert_eq!(put_right(message, said, is_sure), None, "{said} {message}");
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
