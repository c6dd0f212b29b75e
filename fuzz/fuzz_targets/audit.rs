//! Audit lines, commit messages, lock files and paths: nothing panics, and what was read renders to what reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rem_format::audit::AuditLine;
use rem_format::commit::CommitMessage;
use rem_format::lockfile::LockFile;
use rem_format::path::MemoryPath;

fuzz_target!(|text: &str| {
    let time = jiff::Timestamp::UNIX_EPOCH;
    if let Ok(line) = AuditLine::parse(text) {
        assert_eq!(AuditLine::parse(&line.render()).as_ref(), Ok(&line));
    }
    if let Some(message) = CommitMessage::parse(text, time) {
        let again = CommitMessage::parse(&message.render(time), time).expect("a rendered message reads");
        assert_eq!(again.lines, message.lines);
    }
    if let Some(lock) = LockFile::parse(text) {
        let _ = LockFile::parse(&lock.render());
    }
    if let Ok(path) = MemoryPath::new(text) {
        assert!(!path.as_str().split('/').any(|part| matches!(part, "" | "." | "..")));
    }
});
