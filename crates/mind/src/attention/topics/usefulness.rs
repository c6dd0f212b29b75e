//! Whether a topic was of use (A5.5): the reply says what the topic says, beyond what the user said already.

use rem_format::topic::Topic;
use serde::Serialize;

use super::Side;
use crate::memory::Memory;
use crate::stores::reliance::{LEAST_UNASKED, Said, last_of_user, rests_on};

/// Words of a line that must come back: one may be chance, for every topic with a trigger shares some with the message's subject.
const LEAST_WORDS: usize = 2;
/// The longest subscription that is compared, in bytes.
const LONGEST_COMPARED: u64 = 256 << 10;

/// A topic, and whether the reply used it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TopicUse {
    /// The topic.
    pub topic: String,
    /// Whether the reply said what its instructions or subscriptions say.
    pub was_useful: bool,
}

impl Memory {
    /// Notes for the last message of a session which of the topics that were decided over the agent's reply used: in at least one line
    /// of instructions or subscriptions half of the words that the user had not said, and two of them. May be called for each reply to
    /// a message; once useful stays useful. Gives what is newly known. Nothing fails for it.
    pub fn note_topic_use(&self, session: &str, reply: &str) -> Vec<TopicUse> {
        let records = self.recent_decisions();
        let is_of_session = |record: &super::GateRecord| {
            record.side == Side::Input && record.session.as_deref() == Some(session)
        };
        let Some(last) = records.iter().rev().find(|record| is_of_session(record)) else {
            return Vec::new();
        };
        let Ok(topics) = self.topics() else { return Vec::new() };
        let transcript = self.open_transcript(session).ok().flatten();
        let asked = transcript
            .and_then(|path| self.ledger.read(&path).ok().flatten())
            .map(|transcript| Said::of(&last_of_user(&transcript)));
        let least = if asked.is_some() { LEAST_WORDS } else { LEAST_UNASKED };
        let said = Said::of(reply);
        let mut uses = Vec::new();
        let mut judged = Vec::new();
        for record in records.iter().filter(|record| {
            is_of_session(record)
                && (record.timestamp, &record.message_hash) == (last.timestamp, &last.message_hash)
                && record.was_useful != Some(true)
        }) {
            let Some(topic) = topics.get(&record.topic_name) else { continue };
            let was_useful = self.texts_of(topic).any(|text| rests_on(&said, asked.as_ref(), &text, least));
            if record.was_useful != Some(was_useful) {
                judged.push((record.id.clone(), was_useful));
                uses.push(TopicUse { topic: topic.name.clone(), was_useful });
            }
        }
        self.log_judged(judged);
        uses
    }

    /// What a topic tells an agent: its instructions, then what it subscribes to, as far as it is there and not too long.
    fn texts_of<'t>(&'t self, topic: &'t Topic) -> impl Iterator<Item = String> + 't {
        let subscribed = topic.subscriptions.iter().filter_map(|subscription| {
            let at = self.ledger.root().join(subscription.path.as_str());
            let length = std::fs::symlink_metadata(at).ok()?.len();
            let bytes = (length <= LONGEST_COMPARED).then(|| self.ledger.read(&subscription.path))?;
            Some(String::from_utf8_lossy(&bytes.ok()??).into_owned())
        });
        std::iter::once(topic.instructions.clone()).chain(subscribed)
    }
}
