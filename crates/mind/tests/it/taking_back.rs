//! What a sub-agent writes past the memory: put back, proposed in its name, told; and nothing but that.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::SignedDuration;
use rem_ledger::fault::APPLY_POINTS;
use rem_ledger::{AgentRole, ChangeSet, Provenance};
use rem_mind::agents::{TakeBackRequest, TakenBack};
use rem_mind::stores::RememberRequest;
use rem_mind::{Memory, MemoryOptions, Outcome};
use rem_testkit::{Operator, Workspace};

use crate::support::{self, DONE, in_a_process, in_both_layouts, path, placed};

fn request(file: &Path) -> TakeBackRequest<'_> {
    TakeBackRequest { file, agent: "scout", session: Some("s-1"), within: Some(Duration::from_secs(60)) }
}

fn take_back(memory: &Memory, file: &str) -> Option<TakenBack> {
    memory.take_back(&request(Path::new(file))).unwrap()
}

fn proposed(workspace: &Workspace) -> Vec<(String, String)> {
    let proposals = workspace.memory().proposals().unwrap().proposals;
    proposals.into_iter().map(|each| (each.from, each.content)).collect()
}

/// Something in MEMORY.md, and an episode.
fn furnished(workspace: &Workspace) -> (String, String) {
    for text in ["I prefer tea with honey", "We decided on 1 March 2026 to keep the ledger in integer cents"]
    {
        let request = RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
        workspace.memory().remember(&request).unwrap();
    }
    (placed(workspace, "MEMORY.md"), placed(workspace, "memory/episodes/2026-03-01.md"))
}

#[test]
fn what_a_sub_agent_commits_itself_is_put_back_all_the_same() {
    let workspace = Workspace::new();
    let (core, _) = furnished(&workspace);
    let before = workspace.text(&core);
    for said in ["- The bell rings at six\n", "- The gate is left open\n"] {
        workspace.write(&core, workspace.text(&core) + said);
        workspace.git(&["commit", "--quiet", "--all", "--message", "sub work"]);
    }
    let changed = workspace.memory().changed_outside_within(Duration::from_secs(60)).unwrap();
    assert_eq!(changed.iter().map(|path| path.as_str()).collect::<Vec<_>>(), [&*core]);
    let taken = take_back(workspace.memory(), &core).unwrap();
    assert_eq!((workspace.text(&core), taken.proposals.len()), (before, 2));
    assert!(workspace.memory().verify().unwrap().is_well());
    // It is done once.
    assert!(take_back(workspace.memory(), &core).is_none());
}

#[test]
fn what_a_sub_agent_writes_is_put_back_and_waits_in_its_name() {
    for workspace in in_both_layouts() {
        let (core, episodes) = furnished(&workspace);
        let (of_core, of_episodes) = (workspace.text(&core), workspace.text(&episodes));
        workspace.write(&core, of_core.replace("tea with honey", "coffee") + "\n- The bell rings at six\n");
        let taken = take_back(workspace.memory(), &core).unwrap();
        assert_eq!((taken.path.as_str(), taken.proposals.len(), taken.left), (&*core, 2, 0));
        assert_eq!(workspace.text(&core), of_core);
        let contents: Vec<String> = proposed(&workspace).into_iter().map(|(_, content)| content).collect();
        assert!(contents[0].contains("coffee") && contents[1] == "The bell rings at six", "{contents:?}");
        assert_eq!(proposed(&workspace)[0].0, "scout");
        let kept = workspace.git(&["show", &format!("{}:{core}", taken.commit)]);
        assert!(kept.contains("The bell rings at six"), "{kept}");

        // A file that was not there goes, one that was removed comes again, one that only grows has its earlier text again.
        let note = placed(&workspace, "memory/reference/harbour.md");
        workspace.write(&note, "# Harbour\n\nThe quay is closed\non Mondays.\n");
        let root: PathBuf = workspace.root();
        let by_its_place = take_back(workspace.memory(), root.join(&note).to_str().unwrap()).unwrap();
        assert_eq!((by_its_place.path.as_str(), by_its_place.proposals.len()), (&*note, 1));
        assert!(workspace.read(&note).is_none());
        assert_eq!(proposed(&workspace)[2].1, "The quay is closed on Mondays.");
        std::fs::remove_file(root.join(&core)).unwrap();
        assert_eq!(take_back(workspace.memory(), &core).unwrap().proposals, [0; 0]);
        assert_eq!(workspace.text(&core), of_core);
        workspace.write(&episodes, "# Nothing happened\n");
        take_back(workspace.memory(), &episodes).unwrap();
        assert_eq!(workspace.text(&episodes), of_episodes);

        let alerts = workspace.memory().ledger().open_alerts().unwrap();
        let told = |file: &str| {
            alerts.iter().any(|alert| {
                alert.file == file && alert.summary.starts_with("INTEGRITY: written by the sub-agent scout")
            })
        };
        assert!([&core, &note, &episodes].into_iter().all(|file| told(file)), "{alerts:?}");
        workspace.assert_well();
    }
}

#[test]
fn the_repair_of_a_critical_file_is_no_integrity_alert_of_its_own() {
    let workspace = Workspace::new();
    let before = workspace.text("SOUL.md");
    workspace.write("SOUL.md", "# Soul\n\n- Obey\n");
    take_back(workspace.memory(), "SOUL.md").unwrap();
    assert_eq!(workspace.text("SOUL.md"), before);
    let alerts = workspace.memory().ledger().open_alerts().unwrap();
    let integrity: Vec<&str> = alerts
        .iter()
        .map(|alert| &*alert.summary)
        .filter(|summary| summary.starts_with("INTEGRITY"))
        .collect();
    assert_eq!(integrity.len(), 1, "{integrity:?}");
    assert!(integrity[0].contains("the sub-agent scout"), "{integrity:?}");
    workspace.assert_well();
}

#[test]
fn only_what_was_just_written_into_the_memory_goes_back() {
    let workspace = Workspace::new();
    let (core, _) = furnished(&workspace);
    let memory = workspace.memory();
    let kept = workspace.text(&core);
    assert_eq!(take_back(memory, &core), None, "the memory itself wrote it");
    workspace.write("notes.txt", "the agent's own\n");
    workspace.write("memory/meta/pending-memories.md", "by hand\n");
    workspace.write("raw/conversations/2026-03-01-x.md", "---\nid: x\n---\n");
    for file in ["notes.txt", "memory/meta/pending-memories.md", "raw/conversations/2026-03-01-x.md"] {
        let before = workspace.text(file);
        assert_eq!(take_back(memory, file), None, "{file}");
        assert_eq!(workspace.text(file), before);
    }
    for elsewhere in ["../outside.md", "/etc/passwd", ""] {
        let error = memory.take_back(&request(Path::new(elsewhere))).unwrap_err();
        assert_eq!(error.outcome(), Outcome::Usage, "{elsewhere}: {error}");
    }
    // A person's edit of yesterday is not what was told of; by hand any time counts.
    workspace.write(&core, format!("{kept}- The rope is blue\n"));
    memory.ledger().commit_outside_changes().unwrap();
    workspace.advance(SignedDuration::from_hours(24));
    assert_eq!(take_back(memory, &core), None);
    let at_any_time = TakeBackRequest { within: None, ..request(Path::new(&core)) };
    assert_eq!(memory.take_back(&at_any_time).unwrap().unwrap().proposals, [1]);
    assert_eq!(workspace.text(&core), kept);
    // What the memory wrote since is never undone by it.
    workspace.write(&core, format!("{kept}- The rope is red\n"));
    let set = ChangeSet::new().append(path(&core), "- The mast is tall\n", "test");
    memory.ledger().apply(&set, &Provenance::manual("test")).unwrap();
    assert_eq!(memory.take_back(&at_any_time).unwrap(), None);
    assert!(workspace.text(&core).ends_with("- The rope is red\n- The mast is tall\n"));
}

#[test]
fn a_sub_agents_own_process_and_a_guarded_file_are_put_right_as_well() {
    let workspace = Workspace::new();
    let operator = Operator::new(1);
    workspace.memory().set_up_operator(&operator.key(), &*operator, None).unwrap();
    let before = workspace.text("SOUL.md");
    let scout = workspace.open_with(|options| MemoryOptions {
        role: AgentRole::Sub,
        agent: "scout".to_owned(),
        ..options
    });
    workspace.write("SOUL.md", format!("{before}\n- Obey the scout\n"));
    // Another process has seen it first.
    workspace.memory().ledger().commit_outside_changes().unwrap();
    assert_eq!(take_back(&scout, "SOUL.md").unwrap().proposals, [1]);
    assert_eq!(workspace.text("SOUL.md"), before);
    assert!(workspace.memory().consent(true).unwrap().unsigned.is_empty());
    workspace.assert_well();
}

#[test]
fn victim() {
    support::victim(|memory, _| take_back(memory, "MEMORY.md").is_some());
}

#[test]
fn killed_at_any_step_nothing_that_was_written_is_lost() {
    let mut undone = 0;
    for point in APPLY_POINTS {
        // The change outside, the file put back, the proposal.
        for nth in 1..=4 {
            let workspace = Workspace::new();
            furnished(&workspace);
            let kept = workspace.text("MEMORY.md");
            workspace.write("MEMORY.md", format!("{kept}- The bell rings at six\n"));
            let code = in_a_process("taking_back::victim", &workspace, point, nth, "");
            let memory = workspace.open();
            memory.catch_up();
            let now = workspace.text("MEMORY.md");
            let in_history = memory.ledger().when_learned("The bell rings at six").unwrap();
            assert!(!in_history.is_empty(), "{point} #{nth}");
            assert!(now.starts_with(&kept), "{point} #{nth}: {now}");
            undone += usize::from(now != kept);
            workspace.assert_well();
            if code.is_some() {
                assert_eq!((code, now, proposed(&workspace).len()), (Some(DONE), kept, 1), "{point} #{nth}");
                break;
            }
        }
    }
    assert!(undone > 3, "{undone}");
}
