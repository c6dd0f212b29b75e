//! A statement that another store says already (K13): it is strengthened there and not said twice.
//!
//! Looked for where somebody remembers without naming a store, in MEMORY.md, the vault, the facts, and the files of the entities that the
//! statement names; as the files are, under the lock in the end. Episodes and procedures stand for themselves: what happened again
//! is another event. Only what shares nearly all words counts, and a statement that takes the place of something in its own store goes
//! there.

use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use rem_format::entity::{Entity, EntityId, FACTS};
use rem_format::page::{Item, Page};
use rem_format::path::MemoryPath;
use rem_ledger::{Applied, ChangeSet, LedgerError, Store};
use rem_recall::{Addressees, Language, QueryWord, fold, query_words};

use super::incoming::{Incoming, Written, note};
use super::places::MOST_NAMED;
use super::remember::{Effect, RememberRequest};
use super::reviving::is_out_of_use;
use super::router::{Routing, StoreKind, route};
use super::statement::Comparison;
use crate::error::MemoryError;
use crate::memory::Memory;

/// Somebody took it out after it was found.
#[derive(Debug, thiserror::Error)]
#[error("it is not there any more")]
struct Gone;

/// A file that may say it, and what it is.
#[derive(Clone)]
pub(crate) enum Place {
    /// A page whose items have ids that begin with this word.
    Page(MemoryPath, &'static str),
    /// The file of an entity.
    Entity(MemoryPath, EntityId),
}

impl Place {
    pub(crate) fn path(&self) -> &MemoryPath {
        match self {
            Self::Page(path, _) | Self::Entity(path, _) => path,
        }
    }
}

impl Memory {
    /// Strengthens the statement where another store says it already; nothing where none does.
    pub(crate) fn strengthened_elsewhere(
        &self,
        store: StoreKind,
        routing: &Routing,
        request: &RememberRequest,
        incoming: &Incoming<'_>,
    ) -> Result<Option<(MemoryPath, Written, Applied)>, MemoryError> {
        if request.store.is_some() || matches!(store, StoreKind::Episodic | StoreKind::Procedural) {
            return Ok(None);
        }
        while let Some(place) = self.said_elsewhere(store, routing, request, incoming)? {
            let (path, written) = (place.path().clone(), Mutex::new(None));
            match self.apply(strengthening(place, incoming, &written), request, &incoming.summary()) {
                Err(error) if is_gone(&error) => {}
                other => {
                    let applied = other?;
                    let written = written.into_inner().unwrap_or_else(PoisonError::into_inner);
                    return Ok(written.map(|written| (path, written, applied)));
                }
            }
        }
        Ok(None)
    }

    /// The place that says the statement already and is not where it goes; nothing where there is none, or where the file it goes to
    /// has something to do with it.
    pub(crate) fn said_elsewhere(
        &self,
        store: StoreKind,
        routing: &Routing,
        request: &RememberRequest,
        incoming: &Incoming<'_>,
    ) -> Result<Option<Place>, MemoryError> {
        let marks = Marks::of(incoming.text);
        let (home, places) = self.places_of(store, routing, request, incoming)?;
        for place in places.into_iter().filter(|place| *place.path() != home) {
            let Some(bytes) = self.ledger.read(place.path())?.filter(|bytes| marks.may_stand_in(bytes))
            else {
                continue;
            };
            if said_in(&bytes, &place, incoming, &marks).is_some() && !self.is_concerned(&home, incoming)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Where the statement goes, and where it may stand.
    fn places_of(
        &self,
        store: StoreKind,
        routing: &Routing,
        request: &RememberRequest,
        incoming: &Incoming<'_>,
    ) -> Result<(MemoryPath, Vec<Place>), MemoryError> {
        let about = {
            let index = self.kept_index();
            self.main_entity(index.as_ref(), routing, incoming)?.map(|(id, _)| id)
        };
        // A fact that another page of facts says already goes there ([`Self::fact_page_for`]).
        let facts = match (store, &about) {
            (StoreKind::Core | StoreKind::Vault, _) | (_, Some(_)) => {
                self.fact_pages_near(&incoming.statement)?
            }
            (_, None) => Vec::new(),
        };
        let mut places = self.places_in(incoming.text, about.as_ref(), facts)?;
        places.retain(|place| !self.ledger.is_closed(place.path()));
        if request.pin {
            // A fact of an entity cannot be pinned for itself.
            places.retain(|place| matches!(place, Place::Page(..)));
        }
        let home = match (store, about) {
            (StoreKind::Core, _) => self.path(Store::Core).clone(),
            (StoreKind::Vault, _) => self.ledger.layout().file(Store::Vault, "pinned.md")?,
            (_, Some(id)) => self.entity_file(&id)?,
            (_, None) => self.fact_page_for(incoming)?,
        };
        Ok((home, places))
    }

    /// The places in which a statement may stand, or be contradicted: MEMORY.md, the vault, the pages of facts, and the files of the
    /// entities that it names, as the files are: the index is derived, and follows them first.
    pub(crate) fn places_about(&self, text: &str) -> Result<Vec<Place>, MemoryError> {
        let index = match self.refreshed_index(SystemTime::UNIX_EPOCH) {
            Ok(index) => Some(index),
            Err(error) => {
                tracing::debug!(%error, "every entity is looked at: there can be no index");
                None
            }
        };
        let known = index.as_ref().and_then(|index| index.entities_mentioned(text, MOST_NAMED).ok());
        let mut named: Vec<EntityId> = match known {
            Some(known) => known.iter().filter_map(|node| node.id.parse().ok()).collect(),
            None => self.all_entities()?,
        };
        // What it is about goes by the same rules as when it is remembered.
        for mention in route(text).entities.into_iter().take(MOST_NAMED) {
            named.push(self.entity_of(index.as_ref(), mention.r#type, &mention.name)?);
        }
        self.places_among(named, self.fact_pages())
    }

    /// Every entity that has a file.
    fn all_entities(&self) -> Result<Vec<EntityId>, MemoryError> {
        let listing = self.ledger.list()?;
        let paths = listing.files.iter().filter_map(|listed| MemoryPath::new(listed.path.as_str()).ok());
        Ok(paths.filter_map(|path| self.entity_at(&path)).collect())
    }

    fn places_in(
        &self,
        text: &str,
        about: Option<&EntityId>,
        facts: Vec<MemoryPath>,
    ) -> Result<Vec<Place>, MemoryError> {
        let index = self.kept_index();
        let named = index.as_ref().and_then(|index| index.entities_in(text, MOST_NAMED).ok());
        let mut entities: Vec<EntityId> =
            named.unwrap_or_default().iter().filter_map(|node| node.id.parse().ok()).collect();
        entities.extend(about.cloned());
        self.places_among(entities, facts)
    }

    fn places_among(
        &self,
        mut entities: Vec<EntityId>,
        facts: Vec<MemoryPath>,
    ) -> Result<Vec<Place>, MemoryError> {
        let layout = self.ledger.layout();
        let mut places = vec![
            Place::Page(self.path(Store::Core).clone(), "core"),
            Place::Page(layout.file(Store::Vault, "pinned.md")?, "vault"),
            Place::Page(self.demoted_page()?, "core"),
        ];
        places.extend(facts.into_iter().map(|path| Place::Page(path, "fact")));
        entities.sort();
        entities.dedup();
        for id in entities {
            places.push(Place::Entity(self.entity_file(&id)?, id));
        }
        Ok(places)
    }

    /// Whether the file that the statement goes to says the same, or something whose place it takes.
    fn is_concerned(&self, home: &MemoryPath, incoming: &Incoming<'_>) -> Result<bool, MemoryError> {
        let bytes = self.ledger.read(home)?.unwrap_or_default();
        let Ok(page) = Page::parse(&bytes) else { return Ok(true) };
        let stands = page
            .items()
            .iter()
            .filter(|item| item.ended().is_none() && incoming.is_for_same(&item.annotation));
        Ok(stands
            .map(|item| self.statements.with(item.plain(), |known| incoming.statement.compared_to(known)))
            .any(|comparison| comparison != Comparison::Apart))
    }
}

/// The words of a statement, the longest first: most files and lines hold too few of them and need no closer look.
struct Marks(Vec<QueryWord>);

impl Marks {
    fn of(text: &str) -> Self {
        let mut words = query_words(text, &[Language::of(text)]);
        words.sort_by_key(|word| std::cmp::Reverse(word.folded.chars().count()));
        Self(words)
    }

    /// Whether a text, folded as they are, holds nearly all of the words: those that may be missing where the same is said.
    fn stand_in(&self, folded: &str) -> bool {
        let mut may_miss = self.0.len() / 5;
        self.0.iter().all(|word| {
            word.is_in(folded) || {
                let may = may_miss > 0;
                may_miss = may_miss.saturating_sub(1);
                may
            }
        })
    }

    /// Whether a line of a file may say it.
    fn may_stand_in(&self, bytes: &[u8]) -> bool {
        let folded = fold(&String::from_utf8_lossy(bytes));
        !self.0.is_empty() && folded.lines().any(|line| self.stand_in(line))
    }
}

/// The item of a file that says the statement, to the same people; with the page.
fn said_in(bytes: &[u8], place: &Place, incoming: &Incoming<'_>, marks: &Marks) -> Option<(Page, usize)> {
    let whole = Addressees::of_file(&String::from_utf8_lossy(bytes));
    if !whole.is_for_all() && whole != incoming.addressees {
        return None;
    }
    let page = Page::parse(bytes).ok()?;
    let is_entity = matches!(place, Place::Entity(..));
    if is_entity && is_out_of_use(&page) {
        return None;
    }
    let says = |item: &Item| {
        item.ended().is_none()
            && (!is_entity || item.section.eq_ignore_ascii_case(FACTS))
            && incoming.is_for_same(&item.annotation)
            && marks.stand_in(&fold(&item.text))
            && incoming.memory.statements.with(item.plain(), |known| incoming.statement.is_worded_as(known))
    };
    let index = page.items().iter().position(says)?;
    Some((page, index))
}

/// The change that strengthens a statement where it stands; one that [`is_gone`] where it was taken out meanwhile.
pub(crate) fn strengthening<'a>(
    place: Place,
    incoming: &'a Incoming<'a>,
    written: &'a Mutex<Option<Written>>,
) -> ChangeSet<'a> {
    ChangeSet::new().edit(place.path().clone(), incoming.summary(), move |found| {
        strengthened(found, &place, incoming, &Marks::of(incoming.text), written)
    })
}

/// Whether a change failed because what was to be strengthened is not there any more.
pub(crate) fn is_gone(error: &MemoryError) -> bool {
    matches!(error, MemoryError::Ledger(LedgerError::Edit { source, .. }) if source.is::<Gone>())
}

/// The file with what it says of the statement strengthened.
fn strengthened(
    found: Option<&[u8]>,
    place: &Place,
    incoming: &Incoming<'_>,
    marks: &Marks,
    written: &Mutex<Option<Written>>,
) -> Result<Option<Vec<u8>>, Box<dyn std::error::Error + Send + Sync>> {
    let Some((mut page, index)) = said_in(found.unwrap_or_default(), place, incoming, marks) else {
        return Err(Box::new(Gone));
    };
    match place {
        Place::Page(_, prefix) => note(written, incoming.strengthen(&mut page, index, prefix)),
        Place::Entity(_, id) => {
            // The file is the memory: its facts have no ids of their own.
            let item = page.items()[index].clone();
            page.set(index, &item.text, &incoming.strengthened(&item.annotation));
            note(written, Written { id: format!("entity:{id}"), effect: Effect::Merged, replaced: None });
            let mut entity = Entity::parse(&page.into_bytes())?;
            entity.set_updated(incoming.today)?;
            return Ok(Some(entity.into_bytes()));
        }
    }
    Ok(Some(page.into_bytes()))
}
