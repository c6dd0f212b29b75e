//! Advisory locks against dead owners, living owners, other programs and each other.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rem_ledger::{AdvisoryLock, ChangeSet, FixedClock, LedgerError, LockPolicy};

use crate::support::{Workspace, bot, child, job, path, start};

fn policy() -> LockPolicy {
    LockPolicy {
        retry_interval: Duration::from_millis(1),
        max_retries: 3,
        stale_after: Duration::from_secs(3600),
    }
}

fn acquire(target: &Path) -> Result<AdvisoryLock, LedgerError> {
    AdvisoryLock::acquire(target, "tester", policy(), &FixedClock::new(start()))
}

/// Not a test of its own: dies while holding a lock.
#[test]
fn dies_holding() {
    let Some(job) = job() else { return };
    let _lock = acquire(Path::new(&job[0])).unwrap();
    std::process::abort();
}

#[test]
fn a_lock_has_the_seeds_name_and_lines_and_goes_when_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("MEMORY.md");
    let lock = acquire(&target).unwrap();
    let text = std::fs::read_to_string(folder.path().join("MEMORY.md.lock")).unwrap();
    assert_eq!(
        text,
        format!("PID: {}\nAGENT: rem:tester\nTIMESTAMP: 2026-03-01T12:00:00Z\n", std::process::id())
    );
    drop(lock);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_living_owner_is_respected_until_the_attempts_are_used_up() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("MEMORY.md");
    let _held = acquire(&target).unwrap();
    // Even when its timestamp is long past: the operating system knows that it lives.
    let late = FixedClock::new(start() + jiff::SignedDuration::from_hours(100));
    let error = AdvisoryLock::acquire(&target, "other", policy(), &late).unwrap_err();
    assert!(error.to_string().contains("after 3 attempts: held by rem:tester"), "{error}");
}

#[test]
fn a_dead_owner_is_noticed_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("MEMORY.md");
    assert!(!child("locks::dies_holding", target.to_str().unwrap()).output().unwrap().status.success());
    assert!(folder.path().join("MEMORY.md.lock").exists());
    let lock = acquire(&target).unwrap();
    assert!(
        std::fs::read_to_string(folder.path().join("MEMORY.md.lock"))
            .unwrap()
            .contains(&format!("PID: {}\n", std::process::id()))
    );
    drop(lock);
    assert!(!folder.path().join("MEMORY.md.lock").exists());
}

#[test]
fn another_programs_lock_holds_until_the_threshold_and_not_longer() {
    let workspace = Workspace::new();
    let set = || ChangeSet::new().append(path("MEMORY.md"), "- x\n", "x");
    workspace.write("MEMORY.md.lock", "PID: 1\nAGENT: soul-keeper\nTIMESTAMP: 2026-03-01T12:00:00Z\n");
    let error = workspace.ledger.apply(&set(), &bot()).unwrap_err();
    assert!(matches!(&error, LedgerError::Locked { owner, .. } if owner.contains("soul-keeper")), "{error}");
    assert_eq!(workspace.read("MEMORY.md").unwrap(), "# Core Memory\n");
    workspace.advance(3601);
    workspace.ledger.apply(&set(), &bot()).unwrap();
    assert_eq!(workspace.read("MEMORY.md.lock"), None);
    workspace.assert_well();
}

#[test]
fn of_two_takers_of_a_stale_lock_never_both_own_it() {
    const ROUNDS: usize = 10_000;
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("MEMORY.md");
    let lock_file = folder.path().join("MEMORY.md.lock");
    let (owners, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let barrier = std::sync::Barrier::new(2);
    let clock = FixedClock::new(start());
    let once = LockPolicy { max_retries: 1, ..policy() };
    std::thread::scope(|scope| {
        for taker in 0..2 {
            let (target, lock_file, owners, taken, barrier, clock) =
                (&target, &lock_file, &owners, &taken, &barrier, &clock);
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    if taker == 0 {
                        // Alternately left by one of ours that died and by another program long ago.
                        let agent = if round % 2 == 0 { "rem:dead" } else { "soul-keeper" };
                        std::fs::write(
                            lock_file,
                            format!("PID: 1\nAGENT: {agent}\nTIMESTAMP: 2026-01-01T00:00:00Z\n"),
                        )
                        .unwrap();
                    }
                    barrier.wait();
                    if let Ok(lock) = AdvisoryLock::acquire(target, "taker", once, clock) {
                        assert_eq!(owners.fetch_add(1, Ordering::SeqCst), 0, "two owners in round {round}");
                        taken.fetch_add(1, Ordering::SeqCst);
                        std::hint::spin_loop();
                        owners.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                    barrier.wait();
                }
            });
        }
    });
    assert!(taken.load(Ordering::SeqCst) >= ROUNDS, "each round has an owner");
    assert!(!lock_file.exists());
}
