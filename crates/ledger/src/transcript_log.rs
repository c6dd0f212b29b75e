//! The narrow path of open transcripts: one locked, synced append per message, no commit until the session closes (A3.2).

use std::io::{Read, Seek, SeekFrom, Write};

use rem_format::path::MemoryPath;

use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::outside::has_ended;
use crate::{fault, files};

/// What an append left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// The file's length afterwards, in bytes.
    pub length: u64,
    /// Whether the append made the file.
    pub created: bool,
}

/// How much of an open transcript an append looks at, from either end: a long session costs no more than a short one.
const WINDOW: u64 = 16 << 10;

/// The two ends of a transcript, as found under its lock.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The first 16 KiB, where the front matter is.
    pub head: Vec<u8>,
    /// The last 16 KiB; the same as `head` where the file is no longer.
    pub tail: Vec<u8>,
}

impl Found {
    fn read(file: &mut std::fs::File, length: u64) -> std::io::Result<Self> {
        let mut read = |from: u64| {
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(from))?;
            file.take(WINDOW).read_to_end(&mut bytes)?;
            Ok::<_, std::io::Error>(bytes)
        };
        Ok(Self { head: read(0)?, tail: read(length.saturating_sub(WINDOW))? })
    }
}

impl Ledger {
    /// Appends to an open transcript, which is made if missing; on disk when this returns.
    ///
    /// `addition` is given the start and the end of what is found under the lock, so that several processes may write to one session: what it gives
    /// back is appended. Giving back nothing leaves the file alone, or unmade.
    ///
    /// # Errors
    /// [`LedgerError::Sealed`] for a closed transcript, [`LedgerError::Io`] when nothing was appended.
    pub fn append(
        &self,
        path: &MemoryPath,
        addition: impl Fn(&Found) -> Vec<u8>,
    ) -> Result<Appended, LedgerError> {
        self.append_bytes(path, addition, true)
    }

    fn append_bytes(
        &self,
        path: &MemoryPath,
        addition: impl Fn(&Found) -> Vec<u8>,
        whole_lines: bool,
    ) -> Result<Appended, LedgerError> {
        self.may_change()?;
        let at = files::locate(&self.root, path)?;
        files::create_parents(&at)?;
        // With each handle, whether it may be the one that made the file.
        let open = || {
            let opened = match files::open_existing(&at) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    files::open_or_create(&at).map(|file| (file, true))
                }
                opened => opened.map(|file| (file, false)),
            };
            opened.map_err(|source| {
                let is_closed = files::read_head(&at).ok().flatten().is_some_and(|head| has_ended(&head));
                match source.kind() {
                    // Who may not write to it need not be told so in the system's words.
                    std::io::ErrorKind::PermissionDenied if is_closed => {
                        LedgerError::Sealed { path: path.clone() }
                    }
                    _ => LedgerError::Io { what: "open", path: at.clone(), source },
                }
            })
        };
        let (mut file, mut made) = open()?;
        loop {
            file.lock().map_err(LedgerError::io("lock", &at))?;
            // Closing replaces the file; a handle from before then writes into nothing.
            if files::is_same(&file, &at) {
                break;
            }
            (file, made) = open()?;
        }
        let length = file.metadata().map_err(LedgerError::io("look at", &at))?.len();
        let created = made && length == 0;
        let found = Found::read(&mut file, length).map_err(LedgerError::io("read", &at))?;
        if has_ended(&found.head) {
            return Err(LedgerError::Sealed { path: path.clone() });
        }
        let mut bytes = addition(&found);
        if bytes.is_empty() {
            if created {
                // Made by opening it, and it was not to be made.
                files::remove_if_there(&at).map_err(LedgerError::io("remove", &at))?;
            }
            return Ok(Appended { length, created: false });
        }
        // A process that died in the middle of its append acknowledged nothing; what it left must not swallow the next line.
        if whole_lines && found.tail.last().is_some_and(|last| *last != b'\n') {
            bytes.insert(0, b'\n');
        }
        let write = |file: &mut std::fs::File| -> std::io::Result<()> {
            fault::point("append.write")?;
            file.seek(SeekFrom::Start(length))?;
            file.write_all(&bytes)?;
            fault::point("append.sync")?;
            file.sync_data()
        };
        if let Err(source) = write(&mut file) {
            let _ = file.set_len(length);
            if created {
                let _ = files::remove_if_there(&at);
            }
            return Err(LedgerError::Io { what: "append to", path: at, source });
        }
        if created {
            sync_folder(&at)?;
        }
        Ok(Appended { length: length + bytes.len() as u64, created })
    }

    /// Appends bytes to an open transcript as they are, a piece of a longer text for instance.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub fn append_raw(&self, path: &MemoryPath, bytes: &[u8]) -> Result<Appended, LedgerError> {
        self.append_bytes(path, |_| bytes.to_vec(), false)
    }

    /// Gives an open transcript another name, as when its subject is known; nothing is committed.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be renamed.
    pub fn rename_open_transcript(&self, from: &MemoryPath, to: &MemoryPath) -> Result<(), LedgerError> {
        self.may_change()?;
        files::rename(&files::locate(&self.root, from)?, &files::locate(&self.root, to)?)
    }
}

/// Makes a new file's name durable.
fn sync_folder(at: &std::path::Path) -> Result<(), LedgerError> {
    let Some(folder) = at.parent() else { return Ok(()) };
    #[cfg(unix)]
    std::fs::File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(LedgerError::io("sync", folder))?;
    let _ = folder;
    Ok(())
}
