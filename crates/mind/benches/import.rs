//! How fast sessions are read and redacted: `cargo bench -p rem-mind --bench import`.
//!
//! Files are made at bench time, in a temporary folder, in the proportions of real ones: most bytes are tool results,
//! recorded twice; some are thinking; few are words. Figures are megabytes of file per second, both passes included.

// A bench that can't make its files has nothing to measure.
#![allow(clippy::expect_used)]

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use divan::Bencher;
use divan::counter::BytesCount;
use rem_format::transcript::{Role, Turn, TurnKind, TurnPart};
use rem_mind::import::{Answer, Event, Format, import};
use rem_mind::ledger::{AgentRole, FixedClock};
use rem_mind::transcripts::redact::Redactor;
use rem_mind::{Memory, MemoryOptions};

fn main() {
    divan::main();
}

/// About this many bytes per file.
const SIZE: usize = 100_000_000;

struct Made {
    _folder: tempfile::TempDir,
    path: PathBuf,
    length: u64,
}

fn made(name: &str, record: fn(&mut Noise, usize) -> String) -> Made {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    let mut text = String::with_capacity(SIZE + 100_000);
    let mut noise = Noise(7);
    let mut number = 0;
    while text.len() < SIZE {
        text.push_str(&record(&mut noise, number));
        number += 1;
    }
    // A bench makes the file that a host would.
    #[allow(clippy::disallowed_methods)]
    std::fs::write(&path, &text).expect("room for 100 MB in the temporary folder");
    Made { _folder: folder, path, length: text.len() as u64 }
}

/// Numbers that are the same on every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % below
    }

    /// Lines of code and prose, escaped as JSON.
    fn words(&mut self, bytes: usize) -> String {
        const WORDS: [&str; 16] = [
            "let value = ",
            "fn read(path: &Path)",
            "\\n",
            "the index is rebuilt when ",
            "\\t\\\"name\\\": ",
            "return Ok(())",
            "// why this is so",
            "\\n    ",
            "assert_eq!(left, right)",
            "memory",
            " and ",
            "0.125",
            "구조",
            "=> {",
            "};\\n",
            "src/import/mod.rs:120",
        ];
        let mut text = String::with_capacity(bytes + 40);
        while text.len() < bytes {
            text.push_str(WORDS[self.next(WORDS.len())]);
        }
        text
    }
}

/// One exchange of Claude Code: a call, its result, an answer, an attachment; every tenth a question.
fn claude_code(noise: &mut Noise, number: usize) -> String {
    let uuid = |part: usize| format!("{number:08x}-4e5f-4061-8071-{part:012x}");
    let before = if number == 0 {
        "null".to_owned()
    } else {
        format!("\"{:08x}-4e5f-4061-8071-{:012x}\"", number - 1, 4)
    };
    let common = |part: usize, parent: &str| {
        format!(
            "\"parentUuid\":{parent},\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/ada/project\",\
             \"sessionId\":\"0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f\",\"version\":\"2.1.240\",\"gitBranch\":\"main\",\
             \"uuid\":\"{}\",\"timestamp\":\"2026-02-16T18:{:02}:{:02}.{:03}Z\"",
            uuid(part),
            number / 60 % 60,
            number % 60,
            part
        )
    };
    let link = |part: usize| format!("\"{}\"", uuid(part));
    let message = format!(
        "\"id\":\"msg_{number:024x}\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\""
    );
    let usage = "\"usage\":{\"input_tokens\":12,\"cache_creation_input_tokens\":3400,\"cache_read_input_tokens\":88000,\"output_tokens\":420,\"service_tier\":\"standard\"}";
    let (thinking, signature, answer) = (noise.words(900), "x".repeat(1200), noise.words(500));
    let size = [200, 2_000, 12_000, 30_000][noise.next(4)];
    let result = noise.words(size);
    let mut text = String::new();
    let parent = if number.is_multiple_of(10) {
        let question = noise.words(150);
        text.push_str(&format!(
            "{{{},\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{question}\"}}}}\n",
            common(9, &before)
        ));
        link(9)
    } else {
        before
    };
    text.push_str(&format!(
        "{{{},\"type\":\"assistant\",\"requestId\":\"req_{number}\",\"message\":{{{message},\"content\":[{{\"type\":\"thinking\",\"thinking\":\"{thinking}\",\"signature\":\"{signature}\"}}],{usage}}}}}\n\
         {{{},\"type\":\"assistant\",\"requestId\":\"req_{number}\",\"message\":{{{message},\"content\":[{{\"type\":\"text\",\"text\":\"{answer}\"}},{{\"type\":\"tool_use\",\"id\":\"toolu_{number}\",\"name\":\"Bash\",\"input\":{{\"command\":\"cargo test -p rem-mind\",\"description\":\"Run tests\"}}}}],{usage}}}}}\n\
         {{{},\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":[{{\"tool_use_id\":\"toolu_{number}\",\"type\":\"tool_result\",\"content\":\"{result}\",\"is_error\":false}}]}},\"toolUseResult\":{{\"stdout\":\"{result}\",\"stderr\":\"\",\"interrupted\":false}}}}\n\
         {{{},\"type\":\"attachment\",\"attachment\":{{\"type\":\"hook_additional_context\",\"content\":\"ok\",\"hookName\":\"PostToolUse\"}}}}\n",
        common(1, &parent), common(2, &link(1)), common(3, &link(2)), common(4, &link(3))
    ));
    text
}

fn codex(noise: &mut Noise, number: usize) -> String {
    let head = "{\"timestamp\":\"2026-02-16T18:45:00.000Z\",\"type\":";
    let (question, answer, size) = (noise.words(120), noise.words(600), [500, 4_000, 16_000][noise.next(3)]);
    let result = noise.words(size);
    format!(
        "{head}\"response_item\",\"payload\":{{\"type\":\"message\",\"role\":\"user\",\"content\":[{{\"type\":\"input_text\",\"text\":\"{question}\"}}]}}}}\n\
         {head}\"response_item\",\"payload\":{{\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"{}\"}}}}\n\
         {head}\"response_item\",\"payload\":{{\"type\":\"function_call\",\"name\":\"shell\",\"arguments\":\"{{\\\"command\\\":[\\\"bash\\\",\\\"-lc\\\",\\\"ls\\\"]}}\",\"call_id\":\"call_{number}\"}}}}\n\
         {head}\"response_item\",\"payload\":{{\"type\":\"function_call_output\",\"call_id\":\"call_{number}\",\"output\":\"{result}\"}}}}\n\
         {head}\"event_msg\",\"payload\":{{\"type\":\"agent_message\",\"message\":\"{answer}\"}}}}\n\
         {head}\"response_item\",\"payload\":{{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{{\"type\":\"output_text\",\"text\":\"{answer}\"}}]}}}}\n",
        "A1b2".repeat(400)
    )
}

fn read(bencher: Bencher<'_, '_>, made: &Made, format: Format) {
    bencher.counter(BytesCount::new(made.length)).bench(|| {
        let mut characters = 0;
        let report = import(&made.path, Some(format), &mut |event| {
            if let Event::Turn(turn) = event {
                characters += turn.turn.text().len();
            }
            Answer::Continue
        })
        .expect("the file is there");
        assert!(report.turns > 1_000 && report.skipped_total == 0);
        characters
    });
}

#[divan::bench(sample_count = 5)]
fn read_claude_code(bencher: Bencher<'_, '_>) {
    static FILE: LazyLock<Made> = LazyLock::new(|| made("session.jsonl", claude_code));
    read(bencher, &FILE, Format::ClaudeCode);
}

#[divan::bench(sample_count = 5)]
fn read_codex(bencher: Bencher<'_, '_>) {
    static FILE: LazyLock<Made> = LazyLock::new(|| made("rollout.jsonl", codex));
    read(bencher, &FILE, Format::Codex);
}

/// From the host's file to a closed, committed, synced transcript in a new workspace.
#[divan::bench(sample_count = 5)]
fn import_claude_code_end_to_end(bencher: Bencher<'_, '_>) {
    static FILE: LazyLock<Made> = LazyLock::new(|| made("session.jsonl", claude_code));
    bencher.counter(BytesCount::new(FILE.length)).with_inputs(workspace).bench_values(|(folder, memory)| {
        let outcome =
            memory.import(&FILE.path, Some(Format::ClaudeCode), &mut |_, _| {}).expect("it can be read");
        assert_eq!((outcome.new_sessions, outcome.skipped_total), (1, 0));
        folder
    });
}

/// One message captured by a long-lived process: redacted, appended, synced.
#[divan::bench(sample_count = 200, sample_size = 1)]
fn capture_one_message(bencher: Bencher<'_, '_>) {
    let (_folder, memory) = workspace();
    let turn = Turn {
        time: memory.now(),
        role: Role::User,
        kind: TurnKind::Message,
        body: vec![TurnPart::Text(
            "Something was said about the weather, and what it means for Sunday.".to_owned(),
        )],
    };
    bencher.bench_local(|| memory.capture("session", &turn).expect("it can be written"));
}

fn workspace() -> (tempfile::TempDir, Memory) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = MemoryOptions {
        clock: Arc::new(FixedClock::new("2026-03-01T12:00:00Z".parse().expect("a time"))),
        time_zone: jiff::tz::TimeZone::UTC,
        agent: String::new(),
        role: AgentRole::Main,
        secret: Arc::new(|_| None),
        trusts_providers: false,
        user_state: None,
        proxies: rem_mind::Proxies::default(),
        signer: None,
    };
    let (memory, _) = Memory::init(folder.path(), None, options).expect("a workspace");
    (folder, memory)
}

/// Clean text in messages of a few kilobytes, as they come.
#[divan::bench(sample_count = 5)]
fn redact_clean_text(bencher: Bencher<'_, '_>) {
    let redactor = Redactor::new(&[], &[]).expect("the built-in rules compile");
    let mut noise = Noise(3);
    let messages: Vec<String> =
        (0..4_000).map(|_| noise.words(4_000).replace("\\n", "\n").replace('\\', "")).collect();
    let length: usize = messages.iter().map(String::len).sum();
    bencher
        .counter(BytesCount::new(length))
        .bench(|| messages.iter().map(|message| redactor.redact(message).1.len()).sum::<usize>());
}
