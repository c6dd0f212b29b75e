//! The log of decisions over topics (A5.5): what was decided for which message, and whether the reply used it.
//!
//! `.rem/gate-log.jsonl` holds a line for each decision, with a hash in the place of the message; whether it was useful is known
//! later and is a line of its own that names the decision, joined when the log is read. Lines are only added; the newest few thousand
//! stay. Nothing fails because the log cannot be written, and it may be deleted at any time: tuning then begins anew.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Decision, Gate, GateState, Side, TopicMatch, TopicMatches, TopicMessage};
use crate::error::MemoryError;
use crate::memory::Memory;

const LOG: &str = "gate-log.jsonl";
/// The most the log may be, in bytes; the newest half of it, some five thousand decisions, always stays.
const MOST: u64 = 4 << 20;
/// How much of its end is read for what happened just now.
const RECENT: u64 = 256 << 10;

/// What was decided over a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoggedDecision {
    /// It became active; the gate was not needed.
    Bypassed,
    /// A trigger matched, and it was dropped before the gate.
    Skipped,
    /// The gate said yes.
    Yes,
    /// The gate said no.
    No,
    /// The gate gave no answer, and `topics.gate_default` counted.
    Default,
}

/// A decision over a topic, with A5.5's fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateRecord {
    /// What later lines name it by.
    pub id: String,
    /// When.
    pub timestamp: Timestamp,
    /// The session; nothing where none was named.
    pub session: Option<String>,
    /// Whose words were looked at.
    pub side: Side,
    /// The hash of the message, in hexadecimal.
    pub message_hash: String,
    /// The topic.
    pub topic_name: String,
    /// Whether a trigger matched.
    pub tier1_matched: bool,
    /// The score of the second tier, from 0 to 1.
    pub tier2_score: f64,
    /// The score from which the topic was a candidate.
    pub threshold: f64,
    /// What was decided.
    pub decision: LoggedDecision,
    /// Yes or no, by the gate or its default; nothing where the gate was not needed.
    pub gate_result: Option<bool>,
    /// Who said so: a model's name, `cache`, or `topics.gate_default`.
    pub by: Option<String>,
    /// Whether the reply said what the topic says; nothing where no reply was seen. For a topic that was not active: whether the
    /// reply said it all the same.
    pub was_useful: Option<bool>,
}

/// The line that fills in [`GateRecord::was_useful`].
#[derive(Debug, Serialize, Deserialize)]
struct Judged {
    /// The decision's id.
    of: String,
    timestamp: Timestamp,
    was_useful: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Judged(Judged),
    Decided(Box<GateRecord>),
}

impl GateRecord {
    fn of(topic: &TopicMatch, side: Side, about: (&str, Option<&str>, Timestamp)) -> Option<Self> {
        let (message_hash, session, timestamp) = about;
        let answer = || topic.gate == GateState::Yes;
        let (decision, gate_result) = match topic.gate {
            GateState::Bypassed => (LoggedDecision::Bypassed, None),
            GateState::Skipped if topic.tier1 => (LoggedDecision::Skipped, None),
            // Nothing called for it, and nobody was asked: every topic is that, most of the time.
            GateState::Skipped => return None,
            _ if topic.gate_error.is_some() => (LoggedDecision::Default, Some(answer())),
            GateState::Yes => (LoggedDecision::Yes, Some(true)),
            GateState::No => (LoggedDecision::No, Some(false)),
        };
        debug_assert_eq!(topic.decision == Decision::AskGate, gate_result.is_some());
        let name = &topic.name;
        let id = format!("{timestamp}\n{}\n{message_hash}\n{name}", session.unwrap_or_default());
        Some(Self {
            id: blake3::hash(id.as_bytes()).to_hex()[..16].to_owned(),
            timestamp,
            session: session.map(str::to_owned),
            side,
            message_hash: message_hash.to_owned(),
            topic_name: name.clone(),
            tier1_matched: topic.tier1,
            tier2_score: (topic.tier2 * 10_000.0).round() / 10_000.0,
            threshold: topic.threshold,
            decision,
            gate_result,
            by: topic.answered_by.clone(),
            was_useful: None,
        })
    }

    /// Whether the topic became active.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.decision == LoggedDecision::Bypassed || self.gate_result == Some(true)
    }
}

impl Memory {
    /// As [`Self::match_topics`], for a message that somebody really said: what was decided goes to the log.
    ///
    /// # Errors
    /// As [`Self::match_topics`]. A log that cannot be written is said, and nothing else.
    pub fn decide_topics(
        &self,
        session: Option<&str>,
        message: &TopicMessage<'_>,
        gate: &dyn Gate,
    ) -> Result<TopicMatches, MemoryError> {
        let found = self.match_topics(message, gate)?;
        let hash = blake3::hash(message.text.as_bytes()).to_hex();
        let about = (&hash[..32], session, self.now());
        let records: Vec<GateRecord> =
            found.topics.iter().filter_map(|topic| GateRecord::of(topic, message.side, about)).collect();
        self.log_lines(&records);
        Ok(found)
    }

    /// The decisions in the log, oldest first, each with what is known of its use. Lines that cannot be read are passed over.
    #[must_use]
    pub fn gate_log(&self) -> Vec<GateRecord> {
        joined(&self.ledger.read_private(LOG).unwrap_or_default())
    }

    /// As [`Self::gate_log`], of what happened just now.
    pub(super) fn recent_decisions(&self) -> Vec<GateRecord> {
        joined(&self.ledger.read_private_tail(LOG, RECENT).unwrap_or_default())
    }

    /// Fills in for decisions whether they were useful.
    pub(super) fn log_judged(&self, judged: impl IntoIterator<Item = (String, bool)>) {
        let timestamp = self.now();
        let lines: Vec<Judged> =
            judged.into_iter().map(|(of, was_useful)| Judged { of, timestamp, was_useful }).collect();
        self.log_lines(&lines);
    }

    fn log_lines(&self, lines: &[impl Serialize]) {
        let mut bytes = Vec::new();
        for line in lines {
            // Words, numbers and times have a JSON form.
            bytes.extend(serde_json::to_vec(line).unwrap_or_default());
            bytes.push(b'\n');
        }
        if !bytes.is_empty()
            && let Err(error) = self.ledger.append_private(LOG, &bytes, MOST)
        {
            tracing::warn!("decisions over topics are not logged: {error}");
        }
    }
}

/// The decisions of a log, with what later lines say of them; one word that it was useful counts for good.
fn joined(bytes: &[u8]) -> Vec<GateRecord> {
    let mut records: Vec<GateRecord> = Vec::new();
    let mut judged: HashMap<String, bool> = HashMap::new();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(Line::Judged(line)) => *judged.entry(line.of).or_default() |= line.was_useful,
            Ok(Line::Decided(record)) => records.push(*record),
            Err(error) => tracing::debug!("a line of the gate's log is passed over: {error}"),
        }
    }
    for record in &mut records {
        record.was_useful = judged.get(&record.id).copied().or(record.was_useful);
    }
    records
}
