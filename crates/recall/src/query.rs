//! What is asked: the question, and the filters that narrow where it is looked for (S2, S17).

use std::borrow::Cow;

use globset::{Glob, GlobSet, GlobSetBuilder};
use jiff::civil::Date;
use rem_format::config::DecaySettings;
use rusqlite::Connection;
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::addressees::Asking;
use crate::database::IndexError;
use crate::decay::Visibility;
use crate::describe::facet;
use crate::rank::Ranking;
use crate::segment::Slot;

/// Of a question longer than this only both ends are looked for, half of it each: a pasted log has as many words as a book. In bytes.
const LONGEST_TEXT: usize = 32 << 10;

/// As much of a question as is looked for.
#[must_use]
pub fn short_text(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST_TEXT {
        return Cow::Borrowed(text);
    }
    let head = text.floor_char_boundary(LONGEST_TEXT / 2);
    let tail = text.ceil_char_boundary(text.len() - LONGEST_TEXT / 2);
    Cow::Owned(format!("{}\n{}", &text[..head], &text[tail..]))
}

/// What is looked for, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The question, in any language.
    pub text: String,
    /// Only these categories; empty for all.
    pub categories: Vec<String>,
    /// Only paths that match one of these globs; empty for all. `*` stays within a folder, `**` does not; a folder means all in it.
    pub paths: Vec<String>,
    /// Only files about this day or later; undated files are left out.
    pub since: Option<Date>,
    /// Only files about this day or earlier; undated files are left out.
    pub until: Option<Date>,
    /// Only files with one of these tags in their front matter, and entries with one in their own comment or heading; empty for all.
    pub tags: Vec<String>,
    /// Only files inside each of these.
    pub scopes: Vec<Scope>,
    /// By words, by meaning, or both.
    pub mode: Mode,
    /// How scores are made.
    pub ranking: Ranking,
    /// The day on which it is asked, which ages and "last week" are counted from; without it nothing fades.
    pub today: Option<Date>,
    /// At most so many results (M16: 20).
    pub limit: usize,
    /// Only results with at least this score, from 0 to 1 (M16: 0.3).
    pub min_score: f64,
    /// The longest snippet, in characters.
    pub snippet_characters: usize,
    /// How relevance fades (M9); without it nothing does.
    pub decay: Option<DecaySettings>,
    /// What an ordinary search leaves out and this one shows.
    pub include: Include,
    /// On whose behalf it is asked: what is for others is closed.
    pub asking: Asking,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            text: String::new(),
            categories: Vec::new(),
            paths: Vec::new(),
            since: None,
            until: None,
            tags: Vec::new(),
            scopes: Vec::new(),
            mode: Mode::default(),
            ranking: Ranking::default(),
            today: None,
            limit: 20,
            min_score: 0.3,
            snippet_characters: 320,
            decay: None,
            include: Include::default(),
            asking: Asking::default(),
        }
    }
}

/// What an ordinary search leaves out (M9.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Include {
    /// Memories that faded so far that they are found when asked for alone.
    pub dormant: bool,
    /// Memories that faded away, and files that are out of use.
    pub archived: bool,
}

impl Include {
    pub(crate) fn shows(self, visibility: Visibility) -> bool {
        match visibility {
            Visibility::Active | Visibility::Fading => true,
            Visibility::Dormant => self.dormant,
            Visibility::Archived => self.archived,
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
    /// A scope is of no known kind.
    #[error(
        "`{scope}` is no scope; write `agent:NAME`, `project:NAME`, `person:NAME`, `tag:NAME` or `folder:PATH`"
    )]
    Scope {
        /// The scope as given.
        scope: String,
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

/// How passages are matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// By words and by meaning.
    #[default]
    Hybrid,
    /// By words alone.
    Keyword,
    /// By meaning alone.
    Vector,
}

impl Mode {
    /// Its name in answers and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Keyword => "keyword",
            Self::Vector => "vector",
        }
    }
}

/// Where to look: what a file belongs to by its place or its front matter, or the folder it lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// `agent:NAME`, `project:NAME`, `person:NAME`, `tag:NAME`, as stored with a file.
    Facet(String),
    /// One of several of these: the names of one thing.
    AnyFacet(Vec<String>),
    /// A folder of the workspace, without `/` at its end.
    Folder(String),
}

impl Scope {
    /// What is filed under any of these names of one thing, such as a person's name and the slug of it.
    pub fn any<'a>(kind: &str, names: impl IntoIterator<Item = &'a str>) -> Self {
        Self::AnyFacet(names.into_iter().map(|name| facet(kind, name)).collect())
    }
}

impl std::str::FromStr for Scope {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        match text.split_once(':') {
            Some((name @ ("agent" | "project" | "person" | "tag"), value)) if !value.trim().is_empty() => {
                Ok(Self::Facet(facet(name, value)))
            }
            Some(("folder", folder)) if !as_path(folder).trim_matches('/').is_empty() => {
                Ok(Self::Folder(as_path(folder).trim_matches('/').to_owned()))
            }
            _ => Err(QueryError::Scope { scope: text.to_owned() }),
        }
    }
}

/// A path as it is written in the workspace, of `./memory/reference/`.
fn as_path(text: &str) -> &str {
    let text = text.trim();
    text.trim_start_matches("./").trim_end_matches('/')
}

/// Whether a path filter stands for other paths than the one it says.
#[must_use]
pub fn is_pattern(glob: &str) -> bool {
    glob.contains(['*', '?', '[', '{'])
}

/// A query whose filters are ready to be asked.
pub(crate) struct Filter<'a> {
    pub(crate) query: &'a Query,
    globs: Option<GlobSet>,
    tags: Vec<String>,
}

/// What a filter looks at.
pub(crate) struct Filed<'a> {
    pub(crate) path: &'a str,
    pub(crate) category: &'a str,
    pub(crate) date: Option<&'a str>,
}

/// What a filter lets through.
pub(crate) struct Through {
    /// Whole files.
    files: FxHashSet<u32>,
    /// Passages of other files, whose entries are tagged by themselves.
    passages: FxHashSet<u32>,
}

impl Through {
    pub(crate) fn holds(&self, slot: &Slot) -> bool {
        self.files.contains(&slot.file) || self.passages.contains(&slot.passage)
    }
}

impl<'a> Filter<'a> {
    pub(crate) fn new(query: &'a Query) -> Result<Self, QueryError> {
        let tags = query.tags.iter().map(|tag| facet("tag", tag)).collect();
        if query.paths.is_empty() {
            return Ok(Self { query, globs: None, tags });
        }
        let mut builder = GlobSetBuilder::new();
        for glob in &query.paths {
            let glob = as_path(glob);
            let error = |source| QueryError::Glob { glob: glob.to_owned(), source };
            builder.add(globset::GlobBuilder::new(glob).literal_separator(true).build().map_err(error)?);
            if !glob.contains('/') {
                // `*.md` means a name in any folder.
                builder.add(Glob::new(&format!("**/{glob}")).map_err(error)?);
            }
            if !is_pattern(glob) {
                // A folder means all that lies in it.
                builder.add(Glob::new(&format!("{glob}/**")).map_err(error)?);
            }
        }
        let globs =
            builder.build().map_err(|source| QueryError::Glob { glob: query.paths.join(", "), source })?;
        Ok(Self { query, globs: Some(globs), tags })
    }

    fn is_open(&self) -> bool {
        let Query { categories, since, until, scopes, .. } = self.query;
        self.globs.is_none()
            && self.tags.is_empty()
            && (categories.is_empty() && scopes.is_empty())
            && (since.is_none() && until.is_none())
    }

    /// Whether days are asked for.
    pub(crate) fn has_period(&self) -> bool {
        self.query.since.is_some() || self.query.until.is_some()
    }

    /// Whether what is about this day, or about none, is asked for.
    pub(crate) fn is_in_period(&self, date: Option<Date>) -> bool {
        self.query.since.is_none_or(|since| date.is_some_and(|date| date >= since))
            && self.query.until.is_none_or(|until| date.is_some_and(|date| date <= until))
    }

    /// Whether a file is let through by its place and its day.
    pub(crate) fn lets_place(&self, file: &Filed<'_>) -> bool {
        let date: Option<Date> = file.date.and_then(|date| date.parse().ok());
        (self.query.categories.is_empty() || self.query.categories.iter().any(|each| each == file.category))
            && self.globs.as_ref().is_none_or(|globs| globs.is_match(file.path))
            // The parts of an archive have days of their own.
            && (date.is_none() && file.category == "archive" || self.is_in_period(date))
            && self.query.scopes.iter().all(|scope| match scope {
                Scope::Facet(_) | Scope::AnyFacet(_) => true,
                Scope::Folder(folder) => {
                    file.path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
                }
            })
    }

    /// Whether these facets, each one `key:value` a line, are those that are asked for.
    pub(crate) fn has_facets(&self, facets: &[&str]) -> bool {
        let has = |facet: &String| facets.iter().any(|all| all.split('\n').any(|each| each == facet));
        (self.tags.is_empty() || self.tags.iter().any(has))
            && self.query.scopes.iter().all(|scope| match scope {
                Scope::Facet(facet) => has(facet),
                Scope::AnyFacet(all) => all.iter().any(has),
                Scope::Folder(_) => true,
            })
    }

    /// What of the index the filter lets through; nothing when it lets all of it.
    pub(crate) fn through(&self, connection: &Connection) -> rusqlite::Result<Option<Through>> {
        if self.is_open() {
            return Ok(None);
        }
        let mut statement =
            connection.prepare_cached("SELECT id, path, category, date, facets FROM files")?;
        let mut rows = statement.query([])?;
        let mut through = Through { files: FxHashSet::default(), passages: FxHashSet::default() };
        let mut others: FxHashMap<u32, String> = FxHashMap::default();
        while let Some(row) = rows.next()? {
            let file = Filed {
                path: row.get_ref(1)?.as_str()?,
                category: row.get_ref(2)?.as_str()?,
                date: row.get_ref(3)?.as_str_or_null()?,
            };
            if !self.lets_place(&file) {
                continue;
            }
            let facets = row.get_ref(4)?.as_str()?;
            match self.has_facets(&[facets]) {
                true => drop(through.files.insert(row.get(0)?)),
                false => drop(others.insert(row.get(0)?, facets.to_owned())),
            }
        }
        if !others.is_empty() {
            let mut statement = connection.prepare_cached(
                "SELECT f.passage, p.file, group_concat(f.facet, char(10)) FROM facets f JOIN passages p ON p.id = f.passage
                 GROUP BY f.passage",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let of_passage = row.get_ref(2)?.as_str()?;
                if others.get(&row.get(1)?).is_some_and(|facets| self.has_facets(&[facets, of_passage])) {
                    through.passages.insert(row.get(0)?);
                }
            }
        }
        Ok(Some(through))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_very_long_question_both_ends_are_looked_for() {
        assert_eq!(short_text("tea"), "tea");
        let long = format!("first {} last", "한국어 ".repeat(20_000));
        let short = short_text(&long);
        assert!(short.len() <= LONGEST_TEXT + 1 && short.starts_with("first ") && short.ends_with(" last"));
    }
}
