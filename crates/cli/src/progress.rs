//! Progress of long work on stderr: nothing in the first half second, nothing where stderr is no terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    /// Bytes read.
    Bytes,
    /// Things done.
    Items,
}

/// A bar that appears when the work turns out to be long.
pub(crate) struct Progress {
    bar: ProgressBar,
    unit: Unit,
    begun: Instant,
    shown: bool,
}

impl Progress {
    pub(crate) fn new(what: &'static str, unit: Unit) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_message(what);
        Self { bar, unit, begun: Instant::now(), shown: false }
    }

    /// How far the work is.
    pub(crate) fn set(&mut self, done: u64, total: u64) {
        if !self.shown && self.begun.elapsed() > Duration::from_millis(500) {
            self.shown = true;
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
        self.bar.set_length(total);
        self.bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
