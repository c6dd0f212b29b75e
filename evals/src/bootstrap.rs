//! How sure a difference is: the paired bootstrap over questions.
//!
//! Both configurations answered the same questions, so the differences per question are drawn anew, with replacement, as
//! many as there are, ten thousand times; the middle 95 % of their means is the interval. It speaks of other questions to
//! the same conversations: questions to one conversation resemble each other, so for other conversations it is too narrow.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood, 2014), a dozen lines: the figures in the documentation must stay the
//! same to the last digit, and a crate of random numbers may change its sequence between versions.

use serde::Serialize;

/// How often questions are drawn anew.
pub(crate) const RESAMPLES: usize = 10_000;
/// Where every sequence begins.
const SEED: u64 = 20_260_301;

/// A difference of means with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The difference of the means.
    pub mean: f64,
    /// The lower end: 2.5 % of the resampled means lie below it.
    pub low: f64,
    /// The upper end: 2.5 % lie above it.
    pub high: f64,
}

impl Interval {
    /// Whether zero lies outside of it.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The mean of `one − other`, question by question, with its interval. `None` without questions or where the two are not
/// of the same length.
#[must_use]
pub fn paired_difference(one: &[f64], other: &[f64]) -> Option<Interval> {
    if one.is_empty() || one.len() != other.len() {
        return None;
    }
    let differences: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
    #[allow(clippy::cast_precision_loss, reason = "thousands of questions at most")]
    let mean = |sum: f64| sum / differences.len() as f64;
    let mut generator = SplitMix(SEED);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| mean((0..differences.len()).map(|_| differences[generator.below(differences.len())]).sum()))
        .collect();
    means.sort_by(f64::total_cmp);
    let tail = RESAMPLES / 40;
    Some(Interval {
        mean: mean(differences.iter().sum()),
        low: means[tail],
        high: means[RESAMPLES - 1 - tail],
    })
}

/// SplitMix64.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, by the high half of a product: even to one part in 2^32 for the sizes met here.
    fn below(&mut self, limit: usize) -> usize {
        let product = u128::from(self.next()) * (limit as u128);
        // The high half is below the limit, which is a usize.
        usize::try_from(product >> 64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_sequence() {
        let mut generator = SplitMix(1_234_567);
        assert_eq!(generator.next(), 6_457_827_717_110_365_317);
        assert_eq!(generator.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn equal_answers_differ_by_nothing_and_a_constant_difference_is_certain() {
        let none = paired_difference(&[0.5; 9], &[0.5; 9]).unwrap();
        assert_eq!((none.mean, none.low, none.high), (0.0, 0.0, 0.0));
        assert!(!none.is_clear());
        let all = paired_difference(&[0.75; 9], &[0.5; 9]).unwrap();
        assert_eq!((all.mean, all.low, all.high), (0.25, 0.25, 0.25));
        assert!(all.is_clear());
    }

    #[test]
    fn the_interval_of_a_coin_is_that_of_the_binomial() {
        // 100 questions, half won and half lost: the mean of a resample is (2k − 100) / 100 with k binomial(100, 1/2), whose
        // middle 95 % is 40 to 60, so that the interval is −0.2 to 0.2.
        let won: Vec<f64> = (0..100).map(|at| f64::from(at % 2)).collect();
        let lost: Vec<f64> = (0..100).map(|at| f64::from((at + 1) % 2)).collect();
        let interval = paired_difference(&won, &lost).unwrap();
        assert!(interval.mean.abs() < 1e-12);
        assert!((interval.low + 0.2).abs() < 0.011 && (interval.high - 0.2).abs() < 0.011, "{interval:?}");
        assert_eq!(Some(interval), paired_difference(&won, &lost), "the same every time");
    }

    #[test]
    fn what_is_not_paired_has_no_difference() {
        assert_eq!(paired_difference(&[], &[]), None);
        assert_eq!(paired_difference(&[1.0], &[1.0, 0.0]), None);
    }
}
