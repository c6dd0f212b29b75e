//! Git's index, brought up to date for the files of one commit.
//!
//! Reads and writes version 2 of git's index format ("DIRC", documented in git's gitformat-index). Only the entries of the
//! given paths change; what a person has staged stays staged. Extensions are dropped: git makes them anew. The index of a large
//! workspace is split (`split.rs`), so that its size does not count.

use std::io;
use std::path::{Path, PathBuf};

use gix::ObjectId;

use super::split::{SPLIT_FROM, Split};
use crate::files;

/// Bytes of an entry before its name: stat data, object id, flags.
pub(super) const FIXED: usize = 62;
const NAME_MASK: u16 = 0x0fff;
/// `assume-valid` and the extended bit, which version 2 does not have.
const EXTENDED: u16 = 0x4000;

/// What the index shall say of a path.
#[derive(Debug, Clone)]
pub(crate) enum IndexEdit {
    /// A file with this blob; its stat data is taken from the working tree.
    Upsert { blob: ObjectId, mode: u32 },
    /// No entry.
    Remove,
}

/// Why the index was not rewritten.
#[derive(Debug)]
pub(crate) enum IndexError {
    /// A format this module does not write: git has to rebuild it.
    Foreign(&'static str),
    Io(io::Error),
}

impl From<io::Error> for IndexError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The lock that git programs respect: `index.lock`, taken before and held through the commit.
///
/// It is made as [`OWN_NAME`] and linked to its place, so that from its first moment to its last it can be told from a lock of git's:
/// whenever its owner dies, whoever is next inside the door sees two names of one file, and takes the lock away.
#[derive(Debug)]
pub(crate) struct IndexLock {
    index: PathBuf,
    lock: PathBuf,
    /// The lock's other name.
    own: PathBuf,
}

/// The other name of a lock that is ours, beside it.
const OWN_NAME: &str = "index.lock-of-rem";

impl IndexLock {
    /// Takes the lock, or gives `None` where another program has it. Only whoever is inside the door may.
    pub(crate) fn acquire(git_folder: &Path) -> io::Result<Option<Self>> {
        let (lock, own) = (git_folder.join("index.lock"), git_folder.join(OWN_NAME));
        files::remove_if_there(&own)?;
        files::create_new(&own)?;
        if let Err(error) = files::hard_link(&own, &lock) {
            files::remove_if_there(&own)?;
            match error.kind() {
                io::ErrorKind::AlreadyExists => return Ok(None),
                // File systems without hard links: then a dead lock of ours cannot be told from one of git's.
                io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied => {}
                _ => return Err(error),
            }
            match files::create_new(&lock) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(Self { index: git_folder.join("index"), lock, own }))
    }

    /// Whether the lock that is there was left by a process of ours. Whoever asks is inside the door, so that process is dead.
    fn is_left(git_folder: &Path) -> bool {
        files::open_existing(&git_folder.join(OWN_NAME))
            .is_ok_and(|own| files::is_same(&own, &git_folder.join("index.lock")))
    }

    /// Takes away the lock that a process of ours left; says whether there was one.
    pub(crate) fn clear_left(git_folder: &Path) -> io::Result<bool> {
        let is_left = Self::is_left(git_folder);
        if is_left {
            files::remove_if_there(&git_folder.join("index.lock"))?;
            files::remove_if_there(&git_folder.join(OWN_NAME))?;
        }
        Ok(is_left)
    }

    /// Writes the index with `edits` made, which are sorted by path, and releases the lock.
    pub(crate) fn commit(self, root: &Path, edits: &[(String, IndexEdit)]) -> Result<(), IndexError> {
        let old = match std::fs::read(&self.index) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let (entries, link) = entries_of(&old)?;
        let new = match link {
            Some(link) => self.change_split(&entries, link, root, edits)?,
            None if entries.len() + edits.len() < SPLIT_FROM => rewrite(&entries, root, edits)?,
            None => self.split(&rewrite(&entries, root, edits)?)?,
        };
        // Beside the lock, which stays the same file until it goes.
        files::replace_in_place(&self.index, &self.index.with_file_name("index.new-of-rem"), &new)?;
        Ok(())
    }

    /// The changing part of a split index with `edits` made.
    fn change_split(
        &self,
        entries: &[Entry<'_>],
        link: &[u8],
        root: &Path,
        edits: &[(String, IndexEdit)],
    ) -> Result<Vec<u8>, IndexError> {
        let id = link.get(..20).ok_or(IndexError::Foreign("split from nothing"))?;
        let shared = std::fs::read(shared_path(&self.index, id))?;
        let mut split = Split::read(&shared, entries, &link[20..])?;
        for (path, edit) in edits {
            let entry = match edit {
                IndexEdit::Upsert { blob, mode } => {
                    let mut entry = Vec::new();
                    write_entry(&mut entry, root, path, blob, *mode);
                    Some(entry)
                }
                IndexEdit::Remove => None,
            };
            split.set(path.as_bytes(), entry);
        }
        if split.is_worn() { self.split(&split.joined()?) } else { split.render() }
    }

    /// Makes a whole index the shared part of a split one; gives the changing part, which is empty yet.
    fn split(&self, whole: &[u8]) -> Result<Vec<u8>, IndexError> {
        let at = shared_path(&self.index, &whole[whole.len() - 20..]);
        files::replace_private(&at, whole)?;
        self.drop_old_shared(&at);
        Split::over(whole)?.render()
    }

    /// Removes shared parts that nothing points to any more; a git program that is just reading has a minute.
    fn drop_old_shared(&self, current: &Path) {
        let modified = |at: &Path| std::fs::metadata(at).and_then(|metadata| metadata.modified()).ok();
        let Some(now) = modified(current) else { return };
        let folder = self.index.parent().map(std::fs::read_dir);
        for entry in folder.into_iter().flatten().flatten().flatten() {
            let is_shared = entry.file_name().to_string_lossy().starts_with("sharedindex.");
            let age = modified(&entry.path()).and_then(|then| now.duration_since(then).ok());
            if is_shared && entry.path() != current && age.is_some_and(|age| age.as_secs() > 60) {
                let _ = files::remove_if_there(&entry.path());
            }
        }
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        let _ = files::remove_if_there(&self.lock);
        let _ = files::remove_if_there(&self.own);
    }
}

/// Where the shared part of a split index lies.
pub(super) fn shared_path(index: &Path, id: &[u8]) -> PathBuf {
    let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    index.with_file_name(format!("sharedindex.{hex}"))
}

/// The new index in one part: a merge of two sorted lists.
fn rewrite(old: &[Entry<'_>], root: &Path, edits: &[(String, IndexEdit)]) -> Result<Vec<u8>, IndexError> {
    let written: Vec<(&[u8], Option<Vec<u8>>)> = edits
        .iter()
        .map(|(path, edit)| {
            let entry = match edit {
                IndexEdit::Upsert { blob, mode } => {
                    let mut entry = Vec::new();
                    write_entry(&mut entry, root, path, blob, *mode);
                    Some(entry)
                }
                IndexEdit::Remove => None,
            };
            (path.as_bytes(), entry)
        })
        .collect();
    let mut new: Vec<&[u8]> = Vec::with_capacity(old.len() + edits.len());
    let mut edits = written.iter().peekable();
    for (name, bytes) in old {
        while let Some((_, entry)) = edits.next_if(|(path, _)| path < name) {
            new.extend(entry.as_deref());
        }
        match edits.next_if(|(path, _)| path == name) {
            Some((_, entry)) => new.extend(entry.as_deref()),
            None => new.push(bytes),
        }
    }
    new.extend(edits.filter_map(|(_, entry)| entry.as_deref()));
    seal(new.into_iter(), &[])
}

/// An index of these entries: header, entries, extension, checksum.
pub(super) fn seal<'a>(
    entries: impl Iterator<Item = &'a [u8]>,
    extension: &[u8],
) -> Result<Vec<u8>, IndexError> {
    let mut index = b"DIRC\0\0\0\x02\0\0\0\0".to_vec();
    let mut count = 0u32;
    for entry in entries {
        index.extend_from_slice(entry);
        count += 1;
    }
    index[8..12].copy_from_slice(&count.to_be_bytes());
    index.extend_from_slice(extension);
    let mut hasher = gix::hash::hasher(gix::hash::Kind::Sha1);
    hasher.update(&index);
    let checksum = hasher.try_finalize().map_err(|_| IndexError::Foreign("whose checksum collides"))?;
    index.extend_from_slice(checksum.as_slice());
    Ok(index)
}

/// An entry without its name, as it stands in for one of a shared part.
pub(super) fn stripped(entry: &[u8]) -> [u8; FIXED] {
    let mut fixed = [0; FIXED];
    fixed[..FIXED - 2].copy_from_slice(&entry[..FIXED - 2]);
    fixed
}

/// Name and bytes of an entry.
pub(super) type Entry<'a> = (&'a [u8], &'a [u8]);

/// Name and bytes of every entry of a version 2 index, and its `link` extension if it is split; conflict stages other than 0 are
/// refused.
#[allow(clippy::type_complexity, reason = "entries, and the one extension that matters")]
pub(super) fn entries_of(index: &[u8]) -> Result<(Vec<Entry<'_>>, Option<&[u8]>), IndexError> {
    if index.is_empty() {
        return Ok((Vec::new(), None));
    }
    if index.len() < 12 + 20 || &index[..4] != b"DIRC" {
        return Err(IndexError::Foreign("damaged"));
    }
    if index[4..8] != [0, 0, 0, 2] {
        return Err(IndexError::Foreign("of another version than 2"));
    }
    let count = u32::from_be_bytes([index[8], index[9], index[10], index[11]]) as usize;
    let mut found = Vec::with_capacity(count.min(index.len() / FIXED));
    let mut at = 12;
    for _ in 0..count {
        let entry =
            index.get(at..).filter(|entry| entry.len() > FIXED).ok_or(IndexError::Foreign("cut short"))?;
        let flags = u16::from_be_bytes([entry[60], entry[61]]);
        if flags & EXTENDED != 0 {
            return Err(IndexError::Foreign("with extended entries"));
        }
        if flags & 0x3000 != 0 {
            return Err(IndexError::Foreign("with unresolved conflicts"));
        }
        let length = match flags & NAME_MASK {
            NAME_MASK => {
                entry[FIXED..].iter().position(|byte| *byte == 0).ok_or(IndexError::Foreign("cut short"))?
            }
            length => usize::from(length),
        };
        // One to eight zero bytes bring an entry to a multiple of eight.
        let size = (FIXED + length + 8) & !7;
        let bytes = entry.get(..size).ok_or(IndexError::Foreign("cut short"))?;
        found.push((&bytes[FIXED..FIXED + length], bytes));
        at += size;
    }
    // Beyond the entries stand extensions.
    let mut link = None;
    let mut rest = index.get(at..index.len() - 20).unwrap_or_default();
    while rest.len() >= 8 {
        let size = u32::from_be_bytes([rest[4], rest[5], rest[6], rest[7]]) as usize;
        let contents = rest.get(8..8 + size).ok_or(IndexError::Foreign("cut short"))?;
        match &rest[..4] {
            b"link" => link = Some(contents),
            b"sdir" => return Err(IndexError::Foreign("sparse")),
            // Those that may be passed over have a capital first.
            name if !name[0].is_ascii_uppercase() => {
                return Err(IndexError::Foreign("with an unknown extension"));
            }
            _ => {}
        }
        rest = &rest[8 + size..];
    }
    Ok((found, link))
}

fn write_entry(new: &mut Vec<u8>, root: &Path, path: &str, blob: &ObjectId, mode: u32) {
    // Without stat data, where the file is not there, git looks at it.
    let metadata = std::fs::symlink_metadata(root.join(path)).ok();
    new.extend_from_slice(
        &metadata.map_or_else(|| no_stat_data(mode), |metadata| stat_data(&metadata, mode)),
    );
    new.extend_from_slice(blob.as_slice());
    write_name(new, path.as_bytes());
}

/// Ends an entry, of which stat data and blob are written, with the flags and its name.
pub(super) fn write_name(entry: &mut Vec<u8>, name: &[u8]) {
    let length = u16::try_from(name.len()).map_or(NAME_MASK, |length| length.min(NAME_MASK));
    entry.extend_from_slice(&length.to_be_bytes());
    entry.extend_from_slice(name);
    entry.push(0);
    while !entry.len().is_multiple_of(8) {
        entry.push(0);
    }
}

fn no_stat_data(mode: u32) -> [u8; 40] {
    let mut data = [0; 40];
    data[24..28].copy_from_slice(&mode.to_be_bytes());
    data
}

/// ctime, mtime, device, inode, mode, uid, gid, size: 40 bytes, of each the low 32 bits.
#[cfg(unix)]
pub(super) fn stat_data(metadata: &std::fs::Metadata, mode: u32) -> [u8; 40] {
    use std::os::unix::fs::MetadataExt;
    let fields = [
        metadata.ctime() as u32,
        metadata.ctime_nsec() as u32,
        metadata.mtime() as u32,
        metadata.mtime_nsec() as u32,
        metadata.dev() as u32,
        metadata.ino() as u32,
        mode,
        metadata.uid(),
        metadata.gid(),
        metadata.size() as u32,
    ];
    let mut data = [0; 40];
    for (slot, field) in data.chunks_exact_mut(4).zip(fields) {
        slot.copy_from_slice(&field.to_be_bytes());
    }
    data
}

#[cfg(not(unix))]
pub(super) fn stat_data(_metadata: &std::fs::Metadata, mode: u32) -> [u8; 40] {
    no_stat_data(mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob() -> ObjectId {
        ObjectId::null(gix::hash::Kind::Sha1)
    }

    fn names(index: &[u8]) -> Vec<String> {
        entries_of(index)
            .unwrap()
            .0
            .iter()
            .map(|(name, _)| String::from_utf8_lossy(name).into_owned())
            .collect()
    }

    #[test]
    fn entries_stay_sorted_through_additions_and_removals() {
        let root = Path::new("/nowhere");
        let add = |path: &str| (path.to_owned(), IndexEdit::Upsert { blob: blob(), mode: 0o100_644 });
        let long = format!("z/{}", "x".repeat(5000));
        let index = rewrite(&[], root, &[add("b.md"), add("d.md"), add(&long)]).unwrap();
        let old = entries_of(&index).unwrap().0;
        let index =
            rewrite(&old, root, &[add("a/ü.md"), add("c.md"), ("d.md".into(), IndexEdit::Remove)]).unwrap();
        assert_eq!(names(&index), ["a/ü.md", "b.md", "c.md", &long]);
        assert_eq!((index.len() - 12 - 20) % 8, 0);
    }

    #[test]
    fn damaged_bytes_are_refused_and_never_panic() {
        let add = ("b.md".to_owned(), IndexEdit::Upsert { blob: blob(), mode: 0o100_644 });
        let index = rewrite(&[], Path::new("/nowhere"), &[add]).unwrap();
        for cut in 1..index.len() - 20 {
            let _ = entries_of(&index[..cut]);
        }
        assert!(matches!(
            entries_of(b"DIRC\0\0\0\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            Err(IndexError::Foreign(_))
        ));
    }
}
