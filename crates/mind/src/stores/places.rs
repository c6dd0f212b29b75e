//! Where each kind of statement is written: MEMORY.md, the day's episodes, an entity, a procedure, or a page that is one list.

use std::borrow::Borrow;
use std::sync::{Mutex, PoisonError};

use jiff::civil::{Date, DateTime};
use rem_format::annotation::Annotation;
use rem_format::entity::{Entity, EntityId, EntityType};
use rem_format::episode::{self, Certainty, Episode, EpisodeKind, EpisodeSource};
use rem_format::page::{Item, Page, PageError};
use rem_format::path::MemoryPath;
use rem_format::slug;
use rem_ledger::{ChangeSet, LedgerError, Store};
use rem_recall::{Addressees, FOR, Index, NameMatch};

use super::core::{self, Demoted};
use super::edges::{end_edges_of, stated_in};
use super::incoming::{Authority, Incoming, Written, in_place, note, struck};
use super::remember::{Effect, RememberRequest};
use super::reviving::{begun_anew, is_out_of_use};
use super::router::{Kind, Routing};
use crate::error::MemoryError;
use crate::lifecycle::removal::Removal;
use crate::memory::Memory;

/// How often a change is planned anew because somebody else changed a file in between.
const ATTEMPTS: usize = 40;
/// The most entities of the graph that one statement is about.
pub(crate) const MOST_NAMED: usize = 8;
/// Where MEMORY.md and the pages of facts have what was learned.
pub(crate) const LESSONS: &str = "Lessons";
/// Stands for a relation that the vocabulary does not have, which is noted beside it.
const RELATES_TO: &str = "relates-to";

/// The caps of MEMORY.md do not hold after the change.
#[derive(Debug, thiserror::Error)]
#[error("MEMORY.md is full")]
struct Full;

/// Somebody changed the file after it was read.
#[derive(Debug, thiserror::Error)]
#[error("the file changed meanwhile")]
pub(crate) struct Moved;

impl Memory {
    /// MEMORY.md: in the usual case one edit; where a cap would not hold, planned on what is there, with what has to make room.
    pub(crate) fn write_core(
        &self,
        path: &MemoryPath,
        section: &str,
        incoming: &Incoming<'_>,
        request: &RememberRequest,
        written: &Mutex<Option<Written>>,
    ) -> Result<(rem_ledger::Applied, Vec<String>), MemoryError> {
        let settings = &self.config.core;
        match self.apply(self.core_set(path, section, incoming, written), request, &incoming.summary()) {
            Err(error) if is_full(&error) => {}
            other => return other.map(|applied| (applied, Vec::new())),
        }
        let (outcome, applied, demoted) = self.rewrite_core(
            &incoming.summary(),
            incoming.today,
            |page| {
                let outcome = incoming
                    .put(page, section, "core", in_place)
                    .map_err(|error| unreadable(path, &error))?;
                let keep = outcome.id.trim_start_matches("core:").to_owned();
                Ok((outcome, core::make_room(page, settings, &keep, incoming.today)))
            },
            |set| self.apply(set, request, &incoming.summary()),
        )?;
        note(written, outcome);
        Ok((applied, demoted))
    }

    /// Changes MEMORY.md by a plan for what stands there, and puts what the plan took out into its long-term store in the same change.
    /// Gives what the plan gave, the change, and the texts that were taken out. It is planned anew where somebody changes the file
    /// meanwhile.
    pub(crate) fn rewrite_core<T>(
        &self,
        summary: &str,
        today: Date,
        plan: impl Fn(&mut Page) -> Result<(T, Vec<Demoted>), MemoryError>,
        apply: impl Fn(ChangeSet<'_>) -> Result<rem_ledger::Applied, MemoryError>,
    ) -> Result<(T, rem_ledger::Applied, Vec<String>), MemoryError> {
        let path = self.path(Store::Core);
        let archive = self.demoted_page()?;
        for _ in 0..ATTEMPTS {
            let found = self.ledger.read(path)?;
            let before = found.clone().unwrap_or_else(|| b"# Core Memory\n".to_vec());
            let mut page = Page::parse(&before).map_err(|error| unreadable(path, &error))?;
            let (outcome, demoted) = plan(&mut page)?;
            let after = page.into_bytes();
            let mut set = ChangeSet::new().edit(path.clone(), summary, |now| match now == found.as_deref() {
                true if after == before => Ok(now.map(<[u8]>::to_vec)),
                true => Ok(Some(after.clone())),
                false => Err(Box::new(Moved)),
            });
            if !demoted.is_empty() {
                set = set.edit(archive.clone(), "made room in MEMORY.md", |found| {
                    let mut page = Page::parse(
                        found.unwrap_or(b"# From Core Memory\n\nWhat made room in MEMORY.md.\n"),
                    )?;
                    for entry in &demoted {
                        let annotation = entry.annotation.clone().with("demoted", today.to_string());
                        let id = annotation.get("id");
                        let is_it = |item: &Item| {
                            id.is_some() && item.annotation.get("id") == id && item.text == entry.text
                        };
                        // What went there before and came back stands there once.
                        match page.items().iter().position(is_it) {
                            Some(index) => page.set(index, &entry.text, &annotation),
                            None => page.add(&entry.section, &entry.text, &annotation)?,
                        }
                    }
                    Ok(Some(page.into_bytes()))
                });
                let removal = |entry| Removal::of_entry(entry, path, &archive, "made room");
                let removals: Vec<Removal> = demoted.iter().map(removal).collect();
                let head = self.ledger.head()?.unwrap_or_default();
                set = self.with_removals(set, "making room", &head, &removals);
            }
            match apply(set) {
                Err(MemoryError::Ledger(LedgerError::Edit { source, .. })) if source.is::<Moved>() => {}
                other => {
                    let texts = demoted.into_iter().map(|entry| entry.text).collect();
                    return other.map(|applied| (outcome, applied, texts));
                }
            }
        }
        Err(MemoryError::usage("MEMORY.md changes faster than it can be read", "try again in a moment"))
    }

    /// Where what made room in MEMORY.md stands.
    pub(crate) fn demoted_page(&self) -> Result<MemoryPath, MemoryError> {
        Ok(self.ledger.layout().file(Store::Reference, "core-memory.md")?)
    }

    /// What would have to leave MEMORY.md, so that its caps hold.
    pub(crate) fn core_over_caps(&self) -> Result<Vec<String>, MemoryError> {
        let path = self.path(Store::Core);
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let mut page = Page::parse(&bytes).map_err(|error| unreadable(path, &error))?;
        let moved = core::make_room(&mut page, &self.config.core, "", self.today());
        Ok(moved.into_iter().map(|entry| entry.text).collect())
    }

    /// Brings MEMORY.md below its caps; gives what moved to its long-term store.
    pub(crate) fn core_within_caps(
        &self,
        provenance: &rem_ledger::Provenance,
    ) -> Result<Vec<String>, MemoryError> {
        let today = self.today();
        let plan = |page: &mut Page| Ok(((), core::make_room(page, &self.config.core, "", today)));
        let (.., moved) = self.rewrite_core("made room", today, plan, |set| self.change(set, provenance))?;
        Ok(moved)
    }

    /// MEMORY.md with the statement, where there is room for it; a change that fails because it [`is_full`] where there is not.
    pub(crate) fn core_set<'a>(
        &'a self,
        path: &MemoryPath,
        section: &'a str,
        incoming: &'a Incoming<'a>,
        written: &'a Mutex<Option<Written>>,
    ) -> ChangeSet<'a> {
        ChangeSet::new().edit(path.clone(), incoming.summary(), move |found| {
            let mut page = Page::parse(found.unwrap_or(b"# Core Memory\n"))?;
            let outcome = incoming.put(&mut page, section, "core", in_place)?;
            if !core::is_within(&page, &self.config.core) {
                return Err(Box::new(Full));
            }
            note(written, outcome);
            Ok(Some(page.into_bytes()))
        })
    }

    /// The entity that a name in a statement means; nothing where it means nobody in particular.
    fn entity_meant(
        &self,
        index: Option<&Index>,
        routing: &Routing,
        name: &str,
    ) -> Result<Option<(EntityId, String)>, MemoryError> {
        if name.is_empty() || name.eq_ignore_ascii_case("user") {
            return Ok(None);
        }
        let mention = routing.entities.iter().find(|mention| mention.name == name);
        let kind = mention.map_or(EntityType::Concept, |mention| mention.r#type);
        Ok(Some((self.entity_of(index, kind, name)?, name.to_owned())))
    }

    /// The entity that a statement is about, where there is one and the statement can stand in its file.
    pub(crate) fn main_entity(
        &self,
        index: Option<&Index>,
        routing: &Routing,
        incoming: &Incoming<'_>,
    ) -> Result<Option<(EntityId, String)>, MemoryError> {
        let about = routing.relations.first().map(|statement| statement.from.as_str());
        let first = routing.entities.first().map(|mention| mention.name.as_str());
        let about = about.filter(|name| !name.eq_ignore_ascii_case("user"));
        // The graph knows names that the rules do not take for one.
        let subject = index.filter(|_| about.is_none()).and_then(|index| known_subject(index, incoming.text));
        let meant = match (subject, about.or(first)) {
            (Some((name, kind)), _) => Some((self.entity_of(index, kind, &name)?, name)),
            (None, Some(name)) => self.entity_meant(index, routing, name)?,
            (None, None) => None,
        };
        let Some((id, label)) = meant else { return Ok(None) };
        // What a file that is for others alone says would be closed to whom the statement is for.
        let file = self.entity_file(&id)?;
        let bytes = self.ledger.read(&file)?.unwrap_or_default();
        let whole = Addressees::of_file(&String::from_utf8_lossy(&bytes));
        let is_open = whole.is_for_all() || whole == incoming.addressees;
        Ok(is_open.then_some((id, label)))
    }

    /// A statement about one thing and its connections: the entity's file, and stubs for what it names and nobody knows yet.
    pub(crate) fn entity_set<'a>(
        &'a self,
        routing: &Routing,
        incoming: &'a Incoming<'a>,
        written: &'a Mutex<Option<Written>>,
    ) -> Result<(MemoryPath, ChangeSet<'a>, Vec<EntityId>), MemoryError> {
        // Other names are known to the index alone; without one every name is its own.
        let index = self.kept_index();
        let vocabulary = self.vocabulary()?;
        let (retyping, retyped) = self.retyping(index.as_ref(), routing, incoming)?;
        let now = |meant: Option<(EntityId, String)>| {
            meant.map(|(id, name)| (retyped.get(&id).cloned().unwrap_or(id), name))
        };
        let named = |name: &str| self.entity_meant(index.as_ref(), routing, name).map(now);
        let main = self.main_entity(index.as_ref(), routing, incoming).map(now)?;
        let Some((id, label)) = main else {
            let (path, set) = self.fact_set("Facts", incoming, written)?;
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
        let path = self.entity_file(&id)?;
        let forgotten = self.forgotten_file(&path, incoming)?;
        let mut named_here = vec![(id.clone(), label.clone())];
        named_here.extend(stubs.iter().cloned());
        let mut linked = vec![id.clone()];
        linked.extend(stubs.iter().map(|(to, _)| to.clone()));
        // Who asked for it is sure of it; what was read or noticed is less so.
        let certainty = match incoming.authority {
            Authority::Asked => Certainty::High,
            Authority::Agents | Authority::Read => routing.confidence.min(Certainty::Medium),
            Authority::Noticed => Certainty::Low,
        };
        let is_for_all = incoming.addressees.is_for_all();
        let anew = forgotten.clone();
        let mut set = ChangeSet::new().edit(path.clone(), incoming.summary(), move |found| {
            let mut entity = match found {
                Some(bytes) if anew.as_deref() == Some(bytes) => begun_anew(&id, bytes, incoming.today)?,
                Some(bytes) => Entity::parse(bytes)?,
                None => Entity::new(&id, &label, incoming.today),
            };
            if is_for_all && entity.label().is_some_and(|known| known != label) {
                entity.add_alias(&label);
            }
            let outcome = incoming.add_fact(&mut entity, &id)?;
            if outcome.effect == Effect::Nothing {
                note(written, outcome);
                return Ok(found.map(<[u8]>::to_vec));
            }
            let mut denied = Vec::new();
            if let Some(old) = &outcome.replaced {
                end_edges_of(&mut entity, old, &incoming.ending(old));
                if incoming.says_no_to(old) && !incoming.statement.says_instead() {
                    denied = stated_in(old);
                }
            }
            let today = incoming.today.to_string();
            let said = |(relation, _, note): &(String, EntityId, Option<String>)| {
                note.as_ref().unwrap_or(relation).clone()
            };
            for (relation, to, note) in edges.iter().filter(|edge| !denied.contains(&said(edge))) {
                let known = entity.edges().into_iter().find(|edge| {
                    let is_for_same = edge.annotation.get(FOR) == incoming.annotation.get(FOR);
                    edge.ended().is_none()
                        && edge.relation == *relation
                        && edge.to == to.as_str()
                        && is_for_same
                });
                let known = known.map(|edge| edge.annotation);
                let was = known.as_ref().and_then(|known| known.get("confidence"));
                let last = known.as_ref().and_then(|known| known.date("last-accessed"));
                let mut seen = Annotation::new()
                    .with("confidence", said_again(was, certainty).as_str())
                    .with("first-seen", &today)
                    // A clock that went back makes nothing older.
                    .with(
                        "last-accessed",
                        last.map_or(incoming.today, |last| last.max(incoming.today)).to_string(),
                    );
                if let Some(note) = note {
                    seen.set("note", note);
                }
                if let Some(names) = incoming.annotation.get(FOR) {
                    seen.set(FOR, names);
                }
                entity.set_edge(relation, to, &seen)?;
            }
            entity.set_updated(incoming.today)?;
            note(written, outcome);
            Ok(Some(entity.into_bytes()))
        });
        if let Some(old) = forgotten {
            set = self.with_forgotten_kept(set, &linked[0], old)?;
        }
        for (to, name) in stubs {
            let (file, summary) = (self.entity_file(&to)?, format!("named with {path}"));
            set = match self.forgotten_file(&file, incoming)? {
                Some(old) => {
                    let (bytes, id, today) = (old.clone(), to.clone(), incoming.today);
                    let set = set.edit(file, summary, move |found| match found {
                        Some(now) if now == bytes => Ok(Some(begun_anew(&id, now, today)?.into_bytes())),
                        found => Ok(found.map(<[u8]>::to_vec)),
                    });
                    self.with_forgotten_kept(set, &to, old)?
                }
                None => set.create(file, Entity::new(&to, &name, incoming.today).into_bytes(), summary),
            };
        }
        // The list is for everybody: whoever is named to somebody alone stands in it when others name them, too.
        let set = if is_for_all { self.with_people_list(set, &named_here, incoming.today)? } else { set };
        Ok((path, retyping.and(set), linked))
    }

    /// What happened may end what an entity's file says ("moved to Lyon"): the fact is replaced there in the same change. Files that
    /// it contradicts nothing in stay as they are. Gives the entities that it names and there are.
    pub(crate) fn with_outdated_facts<'a>(
        &'a self,
        mut set: ChangeSet<'a>,
        routing: &Routing,
        incoming: &'a Incoming<'a>,
        outdated: &'a Mutex<Option<String>>,
    ) -> Result<(ChangeSet<'a>, Vec<EntityId>), MemoryError> {
        let index = self.kept_index();
        let mut linked = Vec::new();
        let mut named: Vec<EntityId> = Vec::new();
        for mention in &routing.entities {
            named.push(self.entity_of(index.as_ref(), mention.r#type, &mention.name)?);
        }
        // What the rules do not take for a name is one if something in the graph has it.
        let known = index.as_ref().and_then(|index| index.entities_in(incoming.text, MOST_NAMED).ok());
        named.extend(known.unwrap_or_default().iter().filter_map(|node| node.id.parse().ok()));
        if let Some((name, kind)) = index.as_ref().and_then(|index| known_subject(index, incoming.text)) {
            named.push(self.entity_of(index.as_ref(), kind, &name)?);
        }
        named.sort();
        named.dedup();
        for id in named {
            let path = self.entity_file(&id)?;
            let Some(Ok(entity)) = self.ledger.read(&path)?.map(|bytes| Entity::parse(&bytes)) else {
                continue;
            };
            // What was forgotten is said nothing of, and says nothing.
            if is_out_of_use(entity.page()) {
                continue;
            }
            linked.push(id.clone());
            if !incoming.contradicts(&entity) {
                continue;
            }
            set = set.edit(path, incoming.summary(), move |found| {
                let mut entity = Entity::parse(found.unwrap_or_default())?;
                if incoming.contradicts(&entity) {
                    let replaced = incoming.add_fact(&mut entity, &id)?.replaced;
                    if let Some(old) = &replaced {
                        end_edges_of(&mut entity, old, &incoming.ending(old));
                    }
                    entity.set_updated(incoming.today)?;
                    *outdated.lock().unwrap_or_else(PoisonError::into_inner) = replaced;
                }
                Ok(Some(entity.into_bytes()))
            });
        }
        // MEMORY.md is in every context: what it says of what changed ends there, too.
        let core = self.path(Store::Core).clone();
        let page = self.ledger.read(&core)?.and_then(|bytes| Page::parse(&bytes).ok());
        if page.is_some_and(|page| incoming.statement.may_end_another() && incoming.replaces_in(&page)) {
            set = set.edit(core, incoming.summary(), move |found| {
                let mut page = Page::parse(found.unwrap_or_default())?;
                if let Some(index) = incoming.place_replaced_in(&page) {
                    let old = page.items()[index].text.clone();
                    in_place(&mut page, index, incoming)?;
                    *outdated.lock().unwrap_or_else(PoisonError::into_inner) = Some(old);
                }
                Ok(Some(page.into_bytes()))
            });
        }
        Ok((set, linked))
    }
}

/// How sure an edge is that is stated once more: one step surer than before, and as sure as the statement at least.
fn said_again(was: Option<&str>, now: Certainty) -> Certainty {
    match was {
        None => now,
        Some("low") => now.max(Certainty::Medium),
        Some(_) => Certainty::High,
    }
}

/// The entity in use that a statement begins with the name of, as the graph has it, in whatever case: what is said is about it.
fn known_subject(index: &Index, text: &str) -> Option<(String, EntityType)> {
    labelled_subject(index, text)
        .or_else(|| named_subject(index, text))
        .or_else(|| unspaced_subject(index, text))
}

/// In scripts whose names and particles are not set apart: a name of two to four characters, and what goes on after a name.
fn unspaced_subject(index: &Index, text: &str) -> Option<(String, EntityType)> {
    let is_han = |each: char| matches!(u32::from(each), 0x3400..=0x9fff);
    let signs: Vec<char> = text.chars().take(5).collect();
    (2..=signs.len().saturating_sub(1).min(4)).rev().find_map(|count| {
        let (name, next) = (&signs[..count], signs[count]);
        let is_name = name.iter().all(|each| crate::wording::is_hangul(*each))
            && "은는이가을를의도와과랑에".contains(next)
            || name.iter().all(|each| is_han(*each))
                && "不没现已在也是的了和跟，喜讨爱住去到把将会要想用最从对".contains(next);
        if is_name { only_named(index, &name.iter().collect::<String>()) } else { None }
    })
}

/// The one thing in use that goes by a name.
fn only_named(index: &Index, name: &str) -> Option<(String, EntityType)> {
    let named = index.entities_named(name, 3).ok()?;
    let mut meant = named.into_iter().filter(|(node, how)| *how == NameMatch::Name && !node.archived);
    let ((node, _), None) = (meant.next()?, meant.next()) else { return None };
    let kind = node.id.split_once("--").map(|(kind, _)| kind)?;
    let kind = EntityType::ALL.into_iter().find(|each| each.as_str() == kind)?;
    Some((name.to_owned(), kind))
}

/// By another name that it has, of up to four words.
fn named_subject(index: &Index, text: &str) -> Option<(String, EntityType)> {
    let rest = ["the ", "The "].iter().find_map(|article| text.strip_prefix(article)).unwrap_or(text);
    let words: Vec<&str> = rest.split(' ').collect();
    (1..=words.len().min(4)).rev().find_map(|count| {
        let name = words[..count].join(" ");
        let name = name.strip_suffix("'s").unwrap_or(&name).trim_end_matches([',', ':']);
        let is_name = name.chars().next().is_some_and(char::is_uppercase) && name.chars().count() > 1;
        if is_name { only_named(index, name) } else { None }
    })
}

fn labelled_subject(index: &Index, text: &str) -> Option<(String, EntityType)> {
    let node = index.entities_in(text, 1).ok()?.into_iter().next().filter(|node| !node.archived)?;
    let rest = ["the ", "The "].iter().find_map(|article| text.strip_prefix(article)).unwrap_or(text);
    let length = node.label.chars().count();
    let begins: String = rest.chars().take(length).collect();
    let ends = rest.chars().nth(length).is_none_or(|next| !next.is_alphanumeric() && next != '-');
    let kind = node.id.split_once("--").map(|(kind, _)| kind)?;
    let kind = EntityType::ALL.into_iter().find(|each| each.as_str() == kind)?;
    (ends && begins.to_lowercase() == node.label.to_lowercase()).then_some((node.label, kind))
}

/// Whether a change failed because MEMORY.md has no room.
pub(crate) fn is_full(error: &MemoryError) -> bool {
    matches!(error, MemoryError::Ledger(LedgerError::Edit { source, .. }) if source.is::<Full>())
}

/// A page that is one list.
pub(crate) fn list_page<'a>(
    path: &MemoryPath,
    title: impl Into<String>,
    section: &'a str,
    store: &'a str,
    incoming: impl Borrow<Incoming<'a>> + Send + Sync + 'a,
    written: &'a Mutex<Option<Written>>,
) -> ChangeSet<'a> {
    let empty = format!("# {}\n", title.into());
    ChangeSet::new().edit(path.clone(), incoming.borrow().summary(), move |found| {
        let mut page = Page::parse(found.unwrap_or(empty.as_bytes()))?;
        note(written, incoming.borrow().put(&mut page, section, store, struck)?);
        Ok(Some(page.into_bytes()))
    })
}

/// An episode is added, unless the day's file ends in the same.
pub(crate) fn episode_set<'a>(
    path: &MemoryPath,
    entry: &'a Episode,
    date: Date,
    incoming: &'a Incoming<'a>,
    written: &'a Mutex<Option<Written>>,
) -> ChangeSet<'a> {
    let set = ChangeSet::new().edit(path.clone(), incoming.summary(), move |found| {
        let (placed, _) = episode::parse(found.unwrap_or_default());
        let is_same = |known: &Episode| {
            known.text == entry.text && Addressees::of(&known.addressees) == incoming.addressees
        };
        if let Some(known) = placed.iter().rev().find(|known| is_same(&known.episode)) {
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

pub(crate) fn episode_of(routing: &Routing, request: &RememberRequest, now: DateTime) -> Episode {
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
        from: None,
        addressees: request.addressees.clone(),
        text: routing.summary.clone(),
    }
}

pub(crate) fn core_section(kind: Kind, pin: bool) -> &'static str {
    match kind {
        _ if pin => core::CRITICAL,
        Kind::Identity => core::IDENTITY,
        Kind::Preference | Kind::Rule | Kind::Howto => core::PERSONA,
        Kind::Focus | Kind::Event | Kind::Decision => core::ACTIVE,
        Kind::Fact | Kind::Relation | Kind::Pin => core::CRITICAL,
    }
}

pub(crate) fn unreadable(path: &MemoryPath, error: &PageError) -> MemoryError {
    MemoryError::usage(
        format!("{path} cannot be changed: {error}"),
        "mend the file by hand; nothing was written",
    )
}
