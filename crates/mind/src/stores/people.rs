//! People (K6, resolution 20): a person is an entity; the list of them is a page that a person can read and add to.
//!
//! `people/_index.md` gets a line with each new entity of type person, in the same change. Where the layout keeps persons in `people/`, a
//! page there is the entity, and what a person wrote in it is shown with what the graph says; other pages below `people/` are shown
//! beside the entity of that name. Must not change a line that is there.

use std::time::SystemTime;

use jiff::civil::Date;
use rem_format::document::{Document, Value};
use rem_format::entity::{Entity, EntityId, EntityType};
use rem_format::link::{self, Form};
use rem_format::listing::Listing;
use rem_format::path::MemoryPath;
use rem_format::slug::slug;
use rem_ledger::{ChangeSet, Store};
use rem_recall::{Asking, SearchError, is_archived, name_key};
use serde::Serialize;

use super::graph::EntityShown;
use super::projects::PageShown;
use crate::error::MemoryError;
use crate::memory::Memory;

/// The list of people.
const INDEX: &str = "_index.md";
/// Its `type` and its title.
const INDEX_KIND: (&str, &str) = ("people_index", "People");
/// A list that is longer, in bytes, gets no new lines: every new person would write all of it again. `people` reads the
/// entities, so nobody is missing there.
const INDEX_BYTES: usize = 64 << 10;

/// Somebody the memory knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The entity, where there is one.
    pub id: Option<EntityId>,
    /// The files that are about this person: the entity's, and a page below `people/`.
    pub files: Vec<MemoryPath>,
}

/// Somebody, with what is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PersonShown {
    /// What the knowledge graph says.
    pub entity: Option<EntityShown>,
    /// Pages that were written about this person.
    pub pages: Vec<PageShown>,
}

impl Memory {
    /// Everybody the memory knows, by name: entities of type person that are in use, and pages below `people/`; on behalf of those who
    /// ask, of whom nothing is for others alone.
    ///
    /// # Errors
    /// [`MemoryError::Search`] where there can be no index.
    pub fn people(&self, asking: &Asking, observed_at: SystemTime) -> Result<Vec<Person>, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let asking = &index.resolved(asking).map_err(SearchError::from)?;
        let mut people: Vec<Person> = Vec::new();
        for node in index.entities().map_err(SearchError::from)? {
            let Ok(id) = node.id.parse::<EntityId>() else { continue };
            let is_somebody = !node.archived && id.kind() == EntityType::Person.as_str();
            if is_somebody && self.is_known_to(asking, &index, &node)? {
                people.push(Person {
                    name: node.label,
                    files: vec![MemoryPath::new(node.path)?],
                    id: Some(id),
                });
            }
        }
        for (path, name) in self.people_pages(asking, |path| self.may_know_of(asking, &index, path))? {
            let is_entity = self.entity_at(&path).is_some();
            if is_entity && people.iter().any(|person| person.files.contains(&path)) {
                continue;
            }
            let known = people.iter_mut().find(|person| {
                slug(&person.name) == slug(&name)
                    || person.id.as_ref().is_some_and(|id| id.slug() == stem(&path))
            });
            match known {
                Some(person) => person.files.push(path),
                // Somebody who was forgotten, unless the graph cannot read the page.
                None if is_entity && is_archived(&self.ledger.read(&path)?.unwrap_or_default()) => {}
                None => people.push(Person { name, id: None, files: vec![path] }),
            }
        }
        people.sort_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
        Ok(people)
    }

    /// What is known of somebody, by name, by another name or by id; on behalf of those who ask, what is for others alone is left out.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where nobody that they may know of has that name, [`MemoryError::Search`] where there can be no index.
    pub fn person_show(
        &self,
        asking: &Asking,
        name: &str,
        observed_at: SystemTime,
    ) -> Result<PersonShown, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let asking = &index.resolved(asking).map_err(SearchError::from)?;
        let entity = match self.graph_show_to(asking, name, None, 1, observed_at) {
            Ok(shown) => Some(shown).filter(|shown| shown.entity.id.starts_with("person--")),
            Err(MemoryError::Usage { .. }) => None,
            Err(error) => return Err(error),
        };
        let mut names = vec![name.to_owned()];
        names.extend(entity.iter().flat_map(|shown| {
            std::iter::once(&shown.entity.label).chain(&shown.aliases).cloned().collect::<Vec<_>>()
        }));
        let names: Vec<Option<String>> = names.iter().map(|name| slug(name)).collect();
        let mut pages = Vec::new();
        for (path, page_name) in self.people_pages(asking, |path| self.may_know_of(asking, &index, path))? {
            if names.contains(&slug(&page_name)) || names.contains(&slug(stem(&path))) {
                let bytes = self.seen_by(asking, path.as_str())?;
                let is_entity = entity.iter().any(|shown| shown.entity.path == path.as_str());
                let text = match Entity::parse(&bytes) {
                    Ok(entity) if is_entity => entity.prose(),
                    _ => Document::parse(&bytes).body_text().trim().to_owned(),
                };
                if !text.is_empty() || !is_entity {
                    pages.push(PageShown { path, text });
                }
            }
        }
        if entity.is_none() && pages.is_empty() {
            return Err(MemoryError::usage(
                format!("nobody is called {name:?}"),
                "`rem people list` names everybody; `rem remember` makes somebody known",
            ));
        }
        Ok(PersonShown { entity, pages })
    }

    /// Adds lines for those of these entities that are persons and not in the list yet.
    pub(crate) fn with_people_list<'a>(
        &self,
        mut set: ChangeSet<'a>,
        entities: &[(EntityId, String)],
        today: Date,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let path = self.ledger.layout().file(Store::People, INDEX)?;
        let somebody = entities.iter().filter(|(id, _)| id.kind() == EntityType::Person.as_str());
        let mut people: Vec<(EntityId, String, Vec<String>)> =
            somebody.map(|(id, name)| (id.clone(), name.clone(), self.ways_to(id))).collect();
        if people.is_empty() {
            return Ok(set);
        }
        // Most often they are known: looked at here, so that the list is not locked for nothing.
        let found = self.ledger.read(&path)?;
        let text = String::from_utf8_lossy(found.as_deref().unwrap_or_default()).into_owned();
        people.retain(|(_, _, ways)| !is_linked(&text, ways));
        if people.is_empty() || text.len() > INDEX_BYTES {
            return Ok(set);
        }
        set = set.edit(path, "people", move |found| {
            // A list that cannot be read is no reason not to remember somebody.
            let Ok(mut list) = Listing::parse(found, INDEX_KIND.0, INDEX_KIND.1) else {
                return Ok(found.map(<[u8]>::to_vec));
            };
            let text = String::from_utf8_lossy(found.unwrap_or_default());
            let mut is_longer = false;
            for (id, name, _) in people.iter().filter(|(_, _, ways)| !is_linked(&text, ways)) {
                is_longer |= list.add(&name.replace("**", ""), &format!("[[{id}]]")).is_ok();
            }
            match list.into_bytes(today) {
                Ok(bytes) if is_longer => Ok(Some(bytes)),
                _ => Ok(found.map(<[u8]>::to_vec)),
            }
        });
        Ok(set)
    }

    /// Takes the lines out that we wrote for these entities, where nothing else stands in them.
    pub(crate) fn without_in_people_list<'a>(
        &self,
        set: ChangeSet<'a>,
        gone: Vec<EntityId>,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let path = self.ledger.layout().file(Store::People, INDEX)?;
        let found = self.ledger.read(&path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&found).into_owned();
        if !gone.iter().any(|id| is_linked(&text, &self.ways_to(id))) {
            return Ok(set);
        }
        let today = self.today();
        Ok(set.edit(path, "people", move |found| {
            let mut list = Listing::parse(found, INDEX_KIND.0, INDEX_KIND.1)?;
            for id in &gone {
                let ours = format!("[[{id}]]");
                while let Some(line) = list.lines().into_iter().find(|line| line.description == ours) {
                    list.remove(&line);
                }
            }
            Ok(Some(list.into_bytes(today)?))
        }))
    }

    /// The list after a person became part of another: the line that we wrote for the one goes, the other has one, and whatever a person
    /// wrote stays and leads to the other.
    pub(crate) fn with_merged_in_people_list<'a>(
        &self,
        set: ChangeSet<'a>,
        gone: EntityId,
        kept: EntityId,
        name: String,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let path = self.ledger.layout().file(Store::People, INDEX)?;
        let found = self.ledger.read(&path)?.unwrap_or_default();
        let (ways_to_gone, ways_to_kept) = (self.ways_to(&gone), self.ways_to(&kept));
        if !is_linked(&String::from_utf8_lossy(&found), &ways_to_gone) {
            return Ok(set);
        }
        let today = self.today();
        Ok(set.edit(path, "people", move |found| {
            let led = |bytes: &[u8]| {
                link::relinked(bytes, |form, target| {
                    (form == Form::Wiki && ways_to_gone.contains(&link::key(target)))
                        .then(|| kept.to_string())
                })
            };
            // A list that cannot be read has its links led on all the same.
            let Ok(mut list) = Listing::parse(found, INDEX_KIND.0, INDEX_KIND.1) else {
                return Ok(found.map(led));
            };
            let ours = format!("[[{gone}]]");
            while let Some(line) = list.lines().into_iter().find(|line| line.description == ours) {
                list.remove(&line);
            }
            let left = led(&list.into_bytes(today)?);
            if is_linked(&String::from_utf8_lossy(&left), &ways_to_kept)
                || kept.kind() != EntityType::Person.as_str()
            {
                return Ok(Some(left));
            }
            let mut list = Listing::parse(Some(&left), INDEX_KIND.0, INDEX_KIND.1)?;
            list.add(&name.replace("**", ""), &format!("[[{kept}]]"))?;
            Ok(Some(list.into_bytes(today)?))
        }))
    }

    /// How links to an entity are written, as [`link::key`] has them: by its id, and by path and name of each file that may be its own.
    fn ways_to(&self, id: &EntityId) -> Vec<String> {
        let places = self.ledger.layout().entity_places(id).unwrap_or_default();
        let files = places.iter().flat_map(|place| [place.as_str(), place.file_name()]);
        std::iter::once(id.as_str()).chain(files).map(link::key).collect()
    }

    /// The person whose page below `people/` is the one with this name.
    pub(crate) fn person_of_page(&self, name: &str) -> Result<Option<EntityId>, MemoryError> {
        let mut named = self.people_pages(&Asking::default(), |_| Ok(true))?;
        named.retain(|(path, known)| name_key(known) == name_key(name) && self.entity_at(path).is_some());
        Ok(named[..].as_array::<1>().and_then(|[(path, _)]| self.entity_at(path)))
    }

    /// The pages below `people/` that those who ask may know of, with the name each is about.
    fn people_pages(
        &self,
        asking: &Asking,
        may_know_of: impl Fn(&MemoryPath) -> Result<bool, MemoryError>,
    ) -> Result<Vec<(MemoryPath, String)>, MemoryError> {
        let mut pages = Vec::new();
        for file in &self.ledger.list()?.files {
            let path = MemoryPath::new(file.path.as_str())?;
            let is_page = self.ledger.layout().store_of(&path) == Some(Store::People)
                && path.as_str().ends_with(".md")
                && !path.file_name().starts_with('_');
            if !is_page || !may_know_of(&path)? {
                continue;
            }
            let bytes = self.seen_by(asking, path.as_str())?;
            let document = Document::parse(&bytes);
            let named = match document.get("name") {
                Ok(Some(Value::Text(name))) => Some(name),
                _ => None,
            };
            let title = || {
                document
                    .sections()
                    .into_iter()
                    .find(|section| section.level == 1)
                    .map(|section| section.title)
            };
            let name = named.or_else(title).unwrap_or_else(|| stem(&path).replace('-', " "));
            pages.push((path, name));
        }
        Ok(pages)
    }
}

/// Whether a text links to somebody, written in one of these ways.
fn is_linked(text: &str, ways: &[String]) -> bool {
    link::targets(text).any(|target| ways.contains(&link::key(target)))
}

fn stem(path: &MemoryPath) -> &str {
    path.file_name().trim_end_matches(".md")
}
