//! Where the data sets lie: outside the project, which never holds a copy.
//!
//! Only paths are made here; whether a file is there is asked where it is read.

use std::path::{Path, PathBuf};

/// The folder of the data sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFolder(PathBuf);

impl DataFolder {
    /// A folder that was named.
    #[must_use]
    pub fn named(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// `../shared/data` beside the project, or one level further up for a worktree among several.
    #[must_use]
    pub fn beside_the_project() -> Self {
        let evals = Path::new(env!("CARGO_MANIFEST_DIR"));
        let project = evals.parent().unwrap_or(evals);
        let beside = ["..", "../.."].map(|up| project.join(up).join("shared/data"));
        let there = beside.iter().find(|folder| folder.is_dir());
        Self(there.unwrap_or(&beside[0]).clone())
    }

    /// The file at `path` below it, where there is one; else the message that it is skipped.
    ///
    /// # Errors
    /// The message.
    pub fn file(&self, path: &str) -> Result<PathBuf, String> {
        let at = self.0.join(path);
        if at.is_file() { Ok(at) } else { Err(format!("there is no {}", at.display())) }
    }

    /// The JSON-lines files in a folder below it, in order of their names.
    #[must_use]
    pub fn lines_files(&self, folder: &str) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.0.join(folder)).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| path.is_file() && path.extension().is_some_and(|ending| ending == "jsonl"))
            .collect();
        files.sort();
        files
    }
}
