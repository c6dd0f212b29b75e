//! The arithmetic of retrieval: how much of what was asked for stands how far up.
//!
//! Pure. A ranking is a list of places; a place holds something that can be asked for (a turn, a session, a note) or
//! nothing such (the title of a conversation, a page of the workspace), and takes its rank all the same: a reader has to
//! read past it.

use std::collections::HashSet;

use serde::Serialize;

/// The ranks at which recall is taken.
pub const CUTS: [usize; 4] = [1, 5, 10, 20];
/// The budgets, in tokens, at which coverage is taken.
pub const BUDGETS: [usize; 4] = [500, 1000, 2000, 4000];
/// The rank at which nDCG is cut.
const GAIN_CUT: usize = 10;

/// One passage of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retrieved {
    /// What it holds, by number; empty where it holds nothing that is asked for.
    pub units: Vec<usize>,
    /// Its length in tokens.
    pub tokens: usize,
}

/// The figures of one question, or the means over several. All from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Scores {
    /// The share of the evidence within the first 1, 5, 10 and 20 places.
    pub recall: [f64; 4],
    /// Whether any of the evidence is within them.
    pub any: [f64; 4],
    /// nDCG over the first 10 places, every piece of evidence counting the same.
    pub ndcg: f64,
    /// The share of the evidence in the passages that fit into the first 500, 1,000, 2,000 and 4,000 tokens.
    pub coverage: [f64; 4],
}

impl Scores {
    /// The figures of one answer, where `gold` is what should have been found.
    #[must_use]
    pub fn of(answer: &[Retrieved], gold: &HashSet<usize>) -> Self {
        let places = places(answer);
        let recall = CUTS.map(|cut| recall(&places, gold, cut));
        Self {
            recall,
            any: recall.map(|share| if share > 0.0 { 1.0 } else { 0.0 }),
            ndcg: ndcg(&places, gold, GAIN_CUT),
            coverage: BUDGETS.map(|budget| coverage(answer, gold, budget)),
        }
    }

    /// The means of several questions; zeros of none.
    #[must_use]
    pub fn mean<'a>(all: impl IntoIterator<Item = &'a Scores>) -> Self {
        let mut sum = Scores::default();
        let mut count = 0_u32;
        for scores in all {
            count += 1;
            sum.ndcg += scores.ndcg;
            for (sums, values) in [
                (&mut sum.recall, &scores.recall),
                (&mut sum.any, &scores.any),
                (&mut sum.coverage, &scores.coverage),
            ] {
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
        }
        let divide = |value: f64| value / f64::from(count.max(1));
        Scores {
            recall: sum.recall.map(divide),
            any: sum.any.map(divide),
            ndcg: divide(sum.ndcg),
            coverage: sum.coverage.map(divide),
        }
    }
}

/// The places of an answer, best first: each unit once, at its best rank. A passage that holds nothing new of what was
/// already found takes no place; one that holds nothing at all takes one.
#[must_use]
pub fn places(answer: &[Retrieved]) -> Vec<Option<usize>> {
    let mut seen: HashSet<usize> = HashSet::new();
    let mut places = Vec::new();
    for passage in answer {
        if passage.units.is_empty() {
            places.push(None);
        }
        places.extend(passage.units.iter().filter(|unit| seen.insert(**unit)).map(|unit| Some(*unit)));
    }
    places
}

/// What part of the evidence so many pieces of it are.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "a question has a few pieces of evidence")]
pub fn share(found: usize, gold: &HashSet<usize>) -> f64 {
    if gold.is_empty() { 0.0 } else { found as f64 / gold.len() as f64 }
}

fn recall(places: &[Option<usize>], gold: &HashSet<usize>, cut: usize) -> f64 {
    let found = places.iter().take(cut).flatten().filter(|unit| gold.contains(unit)).count();
    share(found, gold)
}

fn ndcg(places: &[Option<usize>], gold: &HashSet<usize>, cut: usize) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "ranks are small")]
    let gain = |rank: usize| 1.0 / ((rank + 2) as f64).log2();
    let is_gold = |place: &Option<usize>| place.is_some_and(|unit| gold.contains(&unit));
    let found: f64 = places
        .iter()
        .take(cut)
        .enumerate()
        .filter(|(_, place)| is_gold(place))
        .map(|(rank, _)| gain(rank))
        .sum();
    let ideal: f64 = (0..gold.len().min(cut)).map(gain).sum();
    if ideal > 0.0 { found / ideal } else { 0.0 }
}

fn coverage(answer: &[Retrieved], gold: &HashSet<usize>, budget: usize) -> f64 {
    share(within(answer, gold, budget).len(), gold)
}

/// The evidence in the passages that fit into a budget. A passage counts while it fits whole; the first that does not ends the
/// budget, as a reader's page does.
#[must_use]
pub fn within(answer: &[Retrieved], gold: &HashSet<usize>, budget: usize) -> HashSet<usize> {
    let mut spent = 0;
    let mut found: HashSet<usize> = HashSet::new();
    for passage in answer {
        spent += passage.tokens;
        if spent > budget {
            break;
        }
        found.extend(passage.units.iter().copied().filter(|unit| gold.contains(unit)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(units: &[usize], tokens: usize) -> Retrieved {
        Retrieved { units: units.to_vec(), tokens }
    }

    fn close(left: f64, right: f64) {
        assert!((left - right).abs() < 1e-12, "{left} is not {right}");
    }

    #[test]
    fn a_unit_has_its_best_rank_and_a_passage_of_nothing_takes_a_place() {
        let answer = [passage(&[7], 1), passage(&[], 1), passage(&[7], 1), passage(&[7, 3, 4], 1)];
        assert_eq!(places(&answer), [Some(7), None, Some(3), Some(4)]);
    }

    #[test]
    fn recall_is_the_share_of_the_evidence_within_the_cut() {
        // Places: 9, 1, -, 8, 2, 3; of 1, 2 and 4 the first is at rank 2, the second at rank 5, the third nowhere.
        let answer =
            [passage(&[9], 1), passage(&[1], 1), passage(&[], 1), passage(&[8], 1), passage(&[2, 3], 1)];
        let scores = Scores::of(&answer, &HashSet::from([1, 2, 4]));
        for (found, expected) in scores.recall.into_iter().zip([0.0, 2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]) {
            close(found, expected);
        }
        assert_eq!(scores.any.map(f64::to_bits), [0.0, 1.0, 1.0, 1.0].map(f64::to_bits));
    }

    #[test]
    fn ndcg_discounts_by_the_logarithm_of_the_rank() {
        // Evidence at ranks 2 and 4 of two pieces: (1/log2 3 + 1/log2 5) / (1/log2 2 + 1/log2 3).
        let answer = [passage(&[9], 1), passage(&[1], 1), passage(&[], 1), passage(&[2], 1)];
        let scores = Scores::of(&answer, &HashSet::from([1, 2]));
        close(scores.ndcg, (0.630_929_753_571_457_4 + 0.430_676_558_073_393_06) / 1.630_929_753_571_457_4);
        close(Scores::of(&[passage(&[1, 2], 1)], &HashSet::from([1, 2])).ndcg, 1.0);
        // More evidence than the cut: ten of twelve at the top are all that can be had.
        let units: Vec<usize> = (0..12).collect();
        close(Scores::of(&[passage(&units, 1)], &units.iter().copied().collect()).ndcg, 1.0);
        // Beyond rank ten nothing counts.
        let late: Vec<Retrieved> = (0..11).map(|unit| passage(&[unit], 1)).collect();
        close(Scores::of(&late, &HashSet::from([10])).ndcg, 0.0);
    }

    #[test]
    fn coverage_counts_passages_that_fit_whole() {
        let answer = [passage(&[1], 400), passage(&[], 100), passage(&[2], 600), passage(&[3], 1)];
        let scores = Scores::of(&answer, &HashSet::from([1, 2, 3, 4]));
        // 400 and 100 fill 500 exactly; 1,100 and 1,101 are beyond 1,000 and within 2,000.
        for (found, expected) in scores.coverage.into_iter().zip([0.25, 0.25, 0.75, 0.75]) {
            close(found, expected);
        }
    }

    #[test]
    fn means_are_per_question() {
        let one = Scores { ndcg: 1.0, recall: [1.0, 1.0, 1.0, 1.0], ..Scores::default() };
        let mean = Scores::mean([&one, &Scores::default(), &Scores::default(), &Scores::default()]);
        close(mean.ndcg, 0.25);
        close(mean.recall[3], 0.25);
        assert_eq!(Scores::mean([]), Scores::default());
    }
}
