//! Lines of playbooks, and of what they bring along, that a correction says are wrong: shown struck through, never as current (S12).

use std::collections::{BTreeMap, HashSet};

use rem_format::correction;
use rem_ledger::Store;
use rem_recall::Asking;

use super::budget::Source;
use super::compiled::Candidate;
use crate::error::MemoryError;
use crate::memory::Memory;

impl Memory {
    /// Strikes what was corrected out of candidates that no search has looked at.
    pub(super) fn strike_corrected(
        &self,
        asking: &Asking,
        candidates: &mut BTreeMap<Source, Vec<Candidate>>,
    ) -> Result<(), MemoryError> {
        let unsearched = [Source::Topics, Source::Subscriptions, Source::Projects];
        if !unsearched.iter().any(|source| candidates.get(source).is_some_and(|found| !found.is_empty())) {
            return Ok(());
        }
        let bytes = self.seen_by(asking, self.path(Store::Corrections).as_str())?;
        let wrong = wrong_lines(
            correction::parse(&bytes)
                .iter()
                .map(|placed| (placed.correction.wrong.as_str(), placed.correction.right.as_str())),
        );
        let found = candidates.iter_mut().filter(|(source, _)| unsearched.contains(source));
        for candidate in found.flat_map(|(_, found)| found) {
            if let Some(text) = struck(&candidate.text, &wrong) {
                candidate.text = text;
            }
        }
        Ok(())
    }
}

/// What is wrong by these corrections, oldest first; what a later one calls right again is not.
fn wrong_lines<'c>(corrections: impl Iterator<Item = (&'c str, &'c str)>) -> HashSet<String> {
    let mut wrong = HashSet::new();
    for (old, new) in corrections {
        wrong.insert(said_in(old));
        wrong.remove(&said_in(new));
    }
    wrong.remove("");
    wrong
}

/// The text with its wrong lines struck through; nothing where none is wrong.
fn struck(text: &str, wrong: &HashSet<String>) -> Option<String> {
    let is_wrong = |line: &str| wrong.contains(&said_in(line));
    if wrong.is_empty() || !text.lines().any(is_wrong) {
        return None;
    }
    let lines = text.lines().map(|line| match is_wrong(line) {
        true => {
            let said = line.trim_start_matches(['-', '*', '+', '>', ' ', '\t']);
            format!("{}~~{}~~ (corrected)", &line[..line.len() - said.len()], said.trim_end())
        }
        false => line.to_owned(),
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// The letters and digits of a line in lower case, without what is noted of it.
fn said_in(line: &str) -> String {
    let line = line.split("<!--").next().unwrap_or_default();
    line.chars().filter(|each| each.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_line_is_struck_and_what_is_right_again_is_not() {
        let wrong = wrong_lines(
            [("The standup is at 9:30", "The standup is at 9:45"), ("서버는 A이다", "서버는 B이다")]
                .into_iter(),
        );
        let text =
            "# Meetings\n\n- The standup is at 9:30. <!-- id:a -->\nThe standup is at 9:45.\n서버는 A이다";
        assert_eq!(
            struck(text, &wrong).as_deref(),
            Some(
                "# Meetings\n\n- ~~The standup is at 9:30. <!-- id:a -->~~ (corrected)\nThe standup is at 9:45.\n~~서버는 A이다~~ (corrected)"
            )
        );
        assert_eq!(struck("The standup is at 9:30 in room 4", &wrong), None);
        let back = wrong_lines([("a is 1", "a is 2"), ("a is 2", "a is 1")].into_iter());
        assert!(struck("a is 1", &back).is_none() && struck("a is 2", &back).is_some());
    }
}
