//! The one door: every change to a memory file goes through [`Ledger::apply`], and nothing else writes one.
//!
//! Owns the layout, the locks, atomic change sets, the redo journal, git, the audit log, rollback and verification.
//! Its invariant: what `apply` acknowledged is on disk, exactly once, as files, as a commit and as audit lines, whatever
//! crashed when. It does not know what a memory means.

mod alert;
mod apply;
mod audit_log;
mod batch;
mod branch;
mod change;
mod clock;
mod consent;
mod described;
mod digest;
mod door;
mod driver;
mod error;
mod event;
pub mod fault;
mod files;
mod git;
mod history;
mod hooks;
mod init;
mod layout;
mod ledger;
mod lock;
mod merge;
mod outside;
mod private;
mod recover;
mod redo;
mod role;
mod rollback;
mod shape;
mod staging;
mod survey;
mod tag;
mod transcript_log;
mod user_state;
mod verify;
mod walk;
mod watch;

pub use audit_log::AuditQuery;
pub use branch::{Branch, BranchKind, BranchedFile};
pub use change::{Applied, ChangeSet, EditError, FileChange, Provenance, Results, Staged};
pub use clock::{Clock, FixedClock};
pub use consent::{
    Consent, ConsentFile, ConsentRequest, KeyError, OperatorKey, SIGNATURE_NAMESPACE, SignedState, Signer,
    armored, fingerprint, keys_of_agent, public_half, public_key, sign_by_agent,
};
pub use described::Undescribed;
pub use digest::DigestOutcome;
pub use driver::merge_for_git;
pub use error::{ErrorKind, LedgerError};
pub use history::{Difference, HistoryEntry, LineOrigin, Snapshot};
pub use init::InitOutcome;
pub use layout::{Layout, LayoutError, LayoutPreset, Store};
pub use ledger::{Ledger, LedgerOptions, is_workspace};
pub use lock::{AdvisoryLock, LockPolicy};
pub use merge::{AS_IT_IS, FileClash, Incoming, IncomingFile};
pub use outside::{OutsideChange, RepositoryState, StagedChange};
pub use private::PrivateLock;
pub use role::AgentRole;
pub use rollback::RollbackOutcome;
pub use staging::StagedFile;
pub use survey::Survey;
pub use tag::{TagKind, TagOutcome};
pub use transcript_log::{Appended, Found};
pub use user_state::UserState;
pub use verify::{Finding, Severity, VerifyReport};
pub use walk::{ListedFile, Listing, Unread, is_skipped_folder};
