//! Servers over the façade: MCP over standard input and output ([`mcp`]), and MCP, a JSON API, webhooks and what is done by the clock
//! over HTTP ([`http`]).
//!
//! The async runtime lives in this crate alone. `Memory` is synchronous, so whatever asks it runs on a thread of its own. Nothing here
//! decides what the memory does: it calls `Memory` and gives its shapes back, the same that `--json` prints.

mod arguments;
mod call;
mod failure;
pub mod http;
mod interrupt;
#[cfg(unix)]
pub mod local;
pub mod mcp;
mod operations;
mod signal;
mod worker;
mod workspace;

use std::path::PathBuf;
use std::time::SystemTime;

use rem_mind::MemoryOptions;

pub use self::failure::Failure;
pub use self::interrupt::on_interrupt;

/// Finds the workspace; asked again with every call, for it may be made, moved or deleted while the server runs.
pub type Finder = Box<dyn Fn() -> Result<PathBuf, Failure> + Send + Sync>;

/// What a server is started with.
pub struct ServerOptions {
    /// Where the workspace is.
    pub workspace: Finder,
    /// The surroundings, with the name and the role of the agent.
    pub memory: MemoryOptions,
    /// The machine's own time, which file times are compared with.
    pub machine_time: fn() -> SystemTime,
    /// What is done for other processes of this machine that ask over the workspace's socket; nobody is answered where there is none.
    #[cfg(unix)]
    pub local: Option<local::LocalWork>,
}

impl std::fmt::Debug for ServerOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ServerOptions").field("memory", &self.memory).finish_non_exhaustive()
    }
}
