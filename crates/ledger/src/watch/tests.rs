//! A kept listing is always the one that a walk gives.
#![allow(clippy::disallowed_methods, reason = "these tests are the person who changes files outside")]

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use proptest::prelude::*;

use super::*;
use crate::{FixedClock, LedgerOptions};

fn ledger(root: &Path) -> Ledger {
    let clock = Arc::new(FixedClock::new("2026-03-01T12:00:00Z".parse().unwrap()));
    Ledger::init(root, LedgerOptions::default(), clock, &[]).unwrap().0
}

type Seen = (Vec<(String, u64, u64, i64, i64)>, Vec<String>);

fn seen(listing: &Listing) -> Seen {
    let files = listing.files.iter().map(|file| {
        let found = &file.metadata;
        (file.path.clone(), found.ino(), found.len(), found.mtime_nsec(), found.ctime_nsec())
    });
    let mut skipped = listing.skipped.clone();
    skipped.sort();
    (files.collect(), skipped)
}

/// Something done to the files of a workspace, by places of small sets of names.
#[derive(Debug, Clone)]
enum Step {
    Write(usize),
    Append(usize),
    Replace(usize),
    Remove(usize),
    Folder(usize),
    RemoveFolder(usize),
    MoveFolder(usize, usize),
    Link(usize, usize),
    Symlink(usize),
    Ask,
}

const FOLDERS: [&str; 6] = ["a", "a/b", "a/b/c", "tmp", "a/.git", "한국"];
const NAMES: [&str; 4] = ["x.md", "y.md", ".gitignore", "메모.md"];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let file = 0..(FOLDERS.len() + 1) * NAMES.len();
    let folder = 0..FOLDERS.len();
    let step = prop_oneof![
        4 => file.clone().prop_map(Step::Write),
        3 => file.clone().prop_map(Step::Append),
        2 => file.clone().prop_map(Step::Replace),
        2 => file.clone().prop_map(Step::Remove),
        3 => folder.clone().prop_map(Step::Folder),
        1 => folder.clone().prop_map(Step::RemoveFolder),
        1 => (folder.clone(), folder.clone()).prop_map(|(from, to)| Step::MoveFolder(from, to)),
        1 => (file.clone(), file.clone()).prop_map(|(from, to)| Step::Link(from, to)),
        1 => file.prop_map(Step::Symlink),
        4 => Just(Step::Ask),
    ];
    prop::collection::vec(step, 1..40)
}

fn carry_out(root: &Path, step: &Step) {
    let folder = |place: usize| root.join(FOLDERS[place]);
    let file = |place: usize| {
        let (folder, name) = (place / NAMES.len(), NAMES[place % NAMES.len()]);
        FOLDERS.get(folder).map_or(root.to_path_buf(), |folder| root.join(folder)).join(name)
    };
    // What cannot be done where things stand is no step.
    let _ = match step {
        Step::Write(place) => fs::write(file(*place), format!("{place}")),
        Step::Append(place) => fs::OpenOptions::new()
            .append(true)
            .open(file(*place))
            .and_then(|mut open| std::io::Write::write_all(&mut open, b"more")),
        Step::Replace(place) => {
            let beside = file(*place).with_extension("new");
            fs::write(&beside, "replaced").and_then(|()| fs::rename(&beside, file(*place)))
        }
        Step::Remove(place) => fs::remove_file(file(*place)),
        Step::Folder(place) => fs::create_dir_all(folder(*place)),
        Step::RemoveFolder(place) => fs::remove_dir_all(folder(*place)),
        Step::MoveFolder(from, to) => fs::rename(folder(*from), folder(*to)),
        // Nobody watches what another name in a skipped folder is used for.
        Step::Link(_, to) if matches!(to / NAMES.len(), 3 | 4) => Ok(()),
        Step::Link(from, to) => fs::hard_link(file(*from), file(*to)),
        Step::Symlink(place) => std::os::unix::fs::symlink("x.md", file(*place)),
        Step::Ask => Ok(()),
    };
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_kept_is_what_a_walk_finds(steps in steps()) {
        let folder = tempfile::tempdir().unwrap();
        let ledger = ledger(folder.path());
        ledger.list().unwrap();
        let mut before = ledger.list().unwrap();
        for step in &steps {
            carry_out(folder.path(), step);
            if matches!(step, Step::Ask) {
                let kept = ledger.list().unwrap();
                let walked = ledger.walk(None).unwrap();
                prop_assert_eq!(seen(&kept), seen(&walked));
                if let Some(changed) = before.state().and_then(|state| kept.changed_since(state)) {
                    let (old, new) = (seen(&before).0, seen(&kept).0);
                    for file in old.iter().filter(|file| !new.contains(file)).chain(new.iter().filter(|file| !old.contains(file))) {
                        prop_assert!(changed.contains(file.0.as_str()), "{} is not said to have changed", file.0);
                    }
                }
                before = kept;
            }
        }
    }
}

#[test]
fn who_asks_again_is_told_without_a_walk() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path());
    fs::create_dir(folder.path().join("notes")).unwrap();
    fs::write(folder.path().join("notes/a.md"), "a").unwrap();
    let first = ledger.list().unwrap();
    assert!(first.state().is_none() && !ledger.is_watching());
    let second = ledger.list().unwrap();
    if !ledger.is_watching() {
        // Temporary files lie where nothing can be watched: then every question walks, which the property shows.
        return;
    }
    let state = second.state().unwrap();
    assert_eq!(ledger.list().unwrap().state(), Some(state));
    fs::write(folder.path().join("notes/a.md"), "b").unwrap();
    fs::create_dir_all(folder.path().join("notes/new/deep")).unwrap();
    fs::write(folder.path().join("notes/new/deep/c.md"), "c").unwrap();
    let third = ledger.list().unwrap();
    assert!(ledger.is_watching() && third.state() > Some(state));
    let changed: Vec<&str> = third.changed_since(state).unwrap().into_iter().collect();
    assert_eq!(changed, ["notes/a.md", "notes/new/deep/c.md"]);
    assert_eq!(third.changed_since(third.state().unwrap()).unwrap().len(), 0);
    assert!(third.changed_since(state - 1).is_none() && first.changed_since(state).is_none());
    // A listing that somebody holds is not changed under their eyes.
    assert!(!second.files.iter().any(|file| file.path.ends_with("c.md")));
}

#[test]
fn who_will_ask_again_is_told_of_what_changed_since_the_first_time() {
    let folder = tempfile::tempdir().unwrap();
    let [usual, ledger] = [ledger(folder.path()), ledger(folder.path())];
    fs::write(folder.path().join("a.md"), "a").unwrap();
    usual.list().unwrap();
    usual.list().unwrap();
    ledger.will_ask_again();
    let first = ledger.list().unwrap();
    assert_eq!(ledger.is_watching(), usual.is_watching(), "wherever the second question would watch");
    fs::write(folder.path().join("b.md"), "b").unwrap();
    let second = ledger.list().unwrap();
    assert!(second.files.iter().any(|file| file.path == "b.md"));
    if let Some(state) = first.state() {
        assert!(second.changed_since(state).unwrap().contains("b.md"));
    }
}

#[test]
fn a_workspace_put_in_the_place_of_another_is_walked() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    fs::create_dir_all(&there).unwrap();
    fs::write(there.join("other.md"), "other").unwrap();
    let ledger = ledger(&here);
    ledger.list().unwrap();
    ledger.list().unwrap();
    fs::rename(&here, folder.path().join("away")).unwrap();
    fs::rename(&there, &here).unwrap();
    let files: Vec<String> = ledger.list().unwrap().files.iter().map(|file| file.path.clone()).collect();
    assert_eq!(files, ["other.md"]);
    fs::remove_dir_all(&here).unwrap();
    assert!(ledger.list().is_err());
}
