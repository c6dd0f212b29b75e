//! Segments: many passages packed for reading at once, as a log-structured merge tree has them.
//!
//! A passage is *fresh* when it was just written: its terms and its vector stand in rows of their own. Some thousand fresh
//! passages are *sealed* into a segment: one blob of slots, one of postings for each term, vectors in large chunks. Sealed
//! segments never change; eight of about the same size become one. What was replaced or removed stays in its segment, with its
//! numbers among the tombstones, until the segment is written anew. Everything happens in the caller's transaction.
//!
//! Invariants: segments lie in the order of their passages and do not overlap; the passages of a file are numbered in the order
//! they stand in it, with those of other files between them where it grew; ids of segments, files and passages are never used
//! twice.

use rusqlite::{Connection, params};
use rustc_hash::FxHashMap;

use crate::decay::Standing;
use crate::memories;
use crate::postings::{self, Malformed};
use crate::varint;
use crate::vectors;

/// So many fresh passages are sealed; fewer are quick to look through. Tests seal and merge on few files.
const SEAL_AT: i64 = if cfg!(test) { 6 } else { 512 };
/// So many segments of about one size are merged.
const FAN_IN: usize = if cfg!(test) { 3 } else { 8 };
/// A segment with more dead passages than this share (in percent) is written anew.
const MOST_DEAD_PERCENT: i64 = 30;
/// Vectors in one row.
const CHUNK: usize = if cfg!(test) { 4 } else { 4_096 };
/// The number of passages stands before the blob, so that it is read without it.
const INSERT_POSTINGS: &str = "INSERT INTO postings (key, passages, data) VALUES (?1, ?2, ?3)";
/// A passage about no day.
pub(crate) const NO_DAY: i32 = i32::MIN;

/// What a passage is, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Traits(u16);

impl Traits {
    /// A turn of a conversation.
    pub(crate) const TURN: Self = Self(1);
    /// Said by the person.
    pub(crate) const USER: Self = Self(1 << 1);
    /// It ends in a question.
    pub(crate) const QUESTION: Self = Self(1 << 2);
    /// Headings or front matter of a file that has more to say.
    pub(crate) const BARE: Self = Self(1 << 3);
    /// It names a day, a month, or a time such as "yesterday".
    pub(crate) const TIME: Self = Self(1 << 9);
    /// A name stands inside a sentence.
    pub(crate) const NAME: Self = Self(1 << 10);
    /// An entry of CORRECTIONS.md.
    pub(crate) const CORRECTION: Self = Self(1 << 5);
    /// Of a file about what happened: a conversation, a journal, an episode.
    pub(crate) const EVENT: Self = Self(1 << 6);
    /// Of a file about how something is done.
    pub(crate) const PROCEDURE: Self = Self(1 << 7);
    /// Of a file about someone or something.
    pub(crate) const ENTITY: Self = Self(1 << 8);
    /// It holds a number.
    pub(crate) const NUMBER: Self = Self(1 << 4);
    /// Of a file that is out of use.
    pub(crate) const ARCHIVED: Self = Self(1 << 11);
    /// It says nothing but what is struck through or dated as replaced.
    pub(crate) const STRUCK: Self = Self(1 << 12);
    /// Headings and comments alone.
    pub(crate) const BLANK: Self = Self(1 << 13);

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    #[must_use]
    pub(crate) fn with(self, other: Self, when: bool) -> Self {
        if when { Self(self.0 | other.0) } else { self }
    }
}

/// What ranking knows of a passage without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Slot {
    pub(crate) passage: u32,
    pub(crate) file: u32,
    /// Days since 1970, or [`NO_DAY`].
    pub(crate) day: i32,
    /// The speaker's name as a number; 0 where none is given.
    pub(crate) speaker: u32,
    /// Words.
    pub(crate) length: u16,
    pub(crate) traits: Traits,
    pub(crate) fading: Fading,
    /// Whom it is for, as a number.
    pub(crate) addressees: u32,
}

/// The memory that a passage is of, and what its relevance follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Fading {
    /// Its number; 0 where the passage is of none.
    pub(crate) memory: u32,
    last_day: i32,
    accesses: u16,
    store: u8,
    /// The lowest bit says that it is pinned, the others how it came to be.
    origin: u8,
}

impl Fading {
    pub(crate) fn of(memory: u32, standing: &Standing) -> Self {
        Self {
            memory,
            last_day: standing.last_day.unwrap_or(NO_DAY),
            accesses: u16::try_from(standing.accesses).unwrap_or(u16::MAX),
            store: standing.store as u8,
            origin: (standing.origin as u8) << 1 | u8::from(standing.pinned),
        }
    }

    /// How the memory stands by its file; nothing where the passage is of none.
    pub(crate) fn standing(&self) -> Option<Standing> {
        (self.memory != 0).then(|| Standing {
            store: memories::store_of(self.store),
            origin: memories::origin_of(self.origin >> 1),
            last_day: (self.last_day != NO_DAY).then_some(self.last_day),
            accesses: u32::from(self.accesses),
            pinned: self.origin & 1 == 1,
            handed_base: None,
        })
    }
}

impl Slot {
    const BYTES: usize = 36;

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.passage.to_le_bytes());
        out.extend_from_slice(&self.file.to_le_bytes());
        out.extend_from_slice(&self.day.to_le_bytes());
        out.extend_from_slice(&self.speaker.to_le_bytes());
        out.extend_from_slice(&self.length.to_le_bytes());
        out.extend_from_slice(&self.traits.0.to_le_bytes());
        let Fading { memory, last_day, accesses, store, origin } = self.fading;
        out.extend_from_slice(&memory.to_le_bytes());
        out.extend_from_slice(&last_day.to_le_bytes());
        out.extend_from_slice(&accesses.to_le_bytes());
        out.extend_from_slice(&[store, origin]);
        out.extend_from_slice(&self.addressees.to_le_bytes());
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::BYTES);
        self.put(&mut bytes);
        bytes
    }

    fn take(bytes: &[u8; Self::BYTES]) -> Self {
        let four = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        Self {
            passage: u32::from_le_bytes(four(0)),
            file: u32::from_le_bytes(four(4)),
            day: i32::from_le_bytes(four(8)),
            speaker: u32::from_le_bytes(four(12)),
            length: u16::from_le_bytes([bytes[16], bytes[17]]),
            traits: Traits(u16::from_le_bytes([bytes[18], bytes[19]])),
            fading: Fading {
                memory: u32::from_le_bytes(four(20)),
                last_day: i32::from_le_bytes(four(24)),
                accesses: u16::from_le_bytes([bytes[28], bytes[29]]),
                store: bytes[30],
                origin: bytes[31],
            },
            addressees: u32::from_le_bytes(four(32)),
        }
    }

    /// All slots of a blob.
    pub(crate) fn all(bytes: &[u8]) -> Result<Vec<Self>, Malformed> {
        let (slots, rest) = bytes.as_chunks::<{ Self::BYTES }>();
        if rest.is_empty() { Ok(slots.iter().map(Self::take).collect()) } else { Err(Malformed("slots")) }
    }
}

/// The terms of a passage in their order; `true` where a word begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Terms(Vec<u32>);

impl Terms {
    pub(crate) fn push(&mut self, term: u32, begins_word: bool) {
        self.0.push(term << 1 | u32::from(begins_word));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, bool)> {
        self.0.iter().map(|packed| (packed >> 1, packed & 1 == 1))
    }

    /// How many words.
    pub(crate) fn words(&self) -> u16 {
        u16::try_from(self.0.iter().filter(|packed| *packed & 1 == 1).count()).unwrap_or(u16::MAX)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len() * 2);
        self.0.iter().for_each(|packed| varint::put(&mut bytes, *packed));
        bytes
    }

    pub(crate) fn from_bytes(mut bytes: &[u8]) -> Result<Self, Malformed> {
        let mut terms = Self(Vec::with_capacity(bytes.len() / 2));
        while !bytes.is_empty() {
            terms.0.push(varint::take(&mut bytes).ok_or(Malformed("terms"))?);
        }
        Ok(terms)
    }

    /// The distinct terms in the order of their numbers.
    pub(crate) fn distinct(&self) -> Vec<u32> {
        self.counts().into_iter().map(|(term, _)| term).collect()
    }

    /// Each distinct term with its number of occurrences, in the order of terms.
    pub(crate) fn counts(&self) -> Vec<(u32, u32)> {
        let mut terms: Vec<u32> = self.0.iter().map(|packed| packed >> 1).collect();
        terms.sort_unstable();
        terms
            .chunk_by(|one, other| one == other)
            .map(|run| (run[0], u32::try_from(run.len()).unwrap_or(u32::MAX)))
            .collect()
    }
}

/// Passages that will become a segment.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    slots: Vec<Slot>,
    vectors: Vec<i8>,
    postings: FxHashMap<u32, Vec<(u32, u32)>>,
}

impl Builder {
    pub(crate) fn add(&mut self, slot: Slot, vector: &[i8], terms: &Terms) {
        let at = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        for (term, count) in terms.counts() {
            self.postings.entry(term).or_default().push((at, count));
        }
        self.slots.push(slot);
        self.vectors.extend_from_slice(vector);
    }

    /// Writes the segment; nothing when there are no passages.
    pub(crate) fn write(self, connection: &Connection) -> rusqlite::Result<()> {
        let Some(segment) = begin(connection, &self.slots, &self.vectors)? else { return Ok(()) };
        note_terms(connection, segment, self.postings.len())?;
        let mut insert = connection.prepare_cached(INSERT_POSTINGS)?;
        let mut terms: Vec<(&u32, &Vec<(u32, u32)>)> = self.postings.iter().collect();
        // In the order of their keys, so that the tree grows at its end.
        terms.sort_unstable_by_key(|(term, _)| **term);
        for (term, postings) in terms {
            insert.execute(params![
                key(segment, *term),
                postings.len().cast_signed(),
                postings::encode(postings)
            ])?;
        }
        Ok(())
    }
}

/// Where the postings of a term in a segment stand.
pub(crate) fn key(segment: i64, term: u32) -> i64 {
    segment << 32 | i64::from(term)
}

fn begin(connection: &Connection, slots: &[Slot], vectors: &[i8]) -> rusqlite::Result<Option<i64>> {
    let (Some(first), Some(last)) = (slots.first(), slots.last()) else { return Ok(None) };
    let mut packed = Vec::with_capacity(slots.len() * Slot::BYTES);
    slots.iter().for_each(|slot| slot.put(&mut packed));
    connection
        .prepare_cached(
            "INSERT INTO segments (first, last, passages, dead, terms, slots) VALUES (?1, ?2, ?3, 0, 0, ?4)",
        )?
        .execute(params![first.passage, last.passage, slots.len().cast_signed(), packed])?;
    let segment = connection.last_insert_rowid();
    let width = vectors.len() / slots.len();
    let mut insert =
        connection.prepare_cached("INSERT INTO vectors (segment, chunk, data) VALUES (?1, ?2, ?3)")?;
    if width > 0 {
        for (chunk, rows) in vectors.chunks(CHUNK * width).enumerate() {
            insert.execute(params![segment, chunk.cast_signed(), vectors::to_bytes(rows)])?;
        }
    }
    Ok(Some(segment))
}

/// Notes how many terms a segment has postings of, so that rows which somebody took out are missed.
fn note_terms(connection: &Connection, segment: i64, terms: usize) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE segments SET terms = ?2 WHERE id = ?1")?
        .execute(params![segment, terms.cast_signed()])
        .map(drop)
}

/// A segment as it is read.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) id: i64,
    pub(crate) slots: Vec<Slot>,
    /// One after the other.
    pub(crate) vectors: Vec<i8>,
}

impl Sealed {
    pub(crate) fn load(connection: &Connection, id: i64, width: usize) -> rusqlite::Result<Self> {
        let (slots, terms): (Vec<Slot>, i64) = connection
            .prepare_cached("SELECT slots, terms FROM segments WHERE id = ?1")?
            .query_row([id], |row| Ok((Slot::all(row.get_ref(0)?.as_blob()?)?, row.get(1)?)))?;
        let held: i64 = connection
            .prepare_cached("SELECT count(*) FROM postings WHERE key >= ?1 AND key < ?2")?
            .query_row([key(id, 0), key(id + 1, 0)], |row| row.get(0))?;
        if held != terms {
            return Err(Malformed("postings").into());
        }
        let mut statement =
            connection.prepare_cached("SELECT data FROM vectors WHERE segment = ?1 ORDER BY chunk")?;
        let mut rows = statement.query([id])?;
        let mut vectors = Vec::with_capacity(slots.len() * width);
        while let Some(row) = rows.next()? {
            vectors::extend_from_bytes(&mut vectors, row.get_ref(0)?.as_blob()?);
        }
        if vectors.len() != slots.len() * width {
            return Err(Malformed("vectors").into());
        }
        Ok(Self { id, slots, vectors })
    }
}

/// The present segments in the order of their passages.
pub(crate) fn ids(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    connection
        .prepare_cached("SELECT id FROM segments ORDER BY first")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// Seals the fresh passages when there are many, merges segments when there are many, and writes anew those with many dead.
/// `width` is that of the vectors.
pub(crate) fn tidy(connection: &Connection, width: usize) -> rusqlite::Result<()> {
    let fresh: i64 = connection.query_row("SELECT count(*) FROM fresh", [], |row| row.get(0))?;
    if fresh >= SEAL_AT {
        seal(connection)?;
    }
    loop {
        let segments: Vec<(i64, i64, i64)> = connection
            .prepare_cached("SELECT id, passages, dead FROM segments ORDER BY first")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<Result<_, _>>()?;
        let Some(chosen) = choose(&segments) else { return Ok(()) };
        merge(connection, &chosen, width)?;
    }
}

/// Which segments to write as one, given as id, passages, dead, in the order of their passages.
fn choose(segments: &[(i64, i64, i64)]) -> Option<Vec<i64>> {
    let level =
        |passages: i64| (passages.max(1) / SEAL_AT).max(1).ilog(i64::try_from(FAN_IN).unwrap_or(i64::MAX));
    let deepest = segments.iter().map(|segment| level(segment.1)).max()?;
    for depth in 0..=deepest {
        let run = segments.iter().rev().take_while(|segment| level(segment.1) <= depth).count();
        if run >= FAN_IN {
            return Some(segments[segments.len() - run..].iter().map(|segment| segment.0).collect());
        }
    }
    segments
        .iter()
        .find(|(_, passages, dead)| dead * 100 > passages * MOST_DEAD_PERCENT)
        .map(|segment| vec![segment.0])
}

/// Turns all fresh passages into a segment.
fn seal(connection: &Connection) -> rusqlite::Result<()> {
    let mut builder = Builder::default();
    for_each_fresh(connection, |slot, vector, terms| builder.add(slot, vector, terms))?;
    builder.write(connection)?;
    connection.execute("DELETE FROM fresh", [])?;
    Ok(())
}

/// Every fresh passage in its order, with its vector and its terms.
pub(crate) fn for_each_fresh(
    connection: &Connection,
    mut visit: impl FnMut(Slot, &[i8], &Terms),
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT f.slot, f.vector, a.terms FROM fresh f JOIN analyses a ON a.passage = f.passage ORDER BY f.passage",
    )?;
    let mut rows = statement.query([])?;
    let mut vector = Vec::new();
    while let Some(row) = rows.next()? {
        vector.clear();
        vectors::extend_from_bytes(&mut vector, row.get_ref(1)?.as_blob()?);
        let terms = Terms::from_bytes(row.get_ref(2)?.as_blob()?)?;
        let slot = row.get_ref(0)?.as_blob()?.as_array().map(Slot::take).ok_or(Malformed("slot"))?;
        visit(slot, &vector, &terms);
    }
    Ok(())
}

/// Writes several neighbouring segments as one, without the dead passages.
fn merge(connection: &Connection, ids: &[i64], width: usize) -> rusqlite::Result<()> {
    let mut dead = Tombstones::read(connection)?;
    let (mut slots, mut vectors) = (Vec::new(), Vec::new());
    let mut places: Vec<Vec<Option<u32>>> = Vec::with_capacity(ids.len());
    for id in ids {
        let segment = Sealed::load(connection, *id, width)?;
        let mut place = Vec::with_capacity(segment.slots.len());
        for (index, slot) in segment.slots.iter().enumerate() {
            if dead.holds(slot.passage) {
                place.push(None);
            } else {
                place.push(u32::try_from(slots.len()).ok());
                slots.push(*slot);
                vectors.extend_from_slice(&segment.vectors[index * width..(index + 1) * width]);
            }
        }
        places.push(place);
    }
    let segment = begin(connection, &slots, &vectors)?;
    merge_postings(connection, ids, &places, segment)?;
    for id in ids {
        connection.execute(
            "DELETE FROM tombstones WHERE first >= (SELECT first FROM segments WHERE id = ?1)
             AND last <= (SELECT last FROM segments WHERE id = ?1)",
            [id],
        )?;
        connection.execute("DELETE FROM segments WHERE id = ?1", [id])?;
        connection.execute("DELETE FROM vectors WHERE segment = ?1", [id])?;
        connection
            .execute("DELETE FROM postings WHERE key >= ?1 AND key < ?2", [key(*id, 0), key(id + 1, 0)])?;
    }
    Ok(())
}

/// Walks the postings of all segments side by side in the order of their terms, and writes those of the passages that live into
/// `segment`; where there is none, no passage does.
fn merge_postings(
    connection: &Connection,
    ids: &[i64],
    places: &[Vec<Option<u32>>],
    segment: Option<i64>,
) -> rusqlite::Result<()> {
    let mut statements = ids
        .iter()
        .map(|_| {
            connection.prepare("SELECT key, data FROM postings WHERE key >= ?1 AND key < ?2 ORDER BY key")
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut cursors = statements
        .iter_mut()
        .zip(ids)
        .map(|(statement, id)| statement.query([key(*id, 0), key(id + 1, 0)]))
        .collect::<Result<Vec<_>, _>>()?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low half is the term")]
    let next = |cursor: &mut rusqlite::Rows<'_>| -> rusqlite::Result<Option<(u32, Vec<u8>)>> {
        cursor.next()?.map(|row| Ok((row.get::<_, i64>(0)? as u32, row.get(1)?))).transpose()
    };
    let mut heads = cursors.iter_mut().map(next).collect::<Result<Vec<_>, _>>()?;
    let mut insert = connection.prepare_cached(INSERT_POSTINGS)?;
    let mut forget =
        connection.prepare_cached("UPDATE dead_terms SET passages = passages - ?2 WHERE term = ?1")?;
    let (mut merged, mut terms) = (Vec::new(), 0);
    while let Some(term) = heads.iter().flatten().map(|head| head.0).min() {
        merged.clear();
        let mut dead = 0_i64;
        for (index, cursor) in cursors.iter_mut().enumerate() {
            if let Some((_, data)) = heads[index].take_if(|head| head.0 == term) {
                let place = &places[index];
                postings::decode(&data, |slot, count| match place.get(slot as usize) {
                    Some(Some(slot)) => merged.push((*slot, count)),
                    _ => dead += 1,
                })?;
                heads[index] = next(cursor)?;
            }
        }
        if dead > 0 {
            forget.execute(params![term, dead])?;
        }
        if let Some(segment) = segment
            && !merged.is_empty()
        {
            terms += 1;
            insert.execute(params![
                key(segment, term),
                merged.len().cast_signed(),
                postings::encode(&merged)
            ])?;
        }
    }
    connection.execute("DELETE FROM dead_terms WHERE passages <= 0", [])?;
    segment.map_or(Ok(()), |segment| note_terms(connection, segment, terms))
}

/// The passages that are still in segments and no longer count, as runs of their numbers.
#[derive(Debug)]
pub(crate) struct Tombstones {
    /// First and last of each, in order.
    runs: Vec<(u32, u32)>,
    /// The run that was looked at last.
    at: usize,
}

impl Tombstones {
    pub(crate) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let runs = connection
            .prepare_cached("SELECT first, last FROM tombstones ORDER BY first")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        Ok(Self { runs, at: 0 })
    }

    /// Whether a passage is dead. To be asked in the order of passages.
    pub(crate) fn holds(&mut self, passage: u32) -> bool {
        while self.runs.get(self.at).is_some_and(|(_, last)| *last < passage) {
            self.at += 1;
        }
        self.runs.get(self.at).is_some_and(|(first, _)| *first <= passage)
    }
}

/// Counts the terms of sealed passages that are about to die: their postings stay, and no longer say how frequent a term is.
fn count_dead_terms(connection: &Connection, run: [i64; 2]) -> rusqlite::Result<()> {
    let mut dead: FxHashMap<u32, i64> = FxHashMap::default();
    let mut statement = connection.prepare_cached(
        "SELECT terms FROM analyses WHERE passage BETWEEN ?1 AND ?2 AND passage NOT IN (SELECT passage FROM fresh)",
    )?;
    let mut rows = statement.query(run)?;
    while let Some(row) = rows.next()? {
        for term in Terms::from_bytes(row.get_ref(0)?.as_blob()?)?.distinct() {
            *dead.entry(term).or_default() += 1;
        }
    }
    let mut count = connection.prepare_cached(
        "INSERT INTO dead_terms (term, passages) VALUES (?1, ?2) ON CONFLICT (term) DO UPDATE SET passages = passages + ?2",
    )?;
    for (term, passages) in dead {
        count.execute(params![term, passages])?;
    }
    Ok(())
}

/// Takes the passages of a file from number `from` on out of the search. Their rows go at once, their places in a segment when that
/// is written anew.
///
/// `anyway` buries them although no segment has them yet: they may be on their way into one.
pub(crate) fn bury(connection: &Connection, file: i64, from: i64, anyway: bool) -> rusqlite::Result<()> {
    let passages: Vec<i64> = connection
        .prepare_cached("SELECT id FROM passages WHERE file = ?1 AND id >= ?2 ORDER BY id")?
        .query_map([file, from], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for run in passages.chunk_by(|one, other| one + 1 == *other) {
        let run = [run[0], run[run.len() - 1]];
        count_dead_terms(connection, run)?;
        for sql in [
            "DELETE FROM fresh WHERE passage BETWEEN ?1 AND ?2",
            "DELETE FROM analyses WHERE passage BETWEEN ?1 AND ?2",
            "DELETE FROM facets WHERE passage BETWEEN ?1 AND ?2",
            "DELETE FROM replaced WHERE passage BETWEEN ?1 AND ?2",
            "DELETE FROM passages WHERE id BETWEEN ?1 AND ?2",
            "INSERT OR IGNORE INTO tombstones (first, last)
             SELECT max(first, ?1), min(last, ?2) FROM segments WHERE first <= ?2 AND last >= ?1",
            "UPDATE segments SET dead = dead + min(last, ?2) - max(first, ?1) + 1 WHERE first <= ?2 AND last >= ?1",
        ] {
            connection.prepare_cached(sql)?.execute(run)?;
        }
        if anyway {
            connection
                .prepare_cached(
                    "INSERT OR IGNORE INTO tombstones (first, last)
                     SELECT max(?1, sealed + 1), ?2 FROM (SELECT coalesce(max(last), 0) AS sealed FROM segments)
                     WHERE sealed < ?2",
                )?
                .execute(run)?;
        }
    }
    Ok(())
}
