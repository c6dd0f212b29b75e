//! Where a proposal goes (M13.3), and the change that puts it there: the stores' own operations, as `remember` uses them.

use std::sync::{Mutex, PoisonError};

use jiff::civil::DateTime;
use rem_format::annotation::Annotation;
use rem_format::entity::{EntityId, EntityType};
use rem_format::episode::{Certainty, Episode, EpisodeSource};
use rem_format::path::MemoryPath;
use rem_format::proposal::Proposal;
use rem_ledger::{ChangeSet, Store};
use rem_recall::Addressees;

use super::deciding::Reviewer;
use super::proposals::agent_of;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::RememberRequest;
use crate::stores::elsewhere::strengthening;
use crate::stores::incoming::{Authority, Incoming, Written, number, short_id};
use crate::stores::places::{core_section, episode_of, episode_set, list_page};
use crate::stores::router::{Mention, Routing, StoreKind, route};
use crate::stores::statement::Statement;

/// Where a proposal goes, and as what.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) store: StoreKind,
    /// Whether the store was chosen by whoever decides: then what another store says is left alone.
    pub(super) is_chosen: bool,
    /// Whether the proposal itself names the store.
    pub(super) is_suggested: bool,
    pub(super) text: String,
    pub(super) routing: Routing,
    /// The proposals that it contradicts and is kept beside (M13.6).
    pub(super) beside: Vec<Proposal>,
}

impl Target {
    /// Where it goes: what was chosen, MEMORY.md for what should always be in sight, what is suggested, else what its words say.
    pub(super) fn of(proposal: &Proposal, chosen: Option<StoreKind>, text: Option<&str>) -> Self {
        let text = text.unwrap_or(&proposal.content).to_owned();
        let mut routing = route(&text);
        let word = proposal.store.trim().to_lowercase();
        let suggested = StoreKind::ALL.into_iter().find(|store| store.as_str() == word);
        let core = proposal.core_worthy.then_some(StoreKind::Core);
        let store = chosen.or(core).or(suggested).or(routing.store).unwrap_or(StoreKind::Semantic);
        routing.store = Some(store);
        routing.confidence = proposal.confidence.unwrap_or(Certainty::Medium);
        routing.summary.clone_from(&text);
        for tag in &proposal.tags {
            if !routing.tags.contains(tag) {
                routing.tags.push(tag.clone());
            }
        }
        if routing.entities.is_empty() {
            let mention = |id: &EntityId| Mention {
                name: id.slug().replace('-', " "),
                r#type: EntityType::ALL
                    .into_iter()
                    .find(|kind| kind.as_str() == id.kind())
                    .unwrap_or(EntityType::Concept),
            };
            let ids = proposal.entities.iter().filter_map(|id| id.parse::<EntityId>().ok());
            routing.entities.extend(ids.filter(|id| id.kind() != "procedure").map(|id| mention(&id)));
        }
        let is_suggested = core.or(suggested).is_some();
        Self { store, is_chosen: chosen.is_some(), is_suggested, text, routing, beside: Vec::new() }
    }

    /// Kept beside those that it contradicts: nobody is sure of either.
    pub(super) fn beside(mut self, others: Vec<Proposal>) -> Self {
        self.routing.confidence = Certainty::Low;
        self.beside = others;
        self
    }
}

/// A proposal on its way into a store, and what the change finds out about it.
pub(super) struct Note<'a> {
    target: &'a Target,
    pub(super) incoming: Incoming<'a>,
    episode: Episode,
    request: RememberRequest,
    now: DateTime,
    written: Mutex<Option<Written>>,
    outdated: Mutex<Option<String>>,
}

impl Note<'_> {
    /// What was written.
    pub(super) fn written(&self) -> Option<Written> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let outdated = self.outdated.lock().unwrap_or_else(PoisonError::into_inner).clone();
        written.replaced = written.replaced.or(outdated);
        Some(written)
    }

    /// Where MEMORY.md has it.
    pub(super) fn section(&self) -> &'static str {
        core_section(self.target.routing.kind, false)
    }

    pub(super) fn note(&self, outcome: Written) {
        crate::stores::incoming::note(&self.written, outcome);
    }
}

impl Memory {
    pub(super) fn note_of<'a>(
        &'a self,
        proposal: &Proposal,
        target: &'a Target,
        reviewer: Reviewer,
    ) -> Note<'a> {
        let now = self.now().to_zoned(self.time_zone().clone()).datetime();
        let request = RememberRequest {
            store: target.is_chosen.then_some(target.store),
            detected: true,
            ..RememberRequest::default()
        };
        let mut source = format!("proposal #{} of {}", proposal.number, agent_of(proposal));
        if let Some(session) = &proposal.session {
            source.push_str(&format!(", session {session}"));
        }
        // What an agent says is inferred, however sure it is.
        let inferred = self.config.confidence.inferred;
        let confidence = match target.routing.confidence {
            Certainty::High => inferred,
            Certainty::Medium => inferred * 0.75,
            Certainty::Low => inferred * 0.5,
        };
        let mut annotation = Annotation::new()
            .with("id", short_id(&target.text, now))
            .with("since", now.date().to_string())
            .with("confidence", number(confidence))
            .with("mentions", "1")
            .with("source", &source);
        if !proposal.tags.is_empty() {
            annotation.set("tags", proposal.tags.join(", "));
        }
        if !target.beside.is_empty() {
            let others = target
                .beside
                .iter()
                .map(|other| format!("proposal #{} of {}", other.number, agent_of(other)));
            annotation.set("contradicts", others.collect::<Vec<_>>().join(", "));
        }
        let mut episode = episode_of(&target.routing, &request, now);
        episode.source = Some(EpisodeSource::Conversation);
        episode.from = Some(source.clone());
        Note {
            target,
            episode,
            request,
            now,
            incoming: Incoming {
                text: &target.text,
                statement: Statement::new(&target.text),
                annotation,
                today: now.date(),
                memory: self,
                source,
                looks_back: false,
                is_dated: false,
                authority: match reviewer {
                    Reviewer::Person => Authority::Asked,
                    Reviewer::Agent | Reviewer::Rule => Authority::Agents,
                },
                addressees: Addressees::default(),
                beside: target.beside.iter().map(|other| Statement::new(&other.content)).collect(),
            },
            written: Mutex::new(None),
            outdated: Mutex::new(None),
        }
    }

    /// The file that a proposal goes to, and the change that puts it there; what another store says already is strengthened there.
    pub(super) fn placed_of<'a>(
        &'a self,
        note: &'a Note<'a>,
    ) -> Result<(MemoryPath, ChangeSet<'a>), MemoryError> {
        let Note { target, incoming, request, written, now, .. } = note;
        let is_told_elsewhere =
            !target.is_chosen && !matches!(target.store, StoreKind::Episodic | StoreKind::Procedural);
        if is_told_elsewhere
            && let Some(place) = self.said_elsewhere(target.store, &target.routing, request, incoming)?
        {
            return Ok((place.path().clone(), strengthening(place, incoming, written)));
        }
        match target.store {
            StoreKind::Core => {
                let path = self.path(Store::Core).clone();
                let set = self.core_set(&path, note.section(), incoming, written);
                Ok((path, set))
            }
            StoreKind::Vault => {
                let path = self.ledger.layout().file(Store::Vault, "pinned.md")?;
                let set = list_page(&path, "Pinned", "Pinned", "vault", incoming, written);
                Ok((path, set))
            }
            StoreKind::Episodic => {
                let path = self.ledger.layout().file(Store::Episodes, &format!("{}.md", now.date()))?;
                let set = episode_set(&path, &note.episode, now.date(), incoming, written);
                let (set, _) = self.with_outdated_facts(set, &target.routing, incoming, &note.outdated)?;
                Ok((path, set))
            }
            StoreKind::Procedural => self.procedure_set(&target.routing, request, incoming, written),
            StoreKind::Semantic => {
                let (path, set, _) = self.entity_set(&target.routing, incoming, written)?;
                Ok((path, set))
            }
        }
    }
}
