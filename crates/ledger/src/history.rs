//! Memory questions that git answers (A3.6): when did I learn X, where is this from, what changed, what did it say then.

use jiff::Timestamp;
use rem_format::path::MemoryPath;
use serde::Serialize;

use crate::alert::departure;
use crate::described::{NOTES, words_of};
use crate::error::LedgerError;
use crate::ledger::Ledger;

/// One commit in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryEntry {
    /// The commit.
    pub commit: String,
    /// When it was made.
    pub time: Timestamp,
    /// Who made it, as an audit actor or a git author.
    pub actor: String,
    /// Its first line.
    pub summary: String,
    /// What a model said of it afterwards, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub described: Option<String>,
    /// The session it came from.
    pub session: Option<String>,
    /// The files in question.
    pub files: Vec<String>,
}

/// Where one line of a file comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineOrigin {
    /// The line, from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
    /// The commit that brought it.
    pub origin: HistoryEntry,
}

/// What changed in one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The file.
    pub path: String,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// The unified difference.
    pub patch: String,
}

const FORMAT: &str =
    "--format=%x01%H%x02%at%x02%an%x02%s%x02%(trailers:key=Session,valueonly,separator=%x20)%x02%N%x02";

/// The files of one commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot {
    tree: gix::ObjectId,
}

impl Ledger {
    /// What `find` gives of the newest version of a file that it finds something in, merged histories included.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when the history cannot be read.
    pub fn first_in_history<T>(
        &self,
        path: &MemoryPath,
        find: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<Option<T>, LedgerError> {
        Ok(self.first_version(path, find)?.map(|(_, found)| found))
    }

    /// The same, with the commit of that version.
    ///
    /// # Errors
    /// As [`Self::first_in_history`].
    pub fn first_version<T>(
        &self,
        path: &MemoryPath,
        find: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<Option<(String, T)>, LedgerError> {
        const MOST: &str = "--max-count=2000";
        let arguments = ["log", "--full-history", MOST, "--format=%H", "HEAD", "--", path.as_str()];
        let commits = self.program().text("read a file's history", &arguments)?;
        for commit in commits.lines() {
            if let Some(found) = self.contents_at(commit, path)?.as_deref().and_then(&find) {
                return Ok(Some((commit.to_owned(), found)));
            }
        }
        Ok(None)
    }

    /// The commits that brought `text` in or took it out, oldest first; transcripts included.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when history cannot be searched.
    pub fn when_learned(&self, text: &str) -> Result<Vec<HistoryEntry>, LedgerError> {
        let pickaxe = format!("-S{text}");
        self.log(&["--reverse", "--name-only", &pickaxe])
    }

    /// The commits since a moment, newest first, each with its files.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when history cannot be read.
    pub fn commits_since(&self, since: Timestamp) -> Result<Vec<HistoryEntry>, LedgerError> {
        let mut commits = self.log(&["--name-only", "--no-renames"])?;
        commits.retain(|commit| commit.time >= since);
        Ok(commits)
    }

    /// Where the lines of a file come from; one line, or all.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when the file is not in history or has no such line.
    pub fn origin(&self, path: &MemoryPath, line: Option<usize>) -> Result<Vec<LineOrigin>, LedgerError> {
        let range = line.map(|line| format!("-L{line},{line}"));
        let mut arguments = vec!["blame", "--porcelain"];
        arguments.extend(range.as_deref());
        arguments.extend(["HEAD", "--", path.as_str()]);
        let text = self.program().text(&format!("find the origin of {path}"), &arguments)?;
        let mut commits = std::collections::HashMap::new();
        let mut found = Vec::new();
        let mut current = (String::new(), 0);
        for row in text.lines() {
            if let Some(contents) = row.strip_prefix('\t') {
                found.push((current.0.clone(), current.1, contents.to_owned()));
            } else if let [id, _, line, ..] = row.split(' ').collect::<Vec<_>>()[..]
                && id.len() == 40
                && id.bytes().all(|byte| byte.is_ascii_hexdigit())
            {
                current = (id.to_owned(), line.parse().unwrap_or(0));
            }
        }
        found
            .into_iter()
            .map(|(commit, line, text)| {
                let origin = match commits.get(&commit) {
                    Some(origin) => HistoryEntry::clone(origin),
                    None => {
                        let origin = self
                            .log(&["-1", &commit])?
                            .pop()
                            .ok_or_else(|| LedgerError::UnknownRevision(commit.clone()))?;
                        commits.insert(commit.clone(), origin.clone());
                        origin
                    }
                };
                Ok(LineOrigin { line, text, origin })
            })
            .collect()
    }

    /// What changed from the state at `since` to now, file by file; transcripts left out.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when history cannot be compared.
    pub fn changed_since(&self, since: Timestamp) -> Result<Vec<Difference>, LedgerError> {
        let base = self.with_repository(|repository| repository.at_time(since))?;
        let base = base.map_or_else(
            || gix::ObjectId::empty_tree(gix::hash::Kind::Sha1).to_string(),
            |id| id.to_string(),
        );
        let exclude =
            format!(":(exclude,top){}", self.options.layout.path(crate::layout::Store::Transcripts));
        let program = self.program();
        let numbers = program.text(
            "compare",
            &["diff", "--numstat", "-z", "--no-renames", &base, "HEAD", "--", ".", &exclude],
        )?;
        let mut differences = Vec::new();
        for row in numbers.split('\0').filter(|row| !row.is_empty()) {
            let mut fields = row.splitn(3, '\t');
            let (Some(added), Some(removed), Some(path)) = (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let patch = program
                .text("compare", &["diff", "--no-renames", "--no-color", &base, "HEAD", "--", path])?;
            differences.push(Difference {
                path: path.to_owned(),
                added: added.parse().unwrap_or(0),
                removed: removed.parse().unwrap_or(0),
                patch,
            });
        }
        Ok(differences)
    }

    /// What became of a file since the minute of a moment, as git compares it without lines around; nothing where it did not change since.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when history cannot be compared.
    pub fn changed_in_since(
        &self,
        path: &MemoryPath,
        since: Timestamp,
    ) -> Result<Option<Difference>, LedgerError> {
        let entries = self.log(&["-100", "HEAD", "--", path.as_str()])?;
        let minute = |time: Timestamp| time.as_second().div_euclid(60);
        let Some(first) = entries.iter().rfind(|entry| minute(entry.time) >= minute(since)) else {
            return Ok(None);
        };
        let empty = gix::ObjectId::empty_tree(gix::hash::Kind::Sha1).to_string();
        let parent = format!("{}^", first.commit);
        let base = self.with_repository(|repository| repository.resolve(&parent));
        let base = base.map_or(empty, |base| base.to_string());
        let arguments = [
            "diff",
            "--no-renames",
            "--no-color",
            "--no-ext-diff",
            "-U0",
            &base,
            "HEAD",
            "--",
            path.as_str(),
        ];
        let patch = self.program().text("compare", &arguments)?;
        let begins = |sign: char| {
            let body = patch.lines().skip_while(|line| !line.starts_with("@@"));
            body.filter(|line| line.starts_with(sign)).count() as u64
        };
        let (added, removed) = (begins('+'), begins('-'));
        Ok((added + removed > 0).then(|| Difference { path: path.to_string(), added, removed, patch }))
    }

    /// The files that moved, newest first: from where, to where. A person's move counts where nearly all of the contents stayed.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when history cannot be searched.
    pub fn moves(&self) -> Result<Vec<(String, String)>, LedgerError> {
        let found = self.program().text(
            "look for moved files",
            &["log", "--format=", "--name-status", "-z", "-M70%", "--diff-filter=R", "HEAD"],
        )?;
        let mut fields = found.split('\0').map(|field| field.trim_start_matches('\n'));
        let mut moves = Vec::new();
        while let Some(status) = fields.next() {
            if status.starts_with('R')
                && let (Some(from), Some(to)) = (fields.next(), fields.next())
            {
                moves.push((from.to_owned(), to.to_owned()));
            }
        }
        Ok(moves)
    }

    /// What a file said at a commit, tag or branch; `None` if it was not there.
    ///
    /// # Errors
    /// [`LedgerError::UnknownRevision`] for a revision git does not know.
    pub fn contents_at(&self, revision: &str, path: &MemoryPath) -> Result<Option<Vec<u8>>, LedgerError> {
        self.contents_in(&self.snapshot(revision)?, path)
    }

    /// The commits of people, oldest first, each with the files it changed: made in an editor or with git, and not by the program.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when history cannot be read.
    pub fn made_by_hand(&self) -> Result<Vec<HistoryEntry>, LedgerError> {
        let mut commits = self.log(&[
            "--reverse",
            "--name-only",
            "--no-renames",
            "--invert-grep",
            "--grep=^Type: extract$",
            "--grep=^Trigger: rem rollback",
        ])?;
        let is_program = |actor: &str| {
            ["bot:", "system:", "reflection:", "skill:", "subagent:"]
                .iter()
                .any(|prefix| actor.starts_with(prefix))
        };
        commits.retain(|commit| !is_program(&commit.actor));
        Ok(commits)
    }

    /// All files as they were at a revision, for who asks about several.
    ///
    /// # Errors
    /// [`LedgerError::UnknownRevision`] for a revision git does not know.
    pub fn snapshot(&self, revision: &str) -> Result<Snapshot, LedgerError> {
        self.with_repository(|repository| {
            Ok(Snapshot { tree: repository.tree_of(repository.resolve(revision)?)? })
        })
    }

    /// All files as they were at a moment; `None` before the first commit.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when history cannot be read.
    pub fn snapshot_at(&self, time: Timestamp) -> Result<Option<Snapshot>, LedgerError> {
        self.with_repository(|repository| {
            let commit = repository.at_time(time)?;
            commit.map(|commit| Ok(Snapshot { tree: repository.tree_of(commit)? })).transpose()
        })
    }

    /// The files that differ between two commits, in path order.
    ///
    /// # Errors
    /// [`LedgerError::UnknownRevision`] for a commit that git does not know.
    pub fn differing(&self, one: &str, other: &str) -> Result<Vec<MemoryPath>, LedgerError> {
        let found = self.with_repository(|repository| {
            let tree = |commit: &str| repository.tree_of(repository.resolve(commit)?);
            repository.difference(Some(tree(one)?), Some(tree(other)?))
        })?;
        Ok(found.into_iter().filter_map(|each| MemoryPath::new(each.path).ok()).collect())
    }

    /// A file's contents in a snapshot; `None` where it had no such file.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when it cannot be read.
    pub fn contents_in(
        &self,
        snapshot: &Snapshot,
        path: &MemoryPath,
    ) -> Result<Option<Vec<u8>>, LedgerError> {
        self.with_repository(|repository| {
            repository.blob_in(snapshot.tree, path)?.map(|blob| repository.blob(blob)).transpose()
        })
    }

    /// The contents of several files in a snapshot, each `None` where it had no such file. Cheaper than one after the other where a
    /// folder has many, or where most are as they were.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when one cannot be read.
    pub fn all_contents_in(
        &self,
        snapshot: &Snapshot,
        paths: &[MemoryPath],
    ) -> Result<Vec<Option<Vec<u8>>>, LedgerError> {
        self.with_repository(|repository| {
            // A file whose contents have the blob's id is the blob, and need not be decompressed.
            let contents = |path: &MemoryPath, blob| match self.read(path) {
                Ok(Some(there)) if repository.blob_id(&there).is_ok_and(|id| id == blob) => Ok(there),
                _ => repository.blob(blob),
            };
            let blobs = repository.blobs_in(snapshot.tree, paths)?.into_iter();
            paths
                .iter()
                .zip(blobs)
                .map(|(path, blob)| blob.map(|blob| contents(path, blob)).transpose())
                .collect()
        })
    }

    /// The commit that HEAD is, in hexadecimal; nothing before the first.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when it cannot be read.
    pub fn head(&self) -> Result<Option<String>, LedgerError> {
        self.with_repository(|repository| Ok(repository.head()?.map(|id| id.to_string())))
    }

    /// What keeps these contents from being HEAD's with something added at the end, in a file that is only ever added to; `None`
    /// where nothing does, and for every other file.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when HEAD cannot be read.
    pub fn rewritten_since_head(
        &self,
        path: &MemoryPath,
        contents: Option<&[u8]>,
    ) -> Result<Option<String>, LedgerError> {
        if !self.options.layout.is_append_only(path) {
            return Ok(None);
        }
        let before = self.contents_at("HEAD", path)?;
        Ok(before.and_then(|before| departure(&before, contents)))
    }

    /// The commits that git's log gives for these arguments.
    pub(crate) fn log(&self, arguments: &[&str]) -> Result<Vec<HistoryEntry>, LedgerError> {
        let notes = format!("--notes={NOTES}");
        let mut all = vec!["log", FORMAT, "--no-notes", &notes];
        all.extend(arguments);
        let text = self.program().text("search history", &all)?;
        Ok(text
            .split('\u{1}')
            .filter_map(|entry| {
                let fields: Vec<&str> = entry.split('\u{2}').collect();
                let [commit, seconds, actor, summary, session, note, files] = fields[..] else { return None };
                Some(HistoryEntry {
                    commit: commit.to_owned(),
                    time: Timestamp::from_second(seconds.parse().ok()?).ok()?,
                    actor: actor.to_owned(),
                    summary: summary.to_owned(),
                    described: words_of(note),
                    session: Some(session.trim().to_owned()).filter(|session| !session.is_empty()),
                    files: files.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect(),
                })
            })
            .collect())
    }
}
