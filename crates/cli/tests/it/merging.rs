//! Two clones on two machines: `rem merge`, and git's own pull with `rem` as its driver.

use std::path::{Path, PathBuf};
use std::process::Command;

use rem_testkit::git_command;
use serde_json::Value;

use crate::support::{NOW, Scene};

const FACTS: &str = "memory/reference/facts.md";

/// A clone beside the scene's workspace.
fn cloned(scene: &Scene, name: &str) -> PathBuf {
    let root = scene.folder().join(name);
    let clone = git_command(scene.folder(), &["clone", "--quiet", "w", name]).status().unwrap();
    assert!(clone.success());
    root
}

fn rem_in(scene: &Scene, root: &Path, arguments: &[&str]) -> String {
    let mut command = scene.rem(arguments);
    let output = command.current_dir(root).output().unwrap();
    assert!(output.status.success(), "rem {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// git as a person has it, with or without `rem` among their programs.
fn git_pull(scene: &Scene, root: &Path, from: &Path, has_rem: bool, how: &str) -> (bool, String) {
    let mut command: Command =
        git_command(root, &["pull", "--quiet", how, "--no-edit", from.to_str().unwrap(), "HEAD"]);
    let mut folders: Vec<PathBuf> =
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    folders.retain(|folder| !folder.join("rem").exists());
    if has_rem {
        folders.insert(0, Path::new(env!("CARGO_BIN_EXE_rem")).parent().unwrap().to_path_buf());
    }
    command
        .env("PATH", std::env::join_paths(folders).unwrap())
        .env("HOME", scene.folder())
        .env("TZ", "UTC")
        .env("REM_NOW", NOW);
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

fn reword(root: &Path, from: &str, to: &str) {
    let at = root.join(FACTS);
    let text = std::fs::read_to_string(&at).unwrap();
    assert!(text.contains(from));
    rem_testkit::write(root, FACTS, text.replace(from, to));
}

/// Both clones say something, and word one fact anew.
fn both_go_on(scene: &Scene, clone: &Path) {
    scene.done(&["remember", "Mira lives in Lyon"]);
    rem_in(scene, clone, &["remember", "Mira works for the harbor office"]);
    reword(&scene.root(), "8080", "8443");
    reword(clone, "8080", "9000");
    scene.done(&["status"]);
    rem_in(scene, clone, &["status"]);
    scene.done(&["remember", "--pin", "Never deploy on Fridays"]);
    rem_in(scene, clone, &["remember", "--pin", "Always say good morning"]);
}

#[test]
fn git_pulls_by_our_formats_and_what_both_changed_is_asked_at_the_next_command() {
    let scene = Scene::new();
    scene.done(&["remember", "The port of the booking service is 8080"]);
    let clone = cloned(&scene, "b");
    assert!(rem_in(&scene, &clone, &["doctor", "--fix"]).contains("registered how git merges"));
    assert!(!rem_in(&scene, &clone, &["doctor", "--fix"]).contains("registered"));
    both_go_on(&scene, &clone);
    // No hook runs: whatever is owed is found from the commits.
    std::fs::remove_file(clone.join(".git/hooks/post-merge")).unwrap();
    let (is_done, said) = git_pull(&scene, &clone, &scene.root(), true, "--no-rebase");
    assert!(is_done, "{said}");
    let facts = std::fs::read_to_string(clone.join(FACTS)).unwrap();
    assert!(facts.contains("8443") && facts.contains("9000") && !facts.contains("<<<<"), "{facts}");
    assert_eq!(facts.matches("\n- The port").count(), 1, "{facts}");
    let memory = std::fs::read_to_string(clone.join("MEMORY.md")).unwrap();
    assert!(memory.contains("on Fridays") && memory.contains("say good morning"), "{memory}");
    let listed: Value =
        serde_json::from_str(&rem_in(&scene, &clone, &["--json", "conflicts", "list"])).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    assert!(rem_in(&scene, &clone, &["verify"]).contains("All is well"));
    // The other one goes forward by git, and nothing is asked twice.
    let (is_done, said) = git_pull(&scene, &scene.root(), &clone, true, "--no-rebase");
    assert!(is_done, "{said}");
    assert!(scene.done(&["verify"]).contains("All is well"));
    assert_eq!(scene.json(&["conflicts", "list"]), listed);
    assert!(scene.done(&["merge", clone.to_str().unwrap()]).contains("Nothing to merge"));
}

#[test]
fn the_hook_brings_the_log_up_to_a_pull_and_git_without_rem_merges_lines() {
    let scene = Scene::new();
    scene.done(&["remember", "The port of the booking service is 8080"]);
    let (hooked, plain) = (cloned(&scene, "b"), cloned(&scene, "c"));
    for clone in [&hooked, &plain] {
        rem_in(&scene, clone, &["doctor", "--fix"]);
        rem_in(&scene, clone, &["remember", "--pin", "Always say good morning"]);
    }
    reword(&hooked, "8080", "9000");
    rem_in(&scene, &hooked, &["status"]);
    reword(&scene.root(), "8080", "8443");
    scene.done(&["status"]);
    let (is_done, said) = git_pull(&scene, &hooked, &scene.root(), true, "--no-rebase");
    assert!(is_done, "{said}");
    let log = std::fs::read_to_string(hooked.join("memory/meta/audit.log")).unwrap();
    assert!(log.lines().last().unwrap().contains("Merge "), "{log}");
    // Git is in the middle of the merge while its hook runs, so what is owed comes with the next command.
    rem_in(&scene, &hooked, &["status"]);
    assert!(std::fs::read_to_string(hooked.join("CONFLICTS.md")).unwrap().contains("8443"));
    let (is_done, said) = git_pull(&scene, &plain, &scene.root(), false, "--no-rebase");
    assert!(is_done, "{said}");
    assert!(std::fs::read_to_string(plain.join(FACTS)).unwrap().contains("8443"));
    rem_in(&scene, &plain, &["status"]);
    assert!(rem_in(&scene, &plain, &["verify"]).contains("All is well"));
}

#[test]
fn what_git_would_lose_in_a_rebase_stops_it_and_a_merge_asks() {
    let scene = Scene::new();
    scene.write("SOUL.md", "# Soul\n\nI am calm.\n");
    scene.done(&["status"]);
    let clone = cloned(&scene, "b");
    rem_in(&scene, &clone, &["doctor", "--fix"]);
    scene.write("SOUL.md", "# Soul\n\nI am very calm.\n");
    rem_testkit::write(&clone, "SOUL.md", "# Soul\n\nI am never calm.\n");
    scene.done(&["status"]);
    rem_in(&scene, &clone, &["status"]);
    let soul = || std::fs::read_to_string(clone.join("SOUL.md")).unwrap();
    let (is_done, said) = git_pull(&scene, &clone, &scene.root(), true, "--rebase");
    assert!(!is_done && said.contains("SOUL.md"), "{said}");
    assert!(git_command(&clone, &["rebase", "--abort"]).status().unwrap().success());
    assert!(soul().contains("never calm"));
    let (is_done, said) = git_pull(&scene, &clone, &scene.root(), true, "--no-rebase");
    assert!(is_done, "{said}");
    assert!(soul().contains("never calm") && !soul().contains("very calm"), "{}", soul());
    let listed = rem_in(&scene, &clone, &["conflicts", "list"]);
    assert!(listed.contains("I am very calm."), "{listed}");
}

#[test]
fn a_merge_says_what_came_and_what_is_next() {
    let scene = Scene::new();
    scene.done(&["remember", "The port of the booking service is 8080"]);
    let clone = cloned(&scene, "b");
    both_go_on(&scene, &clone);
    let head = scene.json(&["merge", "../b", "--dry-run"]);
    assert_eq!((head["applied"].as_bool(), head["is_forward"].as_bool()), (Some(false), Some(false)));
    let said = scene.done(&["merge", "../b"]);
    for part in ["commits of b came in", "entity:", "wait for you", "rem conflicts resolve"] {
        assert!(said.contains(part), "{said}");
    }
    // The sides have the names that settling one takes.
    let open = scene.json(&["conflicts", "list"]);
    for side in ["first", "second"] {
        let text = open[0][side]["text"].as_str().unwrap();
        assert!(said.lines().any(|line| line.contains(&format!("  {side:<6}  {text}"))), "{said}");
    }
    assert!(scene.done(&["verify"]).contains("All is well"));
    // By the remote that a clone has, without naming it.
    let said = rem_in(&scene, &clone, &["merge"]);
    assert!(said.contains("went forward"), "{said}");
    assert!(rem_in(&scene, &clone, &["merge", "origin"]).contains("Nothing to merge"));
    let (code, said) = scene.failed(&["merge", "nowhere"]);
    assert_eq!(code, 2, "{said}");
    let (code, said) = scene.failed(&["merge"]);
    assert!(code == 2 && said.contains("follows no other") && said.contains("hint"), "{said}");
}

/// The ids that `rem forget` offers for a question.
fn offered(scene: &Scene, root: &Path, question: &str) -> Vec<String> {
    let listed: Value = serde_json::from_str(&rem_in(scene, root, &["--json", "forget", question])).unwrap();
    let ids = listed.as_array().unwrap().iter().filter_map(|each| each["id"].as_str().map(str::to_owned));
    ids.collect()
}

fn forget_for_good(scene: &Scene, root: &Path, question: &str) {
    for id in offered(scene, root, question) {
        rem_in(scene, root, &["forget", "--id", &id, "--permanent"]);
    }
}

#[test]
fn a_pull_brings_nothing_back_that_was_forgotten_and_where_git_stops_the_way_on_is_named() {
    let scene = Scene::new();
    scene.done(&["remember", "--store", "semantic", "The vault code is 7734"]);
    scene.done(&["remember", "Bo lives in Oslo"]);
    let clone = cloned(&scene, "b");
    rem_in(&scene, &clone, &["doctor", "--fix"]);
    forget_for_good(&scene, &clone, "the vault code is 7734");
    scene.done(&["remember", "--store", "semantic", "The vault code is 7734"]);
    let (is_done, said) = git_pull(&scene, &clone, &scene.root(), true, "--no-rebase");
    assert!(is_done, "{said}");
    rem_in(&scene, &clone, &["status"]);
    let facts = std::fs::read_to_string(clone.join(FACTS)).unwrap_or_default();
    assert!(!facts.contains("7734"), "{facts}");
    // Removed there and changed here: git asks nobody's driver.
    forget_for_good(&scene, &clone, "Bo lives in Oslo");
    scene.done(&["remember", "Bo lives in Oslo"]);
    scene.done(&["remember", "Bo plays the oboe"]);
    let (is_done, said) = git_pull(&scene, &clone, &scene.root(), true, "--no-rebase");
    assert!(!is_done && said.contains("deleted"), "{said}");
    let mut command = scene.rem(&["remember", "The ferry leaves at nine"]);
    let refused = command.current_dir(&clone).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("git merge --abort") && said.contains("rem merge"), "{said}");
    assert!(git_command(&clone, &["merge", "--abort"]).status().unwrap().success());
    let told = rem_in(&scene, &clone, &["merge", scene.root().to_str().unwrap()]);
    assert!(told.contains("stay forgotten"), "{told}");
    // Everything about Bo was let go of after all that was said.
    assert!(!clone.join("memory/graph/entities/person--bo.md").exists());
    rem_in(&scene, &clone, &["remember", "The ferry leaves at nine"]);
    assert!(rem_in(&scene, &clone, &["verify"]).contains("All is well"));
}
