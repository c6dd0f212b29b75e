//! Keeps a listing true without walking again: the kernel notes which files are touched, and only those are looked at.
//!
//! A process that lives long needs the files before every answer, and nearly all that a walk costs is looking at files that nobody
//! touched. So from its second question on, or from the first where it says that it will ask again, a ledger has every folder watched (inotify). The kernel has noted a change by the time
//! the call that made it returns: a listing kept this way is as true as one that is walked for at that moment.
//!
//! Where that cannot be had or trusted, every question walks, as the first one does: on other systems than Linux, on file systems
//! that others write to without this kernel, with too many folders, after notes were lost, where something cannot be read. What is
//! not noted is writing through a memory map, and through another name of a file that was given to it outside of the workspace: for
//! their sake no listing is kept longer than [`MOST_AGE`].

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::walk::{ListedFile, Listing, is_skipped};

/// After this a walk is made although nothing was noted.
const MOST_AGE: Duration = Duration::from_secs(600);
/// Files that have more than one name may be written to where nobody watches: so many are looked at every time.
const MOST_LINKED: usize = 64;

/// The listing of a workspace, kept from one question to the next.
#[derive(Debug, Default)]
pub(crate) struct KeptListing(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    watched: Option<Watched>,
    /// Whether the files were asked for before.
    is_asked_again: bool,
    /// Whether watching was tried and is not to be had.
    is_hopeless: bool,
}

#[derive(Debug)]
struct Watched {
    watch: Watch,
    since: Instant,
    listing: Arc<Listing>,
    /// Files with more than one name.
    linked: Vec<String>,
}

/// What happened since the last question.
#[derive(Debug, Default)]
struct Noted {
    /// Files that came, went or were touched.
    files: Vec<String>,
    /// Folders that came.
    folders: Vec<String>,
}

impl Ledger {
    /// The files as they are now.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when the workspace's own folder cannot be read. A folder inside it takes nothing else with it: that is
    /// said on the log.
    pub fn list(&self) -> Result<Arc<Listing>, LedgerError> {
        let mut kept = self.kept_listing.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken out: whatever ends this early is followed by a walk.
        if let Some(mut watched) = kept.watched.take()
            && watched.follow(self)
        {
            let listing = watched.listing.clone();
            kept.watched = Some(watched);
            return Ok(listing);
        }
        // Only who asks twice will ask again.
        let may_watch = std::mem::replace(&mut kept.is_asked_again, true) && !kept.is_hopeless;
        let watch = may_watch.then(|| Watch::of(&self.root)).flatten();
        kept.is_hopeless |= may_watch && watch.is_none();
        let since = Instant::now();
        let mut listing = self.walk(watch.as_ref())?;
        let Some(watch) = watch else { return Ok(Arc::new(listing)) };
        let linked: Vec<String> =
            listing.files.iter().filter(|file| is_linked(file)).map(|file| file.path.clone()).collect();
        kept.is_hopeless = !watch.is_whole() || linked.len() > MOST_LINKED;
        if kept.is_hopeless || !listing.unread.is_empty() {
            return Ok(Arc::new(listing));
        }
        listing.begin_changes();
        let listing = Arc::new(listing);
        kept.watched = Some(Watched { watch, since, listing: listing.clone(), linked });
        Ok(listing)
    }
}

impl Ledger {
    /// Says that the files will be asked for again and again, so that they are watched from the first time on.
    pub fn will_ask_again(&self) {
        self.kept_listing.0.lock().unwrap_or_else(PoisonError::into_inner).is_asked_again = true;
    }

    /// Whether the files are watched, so that asking for them costs next to nothing.
    #[must_use]
    pub fn is_watching(&self) -> bool {
        self.kept_listing.0.lock().unwrap_or_else(PoisonError::into_inner).watched.is_some()
    }
}

impl Watched {
    /// Makes the listing true again. `false` where only a walk can tell.
    fn follow(&mut self, ledger: &Ledger) -> bool {
        if self.since.elapsed() > MOST_AGE {
            return false;
        }
        let Some(mut noted) = self.watch.noted(&ledger.root, &ledger.options.git_folder) else {
            return false;
        };
        noted.files.extend_from_slice(&self.linked);
        if noted.files.is_empty() && noted.folders.is_empty() {
            return true;
        }
        let Self { watch, listing, linked, .. } = self;
        let listing = Arc::make_mut(listing);
        listing.next_changes();
        // A file that was given another name is listed by its first one too, of which nothing was noted.
        let is_known = |file: &ListedFile| !is_linked(file) || linked.contains(&file.path);
        for folder in noted.folders {
            let Ok(part) = ledger.walk_folder(&folder, Some(watch)) else { return false };
            if !part.unread.is_empty() || !part.skipped.is_empty() || !part.files.iter().all(is_known) {
                return false;
            }
            part.files.into_iter().for_each(|file| listing.put(file));
        }
        noted.files.sort_unstable();
        noted.files.dedup();
        for path in noted.files {
            match std::fs::symlink_metadata(ledger.root.join(&path)) {
                Ok(metadata) if metadata.is_dir() => return false,
                Ok(metadata) if metadata.is_file() || metadata.is_symlink() => {
                    let file = ListedFile { path, metadata };
                    if !is_known(&file) {
                        return false;
                    }
                    listing.put(file);
                }
                Ok(_) => listing.remove(&path),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => listing.remove(&path),
                Err(_) => return false,
            }
        }
        watch.is_whole()
    }
}

fn is_linked(file: &ListedFile) -> bool {
    file.metadata.nlink() > 1
}

#[cfg(target_os = "linux")]
mod inotify {
    use std::collections::HashMap;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::sync::MutexGuard;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
    use rustix::io::Errno;

    use super::*;

    /// File systems that only this kernel writes to, by the number that `statfs` gives: ext, XFS, Btrfs, tmpfs, F2FS, ZFS, bcachefs
    /// and overlays of these.
    const LOCAL: [u32; 8] =
        [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010, 0x2FC1_2FC1, 0xCA45_1A4E, 0x794C_7630];
    const ROOM: usize = 16 * 1024;

    /// All folders of a workspace, watched.
    #[derive(Debug)]
    pub(crate) struct Watch {
        notes: OwnedFd,
        /// The device and number of the workspace's folder: it may be moved, and another put in its place.
        root: (u64, u64),
        /// The path of each watched folder with a `/` behind it, by the number of its watch.
        folders: Mutex<HashMap<i32, String>>,
        is_broken: AtomicBool,
    }

    impl Watch {
        /// Watches nothing yet; nothing where watching is not to be had.
        pub(super) fn of(root: &Path) -> Option<Self> {
            let filesystem = rustix::fs::statfs(root).ok()?;
            let is_local = u32::try_from(filesystem.f_type).is_ok_and(|kind| LOCAL.contains(&kind));
            let metadata = std::fs::metadata(root).ok().filter(|_| is_local)?;
            let notes = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            let root = (metadata.dev(), metadata.ino());
            Some(Self { notes, root, folders: Mutex::default(), is_broken: AtomicBool::new(false) })
        }

        /// Watches the folder at `at` from now on: called before it is read. `prefix` stands before the names in it.
        pub(crate) fn folder(&self, at: &Path, prefix: &str) {
            let flags = WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MODIFY
                | WatchFlags::ATTRIB
                | WatchFlags::MOVE
                | WatchFlags::DELETE_SELF
                | WatchFlags::MOVE_SELF
                | WatchFlags::ONLYDIR
                | WatchFlags::DONT_FOLLOW;
            // What is mounted inside may be of any kind.
            let is_here = std::fs::metadata(at).is_ok_and(|found| found.dev() == self.root.0);
            match inotify::add_watch(&self.notes, at, flags) {
                Ok(number) if is_here => drop(self.folders().insert(number, prefix.to_owned())),
                // Its own folder notes that it went.
                Err(Errno::NOENT | Errno::NOTDIR) => {}
                _ => self.is_broken.store(true, Ordering::Relaxed),
            }
        }

        /// Whether every folder is watched.
        pub(super) fn is_whole(&self) -> bool {
            !self.is_broken.load(Ordering::Relaxed)
        }

        /// What was noted since the last time. `None` where that does not tell how the workspace is now.
        pub(super) fn noted(&self, root: &Path, git_folder: &str) -> Option<Noted> {
            std::fs::metadata(root).ok().filter(|found| (found.dev(), found.ino()) == self.root)?;
            let mut noted = Noted::default();
            let mut room = vec![MaybeUninit::uninit(); ROOM];
            let mut notes = Reader::new(&self.notes, &mut room);
            let mut folders = self.folders();
            loop {
                let note = match notes.next() {
                    Ok(note) => note,
                    Err(Errno::AGAIN) => return Some(noted),
                    Err(Errno::INTR) => continue,
                    Err(_) => return None,
                };
                let what = note.events();
                let is = |flags: ReadFlags| what.intersects(flags);
                if is(ReadFlags::IGNORED) {
                    folders.remove(&note.wd());
                    continue;
                }
                if is(ReadFlags::QUEUE_OVERFLOW | ReadFlags::UNMOUNT | ReadFlags::MOVE_SELF) {
                    return None;
                }
                let Some(name) = note.file_name() else {
                    // Of a folder itself: that it went its own folder says as well; what else becomes of it may close it to us.
                    if is(ReadFlags::ATTRIB) {
                        return None;
                    }
                    continue;
                };
                // A folder that is not watched any more.
                let prefix = folders.get(&note.wd())?;
                let name = name.to_str().ok()?;
                let came_or_went =
                    is(ReadFlags::CREATE | ReadFlags::DELETE | ReadFlags::MOVED_FROM | ReadFlags::MOVED_TO);
                if is_skipped(name, git_folder) {
                    // It is listed that there is one.
                    if came_or_went && (is(ReadFlags::ISDIR) || name == ".git") {
                        return None;
                    }
                    if is(ReadFlags::ISDIR) || name == ".git" {
                        continue;
                    }
                }
                let path = format!("{prefix}{name}");
                if !is(ReadFlags::ISDIR) {
                    if noted.files.last() != Some(&path) {
                        noted.files.push(path);
                    }
                } else if is(ReadFlags::CREATE | ReadFlags::MOVED_TO) {
                    noted.folders.push(path);
                } else if is(ReadFlags::MOVED_FROM) {
                    // What is in it is watched under a name that it has no more.
                    return None;
                }
            }
        }

        fn folders(&self) -> MutexGuard<'_, HashMap<i32, String>> {
            // The map is whole between any two statements.
            self.folders.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

#[cfg(target_os = "linux")]
pub(crate) use inotify::Watch;

/// Where nothing can be watched.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(crate) enum Watch {}

#[cfg(not(target_os = "linux"))]
impl Watch {
    fn of(_root: &Path) -> Option<Self> {
        None
    }

    pub(crate) fn folder(&self, _at: &Path, _prefix: &str) {}

    fn is_whole(&self) -> bool {
        false
    }

    fn noted(&self, _root: &Path, _git_folder: &str) -> Option<Noted> {
        None
    }
}

#[cfg(test)]
mod tests;
