//! A file gets another path, and every link to it is led there, in one change set (K14).
//!
//! Text, heading and every other byte of a file with links stay. What may not change (conversations, episodes, the identity)
//! keeps its links, and the outcome names them. Must not move what other parts of the program look for at a fixed place.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use rem_format::audit::Action;
use rem_format::entity::{Entity, EntityId};
use rem_format::link::{self, Form, key};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, EditError, Layout, Store};
use rem_recall::{Linked, name_key};
use serde::Serialize;

use super::facts::is_fact_page;
use super::links::Places;
use crate::error::MemoryError;
use crate::memory::Memory;

/// What a rename did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RenameOutcome {
    /// Where the file was.
    pub from: MemoryPath,
    /// Where it is.
    pub to: MemoryPath,
    /// The files in which links were led elsewhere, and how many in each.
    pub rewritten: BTreeMap<String, usize>,
    /// Links that stay as they are, because their file may not change.
    pub left: Vec<Linked>,
    /// The change's id.
    pub change: String,
}

/// What the links of a file have to lead to, by their form and what they lead to now.
#[derive(Debug, Default)]
pub(crate) struct FileTargets(BTreeMap<(Form, String), String>);

impl FileTargets {
    pub(crate) fn insert(&mut self, form: Form, target: String, new: String) {
        self.0.insert((form, target), new);
    }

    /// The file with its links led there.
    pub(crate) fn led(&self, bytes: &[u8]) -> Vec<u8> {
        link::relinked(bytes, |form, target| self.0.get(&(form, target.to_owned())).cloned())
    }
}

/// New targets for the links of each file.
pub(crate) type Targets = BTreeMap<String, FileTargets>;

/// What has to happen to links when files move.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    /// What they have to lead to, by the file as it is called before.
    pub(crate) targets: Targets,
    /// How many that are, by the file as it is called afterwards.
    pub(crate) rewritten: BTreeMap<String, usize>,
    /// Links that stay as they are, because their file may not change.
    pub(crate) left: Vec<Linked>,
}

impl Memory {
    /// Moves a file of the workspace and leads every link to it there.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is no such file, something else has that path already, or the file may not move or not
    /// lie there; [`MemoryError::Search`] where there can be no index; or as [`rem_ledger::Ledger::apply`].
    pub fn rename(
        &self,
        from: &MemoryPath,
        to: &MemoryPath,
        observed_at: SystemTime,
    ) -> Result<RenameOutcome, MemoryError> {
        self.ledger.commit_outside_changes()?;
        self.check_move(from, to)?;
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        let index = self.refreshed_index(observed_at)?;
        let bytes = self.ledger.read(from)?.unwrap_or_default();
        let names = index.entity_names().map_err(search)?;
        let mut later: Vec<(String, String)> =
            names.iter().filter(|(_, path)| path != from.as_str()).cloned().collect();
        let ids = self.entity_ids(from, to);
        if let (Some((_, new)), Ok(entity)) = (&ids, Entity::parse(&bytes)) {
            // The names it keeps; its old id becomes one only for what cannot be changed.
            let own =
                entity.aliases().into_iter().chain(entity.label()).chain([new.slug().replace('-', " ")]);
            later.extend(own.map(|name| (name_key(&name), to.to_string())));
        }
        let listing = self.ledger.list()?;
        let paths: Vec<&str> = listing.files.iter().map(|file| file.path.as_str()).collect();
        let layout = self.ledger.layout();
        let before = Places::new(layout, paths.iter().copied(), names);
        let moved = |path: &'_ str| if path == from.as_str() { to.to_string() } else { path.to_owned() };
        let after_paths: Vec<String> = paths.iter().map(|path| moved(path)).collect();
        let after = Places::new(layout, after_paths.iter().map(String::as_str), later);

        let Followed { targets, rewritten, left } = self.links_following(&index, &before, &after, &moved)?;
        let set = self.rename_set(from, to, ids.as_ref(), targets, self.merged_into(&index, ids.as_ref())?);
        let trigger = format!("rem move {from} {to}");
        let provenance = self.asked_for(trigger);
        let change = self.change(set, &provenance)?.change;
        Ok(RenameOutcome { from: from.clone(), to: to.clone(), rewritten, left, change })
    }

    /// What has to happen to links when files move: `before` and `after` are the places there are, `moved` gives each file's new path.
    pub(crate) fn links_following(
        &self,
        index: &rem_recall::Index,
        before: &Places,
        after: &Places,
        moved: &dyn Fn(&str) -> String,
    ) -> Result<Followed, MemoryError> {
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        let mut followed = Followed::default();
        for link in index.links().map_err(search)? {
            let Some(meant) = before.resolve(&link.path, &link.target).map(moved) else { continue };
            let holder = moved(&link.path);
            if after.resolve(&holder, &link.target) == Some(meant.as_str()) {
                continue;
            }
            if !self.may_relink(&link.path) {
                followed.left.push(link);
                continue;
            }
            if let Some(target) = target_for(self.ledger.layout(), after, &holder, &link.target, &meant) {
                *followed.rewritten.entry(holder).or_default() += 1;
                followed.targets.entry(link.path).or_default().insert(Form::Wiki, link.target, target);
            }
        }
        self.plain_links_following(moved, &mut followed)?;
        Ok(followed)
    }

    fn rename_set<'a>(
        &self,
        from: &MemoryPath,
        to: &MemoryPath,
        ids: Option<&(EntityId, EntityId)>,
        mut targets: Targets,
        merged: BTreeSet<String>,
    ) -> ChangeSet<'a> {
        let (own, own_ids) = (targets.remove(from.as_str()).unwrap_or_default(), ids.cloned());
        let mut set = ChangeSet::new().rename_with(from.clone(), to.clone(), format!("moved from {from}"), {
            move |found| {
                let Some(bytes) = found else { return Err("the file is gone".into()) };
                let bytes = own.led(bytes);
                match &own_ids {
                    Some((old, new)) => renamed_entity(&bytes, old, new).map(Some),
                    None => Ok(Some(bytes)),
                }
            }
        });
        let files: BTreeSet<String> = targets.keys().cloned().chain(merged.iter().cloned()).collect();
        for path in files.into_iter().filter(|path| path != from.as_str()) {
            let own = targets.remove(&path).unwrap_or_default();
            let ids = ids.filter(|_| merged.contains(&path)).cloned();
            let Ok(path) = MemoryPath::new(path) else { continue };
            set = set
                .edit(path.clone(), format!("links to {to}"), move |found| {
                    let Some(bytes) = found else { return Ok(None) };
                    let bytes = own.led(bytes);
                    let Some((old, new)) = &ids else { return Ok(Some(bytes)) };
                    let mut entity = Entity::parse(&bytes)?;
                    if entity.merged_into().as_ref() == Some(old) {
                        entity.set_header("Merged into", new.as_str());
                    }
                    Ok(Some(entity.into_bytes()))
                })
                .action(&path, Action::Edit);
        }
        set
    }

    /// The files of entities that became part of the one that moves.
    fn merged_into(
        &self,
        index: &rem_recall::Index,
        ids: Option<&(EntityId, EntityId)>,
    ) -> Result<BTreeSet<String>, MemoryError> {
        let Some((old, _)) = ids else { return Ok(BTreeSet::new()) };
        let nodes = index.entities().map_err(rem_recall::SearchError::from)?;
        let mut found = BTreeSet::new();
        for node in nodes.into_iter().filter(|node| node.archived) {
            let bytes = self.ledger.read(&MemoryPath::new(&node.path)?)?.unwrap_or_default();
            if Entity::parse(&bytes).is_ok_and(|entity| entity.merged_into().as_ref() == Some(old)) {
                found.insert(node.path);
            }
        }
        Ok(found)
    }

    /// Whether links in a file may be led elsewhere.
    pub(crate) fn may_relink(&self, path: &str) -> bool {
        let path = MemoryPath::new(path).ok();
        let store = path.as_ref().and_then(|path| self.ledger.layout().store_of(path));
        // What is in an archive is as it was.
        let is_closed = path.is_some_and(|path| self.is_span_archive(&path) || self.ledger.is_closed(&path));
        !is_closed
            && !matches!(
                store,
                Some(
                    Store::Transcripts
                        | Store::Attachments
                        | Store::Episodes
                        | Store::Soul
                        | Store::IdentityCard
                        | Store::SoulHistory
                        | Store::Changelog
                        | Store::CompactionLog
                        | Store::Config
                        | Store::Meta
                        | Store::GraphIndex
                )
            )
    }

    /// The ids of an entity whose file moves, before and after, where they differ.
    fn entity_ids(&self, from: &MemoryPath, to: &MemoryPath) -> Option<(EntityId, EntityId)> {
        let layout = self.ledger.layout();
        let (old, new) = (self.entity_at(from)?, layout.entity_named(to)?);
        (old != new).then_some((old, new))
    }

    fn check_move(&self, from: &MemoryPath, to: &MemoryPath) -> Result<(), MemoryError> {
        let layout = self.ledger.layout();
        let refuse = |message: String, hint: &str| Err(MemoryError::usage(message, hint));
        if self.ledger.contents_at("HEAD", from)?.is_none() {
            return refuse(
                format!("there is no file {from} in the memory"),
                "give its path from the workspace's root",
            );
        }
        for path in [from, to] {
            if !self.may_lie_elsewhere(path)? {
                return refuse(
                    format!("{path} has a fixed place: nothing moves from there or to it"),
                    "notes, projects, people, topics, procedures, entities and files of your own can move",
                );
            }
        }
        let extension = |path: &MemoryPath| path.file_name().ends_with(".md");
        if extension(from) != extension(to) {
            return refuse(format!("{to} would be another kind of file than {from}"), "keep its extension");
        }
        if to.as_str().contains(['[', ']', '|', '#', '^', '`']) {
            return refuse(format!("no link can name {to}"), "leave out the signs [ ] | # ^ `");
        }
        if to.folder().split('/').any(rem_ledger::is_skipped_folder) {
            return refuse(
                format!("{to} would be in a folder that holds no memory"),
                "choose another folder",
            );
        }
        // Whatever lies among the entities is one, or is nothing that the program can read; a page beside one is none.
        let is_among = |path: &MemoryPath| layout.store_of(path) == Some(Store::Entities);
        let id = layout.entity_named(to);
        let was_one = self.entity_at(from).is_some() || is_among(from);
        if was_one != (id.is_some() || is_among(to)) || was_one && id.is_none() {
            return refuse(
                format!("{to} would make another thing of {from}"),
                "an entity stays among the entities, with a name such as person--mira-holt.md, or among the people",
            );
        }
        if let Some(id) = id {
            let there = self.entity_file(&id)?;
            if there != *from && there != *to {
                return refuse(
                    format!("{id} has a file already: {there}"),
                    "choose another name, or make one of the two with `rem graph merge`",
                );
            }
        }
        // By its case or normal form alone a name may be the same file.
        let same = |path: &str| key(path) == key(to.as_str()) && path != from.as_str();
        let listing = self.ledger.list()?;
        let there = self.ledger.root().join(to.as_str());
        if let Some(file) = listing.files.iter().find(|file| same(&file.path)) {
            return refuse(format!("there is such a file already: {}", file.path), "choose another name");
        }
        if from != to && std::fs::symlink_metadata(there).is_ok() {
            return refuse(
                format!("{to} is there already, or is the same file here as {from}"),
                "choose another name, or move it by way of a third",
            );
        }
        Ok(())
    }

    /// Whether nothing else looks for this file where it is.
    pub(crate) fn may_lie_elsewhere(&self, path: &MemoryPath) -> Result<bool, MemoryError> {
        let layout = self.ledger.layout();
        let fixed = [
            layout.file(Store::Vault, "pinned.md")?,
            layout.file(Store::Reference, "core-memory.md")?,
            layout.file(Store::Archive, "forgotten.md")?,
            layout.file(Store::Projects, "_active.md")?,
            layout.file(Store::People, "_index.md")?,
        ];
        let store = layout.store_of(path);
        let is_free = matches!(
            store,
            None | Some(
                Store::Entities
                    | Store::Procedures
                    | Store::Vault
                    | Store::Journal
                    | Store::Projects
                    | Store::People
                    | Store::Reference
                    | Store::Topics
                    | Store::Archive
                    | Store::Chronicles
                    | Store::CorrectionArchive
            )
        );
        let is_ours = path.as_str().starts_with('.') || path.file_name().ends_with(".lock");
        Ok(is_free && !fixed.contains(path) && !is_fact_page(layout, path) && !is_ours)
    }
}

/// How a link that meant `meant` has to be written in `holder`: as it was, by id, by name or by path, else by path.
fn target_for(layout: &Layout, after: &Places, holder: &str, target: &str, meant: &str) -> Option<String> {
    let bare = meant.strip_suffix(".md").unwrap_or(meant);
    let name = bare.rsplit('/').next().unwrap_or(bare);
    let is_named = !target.contains('/');
    let prefix = if target.starts_with("entity:") && is_named { "entity:" } else { "" };
    let suffix = if target.to_lowercase().ends_with(".md") && bare != meant { ".md" } else { "" };
    let named = is_named.then(|| format!("{prefix}{name}{suffix}"));
    // Edges lead to ids.
    let is_id = target.parse::<EntityId>().is_ok();
    let entity = MemoryPath::new(meant).ok().and_then(|path| layout.entity_named(&path)).filter(|_| is_id);
    let by_id = entity.filter(|_| is_named).map(|id| format!("{prefix}{id}{suffix}"));
    let candidates = by_id.into_iter().chain(named).chain([format!("{bare}{suffix}")]);
    candidates.into_iter().find(|candidate| after.resolve(holder, candidate) == Some(meant))
}

/// An entity under its new id: found by its old one as well.
fn renamed_entity(bytes: &[u8], old: &EntityId, new: &EntityId) -> Result<Vec<u8>, EditError> {
    let mut entity = Entity::parse(bytes)?;
    let title = entity.page().title().map(str::to_owned);
    // What is called after its id keeps that name.
    if let Some(label) = entity.label().filter(|_| title.as_deref() == Some(old.as_str())) {
        entity.set_header("Label", label);
    }
    entity.add_alias(old.as_str());
    if old.kind() != new.kind() {
        entity.set_header("Type", new.kind());
    }
    let text = String::from_utf8(entity.into_bytes())?;
    let title = format!("# {old}");
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == title {
            let rest = &text[at + title.len()..];
            return Ok(format!("{}# {new}{rest}", &text[..at]).into_bytes());
        }
        at += line.len();
    }
    Ok(text.into_bytes())
}
