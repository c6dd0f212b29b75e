//! Everything one search looks at, as one row of passages: the sealed segments one after the other, then the fresh ones.
//!
//! A view belongs to one read transaction, so that what another process seals or merges meanwhile changes nothing. A passage's
//! number in it is its *slot*; passages of a file have neighbouring slots.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _};

use crate::postings;
use crate::segment::{self, Segment, SegmentCache, Slot};
use crate::vectors;

pub(crate) struct View<'a> {
    connection: &'a Connection,
    sealed: Vec<Arc<(Segment, Vec<i8>)>>,
    fresh: Fresh,
    width: usize,
    /// Which passages the search may find.
    pub(crate) open: Vec<bool>,
    /// How many passages there are, dead ones left out.
    pub(crate) alive: usize,
}

#[derive(Default)]
struct Fresh {
    slots: Vec<Slot>,
    vectors: Vec<i8>,
    postings: HashMap<u32, Vec<(u32, u32)>>,
}

impl<'a> View<'a> {
    /// `terms` are the only ones whose postings will be asked for, `through` says which files the search may find.
    pub(crate) fn new(
        connection: &'a Connection,
        cache: &SegmentCache,
        width: usize,
        terms: &HashSet<u32>,
        through: Option<&HashSet<u32>>,
    ) -> rusqlite::Result<Self> {
        let sealed = cache.current(connection, width)?;
        let mut fresh = Fresh::default();
        segment::for_each_fresh(connection, |slot, vector, found| {
            let at = u32::try_from(fresh.slots.len()).unwrap_or(u32::MAX);
            fresh.slots.push(slot);
            fresh.vectors.extend_from_slice(vector);
            for (term, _) in found.iter().filter(|(term, _)| terms.contains(term)) {
                let postings = fresh.postings.entry(term).or_default();
                match postings.last_mut() {
                    Some((last, count)) if *last == at => *count += 1,
                    _ => postings.push((at, 1)),
                }
            }
        })?;
        let tombstones = segment::tombstones(connection)?;
        let mut view = Self { connection, sealed, fresh, width, open: Vec::new(), alive: 0 };
        let mut open = Vec::with_capacity(view.len());
        let mut alive = 0;
        for slot in view.slots() {
            let is_alive = tombstones.is_empty() || !tombstones.contains(&slot.file);
            alive += usize::from(is_alive);
            open.push(is_alive && through.is_none_or(|through| through.contains(&slot.file)));
        }
        view.open = open;
        view.alive = alive;
        Ok(view)
    }

    pub(crate) fn len(&self) -> usize {
        self.sealed.iter().map(|part| part.0.slots.len()).sum::<usize>() + self.fresh.slots.len()
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.sealed.iter().flat_map(|part| &part.0.slots).chain(&self.fresh.slots)
    }

    /// Calls `visit` with each slot that holds the term and the number of times, in batches by part; gives how many there are.
    pub(crate) fn postings(&self, term: u32, mut visit: impl FnMut(u32, u32)) -> rusqlite::Result<usize> {
        let mut statement = self.connection.prepare_cached("SELECT data FROM postings WHERE key = ?1")?;
        let (mut offset, mut found) = (0, 0);
        for part in &self.sealed {
            let mut rows = statement.query([segment::key(part.0.id, term)])?;
            if let Some(row) = rows.next()? {
                let data = row.get_ref(0)?.as_blob()?;
                found += postings::len(data) as usize;
                let end = part.0.slots.len();
                postings::decode(data, |slot, count| {
                    if (slot as usize) < end {
                        visit(offset + slot, count);
                    }
                })?;
            }
            offset += u32::try_from(part.0.slots.len()).unwrap_or(u32::MAX);
        }
        for &(slot, count) in self.fresh.postings.get(&term).into_iter().flatten() {
            visit(offset + slot, count);
            found += 1;
        }
        Ok(found)
    }

    /// How many passages hold the term, dead ones included.
    pub(crate) fn frequency(&self, term: u32) -> rusqlite::Result<usize> {
        let mut statement =
            self.connection.prepare_cached("SELECT substr(data, 1, 5) FROM postings WHERE key = ?1")?;
        let mut found = self.fresh.postings.get(&term).map_or(0, Vec::len);
        for part in &self.sealed {
            let head: Option<Vec<u8>> =
                statement.query_row([segment::key(part.0.id, term)], |row| row.get(0)).optional()?;
            found += head.map_or(0, |head| postings::len(&head) as usize);
        }
        Ok(found)
    }

    /// The cosine of every passage with a packed vector; zeros where the widths differ.
    pub(crate) fn cosines(&self, query: &[i8]) -> Vec<f32> {
        let mut all = vec![0.0; self.len()];
        if query.len() != self.width {
            return all;
        }
        let mut rest = all.as_mut_slice();
        let parts = self.sealed.iter().map(|part| part.1.as_slice()).chain([self.fresh.vectors.as_slice()]);
        for rows in parts {
            let (out, after) = rest.split_at_mut(rows.len() / self.width);
            vectors::cosines(query, rows, out);
            rest = after;
        }
        all
    }

    /// The packed vector of one passage.
    #[cfg(test)]
    pub(crate) fn vector(&self, mut at: usize) -> Vec<u8> {
        for rows in self.sealed.iter().map(|part| &part.1).chain([&self.fresh.vectors]) {
            let count = rows.len() / self.width;
            if at < count {
                return vectors::to_bytes(&rows[at * self.width..(at + 1) * self.width]);
            }
            at -= count;
        }
        Vec::new()
    }
}
