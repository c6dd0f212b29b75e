//! What the index remembers of the files that it last saw: one number for the state of all but some, and the paths of those.
//!
//! The others are as they were where the number is the same, so that no file of theirs is compared with its row. Apart stand files of which
//! it is not certain that the index says what they say, and those that changed last, for they are the ones that change next: the
//! transcript of an open session grows with every message. Whoever writes anything of the others forgets it in the same transaction.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension as _};

use crate::source::Sources;

/// Paths that stand apart, at most.
pub(crate) const MOST_APART: usize = 64;

/// What is remembered.
pub(crate) struct Remembered {
    listing: [u8; 32],
    /// The paths of the files that stand apart.
    pub(crate) apart: BTreeSet<String>,
}

impl Remembered {
    /// The state of these files, of which the index says what they say, but for those apart.
    pub(crate) fn of(sources: &Sources<'_>, apart: BTreeSet<String>) -> Self {
        Self { listing: sources.listing(&apart), apart }
    }

    /// As it is kept; nothing where nothing is remembered.
    pub(crate) fn read(connection: &Connection) -> rusqlite::Result<Option<Self>> {
        let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE key = 'listing'")?;
        let kept: Option<Vec<u8>> = statement.query_row([], |row| row.get(0)).optional()?;
        let kept = kept.unwrap_or_default();
        let Some((listing, apart)) = kept.split_first_chunk::<32>() else { return Ok(None) };
        let paths = apart.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        let apart = paths.map(|path| String::from_utf8_lossy(path).into_owned()).collect();
        Ok(Some(Self { listing: *listing, apart }))
    }

    /// As it is written; no path holds a zero byte.
    pub(crate) fn written(&self) -> Vec<u8> {
        let paths = self.apart.iter().flat_map(|path| path.bytes().chain([0]));
        self.listing.iter().copied().chain(paths).collect()
    }

    /// Whether all files but those apart are still as they were.
    pub(crate) fn is_of(&self, sources: &Sources<'_>) -> bool {
        sources.listing(&self.apart) == self.listing
    }
}
