//! A sentence that puts several things right: "Mira lives in Bonn and works at Siemens".
//!
//! Each part is held against what is stored by itself, with whom or what the first one is about before it. Only where every part takes the
//! place of something else that is stored is the sentence more than one correction.

use rem_format::correction::CorrectedBy;

use super::corrections::{CorrectRequest, CorrectionOutcome};
use super::cues::{claim, without_stop};
use super::likeness::revalued;
use super::moods::leaves_alone;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::statement::{Comparison, Statement};

/// Sentences of more parts are lists, and no corrections of each.
const MOST: usize = 4;
/// Whom or what a sentence is about has at most so many words, or signs where words are not set apart.
const LONGEST_SUBJECT: usize = 4;
const BETWEEN: &[&str] =
    &[", and ", " and ", ", und ", " und ", "; ", ", ", "，并且", "，而且", "，", ",", "；"];
const PRONOUNS: &[&str] = &["she ", "he ", "it ", "they ", "sie ", "er ", "es ", "她", "他", "它"];

impl Memory {
    /// As [`Self::correct`], of somebody who is known. What puts several things right is as many corrections.
    pub(super) fn correct_as(
        &self,
        request: &CorrectRequest,
        by: CorrectedBy,
    ) -> Result<CorrectionOutcome, MemoryError> {
        let mut parts = self.parted(&request.right)?.into_iter().map(|(right, stored)| {
            let is_of_it = |wrong: &&String| {
                Statement::new(&right).compared_to(&Statement::new(wrong)) == Comparison::Replaces
            };
            let wrong = request.wrong.as_ref().filter(is_of_it).cloned().unwrap_or(stored);
            CorrectRequest { wrong: Some(wrong), right, ..request.clone() }
        });
        let Some(first) = parts.next() else { return self.correct_one(request, by) };
        let mut outcome = self.correct_one(&first, by)?;
        for part in parts {
            let further = self.correct_one(&part, by)?;
            outcome.corrected.extend(further.corrected);
            outcome.waiting.extend(further.waiting);
            outcome.change = further.change;
        }
        Ok(outcome)
    }

    /// The parts of a statement that each take the place of something else that is stored, with that; none where not every part does.
    pub(super) fn parted(&self, right: &str) -> Result<Vec<(String, String)>, MemoryError> {
        let pieces = pieces(right);
        if pieces.len() < 2 || pieces.len() > MOST {
            return Ok(Vec::new());
        }
        let mut found: Vec<(String, String)> = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            let ways = if at == 0 { vec![(*piece).to_owned()] } else { ways_to_say(piece, pieces[0]) };
            match self.put_right_by(&ways)? {
                Some((way, wrong)) if found.iter().all(|(_, known)| *known != wrong) => {
                    found.push((way, wrong))
                }
                _ => return Ok(Vec::new()),
            }
        }
        Ok(found)
    }
}

impl Memory {
    /// The first of these that takes the place of something stored, with that: by what it says, else by another value in the same words.
    fn put_right_by(&self, ways: &[String]) -> Result<Option<(String, String)>, MemoryError> {
        for way in ways {
            if let Some(wrong) = self.stored_contradiction(way)? {
                return Ok(Some((way.clone(), wrong)));
            }
        }
        // Alike alone, only as it is most likely meant: a subject that was cut wrongly is like too much.
        for way in ways.iter().take(1) {
            let stored = self.stored_about(way)?.into_iter();
            let alike = stored.filter(|known| !leaves_alone(way, known));
            let alike = alike.filter_map(|known| Some((revalued(way, &known)?, known)));
            if let Some((_, wrong)) = alike.max_by(|(one, _), (other, _)| one.total_cmp(other)) {
                return Ok(Some((way.clone(), wrong)));
            }
        }
        Ok(None)
    }
}

fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = vec![text];
    for between in BETWEEN {
        pieces = pieces.into_iter().flat_map(|piece| piece.split(between)).collect();
    }
    pieces.into_iter().map(|piece| without_stop(claim(piece))).filter(|piece| !piece.is_empty()).collect()
}

/// A later part as a sentence: about what the first one begins with, or by itself.
fn ways_to_say(piece: &str, first: &str) -> Vec<String> {
    let lower = piece.to_lowercase();
    let pronoun = PRONOUNS.iter().find(|pronoun| lower.starts_with(**pronoun));
    let rest = pronoun.and_then(|pronoun| piece.get(pronoun.len()..)).unwrap_or(piece);
    let is_joined = first.chars().any(|each| matches!(u32::from(each), 0x3400..=0x9fff));
    let mut ways = Vec::new();
    if is_joined {
        let ends = first.char_indices().map(|(at, _)| at).skip(1).take(LONGEST_SUBJECT);
        ways.extend(ends.map(|end| format!("{}{rest}", &first[..end])));
    } else {
        let words: Vec<&str> = first.split_whitespace().collect();
        let most = LONGEST_SUBJECT.min(words.len().saturating_sub(1));
        ways.extend((1..=most).map(|count| format!("{} {rest}", words[..count].join(" "))));
    }
    // What names whom it is about itself is said as it stands.
    match pronoun.is_none() && piece.chars().next().is_some_and(char::is_uppercase) {
        true => ways.insert(0, piece.to_owned()),
        false => ways.push(piece.to_owned()),
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_part_is_said_of_what_the_first_one_is_about() {
        assert_eq!(
            pieces("Mira lives in Bonn and works at Siemens"),
            ["Mira lives in Bonn", "works at Siemens"]
        );
        assert!(
            ways_to_say("works at Siemens", "Mira lives in Bonn")
                .contains(&"Mira works at Siemens".to_owned())
        );
        assert!(
            ways_to_say("she lives in Ulm now", "Mira has 3 children")
                .contains(&"Mira lives in Ulm now".to_owned())
        );
        assert!(ways_to_say("在西门子工作", "莉娅住在波恩").contains(&"莉娅在西门子工作".to_owned()));
        assert_eq!(ways_to_say("Bo works at Acme", "Mira lives in Bonn")[0], "Bo works at Acme");
    }
}
