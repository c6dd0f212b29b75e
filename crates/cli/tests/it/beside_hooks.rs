//! What hooks set right beside the conversation: files that a host's sub-agent wrote itself, and corrections that only a model sees.

use std::time::Duration;

use rem_testkit::{Reply, Server};
use serde_json::{Value, json};

use crate::host_hooks::{ClaudeCode, context_of, hook, patient, until};

#[test]
fn what_a_hosts_sub_agent_writes_itself_is_put_back_and_waits_as_a_proposal() {
    let scene = patient();
    scene.done(&["remember", "I prefer tea with honey", "--store", "core"]);
    let before = scene.read("MEMORY.md");
    let host = ClaudeCode::new(&scene, "s1");
    let wrote = |file: &str, more: Value| {
        let mut said =
            host.said("PostToolUse", json!({ "tool_name": "Edit", "tool_input": { "file_path": file } }));
        said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        hook(&scene, "claude-code", &said)
    };
    let at = |path: &str| scene.root().join(path).to_string_lossy().into_owned();
    let changed = format!("{before}- The harbour bell rings at six\n");

    // The agent of the session itself may write its files.
    scene.write("MEMORY.md", &changed);
    assert_eq!(wrote(&at("MEMORY.md"), json!({})), "");
    assert_eq!(scene.read("MEMORY.md"), changed);
    scene.write("MEMORY.md", &before);

    scene.write("MEMORY.md", &changed);
    let sub = json!({ "agent_id": "a1", "agent_type": "scout" });
    let told = context_of(&wrote(&at("MEMORY.md"), sub.clone()), "PostToolUse");
    assert!(told.contains("MEMORY.md holds again") && told.contains("proposals #1."), "{told}");
    assert_eq!(scene.read("MEMORY.md"), before);
    let listed = scene.done(&["proposals", "list"]);
    assert!(listed.contains("scout") && listed.contains("The harbour bell rings at six"), "{listed}");
    let alerts = scene.done(&["audit", "alerts"]);
    assert!(alerts.contains("written by the sub-agent scout"), "{alerts}");

    // What it writes elsewhere is none of the memory's business, and neither is what it did not change.
    assert_eq!(wrote("/nowhere/else.md", sub.clone()), "");
    assert_eq!(wrote(&at("MEMORY.md"), sub), "");
    scene.done(&["verify"]);
}

#[test]
fn a_model_looks_at_what_sounds_like_a_correction_and_the_host_does_not_wait() {
    let answer = r#"{"number": 1, "right": "The launch of Atlas is on May 9"}"#;
    let reply = Reply { after: Duration::from_secs(2), ..Reply::said(answer) };
    let server = Server::new(move |_, _| Some(reply.clone()));
    let scene = patient();
    scene.done(&["config", "set", "models.provider", "openai"]);
    scene.done(&["config", "set", "models.url", &server.url]);
    scene.done(&["remember", "The launch of Atlas is on May 4"]);
    let host = ClaudeCode::new(&scene, "s1");
    let said = "No, you mixed that up again. Atlas goes live five days later, May 9!";
    let told = hook(&scene, "claude-code", &host.said("UserPromptSubmit", json!({ "prompt": said })));
    assert!(context_of(&told, "UserPromptSubmit").contains("May 4"), "{told}");
    assert!(!scene.read("CORRECTIONS.md").contains("May 9"));
    until(|| scene.read("CORRECTIONS.md").contains("- Correct: The launch of Atlas is on May 9\n"));
    assert!(!rem_testkit::files(&scene.root()).contains_key(".rem/hooks.log"), "nothing was late");
}
