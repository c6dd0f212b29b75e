//! The one place that writes a host's settings: whole or not at all, with the old bytes kept beside them.
//!
//! Settings lie outside of any workspace and belong to somebody else, so that the ledger's door is not the way to them. A link is
//! followed to the file it means, be it there or not, permissions stay, and a file that changed since it was read is left alone.

#![allow(
    clippy::disallowed_methods,
    reason = "settings of hosts lie outside of the workspace; see the head of this file"
)]

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{Change, ConnectError, read};

/// Where the bytes are kept that a settings file held before it was connected, where no file has that name yet.
#[must_use]
pub fn backup_of(path: &Path) -> PathBuf {
    numbered(path, 1)
}

/// The name of a settings file's backup: the first has no number.
fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(BACKUP);
    if number > 1 {
        name.push(format!(".{number}"));
    }
    path.with_file_name(name)
}

const BACKUP: &str = ".before-rem";

/// The numbers of the files that are called like backups of a settings file, the newest first: a person's own may be among them.
fn numbers(path: &Path) -> Vec<u32> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let number_of = |found: &str| match found.strip_prefix(name.as_str())?.strip_prefix(BACKUP)? {
        "" => Some(1),
        rest => rest.strip_prefix('.')?.parse().ok().filter(|number| *number > 1),
    };
    let found = path.parent().into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut numbers: Vec<u32> =
        found.filter_map(|entry| number_of(&entry.file_name().to_string_lossy())).collect();
    numbers.sort_unstable_by(|one, other| other.cmp(one));
    numbers
}

/// The files that are called like backups of a settings file, the newest first.
pub(super) fn backups_of(path: &Path) -> impl Iterator<Item = PathBuf> {
    numbers(path).into_iter().map(move |number| numbered(path, number))
}

/// A name for a new backup, after all that are there.
pub(super) fn next_backup_of(path: &Path) -> PathBuf {
    numbered(path, numbers(path).first().map_or(1, |last| last.saturating_add(1)))
}

pub(super) fn carry_out(change: &Change) -> Result<(), ConnectError> {
    if !change.is_any() {
        return Ok(());
    }
    if read(&change.path)? != change.before {
        return Err(ConnectError::Changed { path: change.path.clone() });
    }
    let failed = |source| ConnectError::Write { path: change.path.clone(), source };
    if let (Some(before), Some(backup), false) = (&change.before, &change.backup, change.is_restored) {
        put(backup, before, Some(&change.path), Over::Nothing).map_err(failed)?;
    }
    match &change.after {
        Some(after) => put(&change.path, after, None, Over::Anything).map_err(failed)?,
        None => fs::remove_file(meant(&change.path)).map_err(failed)?,
    }
    if let (true, Some(backup)) = (change.is_restored, &change.backup)
        && read(backup)? == change.after
    {
        fs::remove_file(backup).map_err(failed)?;
    }
    // One that holds anything else stays.
    if let (None, Some(folder)) = (&change.after, &change.folder) {
        let _ = fs::remove_dir(folder);
    }
    Ok(())
}

/// Whether a file may take the place of another.
#[derive(PartialEq, Eq)]
enum Over {
    Nothing,
    Anything,
}

/// The file that a path means, also where it is a link to one that is not there yet.
fn meant(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40;
    let mut at = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(found) = fs::canonicalize(&at) {
            return found;
        }
        match fs::read_link(&at) {
            Ok(next) => at = at.parent().unwrap_or(Path::new(".")).join(next),
            Err(_) => break,
        }
    }
    at
}

/// Puts `text` at `path`, with the permissions that the file there, or `like`, has.
fn put(path: &Path, text: &str, like: Option<&Path>, over: Over) -> io::Result<()> {
    let at = meant(path);
    let folder = at.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = at.file_name().unwrap_or_default().to_string_lossy();
    let aside = folder.join(format!(".{name}.{}.rem", std::process::id()));
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&aside)?;
        if let Ok(metadata) = fs::metadata(like.unwrap_or(&at)) {
            file.set_permissions(metadata.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        if over == Over::Nothing && fs::symlink_metadata(path).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(&aside, &at)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&aside);
    }
    written
}
