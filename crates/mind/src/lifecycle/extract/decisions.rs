//! Decisions: what was settled by the user, or proposed by the agent and accepted by the user.
//!
//! Only the last state counts: what is taken back or replaced later in the conversation was never decided.

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::{self, *};
use super::session::{Said, Session};
use super::wordings;

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Decision,
    version: 1,
    never: &[Asks, Supposes, Hedges, Reports, Tells, Chore],
    rows: &[
        Row::of(&[Settles], 85).but(&[Moment, Tiny]),
        Row::of(&[Picks, Echoes], 75).but(&[Refuses, Moment, Remarks, OneOff, Tiny]),
        Row::of(&[Answers], 75).but(&[Refuses, Moment, OneOff]),
    ],
};

/// What never is a yes.
const NO_YES: [Mark; 5] = [Asks, Refuses, Supposes, Reports, Hedges];
/// A yes with more words of its own than this says what it is a yes to.
const BARE_YES: usize = 2;

/// What the agent proposed and the user accepted without saying it again: places of turns and sentences in the session.
pub(super) fn accepted(session: &Session) -> Vec<(usize, usize)> {
    let pairs = session.turns.windows(2).enumerate();
    pairs
        .filter(|(_, pair)| !pair[0].is_user && pair[1].is_user && is_yes(&pair[1].sentences))
        .filter_map(|(place, pair)| Some((place, proposal(&pair[0].sentences)?)))
        .collect()
}

/// Whether the first thing that is said is a yes, and nothing in it takes the yes back.
fn is_yes(sentences: &[Said]) -> bool {
    let Some(first) = sentences.first() else { return false };
    let says_it_itself = sentences.iter().take(2).any(|said| {
        said.has_any(&[Settles, Answers]) && said.size() > BARE_YES
            || said.has(Chore) && said.size() > BARE_YES
    });
    first.has(Accepts) && !first.has_any(&NO_YES) && !says_it_itself && first.size() <= 2 * BARE_YES
}

/// The sentence that proposes something; the one before where it only points at that.
fn proposal(sentences: &[Said]) -> Option<usize> {
    let last = sentences.len().checked_sub(1)?;
    let is_proposal = |at: &usize| sentences[*at].has(Proposes) && !sentences[*at].has_any(&[Offers, Points]);
    if sentences[last].has(Points) {
        return last.checked_sub(1);
    }
    if sentences[last].has(Offers) {
        return None;
    }
    (0..=last).rev().find(is_proposal)
}

/// Whether a later sentence takes a decision back. `between` is how many times the user spoke in between.
pub(super) fn is_taken_back(
    decided: &Said,
    later: &Said,
    before_later: Option<&Said>,
    between: usize,
) -> bool {
    if later.has_any(&[Asks, Supposes, Reports]) {
        return false;
    }
    let shares = later.shares_a_word(decided) || before_later.is_some_and(|said| said.shares_a_word(decided));
    let names = later.has(Undoes) || later.has(Replaces);
    names && shares && between <= FAR
        || later.has(Replaces) && later.has(Settles) && !later.has(Undoes) && between <= NEAR
}

/// What is put in another's place without naming it comes soon after it.
const NEAR: usize = 1;
/// After so many messages a shared word is a chance.
const FAR: usize = 40;

/// The reason that is given for a decision, as it was written.
pub(super) fn reason(said: &Said) -> Option<String> {
    let place = wordings::reason(&said.plain, said.language)?;
    written(said, place)
}

/// A range of the plain form as it was written.
fn written(said: &Said, place: std::ops::Range<usize>) -> Option<String> {
    let plain = crate::wording::Plain::of(&said.text);
    // The plain form of a sentence alone has no quotations taken out; where it differs, the reason is left out.
    let words = said.plain.get(place.clone())?;
    let found = plain.text.find(words.trim())?;
    let start = plain.origin(found)?;
    let end = plain.origin(found + words.trim().len() - 1)?;
    let end = end + said.text[end..].chars().next()?.len_utf8();
    Some(said.text[start..end].to_owned())
}
