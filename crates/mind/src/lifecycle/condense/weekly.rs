//! The week in MEMORY.md: what was settled or is sure becomes an entry of what is going on, and what an earlier week put there and
//! nobody spoke of since moves to its long-term store.

use jiff::ToSpan as _;
use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::audit::{Actor, Approval};
use rem_format::page::Page;
use rem_ledger::Provenance;
use rem_recall::Addressees;
use serde::Serialize;

use super::noted::{Noted, Sort};
use super::overtaken::leaves;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::reasoning::{Missed, RuledInstead};
use crate::stores::core::{ACTIVE, Demoted, is_pinned, make_room};
use crate::stores::incoming::{Authority, Incoming, in_place, number, short_id};
use crate::stores::places::unreadable;
use crate::stores::statement::Statement;

/// A week adds no more entries than this.
const MOST: usize = 7;
/// What an earlier week put there is over after so many days without a mention.
const OVER_AFTER_DAYS: i32 = 28;
/// Says of an entry which week put it there.
pub(in crate::lifecycle) const WEEK: &str = "week";

/// A week and what MEMORY.md got from it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CondensedWeek {
    /// The Monday it begins with.
    pub monday: Date,
    /// Whether it was done.
    pub applied: bool,
    /// What became an entry, the surest first.
    pub added: Vec<String>,
    /// What moved to its long-term store: it was over, or had to make room.
    pub moved: Vec<String>,
    /// The change's id; empty in a preview and where nothing changed.
    pub change: String,
    /// How many weeks the rules chose from although a model is named, and why.
    pub by_rules: Vec<RuledInstead>,
    /// The model that is asked when it is done; only in a preview, which asks nobody.
    pub would_ask: Option<String>,
}

/// What a week puts into MEMORY.md.
struct Chosen {
    /// What is worth most first.
    noted: Vec<Noted>,
    /// What is decided on with that.
    decided: Vec<Noted>,
    /// Why the rules chose although a model is named.
    missed: Option<Missed>,
}

impl Memory {
    /// Rolls a week up into MEMORY.md: the one that this day is in; where none is named the one that today is in, and what the
    /// four weeks before it did not tell yet. Again for the same week it adds nothing, also where a person took out or changed what it added.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] for a sub-agent and as [`rem_ledger::Ledger::apply`], [`MemoryError::Usage`] where MEMORY.md cannot be read.
    pub fn condense_week(&self, day: Option<Date>, preview: bool) -> Result<CondensedWeek, MemoryError> {
        if !preview {
            self.ledger.may_change()?;
        }
        if let Some(day) = day {
            return self.condense_week_of(monday_of(day), preview);
        }
        let this = monday_of(self.today());
        let mut before = CondensedWeek::default();
        for weeks in (1..=OVER_AFTER_DAYS / 7).rev() {
            let monday = this.saturating_sub((7 * weeks).days());
            let week = self.condense_week_of(monday, preview)?;
            before.added.extend(week.added);
            before.moved.extend(week.moved);
            week.by_rules.into_iter().for_each(|each| RuledInstead::add_to(&mut before.by_rules, each));
            before.change = if week.change.is_empty() { before.change } else { week.change };
        }
        let mut week = self.condense_week_of(this, preview)?;
        week.added.splice(0..0, before.added);
        week.moved.splice(0..0, before.moved);
        before.by_rules.into_iter().for_each(|each| RuledInstead::add_to(&mut week.by_rules, each));
        if week.change.is_empty() {
            week.change = before.change;
        }
        Ok(week)
    }

    fn condense_week_of(&self, monday: Date, preview: bool) -> Result<CondensedWeek, MemoryError> {
        let sunday = monday.saturating_add(6.days());
        let label = label_of(monday);
        let Chosen { noted, decided, missed } = self.week_of(monday, sunday, &label, preview)?;
        let mut by_rules = Vec::new();
        if let Some(Missed { cause, why }) = missed {
            RuledInstead::count_in(&mut by_rules, cause, &why);
        }
        let would_ask = self.would_condense(preview);
        let incoming: Vec<Incoming<'_>> = noted.iter().map(|each| self.entry_of(each, &label)).collect();
        let provenance = Provenance::new(
            Actor::System("condenser".to_owned()),
            Approval::Auto,
            format!("rolled up {label}"),
        );
        let path = self.path(rem_ledger::Store::Core);
        let plan = |page: &mut Page| {
            let mut moved = over(page, monday, &noted);
            let mut added = Vec::new();
            for each in &incoming {
                // What is there already stays as it is: being rolled up is no mention.
                if each.stands_in(page) {
                    continue;
                }
                each.put(page, ACTIVE, "core", in_place).map_err(|error| unreadable(path, &error))?;
                added.push(each.text.to_owned());
            }
            moved.extend(make_room(page, &self.config.core, "", sunday));
            // What came and had to go at once was not added.
            added.retain(|text| !moved.iter().any(|gone| gone.text.ends_with(text.as_str())));
            Ok((added, moved))
        };
        if preview {
            let found = self.ledger.read(path)?.unwrap_or_else(|| b"# Core Memory\n".to_vec());
            let mut page = Page::parse(&found).map_err(|error| unreadable(path, &error))?;
            let (added, moved) = plan(&mut page)?;
            let moved = moved.into_iter().map(|each| each.text).collect();
            let change = String::new();
            return Ok(CondensedWeek { monday, applied: false, added, moved, change, by_rules, would_ask });
        }
        let summary = format!("the week of {monday}");
        let (added, applied, moved) = self.rewrite_core(&summary, self.today(), plan, |set| {
            self.change(self.noted_as_told(set, &label, &decided)?, &provenance)
        })?;
        let change = applied.change;
        Ok(CondensedWeek { monday, applied: true, added, moved, change, by_rules, would_ask })
    }

    /// What a week puts into MEMORY.md, by a model where one is named and this is no preview. `lifecycle.rollup_max_tokens` holds for all that the
    /// week put there; what has no room stays where it is noted.
    fn week_of(&self, monday: Date, sunday: Date, label: &str, preview: bool) -> Result<Chosen, MemoryError> {
        let mut noted = self.noted_between(monday, sunday)?;
        if !noted.is_empty() {
            // What was given up since is not put before anybody.
            let later = self.noted_between(monday, self.today())?;
            noted.retain(|each| {
                !later.iter().any(|later| later.day >= each.day && leaves(&later.text, &each.text))
            });
        }
        noted.sort_by_key(|each| (!each.is_sure, each.sort, std::cmp::Reverse(each.day)));
        let bytes = self.ledger.read(self.path(rem_ledger::Store::Core))?.unwrap_or_default();
        let page = Page::parse(&bytes).unwrap_or_default();
        let of_week = |item: &&rem_format::page::Item| item.annotation.get(WEEK) == Some(label);
        let there: Vec<usize> =
            page.items().iter().filter(of_week).map(|item| rem_reason::count_tokens(item.plain())).collect();
        let (mut decided, mut missed) = (None, None);
        if self.may_condense() && !preview {
            let mut open: Vec<Noted> = noted.iter().filter(|each| each.sort != Sort::Fact).cloned().collect();
            self.untold(label, &mut open)?;
            let most = MOST.saturating_sub(there.len());
            let told = |each: &Noted| match &each.about {
                Some(about) => format!("{} {about}: {}", each.day, each.text),
                None => format!("{}: {}", each.day, each.text),
            };
            let sources: Vec<String> = open.iter().map(told).collect();
            let chosen = match open.is_empty() || most == 0 {
                true => Ok(Vec::new()),
                false => self.chosen_by_model(&sources, most)?,
            };
            match chosen {
                Ok(chosen) => {
                    noted = chosen.into_iter().filter_map(|at| open.get(at).cloned()).collect();
                    // What there was no room for is asked about again.
                    decided = Some(if most == 0 { Vec::new() } else { open });
                }
                Err(why) => missed = Some(why),
            }
        }
        if decided.is_none() {
            noted.retain(|each| each.sort == Sort::Decision || each.sort == Sort::Event && each.is_sure);
            noted.truncate(MOST);
            self.untold(label, &mut noted)?;
        }
        let most = usize::try_from(self.config.lifecycle.rollup_max_tokens).unwrap_or(usize::MAX);
        let mut left = most.saturating_sub(there.iter().sum());
        let mut cut = Vec::new();
        noted.retain(|each| {
            let tokens = rem_reason::count_tokens(&each.text);
            let fits = tokens <= left;
            match fits {
                true => left -= tokens,
                false => cut.push(each.text.clone()),
            }
            fits
        });
        let mut decided = decided.unwrap_or_else(|| noted.clone());
        decided.retain(|each| !cut.contains(&each.text));
        Ok(Chosen { noted, decided, missed })
    }

    fn entry_of<'a>(&'a self, noted: &'a Noted, week: &str) -> Incoming<'a> {
        let settings = &self.config.confidence;
        let confidence = if noted.is_sure { settings.statement } else { settings.inferred };
        let source = noted.source.clone().unwrap_or_else(|| noted.path.to_string());
        let annotation = Annotation::new()
            .with("id", short_id(&noted.text, noted.day.at(0, 0, 0, 0)))
            .with("since", noted.day.to_string())
            .with("confidence", number(confidence))
            .with("mentions", "1")
            .with("source", &source)
            .with(WEEK, week);
        Incoming {
            text: &noted.text,
            statement: Statement::new(&noted.text),
            annotation,
            today: noted.day,
            memory: self,
            source,
            looks_back: true,
            is_dated: true,
            authority: Authority::Read,
            addressees: Addressees::default(),
            beside: Vec::new(),
        }
    }
}

/// The Monday of a day's week.
fn monday_of(day: Date) -> Date {
    day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days())
}

/// How a week is called: `2026-W09`.
fn label_of(monday: Date) -> String {
    let week = monday.iso_week_date();
    format!("{:04}-W{:02}", week.year(), week.week())
}

/// Takes out what an earlier week put there and nobody spoke of since, or what this one gives up.
fn over(page: &mut Page, monday: Date, noted: &[Noted]) -> Vec<Demoted> {
    let before = monday.saturating_sub(OVER_AFTER_DAYS.days());
    let mut gone = Vec::new();
    let is_over = |item: &rem_format::page::Item| {
        let said = item.annotation.date("last").max(item.annotation.date("since"));
        let is_given_up = || noted.iter().any(|each| leaves(&each.text, item.plain()));
        let is_old = said.is_some_and(|said| said < before);
        item.annotation.get(WEEK).is_some() && !is_pinned(item) && (is_old || is_given_up())
    };
    while let Some(at) = page.items().iter().position(is_over).filter(|_| !page.is_pinned()) {
        let item = page.items()[at].clone();
        page.remove(at);
        gone.push(Demoted { section: item.section, text: item.text, annotation: item.annotation });
    }
    gone
}
