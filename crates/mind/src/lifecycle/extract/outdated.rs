//! What does not hold any more at the end of a conversation: what the user takes back, puts right or replaces later in it.

use super::mark::Mark;
use super::session::{Said, Session, Turn};
use super::{ExtractionKind, decisions, revised};

/// A turn's index in the session, and a sentence's in the turn.
type Place = (usize, usize);
/// So many messages later a slip is still put right.
const SLIP: usize = 2;
/// A sentence that has one may be something that was decided.
const DECIDING: [Mark; 4] = [Mark::Settles, Mark::Picks, Mark::Takes, Mark::Answers];

/// All that does not hold any more, and what was said in its place.
pub(super) struct Outdated<'s> {
    /// Sentences of the user's that do not hold.
    said: Vec<&'s Said>,
    /// Those that hold instead, in the order of the conversation.
    pub(super) replacements: Vec<&'s Said>,
}

impl<'s> Outdated<'s> {
    pub(super) fn of(session: &'s Session) -> Self {
        let mut outdated = Self { said: Vec::new(), replacements: Vec::new() };
        for later in places(session).filter(|place| may_take_back(*place, session)) {
            let by = &session.turns[later.0].sentences[later.1];
            let before = outdated.said.len();
            for place in places(session).take_while(|place| *place < later) {
                let said = &session.turns[place.0].sentences[place.1];
                let kind = match said.has_any(&DECIDING) {
                    true => ExtractionKind::Decision,
                    false => ExtractionKind::Fact,
                };
                if is_taken_back(kind, said, place, later, session) {
                    outdated.said.push(said);
                }
            }
            if outdated.said.len() > before {
                outdated.replacements.push(by);
            }
        }
        let Self { said, replacements } = &mut outdated;
        replacements.retain(|by| !said.iter().any(|each| std::ptr::eq(*each, *by)));
        outdated
    }

    /// Whether this sentence does not hold.
    pub(super) fn has(&self, said: &Said) -> bool {
        self.said.iter().any(|each| std::ptr::eq(*each, said))
    }
}

/// Whether what the user says after the place `from` takes it back or puts it right.
pub(super) fn is_outdated(kind: ExtractionKind, said: &Said, from: Place, session: &Session) -> bool {
    places(session).filter(|later| *later > from).any(|later| is_taken_back(kind, said, from, later, session))
}

/// The places of all that the user says, in order.
fn places(session: &Session) -> impl Iterator<Item = Place> + '_ {
    let own = session.turns.iter().enumerate().filter(|(_, turn)| turn.is_user);
    own.flat_map(|(at, turn)| (0..turn.sentences.len()).map(move |place| (at, place)))
}

/// Whether a sentence takes back something, whatever that may be. Spares asking it of each sentence before.
fn may_take_back((at, place): Place, session: &Session) -> bool {
    let sentences = &session.turns[at].sentences;
    let later = &sentences[place];
    later.corrects
        || later.has_any(&[Mark::Corrects, Mark::Undoes, Mark::Replaces])
        || place.checked_sub(1).is_some_and(|before| sentences[before].has(Mark::Replaces))
        || revised::after(&later.plain).is_some()
}

/// Whether the sentence at the place `at` takes back the one at `from`, or puts it right.
fn is_taken_back(kind: ExtractionKind, said: &Said, from: Place, at: Place, session: &Session) -> bool {
    let sentences = &session.turns[at.0].sentences;
    let later = &sentences[at.1];
    let between = session.turns.iter().take(at.0).skip(from.0 + 1).filter(|turn| turn.is_user).count();
    if later.has(Mark::Corrects) && between <= SLIP && later.shares_a_word(said) {
        return true;
    }
    let before = at.1.checked_sub(1).map(|before| &sentences[before]).filter(|each| each.turn == later.turn);
    if kind == ExtractionKind::Decision && decisions::is_taken_back(said, later, before, between) {
        return true;
    }
    let is_next = previous(at, session) == from && !means_one_before(later, said, from, session);
    revised::takes_back(said, later, is_next)
}

/// The place of what the user said last before a place; the place itself where that is nothing.
pub(super) fn previous(at: Place, session: &Session) -> Place {
    if let Some(place) = at.1.checked_sub(1) {
        return (at.0, place);
    }
    let mut before = session.turns[..at.0].iter().enumerate().rev().filter(|(_, turn)| turn.is_user);
    let last = |(at, turn): (usize, &Turn)| Some((at, turn.sentences.len().checked_sub(1)?));
    before.find_map(last).unwrap_or(at)
}

/// Whether a later sentence speaks of something that was settled in the same message before the one at `from`, and not of that one:
/// "We take the blue kiln. It is 20 years old. No, the red kiln."
fn means_one_before(later: &Said, said: &Said, from: Place, session: &Session) -> bool {
    let mut before = session.turns[from.0].sentences.iter().take(from.1);
    !later.shares_a_word(said) && before.any(|each| each.has(Mark::Settles) && each.shares_a_word(later))
}
