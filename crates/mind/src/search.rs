//! Finding: which files are searched, what each is called, and the one `recall` over them.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime};

use rem_format::config::SearchFusion;
use rem_format::decay_scores::StoreKind;
use rem_format::entity::EntityId;
use rem_format::path::MemoryPath;
use rem_ledger::{Applied, ChangeSet, Layout, ListedFile, Listing, Provenance, Store};
use rem_recall::{
    Answer, Asking, Fusion, Holds, Index, IndexError, Indexed, Label, Moment, Progress, Query, Ranking,
    Refreshed, Skipped, SourceFile, Sources, Stamp,
};

use crate::error::MemoryError;
use crate::indexes::Borrowed;
use crate::lifecycle::records::is_record;
use crate::memory::Memory;
use crate::stores::facts::is_fact_page;
use crate::stores::locate::is_double;

/// How long a change waits for another process that writes the index.
const PATIENCE: Duration = Duration::from_millis(20);

/// The index takes in what was left for later after so many changes.
const MOST_LATE: usize = 32;

/// Files that the index takes in later, with those of other changes.
#[derive(Debug, Default)]
pub(crate) struct Late {
    paths: BTreeSet<MemoryPath>,
    changes: usize,
}

/// The files that are searched, as a listing found them: every Markdown file, in path order.
#[derive(Debug, Clone)]
pub(crate) struct SearchedFiles {
    listing: Arc<Listing>,
    files: Arc<Vec<SourceFile>>,
}

impl Deref for SearchedFiles {
    type Target = [SourceFile];

    fn deref(&self) -> &[SourceFile] {
        &self.files
    }
}

impl Memory {
    /// Searches knowledge and conversations (A7). The index is brought up to date first; where there can be none the files
    /// themselves are read. `observed_at` is the machine's own time, which file times are compared with.
    ///
    /// # Errors
    /// [`MemoryError::Search`] when a filter is wrong.
    pub fn recall(
        &self,
        query: &Query,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Answer, MemoryError> {
        self.recall_among(&self.searchable_files()?, query, observed_at, progress)
    }

    /// As [`Self::recall`], after catching up with what happened to the workspace; both look at every file, and look once.
    ///
    /// # Errors
    /// The same.
    pub fn catch_up_and_recall(
        &self,
        query: &Query,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Answer, MemoryError> {
        let files = self.caught_up_files()?;
        self.recall_among(&files, query, observed_at, progress)
    }

    /// Answers from these files, which must be all there are now.
    pub(crate) fn recall_among(
        &self,
        files: &SearchedFiles,
        query: &Query,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Answer, MemoryError> {
        let recalled =
            self.among(files, observed_at, |sources| self.recall_with_embedder(sources, query, progress));
        let (mut answer, refreshed) = recalled.map_err(rem_recall::SearchError::from)?;
        for notice in refreshed.iter().flat_map(|refreshed| &refreshed.notices) {
            tracing::warn!("{notice}");
        }
        let unread = files.listing.unread.iter().filter(|unread| unread.path.ends_with(".md"));
        answer
            .freshness
            .skipped
            .extend(unread.map(|unread| Skipped { path: unread.path.clone(), why: unread.why.clone() }));
        leave_out_blank(&mut answer);
        Ok(answer)
    }

    /// Searches the index as it stands, without a look at the files: for a program that looked a moment ago, or is looking meanwhile.
    /// `behind` is how many files it knows not to have been taken in yet; the answer says so. Where it knows of none and the files are
    /// watched, what was touched since is taken in first. Where there is no index to ask, as [`Self::recall`].
    ///
    /// # Errors
    /// [`MemoryError::Search`] when a filter is wrong.
    pub fn recall_as_indexed(
        &self,
        query: &Query,
        behind: usize,
        observed_at: SystemTime,
    ) -> Result<Answer, MemoryError> {
        if behind == 0 && self.ledger.is_watching() {
            return self.recall(query, observed_at, &mut |_| {});
        }
        match self.search_with_embedder(query) {
            Ok(mut answer) => {
                answer.freshness.files_changed_since = behind;
                leave_out_blank(&mut answer);
                Ok(answer)
            }
            Err(rem_recall::SearchError::Index(error)) => {
                tracing::debug!(%error, "the files are looked at after all");
                self.recall(query, observed_at, &mut |_| {})
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Catches up with what happened to the workspace and brings the index up to date, beside searches that go on meanwhile.
    ///
    /// # Errors
    /// [`MemoryError::Search`] when there can be no index here.
    pub fn catch_up_and_index(
        &self,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Refreshed, MemoryError> {
        let files = self.caught_up_files()?;
        let mut index = self.open_index()?;
        let refreshed = self.among(&files, observed_at, |sources| index.refresh(sources, progress));
        Ok(refreshed.map_err(rem_recall::SearchError::from)?)
    }

    /// Brings the index up to date; from nothing when `force` is set.
    ///
    /// # Errors
    /// [`MemoryError::Search`] when there can be no index here.
    pub fn index(
        &self,
        force: bool,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Refreshed, MemoryError> {
        let mut index = self.open_index()?;
        if force {
            index.reset().map_err(rem_recall::SearchError::from)?;
        }
        self.refresh(&mut index, observed_at, progress)
    }

    /// What is in the index as it stands, by category; nothing where there is none.
    ///
    /// # Errors
    /// [`MemoryError::Search`] when it cannot be read.
    pub fn indexed(&self) -> Result<Vec<Indexed>, MemoryError> {
        let index = self.present_index();
        let contents = index.as_ref().map_or_else(|| Ok(Vec::new()), Index::contents);
        Ok(contents.map_err(rem_recall::SearchError::from)?)
    }

    /// Those who ask, with the groups they are in. Where there can be no index their names count as they were given.
    pub(crate) fn resolved(&self, asking: &Asking, files: &SearchedFiles, observed_at: SystemTime) -> Asking {
        if asking.is_operator() {
            return asking.clone();
        }
        let resolve = || -> Result<Asking, rem_recall::SearchError> {
            self.with_index(|index| {
                let index = index?;
                self.among(files, observed_at, |sources| index.refresh(sources, &mut |_| {}))?;
                Ok(index.resolved(asking)?)
            })
        };
        resolve().unwrap_or_else(|error| {
            tracing::warn!("groups are not known: {error}");
            asking.clone()
        })
    }

    /// The index as it stands, which may be behind the files.
    pub(crate) fn open_index(&self) -> Result<Index, MemoryError> {
        Ok(Index::open(&self.index_path(), self.passage_tokens()).map_err(rem_recall::SearchError::from)?)
    }

    /// Asks the index as it stands, which stays open from one question to the next.
    pub(crate) fn with_index<T>(&self, ask: impl FnOnce(Result<&mut Index, IndexError>) -> T) -> T {
        match self.indexes.borrow(&self.index_path(), self.passage_tokens()) {
            Ok(mut borrowed) => match borrowed.as_mut() {
                Some(index) => ask(Ok(index)),
                None => unreachable!("an index that is borrowed is there"),
            },
            Err(error) => ask(Err(error)),
        }
    }

    /// The index as it stands, which stays open from one question to the next; nothing where there can be none.
    pub(crate) fn kept_index(&self) -> Borrowed<'_> {
        let borrowed = self.indexes.borrow(&self.index_path(), self.passage_tokens());
        borrowed.unwrap_or_else(|_| self.indexes.none())
    }

    /// As [`Self::kept_index`], where there is an index: what only counts makes none.
    pub(crate) fn present_index(&self) -> Borrowed<'_> {
        match self.index_path().is_file() {
            true => self.kept_index(),
            false => self.indexes.none(),
        }
    }

    /// Carries out a change of the stores: the graph's page follows, and the index, where there is one, takes it in at once.
    pub(crate) fn change(&self, set: ChangeSet<'_>, provenance: &Provenance) -> Result<Applied, MemoryError> {
        let applied = self.ledger.apply(&self.with_graph_index(set), provenance)?;
        self.take_in(applied.files.iter().map(|change| &change.path));
        Ok(applied)
    }

    /// As [`Self::change`], one of many: the index takes in at once what the files of entities say, which those after it ask for, and the
    /// rest with that of the others, every so often and in [`Self::take_in_late`].
    pub(crate) fn change_late(
        &self,
        set: ChangeSet<'_>,
        provenance: &Provenance,
        late: &mut Late,
    ) -> Result<Applied, MemoryError> {
        let applied = self.ledger.apply(&self.with_graph_index(set), provenance)?;
        let paths = applied.files.iter().map(|change| change.path.clone());
        let (entities, others): (Vec<_>, Vec<_>) =
            paths.partition(|path| self.ledger.layout().entity_named(path).is_some());
        self.take_in(entities.iter());
        late.paths.extend(others);
        late.changes += 1;
        if late.changes >= MOST_LATE {
            self.take_in_late(late);
        }
        Ok(applied)
    }

    /// Has the index take in what was left for later.
    pub(crate) fn take_in_late(&self, late: &mut Late) {
        let Late { paths, .. } = std::mem::take(late);
        self.take_in(paths.iter());
    }

    /// Has the index take in what became of files. Where that is not to be had quickly, the next search does it.
    fn take_in<'p>(&self, paths: impl ExactSizeIterator<Item = &'p MemoryPath>) {
        if paths.len() == 0 || !self.index_path().is_file() {
            return;
        }
        let mut kept = self.kept_index();
        let Some(index) = kept.as_mut() else { return };
        let root = self.ledger.root();
        let changed = paths.map(MemoryPath::as_str).filter(|path| self.is_searched(path));
        let (mut files, mut gone) = (Vec::new(), Vec::new());
        for path in changed {
            match SourceFile::at(path.to_owned(), root.join(path)) {
                Some(file) => files.push(file),
                None => gone.push(path),
            }
        }
        let beside = self.pages_beside_entities(&files, |place| root.join(place.as_str()).is_file());
        let forgotten = self.forgotten_by_others();
        let label = |path: &str| self.label(path, &beside, &forgotten);
        // When it is asked again their times will tell: now they are too young for that.
        let observed_at = SystemTime::UNIX_EPOCH;
        let sources = Sources {
            files: &files,
            label: &label,
            labels: self.labels(&beside, &forgotten),
            observed_at,
            checkpoint: None,
            moment: None,
        };
        if let Err(error) = index.take_in(&sources, &gone, PATIENCE) {
            tracing::debug!(%error, "the next search takes the change in");
        }
    }

    /// The index, which says what the files say.
    pub(crate) fn refreshed_index(&self, observed_at: SystemTime) -> Result<Index, MemoryError> {
        let mut index = self.open_index()?;
        self.refresh(&mut index, observed_at, &mut |_| {})?;
        Ok(index)
    }

    fn refresh(
        &self,
        index: &mut Index,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Refreshed, MemoryError> {
        let files = self.searchable_files()?;
        let refreshed = self.among(&files, observed_at, |sources| index.refresh(sources, progress));
        Ok(refreshed.map_err(rem_recall::SearchError::from)?)
    }

    /// These files with all that an index wants to know of them.
    fn among<T>(
        &self,
        files: &SearchedFiles,
        observed_at: SystemTime,
        ask: impl FnOnce(&Sources<'_>) -> T,
    ) -> T {
        let is_there = |place: &MemoryPath| {
            files.binary_search_by(|file| file.path.as_str().cmp(place.as_str())).is_ok()
        };
        let beside = self.pages_beside_entities(files, is_there);
        let forgotten = self.forgotten_by_others();
        let label = |path: &str| self.label(path, &beside, &forgotten);
        self.with_checkpoint(|checkpoint| {
            let (labels, checkpoint) = (self.labels(&beside, &forgotten), Some(checkpoint));
            let changed_since = |state| {
                let changed = files.listing.changed_since(state)?;
                Some(changed.into_iter().filter(|path| self.is_searched(path)).map(str::to_owned).collect())
            };
            let moment = files.listing.state().map(|state| Moment { state, changed_since: &changed_since });
            ask(&Sources { files, label: &label, labels, observed_at, checkpoint, moment })
        })
    }

    /// The pages that are named like an entity whose file lies elsewhere.
    fn pages_beside_entities<'a>(
        &self,
        files: &'a [SourceFile],
        is_there: impl Fn(&MemoryPath) -> bool,
    ) -> BTreeSet<&'a str> {
        let layout = self.ledger.layout();
        let people = self.path(Store::People).as_str();
        let is_beside = |path: &str| {
            let Ok(path) = MemoryPath::new(path) else { return false };
            layout.entity_named(&path).is_some_and(|id| is_double(layout, &path, &id, &is_there))
        };
        let paths = files.iter().map(|file| file.path.as_str());
        paths.filter(|path| path.starts_with(people) && is_beside(path)).collect()
    }

    /// A number for what labels depend on: the layout, and which pages are no entities.
    fn labels(&self, beside: &BTreeSet<&str>, forgotten: &BTreeSet<MemoryPath>) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(&format!("{:?}", self.ledger.layout()), &mut hasher);
        std::hash::Hash::hash(beside, &mut hasher);
        std::hash::Hash::hash(forgotten, &mut hasher);
        std::hash::Hasher::finish(&hasher)
    }

    /// A question as the settings have it asked: limits, ranking, and today's date.
    #[must_use]
    pub fn query(&self, text: &str) -> Query {
        let search = &self.config.search;
        let count = |setting: u64| usize::try_from(setting).unwrap_or(usize::MAX);
        #[allow(clippy::cast_possible_truncation, reason = "a share needs no more")]
        let weight = |setting: f64| setting as f32;
        Query {
            text: text.to_owned(),
            limit: count(search.max_results),
            min_score: search.min_score,
            snippet_characters: count(search.snippet_characters),
            today: Some(self.today()),
            ranking: Ranking {
                fusion: match search.fusion {
                    SearchFusion::Scaled => Fusion::Scaled,
                    SearchFusion::Seed => Fusion::Seed,
                },
                bm25_weight: weight(search.bm25_weight),
                vector_weight: weight(search.vector_weight),
                half_life_days: search.temporal_decay.then_some(search.half_life_days),
                decay_strength: search.decay_strength,
                relevance_strength: search.relevance_strength,
                correction_boost: search.correction_boost,
                graph_depth: count(search.graph_depth),
                context: true,
            },
            decay: Some(self.config.decay.clone()),
            ..Query::default()
        }
    }

    pub(crate) fn index_path(&self) -> std::path::PathBuf {
        self.ledger.root().join("memory.db")
    }

    pub(crate) fn passage_tokens(&self) -> usize {
        usize::try_from(self.config.search.passage_tokens).unwrap_or(usize::MAX)
    }

    /// Every Markdown file of the workspace as it is now, in path order. Symbolic links are not followed.
    pub(crate) fn searchable_files(&self) -> Result<SearchedFiles, MemoryError> {
        Ok(self.searchable_of(self.ledger.list()?))
    }

    /// As [`Self::searchable_files`], after catching up.
    pub(crate) fn caught_up_files(&self) -> Result<SearchedFiles, MemoryError> {
        match self.catch_up_and_list() {
            Some(listing) => Ok(self.searchable_of(listing)),
            None => self.searchable_files(),
        }
    }

    /// Of a listing that is known to be an earlier one but for some files, only those are looked at.
    fn searchable_of(&self, listing: Arc<Listing>) -> SearchedFiles {
        let mut kept = self.kept_files.lock().unwrap_or_else(PoisonError::into_inner);
        let source = |file: &ListedFile| {
            let is_one = file.metadata.is_file() && self.is_searched(&file.path);
            is_one.then(|| SourceFile {
                absolute: self.ledger.root().join(&file.path),
                stamp: Stamp::of(&file.metadata),
                path: file.path.clone(),
            })
        };
        let followed = kept.take().and_then(|(state, files)| Some((listing.changed_since(state)?, files)));
        let files = match followed {
            Some((changed, files)) if changed.is_empty() => files,
            Some((changed, mut files)) => {
                let those = Arc::make_mut(&mut files);
                for path in changed {
                    let found = listing.file(path).and_then(source);
                    match (those.binary_search_by(|file| file.path.as_str().cmp(path)), found) {
                        (Ok(place), Some(file)) => those[place] = file,
                        (Err(place), Some(file)) => those.insert(place, file),
                        (Ok(place), None) => drop(those.remove(place)),
                        (Err(_), None) => {}
                    }
                }
                files
            }
            None => Arc::new(listing.files.iter().filter_map(source).collect()),
        };
        *kept = listing.state().map(|state| (state, files.clone()));
        SearchedFiles { listing, files }
    }

    /// Whether a file is one that is searched. What the graph's page says stands in the entities' files, and is found there; the settings,
    /// how agents are told to work, the kinds of edges and what a model is asked are no memory; and what is only proposed, or was
    /// rejected, is none yet.
    fn is_searched(&self, path: &str) -> bool {
        const NO_MEMORY: [Store; 4] = [Store::GraphIndex, Store::Relations, Store::Agents, Store::Config];
        path.ends_with(".md")
            && !NO_MEMORY.iter().any(|store| path == self.path(*store).as_str())
            && !self.is_prompt(path)
            && !is_record(self.ledger.layout(), path)
            && !path.starts_with(&format!("{}/", self.path(Store::SoulHistory)))
    }

    fn label(&self, path: &str, beside: &BTreeSet<&str>, forgotten: &BTreeSet<MemoryPath>) -> Label {
        let Ok(path) = MemoryPath::new(path) else { return Label::default() };
        let layout = self.ledger.layout();
        let entity = layout.entity_named(&path).filter(|_| !beside.contains(path.as_str()));
        Label {
            category: layout.category(&path).to_owned(),
            tier: tier(layout, &path).to_owned(),
            holds: if entity.is_some() { Holds::Entity } else { holds(layout, &path) },
            id: memory_id(layout, &path, entity.as_ref()),
            facets: facets(layout, &path),
            is_for_operator: is_for_operator(layout, &path),
            is_out_of_use: forgotten.contains(&path),
        }
    }
}

/// Whether a file is about the memory itself, and tells nobody but the operator anything.
pub(crate) fn is_for_operator(layout: &Layout, path: &MemoryPath) -> bool {
    layout.category(path) == "meta"
}

/// S's tier of a file: identity T0, undated T1, dated T2.
pub(crate) fn tier(layout: &Layout, path: &MemoryPath) -> &'static str {
    match layout.store_of(path) {
        Some(Store::Soul | Store::IdentityCard) => "T0",
        _ if rem_recall::date_of_path(path.as_str()).is_some() => "T2",
        _ => "T1",
    }
}

/// The id of a file that is one memory, as the file of an entity is.
pub(crate) fn memory_id(layout: &Layout, path: &MemoryPath, entity: Option<&EntityId>) -> Option<String> {
    if let Some(entity) = entity {
        return Some(format!("entity:{entity}"));
    }
    let stem = path.file_name().strip_suffix(".md")?;
    match layout.store_of(path)? {
        Store::Procedures => Some(format!("procedure:{stem}")),
        Store::Topics => Some(format!("topic:{stem}")),
        _ => None,
    }
}

/// Which memories a file holds that is no entity's.
fn holds(layout: &Layout, path: &MemoryPath) -> Holds {
    let is = |store: Store, name: &str| layout.file(store, name).is_ok_and(|file| file == *path);
    match layout.store_of(path) {
        Some(Store::Core) => Holds::Entries("core", StoreKind::Core),
        Some(Store::Vault) if is(Store::Vault, "pinned.md") => Holds::Entries("vault", StoreKind::Vault),
        Some(Store::Reference) if is_fact_page(layout, path) => Holds::Entries("fact", StoreKind::Semantic),
        Some(Store::Episodes) => Holds::Episodes,
        Some(Store::Procedures) => Holds::Procedure,
        _ => Holds::Nothing,
    }
}

/// What a file belongs to by its place: the project or person whose folder or entity it is.
fn facets(layout: &Layout, path: &MemoryPath) -> Vec<String> {
    if let Some(id) = layout.entity_named(path) {
        let is_place = matches!(id.kind(), "project" | "person");
        return is_place.then(|| format!("{}:{}", id.kind(), id.slug())).into_iter().collect();
    }
    let Some(store) = layout.store_of(path) else { return Vec::new() };
    let inside =
        path.as_str().strip_prefix(layout.path(store).as_str()).unwrap_or_default().trim_start_matches('/');
    let name = inside.split('/').next().unwrap_or_default().trim_end_matches(".md");
    let named = match store {
        Store::Projects => Some(("project", name)),
        Store::People => Some(("person", name)),
        _ => None,
    };
    named
        .filter(|(_, name)| !name.is_empty() && !name.starts_with('_'))
        .map(|(kind, name)| format!("{kind}:{name}"))
        .into_iter()
        .collect()
}

/// A page of headings and comments answers nothing; the title of a conversation at least says which one it is.
fn leave_out_blank(answer: &mut Answer) {
    answer.results.retain(|hit| hit.category == "conversation" || !is_blank(&hit.text));
}

/// Whether a text says nothing: headings and comments alone.
pub(crate) fn is_blank(text: &str) -> bool {
    let mut in_comment = false;
    text.lines().all(|line| {
        let line = line.trim();
        let begins = line.starts_with("<!--");
        let silent = line.is_empty() || line.starts_with('#') || in_comment || begins;
        if begins {
            in_comment = true;
        }
        if line.contains("-->") {
            in_comment = false;
        }
        silent
    })
}

#[cfg(test)]
mod tests {
    use super::is_blank;

    #[test]
    fn a_page_of_headings_and_comments_says_nothing() {
        assert!(is_blank("# Soul\n\n<!-- one\ntwo -->\n\n## More\n"));
        assert!(!is_blank("# Soul\n<!-- x --> \nI am kind.\n"));
    }
}
