//! Searching the index by words, and the answer that every kind of search gives.
//!
//! A question is text, never syntax. Scores lie between 0 and 1: a passage's BM25 divided by the best one's of
//! the same question (a passage without any word has 0, so this is the min-max scale over the whole store, and
//! A7.3's own). The answer serialises to the shape that `rem recall --json`, MCP and HTTP share.

use std::collections::HashSet;

use globset::{Glob, GlobSet, GlobSetBuilder};
use jiff::civil::Date;
use rusqlite::params_from_iter;
use rusqlite::types::Value;
use serde::Serialize;
use thiserror::Error;

use crate::analyzer::{QueryWord, query_words};
use crate::database::IndexError;
use crate::index::Index;
use crate::snippet::snippet;

/// What is looked for, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The question, in any language.
    pub text: String,
    /// Only these categories; empty for all.
    pub categories: Vec<String>,
    /// Only paths that match one of these globs; empty for all. `*` stays within a folder, `**` does not.
    pub paths: Vec<String>,
    /// Only files about this day or later; undated files are left out.
    pub since: Option<Date>,
    /// Only files about this day or earlier; undated files are left out.
    pub until: Option<Date>,
    /// At most so many results (M16: 20).
    pub limit: usize,
    /// Only results with at least this score, from 0 to 1 (M16: 0.3).
    pub min_score: f64,
    /// The longest snippet, in characters.
    pub snippet_characters: usize,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            text: String::new(),
            categories: Vec::new(),
            paths: Vec::new(),
            since: None,
            until: None,
            limit: 20,
            min_score: 0.3,
            snippet_characters: 320,
        }
    }
}

/// What is wrong with a query.
#[derive(Debug, Error)]
pub enum QueryError {
    /// A path filter is no glob.
    #[error("the path filter `{glob}` is not a glob; write `memory/**` or `*.md`")]
    Glob {
        /// The filter as given.
        glob: String,
        /// What is wrong with it.
        source: globset::Error,
    },
}

/// Why a search of the index gave no answer.
#[derive(Debug, Error)]
pub enum SearchError {
    /// The query is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The index cannot be read.
    #[error(transparent)]
    Index(#[from] IndexError),
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// `keyword` from the index, `grep` from the files.
    pub mode: &'static str,
    /// The results, best first.
    pub results: Vec<Hit>,
    /// How fresh the answer is.
    pub freshness: Freshness,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// The memory's id; `passage:PATH:FIRST-LAST` where the file is not one memory.
    pub id: String,
    /// Path relative to the workspace.
    pub path: String,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line, inclusive.
    pub end_line: usize,
    /// What kind of memory it is.
    pub category: String,
    /// The day it is about, where its path says one.
    pub date: Option<String>,
    /// From 0 to 1; 1 is the best match of this question.
    pub score: f64,
    /// The part that matters, on one line.
    pub snippet: String,
    /// Its visibility by relevance (M9.2); `active` until relevance is known.
    pub status: &'static str,
    /// Its tier.
    pub tier: String,
    /// Where the score comes from.
    pub explain: Explanation,
    /// The whole passage, for the compiler of contexts.
    #[serde(skip)]
    pub text: String,
}

/// Where a score comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The match by words, from 0 to 1.
    pub bm25: f64,
    /// The same before it was scaled; larger is better. For `grep`, the number of different words found.
    pub bm25_raw: f64,
    /// The match by meaning; none without vectors.
    pub vector: Option<f64>,
    /// What the age of a dated file leaves of the score.
    pub date_weight: f64,
    /// The memory's relevance (M9).
    pub relevance: f64,
    /// Further factors by name.
    pub boosts: Vec<(String, f64)>,
}

/// How an answer relates to the present state of the files (S16).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Freshness {
    /// The index's generation; 0 without an index.
    pub generation: u64,
    /// Files that changed and are not in the answer; 0, for the index is refreshed before it is asked.
    pub files_changed_since: usize,
    /// The embedder's name; none without vectors.
    pub embedder: Option<String>,
    /// The width of its vectors.
    pub dimensions: Option<usize>,
    /// What the refresh took, in milliseconds.
    pub refreshed_ms: u64,
    /// Files that could not be searched.
    pub skipped: Vec<Skipped>,
}

/// A file that could not be searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Path relative to the workspace.
    pub path: String,
    /// Why.
    pub why: String,
}

/// A query whose filters are ready to be asked.
pub(crate) struct Filter<'a> {
    query: &'a Query,
    globs: Option<GlobSet>,
}

impl<'a> Filter<'a> {
    pub(crate) fn new(query: &'a Query) -> Result<Self, QueryError> {
        if query.paths.is_empty() {
            return Ok(Self { query, globs: None });
        }
        let mut builder = GlobSetBuilder::new();
        for glob in &query.paths {
            let error = |source| QueryError::Glob { glob: glob.clone(), source };
            builder.add(globset::GlobBuilder::new(glob).literal_separator(true).build().map_err(error)?);
            if !glob.contains('/') {
                // `*.md` means a name in any folder.
                builder.add(Glob::new(&format!("**/{glob}")).map_err(error)?);
            }
        }
        let globs =
            builder.build().map_err(|source| QueryError::Glob { glob: query.paths.join(", "), source })?;
        Ok(Self { query, globs: Some(globs) })
    }

    fn is_open(&self) -> bool {
        self.globs.is_none()
            && self.query.categories.is_empty()
            && self.query.since.is_none()
            && self.query.until.is_none()
    }

    pub(crate) fn lets_through(&self, path: &str, category: &str, date: Option<&str>) -> bool {
        let date: Option<Date> = date.and_then(|date| date.parse().ok());
        (self.query.categories.is_empty() || self.query.categories.iter().any(|each| each == category))
            && self.globs.as_ref().is_none_or(|globs| globs.is_match(path))
            && self.query.since.is_none_or(|since| date.is_some_and(|date| date >= since))
            && self.query.until.is_none_or(|until| date.is_some_and(|date| date <= until))
    }
}

/// A passage that was found, before scores are scaled.
pub(crate) struct Found {
    pub(crate) path: String,
    pub(crate) start_line: usize,
    pub(crate) end_line: usize,
    pub(crate) category: String,
    pub(crate) tier: String,
    pub(crate) label_id: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) text: String,
    pub(crate) raw: f64,
}

/// Scales, filters by score, removes repetitions, sorts and cuts.
pub(crate) fn rank(mut found: Vec<Found>, best: f64, query: &Query, words: &[QueryWord]) -> Vec<Hit> {
    found.sort_by(|left, right| {
        right
            .raw
            .total_cmp(&left.raw)
            .then_with(|| (&left.path, left.start_line).cmp(&(&right.path, right.start_line)))
    });
    let wanted: HashSet<String> = words.iter().flat_map(|word| word.tokens.iter().cloned()).collect();
    let mut seen = HashSet::new();
    found
        .into_iter()
        .filter_map(|found| {
            let score = if best > 0.0 { (found.raw / best).clamp(0.0, 1.0) } else { 1.0 };
            let mut is_new = || seen.insert(blake3::hash(found.text.trim().as_bytes()));
            (score >= query.min_score && is_new()).then_some((found, score))
        })
        .take(query.limit)
        .map(|(found, score)| Hit {
            id: found
                .label_id
                .unwrap_or_else(|| format!("passage:{}:{}-{}", found.path, found.start_line, found.end_line)),
            snippet: snippet(&found.text, &wanted, query.snippet_characters),
            path: found.path,
            start_line: found.start_line,
            end_line: found.end_line,
            category: found.category,
            date: found.date,
            score,
            status: "active",
            tier: found.tier,
            explain: Explanation {
                bm25: score,
                bm25_raw: found.raw,
                vector: None,
                date_weight: 1.0,
                relevance: 1.0,
                boosts: Vec::new(),
            },
            text: found.text,
        })
        .collect()
}

impl Index {
    /// Asks the index as it is; `recall` refreshes it first.
    pub(crate) fn ask(&self, query: &Query, filter: &Filter<'_>) -> rusqlite::Result<Vec<Hit>> {
        let words = query_words(&query.text, &self.languages()?);
        if words.is_empty() || query.limit == 0 {
            return Ok(Vec::new());
        }
        let mut tokens: Vec<&str> =
            words.iter().flat_map(|word| word.tokens.iter().map(String::as_str)).collect();
        tokens.sort_unstable();
        tokens.dedup();
        // No token holds a quote, so each is one phrase of one word and nothing in it is syntax.
        let expression = tokens.iter().map(|token| format!("\"{token}\"")).collect::<Vec<_>>().join(" OR ");

        let mut sql = String::from("SELECT rowid, -bm25(words) FROM words WHERE words MATCH ?1");
        let mut values = vec![Value::Text(expression.clone())];
        if !filter.is_open() {
            sql.push_str(
                " AND rowid IN (SELECT id FROM passages WHERE file_id IN (SELECT value FROM json_each(?2)))",
            );
            values.push(Value::Text(format!("{:?}", self.files_through(filter)?)));
        }
        // Repetitions fall away later, so more are fetched than shown.
        let fetched = query.limit.saturating_mul(3).saturating_add(50);
        sql.push_str(&format!(" ORDER BY rank LIMIT {fetched}"));
        let mut statement = self.connection.prepare_cached(&sql)?;
        let ranked: Vec<(i64, f64)> = statement
            .query_map(params_from_iter(values), |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let best = ranked.iter().map(|(_, raw)| *raw).fold(0.0, f64::max);

        let mut passage = self.connection.prepare_cached(
            "SELECT f.path, p.start_line, p.end_line, f.category, f.tier, f.label_id, f.date, p.text
             FROM passages p JOIN files f ON f.id = p.file_id WHERE p.id = ?1",
        )?;
        let mut found = Vec::with_capacity(ranked.len());
        for (id, raw) in ranked {
            if best > 0.0 && raw / best < query.min_score {
                break;
            }
            found.push(passage.query_row([id], |row| {
                Ok(Found {
                    path: row.get(0)?,
                    start_line: row.get::<_, u32>(1)? as usize,
                    end_line: row.get::<_, u32>(2)? as usize,
                    category: row.get(3)?,
                    tier: row.get(4)?,
                    label_id: row.get(5)?,
                    date: row.get(6)?,
                    text: row.get(7)?,
                    raw,
                })
            })?);
        }
        Ok(rank(found, best, query, &words))
    }

    fn files_through(&self, filter: &Filter<'_>) -> rusqlite::Result<Vec<i64>> {
        let mut statement = self.connection.prepare_cached("SELECT id, path, category, date FROM files")?;
        let mut rows = statement.query([])?;
        let mut through = Vec::new();
        while let Some(row) = rows.next()? {
            let (path, category) = (row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?);
            if filter.lets_through(path, category, row.get_ref(3)?.as_str_or_null()?) {
                through.push(row.get(0)?);
            }
        }
        Ok(through)
    }
}
