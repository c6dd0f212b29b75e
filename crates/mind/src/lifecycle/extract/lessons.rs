//! Lessons: what was learned from what went wrong or right, and holds for next time.

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::*;

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Lesson,
    version: 4,
    never: &[Asks, Supposes, Reports, Tells, Secret],
    never_by_weight: &[Supposes, Tells, Secret],
    talk: &[News],
    unless: &[Learned, Must, Rule],
    rows: &[
        Row::of(&[Learned], 85).but(&[Hedges, Tiny, Chatter]),
        Row::of(&[Learned, Must], 85),
        Row::of(&[Incident, Must], 75).but(&[Hedges, Settles, OneOff, Ordered]),
        Row::of(&[Incident, Must, PastTime], 75).but(&[Hedges, OneOff]),
    ],
};
