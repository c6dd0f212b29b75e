//! Any three states of a file come to one: what one side alone did goes through, and no line of a list is lost or there twice.
#![no_main]

use std::collections::BTreeSet;

use jiff::civil::date;
use libfuzzer_sys::fuzz_target;
use rem_format::merge::{Shape, merge};

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    // The three states stand below each other, a byte 1 between them.
    let mut states = rest.splitn(3, |byte| *byte == 1);
    let (Some(base), Some(ours), Some(theirs)) = (states.next(), states.next(), states.next()) else { return };
    let day = date(2026, 3, 9);
    let shape = Shape::ALL[usize::from(*first) % Shape::ALL.len()];
    let merged = merge(shape, Some(base), ours, theirs, day);
    assert_eq!(merge(shape, Some(base), ours, base, day).bytes, ours);
    assert_eq!(merge(shape, Some(base), base, theirs, day).bytes, theirs);
    if [base, ours, theirs].into_iter().all(|side| std::str::from_utf8(side).is_ok()) && merged.is_whole {
        assert!(std::str::from_utf8(&merged.bytes).is_ok());
    }
    let lines = |bytes: &[u8]| -> BTreeSet<Vec<u8>> {
        let all = bytes.split(|byte| *byte == b'\n').map(|line| line.trim_ascii().to_vec());
        all.filter(|line| !line.is_empty()).collect()
    };
    let united = merge(Shape::Lines, Some(base), ours, theirs, day);
    if united.is_whole && base != theirs && base != ours {
        let (known, found) = (lines(base), lines(&united.bytes));
        for line in lines(ours).union(&lines(theirs)).filter(|line| !known.contains(*line)) {
            assert!(found.contains(line));
        }
    }
});
