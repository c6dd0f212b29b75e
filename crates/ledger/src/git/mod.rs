//! Git, for the ledger: commits without an external program, everything rarer through it.
//!
//! A commit on the path of a change writes blobs, the trees that changed and the commit, moves the branch and brings the
//! index up to date; it needs no user name, runs no hook and asks no configuration outside the repository.

mod ignore;
mod index;
mod locks;
mod program;
mod repository;
mod split;
mod tracked;

pub(crate) use ignore::{Ignore, Verdict};
pub(crate) use index::IndexLock;
pub(crate) use program::{Program, git_folder_of};
pub(crate) use repository::{CommitInfo, Contents, PathChange, Repository, blob_id};
pub(crate) use tracked::{Doubt, Tracked, may_convert};
