//! The journal: the two to five things of a conversation that are worth telling of the day, in its own sentences.
//!
//! What was taken as a memory is told, and what the user came with. Sentences of one message, and those of two near ones that speak of
//! the same, are one entry; of entries that are too many the ones that tell most stay. Nothing is said that was not said.

use std::collections::HashSet;

use rem_format::transcript::Transcript;

use super::mark::Mark;
use super::session::{Said, Session, words_of};
use super::{Extraction, ExtractionKind, clean};

pub(super) const VERSION: u32 = 4;
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

/// What becomes an entry.
struct Group {
    entry: Extraction,
    words: HashSet<String>,
    sentences: usize,
    worth: usize,
}

impl Group {
    fn of(told: &Extraction) -> Self {
        let entry = Extraction { kind: ExtractionKind::Journal, version: VERSION, ..told.clone() };
        Self { entry, words: words_of(&told.text), sentences: 1, worth: worth(told.kind) }
    }

    fn take(&mut self, told: &Extraction) {
        self.entry.join(told);
        self.words.extend(words_of(&told.text));
        self.sentences += 1;
        self.worth += worth(told.kind);
    }

    fn goes_with(&self, told: &Extraction) -> bool {
        let turns: HashSet<usize> = std::iter::once(&self.entry.source)
            .chain(&self.entry.further)
            .map(|source| source.turn)
            .collect();
        let is_near = |turn: &usize| turn.abs_diff(told.source.turn) <= NEAR;
        let speaks_of_it = || !self.words.is_disjoint(&words_of(&told.text));
        let of_message = turns.contains(&told.source.turn);
        self.sentences < LONGEST
            && (of_message || turns.len() == 1 && turns.iter().all(is_near) && speaks_of_it())
    }
}

/// The entries, in the order of the conversation.
pub(super) fn entries(session: &Session, taken: &[Extraction]) -> Vec<Extraction> {
    let mut groups: Vec<Group> = Vec::new();
    let own: Vec<&Said> = openings(session).collect();
    let entry =
        |said: &Said| Extraction::of(ExtractionKind::Journal, VERSION, said, clean::note(said), CAME_WITH);
    let begun = begun_with(&own);
    let mut told: Vec<Extraction> = begun.map(entry).into_iter().collect();
    let taken = taken.iter().filter(|each| each.confidence >= DOUBTED).map(briefly);
    let is_told = |text: &str, told: &[Extraction]| told.iter().any(|each| each.text.contains(text));
    for each in taken {
        match told.iter_mut().find(|opening| each.text.contains(&opening.text)) {
            Some(opening) => *opening = each,
            None => told.push(each),
        }
    }
    for each in &told {
        match groups.iter_mut().rev().find(|group| group.goes_with(each)) {
            Some(group) => group.take(each),
            None => groups.push(Group::of(each)),
        }
    }
    let mut others: Vec<&Said> = own.iter().copied().filter(|said| tells(said) >= TELLING).collect();
    others.sort_by_key(|said| std::cmp::Reverse(tells(said)));
    for opening in others.into_iter().map(entry) {
        if groups.len() >= MOST {
            break;
        }
        if !is_told(&opening.text, &told) {
            told.push(opening.clone());
            groups.push(Group::of(&opening));
        }
    }
    // The least told goes first, of equals the later one.
    while groups.len() > MOST {
        let least = (0..groups.len()).rev().min_by_key(|at| groups[*at].worth);
        least.map(|at| groups.remove(at));
    }
    groups.sort_by_key(|group| (group.entry.source.turn, group.entry.source.lines.start));
    groups
        .into_iter()
        .map(|group| Extraction { project: None, reason: None, person: None, ..group.entry })
        .collect()
}

/// Whatever may be told of a conversation: the entries that the rules chose, and sentences of the user that are in none; in their order.
pub(crate) fn tellable(transcript: &Transcript, extractions: &[Extraction]) -> Vec<Extraction> {
    let session = Session::read(transcript);
    let mut told: Vec<Extraction> =
        extractions.iter().filter(|each| each.kind == ExtractionKind::Journal).cloned().collect();
    for said in openings(&session) {
        let text = clean::note(said);
        let is_said = |each: &Extraction| {
            let mut places = std::iter::once(&each.source).chain(&each.further);
            each.text.contains(&text)
                || places.any(|place| place.turn == said.turn && place.lines == said.lines)
        };
        if !told.iter().any(is_said) {
            told.push(Extraction::of(ExtractionKind::Journal, VERSION, said, text, CAME_WITH));
        }
    }
    told.sort_by_key(|each| (each.source.turn, each.source.lines.start));
    told
}

/// A memory as the day tells it: of steps that were listed, what they are for.
fn briefly(told: &Extraction) -> Extraction {
    let mut told = told.clone();
    if let Some((way, _)) = told.text.split_once(":\n") {
        told.text = way.to_owned();
    }
    told
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

/// What the user came with, from the first message on.
fn openings(session: &Session) -> impl Iterator<Item = &Said> {
    let says_nothing = [Mark::Remarks, Mark::Secret, Mark::Tiny, Mark::Denied, Mark::Denies];
    session.said().filter(move |said| said.size() >= SHORTEST && !said.has_any(&says_nothing))
}
