//! `rem tag`

use anyhow::Result;
use rem_mind::ledger::TagKind;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Name a moment of the memory
#[derive(Debug, clap::Subcommand)]
pub(crate) enum TagCommand {
    /// memory/daily/DATE, if something changed since the last
    Daily,
    /// memory/weekly/YEAR-WEEK, if something changed since the last
    Weekly,
    /// memory/milestone/NAME
    Milestone {
        /// The name
        name: String,
    },
    /// memory/before/EVENT
    Before {
        /// What is about to happen
        event: String,
    },
    /// memory/extract/VERSION
    Extract {
        /// The extraction's version
        version: String,
    },
    /// Show the tags
    List,
}

pub(crate) fn run(command: &TagCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let kind = match command {
        TagCommand::Daily => TagKind::Daily,
        TagCommand::Weekly => TagKind::Weekly,
        TagCommand::Milestone { name } => TagKind::Milestone(name.clone()),
        TagCommand::Before { event } => TagKind::Before(event.clone()),
        TagCommand::Extract { version } => TagKind::Extract(version.clone()),
        TagCommand::List => {
            let tags = memory.ledger().tags()?;
            return printer.answer(&tags, || {
                tags.iter().map(|tag| format!("{}  {}\n", &tag.commit[..10], tag.name)).collect()
            });
        }
    };
    let outcome = memory.ledger().tag(&kind, memory.time_zone())?;
    printer.answer(&outcome, || match outcome.why_not() {
        None => format!("{} names {}", outcome.name, &outcome.commit[..10]),
        Some(why) => format!("{} is not made: {why}", outcome.name),
    })
}
