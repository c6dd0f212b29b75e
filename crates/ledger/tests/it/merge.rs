//! Another clone's history comes in: whole or not at all, whatever kills the process.

use std::path::Path;
use std::sync::Arc;

use rem_ledger::fault::{APPLY_POINTS, Fault, arm};
use rem_ledger::{ChangeSet, FixedClock, Incoming, Ledger, Provenance};

use crate::support::{Workspace, bot, child, git, job, open, options, path, start};

/// A clone beside a workspace.
fn cloned(workspace: &Workspace) -> (String, Ledger) {
    let at = workspace.root().with_file_name("clone").to_string_lossy().into_owned();
    let ledger = clone(workspace, &at);
    (at, ledger)
}

fn clone(workspace: &Workspace, at: &str) -> Ledger {
    git(&workspace.root(), &["clone", "--quiet", ".", at]);
    Ledger::init_around(Path::new(at), options(), Arc::new(FixedClock::new(start()))).unwrap().0
}

fn incoming(ledger: &Ledger, from: &str) -> Incoming {
    let (there, name) = ledger.fetch(Some(from)).unwrap();
    ledger.incoming(&there, &name, start()).unwrap().unwrap()
}

fn take_in(ledger: &Ledger, from: &str) {
    let incoming = incoming(ledger, from);
    ledger.take_in(&incoming, ChangeSet::new(), &Provenance::manual("rem merge clone")).unwrap();
}

fn append(ledger: &Ledger, file: &str, text: &str) {
    ledger.apply(&ChangeSet::new().append(path(file), text, "added"), &bot()).unwrap();
}

/// Not a test of its own: the process that is killed.
#[test]
fn merging_victim() {
    let Some(job) = job() else { return };
    let [root, from, point, nth] = &job[..] else { return };
    let ledger = open(root);
    let incoming = incoming(&ledger, from);
    arm(point, nth.parse().unwrap(), Fault::Abort);
    ledger.take_in(&incoming, ChangeSet::new(), &Provenance::manual("rem merge clone")).unwrap();
    std::process::exit(7);
}

fn killed_at_every_point(goes_forward: bool) {
    let (mut before, mut after) = (0, 0);
    for point in APPLY_POINTS {
        for nth in 1..=2 {
            let workspace = Workspace::new();
            let (at, clone) = cloned(&workspace);
            append(&clone, "MEMORY.md", "- theirs\n");
            append(&clone, "memory/new/file.md", "new\n");
            append(&clone, "SOUL.md", "\nI listen.\n");
            if !goes_forward {
                append(&workspace.ledger, "MEMORY.md", "- ours\n");
            }
            let there = git(Path::new(&at), &["rev-parse", "HEAD"]);
            let job = format!("{}\t{at}\t{point}\t{nth}", workspace.root().display());
            let status = child("merge::merging_victim", &job).output().unwrap().status;
            if status.code() == Some(7) {
                break;
            }
            assert!(!status.success(), "{point} #{nth} did not kill");
            workspace.ledger.recover().unwrap();
            let memory = workspace.read("MEMORY.md").unwrap();
            let is_after = memory.contains("- theirs\n");
            assert_eq!(memory.contains("- ours\n"), !goes_forward, "{point} #{nth}: {memory}");
            assert_eq!(workspace.read("memory/new/file.md").is_some(), is_after, "{point} #{nth}");
            assert_eq!(workspace.read("SOUL.md").unwrap().contains("I listen."), is_after, "{point} #{nth}");
            let acknowledged = APPLY_POINTS.iter().position(|p| p == point)
                >= APPLY_POINTS.iter().position(|p| *p == "redo.synced");
            assert!(is_after || !acknowledged, "{point} #{nth} lost what was acknowledged");
            let holds = workspace.git(&["rev-list", "HEAD"]).contains(there.trim());
            assert_eq!(holds, is_after, "{point} #{nth}");
            workspace.assert_well();
            match is_after {
                true => {
                    after += 1;
                    let merges = workspace.git(&["rev-list", "--count", "--merges", "HEAD"]);
                    assert_eq!(merges.trim(), if goes_forward { "0" } else { "1" }, "{point} #{nth}");
                }
                false => {
                    before += 1;
                    take_in(&workspace.ledger, &at);
                    workspace.assert_well();
                }
            }
            append(&workspace.ledger, "MEMORY.md", "- next\n");
            workspace.assert_well();
        }
    }
    assert!(before >= 3 && after > 5, "{before} before, {after} after");
}

#[test]
fn killed_while_merging_it_is_all_there_or_nothing() {
    killed_at_every_point(false);
}

#[test]
fn killed_while_going_forward_it_is_all_there_or_nothing() {
    killed_at_every_point(true);
}

#[test]
fn every_audit_line_of_every_clone_is_in_the_log_of_who_merged() {
    let workspace = Workspace::new();
    let (one, first) = cloned(&workspace);
    let two = workspace.root().with_file_name("second").to_string_lossy().into_owned();
    let second = clone(&workspace, &two);
    append(&first, "memory/first.md", "first\n");
    append(&second, "memory/second.md", "second\n");
    // What the second one has comes by way of the first.
    take_in(&first, &two);
    append(&workspace.ledger, "memory/own.md", "own\n");
    take_in(&workspace.ledger, &one);
    for name in ["memory/first.md", "memory/second.md", "memory/own.md"] {
        assert!(workspace.audit_bytes().contains(name), "{name}");
    }
    workspace.assert_well();
    let log = workspace.audit_bytes();
    workspace.ledger.rebuild_audit().unwrap();
    assert_eq!(workspace.audit_bytes(), log);
}

#[test]
fn what_lies_in_the_way_of_a_file_that_comes_in_stays() {
    let workspace = Workspace::new();
    let (at, clone) = cloned(&workspace);
    append(&clone, "raw/conversations/2026/03/01/0900-s-talk.md", "---\nended: x\n---\ntheirs\n");
    append(&clone, "memory/a/b.md", "below\n");
    append(&clone, "notes.md", "as text\n");
    let ended = "---\nended: x\n---\nours\n";
    append(&workspace.ledger, "raw/conversations/2026/03/01/0900-s-talk.md", ended);
    append(&workspace.ledger, "memory/a", "a file\n");
    workspace.write("notes.md/inside.md", "a folder\n");
    workspace.ledger.commit_outside_changes().unwrap();
    let found = incoming(&workspace.ledger, &at);
    let beside: Vec<String> =
        found.files.iter().filter(|file| file.beside.is_some()).map(|file| file.path.to_string()).collect();
    assert!(beside.contains(&"raw/conversations/2026/03/01/0900-s-talk-2.md".to_owned()), "{beside:?}");
    assert!(beside.contains(&"notes-2.md".to_owned()), "{beside:?}");
    take_in(&workspace.ledger, &at);
    assert_eq!(workspace.read("raw/conversations/2026/03/01/0900-s-talk.md").as_deref(), Some(ended));
    assert_eq!(workspace.read("memory/a").as_deref(), Some("a file\n"));
    assert_eq!(workspace.read("notes.md/inside.md").as_deref(), Some("a folder\n"));
    assert_eq!(workspace.read("notes-2.md").as_deref(), Some("as text\n"));
    workspace.assert_well();
    let there = workspace.git(&["ls-files"]);
    assert!(there.contains("memory/a\n"), "{there}");
    let all: String = there.lines().filter_map(|name| workspace.read(name)).collect();
    assert!(all.contains("below\n"));
}
