//! What the memory does.

pub mod attention;
