//! Many servers on one workspace, as a person with many agents has them.

use serde_json::json;

use super::client::Client;
use crate::support::Scene;

const SERVERS: usize = 20;

#[test]
fn twenty_servers_that_remember_at_once_lose_nothing() {
    let scene = Scene::new();
    let mut clients: Vec<Client> =
        (0..SERVERS).map(|number| Client::start(&scene, &["--agent", &format!("agent-{number}")])).collect();
    for client in &mut clients {
        client.shake_hands("2025-11-25");
    }
    let mut sent = Vec::new();
    for (number, client) in clients.iter_mut().enumerate() {
        let text = format!("Boat number {number} is moored at pier {}", number * 7);
        let arguments = json!({"text": text, "store": "episodic"});
        sent.push(client.send("tools/call", json!({"name": "memory_remember", "arguments": arguments})));
    }
    let mut ids = std::collections::BTreeSet::new();
    for (client, id) in clients.iter_mut().zip(sent) {
        let response = client.response(id);
        let said = &response["result"]["structuredContent"];
        assert_eq!(said["effect"], "added", "{response}");
        ids.insert(said["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids.len(), SERVERS);
    for client in &mut clients {
        let query = json!({"query": "boat moored pier", "limit": 50, "min_score": 0});
        assert!(!client.found(&query).is_empty());
    }
    for client in clients {
        client.leave();
    }
    let kept = scene.read("memory/episodes/2026-03-01.md");
    for number in 0..SERVERS {
        assert!(kept.contains(&format!("Boat number {number} is moored at pier {}", number * 7)), "{kept}");
        let lines = scene.json(&["audit", "--actor", &format!("bot:agent-{number}")]);
        assert!(!lines.as_array().unwrap().is_empty(), "agent {number} is in the audit log");
    }
    assert!(scene.done(&["verify"]).contains("All is well"));
}
