//! rem-mind

pub mod transcripts;
