//! `remember`: a statement is taken in, put where it belongs, compared with what is known there, and written.
//!
//! What says the same as something known strengthens it (P8); what contradicts it takes its place, and the old stays readable
//! with its dates. All of it is decided on the contents found under the lock, so processes that remember at once lose nothing
//! and make nothing twice. Must not judge by itself what is worth remembering: the caller or the router does.

use std::sync::{Mutex, PoisonError};

use jiff::civil::{Date, DateTime};
use rem_format::annotation::Annotation;
use rem_format::audit::{Actor, Approval};
use rem_format::entity::{Entity, EntityId, EntityType};
use rem_format::episode::{self, Certainty, Episode, EpisodeKind, EpisodeSource};
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::{procedure, slug};
use rem_ledger::{ChangeSet, LedgerError, Provenance, Store};
use serde::Serialize;

use super::confidence::mentioned_again;
use super::core;
use super::router::{Kind, Routing, StoreKind, route};
use super::statement::{Comparison, Statement};
use crate::error::MemoryError;
use crate::memory::Memory;

/// The most characters of one memory: longer texts are documents.
const MOST_CHARACTERS: usize = 8_000;
/// How often a change is planned anew because somebody else changed a file in between.
const ATTEMPTS: usize = 40;
/// Stands for a relation that the vocabulary does not have, which is noted beside it.
const RELATES_TO: &str = "relates-to";

/// What is to be remembered.
#[derive(Debug, Clone, Default)]
pub struct RememberRequest {
    /// The statement.
    pub text: String,
    /// Where it goes; the router decides where none is given.
    pub store: Option<StoreKind>,
    /// What it is about, besides what the text itself says.
    pub tags: Vec<String>,
    /// Never to fade, and never to make room.
    pub pin: bool,
    /// Noticed in talk rather than asked for: it may be nothing, and is held less sure.
    pub detected: bool,
    /// The session it came up in.
    pub session: Option<String>,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// It is new.
    Added,
    /// It was known, and is surer now.
    Merged,
    /// It takes the place of what was known.
    Replaced,
    /// There is nothing in it to remember, or it is written down already.
    Nothing,
}

/// What `remember` did.
#[derive(Debug, Clone, Serialize)]
pub struct RememberOutcome {
    /// The memory's id; empty where nothing was written.
    pub id: String,
    /// Its file.
    pub path: Option<MemoryPath>,
    /// What became of it.
    pub effect: Effect,
    /// What it took the place of.
    pub replaced: Option<String>,
    /// The entities it is linked with.
    pub linked: Vec<EntityId>,
    /// Entries of MEMORY.md that made room, now in their long-term store.
    pub demoted: Vec<String>,
    /// The change's id; empty where nothing changed.
    pub change: String,
    /// How the statement was taken.
    pub routing: Routing,
}

/// What was found out while the file was edited.
#[derive(Debug, Clone)]
struct Written {
    id: String,
    effect: Effect,
    replaced: Option<String>,
}

/// The caps of MEMORY.md do not hold after the change.
#[derive(Debug, thiserror::Error)]
#[error("MEMORY.md is full")]
struct Full;

/// Somebody changed the file after it was read.
#[derive(Debug, thiserror::Error)]
#[error("the file changed meanwhile")]
struct Moved;

/// One statement on its way into a file.
struct Incoming<'a> {
    text: &'a str,
    statement: Statement,
    annotation: Annotation,
    today: Date,
    memory: &'a Memory,
    source: String,
}

impl Memory {
    /// Remembers a statement (M8, K7).
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for an empty or a very long text, or as [`rem_ledger::Ledger::apply`].
    pub fn remember(&self, request: &RememberRequest) -> Result<RememberOutcome, MemoryError> {
        let (text, _) = self.redactor()?.redact(request.text.trim());
        let mut routing = self.routed(&text, request)?;
        let store = match (routing.store, request.detected) {
            (None, true) => return Ok(RememberOutcome::nothing(routing)),
            // Somebody asked for it: a statement that fits nowhere is a fact.
            (store, _) => store.unwrap_or(StoreKind::Semantic),
        };
        routing.store = Some(store);
        let now = self.now().to_zoned(self.time_zone().clone()).datetime();
        let summary = routing.summary.clone();
        let incoming = self.incoming(&summary, request, now);
        let written = Mutex::new(None);
        let mut linked = Vec::new();
        let mut demoted = Vec::new();
        let (path, applied) = match store {
            StoreKind::Core => {
                let path = self.path(Store::Core).clone();
                let section = core_section(routing.kind, request.pin);
                let (applied, made_room) = self.write_core(&path, section, &incoming, request, &written)?;
                demoted = made_room;
                (path, applied)
            }
            StoreKind::Vault => {
                let path = self.ledger.layout().file(Store::Vault, "pinned.md")?;
                let set =
                    list_page(ChangeSet::new(), &path, "Pinned", "Pinned", "vault", &incoming, &written);
                (path, self.apply(set, request, &summary)?)
            }
            StoreKind::Episodic => {
                let path = self.ledger.layout().file(Store::Episodes, &format!("{}.md", now.date()))?;
                let entry = episode_of(&routing, request, now);
                (
                    path.clone(),
                    self.apply(
                        episode_set(&path, &entry, now.date(), &incoming, &written),
                        request,
                        &summary,
                    )?,
                )
            }
            StoreKind::Procedural => {
                let (path, set) = self.procedure_set(&routing, request, &incoming, &written)?;
                (path, self.apply(set, request, &summary)?)
            }
            StoreKind::Semantic => {
                // Two processes that meet a name at once must not give it two types.
                let _names = self.ledger.lock_private("entity-names.lock")?;
                let (path, set, entities) = self.entity_set(&routing, &incoming, &written)?;
                linked = entities;
                (path, self.apply(set, request, &summary)?)
            }
        };
        let written = written.into_inner().unwrap_or_else(PoisonError::into_inner);
        let written =
            written.unwrap_or(Written { id: String::new(), effect: Effect::Nothing, replaced: None });
        Ok(RememberOutcome {
            id: written.id,
            path: Some(path),
            effect: written.effect,
            replaced: written.replaced,
            linked,
            demoted,
            change: applied.change,
            routing,
        })
    }

    fn routed(&self, text: &str, request: &RememberRequest) -> Result<Routing, MemoryError> {
        if text.is_empty() {
            return Err(usage(
                "there is nothing to remember",
                "give the text, or `-` to read it from standard input",
            ));
        }
        if text.chars().count() > MOST_CHARACTERS {
            let message = format!("a memory has at most {MOST_CHARACTERS} characters");
            return Err(usage(
                &message,
                "put a longer text into a file under the reference folder; it is searched there",
            ));
        }
        let mut routing = route(text);
        routing.store = request.store.or(routing.store);
        if request.pin && request.store.is_none() && routing.store != Some(StoreKind::Core) {
            routing.store = Some(StoreKind::Vault);
        }
        for tag in &request.tags {
            if !routing.tags.contains(tag) {
                routing.tags.push(tag.clone());
            }
        }
        if !request.detected {
            routing.confidence = Certainty::High;
        }
        Ok(routing)
    }

    fn incoming<'a>(&'a self, text: &'a str, request: &RememberRequest, now: DateTime) -> Incoming<'a> {
        let settings = &self.config.confidence;
        let confidence = if request.detected { settings.inferred } else { settings.statement };
        let source = match (&request.session, request.detected) {
            (Some(session), _) => format!("session {session}"),
            (None, true) => "conversation".to_owned(),
            (None, false) => "user-explicit".to_owned(),
        };
        let mut annotation = Annotation::new()
            .with("id", short_id(text, now))
            .with("since", now.date().to_string())
            .with("confidence", number(confidence))
            .with("mentions", "1")
            .with("source", &source);
        if !request.tags.is_empty() {
            annotation.set("tags", request.tags.join(", "));
        }
        if request.pin {
            annotation.set("pinned", "yes");
        }
        Incoming {
            text,
            statement: Statement::new(text),
            annotation,
            today: now.date(),
            memory: self,
            source,
        }
    }

    fn apply(
        &self,
        set: ChangeSet<'_>,
        request: &RememberRequest,
        summary: &str,
    ) -> Result<rem_ledger::Applied, MemoryError> {
        let (actor, what) = match request.detected {
            true => ("auto-detect", "noticed"),
            false => ("trigger-remember", "asked to remember"),
        };
        let brief: String = summary.chars().take(100).collect();
        let mut provenance =
            Provenance::new(Actor::Bot(actor.to_owned()), Approval::Auto, format!("{what}: {brief}"));
        if let Some(session) = &request.session {
            provenance = provenance.session(session.clone());
        }
        Ok(self.ledger.apply(&set, &provenance)?)
    }

    /// MEMORY.md: in the usual case one edit; where a cap would not hold, planned on what is there, with what has to make room.
    fn write_core(
        &self,
        path: &MemoryPath,
        section: &str,
        incoming: &Incoming<'_>,
        request: &RememberRequest,
        written: &Mutex<Option<Written>>,
    ) -> Result<(rem_ledger::Applied, Vec<String>), MemoryError> {
        let settings = &self.config.core;
        let set = ChangeSet::new().edit(path.clone(), summary_of(incoming.text), |found| {
            let mut page = Page::parse(found.unwrap_or(b"# Core Memory\n"))?;
            let outcome = incoming.put(&mut page, section, "core", in_place)?;
            if !core::is_within(&page, settings) {
                return Err(Box::new(Full));
            }
            note(written, outcome);
            Ok(Some(page.into_bytes()))
        });
        match self.apply(set, request, incoming.text) {
            Err(MemoryError::Ledger(LedgerError::Edit { source, .. })) if source.is::<Full>() => {}
            other => return other.map(|applied| (applied, Vec::new())),
        }
        let archive = self.ledger.layout().file(Store::Reference, "core-memory.md")?;
        for _ in 0..ATTEMPTS {
            let before = self.ledger.read(path)?.unwrap_or_else(|| b"# Core Memory\n".to_vec());
            let mut page = Page::parse(&before).map_err(|error| unreadable(path, &error))?;
            let outcome = incoming
                .put(&mut page, section, "core", in_place)
                .map_err(|error| unreadable(path, &error))?;
            let keep = outcome.id.trim_start_matches("core:").to_owned();
            let demoted = core::make_room(&mut page, settings, &keep, incoming.today);
            let after = page.into_bytes();
            let set = ChangeSet::new()
                .edit(path.clone(), summary_of(incoming.text), |found| {
                    match found.unwrap_or_default() == before {
                        true => Ok(Some(after.clone())),
                        false => Err(Box::new(Moved)),
                    }
                })
                .edit(archive.clone(), "made room in MEMORY.md", |found| {
                    let mut page = Page::parse(
                        found.unwrap_or(b"# From Core Memory\n\nWhat made room in MEMORY.md.\n"),
                    )?;
                    for entry in &demoted {
                        let annotation = entry.annotation.clone().with("demoted", incoming.today.to_string());
                        page.add(&entry.section, &entry.text, &annotation)?;
                    }
                    Ok(Some(page.into_bytes()))
                });
            match self.apply(set, request, incoming.text) {
                Err(MemoryError::Ledger(LedgerError::Edit { source, .. })) if source.is::<Moved>() => {}
                other => {
                    note(written, outcome);
                    return other
                        .map(|applied| (applied, demoted.into_iter().map(|entry| entry.text).collect()));
                }
            }
        }
        Err(usage("MEMORY.md changes faster than it can be read", "try again in a moment"))
    }

    /// A statement about one thing and its connections: the entity's file, and stubs for what it names and nobody knows yet.
    fn entity_set<'a>(
        &'a self,
        routing: &Routing,
        incoming: &'a Incoming<'a>,
        written: &'a Mutex<Option<Written>>,
    ) -> Result<(MemoryPath, ChangeSet<'a>, Vec<EntityId>), MemoryError> {
        // Other names are known to the index alone; without one every name is its own.
        let index = self.open_index().ok();
        let vocabulary = self.vocabulary()?;
        let named = |name: &str| -> Result<Option<(EntityId, String)>, MemoryError> {
            if name.is_empty() || name.eq_ignore_ascii_case("user") {
                return Ok(None);
            }
            let kind = routing
                .entities
                .iter()
                .find(|mention| mention.name == name)
                .map_or(EntityType::Concept, |mention| mention.r#type);
            Ok(Some((self.entity_of(index.as_ref(), kind, name)?, name.to_owned())))
        };
        let about = routing.relations.first().map(|statement| statement.from.as_str());
        let first = routing.entities.first().map(|mention| mention.name.as_str());
        let main = match about.filter(|name| !name.eq_ignore_ascii_case("user")).or(first) {
            Some(name) => named(name)?,
            None => None,
        };
        let Some((id, label)) = main else {
            let path = self.ledger.layout().file(Store::Reference, "facts.md")?;
            let set = list_page(ChangeSet::new(), &path, "Facts", "Facts", "fact", incoming, written);
            return Ok((path, set, Vec::new()));
        };
        let mut edges: Vec<(String, EntityId, Option<String>)> = Vec::new();
        let mut stubs: Vec<(EntityId, String)> = Vec::new();
        for statement in &routing.relations {
            if statement.from != label {
                continue;
            }
            if let Some((to, name)) = named(&statement.to)?.filter(|(to, _)| *to != id) {
                let said = slug::slug(&statement.relation).unwrap_or_else(|| RELATES_TO.to_owned());
                match vocabulary.contains(&said) {
                    true => edges.push((said, to.clone(), None)),
                    false => edges.push((RELATES_TO.to_owned(), to.clone(), Some(said))),
                }
                stubs.push((to, name));
            }
        }
        stubs.sort();
        stubs.dedup_by(|one, other| one.0 == other.0);
        let file = |id: &EntityId| self.ledger.layout().file(Store::Entities, &id.file_name());
        let path = file(&id)?;
        let mut linked = vec![id.clone()];
        linked.extend(stubs.iter().map(|(to, _)| to.clone()));
        // Who said it may be sure of it; the rules that read it are not.
        let certainty = routing.confidence.min(Certainty::Medium);
        let mut set = ChangeSet::new().edit(path.clone(), summary_of(incoming.text), move |found| {
            let mut entity = match found {
                Some(bytes) => Entity::parse(bytes)?,
                None => Entity::new(&id, &label, incoming.today),
            };
            if entity.label().is_some_and(|known| known != label) {
                entity.add_alias(&label);
            }
            let outcome = incoming.add_fact(&mut entity, &id)?;
            let today = incoming.today.to_string();
            for (relation, to, note) in &edges {
                let mut seen = Annotation::new()
                    .with("confidence", certainty.as_str())
                    .with("first-seen", &today)
                    .with("last-accessed", &today);
                if let Some(note) = note {
                    seen.set("note", note);
                }
                if outcome.effect == Effect::Replaced {
                    entity.end_other_edges(relation, to, incoming.today);
                }
                entity.set_edge(relation, to, &seen)?;
            }
            entity.set_header("Last updated", &today);
            note(written, outcome);
            Ok(Some(entity.into_bytes()))
        });
        for (to, name) in stubs {
            let contents = Entity::new(&to, &name, incoming.today).into_bytes();
            set = set.create(file(&to)?, contents, format!("named with {path}"));
        }
        Ok((path, set, linked))
    }

    fn procedure_set<'a>(
        &'a self,
        routing: &Routing,
        request: &RememberRequest,
        incoming: &'a Incoming<'a>,
        written: &'a Mutex<Option<Written>>,
    ) -> Result<(MemoryPath, ChangeSet<'a>), MemoryError> {
        let (title, trigger, steps) = steps_of(&routing.summary);
        let name = slug::slug(&title)
            .unwrap_or_else(|| format!("procedure-{}", short_id(&title, DateTime::default())));
        let path = self.ledger.layout().file(Store::Procedures, &format!("{name}.md"))?;
        let learned = format!("{} — {}", incoming.today, incoming.source);
        let pin = request.pin;
        let set = ChangeSet::new().edit(path.clone(), summary_of(incoming.text), move |found| {
            let id = format!("procedure:{name}");
            let Some(bytes) = found else {
                let mut page = Page::parse(
                    procedure::new_page(&name, &trigger, &steps, &learned, incoming.today).as_bytes(),
                )?;
                if pin {
                    page.set_header("Pinned", "yes");
                }
                note(written, Written { id, effect: Effect::Added, replaced: None });
                return Ok(Some(page.into_bytes()));
            };
            let mut page = Page::parse(bytes)?;
            let known = page
                .items()
                .iter()
                .any(|item| steps.iter().any(|step| step == item.plain()) || item.plain() == incoming.text);
            if known {
                page.set_header("Last used", incoming.today.to_string());
                note(written, Written { id, effect: Effect::Merged, replaced: None });
            } else {
                procedure::refine(&mut page, incoming.text, &learned, incoming.today)?;
                note(written, Written { id, effect: Effect::Added, replaced: None });
            }
            Ok(Some(page.into_bytes()))
        });
        Ok((path, set))
    }
}

impl RememberOutcome {
    fn nothing(routing: Routing) -> Self {
        Self {
            id: String::new(),
            path: None,
            effect: Effect::Nothing,
            replaced: None,
            linked: Vec::new(),
            demoted: Vec::new(),
            change: String::new(),
            routing,
        }
    }
}

/// How an item of a page is replaced: in its own line, or struck through with the new one after it.
type Replace = fn(&mut Page, usize, &Incoming<'_>) -> Result<(), rem_format::page::PageError>;

impl Incoming<'_> {
    /// Puts the statement into a page: strengthens what says the same, replaces what it contradicts, else adds it.
    fn put(
        &self,
        page: &mut Page,
        section: &str,
        store: &str,
        replace: Replace,
    ) -> Result<Written, rem_format::page::PageError> {
        let known = page.items().iter().enumerate().filter(|(_, item)| item.ended().is_none());
        let compared: Vec<(usize, Comparison)> = known
            .map(|(index, item)| (index, self.statement.compared_to(&Statement::new(&item.text))))
            .filter(|(_, comparison)| *comparison != Comparison::Apart)
            .collect();
        let id_of = |page: &Page, index: usize| {
            page.items().get(index).and_then(|item| item.annotation.get("id")).unwrap_or_default().to_owned()
        };
        if let Some((index, _)) = compared.iter().find(|(_, comparison)| *comparison == Comparison::Same) {
            let item = page.items()[*index].clone();
            let mut annotation = self.strengthened(&item.annotation);
            if annotation.get("id").is_none() {
                annotation.set("id", self.annotation.get("id").unwrap_or_default());
            }
            page.set(*index, &item.text, &annotation);
            return Ok(Written {
                id: format!("{store}:{}", id_of(page, *index)),
                effect: Effect::Merged,
                replaced: None,
            });
        }
        if let Some((index, _)) = compared.first() {
            let old = page.items()[*index].text.clone();
            replace(page, *index, self)?;
            let id = self.annotation.get("id").unwrap_or_default();
            return Ok(Written {
                id: format!("{store}:{id}"),
                effect: Effect::Replaced,
                replaced: Some(old),
            });
        }
        let annotation = self.with_own_id(page);
        page.add(section, self.text, &annotation)?;
        let id = annotation.get("id").unwrap_or_default();
        Ok(Written { id: format!("{store}:{id}"), effect: Effect::Added, replaced: None })
    }

    /// The annotation with an id that no other item of the page has.
    fn with_own_id(&self, page: &Page) -> Annotation {
        let mut annotation = self.annotation.clone();
        let wanted = annotation.get("id").unwrap_or_default().to_owned();
        let is_taken = |id: &str| page.items().iter().any(|item| item.annotation.get("id") == Some(id));
        let id = std::iter::once(wanted.clone())
            .chain((2..).map(|number| format!("{wanted}{number}")))
            .find(|id| !is_taken(id))
            .unwrap_or(wanted);
        annotation.set("id", id);
        annotation
    }

    /// What is known of a memory after this mention of it (P8): surer, once more mentioned, both sources kept.
    fn strengthened(&self, known: &Annotation) -> Annotation {
        let settings = &self.memory.config.confidence;
        let today = self.today;
        let parsed = |key: &str| known.get(key).and_then(|value| value.parse::<f64>().ok());
        let last = known.date("last").or(known.date("since")).unwrap_or(today);
        let stored = parsed("confidence").unwrap_or(settings.statement);
        let mentions = known.get("mentions").and_then(|mentions| mentions.parse::<u32>().ok()).unwrap_or(1);
        let mut annotation = known.clone();
        annotation.set("confidence", number(mentioned_again(stored, last, today, settings)));
        annotation.set("mentions", mentions.saturating_add(1).to_string());
        annotation.set("last", today.to_string());
        let source = self.annotation.get("source").unwrap_or_default();
        match known.get("source") {
            Some(sources) if sources.split(", ").any(|known| known == source) => {}
            Some(sources) => annotation.set("source", format!("{sources}, {source}")),
            None => annotation.set("source", source),
        }
        if self.annotation.get("pinned").is_some() {
            annotation.set("pinned", "yes");
        }
        annotation
    }

    fn add_fact(&self, entity: &mut Entity, id: &EntityId) -> Result<Written, rem_format::page::PageError> {
        let mut annotation = self.annotation.clone();
        // The file is the memory: its facts have no ids of their own.
        annotation.remove("id");
        let id = format!("entity:{id}");
        let facts: Vec<_> = entity.facts().into_iter().filter(|fact| fact.ended().is_none()).collect();
        let compare =
            |fact: &rem_format::entity::Fact| self.statement.compared_to(&Statement::new(&fact.text));
        if let Some(fact) = facts.iter().find(|fact| compare(fact) == Comparison::Same) {
            entity.annotate_fact(fact, &self.strengthened(&fact.annotation));
            return Ok(Written { id, effect: Effect::Merged, replaced: None });
        }
        let old = facts.into_iter().find(|fact| compare(fact) == Comparison::Replaces);
        if let Some(fact) = &old {
            entity.supersede_fact(fact, self.today, self.text);
            entity.add_to_timeline(self.today, &format!("{} (before: {})", self.text, fact.text))?;
        }
        entity.add_fact(self.text, &annotation)?;
        let effect = if old.is_some() { Effect::Replaced } else { Effect::Added };
        Ok(Written { id, effect, replaced: old.map(|fact| fact.text) })
    }
}

/// Replaces an entry of MEMORY.md in its own line, since every line there costs the agent's context; what was true before stands
/// in the comment.
fn in_place(
    page: &mut Page,
    index: usize,
    incoming: &Incoming<'_>,
) -> Result<(), rem_format::page::PageError> {
    let old = page.items()[index].clone();
    let since = old.annotation.get("since").unwrap_or("?").to_owned();
    let mut annotation = incoming.with_own_id(page);
    annotation.set("was", format!("{} ({since} to {})", old.text, incoming.today));
    if core::is_pinned(&old) {
        annotation.set("pinned", "yes");
    }
    page.set(index, incoming.text, &annotation);
    Ok(())
}

/// Strikes the old item through and adds the new one after it.
fn struck(page: &mut Page, index: usize, incoming: &Incoming<'_>) -> Result<(), rem_format::page::PageError> {
    let section = page.items()[index].section.clone();
    page.supersede(index, incoming.today, incoming.text);
    let annotation = incoming.with_own_id(page);
    page.add(&section, incoming.text, &annotation)
}

/// A page that is one list.
fn list_page<'a>(
    set: ChangeSet<'a>,
    path: &MemoryPath,
    title: &'a str,
    section: &'a str,
    store: &'a str,
    incoming: &'a Incoming<'a>,
    written: &'a Mutex<Option<Written>>,
) -> ChangeSet<'a> {
    set.edit(path.clone(), summary_of(incoming.text), move |found| {
        let empty = format!("# {title}\n");
        let mut page = Page::parse(found.unwrap_or(empty.as_bytes()))?;
        note(written, incoming.put(&mut page, section, store, struck)?);
        Ok(Some(page.into_bytes()))
    })
}

/// An episode is added, unless the day's file ends in the same.
fn episode_set<'a>(
    path: &MemoryPath,
    entry: &'a Episode,
    date: Date,
    incoming: &'a Incoming<'a>,
    written: &'a Mutex<Option<Written>>,
) -> ChangeSet<'a> {
    let set = ChangeSet::new().edit(path.clone(), summary_of(incoming.text), move |found| {
        let (placed, _) = episode::parse(found.unwrap_or_default());
        if let Some(known) = placed.iter().rev().find(|known| known.episode.text == entry.text) {
            let id = episode::episode_id(date, known.episode.time, known.number);
            note(written, Written { id, effect: Effect::Nothing, replaced: None });
            return Ok(found.map(<[u8]>::to_vec));
        }
        let number = 1 + placed.iter().filter(|known| known.episode.time == entry.time).count();
        let id = episode::episode_id(date, entry.time, number);
        note(written, Written { id, effect: Effect::Added, replaced: None });
        Ok(Some(episode::append(found, date, entry)))
    });
    set.action(path, rem_format::audit::Action::Append)
}

fn episode_of(routing: &Routing, request: &RememberRequest, now: DateTime) -> Episode {
    Episode {
        time: jiff::civil::time(now.hour(), now.minute(), 0, 0),
        kind: match routing.kind {
            Kind::Decision => EpisodeKind::Decision,
            Kind::Preference | Kind::Rule => EpisodeKind::Preference,
            Kind::Fact | Kind::Relation | Kind::Identity | Kind::Pin => EpisodeKind::Fact,
            Kind::Focus | Kind::Howto => EpisodeKind::Task,
            Kind::Event => EpisodeKind::Event,
        },
        confidence: routing.confidence,
        tags: routing.tags.clone(),
        source: Some(if request.detected {
            EpisodeSource::Conversation
        } else {
            EpisodeSource::UserExplicit
        }),
        text: routing.summary.clone(),
    }
}

fn core_section(kind: Kind, pin: bool) -> &'static str {
    match kind {
        _ if pin => core::CRITICAL,
        Kind::Identity => core::IDENTITY,
        Kind::Preference | Kind::Rule | Kind::Howto => core::PERSONA,
        Kind::Focus | Kind::Event | Kind::Decision => core::ACTIVE,
        Kind::Fact | Kind::Relation | Kind::Pin => core::CRITICAL,
    }
}

/// A how-to taken apart: what it is called, when it is used, its steps.
fn steps_of(text: &str) -> (String, String, Vec<String>) {
    let (head, rest) = match text.split_once([':', '：']) {
        Some((head, rest)) if head.chars().count() <= 80 && !rest.trim().is_empty() => {
            (head.trim(), rest.trim())
        }
        _ => match text.split_once(", ") {
            Some((head, rest)) if head.chars().count() <= 60 => (head.trim(), rest.trim()),
            _ => (text.trim(), text.trim()),
        },
    };
    let mut steps = vec![rest.to_owned()];
    for separator in [
        "\n",
        "; ",
        " → ",
        " -> ",
        ", then ",
        ". Then ",
        " and then ",
        ", dann ",
        " und dann ",
        "，然后",
        "그 다음",
        "그다음",
    ] {
        steps = steps.iter().flat_map(|step| step.split(separator)).map(str::to_owned).collect();
    }
    let tidy = |step: &String| {
        let step = step.trim().trim_start_matches(|each: char| {
            each.is_ascii_digit() || matches!(each, '.' | ')' | '-' | '*' | ' ')
        });
        step.trim_end_matches(['.', ',', ';']).trim().to_owned()
    };
    let steps: Vec<String> = steps.iter().map(tidy).filter(|step| !step.is_empty()).collect();
    let words: Vec<&str> = head.split_whitespace().take(8).collect();
    (words.join(" "), format!("{head}."), steps)
}

/// Six signs that tell an entry from the others of its page.
fn short_id(text: &str, now: DateTime) -> String {
    const SIGNS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let hash = blake3::hash(format!("{now}\n{text}").as_bytes());
    hash.as_bytes().iter().take(6).map(|byte| char::from(SIGNS[usize::from(byte % 32)])).collect()
}

fn number(value: f64) -> String {
    format!("{:.2}", value)
}

fn summary_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn note(written: &Mutex<Option<Written>>, outcome: Written) {
    *written.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
}

fn usage(message: &str, hint: &str) -> MemoryError {
    MemoryError::Usage { message: message.to_owned(), hint: hint.to_owned() }
}

fn unreadable(path: &MemoryPath, error: &rem_format::page::PageError) -> MemoryError {
    usage(&format!("{path} cannot be changed: {error}"), "mend the file by hand; nothing was written")
}
