//! `pending-identity.json`: every proposed change of SOUL.md with exactly what it would do, and all that speaks for it.
//!
//! One item stands on one line, so that git shows which was decided. What is not understood whole is refused with its line: nothing of
//! a file that a person or a program broke is applied.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::path::MemoryPath;
use crate::twin::{self, TwinError};

/// What an item does to SOUL.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GrowthKind {
    /// A principle is added.
    Add,
    /// A principle takes the place of one that a newer correction contradicts.
    Replace,
    /// A principle goes whose correction was taken back (seed P5.4).
    Remove,
}

impl GrowthKind {
    /// Its word in files and answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Replace => "replace",
            Self::Remove => "remove",
        }
    }
}

impl fmt::Display for GrowthKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// Where something was observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OccurrenceKind {
    /// An entry of CORRECTIONS.md or of its archive.
    Correction,
    /// What the operator said in a conversation.
    Conversation,
    /// What the operator had remembered.
    Memory,
}

/// One time that something was observed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Occurrence {
    /// Where.
    pub kind: OccurrenceKind,
    /// When.
    pub time: Timestamp,
    /// The day in the operator's time zone.
    pub day: Date,
    /// The session, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The file.
    pub path: MemoryPath,
    /// The correction's or the memory's id, or the line from 1: what finds it in the file.
    pub at: String,
    /// What it says, in the operator's words.
    pub text: String,
}

impl Occurrence {
    /// What tells it from others that count by themselves: its day, with its session where that is known.
    #[must_use]
    pub fn key(&self) -> String {
        match &self.session {
            Some(session) => format!("{}/{}", self.day, session.replace([',', ' ', '|'], "_")),
            None => self.day.to_string(),
        }
    }

    /// The place for a person: `CORRECTIONS.md #c7k2m9`, `conversation raw/…md:12`.
    #[must_use]
    pub fn place(&self) -> String {
        match self.kind {
            OccurrenceKind::Conversation => format!("conversation {}:{}", self.path, self.at),
            OccurrenceKind::Correction | OccurrenceKind::Memory => {
                format!("{} #{}", self.path, self.at)
            }
        }
    }
}

/// Where a principle goes that makes room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeavingTo {
    /// Nowhere: another principle says the same.
    Merged,
    /// To MEMORY.md.
    Memory,
}

/// A principle that makes room under the cap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leaving {
    /// What it says.
    pub principle: String,
    /// Where it goes.
    pub to: LeavingTo,
}

/// One change that is proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// What it is called by; another for everything that differs in any way.
    pub id: String,
    /// What it does.
    pub kind: GrowthKind,
    /// The principle that comes, or of [`GrowthKind::Remove`] the one that goes.
    pub principle: String,
    /// The heading in SOUL.md.
    pub section: String,
    /// The principle whose place it takes; of [`GrowthKind::Replace`] alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
    /// Principles that make room for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaves: Vec<Leaving>,
    /// Every time that it was observed, the oldest first.
    pub occurrences: Vec<Occurrence>,
    /// How many of them count: separate dates or sessions.
    pub counted: usize,
    /// How many were needed (`identity.min_occurrences`).
    pub threshold: u64,
    /// Hours since the first.
    pub elapsed_hours: i64,
    /// How many were needed (`corrections.cooldown_hours`).
    pub cooldown_hours: u64,
    /// Why it is proposed.
    pub reason: String,
}

/// Changes of identity that wait for a person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PendingIdentity {
    /// Of the form; 1.
    pub version: u32,
    /// When it was made.
    pub made: Timestamp,
    /// The day it was made on, for people.
    pub day: Date,
    /// What tells the document as it was written from one that somebody changed.
    pub document: String,
    /// Tokens of SOUL.md as it was.
    pub tokens: usize,
    /// The most it may have (`identity.max_tokens`).
    pub max_tokens: u64,
    /// What is proposed.
    pub items: Vec<Growth>,
}

impl PendingIdentity {
    /// Reads a twin.
    ///
    /// # Errors
    /// [`TwinError`], which names the line.
    pub fn parse(bytes: &[u8]) -> Result<Self, TwinError> {
        let twin = twin::read(bytes, |twin: &Self| {
            (twin.version, twin.items.iter().map(|item| item.id.as_str()).collect())
        })?;
        for item in &twin.items {
            let texts = [&item.principle, &item.section].into_iter().chain(&item.replaces);
            let texts = texts.chain(item.leaves.iter().map(|leaving| &leaving.principle));
            if texts.into_iter().any(|text| text.trim().is_empty() || text.chars().any(char::is_control)) {
                return Err(TwinError::Text { line: twin::line_of(bytes, &item.id) });
            }
        }
        Ok(twin)
    }

    /// The file, an item on each line.
    #[must_use]
    pub fn render(&self) -> String {
        twin::render(&Self { items: Vec::new(), ..self.clone() }, &self.items)
    }

    /// The item with this id.
    #[must_use]
    pub fn item(&self, id: &str) -> Option<&Growth> {
        self.items.iter().find(|item| item.id == id)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn occurrence(kind: OccurrenceKind, day: &str, session: Option<&str>, at: &str) -> Occurrence {
        let path = match kind {
            OccurrenceKind::Correction => "CORRECTIONS.md",
            OccurrenceKind::Conversation => "raw/conversations/2026/02/21/0900-s1-talk.md",
            OccurrenceKind::Memory => "MEMORY.md",
        };
        Occurrence {
            kind,
            time: format!("{day}T09:00:00Z").parse().expect("a time"),
            day: day.parse().expect("a day"),
            session: session.map(str::to_owned),
            path: MemoryPath::new(path).expect("a path"),
            at: at.to_owned(),
            text: "Always confirm timezone before scheduling".to_owned(),
        }
    }

    pub(crate) fn growth(id: &str, principle: &str) -> Growth {
        Growth {
            id: id.to_owned(),
            kind: GrowthKind::Add,
            principle: principle.to_owned(),
            section: "Principles".to_owned(),
            replaces: None,
            leaves: vec![Leaving { principle: "Be brief".to_owned(), to: LeavingTo::Memory }],
            occurrences: vec![
                occurrence(OccurrenceKind::Correction, "2026-02-18", None, "14"),
                occurrence(OccurrenceKind::Conversation, "2026-02-21", Some("s1"), "12"),
            ],
            counted: 2,
            threshold: 2,
            elapsed_hours: 96,
            cooldown_hours: 24,
            reason: "the operator said it again".to_owned(),
        }
    }

    pub(crate) fn pending(items: Vec<Growth>) -> PendingIdentity {
        PendingIdentity {
            version: 1,
            made: "2026-02-22T02:30:00Z".parse().expect("a time"),
            day: jiff::civil::date(2026, 2, 22),
            document: "d".to_owned(),
            tokens: 120,
            max_tokens: 800,
            items,
        }
    }

    #[test]
    fn a_broken_twin_is_refused_with_its_line() {
        let text = pending(vec![growth("a1", "one"), growth("a2", "two")]).render();
        let refused = |text: &str| PendingIdentity::parse(text.as_bytes()).expect_err("broken").to_string();
        let line = 1 + text.lines().position(|line| line.contains("\"a2\"")).expect("an item");
        let named = format!("line {line}: ");
        assert!(refused(&text.replace("\"a2\"", "\"a1\"")).starts_with(&named));
        assert!(refused(&text.replace("\"id\":\"a2\"", "\"id\":7")).starts_with(&named));
        assert!(refused(&text.replace("\"id\":\"a2\"", "\"to\":\"rm\",\"id\":\"a2\"")).starts_with(&named));
        assert!(refused(&text.replace("\"two\"", "\"two\\n## Rules\"")).starts_with(&named));
        assert!(refused(&text.replace("\"two\"", "\"\"")).starts_with(&named));
        let last = text.rfind("CORRECTIONS.md").expect("a path");
        let outside = format!("{}../../etc/passwd{}", &text[..last], &text[last + 14..]);
        assert!(refused(&outside).starts_with(&named), "{}", refused(&outside));
        assert!(refused(&text.replace("\"version\": 1", "\"version\": 2")).contains("version 2"));
        assert!(refused("nonsense\n").starts_with("line 1: "));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            says in "[^\\p{C}]{0,40}", ids in prop::collection::btree_set("[a-z0-9]{1,6}", 0..5),
        ) {
            let says = format!("x{says}");
            let items = ids.iter().map(|id| growth(id, &says)).collect();
            let twin = pending(items);
            let text = twin.render();
            prop_assert_eq!(text.lines().filter(|line| line.starts_with("    {\"id\"")).count(), ids.len());
            prop_assert_eq!(PendingIdentity::parse(text.as_bytes()).expect("a twin"), twin);
        }

        #[test]
        fn no_file_is_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = PendingIdentity::parse(&bytes);
        }
    }
}
