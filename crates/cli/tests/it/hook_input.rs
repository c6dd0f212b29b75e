//! What a host says to a hook, and what comes of it where that is not as it should be.

use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::host_hooks::{context_of, hook, patient, transcripts};

#[test]
fn a_host_that_does_not_close_its_end_is_answered_when_it_has_said_all() {
    let scene = patient();
    scene.done(&["remember", "We deploy with the blue script."]);
    let prompt =
        json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "how do we deploy?" });
    let called = |said: &[u8]| {
        let mut command = scene.rem(&["hook", "claude-code"]);
        command.env("REM_NOW", crate::support::NOW).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut open = child.stdin.take().unwrap();
        let (first, rest) = said.split_at(said.len() / 2);
        open.write_all(first).unwrap();
        open.flush().unwrap();
        open.write_all(rest).unwrap();
        let mut answer = String::new();
        child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
        drop(open);
        answer
    };
    let answer = called(prompt.to_string().as_bytes());
    assert!(context_of(&answer, "UserPromptSubmit").contains("the blue script"));
    assert!(transcripts(&scene).contains("how do we deploy?"));
    // What does not come to an end is waited for until the deadline, and said.
    scene.done(&["config", "set", "hooks.deadline_ms", "100"]);
    let begun = Instant::now();
    assert_eq!(called(&prompt.to_string().as_bytes()[..40]), "");
    assert!(begun.elapsed() < Duration::from_secs(20));
    let log = scene.read(".rem/hooks.log");
    assert!(log.contains("input: the host had not said all of it after "), "{log}");
}

#[test]
fn why_a_call_cannot_be_answered_is_in_the_log() {
    let scene = patient();
    for (host, said, why) in [
        (
            "claude-code",
            json!({ "hook_event_name": "UserPromptSubmit", "prompt": "hi" }),
            "UserPromptSubmit: it names no session",
        ),
        (
            "codex",
            json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s" }),
            "UserPromptSubmit: it holds no prompt",
        ),
        (
            "gemini",
            json!({ "hook_event_name": "Sunrise", "session_id": "s" }),
            "Sunrise: no event of this name",
        ),
        ("cursor", json!({ "session_id": "s" }), ": no event of this name"),
        (
            "openclaw",
            json!({ "hook_event_name": "agent_end", "said": "hi" }),
            "agent_end: it names no session",
        ),
        ("openclaw", json!({ "hook_event_name": "x".repeat(100_000) }), ": no event of this name"),
    ] {
        hook(&scene, host, &said);
        let log = scene.read(".rem/hooks.log");
        let last = log.lines().last().unwrap_or_default();
        assert!(last.contains(why) && last.len() < 200, "{host} {last}");
    }
    // What is none of its business is none of the log's either.
    let before = scene.read(".rem/hooks.log");
    hook(
        &scene,
        "claude-code",
        &json!({ "hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Read" }),
    );
    assert_eq!(scene.read(".rem/hooks.log"), before);
}
