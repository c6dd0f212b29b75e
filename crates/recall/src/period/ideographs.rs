//! Dates with signs for year, month and day, and what follows them: `2025년 3월 이전`, `2025年3月以降`, `去年3月`.

use jiff::civil::Date;

use super::named::{self, Unit};
use super::weekdays::{self, Signed};
use super::{Direction, Period};

/// What follows a date says which side of it is meant. The longer ones come first.
const AFTER_A_DATE: [(&str, Direction); 38] = [
    ("以前", Direction::Before),
    ("之前", Direction::Before),
    ("より前", Direction::Before),
    ("の前", Direction::Before),
    ("前", Direction::Before),
    ("이전", Direction::Before),
    ("전에", Direction::Before),
    ("전까지", Direction::Before),
    ("의 전", Direction::Before),
    ("以后", Direction::After),
    ("以後", Direction::After),
    ("之后", Direction::After),
    ("之後", Direction::After),
    ("の後", Direction::After),
    ("より後", Direction::After),
    ("后", Direction::After),
    ("이후", Direction::Since),
    ("후에", Direction::After),
    ("지나서", Direction::After),
    ("以来", Direction::Since),
    ("以來", Direction::Since),
    ("以降", Direction::Since),
    ("来", Direction::Since),
    ("起", Direction::Since),
    ("から", Direction::Since),
    ("부터", Direction::Since),
    ("까지", Direction::Until),
    ("까진", Direction::Until),
    ("为止", Direction::Until),
    ("止", Direction::Until),
    ("まで", Direction::Until),
    ("말고", Direction::Not),
    ("빼고", Direction::Not),
    ("제외", Direction::Not),
    ("以外", Direction::Not),
    ("之外", Direction::Not),
    ("ではな", Direction::Not),
    ("じゃな", Direction::Not),
];
/// What stands between the two dates of a range.
const UP_TO: [&str; 10] = ["부터", "에서", "から", "到", "至", "~", "〜", "～", "–", "-"];
/// What stands before a date that is the end.
const BEFORE_A_DATE: [(&str, Direction); 8] = [
    ("直到", Direction::Until),
    ("截至", Direction::Until),
    ("截止", Direction::Until),
    ("到", Direction::Until),
    ("自从", Direction::Since),
    ("不是", Direction::Not),
    ("除了", Direction::Not),
    ("自", Direction::Since),
];

/// A date in a text.
pub(super) struct Dated {
    pub(super) period: Period,
    /// Whether it says its year.
    has_year: bool,
    start: usize,
    end: usize,
}

/// The first date, whatever is said of it.
pub(super) fn dated(text: &str, today: Date) -> Option<Dated> {
    found(text, 0, today)
}

/// The days that are meant by the first date and what stands around it.
pub(super) fn directed(text: &str, today: Date) -> Option<Option<Period>> {
    let weekday = || {
        let Signed { period, start, end, .. } = weekdays::in_signs(text, today)?;
        Some(Dated { period, has_year: true, start, end })
    };
    let phrase = || {
        let (period, end) = named::phrase(text, &[], today)?;
        Some(Dated { period, has_year: true, start: end, end })
    };
    let first = found(text, 0, today).or_else(weekday).or_else(phrase)?;
    let after = text[first.end..].trim_start();
    if let Some(joined) = UP_TO.iter().find_map(|sign| after.strip_prefix(sign)) {
        let from = text.len() - joined.len();
        let second = found(text, from, today).filter(|second| text[from..second.start].trim().is_empty());
        if let Some(second) = second {
            return Some(super::between(first.period, first.has_year, second.period, second.has_year));
        }
    }
    let says = AFTER_A_DATE.iter().find(|(sign, _)| after.starts_with(sign)).map(|(_, says)| *says);
    let before = text[..first.start].trim_end();
    let says = says
        .or_else(|| BEFORE_A_DATE.iter().find(|(sign, _)| before.ends_with(sign)).map(|(_, says)| *says))?;
    Some(says.of(first.period))
}

/// The first date from a place on: figures before a sign for the year or the month, and those that follow.
fn found(text: &str, from: usize, today: Date) -> Option<Dated> {
    let (mut at, mut before) = (from, None);
    while let Some(next) = text[at..].find(['년', '年', '월', '月']).map(|next| at + next) {
        let sign = text[next..].chars().next()?;
        let end = next + sign.len_utf8();
        let digits = text[from..next].trim_end();
        let start = from
            + digits
                .char_indices()
                .rev()
                .take_while(|(_, each)| is_number(*each))
                .last()
                .map_or(digits.len(), |(start, _)| start);
        let number = numbered(&text[start..from + digits.len()]);
        if let Some(number) = number {
            before = read(text, start, end, number, matches!(sign, '년' | '年'), today);
        }
        if before.is_some() {
            return before;
        }
        at = end;
    }
    before
}

fn read(text: &str, start: usize, end: usize, number: i16, is_year: bool, today: Date) -> Option<Dated> {
    let dated = |period, has_year, end| Some(Dated { period, has_year, start, end });
    let (year, month, end) = match is_year {
        true => {
            let year = Some(number).filter(|year| (1_000..=9_999).contains(year))?;
            match counted(text, end, &['월', '月']) {
                Some((month, end)) if (1..=12).contains(&month) => (Some(year), month, end),
                _ => return dated(Unit::Year.around(Date::new(year, 1, 1).ok()?)?, true, end),
            }
        }
        false => {
            let month = i8::try_from(number).ok().filter(|month| (1..=12).contains(month))?;
            (named::year_in_words(&text[..start], today), month, end)
        }
    };
    let first = match year {
        Some(year) => Date::new(year, month, 1).ok()?,
        None => named::past_month(month, today)?.0,
    };
    match counted(text, end, &['일', '日', '号', '號'])
        .and_then(|(day, end)| Some((Date::new(first.year(), month, day).ok()?, end)))
    {
        Some((day, end)) => dated((day, day), year.is_some(), end),
        None => dated(Unit::Month.around(first)?, year.is_some(), end),
    }
}

fn is_number(each: char) -> bool {
    each.is_ascii_digit() || "〇零一二三四五六七八九十".contains(each)
}

/// A number in figures or in signs: `3`, `三`, `十二`, `二〇二五`.
fn numbered(said: &str) -> Option<i16> {
    let digit = |sign: char| {
        "〇一二三四五六七八九".chars().position(|each| each == sign || sign == '零' && each == '〇')
    };
    if said.is_ascii() {
        return said.parse().ok();
    }
    if said.chars().count() == 4 {
        let figures: Option<Vec<String>> = said.chars().map(|sign| Some(digit(sign)?.to_string())).collect();
        return figures?.concat().parse().ok();
    }
    let count = match said.split_once('十') {
        Some((tens, ones)) => {
            let of = |part: &str, none| match part.chars().next() {
                Some(sign) if part.chars().count() == 1 => digit(sign),
                Some(_) => None,
                None => Some(none),
            };
            of(tens, 1)? * 10 + of(ones, 0)?
        }
        None => digit(said.chars().next().filter(|_| said.chars().count() == 1)?)?,
    };
    i16::try_from(count).ok()
}

/// The number right after a place and before one of these signs, and where that ends.
fn counted(text: &str, from: usize, signs: &[char]) -> Option<(i8, usize)> {
    let after = text[from..].trim_start();
    let digits = &after[..after.find(|each: char| !is_number(each))?];
    let rest = after[digits.len()..].trim_start();
    let sign = rest.chars().next().filter(|sign| signs.contains(sign))?;
    Some((i8::try_from(numbered(digits)?).ok()?, text.len() - rest.len() + sign.len_utf8()))
}
