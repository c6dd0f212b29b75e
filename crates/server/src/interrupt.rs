//! Being told of Ctrl-C, for commands that take long.

use std::io;

/// Calls `act` when the program is interrupted. From then on an interruption does not end the program by itself: `act` does.
///
/// # Errors
/// Where the thread that waits for it cannot be started; the program ends at Ctrl-C as ever then.
pub fn on_interrupt(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let wait = move || {
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            act();
        }
    };
    // It waits for as long as the program lives, and ends with it.
    std::thread::Builder::new().name("interrupt".to_owned()).spawn(wait).map(drop)
}
