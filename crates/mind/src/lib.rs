//! What the memory does. [`Memory`] is the one façade: commands, MCP, HTTP and other programs call it and nothing below.
//!
//! This crate never prints, reads the environment or the home directory, and starts no thread that it does not join. Time,
//! time zone, secrets and the agent's name come in through [`MemoryOptions`]. Whatever it changes goes through the ledger's door.
//!
//! A program of yours that remembers:
//!
//! ```
//! use std::sync::Arc;
//! use std::time::SystemTime;
//!
//! use jiff::{Timestamp, tz::TimeZone};
//! use rem_mind::attention::{Observation, topics::Nobody};
//! use rem_mind::format::transcript::Role;
//! use rem_mind::ledger::{AgentRole, Clock};
//! use rem_mind::stores::RememberRequest;
//! use rem_mind::{Memory, MemoryOptions, Proxies};
//!
//! #[derive(Debug)]
//! struct SystemClock;
//!
//! impl Clock for SystemClock {
//!     fn now(&self) -> Timestamp {
//!         Timestamp::now()
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path().join("memory");
//! let options = MemoryOptions {
//!     clock: Arc::new(SystemClock),
//!     time_zone: TimeZone::system(),
//!     agent: String::new(),
//!     role: AgentRole::Main,
//!     secret: Arc::new(|_| None),
//!     trusts_providers: false,
//!     user_state: None,
//!     proxies: Proxies::default(),
//!     signer: None,
//! };
//! let (memory, _) = Memory::init(&folder, None, options)?; // `Memory::open` where there is one
//!
//! // A message of a session: captured, and answered with what the model should see.
//! let message = Observation::new("session-1", Role::User, "Where does the boat lie in winter?");
//! let observed = memory.observe(&message, &Nobody, SystemTime::now())?;
//! println!("{}", observed.context.map(|context| context.text).unwrap_or_default());
//!
//! // Something worth keeping, and a question.
//! memory.remember(&RememberRequest { text: "The boat lies in the shed in winter".to_owned(), ..RememberRequest::default() })?;
//! let answer = memory.catch_up_and_recall(&memory.query("winter"), SystemTime::now(), &mut |_| {})?;
//! assert!(answer.results.iter().any(|hit| hit.text.contains("shed")));
//! # Ok(())
//! # }
//! ```

mod acting;
mod adopt;
pub mod agents;
mod alerts;
pub mod attention;
mod checks;
mod decision;
pub mod echo;
mod embedding;
mod error;
mod filters;
pub mod identity;
pub mod import;
mod indexes;
pub mod jobs;
pub mod lifecycle;
mod memory;
mod patterns;
mod providers;
pub mod reasoning;
pub mod reflection;
mod search;
mod status;
pub mod stores;
pub mod transcripts;
mod trust;
mod wording;
mod workspace;

pub use adopt::{AdoptOutcome, Recognised};
pub use alerts::AlertedFile;
pub use checks::CommitCheck;
pub use decision::ReviewDecision;
pub use embedding::Encoding;
pub use error::{MemoryError, Outcome};
pub use memory::{Memory, MemoryOptions, SecretSource, find_workspace};
pub use rem_format as format;
pub use rem_ledger as ledger;
pub use rem_reason::proxy::Proxies;
pub use rem_recall as recall;
pub use status::{ContextStatus, GitStatus, IndexStatus, Pending, Status, TranscriptStatus};
pub use trust::Trust;
