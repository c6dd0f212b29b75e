//! What can go wrong at the door, and what to do about it.
//!
//! Every variant names the file it is about and keeps its source. [`LedgerError::kind`] is what surfaces map to exit
//! codes and statuses, [`LedgerError::hint`] is the next step for a person.

use std::io;
use std::path::PathBuf;

use rem_format::path::{MemoryPath, PathError};
use thiserror::Error;

/// The classes that surfaces tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request makes no sense for this workspace.
    Usage,
    /// Somebody else holds what is needed; later it may work.
    Locked,
    /// Files, git or the journal disagree.
    Integrity,
    /// A rule forbids it.
    Refused,
    /// Everything else.
    Internal,
}

/// An error of the ledger.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// There is no workspace there.
    #[error("{} is no workspace", .0.display())]
    NoWorkspace(PathBuf),
    /// A path from outside is not acceptable.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A path leads out of the workspace through a symbolic link, or is one.
    #[error("{path} is or passes through a symbolic link that is not followed")]
    SymbolicLink {
        /// The path.
        path: MemoryPath,
    },
    /// A file operation failed.
    #[error("could not {what} {}", .path.display())]
    Io {
        /// The operation, as an infinitive.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Git could not do something.
    #[error("git could not {what}")]
    Git {
        /// The operation, as an infinitive.
        what: String,
        /// Git's reason.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The repository is in the middle of something.
    #[error("the workspace's git repository is in the middle of {0}")]
    RepositoryBusy(&'static str),
    /// HEAD is no branch.
    #[error("the workspace's git repository has a detached HEAD, so there is no branch to commit to")]
    DetachedHead,
    /// Another program holds git's index.
    #[error("{} exists: another git program is at work, or died", .0.display())]
    IndexLocked(PathBuf),
    /// An advisory lock was not to be had (P4.1's abort).
    #[error("Failed to acquire lock for {path} after {attempts} attempts: held by {owner}")]
    Locked {
        /// The file.
        path: String,
        /// How often it was tried.
        attempts: u32,
        /// What the lock says of its owner.
        owner: String,
    },
    /// An edit refused the contents it found.
    #[error("{path} was not changed")]
    Edit {
        /// The file.
        path: MemoryPath,
        /// The edit's reason.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The change is in the redo journal but could not be completed now.
    #[error("change {change} is recorded but not finished")]
    Unfinished {
        /// The change's id.
        change: String,
        /// Why it stopped.
        source: Box<LedgerError>,
    },
    /// A file that may not change any more.
    #[error("{path} is a closed transcript and may not be changed")]
    Sealed {
        /// The file.
        path: MemoryPath,
    },
    /// A change would take something away from a file that is only ever added to.
    #[error("{path} is only ever added to: {what}")]
    AppendOnly {
        /// The file.
        path: MemoryPath,
        /// What the change would have done to it.
        what: String,
    },
    /// Somebody kept changing the file at the same moment.
    #[error("{path} was changed from outside again and again while it was being edited")]
    Crossing {
        /// The file.
        path: MemoryPath,
    },
    /// The journal cannot be read.
    #[error("the redo journal {} is damaged: {reason}", .path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A revision, tag, time or session that git does not know.
    #[error("{0} is not in the workspace's history")]
    UnknownRevision(String),
    /// A branch cannot be had, made or merged.
    #[error("branch {name}: {reason}")]
    Branch {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// Another history cannot come in.
    #[error("{from} cannot be merged: {reason}")]
    Merge {
        /// Where it is from.
        from: String,
        /// Why.
        reason: String,
        /// What to do instead.
        hint: &'static str,
    },
    /// A sub-agent would change something.
    #[error("agent {0:?} has the role of a sub-agent, which reads the memory, proposes and changes nothing")]
    SubAgent(String),
    /// An agent that has given its name would change what only a person may.
    #[error("{agent} is an agent, and changing {path} is for a person to do")]
    ForAPerson {
        /// The agent.
        agent: String,
        /// The first such file.
        path: MemoryPath,
    },
    /// What only the operator may approve lacks their signature.
    #[error("{} needs the operator's approval: {reason}", named(.paths))]
    Unsigned {
        /// The files that would change.
        paths: Vec<MemoryPath>,
        /// Why there is no signature.
        reason: String,
    },
    /// What the operator signed cannot be told any more.
    #[error("what the operator signed is not certain: {0}")]
    Approvals(String),
}

/// A few paths by name, and how many more.
fn named(paths: &[MemoryPath]) -> String {
    const NAMED: usize = 3;
    let names: Vec<&str> = paths.iter().take(NAMED).map(MemoryPath::as_str).collect();
    match paths.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

impl LedgerError {
    pub(crate) fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { what, path, source }
    }

    pub(crate) fn git<E>(what: impl Into<String>) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let what = what.into();
        move |source| Self::Git { what, source: source.into() }
    }

    /// The class of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NoWorkspace(_)
            | Self::Path(_)
            | Self::UnknownRevision(_)
            | Self::Edit { .. }
            | Self::Branch { .. }
            | Self::Merge { .. } => ErrorKind::Usage,
            Self::Locked { .. } | Self::IndexLocked(_) | Self::Crossing { .. } => ErrorKind::Locked,
            Self::Journal { .. } | Self::DetachedHead | Self::RepositoryBusy(_) | Self::Unfinished { .. } => {
                ErrorKind::Integrity
            }
            Self::Sealed { .. }
            | Self::AppendOnly { .. }
            | Self::SymbolicLink { .. }
            | Self::SubAgent(_)
            | Self::ForAPerson { .. }
            | Self::Unsigned { .. }
            | Self::Approvals(_) => ErrorKind::Refused,
            Self::Io { .. } | Self::Git { .. } => ErrorKind::Internal,
        }
    }

    /// What to do next, where there is something to do.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoWorkspace(_) => "run `rem init` there, or name another folder with -C".to_owned(),
            Self::Io { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull => {
                    "the disk is full: nothing was changed; make room and run the command again".to_owned()
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "the folder is not writable for this user: reading commands still work".to_owned()
                }
                _ => return None,
            },
            Self::RepositoryBusy("a merge") => {
                "`git merge --abort`, then `rem merge FOLDER|REMOTE` takes the same in by the formats of a memory and stops at nothing; or settle by hand what `git status` names, and `git commit`".to_owned()
            }
            Self::RepositoryBusy(what) => {
                format!("finish or abort {what} with git, then run the command again")
            }
            Self::DetachedHead => {
                "run `git switch main` (or another branch) in the workspace, then run the command again"
                    .to_owned()
            }
            Self::IndexLocked(_) => {
                "if no git program is running there, `rem doctor --fix` removes it".to_owned()
            }
            Self::Locked { .. } => {
                "wait for its owner to finish; a lock whose owner died is taken over by itself".to_owned()
            }
            Self::Unfinished { .. } => {
                "nothing is lost: the next command completes it; `rem doctor` says what is in the way"
                    .to_owned()
            }
            Self::Sealed { .. } => "closed transcripts are evidence; write a correction instead".to_owned(),
            Self::AppendOnly { .. } => {
                "add what is right at its end; `rem forget --id ID --permanent` takes an entry out".to_owned()
            }
            Self::SubAgent(_) => {
                "propose it (`rem proposals add`, memory_propose): the main agent decides what is remembered"
                    .to_owned()
            }
            Self::ForAPerson { .. } => {
                "tell your user what you would change, and let them run the command themselves".to_owned()
            }
            Self::Unsigned { .. } => {
                "run the command yourself at a terminal, where you are asked for your passphrase".to_owned()
            }
            Self::Approvals(_) => {
                "nothing was changed. `rem operator show` says what is wrong; `git log -p -- memory/meta/approvals.md` has what became of them, and `rem operator sign` approves what stands".to_owned()
            }
            Self::SymbolicLink { .. } => "put the file itself into the workspace".to_owned(),
            Self::Crossing { .. } => "close the file in other programs and run the command again".to_owned(),
            Self::Journal { .. } => "`rem doctor` shows what the journal holds".to_owned(),
            Self::UnknownRevision(_) => {
                "`rem history changed` and `rem tag list` show what there is".to_owned()
            }
            Self::Branch { .. } => "`rem branch list` names the branches".to_owned(),
            Self::Merge { hint, .. } => (*hint).to_owned(),
            Self::Path(_) | Self::Git { .. } | Self::Edit { .. } => return None,
        })
    }
}
