//! How a server begins, ends, and what it survives.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::server::{Server, until};
use crate::support::Scene;

#[test]
fn one_server_for_a_workspace_and_the_second_says_who_has_it() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    let (code, said) = scene.failed(&["serve", "--addr", "127.0.0.1:0"]);
    assert_eq!(code, 4);
    assert!(said.contains(&server.pid().to_string()) && said.contains(&server.address), "{said}");
    // Killed, it leaves nothing behind that would keep the next one out.
    server.signal("KILL");
    assert_eq!(server.ended(), None);
    let next = Server::over(&scene);
    next.signal("TERM");
    assert_eq!(next.ended(), Some(0));
}

#[test]
fn an_address_that_is_taken_is_named() {
    let (scene, other) = (Scene::new(), Scene::new());
    let server = Server::over(&scene);
    let (code, said) = other.failed(&["serve", "--addr", &server.address]);
    assert!(code == 1 && said.contains(&server.address) && said.contains("--addr"), "{said}");
}

#[test]
fn what_was_acknowledged_before_the_end_is_there_after_it() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    let acknowledged = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for client in 0..4 {
            let (server, acknowledged) = (&server, &acknowledged);
            scope.spawn(move || {
                for number in 0.. {
                    let text = format!("Shelf {client} of the workshop holds exactly {number} jars of varnish");
                    let arguments = json!({"text": text, "store": "episodic"});
                    let head = format!(
                        "POST /api/v1/remember HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json",
                        server.address, server.token
                    );
                    match server.try_request(&head, arguments.to_string().as_bytes()) {
                        Ok(reply) if reply.status == 200 => acknowledged.fetch_add(1, Ordering::SeqCst),
                        _ => break,
                    };
                }
            });
        }
        until("some are acknowledged", || acknowledged.load(Ordering::SeqCst) >= 8);
        server.signal("TERM");
    });
    assert_eq!(server.ended(), Some(0));
    let written = scene.done(&["recall", "jars of varnish", "--limit", "1", "--json"]);
    assert!(written.contains("varnish"));
    let held: usize = std::fs::read_dir(scene.root().join("memory/episodes"))
        .unwrap()
        .map(|day| std::fs::read_to_string(day.unwrap().path()).unwrap().matches("jars of varnish").count())
        .sum();
    assert!(held >= acknowledged.into_inner(), "{held}");
    scene.done(&["verify"]);
}

#[test]
fn a_workspace_that_is_moved_away_and_back_is_served_again() {
    let scene = Scene::new();
    // By its path alone: a folder that a process stands in is found wherever it is moved.
    let token = scene.json(&["serve", "token", "new", "main"])["token"].as_str().unwrap().to_owned();
    let root = scene.root();
    let mut command = scene.rem(&["--json", "-C", root.to_str().unwrap(), "serve", "--addr", "127.0.0.1:0"]);
    command.current_dir(scene.folder());
    let mut server = Server::started(command);
    server.token = token;
    server.done("remember", &json!({"text": "The release is on Friday"}));
    let away = scene.folder().join("away");
    std::fs::rename(scene.root(), &away).unwrap();
    let reply = server.call("search", &json!({"query": "release"}));
    assert_eq!(reply.status, 503, "{reply:?}");
    std::fs::rename(&away, scene.root()).unwrap();
    let found = server.done("search", &json!({"query": "release"}));
    assert!(found.to_string().contains("Friday"), "{found}");
}

#[test]
fn a_client_that_goes_away_or_says_nothing_is_in_nobodys_way() {
    use std::io::Write;

    let scene = Scene::new();
    let server = Server::over(&scene);
    let mut idle = Vec::new();
    for number in 0..40 {
        let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
        match number % 4 {
            0 => {}
            1 => stream.write_all(b"POST /api/v1/sea").unwrap(),
            2 => stream.write_all(&[0x16, 3, 1, 0, 255, 10, 13, 0]).unwrap(),
            _ => {
                let head = format!(
                    "POST /api/v1/search HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{{",
                    server.address, server.token
                );
                stream.write_all(head.as_bytes()).unwrap();
            }
        }
        if number % 8 < 4 {
            idle.push(stream);
        }
    }
    assert_eq!(server.call("search", &json!({"query": "tea"})).status, 200);
    drop(idle);
    server.signal("INT");
    assert_eq!(server.ended(), Some(0));
}

#[test]
fn commands_and_other_processes_work_beside_it() {
    let scene = Scene::new();
    let server = Server::over(&scene);
    std::thread::scope(|scope| {
        for number in 0..3 {
            let (scene, server) = (&scene, &server);
            scope.spawn(move || {
                let text = format!("Locker {number} belongs to crew member {number}");
                scene.done(&["remember", &text, "--store", "episodic"]);
                server.done(
                    "remember",
                    &json!({"text": format!("Cabin {number} was painted blue"), "store": "episodic"}),
                );
            });
        }
    });
    for number in 0..3 {
        let found = server.done("search", &json!({"query": format!("Locker {number}")}));
        assert!(found.to_string().contains(&format!("crew member {number}")), "{found}");
    }
    scene.done(&["verify"]);
}

#[test]
fn a_workspace_that_is_made_anew_has_one_server_still() {
    let scene = Scene::new();
    let root = scene.root().to_str().unwrap().to_owned();
    let mut command = scene.rem(&["-C", &root, "--json", "serve", "--addr", "127.0.0.1:0"]);
    command.current_dir(scene.folder());
    let server = Server::started(command);
    let private = scene.root().join(".rem");
    until("it listens for hooks", || private.join("hooks.sock").exists());
    until("it is gone", || std::fs::remove_dir_all(scene.root()).is_ok() && !private.exists());
    scene.done(&["init", &root]);
    until("it is served again", || private.join("server.json").exists());
    let (code, said) = scene.failed(&["serve", "--addr", "127.0.0.1:0"]);
    assert!(code == 4 && said.contains(&server.address), "{said}");
    until("hooks are answered again", || private.join("hooks.sock").exists());
    server.signal("TERM");
    assert_eq!(server.ended(), Some(0));
}
