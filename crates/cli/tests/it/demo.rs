//! The demonstration, and the issue's own two: a newcomer's first commands.

use serde_json::Value;

use crate::support::{Scene, text};

/// What the model would see: the part of the demo between its two headings.
fn shown_context(page: &str) -> &str {
    let begin = page.find("\n4. ").unwrap();
    let end = page.find("\n5. ").unwrap();
    &page[begin..end]
}

#[test]
fn the_demo_shows_the_later_decision_and_not_the_one_it_replaced() {
    let scene = Scene::empty();
    let page = scene.done(&["demo"]);
    let context = shown_context(&page);
    assert!(context.to_lowercase().contains("postgres"), "{context}");
    assert!(!context.contains("We decided to use SQLite"), "{context}");
    assert!(page.contains("all is well") && page.contains("Timings:"), "{page}");
    assert!(page.contains("rem init") && page.contains("import auto"), "what to type next: {page}");
    assert!(std::fs::read_dir(scene.folder()).unwrap().next().is_none(), "it leaves nothing behind");
}

#[test]
fn the_demo_answers_in_json_too() {
    let scene = Scene::empty();
    let answer: Value = scene.json(&["demo"]);
    assert_eq!(answer["well"], true);
    assert_eq!(answer["import"]["new_sessions"], 3);
    assert!(answer["context"]["text"].as_str().unwrap().to_lowercase().contains("postgres"));
    assert!(answer["context"]["tokens"].as_u64().unwrap() <= answer["context"]["budget"].as_u64().unwrap());
    let superseded = answer["context"]["slots"].as_array().unwrap().iter().flat_map(|slot| {
        slot["dropped"].as_array().unwrap().iter().filter_map(|dropped| dropped["why"].as_str())
    });
    assert!(
        superseded.clone().any(|why| why.starts_with("superseded")),
        "the receipt says what was replaced"
    );
    assert!(answer["timings_ms"]["total"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_demo_takes_a_question_of_ones_own_and_keeps_its_workspace_on_request() {
    let scene = Scene::empty();
    let kept = scene.root();
    let page = scene.done(&["demo", "How do I deploy?", "--keep", kept.to_str().unwrap()]);
    assert!(page.contains("3. A question: How do I deploy?") && page.contains(kept.to_str().unwrap()));
    assert!(scene.done(&["verify"]).contains("All is well"));
    assert!(!rem_testkit::files(&kept).keys().any(|path| path.ends_with(".jsonl")));
}

#[test]
fn after_a_night_the_demo_remembers_what_a_stranger_would_and_nothing_else() {
    let scene = Scene::empty();
    let kept = scene.root();
    for command in [&["demo", "--keep", kept.to_str().unwrap()][..], &["jobs", "run", "nightly"]] {
        let mut command = scene.rem(command);
        assert!(command.env("REM_NOW", "2026-02-12T08:00:00Z").output().unwrap().status.success());
    }
    let core = scene.read("MEMORY.md");
    assert!(core.contains("\n- I prefer short answers") && core.matches("\n- ").count() == 2, "{core}");
    // What holds, and not what was given up for it.
    assert!(core.contains("switching from SQLite to Postgres") && !core.contains("to use SQLite"), "{core}");
    let deploy = scene.read("memory/procedures/how-to-deploy-harbor.md");
    assert!(deploy.contains("\n7. Open `/health` and wait for the word `ok`\n"), "{deploy}");
    let kept: Vec<String> = rem_testkit::files(&kept)
        .into_keys()
        .filter(|path| {
            ["memory/episodes/", "memory/graph/entities/", "memory/procedures/", "memory/reference/"]
                .iter()
                .any(|folder| path.starts_with(folder))
        })
        .collect();
    assert_eq!(
        kept,
        [
            "memory/episodes/2026-01-12.md",
            "memory/episodes/2026-01-29.md",
            "memory/graph/entities/tool--postgres.md",
            "memory/procedures/how-to-deploy-harbor.md",
            "memory/procedures/if-health-doesn-t-say-ok-within-five-minutes.md",
            "memory/reference/facts.md",
        ]
    );
    assert!(
        scene.read("memory/reference/facts.md").contains("\n- The staging server is called harbor-stage-2 ")
    );
}

#[test]
fn whenever_the_demo_is_shown_what_it_tells_is_of_late() {
    let scene = Scene::empty();
    let kept = scene.root();
    for command in [&["demo", "--keep", kept.to_str().unwrap()][..], &["jobs", "run", "nightly"]] {
        let mut command = scene.rem(command);
        assert!(command.env_remove("REM_NOW").output().unwrap().status.success());
    }
    let core = scene.read("MEMORY.md");
    assert!(
        core.contains("\n- I prefer short answers") && core.contains("switching from SQLite to Postgres"),
        "{core}"
    );
    assert_eq!(core.matches("\n- ").count(), 2, "{core}");
    let files: Vec<String> = rem_testkit::files(&kept).into_keys().collect();
    assert!(
        !files.iter().any(|path| path.starts_with("memory/archive/") || path.starts_with("Archive/")),
        "{files:?}"
    );
    let days: Vec<&String> = files.iter().filter(|path| path.starts_with("memory/20")).collect();
    assert_eq!(days.len(), 3, "{files:?}");
    // Each line leads to its conversation, and is of one message or of near ones.
    let pages: String = days.iter().map(|day| scene.read(day)).collect();
    let lines: Vec<&str> = pages.lines().filter(|line| line.starts_with("- ")).collect();
    assert!(lines.iter().all(|line| line.contains("[[raw/conversations/")), "{pages}");
    assert!(
        !lines.iter().any(|line| line.contains("sailing club") && line.contains("slot of two hours")),
        "{pages}"
    );
    assert!(!lines.iter().any(|line| line.contains("SQLite") && line.contains("harbor-stage-2")), "{pages}");
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[test]
fn a_session_of_the_samples_goes_in_is_found_and_all_is_well() {
    let Some(samples) = rem_testkit::samples() else { return };
    let scene = Scene::new();
    let file = samples.join("agent-sessions/claude/small.jsonl");
    let said = scene.done(&["import", "auto", file.to_str().unwrap()]);
    assert!(said.contains("1 new sessions"), "{said}");
    let answer = scene.json(&["recall", "list", "files"]);
    let results = answer["results"].as_array().unwrap();
    assert!(results.iter().any(|hit| hit["category"] == "conversation"), "{answer}");
    assert!(scene.done(&["recall", "list files"]).contains("raw/conversations/2025/12/16/"));
    assert!(scene.done(&["verify"]).contains("All is well"));
    let again = scene.json(&["import", "claude-code", file.to_str().unwrap()]);
    assert_eq!((&again["turns_added"], &again["unchanged_sessions"]), (&0.into(), &1.into()));
    let wrong = scene.run(&["import", "auto", samples.join("qmd/search-output.json").to_str().unwrap()]);
    assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong.stderr));
}
