//! What each host says and is answered.

use std::path::Path;

use rem_hosts::Host;
use rem_hosts::hook::{Call, Event, empty_answer};
use rem_mind::import::Format;
use serde_json::{Value, json};

fn call(host: Host, said: &Value) -> Call {
    Call::read(host, said.to_string().as_bytes()).unwrap()
}

fn answered(host: Host, said: &Value, context: Option<&str>) -> String {
    call(host, said).answer(context)
}

#[test]
fn a_prompt_is_read_and_answered_in_the_shape_of_its_host() {
    let said = |name: &str, session: &str| json!({ "hook_event_name": name, session: "s", "prompt": "hello", "new": [1] });
    for (host, name, session, answer) in [
        (
            Host::ClaudeCode,
            "UserPromptSubmit",
            "session_id",
            json!({ "hookSpecificOutput": { "hookEventName": "UserPromptSubmit", "additionalContext": "c" } }),
        ),
        (
            Host::Codex,
            "UserPromptSubmit",
            "session_id",
            json!({ "hookSpecificOutput": { "hookEventName": "UserPromptSubmit", "additionalContext": "c" } }),
        ),
        (
            Host::Gemini,
            "BeforeAgent",
            "session_id",
            json!({ "hookSpecificOutput": { "hookEventName": "BeforeAgent", "additionalContext": "c" } }),
        ),
        (
            Host::Cursor,
            "beforeSubmitPrompt",
            "conversation_id",
            json!({ "continue": true, "additional_context": "c" }),
        ),
        (Host::OpenClaw, "before_prompt_build", "session_id", json!({ "prependContext": "c" })),
    ] {
        let said = said(name, session);
        let call = call(host, &said);
        assert_eq!(call.event, Event::Prompt { text: "hello".to_owned() }, "{host}");
        assert_eq!(call.session.as_deref(), Some("s"), "{host}");
        assert_eq!(call.answer(Some("c")), answer.to_string(), "{host}");
    }
}

#[test]
fn with_nothing_to_say_each_host_is_told_nothing_as_it_wants_to_hear_it() {
    for host in Host::ALL {
        let nothing = empty_answer(host);
        match host {
            Host::ClaudeCode | Host::Codex => assert_eq!(nothing, ""),
            _ => assert_eq!(nothing, "{}"),
        }
        assert_eq!(Host::named(host.name()), Some(host));
    }
    let prompt =
        json!({ "hook_event_name": "beforeSubmitPrompt", "conversation_id": "s", "prompt": "hello" });
    assert_eq!(answered(Host::Cursor, &prompt, None), r#"{"continue":true}"#);
    assert_eq!(answered(Host::Cursor, &prompt, Some("")), r#"{"continue":true}"#);
}

#[test]
fn what_ends_a_turn_never_makes_it_go_on() {
    for (host, name) in [
        (Host::ClaudeCode, "Stop"),
        (Host::ClaudeCode, "SessionEnd"),
        (Host::ClaudeCode, "PreCompact"),
        (Host::Codex, "Stop"),
        (Host::Gemini, "AfterAgent"),
        (Host::Cursor, "stop"),
        (Host::Cursor, "afterAgentResponse"),
        (Host::OpenClaw, "agent_end"),
    ] {
        let answer = answered(host, &json!({ "hook_event_name": name, "session_id": "s" }), Some("c"));
        assert!(answer.is_empty() || answer == "{}", "{host} {name}: {answer}");
    }
}

#[test]
fn an_answer_is_found_where_the_host_says_it() {
    for (host, name, field) in [
        (Host::ClaudeCode, "Stop", "last_assistant_message"),
        (Host::Codex, "Stop", "last_assistant_message"),
        (Host::Gemini, "AfterAgent", "prompt_response"),
        (Host::Cursor, "afterAgentResponse", "text"),
        (Host::OpenClaw, "agent_end", "said"),
    ] {
        let said = call(host, &json!({ "hook_event_name": name, field: "Done." }));
        assert_eq!(said.event, Event::TurnEnd { said: Some("Done.".to_owned()) }, "{host}");
        let silent = call(host, &json!({ "hook_event_name": name, field: null }));
        assert_eq!(silent.event, Event::TurnEnd { said: None }, "{host}");
    }
}

#[test]
fn transcripts_are_looked_for_where_the_host_keeps_them() {
    let said = json!({ "hook_event_name": "Stop", "session_id": "s", "transcript_path": "/t.jsonl" });
    for (host, format) in [(Host::ClaudeCode, Format::ClaudeCode), (Host::Codex, Format::Codex)] {
        assert_eq!(call(host, &said).transcripts, [(Path::new("/t.jsonl").to_owned(), format)]);
    }
    let said = json!({ "hook_event_name": "Stop", "session_id": "s", "transcript_path": null });
    assert_eq!(call(Host::Codex, &said).transcripts, []);
    let openclaw = |session: &str| {
        let said = json!({ "hook_event_name": "agent_end", "session_id": session, "agent_folder": "/a" });
        let paths = call(Host::OpenClaw, &said).transcripts;
        paths.into_iter().map(|(path, _)| path.to_string_lossy().replace('\\', "/")).collect::<Vec<_>>()
    };
    assert_eq!(openclaw("s"), ["/a/agent/openclaw-agent.sqlite", "/a/sessions/s.jsonl"]);
    assert_eq!(openclaw("../../x"), ["/a/agent/openclaw-agent.sqlite"]);
}

#[test]
fn a_byte_order_mark_and_bytes_that_are_no_text_are_taken_as_they_come() {
    let mut bytes = "\u{feff}{\"hook_event_name\":\"UserPromptSubmit\",\"session_id\":\"s\",\"prompt\":\"caf"
        .as_bytes()
        .to_vec();
    bytes.push(0xe9);
    bytes.extend(b"\"}");
    let call = Call::read(Host::ClaudeCode, &bytes).unwrap();
    assert_eq!(call.event, Event::Prompt { text: "caf\u{fffd}".to_owned() });
    assert!(Call::read(Host::ClaudeCode, b"hello").is_err());
}
