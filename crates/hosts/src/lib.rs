//! Agent hosts: what they say in their hooks, what they want to hear, and what stands in their settings.
//!
//! Owns the shapes of each host and nothing else: what is done with a message is the façade's. Reads what a host gives leniently, because
//! a hook that fails must never be noticed by who types. Must not print, read the environment or hold logic of the memory.

pub mod connect;
pub mod hook;
mod host;

pub use host::Host;
