//! What is known of a memory, from two sides: each key by what kind of value it has.
//!
//! Counts add up what each side counted, what began earlier and was used later is so, lists and sources unite. The result is the same
//! whichever side is called ours, but for the order of the keys.

use std::collections::BTreeSet;

use crate::annotation::Annotation;

/// What both sides know, from what they began with.
pub(super) fn merged(base: Option<&Annotation>, ours: &Annotation, theirs: &Annotation) -> Annotation {
    let mut merged = ours.clone();
    let keys: Vec<&str> = ours.entries().chain(theirs.entries()).map(|(key, _)| key).collect();
    let mut seen = BTreeSet::new();
    for key in keys {
        if !seen.insert(key.to_lowercase()) {
            continue;
        }
        let before = base.and_then(|base| base.get(key));
        match value(key, before, ours.get(key), theirs.get(key)) {
            Some(value) if ours.get(key) != Some(value.as_str()) => merged.set(key, value),
            Some(_) => {}
            None => merged.remove(key),
        }
    }
    merged
}

/// The value of one key; nothing where it goes.
pub(super) fn value(
    key: &str,
    base: Option<&str>,
    ours: Option<&str>,
    theirs: Option<&str>,
) -> Option<String> {
    let (one, other) = match (ours, theirs) {
        (one, other) if one == other || other == base => return one.map(str::to_owned),
        (one, other) if one == base => return other.map(str::to_owned),
        // Taken away here and changed there: what was changed stays.
        (None, changed) | (changed, None) => return changed.map(str::to_owned),
        (Some(one), Some(other)) => (one, other),
    };
    let key = key.to_lowercase();
    let words: Vec<&str> = key.split(['-', '_', ' ']).collect();
    let is = |names: &[&str]| words.iter().any(|word| names.contains(word));
    if let (Ok(one), Ok(other)) = (one.parse::<i64>(), other.parse::<i64>())
        && is(&["mentions", "uses", "count", "counts", "hits", "accesses"])
    {
        let before = base.and_then(|base| base.parse::<i64>().ok());
        return Some(counted(before, one, other).to_string());
    }
    if let (Ok(first), Ok(second)) = (one.parse::<f64>(), other.parse::<f64>()) {
        return Some(if first >= second { one } else { other }.to_owned());
    }
    if let (Some(first), Some(second)) = (rank(one), rank(other)) {
        return Some(if first >= second { one } else { other }.to_owned());
    }
    let (least, most) = (one.min(other), one.max(other));
    if is_day(one) && is_day(other) {
        let is_beginning = is(&["since", "created", "first", "started"]);
        return Some(if is_beginning { least } else { most }.to_owned());
    }
    if key == "id" {
        return Some(least.to_owned());
    }
    let mark = if is(&["tags", "tag", "for", "aliases"]) { ", " } else { "; " };
    Some(united(one, other, mark))
}

/// What was counted on both sides since they parted; the greater where it is not known when that was.
pub(super) fn counted(base: Option<i64>, ours: i64, theirs: i64) -> i64 {
    match base {
        Some(base) => ours.saturating_add(theirs).saturating_sub(base).max(ours).max(theirs),
        None => ours.max(theirs),
    }
}

/// The parts of both, each once, in an order that does not depend on the sides.
pub(super) fn united(one: &str, other: &str, mark: &str) -> String {
    let parts = [one, other].into_iter().flat_map(|text| text.split(mark.trim_end())).map(str::trim);
    let parts: BTreeSet<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.into_iter().collect::<Vec<_>>().join(mark)
}

/// How much a word weighs among its like; the heavier one holds.
fn rank(word: &str) -> Option<u8> {
    let words = [&["low", "no", "false"][..], &["medium"], &["high", "yes", "true"]];
    let at = words.iter().position(|words| words.iter().any(|each| each.eq_ignore_ascii_case(word)))?;
    u8::try_from(at).ok()
}

/// Whether a text begins with a day.
pub(super) fn is_day(text: &str) -> bool {
    text.get(..10).is_some_and(|day| day.parse::<jiff::civil::Date>().is_ok())
}
