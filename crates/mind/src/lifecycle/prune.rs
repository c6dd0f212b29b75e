//! `prune`: MEMORY.md below its caps, old days and unused files out of the way (A8.5, P5.5's hygiene).
//!
//! Everything moves into the archive or to its long-term store, with a line in COMPACTION_LOG.md; nothing is dropped. Only notes,
//! project pages, references and people's pages are judged by use: identity, vault, entities, procedures, topics and undated notes stay, and
//! so does whatever `keeping` holds back. Must not ask a model.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::civil::Date;
use rem_format::audit::{Action, Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::page::{Item, Page};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Snapshot, Store};
use rem_recall::{Index, Linked, SearchError};
use serde::Serialize;

use super::hygiene::{Left, tidy};
use super::keeping::Kept;
use super::linking::relinked_in;
use super::removal::{OVER_THE_CAP, Removal, lines_of};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::core::{Demoted, is_within};
use crate::stores::renaming::Targets;

/// The page in the archive for entries of MEMORY.md.
pub(crate) const ARCHIVE_PAGE: &str = "core-memory.md";
/// What a new one says.
const ARCHIVE_START: &[u8] = b"# From Core Memory\n\nWhat was pruned from MEMORY.md.\n";

/// An entry that leaves MEMORY.md.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PrunedEntry {
    /// Its id, without `core:`.
    pub id: String,
    /// The block it stands in.
    pub section: String,
    /// What it says.
    pub text: String,
    /// Why it goes.
    pub why: String,
    /// The page it goes to.
    pub target: MemoryPath,
}

/// A file that moves into the archive.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PrunedFile {
    /// Where it stands.
    pub path: MemoryPath,
    /// Where it goes.
    pub target: MemoryPath,
    /// Why it goes.
    pub why: String,
    /// Its age in days: since its day, or since it was last changed.
    pub days: i64,
    /// How many links of other files lead to it.
    pub references: usize,
    /// A8.5's score, where that decided.
    pub score: Option<f64>,
    /// Whether the archive has it from before, as it is.
    pub is_kept: bool,
}

/// What `prune` found and did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PruneOutcome {
    /// Entries of MEMORY.md, in the order in which they go.
    pub entries: Vec<PrunedEntry>,
    /// Whether MEMORY.md is over a cap still: nothing more in it may go.
    pub is_over_cap: bool,
    /// Files, in path order.
    pub files: Vec<PrunedFile>,
    /// Files that would go and stay.
    pub kept: Vec<Kept>,
    /// Files in which links were led elsewhere, and how many in each.
    pub rewritten: BTreeMap<String, usize>,
    /// Links that stay as they are, because their file may not change.
    pub left: Vec<Linked>,
    /// Whether it was done, or only told.
    pub applied: bool,
    /// The ids of the changes: that of MEMORY.md, then that of the files.
    pub changes: Vec<String>,
}

impl Memory {
    /// Finds what is over its cap or its age, and with `apply` puts it away: entries of MEMORY.md in one change, files in another.
    ///
    /// # Errors
    /// [`MemoryError::Search`] where there can be no index to say what is referred to; or as [`rem_ledger::Ledger::apply`].
    pub fn prune(&self, apply: bool, observed_at: SystemTime) -> Result<PruneOutcome, MemoryError> {
        if apply {
            self.ledger.may_change()?;
            self.commit_what_can_be();
        }
        let mut outcome = PruneOutcome { applied: apply, ..PruneOutcome::default() };
        self.prune_core(&mut outcome, apply)?;
        let index = self.refreshed_index(observed_at)?;
        let head = self.ledger.head()?.unwrap_or_default();
        self.find_files(&mut outcome, &index, &head)?;
        let moves = outcome.files.iter().map(|file| (file.path.as_str(), &file.target)).collect();
        let followed = self.links_of_moved(&index, &moves)?;
        (outcome.rewritten, outcome.left) = (followed.rewritten.clone(), followed.left.clone());
        if apply && !outcome.files.is_empty() {
            let set = moved(&outcome.files, followed.targets)?;
            let removals: Vec<Removal> = outcome
                .files
                .iter()
                .map(|file| self.removal(&file.path, &file.target, &file.why))
                .collect::<Result<_, _>>()?;
            let set = self.with_removals(set, "prune", &head, &removals);
            outcome.changes.push(self.change(set, &provenance())?.change);
        }
        Ok(outcome)
    }

    /// MEMORY.md: what nobody is sure of, what stands there twice, what exceeds the caps.
    fn prune_core(&self, outcome: &mut PruneOutcome, apply: bool) -> Result<(), MemoryError> {
        let core = self.path(Store::Core).clone();
        let Some(before) = self.ledger.read(&core)? else { return Ok(()) };
        let mut page = match Page::parse(&before) {
            Ok(page) => page,
            Err(error) => {
                outcome.kept.push(Kept { path: core.to_string(), why: error.to_string() });
                return Ok(());
            }
        };
        let today = self.today();
        let Left { archived, demoted } = tidy(&mut page, &self.config, today);
        outcome.is_over_cap = !is_within(&page, &self.config.core);
        let layout = self.ledger.layout();
        let (archive, reference) =
            (layout.file(Store::Archive, ARCHIVE_PAGE)?, layout.file(Store::Reference, ARCHIVE_PAGE)?);
        let shown = |entry: &Demoted, why: &str, target: &MemoryPath| PrunedEntry {
            id: entry.annotation.get("id").unwrap_or_default().to_owned(),
            section: entry.section.clone(),
            text: entry.text.clone(),
            why: why.to_owned(),
            target: target.clone(),
        };
        outcome.entries.extend(archived.iter().map(|(entry, why)| shown(entry, why, &archive)));
        outcome.entries.extend(demoted.iter().map(|entry| shown(entry, OVER_THE_CAP, &reference)));
        if !apply || outcome.entries.is_empty() {
            return Ok(());
        }
        let mut removals: Vec<Removal> =
            archived.iter().map(|(entry, why)| Removal::of_entry(entry, &core, &archive, why)).collect();
        removals
            .extend(demoted.iter().map(|entry| Removal::of_entry(entry, &core, &reference, OVER_THE_CAP)));
        let after = page.into_bytes();
        let archived: Vec<Demoted> = archived.into_iter().map(|(entry, _)| entry).collect();
        let set = ChangeSet::new().edit(core, "pruned", move |found| match found {
            Some(found) if found == before => Ok(Some(after.clone())),
            _ => Err("it changed meanwhile: try again".into()),
        });
        let set = with_entries(set, archive, archived, "pruned", today);
        let set = with_entries(set, reference, demoted, "demoted", today);
        let head = self.ledger.head()?.unwrap_or_default();
        let set = self.with_removals(set, "prune", &head, &removals);
        outcome.changes.push(self.change(set, &provenance())?.change);
        Ok(())
    }

    /// Brings MEMORY.md back below its caps where it is over one, as after another clone's entries came in.
    pub(super) fn keep_core_within_caps(&self) -> Result<Vec<String>, MemoryError> {
        let bytes = self.ledger.read(self.path(Store::Core))?.unwrap_or_default();
        let Ok(page) = Page::parse(&bytes) else { return Ok(Vec::new()) };
        if is_within(&page, &self.config.core) {
            return Ok(Vec::new());
        }
        let mut outcome = PruneOutcome { applied: true, ..PruneOutcome::default() };
        self.prune_core(&mut outcome, true)?;
        Ok(outcome.entries.into_iter().map(|entry| entry.text).collect())
    }

    /// The files that are too old, or that nobody uses.
    fn find_files(&self, outcome: &mut PruneOutcome, index: &Index, head: &str) -> Result<(), MemoryError> {
        let snapshot: Option<Snapshot> =
            (!head.is_empty()).then(|| self.ledger.snapshot(head)).transpose()?;
        let references = self.references(index)?;
        let listing = self.ledger.list()?;
        let there: BTreeSet<&str> = listing.files.iter().map(|file| file.path.as_str()).collect();
        let active = self.ledger.layout().file(Store::Projects, "_active.md")?;
        let active = self.ledger.read(&active)?.unwrap_or_default();
        let active = String::from_utf8_lossy(&active).into_owned();
        for listed in &listing.files {
            let Ok(path) = MemoryPath::new(listed.path.as_str()) else { continue };
            let count = references.get(path.as_str()).copied().unwrap_or(0);
            let changed = listed.metadata.modified().ok();
            let Some((why, days, score)) = self.why_it_goes(&path, count, changed, &active)? else {
                continue;
            };
            let Some(target) = self.place_in_archive(&path)? else { continue };
            let is_there = there.contains(target.as_str());
            // What was brought back and is in the archive still, as it is, only leaves.
            let is_kept = is_there && self.ledger.read(&target)? == self.ledger.read(&path)?;
            let may_go = match is_there && !is_kept {
                true => Err(format!("there is a file already: {target}")),
                false => self.may_go(&path, listed.metadata.is_symlink(), snapshot.as_ref())?,
            };
            match may_go {
                Ok(_) => outcome.files.push(PrunedFile {
                    path,
                    target,
                    why,
                    days,
                    references: count,
                    score,
                    is_kept,
                }),
                Err(why) => outcome.kept.push(Kept { path: path.to_string(), why }),
            }
        }
        Ok(())
    }

    /// Why a file goes, its age in days and its score; nothing where it stays.
    #[allow(clippy::type_complexity, reason = "three things that are told of a file")]
    fn why_it_goes(
        &self,
        path: &MemoryPath,
        references: usize,
        changed: Option<SystemTime>,
        active: &str,
    ) -> Result<Option<(String, i64, Option<f64>)>, MemoryError> {
        if !path.as_str().ends_with(".md") || !self.may_lie_elsewhere(path)? {
            return Ok(None);
        }
        let (layout, today) = (self.ledger.layout(), self.today());
        let since = |date: Date| i64::from((today - date).get_days());
        match layout.store_of(path) {
            Some(Store::Journal) => {
                let days = rem_recall::date_of_path(path.file_name()).map(since);
                let retention =
                    i64::try_from(self.config.lifecycle.journal_retention_days).unwrap_or(i64::MAX);
                return Ok(days
                    .filter(|days| *days > retention)
                    .map(|days| ("an old day".to_owned(), days, None)));
            }
            Some(Store::Projects) => {
                let inside = path.as_str().strip_prefix(layout.path(Store::Projects).as_str());
                let folder = inside.and_then(|inside| inside.trim_start_matches('/').split('/').next());
                let name = folder.map(|folder| folder.trim_end_matches(".md"));
                if name.is_none_or(|name| active.contains(name)) {
                    return Ok(None);
                }
            }
            // Whom somebody refers to stays known.
            Some(Store::People) if references > 0 => return Ok(None),
            Some(Store::People | Store::Reference) => {}
            _ => return Ok(None),
        }
        if self.entity_at(path).is_some() {
            return Ok(None);
        }
        let changed = changed.and_then(|time| Timestamp::try_from(time).ok());
        let Some(days) = changed.map(|time| since(time.to_zoned(self.time_zone().clone()).date())) else {
            return Ok(None);
        };
        let settings = &self.config.decay;
        let score = rem_recall::decay::eviction_score(days, references, settings.eviction_lambda);
        let least = i64::try_from(settings.eviction_min_age_days).unwrap_or(i64::MAX);
        let goes = score < settings.eviction_score && days > least;
        Ok(goes.then(|| ("unused".to_owned(), days, Some(score))))
    }

    /// Where a file lies in the archive: below the name of its store, as it lies in it.
    fn place_in_archive(&self, path: &MemoryPath) -> Result<Option<MemoryPath>, MemoryError> {
        let layout = self.ledger.layout();
        let Some(store) = layout.store_of(path) else { return Ok(None) };
        let inside = path.as_str().strip_prefix(layout.path(store).as_str()).unwrap_or_default();
        let name = match store {
            Store::Journal => "journal",
            Store::Projects => "projects",
            Store::People => "people",
            Store::Reference => "reference",
            _ => return Ok(None),
        };
        Ok(Some(layout.file(Store::Archive, &format!("{name}{inside}"))?))
    }

    /// How many links of other files lead to each file. Those in an archive do not count: nobody reads them any more.
    fn references(&self, index: &Index) -> Result<BTreeMap<String, usize>, MemoryError> {
        let places = self.places(index)?;
        let mut counts = BTreeMap::new();
        for link in index.links().map_err(SearchError::from)? {
            let holder = MemoryPath::new(link.path.as_str())?;
            if self.ledger.layout().store_of(&holder) == Some(Store::Archive) {
                continue;
            }
            if let Some(place) = places.resolve(&link.path, &link.target).filter(|place| *place != link.path)
            {
                *counts.entry(place.to_owned()).or_default() += 1;
            }
        }
        for plain in self.plain_links()? {
            let holder = MemoryPath::new(plain.link.path.as_str())?;
            if self.ledger.layout().store_of(&holder) != Some(Store::Archive) {
                *counts.entry(plain.place).or_default() += 1;
            }
        }
        Ok(counts)
    }

    fn removal(&self, source: &MemoryPath, target: &MemoryPath, why: &str) -> Result<Removal, MemoryError> {
        let lines = lines_of(&self.ledger.read(source)?.unwrap_or_default());
        Ok(Removal { source: source.clone(), target: target.clone(), lines, why: why.to_owned() })
    }
}

fn provenance() -> Provenance {
    Provenance::new(Actor::System("pruner".to_owned()), Approval::Approved, "rem prune --apply")
        .kind(CommitType::Maintenance)
}

/// The set, with entries at their place in a page, each marked with the day.
pub(crate) fn with_entries<'a>(
    set: ChangeSet<'a>,
    page: MemoryPath,
    entries: Vec<Demoted>,
    mark: &'static str,
    today: Date,
) -> ChangeSet<'a> {
    if entries.is_empty() {
        return set;
    }
    set.edit(page.clone(), format!("{} from MEMORY.md", entries.len()), move |found| {
        let mut page = Page::parse(found.unwrap_or(ARCHIVE_START))?;
        for entry in &entries {
            let annotation = entry.annotation.clone().with(mark, today.to_string());
            let id = annotation.get("id");
            let is_it =
                |item: &Item| item.text == entry.text && (id.is_none() || item.annotation.get("id") == id);
            // What went there before and came back stands there once.
            match page.items().iter().position(is_it) {
                Some(index) => page.set(index, &entry.text, &annotation),
                None => page.add(&entry.section, &entry.text, &annotation)?,
            }
        }
        Ok(Some(page.into_bytes()))
    })
    .action(&page, Action::Archive)
}

/// The change that moves files, with links led to where they are.
fn moved(files: &[PrunedFile], mut targets: Targets) -> Result<ChangeSet<'static>, MemoryError> {
    let mut set = ChangeSet::new();
    for file in files {
        let own = targets.remove(file.path.as_str()).unwrap_or_default();
        if file.is_kept {
            set = set.delete(file.path.clone(), format!("is in {}", file.target));
            continue;
        }
        set = set
            .rename_with(
                file.path.clone(),
                file.target.clone(),
                format!("moved from {}", file.path),
                move |found| {
                    let Some(bytes) = found else { return Err("the file is gone".into()) };
                    Ok(Some(own.led(bytes)))
                },
            )
            .action(&file.target, Action::Archive);
    }
    relinked_in(set, targets, "links into the archive")
}
