//! How visible each passage is on the day of a question (M9.2), and what its memory's relevance makes of its score (S8).

use std::sync::Arc;

use crate::access::Accesses;
use crate::decay::{Relevances, Standing, Visibility, visibility};
use crate::query::Query;
use crate::rank::faded;
use crate::segment::{Slot, Traits};
use crate::write::days;

/// What the relevance of the memories means for the passages of one question.
pub(crate) struct Visibilities<'a> {
    query: &'a Query,
    /// Nothing where nothing fades.
    relevances: Option<Relevances<'a>>,
    accesses: Arc<Accesses>,
}

impl<'a> Visibilities<'a> {
    pub(crate) fn new(query: &'a Query, accesses: Arc<Accesses>) -> Self {
        let relevances = query
            .today
            .zip(query.decay.as_ref())
            .map(|(today, settings)| Relevances::on(days(today), settings));
        Self { query, relevances, accesses }
    }

    /// What a passage's memory is worth now, where it is of one that fades.
    fn relevance(&self, slot: &Slot) -> Option<f64> {
        let (relevances, standing) = (self.relevances.as_ref()?, slot.fading.standing()?);
        Some(relevances.of(&self.used(slot, standing)))
    }

    fn used(&self, slot: &Slot, standing: Standing) -> Standing {
        match self.accesses.get(&slot.fading.memory) {
            Some(told) => standing.with_told(told),
            None => standing,
        }
    }

    pub(crate) fn of(&self, slot: &Slot) -> Visibility {
        if slot.traits.has(Traits::ARCHIVED) {
            return Visibility::Archived;
        }
        match (self.relevance(slot), &self.query.decay) {
            (Some(relevance), Some(settings)) => visibility(relevance, settings),
            _ => Visibility::Active,
        }
    }

    /// Whether the question may be answered by it.
    pub(crate) fn shows(&self, slot: &Slot) -> bool {
        self.query.include.shows(self.of(slot))
    }

    /// What a passage's score is multiplied by.
    pub(crate) fn factor(&self, slot: &Slot) -> f64 {
        let Some(relevance) = self.relevance(slot) else { return 1.0 };
        let Some(settings) = &self.query.decay else { return 1.0 };
        // What never fades counts as what matters most and was used today.
        let relevance = if relevance.is_finite() { relevance } else { settings.core_weight };
        faded(relevance, self.query.ranking.relevance_strength).max(0.0)
    }
}
