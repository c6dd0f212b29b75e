//! What a change costs: one audited, committed, synced change set, and one captured message.
//!
//! `cargo bench -p rem-ledger` prints medians at three sizes a factor ten apart.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    clippy::disallowed_methods,
    reason = "a benchmark stops where something fails"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use divan::Bencher;
use rem_format::audit::{Actor, Approval};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, FixedClock, Ledger, LedgerOptions, Provenance};

fn main() {
    divan::main();
    // Now, and not between two measurements: removing ten thousand files slows the making of others.
    drop(std::mem::take(&mut *KEPT.lock().unwrap()));
}

/// The workspaces that were made.
static KEPT: std::sync::Mutex<Vec<tempfile::TempDir>> = std::sync::Mutex::new(Vec::new());

/// A workspace of so many files, spread as real ones are: entities in one folder, days and conversations by date.
fn workspace(files: usize) -> Ledger {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(FixedClock::new("2026-03-01T12:00:00Z".parse().unwrap()));
    let text = "A line of a memory that says something about the world.\n".repeat(20);
    let contents: Vec<(MemoryPath, String)> = (0..files)
        .map(|number| {
            let path = match number % 4 {
                0 => format!("memory/graph/entities/concept--thing-{number}.md"),
                1 => format!(
                    "memory/episodes/{:04}-{:02}-{:02}.md",
                    2000 + number / 300,
                    number / 25 % 12 + 1,
                    number % 25 + 1
                ),
                2 => format!("memory/reference/{}/note-{number}.md", number / 100),
                _ => format!("memory/projects/p{}/note-{number}.md", number / 100),
            };
            (MemoryPath::new(path).unwrap(), text.clone())
        })
        .collect();
    let root = folder.path().join("w");
    let (ledger, _) = Ledger::init(&root, LedgerOptions::default(), clock, &[]).unwrap();
    // Written as a person's files are: making them through the ledger would lock each, and the file system remembers for half
    // a minute how many files were just removed.
    for (path, text) in &contents {
        let at = root.join(path.as_str());
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(at, text).unwrap();
    }
    ledger.commit_outside_changes().unwrap();
    ledger.checkpoint().unwrap();
    KEPT.lock().unwrap().push(folder);
    ledger
}

fn provenance() -> Provenance {
    Provenance::new(Actor::Bot("main".into()), Approval::Auto, "benchmark")
}

#[divan::bench(args = [100, 1_000, 10_000], sample_count = 200, sample_size = 1)]
fn change_of_one_file(bencher: Bencher, files: usize) {
    let ledger = workspace(files);
    let counter = AtomicU64::new(0);
    let path = MemoryPath::new("memory/graph/entities/concept--thing-0.md").unwrap();
    bencher.bench_local(|| {
        let number = counter.fetch_add(1, Ordering::Relaxed);
        ledger
            .apply(
                &ChangeSet::new().append(path.clone(), format!("- fact {number}\n"), "added a fact"),
                &provenance(),
            )
            .unwrap()
    });
}

#[divan::bench(args = [100, 1_000, 10_000], sample_count = 200, sample_size = 1)]
fn new_file(bencher: Bencher, files: usize) {
    let ledger = workspace(files);
    let counter = AtomicU64::new(0);
    bencher.bench_local(|| {
        let number = counter.fetch_add(1, Ordering::Relaxed);
        let path = MemoryPath::new(format!("memory/graph/entities/concept--new-{number}.md")).unwrap();
        ledger.apply(&ChangeSet::new().create(path, "# New\n", "new entity"), &provenance()).unwrap()
    });
}

#[divan::bench(args = [10, 1_000, 100_000], sample_count = 200, sample_size = 1)]
fn append_to_a_transcript_of_so_many_messages(bencher: Bencher, messages: usize) {
    let ledger = workspace(10);
    let path = MemoryPath::new("raw/conversations/2026/03/01/1200-s-talk.md").unwrap();
    let header = "---\nsession_id: s\nstarted: 2026-03-01T12:00:00Z\n---\n\n# Talk\n".to_owned();
    let message = "\n## 12:00 — user\nSomething was said about the weather.\n";
    ledger.append(&path, |_| (header.clone() + &message.repeat(messages)).into_bytes()).unwrap();
    bencher.bench_local(|| ledger.append(&path, |_| message.as_bytes().to_vec()).unwrap());
}

/// What the disk itself takes for one synced append.
#[divan::bench(sample_count = 200, sample_size = 1)]
fn one_sync(bencher: Bencher) {
    use std::io::Write;
    let mut file = tempfile::tempfile().unwrap();
    bencher.bench_local(|| {
        file.write_all(&[b'x'; 500]).unwrap();
        file.sync_data().unwrap();
    });
}

/// An operator who says yes.
struct Yes(rem_ledger::OperatorKey);

impl rem_ledger::Signer for Yes {
    fn sign(&self, request: &rem_ledger::ConsentRequest<'_>) -> Result<String, rem_ledger::EditError> {
        Ok(self.0.sign(request.statement.as_bytes())?)
    }
}

/// How the memory stands with a thousand approvals: as at a start, and with every signature checked, as by `rem verify`.
#[divan::bench(args = [false, true], sample_count = 20)]
fn consent_of_1000_approvals(bencher: Bencher<'_, '_>, all: bool) {
    let soul = MemoryPath::new("SOUL.md").unwrap();
    let operator = Arc::new(Yes(rem_ledger::OperatorKey::from_seed(&[1; 32]).unwrap()));
    let ledger = workspace(4);
    let by_hand = Provenance::manual("bench");
    ledger.establish_key(&operator.0.public(), ChangeSet::new(), &*operator, None, &by_hand).unwrap();
    let ledger = ledger.asking(Some(operator));
    for number in 1..1_000 {
        ledger
            .apply(&ChangeSet::new().write(soul.clone(), format!("{number}"), "a change"), &by_hand)
            .unwrap();
    }
    bencher.bench_local(|| assert!(ledger.consent(all).unwrap().is_well()));
}
