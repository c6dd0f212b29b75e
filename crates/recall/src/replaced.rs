//! Passages that say of one thing that another takes its place: found by the thing that it was, however many passages there are.
//!
//! "I switched from Sparkasse to N26" may be far from what is asked and never be recalled, while "My bank is Sparkasse" is. So the
//! index keeps under each thing the passages that say it was replaced. Whether they are heeded is not decided here.

use std::collections::HashSet;

use rusqlite::{Connection, params};

use crate::addressees::Asking;
use crate::analyzer::is_ideograph;
use crate::database::IndexError;
use crate::index::Index;
use crate::passage::spoken;

pub(crate) mod wordings;

/// So many passages are given at most, the newest.
const MOST: usize = 50;
/// The longest thing of ideographs that is looked for within a run of them, in characters.
const LONGEST_IDEOGRAPHS: usize = 8;

/// A passage that says of something that another thing takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Path relative to the workspace.
    pub path: String,
    /// First line in the file, from 1.
    pub start_line: usize,
    /// Last line in the file, inclusive.
    pub end_line: usize,
    /// Its text, as a search gives it.
    pub text: String,
    /// The day of the file, where it has one.
    pub date: Option<String>,
    /// Whether it was said in a conversation.
    pub is_turn: bool,
}

/// Keeps what a passage says was replaced.
pub(crate) fn insert(connection: &Connection, passage: u32, text: &str) -> rusqlite::Result<()> {
    for found in wordings::replacements(text) {
        connection
            .prepare_cached("INSERT OR IGNORE INTO replaced (thing, passage) VALUES (?1, ?2)")?
            .execute(params![found.old.to_lowercase(), passage])?;
    }
    Ok(())
}

impl Index {
    /// The passages that say of things which these texts name that others take their place, the newest first, as far as they are for
    /// those who ask.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn changes_of<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t str>,
        asking: &Asking,
    ) -> Result<Vec<Change>, IndexError> {
        let found = || -> rusqlite::Result<Vec<Change>> {
            let transaction = self.connection.unchecked_transaction()?;
            let named = things_named(&transaction, texts)?;
            let seen = self.seen(asking)?;
            let mut telling = transaction.prepare_cached(
                "SELECT f.path, p.start_line, p.end_line, p.text, f.date, f.category, p.addressees
                 FROM replaced r JOIN passages p ON p.id = r.passage JOIN files f ON f.id = p.file
                 WHERE r.thing = ?1 AND f.category <> 'archive' ORDER BY f.date DESC, p.id DESC",
            )?;
            let mut changes: Vec<Change> = Vec::new();
            for thing in named {
                let mut rows = telling.query([thing])?;
                while let Some(row) = rows.next()?
                    && changes.len() < MOST
                {
                    let addressees: u32 = row.get(6)?;
                    if seen.as_ref().is_some_and(|seen| !seen.contains(&addressees)) {
                        continue;
                    }
                    let (mut start_line, mut text): (u32, String) = (row.get(1)?, row.get(3)?);
                    if let Some(words) = spoken(&text, false) {
                        (start_line, text) = (start_line + 1, words);
                    }
                    changes.push(Change {
                        path: row.get(0)?,
                        start_line: start_line as usize,
                        end_line: row.get::<_, u32>(2)? as usize,
                        text,
                        date: row.get(4)?,
                        is_turn: row.get::<_, String>(5)? == "conversation",
                    });
                }
            }
            changes.sort_by(|one, other| {
                let place = |change: &Change| (change.date.clone(), change.path.clone(), change.start_line);
                place(other).cmp(&place(one))
            });
            changes.dedup();
            Ok(changes)
        };
        found().map_err(|source| self.error(source))
    }
}

/// The replaced things that any of the texts may name, in their order.
fn things_named<'t>(
    connection: &Connection,
    texts: impl IntoIterator<Item = &'t str>,
) -> rusqlite::Result<Vec<String>> {
    let mut things = connection.prepare_cached("SELECT DISTINCT thing FROM replaced")?;
    let things: Vec<String> = things.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    if things.is_empty() {
        return Ok(things);
    }
    let named: HashSet<String> = texts.into_iter().flat_map(names).collect();
    Ok(things.into_iter().filter(|thing| named.contains(thing)).collect())
}

/// What may be a name in a text, in lower case: its words, without what punctuation or another script adds to them, and the pieces
/// of runs of ideographs.
fn names(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let is_of_name = |each: char| each.is_alphanumeric() || "._+#/-".contains(each);
    let mut names = Vec::new();
    for word in lower.split(|each: char| !is_of_name(each)).filter(|word| !word.is_empty()) {
        let word = word.trim_matches(|each: char| !each.is_alphanumeric() && !"+#".contains(each));
        names.push(word.to_owned());
        let characters: Vec<char> = word.chars().collect();
        for run in characters.chunk_by(|one, other| is_ideograph(*one) == is_ideograph(*other)) {
            if run.len() == characters.len() && !is_ideograph(run[0]) {
                continue;
            }
            match is_ideograph(run[0]) {
                true => {
                    for start in 0..run.len() {
                        let longest = LONGEST_IDEOGRAPHS.min(run.len() - start);
                        names.extend((2..=longest).map(|length| run[start..start + length].iter().collect()));
                    }
                }
                false => names.push(String::from_iter(run).trim_end_matches(['.', '-', '_', '/']).to_owned()),
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_script() {
        let has = |text: &str, name: &str| names(text).iter().any(|each| each == name);
        for (text, name) in [
            ("My bank is Sparkasse.", "sparkasse"),
            ("Staging runs on harbor-stage-1.", "harbor-stage-1"),
            ("We write C++, mostly", "c++"),
            ("우리는 로그에 Splunk를 써요", "splunk"),
            ("우리는 데이터독을 써요", "데이터독"),
            ("我们用Zoom开会", "zoom"),
            ("我们用企业微信开会", "企业微信"),
        ] {
            assert!(has(text, name), "{text}: {:?}", names(text));
        }
        assert!(!has("harbor-stage-10", "harbor-stage-1") && !has("Sparkassen", "sparkasse"));
    }
}
