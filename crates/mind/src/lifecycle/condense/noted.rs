//! What the stores noted in a span of days: decisions and events of the episodes, decisions of projects, lessons, procedures, facts.

use jiff::ToSpan as _;
use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::entity::Entity;
use rem_format::episode::{self, Certainty, EpisodeKind};
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::procedure::{LEARNED_FROM, TRIGGER};
use rem_format::project::CONTEXT;
use rem_ledger::Store;

use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::incoming::undated;
use crate::stores::places::LESSONS;
use crate::stores::projects::DECISIONS;
use crate::stores::reviving::is_out_of_use;

/// What something noted is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Decision,
    Lesson,
    Procedure,
    Event,
    Fact,
}

/// Something that was noted.
#[derive(Debug, Clone)]
pub(super) struct Noted {
    pub(super) sort: Sort,
    /// The day it was said.
    pub(super) day: Date,
    pub(super) text: String,
    /// What it belongs to: a project's or an entity's name.
    pub(super) about: Option<String>,
    /// Whether somebody asked for it to be remembered, or is sure of it.
    pub(super) is_sure: bool,
    /// The file it stands in.
    pub(super) path: MemoryPath,
    /// Where it was said, as the store has it.
    pub(super) source: Option<String>,
}

impl Memory {
    /// What was noted from one day to another, both included, in the order of days. What is for some people alone is left out.
    pub(super) fn noted_between(&self, since: Date, until: Date) -> Result<Vec<Noted>, MemoryError> {
        let mut noted = Vec::new();
        let mut day = since;
        while day <= until {
            self.episodes_on(day, &mut noted)?;
            match day.checked_add(1.day()) {
                Ok(next) => day = next,
                Err(_) => break,
            }
        }
        for project in self.projects()?.iter().filter(|project| !project.files.is_empty()) {
            let path = self.ledger.layout().file(Store::Projects, &format!("{}/{CONTEXT}", project.name))?;
            self.items_of(&path, DECISIONS, Sort::Decision, Some(&project.name), &mut noted)?;
        }
        let facts = self.fact_pages();
        for path in std::iter::once(self.path(Store::Core)).chain(&facts) {
            self.items_of(path, LESSONS, Sort::Lesson, None, &mut noted)?;
        }
        self.facts_of_entities(&mut noted)?;
        self.learned_procedures(&mut noted)?;
        let forgotten = self.forgotten()?;
        let is_forgotten = |each: &Noted| {
            let source = each.source.as_deref().unwrap_or_default();
            forgotten.holds(&each.text, each.day) || forgotten.holds_at(source, &each.text, each.day)
        };
        noted.retain(|each| (since..=until).contains(&each.day) && !is_forgotten(each));
        noted.sort_by_key(|each| (each.day, each.sort));
        Ok(noted)
    }

    fn episodes_on(&self, day: Date, noted: &mut Vec<Noted>) -> Result<(), MemoryError> {
        let path = self.ledger.layout().file(Store::Episodes, &format!("{day}.md"))?;
        let Some(bytes) = self.ledger.read(&path)? else { return Ok(()) };
        for placed in episode::parse(&bytes).0 {
            let episode = placed.episode;
            let sort = match episode.kind {
                EpisodeKind::Decision => Sort::Decision,
                EpisodeKind::Event | EpisodeKind::Task => Sort::Event,
                _ => continue,
            };
            if episode.addressees.is_empty() {
                noted.push(Noted {
                    sort,
                    day,
                    text: episode.text.split_whitespace().collect::<Vec<_>>().join(" "),
                    about: None,
                    is_sure: episode.confidence == Certainty::High,
                    path: path.clone(),
                    source: episode.from,
                });
            }
        }
        Ok(())
    }

    fn items_of(
        &self,
        path: &MemoryPath,
        section: &str,
        sort: Sort,
        about: Option<&str>,
        noted: &mut Vec<Noted>,
    ) -> Result<(), MemoryError> {
        let Some(Ok(page)) = self.ledger.read(path)?.map(|bytes| Page::parse(&bytes)) else { return Ok(()) };
        for (_, item) in page.items_in(section).filter(|(_, item)| item.ended().is_none()) {
            noted.extend(of_annotation(sort, undated(item.plain()), about, path, &item.annotation));
        }
        Ok(())
    }

    /// What was learned to do, each with the day on which it was.
    fn learned_procedures(&self, noted: &mut Vec<Noted>) -> Result<(), MemoryError> {
        for file in &self.ledger.list()?.files {
            let path = MemoryPath::new(file.path.as_str())?;
            if self.ledger.layout().store_of(&path) != Some(Store::Procedures) || !file.path.ends_with(".md")
            {
                continue;
            }
            let Some(Ok(page)) = self.ledger.read(&path)?.map(|bytes| Page::parse(&bytes)) else { continue };
            let header = page.header();
            let trigger = page.section_text(TRIGGER).and_then(|text| text.lines().next()).map(str::trim);
            let (Some(day), Some(trigger)) = (header.date("learned"), trigger.or(page.title())) else {
                continue;
            };
            if is_out_of_use(&page) || header.get(rem_recall::FOR).is_some() || trigger.is_empty() {
                continue;
            }
            let learned = page.items_in(LEARNED_FROM).next();
            let source = learned.and_then(|(_, item)| item.plain().split_once(" — "));
            noted.push(Noted {
                sort: Sort::Procedure,
                day,
                text: trigger.trim_end_matches('.').to_owned(),
                about: None,
                is_sure: false,
                path,
                source: source.map(|(_, source)| source.trim().to_owned()),
            });
        }
        Ok(())
    }

    fn facts_of_entities(&self, noted: &mut Vec<Noted>) -> Result<(), MemoryError> {
        for file in &self.ledger.list()?.files {
            let path = MemoryPath::new(file.path.as_str())?;
            if self.entity_at(&path).is_none() {
                continue;
            }
            let Some(Ok(entity)) = self.ledger.read(&path)?.map(|bytes| Entity::parse(&bytes)) else {
                continue;
            };
            let label = entity.label();
            for fact in entity.facts().iter().filter(|fact| fact.ended().is_none()) {
                noted.extend(of_annotation(
                    Sort::Fact,
                    &fact.text,
                    label.as_deref(),
                    &path,
                    &fact.annotation,
                ));
            }
        }
        Ok(())
    }
}

/// An item that says the day it is from, and is for everybody.
fn of_annotation(
    sort: Sort,
    text: &str,
    about: Option<&str>,
    path: &MemoryPath,
    annotation: &Annotation,
) -> Option<Noted> {
    let day = annotation.date("since").filter(|_| annotation.get(rem_recall::FOR).is_none())?;
    let sure = annotation.get("confidence").and_then(|value| value.parse::<f64>().ok());
    Some(Noted {
        sort,
        day,
        text: text.to_owned(),
        about: about.map(str::to_owned),
        is_sure: sure.is_some_and(|sure| sure >= 0.9),
        path: path.clone(),
        source: annotation.get("source").map(str::to_owned),
    })
}
