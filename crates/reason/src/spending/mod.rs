//! What models cost: what was spent, in lines that add up, and whether the caps allow more.
//!
//! Money is counted in billionths of a dollar, so that the smallest call costs something and sums are exact. A call whose price nobody
//! knows counts its tokens and says so. Must not know where the lines are kept, nor what time it is.

mod price;

pub use price::{PRICES_AS_OF, Price, USUAL_PRICES, usual_price};

use std::collections::BTreeMap;

use thiserror::Error;

use crate::model::Tokens;

/// Billionths in a dollar.
pub const NANODOLLARS: f64 = 1e9;

/// What was spent on an operation by a model on a day, or in a month: one call, or many added up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spent {
    /// The day, `2026-03-01`, or the month, `2026-03`.
    pub day: String,
    /// What it was for: a task's name.
    pub operation: String,
    /// Who was asked: `openai:gpt-4o-mini`.
    pub model: String,
    /// Calls.
    pub calls: u64,
    /// Those among them that gave no answer that could be used.
    pub failed: u64,
    /// Those among them whose tokens were counted here, for the provider did not say.
    pub estimated: u64,
    /// Those among them whose price nobody knows.
    pub unpriced: u64,
    /// Tokens of the questions.
    pub input_tokens: u64,
    /// Tokens of the answers.
    pub output_tokens: u64,
    /// What the others cost, in billionths of a dollar.
    pub nanodollars: u64,
}

impl Spent {
    /// One call.
    #[must_use]
    pub fn call(
        day: &str,
        operation: &str,
        model: &str,
        tokens: Tokens,
        price: Option<Price>,
        is_failed: bool,
    ) -> Self {
        // A tab or a line's end would divide the line.
        let plain =
            |text: &str| text.split_whitespace().collect::<Vec<_>>().join("_").replace(char::is_control, "");
        Self {
            day: day.to_owned(),
            operation: plain(operation),
            model: plain(model),
            calls: 1,
            failed: is_failed.into(),
            estimated: tokens.are_estimated.into(),
            unpriced: (price.is_none() && tokens.input + tokens.output > 0).into(),
            input_tokens: tokens.input,
            output_tokens: tokens.output,
            nanodollars: price.map_or(0, |price| price.of(tokens)),
        }
    }

    /// Adds another's numbers.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in self.numbers().into_iter().zip(other.clone().numbers()) {
            *sum = sum.saturating_add(*more);
        }
    }

    fn numbers(&mut self) -> [&mut u64; 7] {
        [
            &mut self.calls,
            &mut self.failed,
            &mut self.estimated,
            &mut self.unpriced,
            &mut self.input_tokens,
            &mut self.output_tokens,
            &mut self.nanodollars,
        ]
    }

    /// As a line, with its end.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = [self.day.as_str(), &self.operation, &self.model].join("\t");
        for number in self.clone().numbers() {
            line.push('\t');
            line.push_str(&number.to_string());
        }
        line.push('\n');
        line
    }

    /// Reads a line back; nothing where it is none.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let mut text = || fields.next().filter(|field| !field.is_empty()).map(str::to_owned);
        let mut spent = Self { day: text()?, operation: text()?, model: text()?, ..Self::default() };
        let is_day = matches!(spent.day.len(), 7 | 10)
            && spent.day.bytes().all(|each| each.is_ascii_digit() || each == b'-');
        for number in spent.numbers() {
            *number = fields.next()?.parse().ok()?;
        }
        (is_day && fields.next().is_none()).then_some(spent)
    }
}

/// Everything added up by day, operation and model; by month what lies before `first_day`. In order of time.
#[must_use]
pub fn rolled_up(spent: impl IntoIterator<Item = Spent>, first_day: &str) -> Vec<Spent> {
    let mut sums: BTreeMap<(String, String, String), Spent> = BTreeMap::new();
    for mut one in spent {
        if one.day.as_str() < first_day {
            one.day.truncate("2026-03".len());
        }
        let key = (one.day.clone(), one.operation.clone(), one.model.clone());
        match sums.get_mut(&key) {
            Some(sum) => sum.add(&one),
            None => drop(sums.insert(key, one)),
        }
    }
    sums.into_values().collect()
}

/// Who waits for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// A person does: all of a cap is theirs.
    Waiting,
    /// Nobody does: it stops first.
    Background,
    /// A person asked for just this of a model: as [`Self::Waiting`], and it is tried although the provider was away a moment ago.
    Asked,
}

/// The caps; 0 is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Caps {
    /// Dollars of one day.
    pub daily_usd: f64,
    /// Dollars of one month.
    pub monthly_usd: f64,
    /// Tokens of one day.
    pub daily_tokens: u64,
    /// The share of each that is kept for what a person waits for, 0 to 1.
    pub kept_for_waiting: f64,
}

/// A cap does not allow it.
#[derive(Debug, Clone, PartialEq, Error)]
#[error(
    "{setting} allows {allowed} {unit}{}, {spent} are spent, and this may take {wanted}",
    if *.is_background { " for work that nobody waits for" } else { "" }
)]
pub struct OverCap {
    setting: &'static str,
    unit: &'static str,
    is_background: bool,
    allowed: String,
    spent: String,
    wanted: String,
    /// Whether it would not fit either if nothing were spent.
    pub never_fits: bool,
}

/// One cap, with what is spent of it.
#[derive(Debug, Clone, Copy)]
struct Limit {
    setting: &'static str,
    /// Dollars, else tokens.
    is_money: bool,
    /// In billionths of a dollar, or tokens.
    most: u64,
    spent: u64,
}

/// What may still be spent on a day.
#[derive(Debug, Clone)]
pub struct Allowance {
    limits: Vec<Limit>,
    is_background: bool,
}

impl Allowance {
    /// What the caps leave on `day` (`2026-03-01`) after what was spent.
    #[must_use]
    pub fn new<'a>(
        caps: &Caps,
        urgency: Urgency,
        day: &str,
        spent: impl IntoIterator<Item = &'a Spent>,
    ) -> Self {
        let month = day.get(..7).unwrap_or(day);
        let (mut on_day, mut in_month) = (Spent::default(), Spent::default());
        for one in spent {
            if one.day.starts_with(month) {
                in_month.add(one);
            }
            if one.day == day {
                on_day.add(one);
            }
        }
        let is_background = urgency == Urgency::Background;
        let share = if is_background { (1.0 - caps.kept_for_waiting).clamp(0.0, 1.0) } else { 1.0 };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "not negative, and a cap is no exact number"
        )]
        let part = |whole: f64| (whole * share).round() as u64;
        let money = |setting, cap: f64, spent| {
            (cap > 0.0).then(|| Limit { setting, is_money: true, most: part(cap * NANODOLLARS), spent })
        };
        let tokens = on_day.input_tokens.saturating_add(on_day.output_tokens);
        #[allow(clippy::cast_precision_loss, reason = "a cap is no exact number")]
        let of_tokens = (caps.daily_tokens > 0).then(|| Limit {
            setting: "spending.daily_cap_tokens",
            is_money: false,
            most: part(caps.daily_tokens as f64),
            spent: tokens,
        });
        let limits = [
            money("spending.daily_cap_usd", caps.daily_usd, on_day.nanodollars),
            money("spending.monthly_cap_usd", caps.monthly_usd, in_month.nanodollars),
            of_tokens,
        ];
        Self { limits: limits.into_iter().flatten().collect(), is_background }
    }

    /// Takes what a call may cost at most, if it is there. A call whose price nobody knows takes tokens alone.
    ///
    /// # Errors
    /// [`OverCap`] where a cap leaves less.
    pub fn take(&mut self, most: Tokens, price: Option<Price>) -> Result<(), OverCap> {
        let money = price.map_or(0, |price| price.of(most));
        let wanted =
            |limit: &Limit| if limit.is_money { money } else { most.input.saturating_add(most.output) };
        if let Some(limit) = self
            .limits
            .iter()
            .find(|limit| wanted(limit) > 0 && limit.spent.saturating_add(wanted(limit)) > limit.most)
        {
            let amount = |number| if limit.is_money { dollars(number) } else { number.to_string() };
            return Err(OverCap {
                setting: limit.setting,
                unit: if limit.is_money { "US dollars" } else { "tokens" },
                is_background: self.is_background,
                allowed: amount(limit.most),
                spent: amount(limit.spent),
                wanted: amount(wanted(limit)),
                never_fits: wanted(limit) > limit.most,
            });
        }
        for limit in &mut self.limits {
            limit.spent = limit.spent.saturating_add(wanted(limit));
        }
        Ok(())
    }
}

/// An amount for people: two digits, more where it is small.
#[must_use]
pub fn dollars(nanodollars: u64) -> String {
    #[allow(clippy::cast_precision_loss, reason = "shown with a few digits")]
    let amount = nanodollars as f64 / NANODOLLARS;
    match nanodollars {
        0 => "0".to_owned(),
        1..10_000_000 => format!("{amount:.6}"),
        10_000_000..1_000_000_000 => format!("{amount:.4}"),
        _ => format!("{amount:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PRICE: Price = Price { input: 1.0, output: 5.0 };

    fn tokens(input: u64, output: u64) -> Tokens {
        Tokens { input, output, are_estimated: false }
    }

    fn call(day: &str, input: u64) -> Spent {
        Spent::call(day, "extract", "a:b", tokens(input, 0), Some(PRICE), false)
    }

    fn caps() -> Caps {
        Caps { daily_usd: 1.0, monthly_usd: 3.0, daily_tokens: 0, kept_for_waiting: 0.2 }
    }

    #[test]
    fn background_work_stops_before_what_a_person_waits_for() {
        // A million tokens cost a dollar.
        let spent = [call("2026-03-01", 700_000), call("2026-02-28", 900_000)];
        let left = |urgency| Allowance::new(&caps(), urgency, "2026-03-01", &spent);
        let big = tokens(200_000, 0);
        let error = left(Urgency::Background).take(big, Some(PRICE)).unwrap_err().to_string();
        assert_eq!(
            error,
            "spending.daily_cap_usd allows 0.8000 US dollars for work that nobody waits for, 0.7000 are spent, and this may take 0.2000"
        );
        left(Urgency::Background).take(tokens(100_000, 0), Some(PRICE)).unwrap();
        let mut waiting = left(Urgency::Waiting);
        waiting.take(big, Some(PRICE)).unwrap();
        assert!(waiting.take(big, Some(PRICE)).is_err(), "what was taken is gone");
        left(Urgency::Background).take(big, None).unwrap();
    }

    #[test]
    fn a_month_and_tokens_have_their_caps_and_none_is_none() {
        let spent: Vec<Spent> = (1..=28).map(|day| call(&format!("2026-03-{day:02}"), 107_000)).collect();
        let left = |caps: Caps| Allowance::new(&caps, Urgency::Waiting, "2026-03-29", &spent);
        let error = left(caps()).take(tokens(10_000, 0), Some(PRICE)).unwrap_err().to_string();
        assert!(
            error.starts_with("spending.monthly_cap_usd allows 3.00 US dollars, 3.00 are spent"),
            "{error}"
        );
        let none = Caps { daily_usd: 0.0, monthly_usd: 0.0, ..caps() };
        left(none).take(tokens(u64::MAX / 20, 1), Some(PRICE)).unwrap();
        let few = Caps { daily_tokens: 100, ..none };
        left(few).take(tokens(60, 40), None).unwrap();
        let error = left(few).take(tokens(60, 41), None).unwrap_err().to_string();
        assert!(error.starts_with("spending.daily_cap_tokens allows 100 tokens, 0 are spent"), "{error}");
    }

    #[test]
    fn old_days_become_months_and_nothing_is_lost() {
        let spent =
            vec![call("2025-01-05", 1), call("2025-01-30", 2), call("2026-03-01", 4), call("2026-03-01", 8)];
        let sums = rolled_up(spent, "2026-01-01");
        let days: Vec<(&str, u64, u64)> =
            sums.iter().map(|sum| (sum.day.as_str(), sum.calls, sum.input_tokens)).collect();
        assert_eq!(days, [("2025-01", 2, 3), ("2026-03-01", 2, 12)]);
        assert_eq!(rolled_up(sums.clone(), "2026-01-01"), sums, "again changes nothing");
    }

    #[test]
    fn a_call_without_a_price_is_counted_as_such() {
        let unknown = Spent::call("2026-03-01", "a b", "x:\ty\n", tokens(3, 4), None, true);
        assert_eq!((unknown.unpriced, unknown.failed, unknown.nanodollars), (1, 1, 0));
        assert_eq!((unknown.operation.as_str(), unknown.model.as_str()), ("a_b", "x:_y"));
        assert_eq!(PRICE.of(tokens(1, 1)), 6_000);
        assert_eq!([0, 200, 12_340_000, 2_500_000_000].map(dollars), ["0", "0.000000", "0.0123", "2.50"]);
    }

    proptest! {
        #[test]
        fn a_line_comes_back_as_it_was(numbers in proptest::array::uniform7(any::<u64>()), name in "\\PC{1,20}") {
            let mut spent = Spent::call("2026-03-01", &name, &name, Tokens::default(), None, false);
            prop_assume!(!spent.operation.is_empty());
            for (place, number) in spent.numbers().into_iter().zip(numbers) {
                *place = number;
            }
            prop_assert_eq!(Spent::parse(spent.line().trim_end_matches('\n')), Some(spent));
        }

        #[test]
        fn no_line_is_a_panic(line in "\\PC{0,60}") {
            let _ = Spent::parse(&line);
        }
    }
}
