//! What goes wrong: arguments, lines, moments and places. The server answers and goes on.

use std::time::Duration;

use serde_json::json;

use super::client::Client;
use crate::support::Scene;

#[test]
fn wrong_arguments_are_named_with_what_to_do() {
    let scene = Scene::new();
    let mut client = Client::connect(&scene, &[]);
    for (tool, arguments, name) in [
        ("memory_search", json!({}), "`query` is missing"),
        ("memory_search", json!({"query": "  "}), "`query` is empty"),
        ("memory_search", json!({"query": 7}), "`query` must be a text"),
        ("memory_search", json!({"query": "x", "limit": 0}), "`limit`"),
        ("memory_search", json!({"query": "x", "since": "yesterday"}), "`since`"),
        ("memory_search", json!({"query": "x", "scopes": ["nowhere"]}), "`scopes`"),
        ("memory_search", json!({"query": "x", "sinse": "2026-01-01"}), "`sinse`"),
        ("memory_remember", json!({"text": "x", "store": "attic"}), "`store` must be one of"),
        ("memory_get", json!({}), "`id` is missing"),
        ("memory_get", json!({"id": "core:nothing"}), "core:nothing"),
        ("memory_get", json!({"id": "passage:../../etc/passwd:1-9"}), ".."),
        ("memory_forget", json!({}), "`question`"),
        ("memory_forget", json!({"question": "x", "permanent": true}), "`permanent`"),
        ("memory_observe", json!({"text": "x"}), "`session` is missing"),
        ("memory_observe", json!({"text": "x", "session": "s", "role": "boss"}), "`role` must be one of"),
        ("memory_graph", json!({"entity": "x", "hops": 3}), "`hops`"),
        ("memory_graph", json!({"entity": "nobody at all"}), "nobody at all"),
        ("memory_audit", json!({"actions": ["SHOUT"]}), "`actions`"),
        ("memory_audit", json!({"since": "some day"}), "some day"),
        ("memory_status", json!({"verbose": true}), "`verbose`"),
        ("fetch", json!({"id": "nothing"}), "nothing"),
    ] {
        let said = client.failed(tool, arguments);
        assert!(said.contains(name), "{tool}: {name}: {said}");
        assert!(said.starts_with("error: "), "{said}");
    }
    let error = client.request("tools/call", json!({"name": "memory_fly", "arguments": {}}));
    assert_eq!(error["error"]["code"], -32602);
    assert!(error["error"]["message"].as_str().unwrap().contains("memory_search"), "{error}");
    assert_eq!(client.request("memory/fly", json!({}))["error"]["code"], -32601);
    client.leave();
}

#[test]
fn what_comes_before_the_handshake_ends_nothing() {
    let scene = Scene::new();
    let mut client = Client::start(&scene, &[]);
    client.write(b"not JSON at all \xff\xfe");
    client
        .write(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}");
    client.write(b"{\"half\":");
    let refused = client.request("tools/list", json!({}));
    assert!(refused["error"]["code"].is_number(), "{refused}");
    client.notify("notifications/initialized", json!({}));
    assert!(client.request("tools/call", json!({"name": "memory_status"}))["error"].is_object());
    client.shake_hands("2025-11-25");
    client.write(b"\x00\x01\x02 more rubbish");
    client.write(b"[1, 2, 3]");
    client.write(b"{\"jsonrpc\":\"2.0\",\"id\":\"x\"}");
    assert!(client.done("memory_status", json!({})).is_object());
    client.leave();
}

#[test]
fn lines_that_cannot_be_read_are_answered() {
    let scene = Scene::new();
    let mut client = Client::connect(&scene, &[]);
    let deep = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":903,\"method\":\"ping\",\"x\":{}{}}}",
        "[".repeat(500),
        "]".repeat(500)
    );
    let long =
        format!("{{\"jsonrpc\":\"2.0\",\"id\":904,\"method\":\"ping\",\"x\":\"{}\"}}", "x".repeat(17 << 20));
    for (line, id) in [
        ("not JSON at all", None),
        ("{\"jsonrpc\":\"2.0\",\"id\":902,\"method\":\"tools/call\",\"params\":{\"na", Some(902)),
        (deep.as_str(), Some(903)),
        (long.as_str(), Some(904)),
    ] {
        client.write(line.as_bytes());
        let answer = client.message(Duration::from_secs(60)).unwrap();
        assert_eq!(answer["error"]["code"], -32700, "{answer}");
        assert_eq!(answer["id"].as_u64(), id, "{answer}");
        assert!(client.done("memory_status", json!({})).is_object(), "it goes on");
    }
    client.leave();
}

#[test]
fn parameters_that_do_not_fit_are_named() {
    let scene = Scene::new();
    let mut client = Client::connect(&scene, &[]);
    for (method, params, what) in [
        ("tools/call", json!(null), "`name` is missing"),
        ("tools/call", json!({"name": 5}), "`name` must be a text, not a number"),
        (
            "tools/call",
            json!({"name": "memory_status", "arguments": []}),
            "`arguments` must be an object, not a list",
        ),
        ("tools/call", json!([1]), "`params` must be an object, not a list"),
        ("tools/call", json!(7), "`params` must be an object, not a number"),
        ("resources/read", json!({}), "`uri` is missing"),
        ("prompts/get", json!({"name": []}), "`name` must be a text"),
    ] {
        let error = client.request(method, params)["error"].take();
        assert_eq!(error["code"], -32602, "{error}");
        assert!(error["message"].as_str().unwrap().contains(what), "{error}");
    }
    client.leave();
}

#[test]
fn what_is_said_wrongly_is_quoted_in_brief() {
    let scene = Scene::new();
    let mut client = Client::connect(&scene, &[]);
    let long = "core:".to_owned() + &"x".repeat(10_000_000);
    for (tool, arguments) in [
        ("memory_get", json!({"id": long})),
        ("memory_graph", json!({"entity": long})),
        ("fetch", json!({"id": long})),
        ("memory_forget", json!({"ids": [long]})),
        ("memory_remember", json!({"text": "x", "store": long})),
        ("memory_search", json!({"query": "x", "since": long})),
        ("memory_search", json!({"query": "x", "scopes": [long]})),
        ("memory_audit", json!({"since": long})),
        ("memory_status", json!({long.as_str(): 1})),
    ] {
        let said = client.failed(tool, arguments);
        assert!(said.contains('…') || !said.contains("xxx"), "{tool}: {}", &said[..200]);
        assert!(said.len() < 2_000, "{tool}: {}", said.len());
    }
    for method in ["tools/call", "prompts/get"] {
        let answer = client.request(method, json!({"name": long}));
        assert!(answer.to_string().len() < 2_000, "{method}");
    }
    assert!(client.request("resources/read", json!({"uri": long})).to_string().len() < 2_000);
    assert!(client.request(&long, json!({})).to_string().len() < 2_000);
    client.leave();
}

#[test]
fn a_context_that_is_empty_says_whether_the_budget_is_too_small() {
    let scene = Scene::empty();
    let mut client = Client::connect(&scene, &[]);
    scene.done(&["init", scene.folder().to_str().unwrap()]);
    client.done("memory_remember", json!({"text": "The harbour office opens at nine."}));
    assert!(!client.found(&json!({"query": "harbour office"})).is_empty());
    let said = |client: &mut Client, arguments| {
        let answer = client.call("memory_context", arguments);
        answer["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let small = said(&mut client, json!({"message": "when does the harbour office open?", "budget": 1}));
    assert!(small.contains("nothing of it fits into the budget of 1 tokens"), "{small}");
    let enough = said(&mut client, json!({"message": "when does the harbour office open?"}));
    assert!(enough.contains("opens at nine"), "{enough}");
    client.leave();
}

#[test]
fn half_an_emoji_and_bytes_that_are_no_text_are_answered() {
    let scene = Scene::new();
    let mut client = Client::connect(&scene, &[]);
    for (id, text) in
        [(901, &b"the port of otter is 99 \\ud83d"[..]), (902, b"the port of badger is 98 \xff")]
    {
        let call = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"memory_remember\",\"arguments\":{{\"text\":\""
        );
        client.write(&[call.as_bytes(), text, b"\"}}}"].concat());
        let answer = client.response(id);
        assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
    }
    let found = client.done("memory_search", json!({"query": "port of otter"}));
    assert!(found.to_string().contains("99"), "{found}");
    client.leave();
}

#[test]
fn an_argument_of_ten_megabytes_is_answered() {
    let scene = Scene::new();
    let mut client = Client::connect(&scene, &[]);
    let long = "tea with honey ".repeat(700_000);
    let said = client.failed("memory_remember", json!({"text": long}));
    assert!(said.contains("hint:") && said.len() < 2_000, "{}", said.len());
    let said = client.failed("memory_search", json!({"query": long}));
    assert!(said.contains("`query`") && said.contains("memory_context"), "{said}");
    assert!(client.done("memory_status", json!({})).is_object(), "it goes on");
    client.leave();
}

#[test]
fn without_a_workspace_each_call_says_what_to_do_and_one_that_is_made_is_found() {
    let scene = Scene::empty();
    let mut client = Client::connect(&scene, &[]);
    assert_eq!(client.result("tools/list", json!({}))["tools"].as_array().unwrap().len(), 14);
    let said = client.failed("memory_search", json!({"query": "tea"}));
    assert!(said.contains("no workspace") && said.contains("rem init"), "{said}");
    assert!(client.failed("memory_remember", json!({"text": "I prefer tea"})).contains("rem init"));
    assert!(client.request("resources/read", json!({"uri": "memory://core"}))["error"].is_object());
    scene.done(&["init", scene.folder().to_str().unwrap()]);
    assert_eq!(client.done("memory_remember", json!({"text": "I prefer tea"}))["effect"], "added");
    assert!(!client.found(&json!({"query": "tea"})).is_empty());
    client.leave();
}

#[test]
fn a_workspace_that_is_deleted_is_missed_and_not_made_again() {
    let scene = Scene::new();
    let mut command = scene.rem(&["-C", scene.root().to_str().unwrap(), "mcp"]);
    command.current_dir(scene.folder());
    let mut client = Client::of(command);
    client.shake_hands("2025-11-25");
    client.done("memory_remember", json!({"text": "I prefer tea"}));
    client.done("memory_search", json!({"query": "tea"}));
    std::fs::remove_dir_all(scene.root()).unwrap();
    for (tool, arguments) in [
        ("memory_search", json!({"query": "tea"})),
        ("memory_remember", json!({"text": "I prefer coffee"})),
        ("memory_status", json!({})),
        ("memory_context", json!({"message": "tea"})),
    ] {
        let said = client.failed(tool, arguments);
        assert!(said.contains("no workspace") && said.contains("hint:"), "{said}");
    }
    assert!(!scene.root().exists(), "looking makes nothing");
    client.leave();
}

#[test]
fn wrong_settings_are_told_until_they_are_right_again() {
    let scene = Scene::new();
    let mut client = Client::connect(&scene, &[]);
    let right = scene.read("CONFIG.md");
    scene.write("CONFIG.md", "```yaml\nsearch:\n  min_score: much\n```\n");
    let said = client.failed("memory_search", json!({"query": "tea"}));
    assert!(said.contains("line 3"), "{said}");
    scene.write("CONFIG.md", right);
    client.done("memory_search", json!({"query": "tea"}));
    client.leave();
}
