//! Knowledge that is made anew as it was stays where it was, however often; and what people changed by hand stays changed.

use std::collections::BTreeMap;

use rem_mind::lifecycle::condense::CondenseRequest;
use rem_mind::lifecycle::mine::MineRequest;
use rem_testkit::Workspace;

use crate::support::{believing, in_both_layouts, placed, talk};

fn night(workspace: &Workspace) {
    let memory = workspace.memory();
    memory.mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
    memory.condense_days(&CondenseRequest::default(), &mut |_, _| {}).unwrap();
}

fn week_of(workspace: &Workspace, day: &str) {
    workspace.memory().condense_week(Some(day.parse().unwrap()), false).unwrap();
}

/// Some weeks with nights between.
fn lived_in(workspace: &Workspace) {
    let facts = placed(workspace, "memory/reference/facts.md");
    talk(
        workspace,
        "s1",
        "2026-01-28T09:00:00Z",
        &[
            "user: We decided to use Postgres for the booking service, because SQLite locked up under load.",
            "agent: Noted.",
            "user: The staging server is called harbor-stage-2. Mira lives in Bremen.",
            "agent: Ok.",
        ],
    );
    night(workspace);
    week_of(workspace, "2026-01-28");
    // The page is full when the next fact comes.
    let before = workspace.text(&facts);
    let filler: String = (0..500).map(|line| format!("\nLine {line} is {}.\n", "long ".repeat(20))).collect();
    workspace.write(&facts, before.clone() + &filler);
    workspace.memory().catch_up();
    talk(
        workspace,
        "s2",
        "2026-02-11T09:00:00Z",
        &[
            "user: The backup server is called harbor-vault-7. Mira lives in Lyon.",
            "agent: Ok.",
            "user: We decided to rent the hall in June, because May is full.",
        ],
    );
    night(workspace);
    workspace.write(&facts, before);
    workspace.memory().catch_up();
    week_of(workspace, "2026-02-11");
    talk(
        workspace,
        "s3",
        "2026-02-20T09:00:00Z",
        &["user: Remember that I prefer short answers.", "agent: Ok."],
    );
    night(workspace);
}

/// The files of the memory that say something.
fn said(workspace: &Workspace) -> BTreeMap<String, String> {
    let is_page = |path: &str| (path.ends_with(".md") || path.ends_with(".txt")) && !path.contains("audit");
    let files = workspace.files().into_iter().filter(|(path, _)| is_page(path));
    files.map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned())).collect()
}

fn made_anew(workspace: &Workspace) {
    let memory = workspace.memory();
    let made = memory.reconstruct(None, &mut |_, _| {}).unwrap();
    memory.branch_merge(&made.branch.name).unwrap();
}

#[test]
fn with_the_same_extractors_nothing_changes_however_often_it_is_made_anew() {
    for workspace in in_both_layouts().map(believing) {
        lived_in(&workspace);
        let before = said(&workspace);
        let core = &before[&placed(&workspace, "MEMORY.md")];
        assert!(
            core.contains("2026-01-28: We decided to use Postgres") && core.contains("the hall in June"),
            "{core}"
        );
        let page = |name: &str| &before[&placed(&workspace, &format!("memory/reference/{name}"))];
        assert!(page("facts.md").contains("stage-2") && page("facts-2.md").contains("vault-7"));
        for round in 1..=3 {
            let memory = workspace.memory();
            let made = memory.reconstruct(None, &mut |_, _| {}).unwrap();
            assert!(made.comparison.stores.is_empty(), "round {round}: {:#?}", made.comparison);
            assert_eq!(
                (made.comparison.files, made.comparison.here),
                (0, made.comparison.there),
                "round {round}"
            );
            memory.branch_merge(&made.branch.name).unwrap();
            assert_eq!(said(&workspace), before, "round {round}");
        }
        workspace.assert_well();
    }
}

#[test]
fn what_a_person_took_out_or_reworded_by_hand_does_not_come_back() {
    for workspace in in_both_layouts().map(believing) {
        lived_in(&workspace);
        let [day, other, facts, core] =
            ["memory/2026-01-28.md", "memory/2026-02-11.md", "memory/reference/facts.md", "MEMORY.md"]
                .map(|path| placed(&workspace, path));
        let without = |text: &str, word: &str| -> String {
            text.split_inclusive('\n').filter(|line| !line.contains(word)).collect()
        };
        let page = workspace.text(&day);
        assert!(page.contains("Postgres"), "{page}");
        workspace.write(&day, without(&page, "Postgres"));
        let page = workspace.text(&other);
        workspace.write(&other, page.replace("rent the hall in June", "hire the big hall in June"));
        // One of two memories from one line of a conversation goes, the other stays.
        let page = workspace.text(&facts);
        workspace.write(&facts, without(&page, "stage-2"));
        let page = workspace.text(&core);
        workspace.write(
            &core,
            page.replace("2026-01-28: We decided to use Postgres", "2026-01-28: Postgres it is"),
        );
        workspace.memory().catch_up();
        let before = said(&workspace);
        for round in 1..=2 {
            made_anew(&workspace);
            assert_eq!(said(&workspace), before, "round {round}");
        }
        // What is taken away as a whole stays away, too.
        std::fs::remove_file(workspace.root().join(&day)).unwrap();
        workspace.memory().catch_up();
        made_anew(&workspace);
        assert!(workspace.read(&day).is_none());
        assert_eq!(workspace.text(&other), before[&other]);
        // Said again later, it is news.
        talk(
            &workspace,
            "s9",
            "2026-03-05T09:00:00Z",
            &["user: The staging server is called harbor-stage-2.", "agent: Ok."],
        );
        workspace.advance(jiff::SignedDuration::from_hours(24 * 6));
        made_anew(&workspace);
        let pages = [facts.clone(), placed(&workspace, "memory/reference/facts-2.md")];
        assert!(pages.iter().any(|page| workspace.text(page).contains("stage-2")), "{pages:?}");
        workspace.assert_well();
    }
}

#[test]
fn what_is_from_a_conversation_that_cannot_be_read_now_stays_and_lines_told_by_other_rules_are_told_anew() {
    let mut workspace = believing(Workspace::new());
    lived_in(&workspace);
    let before = said(&workspace);
    let memory = workspace.memory();
    // As an extractor of before had told it.
    let (day, list) = ("memory/2026-02-20.md", "memory/meta/condensed/2026-02.txt");
    let old = before[list].replace(" raw/conversations/2026/02/20", "0 raw/conversations/2026/02/20");
    let page = before[day].replace("- I prefer short answers", "- They prefer it short");
    assert!(old != before[list] && page != before[day], "{}", before[day]);
    let set = rem_mind::ledger::ChangeSet::new().write(crate::support::path(list), old, "told").write(
        crate::support::path(day),
        page,
        "told",
    );
    memory.ledger().apply(&set, &rem_mind::ledger::Provenance::system("condenser", "told")).unwrap();
    made_anew(&workspace);
    let after = said(&workspace);
    let differing: Vec<&String> =
        before.keys().filter(|path| before.get(*path) != after.get(*path)).collect();
    assert!(differing.is_empty(), "{differing:?}: {}", after[day]);

    // A model that nobody is at: port 9 is for what is thrown away.
    for (key, value) in [
        ("models.provider", "openai"),
        ("models.url", "http://127.0.0.1:9/v1"),
        ("models.cheap", "small"),
        ("models.strong", "large"),
    ] {
        workspace.set(key, value);
    }
    let memory = workspace.memory();
    let made = memory.reconstruct(None, &mut |_, _| {}).unwrap();
    assert!(!made.failed.is_empty());
    let lost: usize = made.comparison.stores.values().map(|of| of.lost).sum();
    assert_eq!(lost, 0, "{:#?}", made.comparison.stores);
}
