//! What is asked of a language model, and counted for one.
//!
//! This crate knows nothing of the workspace: it is given texts and answers with texts, values and numbers. Counting tokens lives in
//! [`tokens`]; everything that has a token budget counts with it and with nothing else. A [`task`] is a [`prompt`] with the [`schema`] of
//! its answer; a [`model`] is asked, over [`http`] or by a [`command`] of the person's own; [`answer`] finds the answer in what was
//! said and checks it. [`spending`] is the arithmetic of what that costs.

pub mod answer;
pub mod command;
pub mod http;
pub mod model;
pub mod prompt;
pub mod proxy;
pub mod schema;
pub mod spending;
pub mod task;
pub mod tokens;

pub use command::CommandError;
pub use model::{ChatProvider, Model, ModelError, ModelSettings, Question, Said, Tokens};
pub use prompt::{Prompt, Values};
pub use schema::Schema;
pub use task::{Prepared, Task, Tier};
pub use tokens::count_tokens;
