//! Tier 3 (A5): the question to the gate, and who answers it.
//!
//! The gate is a [`Gate`]: the [`model`](super::ModelGate) of the settings, or [`Nobody`]. Where there is no answer, `topics.gate_default` answers for topics of
//! which a trigger matched; similarity alone needs a real yes. What is asked is made
//! here and nowhere else, so that the same message and topic give the same question, byte for byte.

use rem_format::config::{GateDefault, TopicSettings};
use rem_format::topic::Topic;
use serde::Serialize;
use thiserror::Error;
use unicode_segmentation::UnicodeSegmentation;

/// What one character, as people count them, takes on average at most, in bytes.
const LONGEST_CHARACTER: usize = 32;

/// A question to the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateQuestion {
    /// The topic it is about.
    pub topic: String,
    /// What is asked, to be answered with one word.
    pub prompt: String,
    /// Whether a trigger of the topic matched; else its similarity alone put it forward.
    pub is_triggered: bool,
    /// The same question again has the same key: the hash of the prompt, in hexadecimal.
    pub key: String,
}

/// Yes or no.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GateAnswer {
    /// Whether the topic becomes active.
    pub yes: bool,
    /// Who said so: a model's name, `cache`, or `topics.gate_default`.
    pub by: String,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GateError {
    /// There is nobody to ask.
    #[error("there is no model to ask")]
    Nobody,
    /// Whoever was asked did not answer, not in time, or neither yes nor no.
    #[error("the gate gave no answer: {0}")]
    Failed(String),
}

/// Who answers whether a topic is meant.
pub trait Gate {
    /// Answers. Never asked while a lock is held.
    ///
    /// # Errors
    /// [`GateError`] where there is no answer; the setting answers then.
    fn ask(&self, question: &GateQuestion) -> Result<GateAnswer, GateError>;

    /// Answers all questions about one message, in their order.
    fn ask_all(&self, questions: &[GateQuestion]) -> Vec<Result<GateAnswer, GateError>> {
        questions.iter().map(|question| self.ask(question)).collect()
    }
}

/// Nobody answers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Gate for Nobody {
    fn ask(&self, _: &GateQuestion) -> Result<GateAnswer, GateError> {
        Err(GateError::Nobody)
    }
}

impl GateQuestion {
    /// The question of A5.3, with A5.2's limits: as many characters of the message and of the description as the settings say
    /// (500 and 200), counted as people count them.
    #[must_use]
    pub fn of(
        message: &str,
        (topic, description): (&Topic, &str),
        is_triggered: bool,
        settings: &TopicSettings,
    ) -> Self {
        let message = beginning(message.trim(), settings.gate_message_characters);
        let description = beginning(description.trim(), settings.gate_description_characters);
        let name = &topic.name;
        let prompt = format!(
            "Given this message and topic, should the topic activate?\n\nMessage: {message}\n\nTopic: {name}\nDescription: {description}\n\nAnswer with exactly one word: YES or NO."
        );
        let key = blake3::hash(prompt.as_bytes()).to_hex().to_string();
        Self { topic: name.clone(), prompt, is_triggered, key }
    }
}

/// The first so many characters of a text, none of them in part.
fn beginning(text: &str, characters: u64) -> &str {
    let most = usize::try_from(characters).unwrap_or(usize::MAX);
    // A character can carry any number of marks; more than this is nobody's writing.
    let text = &text[..text.floor_char_boundary(most.saturating_mul(LONGEST_CHARACTER))];
    // No character is shorter than a byte.
    if text.len() <= most {
        return text;
    }
    text.grapheme_indices(true).nth(most).map_or(text, |(end, _)| &text[..end])
}

/// The answers of the gate, or of the setting where there is none; with the reason why the gate gave none.
pub(super) fn answered(
    gate: &dyn Gate,
    questions: &[GateQuestion],
    settings: &TopicSettings,
) -> Vec<(GateAnswer, Option<GateError>)> {
    if questions.is_empty() {
        return Vec::new();
    }
    let answers = gate.ask_all(questions);
    let settled = answers.into_iter().zip(questions).map(|(answer, question)| match answer {
        Ok(answer) => (answer, None),
        Err(error) => {
            let yes = question.is_triggered && settings.gate_default == GateDefault::Yes;
            (GateAnswer { yes, by: "topics.gate_default".to_owned() }, Some(error))
        }
    });
    settled.collect()
}

/// How much of a message is looked at for what the gate sees of it: enough that what is hidden there is hidden whole.
pub(super) fn looked_at<'a>(message: &'a str, settings: &TopicSettings) -> &'a str {
    const LONGEST_SECRET: usize = 16 << 10;
    let most = usize::try_from(settings.gate_message_characters).unwrap_or(usize::MAX);
    let message = message.trim_start();
    &message
        [..message.floor_char_boundary(most.saturating_mul(LONGEST_CHARACTER).saturating_add(LONGEST_SECRET))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(message: &str, description: &str) -> GateQuestion {
        let text = format!("---\ndescription: \"{description}\"\n---\n# T\n");
        let topic = Topic::parse("t", text.as_bytes()).unwrap().topic;
        GateQuestion::of(message, (&topic, description), true, &TopicSettings::default())
    }

    #[test]
    fn the_question_holds_as_much_as_the_seed_says() {
        let asked = question(&"m".repeat(600), &"d".repeat(300));
        assert!(asked.prompt.contains(&format!("Message: {}\n", "m".repeat(500))));
        assert!(asked.prompt.contains(&format!("Topic: t\nDescription: {}\n", "d".repeat(200))));
        assert!(asked.prompt.ends_with("Answer with exactly one word: YES or NO."));
        assert_eq!(
            asked.key,
            question(&"m".repeat(700), &"d".repeat(300)).key,
            "what is cut off is not asked"
        );
        assert_ne!(asked.key, question("m", "d").key);
    }

    #[test]
    fn characters_are_cut_where_people_see_them_end() {
        // A family of three, a flag, a letter with its accent apart, and a Korean syllable in its parts.
        for character in ["👨‍👩‍👧", "🇩🇪", "e\u{301}", "\u{1112}\u{1161}\u{11AB}", "界"] {
            let asked = question(&character.repeat(501), &character.repeat(201));
            assert!(asked.prompt.contains(&format!("Message: {}\n", character.repeat(500))), "{character}");
            assert!(
                asked.prompt.contains(&format!("Description: {}\n", character.repeat(200))),
                "{character}"
            );
        }
    }
}
