//! `rem trust`, `rem usage` and what the surroundings say of proxies.

use rem_testkit::{Reply, Server};

use crate::support::{Scene, text};

/// A workspace whose gate is at this address, with a key in a variable.
fn scene(url: &str) -> Scene {
    let scene = Scene::new();
    scene.write(
        "topics/deploy.md",
        "---\nsimilarity_threshold: 0\npriority: medium\ndescription: About shipping.\ntriggers:\n  - {type: keywords, words: [deploy]}\n---\n# D\n",
    );
    scene.done(&["config", "set", "topics.medium_gate_score", "0"]);
    scene.done(&["config", "set", "topics.gate_provider", "openai"]);
    scene.done(&["config", "set", "topics.gate_url", url]);
    scene.done(&["config", "set", "topics.gate_api_key_variable", "GATE_KEY"]);
    scene
}

fn ask(scene: &Scene, words: &str) -> String {
    let output = scene
        .rem(&["--json", "topics", "match", "--ask", words])
        .env("GATE_KEY", "nobody-sees")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_person_allows_what_they_see_until_it_changes() {
    let server = Server::new(|_, _| Some(Reply::said_for("NO", 200, 1)));
    let scene = scene(&server.url);
    assert!(ask(&scene, "deploy one").contains("rem trust"));
    let shown = scene.done(&["trust", "--show"]);
    assert!(
        shown.contains(&format!("topics.gate_url: \"{}\"", server.url)) && shown.contains("Not trusted"),
        "{shown}"
    );
    let (code, why) = scene.failed(&["trust"]);
    assert!(code == 2 && why.contains("--yes"), "without a terminal nobody is asked: {why}");
    assert!(scene.done(&["status"]).contains("Trust      CONFIG.md wants what nobody allowed"));
    assert_eq!(scene.json(&["status"])["trusted"], false);
    assert!(scene.done(&["trust", "--yes"]).contains("is trusted with that"));
    let record = std::fs::read_dir(scene.folder().join(".local/state/rem/trusted")).unwrap().count();
    assert_eq!((record, scene.git(&["status", "--porcelain", "--", "CONFIG.md"]).as_str()), (1, ""));
    assert!(!ask(&scene, "deploy one").contains("rem trust"));
    assert_eq!(server.requests()[0].authorization.as_deref(), Some("Bearer nobody-sees"));
    assert!(scene.done(&["trust"]).contains("Trusted since 2026-03-01T09:00:00Z"), "again is no question");
    scene.done(&["config", "set", "topics.gate_url", &format!("{}/other", server.url)]);
    let stopped = ask(&scene, "deploy two");
    assert!(stopped.contains("topics.gate_url changed"), "{stopped}");
    let trust = scene.json(&["trust", "--show"]);
    assert_eq!((&trust["trusted"], &trust["changed"][0]), (&false.into(), &"topics.gate_url".into()));
    assert!(scene.done(&["trust", "--show"]).contains("(changed)"));
    assert_eq!(server.requests().len(), 1);
    scene.done(&["trust", "--yes"]);
    ask(&scene, "deploy two");
    assert_eq!(server.requests().len(), 2);
    assert!(scene.done(&["trust", "--revoke"]).contains("no longer trusted"));
    assert!(ask(&scene, "deploy three").contains("rem trust"));
    let variable = scene.rem(&["trust", "--show"]).env("REM_TRUST_PROVIDERS", "1").output().unwrap();
    assert!(text(&variable.stdout).contains("REM_TRUST_PROVIDERS=1 allows everything"));
}

#[test]
fn a_workspace_that_wants_nothing_needs_no_trust_and_a_sub_agent_gives_none() {
    let scene = Scene::new();
    assert!(scene.done(&["trust"]).contains("wants nothing that needs trust"));
    assert_eq!(scene.json(&["status"])["trusted"], serde_json::Value::Null);
    scene.done(&["config", "set", "models.provider", "anthropic"]);
    let sub = scene.rem(&["trust", "--yes"]).env("REM_ROLE", "sub").output().unwrap();
    assert_eq!(sub.status.code(), Some(7));
    assert!(
        scene
            .done(&["status"])
            .contains("Models     rules alone: CONFIG.md would send texts to the provider")
    );
    scene.done(&["trust", "--yes"]);
    assert!(scene.done(&["status"]).contains("the variable ANTHROPIC_API_KEY"));
    let named = scene.rem(&["status"]).env("ANTHROPIC_API_KEY", "nobody-sees").output().unwrap();
    let out = text(&named.stdout);
    assert!(
        out.contains("Models     anthropic:claude-haiku-4-5, anthropic:claude-sonnet-4-5 for writing"),
        "{out}"
    );
}

#[test]
fn usage_adds_up_what_was_asked() {
    let server = Server::new(|_, _| Some(Reply::said_for("NO", 2_000_000, 1)));
    let scene = scene(&server.url);
    assert!(scene.done(&["usage"]).contains("No model was asked from 2026-03-01 to 2026-03-01"));
    scene.done(&["trust", "--yes"]);
    ask(&scene, "deploy one");
    let usage = scene.json(&["usage"]);
    let row = &usage["rows"][0];
    assert_eq!(
        (&row["key"], &row["calls"], &row["input_tokens"]),
        (&"topic-gate".into(), &1.into(), &2_000_000.into())
    );
    assert!((usage["total"]["cost_usd"].as_f64().unwrap() - 0.300_000_6).abs() < 1e-9, "{usage}");
    assert_eq!(usage["caps"][0]["setting"], "spending.daily_cap_usd");
    let table = scene.done(&["usage", "--by", "model", "--since", "2026-01-01"]);
    for part in ["openai:gpt-4o-mini", "0.300001", "total", "spending.daily_cap_usd: 0.300001 of 1 spent"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert_eq!(scene.json(&["usage", "--since", "2026-03-02"])["rows"], serde_json::json!([]));
    assert_eq!(scene.failed(&["usage", "--since", "yesterday"]).0, 2);
    scene.done(&["config", "set", "topics.gate_model", "unheard-of"]);
    scene.done(&["config", "set", "topics.gate_url", "http://models.invalid"]);
    scene.done(&["config", "set", "topics.gate_api_key_variable", ""]);
    scene.done(&["trust", "--yes"]);
    let mut command = scene.rem(&["--json", "topics", "match", "--ask", "deploy two"]);
    command.env("http_proxy", &server.url);
    assert!(command.output().unwrap().status.success());
    assert_eq!(server.requests()[1].through.as_deref(), Some("models.invalid:80"), "the surroundings' proxy");
    let table = scene.done(&["usage", "--by", "model"]);
    assert!(table.contains("unknown") && table.contains("spending.prices"), "{table}");
}

#[test]
fn doctor_asks_the_models_and_says_who_answers() {
    let server = Server::new(|_, request| {
        Some(match request.body["model"].as_str() {
            Some("good") => Reply::said_for(r#"{"animal": "heron"}"#, 80, 8),
            Some("wrong") => Reply::said(r#"{"animal": "cup"}"#),
            _ => Reply::status(404, "no such model"),
        })
    });
    let scene = Scene::new();
    let (code, why) = scene.failed(&["doctor", "--models"]);
    assert!(code == 6 && why.contains("docs/models.md"), "{why}");
    scene.done(&["config", "set", "models.provider", "ollama"]);
    scene.done(&["config", "set", "models.url", &server.url]);
    scene.done(&["config", "set", "models.cheap", "good"]);
    scene.done(&["config", "set", "models.strong", "good"]);
    assert!(scene.done(&["doctor", "--models"]).contains("model    strong: ollama:good answered in"));
    assert_eq!(scene.json(&["usage"])["rows"][0]["key"], "check-model");
    for (model, reason) in [("wrong", "it answered, and wrongly"), ("none", "status 404")] {
        scene.done(&["config", "set", "models.strong", model]);
        let output = scene.run(&["doctor", "--models"]);
        let out = text(&output.stdout);
        assert!(output.status.code() == Some(6) && out.contains(reason), "{out}");
        assert!(out.contains("model    cheap: ollama:good answered"), "{out}");
    }
}
