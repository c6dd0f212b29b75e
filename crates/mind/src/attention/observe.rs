//! `observe`: the loop for one message in one call (design: The loop).
//!
//! Captured first, so that nothing said is lost whatever comes after; then what it asks of the memory, which playbooks it makes active,
//! and the context for the answer. Of the agent's own words: what they used, and what its watchers have to say on the next turn.

use std::time::{Instant, SystemTime};

use rem_format::transcript::{Role, Turn, TurnKind, TurnPart};
use rem_recall::Asking;
use serde::Serialize;

use super::budget::Overrides;
use super::candidates::ContextQuery;
use super::compiled::{Audience, CompiledContext};
use super::data::without_data;
use super::topics::{Gate, GateState, Nobody, Side, TopicActivation, TopicMatch, TopicMatches, TopicMessage};
use super::triage::Triage;
use super::window::HistoryTurn;
use crate::error::MemoryError;
use crate::identity::Validation;
use crate::memory::Memory;
use crate::transcripts::Told;

/// What a host's hook puts before a hint, in UTF-16 code units at most.
const HINT_LABEL: usize = 40;

/// A message of a session.
#[derive(Debug, Clone)]
pub struct Observation<'a> {
    /// The session.
    pub session: &'a str,
    /// Who says it.
    pub role: Role,
    /// What.
    pub text: &'a str,
    /// The paths that tool calls beside it name.
    pub tool_paths: &'a [String],
    /// On whose behalf.
    pub asking: Asking,
    /// Who listens.
    pub audience: Audience,
    /// What differs from CONFIG.md.
    pub overrides: Overrides,
    /// Earlier turns, where the host gives them; none at all where it keeps the conversation before the model itself.
    pub history: Option<&'a [HistoryTurn]>,
    /// As [`ContextQuery::condensed`].
    pub condensed: usize,
    /// Which host tells it, and whether it may tell it twice.
    pub told: Told<'a>,
    /// The longest context that the host passes on, in UTF-16 code units; nothing where it passes on all.
    pub most_units: Option<usize>,
}

impl<'a> Observation<'a> {
    /// A message of the operator's own session, as CONFIG.md has it.
    #[must_use]
    pub fn new(session: &'a str, role: Role, text: &'a str) -> Self {
        Self {
            session,
            role,
            text,
            tool_paths: &[],
            asking: Asking::default(),
            audience: Audience::default(),
            overrides: Overrides::default(),
            history: None,
            condensed: 0,
            told: Told::default(),
            most_units: None,
        }
    }
}

/// What was made of a message. It serialises to `rem observe --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Observed {
    /// The session.
    pub session: String,
    /// Whether it was nothing but what the memory had handed out (T10), and was left out of the transcript.
    pub echo: bool,
    /// What it asks of the memory: candidates, never verdicts.
    pub triage: Triage,
    /// The topics it has to do with, the active ones first.
    pub topics: Vec<ObservedTopic>,
    /// What the agent is told on this turn because of its own words before.
    pub hints: Vec<String>,
    /// What the message put right, or what became of a failure of a tool; nothing where it contradicts nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction: Option<Validation>,
    /// What the agent should see before it answers; nothing for its own words.
    pub context: Option<CompiledContext>,
    /// How long all of it took, in milliseconds.
    pub milliseconds: u64,
}

/// A topic that a message has to do with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObservedTopic {
    /// Its name.
    pub name: String,
    /// Whether it is active.
    pub active: bool,
    /// Whether a trigger matched.
    pub tier1: bool,
    /// The similarity, from 0 to 1.
    pub tier2: f64,
    /// What the gate had to do with it.
    pub gate: GateState,
    /// What its watchers say to the agent.
    pub hint: Option<String>,
}

impl From<TopicMatch> for ObservedTopic {
    fn from(found: TopicMatch) -> Self {
        let TopicMatch { name, active, tier1, tier2, gate, hint, .. } = found;
        Self { name, active, tier1, tier2, gate, hint }
    }
}

impl ObservedTopic {
    /// What waits, or waited, in the queue is active without being asked about.
    fn queued(activation: TopicActivation, tier1: bool) -> Self {
        let TopicActivation { topic, hint, .. } = activation;
        Self { name: topic, active: true, tier1, tier2: 0.0, gate: GateState::Bypassed, hint }
    }
}

impl Memory {
    /// Takes a message of a session in and gives what should stand before the answer: captured, triaged, matched with topics, recalled
    /// for and compiled. `gate` answers for topics; `observed_at` is the machine's own time, which file times are compared with.
    ///
    /// # Errors
    /// [`MemoryError`] where the message cannot be captured or the context not compiled: what was captured is kept. Topics that cannot
    /// be matched are said on the log.
    pub fn observe(
        &self,
        observation: &Observation<'_>,
        gate: &dyn Gate,
        observed_at: SystemTime,
    ) -> Result<Observed, MemoryError> {
        let begun = Instant::now();
        let Observation { session, role, text, .. } = *observation;
        let turn = Turn {
            time: self.now(),
            role,
            kind: TurnKind::Message,
            body: vec![TurnPart::Text(text.to_owned())],
        };
        let on_behalf_of: Vec<String> = observation.asking.names().map(str::to_owned).collect();
        let is_shared = observation.audience == Audience::Shared;
        let told = Told { is_shared, on_behalf_of: &on_behalf_of, ..observation.told };
        let captured = self.capture_told(session, &turn, told)?;
        let text = &*without_data(text);
        let side = if role == Role::Agent { Side::Output } else { Side::Input };
        let triage = self.triage(text, side)?;
        let mut observed = Observed {
            session: session.to_owned(),
            echo: captured.echo,
            triage,
            topics: Vec::new(),
            hints: Vec::new(),
            correction: None,
            context: None,
            milliseconds: 0,
        };
        match role {
            Role::User => {
                // Before the context: the agent shall see what is right.
                // In a group nobody knows who says it.
                let is_operator = observation.asking.is_operator() && observation.audience == Audience::Main;
                let may_correct = is_operator && !observed.echo;
                if may_correct {
                    observed.correction = self.validate_observed(text, session);
                }
                self.attend(observation, gate, observed_at, &mut observed)?;
            }
            Role::Agent => {
                let watched = self.watch_output(session, text, gate).unwrap_or_else(|error| {
                    tracing::warn!("what the agent said is not watched: {error}");
                    Vec::new()
                });
                observed.topics = watched.into_iter().map(|each| ObservedTopic::queued(each, true)).collect();
            }
            Role::System => {}
        }
        observed.milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(observed)
    }

    /// Takes note of an agent's answer that is in its session's transcript already: which memories it used, and what its watchers have
    /// to say on the next turn.
    ///
    /// # Errors
    /// [`MemoryError`] where the transcript cannot be found. Topics that cannot be matched are said on the log.
    pub fn attend_reply(&self, session: &str, text: &str, gate: &dyn Gate) -> Result<(), MemoryError> {
        if let Some(path) = self.open_transcript(session)? {
            let body = vec![TurnPart::Text(text.to_owned())];
            let turn = Turn { time: self.now(), role: Role::Agent, kind: TurnKind::Message, body };
            self.note_reply(session, &turn, &path);
        }
        if let Err(error) = self.watch_output(session, text, gate) {
            tracing::warn!("what the agent said is not watched: {error}");
        }
        Ok(())
    }

    /// Topics and context for what a person said.
    fn attend(
        &self,
        observation: &Observation<'_>,
        gate: &dyn Gate,
        observed_at: SystemTime,
        observed: &mut Observed,
    ) -> Result<(), MemoryError> {
        let session = observation.session;
        let text = &*without_data(observation.text);
        let waiting = self.take_activations(session).unwrap_or_else(|error| {
            tracing::warn!("waiting topics are not taken: {error}");
            Vec::new()
        });
        let people = self.known_people(observed_at);
        let message =
            TopicMessage { text, side: Side::Input, tool_paths: observation.tool_paths, people: &people };
        let matched = self.decide_topics(Some(session), &message, gate);
        let matched = matched.map(|found: TopicMatches| found.topics).unwrap_or_else(|error| {
            tracing::warn!("topics are not matched: {error}");
            Vec::new()
        });
        let mut topics: Vec<ObservedTopic> = Vec::new();
        for activation in waiting {
            observed.hints.extend(activation.hint.clone());
            if !topics.iter().any(|topic| topic.name == activation.topic) {
                topics.push(ObservedTopic::queued(activation, false));
            }
        }
        for found in matched {
            match topics.iter_mut().find(|topic| topic.name == found.name) {
                Some(topic) => (topic.tier1, topic.tier2) = (found.tier1, found.tier2),
                None => topics.push(ObservedTopic::from(found)),
            }
        }
        // The active ones first, in the order in which they matter.
        topics.sort_by_key(|topic| !topic.active);
        observed.topics = topics;
        let active: Vec<String> =
            observed.topics.iter().filter(|topic| topic.active).map(|topic| topic.name.clone()).collect();
        // Hints stand beside the context.
        let hints: usize = observed.hints.iter().map(|hint| hint.encode_utf16().count() + HINT_LABEL).sum();
        let query = ContextQuery {
            message: text,
            session: Some(session),
            asking: observation.asking.clone(),
            audience: observation.audience,
            overrides: observation.overrides,
            topics: &active,
            history: observation.history,
            condensed: observation.condensed,
            most_units: observation.most_units.map(|most| most.saturating_sub(hints.min(most / 4))),
        };
        let (asking, context) = self.context_unrecorded(&query, observed_at)?;
        // Neither waits for the other.
        std::thread::scope(|scope| {
            scope.spawn(|| self.record_context(&asking, query.session, &context));
            let kept = self.receipt(&query, &context).and_then(|receipt| self.keep_receipt(&receipt));
            if let Err(error) = kept {
                tracing::warn!("the receipt is not kept: {error}");
            }
        });
        observed.context = Some(context);
        Ok(())
    }

    /// The topics that a message makes active without a model being asked, most important first. Nothing is logged of it.
    ///
    /// # Errors
    /// [`MemoryError`] where the topics cannot be read.
    pub fn topics_of(&self, message: &str, observed_at: SystemTime) -> Result<Vec<String>, MemoryError> {
        let people = self.known_people(observed_at);
        let message = TopicMessage { text: message, side: Side::Input, tool_paths: &[], people: &people };
        let found = self.match_topics(&message, &Nobody)?.topics;
        Ok(found.into_iter().filter(|topic| topic.active).map(|topic| topic.name).collect())
    }

    /// Names of people, where a topic waits for anybody to be mentioned.
    fn known_people(&self, observed_at: SystemTime) -> Vec<String> {
        if !self.topics().is_ok_and(|topics| topics.waits_for_people()) {
            return Vec::new();
        }
        let people = self.people(&Asking::default(), observed_at).unwrap_or_default();
        people.into_iter().map(|person| person.name).collect()
    }
}
