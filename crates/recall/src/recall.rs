//! One search from beginning to end: refresh the index, ask it, and do without it where it cannot be had.
//!
//! The answer is never older than the files were when the search began (S16), and never an error because the
//! index is missing, damaged or cannot be written (S4).

use std::path::Path;
use std::time::SystemTime;

use crate::database::{IndexError, is_damage};
use crate::grep::grep;
use crate::index::{Index, Progress, Refreshed};
use crate::search::{Answer, Filter, Freshness, Hit, Query, QueryError, SearchError};
use crate::{Label, SourceFile};

/// Answers `query` from `files` by way of the index at `database`; the second value is what the refresh did, or
/// nothing where the files were searched directly.
///
/// `files` must be all the files there are: others are taken out of the index. `passage_tokens` is the length
/// passages are divided at, `observed_at` the machine's own time (not a pinned one).
///
/// # Errors
/// [`QueryError`] when the query itself is wrong.
pub fn recall(
    database: &Path,
    files: &[SourceFile],
    label: &dyn Fn(&str) -> Label,
    query: &Query,
    passage_tokens: usize,
    observed_at: SystemTime,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Answer, Option<Refreshed>), QueryError> {
    let filter = Filter::new(query)?;
    let mut by_index = || -> Result<(Vec<Hit>, Refreshed), IndexError> {
        let mut index = Index::open(database, passage_tokens)?;
        index.refresh_and_ask(files, label, query, &filter, observed_at, progress)
    };
    match by_index() {
        Ok((results, refreshed)) => {
            let freshness = Freshness {
                generation: refreshed.generation,
                refreshed_ms: refreshed.milliseconds,
                skipped: refreshed.skipped.clone(),
                ..Freshness::default()
            };
            Ok((Answer { mode: "keyword", results, freshness }, Some(refreshed)))
        }
        Err(error) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "searching without the index");
            grep(files, label, query, passage_tokens).map(|answer| (answer, None))
        }
    }
}

impl Index {
    /// Refreshes and asks; damage found on the way is answered by building the index anew, once.
    fn refresh_and_ask(
        &mut self,
        files: &[SourceFile],
        label: &dyn Fn(&str) -> Label,
        query: &Query,
        filter: &Filter<'_>,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Vec<Hit>, Refreshed), IndexError> {
        let refreshed = self.refresh(files, label, observed_at, progress)?;
        match self.ask(query, filter).map_err(|source| self.error(source)) {
            Ok(results) => Ok((results, refreshed)),
            Err(IndexError::Database { source, .. }) if is_damage(&source) => {
                self.rebuild(&source)?;
                let refreshed = self.refresh(files, label, observed_at, progress)?;
                let results = self.ask(query, filter).map_err(|source| self.error(source))?;
                Ok((results, refreshed))
            }
            Err(error) => Err(error),
        }
    }

    /// Asks the index as it is, for a long-lived process that refreshes it by itself.
    ///
    /// # Errors
    /// [`SearchError`]: a wrong query, or an index that cannot be read. Damage ([`IndexError::is_damage`]) is
    /// mended by `reset` and `refresh`.
    pub fn search(&self, query: &Query) -> Result<Vec<Hit>, SearchError> {
        let filter = Filter::new(query)?;
        Ok(self.ask(query, &filter).map_err(|source| self.error(source))?)
    }
}
