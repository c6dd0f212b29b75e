//! Turning text into vectors.

pub mod builtin;
mod table;
mod wordpiece;
