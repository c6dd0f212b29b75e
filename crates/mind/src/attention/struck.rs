//! What a correction says is wrong, where no search has looked: lines of playbooks, and of what they bring along, are shown struck
//! through, never as current (S12); what was said in other words points to the correction.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::Timestamp;
use rem_format::correction::{self, Correction, Placed};
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

/// What tells the wrong half of a correction from the right one, in lower case: a text that says it holds all of this. Cheap to look for,
/// and nearly always enough to tell that a text does not.
fn apart(correction: &Correction) -> Vec<String> {
    let pieces = |said: &str| -> BTreeSet<String> {
        said.to_lowercase().split(|each: char| !each.is_alphanumeric()).map(str::to_owned).collect()
    };
    pieces(&correction.wrong).difference(&pieces(&correction.right)).cloned().collect()
}

/// Whether a text, in lower case, says what a correction calls wrong, and of the same thing.
fn says_wrong(text: &str, correction: &Correction) -> bool {
    let [wrong, right] = [&correction.wrong, &correction.right].map(|said| words_of(&said.to_lowercase()));
    let said = words_of(text);
    let mut wrong_alone = wrong.difference(&right).peekable();
    wrong_alone.peek().is_some()
        && wrong_alone.all(|word| said.contains(word))
        && wrong.intersection(&right).any(|word| said.contains(word))
        && !right.difference(&wrong).any(|word| said.contains(word))
}

impl Memory {
    /// Lets what was said before a correction, in other words than it has, say where the correction stands: an agent repeats what it was
    /// told, and was told wrong.
    pub(super) fn point_to_corrections<'c>(
        &self,
        asking: &Asking,
        candidates: impl IntoIterator<Item = &'c mut Candidate>,
    ) -> Result<(), MemoryError> {
        let path = self.path(Store::Corrections);
        let bytes = self.seen_by(asking, path.as_str())?;
        let corrections =
            correction::parse(&bytes).into_iter().map(|placed| (apart(&placed.correction), placed));
        let corrections: Vec<(Vec<String>, Placed)> =
            corrections.filter(|(_, placed)| !placed.correction.is_retracted).collect();
        let transcripts = format!("{}/", self.path(Store::Transcripts));
        let said = |each: &&mut Candidate| each.later.is_none() && each.path.starts_with(&transcripts);
        for candidate in candidates.into_iter().filter(said) {
            let text = candidate.text.to_lowercase();
            let is_before = |logged: Timestamp| {
                let day = logged.to_zoned(self.time_zone().clone()).date().to_string();
                candidate.day.as_ref().is_none_or(|said| *said <= day)
            };
            // The last word counts.
            let later = corrections.iter().rev().find(|(apart, placed)| {
                apart.iter().all(|piece| text.contains(piece.as_str()))
                    && says_wrong(&text, &placed.correction)
                    && is_before(placed.correction.logged)
            });
            candidate.later = later.map(|(_, placed)| format!("{path}:{}", placed.lines.start));
        }
        Ok(())
    }
}

/// The words of a text, in lower case, that say what it is about.
fn words_of(text: &str) -> HashSet<String> {
    rem_recall::content_words(text, &[]).into_iter().map(|word| word.written).collect()
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
        // Taken back where it stands already.
        true if line.contains("~~") => line.to_owned(),
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
