//! What a person had forgotten or changed by hand is not learned, condensed or made anew again.

use jiff::SignedDuration;
use rem_mind::lifecycle::condense::CondenseRequest;
use rem_mind::lifecycle::mine::MineRequest;
use rem_mind::lifecycle::reconstruct::Reconstruction;
use rem_testkit::Workspace;

use crate::support::{believing, talk};

const TALK: [&str; 6] = [
    "user: Lesson learned: never deploy on a Friday afternoon, we spent the weekend rolling back.",
    "agent: Ok.",
    "user: Mira is our designer and she is allergic to peanuts.",
    "agent: Ok.",
    "user: We decided to use Postgres for the booking service, because SQLite locked up under load.",
    "agent: Noted.",
];

fn lived_in() -> Workspace {
    let workspace = believing(Workspace::new());
    talk(&workspace, "s1", "2026-02-24T09:00:00Z", &TALK);
    let memory = workspace.memory();
    memory.mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
    memory.condense_days(&CondenseRequest::default(), &mut |_, _| {}).unwrap();
    workspace
}

fn made_anew(workspace: &Workspace) -> Reconstruction {
    let made = workspace.memory().reconstruct(None, &mut |_, _| {}).unwrap();
    workspace.memory().branch_merge("reconstructed").unwrap();
    made
}

fn id_of(workspace: &Workspace, path: &str, words: &str) -> String {
    let text = workspace.text(path);
    let line = text.lines().find(|line| line.contains(words)).unwrap();
    line.split("id:").nth(1).unwrap().split([' ', '|']).next().unwrap().to_owned()
}

#[test]
fn what_was_forgotten_does_not_come_back() {
    for permanent in [false, true] {
        let workspace = lived_in();
        let memory = workspace.memory();
        memory.condense_week(Some(jiff::civil::date(2026, 2, 24)), false).unwrap();
        let lesson = format!("core:{}", id_of(&workspace, "MEMORY.md", "Friday"));
        let decision = format!("core:{}", id_of(&workspace, "MEMORY.md", "Postgres"));
        memory.forget(&[lesson, decision, "entity:person--mira".to_owned()], permanent).unwrap();
        memory.condense_week(Some(jiff::civil::date(2026, 2, 24)), false).unwrap();
        let core = workspace.text("MEMORY.md");
        assert!(!core.contains("Postgres") && !core.contains("Friday"), "{permanent}: {core}");

        let made = made_anew(&workspace);
        let gained: Vec<_> = made.comparison.stores.values().flat_map(|store| &store.entries).collect();
        assert!(
            !gained.iter().any(|entry| entry.branch.as_deref().is_some_and(|text| text.contains("peanuts"))),
            "{gained:#?}"
        );
        let says = |path: &str| {
            workspace.read(path).map(|bytes| String::from_utf8(bytes).unwrap()).unwrap_or_default()
        };
        assert!(!says("MEMORY.md").contains("Friday"), "{permanent}: {}", says("MEMORY.md"));
        let mira = says("memory/graph/entities/person--mira.md");
        assert!(mira.is_empty() || mira.contains("Status: archived"), "{permanent}: {mira}");
        let day = says("memory/2026-02-24.md");
        assert!(!day.contains("peanuts"), "{permanent}: {day}");
        workspace.assert_well();

        // Said again later it is news.
        workspace.advance(SignedDuration::from_hours(48));
        talk(
            &workspace,
            "s2",
            &workspace.now().to_string(),
            &["user: Mira is our designer and she is allergic to peanuts.", "agent: Ok."],
        );
        let outcome = workspace.memory().mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
        assert!(outcome.mined[0].memories.iter().any(|each| each.not_kept.is_none()), "{outcome:#?}");
    }
}

#[test]
fn what_a_person_changed_by_hand_stays_theirs() {
    let workspace = lived_in();
    let change = |path: &str, from: &str, to: &str| {
        let text = workspace.text(path);
        assert!(text.contains(from), "{path}: {text}");
        workspace.write(path, text.replacen(from, to, 1));
    };
    change(
        "MEMORY.md",
        "Lesson learned: never deploy on a Friday afternoon, we spent the weekend rolling back",
        "Deploys on Fridays are fine until noon",
    );
    change(
        "memory/graph/entities/person--mira.md",
        "Mira is our designer and she is allergic to peanuts",
        "Mira is our head of design",
    );
    change(
        "memory/episodes/2026-02-24.md",
        "We decided to use Postgres for the booking service",
        "We decided to use Postgres 18 for all services",
    );
    workspace.memory().catch_up();
    made_anew(&workspace);
    let core = workspace.text("MEMORY.md");
    assert!(core.contains("fine until noon") && !core.contains("rolling back"), "{core}");
    let mira = workspace.text("memory/graph/entities/person--mira.md");
    assert!(mira.contains("head of design") && !mira.contains("peanuts"), "{mira}");
    let day = workspace.text("memory/episodes/2026-02-24.md");
    assert!(day.contains("Postgres 18") && !day.contains("for the booking service"), "{day}");
    workspace.assert_well();
}

#[test]
fn what_a_person_took_out_or_changed_in_a_week_or_a_month_is_not_told_again() {
    let workspace = lived_in();
    let memory = workspace.memory();
    talk(
        &workspace,
        "s2",
        "2026-02-25T09:00:00Z",
        &["user: We decided to use Redis for the queue.", "agent: Ok."],
    );
    memory.mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
    // The week is over, and is told all the same.
    assert_eq!(workspace.now().to_string().get(..10), Some("2026-03-01"));
    workspace.advance(SignedDuration::from_hours(3 * 24));
    let week = workspace.open().condense_week(None, false).unwrap();
    assert_eq!(week.added.len(), 2, "{week:#?}");
    let month = workspace.memory().condense_month(Some(jiff::civil::date(2026, 2, 1)), false).unwrap();
    for path in ["MEMORY.md", month.path.as_str()] {
        let text = workspace.text(path);
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !(line.starts_with("- 2026-02-25") && line.contains("Redis")))
            .collect();
        assert!(lines.len() < text.lines().count(), "{path}: {text}");
        workspace.write(
            path,
            lines
                .join("\n")
                .replace("We decided to use Postgres for the booking service", "Bookings live in a database")
                + "\n",
        );
    }
    workspace.memory().catch_up();
    let memory = workspace.open();
    let week = memory.condense_week(None, false).unwrap();
    let month = memory.condense_month(Some(jiff::civil::date(2026, 2, 1)), false).unwrap();
    assert_eq!((week.added.len(), month.lines.len()), (0, 0), "{week:#?} {month:#?}");
    let core = workspace.text("MEMORY.md");
    assert!(core.contains("Bookings live in a database") && !core.contains("Redis"), "{core}");
    workspace.assert_well();
}

#[test]
fn the_journal_tells_no_more_of_what_was_forgotten_and_all_else_stays() {
    for permanent in [false, true] {
        let workspace = lived_in();
        let memory = workspace.memory();
        let day = "memory/2026-02-24.md";
        workspace.write(
            day,
            workspace.text(day) + "\n## By hand\n\n- Never deploy on a Friday, says the sticker.\n",
        );
        memory.catch_up();
        let before = workspace.text(day);
        assert!(before.contains("weekend") && before.contains("Postgres"), "{before}");
        let lesson = format!("core:{}", id_of(&workspace, "MEMORY.md", "Friday"));
        memory.forget(&[lesson], permanent).unwrap();
        let after = workspace.text(day);
        assert!(!after.contains("weekend"), "{permanent}: {after}");
        assert!(after.contains("Postgres") && after.contains("says the sticker"), "{permanent}: {after}");
        memory.condense_days(&CondenseRequest::default(), &mut |_, _| {}).unwrap();
        assert_eq!(workspace.text(day), after, "it is not told again");
        workspace.assert_well();
    }
}
