//! Who may change a memory: the main agent; a sub-agent asks.

use rem_format::audit::Actor;
use rem_format::transcript::Role;
use rem_ledger::{AgentRole, AuditQuery, Ledger, LedgerError, Provenance};
use rem_mind::attention::Observation;
use rem_mind::attention::topics::Nobody;
use rem_mind::recall::Asking;
use rem_mind::stores::RememberRequest;
use rem_mind::transcripts::SessionStart;
use rem_mind::{Memory, MemoryError, MemoryOptions, Outcome};
use rem_testkit::{Workspace, machine_time};

fn request(text: &str) -> RememberRequest {
    RememberRequest { text: text.to_owned(), ..RememberRequest::default() }
}

fn as_sub_agent(workspace: &Workspace) -> Memory {
    workspace.open_with(|options| MemoryOptions {
        role: AgentRole::Sub,
        agent: "scout".to_owned(),
        ..options
    })
}

#[track_caller]
fn assert_refused<T>(what: &str, outcome: Result<T, MemoryError>) {
    let error = outcome.err().unwrap_or_else(|| panic!("{what} was not refused"));
    assert_eq!(error.outcome(), Outcome::Refused, "{what}: {error}");
    assert!(error.to_string().contains("scout"), "{what}: {error}");
    assert!(error.hint().unwrap().contains("main agent"), "{what}");
}

#[test]
fn a_sub_agent_reads_everything_and_changes_nothing() {
    let workspace = Workspace::new();
    let known = workspace.memory().remember(&request("I prefer tea with honey")).unwrap().id;
    let memories = || {
        let mut files = workspace.files();
        // The index is derived.
        files.retain(|path, _| !path.starts_with("memory.db"));
        files
    };
    let (before, head) = (memories(), workspace.head());
    let sub = as_sub_agent(&workspace);

    assert_refused("remember", sub.remember(&request("I prefer coffee")));
    assert_refused("forget", sub.forget(std::slice::from_ref(&known), false));
    assert_refused("pin", sub.pin(&known, true));
    assert_refused("set_config", sub.set_config("search.max_results", "5"));
    assert_refused("journal_add", sub.journal_add("a line", None));
    assert_refused("project_add", sub.project_add("Harbor", "A map"));
    assert_refused(
        "start_session",
        sub.start_session(&SessionStart { session: "s".into(), ..SessionStart::default() }),
    );
    let observation = Observation::new("s", Role::User, "remember that I like rain");
    assert_refused("observe", sub.observe(&observation, &Nobody, machine_time()));
    assert_refused("graph_index", sub.graph_index(machine_time()).map(drop));
    let ledger: &Ledger = sub.ledger();
    let refused = |outcome: Result<(), LedgerError>| matches!(outcome, Err(LedgerError::SubAgent(_)));
    let provenance = Provenance::manual("test");
    assert!(refused(ledger.rollback_time("HEAD", &provenance).map(drop)));
    assert!(refused(ledger.repair().map(drop)));

    assert_eq!(memories(), before);
    assert_eq!(workspace.head(), head);
    let answer = sub.catch_up_and_recall(&sub.query("tea honey"), machine_time(), &mut |_| {}).unwrap();
    assert!(answer.results.iter().any(|hit| hit.snippet.contains("honey")), "{answer:?}");
    assert!(sub.show_to(&Asking::default(), &known, machine_time()).unwrap().located.text.contains("honey"));
}

#[test]
fn what_a_person_changed_is_left_for_the_main_agent_to_take_in() {
    let workspace = Workspace::new();
    workspace.write("memory/2026-03-01.md", "a note about lanterns");
    let sub = as_sub_agent(&workspace);
    let head = workspace.head();
    assert_eq!(sub.catch_up_and_status().unwrap().git.uncommitted, 1);
    assert_eq!(workspace.head(), head);
    let found = sub.catch_up_and_recall(&sub.query("lanterns"), machine_time(), &mut |_| {}).unwrap();
    assert_eq!(found.results.len(), 1, "it is found all the same");
    workspace.memory().catch_up();
    workspace.assert_well();
}

#[test]
fn an_agent_with_a_name_is_the_actor_of_what_it_does() {
    let workspace = Workspace::new();
    workspace.memory().remember(&request("I prefer tea with honey")).unwrap();
    let named = workspace.open_with(|options| MemoryOptions { agent: "claude".to_owned(), ..options });
    let known = named.remember(&request("Our deploys run on Fridays")).unwrap().id;
    named.forget(&[known], false).unwrap();
    let lines = workspace.memory().ledger().audit(&AuditQuery::default()).unwrap();
    let actors: Vec<&Actor> = lines.iter().map(|line| &line.actor).collect();
    assert!(actors.contains(&&Actor::Bot("trigger-remember".to_owned())), "{actors:?}");
    assert!(
        lines.iter().filter(|line| line.actor == Actor::Bot("claude".to_owned())).count() >= 2,
        "{actors:?}"
    );
    assert!(!actors.contains(&&Actor::Bot("trigger-forget".to_owned())), "{actors:?}");
}

#[test]
fn the_index_as_it_stands_answers_without_a_look_at_the_files_and_says_how_far_it_is_behind() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    workspace.write("memory/reference/one.md", "The lantern hangs by the door.");
    assert!(memory.catch_up_and_index(machine_time(), &mut |_| {}).unwrap().indexed > 0);
    workspace.write("memory/reference/two.md", "Another lantern hangs in the hall.");
    let query = memory.query("lantern");
    let answer = memory.recall_as_indexed(&query, 1, machine_time()).unwrap();
    assert_eq!((answer.results.len(), answer.freshness.files_changed_since), (1, 1));
    let answer = memory.recall(&query, machine_time(), &mut |_| {}).unwrap();
    assert_eq!((answer.results.len(), answer.freshness.files_changed_since), (2, 0));
}
