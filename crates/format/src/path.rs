//! A path inside the workspace, and nowhere else.
//!
//! Owns the one type through which every path from outside passes. A [`MemoryPath`] is relative, uses `/`, has
//! no `.` or `..` component, names no device, and never reaches into git's or our own private folders. It knows
//! nothing of symbolic links: resolving those is the ledger's work, since this crate does no I/O.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The longest component most file systems accept, in bytes.
const MAX_COMPONENT_BYTES: usize = 255;

/// Why a string is no path inside the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PathError {
    /// The path is empty.
    #[error("the path is empty: give a path relative to the workspace, such as MEMORY.md")]
    Empty,
    /// The path starts at a root, a drive or a share.
    #[error("{0:?} is absolute: give it relative to the workspace")]
    Absolute(String),
    /// A component is `.`, `..` or empty.
    #[error("{0:?} has a component that is empty, '.' or '..': name the file directly")]
    Traversal(String),
    /// A character no audit line or file system keeps apart.
    #[error("{0:?} contains a control character or a backslash")]
    Character(String),
    /// `.git`, `.rem` or a name that some file system takes for one of them.
    #[error("{0:?} lies in a private folder of git or of this program")]
    Private(String),
    /// `CON`, `NUL` and the like, which Windows opens as devices.
    #[error("{0:?} names a device on Windows: choose another name")]
    Device(String),
    /// A component is longer than file systems allow.
    #[error("{0:?} has a component of more than {MAX_COMPONENT_BYTES} bytes")]
    TooLong(String),
}

/// A checked path relative to the workspace root, `/`-separated.
///
/// Ordering is by bytes, which is also the order in which locks are taken.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MemoryPath(String);

impl MemoryPath {
    /// Checks `path`.
    ///
    /// # Errors
    /// [`PathError`] says which rule it breaks and shows the path.
    pub fn new(path: impl Into<String>) -> Result<Self, PathError> {
        let path = path.into();
        if path.is_empty() {
            return Err(PathError::Empty);
        }
        let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
        if path.starts_with(['/', '\\']) || drive {
            return Err(PathError::Absolute(path));
        }
        if path.chars().any(|character| character.is_control() || character == '\\') {
            return Err(PathError::Character(path));
        }
        for component in path.split('/') {
            match component {
                "" | "." | ".." => return Err(PathError::Traversal(path)),
                _ if is_private(component) => return Err(PathError::Private(path)),
                _ if is_device(component) => return Err(PathError::Device(path)),
                _ if component.len() > MAX_COMPONENT_BYTES => return Err(PathError::TooLong(path)),
                _ => {}
            }
        }
        Ok(Self(path))
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last component.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The folder, or `""` for a file at the root.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Whether the path is `folder` itself or lies below it.
    #[must_use]
    pub fn is_under(&self, folder: &str) -> bool {
        let folder = folder.trim_end_matches('/');
        folder.is_empty()
            || self.0.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Git's folder under every name a case-folding or 8.3 file system resolves to it, and our own.
fn is_private(component: &str) -> bool {
    let trimmed = component.trim_end_matches([' ', '.']);
    [".git", "git~1", ".rem"].iter().any(|name| trimmed.eq_ignore_ascii_case(name))
}

fn is_device(component: &str) -> bool {
    let stem = component.split('.').next().unwrap_or(component).trim_end();
    let numbered = |prefix: &str| {
        stem.len() == 4
            && stem.is_char_boundary(3)
            && stem[..3].eq_ignore_ascii_case(prefix)
            && stem.as_bytes()[3].is_ascii_digit()
    };
    ["con", "prn", "aux", "nul"].iter().any(|name| stem.eq_ignore_ascii_case(name))
        || numbered("com")
        || numbered("lpt")
}

impl fmt::Display for MemoryPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl AsRef<str> for MemoryPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for MemoryPath {
    type Error = PathError;
    fn try_from(path: String) -> Result<Self, PathError> {
        Self::new(path)
    }
}

impl TryFrom<&str> for MemoryPath {
    type Error = PathError;
    fn try_from(path: &str) -> Result<Self, PathError> {
        Self::new(path)
    }
}

impl From<MemoryPath> for String {
    fn from(path: MemoryPath) -> Self {
        path.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_and_non_latin_names_are_accepted() {
        for path in [
            "MEMORY.md",
            "memory/2026-02-01.md",
            "memory/graph/entities/person--지민.md",
            "notes/a b.md",
            "console.md",
        ] {
            assert_eq!(MemoryPath::new(path).unwrap().as_str(), path);
        }
    }

    #[test]
    fn whatever_could_leave_the_workspace_is_refused() {
        for path in [
            "",
            "/etc/passwd",
            "..",
            "a/../b",
            "./a",
            "a//b",
            "a/",
            "C:/x",
            "\\\\host\\x",
            "a\\..\\b",
            ".git/config",
            "a/.GIT/x",
            "a/.git ./x",
            "git~1/x",
            ".rem/redo.log",
            "NUL",
            "a/com1.md",
            "a/aux.txt",
            "a\nb",
            "a\0b",
        ] {
            assert!(MemoryPath::new(path).is_err(), "{path:?} was accepted");
        }
        assert!(MemoryPath::new("x".repeat(256)).is_err());
    }

    #[test]
    fn a_folder_contains_its_files_but_not_its_namesakes() {
        let path = MemoryPath::new("memory/episodes/a.md").unwrap();
        assert!(path.is_under("memory") && path.is_under("memory/") && path.is_under(""));
        assert!(!path.is_under("mem") && !path.is_under("memory/ep"));
    }
}
