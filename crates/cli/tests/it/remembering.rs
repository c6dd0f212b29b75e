//! `rem remember`, and many of them at once.

use std::collections::BTreeSet;

use rem_format::entity::Entity;
use rem_format::page::Page;

use crate::support::Scene;

#[test]
fn a_statement_is_kept_told_and_found() {
    let scene = Scene::new();
    let told = scene.done(&["remember", "--store", "core", "I am allergic to penicillin"]);
    assert!(told.starts_with("Remembered core:") && told.contains(" in MEMORY.md  ("), "{told}");
    let again = scene.done(&["remember", "--store", "core", "I'm allergic to penicillin"]);
    assert!(again.starts_with("Known already, and surer now: core:"), "{again}");
    assert!(scene.done(&["recall", "which medicine is dangerous: penicillin?"]).contains("MEMORY.md"));
    let json =
        scene.json(&["remember", "--store", "vault", "--tag", "family", "The safe is behind the clock"]);
    assert_eq!(
        (json["effect"].as_str(), json["path"].as_str()),
        (Some("added"), Some("memory/vault/pinned.md"))
    );
    let wrong = scene.run(&["remember", "--store", "attic", "x"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn what_a_session_was_given_is_not_noticed_as_new() {
    let scene = Scene::new();
    let plan = "The staging server is backed up every night at two by a timer";
    scene.done(&["remember", "--store", "core", plan]);
    assert!(scene.done(&["context", "backup", "--session", "s"]).contains(plan));
    let told = scene.done(&["remember", "--detected", "--session", "s", plan]);
    assert_eq!(told.trim(), "Nothing new: the memory handed that out itself.");
    assert_eq!(scene.json(&["remember", "--detected", "--session", "s", plan])["echo"], true);
    let message = format!("* {plan}\n* {plan}\nAnd now?");
    let captured = scene.done(&["capture", "message", "--session", "s", "--role", "user", &message]);
    assert!(captured.contains("left out"), "{captured}");
    let wished = scene.done(&["remember", "--session", "s", plan]);
    assert!(wished.starts_with("Known there already, and surer now: core:"), "a wish is a wish: {wished}");
}

#[test]
fn two_hundred_at_once_from_four_processes_lose_nothing_and_make_nothing_twice() {
    let scene = Scene::new();
    let each = 50;
    std::thread::scope(|threads| {
        for process in 0..4 {
            let scene = &scene;
            threads.spawn(move || {
                for number in 0..each {
                    // Every fifth is the same in all four: one entity, one fact.
                    let (store, text) = match number % 5 {
                        0 => ("semantic", format!("Mira uses Tool{number}")),
                        1 => ("semantic", format!("Person{process}x{number} uses Rust")),
                        2 => ("episodic", format!("Process {process} met visitor {number}")),
                        _ => ("vault", format!("Locker {process} holds parcel {number}")),
                    };
                    scene.done(&["remember", "--store", store, &text]);
                }
            });
        }
    });
    let entities = scene.root().join("memory/graph/entities");
    let names: BTreeSet<String> = std::fs::read_dir(&entities)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    // Mira, ten tools, forty persons, Rust.
    assert_eq!(names.len(), 1 + 10 + 40 + 1, "{names:?}");
    let of_mira: Vec<&String> = names.iter().filter(|name| name.ends_with("--mira.md")).collect();
    assert_eq!(of_mira.len(), 1, "{of_mira:?}");
    let mira = Entity::parse(&std::fs::read(entities.join(of_mira[0])).unwrap()).unwrap();
    assert_eq!((mira.facts().len(), mira.edges().len()), (10, 10));
    for fact in mira.facts() {
        assert_eq!(fact.annotation.get("mentions"), Some("4"), "{}", fact.text);
    }
    let vault = Page::parse(&std::fs::read(scene.root().join("memory/vault/pinned.md")).unwrap()).unwrap();
    assert_eq!(vault.items().len(), 80);
    let ids: BTreeSet<&str> = vault.items().iter().filter_map(|item| item.annotation.get("id")).collect();
    assert_eq!(ids.len(), 80);
    let episodes = std::fs::read(scene.root().join("memory/episodes/2026-03-01.md")).unwrap();
    assert_eq!(rem_format::episode::parse(&episodes).0.len(), 40);
    scene.done(&["verify"]);
}

#[test]
fn the_graph_tells_ways_links_and_its_page_and_a_file_moves_with_its_links() {
    let scene = Scene::new();
    for text in ["Mira uses Helix", "Bo uses Helix"] {
        scene.done(&["remember", "--store", "semantic", text]);
    }
    let way = scene.json(&["graph", "path", "Mira", "Bo"]);
    assert_eq!(way["steps"].as_array().map(Vec::len), Some(2), "{way}");
    assert_eq!(way["steps"][1]["relation"], "used-by", "{way}");
    assert!(scene.done(&["graph", "path", "Mira", "Bo"]).contains("→ used-by: "));
    assert_eq!(scene.run(&["graph", "path", "Mira", "zeppelin"]).status.code(), Some(2));
    assert!(scene.done(&["graph", "path", "Mira", "Bo", "--at", "2020-01-01"]).starts_with("No connection"));

    let page = scene.json(&["graph", "index"]);
    assert_eq!(
        (page["entities"].as_u64(), page["edges"].as_u64(), page["change"].as_str()),
        (Some(3), Some(2), Some(""))
    );
    assert!(scene.done(&["graph", "index"]).ends_with("is up to date: 3 entities, 2 edges\n"));

    scene.write("memory/plan.md", "# Plan\n");
    scene.write("memory/2026-02-01.md", "# D\n\nSee [[plan#Plan|it]].\n");
    let links = scene.json(&["graph", "backlinks", "plan"]);
    assert_eq!(
        (links["links"][0]["path"].as_str(), links["links"][0]["heading"].as_str()),
        (Some("memory/2026-02-01.md"), Some("Plan"))
    );
    assert!(scene.done(&["graph", "backlinks", "plan"]).contains("← memory/2026-02-01.md:3  [[plan#Plan]]"));
    let told = scene.done(&["move", "memory/plan.md", "memory/reference/scheme.md"]);
    assert!(
        told.starts_with("Moved memory/plan.md to memory/reference/scheme.md, and 1 link in 1 file  ("),
        "{told}"
    );
    let note = std::fs::read_to_string(scene.root().join("memory/2026-02-01.md")).unwrap();
    assert_eq!(note, "# D\n\nSee [[scheme#Plan|it]].\n");
    assert_eq!(scene.run(&["move", "memory/plan.md", "memory/x.md"]).status.code(), Some(2));
    assert_eq!(scene.run(&["move", "MEMORY.md", "memory/x.md"]).status.code(), Some(2));
    scene.done(&["verify"]);
}

#[test]
fn what_nobody_uses_fades_and_comes_back_when_asked_for() {
    let scene = Scene::new();
    let at =
        |day: &'static str, rest: &[&'static str]| -> Vec<&'static str> { [&["--now", day], rest].concat() };
    let (then, later) = ("2026-01-01T09:00:00Z", "2026-03-12T09:00:00Z");
    scene.done(&at(then, &["remember", "--store", "semantic", "Harbormaster uses Sextant"]));
    assert!(scene.done(&at(then, &["decay"])).starts_with("2 active, 0 fading, 0 dormant, 0 archived"));
    assert!(scene.done(&at(then, &["recall", "harbormaster"])).contains("entities/"));
    let told = scene.done(&at(later, &["recall", "harbormaster"]));
    assert!(
        told.starts_with("Nothing found.") && told.contains("1 dormant as well: --include dormant"),
        "{told}"
    );
    let told = scene.done(&at(later, &["recall", "harbormaster", "--include", "dormant", "--explain"]));
    assert!(told.contains("[entity, dormant]") && told.contains("× relevance 0."), "{told}");
    let json = scene.json(&at(later, &["decay", "--dry-run"]));
    assert_eq!((json["transitions"].as_array().unwrap().len(), json["change"].as_str()), (2, Some("")));
    assert!(scene.done(&at(later, &["decay"])).contains("active → dormant  entity:"));
    let audit = scene.done(&at(later, &["audit", "--action", "decay"]));
    assert!(
        audit.contains("system:decay") && audit.contains("2 entries transitioned: active→dormant"),
        "{audit}"
    );
    let status = scene.json(&at(later, &["status"]));
    assert_eq!((&status["decay"]["dormant"], &status["decay"]["active"]), (&2.into(), &0.into()));
    let shown = scene.done(&at(later, &["show", "entity:project--harbormaster"]));
    assert!(shown.contains("dormant (0.1") && shown.contains("used once, last on 2026-01-01"), "{shown}");
}

#[test]
fn what_is_for_somebody_is_told_to_them_alone_and_what_is_known_is_not_said_twice() {
    let scene = Scene::new();
    scene.done(&["init"]);
    scene.done(&[
        "remember",
        "--store",
        "vault",
        "--for",
        "Mira",
        "--for",
        "Night Crew",
        "The safe is behind the clock",
    ]);
    scene.done(&["remember", "--store", "semantic", "--for", "Mira", "Zora works at Kestrel"]);
    for command in [&["recall", "safe clock"][..], &["context", "safe clock"]] {
        for (name, is_told) in [("mira", true), ("NIGHT crew", true), ("Bo", false)] {
            let told = scene.done(&[command, &["--for", name]].concat());
            assert_eq!(told.contains("behind the clock"), is_told, "{command:?} for {name}: {told}");
        }
        assert!(scene.done(command).contains("behind the clock"));
    }
    assert!(scene.done(&["graph", "show", "Zora", "--for", "Mira"]).contains("Kestrel"));
    for command in [
        &["show", "entity:person--zora"][..],
        &["people", "show", "Zora"],
        &["graph", "path", "Zora", "Kestrel"],
        &["graph", "backlinks", "Kestrel"],
    ] {
        let asked = |name: &str| scene.run(&[command, &["--for", name]].concat());
        assert!(asked("Mira").status.success(), "{command:?}");
        assert_eq!(asked("Bo").status.code(), Some(2), "{command:?}");
    }
    assert!(scene.done(&["people", "list", "--for", "Mira"]).contains("Zora"));
    assert!(!scene.done(&["people", "list", "--for", "Bo"]).contains("Zora"));
    let refused = scene.run(&["graph", "show", "Zora", "--for", "Bo"]);
    assert_eq!(refused.status.code(), Some(2));
    for command in ["remember", "recall", "context"] {
        let wrong = scene.run(&[command, "x", "--for", " , "]);
        assert_eq!(wrong.status.code(), Some(2), "{command}");
    }

    scene.done(&["remember", "--store", "vault", "I prefer short answers"]);
    let again = scene.done(&["remember", "I prefer short answers"]);
    assert!(again.contains("Known there already") && again.contains("pinned.md"), "{again}");
}
