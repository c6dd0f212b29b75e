//! Two clones of a memory that both went on are one again, and nothing is lost or asked of anybody at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::SignedDuration;
use rem_ledger::{AgentRole, FixedClock};
use rem_mind::identity::Resolution;
use rem_mind::lifecycle::joining::MergeOutcome;
use rem_mind::stores::RememberRequest;
use rem_mind::stores::router::StoreKind;
use rem_mind::transcripts::{SessionEnd, SessionStart};
use rem_mind::{Memory, MemoryError};
use rem_testkit::{MORNING, Workspace, files, git, options, write};

use crate::support::user;

/// A clone beside a workspace.
pub(crate) struct Clone {
    pub(crate) root: PathBuf,
    pub(crate) memory: Memory,
}

pub(crate) fn open(root: &Path, minutes: i64) -> Memory {
    let clock = Arc::new(FixedClock::new(MORNING.parse().unwrap()));
    clock.advance(SignedDuration::from_mins(minutes));
    Memory::open(root, options(&clock)).unwrap()
}

pub(crate) fn cloned(workspace: &Workspace, name: &str) -> Clone {
    let root = workspace.outside().join(name);
    git(workspace.outside(), &["clone", "--quiet", "w", name]);
    Clone { memory: open(&root, 30), root }
}

fn remember(memory: &Memory, store: Option<StoreKind>, text: &str) {
    memory.remember(&RememberRequest { text: text.to_owned(), store, ..RememberRequest::default() }).unwrap();
}

pub(crate) fn merge(memory: &Memory, from: &Path) -> MergeOutcome {
    memory.merge(Some(from.to_str().unwrap()), false).unwrap()
}

pub(crate) fn assert_well(memory: &Memory) {
    let report = memory.verify().unwrap();
    assert!(report.is_well(), "{:#?}", report.findings);
}

/// What the memory holds, without what each clone makes for itself.
fn knowledge(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = files(root);
    found.retain(|path, _| {
        !path.ends_with("audit.log") && !path.starts_with("memory.db") && !path.ends_with(".lock")
    });
    found
}

/// The lines of all files, in an order that does not depend on the sides; what is derived or dated by the merge is left out.
fn lines(root: &Path) -> BTreeMap<String, Vec<String>> {
    let sorted = |bytes: Vec<u8>| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let all = knowledge(root).into_iter().map(|(path, bytes)| (path, sorted(bytes)));
    all.filter(|(path, _)| !path.ends_with("CONFLICTS.md")).collect()
}

fn both_go_on(ours: &Memory, theirs: &Memory) {
    remember(ours, None, "Mira lives in Lyon");
    remember(theirs, None, "Mira works for the harbor office");
    remember(ours, Some(StoreKind::Episodic), "We chose the red boat.");
    remember(theirs, Some(StoreKind::Episodic), "The mast was mended.");
    remember(ours, Some(StoreKind::Core), "Never sail on Fridays");
    remember(theirs, Some(StoreKind::Core), "Speak slowly to Bo");
    remember(ours, Some(StoreKind::Semantic), "한국어 문장은 그대로 남는다");
    remember(theirs, Some(StoreKind::Semantic), "The anchor weighs forty kilos");
}

#[test]
fn both_went_on_and_one_merge_has_all_of_both() {
    let workspace = Workspace::new();
    remember(workspace.memory(), None, "The berth is number 12");
    let clone = cloned(&workspace, "b");
    both_go_on(workspace.memory(), &clone.memory);
    let preview = workspace.memory().merge(clone.root.to_str(), true).unwrap();
    assert!(!preview.applied && preview.change.is_empty());
    let outcome = merge(workspace.memory(), &clone.root);
    assert!(outcome.applied && !outcome.is_forward && outcome.conflicts.is_empty(), "{outcome:?}");
    assert_eq!((&outcome.stores, outcome.commits), (&preview.stores, preview.commits));
    assert_eq!(outcome.stores["episode"].added, 1);
    let all: String = knowledge(&workspace.root())
        .into_values()
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    for said in [
        "lives in Lyon",
        "works for the harbor",
        "red boat",
        "mast was mended",
        "on Fridays",
        "slowly to Bo",
        "한국어",
        "forty kilos",
    ] {
        assert!(all.contains(said), "{said}");
    }
    workspace.assert_well();
    assert_well(workspace.memory());
    // The other one goes forward, and both are the same.
    assert!(merge(&clone.memory, &workspace.root()).is_forward);
    assert_eq!(knowledge(&workspace.root()), knowledge(&clone.root));
    assert_well(&clone.memory);
    assert!(merge(&clone.memory, &workspace.root()).is_up_to_date);
    assert!(merge(workspace.memory(), &clone.root).is_up_to_date);
}

#[test]
fn merged_from_either_side_it_is_the_same_knowledge() {
    let workspace = Workspace::new();
    remember(workspace.memory(), None, "The berth is number 12");
    let clone = cloned(&workspace, "b");
    both_go_on(workspace.memory(), &clone.memory);
    for (from, to) in [("w", "c"), ("b", "d")] {
        git(workspace.outside(), &["clone", "--quiet", from, to]);
    }
    let (one, other) = (workspace.outside().join("c"), workspace.outside().join("d"));
    merge(&open(&one, 60), &clone.root);
    merge(&open(&other, 60), &workspace.root());
    assert_eq!(lines(&one), lines(&other));
}

#[test]
fn crossed_and_repeated_merges_of_three_clones_have_nothing_twice() {
    let workspace = Workspace::new();
    let (one, two) = (cloned(&workspace, "b"), cloned(&workspace, "c"));
    let all = [(workspace.root(), workspace.open()), (one.root, one.memory), (two.root, two.memory)];
    for round in 0..3 {
        for (number, (_, memory)) in all.iter().enumerate() {
            remember(memory, Some(StoreKind::Episodic), &format!("Round {round} of clone {number}."));
            remember(memory, Some(StoreKind::Semantic), &format!("Buoy {round}{number} is green"));
            remember(memory, Some(StoreKind::Semantic), &format!("All know number {round}"));
        }
        // Crossed: each takes in what the next one was before it took anything in.
        let tips: Vec<String> =
            all.iter().map(|(root, _)| git(root, &["rev-parse", "HEAD"]).trim().to_owned()).collect();
        for (number, (_, memory)) in all.iter().enumerate() {
            let next = (number + 1) % 3;
            git(&all[number].0, &["fetch", "--quiet", all[next].0.to_str().unwrap(), "HEAD"]);
            memory.merge(Some(&tips[next]), false).unwrap();
        }
    }
    for (number, (_, memory)) in all.iter().enumerate() {
        merge(memory, &all[(number + 1) % 3].0);
        merge(memory, &all[(number + 2) % 3].0);
    }
    let last = &all[2];
    merge(&all[0].1, &last.0);
    merge(&all[1].1, &all[0].0);
    assert_eq!(knowledge(&all[0].0), knowledge(&all[1].0));
    let text: String = knowledge(&all[0].0)
        .into_values()
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    for round in 0..3 {
        assert_eq!(text.matches(&format!("- All know number {round} ")).count(), 1, "{text}");
        for number in 0..3 {
            assert_eq!(text.matches(&format!("Round {round} of clone {number}.")).count(), 1);
            assert_eq!(text.matches(&format!("- Buoy {round}{number} is green")).count(), 1);
        }
    }
    for (_, memory) in &all {
        assert_well(memory);
    }
}

#[test]
fn what_both_worded_anew_waits_for_a_person_and_can_be_settled() {
    let workspace = Workspace::new();
    let line =
        |text: &str| format!("# Facts\n- {text} <!-- id:k1 | since:2026-02-01 | source:user-explicit -->\n");
    workspace.write("memory/reference/facts.md", line("The launch is in May"));
    workspace.memory().catch_up();
    let clone = cloned(&workspace, "b");
    workspace.write("memory/reference/facts.md", line("The launch is in June"));
    write(&clone.root, "memory/reference/facts.md", line("The launch is in July"));
    clone.memory.catch_up();
    // What a person changed here is not committed yet, and comes along.
    let outcome = merge(workspace.memory(), &clone.root);
    assert_eq!(outcome.conflicts.len(), 1, "{outcome:?}");
    let open = workspace.memory().conflicts().unwrap();
    assert_eq!((open.len(), open[0].kept.as_deref(), open[0].rule.as_str()), (1, None, "operator-review"));
    let facts = workspace.text("memory/reference/facts.md");
    assert!(facts.contains("June") && facts.contains("July"), "{facts}");
    workspace.memory().resolve_conflict(&open[0].id, &Resolution::First).unwrap();
    let right = &open[0].first.text;
    let standing: Vec<String> = workspace
        .text("memory/reference/facts.md")
        .lines()
        .filter(|line| line.starts_with("- ") && !line.starts_with("- ~~"))
        .map(str::to_owned)
        .collect();
    assert!(standing.iter().all(|line| line.contains(right.as_str())) && standing.len() == 1, "{standing:?}");
    workspace.assert_well();
}

#[test]
fn a_contradiction_that_comes_in_is_found() {
    let workspace = Workspace::new();
    let clone = cloned(&workspace, "b");
    remember(workspace.memory(), Some(StoreKind::Semantic), "The port of the booking service is 8080");
    remember(&clone.memory, Some(StoreKind::Semantic), "The port of the booking service is 9000");
    let outcome = merge(workspace.memory(), &clone.root);
    assert_eq!((outcome.conflicts.len(), outcome.contradictions.len()), (0, 1), "{outcome:?}");
    assert_eq!(workspace.memory().conflicts().unwrap().len(), 1);
    assert_well(workspace.memory());
}

#[test]
fn what_is_open_here_stays_open_and_evidence_stays_what_it_was() {
    let workspace = Workspace::new();
    let clone = cloned(&workspace, "b");
    let session = |memory: &Memory, text: &str, is_closed: bool| {
        let start = SessionStart { session: "s1".to_owned(), ..SessionStart::default() };
        memory.start_session(&start).unwrap();
        memory.capture("s1", &user(MORNING, text)).unwrap();
        if is_closed {
            let end = SessionEnd { topic: Some("the same".to_owned()), ..SessionEnd::default() };
            memory.end_session("s1", &end).unwrap();
        }
    };
    session(workspace.memory(), "said here", true);
    session(&open(&clone.root, 0), "said there", true);
    workspace
        .memory()
        .start_session(&SessionStart { session: "s2".to_owned(), ..SessionStart::default() })
        .unwrap();
    workspace.memory().capture("s2", &user(MORNING, "still talking")).unwrap();
    let outcome = merge(workspace.memory(), &clone.root);
    assert_eq!(outcome.beside.len(), 1, "{outcome:?}");
    let (file, other) = &outcome.beside[0];
    assert!(workspace.text(file).contains("said there") && workspace.text(other).contains("said here"));
    assert_eq!(workspace.memory().status().unwrap().transcripts.open, 1);
    workspace.assert_well();
    assert_well(workspace.memory());
}

#[test]
fn a_merge_widens_no_trust_and_a_critical_file_raises_its_alert() {
    let workspace = Workspace::new();
    let clone = cloned(&workspace, "b");
    let state = workspace.outside().join("state");
    let trusting = |state: PathBuf| {
        workspace.open_with(|mut options| {
            options.user_state = Some(state);
            options
        })
    };
    trusting(state.clone()).trust_workspace().unwrap();
    assert!(trusting(state.clone()).trust().trusted);
    clone.memory.set_config("models.provider", "command").unwrap();
    clone.memory.set_config("models.command", "true").unwrap();
    write(&clone.root, "SOUL.md", "# Soul\n\nI listen.\n");
    clone.memory.catch_up();
    remember(workspace.memory(), None, "The berth is number 12");
    merge(&trusting(state.clone()), &clone.root);
    assert!(workspace.text("SOUL.md").contains("I listen."));
    assert!(!trusting(state).trust().trusted);
    let alerts = workspace.memory().ledger().open_alerts().unwrap();
    assert!(alerts.iter().any(|alert| alert.file == "SOUL.md"), "{alerts:?}");
}

#[test]
fn what_cannot_be_merged_is_refused_and_nothing_changes() {
    let workspace = Workspace::new();
    let head = workspace.head();
    let stranger = Workspace::at("2026-02-01T09:00:00Z");
    let refused = |memory: &Memory, from: Option<&str>| {
        let error: MemoryError = memory.merge(from, false).unwrap_err();
        (error.to_string(), error.hint().unwrap_or_default())
    };
    let (what, hint) = refused(workspace.memory(), stranger.root().to_str());
    assert!(what.contains("two memories") && hint.contains("git clone"), "{what}: {hint}");
    let (what, hint) = refused(workspace.memory(), None);
    assert!(what.contains("follows no other") && hint.contains("rem merge"), "{what}: {hint}");
    let sub = workspace.memory().acting_as("researcher", AgentRole::Sub);
    let clone = cloned(&workspace, "b");
    remember(&clone.memory, None, "The berth is number 12");
    assert!(refused(&sub, clone.root.to_str()).0.contains("sub-agent"));
    assert_eq!(workspace.head(), head);
}

#[test]
fn what_stayed_out_for_want_of_a_signature_can_be_taken_in_by_a_person() {
    for (resolution, text) in [
        (Resolution::First, "# Soul\n- Be very calm\n- Be kind\n- Count to ten\n"),
        (Resolution::Second, "# Soul\n- Be calm\n- Be kind\n"),
    ] {
        let workspace = Workspace::new();
        workspace.write("SOUL.md", "# Soul\n- Be calm\n- Be kind\n");
        workspace.memory().catch_up();
        let operator = rem_testkit::Operator::new(1);
        workspace.memory().set_up_operator(&operator.key(), &*operator, None).unwrap();
        let clone = cloned(&workspace, "b");
        write(&clone.root, "SOUL.md", "# Soul\n- Be very calm\n- Be kind\n- Count to ten\n");
        clone.memory.catch_up();
        remember(workspace.memory(), None, "Mira lives in Lyon");
        merge(workspace.memory(), &clone.root);
        assert!(!workspace.text("SOUL.md").contains("very calm"));
        let open = workspace.memory().conflicts().unwrap();
        assert_eq!(open.len(), 1, "{open:#?}");
        if matches!(resolution, Resolution::First) {
            workspace.memory().resolve_conflict(&open[0].id, &resolution).unwrap_err();
        }
        let signer = operator.clone();
        let theirs =
            workspace.open_with(|options| rem_mind::MemoryOptions { signer: Some(signer), ..options });
        theirs.resolve_conflict(&open[0].id, &resolution).unwrap();
        assert_eq!(workspace.text("SOUL.md"), text);
        assert!(workspace.memory().consent(true).unwrap().is_well());
        assert!(workspace.memory().conflicts().unwrap().iter().all(|conflict| conflict.kept.is_some()));
        workspace.assert_well();
    }
}
