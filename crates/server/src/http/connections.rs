//! Connections: taken in while there is room, each with a limit for its head, and let finish at the end.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{LAST_CALLS, Shared};

/// Connections that are open at once; more wait in the system's queue.
const MOST: usize = 256;
/// How long the head of a request may take.
const HEAD: Duration = Duration::from_secs(10);
/// The pause where no connection can be taken in, as when the process has no file left.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until the end, then waits for those that are being answered.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    shared: &Arc<Shared>,
    ended: &CancellationToken,
    at_once: &CancellationToken,
) -> Instant {
    let open = Arc::new(Semaphore::new(MOST));
    let graceful = GracefulShutdown::new();
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(HEAD);
    loop {
        let taken = async {
            let place = open.clone().acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            taken = taken => taken,
            () = ended.cancelled() => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!("no connection can be taken in: {error}");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        // Answers are small; waiting for more of them is waiting for nothing.
        let _ = stream.set_nodelay(true);
        let connection =
            protocol.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        let connection = graceful.watch(connection);
        let connections = shared.metrics.connections.clone();
        connections.inc();
        tokio::spawn(async move {
            let _place = place;
            if let Err(error) = connection.await {
                tracing::debug!("a connection ended: {error}");
            }
            connections.dec();
        });
    }
    drop(listener);
    let deadline = Instant::now() + LAST_CALLS;
    tokio::select! {
        done = tokio::time::timeout_at(deadline, graceful.shutdown()) => if done.is_err() {
            tracing::warn!("a connection is cut off");
        },
        () = at_once.cancelled() => {}
    }
    deadline
}
