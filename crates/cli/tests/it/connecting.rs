//! `rem connect`: what it writes into a host's settings runs, and goes again without a trace.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::host_hooks::{transcripts, until};
use crate::support::Scene;

#[test]
fn connecting_shows_what_changes_and_disconnecting_leaves_nothing() {
    let scene = Scene::new();
    let settings = scene.folder().join(".claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let mine = "{\n  // mine\n  \"model\": \"opus\"\n}\n";
    std::fs::write(&settings, mine).unwrap();
    let read = || std::fs::read_to_string(&settings).unwrap();
    let shown = scene.done(&["connect", "claude-code", "--dry-run"]);
    assert!(
        shown.contains("+    \"UserPromptSubmit\": [") && shown.contains("Nothing was changed"),
        "{shown}"
    );
    assert_eq!(read(), mine);
    scene.done(&["connect", "claude-code"]);
    let connected: String = read();
    let root = scene.root();
    assert!(connected.contains(&format!("-C {} hook claude-code", root.display())), "{connected}");
    assert!(connected.contains("// mine"), "{connected}");
    // However the workspace was named.
    let name = root.file_name().unwrap().to_string_lossy().into_owned();
    let roundabout = root.join("..").join(name).display().to_string();
    let shown = scene.done(&["-C", &roundabout, "connect", "claude-code", "--dry-run"]);
    assert!(!shown.contains("/../"), "{shown}");
    // The command is one that runs: it is taken from the settings and called as a host calls it.
    let text_of_settings = connected.replace("// mine", "");
    let parsed: Value = serde_json::from_str(&text_of_settings).unwrap();
    let command = parsed["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"].as_str().unwrap();
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", command])
        .env("REM_NOW", crate::support::NOW)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = shell.spawn().unwrap();
    let said = json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "The mast is stepped on Friday." });
    child.stdin.take().unwrap().write_all(said.to_string().as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    until(|| transcripts(&scene).contains("stepped on Friday"));
    let again = scene.json(&["connect", "claude-code"]);
    assert!(again["files"].as_array().unwrap().iter().all(|file| file["changed"] == false), "{again}");
    scene.done(&["connect", "claude-code", "--remove"]);
    assert_eq!(read(), mine);
    assert!(!scene.folder().join(".claude.json").exists());
    std::fs::write(&settings, "{ \"model\" }").unwrap();
    let (code, said) = scene.failed(&["connect", "claude-code"]);
    assert!(code == 2 && said.contains("settings.json") && said.contains("line 1"), "{code} {said}");
    assert_eq!(read(), "{ \"model\" }");
}

#[test]
fn doctor_names_a_host_that_calls_rem_as_an_older_version_would() {
    let scene = Scene::new();
    let outdated = || scene.json(&["doctor"])["outdated_hosts"].clone();
    assert_eq!(outdated(), json!([]), "nobody is connected");
    scene.done(&["connect", "claude-code"]);
    assert_eq!(outdated(), json!([]));
    let settings = scene.folder().join(".claude/settings.json");
    let mut older: Value = serde_json::from_str(&std::fs::read_to_string(&settings).unwrap()).unwrap();
    older["hooks"].as_object_mut().unwrap().remove("PostToolUse").unwrap();
    std::fs::write(&settings, older.to_string()).unwrap();
    assert_eq!(outdated(), json!(["claude-code"]));
    let said = scene.done(&["doctor"]);
    assert!(said.contains("rem connect claude-code --dry-run"), "{said}");
    scene.done(&["connect", "claude-code"]);
    assert_eq!(outdated(), json!([]));
}
