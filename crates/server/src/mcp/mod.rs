//! `rem mcp`: the memory as an MCP server over standard input and output.
//!
//! This file owns the life of the process: it answers `initialize` at once, looks through the workspace beside it, and ends when its
//! client does: end of input, a pipe that nobody reads, or a signal. Standard output carries the protocol and nothing else. What was begun
//! is finished before the end, within a limit. The protocol itself is the SDK's; what the tools do is in `operations/`, one file each.
//!
//! Must not write to a file, print, or know what a memory means.

mod client;
mod handler;
mod lines;
mod parameters;
mod prompts;
mod resources;
mod tools;
pub(crate) mod uri;

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use self::client::Pipes;
pub(crate) use self::handler::Server;
use crate::ServerOptions;
use crate::signal::end_on_signal;
use crate::worker::{AT_ONCE, Worker};
use crate::workspace::Workspace;

/// Threads for calls, for the first look, and two for standard input and output where they are no pipes.
const THREADS: usize = AT_ONCE as usize + 3;
/// How long the end waits for calls that are under way.
const LAST_CALLS: Duration = Duration::from_secs(5);

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
pub fn serve(options: ServerOptions) -> Result<(), ServeError> {
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

async fn serving(options: ServerOptions) -> Result<(), ServeError> {
    let ended = CancellationToken::new();
    tokio::spawn(end_on_signal(ended.clone()));
    #[cfg(unix)]
    client::end_when_unread(ended.clone());
    let worker = Worker::new(Arc::new(Workspace::new(options)));
    let workspace = worker.workspace().clone();
    // Beside everything else. Where there is no workspace, each call will say so.
    #[cfg(unix)]
    let _local = workspace.listen_locally();
    tokio::task::spawn_blocking(move || workspace.first_look());
    let server = Server::new(worker.clone());
    let (input, output) = rmcp::transport::stdio_pipes();
    let pipes = Pipes::new(input, output, ended.clone());
    let running = match server.serve_with_ct(pipes, ended).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(ServeError::Handshake(Box::new(error))),
    };
    if let Err(error) = running.waiting().await {
        tracing::error!("the session ended badly: {error}");
    }
    if tokio::time::timeout(LAST_CALLS, worker.finished()).await.is_err() {
        tracing::warn!("a call is cut off; what it had acknowledged is kept");
    }
    Ok(())
}
