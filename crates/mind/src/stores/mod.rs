//! What is remembered: where a memory goes, how it is kept, how it fades.

pub mod confidence;
mod core;
mod fading;
mod forget;
mod graph;
mod incoming;
mod locate;
mod merge;
mod places;
pub mod promote;
mod remember;
pub mod router;
mod statement;

pub(crate) use core::is_within;
pub use fading::{DecayReport, Transition};
pub use forget::ForgetOutcome;
pub use graph::{EntityShown, FactShown, Relation};
pub use locate::Located;
pub use merge::{Duplicate, Graph};
pub use remember::{Effect, RememberOutcome, RememberRequest};
