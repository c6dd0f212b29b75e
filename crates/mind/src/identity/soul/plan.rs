//! What approved items come to, as one change: SOUL.md, its snapshot, CHANGELOG.md, the marks of corrections, MEMORY.md.
//!
//! Planned on the files as they are, and on the evidence as it is: a twin is a file, and files are edited by hand, so nothing it says is
//! believed. An item whose evidence is gone, that does not pass the gate now, or that SOUL.md has no place for is a conflict. The
//! plan holds as long as no file changes; else it is made anew.

use std::collections::{BTreeMap, BTreeSet};

use rem_format::annotation::Annotation;
use rem_format::audit::Action;
use rem_format::fielded;
use rem_format::identity::{
    Change, Growth, GrowthKind, LeavingTo, Occurrence, OccurrenceKind, Verb, append_changes, evidence_line,
};
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Store};
use serde::Serialize;

use super::Moved;
use super::evidence::{Evidence, Nature, Observed};
use super::opposites::OwnRule;
use super::patterns::{Gate, Limits, Pattern, patterns};
use super::principles::{Principle, contradicted, same};
use super::propose::{SAID, Soul, is_allowed, named, with_item};
use crate::error::MemoryError;
use crate::lifecycle::prune::{ARCHIVE_PAGE, with_entries};
use crate::lifecycle::removal::{OVER_THE_CAP, Removal};
use crate::memory::Memory;
use crate::stores::core::{self, PERSONA};
use crate::stores::incoming::{number, short_id};
use crate::stores::statement::{Comparison, Statement};

/// An item that cannot be applied as it was proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdentityConflict {
    /// The item.
    pub id: String,
    /// What stands in the way.
    pub why: String,
}

/// What items come to.
#[derive(Default)]
pub(super) struct Plan {
    /// The ids of those that are applied.
    pub(super) applied: Vec<String>,
    pub(super) conflicts: Vec<IdentityConflict>,
    /// What goes into CHANGELOG.md.
    pub(super) changes: Vec<Change>,
    /// SOUL.md afterwards; nothing where it stays.
    page: Option<Page>,
    /// Corrections that become part of the identity, by their file.
    encoded: BTreeMap<MemoryPath, BTreeSet<String>>,
    /// Principles that move to MEMORY.md.
    moved: Vec<String>,
}

/// An item that a person approves, in their words where they changed them.
pub(super) struct Approved {
    pub(super) item: Growth,
    pub(super) words: Option<String>,
}

/// What a plan is made on.
pub(super) struct Grounds<'a> {
    pub(super) soul: &'a Soul,
    pub(super) evidence: &'a Evidence,
    pub(super) limits: Limits,
    pub(super) by_person: bool,
}

/// What these items come to now.
pub(super) fn plan_of(grounds: &Grounds<'_>, items: &[Approved]) -> Plan {
    let all = patterns(grounds.evidence);
    let mut plan = Plan::default();
    let mut page = grounds.soul.page.clone();
    for approved in items {
        let id = approved.item.id.clone();
        match taken(grounds, &all, &page, approved) {
            Ok(Taken { page: after, changes, encoded, moved }) => {
                page = after;
                plan.changes.extend(changes);
                for (path, id) in encoded {
                    plan.encoded.entry(path).or_default().insert(id);
                }
                plan.moved.extend(moved);
                plan.applied.push(id);
            }
            Err(why) => plan.conflicts.push(IdentityConflict { id, why }),
        }
    }
    if !plan.applied.is_empty() {
        plan.page = Some(page);
    }
    plan
}

/// What one item does.
struct Taken {
    page: Page,
    changes: Vec<Change>,
    encoded: Vec<(MemoryPath, String)>,
    moved: Vec<String>,
}

fn taken(grounds: &Grounds<'_>, all: &[Pattern], page: &Page, approved: &Approved) -> Result<Taken, String> {
    let item = &approved.item;
    if named(item.clone()).id != item.id {
        return Err(
            "it was changed since it was proposed: it says no longer what a person was shown".to_owned()
        );
    }
    let occurrences = match item.kind {
        GrowthKind::Remove => taken_back(grounds, page, item)?,
        GrowthKind::Add | GrowthKind::Replace => standing_evidence(grounds, all, item)?,
    };
    let mut item = item.clone();
    if let Some(words) = &approved.words {
        item.principle.clone_from(words);
    }
    let principles = super::principles::principles_of(page, &grounds.soul.log);
    if item.kind != GrowthKind::Remove {
        let own = OwnRule::of(&item.principle);
        let is_replaced = |known: &Principle| item.replaces.as_ref() == Some(&known.shown.text);
        let rule = own.rule();
        if same(&principles, rule).is_some_and(|known| !is_replaced(known)) {
            return Err("SOUL.md says it already".to_owned());
        }
        let replaced = contradicted(&principles, rule, &wrongs_of(grounds.evidence, &occurrences));
        match (&item.replaces, replaced) {
            (None, None) => {}
            (None, Some(known)) => {
                return Err(format!("it contradicts “{}”, which SOUL.md says by now", known.shown.text));
            }
            (Some(replaces), known) => {
                let is_it = known.is_some_and(|known| known.shown.text == *replaces);
                let was = Statement::new(replaces);
                // In a person's words it may contradict in a way that rules do not see.
                let did = approved.words.is_some()
                    && Statement::new(&approved.item.principle).compared_to(&was) == Comparison::Replaces;
                // Or it is the same fact as it was before.
                let is_older = all.iter().any(|pattern| {
                    pattern.nature == Nature::Fact
                        && pattern.is_worded(replaces)
                        && pattern.is_worded(&approved.item.principle)
                });
                if !is_it && !did && !is_older {
                    return Err(format!("it does not contradict “{replaces}”"));
                }
                let is_own = principles
                    .iter()
                    .any(|known| known.shown.text == *replaces && known.shown.encoded.is_some());
                if !grounds.by_person && !is_own {
                    return Err(format!("a person wrote “{replaces}”"));
                }
                if !occurrences.iter().any(|each| each.kind == OccurrenceKind::Correction) {
                    return Err(format!("no correction contradicts “{replaces}”"));
                }
            }
        }
    }
    for leaving in &item.leaves {
        let known = principles.iter().find(|known| known.is_item && known.shown.text == leaving.principle);
        let known = known.ok_or_else(|| format!("SOUL.md no longer says “{}”", leaving.principle))?;
        if known.shown.encoded.is_none() {
            return Err(format!("a person wrote “{}”: it does not make room", leaving.principle));
        }
        let is_said_twice = || {
            let others = principles.iter().filter(|other| other.shown.line != known.shown.line);
            others.into_iter().any(|other| known.statement.compared_to(&other.statement) == Comparison::Same)
        };
        let may_leave = match leaving.to {
            LeavingTo::Memory => !known.is_corrected(),
            LeavingTo::Merged => is_said_twice(),
        };
        if !may_leave {
            return Err(format!(
                "“{}” came from the operator's correction, or says what nothing else says: it does not leave SOUL.md for room",
                leaving.principle
            ));
        }
    }
    let after = with_item(page, &item)?;
    if !is_allowed(&after, page, item.kind, grounds.soul.max_tokens) {
        return Err(format!(
            "SOUL.md would have {} of {} tokens (identity.max_tokens)",
            rem_reason::count_tokens(after.as_str()),
            grounds.soul.max_tokens
        ));
    }
    let mut changes = changes_of(&item, &occurrences);
    if let (Some(_), Some(last)) = (&approved.words, changes.last_mut()) {
        last.details.push((SAID.to_owned(), approved.item.principle.clone()));
    }
    let corrections = occurrences
        .iter()
        .filter(|each| each.kind == OccurrenceKind::Correction && item.kind != GrowthKind::Remove);
    Ok(Taken {
        page: after,
        changes,
        encoded: corrections.map(|each| (each.path.clone(), each.at.clone())).collect(),
        moved: item
            .leaves
            .iter()
            .filter(|leaving| leaving.to == LeavingTo::Memory)
            .map(|leaving| leaving.principle.clone())
            .collect(),
    })
}

/// The occurrences of an item as they stand now, where all of them do and pass the gate.
fn standing_evidence(
    grounds: &Grounds<'_>,
    all: &[Pattern],
    item: &Growth,
) -> Result<Vec<Occurrence>, String> {
    let is_cited =
        |observed: &&Observed| item.occurrences.iter().any(|cited| is_it(cited, &observed.occurrence));
    let worded = all.iter().filter(|pattern| pattern.is_worded(&item.principle));
    let mut gone = "nothing that the operator said means it".to_owned();
    for pattern in worded {
        let members: Vec<&Observed> = pattern.members.iter().filter(is_cited).collect();
        let missing = item
            .occurrences
            .iter()
            .find(|cited| !members.iter().any(|member| is_it(cited, &member.occurrence)));
        if let Some(missing) = missing {
            gone = format!("its evidence is gone: {}", missing.place());
            continue;
        }
        let failures = Gate::of(&members, grounds.limits).failures();
        if !failures.is_empty() {
            return Err(failures.join("; "));
        }
        if let Some(newer) = pattern.taken_back_by(grounds.evidence) {
            return Err(format!("taken back on {}: {}", newer.occurrence.day, newer.occurrence.text));
        }
        return Ok(members.into_iter().map(|member| member.occurrence.clone()).collect());
    }
    Err(gone)
}

/// The corrections that a principle came from and that were taken back, where there are any and it still stands.
fn taken_back(grounds: &Grounds<'_>, page: &Page, item: &Growth) -> Result<Vec<Occurrence>, String> {
    let principles = super::principles::principles_of(page, &grounds.soul.log);
    let known = principles.iter().find(|known| known.is_item && known.shown.text == item.principle);
    let known = known.ok_or_else(|| format!("SOUL.md no longer says “{}”", item.principle))?;
    let encoded = known.shown.encoded.as_ref().ok_or("a person wrote it")?;
    let gone = grounds.evidence.taken_back.iter().filter(|gone| encoded.corrections.contains(&gone.id));
    let gone: Vec<Occurrence> = gone.map(|gone| gone.occurrence.clone()).collect();
    if gone.is_empty() { Err("no correction that it came from is taken back".to_owned()) } else { Ok(gone) }
}

/// What the corrections among these say was wrong of the agent's behaviour.
fn wrongs_of(evidence: &Evidence, occurrences: &[Occurrence]) -> Vec<String> {
    let is_of_it = |observed: &&Observed| occurrences.iter().any(|each| is_it(each, &observed.occurrence));
    evidence.observed.iter().filter(is_of_it).filter_map(|observed| observed.wrong.clone()).collect()
}

/// Whether two are the same occurrence: a correction may have moved into the archive, a line may not.
fn is_it(cited: &Occurrence, known: &Occurrence) -> bool {
    cited.kind == known.kind
        && cited.at == known.at
        && (cited.kind != OccurrenceKind::Conversation || cited.path == known.path)
}

/// What CHANGELOG.md gets of an item (P5.2).
fn changes_of(item: &Growth, occurrences: &[Occurrence]) -> Vec<Change> {
    let mut changes = Vec::new();
    let said = |name: &str, value: String| (name.to_owned(), value);
    if let Some(replaces) = &item.replaces {
        changes.push(Change {
            verb: Verb::Replaced,
            principle: replaces.clone(),
            details: vec![said("By", format!("'{}'", item.principle))],
            seen: Vec::new(),
            corrections: Vec::new(),
        });
    }
    for leaving in &item.leaves {
        let (verb, why) = match leaving.to {
            LeavingTo::Merged => (Verb::Merged, "another principle says the same"),
            LeavingTo::Memory => (Verb::Moved, "to MEMORY.md, to make room"),
        };
        changes.push(Change {
            verb,
            principle: leaving.principle.clone(),
            details: vec![said("Because", why.to_owned())],
            seen: Vec::new(),
            corrections: Vec::new(),
        });
    }
    changes.push(change_of(item, occurrences, ""));
    changes
}

/// The entry of an item itself: added or taken out.
pub(super) fn change_of(item: &Growth, occurrences: &[Occurrence], because: &str) -> Change {
    let mut details = vec![("Evidence".to_owned(), evidence_line(occurrences))];
    if item.kind != GrowthKind::Remove {
        details.push((
            "Occurrences".to_owned(),
            format!("{} (meets threshold of {})", item.counted, item.threshold),
        ));
        details.push((
            "Cool-down".to_owned(),
            format!("{}h elapsed (meets {}h threshold)", item.elapsed_hours, item.cooldown_hours),
        ));
    }
    let because =
        if because.trim().is_empty() && item.kind == GrowthKind::Remove { &item.reason } else { because };
    if !because.trim().is_empty() {
        details.push(("Because".to_owned(), because.to_owned()));
    }
    let corrections = occurrences.iter().filter(|each| each.kind == OccurrenceKind::Correction);
    let mut seen: Vec<String> = occurrences.iter().map(Occurrence::key).collect();
    seen.dedup();
    Change {
        verb: if item.kind == GrowthKind::Remove { Verb::Removed } else { Verb::Added },
        principle: item.principle.clone(),
        details,
        seen,
        corrections: corrections.map(|each| each.at.clone()).collect(),
    }
}

impl Memory {
    /// The change that a plan is: SOUL.md with its snapshot, CHANGELOG.md with what else is said there, the marks, and MEMORY.md. Gives
    /// the snapshot's path where SOUL.md changes.
    pub(super) fn identity_set(
        &self,
        soul: &Soul,
        plan: Plan,
        also_said: Vec<Change>,
    ) -> Result<(ChangeSet<'static>, Option<MemoryPath>), MemoryError> {
        let Plan { mut changes, page, encoded, moved, .. } = plan;
        let (mut set, mut snapshot) = (ChangeSet::new(), None);
        if let Some(page) = page {
            let what: Vec<String> = changes
                .iter()
                .map(|change| format!("{}: {}", change.verb.as_str().to_lowercase(), change.principle))
                .collect();
            let (changed, path) = self.soul_set(soul.found.clone(), page.into_bytes(), &what.join("; "))?;
            set = set.and(changed);
            for change in
                changes.iter_mut().filter(|change| matches!(change.verb, Verb::Added | Verb::Removed))
            {
                change.details.push(("Snapshot".to_owned(), path.to_string()));
            }
            snapshot = Some(path);
        }
        changes.extend(also_said);
        set = set.and(self.changelog_set(changes));
        let now = self.now();
        for (path, ids) in encoded {
            let what = format!("encoded: {}", ids.iter().cloned().collect::<Vec<_>>().join(", "));
            set = set.and(ChangeSet::new().edit(path, what, move |found| {
                let mut bytes = found.unwrap_or_default().to_vec();
                for id in &ids {
                    bytes = fielded::with_field(&bytes, id, "encoded", &now.to_string())
                        .ok_or(Box::new(Moved))?;
                    bytes = fielded::with_field(&bytes, id, "verified", "true").ok_or(Box::new(Moved))?;
                }
                Ok(Some(bytes))
            }));
        }
        if !moved.is_empty() {
            set = self.with_moved(set, &moved)?;
        }
        Ok((set, snapshot))
    }

    /// The change of SOUL.md alone, and its snapshot before (P5.2, rule 4): both or neither.
    pub(super) fn soul_set(
        &self,
        found: Option<Vec<u8>>,
        after: Vec<u8>,
        what: &str,
    ) -> Result<(ChangeSet<'static>, MemoryPath), MemoryError> {
        let snapshot = self.free_snapshot()?;
        let before = found.clone().unwrap_or_default();
        let set = ChangeSet::new()
            .edit(snapshot.clone(), "SOUL.md as it was", move |there| match there {
                None => Ok(Some(before.clone())),
                Some(_) => Err(Box::new(Moved)),
            })
            .edit(self.path(Store::Soul).clone(), what.to_owned(), move |now| {
                match now == found.as_deref() {
                    true => Ok(Some(after.clone())),
                    false => Err(Box::new(Moved)),
                }
            });
        Ok((set, snapshot))
    }

    /// The change that says these in CHANGELOG.md.
    pub(super) fn changelog_set(&self, changes: Vec<Change>) -> ChangeSet<'static> {
        if changes.is_empty() {
            return ChangeSet::new();
        }
        let (log, today) = (self.path(Store::Changelog).clone(), self.today());
        let what = match changes.as_slice() {
            [one] => format!("{}: {}", one.verb.as_str().to_lowercase(), one.principle),
            several => format!("{} changes of identity", several.len()),
        };
        ChangeSet::new()
            .edit(log.clone(), what, move |found| Ok(Some(append_changes(found, today, &changes))))
            .action(&log, Action::Append)
    }

    /// The set, with principles that made room in MEMORY.md, and what makes room there in turn in its long-term store.
    fn with_moved(
        &self,
        set: ChangeSet<'static>,
        moved: &[String],
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let (core, today) = (self.path(Store::Core).clone(), self.today());
        let found = self.ledger.read(&core)?;
        let mut page = match &found {
            Some(bytes) => Page::parse(bytes)
                .map_err(|error| MemoryError::usage(format!("{core}: {error}"), "save it as UTF-8"))?,
            None => Page::parse(b"# Core Memory\n").unwrap_or_default(),
        };
        let mut demoted = Vec::new();
        for principle in moved {
            let now = self.now().to_zoned(self.time_zone().clone()).datetime();
            let id = short_id(principle, now);
            let note = Annotation::new()
                .with("id", &id)
                .with("since", today.to_string())
                .with("confidence", number(self.config.confidence.statement))
                .with("mentions", "1")
                .with("source", "soul-keeper");
            page.add(PERSONA, principle, &note)
                .map_err(|error| MemoryError::usage(format!("{core}: {error}"), "edit it by hand"))?;
            demoted.extend(core::make_room(&mut page, &self.config.core, &id, today));
        }
        let after = page.into_bytes();
        let set = set.edit(core.clone(), format!("from SOUL.md: {}", moved.join("; ")), move |now| {
            match now == found.as_deref() {
                true => Ok(Some(after.clone())),
                false => Err(Box::new(Moved)),
            }
        });
        let reference = self.ledger.layout().file(Store::Reference, ARCHIVE_PAGE)?;
        let removals: Vec<Removal> =
            demoted.iter().map(|entry| Removal::of_entry(entry, &core, &reference, OVER_THE_CAP)).collect();
        let head = self.ledger.head()?.unwrap_or_default();
        let set = with_entries(set, reference, demoted, "demoted", today);
        Ok(self.with_removals(set, "soul-keeper", &head, &removals))
    }
}
