//! The end that the system or a person asks for.

use std::future::Future;

use tokio_util::sync::CancellationToken;

/// Cancels the token at the first signal to end: interrupt, terminate, hang up. Signals are listened to from the call on, before the
/// future is first looked at.
#[cfg(unix)]
pub(crate) fn end_on_signal(ended: CancellationToken) -> impl Future<Output = ()> + Send + 'static {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let listening = kinds.map(signal);
    async move {
        // Where the system has none to give, its own way of ending a process stays.
        let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hang_up)] = listening else { return };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hang_up.recv() => {}
        }
        ended.cancel();
    }
}

/// Cancels the token at the first signal to end.
#[cfg(not(unix))]
pub(crate) fn end_on_signal(ended: CancellationToken) -> impl Future<Output = ()> + Send + 'static {
    async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            ended.cancel();
        }
    }
}
