//! A task: a prompt, the schema of its answer and how long that may be, whoever answers.
//!
//! A task is prepared with its values, then asked of a [`crate::Model`] or handed on as text; the answer is read in the same way in
//! both cases. Must not know who answers, nor what the answer is for.

use serde_json::Value;
use thiserror::Error;

use crate::answer::{self, Unusable};
use crate::prompt::{Prompt, PromptError, Values};
use crate::schema::{Schema, SchemaError};

/// How much of a model a task needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tier {
    /// Small questions and plain extraction.
    Cheap,
    /// Writing, and whatever needs thought.
    Strong,
}

/// Something to be asked. Tasks are constants of the program; their texts are files of it.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// Small letters and `-`; spending goes by it, and a prompt that takes the place of this one has it as file name.
    pub name: &'static str,
    /// The prompt's file, see [`Prompt`].
    pub prompt: &'static str,
    /// The schema of the answer, see [`Schema`].
    pub schema: &'static str,
    /// The longest answer, in tokens. A provider may not keep to it.
    pub max_answer_tokens: u64,
    /// Who is good enough.
    pub tier: Tier,
}

/// Why a task cannot be asked: a mistake of whoever wrote it, or gave its values.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TaskError {
    /// Its prompt.
    #[error("the prompt of {0} cannot be used")]
    Prompt(String, #[source] PromptError),
    /// Its schema.
    #[error("the answer of {0} cannot be checked")]
    Schema(String, #[source] SchemaError),
}

impl Task {
    /// The prompt that the program has for it.
    ///
    /// # Errors
    /// [`TaskError::Prompt`] where the file is none.
    pub fn own_prompt(&self) -> Result<Prompt, TaskError> {
        Prompt::parse(self.prompt).map_err(|error| TaskError::Prompt(self.name.to_owned(), error))
    }

    /// The task with its values, in the words of `prompt`.
    ///
    /// # Errors
    /// [`TaskError`] where a value is missing, or the schema is none.
    pub fn prepare(&self, prompt: &Prompt, values: &Values) -> Result<Prepared, TaskError> {
        let (system, asked) =
            prompt.filled(values).map_err(|error| TaskError::Prompt(self.name.to_owned(), error))?;
        let schema =
            Schema::parse(self.schema).map_err(|error| TaskError::Schema(self.name.to_owned(), error))?;
        Ok(Prepared {
            name: self.name,
            version: prompt.version,
            system,
            prompt: asked,
            schema,
            max_answer_tokens: self.max_answer_tokens,
            tier: self.tier,
        })
    }
}

/// A task with its values: what is asked, and how its answer is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// The task's name.
    pub name: &'static str,
    /// The prompt's version.
    pub version: u32,
    /// What the model is.
    pub system: String,
    /// What it is asked.
    pub prompt: String,
    /// What the answer must look like.
    pub schema: Schema,
    /// The longest answer, in tokens.
    pub max_answer_tokens: u64,
    /// Who is good enough.
    pub tier: Tier,
}

impl Prepared {
    /// The answer in what was said, whoever said it.
    ///
    /// # Errors
    /// [`Unusable`] where it is none.
    pub fn read(&self, said: &str) -> Result<Value, Unusable> {
        answer::read(said, &self.schema)
    }

    /// The same, asked once more with what was wrong with the answer.
    #[must_use]
    pub fn again(&self, error: &Unusable) -> Self {
        let prompt = format!(
            "{}\n\nYou answered this before, and the answer could not be used: {error}. Answer once more.\n\n{}",
            self.prompt,
            instruction(&self.schema)
        );
        Self { prompt, ..self.clone() }
    }

    /// All of it as one text, for whoever has no other means: what to be, what is asked, and how to answer.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}\n\n{}\n\n{}\n", self.system, self.prompt, instruction(&self.schema))
    }
}

/// How to answer, for a model that is not told by other means.
pub(crate) fn instruction(schema: &Schema) -> String {
    format!(
        "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n{}",
        schema.source()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: Task = Task {
        name: "boats",
        prompt: "version: 2\n# System\nYou know boats.\n# Prompt\nHow many?\n\n{{quote talk}}\n",
        schema: r#"{"type": "object", "properties": {"count": {"type": "integer", "minimum": 0}}, "required": ["count"], "additionalProperties": false}"#,
        max_answer_tokens: 20,
        tier: Tier::Cheap,
    };

    #[test]
    fn a_task_stands_by_itself_as_text_and_its_answer_is_read_from_text() {
        let values = Values::default().with("talk", "Two boats.");
        let prepared = TASK.prepare(&TASK.own_prompt().unwrap(), &values).unwrap();
        let text = prepared.text();
        for part in ["You know boats.", "<talk>\nTwo boats.\n</talk>", "one JSON object", r#""minimum":0"#] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(prepared.read("```json\n{\"count\": 2}\n```").unwrap()["count"], 2);
        let error = prepared.read(r#"{"count": -2}"#).unwrap_err();
        let again = prepared.again(&error);
        assert!(
            again.prompt.starts_with(&prepared.prompt) && again.prompt.contains("/count: a number from 0")
        );
        assert_eq!((again.name, again.version), ("boats", 2));
    }

    #[test]
    fn a_task_that_cannot_be_asked_says_why() {
        let prompt = TASK.own_prompt().unwrap();
        let error = TASK.prepare(&prompt, &Values::default()).unwrap_err();
        assert!(error.to_string().contains("boats"));
        let wrong = Task { schema: r#"{"type": "string"}"#, prompt: "Hello", ..TASK };
        assert!(wrong.own_prompt().is_err());
        let values = Values::default().with("talk", "");
        assert!(matches!(wrong.prepare(&prompt, &values), Err(TaskError::Schema(..))));
    }
}
