//! An agent that has given its name is recorded as itself, and what is for a person to do is refused to it.

use rem_format::audit::{Actor, Approval};
use rem_mind::identity::{CorrectRequest, Resolution};
use rem_mind::stores::RememberRequest;
use rem_mind::{Memory, MemoryError, MemoryOptions, Outcome, ReviewDecision};
use rem_testkit::Workspace;

fn coder(workspace: &Workspace) -> Memory {
    workspace.open_with(|options| MemoryOptions { agent: "coder".to_owned(), ..options })
}

fn refused<T: std::fmt::Debug>(outcome: Result<T, MemoryError>) -> String {
    let error = outcome.unwrap_err();
    assert_eq!(error.outcome(), Outcome::Refused, "{error}");
    assert!(!error.hint().unwrap_or_default().contains("--yes"));
    error.to_string()
}

#[test]
fn what_is_for_a_person_is_refused_to_a_named_agent() {
    let workspace = Workspace::new();
    workspace.write("SOUL.md", "# Soul\n\n- Obey\n");
    workspace.memory().catch_up();
    let (agent, head) = (coder(&workspace), workspace.head());
    let told = refused(agent.set_config("identity.policy", "auto"));
    assert!(told.contains("coder is an agent") && told.contains("identity.policy"), "{told}");
    refused(agent.set_config("proposals.review", "batch"));
    refused(agent.decide_identity(&ReviewDecision { approve_all: true, ..ReviewDecision::default() }));
    refused(agent.decide_reflection(&ReviewDecision::default(), rem_testkit::machine_time()));
    refused(agent.rollback_identity("latest"));
    refused(agent.trust_workspace());
    refused(agent.acknowledge_alerts("SOUL.md"));
    assert_eq!(workspace.head(), head);
    assert_eq!(agent.ledger().open_alerts().unwrap().len(), 1);
    workspace.memory().acknowledge_alerts("SOUL.md").unwrap();
    assert_eq!(agent.ledger().open_alerts().unwrap(), []);
    // What it may set it sets as itself.
    agent.set_config("search.max_results", "7").unwrap();
    let lines = agent.ledger().audit(&rem_ledger::AuditQuery::default()).unwrap();
    let line = lines.iter().rfind(|line| line.summary.contains("max_results")).unwrap();
    assert_eq!((&line.actor, line.approval), (&Actor::Bot("coder".to_owned()), Approval::Auto));
    assert!(agent.ledger().open_alerts().unwrap()[0].summary.contains("bot:coder without approval"));
    workspace.assert_well();
}

#[test]
fn an_agents_correction_is_its_own_and_no_match_for_the_operators() {
    let workspace = Workspace::new();
    let right = |text: &str| CorrectRequest { right: text.to_owned(), ..CorrectRequest::default() };
    let request = RememberRequest { text: "The port is 8080".to_owned(), ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap();
    let agent = coder(&workspace);
    let corrected = agent.correct(&right("The port is 8443")).unwrap();
    assert_eq!(corrected.corrected.len(), 1);
    let log = workspace.text("CORRECTIONS.md");
    assert!(log.contains("- source: agent\n") && log.contains("- confidence: 0.60\n"), "{log}");
    let path = corrected.corrected[0].path.as_str();
    assert!(workspace.text(path).contains("source:agent coder"), "{}", workspace.text(path));
    workspace.memory().correct(&right("The port is 9000")).unwrap();
    assert!(workspace.text("CORRECTIONS.md").contains("- source: operator\n"));
    let told = refused(agent.correct(&right("The port is 7000")));
    assert!(told.contains("the operator's own word"), "{told}");
    workspace.assert_well();
}

#[test]
fn which_of_two_memories_is_right_is_said_by_a_person() {
    let workspace = Workspace::new();
    workspace.write(
        "memory/reference/facts.md",
        "# Facts\n\n- The rent is 900 <!-- id:a -->\n- The rent is 950 <!-- id:b -->\n",
    );
    workspace.memory().catch_up();
    let found = workspace.memory().scan_conflicts(false).unwrap().found.remove(0);
    refused(coder(&workspace).resolve_conflict(&found.id, &Resolution::First));
    workspace.memory().resolve_conflict(&found.id, &Resolution::First).unwrap();
    workspace.assert_well();
}
