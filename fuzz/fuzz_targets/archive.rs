//! Any file is read as an archive, and any two are found again in one that they are added to.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::archive::{append, entries, holds};

fuzz_target!(|files: (Vec<u8>, Vec<u8>, Vec<u8>)| {
    let (found, one, other) = files;
    for entry in entries(&found) {
        assert!(found.get(entry.bytes).is_some() && entry.line > 0);
    }
    let archive = append(None, "Archive", "memory/2024-03-05.md", &one);
    let archive = append(Some(&archive), "", "memory/2024-03-06.md", &other);
    assert!(holds(&archive, "memory/2024-03-05.md", &one) && holds(&archive, "memory/2024-03-06.md", &other));
    assert!(append(Some(&found), "", "memory/2024-03-06.md", &other).starts_with(&found));
});
