//! When a job runs, as CONFIG.md says it: `02:30`, `Sunday 03:00`, five cron fields, or `off`.
//!
//! Only the notation lives here; which moment comes next is said by `cron`. A `Schedule` is always
//! valid: it can be made by `Schedule::parse` alone.

use serde_json::Value;

use super::parameter::{Kind, Parameter};
use super::value::{Mistake, Setting, wrong_type};
use crate::cron::Cron;
use crate::yaml::{Content, Node};

/// A valid schedule (P11, A9.3), in the notation it was written in; by default it is off. Times are in `operator.timezone`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schedule {
    text: String,
    cron: Option<String>,
}

const WEEKDAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

impl Schedule {
    /// Reads any of the notations; `None` when it is none of them.
    pub fn parse(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        let cron = if trimmed.eq_ignore_ascii_case("off") || trimmed.is_empty() {
            None
        } else {
            Some(cron_of_time(trimmed).or_else(|| cron_of_fields(trimmed))?)
        };
        Some(Self { text: text.to_owned(), cron })
    }

    /// Whether it is off or comes true some day: no February has a 31st.
    fn comes(&self) -> bool {
        self.cron.is_none() || Cron::parse(&self.text).is_ok()
    }

    /// The schedule as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The schedule as five cron fields (minute, hour, day, month, weekday with Sunday = 0, names replaced by
    /// numbers); `None` when the job is off.
    pub fn cron(&self) -> Option<&str> {
        self.cron.as_deref()
    }
}

fn cron_of_time(text: &str) -> Option<String> {
    let (day, time) = match text.split_once(' ') {
        None => ("*".to_owned(), text),
        Some((day, time)) => {
            let day = day.to_ascii_lowercase();
            let index = WEEKDAYS.iter().position(|name| *name == day || name[..3] == day)?;
            (index.to_string(), time.trim_start())
        }
    };
    let (hour, minute) = time.split_once(':')?;
    let hour = number(hour, 0, 23)?;
    let minute = (minute.len() == 2).then(|| number(minute, 0, 59))??;
    Some(format!("{minute} {hour} * * {day}"))
}

fn cron_of_fields(text: &str) -> Option<String> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let [minute, hour, day, month, weekday] = fields[..] else { return None };
    Some(
        [
            cron_field(minute, 0, 59, &[])?,
            cron_field(hour, 0, 23, &[])?,
            cron_field(day, 1, 31, &[])?,
            cron_field(month, 1, 12, &MONTHS)?,
            cron_field(weekday, 0, 7, &WEEKDAYS)?,
        ]
        .join(" "),
    )
}

/// One cron field with its names replaced by numbers; `None` when it is not one.
fn cron_field(field: &str, low: u32, high: u32, names: &[&str]) -> Option<String> {
    let value = |text: &str| {
        let lower = text.to_ascii_lowercase();
        let named = names.iter().position(|name| *name == lower || name.get(..3) == Some(&lower));
        match named {
            Some(index) => u32::try_from(index).ok().map(|index| low + index),
            None => number(text, low, high),
        }
    };
    let part = |part: &str| {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, Some(number(step, 1, high.max(1))?)),
            None => (part, None),
        };
        let range = match range.split_once('-') {
            _ if range == "*" => "*".to_owned(),
            Some((from, to)) => {
                let (from, to) = (value(from)?, value(to)?);
                (from <= to).then(|| format!("{from}-{to}"))?
            }
            None => value(range)?.to_string(),
        };
        Some(match step {
            Some(step) => format!("{range}/{step}"),
            None => range,
        })
    };
    field.split(',').map(part).collect::<Option<Vec<_>>>().map(|parts| parts.join(","))
}

fn number(text: &str, low: u32, high: u32) -> Option<u32> {
    let is_short = (1..=2).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|number| is_short && (low..=high).contains(number))
}

impl Setting for Schedule {
    const KIND: Kind = Kind::Schedule;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        match &node.content {
            Content::Scalar { text, .. } => Self::parse(text).filter(Self::comes),
            _ => None,
        }
        .ok_or_else(|| wrong_type(node, parameter))
    }

    fn to_value(&self) -> Value {
        Value::from(self.text.as_str())
    }
}

/// A schedule known to be valid, for the table of defaults. An invalid one reads as `off`; a test holds that
/// the table has none.
pub(super) fn at(text: &str) -> Schedule {
    Schedule::parse(text).unwrap_or(Schedule { text: "off".to_owned(), cron: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notations_of_the_seeds_become_cron_fields() {
        let cron =
            |text: &str| Schedule::parse(text).map(|schedule| schedule.cron().unwrap_or("off").to_owned());
        assert_eq!(cron("02:30").as_deref(), Some("30 2 * * *"));
        assert_eq!(cron("Sunday 03:00").as_deref(), Some("0 3 * * 0"));
        assert_eq!(cron("fri 18:00").as_deref(), Some("0 18 * * 5"));
        assert_eq!(cron("0 23 * * *").as_deref(), Some("0 23 * * *"));
        assert_eq!(cron("*/15 8-18 1,15 Jan Mon-Fri").as_deref(), Some("*/15 8-18 1,15 1 1-5"));
        assert_eq!(cron("off").as_deref(), Some("off"));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "24:00",
            "2:5",
            "Someday 03:00",
            "* * * *",
            "60 * * * *",
            "* * 0 * *",
            "5-1 * * * *",
            "soon",
            "0 0 31 2 *",
        ] {
            assert_eq!(Schedule::parse(text).filter(Schedule::comes), None, "{text}");
        }
    }
}
