//! The best of many scores. Pure.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The places of the `count` best scores above zero, best first; of equal ones the earlier.
pub(crate) fn best(scores: &[f32], count: usize) -> Vec<usize> {
    // A small heap of the best so far: nearly every score is turned away by one comparison.
    let count = count.min(scores.len());
    let mut kept: BinaryHeap<Reverse<Scored>> = BinaryHeap::with_capacity(count + 1);
    let mut least = 0.0;
    for (at, score) in scores.iter().enumerate() {
        if *score > least {
            kept.push(Reverse(Scored(*score, at)));
            if kept.len() > count {
                kept.pop();
                least = kept.peek().map_or(0.0, |last| last.0.0);
            }
        }
    }
    kept.into_sorted_vec().into_iter().map(|Reverse(Scored(_, at))| at).collect()
}

/// A score and its place, in the order of scores; of equal ones the earlier place is the better.
#[derive(PartialEq)]
struct Scored(f32, usize);

impl Eq for Scored {}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(other.1.cmp(&self.1))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
