//! Beginning anew: with an index that is damaged, of another version, or wanted from nothing.
//!
//! The database is emptied where it lies and no file is removed: other threads and processes may have it open, and whoever of them closes it
//! last takes the companions away by their names, which by then could be those of another database. What can be read is emptied in one
//! transaction; what cannot is reset by SQLite. Both give a new identity, by which all who have it open notice.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

use crate::access;
use crate::database::{IndexError, checked, connect, is_damage, make, opened, rebuilt};
use crate::index::Index;
use crate::kept::{Kept, identity_of};
use crate::source::inode_of;

/// So often a refresh or a search begins anew; how often it goes on with what others began has no bound.
pub(crate) const MOST_REBUILDS: usize = 3;

/// How long a damaged database is waited for; meanwhile there is no index.
const PATIENCE: Duration = Duration::from_secs(5);

impl Index {
    /// Whether what was opened still stands at its place: it may be deleted, replaced or begun anew by another process, at any time.
    pub fn is_in_place(&self) -> bool {
        self.inode.is_some() && self.inode == inode_of(&self.path) && self.kept.is_of(&self.connection)
    }

    /// Empties the database; the next `refresh` fills it.
    ///
    /// # Errors
    /// [`IndexError`] when it cannot be written or made.
    pub fn reset(&mut self) -> Result<(), IndexError> {
        self.begin_anew(|_| false)
    }

    /// Empties the database and writes its file anew, so that nothing of what it held stays on the disk; the next `refresh` fills it.
    ///
    /// # Errors
    /// [`IndexError`] when it cannot be written or made, and while another process reads it for longer than is waited.
    pub fn scrub(&mut self) -> Result<(), IndexError> {
        self.reset()?;
        let written = self.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
        written.map_err(|source| self.error(source))
    }

    /// Begins with a sound database after this `error`: the one that another process put in its place, or an empty one. Says whether it is
    /// that.
    pub(crate) fn rebuild(&mut self, error: &rusqlite::Error) -> Result<bool, IndexError> {
        let (known, passage_tokens) = (self.kept.identity, self.passage_tokens);
        let is_another = |found: &Connection| {
            checked(found, passage_tokens).is_ok() && identity_of(found).is_some_and(|id| Some(id) != known)
        };
        match connect(&self.path, passage_tokens) {
            Ok(found) if is_another(&found) => {
                self.take_up(found);
                Ok(false)
            }
            _ => {
                self.notices.push(rebuilt(&self.path, error));
                self.begin_anew(is_another).map(|()| true)
            }
        }
    }

    fn begin_anew(&mut self, is_done: impl Fn(&Connection) -> bool) -> Result<(), IndexError> {
        let begun = begun_anew(&self.path, self.passage_tokens, is_done);
        self.take_up(begun.map_err(|source| self.error(source))?);
        Ok(())
    }

    /// Goes on with another database, of which nothing is known yet.
    fn take_up(&mut self, connection: Connection) {
        self.connection = connection;
        self.inode = inode_of(&self.path);
        self.kept = Kept::of(&self.connection);
        (self.seen, self.in_line) = (None, None);
        self.lexicon.forget();
        self.encodings.forget();
    }
}

/// The database at `path` with nothing in it but what no file tells, unless it `is_done` already, by another process that was faster.
pub(crate) fn begun_anew(
    path: &Path,
    passage_tokens: usize,
    is_done: impl Fn(&Connection) -> bool,
) -> rusqlite::Result<Connection> {
    match empty(path, passage_tokens, is_done) {
        Err(error) if is_damage(&error) => overwrite(path, passage_tokens),
        other => other.and_then(|()| connect(path, passage_tokens)),
    }
}

/// Empties a database that can be read, in one transaction.
fn empty(path: &Path, passage_tokens: usize, is_done: impl Fn(&Connection) -> bool) -> rusqlite::Result<()> {
    let mut connection = opened(path)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if is_done(&transaction) {
        return Ok(());
    }
    // A page that two tables have would be in two tables again.
    let answer: String = transaction.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if answer != "ok" {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    let uses = access::rescued(&transaction);
    let tables: Vec<String> = transaction
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for table in tables {
        transaction.execute_batch(&format!("DROP TABLE \"{}\"", table.replace('"', "\"\"")))?;
    }
    make(&transaction, passage_tokens)?;
    access::put_back(&transaction, &uses)?;
    transaction.commit()
}

/// Has SQLite write an empty database over whatever the file holds.
fn overwrite(path: &Path, passage_tokens: usize) -> rusqlite::Result<Connection> {
    let damaged = Connection::open(path)?;
    damaged.busy_timeout(PATIENCE)?;
    let uses = access::rescued(&damaged);
    // As its manual says: an attempt to read the tables comes first, and the flag goes off again.
    let _ = damaged.prepare("SELECT name FROM sqlite_schema");
    damaged.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
    damaged.execute_batch("VACUUM")?;
    damaged.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false)?;
    drop(damaged);
    let mut connection = connect(path, passage_tokens)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    access::put_back(&transaction, &uses)?;
    transaction.commit()?;
    Ok(connection)
}
