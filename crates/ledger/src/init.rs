//! Making a workspace: folders, repository, ignore rules, hooks, first commit. Running it again changes nothing.

use std::path::Path;
use std::sync::Arc;

use rem_format::path::MemoryPath;
use serde::Serialize;

use crate::change::{ChangeSet, Provenance};
use crate::clock::Clock;
use crate::error::LedgerError;
use crate::ledger::{Ledger, LedgerOptions, is_workspace};
use crate::{driver, files, hooks, recover};

/// What git does not keep: caches, derived files, private state, locks, secrets (A3.7 and resolution 8).
const IGNORE: &str = "\
# Search index and other derived files: made again from the rest
memory.db
memory.db-*
audit.log

# The program's own state, advisory locks, files being written
.rem/
*.lock
.rem-*

# Scratch space
scratch/
tmp/
*.tmp

# Secrets
.env
secrets/
*.key
*.pem

# Operating systems
.DS_Store
Thumbs.db
";

/// Memory files are bytes to git: it must not change line ends. Binary attachments go to LFS where it is set up (A3.8).
pub(crate) const ATTRIBUTES: &str = "\
* -text
attachments/**/*.png filter=lfs diff=lfs merge=lfs -text
attachments/**/*.jpg filter=lfs diff=lfs merge=lfs -text
attachments/**/*.pdf filter=lfs diff=lfs merge=lfs -text
attachments/**/*.mp4 filter=lfs diff=lfs merge=lfs -text
";

/// What `init` made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct InitOutcome {
    /// Whether the folder was no workspace before.
    pub created: bool,
    /// Files that were missing and are there now.
    pub files: Vec<MemoryPath>,
    /// The commit that holds them.
    pub commit: Option<String>,
    /// Hooks that were left alone because somebody else's stand there.
    pub foreign_hooks: Vec<String>,
}

impl Ledger {
    /// Makes `root` a workspace with these files where they are missing, all in one commit by `system:init`.
    ///
    /// # Errors
    /// [`LedgerError::Io`] or [`LedgerError::Git`] when the folder cannot be written, [`LedgerError::RepositoryBusy`] when its
    /// repository is in the middle of something.
    pub fn init(
        root: &Path,
        options: LedgerOptions,
        clock: Arc<dyn Clock>,
        contents: &[(MemoryPath, String)],
    ) -> Result<(Self, InitOutcome), LedgerError> {
        let created = !is_workspace(root);
        let (ledger, foreign_hooks) = Self::init_around(root, options, clock)?;

        let mut changes = ChangeSet::new();
        if !root.join(".gitignore").exists() {
            changes = changes.create(MemoryPath::new(".gitignore")?, IGNORE, "ignore rules of the workspace");
        }
        changes = changes.edit(MemoryPath::new(".gitattributes")?, "how git treats the files", |found| {
            Ok(driver::with_merging(Some(found.unwrap_or(ATTRIBUTES.as_bytes()))))
        });
        ledger.register_driver()?;
        for (path, text) in contents {
            if !root.join(path.as_str()).exists() {
                changes = changes.create(path.clone(), text.clone(), "new workspace");
            }
        }
        let applied = ledger.apply(&changes, &Provenance::system("init", "rem init"))?;
        if created {
            let mut inside = ledger.enter()?;
            ledger.with_repository(|repository| recover::checkpoint_now(&ledger, &mut inside, repository))?;
        }
        let files = applied.files.into_iter().map(|file| file.path).collect();
        Ok((ledger, InitOutcome { created, files, commit: applied.commit, foreign_hooks }))
    }
}

impl Ledger {
    /// Makes what a workspace needs around its files and commits nothing: repository, folders, hooks, private folder, and the
    /// ignore rules where only this clone sees them. Gives the hooks that were left alone.
    ///
    /// # Errors
    /// As [`Ledger::init`].
    pub fn init_around(
        root: &Path,
        options: LedgerOptions,
        clock: Arc<dyn Clock>,
    ) -> Result<(Self, Vec<String>), LedgerError> {
        files::create_folder(root)?;
        let ledger = Self::at(root, options, clock);
        create_repository(root, &ledger.options.git_folder)?;
        for folder in ledger.options.layout.folders() {
            files::create_folder(&root.join(folder.as_str()))?;
        }
        files::create_folder(&ledger.private_folder())?;
        let mark = ledger.private_folder().join("door.lock");
        files::open_or_create(&mark).map_err(LedgerError::io("create", mark))?;
        recover::first_checkpoint(&ledger);
        let git_folder = crate::git::git_folder_of(root, &ledger.options.git_folder);
        let foreign_hooks = hooks::install(&git_folder)?;
        let exclude = git_folder.join("info").join("exclude");
        let mut rules = String::from_utf8_lossy(&files::read(&exclude)?.unwrap_or_default()).into_owned();
        if !rules.contains(IGNORE) {
            if !rules.is_empty() && !rules.ends_with('\n') {
                rules.push('\n');
            }
            rules.push_str(IGNORE);
            files::create_parents(&exclude)?;
            files::replace_private(&exclude, rules.as_bytes()).map_err(LedgerError::io("write", exclude))?;
        }
        Ok((ledger, foreign_hooks))
    }
}

/// Makes an empty repository unless there is one.
fn create_repository(root: &Path, name: &str) -> Result<(), LedgerError> {
    if root.join(name).exists() {
        return Ok(());
    }
    let what = "create the repository";
    if name == ".git" {
        gix::create::into(root, gix::create::Kind::WithWorktree, gix::create::Options::default())
            .map_err(LedgerError::git(what))?;
        return Ok(());
    }
    // Beside a repository that belongs to somebody else: made bare under its own name, told where its files are.
    let folder = root.join(name);
    files::create_folder(&folder)?;
    gix::create::into(&folder, gix::create::Kind::Bare, gix::create::Options::default())
        .map_err(LedgerError::git(what))?;
    let config =
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tlogallrefupdates = true\n";
    files::replace_private(&folder.join("config"), config.as_bytes())
        .map_err(LedgerError::io("write", folder.join("config")))
}
