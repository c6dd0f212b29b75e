//! Reading and replacing files of the workspace: the only place that writes one.
//!
//! A file is replaced by writing a temporary file beside it and renaming; nobody ever sees half of it. Symbolic links are
//! never followed out of the workspace and never written through.

#![allow(clippy::disallowed_methods, reason = "this module is where the writes are")]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rem_format::path::MemoryPath;

use crate::error::LedgerError;
use crate::fault;

/// Where a path lies on disk, after checking that no symbolic link leads elsewhere.
///
/// # Errors
/// [`LedgerError::SymbolicLink`] where the file or a folder on its way is a link.
pub(crate) fn locate(root: &Path, path: &MemoryPath) -> Result<PathBuf, LedgerError> {
    let mut at = root.to_path_buf();
    for component in path.as_str().split('/') {
        at.push(component);
        match fs::symlink_metadata(&at) {
            Ok(metadata) if metadata.is_symlink() => {
                return Err(LedgerError::SymbolicLink { path: path.clone() });
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(source) => return Err(LedgerError::Io { what: "look at", path: at, source }),
        }
    }
    Ok(root.join(path.as_str()))
}

/// The contents of a file, or `None` where there is none.
pub(crate) fn read(at: &Path) -> Result<Option<Vec<u8>>, LedgerError> {
    match fs::read(at) {
        Ok(contents) => Ok(Some(contents)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(source) => Err(LedgerError::Io { what: "read", path: at.to_path_buf(), source }),
    }
}

/// The first 16 KiB of a file, or `None` where there is none.
pub(crate) fn read_head(at: &Path) -> Result<Option<Vec<u8>>, LedgerError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        File::open(at)?.take(16 << 10).read_to_end(&mut head)?;
        Ok(head)
    };
    match read() {
        Ok(head) => Ok(Some(head)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(source) => Err(LedgerError::Io { what: "read", path: at.to_path_buf(), source }),
    }
}

/// What tells a file apart from a later version of it without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    len: u64,
    modified: Option<std::time::SystemTime>,
    inode: u64,
}

pub(crate) fn fingerprint(at: &Path) -> Option<Fingerprint> {
    let metadata = fs::symlink_metadata(at).ok()?;
    Some(Fingerprint { len: metadata.len(), modified: metadata.modified().ok(), inode: inode(&metadata) })
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_metadata: &Metadata) -> u64 {
    0
}

/// Writes a file that may be lost, or read half written, without harm.
pub(crate) fn write_hint(at: &Path, contents: &[u8]) -> io::Result<()> {
    fs::write(at, contents)
}

/// Makes the folders above a file.
pub(crate) fn create_parents(at: &Path) -> Result<(), LedgerError> {
    match at.parent() {
        Some(folder) => fs::create_dir_all(folder).map_err(LedgerError::io("create the folder", folder)),
        None => Ok(()),
    }
}

/// Replaces a file. The temporary file's name is made from `change`, so that recovery knows what to clear away.
pub(crate) fn replace(at: &Path, contents: &[u8], sealed: bool, change: &str) -> Result<(), LedgerError> {
    fault::point("files.temporary").map_err(LedgerError::io("write", at))?;
    create_parents(at)?;
    let temporary = temporary_name(at, change);
    let write = || -> io::Result<()> {
        remove_if_there(&temporary)?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        file.write_all(contents)?;
        if let Ok(metadata) = fs::metadata(at) {
            let mut permissions = metadata.permissions();
            if !sealed {
                make_writable(&mut permissions);
            }
            file.set_permissions(permissions)?;
        }
        if sealed {
            let mut permissions = file.metadata()?.permissions();
            permissions.set_readonly(true);
            file.set_permissions(permissions)?;
        }
        fault::point("files.replace")?;
        rename_in_place(&temporary, at)
    };
    write().map_err(|source| {
        let _ = fs::remove_file(&temporary);
        LedgerError::Io { what: "replace", path: at.to_path_buf(), source }
    })
}

/// Moves a staged file into place. Where it is there already, a process that died did it.
pub(crate) fn place(staged: &Path, at: &Path, sealed: bool) -> Result<(), LedgerError> {
    fault::point("files.temporary").map_err(LedgerError::io("write", at))?;
    create_parents(at)?;
    if sealed && staged.exists() {
        make_read_only(staged).map_err(LedgerError::io("seal", staged))?;
    }
    fault::point("files.replace").map_err(LedgerError::io("replace", at))?;
    match fs::rename(staged, at) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && at.exists() => Ok(()),
        other => other.map_err(LedgerError::io("replace", at)),
    }
}

/// Whoever may read the file may not thereby write it: only the owner's bit is set.
fn make_writable(permissions: &mut fs::Permissions) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        permissions.set_mode(permissions.mode() | 0o200);
    }
    #[cfg(not(unix))]
    permissions.set_readonly(false);
}

fn temporary_name(at: &Path, change: &str) -> PathBuf {
    // Independent of the file's own name, which may already be as long as a name can be.
    at.with_file_name(format!(".rem-{change}-{:08x}", short_hash(at)))
}

fn short_hash(at: &Path) -> u32 {
    let hash = blake3::hash(at.as_os_str().as_encoded_bytes());
    u32::from_le_bytes([hash.as_bytes()[0], hash.as_bytes()[1], hash.as_bytes()[2], hash.as_bytes()[3]])
}

/// Removes what a dead process may have left of this change beside a file.
pub(crate) fn clear_temporary(at: &Path, change: &str) {
    let _ = fs::remove_file(temporary_name(at, change));
}

/// Removes unfinished lock files of dead processes beside a file.
pub(crate) fn clear_lock_temporaries(at: &Path) {
    let Some(entries) = at.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return };
    for entry in entries.flatten() {
        let dead = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if entry.file_name().to_string_lossy().starts_with(".rem-lock-") && dead() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes a file and the folders above it that became empty, up to the workspace.
pub(crate) fn remove(root: &Path, at: &Path) -> Result<(), LedgerError> {
    remove_if_there(at).map_err(LedgerError::io("remove", at))?;
    let mut folder = at.parent();
    while let Some(above) = folder.filter(|above| *above != root && above.starts_with(root)) {
        if fs::remove_dir(above).is_err() {
            break;
        }
        folder = above.parent();
    }
    Ok(())
}

pub(crate) fn remove_if_there(at: &Path) -> io::Result<()> {
    match fs::remove_file(at) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

pub(crate) fn create_folder(at: &Path) -> Result<(), LedgerError> {
    fs::create_dir_all(at).map_err(LedgerError::io("create the folder", at))
}

pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), LedgerError> {
    create_parents(to)?;
    fs::rename(from, to).map_err(LedgerError::io("rename", from))
}

/// Renames within one folder, replacing what stands there.
///
/// On Linux the two files change places and the old one is then removed: as atomic as a rename, and the file system does not
/// write the new contents out on the spot, which it does for a rename over a file. Durability comes from the redo journal.
fn rename_in_place(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, from, CWD, to, RenameFlags::EXCHANGE).is_ok() {
            return fs::remove_file(from);
        }
        // No file there yet, or a file system that cannot do it.
    }
    fs::rename(from, to)
}

/// Replaces a file of git's by one that is written as `by`, in the same folder.
pub(crate) fn replace_in_place(at: &Path, by: &Path, contents: &[u8]) -> io::Result<()> {
    fs::write(by, contents)?;
    rename_in_place(by, at)
}

/// Opens for reading and writing, making the file if missing.
pub(crate) fn open_or_create(at: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(at)
}

pub(crate) fn open_append(at: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(at)
}

/// Opens for reading and writing, only if the file is there.
pub(crate) fn open_existing(at: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(at)
}

/// Makes a file that must not be there yet.
pub(crate) fn create_new(at: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).open(at)
}

pub(crate) fn hard_link(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to)
}

/// Replaces a private file of the program (state, never memory) by rename, without a sync.
pub(crate) fn replace_private(at: &Path, contents: &[u8]) -> io::Result<()> {
    replace_by(at, |temporary| fs::write(temporary, contents))
}

/// Listens at a socket that its user alone may use, in the place of whatever was there.
#[cfg(unix)]
pub(crate) fn listen_private(at: &Path) -> io::Result<std::os::unix::net::UnixListener> {
    use std::os::unix::fs::PermissionsExt;
    remove_if_there(at)?;
    let listener = std::os::unix::net::UnixListener::bind(at)?;
    fs::set_permissions(at, fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Replaces a file that lies outside of any workspace and is for its user alone; after a power loss it is there or as it was.
pub(crate) fn replace_for_user(at: &Path, contents: &[u8]) -> io::Result<()> {
    replace_by(at, |temporary| {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(temporary)?;
        file.write_all(contents)?;
        file.sync_all()
    })
}

/// Whether others than a file's owner may write it.
pub(crate) fn others_may_write(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        std::os::unix::fs::MetadataExt::mode(metadata) & 0o022 != 0
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

fn replace_by(at: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    // A name of its own: several threads and processes may replace the same file at once.
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = at.with_file_name(format!(".rem-{}-{number}", std::process::id()));
    write(&temporary).and_then(|()| fs::rename(&temporary, at)).inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}

/// Gives or takes away the owner's right to write, as for the hooks of git.
pub(crate) fn make_executable(at: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(at, fs::Permissions::from_mode(0o755))?;
    }
    let _ = at;
    Ok(())
}

/// Takes away everybody's right to write.
pub(crate) fn make_read_only(at: &Path) -> io::Result<()> {
    let mut permissions = fs::metadata(at)?.permissions();
    permissions.set_readonly(true);
    fs::set_permissions(at, permissions)
}

/// Whether an open file is the one that stands at a path now. Windows does not let an open file be replaced.
pub(crate) fn is_same(file: &File, at: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        match (file.metadata(), at.symlink_metadata()) {
            (Ok(open), Ok(there)) => open.ino() == there.ino() && open.dev() == there.dev(),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        at.symlink_metadata().is_ok()
    }
}
