//! Going back (M12.8): one file, everything a session did, or the whole workspace to a moment.
//!
//! A rollback is a change like any other: it adds a commit with REVERT lines and can be rolled back itself. Transcripts are
//! evidence and stay as they are.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rem_format::audit::Action;
use rem_format::path::MemoryPath;
use serde::Serialize;

use crate::change::{Applied, ChangeSet, Provenance};
use crate::error::LedgerError;
use crate::git::{CommitInfo, Repository};
use crate::layout::Store;
use crate::ledger::Ledger;

/// What a rollback did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RollbackOutcome {
    /// The commit whose state was restored; `None` when a session was taken back.
    pub target: Option<String>,
    /// The change that did it.
    pub applied: Applied,
    /// Files that could not be taken back because later changes overlap.
    pub conflicts: Vec<String>,
}

impl Ledger {
    /// Gives one file the contents it had at a revision, or at a time (RFC 3339).
    ///
    /// # Errors
    /// [`LedgerError::UnknownRevision`], or as [`Ledger::apply`].
    pub fn rollback_file(
        &self,
        path: &MemoryPath,
        to: &str,
        provenance: &Provenance,
    ) -> Result<RollbackOutcome, LedgerError> {
        let (target, contents) = self.with_repository(|repository| {
            let commit = moment(repository, to)?;
            let contents = repository.blob_at(commit, path)?.map(|blob| repository.blob(blob)).transpose()?;
            Ok((commit, contents))
        })?;
        let summary = format!("reverted to commit {}", target.to_hex_with_len(7));
        self.may_take_back(path, contents.as_deref(), provenance)?;
        let changes = revert(ChangeSet::new(), path.clone(), contents, summary);
        self.may_bring_in(&changes, provenance)?;
        let applied = self.apply(&changes, provenance)?;
        Ok(RollbackOutcome { target: Some(target.to_string()), applied, conflicts: Vec::new() })
    }

    /// Gives every file the contents it had at a time (RFC 3339) or revision; files that came later go, transcripts stay.
    ///
    /// # Errors
    /// [`LedgerError::UnknownRevision`] when history does not reach back so far, or as [`Ledger::apply`].
    pub fn rollback_time(&self, to: &str, provenance: &Provenance) -> Result<RollbackOutcome, LedgerError> {
        self.commit_outside_changes()?;
        let (target, restored) = self.with_repository(|repository| {
            let commit = moment(repository, to)?;
            let target = repository.commit_info(commit)?.tree;
            let head = repository
                .head()?
                .map(|head| repository.commit_info(head))
                .transpose()?
                .map(|info| info.tree);
            let mut restored = Vec::new();
            for difference in repository.difference(head, Some(target))? {
                let path = MemoryPath::new(difference.path)?;
                // What was approved stays approved, though it be taken back.
                if !self.is_transcript(&path) && path != self.options.layout.approvals() {
                    restored.push((path, difference.new.map(|blob| repository.blob(blob)).transpose()?));
                }
            }
            Ok((commit, restored))
        })?;
        let summary = format!("reverted to commit {}", target.to_hex_with_len(7));
        for (path, contents) in &restored {
            self.may_take_back(path, contents.as_deref(), provenance)?;
        }
        let changes = restored
            .into_iter()
            .fold(ChangeSet::new(), |set, (path, contents)| revert(set, path, contents, summary.clone()));
        self.may_bring_in(&changes, provenance)?;
        let applied = self.apply(&changes, provenance)?;
        Ok(RollbackOutcome { target: Some(target.to_string()), applied, conflicts: Vec::new() })
    }

    /// Takes back everything a session did (`Session:` trailer, or the actor `reflection:ID`). Later changes to the same lines
    /// stand in the way and are named; then nothing changes.
    ///
    /// # Errors
    /// [`LedgerError::UnknownRevision`] when no commit is of that session, or as [`Ledger::apply`].
    pub fn rollback_session(
        &self,
        session: &str,
        provenance: &Provenance,
    ) -> Result<RollbackOutcome, LedgerError> {
        self.commit_outside_changes()?;
        let (contents, conflicts) = self.with_repository(|repository| {
            let commits = commits_of(repository, session)?;
            if commits.is_empty() {
                return Err(LedgerError::UnknownRevision(format!("session {session}")));
            }
            self.without(repository, &commits)
        })?;
        let summary = format!("took back session {session}");
        let changes = if conflicts.is_empty() {
            for (path, contents) in &contents {
                self.may_take_back(path, contents.as_deref(), provenance)?;
            }
            contents
                .into_iter()
                .fold(ChangeSet::new(), |set, (path, contents)| revert(set, path, contents, summary.clone()))
        } else {
            ChangeSet::new()
        };
        self.may_bring_in(&changes, provenance)?;
        let applied = self.apply(&changes, provenance)?;
        Ok(RollbackOutcome { target: None, applied, conflicts })
    }

    /// The contents of all touched files as if these commits, newest first, had not happened; and what cannot be merged.
    #[allow(clippy::type_complexity, reason = "contents by path, and the paths in conflict")]
    fn without(
        &self,
        repository: &Repository,
        commits: &[CommitInfo],
    ) -> Result<(BTreeMap<MemoryPath, Option<Vec<u8>>>, Vec<String>), LedgerError> {
        let mut contents: BTreeMap<MemoryPath, Option<Vec<u8>>> = BTreeMap::new();
        let mut conflicts = Vec::new();
        for info in commits {
            let parent =
                info.parents.first().map(|id| repository.commit_info(*id)).transpose()?.map(|info| info.tree);
            for difference in repository.difference(parent, Some(info.tree))? {
                let path = MemoryPath::new(difference.path)?;
                // What is derived is made anew; merging it would put neighbouring rows in each other's way.
                let layout = &self.options.layout;
                let is_derived = layout.store_of(&path) == Some(Store::GraphIndex);
                if self.is_transcript(&path) || is_derived || path == layout.approvals() {
                    continue;
                }
                let read = |blob: Option<gix::ObjectId>| blob.map(|blob| repository.blob(blob)).transpose();
                let (before, after) = (read(difference.old)?, read(difference.new)?);
                let current = match contents.get(&path) {
                    Some(current) => current.clone(),
                    None => self.read(&path)?,
                };
                let result = if current == after {
                    before
                } else if let (Some(current), Some(before), Some(after)) = (&current, &before, &after) {
                    match self.merge(after, current, before)? {
                        Some(merged) => Some(merged),
                        None => {
                            conflicts.push(path.to_string());
                            continue;
                        }
                    }
                } else {
                    conflicts.push(path.to_string());
                    continue;
                };
                contents.insert(path, result);
            }
        }
        Ok((contents, conflicts))
    }

    /// A three-way merge of lines by git; `None` where the sides overlap.
    fn merge(&self, base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Option<Vec<u8>>, LedgerError> {
        let folder = tempfile::tempdir_in(self.private_folder())
            .map_err(LedgerError::io("create a folder in", self.private_folder()))?;
        let mut names = Vec::new();
        for (name, contents) in [("ours", ours), ("base", base), ("theirs", theirs)] {
            let at = folder.path().join(name);
            crate::files::replace_private(&at, contents).map_err(LedgerError::io("write", &at))?;
            names.push(at.to_string_lossy().into_owned());
        }
        // A conflict is the one way in which merge-file fails on readable files.
        Ok(self.program().run("merge", &["merge-file", "-p", &names[0], &names[1], &names[2]]).ok())
    }
}

fn revert(set: ChangeSet<'_>, path: MemoryPath, contents: Option<Vec<u8>>, summary: String) -> ChangeSet<'_> {
    let set = match contents {
        Some(contents) => set.write(path.clone(), contents, summary),
        None => set.delete(path.clone(), summary),
    };
    set.action(&path, Action::Revert)
}

/// The commit that a time or a revision means.
fn moment(repository: &Repository, to: &str) -> Result<gix::ObjectId, LedgerError> {
    match to.parse::<Timestamp>() {
        Ok(time) => repository
            .at_time(time)?
            .ok_or_else(|| LedgerError::UnknownRevision(format!("{to} (before the first change)"))),
        Err(_) => repository.resolve(to),
    }
}

/// The commits of a session on the first-parent line, newest first.
fn commits_of(repository: &Repository, session: &str) -> Result<Vec<CommitInfo>, LedgerError> {
    let mut found = Vec::new();
    let mut next = repository.head()?;
    while let Some(id) = next {
        let info = repository.commit_info(id)?;
        next = info.parents.first().copied();
        if let Some(message) = info.structured() {
            let reflection =
                message.lines.iter().any(|line| line.actor.to_string() == format!("reflection:{session}"));
            if message.session.as_deref() == Some(session) || reflection {
                found.push(info);
            }
        }
    }
    Ok(found)
}
