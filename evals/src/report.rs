//! What came out: means per group of questions, differences with their intervals, and both as tables.
//!
//! The JSON answer holds every group; tables for people leave out those that say little.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;

use crate::bootstrap::{Interval, paired_difference};
use crate::configuration::Configuration;
use crate::corpus::Level;
use crate::coverage::CoverageTable;
use crate::evaluation::{Asked, Counts, Evaluation};
use rem_recall::metrics::Scores;

/// A figure with its name in tables.
type Metric = (&'static str, fn(&Scores) -> f64);

/// The columns for questions about turns.
const OF_TURNS: [Metric; 8] = [
    ("R@5", |scores| scores.recall[1]),
    ("R@10", |scores| scores.recall[2]),
    ("R@20", |scores| scores.recall[3]),
    ("nDCG@10", |scores| scores.ndcg),
    ("cov 500", |scores| scores.coverage[0]),
    ("cov 1k", |scores| scores.coverage[1]),
    ("cov 2k", |scores| scores.coverage[2]),
    ("cov 4k", |scores| scores.coverage[3]),
];
/// The columns for questions about sessions and notes.
const OF_FILES: [Metric; 4] = [
    ("any@1", |scores| scores.any[0]),
    ("any@5", |scores| scores.any[1]),
    ("R@5", |scores| scores.recall[1]),
    ("nDCG@10", |scores| scores.ndcg),
];

/// The figures of one configuration over a group of questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Which questions.
    pub group: String,
    /// Which configuration.
    pub configuration: &'static str,
    /// How many questions.
    pub questions: usize,
    /// The means.
    pub scores: Scores,
    /// Whether it stands in the table for people.
    #[serde(skip)]
    pub is_shown: bool,
}

/// How much one configuration is better than another over a group of questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Which questions.
    pub group: String,
    /// By which figure.
    pub metric: &'static str,
    /// Which configuration.
    pub configuration: &'static str,
    /// Compared with which.
    pub against: &'static str,
    /// By how much.
    pub interval: Interval,
}

/// A table: groups of questions to one corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// What was asked, and where.
    pub title: String,
    /// Whether the questions are about turns or files.
    pub level: Level,
    /// The figures.
    pub lines: Vec<Line>,
    /// How sure the differences are.
    pub differences: Vec<Difference>,
}

/// What a suite came to.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Outcome {
    /// Its name.
    pub suite: String,
    /// The embedders that answered.
    pub embedders: BTreeSet<String>,
    /// What they had to say.
    pub notices: BTreeSet<String>,
    /// What was left out.
    pub counts: Counts,
    /// The tables; none where it was skipped.
    pub tables: Vec<Table>,
    /// The tables of compiled contexts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<CoverageTable>,
    /// Why it was skipped.
    pub skipped: Option<String>,
}

impl Table {
    /// A table without a line.
    #[must_use]
    pub fn new(title: impl Into<String>, level: Level) -> Self {
        Self { title: title.into(), level, lines: Vec::new(), differences: Vec::new() }
    }

    fn metrics(&self) -> &'static [Metric] {
        match self.level {
            Level::Turn => &OF_TURNS,
            Level::File => &OF_FILES,
        }
    }

    /// The two figures that differences are taken of.
    fn compared(&self) -> [Metric; 2] {
        match self.level {
            Level::Turn => [OF_TURNS[1], OF_TURNS[3]],
            Level::File => [OF_FILES[0], OF_FILES[1]],
        }
    }

    /// Adds the questions that `belongs` picks as a group; of them those of this table's level count.
    pub fn add(
        &mut self,
        group: &str,
        evaluation: &Evaluation,
        configurations: &[Configuration],
        is_shown: impl Fn(&Configuration) -> bool,
        belongs: impl Fn(&Asked) -> bool,
    ) {
        let asked: Vec<&Asked> =
            evaluation.asked.iter().filter(|asked| asked.level == self.level && belongs(asked)).collect();
        if asked.is_empty() {
            return;
        }
        for (at, configuration) in configurations.iter().enumerate() {
            self.lines.push(Line {
                group: group.to_owned(),
                configuration: configuration.name,
                questions: asked.len(),
                scores: Scores::mean(asked.iter().map(|asked| &asked.scores[at])),
                is_shown: is_shown(configuration),
            });
        }
    }

    /// As [`Table::add`], with the differences to the configurations that all are compared with.
    pub fn add_compared(
        &mut self,
        group: &str,
        evaluation: &Evaluation,
        configurations: &[Configuration],
        belongs: impl Fn(&Asked) -> bool,
    ) {
        self.add(group, evaluation, configurations, |_| true, &belongs);
        let asked: Vec<&Asked> =
            evaluation.asked.iter().filter(|asked| asked.level == self.level && belongs(asked)).collect();
        for against in [Configuration::KEYWORD, Configuration::HYBRID] {
            let Some(other) = configurations.iter().position(|one| one.name == against) else { continue };
            for (at, configuration) in configurations.iter().enumerate().filter(|(at, _)| *at != other) {
                for (metric, of) in self.compared() {
                    let values =
                        |at: usize| asked.iter().map(|asked| of(&asked.scores[at])).collect::<Vec<_>>();
                    let Some(interval) = paired_difference(&values(at), &values(other)) else { continue };
                    self.differences.push(Difference {
                        group: group.to_owned(),
                        metric,
                        configuration: configuration.name,
                        against,
                        interval,
                    });
                }
            }
        }
    }

    /// As Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut out = format!("**{}**\n\n", self.title);
        let names = self.metrics().iter().map(|(name, _)| *name);
        row(&mut out, ["questions", "search", "n"].into_iter().chain(names));
        rule(&mut out, 2, self.metrics().len() + 1);
        let mut before = "";
        for line in self.lines.iter().filter(|line| line.is_shown) {
            let group = if line.group == before { "" } else { &line.group };
            before = &line.group;
            let figures = self.metrics().iter().map(|(_, of)| figure(of(&line.scores)));
            let start = [group.to_owned(), line.configuration.to_owned(), line.questions.to_string()];
            row(&mut out, start.into_iter().chain(figures));
        }
        if !self.differences.is_empty() {
            out.push('\n');
            self.push_differences(&mut out);
        }
        out
    }

    fn push_differences(&self, out: &mut String) {
        let columns: Vec<(&str, &str)> = self
            .compared()
            .iter()
            .flat_map(|(metric, _)| [(*metric, Configuration::KEYWORD), (*metric, Configuration::HYBRID)])
            .collect();
        let names = columns.iter().map(|(metric, against)| format!("{metric} against {against}"));
        row(out, ["questions".to_owned(), "search".to_owned()].into_iter().chain(names));
        rule(out, 2, columns.len());
        let mut keys: Vec<(&str, &str)> = Vec::new();
        for line in &self.lines {
            let key = (line.group.as_str(), line.configuration);
            if self.differences.iter().any(|one| (one.group.as_str(), one.configuration) == key) {
                keys.push(key);
            }
        }
        let mut before = "";
        for (group, configuration) in keys {
            let cells = columns.iter().map(|(metric, against)| {
                let matches = |one: &&Difference| {
                    one.group == group
                        && one.configuration == configuration
                        && one.metric == *metric
                        && one.against == *against
                };
                self.differences.iter().find(matches).map_or_else(String::new, |one| interval(&one.interval))
            });
            let shown = if group == before { "" } else { group };
            row(out, [shown.to_owned(), configuration.to_owned()].into_iter().chain(cells));
            before = group;
        }
    }
}

impl Outcome {
    /// A suite that could not be run.
    #[must_use]
    pub fn skipped(suite: impl Into<String>, why: String) -> Self {
        Self { suite: suite.into(), skipped: Some(why), ..Self::default() }
    }

    /// Takes in what an evaluation says beside its figures.
    pub fn note(&mut self, evaluation: &Evaluation) {
        self.embedders.extend(evaluation.embedders.iter().cloned());
        self.notices.extend(evaluation.notices.iter().cloned());
        self.note_counts(&evaluation.counts);
    }

    /// Takes in what was left out.
    pub(crate) fn note_counts(&mut self, counts: &Counts) {
        self.counts.lost_turns = self.counts.lost_turns.max(counts.lost_turns);
        self.counts.unknown_evidence = self.counts.unknown_evidence.max(counts.unknown_evidence);
        self.counts.questions_without_evidence =
            self.counts.questions_without_evidence.max(counts.questions_without_evidence);
    }

    /// As Markdown: the tables, and what was left out.
    #[must_use]
    pub fn markdown(&self) -> String {
        if let Some(why) = &self.skipped {
            return format!("Skipped: {why}.\n");
        }
        let mut out = String::new();
        for table in &self.tables {
            let _ = writeln!(out, "{}", table.markdown());
        }
        for table in &self.coverage {
            let _ = writeln!(out, "{}", table.markdown());
        }
        let embedders: Vec<String> = self.embedders.iter().map(|name| format!("`{name}`")).collect();
        let Counts { questions_without_evidence, unknown_evidence, lost_turns } = self.counts;
        let _ = writeln!(
            out,
            "Embedder: {}. Left out: {questions_without_evidence} questions without evidence that exists, \
             {unknown_evidence} ids of evidence that do not exist, {lost_turns} turns that did not arrive.",
            if embedders.is_empty() { "none".to_owned() } else { embedders.join(", ") },
        );
        for notice in &self.notices {
            let _ = writeln!(out, "\nNotice: {notice}.");
        }
        out
    }
}

pub(crate) fn row<S: AsRef<str>>(out: &mut String, cells: impl IntoIterator<Item = S>) {
    for cell in cells {
        let _ = write!(out, "| {} ", cell.as_ref());
    }
    out.push_str("|\n");
}

pub(crate) fn rule(out: &mut String, texts: usize, numbers: usize) {
    let _ = writeln!(out, "{}{}|", "|---".repeat(texts), "|---:".repeat(numbers));
}

/// Three places, without the zero in front: `.738`.
pub(crate) fn figure(value: f64) -> String {
    let text = format!("{value:.3}");
    text.strip_prefix('0').map_or(text.clone(), str::to_owned)
}

fn signed(value: f64) -> String {
    let sign = if value.is_sign_negative() && value.abs() >= 0.0005 { "−" } else { "+" };
    format!("{sign}{}", figure(value.abs()))
}

/// The difference with its interval, bold where zero lies outside.
pub(crate) fn interval(interval: &Interval) -> String {
    let mean = signed(interval.mean);
    let mean = if interval.is_clear() { format!("**{mean}**") } else { mean };
    format!("{mean} ({} to {})", signed(interval.low), signed(interval.high))
}

/// Says on standard error that a test was skipped.
#[cfg(test)]
pub(crate) fn say(text: &str) {
    use std::io::Write as _;
    // Nobody listens where it cannot be written.
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_clear_differences_stand_out() {
        assert_eq!(figure(0.7384), ".738");
        assert_eq!(figure(1.0), "1.000");
        assert_eq!(
            interval(&Interval { mean: 0.02, low: 0.004, high: 0.0361 }),
            "**+.020** (+.004 to +.036)"
        );
        assert_eq!(interval(&Interval { mean: -0.01, low: -0.03, high: 0.0 }), "−.010 (−.030 to +.000)");
    }

    #[test]
    fn groups_are_named_once_and_compared_with_keyword_and_hybrid() {
        let configurations = Configuration::all();
        let scores = |ndcg| Scores { ndcg, ..Scores::default() };
        let asked = |ndcg| Asked {
            conversation: "a".to_owned(),
            category: None,
            level: Level::Turn,
            scores: [0.25, 0.0, 0.5, 0.5, 0.5, ndcg].map(scores).to_vec(),
        };
        let evaluation = Evaluation { asked: vec![asked(0.5), asked(1.0)], ..Evaluation::default() };
        let mut table = Table::new("A title", Level::Turn);
        table.add_compared("all", &evaluation, &configurations, |_| true);
        assert_eq!(table.lines.len(), 6);
        assert!((table.lines[5].scores.ndcg - 0.75).abs() < 1e-12);
        // Five others against each of two, by two figures.
        assert_eq!(table.differences.len(), 20);
        let text = table.markdown();
        assert!(text.contains("| all | keyword | 2 | .000 | .000 | .000 | .250 |"), "{text}");
        assert!(text.contains("|  | hybrid | 2 | .000 | .000 | .000 | .750 |"), "{text}");
        assert!(text.contains("**+.250** (+.250 to +.250)"), "{text}");
    }
}
