//! The arithmetic of compiled contexts: how much of the evidence stands in one, how much plain search has at the same tokens, and
//! what search found and the compiler left out.
//!
//! Pure. What was asked and compiled comes from `context`.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::bootstrap::{Interval, paired_difference};
use crate::report::{figure, interval, row, rule};
use rem_recall::metrics::share;

/// The budgets of contexts, in tokens; the last is the default one.
pub(crate) const CONTEXT_BUDGETS: [usize; 5] = [500, 1000, 2000, 4000, 8000];

/// One question at one budget.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct WithinBudget {
    /// The share of the evidence that plain search has within the budget.
    pub plain: f64,
    /// The share of it that the compiled context has.
    pub compiled: f64,
    /// The tokens of the whole text.
    pub tokens: usize,
    /// The tokens of each slot.
    pub slots: BTreeMap<&'static str, usize>,
    /// Pieces of evidence that plain search has within the budget and the context has not, by what became of them.
    pub dropped: BTreeMap<&'static str, usize>,
}

impl WithinBudget {
    /// From the evidence that both have; `why` says what became of a piece that the context lacks.
    pub(crate) fn of(
        gold: &HashSet<usize>,
        plain: &HashSet<usize>,
        compiled: &HashSet<usize>,
        why: impl Fn(usize) -> &'static str,
    ) -> Self {
        let mut dropped: BTreeMap<&'static str, usize> = BTreeMap::new();
        for unit in plain.difference(compiled).filter(|unit| gold.contains(unit)) {
            *dropped.entry(why(*unit)).or_default() += 1;
        }
        Self {
            plain: share(plain.intersection(gold).count(), gold),
            compiled: share(compiled.intersection(gold).count(), gold),
            dropped,
            ..Self::default()
        }
    }
}

/// A question with a context for each budget.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CompiledQuestion {
    /// The conversation it is about.
    pub(crate) conversation: String,
    /// How many topics it made active.
    pub(crate) topics: usize,
    /// One for each of [`CONTEXT_BUDGETS`].
    pub(crate) budgets: Vec<WithinBudget>,
}

/// The figures of a group of questions at one budget.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoverageLine {
    /// Which questions.
    pub group: String,
    /// The budget.
    pub budget: usize,
    /// How many questions.
    pub questions: usize,
    /// The mean share that plain search has.
    pub plain: f64,
    /// The mean share that contexts have.
    pub compiled: f64,
    /// The difference, question by question.
    pub difference: Option<Interval>,
    /// Questions where the context lacks evidence that plain search has.
    pub lacking: usize,
    /// The pieces of evidence lacking there, by what became of them.
    pub dropped: BTreeMap<&'static str, usize>,
    /// The mean tokens of the text.
    pub tokens: f64,
    /// The mean tokens of each slot.
    pub slots: BTreeMap<&'static str, f64>,
}

/// A table: groups of questions at every budget.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoverageTable {
    /// What was asked, and where.
    pub title: String,
    /// The figures.
    pub lines: Vec<CoverageLine>,
    /// Active topics for a question, on average.
    pub topics: f64,
}

/// What becomes of evidence, in the order of the table.
pub(crate) mod fates {
    /// The compiler did not have it to choose from: it asks search for less than plain search shows.
    pub(crate) const NOT_OFFERED: &str = "not offered";
    /// Something said later took its place.
    pub(crate) const SUPERSEDED: &str = "superseded";
    /// All its lines stand there elsewhere.
    pub(crate) const REPEATED: &str = "said twice";
    /// Its slot was full.
    pub(crate) const NO_ROOM: &str = "no room";
    /// All of them.
    pub(crate) const ALL: [&str; 4] = [NOT_OFFERED, SUPERSEDED, REPEATED, NO_ROOM];
}

impl CoverageTable {
    /// A table without a line.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), lines: Vec::new(), topics: 0.0 }
    }

    /// Adds a group of questions, a line for each budget.
    pub(crate) fn add<'a>(&mut self, group: &str, asked: impl Iterator<Item = &'a CompiledQuestion>) {
        let asked: Vec<&CompiledQuestion> = asked.collect();
        if asked.is_empty() {
            return;
        }
        let counts: Vec<usize> = asked.iter().map(|one| one.topics).collect();
        let topics = mean(&counts);
        // Groups of unlike size weigh by their size.
        let before: usize = self.lines.iter().step_by(CONTEXT_BUDGETS.len()).map(|line| line.questions).sum();
        self.topics = weighted([(self.topics, before), (topics, asked.len())]);
        for (at, budget) in CONTEXT_BUDGETS.into_iter().enumerate() {
            let all: Vec<&WithinBudget> = asked.iter().filter_map(|one| one.budgets.get(at)).collect();
            let plain: Vec<f64> = all.iter().map(|one| one.plain).collect();
            let compiled: Vec<f64> = all.iter().map(|one| one.compiled).collect();
            let mut dropped: BTreeMap<&'static str, usize> = BTreeMap::new();
            let mut slots: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
            for one in &all {
                one.dropped.iter().for_each(|(why, count)| *dropped.entry(why).or_default() += count);
                one.slots.iter().for_each(|(slot, tokens)| slots.entry(slot).or_default().push(*tokens));
            }
            self.lines.push(CoverageLine {
                group: group.to_owned(),
                budget,
                questions: all.len(),
                plain: mean_share(&plain),
                compiled: mean_share(&compiled),
                difference: paired_difference(&compiled, &plain),
                lacking: all.iter().filter(|one| !one.dropped.is_empty()).count(),
                dropped,
                tokens: mean(&all.iter().map(|one| one.tokens).collect::<Vec<_>>()),
                slots: slots.into_iter().map(|(slot, tokens)| (slot, mean(&tokens))).collect(),
            });
        }
    }

    /// As Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut out = format!("**{}**\n\n", self.title);
        let names = ["questions", "compiled against plain", "budget", "n", "plain", "compiled", "dropped"];
        let used = ["tokens", "recall", "recent", "topics"];
        row(&mut out, names.into_iter().chain(fates::ALL).chain(used));
        rule(&mut out, 2, names.len() - 2 + fates::ALL.len() + used.len());
        let mut before = "";
        for line in &self.lines {
            let group = if line.group == before { "" } else { &line.group };
            before = &line.group;
            let start = [
                group.to_owned(),
                line.difference.as_ref().map_or_else(String::new, interval),
                line.budget.to_string(),
                line.questions.to_string(),
                figure(line.plain),
                figure(line.compiled),
                line.lacking.to_string(),
            ];
            let dropped =
                fates::ALL.map(|why| line.dropped.get(why).copied().unwrap_or_default().to_string());
            let slot = |name: &str| line.slots.get(name).copied().unwrap_or_default();
            let used = [line.tokens, slot("recall"), slot("recent"), slot("topics")];
            row(&mut out, start.into_iter().chain(dropped).chain(used.map(|tokens| format!("{tokens:.0}"))));
        }
        if self.topics > 0.0 {
            out.push_str(&format!("\nActive topics for a question, on average: {:.2}.\n", self.topics));
        }
        out
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts of questions and of tokens are small")]
fn mean(all: &[usize]) -> f64 {
    all.iter().sum::<usize>() as f64 / all.len().max(1) as f64
}

#[allow(clippy::cast_precision_loss, reason = "counts of questions are small")]
fn mean_share(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

#[allow(clippy::cast_precision_loss, reason = "counts of questions are small")]
fn weighted(all: [(f64, usize); 2]) -> f64 {
    let count: usize = all.iter().map(|(_, count)| count).sum();
    all.iter().map(|(value, count)| value * *count as f64).sum::<f64>() / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(plain: &[usize], compiled: &[usize]) -> WithinBudget {
        let set = |units: &[usize]| units.iter().copied().collect::<HashSet<_>>();
        let why = |unit| if unit == 1 { fates::SUPERSEDED } else { fates::NO_ROOM };
        WithinBudget::of(&set(&[1, 2, 3, 4]), &set(plain), &set(compiled), why)
    }

    #[test]
    fn dropped_is_what_search_has_and_the_context_has_not() {
        // 9 is no evidence; 4 stands in the context alone.
        let found = within(&[1, 2, 3, 9], &[2, 4]);
        assert_eq!(
            (found.plain.to_bits(), found.compiled.to_bits()),
            (0.75_f64.to_bits(), 0.5_f64.to_bits())
        );
        assert_eq!(found.dropped, BTreeMap::from([(fates::SUPERSEDED, 1), (fates::NO_ROOM, 1)]));
        assert!(within(&[1, 2], &[1, 2, 3]).dropped.is_empty());
    }

    #[test]
    fn a_line_counts_questions_and_pieces_and_compares_pair_by_pair() {
        let asked = |topics, one: &WithinBudget| {
            let one = WithinBudget { tokens: 400, slots: BTreeMap::from([("recall", 300)]), ..one.clone() };
            CompiledQuestion {
                conversation: "a".to_owned(),
                topics,
                budgets: vec![one; CONTEXT_BUDGETS.len()],
            }
        };
        let lost = asked(2, &within(&[1, 2, 3], &[3]));
        let won = asked(0, &within(&[1], &[1, 2, 3]));
        let mut table = CoverageTable::new("A title");
        table.add("all", [&lost, &won].into_iter());
        table.add("lost", std::iter::once(&lost));
        table.add("none", std::iter::empty());
        assert_eq!(table.lines.len(), 2 * CONTEXT_BUDGETS.len());
        let line = &table.lines[0];
        assert_eq!((line.questions, line.lacking), (2, 1));
        assert_eq!(line.dropped.values().sum::<usize>(), 2);
        assert!((line.plain - 0.5).abs() < 1e-12 && (line.compiled - 0.5).abs() < 1e-12, "{line:?}");
        assert!(line.difference.is_some_and(|found| !found.is_clear()));
        assert!((table.topics - 4.0 / 3.0).abs() < 1e-12);
        let text = table.markdown();
        assert!(text.contains("| 500 | 2 | .500 | .500 | 1 | 0 | 1 | 0 | 1 | 400 | 300 | 0 | 0 |"), "{text}");
        assert!(text.contains("| lost | **−.500** (−.500 to −.500) |"), "{text}");
        assert!(text.ends_with("on average: 1.33.\n"), "{text}");
    }
}
