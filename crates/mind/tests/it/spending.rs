//! What models take is recorded, added up, and stopped at the caps.

use std::sync::Barrier;

use jiff::SignedDuration;
use rem_mind::attention::topics::TopicMessage;
use rem_mind::reasoning::{AnsweredBy, Urgency, UsageBy};
use rem_testkit::{Reply, Server, Workspace};

use crate::asking::{ask, replies, why, workspace};

/// Takes 600 tokens.
fn answer() -> Reply {
    Reply::said_for(crate::asking::RIGHT, 500, 100)
}

#[test]
fn background_work_stops_first_and_what_a_person_waits_for_at_the_cap() {
    let server = replies(vec![answer()]);
    let mut workspace = workspace(&server.url);
    workspace.set("spending.daily_cap_tokens", "1000");
    workspace.set("spending.kept_for_waiting", "0.5");
    let memory = workspace.open();
    assert!(matches!(ask(&memory, Urgency::Background).by, AnsweredBy::Model { .. }));
    let stopped = ask(&memory, Urgency::Background);
    let reason = why(&stopped);
    assert!(
        reason.starts_with(
            "spending.daily_cap_tokens allows 500 tokens for work that nobody waits for, 600 are"
        ),
        "{reason}"
    );
    assert!(matches!(ask(&memory, Urgency::Waiting).by, AnsweredBy::Model { .. }));
    assert!(
        why(&ask(&memory, Urgency::Waiting))
            .starts_with("spending.daily_cap_tokens allows 1000 tokens, 1200")
    );
    assert_eq!(server.requests().len(), 2, "nobody is asked past a cap");
    workspace.advance(SignedDuration::from_hours(24));
    assert!(matches!(ask(&workspace.open(), Urgency::Background).by, AnsweredBy::Model { .. }), "a new day");
}

#[test]
fn dollars_are_counted_by_config_by_the_usual_prices_or_not_at_all() {
    let server = replies(vec![answer()]);
    let mut workspace = workspace(&server.url);
    let cost = |workspace: &Workspace| {
        ask(&workspace.open(), Urgency::Waiting);
        let row = workspace.open().usage(None, UsageBy::Model).total;
        (row.cost_usd, row.unpriced_calls)
    };
    workspace.set("models.cheap", "a-local-one");
    assert_eq!(cost(&workspace), (0.0, 0), "a server on this machine is free");
    workspace.set("spending.prices", "{\"openai:a-local-one\": {input: 1200, output: 2000}}");
    let (dollars, unpriced) = cost(&workspace);
    assert!((dollars - 0.8).abs() < 1e-9 && unpriced == 0, "{dollars}");
    assert!(
        why(&ask(&workspace.open(), Urgency::Background)).starts_with("spending.daily_cap_usd allows 0.8000")
    );
    assert_eq!(server.requests().len(), 2);
    let caps = workspace.open().usage(None, UsageBy::Day).caps;
    assert_eq!(
        caps.iter().map(|cap| cap.setting).collect::<Vec<_>>(),
        ["spending.daily_cap_usd", "spending.monthly_cap_usd"]
    );
    assert!((caps[0].spent - 0.8).abs() < 1e-9);
    workspace.set("models.cheap", "gpt-4o-mini");
    let (more, unpriced) = cost(&workspace);
    // 500 tokens there at 0.15 dollars a million, 100 back at 0.6.
    assert!((more - 0.8 - 0.000_135).abs() < 1e-9 && unpriced == 0, "a relay may be paid: {more}");
}

#[test]
fn a_day_begins_in_the_memorys_time_zone() {
    let server = replies(vec![answer()]);
    let mut workspace = workspace(&server.url);
    workspace.set("operator.timezone", "Pacific/Auckland");
    workspace.advance(SignedDuration::from_hours(3));
    ask(&workspace.open(), Urgency::Waiting);
    let usage = workspace.open().usage(None, UsageBy::Day);
    assert_eq!((usage.rows[0].key.as_str(), usage.until.as_str()), ("2026-03-02", "2026-03-02"));
    assert_eq!(usage.since, "2026-03-01");
}

#[test]
fn a_years_lines_stay_few_and_their_totals_stay() {
    let server = replies(vec![answer()]);
    let workspace = workspace(&server.url);
    let mut lines = String::new();
    let mut day = jiff::civil::date(2024, 1, 1);
    while day < jiff::civil::date(2026, 3, 1) {
        for _ in 0..3 {
            lines.push_str(&format!("{day}\tcount-boats\topenai:m\t1\t0\t0\t0\t10\t1\t1000\n"));
        }
        day = day.tomorrow().unwrap();
    }
    let calls = lines.lines().count() as u64;
    lines.push_str("half a li\n");
    // As large as a piece, but for a little: the next call makes the file be added up.
    let mut early = String::new();
    while early.len() + lines.len() < (128 << 10) - 60 {
        early.push_str("2026-02-28\tcount-boats\topenai:m\t1\t0\t0\t0\t10\t1\t1000\n");
    }
    let calls = calls + early.lines().count() as u64;
    workspace.write(".rem/spending", early + &lines);
    while workspace.read(".rem/spending").unwrap().len() > 64 << 10 {
        ask(&workspace.open(), Urgency::Waiting);
    }
    let asked = server.requests().len() as u64;
    let memory = workspace.open();
    let since = Some(jiff::civil::date(2024, 1, 1));
    let all = memory.usage(since, UsageBy::Day);
    assert_eq!((all.total.calls, all.total.input_tokens), (calls + asked, 10 * calls + 500 * asked));
    assert!(all.rows.len() < 430, "{}", all.rows.len());
    assert_eq!(all.rows[0].key, "2024-01");
    let year = memory.usage(Some(jiff::civil::date(2026, 1, 1)), UsageBy::Day);
    assert_eq!(year.rows[0].key, "2026-01-01");
    assert!(year.rows.iter().all(|row| row.key.len() == 10));
}

#[test]
fn what_many_spend_at_once_is_all_recorded() {
    let server = replies(vec![answer()]);
    let workspace = workspace(&server.url);
    let barrier = Barrier::new(8);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let memory = workspace.open();
                barrier.wait();
                for _ in 0..5 {
                    ask(&memory, Urgency::Waiting);
                }
            });
        }
    });
    let total = workspace.open().usage(None, UsageBy::Model).total;
    assert_eq!((total.calls, total.input_tokens), (40, 40 * 500));
}

#[test]
fn what_cannot_be_written_down_counts_while_the_program_runs() {
    let server = replies(vec![answer()]);
    let mut workspace = workspace(&server.url);
    workspace.set("spending.daily_cap_tokens", "650");
    // A folder stands where the file should.
    std::fs::create_dir(workspace.root().join(".rem/spending")).unwrap();
    let memory = workspace.open();
    assert!(matches!(ask(&memory, Urgency::Waiting).by, AnsweredBy::Model { .. }));
    assert!(why(&ask(&memory, Urgency::Waiting)).contains("600 are spent"));
}

#[test]
fn the_gate_pays_from_the_same_purse() {
    let server = Server::new(|_, _| Some(Reply::said_for("NO", 200, 1)));
    let mut workspace = workspace(&server.url);
    workspace.write(
        "topics/deploy.md",
        "---\nsimilarity_threshold: 0\npriority: medium\ndescription: About shipping.\ntriggers:\n  - {type: keywords, words: [deploy]}\n---\n# D\n",
    );
    workspace.set("topics.medium_gate_score", "0");
    workspace.set("topics.gate_provider", "openai");
    let decided = |workspace: &Workspace, text: &str| {
        let message = TopicMessage { text, ..TopicMessage::default() };
        let memory = workspace.open();
        memory.match_topics(&message, &memory.gate()).unwrap().topics.remove(0)
    };
    assert!(!decided(&workspace, "deploy one").active);
    decided(&workspace, "deploy one");
    let usage = workspace.open().usage(None, UsageBy::Operation);
    assert_eq!(
        (usage.rows[0].key.as_str(), usage.rows[0].calls, usage.rows[0].input_tokens),
        ("topic-gate", 1, 200)
    );
    workspace.set("spending.daily_cap_tokens", "210");
    let stopped = decided(&workspace, "deploy two");
    assert_eq!(stopped.answered_by.as_deref(), Some("topics.gate_default"));
    assert!(stopped.gate_error.unwrap().contains("spending.daily_cap_tokens"));
    assert_eq!(server.requests().len(), 1);
    assert_eq!(
        decided(&workspace, "deploy one").answered_by.as_deref(),
        Some("cache"),
        "what is known is free"
    );
}
