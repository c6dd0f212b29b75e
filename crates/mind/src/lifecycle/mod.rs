//! What becomes of memories with time: taken out of talk, and put away when they are old.

mod branches;
pub mod compact;
pub mod condense;
mod describing;
mod done;
pub mod extract;
pub(crate) mod forgotten;
pub(crate) mod hygiene;
pub mod joining;
pub(crate) mod keeping;
mod linking;
pub mod mine;
mod narrating;
pub mod prune;
mod reading;
pub mod reconstruct;
pub(crate) mod records;
pub(crate) mod removal;
mod unlearned;
mod unsaid;
mod untelling;
