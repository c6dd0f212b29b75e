//! Going back, and back again.

use rem_format::audit::Action;
use rem_ledger::{AuditQuery, ChangeSet, Provenance};

use crate::support::{Workspace, bot, path};

#[test]
fn any_earlier_commit_can_be_restored_by_time_exactly() {
    let workspace = Workspace::new();
    // A small generator with a fixed seed: which files change is arbitrary but the same in each run.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let mut moments = Vec::new();
    for number in 0..60 {
        workspace.advance(60);
        let file = path(&format!("memory/n{}.md", random(12)));
        let set = match random(5) {
            0 => ChangeSet::new().delete(file, "removed"),
            _ => ChangeSet::new().write(file, format!("{number} {}\n", random(1000)), "wrote"),
        };
        if workspace.ledger.apply(&set, &bot()).unwrap().commit.is_some() {
            moments.push((workspace.ledger.now(), workspace.git(&["rev-parse", "HEAD"]).trim().to_owned()));
        }
    }
    for _ in 0..50 {
        let (time, commit) = &moments[usize::try_from(random(moments.len() as u64)).unwrap()];
        workspace.advance(60);
        let outcome = workspace
            .ledger
            .rollback_time(&time.to_string(), &Provenance::manual("rem rollback time"))
            .unwrap();
        assert_eq!(outcome.target.as_deref(), Some(commit.as_str()));
        assert_eq!(workspace.git(&["diff", "--stat", commit, "HEAD"]), "", "differs from {commit}");
        for file in workspace.git(&["ls-tree", "-r", "--name-only", commit]).lines() {
            assert_eq!(workspace.git(&["show", &format!("{commit}:{file}")]), workspace.read(file).unwrap());
        }
        if outcome.applied.commit.is_some() {
            assert!(workspace.audit_bytes().lines().last().unwrap().contains("| REVERT |"));
        }
    }
    workspace.assert_well();
}

#[test]
fn one_file_goes_back_and_the_others_stay() {
    let workspace = Workspace::new();
    workspace
        .ledger
        .apply(
            &ChangeSet::new().write(path("MEMORY.md"), "two\n", "two").write(path("b.md"), "b\n", "b"),
            &bot(),
        )
        .unwrap();
    workspace
        .ledger
        .rollback_file(&path("MEMORY.md"), "HEAD~1", &Provenance::manual("rem rollback file"))
        .unwrap();
    assert_eq!(workspace.read("MEMORY.md").unwrap(), "# Core Memory\n");
    assert_eq!(workspace.read("b.md").unwrap(), "b\n");
    let lines = workspace
        .ledger
        .audit(&AuditQuery { actions: vec![Action::Revert], ..AuditQuery::default() })
        .unwrap();
    assert!(lines[0].summary.starts_with("reverted to commit "));
    assert!(
        workspace.ledger.rollback_file(&path("MEMORY.md"), "nonsense", &Provenance::manual("x")).is_err()
    );
    workspace.assert_well();
}

#[test]
fn a_session_is_taken_back_under_later_changes_unless_they_overlap() {
    let workspace = Workspace::new();
    let long: String = (0..20).map(|n| format!("line {n}\n")).collect();
    workspace.ledger.apply(&ChangeSet::new().write(path("MEMORY.md"), long.clone(), "base"), &bot()).unwrap();
    let replace = |from: &'static str, to: &'static str| {
        ChangeSet::new().edit(path("MEMORY.md"), format!("{from} to {to}"), move |found| {
            Ok(Some(String::from_utf8_lossy(found.unwrap_or_default()).replace(from, to).into_bytes()))
        })
    };
    workspace.ledger.apply(&replace("line 3\n", "session line\n"), &bot().session("r-1")).unwrap();
    workspace
        .ledger
        .apply(&ChangeSet::new().write(path("new.md"), "n\n", "new"), &bot().session("r-1"))
        .unwrap();
    workspace.ledger.apply(&replace("line 15\n", "later line\n"), &bot()).unwrap();
    let outcome =
        workspace.ledger.rollback_session("r-1", &Provenance::manual("rem rollback session")).unwrap();
    assert!(outcome.conflicts.is_empty());
    assert_eq!(workspace.read("MEMORY.md").unwrap(), long.replace("line 15\n", "later line\n"));
    assert_eq!(workspace.read("new.md"), None);

    workspace.ledger.apply(&replace("line 3\n", "again\n"), &bot().session("r-2")).unwrap();
    workspace.ledger.apply(&replace("again\n", "overlapping\n"), &bot()).unwrap();
    let head = workspace.git(&["rev-parse", "HEAD"]);
    let outcome = workspace.ledger.rollback_session("r-2", &Provenance::manual("x")).unwrap();
    assert_eq!(outcome.conflicts, ["MEMORY.md"]);
    assert_eq!(workspace.git(&["rev-parse", "HEAD"]), head);
    assert!(workspace.ledger.rollback_session("r-3", &Provenance::manual("x")).is_err());
    workspace.assert_well();
}
