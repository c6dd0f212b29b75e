//! Any text is redacted without a panic, and redacting it again keeps what was redacted.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use rem_mind::transcripts::redact::Redactor;

static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new(&[], &[]).expect("the built-in rules compile"));

fuzz_target!(|text: &str| {
    let (once, hits) = REDACTOR.redact(text);
    assert!(hits.windows(2).all(|pair| pair[0].bytes.end <= pair[1].bytes.start));
    let twice = REDACTOR.redact(&once).0;
    assert!(twice.matches("[redacted:").count() >= once.matches("[redacted:").count());
});
