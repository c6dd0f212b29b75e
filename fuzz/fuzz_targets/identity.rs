//! Any CHANGELOG.md can be read and added to, what was there stays, and any twin is read or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::identity::{PendingIdentity, append_changes, document, logged};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(pending) = PendingIdentity::parse(bytes) {
        let text = pending.render();
        assert_eq!(PendingIdentity::parse(text.as_bytes()).expect("it was just written"), pending);
        assert!(document(&pending).starts_with("# Identity Growth"));
    }
    for entry in logged(bytes) {
        let again = append_changes(Some(bytes), entry.day, std::slice::from_ref(&entry.change));
        assert!(again.starts_with(bytes) || bytes.iter().all(u8::is_ascii_whitespace));
        assert_eq!(logged(&again).len(), logged(bytes).len() + 1);
    }
});
