//! Hosts' shapes and settings, without a process.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests set the scene themselves"
)]

mod by_hand;
mod connecting;
mod resuming;
mod shapes;
mod undoing;
