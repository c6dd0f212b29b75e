//! Turning text into vectors.

pub(crate) mod builtin;
mod table;
mod wordpiece;
