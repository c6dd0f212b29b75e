//! Finding what the memory holds: passages of Markdown files, an index over them, and search.
//!
//! The files are the truth; `memory.db` is a cache of them that may be deleted at any moment (S3, A7). This
//! crate is told which files there are and what each one is; it knows no layout, writes no memory file, and
//! reads no clock. The one thing it writes is `memory.db`.
//!
//! A search goes through [`recall`]: it brings the index up to date, asks it, and falls back to reading the
//! files (S4) when there can be no index.

mod access;
mod addressees;
mod analyzer;
mod anew;
mod answer;
mod best;
mod blocks;
mod copies;
mod correction;
mod database;
pub mod decay;
mod describe;
mod embed;
mod encode;
mod feedback;
mod graph;
mod grep;
mod index;
mod kept;
mod kin;
mod latest;
mod lexical;
mod lexicon;
mod light;
mod links;
mod listing;
mod meaning;
mod memories;
pub mod metrics;
mod passage;
mod period;
mod postings;
mod query;
mod question;
mod rank;
mod reached;
mod recall;
mod replaced;
mod route;
mod runs;
mod scores;
mod search;
mod segment;
mod snippet;
mod source;
mod spoken_of;
mod stop_words;
mod strategy;
mod terms;
mod varint;
mod vectors;
mod view;
mod visibility;
mod window;
mod write;

#[cfg(test)]
mod tests;

pub use access::Frequent;
pub use addressees::{Addressees, Asking, FOR};
pub use analyzer::{Language, QueryWord, content_words, document_tokens, fold, query_words, written_in};
pub use answer::{Answer, Explanation, Freshness, Hit, LeftOut, Skipped};
pub use copies::is_filler;
pub use correction::{Correction, corrections_in};
pub use database::IndexError;
pub use describe::is_archived;
pub use embed::builtin::{Builtin, Related};
pub use embed::{EmbedError, Embedder, EmbedderSettings, Provider, Purpose};
pub use encode::{EncodeError, Encoded, Tidied};
pub use graph::{Connected, NameMatch, Node};
pub use grep::grep;
pub use index::{Index, Indexed, Progress, Refreshed};
pub use kept::Kept;
pub use links::{Linked, name_key};
pub use memories::Remembered;
pub use passage::{Passage, date_of_path, estimate_tokens, passages, seen_by};
pub use query::{Include, Mode, Query, QueryError, Scope, SearchError, is_pattern, short_text};
pub use rank::{Fusion, Ranking, decay_weight};
pub use recall::recall;
pub use replaced::Change;
pub use replaced::wordings::{Replaced, replacements};
pub use snippet::readable;
pub use source::{Checkpoint, CheckpointEntry, Holds, Label, Moment, SourceFile, Sources, Stamp, stamp_of};
pub use write::days as days_since_1970;
