//! Who says what a question and a passage have in common: the provider that was chosen, or the built-in model in its place.
//!
//! A provider answers when its vectors cover every passage and it can embed the question; anything else is said in a notice,
//! and the built-in model answers. The two are never mixed in one answer. A provider is asked before the search's read
//! transaction begins: no lock is held while somebody far away thinks.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _};

use crate::database::IndexError;
use crate::embed::builtin::Builtin;
use crate::embed::{Embedder, Purpose};
use crate::encode::{self, EncodeError, TextHash};
use crate::index::Index;
use crate::query::{Mode, Query};
use crate::segment::Slot;
use crate::vectors;

/// So many passages without a vector are encoded by the search itself; more are left to `rem index`.
const FEW: usize = 64;
/// From so many vectors on, all are read in one go rather than one by one.
const MANY: usize = 1_000;
/// How many passages it takes until what they have in common counts about half.
const ENOUGH_FOR_A_BASELINE: f32 = 10.0;

/// Who answers by meaning, and what a person should know about it.
pub(crate) struct Answering {
    /// The name of who answers.
    pub(crate) embedder: String,
    /// The width of its vectors.
    pub(crate) dimensions: usize,
    /// Why it is not the one that was chosen.
    pub(crate) notice: Option<String>,
    /// The question and the passages as the provider sees them; nothing where the built-in model answers.
    pub(crate) meaning: Option<Meaning>,
}

impl Answering {
    fn builtin(notice: Option<String>) -> Self {
        let notice = notice.map(|why| format!("{why}: the built-in model answered"));
        Self {
            embedder: Builtin::NAME.to_owned(),
            dimensions: Builtin::get().dimensions(),
            notice,
            meaning: None,
        }
    }
}

/// A question and all passages as a provider's vectors.
pub(crate) struct Meaning {
    question: Vec<i8>,
    encodings: Arc<Encodings>,
}

impl Meaning {
    /// How near each slot is to the question. Models differ in what they give texts that have nothing in common (some 0.1,
    /// some 0.8), so the mean over all passages counts as nothing and 1 stays 1. A slot without a vector has 0.
    pub(crate) fn cosines(&self, slots: &[Slot]) -> Vec<f32> {
        let Encodings { passages, rows, .. } = self.encodings.as_ref();
        let mut cosines = vec![0.0; passages.len()];
        vectors::cosines(&self.question, rows, &mut cosines);
        #[allow(clippy::cast_precision_loss, reason = "a mean")]
        let baseline = cosines.iter().sum::<f32>() / (cosines.len() as f32 + ENOUGH_FOR_A_BASELINE);
        let mut place = 0;
        slots
            .iter()
            .map(|slot| {
                // Slots mostly stand in the order of their passages.
                if passages.get(place) != Some(&slot.passage) {
                    place = passages.binary_search(&slot.passage).unwrap_or(passages.len());
                }
                let cosine = cosines.get(place).copied();
                place += 1;
                cosine.map_or(0.0, |cosine| (cosine - baseline) / (1.0 - baseline).max(f32::EPSILON))
            })
            .collect()
    }
}

/// The vectors of one embedder for the passages of one moment.
#[derive(Default)]
struct Encodings {
    embedder: String,
    /// The moment: the index's generation, and SQLite's count of what other processes wrote.
    moment: (u64, i64),
    /// The passages with a vector, in order.
    passages: Vec<u32>,
    /// Their vectors, one after the other.
    rows: Vec<i8>,
    width: usize,
    /// Passages that should have a vector and have none.
    missing: usize,
}

/// The vectors that were read before: what makes the second search of a process quick.
#[derive(Default)]
pub(crate) struct EncodingCache(RefCell<Option<Arc<Encodings>>>);

impl EncodingCache {
    pub(crate) fn forget(&self) {
        self.0.replace(None);
    }
}

impl Index {
    /// Who answers this question. Few passages without a vector are encoded first where `may_encode` says so.
    pub(crate) fn answering(
        &self,
        embedder: Option<&dyn Embedder>,
        query: &Query,
        may_encode: bool,
    ) -> Result<Answering, IndexError> {
        let Some(embedder) = embedder.filter(|_| query.mode != Mode::Keyword) else {
            return Ok(Answering::builtin(None));
        };
        if query.text.trim().is_empty() {
            return Ok(Answering::builtin(None));
        }
        let name = embedder.name();
        let mut encodings = self.encodings_of(name)?;
        let few = if may_encode { FEW } else { 0 };
        if encodings.missing > few {
            let done = encodings.passages.len();
            let mut answering = Answering::builtin(None);
            answering.notice = Some(format!(
                "{done} of {} passages are encoded by {name}: the built-in model answered; `rem index` encodes the rest",
                done + encodings.missing
            ));
            return Ok(answering);
        }
        // The question comes first: it has the shorter patience, and tells whether anybody is there.
        let question = match embedder.embed(&[&query.text], Purpose::Query) {
            Ok(vectors) => vectors.into_iter().next().unwrap_or_default(),
            Err(error) => return Ok(Answering::builtin(Some(error.to_string()))),
        };
        if encodings.missing > 0 {
            match self.encode_batches(embedder, &mut |_| {}, Some(FEW)) {
                Ok(_) => encodings = self.encodings_of(name)?,
                Err(EncodeError::Index(error)) => return Err(error),
                Err(EncodeError::Embed(error)) => return Ok(Answering::builtin(Some(error.to_string()))),
            }
        }
        if encodings.width > 0 && encodings.width != question.len() {
            let why = format!(
                "{name} gave vectors of {} numbers before and gives {} now; `rem index` encodes anew",
                encodings.width,
                question.len()
            );
            encode::forget(&self.connection, name).map_err(|source| self.error(source))?;
            self.encodings.forget();
            return Ok(Answering::builtin(Some(why)));
        }
        if encodings.missing > 0 {
            return Ok(Answering::builtin(Some(format!(
                "{} passages could not be encoded",
                encodings.missing
            ))));
        }
        Ok(Answering {
            embedder: name.to_owned(),
            dimensions: question.len(),
            notice: None,
            meaning: Some(Meaning { question: vectors::pack(&question), encodings }),
        })
    }

    /// The vectors of this embedder as they are now.
    fn encodings_of(&self, embedder: &str) -> Result<Arc<Encodings>, IndexError> {
        self.read_encodings(embedder).map_err(|source| self.error(source))
    }

    fn read_encodings(&self, embedder: &str) -> rusqlite::Result<Arc<Encodings>> {
        // One moment for all that is read.
        let transaction = self.connection.unchecked_transaction()?;
        let moment =
            (self.read_generation()?, transaction.query_row("PRAGMA data_version", [], |row| row.get(0))?);
        let before = self.encodings.0.borrow().clone().filter(|before| before.embedder == embedder);
        if let Some(before) = before.as_ref().filter(|before| before.moment == moment && before.missing == 0)
        {
            return Ok(before.clone());
        }
        let width = encode::width(&transaction, embedder)?.unwrap_or(0);
        let before = before.filter(|before| before.width == width);
        let read = Arc::new(Encodings::read(&transaction, embedder, moment, width, before.as_deref())?);
        self.encodings.0.replace(Some(read.clone()));
        Ok(read)
    }
}

impl Encodings {
    /// Reads the vectors, those of passages that were known `before` from there: what a number stands for never changes.
    fn read(
        connection: &Connection,
        embedder: &str,
        moment: (u64, i64),
        width: usize,
        before: Option<&Self>,
    ) -> rusqlite::Result<Self> {
        let mut wanted: Vec<(u32, TextHash)> = connection
            .prepare_cached("SELECT id, text_hash FROM passages WHERE text_hash IS NOT NULL")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        wanted.sort_unstable_by_key(|(passage, _)| *passage);
        let known = |passage: u32| {
            let before = before?;
            let place = before.passages.binary_search(&passage).ok()?;
            before.rows.get(place * width..(place + 1) * width)
        };
        let new: Vec<TextHash> =
            wanted.iter().filter(|(passage, _)| known(*passage).is_none()).map(|(_, hash)| *hash).collect();
        let found = found(connection, embedder, &new)?;
        let mut read = Self { embedder: embedder.to_owned(), moment, width, ..Self::default() };
        read.rows.reserve(wanted.len() * width);
        for (passage, hash) in &wanted {
            let row = known(*passage).or_else(|| found.get(hash).map(Vec::as_slice));
            match row.filter(|row| row.len() == width && width > 0) {
                Some(row) => {
                    read.passages.push(*passage);
                    read.rows.extend_from_slice(row);
                }
                None => read.missing += 1,
            }
        }
        Ok(read)
    }
}

/// The vectors of these texts, as far as there are any.
fn found(
    connection: &Connection,
    embedder: &str,
    wanted: &[TextHash],
) -> rusqlite::Result<HashMap<TextHash, Vec<i8>>> {
    let unpacked = |bytes: &[u8]| {
        let mut vector = Vec::with_capacity(bytes.len());
        vectors::extend_from_bytes(&mut vector, bytes);
        vector
    };
    if wanted.len() > MANY {
        let mut statement =
            connection.prepare_cached("SELECT hash, vector FROM embeddings WHERE embedder = ?1")?;
        let rows =
            statement.query_map([embedder], |row| Ok((row.get(0)?, unpacked(row.get_ref(1)?.as_blob()?))))?;
        return rows.collect();
    }
    let mut statement =
        connection.prepare_cached("SELECT vector FROM embeddings WHERE embedder = ?1 AND hash = ?2")?;
    let mut found = HashMap::with_capacity(wanted.len());
    for hash in wanted {
        let vector = statement
            .query_row((embedder, hash), |row| Ok(unpacked(row.get_ref(0)?.as_blob()?)))
            .optional()?;
        found.extend(vector.map(|vector| (*hash, vector)));
    }
    Ok(found)
}
