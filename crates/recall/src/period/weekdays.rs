//! Days of the week by their names: "last Tuesday", "Tuesday last week", "지난주 화요일", "上周二", "星期二".
//!
//! Without a week they are the latest before today. What comes every week is no day.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

use super::Period;
use super::named::{IDEOGRAPHIC, Unit, ago, phrase};

/// The names of a week's days in words, each from Monday on.
const NAMES: [[&str; 7]; 2] = [
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"],
];
/// What stands before or after the sign of a day, and whether the sign comes first.
const SIGNS: [(&str, &str, bool); 7] = [
    ("요일", "월화수목금토일", true),
    ("曜", "月火水木金土日", true),
    ("星期", "一二三四五六日", false),
    ("礼拜", "一二三四五六日", false),
    ("禮拜", "一二三四五六日", false),
    ("周", "一二三四五六日", false),
    ("週", "一二三四五六日", false),
];
/// What stands before a day in signs: of which week it is, counted back from this one; nothing where it is the latest.
const WEEKS: [(&str, Option<i64>); 31] = [
    ("지지난주", Some(2)),
    ("지지난 주", Some(2)),
    ("지난주", Some(1)),
    ("지난 주", Some(1)),
    ("저번주", Some(1)),
    ("저번 주", Some(1)),
    ("이번주", Some(0)),
    ("이번 주", Some(0)),
    ("이번", Some(0)),
    ("다음주", Some(-1)),
    ("다음 주", Some(-1)),
    ("다음", Some(-1)),
    ("지난", None),
    ("저번", None),
    ("先々週", Some(2)),
    ("先週", Some(1)),
    ("今週", Some(0)),
    ("来週", Some(-1)),
    ("上上", Some(2)),
    ("上上个", Some(2)),
    ("上个", Some(1)),
    ("上個", Some(1)),
    ("上", Some(1)),
    ("这个", Some(0)),
    ("這個", Some(0)),
    ("这", Some(0)),
    ("這", Some(0)),
    ("本", Some(0)),
    ("下个", Some(-1)),
    ("下個", Some(-1)),
    ("下", Some(-1)),
];
/// What stands before a day that is meant in every week.
const EVERY: [&str; 7] = ["매주", "매", "毎週", "每个", "每個", "每", "隔"];
/// What may stand between a day and its week.
const JOINS: [&str; 9] = ["on", "of", "the", "am", "der", "den", "dem", "in", "des"];
/// Words before a day that is meant in every week.
const EVERY_IN_WORDS: [&str; 4] = ["every", "each", "jeden", "jedem"];
/// Words beside a day that count it from today, whole and as they begin.
const COUNTED: [&str; 8] = ["last", "past", "previous", "this", "week", "weeks", "ago", "vor"];
const COUNTED_IN_GERMAN: [&str; 4] = ["letzte", "vergangen", "diese", "woche"];
/// Signs of the same kind.
const COUNTED_IN_SIGNS: &str = "지난저번이주의上个個這这本今先々週周的の";

/// A day that a text names in signs, and its place.
pub(super) struct Signed {
    pub(super) period: Period,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it says of which week it is, or that it is the last.
    pub(super) is_counted: bool,
}

pub(super) fn is_name(word: &str) -> bool {
    place_of(word).is_some()
}

fn place_of(word: &str) -> Option<usize> {
    NAMES.iter().find_map(|names| names.iter().position(|name| *name == word))
}

/// `on Monday`, `last Friday`: the latest one before today.
pub(super) fn latest(words: &[&str], today: Date) -> Option<Period> {
    let (at, place) = words.iter().enumerate().find_map(|(at, word)| Some((at, place_of(word)?)))?;
    let is_of_every = at.checked_sub(1).is_some_and(|before| EVERY_IN_WORDS.contains(&words[before]));
    before(place, today).filter(|_| !is_of_every)
}

fn before(place: usize, today: Date) -> Option<Period> {
    let wanted = Weekday::from_monday_zero_offset(i8::try_from(place).ok()?).ok()?;
    let day = today.nth_weekday(-1, wanted).ok()?;
    Some((day, day))
}

/// `Tuesday last week`, `letzte Woche am Dienstag`: the day of the week that is named beside it.
pub(super) fn of_a_week(words: &[&str], today: Date) -> Option<Period> {
    let (at, place) = words.iter().enumerate().find_map(|(at, word)| Some((at, place_of(word)?)))?;
    let is_join = |word: &&&str| JOINS.contains(*word);
    let after = at + 1 + words[at + 1..].iter().take_while(is_join).count();
    let until = at - words[..at].iter().rev().take_while(is_join).count();
    let (first, _) = [2, 3].into_iter().find_map(|length| {
        let follows = words.get(after..after + length).and_then(|said| week(said, today));
        follows.or_else(|| week(&words[until.checked_sub(length)?..until], today))
    })?;
    of(first, place)
}

/// The week that words name.
fn week(words: &[&str], today: Date) -> Option<Period> {
    let said = words.join(" ");
    let named = match words.len() {
        2 => phrase(&said, words, today).map(|(named, _)| named),
        _ => ago(&said, words, today),
    };
    named.filter(|(first, last)| first.checked_add(6.days()).is_ok_and(|end| end == *last))
}

fn of(monday: Date, place: usize) -> Option<Period> {
    let day = monday.checked_add(Span::new().try_days(i64::try_from(place).ok()?).ok()?).ok()?;
    Some((day, day))
}

/// The first day of a week that a text names in signs.
pub(super) fn in_signs(text: &str, today: Date) -> Option<Signed> {
    let found = SIGNS.iter().filter_map(|(sign, names, is_after)| {
        text.match_indices(sign).find_map(|(at, _)| signed(text, at, (sign, names, *is_after), today))
    });
    found.min_by_key(|found| found.start)
}

fn signed(text: &str, at: usize, (sign, names, is_after): (&str, &str, bool), today: Date) -> Option<Signed> {
    let place =
        |day: char| names.chars().position(|each| each == day || each == '日' && day == '天' && !is_after);
    let rest = &text[at + sign.len()..];
    let (place, start, end) = if is_after {
        let day = text[..at].chars().next_back()?;
        let end = at + sign.len() + if rest.starts_with('日') { '日'.len_utf8() } else { 0 };
        (place(day)?, at - day.len_utf8(), end)
    } else {
        let day = rest.chars().next()?;
        // 周日程, 周天气: the sign belongs to what follows.
        if sign.chars().count() == 1 && rest[day.len_utf8()..].starts_with(['程', '些', '气', '氣', '本'])
        {
            return None;
        }
        (place(day)?, at, at + sign.len() + day.len_utf8())
    };
    let head = text[..start].trim_end().trim_end_matches(['의', '的', 'の']).trim_end();
    let is_number = |each: char| each.is_ascii_digit() || IDEOGRAPHIC.contains(each) || each == '几';
    let is_of_every = EVERY.iter().any(|every| head.ends_with(every)) || text[end..].starts_with("마다");
    if is_of_every || !is_after && head.ends_with(is_number) {
        return None;
    }
    let week = WEEKS.iter().filter(|(said, _)| head.ends_with(said)).max_by_key(|(said, _)| said.len());
    let (start, period) = match week {
        Some((said, Some(back))) => {
            let (monday, _) = Unit::Week.around(today.checked_sub(Unit::Week.span(*back)).ok()?)?;
            (head.len() - said.len(), of(monday, place)?)
        }
        Some((said, None)) => (head.len() - said.len(), before(place, today)?),
        None => (start, before(place, today)?),
    };
    Some(Signed { period, start, end, is_counted: week.is_some() })
}

/// Whether a piece of text names a day of the week, or its end.
pub(super) fn is_named(folded: &str, words: &[&str], today: Date) -> bool {
    words.iter().any(|word| is_name(word))
        || in_signs(folded, today).is_some()
        || names_its_end(folded, words)
}

fn names_its_end(folded: &str, words: &[&str]) -> bool {
    words.iter().any(|word| matches!(*word, "weekend" | "wochenende"))
        || ["주말", "周末", "週末"].iter().any(|sign| folded.contains(sign))
}

/// Whether the day of a week or its end is called by its name alone, as what was written of it would: "Tuesday", and not "last Tuesday".
pub(super) fn is_by_name(folded: &str, words: &[&str], today: Date) -> bool {
    match in_signs(folded, today) {
        Some(signed) => !signed.is_counted,
        None => is_named(folded, words, today) && !words.iter().any(|word| is_counted(word)),
    }
}

/// Whether a word or sign beside a day belongs to it: "last", "letzten", "지난", "上".
pub(super) fn belongs(folded: &str) -> bool {
    let word = folded.trim_matches(|each: char| !each.is_alphanumeric());
    JOINS.contains(&word) || is_counted(word)
}

/// Whether a word counts a day from today.
fn is_counted(word: &str) -> bool {
    COUNTED.contains(&word)
        || COUNTED_IN_GERMAN.iter().any(|begins| word.starts_with(begins))
        || !word.is_empty() && word.chars().all(|each| COUNTED_IN_SIGNS.contains(each))
}
