//! A workspace's own prompt never makes the reader panic, and a value cannot close its fence.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_reason::{Prompt, Schema, Values};

fuzz_target!(|texts: (&str, &str)| {
    let (file, value) = texts;
    let _ = Schema::parse(file);
    if let Ok(prompt) = Prompt::parse(file) {
        let _ = prompt.filled(&prompt.places().iter().fold(Values::default(), |values, name| values.with(name, value)));
    }
    let prompt = Prompt::parse("version: 1\n# System\nYou.\n# Prompt\n{{quote talk}}").expect("a good prompt");
    let (_, asked) = prompt.filled(&Values::default().with("talk", value)).expect("the value is there");
    assert_eq!(asked.matches("</talk>").count(), 1);
});
