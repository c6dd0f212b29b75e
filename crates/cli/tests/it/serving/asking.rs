//! What the server answers.

use serde_json::{Value, json};

use super::server::{Server, until};
use crate::support::Scene;

#[test]
fn what_is_remembered_over_http_is_found_there_and_by_the_command() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    let kept = server.done("remember", &json!({"text": "Mira Holt keeps the boat in the shed in winter"}));
    assert_eq!(kept["effect"], "added");
    let found = server.done("search", &json!({"query": "where is the boat in winter"}));
    assert!(found["results"][0]["snippet"].as_str().unwrap().contains("shed"), "{found}");
    let id = kept["id"].as_str().unwrap();
    assert!(server.done("get", &json!({"id": id}))["text"].as_str().unwrap().contains("shed"));
    assert!(scene.done(&["recall", "boat in winter"]).contains("shed"));
    let audited = server.done("audit", &json!({"tail": 5}));
    assert!(audited.to_string().contains("bot:"), "{audited}");
}

#[test]
fn a_session_is_captured_and_observed() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    server.done("capture/start", &json!({"session": "s-1", "channel": "web", "topic": "Boats"}));
    server.done("capture/message", &json!({"session": "s-1", "role": "user", "text": "Der Kahn heißt Möwe"}));
    server.done(
        "capture/tool",
        &json!({"session": "s-1", "name": "exec", "summary": "ls", "result": "3 files"}),
    );
    server.done(
        "capture/memory",
        &json!({"session": "s-1", "action": "updated", "path": "MEMORY.md", "summary": "the boat"}),
    );
    let observed =
        server.done("observe", &json!({"session": "s-1", "text": "How is the boat called, 기억해?"}));
    assert_eq!(observed["session"], "s-1");
    let ended = server.done("capture/end", &json!({"session": "s-1", "tags": ["boat"]}));
    let path = ended["files"][0]["path"].as_str().unwrap();
    let transcript = scene.read(path);
    for part in ["Der Kahn heißt Möwe", "> [tool:exec] ls → 3 files", "How is the boat called, 기억해?"]
    {
        assert!(transcript.contains(part), "{part} is not in {transcript}");
    }
    let again = server.call("capture/message", &json!({"session": "s-1", "role": "robot", "text": "x"}));
    assert!(
        (again.status, again.message().contains("`role` must be one of user, agent, system")) == (400, true)
    );
}

#[test]
fn a_sub_agents_token_reads_and_changes_nothing() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    server.done("remember", &json!({"text": "The release is on Friday"}));
    let scout = scene.json(&["serve", "token", "new", "scout", "--role", "sub"]);
    let scout = scout["token"].as_str().unwrap();
    assert_eq!(server.call_as(scout, "search", &json!({"query": "release"})).status, 200);
    for (path, arguments) in [
        ("remember", json!({"text": "The release is on Monday"})),
        ("forget", json!({"question": "release"})),
        ("pin", json!({"id": "core:x"})),
        ("jobs/run", json!({"job": "decay"})),
        ("capture/message", json!({"session": "s", "role": "user", "text": "hello"})),
    ] {
        let reply = server.call_as(scout, path, &arguments);
        assert_eq!(
            (reply.status, reply.json()["error"]["outcome"].clone()),
            (403, json!("refused")),
            "{path}"
        );
    }
    // A token that is taken away is refused by the server that runs.
    scene.done(&["serve", "token", "remove", "scout"]);
    assert_eq!(server.call_as(scout, "search", &json!({"query": "release"})).status, 401);
}

#[test]
fn a_webhook_makes_its_topics_active_for_the_next_message() {
    let scene = Scene::new();
    scene.write(
        "topics/mail.md",
        "---\ndescription: Mail that comes in\ntriggers:\n  - type: webhook\n    source: email\n    event: new_message\npriority: high\n---\n\n# Mail\n\n## Instructions\n\nSort it first.\n",
    );
    let server = Server::over(&scene);
    let head = |path: &str| {
        format!("POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}", server.address, server.token)
    };
    let reply = server.request(&head("/webhook/email?event=new_message"), b"");
    assert_eq!(
        (reply.status, reply.json()),
        (200, json!({"topics": ["mail"]})),
        "{}",
        scene.done(&["topics", "check"])
    );
    assert_eq!(server.request(&head("/webhook/email?event=deleted"), b"").json(), json!({"topics": []}));
    assert_eq!(server.request(&head("/webhook/email"), b"").status, 400);
    let observed = server.done("observe", &json!({"session": "s-1", "text": "good morning"}));
    assert!(observed["context"]["text"].as_str().unwrap().contains("Sort it first."), "{observed}");
}

#[test]
fn what_there_is_is_described_and_counted() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    let document = server.get("/api/v1/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    for (path, item) in paths.iter().filter(|(path, _)| path.starts_with("/api/v1/")) {
        // Each is there, and says itself that it takes no such argument.
        let reply = server.call(path.trim_start_matches("/api/v1/"), &json!({"no such argument": 1}));
        assert_eq!(reply.status, 400, "{path}: {reply:?}");
        assert!(item["post"]["responses"]["400"].is_object());
    }
    server.done("status", &json!({}));
    let counted = server.get("/metrics");
    assert!(
        counted.text.contains("rem_requests_total{operation=\"status\",status=\"200\"} 1"),
        "{counted:?}"
    );
    assert_eq!(server.get("/api/v1/nothing").status, 404);
    assert_eq!(server.get("/api/v1/search").status, 405);
}

#[test]
fn an_mcp_client_is_served_at_mcp() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    let post = |session: &str, message: &Value| {
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream{session}",
            server.address, server.token
        );
        server.request(&head, message.to_string().as_bytes())
    };
    let hello = post(
        "",
        &json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}}),
    );
    assert!(hello.text.contains("\"remembrancer\""), "{hello:?}");
    let id = hello.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
    let session = format!("\r\nMcp-Session-Id: {id}\r\nMCP-Protocol-Version: 2025-06-18");
    let told = post(&session, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(told.status, 202, "{told:?}");
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "memory_remember", "arguments": {"text": "The boat is called Möwe"}}});
    let kept = post(&session, &call);
    assert!(kept.text.contains("\"effect\":\"added\""), "{kept:?}");
}

#[test]
fn what_changes_outside_is_taken_in_without_being_asked() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    server.done("status", &json!({}));
    scene.write("memory/reference/harbour.md", "# Harbour\n\nThe harbour master is called Ines.\n");
    until("it is committed", || {
        scene.git(&["log", "--format=%an %s", "--", "memory/reference/harbour.md"]).lines().count() == 1
    });
}

#[test]
fn a_job_that_was_missed_is_run_when_the_server_starts() {
    let scene = Scene::new();
    scene.done(&["jobs", "run", "--due"]);
    let mut command = scene.rem(&["--json", "serve", "--addr", "127.0.0.1:0"]);
    command.env("REM_NOW", "2026-03-09T12:00:00Z");
    let server = Server::started(command);
    assert!(server.token.starts_with("rem_"), "the first start makes a token");
    until("the week is tagged", || !scene.git(&["tag", "--list", "memory/weekly/*"]).is_empty());
    // What it did is written down after it was done.
    until("the run is remembered", || {
        let jobs = server.done("jobs", &json!({}));
        jobs["runs"].as_array().unwrap().iter().any(|run| run["job"] == "weekly-tag")
    });
    assert!(server.get("/metrics").text.contains("job=\"weekly-tag\",outcome=\"done\""));
}
