//! git's hooks: a person's own commit is looked at first, and the memory is brought up to date after it.
#![cfg(unix)]

use std::path::Path;
use std::process::Output;

use crate::support::{NOW, Scene, text};

/// git as a person runs it, with `rem` among their programs.
fn git(scene: &Scene, arguments: &[&str]) -> Output {
    let programs = Path::new(env!("CARGO_BIN_EXE_rem")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&path))).unwrap();
    rem_testkit::git_command(&scene.root(), arguments)
        .env("PATH", path)
        .env("HOME", scene.folder())
        .env("REM_NOW", NOW)
        .env_remove("REM_WORKSPACE")
        .output()
        .unwrap()
}

/// Commits everything; fails with what git says.
fn commit(scene: &Scene) -> Result<(), String> {
    assert!(git(scene, &["add", "-A"]).status.success());
    let output = git(scene, &["commit", "-q", "-m", "by hand"]);
    if output.status.success() { Ok(()) } else { Err(text(&output.stderr)) }
}

#[test]
fn a_persons_commit_is_taken_into_the_audit_log_and_the_index() {
    let scene = Scene::new();
    scene.write("memory/people/ada.md", "# Ada\n\nKeeps bees.\n");
    commit(&scene).unwrap();
    assert!(scene.read("memory/meta/audit.log").contains("memory/people/ada.md"));
    assert!(scene.root().join("memory.db").exists());
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[test]
fn every_way_to_commit_is_looked_at() {
    let scene = Scene::new();
    let long = format!("# Core Memory\n\n{}", "- one more fact\n".repeat(500));
    scene.write("MEMORY.md", &long);
    for arguments in
        [&["commit", "-q", "-a", "-m", "all"][..], &["commit", "-q", "-m", "one", "--", "MEMORY.md"]]
    {
        let output = git(&scene, arguments);
        assert!(!output.status.success() && text(&output.stderr).contains("MEMORY.md"), "{arguments:?}");
    }
    scene.write("MEMORY.md", "# Core Memory\n\n- short\n");
    scene.write("USER.md", "# User\n\n- Name: Noor\n");
    assert!(git(&scene, &["commit", "-q", "-m", "one", "--", "MEMORY.md"]).status.success());
    assert!(git(&scene, &["commit", "-q", "-a", "-m", "all"]).status.success());
    assert!(git(&scene, &["commit", "-q", "--amend", "-m", "all, in other words"]).status.success());
    assert!(scene.done(&["audit", "--file", "USER.md"]).contains("in other words"));
    assert_eq!(scene.git(&["status", "--porcelain"]), "");
    assert!(scene.done(&["verify"]).contains("All is well"));
    scene.write("MEMORY.md", &long);
    let forced = git(&scene, &["commit", "-q", "-a", "--no-verify", "-m", "all the same"]);
    assert!(forced.status.success(), "a person has the last word");
}

#[test]
fn core_memory_that_is_too_long_is_refused() {
    let scene = Scene::new();
    let long = |lines: usize| format!("# Core Memory\n\n{}", "- one more fact\n".repeat(lines));
    let head = scene.git(&["rev-parse", "HEAD"]);
    scene.write("MEMORY.md", long(2000));
    let said = commit(&scene).unwrap_err();
    assert!(said.contains("MEMORY.md has 2002 lines") && said.contains("--no-verify"), "{said}");
    assert_eq!(scene.git(&["rev-parse", "HEAD"]), head);
    scene.write("MEMORY.md", long(20));
    commit(&scene).unwrap();
}

#[test]
fn a_closed_transcript_that_was_changed_or_removed_is_refused() {
    let scene = Scene::new();
    let path = scene.conversation("s", "The bell rings at six.");
    let true_text = scene.read(&path);
    let at = scene.root().join(&path);
    std::fs::remove_file(&at).unwrap();
    scene.write(&path, true_text.replace("six", "ten"));
    let said = commit(&scene).unwrap_err();
    assert!(said.contains(&path) && said.contains("may not change"), "{said}");
    std::fs::remove_file(&at).unwrap();
    let said = commit(&scene).unwrap_err();
    assert!(said.contains("may not be removed"), "{said}");
    scene.write(&path, true_text);
    scene.write("memory/2026-03-01.md", "a note\n");
    commit(&scene).unwrap();
}

#[test]
fn what_cannot_be_read_is_refused_and_a_topic_without_triggers_is_only_said() {
    let scene = Scene::new();
    scene.write("CONFIG.md", "```yaml\nsearch:\n  min_score: much\n```\n");
    let said = commit(&scene).unwrap_err();
    assert!(said.contains("line 3"), "{said}");
    scene.git(&["checkout", "-q", "HEAD", "--", "CONFIG.md"]);
    scene.write("topics/tea.md", "---\nname: [\n---\n");
    assert!(commit(&scene).unwrap_err().contains("topics/tea.md"));
    scene.write("topics/tea.md", "---\nname: tea\n---\n\nGreen first.\n");
    commit(&scene).unwrap();
}
