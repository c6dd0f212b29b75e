//! What a host waits for: `cargo bench -p rem-cli --bench hook [-- FILES]`.
//!
//! `rem hook claude-code` as a process of its own, before a prompt and after a turn, over a workspace of so many notes of about 300 words
//! in an open session. The deadline is out of the way, so that the whole of the work is measured.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rem_testkit::write;
use serde_json::{Value, json};

const WORDS: [&str; 10] =
    ["harbor", "boat", "booking", "database", "server", "trainer", "weather", "calendar", "member", "season"];

fn main() {
    let asked: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    for files in if asked.is_empty() { vec![100, 1_000, 10_000] } else { asked } {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().join("w");
        rem(&["init", root.to_str().expect("a UTF-8 path")], &Value::Null);
        let at = ["-C", root.to_str().expect("a UTF-8 path")];
        rem(&[&at[..], &["config", "set", "hooks.deadline_ms", "600000"]].concat(), &Value::Null);
        for number in 0..files {
            let text: String = (0..300)
                .map(|word| WORDS[(number * 7 + word * word) % WORDS.len()].to_owned() + " ")
                .collect();
            let path = format!("memory/reference/{}/note-{number}.md", number / 100);
            write(&root, &path, format!("# Note {number}\n\n{text}\n"));
        }
        rem(&[&at[..], &["index"]].concat(), &Value::Null);
        // File times settle: what changed within two seconds of a look is looked at again.
        std::thread::sleep(Duration::from_secs(3));
        rem(&[&at[..], &["index"]].concat(), &Value::Null);
        let transcript = folder.path().join("host.jsonl");
        let hook = [&at[..], &["hook", "claude-code"]].concat();
        measured(files, "version", |_| rem(&["--version"], &Value::Null));
        let before_a_prompt = |round: usize| {
            let prompt = format!(
                "Which {} has the {} of number {round}?",
                WORDS[round % 10],
                WORDS[(round * 3 + 1) % 10]
            );
            let said = said("UserPromptSubmit", &transcript, json!({ "prompt": prompt }));
            rem(&hook, &said);
            record(&transcript, round, "user", &prompt);
            record(&transcript, round, "assistant", &format!("Number {round} has it."));
        };
        measured(files, "before a prompt", before_a_prompt);
        let after_a_turn = |round: usize| {
            record(&transcript, 1_000 + round, "assistant", &format!("And number {round} as well."));
            rem(
                &hook,
                &said(
                    "Stop",
                    &transcript,
                    json!({ "last_assistant_message": format!("And number {round} as well.") }),
                ),
            );
        };
        measured(files, "after a turn", after_a_turn);
        let mut server = Command::new(env!("CARGO_BIN_EXE_rem"))
            .args([&at[..], &["mcp"]].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a server runs");
        while !root.join(".rem/hooks.sock").exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        measured(files, "before a prompt, a server beside it", |round| before_a_prompt(200 + round));
        measured(files, "after a turn, a server beside it", |round| after_a_turn(200 + round));
        server.kill().expect("it ends");
        server.wait().expect("it has ended");
    }
}

fn said(event: &str, transcript: &Path, more: Value) -> Value {
    let mut said = json!({ "session_id": "s", "transcript_path": transcript, "hook_event_name": event });
    if let (Value::Object(said), Value::Object(more)) = (&mut said, more) {
        said.extend(more);
    }
    said
}

fn record(transcript: &Path, number: usize, role: &str, text: &str) {
    let record = json!({
        "type": role, "uuid": format!("{role}{number}"), "sessionId": "s",
        "timestamp": jiff::Timestamp::now().to_string(),
        "message": { "role": role, "content": [{ "type": "text", "text": text }] },
    });
    let mut file =
        std::fs::OpenOptions::new().create(true).append(true).open(transcript).expect("a transcript");
    writeln!(file, "{record}").expect("a record");
}

/// Runs the program; it must succeed.
fn rem(arguments: &[&str], stdin: &Value) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rem"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("rem runs");
    child.stdin.take().expect("standard input").write_all(stdin.to_string().as_bytes()).ok();
    assert!(child.wait().expect("rem ends").success(), "{arguments:?}");
}

fn measured(files: usize, name: &str, mut run: impl FnMut(usize)) {
    run(0);
    let mut times: Vec<Duration> = Vec::new();
    for round in 1..60 {
        let begun = Instant::now();
        run(round);
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    let at = |percent: usize| times[times.len() * percent / 100].as_secs_f64() * 1_000.0;
    println!("{files} files, {name}: p50 {:.1} ms, p95 {:.1} ms", at(50), at(95));
}
