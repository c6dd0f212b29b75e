//! The principles of SOUL.md as it stands, and which of them this program wrote.
//!
//! That follows from CHANGELOG.md alone: what it does not say was added there is a person's, and is never touched.

use jiff::civil::Date;
use rem_format::identity::{Logged, Verb};
use rem_format::page::Page;
use serde::Serialize;

use super::opposites::{OwnRule, Reading, Rule, compared};
use crate::stores::statement::{Comparison, Statement};
use crate::wording::sentences_of;

/// A principle that this program wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Encoded {
    /// When.
    pub day: Date,
    /// The ids of corrections that it came from; empty where it came from none.
    pub corrections: Vec<String>,
    /// The latest occurrence that spoke for it.
    pub seen: String,
}

/// A principle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PrincipleShown {
    /// What it says.
    pub text: String,
    /// The heading that it stands under; empty above the first.
    pub section: String,
    /// Its line in SOUL.md, from 1.
    pub line: usize,
    /// What CHANGELOG.md says of it; nothing where a person wrote it.
    pub encoded: Option<Encoded>,
}

/// A principle, and what it means.
#[derive(Debug, Clone)]
pub(in crate::identity) struct Principle {
    pub(in crate::identity) shown: PrincipleShown,
    pub(in crate::identity) statement: Statement,
    reading: Reading,
    /// Whether it is an entry of a list, which alone can be taken out.
    pub(in crate::identity) is_item: bool,
}

impl Principle {
    fn rule(&self) -> Rule<'_> {
        Rule { statement: &self.statement, reading: &self.reading }
    }

    /// Whether an operator's correction stands behind it.
    pub(in crate::identity) fn is_corrected(&self) -> bool {
        self.shown.encoded.as_ref().is_some_and(|encoded| !encoded.corrections.is_empty())
    }
}

/// The principles of a page: entries of its lists, and the sentences between them, which a person wrote.
pub(super) fn principles_of(page: &Page, log: &[Logged]) -> Vec<Principle> {
    let mut found: Vec<Principle> = page
        .items()
        .iter()
        .filter(|item| item.ended().is_none())
        .map(|item| Principle {
            statement: Statement::new(item.plain()),
            reading: Reading::of(item.plain()),
            shown: PrincipleShown {
                text: item.plain().to_owned(),
                section: item.section.clone(),
                line: item.lines.start,
                encoded: encoded(item.plain(), log),
            },
            is_item: true,
        })
        .collect();
    let is_listed = |line: usize| page.items().iter().any(|item| item.lines.contains(&line));
    for (line, number) in page.as_str().lines().zip(1..) {
        let is_prose = !line.trim().is_empty() && !line.starts_with(['#', '<', '-', '|', '`', '>']);
        if !is_prose || is_listed(number) {
            continue;
        }
        for sentence in sentences_of(line) {
            let text = sentence.trim().trim_matches(['*', '_']).to_owned();
            found.push(Principle {
                statement: Statement::new(&text),
                reading: Reading::of(&text),
                shown: PrincipleShown { text, section: String::new(), line: number, encoded: None },
                is_item: false,
            });
        }
    }
    found
}

/// What the log says last of a principle, where that is that it was added.
fn encoded(principle: &str, log: &[Logged]) -> Option<Encoded> {
    let is_about = |logged: &&Logged| {
        logged.change.principle == principle
            && !matches!(logged.change.verb, Verb::RolledBack | Verb::Rejected | Verb::Kept)
    };
    let last = log.iter().rev().find(is_about)?;
    (last.change.verb == Verb::Added).then(|| Encoded {
        day: last.day,
        corrections: last.change.corrections.clone(),
        seen: last.change.seen.iter().max().cloned().unwrap_or_default(),
    })
}

/// The one that says the same.
pub(super) fn same<'a>(principles: &'a [Principle], rule: Rule<'_>) -> Option<&'a Principle> {
    principles.iter().find(|known| {
        compared(known.rule(), rule) == Comparison::Same || compared(rule, known.rule()) == Comparison::Same
    })
}

/// The one that it says the opposite of, or that its corrections say was wrong.
pub(super) fn contradicted<'a>(
    principles: &'a [Principle],
    rule: Rule<'_>,
    wrongs: &[String],
) -> Option<&'a Principle> {
    let wrongs: Vec<OwnRule> = wrongs.iter().map(|wrong| OwnRule::of(wrong)).collect();
    let is_wrong = |known: &Principle| {
        wrongs.iter().any(|wrong| compared(wrong.rule(), known.rule()) == Comparison::Same)
    };
    let opposite = principles.iter().find(|known| compared(rule, known.rule()) == Comparison::Replaces);
    opposite.or_else(|| {
        principles.iter().find(|known| is_wrong(known) && compared(rule, known.rule()) != Comparison::Same)
    })
}
