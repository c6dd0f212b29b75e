//! `remember`: a statement is taken in, put where it belongs, compared with what is known there, and written.
//!
//! What says the same as something known strengthens it (P8); what contradicts it takes its place, and the old stays readable
//! with its dates. All of it is decided on the contents found under the lock, so processes that remember at once lose nothing
//! and make nothing twice. Must not judge by itself what is worth remembering: the caller or the router does.

use std::sync::{Mutex, PoisonError};

use jiff::civil::DateTime;
use rem_format::annotation::Annotation;
use rem_format::audit::Approval;
use rem_format::entity::EntityId;
use rem_format::episode::{Certainty, EpisodeSource};
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_recall::{Addressees, FOR};
use serde::Serialize;

use super::core::IDENTITY;
use super::incoming::{Authority, Incoming, Written, number, short_id};
use super::places::{core_section, episode_of, episode_set, list_page};
use super::router::signal::{Signal, Signals};
use super::router::{Routing, StoreKind, composed, judge, route};
use super::statement::Statement;
use crate::error::MemoryError;
use crate::memory::Memory;

/// The most characters of one memory: longer texts are documents.
const MOST_CHARACTERS: usize = 8_000;

/// The source of what an agent said for its user.
const RELAYED: &str = "user-explicit through an agent";

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
    /// An agent says it for its user, in words of its own: it is kept as the user's wish, and is nothing that the identity learns from.
    pub relayed: bool,
    /// The session it came up in.
    pub session: Option<String>,
    /// The people or groups it is for alone; nobody named means everybody.
    pub addressees: Vec<String>,
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
    /// There is nothing in it to remember, it is written down already, or it is an echo.
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
    /// Entities that had been forgotten and were begun anew, because it speaks of them.
    pub revived: Vec<EntityId>,
    /// Whether another store than the one it belongs in says the same already, and was strengthened.
    pub elsewhere: bool,
    /// The change's id; empty where nothing changed.
    pub change: String,
    /// Whether it was noticed in talk and is only what the memory had handed out (T10).
    pub echo: bool,
    /// How the statement was taken.
    pub routing: Routing,
}

impl Memory {
    /// Remembers a statement (M8, K7).
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for an empty or a very long text, or for a name that is none, or as [`rem_ledger::Ledger::apply`].
    pub fn remember(&self, request: &RememberRequest) -> Result<RememberOutcome, MemoryError> {
        let text = composed(request.text.trim());
        let (text, _) = self.redactor()?.redact(&text);
        let request = &with_plain_names(request)?;
        self.take_over_forgotten()?;
        let mut routing = self.routed(&text, request)?;
        let store = match (routing.store, request.detected) {
            (None, true) => return Ok(RememberOutcome::nothing(routing)),
            // An agent hands on what was said to it, greetings and questions included; a person means what they ask for.
            (None, false) if (request.relayed || self.named_agent().is_some()) && is_talk(&text) => {
                return Ok(RememberOutcome::nothing(routing));
            }
            // Somebody asked for it: a statement that fits nowhere is a fact.
            (store, _) => store.unwrap_or(StoreKind::Semantic),
        };
        routing.store = Some(store);
        if request.detected && self.is_own_echo(&text, request.session.as_deref())? {
            return Ok(RememberOutcome { echo: true, ..RememberOutcome::nothing(routing) });
        }
        let now = self.now().to_zoned(self.time_zone().clone()).datetime();
        let summary = routing.summary.clone();
        let incoming = self.incoming(&summary, request, now);
        let brief = incoming.summary();
        if !request.detected {
            self.may_say_otherwise(&summary, &incoming.addressees)?;
        }
        if let Some((path, written, applied)) =
            self.strengthened_elsewhere(store, &routing, request, &incoming)?
        {
            self.note_mention(request.session.as_deref(), &written.id);
            return Ok(RememberOutcome {
                id: written.id,
                path: Some(path),
                effect: written.effect,
                elsewhere: true,
                change: applied.change,
                ..RememberOutcome::nothing(routing)
            });
        }
        let (written, begun, outdated) = (Mutex::new(None), Mutex::new(None), Mutex::new(None));
        let mut linked = Vec::new();
        let mut demoted = Vec::new();
        let mut revived = Vec::new();
        let (path, applied) = match store {
            StoreKind::Core => {
                let path = self.path(Store::Core).clone();
                let section = core_section(routing.kind, request.pin);
                let (applied, made_room) = self.write_core(&path, section, &incoming, request, &written)?;
                demoted = made_room;
                let demoted_ended = self.end_demoted(&incoming, request)?;
                let (elsewhere, ended) = self.outdated_elsewhere(&incoming, &path, request)?;
                if !elsewhere.is_empty() {
                    self.apply(elsewhere, request, &brief)?;
                }
                *outdated.lock().unwrap_or_else(PoisonError::into_inner) = demoted_ended.or(ended);
                (path, applied)
            }
            StoreKind::Vault => {
                let path = self.ledger.layout().file(Store::Vault, "pinned.md")?;
                let set = list_page(&path, "Pinned", "Pinned", "vault", &incoming, &written);
                (path, self.apply(set, request, &brief)?)
            }
            StoreKind::Episodic => {
                let path = self.ledger.layout().file(Store::Episodes, &format!("{}.md", now.date()))?;
                let mut entry = episode_of(&routing, request, now);
                if self.named_agent().is_some() {
                    entry.source = Some(EpisodeSource::Conversation);
                }
                let set = episode_set(&path, &entry, now.date(), &incoming, &written);
                let (mut set, entities) = self.with_outdated_facts(set, &routing, &incoming, &outdated)?;
                linked = entities;
                let begins = self.begins_a_tie(&routing, &incoming)?;
                let _names = begins.then(|| self.ledger.lock_private("entity-names.lock")).transpose()?;
                if begins {
                    set = self.with_begun(set, &routing, &incoming, &begun)?;
                }
                let (elsewhere, ended) = self.outdated_elsewhere(&incoming, &path, request)?;
                let applied = self.apply(set.and(elsewhere), request, &brief)?;
                let begun: Option<Written> = begun.lock().unwrap_or_else(PoisonError::into_inner).take();
                let mut first = outdated.lock().unwrap_or_else(PoisonError::into_inner);
                *first = first.take().or(begun.and_then(|begun| begun.replaced)).or(ended);
                drop(first);
                if self.ends_what_core_says(&incoming)? {
                    let (core, known) = (self.path(Store::Core).clone(), Mutex::new(None));
                    demoted = self.write_core(&core, IDENTITY, &incoming, request, &known)?.1;
                    let known: Option<Written> = known.into_inner().unwrap_or_else(PoisonError::into_inner);
                    let mut first = outdated.lock().unwrap_or_else(PoisonError::into_inner);
                    *first = first.take().or(known.and_then(|known| known.replaced));
                }
                (path, applied)
            }
            StoreKind::Procedural => {
                let (path, set) = self.procedure_set(&routing, request, &incoming, &written)?;
                (path, self.apply(set, request, &brief)?)
            }
            StoreKind::Semantic => {
                // Two processes that meet a name at once must not give it two types.
                let _names = self.ledger.lock_private("entity-names.lock")?;
                let (path, set, entities) = self.entity_set(&routing, &incoming, &written)?;
                for id in &entities {
                    if self.forgotten_file(&self.entity_file(id)?, &incoming)?.is_some() {
                        revived.push(id.clone());
                    }
                }
                linked = entities;
                let (elsewhere, ended) = self.outdated_elsewhere(&incoming, &path, request)?;
                *outdated.lock().unwrap_or_else(PoisonError::into_inner) = ended;
                (path, self.apply(set.and(elsewhere), request, &brief)?)
            }
        };
        let written = written.into_inner().unwrap_or_else(PoisonError::into_inner);
        let written =
            written.unwrap_or(Written { id: String::new(), effect: Effect::Nothing, replaced: None });
        if !request.detected && !request.relayed && self.named_agent().is_none() {
            self.outdate_corrections(&summary)?;
        }
        // What is said again, and what an episode is about, has been used (M9.4).
        match written.effect {
            Effect::Merged => self.note_mention(request.session.as_deref(), &written.id),
            Effect::Added if store == StoreKind::Episodic && !linked.is_empty() => {
                let named: Vec<String> = linked.iter().map(|id| format!("entity:{id}")).collect();
                self.note_uses(request.session.as_deref(), named.iter().map(String::as_str));
            }
            _ => {}
        }
        let ends_elsewhere = outdated.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        Ok(RememberOutcome {
            id: written.id,
            path: Some(path),
            effect: match written.effect {
                // What it takes the place of stood in another file.
                Effect::Added if store == StoreKind::Semantic && ends_elsewhere => Effect::Replaced,
                effect => effect,
            },
            replaced: written.replaced.or(outdated.into_inner().unwrap_or_else(PoisonError::into_inner)),
            linked,
            demoted,
            revived,
            elsewhere: false,
            change: applied.change,
            echo: false,
            routing,
        })
    }

    /// Strikes out what made room in MEMORY.md and no longer holds; gives the first of it.
    fn end_demoted(
        &self,
        incoming: &Incoming<'_>,
        request: &RememberRequest,
    ) -> Result<Option<String>, MemoryError> {
        let path = self.demoted_page()?;
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        let Some(old) = Page::parse(&bytes).ok().and_then(|page| incoming.replaced_in(&page)) else {
            return Ok(None);
        };
        let set = ChangeSet::new().edit(path, incoming.summary(), |found| {
            let mut page = Page::parse(found.unwrap_or_default())?;
            while let Some(index) = incoming.place_replaced_in(&page) {
                page.supersede(index, incoming.today, incoming.text);
            }
            Ok(Some(page.into_bytes()))
        });
        self.apply(set, request, &incoming.summary())?;
        Ok(Some(old))
    }

    /// Whether what happened to the user ends something that MEMORY.md says of them: a move, another employer.
    fn ends_what_core_says(&self, incoming: &Incoming<'_>) -> Result<bool, MemoryError> {
        if !incoming.statement.is_of_user() {
            return Ok(false);
        }
        let bytes = self.ledger.read(self.path(Store::Core))?.unwrap_or_default();
        Ok(Page::parse(&bytes).is_ok_and(|page| incoming.replaces_in(&page)))
    }

    fn routed(&self, text: &str, request: &RememberRequest) -> Result<Routing, MemoryError> {
        can_be_kept(text)?;
        let mut routing = match request.store {
            // What it is about is read from its words; nobody is asked where it goes.
            Some(_) => route(text),
            None => self.routing_of(text, !request.detected)?,
        };
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
        let agent = self.named_agent().filter(|_| !request.detected);
        // Who speaks for the user over a protocol was asked by them, as far as anybody can tell.
        let confidence = match request.detected || agent.is_some() && !request.relayed {
            true => settings.inferred,
            false => settings.statement,
        };
        let asked = match (agent, request.relayed) {
            (Some(named), _) => format!("agent {named}"),
            (None, true) => RELAYED.to_owned(),
            (None, false) => "user-explicit".to_owned(),
        };
        let source = match (&request.session, request.detected) {
            (Some(session), true) => format!("session {session}"),
            (Some(session), false) => format!("{asked}, session {session}"),
            (None, true) => "conversation".to_owned(),
            (None, false) => asked,
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
        if !request.addressees.is_empty() {
            annotation.set(FOR, request.addressees.join(", "));
        }
        Incoming {
            text,
            statement: Statement::new(text),
            annotation,
            today: now.date(),
            memory: self,
            source,
            looks_back: false,
            is_dated: false,
            authority: match request.detected {
                true => Authority::Noticed,
                false if agent.is_some() => Authority::Agents,
                false => Authority::Asked,
            },
            addressees: Addressees::of(&request.addressees),
            beside: Vec::new(),
        }
    }

    pub(crate) fn apply(
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
            Provenance::new(self.agent_or(actor), Approval::Auto, format!("{what}: {brief}"));
        if let Some(session) = &request.session {
            provenance = provenance.session(session.clone());
        }
        self.change(set, &provenance)
    }
}

/// Whether a text is a question, a greeting or thanks, and nothing else.
fn is_talk(text: &str) -> bool {
    judge(text).signals.touch(Signals::of(&[Signal::Question, Signal::Chatter]))
}

/// Refuses what no memory can be: nothing, and a document.
pub(crate) fn can_be_kept(text: &str) -> Result<(), MemoryError> {
    if text.is_empty() {
        return Err(MemoryError::usage(
            "there is nothing to remember",
            "give the text, or `-` to read it from standard input",
        ));
    }
    if text.chars().count() > MOST_CHARACTERS {
        let message = format!("a memory has at most {MOST_CHARACTERS} characters");
        return Err(MemoryError::usage(
            &message,
            "put a longer text into a file under the reference folder; it is searched there",
        ));
    }
    Ok(())
}

/// The request with its names one by one, each once and without signs that have a meaning in a heading or a comment.
fn with_plain_names(request: &RememberRequest) -> Result<RememberRequest, MemoryError> {
    let mut names: Vec<String> = Vec::new();
    for name in request.addressees.iter().flat_map(|names| names.split(',')) {
        let is_sign = |each: char| matches!(each, '[' | ']' | '|' | '<' | '>') || each.is_control();
        let plain: String = name.chars().map(|each| if is_sign(each) { ' ' } else { each }).collect();
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        let addressees = Addressees::of(&[&plain]);
        if addressees.is_for_all() {
            // By no means for everybody.
            let message = format!("{name:?} is no name");
            return Err(MemoryError::usage(message, "name the person or the group it is for"));
        }
        if !names.iter().any(|known| Addressees::of(&[known]) == addressees) {
            names.push(plain);
        }
    }
    Ok(RememberRequest { addressees: names, ..request.clone() })
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
            revived: Vec::new(),
            elsewhere: false,
            change: String::new(),
            echo: false,
            routing,
        }
    }
}
