//! Facts: something lasting about the user's world: an address, a place, a date, a number.

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::*;

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Fact,
    version: 1,
    never: &[Asks, Supposes, Hedges, Reports, Tells, Chore, Moment, OneOff],
    rows: &[
        Row::of(&[Specific], 75).any(&[Place, Dated]).but(&[Tiny]),
        Row::of(&[Specific, Amount, States], 70),
        Row::of(&[Place, States], 65).but(&[Tiny, Chatter]),
    ],
};
