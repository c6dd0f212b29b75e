//! `rem condense`

use anyhow::Result;
use jiff::civil::Date;
use rem_mind::lifecycle::condense::{CondenseOutcome, CondenseRequest, CondensedMonth, CondensedWeek};
use rem_mind::reasoning::RuledInstead;

use crate::arguments::Arguments;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};

/// Make days, weeks and months short: the journal, MEMORY.md, chronicles
///
/// What stands on a page stays as it is; only what is new is added, each line with a link to where it is from. `rem jobs` does each of
/// them in its time.
///
///   rem condense daily --since 2026-01-01
#[derive(Debug, clap::Args)]
pub(crate) struct CondenseArgs {
    #[command(subcommand)]
    span: Span,
}

#[derive(Debug, clap::Subcommand)]
enum Span {
    /// Write the journal's pages of days whose conversations are not in it yet
    Daily {
        /// The first day [default: that of the first conversation]
        #[arg(long, value_name = "DAY")]
        since: Option<Date>,
        /// The last day [default: today]
        #[arg(long, value_name = "DAY")]
        until: Option<Date>,
        /// Only show what would be written
        #[arg(long)]
        dry_run: bool,
    },
    /// Put what a week settled into MEMORY.md, and move out what an earlier week put there and is over
    Weekly {
        /// A day of the week, which begins on Monday [default: today]
        #[arg(value_name = "DAY")]
        day: Option<Date>,
        /// Only show what would change
        #[arg(long)]
        dry_run: bool,
    },
    /// Write the chronicle of a month, and bring MEMORY.md below its caps
    Monthly {
        /// A day of the month [default: the month before this one]
        #[arg(value_name = "DAY")]
        day: Option<Date>,
        /// Only show what would be written
        #[arg(long)]
        dry_run: bool,
    },
}

pub(crate) fn run(args: &CondenseArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    match args.span {
        Span::Daily { since, until, dry_run } => {
            let mut progress = Progress::new("condensing", Unit::Items);
            let request = CondenseRequest { since, until, preview: dry_run };
            let outcome =
                memory.condense_days(&request, &mut |done, all| progress.set(done as u64, all as u64))?;
            drop(progress);
            printer.answer(&outcome, || days(&outcome))
        }
        Span::Weekly { day, dry_run } => {
            let week = memory.condense_week(day, dry_run)?;
            printer.answer(&week, || told_week(&week))
        }
        Span::Monthly { day, dry_run } => {
            let month = memory.condense_month(day, dry_run)?;
            printer.answer(&month, || told_month(&month))
        }
    }
}

fn days(outcome: &CondenseOutcome) -> String {
    let mut lines = Vec::new();
    for day in &outcome.days {
        lines.push(day.path.to_string());
        lines.extend(day.lines.iter().map(|line| format!("  {line}")));
    }
    lines.extend(outcome.failed.iter().map(|failed| format!("{}  not read: {}", failed.path, failed.why)));
    lines.push(match (outcome.days.len(), outcome.applied) {
        (0, _) => "The journal tells of every closed conversation.".to_owned(),
        (count, true) => format!("Pages written: {count}"),
        (count, false) => format!("Nothing was changed; pages to write: {count}"),
    });
    lines.extend(by_whom("conversations", &outcome.by_rules, outcome.would_ask.as_deref()));
    lines.join("\n")
}

fn told_week(week: &CondensedWeek) -> String {
    let mut lines = changes("+", &week.added);
    lines.extend(changes("-", &week.moved));
    lines.push(match (lines.is_empty(), week.applied) {
        (true, _) => format!("The week of {} has nothing new for MEMORY.md.", week.monday),
        (false, true) => format!("MEMORY.md has the week of {}.", week.monday),
        (false, false) => "Nothing was changed.".to_owned(),
    });
    lines.extend(by_whom("weeks", &week.by_rules, week.would_ask.as_deref()));
    lines.join("\n")
}

fn told_month(month: &CondensedMonth) -> String {
    let mut lines = changes("+", &month.lines);
    lines.extend(changes("-", &month.moved));
    let name = month.month.strftime("%Y-%m");
    lines.push(match (month.lines.is_empty(), month.applied) {
        (true, _) if month.is_there => format!("{} says everything of the month.", month.path),
        (true, _) => format!("Nothing is noted of {name}: it has no chronicle."),
        (false, true) => format!("Written: {}", month.path),
        (false, false) => format!("Nothing was changed; to write: {}", month.path),
    });
    lines.extend(by_whom("months", &month.by_rules, month.would_ask.as_deref()));
    lines.join("\n")
}

/// What is said where the rules condensed although a model is named.
fn by_whom(what: &str, ruled: &[RuledInstead], would_ask: Option<&str>) -> Vec<String> {
    let ruled = ruled
        .iter()
        .map(|each| format!("By rules, for no model answered: {} {what}: {}", each.count, each.why));
    let preview = would_ask.map(|model| {
        format!("This is by the rules; without --dry-run {model} is asked, and may say it otherwise.")
    });
    ruled.chain(preview).collect()
}

fn changes(sign: &str, texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| format!("  {sign} {text}")).collect()
}
