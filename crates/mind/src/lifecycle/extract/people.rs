//! People: something lasting about a person or pet with a name, or about the user.

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::*;
use crate::stores::router::Kind;

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Person,
    version: 5,
    never: &[Asks, Supposes, Reports, Tells, Secret, Remarks],
    never_by_weight: &[Supposes, Tells, Secret, Nobody],
    talk: &[First],
    unless: &[Own, Trait, Role, Taste, Kin, Named, Manner, Pronoun, Resolved, Short, Always],
    rows: &[
        Row::of(&[Named], 85).any(&[Role, Trait]).but(&[Hedges, Past]),
        Row::of(&[Named], 85).any(&[Trait]).but(&[Hedges]),
        Row::of(&[Named, Kin], 85).any(&[Role]).but(&[Hedges]),
        Row::of(&[Kin], 80).any(&[Role, Trait]).but(&[Hedges, Chore]),
        Row::of(&[Resolved], 75).any(&[Role, Trait]).but(&[Hedges, Chore]),
        Row::of(&[Own], 80).but(&[Hedges, Chore, OneOff]),
        Row::of(&[Kin, Named], 70).but(&[Past, PastTime, Coming, Settles, Hedges, Chore, Moment]),
        Row::of(&[Taste, First], 75)
            .but(&[Hedges, Chore, OneOff, Moment, Past, Settles])
            .kinds(&[Kind::Preference, Kind::Identity], 80),
        Row::of(&[First], 75)
            .but(&[Hedges, Chore, OneOff, Moment, Past, Settles, Chatter])
            .kinds(&[Kind::Preference, Kind::Identity], 90),
        Row::of(&[Manner, Addressed], 75)
            .but(&[Hedges, Chore, OneOff, Moment, Past, Settles, Rule, Chatter])
            .kinds(&[Kind::Preference], 80),
    ],
};
