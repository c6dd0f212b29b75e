//! Any twin can be read or is refused with its line, and any log can be read and added to.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::reflection::{
    Decided, Decision, Insights, LogEntry, PendingReflection, append_evolution, append_log, document, past,
};

fuzz_target!(|bytes: &[u8]| {
    let read = past(bytes);
    let day = jiff::civil::date(2026, 2, 2);
    let grown = append_evolution(Some(bytes), 10, day, &Insights::default(), &read);
    assert!(grown.starts_with(bytes) || bytes.iter().all(u8::is_ascii_whitespace));
    let pending = match PendingReflection::parse(bytes) {
        Ok(pending) => pending,
        Err(error) => return assert!(error.to_string().starts_with("line ")),
    };
    assert_eq!(PendingReflection::parse(pending.render().as_bytes()).expect("as it was"), pending);
    assert!(document(&pending).starts_with("# Reflection Summary — "));
    let decided = pending.items.iter().map(|item| Decided::of(item, Decision::Rejected, "")).collect();
    let entry = LogEntry {
        number: pending.number,
        time: pending.made,
        trigger: pending.trigger,
        processed: pending.processed,
        episodes: pending.episodes,
        decided,
        pending: 0,
    };
    assert_eq!(past(&append_log(None, &entry)).last, pending.number);
});
