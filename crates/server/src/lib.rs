//! rem-server
