//! Servers over the façade: today MCP over standard input and output ([`mcp`]).
//!
//! The async runtime lives in this crate alone. `Memory` is synchronous, so whatever asks it runs on a thread of its own. Nothing here
//! decides what the memory does: it calls `Memory` and gives its shapes back, the same that `--json` prints.

pub mod mcp;
