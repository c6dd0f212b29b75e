//! What a person has said about workspaces, kept outside of any: no workspace that arrives from elsewhere can bring it along.
//!
//! A folder of the user's own with small files, each replaced whole. Folder and files are the user's alone; a file that somebody else
//! could have written is as good as none.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::LedgerError;
use crate::files;

/// The folder.
#[derive(Debug, Clone)]
pub struct UserState {
    folder: PathBuf,
}

impl UserState {
    /// The state in this folder, which need not be there yet.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The name of the file in `folder` that is about a workspace: made of its real path, whatever links led to it.
    #[must_use]
    pub fn name_of(folder: &str, workspace: &Path) -> String {
        let real = std::fs::canonicalize(workspace).unwrap_or_else(|_| workspace.to_path_buf());
        format!("{folder}/{}.json", &blake3::hash(real.as_os_str().as_encoded_bytes()).to_hex()[..32])
    }

    /// The contents of a file; nothing where there is none, or others may write it.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be read.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, LedgerError> {
        let at = self.folder.join(name);
        match std::fs::metadata(&at) {
            Ok(metadata) if files::others_may_write(&metadata) => {
                tracing::warn!("{} is passed over: others may write it", at.display());
                Ok(None)
            }
            Ok(_) => files::read(&at),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(LedgerError::io("read", at)(source)),
        }
    }

    /// Keeps a file, readable for the user alone.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be written.
    pub fn write(&self, name: &str, contents: &[u8]) -> Result<(), LedgerError> {
        let at = self.folder.join(name);
        files::create_parents(&at)?;
        files::replace_for_user(&at, contents).map_err(LedgerError::io("write", at))
    }

    /// Drops a file; tells whether there was one.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be removed.
    pub fn remove(&self, name: &str) -> Result<bool, LedgerError> {
        let at = self.folder.join(name);
        let was_there = at.exists();
        files::remove_if_there(&at).map_err(LedgerError::io("remove", at))?;
        Ok(was_there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_the_users_alone_and_what_others_could_write_is_none() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let state = UserState::new(folder.path().join("a/b"));
        assert_eq!(state.read("c/d").unwrap(), None);
        assert!(!state.remove("c/d").unwrap());
        state.write("c/d", b"yes").unwrap();
        assert_eq!(state.read("c/d").unwrap().as_deref(), Some(b"yes".as_slice()));
        let at = folder.path().join("a/b/c/d");
        assert_eq!(std::fs::metadata(&at).unwrap().permissions().mode() & 0o777, 0o600);
        #[allow(clippy::disallowed_methods, reason = "the test makes the file what it must not be")]
        std::fs::set_permissions(&at, std::fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(state.read("c/d").unwrap(), None);
        assert!(state.remove("c/d").unwrap());
    }
}
