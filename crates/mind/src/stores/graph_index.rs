//! `graph/index.md` kept in step with the entity files (M6.1, resolution 9).
//!
//! While the graph is small, the page changes in the commit of the change it follows from: the rows of the entities that change
//! are made anew under the lock, the others stay, and which entities there are is looked up in the folder, so no entry is lost
//! whoever changes what. Beyond the bound a change leaves the page alone, and `rem graph index` makes it anew. Must not be read
//! as the truth by anything: what is known of the graph comes from the files and the index over them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::SystemTime;

use rem_format::audit::Actor;
use rem_format::audit::Approval;
use rem_format::commit::CommitType;
use rem_format::decay_scores::DecayScore;
use rem_format::entity::Entity;
use rem_format::graph_index::{EdgeRow, GraphIndex, Registered};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, EditError, FileChange, Layout, Provenance, Results, Store};
use rem_recall::is_archived;
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::locate::is_double;

/// With more files of entities than this the page is no longer changed with every change: the time that takes grows with it.
const SMALL: usize = 500;

/// What `rem graph index` did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GraphIndexOutcome {
    /// The page.
    pub path: MemoryPath,
    /// The entities in it.
    pub entities: usize,
    /// The edges in it.
    pub edges: usize,
    /// Whether every change of an entity keeps it up to date; a larger graph needs this command.
    pub follows: bool,
    /// The change's id; empty where the page was as it should be.
    pub change: String,
}

/// The files of entities, or that there are too many to look at each.
enum Files {
    Few(BTreeSet<MemoryPath>),
    Many,
}

impl Memory {
    /// Makes `graph/index.md` anew from the entity files.
    ///
    /// # Errors
    /// [`MemoryError::Search`] where a large graph has no index to read it from, or as [`rem_ledger::Ledger::apply`].
    pub fn graph_index(&self, observed_at: SystemTime) -> Result<GraphIndexOutcome, MemoryError> {
        let path = self.path(Store::GraphIndex).clone();
        let made = std::sync::Mutex::new((0, 0));
        // Reading many files takes long, and nobody should wait at the door for it.
        let large = match self.entity_files() {
            Files::Few(_) => None,
            Files::Many => Some(self.indexed_graph(observed_at)?),
        };
        let scores = self.checkpoint_scores()?;
        let set = ChangeSet::new().edit(path.clone(), "made anew", |_| {
            let mut index = match (self.entity_files(), &large) {
                (Files::Few(files), _) => self.index_of(GraphIndex::default(), &files, &Results::new()),
                (Files::Many, Some(large)) => large.clone(),
                (Files::Many, None) => return Err("the graph grows meanwhile: try again".into()),
            };
            score(&mut index, &scores);
            *made.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
                (index.entities.len(), index.edges.len());
            Ok(Some(index.render().into_bytes()))
        });
        let provenance =
            Provenance::new(Actor::System("graph".to_owned()), Approval::Auto, "rem graph index")
                .kind(CommitType::Maintenance);
        let change = self.ledger.apply(&set, &provenance)?.change;
        drop(set);
        let (entities, edges) = made.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(GraphIndexOutcome { path, entities, edges, follows: large.is_none(), change })
    }

    /// The set, with the page showing these scores, by the ids of memories. That of a large graph is left to `rem graph index`.
    pub(crate) fn with_scores<'a>(
        &self,
        set: ChangeSet<'a>,
        scores: &'a BTreeMap<String, DecayScore>,
    ) -> ChangeSet<'a> {
        let path = self.path(Store::GraphIndex).clone();
        if matches!(self.entity_files(), Files::Many) {
            return set;
        }
        set.edit(path, "scores", |found| {
            let unchanged = || Ok(found.map(<[u8]>::to_vec));
            let Some(mut index) = found.and_then(parsed) else { return unchanged() };
            let before = index.clone();
            score(&mut index, scores);
            if index == before { unchanged() } else { Ok(Some(index.render().into_bytes())) }
        })
    }

    /// The set, with the page following what it does to entities.
    pub(crate) fn with_graph_index<'a>(&'a self, set: ChangeSet<'a>) -> ChangeSet<'a> {
        let layout = self.ledger.layout();
        if !set.paths().any(|path| layout.entity_named(path).is_some()) {
            return set;
        }
        set.derive(self.path(Store::GraphIndex).clone(), |found, results| self.followed(found, results))
    }

    /// Makes the page anew after entity files changed otherwise than by a set of ours: from outside, or by going back. What
    /// cannot be done now is left for the next time and said on the log. Gives whether the page changed.
    pub fn graph_index_follows(&self, changed: &[FileChange]) -> bool {
        let layout = self.ledger.layout();
        let is_of_graph = |change: &FileChange| {
            layout.entity_named(&change.path).is_some() || change.path == *self.path(Store::GraphIndex)
        };
        if !changed.iter().any(is_of_graph) {
            return false;
        }
        let scores = self.checkpoint_scores().unwrap_or_default();
        let set =
            ChangeSet::new().edit(self.path(Store::GraphIndex).clone(), "follows the entities", |found| {
                match (found.map(parsed), self.entity_files()) {
                    // A page of somebody else's, or a large graph: left as it is.
                    (Some(None), _) | (_, Files::Many) => Ok(found.map(<[u8]>::to_vec)),
                    (_, Files::Few(files)) => {
                        let mut index = self.index_of(GraphIndex::default(), &files, &Results::new());
                        score(&mut index, &scores);
                        Ok(Some(index.render().into_bytes()))
                    }
                }
            });
        let provenance = Provenance::system("graph", "entities changed").kind(CommitType::Maintenance);
        match self.ledger.apply(&set, &provenance) {
            Ok(applied) => !applied.change.is_empty(),
            Err(error) => {
                tracing::warn!("could not bring {} up to date: {error}", self.path(Store::GraphIndex));
                false
            }
        }
    }

    /// The page after a change, by what was found of it and what the changed files come to.
    fn followed(&self, found: Option<&[u8]>, results: &Results) -> Result<Option<Vec<u8>>, EditError> {
        let unchanged = || Ok(found.map(<[u8]>::to_vec));
        let known = match found.map(parsed) {
            Some(None) => return unchanged(),
            Some(Some(known)) => known,
            None => GraphIndex::default(),
        };
        let Files::Few(mut files) = self.entity_files() else { return unchanged() };
        for (path, contents) in results {
            let is_entity = self.ledger.layout().entity_named(path).is_some();
            match contents {
                Some(_) if is_entity => drop(files.insert(path.clone())),
                _ => drop(files.remove(path)),
            }
        }
        if files.len() > SMALL {
            return unchanged();
        }
        Ok(Some(self.index_of(known, &files, results).render().into_bytes()))
    }

    /// An index over these files: rows that are known stay, those of `results` and those that are missing are made.
    fn index_of(&self, known: GraphIndex, files: &BTreeSet<MemoryPath>, results: &Results) -> GraphIndex {
        let layout = self.ledger.layout();
        let folder = self.path(Store::GraphIndex).folder().to_owned();
        let mut rows: BTreeMap<String, Registered> =
            known.entities.into_iter().map(|row| (row.file.clone(), row)).collect();
        let mut index = GraphIndex::default();
        let mut archived: BTreeSet<String> = BTreeSet::new();
        let mut kept: BTreeSet<String> = BTreeSet::new();
        for path in files {
            let Some(id) = layout.entity_named(path) else { continue };
            if is_double(layout, path, &id, |place| files.contains(place)) {
                continue;
            }
            let file = file_in(&folder, path);
            let changed = results.get(path);
            if changed.is_none()
                && let Some(row) = rows.remove(&file)
            {
                kept.insert(row.id.clone());
                index.entities.push(row);
                continue;
            }
            let score = rows.remove(&file).and_then(|row| row.score);
            let read = || self.ledger.read(path).ok().flatten();
            let Some(contents) = changed.cloned().unwrap_or_else(read) else { continue };
            if is_archived(&contents) {
                archived.insert(id.to_string());
            } else if let Ok(entity) = Entity::parse(&contents) {
                index.insert(&id, &file, &entity, score);
            }
        }
        let stays = |edge: &EdgeRow| kept.contains(&edge.from);
        index.edges.extend(known.edges.into_iter().filter(stays));
        index.edges.retain(|edge| !archived.contains(&edge.to));
        index
    }

    /// The same for a graph of any size, from the index over all files.
    fn indexed_graph(&self, observed_at: SystemTime) -> Result<GraphIndex, MemoryError> {
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        let index = self.refreshed_index(observed_at)?;
        let folder = self.path(Store::GraphIndex).folder().to_owned();
        index.graph_page(|path| relative(&folder, path)).map_err(search)
    }

    /// The files of entities as they are now, as long as there are few.
    fn entity_files(&self) -> Files {
        let mut found = BTreeSet::new();
        let begun = [Store::Entities, Store::People].map(|store| self.path(store));
        let mut folders: Vec<_> =
            begun.map(|at| (self.ledger.root().join(at.as_str()), at.to_string())).into();
        while let Some((folder, prefix)) = folders.pop() {
            if read_folder(self.ledger.layout(), &folder, &prefix, &mut folders, &mut found).is_none() {
                return Files::Many;
            }
        }
        Files::Few(found)
    }
}

/// Takes in the entity files of one folder; nothing where there are too many. A folder that cannot be read holds none.
fn read_folder(
    layout: &Layout,
    folder: &Path,
    prefix: &str,
    folders: &mut Vec<(std::path::PathBuf, String)>,
    found: &mut BTreeSet<MemoryPath>,
) -> Option<()> {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{prefix}/{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => folders.push((entry.path(), path)),
            Ok(kind) if kind.is_file() => {
                found.extend(MemoryPath::new(path).ok().filter(|path| layout.entity_named(path).is_some()));
            }
            _ => {}
        }
        if found.len() > SMALL {
            return None;
        }
    }
    Some(())
}

/// Gives each row the score of its memory; one that has none keeps what it has.
fn score(index: &mut GraphIndex, scores: &BTreeMap<String, DecayScore>) {
    for row in &mut index.entities {
        if let Some(known) = scores.get(&format!("entity:{}", row.id)) {
            row.score = Some((known.current_score * 100.0).round() / 100.0);
        }
    }
}

fn parsed(page: &[u8]) -> Option<GraphIndex> {
    GraphIndex::parse(&String::from_utf8_lossy(page))
}

fn file_in(folder: &str, path: &MemoryPath) -> String {
    relative(folder, path.as_str())
}

/// A path from the index's folder on; one that lies elsewhere is from the workspace's root, after a `/`.
fn relative(folder: &str, path: &str) -> String {
    match path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) {
        Some(inside) => inside.to_owned(),
        None => format!("/{path}"),
    }
}
