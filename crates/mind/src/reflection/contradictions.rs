//! Statements that cannot both hold (M10.3, "detect contradictions").
//!
//! Comparing each with each would take hours; only those are compared that state the same attribute of the same thing, or have the
//! same words but for a "not". What an entity's file says of "the deadline" is about that entity: it meets what other files say
//! only where it names the entity. The comparison itself is the one of `remember`. Pure.

use std::collections::BTreeMap;

use rem_format::config::Config;

use super::propose::may_change;
use super::survey::{Place, Said, Survey};
use crate::stores::confidence::confidence_on;
use crate::stores::statement::{Comparison, Statement, bare_words, subject_of};

/// More statements about one thing than this are a list, and no contradiction.
const MOST_OF_ONE: usize = 12;
/// A newer statement that is less sure by this much is no better.
const MUCH_LESS_SURE: f64 = 0.3;

/// Two statements that cannot both hold.
#[derive(Debug, Clone)]
pub(super) struct Contradicted<'a> {
    pub(super) older: &'a Said,
    pub(super) newer: &'a Said,
    /// Why the older one is, or why that cannot be told.
    pub(super) why: String,
}

/// Those of which the older one may end, and those of which a person has to say which one holds.
pub(super) fn contradictions<'a>(
    survey: &'a Survey,
    config: &Config,
) -> (Vec<Contradicted<'a>>, Vec<Contradicted<'a>>) {
    let labels: BTreeMap<&str, &str> =
        survey.nodes.iter().map(|node| (node.path.as_str(), node.label.as_str())).collect();
    let mut about: BTreeMap<String, Vec<&Said>> = BTreeMap::new();
    let mut own: (usize, Vec<String>) = (usize::MAX, Vec::new());
    for said in &survey.said {
        let mut put = |kind: &str, words: Vec<String>| {
            let mut scope = String::new();
            if said.place == Place::Entity {
                if own.0 != said.file {
                    let label =
                        labels.get(survey.files[said.file].path.as_str()).copied().unwrap_or_default();
                    own = (said.file, bare_words(label).into_iter().collect());
                }
                let is_named = !own.1.is_empty() && own.1.iter().all(|word| words.contains(word));
                if !is_named {
                    scope = said.file.to_string();
                }
            }
            about.entry(format!("{scope}|{kind}|{}", words.join(" "))).or_default().push(said);
        };
        if let Some(subject) = subject_of(&said.text) {
            put("claim", subject.into_iter().collect());
        }
        let words = bare_words(&said.text);
        if words.len() > 1 {
            put("words", words.into_iter().collect());
        }
    }
    let (mut ended, mut undecided): (Vec<Contradicted<'a>>, Vec<Contradicted<'a>>) = (Vec::new(), Vec::new());
    for group in about.values().filter(|group| (2..=MOST_OF_ONE).contains(&group.len())) {
        let statements: Vec<Statement> = group.iter().map(|said| Statement::new(&said.text)).collect();
        for (at, one) in group.iter().enumerate() {
            for (beside, other) in group.iter().enumerate().skip(at + 1) {
                if statements[at].compared_to(&statements[beside]) != Comparison::Replaces {
                    continue;
                }
                let found = judged(survey, config, one, other);
                let is_known = |known: &Contradicted<'_>| {
                    std::ptr::eq(known.older, found.0.older) && std::ptr::eq(known.newer, found.0.newer)
                };
                if ended.iter().chain(&undecided).any(is_known) {
                    continue;
                }
                if found.1 { ended.push(found.0) } else { undecided.push(found.0) }
            }
        }
    }
    (ended, undecided)
}

/// Two statements that somebody else than the rules holds for contradicting, where they are not among these: the rules say which is the
/// older.
pub(super) fn also_contradicting<'a>(
    survey: &Survey,
    config: &Config,
    (one, other): (&'a Said, &'a Said),
    (ended, undecided): (&mut Vec<Contradicted<'a>>, &mut Vec<Contradicted<'a>>),
) {
    let is_of_both = |known: &&mut Contradicted<'a>| {
        [(one, other), (other, one)]
            .iter()
            .any(|(older, newer)| std::ptr::eq(known.older, *older) && std::ptr::eq(known.newer, *newer))
    };
    if ended.iter_mut().chain(undecided.iter_mut()).any(|known| is_of_both(&known)) {
        return;
    }
    let (mut found, is_told) = judged(survey, config, one, other);
    found.why.push_str("; a model sees that they contradict each other");
    if is_told { ended.push(found) } else { undecided.push(found) }
}

/// Which of two is the older, and whether it may end by that.
fn judged<'a>(survey: &Survey, config: &Config, one: &'a Said, other: &'a Said) -> (Contradicted<'a>, bool) {
    let last = |said: &Said| said.annotation.date("last").max(said.annotation.date("since"));
    let (older, newer) = if last(one) <= last(other) { (one, other) } else { (other, one) };
    let sure = |said: &Said| {
        let stored: f64 = said.annotation.get("confidence")?.parse().ok()?;
        Some(confidence_on(stored, last(said)?, survey.today, &config.confidence))
    };
    let (why, is_told) = match (last(older), last(newer)) {
        _ if !may_change(older) => {
            ("the older one is pinned, a correction or a person's own".to_owned(), false)
        }
        (Some(before), Some(after)) if before < after => match (sure(older), sure(newer)) {
            (Some(was), Some(is)) if is + MUCH_LESS_SURE < was => {
                (format!("the newer one is less sure: {is:.2} against {was:.2}"), false)
            }
            _ => (format!("last said on {before}, the other on {after}"), true),
        },
        (Some(before), Some(_)) => (format!("both were last said on {before}"), false),
        _ => ("nothing says which one is newer".to_owned(), false),
    };
    (Contradicted { older, newer, why }, is_told)
}
