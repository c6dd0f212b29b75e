//! `rem identity` as a person or an agent types it.

use std::io::Write as _;
use std::process::Stdio;

use crate::support::{Scene, text};

const RULE: &str = "Always confirm the timezone before scheduling";

/// The operator corrected the same thing on two days that are long past.
fn scene() -> Scene {
    let scene = Scene::new();
    let entry = |id: &str, day: &str| {
        format!(
            "\n## {day} 08:00 | {RULE}\n- Correct: {RULE}\n- id: {id}\n- logged: {day}T08:00:00Z\n- verified: false\n\
             - cooldown_expires: {day}T09:00:00Z\n- confidence: 1.00\n- source: operator\n"
        )
    };
    scene.write(
        "CORRECTIONS.md",
        format!("# Corrections\n{}{}", entry("c1", "2026-01-10"), entry("c2", "2026-01-12")),
    );
    scene
}

#[test]
fn what_was_corrected_twice_is_proposed_shown_answered_and_gone_back_on() {
    let scene = scene();
    let soul = scene.read("SOUL.md");
    assert_eq!(scene.json(&["status"])["pending"]["identity"], 0);
    let preview = scene.json(&["identity", "grow", "--dry-run"]);
    assert_eq!((&preview["preview"], &preview["items"][0]["principle"]), (&true.into(), &RULE.into()));
    assert!(
        scene.done(&["identity", "grow", "--dry-run"]).contains("Passing the gate: 1. Nothing was written.")
    );
    assert!(
        scene.done(&["identity", "show"]).contains("it passes the gate: `rem identity grow` takes it up")
    );
    let said = scene.done(&["identity", "grow"]);
    assert!(
        said.contains("0 applied, 1 wait for your answer") && said.contains("rem identity review"),
        "{said}"
    );
    let (code, why) = scene.failed(&["identity", "grow"]);
    assert!(code == 2 && why.contains("wait for an answer") && why.contains("--replace"), "{why}");
    assert_eq!(scene.json(&["status"])["pending"]["identity"], 1);
    assert!(scene.done(&["status"]).contains("Identity   1: `rem identity review`"));
    let shown = scene.json(&["identity", "show"]);
    assert_eq!((&shown["policy"], &shown["max_tokens"]), (&"propose".into(), &800.into()));
    let id = shown["pending"]["items"][0]["id"].as_str().unwrap().to_owned();
    let text = scene.done(&["identity", "show"]);
    assert!(text.contains(&format!("add {id}: {RULE}\n  under Principles")), "{text}");
    let (code, why) = scene.failed(&["identity", "review"]);
    assert!(code == 2 && why.contains("no terminal") && why.contains("rem identity approve"), "{why}");
    assert_eq!(scene.failed(&["identity", "approve", "x9999"]).0, 2);
    assert_eq!(scene.failed(&["identity", "approve", "--edit", "nonsense"]).0, 2);
    assert_eq!(scene.read("SOUL.md"), soul);

    let decided = scene.json(&["identity", "approve", &id]);
    assert_eq!((&decided["applied"][0], &decided["pending"]), (&id.into(), &0.into()));
    let snapshot = decided["snapshot"].as_str().unwrap().to_owned();
    assert_eq!(scene.read(&snapshot), soul);
    assert!(scene.read("SOUL.md").contains(&format!("\n## Principles\n\n- {RULE}\n")));
    assert!(scene.read("CORRECTIONS.md").contains("- encoded: "));
    let history = scene.done(&["identity", "history"]);
    assert!(
        history.contains(&format!("Added principle: {RULE}\n    Evidence: Correction 2026-01-10")),
        "{history}"
    );
    assert!(history.contains("Snapshots, the newest first (1):") && history.contains(&snapshot));
    assert!(scene.done(&["identity", "grow"]).contains("Nothing passes the gate."));

    let (code, why) = scene.failed(&["identity", "rollback", "latest"]);
    assert!(code == 2 && why.contains("no terminal") && why.contains("--yes"), "{why}");
    let (code, why) = scene.failed(&["identity", "rollback", "2020-01-01", "--yes"]);
    assert!(code == 2 && why.contains("there is no snapshot"), "{why}");
    let back = scene.json(&["identity", "rollback", "latest", "--yes"]);
    assert_eq!(back["to"], snapshot.as_str());
    assert_eq!(scene.read("SOUL.md"), soul);
    assert_eq!(scene.json(&["identity", "history"])["snapshots"].as_array().unwrap().len(), 2);
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[test]
fn it_is_rejected_with_a_reason_left_alone_under_immutable_and_no_business_of_a_sub_agent() {
    let scene = scene();
    scene.done(&["identity", "grow"]);
    let said = scene.done(&["identity", "reject", "--reason", "only for meetings"]);
    assert!(said.contains("0 applied, 1 rejected, 0 wait"), "{said}");
    let said = scene.done(&["identity", "grow", "--dry-run"]);
    assert!(
        said.contains("rejected on") && said.contains("only for meetings; it waits for new evidence"),
        "{said}"
    );
    scene.done(&["config", "set", "identity.policy", "immutable"]);
    assert!(scene.done(&["identity", "grow"]).contains("The identity is immutable"));
    let output = scene.rem(&["identity", "grow"]).env("REM_ROLE", "sub").output().unwrap();
    assert_eq!(output.status.code(), Some(7));
}

#[test]
fn drift_is_told_with_messages_or_not_at_all() {
    let scene = scene();
    let told = scene.done(&["identity", "drift"]);
    assert!(
        told.contains("Not enough to say how messages changed: 0 messages in 0 conversations lately"),
        "{told}"
    );
    assert!(!told.contains("Nothing shows drift."), "{told}");
    let report = scene.json(&["identity", "drift", "--days", "7", "--baseline-days", "60"]);
    assert_eq!((&report["claims"], &report["weeks"]), (&serde_json::json!([]), &serde_json::json!([])));
    assert_eq!(scene.failed(&["identity", "drift", "--days", "0"]).0, 2);
}

#[test]
fn a_session_that_begins_is_told_that_the_identity_waits_for_the_operator() {
    let scene = scene();
    scene.done(&["identity", "grow"]);
    let mut command = scene.rem(&["hook", "claude-code"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let call = br#"{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}"#;
    child.stdin.take().unwrap().write_all(call).unwrap();
    let said = text(&child.wait_with_output().unwrap().stdout);
    let told = "Waiting for the operator's review: 1 proposed changes of identity (`rem identity review`)";
    assert!(said.contains(told), "{said}");
}
