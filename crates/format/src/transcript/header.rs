//! The front matter of a transcript (seed A2.1 and A2.3).
//!
//! Owns the keys, their order and their kinds. Keys that this program does not know are kept as they are. Must
//! not hold anything that a message could forge: it is written before the first turn and changed only through
//! [`Document::set`].

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::line::one_line;
use super::{TranscriptError, utc_date};
use crate::document::{Document, Value};

/// A knowledge file that changed during the session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KnowledgeChange {
    /// The file in the workspace.
    pub path: String,
    /// `created`, `updated`, `appended` and the like.
    pub action: String,
    /// What changed, in a sentence.
    pub summary: String,
}

/// Session metadata. Text keys that are `None`, empty lists, and zero counts are not written.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TranscriptHeader {
    /// The session's id here; unique in the workspace.
    pub session_id: String,
    /// When the session began.
    pub started: Timestamp,
    /// When it was closed; an open transcript has none.
    pub ended: Option<Timestamp>,
    /// The model that answered, as the host names it.
    pub model: Option<String>,
    /// Where the conversation took place (`webchat`, `telegram`, `cli`).
    pub channel: Option<String>,
    /// Who listened besides the operator: `shared` for a group; nothing where it was nobody.
    pub audience: Option<String>,
    /// On whose behalf it was held; nobody for the operator.
    pub on_behalf_of: Vec<String>,
    /// What it is about, in a few words.
    pub topic: Option<String>,
    /// Free labels.
    pub tags: Vec<String>,
    /// Tokens read by the model over the whole session.
    pub tokens_in: u64,
    /// Tokens written by the model over the whole session.
    pub tokens_out: u64,
    /// The host that an imported session comes from (`claude-code`, `codex`).
    pub source: Option<String>,
    /// The session's id at that host, unchanged.
    pub source_id: Option<String>,
    /// The id of the last record that was imported: a later import goes on from there.
    pub source_leaf: Option<String>,
    /// Which part of a conversation kept in several files this is, from 1; 0 reads as 1.
    pub part: u32,
    /// The path of the part before.
    pub continues: Option<String>,
    /// Knowledge files changed during the session.
    pub knowledge_changes: Vec<KnowledgeChange>,
    /// Keys unknown to this program, in file order.
    pub extra: Vec<(String, Value)>,
}

/// The audience of a session that a group listens to.
pub const SHARED: &str = "shared";

const KNOWN: [&str; 17] = [
    "session_id",
    "started",
    "ended",
    "model",
    "channel",
    "audience",
    "for",
    "topic",
    "tags",
    "tokens_in",
    "tokens_out",
    "source",
    "source_id",
    "source_leaf",
    "part",
    "continues",
    "knowledge_changes",
];

impl TranscriptHeader {
    /// Reads the front matter of a transcript. Optional keys of the wrong kind are read as absent, but stay in the
    /// document.
    ///
    /// # Errors
    /// [`TranscriptError`] when the front matter is unreadable, or `session_id` or `started` is not usable.
    pub fn read(document: &Document) -> Result<Self, TranscriptError> {
        let mut header = TranscriptHeader { part: 1, ..TranscriptHeader::default() };
        let mut started = None;
        for (key, value) in document.entries()? {
            let text = value.to_text();
            let count = value.as_integer().and_then(|number| u64::try_from(number).ok());
            match key.as_str() {
                "session_id" => header.session_id = text.unwrap_or_default(),
                "started" => started = value.as_timestamp(),
                "ended" => header.ended = value.as_timestamp(),
                "model" => header.model = text,
                "channel" => header.channel = text,
                "audience" => header.audience = text,
                "for" => header.on_behalf_of = names(&value),
                "topic" => header.topic = text,
                "tags" => header.tags = names(&value),
                "tokens_in" => header.tokens_in = count.unwrap_or(0),
                "tokens_out" => header.tokens_out = count.unwrap_or(0),
                "source" => header.source = text,
                "source_id" => header.source_id = text,
                "source_leaf" => header.source_leaf = text,
                "part" => header.part = count.and_then(|part| u32::try_from(part).ok()).unwrap_or(1).max(1),
                "continues" => header.continues = text,
                "knowledge_changes" => {
                    header.knowledge_changes =
                        value.as_list().unwrap_or_default().iter().map(change).collect();
                }
                _ => header.extra.push((key, value)),
            }
        }
        if header.session_id.is_empty() {
            return Err(TranscriptError::Header { key: "session_id", expected: "the session's id" });
        }
        header.started = started.ok_or(TranscriptError::Header {
            key: "started",
            expected: "a time such as 2026-02-16T18:45:00Z",
        })?;
        Ok(header)
    }

    /// The keys to write, in the seed's order, those of this program that are empty left out.
    #[must_use]
    pub fn entries(&self) -> Vec<(String, Value)> {
        let text = |value: &Option<String>| value.as_deref().filter(|text| !text.is_empty()).map(Value::from);
        // Counts past what front matter can hold are as good as unknown.
        let count = |value: u64| i64::try_from(value).ok().filter(|value| *value > 0).map(Value::Integer);
        let changes = self.knowledge_changes.iter().map(|change| {
            Value::Map(vec![
                ("path".to_owned(), change.path.as_str().into()),
                ("action".to_owned(), change.action.as_str().into()),
                ("summary".to_owned(), change.summary.as_str().into()),
            ])
        });
        let values = [
            Some(self.session_id.as_str().into()),
            Some(self.started.into()),
            self.ended.map(Value::from),
            text(&self.model),
            text(&self.channel),
            text(&self.audience),
            (!self.on_behalf_of.is_empty()).then(|| self.on_behalf_of.clone().into()),
            text(&self.topic),
            (!self.tags.is_empty()).then(|| self.tags.clone().into()),
            count(self.tokens_in),
            count(self.tokens_out),
            text(&self.source),
            text(&self.source_id),
            text(&self.source_leaf),
            (self.part > 1).then(|| self.part.into()),
            text(&self.continues),
            (!self.knowledge_changes.is_empty()).then(|| Value::List(changes.collect())),
        ];
        let known = KNOWN.into_iter().zip(values).filter_map(|(key, value)| Some((key.to_owned(), value?)));
        let extra = self.extra.iter().filter(|(key, _)| !KNOWN.contains(&key.as_str())).cloned();
        known.chain(extra).collect()
    }

    /// Brings a document's front matter to what this header says, touching only keys that differ.
    ///
    /// # Errors
    /// [`TranscriptError::FrontMatter`] when a key can't be set; the document may then hold the keys before it.
    pub fn write(&self, document: &mut Document) -> Result<(), TranscriptError> {
        let entries = self.entries();
        for key in KNOWN.iter().filter(|key| !entries.iter().any(|(name, _)| name == *key)) {
            document.remove(key)?;
        }
        for (key, value) in &entries {
            document.set(key, value)?;
        }
        Ok(())
    }

    /// Whether it is the operator who speaks in it, to the agent alone. In a group nobody knows who says what.
    #[must_use]
    pub fn is_with_operator(&self) -> bool {
        self.audience.as_deref() != Some(SHARED) && self.on_behalf_of.is_empty()
    }

    /// The UTC date on which the session began.
    #[must_use]
    pub fn date(&self) -> jiff::civil::Date {
        utc_date(self.started)
    }
}

fn names(value: &Value) -> Vec<String> {
    value.as_list().unwrap_or_default().iter().filter_map(Value::to_text).collect()
}

fn change(value: &Value) -> KnowledgeChange {
    let field = |key: &str| value.field(key).and_then(Value::to_text).unwrap_or_default();
    KnowledgeChange { path: field("path"), action: field("action"), summary: field("summary") }
}

/// The start of a new transcript file: front matter and the title as its heading, brought to one line of at most
/// 120 characters (`Conversation` when empty). Turns are appended by [`super::render_turn`].
#[must_use]
pub fn render_header(header: &TranscriptHeader, title: &str) -> String {
    let entries = header.entries();
    let mut front = String::from("---\n");
    for (key, value) in &entries {
        front.push_str(&crate::document::render_entry(key, value));
    }
    let title = one_line(title, 120);
    let title = if title.is_empty() { "Conversation" } else { &title };
    format!("{front}---\n\n# {title}\n")
}
