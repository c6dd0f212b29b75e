//! What a reflection proposes, and what became of it (seed M10.4 to M10.6).
//!
//! Four files: `pending-reflection.md`, which a person reads; `pending-reflection.json`, its twin, from which what is approved is
//! applied; `reflection-log.md`, what was decided; `evolution.md`, what was understood on the way. The document follows from the twin
//! alone. Must not know how an item is found or applied.

mod document;
mod log;
mod twin;

pub use document::document;
pub use log::{
    Decided, Decision, LogEntry, MILESTONES, Past, append_evolution, append_log, due_milestone, past,
    recurring,
};
pub use twin::{Insights, Item, ItemKind, PendingReflection, Processed, Quoted, ReflectionTrigger};
