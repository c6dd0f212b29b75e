//! Whether a reply rests on a memory that was handed out (M9.4): it names it, or says what it says.
//!
//! A memory that was merely in the context proves nothing, and neither do words that the question held already. What counts are the
//! words of one line of the memory that are new against the question and come back in the reply. Pure but for [`Memory::note_reply`].

use std::collections::{HashMap, HashSet};

use rem_format::path::MemoryPath;
use rem_format::transcript::{Role, Transcript, Turn, TurnPart};
use rem_recall::{Language, document_tokens, query_words};

use crate::memory::Memory;

/// The share of a line's new words that must come back.
const LEAST_SHARE: f64 = 0.5;
/// Who speaks without having been asked must say so many of them.
pub(crate) const LEAST_UNASKED: usize = 3;

/// What was said, as tokens.
pub(crate) struct Said(HashSet<String>);

impl Said {
    pub(crate) fn of(text: &str) -> Self {
        Self(document_tokens(text, Language::of(text)).into_iter().collect())
    }

    fn has(&self, tokens: &[String]) -> bool {
        tokens.iter().any(|token| self.0.contains(token))
    }
}

/// Whether what is said rests on a memory: `asked` is what it answers, nothing where nobody asked; `least` is how many new words of a
/// line must come back.
pub(crate) fn rests_on(said: &Said, asked: Option<&Said>, memory: &str, least: usize) -> bool {
    memory.lines().any(|line| {
        let line = line.split("<!--").next().unwrap_or_default().trim();
        if line.starts_with('#') {
            return false;
        }
        let words = query_words(line, &[Language::of(line)]);
        let is_new = |tokens: &[String]| asked.is_none_or(|asked| !asked.has(tokens));
        let new: Vec<&[String]> =
            words.iter().map(|word| word.tokens.as_slice()).filter(|tokens| is_new(tokens)).collect();
        let back = new.iter().filter(|tokens| said.has(tokens)).count();
        #[allow(clippy::cast_precision_loss, reason = "a line has few words")]
        let is_enough = back as f64 >= LEAST_SHARE * new.len() as f64;
        back >= least && is_enough
    })
}

impl Memory {
    /// Strengthens what a turn of a session rests on, of what the session was handed out: an agent's reply to what was asked last, or
    /// a person's own word about it. Gives the ids. What is known of topics is filled in as well. Nothing fails for it.
    pub(crate) fn note_reply(&self, session: &str, turn: &Turn, transcript: &MemoryPath) -> Vec<String> {
        if turn.role == Role::Agent {
            self.note_topic_use(session, &text_of(turn));
        }
        if !matches!(turn.role, Role::Agent | Role::User) {
            return Vec::new();
        }
        let given = self.memories_handed_out(session);
        if given.is_empty() {
            return Vec::new();
        }
        let text = text_of(turn);
        let said = Said::of(&text);
        let before = || self.ledger.read(transcript).ok().flatten().unwrap_or_default();
        let asked = (turn.role == Role::Agent).then(|| Said::of(&last_of_user(&before())));
        let least = if asked.is_some() { 1 } else { LEAST_UNASKED };
        let rests_on = |memory: &str| rests_on(&said, asked.as_ref(), memory, least);
        let mut used: Vec<&str> = Vec::new();
        for (path, ids) in &given {
            // A file has many memories and is read once; one that moved on since is looked for.
            let bytes = self.ledger.read(path).ok().flatten().unwrap_or_default();
            let entries: HashMap<String, String> =
                self.entries_in(path, &bytes).into_iter().map(|(id, _, text)| (id, text)).collect();
            used.extend(ids.iter().map(String::as_str).filter(|id| {
                text.contains(id)
                    || match entries.get(*id) {
                        Some(memory) => rests_on(memory),
                        None => self.show(id).is_ok_and(|shown| rests_on(&shown.text)),
                    }
            }));
        }
        self.note_uses(Some(session), used)
    }
}

fn text_of(turn: &Turn) -> String {
    let texts = turn.body.iter().filter_map(|part| match part {
        TurnPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// What the user said last in a transcript.
pub(crate) fn last_of_user(transcript: &[u8]) -> String {
    let turns = Transcript::parse(transcript).map(|transcript| transcript.turns).unwrap_or_default();
    turns
        .iter()
        .rev()
        .find(|said| said.turn.role == Role::User)
        .map(|said| text_of(&said.turn))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(question: &str, reply: &str, memory: &str) -> bool {
        rests_on(&Said::of(reply), Some(&Said::of(question)), memory, 1)
    }

    #[test]
    fn a_reply_rests_on_what_it_says_beyond_the_question() {
        let memory = "# person--mira\n\n## Facts\n- Mira lives in Lyon <!-- since:2026-01-01 -->\n- Mira plays the violin\n";
        assert!(answers("Where does Mira live?", "She lives in Lyon.", memory));
        assert!(!answers("Where does Mira live?", "I don't know where Mira lives.", memory));
        assert!(!answers("Does Mira live in Lyon?", "Yes, Mira lives in Lyon.", "Mira lives in Lyon"));
        assert!(!answers("What is the weather?", "Since January it rains.", memory), "comments say nothing");
        assert!(answers(
            "우리 데이터베이스가 뭐였지?",
            "데이터베이스는 포스트그레스입니다.",
            "- 데이터베이스는 포스트그레스"
        ));
        assert!(answers("我们用什么数据库？", "我们用波斯菊数据库。", "- 数据库是波斯菊"));
        let deploy = "- Deploys go out on Tuesdays after the smoke tests";
        assert!(answers(
            "When do we ship?",
            "Deploys go out on Tuesdays, once the smoke tests pass.",
            deploy
        ));
        assert!(!answers("When do we ship?", "We ship whenever the tests pass.", deploy));
    }

    #[test]
    fn who_was_not_asked_must_say_more_of_it() {
        let unasked = |said: &str| {
            rests_on(&Said::of(said), None, "- The lighthouse key hangs behind the clock", LEAST_UNASKED)
        };
        assert!(unasked("The lighthouse key hangs behind the clock now"));
        assert!(!unasked("I bought a clock"));
    }
}
