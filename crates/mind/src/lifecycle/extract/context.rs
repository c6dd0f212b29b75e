//! Marks that a sentence has by what was said before it: it answers a question, says a word of a proposal, its "she" is known.

use super::mark::Mark::{self, *};
use super::session::{Said, Session};

/// So many messages of both back a question still waits for its answer.
const WAITING: usize = 3;
/// So many messages of both back a person who was named is still meant.
const MEANT: usize = 6;

/// Adds the marks, and the names that pronouns stand for.
pub(super) fn add_marks(session: &mut Session) {
    let mut named: Option<(usize, String)> = None;
    for at in 0..session.turns.len() {
        let (before, rest) = session.turns.split_at_mut(at);
        let Some(turn) = rest.first_mut().filter(|turn| turn.is_user) else { continue };
        let asked: Vec<&Said> = before
            .iter()
            .rev()
            .take(WAITING)
            .flat_map(|turn| &turn.sentences)
            .filter(|said| said.has(Alternatives))
            .collect();
        let proposed: Vec<&Said> = before
            .last()
            .into_iter()
            .flat_map(|turn| &turn.sentences)
            .filter(|said| said.has_any(&[Proposes, Asks]))
            .collect();
        for (place, said) in turn.sentences.iter_mut().enumerate() {
            let mut marks: Vec<Mark> = Vec::new();
            if place < 2 && asked.iter().any(|question| question.shares_a_word(said)) {
                marks.push(Answers);
            }
            if place < 2 && proposed.iter().any(|other| other.shares_a_word(said)) {
                marks.push(Echoes);
            }
            match (&said.name, &named) {
                (Some(name), _) => named = Some((at, name.clone())),
                (None, Some((since, name))) if said.has(Pronoun) && at - since <= MEANT => {
                    marks.push(Resolved);
                    said.name = Some(name.clone());
                }
                _ => {}
            }
            said.marks.extend(marks);
        }
    }
}
