//! A checkpoint of another program keeps what it knows, and what was forgotten there stays forgotten.

use rem_format::decay_scores::{DecayScores, Visibility};
use rem_mind::recall::{Include, Query};
use rem_mind::stores::RememberRequest;
use rem_testkit::{Workspace, machine_time};
use serde_json::json;

const SCORES: &str = "memory/meta/decay-scores.json";

/// A workspace as the seed leaves it: two entities, the first of them forgotten.
fn seeded(status: &str) -> Workspace {
    let workspace = Workspace::at("2026-02-03T09:00:00Z");
    for (id, text) in [("person--bo", "Bo keeps the harbour keys"), ("person--ann", "Ann paints the harbour")]
    {
        let page = format!(
            "# {id}\n\n<!-- Type: person | Created: 2026-01-20 | Last updated: 2026-01-20 -->\n\n## Facts\n- {text}\n"
        );
        workspace.write(&format!("memory/graph/entities/{id}.md"), page);
    }
    let entry = |status: &str, score: f64| {
        json!({"store": "semantic", "base_relevance": 0.7, "created": "2026-01-20T10:00:00Z",
            "last_accessed": "2026-01-25T11:30:00Z", "access_count": 5, "type_weight": 1.2, "current_score": score,
            "status": status, "pinned": false})
    };
    let scores = json!({"version": 1, "last_updated": "2026-02-02T16:00:00Z", "entries": {
        "entity:person--bo": entry(status, 0.0), "entity:person--ann": entry("active", 0.9)}});
    workspace.write(SCORES, serde_json::to_string_pretty(&scores).unwrap());
    workspace.memory().catch_up();
    workspace
}

fn found(workspace: &Workspace, archived: bool) -> Vec<String> {
    let memory = workspace.memory();
    let include = Include { archived, ..Include::default() };
    let query = Query { include, min_score: 0.0, ..memory.query("harbour keys") };
    let answer = memory.recall(&query, machine_time(), &mut |_| {}).unwrap();
    answer.results.into_iter().map(|hit| hit.id).filter(|id| id.starts_with("entity:")).collect()
}

#[test]
fn what_another_program_forgot_stays_forgotten_and_nothing_else_is_lost() {
    for status in ["_archived", "archived"] {
        let workspace = seeded(status);
        assert_eq!(found(&workspace, false), ["entity:person--ann"], "{status}");
        assert!(found(&workspace, true).contains(&"entity:person--bo".to_owned()));
        workspace.memory().decay(false, machine_time()).unwrap();
        assert_eq!(found(&workspace, false), ["entity:person--ann"], "{status}");
        let scores = DecayScores::parse(&workspace.read(SCORES).unwrap()).unwrap();
        let (bo, ann) = (&scores.entries["entity:person--bo"], &scores.entries["entity:person--ann"]);
        assert_eq!((bo.status, bo.current_score, bo.access_count), (Visibility::Archived, 0.0, 5));
        assert_eq!((ann.base_relevance, ann.access_count, ann.status), (0.7, 5, Visibility::Active));
        assert_eq!(ann.created, "2026-01-20T10:00:00Z");
        assert_eq!(ann.last_accessed, "2026-01-25T11:30:00Z");
        let page = workspace.text("memory/graph/entities/person--bo.md");
        assert!(page.contains("Status: archived") && page.contains("keeps the harbour keys"), "{page}");
        workspace.assert_well();
        // A second time there is nothing to do, and what is said anew is found.
        assert_eq!(workspace.memory().decay(false, machine_time()).unwrap().change, "");
        let text = "Bo likes harbour festivals".to_owned();
        workspace.memory().remember(&RememberRequest { text, ..RememberRequest::default() }).unwrap();
        assert!(found(&workspace, false).contains(&"entity:person--bo".to_owned()));
        workspace.memory().decay(false, machine_time()).unwrap();
        assert!(found(&workspace, false).contains(&"entity:person--bo".to_owned()));
        assert!(!workspace.text("memory/graph/entities/person--bo.md").contains("keys"));
    }
}

#[test]
fn a_statement_before_the_first_job_begins_a_forgotten_entity_anew() {
    let workspace = seeded("_archived");
    let text = "Bo likes harbour festivals".to_owned();
    workspace.memory().remember(&RememberRequest { text, ..RememberRequest::default() }).unwrap();
    assert!(found(&workspace, false).contains(&"entity:person--bo".to_owned()));
    assert!(!workspace.text("memory/graph/entities/person--bo.md").contains("keys"));
}

#[test]
fn a_checkpoint_that_cannot_be_read_is_named_and_kept_beside() {
    let workspace = seeded("active");
    workspace.write(SCORES, "{ broken");
    let findings = workspace.memory().verify().unwrap().findings;
    assert!(findings.iter().any(|each| each.path.as_deref() == Some(SCORES)), "{findings:?}");
    workspace.memory().decay(false, machine_time()).unwrap();
    assert_eq!(workspace.text("memory/meta/decay-scores.unreadable.json"), "{ broken");
    workspace.assert_well();
}

#[test]
fn what_another_program_pinned_never_fades_and_what_it_was_worth_counts() {
    let workspace = seeded("active");
    let scores = workspace.text(SCORES);
    let mut scores: serde_json::Value = serde_json::from_str(&scores).unwrap();
    scores["entries"]["entity:person--bo"]["pinned"] = json!(true);
    workspace.write(SCORES, serde_json::to_string_pretty(&scores).unwrap());
    workspace.memory().catch_up();
    workspace.advance(jiff::SignedDuration::from_hours(24 * 40));
    let standing = |id: &str| workspace.memory().standing(id, machine_time()).unwrap().unwrap();
    // 0.7 · e^(−0.03 · 49) · log2(6) · 1.2, before and after a job has written the checkpoint anew.
    let expected = 0.7 * (-1.47_f64).exp() * 6.0_f64.log2() * 1.2;
    for job in [false, true] {
        if job {
            workspace.memory().decay(false, machine_time()).unwrap();
        }
        assert!((standing("entity:person--ann").relevance - expected).abs() < 1e-3, "{job}");
        assert_eq!(standing("entity:person--bo").status, Visibility::Active);
    }
    workspace.advance(jiff::SignedDuration::from_hours(24 * 800));
    assert_eq!(found(&workspace, false), ["entity:person--bo"]);
    workspace.memory().decay(false, machine_time()).unwrap();
    assert_eq!(found(&workspace, false), ["entity:person--bo"]);
    // The index is made anew and knows it still.
    workspace.memory().index(true, machine_time(), &mut |_| {}).unwrap();
    assert_eq!(found(&workspace, false), ["entity:person--bo"]);
    workspace.assert_well();
}
