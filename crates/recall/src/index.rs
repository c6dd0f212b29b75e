//! `memory.db`: the passages of every file and a full-text index over them (S3, A7.2, A7.3).
//!
//! Invariant: after `refresh` the index says what the files say, whatever state it was in before: changed by
//! hand, deleted, damaged, made by another version, or being refreshed by another process at the same moment.
//! Size and times of a file are hints; its content hash decides. Files are read here and never written; the
//! database and its companions are the only files this crate touches.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use rusqlite::{Connection, ErrorCode, OptionalExtension as _, TransactionBehavior, params};
use thiserror::Error;

use crate::analyzer::{Language, document_tokens};
use crate::passage::{date_of_path, passages};
use crate::search::Skipped;
use crate::{Label, SourceFile};

/// Raised whenever tables, tokens or passages change their meaning: an older database is built anew.
const SCHEMA_VERSION: i64 = 1;
/// "remi" in ASCII: marks the database as ours.
const APPLICATION_ID: i64 = 0x7265_6D69;
/// How long one process waits for another that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes of text written in one transaction.
const BATCH_BYTES: usize = 8 * 1024 * 1024;
/// Files written in one transaction.
const BATCH_FILES: usize = 512;
/// A file changed so shortly before it was looked at could change again within the same tick of the clock of
/// its file system, so its times prove nothing yet.
const UNSETTLED: Duration = Duration::from_secs(2);
/// Larger files are no notes; they are skipped and reported.
const LARGEST_FILE: u64 = 256 * 1024 * 1024;

const SCHEMA: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE files (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        ctime_ns INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        settled INTEGER NOT NULL,
        hash BLOB NOT NULL,
        language TEXT NOT NULL,
        category TEXT NOT NULL,
        tier TEXT NOT NULL,
        label_id TEXT,
        date TEXT
    );
    CREATE TABLE passages (
        id INTEGER PRIMARY KEY,
        file_id INTEGER NOT NULL,
        start_line INTEGER NOT NULL,
        end_line INTEGER NOT NULL,
        text TEXT NOT NULL
    );
    CREATE INDEX passages_by_file ON passages (file_id);
    CREATE VIRTUAL TABLE words USING fts5(
        tokens, content='', contentless_delete=1, tokenize='ascii'
    );
    INSERT INTO meta (key, value) VALUES ('generation', 0);
";

/// Statements that every healthy database can prepare.
const PROBES: [&str; 4] = [
    "SELECT value FROM meta WHERE key = 'generation'",
    "SELECT id, path, size, mtime_ns, ctime_ns, inode, settled, hash, language, category, tier, label_id, date FROM files LIMIT 1",
    "SELECT id, file_id, start_line, end_line, text FROM passages LIMIT 1",
    "SELECT rowid FROM words WHERE words MATCH '\"a\"' LIMIT 1",
];

/// Why the index could not be used.
#[derive(Debug, Error)]
pub enum IndexError {
    /// SQLite refused; searching without the index still works.
    #[error("the index {path} cannot be used; it may be deleted, and `rem recall` works without it")]
    Database {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The damaged database could not be taken away.
    #[error("the damaged index {path} cannot be removed; delete it by hand")]
    Remove {
        /// The database.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
}

impl IndexError {
    /// Whether the database is damaged, so that building it anew helps.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Database { source, .. } => is_damage(source),
            Self::Remove { .. } => false,
        }
    }
}

pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => matches!(
            failure.code,
            // `Unknown` is SQLite's plain error: a table or column that is not there.
            ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::Unknown
                | ErrorCode::ConstraintViolation
        ),
        rusqlite::Error::SqlInputError { .. }
        | rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::QueryReturnedNoRows
        | rusqlite::Error::Utf8Error(..) => true,
        _ => false,
    }
}

/// How far a refresh is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Files indexed so far.
    pub done: usize,
    /// Files to index in all.
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

/// An open index.
pub struct Index {
    pub(crate) connection: Connection,
    path: PathBuf,
    passage_tokens: usize,
    notices: Vec<String>,
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
    hash: Vec<u8>,
    label: Label,
}

/// What the file system says about one file without opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    size: i64,
    mtime_ns: i64,
    ctime_ns: i64,
    inode: i64,
}

impl Stamp {
    fn of(metadata: &std::fs::Metadata) -> Self {
        let nanoseconds =
            |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Self {
            size: i64::try_from(metadata.size()).unwrap_or(i64::MAX),
            mtime_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            ctime_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino().cast_signed(),
        }
    }

    /// Whether the file has rested long enough for its times to be trusted.
    fn is_settled(&self, observed_at: SystemTime) -> bool {
        let observed = observed_at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let margin = i64::try_from(UNSETTLED.as_nanos()).unwrap_or(i64::MAX);
        let observed = i64::try_from(observed.as_nanos()).unwrap_or(i64::MAX);
        observed.saturating_sub(self.mtime_ns.max(self.ctime_ns)) > margin
    }
}

/// One change the database should take over.
enum Change {
    Index { file: String, stamp: Stamp, settled: bool, content: Vec<u8>, hash: [u8; 32], label: Label },
    Touch { id: i64, stamp: Stamp, settled: bool, label: Label },
    Remove { id: i64 },
}

impl Index {
    /// Opens or makes the database at `path`. A damaged one, or one of another version, is removed and begun
    /// anew; the next `refresh` says so. `passage_tokens` is the length passages are divided at.
    ///
    /// # Errors
    /// [`IndexError`] when there can be no database at this place.
    pub fn open(path: &Path, passage_tokens: usize) -> Result<Self, IndexError> {
        let mut notices = Vec::new();
        let connection = match connect(path, passage_tokens) {
            Ok(connection) => connection,
            Err(error) if is_damage(&error) => {
                notices.push(rebuilt(path, &error));
                remove(path)?;
                connect(path, passage_tokens)
                    .map_err(|source| IndexError::Database { path: path.into(), source })?
            }
            Err(source) => return Err(IndexError::Database { path: path.into(), source }),
        };
        Ok(Self { connection, path: path.to_owned(), passage_tokens, notices })
    }

    /// Brings the index in line with `files`, which must be all the files there are. Files are compared without
    /// being opened; only those that may have changed are read. Symbolic links are not followed.
    ///
    /// `observed_at` is the machine's own time (not a pinned one): it is compared with the times of the files.
    /// `label` says what each file is; `progress` is called now and then while files are indexed.
    ///
    /// # Errors
    /// [`IndexError`] when the database cannot be written. Unreadable files are no error: they are skipped.
    pub fn refresh(
        &mut self,
        files: &[SourceFile],
        label: &dyn Fn(&str) -> Label,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Refreshed, IndexError> {
        let started = Instant::now();
        let mut refreshed = match self.refresh_once(files, label, observed_at, progress) {
            Err(error) if is_damage(&error) => {
                self.rebuild(&error)?;
                self.refresh_once(files, label, observed_at, progress)
            }
            other => other,
        }
        .map_err(|source| self.error(source))?;
        refreshed.notices = std::mem::take(&mut self.notices);
        refreshed.milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(refreshed)
    }

    /// The generation: a number that rises with every change of the index.
    ///
    /// # Errors
    /// [`IndexError`] when the database cannot be read.
    pub fn generation(&self) -> Result<u64, IndexError> {
        self.read_generation().map_err(|source| self.error(source))
    }

    /// Reads the whole database looking for damage; `false` means that it should be built anew.
    ///
    /// # Errors
    /// [`IndexError`] when the database cannot be read at all for another reason than damage.
    pub fn is_sound(&self) -> Result<bool, IndexError> {
        let check = || -> rusqlite::Result<bool> {
            let answer: String = self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
            let orphans: i64 = self.connection.query_row(
                "SELECT count(*) FROM passages WHERE id NOT IN (SELECT rowid FROM words)",
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

    /// Throws the database away and begins an empty one; the next `refresh` fills it.
    ///
    /// # Errors
    /// [`IndexError`] when it cannot be removed or made.
    pub fn reset(&mut self) -> Result<(), IndexError> {
        // The file must be closed before it is removed; an empty one in memory holds its place.
        self.connection = Connection::open_in_memory().map_err(|source| self.error(source))?;
        remove(&self.path)?;
        self.connection = connect(&self.path, self.passage_tokens).map_err(|source| self.error(source))?;
        Ok(())
    }

    /// The languages most passages are written in, for stemming questions.
    pub(crate) fn languages(&self) -> rusqlite::Result<Vec<Language>> {
        const MOST: usize = 3;
        let mut statement = self
            .connection
            .prepare_cached("SELECT language, count(*) FROM files GROUP BY language ORDER BY 2 DESC, 1")?;
        let codes = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
        Ok(codes.iter().filter_map(|code| Language::from_code(code)).take(MOST).collect())
    }

    pub(crate) fn read_generation(&self) -> rusqlite::Result<u64> {
        let generation: i64 =
            self.connection
                .query_row("SELECT value FROM meta WHERE key = 'generation'", [], |row| row.get(0))?;
        Ok(generation.max(0).cast_unsigned())
    }

    pub(crate) fn error(&self, source: rusqlite::Error) -> IndexError {
        IndexError::Database { path: self.path.clone(), source }
    }

    pub(crate) fn rebuild(&mut self, error: &rusqlite::Error) -> Result<(), IndexError> {
        self.notices.push(rebuilt(&self.path, error));
        self.reset()
    }

    fn refresh_once(
        &mut self,
        files: &[SourceFile],
        label: &dyn Fn(&str) -> Label,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> rusqlite::Result<Refreshed> {
        let mut known = self.known()?;
        let mut refreshed = Refreshed::default();
        let mut candidates: Vec<(&SourceFile, Stamp, Option<Known>)> = Vec::new();
        let mut pending = Pending::default();
        for file in files {
            let before = known.remove(file.path.as_str());
            let metadata = match std::fs::symlink_metadata(&file.absolute) {
                Ok(metadata) if metadata.is_file() && metadata.len() <= LARGEST_FILE => metadata,
                Ok(metadata) => {
                    let why = if metadata.is_file() { "too large" } else { "not a regular file" };
                    refreshed.skipped.push(Skipped { path: file.path.clone(), why: why.to_owned() });
                    pending.remove(before, &mut refreshed);
                    continue;
                }
                Err(error) => {
                    if error.kind() != std::io::ErrorKind::NotFound {
                        refreshed.skipped.push(Skipped { path: file.path.clone(), why: error.to_string() });
                    }
                    pending.remove(before, &mut refreshed);
                    continue;
                }
            };
            let stamp = Stamp::of(&metadata);
            match before {
                Some(before) if before.stamp == stamp && before.settled => {
                    refreshed.unchanged += 1;
                    let label = label(&file.path);
                    if before.label != label {
                        pending.changes.push(Change::Touch { id: before.id, stamp, settled: true, label });
                    }
                }
                before => candidates.push((file, stamp, before)),
            }
        }
        for gone in known.into_values() {
            pending.remove(Some(gone), &mut refreshed);
        }

        let total = candidates.len();
        for (done, (file, stamp, before)) in candidates.into_iter().enumerate() {
            let content = match std::fs::read(&file.absolute) {
                Ok(content) => content,
                Err(error) => {
                    refreshed.skipped.push(Skipped { path: file.path.clone(), why: error.to_string() });
                    pending.remove(before, &mut refreshed);
                    continue;
                }
            };
            let hash = *blake3::hash(&content).as_bytes();
            let (settled, label) = (stamp.is_settled(observed_at), label(&file.path));
            match before {
                Some(before) if before.hash == hash => {
                    refreshed.unchanged += 1;
                    if before.stamp != stamp || before.settled != settled || before.label != label {
                        pending.changes.push(Change::Touch { id: before.id, stamp, settled, label });
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
                self.write(&mut pending)?;
                progress(Progress { done: done + 1, total });
            }
        }
        self.write(&mut pending)?;
        if refreshed.indexed > 0 {
            progress(Progress { done: total, total });
        }
        refreshed.generation = self.read_generation()?;
        Ok(refreshed)
    }

    fn known(&self) -> rusqlite::Result<HashMap<String, Known>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT path, id, size, mtime_ns, ctime_ns, inode, settled, hash, category, tier, label_id FROM files",
        )?;
        let rows = statement.query_map([], |row| {
            let stamp =
                Stamp { size: row.get(2)?, mtime_ns: row.get(3)?, ctime_ns: row.get(4)?, inode: row.get(5)? };
            let label = Label { category: row.get(8)?, tier: row.get(9)?, id: row.get(10)? };
            let known = Known { id: row.get(1)?, stamp, settled: row.get(6)?, hash: row.get(7)?, label };
            Ok((row.get::<_, String>(0)?, known))
        })?;
        rows.collect()
    }

    /// Writes what is pending in one transaction. Every change stands for itself, so whatever another process
    /// wrote in between is either the same or found to differ by the next refresh.
    fn write(&mut self, pending: &mut Pending) -> rusqlite::Result<()> {
        let changes = std::mem::take(pending).changes;
        if changes.is_empty() {
            return Ok(());
        }
        let passage_tokens = self.passage_tokens;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut changed_contents = false;
        for change in changes {
            changed_contents |= !matches!(change, Change::Touch { .. });
            match change {
                Change::Remove { id } => {
                    remove_passages(&transaction, id)?;
                    transaction.prepare_cached("DELETE FROM files WHERE id = ?1")?.execute([id])?;
                }
                Change::Touch { id, stamp, settled, label } => {
                    transaction
                        .prepare_cached(
                            "UPDATE files SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5, settled = ?6,
                             category = ?7, tier = ?8, label_id = ?9 WHERE id = ?1",
                        )?
                        .execute(params![
                            id, stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, settled, label.category,
                            label.tier, label.id
                        ])?;
                }
                Change::Index { file, stamp, settled, content, hash, label } => {
                    let text = String::from_utf8_lossy(&content);
                    let id: Option<i64> = transaction
                        .prepare_cached("SELECT id FROM files WHERE path = ?1")?
                        .query_row([&file], |row| row.get(0))
                        .optional()?;
                    if let Some(id) = id {
                        remove_passages(&transaction, id)?;
                    }
                    let language = Language::of(start_of(&text));
                    let date = date_of_path(&file).map(|date| date.to_string());
                    transaction
                        .prepare_cached(
                            "INSERT OR REPLACE INTO files (id, path, size, mtime_ns, ctime_ns, inode, settled, hash,
                             language, category, tier, label_id, date)
                             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                        )?
                        .execute(params![
                            id, file, stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, settled,
                            hash.as_slice(), language.code(), label.category, label.tier, label.id, date
                        ])?;
                    let id = id.unwrap_or_else(|| transaction.last_insert_rowid());
                    insert_passages(&transaction, id, &text, passage_tokens)?;
                }
            }
        }
        if changed_contents {
            transaction.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'", [])?;
        }
        transaction.commit()
    }
}

/// The part of a text that its language is told by.
fn start_of(text: &str) -> &str {
    const ENOUGH: usize = 4_096;
    &text[..text.floor_char_boundary(ENOUGH)]
}

#[derive(Default)]
struct Pending {
    changes: Vec<Change>,
    bytes: usize,
}

impl Pending {
    fn remove(&mut self, known: Option<Known>, refreshed: &mut Refreshed) {
        if let Some(known) = known {
            refreshed.removed += 1;
            self.changes.push(Change::Remove { id: known.id });
        }
    }

    fn is_full(&self) -> bool {
        self.changes.len() >= BATCH_FILES || self.bytes >= BATCH_BYTES
    }
}

fn remove_passages(connection: &Connection, file_id: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE file_id = ?1)")?
        .execute([file_id])?;
    connection.prepare_cached("DELETE FROM passages WHERE file_id = ?1")?.execute([file_id])?;
    Ok(())
}

fn insert_passages(connection: &Connection, file_id: i64, text: &str, limit: usize) -> rusqlite::Result<()> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO passages (file_id, start_line, end_line, text) VALUES (?1, ?2, ?3, ?4)",
    )?;
    let mut words = connection.prepare_cached("INSERT INTO words (rowid, tokens) VALUES (?1, ?2)")?;
    for passage in passages(text, limit) {
        let line = |line: usize| i64::try_from(line).unwrap_or(i64::MAX);
        insert.execute(params![file_id, line(passage.start_line), line(passage.end_line), passage.text])?;
        let language = Language::of(&passage.text);
        let mut tokens = document_tokens(&passage.heading, language);
        tokens.extend(document_tokens(&passage.text, language));
        words.execute(params![connection.last_insert_rowid(), tokens.join(" ")])?;
    }
    Ok(())
}

/// Opens the database and makes sure that it is one of ours.
fn connect(path: &Path, passage_tokens: usize) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    if mode != "wal" {
        become_write_ahead(&connection)?;
    }
    let version = SCHEMA_VERSION + i64::try_from(passage_tokens).unwrap_or(0) * 1_000;
    let stored: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if stored == 0 {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have made it while this one waited.
        let stored: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if stored == 0 {
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", version)?;
        }
        transaction.commit()?;
    }
    let stored: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let application: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if stored != version || application != APPLICATION_ID {
        // Another version is as good as damaged: it is built anew.
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    for probe in PROBES {
        let mut statement = connection.prepare(probe)?;
        let mut rows = statement.query([])?;
        rows.next()?;
    }
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

/// Switches to write-ahead logging. SQLite does not wait here when another process does the same.
fn become_write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    const ATTEMPTS: u32 = 200;
    for attempt in 1..=ATTEMPTS {
        match connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)) {
            Err(rusqlite::Error::SqliteFailure(failure, _))
                if failure.code == ErrorCode::DatabaseBusy && attempt < ATTEMPTS =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            // A file system without shared memory stays with the rollback journal, which works as well.
            other => return other.map(|_| ()),
        }
    }
    Ok(())
}

fn rebuilt(path: &Path, error: &rusqlite::Error) -> String {
    tracing::warn!(index = %path.display(), %error, "the index is damaged or of another version; building it anew");
    format!("the index {} was damaged or of another version and was built anew", path.display())
}

/// Takes the database and its companions away.
#[allow(clippy::disallowed_methods, reason = "memory.db is this crate's own cache, not a memory file")]
fn remove(path: &Path) -> Result<(), IndexError> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        match std::fs::remove_file(&name) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                return Err(IndexError::Remove { path: name.into(), source });
            }
            _ => {}
        }
    }
    Ok(())
}
