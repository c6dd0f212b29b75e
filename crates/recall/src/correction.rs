//! What corrections correct (S12, P5.3): a statement that a person has put right is never shown as current.
//!
//! An entry of CORRECTIONS.md says what was said and what is right, in lines that begin `Agent said:` and `Correct:` (or a
//! name of like meaning). A passage that makes the wrong statement, and not the right one, is corrected: left out where that is
//! all it says, marked and ranked lower where it says more. Nothing is changed in the files.

use rusqlite::Connection;

use crate::addressees::Asking;
use crate::analyzer::query_words;
use crate::database::IndexError;
use crate::index::Index;
use crate::lexicon;
use crate::segment::{Slot, Traits};
use crate::terms::distinct_terms_of;

/// What a line with the wrong statement may begin with, folded.
const WRONG: [&str; 9] =
    ["agent said", "i said", "said", "wrong", "incorrect", "was", "old", "falsch", "틀림"];
/// What a line with the right statement may begin with, folded.
const RIGHT: [&str; 8] =
    ["correct", "correct information", "correction", "right", "actually", "new", "richtig", "정정"];
/// A passage makes a statement when it holds this share of its words.
const HELD: f32 = 0.85;
/// A passage with at most so many times the words of the statement says nothing else.
const SAYS_NO_MORE: usize = 3;
/// So many corrections are looked at, the newest.
const MOST: usize = 1_000;

/// A statement that was corrected: its words, each as the terms that find it. Without an index these are the tokens themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Corrected<T = u32> {
    wrong: Vec<Vec<T>>,
    /// Words of the right statement that the wrong one does not have.
    right: Vec<Vec<T>>,
    /// Whom the correction is for, as a number.
    pub(crate) addressees: u32,
    /// The day of the correction, where its heading names it.
    pub(crate) day: Option<jiff::civil::Date>,
}

/// How a correction concerns a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Concern {
    /// The passage says the corrected statement and hardly anything else.
    Whole,
    /// The passage says it among other things.
    Part,
}

impl<T: Ord> Corrected<T> {
    /// What an entry corrects; `words` gives the words of a statement.
    fn of_entry<E>(
        text: &str,
        addressees: u32,
        mut words: impl FnMut(&str) -> Result<Vec<Vec<T>>, E>,
    ) -> Result<Vec<Self>, E> {
        let day = crate::passage::date_of_path(text.lines().next().unwrap_or_default());
        let mut all = Vec::new();
        for (wrong, right) in statements(text) {
            let wrong = words(wrong)?;
            let right = words(right)?.into_iter().filter(|word| !wrong.contains(word)).collect();
            // One word is no statement: it would hide whatever holds it.
            if wrong.len() >= 2 {
                all.push(Self { wrong, right, addressees, day });
            }
        }
        Ok(all)
    }

    /// How this correction concerns a passage with these terms, sorted.
    pub(crate) fn concerns(&self, terms: &[T]) -> Option<Concern> {
        let held = |words: &[Vec<T>]| {
            let count =
                words.iter().filter(|word| word.iter().any(|term| terms.binary_search(term).is_ok())).count();
            #[allow(clippy::cast_precision_loss, reason = "a statement has few words")]
            let share = count as f32 / words.len().max(1) as f32;
            share
        };
        if held(&self.wrong) < HELD || !self.right.is_empty() && held(&self.right) > 0.5 {
            return None;
        }
        // Most words have two terms: as written, and their stem.
        let is_all = terms.len() <= SAYS_NO_MORE * 2 * self.wrong.len();
        Some(if is_all { Concern::Whole } else { Concern::Part })
    }
}

/// How any of the corrections that are for those who ask concerns a passage with these terms, sorted.
pub(crate) fn concern<T: Ord>(
    corrected: &[Corrected<T>],
    terms: &[T],
    is_seen: &dyn Fn(u32) -> bool,
) -> Option<Concern> {
    let corrections = corrected.iter().filter(|corrected| is_seen(corrected.addressees));
    let concerns: Vec<Concern> = corrections.filter_map(|corrected| corrected.concerns(terms)).collect();
    concerns.iter().copied().find(|concern| *concern == Concern::Whole).or(concerns.first().copied())
}

impl Index {
    /// The first lines, from 1, of the passages of a file that a correction concerns which is for those who ask.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn corrected_lines(&self, path: &str, asking: &Asking) -> Result<Vec<usize>, IndexError> {
        let found = || -> rusqlite::Result<Vec<usize>> {
            let transaction = self.connection.unchecked_transaction()?;
            let view = self.view(&transaction)?;
            if view.corrected.is_empty() {
                return Ok(Vec::new());
            }
            let seen = self.seen(asking)?;
            let is_seen = |addressees: u32| seen.as_ref().is_none_or(|seen| seen.contains(&addressees));
            let mut passages = transaction.prepare_cached(
                "SELECT passages.id, passages.start_line FROM passages JOIN files ON files.id = passages.file
                 WHERE files.path = ?1",
            )?;
            let mut rows = passages.query([path])?;
            let mut lines = Vec::new();
            while let Some(row) = rows.next()? {
                let terms = distinct_terms_of(&transaction, row.get(0)?)?;
                if concern(&view.corrected, &terms, &is_seen).is_some() {
                    lines.push(usize::try_from(row.get::<_, i64>(1)?).unwrap_or_default());
                }
            }
            Ok(lines)
        };
        found().map_err(|source| self.error(source))
    }
}

/// What all living corrections correct.
pub(crate) fn corrected(
    connection: &Connection,
    slots: &[Slot],
    alive: &[bool],
) -> rusqlite::Result<Vec<Corrected>> {
    let mut all = Vec::new();
    let entries =
        slots.iter().zip(alive).rev().filter(|(slot, alive)| **alive && slot.traits.has(Traits::CORRECTION));
    for (slot, _) in entries.take(MOST) {
        let text: String = connection
            .prepare_cached("SELECT text FROM passages WHERE id = ?1")?
            .query_row([slot.passage], |row| row.get(0))?;
        all.extend(Corrected::of_entry(&text, slot.addressees, |statement| words(connection, statement))?);
    }
    Ok(all)
}

/// What an entry corrects, by the tokens of its words, for when there is no index.
pub(crate) fn corrected_by(text: &str) -> Vec<Corrected<String>> {
    let words = |statement: &str| -> Result<_, std::convert::Infallible> {
        Ok(query_words(statement, &[]).into_iter().map(|word| word.tokens).collect())
    };
    let Ok(all) = Corrected::of_entry(text, 0, words);
    all
}

/// A statement that an entry of CORRECTIONS.md puts right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// What was said.
    pub wrong: String,
    /// What is right; empty where the entry does not say it.
    pub right: String,
    /// The day that the entry's heading names.
    pub day: Option<jiff::civil::Date>,
}

/// What a page of corrections puts right, in its order.
#[must_use]
pub fn corrections_in(text: &str) -> Vec<Correction> {
    let mut all = Vec::new();
    let (mut day, mut entry) = (None, String::new());
    let take = |day, entry: &str, all: &mut Vec<Correction>| {
        let pairs = statements(entry).into_iter();
        all.extend(pairs.map(|(wrong, right)| Correction {
            wrong: wrong.to_owned(),
            right: right.to_owned(),
            day,
        }));
    };
    for line in text.lines() {
        if line.starts_with('#') {
            take(day, &entry, &mut all);
            entry.clear();
            day = crate::passage::date_of_path(line);
        }
        entry.push_str(line);
        entry.push('\n');
    }
    take(day, &entry, &mut all);
    all
}

/// Whether a passage says nothing but what is struck through or dated as replaced: every line of it but headings and lone comments.
pub(crate) fn is_struck(text: &str) -> bool {
    let mut lines = text
        .lines()
        .map(|line| line.trim().trim_start_matches(['-', '*', '+', ' ']))
        .filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("<!--"))
        .peekable();
    let is_over = |line: &str| {
        let is_struck = line.strip_prefix("~~").is_some_and(|rest| rest.contains("~~"));
        let comment = line.split_once("<!--").map(|(_, comment)| comment);
        is_struck
            || comment.is_some_and(|comment| {
                comment.split('|').any(|field| field.trim().starts_with("superseded:"))
            })
    };
    lines.peek().is_some() && lines.all(is_over)
}

/// The pairs of a wrong and a right statement in an entry; the right one may be missing. One that was taken back has none.
fn statements(text: &str) -> Vec<(&str, &str)> {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for line in text.lines() {
        let line = line.trim_start().trim_start_matches(['-', '*', '+', '>', ' ']);
        let Some((name, statement)) = line.split_once([':', '：']) else { continue };
        let name = crate::analyzer::fold(name.trim_matches(['*', '_', ' ']));
        if name == "status" && statement.trim().eq_ignore_ascii_case("retracted") {
            return Vec::new();
        }
        let statement = statement.trim().trim_matches(['*', '"', '“', '”', ' ']);
        if statement.is_empty() {
        } else if WRONG.contains(&name.as_str()) {
            pairs.push((statement, ""));
        } else if RIGHT.contains(&name.as_str())
            && let Some(last) = pairs.last_mut()
        {
            last.1 = statement;
        }
    }
    pairs
}

fn words(connection: &Connection, statement: &str) -> rusqlite::Result<Vec<Vec<u32>>> {
    let mut words = Vec::new();
    if statement.is_empty() {
        return Ok(words);
    }
    for word in query_words(statement, &[]) {
        let mut terms = Vec::new();
        for token in &word.tokens {
            terms.extend(lexicon::find(connection, token)?);
        }
        words.push(terms);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_says_what_was_wrong_and_what_is_right() {
        let entry = "## 2026-03-02\n- **Agent said:** \"The launch is in May\"\n- **Correct:** The launch is in June\n- verified: false\n";
        assert_eq!(statements(entry), [("The launch is in May", "The launch is in June")]);
        let page = format!("# Corrections\n\n{entry}\n## Undated\n- said: a\n");
        let (first, second) = (&corrections_in(&page)[0], &corrections_in(&page)[1]);
        assert_eq!(
            (first.right.as_str(), first.day),
            ("The launch is in June", Some(jiff::civil::date(2026, 3, 2)))
        );
        assert_eq!((second.wrong.as_str(), second.right.as_str(), second.day), ("a", "", None));
        assert!(statements("- note: nothing\n- Correct: alone\n").is_empty());
    }

    #[test]
    fn a_passage_is_struck_where_all_of_it_is() {
        for text in [
            "- ~~The port is 8000~~ <!-- id:a | superseded:2026-03-01 -->\n",
            "## Facts\n<!-- note -->\n- ~~one~~\n\n- over\ttoo <!-- superseded:2026-03-01 | by:x -->\n",
        ] {
            assert!(is_struck(text), "{text}");
        }
        for text in ["", "## Facts\n", "- ~~one~~\n- two\n", "- ~~one\n", "- two <!-- by:superseded -->\n"] {
            assert!(!is_struck(text), "{text}");
        }
    }

    #[test]
    fn a_passage_with_the_wrong_statement_and_not_the_right_one_is_concerned() {
        let corrected = Corrected {
            wrong: vec![vec![1, 2], vec![3], vec![4]],
            right: vec![vec![5, 6]],
            addressees: 0,
            day: None,
        };
        assert_eq!(corrected.concerns(&[1, 3, 4]), Some(Concern::Whole));
        assert_eq!(corrected.concerns(&[1, 3, 4, 6]), None);
        assert_eq!(corrected.concerns(&[1, 3]), None);
        let long: Vec<u32> = (1..=4).chain(10..60).collect();
        assert_eq!(corrected.concerns(&long), Some(Concern::Part));
    }
}
