//! What searches keep in memory from one to the next.

use std::sync::{Arc, Mutex, PoisonError};

use crate::access::KeptAccesses;
use crate::view::View;

/// What searches of one index keep in memory; indexes that are asked beside each other share it.
#[derive(Clone, Default)]
pub struct Kept {
    /// The number of the file that it is of.
    pub(crate) inode: Option<i64>,
    /// What the last search looked at; good for as long as the generation is the same.
    pub(crate) view: Arc<Mutex<Option<Arc<View>>>>,
    /// The uses that the last search knew.
    pub(crate) accesses: Arc<Mutex<Option<KeptAccesses>>>,
}

impl Kept {
    pub(crate) fn of(inode: Option<i64>) -> Self {
        Self { inode, ..Self::default() }
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
