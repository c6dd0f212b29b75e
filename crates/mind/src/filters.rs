//! Filters of a search that can let nothing through, because nothing is called so: a misspelling looks like an empty memory.

use std::collections::BTreeSet;

use rem_recall::{Query, Scope};

use crate::error::MemoryError;
use crate::memory::Memory;

impl Memory {
    /// Refuses filters that name a category or a folder that there is not.
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
        Ok(())
    }
}
