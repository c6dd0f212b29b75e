//! The stores that memories are kept in, and how a sentence finds its way to one.

pub mod router;
