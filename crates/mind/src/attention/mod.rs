//! Attention: what the agent sees before it answers.
//!
//! `budget` says how many tokens each slot has, `context` fills the slots, `division` divides what does not fit
//! as a whole, `quotation` fences what nobody vouches for, `superseded` takes out what a later word replaced. These are
//! pure: the same candidates give the same context, byte for byte. `candidates` finds them in the workspace, `handed_out` keeps
//! what a session was given.

mod budget;
mod candidates;
mod context;
mod division;
mod handed_out;
mod quotation;
mod superseded;
pub mod triage;

pub use budget::{Overrides, Plan, Slot, Source};
pub use context::{Audience, Candidate, CompiledContext, ContextRequest, Dropped, FilledSlot, Item, compile};
pub use handed_out::HandedOut;

#[cfg(test)]
mod tests;
