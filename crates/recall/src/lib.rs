//! Finding what the memory holds: passages of Markdown files, an index over them, and search.
//!
//! The files are the truth; `memory.db` is a cache of them that may be deleted at any moment (S3, A7). This
//! crate is told which files there are and what each one is; it knows no layout, writes no memory file, and
//! reads no clock. The one thing it writes is `memory.db`.
//!
//! A search goes through [`recall`]: it brings the index up to date, asks it, and falls back to reading the
//! files (S4) when there can be no index.

mod analyzer;
mod database;
mod grep;
mod index;
mod passage;
mod recall;
mod search;
mod snippet;
mod source;
mod stop_words;

#[cfg(test)]
mod tests;

pub use analyzer::{Language, QueryWord, document_tokens, query_words};
pub use database::IndexError;
pub use grep::grep;
pub use index::{Index, Progress, Refreshed};
pub use passage::{Passage, date_of_path, estimate_tokens, passages};
pub use recall::recall;
pub use search::{Answer, Explanation, Freshness, Hit, Query, QueryError, SearchError, Skipped};
pub use source::{Label, SourceFile, Stamp};
