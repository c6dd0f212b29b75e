//! rem-mind

pub mod import;
pub mod transcripts;
