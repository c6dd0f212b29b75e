//! What git's index says of the files, compared with the last commit and with the files themselves.
//!
//! Answers without a git process where nothing is in doubt. It may say "I do not know" at any time, and must never call clean
//! what `git status` would not: a file is clean when every field of its stat data is as recorded and older than the index, or
//! when its bytes are those of the recorded blob and no conversion can apply. All else is left to git.

use std::fs::Metadata;
use std::path::Path;

use super::index::{Entry, IndexError, entries_of, shared_path, stat_data};
use super::split::Split;
use super::{Repository, git_folder_of};
use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::walk::{ListedFile, Listing};

/// Where the fields of an entry lie.
const MTIME: usize = 8;
const DEVICE: usize = 16;
const MODE: usize = 24;
const SIZE: usize = 36;
const BLOB: std::ops::Range<usize> = 40..60;
/// In the first byte of the flags: git was told not to look.
const ASSUME_VALID: u8 = 0x80;
const SUBMODULE: [u8; 4] = 0o160_000u32.to_be_bytes();

/// What comparing found, in path order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared<'index, 'listing> {
    /// Tracked files that are not as recorded, or not there, or may have changed since.
    pub(crate) doubtful: Vec<Doubt<'index>>,
    /// Files that are not tracked.
    pub(crate) untracked: Vec<&'listing str>,
}

/// A tracked file that stat data alone does not call clean.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Doubt<'a> {
    pub(crate) path: &'a str,
    /// Whether there is a regular file of the recorded mode, so that its bytes decide.
    pub(crate) is_same_kind: bool,
    pub(crate) blob: &'a [u8],
}

/// The index as it was read.
pub(crate) struct Tracked {
    index: Vec<u8>,
    shared: Vec<u8>,
    /// When the index was last known to be right, in whole seconds since 1970: what has not rested since then may have changed
    /// unseen.
    written: u32,
    /// Newest commit and checksum of the index.
    state: Option<String>,
    /// Whether this state was found to agree before.
    is_known: bool,
}

/// Where the private folder keeps the newest state in which commit, index and files agreed. A hint: without it all three are
/// compared again. Its own time stands in for that of the index, because every file had been looked at when it was written.
const AGREED: &str = "agreed";

impl Tracked {
    /// Reads the index of a repository; an empty one where there is none.
    pub(crate) fn read(ledger: &Ledger) -> Result<Self, IndexError> {
        let git_folder = git_folder_of(&ledger.root, &ledger.options.git_folder);
        let at = git_folder.join("index");
        let (index, written) = match std::fs::File::open(&at) {
            Ok(mut file) => {
                let written = seconds(&file.metadata()?);
                let mut index = Vec::new();
                std::io::Read::read_to_end(&mut file, &mut index)?;
                (index, written)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (Vec::new(), 0),
            Err(error) => return Err(error.into()),
        };
        let shared = match entries_of(&index)?.1 {
            Some(link) => {
                let id = link.get(..20).ok_or(IndexError::Foreign("split from nothing"))?;
                // Split from the empty index: there is no shared part.
                if id == [0; 20] { Vec::new() } else { std::fs::read(shared_path(&at, id))? }
            }
            None => Vec::new(),
        };
        let mut tracked = Self { index, shared, written, state: None, is_known: false };
        tracked.state = tracked.state_of(ledger);
        let hint = ledger.private_folder().join(AGREED);
        if let (Some(state), Ok(agreed)) = (&tracked.state, std::fs::read_to_string(&hint))
            && *state == agreed
            && let Ok(metadata) = std::fs::metadata(&hint)
        {
            tracked.is_known = true;
            tracked.written = written.max(seconds(&metadata));
        }
        Ok(tracked)
    }

    fn state_of(&self, ledger: &Ledger) -> Option<String> {
        let checksum = self.index.get(self.index.len().checked_sub(20)?..)?;
        // Git can be told not to compute it.
        let is_there = checksum.iter().any(|byte| *byte != 0);
        let head = ledger.repository_state().ok()?.head.filter(|_| is_there)?;
        let hex: String = checksum.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(format!("{head} {hex}\n"))
    }

    /// Whether commit and index were found to agree before.
    pub(crate) fn is_known(&self) -> bool {
        self.is_known
    }

    /// Whether the index was read while this was the newest commit.
    pub(crate) fn is_of(&self, head: Option<gix::ObjectId>) -> bool {
        let is_head = |state: &String| head.is_some_and(|head| state.starts_with(&head.to_string()));
        self.state.as_ref().is_none_or(is_head)
    }

    /// Remembers that commit, index and all tracked files agree.
    pub(crate) fn remember(&self, ledger: &Ledger) {
        // It is a hint, and a folder that cannot be written is read all the same.
        if let Some(state) = &self.state {
            let _ = crate::files::write_hint(&ledger.private_folder().join(AGREED), state.as_bytes());
        }
    }

    /// Hands the entries to `work`, in order.
    pub(crate) fn with_entries<T>(&self, work: impl FnOnce(&[Entry<'_>]) -> T) -> Result<T, IndexError> {
        let (entries, link) = entries_of(&self.index)?;
        match link {
            None => Ok(work(&entries)),
            Some(_) if self.shared.is_empty() => Err(IndexError::Foreign("split from nothing")),
            Some(link) => Ok(work(&Split::read(&self.shared, &entries, &link[20..])?.entries())),
        }
    }

    /// Compares the entries with the files. `None` where an entry is of a kind that is left to git.
    pub(crate) fn compare<'index, 'listing>(
        &self,
        entries: &[Entry<'index>],
        listing: &'listing Listing,
    ) -> Option<Compared<'index, 'listing>> {
        let mut compared = Compared::default();
        let mut files = listing.files.iter().peekable();
        for (name, bytes) in entries {
            if bytes[BLOB.end] & ASSUME_VALID != 0 || bytes[MODE..MODE + 4] == SUBMODULE {
                return None;
            }
            while let Some(file) = files.next_if(|file| file.path.as_bytes() < *name) {
                compared.untracked.push(&file.path);
            }
            let file = files.next_if(|file| file.path.as_bytes() == *name);
            if !file.is_some_and(|file| self.is_clean(bytes, file)) {
                let path = std::str::from_utf8(name).ok()?;
                let recorded = &bytes[MODE..MODE + 4];
                let is_same_kind = file.is_some_and(|file| {
                    file.metadata.is_file() && mode(&file.metadata).to_be_bytes() == recorded
                });
                compared.doubtful.push(Doubt { path, is_same_kind, blob: &bytes[BLOB] });
            }
        }
        compared.untracked.extend(files.map(|file| file.path.as_str()));
        Some(compared)
    }

    fn is_clean(&self, entry: &[u8], file: &ListedFile) -> bool {
        let now = stat_data(&file.metadata, mode(&file.metadata));
        let number = |at: usize| u32::from_be_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
        // The device is not compared, as in git: it changes when a disk is mounted anew. A size of nothing is also how git marks
        // an entry that it could not tell from a changed one.
        now[..DEVICE] == entry[..DEVICE]
            && now[DEVICE + 4..] == entry[DEVICE + 4..SIZE + 4]
            && number(SIZE) != 0
            && number(MTIME) != 0
            && number(MTIME) < self.written
    }
}

impl Repository {
    /// Whether the index says what HEAD's tree says: nothing is staged.
    pub(crate) fn agrees_with_index(&self, entries: &[Entry<'_>]) -> Result<bool, LedgerError> {
        let Some(head) = self.head()? else { return Ok(entries.is_empty()) };
        let mut rest = entries;
        let agrees = self.takes_from(self.commit_info(head)?.tree, &mut Vec::new(), &mut rest)?;
        Ok(agrees && rest.is_empty())
    }

    /// Takes the entries of a tree off the front of `rest`; stops where they differ. Trees and indexes have the same order.
    fn takes_from(
        &self,
        tree: gix::ObjectId,
        prefix: &mut Vec<u8>,
        rest: &mut &[Entry<'_>],
    ) -> Result<bool, LedgerError> {
        let what = || format!("read tree {tree}");
        let data = self.tree_data(tree)?;
        for entry in gix::objs::TreeRefIter::from_bytes(&data, gix::hash::Kind::Sha1) {
            let entry = entry.map_err(LedgerError::git(what()))?;
            let length = prefix.len();
            prefix.extend_from_slice(entry.filename);
            let agrees = if entry.mode.is_tree() {
                prefix.push(b'/');
                self.takes_from(entry.oid.to_owned(), prefix, rest)?
            } else if let Some(((name, bytes), after)) = rest.split_first() {
                *rest = after;
                let mode = u32::from(entry.mode.value()).to_be_bytes();
                *name == prefix.as_slice()
                    && bytes[BLOB] == *entry.oid.as_bytes()
                    && bytes[MODE..MODE + 4] == mode
            } else {
                false
            };
            if !agrees {
                return Ok(false);
            }
            prefix.truncate(length);
        }
        Ok(true)
    }
}

/// A file's mode as git records it.
fn mode(metadata: &Metadata) -> u32 {
    if metadata.is_symlink() {
        0o120_000
    } else if is_executable(metadata) {
        0o100_755
    } else {
        0o100_644
    }
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &Metadata) -> bool {
    false
}

/// When a file was changed, in whole seconds since 1970, of which an index keeps the low 32 bits.
fn seconds(metadata: &Metadata) -> u32 {
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    modified.map_or(0, |since| since.as_secs() as u32)
}

/// Whether git may convert files on their way into the repository: rules other than those of [`crate::init`] name conversions.
pub(crate) fn may_convert(root: &Path, git_folder: &Path, listing: &Listing) -> bool {
    let is_ours = |file: &ListedFile| {
        file.path == ".gitattributes"
            && file.metadata.is_file()
            && std::fs::read_to_string(root.join(&file.path)).is_ok_and(|text| {
                let rest = text.strip_suffix(crate::driver::LISTS).unwrap_or(&text);
                let rest = rest.strip_suffix(crate::driver::MERGING).unwrap_or(rest);
                rest == crate::init::ATTRIBUTES
            })
    };
    git_folder.join("info").join("attributes").exists()
        || listing.files.iter().any(|file| file.path.ends_with(".gitattributes") && !is_ours(file))
}
