//! When a schedule of five cron fields is due: the moment that comes next.
//!
//! The notation is [`Schedule`]'s; here it becomes sets of minutes, hours, days, months and weekdays. A [`Cron`] can always come
//! true: a day that no month has is refused when it is read. This file reads no clock: the caller says from when on.

use jiff::Zoned;
use jiff::civil::Date;

use crate::config::Schedule;

/// Days looked ahead. The rarest day, 29 February on one weekday, comes once in 28 years, or 40 around a century without it.
const HORIZON: usize = 366 * 41;

/// A schedule that comes true again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cron {
    text: String,
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// Whether days and weekdays are both narrowed: then either will do, as in every cron.
    either_day: bool,
    /// Whether it comes in every hour or every few of them: then it also comes in an hour that the clocks repeat.
    is_hourly: bool,
}

impl Cron {
    /// Reads `0 8 * * *`, `08:00` or `Sunday 03:00`.
    ///
    /// # Errors
    /// A sentence: no schedule, `off`, or a day that never comes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wanted = "five cron fields (minute hour day month weekday), `HH:MM` or `Weekday HH:MM`";
        let schedule =
            Schedule::parse(text).ok_or_else(|| format!("{text:?} is no schedule: write {wanted}"))?;
        let fields = schedule.cron().ok_or_else(|| format!("{text:?} never comes: write {wanted}"))?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let [minute, hour, day, month, weekday] = fields[..] else {
            return Err(format!("{text:?} is no schedule: write {wanted}"));
        };
        let mut weekdays = set(weekday, 0, 7);
        // Sunday is 0 and 7.
        weekdays |= weekdays >> 7 & 1;
        let cron = Self {
            text: text.to_owned(),
            minutes: set(minute, 0, 59),
            hours: set(hour, 0, 23),
            days: set(day, 1, 31),
            months: set(month, 1, 12),
            weekdays: weekdays & 0x7F,
            either_day: !day.starts_with('*') && !weekday.starts_with('*'),
            is_hourly: hour.starts_with('*'),
        };
        const LONGEST: [u64; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let comes = cron.either_day
            || (1..=12).any(|month| {
                has(cron.months, month) && (1..=LONGEST[month as usize - 1]).any(|day| has(cron.days, day))
            });
        comes.then_some(cron).ok_or_else(|| format!("{text:?} never comes: no such month has that day"))
    }

    /// The schedule as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The first moment after `after` at which it is due, in the time zone of `after`; `None` at the end of time. A time that a
    /// change of clocks leaves out comes as much later; one that comes twice is due the first time, and the second time too where it
    /// comes in every hour or every few (`*` or `*/N`).
    #[must_use]
    pub fn next_after(&self, after: &Zoned) -> Option<Zoned> {
        let mut date = after.date();
        for _ in 0..HORIZON {
            if self.falls_on(date)
                && let Some(due) = self.first_on(date, after)
            {
                return Some(due);
            }
            date = date.tomorrow().ok()?;
        }
        None
    }

    fn falls_on(&self, date: Date) -> bool {
        let in_days = has(self.days, date.day().unsigned_abs().into());
        let in_week = has(self.weekdays, date.weekday().to_sunday_zero_offset().unsigned_abs().into());
        let is_day = if self.either_day { in_days || in_week } else { in_days && in_week };
        is_day && has(self.months, date.month().unsigned_abs().into())
    }

    fn first_on(&self, date: Date, after: &Zoned) -> Option<Zoned> {
        let hours = (0..24_i8).filter(|hour| has(self.hours, hour.unsigned_abs().into()));
        hours
            .flat_map(|hour| (0..60_i8).map(move |minute| (hour, minute)))
            .filter(|(_, minute)| has(self.minutes, minute.unsigned_abs().into()))
            .flat_map(|(hour, minute)| {
                let times = after.time_zone().to_ambiguous_zoned(date.at(hour, minute, 0, 0));
                let again = self.is_hourly && times.is_ambiguous();
                let second = again.then(|| times.clone().later().ok()).flatten();
                times.compatible().ok().into_iter().chain(second)
            })
            .filter(|due| due > after)
            .min()
    }
}

fn has(set: u64, number: u64) -> bool {
    set >> number & 1 == 1
}

/// The numbers that a field of a checked schedule names.
fn set(field: &str, low: u32, high: u32) -> u64 {
    let mut numbers = 0;
    for part in field.split(',') {
        let (range, step) = part.split_once('/').unwrap_or((part, ""));
        let number = |text: &str| text.parse::<u32>().ok();
        let (from, to) = match range.split_once('-') {
            Some((from, to)) => (number(from).unwrap_or(low), number(to).unwrap_or(high)),
            None if range == "*" => (low, high),
            // `5/10` means from 5 on.
            None => {
                let from = number(range).unwrap_or(low);
                (from, if step.is_empty() { from } else { high })
            }
        };
        let step = number(step).unwrap_or(1).max(1) as usize;
        (from..=to.min(high)).step_by(step).for_each(|each| numbers |= 1_u64 << each);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(schedule: &str, after: &str) -> String {
        let after: Zoned = after.parse().expect("a moment");
        let due = Cron::parse(schedule).expect("a schedule").next_after(&after).expect("it comes");
        due.strftime("%Y-%m-%d %H:%M").to_string()
    }

    #[test]
    fn the_next_moment_is_found_in_the_zone_that_was_given() {
        let morning = "2026-03-01T08:00:00+01:00[Europe/Berlin]";
        assert_eq!(next("0 8 * * *", morning), "2026-03-02 08:00");
        assert_eq!(next("30 8 * * *", morning), "2026-03-01 08:30");
        assert_eq!(next("*/20 * * * *", morning), "2026-03-01 08:20");
        assert_eq!(next("Sunday 03:00", morning), "2026-03-08 03:00");
        assert_eq!(next("0 0 * * 7", morning), "2026-03-08 00:00");
        assert_eq!(next("0 0 29 2 *", morning), "2028-02-29 00:00");
        assert_eq!(next("0 9 13 * fri", morning), "2026-03-06 09:00");
        assert_eq!(next("5/30 9 * * *", morning), "2026-03-01 09:05");
    }

    #[test]
    fn a_time_that_the_clocks_leave_out_comes_later_and_one_that_comes_twice_counts_once() {
        assert_eq!(next("30 2 * * *", "2026-03-28T12:00:00+01:00[Europe/Berlin]"), "2026-03-29 03:30");
        assert_eq!(next("30 2 * * *", "2026-10-24T12:00:00+02:00[Europe/Berlin]"), "2026-10-25 02:30");
        assert_eq!(next("30 2 * * *", "2026-10-25T02:30:00+02:00[Europe/Berlin]"), "2026-10-26 02:30");
    }

    #[test]
    fn what_comes_in_every_hour_comes_in_the_repeated_one_as_well() {
        let mut at: Zoned = "2026-10-25T01:40:00+02:00[Europe/Berlin]".parse().unwrap();
        let cron = Cron::parse("*/20 * * * *").unwrap();
        for expected in [
            "02:00 +0200",
            "02:20 +0200",
            "02:40 +0200",
            "02:00 +0100",
            "02:20 +0100",
            "02:40 +0100",
            "03:00 +0100",
        ] {
            at = cron.next_after(&at).unwrap();
            assert_eq!(at.strftime("%H:%M %z").to_string(), expected);
        }
        let mut at: Zoned = "2026-03-29T01:40:00+01:00[Europe/Berlin]".parse().unwrap();
        for expected in ["03:00", "03:20", "03:40", "04:00"] {
            at = cron.next_after(&at).unwrap();
            assert_eq!(at.strftime("%H:%M").to_string(), expected);
        }
        assert_eq!(next("0 */2 * * *", "2026-10-25T02:00:00+02:00[Europe/Berlin]"), "2026-10-25 02:00");
        assert_eq!(next("0 1-3 * * *", "2026-10-25T02:00:00+02:00[Europe/Berlin]"), "2026-10-25 03:00");
    }

    #[test]
    fn what_never_comes_is_refused() {
        for text in ["0 0 31 2 *", "0 0 31 4,6,9,11 *", "off", "", "60 * * * *", "whenever", "* * * *"] {
            assert!(Cron::parse(text).is_err(), "{text}");
        }
        assert!(Cron::parse("0 0 31 2 mon").is_ok(), "either of the two days will do");
    }
}
