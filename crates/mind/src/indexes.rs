//! The index, opened as often as it is asked at once, over one set of what is kept in memory.
//!
//! A program that answers several clients searches on several threads; each borrows an open index and gives it back. Where nobody asks at
//! the same time there is one.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rem_recall::{Index, IndexError, Kept};

/// Open indexes that nobody asks just now, and what searches keep in memory.
#[derive(Debug, Default)]
pub(crate) struct Indexes(Mutex<(Vec<Index>, Option<Kept>)>);

/// A borrowed index; nothing where there is none. Given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Borrowed<'a> {
    indexes: &'a Indexes,
    index: Option<Index>,
}

impl Indexes {
    /// Borrows one: an idle one, or one opened at `path`.
    pub(crate) fn borrow(&self, path: &Path, passage_tokens: usize) -> Result<Borrowed<'_>, IndexError> {
        let kept = {
            let mut inside = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let (idle, kept) = &mut *inside;
            if let Some(index) = idle.pop() {
                if index.is_in_place() {
                    return Ok(self.lent(Some(index)));
                }
                // Another file lies there now: nothing that is kept is of it.
                idle.clear();
                *kept = None;
            }
            kept.clone()
        };
        let index = match kept {
            Some(kept) => Index::open_beside(path, passage_tokens, &kept)?,
            None => Index::open(path, passage_tokens)?,
        };
        Ok(self.lent(Some(index)))
    }

    /// Nothing, in the form of a borrowed index.
    pub(crate) fn none(&self) -> Borrowed<'_> {
        self.lent(None)
    }

    fn lent(&self, index: Option<Index>) -> Borrowed<'_> {
        Borrowed { indexes: self, index }
    }
}

impl Deref for Borrowed<'_> {
    type Target = Option<Index>;

    fn deref(&self) -> &Option<Index> {
        &self.index
    }
}

impl DerefMut for Borrowed<'_> {
    fn deref_mut(&mut self) -> &mut Option<Index> {
        &mut self.index
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        let Some(index) = self.index.take().filter(Index::is_in_place) else { return };
        let mut inside = self.indexes.0.lock().unwrap_or_else(PoisonError::into_inner);
        inside.1 = Some(index.kept().clone());
        inside.0.push(index);
    }
}
