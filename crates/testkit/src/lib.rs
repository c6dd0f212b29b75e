//! rem-testkit
