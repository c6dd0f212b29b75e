//! Two states of the memory beside each other: which entries one has and the other lacks, by store.

use std::collections::{BTreeMap, BTreeSet};

use rem_format::episode;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{BranchedFile, Store};
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::Memory;

/// An entry on one side or on both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedEntry {
    /// The file.
    pub path: MemoryPath,
    /// What the memory in use says; nothing where the branch gained it.
    pub here: Option<String>,
    /// What the branch says; nothing where it lost it.
    pub branch: Option<String>,
}

/// What a branch does to one store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ComparedStore {
    /// Entries that only the branch has.
    pub gained: usize,
    /// Entries that only the memory in use has.
    pub lost: usize,
    /// Entries from the same words that say something else.
    pub changed: usize,
    /// All of them, by file.
    pub entries: Vec<ComparedEntry>,
}

/// What can be counted of a state of the memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Entries of all stores.
    pub entries: usize,
    /// Entries that say the transcript they are from.
    pub sourced: usize,
    /// Files with entries.
    pub files: usize,
    /// Tokens of MEMORY.md.
    pub core_tokens: usize,
}

/// A branch beside the memory in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The branch.
    pub branch: String,
    /// What it does, by the name of the store; stores in which nothing differs are left out.
    pub stores: BTreeMap<String, ComparedStore>,
    /// The memory in use.
    pub here: Figures,
    /// The branch.
    pub there: Figures,
}

/// An entry: what tells it from others, and its text.
type Entries = BTreeMap<String, String>;

impl Memory {
    /// What a branch does to the entries of each store, beside the memory in use as it is committed.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where there is no such branch, or files cannot be read.
    pub fn branch_compare(&self, name: &str) -> Result<Comparison, MemoryError> {
        let branch = self.ledger.branch(name)?;
        let head = self.ledger.head()?.unwrap_or_default();
        let files = self.ledger.branched_files(&rem_ledger::Branch { base: head, ..branch.clone() })?;
        let transcripts = format!("{}/", self.path(Store::Transcripts));
        let mut stores: BTreeMap<String, ComparedStore> = BTreeMap::new();
        let (mut less, mut more) = (Figures::default(), Figures::default());
        for file in files {
            let BranchedFile { path, base, branch } = file?;
            let Some(store) = self.knowledge_store(&path) else { continue };
            let (here, there) = (entries_of(store, base.as_deref()), entries_of(store, branch.as_deref()));
            less.count(store, base.as_deref(), &here, &transcripts);
            more.count(store, branch.as_deref(), &there, &transcripts);
            let keys: BTreeSet<&String> = here.keys().chain(there.keys()).collect();
            let compared = stores.entry(self.ledger.layout().category(&path).to_owned()).or_default();
            for key in keys {
                let (one, other) = (here.get(key).cloned(), there.get(key).cloned());
                match (&one, &other) {
                    (Some(one), Some(other)) if one == other => continue,
                    (Some(_), Some(_)) => compared.changed += 1,
                    (None, _) => compared.gained += 1,
                    (_, None) => compared.lost += 1,
                }
                compared.entries.push(ComparedEntry { path: path.clone(), here: one, branch: other });
            }
        }
        stores.retain(|_, compared| !compared.entries.is_empty());
        let here = self.figures(&transcripts)?;
        let there = Figures {
            entries: (here.entries + more.entries).saturating_sub(less.entries),
            sourced: (here.sourced + more.sourced).saturating_sub(less.sourced),
            files: (here.files + more.files).saturating_sub(less.files),
            core_tokens: (here.core_tokens + more.core_tokens).saturating_sub(less.core_tokens),
        };
        Ok(Comparison { branch: branch.name, stores, here, there })
    }

    fn figures(&self, transcripts: &str) -> Result<Figures, MemoryError> {
        let mut figures = Figures::default();
        for file in &self.ledger.list()?.files {
            let path = MemoryPath::new(file.path.as_str())?;
            let Some(store) = self.knowledge_store(&path) else { continue };
            let bytes = self.ledger.read(&path)?;
            figures.count(store, bytes.as_deref(), &entries_of(store, bytes.as_deref()), transcripts);
        }
        Ok(figures)
    }

    /// The store of a file whose entries are knowledge.
    fn knowledge_store(&self, path: &MemoryPath) -> Option<Store> {
        let store = self.ledger.layout().store_of(path).filter(|_| path.as_str().ends_with(".md"))?;
        let is_knowledge = matches!(
            store,
            Store::Core
                | Store::Episodes
                | Store::Entities
                | Store::People
                | Store::Procedures
                | Store::Projects
                | Store::Reference
                | Store::Journal
                | Store::Vault
        );
        is_knowledge.then_some(store)
    }
}

impl Figures {
    fn count(&mut self, store: Store, bytes: Option<&[u8]>, entries: &Entries, transcripts: &str) {
        self.entries += entries.len();
        self.sourced += entries.keys().filter(|key| key.starts_with(transcripts)).count();
        self.files += usize::from(!entries.is_empty());
        if let (Store::Core, Some(bytes)) = (store, bytes) {
            self.core_tokens += rem_reason::count_tokens(&String::from_utf8_lossy(bytes));
        }
    }
}

/// The entries of a file. What tells one from the others is where it was said, its id, or else its text.
fn entries_of(store: Store, bytes: Option<&[u8]>) -> Entries {
    let Some(bytes) = bytes else { return Entries::new() };
    if store == Store::Episodes {
        let placed = episode::parse(bytes).0.into_iter().map(|placed| placed.episode);
        return placed.map(|each| (each.from.unwrap_or_else(|| each.text.clone()), each.text)).collect();
    }
    let Ok(page) = Page::parse(bytes) else { return Entries::new() };
    let entry = |item: &rem_format::page::Item| {
        let key = ["source", "id"].into_iter().find_map(|key| item.annotation.get(key));
        let text = item.plain().to_owned();
        // Two entries may be from the same words.
        (key.map_or_else(|| text.clone(), |key| format!("{key} {}", item.section)), text)
    };
    page.items().iter().map(entry).collect()
}
