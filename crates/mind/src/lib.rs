//! What the memory does. [`Memory`] is the one façade: commands, MCP, HTTP and other programs call it and nothing below.
//!
//! This crate never prints, reads the environment or the home directory, and starts no thread that it does not join. Time,
//! time zone, secrets and the agent's name come in through [`MemoryOptions`]. Whatever it changes goes through the ledger's door.

mod adopt;
pub mod attention;
mod checks;
pub mod echo;
mod embedding;
mod error;
pub mod import;
pub mod jobs;
mod memory;
mod patterns;
mod providers;
mod search;
mod status;
pub mod stores;
pub mod transcripts;
mod wording;
mod workspace;

pub use adopt::{AdoptOutcome, Recognised};
pub use checks::CommitCheck;
pub use embedding::Encoding;
pub use error::{MemoryError, Outcome};
pub use memory::{Memory, MemoryOptions, SecretSource, find_workspace};
pub use rem_ledger as ledger;
pub use rem_recall as recall;
pub use status::{ContextStatus, GitStatus, IndexStatus, Pending, Status, TranscriptStatus};
