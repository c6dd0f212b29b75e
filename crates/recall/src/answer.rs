//! The answer that every kind of search gives: the shape that `rem recall --json`, MCP and HTTP share.

use serde::Serialize;

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// `hybrid`, `keyword` or `vector` from the index, `grep` from the files.
    pub mode: &'static str,
    /// What kind of question it was taken for, where that changed the order (M11.1).
    pub strategy: Option<&'static str>,
    /// The days that the question itself names, first and last; empty where there is no first or no last one.
    pub period: Option<(String, String)>,
    /// The results, best first.
    pub results: Vec<Hit>,
    /// What matches as well and was left out for its visibility.
    pub left_out: LeftOut,
    /// How fresh the answer is.
    pub freshness: Freshness,
}

/// Memories that match a question and are not shown (M9.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LeftOut {
    /// So faded that they are shown when asked for alone.
    pub dormant: usize,
    /// Faded away, or put out of use.
    pub archived: usize,
    /// Word for word what is shown above them, of those that would have been shown; and of many that are alike what found no room.
    pub repeated: usize,
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
    /// `corrected` where it says something, among other things, that a person has put right, or nothing but what is struck through as replaced; else its visibility by relevance
    /// (M9.2): `active`, `fading`, `dormant` or `archived`.
    pub status: &'static str,
    /// Its tier.
    pub tier: String,
    /// Where the score comes from.
    pub explain: Explanation,
    /// The heading it stands under, or begins with.
    #[serde(skip)]
    pub section: Option<String>,
    /// The whole passage from its first line on, for the compiler of contexts; of a turn what is said, and by whom.
    #[serde(skip)]
    pub text: String,
}

impl Default for Explanation {
    /// Nothing found and nothing held against it.
    fn default() -> Self {
        Self {
            weights: (1.0, 0.0),
            bm25: 0.0,
            bm25_raw: 0.0,
            vector: None,
            context: 0.0,
            bonuses: Vec::new(),
            date_weight: 1.0,
            relevance: 1.0,
            boosts: Vec::new(),
        }
    }
}

/// Where a score comes from: `(w · bm25 + v · vector + context + bonuses) · date_weight · relevance · boosts`, and then its share of the
/// best one's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// What the match by words and that by meaning count: w and v.
    pub weights: (f64, f64),
    /// The match by words, as a share of what the question's words are worth together; a word that is repeated counts up to
    /// twice. In the seed's fusion it is the share of the best match (A7.3).
    pub bm25: f64,
    /// The same before it was scaled; larger is better. For `grep`, the number of different words found.
    pub bm25_raw: f64,
    /// The match by meaning, from 0 to 1; none without vectors.
    pub vector: Option<f64>,
    /// What the rest of the conversation adds.
    pub context: f64,
    /// What else is added, by name.
    pub bonuses: Vec<(String, f64)>,
    /// What the age of a dated file leaves of the score.
    pub date_weight: f64,
    /// What the memory's relevance (M9) makes of the score.
    pub relevance: f64,
    /// Further factors by name.
    pub boosts: Vec<(String, f64)>,
}

/// How an answer relates to the present state of the files (S16).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Freshness {
    /// The index's generation; 0 without an index.
    pub generation: u64,
    /// Files that changed and are not in the answer: 0 where the index is refreshed before it is asked, as commands do; what is still to
    /// be taken in where a server answers while it looks.
    pub files_changed_since: usize,
    /// The embedder's name; none without vectors.
    pub embedder: Option<String>,
    /// The width of its vectors.
    pub dimensions: Option<usize>,
    /// Why another embedder than the configured one answered, if so.
    pub embedder_notice: Option<String>,
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
