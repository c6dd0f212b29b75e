//! What a statement ends that stands in other files than the one it goes to: "the team lead is now Ada" goes to Ada's file, and that Bob is
//! stands in Bob's.
//!
//! Only where it says something of what has one value at a time (`claims`), or that something is not so any more (`statement::turned`). What is looked at is what a search for its words finds; each
//! file is compared as it is found under the lock. The old stays readable, with the day and what took its place.

use std::collections::BTreeSet;

use rem_format::entity::Entity;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Store};
use rem_recall::{Addressees, Mode, Query};

use super::edges::end_edges_of;
use super::incoming::{Incoming, Replace, in_place, struck, struck_out};
use super::remember::RememberRequest;
use super::reviving::is_out_of_use;
use crate::error::MemoryError;
use crate::memory::Memory;

/// So many results of a search are looked at.
const FOUND: usize = 24;

impl Memory {
    /// The change that ends what a statement contradicts in other files than `home`; with what it ends first. Where the statement itself
    /// is kept as something that happened, what it says stands beside what it ended.
    pub(crate) fn outdated_elsewhere<'a>(
        &'a self,
        incoming: &'a Incoming<'a>,
        home: &MemoryPath,
        request: &RememberRequest,
    ) -> Result<(ChangeSet<'a>, Option<String>), MemoryError> {
        // Who says where it goes means that place alone.
        if !incoming.statement.may_end_another() || request.store.is_some() {
            return Ok((ChangeSet::new(), None));
        }
        let mut paths = self.pages_of_claims(incoming)?;
        paths.extend(self.entities_of_claims(incoming)?);
        self.outdated_in(paths, incoming, home)
    }

    /// The same for MEMORY.md, what made room in it and the pages of facts alone, which need no search: many conversations are mined at once.
    pub(crate) fn outdated_on_pages<'a>(
        &'a self,
        incoming: &'a Incoming<'a>,
        home: &MemoryPath,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        if !incoming.statement.may_end_another() {
            return Ok(ChangeSet::new());
        }
        Ok(self.outdated_in(self.pages_of_claims(incoming)?, incoming, home)?.0)
    }

    fn outdated_in<'a>(
        &'a self,
        paths: BTreeSet<MemoryPath>,
        incoming: &'a Incoming<'a>,
        home: &MemoryPath,
    ) -> Result<(ChangeSet<'a>, Option<String>), MemoryError> {
        let (mut set, mut ended) = (ChangeSet::new(), None);
        let has_happened = self.ledger.layout().store_of(home) == Some(Store::Episodes);
        for path in paths.into_iter().filter(|path| path != home) {
            let Some(bytes) = self.ledger.read(&path)? else { continue };
            let whole = Addressees::of_file(&String::from_utf8_lossy(&bytes));
            if self.ledger.is_closed(&path) || !whole.is_for_all() && whole != incoming.addressees {
                continue;
            }
            if let Some(id) = self.entity_at(&path) {
                let Ok(entity) = Entity::parse(&bytes) else { continue };
                let Some(old) = incoming.replaced_of(&entity).filter(|_| !is_out_of_use(entity.page()))
                else {
                    continue;
                };
                ended = ended.or(Some(old));
                set = set.edit(path, incoming.summary(), move |found| {
                    let mut entity = Entity::parse(found.unwrap_or_default())?;
                    if has_happened && incoming.contradicts(&entity) {
                        if let Some(old) = incoming.add_fact(&mut entity, &id)?.replaced {
                            end_edges_of(&mut entity, &old, &incoming.ending(&old));
                        }
                        entity.set_updated(incoming.today)?;
                    }
                    while let Some(old) = incoming.end_fact(&mut entity)? {
                        end_edges_of(&mut entity, &old, &incoming.ending(&old));
                        entity.set_updated(incoming.today)?;
                    }
                    Ok(Some(entity.into_bytes()))
                });
                continue;
            }
            let Ok(page) = Page::parse(&bytes) else { continue };
            let Some(old) = incoming.replaced_in(&page) else { continue };
            ended = ended.or(Some(old));
            // What is always in a context is told in its own line.
            let replace: Replace = match has_happened {
                _ if path == *self.path(Store::Core) => in_place,
                true => struck,
                false => struck_out,
            };
            set = set.edit(path, incoming.summary(), move |found| {
                let mut page = Page::parse(found.unwrap_or_default())?;
                while let Some(index) = incoming.place_replaced_in(&page) {
                    replace(&mut page, index, incoming)?;
                }
                Ok(Some(page.into_bytes()))
            });
        }
        Ok((set, ended))
    }

    /// The pages that may say another value: MEMORY.md, what made room in it, and the pages of facts.
    fn pages_of_claims(&self, incoming: &Incoming<'_>) -> Result<BTreeSet<MemoryPath>, MemoryError> {
        let mut paths = BTreeSet::from([self.path(Store::Core).clone(), self.demoted_page()?]);
        paths.extend(self.fact_pages_near(&incoming.statement)?);
        Ok(paths)
    }

    /// The files of entities that may, as a search finds them.
    fn entities_of_claims(&self, incoming: &Incoming<'_>) -> Result<BTreeSet<MemoryPath>, MemoryError> {
        let mut paths = BTreeSet::new();
        let query = Query {
            text: incoming.text.to_owned(),
            mode: Mode::Keyword,
            limit: FOUND,
            min_score: 0.0,
            ..Query::default()
        };
        let index = self.present_index();
        let found = index.as_ref().and_then(|index| index.search(&query, None).ok());
        for hit in found.iter().flat_map(|answer| &answer.results) {
            let path = MemoryPath::new(hit.path.as_str())?;
            if self.entity_at(&path).is_some() {
                paths.insert(path);
            }
        }
        Ok(paths)
    }
}
