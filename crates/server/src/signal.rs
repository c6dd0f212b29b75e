//! The end that the system or a person asks for.

use tokio_util::sync::CancellationToken;

/// Cancels the token at the first signal to end: interrupt, terminate, hang up.
pub(crate) async fn end_on_signal(ended: CancellationToken) {
    if asked_to_end().await {
        ended.cancel();
    }
}

/// Waits for a signal to end. `false` where none can be waited for.
#[cfg(unix)]
async fn asked_to_end() -> bool {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut hang_up)) =
        (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        return false;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    true
}

/// Waits for a signal to end. `false` where none can be waited for.
#[cfg(not(unix))]
async fn asked_to_end() -> bool {
    tokio::signal::ctrl_c().await.is_ok()
}
