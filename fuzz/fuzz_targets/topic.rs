//! Any file is a topic or a list of mistakes, each on a line of the file; a schedule that is read comes true.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::topic::{Topic, When};

fuzz_target!(|bytes: &[u8]| {
    let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count();
    match Topic::parse("fuzzed", bytes) {
        Ok(parsed) => {
            let issues = parsed.notes.iter().chain(&parsed.refused);
            assert!(issues.into_iter().all(|issue| (1..=lines).contains(&issue.line)));
            let after = jiff::civil::date(2026, 3, 1).to_zoned(jiff::tz::TimeZone::UTC).expect("a moment");
            for trigger in &parsed.topic.triggers {
                assert!((1..=lines).contains(&trigger.line));
                if let When::Cron(cron) = &trigger.when {
                    assert!(cron.next_after(&after).expect("it comes") > after);
                }
            }
        }
        Err(errors) => {
            assert!(!errors.issues.is_empty());
            assert!(errors.issues.iter().all(|issue| (1..=lines).contains(&issue.line)));
        }
    }
});
