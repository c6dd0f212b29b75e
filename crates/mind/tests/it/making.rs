//! Making a workspace: complete, and never at the cost of what is there.

use std::sync::Arc;

use rem_ledger::{FixedClock, LayoutPreset, Store};
use rem_mind::{Memory, MemoryError, Outcome, find_workspace};
use rem_testkit::{MORNING, Workspace, files, options};

use crate::support::time;

const STORES: [Store; 29] = [
    Store::Soul,
    Store::IdentityCard,
    Store::User,
    Store::Agents,
    Store::Tools,
    Store::Core,
    Store::Config,
    Store::Corrections,
    Store::Conflicts,
    Store::Changelog,
    Store::CompactionLog,
    Store::Episodes,
    Store::GraphIndex,
    Store::Relations,
    Store::Entities,
    Store::Procedures,
    Store::Vault,
    Store::Meta,
    Store::Journal,
    Store::Projects,
    Store::People,
    Store::Reference,
    Store::Topics,
    Store::Archive,
    Store::Chronicles,
    Store::CorrectionArchive,
    Store::SoulHistory,
    Store::Transcripts,
    Store::Attachments,
];

#[test]
fn both_layouts_are_complete_and_well() {
    for layout in [LayoutPreset::OpenClaw, LayoutPreset::Autopoiesis] {
        let workspace = Workspace::with_layout(layout);
        for store in STORES {
            let path = workspace.memory().path(store);
            assert!(workspace.root().join(path.as_str()).exists(), "{path} in {layout}");
        }
        for (store, name) in [
            (Store::Meta, "decay-scores.json"),
            (Store::Meta, "reflection-log.md"),
            (Store::Meta, "evolution.md"),
            (Store::Meta, "pending-memories.md"),
            (Store::Projects, "_active.md"),
            (Store::People, "_index.md"),
        ] {
            let path = workspace.memory().ledger().layout().file(store, name).unwrap();
            assert!(workspace.read(path.as_str()).is_some(), "{path} in {layout}");
        }
        for name in [".gitignore", ".gitattributes", ".git/hooks/pre-commit", ".git/hooks/post-commit"] {
            assert!(workspace.read(name).is_some(), "{name} in {layout}");
        }
        let scores: serde_json::Value = serde_json::from_str(&workspace.text(
            workspace.memory().ledger().layout().file(Store::Meta, "decay-scores.json").unwrap().as_str(),
        ))
        .unwrap();
        assert_eq!(scores["version"], 1);
        assert_eq!(workspace.open().config().layout.preset.name(), layout.as_str());
        assert_eq!(workspace.git(&["log", "--format=%an"]).lines().count(), 1, "one commit makes it");
        workspace.assert_well();
    }
}

#[test]
fn making_it_again_changes_no_byte_and_makes_no_commit() {
    let workspace = Workspace::new();
    let (before, head) = (workspace.files(), workspace.head());
    let clock = Arc::new(FixedClock::new(time("2026-04-01T00:00:00Z")));
    let (_, outcome) = Memory::init(&workspace.root(), None, options(&clock)).unwrap();
    assert!(!outcome.created && outcome.files.is_empty() && outcome.commit.is_none());
    assert_eq!((workspace.files(), workspace.head()), (before, head));
    workspace.assert_well();
}

#[test]
fn a_missing_file_is_made_again_and_a_changed_one_stays() {
    let workspace = Workspace::new();
    std::fs::remove_file(workspace.root().join("SOUL.md")).unwrap();
    std::fs::remove_dir_all(workspace.root().join("memory/vault")).unwrap();
    workspace.write("MEMORY.md", "mine\r\n");
    let clock = Arc::new(FixedClock::new(time(MORNING)));
    let (_, outcome) = Memory::init(&workspace.root(), None, options(&clock)).unwrap();
    let made: Vec<&str> = outcome.files.iter().map(|path| path.as_str()).collect();
    assert_eq!(made, ["SOUL.md"]);
    assert!(workspace.root().join("memory/vault").is_dir());
    assert_eq!(workspace.text("MEMORY.md"), "mine\r\n");
    workspace.memory().catch_up();
    workspace.assert_well();
}

#[test]
fn a_config_that_is_there_decides_the_layout_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let config =
        "# Mine\n\n```yaml\nlayout:\n  preset: autopoiesis # as before\ntranscripts:\n  dir: talk\n```\n";
    rem_testkit::write(folder.path(), "CONFIG.md", config);
    let clock = Arc::new(FixedClock::new(time(MORNING)));
    let (memory, outcome) = Memory::init(folder.path(), None, options(&clock)).unwrap();
    assert!(outcome.created);
    assert_eq!(memory.path(Store::Soul).as_str(), "knowledge/identity/SOUL.md");
    assert_eq!(memory.path(Store::Transcripts).as_str(), "talk");
    let files = files(folder.path());
    assert_eq!(files["CONFIG.md"], config.as_bytes());
    assert!(files.contains_key("knowledge/identity/SOUL.md") && !files.contains_key("SOUL.md"));
    assert!(memory.verify().unwrap().is_well());
}

#[test]
fn another_layout_than_the_one_it_has_is_refused() {
    let workspace = Workspace::new();
    let before = workspace.files();
    let clock = Arc::new(FixedClock::new(time(MORNING)));
    let error =
        Memory::init(&workspace.root(), Some(LayoutPreset::Autopoiesis), options(&clock)).unwrap_err();
    assert!(matches!(error, MemoryError::Usage { .. }) && error.hint().is_some(), "{error}");
    assert_eq!(error.outcome(), Outcome::Usage);
    assert_eq!(workspace.files(), before);
}

#[test]
fn a_folder_without_a_workspace_is_not_one() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(FixedClock::new(time(MORNING)));
    let error = Memory::open(folder.path(), options(&clock)).unwrap_err();
    assert_eq!(error.outcome(), Outcome::Usage);
    assert_eq!(find_workspace(folder.path()), None);
    assert!(files(folder.path()).is_empty(), "looking makes nothing");
}

#[test]
fn the_nearest_workspace_above_is_found() {
    let workspace = Workspace::new();
    assert_eq!(find_workspace(&workspace.root().join("memory/episodes")), Some(workspace.root()));
}
