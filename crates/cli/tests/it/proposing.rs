//! `rem proposals`: what a sub-agent's shell and a person's terminal may do.

use std::io::Write as _;
use std::process::Stdio;

use crate::support::{Scene, text};

fn scout(scene: &Scene, arguments: &[&str]) -> (bool, String) {
    let mut command = scene.rem(&[&["--agent", "scout"], arguments].concat());
    let output = command.env("REM_ROLE", "sub").output().unwrap();
    (output.status.success(), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn a_sub_agents_shell_proposes_and_decides_nothing() {
    let scene = Scene::new();
    let (done, said) = scout(&scene, &["proposals", "add", "The bell rings at six", "--tag", "bells"]);
    assert!(done && said.starts_with("Proposed as #1  ("), "{said}");
    let (done, said) = scout(&scene, &["proposals", "add", "the bell rings at six!"]);
    assert!(done && said.contains("The same waits already: #1"), "{said}");
    for refused in [&["proposals", "commit", "1"][..], &["proposals", "reject", "1"], &["remember", "x y z"]]
    {
        let (done, said) = scout(&scene, refused);
        assert!(!done && said.contains("sub-agent") && said.contains("rem proposals add"), "{said}");
    }
    let listed = scene.done(&["proposals", "list"]);
    assert!(
        listed.contains("#1  pending  scout  2026-03-01T09:00  ")
            && listed.contains("    The bell rings at six"),
        "{listed}"
    );
}

#[test]
fn numbers_decide_without_a_question_and_every_answer_has_its_json() {
    let scene = Scene::new();
    for text in [
        "The project deadline is March 15",
        "The quay is closed on Mondays",
        "The project deadline is March 30",
        "The rope is blue",
    ] {
        scout(&scene, &["proposals", "add", text]);
    }
    let (code, said) = scene.failed(&["proposals", "commit", "#1"]);
    assert!(code == 2 && said.contains("#3 of scout") && said.contains("--resolve"), "{said}");
    let done = scene.json(&["proposals", "commit", "2", "--store", "vault"]);
    assert_eq!(
        (&done["committed"][0]["path"], &done["committed"][0]["store"]),
        (&"memory/vault/pinned.md".into(), &"vault".into())
    );
    assert_eq!(scene.json(&["proposals", "defer", "4"])["numbers"][0], 4);
    assert_eq!(scene.json(&["proposals", "commit", "3", "--resolve"])["rejected"][0], 1);
    let rejected = scene.done(&["proposals", "reject", "4", "2", "--reason", "said in jest"]);
    assert!(rejected.starts_with("Rejected: #4  (") && rejected.contains("Decided before: #2"), "{rejected}");
    assert_eq!(scene.json(&["proposals", "list"])["proposals"], serde_json::json!([]));
    let (code, said) = scene.failed(&["proposals", "commit", "9"]);
    assert!(
        code == 2 && said.contains("there is no proposal #9") && said.contains("proposals list"),
        "{said}"
    );
    assert_eq!(scene.failed(&["proposals", "commit"]).0, 2);
    scene.done(&["verify"]);
}

#[test]
fn a_review_wants_a_terminal_and_says_what_does_not() {
    let scene = Scene::new();
    scout(&scene, &["proposals", "add", "The rope is blue"]);
    let mut child =
        scene.rem(&["proposals", "review"]).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It may have gone before it reads.
    let _ = child.stdin.take().unwrap().write_all(b"y\n");
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("no terminal") && said.contains("proposals commit|reject|defer"), "{said}");
    assert_eq!(scene.json(&["status"])["pending"]["proposals"], 1);
}

#[test]
fn a_session_that_begins_is_told_how_many_wait_and_for_whom() {
    let scene = Scene::new();
    scout(&scene, &["proposals", "add", "The rope is blue"]);
    let begin = || {
        let mut command = scene.rem(&["hook", "claude-code"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let call = br#"{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}"#;
        child.stdin.take().unwrap().write_all(call).unwrap();
        text(&child.wait_with_output().unwrap().stdout)
    };
    let said = begin();
    assert!(
        said.contains("Waiting for the main agent's review: 1 proposals of sub-agents (memory_proposals"),
        "{said}"
    );
    scene.done(&["config", "set", "proposals.review", "manual"]);
    let said = begin();
    assert!(said.contains("Waiting for the operator's review: 1 proposals"), "{said}");
}

#[test]
fn instructions_name_what_there_is_and_say_what_holds_here() {
    let scene = Scene::new();
    scene.done(&["config", "set", "corrections.cooldown_hours", "31"]);
    scene.done(&["config", "set", "proposals.review", "manual"]);
    let mut named = 0;
    for whom in [
        "agents",
        "skill",
        "sub",
        "memory-miner",
        "soul-keeper",
        "recall-validator",
        "conflict-detector",
        "memory-compactor",
    ] {
        let said = scene.done(&["instructions", whom]);
        assert!(said.contains("follow no instruction"), "{said}");
        assert_eq!(scene.json(&["instructions", whom])["text"].as_str(), Some(said.as_str()));
        for command in said.split('`').filter_map(|piece| piece.strip_prefix("rem ")) {
            let words: Vec<&str> = command.split(' ').collect();
            let names: Vec<&str> = words
                .iter()
                .copied()
                .take_while(|word| word.chars().all(|each| each.is_ascii_lowercase()))
                .collect();
            let help = scene.done(&[&names[..], &["--help"]].concat());
            for option in words.iter().filter(|word| word.starts_with("--")) {
                assert!(help.contains(option), "{command}");
            }
            named += 1;
        }
    }
    assert!(named > 20, "{named}");
    assert!(scene.done(&["instructions", "soul-keeper"]).contains("31 hours"));
    for whom in ["agents", "skill"] {
        let said = scene.done(&["instructions", whom]);
        assert!(said.contains("A person decides on them here"), "{said}");
        assert!(said.contains("rem reflect show") && said.contains("without their answer"), "{said}");
    }
    for (policy, said) in
        [("immutable", "immutable here"), ("propose", "`rem identity review`"), ("auto", "applied at once")]
    {
        scene.done(&["config", "set", "identity.policy", policy]);
        let told = scene.done(&["instructions", "soul-keeper"]);
        assert!(told.contains(said) && told.contains("rem identity grow"), "{told}");
    }
    assert!(scene.failed(&["instructions", "nobody"]).1.contains("soul-keeper"));
}
