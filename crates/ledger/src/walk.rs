//! The one walk over the files of a workspace: every file with what the file system says of it, in path order.
//!
//! Looking for outside changes and searching need the same list, so an operation takes it once and hands it on. A listing is
//! true of the moment it was taken; whoever keeps one longer than an operation searches the past, unless the files are watched
//! meanwhile (`watch.rs`). Two threads share the work,
//! in pieces small enough that one large folder keeps both busy. Symbolic links are listed and not followed.

use std::collections::{BTreeSet, VecDeque};
use std::fs::{DirEntry, Metadata};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::watch::Watch;

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

/// As [`is_skipped_folder`], the repository's own folder included.
pub(crate) fn is_skipped(name: &str, git_folder: &str) -> bool {
    is_skipped_folder(name) || name == git_folder
}

/// The files of a workspace at one moment.
#[derive(Debug, Default, Clone)]
pub struct Listing {
    /// Every file and symbolic link outside of skipped folders, in path order.
    pub files: Vec<ListedFile>,
    /// What was not entered: folders without memory, and marks of repositories inside the workspace.
    pub(crate) skipped: Vec<String>,
    /// What could not be read, or has a name that is not UTF-8.
    pub unread: Vec<Unread>,
    changes: Option<Changes>,
}

/// A file or folder that a listing lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Path relative to the workspace, with `\u{FFFD}` for what is no text.
    pub path: String,
    /// Why.
    pub why: String,
}

/// What tells a kept listing from the one it was before.
#[derive(Debug, Clone)]
struct Changes {
    /// Another number for every state of every listing of this process.
    state: u64,
    /// The oldest state since which all changes are known.
    since: u64,
    /// The paths of what was touched, each with the state that holds it.
    touched: VecDeque<(u64, String)>,
}

/// Paths that are remembered as touched, at most.
const MOST_TOUCHED: usize = 4096;

fn next_state() -> u64 {
    static NEWEST: AtomicU64 = AtomicU64::new(0);
    NEWEST.fetch_add(1, Ordering::Relaxed) + 1
}

impl Listing {
    /// A number for the state of the files; nothing where it is not known what becomes of them.
    #[must_use]
    pub fn state(&self) -> Option<u64> {
        Some(self.changes.as_ref()?.state)
    }

    /// The paths of files that came, went or were touched since an earlier state, in order. `None` where that is not known.
    #[must_use]
    pub fn changed_since(&self, state: u64) -> Option<BTreeSet<&str>> {
        let changes =
            self.changes.as_ref().filter(|changes| (changes.since..=changes.state).contains(&state))?;
        let later = changes.touched.iter().rev().take_while(|(touched, _)| *touched > state);
        Some(later.map(|(_, path)| path.as_str()).collect())
    }

    /// The file with this path.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&ListedFile> {
        self.files.get(self.place(path).ok()?)
    }

    fn place(&self, path: &str) -> Result<usize, usize> {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path))
    }

    /// From now on it is known what becomes of the files.
    pub(crate) fn begin_changes(&mut self) {
        let state = next_state();
        self.changes = Some(Changes { state, since: state, touched: VecDeque::new() });
    }

    /// What is put and removed from now on belongs to another state.
    pub(crate) fn next_changes(&mut self) {
        if let Some(changes) = &mut self.changes {
            changes.state = next_state();
        }
    }

    pub(crate) fn put(&mut self, file: ListedFile) {
        self.touch(&file.path);
        match self.place(&file.path) {
            Ok(place) => self.files[place] = file,
            Err(place) => self.files.insert(place, file),
        }
    }

    pub(crate) fn remove(&mut self, path: &str) {
        self.touch(path);
        if let Ok(place) = self.place(path) {
            self.files.remove(place);
        }
    }

    fn touch(&mut self, path: &str) {
        let Some(changes) = &mut self.changes else { return };
        changes.touched.push_back((changes.state, path.to_owned()));
        while changes.touched.len() > MOST_TOUCHED
            && let Some((forgotten, _)) = changes.touched.pop_front()
        {
            // Of that state not everything is known any more.
            changes.since = forgotten;
        }
    }
}

/// One file or symbolic link.
#[derive(Debug, Clone)]
pub struct ListedFile {
    /// Its path relative to the workspace, with `/` between the parts.
    pub path: String,
    /// What the file system says of it; of a link itself, not of its target.
    pub metadata: Metadata,
}

impl Ledger {
    /// Looks at all files. Folders are watched from before they are read.
    pub(crate) fn walk(&self, watch: Option<&Watch>) -> Result<Listing, LedgerError> {
        self.walk_under(&self.root, "", watch).map_err(LedgerError::io("read", &self.root))
    }

    /// As [`Self::walk`], for the files in one folder.
    pub(crate) fn walk_folder(&self, folder: &str, watch: Option<&Watch>) -> std::io::Result<Listing> {
        match self.walk_under(&self.root.join(folder), &format!("{folder}/"), watch) {
            // It came and went.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Listing::default()),
            walked => walked,
        }
    }

    fn walk_under(&self, folder: &Path, prefix: &str, watch: Option<&Watch>) -> std::io::Result<Listing> {
        let walk = Walk {
            git_folder: self.options.git_folder.as_str(),
            watch,
            queue: Mutex::new(Queue::default()),
            changed: Condvar::new(),
        };
        let mut first = Part::default();
        walk.read_folder(folder, prefix, &mut first)?;
        let parts = std::thread::scope(|scope| {
            let helpers: Vec<_> = (0..HELPERS).map(|_| scope.spawn(|| walk.work(Part::default()))).collect();
            let mut parts = vec![walk.work(first)];
            // A helper that panicked has said so; its part is not left out in silence.
            parts.extend(
                helpers
                    .into_iter()
                    .map(|helper| helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
            );
            parts
        });
        let mut listing = Listing::default();
        let mut runs: Vec<Vec<ListedFile>> = Vec::new();
        for mut part in parts {
            runs.append(&mut part.runs);
            listing.skipped.append(&mut part.skipped);
            listing.unread.append(&mut part.unread);
        }
        let first_path = |run: &Vec<ListedFile>| run.first().map(|file| file.path.clone());
        runs.sort_by_cached_key(first_path);
        listing.files.reserve(runs.iter().map(Vec::len).sum());
        for mut run in runs {
            listing.files.append(&mut run);
        }
        // Few are out of order by now: the files of a folder among those of the folders in it.
        listing.files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(listing)
    }
}

/// Something left to look at.
enum Piece {
    Folder(PathBuf, String),
    /// Files of one folder in order, whose path with a `/` stands before their names.
    Files(String, Vec<(String, DirEntry)>),
}

/// What one thread found.
#[derive(Default)]
struct Part {
    /// Files of one folder each, in order: to sort the paths of all files costs more than most of the rest.
    runs: Vec<Vec<ListedFile>>,
    skipped: Vec<String>,
    unread: Vec<Unread>,
}

#[derive(Default)]
struct Queue {
    pieces: Vec<Piece>,
    /// Threads that may still add pieces.
    working: usize,
}

struct Walk<'a> {
    git_folder: &'a str,
    watch: Option<&'a Watch>,
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Walk<'_> {
    /// Takes pieces until there are none and nobody can add any.
    fn work(&self, mut part: Part) -> Part {
        while let Some(piece) = self.take() {
            match piece {
                Piece::Folder(at, prefix) => {
                    if let Err(error) = self.read_folder(&at, &prefix, &mut part) {
                        let path = prefix.trim_end_matches('/').to_owned();
                        part.unread.push(Unread { path, why: error.to_string() });
                        tracing::warn!("could not read {}: {error}", at.display());
                    }
                }
                Piece::Files(prefix, files) => look_at(&prefix, files, &mut part),
            }
            self.lock().working -= 1;
            self.changed.notify_all();
        }
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
    fn read_folder(&self, at: &Path, prefix: &str, part: &mut Part) -> std::io::Result<()> {
        if let Some(watch) = self.watch {
            watch.folder(at, prefix);
        }
        let mut files = Vec::new();
        for entry in std::fs::read_dir(at)? {
            let entry = entry?;
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                Err(name) => {
                    let path = format!("{prefix}{}", name.to_string_lossy());
                    part.unread.push(Unread { path, why: "its name is not UTF-8".to_owned() });
                    continue;
                }
            };
            let kind = entry.file_type()?;
            if is_skipped(&name, self.git_folder) && (kind.is_dir() || name == ".git") {
                part.skipped.push(format!("{prefix}{name}"));
            } else if kind.is_dir() {
                self.add(Piece::Folder(entry.path(), format!("{prefix}{name}/")));
            } else if kind.is_file() || kind.is_symlink() {
                files.push((name, entry));
            }
        }
        files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        while files.len() > BATCH {
            let batch = files.split_off(files.len() - BATCH);
            self.add(Piece::Files(prefix.to_owned(), batch));
        }
        look_at(prefix, files, part);
        Ok(())
    }
}

fn look_at(prefix: &str, files: Vec<(String, DirEntry)>, part: &mut Part) {
    let mut run = Vec::with_capacity(files.len());
    for (name, entry) in files {
        match entry.metadata() {
            Ok(metadata) => run.push(ListedFile { path: [prefix, &name].concat(), metadata }),
            // It was removed since its folder was read.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                part.unread.push(Unread { path: format!("{prefix}{name}"), why: error.to_string() });
                tracing::warn!("could not look at {prefix}{name}: {error}");
            }
        }
    }
    part.runs.push(run);
}
