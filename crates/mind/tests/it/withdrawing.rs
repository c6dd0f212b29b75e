//! Corrections that do not hold any more: forgotten, overruled by what was said since, against what an agent proposes.

use jiff::SignedDuration;
use rem_ledger::AgentRole;
use rem_mind::agents::{CommitRequest, ProposeRequest, Reviewer, Which};
use rem_mind::identity::{CorrectRequest, CorrectionStatus, Resolution};
use rem_mind::recall::Query;
use rem_mind::stores::RememberRequest;
use rem_mind::stores::router::StoreKind;
use rem_mind::{MemoryOptions, Outcome};
use rem_testkit::{Workspace, machine_time};

use crate::reflecting::{DOCUMENT, TWIN, all, decide, lived_in, pending, reflect};
use crate::support::placed;

fn said(text: &str) -> RememberRequest {
    RememberRequest { text: text.to_owned(), ..RememberRequest::default() }
}

fn correct(workspace: &Workspace, right: &str, wrong: &str) -> String {
    let wrong = Some(wrong.to_owned()).filter(|wrong| !wrong.is_empty());
    let request = CorrectRequest { right: right.to_owned(), wrong, ..CorrectRequest::default() };
    workspace.memory().correct(&request).unwrap().id
}

fn statuses(workspace: &Workspace) -> Vec<CorrectionStatus> {
    workspace.memory().corrections().unwrap().iter().map(|each| each.status).collect()
}

fn finds(workspace: &Workspace, question: &str, words: &str) -> bool {
    let memory = workspace.memory();
    let query = Query { min_score: 0.1, ..memory.query(question) };
    let answer = memory.recall(&query, machine_time(), &mut |_| {}).unwrap();
    answer.results.iter().any(|hit| hit.snippet.contains(words))
}

fn propose(workspace: &Workspace, text: &str, core: bool) {
    let scout = workspace.open_with(|options| MemoryOptions {
        agent: "scout".to_owned(),
        role: AgentRole::Sub,
        ..options
    });
    let request = ProposeRequest { text: text.to_owned(), core_worthy: core, ..ProposeRequest::default() };
    scout.propose(&request).unwrap();
}

#[test]
fn a_proposal_against_the_operators_word_waits_for_a_person() {
    for core in [false, true] {
        let workspace = Workspace::new();
        let memory = workspace.memory();
        memory.remember(&said("The gateway listens on port 8080")).unwrap();
        correct(&workspace, "The gateway listens on port 9090", "The gateway listens on port 8080");
        propose(&workspace, "The gateway listens on port 8080", core);
        let request = CommitRequest { which: Which::These(vec![1]), ..CommitRequest::default() };
        let refused = memory.commit_proposals(&request).unwrap_err();
        assert_eq!(refused.outcome(), Outcome::Refused, "{refused}");
        let bot = workspace.open_with(|options| MemoryOptions { agent: "bot".to_owned(), ..options });
        assert_eq!(bot.commit_proposals(&request).unwrap_err().outcome(), Outcome::Refused);
        // With others it waits, and stops none of them.
        propose(&workspace, "Bo works at Initech", false);
        let all = CommitRequest { which: Which::All, ..CommitRequest::default() };
        let done = memory.commit_proposals(&all).unwrap();
        assert_eq!((done.committed.len(), done.failed.len()), (1, 1), "{done:?}");
        assert!(
            !workspace.text("memory/reference/facts.md").contains("~~The gateway listens on port 9090~~")
        );
        assert!(!workspace.text("MEMORY.md").contains("8080"));
        // A person who looks at it may take it.
        let person = CommitRequest { reviewer: Reviewer::Person, ..request };
        assert_eq!(memory.commit_proposals(&person).unwrap().committed.len(), 1);
        workspace.assert_well();
    }
}

#[test]
fn a_correction_that_something_newer_takes_the_place_of_is_taken_back() {
    let workspace = Workspace::new();
    workspace.memory().remember(&said("My favorite editor is Vim")).unwrap();
    correct(&workspace, "My favorite editor is Emacs", "");
    workspace.memory().remember(&said("My favorite editor is Helix")).unwrap();
    assert_eq!(statuses(&workspace), [CorrectionStatus::Retracted]);
    correct(&workspace, "My favorite editor is Zed", "");
    correct(&workspace, "My favorite editor is Kakoune", "My favorite editor is Zed");
    let (retracted, unverified) = (CorrectionStatus::Retracted, CorrectionStatus::Unverified);
    assert_eq!(statuses(&workspace), [retracted, retracted, unverified]);
    // What is about something else, and what says the same, stays.
    workspace.memory().remember(&said("My favorite color is green")).unwrap();
    workspace.memory().remember(&said("My favorite editor is Kakoune")).unwrap();
    assert_eq!(statuses(&workspace), [retracted, retracted, unverified]);
    // An agent overrules nothing.
    let bot = workspace.open_with(|options| MemoryOptions { agent: "bot".to_owned(), ..options });
    bot.remember(&said("My favorite editor is Nano")).unwrap_err();
    assert_eq!(statuses(&workspace), [retracted, retracted, unverified]);
    workspace.assert_well();
}

#[test]
fn what_the_operator_says_much_later_elsewhere_is_not_overruled_by_an_old_correction() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    memory.remember(&said("The gateway listens on port 8080")).unwrap();
    correct(&workspace, "The gateway listens on port 9090", "");
    workspace.advance(SignedDuration::from_hours(24 * 45));
    let core = RememberRequest { store: Some(StoreKind::Core), ..said("The gateway listens on port 7070") };
    memory.remember(&core).unwrap();
    memory.scan_conflicts(false).unwrap();
    assert!(
        workspace.text("MEMORY.md").contains("- The gateway listens on port 7070"),
        "{}",
        workspace.text("MEMORY.md")
    );
    workspace.assert_well();
}

#[test]
fn with_a_memory_its_correction_is_forgotten() {
    for permanent in [false, true] {
        let workspace = Workspace::new();
        let memory = workspace.memory();
        let kept = memory.remember(&said("The spare key is under the mat")).unwrap();
        correct(&workspace, "The spare key is under the pot", "The spare key is under the mat");
        assert!(!memory.forget_candidates("spare key", machine_time()).unwrap().is_empty());
        let page = workspace.text(kept.path.unwrap().as_str());
        let ids: Vec<String> = page
            .lines()
            .filter_map(|line| Some(format!("fact:{}", line.split("id:").nth(1)?.split([' ', '|']).next()?)))
            .collect();
        memory.forget(&ids, permanent).unwrap();
        assert!(!finds(&workspace, "where is the spare key", "under the"), "{permanent}");
        if permanent {
            let log = workspace.text("CORRECTIONS.md");
            assert!(!log.contains("mat") && !log.contains("pot"), "{log}");
        } else {
            assert_eq!(statuses(&workspace), [CorrectionStatus::Retracted]);
        }
        workspace.assert_well();
    }
}

#[test]
fn a_correction_can_be_forgotten_by_its_id() {
    let workspace = Workspace::new();
    let id = correct(&workspace, "The spare key is under the pot", "");
    let named = format!("correction:{id}");
    let candidates = workspace.memory().forget_candidates("spare key", machine_time()).unwrap();
    assert!(candidates.iter().any(|each| each.id == named), "{candidates:?}");
    let bot = workspace.open_with(|options| MemoryOptions { agent: "bot".to_owned(), ..options });
    assert_eq!(bot.forget(std::slice::from_ref(&named), true).unwrap_err().outcome(), Outcome::Refused);
    workspace.memory().forget(std::slice::from_ref(&named), false).unwrap();
    assert_eq!(statuses(&workspace), [CorrectionStatus::Retracted]);
    workspace.memory().forget(std::slice::from_ref(&named), true).unwrap();
    assert_eq!(statuses(&workspace), []);
    workspace.memory().forget(&[named], true).unwrap_err();
    workspace.assert_well();
}

#[test]
fn records_of_what_was_proposed_and_settled_are_no_memories() {
    let workspace = Workspace::new();
    let record = "# Record\n\n## 1\n- The spare key is under the mat\n";
    for file in ["memory/meta/pending-reflection.md", "memory/meta/reflection-log.md", "CONFLICTS.md"] {
        workspace.write(file, record);
    }
    workspace.memory().catch_up();
    assert!(!finds(&workspace, "where is the spare key", "under the mat"));
}

#[test]
fn a_conflict_that_was_settled_otherwise_is_closed_and_cannot_be_answered() {
    let conflicting = || {
        let workspace = Workspace::new();
        workspace.write(
            "memory/reference/facts.md",
            "# Facts\n\n- The gateway listens on port 8080 <!-- id:a | since:2026-02-01 -->\n",
        );
        workspace.write(
            "MEMORY.md",
            "# Memory\n\n## Facts\n- The gateway listens on port 9090 <!-- id:b | since:2026-02-02 -->\n",
        );
        workspace.memory().catch_up();
        let found = workspace.memory().scan_conflicts(false).unwrap().found.remove(0);
        assert_eq!(found.kept, None);
        (workspace, found.id)
    };
    let open = |workspace: &Workspace| {
        workspace.memory().conflicts().unwrap().iter().filter(|each| each.kept.is_none()).count()
    };
    // By a correction.
    let (workspace, id) = conflicting();
    correct(&workspace, "The gateway listens on port 9090", "The gateway listens on port 8080");
    let error = workspace.memory().resolve_conflict(&id, &Resolution::First).unwrap_err().to_string();
    assert!(error.contains("settled meanwhile") && error.contains("9090"), "{error}");
    workspace.memory().scan_conflicts(false).unwrap();
    assert_eq!(open(&workspace), 0);
    workspace.assert_well();
    // By forgetting.
    let (workspace, _) = conflicting();
    workspace.memory().forget(&["fact:a".to_owned()], false).unwrap();
    assert_eq!(open(&workspace), 0);
    let (workspace, _) = conflicting();
    workspace.memory().forget(&["fact:a".to_owned()], true).unwrap();
    assert!(!workspace.text("CONFLICTS.md").contains("8080"));
    // By a third value in the place of one.
    let (workspace, _) = conflicting();
    correct(&workspace, "The gateway listens on port 7070", "");
    workspace.memory().scan_conflicts(false).unwrap();
    assert_eq!(open(&workspace), 0);
    // While both stand it stays open.
    let (workspace, id) = conflicting();
    workspace.memory().scan_conflicts(false).unwrap();
    assert_eq!(open(&workspace), 1);
    let one_side = Resolution::Neither("the gateway listens on port 9090.".to_owned());
    let resolved = workspace.memory().resolve_conflict(&id, &one_side).unwrap();
    assert_eq!(resolved.kept, "second");
    assert!(workspace.text("MEMORY.md").contains("9090"));
}

#[test]
fn what_is_right_is_not_what_was_wrong() {
    let workspace = Workspace::new();
    let head = workspace.head();
    let request = CorrectRequest {
        right: "The port is 8080".to_owned(),
        wrong: Some("the port is 8080.".to_owned()),
        ..CorrectRequest::default()
    };
    workspace.memory().correct(&request).unwrap_err();
    assert_eq!(workspace.head(), head);
}

#[test]
fn of_what_was_noticed_in_talk_the_much_newer_one_wins() {
    let workspace = Workspace::new();
    workspace.write(
        "memory/reference/facts.md",
        "# Facts\n\n- The gateway listens on port 8080 <!-- id:a | since:2026-01-01 | tags:decision | source:conversation -->\n- The gateway listens on port 9090 <!-- id:b | since:2026-02-25 | tags:decision | source:conversation -->\n",
    );
    workspace.memory().catch_up();
    let found = workspace.memory().scan_conflicts(false).unwrap().found.remove(0);
    assert_eq!(found.kept.as_deref(), Some("second"));
}

#[test]
fn what_is_pinned_stays_pinned_where_its_value_changes() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    let kept = memory.remember(&said("The gateway listens on port 8080")).unwrap();
    memory.pin(&kept.id, true).unwrap();
    let path = kept.path.unwrap();
    let pinned = |text: &str| {
        let page = workspace.text(path.as_str());
        page.lines().any(|line| line.starts_with(&format!("- {text} <!--")) && line.contains("pinned:yes"))
    };
    assert!(pinned("The gateway listens on port 8080"));
    memory.remember(&said("The gateway listens on port 9090")).unwrap();
    assert!(pinned("The gateway listens on port 9090"), "{}", workspace.text(path.as_str()));
    correct(&workspace, "The gateway listens on port 7070", "");
    assert!(pinned("The gateway listens on port 7070"), "{}", workspace.text(path.as_str()));
    memory.remember(&said("The hall seats 40 people")).unwrap();
    assert!(!pinned("The hall seats 40 people"));
}

#[test]
fn an_entry_of_conflicts_that_cannot_be_read_is_said() {
    let workspace = Workspace::new();
    workspace.write("CONFLICTS.md", "# Conflicts\n\n## A note\nMine.\n\n## 2026-03-01\n- id: xabc\n- rule: nonsense\n- first: a\n- second: b\n");
    workspace.memory().catch_up();
    let report = workspace.memory().verify().unwrap();
    let said: Vec<&String> = report
        .findings
        .iter()
        .filter(|each| each.path.as_deref() == Some("CONFLICTS.md"))
        .map(|each| &each.message)
        .collect();
    assert!(said.len() == 1 && said[0].contains("line 6"), "{said:?}");
}

#[test]
fn what_is_forgotten_meanwhile_is_not_proposed_any_more_nor_quoted() {
    let workspace = Workspace::new();
    lived_in(&workspace);
    let memory = workspace.memory();
    reflect(memory);
    let (before, text) = (pending(&workspace), workspace.text(&placed(&workspace, DOCUMENT)));
    assert!(text.contains("third floor") && text.contains("launch date"), "{text}");
    let about = before.items.iter().find(|item| item.says.contains("third floor")).unwrap();
    memory.forget(&[about.memory.clone().unwrap()], true).unwrap();
    let (after, text) = (pending(&workspace), workspace.text(&placed(&workspace, DOCUMENT)));
    assert!(!text.contains("third floor") && text.contains("launch date"), "{text}");
    assert!(!workspace.text(&placed(&workspace, TWIN)).contains("third floor"));
    assert!(!after.items.is_empty() && after.items.iter().all(|item| before.items.contains(item)));
    assert!(after.items.len() < before.items.len());
    // It still is what was written, and can be answered.
    assert!(!memory.reflection().unwrap().unwrap().is_document_changed);
    assert!(!decide(memory, &all()).unwrap().applied.is_empty());
    workspace.assert_well();
}

#[test]
fn with_a_fact_that_was_replaced_its_edge_is_forgotten() {
    for permanent in [false, true] {
        let workspace = Workspace::at("2026-02-01T09:00:00Z");
        let memory = workspace.memory();
        let path = memory.remember(&said("Tom works at Siemens")).unwrap().path.unwrap();
        workspace.advance(SignedDuration::from_hours(24 * 28));
        memory.remember(&said("Tom works at Bosch")).unwrap();
        let candidates = memory.forget_candidates("Siemens", machine_time()).unwrap();
        let fact = candidates.iter().find(|each| each.id.starts_with("entity:person--tom#")).unwrap();
        memory.forget(std::slice::from_ref(&fact.id), permanent).unwrap();
        let page = workspace.text(path.as_str());
        assert!(!page.to_lowercase().contains("siemens") && page.contains("[[place--bosch]]"), "{page}");
        workspace.assert_well();
    }
}

#[test]
fn what_is_forgotten_for_good_stands_in_git_and_the_audit_log_alone() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    let kept = memory.remember(&said("Quentin hides the zirconium ingot in the boathouse")).unwrap();
    memory.remember(&said("Quentin likes rowing")).unwrap();
    assert!(finds(&workspace, "where is the zirconium", "ingot"));
    memory.forget(&[kept.id], true).unwrap();
    let mut folders = vec![workspace.root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                folders.extend((name != ".git").then_some(path));
            } else if name != "audit.log" {
                let bytes = std::fs::read(&path).unwrap();
                let has = bytes.to_ascii_lowercase().windows(9).any(|each| each == b"zirconium");
                assert!(!has, "{}", path.display());
            }
        }
    }
    assert!(finds(&workspace, "what does Quentin like", "rowing"));
    workspace.assert_well();
}
