//! The month's chronicle (A8.4, P5.5): what was settled, learned, happened and became known, grouped by what it belongs to.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::audit::{Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_reason::spending::Urgency;
use serde::Serialize;

use super::asked::{MONTH, Told};
use super::noted::{Noted, Sort};
use super::{linked, unlinked};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::reasoning::{Missed, RuledInstead};
use crate::stores::incoming::undated;
use crate::stores::places::unreadable;
use crate::stores::statement::{Comparison, Statement};

/// A month and what its chronicle got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CondensedMonth {
    /// Its first day.
    pub month: Date,
    /// The chronicle.
    pub path: MemoryPath,
    /// Whether the chronicle is there: a month of which nothing is noted has none.
    pub is_there: bool,
    /// Whether it was done.
    pub applied: bool,
    /// The lines that were added, without their links.
    pub lines: Vec<String>,
    /// Entries of MEMORY.md that moved to their long-term store, so that its caps hold.
    pub moved: Vec<String>,
    /// The change's id; empty in a preview and where nothing changed.
    pub change: String,
    /// Whether the rules wrote it although a model is named, and why.
    pub by_rules: Vec<RuledInstead>,
    /// The model that is asked when it is done; only in a preview, which asks nobody.
    pub would_ask: Option<String>,
}

impl Memory {
    /// Distils a month into its chronicle: the one that this day is in, or the one before this. Again it adds only what is new. MEMORY.md
    /// is brought back below its caps.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] for a sub-agent and as [`rem_ledger::Ledger::apply`].
    pub fn condense_month(&self, day: Option<Date>, preview: bool) -> Result<CondensedMonth, MemoryError> {
        if !preview {
            self.ledger.may_change()?;
        }
        let before = self.today().first_of_month().saturating_sub(1.day());
        let month = day.unwrap_or(before).first_of_month();
        let mut noted = self.noted_between(month, month.last_of_month())?;
        let name = format!("{:04}-{:02}", month.year(), month.month());
        self.untold(&name, &mut noted)?;
        let path = self.ledger.layout().file(Store::Chronicles, &format!("{name}.md"))?;
        let found = self.ledger.read(&path)?;
        let (written, missed) = self.lines_of_month(&noted, preview)?;
        let mut by_rules = Vec::new();
        if let Some(Missed { cause, why }) = missed {
            RuledInstead::count_in(&mut by_rules, cause, &why);
        }
        let (_, lines) =
            told(found.as_deref(), &name, &written).map_err(|error| unreadable(&path, &error))?;
        let mut condensed = CondensedMonth {
            month,
            path: path.clone(),
            is_there: found.is_some(),
            applied: !preview,
            lines,
            moved: Vec::new(),
            change: String::new(),
            by_rules,
            would_ask: self.would_condense(preview),
        };
        if preview {
            condensed.moved = self.core_over_caps()?;
            return Ok(condensed);
        }
        let provenance = Provenance::new(
            Actor::System("condenser".to_owned()),
            Approval::Auto,
            format!("distilled {name}"),
        )
        .kind(CommitType::Maintenance);
        if !noted.is_empty() {
            let set = self.noted_as_told(ChangeSet::new(), &name, &noted)?;
            let set = set.edit(path, format!("the month of {name}"), |found| {
                Ok(Some(told(found, &name, &written).map(|(page, _)| page.into_bytes())?))
            });
            condensed.change = self.change(set, &provenance)?.change;
            condensed.is_there = true;
        }
        condensed.moved = self.core_within_caps(&provenance)?;
        Ok(condensed)
    }
}

/// A line on its way to a chronicle.
struct Line {
    heading: (usize, String),
    day: Date,
    text: String,
    /// Where it is noted.
    links: String,
}

impl Memory {
    /// The lines of a month: what a model makes of its notes, each with all of them that it is from; else the notes themselves, as in a
    /// preview, and why a model that is named made nothing of them.
    fn lines_of_month(
        &self,
        noted: &[Noted],
        preview: bool,
    ) -> Result<(Vec<Line>, Option<Missed>), MemoryError> {
        let by_rules = || noted.iter().map(|each| each.line(&each.text, &[each])).collect();
        if noted.is_empty() || !self.may_condense() || preview {
            return Ok((by_rules(), None));
        }
        let told = |each: &Noted| match &each.about {
            Some(about) => format!("{} {about}: {}", each.day, each.text),
            None => format!("{}: {}", each.day, each.text),
        };
        let sources: Vec<String> = noted.iter().map(told).collect();
        match self.told_by_model(&MONTH, "notes", &sources, Urgency::Background)? {
            Ok(told) => {
                let line = |told: Told| {
                    let from: Vec<&Noted> = told.from.iter().filter_map(|at| noted.get(*at)).collect();
                    // It ended on the last of its days, and belongs where most of it does.
                    let last = from.iter().max_by_key(|each| each.day)?;
                    let line = last.line(&told.text.replace("[[", "["), &from);
                    let is_named = !told.heading.is_empty() && last.about.is_none();
                    Some(if is_named { Line { heading: (0, told.heading), ..line } } else { line })
                };
                Ok((told.value.into_iter().filter_map(line).collect(), None))
            }
            Err(missed) => Ok((by_rules(), Some(missed))),
        }
    }
}

impl Noted {
    /// A line of a chronicle on this and what else it is from. What belongs to something stands with it, the rest by what it is.
    fn line(&self, text: &str, from: &[&Self]) -> Line {
        let heading = match (&self.about, self.sort) {
            (Some(about), _) => (0, about.clone()),
            (None, Sort::Decision) => (1, "Decisions".to_owned()),
            (None, Sort::Lesson) => (2, "Lessons".to_owned()),
            (None, Sort::Procedure) => (3, "Procedures".to_owned()),
            (None, Sort::Event) => (4, "Events".to_owned()),
            (None, Sort::Fact) => (5, "Facts".to_owned()),
        };
        let mut links: Vec<String> = Vec::new();
        for each in from {
            let link = linked(&each.path, &each.day.strftime("%m-%d").to_string());
            if !links.contains(&link) {
                links.push(link);
            }
        }
        // The last link is the one that a line ends in.
        Line { heading, day: self.day, text: text.to_owned(), links: links.join(" ") }
    }
}

/// The chronicle with what it does not say yet, and those lines.
fn told(
    found: Option<&[u8]>,
    name: &str,
    written: &[Line],
) -> Result<(Page, Vec<String>), rem_format::page::PageError> {
    let new = format!("---\ntype: chronicle\nmonth: {name}\n---\n\n# {name}\n");
    let mut page = Page::parse(found.unwrap_or(new.as_bytes()))?;
    let mut known: Vec<Statement> =
        page.items().iter().map(|item| Statement::new(undated(unlinked(item.plain())))).collect();
    let mut groups: BTreeMap<&(usize, String), Vec<&Line>> = BTreeMap::new();
    for line in written {
        groups.entry(&line.heading).or_default().push(line);
    }
    let mut lines = Vec::new();
    for ((_, heading), group) in groups {
        for each in group {
            let statement = Statement::new(&each.text);
            if known.iter().any(|known| statement.compared_to(known) == Comparison::Same) {
                continue;
            }
            page.add(heading, &format!("{}: {} {}", each.day, each.text, each.links), &Annotation::new())?;
            known.push(statement);
            lines.push(each.text.clone());
        }
    }
    Ok((page, lines))
}
