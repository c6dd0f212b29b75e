//! What a model or an agent saw and no item of the reflection says, and why: nobody's answer is dropped in silence.

use std::collections::BTreeMap;

use rem_format::reflection::{Item, ItemKind};
use serde::Serialize;

use super::asked::Seen;
use super::propose::{contradiction_keys, key_of};
use super::survey::{Said, Survey};

/// Something that was answered and is not in the reflection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unused {
    /// Which list of the answer it is from: `contradictions`, `promotions`, `questions` or `learned`.
    pub list: &'static str,
    /// What it is about, or what it says.
    pub text: String,
    /// Why it is left out.
    pub why: String,
}

impl Unused {
    pub(super) fn new(list: &'static str, text: impl Into<String>, why: impl Into<String>) -> Self {
        Self { list, text: text.into(), why: why.into() }
    }

    /// What is about a number that no statement has.
    pub(super) fn unknown(list: &'static str, number: usize) -> Self {
        Self::new(list, format!("[{number}]"), "the task has no statement of this number")
    }
}

/// Why proposals were dropped on the way, by their keys; the first reason counts.
#[derive(Debug, Default)]
pub(super) struct Dropped(BTreeMap<String, String>);

impl Dropped {
    pub(super) fn note(&mut self, key: &str, why: impl Into<String>) {
        self.0.entry(key.to_owned()).or_insert_with(|| why.into());
    }

    /// The same of two statements that contradict each other.
    pub(super) fn note_pair(&mut self, one: &Said, other: &Said, why: impl Into<String>) {
        let why = why.into();
        contradiction_keys(one, other).iter().for_each(|key| self.note(key, why.clone()));
    }

    /// Keeps those of which this holds, and takes note of the others.
    pub(super) fn retain(&mut self, items: &mut Vec<Item>, why: &str, holds: impl Fn(&Item) -> bool) {
        items.retain(|item| {
            let is_kept = holds(item);
            if !is_kept {
                self.note(&item.key, why);
            }
            is_kept
        });
    }
}

/// What was seen and is in none of these items.
pub(super) fn unused(survey: &Survey, seen: &Seen<'_>, items: &[Item], dropped: &Dropped) -> Vec<Unused> {
    let mut unused = seen.unused.clone();
    let mut ask = |list, text: String, keys: &[String]| {
        if items.iter().any(|item| keys.contains(&item.key)) {
            return;
        }
        let why = keys.iter().find_map(|key| dropped.0.get(key)).cloned();
        let why =
            why.unwrap_or_else(|| "the document has no room for it (reflection.token_budget)".to_owned());
        unused.push(Unused::new(list, text, why));
    };
    for (one, other) in &seen.contradictions {
        let text = format!("“{}” against “{}”", one.text, other.text);
        ask("contradictions", text, &contradiction_keys(one, other));
    }
    for (said, _) in &seen.promotions {
        ask("promotions", said.text.clone(), &[key_of(survey, ItemKind::Promotion, said)]);
    }
    for (said, asked) in &seen.questions {
        ask("questions", asked.clone(), &[key_of(survey, ItemKind::Question, said)]);
    }
    unused
}
