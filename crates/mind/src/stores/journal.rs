//! The journal (resolution 2): a readable page per day, written by hosts, by people, and line by line through here.
//!
//! Whatever stands on a day's page stays, byte for byte; a line is added below a heading. Must not judge what is worth a line.

use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Store};
use serde::Serialize;

use super::projects::PageShown;
use crate::error::MemoryError;
use crate::memory::Memory;

/// Where a line goes whose topic is not said.
const NOTES: &str = "Notes";

/// A day that has a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JournalDay {
    /// The day.
    pub date: Date,
    /// Its pages: hosts write more than one, as `2026-03-01-standup.md`.
    pub files: Vec<MemoryPath>,
}

/// What is written of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JournalShown {
    /// The day.
    pub date: Date,
    /// Its pages, front matter included.
    pub pages: Vec<PageShown>,
}

/// What adding a line did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JournalChange {
    /// The day's page.
    pub path: MemoryPath,
    /// The change's id; empty where the line was there.
    pub change: String,
}

impl Memory {
    /// The days that have a page, newest first.
    ///
    /// # Errors
    /// [`MemoryError`] when files cannot be read.
    pub fn journal(&self) -> Result<Vec<JournalDay>, MemoryError> {
        let mut days: Vec<JournalDay> = Vec::new();
        for file in &self.ledger.list()?.files {
            let path = MemoryPath::new(file.path.as_str())?;
            let is_page = self.ledger.layout().store_of(&path) == Some(Store::Journal)
                && path.as_str().ends_with(".md");
            let Some(date) = rem_recall::date_of_path(path.as_str()).filter(|_| is_page) else { continue };
            match days.iter_mut().find(|day| day.date == date) {
                Some(day) => day.files.push(path),
                None => days.push(JournalDay { date, files: vec![path] }),
            }
        }
        days.sort_by_key(|day| std::cmp::Reverse(day.date));
        Ok(days)
    }

    /// What is written of a day; today's where none is given.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where that day has no page.
    pub fn journal_show(&self, date: Option<Date>) -> Result<JournalShown, MemoryError> {
        let date = date.unwrap_or_else(|| self.today());
        let files = self.journal()?.into_iter().find(|day| day.date == date).map(|day| day.files);
        let mut pages = Vec::new();
        for path in files.unwrap_or_default() {
            let bytes = self.ledger.read(&path)?.unwrap_or_default();
            pages.push(PageShown { path, text: String::from_utf8_lossy(&bytes).into_owned() });
        }
        if pages.is_empty() {
            return Err(MemoryError::usage(
                format!("nothing is written of {date}"),
                "`rem journal list` names the days, `rem journal add TEXT` writes a line",
            ));
        }
        Ok(JournalShown { date, pages })
    }

    /// Adds a line to today's page, below the heading of its topic, once.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for an empty text or a topic that is no heading, or as [`rem_ledger::Ledger::apply`].
    pub fn journal_add(&self, text: &str, topic: Option<&str>) -> Result<JournalChange, MemoryError> {
        let redactor = self.redactor()?;
        let text = redactor.redact(text.trim()).0.into_owned();
        let topic = redactor.redact(topic.unwrap_or(NOTES).trim()).0.into_owned();
        if text.is_empty() {
            return Err(MemoryError::usage("there is nothing to write", "give the text, or `-` to read it"));
        }
        if topic.is_empty() || topic.contains('\n') || topic.starts_with('#') {
            return Err(MemoryError::usage(
                format!("{topic:?} is no topic"),
                "a topic is the words of a heading, as `ops`",
            ));
        }
        let today = self.today();
        let path = self.ledger.layout().file(Store::Journal, &format!("{today}.md"))?;
        let set = ChangeSet::new()
            .edit(path.clone(), text.clone(), |found| {
                let new = format!("---\ntype: journal\ndate: {today}\n---\n\n# {today}\n");
                let mut page = Page::parse(found.unwrap_or(new.as_bytes()))?;
                if !page.items_in(&topic).any(|(_, item)| item.plain() == text) {
                    page.add(&topic, &text, &Annotation::new())?;
                }
                Ok(Some(page.into_bytes()))
            })
            .action(&path, rem_format::audit::Action::Append);
        let applied = self.change(set, &self.agent_provenance("rem journal add"))?;
        Ok(JournalChange { path, change: applied.change })
    }
}
