//! What each host says and is answered.

use std::path::Path;

use rem_hosts::Host;
use rem_hosts::hook::{Call, Event, Written, empty_answer};
use rem_mind::import::Format;
use rem_mind::ledger::AgentRole;
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
fn a_file_that_is_written_concerns_the_memory_where_a_sub_agent_did_it() {
    let said = |more: Value| {
        let mut said = json!({
            "hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Edit",
            "tool_input": { "file_path": "/w/MEMORY.md", "old_string": "a", "new_string": "b" },
        });
        said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call(Host::ClaudeCode, &said)
    };
    let by = |subagent: Option<&str>| Event::Wrote {
        written: Written::File("/w/MEMORY.md".into()),
        subagent: subagent.map(str::to_owned),
    };
    for (more, event, main, sub) in [
        (json!({}), by(None), true, false),
        (json!({ "agent_type": "reviewer" }), by(None), true, false),
        (json!({ "agent_id": "a1" }), by(Some("a1")), false, false),
        (json!({ "agent_id": "a1", "agent_type": "scout" }), by(Some("scout")), false, false),
        (json!({ "tool_name": "Read", "agent_id": "a1" }), Event::Other, true, true),
        (json!({ "tool_input": null, "agent_id": "a1" }), Event::Other, true, true),
    ] {
        let call = said(more.clone());
        assert_eq!(call.event, event, "{more}");
        assert_eq!(call.asks_for_nothing(AgentRole::Main), main, "{more}");
        assert_eq!(call.asks_for_nothing(AgentRole::Sub), sub, "{more}");
    }
    let shell =
        said(json!({ "tool_name": "Bash", "tool_input": { "command": "echo x > y" }, "agent_id": "a1" }));
    let command = Written::ByCommand("echo x > y".to_owned());
    assert_eq!(shell.event, Event::Wrote { written: command, subagent: Some("a1".to_owned()) });
    let told = said(json!({ "agent_id": "a1" })).answer(Some("c"));
    let shape = json!({ "hookSpecificOutput": { "hookEventName": "PostToolUse", "additionalContext": "c" } });
    assert_eq!(told, shape.to_string());
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
