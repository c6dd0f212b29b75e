//! `rem serve` as its clients have it: a process and an address.

mod asking;
mod living;
mod refusing;
mod server;
