//! Who did what to which file: the vocabulary of the audit trail and the line that records it.
//!
//! Owns one line of `memory/meta/audit.log` (M12.4): `TIMESTAMP | ACTION | FILE | ACTOR | APPROVAL | SUMMARY`.
//! `parse` reads back what `render` wrote, whatever the file is called and whatever the summary says.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The longest summary that is kept, in characters.
pub const MAX_SUMMARY_CHARACTERS: usize = 200;

/// Why a line is no audit line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AuditLineError {
    /// The line has another number of fields than six.
    #[error("an audit line has six fields separated by ' | ', this one has {0}")]
    Fields(usize),
    /// One field holds something it may not.
    #[error("{value:?} is no {what}")]
    Field {
        /// What the field should hold.
        what: &'static str,
        /// What it holds.
        value: String,
    },
}

macro_rules! vocabulary {
    ($(#[$outer:meta])* $name:ident, $what:literal, { $($(#[$inner:meta])* $variant:ident => $text:literal),+ $(,)? }) => {
        $(#[$outer])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$inner])* #[serde(rename = $text)] $variant),+ }
        impl $name {
            /// Every value, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The word as it stands in commits and audit lines.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(self.as_str())
            }
        }
        impl FromStr for $name {
            type Err = AuditLineError;
            fn from_str(text: &str) -> Result<Self, AuditLineError> {
                Self::ALL.iter().copied().find(|value| value.as_str().eq_ignore_ascii_case(text))
                    .ok_or_else(|| AuditLineError::Field { what: $what, value: text.to_owned() })
            }
        }
    };
}

vocabulary! {
    /// What happened (M12.4's vocabulary, with M12.5's `ALERT` and M13.7's three).
    Action, "action", {
        /// A new file.
        Create => "CREATE",
        /// An existing file changed.
        Edit => "EDIT",
        /// Text added at the end, nothing else touched.
        Append => "APPEND",
        /// A file removed from disk.
        Delete => "DELETE",
        /// A memory faded out of sight, its file kept.
        Archive => "ARCHIVE",
        /// Several files or entries became one.
        Merge => "MERGE",
        /// A file went back to an earlier version.
        Revert => "REVERT",
        /// The decay system changed a memory's status.
        Decay => "DECAY",
        /// A file moved.
        Rename => "RENAME",
        /// A sub-agent proposed a memory.
        Propose => "PROPOSE",
        /// The main agent committed a proposal.
        Commit => "COMMIT",
        /// The main agent rejected a proposal.
        Reject => "REJECT",
        /// A critical file changed, or such a change was acknowledged.
        Alert => "ALERT",
    }
}

vocabulary! {
    /// Who agreed to the change.
    Approval, "approval", {
        /// Nobody needed to.
        Auto => "auto",
        /// A person did.
        Approved => "approved",
        /// A person still has to.
        Pending => "pending",
        /// The question does not arise, as for a person's own edit.
        None => "—",
    }
}

/// Who made the change (M12.3's table).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Actor {
    /// The agent: `bot:trigger-remember`, `bot:trigger-forget`, `bot:auto-detect`, `bot:main`.
    Bot(String),
    /// The main agent, for a sub-agent: `bot:commit-from:NAME`.
    CommitFrom(String),
    /// A reflection session that a person approved: `reflection:ID`.
    Reflection(String),
    /// The program itself: `system:init`, `system:decay`, `system:audit`.
    System(String),
    /// A person, in an editor or by a command: `manual`.
    Manual,
    /// An extension: `skill:NAME`.
    Skill(String),
    /// A sub-agent's proposal: `subagent:NAME`.
    Subagent(String),
}

impl fmt::Display for Actor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&match self {
            Self::Bot(name) => format!("bot:{name}"),
            Self::CommitFrom(name) => format!("bot:commit-from:{name}"),
            Self::Reflection(id) => format!("reflection:{id}"),
            Self::System(part) => format!("system:{part}"),
            Self::Manual => "manual".to_owned(),
            Self::Skill(name) => format!("skill:{name}"),
            Self::Subagent(name) => format!("subagent:{name}"),
        })
    }
}

impl FromStr for Actor {
    type Err = AuditLineError;

    fn from_str(text: &str) -> Result<Self, AuditLineError> {
        let wrong = || AuditLineError::Field { what: "actor", value: text.to_owned() };
        if text == "manual" {
            return Ok(Self::Manual);
        }
        let (kind, name) = text.split_once(':').ok_or_else(wrong)?;
        if name.is_empty()
            || name.chars().any(|c| c.is_whitespace() || c.is_control() || c == '|' || c == '\\')
        {
            return Err(wrong());
        }
        let name = name.to_owned();
        match kind {
            "bot" => Ok(match name.strip_prefix("commit-from:") {
                Some(agent) if !agent.is_empty() => Self::CommitFrom(agent.to_owned()),
                _ => Self::Bot(name),
            }),
            "reflection" => Ok(Self::Reflection(name)),
            "system" => Ok(Self::System(name)),
            "skill" => Ok(Self::Skill(name)),
            "subagent" => Ok(Self::Subagent(name)),
            _ => Err(wrong()),
        }
    }
}

impl TryFrom<String> for Actor {
    type Error = AuditLineError;
    fn try_from(text: String) -> Result<Self, AuditLineError> {
        text.parse()
    }
}

impl From<Actor> for String {
    fn from(actor: Actor) -> Self {
        actor.to_string()
    }
}

/// One line of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditLine {
    /// When, to the minute.
    pub time: Timestamp,
    /// What happened.
    pub action: Action,
    /// The file or, for a merge, a pattern.
    pub file: String,
    /// Who did it.
    pub actor: Actor,
    /// Who agreed.
    pub approval: Approval,
    /// One line for a person, at most [`MAX_SUMMARY_CHARACTERS`].
    pub summary: String,
}

impl AuditLine {
    /// A line with its time cut to the minute and its summary on one line.
    #[must_use]
    pub fn new(
        time: Timestamp,
        action: Action,
        file: &str,
        actor: Actor,
        approval: Approval,
        summary: &str,
    ) -> Self {
        Self {
            time: to_minute(time),
            action,
            file: file.to_owned(),
            actor,
            approval,
            summary: one_line(summary, MAX_SUMMARY_CHARACTERS),
        }
    }

    /// The line without its newline, columns padded as in the seed's example.
    #[must_use]
    pub fn render(&self) -> String {
        format!(
            "{} | {:<6} | {:<24} | {:<20} | {:<8} | {}",
            minute(self.time),
            self.action,
            escape(&self.file),
            self.actor,
            self.approval,
            escape(&self.summary)
        )
    }

    /// Reads a line.
    ///
    /// # Errors
    /// [`AuditLineError`] names the field that cannot be read.
    pub fn parse(line: &str) -> Result<Self, AuditLineError> {
        let fields = split_fields(line);
        let [time, action, file, actor, approval, summary] = fields.as_slice() else {
            return Err(AuditLineError::Fields(fields.len()));
        };
        Ok(Self {
            time: parse_minute(time)?,
            action: action.parse()?,
            file: unescape(file),
            actor: actor.parse()?,
            approval: approval.parse()?,
            summary: unescape(summary),
        })
    }
}

/// `2026-02-02T15:30Z`.
#[must_use]
pub fn minute(time: Timestamp) -> String {
    TimeZone::UTC.to_datetime(time).strftime("%Y-%m-%dT%H:%MZ").to_string()
}

fn parse_minute(text: &str) -> Result<Timestamp, AuditLineError> {
    let wrong = || AuditLineError::Field { what: "time to the minute", value: text.to_owned() };
    let date_time = jiff::civil::DateTime::strptime("%Y-%m-%dT%H:%MZ", text).map_err(|_| wrong())?;
    TimeZone::UTC.to_timestamp(date_time).map_err(|_| wrong())
}

fn to_minute(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second().div_euclid(60) * 60).unwrap_or(time)
}

/// Puts text on one line: runs of white space become one space, and what is longer than `limit` characters ends in `…`.
#[must_use]
pub fn one_line(text: &str, limit: usize) -> String {
    let mut line = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if line.chars().count() > limit {
        line = line.chars().take(limit.saturating_sub(1)).collect();
        line.truncate(line.trim_end().len());
        line.push('…');
    }
    line
}

/// Keeps a field inside its column: the separator and the escape itself, and blanks at the ends, get a backslash.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let last = text.chars().count().saturating_sub(1);
    for (position, character) in text.chars().enumerate() {
        if matches!(character, '|' | '\\') || (character == ' ' && (position == 0 || position == last)) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.push(if character == '\\' { characters.next().unwrap_or('\\') } else { character });
    }
    plain
}

/// The fields between unescaped bars, each still escaped, their padding removed.
fn split_fields(line: &str) -> Vec<&str> {
    let mut fields = Vec::with_capacity(6);
    let (mut start, mut escaped) = (0, false);
    for (at, character) in line.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '|' => {
                fields.push(trim_padding(&line[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    fields.push(trim_padding(&line[start..]));
    fields
}

/// Removes padding blanks but not one that an escape protects.
fn trim_padding(field: &str) -> &str {
    let field = field.trim_start_matches(' ');
    let trimmed = field.trim_end_matches(' ');
    let backslashes = trimmed.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if backslashes % 2 == 1 && trimmed.len() < field.len() { &field[..trimmed.len() + 1] } else { trimmed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_seeds_example_lines_are_read_and_written_back() {
        let line = "2026-02-02T15:30Z | EDIT   | MEMORY.md                | bot:trigger-remember | auto     | added \"hybrid approach chosen\" to Active Context";
        let parsed = AuditLine::parse(line).unwrap();
        assert_eq!(parsed.action, Action::Edit);
        assert_eq!(parsed.actor, Actor::Bot("trigger-remember".into()));
        assert_eq!(parsed.render(), line);
        let other = "2026-02-05T10:00Z | EDIT   | SOUL.md                  | manual               | —        | ⚠️ CRITICAL: behavioral guideline modified";
        assert_eq!(AuditLine::parse(other).unwrap().render(), other);
        let commit = "2026-02-03T10:30Z | COMMIT  | memory/procedures/...           | bot:commit-from:coder      | auto | accepted proposal #2";
        assert_eq!(AuditLine::parse(commit).unwrap().actor, Actor::CommitFrom("coder".into()));
    }

    #[test]
    fn a_broken_line_says_which_field_is_wrong() {
        assert_eq!(AuditLine::parse("nonsense"), Err(AuditLineError::Fields(1)));
        let error = AuditLine::parse("2026-02-02T15:30Z | PAINT | a | manual | — | x").unwrap_err();
        assert!(error.to_string().contains("PAINT"));
    }

    proptest! {
        #[test]
        fn a_line_reads_back_as_it_was_written(file in "[^\\p{Cc}]{1,40}", summary in any::<String>(), second in 0i64..4_000_000_000) {
            let time = Timestamp::from_second(second).unwrap();
            let line = AuditLine::new(time, Action::Append, &file, Actor::Skill("x".into()), Approval::None, &summary);
            let rendered = line.render();
            prop_assert!(!rendered.contains('\n'));
            prop_assert_eq!(AuditLine::parse(&rendered).unwrap(), line);
        }

        #[test]
        fn no_line_makes_the_parser_panic(line in any::<String>()) {
            let _ = AuditLine::parse(&line);
        }
    }
}
