//! `rem demo`

#![allow(
    clippy::disallowed_methods,
    reason = "lays out the sample sessions in a temporary folder, outside any workspace"
)]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use rem_format::audit::{Actor, Approval};
use rem_mind::attention::ContextQuery;
use rem_mind::ledger::{AgentRole, ChangeSet, FixedClock, Provenance, Store};
use rem_mind::recall::Query;
use rem_mind::{Memory, MemoryOptions};

use super::context::receipt;
use crate::environment;
use crate::printer::Printer;

/// Watch an agent remember: a workspace from sample sessions, and the context for a question
///
/// Everything happens in a temporary folder, with a clock that stands on the morning after the last session; the sessions are some
/// weeks old, and the last one is of this week or the one before. No model, key, server or network is used.
#[derive(Debug, clap::Args)]
pub(crate) struct DemoArgs {
    /// The question to compile a context for
    #[arg(default_value = "Which database do we use, and how do I deploy?")]
    question: String,
    /// Keep the workspace in this folder, which must not exist yet
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// The sample sessions, written for this project.
const SESSIONS: [(&str, &str); 3] = [
    ("2026-01-12-kickoff.jsonl", include_str!("../../demo/2026-01-12-kickoff.jsonl")),
    ("2026-01-29-change-of-mind.jsonl", include_str!("../../demo/2026-01-29-change-of-mind.jsonl")),
    ("2026-02-11-release.jsonl", include_str!("../../demo/2026-02-11-release.jsonl")),
];

/// The morning after the last session, as the samples are written.
const MORNING: &str = "2026-02-12T08:00:00Z";

/// The samples as they are told today: every day in them by so many days later. Whole weeks, so that a Saturday stays one.
struct Shifted {
    days: i64,
    morning: Timestamp,
}

impl Shifted {
    /// So that the last session was in the seven days before now.
    fn until(now: Timestamp) -> Result<Self> {
        let morning: Timestamp = MORNING.parse()?;
        let week = 7 * 24 * 3600;
        let weeks = (now.as_second() - morning.as_second()).div_euclid(week);
        let morning = Timestamp::from_second(morning.as_second() + weeks * week)?;
        Ok(Self { days: 7 * weeks, morning })
    }

    /// A text with its days, `2026-02-11`, so much later.
    fn told(&self, text: &str) -> String {
        const LENGTH: usize = "2026-02-11".len();
        let goes_on = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_digit() || sign == '-');
        let mut told = String::with_capacity(text.len());
        let mut copied = 0;
        for (at, _) in text.match_indices("20") {
            let Some(written) = text.get(at..at + LENGTH).filter(|_| at >= copied) else { continue };
            let is_inside =
                goes_on(text[..at].chars().next_back()) || goes_on(text[at + LENGTH..].chars().next());
            let day = written.parse::<Date>().ok().filter(|_| !is_inside);
            if let Some(day) = day.and_then(|day| day.checked_add(self.days.days()).ok()) {
                told.push_str(&text[copied..at]);
                told.push_str(&day.to_string());
                copied = at + LENGTH;
            }
        }
        told.push_str(&text[copied..]);
        told
    }
}

pub(crate) fn run(args: &DemoArgs, now: Timestamp, printer: &Printer) -> Result<()> {
    let begun = Instant::now();
    let shifted = Shifted::until(now)?;
    let temporary = tempfile::Builder::new()
        .prefix("rem-demo-")
        .tempdir()
        .context("no temporary folder could be made")?;
    let sessions = temporary.path().join("sessions");
    std::fs::create_dir(&sessions)?;
    for (name, text) in SESSIONS {
        std::fs::write(sessions.join(shifted.told(name)), shifted.told(text))?;
    }
    let root = match &args.keep {
        Some(folder) => std::path::absolute(folder).context("there is no such folder")?,
        None => temporary.path().join("memory"),
    };
    let options = MemoryOptions {
        clock: Arc::new(FixedClock::new(shifted.morning)),
        time_zone: jiff::tz::TimeZone::UTC,
        agent: String::new(),
        role: AgentRole::Main,
        secret: Arc::new(|_| None),
        trusts_providers: false,
        user_state: None,
        proxies: rem_mind::Proxies::default(),
        signer: None,
    };

    let (memory, _) = Memory::init(&root, None, options)?;
    let made = begun.elapsed();
    let provenance = Provenance::new(Actor::Manual, Approval::Approved, "rem demo");
    let pages = ChangeSet::new()
        .write(
            memory.path(Store::Soul).clone(),
            "# Soul\n\nI am the agent of the Harbor project. I say what I know and where I know it from.\n",
            "who the agent is",
        )
        .write(
            memory.path(Store::User).clone(),
            "# User\n\n- Name: Mira\n- Time zone: Europe/Berlin\n",
            "who the user is",
        );
    memory.ledger().apply(&pages, &provenance)?;
    // Whoever sets the identity up knows that it changed.
    memory.acknowledge_alerts(memory.path(Store::Soul).as_str())?;

    let importing = Instant::now();
    let outcome = memory.import(&sessions, None, &mut |_, _| {})?;
    let imported = importing.elapsed();

    let searching = Instant::now();
    let found = memory.recall(
        &Query { text: args.question.clone(), ..Query::default() },
        environment::system_time(),
        &mut |_| {},
    )?;
    let searched = searching.elapsed();

    let compiling = Instant::now();
    let context = memory.context(
        &ContextQuery { message: &args.question, ..ContextQuery::default() },
        environment::system_time(),
    )?;
    let compiled = compiling.elapsed();

    let verifying = Instant::now();
    let report = memory.verify()?;
    let verified = verifying.elapsed();
    let commits = memory.ledger().audit(&rem_mind::ledger::AuditQuery::default())?.len();

    let answer = serde_json::json!({
        "workspace": root, "import": outcome, "context": context, "well": report.is_well(),
        "timings_ms": {
            "init": made.as_secs_f64() * 1e3, "import": imported.as_secs_f64() * 1e3, "index_and_recall": searched.as_secs_f64() * 1e3,
            "context": compiled.as_secs_f64() * 1e3, "verify": verified.as_secs_f64() * 1e3, "total": begun.elapsed().as_secs_f64() * 1e3,
        },
    });
    printer.answer(&answer, || {
        let mut text = String::new();
        let hidden: Vec<String> = outcome.redacted.keys().cloned().collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "1. A conversation goes in: {} sessions, {} turns.", outcome.new_sessions, outcome.turns_added);
        for path in &outcome.transcripts {
            let _ = writeln!(text, "   {path}");
        }
        if !hidden.is_empty() {
            let _ = writeln!(text, "   A secret was pasted by mistake and never reached the disk: {}.", hidden.join(", "));
        }
        let _ = writeln!(text, "\n2. A workspace of Markdown in git grows: {commits} audit lines, verified: {}.", if report.is_well() { "all is well" } else { "NOT WELL" });
        let _ = writeln!(text, "\n3. A question: {}", args.question);
        for hit in found.results.iter().take(3) {
            let _ = writeln!(text, "   {:.2}  {}:{}  {}", hit.score, hit.path, hit.start_line, hit.snippet);
        }
        let _ = writeln!(text, "\n4. The context for the next turn comes out:\n\n{}", context.text.trim_end());
        let _ = writeln!(text, "\n5. Its receipt, {}", receipt(&context).trim_end());
        let _ = writeln!(
            text,
            "\n6. Timings: workspace {:.0} ms, import {:.0} ms, index and recall {:.0} ms, context {:.0} ms, verification {:.0} ms.",
            made.as_secs_f64() * 1e3,
            imported.as_secs_f64() * 1e3,
            searched.as_secs_f64() * 1e3,
            compiled.as_secs_f64() * 1e3,
            verified.as_secs_f64() * 1e3
        );
        let _ = writeln!(text, "\nNow with your own agent:\n   rem init ~/memory\n   rem -C ~/memory import auto ~/.claude/projects\n   rem -C ~/memory context \"what were we working on?\"");
        if args.keep.is_some() {
            let _ = writeln!(text, "\nThe workspace is kept: {}", root.display());
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_samples_are_of_late_and_as_they_are_written_on_the_morning_after() {
        let as_written = Shifted::until(MORNING.parse().unwrap()).unwrap();
        assert_eq!((as_written.days, as_written.morning), (0, MORNING.parse().unwrap()));
        let text = r#"{"uuid":"be8096a3-2026-52a0-2026-02-11","timestamp":"2026-02-11T18:30:00.000Z","text":"2026-04-11 ist 2026"}"#;
        assert_eq!(as_written.told(text), text);
        for now in ["2026-02-12T07:59:00Z", "2026-11-30T14:00:00Z", "2031-01-01T00:00:00Z"] {
            let now: Timestamp = now.parse().unwrap();
            let shifted = Shifted::until(now).unwrap();
            let age = now.as_second() - shifted.morning.as_second();
            assert!((0..7 * 24 * 3600).contains(&age) && shifted.days % 7 == 0, "{now}");
        }
        let later = Shifted { days: 14, morning: MORNING.parse().unwrap() };
        let told = later.told(text);
        assert!(told.contains("2026-02-25T18:30") && told.contains("2026-04-25 ist 2026"), "{told}");
        assert!(told.contains("be8096a3-2026-52a0-2026-02-11"), "{told}");
    }
}
