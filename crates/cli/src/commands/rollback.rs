//! `rem rollback`

use anyhow::Result;
use rem_format::path::MemoryPath;

use crate::arguments::Arguments;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Go back: one file, what a session did, or everything
///
/// A rollback is a change like any other and can be rolled back itself. Conversations stay as they are.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum RollbackCommand {
    /// Give one file the contents it had
    File {
        /// The file
        path: String,
        /// A commit, tag, day or time
        #[arg(long, value_name = "REV|TIME")]
        to: String,
    },
    /// Take back everything a session did
    Session {
        /// The session's id
        id: String,
    },
    /// Give every file the contents it had
    Time {
        /// A day, time, commit or tag
        #[arg(value_name = "TIME|REV")]
        to: String,
    },
}

pub(crate) fn run(command: &RollbackCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    // Of all files this one alone may keep the others from being reached.
    let memory = match command {
        RollbackCommand::File { path, .. } if path == "CONFIG.md" => arguments.open_for_settings()?,
        _ => arguments.open()?,
    };
    let provenance = |what: &str| memory.asked_for(format!("rem rollback {what}"));
    // A day is a moment too; what is neither is a revision.
    let target = |to: &str| memory.moment(to).map_or_else(|_| to.to_owned(), |time| time.to_string());
    let outcome = match command {
        RollbackCommand::File { path, to } => memory.ledger().rollback_file(
            &MemoryPath::new(path.as_str())?,
            &target(to),
            &provenance("file"),
        )?,
        RollbackCommand::Session { id } => memory.ledger().rollback_session(id, &provenance("session"))?,
        RollbackCommand::Time { to } => memory.ledger().rollback_time(&target(to), &provenance("time"))?,
    };
    if !outcome.conflicts.is_empty() {
        return Err(Hinted::integrity(
            format!("nothing was changed: later changes overlap in {}", outcome.conflicts.join(", ")),
            "roll those files back one by one with `rem rollback file`",
        )
        .into());
    }
    memory.graph_index_follows(&outcome.applied.files);
    printer.answer(&outcome, || match outcome.applied.files.len() {
        0 => "Nothing differs; nothing was changed.".to_owned(),
        files => format!("{} reverted {files} files", outcome.applied.change),
    })
}
