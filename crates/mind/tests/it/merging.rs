//! What is known twice becomes one (K13): entities that a person merges, statements that another store says already.

use rem_mind::recall::Asking;
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_testkit::{Workspace, machine_time};

use crate::support::{in_both_layouts, placed};

const KEPT: &str = "memory/graph/entities/person--mira-holt.md";
const OTHER: &str = "memory/graph/entities/person--mira.md";
const PEOPLE: &str = "memory/people/_index.md";

fn remember(workspace: &Workspace, store: Option<StoreKind>, text: &str) -> RememberOutcome {
    let request = RememberRequest { text: text.to_owned(), store, ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap()
}

#[test]
fn everything_that_the_merged_file_says_is_in_the_kept_one() {
    for workspace in in_both_layouts() {
        workspace.write(&placed(&workspace, KEPT),
        "---\ntags: [crew]\n---\n# person--mira-holt\n\n<!-- Type: person | Label: Mira Holt -->\n\n## Summary\nSails the Heron.\n\n\
         ## Facts\n- Lives in Lyon\n\n## Open Questions\n- Which boat is hers?\n\n## Relations\n",
    );
        workspace.write(&placed(&workspace, OTHER),
        "---\nsource: letters\n---\n# person--mira\n\n<!-- Type: person | Label: Mira | Birthday: 4 May | Pinned: yes -->\n\nMet at the pier.\n\n\
         ## Summary\nSails the Heron.\n\nKeeps the [[person--mira|log]] herself.\n\n## Facts\n- Lives in Lyon\n- Plays the violin\n\n\
         Her violin is old.\n\n## Open Questions\n- Which boat is hers?\n- Who taught her?\n\n## Letters\n\n> Dear all\n>\n> The wind is up.\n\n\
         ### Second\n1. Answer it\n\n## Relations\n- works-at: [[place--yard]] <!-- superseded:2026-01-01 -->\n- a neighbour of ours\n",
    );
        workspace.memory().catch_up();
        workspace.memory().graph_merge("person--mira-holt", "person--mira", machine_time()).unwrap();
        let kept = workspace.text(&placed(&workspace, KEPT));
        for (text, times) in [
            ("Sails the Heron.", 1),
            ("Keeps the [[person--mira-holt|log]] herself.", 1),
            ("Met at the pier.", 1),
            ("- Lives in Lyon", 1),
            ("- Plays the violin", 1),
            ("Her violin is old.", 1),
            ("- Which boat is hers?\n- Who taught her?", 1),
            ("## Letters\n> Dear all\n>\n> The wind is up.\n\n### Second\n1. Answer it\n", 1),
            ("- works-at: [[place--yard]] <!-- superseded:2026-01-01 -->", 1),
            ("- a neighbour of ours", 1),
            ("Birthday: 4 May", 1),
            ("Pinned: yes", 1),
            ("source: letters", 1),
            ("## Summary", 1),
            ("## Open Questions", 1),
        ] {
            assert_eq!(kept.matches(text).count(), times, "{text}: {kept}");
        }
        assert!(kept.starts_with("---\ntags: [crew]\n"), "{kept}");
        assert!(
            workspace.text(&placed(&workspace, OTHER)).contains("Keeps the [[person--mira|log]] herself."),
            "the old file stays as it was"
        );
        let page = workspace.text(&placed(&workspace, "memory/graph/index.md"));
        assert!(page.contains("| person--mira-holt |") && !page.contains("| person--mira |"), "{page}");
        let (old, now) = (page, workspace.memory().graph_index(machine_time()).unwrap());
        assert_eq!(
            (now.change.as_str(), workspace.text(&placed(&workspace, "memory/graph/index.md"))),
            ("", old)
        );
    }
}

#[test]
fn no_name_is_guessed_and_no_type_is_mixed_unless_it_is_said() {
    let workspace = Workspace::new();
    for text in ["Mira lives in Lyon", "Bo lives in Oslo", "Mira uses Rust"] {
        remember(&workspace, None, text);
    }
    workspace.memory().catch_up();
    let head = workspace.head();
    let merge = |keep: &str, other: &str| workspace.memory().graph_merge(keep, other, machine_time());
    for (keep, other, said) in [
        ("Oslo", "Lion", "did you mean Lyon (place--lyon)?"),
        ("Mira", "Rust", "is a tool"),
        ("Mira", "Nobody", "nothing in the graph is called"),
    ] {
        let refused = merge(keep, other).unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    }
    assert_eq!(workspace.head(), head);
    workspace.memory().graph_merge_of("oslo", "Rust", true, machine_time()).unwrap();
    workspace.memory().catch_up();
    assert!(merge("Bo", "tool--rust").unwrap_err().to_string().contains("is part of place--oslo"));
    workspace.assert_well();
}

#[test]
fn what_led_to_the_second_leads_to_the_first_once_and_nothing_contradicts() {
    let workspace = Workspace::new();
    workspace.write(
        KEPT,
        "# person--mira-holt\n\n<!-- Type: person | Label: Mira Holt -->\n\n## Summary\n\n## Facts\n\
         - Mira Holt plays the oboe <!-- since:2026-02-01 | confidence:0.60 | mentions:1 | source:a -->\n- Mira lives in Lyon <!-- since:2026-01-01 | confidence:0.95 -->\n\n\
         ## Relations\n- knows: [[person--mira]]\n- lives-in: [[place--lyon]] <!-- confidence:medium | first-seen:2026-01-01 -->\n\
         - uses: [[tool--rust]] <!-- confidence:low | first-seen:2026-02-01 -->\n",
    );
    workspace.write(
        OTHER,
        "# person--mira\n\n<!-- Type: person | Label: Mira -->\n\n## Summary\n\n## Facts\n\
         - Mira Holt plays the oboe <!-- since:2026-01-05 | confidence:0.95 | mentions:4 | source:b -->\n- Mira lives in Oslo <!-- since:2026-02-02 | confidence:0.95 -->\n\n\
         ## Relations\n- lives-in: [[place--oslo]] <!-- first-seen:2026-02-02 -->\n- uses: [[tool--rust]] <!-- confidence:high | first-seen:2026-01-05 -->\n",
    );
    let bo = "memory/graph/entities/person--bo.md";
    workspace.write(
        bo,
        "# person--bo\n\n<!-- Type: person | Label: Bo -->\n\n## Relations\n- knows: [[person--mira-holt]] <!-- first-seen:2026-02-01 -->\n\
         - knows: [[person--mira]] <!-- first-seen:2026-01-01 -->\n",
    );
    for id in ["place--lyon", "place--oslo", "tool--rust"] {
        workspace.write(&format!("memory/graph/entities/{id}.md"), format!("# {id}\n"));
    }
    workspace.write(
        "memory/reference/crew.md",
        "# Crew\n\n[[person--mira]], [[memory/graph/entities/person--mira|her]]\n",
    );
    workspace.write("MEMORY.md", "# Core Memory\n\n## Identity\n- My sister is [[person--mira]]\n");
    workspace.memory().catch_up();
    let merged = workspace.memory().graph_merge("Mira Holt", "person--mira", machine_time()).unwrap();
    let kept = workspace.text(KEPT);
    for (text, times) in [
        (
            "- Mira Holt plays the oboe <!-- since:2026-01-05 | confidence:0.95 | mentions:4 | source:a, b -->",
            1,
        ),
        ("- ~~Mira lives in Lyon~~", 1),
        ("- Mira lives in Oslo <!--", 1),
        ("- uses: [[tool--rust]] <!-- confidence:high | first-seen:2026-01-05 -->", 1),
        ("- lives-in: [[place--lyon]] <!-- confidence:medium | first-seen:2026-01-01 | superseded:", 1),
        ("- lives-in: [[place--oslo]] <!-- first-seen:2026-02-02 -->", 1),
        ("knows:", 0),
    ] {
        assert_eq!(kept.matches(text).count(), times, "{text}: {kept}");
    }
    let known = workspace.text(bo);
    assert_eq!(
        known.matches("knows: [[person--mira-holt]] <!-- first-seen:2026-01-01 -->").count(),
        1,
        "{known}"
    );
    assert_eq!(known.matches("knows:").count(), 1, "{known}");
    assert!(
        workspace
            .text("memory/reference/crew.md")
            .contains("[[person--mira-holt]], [[memory/graph/entities/person--mira-holt|her]]")
    );
    assert!(workspace.text("MEMORY.md").contains("[[person--mira-holt]]"));
    workspace.memory().catch_up();
    let shown = workspace.memory().graph_show("person--mira", None, 1, machine_time()).unwrap();
    assert_eq!(shown.merged_into.as_deref(), Some("person--mira-holt"));
    // Once more: nothing changes.
    assert!(!merged.change.is_empty());
    let head = workspace.head();
    for other in ["person--mira", "Mira"] {
        assert_eq!(
            workspace.memory().graph_merge("person--mira-holt", other, machine_time()).unwrap().change,
            ""
        );
    }
    assert_eq!(workspace.head(), head);
    workspace.assert_well();
}

#[test]
fn a_file_that_would_swallow_the_rest_is_refused_and_nothing_changes() {
    let workspace = Workspace::new();
    workspace.write(KEPT, "# person--mira-holt\n\n## Summary\n\n## Facts\n- a\n");
    workspace.write(OTHER, "# person--mira\n\n## Summary\n```\nnever closed\n");
    workspace.memory().catch_up();
    let head = workspace.head();
    let error =
        workspace.memory().graph_merge("person--mira-holt", "person--mira", machine_time()).unwrap_err();
    assert!(format!("{error:?}").contains("Swallowed"), "{error:?}");
    assert_eq!(workspace.head(), head);
}

#[test]
fn the_list_of_people_follows_a_merge_and_keeps_what_a_person_wrote() {
    for workspace in in_both_layouts() {
        remember(&workspace, Some(StoreKind::Semantic), "Mira Holt lives in Lyon");
        remember(&workspace, Some(StoreKind::Semantic), "Mira lives in Lyon");
        let list = workspace.text(&placed(&workspace, PEOPLE));
        assert!(list.contains("[[person--mira]]") && list.contains("[[person--mira-holt]]"), "{list}");
        let mine =
            "\nAsk [[person--mira|her]] about the pier.\n\n- **Captain** — [[person--mira]], since 2020\n";
        workspace.write(&placed(&workspace, PEOPLE), format!("{list}{mine}"));
        workspace.memory().catch_up();
        workspace.memory().graph_merge("person--mira-holt", "person--mira", machine_time()).unwrap();
        let list = workspace.text(&placed(&workspace, PEOPLE));
        assert_eq!(list.matches("[[person--mira-holt]]").count(), 2, "{list}");
        assert!(!list.contains("[[person--mira]]") && !list.contains("**Mira** —"), "{list}");
        assert!(list.contains("Ask [[person--mira-holt|her]] about the pier.\n\n- **Captain** — [[person--mira-holt]], since 2020"), "{list}");

        // Where the kept one had no line it gets one.
        remember(&workspace, Some(StoreKind::Semantic), "Bo lives in Lyon");
        let bare: String = workspace
            .text(&placed(&workspace, PEOPLE))
            .lines()
            .filter(|line| !line.contains("mira-holt"))
            .map(|line| format!("{line}\n"))
            .collect();
        workspace.write(&placed(&workspace, PEOPLE), bare);
        workspace.memory().catch_up();
        workspace.memory().graph_merge("person--mira-holt", "person--bo", machine_time()).unwrap();
        let list = workspace.text(&placed(&workspace, PEOPLE));
        assert!(list.contains("- **Mira Holt** — [[person--mira-holt]]") && !list.contains("bo]]"), "{list}");
        workspace.assert_well();
    }
}

#[test]
fn what_is_for_different_people_is_not_made_one() {
    for workspace in in_both_layouts() {
        workspace.write(
            &placed(&workspace, KEPT),
            "# person--mira-holt\n\n## Facts\n- Lives in Lyon <!-- for:Bo -->\n",
        );
        workspace.write(&placed(&workspace, OTHER), "# person--mira\n\n## Facts\n- Lives in Lyon <!-- for:Ann -->\n\n## Timeline\n- 2026-01-01: moved <!-- for:Ann -->\n");
        workspace.memory().catch_up();
        workspace.memory().graph_merge("person--mira-holt", "person--mira", machine_time()).unwrap();
        let kept = workspace.text(&placed(&workspace, KEPT));
        assert!(kept.contains("for:Bo") && kept.contains("- 2026-01-01: moved <!-- for:Ann -->"), "{kept}");
        let seen = |name: &str| {
            let asking = Asking::on_behalf_of(&[name]);
            workspace
                .memory()
                .graph_show_to(&asking, "person--mira-holt", None, 1, machine_time())
                .unwrap()
                .facts
        };
        assert!(seen("Ann").iter().any(|fact| fact.text == "Lives in Lyon"));
        assert!(seen("Zoe").iter().all(|fact| fact.text != "Lives in Lyon"));

        workspace.write(
            &placed(&workspace, "memory/graph/entities/person--bo.md"),
            "# person--bo\n\n<!-- Type: person | For: Ann -->\n\n## Facts\n- Rows\n",
        );
        workspace.memory().catch_up();
        let error =
            workspace.memory().graph_merge("person--mira-holt", "person--bo", machine_time()).unwrap_err();
        assert_eq!(error.outcome(), rem_mind::Outcome::Usage);
    }
}

#[test]
fn a_statement_that_another_store_says_is_strengthened_there() {
    for store in [StoreKind::Core, StoreKind::Vault, StoreKind::Semantic] {
        let workspace = Workspace::new();
        let mut found = 0;
        // Where these go by themselves is not where they are put.
        for text in [
            "Mira is a designer",
            "I prefer short answers",
            "always answer in whole sentences",
            "the gate code of the yard is 4711",
        ] {
            let routed = Workspace::new();
            let home = remember(&routed, None, text).path.unwrap();
            let known = remember(&workspace, Some(store), text);
            let again = remember(&workspace, None, &format!("{}!", text.to_uppercase()));
            if Some(&home) == known.path.as_ref() || home.as_str().contains("episodes") {
                assert!(!again.elsewhere, "{text}: {again:?}");
                continue;
            }
            found += 1;
            assert_eq!(
                (again.effect, again.elsewhere, &again.id),
                (Effect::Merged, true, &known.id),
                "{text} in {store:?}"
            );
            assert_eq!(again.path, known.path);
            let pages = workspace.files().into_iter().filter(|(path, _)| path.ends_with(".md"));
            let said: usize = pages
                .map(|(_, bytes)| String::from_utf8_lossy(&bytes).to_lowercase())
                .map(|page| page.matches(&format!("- {}", text.to_lowercase())).count())
                .sum();
            assert_eq!(said, 1, "{text} in {store:?}");
        }
        assert!(found > 0, "{store:?}");
        workspace.assert_well();
    }
}

#[test]
fn a_fact_of_an_entity_is_known_to_the_other_stores() {
    let workspace = Workspace::new();
    workspace.write(
        OTHER,
        "# person--mira\n\n<!-- Type: person | Label: Mira -->\n\n## Facts\n- Mira prefers short answers\n",
    );
    workspace.memory().catch_up();
    workspace.memory().index(false, machine_time(), &mut |_| {}).unwrap();
    let routed = remember(&Workspace::new(), None, "Mira prefers short answers").path.unwrap();
    let again = remember(&workspace, None, "Mira prefers short answers.");
    assert_eq!(
        (again.effect, again.id.as_str()),
        (Effect::Merged, "entity:person--mira"),
        "goes to {routed}"
    );
    assert!(workspace.text(OTHER).contains("mentions:2"), "{}", workspace.text(OTHER));
}

#[test]
fn what_is_merely_like_something_elsewhere_is_remembered() {
    let workspace = Workspace::new();
    for text in [
        "I prefer short answers in the morning",
        "Always run the linter before pushing",
        "The deploy port is 8080",
        "I like walnut bread",
    ] {
        remember(&workspace, Some(StoreKind::Vault), text);
    }
    for text in [
        "I prefer long answers in the morning",
        "I prefer short answers",
        "Never run the linter before pushing",
        "The deploy port is 8081",
        "I don't like walnut bread",
    ] {
        let outcome = remember(&workspace, None, text);
        assert!(!outcome.elsewhere, "{text}: {outcome:?}");
    }
    // A store that is named is meant, and what is for somebody is another memory.
    let named = remember(&workspace, Some(StoreKind::Core), "I like walnut bread");
    assert_eq!(
        (named.effect, named.replaced.as_deref()),
        (Effect::Replaced, Some("I don't like walnut bread"))
    );
    let request = RememberRequest {
        text: "Always run the linter before pushing".to_owned(),
        addressees: vec!["Mira".to_owned()],
        ..RememberRequest::default()
    };
    assert!(!workspace.memory().remember(&request).unwrap().elsewhere);
}

#[test]
fn what_takes_the_place_of_something_in_its_own_store_goes_there() {
    let workspace = Workspace::new();
    remember(&workspace, Some(StoreKind::Core), "I prefer tabs over spaces");
    remember(&workspace, Some(StoreKind::Vault), "I prefer spaces over tabs");
    let outcome = remember(&workspace, None, "I prefer spaces over tabs");
    assert_eq!(outcome.path.as_ref().map(|path| path.as_str()), Some("MEMORY.md"), "{outcome:?}");
    assert_eq!((outcome.effect, outcome.elsewhere), (Effect::Replaced, false));
}

#[test]
fn processes_that_hear_the_same_at_once_strengthen_one_memory() {
    let workspace = Workspace::new();
    remember(&workspace, Some(StoreKind::Vault), "I prefer short answers");
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                let request = RememberRequest {
                    text: "I prefer short answers".to_owned(),
                    ..RememberRequest::default()
                };
                workspace.open().remember(&request).unwrap()
            });
        }
    });
    assert!(workspace.text("memory/vault/pinned.md").contains("mentions:5"));
    assert!(!workspace.text("MEMORY.md").contains("short answers"));
}
