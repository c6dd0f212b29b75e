//! The command line from outside: the real program, in temporary folders, with a pinned clock.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests set the scene themselves"
)]

mod beside_hooks;
mod clockwork;
mod connecting;
mod demo;
mod embedding;
mod failing;
mod flows;
mod growing;
mod help;
mod hook_input;
mod hooks;
mod host_hooks;
mod indexing;
mod interrupting;
mod mcp;
mod merging;
mod operator;
mod places;
mod proposing;
mod reflecting;
mod remembering;
mod serving;
mod shapes;
mod support;
mod trusting;
