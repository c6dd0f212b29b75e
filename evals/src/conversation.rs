//! Conversations with questions: the one shape that every data set of conversations is brought to, and its file format.
//!
//! One JSON object a line:
//!
//! ```json
//! {"id": "ann", "sessions": [{"id": "s1", "time": "2026-01-05T18:30:00Z", "turns": [
//!    {"id": "t1", "speaker": "Ann", "role": "user", "text": "I moved to Oslo."}]}],
//!  "questions": [{"text": "Where does Ann live?", "evidence": ["t1"], "category": "fact"}]}
//! ```
//!
//! `speaker`, `category` and unknown keys may be left out or be there; `role` is `user` (also where it is left out) or
//! `assistant`; times are RFC 3339. Ids are unique within their conversation. Evidence names turns, or sessions: a question
//! whose evidence names sessions alone is measured by sessions.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Deserializer};

/// Why a data set cannot be read.
#[derive(Debug)]
pub struct DataError {
    /// The file.
    pub path: PathBuf,
    /// Its line, from 1; none where the file as a whole is meant.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl std::fmt::Display for DataError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, line, reason } = self;
        match line {
            Some(line) => write!(formatter, "{}:{line}: {reason}", path.display()),
            None => write!(formatter, "{}: {reason}", path.display()),
        }
    }
}

impl std::error::Error for DataError {}

/// A conversation over one or more sessions, and what is asked about it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Conversation {
    /// Its id, unique in its data set.
    pub id: String,
    /// Its sessions, oldest first.
    pub sessions: Vec<Session>,
    /// What is asked.
    #[serde(default)]
    pub questions: Vec<Question>,
}

/// A session: what was said in one go.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Session {
    /// Its id, unique in its conversation.
    pub id: String,
    /// When it began.
    pub time: Timestamp,
    /// What was said.
    pub turns: Vec<Turn>,
}

/// One utterance.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Turn {
    /// Its id, unique in its conversation.
    pub id: String,
    /// The speaker's name, which is put before the text; none where roles are all there is.
    #[serde(default)]
    pub speaker: Option<String>,
    /// Which side speaks.
    #[serde(default)]
    pub role: Speaker,
    /// The words.
    pub text: String,
}

/// A side of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The person.
    #[default]
    User,
    /// The agent.
    Assistant,
}

/// A question with the places that answer it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Question {
    /// The question, asked as it stands.
    pub text: String,
    /// Ids of turns or of sessions.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// What kind of question it is.
    #[serde(default, deserialize_with = "word_or_number")]
    pub category: Option<String>,
}

fn word_or_number<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Category {
        Word(String),
        Number(i64),
    }
    Ok(Option::<Category>::deserialize(source)?.map(|category| match category {
        Category::Word(word) => word,
        Category::Number(number) => number.to_string(),
    }))
}

/// Reads a file of conversations, one a line; empty lines are passed over.
///
/// # Errors
/// [`DataError`] with the line that is no conversation.
pub fn read_conversations(path: &Path) -> Result<Vec<Conversation>, DataError> {
    let text = read(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| DataError {
                path: path.to_owned(),
                line: Some(at + 1),
                reason: error.to_string(),
            })
        })
        .collect()
}

/// The text of a file of a data set.
pub(crate) fn read(path: &Path) -> Result<String, DataError> {
    std::fs::read_to_string(path).map_err(|error| whole(path, error.to_string()))
}

/// A file of a data set as JSON.
pub(crate) fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, DataError> {
    serde_json::from_str(&read(path)?).map_err(|error| whole(path, error.to_string()))
}

/// An error about a file as a whole.
pub(crate) fn whole(path: &Path, reason: String) -> DataError {
    DataError { path: path.to_owned(), line: None, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_conversation_and_a_wrong_one_is_named() {
        let workspace = rem_testkit::Workspace::new();
        let good = concat!(
            r#"{"id":"a","other":1,"sessions":[{"id":"s","time":"2026-01-05T18:30:00Z","#,
            r#""turns":[{"id":"t","text":"I moved."},{"id":"u","speaker":"B","role":"assistant","text":"Oh."}]}],"#,
            r#""questions":[{"text":"Who?","evidence":["t"],"category":4},{"text":"What?"}]}"#
        );
        rem_testkit::write(workspace.outside(), "good.jsonl", format!("\n{good}\n\n"));
        let read = read_conversations(&workspace.outside().join("good.jsonl")).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].sessions[0].turns[0].role, Speaker::User);
        assert_eq!(read[0].sessions[0].turns[1].role, Speaker::Assistant);
        assert_eq!(read[0].questions[0].category.as_deref(), Some("4"));
        assert_eq!(read[0].questions[1].category, None);
        rem_testkit::write(workspace.outside(), "bad.jsonl", format!("{good}\n{{}}\n"));
        let error = read_conversations(&workspace.outside().join("bad.jsonl")).unwrap_err();
        assert_eq!(error.line, Some(2));
        assert!(error.to_string().contains("bad.jsonl:2: missing field `id`"), "{error}");
    }
}
