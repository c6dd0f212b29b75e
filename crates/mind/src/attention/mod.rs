//! Attention: what the agent sees before it answers.
//!
//! `budget` says how many tokens each slot has, `context` fills the slots, `division` divides what does not fit
//! as a whole, `quotation` fences what nobody vouches for. All of it is pure: the candidates are given, and the
//! same candidates give the same context, byte for byte.

pub mod budget;
pub mod context;
mod division;
mod quotation;

#[cfg(test)]
mod tests;
