//! The conversation transcript of seed A2.1: front matter, a title, and one section per turn.
//!
//! Owns the file's shape and its escaping. The invariant is that a file only ever grows: [`render_header`] and
//! each [`render_turn`] are concatenated, and [`Transcript::parse`] gives back the turns whatever a message
//! contains: lines that look like turn headings, front matter, unclosed fences, NUL or carriage returns.
//! Reasoning is never here, tool calls are one line each, binary content is a reference. Must not decide what
//! is captured, and must not redact: that happens before a turn is made.
//!
//! What the format does not keep: times are in UTC and lose their seconds (a turn is read back at the full
//! minute); tool, attachment and knowledge lines are brought to one line and bounded, as [`Turn::normalized`]
//! does it.

mod escape;
mod header;
mod line;
mod parse;
mod path;

use std::ops::Range;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

pub use header::{KnowledgeChange, SHARED, TranscriptHeader, render_header};
pub use path::{REST, TranscriptPath, brief_path, file_path, file_session_id, parse_file_path, slug};

use crate::document::{Document, DocumentError};

/// Why a file is not a transcript.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// The front matter can't be read.
    #[error("transcript front matter can't be read")]
    FrontMatter(#[from] DocumentError),
    /// A key that every transcript has is missing or is of the wrong kind.
    #[error("transcript front matter has no usable `{key}`: expected {expected}")]
    Header {
        /// The key.
        key: &'static str,
        /// What belongs there.
        expected: &'static str,
    },
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person, or whoever writes to the agent.
    User,
    /// The agent.
    Agent,
    /// The host or the surroundings.
    System,
}

impl Role {
    /// The word in the turn's heading.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Agent => "agent",
            Role::System => "system",
        }
    }
}

/// What a turn is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnKind {
    /// Something said or done.
    #[default]
    Message,
    /// A change of memory, under a heading that ends in `[memory]`.
    Memory,
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// When; the file keeps it to the minute.
    pub time: Timestamp,
    /// Who.
    pub role: Role,
    /// Message or memory operation.
    pub kind: TurnKind,
    /// What, in order.
    pub body: Vec<TurnPart>,
}

/// A piece of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnPart {
    /// Words, kept exactly.
    Text(String),
    /// A tool call: `> [tool:name] summary → result`.
    Tool {
        /// The tool's name, at most 80 characters, without brackets.
        name: String,
        /// What it was asked, one line of at most 200 characters.
        summary: String,
        /// What came back, one line of at most 200 characters; empty when nothing is known of it.
        result: String,
    },
    /// Something binary: `> [attachment:path]`.
    Attachment {
        /// A path or a name; it may be empty, and holds no control characters.
        path: String,
    },
    /// A change of a knowledge file: `> [knowledge:action] path — summary`.
    Knowledge {
        /// `updated`, `appended` and the like.
        action: String,
        /// The file in the workspace.
        path: String,
        /// One line of at most 200 characters; may be empty.
        summary: String,
    },
}

impl Turn {
    /// The turn as the file keeps it: the time cut to its minute, neighbouring texts joined by a blank line, empty
    /// texts left out, and each tool, attachment and knowledge part on one bounded line. Idempotent.
    #[must_use]
    pub fn normalized(&self) -> Turn {
        let mut body: Vec<TurnPart> = Vec::with_capacity(self.body.len());
        for part in &self.body {
            match (part, body.last_mut()) {
                (TurnPart::Text(text), _) if text.is_empty() => {}
                (TurnPart::Text(text), Some(TurnPart::Text(before))) => {
                    before.push_str("\n\n");
                    before.push_str(text);
                }
                _ => body.push(line::normalized(part)),
            }
        }
        Turn { time: minute_of(self.time), role: self.role, kind: self.kind, body }
    }

    /// The UTC date of the turn.
    #[must_use]
    pub fn date(&self) -> Date {
        utc_date(self.time)
    }

    /// The words of the turn without tool, attachment and knowledge lines.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.body.iter().filter_map(|part| match part {
            TurnPart::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }
}

/// The UTC date of an instant: the `previous_date` that the first [`render_turn`] of a file is given is that of
/// the header's `started`.
#[must_use]
pub fn utc_date(time: Timestamp) -> Date {
    time.to_zoned(TimeZone::UTC).date()
}

fn minute_of(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second().div_euclid(60) * 60).unwrap_or(time)
}

/// The lines that `turn` adds to a transcript, to be appended as they are.
///
/// `previous_date` is the UTC date of the turn before (of the header's `started` for the first): when it differs,
/// an invisible `<!-- 2026-02-17 -->` line carries the new date.
#[must_use]
pub fn render_turn(turn: &Turn, previous_date: Date) -> String {
    let turn = turn.normalized();
    let time = turn.time.to_zoned(TimeZone::UTC);
    let mut out = String::from("\n");
    if time.date() != previous_date {
        out.push_str(&format!("<!-- {} -->\n", time.date()));
    }
    let memory = if turn.kind == TurnKind::Memory { " [memory]" } else { "" };
    out.push_str(&format!("## {:02}:{:02} — {}{memory}\n", time.hour(), time.minute(), turn.role.as_str()));
    let mut before: Option<&TurnPart> = None;
    for part in &turn.body {
        let is_text = matches!(part, TurnPart::Text(_));
        // A blank line stands between words and lines of structure, either way around.
        if before.is_some_and(|before| matches!(before, TurnPart::Text(_)) != is_text) {
            out.push('\n');
        }
        match part {
            TurnPart::Text(text) => escape::push_escaped(&mut out, text),
            other => line::push(&mut out, other),
        }
        out.push('\n');
        before = Some(part);
    }
    out
}

/// A turn with the place it has in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedTurn {
    /// The turn, as [`Turn::normalized`].
    pub turn: Turn,
    /// 1-based lines of the file, end exclusive, from the heading (not its date line) to the last line of the
    /// turn, the blank line before the next turn excluded.
    pub lines: Range<usize>,
}

/// A transcript file, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// The file as a document, for changing its front matter.
    pub document: Document,
    /// The front matter, typed.
    pub header: TranscriptHeader,
    /// The first heading's text; empty when there is none.
    pub title: String,
    /// The turns in file order.
    pub turns: Vec<LocatedTurn>,
}

impl Transcript {
    /// Reads a transcript. A body that a person edited is read as far as its shape goes: text before the first
    /// turn is passed over, a line of broken structure is text.
    ///
    /// # Errors
    /// [`TranscriptError`] when the front matter can't be read or lacks `session_id` or `started`.
    pub fn parse(bytes: &[u8]) -> Result<Self, TranscriptError> {
        let document = Document::parse(bytes);
        let header = TranscriptHeader::read(&document)?;
        let (title, turns) =
            parse::body(&document.body_text(), document.body_line(), utc_date(header.started));
        Ok(Transcript { document, header, title, turns })
    }

    /// The UTC date of the last turn, or of the start: what the next [`render_turn`] is given.
    #[must_use]
    pub fn last_date(&self) -> Date {
        self.turns.last().map_or_else(|| utc_date(self.header.started), |turn| turn.turn.date())
    }
}

#[cfg(test)]
mod tests;
