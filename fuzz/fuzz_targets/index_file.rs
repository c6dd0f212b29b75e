//! The index file itself: whatever lies where `memory.db` is expected, a search answers from the files.
#![no_main]

use std::time::{Duration, SystemTime};

use libfuzzer_sys::fuzz_target;
use rem_mind::recall::{Label, Query, SourceFile, Sources, recall};

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let note = folder.path().join("note.md");
    std::fs::write(&note, "# Harbor\n\nthe quiet harbor\n").expect("a note");
    let database = folder.path().join("memory.db");
    std::fs::write(&database, bytes).expect("a database, perhaps");
    let files = [SourceFile::at("note.md".to_owned(), note).expect("a file")];
    let label = |_: &str| Label::default();
    let observed_at = SystemTime::UNIX_EPOCH + Duration::from_secs(40_000_000_000);
    let sources = Sources { files: &files, label: &label, labels: 1, observed_at };
    let query = Query { text: "harbor".to_owned(), ..Query::default() };
    let (answer, _) = recall(&database, &sources, &query, None, 400, &mut |_| {}).expect("a good query");
    assert_eq!(answer.results[0].path, "note.md");
});
