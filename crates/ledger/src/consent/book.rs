//! approvals.md as it counts: which key is in force, what was signed last of each file, and what is wrong with it.
//!
//! Keys follow each other: the first approval brings one, a later one may bring another if the one before it signs that. What this
//! machine knows of the memory (the user's own state, which no workspace can bring along) has the last word: a workspace in which the key
//! was swapped or approvals were taken out is noticed. Must not write anything.

use std::collections::{BTreeMap, HashSet};

use rem_format::consent::{SignedApproval, approvals};
use rem_format::path::MemoryPath;
use serde::{Deserialize, Serialize};

use super::signing;

/// What this machine knows of a memory's approvals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Known {
    /// The workspace's folder, for a person who reads the file.
    pub(super) workspace: String,
    /// The operator's public key.
    pub(super) key: String,
    /// The id of the memory's first approval.
    pub(super) memory: String,
    /// The id of the last approval that was made here.
    pub(super) last: String,
}

/// The approvals of a memory.
#[derive(Debug, Default)]
pub(crate) struct Book {
    /// The public key in force; nothing where none was ever set up.
    pub(super) key: Option<String>,
    /// The id of the first approval.
    pub(super) memory: Option<String>,
    /// The hash that each file had when it was signed last; nothing for a file that shall not be there.
    pub(super) signed: BTreeMap<MemoryPath, Option<String>>,
    /// The hashes of the versions of a file that were signed and that no later one goes on from: more than one where two clones went on from
    /// one version, each with the operator's signature.
    pub(super) tips: BTreeMap<MemoryPath, Vec<Option<String>>>,
    /// The id of the last approval in the file.
    pub(super) last: String,
    /// How many approvals count.
    pub(super) count: usize,
    /// What is wrong, each for a person.
    pub(super) flaws: Vec<String>,
    /// What is to be known of the approvals and takes nothing from them: this machine knows who replaced the key.
    pub(super) notes: Vec<String>,
}

impl Book {
    /// Reads the file. Every signature is checked if `all` is set; else those alone on which the present state rests.
    pub(super) fn read(bytes: Option<&[u8]>, known: Option<&Known>, all: bool) -> Self {
        let mut book = Self::default();
        let mut entries = Vec::new();
        for entry in approvals(bytes.unwrap_or_default()) {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(error) => book.flaws.push(format!("an approval cannot be read, {error}")),
            }
        }
        // The last entry of each file; only these, and those that bring keys, decide anything.
        let mut last = BTreeMap::new();
        for (number, entry) in entries.iter().enumerate() {
            for file in &entry.statement.files {
                last.insert(file.path.clone(), number);
            }
        }
        let decisive: HashSet<usize> = last.values().copied().collect();
        let mut ids = HashSet::new();
        let mut states: BTreeMap<&MemoryPath, HashSet<&Option<String>>> = BTreeMap::new();
        for (number, entry) in entries.iter().enumerate() {
            let statement = &entry.statement;
            if !ids.insert(statement.id.as_str()) {
                book.flaws.push(format!("approval {} stands there twice", statement.id));
                continue;
            }
            let is_decisive = all || statement.key.is_some() || decisive.contains(&number);
            if is_decisive && !book.accepts(entry, known) {
                continue;
            }
            book.count += 1;
            for file in &statement.files {
                book.signed.insert(file.path.clone(), file.after.clone());
                let known = states.entry(&file.path).or_default();
                let tips = book.tips.entry(file.path.clone()).or_default();
                // What goes on from a version that something else went on from as well takes nothing's place.
                match tips.contains(&file.before) {
                    true => tips.retain(|tip| *tip != file.before),
                    false if known.contains(&file.before) => {}
                    false => tips.clear(),
                }
                if !tips.contains(&file.after) {
                    tips.push(file.after.clone());
                }
                known.extend([&file.before, &file.after]);
            }
        }
        if !all && book.tips.values().any(|tips| tips.len() > 1) {
            // Which versions there are then rests on each of them.
            return Self::read(bytes, known, true);
        }
        book.last = entries.last().map(|entry| entry.statement.id.clone()).unwrap_or_default();
        if let Some(known) = known {
            book.hold_against(known, &ids);
        }
        book
    }

    /// Whether an approval counts; takes over the key that it brings.
    fn accepts(&mut self, entry: &SignedApproval, known: Option<&Known>) -> bool {
        let statement = &entry.statement;
        let is_by = |key: &str| signing::is_signed_by(key, &entry.signed, &entry.signature);
        let Some(in_force) = &self.key else {
            return match &statement.key {
                Some(key) if statement.memory.is_none() && is_by(key) => {
                    (self.key, self.memory) = (Some(key.clone()), Some(statement.id.clone()));
                    true
                }
                _ => {
                    self.flaws.push(format!("approval {} comes before any key", statement.id));
                    false
                }
            };
        };
        if statement.memory != self.memory {
            self.flaws.push(format!("approval {} belongs to another memory", statement.id));
            return false;
        }
        if is_by(in_force) {
            if let Some(key) = &statement.key {
                self.key = Some(key.clone());
            }
            return true;
        }
        match &statement.key {
            // A passphrase was forgotten: the key was replaced without the one before. Who did it on this machine knows; to anybody else it
            // is said for good.
            Some(key) if is_by(key) && known.is_none_or(|known| known.key == *key) => {
                let how = format!(
                    "approval {} of {} replaced the operator's key without a signature of the key before it",
                    statement.id, statement.time
                );
                match known {
                    Some(_) => self.notes.push(format!("{how}; this machine knows the key")),
                    None => self.flaws.push(format!("{how}: ask who did that")),
                }
                self.key = Some(key.clone());
                true
            }
            _ => {
                self.flaws.push(format!("approval {} is not signed with the operator's key", statement.id));
                false
            }
        }
    }

    /// Whether the file says what this machine knows.
    fn hold_against(&mut self, known: &Known, ids: &HashSet<&str>) {
        if self.memory.as_deref() != Some(&known.memory) {
            self.flaws.push("the approvals are not those of the memory that this machine knows".to_owned());
        } else if !ids.contains(known.last.as_str()) {
            self.flaws.push(format!("approval {}, made on this machine, is gone", known.last));
        }
        if self.key.as_ref() != Some(&known.key) {
            if self.key.is_some() {
                self.flaws
                    .push("the operator's key is another than the one that this machine knows".to_owned());
            }
            self.key = Some(known.key.clone());
        }
    }

    /// Whether what it says was signed last cannot be relied on: approvals may be missing, or not be the operator's.
    pub(super) fn is_doubtful(&self) -> bool {
        !self.flaws.is_empty()
    }

    /// Whether these contents are what was signed last of a file, and the book can be relied on.
    pub(super) fn brings_back(&self, path: &MemoryPath, hash: &Option<String>) -> bool {
        !self.is_doubtful() && self.is_signed(path, hash)
    }

    /// Whether these contents are what was signed last of a file, on this side or another.
    pub(crate) fn is_signed(&self, path: &MemoryPath, hash: &Option<String>) -> bool {
        match self.tips.get(path) {
            Some(signed) => signed.contains(hash),
            None => hash.is_none(),
        }
    }

    /// The versions of a file that were signed last, where there is more than one.
    pub(super) fn several(&self, path: &MemoryPath) -> Option<&[Option<String>]> {
        self.tips.get(path).map(Vec::as_slice).filter(|tips| tips.len() > 1)
    }
}
