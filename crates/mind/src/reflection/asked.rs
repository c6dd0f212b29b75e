//! What a model sees in the memory that rules do not: contradictions in other words, what should be at hand, questions, what several
//! statements show together (R2, R3; M10.3).
//!
//! It is given statements by number and answers by number, so that everything it proposes rests on what is stored: a number that is
//! none is dropped. Which of two contradicting statements is the older, whether MEMORY.md has room, and what may be changed at all, the
//! rules say as ever. Must not write.

use rem_reason::spending::Urgency;
use rem_reason::{Task, Tier, Values};
use serde::Deserialize;

use super::survey::{Place, Said, Survey};
use crate::error::MemoryError;
use crate::memory::Memory;

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
        if self.model_of(TASK.tier).is_err() {
            return Ok(Seen::default());
        }
        let shown = self.shown_to_model(survey);
        if shown.is_empty() {
            return Ok(Seen::default());
        }
        let redactor = self.redactor()?;
        let lines: Vec<String> = shown
            .iter()
            .enumerate()
            .map(|(at, said)| {
                let place = if said.place == Place::Core {
                    "core memory"
                } else {
                    survey.files[said.file].path.as_str()
                };
                let since =
                    said.annotation.get("since").map_or_else(String::new, |day| format!(", since {day}"));
                format!(
                    "[{}] {} ({place}{since})\n",
                    at + 1,
                    said.text.split_whitespace().collect::<Vec<_>>().join(" ")
                )
            })
            .collect();
        let values = Values::default().with("statements", lines.concat());
        let answer = self.ask(&TASK, &values, urgency, Answer::default)?.value;
        let said = |number: usize| number.checked_sub(1).and_then(|at| shown.get(at)).copied();
        let line = |text: &str| redactor.redact(text).0.split_whitespace().collect::<Vec<_>>().join(" ");
        let pairs = answer.contradictions.iter().filter(|pair| pair.one != pair.other);
        let learned =
            answer.learned.iter().filter(|each| each.numbers.iter().all(|number| said(*number).is_some()));
        Ok(Seen {
            contradictions: pairs.filter_map(|pair| Some((said(pair.one)?, said(pair.other)?))).collect(),
            promotions: answer
                .promotions
                .iter()
                .filter_map(|each| Some((said(each.number)?, line(&each.why))))
                .collect(),
            questions: answer
                .questions
                .iter()
                .filter_map(|each| Some((said(each.number)?, line(&each.question))))
                .collect(),
            learned: learned
                .map(|each| {
                    let from: Vec<&str> =
                        each.numbers.iter().filter_map(|number| Some(said(*number)?.text.as_str())).collect();
                    format!("{} (from: {})", line(&each.text), line(&from.join("; ")))
                })
                .collect(),
        })
    }

    /// The statements that a model is shown: MEMORY.md first, then the newest of the others, as many as `lifecycle.transcript_characters` holds.
    fn shown_to_model<'a>(&self, survey: &'a Survey) -> Vec<&'a Said> {
        let mut shown: Vec<&Said> = survey
            .said
            .iter()
            .filter(|said| matches!(said.place, Place::Core | Place::Facts | Place::Entity))
            .collect();
        let last = |said: &Said| said.annotation.date("last").max(said.annotation.date("since"));
        shown.sort_by_key(|said| (said.place != Place::Core, std::cmp::Reverse(last(said))));
        let mut room = usize::try_from(self.config.lifecycle.transcript_characters).unwrap_or(usize::MAX);
        let fits = shown.iter().take_while(|said| {
            let length = said.text.chars().count();
            let is_within = length <= room;
            room = room.saturating_sub(length);
            is_within
        });
        let count = fits.count();
        shown.truncate(count);
        shown
    }
}
