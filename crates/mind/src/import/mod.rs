//! Sessions of other hosts, read as streams of turns (feature T5).
//!
//! Owns one reader per format and the rules they share: branches are followed to their active leaf, reasoning,
//! hidden and injected records are left out, a tool call is one short line with its result, attachments are
//! references. A record that can't be read is counted, reported with its place, and passed over: it never stops an
//! import. Memory stays small however large the file is: line formats are read twice, first for the shape of the
//! tree (about 30 bytes a record), then for the turns, in order. Must not know of workspaces, must not write, and
//! must not redact: whoever takes the turns does.

mod assemble;
mod chatgpt;
mod claude_ai;
mod claude_code;
mod codex;
mod detect;
mod elements;
mod gemini;
mod injected;
mod json;
mod lines;
mod openclaw;
mod openclaw_sqlite;
mod tools;
mod tree;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rem_format::transcript::Turn;

pub use detect::{Source, detect, discover};
pub use injected::{OWN_FENCE_TAG, cleaned};

use assemble::Output;

/// Why an import could not go on. Broken records are not errors: they are in the report.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file or folder can't be read.
    #[error("can't read {path} for import")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A database can't be read.
    #[error("can't read the database {path} for import: close the program that writes it, or copy it first")]
    Database {
        /// The database file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// No importer knows the file.
    #[error("{path} is not a session of a known host: name its format, or unpack it if it is an archive")]
    Unknown {
        /// The file or folder.
        path: PathBuf,
    },
    /// The callback asked for an end; [`import`] reports it as [`ImportReport::stopped`].
    #[error("import was stopped")]
    Stopped,
}

/// A format that sessions are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Claude Code: one JSON-lines file per session or sub-agent.
    ClaudeCode,
    /// Codex: rollout files, JSON lines.
    Codex,
    /// OpenClaw (and its kin that write the same tree): JSON lines.
    OpenClaw,
    /// OpenClaw's agent database.
    OpenClawSqlite,
    /// Gemini's command line: one JSON document or JSON lines.
    Gemini,
    /// A ChatGPT export's `conversations.json`.
    ChatGpt,
    /// A Claude.ai export's `conversations.json`.
    ClaudeAi,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] = [
        Format::ClaudeCode,
        Format::Codex,
        Format::OpenClaw,
        Format::OpenClawSqlite,
        Format::Gemini,
        Format::ChatGpt,
        Format::ClaudeAi,
    ];

    /// The host's name as transcripts record it under `source`.
    #[must_use]
    pub fn source(self) -> &'static str {
        match self {
            Format::ClaudeCode => "claude-code",
            Format::Codex => "codex",
            Format::OpenClaw | Format::OpenClawSqlite => "openclaw",
            Format::Gemini => "gemini",
            Format::ChatGpt => "chatgpt",
            Format::ClaudeAi => "claude-ai",
        }
    }
}

/// What is known of a session before its first turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionMeta {
    /// The host: [`Format::source`].
    pub source: &'static str,
    /// The session's id at the host; where the host gives none, one made from its content.
    pub source_id: String,
    /// The host's title, or else the start of the first words a person wrote; empty if there are none.
    pub title: String,
    /// The model, as the host names it.
    pub model: Option<String>,
    /// When it began: the host's word, else the first record's time, else the file's.
    pub started: Timestamp,
    /// The folder the agent worked in.
    pub cwd: Option<String>,
    /// The channel a conversation came through (`telegram`, `cli`).
    pub channel: Option<String>,
    /// For a sub-agent's session: the id of the session that started it.
    pub parent: Option<String>,
    /// The file it was read from.
    pub path: PathBuf,
}

/// A turn with the records it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceTurn {
    /// The id of the first record of the turn, unique in its session and the same at every import.
    pub id: String,
    /// The id of the last record that went into the turn.
    pub through: String,
    /// The turn, with its time in full.
    pub turn: Turn,
}

/// What is known of a session after its last turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionEnd {
    /// The time of the last turn.
    pub ended: Option<Timestamp>,
    /// The last model that answered.
    pub model: Option<String>,
    /// Tokens read by the model, as far as the host counts them.
    pub tokens_in: u64,
    /// Tokens written by the model, as far as the host counts them.
    pub tokens_out: u64,
    /// [`SourceTurn::through`] of the last turn.
    pub leaf: Option<String>,
}

/// What an import tells as it goes: per session `Session`, its `Turn`s, `End`; `Progress` at any time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A session that has at least one turn begins.
    Session(SessionMeta),
    /// Its next turn.
    Turn(SourceTurn),
    /// It is complete.
    End(SessionEnd),
    /// Work done, in units of bytes; comes about once a megabyte.
    Progress {
        /// Done so far.
        done: u64,
        /// To do in all.
        total: u64,
    },
}

/// What the receiver of an event wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Answer {
    /// The next event.
    #[default]
    Continue,
    /// The next session: no more turns of this one, and no `End`.
    SkipSession,
    /// Nothing more.
    Stop,
}

/// A record that was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The file, and within it the line, row or conversation: `path:12`.
    pub location: String,
    /// Why.
    pub reason: String,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportReport {
    /// Files read.
    pub files: u64,
    /// Sessions that were passed on.
    pub sessions: u64,
    /// Sessions without a single turn, not passed on.
    pub empty_sessions: u64,
    /// Turns that were passed on.
    pub turns: u64,
    /// Records that could not be read: the first thousand.
    pub skipped: Vec<Skipped>,
    /// How many such records there were in all.
    pub skipped_total: u64,
    /// Whether the receiver asked for the end.
    pub stopped: bool,
}

impl ImportReport {
    /// Counts a broken record; the list keeps the first thousand.
    fn skip(&mut self, location: String, reason: impl Into<String>) {
        self.skipped_total += 1;
        if self.skipped.len() < 1000 {
            self.skipped.push(Skipped { location, reason: reason.into() });
        }
    }
}

/// Reads a file, or every session below a folder, and passes its sessions to `on_event`.
///
/// With `format` only files of that format are read (a single file is then not asked what it is); without, each
/// file is read as what its content says it is. Files below a folder come in path order; one that can't be read is
/// in the report.
///
/// # Errors
/// [`ImportError`] when `path` itself can't be read or, without `format`, is nothing an importer knows.
pub fn import(
    path: &Path,
    format: Option<Format>,
    on_event: &mut dyn FnMut(Event) -> Answer,
) -> Result<ImportReport, ImportError> {
    let mut report = ImportReport::default();
    let is_folder = std::fs::metadata(path)
        .map_err(|source| ImportError::Read { path: path.to_owned(), source })?
        .is_dir();
    let sources: Vec<Source> = match (is_folder, format) {
        (false, Some(format)) => vec![Source { path: path.to_owned(), format }],
        (false, None) => {
            let format = detect(path).ok_or_else(|| ImportError::Unknown { path: path.to_owned() })?;
            vec![Source { path: path.to_owned(), format }]
        }
        (true, _) => {
            let found = discover(path)?;
            if found.is_empty() {
                return Err(ImportError::Unknown { path: path.to_owned() });
            }
            found.into_iter().filter(|source| format.is_none_or(|format| format == source.format)).collect()
        }
    };
    let total = sources.iter().map(|source| 2 * source.size()).sum();
    let mut output = Output::new(on_event, &mut report, total);
    for source in &sources {
        output.begin_file(&source.path);
        match read(source, &mut output) {
            Ok(()) => {}
            Err(ImportError::Stopped) => {
                report.stopped = true;
                return Ok(report);
            }
            Err(error) if is_folder => output.skip_file(&error),
            Err(error) => return Err(error),
        }
        output.end_file(2 * source.size())?;
    }
    Ok(report)
}

fn read(source: &Source, output: &mut Output<'_>) -> Result<(), ImportError> {
    match source.format {
        Format::ClaudeCode => claude_code::read(&source.path, output),
        Format::Codex => codex::read(&source.path, output),
        Format::OpenClaw => openclaw::read(&source.path, output),
        Format::OpenClawSqlite => openclaw_sqlite::read(&source.path, output),
        Format::Gemini => gemini::read(&source.path, output),
        Format::ChatGpt => chatgpt::read(&source.path, output),
        Format::ClaudeAi => claude_ai::read(&source.path, output),
    }
}

#[cfg(test)]
mod tests;
