//! `rem mcp` as a host has it: a process, two pipes, and nothing else.

mod client;
mod ending;
mod many;
mod session;
mod wrong;
