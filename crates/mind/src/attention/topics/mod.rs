//! Topics (A2.2, A4, A5): which playbooks become active for a message.
//!
//! `set` loads the files of the topics folder and keeps them until one of them changes. `matching` is tier 1, every trigger of
//! every topic at once; `similarity` is tier 2, one score from five measures; `decision` is A5.4's table; `gate` is the question of
//! tier 3 and `model_gate` who answers it; `gate_log` keeps what was decided, `usefulness` whether it helped, `tuning` what follows from
//! that; `activations` are what waits for the next message. `folded`, `required`, `pattern`, `code`, `links`, `manner` and `grams` each see to one thing. Of memory nothing is
//! written here but thresholds that somebody asked for.

mod activations;
mod code;
mod decision;
mod folded;
mod gate;
mod gate_log;
mod grams;
mod links;
mod manner;
mod matching;
mod model_gate;
mod pattern;
mod required;
mod set;
mod similarity;
mod tuning;
mod usefulness;

use rem_format::topic::{Activation, Priority, Topic};
use serde::{Deserialize, Serialize};

pub use activations::{Cause, TopicActivation};
pub use decision::{Decision, DropReason, Thresholds, decide};
pub use gate::{Gate, GateAnswer, GateError, GateQuestion, Nobody};
pub use gate_log::{GateRecord, LoggedDecision};
pub use matching::Matched;
pub(crate) use model_gate::GateModel;
pub use model_gate::ModelGate;
pub(in crate::attention) use set::LARGEST_SUBSCRIPTION;
pub(crate) use set::{Kept, topic_at};
pub use set::{TopicCheck, TopicProblem, TopicSet};
pub use similarity::Similarity;
pub use tuning::{ScoreBand, ThresholdProposal, Tuning};
pub use usefulness::TopicUse;

use crate::error::MemoryError;
use crate::memory::Memory;

/// Whose words a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The user's.
    #[default]
    Input,
    /// The agent's own (A4.3).
    Output,
}

/// A message that topics are matched with.
#[derive(Debug, Clone, Copy, Default)]
pub struct TopicMessage<'a> {
    /// What is said.
    pub text: &'a str,
    /// By whom.
    pub side: Side,
    /// The paths that tool calls beside it name.
    pub tool_paths: &'a [String],
    /// Names of people who are known, for triggers that wait for anybody to be mentioned.
    pub people: &'a [String],
}

/// What the gate had to do with a topic (interfaces: `gate`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GateState {
    /// It was not needed: the topic is active.
    Bypassed,
    /// It was not asked: the topic is dropped.
    Skipped,
    /// It agreed.
    Yes,
    /// It did not.
    No,
}

/// A topic that a message has to do with, and everything that was found about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TopicMatch {
    /// The topic's name.
    pub name: String,
    /// Whether it becomes active.
    pub active: bool,
    /// Who decides.
    pub activation: Activation,
    /// How much it matters.
    pub priority: Priority,
    /// Whether a trigger matched.
    pub tier1: bool,
    /// The triggers that matched, in the order of the file.
    pub matches: Vec<Matched>,
    /// The score of the second tier, from 0 to 1.
    pub tier2: f64,
    /// The measures it is made of.
    pub similarity: Similarity,
    /// The score from which the topic is a candidate.
    pub threshold: f64,
    /// What both tiers come to.
    pub decision: Decision,
    /// The same in words.
    pub why: &'static str,
    /// What the gate had to do with it.
    pub gate: GateState,
    /// Who answered for the gate, where it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// Why the gate itself gave no answer, where it was asked and gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate_error: Option<String>,
    /// What the agent is told on its next turn, where the topic is active and its own words matched.
    pub hint: Option<String>,
}

/// What topics have to do with a message: the active ones first, then by score. Topics without a matching trigger and with a
/// similarity below their threshold are left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TopicMatches {
    /// Whose words were looked at.
    pub side: Side,
    /// How many topics there are.
    pub among: usize,
    /// Files that are no topics because of a mistake; `rem topics check` names them.
    pub unusable: usize,
    /// The topics.
    pub topics: Vec<TopicMatch>,
}

impl TopicMatches {
    /// The topics that become active.
    pub fn active(&self) -> impl Iterator<Item = &TopicMatch> {
        self.topics.iter().filter(|topic| topic.active)
    }
}

impl Memory {
    /// Which topics become active for a message (A4, A5): both tiers for all, and the gate for those that need it. Reads files
    /// only where topics changed.
    ///
    /// # Errors
    /// [`MemoryError`] when the folder of topics cannot be read. A topic that cannot be read is left out and counted.
    pub fn match_topics(
        &self,
        message: &TopicMessage<'_>,
        gate: &dyn Gate,
    ) -> Result<TopicMatches, MemoryError> {
        let set = self.topics()?;
        let settings = &self.config.topics;
        let mut candidates = set.candidates(message, settings);
        let mut asked = candidates.iter().filter(|(_, found)| found.decision == Decision::AskGate).peekable();
        let questions: Vec<GateQuestion> = match asked.peek() {
            None => Vec::new(),
            // What a model sees leaves this program, so secrets do not go along.
            Some(_) => {
                let redactor = self.redactor()?;
                let (text, _) = redactor.redact(gate::looked_at(message.text, settings));
                asked
                    .map(|(topic, found)| {
                        let description = redactor.redact(&topic.description).0;
                        GateQuestion::of(&text, (topic, &description), found.tier1, settings)
                    })
                    .collect()
            }
        };
        let mut answers = gate::answered(gate, &questions, settings).into_iter();
        for (_, candidate) in &mut candidates {
            candidate.gate = match candidate.decision {
                Decision::Activate => GateState::Bypassed,
                Decision::Drop(_) => GateState::Skipped,
                Decision::AskGate => match answers.next() {
                    Some((answer, error)) => {
                        candidate.answered_by = Some(answer.by);
                        candidate.gate_error = error.map(|error| error.to_string());
                        if answer.yes { GateState::Yes } else { GateState::No }
                    }
                    None => GateState::No,
                },
            };
            candidate.active = matches!(candidate.gate, GateState::Bypassed | GateState::Yes);
            let hint = || candidate.matches.iter().find_map(|matched| matched.correction_hint.clone());
            candidate.hint = candidate.active.then(hint).flatten();
        }
        let mut topics: Vec<TopicMatch> = candidates.into_iter().map(|(_, candidate)| candidate).collect();
        topics.sort_by(|one, other| {
            let rank = |topic: &TopicMatch| (topic.active, topic.active.then_some(topic.priority));
            rank(other)
                .cmp(&rank(one))
                .then_with(|| other.tier2.total_cmp(&one.tier2))
                .then_with(|| one.name.cmp(&other.name))
        });
        Ok(TopicMatches { side: message.side, among: set.topics().len(), unusable: set.unusable(), topics })
    }
}

impl TopicSet {
    /// The topics that a message has to do with, before the gate, in the order of names.
    fn candidates(
        &self,
        message: &TopicMessage<'_>,
        settings: &rem_format::config::TopicSettings,
    ) -> Vec<(&Topic, TopicMatch)> {
        let mut found = self.matchers.matches(message).into_iter().peekable();
        let similarities = self.profiles.compare(message.text);
        let mut candidates = Vec::new();
        for (at, (topic, similarity)) in self.topics().iter().zip(similarities).enumerate() {
            let thresholds = Thresholds::of(settings, topic.similarity_threshold);
            let mut matches = Vec::new();
            while let Some(each) = found.next_if(|each| each.topic as usize == at) {
                let trigger = &topic.triggers[each.trigger as usize];
                matches.push(each.told(trigger, message.side));
            }
            let tier1 = !matches.is_empty();
            // An agent's own words are watched for triggers (A4.3): nobody is asked about what they are like.
            if !tier1 && message.side == Side::Output {
                continue;
            }
            // A threshold of 0 lets triggers alone decide; it doesn't make every message one about the topic.
            if !tier1
                && (similarity.score < thresholds.pass || similarity.score < settings.similarity_threshold)
            {
                continue;
            }
            let decision = decide(topic.activation, topic.priority, tier1, similarity.score, &thresholds);
            let candidate = TopicMatch {
                name: topic.name.clone(),
                active: false,
                activation: topic.activation,
                priority: topic.priority,
                tier1,
                matches,
                tier2: similarity.score,
                similarity,
                threshold: thresholds.pass,
                decision,
                why: decision.why(),
                gate: GateState::Skipped,
                answered_by: None,
                gate_error: None,
                hint: None,
            };
            candidates.push((topic, candidate));
        }
        candidates
    }
}
