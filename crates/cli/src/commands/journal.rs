//! `rem journal`

use anyhow::Result;
use jiff::civil::Date;

use super::projects::pages;
use super::text_or_stdin;
use crate::arguments::Arguments;
use crate::printer::Printer;

/// Read and write the journal: a page for each day
///
/// What anybody wrote on a day's page stays as it is. Example:
///   rem journal add "the sail came" --topic boat
#[derive(Debug, clap::Subcommand)]
#[command(verbatim_doc_comment)]
pub(crate) enum JournalCommand {
    /// The days that have a page, newest first
    List,
    /// What is written of a day
    Show {
        /// The day [default: today]
        date: Option<Date>,
    },
    /// Add a line to today's page
    Add {
        /// The line, or - for standard input
        text: String,
        /// The heading below which it goes; made where there is none [default: Notes]
        #[arg(long, value_name = "WORDS")]
        topic: Option<String>,
    },
}

pub(crate) fn run(command: &JournalCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    match command {
        JournalCommand::List => {
            let days = memory.journal()?;
            printer.answer(&days, || match days.is_empty() {
                true => "No day yet. `rem journal add TEXT` begins one.".to_owned(),
                false => days
                    .iter()
                    .map(|day| {
                        let files: Vec<&str> = day.files.iter().map(|path| path.as_str()).collect();
                        format!("{}  {}\n", day.date, files.join(", "))
                    })
                    .collect(),
            })
        }
        JournalCommand::Show { date } => {
            let shown = memory.journal_show(*date)?;
            printer.answer(&shown, || match shown.pages.as_slice() {
                [page] => page.text.clone(),
                several => pages(several),
            })
        }
        JournalCommand::Add { text, topic } => {
            let added = memory.journal_add(&text_or_stdin(text)?, topic.as_deref())?;
            printer.answer(&added, || match added.change.as_str() {
                "" => format!("{} says that already", added.path),
                change => format!("Written to {}  ({change})", added.path),
            })
        }
    }
}
