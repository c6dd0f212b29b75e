//! How commands fail: the exit code says which kind, standard error says what, why and what next.

use std::process::Stdio;

use serde_json::Value;

use crate::support::{Scene, text};

#[test]
fn each_kind_of_failure_has_its_exit_code_and_a_hint() {
    let scene = Scene::new();
    let (code, said) = scene.failed(&["config", "get", "search.min_scor"]);
    assert_eq!(code, 2);
    assert!(said.contains("search.min_score"), "{said}");
    let (code, said) = scene.failed(&["config", "set", "search.min_scor", "0.2"]);
    assert_eq!(code, 2);
    assert!(said.contains("search.min_score"), "{said}");
    assert_eq!(scene.failed(&["config", "set", "search.min_score", "-4"]).0, 2);
    assert_eq!(scene.failed(&["capture", "end", "--session", "nobody"]).0, 2);
    assert_eq!(scene.failed(&["history", "at", "HEAD", "../outside.md"]).0, 2);
    assert_eq!(scene.failed(&["history", "at", "HEAD", "absent.md"]).0, 2);
    assert_eq!(scene.failed(&["rollback", "time", "no-such-moment"]).0, 2);
    assert_eq!(scene.failed(&["init", "--layout", "autopoiesis"]).0, 2);
    assert_eq!(scene.failed(&["audit", "--since", "some day"]).0, 2);

    scene.write("CONFIG.md", "```yaml\nsearch:\n  min_score: much\n```\n");
    for arguments in [&["status"][..], &["config", "check"], &["recall", "x"]] {
        let (code, said) = scene.failed(arguments);
        assert_eq!(code, 3, "{arguments:?}: {said}");
        assert!(said.contains("line 3") && said.contains("hint:"), "{said}");
        assert_eq!(said.matches("cannot be used").count(), 1, "said once: {said}");
    }
    scene.done(&["config", "set", "search.min_score", "0.4"]);
    scene.done(&["config", "check"]);
    for (key, value) in [("timezone", "Mars/Base"), ("server.address", "nonsense"), ("schedule.decay", "")] {
        assert_eq!(scene.failed(&["config", "set", key, value]).0, 2, "{key}");
    }
    scene.done(&["config", "check"]);
}

#[test]
fn filters_of_a_search_that_let_nothing_through_are_mistakes() {
    let scene = Scene::new();
    scene.done(&["remember", "The kestrel nests on the east tower."]);
    for (arguments, hint) in [
        (["--category", "facts"], "reference"),
        (["--scope", "folder:nowhere"], "nowhere"),
        (["--min-score", "7"], "from 0 to 1"),
        (["--limit", "0"], "at least 1"),
        (["--since", "01.11.2026"], "2026-03-01"),
        (["--limt", "3"], "--limt"),
    ] {
        let (code, said) = scene.failed(&[&["recall", "kestrel"][..], &arguments].concat());
        assert_eq!(code, 2, "{arguments:?}: {said}");
        assert!(said.contains(hint), "{arguments:?}: {said}");
        let (code, said) = scene.failed(&[&["recall"][..], &arguments, &["kestrel"]].concat());
        assert_eq!(code, 2, "{arguments:?}: {said}");
    }
    for question in [
        &["recall", "-kestrel"][..],
        &["recall", "--limit", "3", "kestrel", "tower"],
        &["recall", "where", "kestrel", "--limit", "3"],
        &["recall", "--", "--kestrel"],
    ] {
        assert!(scene.done(question).contains("east tower"), "{question:?}");
    }
}

#[test]
fn without_a_workspace_the_way_to_one_is_told() {
    let scene = Scene::empty();
    for arguments in [&["status"][..], &["recall", "x"], &["verify"], &["config", "show"]] {
        let (code, said) = scene.failed(arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(said.contains("rem init"), "{said}");
    }
    let (code, said) = scene.failed(&["-C", "absent", "status"]);
    assert_eq!(code, 2, "{said}");
    assert!(!scene.folder().join("absent").exists(), "looking makes nothing");
}

#[test]
fn a_transcript_that_was_tampered_with_is_an_integrity_error() {
    let scene = Scene::new();
    let path = scene.conversation("s", "The bell rings at six.");
    assert!(scene.done(&["verify"]).contains("All is well"));
    let forged = scene.read(&path).replace("six", "ten");
    std::fs::remove_file(scene.root().join(&path)).unwrap();
    scene.write(&path, forged);
    let output = scene.run(&["verify"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(text(&output.stdout).contains(&path), "{}", text(&output.stdout));
    let output = scene.run(&["--json", "doctor", "--fix"]);
    assert_eq!(output.status.code(), Some(5), "nobody makes it true");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["findings"].as_array().unwrap().iter().any(|finding| finding["path"] == path.as_str()));
}

#[test]
fn a_file_that_somebody_holds_is_waited_for_and_then_left() {
    let scene = Scene::new();
    scene.done(&["config", "set", "locks.max_retries", "1"]);
    scene.done(&["config", "set", "locks.retry_interval_seconds", "0.1"]);
    let lock = "PID: 1\nAGENT: another-program\nTIMESTAMP: 2026-03-01T08:59:00Z\n";
    scene.write("CONFIG.md.lock", lock);
    let output = scene.run(&["config", "set", "search.max_results", "5"]);
    // A lock of another program that still stands is respected.
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("CONFIG.md"), "{}", text(&output.stderr));
    std::fs::remove_file(scene.root().join("CONFIG.md.lock")).unwrap();
    scene.done(&["config", "set", "search.max_results", "5"]);
}

#[test]
fn failures_are_json_when_json_is_asked_for() {
    let scene = Scene::new();
    let output = scene.run(&["--json", "config", "get", "nonsense.key"]);
    assert!(output.stdout.is_empty());
    let said: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert!(said["error"]["message"].as_str().unwrap().contains("nonsense.key"));
    assert!(said["error"]["causes"].is_array() && said["error"]["hint"].is_string());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let scene = Scene::new();
    for arguments in
        [&["config", "show"][..], &["man"], &["--json", "status"], &["completions", "bash"], &["--help"]]
    {
        let mut child = scene.rem(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
    }
}

#[test]
fn a_workspace_cannot_send_texts_to_another_machine_or_name_a_key_by_itself() {
    let scene = Scene::new();
    scene.write("memory/reference/note.md", "the quiet harbor\n");
    for (url, key) in [("https://provider.invalid/v1", ""), ("http://127.0.0.1:9/v1", "HOME")] {
        scene.done(&["config", "set", "embeddings.provider", "openai"]);
        scene.done(&["config", "set", "embeddings.model", "any"]);
        scene.done(&["config", "set", "embeddings.url", url]);
        scene.done(&["config", "set", "embeddings.api_key_variable", key]);
        let answer = scene.json(&["recall", "harbor"]);
        let notice = answer["freshness"]["embedder_notice"].as_str().unwrap();
        assert!(
            notice.contains("REM_TRUST_PROVIDERS=1") && notice.contains("the built-in model answered"),
            "{notice}"
        );
        assert_eq!(answer["results"][0]["path"], "memory/reference/note.md");
    }
}

#[test]
fn a_sub_agent_is_refused_with_code_7_and_asks_freely() {
    let scene = Scene::new();
    let sub = |arguments: &[&str]| scene.rem(arguments).env("REM_ROLE", "sub").output().unwrap();
    let refused = sub(&["--agent", "scout", "remember", "I prefer tea"]);
    assert_eq!(refused.status.code(), Some(7));
    let said = text(&refused.stderr);
    assert!(said.contains("scout") && said.contains("sub-agent") && said.contains("hint:"), "{said}");
    assert_eq!(sub(&["init", "elsewhere"]).status.code(), Some(7));
    assert!(sub(&["recall", "tea"]).status.success());
    let unknown = scene.rem(&["status"]).env("REM_ROLE", "boss").output().unwrap();
    assert_eq!(unknown.status.code(), Some(2), "{}", text(&unknown.stderr));
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_ends_no_command_with_a_panic() {
    let scene = Scene::new();
    // A finding, so that there is an error to say, and a warning at the start.
    let run = |arguments: &[&str]| {
        let mut command = scene.rem(arguments);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        command.stderr(writer.try_clone().unwrap()).stdout(writer);
        command.status().unwrap().code()
    };
    scene.write("memory/episodes/2026-03-01.md", "# Day\n");
    assert_eq!(run(&["verify"]), Some(0));
    assert_eq!(run(&["show", "nothing:there"]), Some(2));
    scene.write(".git/HEAD", "nonsense\n");
    assert_ne!(run(&["verify"]), Some(101));
    assert_ne!(run(&["-v", "status"]), Some(101));
}
