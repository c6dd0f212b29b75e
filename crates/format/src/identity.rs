//! How an agent's identity grows, and what became of each step (seed P5.2).
//!
//! Three files: `pending-identity.md`, which a person reads; `pending-identity.json`, its twin, from which what is approved is applied;
//! CHANGELOG.md, every change of SOUL.md with all that speaks for it. The document follows from the twin alone. Must not know how a
//! candidate is found, nor when one may become a principle.

mod changelog;
mod document;
mod twin;

pub use changelog::{Change, Logged, Verb, append_changes, evidence_line, logged};
pub use document::document;
pub use twin::{Growth, GrowthKind, Leaving, LeavingTo, Occurrence, OccurrenceKind, PendingIdentity};
