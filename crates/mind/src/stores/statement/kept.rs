//! Statements that were taken apart already.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Statement;

/// Statements that were read lately, by their texts: pages are compared with again and again. As many as [`MOST_KEPT`], which is
/// some megabytes.
#[derive(Debug, Default)]
pub(crate) struct Statements(Mutex<HashMap<String, Arc<Statement>>>);

/// So many are kept; past it all go, and those that are asked for come back.
const MOST_KEPT: usize = 4_096;

impl Statements {
    /// Asks something of the statement that a text makes.
    pub(crate) fn with<T>(&self, text: &str, ask: impl FnOnce(&Statement) -> T) -> T {
        let kept = |statements: &Self| {
            statements.0.lock().unwrap_or_else(PoisonError::into_inner).get(text).map(Arc::clone)
        };
        if let Some(statement) = kept(self) {
            return ask(&statement);
        }
        let statement = Arc::new(Statement::new(text));
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_KEPT {
            all.clear();
        }
        all.insert(text.to_owned(), Arc::clone(&statement));
        drop(all);
        ask(&statement)
    }
}
