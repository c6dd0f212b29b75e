//! `compact`: dated files that are old go into an archive for each month or quarter (P5.5, S `memory compact`).
//!
//! A file is copied byte for byte (`rem_format::archive`); what is in an archive already is not put there again. Taken away is only
//! what this very change set finds or puts in its archive whole, what git has as it is, and nothing that `keeping` holds
//! back. Episodes are only ever added to and are called by their day, so they stay. Must not summarise: the archive is what `narrating` tells of.

use std::collections::BTreeMap;
use std::time::SystemTime;

use jiff::ToSpan as _;
use jiff::civil::Date;
use rem_format::archive::{append, can_name, holds};
use rem_format::audit::{Action, Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::config::Granularity;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_recall::Linked;
use serde::Serialize;

pub use super::keeping::Kept;
use super::linking::relinked_in;
use super::removal::{Removal, lines_of};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::renaming::Followed;

/// What to compact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompactRequest {
    /// Files of days before so many days ago, from 0; `compaction.age_days` where nothing is said.
    pub days: Option<u64>,
    /// The span of an archive; `compaction.granularity` where nothing is said.
    pub granularity: Option<Granularity>,
    /// Write the archives; otherwise it is only told what would happen.
    pub apply: bool,
    /// Take the files away that are in an archive. Changes nothing without `apply`.
    pub remove: bool,
}

/// A file that is old enough.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Compacted {
    /// Where it stands, or stood.
    pub path: MemoryPath,
    /// Its day.
    pub date: Date,
    /// Its lines.
    pub lines: usize,
    /// Whether the archive had it before.
    pub was_archived: bool,
}

/// An archive with what belongs into it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Archive {
    /// Its file.
    pub path: MemoryPath,
    /// The files, in the order of their days.
    pub files: Vec<Compacted>,
}

/// What `compact` found and did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CompactOutcome {
    /// Files of days before this one are old enough.
    pub before: Date,
    /// The archives, in the order of their paths.
    pub archives: Vec<Archive>,
    /// Files that are old enough and stay.
    pub kept: Vec<Kept>,
    /// Files in which links to what went were led to the archive, and how many in each.
    pub rewritten: BTreeMap<String, usize>,
    /// Links to what went that stay as they are, because their file may not change.
    pub left: Vec<Linked>,
    /// Whether it was done, or only told.
    pub applied: bool,
    /// Whether the files were taken away.
    pub removed: bool,
    /// The chronicles that tell of days in archives now, where `compaction.style` is narrative and a model is named.
    pub chronicles: Vec<MemoryPath>,
    /// Why there are archived days that no chronicle tells of; the next run tries again.
    pub not_told: Option<String>,
    /// The change's id; empty where nothing changed.
    pub change: String,
}

/// A file with what it holds and where that goes.
struct Planned {
    file: Compacted,
    contents: Vec<u8>,
    target: MemoryPath,
}

impl Memory {
    /// Puts dated files into archives, all or none; previews without `apply`.
    ///
    /// # Errors
    /// [`MemoryError::Search`] where files are to go and there can be no index to say what links to them; or as
    /// [`rem_ledger::Ledger::apply`], also where a file was changed meanwhile.
    pub fn compact(
        &self,
        request: &CompactRequest,
        observed_at: SystemTime,
    ) -> Result<CompactOutcome, MemoryError> {
        if request.apply {
            self.ledger.may_change()?;
            self.commit_what_can_be();
        }
        let head = self.ledger.head()?;
        let days = i64::try_from(request.days.unwrap_or(self.config.compaction.age_days)).unwrap_or(i64::MAX);
        let before = 0_i64
            .days()
            .try_days(days)
            .ok()
            .and_then(|span| self.today().checked_sub(span).ok())
            .unwrap_or(Date::MIN);
        let granularity = request.granularity.unwrap_or(self.config.compaction.granularity);
        let (planned, kept) = self.plan_compaction(before, granularity, head.as_deref())?;
        let followed = match request.remove && !planned.is_empty() {
            true => self.links_to_archives(&planned, observed_at)?,
            false => Followed::default(),
        };
        let mut outcome = CompactOutcome {
            before,
            archives: archives(&planned),
            kept,
            rewritten: followed.rewritten.clone(),
            left: followed.left.clone(),
            applied: request.apply,
            removed: request.apply && request.remove,
            chronicles: Vec::new(),
            not_told: None,
            change: String::new(),
        };
        if !request.apply {
            return Ok(outcome);
        }
        if !planned.is_empty() {
            outcome.change = self.put_away(request, &planned, followed, head.as_deref())?;
        }
        // Only what an archive has is told of: nothing is lost, whatever comes of it.
        let narrated = self.narrate_archives()?;
        (outcome.chronicles, outcome.not_told) = (narrated.chronicles, narrated.why_not);
        Ok(outcome)
    }

    /// Writes the archives, and takes away what is in them where that is wanted; gives the change's id.
    fn put_away(
        &self,
        request: &CompactRequest,
        planned: &[Planned],
        followed: Followed,
        head: Option<&str>,
    ) -> Result<String, MemoryError> {
        let mut set = archived(planned);
        if request.remove {
            set = removed(set, planned);
            set = relinked_in(set, followed.targets, "links to archives")?;
            let removals: Vec<Removal> = planned.iter().map(removal_of).collect();
            set = self.with_removals(set, "compact", head.unwrap_or_default(), &removals);
        }
        let flags = if request.remove { "--apply --remove" } else { "--apply" };
        let provenance = Provenance::new(
            Actor::System("compactor".to_owned()),
            Approval::Approved,
            format!("rem compact {flags}"),
        )
        .kind(CommitType::Maintenance);
        Ok(self.change(set, &provenance)?.change)
    }

    /// Whether this is an archive of a month or a quarter.
    pub(crate) fn is_span_archive(&self, path: &MemoryPath) -> bool {
        let layout = self.ledger.layout();
        let span = path.file_name().strip_suffix(".md").unwrap_or_default();
        let Some((year, part)) = span.split_once('-') else { return false };
        let is_digits = |text: &str, length: usize| {
            text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_span =
            is_digits(part, 2) || part.strip_prefix('Q').is_some_and(|quarter| is_digits(quarter, 1));
        layout.store_of(path) == Some(Store::Archive)
            && path.folder() == layout.path(Store::Archive).as_str()
            && is_digits(year, 4)
            && is_span
    }

    /// Has git record what was changed outside. A file that cannot be read is left alone here as it is further on.
    pub(super) fn commit_what_can_be(&self) {
        if let Err(error) = self.ledger.commit_outside_changes() {
            tracing::warn!("{error}: what git does not have stays where it is");
        }
    }

    fn plan_compaction(
        &self,
        before: Date,
        granularity: Granularity,
        head: Option<&str>,
    ) -> Result<(Vec<Planned>, Vec<Kept>), MemoryError> {
        let snapshot = head.map(|head| self.ledger.snapshot(head)).transpose()?;
        let (mut planned, mut kept) = (Vec::new(), Vec::new());
        for listed in &self.ledger.list()?.files {
            let Ok(path) = MemoryPath::new(listed.path.as_str()) else { continue };
            let is_page = path.as_str().ends_with(".md")
                && self.ledger.layout().store_of(&path) == Some(Store::Journal);
            let date = rem_recall::date_of_path(path.file_name()).filter(|date| is_page && *date < before);
            let Some(date) = date else { continue };
            let mut keep = |why: String| kept.push(Kept { path: path.to_string(), why });
            if !can_name(path.as_str()) {
                keep("no archive can name it".to_owned());
                continue;
            }
            let contents = match self.may_go(&path, listed.metadata.is_symlink(), snapshot.as_ref())? {
                Ok(contents) => contents,
                Err(why) => {
                    keep(why);
                    continue;
                }
            };
            let lines = lines_of(&contents);
            let (target, was_archived) = self.archive_for(&path, date, granularity, &contents)?;
            planned.push(Planned { file: Compacted { path, date, lines, was_archived }, contents, target });
        }
        planned
            .sort_by(|one, other| (one.file.date, &one.file.path).cmp(&(other.file.date, &other.file.path)));
        Ok((planned, kept))
    }

    /// The archive that a file belongs into: the one that has it already, whatever its span; and whether there is one.
    fn archive_for(
        &self,
        path: &MemoryPath,
        date: Date,
        granularity: Granularity,
        contents: &[u8],
    ) -> Result<(MemoryPath, bool), MemoryError> {
        let place = |granularity| {
            self.ledger.layout().file(Store::Archive, &format!("{}.md", span(date, granularity)))
        };
        for each in [granularity, other(granularity)] {
            let archive = place(each)?;
            let found = self.ledger.read(&archive)?;
            if found.is_some_and(|found| holds(&found, path.as_str(), contents)) {
                return Ok((archive, true));
            }
        }
        Ok((place(granularity)?, false))
    }

    /// What has to happen to links when these files are in their archives.
    fn links_to_archives(
        &self,
        planned: &[Planned],
        observed_at: SystemTime,
    ) -> Result<Followed, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let moved: BTreeMap<&str, &MemoryPath> =
            planned.iter().map(|each| (each.file.path.as_str(), &each.target)).collect();
        let mut followed = self.links_of_moved(&index, &moved)?;
        // What goes into an archive goes as it is.
        followed.targets.retain(|holder, _| !moved.contains_key(holder.as_str()));
        followed.rewritten.retain(|holder, _| followed.targets.contains_key(holder));
        Ok(followed)
    }
}

/// What an archive is called: `2024-03` or `2024-Q1`.
fn span(date: Date, granularity: Granularity) -> String {
    match granularity {
        Granularity::Month => format!("{:04}-{:02}", date.year(), date.month()),
        Granularity::Quarter => format!("{:04}-Q{}", date.year(), (date.month() + 2) / 3),
    }
}

fn other(granularity: Granularity) -> Granularity {
    match granularity {
        Granularity::Month => Granularity::Quarter,
        Granularity::Quarter => Granularity::Month,
    }
}

fn by_target(planned: &[Planned]) -> BTreeMap<&MemoryPath, Vec<&Planned>> {
    let mut all: BTreeMap<&MemoryPath, Vec<&Planned>> = BTreeMap::new();
    planned.iter().for_each(|each| all.entry(&each.target).or_default().push(each));
    all
}

fn archives(planned: &[Planned]) -> Vec<Archive> {
    let archive = |(path, files): (&MemoryPath, Vec<&Planned>)| Archive {
        path: path.clone(),
        files: files.into_iter().map(|each| each.file.clone()).collect(),
    };
    by_target(planned).into_iter().map(archive).collect()
}

/// The change that writes the archives: what is not there yet comes at the end.
fn archived(planned: &[Planned]) -> ChangeSet<'_> {
    by_target(planned).into_iter().fold(ChangeSet::new(), |set, (target, files)| {
        let title = target.file_name().strip_suffix(".md").unwrap_or(target.file_name());
        let summary = match files.len() {
            1 => "archived a day".to_owned(),
            count => format!("archived {count} days"),
        };
        set.edit(target.clone(), summary, move |found| {
            let mut archive = found.map(<[u8]>::to_vec);
            for each in &files {
                let source = each.file.path.as_str();
                if !archive.as_deref().is_some_and(|archive| holds(archive, source, &each.contents)) {
                    archive =
                        Some(append(archive.as_deref(), &format!("Archive {title}"), source, &each.contents));
                }
                // Nothing leaves a file before it is in its target, and here is where that is seen.
                if !archive.as_deref().is_some_and(|archive| holds(archive, source, &each.contents)) {
                    return Err(format!("{source} is not to be found in it afterwards").into());
                }
            }
            Ok(archive)
        })
        .action(target, Action::Merge)
    })
}

/// The set, with the files gone that are in their archives: each only as it was when it was put there.
fn removed<'a>(set: ChangeSet<'a>, planned: &'a [Planned]) -> ChangeSet<'a> {
    planned.iter().fold(set, |set, each| {
        set.edit(each.file.path.clone(), format!("is in {}", each.target), move |found| match found {
            Some(found) if found == each.contents => Ok(None),
            _ => Err("it changed meanwhile: try again".into()),
        })
    })
}

fn removal_of(planned: &Planned) -> Removal {
    Removal {
        source: planned.file.path.clone(),
        target: planned.target.clone(),
        lines: planned.file.lines,
        why: "old".to_owned(),
    }
}
