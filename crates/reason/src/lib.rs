//! What is asked of a language model, and counted for one.
//!
//! This crate knows nothing of the workspace: it is given texts and answers with texts and numbers. Counting
//! tokens lives in [`tokens`]; everything that has a token budget counts with it and with nothing else.

pub mod tokens;

pub use tokens::count_tokens;
