//! Patterns: what the operator said more than once, and the gate that one must pass before it becomes a principle (seed P5.2).
//!
//! Everything is computed from the dates of what was observed: a job that was missed, or ran twice, changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use rem_format::identity::{Occurrence, OccurrenceKind};

use super::evidence::{Evidence, Nature, Observed};
use super::opposites::{OwnRule, Rule, compared};
use super::wording;
use crate::stores::statement::{Comparison, Statement};

/// Things the operator said that mean the same, the oldest first.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub(super) nature: Nature,
    pub(super) members: Vec<Observed>,
}

/// What is asked of a pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// `identity.min_occurrences`.
    pub(super) occurrences: u64,
    /// `corrections.cooldown_hours`.
    pub(super) cooldown_hours: u64,
    pub(super) now: Timestamp,
}

/// A pattern at the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gate {
    /// Occurrences on separate dates or in separate sessions.
    pub(super) counted: usize,
    pub(super) threshold: u64,
    /// Hours since the first occurrence.
    pub(super) elapsed_hours: i64,
    pub(super) cooldown_hours: u64,
    /// Corrections that are not verified yet, and until when.
    pub(super) unverified: Vec<(String, Timestamp)>,
}

impl Gate {
    /// The gate for these.
    pub(super) fn of(members: &[&Observed], limits: Limits) -> Self {
        let first = members.iter().map(|each| each.occurrence.time).min().unwrap_or(limits.now);
        let rests = |each: &&&Observed| each.rests_until.is_some_and(|until| until > limits.now);
        Self {
            counted: separate(members.iter().map(|each| &each.occurrence)),
            threshold: limits.occurrences,
            elapsed_hours: limits.now.duration_since(first).as_hours(),
            cooldown_hours: limits.cooldown_hours,
            unverified: members
                .iter()
                .filter(rests)
                .filter_map(|each| Some((each.occurrence.at.clone(), each.rests_until?)))
                .collect(),
        }
    }

    /// What it does not meet, a sentence each; nothing where it passes.
    pub(super) fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        if u64::try_from(self.counted).is_ok_and(|counted| counted < self.threshold) {
            failures.push(format!(
                "seen {} of {} times on separate dates or in separate sessions (identity.min_occurrences)",
                self.counted, self.threshold
            ));
        }
        if i64::try_from(self.cooldown_hours).is_ok_and(|hours| self.elapsed_hours < hours) {
            failures.push(format!(
                "{}h of {}h have passed since it was first seen (corrections.cooldown_hours)",
                self.elapsed_hours.max(0),
                self.cooldown_hours
            ));
        }
        failures.extend(
            self.unverified.iter().map(|(id, until)| format!("correction {id} is unverified until {until}")),
        );
        failures
    }
}

/// How many of these count: each date once, or once for each session that is known to be another.
pub(super) fn separate<'a>(occurrences: impl Iterator<Item = &'a Occurrence>) -> usize {
    let mut days: BTreeMap<Date, BTreeSet<&str>> = BTreeMap::new();
    for occurrence in occurrences {
        let sessions = days.entry(occurrence.day).or_default();
        sessions.extend(occurrence.session.as_deref());
    }
    days.values().map(|sessions| sessions.len().max(1)).sum()
}

/// Whether what was observed is among the keys of what was looked at before.
pub(super) fn is_seen(occurrence: &Occurrence, seen: &[String]) -> bool {
    let day = occurrence.day.to_string();
    let is_of_day = |key: &&String| key.split('/').next() == Some(day.as_str());
    let mut of_day = seen.iter().filter(is_of_day).peekable();
    match occurrence.session {
        None => of_day.peek().is_some(),
        Some(_) => {
            let key = occurrence.key();
            of_day.any(|known| *known == key || *known == day)
        }
    }
}

impl Observed {
    pub(super) fn rule(&self) -> Rule<'_> {
        Rule { statement: &self.statement, reading: &self.reading }
    }
}

impl Pattern {
    /// Its words: those of the latest correction, or of what was said last.
    pub(super) fn principle(&self) -> String {
        let last = self.members.iter().rev();
        let correction = last.clone().find(|each| each.occurrence.kind == OccurrenceKind::Correction);
        let Some(said) = correction.or(last.clone().next()) else { return String::new() };
        wording::worded(self.nature, &said.occurrence.text)
    }

    /// Whether these words are its own: those of any of its members.
    pub(super) fn is_worded(&self, principle: &str) -> bool {
        self.members.iter().any(|each| wording::worded(self.nature, &each.occurrence.text) == principle)
    }

    /// What its corrections say was wrong of the agent's behaviour.
    pub(super) fn wrongs(&self) -> Vec<String> {
        self.members.iter().filter_map(|each| each.wrong.clone()).collect()
    }

    /// What was said last.
    pub(super) fn statement(&self) -> Statement {
        Statement::new(&self.principle())
    }

    /// When it was last seen.
    pub(super) fn last(&self) -> Timestamp {
        self.members.iter().map(|each| each.occurrence.time).max().unwrap_or(Timestamp::MIN)
    }

    /// Its latest correction.
    pub(super) fn corrected(&self) -> Option<Timestamp> {
        let corrections =
            self.members.iter().filter(|each| each.occurrence.kind == OccurrenceKind::Correction);
        corrections.map(|each| each.occurrence.time).max()
    }

    pub(super) fn gate(&self, limits: Limits) -> Gate {
        Gate::of(&self.members.iter().collect::<Vec<_>>(), limits)
    }

    pub(super) fn occurrences(&self) -> Vec<Occurrence> {
        self.members.iter().map(|each| each.occurrence.clone()).collect()
    }

    /// Whether something newer says the opposite; gives it.
    pub(super) fn taken_back_by<'a>(&self, evidence: &'a Evidence) -> Option<&'a Observed> {
        let last = self.last();
        let own = OwnRule::of(&self.principle());
        let own = own.rule();
        let is_newer = |each: &&Observed| each.occurrence.time > last && each.nature == Nature::Behaviour;
        let mut newer = evidence.observed.iter().filter(is_newer);
        newer.rfind(|each| {
            let says_so = each
                .wrong
                .as_ref()
                .is_some_and(|wrong| compared(OwnRule::of(wrong).rule(), own) == Comparison::Same);
            says_so || compared(each.rule(), own) == Comparison::Replaces
        })
    }
}

/// What was observed, by what it means. Facts that were corrected are of one kind where they say the same, or give another value to the
/// same thing.
pub(super) fn patterns(evidence: &Evidence) -> Vec<Pattern> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for observed in &evidence.observed {
        let is_same = |known: &Observed| {
            observed.statement.compared_to(&known.statement) == Comparison::Same
                || observed.nature == Nature::Behaviour
                    && compared(observed.rule(), known.rule()) == Comparison::Same
                || observed.nature == Nature::Fact
                    && observed.statement.subject().is_some()
                    && observed.statement.subject() == known.statement.subject()
        };
        let found = patterns
            .iter_mut()
            .find(|pattern| pattern.nature == observed.nature && pattern.members.iter().any(is_same));
        match found {
            Some(pattern) => pattern.members.push(observed.clone()),
            None => {
                patterns.push(Pattern { nature: observed.nature, members: vec![observed.clone()] });
            }
        }
    }
    patterns
}

#[cfg(test)]
mod tests {
    use rem_format::path::MemoryPath;

    use super::*;

    fn at(day: &str, session: Option<&str>) -> Occurrence {
        Occurrence {
            kind: OccurrenceKind::Conversation,
            time: format!("{day}T09:00:00Z").parse().expect("a time"),
            day: day.parse().expect("a day"),
            session: session.map(str::to_owned),
            path: MemoryPath::new("a.md").expect("a path"),
            at: "1".to_owned(),
            text: "Answer shorter".to_owned(),
        }
    }

    #[test]
    fn separate_dates_and_sessions_count_and_what_may_be_the_same_does_not() {
        let count = |each: &[Occurrence]| separate(each.iter());
        assert_eq!(count(&[at("2026-03-01", None), at("2026-03-01", None)]), 1);
        assert_eq!(count(&[at("2026-03-01", Some("a")), at("2026-03-01", None)]), 1);
        assert_eq!(count(&[at("2026-03-01", Some("a")), at("2026-03-01", Some("a"))]), 1);
        assert_eq!(count(&[at("2026-03-01", Some("a")), at("2026-03-01", Some("b"))]), 2);
        assert_eq!(count(&[at("2026-03-01", Some("a")), at("2026-03-02", Some("a"))]), 2);
        assert_eq!(count(&[]), 0);
    }

    #[test]
    fn what_was_looked_at_before_is_no_new_evidence() {
        let seen = ["2026-03-01/a".to_owned(), "2026-03-02".to_owned()];
        assert!(is_seen(&at("2026-03-01", Some("a")), &seen) && is_seen(&at("2026-03-01", None), &seen));
        assert!(!is_seen(&at("2026-03-01", Some("b")), &seen));
        assert!(is_seen(&at("2026-03-02", Some("b")), &seen));
        assert!(!is_seen(&at("2026-03-03", None), &seen));
    }
}
