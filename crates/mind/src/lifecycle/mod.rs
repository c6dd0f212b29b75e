//! What becomes of memories with time: taken out of talk, and put away when they are old.

pub mod compact;
pub mod extract;
mod hygiene;
pub(crate) mod keeping;
mod linking;
pub mod prune;
mod removal;
