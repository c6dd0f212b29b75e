//! The two files that are JSON: the checkpoint of relevance, and the twin of a reflection that waits.

use std::collections::BTreeSet;

use super::Merged;
use super::annotations::counted;
use crate::decay_scores::{DecayScore, DecayScores};
use crate::reflection::PendingReflection;

/// Each memory by its id: uses add up, the later use says how relevant it is.
pub(super) fn scores(base: &[u8], ours: &[u8], theirs: &[u8]) -> Merged {
    // It is derived: where a side cannot be read, the other holds.
    let base = DecayScores::parse(base).unwrap_or_default();
    let (here, there) = match (DecayScores::parse(ours), DecayScores::parse(theirs)) {
        (Ok(here), Ok(there)) => (here, there),
        (Err(_), Ok(_)) => return Merged::of(theirs),
        _ => return Merged::of(ours),
    };
    let ids: BTreeSet<&String> = here.entries.keys().chain(there.entries.keys()).collect();
    let mut merged = DecayScores {
        last_updated: here.last_updated.clone().max(there.last_updated.clone()),
        further: there.further.clone(),
        ..DecayScores::default()
    };
    merged.further.extend(here.further.clone());
    for id in ids {
        let was = base.entries.get(id);
        let entry = match (here.entries.get(id), there.entries.get(id)) {
            (Some(one), Some(other)) => both(was, one, other),
            (Some(one), None) | (None, Some(one)) if was != Some(one) => one.clone(),
            _ => continue,
        };
        merged.entries.insert(id.clone(), entry);
    }
    Merged::of(&merged.render())
}

fn both(base: Option<&DecayScore>, one: &DecayScore, other: &DecayScore) -> DecayScore {
    let (later, earlier) = if one.last_accessed >= other.last_accessed { (one, other) } else { (other, one) };
    let uses = |score: &DecayScore| i64::from(score.access_count);
    let count = counted(base.map(uses), uses(one), uses(other));
    let mut further = earlier.further.clone();
    further.extend(later.further.clone());
    let pinned = if base.is_some_and(|base| base.pinned == one.pinned) { other.pinned } else { one.pinned };
    DecayScore {
        created: one.created.clone().min(other.created.clone()),
        access_count: u32::try_from(count).unwrap_or(u32::MAX),
        pinned,
        further,
        ..later.clone()
    }
}

/// What both reflections propose; the head is ours.
pub(super) fn reflection(ours: &[u8], theirs: &[u8]) -> Merged {
    let (Ok(mut here), Ok(there)) = (PendingReflection::parse(ours), PendingReflection::parse(theirs)) else {
        return Merged::left(ours);
    };
    for mut item in there.items {
        if here.items.iter().any(|known| known.key == item.key && known.evidence == item.evidence) {
            continue;
        }
        let own = item.id.clone();
        let mut number = 2;
        while here.items.iter().any(|known| known.id == item.id) {
            item.id = format!("{own}{number}");
            number += 1;
        }
        here.items.push(item);
    }
    Merged::of(here.render().as_bytes())
}
