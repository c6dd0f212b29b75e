//! Twins: what a person is asked, for the program, as JSON with an item on each line and an id for each. Must not know what an item is.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why a twin cannot be used.
#[derive(Debug, Error)]
pub enum TwinError {
    /// It is no JSON, or something is missing, unknown or of another kind.
    #[error("line {line}: {source}")]
    Json {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// Another version of this program wrote it.
    #[error("line 1: version {0} is not known; this program reads version 1")]
    Version(u32),
    /// Two items have one id, or one has none.
    #[error("line {line}: the id {id:?} is not one item's alone")]
    Id {
        /// The line, from 1.
        line: usize,
        /// The id.
        id: String,
    },
    /// A text that has to be one line is none.
    #[error("line {line}: a principle and a section are one line of text each")]
    Text {
        /// The line, from 1.
        line: usize,
    },
}

/// Reads a twin; `parts` gives its version and the ids of its items.
pub(crate) fn read<T: DeserializeOwned>(
    bytes: &[u8],
    parts: impl Fn(&T) -> (u32, Vec<&str>),
) -> Result<T, TwinError> {
    let twin: T = serde_json::from_slice(bytes)
        .map_err(|source| TwinError::Json { line: source.line().max(1), source })?;
    let (version, ids) = parts(&twin);
    if version != 1 {
        return Err(TwinError::Version(version));
    }
    let mut seen = BTreeSet::new();
    match ids.into_iter().find(|id| id.trim().is_empty() || !seen.insert(*id)) {
        Some(id) => Err(TwinError::Id { line: line_of(bytes, id), id: id.to_owned() }),
        None => Ok(twin),
    }
}

/// The line, from 1, on which an item stands: the last that has its id.
pub(crate) fn line_of(bytes: &[u8], id: &str) -> usize {
    let quoted = serde_json::to_string(id).unwrap_or_default();
    let text = String::from_utf8_lossy(bytes);
    let named = text.lines().zip(1..).filter(|(line, _)| line.contains(&quoted));
    named.last().map_or(1, |(_, line)| line)
}

/// A twin's file: `head` is the twin without its items, which are its last field.
pub(crate) fn render(head: &impl Serialize, items: &[impl Serialize]) -> String {
    // Names and numbers alone: none of it can fail to be JSON.
    let head = serde_json::to_string_pretty(head).unwrap_or_default();
    let mut text = head.strip_suffix("[]\n}").unwrap_or(&head).to_owned();
    text.push('[');
    for (number, item) in items.iter().enumerate() {
        text.push_str(if number == 0 { "\n    " } else { ",\n    " });
        text.push_str(&serde_json::to_string(item).unwrap_or_default());
    }
    text.push_str(if items.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
    text
}
