//! What time it is, said by whoever runs the program.
//!
//! The library never asks the operating system: the binary brings a clock, tests and demonstrations pin one.

use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};

/// A source of time.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// A clock that stands still until it is told to move.
#[derive(Debug)]
pub struct FixedClock(AtomicI64);

impl FixedClock {
    /// A clock that shows `time`, to the microsecond.
    #[must_use]
    pub fn new(time: Timestamp) -> Self {
        Self(AtomicI64::new(time.as_microsecond()))
    }

    /// Moves the clock, backwards too.
    pub fn advance(&self, by: SignedDuration) {
        let microseconds = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.0.fetch_add(microseconds, Ordering::Relaxed);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.0.load(Ordering::Relaxed)).unwrap_or(Timestamp::MAX)
    }
}
