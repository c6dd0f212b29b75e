//! Places where tests make the program die or a write fail.
//!
//! Compiled to nothing unless the `faults` feature is on. A point is named after the step it stands before; arming one
//! makes the process abort there, or the step return an I/O error, at its n-th passing.

use std::io;

/// What an armed point does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The process ends at once, as if it was killed.
    Abort,
    /// The step fails as on a full disk.
    DiskFull,
}

/// The points of one change set, in the order in which they are passed.
pub const APPLY_POINTS: &[&str] = &[
    "apply.locked",
    "apply.edited",
    "redo.append",
    "redo.written",
    "redo.synced",
    "files.temporary",
    "files.replace",
    "files.replaced",
    "git.blobs",
    "git.trees",
    "git.commit",
    "git.index",
    "git.indexed",
    "audit.append",
    "audit.pointer",
    "redo.done",
    "apply.unlock",
];

#[cfg(feature = "faults")]
mod armed {
    use std::cell::RefCell;

    use super::Fault;

    // By thread: tests run beside each other in one process.
    thread_local! {
        static ARMED: RefCell<Option<(String, usize, Fault)>> = const { RefCell::new(None) };
    }

    /// Arms `point` for its `nth` passing by this thread, counted from 1; an empty name disarms.
    pub fn arm(point: &str, nth: usize, fault: Fault) {
        ARMED.set((!point.is_empty()).then(|| (point.to_owned(), nth, fault)));
    }

    pub(super) fn hit(point: &str) -> Option<Fault> {
        ARMED.with_borrow_mut(|armed| {
            let (_, remaining, fault) = armed.as_mut().filter(|(name, ..)| name == point)?;
            *remaining = remaining.saturating_sub(1);
            if *remaining > 0 {
                return None;
            }
            let fault = *fault;
            *armed = None;
            Some(fault)
        })
    }
}

#[cfg(feature = "faults")]
pub use armed::arm;

/// Passes a point.
///
/// # Errors
/// The armed failure, in builds for tests alone.
#[inline]
pub(crate) fn point(name: &str) -> io::Result<()> {
    #[cfg(feature = "faults")]
    match armed::hit(name) {
        Some(Fault::Abort) => std::process::abort(),
        Some(Fault::DiskFull) => {
            return Err(io::Error::new(io::ErrorKind::StorageFull, format!("injected at {name}")));
        }
        None => {}
    }
    let _ = name;
    Ok(())
}
