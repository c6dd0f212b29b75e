//! Dates in figures: `2026-03-19`, `2026/03/19`, `19.03.2026`, `2026-03`, `03/2026`.
//!
//! Of two figures before a year the first is the day, as in most of the world, unless it can only be the month: `5/3/2025` is the fifth of
//! March, `3/25/2025` the twenty-fifth.

use jiff::civil::Date;

use super::Period;
use super::named::Unit;

/// The first date in figures.
pub(super) fn dated(text: &str) -> Option<Period> {
    let is_part = |each: char| each.is_ascii_digit() || matches!(each, '-' | '/' | '.');
    let mut rest = text;
    while let Some(start) = rest.find(|each: char| each.is_ascii_digit()) {
        let is_word = rest[..start].ends_with(|each: char| each.is_ascii_alphabetic() || each == '_');
        let run = &rest[start..];
        let end = run.find(|each: char| !is_part(each)).unwrap_or(run.len());
        let is_cut = run[end..].starts_with(|each: char| each.is_ascii_alphabetic());
        if !is_word
            && !is_cut
            && let Some(period) = read(run[..end].trim_end_matches(['-', '/', '.']))
        {
            return Some(period);
        }
        rest = &run[end..];
    }
    None
}

fn read(figures: &str) -> Option<Period> {
    let separator = figures.chars().find(|each| !each.is_ascii_digit())?;
    let parts: Vec<&str> = figures.split(separator).collect();
    let is_short = |part: &&str| matches!(part.len(), 1 | 2);
    let number = |part: &str| part.parse::<i8>().ok();
    match parts[..] {
        [year, month, day] if year.len() == 4 && is_short(&month) && is_short(&day) => {
            let day = Date::new(year.parse().ok()?, number(month)?, number(day)?).ok()?;
            Some((day, day))
        }
        [one, other, year] if year.len() == 4 && is_short(&one) && is_short(&other) => {
            let (year, one, other) = (year.parse().ok()?, number(one)?, number(other)?);
            let (day, month) = if other > 12 && separator == '/' { (other, one) } else { (one, other) };
            let day = Date::new(year, month, day).ok()?;
            Some((day, day))
        }
        [year, month] | [month, year] if year.len() == 4 && month.len() == 2 && is_year(year) => {
            Unit::Month.around(Date::new(year.parse().ok()?, number(month)?, 1).ok()?)
        }
        _ => None,
    }
}

/// Four figures may be anything else, too.
fn is_year(figures: &str) -> bool {
    figures.starts_with("19") || figures.starts_with("20")
}
