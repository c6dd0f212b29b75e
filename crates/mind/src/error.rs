//! The errors of the façade, and the one table that maps their kinds to what surfaces report.

use std::path::PathBuf;

use rem_format::config::{ConfigErrors, SetError};
use rem_format::path::{MemoryPath, PathError};
use rem_format::transcript::TranscriptError;
use rem_ledger::{ErrorKind, LedgerError};
use thiserror::Error;

use crate::transcripts::redact::RedactError;

/// What an error means to a caller. The numbers are the exit codes of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything else.
    Internal = 1,
    /// The request makes no sense.
    Usage = 2,
    /// CONFIG.md is wrong.
    Configuration = 3,
    /// Somebody else holds what is needed.
    Locked = 4,
    /// Something does not agree that should.
    Integrity = 5,
    /// No model, or over the cap.
    NoModel = 6,
    /// A rule forbids it.
    Refused = 7,
}

/// An error of the façade.
#[derive(Debug, Error)]
pub enum MemoryError {
    /// The ledger's.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// CONFIG.md cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigErrors),
    /// A setting cannot be changed so.
    #[error(transparent)]
    Set(#[from] SetError),
    /// A configured store or path makes no sense.
    #[error("CONFIG.md: {key}: {reason}")]
    Setting {
        /// The key.
        key: String,
        /// What is wrong with its value.
        reason: String,
    },
    /// A redaction rule cannot be used.
    #[error("CONFIG.md: {0}")]
    Redaction(#[from] RedactError),
    /// There is no such session.
    #[error("there is no open session {0:?}")]
    NoSession(String),
    /// A transcript cannot be read.
    #[error("{path} cannot be read as a transcript")]
    Transcript {
        /// The file.
        path: MemoryPath,
        /// Why.
        source: TranscriptError,
    },
    /// A file outside the workspace cannot be read.
    #[error("could not read {}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Sessions of another host cannot be read.
    #[error(transparent)]
    Import(#[from] crate::import::ImportError),
    /// A search cannot be made.
    #[error(transparent)]
    Search(#[from] rem_recall::SearchError),
    /// A context cannot be compiled.
    #[error(transparent)]
    Context(#[from] crate::attention::IdentityTooLarge),
    /// A task for a model cannot be asked.
    #[error(transparent)]
    Task(#[from] rem_reason::task::TaskError),
    /// The request makes no sense.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do instead.
        hint: String,
    },
    /// It waits for a model, which may answer later.
    #[error("{why}")]
    Waits {
        /// Why no model answers now.
        why: String,
        /// What kind of reason that is.
        cause: crate::reasoning::Cause,
    },
    /// Another process is at it.
    #[error("{message}")]
    Busy {
        /// What is under way.
        message: String,
        /// What to do instead.
        hint: String,
    },
    /// A rule of the workspace forbids it.
    #[error("{message}")]
    Refused {
        /// What is refused, and by which rule.
        message: String,
        /// What to do instead.
        hint: String,
    },
}

impl From<PathError> for MemoryError {
    fn from(error: PathError) -> Self {
        Self::Ledger(LedgerError::Path(error))
    }
}

impl MemoryError {
    /// A request that makes no sense, and what to do instead.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: hint.into() }
    }

    /// What the error means to a caller.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Ledger(error) => match error.kind() {
                ErrorKind::Usage => Outcome::Usage,
                ErrorKind::Locked => Outcome::Locked,
                ErrorKind::Integrity => Outcome::Integrity,
                ErrorKind::Refused => Outcome::Refused,
                ErrorKind::Internal => Outcome::Internal,
            },
            Self::Config(_) | Self::Setting { .. } | Self::Redaction(_) => Outcome::Configuration,
            Self::Set(_) | Self::NoSession(_) | Self::Context(_) | Self::Usage { .. } => Outcome::Usage,
            Self::Waits { .. } => Outcome::NoModel,
            Self::Busy { .. } => Outcome::Locked,
            Self::Refused { .. } => Outcome::Refused,
            Self::Search(rem_recall::SearchError::Query(_)) | Self::Import(_) => Outcome::Usage,
            Self::Search(rem_recall::SearchError::Index(_)) => Outcome::Internal,
            Self::Transcript { .. } => Outcome::Integrity,
            Self::Read { .. } | Self::Task(_) => Outcome::Internal,
        }
    }

    /// What to do next, where there is something to do.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Ledger(error) => error.hint(),
            Self::Config(_) | Self::Setting { .. } | Self::Redaction(_) => {
                Some("edit CONFIG.md at that line; `rem config check` says whether it is right, docs/config.md lists every key".to_owned())
            }
            Self::NoSession(_) => Some("`rem capture start` opens one; `rem status` lists the open ones".to_owned()),
            Self::Context(_) => Some("give more tokens (--budget, --window, or the context settings of CONFIG.md), or shorten SOUL.md".to_owned()),
            Self::Usage { hint, .. } | Self::Busy { hint, .. } | Self::Refused { hint, .. } => {
                Some(hint.clone())
            }
            Self::Waits { .. } => Some("the next run tries again; docs/models.md says more".to_owned()),
            Self::Transcript { .. } => Some("`rem verify` says more about it".to_owned()),
            Self::Set(_) | Self::Read { .. } | Self::Search(_) | Self::Import(_) | Self::Task(_) => None,
        }
    }
}
