//! What a week or a month told already, one fingerprint a line in `memory/meta/told/NAME.txt`: what a person changed, took out or let go
//! of there is not written again.
//!
//! A thing is known by where it was said first, or by its words where nothing says that.

use std::collections::BTreeSet;

use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Store};

use super::noted::Noted;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::incoming::undated;

/// The folder of the lists, below the memory's own files.
const FOLDER: &str = "told";

/// What tells a thing from others.
pub(in crate::lifecycle) fn key_of(source: Option<&str>, text: &str) -> String {
    let first = source.and_then(|source| source.split(", ").next()).filter(|source| source.contains(".md:"));
    let hash = blake3::hash(first.unwrap_or_else(|| undated(text)).as_bytes()).to_hex();
    hash.as_str()[..24].to_owned()
}

impl Noted {
    fn key(&self) -> String {
        key_of(self.source.as_deref(), &self.text)
    }
}

impl Memory {
    /// Leaves what was not told under a name yet.
    pub(super) fn untold(&self, name: &str, noted: &mut Vec<Noted>) -> Result<(), MemoryError> {
        let list = self.ledger.read(&self.told_list(name)?)?.unwrap_or_default();
        let list = String::from_utf8_lossy(&list);
        let told: BTreeSet<&str> = list.lines().collect();
        noted.retain(|each| !told.contains(each.key().as_str()));
        Ok(())
    }

    /// The change that takes note of what is told.
    pub(super) fn noted_as_told<'a>(
        &self,
        set: ChangeSet<'a>,
        name: &str,
        noted: &[Noted],
    ) -> Result<ChangeSet<'a>, MemoryError> {
        if noted.is_empty() {
            return Ok(set);
        }
        let keys: Vec<String> = noted.iter().map(Noted::key).collect();
        Ok(set.edit(self.told_list(name)?, format!("what {name} told"), move |found| {
            let text = String::from_utf8_lossy(found.unwrap_or_default()).into_owned();
            let mut lines: BTreeSet<&str> = text.lines().collect();
            lines.extend(keys.iter().map(String::as_str));
            Ok(Some(lines.into_iter().flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()))
        }))
    }

    /// The list of what was told under a name.
    pub(in crate::lifecycle) fn told_list(&self, name: &str) -> Result<MemoryPath, MemoryError> {
        Ok(self.ledger.layout().file(Store::Meta, &format!("{FOLDER}/{name}.txt"))?)
    }
}
