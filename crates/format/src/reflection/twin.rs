//! `pending-reflection.json`: every item with exactly what it would change, and what it rests on.
//!
//! One item stands on one line, so that git shows which was decided. What is not understood whole is refused with its line: nothing of
//! a file that a person or a program broke is applied.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::path::MemoryPath;
use crate::twin::{self, TwinError};

/// What an item would do, in the order of its worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// Two statements cannot both hold: the older one ends.
    Contradiction,
    /// What comes up again and again goes into MEMORY.md.
    Promotion,
    /// An entry of MEMORY.md is over, and leaves it.
    Stale,
    /// Two entities are one.
    Duplicate,
    /// Something for a person to say; changes nothing.
    Question,
    /// A memory faded, and goes out of use.
    Archival,
}

impl ItemKind {
    /// All of them, the most valuable first.
    pub const ALL: [Self; 6] =
        [Self::Contradiction, Self::Promotion, Self::Stale, Self::Duplicate, Self::Question, Self::Archival];

    /// Its word in files and answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Contradiction => "contradiction",
            Self::Promotion => "promotion",
            Self::Stale => "stale",
            Self::Duplicate => "duplicate",
            Self::Question => "question",
            Self::Archival => "archival",
        }
    }
}

impl fmt::Display for ItemKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// What started a reflection (M10.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReflectionTrigger {
    /// Its time came.
    Schedule,
    /// A long session ended.
    SessionEnd,
    /// Somebody asked for it.
    Request,
    /// So many episodes were waiting.
    Threshold,
}

impl ReflectionTrigger {
    /// Its word in files and answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Schedule => "schedule",
            Self::SessionEnd => "session-end",
            Self::Request => "request",
            Self::Threshold => "threshold",
        }
    }
}

/// A line that an item rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quoted {
    /// Its file.
    pub path: MemoryPath,
    /// What tells the file as it was from any other state of it.
    pub hash: String,
    /// Where the line stood, from 1.
    pub line: usize,
    /// The line without its end.
    pub text: String,
}

/// One thing that is proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// What it is called by: a letter of its kind and some signs.
    pub id: String,
    /// What it would do.
    pub kind: ItemKind,
    /// The memory it is about, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// The memory that stays: the newer statement's, or the entity that takes the other in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<String>,
    /// The file that changes; none where nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<MemoryPath>,
    /// The heading in that file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The line that changes, and those that speak for it.
    #[serde(default)]
    pub rests_on: Vec<Quoted>,
    /// What stands there afterwards, where something does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// It in a sentence.
    pub says: String,
    /// Why it is proposed.
    pub reason: String,
    /// Where it comes from: ids of memories, places in files.
    #[serde(default)]
    pub sources: Vec<String>,
    /// What it is about: the same for the same proposal at another time.
    pub key: String,
    /// What speaks for it: another where there is new evidence.
    pub evidence: String,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Processed {
    /// Episodes that no reflection before had looked at.
    pub episodes: usize,
    /// Entities.
    pub entities: usize,
    /// Procedures.
    pub procedures: usize,
}

/// What the reflections so far and the time since the last one show (M10.4).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Insights {
    /// What recurs across reflections.
    pub learning: Vec<String>,
    /// What was corrected since.
    pub understanding: Vec<String>,
    /// What comes up most.
    pub theme: Vec<String>,
}

/// A reflection that waits for a person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PendingReflection {
    /// Of the form; 1.
    pub version: u32,
    /// Which reflection it is, from 1.
    pub number: u32,
    /// When it was made.
    pub made: Timestamp,
    /// The day it was made on, for people.
    pub day: jiff::civil::Date,
    /// What started it.
    pub trigger: ReflectionTrigger,
    /// What tells the document as it was written from one that somebody changed.
    pub document: String,
    /// How many episodes the memory held.
    pub episodes: usize,
    /// What was looked at.
    pub processed: Processed,
    /// How many reflections before it were looked at.
    pub reviewed: usize,
    /// When the next is due, as the document says it; empty where none is.
    pub next: String,
    /// Below which score a memory is proposed for archival, as a decimal.
    pub archive_threshold: String,
    /// Tokens of the document.
    pub tokens: usize,
    /// The most it may have.
    pub budget: usize,
    /// How many items found no room.
    pub left_out: usize,
    /// What was learned since the last reflection, a line each.
    pub knowledge: Vec<String>,
    /// Connections that are new since, a line each.
    pub connections: Vec<String>,
    /// What faded and stays where it is, in a line; empty where nothing did.
    pub faded: String,
    /// What it all shows.
    pub insights: Insights,
    /// What is proposed, the most valuable first.
    pub items: Vec<Item>,
}

impl PendingReflection {
    /// Reads a twin.
    ///
    /// # Errors
    /// [`TwinError`], which names the line.
    pub fn parse(bytes: &[u8]) -> Result<Self, TwinError> {
        twin::read(bytes, |twin: &Self| {
            (twin.version, twin.items.iter().map(|item| item.id.as_str()).collect())
        })
    }

    /// The file, an item on each line.
    #[must_use]
    pub fn render(&self) -> String {
        twin::render(&Self { items: Vec::new(), ..self.clone() }, &self.items)
    }

    /// The item with this id.
    #[must_use]
    pub fn item(&self, id: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.id == id)
    }

    /// What those are called who change something on its behalf: `r-005`.
    #[must_use]
    pub fn session(&self) -> String {
        format!("r-{:03}", self.number)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn item(id: &str, kind: ItemKind, says: &str) -> Item {
        Item {
            id: id.to_owned(),
            kind,
            memory: Some("fact:abc".to_owned()),
            keep: None,
            path: MemoryPath::new("MEMORY.md").ok(),
            section: Some("Critical Facts".to_owned()),
            rests_on: vec![Quoted {
                path: MemoryPath::new("memory/reference/facts.md").expect("a path"),
                hash: "h".to_owned(),
                line: 3,
                text: format!("- {says}"),
            }],
            after: Some(says.to_owned()),
            says: says.to_owned(),
            reason: "it came up often".to_owned(),
            sources: vec!["fact:abc".to_owned()],
            key: format!("k{id}"),
            evidence: "e".to_owned(),
        }
    }

    pub(crate) fn pending(items: Vec<Item>) -> PendingReflection {
        PendingReflection {
            version: 1,
            number: 5,
            made: "2026-02-02T03:00:00Z".parse().expect("a time"),
            day: jiff::civil::date(2026, 2, 2),
            trigger: ReflectionTrigger::Schedule,
            document: "d".to_owned(),
            episodes: 23,
            processed: Processed { episodes: 23, entities: 8, procedures: 3 },
            reviewed: 4,
            next: "2026-02-03 03:00".to_owned(),
            archive_threshold: "0.05".to_owned(),
            tokens: 5_200,
            budget: 8_000,
            left_out: 0,
            knowledge: Vec::new(),
            connections: Vec::new(),
            faded: String::new(),
            insights: Insights::default(),
            items,
        }
    }

    #[test]
    fn a_broken_twin_is_refused_with_its_line() {
        let text =
            pending(vec![item("p1", ItemKind::Promotion, "one"), item("p2", ItemKind::Promotion, "two")])
                .render();
        let refused = |text: &str| PendingReflection::parse(text.as_bytes()).expect_err("broken").to_string();
        let line = 1 + text.lines().position(|line| line.contains("\"p2\"")).expect("an item");
        let named = format!("line {line}: ");
        assert!(refused(&text.replace("\"p2\"", "\"p1\"")).starts_with(&named));
        assert!(refused(&text.replace("\"id\":\"p2\"", "\"id\":7")).starts_with(&named));
        assert!(
            refused(&text.replace("\"id\":\"p2\"", "\"command\":\"rm\",\"id\":\"p2\"")).starts_with(&named)
        );
        let last = text.rfind("MEMORY.md").expect("a path");
        let outside = format!("{}../../etc/passwd{}", &text[..last], &text[last + 9..]);
        assert!(refused(&outside).starts_with(&named), "{}", refused(&outside));
        assert!(refused(&text.replace("\"version\": 1", "\"version\": 2")).contains("version 2"));
        assert!(refused("nonsense\n").starts_with("line 1: "));
        assert_eq!(pending(Vec::new()).session(), "r-005");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(says in "\\PC{0,40}", ids in prop::collection::btree_set("[a-z0-9]{1,6}", 0..5)) {
            let items = ids.iter().map(|id| item(id, ItemKind::Archival, &says)).collect();
            let twin = pending(items);
            let text = twin.render();
            prop_assert_eq!(text.lines().filter(|line| line.starts_with("    {\"id\"")).count(), ids.len());
            prop_assert_eq!(PendingReflection::parse(text.as_bytes()).expect("a twin"), twin);
        }

        #[test]
        fn no_file_is_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = PendingReflection::parse(&bytes);
        }
    }
}
