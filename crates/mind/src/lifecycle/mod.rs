//! What becomes of what was said: today `extract`, which takes out of a conversation what is worth keeping.

pub mod extract;
