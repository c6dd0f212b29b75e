//! Facts: something lasting about the user's world: an address, a place, a date, a number.

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::*;
use crate::stores::router::Kind;

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Fact,
    version: 3,
    never: &[Asks, Supposes, Hedges, Reports, Tells, Chore, Moment, OneOff, Secret, Remarks, Ifs],
    never_by_weight: &[Asks, Supposes, Tells, Secret, Hedges, Reports],
    talk: &[],
    unless: &[],
    rows: &[
        Row::of(&[Specific], 75).any(&[Place, Dated]).but(&[Tiny, Past]),
        Row::of(&[Specific, Amount, States], 70).but(&[Past, PastTime]),
        Row::of(&[Specific, Replies], 75).any(&[Place, Dated, Amount, Date, Clock]).but(&[Past]),
        Row::of(&[Specific, Origin], 70).any(&[Date, States]).but(&[First, Chatter]),
        Row::of(&[Kept], 75).but(&[Tiny, Named]),
        Row::of(&[Specific, States], 70)
            .but(&[Past, PastTime, Chatter])
            .kinds(&[Kind::Fact, Kind::Relation], 85),
        Row::of(&[Place], 70).but(&[Tiny, Chatter, Past, PastTime]).kinds(&[Kind::Fact, Kind::Relation], 75),
        Row::of(&[States], 70)
            .any(&[Regular, Clock])
            .but(&[Past, PastTime, Chatter, First])
            .kinds(&[Kind::Fact, Kind::Relation, Kind::Event], 75),
        Row::of(&[States], 65)
            .but(&[Chatter, Past, PastTime, Short, First])
            .kinds(&[Kind::Fact, Kind::Relation], 92),
    ],
};
