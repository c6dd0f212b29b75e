//! What an extractor is: rows of marks, any of which speaks for a sentence being of its kind. The same for all languages.
//!
//! A row alone takes what was asked to be remembered; of everything else `weights` has the say, and a row that holds is evidence.

use super::ExtractionKind;
use super::mark::Mark;
use super::session::Said;
use crate::stores::router::Kind;

/// One way to be of a kind.
#[derive(Debug)]
pub(super) struct Row {
    all: &'static [Mark],
    any: &'static [Mark],
    but: &'static [Mark],
    /// Of the router, and how likely in hundredths.
    kinds: &'static [Kind],
    least: u8,
    /// In hundredths.
    confidence: u8,
}

impl Row {
    /// A sentence with all of these.
    pub(super) const fn of(all: &'static [Mark], confidence: u8) -> Self {
        Self { all, any: &[], but: &[], kinds: &[], least: 0, confidence }
    }

    /// And one of these.
    pub(super) const fn any(self, any: &'static [Mark]) -> Self {
        Self { any, ..self }
    }

    /// And none of these.
    pub(super) const fn but(self, but: &'static [Mark]) -> Self {
        Self { but, ..self }
    }

    /// And the router takes it for one of these, at least so likely in hundredths.
    pub(super) const fn kinds(self, kinds: &'static [Kind], least: u8) -> Self {
        Self { kinds, least, ..self }
    }

    fn holds(&self, said: &Said) -> bool {
        let is_kind = || {
            said.judgement.is_some_and(|judged| {
                let is_likely = judged.likelihood * 100.0 >= f64::from(self.least);
                judged.store.is_some() && is_likely && self.kinds.contains(&judged.kind)
            })
        };
        self.all.iter().all(|mark| said.has(*mark))
            && (self.any.is_empty() || said.has_any(self.any))
            && !said.has_any(self.but)
            && (self.kinds.is_empty() || is_kind())
    }
}

/// Takes the sentences of one kind.
#[derive(Debug)]
pub(super) struct Extractor {
    pub(super) kind: ExtractionKind,
    /// Rises with every change of what it takes: what an older one took may be taken anew.
    pub(super) version: u32,
    /// Marks of sentences for which no row holds.
    pub(super) never: &'static [Mark],
    /// Marks of sentences that are never of this kind, whatever the weights say.
    pub(super) never_by_weight: &'static [Mark],
    /// Marks of what is only talk, whatever the weights say, unless it shows one of the marks in `unless`.
    pub(super) talk: &'static [Mark],
    pub(super) unless: &'static [Mark],
    pub(super) rows: &'static [Row],
}

impl Extractor {
    /// Whether the weights may take a sentence for one of this kind.
    pub(super) fn may_take(&self, said: &Said) -> bool {
        let is_talk = !said.flagged && said.has_any(self.talk) && !said.has_any(self.unless);
        !is_talk && !said.has_any(self.never_by_weight)
    }

    /// How sure it is that a sentence is of this kind, in hundredths; nothing where it is not.
    pub(super) fn takes(&self, said: &Said) -> Option<u8> {
        if said.has_any(self.never) {
            return None;
        }
        self.rows.iter().filter(|row| row.holds(said)).map(|row| row.confidence).max()
    }
}
