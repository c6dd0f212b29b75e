//! Finding: which files are searched, what each is called, and the one `recall` over them.

use std::path::Path;
use std::time::SystemTime;

use rem_format::path::MemoryPath;
use rem_ledger::{Layout, Store};
use rem_recall::{Answer, Index, Label, Progress, Query, Refreshed, SourceFile, Sources};

use crate::error::MemoryError;
use crate::memory::Memory;

/// Folders that hold no memory: the repository, our own state, scratch space.
const SKIPPED_FOLDERS: [&str; 5] = [".git", ".rem", "scratch", "tmp", "node_modules"];

impl Memory {
    /// Searches knowledge and conversations (A7). The index is brought up to date first; where there can be none the files
    /// themselves are read. `observed_at` is the machine's own time, which file times are compared with.
    ///
    /// # Errors
    /// [`MemoryError::Search`] when a filter is wrong.
    pub fn recall(
        &self,
        query: &Query,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Answer, MemoryError> {
        let files = self.searchable_files()?;
        let label = |path: &str| self.label(path);
        let sources = Sources { files: &files, label: &label, labels: self.labels(), observed_at };
        let (mut answer, refreshed) =
            self.recall_with_embedder(&sources, query, progress).map_err(rem_recall::SearchError::from)?;
        for notice in refreshed.iter().flat_map(|refreshed| &refreshed.notices) {
            tracing::warn!("{notice}");
        }
        // A page of headings and comments answers nothing; the title of a conversation at least says which one it is.
        answer.results.retain(|hit| hit.category == "conversation" || !is_blank(&hit.text));
        Ok(answer)
    }

    /// Brings the index up to date; from nothing when `force` is set.
    ///
    /// # Errors
    /// [`MemoryError::Search`] when there can be no index here.
    pub fn index(
        &self,
        force: bool,
        observed_at: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Refreshed, MemoryError> {
        let mut index =
            Index::open(&self.index_path(), self.passage_tokens()).map_err(rem_recall::SearchError::from)?;
        if force {
            index.reset().map_err(rem_recall::SearchError::from)?;
        }
        let files = self.searchable_files()?;
        let label = |path: &str| self.label(path);
        let sources = Sources { files: &files, label: &label, labels: self.labels(), observed_at };
        Ok(index.refresh(&sources, progress).map_err(rem_recall::SearchError::from)?)
    }

    /// A number for what labels depend on: the layout.
    fn labels(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(&format!("{:?}", self.ledger.layout()), &mut hasher);
        std::hash::Hasher::finish(&hasher)
    }

    pub(crate) fn index_path(&self) -> std::path::PathBuf {
        self.ledger.root().join("memory.db")
    }

    pub(crate) fn passage_tokens(&self) -> usize {
        usize::try_from(self.config.search.passage_tokens).unwrap_or(usize::MAX)
    }

    /// Every Markdown file of the workspace, in path order. Symbolic links are not followed.
    pub(crate) fn searchable_files(&self) -> Result<Vec<SourceFile>, MemoryError> {
        let mut files = Vec::new();
        walk(self.ledger.root(), "", &mut files)?;
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }

    fn label(&self, path: &str) -> Label {
        let Ok(path) = MemoryPath::new(path) else { return Label::default() };
        let layout = self.ledger.layout();
        Label {
            category: layout.category(&path).to_owned(),
            tier: tier(layout, &path).to_owned(),
            id: memory_id(layout, &path),
            facets: Vec::new(),
        }
    }
}

/// S's tier of a file: identity T0, undated T1, dated T2.
pub(crate) fn tier(layout: &Layout, path: &MemoryPath) -> &'static str {
    match layout.store_of(path) {
        Some(Store::Soul | Store::IdentityCard) => "T0",
        _ if rem_recall::date_of_path(path.as_str()).is_some() => "T2",
        _ => "T1",
    }
}

/// The id of a file that is one memory.
fn memory_id(layout: &Layout, path: &MemoryPath) -> Option<String> {
    let stem = path.file_name().strip_suffix(".md")?;
    match layout.store_of(path)? {
        Store::Entities => Some(format!("entity:{stem}")),
        Store::Procedures => Some(format!("procedure:{stem}")),
        Store::Topics => Some(format!("topic:{stem}")),
        _ => None,
    }
}

fn walk(folder: &Path, prefix: &str, files: &mut Vec<SourceFile>) -> Result<(), MemoryError> {
    let read = |source| MemoryError::Read { path: folder.to_path_buf(), source };
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let Ok(entry) = entry else { continue };
        // A name that is not UTF-8 is in no audit line and no commit; verification names it.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Ok(kind) = entry.file_type() else { continue };
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        if kind.is_dir() {
            if !SKIPPED_FOLDERS.contains(&name.as_str()) {
                // A folder that vanished or is closed to us takes nothing else with it.
                if let Err(error) = walk(&entry.path(), &path, files) {
                    tracing::warn!("{error}");
                }
            }
        } else if kind.is_file() && name.ends_with(".md") {
            files.extend(SourceFile::at(path, entry.path()));
        }
    }
    Ok(())
}

/// Whether a text says nothing: headings and comments alone.
pub(crate) fn is_blank(text: &str) -> bool {
    let mut in_comment = false;
    text.lines().all(|line| {
        let line = line.trim();
        let begins = line.starts_with("<!--");
        let silent = line.is_empty() || line.starts_with('#') || in_comment || begins;
        if begins {
            in_comment = true;
        }
        if line.contains("-->") {
            in_comment = false;
        }
        silent
    })
}

#[cfg(test)]
mod tests {
    use super::is_blank;

    #[test]
    fn a_page_of_headings_and_comments_says_nothing() {
        assert!(is_blank("# Soul\n\n<!-- one\ntwo -->\n\n## More\n"));
        assert!(!is_blank("# Soul\n<!-- x --> \nI am kind.\n"));
    }
}
