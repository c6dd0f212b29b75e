//! Whether the models that CONFIG.md names answer: each is asked one small question, and the answer is one that can be told.

use std::time::Instant;

use rem_reason::spending::Urgency;
use rem_reason::{Task, Tier, Values};
use serde::{Deserialize, Serialize};

use super::AnsweredBy;
use crate::error::MemoryError;
use crate::memory::Memory;

const CHECK: Task = Task {
    name: "check-model",
    prompt: include_str!("../../prompts/check-model.md"),
    schema: include_str!("../../prompts/check-model.json"),
    max_answer_tokens: 100,
    tier: Tier::Cheap,
};
const WORDS: &str = "stone, heron, cup";
const ANIMAL: &str = "heron";

#[derive(Debug, Default, Deserialize)]
struct Answer {
    animal: String,
}

/// What came of asking a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelCheck {
    /// What it is for: `cheap` or `strong`.
    pub tier: &'static str,
    /// Provider and model; nothing where nobody is named or may be asked.
    pub model: Option<String>,
    /// Whether it answered, and rightly.
    pub answers: bool,
    /// What is wrong, if anything is.
    pub why: Option<String>,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
}

impl Memory {
    /// Asks each model that CONFIG.md names one small question. It is paid for like every other.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub fn check_models(&self) -> Result<Vec<ModelCheck>, MemoryError> {
        let check = |(tier, name)| {
            let began = Instant::now();
            let values = Values::default().with("words", WORDS);
            let answered = self.ask(&Task { tier, ..CHECK }, &values, Urgency::Asked, Answer::default)?;
            let why = match answered.by {
                AnsweredBy::Rules { why, .. } => Some(why),
                AnsweredBy::Model { .. } if answered.value.animal.trim().to_lowercase() == ANIMAL => None,
                AnsweredBy::Model { .. } => Some("it answered, and wrongly".to_owned()),
            };
            let milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let model = self.model_of(tier).ok().map(|model| model.name().to_owned());
            Ok(ModelCheck { tier: name, model, answers: why.is_none(), why, milliseconds })
        };
        [(Tier::Cheap, "cheap"), (Tier::Strong, "strong")].into_iter().map(check).collect()
    }
}
