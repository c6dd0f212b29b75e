//! What models took, for a person: by operation, by model or by day, and how much of each cap is gone.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rem_reason::spending::{NANODOLLARS, Spent};
use serde::Serialize;

use crate::memory::Memory;

/// By what is added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageBy {
    /// What it was for.
    Operation,
    /// Who was asked.
    Model,
    /// When; months that are long past as months.
    Day,
}

impl UsageBy {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Operation => "operation",
            Self::Model => "model",
            Self::Day => "day",
        }
    }
}

/// What was spent in a time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Usage {
    /// The first day that is counted.
    pub since: String,
    /// The day it is.
    pub until: String,
    /// By what the rows add up.
    pub by: &'static str,
    /// The sums, in the order of their keys.
    pub rows: Vec<UsageRow>,
    /// All together.
    pub total: UsageRow,
    /// Today's and this month's caps.
    pub caps: Vec<CapStatus>,
}

/// One sum.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsageRow {
    /// The operation, the model or the day.
    pub key: String,
    /// Calls.
    pub calls: u64,
    /// Those among them that gave no answer that could be used.
    pub failed_calls: u64,
    /// Tokens of the questions.
    pub input_tokens: u64,
    /// Tokens of the answers.
    pub output_tokens: u64,
    /// What it cost, in US dollars, without the calls whose price nobody knows.
    pub cost_usd: f64,
    /// The calls whose price nobody knows.
    pub unpriced_calls: u64,
    /// The calls whose tokens were counted here, for the provider did not say.
    pub estimated_calls: u64,
}

/// A cap, and how much of it is gone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CapStatus {
    /// The setting.
    pub setting: &'static str,
    /// What it allows, in US dollars or tokens.
    pub cap: f64,
    /// What is spent of it.
    pub spent: f64,
}

impl UsageRow {
    fn of(key: &str, spent: &Spent) -> Self {
        Self {
            key: key.to_owned(),
            calls: spent.calls,
            failed_calls: spent.failed,
            input_tokens: spent.input_tokens,
            output_tokens: spent.output_tokens,
            cost_usd: in_dollars(spent.nanodollars),
            unpriced_calls: spent.unpriced,
            estimated_calls: spent.estimated,
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "beyond nine million dollars nobody counts billionths")]
fn in_dollars(nanodollars: u64) -> f64 {
    nanodollars as f64 / NANODOLLARS
}

impl Memory {
    /// What was spent from a day on, or in this month. Of months that are kept as months, those count that begin on that day or later.
    #[must_use]
    pub fn usage(&self, since: Option<Date>, by: UsageBy) -> Usage {
        let today = self.today();
        let since = since.unwrap_or_else(|| today.first_of_month()).to_string();
        let all = self.spent();
        let mut sums: BTreeMap<&str, Spent> = BTreeMap::new();
        let mut total = Spent::default();
        for one in all.iter().filter(|one| is_since(&one.day, &since)) {
            let key = match by {
                UsageBy::Operation => &one.operation,
                UsageBy::Model => &one.model,
                UsageBy::Day => &one.day,
            };
            sums.entry(key).or_default().add(one);
            total.add(one);
        }
        Usage {
            caps: self.cap_status(&all),
            until: today.to_string(),
            by: by.name(),
            rows: sums.iter().map(|(key, sum)| UsageRow::of(key, sum)).collect(),
            total: UsageRow::of("total", &total),
            since,
        }
    }

    fn cap_status(&self, all: &[Spent]) -> Vec<CapStatus> {
        let caps = self.caps();
        let today = self.today().to_string();
        let of = |prefix: &str| {
            let mut sum = Spent::default();
            all.iter().filter(|one| one.day.starts_with(prefix)).for_each(|one| sum.add(one));
            sum
        };
        let (day, month) = (of(&today), of(&today[..7]));
        #[allow(clippy::cast_precision_loss, reason = "a cap is no exact number")]
        let statuses = [
            ("spending.daily_cap_usd", caps.daily_usd, in_dollars(day.nanodollars)),
            ("spending.monthly_cap_usd", caps.monthly_usd, in_dollars(month.nanodollars)),
            (
                "spending.daily_cap_tokens",
                caps.daily_tokens as f64,
                day.input_tokens.saturating_add(day.output_tokens) as f64,
            ),
        ];
        statuses
            .into_iter()
            .filter(|(_, cap, _)| *cap > 0.0)
            .map(|(setting, cap, spent)| CapStatus { setting, cap, spent })
            .collect()
    }
}

/// Whether a day, or a month as a whole, lies in the time that begins at `since`.
fn is_since(day: &str, since: &str) -> bool {
    match day.len() {
        7 => format!("{day}-01").as_str() >= since,
        _ => day >= since,
    }
}
