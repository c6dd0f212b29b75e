//! The days that a question names (S13): "last week", "in March 2025", "vor 3 Tagen", "지난주", "2025年3月", "since May".
//!
//! Rules over the folded text, for English, German, Korean, Chinese and Japanese, and for dates in figures. What is ambiguous is
//! taken as past, since a memory is asked about what was. A word beside the date says which side of it is meant: a range may have no
//! first or no last day. What is excluded is no period. Pure: the text and today's date in, a range of days out.

mod figures;
mod ideographs;
mod lasting;
mod months;
mod named;
mod quarters;
mod span;
mod weekdays;

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::analyzer::fold;

pub(crate) use span::{is_of_calendar, span};

/// A range of days, first and last; [`Date::MIN`] and [`Date::MAX`] where there is none.
pub(crate) type Period = (Date, Date);

/// Which side of a date is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Before,
    Until,
    Since,
    After,
    Not,
}

impl Direction {
    fn of(self, (first, last): Period) -> Option<Period> {
        match self {
            Self::Before => Some((Date::MIN, first.yesterday().ok()?)),
            Self::Until => Some((Date::MIN, last)),
            Self::Since => Some((first, Date::MAX)),
            Self::After => Some((last.tomorrow().ok()?, Date::MAX)),
            Self::Not => None,
        }
    }
}

/// Words before a date that say which side of it is meant.
const DIRECTIONS: [(&str, Direction); 17] = [
    ("before", Direction::Before),
    ("vor", Direction::Before),
    ("until", Direction::Until),
    ("till", Direction::Until),
    ("bis", Direction::Until),
    ("since", Direction::Since),
    ("seit", Direction::Since),
    ("ab", Direction::Since),
    ("from", Direction::Since),
    ("von", Direction::Since),
    ("after", Direction::After),
    ("nach", Direction::After),
    ("not", Direction::Not),
    ("nicht", Direction::Not),
    ("except", Direction::Not),
    ("excluding", Direction::Not),
    ("ausser", Direction::Not),
];
/// Words that may stand in a date beside names and figures.
const IN_A_DATE: [&str; 58] = [
    "the",
    "of",
    "in",
    "on",
    "at",
    "early",
    "mid",
    "late",
    "end",
    "beginning",
    "start",
    "year",
    "month",
    "week",
    "weekend",
    "this",
    "last",
    "today",
    "yesterday",
    "day",
    "den",
    "dem",
    "der",
    "im",
    "am",
    "anfang",
    "mitte",
    "ende",
    "zum",
    "des",
    "letzte",
    "letzten",
    "letzter",
    "letztem",
    "letztes",
    "gestern",
    "heute",
    "vorgestern",
    "past",
    "few",
    "days",
    "weeks",
    "months",
    "years",
    "quarter",
    "tagen",
    "wochen",
    "monaten",
    "jahren",
    "quartal",
    "first",
    "second",
    "third",
    "fourth",
    "ersten",
    "zweiten",
    "dritten",
    "vierten",
];
/// Words of a unit in a date, in German.
const GERMAN_UNITS: [&str; 7] = ["woche", "monat", "monats", "jahr", "jahres", "wochenende", "jahrs"];
/// Words before a direction that make another thing of it: "the day before yesterday", "two weeks after".
const MEASURES: [&str; 12] =
    ["day", "days", "week", "weeks", "month", "months", "year", "years", "tag", "tage", "woche", "wochen"];

/// The days that `text` names, seen from `today`.
pub(crate) fn period(text: &str, today: Date) -> Option<Period> {
    let folded = fold(text);
    if let Some(directed) = directed(&folded, today) {
        return directed;
    }
    if let Some(directed) = ideographs::directed(&folded, today) {
        return directed;
    }
    named::moment(&folded, today, false)
}

/// The days that are meant where a word says which side of a date is. Nothing where none does.
fn directed(folded: &str, today: Date) -> Option<Option<Period>> {
    let words = words_at(folded);
    let is = |at: usize, any: &[&str]| words.get(at).is_some_and(|(_, word)| any.contains(word));
    words.iter().enumerate().find_map(|(at, (_, word))| {
        let range = matches!(*word, "between" | "zwischen");
        let says = DIRECTIONS.iter().find(|(name, _)| name == word).map(|(_, says)| *says);
        if !range && says.is_none() || at > 0 && is(at - 1, &MEASURES) {
            return None;
        }
        let (first, has_year, end) = date_at(folded, &words, at + 1, today)?;
        let is_from = matches!(*word, "from" | "von");
        let joins: &[&str] = if range { &["and", "und"] } else { &["to", "until", "till", "through", "bis"] };
        if (range || is_from || says == Some(Direction::Since)) && is(end, joins) {
            // "bis zum", "to the": the date itself goes on with it.
            if let Some((second, second_year, _)) = date_at(folded, &words, end + 1, today) {
                return Some(between(first, has_year, second, second_year));
            }
        }
        match says {
            // "the report from March" is of March; "from March on" is not.
            Some(_) if is_from && !is(end, &["on", "onward", "onwards", "forward", "an"]) => None,
            Some(says) => Some(says.of(first)),
            None => None,
        }
    })
}

/// From the first to the last day of two dates, of which one may not say its year: they are of one then, or follow each other.
fn between(first: Period, has_year: bool, second: Period, second_has: bool) -> Option<Period> {
    let moved = |(start, end): Period, years: i16| -> Option<Period> {
        let span = i64::from(years).years();
        let (start, end) = (start.checked_add(span).ok()?, end.checked_add(span).ok()?);
        // A February may have become a day longer.
        Some((start, if end.first_of_month() == start && end > start { end.last_of_month() } else { end }))
    };
    let (first, second) = match (has_year, second_has) {
        (false, true) => {
            let near = moved(first, second.0.year() - first.0.year())?;
            (if near.0 > second.1 { moved(near, -1)? } else { near }, second)
        }
        (true, false) => {
            let near = moved(second, first.0.year() - second.0.year())?;
            (first, if near.1 < first.0 { moved(near, 1)? } else { near })
        }
        // Both are past, and the first comes first.
        (false, false) if first.0 > second.1 => (moved(first, -1)?, second),
        _ => (first, second),
    };
    (first.0 <= second.1).then_some((first.0, second.1))
}

/// The date whose words begin at a place, whether it says its year, and the place after it.
fn date_at(folded: &str, words: &[(usize, &str)], at: usize, today: Date) -> Option<(Period, bool, usize)> {
    let is_figures = |word: &str| word.starts_with(|each: char| each.is_ascii_digit());
    let is_of_date = |word: &str| {
        is_figures(word)
            || months::month_named(word).is_some()
            || quarters::is_quarter(word)
            || weekdays::is_name(word)
            || IN_A_DATE.contains(&word)
            || GERMAN_UNITS.contains(&word)
    };
    let count = words.get(at..)?.iter().take(6).take_while(|(_, word)| is_of_date(word)).count();
    let (start, _) = words.get(at)?;
    (1..=count).rev().find_map(|count| {
        let (last, word) = words[at + count - 1];
        // "on" and "in" end no date.
        if matches!(word, "on" | "in" | "at" | "the" | "of" | "am" | "im") {
            return None;
        }
        let said = &folded[*start..last + word.len()];
        let period = named::moment(said, today, true)?;
        let has_year = words[at..at + count].iter().any(|(_, word)| {
            word.len() == 4 && word.parse::<i16>().is_ok() || word.contains(['-', '/', '.'])
        }) || named::year_in_words(said, today).is_some()
            || named::phrase(said, &named::words_of(said), today).is_some();
        Some((period, has_year, at + count))
    })
}

/// The words with their places; figures keep the signs between them.
fn words_at(folded: &str) -> Vec<(usize, &str)> {
    folded
        .split(|each: char| !each.is_alphanumeric() && !matches!(each, '-' | '/' | '.'))
        .map(|word| word.trim_matches(['-', '/', '.']))
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - folded.as_ptr() as usize, word))
        .collect()
}

#[cfg(test)]
mod tests;
