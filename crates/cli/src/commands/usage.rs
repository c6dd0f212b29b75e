//! `rem usage`

use anyhow::Result;
use clap::ValueEnum;
use rem_mind::reasoning::{Usage, UsageBy, UsageRow};

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Show what models took, in tokens and money, and how much of the caps is gone
///
/// Examples:
///   rem usage                                  this month, by operation
///   rem usage --since 2026-01-01 --by model
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct UsageArgs {
    /// From this day or time on [default: the first of the month]
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// By what it is added up
    #[arg(long, value_enum, default_value_t = By::Operation)]
    by: By,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum By {
    /// What it was for
    Operation,
    /// Who was asked
    Model,
    /// When; what is longer ago than a year, by month
    Day,
}

impl From<By> for UsageBy {
    fn from(by: By) -> Self {
        match by {
            By::Operation => Self::Operation,
            By::Model => Self::Model,
            By::Day => Self::Day,
        }
    }
}

pub(crate) fn run(args: &UsageArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_quietly()?;
    let since = match &args.since {
        Some(since) => Some(memory.moment(since)?.to_zoned(memory.time_zone().clone()).date()),
        None => None,
    };
    let usage = memory.usage(since, args.by.into());
    printer.answer(&usage, || table(&usage))
}

fn table(usage: &Usage) -> String {
    let mut text = match usage.rows.is_empty() {
        true if usage.since > usage.until => {
            format!("{} is still to come: nothing can have been asked since.\n", usage.since)
        }
        true => format!("No model was asked from {} to {}.\n", usage.since, usage.until),
        false => format!(
            "{:<28} {:>7} {:>12} {:>12} {:>12}   {} to {}\n",
            usage.by, "calls", "tokens in", "tokens out", "US dollars", usage.since, usage.until
        ),
    };
    if !usage.rows.is_empty() {
        for row in usage.rows.iter().chain([&usage.total]) {
            text.push_str(&line(row));
        }
    }
    for cap in &usage.caps {
        text.push_str(&format!("{}: {} of {} spent\n", cap.setting, short(cap.spent), short(cap.cap)));
    }
    let total = &usage.total;
    if total.unpriced_calls > 0 {
        text.push_str(&format!(
            "The price of {} calls is not known; spending.prices of CONFIG.md can say it. No cap in dollars counts them.\n",
            total.unpriced_calls
        ));
    }
    if total.estimated_calls > 0 {
        text.push_str(&format!(
            "The tokens of {} calls were counted here: nobody said them.\n",
            total.estimated_calls
        ));
    }
    text
}

fn line(row: &UsageRow) -> String {
    let cost = match row.unpriced_calls {
        0 => short(row.cost_usd),
        calls if calls == row.calls => "unknown".to_owned(),
        _ => format!("{} + ?", short(row.cost_usd)),
    };
    let failed = if row.failed_calls > 0 {
        format!("   {} without an answer", row.failed_calls)
    } else {
        String::new()
    };
    format!(
        "{:<28} {:>7} {:>12} {:>12} {:>12}{failed}\n",
        row.key, row.calls, row.input_tokens, row.output_tokens, cost
    )
}

/// A number with as many digits as it takes.
fn short(number: f64) -> String {
    let digits = if number >= 1.0 { 2 } else { 6 };
    let text = format!("{number:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
