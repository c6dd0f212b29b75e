//! One search from beginning to end: refresh the index, ask it, and do without it where it cannot be had.
//!
//! The answer is never older than the files were when the search began (S16), and never an error because the
//! index is missing, damaged or cannot be written (S4).

use crate::anew::MOST_REBUILDS;
use crate::answer::{Answer, Freshness};
use crate::database::{IndexError, is_damage};
use crate::embed::Embedder;
use crate::grep::grep;
use crate::index::{Index, Progress, Refreshed};
use crate::meaning::Answering;
use crate::query::{Filter, Query, QueryError, SearchError};
use crate::search::Found;
use crate::source::Sources;
use crate::strategy::Strategy;

/// Answers `query` from the files by way of the index, or without it where it could not be opened; the second value is what the
/// refresh did, or nothing where the files were searched directly. `passage_tokens` is the length passages are divided at.
/// `embedder` takes the place of the built-in model where its vectors cover every passage.
///
/// # Errors
/// [`QueryError`] when the query itself is wrong.
pub fn recall(
    index: Result<&mut Index, IndexError>,
    sources: &Sources<'_>,
    query: &Query,
    embedder: Option<&dyn Embedder>,
    passage_tokens: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Answer, Option<Refreshed>), QueryError> {
    Filter::new(query)?;
    let answered =
        index.map_err(SearchError::from).and_then(|index| index.recall(sources, query, embedder, progress));
    match answered {
        Ok((answer, refreshed)) => Ok((answer, Some(refreshed))),
        Err(SearchError::Query(error)) => Err(error),
        Err(SearchError::Index(error)) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "searching without the index");
            grep(sources, query, passage_tokens).map(|answer| (answer, None))
        }
    }
}

impl Index {
    /// Refreshes and asks; damage found on the way is answered by building the index anew, and one that another process began anew
    /// by asking that. A process that lives long keeps the index open: its second search reads only what changed.
    ///
    /// # Errors
    /// [`SearchError`]: a wrong query, or an index that cannot be used.
    pub fn recall(
        &mut self,
        sources: &Sources<'_>,
        query: &Query,
        embedder: Option<&dyn Embedder>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Answer, Refreshed), SearchError> {
        let filter = Filter::new(query)?;
        let mut rebuilds = 0;
        let (refreshed, found, answering) = loop {
            let refreshed = self.refresh(sources, progress)?;
            match self.asked(query, &filter, embedder, true) {
                Err(IndexError::Database { source, .. })
                    if is_damage(&source) && rebuilds < MOST_REBUILDS =>
                {
                    rebuilds += usize::from(self.rebuild(&source)?);
                }
                other => break other.map(|(found, answering)| (refreshed, found, answering))?,
            }
        };
        Ok((answer(found, query, &refreshed, answering), refreshed))
    }

    /// Asks the index as it is, for a process that refreshes it by itself.
    ///
    /// # Errors
    /// [`SearchError`]: a wrong query, or an index that cannot be read. Damage ([`IndexError::is_damage`]) is
    /// mended by `reset` and `refresh`.
    pub fn search(&self, query: &Query, embedder: Option<&dyn Embedder>) -> Result<Answer, SearchError> {
        let filter = Filter::new(query)?;
        let (found, answering) = self.asked(query, &filter, embedder, false)?;
        let generation = self.generation()?;
        Ok(answer(found, query, &Refreshed { generation, ..Refreshed::default() }, answering))
    }

    fn asked(
        &self,
        query: &Query,
        filter: &Filter<'_>,
        embedder: Option<&dyn Embedder>,
        may_encode: bool,
    ) -> Result<(Found, Answering), IndexError> {
        let answering = self.answering(embedder, query, may_encode)?;
        let found =
            self.ask(query, filter, answering.meaning.as_ref()).map_err(|source| self.error(source))?;
        Ok((found, answering))
    }
}

fn answer(found: Found, query: &Query, refreshed: &Refreshed, answering: Answering) -> Answer {
    let freshness = Freshness {
        generation: refreshed.generation,
        files_changed_since: 0,
        embedder: Some(answering.embedder),
        dimensions: Some(answering.dimensions),
        embedder_notice: answering.notice,
        refreshed_ms: refreshed.milliseconds,
        skipped: refreshed.skipped.clone(),
    };
    Answer {
        mode: query.mode.as_str(),
        strategy: found.question.strategy.map(Strategy::as_str),
        period: found.question.period_in_words(),
        results: found.hits,
        left_out: found.left_out,
        freshness,
    }
}
