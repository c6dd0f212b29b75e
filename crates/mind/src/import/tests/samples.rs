//! Real session files of each host, kept outside of the repository: without them these tests have nothing to say.

use super::*;

/// The folder of samples, if it is there.
fn samples() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["../../../shared/data/samples", "../../../../shared/data/samples"]
        .into_iter()
        .map(|folder| root.join(folder))
        .find(|folder| folder.is_dir())
}

fn sample(name: &str, format: Format) -> Option<(Vec<Session>, ImportReport)> {
    let path = samples()?.join(name);
    assert_eq!(detect(&path), Some(format), "{name}");
    Some(collect(&path, None))
}

fn one(name: &str, format: Format) -> Option<Session> {
    let (mut sessions, report) = sample(name, format)?;
    assert_eq!(sessions.len(), 1, "{name}");
    assert_eq!(report.skipped, [], "{name}");
    sessions.pop()
}

#[test]
fn claude_code_large_is_read_with_results_joined_and_thinking_left_out() {
    let Some(session) = one("agent-sessions/claude/large.jsonl", Format::ClaudeCode) else { return };
    assert_eq!(session.meta.source_id, "ses_stage0_large");
    assert_eq!(session.meta.started.to_string(), "2025-12-16T02:00:00Z");
    assert_eq!(session.meta.title, "Start");
    assert_eq!(session.meta.cwd.as_deref(), Some("/tmp/large"));
    assert_eq!(
        session.page(),
        "user:\nStart\nagent:\nOk, running.\n[bash] printf 'line1\\nline2\\nline3\\n' -> ok\nContinuing.\n\
         user:\nStep 1\nagent:\nOk\nuser:\nStep 2\nagent:\nOk\nuser:\nStep 3\nagent:\nOk\n"
    );
    assert_eq!((session.turns[1].id.as_str(), session.turns[1].through.as_str()), ("a1", "a2"));
    assert_eq!(session.end.leaf.as_deref(), Some("a5"));
}

#[test]
fn claude_code_drift_keeps_old_records_and_gives_notifications_to_the_system() {
    let Some(session) = one("agent-sessions/claude/schema_drift.jsonl", Format::ClaudeCode) else { return };
    assert_eq!(
        session.page(),
        "user:\nOpen README\nagent:\n[bash] cat README.md -> # Title Body\n\
         agent:\nRead README and extracted the title.\nsystem:\nList files\n"
    );
}

#[test]
fn claude_code_small_leaves_out_side_chains_injections_and_summaries() {
    let Some(session) = one("agent-sessions/claude/small.jsonl", Format::ClaudeCode) else { return };
    let page = session.page();
    assert_eq!(session.meta.title, "Stage0 small fixture");
    assert_eq!(session.meta.model.as_deref(), Some("claude-opus-5"));
    assert!(page.contains("agent:\nListing the files.\n[Bash] ls -> a.txt b.txt\n"), "{page}");
    for absent in
        ["Hello", "I'll list files.", "Summary of prior context.", "Reasoning goes here.", "Partial reply"]
    {
        assert!(!page.contains(absent), "{absent}\n{page}");
    }
    assert_eq!((session.end.tokens_in, session.end.tokens_out), (10, 5));
}

#[test]
fn claude_code_sub_agents_are_sessions_of_their_own() {
    let Some((sessions, report)) = sample("agent-sessions/claude/subagent", Format::ClaudeCode) else {
        return;
    };
    assert_eq!((sessions.len(), report.skipped_total), (2, 0));
    let id = "0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f";
    let main = sessions.iter().find(|session| session.meta.source_id == id).unwrap();
    let sub = sessions.iter().find(|session| session.meta.source_id == "agent-a0ad4f44468bdf20d").unwrap();
    assert_eq!(
        main.page(),
        "user:\nDelegate a repo search to a subagent\nagent:\nSpawning a subagent.\n[Task] search files -> \n"
    );
    assert_eq!(sub.meta.parent.as_deref(), Some(id));
    assert_eq!(
        sub.page(),
        "user:\nSearch the repo for TODO comments\nagent:\nSearching.\n[bash] grep -rn TODO -> a.txt:1: TODO fix\n"
    );
}

#[test]
fn codex_large_takes_each_word_once_and_no_environment() {
    let Some(session) = one("agent-sessions/codex/large.jsonl", Format::Codex) else { return };
    assert_eq!(session.meta.source_id, "019b2ea4-aaaa-bbbb-cccc-58208e1f0000");
    assert_eq!(session.meta.model.as_deref(), Some("gpt-5.2"));
    let page = session.page();
    assert!(
        page.starts_with(
            "user:\nStart\nagent:\nAcknowledged.\n\
             [run_shell_command] printf 'line1\\nline2\\nline3\\n' -> line1 line2 line3\n\
             agent:\nCaptured multiline output.\nuser:\nStep 1\nagent:\nOk\n"
        ),
        "{page}"
    );
    assert_eq!(page.matches("Start").count(), 1);
    assert!(!page.contains("environment_context") && page.ends_with("user:\nStep 5\nagent:\nOk\n"));
    assert_eq!((session.end.tokens_in, session.end.tokens_out), (12_091, 182));
}

#[test]
fn codex_drift_without_envelopes_is_read() {
    let Some(session) = one("agent-sessions/codex/schema_drift.jsonl", Format::Codex) else { return };
    assert_eq!(
        session.page(),
        "user:\nTranslate 'hello' to Spanish\nagent:\n[translate] {\"text\":\"hello\",\"to\":\"es\"} -> hola\n\
         agent:\n\"hola\"\n"
    );
    assert_eq!(session.meta.started.to_string(), "2025-09-10T12:00:00Z");
    assert_eq!(session.meta.source_id, "schema_drift");
}

#[test]
fn codex_legacy_without_words_is_no_session() {
    let Some((sessions, report)) = sample("agent-sessions/codex/codex_050_legacy.jsonl", Format::Codex)
    else {
        return;
    };
    assert!(sessions.is_empty());
    assert_eq!((report.empty_sessions, report.skipped_total), (1, 0));
}

#[test]
fn codex_small_joins_calls_with_results_and_leaves_out_reasoning() {
    let Some(session) = one("agent-sessions/codex/small.jsonl", Format::Codex) else { return };
    let page = session.page();
    assert!(page.starts_with("user:\nList the files\n"), "{page}");
    assert!(page.contains("[shell] ls -> a.txt b.txt\n[shell] ls -> a.txt\n"), "{page}");
    assert!(page.contains("agent:\nFound 2 files.\n"), "{page}");
    assert_eq!(page.matches("Found 2 files.").count(), 1);
    assert_eq!(session.meta.source_id, "019fc8be-3658-7ca3-9e29-000000000000");
}

#[test]
fn openclaw_large_joins_results_and_leaves_out_injected_context() {
    let Some(session) = one("agent-sessions/openclaw/large.jsonl", Format::OpenClaw) else { return };
    assert_eq!(session.meta.source_id, "openclaw-stage0-large");
    assert_eq!(session.meta.model.as_deref(), Some("openclaw-large"));
    assert_eq!(
        session.page(),
        "user:\nOpen /tmp/large and run status\n\
         agent:\nGathering files and git status.\n[run_terminal] git status --short -> M file1 M file2\n\
         agent:\nDone\n[file] screenshot-1\n[edit_file] /tmp/large/notes.md -> file written\n"
    );
}

#[test]
fn openclaw_drift_keeps_system_words_and_passes_unknown_entries() {
    let Some(session) = one("agent-sessions/openclaw/schema_drift.jsonl", Format::OpenClaw) else { return };
    assert_eq!(
        session.page(),
        "user:\nNeed a quick diagnostic\n\
         agent:\nI am running diagnostics.\n[diagnostic_tool] {\"check\":\"health\"} -> PASS\n\
         system:\ndiagnostic summary updated\n"
    );
}

const OPENCLAW_SMALL: &str =
    "user:\nList files\nagent:\nRunning ls now.\n[shell_exec] ls -> main.swift Resources\n";

#[test]
fn openclaw_small_is_the_same_from_lines_and_from_the_database() {
    let Some(session) = one("agent-sessions/openclaw/small.jsonl", Format::OpenClaw) else { return };
    assert_eq!(session.page(), OPENCLAW_SMALL);
    let database = one("openclaw-sqlite/openclaw-agent.sqlite", Format::OpenClawSqlite).unwrap();
    assert_eq!(database.page(), OPENCLAW_SMALL);
    assert_eq!(database.turns, session.turns);
    assert_eq!(database.meta.channel.as_deref(), Some("telegram"));
    assert_eq!(database.meta.source_id, session.meta.source_id);
}

#[test]
fn the_kin_of_openclaw_is_read_as_openclaw() {
    let Some(session) = one("agent-sessions/pi/small.jsonl", Format::OpenClaw) else { return };
    let page = session.page();
    assert!(page.starts_with("user:\nRead hello.py and summarize"), "{page}");
    assert_eq!(session.roles(), [Role::User, Role::Agent, Role::User, Role::Agent]);
}

#[test]
fn gemini_documents_are_read_without_thoughts_and_notices() {
    let Some(small) = one("agent-sessions/gemini/small.json", Format::Gemini) else { return };
    assert_eq!(small.page(), "user:\nHello\nagent:\nHi!\n");
    assert_eq!(small.meta.model, None);
    assert_eq!(small.end.model.as_deref(), Some("gemini-3-flash-preview"));
    let large = one("agent-sessions/gemini/large.json", Format::Gemini).unwrap();
    let page = large.page();
    assert!(
        page.contains(
            "[run_shell_command] ls /non-existent-directory -> ls: /non-existent-directory: No such"
        )
    );
    assert!(page.contains("agent:\nCaptured multiline output.\nuser:\nStep 1\nagent:\nOk\n"), "{page}");
    assert!(!page.contains("Placeholder thoughts") && !page.contains("Request cancelled"));
}

#[test]
fn gemini_drift_and_lines_are_read() {
    let Some(drift) = one("agent-sessions/gemini/schema_drift.json", Format::Gemini) else { return };
    assert_eq!(drift.page(), "user:\nDescribe this image:\n[file] image/png\nagent:\nIt looks like...\n");
    assert_eq!(drift.turns[0].turn.time.as_second(), 1_695_000_000);
    assert_eq!(drift.meta.title, "Redacted session summary");
    let lines = one("agent-sessions/gemini/jsonl_v040.jsonl", Format::Gemini).unwrap();
    assert_eq!(
        lines.page(),
        "user:\nSay hello and list files.\nagent:\n[run_shell_command] ls -F -> AgentSessions/ README.md\n\
         agent:\nHello! I listed the files.\n"
    );
    assert_eq!((lines.end.tokens_in, lines.end.tokens_out), (23_924, 228));
}

#[test]
fn chatgpt_exports_follow_the_current_node() {
    let Some((sessions, report)) = sample("chatgpt-export/chatlore-conversations.json", Format::ChatGpt)
    else {
        return;
    };
    assert_eq!(sessions.len(), 2);
    assert_eq!(sessions[0].meta.title, "Postgres indexing");
    assert_eq!(sessions[0].meta.source_id, "11111111-aaaa-4bbb-8ccc-000000000001");
    assert_eq!(
        sessions[0].page(),
        "user:\nWhy is my query on orders slow?\n[file] explain.txt\n\
         agent:\nYou are missing an index on customer_id. Add a composite index.\n\
         user:\n[file] file-service://file-2\nHere is the plan output. Can you write the statement?\n\
         agent:\n[sql] CREATE INDEX idx_orders_customer ON orders (customer_id, created_at); -> CREATE INDEX\n\
         agent:\nDone. The query should now use the index.\n"
    );
    assert_eq!(sessions[1].meta.model.as_deref(), Some("gpt-5-mini"));
    assert_eq!(report.skipped.len(), 1);
    assert!(report.skipped[0].location.ends_with("chatlore-conversations.json:conversation 3"));
    assert_eq!(report.empty_sessions, 1);
}

#[test]
fn chatgpt_saved_memories_are_memory_turns() {
    let name = "chatgpt-export/memory-passport-conversations.json";
    let Some((sessions, report)) = sample(name, Format::ChatGpt) else { return };
    assert_eq!((sessions.len(), report.skipped_total), (2, 0));
    let page = sessions[0].page();
    assert!(
        page.contains("[remembered] bio -> User is a product engineer at a fintech in Manchester.\n"),
        "{page}"
    );
    assert!(!page.contains("Model set context updated"));
    assert_eq!(sessions[0].turns[1].turn.kind, rem_format::transcript::TurnKind::Memory);
    assert!(sessions[1].page().contains("[remembered] bio -> User's partner is named Priya.\n"));
    assert_ne!(sessions[0].meta.source_id, sessions[1].meta.source_id);
    let card = crate::transcripts::redact::Redactor::new(&[], &[])
        .unwrap()
        .redact(&sessions[1].page())
        .0
        .into_owned();
    assert!(card.contains("User's card number is [redacted:payment-card]."), "{card}");
}

#[test]
fn claude_ai_exports_follow_the_last_leaf() {
    let Some((sessions, report)) = sample("claude-ai-export/chatlore-conversations.json", Format::ClaudeAi)
    else {
        return;
    };
    assert_eq!(sessions.len(), 2);
    assert_eq!(
        sessions[0].page(),
        "user:\nWhy does this not compile?\n[file] main.rs\n[file] screenshot.png\n\
         agent:\nRetried answer: move x out of the inner scope.\n[repl] cargo check -> Finished dev profile\n\
         user:\nThat worked, thanks.\n"
    );
    assert_eq!(sessions[1].page(), "user:\nGive me a name for a cat.\nagent:\nBiscuit.\n");
    assert_eq!(report.skipped.len(), 1);
    let name = "claude-ai-export/memory-passport-conversations.json";
    let (sessions, _) = sample(name, Format::ClaudeAi).unwrap();
    assert_eq!(sessions[0].page(), "user:\nhi\nagent:\nHello!\n");
}

#[test]
fn files_of_other_hosts_are_not_claimed() {
    let Some(samples) = samples() else { return };
    for name in [
        "agent-sessions/cursor/small.jsonl",
        "agent-sessions/hermes/small.json",
        "agent-sessions/opencode/opencode.db",
        "mcp-memory/memory.jsonl",
        "hook-stdin/codex-UserPromptSubmit.json",
        "hook-stdin/claude-Stop.json",
        "qmd/search-output.json",
        "openclaw-workspace/SOUL.md",
    ] {
        assert_eq!(detect(&samples.join(name)), None, "{name}");
    }
}

#[test]
fn a_folder_gives_the_sessions_of_all_its_hosts() {
    let Some(samples) = samples() else { return };
    let found = discover(&samples).unwrap();
    let formats: std::collections::BTreeSet<Format> = found.iter().map(|source| source.format).collect();
    assert_eq!(formats.len(), Format::ALL.len(), "{found:?}");
    let codex = found.iter().filter(|source| source.format == Format::Codex);
    assert!(codex.clone().all(|source| source.path.to_string_lossy().contains("codex")), "{found:?}");
    let (sessions, report) = collect(&samples, Some(Format::Codex));
    assert_eq!((sessions.len(), report.files), (3, 4));
}
