//! What links between files mean (K14): where a target leads, and what leads to a file.
//!
//! A target is a path from the workspace's root, else the name of a file, else a name of an entity; `.md`, case and normal form
//! make no difference. Of several files of one name the one in the link's own folder is meant, else the one nearest the root.

use std::collections::{BTreeSet, HashMap};
use std::time::SystemTime;

use rem_format::entity::Entity;
use rem_format::link::{has_heading, key, links};
use rem_format::path::MemoryPath;
use rem_ledger::Layout;
use rem_recall::{Asking, Index, Linked, Node, SourceFile, name_key};
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::Memory;

/// What leads to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Backlinks {
    /// The file.
    pub path: String,
    /// The entity it is, where it is one's.
    pub entity: Option<Node>,
    /// The links, in the order of files and lines; those in the file itself are left out.
    pub links: Vec<Linked>,
}

/// Every place a link may lead to.
pub(crate) struct Places {
    paths: HashMap<String, Vec<String>>,
    stems: HashMap<String, Vec<String>>,
    /// Files of entities that are not named after their ids.
    ids: HashMap<String, Vec<String>>,
    names: HashMap<String, Vec<String>>,
}

impl Places {
    /// Of these files, with names of entities and the files they are in.
    pub(crate) fn new<'a>(
        layout: &Layout,
        files: impl IntoIterator<Item = &'a str>,
        names: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        let mut places =
            Self { paths: HashMap::new(), stems: HashMap::new(), ids: HashMap::new(), names: HashMap::new() };
        for path in files {
            let Written { whole, stem, id } = Written::of(layout, path);
            places.stems.entry(stem).or_default().push(path.to_owned());
            places.paths.entry(whole).or_default().push(path.to_owned());
            if let Some(id) = id {
                places.ids.entry(id).or_default().push(path.to_owned());
            }
        }
        for (name, path) in names {
            places.names.entry(name).or_default().push(path);
        }
        places
    }

    /// The file that a target means where it stands in the file `from`; an empty one means that file.
    pub(crate) fn resolve<'a>(&'a self, from: &'a str, target: &str) -> Option<&'a str> {
        if target.is_empty() {
            return Some(from);
        }
        let wanted = key(target);
        let folder =
            |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
        let own = folder(from);
        let nearest = |paths: &'a Vec<String>| {
            paths
                .iter()
                .min_by_key(|path| (folder(path) != own, path.matches('/').count(), path.as_str()))
                .map(String::as_str)
        };
        let by_file = self.paths.get(&wanted).or_else(|| self.stems.get(&wanted));
        let by_file = by_file.or_else(|| self.ids.get(&wanted));
        by_file.or_else(|| self.names.get(&name_key(target))).and_then(nearest)
    }
}

/// How a link to a file is written, as [`key`] has it.
struct Written {
    /// By its path.
    whole: String,
    /// By its name.
    stem: String,
    /// By the id of the entity it is, where that is not its name.
    id: Option<String>,
}

impl Written {
    fn of(layout: &Layout, path: &str) -> Self {
        let whole = key(path);
        let stem = whole.rsplit('/').next().unwrap_or(&whole).to_owned();
        let entity = MemoryPath::new(path).ok().and_then(|path| layout.entity_named(&path));
        let id = entity.map(|id| key(id.as_str())).filter(|id| *id != stem);
        Self { whole, stem, id }
    }
}

impl Memory {
    /// Every place that a link may lead to now.
    pub(crate) fn places(&self, index: &Index) -> Result<Places, MemoryError> {
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        let listing = self.ledger.list()?;
        let names = index.entity_names().map_err(search)?;
        Ok(Places::new(self.ledger.layout(), listing.files.iter().map(|file| file.path.as_str()), names))
    }

    /// What leads to a file, given by its path or name, or to an entity by any of its names, on behalf of those who ask: links that
    /// stand in what is for others are left out.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is neither that they may know of; [`MemoryError::Search`] where there can be no index.
    pub fn backlinks(
        &self,
        asking: &Asking,
        name: &str,
        observed_at: SystemTime,
    ) -> Result<Backlinks, MemoryError> {
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        let index = self.refreshed_index(observed_at)?;
        let asking = &index.resolved(asking).map_err(search)?;
        let places = self.places(&index)?;
        let mut found = None;
        if let Some(path) = places.resolve("", name).filter(|path| !path.is_empty()) {
            let at = MemoryPath::new(path)?;
            if self.may_know_of(asking, &index, &at)? {
                found = Some((path.to_owned(), self.entity_of_file(&index, &at)?));
            }
        }
        if found.is_none() {
            // A slip in spelling is forgiven.
            let named = self.entities_known_to(asking, &index, name)?.into_iter().next();
            found = named.map(|(node, _)| (node.path.clone(), Some(node)));
        }
        let Some((path, entity)) = found else {
            return Err(MemoryError::usage(
                format!("there is no file or entity {name:?}"),
                "give a path from the workspace's root, the name of a file or of an entity",
            ));
        };
        let candidates = self.links_written_for(&index, &path).map_err(search)?;
        let leads_here =
            |link: &Linked| link.path != path && places.resolve(&link.path, &link.target) == Some(&path);
        let links = self.links_seen_by(asking, candidates.into_iter().filter(leads_here).collect())?;
        Ok(Backlinks { entity, path, links })
    }

    /// Those of the links that who asks may know of: one that stands in what is for others does not tell of its file.
    fn links_seen_by(&self, asking: &Asking, mut links: Vec<Linked>) -> Result<Vec<Linked>, MemoryError> {
        if asking.is_operator() {
            return Ok(links);
        }
        let mut seen: HashMap<String, Vec<u8>> = HashMap::new();
        for link in &links {
            if !seen.contains_key(&link.path) {
                seen.insert(link.path.clone(), self.seen_by(asking, &link.path)?);
            }
        }
        links.retain(|link| {
            let line = seen[&link.path].split(|byte| *byte == b'\n').nth(link.line.saturating_sub(1));
            line.is_some_and(|line| !line.trim_ascii().is_empty())
        });
        Ok(links)
    }

    /// The files with links that may lead to a file, without the file itself; whether another file of its name is meant is not
    /// looked at.
    pub(crate) fn linked_from(
        &self,
        index: &Index,
        path: &str,
        asking: &Asking,
    ) -> Result<BTreeSet<String>, MemoryError> {
        let links = self
            .links_written_for(index, path)
            .map_err(|error| MemoryError::Search(rem_recall::SearchError::Index(error)))?;
        let others = links.into_iter().filter(|link| link.path != path).collect();
        Ok(self.links_seen_by(asking, others)?.into_iter().map(|link| link.path).collect())
    }

    fn links_written_for(&self, index: &Index, path: &str) -> Result<Vec<Linked>, rem_recall::IndexError> {
        let Written { whole, stem, id } = Written::of(self.ledger.layout(), path);
        let names = index.names_of(path)?;
        index.links_to(&[whole, stem, id.unwrap_or_default()], &names)
    }
}

/// The links of all files, checked one file after the other.
pub(crate) struct LinkCheck<'a> {
    memory: &'a Memory,
    places: Places,
    /// Where files went, by where they were; looked up when the first link leads nowhere.
    moves: Option<Vec<(String, String)>>,
}

impl<'a> LinkCheck<'a> {
    /// Over these files, without the index: verification trusts nothing derived.
    pub(crate) fn new(memory: &'a Memory, files: &[SourceFile]) -> Result<Self, MemoryError> {
        let mut names = Vec::new();
        for file in files {
            let Ok(path) = MemoryPath::new(file.path.as_str()) else { continue };
            if memory.entity_at(&path).is_none() {
                continue;
            }
            let bytes = memory.ledger.read(&path)?.unwrap_or_default();
            let Ok(entity) = Entity::parse(&bytes) else { continue };
            let all = entity.aliases().into_iter().chain(entity.label());
            names.extend(all.map(|name| (name_key(&name), file.path.clone())));
        }
        let listing = memory.ledger.list()?;
        let places =
            Places::new(memory.ledger.layout(), listing.files.iter().map(|file| file.path.as_str()), names);
        Ok(Self { memory, places, moves: None })
    }

    /// What is wrong with the links of a file, each said once.
    pub(crate) fn broken(&mut self, path: &str, bytes: &[u8]) -> Result<BTreeSet<String>, MemoryError> {
        let mut said = BTreeSet::new();
        for link in links(bytes) {
            let target = link.target_in(bytes);
            let Some(place) = self.places.resolve(path, target) else {
                let now = self.went(target)?.map_or(String::new(), |now| format!("; the file is now {now}"));
                said.insert(format!("[[{target}]] leads nowhere{now}"));
                continue;
            };
            let Some(heading) = link.heading_in(bytes) else { continue };
            let there = match place == path {
                true => has_heading(bytes, heading),
                false => {
                    let place = MemoryPath::new(place)?;
                    has_heading(&self.memory.ledger.read(&place)?.unwrap_or_default(), heading)
                }
            };
            if !there {
                said.insert(format!(
                    "[[{target}#{heading}]] leads to no heading: there is no {heading:?} in {place}"
                ));
            }
        }
        Ok(said)
    }

    /// Where the file is that a target meant before it moved.
    fn went(&mut self, target: &str) -> Result<Option<String>, MemoryError> {
        if self.moves.is_none() {
            // The newest first: what moved twice is known by the last place.
            let mut known: Vec<(String, String)> = Vec::new();
            for (from, to) in self.memory.ledger.moves()? {
                let last = known.iter().find(|(before, _)| *before == to).map(|(_, now)| now.clone());
                known.push((from, last.unwrap_or(to)));
            }
            known.retain(|(_, now)| self.memory.ledger.root().join(now).is_file());
            self.moves = Some(known);
        }
        let wanted = key(target);
        let meant = |from: &str| {
            let whole = key(from);
            whole == wanted || whole.rsplit('/').next() == Some(wanted.as_str())
        };
        let moves = self.moves.as_deref().unwrap_or_default();
        Ok(moves.iter().find(|(from, _)| meant(from)).map(|(_, now)| now.clone()))
    }
}
