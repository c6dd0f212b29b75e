//! Stretches of time that reach up to today: "in the last 7 days", "past two weeks", "in den letzten 14 Tagen", "최근 3일", "过去两周".
//!
//! They begin so many days, weeks, months or years before today and end today, both days included. "Last week" without "in the" is the
//! week before this one and no business of this file; "in the last week" and "the past week" are the seven days up to today.

use jiff::civil::Date;

use super::Period;
use super::named::{Unit, number};

/// What stands before (or, in French, after) the number.
const LATEST: [&str; 18] = [
    "last",
    "past",
    "previous",
    "letzten",
    "letzte",
    "letzter",
    "vergangenen",
    "vergangene",
    "derniers",
    "dernieres",
    "ultimos",
    "ultimas",
    "ultimi",
    "ultime",
    "laatste",
    "afgelopen",
    "seit",
    "passes",
];
/// The same in Korean, Chinese and Japanese.
const LATEST_SIGNS: [&str; 10] = ["최근", "지난", "最近", "过去", "過去", "近", "这", "這", "直近", "ここ"];
/// Words of a unit, by how they begin.
const UNITS: [(&str, Unit, i64); 29] = [
    ("hour", Unit::Day, 0),
    ("stunde", Unit::Day, 0),
    ("heure", Unit::Day, 0),
    ("hora", Unit::Day, 0),
    ("day", Unit::Day, 1),
    ("tag", Unit::Day, 1),
    ("jour", Unit::Day, 1),
    ("dia", Unit::Day, 1),
    ("giorni", Unit::Day, 1),
    ("dag", Unit::Day, 1),
    ("week", Unit::Week, 1),
    ("weken", Unit::Week, 1),
    ("woche", Unit::Week, 1),
    ("semaine", Unit::Week, 1),
    ("semana", Unit::Week, 1),
    ("settiman", Unit::Week, 1),
    ("fortnight", Unit::Week, 2),
    ("month", Unit::Month, 1),
    ("monat", Unit::Month, 1),
    ("mois", Unit::Month, 1),
    ("mes", Unit::Month, 1),
    ("maand", Unit::Month, 1),
    ("quarter", Unit::Month, 3),
    ("year", Unit::Year, 1),
    ("jahr", Unit::Year, 1),
    ("annee", Unit::Year, 1),
    ("ano", Unit::Year, 1),
    ("anni", Unit::Year, 1),
    ("jaar", Unit::Year, 1),
];
/// Units after a number in Korean, Chinese and Japanese; the longer ones come first.
const UNIT_SIGNS: [(&str, Unit); 25] = [
    ("시간", Unit::Day),
    ("小时", Unit::Day),
    ("小時", Unit::Day),
    ("時間", Unit::Day),
    ("일", Unit::Day),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("주일", Unit::Week),
    ("주", Unit::Week),
    ("个星期", Unit::Week),
    ("個星期", Unit::Week),
    ("星期", Unit::Week),
    ("个礼拜", Unit::Week),
    ("週間", Unit::Week),
    ("周", Unit::Week),
    ("週", Unit::Week),
    ("개월", Unit::Month),
    ("달", Unit::Month),
    ("个月", Unit::Month),
    ("個月", Unit::Month),
    ("か月", Unit::Month),
    ("ヶ月", Unit::Month),
    ("カ月", Unit::Month),
    ("년", Unit::Year),
    ("年", Unit::Year),
];
/// Said in one word.
const WORDED: [(&str, Unit, i64); 8] = [
    ("최근 일주일", Unit::Week, 1),
    ("지난 일주일", Unit::Week, 1),
    ("최근 며칠", Unit::Day, 7),
    ("지난 며칠", Unit::Day, 7),
    ("最近几天", Unit::Day, 7),
    ("这几天", Unit::Day, 7),
    ("过去几天", Unit::Day, 7),
    ("ここ数日", Unit::Day, 7),
];

/// The stretch of time up to today that a text names.
pub(super) fn lasting(text: &str, words: &[&str], today: Date) -> Option<Period> {
    in_words(words, today).or_else(|| in_signs(text, today))
}

/// So many units back from today.
fn back(count: i64, unit: Unit, today: Date) -> Option<Period> {
    Some((today.checked_sub(unit.span(count)).ok()?, today))
}

/// So many hours are days.
fn days_of(hours: i64) -> i64 {
    hours.div_euclid(24) + i64::from(hours % 24 > 0)
}

fn in_words(words: &[&str], today: Date) -> Option<Period> {
    let unit_of = |word: &str| UNITS.iter().find(|(name, ..)| word.starts_with(name));
    let is_latest = |word: &str| LATEST.contains(&word);
    let counted = |count: &str, unit: &str| {
        let (_, unit, times) = unit_of(unit)?;
        match (number(count).or_else(|| vague(count, *unit))?, times) {
            (hours, 0) => back(days_of(hours), Unit::Day, today),
            (count, times) => back(count * times, *unit, today),
        }
    };
    words.iter().enumerate().find_map(|(at, word)| {
        let rest = &words[at + 1..];
        let before = at.checked_sub(1).map(|before| words[before]);
        match rest {
            [count, unit, ..] if is_latest(word) && counted(count, unit).is_some() => counted(count, unit),
            // "les 7 derniers jours"
            [latest, unit, ..] if is_latest(latest) && number(word).is_some() => counted(word, unit),
            // "the last couple of days"
            ["couple", "of", unit, ..] if is_latest(word) => counted("two", unit),
            // "in den letzten Tagen", "the last days"
            ["days" | "tagen" | "tage", ..] if is_latest(word) && *word != "seit" => {
                back(7, Unit::Day, today)
            }
            ["weeks" | "wochen", ..] if is_latest(word) && *word != "seit" => back(4, Unit::Week, today),
            ["months" | "monate" | "monaten", ..] if is_latest(word) && *word != "seit" => {
                back(6, Unit::Month, today)
            }
            // "in the last month", "the past week"
            [unit, ..]
                if *word == "past" && matches!(*unit, "day" | "week" | "fortnight" | "month" | "year")
                    || *word == "last" && before == Some("the") && is_within(words, at) =>
            {
                let (_, unit, times) = unit_of(unit).filter(|(_, _, times)| *times > 0)?;
                back(*times, *unit, today)
            }
            _ => None,
        }
    })
}

/// "in the last month": a word before "the" says that it is a stretch.
fn is_within(words: &[&str], at: usize) -> bool {
    let before = at.checked_sub(2).map(|before| words[before]);
    matches!(before, Some("in" | "within" | "over" | "during" | "for"))
}

/// A few.
fn vague(count: &str, unit: Unit) -> Option<i64> {
    let is_vague = matches!(count, "few" | "several" | "paar" | "einigen" | "mehreren");
    is_vague.then_some(match unit {
        Unit::Day | Unit::Weekend | Unit::LatestWeekend => 7,
        Unit::Week => 4,
        Unit::Month => 6,
        Unit::Year => 5,
    })
}

fn in_signs(text: &str, today: Date) -> Option<Period> {
    if let Some((_, unit, count)) = WORDED.iter().find(|(said, ..)| text.contains(said)) {
        return back(*count, *unit, today);
    }
    LATEST_SIGNS.iter().find_map(|sign| {
        text.match_indices(sign).find_map(|(at, _)| {
            let rest = text[at + sign.len()..].trim_start_matches([' ', '的', 'の']);
            let (count, rest) = counted(rest)?;
            let (name, unit) = UNIT_SIGNS.iter().find(|(name, _)| rest.starts_with(name))?;
            // "3일 전" is one day and no stretch; "3월" is a month by its name.
            let after = rest[name.len()..].trim_start();
            if ["전", "前", "之前", "以前"].iter().any(|sign| after.starts_with(sign)) {
                return None;
            }
            let is_hours = matches!(*name, "시간" | "小时" | "小時" | "時間");
            back(if is_hours { days_of(count) } else { count }, *unit, today)
        })
    })
}

/// The number that a text begins with, and what follows it.
fn counted(text: &str) -> Option<(i64, &str)> {
    const FEW: [char; 3] = ['几', '幾', '数'];
    if let Some(rest) = text.strip_prefix(FEW) {
        return Some((7, rest));
    }
    if let Some(said) = ["한", "두", "세", "네", "다섯", "여섯"].iter().find(|said| text.starts_with(**said))
    {
        return Some((number(said)?, text[said.len()..].trim_start()));
    }
    let is_number = |each: char| each.is_ascii_digit() || super::named::IDEOGRAPHIC.contains(each);
    let end = text.find(|each: char| !is_number(each)).filter(|end| *end > 0)?;
    Some((number(&text[..end])?, text[end..].trim_start()))
}
