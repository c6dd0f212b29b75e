//! `rem hook`: called as hosts call it, a process for each event, with their JSON on standard input.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Scene, text};

/// A workspace whose hooks take their time: what is looked at here is not how fast the machine is.
pub(crate) fn patient() -> Scene {
    let scene = Scene::new();
    scene.done(&["config", "set", "hooks.deadline_ms", "600000"]);
    scene.done(&["audit", "acknowledge", "CONFIG.md"]);
    scene
}

/// Calls a hook at a time; gives everything it said.
fn call(scene: &Scene, arguments: &[&str], now: &str, stdin: &[u8]) -> Output {
    let mut command = scene.rem(arguments);
    command.env("REM_NOW", now).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A hook that does not want to hear all of it has hung up.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

/// What a hook answers: exit code 0, and nothing on standard error.
pub(crate) fn hook_at(scene: &Scene, host: &str, now: &str, said: &Value) -> String {
    let output = call(scene, &["hook", host], now, said.to_string().as_bytes());
    assert_eq!(output.status.code(), Some(0), "{said}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{said}");
    text(&output.stdout)
}

pub(crate) fn hook(scene: &Scene, host: &str, said: &Value) -> String {
    hook_at(scene, host, crate::support::NOW, said)
}

/// The context in an answer of the shape that three hosts share.
pub(crate) fn context_of(answer: &str, event: &str) -> String {
    let answer: Value = serde_json::from_str(answer).unwrap_or_else(|error| panic!("{error}: {answer:?}"));
    assert_eq!(answer.as_object().unwrap().len(), 1, "{answer}");
    let output = answer["hookSpecificOutput"].as_object().unwrap();
    assert_eq!(output.len(), 2, "{answer}");
    assert_eq!(output["hookEventName"], event);
    output["additionalContext"].as_str().unwrap().to_owned()
}

/// Every transcript of the workspace as one text.
pub(crate) fn transcripts(scene: &Scene) -> String {
    let files = rem_testkit::files(&scene.root());
    let mut all = String::new();
    for (path, bytes) in files {
        if path.starts_with("raw/conversations/") && path.ends_with(".md") {
            // The title says the first words again.
            let said = text(&bytes);
            all.extend(said.lines().filter(|line| !line.starts_with("# ")).flat_map(|line| [line, "\n"]));
        }
    }
    all
}

pub(crate) fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// A session of Claude Code as that host writes it down, growing turn by turn.
pub(crate) struct ClaudeCode {
    session: String,
    path: PathBuf,
    records: usize,
}

impl ClaudeCode {
    pub(crate) fn new(scene: &Scene, session: &str) -> Self {
        let path = scene.folder().join(format!("projects/{session}.jsonl"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        Self { session: session.to_owned(), path, records: 0 }
    }

    pub(crate) fn said(&self, event: &str, more: Value) -> Value {
        let mut said = json!({
            "session_id": self.session,
            "transcript_path": self.path,
            "cwd": "/w",
            "permission_mode": "default",
            "hook_event_name": event,
        });
        said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        said
    }

    fn record(&mut self, kind: &str, time: &str, more: Value) {
        let parent = if self.records == 0 { Value::Null } else { json!(format!("r{}", self.records)) };
        self.records += 1;
        let mut record = json!({
            "type": kind,
            "uuid": format!("r{}", self.records),
            "parentUuid": parent,
            "sessionId": self.session,
            "timestamp": time,
            "cwd": "/w",
            "isSidechain": false,
        });
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&self.path).unwrap();
        writeln!(file, "{record}").unwrap();
    }

    pub(crate) fn person(&mut self, time: &str, words: &str) {
        self.record("user", time, json!({ "message": { "role": "user", "content": words } }));
    }

    /// What the host writes down of a hook that gave context.
    fn injected(&mut self, time: &str, context: &str) {
        let attachment = json!({
            "type": "hook_additional_context", "content": [context], "hookEvent": "UserPromptSubmit",
        });
        self.record("attachment", time, json!({ "attachment": attachment }));
    }

    pub(crate) fn agent(&mut self, time: &str, words: &str) {
        let number = self.records;
        let message = json!({
            "id": format!("msg_{number}"), "role": "assistant", "model": "claude-sonnet-5",
            "content": [{ "type": "text", "text": words }],
        });
        self.record("assistant", time, json!({ "message": message }));
    }
}

#[test]
fn context_comes_before_a_prompt_and_what_was_said_is_kept_once() {
    let scene = patient();
    scene.done(&["remember", "The ledger is kept in integer cents, decided on 3 March."]);
    let mut host = ClaudeCode::new(&scene, "s1");
    let prompt = host.said(
        "UserPromptSubmit",
        json!({ "prompt": "what did we decide about the ledger?", "prompt_id": "p1" }),
    );
    let context = context_of(&hook(&scene, "claude-code", &prompt), "UserPromptSubmit");
    assert!(context.contains("integer cents"), "{context}");
    assert!(context.starts_with("<remembrancer-context>") && context.ends_with("</remembrancer-context>"));
    // Called twice, as a host does whose settings name it twice.
    let again = context_of(&hook(&scene, "claude-code", &prompt), "UserPromptSubmit");
    assert!(again.contains("integer cents"), "{again}");
    assert_eq!(count(&transcripts(&scene), "what did we decide"), 1);
    // The host writes the prompt down a minute later by its own clock, and with it what it was given.
    host.person("2026-03-01T09:00:59Z", "what did we decide about the ledger?");
    host.injected("2026-03-01T09:01:00Z", &context);
    host.agent("2026-03-01T09:01:20Z", "You keep it in integer cents.");
    let stop = host.said(
        "Stop",
        json!({ "stop_hook_active": false, "last_assistant_message": "You keep it in integer cents." }),
    );
    assert_eq!(hook_at(&scene, "claude-code", "2026-03-01T09:01:30Z", &stop), "");
    assert_eq!(hook_at(&scene, "claude-code", "2026-03-01T09:01:31Z", &stop), "");
    let kept = transcripts(&scene);
    assert_eq!(count(&kept, "what did we decide"), 1, "{kept}");
    assert_eq!(count(&kept, "integer cents"), 1, "the answer, and nothing of what was injected: {kept}");
    assert!(kept.contains("source: claude-code"), "{kept}");
    assert!(!kept.contains("remembrancer-context"), "{kept}");
}

#[test]
fn a_session_of_two_hundred_turns_is_kept_once_and_remembers_its_fifth() {
    const TURNS: usize = 200;
    let scene = patient();
    let mut host = ClaudeCode::new(&scene, "long");
    let start = host.said("SessionStart", json!({ "source": "startup" }));
    assert_eq!(hook(&scene, "claude-code", &start), "");
    let begun: jiff::Timestamp = "2026-03-01T08:00:00Z".parse().unwrap();
    // Prompts come up to the last second of a minute, and the host's clock goes another half second.
    let time = |turn: usize, milliseconds: i64| {
        begun
            + jiff::SignedDuration::from_secs(i64::try_from(turn * 61).unwrap())
            + jiff::SignedDuration::from_millis(milliseconds)
    };
    let mut recalled = String::new();
    for turn in 1..=TURNS {
        let words = match turn {
            5 => "Turn 5: for the record, the spare key of the boathouse hangs behind the barometer."
                .to_owned(),
            150 => "Turn 150: where was the spare key of the boathouse again?".to_owned(),
            _ => format!("Turn {turn}: please look at step number {turn} of the rigging plan."),
        };
        let answer = format!("Answer {turn}: step {turn} is done.");
        let now = time(turn, 0).to_string();
        let prompt = host.said("UserPromptSubmit", json!({ "prompt": words }));
        let given = match hook_at(&scene, "claude-code", &now, &prompt) {
            // There is nothing to say yet.
            nothing if nothing.is_empty() => String::new(),
            answer => context_of(&answer, "UserPromptSubmit"),
        };
        assert!(given.encode_utf16().count() <= 10_000, "turn {turn}");
        host.person(&time(turn, 500).to_string(), &words);
        host.injected(&time(turn, 600).to_string(), &given);
        // Every tenth answer reaches the file only after the hook has looked.
        let is_late = turn % 10 == 0;
        let write = |host: &mut ClaudeCode| host.agent(&time(turn, 20_000).to_string(), &answer);
        if !is_late {
            write(&mut host);
        }
        let stop = host.said("Stop", json!({ "stop_hook_active": false, "last_assistant_message": answer }));
        assert_eq!(hook_at(&scene, "claude-code", &time(turn, 21_000).to_string(), &stop), "");
        if is_late {
            write(&mut host);
        }
        if turn == 150 {
            recalled = given;
        }
    }
    assert!(recalled.contains("behind the barometer"), "{recalled}");
    let end = host.said("SessionEnd", json!({ "reason": "prompt_input_exit" }));
    let now = time(TURNS, 30_000).to_string();
    assert_eq!(hook_at(&scene, "claude-code", &now, &end), "");
    until(|| transcripts(&scene).contains("\nended: "));
    let kept = transcripts(&scene);
    for turn in 1..=TURNS {
        assert_eq!(count(&kept, &format!("Turn {turn}: ")), 1, "prompt {turn}");
        assert_eq!(count(&kept, &format!("Answer {turn}: ")), 1, "answer {turn}");
        let (asked, answered) =
            (kept.find(&format!("Turn {turn}: ")), kept.find(&format!("Answer {turn}: ")));
        assert!(asked < answered, "turn {turn}");
        if turn > 1 {
            assert!(kept.find(&format!("Answer {}: ", turn - 1)) < asked, "turn {turn}");
        }
    }
    assert!(!kept.contains("remembrancer-context"));
    assert_eq!(count(&kept, "session_id: long"), 1, "one transcript");
    assert!(scene.done(&["verify"]).contains("All is well"));
}

/// Waits for what another process does.
pub(crate) fn until(is_done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it was not done in a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_session_that_ends_is_closed_apart_from_the_host() {
    let scene = patient();
    let mut host = ClaudeCode::new(&scene, "s1");
    let prompt = host.said("UserPromptSubmit", json!({ "prompt": "The mast is stepped on Friday." }));
    hook(&scene, "claude-code", &prompt);
    host.person("2026-03-01T09:00:00Z", "The mast is stepped on Friday.");
    host.agent("2026-03-01T09:00:05Z", "Noted: Friday.");
    let end = host.said("SessionEnd", json!({ "reason": "other" }));
    assert_eq!(hook(&scene, "claude-code", &end), "");
    until(|| transcripts(&scene).contains("\nended: "));
    let kept = transcripts(&scene);
    assert_eq!((count(&kept, "stepped on Friday"), count(&kept, "Noted: Friday.")), (1, 1), "{kept}");
}

#[test]
fn a_session_begins_with_open_alerts_and_with_nothing_where_there_are_none() {
    let scene = patient();
    let host = ClaudeCode::new(&scene, "s1");
    let start = host.said("SessionStart", json!({ "source": "startup", "model": "m" }));
    assert_eq!(hook(&scene, "claude-code", &start), "");
    scene.write("SOUL.md", "# Soul\n\nSomebody else.\n");
    let told = context_of(&hook(&scene, "claude-code", &start), "SessionStart");
    for part in
        ["One file of the memory", "SOUL.md was modified on", "    +Somebody else.", "Was this intentional?"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains("integrity"), "{told}");
    assert!(!told.contains("SOUL.md:1"), "no context without a compaction: {told}");
}

#[test]
fn after_a_compaction_the_context_is_given_again() {
    let scene = patient();
    scene.done(&["remember", "The ledger is kept in integer cents, decided on 3 March."]);
    let host = ClaudeCode::new(&scene, "s1");
    let prompt = host.said("UserPromptSubmit", json!({ "prompt": "what did we decide about the ledger?" }));
    hook(&scene, "claude-code", &prompt);
    let compact = host.said("PreCompact", json!({ "trigger": "auto", "custom_instructions": null }));
    assert_eq!(hook(&scene, "claude-code", &compact), "");
    let start = host.said("SessionStart", json!({ "source": "compact" }));
    let told = context_of(&hook(&scene, "claude-code", &start), "SessionStart");
    assert!(told.contains("integer cents"), "{told}");
}

#[test]
fn nothing_that_a_host_says_breaks_it() {
    let scene = patient();
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let inputs: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"{".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"\xff\xfe\x00".to_vec(),
        deep.into_bytes(),
        json!({}).to_string().into_bytes(),
        json!({ "hook_event_name": "UserPromptSubmit" }).to_string().into_bytes(),
        json!({ "hook_event_name": "UserPromptSubmit", "prompt": "hello there" }).to_string().into_bytes(),
        json!({ "hook_event_name": 7, "session_id": [], "prompt": {} }).to_string().into_bytes(),
        json!({ "hook_event_name": "Stop", "session_id": "s", "transcript_path": "/nowhere/x.jsonl" })
            .to_string()
            .into_bytes(),
        json!({ "hook_event_name": "Stop", "session_id": "s", "transcript_path": "/" })
            .to_string()
            .into_bytes(),
        json!({ "hook_event_name": "SomethingNew", "session_id": "s", "x": { "y": 1 } })
            .to_string()
            .into_bytes(),
        json!({ "hook_event_name": "PreCompact", "session_id": "../../etc/passwd" }).to_string().into_bytes(),
    ];
    for host in ["claude-code", "codex", "gemini", "cursor", "openclaw"] {
        for input in &inputs {
            let output = call(&scene, &["hook", host], crate::support::NOW, input);
            let shown = String::from_utf8_lossy(input).chars().take(80).collect::<String>();
            assert_eq!(output.status.code(), Some(0), "{host} {shown}");
            assert_eq!(text(&output.stderr), "", "{host} {shown}");
            let answer = text(&output.stdout);
            match host {
                "claude-code" | "codex" => assert_eq!(answer, "", "{shown}"),
                _ => assert_eq!(answer, "{}\n", "{host} {shown}"),
            }
        }
    }
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[test]
fn a_workspace_that_is_missing_or_wrong_breaks_no_host_and_says_why_in_its_log() {
    let prompt =
        json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "how do we deploy?" });
    let nowhere = Scene::empty();
    assert_eq!(hook(&nowhere, "claude-code", &prompt), "");
    let said =
        call(&nowhere, &["-v", "hook", "claude-code"], crate::support::NOW, prompt.to_string().as_bytes());
    assert!(text(&said.stderr).contains("no workspace"), "{}", text(&said.stderr));
    let scene = patient();
    scene.done(&["remember", "We deploy with the blue script."]);
    scene.write("CONFIG.md", "```yaml\nsearch:\n  min_score: much\n```\n");
    // It goes on by the settings of before, keeps what is said, and a session begins with what is wrong.
    assert!(
        context_of(&hook(&scene, "claude-code", &prompt), "UserPromptSubmit").contains("the blue script")
    );
    assert!(transcripts(&scene).contains("how do we deploy?"));
    assert!(
        scene.read(".rem/hooks.log").contains("UserPromptSubmit: CONFIG.md: "),
        "{}",
        scene.read(".rem/hooks.log")
    );
    let start = json!({ "hook_event_name": "SessionStart", "session_id": "t", "source": "startup" });
    let told = context_of(&hook(&scene, "claude-code", &start), "SessionStart");
    assert!(told.contains("the memory's CONFIG.md has a mistake") && told.contains("line 3"), "{told}");
}

#[test]
fn a_hook_that_is_called_wrongly_never_blocks_a_prompt() {
    let scene = Scene::new();
    for arguments in [
        &["hook"][..],
        &["hook", "notepad"],
        &["hook", "claude-code", "--much"],
        &["--now", "soon", "hook", "codex"],
    ] {
        let output = call(&scene, arguments, crate::support::NOW, b"{}");
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_workspace_that_cannot_be_written_to_is_still_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let scene = patient();
    scene.done(&["remember", "The ledger is kept in integer cents, decided on 3 March."]);
    let prompt = json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "what did we decide about the ledger?" });
    // Whoever may do everything is not kept out by permissions: a file in the place of the folder is.
    let folder = scene.root().join("raw/conversations");
    let is_there = folder.exists();
    if is_there {
        std::fs::rename(&folder, scene.folder().join("aside")).unwrap();
    }
    std::fs::write(&folder, "no folder").unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o444)).unwrap();
    let context = context_of(&hook(&scene, "claude-code", &prompt), "UserPromptSubmit");
    assert!(context.contains("integer cents"), "{context}");
    assert!(scene.read(".rem/hooks.log").contains("UserPromptSubmit: "));
}

#[test]
fn a_deadline_that_has_passed_is_answered_with_nothing_and_the_message_is_kept() {
    let scene = Scene::new();
    scene.done(&["config", "set", "hooks.deadline_ms", "1"]);
    let prompt = json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "The mast is stepped on Friday." });
    let answer = hook(&scene, "claude-code", &prompt);
    assert!(answer.is_empty() || answer.contains("additionalContext"), "{answer}");
    until(|| transcripts(&scene).contains("stepped on Friday"));
    until(|| scene.root().join("memory.db").exists());
    assert_eq!(count(&transcripts(&scene), "stepped on Friday"), 1);
}

#[test]
fn a_long_memory_is_cut_between_its_entries_to_what_a_host_passes_on() {
    let scene = patient();
    scene.done(&["config", "set", "hooks.context_tokens", "20000"]);
    for number in 0..60 {
        scene.write(
            &format!("memory/reference/rope-{number}.md"),
            format!(
                "# Rope {number}\n\nThe rope number {number} is made of good hemp: {}ends here {number}.\n",
                (0..40).map(|word| format!("strand{}x{word} ", number * 41)).collect::<String>()
            ),
        );
    }
    let prompt = json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "which rope is made of good hemp?" });
    let context = context_of(&hook(&scene, "claude-code", &prompt), "UserPromptSubmit");
    let length = context.encode_utf16().count();
    assert!((5_000..=10_000).contains(&length), "{length}");
    assert!(context.trim_end().ends_with("</remembrancer-context>"));
    let begun = count(&context, "The rope number");
    assert!(begun > 3);
    assert_eq!(begun, count(&context, "ends here"), "no entry is cut: {context}");
}

/// The sample calls that hosts' documentation gives, where they lie beside the project.
#[test]
fn documented_calls_of_hosts_are_answered_in_their_shapes() {
    let Some(samples) = rem_testkit::samples() else { return };
    let scene = patient();
    scene.done(&["remember", "The ledger is kept in integer cents, decided on 3 March."]);
    let given = |name: &str| {
        let said: Value =
            serde_json::from_slice(&std::fs::read(samples.join("hook-stdin").join(name)).unwrap()).unwrap();
        let host = match name.split('-').next().unwrap() {
            "claude" => "claude-code",
            other => other,
        };
        hook(&scene, host, &said)
    };
    for (name, event) in [
        ("claude-UserPromptSubmit.json", "UserPromptSubmit"),
        ("codex-UserPromptSubmit.json", "UserPromptSubmit"),
        ("gemini-BeforeAgent.json", "BeforeAgent"),
    ] {
        assert!(context_of(&given(name), event).contains("integer cents"), "{name}");
    }
    for name in
        ["claude-SessionStart.json", "claude-Stop.json", "claude-PreCompact.json", "claude-SessionEnd.json"]
    {
        assert_eq!(given(name), "", "{name}");
    }
    until(|| transcripts(&scene).contains("\nended: "));
}

/// Real sessions of hosts, with a hook after each of their turns: everything is kept, once.
#[test]
fn real_sessions_that_grow_are_kept_as_an_import_keeps_them() {
    let Some(samples) = rem_testkit::samples() else { return };
    for (host, file) in [
        ("claude-code", "agent-sessions/claude/small.jsonl"),
        ("claude-code", "agent-sessions/claude/large.jsonl"),
        ("codex", "agent-sessions/codex/small.jsonl"),
    ] {
        grows_as_imported(&samples.join(file), host);
    }
}

fn grows_as_imported(sample: &Path, host: &str) {
    let whole = std::fs::read_to_string(sample).unwrap();
    let (imported, hooked) = (Scene::new(), patient());
    imported.done(&["import", host, sample.to_str().unwrap()]);
    let path = hooked.folder().join(sample.file_name().unwrap());
    let lines: Vec<&str> = whole.lines().collect();
    for end in 1..=lines.len() {
        std::fs::write(&path, format!("{}\n", lines[..end].join("\n"))).unwrap();
        let stop = json!({ "hook_event_name": "Stop", "session_id": "s", "transcript_path": path });
        assert_eq!(hook(&hooked, host, &stop), "");
    }
    let said = |scene: &Scene| -> Vec<String> {
        let all = transcripts(scene);
        let lines = all.lines().filter(|line| !line.starts_with(['#', '<', '-']) && !line.contains(": "));
        let mut lines: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
        lines.sort();
        lines.dedup();
        lines
    };
    // What was said on a branch that was left later is kept as well: a transcript only grows.
    let (imported, hooked) = (said(&imported), said(&hooked));
    assert!(!imported.is_empty(), "{}", sample.display());
    let missing: Vec<&String> = imported.iter().filter(|line| !hooked.contains(line)).collect();
    assert!(missing.is_empty(), "{}: {missing:?}", sample.display());
}

/// What a host writes down of a turn, with the context it was given.
type Written<'a> = &'a dyn Fn(&str) -> String;

/// One turn at each of the other hosts: what is called before and after it, and the transcript that the host writes in between.
#[test]
fn a_turn_at_every_other_host_is_given_context_and_kept_once() {
    const ASKED: &str = "what did we decide about the ledger?";
    const SAID: &str = "You keep it in whole pennies.";
    let at = "2026-03-01T09:00:20Z";
    let codex = |context: &str| {
        let message = |role: &str, kind: &str, text: &str| json!({ "timestamp": at, "type": "response_item", "payload": { "type": "message", "role": role, "content": [{ "type": kind, "text": text }] } });
        [
            json!({ "timestamp": at, "type": "session_meta", "payload": { "id": "s1", "timestamp": at, "cwd": "/w", "cli_version": "1" } }),
            message("user", "input_text", ASKED),
            message("user", "input_text", context),
            message("assistant", "output_text", SAID),
        ]
        .map(|line| line.to_string())
        .join("\n")
    };
    let gemini = |context: &str| {
        let message = |id: &str, kind: &str, text: &str| json!({ "id": id, "timestamp": at, "type": kind, "content": text });
        let asked = format!("{context}\n{ASKED}");
        json!({ "sessionId": "s1", "projectHash": "h", "startTime": at, "messages": [message("1", "user", &asked), message("2", "gemini", SAID)] }).to_string()
    };
    let openclaw = |context: &str| {
        let message = |id: &str, parent: &Value, role: &str, text: &str| json!({ "type": "message", "id": id, "parentId": parent, "timestamp": at, "message": { "role": role, "content": [{ "type": "text", "text": text }] } });
        [
            json!({ "type": "session", "version": 3, "id": "s1", "timestamp": at, "cwd": "/w" }),
            message("m1", &Value::Null, "user", ASKED),
            json!({ "type": "custom_message", "id": "m2", "parentId": "m1", "timestamp": at, "content": context }),
            message("m3", &json!("m2"), "assistant", SAID),
        ]
        .map(|line| line.to_string())
        .join("\n")
    };
    let written: [(&str, Written<'_>); 3] = [("codex", &codex), ("gemini", &gemini), ("openclaw", &openclaw)];
    for (host, transcript) in written {
        let scene = patient();
        scene.done(&["remember", "The ledger is kept in integer cents, decided on 3 March."]);
        let path = scene.folder().join(if host == "gemini" { "session.json" } else { "session.jsonl" });
        let call = |event: &str, more: Value| {
            let mut said = json!({ "hook_event_name": event, "session_id": "s1", "transcript_path": path, "session_file": path });
            said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            hook(&scene, host, &said)
        };
        let (before, after) = match host {
            "codex" => ("UserPromptSubmit", "Stop"),
            "gemini" => ("BeforeAgent", "AfterAgent"),
            _ => ("before_prompt_build", "agent_end"),
        };
        let answer = call(before, json!({ "prompt": ASKED }));
        let context = match host {
            "openclaw" => {
                serde_json::from_str::<Value>(&answer).unwrap()["prependContext"].as_str().unwrap().to_owned()
            }
            _ => context_of(&answer, before),
        };
        assert!(context.contains("integer cents"), "{host}: {context}");
        std::fs::write(&path, transcript(&context) + "\n").unwrap();
        for _ in 0..2 {
            let answer =
                call(after, json!({ "last_assistant_message": SAID, "prompt_response": SAID, "said": SAID }));
            assert_eq!(answer.trim(), if host == "codex" { "" } else { "{}" }, "{host}");
        }
        let kept = transcripts(&scene);
        assert_eq!((count(&kept, ASKED), count(&kept, SAID)), (1, 1), "{host}: {kept}");
        assert!(!kept.contains("remembrancer-context") && !kept.contains("integer cents"), "{host}: {kept}");
        assert!(kept.contains(&format!("source: {host}")), "{host}: {kept}");
    }
    // Cursor's transcripts are not read: both sides come from the hooks.
    let scene = patient();
    scene.done(&["remember", "The ledger is kept in integer cents, decided on 3 March."]);
    let prompt = json!({ "hook_event_name": "beforeSubmitPrompt", "conversation_id": "s1", "generation_id": "g", "prompt": ASKED, "attachments": [] });
    let answer: Value = serde_json::from_str(&hook(&scene, "cursor", &prompt)).unwrap();
    assert_eq!(answer["continue"], true);
    assert!(answer["additional_context"].as_str().unwrap().contains("integer cents"), "{answer}");
    for _ in 0..2 {
        let said = json!({ "hook_event_name": "afterAgentResponse", "conversation_id": "s1", "generation_id": "g", "text": SAID });
        assert_eq!(hook(&scene, "cursor", &said), "{}\n");
    }
    assert_eq!(
        hook(
            &scene,
            "cursor",
            &json!({ "hook_event_name": "stop", "conversation_id": "s1", "status": "completed", "loop_count": 0 })
        ),
        "{}\n"
    );
    let kept = transcripts(&scene);
    assert_eq!((count(&kept, ASKED), count(&kept, SAID)), (1, 1), "{kept}");
}
