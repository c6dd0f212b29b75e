//! The journal: the two to five things of a conversation that are worth telling of the day, in its own sentences.
//!
//! What was taken as a memory comes first; where that is little, what the user came with. Neighbours that speak of the same are
//! one entry. Extractive: nothing is said that was not said.

use super::mark::Mark;
use super::session::{Said, Session};
use super::{Extraction, ExtractionKind, clean};

pub(super) const VERSION: u32 = 1;
/// A day's entry has no more bullets from one conversation.
const MOST: usize = 5;
/// Fewer memories than this are filled up with what the user came with.
const FEW: usize = 2;
/// Sentences with fewer words tell nothing.
const SHORTEST: usize = 2;

/// The order in which kinds are worth telling.
const WORTH: [ExtractionKind; 5] = [
    ExtractionKind::Decision,
    ExtractionKind::Lesson,
    ExtractionKind::Fact,
    ExtractionKind::Person,
    ExtractionKind::Procedure,
];

/// The entries, in the order of the conversation.
pub(super) fn entries(session: &Session, taken: &[Extraction]) -> Vec<Extraction> {
    let mut entries: Vec<Extraction> = Vec::new();
    if let Some(opening) = openings(session).next() {
        entries.push(entry(opening));
    }
    let mut ranked: Vec<&Extraction> = taken.iter().collect();
    let worth = |each: &Extraction| WORTH.iter().position(|kind| *kind == each.kind);
    ranked.sort_by_key(|each| (!each.flagged, worth(each)));
    for each in ranked {
        if entries.len() == MOST {
            break;
        }
        if !entries.iter().any(|entry| entry.text == each.text) {
            entries.push(Extraction { kind: ExtractionKind::Journal, version: VERSION, ..each.clone() });
        }
    }
    for opening in openings(session).skip(1) {
        if entries.len() > FEW {
            break;
        }
        entries.push(entry(opening));
    }
    entries.sort_by_key(|entry| (entry.source.turn, entry.source.lines.start));
    entries
}

/// What the user came with, from the first message on.
fn openings(session: &Session) -> impl Iterator<Item = &Said> {
    let tells = |said: &&Said| said.size() >= SHORTEST && !said.has(Mark::Remarks);
    session.said().filter(tells)
}

fn entry(said: &Said) -> Extraction {
    Extraction::of(ExtractionKind::Journal, VERSION, said, clean::note(said), 50)
}
