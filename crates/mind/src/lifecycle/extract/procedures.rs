//! Procedures: steps in their order, and rules of working that the user wants followed.

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::*;
use crate::stores::router::Kind;

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Procedure,
    version: 1,
    never: &[Asks, Supposes, Hedges, Reports, Tells],
    rows: &[
        Row::of(&[Ordered], 85).but(&[PastTime, Moment, Chore, Settles]),
        Row::of(&[Ordered, Rule], 90),
        Row::of(&[Rule], 85).any(&[Must, Manner, Addressed, Always]).but(&[Moment]),
        Row::of(&[], 75)
            .any(&[Must, Always])
            .but(&[First, Moment, Chore, OneOff, Past, Named, Kin])
            .kinds(&[Kind::Rule]),
    ],
};
