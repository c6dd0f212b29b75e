//! What hooks do with others beside the conversation: files that a host's sub-agent wrote itself are put right, corrections that only a model sees
//! are made, a server of the workspace answers in the place of a process that would begin anew, what the host still keeps itself is not recalled, and a call that
//! comes after a later one says nothing twice.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rem_testkit::{Reply, Server};
use serde_json::{Value, json};

use crate::host_hooks::{ClaudeCode, context_of, count, hook, hook_at, patient, transcripts, until};
use crate::support::{Scene, text};

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

    // A shell's command is held against what changed: a file that it names goes back, one that it does not is somebody else's.
    scene.write("MEMORY.md", changed.replace("six", "seven"));
    scene.write("memory/reference/ropes.md", "# Ropes\n\nBlue ones.\n");
    let shell = json!({
        "tool_name": "Bash", "agent_id": "a1", "agent_type": "scout",
        "tool_input": { "command": "echo '- The harbour bell rings at seven' >> MEMORY.md" },
    });
    let mut reading = shell.clone();
    reading["tool_input"]["command"] = "cat MEMORY.md".into();
    assert_eq!(wrote("", reading), "");
    assert!(scene.read("MEMORY.md").contains("at seven"));
    let told = context_of(&wrote("", shell), "PostToolUse");
    assert!(told.contains("MEMORY.md holds again") && !told.contains("ropes"), "{told}");
    assert_eq!(scene.read("MEMORY.md"), before);
    assert!(scene.read("memory/reference/ropes.md").contains("Blue ones."));

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

/// A server of the workspace by the machine's clock, whose log is kept.
struct Beside {
    child: Child,
    log: std::path::PathBuf,
}

impl Beside {
    fn start(scene: &Scene, name: &str) -> Self {
        let log = scene.folder().join(name);
        let child = scene
            .rem(&["-v", "mcp"])
            .env_remove("REM_NOW")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        Self { child, log }
    }

    /// How many calls it took.
    fn taken(&self) -> usize {
        std::fs::read_to_string(&self.log).unwrap().matches("asks over the socket: claude-code").count()
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A hook by the machine's clock, which a server may answer.
fn ask(scene: &Scene, role: &str, said: &Value) -> String {
    let mut child = scene
        .rem(&["--agent", "scout", "hook", "claude-code"])
        .env_remove("REM_NOW")
        .env("REM_ROLE", role)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(said.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    text(&output.stdout)
}

fn is_there(scene: &Scene) -> bool {
    std::os::unix::net::UnixStream::connect(scene.root().join(".rem/hooks.sock")).is_ok()
}

#[test]
fn a_server_of_the_workspace_answers_hooks_as_they_would_themselves() {
    let scene = patient();
    // By the machine's clock, or it would be forgotten by now.
    let mut remember = scene.rem(&["remember", "The ledger is kept in integer cents"]);
    assert!(remember.env_remove("REM_NOW").output().unwrap().status.success());
    let before = scene.read("MEMORY.md");
    let host = ClaudeCode::new(&scene, "s1");
    let prompt = |text: &str| host.said("UserPromptSubmit", json!({ "prompt": text }));
    let first = Beside::start(&scene, "first.log");
    until(|| is_there(&scene));
    let told = ask(&scene, "main", &prompt("How is the ledger kept?"));
    assert!(context_of(&told, "UserPromptSubmit").contains("integer cents"), "{told}");
    assert_eq!(first.taken(), 1);
    assert_eq!(transcripts(&scene).matches("How is the ledger kept?").count(), 1);

    // Agent and role are the asker's.
    scene.write("MEMORY.md", format!("{before}- The rope is blue\n"));
    let file = scene.root().join("MEMORY.md").to_string_lossy().into_owned();
    let wrote =
        host.said("PostToolUse", json!({ "tool_name": "Write", "tool_input": { "file_path": file } }));
    let told = context_of(&ask(&scene, "sub", &wrote), "PostToolUse");
    assert!(told.contains("MEMORY.md holds again") && scene.read("MEMORY.md") == before, "{told}");
    assert!(scene.done(&["proposals", "list"]).contains("scout"));
    assert_eq!(first.taken(), 2);

    // What is no call is hung up on, and a pinned clock is nobody else's.
    let mut stream = std::os::unix::net::UnixStream::connect(scene.root().join(".rem/hooks.sock")).unwrap();
    stream.write_all(b"{\"protocol\": 99}\n").unwrap();
    assert_eq!(stream.read(&mut [0; 10]).unwrap(), 0);
    hook(&scene, "claude-code", &prompt("What about pounds?"));
    assert_eq!(first.taken(), 2);

    // A second server waits until the first has ended, however that happens; one that does not move is not waited for.
    let second = Beside::start(&scene, "second.log");
    first.signal("STOP");
    let told = ask(&scene, "main", &prompt("And how is the ledger not kept?"));
    assert!(context_of(&told, "UserPromptSubmit").contains("integer cents"), "{told}");
    drop(first);
    until(|| is_there(&scene));
    ask(&scene, "main", &prompt("In which cents is the ledger kept?"));
    assert_eq!(second.taken(), 1);
    drop(second);
    let told = ask(&scene, "main", &prompt("Is the ledger kept in whole cents?"));
    assert!(context_of(&told, "UserPromptSubmit").contains("integer cents"), "{told}");
    scene.done(&["verify"]);
}

#[test]
fn what_the_host_still_keeps_is_not_recalled_until_it_condenses_it() {
    let scene = patient();
    scene.done(&["remember", "The mast is stepped at high water."]);
    let mut host = ClaudeCode::new(&scene, "s1");
    let said = "By the way, the crane for the mast comes from Altona.";
    hook(&scene, "claude-code", &host.said("UserPromptSubmit", json!({ "prompt": said })));
    host.person("2026-03-01T09:00:00Z", said);
    host.agent("2026-03-01T09:00:05Z", "Noted.");
    let stop = host.said("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "Noted." }));
    hook(&scene, "claude-code", &stop);
    let asked =
        host.said("UserPromptSubmit", json!({ "prompt": "where does the crane for the mast come from?" }));
    let ask = || context_of(&hook(&scene, "claude-code", &asked), "UserPromptSubmit");
    let given = ask();
    assert!(given.contains("high water") && !given.contains("Altona"), "{given}");
    let compact = host.said("PreCompact", json!({ "trigger": "auto", "custom_instructions": null }));
    hook(&scene, "claude-code", &compact);
    let given = ask();
    assert!(given.contains("high water") && given.contains("Altona"), "{given}");
}

#[test]
fn a_prompt_that_comes_after_the_end_of_its_session_is_kept_once() {
    let scene = patient();
    let mut host = ClaudeCode::new(&scene, "s1");
    host.person("2026-03-01T09:00:00Z", "The mast is stepped on Friday.");
    host.agent("2026-03-01T09:00:05Z", "Noted: Friday.");
    let end = host.said("SessionEnd", json!({ "reason": "other" }));
    assert_eq!(hook(&scene, "claude-code", &end), "");
    until(|| transcripts(&scene).contains("\nended: "));
    let prompt = host.said("UserPromptSubmit", json!({ "prompt": "The mast is stepped on Friday." }));
    hook(&scene, "claude-code", &prompt);
    let kept = transcripts(&scene);
    assert_eq!((count(&kept, "\nThe mast is stepped"), count(&kept, "session_id: s1")), (1, 1), "{kept}");
    // Other words begin its next part; so do the same ones later.
    let other = host.said("UserPromptSubmit", json!({ "prompt": "And the sails come on Monday." }));
    hook(&scene, "claude-code", &other);
    assert_eq!(count(&transcripts(&scene), "session_id: s1"), 2);
    let end = host.said("SessionEnd", json!({ "reason": "other" }));
    hook(&scene, "claude-code", &end);
    until(|| count(&transcripts(&scene), "\nended: ") == 2);
    let again = host.said("UserPromptSubmit", json!({ "prompt": "And the sails come on Monday." }));
    hook_at(&scene, "claude-code", "2026-03-01T18:00:00Z", &again);
    assert_eq!(count(&transcripts(&scene), "\nAnd the sails come"), 2, "{}", transcripts(&scene));
}
