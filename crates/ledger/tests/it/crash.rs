//! Killing the process at every step: afterwards the workspace is exactly before or exactly after.

use rem_ledger::fault::{APPLY_POINTS, Fault, arm};
use rem_ledger::{ChangeSet, LedgerError, Provenance};

use crate::support::{Workspace, bot, child, job, open, path};

fn change() -> ChangeSet<'static> {
    ChangeSet::new()
        .append(path("MEMORY.md"), "- acknowledged\n", "added")
        .write(path("memory/new/deep/file.md"), "new\n", "made")
        .delete(path("memory/old.md"), "gone")
        .append(path("SOUL.md"), "- critical\n", "critical")
}

/// Not a test of its own: the process that is killed, gathering changes in one commit.
#[test]
fn batching_victim() {
    let Some(job) = job() else { return };
    let [root, point] = &job[..] else { return };
    let options = rem_ledger::LedgerOptions {
        batch: Some(std::time::Duration::from_secs(1800)),
        ..crate::support::options()
    };
    let clock = std::sync::Arc::new(rem_ledger::FixedClock::new(crate::support::start()));
    let ledger = rem_ledger::Ledger::open(std::path::Path::new(root), options, clock).unwrap();
    ledger.apply(&ChangeSet::new().append(path("MEMORY.md"), "- first\n", "first"), &bot()).unwrap();
    arm(point, 1, Fault::Abort);
    ledger.apply(&ChangeSet::new().append(path("MEMORY.md"), "- second\n", "second"), &bot()).unwrap();
    std::process::exit(7);
}

#[test]
fn killed_while_gathering_changes_in_one_commit_nothing_acknowledged_is_lost() {
    for point in APPLY_POINTS {
        let workspace = Workspace::new();
        let job = format!("{}\t{point}", workspace.root().display());
        let status = child("crash::batching_victim", &job).output().unwrap().status;
        workspace.ledger.recover().unwrap();
        let text = workspace.read("MEMORY.md").unwrap();
        assert!(text.contains("- first\n"), "{point}");
        let position = |name: &str| APPLY_POINTS.iter().position(|p| *p == name);
        if status.code() == Some(7) || position(point) >= position("redo.synced") {
            assert!(text.contains("- second\n"), "{point}");
        }
        workspace.assert_well();
    }
}

/// Not a test of its own: the process that is killed.
#[test]
fn victim() {
    let Some(job) = job() else { return };
    let [root, point, nth] = &job[..] else { return };
    arm(point, nth.parse().unwrap(), Fault::Abort);
    open(root).apply(&change(), &bot()).unwrap();
    // Reached only where the point is not passed so often.
    std::process::exit(7);
}

#[test]
fn killed_at_any_step_the_workspace_is_before_or_after_and_verifies() {
    let (mut before, mut after) = (0, 0);
    for point in APPLY_POINTS {
        for nth in 1..=4 {
            let workspace = Workspace::new();
            workspace
                .ledger
                .apply(&ChangeSet::new().write(path("memory/old.md"), "old\n", "old"), &bot())
                .unwrap();
            let commits = workspace.git(&["rev-list", "--count", "HEAD"]);
            let status = child("crash::victim", &format!("{}\t{point}\t{nth}", workspace.root().display()))
                .output()
                .unwrap()
                .status;
            if status.code() == Some(7) {
                break;
            }
            assert!(!status.success(), "{point} #{nth} did not kill");
            workspace.ledger.recover().unwrap();
            let state = [
                workspace.read("MEMORY.md"),
                workspace.read("memory/new/deep/file.md"),
                workspace.read("memory/old.md"),
                workspace.read("SOUL.md"),
            ];
            let is = |expected: [Option<&str>; 4]| state.iter().map(Option::as_deref).eq(expected);
            let was_before = is([Some("# Core Memory\n"), None, Some("old\n"), Some("# Soul\n")]);
            let is_after = is([
                Some("# Core Memory\n- acknowledged\n"),
                Some("new\n"),
                None,
                Some("# Soul\n- critical\n"),
            ]);
            assert!(was_before || is_after, "{point} #{nth}: {state:?}");
            if was_before {
                before += 1
            } else {
                after += 1
            }
            let acknowledged = APPLY_POINTS.iter().position(|p| p == point)
                >= APPLY_POINTS.iter().position(|p| *p == "redo.synced");
            assert!(is_after || !acknowledged, "{point} #{nth} lost what was acknowledged");
            let grown = workspace.git(&["rev-list", "--count", "HEAD"]) != commits;
            assert_eq!(grown, is_after, "{point} #{nth}");
            workspace.assert_well();
            let left = workspace.git(&["ls-files", "--others"]);
            assert!(!left.contains("md.lock") && !left.contains(".rem-"), "{point} #{nth} left {left}");
            // A second run changes nothing.
            let head = workspace.git(&["rev-parse", "HEAD"]);
            workspace.ledger.recover().unwrap();
            assert_eq!(workspace.git(&["rev-parse", "HEAD"]), head);
            // And the next change works, taking over the dead one's locks.
            workspace
                .ledger
                .apply(&ChangeSet::new().append(path("MEMORY.md"), "- next\n", "next"), &bot())
                .unwrap();
            workspace.assert_well();
        }
    }
    assert!(before >= 3 && after > 10, "{before} before, {after} after");
}

#[test]
fn locks_on_head_and_its_branch_that_a_killed_process_left_are_taken_away() {
    let workspace = Workspace::new();
    let job = format!("{}\tgit.commit\t1", workspace.root().display());
    assert!(!child("crash::victim", &job).output().unwrap().status.success());
    let branch = workspace.git(&["symbolic-ref", "HEAD"]);
    let locks = ["HEAD.lock".to_owned(), format!("{}.lock", branch.trim())];
    for lock in &locks {
        workspace.write(&format!(".git/{lock}"), "");
    }
    workspace.ledger.recover().unwrap();
    assert!(workspace.read("MEMORY.md").unwrap().contains("acknowledged"));
    assert!(locks.iter().all(|lock| !workspace.root().join(".git").join(lock).exists()));
    workspace.assert_well();
    // Where nothing was cut short they are somebody else's, until a person says otherwise.
    workspace.write(".git/HEAD.lock", "");
    assert!(workspace.ledger.apply(&change(), &bot()).is_err());
    let told = workspace.ledger.verify().unwrap();
    assert!(told.findings.iter().any(|found| found.message.contains("HEAD.lock")), "{told:?}");
    let done = workspace.ledger.repair().unwrap();
    assert!(done.iter().any(|done| done.contains("HEAD.lock")), "{done:?}");
    workspace.assert_well();
}

#[test]
fn a_full_disk_before_acknowledging_changes_nothing_and_afterwards_is_made_good() {
    for point in APPLY_POINTS {
        let workspace = Workspace::new();
        workspace
            .ledger
            .apply(&ChangeSet::new().write(path("memory/old.md"), "old\n", "old"), &bot())
            .unwrap();
        arm(point, 1, Fault::DiskFull);
        let outcome = workspace.ledger.apply(&change(), &bot());
        arm("", 0, Fault::DiskFull);
        match &outcome {
            Err(LedgerError::Unfinished { .. }) => {
                workspace.ledger.recover().unwrap();
                assert!(workspace.read("MEMORY.md").unwrap().contains("acknowledged"), "{point}");
            }
            // What fails after the change is closed no longer matters to it.
            Err(_) if *point != "apply.unlock" => {
                assert_eq!(workspace.read("MEMORY.md").unwrap(), "# Core Memory\n", "{point}")
            }
            _ => {}
        }
        workspace.ledger.recover().unwrap();
        workspace.assert_well();
    }
}

#[test]
fn a_person_who_edits_after_the_crash_keeps_their_text() {
    let workspace = Workspace::new();
    let status = child("crash::victim", &format!("{}\tfiles.temporary\t1", workspace.root().display()))
        .output()
        .unwrap()
        .status;
    assert!(!status.success());
    workspace.write("MEMORY.md", "# Core Memory\n- typed meanwhile\n");
    workspace.ledger.recover().unwrap();
    assert_eq!(workspace.read("MEMORY.md").unwrap(), "# Core Memory\n- typed meanwhile\n");
    workspace.ledger.commit_outside_changes().unwrap();
    assert!(
        workspace.git(&["log", "-p", "--", "MEMORY.md"]).contains("- acknowledged"),
        "the acknowledged version is in history"
    );
    workspace.assert_well();
}

#[test]
fn after_a_power_loss_lost_objects_are_made_again_from_the_journal() {
    let workspace = Workspace::new();
    workspace.ledger.checkpoint().unwrap();
    let durable = workspace.git(&["rev-parse", "HEAD"]).trim().to_owned();
    for number in 0..3 {
        workspace
            .ledger
            .apply(
                &ChangeSet::new().append(path("MEMORY.md"), format!("- {number}\n"), "added"),
                &Provenance::manual("x"),
            )
            .unwrap();
    }
    // The machine starts anew, and whatever git wrote since the checkpoint came back empty.
    let checkpoint = workspace.root().join(".rem/checkpoint.json");
    let text = std::fs::read_to_string(&checkpoint).unwrap();
    let boot = text.split("\"boot\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    std::fs::write(&checkpoint, text.replace(&boot, "another boot")).unwrap();
    for id in workspace.git(&["rev-list", "--objects", &format!("{durable}..HEAD")]).lines() {
        let id = &id[..40];
        let at = workspace.root().join(".git/objects").join(&id[..2]).join(&id[2..]);
        std::fs::remove_file(&at).unwrap();
        std::fs::write(&at, "").unwrap();
    }
    std::fs::write(workspace.root().join("MEMORY.md"), "").unwrap();
    let root = workspace.root();
    std::thread::scope(|scope| {
        scope.spawn(move || open(root.to_str().unwrap()).recover().unwrap()).join().unwrap()
    });
    assert_eq!(workspace.read("MEMORY.md").unwrap(), "# Core Memory\n- 0\n- 1\n- 2\n");
    assert_eq!(workspace.git(&["rev-list", "--count", &format!("{durable}..HEAD")]).trim(), "3");
    workspace.assert_well();
}
