//! `rem mcp`: the memory as an MCP server over standard input and output.
//!
//! This file owns the life of the process: it answers `initialize` at once, looks through the workspace beside it, and ends when its
//! client does: end of input, a pipe that nobody reads, or a signal. Standard output carries the protocol and nothing else. What was begun
//! is finished before the end, within a limit. The protocol itself is the SDK's; what the tools do is in `tools/`, one file each.
//!
//! Must not write to a file, print, or know what a memory means.

mod arguments;
mod call;
mod client;
mod failure;
mod handler;
mod prompts;
mod resources;
mod tools;
mod uri;
mod workspace;

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use rem_mind::MemoryOptions;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use self::client::Pipes;
pub use self::failure::Failure;
use self::handler::Server;

/// Finds the workspace; asked again with every call, for it may be made, moved or deleted while the server runs.
pub type Finder = Box<dyn Fn() -> Result<PathBuf, Failure> + Send + Sync>;

/// Calls that are worked on at once. More wait: they would wait at the door and at the index anyway.
const AT_ONCE: usize = 4;
/// Threads for them, for the first look, and two for standard input and output where they are no pipes.
const THREADS: usize = AT_ONCE + 3;
/// How long the end waits for calls that are under way.
const LAST_CALLS: Duration = Duration::from_secs(5);

/// What a server is started with.
pub struct McpOptions {
    /// Where the workspace is.
    pub workspace: Finder,
    /// The surroundings, with the name and the role of the agent.
    pub memory: MemoryOptions,
    /// The machine's own time, which file times are compared with.
    pub machine_time: fn() -> SystemTime,
}

impl std::fmt::Debug for McpOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("McpOptions").field("memory", &self.memory).finish_non_exhaustive()
    }
}

/// Why there could be no server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The runtime could not be made.
    #[error("the server could not be started")]
    Runtime(#[source] std::io::Error),
    /// The client and the server did not come to an understanding.
    #[error("the client did not open a session")]
    Handshake(#[source] Box<ServerInitializeError>),
}

/// Serves one client over standard input and output, until it ends.
///
/// # Errors
/// [`ServeError`]; a client that goes away is none.
pub fn serve(options: McpOptions) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()
        .map_err(ServeError::Runtime)?;
    let outcome = runtime.block_on(serving(options));
    // A thread may still wait for input, or build the index; neither is worth waiting for, and both can be cut off.
    runtime.shutdown_background();
    outcome
}

async fn serving(options: McpOptions) -> Result<(), ServeError> {
    let ended = CancellationToken::new();
    tokio::spawn(end_on_signal(ended.clone()));
    let server = Server::new(options, AT_ONCE);
    server.begin_looking();
    let (input, output) = rmcp::transport::stdio_pipes();
    let pipes = Pipes::new(input, output, ended.clone());
    let running = match server.clone().serve_with_ct(pipes, ended).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(ServeError::Handshake(Box::new(error))),
    };
    if let Err(error) = running.waiting().await {
        tracing::error!("the session ended badly: {error}");
    }
    if tokio::time::timeout(LAST_CALLS, server.finished()).await.is_err() {
        tracing::warn!("a call is cut off; what it had acknowledged is kept");
    }
    Ok(())
}

/// Ends the session when the system asks for it.
async fn end_on_signal(ended: CancellationToken) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut terminate), Ok(mut hang_up)) =
            (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
        else {
            return;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = hang_up.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        return;
    }
    ended.cancel();
}
