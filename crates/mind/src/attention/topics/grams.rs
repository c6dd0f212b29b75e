//! How much of a text's spelling is in another: MinHash over runs of three characters (A4.2).
//!
//! The share of runs that two texts have in common is estimated from the smallest hash of each text under every one of some
//! permutations. Texts differ in length, so what counts is the share of the shorter one.

use super::folded::fold;

/// Permutations: the estimate is within about 1/√64 = 0.125.
const PERMUTATIONS: usize = 64;

/// A text's runs, as its smallest hashes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grams {
    smallest: [u32; PERMUTATIONS],
    /// How many different runs there are, at least 1; about.
    count: f32,
}

impl Grams {
    /// The runs of a text; nothing where it has none.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut smallest = [u32::MAX; PERMUTATIONS];
        let mut window = [' '; 3];
        let mut hashes = Vec::new();
        for character in
            text.chars().chain([' ']).map(fold).map(|each| if each.is_alphanumeric() { each } else { ' ' })
        {
            if character == ' ' && window[2] == ' ' {
                continue;
            }
            window = [window[1], window[2], character];
            // Two letters and an edge are the least.
            if window[1] != ' ' {
                let bits = window.iter().fold(0_u64, |bits, each| bits << 21 | u64::from(u32::from(*each)));
                hashes.push(mixed(bits));
            }
        }
        hashes.sort_unstable();
        hashes.dedup();
        for hash in &hashes {
            let (low, high) = (*hash as u32, (*hash >> 32) as u32 | 1);
            let mut permuted = low;
            for least in &mut smallest {
                permuted = permuted.wrapping_add(high).rotate_left(5).wrapping_mul(0x9E37_79B1);
                *least = permuted.min(*least);
            }
        }
        (!hashes.is_empty()).then_some(Self { smallest, count: hashes.len() as f32 })
    }

    /// The share of the shorter text's runs that the other has, from 0 to 1; an estimate.
    pub(super) fn shared(&self, other: &Self) -> f32 {
        let same = self.smallest.iter().zip(&other.smallest).filter(|(one, other)| one == other).count();
        let jaccard = same as f32 / PERMUTATIONS as f32;
        let common = jaccard * (self.count + other.count) / (1.0 + jaccard);
        (common / self.count.min(other.count)).min(1.0)
    }
}

/// Every bit depends on every bit (the finalizer of SplitMix64).
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(one: &str, other: &str) -> f32 {
        Grams::of(one).unwrap().shared(&Grams::of(other).unwrap())
    }

    #[test]
    fn a_part_is_shared_wholly_and_another_text_hardly() {
        assert!((shared("Deploying the site", "deploying, the SITE!") - 1.0).abs() < f32::EPSILON);
        assert!(shared("deploy the site", "how to deploy the site to production on fridays") > 0.6);
        assert!(shared("deplyo the site", "deploy the site") > 0.4);
        assert!(shared("watering the plants", "deploy to production") < 0.2);
        assert!(Grams::of("").is_none() && Grams::of("  ! ").is_none());
    }
}
