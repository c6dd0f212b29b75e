//! Placeholder until the commands land.
fn main() {}
