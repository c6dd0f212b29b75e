//! Git's index, brought up to date for the files of one commit.
//!
//! Reads and writes version 2 of git's index format ("DIRC", documented in git's gitformat-index). Only the entries of the
//! given paths change; what a person has staged stays staged. Extensions are dropped: git makes them anew.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gix::ObjectId;

use crate::files;

/// Bytes of an entry before its name: stat data, object id, flags.
const FIXED: usize = 62;
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
#[derive(Debug)]
pub(crate) struct IndexLock {
    index: PathBuf,
    lock: PathBuf,
    file: std::fs::File,
    /// Whether the lock file is still there: after a commit it has become the index.
    held: bool,
}

impl IndexLock {
    /// Takes the lock, or gives `None` where another program has it.
    pub(crate) fn acquire(git_folder: &Path) -> io::Result<Option<Self>> {
        let lock = git_folder.join("index.lock");
        match files::create_new(&lock) {
            Ok(file) => Ok(Some(Self { index: git_folder.join("index"), lock, file, held: true })),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes the index with `edits` made, which are sorted by path, and releases the lock.
    pub(crate) fn commit(mut self, root: &Path, edits: &[(String, IndexEdit)]) -> Result<(), IndexError> {
        let old = match std::fs::read(&self.index) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let new = rewrite(&old, root, edits)?;
        self.file.write_all(&new)?;
        files::rename_in_place(&self.lock, &self.index)?;
        self.held = false;
        Ok(())
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        if self.held {
            let _ = files::remove_if_there(&self.lock);
        }
    }
}

/// The new index: a merge of two sorted lists.
fn rewrite(old: &[u8], root: &Path, edits: &[(String, IndexEdit)]) -> Result<Vec<u8>, IndexError> {
    let entries = entries(old)?;
    let mut new = Vec::with_capacity(old.len() + edits.len() * 128 + 32);
    new.extend_from_slice(b"DIRC\0\0\0\x02\0\0\0\0");
    let mut count = 0u32;
    let mut edits = edits.iter().peekable();
    let push_edit = |new: &mut Vec<u8>, count: &mut u32, path: &str, edit: &IndexEdit| {
        if let IndexEdit::Upsert { blob, mode } = edit {
            write_entry(new, root, path, blob, *mode);
            *count += 1;
        }
    };
    for (name, bytes) in entries {
        while let Some((path, edit)) = edits.next_if(|(path, _)| path.as_bytes() < name) {
            push_edit(&mut new, &mut count, path, edit);
        }
        if let Some((path, edit)) = edits.next_if(|(path, _)| path.as_bytes() == name) {
            push_edit(&mut new, &mut count, path, edit);
        } else {
            new.extend_from_slice(bytes);
            count += 1;
        }
    }
    for (path, edit) in edits {
        push_edit(&mut new, &mut count, path, edit);
    }
    new[8..12].copy_from_slice(&count.to_be_bytes());
    let mut hasher = gix::hash::hasher(gix::hash::Kind::Sha1);
    hasher.update(&new);
    let checksum = hasher.try_finalize().map_err(|_| IndexError::Foreign("whose checksum collides"))?;
    new.extend_from_slice(checksum.as_slice());
    Ok(new)
}

/// Name and bytes of an entry.
type Entry<'a> = (&'a [u8], &'a [u8]);

/// Name and bytes of every entry of a version 2 index; conflict stages other than 0 are refused.
fn entries(index: &[u8]) -> Result<Vec<Entry<'_>>, IndexError> {
    if index.is_empty() {
        return Ok(Vec::new());
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
    // Beyond the entries stand extensions. `link` means that entries live elsewhere.
    let mut rest = &index[at..index.len() - 20];
    while rest.len() >= 8 {
        if &rest[..4] == b"link" || &rest[..4] == b"sdir" {
            return Err(IndexError::Foreign("split or sparse"));
        }
        let size = u32::from_be_bytes([rest[4], rest[5], rest[6], rest[7]]) as usize;
        rest = rest.get(8 + size..).unwrap_or_default();
    }
    Ok(found)
}

fn write_entry(new: &mut Vec<u8>, root: &Path, path: &str, blob: &ObjectId, mode: u32) {
    let start = new.len();
    new.extend_from_slice(&stat_data(&root.join(path), mode));
    new.extend_from_slice(blob.as_slice());
    let length = u16::try_from(path.len()).map_or(NAME_MASK, |length| length.min(NAME_MASK));
    new.extend_from_slice(&length.to_be_bytes());
    new.extend_from_slice(path.as_bytes());
    new.push(0);
    while !(new.len() - start).is_multiple_of(8) {
        new.push(0);
    }
}

/// ctime, mtime, device, inode, mode, uid, gid, size: 40 bytes. All zero where the file is not there, which makes git look.
#[cfg(unix)]
fn stat_data(at: &Path, mode: u32) -> [u8; 40] {
    use std::os::unix::fs::MetadataExt;
    let mut data = [0; 40];
    data[24..28].copy_from_slice(&mode.to_be_bytes());
    let Ok(metadata) = std::fs::symlink_metadata(at) else { return data };
    // Git keeps the low 32 bits of each.
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
    for (slot, field) in data.chunks_exact_mut(4).zip(fields) {
        slot.copy_from_slice(&field.to_be_bytes());
    }
    data
}

#[cfg(not(unix))]
fn stat_data(_at: &Path, mode: u32) -> [u8; 40] {
    let mut data = [0; 40];
    data[24..28].copy_from_slice(&mode.to_be_bytes());
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob() -> ObjectId {
        ObjectId::null(gix::hash::Kind::Sha1)
    }

    fn names(index: &[u8]) -> Vec<String> {
        entries(index).unwrap().iter().map(|(name, _)| String::from_utf8_lossy(name).into_owned()).collect()
    }

    #[test]
    fn entries_stay_sorted_through_additions_and_removals() {
        let root = Path::new("/nowhere");
        let add = |path: &str| (path.to_owned(), IndexEdit::Upsert { blob: blob(), mode: 0o100_644 });
        let long = format!("z/{}", "x".repeat(5000));
        let index = rewrite(&[], root, &[add("b.md"), add("d.md"), add(&long)]).unwrap();
        let index =
            rewrite(&index, root, &[add("a/ü.md"), add("c.md"), ("d.md".into(), IndexEdit::Remove)]).unwrap();
        assert_eq!(names(&index), ["a/ü.md", "b.md", "c.md", &long]);
        assert_eq!((index.len() - 12 - 20) % 8, 0);
    }

    #[test]
    fn damaged_bytes_are_refused_and_never_panic() {
        let add = ("b.md".to_owned(), IndexEdit::Upsert { blob: blob(), mode: 0o100_644 });
        let index = rewrite(&[], Path::new("/nowhere"), &[add]).unwrap();
        for cut in 1..index.len() - 20 {
            let _ = entries(&index[..cut]);
        }
        assert!(matches!(
            entries(b"DIRC\0\0\0\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            Err(IndexError::Foreign(_))
        ));
    }
}
