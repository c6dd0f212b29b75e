//! How sure a memory is (P8): more with each mention, less with each month without one, never below a floor.
//!
//! Pure, and computed from dates: a job that ran twice or not at all changes nothing.

use jiff::civil::Date;
use rem_format::config::ConfidenceSettings;

/// The confidence of a memory on `today`: what it was at its last mention, less P8's amount for each full interval since.
#[must_use]
pub fn confidence_on(stored: f64, last_mention: Date, today: Date, settings: &ConfidenceSettings) -> f64 {
    let days = u64::try_from((today - last_mention).get_days()).unwrap_or(0);
    #[allow(clippy::cast_precision_loss, reason = "a number of months")]
    let intervals = (days / settings.decay_interval_days.max(1)) as f64;
    // What began below the floor is not lifted to it.
    (stored - intervals * settings.decay_amount).max(settings.floor.min(stored))
}

/// The confidence after another mention on `today`, at most 1.
#[must_use]
pub fn mentioned_again(stored: f64, last_mention: Date, today: Date, settings: &ConfidenceSettings) -> f64 {
    (confidence_on(stored, last_mention, today, settings) + settings.boost_per_mention).min(1.0)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;
    use rem_format::config::Config;

    use super::*;

    #[test]
    fn a_month_without_a_mention_takes_what_a_mention_gives() {
        let settings = Config::default().confidence;
        let on = |day| confidence_on(0.95, date(2026, 1, 1), day, &settings);
        assert!((on(date(2026, 1, 30)) - 0.95).abs() < 1e-9);
        assert!((on(date(2026, 1, 31)) - 0.90).abs() < 1e-9);
        assert!((on(date(2026, 3, 2)) - 0.85).abs() < 1e-9);
        assert!((on(date(2036, 1, 1)) - 0.2).abs() < 1e-9);
        let again = mentioned_again(0.95, date(2026, 1, 1), date(2026, 1, 31), &settings);
        assert!((again - 0.95).abs() < 1e-9);
        assert!((mentioned_again(0.98, date(2026, 1, 1), date(2026, 1, 2), &settings) - 1.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn it_never_rises_by_itself(stored in 0.0..1.0_f64, days in 0..5_000_i64, more in 0..500_i64) {
            let settings = Config::default().confidence;
            let start = date(2020, 1, 1);
            let after = |days: i64| confidence_on(stored, start, start.saturating_add(jiff::Span::new().days(days)), &settings);
            prop_assert!(after(days) <= stored && after(days + more) <= after(days));
        }
    }
}
