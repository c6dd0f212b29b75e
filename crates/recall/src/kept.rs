//! What searches keep in memory from one to the next.

use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use crate::access::KeptAccesses;
use crate::view::View;

/// What searches of one index keep in memory; indexes that are asked beside each other share it.
#[derive(Clone, Default)]
pub struct Kept {
    /// The database that it is of, which tells itself: the file's number may come again.
    pub(crate) identity: Option<i64>,
    /// What the last search looked at; good for as long as the generation is the same.
    pub(crate) view: Arc<Mutex<Option<Arc<View>>>>,
    /// The uses that the last search knew.
    pub(crate) accesses: Arc<Mutex<Option<KeptAccesses>>>,
}

impl Kept {
    /// Nothing yet, of this database.
    pub(crate) fn of(connection: &Connection) -> Self {
        Self { identity: identity_of(connection), ..Self::default() }
    }

    /// Whether it is of this database.
    pub(crate) fn is_of(&self, connection: &Connection) -> bool {
        self.identity.is_some() && self.identity == identity_of(connection)
    }

    /// The generation of the database that it is of. Where the file holds another one by now, or none, that is damage: whoever has it
    /// open has to begin with what is there.
    pub(crate) fn generation(&self, connection: &Connection) -> rusqlite::Result<u64> {
        let (generation, identity): (i64, Option<i64>) = connection
            .prepare_cached(
                "SELECT value, (SELECT value FROM meta WHERE key = 'identity') FROM meta WHERE key = 'generation'",
            )?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        match identity.is_some() && identity == self.identity {
            true => Ok(generation.max(0).cast_unsigned()),
            false => Err(rusqlite::Error::QueryReturnedNoRows),
        }
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Kept").finish_non_exhaustive()
    }
}

/// The number that a database was given when it was made.
pub(crate) fn identity_of(connection: &Connection) -> Option<i64> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE key = 'identity'").ok()?;
    statement.query_row([], |row| row.get(0)).ok()
}
