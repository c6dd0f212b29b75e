//! Progress of long work on stderr: nothing in the first half second, nothing where stderr is no terminal.

use std::time::{Duration, Instant};

use std::io::Write as _;
use std::sync::{Mutex, Once, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    /// Bytes read.
    Bytes,
    /// Things done.
    Items,
}

/// The long work that is under way: what it is, how much of it is done and of how much.
static UNDER_WAY: Mutex<Option<(&'static str, u64, u64)>> = Mutex::new(None);
static LISTENING: Once = Once::new();
/// What a shell says of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// Has Ctrl-C say what is kept before the program ends. All long work is done piece by piece, each whole or not at all.
fn listen() {
    LISTENING.call_once(|| {
        let told = rem_server::on_interrupt(|| {
            let under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).take();
            let said = match under_way {
                Some((what, done, total)) => format!(
                    "stopped {what} after {done} of {total}: what was written until now is kept, and the same command goes on from there"
                ),
                None => "stopped: what was written until now is kept".to_owned(),
            };
            let _ = writeln!(std::io::stderr(), "\n{said}");
            std::process::exit(INTERRUPTED);
        });
        if let Err(error) = told {
            tracing::debug!("Ctrl-C ends the program without a word: {error}");
        }
    });
}

/// A bar that appears when the work turns out to be long.
pub(crate) struct Progress {
    bar: ProgressBar,
    what: &'static str,
    unit: Unit,
    begun: Instant,
    shown: bool,
}

impl Progress {
    pub(crate) fn new(what: &'static str, unit: Unit) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_message(what);
        Self { bar, what, unit, begun: Instant::now(), shown: false }
    }

    /// How far the work is.
    pub(crate) fn set(&mut self, done: u64, total: u64) {
        if !self.shown && self.begun.elapsed() > Duration::from_millis(500) {
            self.shown = true;
            listen();
            let template = match self.unit {
                Unit::Bytes => "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left",
                Unit::Items => "{msg} {wide_bar} {pos}/{len} {per_sec}, {eta} left",
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.bar.set_style(style);
            }
            // Draws only where stderr is a terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let counted = match self.unit {
            Unit::Items => Some((self.what, done, total)),
            Unit::Bytes => None,
        };
        *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) = counted;
        self.bar.set_length(total);
        self.bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.bar.finish_and_clear();
    }
}
