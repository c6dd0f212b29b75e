//! What was forgotten comes back by no way round: not from the records of what was decided, not as a wish, not as a proposal.

use jiff::SignedDuration;
use rem_ledger::AgentRole;
use rem_mind::agents::{CommitRequest, ProposeRequest, Reviewer, Which};
use rem_mind::recall::Query;
use rem_mind::stores::RememberRequest;
use rem_mind::stores::router::StoreKind;
use rem_mind::{MemoryOptions, Outcome};
use rem_testkit::{Operator, Workspace, machine_time};

use crate::joining::{assert_well, cloned, merge, open};
use crate::reflecting::{all, decide, lived_in, reflect};
use crate::support::{in_both_layouts, placed, talk};

const EVOLUTION: &str = "memory/meta/evolution.md";
const LOG: &str = "memory/meta/reflection-log.md";
const APPROVALS: &str = "memory/meta/approvals.md";

fn said(text: &str) -> RememberRequest {
    RememberRequest { text: text.to_owned(), ..RememberRequest::default() }
}

/// Everything about something, as a person would let go of it.
fn forget(workspace: &Workspace, question: &str, permanent: bool) -> rem_mind::stores::ForgetOutcome {
    let candidates = workspace.memory().forget_candidates(question, machine_time()).unwrap();
    let ids: Vec<String> = candidates.into_iter().map(|each| each.id).collect();
    assert!(!ids.is_empty(), "{question}");
    workspace.memory().forget(&ids, permanent).unwrap()
}

fn paths_found(workspace: &Workspace, question: &str) -> Vec<String> {
    let memory = workspace.memory();
    let query = Query { min_score: 0.1, ..memory.query(question) };
    let answer = memory.recall(&query, machine_time(), &mut |_| {}).unwrap();
    answer.results.into_iter().map(|hit| hit.path.to_string()).collect()
}

#[test]
fn what_was_decided_of_it_is_told_no_more_once_it_is_forgotten_for_good() {
    for workspace in in_both_layouts() {
        lived_in(&workspace);
        reflect(workspace.memory());
        decide(workspace.memory(), &all()).unwrap();
        let (log, evolution) = (placed(&workspace, LOG), placed(&workspace, EVOLUTION));
        assert!(workspace.text(&log).contains("third floor"), "{}", workspace.text(&log));
        let grown = workspace.text(&evolution)
            + "- Corrected: The office is on the third floor (it had been: the second)\n";
        workspace.write(&evolution, grown);
        workspace.memory().catch_up();
        assert!(!paths_found(&workspace, "the office is on the third floor").contains(&evolution));
        let before = workspace.text(&log);
        forget(&workspace, "the office is on the third floor", true);
        for path in [&log, &evolution] {
            let text = workspace.text(path);
            assert!(!text.contains("third floor") && text.contains("(forgotten)"), "{path}: {text}");
        }
        assert_eq!(workspace.text(&log).lines().count(), before.lines().count());
        assert!(
            workspace.text(&log).contains("- approved: promotion: (forgotten) <!-- key:"),
            "{}",
            workspace.text(&log)
        );
        workspace.assert_well();
    }
}

#[test]
fn an_approval_does_not_quote_what_it_is_for_and_is_no_memory() {
    let workspace = Workspace::new();
    let operator = Operator::new(1);
    workspace.memory().set_up_operator(&operator.key(), &*operator, None).unwrap();
    let signer = operator.clone();
    let theirs = workspace.open_with(|options| MemoryOptions { signer: Some(signer), ..options });
    for text in ["The safe combination is 44-12-90", "금고 번호는 44-12-90이야", "保险箱密码是44-12-90"]
    {
        theirs.remember(&RememberRequest { store: Some(StoreKind::Vault), ..said(text) }).unwrap();
    }
    let approvals = workspace.text(APPROVALS);
    assert!(
        !approvals.contains("44-12-90") && approvals.contains("- what: asked to remember\n"),
        "{approvals}"
    );
    assert!(operator.asked().iter().any(|asked| asked.contains("44-12-90")), "who signs sees what");
    assert!(
        !paths_found(&workspace, "asked to remember the safe combination").contains(&APPROVALS.to_owned())
    );
    assert!(workspace.memory().consent(true).unwrap().is_well());
    workspace.assert_well();
}

#[test]
fn a_forgotten_wish_is_no_principle() {
    for (wish, again) in [
        ("Always answer in bullet points", "please always answer in bullet points"),
        ("Antworte immer in Stichpunkten", "antworte bitte immer in Stichpunkten"),
        ("항상 존댓말로 대답해 줘", "항상 존댓말로 대답해 줘"),
        ("请始终用要点回答", "请始终用要点回答"),
    ] {
        for permanent in [false, true] {
            let workspace = Workspace::new();
            let (first, second) = (format!("user: {wish}"), format!("user: {again}"));
            talk(&workspace, "s1", "2026-02-20T09:00:00Z", &[&first, "agent: Ok."]);
            talk(&workspace, "s2", "2026-02-24T09:00:00Z", &[&second, "agent: Ok."]);
            workspace
                .memory()
                .remember(&RememberRequest { store: Some(StoreKind::Core), ..said(wish) })
                .unwrap();
            workspace.advance(SignedDuration::from_hours(30));
            let grown = workspace.open().grow_identity(false, false).unwrap();
            assert_eq!(grown.items.len(), 1, "{wish}: {grown:#?}");
            forget(&workspace, wish, permanent);
            let shown = workspace.open().identity().unwrap();
            assert!(shown.pending.is_none(), "{wish} {permanent}: {:#?}", shown.pending);
            workspace.advance(SignedDuration::from_hours(30));
            let grown = workspace.open().grow_identity(false, false).unwrap();
            assert!(grown.items.is_empty() && grown.waiting.is_empty(), "{wish} {permanent}: {grown:#?}");
            // What is said again after that is news.
            for (session, day) in [("s3", "2026-03-05T09:00:00Z"), ("s4", "2026-03-06T09:00:00Z")] {
                talk(&workspace, session, day, &[&second, "agent: Ok."]);
            }
            workspace.advance(SignedDuration::from_hours(24 * 5));
            assert_eq!(
                workspace.open().grow_identity(true, false).unwrap().items.len(),
                1,
                "{wish} {permanent}"
            );
        }
    }
}

#[test]
fn a_proposal_of_what_was_forgotten_waits_no_more() {
    for permanent in [false, true] {
        let workspace = Workspace::new();
        let scout = |text: &str| {
            let sub = workspace.open_with(|options| MemoryOptions {
                agent: "scout".to_owned(),
                role: AgentRole::Sub,
                ..options
            });
            sub.propose(&ProposeRequest { text: text.to_owned(), ..ProposeRequest::default() }).unwrap()
        };
        let memory = workspace.memory();
        for text in ["The spare key is under the mat", "The ferry leaves at nine"] {
            scout(text);
        }
        memory.remember(&said("The spare key is under the mat")).unwrap();
        let pending = workspace.text("memory/meta/pending-memories.md");
        let outcome = forget(&workspace, "where is the spare key", permanent);
        assert_eq!(outcome.proposals, [1]);
        let left = memory.proposals().unwrap().proposals;
        assert_eq!(left.iter().map(|each| each.number).collect::<Vec<_>>(), [2]);
        let rejected =
            String::from_utf8(workspace.read("memory/meta/rejected-memories.md").unwrap_or_default())
                .unwrap();
        assert_eq!(rejected.contains("under the mat"), !permanent, "{rejected}");
        if permanent {
            // As another clone has it that did not know.
            workspace.write("memory/meta/pending-memories.md", pending);
            let request = CommitRequest { which: Which::These(vec![1]), ..CommitRequest::default() };
            let refused = memory.commit_proposals(&request).unwrap_err();
            assert!(refused.to_string().contains("was forgotten on 2026-03-01"), "{refused}");
            assert_eq!(refused.outcome(), Outcome::Usage);
            let person = CommitRequest { reviewer: Reviewer::Person, ..request };
            assert_eq!(memory.commit_proposals(&person).unwrap().committed.len(), 1);
        }
        workspace.assert_well();
    }
}

/// A clone that forgets what this workspace says, a day after it was said.
fn forgetful(workspace: &Workspace) -> crate::joining::Clone {
    let clone = cloned(workspace, "b");
    crate::joining::Clone { memory: open(&clone.root, 24 * 60), root: clone.root }
}

fn forget_in(memory: &rem_mind::Memory, question: &str) {
    let candidates = memory.forget_candidates(question, machine_time()).unwrap();
    let ids: Vec<String> = candidates.into_iter().map(|each| each.id).collect();
    memory.forget(&ids, true).unwrap();
}

/// Whether any file but transcripts says it.
fn says(root: &std::path::Path, words: &str) -> Vec<String> {
    let found = rem_testkit::files(root).into_iter();
    found
        .filter(|(path, bytes)| {
            let is_record = path.ends_with("audit.log") || path.starts_with("memory.db");
            !is_record && path.ends_with(".md") && String::from_utf8_lossy(bytes).contains(words)
        })
        .map(|(path, _)| path)
        .collect()
}

#[test]
fn what_one_clone_forgot_for_good_a_merge_does_not_bring_back() {
    for from_here in [true, false] {
        let workspace = Workspace::new();
        let memory = workspace.memory();
        for text in [
            "Viktor's salary is 91000 euros",
            "The vault code is 7734",
            "金库密码是4412",
            "Mira plays the oboe",
        ] {
            memory.remember(&RememberRequest { store: Some(StoreKind::Semantic), ..said(text) }).unwrap();
        }
        memory.remember(&said("Bo lives in Oslo")).unwrap();
        let clone = forgetful(&workspace);
        for question in ["Viktor's salary", "the vault code is 7734", "金库密码是4412", "Bo lives in Oslo"]
        {
            forget_in(&clone.memory, question);
        }
        assert_eq!(says(&clone.root, "lives in Oslo"), Vec::<String>::new());
        let places = says(&clone.root, "Oslo");
        // This side goes on with what the other let go of: mentioned again, proposed, reflected on.
        for text in ["Viktor's salary is 91000 euros", "The vault code is 7734", "金库密码是4412"] {
            memory.remember(&RememberRequest { store: Some(StoreKind::Semantic), ..said(text) }).unwrap();
        }
        memory.remember(&said("Bo lives in Oslo")).unwrap();
        let evolution = workspace.text(EVOLUTION)
            + "- Corrected: The vault code is 7734 (it had been: The vault code is 1)\n";
        workspace.write(EVOLUTION, evolution);
        let scout = workspace.open_with(|options| MemoryOptions {
            agent: "scout".to_owned(),
            role: AgentRole::Sub,
            ..options
        });
        let proposed =
            ProposeRequest { text: "The vault code is 7734".to_owned(), ..ProposeRequest::default() };
        scout.propose(&proposed).unwrap();
        memory.remember(&said("The ferry leaves at nine")).unwrap();
        workspace.memory().catch_up();
        let root = workspace.root();
        let (into, from) = if from_here { (&clone.memory, &root) } else { (memory, &clone.root) };
        let outcome = merge(into, from);
        assert!(outcome.forgotten.statements >= 4, "{outcome:#?}");
        let at = if from_here { &clone.root } else { &root };
        for words in ["91000", "7734", "4412", "lives in Oslo"] {
            assert_eq!(says(at, words), Vec::<String>::new(), "{words} {from_here}");
        }
        assert_eq!(says(at, "Oslo"), places);
        assert!(!says(at, "ferry leaves").is_empty() && !says(at, "plays the oboe").is_empty());
        assert_well(into);
        // The other one has the same after its own merge, and nothing comes again.
        let (other, other_at) = if from_here { (memory, &root) } else { (&clone.memory, &clone.root) };
        merge(other, at);
        for words in ["91000", "7734", "4412", "lives in Oslo"] {
            assert_eq!(says(other_at, words), Vec::<String>::new(), "{words} {from_here}");
        }
        assert_well(other);
    }
}

#[test]
fn what_was_said_again_after_it_was_forgotten_stays() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    let fact = || RememberRequest { store: Some(StoreKind::Semantic), ..said("The vault code is 7734") };
    memory.remember(&fact()).unwrap();
    let clone = forgetful(&workspace);
    forget_in(&clone.memory, "the vault code is 7734");
    workspace.advance(SignedDuration::from_hours(3 * 24));
    workspace.open().remember(&fact()).unwrap();
    let outcome = merge(&clone.memory, &workspace.root());
    assert_eq!(outcome.forgotten.said_since.len(), 1, "{outcome:#?}");
    assert_eq!(says(&clone.root, "7734"), ["memory/reference/facts.md"]);
    assert_well(&clone.memory);
    // Of somebody who was forgotten as a whole what was said since stays alone.
    let workspace = Workspace::new();
    workspace.memory().remember(&said("Bo lives in Oslo")).unwrap();
    let clone = forgetful(&workspace);
    clone.memory.forget(&["entity:person--bo".to_owned()], true).unwrap();
    workspace.memory().remember(&said("Bo plays the oboe")).unwrap();
    workspace.advance(SignedDuration::from_hours(3 * 24));
    workspace.open().remember(&said("Bo speaks Danish")).unwrap();
    merge(&clone.memory, &workspace.root());
    let bo = std::fs::read_to_string(clone.root.join("memory/graph/entities/person--bo.md")).unwrap();
    assert!(bo.contains("speaks Danish") && !bo.contains("oboe") && !bo.contains("Oslo"), "{bo}");
    assert_well(&clone.memory);
    // What a side says again that had forgotten it itself stays as well, on the same day too.
    let workspace = Workspace::new();
    workspace.memory().remember(&fact()).unwrap();
    let clone = forgetful(&workspace);
    forget_in(&clone.memory, "the vault code is 7734");
    clone.memory.remember(&fact()).unwrap();
    workspace.memory().remember(&said("The ferry leaves at nine")).unwrap();
    merge(&clone.memory, &workspace.root());
    assert_eq!(says(&clone.root, "7734"), ["memory/reference/facts.md"]);
    assert_well(&clone.memory);
}

#[test]
fn a_forgotten_correction_has_its_principle_proposed_to_go() {
    for permanent in [false, true] {
        let workspace = Workspace::new();
        let memory = workspace.memory();
        let right = "Always confirm timezone before scheduling";
        for day in 0..2 {
            let request =
                rem_mind::identity::CorrectRequest { right: right.to_owned(), ..Default::default() };
            workspace.open().correct(&request).unwrap();
            let hours = if day == 0 { 48 } else { 72 };
            workspace.advance(SignedDuration::from_hours(hours));
            let turns = ["user: always confirm timezone before scheduling", "agent: Ok."];
            let at = workspace.now().to_string();
            talk(&workspace, &format!("s{day}"), &at, &turns);
        }
        workspace.advance(SignedDuration::from_hours(48));
        let grown = workspace.open().grow_identity(false, false).unwrap();
        assert_eq!(grown.items.len(), 1, "{grown:#?}");
        workspace.open().decide_identity(&all()).unwrap();
        assert!(workspace.text("SOUL.md").contains(right));
        let ids: Vec<String> =
            memory.corrections().unwrap().iter().map(|each| format!("correction:{}", each.id)).collect();
        let outcome = memory.forget(&ids, permanent).unwrap();
        assert!(!outcome.change.is_empty());
        let grown = workspace.open().grow_identity(false, false).unwrap();
        let removed: Vec<&str> = grown.items.iter().map(|item| item.principle.as_str()).collect();
        assert_eq!(removed, [right], "{permanent}: {grown:#?}");
        assert!(grown.items[0].reason.contains("was taken back"), "{grown:#?}");
        workspace.open().decide_identity(&all()).unwrap();
        assert!(!workspace.text("SOUL.md").contains(right));
        let again = memory.forget(&ids, permanent).unwrap_err();
        assert_eq!(again.outcome(), Outcome::Usage, "{again}");
        workspace.assert_well();
    }
}
