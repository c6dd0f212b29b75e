//! Quarters of a year: `Q4 2025`, "the fourth quarter of 2025", "4. Quartal 2025", "2025년 4분기", "2025年第四季度", "last quarter".

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::Period;
use super::named::number;

const ORDINALS: [[&str; 4]; 4] = [
    ["first", "second", "third", "fourth"],
    ["1st", "2nd", "3rd", "4th"],
    ["erstes", "zweites", "drittes", "viertes"],
    ["ersten", "zweiten", "dritten", "vierten"],
];
const LAST: [&str; 8] = [
    "last quarter",
    "letztes quartal",
    "letzten quartal",
    "지난 분기",
    "지난분기",
    "上个季度",
    "上季度",
    "前四半期",
];
const SIGNS: [&str; 4] = ["분기", "季度", "四半期", "季"];

/// Whether a word is a quarter: `q4`.
pub(super) fn is_quarter(word: &str) -> bool {
    of_word(word).is_some()
}

fn of_word(word: &str) -> Option<i8> {
    let number = word.strip_prefix('q')?;
    match number {
        "1" | "2" | "3" | "4" => number.parse().ok(),
        _ => None,
    }
}

/// The quarter that a text names.
pub(super) fn quarter(text: &str, words: &[&str], today: Date) -> Option<Period> {
    let year_at = |at: Option<usize>| -> Option<i16> {
        let word = words.get(at?)?;
        let is_year = word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
        word.parse().ok().filter(|_| is_year)
    };
    let near = |at: usize| {
        let places = [Some(at + 1), Some(at + 2), at.checked_sub(1), at.checked_sub(2)];
        places.into_iter().find_map(year_at)
    };
    let named = words.iter().enumerate().find_map(|(at, word)| {
        if let Some(quarter) = of_word(word) {
            return Some((quarter, near(at)));
        }
        let is_unit = matches!(*word, "quarter" | "quartal" | "quartals");
        let before = words.get(at.checked_sub(1)?).filter(|_| is_unit)?;
        let place = ORDINALS.iter().find_map(|names| names.iter().position(|name| name == before));
        let quarter = place.map_or_else(|| before.parse().ok(), |place| i8::try_from(place + 1).ok())?;
        Some((quarter, near(at).or_else(|| year_at(at.checked_sub(2)))))
    });
    if let Some((quarter, year)) = named.filter(|(quarter, _)| (1..=4).contains(quarter)) {
        return of(quarter, year, today);
    }
    if LAST.iter().any(|phrase| match phrase.is_ascii() {
        true => words.windows(2).any(|two| phrase.split(' ').eq(two.iter().copied())),
        false => text.contains(phrase),
    }) {
        let this = first_of(today)?;
        return Some((this.checked_sub(3.months()).ok()?, this.yesterday().ok()?));
    }
    SIGNS.iter().find_map(|sign| {
        let head = text[..text.find(sign)?].trim_end();
        let last = head.chars().next_back()?;
        let quarter = number(last.encode_utf8(&mut [0; 4])).and_then(|number| i8::try_from(number).ok())?;
        let before = head[..head.len() - last.len_utf8()].trim_end_matches(['第', ' ']);
        let year = before.strip_suffix(['년', '年']).map(str::trim_end);
        let year = year.and_then(|head| head.get(head.len().checked_sub(4)?..)?.parse().ok());
        (1..=4).contains(&quarter).then(|| of(quarter, year, today))?
    })
}

/// The quarter of a year; of none that is named the latest that has begun.
fn of(quarter: i8, year: Option<i16>, today: Date) -> Option<Period> {
    let in_year = |year| Date::new(year, quarter * 3 - 2, 1).ok();
    let first = match year {
        Some(year) => in_year(year)?,
        None => {
            in_year(today.year()).filter(|first| *first <= today).or_else(|| in_year(today.year() - 1))?
        }
    };
    Some((first, first.checked_add(2.months()).ok()?.last_of_month()))
}

fn first_of(day: Date) -> Option<Date> {
    Date::new(day.year(), (day.month() - 1) / 3 * 3 + 1, 1).ok()
}
