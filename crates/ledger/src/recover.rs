//! Completing what a dead process acknowledged, and making groups of changes durable.
//!
//! Every entry through the door looks at the journal's end. If the last change was not closed, its owner died: the record is
//! carried out again, each step only where it is missing. After a power loss (the machine's boot id changed) every change
//! since the last checkpoint is checked, and the branch goes back to the checkpoint if git objects did not survive.

use std::path::Path;

use gix::ObjectId;
use rem_format::lockfile::LockFile;
use serde::{Deserialize, Serialize};

use crate::apply::Inside;
use crate::error::LedgerError;
use crate::files;
use crate::git::{IndexLock, Repository};
use crate::ledger::Ledger;
use crate::redo::{Joins, Record};

/// Journal size at which files and objects are made durable and the journal is emptied, in bytes.
const CHECKPOINT_BYTES: u64 = 4 << 20;
/// How far back a record's commit is looked for when it was not closed.
const SEARCH_DEPTH: usize = 256;

/// What was durable when the journal was last emptied.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Checkpoint {
    head: Option<String>,
    /// Tells power losses apart from processes that died.
    boot: String,
}

/// Completes unfinished changes. Cheap when there are none: it reads the journal's last frame.
pub(crate) fn complete(ledger: &Ledger, inside: &mut Inside) -> Result<(), LedgerError> {
    let private = ledger.private_folder();
    for path in std::mem::take(&mut inside.door.left) {
        let lock = ledger.root.join(format!("{path}.lock"));
        if is_dead_lock(&lock) {
            tracing::warn!(
                "Stale lock detected from a process of ours that died, removing {}",
                lock.display()
            );
            files::remove_if_there(&lock).map_err(LedgerError::io("remove", lock))?;
        }
        files::clear_lock_temporaries(&ledger.root.join(path.as_str()));
    }
    let git_folder = crate::git::git_folder_of(&ledger.root, &ledger.options.git_folder);
    if IndexLock::clear_left(&git_folder).map_err(LedgerError::io("clear the index lock in", &git_folder))? {
        tracing::warn!("removed index.lock in {}, left by a process of ours that died", git_folder.display());
    }
    let clean = inside.journal.is_clean()?;
    if inside.journal.length() == 0 {
        return Ok(());
    }
    let checkpoint = read_checkpoint(&private);
    let same_boot = checkpoint.boot == boot_id();
    if clean && same_boot {
        return Ok(());
    }
    let records = inside.journal.read()?;
    ledger.with_repository(|repository| {
        let left = repository.clear_left_locks(!same_boot);
        for lock in left.map_err(LedgerError::io("clear git's locks in", &git_folder))? {
            tracing::warn!("removed {}, left by a process that died", lock.display());
        }
        if !same_boot {
            rewind_if_broken(repository, &checkpoint)?;
        }
        for (record, closed) in &records {
            if !closed || !same_boot {
                redo(ledger, repository, record)?;
                inside.journal.close(&record.change)?;
            }
        }
        if !same_boot {
            repository.reset_index(&[])?;
            checkpoint_now(ledger, inside, repository)?;
        }
        Ok(())
    })
}

/// A lock of ours that the operating system says nobody holds.
pub(crate) fn is_dead_lock(at: &Path) -> bool {
    let own = std::fs::read_to_string(at)
        .ok()
        .and_then(|text| LockFile::parse(&text))
        .is_some_and(|lock| lock.is_own());
    own && std::fs::File::open(at).is_ok_and(|file| file.try_lock().is_ok())
}

/// Carries out a record again, each step only where it is missing.
fn redo(ledger: &Ledger, repository: &Repository, record: &Record) -> Result<(), LedgerError> {
    tracing::warn!("completing change {}, which was acknowledged and not finished", record.change);
    let committed = committed_messages(repository, record)?;
    for file in &record.files {
        let at = files::locate(&ledger.root, &file.path)?;
        files::clear_temporary(&at, &record.change);
        if let Some(staged) = &file.staged {
            files::place(&ledger.private_folder().join(&staged.name), &at, file.sealed)?;
            continue;
        }
        let current = files::read(&at)?;
        let hash = current.as_deref().map(|contents| blake3::hash(contents).to_hex().to_string());
        let after = record.after(file);
        if current.as_deref() == after {
            if file.sealed && after.is_some() {
                files::make_read_only(&at).map_err(LedgerError::io("seal", at))?;
            }
            continue;
        }
        // A power loss can leave an emptied file where the rename survived and the contents did not.
        let ours = hash == file.before || current.as_deref().is_some_and(<[u8]>::is_empty);
        match after {
            _ if !ours => tracing::warn!(
                "{} was changed by hand while change {} was unfinished: both versions are kept in history",
                file.path,
                record.change
            ),
            Some(contents) => files::replace(&at, contents, file.sealed, &record.change)?,
            None => files::remove(&ledger.root, &at)?,
        }
    }
    if let Some(Joins::Forward { from, to }) = &record.joins
        && repository.head()?.map(|head| head.to_string()).as_ref() == Some(from)
    {
        repository.move_branch(repository.resolve(to)?)?;
    }
    if committed < record.messages.len() {
        ledger.commit_record(repository, record, committed, None)?;
    }
    let paths: Vec<&str> = record.files.iter().map(|file| file.path.as_str()).collect();
    if !paths.is_empty() {
        repository.reset_index(&paths)?;
    }
    ledger.catch_up_audit(repository)
}

/// How many of a record's commits are in history.
fn committed_messages(repository: &Repository, record: &Record) -> Result<usize, LedgerError> {
    let mut next = repository.head()?;
    let mut found = 0;
    for _ in 0..SEARCH_DEPTH {
        let Some(id) = next else { break };
        let info = repository.commit_info(id)?;
        if let Some(message) = info.structured() {
            for number in 0..record.messages.len() {
                if message.holds(&record.commit_id(number)) {
                    found = found.max(number + 1);
                }
            }
        }
        if found > 0 {
            break;
        }
        next = info.parents.first().copied();
    }
    Ok(found)
}

/// After a power loss: if the newest commits did not survive whole, the branch goes back to what was durable.
fn rewind_if_broken(repository: &Repository, checkpoint: &Checkpoint) -> Result<(), LedgerError> {
    let Some(durable) = checkpoint.head.as_deref().and_then(|text| ObjectId::from_hex(text.as_bytes()).ok())
    else {
        return Ok(());
    };
    repository.drop_torn_objects();
    if !reaches(repository, durable) {
        tracing::warn!(
            "git lost its newest commits with the power: they are made again from the redo journal"
        );
        repository.move_branch(durable)?;
    }
    Ok(())
}

/// Whether HEAD leads to `durable` through commits whose trees and changed blobs are all readable.
fn reaches(repository: &Repository, durable: ObjectId) -> bool {
    let mut next = repository.head().ok().flatten();
    while let Some(id) = next {
        if id == durable {
            return true;
        }
        let Ok(info) = repository.commit_info(id) else { return false };
        if !repository.is_whole(info.tree, info.parents.first().copied()) {
            return false;
        }
        next = info.parents.first().copied();
    }
    false
}

/// Makes everything durable and empties the journal once it has grown.
pub(crate) fn checkpoint_if_due(
    ledger: &Ledger,
    inside: &mut Inside,
    repository: &Repository,
) -> Result<(), LedgerError> {
    if inside.journal.length() < CHECKPOINT_BYTES {
        Ok(())
    } else {
        checkpoint_now(ledger, inside, repository)
    }
}

pub(crate) fn checkpoint_now(
    ledger: &Ledger,
    inside: &mut Inside,
    repository: &Repository,
) -> Result<(), LedgerError> {
    let head = repository.head()?.map(|id| id.to_string());
    let path = ledger.private_folder().join("checkpoint.json");
    let checkpoint = Checkpoint { head, boot: boot_id() };
    let json = serde_json::to_vec(&checkpoint).map_err(|source| LedgerError::Io {
        what: "encode",
        path: path.clone(),
        source: source.into(),
    })?;
    files::replace_private(&path, &json).map_err(LedgerError::io("write", &path))?;
    sync_file_system(&ledger.root).map_err(LedgerError::io("sync", &ledger.root))?;
    inside.journal.truncate()
}

/// Notes in a new private folder that there is nothing to recover yet. Without the note every change is looked at
/// as after a power loss, which is slower and right.
pub(crate) fn first_checkpoint(ledger: &Ledger) {
    let path = ledger.private_folder().join("checkpoint.json");
    if path.exists() {
        return;
    }
    let head = ledger.with_repository(Repository::head).ok().flatten().map(|id| id.to_string());
    if let Ok(json) = serde_json::to_vec(&Checkpoint { head, boot: boot_id() }) {
        let _ = files::replace_private(&path, &json);
    }
}

impl Ledger {
    /// Makes files and git objects durable on their own and empties the redo journal.
    ///
    /// # Errors
    /// As entering the door, or [`LedgerError::Io`] when the sync fails; the journal is kept then.
    pub fn checkpoint(&self) -> Result<(), LedgerError> {
        let mut inside = self.enter()?;
        self.with_repository(|repository| checkpoint_now(self, &mut inside, repository))
    }

    /// Completes what dead processes left, if anything.
    ///
    /// # Errors
    /// As entering the door.
    pub fn recover(&self) -> Result<(), LedgerError> {
        self.enter().map(drop)
    }
}

fn read_checkpoint(private: &Path) -> Checkpoint {
    std::fs::read(private.join("checkpoint.json"))
        .ok()
        .and_then(|json| serde_json::from_slice(&json).ok())
        .unwrap_or_default()
}

/// Changes when the machine starts; empty where the system does not say, which makes every recovery a thorough one.
fn boot_id() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map(|id| id.trim().to_owned())
        .unwrap_or_default()
}

#[cfg(target_os = "linux")]
fn sync_file_system(root: &Path) -> std::io::Result<()> {
    let folder = std::fs::File::open(root)?;
    rustix::fs::syncfs(&folder).map_err(std::io::Error::from)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn sync_file_system(_root: &Path) -> std::io::Result<()> {
    rustix::fs::sync();
    Ok(())
}

#[cfg(not(unix))]
fn sync_file_system(root: &Path) -> std::io::Result<()> {
    std::fs::File::open(root.join(".rem").join("redo.log"))?.sync_all()
}
