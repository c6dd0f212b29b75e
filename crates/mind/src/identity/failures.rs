//! What becomes of messages that say that something was forgotten: failures of tools and skills are handed on (P5.3), and how many of
//! which kind there were is counted. Of a message that contradicts nothing nothing else is kept.

use std::time::Duration;

use rem_reason::command;
use serde::{Deserialize, Serialize};

use super::validator::Verdict;
use crate::attention::triage::Confidence;
use crate::memory::Memory;

/// The counts, in the private folder.
const COUNTS: &str = "recall-failures.json";
/// What a handler may take: the message waits for it.
const LIMIT: Duration = Duration::from_millis(500);

/// Words of what is no memory but something that the agent does or uses, folded.
const SKILLS: [&str; 44] = [
    "tool",
    "tools",
    "skill",
    "command",
    "script",
    "plugin",
    "function",
    "compile",
    "build",
    "tests",
    "run",
    "lint",
    "deploy",
    "commit",
    "push",
    "branch",
    "browser",
    "search",
    "file",
    "semicolon",
    "import",
    "syntax",
    "permission",
    "api",
    "werkzeug",
    "befehl",
    "skript",
    "datei",
    "test",
    "ausführen",
    "도구",
    "명령",
    "스크립트",
    "파일",
    "테스트",
    "실행",
    "빌드",
    "工具",
    "命令",
    "脚本",
    "文件",
    "测试",
    "运行",
    "编译",
];

/// How many messages said that something was forgotten, and what they came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecallFailures {
    /// Those that said so outright.
    pub high: u64,
    /// Those that may have meant it.
    pub medium: u64,
    /// Those that put something right.
    pub corrected: u64,
    /// Those that contradicted nothing.
    pub nothing_contradicted: u64,
    /// Those that were handed on.
    pub handed_on: u64,
}

impl Memory {
    /// How often something seemed to be remembered wrongly since the counts began.
    #[must_use]
    pub fn recall_failures(&self) -> RecallFailures {
        let kept = self.ledger.read_private(COUNTS);
        kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Counts one. What can't be counted is said on the log.
    pub(super) fn count_failure(&self, confidence: Confidence, verdict: Verdict) {
        let count = || {
            let _guard = self.ledger.lock_private("recall-failures.lock")?;
            let mut counts = self.recall_failures();
            match confidence {
                Confidence::High => counts.high += 1,
                Confidence::Medium => counts.medium += 1,
            }
            match verdict {
                Verdict::Corrected => counts.corrected += 1,
                Verdict::HandedOn => counts.handed_on += 1,
                Verdict::NothingContradicted | Verdict::NoTrigger | Verdict::Unjudged => {
                    counts.nothing_contradicted += 1;
                }
            }
            self.ledger.write_private(COUNTS, &serde_json::to_vec(&counts).unwrap_or_default())
        };
        if let Err(error) = count() {
            tracing::info!("a recall failure is not counted: {error}");
        }
    }

    /// Hands a failure of a tool or a skill to the command of `triage.recall_external_handler`, as JSON on its standard input; nothing where
    /// there is none, where it is about something else, where CONFIG.md isn't trusted, or where the command fails.
    pub(super) fn hand_on(&self, message: &str, trigger: &str, session: Option<&str>) -> Option<Verdict> {
        let handler = self.config.triage.recall_external_handler.trim();
        let lower = message.to_lowercase();
        let words: Vec<&str> = lower.split(|each: char| !each.is_alphanumeric()).collect();
        // Korean and Chinese words have endings, or nothing between them.
        let is_held = |skill: &&str| words.contains(skill) || !skill.is_ascii() && lower.contains(*skill);
        let is_about_skill = SKILLS.iter().any(is_held);
        if handler.is_empty() || !is_about_skill {
            return None;
        }
        if !self.is_trusted() {
            tracing::warn!("a recall failure is not handed on: {}", self.not_trusted());
            return None;
        }
        let redactor = self.redactor().ok()?;
        let said = serde_json::json!({ "message": redactor.redact(message).0, "trigger": trigger, "session": session });
        match command::ask(handler, self.ledger.root(), said.to_string().as_bytes(), LIMIT) {
            Ok(_) => Some(Verdict::HandedOn),
            Err(error) => {
                tracing::warn!("a recall failure is not handed on: {error}");
                None
            }
        }
    }
}
