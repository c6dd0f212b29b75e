//! What the import targets share: bytes become a file, and the events must make sense.

use std::io::Write;

use rem_mind::import::{Answer, Event, Format, detect, import};

/// Reads `bytes` as a file of `format`.
pub fn check(bytes: &[u8], format: Format, ending: &str) {
    let mut file = tempfile::Builder::new().suffix(&format!(".{ending}")).tempfile().expect("a temporary file");
    file.write_all(bytes).expect("a small file is written");
    let _ = detect(file.path());
    let mut open = false;
    let report = import(file.path(), Some(format), &mut |event| {
        match event {
            Event::Session(_) => {
                assert!(!open);
                open = true;
            }
            Event::Turn(turn) => {
                assert!(open && !turn.turn.body.is_empty());
                let kept = turn.turn.normalized();
                assert_eq!(kept.normalized(), kept);
            }
            Event::End(_) => {
                assert!(open);
                open = false;
            }
            Event::Progress { done, total } => assert!(done <= total),
        }
        Answer::Continue
    });
    assert!(report.is_ok() && !open);
}
