//! rem-reason
