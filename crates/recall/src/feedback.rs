//! Feedback from the first results: what has much in common with them comes up, below them.
//!
//! A question about many things ("What events has she been to?") names none of them, but what answers it in one place shares
//! words with what answers it in others. So the words of the first results that the question does not have are asked for as
//! well (pseudo-relevance feedback; Lavrenko and Croft, 2001, and RM3 after it), with the weights of BM25 among the
//! candidates. The first results themselves stay where they are: what they are wrong about moves nothing above them.
//!
//! Farther down it is the place that tells: a turn close to one of the first results is of the same talk, even where its own
//! words say little of the question. Pure.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::rank;

/// How many results speak and stay.
pub(crate) const FIRST: usize = 5;
/// How many of the best are put in order anew.
pub(crate) const REACH: usize = 40;
/// How many tell which words are rare.
pub(crate) const COMPARED: usize = 120;
/// How many of their words are asked for.
const WORDS: usize = 30;
/// What a candidate gains that has as much in common with the first results as they have among themselves, as a share of the
/// best score.
const SHARE: f64 = 0.25;

/// How many results have turns close to them.
pub(crate) const HAVE_CLOSE: usize = 10;
/// The places that go to what is close to the first, besides to what is good by itself.
pub(crate) const CLOSE_PLACES: Range<usize> = 20..60;
/// So many turns away nothing is close any more.
const CLOSE: f64 = 6.0;
/// What the very next would gain, as a share of the result it is close to.
const CLOSE_SHARE: f64 = 0.2;

/// A candidate: its terms with their numbers of occurrences, its part of BM25 ([`rank::norms`]) and its score.
pub(crate) struct Compared {
    pub(crate) terms: Vec<(u32, u32)>,
    pub(crate) norm: f32,
    pub(crate) score: f64,
}

/// What each of the [`REACH`] best of the candidates gains, as a share of the best score; nothing for the [`FIRST`]. `is_asked` says
/// which terms find a word of the question.
pub(crate) fn gains(candidates: &[Compared], is_asked: impl Fn(u32) -> bool) -> Vec<f64> {
    let weights = weights(candidates);
    let mut words: FxHashMap<u32, f64> = FxHashMap::default();
    for (weights, one) in weights.iter().zip(candidates).take(FIRST) {
        for (term, weight) in weights.iter().filter(|(term, _)| !is_asked(*term)) {
            *words.entry(*term).or_default() += weight * one.score;
        }
    }
    let mut heaviest: Vec<f64> = words.values().copied().map(rounded).collect();
    heaviest.sort_unstable_by(|one, other| other.total_cmp(one));
    // Those that weigh as much as the last all count: the numbers of terms, which another index gives anew, decide nothing.
    let least = heaviest.get(WORDS - 1).copied().unwrap_or_default();
    words.retain(|_, weight| rounded(*weight) >= least);
    let in_common = |weights: &Vec<(u32, f64)>| -> f64 {
        rounded(weights.iter().filter_map(|(term, weight)| Some(weight * words.get(term)?)).sum())
    };
    let in_common: Vec<f64> = weights.iter().take(REACH).map(in_common).collect();
    let first = &in_common[..in_common.len().min(FIRST)];
    #[allow(clippy::cast_precision_loss, reason = "a handful")]
    let among_first = first.iter().sum::<f64>() / first.len().max(1) as f64;
    let gain = |(place, common): (usize, &f64)| match place < FIRST || among_first <= 0.0 {
        true => 0.0,
        false => SHARE * common / among_first,
    };
    in_common.iter().enumerate().map(gain).collect()
}

/// Without what the order of a sum does to its last places.
fn rounded(sum: f64) -> f64 {
    const PLACES: f64 = 1e9;
    (sum * PLACES).round() / PLACES
}

/// What a turn of this file at this place gains that is close to one of the `first` results, given by file, place and score.
pub(crate) fn closeness(first: &[(u32, usize, f64)], file: u32, at: usize) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "what is far away counts nothing")]
    let share = |place: usize| (1.0 - place.abs_diff(at) as f64 / CLOSE).max(0.0);
    let of_file = first.iter().filter(|first| first.0 == file);
    of_file.map(|(_, place, score)| CLOSE_SHARE * share(*place) * score).fold(0.0, f64::max)
}

/// BM25's weights of the terms of each candidate, where the candidates are all there is.
fn weights(candidates: &[Compared]) -> Vec<Vec<(u32, f64)>> {
    let mut frequencies: FxHashMap<u32, usize> = FxHashMap::default();
    for (term, _) in candidates.iter().flat_map(|one| &one.terms) {
        *frequencies.entry(*term).or_default() += 1;
    }
    let of_one = |one: &Compared| {
        let weight = |(term, count): &(u32, u32)| {
            let rarity = rank::inverse_frequency(frequencies[term], candidates.len());
            (*term, f64::from(rarity * rank::saturation(*count, one.norm)))
        };
        one.terms.iter().map(weight).collect()
    };
    candidates.iter().map(of_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(terms: &[u32], score: f64) -> Compared {
        Compared { terms: terms.iter().map(|term| (*term, 1)).collect(), norm: 0.9, score }
    }

    /// Five first results about 1, which is asked for, of which three share 2; then one with 2, one with 1 alone, one with neither.
    fn candidates() -> Vec<Compared> {
        let terms: [&[u32]; 8] = [&[1, 2], &[1, 2], &[1, 2], &[1, 3], &[1, 4], &[2, 5], &[1], &[6]];
        terms
            .iter()
            .zip([1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3])
            .map(|(terms, score)| candidate(terms, score))
            .collect()
    }

    #[test]
    fn what_shares_words_with_the_first_gains_and_they_stay() {
        let gains = gains(&candidates(), |term| term == 1);
        assert_eq!(gains[..FIRST], [0.0; FIRST]);
        assert!(gains[5] > 0.1 && gains[5] < 2.0 * SHARE, "{gains:?}");
        // A word of the question counts no second time, and what shares nothing gains nothing.
        assert_eq!(gains[6..], [0.0, 0.0]);
    }

    #[test]
    fn a_turn_gains_by_the_best_that_is_close_to_it() {
        let first = [(1, 10, 1.0), (1, 14, 0.5), (2, 10, 0.8)];
        let gains = [(1, 11), (1, 15), (1, 16), (1, 30), (2, 13), (3, 10)]
            .map(|(file, at)| closeness(&first, file, at));
        for (gain, expected) in
            gains.into_iter().zip([5.0 / 6.0, 0.5 * 5.0 / 6.0, 0.5 * 4.0 / 6.0, 0.0, 0.8 * 0.5, 0.0])
        {
            assert!((gain - CLOSE_SHARE * expected).abs() < 1e-9, "{gains:?}");
        }
    }

    #[test]
    fn few_candidates_or_none_are_no_matter() {
        assert!(gains(&[], |_| false).is_empty());
        assert_eq!(gains(&candidates()[..3], |_| false), [0.0; 3]);
        let alone: Vec<Compared> = (0..6).map(|term| candidate(&[term], 0.5)).collect();
        assert_eq!(gains(&alone, |term| term < 5), [0.0; 6]);
    }
}
