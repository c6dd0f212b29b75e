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
    /// What the last owner had taken and did not give back: it died inside.
    pub(crate) left: Belongings,
    mine: Belongings,
    /// Whether a note stands in the file.
    is_noted: bool,
}

/// What a process holds while inside, so that a successor can clear it away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Belongings {
    /// Git's `index.lock`.
    pub(crate) index_lock: bool,
    /// Files whose advisory locks are taken.
    pub(crate) locked: Vec<MemoryPath>,
}

impl Belongings {
    fn render(&self) -> String {
        let mut text =
            format!("{}\n{}\n", std::process::id(), if self.index_lock { "index.lock" } else { "-" });
        for path in &self.locked {
            text.push_str(path.as_str());
            text.push('\n');
        }
        text
    }

    fn parse(text: &str) -> Self {
        let mut lines = text.lines().skip(1);
        let index_lock = lines.next() == Some("index.lock");
        Self { index_lock, locked: lines.filter_map(|line| MemoryPath::new(line).ok()).collect() }
    }
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
        Ok(Self { file, left: Belongings::parse(&note), mine: Belongings::default(), is_noted })
    }

    /// Notes that `index.lock` is ours from now on, or no longer.
    pub(crate) fn note_index_lock(&mut self, held: bool) -> std::io::Result<()> {
        self.mine.index_lock = held;
        self.write_note()
    }

    /// Notes which advisory locks are about to be taken.
    pub(crate) fn note_locks(&mut self, paths: Vec<MemoryPath>) -> std::io::Result<()> {
        self.mine.locked = paths;
        self.write_note()
    }

    fn write_note(&mut self) -> std::io::Result<()> {
        self.is_noted = true;
        self.file.rewind()?;
        self.file.set_len(0)?;
        self.file.write_all(self.mine.render().as_bytes())
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
