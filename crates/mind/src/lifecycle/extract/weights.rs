//! What evidence comes to: how likely a sentence is of each kind, by weights that labelled sessions taught.
//!
//! The weights are those of a logistic regression for each kind over `evidence`; `crates/mind/model/extract.py` makes them. The file has
//! one line for each name, with a weight for each kind in hundredths. A sentence is of the kind that it exceeds by most what the kind
//! asks for, and of none where it reaches nothing: what was left untaken costs less than what was taken wrongly.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::extractor::Extractor;
use super::session::Session;
use super::{ORDER, evidence};

/// A weight for each extractor, in the order of [`ORDER`].
type Row = [i16; ORDER.len()];

struct Weights {
    rows: HashMap<&'static str, Row>,
    /// What holds for any sentence.
    any: Row,
    /// The sum from which on a sentence is of the kind.
    asked: Row,
    /// The sum's slope and offset by which it becomes a likelihood.
    slope: Row,
    offset: Row,
}

const FILE: &str = include_str!("../../../model/extract.tsv");
/// The weights are kept in hundredths.
const UNIT: f64 = 100.0;

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let mut rows: HashMap<&str, Row> = FILE
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, row)| (name, numbers(row)))
        .collect();
    let mut taken = |name: &str| rows.remove(name).unwrap_or_default();
    let (any, asked, slope, offset) = (taken("any"), taken("asked"), taken("slope"), taken("offset"));
    Weights { any, asked, slope, offset, rows }
});

/// A line's weights; what is missing is none. A test reads every line.
fn numbers(line: &str) -> Row {
    let mut row = Row::default();
    for (weight, written) in row.iter_mut().zip(line.split(' ')) {
        *weight = written.parse().unwrap_or_default();
    }
    row
}

/// Whose a sentence is, and how likely it is right to take it for that, in hundredths.
pub(super) fn taken(session: &Session, at: (usize, usize)) -> Option<(&'static Extractor, u8)> {
    let said = &session.turns[at.0].sentences[at.1];
    let weights = &*WEIGHTS;
    let mut sums = weights.any.map(f64::from);
    evidence::of(session, at, false, |name, value| {
        if let Some(row) = weights.rows.get(name) {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += value * f64::from(*weight));
        }
    });
    let (best, margin) = (0..ORDER.len())
        .filter(|kind| ORDER[*kind].may_take(said))
        .map(|kind| (kind, sums[kind] - f64::from(weights.asked[kind])))
        .max_by(|one, other| one.1.total_cmp(&other.1))?;
    let tilted =
        f64::from(weights.slope[best]) / UNIT * sums[best] / UNIT + f64::from(weights.offset[best]) / UNIT;
    let likelihood = 1.0 / (1.0 + (-tilted).exp());
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 100")]
    let confidence = (likelihood * 100.0).round() as u8;
    (margin >= 0.0).then_some((ORDER[best], confidence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_a_weight_for_every_kind() {
        assert!(FILE.lines().count() > 100);
        for line in FILE.lines() {
            let (name, row) = line.split_once('\t').unwrap();
            let row: Vec<i16> = row.split(' ').map(|each| each.parse().unwrap()).collect();
            assert_eq!((name.is_empty(), row.len()), (false, ORDER.len()), "{line}");
        }
        assert!([WEIGHTS.any, WEIGHTS.asked, WEIGHTS.slope].iter().all(|row| *row != Row::default()));
    }
}
