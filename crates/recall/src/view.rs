//! Everything a search looks at, as one row of passages: the sealed segments one after the other, then the fresh ones.
//!
//! A view is made once for each generation of the index and kept as long as the index is open, so a search in a long-lived
//! process touches only the postings of its words. A passage's number in the view is its *slot*; the passages of a file have
//! rising slots, in runs (`runs.rs`). What is read later (postings, texts) is read in the same transaction that checked the generation.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension as _};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::correction::{self, Corrected};
use crate::lexicon;
use crate::postings;
use crate::query::Through;
use crate::rank;
use crate::runs::Conversations;
use crate::segment::{self, Sealed, Slot, Terms, Tombstones, Traits};
use crate::vectors;
use crate::window;

/// The state of an index of one generation.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) generation: u64,
    sealed: Vec<Arc<Sealed>>,
    fresh_terms: Vec<Terms>,
    fresh_vectors: Vec<i8>,
    width: usize,
    /// What ranking knows of each passage.
    pub(crate) slots: Vec<Slot>,
    /// What each passage is, once more: a large store is looked through for this alone.
    pub(crate) traits: Vec<Traits>,
    /// Which passages still count.
    pub(crate) alive: Vec<bool>,
    /// How many of them.
    pub(crate) count: usize,
    /// Where the turns of each conversation are.
    pub(crate) conversations: Conversations,
    /// The numbers of the names that turns begin with, each that of several turns.
    pub(crate) speakers: FxHashSet<u32>,
    /// What living corrections correct.
    pub(crate) corrected: Vec<Corrected>,
    /// BM25's part of each passage that depends on its length, that of a turn measured by a window.
    pub(crate) norms: Vec<f32>,
    /// The numbers of terms that were asked for.
    terms: Mutex<FxHashMap<String, Option<u32>>>,
}

/// So many terms are kept; then the table begins anew.
const MOST_TERMS: usize = 10_000;

/// The fresh passages that hold certain terms: slots and counts by term.
pub(crate) type FreshPostings = FxHashMap<u32, Vec<(u32, u32)>>;

impl View {
    /// Reads the view of the present generation, with what is still right of the one `before`, in its memory.
    pub(crate) fn load(
        connection: &Connection,
        generation: u64,
        width: usize,
        before: Option<Self>,
    ) -> rusqlite::Result<Self> {
        let before = before.unwrap_or_default();
        let known: HashMap<i64, &Arc<Sealed>> =
            before.sealed.iter().map(|sealed| (sealed.id, sealed)).collect();
        let mut sealed = Vec::new();
        for id in segment::ids(connection)? {
            sealed.push(match known.get(&id) {
                Some(sealed) => (*sealed).clone(),
                None => Arc::new(Sealed::load(connection, id, width)?),
            });
        }
        let is_as_before =
            sealed.len() == known.len() && sealed.iter().all(|each| known.contains_key(&each.id));
        let size: usize = sealed.iter().map(|each| each.slots.len()).sum();
        let (mut slots, mut alive, norms) = (before.slots, before.alive, before.norms);
        let mut traits = before.traits;
        if is_as_before && slots.len() >= size {
            slots.truncate(size);
        } else {
            slots.clear();
            sealed.iter().for_each(|each| slots.extend_from_slice(&each.slots));
        }
        alive.clear();
        traits.clear();
        let mut view = Self { generation, width, sealed, slots, traits, alive, norms, ..Self::default() };
        segment::for_each_fresh(connection, |slot, vector, terms| {
            view.slots.push(slot);
            view.fresh_vectors.extend_from_slice(vector);
            view.fresh_terms.push(terms.clone());
        })?;
        view.traits.extend(view.slots.iter().map(|slot| slot.traits));
        let mut dead = Tombstones::read(connection)?;
        view.alive.extend(view.slots.iter().map(|slot| !dead.holds(slot.passage)));
        view.count = view.alive.iter().filter(|alive| **alive).count();
        let held: i64 =
            connection.prepare_cached("SELECT count(*) FROM passages")?.query_row([], |row| row.get(0))?;
        if usize::try_from(held).ok() != Some(view.count) {
            // Rows are gone that somebody took out: as good as damaged.
            return Err(rusqlite::Error::QueryReturnedNoRows);
        }
        if is_incomplete(connection)? {
            return Err(rusqlite::Error::QueryReturnedNoRows);
        }
        view.speakers = speakers_of(view.living());
        view.conversations = Conversations::among(&view.slots, &view.alive);
        rank::norms(&view.slots, &view.alive, window::measured, &mut view.norms);
        view.corrected = correction::corrected(connection, &view.slots, &view.alive)?;
        Ok(view)
    }

    /// The passages that count.
    fn living(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().zip(&self.alive).filter_map(|(slot, alive)| alive.then_some(slot))
    }

    /// What the next view takes over where this one is still asked: it cannot have its memory.
    pub(crate) fn to_take_over(&self) -> Self {
        Self { sealed: self.sealed.clone(), ..Self::default() }
    }

    /// The living turn that follows the turn `at`.
    pub(crate) fn turn_after(&self, at: usize) -> Option<usize> {
        Some(self.conversations.after(at)).filter(|near| self.is_turn_with(*near, at))
    }

    /// The living turn that the turn `at` follows.
    pub(crate) fn turn_before(&self, at: usize) -> Option<usize> {
        self.conversations.before(at).filter(|near| self.is_turn_with(*near, at))
    }

    fn is_turn_with(&self, near: usize, at: usize) -> bool {
        let slot = self.slots.get(near);
        slot.is_some_and(|near| near.file == self.slots[at].file && near.traits.has(Traits::TURN))
            && self.alive[near]
    }

    /// Which passages a search may find: those alive, for whoever asks (`seen`), of the files it is let `through`, that it `shows`;
    /// and which it would find but for that last.
    pub(crate) fn open(
        &self,
        seen: Option<&[bool]>,
        through: Option<&Through>,
        shows: impl Fn(&Slot) -> bool,
    ) -> (Vec<bool>, Vec<usize>) {
        let mut hidden = Vec::new();
        let is_open = |(at, (slot, alive)): (usize, (&Slot, &bool))| {
            let is_let = *alive
                && seen.is_none_or(|seen| seen[at])
                && through.is_none_or(|through| through.holds(slot));
            let is_shown = is_let && shows(slot);
            if is_let && !is_shown {
                hidden.push(at);
            }
            is_shown
        };
        let open = self.slots.iter().zip(&self.alive).enumerate().map(is_open).collect();
        (open, hidden)
    }

    /// The fresh passages that hold any of the terms.
    pub(crate) fn fresh_postings(&self, terms: &FxHashSet<u32>) -> FreshPostings {
        let first = self.slots.len() - self.fresh_terms.len();
        let mut found = FreshPostings::default();
        for (index, passage) in self.fresh_terms.iter().enumerate() {
            let at = u32::try_from(first + index).unwrap_or(u32::MAX);
            for (term, _) in passage.iter().filter(|(term, _)| terms.contains(term)) {
                let postings = found.entry(term).or_default();
                match postings.last_mut() {
                    Some((last, count)) if *last == at => *count += 1,
                    _ => postings.push((at, 1)),
                }
            }
        }
        found
    }

    /// The number of a term, if it has one.
    pub(crate) fn term(&self, connection: &Connection, term: &str) -> rusqlite::Result<Option<u32>> {
        let kept = || self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().get(term) {
            return Ok(*known);
        }
        let found = lexicon::find(connection, term)?;
        let mut kept = kept();
        if kept.len() >= MOST_TERMS {
            kept.clear();
        }
        kept.insert(term.to_owned(), found);
        Ok(found)
    }

    /// The packed postings of a term, each with the slot its segment begins at.
    pub(crate) fn postings(
        &self,
        connection: &Connection,
        term: u32,
    ) -> rusqlite::Result<Vec<(u32, Vec<u8>)>> {
        let mut statement = connection.prepare_cached("SELECT data FROM postings WHERE key = ?1")?;
        let (mut first, mut found) = (0, Vec::new());
        for sealed in &self.sealed {
            let data: Option<Vec<u8>> =
                statement.query_row([segment::key(sealed.id, term)], |row| row.get(0)).optional()?;
            found.extend(data.map(|data| (first, data)));
            first += u32::try_from(sealed.slots.len()).unwrap_or(u32::MAX);
        }
        Ok(found)
    }

    /// How many passages hold the term.
    pub(crate) fn frequency(&self, connection: &Connection, term: u32) -> rusqlite::Result<usize> {
        let holds = |terms: &&Terms| terms.iter().any(|(each, _)| each == term);
        let fresh = self.fresh_terms.iter().filter(holds).count();
        let mut statement = connection.prepare_cached("SELECT passages FROM postings WHERE key = ?1")?;
        let mut frequency = 0;
        for sealed in &self.sealed {
            let found: Option<u32> =
                statement.query_row([segment::key(sealed.id, term)], |row| row.get(0)).optional()?;
            frequency += found.unwrap_or(0) as usize;
        }
        Ok((frequency + fresh).saturating_sub(self.dead_with(connection, term)?))
    }

    /// How many passages hold the term that are dead and still in a segment.
    pub(crate) fn dead_with(&self, connection: &Connection, term: u32) -> rusqlite::Result<usize> {
        if self.count == self.slots.len() {
            return Ok(0);
        }
        let mut statement = connection.prepare_cached("SELECT passages FROM dead_terms WHERE term = ?1")?;
        let dead: Option<i64> = statement.query_row([term], |row| row.get(0)).optional()?;
        Ok(dead.and_then(|dead| usize::try_from(dead).ok()).unwrap_or(0))
    }

    /// Calls `visit` with each slot that holds the term and the number of times.
    pub(crate) fn visit(
        &self,
        packed: &[(u32, Vec<u8>)],
        fresh: &[(u32, u32)],
        mut visit: impl FnMut(usize, u32),
    ) -> rusqlite::Result<()> {
        let end = self.slots.len();
        for (first, data) in packed {
            postings::decode(data, |slot, count| {
                let at = (first + slot) as usize;
                // Damage that still reads as numbers.
                if at < end {
                    visit(at, count);
                }
            })?;
        }
        fresh.iter().for_each(|(slot, count)| visit(*slot as usize, *count));
        Ok(())
    }

    /// The cosine of every passage with a packed vector, into `out`; zeros where the widths differ.
    pub(crate) fn cosines(&self, query: &[i8], out: &mut Vec<f32>) {
        out.clear();
        out.resize(self.slots.len(), 0.0);
        if query.len() != self.width {
            return;
        }
        let mut rest = out.as_mut_slice();
        let parts =
            self.sealed.iter().map(|sealed| sealed.vectors.as_slice()).chain([self.fresh_vectors.as_slice()]);
        for rows in parts {
            let (part, after) = rest.split_at_mut(rows.len() / self.width);
            vectors::cosines(query, rows, part);
            rest = after;
        }
    }

    /// The packed vector of one passage.
    #[cfg(test)]
    pub(crate) fn vector(&self, mut at: usize) -> Vec<u8> {
        for rows in self.sealed.iter().map(|sealed| &sealed.vectors).chain([&self.fresh_vectors]) {
            let count = rows.len() / self.width;
            if at < count {
                return vectors::to_bytes(&rows[at * self.width..(at + 1) * self.width]);
            }
            at -= count;
        }
        Vec::new()
    }
}

/// Whether rows are gone that every search needs: what somebody took out is as good as damaged.
fn is_incomplete(connection: &Connection) -> rusqlite::Result<bool> {
    let missing = "SELECT (SELECT count(*) FROM lexicon) <> (SELECT value FROM meta WHERE key = 'next_term')
        OR (SELECT total(files) FROM languages) <> (SELECT count(*) FROM files)";
    connection.prepare_cached(missing)?.query_row([], |row| row.get(0))
}

/// The names that at least three turns begin with: fewer may be any word before a colon.
fn speakers_of<'s>(slots: impl Iterator<Item = &'s Slot>) -> FxHashSet<u32> {
    const AT_LEAST: u32 = 3;
    let mut turns: FxHashMap<u32, u32> = FxHashMap::default();
    for slot in slots.filter(|slot| slot.speaker != 0) {
        *turns.entry(slot.speaker).or_default() += 1;
    }
    turns.into_iter().filter(|(_, turns)| *turns >= AT_LEAST).map(|(speaker, _)| speaker).collect()
}
