//! What is remembered: where a memory goes, how it is kept, how it fades.

pub mod confidence;
mod core;
pub mod decay;
mod forget;
mod graph;
mod incoming;
mod journal;
mod locate;
mod merge;
mod people;
mod places;
mod procedures;
mod projects;
pub mod promote;
mod remember;
pub mod router;
mod statement;

pub(crate) use core::is_within;
pub use forget::ForgetOutcome;
pub use graph::{EntityShown, FactShown, Relation};
pub use journal::{JournalChange, JournalDay, JournalShown};
pub use locate::Located;
pub use merge::{Duplicate, Graph};
pub use people::{Person, PersonShown};
pub use procedures::Procedure;
pub use projects::{NoteKind, PageShown, Project, ProjectChange, ProjectShown};
pub use remember::{Effect, RememberOutcome, RememberRequest};
