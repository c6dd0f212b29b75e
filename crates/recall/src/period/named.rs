//! The days that a question names (S13): "last week", "in March 2025", "vor 3 Tagen", "지난주", "2025年3月".
//!
//! Rules over the folded text, for English, German, Korean, Chinese and Japanese, and for dates in figures. What is ambiguous is
//! taken as past, since a memory is asked about what was. Pure: the text and today's date in, a range of days out.

use jiff::civil::{Date, Weekday, date};
use jiff::{Span, ToSpan as _};

use crate::analyzer::fold;

/// A range of days, first and last.
pub(crate) type Period = (Date, Date);

/// Names of months, folded: the number of each is its place, every language twelve.
const MONTHS: [[&str; 12]; 3] = [
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ],
    ["jan", "feb", "mar", "apr", "mai", "jun", "jul", "aug", "sept", "oct", "nov", "dec"],
    [
        "januar",
        "februar",
        "marz",
        "april",
        "mai",
        "juni",
        "juli",
        "august",
        "september",
        "oktober",
        "november",
        "dezember",
    ],
];
const WEEKDAYS: [[&str; 7]; 2] = [
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"],
];
/// Phrases for whole periods, counted back from today's.
const PHRASES: [(&str, Unit, i64); 46] = [
    ("today", Unit::Day, 0),
    ("heute", Unit::Day, 0),
    ("오늘", Unit::Day, 0),
    ("今天", Unit::Day, 0),
    ("今日", Unit::Day, 0),
    ("day before yesterday", Unit::Day, 2),
    ("vorgestern", Unit::Day, 2),
    ("그저께", Unit::Day, 2),
    ("前天", Unit::Day, 2),
    ("yesterday", Unit::Day, 1),
    ("gestern", Unit::Day, 1),
    ("어제", Unit::Day, 1),
    ("昨天", Unit::Day, 1),
    ("昨日", Unit::Day, 1),
    ("this week", Unit::Week, 0),
    ("diese woche", Unit::Week, 0),
    ("이번 주", Unit::Week, 0),
    ("这周", Unit::Week, 0),
    ("本周", Unit::Week, 0),
    ("今週", Unit::Week, 0),
    ("last week", Unit::Week, 1),
    ("letzte woche", Unit::Week, 1),
    ("지난주", Unit::Week, 1),
    ("지난 주", Unit::Week, 1),
    ("上周", Unit::Week, 1),
    ("上星期", Unit::Week, 1),
    ("先週", Unit::Week, 1),
    ("this month", Unit::Month, 0),
    ("diesen monat", Unit::Month, 0),
    ("이번 달", Unit::Month, 0),
    ("这个月", Unit::Month, 0),
    ("今月", Unit::Month, 0),
    ("last month", Unit::Month, 1),
    ("letzten monat", Unit::Month, 1),
    ("지난달", Unit::Month, 1),
    ("지난 달", Unit::Month, 1),
    ("上个月", Unit::Month, 1),
    ("先月", Unit::Month, 1),
    ("this year", Unit::Year, 0),
    ("dieses jahr", Unit::Year, 0),
    ("올해", Unit::Year, 0),
    ("今年", Unit::Year, 0),
    ("last year", Unit::Year, 1),
    ("letztes jahr", Unit::Year, 1),
    ("작년", Unit::Year, 1),
    ("去年", Unit::Year, 1),
];
/// Units after a number and before "ago", as in "3 weeks ago", "vor 3 Wochen", "3주 전", "3天前".
const AGO_UNITS: [(&str, Unit); 16] = [
    ("day", Unit::Day),
    ("tag", Unit::Day),
    ("일", Unit::Day),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("week", Unit::Week),
    ("woche", Unit::Week),
    ("주", Unit::Week),
    ("周", Unit::Week),
    ("month", Unit::Month),
    ("monat", Unit::Month),
    ("개월", Unit::Month),
    ("个月", Unit::Month),
    ("year", Unit::Year),
    ("jahr", Unit::Year),
    ("년", Unit::Year),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Day,
    Week,
    Month,
    Year,
}

impl Unit {
    fn span(self, count: i64) -> Span {
        match self {
            Self::Day => count.days(),
            Self::Week => count.weeks(),
            Self::Month => count.months(),
            Self::Year => count.years(),
        }
    }

    /// The day, the week from Monday, the month or the year that holds a day.
    fn around(self, day: Date) -> Option<Period> {
        match self {
            Self::Day => Some((day, day)),
            Self::Week => {
                let first = day.checked_sub(i64::from(day.weekday().to_monday_zero_offset()).days()).ok()?;
                Some((first, first.checked_add(6.days()).ok()?))
            }
            Self::Month => Some((day.first_of_month(), day.last_of_month())),
            Self::Year => Some((day.first_of_year(), day.last_of_year())),
        }
    }
}

/// The days that `text` names, seen from `today`.
pub(crate) fn period(text: &str, today: Date) -> Option<Period> {
    let folded = fold(text);
    let words: Vec<&str> = folded
        .split(|each: char| !each.is_alphanumeric() && each != '-')
        .filter(|word| !word.is_empty())
        .collect();
    in_figures(&words)
        .or_else(|| in_ideographs(&folded, today))
        .or_else(|| ago(&folded, &words, today))
        .or_else(|| named_month(&words, today))
        .or_else(|| phrase(&folded, &words, today))
        .or_else(|| weekday(&words, today))
        .or_else(|| year(&words))
}

/// `2026-03-19` and `2026-03`.
fn in_figures(words: &[&str]) -> Option<Period> {
    words.iter().find_map(|word| {
        let mut parts = word.split('-');
        let (year, month) = (parts.next()?, parts.next()?);
        if year.len() != 4 || month.len() != 2 {
            return None;
        }
        match parts.next() {
            Some(_) => word.parse().ok().map(|day: Date| (day, day)),
            None => Unit::Month.around(Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok()?),
        }
    })
}

/// `2025년 3월 2일`, `2025年3月`, `3월`.
fn in_ideographs(text: &str, today: Date) -> Option<Period> {
    let before = |marks: [char; 2]| -> Option<i16> {
        let (end, _) = text.char_indices().find(|(_, each)| marks.contains(each))?;
        let digits = text[..end].trim_end();
        let start = digits
            .rfind(|each: char| !each.is_ascii_digit())
            .map_or(0, |at| at + digits[at..].chars().next().map_or(1, char::len_utf8));
        digits[start..].parse().ok()
    };
    let (year, month, day) = (before(['년', '年']), before(['월', '月']), before(['일', '日']));
    let month = month.and_then(|month| i8::try_from(month).ok()).filter(|month| (1..=12).contains(month));
    let year = year.filter(|year| (1_000..=9_999).contains(year));
    match (year, month) {
        (Some(year), Some(month)) => {
            match day.and_then(|day| Date::new(year, month, i8::try_from(day).ok()?).ok()) {
                Some(day) => Some((day, day)),
                None => Unit::Month.around(Date::new(year, month, 1).ok()?),
            }
        }
        (Some(year), None) => Unit::Year.around(Date::new(year, 1, 1).ok()?),
        (None, Some(month)) => past_month(month, today),
        (None, None) => None,
    }
}

/// `3 weeks ago`: the unit around that day.
fn ago(text: &str, words: &[&str], today: Date) -> Option<Period> {
    let counted = |count: &str, unit: &str| -> Option<Period> {
        let count = match count {
            "a" | "an" | "one" | "einem" | "einer" => 1,
            "two" | "zwei" => 2,
            "three" | "drei" => 3,
            figures => figures.parse().ok().filter(|count| (1..=1_000).contains(count))?,
        };
        let (_, unit) = AGO_UNITS.iter().find(|(name, _)| unit.starts_with(name))?;
        unit.around(today.checked_sub(unit.span(count)).ok()?)
    };
    words
        .windows(3)
        .find_map(|three| match three {
            [count, unit, "ago"] | ["vor", count, unit] => counted(count, unit),
            _ => None,
        })
        .or_else(|| {
            // `3일 전`, `3天前`: figures, the unit, the sign for "before".
            let end = text.find(['전', '前'])?;
            let head = text[..end].trim_end();
            let figures = head.rfind(|each: char| each.is_ascii_digit())?;
            let unit = head[figures + 1..].trim();
            let start = head[..=figures]
                .rfind(|each: char| !each.is_ascii_digit())
                .map_or(0, |at| at + head[at..].chars().next().map_or(1, char::len_utf8));
            counted(&head[start..=figures], unit)
        })
}

/// `March 19, 2025`, `19 March 2025`, `March 2025`, `in March`.
fn named_month(words: &[&str], today: Date) -> Option<Period> {
    let number = |word: &str| -> Option<i8> {
        let place = MONTHS.iter().find_map(|names| names.iter().position(|name| *name == word))?;
        i8::try_from(place + 1).ok()
    };
    let figures = |at: Option<usize>| -> Option<i16> {
        let word = words.get(at?)?;
        word.trim_end_matches("st")
            .trim_end_matches("nd")
            .trim_end_matches("rd")
            .trim_end_matches("th")
            .parse()
            .ok()
    };
    words.iter().enumerate().find_map(|(at, word)| {
        let month = number(word)?;
        let after = figures(Some(at + 1));
        let year =
            [after, figures(Some(at + 2))].into_iter().flatten().find(|year| (1_000..=9_999).contains(year));
        let day =
            [after, figures(at.checked_sub(1))].into_iter().flatten().find(|day| (1..=31).contains(day));
        let says_when = at > 0
            && matches!(
                words[at - 1],
                "in" | "im"
                    | "last"
                    | "since"
                    | "during"
                    | "of"
                    | "this"
                    | "early"
                    | "late"
                    | "on"
                    | "letzten"
            );
        // "may" and "march" are words of their own: alone they must be introduced.
        if year.is_none() && day.is_none() && !says_when {
            return None;
        }
        let first = match year {
            Some(year) => Date::new(year, month, 1).ok()?,
            None => past_month(month, today)?.0,
        };
        match day.and_then(|day| Date::new(first.year(), month, i8::try_from(day).ok()?).ok()) {
            Some(day) => Some((day, day)),
            None => Unit::Month.around(first),
        }
    })
}

/// The latest month of this number that has begun.
fn past_month(month: i8, today: Date) -> Option<Period> {
    let year = if month <= today.month() { today.year() } else { today.year() - 1 };
    Unit::Month.around(Date::new(year, month, 1).ok()?)
}

fn phrase(text: &str, words: &[&str], today: Date) -> Option<Period> {
    PHRASES.iter().find_map(|(phrase, unit, back)| {
        // Words of Latin letters are matched whole.
        let stands = if phrase.is_ascii() {
            let wanted: Vec<&str> = phrase.split(' ').collect();
            words.windows(wanted.len()).any(|window| window == wanted)
        } else {
            text.contains(phrase)
        };
        if stands { unit.around(today.checked_sub(unit.span(*back)).ok()?) } else { None }
    })
}

/// `on Monday`, `last Friday`: the latest one before today.
fn weekday(words: &[&str], today: Date) -> Option<Period> {
    let place = words
        .iter()
        .find_map(|word| WEEKDAYS.iter().find_map(|names| names.iter().position(|name| name == word)))?;
    let wanted = Weekday::from_monday_zero_offset(i8::try_from(place).ok()?).ok()?;
    let day = today.nth_weekday(-1, wanted).ok()?;
    Some((day, day))
}

/// A year alone: `2023`.
fn year(words: &[&str]) -> Option<Period> {
    let year =
        words.iter().find(|word| word.len() == 4 && (word.starts_with("19") || word.starts_with("20")))?;
    Unit::Year.around(date(year.parse().ok()?, 1, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_people_say_is_understood() {
        // A Wednesday.
        let today = date(2026, 3, 18);
        for (text, expected) in [
            ("what happened on 2026-03-02?", "2026-03-02..2026-03-02"),
            ("notes of 2025-12", "2025-12-01..2025-12-31"),
            ("what did we do last week", "2026-03-09..2026-03-15"),
            ("yesterday's meeting", "2026-03-17..2026-03-17"),
            ("the day before yesterday", "2026-03-16..2026-03-16"),
            ("in March 2025", "2025-03-01..2025-03-31"),
            ("in May", "2025-05-01..2025-05-31"),
            ("on March 3rd, 2024", "2024-03-03..2024-03-03"),
            ("7 May 2023", "2023-05-07..2023-05-07"),
            ("what changed 3 weeks ago", "2026-02-23..2026-03-01"),
            ("last Friday", "2026-03-13..2026-03-13"),
            ("trips in 2023", "2023-01-01..2023-12-31"),
            ("was war letzte Woche", "2026-03-09..2026-03-15"),
            ("vor 2 Tagen", "2026-03-16..2026-03-16"),
            ("im März 2025", "2025-03-01..2025-03-31"),
            ("지난주 회의", "2026-03-09..2026-03-15"),
            ("2025년 3월 2일에", "2025-03-02..2025-03-02"),
            ("3일 전에 뭐 했지", "2026-03-15..2026-03-15"),
            ("上个月的计划", "2026-02-01..2026-02-28"),
            ("2025年3月", "2025-03-01..2025-03-31"),
            ("先週の会議", "2026-03-09..2026-03-15"),
        ] {
            let found = period(text, today).map(|(first, last)| format!("{first}..{last}"));
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        }
        for text in [
            "may I march on",
            "what is the port 8080",
            "the lastweek crate",
            "who is Dana",
            "",
            "version 3.1",
        ] {
            assert_eq!(period(text, today), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in "(\\PC|[0-9년월일年月日전前 -]|ago|vor|may ){0,20}") {
            if let Some((first, last)) = period(&text, date(2026, 3, 18)) {
                prop_assert!(first <= last);
            }
        }
    }
}
