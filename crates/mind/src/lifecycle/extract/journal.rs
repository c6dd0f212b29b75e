//! The journal: the two to five things of a conversation that are worth telling of the day, in its own sentences and their order.
//!
//! What was taken as a memory is told, what replaces something that was taken back, and what the user came with. Sentences of one
//! message that are told one after the other, and those of two near ones that speak of the same, are one entry; of entries that are too
//! many the ones that tell most stay. Nothing is said that was not said, or that was taken back.

use std::cmp::Reverse;
use std::collections::HashSet;

use rem_format::transcript::Transcript;

use super::mark::Mark;
use super::outdated::Outdated;
use super::session::{Said, Session, words_of};
use super::{Extraction, ExtractionKind, clean, context};

pub(super) const VERSION: u32 = 5;
/// A conversation gets no more entries.
const MOST: usize = 5;
/// Messages with more turns between them are not near: two others of the user's may be between.
const NEAR: usize = 6;
/// An entry has no more sentences.
const LONGEST: usize = 3;
/// Sentences with fewer words tell nothing.
const SHORTEST: usize = 2;
/// What it is less sure of is told for what it tells, as whatever else was said.
const DOUBTED: f64 = 0.7;
/// What tells less is not told for its own sake.
const TELLING: isize = 4;
/// What replaces something that was settled is worth as much as a decision.
const REPLACING: usize = 5;
/// A question tells so much less than what is stated.
const ASKING: isize = 6;
/// A sentence with figures tells so much more.
const FIGURES: isize = 3;
/// More words do not tell more.
const LONGEST_TOLD: usize = 10;
/// How sure it is of what is told because the user came with it, in hundredths.
const CAME_WITH: u8 = 50;

/// How much there is to tell of a memory of a kind.
fn worth(kind: ExtractionKind) -> usize {
    match kind {
        ExtractionKind::Decision => 5,
        ExtractionKind::Lesson => 4,
        ExtractionKind::Fact | ExtractionKind::Person => 3,
        ExtractionKind::Procedure => 2,
        ExtractionKind::Journal => 1,
    }
}

/// What is told: a sentence, or a memory.
#[derive(Clone)]
struct Part {
    told: Extraction,
    worth: usize,
    /// Its place among all sentences of the user's.
    place: usize,
}

impl Part {
    fn of(told: Extraction, worth: usize, session: &Session) -> Self {
        Self { place: place_of(&told, session), told, worth }
    }

    fn tells(&self, text: &str) -> bool {
        self.told.text.contains(text)
    }
}

/// The entries, in the order of the conversation.
pub(super) fn entries(session: &Session, taken: &[Extraction]) -> Vec<Extraction> {
    let outdated = Outdated::of(session);
    let own: Vec<&Said> = session.said().filter(|said| says_something(said) && !outdated.has(said)).collect();
    let came_with = |said: &Said| Part::of(entry(said), worth(ExtractionKind::Journal), session);
    let mut told: Vec<Part> = begun_with(&own).map(came_with).into_iter().collect();
    for each in taken.iter().filter(|each| each.confidence >= DOUBTED) {
        let part = Part::of(briefly(each), worth(each.kind), session);
        match told.iter_mut().find(|opening| part.tells(&opening.told.text)) {
            Some(opening) => *opening = part,
            None => told.push(part),
        }
    }
    for said in outdated.replacements.iter().filter(|said| says_something(said)) {
        let part = Part::of(entry(said), REPLACING, session);
        if !told.iter().any(|each| each.tells(&part.told.text)) {
            told.push(part);
        }
    }
    let mut others: Vec<&Said> = own.into_iter().filter(|said| tells(said) >= TELLING).collect();
    others.sort_by_key(|said| Reverse(tells(said)));
    let mut left = MOST.saturating_sub(lines(told.clone()).len());
    for part in others.into_iter().map(came_with) {
        if left > 0 && !told.iter().any(|each| each.tells(&part.told.text)) {
            told.push(part);
            left -= 1;
        }
    }
    let mut lines = lines(told);
    // The least told goes first, of equals the later one.
    while lines.len() > MOST {
        let worth = |at: &usize| lines[*at].iter().map(|part| part.worth).sum::<usize>();
        (0..lines.len()).rev().min_by_key(worth).map(|least| lines.remove(least));
    }
    lines.into_iter().filter_map(joined).collect()
}

fn entry(said: &Said) -> Extraction {
    Extraction::of(ExtractionKind::Journal, VERSION, said, clean::note(said), CAME_WITH)
}

/// The place of what is told among all sentences of the user's: of those at its source the one that shares most words with it.
fn place_of(told: &Extraction, session: &Session) -> usize {
    let words = words_of(&told.text);
    let source = &told.source;
    let there =
        session.said().enumerate().filter(|(_, said)| said.turn == source.turn && said.lines == source.lines);
    let best = there.min_by_key(|(_, said)| Reverse(said.words.intersection(&words).count()));
    let is_after = |said: &Said| (said.turn, said.lines.start) >= (source.turn, source.lines.start);
    best.map(|(place, _)| place).or_else(|| session.said().position(is_after)).unwrap_or(usize::MAX)
}

/// In their order, and together what is one entry.
fn lines(mut told: Vec<Part>) -> Vec<Vec<Part>> {
    told.sort_by_key(|part| part.place);
    let mut lines: Vec<Vec<Part>> = Vec::new();
    for part in told {
        match lines.last_mut().filter(|line| goes_on(line, &part.told)) {
            Some(line) => line.push(part),
            None => lines.push(vec![part]),
        }
    }
    lines
}

/// Whether an entry goes on with what is told next.
fn goes_on(line: &[Part], next: &Extraction) -> bool {
    let turns: HashSet<usize> = line.iter().flat_map(|part| turns_of(&part.told)).collect();
    let is_near = |turn: &usize| turn.abs_diff(next.source.turn) <= NEAR;
    let words = words_of(&next.text);
    let speaks_of_it = || line.iter().any(|part| !words_of(&part.told.text).is_disjoint(&words));
    line.len() < LONGEST
        && (turns.contains(&next.source.turn)
            || turns.len() == 1 && turns.iter().all(is_near) && speaks_of_it())
}

fn turns_of(told: &Extraction) -> impl Iterator<Item = usize> {
    std::iter::once(&told.source).chain(&told.further).map(|source| source.turn)
}

fn joined(line: Vec<Part>) -> Option<Extraction> {
    let mut parts = line.into_iter().map(|part| part.told);
    let mut first = parts.next()?;
    parts.for_each(|part| first.join(&part));
    Some(first)
}

/// Whatever may be told of a conversation: the entries that the rules chose, and sentences of the user that are in none; in their order.
pub(crate) fn tellable(transcript: &Transcript, extractions: &[Extraction]) -> Vec<Extraction> {
    let mut session = Session::read(transcript);
    context::add_marks(&mut session);
    let outdated = Outdated::of(&session);
    let mut told: Vec<Extraction> =
        extractions.iter().filter(|each| each.kind == ExtractionKind::Journal).cloned().collect();
    for said in session.said().filter(|said| says_something(said) && !outdated.has(said)) {
        let text = clean::note(said);
        let is_said = |each: &Extraction| {
            let mut places = std::iter::once(&each.source).chain(&each.further);
            each.text.contains(&text)
                && places.any(|place| place.turn == said.turn && place.lines == said.lines)
        };
        if !told.iter().any(is_said) {
            told.push(entry(said));
        }
    }
    told.sort_by_cached_key(|each| place_of(each, &session));
    told
}

/// A memory as the day tells it: of steps that were listed, what they are for.
fn briefly(told: &Extraction) -> Extraction {
    let text = told.text.split_once(":\n").map_or(told.text.as_str(), |(way, _)| way).to_owned();
    let (kind, version) = (ExtractionKind::Journal, VERSION);
    Extraction { kind, version, text, project: None, reason: None, person: None, ..told.clone() }
}

/// Of the first message what tells most of why the user came.
fn begun_with<'s>(own: &[&'s Said]) -> Option<&'s Said> {
    let first = own.first()?;
    let of_first: Vec<&&Said> = own.iter().take_while(|said| said.turn == first.turn).collect();
    // Of equals the first one; here a question tells as well.
    let telling = |said: &&&Said| tells(said) + if said.has(Mark::Asks) { ASKING / 2 } else { 0 };
    of_first.into_iter().rev().max_by_key(telling).copied()
}

/// How much a sentence tells to somebody who was not there: what it is about, and what it has that can be looked for again; less where it is for the moment
/// alone.
fn tells(said: &Said) -> isize {
    const TELLS: [(Mark, isize); 10] = [
        (Mark::Specific, 3),
        (Mark::Dated, 3),
        (Mark::Amount, 3),
        (Mark::Incident, 3),
        (Mark::Kept, 2),
        (Mark::Place, 2),
        (Mark::Role, 2),
        (Mark::Trait, 2),
        (Mark::Named, 2),
        (Mark::States, 2),
    ];
    const SAYS_LITTLE: [(Mark, isize); 8] = [
        (Mark::Asks, ASKING),
        (Mark::Chatter, 6),
        (Mark::Moment, 5),
        (Mark::Chore, 3),
        (Mark::OneOff, 2),
        (Mark::Supposes, 4),
        (Mark::Tells, 8),
        (Mark::Reports, 2),
    ];
    let sum =
        |of: &[(Mark, isize)]| of.iter().filter(|each| said.has(each.0)).map(|each| each.1).sum::<isize>();
    let figures = if said.text.contains(|sign: char| sign.is_ascii_digit()) { FIGURES } else { 0 };
    figures + isize::try_from(said.size().min(LONGEST_TOLD)).unwrap_or_default() + sum(&TELLS)
        - sum(&SAYS_LITTLE)
}

/// Whether a sentence may be told at all.
pub(super) fn says_something(said: &Said) -> bool {
    let says_nothing = [Mark::Remarks, Mark::Secret, Mark::Tiny, Mark::Denied, Mark::Denies];
    said.size() >= SHORTEST && !said.has_any(&says_nothing)
}
