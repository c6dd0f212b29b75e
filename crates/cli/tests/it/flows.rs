//! Whole flows as a person or an agent types them.

use std::io::Write;
use std::process::Stdio;

use crate::support::{Scene, text};

#[test]
fn a_workspace_is_made_used_searched_and_proven() {
    let scene = Scene::empty();
    let root = scene.root();
    let said = scene.done(&["init", root.to_str().unwrap()]);
    assert!(said.contains("is a workspace now"), "{said}");
    assert!(scene.done(&["init"]).contains("nothing was missing"));
    scene.done(&["capture", "start", "--session", "s", "--topic", "The lighthouse"]);
    scene.done(&["capture", "message", "--session", "s", "--role", "user", "When was it built?"]);
    scene.done(&[
        "capture",
        "tool",
        "--session",
        "s",
        "--name",
        "search",
        "--result",
        "1873",
        "lighthouse built",
    ]);
    let mut child = scene
        .rem(&["capture", "message", "--session", "s", "--role", "agent", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all("In 1873.\n\nIt was raised in 1901.".as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    scene.done(&[
        "capture",
        "memory",
        "--session",
        "s",
        "--path",
        "memory/reference/lighthouse.md",
        "built 1873",
    ]);
    let ended = scene.done(&["capture", "end", "--session", "s", "--tag", "coast", "--tokens-in", "40"]);
    assert!(ended.contains("raw/conversations/2026/03/01/0900-s-the-lighthouse.md"), "{ended}");
    let page = scene.read("raw/conversations/2026/03/01/0900-s-the-lighthouse.md");
    for line in ["topic: ", "tags:", "tokens_in: 40", "## 09:00 — user", "> [tool:search]", "[memory]"] {
        assert!(page.contains(line), "{line}: {page}");
    }
    assert!(scene.done(&["recall", "lighthouse"]).contains("0900-s-the-lighthouse.md"));
    assert_eq!(scene.done(&["recall", "zebra"]).trim(), "Nothing found.");
    assert!(scene.done(&["context", "lighthouse"]).contains("In 1873."));
    assert!(scene.done(&["status"]).contains("1 closed, 0 open"));
    assert!(scene.done(&["verify"]).contains("All is well"));
    assert_eq!(scene.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_workspace_is_found_from_below_by_name_and_at_home() {
    let scene = Scene::new();
    let below = scene.root().join("memory/episodes");
    let inside = scene.rem(&["--json", "status"]).current_dir(&below).output().unwrap();
    assert!(inside.status.success(), "{}", text(&inside.stderr));
    let elsewhere = tempfile::tempdir().unwrap();
    for arguments in [&["status"][..], &["-C", "w", "status"]] {
        let output =
            scene.rem(arguments).current_dir(scene.folder()).env("REM_WORKSPACE", "w").output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let lost = scene.rem(&["status"]).current_dir(elsewhere.path()).output().unwrap();
    assert_eq!(lost.status.code(), Some(2));
    scene.done(&["init", scene.folder().join(".rem").to_str().unwrap()]);
    let home = scene.rem(&["--json", "status"]).current_dir(elsewhere.path()).output().unwrap();
    assert!(home.status.success() && text(&home.stdout).contains(".rem"), "{}", text(&home.stderr));
}

#[test]
fn many_processes_write_to_one_session() {
    let scene = Scene::new();
    let children: Vec<_> = (0..8)
        .map(|number| {
            let words = format!("process {number} speaks");
            scene
                .rem(&["capture", "message", "--session", "shared", "--role", "user", &words])
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    let ended = scene.json(&["capture", "end", "--session", "shared"]);
    let page = scene.read(ended["files"][0]["path"].as_str().unwrap());
    assert_eq!(page.matches("## 09:00 — user").count(), 8, "{page}");
    for number in 0..8 {
        assert!(page.contains(&format!("process {number} speaks")), "{number}");
    }
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[test]
fn a_secret_is_hidden_and_said_to_be() {
    let scene = Scene::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let said =
        scene.done(&["capture", "message", "--session", "s", "--role", "user", &format!("use {secret}")]);
    assert!(said.contains("hidden: github-token"), "{said}");
    scene.done(&["capture", "end", "--session", "s"]);
    for (path, bytes) in rem_testkit::files(&scene.root()) {
        assert!(!text(&bytes).contains(&secret), "{path}");
    }
    assert!(!scene.git(&["log", "-p"]).contains(&secret));
}

#[test]
fn an_idle_session_is_closed_by_the_next_command() {
    let scene = Scene::new();
    scene.done(&["capture", "message", "--session", "s", "--role", "user", "Is it late?"]);
    assert!(scene.done(&["status"]).contains("0 closed, 1 open"));
    assert!(scene.done(&["--now", "2026-03-01T22:00:00Z", "status"]).contains("1 closed, 0 open"));
}

#[test]
fn a_file_a_session_and_a_time_can_be_rolled_back() {
    let scene = Scene::new();
    let first = scene.git(&["rev-parse", "HEAD"]).trim().to_owned();
    scene.write("memory/2026-03-01.md", "one\n");
    scene.done(&["--now", "2026-03-01T10:00:00Z", "status"]);
    scene.write("memory/2026-03-01.md", "two\n");
    scene.done(&["--now", "2026-03-01T11:00:00Z", "status"]);
    let said = scene.done(&["rollback", "file", "memory/2026-03-01.md", "--to", "2026-03-01T10:30:00Z"]);
    assert!(said.contains("reverted 1 files"), "{said}");
    assert_eq!(scene.read("memory/2026-03-01.md"), "one\n");
    assert!(
        scene.done(&["rollback", "file", "memory/2026-03-01.md", "--to", "HEAD"]).contains("Nothing differs")
    );
    let path = scene.conversation("s", "Words that stay.");
    scene.done(&["rollback", "time", &first]);
    assert!(!scene.root().join("memory/2026-03-01.md").exists());
    assert!(scene.root().join(&path).exists(), "conversations are evidence and stay");
    let lines = scene.json(&["audit", "--action", "REVERT"]);
    assert!(lines.as_array().unwrap().len() >= 2, "{lines}");
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[test]
fn history_answers_what_when_and_where_from() {
    let scene = Scene::new();
    scene.write("memory/people/ada.md", "# Ada\n\nKeeps bees.\n");
    scene.done(&["--now", "2026-03-01T10:00:00Z", "status"]);
    let learned = scene.json(&["history", "learned", "Keeps bees."]);
    assert_eq!(learned[0]["files"][0], "memory/people/ada.md");
    assert!(scene.done(&["history", "origin", "memory/people/ada.md:3"]).contains("Keeps bees."));
    assert!(scene.done(&["history", "today"]).contains("memory/people/ada.md"));
    assert!(scene.done(&["history", "changed", "--since", "2026-03-01"]).contains("+Keeps bees."));
    assert_eq!(scene.done(&["history", "at", "HEAD", "memory/people/ada.md"]), "# Ada\n\nKeeps bees.\n");
    assert!(scene.done(&["history", "learned", "Keeps wasps."]).contains("never written"));
}

#[test]
fn moments_get_names_and_names_are_revisions() {
    let scene = Scene::new();
    assert!(scene.done(&["tag", "milestone", "first light"]).contains("memory/milestone/first-light"));
    assert!(scene.done(&["tag", "daily"]).contains("memory/daily/2026-03-01"));
    let tags = scene.done(&["tag", "list"]);
    assert_eq!(tags.lines().count(), 2, "{tags}");
    scene.write("SOUL.md", "# Soul\n\nAnother.\n");
    scene.done(&["status"]);
    scene.done(&["rollback", "file", "SOUL.md", "--to", "memory/milestone/first-light"]);
    assert!(!scene.read("SOUL.md").contains("Another."));
}

#[test]
fn the_audit_log_tells_who_did_what_and_can_be_made_anew() {
    let scene = Scene::new();
    scene.write("SOUL.md", "# Soul\n\nChanged by hand.\n");
    scene.done(&["status"]);
    scene.conversation("s", "Hello.");
    let all = scene.json(&["audit"]);
    assert!(all.as_array().unwrap().len() > 20, "every new file has its line");
    let soul = scene.done(&["audit", "--file", "SOUL.md", "--tail", "2"]);
    assert_eq!(soul.lines().count(), 2, "{soul}");
    assert!(!scene.done(&["audit", "--actor", "manual"]).is_empty());
    assert!(scene.done(&["audit", "--grep", "nothing like this"]).is_empty());
    assert!(scene.done(&["audit", "alerts"]).contains("SOUL.md"));
    scene.done(&["audit", "acknowledge", "SOUL.md"]);
    assert!(!scene.done(&["audit", "alerts"]).contains("SOUL.md"));
    let before = scene.read("memory/meta/audit.log");
    std::fs::remove_file(scene.root().join("memory/meta/audit.log")).unwrap();
    scene.done(&["audit", "rebuild"]);
    assert_eq!(scene.read("memory/meta/audit.log"), before);
    assert!(scene.done(&["audit", "digest"]).contains("No month"));
}

#[test]
fn an_agents_folder_is_adopted_and_let_go_again() {
    let scene = Scene::empty();
    scene.write("SOUL.md", "# Soul\n\nOld.\n");
    scene.write("memory/2026-02-28.md", "# Saturday\r\n");
    let before = rem_testkit::files(&scene.root());
    let said = scene.done(&["adopt", "--dry-run"]);
    assert!(
        said.contains("identity") && said.contains("dated notes") && said.contains("Would add"),
        "{said}"
    );
    assert_eq!(rem_testkit::files(&scene.root()), before);
    let outcome = scene.json(&["adopt"]);
    assert!(scene.done(&["verify"]).contains("All is well"));
    scene.git(&["revert", "--no-edit", outcome["commit"].as_str().unwrap()]);
    let mut after = rem_testkit::files(&scene.root());
    after.remove("memory/meta/audit.log");
    assert_eq!(after, before);
}

#[test]
fn the_doctor_mends_what_can_be_mended() {
    let scene = Scene::new();
    scene.write(".git/index.lock", "");
    scene.write("memory/meta/audit.log", "not true\n");
    assert_eq!(scene.failed(&["doctor"]).0, 5);
    let said = scene.done(&["doctor", "--fix"]);
    assert!(
        said.contains("index.lock") && said.contains("audit log") && said.contains("All is well"),
        "{said}"
    );
    assert!(scene.done(&["doctor"]).contains("All is well"));
}
