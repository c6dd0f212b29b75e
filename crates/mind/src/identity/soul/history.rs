//! SOUL_HISTORY/: SOUL.md as it was before each change, going back to one, and which are kept (P9, I5, I8).
//!
//! A snapshot is written in the same change as the edit that it precedes, named by the moment. All are kept for
//! `identity.history_retention_days`, then the last of each month; what goes is in COMPACTION_LOG.md, and git has it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use rem_format::audit::Action;
use rem_format::commit::CommitType;
use rem_format::fielded;
use rem_format::identity::{Change, Verb};
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Store};
use serde::Serialize;

use super::principles::principles_of;
use crate::error::MemoryError;
use crate::lifecycle::removal::{Removal, lines_of};
use crate::memory::Memory;

/// The form of a snapshot's name, without what tells those of one minute from another.
const NAME: &str = "%Y-%m-%d-%H%M";

/// A snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SnapshotShown {
    /// Its file.
    pub path: MemoryPath,
    /// When it was taken, to the minute, where the operator is.
    pub taken: String,
}

/// A line of CHANGELOG.md.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdentityLogged {
    /// The day.
    pub day: Date,
    /// What happened: `Added principle`, `Rejected principle` and so on.
    pub what: String,
    /// The principle, or the snapshot that was gone back to.
    pub principle: String,
    /// What is said of it: a name and a value each.
    pub details: Vec<(String, String)>,
    /// Its line in CHANGELOG.md, from 1.
    pub line: usize,
}

/// How the identity came to be what it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdentityHistory {
    /// The snapshots, the newest first.
    pub snapshots: Vec<SnapshotShown>,
    /// What CHANGELOG.md says, the newest last.
    pub changes: Vec<IdentityLogged>,
}

/// What going back did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdentityRolledBack {
    /// The snapshot that SOUL.md is now.
    pub to: MemoryPath,
    /// SOUL.md as it was before.
    pub snapshot: MemoryPath,
    /// The change's id.
    pub change: String,
}

impl Memory {
    /// Snapshots and what CHANGELOG.md says.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where files cannot be read.
    pub fn identity_history(&self) -> Result<IdentityHistory, MemoryError> {
        let mut snapshots = self.soul_snapshots()?;
        snapshots.reverse();
        let shown = |(path, taken): (MemoryPath, DateTime)| SnapshotShown {
            path,
            taken: taken.strftime("%Y-%m-%d %H:%M").to_string(),
        };
        let changes = self.soul_now()?.log.into_iter().map(|logged| IdentityLogged {
            day: logged.day,
            what: logged.change.verb.as_str().to_owned(),
            principle: logged.change.principle,
            details: logged.change.details,
            line: logged.line,
        });
        Ok(IdentityHistory {
            snapshots: snapshots.into_iter().map(shown).collect(),
            changes: changes.collect(),
        })
    }

    /// The snapshot that a word means: `latest`, a day (the last of it), a name or a path.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is none.
    pub fn soul_snapshot(&self, wanted: &str) -> Result<MemoryPath, MemoryError> {
        let snapshots = self.soul_snapshots()?;
        let wanted = wanted.trim();
        let is_named = |path: &MemoryPath| {
            path.as_str() == wanted
                || path.file_name() == wanted
                || path.file_name().strip_suffix(".md") == Some(wanted)
        };
        let found = match (wanted, wanted.parse::<Date>()) {
            ("latest", _) => self.last_taken(&snapshots)?,
            // A day alone is one: a name has the time as well.
            (_, Ok(day)) if wanted.len() == 10 => {
                snapshots.iter().rev().find(|(_, taken)| taken.date() == day)
            }
            _ => snapshots.iter().find(|(path, _)| is_named(path)),
        };
        found.map(|(path, _)| path.clone()).ok_or_else(|| {
            MemoryError::usage(
                format!("there is no snapshot {wanted:?} of SOUL.md"),
                "`rem identity history` lists them; git has those that are gone (`rem history SOUL.md`)",
            )
        })
    }

    /// The snapshot that was taken last: CHANGELOG.md is in the order of what happened, whatever the clock said then.
    fn last_taken<'s>(
        &self,
        snapshots: &'s [(MemoryPath, DateTime)],
    ) -> Result<Option<&'s (MemoryPath, DateTime)>, MemoryError> {
        let log = self.soul_now()?.log;
        let named = |name: &str| snapshots.iter().find(|(path, _)| path.as_str() == name);
        let last = log.iter().rev().find_map(|logged| named(logged.change.detail("Snapshot")?));
        Ok(last.or(snapshots.last()))
    }

    /// Makes SOUL.md what a snapshot has, byte for byte; what it was becomes a snapshot itself, and CHANGELOG.md says so.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is no such snapshot, or SOUL.md is that already; [`MemoryError::Refused`] for a named agent; or as [`rem_ledger::Ledger::apply`].
    pub fn rollback_identity(&self, snapshot: &str) -> Result<IdentityRolledBack, MemoryError> {
        self.ledger.may_change()?;
        self.only_a_person("going back to another SOUL.md")?;
        self.until_it_stands(|| self.rollback_identity_once(snapshot))
    }

    /// The one place where SOUL.md goes back.
    fn rollback_identity_once(&self, snapshot: &str) -> Result<IdentityRolledBack, MemoryError> {
        let to = self.soul_snapshot(snapshot)?;
        let bytes = self.ledger.read(&to)?.unwrap_or_default();
        let found = self.ledger.read(self.path(Store::Soul))?;
        if found.as_deref() == Some(bytes.as_slice()) {
            return Err(MemoryError::usage(
                format!("SOUL.md is what {to} has already"),
                "`rem identity history` lists the others",
            ));
        }
        let marks = self.marks_following(found.as_deref(), &bytes)?;
        let (set, taken) = self.soul_set(found, bytes, &format!("rolled back to {to}"))?;
        let said = Change {
            verb: Verb::RolledBack,
            principle: to.to_string(),
            details: vec![("Snapshot".to_owned(), taken.to_string())],
            seen: Vec::new(),
            corrections: Vec::new(),
        };
        let provenance =
            self.asked_for(format!("rem identity rollback {}", to.file_name())).kind(CommitType::Identity);
        let applied = self.change(set.and(self.changelog_set(vec![said])).and(marks), &provenance)?;
        Ok(IdentityRolledBack { to, snapshot: taken, change: applied.change })
    }

    /// The corrections that stop, or begin again, to be part of SOUL.md when it changes so: their marks in CORRECTIONS.md follow.
    fn marks_following(
        &self,
        before: Option<&[u8]>,
        after: &[u8],
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let log = self.soul_now()?.log;
        let encoded = |bytes: &[u8]| -> BTreeSet<String> {
            let page = Page::parse(bytes).unwrap_or_default();
            let encoded = principles_of(&page, &log).into_iter().filter_map(|known| known.shown.encoded);
            encoded.flat_map(|encoded| encoded.corrections).collect()
        };
        let (before, after) = (encoded(before.unwrap_or_default()), encoded(after));
        if before == after {
            return Ok(ChangeSet::new());
        }
        let now = self.now();
        let path = self.path(Store::Corrections).clone();
        Ok(ChangeSet::new().edit(path, "marks of corrections follow SOUL.md", move |found| {
            let Some(mut bytes) = found.map(<[u8]>::to_vec) else { return Ok(None) };
            let gone = before.difference(&after).map(|id| (id, format!("until {now}")));
            let back = after.difference(&before).map(|id| (id, now.to_string()));
            for (id, mark) in gone.chain(back) {
                // What went into the archive stays as it is there.
                bytes = fielded::with_field(&bytes, id, "encoded", &mark).unwrap_or(bytes);
            }
            Ok(Some(bytes))
        }))
    }

    /// Removes snapshots older than `identity.history_retention_days` but the last of each month (I8). Gives those that went.
    pub(super) fn tidy_soul_history(&self) -> Result<Vec<MemoryPath>, MemoryError> {
        let days = i64::try_from(self.config.identity.history_retention_days).unwrap_or(i64::MAX);
        let Ok(oldest) = self.today().checked_sub(days.min(3_000_000).days()) else { return Ok(Vec::new()) };
        // In their order: the last of a month is left.
        let mut last_of: BTreeMap<(i16, i8), MemoryPath> = BTreeMap::new();
        let mut removed = Vec::new();
        for (path, taken) in self.soul_snapshots()? {
            if let Some(earlier) = last_of.insert((taken.year(), taken.month()), path)
                && self.taken_at(&earlier).is_some_and(|taken| taken.date() < oldest)
            {
                removed.push(earlier);
            }
        }
        if removed.is_empty() {
            return Ok(removed);
        }
        let head = self.ledger.head()?.unwrap_or_default();
        let (mut set, mut removals) = (ChangeSet::new(), Vec::new());
        for path in &removed {
            let Some(bytes) = self.ledger.read(path)? else { continue };
            let taken = self.taken_at(path);
            let month = taken.and_then(|taken| last_of.get(&(taken.year(), taken.month())));
            removals.push(Removal {
                source: path.clone(),
                // The snapshot that stands for the month from now on.
                target: month.cloned().unwrap_or_else(|| path.clone()),
                lines: lines_of(&bytes),
                why: format!("older than {days} days, one a month stays"),
            });
            set = set.edit(path.clone(), "an old snapshot", move |now| match now == Some(bytes.as_slice()) {
                true => Ok(None),
                false => Err("a snapshot changed meanwhile: try again".into()),
            });
        }
        set = removed.iter().fold(set, |set, path| set.action(path, Action::Delete));
        let set = self.with_removals(set, "soul-keeper", &head, &removals);
        let provenance =
            Provenance::system("soul-keeper", "snapshots over their age").kind(CommitType::Maintenance);
        self.change(set, &provenance)?;
        Ok(removed)
    }

    /// The snapshots, the oldest first.
    fn soul_snapshots(&self) -> Result<Vec<(MemoryPath, DateTime)>, MemoryError> {
        let folder = format!("{}/", self.path(Store::SoulHistory));
        let mut found = Vec::new();
        for listed in &self.ledger.list()?.files {
            if !listed.path.starts_with(&folder) {
                continue;
            }
            let Ok(path) = MemoryPath::new(listed.path.as_str()) else { continue };
            if let Some(taken) = self.taken_at(&path) {
                found.push((path, taken));
            }
        }
        let of_minute = |path: &MemoryPath| {
            let name = path.file_name().trim_end_matches(".md").to_owned();
            name.splitn(5, '-').nth(4).and_then(|number| number.parse::<u32>().ok()).unwrap_or(0)
        };
        found.sort_by_key(|(path, taken)| (*taken, of_minute(path), path.clone()));
        Ok(found)
    }

    /// When a snapshot was taken, by its name; nothing of a file that is none.
    fn taken_at(&self, path: &MemoryPath) -> Option<DateTime> {
        if path.folder() != self.path(Store::SoulHistory).as_str() {
            return None;
        }
        let name = path.file_name().strip_suffix(".md")?;
        DateTime::strptime(NAME, name.get(..15)?).ok()
    }

    /// A name that no snapshot has.
    pub(super) fn free_snapshot(&self) -> Result<MemoryPath, MemoryError> {
        let name = self.now().to_zoned(self.time_zone().clone()).strftime(NAME).to_string();
        let layout = self.ledger.layout();
        let mut path = layout.file(Store::SoulHistory, &format!("{name}.md"))?;
        let mut number = 1;
        while self.ledger.read(&path)?.is_some() {
            number += 1;
            path = layout.file(Store::SoulHistory, &format!("{name}-{number}.md"))?;
        }
        Ok(path)
    }
}
