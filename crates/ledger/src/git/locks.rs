//! Locks of git's that a process left when it died.
//!
//! Whether a lock on HEAD or a branch is one of ours cannot be told from it. But git holds these for milliseconds: where a change was
//! not finished, so a process of ours did die, a lock that stays as it is for two seconds is its.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::repository::Repository;
use crate::files;

/// How long a lock stays the same when whoever held it is dead.
const DEAD_AFTER: Duration = Duration::from_secs(2);

impl Repository {
    /// Takes away what dead processes left of locks on HEAD and its branch, and on the index `with_index`; gives what went. Waits for
    /// two seconds at most, and only where there is such a lock.
    pub(crate) fn clear_left_locks(&self, with_index: bool) -> io::Result<Vec<PathBuf>> {
        let mut left: Vec<_> = self.locks(with_index).into_iter().map(|lock| (made(&lock), lock)).collect();
        let begun = Instant::now();
        while !left.is_empty() && begun.elapsed() < DEAD_AFTER {
            std::thread::sleep(Duration::from_millis(10));
            left.retain(|(first, lock)| first.is_some() && made(lock) == *first);
        }
        for (_, lock) in &left {
            files::remove_if_there(lock)?;
        }
        Ok(left.into_iter().map(|(_, lock)| lock).collect())
    }

    /// The locks that there are on HEAD and its branch, and on the index `with_index`.
    pub(crate) fn locks(&self, with_index: bool) -> Vec<PathBuf> {
        let index = with_index.then(|| self.git_folder().join("index.lock"));
        let branch =
            self.branch().map(|branch| self.common_folder().join(format!("refs/heads/{branch}.lock")));
        let locks = [index, Some(self.git_folder().join("HEAD.lock")), branch];
        locks.into_iter().flatten().filter(|lock| lock.exists()).collect()
    }
}

/// When a lock was made.
fn made(lock: &Path) -> Option<SystemTime> {
    std::fs::metadata(lock).and_then(|metadata| metadata.modified()).ok()
}
