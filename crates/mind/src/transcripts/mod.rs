//! Conversations as the memory keeps them: captured as they happen, redacted before they reach the disk, closed for good.
//!
//! The file format itself is `rem_format::transcript`; this module decides about content and about sessions.

mod capture;
mod imported;
mod kept;
pub mod redact;
mod sessions;

pub use capture::{Captured, SessionEnd, SessionStart, Told};
pub use imported::ImportOutcome;
pub use sessions::OpenSession;
