//! The recall validator (I1; P5.3): a message that says that something was remembered wrongly is held against what the agent said and
//! what the stores say.
//!
//! A trigger is a candidate, never a verdict (resolution 22). What the message says to be right comes from its own sentences. Where it
//! takes the place of something that the agent has just said or that is stored, it is a correction, and it is made good at once.
//! Where it contradicts nothing, nothing is written.

use rem_format::transcript::{Role, TurnKind};
use serde::Serialize;

use super::corrections::{CorrectRequest, CorrectionOutcome};
use crate::attention::topics::Side;
use crate::attention::triage::{Confidence, Family};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::statement::{Comparison, Statement};
use crate::wording::sentences_of;

/// How many of the agent's last messages are looked at.
const RECENT: usize = 3;
/// Sentences with fewer characters say nothing that could be right.
const SHORTEST: usize = 8;

/// What a message came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It says of nothing that it was remembered wrongly.
    NoTrigger,
    /// It seems to, and contradicts nothing that was said or is stored.
    NothingContradicted,
    /// It puts something right.
    Corrected,
}

/// What the validator made of a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Validation {
    /// What it came to.
    pub verdict: Verdict,
    /// The words of the trigger; empty where there is none.
    pub trigger: String,
    /// What was wrong, as the agent said it or a store had it.
    pub wrong: Option<String>,
    /// What is right.
    pub right: Option<String>,
    /// The correction that was written; nothing in a preview.
    pub correction: Option<CorrectionOutcome>,
}

impl Memory {
    /// Holds a message of the operator against what the agent said in an open session and what is stored, and corrects what it
    /// contradicts. In a preview nothing is written.
    ///
    /// # Errors
    /// [`MemoryError::Setting`] where the triggers of CONFIG.md cannot be used, and as [`Memory::correct`].
    pub fn validate_recall(
        &self,
        message: &str,
        session: Option<&str>,
        preview: bool,
    ) -> Result<Validation, MemoryError> {
        let triage = self.triage(message, Side::Input)?;
        let trigger = triage
            .matches
            .iter()
            .find(|found| matches!(found.family, Family::RecallFailure | Family::SoftCorrection));
        let (Some(trigger), Some(failure)) = (trigger, &triage.recall_failure) else {
            return Ok(Validation::without(Verdict::NoTrigger, ""));
        };
        let said = self.said_lately(session);
        let Some((wrong, right)) = self.contradiction(message, &trigger.about, &said)? else {
            return Ok(Validation::without(Verdict::NothingContradicted, &trigger.text));
        };
        let mut validation = Validation {
            verdict: Verdict::Corrected,
            trigger: trigger.text.clone(),
            wrong: Some(wrong.clone()),
            right: Some(right.clone()),
            correction: None,
        };
        if !preview {
            validation.correction = Some(self.correct(&CorrectRequest {
                wrong: Some(wrong),
                right,
                trigger: Some(trigger.text.clone()),
                trigger_confidence: Some(match failure.confidence {
                    Confidence::High => "high",
                    Confidence::Medium => "medium",
                }),
                session: session.map(str::to_owned),
            })?);
        }
        Ok(validation)
    }

    /// The sentences of the agent's last messages in an open session, the newest first.
    fn said_lately(&self, session: Option<&str>) -> Vec<String> {
        let turns = session.and_then(|session| self.open_session_turns(session)).unwrap_or_default();
        let messages = turns
            .iter()
            .rev()
            .filter(|turn| turn.role == Role::Agent && turn.kind == TurnKind::Message)
            .take(RECENT);
        messages.flat_map(|turn| sentences_of(&turn.text())).collect()
    }

    /// What the message puts right: what was wrong, and what is right.
    fn contradiction(
        &self,
        message: &str,
        about: &str,
        said: &[String],
    ) -> Result<Option<(String, String)>, MemoryError> {
        let mut claims: Vec<String> = Vec::new();
        let said_there = std::iter::once(about.to_owned()).chain(sentences_of(message));
        // What is right may come after a clause that says that something was wrong.
        let clauses = said_there.flat_map(|text| {
            let ends = text.char_indices().filter(|(_, each)| matches!(each, ',' | ':' | ';' | '，' | '：'));
            let after = ends.map(|(at, each)| text[at + each.len_utf8()..].to_owned()).collect::<Vec<_>>();
            std::iter::once(text).chain(after)
        });
        for text in clauses {
            let text = without_stop(claim(&text)).to_owned();
            if text.chars().count() >= SHORTEST && !claims.contains(&text) {
                claims.push(text);
            }
        }
        for right in &claims {
            let statement = Statement::new(right);
            let contradicts =
                |known: &str| statement.compared_to(&Statement::new(known)) == Comparison::Replaces;
            if let Some(wrong) = said.iter().find(|said| contradicts(said)) {
                return Ok(Some((without_stop(wrong).to_owned(), right.clone())));
            }
            if let Some(wrong) = self.stored_contradiction(right)? {
                return Ok(Some((wrong, right.clone())));
            }
        }
        Ok(None)
    }
}

impl Validation {
    fn without(verdict: Verdict, trigger: &str) -> Self {
        Self { verdict, trigger: trigger.to_owned(), wrong: None, right: None, correction: None }
    }
}

/// Words with which a correction begins and that say nothing themselves.
const OPENINGS: [&str; 30] = [
    "no,",
    "no.",
    "nope,",
    "actually,",
    "actually",
    "but",
    "wait,",
    "sorry,",
    "i told you that",
    "i told you",
    "i already told you that",
    "i already told you",
    "i said that",
    "i said",
    "as i said,",
    "that's wrong,",
    "that is wrong,",
    "that's not right,",
    "correction:",
    "nein,",
    "doch,",
    "eigentlich",
    "ich habe dir gesagt, dass",
    "ich habe doch gesagt:",
    "아니,",
    "아니요,",
    "사실",
    "不对，",
    "不是，",
    "其实",
];

fn without_stop(sentence: &str) -> &str {
    sentence.trim().trim_end_matches(['.', '!', '。', '！'])
}

/// A sentence without the words of correcting that it begins with.
fn claim(sentence: &str) -> &str {
    let mut rest = sentence.trim();
    'again: loop {
        let lower = rest.to_lowercase();
        for opening in OPENINGS {
            let Some(after) = lower.strip_prefix(opening) else { continue };
            let is_word = opening.ends_with([',', '.', ':', '，']) || after.starts_with([' ', ',', ':']);
            // Lower case may have another length in bytes; then the sentence is left as it is.
            if is_word && let Some(cut) = rest.get(opening.len()..).filter(|_| lower.len() == rest.len()) {
                rest = cut.trim_start_matches([' ', ',', ':', '，']);
                continue 'again;
            }
        }
        return rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_correcting_are_no_part_of_what_is_right() {
        for (said, right) in [
            ("No, I told you the launch is in June.", "the launch is in June."),
            ("Actually, it is in June", "it is in June"),
            ("Nothing is lost", "Nothing is lost"),
            ("Nein, Mira wohnt in Lyon", "Mira wohnt in Lyon"),
            ("아니, 미라는 리옹에 살아", "미라는 리옹에 살아"),
            ("不对，米拉住在里昂", "米拉住在里昂"),
            ("", ""),
        ] {
            assert_eq!(claim(said), right);
        }
    }
}
