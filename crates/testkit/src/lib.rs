//! Scenes for tests: a temporary workspace over the façade, a clock that moves when told, git without configuration.
//!
//! Everything lies in a temporary folder of its own and vanishes with it. What is written here is written as a person or
//! another program would, past the one door: that is the point. Must not ship, and must not reach outside that folder.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests set the scene themselves, and a scene that cannot be set is a failed test"
)]

mod folder;
mod operator;
mod server;
mod workspace;

pub use folder::{copy_folder, files, git, git_command, samples, write};
pub use operator::Operator;
pub use server::{Reply, Request, Server, Stream, embedding_of};
pub use workspace::{MORNING, Workspace, machine_time, options, processor_time};
