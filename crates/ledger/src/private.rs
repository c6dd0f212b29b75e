//! State of the program in the private folder: no memory, derivable, deletable at any time.
//!
//! A file is replaced as a whole, or grows by lines up to a bound. Nothing here is synced: after a power loss the last of it may be
//! gone, and nothing of the workspace depends on it.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use crate::error::LedgerError;
use crate::files;
use crate::ledger::Ledger;

/// A held lock of the private folder.
#[derive(Debug)]
pub struct PrivateLock {
    file: File,
}

impl Drop for PrivateLock {
    fn drop(&mut self) {
        // Given up, not only closed: a process that is being started elsewhere in this program holds the same open file for a moment.
        let _ = self.file.unlock();
    }
}

impl PrivateLock {
    /// What is locked: a process that inherits it holds the lock, too.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Whether it is still the lock of that name in this ledger's private folder. A workspace that was removed and made anew has another,
    /// which somebody else may hold.
    #[must_use]
    pub fn is_of(&self, ledger: &Ledger, name: &str) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let there = std::fs::metadata(ledger.private_folder().join(name));
            let is_same = |there: &std::fs::Metadata, held: &std::fs::Metadata| {
                (there.dev(), there.ino()) == (held.dev(), held.ino())
            };
            there.is_ok_and(|there| self.file.metadata().is_ok_and(|held| is_same(&there, &held)))
        }
        // What is open cannot be removed there.
        #[cfg(not(unix))]
        {
            ledger.private_folder().join(name).exists()
        }
    }
}

impl Ledger {
    /// The program's private folder, for files that are no memory and may be deleted at any time.
    #[must_use]
    pub fn private_folder(&self) -> PathBuf {
        self.root().join(".rem")
    }

    /// Keeps a piece of state in the private folder: no memory, derivable, deletable.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be written.
    pub fn write_private(&self, name: &str, contents: &[u8]) -> Result<(), LedgerError> {
        let at = self.private_folder().join(name);
        files::create_parents(&at)?;
        files::replace_private(&at, contents).map_err(LedgerError::io("write", at))
    }

    /// Reads back what [`Self::write_private`] kept.
    #[must_use]
    pub fn read_private(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.private_folder().join(name)).ok()
    }

    /// Drops what [`Self::write_private`] kept.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be removed.
    pub fn remove_private(&self, name: &str) -> Result<(), LedgerError> {
        let at = self.private_folder().join(name);
        files::remove_if_there(&at).map_err(LedgerError::io("remove", at))
    }

    /// Waits for an operating-system lock of that name in the private folder, held until the guard is dropped.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be taken.
    pub fn lock_private(&self, name: &str) -> Result<PrivateLock, LedgerError> {
        let at = self.private_folder().join(name);
        files::create_parents(&at)?;
        let file = files::open_or_create(&at).map_err(LedgerError::io("open", &at))?;
        file.lock().map_err(LedgerError::io("lock", &at))?;
        Ok(PrivateLock { file })
    }

    /// As [`Self::lock_private`] without waiting: nothing where somebody holds it.
    ///
    /// # Errors
    /// The same.
    pub fn try_lock_private(&self, name: &str) -> Result<Option<PrivateLock>, LedgerError> {
        let at = self.private_folder().join(name);
        files::create_parents(&at)?;
        let file = files::open_or_create(&at).map_err(LedgerError::io("open", &at))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(PrivateLock { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(LedgerError::io("lock", &at)(source)),
        }
    }

    /// Listens at a socket in the private folder that no other user may use. What is left of another one there goes: who listens holds a lock
    /// ([`Self::lock_private`]) of its own.
    ///
    /// # Errors
    /// [`LedgerError::Io`], also where the path is longer than a socket's may be (107 bytes on Linux).
    #[cfg(unix)]
    pub fn listen_private(&self, name: &str) -> Result<std::os::unix::net::UnixListener, LedgerError> {
        let at = self.private_folder().join(name);
        files::listen_private(&at).map_err(LedgerError::io("listen at", at))
    }

    /// Adds whole lines to a private file, in one piece, whoever else adds to it. When it has grown past `most` bytes, the newest
    /// half stays: adding is cheap, and the file is bounded.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be written.
    pub fn append_private(&self, name: &str, lines: &[u8], most: u64) -> Result<(), LedgerError> {
        let _guard = self.lock_private(&format!("{name}.lock"))?;
        let at = self.private_folder().join(name);
        let append = || -> std::io::Result<u64> {
            let mut file = files::open_or_create(&at)?;
            let mut length = file.seek(SeekFrom::End(0))?;
            if length > 0 {
                // Whoever died while writing left half a line: it stays one of its own.
                let mut last = [0];
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
                if last != *b"\n" {
                    file.write_all(b"\n")?;
                    length += 1;
                }
            }
            file.write_all(lines)?;
            Ok(length + lines.len() as u64)
        };
        if append().map_err(LedgerError::io("write", &at))? > most {
            let kept = self.read_private_tail(name, most / 2).unwrap_or_default();
            self.write_private(name, &kept)?;
        }
        Ok(())
    }

    /// The whole lines among the last `most` bytes of a private file; `None` where there is none.
    #[must_use]
    pub fn read_private_tail(&self, name: &str, most: u64) -> Option<Vec<u8>> {
        let mut file = File::open(self.private_folder().join(name)).ok()?;
        let length = file.seek(SeekFrom::End(0)).ok()?;
        let start = length.saturating_sub(most);
        // One byte more, to see whether a line begins there.
        file.seek(SeekFrom::Start(start.saturating_sub(1))).ok()?;
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).ok()?;
        if start > 0 {
            let end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1);
            bytes.drain(..end);
        }
        Some(bytes)
    }
}
