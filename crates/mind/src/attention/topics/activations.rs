//! Activations that wait for the next message: a person's word, a schedule, a webhook, or what an agent said itself (A4.3, A4.4).
//!
//! `.rem/activations.jsonl` is the queue. It survives a process that dies; each activation is taken once, whoever takes it, and the
//! same one waits once. One for a session waits for that session, the others for whichever asks first. They wait a week at most.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Gate, Side, TopicMessage};
use crate::error::MemoryError;
use crate::memory::Memory;

const QUEUE: &str = "activations.jsonl";
const LOCK: &str = "activations.lock";
/// When schedules were last looked at.
const CHECKED: &str = "schedules-checked";
/// The most activations that wait; the oldest go first.
const MOST: usize = 1_000;
const KEPT_HOURS: i64 = 24 * 7;

/// Why a topic becomes active without a message that matches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// Somebody asked for it.
    Manual,
    /// Its schedule came due.
    Cron,
    /// Its webhook was called.
    Webhook,
    /// The agent's own words matched.
    Output,
}

/// A topic that is active for the next message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicActivation {
    /// The topic.
    pub topic: String,
    /// Why.
    pub cause: Cause,
    /// Which webhook it was: `source/event`.
    pub detail: Option<String>,
    /// What the agent is told of its own words.
    pub hint: Option<String>,
    /// The session it is for; nothing for whichever comes first.
    pub session: Option<String>,
    /// Since when it waits.
    pub queued: Timestamp,
}

impl TopicActivation {
    /// Whether it is the same, apart from the time.
    fn is_like(&self, other: &Self) -> bool {
        Self { queued: other.queued, ..self.clone() } == *other
    }
}

impl Memory {
    /// Makes a topic active for the next message: of this session, or of any.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is no such topic, [`MemoryError::Ledger`] where the queue cannot be written.
    pub fn queue_activation(
        &self,
        topic: &str,
        cause: Cause,
        session: Option<&str>,
    ) -> Result<TopicActivation, MemoryError> {
        if self.topics()?.get(topic).is_none() {
            return Err(MemoryError::usage(
                format!("there is no topic {topic:?}"),
                "`rem topics list` names them; `rem topics check` says which files are none, and why",
            ));
        }
        let activation = self.activation(topic, cause, session);
        self.enqueue(vec![activation.clone()])?;
        Ok(activation)
    }

    /// Queues the topics whose schedule came due since this was last called, each once, however often it was missed. The first call
    /// in a workspace queues nothing. Gives their names.
    ///
    /// # Errors
    /// [`MemoryError`] where topics cannot be read or the queue cannot be written; the next call makes it good.
    pub fn queue_due_topics(&self) -> Result<Vec<String>, MemoryError> {
        let _guard = self.ledger.lock_private(LOCK)?;
        let now = self.now();
        let last = self.ledger.read_private(CHECKED).and_then(|bytes| {
            let last: Timestamp = String::from_utf8(bytes).ok()?.trim().parse().ok()?;
            // A clock that was set back: what is due is counted from now on.
            (last <= now).then_some(last)
        });
        let due = last.map_or_else(|| Ok(Vec::new()), |last| self.topics_due(last))?;
        let activations = due.iter().map(|topic| self.activation(topic, Cause::Cron, None)).collect();
        // In this order: who dies in between finds them due again, and the same one waits once.
        self.enqueue_locked(activations)?;
        self.ledger.write_private(CHECKED, now.to_string().as_bytes())?;
        Ok(due)
    }

    /// Queues the topics that wait for this webhook. Gives their names.
    ///
    /// # Errors
    /// [`MemoryError`] where topics cannot be read or the queue cannot be written.
    pub fn queue_webhook(&self, source: &str, event: &str) -> Result<Vec<String>, MemoryError> {
        let topics = self.topics_of_webhook(source, event)?;
        let activations = topics.iter().map(|topic| TopicActivation {
            detail: Some(format!("{source}/{event}")),
            ..self.activation(topic, Cause::Webhook, None)
        });
        self.enqueue(activations.collect())?;
        Ok(topics)
    }

    /// Looks at what an agent said (A4.3): topics whose output triggers match, and that become active by the usual table, are queued for
    /// the session's next message with the hint of the trigger. What was decided goes to the log. Gives what was queued.
    ///
    /// # Errors
    /// As [`Self::match_topics`], and where the queue cannot be written.
    pub fn watch_output(
        &self,
        session: &str,
        reply: &str,
        gate: &dyn Gate,
    ) -> Result<Vec<TopicActivation>, MemoryError> {
        let message = TopicMessage { text: reply, side: Side::Output, ..TopicMessage::default() };
        let found = self.decide_topics(Some(session), &message, gate)?;
        let activations: Vec<TopicActivation> = found
            .active()
            .filter(|topic| topic.tier1)
            .map(|topic| TopicActivation {
                hint: topic.hint.clone(),
                ..self.activation(&topic.name, Cause::Output, Some(session))
            })
            .collect();
        self.enqueue(activations.clone())?;
        Ok(activations)
    }

    /// Takes what waits for a message of this session out of the queue, oldest first. Topics that are gone by now are left out.
    ///
    /// # Errors
    /// [`MemoryError`] where the queue cannot be written; then nothing was taken.
    pub fn take_activations(&self, session: &str) -> Result<Vec<TopicActivation>, MemoryError> {
        if !self.ledger.private_folder().join(QUEUE).exists() {
            return Ok(Vec::new());
        }
        let topics = self.topics()?;
        let _guard = self.ledger.lock_private(LOCK)?;
        let (mut taken, left): (Vec<_>, Vec<_>) = self
            .waiting_activations()
            .into_iter()
            .partition(|each| each.session.as_deref().is_none_or(|of| of == session));
        if !taken.is_empty() {
            self.write_queue(&left)?;
        }
        taken.retain(|each| topics.get(&each.topic).is_some());
        Ok(taken)
    }

    /// What waits, oldest first.
    #[must_use]
    pub fn waiting_activations(&self) -> Vec<TopicActivation> {
        let since =
            self.now().saturating_sub(SignedDuration::from_hours(KEPT_HOURS)).unwrap_or(Timestamp::MIN);
        let bytes = self.ledger.read_private(QUEUE).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n');
        lines
            .filter_map(|line| serde_json::from_slice::<TopicActivation>(line).ok())
            .filter(|each| each.queued >= since)
            .collect()
    }

    fn activation(&self, topic: &str, cause: Cause, session: Option<&str>) -> TopicActivation {
        TopicActivation {
            topic: topic.to_owned(),
            cause,
            detail: None,
            hint: None,
            session: session.map(str::to_owned),
            queued: self.now(),
        }
    }

    fn enqueue(&self, activations: Vec<TopicActivation>) -> Result<(), MemoryError> {
        if activations.is_empty() {
            return Ok(());
        }
        let _guard = self.ledger.lock_private(LOCK)?;
        self.enqueue_locked(activations)
    }

    /// Adds what does not wait yet; whoever calls this holds the lock.
    fn enqueue_locked(&self, activations: Vec<TopicActivation>) -> Result<(), MemoryError> {
        let mut waiting = self.waiting_activations();
        let before = waiting.len();
        for activation in activations {
            if !waiting.iter().any(|each| each.is_like(&activation)) {
                waiting.push(activation);
            }
        }
        if waiting.len() == before {
            return Ok(());
        }
        let gone = waiting.len().saturating_sub(MOST);
        self.write_queue(&waiting[gone..])
    }

    fn write_queue(&self, activations: &[TopicActivation]) -> Result<(), MemoryError> {
        if activations.is_empty() {
            return Ok(self.ledger.remove_private(QUEUE)?);
        }
        let mut bytes = Vec::new();
        for activation in activations {
            // Words and times have a JSON form.
            bytes.extend(serde_json::to_vec(activation).unwrap_or_default());
            bytes.push(b'\n');
        }
        Ok(self.ledger.write_private(QUEUE, &bytes)?)
    }
}
