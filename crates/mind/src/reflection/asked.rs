//! What a model sees in the memory that rules do not: contradictions in other words, what should be at hand, questions, what several
//! statements show together (R2, R3; M10.3).
//!
//! It is given statements by number and answers by number, so that everything it proposes rests on what is stored: a number that is
//! none is dropped. Which of two contradicting statements is the older, whether MEMORY.md has room, and what may be changed at all, the
//! rules say as ever. Must not write.

use rem_reason::spending::Urgency;
use rem_reason::{Task, Tier, Values};
use serde::Deserialize;

use super::propose::hashed;
use super::survey::{Place, Said, Survey};
use super::unused::Unused;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::reasoning::{AnsweredBy, HandOff, Missed};

const TASK: Task = Task {
    name: "reflect",
    prompt: include_str!("../../prompts/reflect.md"),
    schema: include_str!("../../prompts/reflect.json"),
    max_answer_tokens: 2_000,
    tier: Tier::Strong,
};

#[derive(Debug, Default, Deserialize)]
struct Answer {
    contradictions: Vec<Pair>,
    promotions: Vec<Promoted>,
    questions: Vec<Asked>,
    learned: Vec<Learned>,
}

#[derive(Debug, Deserialize)]
struct Pair {
    one: usize,
    other: usize,
}

#[derive(Debug, Deserialize)]
struct Promoted {
    number: usize,
    why: String,
}

#[derive(Debug, Deserialize)]
struct Asked {
    number: usize,
    question: String,
}

#[derive(Debug, Deserialize)]
struct Learned {
    text: String,
    numbers: Vec<usize>,
}

/// What a model sees, each resting on statements of the survey.
#[derive(Debug, Default)]
pub(super) struct Seen<'a> {
    /// Statements that cannot both hold.
    pub(super) contradictions: Vec<(&'a Said, &'a Said)>,
    /// What belongs into MEMORY.md, and why.
    pub(super) promotions: Vec<(&'a Said, String)>,
    /// What to ask about a statement.
    pub(super) questions: Vec<(&'a Said, String)>,
    /// What several show together.
    pub(super) learned: Vec<String>,
    /// What was answered and is about no statement that there is.
    pub(super) unused: Vec<Unused>,
    /// Why nobody looked although a model is named.
    pub(super) missed: Option<Missed>,
}

/// What a model is shown of the memory.
pub(super) struct Shown<'a> {
    statements: Vec<&'a Said>,
    values: Values,
    /// Sixteen signs that these statements have and others do not.
    id: String,
}

impl Memory {
    /// What a model sees in the memory; nothing where none is named, may be asked or answers.
    ///
    /// # Errors
    /// As [`Memory::ask`].
    pub(super) fn seen_by_model<'a>(
        &self,
        survey: &'a Survey,
        urgency: Urgency,
    ) -> Result<Seen<'a>, MemoryError> {
        let shown = self.shown_to_model(survey);
        if shown.statements.is_empty() || self.model_of(TASK.tier).is_err() {
            return Ok(Seen::default());
        }
        let answered = self.ask(&TASK, &shown.values, urgency, Answer::default)?;
        let missed = match answered.by {
            AnsweredBy::Rules { why, cause } => Some(Missed { cause, why }),
            AnsweredBy::Model { .. } => None,
        };
        Ok(Seen { missed, ..self.seen_in(&shown, &answered.value)? })
    }

    /// The task as text, for an agent that thinks in the place of a model, and what its answer is to be called by.
    ///
    /// # Errors
    /// As [`Memory::ask`].
    pub(super) fn reflection_handed(&self, survey: &Survey) -> Result<(HandOff, String), MemoryError> {
        let shown = self.shown_to_model(survey);
        Ok((self.hand_off(&TASK, &shown.values)?, shown.id))
    }

    /// What an answer to [`Self::reflection_handed`] sees.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where the answer is none, or the memory has moved on since.
    pub(super) fn seen_by_agent<'a>(
        &self,
        survey: &'a Survey,
        id: &str,
        answer: &str,
    ) -> Result<Seen<'a>, MemoryError> {
        let shown = self.shown_to_model(survey);
        if shown.id != id {
            return Err(MemoryError::usage(
                format!("the memory is not what it was when task {id} was given"),
                "start anew, and answer the new task",
            ));
        }
        let read = self.hand_off(&TASK, &shown.values)?.read::<Answer>(answer);
        let answer = read.map_err(|why| {
            MemoryError::usage(format!("that is no answer to the task: {why}"), "mend it and submit it again")
        })?;
        self.seen_in(&shown, &answer)
    }

    fn seen_in<'a>(&self, shown: &Shown<'a>, answer: &Answer) -> Result<Seen<'a>, MemoryError> {
        let redactor = self.redactor()?;
        let said = |number: usize| number.checked_sub(1).and_then(|at| shown.statements.get(at)).copied();
        let line = |text: &str| redactor.redact(text).0.split_whitespace().collect::<Vec<_>>().join(" ");
        let pairs = answer.contradictions.iter().filter(|pair| pair.one != pair.other);
        let mut unused = Vec::new();
        let mut unknown = |list, numbers: &[usize]| {
            let none = numbers.iter().filter(|number| said(**number).is_none());
            unused.extend(none.map(|number| Unused::unknown(list, *number)));
        };
        for Pair { one, other } in &answer.contradictions {
            unknown("contradictions", &[*one, *other]);
        }
        answer.promotions.iter().for_each(|each| unknown("promotions", &[each.number]));
        answer.questions.iter().for_each(|each| unknown("questions", &[each.number]));
        answer.learned.iter().for_each(|each| unknown("learned", &each.numbers));
        let same = answer.contradictions.iter().filter(|pair| pair.one == pair.other);
        unused.extend(same.map(|pair| {
            Unused::new("contradictions", format!("[{}]", pair.one), "a statement does not contradict itself")
        }));
        let is_whole = |each: &&Learned| each.numbers.iter().all(|number| said(*number).is_some());
        let promotions = answer.promotions.iter();
        let questions = answer.questions.iter();
        Ok(Seen {
            contradictions: pairs.filter_map(|pair| Some((said(pair.one)?, said(pair.other)?))).collect(),
            promotions: promotions.filter_map(|each| Some((said(each.number)?, line(&each.why)))).collect(),
            questions: questions
                .filter_map(|each| Some((said(each.number)?, line(&each.question))))
                .collect(),
            learned: (answer.learned.iter().filter(is_whole))
                .map(|each| {
                    let from = each.numbers.iter().filter_map(|number| Some(said(*number)?.text.as_str()));
                    let from = from.collect::<Vec<_>>().join("; ");
                    format!("{} (from: {})", line(&each.text), line(&from))
                })
                .collect(),
            unused,
            missed: None,
        })
    }

    /// The statements that a model is shown: MEMORY.md first, then the newest of the others, as many as `lifecycle.transcript_characters` holds.
    fn shown_to_model<'a>(&self, survey: &'a Survey) -> Shown<'a> {
        let is_stated = |said: &&Said| matches!(said.place, Place::Core | Place::Facts | Place::Entity);
        let mut statements: Vec<&Said> = survey.said.iter().filter(is_stated).collect();
        let last = |said: &Said| said.annotation.date("last").max(said.annotation.date("since"));
        statements.sort_by_key(|said| (said.place != Place::Core, std::cmp::Reverse(last(said))));
        let mut room = usize::try_from(self.config.lifecycle.transcript_characters).unwrap_or(usize::MAX);
        let fits = statements.iter().take_while(|said| {
            let length = said.text.chars().count();
            let is_within = length <= room;
            room = room.saturating_sub(length);
            is_within
        });
        let count = fits.count();
        statements.truncate(count);
        let mut lines = String::new();
        for (at, said) in statements.iter().enumerate() {
            let place = match said.place {
                Place::Core => "core memory",
                _ => survey.files[said.file].path.as_str(),
            };
            let since = said.annotation.get("since").map_or_else(String::new, |day| format!(", since {day}"));
            let text = said.text.split_whitespace().collect::<Vec<_>>().join(" ");
            lines.push_str(&format!("[{}] {text} ({place}{since})\n", at + 1));
        }
        let id = hashed(&[&lines]);
        Shown { statements, values: Values::default().with("statements", lines), id }
    }
}
