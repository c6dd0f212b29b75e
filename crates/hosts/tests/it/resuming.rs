//! Whatever of a session a host calls hooks for, its turns are kept once and in their order.

use std::io::Write as _;
use std::path::PathBuf;

use proptest::prelude::*;
use rem_format::transcript::Transcript;
use rem_hosts::Host;
use rem_hosts::hook::{Call, finish, respond};
use rem_testkit::{Workspace, machine_time};
use serde_json::{Value, json};

/// A session as a host writes it down.
struct Session {
    workspace: Workspace,
    host: Host,
    id: &'static str,
    path: PathBuf,
    records: usize,
    expected: Vec<String>,
}

impl Session {
    fn new(host: Host, id: &'static str) -> Self {
        let workspace = Workspace::new();
        let path = workspace.outside().join(format!("{id}.jsonl"));
        let mut session = Self { workspace, host, id, path, records: 0, expected: Vec::new() };
        if host == Host::Codex {
            let time = session.workspace.now().to_string();
            let meta = json!({ "id": id, "timestamp": time, "cwd": "/w" });
            session.write(&json!({ "timestamp": time, "type": "session_meta", "payload": meta }));
        }
        session
    }

    fn write(&mut self, record: &Value) {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&self.path).unwrap();
        writeln!(file, "{record}").unwrap();
    }

    /// The host writes down what somebody said.
    fn says(&mut self, role: &str, words: &str) {
        let time = self.workspace.now().to_string();
        let kind = if role == "user" { "input_text" } else { "output_text" };
        let parent = (self.records > 0).then(|| format!("r{}", self.records));
        self.records += 1;
        let record = match self.host {
            Host::Codex => json!({ "timestamp": time, "type": "response_item", "payload": {
                "type": "message", "role": role, "content": [{ "type": kind, "text": words }],
            } }),
            _ => json!({
                "type": role, "uuid": format!("r{}", self.records), "parentUuid": parent, "sessionId": self.id,
                "timestamp": time, "cwd": "/w", "isSidechain": false,
                "message": { "role": role, "content": [{ "type": "text", "text": words }] },
            }),
        };
        self.write(&record);
        self.expected.push(words.to_owned());
    }

    fn call(&self, event: &str, more: Value) -> Call {
        let mut said =
            json!({ "hook_event_name": event, "session_id": self.id, "transcript_path": self.path });
        said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        Call::read(self.host, said.to_string().as_bytes()).unwrap()
    }

    fn hook(&self, event: &str, more: Value) {
        let response =
            respond(self.workspace.memory(), &self.call(event, more.clone()), machine_time()).unwrap();
        if response.is_unheard {
            finish(self.workspace.memory(), &self.call(event, more), machine_time()).unwrap();
        }
    }

    fn pass(&self, seconds: i64) {
        self.workspace.advance(format!("PT{seconds}S").parse().unwrap());
    }

    /// A person says something and is answered; hooks are called for what is said so.
    fn turn(&mut self, number: usize, hooks: Hooks) {
        let (asked, answered) =
            (format!("Question {number} about the harbour?"), format!("Answer {number}."));
        if hooks.start {
            self.hook("SessionStart", json!({ "source": "resume" }));
        }
        if hooks.prompt {
            self.hook("UserPromptSubmit", json!({ "prompt": asked }));
        }
        self.pass(1);
        self.says("user", &asked);
        self.pass(hooks.seconds);
        let stop = json!({ "last_assistant_message": answered });
        if hooks.stop && hooks.is_late {
            self.hook("Stop", stop.clone());
        }
        self.says("assistant", &answered);
        if hooks.stop && !hooks.is_late {
            self.hook("Stop", stop);
        }
        if hooks.end {
            self.hook("SessionEnd", json!({ "reason": "other" }));
        }
        self.pass(hooks.seconds);
    }

    fn kept(&self) -> Vec<String> {
        let mut parts: Vec<Transcript> = rem_testkit::files(&self.workspace.root())
            .into_iter()
            .filter(|(path, _)| path.starts_with("raw/conversations/") && path.ends_with(".md"))
            .map(|(_, bytes)| Transcript::parse(&bytes).unwrap())
            .filter(|part| part.header.session_id == self.id)
            .collect();
        parts.sort_by_key(|part| part.header.part);
        parts.iter().flat_map(|part| &part.turns).map(|turn| turn.turn.text()).collect()
    }
}

/// Which hooks a host calls around a turn.
#[derive(Debug, Clone, Copy)]
struct Hooks {
    start: bool,
    prompt: bool,
    stop: bool,
    /// Whether the answer is written down only after the hook for the end of the turn.
    is_late: bool,
    end: bool,
    seconds: i64,
}

impl Hooks {
    const ALL: Self = Self { start: false, prompt: true, stop: true, is_late: false, end: false, seconds: 4 };
    const NONE: Self = Self { prompt: false, stop: false, ..Self::ALL };
    const RESUMED: Self = Self { start: true, ..Self::ALL };
}

#[test]
fn a_session_that_is_resumed_is_kept_once_and_in_order() {
    for host in [Host::ClaudeCode, Host::Codex] {
        for first in [Hooks::RESUMED, Hooks::ALL] {
            for away in [5, 3_600, 24 * 3_600] {
                let mut session = Session::new(host, "resumed");
                session.turn(1, Hooks::NONE);
                session.turn(2, Hooks::NONE);
                session.pass(away);
                session.turn(3, first);
                session.turn(4, Hooks::ALL);
                session.turn(5, Hooks { end: true, ..Hooks::ALL });
                assert_eq!(session.kept(), session.expected, "{host} {first:?} after {away} s");
            }
        }
    }
}

#[test]
fn turns_that_no_hook_was_called_for_are_kept_in_their_place() {
    let mut session = Session::new(Host::ClaudeCode, "gaps");
    session.turn(1, Hooks::ALL);
    session.turn(2, Hooks::NONE);
    session.turn(3, Hooks::NONE);
    session.turn(4, Hooks::ALL);
    assert_eq!(session.kept(), session.expected);
    session.turn(5, Hooks { stop: false, ..Hooks::ALL });
    session.turn(6, Hooks { end: true, ..Hooks::ALL });
    assert_eq!(session.kept(), session.expected);
}

#[test]
fn a_long_transcript_is_taken_in_apart_from_the_host() {
    let mut session = Session::new(Host::ClaudeCode, "long");
    session.says("user", "What is in the log?");
    session.says("assistant", "A line of the log.\n\n".repeat(150_000).trim_end());
    session.pass(60);
    let prompt = session.call("UserPromptSubmit", json!({ "prompt": "And now?" }));
    let response = respond(session.workspace.memory(), &prompt, machine_time()).unwrap();
    assert!(response.is_unheard && session.kept().is_empty(), "it would be kept before its place");
    session.turn(1, Hooks::ALL);
    session.turn(2, Hooks { end: true, ..Hooks::ALL });
    assert_eq!(session.kept(), session.expected);
}

#[test]
fn a_prompt_that_came_too_late_is_kept_where_its_transcript_never_appears() {
    let session = Session::new(Host::ClaudeCode, "late");
    let prompt =
        session.call("UserPromptSubmit", json!({ "prompt": "The spare key hangs in the boathouse." }));
    finish(session.workspace.memory(), &prompt, machine_time()).unwrap();
    assert_eq!(session.kept(), ["The spare key hangs in the boathouse."]);
}

#[test]
fn half_an_emoji_costs_no_message() {
    let mut session = Session::new(Host::ClaudeCode, "half");
    let said = br#"{"hook_event_name":"UserPromptSubmit","session_id":"half","prompt":"Code 7731 \ud83d"}"#;
    let call = Call::read(Host::ClaudeCode, said).unwrap();
    respond(session.workspace.memory(), &call, machine_time()).unwrap();
    assert_eq!(session.kept(), ["Code 7731 \u{fffd}"]);
    let record = br#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"other","timestamp":"2026-03-01T08:00:00Z","message":{"role":"user","content":"Code 8842 \ud83d"}}"#;
    session.id = "other";
    session.path = session.workspace.outside().join("other.jsonl");
    std::fs::write(&session.path, record).unwrap();
    session.hook("Stop", json!({}));
    assert_eq!(session.kept(), ["Code 8842 \u{fffd}"]);
}

fn hooks() -> impl Strategy<Value = Hooks> {
    (any::<[bool; 4]>(), 0..6_u8, prop_oneof![Just(2_i64), Just(20), Just(59), Just(50_000)]).prop_map(
        |([start, prompt, stop, is_late], end, seconds)| Hooks {
            start,
            prompt,
            stop,
            is_late,
            end: end == 0,
            seconds,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn whatever_hooks_are_called_every_turn_is_kept_once_in_its_place(
        all in proptest::collection::vec(hooks(), 1..8),
        is_codex: bool,
    ) {
        let mut session = Session::new(if is_codex { Host::Codex } else { Host::ClaudeCode }, "any");
        for (number, hooks) in all.iter().enumerate() {
            session.turn(number, *hooks);
        }
        session.hook("SessionEnd", json!({}));
        prop_assert_eq!(session.kept(), session.expected.clone());
    }
}
