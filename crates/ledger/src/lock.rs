//! Advisory locks on single files (P4.1), made race-free.
//!
//! On the outside they are the seed's: `<path>.lock` with three lines, a retry interval, a limit, a stale threshold. On
//! the inside each lock of ours is also held by the operating system, on the lock file itself, for as long as it lives:
//!
//! - a lock file appears complete, by hard link, so nobody reads half of one;
//! - a lock file of ours that the system says nobody holds belongs to a dead process and is taken over at once;
//! - taking over means holding the system's lock on that very file and checking that it is still the one at that path,
//!   so of two takers one wins and the other sees a living owner.
//!
//! A lock of another program, which only follows the seed, is taken over after the stale threshold and not before.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rem_format::lockfile::{LockFile, OWN_PREFIX};

use crate::clock::Clock;
use crate::error::LedgerError;
use crate::files;

/// P4.1's parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LockPolicy {
    /// Time between attempts (seed: 2 s).
    pub retry_interval: Duration,
    /// Attempts before giving up (seed: 5).
    pub max_retries: u32,
    /// Age at which another program's lock counts as left behind (seed: 3,600 s).
    pub stale_after: Duration,
}

impl Default for LockPolicy {
    fn default() -> Self {
        Self {
            retry_interval: Duration::from_secs(2),
            max_retries: 5,
            stale_after: Duration::from_secs(3600),
        }
    }
}

/// A held lock; released when dropped.
#[derive(Debug)]
pub struct AdvisoryLock {
    path: PathBuf,
    // Closing the file releases the system's lock; the path is removed while it is still held.
    file: File,
}

pub(crate) enum Attempt {
    Acquired(AdvisoryLock),
    /// Somebody else holds it, described for a person.
    Held(String),
}

impl AdvisoryLock {
    /// Takes the lock of `target`, waiting as the policy says.
    ///
    /// # Errors
    /// [`LedgerError::Locked`] when all attempts are used up, [`LedgerError::Io`] when the folder cannot be written.
    pub fn acquire(
        target: &Path,
        agent: &str,
        policy: LockPolicy,
        clock: &dyn Clock,
    ) -> Result<Self, LedgerError> {
        let mut owner = String::new();
        for attempt in 0..policy.max_retries.max(1) {
            if attempt > 0 {
                std::thread::sleep(policy.retry_interval);
            }
            match Self::attempt(target, agent, policy, clock.now())? {
                Attempt::Acquired(lock) => return Ok(lock),
                Attempt::Held(by) => owner = by,
            }
        }
        Err(LedgerError::Locked {
            path: target.display().to_string(),
            attempts: policy.max_retries.max(1),
            owner,
        })
    }

    /// One attempt, without waiting.
    pub(crate) fn attempt(
        target: &Path,
        agent: &str,
        policy: LockPolicy,
        now: Timestamp,
    ) -> Result<Attempt, LedgerError> {
        let path = lock_path(target);
        Self::attempt_at(&path, agent, policy, now).map_err(LedgerError::io("lock", path))
    }

    fn attempt_at(path: &Path, agent: &str, policy: LockPolicy, now: Timestamp) -> io::Result<Attempt> {
        let contents =
            LockFile { pid: std::process::id(), agent: format!("{OWN_PREFIX}{agent}"), timestamp: now }
                .render();
        // A handful of rounds covers locks that vanish or change hands between two looks; more means contention.
        for _ in 0..8 {
            if let Some(lock) = Self::create(path, &contents)? {
                return Ok(Attempt::Acquired(lock));
            }
            let mut file = match files::open_existing(path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            if let Err(error) = file.try_lock() {
                match error {
                    std::fs::TryLockError::WouldBlock => return Ok(Attempt::Held(describe(&mut file))),
                    std::fs::TryLockError::Error(error) => return Err(error),
                }
            }
            if !files::is_same(&file, path) {
                continue;
            }
            let mut text = String::new();
            let owner = match file.read_to_string(&mut text) {
                Ok(_) => LockFile::parse(&text),
                Err(_) => None,
            };
            let written = owner.as_ref().map(|owner| owner.timestamp).or_else(|| modified(&file));
            let age = written.map_or(Duration::ZERO, |written| {
                now.duration_since(written).try_into().unwrap_or(Duration::ZERO)
            });
            let own = owner.as_ref().is_some_and(LockFile::is_own);
            if !own && age <= policy.stale_after {
                return Ok(Attempt::Held(
                    owner.map_or_else(|| "an unreadable lock file".to_owned(), |owner| label(&owner)),
                ));
            }
            let (name, since) = owner.map_or_else(
                || ("unknown".to_owned(), "unknown".to_owned()),
                |o| (o.agent, format!("{:.0}", o.timestamp)),
            );
            tracing::warn!("Stale lock detected from {name} at {since}, overriding {}", path.display());
            file.rewind()?;
            file.set_len(0)?;
            file.write_all(contents.as_bytes())?;
            if files::is_same(&file, path) {
                return Ok(Attempt::Acquired(Self { path: path.to_path_buf(), file }));
            }
        }
        Ok(Attempt::Held("several programs at once".to_owned()))
    }

    /// Makes the lock file, complete and already locked, unless there is one.
    fn create(path: &Path, contents: &str) -> io::Result<Option<Self>> {
        if path.symlink_metadata().is_ok() {
            return Ok(None);
        }
        let temporary = temporary_path(path);
        let mut file = files::create_new(&temporary)?;
        let linked = file
            .write_all(contents.as_bytes())
            .and_then(|()| file.try_lock().map_err(io::Error::from))
            .and_then(|()| files::hard_link(&temporary, path));
        let _ = files::remove_if_there(&temporary);
        match linked {
            Ok(()) => Ok(Some(Self { path: path.to_path_buf(), file })),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            // File systems without hard links: creating is atomic too, only its contents come a moment later.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied) =>
            {
                match files::create_new(path) {
                    Ok(mut file) => {
                        file.try_lock().map_err(io::Error::from)?;
                        file.write_all(contents.as_bytes())?;
                        Ok(Some(Self { path: path.to_path_buf(), file }))
                    }
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
                    Err(error) => Err(error),
                }
            }
            Err(error) => Err(error),
        }
    }
}

impl Drop for AdvisoryLock {
    fn drop(&mut self) {
        // Only our own file: a program that overrode the lock by the seed's rule has put another one there.
        if files::is_same(&self.file, &self.path) {
            let _ = files::remove_if_there(&self.path);
        }
    }
}

/// The lock file that belongs to a file: `<path>.lock`.
fn lock_path(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

fn temporary_path(path: &Path) -> PathBuf {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".rem-lock-{}-{count}", std::process::id()))
}

fn label(owner: &LockFile) -> String {
    format!("{} (process {}, since {:.0})", owner.agent, owner.pid, owner.timestamp)
}

fn describe(file: &mut File) -> String {
    let mut text = String::new();
    let _ = file.read_to_string(&mut text);
    LockFile::parse(&text).map_or_else(|| "another process".to_owned(), |owner| label(&owner))
}

fn modified(file: &File) -> Option<Timestamp> {
    Timestamp::try_from(file.metadata().ok()?.modified().ok()?).ok()
}
