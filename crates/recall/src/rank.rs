//! The arithmetic of ranking: matches by words and by meaning, what stands around a passage, and what time leaves of it.
//!
//! Pure: numbers in, numbers out. The constants were chosen on one part of the evaluation and reported on the other
//! (docs/evaluation.md says how, and how flat each optimum is). `search.rs` applies this to an index.

use std::ops::Range;

use crate::runs::Conversations;
use crate::segment::Slot;

/// How matches by words and by meaning become one score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fusion {
    /// Words by what the question's words are worth together, meaning by the best of the question; then the weighted sum.
    #[default]
    Scaled,
    /// The seed's own arithmetic (A7.3): `w · bm25 / max bm25 + v · (1 − distance / max distance)` over the best of each list.
    Seed,
}

/// The settings of ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranking {
    /// How the two matches are joined.
    pub fusion: Fusion,
    /// What the match by words counts.
    pub bm25_weight: f32,
    /// What the match by meaning counts.
    pub vector_weight: f32,
    /// The age in days at which a dated file counts half (S); `None`: nothing fades.
    pub half_life_days: Option<f64>,
    /// How much of the fading reaches the ranking, 0 to 1: 1 is S's formula as it stands, 0 none of it.
    pub decay_strength: f64,
    /// How much of a memory's relevance (M9) reaches the ranking, 0 to 1: 1 multiplies by it as M11.3 has it, 0 not at all.
    pub relevance_strength: f64,
    /// What a correction's score is multiplied by (P5.3).
    pub correction_boost: f64,
    /// How many relations are followed from an entity that is asked about, 0 to 2.
    pub graph_depth: usize,
    /// Whether what stands around a passage counts, words of like meaning, who says it, and what kind of thing is asked for.
    /// Without it each passage stands for itself, as in plain BM25: for comparisons.
    pub context: bool,
}

impl Default for Ranking {
    fn default() -> Self {
        Self {
            fusion: Fusion::Scaled,
            bm25_weight: 0.8,
            vector_weight: 0.2,
            half_life_days: Some(30.0),
            decay_strength: 0.05,
            relevance_strength: 0.2,
            correction_boost: 1.5,
            graph_depth: 2,
            context: true,
        }
    }
}

/// Saturation of repeated words (BM25's k1).
pub(crate) const K1: f32 = 0.9;
/// How far the length of a passage is held against it (BM25's b).
pub(crate) const B: f32 = 0.6;
/// What a word counts that says which kind of answer is wanted.
pub(crate) const GENERIC_WORD: f32 = 0.3;
/// What a word of like meaning counts, times its similarity.
pub(crate) const RELATED_WEIGHT: f32 = 0.6;
/// Words less alike than this are not related.
pub(crate) const RELATED_LEAST: f32 = 0.4;
/// The most words of like meaning that are tried for one word.
pub(crate) const RELATED_MOST: usize = 20;
/// The share of a turn's match that the next turns get.
pub(crate) const REACH_FORWARD: [f32; 2] = [0.6, 0.3];
/// The share that the turns before it get.
pub(crate) const REACH_BACK: [f32; 2] = [0.5, 0.25];
/// What the next turn gets besides where the turn asks a question: it is the answer.
pub(crate) const REACH_ASKED: f32 = 0.4;
/// What the turn after the next gets besides where the next asks a question: that takes up what was said, and hands on to its
/// answer all that has reached it. So 0.6 arrives, as at the question itself.
pub(crate) const REACH_ASKED_BACK: f32 = 0.3;
/// A turn of more words speaks for itself and takes less of its neighbours' matches.
const SHORT_TURN: f32 = 50.0;
/// What two neighbouring words of the question count that stand together in a passage, by their share of all such pairs.
pub(crate) const PAIRS: f32 = 0.3;
/// What the conversation adds: this much of the mean of its best turns.
const SESSION: f32 = 0.4;
/// How many turns speak for a conversation.
const SESSION_BEST: usize = 3;
/// What a turn's score is multiplied by when the question names exactly its speaker.
pub(crate) const NAMED_SPEAKER: f64 = 1.3;
/// The same for what the person said, when the question is about "me" or "us", and when it is not about "you".
pub(crate) const USER: (f64, f64) = (1.5, 1.1);
/// What a passage with a time counts more when the question asks when; with a name, who or where; with a number, how many.
pub(crate) const ASKED_FOR: (f64, f64, f64) = (0.15, 0.1, 0.05);
/// What a passage about the days the question names counts more, and for how many days afterwards some of it.
pub(crate) const IN_PERIOD: (f64, i32) = (0.2, 14);
/// What a passage counts that is about the days asked for, where nothing else is asked: what was written of a day, a turn of a conversation,
/// and how much more the latest of them counts than the first.
pub(crate) const OF_THE_DAYS: (f64, f64, f64) = (0.6, 0.4, 0.1);
/// What a turn of at most so many words counts less that ends in a question.
pub(crate) const ASKS: (f64, u16) = (-0.1, 40);
/// A passage without a word of the question counts only from this cosine on.
pub(crate) const LEAST_COSINE: f32 = 0.35;
/// The same of a turn whose conversation holds a word of the question elsewhere: what is talked about is known there.
pub(crate) const LEAST_COSINE_BESIDE: f32 = 0.2;
/// The same of a passage in another script than the question, where most of its words stand nowhere and can only be meant.
pub(crate) const LEAST_COSINE_ABROAD: f32 = 0.1;
/// The same where the built-in model knows no word of the question, and of front matter and headings.
pub(crate) const LEAST_COSINE_OF_NOTHING: f32 = 0.7;
/// How much of the fading reaches the ranking where the latest is asked for.
pub(crate) const LATEST_STRENGTH: f64 = 0.7;
/// What a passage counts that says, among other things, what a person has put right.
pub(crate) const CORRECTED: f64 = 0.5;
/// What headings and front matter count.
pub(crate) const BARE: f32 = 0.5;

/// How much of its neighbours' matches a turn of so many words takes, 0 to 1.
pub(crate) fn openness(words: u16) -> f32 {
    (SHORT_TURN / f32::from(words).max(1.0)).min(1.0)
}

/// BM25's weight of a term that `frequency` of `passages` hold (Robertson and Spärck Jones, with Lucene's floor of 0).
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53 lose nothing that matters")]
pub(crate) fn inverse_frequency(frequency: usize, passages: usize) -> f32 {
    let (frequency, passages) = (frequency as f32, passages.max(frequency) as f32);
    (1.0 + (passages - frequency + 0.5) / (frequency + 0.5)).ln()
}

/// The part of BM25 that depends on the length of each passage: `k1 · (1 − b + b · length / average)`, into `norms`; the average is
/// that of the passages that are `alive`.
#[allow(clippy::cast_precision_loss, reason = "an average")]
pub(crate) fn norms(slots: &[Slot], alive: &[bool], length: impl Fn(&Slot) -> u16, norms: &mut Vec<f32>) {
    let living = slots.iter().zip(alive).filter(|(_, alive)| **alive);
    let (words, count) =
        living.fold((0, 0_u64), |(words, count), (slot, _)| (words + u64::from(length(slot)), count + 1));
    let average = (words as f32 / count.max(1) as f32).max(1.0);
    norms.clear();
    norms.extend(slots.iter().map(|slot| K1 * (1.0 - B + B * f32::from(length(slot)) / average)));
}

/// BM25's part for `count` occurrences in a passage with this [norm](norms).
#[inline]
#[allow(clippy::cast_precision_loss, reason = "a passage has few words")]
pub(crate) fn saturation(count: u32, norm: f32) -> f32 {
    let count = count as f32;
    count * (K1 + 1.0) / (count + norm)
}

/// S's weight of a dated file: `exp(−λ · age)` with `λ = ln 2 / half-life`. Files about the future count as today's.
pub fn decay_weight(age_days: f64, half_life_days: f64) -> f64 {
    (-std::f64::consts::LN_2 / half_life_days * age_days.max(0.0)).exp()
}

/// The part of the fading that reaches the ranking. S multiplies by the weight as it stands (`strength` 1), which leaves nothing of
/// last year's conversations whatever they say; with less, fading decides between matches that are nearly as good.
pub(crate) fn faded(weight: f64, strength: f64) -> f64 {
    1.0 - strength * (1.0 - weight)
}

/// The greatest of the values of passages that are `open`, at least 0.
pub(crate) fn most(values: &[f32], open: &[bool]) -> f32 {
    values.iter().zip(open).map(|(value, open)| if *open { *value } else { 0.0 }).fold(0.0, f32::max)
}

/// What share of the best a value is: from 0 to 1, whatever is below 0 counts as 0.
pub(crate) fn share(value: f32, best: f32) -> f32 {
    if best > f32::EPSILON { (value / best).clamp(0.0, 1.0) } else { 0.0 }
}

/// The seed's fusion (A7.3) of one passage: `bm25` and `best` are raw scores, `distance` and `farthest` cosine distances.
pub(crate) fn seed_fusion(ranking: &Ranking, bm25: Option<(f32, f32)>, distance: Option<(f32, f32)>) -> f32 {
    let positive = |value: f32| if value > 0.0 { value } else { 1.0 };
    bm25.map_or(0.0, |(own, best)| ranking.bm25_weight * own / positive(best))
        + distance.map_or(0.0, |(own, farthest)| ranking.vector_weight * (1.0 - own / positive(farthest)))
}

/// Adds what the rest of its conversation gives each turn.
pub(crate) fn add_sessions(conversations: &Conversations, scores: &[f32], total: &mut [f32]) {
    for runs in conversations.iter() {
        let session = session_of(runs, scores);
        for run in runs {
            total[run.clone()].iter_mut().for_each(|total| *total += session);
        }
    }
}

/// What the rest of a conversation gives each of its turns.
pub(crate) fn session_of(runs: &[Range<usize>], scores: &[f32]) -> f32 {
    SESSION * mean_of_best(runs.iter().flat_map(|run| &scores[run.clone()]))
}

fn mean_of_best<'a>(scores: impl Iterator<Item = &'a f32>) -> f32 {
    let mut best = [0.0_f32; SESSION_BEST];
    for score in scores {
        let mut score = *score;
        for place in &mut best {
            if score > *place {
                std::mem::swap(place, &mut score);
            }
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "three")]
    let places = SESSION_BEST as f32;
    best.iter().sum::<f32>() / places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Traits;

    #[test]
    fn fading_follows_the_table_of_the_seed() {
        for (days, weight) in [(0.0, 1.00), (7.0, 0.81), (23.0, 0.50), (30.0, 0.41)] {
            assert!(
                (decay_weight(days, 23.0) - weight).abs() < 0.006,
                "{days}: {}",
                decay_weight(days, 23.0)
            );
        }
        // The seed rounds down here: 0.164 and 0.066.
        assert!(
            (decay_weight(60.0, 23.0) - 0.17).abs() < 0.01 && (decay_weight(90.0, 23.0) - 0.07).abs() < 0.01
        );
        assert!((decay_weight(-3.0, 23.0) - 1.0).abs() < f64::EPSILON);
        assert!((faded(0.5, 1.0) - 0.5).abs() < 1e-12 && (faded(0.5, 0.2) - 0.9).abs() < 1e-12);
    }

    #[test]
    fn the_seeds_fusion_is_its_own_arithmetic() {
        let seed =
            Ranking { fusion: Fusion::Seed, bm25_weight: 0.4, vector_weight: 0.6, ..Ranking::default() };
        let close = |left: f32, right: f32| (left - right).abs() < 1e-6;
        assert!(close(seed_fusion(&seed, Some((8.0, 10.0)), Some((0.25, 0.5))), 0.4 * 0.8 + 0.6 * 0.5));
        assert!(close(seed_fusion(&seed, None, Some((0.0, 0.0))), 0.6));
        assert!(close(seed_fusion(&seed, Some((10.0, 10.0)), None), 0.4));
    }

    #[test]
    fn a_conversation_speaks_for_its_turns_and_a_note_does_not() {
        let turn = |file| Slot { file, traits: Traits::TURN, ..Slot::default() };
        let note = Slot { file: 3, ..Slot::default() };
        let slots = [turn(1), turn(1), turn(2), note, note];
        let mut added = [0.0; 5];
        add_sessions(&Conversations::among(&slots, &[true; 5]), &[0.0, 1.5, 3.0, 1.0, 1.0], &mut added);
        for (found, expected) in added.iter().zip([0.2, 0.2, 0.4, 0.0, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{added:?}");
        }
        assert!((openness(20) - 1.0).abs() < f32::EPSILON && (openness(100) - 0.5).abs() < f32::EPSILON);
    }

    #[test]
    fn the_best_is_sought_among_what_may_be_found() {
        let best = most(&[2.0, 4.0, 100.0, -1.0], &[true, true, false, true]);
        assert_eq!([2.0, 4.0, 100.0, -1.0].map(|value| share(value, best)), [0.5, 1.0, 1.0, 0.0]);
        assert_eq!(share(0.0, most(&[0.0, -3.0], &[true, true])), 0.0);
    }
}
