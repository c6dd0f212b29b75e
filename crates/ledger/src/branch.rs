//! Branches beside the memory that is in use (A3.3): `explore/NAME` for what-ifs, `extract/NAME` for other ways to make knowledge.
//!
//! Each has a working tree of its own in the private folder, which is a workspace like any other, so the live one goes on being used.
//! Working trees may be deleted: the branch is in git, and its tree is made again. A branch comes back as one change set through the
//! door, file by file: a file that only the branch changed is taken over, one that both changed is merged by its format; where both worded
//! the same anew that is a conflict and nothing is done.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use rem_format::audit::Action;
use rem_format::merge;
use rem_format::path::MemoryPath;
use rem_format::slug::slug;
use serde::Serialize;

use crate::change::{Applied, ChangeSet, Provenance};
use crate::error::LedgerError;
use crate::files;
use crate::ledger::Ledger;

/// What a branch is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BranchKind {
    /// A what-if; one that nobody worked on for a week may go.
    Explore,
    /// Knowledge made in another way.
    Extract,
}

impl BranchKind {
    /// The first part of the branch's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Explore => "explore",
            Self::Extract => "extract",
        }
    }
}

/// A branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// `explore/NAME` or `extract/NAME`.
    pub name: String,
    /// What it is for.
    pub kind: BranchKind,
    /// Its newest commit.
    pub commit: String,
    /// The commit of the memory in use that it began with.
    pub base: String,
    /// How many commits it has of its own.
    pub commits: usize,
    /// When it was last committed to.
    pub last_commit: Timestamp,
    /// Its working tree.
    pub path: PathBuf,
}

/// A file that a branch changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchedFile {
    /// The file.
    pub path: MemoryPath,
    /// What it said where the branch began; nothing where it was not there.
    pub base: Option<Vec<u8>>,
    /// What it says on the branch.
    pub branch: Option<Vec<u8>>,
}

/// A file on its way from a branch into the memory in use.
struct Taken {
    path: MemoryPath,
    now: Option<Vec<u8>>,
    /// What it would hold, which may be nothing any more; nothing where both sides say different things of the same.
    after: Option<Option<Vec<u8>>>,
}

/// Held while a working tree is made or removed, also by the git that does it: killed in between, it is not made twice at once.
const TREES_LOCK: &str = "branches.lock";

impl Ledger {
    /// Begins a branch at the present state, with a working tree of its own; gives its ledger.
    ///
    /// # Errors
    /// [`LedgerError::Branch`] for a name without a letter or digit, or one that is taken; [`LedgerError::Git`] with what git said.
    pub fn branch_start(&self, kind: BranchKind, name: &str) -> Result<(Branch, Self), LedgerError> {
        self.may_change()?;
        let slug = slug(name).ok_or_else(|| branch_error(name, "a name has a letter or a digit"))?;
        let name = format!("{}/{slug}", kind.as_str());
        if self.branches()?.iter().any(|branch| branch.name == name) {
            return Err(branch_error(&name, "there is one of that name"));
        }
        self.commit_outside_changes()?;
        {
            // Nobody commits while the tree is made.
            let _inside = self.enter()?;
            let path = self.tree_of(&name);
            self.make_tree(&path, &["-b", &name, &path.to_string_lossy(), "HEAD"])?;
        }
        let ledger = self.branch_ledger(&name)?;
        Ok((self.branch(&name)?, ledger))
    }

    /// The branches, by name.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when they cannot be listed.
    pub fn branches(&self) -> Result<Vec<Branch>, LedgerError> {
        let program = self.program();
        let text = program.text(
            "list branches",
            &[
                "for-each-ref",
                "--format=%(refname:strip=2) %(objectname) %(committerdate:unix)",
                "refs/heads/explore",
                "refs/heads/extract",
            ],
        )?;
        let mut branches = Vec::new();
        for line in text.lines() {
            let mut fields = line.split(' ');
            let (Some(name), Some(commit), Some(seconds)) = (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let kind = if name.starts_with("explore/") { BranchKind::Explore } else { BranchKind::Extract };
            let base = program.text("find where a branch began", &["merge-base", "HEAD", commit])?;
            let range = format!("{}..{commit}", base.trim());
            let count = program.text("count commits", &["rev-list", "--count", &range])?;
            branches.push(Branch {
                name: name.to_owned(),
                kind,
                commit: commit.to_owned(),
                base: base.trim().to_owned(),
                commits: count.trim().parse().unwrap_or(0),
                last_commit: seconds
                    .parse()
                    .ok()
                    .and_then(|seconds| Timestamp::from_second(seconds).ok())
                    .unwrap_or_default(),
                path: self.tree_of(name),
            });
        }
        Ok(branches)
    }

    /// The branch of that name, with or without what it is for, as it was named or as it is called.
    ///
    /// # Errors
    /// [`LedgerError::Branch`] where there is none, or where both kinds have one.
    pub fn branch(&self, name: &str) -> Result<Branch, LedgerError> {
        let called = slug(name);
        let mut found = self.branches()?;
        found.retain(|branch| {
            let own = branch.name.split_once('/').map(|(_, own)| own);
            branch.name == name || own == Some(name) || own.is_some() && own == called.as_deref()
        });
        match (found.pop(), found.is_empty()) {
            (Some(branch), true) => Ok(branch),
            (Some(_), false) => Err(branch_error(name, "both kinds have one: say explore/ or extract/")),
            (None, _) => Err(branch_error(name, "there is no such branch")),
        }
    }

    /// The ledger of a branch's working tree, which is made where it is gone.
    ///
    /// # Errors
    /// As [`Self::branch`], and [`LedgerError::Git`] where the tree cannot be made.
    pub fn branch_ledger(&self, name: &str) -> Result<Self, LedgerError> {
        let branch = self.branch(name)?;
        if !is_made(&branch.path) {
            // Twice by force: git holds on to a tree that it was making when the power went.
            self.make_tree(
                &branch.path,
                &["--force", "--force", &branch.path.to_string_lossy(), &branch.name],
            )?;
        }
        let options = crate::LedgerOptions { git_folder: ".git".to_owned(), ..self.options.clone() };
        let (ledger, _) = Self::init_around(&branch.path, options, Arc::clone(&self.clock))?;
        if !ledger.audit_path().exists() {
            ledger.rebuild_audit()?;
        }
        Ok(ledger)
    }

    /// The files that a branch changed since it began, one after the other: all of them may be more than memory holds.
    ///
    /// # Errors
    /// As [`Self::branch`], and [`LedgerError::Git`] where they cannot be told, or one of them cannot be read.
    pub fn branched_files<'l>(
        &'l self,
        branch: &Branch,
    ) -> Result<impl Iterator<Item = Result<BranchedFile, LedgerError>> + use<'l>, LedgerError> {
        let text = self.program().text(
            "compare the branch",
            &["diff", "--name-only", "--no-renames", "-z", &branch.base, &branch.commit],
        )?;
        let (base, tip) = (self.snapshot(&branch.base)?, self.snapshot(&branch.commit)?);
        let paths: Vec<String> =
            text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
        Ok(paths.into_iter().map(move |path| {
            let path = MemoryPath::new(path)?;
            let (base, branch) = (self.contents_in(&base, &path)?, self.contents_in(&tip, &path)?);
            Ok(BranchedFile { path, base, branch })
        }))
    }

    /// What taking a branch over would do to each file, one after the other.
    fn taken_over<'l>(
        &'l self,
        branch: &Branch,
    ) -> Result<impl Iterator<Item = Result<Taken, LedgerError>> + use<'l>, LedgerError> {
        let day = self.clock.now().to_zoned(jiff::tz::TimeZone::UTC).date();
        let files = self.branched_files(branch)?;
        Ok(files.filter_map(move |file| file.and_then(|file| self.taken_file(file, day)).transpose()))
    }

    /// What becomes of a file when the branch is taken over; nothing where it stays as it is.
    fn taken_file(&self, file: BranchedFile, day: jiff::civil::Date) -> Result<Option<Taken>, LedgerError> {
        let now = self.read(&file.path)?;
        // What was approved on the branch is approved anew by whoever merges it.
        if now == file.branch || file.path == self.options.layout.approvals() {
            return Ok(None);
        }
        let after = match (now == file.base, now.as_deref(), file.branch.as_deref()) {
            (true, ..) => Some(file.branch.clone()),
            // Both changed it: by its format, unless something has to be decided.
            (false, Some(here), Some(there)) if !self.is_transcript(&file.path) => {
                let shape = self.options.layout.shape_of(&file.path);
                let merged = merge::merge(shape, file.base.as_deref(), here, there, day);
                (merged.is_whole && merged.clashes.is_empty()).then_some(Some(merged.bytes))
            }
            _ => None,
        };
        Ok(Some(Taken { path: file.path, now, after })
            .filter(|taken| taken.after.as_ref() != Some(&taken.now)))
    }

    /// What [`Self::branch_merge`] would do as things are: how many files it would change, and those in which both sides say different things of the
    /// same.
    ///
    /// # Errors
    /// As [`Self::branched_files`].
    pub fn branch_preview(&self, name: &str) -> Result<(usize, Vec<MemoryPath>), LedgerError> {
        self.branch_ledger(name)?.commit_outside_changes()?;
        let branch = self.branch(name)?;
        let (mut count, mut crossed) = (0, Vec::new());
        for taken in self.taken_over(&branch)? {
            let Taken { path, after, .. } = taken?;
            match after {
                Some(_) => count += 1,
                None => crossed.push(path),
            }
        }
        Ok((count, crossed))
    }

    /// Takes over what a branch changed, as one change, and drops the branch.
    ///
    /// # Errors
    /// [`LedgerError::Branch`] with the files in which both sides changed the same, or where a working tree has changes that are not committed; as
    /// [`Self::apply`]. Nothing is changed then.
    pub fn branch_merge(&self, name: &str, provenance: &Provenance) -> Result<Applied, LedgerError> {
        self.may_change()?;
        self.branch_ledger(name)?.commit_outside_changes()?;
        self.commit_outside_changes()?;
        let branch = self.branch(name)?;
        let (mut set, mut crossed) = (ChangeSet::new(), Vec::new());
        for taken in self.taken_over(&branch)? {
            let Taken { path, now, after } = taken?;
            let Some(after) = after else {
                crossed.push(path.to_string());
                continue;
            };
            if !self.may_take_settings(&path, now.as_deref(), after.as_deref()) {
                return Err(branch_error(&branch.name, format!("{path} could not be read any more")));
            }
            let is_new = now.is_none();
            set = set.edit(path.clone(), format!("from {}", branch.name), move |found| {
                match found == now.as_deref() {
                    true => Ok(after.clone()),
                    false => Err("it changed meanwhile".into()),
                }
            });
            set = set.take_away(&path);
            if !is_new {
                set = set.action(&path, Action::Merge);
            }
        }
        if !crossed.is_empty() {
            let shown = crossed.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
            let more = if crossed.len() > 5 { ", …" } else { "" };
            let reason = format!(
                "{} files were changed here, too, and say different things of the same: {shown}{more}",
                crossed.len()
            );
            return Err(branch_error(&branch.name, reason));
        }
        self.may_bring_in(&set, provenance)?;
        let applied = self.apply(&set, provenance)?;
        self.branch_drop(&branch.name)?;
        Ok(applied)
    }

    /// Drops a branch and its working tree. What was merged of it stays.
    ///
    /// # Errors
    /// As [`Self::branch`], and [`LedgerError::Git`] with what git said.
    pub fn branch_drop(&self, name: &str) -> Result<Branch, LedgerError> {
        self.may_change()?;
        let branch = self.branch(name)?;
        let _inside = self.enter()?;
        if branch.path.join(".git").is_file() {
            let path = branch.path.to_string_lossy();
            let trees = self.lock_private(TREES_LOCK)?;
            let arguments = ["worktree", "remove", "--force", "--force", path.as_ref()];
            self.program().run_holding(trees.file(), "remove the working tree", &arguments)?;
        }
        self.program().run("forget working trees that are gone", &["worktree", "prune"])?;
        self.program().run("drop the branch", &["branch", "--quiet", "-D", &branch.name])?;
        Ok(branch)
    }

    /// Makes a working tree with `git worktree add`, unless somebody else made it meanwhile. What lies in its place without being one is
    /// kept beside it.
    fn make_tree(&self, path: &Path, arguments: &[&str]) -> Result<(), LedgerError> {
        let trees = self.lock_private(TREES_LOCK)?;
        if is_made(path) {
            return Ok(());
        }
        if std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let beside = (1_u64..)
                .map(|number| path.with_file_name(format!("{name}.left-{number}")))
                .find(|beside| beside.symlink_metadata().is_err())
                .unwrap_or_else(|| path.to_path_buf());
            tracing::warn!("{} is no working tree of git: kept as {}", path.display(), beside.display());
            files::rename(path, &beside)?;
        }
        let program = self.program();
        program.run("forget working trees that are gone", &["worktree", "prune"])?;
        let arguments = [&["worktree", "add", "--quiet"], arguments].concat();
        program.run_holding(trees.file(), "make the branch's working tree", &arguments).map(drop)
    }

    /// Where the working tree of a branch lies.
    fn tree_of(&self, name: &str) -> PathBuf {
        self.private_folder().join("branches").join(name.replace('/', "-"))
    }
}

/// Whether a working tree is there, and whole: while git makes one, it is locked with this word.
fn is_made(tree: &Path) -> bool {
    let lock = crate::git::git_folder_of(tree, ".git").join("locked");
    tree.join(".git").is_file()
        && !std::fs::read_to_string(lock).is_ok_and(|reason| reason.trim() == "initializing")
}

fn branch_error(name: &str, reason: impl Into<String>) -> LedgerError {
    LedgerError::Branch { name: name.to_owned(), reason: reason.into() }
}
