//! What nobody uses fades, what is used stays, and every step over a threshold is on record.

use jiff::SignedDuration;
use rem_format::audit::Action;
use rem_format::decay_scores::{DecayScores, StoreKind, Visibility};
use rem_ledger::AuditQuery;
use rem_mind::attention::ContextQuery;
use rem_mind::recall::{Answer, Hit, Include, Query};
use rem_mind::stores::promote::LEAST_SESSIONS;
use rem_mind::stores::{DecayReport, RememberOutcome, RememberRequest};
use rem_mind::transcripts::SessionEnd;
use rem_testkit::{Workspace, machine_time};

use crate::support::{agent, user};

const SCORES: &str = "memory/meta/decay-scores.json";

fn remember(workspace: &Workspace, store: StoreKind, text: &str) -> RememberOutcome {
    let request = RememberRequest { text: text.to_owned(), store: Some(store), ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap()
}

fn days(workspace: &Workspace, days: i64) {
    workspace.advance(SignedDuration::from_hours(24 * days));
}

fn ask(workspace: &Workspace, text: &str, include: Include) -> Answer {
    let query = Query { include, min_score: 0.0, ..workspace.memory().query(text) };
    workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap()
}

fn hit<'a>(answer: &'a Answer, id: &str) -> Option<&'a Hit> {
    answer.results.iter().find(|hit| hit.id == id)
}

fn scores(workspace: &Workspace) -> DecayScores {
    DecayScores::parse(&workspace.read(SCORES).unwrap()).unwrap()
}

fn decay(workspace: &Workspace) -> DecayReport {
    workspace.memory().decay(false, machine_time()).unwrap()
}

#[test]
fn a_memory_fades_out_of_ordinary_searches_and_returns_when_asked_for() {
    let workspace = Workspace::new();
    let fact = remember(&workspace, StoreKind::Semantic, "Harbormaster uses Sextant");
    let statuses = |include: Include| {
        let answer = ask(&workspace, "harbormaster", include);
        (hit(&answer, &fact.id).map(|hit| hit.status), answer.left_out)
    };
    let all = Include { dormant: true, archived: true };
    assert_eq!(statuses(Include::default()).0, Some("active"));
    // 1.2 · e^(−0.03 · days): below 0.5 from day 30 on, below 0.2 from day 60 on, below 0.05 from day 106 on.
    days(&workspace, 30);
    assert_eq!(statuses(Include::default()).0, Some("fading"));
    days(&workspace, 30);
    let (status, left_out) = statuses(Include::default());
    assert_eq!((status, left_out.dormant, left_out.archived), (None, 1, 0));
    assert_eq!(statuses(Include { dormant: true, archived: false }).0, Some("dormant"));
    days(&workspace, 46);
    let (status, left_out) = statuses(Include { dormant: true, archived: false });
    assert_eq!((status, left_out.dormant, left_out.archived), (None, 0, 1));
    assert_eq!(statuses(all).0, Some("archived"));
    assert_eq!(statuses(all).1.archived, 0);
    // The files alone say the same.
    std::fs::remove_file(workspace.root().join("memory.db")).unwrap();
    std::fs::create_dir(workspace.root().join("memory.db")).unwrap();
    let answer = ask(&workspace, "harbormaster sextant", all);
    assert_eq!((answer.mode, hit(&answer, &fact.id).map(|hit| hit.status)), ("grep", Some("archived")));
    assert!(hit(&ask(&workspace, "harbormaster sextant", Include::default()), &fact.id).is_none());
}

#[test]
fn what_is_pinned_or_written_by_hand_never_fades() {
    let workspace = Workspace::new();
    let vault = remember(&workspace, StoreKind::Vault, "The lighthouse key hangs behind the clock");
    let core = remember(&workspace, StoreKind::Core, "Prefers lighthouse tours at dusk");
    workspace.memory().pin(&core.id, true).unwrap();
    workspace
        .write("memory/reference/lighthouses.md", "# Lighthouses\n\n- The lighthouse on the pier is red.\n");
    days(&workspace, 4_000);
    let answer = ask(&workspace, "lighthouse", Include::default());
    let ids: Vec<&str> = answer.results.iter().map(|hit| hit.id.as_str()).collect();
    assert!(ids.contains(&vault.id.as_str()) && ids.contains(&core.id.as_str()), "{ids:?}");
    assert!(answer.results.iter().any(|hit| hit.path.ends_with("lighthouses.md") && hit.status == "active"));
    let report = decay(&workspace);
    assert_eq!((report.counts["active"], report.counts["archived"]), (2, 0));
    let entry = &scores(&workspace).entries[&vault.id];
    assert_eq!((entry.pinned, entry.type_weight), (true, None));
}

#[test]
fn steps_over_thresholds_are_on_record_and_a_second_run_changes_nothing() {
    let workspace = Workspace::at("2026-02-02T16:00:00Z");
    let fact = remember(&workspace, StoreKind::Semantic, "Harbormaster uses Sextant");
    let episode = remember(&workspace, StoreKind::Episodic, "Painted the gate");
    assert_eq!(decay(&workspace).transitions, []);
    let first = scores(&workspace);
    assert_eq!(first.last_updated.as_deref(), Some("2026-02-02T16:00:00Z"));
    let entry = &first.entries[&episode.id];
    assert_eq!(
        (entry.store, entry.created.as_str(), entry.access_count),
        (StoreKind::Episodic, "2026-02-02", 1)
    );
    assert!((entry.current_score - 0.8).abs() < 1e-9 && entry.status == Visibility::Active);
    assert!(decay(&workspace).change.is_empty(), "nothing to say again");

    days(&workspace, 50);
    let preview = workspace.memory().decay(true, machine_time()).unwrap();
    assert_eq!((preview.transitions.len(), scores(&workspace)), (3, first));
    let report = decay(&workspace);
    // The entity at the other end of the relation faded as well.
    let steps: Vec<(&str, Visibility)> =
        report.transitions.iter().map(|each| (each.id.as_str(), each.to)).collect();
    assert!(steps.contains(&(fact.id.as_str(), Visibility::Fading)), "{steps:?}");
    assert!(steps.contains(&(episode.id.as_str(), Visibility::Dormant)), "{steps:?}");
    let audit = workspace.memory().ledger().audit(&AuditQuery::default()).unwrap();
    let line = audit.iter().rev().find(|line| line.action == Action::Decay).unwrap();
    assert_eq!((line.actor.to_string().as_str(), line.file.as_str()), ("system:decay", SCORES));
    assert!(
        line.summary.contains("entries transitioned: ") && line.summary.contains("active→dormant"),
        "{}",
        line.summary
    );
    workspace.assert_well();
}

#[test]
fn being_listed_is_counted_once_a_session_and_only_use_strengthens() {
    let workspace = Workspace::new();
    let fact = remember(&workspace, StoreKind::Semantic, "Harbormaster uses Sextant");
    let memory = workspace.memory();
    for session in ["one", "one", "two"] {
        memory.note_hits(Some(session), &ask(&workspace, "harbormaster", Include::default()));
    }
    assert_eq!(decay_of(&workspace, &fact.id), 1);
    assert_eq!(memory.note_uses(Some("one"), [fact.id.as_str()]), std::slice::from_ref(&fact.id));
    assert!(memory.note_uses(Some("one"), [fact.id.as_str()]).is_empty(), "once a session");
    days(&workspace, 50);
    assert_eq!(memory.note_uses(Some("two"), [fact.id.as_str()]), std::slice::from_ref(&fact.id));
    // Said again is used as well.
    remember(&workspace, StoreKind::Semantic, "Harbormaster uses Sextant");
    assert_eq!(decay_of(&workspace, &fact.id), 4);
    days(&workspace, 30);
    let answer = ask(&workspace, "harbormaster sextant", Include::default());
    // 1.2 · log2(5) · e^(−0.9), though the file alone would have faded more.
    let found = hit(&answer, &fact.id).unwrap();
    assert_eq!(found.status, "active");
    let expected = 1.0 - 0.2 * (1.0 - 1.2 * 5.0_f64.log2() * (-0.9_f64).exp());
    assert!((found.explain.relevance - expected).abs() < 1e-9, "{}", found.explain.relevance);
}

fn decay_of(workspace: &Workspace, id: &str) -> u32 {
    decay(workspace);
    scores(workspace).entries[id].access_count
}

#[test]
fn a_reply_strengthens_what_it_rests_on_of_what_it_was_given() {
    let workspace = Workspace::new();
    let clock = remember(&workspace, StoreKind::Vault, "The lighthouse key hangs behind the clock");
    let boat = remember(&workspace, StoreKind::Vault, "The lighthouse boat is called Walnut");
    let memory = workspace.memory();
    let ask = "Where is the lighthouse key?";
    memory.capture("s", &user("2026-03-01T09:00:00Z", ask)).unwrap();
    let query = ContextQuery { message: ask, session: Some("s"), ..ContextQuery::default() };
    memory.context(&query, machine_time()).unwrap();
    assert_eq!(
        (decay_of(&workspace, &clock.id), decay_of(&workspace, &boat.id)),
        (1, 1),
        "being there is no use"
    );
    memory.capture("s", &agent("2026-03-01T09:00:10Z", "It hangs behind the clock.")).unwrap();
    memory.capture("s", &agent("2026-03-01T09:00:20Z", "As I said, behind the clock it hangs.")).unwrap();
    memory.capture("other", &agent("2026-03-01T09:00:20Z", "The boat is called Walnut.")).unwrap();
    // The end of a session keeps what was used in it.
    memory.end_session("s", &SessionEnd::default()).unwrap();
    let entries = scores(&workspace).entries;
    assert_eq!((entries[&clock.id].access_count, entries[&boat.id].access_count), (2, 1));
}

#[test]
fn an_episode_that_names_an_entity_strengthens_it() {
    let workspace = Workspace::new();
    let fact = remember(&workspace, StoreKind::Semantic, "Harbormaster uses Sextant");
    // The index learns of it at the next search.
    ask(&workspace, "anything", Include::default());
    let episode = remember(&workspace, StoreKind::Episodic, "Harbormaster was released yesterday");
    assert!(episode.linked.iter().any(|id| format!("entity:{id}") == fact.id), "{:?}", episode.linked);
    assert_eq!(decay_of(&workspace, &fact.id), 2);
}

#[test]
fn the_checkpoint_keeps_uses_when_the_index_is_lost_and_takes_over_what_another_machine_wrote() {
    let workspace = Workspace::new();
    let fact = remember(&workspace, StoreKind::Semantic, "Harbormaster uses Sextant");
    for session in ["a", "b", "c"] {
        workspace.memory().note_uses(Some(session), [fact.id.as_str()]);
    }
    assert_eq!(decay_of(&workspace, &fact.id), 4);
    workspace.memory().index(true, machine_time(), &mut |_| {}).unwrap();
    assert_eq!(decay_of(&workspace, &fact.id), 4, "built anew, the counts are carried over");
    let other = workspace.open();
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(workspace.root().join(format!("memory.db{suffix}")));
    }
    let report = other.decay(false, machine_time()).unwrap();
    assert_eq!((scores(&workspace).entries[&fact.id].access_count, report.change.as_str()), (4, ""));

    let raised = workspace.text(SCORES).replace("\"access_count\":4", "\"access_count\":9");
    workspace.write(SCORES, raised);
    other.note_uses(Some("d"), [fact.id.as_str()]);
    assert_eq!(decay_of(&workspace, &fact.id), 10);
    workspace.write(SCORES, "{ nonsense");
    assert!(hit(&ask(&workspace, "harbormaster", Include::default()), &fact.id).is_some());
    assert_eq!(decay_of(&workspace, &fact.id), 10, "what cannot be read is written anew");
}

#[test]
fn a_memory_says_how_it_stands() {
    let workspace = Workspace::at("2026-01-01T09:00:00Z");
    let fact = remember(&workspace, StoreKind::Vault, "The safe is behind the clock");
    let core = remember(&workspace, StoreKind::Core, "Prefers tea in the afternoon");
    days(&workspace, 60);
    let standing = |id: &str| workspace.memory().standing(id, machine_time()).unwrap().unwrap();
    let of_core = standing(&core.id);
    // 1.5 · e^(−1.8), and 0.95 less two months.
    assert!((of_core.relevance - 0.2479).abs() < 1e-3 && of_core.status == Visibility::Fading, "{of_core:?}");
    assert!((of_core.confidence.unwrap() - 0.85).abs() < 1e-9);
    assert_eq!((of_core.accesses, of_core.last_accessed.as_deref()), (1, Some("2026-01-01")));
    assert_eq!(standing(&fact.id).status, Visibility::Active);
    assert_eq!(workspace.memory().standing("passage:AGENTS.md:1-2", machine_time()).unwrap(), None);
}

#[test]
fn the_graphs_page_shows_the_scores_of_the_checkpoint() {
    let workspace = Workspace::new();
    remember(&workspace, StoreKind::Semantic, "Harbormaster uses Sextant");
    days(&workspace, 30);
    decay(&workspace);
    // 1.2 · e^(−0.9)
    let row = |page: &str| {
        page.lines().find(|line| line.starts_with("| project--harbormaster |")).unwrap().to_owned()
    };
    assert!(
        row(&workspace.text("memory/graph/index.md")).ends_with("| 0.49 |"),
        "{}",
        workspace.text("memory/graph/index.md")
    );
    let page = workspace.text("memory/graph/index.md");
    std::fs::remove_file(workspace.root().join("memory/graph/index.md")).unwrap();
    workspace.memory().catch_up();
    workspace.memory().graph_index(machine_time()).unwrap();
    assert_eq!(workspace.text("memory/graph/index.md"), page, "made anew it is the same");
    workspace.assert_well();
}

#[test]
fn what_is_forgotten_stands_at_zero() {
    let workspace = Workspace::new();
    let fact = remember(&workspace, StoreKind::Semantic, "Harbormaster uses Sextant");
    decay(&workspace);
    workspace.memory().forget(std::slice::from_ref(&fact.id), false).unwrap();
    let report = decay(&workspace);
    let step = report.transitions.iter().find(|each| each.id == fact.id).unwrap();
    assert_eq!((step.from, step.to), (Visibility::Active, Visibility::Archived));
    assert!(scores(&workspace).entries[&fact.id].current_score.abs() < 1e-12);
    assert_eq!(workspace.memory().status().unwrap().decay["archived"], 1);
}

#[test]
fn what_comes_up_in_three_sessions_is_proposed_and_nothing_is_lost_by_promoting_it() {
    let workspace = Workspace::at("2026-02-03T09:00:00Z");
    workspace.write(
        "memory/2026-02-02.md",
        "# 2026-02-02\n\n## Harbor\nThe harbor master wants the berth list on Mondays.\n\n## Lunch\nsoup\n",
    );
    let episode = remember(&workspace, StoreKind::Episodic, "Painted the lighthouse gate");
    let memory = workspace.memory();
    for session in ["a", "b"] {
        memory.note_hits(Some(session), &ask(&workspace, "berth harbor master", Include::default()));
        memory.note_hits(Some(session), &ask(&workspace, "painted lighthouse gate", Include::default()));
    }
    assert!(memory.frequent_candidates(7, LEAST_SESSIONS).unwrap().is_empty(), "two sessions are not three");
    memory.note_hits(Some("c"), &ask(&workspace, "berth harbor master", Include::default()));
    memory.note_hits(Some("c"), &ask(&workspace, "painted lighthouse gate", Include::default()));
    let found = memory.frequent_candidates(7, LEAST_SESSIONS).unwrap();
    let sections: Vec<(&str, &str)> =
        found.iter().map(|one| (one.section.as_str(), one.reasons[0].matched_pattern.as_str())).collect();
    assert!(
        sections.contains(&("Harbor", "3 sessions"))
            && sections.contains(&("2026-02-03 09:00", "3 sessions")),
        "{sections:?}"
    );
    assert!((found[0].confidence - 0.6).abs() < 1e-12);
    let promoted = memory.promote(&found, None).unwrap();
    assert_eq!(promoted.results.len(), 2);
    let core = workspace.text("MEMORY.md");
    assert!(core.contains("berth list on Mondays") && core.contains("Painted the lighthouse gate"), "{core}");
    assert!(
        !workspace.text("memory/2026-02-02.md").contains("berth")
            && workspace.text("memory/2026-02-02.md").contains("soup")
    );
    assert!(workspace.text(episode.path.as_ref().unwrap().as_str()).contains("Painted"), "episodes stay");
    days(&workspace, 30);
    assert!(memory.frequent_candidates(7, LEAST_SESSIONS).unwrap().is_empty());
    workspace.assert_well();
}

#[test]
fn a_clock_that_goes_back_makes_nothing_fresher_or_older_than_it_is() {
    let workspace = Workspace::at("2026-03-01T09:00:00Z");
    let vault = remember(&workspace, StoreKind::Core, "Prefers lighthouse tours at dusk");
    days(&workspace, -400);
    let again = remember(&workspace, StoreKind::Core, "Prefers lighthouse tours at dusk");
    assert_eq!(again.id, vault.id);
    let standing = workspace.memory().standing(&vault.id, machine_time()).unwrap().unwrap();
    assert_eq!((standing.status, standing.accesses), (Visibility::Active, 2));
    assert!((standing.confidence.unwrap() - 1.0).abs() < 1e-9, "{standing:?}");
    remember(&workspace, StoreKind::Episodic, "Painted the gate");
    assert_eq!(decay(&workspace).transitions, []);
    days(&workspace, 401);
    let found = ask(&workspace, "lighthouse", Include::default());
    assert_eq!(hit(&found, &vault.id).unwrap().status, "active");
    workspace.assert_well();
}
