//! The recall validator (I1; P5.3): a message that says that something was remembered wrongly is held against what the agent said and
//! what the stores say.
//!
//! A trigger is a candidate, never a verdict (resolution 22). What the message says to be right comes from its own sentences. Where it
//! takes the place of something that the agent has just said or that is stored, it is a correction, and it is made good at once.
//! Where it contradicts nothing, nothing is written.

use rem_format::correction::CorrectedBy;
use rem_format::transcript::{Role, Turn, TurnKind};
use rem_ledger::AgentRole;
use rem_reason::spending::Urgency;
use serde::Serialize;

use super::contrast::contrasts;
use super::corrections::{CorrectRequest, CorrectionOutcome, CorrectionShown, CorrectionStatus};
use super::cues::{claim, claims, clauses, cue, is_asking, without_stop};
use super::ellipsis::{completed, in_the_users_words, names_both};
use super::likeness::{marks, revalued};
use super::moods::leaves_alone;
use crate::attention::topics::Side;
use crate::attention::triage::{Confidence, Family};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::statement::{Comparison, Statement};
use crate::wording::sentences_of;

/// So many of the stored statements that share words with a claim are looked at, those that share most.
const MOST_NEAR: usize = 64;
/// How many of the agent's last messages are looked at.
const RECENT: usize = 3;

/// Whether a model is asked where the rules see nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judge {
    /// It is, and waited for.
    Asked,
    /// Somebody else may do it, when nobody waits.
    Later,
}

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
    /// It is about a tool or a skill, and was handed to `triage.recall_external_handler`.
    HandedOn,
    /// It seems to, the rules see no contradiction, and a model that could see one was not waited for.
    Unjudged,
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
    /// Holds a message of the operator against what the agent said before it in an open session and what is stored, and corrects what it
    /// contradicts. Where the rules see no contradiction a model is asked, if there is one. In a preview nothing is written.
    ///
    /// # Errors
    /// [`MemoryError::Setting`] where the triggers of CONFIG.md cannot be used, and as [`Memory::correct`].
    pub fn validate_recall(
        &self,
        message: &str,
        session: Option<&str>,
        preview: bool,
    ) -> Result<Validation, MemoryError> {
        let by = match session.is_some_and(|session| self.was_said_by_the_operator(message, session)) {
            true => CorrectedBy::Operator,
            false => self.corrector(),
        };
        self.validate(message, session, preview, (Judge::Asked, by))
    }

    /// Whether an open session has the message as the operator's.
    fn was_said_by_the_operator(&self, message: &str, session: &str) -> bool {
        let turns = self.open_session_turns(session).unwrap_or_default();
        turns.iter().any(|turn| turn.role == Role::User && turn.text().trim() == message.trim())
    }

    fn validate(
        &self,
        message: &str,
        session: Option<&str>,
        preview: bool,
        (judge, by): (Judge, CorrectedBy),
    ) -> Result<Validation, MemoryError> {
        let triage = self.triage(message, Side::Input)?;
        let trigger = triage
            .matches
            .iter()
            .find(|found| matches!(found.family, Family::RecallFailure | Family::SoftCorrection));
        let confidence =
            triage.recall_failure.as_ref().map_or(Confidence::Medium, |failure| failure.confidence);
        let (sounds, about) = match (trigger, cue(message)) {
            (Some(trigger), _) => (trigger.text.clone(), trigger.about.as_str()),
            (None, Some(cue)) => (cue, ""),
            // "2.4, not 2.3" sounds like nothing but what it corrects.
            (None, None) if names_both(message) => ("not".to_owned(), ""),
            (None, None) => return Ok(Validation::without(Verdict::NoTrigger, "")),
        };
        let (mut said, last) = self.said_before(message, session);
        let completed = completed(message, &last);
        if let Some((sentence, _)) = &completed {
            said.insert(0, sentence.clone());
        }
        let completed = completed.map(|(_, right)| right);
        let mut contradiction = self.contradiction(message, about, &said, completed)?;
        let is_seen_by_rules = contradiction.is_some();
        if !is_seen_by_rules && judge == Judge::Asked {
            contradiction = self.judged_contradiction(message, &said, Urgency::Waiting)?;
        }
        // A message that comes twice corrects once.
        let new = contradiction.filter(|(wrong, right)| !self.is_corrected(wrong, right).unwrap_or(false));
        let Some((wrong, right)) = new else {
            let mut verdict = Verdict::NothingContradicted;
            if !preview {
                verdict = self.hand_on(message, &sounds, session).unwrap_or(verdict);
                if verdict == Verdict::NothingContradicted
                    && !is_seen_by_rules
                    && judge == Judge::Later
                    && self.may_judge()
                {
                    return Ok(Validation::without(Verdict::Unjudged, &sounds));
                }
                self.count_failure(confidence, verdict);
            }
            return Ok(Validation::without(verdict, &sounds));
        };
        let mut validation = Validation {
            verdict: Verdict::Corrected,
            trigger: sounds.clone(),
            wrong: Some(wrong.clone()),
            right: Some(right.clone()),
            correction: None,
        };
        if !preview {
            self.count_failure(confidence, Verdict::Corrected);
            let request = CorrectRequest {
                wrong: Some(wrong),
                right,
                trigger: Some(sounds),
                trigger_confidence: Some(match confidence {
                    Confidence::High => "high",
                    Confidence::Medium => "medium",
                }),
                session: session.map(str::to_owned),
            };
            validation.correction = Some(self.correct_as(&request, by)?);
        }
        Ok(validation)
    }

    /// The same by rules alone for a message of the operator's that has just come in; what goes wrong is said on the log and keeps no answer.
    pub(crate) fn validate_observed(&self, message: &str, session: &str) -> Option<Validation> {
        if !self.config.corrections.automatic || self.ledger.role() == AgentRole::Sub {
            return None;
        }
        let validated = self.validate(message, Some(session), false, (Judge::Later, CorrectedBy::Operator));
        let validation =
            validated.map_err(|error| tracing::warn!("a correction is not made: {error}")).ok()?;
        matches!(validation.verdict, Verdict::Corrected | Verdict::HandedOn | Verdict::Unjudged)
            .then_some(validation)
    }

    /// Has a model look at a message that [`Verdict::Unjudged`] was said of, when nobody waits any more. What goes wrong is said on the log.
    pub fn judge_recall(&self, message: &str, session: &str) {
        match self.validate(message, Some(session), false, (Judge::Asked, CorrectedBy::Operator)) {
            Ok(validation) => tracing::info!("judged apart: {:?}", validation.verdict),
            Err(error) => tracing::warn!("a correction is not made: {error}"),
        }
    }

    /// Whether a correction says so already, and still holds: no later one and no store says otherwise.
    fn is_corrected(&self, wrong: &str, right: &str) -> Result<bool, MemoryError> {
        let (wrong, right_now) = (Statement::new(wrong), Statement::new(right));
        let is = |statement: &Statement, text: &str, wanted| {
            statement.compared_to(&Statement::new(text)) == wanted
        };
        let mut known = self.corrections()?;
        known.retain(|known| known.status != CorrectionStatus::Retracted);
        let says = |known: &CorrectionShown| {
            is(&right_now, &known.right, Comparison::Same) && is(&wrong, &known.wrong, Comparison::Same)
        };
        let overrules = |later: &CorrectionShown| {
            is(&right_now, &later.wrong, Comparison::Same)
                || is(&right_now, &later.right, Comparison::Replaces)
        };
        let Some(at) = known.iter().rposition(says) else { return Ok(false) };
        Ok(!known[at + 1..].iter().any(overrules) && self.stored_contradiction(right)?.is_none())
    }

    /// The sentences of the agent's last messages in an open session, the newest first, and those of the last one alone; of those before the message,
    /// where that is in it.
    fn said_before(&self, message: &str, session: Option<&str>) -> (Vec<String>, Vec<String>) {
        let turns = session.and_then(|session| self.open_session_turns(session)).unwrap_or_default();
        let is_it = |turn: &Turn| turn.role == Role::User && turn.text().trim() == message.trim();
        let until = turns.iter().rposition(is_it).unwrap_or(turns.len());
        let messages = turns[..until]
            .iter()
            .rev()
            .filter(|turn| turn.role == Role::Agent && turn.kind == TurnKind::Message)
            .take(RECENT);
        let mut messages = messages.map(|turn| sentences_of(&turn.text()));
        let last = messages.next().unwrap_or_default();
        (last.iter().cloned().chain(messages.flatten()).collect(), last)
    }

    /// What the message puts right: what was wrong, and what is right. Of all that its claims may take the place of, what they repeat most
    /// of; of equals what is stored. `completed` is what it comes to where it leaves out what it is about.
    fn contradiction(
        &self,
        message: &str,
        about: &str,
        said: &[String],
        completed: Option<String>,
    ) -> Result<Option<(String, String)>, MemoryError> {
        let contrasts = contrasts(message);
        let mut claims = claims(message, about);
        claims.retain(|claim| !contrasts.iter().any(|contrast| contrast.is_part(claim)));
        claims.extend(contrasts.iter().filter(|contrast| contrast.is_framed).map(|each| each.right.clone()));
        claims.extend(completed.iter().cloned());
        if claims.is_empty() && contrasts.is_empty() {
            return Ok(None);
        }
        let subject = completed.map_or_else(|| message.to_owned(), |right| format!("{message} {right}"));
        let all: Vec<(String, String)> =
            self.stored_about(&subject)?.into_iter().map(|text| (text.to_lowercase(), text)).collect();
        let mut best: Option<(f64, String, String)> = None;
        let mut keep = |likeness: f64, known: &str, right: &str| {
            if best.as_ref().is_none_or(|(least, ..)| likeness > *least) {
                best = Some((likeness, known.to_owned(), right.to_owned()));
            }
        };
        let own: Vec<String> =
            said.iter().flat_map(|said| clauses(said)).flat_map(in_the_users_words).collect();
        // What is denied is wrong, whatever is like what is said instead.
        for contrast in &contrasts {
            let (denied, right) = (Statement::new(&contrast.denied), Statement::new(&contrast.right));
            let wrong =
                Some(&contrast.wrong).filter(|wrong| !wrong.is_empty()).map(|wrong| Statement::new(wrong));
            let said = said.iter().flat_map(|said| clauses(said));
            for known in near(&all, &contrast.denied).into_iter().chain(said).map(without_stop) {
                let (is_denied, is_replaced) = self.statements.with(known, |known| {
                    let denies = denied.denies(known)
                        || denied.compared_to(known) == Comparison::Replaces
                        || wrong.as_ref().is_some_and(|wrong| wrong.compared_to(known) == Comparison::Same);
                    (denies && !known.is_negated(), right.compared_to(known) == Comparison::Replaces)
                });
                if is_denied && (contrast.is_framed || is_replaced) && !leaves_alone(&contrast.right, known) {
                    keep(2.0 + revalued(&contrast.right, known).unwrap_or(0.0), known, &contrast.right);
                }
            }
        }
        for right in claims {
            let statement = Statement::new(&right);
            let comparison = |known: &str| self.statements.with(known, |known| statement.compared_to(known));
            let stored = near(&all, &right);
            let is_known = stored.iter().any(|known| comparison(known) == Comparison::Same);
            // What is stored and right stays, whatever the agent said.
            let stored = stored.into_iter().filter(|_| !is_known);
            let own = said.iter().flat_map(|said| clauses(said)).chain(own.iter().map(String::as_str));
            for known in stored.chain(own) {
                let known = without_stop(known);
                if !statement.is_negated() && leaves_alone(&right, known) {
                    continue;
                }
                let likeness = match comparison(known) {
                    Comparison::Replaces => Some(revalued(&right, known).unwrap_or(0.0) + 1.0),
                    Comparison::Same => None,
                    Comparison::Apart if self.statements.with(known, |known| statement.denies(known)) => {
                        Some(1.0)
                    }
                    Comparison::Apart => revalued(&right, known),
                };
                if let Some(likeness) = likeness {
                    keep(likeness, known, &right);
                }
            }
        }
        let Some((_, wrong, right)) = best else { return Ok(None) };
        // A sentence that puts two things right is taken whole.
        for sentence in sentences_of(message) {
            let sentence = without_stop(claim(&sentence));
            let is_part = sentence.contains(&right) && sentence != right;
            if is_part && (says_instead(sentence, &right) || !self.parted(sentence)?.is_empty()) {
                return Ok(Some((wrong, sentence.to_owned())));
            }
        }
        Ok(Some((wrong, right)))
    }
}

/// Whether a sentence denies something and goes on to say what is so instead: "we don't use Ansible any more, we use Terraform".
fn says_instead(sentence: &str, right: &str) -> bool {
    const SUBJECTS: [&str; 18] = [
        "it", "it's", "we", "she", "she's", "he", "he's", "they", "i", "now", "es", "sie", "er", "wir",
        "ich", "jetzt", "sondern", "but",
    ];
    const SAYING: [&str; 8] = ["told", "said", "say", "saying", "mean", "gesagt", "sage", "meine"];
    let Some(rest) = sentence.strip_prefix(right) else { return false };
    let rest = rest.trim_start_matches([',', ';', ':', ' ', '–', '—']).to_lowercase().replace('’', "'");
    let words: Vec<&str> = rest.split_whitespace().collect();
    let is_said = !words.iter().any(|word| SAYING.contains(word)) && !is_asking(&rest);
    Statement::new(right).is_negated()
        && words.len() > 2
        && SUBJECTS.contains(&words[0])
        && is_said
        && !Statement::new(&rest).is_negated()
}

/// Those of the stored statements, each with itself in small letters, that share most words with a claim.
fn near<'a>(all: &'a [(String, String)], claim: &str) -> Vec<&'a str> {
    let (marks, least) = marks(claim);
    let held = |lower: &str| marks.iter().filter(|mark| lower.contains(mark.as_str())).count();
    let mut near: Vec<(usize, &str)> = all
        .iter()
        .map(|(lower, text)| (held(lower), text.as_str()))
        .filter(|(held, _)| *held >= least)
        .collect();
    near.sort_by_key(|(held, _)| std::cmp::Reverse(*held));
    near.truncate(MOST_NEAR);
    near.into_iter().map(|(_, text)| text).collect()
}

impl Validation {
    /// Whether a model has still to look at it.
    #[must_use]
    pub fn is_unjudged(&self) -> bool {
        self.verdict == Verdict::Unjudged
    }

    fn without(verdict: Verdict, trigger: &str) -> Self {
        Self { verdict, trigger: trigger.to_owned(), wrong: None, right: None, correction: None }
    }
}
