//! What CONFIG.md may have sent to a provider, and with which key.
//!
//! CONFIG.md travels with the workspace: whoever wrote it may be somebody else. So its words alone never send a text to another
//! machine and never name a secret; a person must trust the workspace. Every provider is made through this. A key is in no message.

use std::path::Path;

use crate::memory::Memory;

/// The longest file that is read as a key, in bytes.
const LONGEST_KEY: u64 = 16 << 10;

/// Where a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyPlace<'a> {
    /// The provider wants none.
    Nowhere,
    /// In the variable of this name.
    Variable(&'a str),
    /// In the file of this name.
    File(&'a str),
}

impl<'a> KeyPlace<'a> {
    /// The variable that a setting names, where it names one.
    pub(crate) fn variable(name: &'a str) -> Self {
        match name.trim() {
            "" => Self::Nowhere,
            name => Self::Variable(name),
        }
    }
}

impl Memory {
    /// The key of a provider. `url` is the address that the settings give, empty for the provider's own; `setting` is the one that
    /// names the variable.
    ///
    /// # Errors
    /// Where texts would leave this machine, or a secret is named, and the workspace is not trusted; where the variable is not set, or
    /// the file is not for this user alone.
    pub(crate) fn provider_key(
        &self,
        leaves_this_machine: bool,
        url: &str,
        place: KeyPlace<'_>,
        setting: &str,
    ) -> Result<Option<String>, String> {
        if (leaves_this_machine || place != KeyPlace::Nowhere) && !self.is_trusted() {
            let whom = if url.trim().is_empty() { "the provider" } else { url.trim() }.escape_debug();
            let key = match place {
                KeyPlace::Nowhere => String::new(),
                KeyPlace::Variable(name) | KeyPlace::File(name) => {
                    format!(" with the key in {}", name.escape_debug())
                }
            };
            return Err(format!("CONFIG.md would send texts to {whom}{key}, and {}", self.not_trusted()));
        }
        match place {
            KeyPlace::Nowhere => Ok(None),
            KeyPlace::Variable(name) => (self.options.secret)(name)
                .map(Some)
                .ok_or_else(|| format!("the variable {name}, which {setting} names, is not set")),
            KeyPlace::File(name) => key_in(Path::new(name), self.ledger.root())
                .map(Some)
                .map_err(|why| format!("the key file {name} cannot be used: {why}")),
        }
    }
}

/// The key in a file that is for this user alone and lies outside of the workspace, which is kept in git.
fn key_in(file: &Path, workspace: &Path) -> Result<String, String> {
    let said = |error: std::io::Error| error.to_string();
    if !file.is_absolute() {
        return Err("give its whole path, from / on".to_owned());
    }
    let real = std::fs::canonicalize(file).map_err(said)?;
    if std::fs::canonicalize(workspace).is_ok_and(|workspace| real.starts_with(workspace)) {
        return Err("it lies in the workspace, which is kept in git; move it out".to_owned());
    }
    // Looked at and read through one handle: it is the same file.
    let mut opened = std::fs::File::open(&real).map_err(said)?;
    let metadata = opened.metadata().map_err(said)?;
    if !metadata.is_file() || metadata.len() > LONGEST_KEY {
        return Err("it is no file with a key".to_owned());
    }
    let mode = std::os::unix::fs::MetadataExt::mode(&metadata);
    if mode & 0o077 != 0 {
        return Err(format!("others may read it (mode {:03o}); run `chmod 600` on it", mode & 0o777));
    }
    let mut text = String::new();
    std::io::Read::read_to_string(&mut opened, &mut text).map_err(said)?;
    match text.trim() {
        "" => Err("it is empty".to_owned()),
        key => Ok(key.to_owned()),
    }
}
