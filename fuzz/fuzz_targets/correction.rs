//! Any page of corrections can be read, added to and changed, and what was there stays.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::correction::{append, parse};
use rem_format::fielded::{entries, with_field, without};

fuzz_target!(|bytes: &[u8]| {
    for placed in parse(bytes) {
        let id = &placed.correction.id;
        // The first of an id is meant, in whatever form.
        if entries(bytes).iter().find(|entry| entry.id() == Some(id)).map(|entry| &entry.bytes) != Some(&placed.bytes) {
            continue;
        }
        let changed = with_field(bytes, id, "status", "retracted").expect("it is there");
        assert!(parse(&changed).iter().any(|each| each.correction.id == *id && each.correction.is_retracted));
        let (rest, entry) = without(bytes, id).expect("it is there");
        assert!(rest.len() < bytes.len() && !entry.is_empty());
        let again = append(Some(bytes), &placed.correction);
        assert!(again.starts_with(bytes) || bytes.iter().all(u8::is_ascii_whitespace));
        // A fence that is open to the end takes in whatever comes after it.
        assert!(parse(&again).len() >= parse(bytes).len());
    }
});
