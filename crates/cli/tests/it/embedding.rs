//! `rem index` and `rem recall` with a provider that CONFIG.md names.

use rem_testkit::Server;
use serde_json::Value;

use crate::support::{Scene, text};

const BUILTIN: &str = "builtin-static-128-3";

/// A workspace with three notes that asks this provider.
fn scene(provider: &str, url: &str) -> Scene {
    let scene = Scene::new();
    scene.write("memory/2026-02-01.md", "# Pottery\n\nThe kiln reaches cone six on Tuesdays.\n");
    scene.write("memory/2026-02-02.md", "# Garden\n\nThe roses want less water.\n");
    scene.write("memory/2026-02-03.md", "# Boat\n\nThe keel is painted red.\n");
    scene.done(&["config", "set", "embeddings.provider", provider]);
    scene.done(&["config", "set", "embeddings.url", url]);
    scene
}

/// JSON and stderr of a command that must succeed, trusted where `trust` says so.
fn said(scene: &Scene, arguments: &[&str], trust: Option<&str>) -> (Value, String) {
    let mut command = scene.rem(&[&["--json"], arguments].concat());
    command.env("PROVIDER_KEY", "a-key-that-nobody-sees");
    if let Some(trust) = trust {
        command.env("REM_TRUST_PROVIDERS", trust);
    }
    let output = command.output().unwrap();
    let (out, notes) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{notes}");
    assert!(!out.contains("nobody-sees") && !notes.contains("nobody-sees"), "{out} {notes}");
    (serde_json::from_str(&out).unwrap(), notes)
}

fn first_path(answer: &Value) -> &str {
    answer["results"][0]["path"].as_str().unwrap()
}

#[test]
fn a_provider_encodes_once_and_answers() {
    let provider = Server::embedding(16);
    let scene = scene("ollama", &provider.url);
    let (index, notes) = said(&scene, &["index"], None);
    let encoding = &index["encoding"];
    assert_eq!(encoding["embedder"], "ollama:bge-m3");
    assert_eq!((&encoding["done"], &encoding["error"]), (&encoding["total"], &Value::Null));
    assert!(encoding["done"].as_u64().unwrap() >= 3, "{index}");
    assert_eq!(notes, "");

    let texts = |from: usize| -> Vec<String> {
        provider.requests()[from..].iter().flat_map(|asked| asked.texts()).collect()
    };
    let kiln = texts(0).iter().filter(|text| text.contains("kiln")).count();
    assert_eq!(kiln, 1, "{:?}", texts(0));
    let before = provider.requests().len();
    let out = scene.done(&["index"]);
    let count = encoding["done"].as_u64().unwrap();
    assert!(out.contains(&format!("{count} of {count} passages encoded by ollama:bge-m3")), "{out}");
    assert_eq!(provider.requests().len(), before, "nothing is sent twice");

    let (answer, notes) = said(&scene, &["recall", "kiln"], None);
    assert!(first_path(&answer).ends_with("2026-02-01.md"), "{answer}");
    assert_eq!(answer["freshness"]["embedder"], "ollama:bge-m3");
    assert_eq!(answer["freshness"]["dimensions"], 16);
    assert_eq!((notes.as_str(), texts(before)), ("", vec!["kiln".to_owned()]));

    scene.write("memory/2026-02-04.md", "# Bees\n\nThe hive swarmed on Friday.\n");
    let before = provider.requests().len();
    let (answer, _) = said(&scene, &["recall", "hive"], None);
    assert!(first_path(&answer).ends_with("2026-02-04.md"), "{answer}");
    assert_eq!(answer["freshness"]["embedder"], "ollama:bge-m3");
    let sent = texts(before);
    assert!(sent.iter().any(|text| text.contains("swarmed")), "a search encodes what is new: {sent:?}");
    assert!(!sent.iter().any(|text| text.contains("kiln")), "and nothing else: {sent:?}");
}

#[test]
fn the_builtin_model_answers_until_everything_is_encoded_and_when_the_provider_is_away() {
    let provider = Server::embedding(16);
    let scene = scene("ollama", &provider.url);
    said(&scene, &["index"], None);
    drop(provider);

    let (answer, notes) = said(&scene, &["recall", "kiln"], None);
    assert!(first_path(&answer).ends_with("2026-02-01.md"), "{answer}");
    assert_eq!(answer["freshness"]["embedder"], BUILTIN);
    let notice = answer["freshness"]["embedder_notice"].as_str().unwrap();
    assert!(notice.contains("ollama:bge-m3 is not reachable at http://127.0.0.1:"), "{notice}");
    assert!(notes.contains(notice), "{notes}");

    scene.write("memory/2026-02-04.md", "# Bees\n\nThe hive swarmed on Friday.\n");
    let (index, notes) = said(&scene, &["index"], None);
    let encoding = &index["encoding"];
    let (done, total) = (encoding["done"].as_u64().unwrap(), encoding["total"].as_u64().unwrap());
    assert!(0 < done && done < total, "what was encoded is kept: {index}");
    assert!(encoding["error"].as_str().unwrap().contains("not reachable"), "{index}");
    assert!(notes.contains("not reachable") && notes.contains("the built-in model answers"), "{notes}");

    let (context, _) = said(&scene, &["context", "kiln"], None);
    assert!(context.to_string().contains("cone six"), "{context}");
}

#[test]
fn another_model_under_the_same_address_is_encoded_anew() {
    let provider = Server::embedding(16);
    let scene = scene("ollama", &provider.url);
    said(&scene, &["index"], None);
    scene.done(&["config", "set", "embeddings.model", "other"]);
    let (index, _) = said(&scene, &["index"], None);
    assert_eq!(index["encoding"]["embedder"], "ollama:other");
    assert_eq!(index["encoding"]["done"], index["encoding"]["total"]);
    let (answer, _) = said(&scene, &["recall", "kiln"], None);
    assert_eq!(answer["freshness"]["embedder"], "ollama:other");
}

#[test]
fn a_key_is_read_where_a_person_allows_it() {
    let provider = Server::embedding(16);
    let scene = scene("openai", &provider.url);
    scene.done(&["config", "set", "embeddings.api_key_variable", "PROVIDER_KEY"]);
    for trust in [None, Some(""), Some("0"), Some("no")] {
        let (index, notes) = said(&scene, &["index"], trust);
        assert!(index["encoding"]["error"].as_str().unwrap().contains("REM_TRUST_PROVIDERS=1"), "{index}");
        assert!(notes.contains("REM_TRUST_PROVIDERS=1"), "{trust:?}: {notes}");
        let (answer, notes) = said(&scene, &["recall", "kiln"], trust);
        assert_eq!(answer["freshness"]["embedder"], BUILTIN);
        assert!(
            notes.contains("REM_TRUST_PROVIDERS=1") && notes.contains("the built-in model answered"),
            "{notes}"
        );
    }
    assert!(provider.requests().is_empty());

    let (index, _) = said(&scene, &["index"], Some("1"));
    assert_eq!(index["encoding"]["done"], index["encoding"]["total"], "{index}");
    let (answer, notes) = said(&scene, &["recall", "kiln"], Some("1"));
    assert_eq!(answer["freshness"]["embedder"], "openai:text-embedding-3-small", "{notes}");
    let asked = provider.requests();
    let bearer = Some("Bearer a-key-that-nobody-sees");
    assert!(!asked.is_empty() && asked.iter().all(|asked| asked.authorization.as_deref() == bearer));
}
