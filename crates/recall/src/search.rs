//! One question put to the index: exact scores for every passage, then a closer look at the best of them.
//!
//! First every passage gets its match by words (BM25, where a word of like meaning counts as part of the word), its match by
//! meaning (cosine), and what its neighbours and its conversation add; that costs a few nanoseconds a posting and needs no
//! text. Then the few hundred best are looked at with all that is known of their files. Filters narrow what is open before
//! any of it, so a small folder in a large store is searched as if it stood alone (S17).

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use rusqlite::Connection;

use crate::analyzer::query_words;
use crate::answer::{Explanation, Hit};
use crate::embed::builtin::Builtin;
use crate::index::Index;
use crate::lexicon;
use crate::meaning::Meaning;
use crate::query::{Filter, Mode, Query};
use crate::question::Question;
use crate::rank::{self, Fusion};
use crate::segment::{NO_DAY, Slot, Terms, Traits};
use crate::snippet::snippet;
use crate::vectors;
use crate::view::View;

/// Passages that are looked at closely, at least.
const CANDIDATES: usize = 300;
/// Two passages that share so much of their words say the same.
const SAME_SHARE: f32 = 0.85;

/// What a search found, and how it took the question.
pub(crate) struct Found {
    pub(crate) hits: Vec<Hit>,
    pub(crate) question: Question,
}

/// A term that finds a word, and what finding it counts.
struct Finding {
    term: u32,
    weight: f32,
}

struct Candidate {
    at: usize,
    slot: Slot,
    score: f64,
    explanation: Explanation,
    file: FileFacts,
}

#[derive(Clone)]
struct FileFacts {
    path: String,
    category: String,
    tier: String,
    label_id: Option<String>,
    date: Option<String>,
}

impl Index {
    /// Asks the index as it is; `recall` refreshes it first. `meaning` takes the place of the built-in model's.
    pub(crate) fn ask(
        &self,
        query: &Query,
        filter: &Filter<'_>,
        meaning: Option<&Meaning>,
    ) -> rusqlite::Result<Found> {
        let languages = self.languages()?;
        let question = Question::new(query_words(&query.text, &languages), &query.text, query.today);
        // One moment for everything that is read: another process may be writing.
        let transaction = self.connection.unchecked_transaction()?;
        let hits = if question.words.is_empty() || query.limit == 0 {
            Vec::new()
        } else {
            self.hits(&transaction, query, filter, &question, meaning)?
        };
        Ok(Found { hits, question })
    }

    fn hits(
        &self,
        connection: &Connection,
        query: &Query,
        filter: &Filter<'_>,
        question: &Question,
        provider: Option<&Meaning>,
    ) -> rusqlite::Result<Vec<Hit>> {
        let builtin = Builtin::get();
        let groups = findings(connection, question)?;
        let terms: HashSet<u32> = groups.iter().flatten().map(|finding| finding.term).collect();
        let through = filter.files(connection)?;
        let view = View::new(connection, &self.segments, builtin.dimensions(), &terms, through.as_ref())?;
        let slots: Vec<Slot> = view.slots().copied().collect();

        let words = match query.mode {
            Mode::Vector => vec![0.0; slots.len()],
            Mode::Hybrid | Mode::Keyword => match_words(&view, &slots, &groups)?,
        };
        let mut meaning = match query.mode {
            Mode::Keyword => vec![0.0; slots.len()],
            Mode::Hybrid | Mode::Vector => match provider {
                Some(provider) => provider.cosines(&slots),
                None => {
                    let mut vector = Vec::new();
                    builtin.embed(&query.text, &mut vector);
                    view.cosines(&vectors::pack(&vector))
                }
            },
        };
        let (mut words, raw, cosines) = (words.clone(), words, meaning.clone());
        let mut fused = match query.ranking.fusion {
            Fusion::Scaled => {
                rank::scale(&mut words, &view.open);
                rank::scale(&mut meaning, &view.open);
                let (by_words, by_meaning) = match query.mode {
                    Mode::Hybrid => (query.ranking.bm25_weight, query.ranking.vector_weight),
                    Mode::Keyword => (1.0, 0.0),
                    Mode::Vector => (0.0, 1.0),
                };
                words.iter().zip(&meaning).map(|(w, m)| by_words * w + by_meaning * m).collect()
            }
            Fusion::Seed => seed_fused(query, &mut words, &mut meaning),
        };
        for ((score, slot), open) in fused.iter_mut().zip(&slots).zip(&view.open) {
            let bare = if slot.traits.has(Traits::BARE) { rank::BARE } else { 1.0 };
            *score *= if *open { bare } else { 0.0 };
        }
        let context = rank::context(&slots, &fused);
        let total: Vec<f32> = fused
            .iter()
            .zip(&context)
            .zip(slots.iter().zip(&view.open))
            .map(|((own, around), (slot, open))| {
                let named = if question.names_speaker(slot.speaker) { rank::NAMED_SPEAKER } else { 1.0 };
                if *open { (own + around) * named } else { 0.0 }
            })
            .collect();

        let mut files: HashMap<u32, Option<FileFacts>> = HashMap::new();
        let mut candidates = Vec::new();
        for at in best(&total, CANDIDATES.max(query.limit.saturating_mul(3))) {
            let slot = slots[at];
            if cosines[at] < rank::LEAST_COSINE && !has_match_near(&slots, &raw, at) {
                continue;
            }
            let Some(file) = file_facts(connection, &mut files, slot.file)? else { continue };
            let (date_weight, boosts) = factors(query, question, &slot, &file);
            let score =
                f64::from(total[at]) * date_weight * boosts.iter().map(|boost| boost.1).product::<f64>();
            let explanation = Explanation {
                bm25: f64::from(words[at]),
                bm25_raw: f64::from(raw[at]),
                vector: (query.mode != Mode::Keyword).then(|| f64::from(meaning[at])),
                context: f64::from(context[at]),
                date_weight,
                relevance: 1.0,
                boosts,
            };
            candidates.push(Candidate { at, slot, score, explanation, file });
        }
        candidates.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.at.cmp(&other.at)));
        shown(connection, query, question, candidates)
    }
}

/// The terms that find each word of the question: its own forms, and words of like meaning.
fn findings(connection: &Connection, question: &Question) -> rusqlite::Result<Vec<Vec<Finding>>> {
    let mut groups = Vec::with_capacity(question.words.len());
    for word in &question.words {
        let mut group: Vec<Finding> = Vec::new();
        let mut add = |token: &str, weight: f32| -> rusqlite::Result<()> {
            if let Some(term) = lexicon::find(connection, token)?
                && !group.iter().any(|finding| finding.term == term)
            {
                group.push(Finding { term, weight });
            }
            Ok(())
        };
        for token in &word.tokens {
            add(token, 1.0)?;
        }
        for related in Builtin::get().related(&word.folded, rank::RELATED_MOST, rank::RELATED_LEAST) {
            for token in query_words(related.word, &[]).into_iter().flat_map(|word| word.tokens) {
                add(&token, rank::RELATED_WEIGHT * related.similarity)?;
            }
        }
        groups.push(group);
    }
    Ok(groups)
}

/// The match by words of every passage: the sum over the question's words of the best of the terms that find it.
fn match_words(view: &View<'_>, slots: &[Slot], groups: &[Vec<Finding>]) -> rusqlite::Result<Vec<f32>> {
    let words: u64 = slots.iter().map(|slot| u64::from(slot.length)).sum();
    #[allow(clippy::cast_precision_loss, reason = "an average")]
    let average = words as f32 / slots.len().max(1) as f32;
    let mut total = vec![0.0_f32; slots.len()];
    let mut best = vec![0.0_f32; slots.len()];
    let mut touched: Vec<u32> = Vec::new();
    for group in groups {
        for finding in group {
            let rarity = rank::inverse_frequency(view.frequency(finding.term)?, view.alive) * finding.weight;
            view.postings(finding.term, |slot, count| {
                let at = slot as usize;
                let score = rarity * rank::saturation(count, slots[at].length, average);
                if best[at] == 0.0 {
                    touched.push(slot);
                }
                best[at] = best[at].max(score);
            })?;
        }
        for slot in touched.drain(..) {
            total[slot as usize] += std::mem::take(&mut best[slot as usize]);
        }
    }
    Ok(total)
}

/// Whether the passage, or a turn close to it in its conversation, holds a word of the question.
fn has_match_near(slots: &[Slot], raw: &[f32], at: usize) -> bool {
    let reach = if slots[at].traits.has(Traits::TURN) { rank::REACH } else { 0 };
    let last = (at + reach).min(slots.len() - 1);
    (at.saturating_sub(reach)..=last).any(|near| raw[near] > 0.0 && slots[near].file == slots[at].file)
}

/// The seed's fusion (A7.3): the best of each list, twice as many as are shown.
fn seed_fused(query: &Query, words: &mut [f32], meaning: &mut [f32]) -> Vec<f32> {
    let listed = query.limit.saturating_mul(2);
    let by_words = best(words, listed);
    let by_meaning = best(meaning, listed);
    let most = by_words.first().map_or(0.0, |at| words[*at]);
    let farthest = by_meaning.last().map_or(0.0, |at| 1.0 - meaning[*at]);
    let mut fused = vec![0.0; words.len()];
    let (lexical, near): (HashSet<usize>, HashSet<usize>) =
        (by_words.into_iter().collect(), by_meaning.into_iter().collect());
    for at in lexical.union(&near) {
        fused[*at] = rank::seed_fusion(
            &query.ranking,
            lexical.contains(at).then(|| (words[*at], most)),
            near.contains(at).then(|| (1.0 - meaning[*at], farthest)),
        );
    }
    fused
}

/// The places of the `count` best scores above zero, best first.
fn best(scores: &[f32], count: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] > 0.0).collect();
    let order = |one: &usize, other: &usize| scores[*other].total_cmp(&scores[*one]).then(one.cmp(other));
    if places.len() > count {
        places.select_nth_unstable_by(count, order);
        places.truncate(count);
    }
    places.sort_unstable_by(order);
    places
}

fn file_facts(
    connection: &Connection,
    known: &mut HashMap<u32, Option<FileFacts>>,
    file: u32,
) -> rusqlite::Result<Option<FileFacts>> {
    if let Some(facts) = known.get(&file) {
        return Ok(facts.clone());
    }
    let mut statement =
        connection.prepare_cached("SELECT path, category, tier, label_id, date FROM files WHERE id = ?1")?;
    let mut rows = statement.query([file])?;
    let facts = match rows.next()? {
        Some(row) => Some(FileFacts {
            path: row.get(0)?,
            category: row.get(1)?,
            tier: row.get(2)?,
            label_id: row.get(3)?,
            date: row.get(4)?,
        }),
        None => None,
    };
    known.insert(file, facts.clone());
    Ok(facts)
}

/// What the age of its file leaves of a passage, and the further factors by name.
fn factors(query: &Query, question: &Question, slot: &Slot, file: &FileFacts) -> (f64, Vec<(String, f64)>) {
    let ranking = &query.ranking;
    let date_weight = match (ranking.half_life_days, query.today) {
        (Some(half_life), Some(today)) if slot.day != NO_DAY => {
            let age = f64::from(crate::write::days(today) - slot.day);
            rank::faded(rank::decay_weight(age, half_life), ranking.decay_strength)
        }
        _ => 1.0,
    };
    let mut boosts = Vec::new();
    if file.category == "correction" {
        boosts.push(("correction".to_owned(), ranking.correction_boost));
    }
    boosts.extend(question.factors(slot, &file.category));
    (date_weight, boosts)
}

/// What is shown of the candidates, best first: without repetitions, above the least score, not more than asked for.
fn shown(
    connection: &Connection,
    query: &Query,
    question: &Question,
    candidates: Vec<Candidate>,
) -> rusqlite::Result<Vec<Hit>> {
    let best = candidates.first().map_or(0.0, |candidate| candidate.score);
    let wanted: HashSet<String> =
        question.words.iter().flat_map(|word| word.tokens.iter().cloned()).collect();
    let mut passage =
        connection.prepare_cached("SELECT start_line, end_line, text FROM passages WHERE id = ?1")?;
    let mut hits: Vec<Hit> = Vec::new();
    let mut said: Vec<HashSet<u32>> = Vec::new();
    for candidate in candidates {
        let score = if best > 0.0 { (candidate.score / best).clamp(0.0, 1.0) } else { 0.0 };
        if hits.len() == query.limit || score < query.min_score {
            break;
        }
        let terms = terms_of(connection, candidate.slot.passage)?;
        if said.iter().any(|before| is_same(before, &terms)) {
            continue;
        }
        said.push(terms);
        let (start_line, end_line, text): (u32, u32, String) =
            passage.query_row([candidate.slot.passage], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let file = candidate.file;
        hits.push(Hit {
            id: file.label_id.unwrap_or_else(|| format!("passage:{}:{start_line}-{end_line}", file.path)),
            snippet: snippet(&text, &wanted, query.snippet_characters),
            path: file.path,
            start_line: start_line as usize,
            end_line: end_line as usize,
            category: file.category,
            date: file.date,
            score,
            status: "active",
            tier: file.tier,
            explain: candidate.explanation,
            text,
        });
    }
    Ok(hits)
}

fn terms_of(connection: &Connection, passage: u32) -> rusqlite::Result<HashSet<u32>> {
    let mut statement = connection.prepare_cached("SELECT terms FROM analyses WHERE passage = ?1")?;
    statement.query_row([passage], |row| {
        Ok(Terms::from_bytes(row.get_ref(0)?.as_blob()?)?.iter().map(|(term, _)| term).collect())
    })
}

/// Whether two passages say the same: nearly all words of both are shared (Jaccard).
pub(crate) fn is_same<T: Eq + Hash>(one: &HashSet<T>, other: &HashSet<T>) -> bool {
    let (small, large) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let shared = small.iter().filter(|term| large.contains(term)).count();
    let all = one.len() + other.len() - shared;
    #[allow(clippy::cast_precision_loss, reason = "a passage has few words")]
    let share = shared as f32 / all.max(1) as f32;
    all == 0 || share >= SAME_SHARE
}
