//! What differs from the last commit, found without a git process where nothing has changed.
//!
//! One walk over the files is compared with git's index, and the index with HEAD. What that leaves in doubt (a changed or new
//! file, rules or formats that are git's business) is asked of `git status`, by path while it is little. The answer is always
//! the one that `git status` would give.

use std::sync::Arc;

use rem_format::path::MemoryPath;

use crate::error::LedgerError;
use crate::git::{Doubt, Ignore, Tracked, Verdict, git_folder_of, may_convert};
use crate::layout::Store;
use crate::ledger::Ledger;
use crate::walk::Listing;

/// More paths than this are not asked about one by one.
const FEW: usize = 64;
/// Files whose bytes are compared at most, and the length of one.
const MAX_HASHED: usize = 256;
const MAX_HASHED_BYTES: u64 = 1 << 20;

/// What differs from the last commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// Files changed outside, without transcripts.
    pub outside: Vec<MemoryPath>,
    /// Transcripts still being written, oldest first.
    pub open: Vec<MemoryPath>,
}

/// What was found out without git.
#[derive(Debug, Default, PartialEq, Eq)]
struct Look {
    /// Untracked files that lie where transcripts do.
    transcripts: Vec<String>,
    /// Paths that only git can judge.
    doubtful: Vec<String>,
    /// Whether commit, index and tracked files agree, and it took more than their stat data to see it.
    is_new_and_clean: bool,
}

impl Ledger {
    /// What differs from the last commit, in one look: files changed outside, and transcripts still being written.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when git cannot be asked.
    pub fn survey(&self) -> Result<Survey, LedgerError> {
        self.survey_and_list().map(|(survey, _)| survey)
    }

    /// As [`Self::survey`], with the files as they were found on the way.
    ///
    /// # Errors
    /// The same, and as [`Self::list`].
    pub fn survey_and_list(&self) -> Result<(Survey, Arc<Listing>), LedgerError> {
        let (listing, tracked) = std::thread::scope(|scope| {
            let walk = scope.spawn(|| self.list());
            let tracked = self.tracked_as_committed();
            (walk.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), tracked)
        });
        let listing = listing?;
        let look = tracked.as_ref().and_then(|tracked| self.look(tracked, &listing));
        let (names, is_new_and_clean) = match look {
            Some(Look { mut transcripts, doubtful, is_new_and_clean }) => {
                if !doubtful.is_empty() {
                    transcripts.extend(self.changed_names(&doubtful)?);
                }
                (transcripts, is_new_and_clean)
            }
            None => {
                let names = self.changed_names(&[])?;
                let is_clean = names.is_empty();
                (names, is_clean)
            }
        };
        if let Some(tracked) = tracked.filter(|_| is_new_and_clean) {
            tracked.remember(self);
        }
        let folder = self.options.layout.path(Store::Transcripts).as_str();
        let mut survey = Survey::default();
        for name in names {
            match MemoryPath::new(name) {
                Ok(path) if path.is_under(folder) => {
                    if self.is_open(&path)? {
                        survey.open.push(path);
                    }
                }
                Ok(path) => survey.outside.push(path),
                Err(error) => tracing::warn!("{error}: it is not kept in history"),
            }
        }
        survey.open.sort();
        Ok((survey, listing))
    }

    /// The index, if it can be read here and nothing is staged.
    fn tracked_as_committed(&self) -> Option<Tracked> {
        let tracked = match Tracked::read(self) {
            Ok(tracked) => tracked,
            Err(error) => {
                tracing::debug!("git's index is left to git: {error:?}");
                return None;
            }
        };
        if tracked.is_known() {
            return Some(tracked);
        }
        let agrees = self.with_repository(|repository| {
            if repository.needs_git_to_compare() || !tracked.is_of(repository.head()?) {
                return Ok(false);
            }
            tracked.with_entries(|entries| repository.agrees_with_index(entries)).unwrap_or(Ok(false))
        });
        agrees.unwrap_or(false).then_some(tracked)
    }

    /// Compares the files with the index. `None` where git has to look at everything.
    fn look(&self, tracked: &Tracked, listing: &Listing) -> Option<Look> {
        let git_folder = git_folder_of(&self.root, &self.options.git_folder);
        let mut ignore = Ignore::new(&self.root, &git_folder);
        let is_passed_over = |path: &String| {
            path == ".git" || !path.ends_with("/.git") && ignore.verdict(path, true) == Verdict::Ignored
        };
        if !listing.unread.is_empty() || !listing.skipped.iter().all(is_passed_over) {
            return None;
        }
        let mut look = Look::default();
        let compared = tracked.with_entries(|entries| {
            let compared = tracked.compare(entries, listing)?;
            let is_new = !tracked.is_known() || !compared.doubtful.is_empty();
            let doubtful = self.still_doubtful(compared.doubtful, listing)?;
            Some((compared.untracked, is_new && doubtful.is_empty(), doubtful))
        });
        let (untracked, is_new_and_clean, doubtful) = compared.ok().flatten()?;
        look.is_new_and_clean = is_new_and_clean;
        look.doubtful = doubtful;
        let transcripts = format!("{}/", self.options.layout.path(Store::Transcripts));
        for path in untracked {
            match ignore.verdict(path, false) {
                Verdict::Ignored => {}
                // An open transcript is one whatever a person ignores everywhere.
                Verdict::Kept if path.starts_with(&transcripts) => look.transcripts.push(path.to_owned()),
                Verdict::Kept | Verdict::Unclear => look.doubtful.push(path.to_owned()),
            }
        }
        (look.doubtful.len() <= FEW).then_some(look)
    }

    /// Takes out the files whose bytes are as recorded. `None` where there are too many to look at.
    fn still_doubtful(&self, doubtful: Vec<Doubt<'_>>, listing: &Listing) -> Option<Vec<String>> {
        if doubtful.is_empty() {
            return Some(Vec::new());
        }
        if doubtful.len() > MAX_HASHED {
            return None;
        }
        let git_folder = git_folder_of(&self.root, &self.options.git_folder);
        let may_convert = may_convert(&self.root, &git_folder, listing);
        let is_clean = |doubt: &Doubt<'_>| {
            doubt.is_same_kind && !may_convert && is_text(doubt.path) && self.is_recorded(doubt)
        };
        Some(
            doubtful
                .into_iter()
                .filter(|doubt| !is_clean(doubt))
                .map(|doubt| doubt.path.to_owned())
                .collect(),
        )
    }

    fn is_recorded(&self, doubt: &Doubt<'_>) -> bool {
        let at = self.root.join(doubt.path);
        let is_short = std::fs::symlink_metadata(&at)
            .is_ok_and(|found| found.is_file() && found.len() <= MAX_HASHED_BYTES);
        let Some(contents) = is_short.then(|| std::fs::read(&at).ok()).flatten() else { return false };
        // Without this byte there are no line ends to convert, whatever a person has set everywhere.
        !contents.contains(&b'\r')
            && crate::git::blob_id(&contents).is_ok_and(|blob| blob.as_bytes() == doubt.blob)
    }

    /// Names that git's status reports, as they are on disk, of these paths or of all; those that are not UTF-8 are said and left
    /// out.
    pub(crate) fn changed_names(&self, paths: &[String]) -> Result<Vec<String>, LedgerError> {
        let mut arguments = vec![
            "--no-optional-locks",
            "--literal-pathspecs",
            "status",
            "--porcelain=v1",
            "-z",
            "--untracked-files=all",
            "--no-renames",
            "--ignore-submodules=all",
            "--",
        ];
        arguments.extend(paths.iter().map(String::as_str));
        let output = self.program().run("look for changes", &arguments)?;
        let mut names = Vec::new();
        for entry in output.split(|byte| *byte == 0).filter(|entry| entry.len() > 3) {
            match std::str::from_utf8(&entry[3..]) {
                Ok(name) if name.ends_with('/') => {}
                Ok(name) => names.push(name.to_owned()),
                Err(_) => tracing::warn!(
                    "{:?} has a name that is not UTF-8: it is not kept in history",
                    String::from_utf8_lossy(&entry[3..])
                ),
            }
        }
        Ok(names)
    }
}

/// Names of files that nobody sets up a conversion for everywhere.
fn is_text(path: &str) -> bool {
    [".md", ".gitignore", ".gitattributes"].iter().any(|end| path.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FixedClock, LedgerOptions};

    /// What a look finds without git.
    fn look(ledger: &Ledger) -> Look {
        let tracked = ledger.tracked_as_committed().unwrap();
        let listing = ledger.list().unwrap();
        ledger.look(&tracked, &listing).unwrap()
    }

    #[test]
    fn git_is_asked_about_what_changed_and_about_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::new("2026-03-01T12:00:00Z".parse().unwrap()));
        let files = [("MEMORY.md", "# Core\n"), ("a/b.md", "b\n")]
            .map(|(path, text)| (MemoryPath::new(path).unwrap(), text.to_owned()));
        let (ledger, _) = Ledger::init(folder.path(), LedgerOptions::default(), clock, &files).unwrap();
        let write = |path: &str, text: &str| {
            let at = folder.path().join(path);
            crate::files::create_parents(&at).unwrap();
            crate::files::write_hint(&at, text.as_bytes()).unwrap();
        };
        // Written in the second of the index: the bytes decide, and it is remembered that they did.
        assert!(look(&ledger).is_new_and_clean);
        assert_eq!(ledger.survey().unwrap(), Survey::default());
        assert!(ledger.read_private("agreed").is_some());

        write("memory.db", "ignored");
        write("secrets/key.md", "ignored");
        write("a/b.md", "b\n");
        assert_eq!(look(&ledger).doubtful, [""; 0]);

        let transcripts = ledger.layout().path(Store::Transcripts);
        write(&format!("{transcripts}/open.md"), "---\nsession: x\n---\n");
        write("a/b.md", "c\n");
        write("new.md", "new");
        let found = look(&ledger);
        assert_eq!(found.doubtful, ["a/b.md", "new.md"]);
        assert_eq!(found.transcripts, [format!("{transcripts}/open.md")]);
        let survey = ledger.survey().unwrap();
        assert_eq!((survey.outside.len(), survey.open.len()), (2, 1));
    }
}
