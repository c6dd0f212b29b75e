//! `rem projects`, `people`, `procedures` and `journal`, as they are typed.

use crate::support::Scene;

#[test]
fn a_project_is_added_noted_shown_and_closed() {
    let scene = Scene::new();
    assert!(scene.done(&["projects", "list"]).contains("rem projects add"));
    let told = scene.done(&["projects", "add", "Harbor Atlas", "--about", "A map of the coast"]);
    assert!(told.starts_with("Added harbor-atlas: memory/projects/harbor-atlas/context.md  ("), "{told}");
    assert!(scene.done(&["projects", "add", "harbor-atlas"]).contains("is there and goes on"));
    scene.done(&["projects", "note", "harbor-atlas", "--done", "drew the north shore"]);
    scene.done(&["projects", "note", "harbor-atlas", "tides are from 2019"]);
    let shown = scene.done(&["projects", "show", "harbor-atlas"]);
    assert!(shown.starts_with("harbor-atlas  active  entity:project--harbor-atlas\n"), "{shown}");
    assert!(shown.contains("- drew the north shore") && shown.contains("- tides are from 2019"), "{shown}");
    assert_eq!(scene.done(&["projects", "list"]), "harbor-atlas — A map of the coast\n");
    assert!(scene.done(&["context", "--preset", "compiler"]).contains("**harbor-atlas**"));
    scene.done(&["projects", "close", "harbor-atlas"]);
    assert_eq!(scene.json(&["projects", "list"]), serde_json::json!([]));
    let all = scene.json(&["projects", "list", "--all"]);
    assert_eq!((&all[0]["status"], &all[0]["listed"]), (&"closed".into(), &false.into()), "{all}");
    assert_eq!(scene.json(&["projects", "show", "harbor-atlas"])["pages"].as_array().unwrap().len(), 3);
    let both = scene.run(&["projects", "note", "harbor-atlas", "--done", "--next", "x"]);
    assert_eq!(both.status.code(), Some(2));
    let (code, said) = scene.failed(&["projects", "show", "nothing"]);
    assert!(code == 2 && said.contains("rem projects list --all"), "{said}");
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[test]
fn people_procedures_and_days_are_listed_and_shown() {
    let scene = Scene::new();
    scene.done(&["remember", "--store", "semantic", "Mira lives in Lyon"]);
    scene.write("memory/people/mira.md", "# Mira\n\nLikes lists.\n");
    assert!(
        scene
            .done(&["people", "list"])
            .starts_with("Mira  memory/graph/entities/person--mira.md, memory/people/mira.md")
    );
    let shown = scene.done(&["people", "show", "mira"]);
    assert!(shown.contains("- Mira lives in Lyon") && shown.contains("Likes lists."), "{shown}");
    assert_eq!(scene.json(&["people", "show", "Mira"])["entity"]["entity"]["id"], "person--mira");
    assert_eq!(scene.failed(&["people", "show", "Bo"]).0, 2);

    scene.done(&["remember", "--store", "procedural", "How to deploy: run the tests; tag it"]);
    assert!(scene.done(&["procedures", "list"]).starts_with("how-to-deploy  2 steps  last used 2026-03-01"));
    assert!(
        scene.done(&["procedures", "show", "how", "to", "deploy"]).contains("1. run the tests\n2. tag it\n")
    );
    assert_eq!(scene.json(&["procedures", "list"])[0]["id"], "procedure:how-to-deploy");

    assert_eq!(scene.failed(&["journal", "show"]).0, 2);
    let told = scene.done(&["journal", "add", "the sail came", "--topic", "boat"]);
    assert!(told.starts_with("Written to memory/2026-03-01.md  ("), "{told}");
    assert!(scene.done(&["journal", "show", "2026-03-01"]).contains("## boat\n\n- the sail came"));
    assert_eq!(scene.json(&["journal", "list"])[0]["date"], "2026-03-01");
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[test]
fn topics_are_listed_checked_and_matched_with_reasons() {
    let scene = Scene::new();
    assert!(scene.done(&["topics", "list"]).contains("docs/topics.md"));
    assert_eq!(scene.json(&["topics", "match", "anything"])["topics"], serde_json::json!([]));
    scene.write(
        "topics/code-review.md",
        "---\npriority: high\ntriggers:\n  - {type: pattern, match: 'PR|pull request|review'}\n  - {type: glob, match: '*.py'}\n---\n\n# Code Review\n\nReviewing a PR: read the diff, look for tests.\n",
    );
    assert_eq!(
        scene.done(&["topics", "list"]),
        "code-review  [high, gated]  Reviewing a PR: read the diff, look for tests.\n"
    );
    let told = scene.done(&["topics", "match", "Can you review the PR that just came in?"]);
    assert!(told.starts_with("code-review  ACTIVE: it is sure enough to skip the gate\n"), "{told}");
    assert!(told.contains("  trigger   pattern (line 4) \"review\" at 8–14\n"), "{told}");
    assert!(told.contains("  decision  high priority, gated: activated without the gate\n"), "{told}");
    let found = scene.json(&["topics", "match", "that one, please", "--tool-path", "src/a.py"]);
    assert_eq!(found["topics"][0]["matches"][0]["trigger"], "glob", "{found}");
    assert_eq!(
        (&found["topics"][0]["tier1"], &found["topics"][0]["gate"]),
        (&true.into(), &"skipped".into())
    );
    assert!(
        scene.done(&["topics", "match", "--side", "output", "the weather"]).starts_with("None of 1 topics")
    );
    assert!(scene.done(&["topics", "check"]).contains("1 topic can be used, 0 cannot."));

    scene.write("topics/tea.md", "---\nactivation: often\n---\n");
    let output = scene.run(&["topics", "check"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(5));
    assert!(
        said.contains("ERROR topics/tea.md:2: `activation` must be one of auto, gated, manual"),
        "{said}"
    );
    assert!(scene.done(&["topics", "list"]).starts_with("code-review"), "the others stay");
}

#[test]
fn the_gates_model_is_asked_when_somebody_says_so() {
    let server = rem_testkit::Server::new(|_, _| Some(rem_testkit::Reply::said("NO")));
    let scene = Scene::new();
    scene.write(
        "topics/review.md",
        "---\nactivation: gated\ntriggers:\n  - {type: keywords, words: [review]}\n---\n\n# Review\n\nReviewing a change: read the diff.\n",
    );
    scene.done(&["config", "set", "topics.gate_provider", "ollama"]);
    scene.done(&["config", "set", "topics.gate_url", &server.url]);
    let message = ["topics", "match", "Can you review this change and its diff?"];
    assert!(scene.done(&message).contains("answered by topics.gate_default (there is no model to ask)"));
    assert!(server.requests().is_empty());
    let told = scene.done(&[&message[..], &["--ask"]].concat());
    assert!(told.contains("the gate says no, answered by ollama:llama3.2"), "{told}");
    assert!(scene.done(&[&message[..], &["--ask"]].concat()).contains("answered by cache"));
    assert_eq!(server.requests().len(), 1);
    assert_eq!(scene.done(&["topics", "log"]).trim(), "No decision yet.", "explaining decides nothing");
}

#[test]
fn decisions_over_topics_are_listed_and_a_topic_is_activated_by_hand() {
    let scene = Scene::new();
    scene.write("topics/notes.md", "---\nactivation: manual\n---\n# Release notes\n");
    assert_eq!(scene.done(&["topics", "log"]).trim(), "No decision yet.");
    assert!(scene.done(&["topics", "tune"]).contains("too little evidence: 0 of 30 decisions"));
    for topic in ["notes", "tea"] {
        let line = format!(
            "{{\"id\":\"{topic}\",\"timestamp\":\"2026-02-01T09:00:00Z\",\"session\":null,\"side\":\"input\",\"message_hash\":\"0\",\"topic_name\":\"{topic}\",\"tier1_matched\":true,\"tier2_score\":0.25,\"threshold\":0.15,\"decision\":\"no\",\"gate_result\":false,\"by\":\"cache\",\"was_useful\":null}}\n"
        );
        let log = std::fs::read_to_string(scene.root().join(".rem/gate-log.jsonl")).unwrap_or_default();
        scene.write(".rem/gate-log.jsonl", log + &line);
    }
    assert_eq!(
        scene.done(&["topics", "log", "--tail", "1"]),
        "2026-02-01T09:00:00Z  tea  trigger, likeness 0.250 (from 0.15): the gate says no (cache)\n"
    );
    let listed = scene.json(&["topics", "log", "--topic", "notes"]);
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["topic_name"]), (1, &"notes".into()));
    let tuned = scene.json(&["topics", "tune", "--apply"]);
    assert_eq!((&tuned["decisions"], &tuned["change"]), (&2.into(), &serde_json::Value::Null));

    assert_eq!(
        scene.done(&["topics", "activate", "notes", "--session", "s"]).trim(),
        "notes is active for the next message of session s."
    );
    let (code, said) = scene.failed(&["topics", "activate", "nowhere"]);
    assert!(code == 2 && said.contains("there is no topic"), "{code}: {said}");
}
