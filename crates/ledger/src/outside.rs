//! What was changed without us: a person's editor, an agent's file tool, a host.
//!
//! Found by a survey (`survey.rs`) and committed as `manual`. Transcripts are the exception: open ones are ours alone, and a closed one that differs is evidence of tampering that verification names
//! and nobody commits.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use rem_format::audit::{Action, Actor, AuditLine};
use rem_format::path::MemoryPath;

use crate::audit_log::AuditQuery;
use crate::change::{FileChange, Provenance};
use crate::described::NOTES;
use crate::error::LedgerError;
use crate::files;
use crate::layout::Store;
use crate::ledger::Ledger;

/// A path that a person staged, with its new contents; `None` where it is removed.
pub type StagedChange = (MemoryPath, Option<Vec<u8>>);

/// What another program made of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideChange {
    /// The commit that keeps it.
    pub commit: String,
    /// What the file held before; `None` where there was none.
    pub before: Option<Vec<u8>>,
    /// What it holds since; `None` where it was removed.
    pub after: Option<Vec<u8>>,
}

/// What the audit log says of a change made outside.
pub(crate) fn outside_summary(action: Action) -> &'static str {
    match action {
        Action::Delete => "removed outside",
        Action::Create => "added outside",
        _ => "edited outside",
    }
}

/// Whether a line is of a change made outside; before what it says stands what a critical file is marked with.
fn is_outside(line: &AuditLine) -> bool {
    line.actor == Actor::Manual && line.summary.ends_with(outside_summary(line.action))
}

/// Where the repository stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepositoryState {
    /// The newest commit, in hexadecimal.
    pub head: Option<String>,
    /// The branch; `None` when HEAD is detached.
    pub branch: Option<String>,
}

impl Ledger {
    /// Commits every change made outside as `manual`; gives what changed.
    ///
    /// # Errors
    /// As entering the door; a file that cannot be read is left for the next time and said on the log.
    pub fn commit_outside_changes(&self) -> Result<Vec<FileChange>, LedgerError> {
        self.commit_outside_changes_as("changed outside")
    }

    /// As [`Self::commit_outside_changes`], with another trigger.
    ///
    /// # Errors
    /// The same.
    pub fn commit_outside_changes_as(&self, trigger: &str) -> Result<Vec<FileChange>, LedgerError> {
        // Looking first without the door: most often there is nothing.
        if self.survey()?.outside.is_empty() {
            return Ok(Vec::new());
        }
        let mut inside = self.enter()?;
        self.with_repository(|repository| {
            repository.check_ready()?;
            let head = repository.head()?;
            let mut outside = Vec::new();
            for path in self.survey()?.outside {
                let at = match files::locate(&self.root, &path) {
                    Ok(at) => at,
                    Err(error) => {
                        tracing::warn!("{error}: it is not kept in history");
                        continue;
                    }
                };
                let contents = files::read(&at)?;
                let committed = match head {
                    Some(head) => repository.blob_at(head, &path)?,
                    None => None,
                };
                let current = contents.as_deref().map(|contents| repository.blob_id(contents)).transpose()?;
                if current != committed {
                    outside.push((path, contents, committed));
                }
            }
            self.commit_outside(&mut inside, repository, outside, trigger)
        })
    }

    /// What another program did to a file last, committed or not, if that was not before `since` and nothing changed the file after it. Whatever was
    /// changed outside is committed first, so that it stays in history whatever becomes of the file.
    ///
    /// # Errors
    /// As [`Self::commit_outside_changes`], or [`LedgerError::Git`] when history cannot be read.
    pub fn changed_outside(
        &self,
        path: &MemoryPath,
        since: Timestamp,
    ) -> Result<Option<OutsideChange>, LedgerError> {
        self.commit_outside_changes()?;
        let of_file = AuditQuery { file: Some(path.to_string()), ..AuditQuery::default() };
        let lines = self.audit(&of_file)?;
        let is_adopted = lines.iter().rfind(|line| line.action != Action::Alert).is_some_and(is_outside);
        let mut entries = self.log(&["-50", "HEAD", "--", path.as_str()])?.into_iter().peekable();
        let Some(entry) = entries.next().filter(|entry| entry.time >= since) else { return Ok(None) };
        if !is_adopted && !self.is_foreign(&entry.commit)? {
            return Ok(None);
        }
        // What was committed past us at one go goes back at one go.
        let mut first = entry.commit.clone();
        while let Some(earlier) = entries.next_if(|earlier| since > Timestamp::MIN && earlier.time >= since) {
            if !self.is_foreign(&earlier.commit)? {
                break;
            }
            first = earlier.commit;
        }
        let before = match self.snapshot(&format!("{first}^")) {
            Ok(before) => self.contents_in(&before, path)?,
            Err(LedgerError::UnknownRevision(_)) => None,
            Err(error) => return Err(error),
        };
        let after = self.contents_at(&entry.commit, path)?;
        Ok(Some(OutsideChange { commit: entry.commit, before, after }))
    }

    /// The files that other programs changed, not before the minute of `since`. Whatever was changed outside is committed first.
    ///
    /// # Errors
    /// As [`Self::commit_outside_changes`].
    pub fn all_changed_outside(&self, since: Timestamp) -> Result<Vec<MemoryPath>, LedgerError> {
        self.commit_outside_changes()?;
        // Lines have the minute.
        let since = since - SignedDuration::from_secs(60);
        let lines = self.audit(&AuditQuery { since: Some(since), ..AuditQuery::default() })?;
        let outside = lines.into_iter().filter(is_outside);
        let mut paths: BTreeSet<MemoryPath> =
            outside.filter_map(|line| MemoryPath::new(line.file).ok()).collect();
        for entry in self.log(&["--name-only", &format!("--since=@{}", since.as_second()), "HEAD"])? {
            if entry.time >= since && self.is_foreign(&entry.commit)? {
                paths.extend(entry.files.into_iter().filter_map(|file| MemoryPath::new(file).ok()));
            }
        }
        Ok(paths.into_iter().collect())
    }

    /// Whether a commit is none of this program's.
    fn is_foreign(&self, commit: &str) -> Result<bool, LedgerError> {
        self.with_repository(|repository| {
            let id = repository.resolve(commit)?;
            Ok(repository.commit_info(id)?.structured().is_none())
        })
    }

    /// What a person is about to commit: paths with their staged contents, `None` for removed ones. `index` is the one that
    /// git names to its hooks: `git commit -a` and `git commit PATH` commit from an index of their own.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when git cannot be asked.
    pub fn staged(&self, index: Option<&Path>) -> Result<Vec<StagedChange>, LedgerError> {
        let program = self.program().with_index(index);
        let names =
            program.run("read what is staged", &["diff", "--cached", "--name-only", "-z", "--no-renames"])?;
        let mut staged = Vec::new();
        for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
            let path = MemoryPath::new(String::from_utf8_lossy(name).into_owned())?;
            // What is not in the index any more was removed.
            let contents =
                program.run("read what is staged", &["cat-file", "blob", &format!(":{path}")]).ok();
            staged.push((path, contents));
        }
        Ok(staged)
    }

    /// Pushes the branch and the memory tags to a remote (A3.2).
    ///
    /// # Errors
    /// [`LedgerError::Git`] with what git said.
    pub fn push(&self, remote: &str) -> Result<(), LedgerError> {
        let what = format!("push to {remote}");
        let program = self.program();
        program.run(&what, &["push", "--quiet", remote, "HEAD", "refs/tags/memory/*:refs/tags/memory/*"])?;
        // Notes of several clones are no history that has to agree: theirs stay where they were first.
        if program.run("look for notes", &["rev-parse", "--verify", "--quiet", NOTES]).is_ok()
            && let Err(error) = program.run(&what, &["push", "--quiet", remote, NOTES])
        {
            tracing::info!("what was said of commits stays here: {error}");
        }
        Ok(())
    }

    /// Brings the audit log up to commits that git programs made. Open alerts whose commits they took out of the history are raised again.
    ///
    /// # Errors
    /// As entering the door.
    pub fn catch_up(&self) -> Result<(), LedgerError> {
        let mut inside = self.enter()?;
        self.with_repository(|repository| {
            self.catch_up_audit(repository)?;
            let lost = self.lost_alerts();
            if lost.is_empty() {
                return Ok(());
            }
            let now = self.clock.now();
            let provenance = Provenance::system("audit", "alerts that were taken out of the history");
            let raised = lost.into_iter().map(|alert| AuditLine { time: now, ..alert }).collect();
            self.carry_out_event(&mut inside, repository, raised, &provenance)?;
            self.forget_lost_alerts()
        })
    }

    /// Refuses where git is in the middle of something, or on no branch.
    ///
    /// # Errors
    /// [`LedgerError::RepositoryBusy`] or [`LedgerError::DetachedHead`].
    pub fn check_ready(&self) -> Result<(), LedgerError> {
        self.with_repository(|repository| repository.check_ready())
    }

    /// Where the repository stands.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when git cannot be asked.
    pub fn repository_state(&self) -> Result<RepositoryState, LedgerError> {
        // Two small files say it nearly always; opening the repository takes longer than the rest of a short command.
        let git_folder = crate::git::git_folder_of(&self.root, &self.options.git_folder);
        let line = |name: &str| {
            std::fs::read_to_string(git_folder.join(name)).ok().map(|text| text.trim().to_owned())
        };
        let name = line("HEAD").and_then(|head| Some(head.strip_prefix("ref: ")?.to_owned()));
        if let Some(name) = name
            && let Some(head) = line(&name).filter(|id| id.len() == 40)
        {
            let branch = name.strip_prefix("refs/heads/").map(str::to_owned);
            return Ok(RepositoryState { head: Some(head), branch });
        }
        let (head, branch) =
            self.with_repository(|repository| Ok((repository.head()?, repository.branch())))?;
        Ok(RepositoryState { head: head.map(|id| id.to_string()), branch })
    }

    /// Whether a transcript is still being written: it lies in the store and its front matter has no `ended`.
    pub(crate) fn is_open_transcript(&self, path: &MemoryPath, contents: Option<&[u8]>) -> bool {
        self.is_transcript(path) && contents.is_some_and(|contents| !has_ended(contents))
    }

    /// Whether a transcript is closed and may not change any more.
    pub(crate) fn is_sealed(&self, path: &MemoryPath, contents: Option<&[u8]>) -> bool {
        self.is_transcript(path) && contents.is_some_and(has_ended)
    }

    pub(crate) fn is_transcript(&self, path: &MemoryPath) -> bool {
        path.is_under(self.options.layout.path(Store::Transcripts).as_str()) && path.as_str().ends_with(".md")
    }

    /// Whether there is a transcript at that path and it is still being written. An empty file is none yet: who makes one gives it its
    /// front matter at once, or died before that.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be read.
    pub fn is_open(&self, path: &MemoryPath) -> Result<bool, LedgerError> {
        let at = files::locate(&self.root, path)?;
        Ok(self.is_transcript(path)
            && files::read_head(&at)?.is_some_and(|head| !head.is_empty() && !has_ended(&head)))
    }

    /// Every transcript on disk, open ones included, in path order.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when a folder cannot be read.
    pub fn transcripts(&self) -> Result<Vec<MemoryPath>, LedgerError> {
        let folder = self.options.layout.path(Store::Transcripts);
        let mut pending: Vec<(PathBuf, String)> = vec![(self.root.join(folder.as_str()), folder.to_string())];
        let mut found = Vec::new();
        while let Some((at, prefix)) = pending.pop() {
            let entries = match std::fs::read_dir(&at) {
                Ok(entries) => entries,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(source) => return Err(LedgerError::Io { what: "read", path: at, source }),
            };
            for entry in entries {
                let entry = entry.map_err(LedgerError::io("read", &at))?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let kind = entry.file_type().map_err(LedgerError::io("look at", entry.path()))?;
                let path = format!("{prefix}/{name}");
                if kind.is_dir() {
                    pending.push((entry.path(), path));
                } else if kind.is_file() && name.ends_with(".md") {
                    found.extend(MemoryPath::new(path).ok());
                }
            }
        }
        found.sort();
        Ok(found)
    }
}

/// Whether the front matter of a transcript has an `ended` key.
pub(crate) fn has_ended(contents: &[u8]) -> bool {
    let mut lines =
        contents.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.next().is_some_and(|first| first == b"---")
        && lines.take_while(|line| *line != b"---").any(|line| line.starts_with(b"ended:"))
}
