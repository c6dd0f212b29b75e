//! Turning text into vectors.

pub mod builtin;
