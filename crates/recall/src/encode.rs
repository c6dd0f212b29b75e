//! A provider's vectors: which texts have one, getting those that are missing, forgetting those that are no longer wanted.
//!
//! A vector belongs to a text, not to a place: it is kept under the embedder's name and the hash of what was embedded. So moving
//! a file or editing one section sends nothing else again, and vectors of two embedders never meet. Every batch is a
//! transaction of its own, and no transaction is open while a provider is asked: killed at any moment, the next run goes on
//! where this one was. A change of model is a change of name; the old vectors go once the new ones are complete.

use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use thiserror::Error;

use crate::addressees::Addressees;
use crate::correction::{Concern, Corrected};
use crate::database::IndexError;
use crate::embed::{EmbedError, Embedder, Purpose};
use crate::index::{Index, Progress};
use crate::passage::Passage;
use crate::terms::distinct_terms_of;
use crate::vectors;

/// Texts embedded and kept at a time.
const BATCH: usize = if cfg!(test) { 4 } else { 64 };
/// How much of the turn before stands before a turn.
const BEFORE: usize = 200;
/// Characters of a text that are embedded: more than any model in use reads.
const LONGEST: usize = 6_000;

/// How far an embedder's vectors cover the passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Encoded {
    /// Passages that have a vector.
    pub done: usize,
    /// Passages that could have one: all that say anything.
    pub total: usize,
}

/// Why passages could not be encoded. What was encoded before is kept.
#[derive(Debug, Error)]
pub enum EncodeError {
    /// The index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The embedder.
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

/// Sixteen bytes that stand for a text.
pub(crate) type TextHash = [u8; 16];

/// The text that stands for a passage: a turn with the end of the turn before, a section with the headings it stands under.
/// Nothing where it says nothing.
pub(crate) fn text_of(before: Option<&Passage>, passage: &Passage) -> Option<String> {
    let words = passage.words().trim();
    if words.is_empty() {
        return None;
    }
    let introduction = match passage.speaker {
        Some(_) => before.filter(|before| before.speaker.is_some()).map(|before| tail(before.words().trim())),
        None => Some(passage.heading.as_str()),
    };
    let text = match introduction {
        Some(introduction) if !introduction.is_empty() => format!("{introduction}\n{words}"),
        _ => words.to_owned(),
    };
    Some(match text.char_indices().nth(LONGEST) {
        Some((end, _)) => text[..end].to_owned(),
        None => text,
    })
}

pub(crate) fn hash_of(text: &str) -> TextHash {
    let mut hash = TextHash::default();
    hash.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
    hash
}

fn tail(text: &str) -> &str {
    let start = text.char_indices().rev().nth(BEFORE - 1).map_or(0, |(start, _)| start);
    &text[start..]
}

/// A text without a vector.
struct Missing {
    passage: i64,
    hash: TextHash,
    text: String,
}

impl Index {
    /// Encodes passages that have no vector of this embedder: all of them, or at most `limit` texts. `progress` counts passages.
    /// When all are done, what is no longer wanted is forgotten.
    ///
    /// # Errors
    /// [`EncodeError`]; what was done until then is kept.
    pub fn encode(
        &mut self,
        embedder: &dyn Embedder,
        progress: &mut dyn FnMut(Progress),
        limit: Option<usize>,
    ) -> Result<Encoded, EncodeError> {
        self.encode_batches(embedder, progress, limit)
    }

    pub(crate) fn encode_batches(
        &self,
        embedder: &dyn Embedder,
        progress: &mut dyn FnMut(Progress),
        limit: Option<usize>,
    ) -> Result<Encoded, EncodeError> {
        let index = |source| self.error(source);
        if limit.is_none() {
            // Only whoever uses a provider pays for it.
            self.connection
                .execute_batch("CREATE INDEX IF NOT EXISTS passages_by_text ON passages (text_hash)")
                .map_err(index)?;
        }
        let name = embedder.name();
        let counted = count(&self.connection, name).map_err(index)?;
        let mut done = counted.done;
        let (mut after, mut left, mut began_anew) = (0, limit.unwrap_or(usize::MAX), false);
        while left > 0 {
            let batch = missing(&self.connection, name, after, left.min(BATCH)).map_err(index)?;
            let Some(last) = batch.last() else { break };
            let texts: Vec<&str> = batch.iter().map(|missing| missing.text.as_str()).collect();
            let embedded = embedder.embed(&texts, Purpose::Passage)?;
            match keep(&self.connection, name, &batch, &embedded).map_err(index)? {
                Kept::All => {}
                // The provider has another model under the same name: what it gave before is worth nothing beside it.
                Kept::OtherWidth(..) if !began_anew => {
                    forget(&self.connection, name).map_err(index)?;
                    self.encodings.forget();
                    (after, done, began_anew) = (0, 0, true);
                    continue;
                }
                Kept::OtherWidth(expected, found) => {
                    return Err(EmbedError::Dimensions { embedder: name.to_owned(), expected, found }.into());
                }
            }
            after = last.passage;
            left -= batch.len();
            // Two passages may share a text; the sum at the end is exact.
            done += batch.len();
            progress(Progress { done, total: counted.total });
        }
        let counted = count(&self.connection, name).map_err(index)?;
        if limit.is_none() && counted.done == counted.total {
            tidy(&self.connection, name).map_err(index)?;
        }
        Ok(counted)
    }

    /// How far the vectors of the embedder with this name cover the passages.
    ///
    /// # Errors
    /// [`IndexError`] when the database cannot be read.
    pub fn encoded(&self, embedder: &str) -> Result<Encoded, IndexError> {
        count(&self.connection, embedder).map_err(|source| self.error(source))
    }
}

fn count(connection: &Connection, embedder: &str) -> rusqlite::Result<Encoded> {
    connection
        .prepare_cached(
            "SELECT count(p.text_hash), count(e.hash) FROM passages p
             LEFT JOIN embeddings e ON e.embedder = ?1 AND e.hash = p.text_hash",
        )?
        .query_row([embedder], |row| {
            let number = |value: i64| usize::try_from(value).unwrap_or(0);
            Ok(Encoded { total: number(row.get(0)?), done: number(row.get(1)?) })
        })
}

/// The next texts without a vector, each once, in the order of their passages.
fn missing(
    connection: &Connection,
    embedder: &str,
    after: i64,
    limit: usize,
) -> rusqlite::Result<Vec<Missing>> {
    // The passages of a file are numbered in their order.
    let mut statement = connection.prepare_cached(
        "SELECT p.id, p.text_hash, p.heading, p.text, b.heading, b.text FROM passages p
         LEFT JOIN passages b ON b.id = (SELECT max(id) FROM passages WHERE file = p.file AND id < p.id)
             AND b.addressees = p.addressees
         WHERE p.id > ?2 AND p.text_hash IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.embedder = ?1 AND e.hash = p.text_hash)
         ORDER BY p.id",
    )?;
    let mut rows = statement.query(params![embedder, after])?;
    let mut found: Vec<Missing> = Vec::new();
    while found.len() < limit {
        let Some(row) = rows.next()? else { break };
        let hash: TextHash = row.get(1)?;
        if found.iter().any(|before| before.hash == hash) {
            continue;
        }
        let before = row.get::<_, Option<String>>(5)?;
        let before = before.map(|text| Ok::<_, rusqlite::Error>(restored(row.get(4)?, text))).transpose()?;
        let passage = restored(row.get(2)?, row.get(3)?);
        if let Some(text) = text_of(before.as_ref(), &passage) {
            found.push(Missing { passage: row.get(0)?, hash, text });
        }
    }
    Ok(found)
}

/// A passage as the index keeps it: one without a heading is a turn.
fn restored(heading: Option<String>, text: String) -> Passage {
    let speaker = heading.is_none().then(String::new);
    let addressees = Addressees::default();
    Passage { start_line: 0, end_line: 0, heading: heading.unwrap_or_default(), speaker, text, addressees }
}

enum Kept {
    All,
    /// The width of the vectors there are, and of the new ones.
    OtherWidth(usize, usize),
}

fn keep(
    connection: &Connection,
    embedder: &str,
    batch: &[Missing],
    embedded: &[Vec<f32>],
) -> rusqlite::Result<Kept> {
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let expected = width(&transaction, embedder)?;
    let found = embedded.first().map_or(0, Vec::len);
    if let Some(expected) = expected.filter(|expected| *expected != found) {
        return Ok(Kept::OtherWidth(expected, found));
    }
    let mut insert = transaction
        .prepare_cached("INSERT OR REPLACE INTO embeddings (embedder, hash, vector) VALUES (?1, ?2, ?3)")?;
    for (missing, vector) in batch.iter().zip(embedded) {
        insert.execute(params![embedder, missing.hash, vectors::to_bytes(&vectors::pack(vector))])?;
    }
    drop(insert);
    transaction.commit()?;
    Ok(Kept::All)
}

/// How wide the vectors are that this embedder gave.
pub(crate) fn width(connection: &Connection, embedder: &str) -> rusqlite::Result<Option<usize>> {
    connection
        .prepare_cached("SELECT length(vector) FROM embeddings WHERE embedder = ?1 LIMIT 1")?
        .query_row([embedder], |row| row.get::<_, i64>(0))
        .optional()
        .map(|width| width.and_then(|width| usize::try_from(width).ok()))
}

/// Forgets what this embedder gave.
pub(crate) fn forget(connection: &Connection, embedder: &str) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM embeddings WHERE embedder = ?1", [embedder]).map(drop)
}

/// What tidying the vectors did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tidied {
    /// Passages that are not encoded any more: they say what was corrected long ago and nothing else.
    pub corrected: usize,
    /// Vectors that went, those of texts that are no more among them.
    pub dropped: u32,
}

impl Index {
    /// Takes the vectors of passages away that say nothing but what was corrected before this day (P5.5), of texts that are no more, and of
    /// other embedders than `embedder` where one is given. The built-in model's stay: they are part of what is searched, and what is
    /// corrected is left out of every answer anyway. An index that is built anew has them again until the next time.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read or written.
    pub fn tidy_vectors(&self, embedder: Option<&str>, before: Date) -> Result<Tidied, IndexError> {
        let tidied = || -> rusqlite::Result<Tidied> {
            let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
            let all = "SELECT count(*) FROM embeddings";
            let count = |transaction: &Connection| transaction.query_row(all, [], |row| row.get::<_, u32>(0));
            let had = count(&transaction)?;
            if had == 0 {
                return Ok(Tidied::default());
            }
            let view = self.view(&transaction)?;
            let old: Vec<&Corrected> =
                view.corrected.iter().filter(|each| each.day.is_some_and(|day| day < before)).collect();
            let mut corrected = 0;
            if !old.is_empty() {
                let mut encoded =
                    transaction.prepare("SELECT id FROM passages WHERE text_hash IS NOT NULL")?;
                let passages: Vec<u32> =
                    encoded.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
                for passage in passages {
                    let terms = distinct_terms_of(&transaction, passage)?;
                    if old.iter().any(|each| each.concerns(&terms) == Some(Concern::Whole)) {
                        let forget = "UPDATE passages SET text_hash = NULL WHERE id = ?1";
                        corrected += transaction.prepare_cached(forget)?.execute([passage])?;
                    }
                }
            }
            match embedder {
                Some(embedder) => tidy(&transaction, embedder)?,
                None => drop(transaction.execute(GONE, [])?),
            }
            let dropped = had - count(&transaction)?;
            transaction.commit()?;
            Ok(Tidied { corrected, dropped })
        };
        let tidied = tidied().map_err(|source| self.error(source))?;
        self.encodings.forget();
        Ok(tidied)
    }
}

/// Vectors of texts that are no more.
const GONE: &str =
    "DELETE FROM embeddings WHERE hash NOT IN (SELECT text_hash FROM passages WHERE text_hash IS NOT NULL)";

/// Forgets what other embedders gave, and vectors of texts that are no more.
fn tidy(connection: &Connection, embedder: &str) -> rusqlite::Result<()> {
    connection
        .execute("DELETE FROM embeddings WHERE embedder <> ?1", [embedder])
        .and_then(|_| connection.execute(GONE, []))
        .map(drop)
}
