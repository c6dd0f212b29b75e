//! Where a mined memory goes (A8.3, M8.2), and the change that puts it there.
//!
//! | what | where |
//! |---|---|
//! | decision of a project that there is | the project's context, with its day |
//! | other decision, what happened | the day's episodes |
//! | lesson, something about the user that the router would keep there | MEMORY.md while it has room, else the facts |
//! | procedure | a procedure |
//! | something about a person, fact | the file of the entity, else the facts |
//!
//! What another store says already is strengthened there, and another value of what has one at a time ends on whatever page it stands. Nothing has to make room in MEMORY.md for what was only noticed.

use std::sync::Mutex;

use rem_format::episode::{Episode, EpisodeSource};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Store};

use super::draft::Draft;
use crate::error::MemoryError;
use crate::lifecycle::extract::ExtractionKind;
use crate::memory::Memory;
use crate::stores::RememberRequest;
use crate::stores::elsewhere::strengthening;
use crate::stores::incoming::{Incoming, Written};
use crate::stores::places::{LESSONS, core_section, episode_of, episode_set};
use crate::stores::projects::is_named;
use crate::stores::router::StoreKind;

/// Where the pages of facts have what is known of the user.
const ABOUT_USER: &str = "About the user";

/// A draft, and what a change finds out about it.
pub(super) struct Note<'a> {
    draft: &'a Draft<'a>,
    incoming: Incoming<'a>,
    episode: Episode,
    pub(super) written: Mutex<Option<Written>>,
    outdated: Mutex<Option<String>>,
}

impl Memory {
    pub(super) fn note<'a>(&'a self, draft: &'a Draft<'a>) -> Note<'a> {
        let request = RememberRequest { detected: true, ..RememberRequest::default() };
        let mut episode = episode_of(draft.routing, &request, draft.said);
        episode.source = Some(EpisodeSource::Conversation);
        episode.from = Some(draft.source().to_owned());
        episode.tags = vec![draft.tag().to_owned()];
        episode.tags.extend(draft.extraction.project.clone());
        if draft.extraction.kind == ExtractionKind::Decision {
            episode.kind = rem_format::episode::EpisodeKind::Decision;
        }
        Note {
            draft,
            incoming: self.incoming_of(draft),
            episode,
            written: Mutex::new(None),
            outdated: Mutex::new(None),
        }
    }

    /// The file that a memory goes to, and the change that puts it there.
    pub(super) fn placed<'a>(
        &'a self,
        note: &'a Note<'a>,
        projects: &[String],
        core_has_room: bool,
    ) -> Result<(MemoryPath, ChangeSet<'a>), MemoryError> {
        let Note { draft, incoming, written, .. } = note;
        let routing = &draft.routing;
        let request = RememberRequest::default();
        match draft.extraction.kind {
            ExtractionKind::Decision => match project_of(draft, projects) {
                Some(project) => self.decision_set(project, incoming, written),
                None => self.episode(note),
            },
            ExtractionKind::Procedure => self.procedure_set(routing, &request, incoming, written),
            ExtractionKind::Lesson => self.in_core(note, LESSONS, LESSONS, core_has_room),
            ExtractionKind::Person if draft.is_of_user() => {
                let has_room = core_has_room && draft.is_core();
                self.in_core(note, core_section(routing.kind, false), ABOUT_USER, has_room)
            }
            _ if draft.is_event() => self.episode(note),
            _ => {
                if let Some(place) = self.said_elsewhere(StoreKind::Semantic, routing, &request, incoming)? {
                    return Ok((place.path().clone(), strengthening(place, incoming, written)));
                }
                let (path, set, _) = self.entity_set(routing, incoming, written)?;
                self.with_outdated(path, set, incoming)
            }
        }
    }

    /// MEMORY.md, or the facts where it has no room; whichever says it already.
    fn in_core<'a>(
        &'a self,
        note: &'a Note<'a>,
        section: &'static str,
        otherwise: &'static str,
        core_has_room: bool,
    ) -> Result<(MemoryPath, ChangeSet<'a>), MemoryError> {
        let Note { draft, incoming, written, .. } = note;
        let request = RememberRequest::default();
        if let Some(place) = self.said_elsewhere(StoreKind::Core, draft.routing, &request, incoming)? {
            return Ok((place.path().clone(), strengthening(place, incoming, written)));
        }
        if core_has_room {
            let path = self.path(Store::Core).clone();
            let set = self.core_set(&path, section, incoming, written);
            return self.with_outdated(path, set, incoming);
        }
        let (path, set) = self.fact_set(otherwise, incoming, written)?;
        self.with_outdated(path, set, incoming)
    }

    /// The change, and what it ends in other files than the one it goes to.
    fn with_outdated<'a>(
        &'a self,
        path: MemoryPath,
        set: ChangeSet<'a>,
        incoming: &'a Incoming<'a>,
    ) -> Result<(MemoryPath, ChangeSet<'a>), MemoryError> {
        let outdated = self.outdated_on_pages(incoming, &path)?;
        Ok((path, set.and(outdated)))
    }

    /// The episodes of the day, and what in the files of entities it ends.
    fn episode<'a>(&'a self, note: &'a Note<'a>) -> Result<(MemoryPath, ChangeSet<'a>), MemoryError> {
        let (day, incoming) = (note.draft.said.date(), &note.incoming);
        let path = self.ledger.layout().file(Store::Episodes, &format!("{day}.md"))?;
        let set = episode_set(&path, &note.episode, day, incoming, &note.written);
        let (set, _) = self.with_outdated_facts(set, note.draft.routing, incoming, &note.outdated)?;
        self.with_outdated(path, set, incoming)
    }

    /// The folders of all projects that have one.
    pub(super) fn projects_with_folders(&self) -> Result<Vec<String>, MemoryError> {
        let mut projects = self.projects()?;
        projects.retain(|project| !project.files.is_empty());
        Ok(projects.into_iter().map(|project| project.name).collect())
    }
}

/// The folder of the project that a decision is about: the one that the talk is about, or else the only one that the decision names.
fn project_of<'p>(draft: &Draft<'_>, projects: &'p [String]) -> Option<&'p str> {
    if let Some(name) = &draft.extraction.project {
        return projects.iter().find(|project| is_named(project, name)).map(String::as_str);
    }
    let lower = draft.text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let words = format!("-{}-", words.join("-"));
    let mut named = projects.iter().filter(|project| words.contains(&format!("-{project}-")));
    let found = named.next().filter(|_| named.next().is_none());
    found.map(String::as_str)
}
