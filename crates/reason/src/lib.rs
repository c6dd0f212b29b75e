//! What is asked of a language model, and counted for one.
//!
//! This crate knows nothing of the workspace: it is given texts and answers with texts and numbers. Counting
//! tokens lives in [`tokens`]; everything that has a token budget counts with it and with nothing else. [`http`] is how any
//! provider is asked, of vectors too; [`model`] asks a language model; [`command`] asks a program of the person's own.

pub mod command;
pub mod http;
pub mod model;
pub mod tokens;

pub use command::CommandError;
pub use model::{ChatProvider, Model, ModelError, ModelSettings, Question};
pub use tokens::count_tokens;
