//! Which evidence the default search misses, question by question: for whoever works on the ranking.
//!
//! Not a measurement: it is read, to see what would have helped. So it is made of conversations that settings are chosen on, and
//! the caller must not give it others.

use anyhow::{Context, Result};
use rem_recall::{Explanation, Hit};
use serde::Serialize;

use crate::configuration::Configuration;
use crate::conversation::Conversation;
use crate::corpus::{Corpus, Level};
use rem_recall::metrics::places;

/// A question of whose evidence some is not among the first places.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Missed {
    /// The conversation it is about.
    pub conversation: String,
    /// Its category.
    pub category: Option<String>,
    /// Its words.
    pub question: String,
    /// All its evidence.
    pub evidence: Vec<Evidence>,
    /// What stands in the first places instead, best first.
    pub above: Vec<Above>,
}

/// A turn that should be found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// Its id.
    pub id: String,
    /// Its place, from 1; none where it was not found at all.
    pub rank: Option<usize>,
    /// Where its score comes from.
    pub explain: Option<Explanation>,
}

/// What stands in one of the first places.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Above {
    /// The turn's id; none of what is no turn.
    pub id: Option<String>,
    /// Its score, as a share of the best.
    pub score: f64,
    /// Where that comes from.
    pub explain: Explanation,
}

/// Asks every question of these conversations, each in a workspace of its own, and gives those with evidence that is not
/// among the first `cut` places.
///
/// # Errors
/// As [`Corpus::of_conversations`] and [`Corpus::ask`].
pub fn missed(
    conversations: &[Conversation],
    cut: usize,
    settings: &[(String, String)],
) -> Result<Vec<Missed>> {
    let mut all = Vec::new();
    for conversation in conversations {
        let corpus = Corpus::of_conversations(std::slice::from_ref(conversation), settings)?;
        corpus.prepare()?;
        let memory = corpus.open();
        for question in &conversation.questions {
            let gold = corpus.gold(&conversation.id, question).filter(|gold| gold.level == Level::Turn);
            let Some(gold) = gold else { continue };
            let query = Configuration::hybrid().query(&memory, &question.text, corpus.today());
            let found = corpus.ask(&memory, &query).with_context(|| format!("`{}`", question.text))?;
            let places = places(&found.turns);
            let rank = |unit: usize| places.iter().position(|place| *place == Some(unit)).map(|at| at + 1);
            if gold.units.iter().all(|unit| rank(*unit).is_some_and(|rank| rank <= cut)) {
                continue;
            }
            let hit_of = |unit: usize| -> Option<&Hit> {
                let at = found.turns.iter().position(|passage| passage.units.contains(&unit))?;
                found.hits.get(at)
            };
            let mut units: Vec<usize> = gold.units.into_iter().collect();
            units.sort_unstable_by_key(|unit| rank(*unit).unwrap_or(usize::MAX));
            let evidence = units.into_iter().map(|unit| Evidence {
                id: corpus.id_of(unit).unwrap_or_default().to_owned(),
                rank: rank(unit),
                explain: hit_of(unit).map(|hit| hit.explain.clone()),
            });
            let above = found.hits.iter().zip(&found.turns).take(cut).map(|(hit, passage)| Above {
                id: passage.units.first().and_then(|unit| corpus.id_of(*unit)).map(str::to_owned),
                score: hit.score,
                explain: hit.explain.clone(),
            });
            all.push(Missed {
                conversation: conversation.id.clone(),
                category: question.category.clone(),
                question: question.text.clone(),
                evidence: evidence.collect(),
                above: above.collect(),
            });
        }
    }
    Ok(all)
}
