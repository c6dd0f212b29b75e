//! All knowledge made anew beside the memory in use, and branches that come back or go.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use rem_ledger::{BranchKind, LedgerError};
use rem_mind::lifecycle::condense::CondenseRequest;
use rem_mind::lifecycle::mine::MineRequest;
use rem_mind::lifecycle::reconstruct::{AskedQuestion, Reconstruction};
use rem_mind::stores::RememberRequest;
use rem_mind::stores::router::StoreKind;
use rem_mind::{Memory, MemoryError};
use rem_testkit::{Workspace, machine_time, options};

use crate::support::{believing, in_both_layouts, placed, talk};

fn reconstruct(workspace: &Workspace, name: &str) -> Reconstruction {
    workspace.memory().reconstruct(Some(name), &mut |_, _| {}).unwrap()
}

/// A workspace of three conversations, mined and condensed, with things that a person asked for and wrote between.
fn lived_in(workspace: &Workspace) {
    let memory = workspace.memory();
    talk(
        workspace,
        "s1",
        "2026-02-18T09:00:00Z",
        &[
            "user: We decided to use Postgres for the booking service, because SQLite locked up under load.",
            "agent: Noted.",
            "user: Mira lives in Bremen.",
            "agent: Ok.",
            "user: Lesson learned: never deploy on a Friday afternoon, we spent the weekend rolling back.",
        ],
    );
    talk(workspace, "s2", "2026-02-19T09:00:00Z", &["user: Mira lives in Lyon.", "agent: Ok."]);
    talk(
        workspace,
        "s3",
        "2026-02-20T09:00:00Z",
        &["user: Remember that I prefer short answers.", "agent: Ok."],
    );
    memory.mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
    memory.condense_days(&CondenseRequest::default(), &mut |_, _| {}).unwrap();
    let asked = |text: &str| RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
    memory.remember(&asked("Bo is allergic to peanuts")).unwrap();
    let pet = RememberRequest { store: Some(StoreKind::Core), ..asked("My dog is called Rex") };
    memory.remember(&pet).unwrap();
    memory.remember(&asked("We decided to rent the hall in June")).unwrap();
    let day = placed(workspace, "memory/2026-02-18.md");
    let page = workspace.text(&day);
    workspace.write(&day, page + "\nWritten by hand.\n");
    memory.catch_up();
}

/// The files that hold knowledge, without those that change at every look.
fn pages(files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let is_page = |path: &str| (path.ends_with(".md") || path.ends_with(".txt")) && !path.contains("audit");
    files.into_iter().filter(|(path, _)| is_page(path)).collect()
}

#[test]
fn the_same_extractors_make_the_same_and_the_memory_in_use_is_not_touched() {
    for workspace in in_both_layouts().map(believing) {
        lived_in(&workspace);
        let (before, head) = (workspace.files(), workspace.head());
        let one = reconstruct(&workspace, "one");
        assert_eq!((one.branch.name.as_str(), one.mined, one.resumed), ("extract/one", 3, false));
        assert_eq!((workspace.files(), workspace.head()), (before, head));
        let folder = |made: &Reconstruction| pages(rem_testkit::files(&made.branch.path));
        let made = folder(&one);
        let two = reconstruct(&workspace, "two");
        assert_eq!(folder(&two), made, "again, it is the same bytes");

        // What people wrote and asked for is there, and nothing twice.
        let text = |path: &str| String::from_utf8(made[&placed(&workspace, path)].clone()).unwrap();
        assert!(text("memory/2026-02-18.md").contains("Written by hand."));
        assert_eq!(text("memory/2026-02-18.md").matches("Postgres").count(), 1);
        let core = text("MEMORY.md");
        assert!(core.contains("Rex") && core.contains("Friday"), "{core}");
        assert_eq!(core.matches("short answers").count(), 1, "{core}");
        assert!(text("memory/graph/entities/person--bo.md").contains("peanuts"));
        let mira = text("memory/graph/entities/person--mira.md");
        assert!(
            mira.contains("- Mira lives in Lyon")
                && mira.matches("(before: Mira lives in Bremen").count() == 1,
            "{mira}"
        );
        assert!(text("memory/episodes/2026-03-01.md").contains("the hall in June"));

        // It is what the memory in use says, but for the week that went into MEMORY.md.
        let differing: Vec<&String> = one.comparison.stores.keys().collect();
        assert!(differing.is_empty() || differing == ["memory"], "{:#?}", one.comparison);
        let apart = Memory::open(&one.branch.path, options(&clock_of(&workspace))).unwrap();
        let report = apart.verify().unwrap();
        assert!(report.is_well(), "{:#?}", report.findings);
        workspace.assert_well();
    }
}

fn clock_of(workspace: &Workspace) -> std::sync::Arc<rem_ledger::FixedClock> {
    std::sync::Arc::new(rem_ledger::FixedClock::new(workspace.now()))
}

#[test]
fn what_was_learned_wrongly_goes_and_what_was_interrupted_goes_on() {
    let workspace = believing(Workspace::new());
    lived_in(&workspace);
    // An entry of an extractor of before, which this one does not take.
    let core = workspace.memory().ledger().layout().path(rem_ledger::Store::Core).clone();
    let source = workspace.memory().ledger().transcripts().unwrap()[0].clone();
    let wrong =
        format!("- The moon is a cheese <!-- id:wrong1 | since:2026-02-18 | source:{source}:14 -->\n");
    let set = rem_ledger::ChangeSet::new()
        .edit(core, "mined", move |found| Ok(Some([found.unwrap_or_default(), wrong.as_bytes()].concat())));
    workspace
        .memory()
        .ledger()
        .apply(&set, &rem_ledger::Provenance::system("memory-miner", "mined"))
        .unwrap();

    // Somebody stops it after the first conversation: the branch's own workspace is mined one by one.
    let (branch, apart) = workspace.memory().ledger().branch_start(BranchKind::Extract, "new").unwrap();
    drop(apart);
    let first = reconstruct(&workspace, "new");
    assert_eq!((first.mined, first.resumed), (3, true), "a branch that was only begun is cleared, too");
    let again = reconstruct(&workspace, "new");
    assert_eq!((again.mined, again.branch.commit), (0, first.branch.commit.clone()));
    // The working tree may vanish: the branch is in git.
    std::fs::remove_dir_all(&branch.path).unwrap();
    talk(&workspace, "s4", "2026-02-25T09:00:00Z", &["user: Jonas lives in Kiel.", "agent: Ok."]);
    let after = reconstruct(&workspace, "new");
    assert_eq!((after.mined, after.branch.commit), (0, first.branch.commit));

    let lost = &after.comparison.stores["memory"];
    assert!(
        lost.entries
            .iter()
            .any(|entry| { entry.branch.is_none() && entry.here.as_deref() == Some("The moon is a cheese") })
    );
    assert_eq!(after.comparison.here.entries - after.comparison.there.entries, lost.lost - lost.gained);
    let applied = workspace.memory().branch_merge("new").unwrap();
    assert!(!applied.change.is_empty());
    let core = workspace.text("MEMORY.md");
    assert!(!core.contains("cheese") && core.contains("Rex") && core.contains("short answers"), "{core}");
    assert_eq!(workspace.memory().ledger().branches().unwrap(), []);
    assert!(!branch.path.exists());
    // The conversation that came meanwhile is mined as ever.
    assert_eq!(workspace.memory().mine(&MineRequest::default(), &mut |_, _| {}).unwrap().mined.len(), 1);
    workspace.assert_well();
}

#[test]
fn a_branch_is_a_workspace_that_comes_back_whole_or_not_at_all() {
    let workspace = believing(Workspace::new());
    let memory = workspace.memory();
    workspace.write("memory/reference/plan.md", "# Plan\n\nA\n");
    workspace.write("memory/reference/old.md", "# Old\n");
    memory.catch_up();
    let branch = memory.branch_start(BranchKind::Explore, "What if?").unwrap();
    assert_eq!(branch.name, "explore/what-if");
    assert!(matches!(
        memory.branch_start(BranchKind::Explore, "what if"),
        Err(MemoryError::Ledger(LedgerError::Branch { .. }))
    ));
    let apart = Memory::open(&branch.path, options(&clock_of(&workspace))).unwrap();
    let asked = RememberRequest { text: "Mira lives in Lyon".to_owned(), ..RememberRequest::default() };
    apart.remember(&asked).unwrap();
    std::fs::write(branch.path.join("memory/reference/plan.md"), "# Plan\n\nB\n").unwrap();
    std::fs::remove_file(branch.path.join("memory/reference/old.md")).unwrap();
    assert!(workspace.read("memory/graph/entities/person--mira.md").is_none());

    // Both sides tell of something new of their own: that is merged.
    let facts = "memory/reference/facts.md";
    for (folder, text) in [(&workspace.root(), "The anchor is heavy"), (&branch.path, "The mast is new")] {
        rem_testkit::write(folder, facts, format!("# Facts\n- {text}\n"));
    }
    memory.catch_up();
    // Both sides change the plan.
    workspace.write("memory/reference/plan.md", "# Plan\n\nC\n");
    let told = memory.branch_compare("what-if").unwrap();
    assert_eq!(told.crossed, [crate::support::path("memory/reference/plan.md")]);
    let refused = memory.branch_merge("what-if").unwrap_err().to_string();
    assert!(refused.contains("memory/reference/plan.md"), "{refused}");
    assert_eq!(workspace.text("memory/reference/plan.md"), "# Plan\n\nC\n");
    assert!(workspace.read("memory/graph/entities/person--mira.md").is_none());
    workspace.write("memory/reference/plan.md", "# Plan\n\nA\n");
    memory.catch_up();
    let told = memory.branch_compare("what-if").unwrap();
    let applied = memory.branch_merge("explore/what-if").unwrap();
    assert_eq!((told.files, told.crossed), (applied.files.len(), Vec::new()));
    assert_eq!(workspace.text("memory/reference/plan.md"), "# Plan\n\nB\n");
    assert!(workspace.text("memory/graph/entities/person--mira.md").contains("Lyon"));
    assert!(workspace.read("memory/reference/old.md").is_none());
    assert_eq!(workspace.text(facts), "# Facts\n- The anchor is heavy\n- The mast is new\n");
    assert!(applied.files.len() >= 3);
    let message = workspace.git(&["log", "-1", "--format=%B"]);
    assert!(message.contains("Approval: approved") && message.contains("Type: explore"), "{message}");
    workspace.assert_well();
}

#[test]
fn a_working_tree_that_is_half_made_or_half_gone_is_made_again_and_what_lies_there_is_kept() {
    let workspace = believing(Workspace::new());
    let memory = workspace.memory();
    let branch = memory.branch_start(BranchKind::Explore, "half").unwrap();
    let beside = |number: usize| branch.path.with_file_name(format!("explore-half.left-{number}"));
    let is_whole = || {
        memory.ledger().branch_ledger(&branch.name).unwrap().commit_outside_changes().unwrap();
        Memory::open(&branch.path, options(&clock_of(&workspace))).unwrap().verify().unwrap().is_well()
            && branch.path.join("MEMORY.md").is_file()
    };
    // Killed while it was removed.
    std::fs::remove_file(branch.path.join(".git")).unwrap();
    std::fs::write(branch.path.join("MEMORY.md"), "# Mine\n").unwrap();
    assert!(is_whole());
    assert_eq!(std::fs::read_to_string(beside(1).join("MEMORY.md")).unwrap(), "# Mine\n");
    // The power went while it was made: its files are not all there, and are not taken for deleted.
    let made = std::fs::read_to_string(branch.path.join(".git")).unwrap();
    let of_git = made.trim().strip_prefix("gitdir: ").unwrap();
    std::fs::write(std::path::Path::new(of_git).join("locked"), "initializing").unwrap();
    std::fs::remove_file(branch.path.join("MEMORY.md")).unwrap();
    assert!(is_whole() && beside(2).is_dir());
    // Where a branch was dropped and something stayed.
    memory.ledger().branch_drop("half").unwrap();
    rem_testkit::write(&branch.path, "notes.md", "kept\n");
    memory.branch_start(BranchKind::Explore, "half").unwrap();
    assert!(is_whole());
    assert_eq!(std::fs::read_to_string(beside(3).join("notes.md")).unwrap(), "kept\n");
    workspace.assert_well();
}

#[test]
fn a_what_if_that_nobody_works_on_goes_after_a_week() {
    let workspace = believing(Workspace::new());
    let memory = workspace.memory();
    memory.branch_start(BranchKind::Explore, "old").unwrap();
    memory.branch_start(BranchKind::Extract, "kept").unwrap();
    workspace.advance(SignedDuration::from_hours(24 * 6));
    assert_eq!(memory.branches_prune().unwrap(), [""; 0]);
    workspace.advance(SignedDuration::from_hours(25));
    assert_eq!(memory.branches_prune().unwrap(), ["explore/old"]);
    let left: Vec<String> =
        memory.ledger().branches().unwrap().into_iter().map(|branch| branch.name).collect();
    assert_eq!(left, ["extract/kept"]);
    assert!(matches!(memory.branch_compare("old"), Err(MemoryError::Ledger(LedgerError::Branch { .. }))));
    let sub = workspace
        .open_with(|options| rem_mind::MemoryOptions { role: rem_ledger::AgentRole::Sub, ..options });
    assert!(matches!(
        sub.reconstruct(None, &mut |_, _| {}),
        Err(MemoryError::Ledger(LedgerError::SubAgent(_)))
    ));
    workspace.assert_well();
}

#[test]
fn a_branch_goes_on_and_goes_by_the_name_it_was_given() {
    let workspace = believing(Workspace::new());
    talk(&workspace, "s1", "2026-02-18T09:00:00Z", &["user: Mira lives in Bremen.", "agent: Ok."]);
    let first = reconstruct(&workspace, "Try 2");
    let again = reconstruct(&workspace, "Try 2");
    assert_eq!((first.resumed, again.resumed, again.branch.name.as_str()), (false, true, "extract/try-2"));
    workspace.memory().ledger().branch_drop("Try 2").unwrap();
    assert!(workspace.memory().ledger().branches().unwrap().is_empty());
}

#[test]
fn what_moved_is_no_loss_and_what_was_learned_meanwhile_is_nobodys() {
    let workspace = believing(Workspace::new());
    let memory = workspace.memory();
    workspace.write(
        "memory/reference/facts.md",
        "# Facts\n\n## Facts\n\n- The harbour has nine cranes. <!-- id:aaaaaa -->\n- The bakery opens at six. <!-- id:bbbbbb -->\n- Ada owns a boat. <!-- id:cccccc -->\n",
    );
    memory.catch_up();
    let branch = memory.branch_start(BranchKind::Explore, "tidy").unwrap();
    let there = Memory::open(&branch.path, options(&clock_of(&workspace))).unwrap();
    rem_testkit::write(
        &branch.path,
        "memory/reference/facts.md",
        "# Facts\n\n## Facts\n\n- The bakery opens at seven. <!-- id:bbbbbb -->\n",
    );
    rem_testkit::write(
        &branch.path,
        "memory/reference/harbour.md",
        "# Harbour\n\n## Facts\n\n- The harbour has nine cranes. <!-- id:aaaaaa -->\n- The ferry leaves at noon. <!-- id:dddddd -->\n",
    );
    there.catch_up();
    // Meanwhile here: something new, and what the branch says as well.
    let both =
        workspace.text("memory/reference/facts.md") + "- The lighthouse is closed. <!-- id:eeeeee -->\n";
    workspace.write("memory/reference/facts.md", both);
    memory.catch_up();
    let comparison = memory.branch_compare("tidy").unwrap();
    let of = &comparison.stores["reference"];
    assert_eq!((of.gained, of.lost, of.changed, of.moved), (1, 1, 1, 1), "{of:#?}");
    let said = |text: &str| {
        of.entries
            .iter()
            .any(|each| [&each.here, &each.branch].into_iter().flatten().any(|said| said.contains(text)))
    };
    assert!(said("ferry") && said("Ada owns") && said("at seven") && !said("lighthouse") && !said("cranes"));

    let questions = AskedQuestion::read_all(
        "{\"question\": \"When does the ferry leave?\", \"evidence\": [\"The ferry leaves at noon\"]}\n\
         {\"question\": \"Who owns a boat?\", \"evidence\": [\"Ada owns a boat\"]}\n\
         {\"question\": \"How many cranes does the harbour have?\", \"evidence\": [\"nine cranes\"]}\n",
    )
    .unwrap();
    let measured = memory.branch_measure("tidy", &questions, machine_time(), &mut |_, _| {}).unwrap();
    assert_eq!((measured.here.contradictions, measured.there.contradictions), (Some(0), Some(0)));
    let found = measured.questions.unwrap();
    assert_eq!((found.questions, found.better.len(), found.worse.len()), (3, 1, 1));
    assert!(found.better[0].contains("ferry") && found.worse[0].contains("boat"));
    let two_of_three = |share: f64| (share - 2.0 / 3.0).abs() < 1e-9;
    for side in [found.here, found.there] {
        assert!(two_of_three(side.knowledge.recall[1]) && two_of_three(side.all.recall[2]), "{side:?}");
        assert!(two_of_three(side.knowledge.coverage[1]));
    }
    workspace.assert_well();
}

#[test]
fn a_memory_counts_for_the_lines_that_it_is_from_and_twice_the_same_is_counted() {
    let workspace = believing(Workspace::new());
    lived_in(&workspace);
    let made = reconstruct(&workspace, "one");
    let source = workspace.memory().ledger().transcripts().unwrap()[0].clone();
    let line =
        1 + workspace.text(source.as_str()).lines().position(|line| line.contains("Postgres")).unwrap();
    let asked =
        format!("{{\"question\": \"What do we use for bookings?\", \"evidence\": [\"{source}:{line}\"]}}");
    let questions = AskedQuestion::read_all(&asked).unwrap();
    let measured = workspace
        .memory()
        .branch_measure(&made.branch.name, &questions, machine_time(), &mut |_, _| {})
        .unwrap();
    let found = measured.questions.as_ref().unwrap();
    assert!(found.there.knowledge.recall[2] > 0.99 && found.here.knowledge.recall[2] > 0.99, "{found:?}");
    assert!(found.worse.is_empty() && found.better.is_empty());
    assert_eq!(measured.here.duplicates, 0, "{measured:#?}");
    workspace.write("memory/reference/more.md", "# More\n\n- Bo is allergic to peanuts.\n");
    workspace.memory().catch_up();
    assert_eq!(workspace.memory().branch_compare("one").unwrap().here.duplicates, 1);
}

#[test]
fn victim() {
    let Ok(told) = std::env::var("REM_TEST_RECONSTRUCT") else { return };
    let (root, now) = told.split_once('\n').unwrap();
    let clock = std::sync::Arc::new(rem_ledger::FixedClock::new(now.parse().unwrap()));
    let memory = Memory::open(std::path::Path::new(root), options(&clock)).unwrap();
    memory.reconstruct(Some("one"), &mut |_, _| {}).unwrap();
    std::process::exit(0);
}

/// Runs the reconstruction in a process of its own, which is killed after this time where it is not done by then: that, or what it said, is the error.
fn reconstructed_within(workspace: &Workspace, time: std::time::Duration) -> Result<(), String> {
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "reconstructing::victim", "--nocapture"])
        .env("REM_TEST_RECONSTRUCT", format!("{}\n{}", workspace.root().display(), workspace.now()))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let begun = std::time::Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            // A git that the killed process had started may be at work still: then it refuses, and is begun again.
            let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
            return if status.success() { Ok(()) } else { Err(said) };
        }
        if begun.elapsed() > time {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err("killed".to_owned());
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[test]
fn killed_at_whatever_moment_and_begun_again_it_is_the_same_bytes() {
    let workspace = believing(Workspace::new());
    lived_in(&workspace);
    for number in 0..12 {
        let at = format!("2026-02-{:02}T1{}:00:00Z", 10 + number, number % 8);
        talk(
            &workspace,
            &format!("k{number}"),
            &at,
            &[
                &format!(
                    "user: We decided to use port 80{number:02} for service number {number}, because it was free."
                ),
                "agent: Noted.",
                &format!(
                    "user: Lesson learned: never restart service number {number} at noon, we lost orders."
                ),
            ],
        );
    }
    let whole = pages(rem_testkit::files(&reconstruct(&workspace, "whole").branch.path));
    // Moments by chance, later ones as it goes on: each run is killed a while after it was begun, the last comes through.
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let (mut chance, mut kills, mut said) = (seed, 0_u64, String::new());
    loop {
        assert!(kills < 100, "seed {seed}: it never comes through, the last said: {said}");
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let most = 150 + 120 * kills;
        let time = std::time::Duration::from_millis((chance >> 33) % most + 20);
        match reconstructed_within(&workspace, time) {
            Ok(()) => break,
            Err(why) => said = why,
        }
        kills += 1;
    }
    let made = reconstruct(&workspace, "one");
    assert_eq!(made.mined, 0, "it was done");
    let found = pages(rem_testkit::files(&made.branch.path));
    let differing: Vec<&String> =
        whole.keys().chain(found.keys()).filter(|path| whole.get(*path) != found.get(*path)).collect();
    assert!(differing.is_empty(), "seed {seed}, {kills} kills: {differing:?}");
    assert!(
        Memory::open(&made.branch.path, options(&clock_of(&workspace))).unwrap().verify().unwrap().is_well()
    );
    workspace.assert_well();
}
