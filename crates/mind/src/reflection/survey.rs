//! Phase 1 (M10.3): what the memory holds and how it stands, read once for all that follows.
//!
//! The index says which memories there are and how they are used; their files say what they say. What is for some people alone is
//! not looked at: what a reflection writes is for everybody. Must not judge, nor write.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::decay_scores::Visibility;
use rem_format::entity::FACTS;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::reflection::{Past, Quoted, past};
use rem_ledger::Store;
use rem_recall::decay::{Relevances, StoreKind};
use rem_recall::{Addressees, Index, Node, Remembered, SearchError, days_since_1970};

use crate::error::MemoryError;
use crate::memory::Memory;

/// No more readers than this, however many cores there are.
const MOST_READERS: usize = 8;

/// Where a statement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Core,
    Facts,
    Vault,
    Entity,
    /// Its items are steps, and no statements.
    Procedure,
}

/// A list item that says something.
#[derive(Debug, Clone)]
pub(super) struct Said {
    pub(super) place: Place,
    /// Which of the surveyed files.
    pub(super) file: usize,
    pub(super) lines: Range<usize>,
    /// Its lines as they stand.
    pub(super) raw: String,
    pub(super) section: String,
    pub(super) text: String,
    pub(super) annotation: Annotation,
}

/// A file that was read.
#[derive(Debug, Clone)]
pub(super) struct Surveyed {
    pub(super) path: MemoryPath,
    pub(super) hash: String,
    /// The line of its title, and its number from 1.
    pub(super) title: (usize, String),
    /// The id of the memory that the file is, for an entity or a procedure.
    pub(super) memory: Option<String>,
    /// Why it is never put away.
    pub(super) stays: bool,
    /// Whether it is for some people alone.
    pub(super) is_private: bool,
}

/// A file and what it says.
type ReadPage = (Surveyed, Vec<Said>);

/// A memory and how it stands.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    pub(super) memory: Remembered,
    pub(super) relevance: f64,
    pub(super) visibility: Visibility,
}

/// What was found.
pub(super) struct Survey {
    pub(super) today: Date,
    pub(super) past: Past,
    pub(super) standings: Vec<Standing>,
    pub(super) files: Vec<Surveyed>,
    pub(super) said: Vec<Said>,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<rem_recall::Connected>,
    pub(super) episodes: usize,
    pub(super) procedures: usize,
}

impl Survey {
    /// How many episodes no reflection has looked at. Episodes are only added, so it is a difference of counts, whatever the clock said.
    pub(super) fn waiting(&self) -> usize {
        self.episodes.saturating_sub(self.past.episodes)
    }

    /// A statement as it is quoted.
    pub(super) fn quote(&self, said: &Said) -> Quoted {
        let file = &self.files[said.file];
        Quoted {
            path: file.path.clone(),
            hash: file.hash.clone(),
            line: said.lines.start,
            text: said.raw.clone(),
        }
    }

    /// A file as it is quoted: by its title.
    pub(super) fn quote_file(file: &Surveyed) -> Quoted {
        Quoted {
            path: file.path.clone(),
            hash: file.hash.clone(),
            line: file.title.0,
            text: file.title.1.clone(),
        }
    }

    /// The id of the memory that a statement is, or is part of.
    pub(super) fn id_of(&self, said: &Said) -> Option<String> {
        let short = || said.annotation.get("id").map(str::to_owned);
        match said.place {
            Place::Core => Some(format!("core:{}", short()?)),
            Place::Facts => Some(format!("fact:{}", short()?)),
            Place::Vault => Some(format!("vault:{}", short()?)),
            Place::Entity | Place::Procedure => self.files[said.file].memory.clone(),
        }
    }
}

impl Memory {
    /// Looks at everything there is.
    pub(super) fn survey_memories(&self, index: &Index) -> Result<Survey, MemoryError> {
        let search = |error| MemoryError::Search(SearchError::Index(error));
        let today = self.today();
        let relevances = Relevances::on(days_since_1970(today), &self.config.decay);
        let standings: Vec<Standing> = index
            .memories()
            .map_err(search)?
            .into_iter()
            .map(|memory| {
                let relevance = relevances.of(&memory.standing);
                let visibility = match memory.archived {
                    true => Visibility::Archived,
                    false => relevances.visibility(&memory.standing),
                };
                Standing { memory, relevance, visibility }
            })
            .collect();
        let count = |kind: StoreKind| {
            standings
                .iter()
                .filter(|each| each.memory.standing.store == kind && !each.memory.archived)
                .count()
        };
        let (episodes, procedures) = (count(StoreKind::Episodic), count(StoreKind::Procedural));
        let log = self.ledger.layout().file(Store::Meta, super::LOG)?;
        let past = past(&self.ledger.read(&log)?.unwrap_or_default());
        let mut nodes = index.entities().map_err(search)?;
        nodes.retain(|node| !node.archived);
        let known: BTreeSet<&str> = nodes.iter().map(|node| node.id.as_str()).collect();
        let mut edges = index.edges().map_err(search)?;
        edges.retain(|edge| edge.ended.is_none() && known.contains(edge.from.as_str()));
        let (files, said) = self.read_pages(&standings)?;
        Ok(Survey { today, past, standings, files, said, nodes, edges, episodes, procedures })
    }

    /// The pages that hold memories, read on all cores.
    fn read_pages(&self, standings: &[Standing]) -> Result<(Vec<Surveyed>, Vec<Said>), MemoryError> {
        let layout = self.ledger.layout();
        let mut wanted: BTreeMap<MemoryPath, (Place, Option<&str>)> = BTreeMap::new();
        wanted.insert(self.path(Store::Core).clone(), (Place::Core, None));
        wanted.extend(self.fact_pages().into_iter().map(|path| (path, (Place::Facts, None))));
        wanted.insert(layout.file(Store::Vault, "pinned.md")?, (Place::Vault, None));
        for Standing { memory, .. } in standings.iter().filter(|each| !each.memory.archived) {
            let place = match memory.id.split_once(':') {
                Some(("entity", _)) => Place::Entity,
                Some(("procedure", _)) => Place::Procedure,
                _ => continue,
            };
            if let Ok(path) = MemoryPath::new(memory.path.as_ref()) {
                wanted.insert(path, (place, Some(memory.id.as_str())));
            }
        }
        let wanted: Vec<(MemoryPath, Place, Option<&str>)> =
            wanted.into_iter().map(|(path, (place, id))| (path, place, id)).collect();
        let readers = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_READERS);
        let share = wanted.len().div_ceil(readers).max(1);
        let parts: Vec<Result<Vec<ReadPage>, MemoryError>> = std::thread::scope(|scope| {
            let reading: Vec<_> = wanted
                .chunks(share)
                .map(|part| {
                    scope.spawn(move || {
                        let read = part.iter().map(|(path, place, id)| self.read_page(path, *place, *id));
                        read.filter_map(Result::transpose).collect()
                    })
                })
                .collect();
            reading
                .into_iter()
                .map(|each| each.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let (mut files, mut said) = (Vec::new(), Vec::new());
        for part in parts {
            for (file, items) in part? {
                let number = files.len();
                files.push(file);
                said.extend(items.into_iter().map(|item| Said { file: number, ..item }));
            }
        }
        Ok((files, said))
    }

    fn read_page(
        &self,
        path: &MemoryPath,
        place: Place,
        id: Option<&str>,
    ) -> Result<Option<ReadPage>, MemoryError> {
        let Some(bytes) = self.ledger.read(path)? else { return Ok(None) };
        // What cannot be read as a page is reported by `rem verify`, and stays as it is.
        let Ok(page) = Page::parse(&bytes) else { return Ok(None) };
        let lines: Vec<&str> = page.as_str().lines().collect();
        let title = lines.iter().position(|line| line.starts_with("# ")).unwrap_or(0);
        let title = (title + 1, lines.get(title).copied().unwrap_or_default().to_owned());
        let is_private = id.is_some() && !Addressees::of_file(page.as_str()).is_for_all();
        let items = page.items().iter().filter(|item| {
            item.ended().is_none()
                && item.annotation.get(rem_recall::FOR).is_none()
                && !is_private
                && place != Place::Procedure
                && (place != Place::Entity || item.section.eq_ignore_ascii_case(FACTS))
        });
        let said = items
            .map(|item| {
                let range = item.lines.start - 1..(item.lines.end - 1).min(lines.len());
                Said {
                    place,
                    file: 0,
                    lines: item.lines.clone(),
                    raw: lines[range].join("\n"),
                    section: item.section.clone(),
                    text: item.plain().to_owned(),
                    annotation: item.annotation.clone(),
                }
            })
            .collect();
        let surveyed = Surveyed {
            path: path.clone(),
            hash: super::hash_of(&bytes),
            title,
            memory: id.map(str::to_owned),
            stays: id.is_some() && crate::lifecycle::keeping::reason_to_stay(&bytes).is_some(),
            is_private,
        };
        Ok(Some((surveyed, said)))
    }
}
