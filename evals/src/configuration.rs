//! The ways of searching that are compared.
//!
//! One list, in the order of the tables. A new switch of `Query` or `Ranking` that is worth a row gets one here; an embedder
//! is not a row but a run of its own, with `--config embeddings.provider=…`, because its vectors need an index of their own.

use rem_recall::{Fusion, Mode, Query, Ranking};

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
    ranking: Ranking,
}

impl Configuration {
    /// By words alone: what others are compared with.
    pub const KEYWORD: &'static str = "keyword";
    /// What a user gets without setting anything.
    pub const HYBRID: &'static str = "hybrid";

    /// All of them.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let standard = Ranking::default();
        let seed = Ranking { fusion: Fusion::Seed, bm25_weight: 0.4, vector_weight: 0.6, ..standard };
        vec![
            Self { name: Self::KEYWORD, meaning: "by words alone", mode: Mode::Keyword, ranking: standard },
            Self { name: "vector", meaning: "by meaning alone", mode: Mode::Vector, ranking: standard },
            Self { name: Self::HYBRID, meaning: "the default", mode: Mode::Hybrid, ranking: standard },
            Self {
                name: "seed fusion",
                meaning: "both, joined by 0.4 · words + 0.6 · meaning in the arithmetic of A7.3",
                mode: Mode::Hybrid,
                ranking: seed,
            },
        ]
    }

    /// The query for a question that is asked on `today`: no filter, no lowest score.
    #[must_use]
    pub fn query(&self, question: &str, today: jiff::civil::Date) -> Query {
        Query {
            text: question.to_owned(),
            mode: self.mode,
            ranking: self.ranking,
            today: Some(today),
            limit: LIMIT,
            min_score: 0.0,
            ..Query::default()
        }
    }
}
