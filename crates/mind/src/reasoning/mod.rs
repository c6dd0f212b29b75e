//! Asking a model: a task with its values, answered by whom the settings name, or else by rules.
//!
//! Whoever answers, the answer fits the task's schema or is none. One that does not fit is asked for once more, with what was wrong; then
//! the rules answer, and it is said why. What is sent has its secrets replaced. What comes back is data: it is given on as the asker's
//! own type and decides over no path, command or setting. Every call is recorded with what it took, and none is made past a cap.
//! Never called while a lock is held.

mod answerer;
mod books;
mod check;
mod prompts;
pub(crate) mod rests;
mod usage;

use std::sync::Mutex;
use std::time::Duration;

use rem_reason::answer::Unusable;
use rem_reason::spending::{Allowance, OverCap, Spent};
use rem_reason::{Model, ModelError, Prepared, Question, Task, Values};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use answerer::Answerers;
pub(crate) use answerer::Models;
pub use check::ModelCheck;
pub use rem_reason::spending::Urgency;
pub use rem_reason::{answer, prompt, schema, spending, task};
pub use usage::{CapStatus, Usage, UsageBy, UsageRow};

use crate::error::MemoryError;
use crate::memory::Memory;
use rests::is_away;

/// A provider that is away is left alone for so long, the first time.
const REST: Duration = Duration::from_secs(600);

/// An answer, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered<T> {
    /// The answer.
    pub value: T,
    /// Who gave it.
    pub by: AnsweredBy,
    /// What a person should be told: a prompt of the workspace that was not used, and why.
    pub notices: Vec<String>,
}

/// Who answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnsweredBy {
    /// A model.
    Model {
        /// Provider and model: `openai:gpt-4o-mini`.
        name: String,
        /// The version of the prompt it was asked with.
        prompt_version: u32,
    },
    /// The rules.
    Rules {
        /// Why no model did.
        why: String,
        /// What kind of reason that is.
        cause: Cause,
    },
}

/// What kind of reason there is for the rules to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// No model is named, or as the settings are none may be asked.
    Nobody,
    /// What is left of a cap is less than it may take.
    Cap,
    /// A cap is less than it may take, whatever was spent.
    CapTooSmall,
    /// The provider is away, busy, too slow, or refuses whoever asks.
    Away,
    /// What was answered cannot be used.
    Unusable,
    /// The model does not want to answer.
    Unwilling,
}

impl Cause {
    /// Whether a model may answer later, so that what can wait does.
    #[must_use]
    pub const fn passes(self) -> bool {
        matches!(self, Self::Cap | Self::Away)
    }
}

/// Why a model that is named did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missed {
    pub(crate) cause: Cause,
    pub(crate) why: String,
}

/// What a model was to do and rules did, for a person and for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuledInstead {
    /// What kind of reason there is.
    pub cause: Cause,
    /// The reason, of the first where there are several.
    pub why: String,
    /// How often.
    pub count: usize,
}

impl RuledInstead {
    /// Adds one to a list that has each kind of reason once.
    pub(crate) fn count_in(list: &mut Vec<Self>, cause: Cause, why: &str) {
        Self::add_to(list, Self { cause, why: why.to_owned(), count: 1 });
    }

    /// Adds to a list that has each kind of reason once.
    pub(crate) fn add_to(list: &mut Vec<Self>, more: Self) {
        match list.iter_mut().find(|each| each.cause == more.cause) {
            Some(known) => known.count += more.count,
            None => list.push(more),
        }
    }
}

/// A task for somebody who is asked by other means: an agent that is given it as text and gives its answer as text.
#[derive(Debug, Clone, PartialEq)]
pub struct HandOff {
    /// Everything that is needed to answer, as one text.
    pub text: String,
    /// The JSON Schema of the answer.
    pub schema: Value,
    /// What a person should be told, as in [`Answered`].
    pub notices: Vec<String>,
    prepared: Prepared,
}

impl HandOff {
    /// Reads an answer exactly as a provider's is read.
    ///
    /// # Errors
    /// [`Unusable`], in words that say to whoever answered what to mend.
    pub fn read<T: DeserializeOwned>(&self, answer: &str) -> Result<T, Unusable> {
        read(&self.prepared, answer)
    }
}

/// Why a call gave no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    #[error(transparent)]
    OverCap(#[from] OverCap),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("{who} gave no answer that can be used: {why}")]
    Unusable { who: String, why: Unusable },
}

impl CallError {
    fn cause(&self) -> Cause {
        match self {
            Self::OverCap(over) if over.never_fits => Cause::CapTooSmall,
            Self::OverCap(_) => Cause::Cap,
            Self::Model(ModelError::Unwilling { .. }) | Self::Unusable { why: Unusable::Refusal, .. } => {
                Cause::Unwilling
            }
            Self::Model(error) if is_away(error) => Cause::Away,
            Self::Model(_) | Self::Unusable { .. } => Cause::Unusable,
        }
    }
}

fn read<T: DeserializeOwned>(prepared: &Prepared, said: &str) -> Result<T, Unusable> {
    let value = prepared.read(said)?;
    // The schema is right and the type wants more: it says so without the value.
    serde_json::from_value(value).map_err(|_| Unusable::Senseless("its values do not go together".to_owned()))
}

impl Memory {
    /// Asks a task of whom the settings name; the rules answer where there is nobody, no answer that fits, or no money for it.
    ///
    /// # Errors
    /// [`MemoryError::Task`] where the task is wrong or a value is missing, [`MemoryError::Redaction`] where secrets cannot be
    /// replaced. A model that fails is no error.
    pub fn ask<T: DeserializeOwned>(
        &self,
        task: &Task,
        values: &Values,
        urgency: Urgency,
        rules: impl FnOnce() -> T,
    ) -> Result<Answered<T>, MemoryError> {
        self.ask_whom(self.model_of(task.tier), task, values, urgency, rules)
    }

    /// As [`Self::ask`], of this model, or by the rules for this reason.
    pub(crate) fn ask_whom<T: DeserializeOwned>(
        &self,
        model: Result<&Model, &str>,
        task: &Task,
        values: &Values,
        urgency: Urgency,
        rules: impl FnOnce() -> T,
    ) -> Result<Answered<T>, MemoryError> {
        let (prepared, notices) = self.prepared(task, values)?;
        let ruled = |why: String, cause, notices| {
            Ok(Answered { value: rules(), by: AnsweredBy::Rules { why, cause }, notices })
        };
        let model = match model {
            Ok(model) => model,
            Err(why) => return ruled(why.to_owned(), Cause::Nobody, notices),
        };
        let provider = self.provider_mark();
        let rest = self.rest_of(&provider);
        if let Some(why) =
            rest.as_ref().filter(|_| urgency != Urgency::Asked).and_then(|rest| self.rests(rest))
        {
            return ruled(why, Cause::Away, notices);
        }
        let within = Duration::from_secs(self.config.models.timeout_seconds);
        let mut asked = prepared.clone();
        let mut tries = 0;
        loop {
            tries += 1;
            let mut question = Question::of(&asked, within);
            if rest.is_some() {
                // Who was away is tried, and not waited for.
                question.attempts = 1;
            }
            let allowance = Mutex::new(self.allowance(urgency));
            let (answer, spent) =
                self.call(model, &question, &allowance, task.name, |said| read(&prepared, said));
            self.record(spent.as_slice());
            match &answer {
                Err(CallError::Model(error)) if is_away(error) => {
                    self.provider_is_away(&provider, error, REST);
                }
                Err(CallError::OverCap(_)) => {}
                _ if rest.is_some() => self.provider_is_back(&provider),
                _ => {}
            }
            match answer {
                Ok(value) => {
                    let by =
                        AnsweredBy::Model { name: model.name().to_owned(), prompt_version: prepared.version };
                    return Ok(Answered { value, by, notices });
                }
                Err(CallError::Unusable { why, .. }) if tries == 1 && why != Unusable::Refusal => {
                    asked = prepared.again(&why);
                }
                Err(error) => {
                    // What a program complains of may hold what it was given.
                    let why = self.redactor()?.redact(&error.to_string()).0.into_owned();
                    return ruled(why, error.cause(), notices);
                }
            }
        }
    }

    /// A task as text, for an agent that answers in the place of a provider.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub fn hand_off(&self, task: &Task, values: &Values) -> Result<HandOff, MemoryError> {
        let (prepared, notices) = self.prepared(task, values)?;
        Ok(HandOff { text: prepared.text(), schema: prepared.schema.source().clone(), notices, prepared })
    }

    /// A task with its values, their secrets replaced, in the words of the program or of the workspace.
    fn prepared(&self, task: &Task, values: &Values) -> Result<(Prepared, Vec<String>), MemoryError> {
        let redactor = self.redactor()?;
        let values = values.map(|value| Ok::<_, MemoryError>(redactor.redact(value).0.into_owned()))?;
        let (prompt, notices) = self.prompt_of(task)?;
        Ok((task.prepare(&prompt, &values)?, notices))
    }

    /// One call: within the caps, with what it took. `read` makes of the words what is wanted, or says why not.
    pub(crate) fn call<T>(
        &self,
        model: &Model,
        question: &Question<'_>,
        allowance: &Mutex<Allowance>,
        operation: &str,
        read: impl FnOnce(&str) -> Result<T, Unusable>,
    ) -> (Result<T, CallError>, Option<Spent>) {
        let price = self.price_of(model);
        let most =
            rem_reason::Tokens { input: question.tokens(), output: question.max_tokens, are_estimated: true };
        let taken = allowance.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take(most, price);
        if let Err(over) = taken {
            return (Err(over.into()), None);
        }
        let (answer, tokens) = match model.ask(question) {
            Ok(said) => {
                let unusable = |why| CallError::Unusable { who: model.name().to_owned(), why };
                (read(&said.text).map_err(unusable), said.tokens)
            }
            Err(error) => {
                let tokens = error.tokens(question);
                (Err(error.into()), tokens)
            }
        };
        let day = self.today().to_string();
        let spent = Spent::call(&day, operation, model.name(), tokens, price, answer.is_err());
        (answer, Some(spent))
    }
}
