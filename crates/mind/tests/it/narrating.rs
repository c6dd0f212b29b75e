//! Condensing and archiving with a model: what it tells has true sources, and nothing is lost for it.

use jiff::civil::date;
use rem_format::archive;
use rem_mind::lifecycle::compact::{CompactOutcome, CompactRequest};
use rem_mind::lifecycle::condense::CondenseRequest;
use rem_mind::lifecycle::mine::MineRequest;
use rem_mind::reasoning::UsageBy;
use rem_testkit::{Reply, Server, Workspace, machine_time};
use serde_json::{Value, json};

use crate::asking::workspace;
use crate::support::talk;

const TALK: [&str; 4] = [
    "user: We decided to use Postgres for the booking service, because SQLite locked up under load.",
    "agent: Noted.",
    "user: Lesson learned: never deploy on a Friday afternoon, we spent the weekend rolling back.",
    "agent: Understood.",
];

/// A model that answers each operation, which it knows by a part of its prompt, with this.
fn model(answers: &'static [(&'static str, &'static str)]) -> Server {
    Server::new(move |_, request| {
        let prompt = request.body["messages"][1]["content"].as_str().unwrap_or_default();
        let answer = answers.iter().find(|(part, _)| prompt.contains(part))?;
        Some(Reply::said_for(answer.1, 100, 20))
    })
}

/// The same where extraction finds nothing.
const NOTHING: (&str, &str) = ("{\"memories\"", "{\"memories\": []}");

fn lines(told: &[(&str, &str, &[u32])]) -> String {
    let line = |(heading, text, from): &(&str, &str, &[u32])| json!({"heading": heading, "text": text, "from": from});
    json!({"lines": told.iter().map(line).collect::<Vec<Value>>()}).to_string()
}

fn leaked(told: &[(&str, &str, &[u32])]) -> &'static str {
    Box::leak(lines(told).into_boxed_str())
}

fn telling(part: &'static str, answer: &'static str) -> Server {
    model(Box::leak(Box::new([(part, answer), NOTHING])))
}

fn operations(workspace: &Workspace) -> Vec<String> {
    workspace.memory().usage(None, UsageBy::Operation).rows.into_iter().map(|row| row.key).collect()
}

#[test]
fn a_day_is_told_by_a_model_and_a_line_without_a_true_source_is_refused() {
    let told = leaked(&[
        ("booking service", "The booking service uses Postgres, since SQLite locked up under load.", &[1]),
        ("", "Never deploy on a Friday afternoon.", &[2]),
        ("", "Deploys need the approval of Ingrid.", &[2]),
        ("", "The weekend was spent rolling back 14 services.", &[2]),
        ("", "The office moves to Lyon.", &[7]),
    ]);
    let server = telling("worth telling of the day", told);
    let workspace = workspace(&server.url);
    talk(&workspace, "s1", "2026-02-20T09:00:00Z", &TALK);
    let outcome = workspace.memory().condense_days(&CondenseRequest::default(), &mut |_, _| {}).unwrap();
    assert_eq!(
        outcome.days[0].lines,
        [
            "The booking service uses Postgres, since SQLite locked up under load.",
            "Never deploy on a Friday afternoon."
        ]
    );
    let page = workspace.text("memory/2026-02-20.md");
    assert!(page.contains("## booking service\n"), "{page}");
    assert!(
        page.contains("under load. [[raw/conversations/2026/02/20/") && page.contains("|09:00]] <!-- lines:"),
        "{page}"
    );
    assert_eq!(operations(&workspace), ["condense-day"]);
    let done = workspace.files().into_iter().find(|(path, _)| path.contains("meta/condensed/")).unwrap().1;
    assert!(String::from_utf8_lossy(&done).contains("openai:"), "who told it is written down");
    let again = workspace.memory().condense_days(&CondenseRequest::default(), &mut |_, _| {}).unwrap();
    assert!(again.days.is_empty());
    workspace.assert_well();
}

#[test]
fn where_a_model_says_nothing_that_can_be_believed_the_rules_tell_the_day() {
    for answer in ["no JSON", leaked(&[("", "The office moves to Lyon.", &[1])])] {
        let server = telling("worth telling of the day", answer);
        let workspace = workspace(&server.url);
        talk(&workspace, "s1", "2026-02-20T09:00:00Z", &TALK);
        let ruled = Workspace::new();
        talk(&ruled, "s1", "2026-02-20T09:00:00Z", &TALK);
        for each in [&workspace, &ruled] {
            each.memory().condense_days(&CondenseRequest::default(), &mut |_, _| {}).unwrap();
        }
        assert_eq!(workspace.text("memory/2026-02-20.md"), ruled.text("memory/2026-02-20.md"));
        assert!(!server.requests().is_empty());
    }
}

fn episodes(workspace: &Workspace) {
    workspace.write(
        "memory/episodes/2026-02-24.md",
        "# 2026-02-24\n\n## 09:00 | decision | confidence:high | tags:[]\nWe use Postgres for bookings.\n\n\
         ## 10:00 | decision | confidence:high | tags:[]\nThe bakery delivers on Mondays.\n\n\
         ## 11:00 | event | confidence:low | tags:[]\nThe lift was out of order.\n",
    );
    workspace.memory().catch_up();
}

#[test]
fn a_week_is_chosen_by_a_model_and_asked_about_once() {
    let server = model(&[("matter beyond the week", "{\"numbers\": [2, 9, 2]}"), NOTHING]);
    let workspace = workspace(&server.url);
    episodes(&workspace);
    let day = Some(date(2026, 2, 25));
    let week = workspace.memory().condense_week(day, false).unwrap();
    assert_eq!(week.added, ["The bakery delivers on Mondays."], "{week:?}");
    let again = workspace.memory().condense_week(day, false).unwrap();
    assert!(again.added.is_empty());
    assert_eq!(server.requests().len(), 1, "what was decided on is not asked about again");
}

#[test]
fn what_a_week_puts_into_core_memory_has_no_more_tokens_than_is_allowed() {
    let mut workspace = Workspace::new();
    episodes(&workspace);
    workspace.set("lifecycle.rollup_max_tokens", "8");
    let day = Some(date(2026, 2, 25));
    let week = workspace.memory().condense_week(day, false).unwrap();
    assert_eq!(week.added.len(), 1, "{week:?}");
    assert!(
        workspace.memory().condense_week(day, false).unwrap().added.is_empty(),
        "what it put there counts"
    );
    assert!(
        workspace.text("memory/episodes/2026-02-24.md").contains("delivers on Mondays"),
        "nothing leaves its source"
    );
    workspace.set("lifecycle.rollup_max_tokens", "2000");
    assert_eq!(workspace.memory().condense_week(day, false).unwrap().added.len(), 1, "there is room now");
}

#[test]
fn a_month_is_told_by_a_model_with_all_that_it_is_from() {
    let told = leaked(&[("", "Postgres is used for bookings, and the bakery delivers on Mondays.", &[1, 2])]);
    let server = telling("known of this month in years", told);
    let workspace = workspace(&server.url);
    episodes(&workspace);
    let month = workspace.memory().condense_month(Some(date(2026, 2, 1)), false).unwrap();
    assert_eq!(month.lines, ["Postgres is used for bookings, and the bakery delivers on Mondays."]);
    let page = workspace.text(month.path.as_str());
    assert!(page.contains("on Mondays. [[memory/episodes/2026-02-24|02-24]]"), "{page}");
    assert!(workspace.memory().condense_month(Some(date(2026, 2, 1)), false).unwrap().lines.is_empty());
}

const REMOVE: CompactRequest = CompactRequest { days: None, granularity: None, apply: true, remove: true };

fn notes(workspace: &Workspace) {
    workspace
        .write("memory/2025-11-05.md", "# 2025-11-05\n\n- The harbour froze over.\n- Nobody went out.\n");
    workspace.write("memory/2025-11-06.md", "# 2025-11-06\n\n- Ada mended the boat.\n");
    workspace.write("memory/2026-02-10.md", "# 2026-02-10\n\n- The ice is gone.\n");
    workspace.memory().catch_up();
}

fn compact(workspace: &Workspace) -> CompactOutcome {
    workspace.memory().compact(&REMOVE, machine_time()).unwrap()
}

#[test]
fn archived_days_are_told_in_a_chronicle_and_every_sentence_stays_in_the_archive() {
    let told = leaked(&[
        ("", "The harbour froze over and nobody went out, so Ada mended the boat.", &[1, 2, 3]),
        ("", "Robert sold the boat.", &[3]),
    ]);
    let server = telling("Tell in a few paragraphs", told);
    let workspace = workspace(&server.url);
    notes(&workspace);
    let preview =
        workspace.memory().compact(&CompactRequest { apply: false, ..REMOVE }, machine_time()).unwrap();
    assert_eq!((preview.archives.len(), server.requests().len()), (1, 0), "a preview asks nobody");
    let outcome = compact(&workspace);
    assert_eq!(outcome.chronicles.len(), 1, "{outcome:?}");
    let chronicle = workspace.text(outcome.chronicles[0].as_str());
    assert!(
        chronicle.contains(
            "## Narrative\n\nThe harbour froze over and nobody went out, so Ada mended the boat. \
             ([[memory/archive/2025-11|11-05]], [[memory/archive/2025-11|11-06]])\n"
        ) && !chronicle.contains("Robert"),
        "{chronicle}"
    );
    let archived = workspace.read("memory/archive/2025-11.md").unwrap();
    assert_eq!(archive::entries(&archived).len(), 2);
    for sentence in ["The harbour froze over.", "Nobody went out.", "Ada mended the boat."] {
        assert!(String::from_utf8_lossy(&archived).contains(sentence));
    }
    assert!(
        workspace.read("memory/2025-11-05.md").is_none() && workspace.read("memory/2026-02-10.md").is_some()
    );
    compact(&workspace);
    assert_eq!(server.requests().len(), 1, "a day is told once");
    workspace.assert_well();
}

#[test]
fn days_that_could_not_be_told_are_told_the_next_time() {
    let told = lines(&[("", "Ada mended the boat.", &[3])]);
    let server = Server::new(move |number, _| match number {
        0 | 1 => Some(Reply::said("no JSON")),
        _ => Some(Reply::said_for(&told, 10, 10)),
    });
    let workspace = workspace(&server.url);
    notes(&workspace);
    let outcome = compact(&workspace);
    assert!(outcome.not_told.is_some() && outcome.chronicles.is_empty(), "{outcome:?}");
    assert!(workspace.read("memory/archive/2025-11.md").is_some(), "the archive waits for no model");
    assert_eq!(compact(&workspace).chronicles.len(), 1, "though the notes are gone");
}

#[test]
fn the_style_and_the_age_decide() {
    let server = telling("Tell in a few paragraphs", "{}");
    let mut workspace = workspace(&server.url);
    notes(&workspace);
    workspace.set("compaction.style", "concatenation");
    workspace.set("compaction.age_days", "200");
    assert!(compact(&workspace).archives.is_empty());
    workspace.set("compaction.age_days", "5");
    let outcome = compact(&workspace);
    assert_eq!((outcome.archives.len(), outcome.chronicles.len(), outcome.not_told), (2, 0, None));
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn a_model_that_mines_and_condenses_is_paid_within_the_cap() {
    let server = model(&[("worth telling of the day", "{\"lines\": []}"), NOTHING]);
    let mut workspace = workspace(&server.url);
    workspace.set("spending.daily_cap_tokens", "10");
    talk(&workspace, "s1", "2026-02-20T09:00:00Z", &TALK);
    workspace.memory().mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
    workspace.memory().condense_days(&CondenseRequest::default(), &mut |_, _| {}).unwrap();
    assert_eq!(server.requests().len(), 0);
    assert!(workspace.text("memory/2026-02-20.md").contains("Postgres"));
}
