//! One moment by its name: a day, a week, a month or a year in words or figures.

use jiff::civil::{Date, date};
use jiff::{Span, ToSpan as _};

use super::lasting::lasting;
use super::months::{month_elsewhere, month_named};
use super::quarters::quarter;
use super::{Period, figures, ideographs, weekdays};

/// Phrases for whole periods, counted back from today's.
pub(super) const PHRASES: [(&str, Unit, i64); 94] = [
    ("last weekend", Unit::Weekend, 1),
    ("letztes wochenende", Unit::Weekend, 1),
    ("letzten wochenende", Unit::Weekend, 1),
    ("지난 주말", Unit::Weekend, 1),
    ("지난주말", Unit::Weekend, 1),
    ("上周末", Unit::Weekend, 1),
    ("上个周末", Unit::Weekend, 1),
    ("先週末", Unit::Weekend, 1),
    ("지난주 주말", Unit::Weekend, 1),
    ("이번 주말", Unit::LatestWeekend, 0),
    ("이번주말", Unit::LatestWeekend, 0),
    ("这周末", Unit::LatestWeekend, 0),
    ("这个周末", Unit::LatestWeekend, 0),
    ("本周末", Unit::LatestWeekend, 0),
    ("今週末", Unit::LatestWeekend, 0),
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
    ("这星期", Unit::Week, 0),
    ("这个星期", Unit::Week, 0),
    ("本星期", Unit::Week, 0),
    ("今週", Unit::Week, 0),
    ("last week", Unit::Week, 1),
    ("letzte woche", Unit::Week, 1),
    ("letzter woche", Unit::Week, 1),
    ("지난주", Unit::Week, 1),
    ("지난 주", Unit::Week, 1),
    ("上周", Unit::Week, 1),
    ("上星期", Unit::Week, 1),
    ("上个星期", Unit::Week, 1),
    ("上礼拜", Unit::Week, 1),
    ("上个礼拜", Unit::Week, 1),
    ("上週", Unit::Week, 1),
    ("先週", Unit::Week, 1),
    ("this month", Unit::Month, 0),
    ("diesen monat", Unit::Month, 0),
    ("이번 달", Unit::Month, 0),
    ("这个月", Unit::Month, 0),
    ("今月", Unit::Month, 0),
    ("last month", Unit::Month, 1),
    ("letzten monat", Unit::Month, 1),
    ("letztem monat", Unit::Month, 1),
    ("letzten monats", Unit::Month, 1),
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
    ("letzten jahr", Unit::Year, 1),
    ("letzten jahres", Unit::Year, 1),
    ("letztem jahr", Unit::Year, 1),
    ("재작년", Unit::Year, 2),
    ("一昨年", Unit::Year, 2),
    ("작년", Unit::Year, 1),
    ("去年", Unit::Year, 1),
    ("ayer", Unit::Day, 1),
    ("ieri", Unit::Day, 1),
    ("semana pasada", Unit::Week, 1),
    ("settimana scorsa", Unit::Week, 1),
    ("semaine derniere", Unit::Week, 1),
    ("semana passada", Unit::Week, 1),
    ("vorige week", Unit::Week, 1),
    ("mes pasado", Unit::Month, 1),
    ("mese scorso", Unit::Month, 1),
    ("mois dernier", Unit::Month, 1),
    ("ano pasado", Unit::Year, 1),
    ("anno scorso", Unit::Year, 1),
    ("annee derniere", Unit::Year, 1),
    // What else is named says more.
    ("weekend", Unit::LatestWeekend, 0),
    ("wochenende", Unit::LatestWeekend, 0),
    ("주말", Unit::LatestWeekend, 0),
    ("周末", Unit::LatestWeekend, 0),
    ("週末", Unit::LatestWeekend, 0),
];
/// Units after a number and before "ago", as in "3 weeks ago", "vor 3 Wochen", "3주 전", "3天前".
const AGO_UNITS: [(&str, Unit); 24] = [
    ("day", Unit::Day),
    ("tag", Unit::Day),
    ("일", Unit::Day),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("week", Unit::Week),
    ("woche", Unit::Week),
    ("주", Unit::Week),
    ("周", Unit::Week),
    ("星期", Unit::Week),
    ("个星期", Unit::Week),
    ("週間", Unit::Week),
    ("month", Unit::Month),
    ("monat", Unit::Month),
    ("개월", Unit::Month),
    ("달", Unit::Month),
    ("个月", Unit::Month),
    ("か月", Unit::Month),
    ("ヶ月", Unit::Month),
    ("カ月", Unit::Month),
    ("year", Unit::Year),
    ("jahr", Unit::Year),
    ("년", Unit::Year),
    ("年", Unit::Year),
];
const WORDED_AGO: [(&str, Unit, i64); 6] = [
    ("이틀 전", Unit::Day, 2),
    ("사흘 전", Unit::Day, 3),
    ("나흘 전", Unit::Day, 4),
    ("일주일 전", Unit::Week, 1),
    ("半年前", Unit::Month, 6),
    ("반년 전", Unit::Month, 6),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    /// Saturday and Sunday.
    Weekend,
    /// Those that have begun last.
    LatestWeekend,
    Week,
    Month,
    Year,
}

impl Unit {
    pub(super) fn span(self, count: i64) -> Span {
        match self {
            Self::Day => count.days(),
            Self::Week | Self::Weekend | Self::LatestWeekend => count.weeks(),
            Self::Month => count.months(),
            Self::Year => count.years(),
        }
    }

    /// The day, the week from Monday, the month or the year that holds a day.
    pub(super) fn around(self, day: Date) -> Option<Period> {
        match self {
            Self::Day => Some((day, day)),
            Self::Weekend => {
                let (_, sunday) = Self::Week.around(day)?;
                Some((sunday.yesterday().ok()?, sunday))
            }
            Self::LatestWeekend => {
                let (saturday, sunday) = Self::Weekend.around(day)?;
                let back = if saturday > day { 1 } else { 0 }.weeks();
                Some((saturday.checked_sub(back).ok()?, sunday.checked_sub(back).ok()?))
            }
            Self::Week => {
                let first = day.checked_sub(i64::from(day.weekday().to_monday_zero_offset()).days()).ok()?;
                Some((first, first.checked_add(6.days()).ok()?))
            }
            Self::Month => Some((day.first_of_month(), day.last_of_month())),
            Self::Year => Some((day.first_of_year(), day.last_of_year())),
        }
    }
}

/// The days that a text names, whatever is said of them: whether before or after is not looked at. `is_introduced` where a word before the
/// text says that a time follows.
pub(super) fn moment(folded: &str, today: Date, is_introduced: bool) -> Option<Period> {
    let words = words_of(folded);
    let signed = || weekdays::in_signs(folded, today);
    figures::dated(folded)
        .or_else(|| lasting(folded, &words, today))
        .or_else(|| quarter(folded, &words, today))
        .or_else(|| ideographs::dated(folded, today).map(|dated| dated.period))
        .or_else(|| weekdays::of_a_week(&words, today))
        .or_else(|| signed().filter(|signed| signed.is_counted).map(|signed| signed.period))
        .or_else(|| ago(folded, &words, today))
        .or_else(|| named_month(folded, &words, today, is_introduced))
        .or_else(|| phrase(folded, &words, today).map(|(period, _)| period))
        .or_else(|| signed().map(|signed| signed.period))
        .or_else(|| weekdays::latest(&words, today))
        .or_else(|| year(&words))
}

pub(super) fn words_of(folded: &str) -> Vec<&str> {
    folded
        .split(|each: char| !each.is_alphanumeric() && each != '-')
        .filter(|word| !word.is_empty())
        .collect()
}

/// `3 weeks ago`: the unit around that day.
pub(super) fn ago(text: &str, words: &[&str], today: Date) -> Option<Period> {
    let back = |count: i64, unit: Unit| unit.around(today.checked_sub(unit.span(count)).ok()?);
    let counted = |count: &str, unit: &str| -> Option<Period> {
        let (_, unit) = AGO_UNITS.iter().find(|(name, _)| unit.starts_with(name))?;
        back(number(count)?, *unit)
    };
    words
        .windows(3)
        .find_map(|three| match three {
            ["a" | "one", "fortnight", "ago"] => back(2, Unit::Week),
            [count, unit, "ago"] | ["vor", count, unit] => counted(count, unit),
            _ => None,
        })
        .or_else(|| {
            let said = WORDED_AGO.iter().find(|(said, ..)| text.contains(said))?;
            back(said.2, said.1)
        })
        .or_else(|| {
            // `3일 전`, `3天前`, `两周之前`: how many, the unit, the sign for "before".
            let end = text.find(['전', '前'])?;
            let head = text[..end].trim_end().trim_end_matches(['之', '以']).trim_end();
            let is_number = |each: char| each.is_ascii_digit() || IDEOGRAPHIC.contains(each);
            AGO_UNITS.iter().filter(|(name, _)| !name.is_ascii()).find_map(|(name, unit)| {
                let counted = head.strip_suffix(name)?.trim_end();
                let start = counted
                    .char_indices()
                    .rev()
                    .take_while(|(_, each)| is_number(*each))
                    .last()
                    .map(|(start, _)| start)
                    .or_else(|| {
                        KOREAN
                            .iter()
                            .find(|(said, _)| counted.ends_with(said))
                            .map(|(said, _)| counted.len() - said.len())
                    })?;
                back(number(&counted[start..])?, *unit)
            })
        })
}

/// Signs for numbers before a unit, of which each is its place; `两` is another two.
pub(super) const IDEOGRAPHIC: &str = "〇一二三四五六七八九十两";
/// Korean numbers before a unit.
const KOREAN: [(&str, i64); 6] = [("한", 1), ("두", 2), ("세", 3), ("네", 4), ("다섯", 5), ("여섯", 6)];
/// Numbers in words, each language from one on.
const NUMBERS: [[&str; 12]; 5] = [
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
    ["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"],
    ["uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce"],
    ["una", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci", "undici", "dodici"],
    ["einem", "zwei", "drei", "vier", "funf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwolf"],
];

/// How many, up to a thousand.
pub(super) fn number(said: &str) -> Option<i64> {
    if matches!(said, "a" | "an" | "einer") {
        return Some(1);
    }
    let in_words = NUMBERS.iter().find_map(|names| names.iter().position(|name| *name == said));
    if let Some(place) = in_words {
        return i64::try_from(place + 1).ok();
    }
    if let Some((_, number)) = KOREAN.iter().find(|(name, _)| *name == said) {
        return Some(*number);
    }
    let digit = |sign: char| match sign {
        '两' => Some(2),
        sign => IDEOGRAPHIC.chars().position(|each| each == sign).and_then(|place| i64::try_from(place).ok()),
    };
    let signs: Vec<char> = said.chars().collect();
    let number = match signs[..] {
        [one] if !one.is_ascii() => digit(one),
        ['十', one] => digit(one).filter(|one| *one < 10).map(|one| 10 + one),
        [tens, '十'] => digit(tens).map(|tens| 10 * tens),
        _ => said.parse().ok(),
    };
    number.filter(|count| (1..=1_000).contains(count))
}

/// `March 19, 2025`, `19 March 2025`, `March 2025`, `in March`, `March last year`.
fn named_month(text: &str, words: &[&str], today: Date, is_introduced: bool) -> Option<Period> {
    let figures = |at: Option<usize>| -> Option<i16> {
        let word = words.get(at?)?;
        let ends = ["st", "nd", "rd", "th"];
        ends.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word).parse().ok()
    };
    words.iter().enumerate().find_map(|(at, word)| {
        let before = at.checked_sub(1).map(|before| words[before]);
        let (month, is_elsewhere, is_introduced) = match (month_named(word), month_elsewhere(word, before)) {
            (Some(month), _) => (month, false, is_introduced),
            (None, found) => found.map(|(month, is_named)| (month, true, is_named))?,
        };
        let after = figures(Some(at + 1));
        let year =
            [after, figures(Some(at + 2))].into_iter().flatten().find(|year| (1_000..=9_999).contains(year));
        let day = [after, figures(at.checked_sub(1)), day_before_of(words, at)]
            .into_iter()
            .flatten()
            .find(|day| (1..=31).contains(day));
        // "Mars", "Marco" and "mayo" are not what they are in another language.
        if is_elsewhere && year.is_none() && !is_introduced {
            return None;
        }
        let year = year.or_else(|| year_in_words(text, today));
        let says_when = is_introduced
            || at > 0
                && matches!(
                    words[at - 1],
                    "in" | "im"
                        | "last"
                        | "since"
                        | "seit"
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

/// The number in "5 de marzo".
fn day_before_of(words: &[&str], month: usize) -> Option<i16> {
    let of = month.checked_sub(1).filter(|of| matches!(words[*of], "de" | "di"))?;
    words[of.checked_sub(1)?].parse().ok()
}

/// The year that is said in words: `last year`, `작년`.
pub(super) fn year_in_words(text: &str, today: Date) -> Option<i16> {
    let of_years = |(_, unit, _): &&(&str, Unit, i64)| *unit == Unit::Year;
    let words = words_of(text);
    let found =
        PHRASES.iter().filter(of_years).find(|(phrase, ..)| end_of(phrase, text, &words).is_some())?;
    i16::try_from(i64::from(today.year()) - found.2).ok()
}

/// The latest month of this number that has begun.
pub(super) fn past_month(month: i8, today: Date) -> Option<Period> {
    let year = if month <= today.month() { today.year() } else { today.year() - 1 };
    Unit::Month.around(Date::new(year, month, 1).ok()?)
}

/// A period in words, and the end of the words where they are ideographs.
pub(super) fn phrase(text: &str, words: &[&str], today: Date) -> Option<(Period, usize)> {
    PHRASES.iter().find_map(|(phrase, unit, back)| {
        let end = end_of(phrase, text, words)?;
        Some((unit.around(today.checked_sub(unit.span(*back)).ok()?)?, end))
    })
}

/// Where a phrase ends in the text; words of Latin letters are matched whole, wherever they stand.
fn end_of(phrase: &str, text: &str, words: &[&str]) -> Option<usize> {
    if phrase.is_ascii() {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        return words.windows(wanted.len()).any(|window| window == wanted).then_some(text.len());
    }
    text.find(phrase).map(|start| start + phrase.len())
}

/// A year alone: `2023`.
fn year(words: &[&str]) -> Option<Period> {
    let year =
        words.iter().find(|word| word.len() == 4 && (word.starts_with("19") || word.starts_with("20")))?;
    Unit::Year.around(date(year.parse().ok()?, 1, 1))
}
