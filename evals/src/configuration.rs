//! The ways of searching that are compared.
//!
//! One list, in the order of the tables. A new switch of `Query` or `Ranking` that is worth a row gets one here; an embedder
//! is not a row but a run of its own, with `--config embeddings.provider=…`, because its vectors need an index of their own.

use rem_mind::Memory;
use rem_recall::{Fusion, Mode, Query};

/// How often at most a passage is shown: enough for 4,000 tokens of short turns.
const LIMIT: usize = 200;

/// One way of searching.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// Its name in tables.
    pub name: &'static str,
    /// What it is, for the page.
    pub meaning: &'static str,
    mode: Mode,
    /// Whether what stands around a passage counts, and who says it, and what kind of thing is asked for.
    context: bool,
    /// The seed's fusion in place of the configured one.
    seed: bool,
}

impl Configuration {
    /// By words alone: what others are compared with.
    pub const KEYWORD: &'static str = "keyword";
    /// What a user gets without setting anything.
    pub const HYBRID: &'static str = "hybrid";

    /// All of them.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let row = |name, meaning, mode, context, seed| Self { name, meaning, mode, context, seed };
        vec![
            row(
                Self::KEYWORD,
                "plain BM25: by words alone, each passage for itself",
                Mode::Keyword,
                false,
                false,
            ),
            row("vector", "by meaning alone, each passage for itself", Mode::Vector, false, false),
            row("both, bare", "words and meaning, each passage for itself", Mode::Hybrid, false, false),
            row(
                "seed fusion",
                "0.4 · words + 0.6 · meaning in the arithmetic of A7.3, each passage for itself",
                Mode::Hybrid,
                false,
                true,
            ),
            row("words in context", "the default without meaning", Mode::Keyword, true, false),
            Self::hybrid(),
        ]
    }

    /// The default.
    #[must_use]
    pub fn hybrid() -> Self {
        Self { name: Self::HYBRID, meaning: "the default", mode: Mode::Hybrid, context: true, seed: false }
    }

    /// The query for a question that is asked on `today`, with the settings of the workspace: no filter, no lowest score.
    #[must_use]
    pub fn query(&self, memory: &Memory, question: &str, today: jiff::civil::Date) -> Query {
        let mut query = memory.query(question);
        query.ranking.context = self.context;
        if self.seed {
            query.ranking.fusion = Fusion::Seed;
            query.ranking.bm25_weight = 0.4;
            query.ranking.vector_weight = 0.6;
        }
        Query { mode: self.mode, today: Some(today), limit: LIMIT, min_score: 0.0, ..query }
    }
}
