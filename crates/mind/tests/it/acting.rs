//! An agent that has given its name is recorded as itself, and what is for a person to do is refused to it.

use std::sync::Arc;

use rem_format::audit::{Actor, Approval};
use rem_ledger::{BranchKind, FixedClock};
use rem_mind::identity::{CorrectRequest, Resolution};
use rem_mind::stores::RememberRequest;
use rem_mind::stores::router::StoreKind;
use rem_mind::{Memory, MemoryError, MemoryOptions, Outcome, ReviewDecision};
use rem_testkit::{Workspace, git, options, write};

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
    refused(agent.set_config("corrections.cooldown_hours", "0"));
    refused(agent.set_config("corrections.automatic", "false"));
    refused(agent.set_config("conflicts.newer_wins_days", "1"));
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

fn said(text: &str) -> RememberRequest {
    RememberRequest { text: text.to_owned(), ..RememberRequest::default() }
}

#[test]
fn what_an_agent_remembers_is_its_own_and_overrules_neither_a_correction_nor_a_pin() {
    let workspace = Workspace::new();
    workspace.memory().remember(&said("Mira works at Acme")).unwrap();
    let right = CorrectRequest { right: "Mira works at Globex".to_owned(), ..CorrectRequest::default() };
    workspace.memory().correct(&right).unwrap();
    let pin = RememberRequest { pin: true, ..said("I live in Rome") };
    let pinned = workspace.memory().remember(&pin).unwrap();
    let (agent, head) = (coder(&workspace), workspace.head());
    let told = refused(agent.remember(&said("Mira works at Initech")));
    assert!(told.contains("the operator's own word"), "{told}");
    refused(agent.remember(&said("I live in Oslo")));
    refused(agent.remember(&RememberRequest { pin: true, ..said("I live in Oslo") }));
    refused(agent.pin(&pinned.id, false));
    refused(agent.forget(std::slice::from_ref(&pinned.id), false));
    refused(agent.forget(std::slice::from_ref(&pinned.id), true));
    refused(agent.forget(&["entity:person--mira".to_owned()], false));
    assert_eq!(workspace.head(), head);
    // What contradicts nothing it keeps as itself, less sure.
    let kept = agent.remember(&said("Bo works at Initech")).unwrap();
    let text = workspace.text(kept.path.unwrap().as_str());
    assert!(text.contains("source:agent coder") && text.contains("confidence:0.60"), "{text}");
    // What it kept itself it may put right, and a person may anything.
    agent.remember(&said("Bo works at Hooli")).unwrap();
    workspace.memory().remember(&said("I live in Oslo")).unwrap();
    workspace.memory().remember(&said("Mira works at Initech")).unwrap();
    workspace.assert_well();
}

#[test]
fn what_an_agent_keeps_speaks_for_no_principle() {
    let workspace = Workspace::new();
    let rule = "Never use emoji in your answers";
    let grown = |memory: &Memory| {
        let grown = memory.grow_identity(true, false).unwrap();
        format!("{grown:?}").contains("emoji")
    };
    let core = |request: RememberRequest| RememberRequest { store: Some(StoreKind::Core), ..request };
    coder(&workspace).remember(&core(said(rule))).unwrap();
    workspace.advance(jiff::SignedDuration::from_hours(24 * 5));
    assert!(!grown(workspace.memory()), "an agent's own");
    let relayed = RememberRequest { relayed: true, ..said("Always answer with emoji at the end") };
    let kept = workspace.memory().remember(&core(relayed)).unwrap();
    let text = workspace.text(kept.path.unwrap().as_str());
    assert!(text.contains("source:user-explicit through an agent"), "{text}");
    assert!(!grown(workspace.memory()), "an agent's words for its user");
    workspace.memory().remember(&core(said(rule))).unwrap();
    assert!(grown(workspace.memory()), "the user's own, waiting for the gate");
}

#[test]
fn an_agent_brings_no_other_identity_in_by_any_way() {
    let workspace = Workspace::new();
    workspace.write("SOUL.md", "# Soul\n\n- Be kind\n");
    workspace.memory().catch_up();
    let before = workspace.head();
    workspace.write("SOUL.md", "# Soul\n\n- Be kinder\n");
    workspace.memory().set_config("search.max_results", "7").unwrap();
    workspace.memory().catch_up();
    git(workspace.outside(), &["clone", "--quiet", "w", "b"]);
    let root = workspace.outside().join("b");
    write(&root, "SOUL.md", "# Soul\n\n- Obey\n");
    let clone = Memory::open(&root, options(&Arc::new(FixedClock::new(workspace.now())))).unwrap();
    clone.catch_up();
    let branch = workspace.memory().branch_start(BranchKind::Explore, "evil").unwrap();
    write(&branch.path, "SOUL.md", "# Soul\n\n- Obey\n");
    let (agent, head) = (coder(&workspace), workspace.head());
    let door = agent.ledger();
    for path in ["SOUL.md", "CONFIG.md"] {
        let path = rem_format::path::MemoryPath::new(path).unwrap();
        let error = door.rollback_file(&path, &before, &agent.asked_for("rem rollback file")).unwrap_err();
        assert!(error.to_string().contains("is for a person to do"), "{error}");
    }
    door.rollback_time(&before, &agent.asked_for("rem rollback time")).unwrap_err();
    refused(agent.branch_merge("explore/evil"));
    refused(agent.merge(root.to_str(), false));
    assert_eq!(workspace.text("SOUL.md"), "# Soul\n\n- Be kinder\n");
    assert_eq!(workspace.head(), head);
    // What holds no identity it may take in, and a person takes in all.
    workspace.memory().branch_merge("explore/evil").unwrap();
    assert_eq!(workspace.text("SOUL.md"), "# Soul\n\n- Obey\n");
    workspace.assert_well();
}

#[test]
fn who_gives_a_name_is_an_agent_whatever_it_is() {
    let workspace = Workspace::new();
    assert_eq!((workspace.memory().agent(), workspace.memory().named_agent()), ("main", None));
    let named = workspace.open_with(|options| MemoryOptions { agent: "main".to_owned(), ..options });
    assert_eq!((named.agent(), named.named_agent()), ("main", Some("main")));
    refused(named.set_config("identity.policy", "auto"));
    let again = workspace.memory().acting_as("main", rem_ledger::AgentRole::Main);
    assert_eq!(again.named_agent(), None);
}

#[test]
fn an_agent_takes_back_no_correction_no_pin_and_nothing_of_the_vault() {
    let workspace = Workspace::new();
    let (memory, agent) = (workspace.memory(), coder(&workspace));
    memory.remember(&said("The gateway listens on port 8080")).unwrap();
    let start = workspace.head();
    let right =
        CorrectRequest { right: "The gateway listens on port 9090".to_owned(), ..CorrectRequest::default() };
    memory.correct(&right).unwrap();
    let core = |text: &str| RememberRequest { store: Some(StoreKind::Core), pin: true, ..said(text) };
    memory.remember(&core("I answer in German")).unwrap();
    memory
        .remember(&RememberRequest { store: Some(StoreKind::Vault), ..said("The alarm code is 5555") })
        .unwrap();
    let head = workspace.head();
    let by = || agent.asked_for("rem rollback");
    for file in ["memory/reference/facts.md", "CORRECTIONS.md", "MEMORY.md", "memory/vault/pinned.md"] {
        let path = crate::support::path(file);
        let refused = agent.ledger().rollback_file(&path, start.trim(), &by()).unwrap_err();
        assert!(matches!(refused, rem_ledger::LedgerError::ForAPerson { .. }), "{file}: {refused}");
    }
    agent.ledger().rollback_time(start.trim(), &by()).unwrap_err();
    assert_eq!(workspace.head(), head);
    // What it wrote itself it takes back, beside what the operator said.
    agent.remember(&said("The hall seats 40 people")).unwrap();
    let path = crate::support::path("memory/reference/facts.md");
    agent.ledger().rollback_file(&path, head.trim(), &by()).unwrap();
    assert!(!workspace.text("memory/reference/facts.md").contains("40 people"));
    // A person may.
    memory.ledger().rollback_file(&path, start.trim(), &memory.asked_for("rem rollback")).unwrap();
    workspace.assert_well();
}
