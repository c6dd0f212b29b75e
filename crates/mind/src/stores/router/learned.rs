//! What labelled sentences taught: how much each feature speaks for each verdict.
//!
//! The weights are those of a logistic regression over `features` and over the sentence's vector from the built-in
//! embedding model. `crates/mind/model/train.py` makes them; the file has one line for each feature, with a weight for each
//! verdict in the order of `weights::ORDER`, in hundredths. `meaning:7` is the weight of the vector's seventh number.

use std::collections::HashMap;
use std::sync::LazyLock;

use rem_recall::Builtin;

use super::features;
use super::reader::Reading;
use super::weights::VERDICTS;

/// A weight for each verdict.
type Row = [i16; VERDICTS];

struct Weights {
    features: HashMap<&'static str, Row>,
    /// For each number of a sentence's vector.
    meaning: Vec<Row>,
    /// What holds for any sentence.
    any: Row,
}

const FILE: &str = include_str!("../../../model/router.tsv");
/// The weights are kept in hundredths.
const UNIT: f64 = 100.0;

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let mut features: HashMap<&str, Row> = FILE
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, row)| (name, numbers(row)))
        .collect();
    let any = features.remove("any").unwrap_or_default();
    let meaning = (0..Builtin::get().dimensions())
        .map_while(|place| features.remove(format!("meaning:{place}").as_str()));
    Weights { meaning: meaning.collect(), any, features }
});

/// A line's weights; what is missing is none. A test reads every line.
fn numbers(line: &str) -> Row {
    let mut row = Row::default();
    for (weight, written) in row.iter_mut().zip(line.split(' ')) {
        *weight = written.parse().unwrap_or_default();
    }
    row
}

/// The vector of a sentence.
pub(super) fn meaning(sentence: &str) -> Vec<f32> {
    let mut vector = Vec::new();
    Builtin::get().embed(sentence, &mut vector);
    vector
}

/// How much a sentence speaks for each verdict, in the order of `weights::ORDER`.
pub(super) fn opinions(reading: &Reading, sentence: &str) -> [f64; VERDICTS] {
    let weights = &*WEIGHTS;
    let mut sums = weights.any.map(f64::from);
    let mut add = |row: &Row, times: f64| {
        sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += times * f64::from(*weight));
    };
    features::of(&reading.plain, reading.language, reading.signals)
        .iter()
        .filter_map(|feature| weights.features.get(feature.as_str()))
        .for_each(|row| add(row, 1.0));
    meaning(sentence).iter().zip(&weights.meaning).for_each(|(number, row)| add(row, f64::from(*number)));
    sums.map(|sum| sum / UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_a_weight_for_every_verdict() {
        assert!(FILE.lines().count() > 1000);
        for line in FILE.lines() {
            let (name, row) = line.split_once('\t').unwrap();
            let row: Vec<i16> = row.split(' ').map(|each| each.parse().unwrap()).collect();
            assert_eq!((name.is_empty(), row.len()), (false, VERDICTS), "{line}");
        }
        assert_eq!(WEIGHTS.meaning.len(), Builtin::get().dimensions());
        assert_ne!(WEIGHTS.any, Row::default());
    }
}
