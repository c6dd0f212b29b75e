//! Sub-agents propose, the main agent or a person decides; nothing is lost, doubled or decided behind anybody's back.

use std::collections::BTreeSet;
use std::time::Instant;

use rem_format::audit::{Action, Approval};
use rem_format::proposal::{self, Proposal};
use rem_ledger::fault::APPLY_POINTS;
use rem_ledger::{AgentRole, AuditQuery, ChangeSet, LedgerError, Provenance};
use rem_mind::agents::{
    CommitRequest, ProposalState, ProposeEffect, ProposeOutcome, ProposeRequest, Reviewer, Which,
};
use rem_mind::identity::{CorrectRequest, CorrectionStatus, Resolution};
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberRequest};
use rem_mind::{Memory, MemoryOptions, Outcome};
use rem_testkit::{Workspace, machine_time};

use crate::support::{self, DONE, in_a_process, in_both_layouts, path, placed};

const PENDING: &str = "memory/meta/pending-memories.md";
const REJECTED: &str = "memory/meta/rejected-memories.md";

fn sub(workspace: &Workspace, name: &str) -> Memory {
    workspace.open_with(|options| MemoryOptions { role: AgentRole::Sub, agent: name.to_owned(), ..options })
}

fn request(text: &str) -> ProposeRequest {
    ProposeRequest { text: text.to_owned(), ..ProposeRequest::default() }
}

fn propose(workspace: &Workspace, name: &str, text: &str) -> ProposeOutcome {
    sub(workspace, name).propose(&request(text)).unwrap()
}

fn these(numbers: &[u64]) -> CommitRequest {
    CommitRequest { which: Which::These(numbers.to_vec()), ..CommitRequest::default() }
}

fn all() -> CommitRequest {
    CommitRequest { which: Which::All, ..CommitRequest::default() }
}

fn numbers(memory: &Memory) -> Vec<u64> {
    memory.proposals().unwrap().proposals.iter().map(|each| each.number).collect()
}

fn remember(workspace: &Workspace, text: &str) {
    let request = RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap();
}

#[test]
fn what_a_sub_agent_proposes_waits_and_is_committed_with_who_proposed_and_who_approved() {
    for workspace in in_both_layouts() {
        let scout = sub(&workspace, "researcher");
        let secret =
            format!("The staging key is sk-{}", "ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF");
        let first = scout
            .propose(&ProposeRequest {
                trigger: Some("auto-detect during research task".to_owned()),
                session: Some("s-1".to_owned()),
                tags: vec!["sources".to_owned()],
                ..request("Mira lives in Lyon")
            })
            .unwrap();
        assert_eq!((first.effect, first.number, first.conflicts.len()), (ProposeEffect::Proposed, 1, 0));
        assert_eq!(propose(&workspace, "coder", &secret).number, 2);
        let file = workspace.text(&placed(&workspace, PENDING));
        assert!(
            file.contains(
                "---\n## Proposal #1\n- **From**: researcher\n- **Timestamp**: 2026-03-01T09:00:00Z\n"
            ),
            "{file}"
        );
        assert!(file.contains("- **Session**: s-1\n") && !file.contains("abcdefghijklm"), "{file}");
        let status = workspace.memory().status().unwrap();
        assert_eq!(status.pending.proposals, 2);
        // What is only proposed is no memory.
        let query = scout.query("Mira Lyon");
        let found = scout.catch_up_and_recall(&query, machine_time(), &mut |_| {}).unwrap();
        assert!(found.results.is_empty(), "{found:?}");

        let done = workspace
            .memory()
            .commit_proposals(&CommitRequest { reviewer: Reviewer::Person, ..these(&[1]) })
            .unwrap();
        let entity = placed(&workspace, "memory/graph/entities/person--mira.md");
        assert_eq!(done.committed[0].path.as_str(), entity);
        assert_eq!((done.committed[0].effect, done.committed[0].store), (Effect::Added, StoreKind::Semantic));
        assert!(workspace.text(&entity).contains("source:proposal #1 of researcher, session s-1"));
        let message = workspace.git(&["log", "-1", "--format=%B"]);
        for said in [
            "Actor: bot:commit-from:researcher",
            "Approval: approved",
            "Session: s-1",
            "accepted by a person",
            "accepted proposal #1",
        ] {
            assert!(message.contains(said), "{said}: {message}");
        }
        assert_eq!(
            workspace
                .git(&["log", "-1", "--name-only", "--format="])
                .lines()
                .filter(|line| line.contains("pending"))
                .count(),
            1
        );
        assert_eq!(numbers(workspace.memory()), [2]);
        // Its number is nobody else's.
        assert_eq!(propose(&workspace, "coder", "The harbor office opens at nine").number, 3);
        let lines = workspace.memory().ledger().audit(&AuditQuery::default()).unwrap();
        let has = |action, actor: &str, approval| {
            lines.iter().any(|line| {
                line.action == action && line.actor.to_string() == actor && line.approval == approval
            })
        };
        assert!(has(Action::Propose, "subagent:researcher", Approval::Pending), "{lines:#?}");
        assert!(has(Action::Commit, "bot:commit-from:researcher", Approval::Approved), "{lines:#?}");
        workspace.assert_well();
    }
}

#[test]
fn the_file_of_proposals_is_all_that_a_sub_agent_may_write_and_only_to_propose() {
    let workspace = Workspace::new();
    let scout = sub(&workspace, "scout");
    propose(&workspace, "scout", "The boat lies in the shed");
    let head = workspace.head();
    assert_eq!(scout.commit_proposals(&all()).unwrap_err().outcome(), Outcome::Refused);
    let rejected = scout.reject_proposals(&Which::All, "", Reviewer::Person).unwrap_err();
    assert_eq!(rejected.outcome(), Outcome::Refused);
    assert_eq!(scout.defer_proposals(&Which::All, Reviewer::Agent).unwrap_err().outcome(), Outcome::Refused);
    let own = Provenance::new("subagent:scout".parse().unwrap(), Approval::Pending, "t");
    let append = |to: &str| ChangeSet::new().append(path(to), "x\n", "x").action(&path(to), Action::Propose);
    let refused = |set: &ChangeSet<'_>, provenance: &Provenance| {
        matches!(scout.ledger().apply(set, provenance), Err(LedgerError::SubAgent(_)))
    };
    assert!(refused(&append("MEMORY.md"), &own));
    assert!(refused(&append(REJECTED), &own));
    assert!(refused(&append(PENDING).and(append("MEMORY.md")), &own));
    assert!(refused(&append(PENDING), &Provenance::manual("t")));
    assert!(refused(&ChangeSet::new().append(path(PENDING), "x\n", "x"), &own));
    let gone = ChangeSet::new().delete(path(PENDING), "x").action(&path(PENDING), Action::Propose);
    assert!(refused(&gone, &own));
    assert_eq!(workspace.head(), head);
    // Whom it says it is from is up to who started it.
    let claimed =
        ProposeRequest { from: Some("main".to_owned()), ..request("The tide table hangs in the hall") };
    assert_eq!(scout.propose(&claimed).unwrap().effect, ProposeEffect::Proposed);
    assert_eq!(workspace.memory().proposals().unwrap().proposals[1].from, "scout");
    workspace.assert_well();
}

#[test]
fn what_waits_already_was_rejected_or_is_known_is_told() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    remember(&workspace, "Mira lives in Lyon");
    let known = propose(&workspace, "scout", "Mira lives in Lyon.");
    assert_eq!(known.known.unwrap().as_str(), "memory/graph/entities/person--mira.md");
    let done = memory.commit_proposals(&these(&[1])).unwrap();
    assert_eq!(done.committed[0].effect, Effect::Merged);
    assert!(workspace.text("memory/graph/entities/person--mira.md").contains("mentions:2"));

    let text = "Deploys are done on Fridays after lunch";
    assert_eq!(propose(&workspace, "scout", text).number, 2);
    let again = propose(&workspace, "coder", "Deploys are done on Fridays after lunch!");
    assert_eq!((again.effect, again.number, again.change.as_str()), (ProposeEffect::Waiting, 2, ""));
    let decided = memory.reject_proposals(&Which::These(vec![2]), "said in jest", Reviewer::Agent).unwrap();
    assert_eq!((decided.numbers, decided.gone), (vec![2], vec![]));
    let kept = workspace.text(REJECTED);
    assert!(
        kept.contains(text)
            && kept.contains("- **Status**: rejected\n")
            && kept.contains("- **Reason**: said in jest\n"),
        "{kept}"
    );
    let lines = memory.ledger().audit(&AuditQuery::default()).unwrap();
    let line = lines.iter().find(|line| line.action == Action::Reject).unwrap();
    assert_eq!(
        (line.actor.to_string().as_str(), line.summary.as_str()),
        ("bot:main", "rejected proposal #2 — said in jest")
    );

    let again = propose(&workspace, "coder", text);
    assert_eq!(
        (again.effect, again.number, again.reason.as_deref()),
        (ProposeEffect::Rejected, 2, Some("said in jest"))
    );
    let anew = ProposeRequest { evidence: Some("the team's page says so".to_owned()), ..request(text) };
    let anew = sub(&workspace, "coder").propose(&anew).unwrap();
    assert_eq!((anew.effect, anew.number), (ProposeEffect::Proposed, 3));
    let refused = memory.commit_proposals(&these(&[9])).unwrap_err();
    assert_eq!(refused.to_string(), "there is no proposal #9");
    assert_eq!(memory.commit_proposals(&these(&[2])).unwrap().gone, [2]);

    let contradicting = propose(&workspace, "scout", "Mira lives in Bremen");
    assert_eq!(contradicting.contradicts.as_deref(), Some("Mira lives in Lyon"));
    let weighed = memory.weigh_proposal(contradicting.number).unwrap();
    assert_eq!((weighed.contradicts.as_deref(), weighed.suggested), (Some("Mira lives in Lyon"), false));
    workspace.assert_well();
}

#[test]
fn where_a_proposal_goes_is_its_own_word_or_that_of_who_decides() {
    let workspace = Workspace::new();
    let scout = sub(&workspace, "scout");
    let to =
        |store, text: &str| scout.propose(&ProposeRequest { store: Some(store), ..request(text) }).unwrap();
    to(StoreKind::Episodic, "The team chose the blue plan");
    to(StoreKind::Procedural, "How to reef: ease the sheet, lower the sail, tie it");
    to(StoreKind::Vault, "The spare key hangs behind the mast");
    scout.propose(&ProposeRequest { core_worthy: true, ..request("Answers are to be short") }).unwrap();
    to(StoreKind::Semantic, "The anchor weighs nine kilos");
    let memory = workspace.memory();
    let done = memory.commit_proposals(&all()).unwrap();
    let paths: Vec<&str> = done.committed.iter().map(|each| each.path.as_str()).collect();
    assert_eq!(paths[0], "memory/episodes/2026-03-01.md");
    assert!(paths[1].starts_with("memory/procedures/"), "{paths:?}");
    assert_eq!(paths[2..4], ["memory/vault/pinned.md", "MEMORY.md"]);
    let changes: BTreeSet<&str> = done.committed.iter().map(|each| each.change.as_str()).collect();
    assert_eq!(changes.len(), 1, "one agent's are one change");
    propose(&workspace, "scout", "The jib is of 2019");
    let vault = CommitRequest { store: Some(StoreKind::Vault), ..these(&[6]) };
    assert_eq!(memory.commit_proposals(&vault).unwrap().committed[0].path.as_str(), "memory/vault/pinned.md");
    propose(&workspace, "scout", "The mast is of wood");
    let edited = CommitRequest { text: Some("The mast is of spruce".to_owned()), ..these(&[7]) };
    let path = memory.commit_proposals(&edited).unwrap().committed[0].path.clone();
    assert!(
        workspace.text(path.as_str()).contains("of spruce")
            && !workspace.text(path.as_str()).contains("of wood")
    );
    workspace.assert_well();
}

#[test]
fn proposals_that_contradict_each_other_are_both_marked_and_wait_for_a_choice() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    propose(&workspace, "researcher", "The project deadline is March 15");
    propose(&workspace, "scout", "The quay is closed on Mondays");
    let second = propose(&workspace, "coder", "The project deadline is March 30");
    assert_eq!(second.conflicts, [1]);
    let file = workspace.text(PENDING);
    assert!(
        file.contains("## Proposal #1 ⚠️ CONFLICT with #3\n")
            && file.contains("## Proposal #3 ⚠️ CONFLICT with #1\n"),
        "{file}"
    );
    assert!(
        file.contains("- **Status**: conflict — see #3\n")
            && file.contains("- **Status**: conflict — see #1\n"),
        "{file}"
    );
    let states: Vec<_> = memory.proposals().unwrap().proposals.iter().map(|each| each.status).collect();
    assert_eq!(states, [ProposalState::Conflict, ProposalState::Pending, ProposalState::Conflict]);

    let error = memory.commit_proposals(&these(&[3])).unwrap_err();
    assert!(
        error.to_string().contains("#3 of coder") && error.to_string().contains("#1 of researcher"),
        "{error}"
    );
    assert!(error.hint().unwrap().contains("--resolve"));
    let both = CommitRequest { resolve: true, ..these(&[1, 3]) };
    assert_eq!(memory.commit_proposals(&both).unwrap_err().outcome(), Outcome::Usage);
    let done = memory.commit_proposals(&all()).unwrap();
    assert_eq!((done.committed.len(), done.conflicting), (1, vec![1, 3]));
    let done = memory.commit_proposals(&CommitRequest { resolve: true, ..these(&[3]) }).unwrap();
    assert_eq!((done.committed.len(), done.rejected), (1, vec![1]));
    assert!(workspace.text(REJECTED).contains("- **Reason**: it contradicts #3, which was accepted\n"));
    assert_eq!(numbers(memory), [] as [u64; 0]);

    // Rejecting one sets the other free, and one that came in by hand is found.
    let by_hand = "\n---\n## Proposal #4\n- **From**: scout\n- **Content**: The hall is open\n\n## Proposal #5\n- **From**: coder\n- **Content**: The hall is closed\n";
    workspace.write(PENDING, workspace.text(PENDING) + by_hand);
    memory.catch_up();
    let done = memory.commit_proposals(&all()).unwrap();
    assert!(done.committed.is_empty(), "{done:?}");
    assert!(workspace.text(PENDING).contains("## Proposal #5 ⚠️ CONFLICT with #4\n"));
    memory.reject_proposals(&Which::These(vec![4]), "", Reviewer::Person).unwrap();
    assert!(
        workspace.text(PENDING).contains("## Proposal #5\n")
            && workspace.text(PENDING).contains("- **Status**: pending\n")
    );
    workspace.assert_well();
}

#[test]
fn what_is_put_off_stays_and_nobody_is_asked_until_it_is_named() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    propose(&workspace, "scout", "The quay is closed on Mondays");
    assert_eq!(memory.defer_proposals(&Which::All, Reviewer::Agent).unwrap().numbers, [1]);
    assert!(workspace.text(PENDING).contains("- **Status**: deferred\n"));
    assert_eq!(
        (memory.pending().unwrap().proposals, memory.commit_proposals(&all()).unwrap().committed.len()),
        (0, 0)
    );
    assert_eq!(memory.commit_proposals(&these(&[1])).unwrap().committed.len(), 1);
    workspace.assert_well();
}

#[test]
fn the_mode_says_who_decides_and_what_concerns_the_vault_or_the_identity_always_waits() {
    let mut workspace = Workspace::new();
    workspace.set("proposals.review", "manual");
    propose(&workspace, "scout", "The quay is closed on Mondays");
    let refused = workspace.memory().commit_proposals(&all()).unwrap_err();
    assert_eq!(refused.outcome(), Outcome::Refused);
    assert!(refused.hint().unwrap().contains("rem proposals review"));
    let by_person = CommitRequest { reviewer: Reviewer::Person, ..all() };
    assert_eq!(workspace.memory().commit_proposals(&by_person).unwrap().committed.len(), 1);

    workspace.set("proposals.review", "auto_commit");
    workspace.set("proposals.trusted_agents", "[scout]");
    let sure = |text: &str| ProposeRequest {
        confidence: Some(rem_format::episode::Certainty::High),
        ..request(text)
    };
    let trusting = |name: &str| {
        workspace.open_with(|options| MemoryOptions {
            role: AgentRole::Sub,
            agent: name.to_owned(),
            trusts_providers: true,
            ..options
        })
    };
    let scout = trusting("scout");
    let done = scout.propose(&sure("The ferry leaves from pier nine")).unwrap();
    assert_eq!(done.effect, ProposeEffect::Committed, "{done:?}");
    let message = workspace.git(&["log", "-1", "--format=%B"]);
    assert!(message.contains("Actor: bot:commit-from:scout") && message.contains("auto_commit"), "{message}");
    let waits = |memory: &Memory, request: ProposeRequest| {
        assert_eq!(memory.propose(&request).unwrap().effect, ProposeEffect::Proposed, "{request:?}");
    };
    waits(&scout, request("The lamp is of brass"));
    waits(&scout, ProposeRequest { store: Some(StoreKind::Vault), ..sure("The code of the shed is blue") });
    waits(&scout, sure("My name is Jonas"));
    waits(&trusting("stranger"), sure("The rudder is of oak"));
    // Nobody trusts this workspace's own words.
    waits(&sub(&workspace, "scout"), sure("The keel is of iron"));
    waits(&trusting("stranger"), sure("The project deadline is March 30"));
    waits(&scout, sure("The project deadline is March 15"));
    remember(&workspace, "Mira lives in Bremen");
    waits(&scout, sure("Mira lives in Lyon"));
    workspace.assert_well();
}

#[test]
fn a_file_edited_into_nonsense_loses_nothing_and_stops_no_other() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    propose(&workspace, "scout", "The quay is closed on Mondays");
    propose(&workspace, "scout", "The lamp is of brass");
    let nonsense = workspace
        .text(PENDING)
        .replace("\n- **From**: scout\n- **Timestamp**: 2026", "\n- **Frm**: \n- **Timestamp**: 20x6")
        + "\nnot for you\n## Proposal #\n- who knows\n## Proposal #1\n- **Content**: another one\n```\n- [ ] x\n";
    workspace
        .write(PENDING, nonsense.as_bytes().iter().copied().chain(*b"\xff\xfe\r\n").collect::<Vec<u8>>());
    memory.catch_up();
    let shown = memory.proposals().unwrap();
    assert_eq!((shown.proposals.len(), shown.broken.len()), (2, 2), "{shown:#?}");
    let findings = memory.verify().unwrap().findings;
    assert_eq!(
        findings.iter().filter(|finding| finding.path.as_deref() == Some(PENDING)).count(),
        2,
        "{findings:#?}"
    );
    assert_eq!(propose(&workspace, "scout", "The rope is blue").number, 3);
    let done = memory.commit_proposals(&all()).unwrap();
    assert_eq!((done.committed.len(), done.failed.len()), (3, 0), "{done:#?}");
    assert_eq!(done.committed[0].from, "unknown");
    let left = String::from_utf8_lossy(&workspace.read(PENDING).unwrap()).into_owned();
    for kept in
        ["not for you\n## Proposal #\n- who knows\n", "another one\n```\n- [ ] x\n\u{fffd}\u{fffd}\r\n"]
    {
        assert!(left.contains(kept), "{left}");
    }
}

#[test]
fn one_that_cannot_be_written_stops_no_other_and_waits() {
    let workspace = Workspace::new();
    workspace.write("memory/vault/pinned.md", b"# Pinned\n\xff\xfe\n");
    let scout = sub(&workspace, "scout");
    scout.propose(&ProposeRequest { store: Some(StoreKind::Vault), ..request("The code is blue") }).unwrap();
    propose(&workspace, "scout", "The quay is closed on Mondays");
    let memory = workspace.memory();
    let done = memory.commit_proposals(&all()).unwrap();
    assert_eq!((done.committed.len(), done.failed.len(), done.failed[0].number), (1, 1, 1));
    assert!(done.failed[0].why.contains("pinned.md"), "{}", done.failed[0].why);
    assert_eq!(numbers(memory), [1]);
    assert!(memory.commit_proposals(&these(&[1])).unwrap_err().to_string().contains("#1"));
}

#[test]
fn what_makes_memory_md_too_long_makes_room_there() {
    let mut workspace = Workspace::new();
    workspace.set("core.token_cap", "500");
    for number in 0..12 {
        let text = format!("The habit of day {number} is walking {number} miles");
        let request = ProposeRequest { core_worthy: true, ..request(&text) };
        sub(&workspace, "scout").propose(&request).unwrap();
    }
    let done = workspace.memory().commit_proposals(&all()).unwrap();
    assert_eq!(done.committed.len(), 12);
    assert!(done.committed.iter().any(|each| !each.demoted.is_empty()), "{done:#?}");
    workspace.assert_well();
}

#[test]
fn of_two_who_decide_at_once_each_proposal_is_decided_by_one() {
    let workspace = Workspace::new();
    for number in 0..8 {
        propose(
            &workspace,
            if number % 2 == 0 { "scout" } else { "coder" },
            &format!("Berth {number} is {number} meters wide"),
        );
    }
    let (mut committed, mut rejected) = (Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        let committing: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let memory = workspace.open();
                    (1..=8)
                        .flat_map(|number| memory.commit_proposals(&these(&[number])).unwrap().committed)
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let rejecting = scope.spawn(|| {
            let memory = workspace.open();
            let reject = |number| {
                memory.reject_proposals(&Which::These(vec![number]), "", Reviewer::Agent).unwrap().numbers
            };
            (1..=8).rev().flat_map(reject).collect::<Vec<_>>()
        });
        committed =
            committing.into_iter().flat_map(|each| each.join().unwrap()).map(|each| each.number).collect();
        rejected = rejecting.join().unwrap();
    });
    let mut decided: Vec<u64> = committed.iter().chain(&rejected).copied().collect();
    decided.sort_unstable();
    assert_eq!(decided, (1..=8).collect::<Vec<u64>>(), "{committed:?} {rejected:?}");
    let facts = workspace.read("memory/reference/facts.md").unwrap_or_default();
    let facts = String::from_utf8(facts).unwrap();
    for number in 1..=8 {
        let text = format!("Berth {} is", number - 1);
        let entity = workspace
            .files()
            .into_iter()
            .filter(|(name, _)| name.starts_with("memory/graph/entities"))
            .collect::<Vec<_>>();
        let count = facts.matches(&text).count()
            + entity
                .iter()
                .map(|(_, bytes)| String::from_utf8_lossy(bytes).matches(&format!("- {text}")).count())
                .sum::<usize>();
        assert_eq!(count, usize::from(committed.contains(&number)), "#{number}");
    }
    workspace.assert_well();
}

#[test]
fn both_of_two_that_contradict_each_other_may_be_kept_until_the_operator_decides() {
    for workspace in in_both_layouts() {
        propose(&workspace, "researcher", "The project deadline is March 15");
        propose(&workspace, "coder", "The project deadline is March 30");
        propose(&workspace, "coder", "The rope is blue");
        let both = CommitRequest { both: true, store: Some(StoreKind::Core), ..these(&[1]) };
        let outcome = workspace.memory().commit_proposals(&both).unwrap();
        let committed: Vec<(u64, Effect)> =
            outcome.committed.iter().map(|each| (each.number, each.effect)).collect();
        assert_eq!(committed, [(1, Effect::Added), (2, Effect::Added)], "{outcome:?}");
        assert_eq!(numbers(workspace.memory()), [3]);
        let page = workspace.text(outcome.committed[0].path.as_str());
        let line = |port: &str| page.lines().find(|line| line.contains(port)).unwrap().to_owned();
        assert!(line("March 15").contains("contradicts:proposal #2 of coder"), "{page}");
        assert!(line("March 30").contains("contradicts:proposal #1 of researcher"), "{page}");
        assert!(line("March 15").contains("confidence:0.30") && !page.contains("~~"), "{page}");
        let [asked] = &outcome.asked[..] else { panic!("{outcome:?}") };
        let waiting = workspace.memory().conflicts().unwrap();
        assert!(waiting.iter().any(|each| each.id == *asked && each.kept.is_none()), "{waiting:?}");
        workspace.memory().resolve_conflict(asked, &Resolution::Second).unwrap();
        let page = workspace.text(outcome.committed[0].path.as_str());
        assert!(page.contains("was:The project deadline is March 15 ("), "{page}");
        workspace.assert_well();
    }
}

#[test]
fn victim() {
    support::victim(|memory, _| memory.commit_proposals(&all()).is_ok());
}

#[test]
fn both_go_to_one_store_whatever_their_words_say_and_the_operator_is_asked() {
    let workspace = Workspace::new();
    propose(&workspace, "researcher", "Project deadline is March 15");
    propose(&workspace, "planner", "Project deadline is March 30");
    let both = CommitRequest { both: true, ..these(&[1]) };
    let outcome = workspace.memory().commit_proposals(&both).unwrap();
    assert_eq!(outcome.committed.len(), 2, "{outcome:?}");
    assert_eq!(outcome.asked.len(), 1, "{outcome:?}");
    let conflicts = workspace.memory().conflicts().unwrap();
    assert_eq!((conflicts.len(), &conflicts[0].kept), (1, &None), "{conflicts:?}");
    workspace.assert_well();
}

#[test]
fn killed_at_any_step_a_proposal_is_pending_or_a_memory_and_never_both() {
    let (mut before, mut after) = (0, 0);
    for point in APPLY_POINTS {
        // A change writes several files.
        for nth in 1..=if point.starts_with("files.") { 2 } else { 1 } {
            let workspace = Workspace::new();
            propose(&workspace, "scout", "Mira lives in Lyon");
            match in_a_process("proposing::victim", &workspace, point, nth, "") {
                Some(DONE) => break,
                code => assert_eq!(code, None, "{point} #{nth} did not kill"),
            }
            let memory = workspace.open();
            memory.catch_up();
            let entity = workspace.read("memory/graph/entities/person--mira.md");
            assert_eq!(numbers(&memory).len(), usize::from(entity.is_none()), "{point} #{nth}");
            *if entity.is_none() { &mut before } else { &mut after } += 1;
            memory.commit_proposals(&all()).unwrap();
            let entity = workspace.text("memory/graph/entities/person--mira.md");
            assert_eq!(
                (entity.matches("- Mira lives in Lyon").count(), entity.contains("mentions:2")),
                (1, false)
            );
            workspace.assert_well();
        }
    }
    assert!(before >= 3 && after > 5, "{before} {after}");
}

#[test]
fn a_thousand_proposals_are_listed_and_committed_in_no_time_that_grows_with_their_square() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    let mut page = workspace.read(PENDING).unwrap();
    for number in 1..=1_000_u64 {
        let content = format!("Crate {number} stands in row {}", number % 37);
        let from = ["scout", "coder"][usize::from(number % 2 == 0)].to_owned();
        let store = "episodic".to_owned();
        page = proposal::append(
            Some(&page),
            "",
            &Proposal { number, content, from, store, ..Proposal::default() },
        );
    }
    workspace.write(PENDING, page);
    memory.catch_up();
    let begun = Instant::now();
    assert_eq!(memory.proposals().unwrap().proposals.len(), 1_000);
    let listed = begun.elapsed();
    assert_eq!(propose(&workspace, "scout", "The last one is a barrel").number, 1_001);
    let proposed = begun.elapsed() - listed;
    let commits = || workspace.git(&["rev-list", "--count", "HEAD"]).trim().parse::<u64>().unwrap();
    let before = commits();
    let done = memory.commit_proposals(&all()).unwrap();
    let committed = begun.elapsed() - listed - proposed;
    assert_eq!((done.committed.len(), done.failed.len()), (1_001, 0));
    assert!(commits() - before < 30, "{}", commits() - before);
    assert!(
        listed.as_secs() < 5 && proposed.as_secs() < 10 && committed.as_secs() < 90,
        "{listed:?} {proposed:?} {committed:?}"
    );
    workspace.assert_well();
}

#[test]
fn a_person_is_told_that_a_proposal_goes_against_their_word_and_may_change_it() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    let corrected = CorrectRequest {
        wrong: Some("Mira lives in Bonn".to_owned()),
        right: "Mira lives in Cologne".to_owned(),
        ..CorrectRequest::default()
    };
    memory.correct(&corrected).unwrap();
    let number = propose(&workspace, "researcher", "Mira lives in Bonn").number;
    assert_eq!(memory.weigh_proposal(number).unwrap().denied.as_deref(), Some("Mira lives in Cologne"));
    assert_eq!(memory.commit_proposals(&all()).unwrap().failed.len(), 1, "no agent decides that");
    memory.commit_proposals(&CommitRequest { reviewer: Reviewer::Person, ..these(&[number]) }).unwrap();
    let standing = memory.corrections().unwrap();
    assert!(standing.iter().all(|each| each.status == CorrectionStatus::Retracted), "{standing:?}");
}
