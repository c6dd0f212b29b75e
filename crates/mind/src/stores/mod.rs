//! What is remembered: where a memory goes, how it is kept, how it fades.

pub mod confidence;
pub(crate) mod core;
pub(crate) mod elsewhere;
mod fading;
mod forget;
mod graph;
mod graph_index;
pub(crate) mod incoming;
mod journal;
pub(crate) mod links;
pub(crate) mod locate;
pub(crate) mod merge;
mod people;
pub(crate) mod places;
mod procedures;
pub(crate) mod projects;
pub mod promote;
pub(crate) mod reliance;
pub(crate) mod remember;
pub(crate) mod renaming;
pub mod router;
pub(crate) mod statement;

pub(crate) use core::is_within;
pub use fading::{DecayReport, StandingShown, Transition};
pub use forget::ForgetOutcome;
pub use graph::{EntityShown, FactShown, Relation, Step, Way};
pub use graph_index::GraphIndexOutcome;
pub use journal::{JournalChange, JournalDay, JournalShown};
pub use links::Backlinks;
pub use locate::{Located, Shown};
pub use merge::{Duplicate, Graph};
pub use people::{Person, PersonShown};
pub use procedures::Procedure;
pub use projects::{NoteKind, PageShown, Project, ProjectChange, ProjectShown};
pub use remember::{Effect, RememberOutcome, RememberRequest};
pub use renaming::RenameOutcome;
