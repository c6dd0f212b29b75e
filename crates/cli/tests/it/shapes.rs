//! The JSON that other programs read: keys and types as the interfaces promise them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::Scene;

/// Fails unless `value` is an object that has these keys with values of these kinds: `string`, `number`, `list`,
/// `object`, `bool`, `null`, or several with `|` between them.
fn assert_shape(value: &Value, keys: &[(&str, &str)]) {
    let object = value.as_object().unwrap_or_else(|| panic!("no object: {value}"));
    for (key, kinds) in keys {
        let found = object.get(*key).unwrap_or_else(|| panic!("{key} is missing in {value}"));
        let kind = match found {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "list",
            Value::Object(_) => "object",
        };
        assert!(kinds.split('|').any(|wanted| wanted == kind), "{key} is a {kind}, not a {kinds}");
    }
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn lived_in() -> Scene {
    let scene = Scene::new();
    scene.write("SOUL.md", "# Soul\n\nI keep watch.\n");
    scene.write(
        "memory/graph/entities/project--atlas.md",
        "---\ntype: project\n---\n\n# Atlas\n\nMaps of the old town.\n",
    );
    scene.conversation("s", "The atlas shows the old town.");
    scene
}

#[test]
fn status_has_its_shape() {
    let status = lived_in().json(&["status"]);
    assert_shape(
        &status,
        &[
            ("tiers", "object"),
            ("stores", "object"),
            ("decay", "object"),
            ("pending", "object"),
            ("index", "object"),
            ("git", "object"),
            ("last_jobs", "object"),
            ("transcripts", "object"),
        ],
    );
    assert_eq!(keys(&status["tiers"]), BTreeSet::from(["T0", "T1", "T2", "T3"]));
    assert_eq!(keys(&status["decay"]), BTreeSet::from(["active", "fading", "dormant", "archived"]));
    assert_shape(
        &status["pending"],
        &[("reflection", "bool"), ("proposals", "number"), ("identity", "number"), ("alerts", "number")],
    );
    assert_eq!(status["pending"]["alerts"], 1, "SOUL.md was changed by hand");
    assert_eq!((&status["transcripts"]["closed"], &status["transcripts"]["open"]), (&1.into(), &0.into()));
    assert_shape(&status["git"], &[("head", "string"), ("branch", "string"), ("uncommitted", "number")]);
}

#[test]
fn recall_has_its_shape_and_a_stable_order() {
    let scene = lived_in();
    let answer = scene.json(&["recall", "atlas", "old", "town", "--min-score", "0"]);
    assert_shape(&answer, &[("mode", "string"), ("results", "list"), ("freshness", "object")]);
    assert_shape(
        &answer["freshness"],
        &[
            ("generation", "number"),
            ("files_changed_since", "number"),
            ("embedder", "string|null"),
            ("dimensions", "number|null"),
            ("refreshed_ms", "number"),
            ("skipped", "list"),
        ],
    );
    let results = answer["results"].as_array().unwrap();
    assert!(results.len() >= 2, "{answer}");
    for hit in results {
        assert_shape(
            hit,
            &[
                ("id", "string|null"),
                ("path", "string"),
                ("start_line", "number"),
                ("end_line", "number"),
                ("category", "string"),
                ("date", "string|null"),
                ("score", "number"),
                ("snippet", "string"),
                ("status", "string"),
                ("tier", "string"),
                ("explain", "object"),
            ],
        );
        assert_shape(
            &hit["explain"],
            &[
                ("bm25", "number"),
                ("vector", "number|null"),
                ("date_weight", "number"),
                ("relevance", "number"),
                ("boosts", "list"),
            ],
        );
        assert!((0.0..=1.0).contains(&hit["score"].as_f64().unwrap()));
        assert!(hit.get("text").is_none(), "the snippet is enough");
    }
    let entity = results.iter().find(|hit| hit["category"] == "entity").unwrap();
    assert_eq!(entity["id"], "entity:project--atlas");
    let again = scene.json(&["search", "atlas", "old", "town", "--min-score", "0"]);
    assert_eq!(again["results"], answer["results"]);
    let one = scene.json(&["recall", "atlas", "--category", "conversation", "--limit", "1"]);
    assert_eq!(one["results"].as_array().unwrap().len(), 1);
    assert_eq!(one["results"][0]["category"], "conversation");
    let none = scene.json(&["recall", "xylophone"]);
    assert_eq!(none["results"], serde_json::json!([]), "no result is no error");
}

#[test]
fn a_receipt_is_replayed_byte_for_byte() {
    let scene = lived_in();
    let file = scene.folder().join("receipt.json");
    let file = file.to_str().unwrap();
    let context = scene.done(&["context", "atlas", "--receipt", file, "--session", "s1"]);
    scene.done(&["config", "set", "search.max_results", "3"]);
    assert_eq!(scene.done(&["context", "replay", file]), context);
    let json = scene.json(&["context", "replay", file]);
    assert_eq!(json["text"].as_str().unwrap().trim_end(), context.trim_end());
    let (code, error) = scene.failed(&["context", "replay", "CONFIG.md"]);
    assert!(code == 1 && error.contains("CONFIG.md"), "{code}: {error}");
}

#[test]
fn observing_has_its_shape_and_captures() {
    let scene = lived_in();
    let observed = scene.json(&["observe", "--session", "o1", "Remember that the atlas has 40 maps."]);
    assert_shape(
        &observed,
        &[
            ("session", "string"),
            ("triage", "object"),
            ("topics", "list"),
            ("hints", "list"),
            ("context", "object"),
            ("milliseconds", "number"),
        ],
    );
    assert_eq!(observed["triage"]["memory"].as_array().unwrap().len(), 1, "{observed}");
    let answer = scene.json(&["observe", "--session", "o1", "--role", "agent", "Noted."]);
    assert!(answer["context"].is_null());
    assert!(scene.done(&["recall", "how many maps has the atlas"]).contains("40 maps"));
    let (code, _) = scene.failed(&["observe", "no session"]);
    assert_eq!(code, 2);
}

#[test]
fn context_has_its_shape() {
    let scene = lived_in();
    let context = scene.json(&["context", "atlas", "--budget", "900"]);
    assert_shape(
        &context,
        &[
            ("tokens", "number"),
            ("budget", "number"),
            ("slots", "list"),
            ("text", "string"),
            ("timings_ms", "object"),
        ],
    );
    assert_eq!(context["budget"], 900);
    for slot in context["slots"].as_array().unwrap() {
        assert_shape(
            slot,
            &[
                ("name", "string"),
                ("priority", "number"),
                ("budget", "number"),
                ("used", "number"),
                ("items", "list"),
                ("dropped", "list"),
            ],
        );
        for item in slot["items"].as_array().unwrap() {
            assert_shape(
                item,
                &[
                    ("path", "string"),
                    ("start_line", "number"),
                    ("end_line", "number"),
                    ("tokens", "number"),
                    ("why", "string"),
                ],
            );
        }
        for dropped in slot["dropped"].as_array().unwrap() {
            assert_shape(dropped, &[("path", "string"), ("tokens", "number"), ("why", "string")]);
        }
    }
    let by_format: Value =
        serde_json::from_str(&scene.done(&["context", "atlas", "--budget", "900", "--format", "json"]))
            .unwrap();
    assert_eq!(by_format["text"], context["text"]);
    assert_eq!(
        scene.done(&["context", "atlas", "--budget", "900"]).trim_end(),
        context["text"].as_str().unwrap().trim_end()
    );
    let shared = scene.done(&["context", "atlas", "--kind", "shared", "--preset", "v4.1"]);
    assert!(shared.contains("I keep watch."), "{shared}");
}

#[test]
fn what_changes_something_tells_its_change() {
    let scene = lived_in();
    let set = scene.json(&["config", "set", "search.max_results", "9"]);
    assert_shape(&set, &[("change", "string"), ("commit", "string|null"), ("files", "list")]);
    assert_eq!(scene.json(&["config", "get", "search.max_results"])["value"], 9);
    assert_eq!(scene.json(&["config", "show", "--changed"]), serde_json::json!({"search.max_results": 9}));
    let captured = scene.json(&["capture", "message", "--session", "t", "--role", "agent", "Hello."]);
    assert_shape(
        &captured,
        &[("session", "string"), ("path", "string"), ("created", "bool"), ("redacted", "list")],
    );
    let report = scene.json(&["verify"]);
    assert_shape(&report, &[("checks", "list"), ("findings", "list")]);
    let init = scene.json(&["init"]);
    assert_shape(&init, &[("created", "bool"), ("files", "list"), ("commit", "null")]);
    let index = scene.json(&["index", "--force"]);
    assert_shape(&index, &[("indexed", "number"), ("removed", "number"), ("generation", "number")]);
}

#[test]
fn extract_has_its_shape() {
    let scene = lived_in();
    let previews = scene.json(&["extract"]);
    assert_shape(&previews[0], &[("path", "string"), ("extractions", "list")]);
    assert_shape(
        &previews[0]["extractions"][0],
        &[
            ("kind", "string"),
            ("text", "string"),
            ("project", "string|null"),
            ("reason", "string|null"),
            ("person", "string|null"),
            ("tags", "list"),
            ("confidence", "number"),
            ("source", "object"),
            ("further", "list"),
            ("version", "number"),
            ("flagged", "bool"),
        ],
    );
}

#[test]
fn triage_has_its_shape() {
    let scene = lived_in();
    let triage =
        scene.json(&["triage", "Remember that the atlas is in the hall. Actually, it's in the attic."]);
    assert_shape(
        &triage,
        &[
            ("memory", "list"),
            ("recall_failure", "object"),
            ("forget", "list"),
            ("reflection", "list"),
            ("custom", "list"),
            ("question", "list"),
            ("matches", "list"),
        ],
    );
    assert_eq!(triage["memory"][0], "remember that");
    assert_eq!(triage["recall_failure"]["confidence"], "medium");
    assert_shape(
        &triage["matches"][0],
        &[
            ("family", "string"),
            ("pattern", "string"),
            ("text", "string"),
            ("span", "object"),
            ("about", "string"),
        ],
    );
    let nothing = scene.json(&["triage", "Remember that the atlas is in the hall.", "--side", "output"]);
    assert_shape(&nothing, &[("recall_failure", "null"), ("matches", "list")]);
    assert_eq!(nothing["matches"].as_array().map(Vec::len), Some(0));
}

/// The flags of `openclaw memory promote` choose among what `rem promote` finds.
fn promoted_as_openclaw_asks(scene: &Scene) {
    let day = &crate::support::NOW[..10];
    let note =
        "# D\n\n## One\n\nWe decided on oak.\n\n## Two\n\nIMPORTANT: decided, approved, $ 5, patent.\n";
    scene.write(&format!("memory/{day}-promoted.md"), note);
    let sections = |more: &[&str]| -> Vec<String> {
        let answer = scene.json(&[&["memory", "promote"][..], more].concat());
        let all = answer["candidates"].as_array().unwrap();
        all.iter().map(|each| each["section"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(sections(&["--min-score", "0.2"]), ["One", "Two"]);
    assert_eq!(sections(&["--min-score", "0.2", "--limit", "1", "--include-promoted"]), ["Two"]);
    assert_eq!(sections(&["--min-score", "0.75"]), ["Two"]);
    let none: [&str; 0] = [];
    assert_eq!(sections(&["--min-recall-count", "3", "--min-unique-queries", "2"]), none);
    std::fs::remove_file(scene.root().join(format!("memory/{day}-promoted.md"))).unwrap();
}

#[test]
fn the_seeds_command_line_answers_in_its_own_shape() {
    let scene = lived_in();
    let found = scene.json(&["memory", "search", "old town", "--max-results", "1", "--min-score", "0.1"]);
    let results = found["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_shape(
        &results[0],
        &[
            ("path", "string"),
            ("startLine", "number"),
            ("endLine", "number"),
            ("score", "number"),
            ("snippet", "string"),
            ("source", "string"),
            ("citation", "string"),
        ],
    );
    assert_eq!(
        found,
        scene.json(&["memory", "search", "--query", "old town", "--max-results", "1", "--min-score", "0.1"])
    );
    let status = scene.json(&["memory", "status", "--index", "--deep"]);
    let status = &status[0];
    assert_eq!(
        (&status["agentId"], &status["embeddingProbe"]["ok"]),
        (&"main".into(), &true.into()),
        "{status}"
    );
    assert_eq!(status["status"]["files"], status["scan"]["totalFiles"], "{status}");
    assert_eq!(status["status"]["dirty"], false);
    let sessions = &status["status"]["sourceCounts"][1];
    assert_eq!((&sessions["source"], &sessions["files"]), (&"sessions".into(), &1.into()), "{status}");
    let told = scene.done(&["memory", "status"]);
    assert!(told.contains("Soul Memory Tiers:\n  T0 Soul: 2 files\n"), "{told}");
    assert_eq!(scene.json(&["memory", "promote", "--days", "30"]), scene.json(&["promote", "--days", "30"]));
    promoted_as_openclaw_asks(&scene);
    scene.write("memory/2020-02-03.md", "# D\n\nThe mill burned.\n");
    let compacted = scene.json(&["memory", "compact", "--days", "60"]);
    assert_eq!(compacted["archives"][0]["path"], "memory/archive/2020-Q1.md", "{compacted}");
    assert_eq!(scene.json(&["compact", "--granularity", "quarter", "--days", "60"]), compacted);
    let compacted = scene.json(&["compact", "--apply", "--remove"]);
    assert_shape(
        &compacted,
        &[
            ("before", "string"),
            ("archives", "list"),
            ("kept", "list"),
            ("rewritten", "object"),
            ("left", "list"),
            ("applied", "bool"),
            ("removed", "bool"),
            ("change", "string"),
        ],
    );
    let file = &compacted["archives"][0]["files"][0];
    assert_shape(
        file,
        &[("path", "string"), ("date", "string"), ("lines", "number"), ("was_archived", "bool")],
    );
    assert!(scene.done(&["compact"]).contains("can be archived"));
    assert!(scene.json(&["memory", "index", "--force"])["indexed"].as_u64().unwrap() > 2);
    assert_eq!(scene.run(&["memory", "search"]).status.code(), Some(2));
}
