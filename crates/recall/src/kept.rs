//! What searches keep in memory from one to the next.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use crate::access::KeptAccesses;
use crate::view::View;

/// What searches of one index keep in memory; indexes that are asked beside each other share it.
#[derive(Clone, Default)]
pub struct Kept {
    /// The database that it is of, which tells itself: the file's number may come again.
    identity: Option<i64>,
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

    /// Whoever shares it finds nothing any more.
    pub(crate) fn clear(&self) {
        *self.view.lock().unwrap_or_else(PoisonError::into_inner) = None;
        *self.accesses.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Kept").finish_non_exhaustive()
    }
}

/// The number that a database was given when it was made.
fn identity_of(connection: &Connection) -> Option<i64> {
    connection.query_row("SELECT value FROM meta WHERE key = 'identity'", [], |row| row.get(0)).ok()
}
