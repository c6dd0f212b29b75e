//! Any page of conflicts can be read, added to and settled, and what was there stays.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::conflict::{Kept, append, parse, resolve};

fuzz_target!(|bytes: &[u8]| {
    for conflict in parse(bytes) {
        let settled = resolve(bytes, &conflict.id, conflict.found, Kept::Both).expect("it is there");
        assert!(settled.len() + 200 > bytes.len());
        let again = append(Some(bytes), &conflict);
        assert!(again.starts_with(bytes) || bytes.iter().all(u8::is_ascii_whitespace));
        // A fence that is open to the end takes in whatever comes after it.
        assert!(parse(&again).len() >= parse(bytes).len());
    }
});
