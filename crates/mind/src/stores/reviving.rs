//! What was forgotten and is spoken of again.
//!
//! A forgotten entity keeps its file, out of use. Told of again, it is begun anew at the same place, with its name and nothing else:
//! what was forgotten stays forgotten, in a file of the archive that says it word for word. Must not bring back what was
//! only said before the forgetting.

use jiff::civil::Date;
use rem_format::entity::{Entity, EntityId};
use rem_format::page::{Page, PageError};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Store};

use super::incoming::Incoming;
use crate::error::MemoryError;
use crate::memory::Memory;

impl Memory {
    /// The contents of a file that was forgotten before this was said; nothing where it is in use, or leads to another.
    pub(crate) fn forgotten_file(
        &self,
        path: &MemoryPath,
        incoming: &Incoming<'_>,
    ) -> Result<Option<Vec<u8>>, MemoryError> {
        let Some(bytes) = self.ledger.read(path)? else { return Ok(None) };
        let Ok(page) = Page::parse(&bytes) else { return Ok(None) };
        let header = page.header();
        // What an old conversation says was said before it was forgotten.
        let is_before =
            incoming.looks_back && header.date("archived").is_none_or(|day| incoming.today <= day);
        let is_forgotten = is_out_of_use(&page) && header.get("merged into").is_none() && !is_before;
        Ok(is_forgotten.then_some(bytes))
    }

    /// Keeps what a forgotten entity's file said in the archive, whole.
    pub(crate) fn with_forgotten_kept<'a>(
        &self,
        set: ChangeSet<'a>,
        id: &EntityId,
        old: Vec<u8>,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let mut number = 1;
        let path = loop {
            let again = if number == 1 { String::new() } else { format!("-{number}") };
            let path = self.ledger.layout().file(Store::Archive, &format!("forgotten-{id}{again}.md"))?;
            if self.ledger.read(&path)?.is_none_or(|there| there == old) {
                break path;
            }
            number += 1;
        };
        Ok(set.edit(path, format!("what was forgotten of {id}"), move |found| match found {
            Some(there) if there != old => Err("it was changed meanwhile: try again".into()),
            _ => Ok(Some(old.clone())),
        }))
    }
}

/// Whether a page says that it is out of use.
pub(crate) fn is_out_of_use(page: &Page) -> bool {
    page.header().get("status").is_some_and(|status| status.eq_ignore_ascii_case("archived"))
}

/// An entity that knows nothing but the name it had.
pub(crate) fn begun_anew(id: &EntityId, old: &[u8], today: Date) -> Result<Entity, PageError> {
    let label = Entity::parse(old)?.label();
    Ok(Entity::new(id, label.as_deref().unwrap_or(id.slug()), today))
}
