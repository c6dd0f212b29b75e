//! `rem serve`: the memory over HTTP, for as long as it is wanted.
//!
//! One process does all that a long life is good for: MCP at `/mcp`, the JSON API below `/api/v1`, webhooks for topics, `/metrics`, the
//! jobs that are due, and following the files. This file owns its life: one server for a workspace, the address, the first token, and an
//! end that finishes what was acknowledged. Who may ask is decided in `guard`, before a body is read.
//!
//! Must not write to a file, print, or know what a memory means.

mod api;
mod connections;
mod guard;
mod lease;
mod metrics;
mod openapi;
mod reply;
mod tokens;
mod upkeep;
mod webhook;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{get, post};
use rem_format::json_text::without_lone_surrogates;
use rem_mind::{Memory, Outcome};
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::tower::StreamableHttpService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use self::guard::Guard;
use self::lease::Lease;
use self::metrics::Metrics;
pub use self::tokens::{NewToken, Token, Tokens};
use crate::failure::Failure;
use crate::signal::end_on_signal;
use crate::worker::{AT_ONCE, Worker};
use crate::workspace::Workspace;
use crate::{ServerOptions, mcp};

/// Threads for calls, for following the files, for jobs, and for the signal of the end.
const THREADS: usize = AT_ONCE as usize + 4;
/// Calls that may wait for their turn; more are sent away at once.
const MOST_WAITING: usize = 256;
/// How long the end waits for what is under way.
const LAST_CALLS: Duration = Duration::from_secs(10);

/// What a server is started with.
#[derive(Debug)]
pub struct HttpOptions {
    /// The workspace and the surroundings.
    pub server: ServerOptions,
    /// Where to listen; `server.address` of CONFIG.md where nothing is said.
    pub address: Option<String>,
    /// Bytes that nobody can guess, for a token, where the workspace has none yet.
    pub random: [u8; 32],
}

/// A server that listens.
#[derive(Debug)]
pub struct Listening {
    /// Where.
    pub address: SocketAddr,
    /// The token that was made because there was none. It cannot be shown again.
    pub token: Option<NewToken>,
}

/// What all requests share.
struct Shared {
    worker: Worker,
    guard: Guard,
    metrics: Metrics,
    waiting: Semaphore,
    body_limit: usize,
}

/// Serves until a signal ends it. `announce` is told once it listens.
///
/// # Errors
/// [`Failure`] where there is no workspace, another server has it, or the address cannot be had.
pub fn serve(options: HttpOptions, announce: impl FnOnce(&Listening)) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()
        .map_err(|error| failed("the server could not be started", &error))?;
    let outcome = runtime.block_on(serving(options, announce));
    // What is still under way was given its time; whatever it acknowledged is in the journal.
    runtime.shutdown_background();
    outcome
}

async fn serving(options: HttpOptions, announce: impl FnOnce(&Listening)) -> Result<(), Failure> {
    let workspace = Arc::new(Workspace::new(options.server));
    let memory = workspace.memory()?;
    memory.ledger().may_change()?;
    let lease = Arc::new(Lease::take(&memory)?);
    let listener = listen(&memory, options.address.as_deref()).await?;
    let address = listener.local_addr().map_err(|error| failed("the address is not known", &error))?;
    let tokens = Tokens::of(&memory);
    let token = match tokens.list().is_empty() {
        true => {
            Some(tokens.add(&workspace.own().agent, rem_mind::ledger::AgentRole::Main, options.random)?)
        }
        false => None,
    };
    lease.tell(&memory, address)?;
    let ended = CancellationToken::new();
    // A second signal ends the waiting for what is under way.
    let at_once = CancellationToken::new();
    let (first, second) = (end_on_signal(ended.clone()), at_once.clone());
    tokio::spawn(async move {
        first.await;
        end_on_signal(second).await;
    });
    announce(&Listening { address, token });
    #[cfg(unix)]
    let _local = workspace.listen_locally();

    let worker = Worker::new(workspace);
    let shared = Arc::new(Shared {
        guard: Guard::new(&memory, address),
        metrics: Metrics::new(memory.now()),
        waiting: Semaphore::new(MOST_WAITING),
        body_limit: body_limit(&memory),
        worker: worker.clone(),
    });
    let upkeep = upkeep::begin(&shared, &ended);
    let holding = tokio::spawn(upkeep::hold(shared.clone(), lease.clone(), address, ended.clone()));
    let deadline = connections::serve(listener, router(&shared, &ended), &shared, &ended, &at_once).await;
    let finished = async {
        worker.finished().await;
        upkeep.finished().await;
    };
    tokio::select! {
        done = tokio::time::timeout_at(deadline, finished) => if done.is_err() {
            tracing::warn!("something is cut off; what it had acknowledged is kept");
        },
        () = at_once.cancelled() => tracing::warn!("ended at once; what was acknowledged is kept"),
    }
    if let Err(error) = memory.ledger().checkpoint() {
        tracing::info!("the journal is kept for the next start: {error}");
    }
    drop(lease);
    match holding.await {
        Ok(Some(lost)) => Err(lost),
        _ => Ok(()),
    }
}

/// All routes, behind the guard.
fn router(shared: &Arc<Shared>, ended: &CancellationToken) -> Router {
    let worker = shared.worker.clone();
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(ended.child_token())
        .with_max_request_body_bytes(shared.body_limit)
        // Host and Origin are the guard's business, for every route alike.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let server = move || Ok(mcp::Server::new(worker.clone()));
    let mcp = StreamableHttpService::new(server, Arc::new(LocalSessionManager::default()), config);
    Router::new()
        .route("/health", get(reply::healthy))
        .route("/metrics", get(metrics::show))
        .route("/webhook/{source}", post(webhook::receive))
        .route("/api/v1/openapi.json", get(openapi::show))
        .merge(api::routes())
        .merge(
            Router::new()
                .route_service("/mcp", mcp)
                .layer(middleware::from_fn_with_state(shared.clone(), mended)),
        )
        .fallback(reply::no_such_address)
        .method_not_allowed_fallback(reply::wrong_method)
        .layer(middleware::from_fn_with_state(shared.clone(), guard::check))
        .with_state(shared.clone())
}

/// Half an emoji, where a host cut a text, is no reason to refuse a message.
async fn mended(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    match api::whole(body, shared.body_limit).await {
        Ok(bytes) => {
            let body = Body::from(without_lone_surrogates(&bytes).into_owned());
            next.run(Request::from_parts(parts, body)).await
        }
        Err(refused) => refused,
    }
}

/// The address that a person names; of names `localhost` alone, so that nobody is asked what a name means.
fn place_of(wanted: &str) -> Option<SocketAddr> {
    let of_name = wanted.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    of_name.map(|port: u16| SocketAddr::from(([127, 0, 0, 1], port))).or_else(|| wanted.parse().ok())
}

/// Listens where the person says, or CONFIG.md does.
async fn listen(memory: &Memory, address: Option<&str>) -> Result<TcpListener, Failure> {
    let configured = &memory.config().server.address;
    let wanted = address.unwrap_or(configured);
    let place = place_of(wanted).ok_or_else(|| {
        Failure::new(
            format!("{wanted:?} is no address to listen at"),
            "write it as 127.0.0.1:7077, [::1]:7077 or localhost:7077",
        )
    })?;
    if address.is_none() && !place.ip().is_loopback() && !memory.is_trusted() {
        return Err(Failure::new(
            format!("CONFIG.md would open the memory to other machines at {place}"),
            "if you want that, say it yourself: `rem serve --addr ADDRESS`, or `rem trust`",
        )
        .with_outcome(Outcome::Refused));
    }
    if !place.ip().is_loopback() {
        tracing::warn!("{place} is reached from other machines, and what is sent there is not encrypted");
    }
    TcpListener::bind(place).await.map_err(|error| {
        let failure = Failure::new(
            format!("cannot listen at {place}: {error}"),
            "another program has it: choose another with --addr, such as --addr 127.0.0.1:0 for any free one",
        );
        failure.with_outcome(Outcome::Internal)
    })
}

fn body_limit(memory: &Memory) -> usize {
    usize::try_from(memory.config().server.body_limit_kib).unwrap_or(usize::MAX).saturating_mul(1024)
}

fn failed(what: &str, error: &(dyn std::error::Error + 'static)) -> Failure {
    Failure::of(error, None).after(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_number_or_this_machine() {
        let told = |wanted: &str| place_of(wanted).map(|place| place.to_string());
        assert_eq!(told("localhost:7077").as_deref(), Some("127.0.0.1:7077"));
        assert_eq!(told("[::1]:0").as_deref(), Some("[::1]:0"));
        for wrong in ["localhost", "localhost:", "localhost:70770", "example.com:80", "7077"] {
            assert_eq!(told(wrong), None, "{wrong}");
        }
    }
}
