//! Where each store lies (resolution 1): code speaks of stores, and only this file knows paths.
//!
//! Two presets, `openclaw` and `autopoiesis`; any store's path can be overridden in CONFIG.md. A memory's meaning never
//! depends on the preset.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use rem_format::entity::{EntityId, EntityType};
use rem_format::path::{MemoryPath, PathError};

/// A place for one kind of memory. Whether it is a file or a folder is part of its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each store is described in the table below, which a reader meets first")]
pub enum Store {
    Soul,
    IdentityCard,
    User,
    Agents,
    Tools,
    Core,
    Config,
    Corrections,
    Conflicts,
    Changelog,
    CompactionLog,
    Episodes,
    GraphIndex,
    Relations,
    Entities,
    Procedures,
    Vault,
    Meta,
    Journal,
    Projects,
    People,
    Reference,
    Topics,
    Archive,
    Chronicles,
    CorrectionArchive,
    SoulHistory,
    Transcripts,
    Attachments,
}

/// One row of the layout: the store, its name in CONFIG.md, its path in each preset, whether it is a folder, the category
/// that search results from it carry.
type Row = (Store, &'static str, &'static str, &'static str, bool, &'static str);

/// Every store. Longer paths win over shorter ones when a path is looked up, so nested stores need no order.
const TABLE: &[Row] = &[
    (Store::Soul, "soul", "SOUL.md", "knowledge/identity/SOUL.md", false, "identity"),
    (Store::IdentityCard, "identity", "IDENTITY.md", "knowledge/identity/IDENTITY.md", false, "identity"),
    (Store::User, "user", "USER.md", "knowledge/identity/USER.md", false, "identity"),
    (Store::Agents, "agents", "AGENTS.md", "knowledge/identity/AGENTS.md", false, "identity"),
    (Store::Tools, "tools", "TOOLS.md", "knowledge/identity/TOOLS.md", false, "identity"),
    (Store::Core, "core", "MEMORY.md", "knowledge/memory/MEMORY.md", false, "memory"),
    (Store::Config, "config", "CONFIG.md", "CONFIG.md", false, "config"),
    (
        Store::Corrections,
        "corrections",
        "CORRECTIONS.md",
        "knowledge/memory/CORRECTIONS.md",
        false,
        "correction",
    ),
    (Store::Conflicts, "conflicts", "CONFLICTS.md", "knowledge/memory/CONFLICTS.md", false, "memory"),
    (Store::Changelog, "changelog", "CHANGELOG.md", "knowledge/identity/CHANGELOG.md", false, "identity"),
    (
        Store::CompactionLog,
        "compaction_log",
        "COMPACTION_LOG.md",
        "knowledge/memory/COMPACTION_LOG.md",
        false,
        "memory",
    ),
    (Store::Episodes, "episodes", "memory/episodes", "knowledge/episodes", true, "episode"),
    (Store::GraphIndex, "graph_index", "memory/graph/index.md", "knowledge/graph/index.md", false, "entity"),
    (
        Store::Relations,
        "relations",
        "memory/graph/relations.md",
        "knowledge/graph/relations.md",
        false,
        "entity",
    ),
    (Store::Entities, "entities", "memory/graph/entities", "knowledge/graph/entities", true, "entity"),
    (Store::Procedures, "procedures", "memory/procedures", "knowledge/procedures", true, "procedure"),
    (Store::Vault, "vault", "memory/vault", "knowledge/vault", true, "vault"),
    (Store::Meta, "meta", "memory/meta", "knowledge/meta", true, "meta"),
    (Store::Journal, "journal", "memory", "knowledge/journal", true, "journal"),
    (Store::Projects, "projects", "memory/projects", "knowledge/projects", true, "project"),
    (Store::People, "people", "memory/people", "knowledge/people", true, "person"),
    (Store::Reference, "reference", "memory/reference", "knowledge/reference", true, "reference"),
    (Store::Topics, "topics", "topics", "topics", true, "topic"),
    (Store::Archive, "archive", "memory/archive", "knowledge/archive", true, "archive"),
    (Store::Chronicles, "chronicles", "Archive/Chronicles", "knowledge/archive/chronicles", true, "archive"),
    (
        Store::CorrectionArchive,
        "correction_archive",
        "Archive/Corrections",
        "knowledge/archive/corrections",
        true,
        "archive",
    ),
    (Store::SoulHistory, "soul_history", "SOUL_HISTORY", "knowledge/identity/history", true, "archive"),
    (Store::Transcripts, "transcripts", "raw/conversations", "raw/conversations", true, "conversation"),
    (Store::Attachments, "attachments", "attachments", "attachments", true, "attachment"),
];

/// Settings of the hosts whose workspace this may be, which are as critical as ours (M12.1).
pub(crate) const HOST_SETTINGS: [&str; 2] = ["moltbot.json", "openclaw.json"];

/// What the names of the pages of facts begin with.
const FACTS: &str = "facts";

/// What the ids of persons begin with.
const PERSON: &str = "person--";

/// A named set of paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LayoutPreset {
    /// The OpenClaw workspace of P, M and S.
    #[default]
    OpenClaw,
    /// The `knowledge/` tree of A.
    Autopoiesis,
}

impl LayoutPreset {
    /// The name in CONFIG.md.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenClaw => "openclaw",
            Self::Autopoiesis => "autopoiesis",
        }
    }
}

impl fmt::Display for LayoutPreset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for LayoutPreset {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        [Self::OpenClaw, Self::Autopoiesis]
            .into_iter()
            .find(|preset| preset.as_str() == text)
            .ok_or_else(|| format!("{text:?} is no layout: openclaw or autopoiesis"))
    }
}

/// The path of every store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    preset: LayoutPreset,
    paths: BTreeMap<Store, MemoryPath>,
}

impl Default for Layout {
    fn default() -> Self {
        Self::preset(LayoutPreset::OpenClaw)
    }
}

impl Layout {
    /// The paths of a preset.
    #[must_use]
    pub fn preset(preset: LayoutPreset) -> Self {
        let paths = TABLE
            .iter()
            .filter_map(|(store, _, openclaw, autopoiesis, ..)| {
                let path = if preset == LayoutPreset::OpenClaw { openclaw } else { autopoiesis };
                // Every path of the table is a valid one, which a test shows; a wrong one would only be missing here.
                MemoryPath::new(*path).ok().map(|path| (*store, path))
            })
            .collect();
        Self { preset, paths }
    }

    /// The same layout with one store elsewhere.
    ///
    /// # Errors
    /// A message naming the store that does not exist, or [`PathError`] for a path outside the workspace.
    pub fn with_override(mut self, store: &str, path: &str) -> Result<Self, LayoutError> {
        let row = TABLE.iter().find(|row| row.1 == store).ok_or_else(|| LayoutError::UnknownStore {
            store: store.to_owned(),
            known: TABLE.iter().map(|row| row.1).collect::<Vec<_>>().join(", "),
        })?;
        self.paths.insert(row.0, MemoryPath::new(path.trim_end_matches('/'))?);
        Ok(self)
    }

    /// Which preset it came from.
    #[must_use]
    pub fn preset_name(&self) -> LayoutPreset {
        self.preset
    }

    /// The path of a store.
    #[must_use]
    pub fn path(&self, store: Store) -> &MemoryPath {
        // The map is filled from the table and only ever replaced key by key.
        &self.paths[&store]
    }

    /// A file inside a folder store.
    ///
    /// # Errors
    /// [`PathError`] where `name` is no acceptable path.
    pub fn file(&self, store: Store, name: &str) -> Result<MemoryPath, PathError> {
        MemoryPath::new(format!("{}/{name}", self.path(store)))
    }

    /// The file of what sub-agents propose (M13.2), the one that they may write.
    #[must_use]
    pub fn pending_memories(&self) -> MemoryPath {
        // A name without a separator below a path that is one always makes another.
        self.file(Store::Meta, "pending-memories.md").unwrap_or_else(|_| self.path(Store::Meta).clone())
    }

    /// The page of facts with this number, from 1: what is about nothing that has a file of its own. The first is `facts.md`; where it is
    /// full, the facts go on in `facts-2.md`, and so on.
    ///
    /// # Errors
    /// [`PathError`] where the folder is no acceptable path.
    pub fn fact_page(&self, number: usize) -> Result<MemoryPath, PathError> {
        let name = if number < 2 { format!("{FACTS}.md") } else { format!("{FACTS}-{number}.md") };
        self.file(Store::Reference, &name)
    }

    /// The number of a page of facts; nothing for any other file.
    #[must_use]
    pub fn fact_page_number(&self, path: &MemoryPath) -> Option<usize> {
        let is_there = path.folder() == self.path(Store::Reference).as_str();
        Self::fact_page_named(path.file_name()).filter(|_| is_there)
    }

    /// The number of the page of facts whose file has this name; nothing for any other name.
    #[must_use]
    pub fn fact_page_named(name: &str) -> Option<usize> {
        let rest = name.strip_prefix(FACTS)?.strip_suffix(".md")?;
        if rest.is_empty() {
            return Some(1);
        }
        let digits = rest.strip_prefix('-')?;
        digits.parse().ok().filter(|number: &usize| *number > 1 && number.to_string() == digits)
    }

    /// The store a path belongs to: the one with the longest matching path.
    #[must_use]
    pub fn store_of(&self, path: &MemoryPath) -> Option<Store> {
        self.paths
            .iter()
            .filter(
                |(store, at)| {
                    if is_folder(**store) { path.is_under(at.as_str()) && path != *at } else { path == *at }
                },
            )
            .max_by_key(|(_, at)| at.as_str().len())
            .map(|(store, _)| *store)
    }

    /// The entity that a file is by its place and its name (resolution 20): `TYPE--NAME.md` among the entities and, where persons
    /// have a place of their own, any page right in it whose name begins with neither `_` nor `.`. Two files may name one
    /// entity; [`Self::entity_places`] says which counts.
    #[must_use]
    pub fn entity_named(&self, path: &MemoryPath) -> Option<EntityId> {
        let stem = path.file_name().strip_suffix(".md")?;
        match self.store_of(path)? {
            Store::Entities => exact(stem),
            Store::People if self.keeps_persons_apart() => {
                let is_page =
                    path.folder() != self.path(Store::People).as_str() || stem.starts_with(['_', '.']);
                let name = stem.strip_prefix(PERSON).unwrap_or(stem);
                if is_page { None } else { exact(&format!("{PERSON}{name}")) }
            }
            _ => None,
        }
    }

    /// Where the file of an entity may lie. The first that is there counts; a new one goes to the last. Before persons had a place
    /// of their own they lay among the other entities, and may still.
    ///
    /// # Errors
    /// [`PathError`] for an id that is no acceptable file name.
    pub fn entity_places(&self, id: &EntityId) -> Result<Vec<MemoryPath>, PathError> {
        let mut places = vec![self.file(Store::Entities, &id.file_name())?];
        if self.keeps_persons_apart() && id.kind() == EntityType::Person.as_str() {
            let apart = [id.file_name(), format!("{}.md", id.slug())];
            let apart = apart.iter().filter_map(|name| self.file(Store::People, name).ok());
            // A name that means a page or somebody else there has its place among the entities alone.
            places.extend(apart.filter(|path| self.entity_named(path).as_ref() == Some(id)));
        }
        Ok(places)
    }

    /// Whether the entities of type person lie in `people/` (A2.2).
    fn keeps_persons_apart(&self) -> bool {
        self.preset == LayoutPreset::Autopoiesis
    }

    /// The category of search results from a path (A9.1); `note` for files of no store.
    #[must_use]
    pub fn category(&self, path: &MemoryPath) -> &'static str {
        self.store_of(path).map_or("note", |store| row(store).5)
    }

    /// Every category that [`Self::category`] gives; some more than once.
    pub fn categories(&self) -> impl Iterator<Item = &'static str> + use<> {
        TABLE.iter().map(|row| row.5).chain(["note"])
    }

    /// Whether every change to this file raises an alert (M12.1's red rows).
    #[must_use]
    pub fn is_critical(&self, path: &MemoryPath) -> bool {
        matches!(self.store_of(path), Some(Store::Soul | Store::IdentityCard | Store::Config))
            || HOST_SETTINGS.contains(&path.as_str())
    }

    /// The critical files, whether they are there or not.
    #[must_use]
    pub(crate) fn critical(&self) -> Vec<MemoryPath> {
        let stores = [Store::Soul, Store::IdentityCard, Store::Config].map(|store| self.path(store).clone());
        let hosts = HOST_SETTINGS.iter().filter_map(|name| MemoryPath::new(*name).ok());
        stores.into_iter().chain(hosts).collect()
    }

    /// Whether a change of this file needs the operator's approval (row I10): who the agent is, whom it works for, how it is told to work, what
    /// is pinned for good, and the settings.
    #[must_use]
    pub fn needs_consent(&self, path: &MemoryPath) -> bool {
        self.is_critical(path)
            || matches!(self.store_of(path), Some(Store::User | Store::Agents | Store::Tools))
            || (self.store_of(path) == Some(Store::Vault) && path.as_str().ends_with(".md"))
    }

    /// The file of signed approvals.
    #[must_use]
    pub fn approvals(&self) -> MemoryPath {
        // As for proposals.
        self.file(Store::Meta, "approvals.md").unwrap_or_else(|_| self.path(Store::Meta).clone())
    }

    /// Whether this file is only ever added to: what stands in it is neither changed nor taken away (M5).
    #[must_use]
    pub fn is_append_only(&self, path: &MemoryPath) -> bool {
        (matches!(self.store_of(path), Some(Store::Episodes)) && path.as_str().ends_with(".md"))
            || *path == self.approvals()
    }

    /// Every folder store's path.
    pub fn folders(&self) -> impl Iterator<Item = &MemoryPath> {
        self.paths.iter().filter(|(store, _)| is_folder(**store)).map(|(_, path)| path)
    }
}

/// The id that is written so; nothing for what is read as another.
fn exact(text: &str) -> Option<EntityId> {
    text.parse().ok().filter(|id: &EntityId| id.as_str() == text)
}

/// The row of a store: the table is in the order of the stores, which a test shows.
fn row(store: Store) -> &'static Row {
    &TABLE[store as usize]
}

fn is_folder(store: Store) -> bool {
    row(store).4
}

/// Why a layout override is refused.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// There is no such store.
    #[error("there is no store {store:?}; the stores are {known}")]
    UnknownStore {
        /// The name given.
        store: String,
        /// All names.
        known: String,
    },
    /// The path is not acceptable.
    #[error(transparent)]
    Path(#[from] PathError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> MemoryPath {
        MemoryPath::new(text).unwrap()
    }

    #[test]
    fn every_store_has_a_path_in_both_presets() {
        for preset in [LayoutPreset::OpenClaw, LayoutPreset::Autopoiesis] {
            let layout = Layout::preset(preset);
            for row in TABLE {
                assert!(layout.paths.contains_key(&row.0), "{} in {preset}", row.1);
            }
        }
    }

    #[test]
    fn the_table_is_in_the_order_of_the_stores() {
        for (at, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, at, "{}", row.1);
        }
    }

    #[test]
    fn the_deepest_store_owns_a_path() {
        let layout = Layout::default();
        assert_eq!(layout.store_of(&path("memory/2026-03-19.md")), Some(Store::Journal));
        assert_eq!(layout.store_of(&path("memory/episodes/2026-03-19.md")), Some(Store::Episodes));
        assert_eq!(layout.category(&path("memory/graph/entities/person--alex.md")), "entity");
        assert_eq!(layout.category(&path("README.md")), "note");
        assert!(layout.is_critical(&path("SOUL.md")) && !layout.is_critical(&path("MEMORY.md")));
        assert!(layout.is_append_only(&path("memory/episodes/2026-03-19.md")));
        assert!(!layout.is_append_only(&path("memory/2026-03-19.md")));
    }

    #[test]
    fn a_persons_file_lies_where_the_layout_says_and_leads_back_to_its_id() {
        let id = |text: &str| text.parse::<EntityId>().unwrap();
        let places = |layout: &Layout, text: &str| -> Vec<String> {
            layout.entity_places(&id(text)).unwrap().iter().map(ToString::to_string).collect()
        };
        let (default, other) = (Layout::default(), Layout::preset(LayoutPreset::Autopoiesis));
        assert_eq!(places(&default, "person--mira-holt"), ["memory/graph/entities/person--mira-holt.md"]);
        assert_eq!(
            places(&other, "person--mira-holt"),
            [
                "knowledge/graph/entities/person--mira-holt.md",
                "knowledge/people/person--mira-holt.md",
                "knowledge/people/mira-holt.md"
            ]
        );
        assert_eq!(places(&other, "tool--helix"), ["knowledge/graph/entities/tool--helix.md"]);
        for text in [
            "person--Mira Holt",
            "person--김",
            "person--_index",
            "person--.x",
            "person--person--x",
            "person--a--b",
        ] {
            for layout in [&default, &other] {
                for place in layout.entity_places(&id(text)).unwrap() {
                    assert_eq!(layout.entity_named(&place), Some(id(text)), "{place}");
                }
            }
        }
        assert_eq!(places(&other, "person--_index").len(), 2, "the list of people is nobody");
        for page in ["_index.md", "family/anna.md", "photo.png", ".draft.md", "a[b].md"] {
            assert_eq!(other.entity_named(&path(&format!("knowledge/people/{page}"))), None, "{page}");
        }
        assert_eq!(default.entity_named(&path("memory/people/mira.md")), None);
        assert_eq!(other.entity_named(&path("knowledge/graph/entities/notes.md")), None);
    }

    #[test]
    fn a_page_of_facts_is_known_by_its_name_and_its_place() {
        for layout in [Layout::default(), Layout::preset(LayoutPreset::Autopoiesis)] {
            for number in [1, 2, 3, 10, 1_000] {
                let page = layout.fact_page(number).unwrap();
                assert_eq!(layout.fact_page_number(&page), Some(number), "{page}");
            }
            let folder = layout.path(Store::Reference).to_string();
            for name in [
                "facts-1.md",
                "facts-0.md",
                "facts-02.md",
                "facts-+2.md",
                "facts-.md",
                "facts-2.txt",
                "x/facts.md",
                "facts-a.md",
            ] {
                assert_eq!(layout.fact_page_number(&path(&format!("{folder}/{name}"))), None, "{name}");
            }
            assert_eq!(layout.fact_page_number(&path("facts-2.md")), None);
        }
        assert_eq!(Layout::default().fact_page(1).unwrap().as_str(), "memory/reference/facts.md");
        assert_eq!(Layout::default().fact_page(2).unwrap().as_str(), "memory/reference/facts-2.md");
    }

    #[test]
    fn one_store_can_lie_elsewhere() {
        let layout = Layout::default().with_override("transcripts", "logs/talk").unwrap();
        assert_eq!(layout.path(Store::Transcripts).as_str(), "logs/talk");
        assert!(
            Layout::default()
                .with_override("transcript", "x")
                .unwrap_err()
                .to_string()
                .contains("transcripts")
        );
        assert!(Layout::default().with_override("core", "../MEMORY.md").is_err());
    }
}
