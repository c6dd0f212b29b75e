//! The ledger from outside: what its users may rely on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests set the scene themselves"
)]

mod apply;
mod concurrency;
mod consent;
mod crash;
mod locks;
mod merge;
mod repository;
mod rollback;
mod support;
mod survey;
