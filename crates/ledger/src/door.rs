//! Who may pass the door: one process at a time, first come first served by the operating system.
//!
//! The seed's advisory locks tell programs apart file by file and wait in steps of seconds; our own processes would starve
//! on them. So they queue here, on an operating-system lock that vanishes with its owner, and only whoever is inside takes
//! the advisory locks of its files. The door is open for milliseconds: no edit, model call or prompt happens inside that
//! could block.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use rem_format::path::MemoryPath;

use crate::error::LedgerError;
use crate::files;

/// How long to queue before saying that somebody is stuck.
const PATIENCE: Duration = Duration::from_secs(30);

/// Held while inside.
#[derive(Debug)]
pub(crate) struct Door {
    file: File,
    /// The files whose advisory locks the last owner had taken and did not give back: it died inside.
    pub(crate) left: Vec<MemoryPath>,
    /// Whether a note stands in the file.
    is_noted: bool,
}

impl Door {
    /// Waits for the door.
    ///
    /// # Errors
    /// [`LedgerError::Locked`] naming the process inside when it stays there for half a minute.
    pub(crate) fn enter(private: &Path) -> Result<Self, LedgerError> {
        let path = private.join("door.lock");
        let mut file = files::open_or_create(&path).map_err(LedgerError::io("open", &path))?;
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                    std::thread::sleep(pause);
                    pause = (pause * 3 / 2).min(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    let mut owner = String::new();
                    let _ = file.read_to_string(&mut owner);
                    let owner = owner.split_whitespace().next().unwrap_or("unknown").to_owned();
                    return Err(LedgerError::Locked {
                        path: path.display().to_string(),
                        attempts: 1,
                        owner: format!("process {owner}, for more than {} s", PATIENCE.as_secs()),
                    });
                }
                Err(TryLockError::Error(source)) => {
                    return Err(LedgerError::Io { what: "lock", path, source });
                }
            }
        }
        let mut note = String::new();
        let _ = file.read_to_string(&mut note);
        let is_noted = !note.is_empty();
        // The first line is the process.
        let left = note.lines().skip(1).filter_map(|line| MemoryPath::new(line).ok()).collect();
        Ok(Self { file, left, is_noted })
    }

    /// Notes which advisory locks are about to be taken, so that a successor can clear them away.
    pub(crate) fn note_locks(&mut self, paths: &[MemoryPath]) -> std::io::Result<()> {
        let mut note = format!("{}\n", std::process::id());
        for path in paths {
            note.push_str(path.as_str());
            note.push('\n');
        }
        self.is_noted = true;
        self.file.rewind()?;
        self.file.set_len(0)?;
        self.file.write_all(note.as_bytes())
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        // Leaving in good order; a note that stays says that its writer died.
        if self.is_noted {
            let _ = self.file.set_len(0);
        }
        // Given up, not only closed: a process that is being started has the same open file for a moment.
        let _ = self.file.unlock();
    }
}
