//! What a context would say twice: an entry that is recalled and stands in MEMORY.md, a passage of a file that stands there whole.
//!
//! Judged by what was really put in, so nothing is left out for the sake of something that did not fit. Pure.

use std::collections::HashMap;

use super::compiled::{FilledSlot, Item};

/// The places (slot, item) of those that say nothing that no other item says. Of two that say the same the lower one
/// is named that does not stay whatever is said elsewhere.
pub(super) fn repeated(slots: &[FilledSlot], stays: impl Fn(usize, &Item) -> bool) -> Vec<(usize, usize)> {
    let mut said: HashMap<String, usize> = HashMap::new();
    let all: Vec<((usize, usize, bool), Vec<String>)> = slots
        .iter()
        .enumerate()
        .flat_map(|(at, slot)| slot.items.iter().enumerate().map(move |(item, found)| (at, item, found)))
        .map(|(slot, item, found)| ((slot, item, stays(slot, found)), lines_of(found)))
        .collect();
    for line in all.iter().flat_map(|(_, lines)| lines) {
        *said.entry(line.clone()).or_default() += 1;
    }
    let mut found = Vec::new();
    for ((slot, item, _), lines) in all.into_iter().rev().filter(|((.., stays), _)| !stays) {
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

/// What a turn begins with where it is recalled.
const SPEAKERS: [&str; 3] = ["user: ", "agent: ", "system: "];

/// The lines that say something, as they are compared: without bullet, without the last stop, without what is noted of them, in small letters.
fn lines_of(item: &Item) -> Vec<String> {
    let lines = item.body.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let line = line.split("<!--").next().unwrap_or_default();
            // A turn is recalled as `user: …` and stands under a heading in its transcript.
            let line = SPEAKERS.iter().find_map(|speaker| line.strip_prefix(speaker)).unwrap_or(line);
            line.trim_start_matches(['-', '*', '+', '>', ' '])
                .trim_end_matches([' ', '.', '!', '。'])
                .to_lowercase()
        })
        .filter(|line| line.chars().any(char::is_alphanumeric))
        .collect()
}
