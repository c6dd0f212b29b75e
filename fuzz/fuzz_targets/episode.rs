//! Any day's file can be added to, and what was added is read back.
#![no_main]

use jiff::civil::{date, time};
use libfuzzer_sys::fuzz_target;
use rem_format::episode::{Certainty, Episode, EpisodeKind, append, parse};

fuzz_target!(|bytes: &[u8]| {
    let _ = parse(bytes);
    let text = String::from_utf8_lossy(bytes).into_owned();
    let episode = Episode {
        time: time(10, 5, 0, 0),
        kind: EpisodeKind::Event,
        confidence: Certainty::Low,
        tags: vec![text.chars().take(20).collect()],
        source: None,
        from: Some(text.chars().skip(40).take(20).collect()),
        addressees: vec![text.chars().skip(20).take(20).collect()],
        text,
    };
    let day = append(Some(b"# Day\n"), date(2026, 3, 1), &episode);
    let (placed, errors) = parse(&day);
    assert_eq!((placed.len(), errors.len()), (1, 0));
    let after = append(Some(bytes), date(2026, 3, 1), &episode);
    // A file with nothing in it is begun anew.
    assert!(after.starts_with(bytes) || bytes.iter().all(u8::is_ascii_whitespace));
});
