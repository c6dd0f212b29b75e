//! The vocabulary of relations (seed M6.3): list items that begin with a word in backticks, and its inverse after a slash.
//!
//! `` - `uses` / `used-by` — project and tool or concept ``. People add lines of their own; what cannot be read is text. Must not
//! know which relations are used.

use regex::Regex;
use std::sync::LazyLock;

/// The relations a workspace knows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vocabulary(Vec<(String, Option<String>)>);

static ENTRY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^\s*[-*+]\s+`([\p{L}\p{N}-]+)`(?:\s*/\s*`([\p{L}\p{N}-]+)`)?").ok());

impl Vocabulary {
    /// Reads `relations.md`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let entries = text.lines().filter_map(|line| ENTRY.as_ref()?.captures(line));
        Self(
            entries
                .map(|found| (found[1].to_owned(), found.get(2).map(|inverse| inverse.as_str().to_owned())))
                .collect(),
        )
    }

    /// Whether a relation or its inverse is known.
    #[must_use]
    pub fn contains(&self, relation: &str) -> bool {
        self.0.iter().any(|(name, inverse)| name == relation || inverse.as_deref() == Some(relation))
    }

    /// How a relation reads from the other side, where it has a name there.
    #[must_use]
    pub fn inverse(&self, relation: &str) -> Option<&str> {
        self.0.iter().find_map(|(name, inverse)| match inverse {
            Some(inverse) if name == relation => Some(inverse.as_str()),
            Some(inverse) if inverse == relation => Some(name.as_str()),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_vocabulary_is_read_with_its_inverses() {
        let text = "# Relation Types\n\n## Structural\n- `develops` — person to project\n- `uses` / `used-by` — both\n\
            * `친구` — mine\nnot `listed` here\n";
        let vocabulary = Vocabulary::parse(text);
        assert!(
            vocabulary.contains("develops") && vocabulary.contains("used-by") && vocabulary.contains("친구")
        );
        assert!(!vocabulary.contains("listed"));
        assert_eq!(
            (vocabulary.inverse("uses"), vocabulary.inverse("used-by")),
            (Some("used-by"), Some("uses"))
        );
        assert_eq!(vocabulary.inverse("develops"), None);
    }
}
