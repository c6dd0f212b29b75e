//! Git, for the ledger: commits without an external program, everything rarer through it.
//!
//! A commit on the path of a change writes blobs, the trees that changed and the commit, moves the branch and brings the
//! index up to date; it needs no user name, runs no hook and asks no configuration outside the repository.

mod index;
mod program;
mod repository;
mod split;

pub(crate) use index::IndexLock;
pub(crate) use program::{Program, git_folder_of};
pub(crate) use repository::{CommitInfo, Contents, PathChange, Repository};
