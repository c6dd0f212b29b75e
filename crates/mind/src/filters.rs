//! Filters of a search that can let nothing through, because nothing is called so: a misspelling looks like an empty memory.

use std::collections::BTreeSet;

use rem_recall::{Query, Scope, is_pattern};

use crate::error::MemoryError;
use crate::memory::Memory;

impl Memory {
    /// Refuses filters that name a category, a folder or a path that there is not.
    ///
    /// # Errors
    /// [`MemoryError::Usage`], with the categories that there are.
    pub fn check_filters(&self, query: &Query) -> Result<(), MemoryError> {
        let categories: BTreeSet<&str> = self.ledger.layout().categories().collect();
        if let Some(unknown) = query.categories.iter().find(|each| !categories.contains(each.as_str())) {
            let there: Vec<&str> = categories.into_iter().collect();
            return Err(MemoryError::usage(
                format!("there is no category {unknown:?}"),
                format!("the categories are {}", there.join(", ")),
            ));
        }
        let folders = query.scopes.iter().filter_map(|scope| match scope {
            Scope::Folder(folder) => Some(folder),
            Scope::Facet(_) => None,
        });
        for folder in folders {
            if !self.ledger.root().join(folder).is_dir() {
                return Err(MemoryError::usage(
                    format!("there is no folder {folder:?} in the workspace"),
                    "name one as it lies there, such as folder:memory/projects".to_owned(),
                ));
            }
        }
        // A pattern may match what comes later, and a name without a folder stands for files anywhere.
        let paths = query.paths.iter().map(|path| path.trim_start_matches("./").trim_end_matches('/'));
        for path in paths.filter(|path| path.contains('/') && !is_pattern(path)) {
            if !self.ledger.root().join(path).exists() {
                return Err(MemoryError::usage(
                    format!("there is nothing at {path:?} in the workspace"),
                    "name a file or a folder as it lies there, or write a pattern such as memory/**"
                        .to_owned(),
                ));
            }
        }
        Ok(())
    }
}
