//! Lessons: what was learned from what went wrong or right, and holds for next time.

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::*;

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Lesson,
    version: 1,
    never: &[Asks, Supposes, Reports, Tells, Chore],
    rows: &[
        Row::of(&[Learned], 85).but(&[Hedges, Tiny]),
        Row::of(&[Incident], 75).any(&[Must, Rule]).but(&[Hedges, Settles]),
    ],
};
