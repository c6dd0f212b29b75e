//! People: something lasting about a person or pet with a name, or about the user.

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::*;

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Person,
    version: 1,
    never: &[Asks, Supposes, Reports, Tells, Chore],
    rows: &[
        Row::of(&[Named], 85).any(&[Role, Trait]).but(&[Hedges]),
        Row::of(&[Kin], 80).any(&[Role, Trait]).but(&[Hedges]),
        Row::of(&[Resolved], 75).any(&[Role, Trait]).but(&[Hedges]),
        Row::of(&[Own], 80).but(&[Hedges]),
    ],
};
