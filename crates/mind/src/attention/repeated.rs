//! What a context would say twice: an entry that is recalled and stands in MEMORY.md, a passage of a file that stands there whole.
//!
//! Judged by what was really put in, so nothing is left out for the sake of something that did not fit. Pure.

use std::collections::HashMap;

use super::compiled::{FilledSlot, Item};

/// The places (slot, item) of those that say nothing that no other item says. Of two that say the same the lower one
/// is named; whole slots may stay as they are.
pub(super) fn repeated(slots: &[FilledSlot], stays: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut said: HashMap<String, usize> = HashMap::new();
    let all: Vec<(usize, usize, Vec<String>)> = slots
        .iter()
        .enumerate()
        .flat_map(|(at, slot)| slot.items.iter().enumerate().map(move |(item, found)| (at, item, found)))
        .map(|(slot, item, found)| (slot, item, lines_of(found)))
        .collect();
    for line in all.iter().flat_map(|(.., lines)| lines) {
        *said.entry(line.clone()).or_default() += 1;
    }
    let mut found = Vec::new();
    for (slot, item, lines) in all.into_iter().rev().filter(|(slot, ..)| !stays(*slot)) {
        // Within one item a line may stand twice by itself.
        let own = |line: &String| lines.iter().filter(|other| *other == line).count();
        if !lines.is_empty() && lines.iter().all(|line| said[line] > own(line)) {
            for line in &lines {
                said.entry(line.clone()).and_modify(|count| *count -= 1);
            }
            found.push((slot, item));
        }
    }
    found
}

/// The lines that say something, as they are compared: without bullet, without what is noted of them, in small letters.
fn lines_of(item: &Item) -> Vec<String> {
    let lines = item.body.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let line = line.split("<!--").next().unwrap_or_default();
            line.trim_start_matches(['-', '*', '+', '>', ' ']).trim_end().to_lowercase()
        })
        .filter(|line| line.chars().any(char::is_alphanumeric))
        .collect()
}
