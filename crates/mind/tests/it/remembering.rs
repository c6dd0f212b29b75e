//! What is told is kept where it belongs, once, and what it replaces stays readable.

use rem_format::entity::Entity;
use rem_format::episode;
use rem_format::page::Page;
use rem_mind::recall::{Include, Query};
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_testkit::{Workspace, machine_time};

fn remember(workspace: &Workspace, store: StoreKind, text: &str) -> RememberOutcome {
    let request = RememberRequest { text: text.to_owned(), store: Some(store), ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap()
}

fn page(workspace: &Workspace, path: &str) -> Page {
    Page::parse(&workspace.read(path).unwrap()).unwrap()
}

#[test]
fn what_is_said_twice_is_kept_once_and_surer() {
    let workspace = Workspace::new();
    let first = remember(&workspace, StoreKind::Core, "I am allergic to penicillin");
    assert_eq!(first.effect, Effect::Added);
    let again = remember(&workspace, StoreKind::Core, "I'm allergic to penicillin!");
    assert_eq!((again.effect, &again.id), (Effect::Merged, &first.id));
    let page = page(&workspace, "MEMORY.md");
    assert_eq!(page.items().len(), 1);
    let item = &page.items()[0];
    assert_eq!(item.text, "I am allergic to penicillin");
    assert_eq!(
        (item.annotation.get("mentions"), item.annotation.get("confidence")),
        (Some("2"), Some("1.00"))
    );
}

#[test]
fn a_new_value_takes_the_place_of_the_old_which_stays_readable() {
    let workspace = Workspace::new();
    remember(&workspace, StoreKind::Core, "The release deadline is March 9");
    let changed = remember(&workspace, StoreKind::Core, "The release deadline is March 19");
    assert_eq!(changed.effect, Effect::Replaced);
    assert_eq!(changed.replaced.as_deref(), Some("The release deadline is March 9"));
    let text = String::from_utf8(workspace.read("MEMORY.md").unwrap()).unwrap();
    assert_eq!(text.matches("\n- ").count(), 1, "{text}");
    assert!(text.contains("was:The release deadline is March 9 ("), "{text}");

    remember(&workspace, StoreKind::Semantic, "Mira lives in Bremen");
    let moved = remember(&workspace, StoreKind::Semantic, "Mira lives in Lyon");
    assert_eq!((moved.effect, moved.id.as_str()), (Effect::Replaced, "entity:person--mira"));
    let entity = Entity::parse(&workspace.read("memory/graph/entities/person--mira.md").unwrap()).unwrap();
    let current: Vec<String> =
        entity.facts().into_iter().filter(|fact| fact.ended().is_none()).map(|fact| fact.text).collect();
    assert_eq!(current, ["Mira lives in Lyon"]);
    assert_eq!(entity.facts().len(), 2);
}

#[test]
fn a_full_core_memory_moves_its_least_relevant_entry_and_drops_nothing() {
    let mut workspace = Workspace::new();
    for (key, value) in [("core.line_warning", "20"), ("core.line_cap", "24")] {
        workspace.set(key, value);
    }
    let things = [
        "harbor", "violin", "tomato", "glacier", "ledger", "saddle", "comet", "walnut", "anchor", "teapot",
        "cactus", "beacon",
    ];
    let mut demoted = Vec::new();
    for thing in things {
        demoted.extend(remember(&workspace, StoreKind::Core, &format!("Interested in the {thing}")).demoted);
    }
    let core = page(&workspace, "MEMORY.md");
    assert!(core.as_str().lines().count() <= 24);
    assert!(!demoted.is_empty());
    let archive = page(&workspace, "memory/reference/core-memory.md");
    assert_eq!(archive.items().len(), demoted.len());
    assert_eq!(core.items().len() + archive.items().len(), things.len());
    let log = workspace.text("COMPACTION_LOG.md");
    let went = log.matches("- MEMORY.md → memory/reference/core-memory.md | 1 line | core:");
    assert_eq!(went.count(), demoted.len(), "{log}");
    assert!(log.contains(", made room | `rem rollback file MEMORY.md --to "), "{log}");
}

#[test]
fn a_hand_made_page_keeps_every_byte() {
    let workspace = Workspace::new();
    let mine = "# Core Memory\r\n\r\n## Persona\r\n\r\n*\tlikes tabs\r\n\r\n| a | b |\r\n";
    std::fs::write(workspace.root().join("MEMORY.md"), mine).unwrap();
    workspace.memory().catch_up();
    remember(&workspace, StoreKind::Core, "I prefer short answers");
    let now = String::from_utf8(workspace.read("MEMORY.md").unwrap()).unwrap();
    let added: Vec<&str> = now.lines().filter(|line| !mine.contains(line.trim_end())).collect();
    assert_eq!(added.len(), 1, "{now:?}");
    assert!(added[0].starts_with("*\tI prefer short answers <!-- id:"), "{now:?}");
    assert_eq!(now.replace(&format!("{}\r\n", added[0].trim_end()), ""), mine);
}

#[test]
fn episodes_are_only_ever_added_and_the_same_is_not_said_twice() {
    let workspace = Workspace::new();
    let one = remember(&workspace, StoreKind::Episodic, "Moved the database to Postgres 17");
    let two = remember(&workspace, StoreKind::Episodic, "Met the harbor master");
    let same = remember(&workspace, StoreKind::Episodic, "Met the harbor master");
    assert_eq!(two.id, format!("{}#2", one.id));
    assert_eq!((same.effect, same.id, same.change.as_str()), (Effect::Nothing, two.id, ""));
    let (placed, errors) = episode::parse(&workspace.read(one.path.unwrap().as_str()).unwrap());
    assert_eq!((placed.len(), errors.len()), (2, 0));
}

#[test]
fn an_episode_that_is_rewritten_by_hand_is_an_alert_and_one_that_is_added_is_none() {
    let workspace = Workspace::new();
    let one = remember(&workspace, StoreKind::Episodic, "Moved the database to Postgres 17");
    let path = one.path.unwrap();
    let before = workspace.text(path.as_str());
    workspace.write(path.as_str(), format!("{before}\n## 12:00 | event\nAdded by hand.\n"));
    workspace.memory().catch_up();
    assert_eq!(workspace.memory().status().unwrap().pending.alerts, 0);
    let staged = [(path.clone(), Some(before.replace("17", "16").into_bytes()))];
    let check = workspace.memory().check_commit(&staged);
    assert!(check.errors.is_empty() && check.warnings[0].contains("only ever added to"), "{check:?}");
    workspace.write(path.as_str(), workspace.text(path.as_str()).replace("Postgres 17", "Postgres 16"));
    workspace.memory().catch_up();
    assert_eq!(workspace.memory().status().unwrap().pending.alerts, 1);
    // It is still added to afterwards, and taking out for good raises nothing further.
    let two = remember(&workspace, StoreKind::Episodic, "Met the harbor master");
    workspace.memory().forget(&[two.id], true).unwrap();
    assert_eq!(workspace.memory().status().unwrap().pending.alerts, 1);
    workspace.assert_well();
}

#[test]
fn names_that_differ_in_case_or_normal_form_alone_are_one_entity() {
    let workspace = Workspace::new();
    for text in ["Jos\u{e9} uses Helix", "JOSE\u{301} uses helix", "🚀 uses Rust"] {
        assert_ne!(remember(&workspace, StoreKind::Semantic, text).effect, Effect::Nothing);
    }
    let entities: Vec<(String, Vec<u8>)> =
        workspace.files().into_iter().filter(|(path, _)| path.contains("graph/entities/")).collect();
    let jose: Vec<&(String, Vec<u8>)> =
        entities.iter().filter(|(path, _)| path.contains("--jos\u{e9}.md")).collect();
    assert_eq!(jose.len(), 1, "{entities:?}");
    assert_eq!(Entity::parse(&jose[0].1).unwrap().edges().len(), 1);
    assert_eq!(entities.iter().filter(|(path, _)| path.contains("--helix.md")).count(), 1);
}

#[test]
fn an_entity_whose_header_a_person_broke_still_takes_what_is_told() {
    let workspace = Workspace::new();
    let broken = "<!-- Type: person | Created\nno title here\n- a note\n";
    let path = "memory/graph/entities/person--bo.md";
    std::fs::create_dir_all(workspace.root().join("memory/graph/entities")).unwrap();
    std::fs::write(workspace.root().join(path), broken).unwrap();
    workspace.memory().catch_up();
    let request = RememberRequest {
        text: "Bo uses Rust".to_owned(),
        store: Some(StoreKind::Semantic),
        ..RememberRequest::default()
    };
    match workspace.memory().remember(&request) {
        Ok(outcome) => assert_eq!(outcome.id, "entity:person--bo"),
        Err(error) => assert!(error.to_string().contains("person--bo"), "{error}"),
    }
    let now = String::from_utf8(workspace.read(path).unwrap()).unwrap();
    assert!(now.contains("no title here\n- a note\n"), "{now}");
}

#[test]
fn nothing_and_too_much_are_refused_with_a_next_step() {
    let workspace = Workspace::new();
    for text in [String::new(), "  \n".to_owned(), "x".repeat(9_000)] {
        let error =
            workspace.memory().remember(&RememberRequest { text, ..RememberRequest::default() }).unwrap_err();
        assert_eq!(error.outcome(), rem_mind::Outcome::Usage);
        assert!(error.hint().is_some());
    }
}

#[test]
fn a_memory_is_shown_by_its_id_and_a_pin_outlives_pruning() {
    let mut workspace = Workspace::new();
    for (key, value) in [("core.line_warning", "18"), ("core.line_cap", "20")] {
        workspace.set(key, value);
    }
    let first = remember(&workspace, StoreKind::Core, "Interested in the harbor");
    assert!(!workspace.memory().show(&first.id).unwrap().pinned);
    let change = workspace.memory().pin(&first.id, true).unwrap().change;
    assert!(!change.is_empty());
    assert_eq!(workspace.memory().pin(&first.id, true).unwrap().change, "");
    for thing in ["violin", "tomato", "glacier", "ledger", "saddle", "comet", "walnut", "anchor"] {
        remember(&workspace, StoreKind::Core, &format!("Interested in the {thing}"));
    }
    let shown = workspace.memory().show(&first.id).unwrap();
    assert!(shown.pinned && shown.text.starts_with("- Interested in the harbor <!-- id:"), "{shown:?}");

    let episode = remember(&workspace, StoreKind::Episodic, "Met the harbor master");
    assert!(workspace.memory().show(&episode.id).unwrap().text.ends_with("Met the harbor master"));
    assert!(workspace.memory().pin(&episode.id, true).is_err());
    let entity = remember(&workspace, StoreKind::Semantic, "Mira uses Helix");
    workspace.memory().pin(&entity.id, true).unwrap();
    assert!(workspace.memory().show(&entity.id).unwrap().pinned);
    let lines = workspace.memory().show("passage:MEMORY.md:1-1").unwrap();
    assert_eq!(lines.text, "# Core Memory");
    for wrong in [
        "core:zzz",
        "entity:../../etc--passwd",
        "nothing",
        "episode:2026-02-02:09:00",
        "passage:MEMORY.md:0-3",
        "passage:MEMORY.md:900-901",
    ] {
        let error = workspace.memory().show(wrong).unwrap_err();
        assert_eq!(error.outcome(), rem_mind::Outcome::Usage, "{wrong}");
    }
}

#[test]
fn what_is_forgotten_leaves_searches_and_is_still_there() {
    let workspace = Workspace::new();
    let entry = remember(&workspace, StoreKind::Core, "Prefers the harbor office on Mondays");
    let entity = remember(&workspace, StoreKind::Semantic, "Harbormaster uses Sextant");
    let episode = remember(&workspace, StoreKind::Episodic, "Painted the harbor gate");
    let found = |with_archived: bool| -> Vec<String> {
        let query = Query {
            include: Include { archived: with_archived, ..Include::default() },
            min_score: 0.0,
            ..workspace.memory().query("harbor harbormaster sextant")
        };
        let answer = workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap();
        answer.results.iter().map(|hit| format!("{} {}", hit.path, hit.status)).collect()
    };
    let candidates = workspace.memory().forget_candidates("harbor", machine_time()).unwrap();
    let ids: Vec<&str> = candidates.iter().map(|candidate| candidate.id.as_str()).collect();
    assert!(ids.contains(&entry.id.as_str()) && ids.contains(&episode.id.as_str()), "{ids:?}");
    assert_eq!(workspace.memory().forget_candidates("zeppelin", machine_time()).unwrap(), []);

    let forgotten =
        workspace.memory().forget(&[entry.id.clone(), entity.id.clone(), entry.id.clone()], false).unwrap();
    assert_eq!(forgotten.forgotten.len(), 2);
    assert!(!workspace.text("MEMORY.md").contains("harbor office"));
    let archive = workspace.text("memory/archive/forgotten.md");
    assert!(
        archive.contains("Prefers the harbor office on Mondays <!-- id:")
            && archive.contains("from:MEMORY.md"),
        "{archive}"
    );
    let file = format!("memory/graph/entities/{}.md", entity.id.trim_start_matches("entity:"));
    assert!(workspace.text(&file).contains("Status: archived"));
    let now = found(false);
    assert!(
        !now.iter()
            .any(|hit| hit.contains("forgotten.md")
                || hit.contains("graph/entities") && hit.contains("harbor")),
        "{now:?}"
    );
    let all = found(true);
    assert!(all.iter().any(|hit| hit == "memory/archive/forgotten.md archived"), "{all:?}");

    let error = workspace.memory().forget(std::slice::from_ref(&episode.id), false).unwrap_err();
    assert!(error.hint().unwrap().contains("--permanent"));
    workspace.memory().forget(&[episode.id.clone(), entity.id.clone()], true).unwrap();
    assert!(!workspace.text(episode.path.as_ref().unwrap().as_str()).contains("Painted"));
    assert!(workspace.memory().show(&entity.id).is_err());
    assert!(workspace.memory().forget(&["core:nope".to_owned()], false).is_err());
    assert!(workspace.memory().forget(&[], false).is_err());
    workspace.assert_well();
}

#[test]
fn the_graph_answers_for_now_and_for_then() {
    let workspace = Workspace::new();
    remember(&workspace, StoreKind::Semantic, "Mira lives in Bremen");
    workspace.advance(jiff::SignedDuration::from_hours(24 * 40));
    remember(&workspace, StoreKind::Semantic, "Mira lives in Lyon");
    remember(&workspace, StoreKind::Semantic, "Bo uses Helix");
    let show = |name: &str, at: Option<jiff::civil::Date>| {
        workspace.memory().graph_show(name, at, 2, machine_time()).unwrap()
    };
    let told = |shown: rem_mind::stores::EntityShown| {
        let facts: Vec<String> = shown.facts.into_iter().map(|fact| fact.text).collect();
        let relations: Vec<String> = shown
            .relations
            .into_iter()
            .map(|relation| format!("{} {}", relation.relation, relation.other))
            .collect();
        (facts.join("; "), relations.join("; "))
    };
    let now = show("mira", None);
    let id = now.entity.id.clone();
    let (facts, relations) = told(now);
    assert_eq!(facts, "Mira lives in Lyon");
    assert!(
        relations.starts_with("lives-in ") && relations.contains("lyon") && !relations.contains("bremen"),
        "{relations}"
    );
    let day =
        workspace.now().to_zoned(jiff::tz::TimeZone::UTC).date().saturating_sub(jiff::Span::new().days(10));
    let (facts, relations) = told(show(&id, Some(day)));
    assert_eq!(facts, "Mira lives in Bremen");
    assert!(relations.contains("bremen") && !relations.contains("lyon"), "{relations}");

    let (_, relations) = told(show("helix", None));
    assert!(relations.starts_with("used-by "), "{relations}");
    assert!(workspace.memory().graph_show("zeppelin", None, 1, machine_time()).is_err());
}

#[test]
fn verification_names_links_that_lead_nowhere_and_entries_that_cannot_be_read() {
    let workspace = Workspace::new();
    let mira = remember(&workspace, StoreKind::Semantic, "Mira uses Helix").id.replace("entity:", "");
    let notes = "# N\n\n[[MIRA]] and [[reference/notes#top|here]], [[notes]]\n\n[[gone--thing]]\n\n```sh\nif [[ -f x ]]; then [[ y ]]\n```\n`[[code]]`\n";
    workspace.write("memory/reference/notes.md", notes.replace("MIRA", &mira));
    workspace.write("memory/episodes/2026-02-02.md", "# D\n\n## 09:00 | party\nx\n");
    workspace.memory().catch_up();
    let report = workspace.memory().verify().unwrap();
    let said: Vec<String> =
        report.findings.iter().map(|finding| format!("{}: {}", finding.check, finding.message)).collect();
    let links: Vec<&String> = said.iter().filter(|said| said.starts_with("links")).collect();
    // A path is from the workspace's root.
    assert_eq!(
        links,
        ["links: [[gone--thing]] leads nowhere", "links: [[reference/notes]] leads nowhere"],
        "{said:?}"
    );
    assert!(said.iter().any(|said| said.contains("line 3") && said.contains("type of episode")), "{said:?}");
}

#[test]
fn promotion_moves_what_should_last_and_loses_not_a_word() {
    let workspace = Workspace::at("2026-03-05T09:00:00Z");
    let day =
        "# 2026-03-04\n\n## Pricing\nWe decided and confirmed: $12 a month, margin 40 %.\n\n## Lunch\nsoup\n";
    workspace.write("memory/2026-03-04.md", day);
    workspace.write("memory/2026-01-01.md", "# D\n\n## Old\ndecided confirmed approved ★\n");
    // The same heading stands in the target with something else below it: nothing is dropped.
    workspace.write("MEMORY.md", "# Core Memory\n\n## Pricing\nby hand\n");
    workspace.memory().catch_up();
    let candidates = workspace.memory().promotion_candidates(7, 0.4).unwrap();
    let sections: Vec<&str> = candidates.iter().map(|candidate| candidate.section.as_str()).collect();
    assert_eq!(sections, ["Pricing"]);
    let outcome = workspace.memory().promote(&candidates, None).unwrap();
    assert_eq!(outcome.results[0].target.as_str(), "MEMORY.md");
    assert_eq!(workspace.text("memory/2026-03-04.md"), "# 2026-03-04\n\n## Lunch\nsoup\n");
    assert_eq!(
        workspace.text("MEMORY.md"),
        "# Core Memory\n\n## Pricing\nby hand\n\n## Pricing\nWe decided and confirmed: $12 a month, margin 40 %.\n"
    );
    assert_eq!(workspace.memory().promotion_candidates(7, 0.4).unwrap(), []);
    // What changed since it was looked at is not touched.
    assert!(workspace.memory().promote(&candidates, None).is_err());
    assert_eq!(workspace.text("memory/2026-03-04.md"), "# 2026-03-04\n\n## Lunch\nsoup\n");

    workspace.write("memory/legal.md", "# Legal\n");
    workspace.write("memory/2026-03-05.md", "# D\n\n## 상표\n상표 출원, trademark filed, patent pending\n");
    workspace.memory().catch_up();
    let candidates = workspace.memory().promotion_candidates(7, 0.4).unwrap();
    let outcome = workspace.memory().promote(&candidates, None).unwrap();
    assert_eq!(outcome.results[0].target.as_str(), "memory/legal.md");
    workspace.assert_well();
}

#[test]
fn what_happened_ends_what_it_contradicts_in_the_same_change() {
    let workspace = Workspace::new();
    remember(&workspace, StoreKind::Semantic, "Mira lives in Bremen");
    let moved = remember(&workspace, StoreKind::Episodic, "Mira moved to Lyon");
    assert!(moved.id.starts_with("episode:"));
    assert_eq!(moved.replaced.as_deref(), Some("Mira lives in Bremen"));
    let shown = workspace.memory().graph_show("Mira", None, 1, machine_time()).unwrap();
    let facts: Vec<&str> = shown.facts.iter().map(|fact| fact.text.as_str()).collect();
    assert_eq!(facts, ["Mira moved to Lyon"]);
    let met = remember(&workspace, StoreKind::Episodic, "Met Mira at the harbor");
    assert_eq!((met.replaced, met.linked.len()), (None, 1));
    assert!(
        !shown.relations.iter().any(|relation| relation.other.contains("bremen")),
        "{:?}",
        shown.relations
    );
    workspace.assert_well();
}

#[test]
fn two_that_are_one_are_proposed_and_merged_without_losing_a_word() {
    let workspace = Workspace::new();
    let entity = |id: &str, label: &str, rest: &str| {
        workspace.write(
            &format!("memory/graph/entities/{id}.md"),
            format!("# {id}\n\n<!-- Type: concept | Label: {label} -->\n\n## Summary\nsaid of {label}\n\n## Facts\n{rest}"),
        );
    };
    entity(
        "concept--oauth-pkce",
        "OAuth PKCE",
        "- used by the app\n- needs no secret\n\n## Relations\n- part-of: [[concept--login]]\n",
    );
    entity("concept--oauth2-pkce-flow", "OAuth2 PKCE flow", "- used by the app\n");
    entity("concept--login", "Login", "- x\n\n## Relations\n- uses: [[concept--oauth-pkce|PKCE]]\n");
    workspace.memory().catch_up();
    let pairs = workspace.memory().graph_duplicates(machine_time()).unwrap();
    let ids: Vec<(&str, &str)> =
        pairs.iter().map(|pair| (pair.keep.id.as_str(), pair.other.id.as_str())).collect();
    assert_eq!(ids, [("concept--oauth2-pkce-flow", "concept--oauth-pkce")]);
    workspace.memory().graph_merge(ids[0].0, ids[0].1, machine_time()).unwrap();
    let kept = workspace.text("memory/graph/entities/concept--oauth2-pkce-flow.md");
    assert!(kept.contains("- needs no secret") && kept.matches("used by the app").count() == 1, "{kept}");
    assert!(kept.contains("part-of: [[concept--login]]") && kept.contains("OAuth PKCE"), "{kept}");
    let gone = workspace.text("memory/graph/entities/concept--oauth-pkce.md");
    assert!(
        gone.contains("said of OAuth PKCE") && gone.contains("Merged into: concept--oauth2-pkce-flow"),
        "{gone}"
    );
    assert!(
        workspace
            .text("memory/graph/entities/concept--login.md")
            .contains("uses: [[concept--oauth2-pkce-flow|PKCE]]")
    );
    let shown = workspace.memory().graph_show("OAuth PKCE", None, 1, machine_time()).unwrap();
    assert_eq!(shown.entity.id, "concept--oauth2-pkce-flow");
    assert_eq!(workspace.memory().graph_duplicates(machine_time()).unwrap(), []);
    assert!(workspace.memory().graph_merge("concept--login", "concept--login", machine_time()).is_err());
    let graph = workspace.memory().graph(machine_time()).unwrap();
    assert_eq!((graph.nodes.len(), graph.edges.len()), (2, 2));
    workspace.assert_well();
}

#[test]
fn what_is_remembered_is_in_the_index_at_once_whatever_became_of_the_index() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    memory.index(false, machine_time(), &mut |_| {}).unwrap();
    let database = workspace.root().join("memory.db");
    // Asked as it stands, without looking at the files.
    let asked = |words: &str| {
        let index = rem_mind::recall::Index::open(&database, 400).unwrap();
        let query = Query { text: words.to_owned(), min_score: 0.0, ..Query::default() };
        index.search(&query, None).unwrap().results.iter().any(|hit| hit.text.contains(words))
    };
    for store in StoreKind::ALL {
        remember(&workspace, store, &format!("The {} harbor opens", store.as_str()));
        assert!(asked(&format!("{} harbor", store.as_str())), "{store:?}");
    }
    // Deleted while the process runs: nothing is made for a single change, and the next search has all.
    #[allow(clippy::disallowed_methods, reason = "the index may be deleted at any time")]
    for name in ["memory.db", "memory.db-wal", "memory.db-shm"] {
        std::fs::remove_file(workspace.root().join(name)).ok();
    }
    remember(&workspace, StoreKind::Core, "The walnut harbor closes");
    assert!(!asked("walnut harbor"));
    let found = memory.recall(&memory.query("walnut harbor"), machine_time(), &mut |_| {}).unwrap();
    assert!(found.results.iter().any(|hit| hit.text.contains("walnut harbor")), "{found:?}");
    remember(&workspace, StoreKind::Core, "The pepper harbor sleeps");
    assert!(asked("pepper harbor") && asked("walnut harbor"));
}
