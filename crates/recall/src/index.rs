//! `memory.db`: the passages of every file, their words and their vectors (S3, A7.2, A7.3).
//!
//! Invariant: after `refresh` the index says what the files say, whatever state it was in before: changed by
//! hand, deleted, damaged, made by another version, or being refreshed by another process at the same moment.
//! Size and times of a file are hints; its content hash decides. Files are read here and never written; the
//! database and its companions are the only files this crate touches.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension as _, params};
use rustc_hash::FxHashMap;

use crate::analyzer::{Analyzer, Language};
use crate::anew::{MOST_REBUILDS, begun_anew};
use crate::answer::Skipped;
use crate::database::{BUSY_TIMEOUT, IndexError, checked, connect, is_damage, rebuilt, was_emptied};
use crate::kept::Kept;
use crate::lexicon::Lexicon;
use crate::listing::{MOST_APART, Remembered};
use crate::meaning::EncodingCache;
use crate::source::{Moment, SourceFile, Sources, Stamp, inode_of};
use crate::write::Change;

/// Bytes of text written in one transaction.
const BATCH_BYTES: usize = 16 * 1024 * 1024;
/// Files written in one transaction.
const BATCH_FILES: usize = 4_096;
/// Larger files are no notes; they are skipped and reported.
const LARGEST_FILE: i64 = 256 * 1024 * 1024;

/// How far a refresh, or the encoding of passages, is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Files indexed, or passages encoded, so far.
    pub done: usize,
    /// How many there are to do in all.
    pub total: usize,
}

/// What a refresh did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Refreshed {
    /// Files whose passages were written.
    pub indexed: usize,
    /// Files that are gone and were taken out.
    pub removed: usize,
    /// Files that were as the index knew them.
    pub unchanged: usize,
    /// Files that could not be read.
    pub skipped: Vec<Skipped>,
    /// The index's generation afterwards; it rises with every batch of changes.
    pub generation: u64,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
    /// What a person should know: that the index was damaged and built anew.
    pub notices: Vec<String>,
}

/// How much of one category is in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// The kind of memory.
    pub category: String,
    /// Files.
    pub files: usize,
    /// Passages of these.
    pub passages: usize,
}

/// An open index.
pub struct Index {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    /// The number of the file that was opened.
    pub(crate) inode: Option<i64>,
    pub(crate) passage_tokens: usize,
    pub(crate) notices: Vec<String>,
    pub(crate) analyzer: Analyzer,
    pub(crate) lexicon: Lexicon,
    /// What searches keep in memory.
    pub(crate) kept: Kept,
    pub(crate) encodings: EncodingCache,
    /// The generation that this process's own view rests on; nothing once another process wrote in between.
    pub(crate) seen: Option<u64>,
    /// When this process last found that the index says what the files say.
    pub(crate) in_line: Option<InLine>,
}

/// A state of the files, and the generation of the index and the labels with which it said what they say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InLine {
    state: u64,
    generation: u64,
    labels: u64,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Index").field("path", &self.path).finish_non_exhaustive()
    }
}

/// What the index knows about one file.
struct Known {
    id: i64,
    stamp: Stamp,
    settled: bool,
    /// Whether it was indexed under the label it has now.
    is_same_memory: bool,
}

/// How the index stands to the files there are.
struct Comparison {
    /// For each of them: whether it is surely as it was, and what is known of it otherwise.
    files: Vec<Result<(), Option<Known>>>,
    /// Those that are there no more: id and path.
    gone: Vec<(i64, String)>,
}

impl Index {
    /// Opens or makes the database at `path`. A damaged one, or one of another version, is emptied and begun
    /// anew; the next `refresh` says so. `passage_tokens` is the length passages are divided at.
    ///
    /// # Errors
    /// [`IndexError`] when there can be no database at this place.
    pub fn open(path: &Path, passage_tokens: usize) -> Result<Self, IndexError> {
        let mut notices: Vec<String> =
            was_emptied(path).then(|| rebuilt(path, &"it was empty")).into_iter().collect();
        let connection = match connect(path, passage_tokens) {
            Err(error) if is_damage(&error) => {
                if notices.is_empty() {
                    notices.push(rebuilt(path, &error));
                }
                begun_anew(path, passage_tokens, |found| checked(found, passage_tokens).is_ok())
            }
            other => other,
        }
        .map_err(|source| IndexError::Database { path: path.into(), source })?;
        let (inode, kept) = (inode_of(path), Kept::of(&connection));
        Ok(Self {
            connection,
            path: path.to_owned(),
            inode,
            passage_tokens,
            notices,
            analyzer: Analyzer::default(),
            lexicon: Lexicon::default(),
            kept,
            encodings: EncodingCache::default(),
            seen: None,
            in_line: None,
        })
    }

    /// The same index opened once more, to be asked beside whoever has `kept`. Where another file lies there by now, nothing is shared.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_beside(path: &Path, passage_tokens: usize, kept: &Kept) -> Result<Self, IndexError> {
        let mut index = Self::open(path, passage_tokens)?;
        if kept.is_of(&index.connection) {
            index.kept = kept.clone();
        }
        Ok(index)
    }

    /// What its searches keep in memory.
    #[must_use]
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Brings the index in line with the files. They are compared without being opened; only those that may have changed are
    /// read. `progress` is called now and then while files are indexed.
    ///
    /// # Errors
    /// [`IndexError`] when the database cannot be written. Unreadable files are no error: they are skipped.
    pub fn refresh(
        &mut self,
        sources: &Sources<'_>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Refreshed, IndexError> {
        let started = Instant::now();
        let mut rebuilds = 0;
        let mut refreshed = loop {
            match self.refresh_once(sources, progress) {
                Err(error) if is_damage(&error) && rebuilds < MOST_REBUILDS => {
                    rebuilds += usize::from(self.rebuild(&error)?);
                }
                other => break other.map_err(|source| self.error(source))?,
            }
        };
        if let Some(checkpoint) = &sources.checkpoint
            && self.checkpoint()? != Some(checkpoint.stamp)
            && let Some(counts) = (checkpoint.read)()
        {
            self.take_checkpoint(&checkpoint.stamp, &counts)?;
        }
        refreshed.notices = std::mem::take(&mut self.notices);
        refreshed.milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(refreshed)
    }

    /// Takes in what became of a few files, given as those there are and the paths of those that are gone; of all others the index
    /// says what it said before. Waits at most `patience` for another process that writes.
    ///
    /// # Errors
    /// [`IndexError`] when the database cannot be written; the next refresh takes in what this one did not.
    pub fn take_in(
        &mut self,
        sources: &Sources<'_>,
        gone: &[&str],
        patience: Duration,
    ) -> Result<(), IndexError> {
        let mut take = || -> rusqlite::Result<()> {
            self.connection.busy_timeout(patience)?;
            let before = Some(self.read_generation()?);
            self.seen = before;
            if !self.has_labels(sources.labels)? {
                // What is written now is called otherwise than the rest may be.
                self.connection.execute("UPDATE meta SET value = x'' WHERE key = 'labels'", [])?;
            }
            let compared = self.compare_some(sources, gone)?;
            self.take_changes(sources, compared, &mut |_| {})?;
            // The files will be said to have changed since; all others are as they were.
            let (before, after) = (self.in_line.filter(|known| Some(known.generation) == before), self.seen);
            self.in_line = before.zip(after).map(|(known, generation)| InLine { generation, ..known });
            Ok(())
        };
        let taken = take();
        let restored = self.connection.busy_timeout(BUSY_TIMEOUT);
        taken.and(restored).map_err(|source| self.error(source))
    }

    /// The generation: a number that rises with every change of the index.
    ///
    /// # Errors
    /// [`IndexError`] when the database cannot be read.
    pub fn generation(&self) -> Result<u64, IndexError> {
        self.read_generation().map_err(|source| self.error(source))
    }

    /// What is in the index, by category in order.
    ///
    /// # Errors
    /// [`IndexError`] when the database cannot be read.
    pub fn contents(&self) -> Result<Vec<Indexed>, IndexError> {
        let read = || {
            let mut statement = self.connection.prepare_cached(
                "SELECT f.category, count(DISTINCT f.id), count(p.id) FROM files f LEFT JOIN passages p ON p.file = f.id
                 GROUP BY f.category ORDER BY f.category",
            )?;
            let rows = statement.query_map([], |row| {
                let (files, passages): (u32, u32) = (row.get(1)?, row.get(2)?);
                Ok(Indexed { category: row.get(0)?, files: files as usize, passages: passages as usize })
            })?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|source| self.error(source))
    }

    /// Reads the whole database looking for damage; `false` means that it should be built anew.
    ///
    /// # Errors
    /// [`IndexError`] when the database cannot be read at all for another reason than damage.
    pub fn is_sound(&self) -> Result<bool, IndexError> {
        let check = || -> rusqlite::Result<bool> {
            let answer: String = self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
            let orphans: i64 = self.connection.query_row(
                "SELECT count(*) FROM passages WHERE id NOT IN (SELECT passage FROM analyses)",
                [],
                |row| row.get(0),
            )?;
            Ok(answer == "ok" && orphans == 0)
        };
        match check() {
            Err(error) if is_damage(&error) => Ok(false),
            other => other.map_err(|source| self.error(source)),
        }
    }

    /// The languages most passages are written in, for stemming questions.
    pub(crate) fn languages(&self) -> rusqlite::Result<Vec<Language>> {
        const MOST: usize = 3;
        let mut statement = self
            .connection
            .prepare_cached("SELECT code FROM languages WHERE files > 0 ORDER BY files DESC, code")?;
        let codes = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
        Ok(codes.iter().filter_map(|code| Language::from_code(code)).take(MOST).collect())
    }

    /// The generation of the database that this index knows; damage where another one stands in its place.
    pub(crate) fn read_generation(&self) -> rusqlite::Result<u64> {
        self.kept.generation(&self.connection)
    }

    pub(crate) fn error(&self, source: rusqlite::Error) -> IndexError {
        IndexError::Database { path: self.path.clone(), source }
    }

    fn refresh_once(
        &mut self,
        sources: &Sources<'_>,
        progress: &mut dyn FnMut(Progress),
    ) -> rusqlite::Result<Refreshed> {
        let generation = self.read_generation()?;
        self.seen = Some(generation);
        let known = self
            .in_line
            .take()
            .filter(|known| (known.generation, known.labels) == (generation, sources.labels));
        let changed =
            known.zip(sources.moment).and_then(|(known, moment)| (moment.changed_since)(known.state));
        let mut refreshed = match &changed {
            Some(paths) => self.refresh_some(sources, paths, progress)?,
            None => self.refresh_all(sources, progress)?,
        };
        refreshed.generation = self.read_generation()?;
        // What could not be read is tried again.
        let is_in_line = refreshed.skipped.is_empty() && self.seen == Some(refreshed.generation);
        let (generation, labels) = (refreshed.generation, sources.labels);
        self.in_line = sources.moment.filter(|_| is_in_line).map(|Moment { state, .. }| InLine {
            state,
            generation,
            labels,
        });
        Ok(refreshed)
    }

    fn refresh_all(
        &mut self,
        sources: &Sources<'_>,
        progress: &mut dyn FnMut(Progress),
    ) -> rusqlite::Result<Refreshed> {
        if let Some(remembered) = Remembered::read(&self.connection)?.filter(|all| all.is_of(sources)) {
            return self.refresh_some(sources, &remembered.apart, progress);
        }
        let same_labels = self.has_labels(sources.labels)?;
        let compared = self.compare(sources, same_labels)?;
        let (refreshed, apart) = self.take_changes(sources, compared, progress)?;
        if !same_labels {
            self.remember("labels", &sources.labels.to_le_bytes());
        }
        if let Some(apart) = apart {
            self.remember("listing", &Remembered::of(sources, apart).written());
        }
        Ok(refreshed)
    }

    /// As [`Self::refresh_all`], where only these paths can have become something else.
    fn refresh_some(
        &mut self,
        sources: &Sources<'_>,
        paths: &BTreeSet<String>,
        progress: &mut dyn FnMut(Progress),
    ) -> rusqlite::Result<Refreshed> {
        let (files, gone) = sources.some(paths);
        let some = Sources { files: &files, ..*sources };
        let compared = self.compare_some(&some, &gone)?;
        let (mut refreshed, _) = self.take_changes(&some, compared, progress)?;
        refreshed.unchanged += sources.files.len() - files.len();
        Ok(refreshed)
    }

    /// Reads what may have changed and writes what did. Also gives the paths that have to be looked at again, for their times tell nothing
    /// yet or they could not be read, and with them those that changed; nothing where these are too many to be remembered.
    fn take_changes(
        &mut self,
        sources: &Sources<'_>,
        compared: Comparison,
        progress: &mut dyn FnMut(Progress),
    ) -> rusqlite::Result<(Refreshed, Option<BTreeSet<String>>)> {
        let mut refreshed = Refreshed::default();
        let (mut unsettled, mut changed) = (BTreeSet::new(), BTreeSet::new());
        let mut candidates: Vec<(&SourceFile, Stamp, Option<Known>)> = Vec::new();
        let mut pending = Pending::default();
        for (file, known) in sources.files.iter().zip(compared.files) {
            let stamp = file.stamp;
            match known {
                Ok(()) => refreshed.unchanged += 1,
                Err(before) if stamp.size > LARGEST_FILE => {
                    refreshed.skipped.push(Skipped { path: file.path.clone(), why: "too large".to_owned() });
                    pending.remove(file.path.clone(), before.map(|before| before.id), &mut refreshed);
                }
                Err(before) => candidates.push((file, stamp, before)),
            }
        }
        for (id, path) in compared.gone {
            pending.remove(path, Some(id), &mut refreshed);
        }

        let total = candidates.len();
        for (done, (file, stamp, before)) in candidates.into_iter().enumerate() {
            let content = match std::fs::read(&file.absolute) {
                Ok(content) => content,
                Err(error) => {
                    refreshed.skipped.push(Skipped { path: file.path.clone(), why: error.to_string() });
                    pending.remove(file.path.clone(), before.map(|before| before.id), &mut refreshed);
                    continue;
                }
            };
            let hash = *blake3::hash(&content).as_bytes();
            if !stamp.is_settled(sources.observed_at) {
                unsettled.insert(file.path.clone());
            } else if total <= MOST_APART {
                changed.insert(file.path.clone());
            }
            let (settled, label) = (stamp.is_settled(sources.observed_at), (sources.label)(&file.path));
            match before {
                Some(before) if before.is_same_memory && self.has_hash(before.id, &hash)? => {
                    refreshed.unchanged += 1;
                    if before.stamp != stamp || before.settled != settled {
                        let file = file.path.clone();
                        pending.changes.push(Change::Touch { id: before.id, file, stamp, settled });
                    }
                }
                _ => {
                    refreshed.indexed += 1;
                    pending.bytes += content.len();
                    let file = file.path.clone();
                    pending.changes.push(Change::Index { file, stamp, settled, content, hash, label });
                }
            }
            if pending.is_full() {
                let before = done + 1 - pending.changes.len().min(done + 1);
                self.write(&mut pending, &mut |written| {
                    progress(Progress { done: before + written, total })
                })?;
            }
        }
        let before = total - pending.changes.len().min(total);
        self.write(&mut pending, &mut |written| progress(Progress { done: before + written, total }))?;
        if refreshed.indexed > 0 {
            progress(Progress { done: total, total });
        }
        unsettled.extend(refreshed.skipped.iter().map(|skipped| skipped.path.clone()));
        let is_few = unsettled.len() <= MOST_APART;
        unsettled.append(&mut changed);
        Ok((refreshed, is_few.then_some(unsettled)))
    }

    /// Whether every file in the index is called as these labels call it.
    fn has_labels(&self, labels: u64) -> rusqlite::Result<bool> {
        self.connection
            .prepare_cached("SELECT value = ?1 FROM meta WHERE key = 'labels'")?
            .query_row([labels.to_le_bytes().as_slice()], |row| row.get(0))
    }

    /// Remembers of the files as they were just found that the index says what they say (`listing`), or calls them as they are called
    /// (`labels`), unless another process wrote meanwhile. Hints that save the next search a comparison: failing to keep one costs
    /// no more than that.
    fn remember(&self, hint: &str, value: &[u8]) {
        let Some(seen) = self.seen else { return };
        let kept = self.connection.execute(
            "UPDATE meta SET value = ?1 WHERE key = ?2
             AND (SELECT value FROM meta WHERE key = 'generation') = ?3
             AND (SELECT value FROM meta WHERE key = 'identity') = ?4",
            params![value, hint, seen.cast_signed(), self.kept.identity],
        );
        if let Err(error) = kept {
            tracing::debug!(%error, hint, "a hint is not kept");
        }
    }

    /// Compares without opening a file; which facets a label has is read with the contents. Making ten thousand labels costs more than
    /// all the rest, so it is left out where they are known to be the `same_labels`.
    fn compare(&self, sources: &Sources<'_>, same_labels: bool) -> rusqlite::Result<Comparison> {
        let places: FxHashMap<&str, usize> =
            sources.files.iter().enumerate().map(|(place, file)| (file.path.as_str(), place)).collect();
        let mut compared =
            Comparison { files: sources.files.iter().map(|_| Err(None)).collect(), gone: Vec::new() };
        let mut statement = self.connection.prepare_cached(KNOWN)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let path = row.get_ref(0)?.as_str()?;
            match places.get(path) {
                Some(place) => {
                    compared.files[*place] =
                        compared_with(row, &sources.files[*place], sources, same_labels)?;
                }
                None => compared.gone.push((row.get(1)?, path.to_owned())),
            }
        }
        Ok(compared)
    }

    /// As [`Self::compare`], for files that are some of many: those there are, and the paths of those that are gone.
    fn compare_some(&self, sources: &Sources<'_>, gone: &[&str]) -> rusqlite::Result<Comparison> {
        let mut statement = self.connection.prepare_cached(&format!("{KNOWN} WHERE path = ?1"))?;
        let mut compared = Comparison { files: Vec::new(), gone: Vec::new() };
        for file in sources.files {
            let known = statement
                .query_row([&file.path], |row| compared_with(row, file, sources, false))
                .optional()?;
            compared.files.push(known.unwrap_or(Err(None)));
        }
        for path in gone {
            let known: Option<i64> = statement.query_row([path], |row| row.get(1)).optional()?;
            compared.gone.extend(known.map(|id| (id, (*path).to_owned())));
        }
        Ok(compared)
    }

    fn has_hash(&self, file: i64, hash: &[u8; 32]) -> rusqlite::Result<bool> {
        let mut statement = self.connection.prepare_cached("SELECT hash = ?2 FROM files WHERE id = ?1")?;
        // Another process may have taken the file out meanwhile: then it is indexed again.
        Ok(statement.query_row(params![file, hash.as_slice()], |row| row.get(0)).optional()?.unwrap_or(false))
    }

    /// Writes what is pending in one transaction. Every change stands for itself, so whatever another process
    /// wrote in between is either the same or found to differ by the next refresh.
    fn write(&mut self, pending: &mut Pending, written: &mut dyn FnMut(usize)) -> rusqlite::Result<()> {
        let changes = std::mem::take(pending).changes;
        if changes.is_empty() {
            return Ok(());
        }
        let outcome = self.write_changes(changes, written);
        if outcome.is_err() {
            self.lexicon.forget();
        }
        outcome
    }
}

/// What the index knows of files.
const KNOWN: &str =
    "SELECT path, id, size, mtime_ns, ctime_ns, inode, settled, category, tier, label_id FROM files";

/// How a row of [`KNOWN`] stands to the file as it is: surely the same, or what is known of it.
fn compared_with(
    row: &rusqlite::Row<'_>,
    file: &SourceFile,
    sources: &Sources<'_>,
    same_labels: bool,
) -> rusqlite::Result<Result<(), Option<Known>>> {
    let stamp = Stamp { size: row.get(2)?, mtime_ns: row.get(3)?, ctime_ns: row.get(4)?, inode: row.get(5)? };
    let is_same_memory = same_labels || {
        let label = (sources.label)(&file.path);
        label.category == row.get_ref(7)?.as_str()?
            && label.tier == row.get_ref(8)?.as_str()?
            && label.id.as_deref() == row.get_ref(9)?.as_str_or_null()?
    };
    let known = Known { id: row.get(1)?, stamp, settled: row.get(6)?, is_same_memory };
    let is_as_it_was = stamp == file.stamp && known.settled && known.is_same_memory;
    Ok(if is_as_it_was { Ok(()) } else { Err(Some(known)) })
}

#[derive(Default)]
struct Pending {
    changes: Vec<Change>,
    bytes: usize,
}

impl Pending {
    fn remove(&mut self, file: String, id: Option<i64>, refreshed: &mut Refreshed) {
        if let Some(id) = id {
            refreshed.removed += 1;
            self.changes.push(Change::Remove { id, file });
        }
    }

    fn is_full(&self) -> bool {
        self.changes.len() >= BATCH_FILES || self.bytes >= BATCH_BYTES
    }
}
