//! "What's the latest on …?": of what matches about as well, the newest comes first (M11.1). Pure.

use crate::segment::NO_DAY;

/// What matches with this share of the best matches about as well.
const AS_WELL: f64 = 0.7;

/// The new scores of those that match about as well and have a day, of how well each matches and its day: the scores they have among them, the
/// greatest to the newest. What has no day keeps its own.
pub(crate) fn newest_first(found: &[(f64, i32)]) -> Vec<(usize, f64)> {
    let best = found.iter().map(|one| one.0).fold(0.0, f64::max);
    let is_as_good = |one: &(f64, i32)| one.1 != NO_DAY && one.0 > 0.0 && one.0 >= AS_WELL * best;
    let mut those: Vec<usize> = (0..found.len()).filter(|at| is_as_good(&found[*at])).collect();
    let by_score = |one: &usize, other: &usize| found[*other].0.total_cmp(&found[*one].0);
    those.sort_by(by_score);
    let scores: Vec<f64> = those.iter().map(|at| found[*at].0).collect();
    // Of one day the better one comes first.
    those.sort_by(|one, other| found[*other].1.cmp(&found[*one].1));
    those.into_iter().zip(scores).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_matches_about_as_well_the_newest_comes_first() {
        let found = [(1.0, 10), (0.95, NO_DAY), (0.9, 30), (0.8, 20), (0.3, 40), (0.85, 30)];
        assert_eq!(newest_first(&found), [(2, 1.0), (5, 0.9), (3, 0.85), (0, 0.8)]);
        assert!(newest_first(&[]).is_empty());
    }
}
