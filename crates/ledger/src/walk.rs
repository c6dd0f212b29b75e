//! The one walk over the files of a workspace: every file with what the file system says of it, in path order.
//!
//! Looking for outside changes and searching need the same list, so an operation takes it once and hands it on. A listing is
//! true of the moment it was taken; whoever keeps one longer than an operation searches the past. Two threads share the work,
//! in pieces small enough that one large folder keeps both busy. Symbolic links are listed and not followed.

use std::fs::{DirEntry, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::LedgerError;
use crate::ledger::Ledger;

/// Folders that hold no memory, by name: repositories, our own state, scratch space.
const SKIPPED_FOLDERS: [&str; 5] = [".git", ".rem", "scratch", "tmp", "node_modules"];
/// Beside the thread that asks.
const HELPERS: usize = 1;
/// Files that one thread looks at before the others may take some.
const BATCH: usize = 128;

/// Whether a folder of this name holds no memory, wherever it lies: what is in it is not listed.
#[must_use]
pub fn is_skipped_folder(name: &str) -> bool {
    SKIPPED_FOLDERS.contains(&name)
}

/// The files of a workspace at one moment.
#[derive(Debug, Default)]
pub struct Listing {
    /// Every file and symbolic link outside of skipped folders, in path order.
    pub files: Vec<ListedFile>,
    /// What was not entered: folders without memory, and marks of repositories inside the workspace.
    pub(crate) skipped: Vec<String>,
    /// Whether something could not be read or has a name that is not UTF-8.
    pub(crate) has_gaps: bool,
}

/// One file or symbolic link.
#[derive(Debug)]
pub struct ListedFile {
    /// Its path relative to the workspace, with `/` between the parts.
    pub path: String,
    /// What the file system says of it; of a link itself, not of its target.
    pub metadata: Metadata,
}

impl Ledger {
    /// Lists the files as they are now.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when the workspace's own folder cannot be read. A folder inside it takes nothing else with it: that is
    /// said on the log.
    pub fn list(&self) -> Result<Listing, LedgerError> {
        let walk = Walk {
            git_folder: self.options.git_folder.as_str(),
            queue: Mutex::new(Queue::default()),
            changed: Condvar::new(),
        };
        let mut listing = Listing::default();
        walk.read_folder(&self.root, "", &mut listing).map_err(LedgerError::io("read", &self.root))?;
        let parts = std::thread::scope(|scope| {
            let helpers: Vec<_> =
                (0..HELPERS).map(|_| scope.spawn(|| walk.work(Listing::default()))).collect();
            let mut parts = vec![walk.work(listing)];
            // A helper that panicked has said so; its part is not left out in silence.
            parts.extend(
                helpers
                    .into_iter()
                    .map(|helper| helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
            );
            parts
        });
        let mut listing = Listing::default();
        for mut part in parts {
            listing.files.append(&mut part.files);
            listing.skipped.append(&mut part.skipped);
            listing.has_gaps |= part.has_gaps;
        }
        // The parts are in order: a stable sort only merges them.
        listing.files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(listing)
    }
}

/// Something left to look at.
enum Piece {
    Folder(PathBuf, String),
    /// Files of one folder, whose path with a `/` stands before their names.
    Files(String, Vec<(String, DirEntry)>),
}

#[derive(Default)]
struct Queue {
    pieces: Vec<Piece>,
    /// Threads that may still add pieces.
    working: usize,
}

struct Walk<'a> {
    git_folder: &'a str,
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Walk<'_> {
    /// Takes pieces until there are none and nobody can add any.
    fn work(&self, mut part: Listing) -> Listing {
        while let Some(piece) = self.take() {
            match piece {
                Piece::Folder(at, prefix) => {
                    if let Err(error) = self.read_folder(&at, &prefix, &mut part) {
                        part.has_gaps = true;
                        tracing::warn!("could not read {}: {error}", at.display());
                    }
                }
                Piece::Files(prefix, files) => look_at(&prefix, files, &mut part),
            }
            self.lock().working -= 1;
            self.changed.notify_all();
        }
        part.files.sort_by(|one, other| one.path.cmp(&other.path));
        part
    }

    fn take(&self) -> Option<Piece> {
        let mut queue = self.lock();
        loop {
            if let Some(piece) = queue.pieces.pop() {
                queue.working += 1;
                return Some(piece);
            }
            if queue.working == 0 {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn add(&self, piece: Piece) {
        self.lock().pieces.push(piece);
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        // The queue is whole between any two statements.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists the folder at `at`; its folders and most of its files become pieces of their own.
    fn read_folder(&self, at: &Path, prefix: &str, part: &mut Listing) -> std::io::Result<()> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(at)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                part.has_gaps = true;
                continue;
            };
            let kind = entry.file_type()?;
            let is_skipped = SKIPPED_FOLDERS.contains(&name.as_str()) || name == self.git_folder;
            if is_skipped && (kind.is_dir() || name == ".git") {
                part.skipped.push(format!("{prefix}{name}"));
            } else if kind.is_dir() {
                self.add(Piece::Folder(entry.path(), format!("{prefix}{name}/")));
            } else if kind.is_file() || kind.is_symlink() {
                files.push((name, entry));
                if files.len() == BATCH {
                    self.add(Piece::Files(prefix.to_owned(), std::mem::take(&mut files)));
                }
            }
        }
        look_at(prefix, files, part);
        Ok(())
    }
}

fn look_at(prefix: &str, files: Vec<(String, DirEntry)>, part: &mut Listing) {
    for (name, entry) in files {
        match entry.metadata() {
            Ok(metadata) => part.files.push(ListedFile { path: format!("{prefix}{name}"), metadata }),
            // It was removed since its folder was read.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                part.has_gaps = true;
                tracing::warn!("could not look at {prefix}{name}: {error}");
            }
        }
    }
}
