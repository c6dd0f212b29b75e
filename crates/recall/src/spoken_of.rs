//! Whom a conversation speaks of (C15): by their names, people by their first name alone, and by names inside of words where a script
//! sets no words apart or puts endings on them.

use rustc_hash::FxHashSet;

use crate::analyzer::fold;
use crate::database::IndexError;
use crate::graph::{NODE, Node, name_of, node_of};
use crate::index::Index;
use crate::stop_words::is_stop_word;

/// So many parts of words are looked up.
const MOST_PARTS: usize = 600;
/// Names of so many syllables or characters are looked for inside of words.
const PART_LENGTHS: std::ops::RangeInclusive<usize> = 2..=6;
/// Shorter words are no first name that is worth a look.
const SHORTEST_FIRST_NAME: usize = 3;

impl Index {
    /// The entities that a conversation speaks of, at most `most`: those of [`Self::entities_in`]; a person by the first name, where only one
    /// person has it and no other last name follows; and names at the beginning of Korean words and anywhere in Chinese and Japanese ones.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn entities_spoken_of(&self, text: &str, most: usize) -> Result<Vec<Node>, IndexError> {
        let read = || -> rusqlite::Result<Vec<Node>> {
            let mut found = self.entities_named_in(text, most)?;
            let mut called = self.connection.prepare_cached(&format!(
                "{NODE} WHERE e.archived = 0 AND e.id LIKE 'person--%'
                 AND e.file IN (SELECT file FROM names WHERE name > ?1 AND name < ?2) LIMIT 2"
            ))?;
            for name in first_names(text) {
                // A space, and the sign after it: all names of which this is the first word.
                let nodes = called.query_map([format!("{name} "), format!("{name}!")], node_of)?;
                let nodes = nodes.collect::<rusqlite::Result<Vec<Node>>>()?;
                if let [only] = nodes.as_slice()
                    && !found.contains(only)
                {
                    found.push(only.clone());
                }
            }
            let mut is_name = self.connection.prepare_cached("SELECT 1 FROM names WHERE name = ?1")?;
            let mut named = self.connection.prepare_cached(&format!(
                "{NODE} WHERE e.archived = 0 AND e.file IN (SELECT file FROM names WHERE name = ?1)"
            ))?;
            for part in parts(&name_of(text)) {
                if found.len() >= most {
                    break;
                }
                if !is_name.exists([&part])? {
                    continue;
                }
                for node in named.query_map([&part], node_of)? {
                    let node = node?;
                    if !found.contains(&node) {
                        found.push(node);
                    }
                }
            }
            found.truncate(most);
            Ok(found)
        };
        read().map_err(|source| self.error(source))
    }
}

/// The words of a text that may be somebody's first name, folded: with a capital, and without a last name after them.
fn first_names(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut names: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let ends_clause = word.ends_with(|each: char| !each.is_alphanumeric());
        let own = word.trim_matches(|each: char| !each.is_alphanumeric());
        let own = own.split(['\'', '’']).next().unwrap_or_default();
        if !own.starts_with(char::is_uppercase) || own.chars().count() < SHORTEST_FIRST_NAME {
            continue;
        }
        let folded = fold(own);
        if is_stop_word(&folded) {
            continue;
        }
        let is_followed =
            !ends_clause && words.get(at + 1).is_some_and(|next| next.starts_with(char::is_uppercase));
        // "Annas Geburtstag".
        let owner = folded.strip_suffix('s').filter(|owner| owner.chars().count() >= SHORTEST_FIRST_NAME);
        names.extend(owner.map(str::to_owned));
        if !is_followed {
            names.push(folded);
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// What may be a name inside of the words of a folded text, the longest first: Korean words begin with it, and in Chinese and Japanese it
/// stands anywhere.
fn parts(folded: &str) -> Vec<String> {
    let is_korean = |each: &char| matches!(u32::from(*each), 0xac00..=0xd7a3);
    let is_ideograph = |each: &char| matches!(u32::from(*each), 0x3040..=0x30ff | 0x3400..=0x9fff);
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for word in folded.split(' ') {
        let characters: Vec<char> = word.chars().collect();
        for start in 0..characters.len() {
            let rest = &characters[start..];
            let run = match rest.first() {
                Some(first) if is_korean(first) && start == 0 => {
                    rest.iter().take_while(|each| is_korean(each)).count()
                }
                Some(first) if is_ideograph(first) => {
                    rest.iter().take_while(|each| is_ideograph(each)).count()
                }
                _ => 0,
            };
            for length in PART_LENGTHS.take_while(|length| *length <= run) {
                if seen.len() < MOST_PARTS {
                    seen.insert(rest[..length].iter().collect());
                }
            }
        }
    }
    let mut parts: Vec<String> = seen.into_iter().collect();
    parts.sort_by(|one, other| other.chars().count().cmp(&one.chars().count()).then_with(|| one.cmp(other)));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_names_have_a_capital_and_no_last_name_after_them() {
        assert_eq!(first_names("call Anna, and Tom too"), ["anna", "tom"]);
        assert_eq!(first_names("Was schenken wir zu Annas Geburtstag?"), ["anna", "geburtstag"]);
        assert_eq!(first_names("Anna's car"), ["anna"]);
        assert_eq!(first_names("Will you ask Anna Schmidt about it"), ["schmidt"]);
        assert!(first_names("call anna").is_empty());
    }

    #[test]
    fn names_stand_inside_of_words_in_some_scripts() {
        assert!(parts("김민수에게 전화해").contains(&"김민수".to_owned()));
        assert!(!parts("하이나비").contains(&"이나".to_owned()), "Korean words begin with the name");
        assert!(parts("给李雷打电话").contains(&"李雷".to_owned()));
        assert!(parts("call anna").is_empty());
    }
}
