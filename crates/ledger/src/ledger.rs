//! The ledger of one workspace: what its operations share.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use rem_format::path::MemoryPath;

use crate::clock::Clock;
use crate::consent::Signer;
use crate::error::LedgerError;
use crate::files;
use crate::git::{Program, Repository};
use crate::layout::{Layout, Store};
use crate::lock::LockPolicy;
use crate::role::AgentRole;
use crate::watch::KeptListing;

/// What the ledger needs to know of the configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerOptions {
    /// Where the stores lie.
    pub layout: Layout,
    /// The name of the repository's folder (`git.dir`).
    pub git_folder: String,
    /// P4.1's parameters.
    pub locks: LockPolicy,
    /// Who is at work, for lock files.
    pub agent: String,
    /// Whether they may change anything.
    pub role: AgentRole,
    /// How long knowledge changes are gathered in one commit; `None`: a commit per change set.
    pub batch: Option<std::time::Duration>,
    /// Whether changes to critical files, and append-only files that are rewritten outside, raise alerts (M12.5).
    pub critical_alerts: bool,
    /// Whether approvals must be signed even where no key was set up; where one is, they always must.
    pub require_signature: bool,
    /// The folder of the user's own, in which it is remembered what this machine knows of the memory's approvals; nothing for nowhere.
    pub user_state: Option<PathBuf>,
    /// Days that audit lines stay in the log before they are digested (M12.6).
    pub audit_retention_days: u32,
}

impl Default for LedgerOptions {
    fn default() -> Self {
        Self {
            layout: Layout::default(),
            git_folder: ".git".to_owned(),
            locks: LockPolicy::default(),
            agent: "main".to_owned(),
            role: AgentRole::default(),
            batch: None,
            critical_alerts: true,
            require_signature: false,
            user_state: None,
            audit_retention_days: 90,
        }
    }
}

/// The one door of a workspace.
pub struct Ledger {
    pub(crate) root: PathBuf,
    pub(crate) options: LedgerOptions,
    pub(crate) clock: Arc<dyn Clock>,
    counter: Arc<AtomicU64>,
    pub(crate) kept_listing: Arc<KeptListing>,
    /// Who may be asked for the operator's approval.
    pub(crate) signer: Option<Arc<dyn Signer>>,
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Ledger").field("root", &self.root).finish_non_exhaustive()
    }
}

/// Whether a folder holds a workspace: our private folder is there, or, where that was deleted or never cloned, CONFIG.md beside
/// a core memory. The name of the private folder alone says nothing, for a workspace itself may be called `.rem`.
#[must_use]
pub fn is_workspace(folder: &Path) -> bool {
    folder.join(".rem").join("door.lock").is_file()
        || (folder.join("CONFIG.md").is_file()
            && ["MEMORY.md", "knowledge/memory/MEMORY.md"].iter().any(|core| folder.join(core).is_file()))
}

thread_local! {
    /// The repository this thread used last. Opening one costs a millisecond; a workspace seldom has another.
    static OPENED: RefCell<Option<(PathBuf, Repository)>> = const { RefCell::new(None) };
}

impl Ledger {
    /// The ledger of a workspace that `rem init` or `rem adopt` made.
    ///
    /// # Errors
    /// [`LedgerError::NoWorkspace`] where there is none.
    pub fn open(root: &Path, options: LedgerOptions, clock: Arc<dyn Clock>) -> Result<Self, LedgerError> {
        if !is_workspace(root) {
            return Err(LedgerError::NoWorkspace(root.to_path_buf()));
        }
        let ledger = Self::at(root, options, clock);
        if !ledger.private_folder().is_dir() {
            // Deleted, or not cloned: everything in it is made again. A folder we may not write to is read all the same.
            let _ = files::create_folder(&ledger.private_folder());
            crate::recover::first_checkpoint(&ledger);
        }
        Ok(ledger)
    }

    pub(crate) fn at(root: &Path, options: LedgerOptions, clock: Arc<dyn Clock>) -> Self {
        Self {
            root: root.to_path_buf(),
            options,
            clock,
            counter: Arc::default(),
            kept_listing: Arc::default(),
            signer: None,
        }
    }

    /// The same ledger with another agent at work. What is known of the files is known to both.
    #[must_use]
    pub fn acting_as(&self, agent: &str, role: AgentRole) -> Self {
        Self {
            root: self.root.clone(),
            options: LedgerOptions { agent: agent.to_owned(), role, ..self.options.clone() },
            clock: self.clock.clone(),
            counter: self.counter.clone(),
            kept_listing: self.kept_listing.clone(),
            signer: self.signer.clone(),
        }
    }

    /// The workspace's folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the stores lie.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.options.layout
    }

    /// The present moment, by the clock it was given.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A file's contents; `None` where there is no such file.
    ///
    /// # Errors
    /// [`LedgerError::SymbolicLink`] for a path through a link, [`LedgerError::Io`] when it cannot be read.
    pub fn read(&self, path: &MemoryPath) -> Result<Option<Vec<u8>>, LedgerError> {
        files::read(&files::locate(&self.root, path)?)
    }

    /// The path of the audit log inside the workspace.
    pub(crate) fn audit_path(&self) -> PathBuf {
        self.root.join(self.options.layout.path(Store::Meta).as_str()).join("audit.log")
    }

    pub(crate) fn with_repository<T>(
        &self,
        work: impl FnOnce(&Repository) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        // Taken out while in use, so that work may come back here; it then opens another.
        let repository = match OPENED.take() {
            Some((root, repository)) if root == self.root => repository,
            _ => Repository::open(&self.root, &self.options.git_folder)?,
        };
        let outcome = work(&repository);
        OPENED.set(Some((self.root.clone(), repository)));
        outcome
    }

    pub(crate) fn program(&self) -> Program {
        Program::new(&self.root, &crate::git::git_folder_of(&self.root, &self.options.git_folder))
    }

    /// An id for a change: sixteen hexadecimal digits that no other process or moment gives.
    pub(crate) fn new_change_id(&self, now: Timestamp, salt: &[u8]) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&now.as_nanosecond().to_le_bytes());
        hasher.update(&std::process::id().to_le_bytes());
        hasher.update(&self.counter.fetch_add(1, Ordering::Relaxed).to_le_bytes());
        hasher.update(salt);
        hasher.finalize().to_hex()[..16].to_owned()
    }
}
