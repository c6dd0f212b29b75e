//! What a model says never makes the reader panic, and what is read fits the schema.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_reason::{Schema, answer};

const SCHEMA: &str = r#"{"type": "object", "properties": {"found": {"type": "array", "items": {"type": "object",
    "properties": {"text": {"type": "string", "minLength": 1}, "sure": {"type": ["number", "null"], "maximum": 1}},
    "required": ["text", "sure"], "additionalProperties": false}}}, "required": ["found"], "additionalProperties": false}"#;

fuzz_target!(|text: &str| {
    let schema = Schema::parse(SCHEMA).expect("a good schema");
    if let Ok(value) = answer::read(text, &schema) {
        assert!(schema.mistakes(&value).is_empty());
        assert!(answer::read(&value.to_string(), &schema).is_ok(), "as plain JSON it is an answer too");
    }
});
