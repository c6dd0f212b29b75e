//! Links that follow when many files move at once.

use std::collections::{BTreeMap, BTreeSet};

use rem_format::path::MemoryPath;
use rem_ledger::ChangeSet;
use rem_recall::{Index, SearchError};

use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::links::Places;
use crate::stores::renaming::{Followed, Targets};

impl Memory {
    /// What has to happen to links when each of these files is at its new place.
    pub(super) fn links_of_moved(
        &self,
        index: &Index,
        moved: &BTreeMap<&str, &MemoryPath>,
    ) -> Result<Followed, MemoryError> {
        let now = |path: &str| moved.get(path).map_or_else(|| path.to_owned(), ToString::to_string);
        let names = index.entity_names().map_err(SearchError::from)?;
        let listing = self.ledger.list()?;
        let paths: Vec<&str> = listing.files.iter().map(|file| file.path.as_str()).collect();
        // Several may come to lie in one.
        let after: BTreeSet<String> = paths.iter().map(|path| now(path)).collect();
        let layout = self.ledger.layout();
        let before = Places::new(layout, paths, names.clone());
        let after = Places::new(layout, after.iter().map(String::as_str), names);
        self.links_following(index, &before, &after, &now)
    }
}

/// The set, with links in these files led elsewhere.
pub(super) fn relinked_in<'a>(
    set: ChangeSet<'a>,
    targets: Targets,
    summary: &str,
) -> Result<ChangeSet<'a>, MemoryError> {
    targets.into_iter().try_fold(set, |set, (path, own)| {
        let path = MemoryPath::new(path)?;
        Ok(set.edit(path, summary, move |found| Ok(found.map(|bytes| own.led(bytes)))))
    })
}
