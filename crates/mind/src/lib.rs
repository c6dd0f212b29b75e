//! rem-mind
