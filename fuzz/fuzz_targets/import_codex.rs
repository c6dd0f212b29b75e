//! Any bytes are read by the importer `Codex` without a panic, and every turn it makes is one a transcript keeps.
#![no_main]

mod importing;

use libfuzzer_sys::fuzz_target;
use rem_mind::import::Format;

fuzz_target!(|bytes: &[u8]| importing::check(bytes, Format::Codex, "jsonl"));
