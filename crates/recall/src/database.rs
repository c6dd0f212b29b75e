//! The database file itself: its tables, opening it, telling damage from other failures.
//!
//! A database that opens here is one of ours, of this version, with all its tables. What stands in the tables
//! is `index.rs`'s business.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use thiserror::Error;

/// Raised whenever tables, tokens or passages change their meaning: an older database is built anew.
const SCHEMA_VERSION: i64 = 17;
/// "remi" in ASCII: marks the database as ours.
const APPLICATION_ID: i64 = 0x7265_6D69;
/// How long one process waits for another that writes.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
const SCHEMA: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
    CREATE TABLE files (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
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
        date TEXT,
        facets TEXT NOT NULL
    );
    CREATE TABLE languages (code TEXT PRIMARY KEY, files INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TRIGGER language_counted AFTER INSERT ON files BEGIN
        INSERT INTO languages (code, files) VALUES (new.language, 1)
        ON CONFLICT (code) DO UPDATE SET files = files + 1;
    END;
    CREATE TRIGGER language_uncounted AFTER DELETE ON files BEGIN
        UPDATE languages SET files = files - 1 WHERE code = old.language;
    END;
    CREATE TRIGGER language_changed AFTER UPDATE OF language ON files WHEN old.language <> new.language BEGIN
        UPDATE languages SET files = files - 1 WHERE code = old.language;
        INSERT INTO languages (code, files) VALUES (new.language, 1)
        ON CONFLICT (code) DO UPDATE SET files = files + 1;
    END;
    CREATE TABLE passages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        file INTEGER NOT NULL,
        start_line INTEGER NOT NULL,
        end_line INTEGER NOT NULL,
        text TEXT NOT NULL,
        heading TEXT,
        text_hash BLOB,
        addressees INTEGER NOT NULL,
        print INTEGER NOT NULL
    );
    CREATE INDEX passages_by_file ON passages (file);
    CREATE TABLE analyses (passage INTEGER PRIMARY KEY, terms BLOB NOT NULL);
    CREATE TABLE facets (passage INTEGER NOT NULL, facet TEXT NOT NULL, PRIMARY KEY (passage, facet)) WITHOUT ROWID;
    CREATE INDEX facets_by_name ON facets (facet);
    CREATE TABLE replaced (thing TEXT NOT NULL, passage INTEGER NOT NULL, PRIMARY KEY (thing, passage)) WITHOUT ROWID;
    CREATE INDEX replaced_by_passage ON replaced (passage);
    CREATE TABLE fresh (passage INTEGER PRIMARY KEY, slot BLOB NOT NULL, vector BLOB NOT NULL);
    CREATE TABLE segments (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        passages INTEGER NOT NULL,
        dead INTEGER NOT NULL,
        terms INTEGER NOT NULL,
        slots BLOB NOT NULL
    );
    CREATE TABLE vectors (
        segment INTEGER NOT NULL,
        chunk INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (segment, chunk)
    );
    CREATE TABLE postings (key INTEGER PRIMARY KEY, passages INTEGER NOT NULL, data BLOB NOT NULL);
    CREATE TABLE tombstones (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);
    CREATE TABLE dead_terms (term INTEGER PRIMARY KEY, passages INTEGER NOT NULL);
    CREATE TABLE embeddings (
        embedder TEXT NOT NULL,
        hash BLOB NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (embedder, hash)
    ) WITHOUT ROWID;
    CREATE TABLE entities (
        file INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        label TEXT NOT NULL,
        archived INTEGER NOT NULL,
        pinned INTEGER NOT NULL
    );
    CREATE INDEX entities_by_id ON entities (id);
    CREATE INDEX entities_archived ON entities (id) WHERE archived = 1;
    CREATE TABLE names (name TEXT NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (name, file)) WITHOUT ROWID;
    CREATE INDEX names_by_file ON names (file);
    CREATE TABLE romanized (name TEXT NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (name, file)) WITHOUT ROWID;
    CREATE INDEX romanized_by_file ON romanized (file);
    CREATE TABLE edges (
        file INTEGER NOT NULL,
        source TEXT NOT NULL,
        relation TEXT NOT NULL,
        target TEXT NOT NULL,
        confidence TEXT,
        first_seen TEXT,
        last_accessed TEXT,
        ended TEXT,
        addressees INTEGER NOT NULL
    );
    CREATE INDEX edges_by_file ON edges (file);
    CREATE INDEX edges_by_source ON edges (source, last_accessed);
    CREATE INDEX edges_by_target ON edges (target, last_accessed);
    CREATE TABLE memories (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        file INTEGER NOT NULL,
        id TEXT NOT NULL,
        store INTEGER NOT NULL,
        origin INTEGER NOT NULL,
        created INTEGER,
        last_day INTEGER,
        accesses INTEGER NOT NULL,
        pinned INTEGER NOT NULL,
        archived INTEGER NOT NULL
    );
    CREATE INDEX memories_by_file ON memories (file);
    CREATE INDEX memories_by_id ON memories (id);
    CREATE TABLE hits (
        place TEXT NOT NULL,
        session TEXT NOT NULL,
        day INTEGER NOT NULL,
        used INTEGER NOT NULL,
        kept INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (place, session)
    ) WITHOUT ROWID;
    CREATE TABLE accesses (memory TEXT PRIMARY KEY, accesses INTEGER NOT NULL, last_day INTEGER NOT NULL, base INTEGER,
        pinned INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
    CREATE TABLE links (
        file INTEGER NOT NULL,
        line INTEGER NOT NULL,
        target TEXT NOT NULL,
        heading TEXT,
        key TEXT NOT NULL,
        name TEXT NOT NULL
    );
    CREATE INDEX links_by_file ON links (file);
    CREATE INDEX links_by_key ON links (key);
    CREATE INDEX links_by_name ON links (name);
    CREATE TABLE addressees (id INTEGER PRIMARY KEY AUTOINCREMENT, names TEXT NOT NULL UNIQUE);
    CREATE TABLE lexicon (term TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO meta (key, value) VALUES ('identity', random()), ('generation', 0), ('next_term', 0), ('listing', x''), ('labels', x''),
        ('accesses', 0), ('checkpoint', x'');
";

/// Statements that every healthy database can prepare.
const PROBES: [&str; 24] = [
    "SELECT value FROM meta WHERE key = 'generation'",
    "SELECT id, path, size, mtime_ns, ctime_ns, inode, settled, hash, language, category, tier, label_id, date, facets FROM files LIMIT 1",
    "SELECT code, files FROM languages LIMIT 1",
    "SELECT id, file, start_line, end_line, text, heading, text_hash, addressees, print FROM passages LIMIT 1",
    "SELECT passage, terms FROM analyses LIMIT 1",
    "SELECT passage, facet FROM facets LIMIT 1",
    "SELECT thing, passage FROM replaced LIMIT 1",
    "SELECT passage, slot, vector FROM fresh LIMIT 1",
    "SELECT id, first, last, passages, dead, slots FROM segments LIMIT 0",
    "SELECT segment, chunk, data FROM vectors LIMIT 0",
    "SELECT key, passages, data FROM postings LIMIT 1",
    "SELECT first, last FROM tombstones LIMIT 1",
    "SELECT term, passages FROM dead_terms LIMIT 1",
    "SELECT embedder, hash, vector FROM embeddings LIMIT 0",
    "SELECT term, id FROM lexicon LIMIT 1",
    "SELECT file, id, label, archived, pinned FROM entities LIMIT 1",
    "SELECT name, file FROM names LIMIT 1",
    "SELECT name, file FROM romanized LIMIT 1",
    "SELECT file, source, relation, target, confidence, first_seen, last_accessed, ended, addressees FROM edges LIMIT 1",
    "SELECT id, names FROM addressees LIMIT 1",
    "SELECT number, file, id, store, origin, created, last_day, accesses, pinned, archived FROM memories LIMIT 1",
    "SELECT place, session, day, used, kept FROM hits LIMIT 1",
    "SELECT memory, accesses, last_day, base, pinned FROM accesses LIMIT 1",
    "SELECT file, line, target, heading, key, name FROM links LIMIT 1",
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
}

impl IndexError {
    /// Whether the database is damaged, so that building it anew helps.
    pub fn is_damage(&self) -> bool {
        let Self::Database { source, .. } = self;
        is_damage(source)
    }
}

pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => {
            // A page that ends before its end: the file was cut.
            let is_cut = failure.extended_code == rusqlite::ffi::SQLITE_IOERR_SHORT_READ;
            is_cut
                || matches!(
                    failure.code,
                    // `Unknown` is SQLite's plain error: a table or column that is not there.
                    ErrorCode::DatabaseCorrupt
                        | ErrorCode::NotADatabase
                        | ErrorCode::Unknown
                        | ErrorCode::ConstraintViolation
                )
        }
        rusqlite::Error::SqlInputError { .. }
        | rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::QueryReturnedNoRows
        | rusqlite::Error::Utf8Error(..) => true,
        _ => false,
    }
}

/// Opens the database and makes sure that it is one of ours.
pub(crate) fn connect(path: &Path, passage_tokens: usize) -> rusqlite::Result<Connection> {
    let mut connection = opened(path)?;
    if is_blank(&connection)? {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have made it while this one waited.
        if is_blank(&transaction)? {
            make(&transaction, passage_tokens)?;
        }
        transaction.commit()?;
    }
    checked(&connection, passage_tokens)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Opens whatever database there is.
pub(crate) fn opened(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // Blobs of postings and vectors are read whole; this takes effect while the file is empty.
    connection.pragma_update(None, "page_size", 8192)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // In KiB: what a large store's searches read again and again.
    connection.pragma_update(None, "cache_size", -32_768)?;
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    if mode != "wal" {
        become_write_ahead(&connection)?;
    }
    Ok(connection)
}

/// Whether nobody has anything in it: what another program keeps there is not ours to add to.
fn is_blank(connection: &Connection) -> rusqlite::Result<bool> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let holds_any = "SELECT EXISTS (SELECT 1 FROM sqlite_master)";
    Ok(version == 0 && !connection.query_row(holds_any, [], |row| row.get::<_, bool>(0))?)
}

/// Makes the tables in a database that has none. `connection` is in a transaction.
pub(crate) fn make(connection: &Connection, passage_tokens: usize) -> rusqlite::Result<()> {
    connection.execute_batch(SCHEMA)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", version(passage_tokens))
}

fn version(passage_tokens: usize) -> i64 {
    SCHEMA_VERSION + i64::try_from(passage_tokens).unwrap_or(0) * 1_000
}

/// Whether the database is one of ours, of this version, with all its tables. Another version is as good as damaged: it is built anew.
pub(crate) fn checked(connection: &Connection, passage_tokens: usize) -> rusqlite::Result<()> {
    let stored: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let application: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if stored != version(passage_tokens) || application != APPLICATION_ID {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    for probe in PROBES {
        let mut statement = connection.prepare(probe)?;
        let mut rows = statement.query([])?;
        rows.next()?;
    }
    Ok(())
}

/// Switches to write-ahead logging. SQLite does not wait here when another process does the same; for one that has the file open it would
/// wait long.
fn become_write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    const ATTEMPTS: u32 = 200;
    const PAUSE: Duration = Duration::from_millis(5);
    connection.busy_timeout(PAUSE)?;
    for attempt in 1..=ATTEMPTS {
        match connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)) {
            Err(rusqlite::Error::SqliteFailure(failure, _))
                if failure.code == ErrorCode::DatabaseBusy && attempt < ATTEMPTS =>
            {
                std::thread::sleep(PAUSE);
            }
            Err(error) => return Err(error),
            // A file system without shared memory stays with the rollback journal, which works as well.
            Ok(_) => break,
        }
    }
    connection.busy_timeout(BUSY_TIMEOUT)
}

/// Whether the file lost its bytes: too few are left for a header, no log beside it has what it lacks, and nobody is just making it.
pub(crate) fn was_emptied(path: &Path) -> bool {
    const HEADER: u64 = 100;
    const BEING_MADE: Duration = Duration::from_millis(50);
    let length = |path: &Path| std::fs::metadata(path).map(|found| found.len()).ok();
    let is_short = || length(path).is_some_and(|length| length < HEADER);
    if !is_short() || length(&path.with_extension("db-wal")).is_some_and(|length| length > 0) {
        return false;
    }
    std::thread::sleep(BEING_MADE);
    is_short()
}

/// What a person is told of an index that is begun anew.
pub(crate) fn rebuilt(path: &Path, error: &dyn std::fmt::Display) -> String {
    tracing::debug!(index = %path.display(), %error, "the index is built anew");
    format!("the index {} was damaged or of another version and was built anew", path.display())
}
