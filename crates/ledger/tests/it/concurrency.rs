//! Many processes on one workspace as the normal case.

use rem_ledger::ChangeSet;

use crate::support::{Workspace, bot, child, job, open, path};

/// Not a test of its own: one of the writers.
#[test]
fn writer() {
    let Some(job) = job() else { return };
    let [root, name, count] = &job[..] else { return };
    let ledger = open(root);
    for number in 0..count.parse::<usize>().unwrap() {
        let target = if number % 2 == 0 { "MEMORY.md" } else { "memory/shared.md" };
        let line = format!("- {name}:{number}\n");
        ledger
            .apply(&ChangeSet::new().append(path(target), line, format!("{name} {number}")), &bot())
            .unwrap();
    }
}

#[test]
fn eight_processes_lose_no_edit_no_commit_no_line_and_leave_no_lock() {
    const WRITERS: usize = 8;
    const CHANGES: usize = 200;
    let workspace = Workspace::new();
    let (commits, lines) = (count(&workspace), workspace.audit_bytes().lines().count());
    let children: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let job = format!("{}\tw{writer}\t{CHANGES}", workspace.root().display());
            child("concurrency::writer", &job).stdout(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(count(&workspace) - commits, WRITERS * CHANGES);
    assert_eq!(workspace.audit_bytes().lines().count() - lines, WRITERS * CHANGES);
    let all = workspace.read("MEMORY.md").unwrap() + &workspace.read("memory/shared.md").unwrap();
    for writer in 0..WRITERS {
        let numbers: Vec<&str> =
            all.lines().filter(|line| line.starts_with(&format!("- w{writer}:"))).collect();
        assert_eq!(numbers.len(), CHANGES, "writer {writer}");
    }
    assert!(!workspace.git(&["ls-files", "--others"]).contains(".md.lock"));
    workspace.assert_well();
}

fn count(workspace: &Workspace) -> usize {
    workspace.git(&["rev-list", "--count", "HEAD"]).trim().parse().unwrap()
}

#[test]
fn sets_of_several_files_in_any_order_never_deadlock() {
    let workspace = Workspace::new();
    let root = workspace.root();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let root = &root;
            scope.spawn(move || {
                let ledger = open(root.to_str().unwrap());
                for number in 0..25 {
                    let names =
                        if thread % 2 == 0 { ["a.md", "b.md", "c.md"] } else { ["c.md", "a.md", "b.md"] };
                    let set = names.iter().fold(ChangeSet::new(), |set, name| {
                        set.append(path(name), format!("{thread}:{number}\n"), "line")
                    });
                    ledger.apply(&set, &bot()).unwrap();
                }
            });
        }
    });
    for name in ["a.md", "b.md", "c.md"] {
        assert_eq!(workspace.read(name).unwrap().lines().count(), 100);
    }
    workspace.assert_well();
}
