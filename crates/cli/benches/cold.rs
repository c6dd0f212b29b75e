//! What a command costs as a process of its own: `cargo bench -p rem-cli --bench cold`.
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a benchmark sets its own scene and stops where it fails"
)]

use std::path::Path;
use std::process::{Command, Stdio};

use divan::Bencher;

fn main() {
    divan::main();
}

fn rem(folder: &Path, arguments: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_rem"))
        .arg("-C")
        .arg(folder)
        .args(["--now", "2026-03-01T12:00:00Z"])
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("rem runs");
    assert!(status.success(), "{arguments:?}");
}

/// A workspace of so many notes of about 300 words, committed and indexed.
fn workspace(files: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    rem(folder.path(), &["init", folder.path().to_str().expect("a UTF-8 path")]);
    let words = [
        "harbor", "boat", "booking", "database", "server", "trainer", "weather", "calendar", "member",
        "season",
    ];
    for number in 0..files {
        let at = folder.path().join(match number % 3 {
            0 => format!("memory/graph/entities/concept--thing-{number}.md"),
            1 => format!("memory/reference/{}/note-{number}.md", number / 100),
            _ => format!("memory/projects/p{}/note-{number}.md", number / 100),
        });
        std::fs::create_dir_all(at.parent().expect("a folder")).expect("a folder");
        let mut text = format!("# Note {number}\n\n");
        for word in 0..300 {
            text.push_str(words[(number * 7 + word * word) % words.len()]);
            text.push(if word % 12 == 11 { '\n' } else { ' ' });
        }
        std::fs::write(at, text).expect("a note");
    }
    rem(folder.path(), &["index"]);
    // File times settle: what changed within two seconds of a look is looked at again.
    std::thread::sleep(std::time::Duration::from_secs(3));
    rem(folder.path(), &["index"]);
    folder
}

#[divan::bench(sample_count = 100, sample_size = 1)]
fn version(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| rem(Path::new("."), &["--version"]));
}

#[divan::bench(args = [100, 1_000, 10_000], sample_count = 40, sample_size = 1)]
fn status(bencher: Bencher<'_, '_>, files: usize) {
    let folder = workspace(files);
    bencher.bench_local(|| rem(folder.path(), &["status"]));
}

#[divan::bench(args = [100, 1_000, 10_000], sample_count = 40, sample_size = 1)]
fn recall(bencher: Bencher<'_, '_>, files: usize) {
    let folder = workspace(files);
    bencher.bench_local(|| rem(folder.path(), &["recall", "which server has the booking database"]));
}

#[divan::bench(args = [100, 1_000, 10_000], sample_count = 40, sample_size = 1)]
fn context(bencher: Bencher<'_, '_>, files: usize) {
    let folder = workspace(files);
    bencher.bench_local(|| rem(folder.path(), &["context", "which server has the booking database"]));
}
