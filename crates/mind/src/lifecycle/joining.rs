//! Another clone's memories come in: `rem merge`, and what is owed after a merge that git made.
//!
//! The ledger merges file by file and commits with two parents; what both sides changed becomes an entry of CONFLICTS.md in the same
//! change. Then what follows from the files is made anew, MEMORY.md is brought below its caps, and what came in is held against what was
//! known. A merge that git made is looked at with the next command: the same clashes are found again from the commits, so none is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rem_format::conflict::{self, Conflict, Kept, Rule, Side};
use rem_format::document::Document;
use rem_format::entity::{Entity, Fact};
use rem_format::merge::Shape;
use rem_format::page::Page;
use rem_format::reflection::{PendingReflection, document};
use rem_ledger::{ChangeSet, FileClash, Incoming, IncomingFile, Layout, Provenance, Store};
use rem_recall::Addressees;
use serde::Serialize;

use super::unlearned::StayedForgotten;
use crate::error::MemoryError;
use crate::identity::ConflictShown;
use crate::identity::settling::KEPT_BY_A_MERGE;
use crate::memory::{Memory, MemoryOptions, ledger_options};
use crate::stores::edges::{Ending, end_edges_of};
use crate::stores::statement::Statement;

/// Where it is kept up to which commit merges that git made were looked at.
const EXAMINED: &str = "merges-examined";
/// Where it is kept, while a merge is under way, from which commit on what it brings has not been looked at.
const UNDER_WAY: &str = "merge-under-way";

/// What came in, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CameIn {
    /// Files that changed.
    pub files: usize,
    /// Entries that were not here before.
    pub added: usize,
    /// Entries that are not here any more: taken out, or worded anew.
    pub removed: usize,
}

/// What merging did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MergeOutcome {
    /// Where it came from.
    pub from: String,
    /// Whether everything was here already.
    pub is_up_to_date: bool,
    /// Whether nothing was new here, so that the branch went forward.
    pub is_forward: bool,
    /// Whether it was done, or only told.
    pub applied: bool,
    /// How many commits came.
    pub commits: usize,
    /// The change's id; empty where there was none.
    pub change: String,
    /// The commit that holds both; nothing where there is none yet.
    pub commit: Option<String>,
    /// What came, by the kind of memory.
    pub stores: BTreeMap<String, CameIn>,
    /// Files that came in beside another of the same name, with the other's name.
    pub beside: Vec<(String, String)>,
    /// Paths there that cannot be had here.
    pub left_out: Vec<String>,
    /// What both sides changed, each in its way.
    pub conflicts: Vec<ConflictShown>,
    /// Contradictions between what came in and what was known.
    pub contradictions: Vec<ConflictShown>,
    /// What one side had forgotten for good before the other said it, and is forgotten still.
    pub forgotten: StayedForgotten,
    /// Entries that left MEMORY.md because it was over a cap.
    pub made_room: Vec<String>,
}

/// What came of a merge after its files were put together.
#[derive(Default)]
struct Finished {
    /// What contradicts each other.
    found: Vec<ConflictShown>,
    forgotten: StayedForgotten,
}

impl Memory {
    /// Takes in what another clone of this workspace knows: a folder, a remote, a branch, or what the branch follows. Nothing blocks and
    /// nothing is lost: what both sides changed is settled by rules and told in CONFLICTS.md. In a preview nothing is written but what git
    /// fetched.
    ///
    /// # Errors
    /// [`rem_ledger::LedgerError::Merge`] where there is nothing to merge with; or as [`rem_ledger::Ledger::apply`].
    pub fn merge(&self, from: Option<&str>, preview: bool) -> Result<MergeOutcome, MemoryError> {
        self.ledger.may_change()?;
        let (there, name) = self.ledger.fetch(from)?;
        if !preview {
            self.ledger.prepare_merging()?;
        }
        // What a person changed by hand is theirs, and in history before anything comes in.
        self.ledger.commit_outside_changes()?;
        let left_over = if preview { None } else { self.finish_merging()? };
        self.examine_merges()?;
        let mut outcome = MergeOutcome { from: name.clone(), applied: !preview, ..MergeOutcome::default() };
        let Some(incoming) = self.ledger.incoming(&there, &name, self.now())? else {
            outcome.is_up_to_date = true;
            outcome.applied = false;
            let left_over = left_over.unwrap_or_default();
            (outcome.contradictions, outcome.forgotten) = (left_over.found, left_over.forgotten);
            return Ok(outcome);
        };
        outcome.is_forward = incoming.is_forward;
        outcome.commits = incoming.commits;
        outcome.left_out.clone_from(&incoming.left_out);
        for file in &incoming.files {
            self.count_incoming(file, &mut outcome.stores);
            if let Some(other) = &file.beside {
                outcome.beside.push((file.path.to_string(), other.to_string()));
            }
        }
        let conflicts = self.clashes_told(&incoming.clashes, &name);
        outcome.conflicts = conflicts.iter().cloned().map(ConflictShown::from).collect();
        if preview {
            return Ok(outcome);
        }
        // Whoever is cut off from here on is told what came in by the next one.
        let both = format!("{} {}", incoming.here, incoming.there);
        self.ledger.write_private(UNDER_WAY, both.as_bytes())?;
        let mut further = self.reflection_follows(&incoming)?.and(self.edges_follow(&incoming));
        if !conflicts.is_empty() {
            further = further.and(self.noted(conflicts));
        }
        let provenance = self.asked_for(format!("rem merge {name}"));
        let applied = self.ledger.take_in(&incoming, further, &provenance)?;
        outcome.change.clone_from(&applied.change);
        outcome.commit.clone_from(&applied.commit);
        self.graph_index_follows(&applied.files);
        outcome.made_room = self.keep_core_within_caps()?;
        outcome.contradictions = left_over.unwrap_or_default().found;
        let finished = self.finish_merging()?.unwrap_or_default();
        outcome.contradictions.extend(finished.found);
        outcome.forgotten = finished.forgotten;
        if !outcome.conflicts.is_empty() {
            // What was forgotten is asked of nobody.
            let asked: BTreeSet<String> = self.conflicts()?.into_iter().map(|each| each.id).collect();
            outcome.conflicts.retain(|each| asked.contains(&each.id));
        }
        self.remember_examined()?;
        Ok(outcome)
    }

    /// Lets go of what one side had forgotten, and holds what a merge brought against what was known before it, where that has not been done.
    fn finish_merging(&self) -> Result<Option<Finished>, MemoryError> {
        let both = self.ledger.read_private(UNDER_WAY).and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(both) = both.filter(|both| !both.trim().is_empty()) else { return Ok(None) };
        let (here, there) = both.trim().split_once(' ').unwrap_or((both.trim(), ""));
        let forgotten = self.forget_what_either_forgot(here, there)?;
        // A commit that is gone tells nothing any more: then all of it is new.
        let before = self.ledger.snapshot(here).ok();
        self.later_corrections_hold()?;
        self.keep_core_within_caps()?;
        let found = self.scan_since(before.as_ref(), Timestamp::MAX, false)?.found;
        self.ledger.write_private(UNDER_WAY, b"")?;
        Ok(Some(Finished { found, forgotten }))
    }

    /// The edges that were written with a fact which the merge strikes through end with it.
    fn edges_follow(&self, incoming: &Incoming) -> ChangeSet<'static> {
        let today = self.today();
        let mut set = ChangeSet::new();
        for file in incoming.files.iter().filter(|_| !incoming.is_forward) {
            let (Some(here), Some(merged)) = (&file.here, &file.merged) else { continue };
            if self.entity_at(&file.path).is_none() {
                continue;
            }
            let (Ok(here), Ok(merged)) = (Entity::parse(here), Entity::parse(merged)) else { continue };
            let facts = here.facts();
            let was_over = |text: &str| facts.iter().any(|fact| fact.ended().is_some() && fact.text == text);
            let struck: Vec<Fact> = merged
                .facts()
                .into_iter()
                .filter(|fact| fact.ended().is_some() && !was_over(&fact.text))
                .collect();
            if struck.is_empty() {
                continue;
            }
            set = set.edit(file.path.clone(), "what no longer holds connects nothing", move |bytes| {
                let mut entity = Entity::parse(bytes.unwrap_or_default())?;
                for fact in &struck {
                    let by = fact.annotation.get("by").unwrap_or_default();
                    let says_no = Statement::new(by).is_negated() && !Statement::new(&fact.text).is_negated();
                    let addressees = Addressees::of_annotation(&fact.annotation);
                    end_edges_of(&mut entity, &fact.text, &Ending { by, today, says_no, addressees });
                }
                Ok(Some(entity.into_bytes()))
            });
        }
        set
    }

    /// What both sides changed, as entries of CONFLICTS.md. What the program keeps for itself asks nobody anything.
    fn clashes_told(&self, clashes: &[FileClash], from: &str) -> Vec<Conflict> {
        let now = self.now();
        let mut seen = BTreeSet::new();
        let asks = |clash: &&FileClash| self.ledger.layout().store_of(&clash.path) != Some(Store::Meta);
        clashes
            .iter()
            .filter(asks)
            .map(|FileClash { path, clash }| Conflict {
                id: conflict::id_of(&clash.other, &clash.kept),
                found: now,
                first: Side { text: clash.other.clone(), place: format!("{path}, merged from {from}") },
                second: Side { text: clash.kept.clone(), place: format!("{path}{KEPT_BY_A_MERGE}") },
                rule: if clash.is_corrected { Rule::OperatorCorrection } else { Rule::OperatorReview },
                resolved: clash.is_corrected.then_some((now, Kept::Second)),
            })
            .filter(|conflict| seen.insert(conflict.id.clone()))
            .collect()
    }

    /// The document of a reflection that has items of both sides, and its twin with the document's hash.
    fn reflection_follows(&self, incoming: &Incoming) -> Result<ChangeSet<'static>, MemoryError> {
        let layout = self.ledger.layout();
        let twin = layout.file(Store::Meta, "pending-reflection.json")?;
        let page = layout.file(Store::Meta, "pending-reflection.md")?;
        let merged = incoming.files.iter().find(|file| file.path == twin);
        let bytes = merged.filter(|file| file.here.is_some() && !incoming.is_forward);
        let Some(bytes) = bytes.and_then(|file| file.merged.as_deref()) else { return Ok(ChangeSet::new()) };
        let Ok(mut pending) = PendingReflection::parse(bytes) else { return Ok(ChangeSet::new()) };
        let text = document(&pending);
        pending.document = crate::reflection::hash_of(text.as_bytes());
        let json = pending.render();
        Ok(ChangeSet::new()
            .edit(page, "follows its twin", move |_| Ok(Some(text.clone().into_bytes())))
            .edit(twin, "what both proposed", move |_| Ok(Some(json.clone().into_bytes()))))
    }

    fn count_incoming(&self, file: &IncomingFile, stores: &mut BTreeMap<String, CameIn>) {
        let kind = self.ledger.layout().category(&file.path).to_owned();
        let shape = self.ledger.layout().shape_of(&file.path);
        let [here, there] =
            [&file.here, &file.merged].map(|side| entries_of(side.as_deref().unwrap_or_default(), shape));
        let of_kind = stores.entry(kind).or_default();
        of_kind.files += 1;
        of_kind.added += there.difference(&here).count();
        of_kind.removed += here.difference(&there).count();
    }

    /// Looks at merges that git made since the last time: what both sides changed becomes entries of CONFLICTS.md, closed transcripts are
    /// made read-only, what follows from the files is made anew, and what came in is held against what was known. Gives how many entries
    /// there are of it. Cheap where nothing was committed by others.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::apply`].
    pub fn examine_merges(&self) -> Result<usize, MemoryError> {
        let examined = self.ledger.read_private(EXAMINED).and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(head) = self.ledger.repository_state()?.head else { return Ok(0) };
        if examined.as_deref().map(str::trim) == Some(head.as_str()) {
            return Ok(0);
        }
        // Where nobody ever looked, as in a new clone, the newest commit alone may be such a merge.
        let examined = examined.map_or_else(|| "HEAD^1".to_owned(), |id| id.trim().to_owned());
        // Whoever committed: the log says it from now on.
        self.ledger.catch_up()?;
        let left_over = self.finish_merging()?.map_or(0, |finished| finished.found.len());
        let merges = self.ledger.merges_since(&examined, self.now())?;
        let (mut set, mut conflicts) = (ChangeSet::new(), Vec::new());
        for merge in &merges {
            conflicts.extend(self.clashes_told(&merge.clashes, &merge.there[..7.min(merge.there.len())]));
            for file in merge.files.iter().filter(|file| file.beside.is_some()) {
                // Git kept ours where it could not have both.
                if let (Some(other), Some(bytes)) = (&file.beside, &file.merged) {
                    let summary = format!("the other version of {other}");
                    set = set.create(file.path.clone(), bytes.clone(), summary);
                    if self.ledger.layout().store_of(&file.path) == Some(Store::Transcripts) {
                        set = set.seal(&file.path);
                    }
                }
            }
        }
        // Who merged there may have written them down already.
        let known: BTreeSet<String> = self.conflicts()?.into_iter().map(|conflict| conflict.id).collect();
        conflicts.retain(|conflict| !known.contains(&conflict.id));
        let mut count = conflicts.len() + left_over;
        if !conflicts.is_empty() {
            set = set.and(self.noted(conflicts));
        }
        if !set.is_empty() {
            let what = format!("{} things that both sides of a merge changed", count - left_over);
            self.change(set, &Provenance::system("merge", what))?;
        }
        if let Some(first) = merges.first() {
            self.ledger.seal_closed_transcripts()?;
            for merge in &merges {
                self.forget_what_either_forgot(&merge.here, &merge.there)?;
            }
            let changed: Vec<_> = merges.iter().flat_map(|merge| merge.changed()).collect();
            self.graph_index_follows(&changed);
            self.later_corrections_hold()?;
            self.keep_core_within_caps()?;
            count += self
                .scan_since(Some(&self.ledger.snapshot(&first.here)?), Timestamp::MAX, false)?
                .found
                .len();
        }
        self.remember_examined()?;
        Ok(count)
    }

    fn remember_examined(&self) -> Result<(), MemoryError> {
        let head = self.ledger.repository_state()?.head.unwrap_or_default();
        Ok(self.ledger.write_private(EXAMINED, head.as_bytes())?)
    }
}

/// Merges a file as git asks its driver to: `files` are what both sides went on from, ours and theirs, and the result takes the place of
/// ours. `path` is its place in the workspace below `root`. A CONFIG.md that cannot be read stops nothing: the usual layout holds then.
/// Gives whether the result holds all that both sides said; where it does not, only a merge's commit keeps the rest.
///
/// # Errors
/// As [`rem_ledger::merge_for_git`].
pub fn merge_for_git(
    root: &Path,
    files: [&Path; 3],
    path: &str,
    options: &MemoryOptions,
) -> Result<bool, MemoryError> {
    let settings = crate::memory::read_config(root).and_then(|(config, _)| ledger_options(&config, options));
    let layout = settings.map_or_else(|_| Layout::default(), |settings| settings.layout);
    let day = options.clock.now().to_zoned(TimeZone::UTC).date();
    let merged = rem_ledger::merge_for_git(&layout, files, path, day)?;
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = words(&String::from_utf8_lossy(&merged.bytes));
    Ok(merged.is_whole && merged.clashes.iter().all(|clash| text.contains(&words(&clash.other))))
}

/// What a file says, entry by entry: the items of a page, or the headings of a log with what is below them.
fn entries_of(bytes: &[u8], shape: Shape) -> BTreeSet<String> {
    let is_log = matches!(shape, Shape::Log | Shape::Proposals | Shape::Archive);
    if !is_log {
        let items =
            Page::parse(bytes).map(|page| page.items().iter().map(|item| item.plain().to_owned()).collect());
        return items.unwrap_or_default();
    }
    let sections = Document::parse(bytes).sections();
    let all = sections.iter().flat_map(|section| std::iter::once(section).chain(&section.children));
    let entries = all.filter(|section| section.level == 2);
    entries.map(|each| String::from_utf8_lossy(&bytes[each.bytes.clone()]).trim().to_owned()).collect()
}
