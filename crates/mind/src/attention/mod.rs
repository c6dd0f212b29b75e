//! Attention: what the agent sees before it answers.
//!
//! `budget` says how many tokens each slot has, `compiled` is what goes in and comes out, `context` fills the slots, `division`
//! divides what does not fit as a whole, `quotation` fences what is data, `data` shortens pictures and archives, `repeated` finds what would stand there twice,
//! `reversals` finds what a later word changed. These are pure: the same candidates give the same context, byte for byte.
//! `candidates`, `profiles` and `window` find them in the workspace, `struck` strikes out of playbooks what was corrected, `private` holds back what no group
//! sees, `topics` says which playbooks are active, `handed_out` keeps what a session was given, `receipt` what a context was made of, for making it again.

mod budget;
mod candidates;
mod compiled;
mod context;
mod data;
mod division;
mod handed_out;
mod knowledge;
mod observe;
mod private;
mod profiles;
mod quotation;
mod receipt;
mod repeated;
mod reversals;
mod struck;
pub mod topics;
pub mod triage;
mod window;

pub use budget::{Overrides, Plan, Slot, Source};
pub use candidates::ContextQuery;
pub use compiled::{
    Audience, Candidate, CompiledContext, ContextRequest, Dropped, FilledSlot, IdentityTooLarge, Item,
};
pub use context::compile;
pub use handed_out::HandedOut;
pub use observe::{Observation, Observed, ObservedTopic};
pub use receipt::{Receipt, ReceiptArguments, ReceiptItem, ReceiptSlot};
pub use window::{HistoryTurn, parse_history};

#[cfg(test)]
mod tests;
