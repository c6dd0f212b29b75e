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

/// Where the bytes are kept that a settings file held before it was connected.
#[must_use]
pub fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".before-rem");
    path.with_file_name(name)
}

pub(super) fn carry_out(change: &Change) -> Result<(), ConnectError> {
    if !change.is_any() {
        return Ok(());
    }
    if read(&change.path)? != change.before {
        return Err(ConnectError::Changed { path: change.path.clone() });
    }
    let failed = |source| ConnectError::Write { path: change.path.clone(), source };
    let backup = backup_of(&change.path);
    match &change.after {
        Some(after) => {
            if let (Some(before), true) = (&change.before, change.keeps_backup) {
                replace(&backup, before, Some(&change.path)).map_err(failed)?;
            }
            replace(&change.path, after, None).map_err(failed)?;
        }
        None => fs::remove_file(meant(&change.path)).map_err(failed)?,
    }
    if change.is_restored && backup.exists() {
        fs::remove_file(&backup).map_err(failed)?;
    }
    Ok(())
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
fn replace(path: &Path, text: &str, like: Option<&Path>) -> io::Result<()> {
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
        fs::rename(&aside, &at)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&aside);
    }
    written
}
