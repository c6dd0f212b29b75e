//! The extractors as tasks for a model (L1, L9); the rules are what answers where there is none.
//!
//! A model is not believed by its word: each memory names the sentence that says it, and one that is not a sentence of the person's own
//! in this conversation, or that says more than its sentence does (`grounding`), is dropped. So neither what tools, quotations and pasted texts say nor what a model makes up gets in.

use std::collections::BTreeSet;

use rem_format::transcript::{Role, Transcript, TurnKind};
use rem_reason::spending::Urgency;
use rem_reason::{Task, Tier, Values};
use serde::Deserialize;

use super::mark::Mark;
use super::session::{Said, Session};
use super::{Extraction, ExtractionKind, by_rules, drop_other_kinds, drop_repetitions, extract, grounding};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::reasoning::{AnsweredBy, Cause, Missed};
use crate::stores::router;

/// How sure it is of what a model takes out of a person's own sentence, in hundredths; nothing was measured.
const ASKED: u8 = 90;
/// A quotation with fewer characters fits too many sentences.
const SHORTEST_QUOTE: usize = 8;

const fn task(name: &'static str, prompt: &'static str) -> Task {
    Task {
        name,
        prompt,
        schema: include_str!("../../../prompts/extract.json"),
        max_answer_tokens: 2_000,
        tier: Tier::Cheap,
    }
}

/// The tasks, by the kind that each takes. The journal is made of what they take.
const TASKS: [(ExtractionKind, Task); 5] = [
    (
        ExtractionKind::Decision,
        task("extract-decisions", include_str!("../../../prompts/extract-decisions.md")),
    ),
    (ExtractionKind::Lesson, task("extract-lessons", include_str!("../../../prompts/extract-lessons.md"))),
    (ExtractionKind::Person, task("extract-people", include_str!("../../../prompts/extract-people.md"))),
    (
        ExtractionKind::Procedure,
        task("extract-procedures", include_str!("../../../prompts/extract-procedures.md")),
    ),
    (ExtractionKind::Fact, task("extract-facts", include_str!("../../../prompts/extract-facts.md"))),
];

#[derive(Debug, Default, Deserialize)]
struct Answer {
    memories: Vec<Taken>,
}

#[derive(Debug, Deserialize)]
struct Taken {
    text: String,
    quote: String,
    project: String,
    reason: String,
    person: String,
}

/// What was taken out of a transcript, and by whom.
pub(crate) struct Extracted {
    pub(crate) extractions: Vec<Extraction>,
    /// `rules:` and the versions of the extractors, or the models that answered; without blanks.
    pub(crate) by: String,
    /// Why rules took things out of it although a model is named.
    pub(crate) missed: Option<Missed>,
}

impl Extracted {
    /// What the rules took out, where nothing else was meant to.
    pub(crate) fn by_rules(extractions: Vec<Extraction>) -> Self {
        Self { extractions, by: by_rules(), missed: None }
    }
}

impl Memory {
    /// What the extractors take out of a transcript: a model where one is named, may be asked and answers, else the rules, kind by
    /// kind.
    ///
    /// # Errors
    /// As [`Memory::ask`].
    pub(crate) fn extracted(&self, transcript: &Transcript) -> Result<Extracted, MemoryError> {
        let ruled = extract(transcript);
        let rules = by_rules();
        if self.model_of(Tier::Cheap).is_err() {
            return Ok(Extracted::by_rules(ruled));
        }
        let session = Session::read(transcript);
        let says: String = session.said().flat_map(|said| [said.text.as_str(), "\n"]).collect();
        let pieces = self.pieces_of(transcript);
        let (mut extractions, mut by, mut missed) = (Vec::new(), Vec::new(), None);
        let mut notices = BTreeSet::new();
        for (kind, task) in &TASKS {
            let of_rules = || ruled.iter().filter(|each| each.kind == *kind).cloned();
            let mut asked = Vec::new();
            let mut failed = false;
            for piece in &pieces {
                let values = Values::default().with("transcript", piece);
                let answered = self.ask(task, &values, Urgency::Background, Answer::default)?;
                notices.extend(answered.notices);
                match answered.by {
                    // The rules would be the last word on it: it waits for the model. Where a cap is reached in the middle of it, what
                    // was paid for is kept.
                    AnsweredBy::Rules { why, cause }
                        if cause == Cause::Away || cause == Cause::Cap && by.is_empty() =>
                    {
                        return Err(MemoryError::Waits { why, cause });
                    }
                    AnsweredBy::Rules { why, cause } => {
                        tracing::info!("{} by rules: {why}", task.name);
                        missed.get_or_insert(Missed { cause, why });
                        failed = true;
                        break;
                    }
                    AnsweredBy::Model { name, prompt_version } => {
                        let name = format!("{}:{prompt_version}", name.replace(char::is_whitespace, "_"));
                        if !by.contains(&name) {
                            by.push(name);
                        }
                        let taken = answered.value.memories;
                        asked.extend(
                            taken
                                .iter()
                                .filter_map(|each| each.grounded(*kind, prompt_version, &session, &says)),
                        );
                    }
                }
            }
            // Half a conversation is not taken from one and half from the other.
            match failed {
                true => extractions.extend(of_rules()),
                false => extractions.append(&mut asked),
            }
            if failed && !by.contains(&rules) {
                by.push(rules.clone());
            }
        }
        extractions.sort_by_key(|each| (each.source.turn, each.source.lines.start));
        drop_other_kinds(&mut extractions);
        drop_repetitions(&mut extractions);
        notices.iter().for_each(|notice| tracing::warn!("{notice}"));
        extractions.extend(ruled.into_iter().filter(|each| each.kind == ExtractionKind::Journal));
        Ok(Extracted { extractions, by: if by.is_empty() { rules } else { by.join(",") }, missed })
    }

    /// What a model is given of a transcript, in pieces of at most `lifecycle.transcript_characters`: messages of people and of the
    /// agent, whole ones as far as they fit.
    fn pieces_of(&self, transcript: &Transcript) -> Vec<String> {
        let most = usize::try_from(self.config.lifecycle.transcript_characters).unwrap_or(usize::MAX);
        let mut pieces: Vec<String> = Vec::new();
        let mut length = 0;
        for turn in transcript.turns.iter().map(|located| &located.turn) {
            let who = match (turn.role, turn.kind) {
                (Role::User, TurnKind::Message) => "person",
                (Role::Agent, TurnKind::Message) => "assistant",
                _ => continue,
            };
            let text = turn.text();
            for part in parts_of(text.trim(), most.saturating_sub(who.len() + 3).max(1)) {
                let message = format!("{who}: {part}\n");
                let size = message.chars().count();
                match pieces.last_mut().filter(|_| length + size <= most) {
                    Some(piece) => piece.push_str(&message),
                    None => {
                        pieces.push(message);
                        length = 0;
                    }
                }
                length += size;
            }
        }
        pieces
    }
}

/// A text in parts of at most so many characters, cut where a line or a sentence ends where one does in the second half.
fn parts_of(text: &str, most: usize) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some((limit, _)) = rest.char_indices().nth(most) {
        let half = rest.floor_char_boundary(limit / 2);
        let ends = ["\n", ". ", "! ", "? ", "。", "！", "？", " "];
        let found = ends.iter().find_map(|end| Some(half + rest[half..limit].rfind(end)? + end.len()));
        let (part, after) = rest.split_at(found.unwrap_or(limit));
        parts.push(part.trim());
        rest = after.trim_start();
    }
    parts.push(rest);
    parts.retain(|part| !part.is_empty());
    parts
}

impl Taken {
    /// The extraction, where the quotation is a sentence of the person's own that says it. `says` is all that the person says.
    fn grounded(
        &self,
        kind: ExtractionKind,
        version: u32,
        session: &Session,
        says: &str,
    ) -> Option<Extraction> {
        let quote = spaced(&self.quote);
        if quote.chars().count() < SHORTEST_QUOTE {
            return None;
        }
        let quotes = |said: &&Said| {
            let own = spaced(&said.text);
            own.contains(&quote) || own.chars().count() >= SHORTEST_QUOTE && quote.contains(&own)
        };
        let said = session.said().find(quotes)?;
        let text = spaced(&self.text);
        if said.has_any(&[Mark::Secret, Mark::Tells]) || !grounding::carries(said, &quote, &text, says) {
            return None;
        }
        let filled = |text: &str| Some(spaced(text)).filter(|text| !text.is_empty());
        let mut taken = Extraction::of(kind, version, said, text, ASKED);
        match kind {
            ExtractionKind::Decision => {
                let project = filled(&self.project).filter(|project| grounding::is_said(project, says));
                taken.project = project.or_else(|| session.project.clone());
                taken.reason = filled(&self.reason).filter(|reason| grounding::shares(&said.text, reason));
            }
            ExtractionKind::Person => {
                let person = filled(&self.person).unwrap_or_else(|| router::USER.to_owned());
                if person != router::USER && !grounding::is_said(&person, says) {
                    return None;
                }
                taken.person = Some(person);
            }
            _ => {}
        }
        Some(taken)
    }
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
