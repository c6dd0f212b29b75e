//! Transcripts as the memory keeps them: what may be written, and in which form.
//!
//! The file format itself is `rem_format::transcript`; this module decides about content.

pub mod redact;
