//! `Ledger::apply`: lock, edit, acknowledge, write, commit, record.
//!
//! The order is what makes it safe: nothing visible happens before the redo record is synced, and everything after it can be
//! done again from the record alone (`recover.rs`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use rem_format::audit::{Action, Actor, Approval, AuditLine};
use rem_format::commit::{CommitMessage, CommitType};
use rem_format::path::MemoryPath;

use crate::alert::{Alert, departure};
use crate::change::{Applied, ChangeSet, FileChange, Provenance, Results};
use crate::consent::{Clearance, MAX_CROSSINGS};
use crate::door::Door;
use crate::error::LedgerError;
use crate::files::{self, Fingerprint};
use crate::git::{Contents, PathChange, Repository};
use crate::layout::Store;
use crate::ledger::Ledger;
use crate::lock::{AdvisoryLock, Attempt};
use crate::outside::outside_summary;
use crate::redo::{FileRecord, Joins, Journal, Record};
use crate::{fault, recover};

/// A file as it was found under the lock.
struct Found {
    at: PathBuf,
    fingerprint: Option<Fingerprint>,
    contents: Option<Vec<u8>>,
}

/// Everything that is held while inside the door.
pub(crate) struct Inside {
    pub(crate) door: Door,
    pub(crate) journal: Journal,
}

impl Ledger {
    /// Applies a change set: all of it or nothing, and durable when this returns.
    ///
    /// Edits run on the contents found under the lock. A set in which nothing changes writes nothing and gives an empty
    /// change id. Files that a person changed since the last commit are committed as `manual` first, so both versions are in
    /// history.
    ///
    /// Where an operator's key is set up, what needs their approval is asked for first ([`crate::Signer`]).
    ///
    /// # Errors
    /// [`LedgerError::SubAgent`] for a sub-agent that does not propose, [`LedgerError::Unsigned`] where the operator's signature is needed and not given, [`LedgerError::Edit`] when an edit refuses, [`LedgerError::Locked`] when a lock is not to be had, [`LedgerError::Io`] or
    /// [`LedgerError::Git`] when nothing was changed, [`LedgerError::Unfinished`] when the change is acknowledged and the next
    /// command completes it.
    pub fn apply(&self, changes: &ChangeSet<'_>, provenance: &Provenance) -> Result<Applied, LedgerError> {
        self.apply_joining(changes, provenance, None)
    }

    /// As [`Self::apply`], with another history coming in. There is a change even where no file changes.
    ///
    /// # Errors
    /// The same; [`LedgerError::Merge`] where the branch is not where it is to go forward from.
    pub(crate) fn apply_joining(
        &self,
        changes: &ChangeSet<'_>,
        provenance: &Provenance,
        joins: Option<&Joins>,
    ) -> Result<Applied, LedgerError> {
        self.may_apply(changes, provenance)?;
        let Some(joins) = joins else { return self.apply_asking(changes, provenance, None) };
        // What another history brings was approved there; what was not is said afterwards.
        for _ in 0..MAX_CROSSINGS {
            if let Some(applied) = self.attempt(changes, provenance, None, Some(joins))? {
                return Ok(applied);
            }
        }
        Err(self.crossing(changes))
    }

    /// One attempt. `None`: a file was changed from outside in between, or comes out otherwise than it was cleared for.
    pub(crate) fn attempt(
        &self,
        changes: &ChangeSet<'_>,
        provenance: &Provenance,
        clearance: Option<&Clearance>,
        joins: Option<&Joins>,
    ) -> Result<Option<Applied>, LedgerError> {
        let (mut inside, locks, writers) = self.enter_with_locks(changes)?;
        fault::point("apply.locked").map_err(LedgerError::io("enter", &self.root))?;
        let outcome = self.with_repository(|repository| {
            self.apply_inside(&mut inside, repository, changes, provenance, clearance, joins)
        })?;
        fault::point("apply.unlock").map_err(LedgerError::io("leave", &self.root))?;
        drop(writers);
        drop(locks);
        drop(inside);
        Ok(outcome)
    }

    /// Somebody kept changing the files of a set.
    pub(crate) fn crossing(&self, changes: &ChangeSet<'_>) -> LedgerError {
        let first = changes.paths().next().unwrap_or(self.options.layout.path(Store::Core));
        LedgerError::Crossing { path: first.clone() }
    }

    /// Enters the door and completes whatever a dead process left unfinished.
    pub(crate) fn enter(&self) -> Result<Inside, LedgerError> {
        let private = self.private_folder();
        let door = Door::enter(&private)?;
        let journal = Journal::open(&private.join("redo.log"))?;
        let mut inside = Inside { door, journal };
        recover::complete(self, &mut inside)?;
        Ok(inside)
    }

    /// Enters the door and takes the advisory locks of all files, in path order, leaving the door while waiting for one.
    fn enter_with_locks(
        &self,
        changes: &ChangeSet<'_>,
    ) -> Result<(Inside, Vec<AdvisoryLock>, Vec<std::fs::File>), LedgerError> {
        let policy = self.options.locks;
        let mut attempt = 0;
        loop {
            let mut inside = self.enter()?;
            let paths: Vec<MemoryPath> = changes.planned.keys().cloned().collect();
            inside
                .door
                .note_locks(&paths)
                .map_err(LedgerError::io("write", self.private_folder().join("door.lock")))?;
            let mut locks = Vec::with_capacity(changes.planned.len());
            let mut writers = Vec::new();
            let mut held = None;
            for path in changes.planned.keys() {
                let at = files::locate(&self.root, path)?;
                files::create_parents(&at)?;
                if self.is_transcript(path) && at.exists() {
                    // Whoever appends to an open transcript holds the file's own lock, not the door.
                    let file = std::fs::File::open(&at).map_err(LedgerError::io("open", &at))?;
                    file.lock().map_err(LedgerError::io("lock", &at))?;
                    writers.push(file);
                }
                match AdvisoryLock::attempt(&at, &self.options.agent, policy, self.clock.now())? {
                    Attempt::Acquired(lock) => locks.push(lock),
                    Attempt::Held(owner) => {
                        held = Some((path.to_string(), owner));
                        break;
                    }
                }
            }
            let Some((path, owner)) = held else { return Ok((inside, locks, writers)) };
            attempt += 1;
            if attempt >= policy.max_retries.max(1) {
                tracing::error!("Failed to acquire lock for {path} after {attempt} attempts");
                return Err(LedgerError::Locked { path, attempts: attempt, owner });
            }
            drop(locks);
            drop(inside);
            std::thread::sleep(policy.retry_interval);
        }
    }

    /// Everything between locking and unlocking. `None`: a file was changed from outside in between, start again.
    fn apply_inside(
        &self,
        inside: &mut Inside,
        repository: &Repository,
        changes: &ChangeSet<'_>,
        provenance: &Provenance,
        clearance: Option<&Clearance>,
        joins: Option<&Joins>,
    ) -> Result<Option<Applied>, LedgerError> {
        repository.check_ready()?;
        let mut found = BTreeMap::new();
        for path in changes.planned.keys() {
            let at = files::locate(&self.root, path)?;
            let fingerprint = files::fingerprint(&at);
            let contents = files::read(&at)?;
            found.insert(path, Found { at, fingerprint, contents });
        }
        self.commit_found(inside, repository, &found)?;

        let now = self.clock.now();
        let mut body = Vec::new();
        let mut records = Vec::new();
        let mut lines = Vec::new();
        let mut applied = Vec::new();
        // What follows from the others comes after them.
        let (derived, own): (Vec<_>, Vec<_>) =
            changes.planned.iter().partition(|(_, planned)| planned.derive.is_some());
        let (has_derived, mut results) = (!derived.is_empty(), Results::new());
        for (path, planned) in own.into_iter().chain(derived) {
            let before = found[path].contents.as_deref();
            let source = match &planned.moved_from {
                Some(_) if before.is_some() => return Err(occupied(path)),
                Some(from) => found.get(from).and_then(|found| found.contents.as_deref()),
                None => before,
            };
            let after = match &planned.derive {
                Some(_) if records.is_empty() => continue,
                Some(derive) => derive(source, &results),
                None => (planned.edit)(source),
            }
            .map_err(|source| LedgerError::Edit { path: path.clone(), source })?;
            if after.is_none() {
                // A sub-agent's proposal adds; the file itself stays.
                self.may_change()?;
            }
            if has_derived && planned.derive.is_none() {
                results.insert(path.clone(), after.clone());
            }
            if after.as_deref() == before && !(planned.seal && before.is_some()) {
                continue;
            }
            let follows = planned.derive.is_some() || planned.staged.is_some();
            if !self.is_cleared(clearance, path, follows, before, after.as_deref()) {
                return Ok(None);
            }
            if self.is_sealed(path, before) && planned.action != Some(Action::Revert) {
                return Err(LedgerError::Sealed { path: path.clone() });
            }
            let may_take_away = (planned.takes_away || planned.action == Some(Action::Revert))
                && (*path != self.options.layout.approvals() || joins.is_some());
            let may_take_away = may_take_away
                || *path == self.options.layout.approvals()
                    && self.mends_approvals(before, after.as_deref())?;
            if !may_take_away
                && self.options.layout.is_append_only(path)
                && let Some(what) = before.and_then(|before| departure(before, after.as_deref()))
            {
                return Err(LedgerError::AppendOnly { path: path.clone(), what });
            }
            let action = planned.action.unwrap_or(match (before, &after) {
                (None, _) => Action::Create,
                (Some(_), None) => Action::Delete,
                (Some(_), Some(_)) => Action::Edit,
            });
            // Appending to nothing creates.
            let action = if before.is_none() && action == Action::Append { Action::Create } else { action };
            if !planned.silent {
                lines.push(AuditLine::new(
                    now,
                    action,
                    path.as_str(),
                    provenance.actor.clone(),
                    provenance.approval,
                    &planned.summary,
                ));
            }
            records.push(FileRecord {
                path: path.clone(),
                before: before.map(|contents| blake3::hash(contents).to_hex().to_string()),
                after: after.as_ref().map(|contents| (body.len() as u64, contents.len() as u64)),
                staged: planned.staged.clone(),
                sealed: planned.seal,
            });
            body.extend_from_slice(&after.unwrap_or_default());
            applied.push(FileChange { path: path.clone(), action });
        }
        applied.sort_by(|one: &FileChange, other| one.path.cmp(&other.path));
        if records.is_empty() && joins.is_none() {
            return Ok(Some(Applied { change: String::new(), commit: None, time: now, files: Vec::new() }));
        }
        fault::point("apply.edited").map_err(LedgerError::io("edit", &self.root))?;

        // The last look before acknowledging: somebody's editor may have saved while the edits ran.
        if found.values().any(|found| files::fingerprint(&found.at) != found.fingerprint) {
            return Ok(None);
        }
        if let Some(Joins::Forward { from, .. }) = joins
            && repository.head()?.map(|head| head.to_string()).as_ref() != Some(from)
        {
            return Err(LedgerError::Merge {
                from: provenance.trigger.clone(),
                reason: "something was committed here meanwhile".to_owned(),
                hint: "run the command again",
            });
        }
        if joins.is_some() {
            // First of all what came, whichever files it is in.
            lines.insert(0, self.line_of_joining(now, provenance, applied.len()));
        }
        let alerts = match provenance.actor == Actor::System("init".to_owned()) {
            true => Vec::new(),
            false => self.critical_alerts(&records, |path| match clearance {
                None => Alert::critical(path, provenance),
                Some(clearance) => Alert::signed(path, Self::is_newly_signed(clearance, path)),
            }),
        };
        let salt = body.len().to_le_bytes();
        let mut record = self.record(now, records, body, lines, provenance, alerts, &salt);
        record.joins = joins.cloned();
        if matches!(joins, Some(Joins::Forward { .. })) {
            // Their commits and their alerts say it all.
            record.messages.clear();
        }
        self.carry_out(inside, repository, &record).map(|outcome| Some(Applied { files: applied, ..outcome }))
    }

    /// The audit line that says that another history came in.
    fn line_of_joining(&self, now: Timestamp, provenance: &Provenance, files: usize) -> AuditLine {
        let summary = format!("{}: {files} files", provenance.trigger);
        AuditLine::new(now, Action::Merge, ".", provenance.actor.clone(), provenance.approval, &summary)
    }

    /// Builds the redo record: messages, alerts and all.
    #[allow(clippy::too_many_arguments, reason = "one private constructor that both kinds of change share")]
    pub(crate) fn record(
        &self,
        now: Timestamp,
        files: Vec<FileRecord>,
        body: Vec<u8>,
        mut lines: Vec<AuditLine>,
        provenance: &Provenance,
        alerts: Vec<Alert>,
        salt: &[u8],
    ) -> Record {
        let change = self.new_change_id(now, salt);
        let is_critical =
            |file: &str| alerts.iter().any(|alert| alert.is_critical && alert.path.as_str() == file);
        for line in &mut lines {
            if is_critical(&line.file) {
                *line = AuditLine::new(
                    now,
                    line.action,
                    &line.file,
                    line.actor.clone(),
                    line.approval,
                    &format!("⚠️ CRITICAL: {}", line.summary),
                );
            }
        }
        let message = CommitMessage {
            lines,
            trigger: provenance.trigger.clone(),
            kind: provenance.kind,
            session: provenance.session.clone(),
            change: change.clone(),
            batched: self.options.batch.is_some()
                && alerts.is_empty()
                && matches!(provenance.kind, CommitType::Memory | CommitType::Maintenance),
            critical: alerts.iter().any(|alert| alert.is_critical),
        };
        let mut messages = vec![message.render(now)];
        for alert in alerts {
            let id = format!("{change}.{}", messages.len());
            messages.push(alert.message(now, provenance, id).render(now));
        }
        Record { change, time: now, author: provenance.actor.to_string(), files, messages, joins: None, body }
    }

    /// The alerts of the critical files among these, in the words of `alert`.
    fn critical_alerts(&self, files: &[FileRecord], alert: impl Fn(&MemoryPath) -> Alert) -> Vec<Alert> {
        if !self.options.critical_alerts {
            return Vec::new();
        }
        let paths = files.iter().map(|file| &file.path);
        paths.filter(|path| self.options.layout.is_critical(path)).map(alert).collect()
    }

    /// Acknowledges a record and does what it says.
    pub(crate) fn carry_out(
        &self,
        inside: &mut Inside,
        repository: &Repository,
        record: &Record,
    ) -> Result<Applied, LedgerError> {
        let index_lock = repository.lock_index()?;
        self.catch_up_audit(repository)?;
        inside.journal.begin(record)?;
        // From here on the change is acknowledged: an error no longer means that it did not happen.
        let unfinished =
            |source| LedgerError::Unfinished { change: record.change.clone(), source: Box::new(source) };
        let finish = || -> Result<gix::ObjectId, LedgerError> {
            for file in &record.files {
                let at = files::locate(&self.root, &file.path)?;
                match (&file.staged, record.after(file)) {
                    (Some(staged), _) => {
                        files::place(&self.private_folder().join(&staged.name), &at, file.sealed)?
                    }
                    (None, Some(contents)) => files::replace(&at, contents, file.sealed, &record.change)?,
                    (None, None) => files::remove(&self.root, &at)?,
                }
                fault::point("files.replaced").map_err(LedgerError::io("replace", &at))?;
            }
            let commit = self.commit_record(repository, record, 0, Some(index_lock))?;
            self.append_audit(repository)?;
            Ok(commit)
        };
        let commit = finish().map_err(unfinished)?;
        fault::point("redo.done").map_err(LedgerError::io("append to", &self.root)).map_err(unfinished)?;
        inside.journal.close(&record.change).map_err(unfinished)?;
        recover::checkpoint_if_due(self, inside, repository)?;
        Ok(Applied {
            change: record.change.clone(),
            commit: Some(commit.to_string()),
            time: record.time,
            files: Vec::new(),
        })
    }

    /// Makes the commits of a record from the n-th on; gives the one that carries the files.
    pub(crate) fn commit_record(
        &self,
        repository: &Repository,
        record: &Record,
        from: usize,
        mut lock: Option<crate::git::IndexLock>,
    ) -> Result<gix::ObjectId, LedgerError> {
        let mut first = None;
        if let Some(Joins::Forward { to, .. }) = &record.joins {
            fault::point("git.commit").map_err(LedgerError::git("commit"))?;
            let to = repository.resolve(to)?;
            repository.move_branch(to)?;
            fault::point("git.index").map_err(LedgerError::git("update the index"))?;
            let changed: Vec<&str> = record.files.iter().map(|file| file.path.as_str()).collect();
            drop(lock.take());
            if !changed.is_empty() {
                repository.reset_index(&changed)?;
            }
            return Ok(to);
        }
        for (number, message) in record.messages.iter().enumerate().skip(from) {
            let changes: Vec<PathChange<'_>> = if number == 0 {
                record
                    .files
                    .iter()
                    .map(|file| PathChange {
                        path: &file.path,
                        contents: match (&file.staged, record.after(file)) {
                            (Some(_), _) => Contents::InPlace,
                            (None, Some(contents)) => Contents::Bytes(contents),
                            (None, None) => Contents::Gone,
                        },
                    })
                    .collect()
            } else {
                Vec::new()
            };
            let author = if number == 0 { record.author.as_str() } else { "system:audit" };
            if let Some(joined) = self.join_batch(repository, record, &changes, message)? {
                // The index was brought up to date by what joined; the lock is used up with it.
                self.append_joined(repository, joined.lines)?;
                if let Some(lock) = lock.take() {
                    repository.refresh_index(lock, &changes)?;
                }
                first.get_or_insert(joined.commit);
                continue;
            }
            let joined = match &record.joins {
                Some(Joins::Commit(commit)) if number == 0 => Some(repository.resolve(commit)?),
                _ => None,
            };
            let made_by = (author, record.time);
            let commit = repository.commit(&changes, message, made_by, joined, lock.take())?;
            first.get_or_insert(commit);
        }
        match first {
            Some(commit) => Ok(commit),
            None => repository.head()?.ok_or_else(|| LedgerError::UnknownRevision("HEAD".to_owned())),
        }
    }

    /// Commits as `manual` what was changed from outside in the files about to change.
    fn commit_found(
        &self,
        inside: &mut Inside,
        repository: &Repository,
        found: &BTreeMap<&MemoryPath, Found>,
    ) -> Result<(), LedgerError> {
        let Some(head) = repository.head()? else { return Ok(()) };
        let mut outside = Vec::new();
        for (path, found) in found {
            let committed = repository.blob_at(head, path)?;
            let current =
                found.contents.as_deref().map(|contents| repository.blob_id(contents)).transpose()?;
            if committed != current && !self.is_open_transcript(path, found.contents.as_deref()) {
                outside.push(((*path).clone(), found.contents.clone(), committed));
            }
        }
        self.commit_outside(inside, repository, outside, "changed outside").map(drop)
    }

    /// Commits contents that are in the working tree already. Each item: path, contents, what git had of the file. Earlier text
    /// that is gone from a file that is only ever added to raises an alert: it is committed all the same, because both versions
    /// are then in history.
    pub(crate) fn commit_outside(
        &self,
        inside: &mut Inside,
        repository: &Repository,
        outside: Vec<(MemoryPath, Option<Vec<u8>>, Option<gix::ObjectId>)>,
        trigger: &str,
    ) -> Result<Vec<FileChange>, LedgerError> {
        if outside.is_empty() {
            return Ok(Vec::new());
        }
        let unsigned =
            self.lacks_signature(outside.iter().map(|(path, contents, _)| (path, contents.as_deref())))?;
        let now = self.clock.now();
        let provenance = Provenance::manual(trigger).kind(CommitType::Memory);
        let (mut records, mut lines, mut body, mut changes, mut rewritten) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (path, contents, committed) in outside {
            let action = match (&contents, committed) {
                (None, _) => Action::Delete,
                (Some(_), None) => Action::Create,
                (Some(_), Some(_)) => Action::Edit,
            };
            if let Some(committed) = committed.filter(|_| self.options.layout.is_append_only(&path))
                && let Some(what) = departure(&repository.blob(committed)?, contents.as_deref())
            {
                rewritten.push(Alert::rewritten(&path, &what));
            }
            let summary = outside_summary(action);
            lines.push(AuditLine::new(now, action, path.as_str(), Actor::Manual, Approval::None, summary));
            records.push(FileRecord {
                path: path.clone(),
                before: contents.as_ref().map(|contents| blake3::hash(contents).to_hex().to_string()),
                after: contents.as_ref().map(|contents| (body.len() as u64, contents.len() as u64)),
                staged: None,
                sealed: false,
            });
            body.extend_from_slice(&contents.unwrap_or_default());
            changes.push(FileChange { path, action });
        }
        let salt = body.len().to_le_bytes();
        let lacks = |path: &MemoryPath| unsigned.as_ref().is_some_and(|unsigned| unsigned.contains(path));
        let mut alerts = self.critical_alerts(&records, |path| match &unsigned {
            None => Alert::critical(path, &provenance),
            Some(_) if lacks(path) => Alert::unsigned(path),
            Some(_) => Alert::signed(path, false),
        });
        let others = records.iter().map(|record| &record.path);
        let others = others.filter(|path| lacks(path) && !self.options.layout.is_critical(path));
        alerts.extend(others.map(Alert::unsigned).filter(|_| self.options.critical_alerts));
        alerts.extend(rewritten.into_iter().filter(|_| self.options.critical_alerts));
        let record = self.record(now, records, body, lines, &provenance, alerts, &salt);
        self.carry_out_recorded(inside, repository, &record)?;
        Ok(changes)
    }

    /// As [`Self::carry_out`] for files that are as they shall be: the working tree is not touched, so a person who goes on
    /// typing loses nothing.
    fn carry_out_recorded(
        &self,
        inside: &mut Inside,
        repository: &Repository,
        record: &Record,
    ) -> Result<(), LedgerError> {
        let index_lock = repository.lock_index()?;
        self.catch_up_audit(repository)?;
        inside.journal.begin(record)?;
        let unfinished =
            |source| LedgerError::Unfinished { change: record.change.clone(), source: Box::new(source) };
        self.commit_record(repository, record, 0, Some(index_lock)).map_err(unfinished)?;
        self.append_audit(repository).map_err(unfinished)?;
        inside.journal.close(&record.change).map_err(unfinished)?;
        Ok(())
    }
}

/// A file cannot move to where another is.
fn occupied(path: &MemoryPath) -> LedgerError {
    LedgerError::Edit { path: path.clone(), source: "there is such a file already".into() }
}
