//! Procedures: steps in their order, and rules of working that the user wants followed.

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::*;
use crate::stores::router::Kind;

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Procedure,
    version: 4,
    never: &[Asks, Supposes, Hedges, Reports, Tells, Secret],
    never_by_weight: &[Supposes, Tells, Secret],
    talk: &[],
    unless: &[],
    rows: &[
        Row::of(&[Ordered], 85).but(&[PastTime, Past, Moment, Chore, Settles, OneOff, Role]),
        Row::of(&[Ordered, Rule], 90),
        Row::of(&[Ordered, Must], 85).but(&[PastTime, Moment, OneOff]),
        Row::of(&[Rule], 85).any(&[Must, Manner, Addressed, Always]).but(&[Moment, Past]),
        Row::of(&[Must], 75)
            .but(&[First, Moment, Chore, OneOff, Past, Named, Kin, Manner, Own, Settles])
            .kinds(&[Kind::Rule, Kind::Howto], 80),
        Row::of(&[Condition], 75)
            .but(&[First, Moment, Chore, OneOff, Past, Named, Kin])
            .kinds(&[Kind::Rule, Kind::Howto], 85),
        Row::of(&[Steps], 75)
            .but(&[Moment, Chore, OneOff, Past, PastTime, Named, Kin])
            .kinds(&[Kind::Howto], 85),
        Row::of(&[Manner, Addressed], 75)
            .but(&[First, Moment, Chore, OneOff, Past, Named, Kin, Chatter, Short])
            .kinds(&[Kind::Rule], 90),
        Row::of(&[Always], 75)
            .but(&[Settles, Own, First, Moment, Chore, OneOff, Past, Named, Kin, Chatter])
            .kinds(&[Kind::Rule], 85),
        Row::of(&[Handlings], 75)
            .but(&[Settles, Undoes, Own, Moment, Chore, OneOff, Past, PastTime, Named, Kin, Chatter])
            .kinds(&[Kind::Howto], 92),
    ],
};
