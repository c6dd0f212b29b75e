//! `rem history`

use anyhow::Result;
use jiff::Timestamp;
use rem_format::path::MemoryPath;
use rem_mind::Memory;
use rem_mind::ledger::{Difference, HistoryEntry};

use crate::arguments::Arguments;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Ask git about the memory
#[derive(Debug, clap::Subcommand)]
pub(crate) enum HistoryCommand {
    /// When did I learn this?
    Learned {
        /// The text, exactly
        text: String,
    },
    /// Where does this come from?
    Origin {
        /// A file, or a line of it
        #[arg(value_name = "PATH[:LINE]")]
        place: String,
    },
    /// What changed?
    Changed {
        /// Since this day or time [default: a week ago]
        #[arg(long, value_name = "WHEN")]
        since: Option<String>,
    },
    /// Which commits were made, and what each changed?
    ///
    /// Where a model is named it says so in its own words, once a night (`rem jobs run commit-messages`); git has them as notes:
    /// `git log --notes=rem`.
    Commits {
        /// Since this day or time [default: a week ago]
        #[arg(long, value_name = "WHEN")]
        since: Option<String>,
    },
    /// What did I learn today?
    Today,
    /// What did this file say then?
    At {
        /// A commit, tag or branch
        rev: String,
        /// The file
        path: String,
    },
}

pub(crate) fn run(command: &HistoryCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let ledger = memory.ledger();
    match command {
        HistoryCommand::Learned { text } => {
            let entries = ledger.when_learned(text)?;
            printer.answer(&entries, || match entries.as_slice() {
                [] => format!("{text:?} was never written."),
                entries => entries.iter().map(entry).collect(),
            })
        }
        HistoryCommand::Origin { place } => {
            let (path, line) = match place.rsplit_once(':').map(|(path, line)| (path, line.parse::<usize>()))
            {
                Some((path, Ok(line))) => (path, Some(line)),
                _ => (place.as_str(), None),
            };
            let origins = ledger.origin(&MemoryPath::new(path)?, line)?;
            printer.answer(&origins, || {
                let mut described: Vec<(&str, &str)> = origins
                    .iter()
                    .filter_map(|o| Some((&o.origin.commit[..10], o.origin.described.as_deref()?)))
                    .collect();
                described.sort_unstable();
                described.dedup();
                let told =
                    described.iter().map(|(commit, words)| format!("{commit}  {}\n", first_line(words)));
                origins
                    .iter()
                    .map(|o| {
                        format!(
                            "{:>4}  {}  {:<22} {}  | {}\n",
                            o.line,
                            &o.origin.commit[..10],
                            o.origin.actor,
                            o.origin.time,
                            o.text
                        )
                    })
                    .chain(told)
                    .collect()
            })
        }
        HistoryCommand::Changed { since } => {
            differences(&ledger.changed_since(since_when(&memory, since.as_deref())?)?, printer)
        }
        HistoryCommand::Commits { since } => {
            let entries = ledger.commits_since(since_when(&memory, since.as_deref())?)?;
            printer.answer(&entries, || match entries.as_slice() {
                [] => "Nothing was committed.".to_owned(),
                entries => entries.iter().map(entry).collect(),
            })
        }
        HistoryCommand::Today => {
            let midnight = memory.now().to_zoned(memory.time_zone().clone()).start_of_day()?.timestamp();
            differences(&ledger.changed_since(midnight)?, printer)
        }
        HistoryCommand::At { rev, path } => {
            let contents = ledger.contents_at(rev, &MemoryPath::new(path.as_str())?)?.ok_or_else(|| {
                Hinted::usage(
                    format!("{path} was not there at {rev}"),
                    "`rem history learned TEXT` finds when something was written",
                )
            })?;
            if printer.is_json() {
                return printer.answer(&serde_json::json!({"path": path, "rev": rev, "text": String::from_utf8_lossy(&contents)}), String::new);
            }
            printer.bytes(&contents)
        }
    }
}

/// The moment that is meant; a week ago where none is named.
fn since_when(memory: &Memory, since: Option<&str>) -> Result<Timestamp> {
    Ok(match since {
        Some(since) => memory.moment(since)?,
        None => memory.now() - jiff::SignedDuration::from_hours(7 * 24),
    })
}

fn first_line(words: &str) -> &str {
    words.lines().next().unwrap_or_default()
}

fn entry(entry: &HistoryEntry) -> String {
    let described = entry.described.as_deref().unwrap_or_default().lines().filter(|line| !line.is_empty());
    let described: String = described.map(|line| format!("      {line}\n")).collect();
    let session = entry.session.as_ref().map(|session| format!(" (session {session})")).unwrap_or_default();
    format!(
        "{}  {}  {}{session}\n{described}      {}\n",
        entry.time,
        &entry.commit[..10],
        entry.summary,
        entry.files.join(", ")
    )
}

fn differences(differences: &[Difference], printer: &Printer) -> Result<()> {
    printer.answer(&differences, || {
        if differences.is_empty() {
            return "Nothing changed.".to_owned();
        }
        differences
            .iter()
            .map(|d| format!("{} (+{} -{})\n{}\n", d.path, d.added, d.removed, d.patch))
            .collect()
    })
}
