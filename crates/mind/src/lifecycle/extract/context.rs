//! Marks that a sentence has by what was said before it: it answers a question, says a word of a proposal, its "she" is known.

use super::mark::Mark::{self, *};
use super::session::{Said, Session};
use super::{subject, wordings};
use crate::wording::Language;

/// So many messages of both back a question still waits for its answer.
const WAITING: usize = 5;
/// So many sentences at the beginning of a message may be an answer.
const ANSWERING: usize = 2;
/// So many messages of both back a person who was named is still meant.
const MEANT: usize = 6;

/// Adds the marks, and the names that pronouns stand for.
pub(super) fn add_marks(session: &mut Session) {
    let mut named: Option<(usize, String)> = None;
    for at in 0..session.turns.len() {
        let (before, rest) = session.turns.split_at_mut(at);
        let Some(turn) = rest.first_mut().filter(|turn| turn.is_user) else { continue };
        let recent = || before.iter().rev().take(WAITING).flat_map(|turn| &turn.sentences);
        let asked: Vec<&Said> = recent().filter(|said| said.has(Alternatives)).collect();
        // What the user asked about may be what is settled after the agent's answer.
        let is_open = |said: &&Said| {
            said.has(Asks) && !said.has(Offers) || said.has(Proposes) && said.judgement.is_none()
        };
        let proposed: Vec<&Said> = recent().filter(is_open).collect();
        let replies = before
            .last()
            .and_then(|turn| turn.sentences.last())
            .is_some_and(|last| last.has(Asks) && !last.has_any(&[Offers, Points]));
        let mut was_named_before = false;
        for (place, said) in turn.sentences.iter_mut().enumerate() {
            let mut marks: Vec<Mark> = Vec::new();
            if place < ANSWERING
                && asked.iter().any(|question| question.shares_a_word(said) || names_one_of(question, said))
            {
                marks.push(Answers);
            }
            if place < ANSWERING && proposed.iter().any(|other| other.shares_a_word(said)) {
                marks.push(Echoes);
            }
            if place < ANSWERING
                && before
                    .last()
                    .is_some_and(|turn| turn.sentences.iter().any(|other| other.shares_a_word(said)))
            {
                marks.push(Mentions);
            }
            if place < ANSWERING && replies {
                marks.push(Replies);
            }
            // Korean and Chinese leave out who was just named.
            let goes_on = was_named_before
                && matches!(said.language, Language::Korean | Language::Chinese)
                && !subject::has_own_subject(&said.plain, said.language);
            match (&said.name, named.clone()) {
                // A name in passing may be that of a place or of nobody.
                (Some(name), _) if said.has_any(&[Kin, Role, Trait]) && !said.has(Settles) => {
                    named = Some((at, name.clone()));
                }
                (Some(_), _) => {}
                (None, Some((since, name))) if (said.has(Pronoun) || goes_on) && at - since <= MEANT => {
                    marks.push(Resolved);
                    said.name = Some(name.clone());
                    named = Some((at, name));
                }
                _ => {}
            }
            if said.name.is_none() && said.has(Pronoun) && begins_with_pronoun(said) {
                marks.push(Nobody);
            }
            was_named_before = said.name.is_some();
            said.marks.extend(marks);
        }
        settle_what_came_before(&mut turn.sentences);
    }
}

/// Whether the first word is "she", "he" or the like.
fn begins_with_pronoun(said: &Said) -> bool {
    let first = match said.language {
        Language::Chinese => said.plain.trim_start().chars().take(1).collect(),
        _ => said.plain.split_ascii_whitespace().next().unwrap_or_default().to_owned(),
    };
    wordings::marks(&format!(" {first} "), said.language).contains(&Pronoun)
}

/// Whether an answer begins with one of the two things that a question stands between, however short: "Go or Python?"
fn names_one_of(question: &Said, said: &Said) -> bool {
    let words: Vec<&str> = question.plain.split_ascii_whitespace().collect();
    let Some(or) = words.iter().position(|word| matches!(*word, "or" | "oder")) else { return false };
    let around = [or.checked_sub(1), Some(or + 1)].into_iter().flatten().filter_map(|at| words.get(at));
    let first: Vec<&str> = said.plain.split_ascii_whitespace().take(3).collect();
    around
        .filter(|word| word.len() > 1 && !matches!(**word, "the" | "der" | "die" | "das"))
        .any(|word| first.contains(word))
}

/// "Decided." says of the sentence before that it is, "that's the rule" that it is one.
fn settle_what_came_before(sentences: &mut [Said]) {
    for at in 1..sentences.len() {
        if sentences[at].has(Settles) && sentences[at].has(Tiny) {
            sentences[at - 1].marks.push(Settles);
        }
        if sentences[at].has(Rules) {
            sentences[at - 1].marks.extend([Rule, Must]);
        }
    }
}
