//! What approved items come to, as one change (M10.6).
//!
//! Planned on the files as they are: a line that moved is found again where it stands once, and an item whose line is gone, stands
//! twice or may not be changed by a reflection is a conflict. A twin is a file, and files are edited by hand: nothing it says is
//! believed beyond what its kind may do. The plan holds as long as no file changes; else it is made anew.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use rem_format::audit::Action;
use rem_format::page::{Item as Entry, Page};
use rem_format::path::MemoryPath;
use rem_format::reflection::{Item, ItemKind, Quoted};
use rem_ledger::{ChangeSet, Store};
use rem_recall::Index;
use serde::Serialize;

use super::propose::{is_as_proposed, is_of_whole_files, note_of};
use super::{Moved, hash_of};
use crate::error::MemoryError;
use crate::lifecycle::keeping::is_correction;
use crate::lifecycle::prune::{ARCHIVE_PAGE, with_entries};
use crate::lifecycle::removal::{OVER_THE_CAP, Removal};
use crate::memory::Memory;
use crate::stores::core::{self, CRITICAL, Demoted, is_pinned, is_within, make_room};
use crate::stores::facts::is_fact_page;

/// An item that cannot be applied as it was proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReflectionConflict {
    /// The item.
    pub id: String,
    /// What stands in the way.
    pub why: String,
}

/// What items come to.
pub(super) struct Plan {
    pub(super) set: ChangeSet<'static>,
    /// The ids of those that are applied.
    pub(super) applied: BTreeSet<String>,
    pub(super) conflicts: Vec<ReflectionConflict>,
    /// What made room in MEMORY.md.
    pub(super) demoted: Vec<String>,
    /// What left MEMORY.md, for the log of removals.
    pub(super) removals: Vec<Removal>,
}

/// A file as it was found and as it becomes.
struct File {
    found: Option<Vec<u8>>,
    page: Option<Page>,
    said: Vec<String>,
}

/// The plan in the making.
struct Planning<'a> {
    memory: &'a Memory,
    today: Date,
    files: BTreeMap<MemoryPath, File>,
    stale: Vec<(Demoted, String)>,
    demoted: Vec<Demoted>,
    forgotten: Vec<String>,
    merges: Vec<ChangeSet<'static>>,
    merged: Vec<MemoryPath>,
    archived: Vec<MemoryPath>,
    /// Files that are changed as a whole.
    wholes: BTreeSet<MemoryPath>,
}

impl Memory {
    /// What these items come to now. An `index` is wanted for entities that become one.
    pub(super) fn plan_of(&self, items: &[Item], index: Option<&Index>) -> Result<Plan, MemoryError> {
        let mut planning = Planning {
            memory: self,
            today: self.today(),
            files: BTreeMap::new(),
            stale: Vec::new(),
            demoted: Vec::new(),
            forgotten: Vec::new(),
            merges: Vec::new(),
            merged: Vec::new(),
            archived: Vec::new(),
            wholes: BTreeSet::new(),
        };
        let (mut applied, mut conflicts) = (BTreeSet::new(), Vec::new());
        // What makes room comes before what needs it.
        let mut ordered: Vec<&Item> = items.iter().collect();
        ordered.sort_by_key(|item| item.kind == ItemKind::Promotion);
        for item in ordered {
            match planning.take(item, index)? {
                Ok(()) => drop(applied.insert(item.id.clone())),
                Err(why) => conflicts.push(ReflectionConflict { id: item.id.clone(), why }),
            }
        }
        planning.finish(applied, conflicts)
    }

    /// What stands in the way of each of these items by itself; nothing of those that could be applied now.
    pub(super) fn conflicts_of(&self, items: &[Item]) -> Result<Vec<ReflectionConflict>, MemoryError> {
        let mut conflicts = tampered_with(items);
        let others: Vec<&Item> =
            items.iter().filter(|item| conflicts.iter().all(|conflict| conflict.id != item.id)).collect();
        for item in others {
            let plan = self.plan_of(std::slice::from_ref(item), None)?;
            conflicts.extend(plan.conflicts);
        }
        Ok(conflicts)
    }
}

type Taken = Result<Result<(), String>, MemoryError>;

impl Planning<'_> {
    /// Takes an item into the plan; a reason where it cannot be.
    fn take(&mut self, item: &Item, index: Option<&Index>) -> Taken {
        if item.kind == ItemKind::Question {
            return Ok(Ok(()));
        }
        if let Err(why) = self.may(item)? {
            return Ok(Err(why));
        }
        for quoted in &item.rests_on {
            if let Err(why) = self.stands(item, quoted)? {
                return Ok(Err(why));
            }
        }
        match item.kind {
            ItemKind::Question => {}
            ItemKind::Stale => return Ok(self.leave_core(item)),
            ItemKind::Contradiction => return Ok(self.end(item)),
            ItemKind::Promotion => return Ok(self.promote(item)),
            ItemKind::Archival => {
                let Some(memory) = item.memory.clone() else { return Ok(Err(broken())) };
                self.forgotten.push(memory);
                if is_of_whole_files(item) {
                    self.archived.extend(item.path.clone());
                }
            }
            ItemKind::Duplicate => {
                let (Some(keep), Some(other)) = (item.keep.as_deref(), item.memory.as_deref()) else {
                    return Ok(Err(broken()));
                };
                // Only whether it could be is asked.
                let Some(index) = index else { return Ok(Ok(())) };
                let bare = |id: &str| id.trim_start_matches("entity:").to_owned();
                let set = match self.memory.merge_set(index, &bare(keep), &bare(other)) {
                    Ok(set) => set,
                    Err(MemoryError::Usage { message, .. }) => return Ok(Err(message)),
                    Err(error) => return Err(error),
                };
                // A link into one that becomes part of another changes a file that must not change meanwhile.
                if let Some(path) = set.paths().find(|path| self.is_taken(path)) {
                    return Ok(Err(format!("another item changes {path}: approve it by itself, afterwards")));
                }
                let changed: Vec<MemoryPath> =
                    set.paths().filter(|path| !self.is_list(path)).cloned().collect();
                self.wholes.extend(changed);
                self.merged.extend(item.rests_on.iter().map(|quoted| quoted.path.clone()));
                self.merges.push(set);
            }
        }
        if is_of_whole_files(item) {
            self.wholes.extend(item.rests_on.iter().map(|quoted| quoted.path.clone()));
        }
        Ok(Ok(()))
    }

    /// Whether another item changes a file.
    fn is_taken(&self, path: &MemoryPath) -> bool {
        self.wholes.contains(path) || self.files.get(path).is_some_and(|file| !file.said.is_empty())
    }

    /// Whether a file is a list that every set edits by what it finds.
    fn is_list(&self, path: &MemoryPath) -> bool {
        let people = self.memory.ledger.layout().file(Store::People, "_index.md");
        people.is_ok_and(|people| people == *path)
    }

    /// Whether a reflection may do that at all, to the file that the item names.
    fn may(&self, item: &Item) -> Result<Result<(), String>, MemoryError> {
        let Some(path) = item.path.as_ref() else { return Ok(Err(broken())) };
        let layout = self.memory.ledger.layout();
        let is_core = path == layout.path(Store::Core);
        let is_entity = self.memory.entity_at(path).is_some();
        let id = item.memory.as_deref().unwrap_or_default();
        if matches!(item.kind, ItemKind::Archival | ItemKind::Duplicate)
            && !id.is_empty()
            && self.memory.named(id).is_ok()
            && self.memory.show(id).is_err()
        {
            return Ok(Err(format!("{id} is gone: it was forgotten or became part of another meanwhile")));
        }
        let is_its_file = || match self.memory.show(id) {
            Ok(located) => located.path == *path,
            Err(_) => false,
        };
        let is_first = item.rests_on.first().is_some_and(|quoted| quoted.path == *path);
        let is_allowed = match item.kind {
            ItemKind::Promotion => {
                let source = item.rests_on.first().map(|quoted| &quoted.path);
                let is_known = source.is_some_and(|source| {
                    is_fact_page(layout, source) || self.memory.entity_at(source).is_some()
                });
                is_core && is_known && item.section.as_deref() == Some(CRITICAL)
            }
            ItemKind::Stale => is_core && is_first,
            ItemKind::Contradiction => {
                (is_core || is_entity || is_fact_page(layout, path)) && is_first && item.rests_on.len() == 2
            }
            ItemKind::Archival => {
                let is_kind = ["entity:", "fact:", "procedure:"].iter().any(|kind| id.starts_with(kind));
                is_kind && is_first && is_its_file()
            }
            ItemKind::Duplicate => {
                is_entity && is_first && id.starts_with("entity:") && item.rests_on.len() == 2
            }
            ItemKind::Question => true,
        };
        Ok(if is_allowed { Ok(()) } else { Err(format!("a {} may not change {path}", item.kind)) })
    }

    fn file(&mut self, path: &MemoryPath) -> Result<&mut File, MemoryError> {
        if !self.files.contains_key(path) {
            let found = self.memory.ledger.read(path)?;
            let page = found.as_deref().and_then(|bytes| Page::parse(bytes).ok());
            self.files.insert(path.clone(), File { found, page, said: Vec::new() });
        }
        // It was put there just now.
        self.files.get_mut(path).ok_or_else(|| MemoryError::usage(broken(), "try again"))
    }

    /// Whether a quoted line still stands, exactly once, in a file that no other item takes as a whole.
    fn stands(&mut self, item: &Item, quoted: &Quoted) -> Result<Result<(), String>, MemoryError> {
        let path = &quoted.path;
        if self.wholes.contains(path) || is_of_whole_files(item) && self.is_taken(path) {
            return Ok(Err(format!("another item changes {path}: approve it by itself, afterwards")));
        }
        let file = self.file(path)?;
        let Some(found) = file.found.as_deref() else { return Ok(Err(format!("{path} is gone"))) };
        if item.kind == ItemKind::Archival && is_of_whole_files(item) && hash_of(found) != quoted.hash {
            return Ok(Err(format!("{path} changed since: it may be of use again")));
        }
        let text = String::from_utf8_lossy(found);
        Ok(match times(&text, &quoted.text) {
            1 => Ok(()),
            0 => Err(format!("{path} no longer says what it said in line {}", quoted.line)),
            more => Err(format!("{path} says {more} times what it said in line {}", quoted.line)),
        })
    }

    /// The entry that is quoted, as it stands in the plan.
    fn entry(&self, quoted: &Quoted) -> Result<(usize, Entry), String> {
        let page = self.files.get(&quoted.path).and_then(|file| file.page.as_ref());
        let page = page.ok_or_else(|| format!("{} cannot be read as entries", quoted.path))?;
        let lines: Vec<&str> = page.as_str().lines().collect();
        let is_it = |entry: &Entry| {
            let range = entry.lines.start - 1..(entry.lines.end - 1).min(lines.len());
            lines.get(range).is_some_and(|lines| lines.join("\n") == quoted.text)
        };
        let found = page.items().iter().enumerate().find(|(_, entry)| is_it(entry));
        let found = found.map(|(at, entry)| (at, entry.clone()));
        found.ok_or_else(|| format!("{} has no such entry any more", quoted.path))
    }

    /// The entry that changes, where it may be changed.
    fn changeable(&self, item: &Item) -> Result<(usize, Entry), String> {
        let (at, entry) = self.entry(item.rests_on.first().ok_or_else(broken)?)?;
        if is_pinned(&entry) || is_correction(&entry.text, &entry.annotation) {
            return Err("it is pinned or a correction by now".to_owned());
        }
        Ok((at, entry))
    }

    fn change(&mut self, path: &MemoryPath, says: &str, change: impl FnOnce(&mut Page)) {
        if let Some(file) = self.files.get_mut(path)
            && let Some(page) = file.page.as_mut()
        {
            change(page);
            file.said.push(says.to_owned());
        }
    }

    fn leave_core(&mut self, item: &Item) -> Result<(), String> {
        let (at, entry) = self.changeable(item)?;
        let core = self.memory.path(Store::Core).clone();
        self.change(&core, &format!("stale: {}", item.says), |page| drop(page.remove(at)));
        let Entry { section, text, annotation, .. } = entry;
        self.stale.push((Demoted { section, text, annotation }, item.reason.clone()));
        Ok(())
    }

    /// Ends the older of two statements by the newer.
    fn end(&mut self, item: &Item) -> Result<(), String> {
        let (at, older) = self.changeable(item)?;
        let (path, newer_place) = match item.rests_on.as_slice() {
            [older, newer] => (older.path.clone(), newer),
            _ => return Err(broken()),
        };
        let (_, newer) = self.entry(newer_place)?;
        if item.after.as_deref() != Some(newer.plain()) {
            return Err(
                "what the item says stands there afterwards is not what the newer line says".to_owned()
            );
        }
        let (today, says) = (self.today, format!("ended: {}", older.text));
        if path != *self.memory.path(Store::Core) {
            self.change(&path, &says, |page| page.supersede(at, today, newer.plain()));
            return Ok(());
        }
        if newer_place.path == path {
            self.change(&path, &says, |page| {
                let same = |entry: &Entry| entry.text == newer.text && entry.annotation == newer.annotation;
                if let (Some(kept), Some(at)) = (page.items().iter().position(same), at_of(page, &older)) {
                    core::take_over(page, kept, at, today);
                }
            });
        } else {
            self.change(&path, &says, |page| {
                core::take_place(page, at, newer.plain(), &newer.annotation, today);
            });
        }
        Ok(())
    }

    /// Puts what was said elsewhere into MEMORY.md; what has to make room is kept elsewhere.
    fn promote(&mut self, item: &Item) -> Result<(), String> {
        let source = item.rests_on.first().ok_or_else(broken)?.clone();
        let (_, entry) = self.entry(&source)?;
        let text = item
            .after
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty() && !text.contains(['\n', '\r']));
        let text = text.ok_or_else(|| "an entry is one line of text".to_owned())?;
        let redacted = self.memory.redactor().map_err(|error| error.to_string())?.redact(text).0.into_owned();
        let since = entry.annotation.get("since").map_or_else(|| self.today.to_string(), str::to_owned);
        let confidence =
            entry.annotation.get("confidence").and_then(|stored| stored.parse().ok()).unwrap_or(0.5);
        let note = note_of(&redacted, &since, confidence, entry.annotation.get("source"), self.today);
        let core = self.memory.path(Store::Core).clone();
        let file = self.file(&core).map_err(|error| error.to_string())?;
        let mut page = match (&file.page, &file.found) {
            (Some(page), _) => page.clone(),
            (None, None) => Page::parse(b"# Core Memory\n").unwrap_or_default(),
            (None, Some(_)) => return Err(format!("{core} cannot be read as entries")),
        };
        let is_there = page.items().iter().any(|known| known.plain() == redacted);
        if is_there {
            return Err("MEMORY.md says it already".to_owned());
        }
        page.add(CRITICAL, &redacted, &note).map_err(|error| error.to_string())?;
        let keep = note.get("id").unwrap_or_default().to_owned();
        let (today, settings) = (self.today, &self.memory.config.core);
        let demoted = make_room(&mut page, settings, &keep, today);
        if !is_within(&page, settings) {
            return Err("MEMORY.md has no room: nothing more in it may go".to_owned());
        }
        self.demoted.extend(demoted);
        if let Some(file) = self.files.get_mut(&core) {
            file.page = Some(page);
            file.said.push(format!("promoted: {redacted}"));
        }
        Ok(())
    }

    /// The change that all of it is.
    fn finish(
        self,
        applied: BTreeSet<String>,
        conflicts: Vec<ReflectionConflict>,
    ) -> Result<Plan, MemoryError> {
        let Self { memory, today, files, stale, demoted, forgotten, merges, merged, archived, .. } = self;
        let mut set = ChangeSet::new();
        for (path, File { found, page, said }) in files {
            let after = match (said.is_empty(), page) {
                (false, Some(page)) => Some(page.into_bytes()),
                _ => found.clone(),
            };
            set = set.edit(path, said.join("; "), move |now| match now == found.as_deref() {
                true => Ok(after.clone()),
                false => Err(Box::new(Moved)),
            });
        }
        let layout = memory.ledger.layout();
        let (archive, reference) =
            (layout.file(Store::Archive, ARCHIVE_PAGE)?, layout.file(Store::Reference, ARCHIVE_PAGE)?);
        let core = memory.path(Store::Core);
        let mut removals: Vec<Removal> =
            stale.iter().map(|(entry, why)| Removal::of_entry(entry, core, &archive, why)).collect();
        removals.extend(demoted.iter().map(|entry| Removal::of_entry(entry, core, &reference, OVER_THE_CAP)));
        let texts = demoted.iter().map(|entry| entry.text.clone()).collect();
        let stale: Vec<Demoted> = stale.into_iter().map(|(entry, _)| entry).collect();
        set = with_entries(set, archive, stale, "reflected", today);
        set = with_entries(set, reference, demoted, "demoted", today);
        if !forgotten.is_empty() {
            set = set.and(memory.forget_set(&forgotten, false)?.0);
        }
        for merge in merges {
            set = set.and(merge);
        }
        // Edits that only look whether a file changed have no action of their own.
        set = merged.iter().fold(set, |set, path| set.action(path, Action::Merge));
        set = archived.iter().fold(set, |set, path| set.action(path, Action::Archive));
        Ok(Plan { set, applied, conflicts, demoted: texts, removals })
    }
}

/// Those of the items that say something else than what was proposed under their ids.
pub(super) fn tampered_with(items: &[Item]) -> Vec<ReflectionConflict> {
    let why = "the twin was changed: this is not what was proposed";
    let changed = items.iter().filter(|item| !is_as_proposed(item));
    changed.map(|item| ReflectionConflict { id: item.id.clone(), why: why.to_owned() }).collect()
}

fn at_of(page: &Page, wanted: &Entry) -> Option<usize> {
    page.items().iter().position(|entry| entry.text == wanted.text && entry.annotation == wanted.annotation)
}

/// How often lines stand in a text, one after the other.
fn times(text: &str, wanted: &str) -> usize {
    let (lines, wanted): (Vec<&str>, Vec<&str>) = (text.lines().collect(), wanted.lines().collect());
    if wanted.is_empty() {
        return 0;
    }
    lines.windows(wanted.len()).filter(|window| *window == wanted.as_slice()).count()
}

fn broken() -> String {
    "the item says too little to be applied".to_owned()
}
