//! Facts go on on another page when one is full, and whatever page says something, it is found, changed and forgotten there.

use std::sync::Arc;

use rem_ledger::FixedClock;
use rem_ledger::fault::APPLY_POINTS;
use rem_mind::identity::CorrectRequest;
use rem_mind::lifecycle::mine::MineRequest;
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_mind::{Memory, recall::Query};
use rem_testkit::{MORNING, Workspace, git, machine_time, options, write};

use crate::support::{believing, in_a_process, in_both_layouts, placed, talk};

const FIRST: &str = "memory/reference/facts.md";
const SECOND: &str = "memory/reference/facts-2.md";
const THIRD: &str = "memory/reference/facts-3.md";

fn fact(memory: &Memory, text: &str) -> RememberOutcome {
    let store = Some(StoreKind::Semantic);
    memory.remember(&RememberRequest { text: text.to_owned(), store, ..RememberRequest::default() }).unwrap()
}

/// A page that takes no more facts, with one of its own in the middle.
fn full(page: usize, own: &str) -> String {
    let mut text = if page == 1 {
        "# Facts\n\n## Facts\n\n".to_owned()
    } else {
        format!("# Facts, page {page}\n\n## Facts\n\n")
    };
    for number in 0..260 {
        if number == 130 {
            text.push_str(&format!("- {own} <!-- id:own{page} | since:2026-02-01 | confidence:0.90 | mentions:1 | source:user-explicit -->\n"));
        }
        let code = page * 1_000 + number;
        text.push_str(&format!(
            "- crate {code} stands on shelf {} of the hall <!-- id:c{code} | since:2026-02-01 | confidence:0.90 | mentions:1 | source:user-explicit -->\n",
            code / 7
        ));
    }
    text
}

/// A workspace whose first page of facts is full, and that has the second begun.
fn begun(workspace: &Workspace) -> RememberOutcome {
    let own = "The deadline of the harbour survey is in May";
    workspace.write(&placed(workspace, FIRST), full(1, own));
    workspace.memory().catch_up();
    fact(workspace.memory(), "The tide in the harbour turns at noon")
}

#[test]
fn where_a_page_is_full_the_next_begins_and_what_is_on_the_first_stays_as_it_is() {
    for workspace in in_both_layouts() {
        let outcome = begun(&workspace);
        let second = placed(&workspace, SECOND);
        assert_eq!(
            (outcome.effect, outcome.path.as_ref().unwrap().as_str()),
            (Effect::Added, second.as_str())
        );
        let page = workspace.text(&second);
        assert!(
            page.starts_with(
                "# Facts, page 2\n\n## Facts\n\n- The tide in the harbour turns at noon <!-- id:"
            ),
            "{page}"
        );
        let further = fact(workspace.memory(), "The lighthouse keeper sleeps until ten");
        assert_eq!(further.path.unwrap().as_str(), second);
        assert_eq!(
            workspace.text(&placed(&workspace, FIRST)),
            full(1, "The deadline of the harbour survey is in May")
        );
        // And so on.
        workspace.write(&second, full(2, "The pier is closed on Mondays"));
        workspace.memory().catch_up();
        let third = fact(workspace.memory(), "The ferry to the island leaves at seven");
        assert_eq!(third.path.unwrap().as_str(), placed(&workspace, THIRD));
        workspace.assert_well();
    }
}

#[test]
fn the_same_sessions_fill_the_same_pages_in_both_layouts() {
    let pages = in_both_layouts().map(|workspace| {
        begun(&workspace);
        fact(workspace.memory(), "The deadline of the harbour survey is in June");
        [FIRST, SECOND].map(|path| workspace.text(&placed(&workspace, path)))
    });
    assert_eq!(pages[0], pages[1]);
}

#[test]
fn what_any_page_says_is_strengthened_or_replaced_there() {
    let workspace = Workspace::new();
    begun(&workspace);
    let again = fact(workspace.memory(), "The deadline of the harbour survey is in May!");
    assert_eq!((again.effect, again.id.as_str()), (Effect::Merged, "fact:own1"));
    let replaced = fact(workspace.memory(), "The deadline of the harbour survey is in June");
    assert_eq!((replaced.effect, replaced.path.unwrap().as_str()), (Effect::Replaced, FIRST));
    assert_eq!(replaced.replaced.as_deref(), Some("The deadline of the harbour survey is in May"));
    let first = workspace.text(FIRST);
    assert!(
        first.contains("- ~~The deadline of the harbour survey is in May~~")
            && first.contains("is in June <!--"),
        "{first}"
    );

    // One that is negated, one that is turned into its opposite, one without a word in common, and a page that somebody edits meanwhile.
    workspace.write(SECOND, full(2, "The pier is open on Mondays"));
    workspace.memory().catch_up();
    fact(workspace.memory(), "The ferry leaves at seven");
    for (text, effect) in [
        ("The pier is closed on Mondays", Effect::Replaced),
        ("The pier is not closed on Mondays", Effect::Replaced),
        ("The ferry leaves at seven", Effect::Merged),
        ("crate 2100 stands on shelf 300 of the hall", Effect::Merged),
    ] {
        assert_eq!(fact(workspace.memory(), text).effect, effect, "{text}");
    }
    let edited = workspace
        .text(SECOND)
        .replace("crate 2007 stands on shelf 286 of the hall", "The bakery opens at six in the morning");
    workspace.write(SECOND, edited);
    workspace.memory().catch_up();
    let known = fact(workspace.memory(), "The bakery opens at six in the morning.");
    assert_eq!((known.effect, known.id.as_str()), (Effect::Merged, "fact:c2007"));
    assert!(!workspace.text(THIRD).contains("bakery"));
    workspace.assert_well();
}

#[test]
fn a_fact_of_a_later_page_is_shown_pinned_corrected_and_forgotten_by_its_id() {
    for workspace in in_both_layouts() {
        let (outcome, memory) = (begun(&workspace), workspace.memory());
        let (first, second) = (placed(&workspace, FIRST), placed(&workspace, SECOND));
        let shown = memory.show(&outcome.id).unwrap();
        assert_eq!((shown.path.as_str(), shown.start_line), (second.as_str(), 5));
        assert_eq!(memory.show("fact:own1").unwrap().path.as_str(), first);
        assert!(memory.show("fact:nobody").is_err());
        memory.pin(&outcome.id, true).unwrap();
        assert!(workspace.text(&second).contains("pinned:yes"));
        memory.pin(&outcome.id, false).unwrap();

        let request = CorrectRequest {
            right: "The tide in the harbour turns at one".to_owned(),
            wrong: Some("The tide in the harbour turns at noon".to_owned()),
            ..CorrectRequest::default()
        };
        let corrected = memory.correct(&request).unwrap();
        assert_eq!(corrected.corrected[0].path.as_str(), second);
        let page = workspace.text(&second);
        assert!(
            page.contains("- ~~The tide in the harbour turns at noon~~")
                && page.contains("turns at one <!--"),
            "{page}"
        );

        let there = memory.forget_candidates("tide harbour turns one", machine_time()).unwrap();
        let forgotten = there
            .iter()
            .find(|each| each.text.starts_with("- The tide in the harbour turns at one"))
            .unwrap();
        assert_eq!(forgotten.path.as_str(), second);
        memory.forget(std::slice::from_ref(&forgotten.id), false).unwrap();
        assert!(!workspace.text(&second).contains("turns at one <!--"));
        assert!(
            workspace
                .text(&placed(&workspace, "memory/archive/forgotten.md"))
                .contains(&format!("from:{second}"))
        );
        workspace.assert_well();
    }
}

#[test]
fn a_search_finds_a_fact_of_a_later_page_as_the_memory_that_it_is() {
    for workspace in in_both_layouts() {
        let outcome = begun(&workspace);
        let category = vec!["reference".to_owned()];
        let query = Query {
            categories: category,
            ..workspace.memory().query("when does the tide turn in the harbour")
        };
        let answer = workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap();
        let hit = answer.results.iter().find(|hit| hit.path == placed(&workspace, SECOND)).unwrap();
        assert_eq!(hit.id, outcome.id, "{hit:?}");
    }
}

#[test]
fn pages_of_facts_stay_where_they_are_and_links_in_them_follow_what_is_renamed() {
    let workspace = Workspace::new();
    workspace.write("memory/reference/boats.md", "# Boats\n\nAll boats.\n");
    workspace.write(FIRST, full(1, "The pier is open on Mondays"));
    workspace.memory().catch_up();
    fact(workspace.memory(), "All boats of the harbour stand in [[boats]]");
    let path = |text: &str| rem_format::path::MemoryPath::new(text).unwrap();
    let memory = workspace.memory();
    memory
        .rename(&path("memory/reference/boats.md"), &path("memory/reference/ships.md"), machine_time())
        .unwrap();
    assert!(workspace.text(SECOND).contains("[[ships]]"));
    for (from, to) in
        [(SECOND, "memory/reference/tides.md"), ("memory/reference/ships.md", "memory/reference/facts-9.md")]
    {
        let error = memory.rename(&path(from), &path(to), machine_time()).unwrap_err();
        assert!(error.to_string().contains("has a fixed place"), "{error}");
    }
    memory
        .rename(
            &path("memory/reference/ships.md"),
            &path("memory/reference/facts-of-boats.md"),
            machine_time(),
        )
        .unwrap();
}

#[test]
fn no_fact_gets_the_id_of_one_on_another_page() {
    let mut workspace = Workspace::new();
    let first = begun(&workspace);
    // Another page has the very id that this statement gets at this time.
    let id = first.id.trim_start_matches("fact:").to_owned();
    let page = workspace.text(FIRST).replace("id:c1003 ", &format!("id:{id} "));
    workspace.write(FIRST, page);
    workspace.write(SECOND, "# Facts, page 2\n");
    workspace.memory().catch_up();
    workspace.reopen();
    let again = fact(workspace.memory(), "The tide in the harbour turns at noon");
    assert_eq!((again.effect, again.id), (Effect::Added, format!("fact:{id}2")));
    assert!(workspace.memory().show(&format!("fact:{id}")).unwrap().text.contains("crate 1003"));
    workspace.assert_well();
}

#[test]
fn two_clones_that_went_on_on_such_pages_are_one_again() {
    let workspace = Workspace::new();
    begun(&workspace);
    git(workspace.outside(), &["clone", "--quiet", "w", "b"]);
    let clone = workspace.outside().join("b");
    let other = Memory::open(&clone, options(&Arc::new(FixedClock::new(MORNING.parse().unwrap())))).unwrap();
    // There the second page is full, too, and both begin what the other does not have.
    write(&clone, SECOND, full(2, "The pier is open on Mondays"));
    other.catch_up();
    fact(&other, "The ferry to the island leaves at seven");
    fact(&other, "The deadline of the harbour survey is in June");
    fact(workspace.memory(), "The lighthouse keeper sleeps until ten");
    workspace.memory().merge(Some(clone.to_str().unwrap()), false).unwrap();
    let all = [FIRST, SECOND, THIRD].map(|path| workspace.text(path));
    assert!(
        all[0].contains("~~The deadline of the harbour survey is in May~~")
            && all[0].contains("is in June <!--")
    );
    assert!(
        all[1].contains("lighthouse keeper")
            && all[1].contains("The pier is open")
            && !all[1].contains("<<<<")
    );
    assert!(all[2].contains("The ferry to the island"));
    let known = fact(workspace.memory(), "The pier is open on Mondays");
    assert_eq!((known.effect, known.path.unwrap().as_str()), (Effect::Merged, SECOND));
    workspace.assert_well();
}

#[test]
fn a_page_that_mining_begins_is_there_with_its_conversation_or_not_at_all() {
    for point in APPLY_POINTS {
        let mut workspace = believing(Workspace::new());
        // MEMORY.md has no room, and is not too long.
        workspace.set("core.line_warning", "200");
        workspace.write(FIRST, full(1, "The pier is open on Mondays"));
        let filler: String =
            (0..196).map(|number| format!("- note {number} <!-- id:n{number} -->\n")).collect();
        workspace.write("MEMORY.md", format!("# Core Memory\n\n## Critical Facts\n\n{filler}"));
        workspace.memory().catch_up();
        let said = "user: Lesson learned: never tie a boat to the old pole of the pier, it broke twice.";
        talk(&workspace, "s1", "2026-02-20T09:00:00Z", &[said, "agent: Ok."]);
        assert_eq!(in_a_process("mining::victim", &workspace, point, 1, ""), None, "{point} did not kill");
        let memory = workspace.open();
        memory.catch_up();
        let is_kept = workspace.read(SECOND).is_some();
        assert_eq!(workspace.read("memory/meta/mined/2026-02.txt").is_some(), is_kept, "{point}");
        memory.mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
        assert_eq!(workspace.text(SECOND).matches("old pole").count(), 1, "{point}");
        workspace.assert_well();
    }
}
