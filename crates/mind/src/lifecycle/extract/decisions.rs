//! Decisions: what was settled by the user, or proposed by the agent and accepted by the user.
//!
//! Only the last state counts: what is taken back or replaced later in the conversation was never decided.

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::{self, *};
use super::session::{Said, Session};
use super::wordings;
use crate::stores::router::Kind;
use crate::wording::{Language, Plain};

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Decision,
    version: 3,
    never: &[Asks, Supposes, Hedges, Reports, Tells, Chore, Secret, Bare, Ifs],
    never_by_weight: &[Asks, Supposes, Hedges, Reports, Tells, Secret, Alternatives],
    rows: &[
        Row::of(&[Settles], 85).but(&[Moment, Tiny]),
        Row::of(&[Picks, Echoes], 75).but(&[Refuses, Moment, Remarks, OneOff, Own]),
        Row::of(&[Takes, Mentions], 75).but(&[Tiny, Refuses, Moment, OneOff, Own, Remarks]),
        Row::of(&[Accepts, Echoes], 70).but(&[Refuses, Moment, OneOff, Own, Replies, Chore, Named, Tiny]),
        Row::of(&[Answers], 75).but(&[Refuses, Moment, OneOff, Own]),
        Row::of(&[], 75).any(&[We, First]).but(&[Moment, OneOff, Named, Kin]).kinds(&[Kind::Decision], 80),
    ],
};

/// What never is a yes.
const NO_YES: [Mark; 6] = [Asks, Refuses, Supposes, Reports, Hedges, Chore];
/// So many sentences at the beginning of a message may be the yes.
const SAYING_YES: usize = 2;
/// A yes with more words besides is one to something else.
const MOST_BESIDES: usize = 3;

/// What the agent proposed and the user accepted without saying it again: places of turns and sentences in the session.
pub(super) fn accepted(session: &Session) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (place, pair) in session.turns.windows(2).enumerate() {
        if pair[0].is_user || !pair[1].is_user {
            continue;
        }
        let Some(proposed) = proposal(&pair[0].sentences) else { continue };
        let is_question = pair[0].sentences.last().is_some_and(|last| last.has_any(&[Asks, Points]));
        if is_yes(&pair[1].sentences, &pair[0].sentences[proposed], is_question) {
            found.push((place, proposed));
        }
    }
    found
}

/// Whether the first thing that is said is a yes that does not say again what it is a yes to.
fn is_yes(sentences: &[Said], proposed: &Said, is_question: bool) -> bool {
    let beginning = &sentences[..sentences.len().min(SAYING_YES)];
    let Some(first) = beginning.first() else { return false };
    let is_yes = |said: &Said| {
        said.has_any(&[Accepts, Thus]) && !said.has_any(&NO_YES) && besides(said) <= MOST_BESIDES
    };
    let says_again = |said: &Said| {
        said.shares_a_word(proposed) && super::ORDER.iter().any(|extractor| extractor.takes(said).is_some())
    };
    let murmurs = first.has(Murmurs) && is_question && besides(first) == 0 && !first.has_any(&NO_YES);
    (beginning.iter().any(is_yes) || murmurs) && !first.has_any(&NO_YES) && !beginning.iter().any(says_again)
}

/// How many words a yes has besides.
fn besides(said: &Said) -> usize {
    let is_filler = |word: &&str| {
        !word.chars().any(char::is_alphanumeric) || wordings::is_filler(word, true, said.language)
    };
    match said.language {
        Language::English | Language::German => said
            .plain
            .split_ascii_whitespace()
            .filter(|word| !is_filler(word))
            .count()
            .saturating_sub(MOST_BESIDES),
        // Words are not set apart, or hold more than one.
        Language::Korean | Language::Chinese => {
            said.plain.chars().filter(|each| each.is_alphanumeric()).count() / 4
        }
    }
}

/// The sentence that proposes something; the one before where it only points at that.
fn proposal(sentences: &[Said]) -> Option<usize> {
    let last = sentences.len().checked_sub(1)?;
    let is_proposal = |at: &usize| {
        let said = &sentences[*at];
        said.has(Proposes) && !said.has_any(&[Offers, Points]) && (!said.has(Asks) || said.has(Suggests))
    };
    if sentences[last].has(Points) {
        return last.checked_sub(1);
    }
    if sentences[last].has(Offers) {
        return None;
    }
    (0..=last).rev().find(is_proposal)
}

/// Whether a later sentence takes a decision back. `between` is how many messages of the user lie between.
pub(super) fn is_taken_back(
    decided: &Said,
    later: &Said,
    before_later: Option<&Said>,
    between: usize,
) -> bool {
    if later.has_any(&[Asks, Supposes, Reports]) {
        return false;
    }
    let shares = later.shares_a_word(decided);
    let replaces = (later.has(Replaces) || before_later.is_some_and(|said| said.has(Replaces)))
        && later.has_any(&[Settles, Picks, Answers]);
    let shares_before = before_later.is_some_and(|said| said.shares_a_word(decided));
    later.has(Undoes) && shares
        || replaces && (shares || shares_before || between <= NEAR && !later.has(Undoes))
}

/// What is put in another's place without naming it comes soon after it.
const NEAR: usize = 1;

/// The reason that is given for a decision, as it was said: after a word like "because", else the clause after the decision where
/// that says something of its own ("we keep the sheets, a new roof costs too much").
pub(super) fn reason(said: &Said, note: &str) -> Option<String> {
    let plain = Plain::of(note);
    let given = wordings::reason(&plain.text, said.language).and_then(|place| written(note, &plain, place));
    given.or_else(|| clause(said, note))
}

/// A range of the plain form as it was written.
fn written(note: &str, plain: &Plain, place: std::ops::Range<usize>) -> Option<String> {
    let last = place.start + plain.text[place.clone()].trim_end().char_indices().next_back()?.0;
    let (start, last) = (plain.origin(place.start)?, plain.origin(last)?);
    let end = last + note[last..].chars().next()?.len_utf8();
    Some(note[start..end].to_owned())
}

/// What stands after a comma, where it states something and settles nothing.
fn clause(said: &Said, note: &str) -> Option<String> {
    let (at, comma) = note.char_indices().find(|each| matches!(each.1, ',' | '，' | ';' | '；'))?;
    let rest = note[at + comma.len_utf8()..].trim();
    let size = match said.language {
        Language::English | Language::German => rest.split_whitespace().count(),
        Language::Korean | Language::Chinese => rest.chars().count() / 2,
    };
    let marks = wordings::marks(&Plain::of(rest).text, said.language);
    let states = marks
        .iter()
        .any(|mark| matches!(mark, States | Incident | Trait | Place | Amount | Must | Kin | Kept));
    let is_more = marks.iter().any(|mark| matches!(mark, Settles | Asks | Proposes | Rule | Ordered));
    (size >= FEWEST_WORDS && states && !is_more).then(|| rest.to_owned())
}

/// A reason has no fewer words.
const FEWEST_WORDS: usize = 3;
