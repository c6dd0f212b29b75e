//! Procedures as they are asked for (K4): which there are, and what one says.

use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::procedure::{LEARNED_FROM, NOTES, STEPS, TRIGGER};
use rem_format::slug::slug;
use rem_ledger::Store;
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::Memory;

/// How something is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Procedure {
    /// Its id: `procedure:deploy-the-site`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its file.
    pub path: MemoryPath,
    /// When it is used.
    pub trigger: String,
    /// What is done, in order.
    pub steps: Vec<String>,
    /// What else to mind.
    pub notes: Vec<String>,
    /// Where it was learned.
    pub learned_from: Vec<String>,
    /// The day it was learned, as the file says it.
    pub learned: Option<String>,
    /// The day it was last used, as the file says it.
    pub last_used: Option<String>,
    /// Whether it is out of use.
    pub archived: bool,
}

impl Memory {
    /// Every procedure by title, those out of use last. A file that cannot be read as one is passed over; `verify` names it.
    ///
    /// # Errors
    /// [`MemoryError`] when files cannot be read.
    pub fn procedures(&self) -> Result<Vec<Procedure>, MemoryError> {
        let mut procedures = Vec::new();
        for file in &self.ledger.list()?.files {
            let path = MemoryPath::new(file.path.as_str())?;
            let is_procedure = self.ledger.layout().store_of(&path) == Some(Store::Procedures)
                && path.as_str().ends_with(".md")
                && !path.file_name().starts_with('_');
            if is_procedure && let Some(bytes) = self.ledger.read(&path)? {
                match Page::parse(&bytes) {
                    Ok(page) => procedures.push(read(&path, &page)),
                    Err(error) => tracing::warn!("{path} is passed over: {error}"),
                }
            }
        }
        procedures.sort_by(|one, other| (one.archived, &one.title).cmp(&(other.archived, &other.title)));
        Ok(procedures)
    }

    /// One procedure, by id, by title or by the name of its file.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is none.
    pub fn procedure_show(&self, name: &str) -> Result<Procedure, MemoryError> {
        let wanted = slug(name.trim().trim_start_matches("procedure:"));
        let is_it = |procedure: &Procedure| {
            let stem = procedure.path.file_name().trim_end_matches(".md");
            wanted.is_some() && (slug(stem) == wanted || slug(&procedure.title) == wanted)
        };
        self.procedures()?.into_iter().find(is_it).ok_or_else(|| {
            MemoryError::usage(
                format!("there is no procedure {name:?}"),
                "`rem procedures list` names them; `rem remember --store procedural` adds one",
            )
        })
    }
}

fn read(path: &MemoryPath, page: &Page) -> Procedure {
    let header = page.header();
    let stem = path.file_name().trim_end_matches(".md");
    let items = |section| page.items_in(section).map(|(_, item)| item.plain().to_owned()).collect();
    let word = |key| header.get(key).map(str::to_owned);
    Procedure {
        id: format!("procedure:{stem}"),
        title: page.title().unwrap_or(stem).to_owned(),
        trigger: page.section_text(TRIGGER).unwrap_or_default().to_owned(),
        steps: items(STEPS),
        notes: items(NOTES),
        learned_from: items(LEARNED_FROM),
        learned: word("learned"),
        last_used: word("last used"),
        archived: header.get("status").is_some_and(|status| status.eq_ignore_ascii_case("archived")),
        path: path.clone(),
    }
}
