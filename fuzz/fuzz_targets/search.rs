//! A question and a note, both arbitrary: neither breaks the search, and what is shown lies in the note.
#![no_main]

use std::time::{Duration, SystemTime};

use libfuzzer_sys::fuzz_target;
use rem_mind::recall::{Label, Query, SourceFile, Sources, recall};

fuzz_target!(|bytes: &[u8]| {
    let middle = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len() / 2);
    let (question, content) = bytes.split_at(middle);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let note = folder.path().join("2026-03-19.md");
    std::fs::write(&note, content).expect("a note");
    let files = [SourceFile::at("2026-03-19.md".to_owned(), note).expect("a file")];
    let label = |_: &str| Label { category: "correction".to_owned(), ..Label::default() };
    let observed_at = SystemTime::UNIX_EPOCH + Duration::from_secs(40_000_000_000);
    let sources = Sources { files: &files, label: &label, labels: 1, observed_at };
    let query = Query {
        text: String::from_utf8_lossy(question).into_owned(),
        today: Some(jiff::civil::date(2026, 3, 20)),
        min_score: 0.0,
        ..Query::default()
    };
    let database = folder.path().join("memory.db");
    let (answer, _) = recall(&database, &sources, &query, None, 50, &mut |_| {}).expect("a good query");
    let lines = String::from_utf8_lossy(content).split('\n').count();
    for hit in &answer.results {
        assert!((0.0..=1.0).contains(&hit.score) && hit.start_line >= 1 && hit.end_line <= lines);
    }
});
