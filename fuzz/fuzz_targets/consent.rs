//! Any page of approvals can be read and added to, and what is read is what was signed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::consent::{append_approval, approvals};

fuzz_target!(|bytes: &[u8]| {
    let found = approvals(bytes);
    for approval in found.iter().flatten() {
        assert_eq!(approval.statement.text(), approval.signed);
        let again = append_approval(Some(bytes), approval);
        // A fence that is open to the end takes in whatever comes after it.
        assert!(approvals(&again).len() >= found.len());
    }
});
