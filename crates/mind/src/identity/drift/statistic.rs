//! Whether two samples differ, without supposing how either is distributed.
//!
//! The rank test of H. B. Mann and D. R. Whitney (1947, "On a test of whether one of two random variables is stochastically larger than the other"),
//! with the normal approximation, the correction for ties and the correction for continuity; how much they differ is N. Cliff's
//! delta (1993). Middles are medians, spreads the median absolute deviation: one odd message moves neither. Pure.

/// Two samples held against each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Difference {
    /// How likely so much would be by chance, two-sided, from 0 to 1.
    pub(super) p: f64,
    /// Cliff's delta, from -1 (all of the first are smaller) to 1 (all are larger).
    pub(super) delta: f64,
}

/// The middle of a sample; nothing of an empty one.
pub(super) fn median(sample: &[f64]) -> Option<f64> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(if sorted.len().is_multiple_of(2) { f64::midpoint(sorted[middle - 1], upper) } else { upper })
}

/// The median of how far each is from the median; nothing of an empty sample.
pub(super) fn deviation(sample: &[f64]) -> Option<f64> {
    let middle = median(sample)?;
    median(&sample.iter().map(|each| (each - middle).abs()).collect::<Vec<_>>())
}

/// The arithmetic mean; nothing of an empty sample.
#[allow(clippy::cast_precision_loss, reason = "samples are messages, of which there are few")]
pub(super) fn mean(sample: &[f64]) -> Option<f64> {
    (!sample.is_empty()).then(|| sample.iter().sum::<f64>() / sample.len() as f64)
}

/// How the first sample differs from the second; nothing where one is empty.
#[allow(clippy::cast_precision_loss, reason = "samples are messages, of which there are few")]
pub(super) fn difference(first: &[f64], second: &[f64]) -> Option<Difference> {
    let (n1, n2) = (first.len() as f64, second.len() as f64);
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let mut all: Vec<(f64, bool)> = first.iter().map(|each| (*each, true)).collect();
    all.extend(second.iter().map(|each| (*each, false)));
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut ranks, mut ties, mut at) = (0.0, 0.0, 0);
    while at < all.len() {
        let same = all[at..].iter().take_while(|each| each.0 == all[at].0).count();
        // Equal ones share the middle of their ranks, which begin at 1.
        let rank = at as f64 + f64::midpoint(1.0, same as f64);
        ranks += rank * all[at..at + same].iter().filter(|each| each.1).count() as f64;
        let tied = same as f64;
        ties += tied.powi(3) - tied;
        at += same;
    }
    let u = ranks - n1 * (n1 + 1.0) / 2.0;
    let n = n1 + n2;
    let variance = n1 * n2 / 12.0 * ((n + 1.0) - ties / (n * (n - 1.0)).max(1.0));
    let delta = 2.0 * u / (n1 * n2) - 1.0;
    if variance <= 0.0 {
        return Some(Difference { p: 1.0, delta });
    }
    let z = ((u - n1 * n2 / 2.0).abs() - 0.5).max(0.0) / variance.sqrt();
    Some(Difference { p: beyond(z).clamp(0.0, 1.0), delta })
}

/// How likely a normal variable is to be farther than `z` from its mean, on either side: formula 7.1.26 of M. Abramowitz and I. A. Stegun's
/// handbook, whose error is below 1.5e-7.
fn beyond(z: f64) -> f64 {
    let x = z / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let terms = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) * t) * (-x * x).exp()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_known_example_comes_out_as_known() {
        // Ages at which a disease was found, of five men and four women: U is 17, p with the normal approximation 0.11135.
        let found = difference(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]).expect("samples");
        assert!((found.p - 0.111_346_9).abs() < 1e-6, "{found:?}");
        assert!((found.delta - 0.7).abs() < 1e-12, "{found:?}");
        assert_eq!(difference(&[], &[1.0]), None);
        assert_eq!(difference(&[1.0; 30], &[1.0; 40]), Some(Difference { p: 1.0, delta: 0.0 }));
        assert!((beyond(1.959_964) - 0.05).abs() < 1e-6);
        assert_eq!((median(&[3.0, 1.0, 2.0, 10.0]), deviation(&[1.0, 2.0, 9.0])), (Some(2.5), Some(1.0)));
        assert_eq!((median(&[]), mean(&[])), (None, None));
    }

    proptest! {
        #[test]
        fn exchanging_the_samples_turns_the_sign_alone(
            first in prop::collection::vec(0_u8..20, 1..40), second in prop::collection::vec(0_u8..20, 1..40),
        ) {
            let sample = |each: &[u8]| each.iter().map(|each| f64::from(*each)).collect::<Vec<_>>();
            let (first, second) = (sample(&first), sample(&second));
            let one = difference(&first, &second).expect("samples");
            let other = difference(&second, &first).expect("samples");
            prop_assert!((one.p - other.p).abs() < 1e-9 && (one.delta + other.delta).abs() < 1e-9);
            prop_assert!((0.0..=1.0).contains(&one.p) && one.delta.abs() <= 1.0 + 1e-12);
            let same = difference(&first, &first).expect("samples");
            prop_assert!(same.delta.abs() < 1e-12 && same.p > 0.99, "{same:?}");
        }
    }
}
