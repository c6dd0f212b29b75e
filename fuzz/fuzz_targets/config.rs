//! CONFIG.md never makes the reader panic, and a setting that was set reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::config::{Config, set};

fuzz_target!(|text: &str| {
    let readable = Config::parse(text).is_ok();
    let _ = Config::parse_yaml(text);
    if let Ok(changed) = set(text, "search.min_score", "0.4") {
        if readable {
            let parsed = Config::parse(&changed).expect("setting one value leaves the file readable");
            assert_eq!(parsed.config.search.min_score, 0.4);
        }
    }
});
