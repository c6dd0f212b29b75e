//! What the server does not do for everybody.

use serde_json::json;

use super::server::Server;
use crate::support::Scene;

#[test]
fn nothing_but_health_is_answered_without_a_token() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    let ask = |method: &str, path: &str| {
        server.request(&format!("{method} {path} HTTP/1.1\r\nHost: {}", server.address), b"")
    };
    assert_eq!(ask("GET", "/health").status, 200);
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/metrics"),
        ("GET", "/api/v1/openapi.json"),
        ("POST", "/api/v1/search"),
        ("POST", "/webhook/email?event=x"),
        ("POST", "/mcp"),
        ("GET", "/mcp"),
        ("GET", "/nothing"),
    ] {
        let reply = ask(method, path);
        assert_eq!(reply.status, 401, "{method} {path}");
        assert!(reply.head.contains("www-authenticate: Bearer"), "{reply:?}");
    }
}

#[test]
fn a_wrong_token_tried_ten_thousand_times_opens_nothing_and_keeps_nobody_out() {
    use std::io::{BufRead, BufReader, Read, Write};

    let scene = Scene::new();
    let server = Server::over(&scene);
    let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap());
    let mut slowed = 0;
    for attempt in 0..10_000 {
        let request = format!(
            "POST /api/v1/search HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer rem_{attempt:064x}\r\nContent-Length: 0\r\n\r\n",
            server.address
        );
        stream.write_all(request.as_bytes()).unwrap();
        let (mut status, mut length) = (String::new(), 0);
        answers.read_line(&mut status).unwrap();
        loop {
            let mut line = String::new();
            answers.read_line(&mut line).unwrap();
            if let Some(said) = line.strip_prefix("content-length: ") {
                length = said.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        answers.read_exact(&mut vec![0; length]).unwrap();
        assert!(status.contains(" 401 ") || status.contains(" 429 "), "{status}");
        slowed += usize::from(status.contains(" 429 "));
    }
    assert!(slowed > 9_000, "{slowed}");
    assert_eq!(server.call("search", &json!({"query": "tea"})).status, 200);
}

#[test]
fn a_page_of_another_origin_and_another_name_are_refused() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    let ask = |host: &str, more: &str| {
        let head = format!(
            "POST /api/v1/search HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json{more}",
            server.token
        );
        server.request(&head, b"{\"query\": \"tea\"}").status
    };
    let address = server.address.as_str();
    assert_eq!(ask(address, ""), 200);
    assert_eq!(ask(address, &format!("\r\nOrigin: http://{address}")), 200);
    for origin in ["http://evil.example", "null", "https://127.0.0.1.evil.example", "http://127.0.0.1:1"] {
        assert_eq!(ask(address, &format!("\r\nOrigin: {origin}")), 403, "{origin}");
    }
    for host in ["evil.example", "rebound.example:7077"] {
        assert_eq!(ask(host, ""), 403, "{host}");
    }
    // The same door for MCP.
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nOrigin: http://evil.example",
        server.token
    );
    assert_eq!(server.request(&head, b"{}").status, 403);
    let preflight = format!(
        "OPTIONS /api/v1/search HTTP/1.1\r\nHost: {address}\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST"
    );
    let reply = server.request(&preflight, b"");
    assert!(reply.status == 403 && !reply.head.contains("access-control-allow"), "{reply:?}");
}

#[test]
fn a_body_that_makes_no_sense_is_named() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    let send = |kind: &str, body: &[u8]| {
        let head = format!(
            "POST /api/v1/search HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: {kind}",
            server.address, server.token
        );
        server.request(&head, body)
    };
    let huge = format!("{{\"query\": \"{}\"}}", "x".repeat(10 << 20));
    assert_eq!(send("application/json", huge.as_bytes()).status, 413);
    assert_eq!(send("text/plain", b"{\"query\": \"tea\"}").status, 415);
    assert_eq!(send("application/json", b"[1]").status, 400);
    assert_eq!(send("application/json", b"{\"query\": \"\xff\"}").status, 400);
    assert_eq!(send("application/json", "[".repeat(100_000).as_bytes()).status, 400);
    assert!(send("application/json", b"{\"query\": \"tea\", \"limits\": 3}").message().contains("`limits`"));
    assert!(send("application/json; charset=utf-8", b"{\"query\": 3}").message().contains("must be a text"));
    assert_eq!(send("application/json", b"{\"query\": \"tea\"}").status, 200);
    // More than there can be is all there is.
    assert_eq!(send("application/json", b"{\"query\": \"tea\", \"limit\": 1099511627776}").status, 200);
    assert_eq!(
        send("application/json", b"{\"query\": \"tea\", \"limit\": 18446744073709551615}").status,
        200
    );
}

#[test]
fn config_alone_does_not_open_the_memory_to_other_machines() {
    let scene = Scene::new();
    scene.done(&["config", "set", "server.address", "0.0.0.0:0"]);
    let (code, said) = scene.failed(&["serve"]);
    assert!(code == 7 && said.contains("other machines") && said.contains("--addr"), "{said}");
    let (code, said) = scene.failed(&["serve", "--addr", "nowhere"]);
    assert!(code == 2 && said.contains("no address"), "{said}");
}
