//! The shortest way between two entities over the edges of the graph, in either direction.
//!
//! Looked for from both ends at once, a whole step at a time from the end with less to look at, so that what is found is the
//! shortest and few entities are looked at. Must not go through what is archived, unless it is an end itself.

use std::collections::{BTreeMap, HashSet};

use jiff::civil::Date;

use crate::addressees::Asking;
use crate::database::IndexError;
use crate::graph::{Around, Connected};
use crate::index::Index;

/// One end, and how far the search has come from there.
struct Side {
    /// From where each entity was reached, by which edge; the end itself by none.
    reached: BTreeMap<String, Option<(String, Connected)>>,
    /// What was reached last.
    border: Vec<String>,
}

impl Side {
    fn of(id: &str) -> Self {
        Self { reached: BTreeMap::from([(id.to_owned(), None)]), border: vec![id.to_owned()] }
    }

    /// The edges from `id` back to the end.
    fn back(&self, id: &str) -> Vec<Connected> {
        let (mut edges, mut at) = (Vec::new(), id);
        while let Some(Some((before, edge))) = self.reached.get(at) {
            edges.push(edge.clone());
            at = before;
        }
        edges
    }

    fn distance(&self, id: &str) -> usize {
        self.back(id).len()
    }
}

impl Index {
    /// The edges of a shortest way from one entity to another, in their order, whichever way each of them points: at most `hops`
    /// edges, and at most `breadth` from each entity, those used last. What holds, or held on the day `at`, and is for those who ask. Empty where both are
    /// one; nothing where there is no such way.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn route(
        &self,
        from: &str,
        to: &str,
        hops: usize,
        breadth: usize,
        at: Option<Date>,
        asking: &Asking,
    ) -> Result<Option<Vec<Connected>>, IndexError> {
        self.routed(from, to, hops, breadth, at, asking).map_err(|source| self.error(source))
    }

    fn routed(
        &self,
        from: &str,
        to: &str,
        hops: usize,
        breadth: usize,
        at: Option<Date>,
        asking: &Asking,
    ) -> rusqlite::Result<Option<Vec<Connected>>> {
        if from == to {
            return Ok(Some(Vec::new()));
        }
        let archived: HashSet<String> =
            self.archived()?.into_iter().filter(|id| id != from && id != to).collect();
        let mut around = Around::new(&self.connection, breadth, at, self.seen(asking)?)?;
        let (mut one, mut other) = (Side::of(from), Side::of(to));
        for _ in 0..hops {
            if one.border.len() > other.border.len() {
                std::mem::swap(&mut one, &mut other);
            }
            if one.border.is_empty() {
                return Ok(None);
            }
            let mut next = Vec::new();
            for id in std::mem::take(&mut one.border) {
                for edge in around.of(&id)? {
                    let far = if edge.from == id { &edge.to } else { &edge.from };
                    if !archived.contains(far) && !one.reached.contains_key(far) {
                        next.push(far.clone());
                        one.reached.insert(far.clone(), Some((id.clone(), edge.clone())));
                    }
                }
            }
            // Where both sides met, the nearest meeting is on a shortest way.
            let met = next.iter().filter(|id| other.reached.contains_key(*id));
            if let Some(met) = met.min_by_key(|id| (other.distance(id), (*id).clone())) {
                let (head, tail) = if one.reached.get(from).is_some_and(Option::is_none) {
                    (one.back(met), other.back(met))
                } else {
                    (other.back(met), one.back(met))
                };
                return Ok(Some(head.into_iter().rev().chain(tail).collect()));
            }
            one.border = next;
        }
        Ok(None)
    }
}
