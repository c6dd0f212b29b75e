//! Which importer a file is for, by what it holds.
//!
//! Owns the marks of each format, looked for in the first 256 KiB, and the walk over a host's folder. A name alone
//! decides nothing, but some names are known not to be conversations. Must not read a whole file.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rem_format::json_text::without_lone_surrogates;
use serde::Deserialize;

use super::json::{Raw, Text};
use super::{Format, ImportError};

/// A file with the format it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// Its format.
    pub format: Format,
}

impl Source {
    /// The file's length in bytes, 0 if it is gone.
    #[must_use]
    pub fn size(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |metadata| metadata.len())
    }
}

/// Bytes that are looked at.
const SNIFFED: u64 = 256 << 10;
/// Lines that are looked at.
const LINES: usize = 40;
/// Folders deeper than this are not a host's.
const DEEPEST: usize = 12;

/// The format of a file by its content, or of the first session file below a folder. `None` when no importer
/// knows it, or it can't be read.
#[must_use]
pub fn detect(path: &Path) -> Option<Format> {
    if path.is_dir() {
        return discover(path).ok()?.first().map(|source| source.format);
    }
    let mut start = Vec::new();
    File::open(path).ok()?.take(SNIFFED).read_to_end(&mut start).ok()?;
    if start.starts_with(b"SQLite format 3\0") {
        return super::openclaw_sqlite::is_agent_database(path).then_some(Format::OpenClawSqlite);
    }
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start).trim_ascii_start();
    match start.first()? {
        b'[' => array_format(start),
        b'{' => lines_format(start).or_else(|| document_format(start)),
        _ => None,
    }
}

/// All session files below a folder (`~/.claude/projects`, `~/.codex/sessions`, an OpenClaw agent's folder, an
/// unpacked export), in path order. Links are not followed.
///
/// # Errors
/// [`ImportError::Read`] when the folder itself can't be listed; folders below it that can't be are passed over.
pub fn discover(folder: &Path) -> Result<Vec<Source>, ImportError> {
    let mut found = Vec::new();
    walk(folder, 0, &mut found).map_err(|source| ImportError::Read { path: folder.to_owned(), source })?;
    Ok(found)
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<Source>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.filter_map(Result::ok).collect::<Vec<_>>();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if kind.is_dir() && depth < DEEPEST {
            // A folder below that can't be listed holds nothing for us.
            let _ = walk(&path, depth + 1, found);
        } else if kind.is_file()
            && may_hold_sessions(&entry.file_name().to_string_lossy())
            && let Some(format) = detect(&path)
        {
            found.push(Source { path, format });
        }
    }
    Ok(())
}

/// By name: endings of sessions, without those that hosts keep for other things.
fn may_hold_sessions(name: &str) -> bool {
    let archived = name.contains(".jsonl.reset.");
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let sessions = archived || matches!(ending, "jsonl" | "json" | "sqlite" | "db");
    let other = name.ends_with(".trajectory.jsonl")
        || name.ends_with(".meta.json")
        || name.contains(".jsonl.deleted.")
        || matches!(name, "history.jsonl" | "sessions.json" | "settings.json" | "package.json" | "logs.json");
    sessions && !other
}

/// An export: an array of conversations.
fn array_format(start: &[u8]) -> Option<Format> {
    let place = |mark: &[u8]| memchr::memmem::find(start, mark);
    let chatgpt = [place(b"\"mapping\""), place(b"\"current_node\""), place(b"\"conversation_id\"")];
    let chatgpt = chatgpt.into_iter().flatten().min();
    match (place(b"\"chat_messages\""), chatgpt) {
        (Some(claude), Some(chatgpt)) if chatgpt < claude => Some(Format::ChatGpt),
        (Some(_), _) => Some(Format::ClaudeAi),
        (None, chatgpt) => chatgpt.map(|_| Format::ChatGpt),
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Marks<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow, rename = "sessionId")]
    session_id: Text<'a>,
    #[serde(borrow, rename = "projectHash")]
    project_hash: Text<'a>,
    #[serde(borrow, rename = "$set")]
    set: Raw<'a>,
    #[serde(borrow)]
    payload: Raw<'a>,
    #[serde(borrow)]
    message: Raw<'a>,
    #[serde(borrow)]
    messages: Raw<'a>,
    #[serde(borrow)]
    history: Raw<'a>,
    #[serde(borrow, rename = "startTime")]
    start_time: Raw<'a>,
    #[serde(borrow, rename = "start_time")]
    start_time_old: Raw<'a>,
    #[serde(borrow, rename = "lastUpdated")]
    last_updated: Raw<'a>,
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow)]
    record_type: Text<'a>,
    #[serde(borrow)]
    instructions: Raw<'a>,
    #[serde(borrow)]
    git: Raw<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    created_at: Raw<'a>,
    #[serde(borrow)]
    timestamp: Raw<'a>,
}

impl Marks<'_> {
    fn dated(&self) -> bool {
        self.created_at.is_some() || self.timestamp.is_some()
    }

    fn format(&self) -> Option<Format> {
        let kind = self.kind.or_empty();
        if self.messages.is_some() || self.history.is_some() {
            let timed =
                self.start_time.is_some() || self.start_time_old.is_some() || self.last_updated.is_some();
            let gemini = self.project_hash.get().is_some() || self.session_id.get().is_some() || timed;
            return gemini.then_some(Format::Gemini);
        }
        if self.project_hash.get().is_some() || self.set.is_some() {
            return Some(Format::Gemini);
        }
        if self.session_id.get().is_some() && !kind.is_empty() {
            return Some(Format::ClaudeCode);
        }
        if self.payload.is_some() && !kind.is_empty() {
            return Some(Format::Codex);
        }
        let has_id = self.id.get().is_some();
        match kind {
            "summary" if !has_id => Some(Format::ClaudeCode),
            "session" if has_id => Some(Format::OpenClaw),
            "message" if self.message.is_some() && has_id => Some(Format::OpenClaw),
            "user" | "gemini" if has_id && self.message.is_none() => Some(Format::Gemini),
            "message" | "function_call" | "function_call_output" => Some(Format::Codex),
            // The oldest rollouts: bare items after a header without a type.
            "" if self.record_type.get().is_some() => Some(Format::Codex),
            "" if has_id && (self.instructions.is_some() || self.git.is_some()) => Some(Format::Codex),
            "" if matches!(self.role.get(), Some("user" | "assistant")) && self.dated() => {
                // Cursor's lines nest content in a message object; Codex's never did.
                let nested = self.message.is_some_and(|message| message.get().starts_with('{'));
                (!nested).then_some(Format::Codex)
            }
            _ => None,
        }
    }
}

/// JSON lines: the first line that says what it is decides.
fn lines_format(start: &[u8]) -> Option<Format> {
    start.split(|byte| *byte == b'\n').take(LINES).find_map(|line| {
        let line = line.trim_ascii();
        if !line.starts_with(b"{") {
            return None;
        }
        serde_json::from_slice::<Marks<'_>>(&without_lone_surrogates(line)).ok()?.format()
    })
}

/// One JSON object over many lines, perhaps longer than what was read: Gemini's saved chats.
fn document_format(start: &[u8]) -> Option<Format> {
    if let Ok(marks) = serde_json::from_slice::<Marks<'_>>(start) {
        return marks.format().filter(|format| *format == Format::Gemini);
    }
    let has = |mark: &[u8]| memchr::memmem::find(start, mark).is_some();
    let messages = has(b"\"messages\"") || has(b"\"history\"");
    (messages && (has(b"\"projectHash\"") || has(b"\"sessionId\"") || has(b"\"parts\"")))
        .then_some(Format::Gemini)
}
