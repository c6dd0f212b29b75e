//! One repository, opened without reading any configuration outside it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::object::tree::EntryKind;
use jiff::Timestamp;
use rem_format::audit::Action;
use rem_format::commit::CommitMessage;
use rem_format::path::MemoryPath;

use super::index::{IndexEdit, IndexError, IndexLock};
use super::program::{Program, git_folder_of};
use crate::error::LedgerError;
use crate::fault;

/// What one commit does to one path.
#[derive(Debug, Clone)]
pub(crate) struct PathChange<'a> {
    pub(crate) path: &'a MemoryPath,
    pub(crate) contents: Contents<'a>,
}

/// What a path shall hold.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Contents<'a> {
    Bytes(&'a [u8]),
    /// What the working tree holds, read in pieces.
    InPlace,
    /// Nothing: the path goes.
    Gone,
}

/// A path that two trees disagree on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeDifference {
    pub(crate) path: String,
    pub(crate) old: Option<ObjectId>,
    pub(crate) new: Option<ObjectId>,
}

/// A commit as the audit log sees it.
#[derive(Debug, Clone)]
pub(crate) struct CommitInfo {
    pub(crate) parents: Vec<ObjectId>,
    pub(crate) tree: ObjectId,
    pub(crate) time: Timestamp,
    pub(crate) message: String,
}

impl CommitInfo {
    /// The structured message, where the program made the commit.
    pub(crate) fn structured(&self) -> Option<CommitMessage> {
        CommitMessage::parse(&self.message, self.time)
    }
}

/// An opened repository. Cheap to open, not shared between threads.
pub(crate) struct Repository {
    root: PathBuf,
    git_folder: PathBuf,
    inner: gix::Repository,
}

impl Repository {
    pub(crate) fn open(root: &Path, git_folder_name: &str) -> Result<Self, LedgerError> {
        let git_folder = git_folder_of(root, git_folder_name);
        let options = gix::open::Options::isolated().open_path_as_is(true);
        let mut inner: gix::Repository =
            gix::open_opts(&git_folder, options).map_err(LedgerError::git("open the repository"))?;
        inner.object_cache_size_if_unset(1 << 20);
        Ok(Self { root: root.to_path_buf(), git_folder, inner })
    }

    pub(crate) fn program(&self) -> Program {
        Program::new(&self.root, &self.git_folder)
    }

    pub(super) fn git_folder(&self) -> &Path {
        &self.git_folder
    }

    /// Where branches lie: the repository's folder, whichever working tree this is.
    pub(super) fn common_folder(&self) -> &Path {
        self.inner.common_dir()
    }

    /// Refuses to work in a repository that is in the middle of something.
    pub(crate) fn check_ready(&self) -> Result<(), LedgerError> {
        for (marker, what) in [
            ("MERGE_HEAD", "a merge"),
            ("CHERRY_PICK_HEAD", "a cherry-pick"),
            ("REVERT_HEAD", "a revert"),
            ("rebase-merge", "a rebase"),
            ("rebase-apply", "a rebase"),
            ("BISECT_LOG", "a bisection"),
        ] {
            if self.git_folder.join(marker).exists() {
                return Err(LedgerError::RepositoryBusy(what));
            }
        }
        let head = std::fs::read_to_string(self.git_folder.join("HEAD"))
            .map_err(LedgerError::io("read", self.git_folder.join("HEAD")))?;
        if head.starts_with("ref:") { Ok(()) } else { Err(LedgerError::DetachedHead) }
    }

    /// The branch HEAD points to, or `None` when it is detached.
    pub(crate) fn branch(&self) -> Option<String> {
        let head = std::fs::read_to_string(self.git_folder.join("HEAD")).ok()?;
        Some(head.strip_prefix("ref:")?.trim().strip_prefix("refs/heads/")?.to_owned())
    }

    /// The commit HEAD points to; `None` before the first.
    pub(crate) fn head(&self) -> Result<Option<ObjectId>, LedgerError> {
        let head = self.inner.head().map_err(LedgerError::git("read HEAD"))?;
        Ok(head.id().map(gix::Id::detach))
    }

    /// A commit's parts.
    pub(crate) fn commit_info(&self, id: ObjectId) -> Result<CommitInfo, LedgerError> {
        let what = || format!("read commit {id}");
        let commit = self.inner.find_commit(id).map_err(LedgerError::git(what()))?;
        let decoded = commit.decode().map_err(LedgerError::git(what()))?;
        let author = decoded.author().map_err(LedgerError::git(what()))?;
        let seconds = author.time().map_err(LedgerError::git(what()))?.seconds;
        Ok(CommitInfo {
            parents: decoded.parents().collect(),
            tree: decoded.tree(),
            time: Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH),
            message: decoded.message.to_str_lossy().into_owned(),
        })
    }

    /// The tree of a commit.
    pub(crate) fn tree_of(&self, commit: ObjectId) -> Result<ObjectId, LedgerError> {
        let what = || format!("read commit {commit}");
        let found = self.inner.find_commit(commit).map_err(LedgerError::git(what()))?;
        Ok(found.tree_id().map_err(LedgerError::git(what()))?.detach())
    }

    /// The blob that the tree of a commit has at a path.
    pub(crate) fn blob_at(
        &self,
        commit: ObjectId,
        path: &MemoryPath,
    ) -> Result<Option<ObjectId>, LedgerError> {
        self.blob_in(self.tree_of(commit)?, path)
    }

    /// The blob that a tree has at a path.
    pub(crate) fn blob_in(&self, tree: ObjectId, path: &MemoryPath) -> Result<Option<ObjectId>, LedgerError> {
        let what = || format!("look up {path}");
        let tree = self.inner.find_tree(tree).map_err(LedgerError::git(what()))?;
        let entry = tree.lookup_entry_by_path(path.as_str()).map_err(LedgerError::git(what()))?;
        Ok(entry.filter(|entry| !entry.mode().is_tree()).map(|entry| entry.object_id()))
    }

    /// The blobs at these paths in a tree, each `None` where there is none. A folder of ten thousand files is read once for all of its own.
    pub(crate) fn blobs_in(
        &self,
        tree: ObjectId,
        paths: &[MemoryPath],
    ) -> Result<Vec<Option<ObjectId>>, LedgerError> {
        let mut found = vec![None; paths.len()];
        let mut by_folder: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, path) in paths.iter().enumerate() {
            by_folder.entry(path.folder()).or_default().push(at);
        }
        let root = self.inner.find_tree(tree).map_err(LedgerError::git(format!("read tree {tree}")))?;
        for (folder, places) in by_folder {
            let what = || format!("look up {folder}");
            let id = match folder {
                "" => tree,
                _ => match root.lookup_entry_by_path(folder).map_err(LedgerError::git(what()))? {
                    Some(entry) if entry.mode().is_tree() => entry.object_id(),
                    _ => continue,
                },
            };
            let data = self.tree_data(id)?;
            let entries =
                gix::objs::TreeRef::from_bytes(&data, id.kind()).map_err(LedgerError::git(what()))?;
            for at in places {
                let name = paths[at].file_name().into();
                found[at] = entries.bisect_entry(name, false).map(|entry| entry.oid.to_owned());
            }
        }
        Ok(found)
    }

    /// A blob's contents.
    pub(crate) fn blob(&self, id: ObjectId) -> Result<Vec<u8>, LedgerError> {
        let mut blob = self.inner.find_blob(id).map_err(LedgerError::git(format!("read blob {id}")))?;
        Ok(std::mem::take(&mut blob.data))
    }

    /// The id that contents have as a blob.
    pub(crate) fn blob_id(&self, contents: &[u8]) -> Result<ObjectId, LedgerError> {
        blob_id(contents)
    }

    /// The bytes of a tree.
    pub(super) fn tree_data(&self, id: ObjectId) -> Result<Vec<u8>, LedgerError> {
        let tree = self.inner.find_tree(id).map_err(LedgerError::git(format!("read tree {id}")))?;
        Ok(tree.detach().data)
    }

    /// Whether the repository is set up in a way that makes comparing its index with its files git's business: names are the
    /// same whatever their case, or it shares the repository of another folder.
    pub(crate) fn needs_git_to_compare(&self) -> bool {
        self.inner.config_snapshot().boolean("core.ignoreCase").unwrap_or(false)
            || self.git_folder.join("commondir").exists()
    }

    /// Whether an object is there and can be read.
    pub(crate) fn is_readable(&self, id: ObjectId) -> bool {
        self.inner.try_find_object(id).is_ok_and(|object| object.is_some())
    }

    /// Takes git's own lock on the index, so that git programs wait.
    pub(crate) fn lock_index(&self) -> Result<IndexLock, LedgerError> {
        let path = self.git_folder.join("index.lock");
        // A git command holds it for milliseconds; two seconds tell one at work from one that died.
        for _ in 0..200 {
            match IndexLock::acquire(&self.git_folder).map_err(LedgerError::io("create", &path))? {
                Some(lock) => return Ok(lock),
                None => std::thread::sleep(std::time::Duration::from_millis(10)),
            }
        }
        Err(LedgerError::IndexLocked(path))
    }

    /// Commits `changes` on top of HEAD, and of `joined` where there is another history, and brings the index up to date under `lock`. An
    /// empty list makes an empty commit.
    pub(crate) fn commit(
        &self,
        changes: &[PathChange<'_>],
        message: &str,
        (author, time): (&str, Timestamp),
        joined: Option<ObjectId>,
        lock: Option<IndexLock>,
    ) -> Result<ObjectId, LedgerError> {
        let head = self.head()?;
        let base = match head {
            Some(id) => self.commit_info(id)?.tree,
            None => ObjectId::empty_tree(gix::hash::Kind::Sha1),
        };
        let (tree, index_edits) = self.write_tree(base, changes)?;
        fault::point("git.commit").map_err(LedgerError::git("commit"))?;
        let mut buffer = gix::date::parse::TimeBuf::default();
        let signature = signature(author, time);
        let signature = signature.to_ref(&mut buffer);
        let commit = self
            .inner
            .commit_as(signature, signature, "HEAD", message, tree, head.into_iter().chain(joined))
            .map_err(LedgerError::git("commit"))?
            .detach();
        if let Some(lock) = lock {
            self.update_index(lock, index_edits)?;
        }
        Ok(commit)
    }

    /// Blobs and trees for `changes` on top of the tree `base`, and what the index has to say of them.
    #[allow(clippy::type_complexity, reason = "a tree, and the index's edits by path")]
    fn write_tree(
        &self,
        base: ObjectId,
        changes: &[PathChange<'_>],
    ) -> Result<(ObjectId, Vec<(String, IndexEdit)>), LedgerError> {
        fault::point("git.blobs").map_err(LedgerError::git("write blobs"))?;
        let mut index_edits = Vec::with_capacity(changes.len());
        let tree = if changes.is_empty() {
            base
        } else {
            // The plain editor: the other one looks on disk for every neighbour of what it writes.
            let mut editor = self.inner.edit_tree(base).map_err(LedgerError::git("read the tree"))?.detach();
            for change in changes {
                let path = change.path.as_str();
                let what = || format!("stage {path}");
                let blob = match change.contents {
                    Contents::Bytes(contents) => {
                        Some(self.inner.write_blob(contents).map_err(LedgerError::git(what()))?.detach())
                    }
                    Contents::InPlace => {
                        let at = self.root.join(path);
                        let file = std::fs::File::open(&at).map_err(LedgerError::io("open", &at))?;
                        Some(self.write_blob_from(file).map_err(LedgerError::git(what()))?)
                    }
                    Contents::Gone => None,
                };
                if let Some(blob) = blob {
                    let kind = if is_executable(&self.root.join(path)) {
                        EntryKind::BlobExecutable
                    } else {
                        EntryKind::Blob
                    };
                    editor.upsert(components(path), kind, blob).map_err(LedgerError::git(what()))?;
                    let mode = if kind == EntryKind::BlobExecutable { 0o100_755 } else { 0o100_644 };
                    index_edits.push((path.to_owned(), IndexEdit::Upsert { blob, mode }));
                } else {
                    editor.remove_if_leaf(components(path)).map_err(LedgerError::git(what()))?;
                    index_edits.push((path.to_owned(), IndexEdit::Remove));
                }
            }
            fault::point("git.trees").map_err(LedgerError::git("write trees"))?;
            editor
                .write(|tree| self.inner.write_object(tree).map(gix::Id::detach))
                .map_err(LedgerError::git("write trees"))?
        };
        Ok((tree, index_edits))
    }

    /// Brings the index up to date for changes whose commit was made.
    pub(crate) fn refresh_index(
        &self,
        lock: IndexLock,
        changes: &[PathChange<'_>],
    ) -> Result<(), LedgerError> {
        drop(lock);
        self.reset_index(&changes.iter().map(|change| change.path.as_str()).collect::<Vec<_>>())
    }

    /// Whether no tag, remote or other branch points to this commit, the branch's newest.
    pub(crate) fn is_only_the_branchs(&self, commit: ObjectId) -> Result<bool, LedgerError> {
        let refs = self.program().text(
            "list what points to a commit",
            &["for-each-ref", "--format=%(refname)", "--points-at", &commit.to_string()],
        )?;
        Ok(refs.lines().count() <= 1)
    }

    /// Replaces the newest commit by one with `changes` on top of it and another message.
    pub(crate) fn replace_head(
        &self,
        old: &CommitInfo,
        changes: &[PathChange<'_>],
        message: &str,
        author: &str,
    ) -> Result<ObjectId, LedgerError> {
        let (tree, _) = self.write_tree(old.tree, changes)?;
        fault::point("git.commit").map_err(LedgerError::git("commit"))?;
        let mut buffer = gix::date::parse::TimeBuf::default();
        let signature = signature(author, old.time);
        let signature = signature.to_ref(&mut buffer);
        let commit = self
            .inner
            .new_commit_as(signature, signature, message, tree, old.parents.iter().copied())
            .map_err(LedgerError::git("commit"))?
            .id()
            .detach();
        self.move_branch(commit)?;
        Ok(commit)
    }

    /// A blob from a file, its contents never whole in memory.
    fn write_blob_from(
        &self,
        file: std::fs::File,
    ) -> Result<ObjectId, Box<dyn std::error::Error + Send + Sync>> {
        use gix::objs::Write as _;
        let length = file.metadata()?.len();
        let mut reader = std::io::BufReader::with_capacity(1 << 18, file);
        Ok(self.inner.objects.write_stream(gix::object::Kind::Blob, length, &mut reader)?)
    }

    fn update_index(&self, lock: IndexLock, mut edits: Vec<(String, IndexEdit)>) -> Result<(), LedgerError> {
        fault::point("git.index").map_err(LedgerError::git("update the index"))?;
        edits.sort_by(|one, other| one.0.cmp(&other.0));
        match lock.commit(&self.root, &edits) {
            Ok(()) => {}
            Err(IndexError::Io(source)) => {
                return Err(LedgerError::Io { what: "rewrite", path: self.git_folder.join("index"), source });
            }
            Err(IndexError::Foreign(why)) => {
                tracing::debug!("git's index is {why}: git rewrites it");
                self.reset_index(&edits.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>())?;
            }
        }
        fault::point("git.indexed").map_err(LedgerError::git("update the index"))
    }

    /// Lets git itself make the index say what HEAD says of these paths; of all where none are named.
    pub(crate) fn reset_index(&self, paths: &[&str]) -> Result<(), LedgerError> {
        let program = self.program();
        if paths.is_empty() {
            return program.run("reset the index", &["reset", "--quiet", "--mixed"]).map(drop);
        }
        let mut input = Vec::new();
        for path in paths {
            input.extend_from_slice(path.as_bytes());
            input.push(0);
        }
        program
            .run_with(
                "reset the index",
                &["--literal-pathspecs", "reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul"],
                &input,
            )
            .map(drop)
    }

    /// Every path that differs between two trees, with its old and new blob, in path order.
    pub(crate) fn difference(
        &self,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
    ) -> Result<Vec<TreeDifference>, LedgerError> {
        let mut found = Vec::new();
        self.compare(old, new, "", &mut found)?;
        Ok(found)
    }

    fn compare(
        &self,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
        prefix: &str,
        found: &mut Vec<TreeDifference>,
    ) -> Result<(), LedgerError> {
        if old == new {
            return Ok(());
        }
        let (old, new) = (self.tree_entries(old)?, self.tree_entries(new)?);
        let names: std::collections::BTreeSet<&str> =
            old.keys().chain(new.keys()).map(String::as_str).collect();
        for name in names {
            let (before, after) = (old.get(name).copied(), new.get(name).copied());
            if before == after {
                continue;
            }
            let path = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") };
            let folder =
                |entry: Option<(bool, ObjectId)>| entry.filter(|(folder, _)| *folder).map(|(_, id)| id);
            let file =
                |entry: Option<(bool, ObjectId)>| entry.filter(|(folder, _)| !*folder).map(|(_, id)| id);
            self.compare(folder(before), folder(after), &path, found)?;
            if file(before) != file(after) {
                found.push(TreeDifference { path, old: file(before), new: file(after) });
            }
        }
        Ok(())
    }

    /// Name, whether it is a folder, and id of each entry; empty for no tree.
    fn tree_entries(
        &self,
        tree: Option<ObjectId>,
    ) -> Result<BTreeMap<String, (bool, ObjectId)>, LedgerError> {
        let Some(id) = tree else { return Ok(BTreeMap::new()) };
        let tree = self.inner.find_tree(id).map_err(LedgerError::git(format!("read tree {id}")))?;
        let decoded = tree.decode().map_err(LedgerError::git(format!("read tree {id}")))?;
        Ok(decoded
            .entries
            .iter()
            .map(|entry| {
                (entry.filename.to_str_lossy().into_owned(), (entry.mode.is_tree(), entry.oid.to_owned()))
            })
            .collect())
    }

    /// What a commit did to which path, for commits whose message does not say.
    pub(crate) fn changed_paths(
        &self,
        tree: ObjectId,
        parent: Option<ObjectId>,
    ) -> Result<Vec<(String, Action)>, LedgerError> {
        let parent = parent.map(|id| self.commit_info(id)).transpose()?.map(|info| info.tree);
        Ok(self
            .difference(parent, Some(tree))?
            .into_iter()
            .map(|difference| {
                let action = match (difference.old, difference.new) {
                    (None, _) => Action::Create,
                    (_, None) => Action::Delete,
                    _ => Action::Edit,
                };
                (difference.path, action)
            })
            .collect())
    }

    /// Whether everything a commit added to its parent can be read.
    pub(crate) fn is_whole(&self, tree: ObjectId, parent: Option<ObjectId>) -> bool {
        let Ok(parent) = parent.map(|id| self.commit_info(id)).transpose() else { return false };
        self.difference(parent.map(|info| info.tree), Some(tree)).is_ok_and(|changes| {
            changes.iter().filter_map(|change| change.new).all(|blob| self.is_readable(blob))
        })
    }

    /// Resolves a revision: a commit, tag or branch.
    pub(crate) fn resolve(&self, revision: &str) -> Result<ObjectId, LedgerError> {
        // A whole id needs no git process.
        if let Ok(id) = ObjectId::from_hex(revision.as_bytes())
            && self.inner.find_header(id).is_ok_and(|header| header.kind().is_commit())
        {
            return Ok(id);
        }
        let argument = format!("{revision}^{{commit}}");
        let text = self
            .program()
            .text("resolve a revision", &["rev-parse", "--verify", "--quiet", "--end-of-options", &argument])
            .map_err(|_| LedgerError::UnknownRevision(revision.to_owned()))?;
        ObjectId::from_hex(text.trim().as_bytes())
            .map_err(|_| LedgerError::UnknownRevision(revision.to_owned()))
    }

    /// The newest commit of the first-parent line that is not younger than `time`.
    pub(crate) fn at_time(&self, time: Timestamp) -> Result<Option<ObjectId>, LedgerError> {
        let mut next = self.head()?;
        while let Some(id) = next {
            let info = self.commit_info(id)?;
            if info.time <= time {
                return Ok(Some(id));
            }
            next = info.parents.first().copied();
        }
        Ok(None)
    }

    /// Removes loose objects that a power loss left empty or torn, so that they can be written again, and the index, which
    /// may name some that are lost.
    pub(crate) fn drop_torn_objects(&self) {
        let _ = crate::files::remove_if_there(&self.git_folder.join("index"));
        let objects = self.git_folder.join("objects");
        let folders = std::fs::read_dir(&objects).into_iter().flatten().flatten();
        for folder in folders.filter(|folder| folder.file_name().len() == 2) {
            for object in std::fs::read_dir(folder.path()).into_iter().flatten().flatten() {
                let hex = format!(
                    "{}{}",
                    folder.file_name().to_string_lossy(),
                    object.file_name().to_string_lossy()
                );
                let Ok(id) = ObjectId::from_hex(hex.as_bytes()) else { continue };
                let empty = object.metadata().is_ok_and(|metadata| metadata.len() == 0);
                if empty || self.inner.find_object(id).is_err() {
                    tracing::warn!("git object {id} did not survive the power loss");
                    let _ = crate::files::remove_if_there(&object.path());
                }
            }
        }
    }

    /// Points the current branch at a commit, as after a power loss took the newest objects.
    pub(crate) fn move_branch(&self, to: ObjectId) -> Result<(), LedgerError> {
        self.program().run("move the branch", &["update-ref", "HEAD", &to.to_string()]).map(drop)
    }
}

/// The id that contents have as a blob.
pub(crate) fn blob_id(contents: &[u8]) -> Result<ObjectId, LedgerError> {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::object::Kind::Blob, contents)
        .map_err(LedgerError::git("hash contents"))
}

/// A path as git's trees have it.
fn components(path: &str) -> impl Iterator<Item = &gix::bstr::BStr> {
    path.split('/').map(|component| component.as_bytes().as_bstr())
}

/// Author and committer of a commit: the actor, whoever git is configured for.
fn signature(author: &str, time: Timestamp) -> gix::actor::Signature {
    gix::actor::Signature {
        name: BString::from(author),
        email: BString::from("rem@localhost"),
        time: gix::date::Time::new(time.as_second(), 0),
    }
}

#[cfg(unix)]
fn is_executable(at: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(at).is_ok_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_executable(_at: &Path) -> bool {
    false
}
