//! rem-mind

pub mod attention;
