//! Entities whose type was a guess, and which a statement shows to be of another: they get it with all they say, links lead to the new file,
//! and the old one stays, archived, with a note of where it went, so that old links and old ids still arrive.
//!
//! Persons stay persons, and so does whatever its own facts show to be what it is.

use std::collections::BTreeMap;

use rem_format::audit::Action;
use rem_format::entity::{Entity, EntityId, EntityType};
use rem_ledger::ChangeSet;
use rem_recall::{Addressees, Index};

use super::incoming::{Authority, Incoming};
use super::reviving::is_out_of_use;
use super::router::{Routing, evident, route};
use crate::error::MemoryError;
use crate::memory::Memory;

/// Entities that get another type: by their old ids the new ones.
pub(crate) type Retyped = BTreeMap<EntityId, EntityId>;

impl Memory {
    /// The change that gives entities the type that a statement shows them to be of.
    pub(crate) fn retyping(
        &self,
        index: Option<&Index>,
        routing: &Routing,
        incoming: &Incoming<'_>,
    ) -> Result<(ChangeSet<'static>, Retyped), MemoryError> {
        let (mut set, mut retyped) = (ChangeSet::new(), Retyped::new());
        // What is for somebody alone changes nothing for others, and what was only noticed may be a mistake.
        let may = incoming.addressees.is_for_all() && incoming.authority != Authority::Noticed;
        let Some(index) = index.filter(|_| may) else { return Ok((set, retyped)) };
        for mention in evident(&routing.summary, &routing.relations) {
            let old = self.entity_of(Some(index), mention.r#type, &mention.name)?;
            let new = EntityId::of(mention.r#type, &mention.name);
            let path = self.entity_file(&old)?;
            let is_other = old.kind() != mention.r#type.as_str() && old.slug() == new.slug();
            if !is_other
                || retyped.contains_key(&old)
                || self.ledger.read(&self.entity_file(&new)?)?.is_some()
            {
                continue;
            }
            let Some(bytes) = self.ledger.read(&path)? else { continue };
            let Ok(entity) = Entity::parse(&bytes) else { continue };
            let is_open = Addressees::of_file(&String::from_utf8_lossy(&bytes)).is_for_all();
            if !is_open || is_out_of_use(entity.page()) || is_shown(&entity, &old, &mention.name) {
                continue;
            }
            set = set.and(self.retype_set(index, bytes, &old, &new)?);
            retyped.insert(old, new);
        }
        Ok((set, retyped))
    }

    fn retype_set(
        &self,
        index: &Index,
        bytes: Vec<u8>,
        old: &EntityId,
        new: &EntityId,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let (old_path, new_path) = (self.entity_file(old)?, self.entity_file(new)?);
        let renamed = {
            let mut entity = Entity::parse(&bytes).map_err(|error| {
                MemoryError::usage(format!("{old_path}: {error}"), "mend the file by hand")
            })?;
            entity.set_header("Type", new.kind());
            let text = String::from_utf8_lossy(&entity.into_bytes()).into_owned();
            text.replacen(&format!("# {old}"), &format!("# {new}"), 1)
        };
        let moved = new.clone();
        let set = ChangeSet::new()
            .edit(new_path.clone(), format!("was {old}"), move |found| {
                Ok(Some(found.map_or_else(|| renamed.clone().into_bytes(), <[u8]>::to_vec)))
            })
            .action(&new_path, Action::Merge)
            .edit(old_path.clone(), format!("is {new} now"), move |found| match found {
                Some(now) if now == bytes => {
                    let mut entity = Entity::parse(now)?;
                    entity.set_header("Status", "archived");
                    entity.set_header("Merged into", moved.to_string());
                    Ok(Some(entity.into_bytes()))
                }
                _ => Err("it changed meanwhile: try again".into()),
            })
            .action(&old_path, Action::Merge);
        self.with_links_led(set, index, (old.as_str(), &old_path), (new.as_str(), &new_path))
    }
}

/// Whether what an entity's own file says shows it to be of the type that it has.
fn is_shown(entity: &Entity, id: &EntityId, name: &str) -> bool {
    let Some(kind) = EntityType::ALL.into_iter().find(|kind| kind.as_str() == id.kind()) else { return true };
    kind == EntityType::Person
        || entity.facts().iter().any(|fact| {
            evident(&fact.text, &route(&fact.text).relations)
                .iter()
                .any(|shown| shown.r#type == kind && shown.name.eq_ignore_ascii_case(name))
        })
}
