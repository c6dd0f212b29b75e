//! It ends when its client does, and what it acknowledged is kept.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{Client, PATIENCE};
use crate::support::Scene;

#[test]
fn it_ends_with_its_input() {
    let scene = Scene::new();
    Client::start(&scene, &[]).leave();
    let mut client = Client::connect(&scene, &[]);
    client.done("memory_status", json!({}));
    client.leave();
}

#[test]
fn a_call_under_way_when_the_input_ends_is_answered() {
    let scene = Scene::new();
    let mut client = Client::connect(&scene, &[]);
    let id = client.send(
        "tools/call",
        json!({"name": "memory_remember", "arguments": {"text": "I prefer tea with honey"}}),
    );
    client.hang_up();
    let response = client.response(id);
    assert_eq!(response["result"]["structuredContent"]["effect"], "added", "{response}");
    assert!(client.ended().success());
    assert!(scene.done(&["recall", "tea"]).contains("honey"));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_and_what_was_acknowledged_stays() {
    let scene = Scene::new();
    for signal in ["TERM", "INT", "HUP"] {
        let mut client = Client::connect(&scene, &[]);
        client.done("memory_remember", json!({"text": format!("The {signal} bell rings at six")}));
        let killed =
            Command::new("kill").args([&format!("-{signal}"), &client.child.id().to_string()]).status();
        assert!(killed.unwrap().success());
        assert!(client.ended().success(), "{signal}");
        assert!(scene.done(&["recall", signal, "bell"]).contains("rings at six"), "{signal}");
    }
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[cfg(unix)]
#[test]
fn a_client_that_is_killed_in_the_middle_of_a_call_takes_the_server_along() {
    let scene = Scene::new();
    // A host of its own: it starts the server, asks, and never reads. The server's pipes are the host's alone.
    let mut command = Command::new("python3");
    if command.arg("--version").output().is_err() {
        return;
    }
    let script = "import json, os, subprocess, sys\n\
        p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)\n\
        hello = {'protocolVersion': '2025-11-25', 'capabilities': {}, 'clientInfo': {'name': 'h', 'version': '1'}}\n\
        def say(m): p.stdin.write((json.dumps(m) + '\\n').encode()); p.stdin.flush()\n\
        say({'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': hello})\n\
        p.stdout.readline()\n\
        say({'jsonrpc': '2.0', 'id': 2, 'method': 'tools/call', 'params': {'name': 'memory_remember', 'arguments': {'text': 'I prefer tea'}}})\n\
        print(p.pid, flush=True)\n\
        os.kill(os.getpid(), 9)\n";
    let mut server = scene.rem(&["mcp"]);
    server.env("PYTHONDONTWRITEBYTECODE", "1");
    let mut host = Command::new("python3");
    host.args(["-c", script, env!("CARGO_BIN_EXE_rem"), "mcp"]).current_dir(scene.root()).env_clear();
    for (name, value) in server.get_envs() {
        if let Some(value) = value {
            host.env(name, value);
        }
    }
    let output = host.output().unwrap();
    let process = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    assert!(!process.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let begun = Instant::now();
    let is_there = || Command::new("kill").args(["-0", &process]).output().unwrap().status.success();
    while is_there() {
        assert!(begun.elapsed() < PATIENCE, "the server outlives its client");
        std::thread::yield_now();
    }
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[test]
fn a_cancelled_request_is_not_answered_and_the_next_one_is() {
    let scene = Scene::new();
    for number in 0..300 {
        scene.write(
            &format!("memory/reference/{number}.md"),
            format!("# Note {number}\n\nThe lantern of house {number}.\n"),
        );
    }
    let mut client = Client::connect(&scene, &[]);
    let cancelled =
        client.send("tools/call", json!({"name": "memory_search", "arguments": {"query": "lantern"}}));
    client.notify("notifications/cancelled", json!({"requestId": cancelled, "reason": "changed my mind"}));
    assert!(!client.found(&json!({"query": "lantern house"})).is_empty());
    // The answer may have been on its way when it was cancelled; then there is one and no more.
    assert!(client.notices.iter().filter(|message| message["id"] == cancelled).count() <= 1);
    client.leave();
}

#[test]
fn progress_is_told_to_whoever_asks_while_the_index_is_built() {
    let scene = Scene::new();
    for number in 0..1500 {
        let text =
            format!("The lantern of house {number} hangs beside the door of number {number}. ").repeat(12);
        scene.write(&format!("memory/reference/{number}.md"), format!("# Note {number}\n\n{text}\n"));
    }
    let mut client = Client::connect(&scene, &[]);
    let meta = json!({"progressToken": "p1"});
    let found = client.result(
        "tools/call",
        json!({"_meta": meta, "name": "memory_context", "arguments": {"message": "lantern"}}),
    );
    assert_ne!(found["isError"], true, "{found}");
    let told: Vec<f64> = client
        .notices
        .iter()
        .filter(|notice| notice["method"] == "notifications/progress")
        .map(|notice| {
            assert_eq!(notice["params"]["progressToken"], "p1");
            notice["params"]["progress"].as_f64().unwrap()
        })
        .collect();
    assert!(!told.is_empty(), "the index of 1,500 files takes a while");
    assert!(told.is_sorted() && told.windows(2).all(|pair| pair[0] < pair[1]), "{told:?}");
    client.leave();
}

#[cfg(unix)]
#[test]
fn it_ends_when_nobody_can_read_its_output_any_more() {
    let scene = Scene::new();
    for is_open in [false, true] {
        let mut command = scene.rem(&["mcp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        if is_open {
            let asked = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
            writeln!(input, "{asked}").unwrap();
            let mut answer = String::new();
            output.read_line(&mut answer).unwrap();
            assert!(answer.contains("serverInfo"), "{answer}");
        }
        drop(output);
        let begun = Instant::now();
        let ended = loop {
            match child.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if begun.elapsed() > PATIENCE => break None,
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        if ended.is_none() {
            child.kill().unwrap();
        }
        assert!(ended.is_some_and(|status| status.success()), "{ended:?}");
        drop(input);
    }
}
