//! Any bytes render as they were, and a key that was set reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::document::{Document, Value};

fuzz_target!(|bytes: &[u8]| {
    let mut document = Document::parse(bytes);
    assert_eq!(document.render(), bytes);
    let _ = document.sections();
    if document.entries().is_ok() {
        let value = Value::from("changed: by # fuzzing");
        if document.set("key", &value).is_ok() {
            assert_eq!(document.get("key"), Ok(Some(value)));
        } else {
            assert_eq!(document.render(), bytes);
        }
    }
});
