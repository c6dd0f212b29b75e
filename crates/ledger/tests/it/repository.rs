//! Repositories in trouble, tags and history.

use rem_format::audit::Action;
use rem_ledger::{AuditQuery, ChangeSet, LedgerError, TagKind};

use crate::support::{Workspace, bot, path};

fn add(text: &str) -> ChangeSet<'static> {
    ChangeSet::new().append(path("MEMORY.md"), format!("- {text}\n"), format!("added {text}"))
}

#[test]
fn a_merge_in_progress_and_a_detached_head_are_named_and_nothing_changes() {
    let workspace = Workspace::new();
    let head = workspace.git(&["rev-parse", "HEAD"]);
    std::fs::write(workspace.root().join(".git/MERGE_HEAD"), &head).unwrap();
    let error = workspace.ledger.apply(&add("x"), &bot()).unwrap_err();
    assert!(matches!(error, LedgerError::RepositoryBusy("a merge")) && error.hint().is_some());
    std::fs::remove_file(workspace.root().join(".git/MERGE_HEAD")).unwrap();
    workspace.git(&["checkout", "-q", "--detach"]);
    assert!(matches!(workspace.ledger.apply(&add("x"), &bot()), Err(LedgerError::DetachedHead)));
    workspace.git(&["switch", "-q", "main"]);
    assert_eq!(workspace.git(&["rev-parse", "HEAD"]), head);
    workspace.ledger.apply(&add("x"), &bot()).unwrap();
    workspace.assert_well();
}

#[test]
fn an_index_lock_that_a_process_of_ours_left_is_taken_away_and_gits_is_not() {
    let workspace = Workspace::new();
    let at = |name: &str| workspace.root().join(".git").join(name);
    std::fs::write(at("index.lock-of-rem"), "").unwrap();
    std::fs::hard_link(at("index.lock-of-rem"), at("index.lock")).unwrap();
    workspace.ledger.apply(&add("x"), &bot()).unwrap();
    assert!(!at("index.lock").exists() && !at("index.lock-of-rem").exists());
    // It died a moment after it had given the lock back, and git took it.
    std::fs::write(at("index.lock-of-rem"), "").unwrap();
    std::fs::write(at("index.lock"), "").unwrap();
    let error = workspace.ledger.apply(&add("y"), &bot()).unwrap_err();
    assert!(matches!(error, LedgerError::IndexLocked(_)), "{error}");
    std::fs::remove_file(at("index.lock")).unwrap();
    workspace.ledger.apply(&add("y"), &bot()).unwrap();
    assert_eq!(workspace.git(&["status", "--porcelain"]), "");
    workspace.assert_well();
}

#[test]
fn a_left_behind_index_lock_is_said_and_repaired_on_request() {
    let workspace = Workspace::new();
    std::fs::write(workspace.root().join(".git/index.lock"), "").unwrap();
    let error = workspace.ledger.apply(&add("x"), &bot()).unwrap_err();
    assert!(matches!(error, LedgerError::IndexLocked(_)), "{error}");
    assert_eq!(workspace.read("MEMORY.md").unwrap(), "# Core Memory\n");
    assert!(workspace.ledger.repair().unwrap().iter().any(|done| done.contains("index.lock")));
    workspace.ledger.apply(&add("x"), &bot()).unwrap();
    workspace.assert_well();
}

#[test]
fn what_a_person_staged_stays_staged() {
    let workspace = Workspace::new();
    workspace.write("mine.md", "mine");
    workspace.git(&["add", "mine.md"]);
    workspace.ledger.apply(&add("x"), &bot()).unwrap();
    assert_eq!(workspace.git(&["status", "--porcelain"]), "A  mine.md\n");
}

#[test]
fn an_index_of_another_version_is_brought_up_to_date_by_git() {
    let workspace = Workspace::new();
    workspace.git(&["update-index", "--index-version", "4"]);
    workspace.ledger.apply(&add("x"), &bot()).unwrap();
    workspace.assert_well();
}

#[test]
fn packed_refs_and_objects_are_read() {
    let workspace = Workspace::new();
    workspace.ledger.apply(&add("x"), &bot()).unwrap();
    workspace.git(&["gc", "-q"]);
    workspace.ledger.apply(&add("y"), &bot()).unwrap();
    workspace.assert_well();
}

#[test]
fn a_merged_branch_brings_its_audit_lines_in_an_order_that_rebuilds() {
    let workspace = Workspace::new();
    let identity = ["-c", "user.name=x", "-c", "user.email=x@y"];
    workspace.git(&["switch", "-qc", "explore/idea"]);
    workspace.ledger.apply(&ChangeSet::new().write(path("idea.md"), "idea", "an idea"), &bot()).unwrap();
    workspace.git(&["switch", "-q", "main"]);
    workspace.ledger.apply(&add("x"), &bot()).unwrap();
    workspace
        .git(&[&identity[..], &["merge", "-q", "--no-ff", "-m", "keep the idea", "explore/idea"]].concat());
    workspace.ledger.apply(&add("y"), &bot()).unwrap();
    let log = workspace.audit_bytes();
    assert!(log.contains("an idea") && log.contains("keep the idea"), "{log}");
    workspace.ledger.rebuild_audit().unwrap();
    assert_eq!(workspace.audit_bytes(), log);
    workspace.assert_well();
}

#[test]
fn tags_follow_the_seed_and_daily_ones_only_when_something_changed() {
    let workspace = Workspace::new();
    let utc = jiff::tz::TimeZone::UTC;
    let daily = workspace.ledger.tag(&TagKind::Daily, &utc).unwrap();
    assert_eq!((daily.name.as_str(), daily.created), ("memory/daily/2026-03-01", true));
    workspace.advance(24 * 3600);
    let unchanged = workspace.ledger.tag(&TagKind::Daily, &utc).unwrap();
    assert_eq!(unchanged.why_not().as_deref(), Some("nothing changed since memory/daily/2026-03-01"));
    workspace.ledger.apply(&add("x"), &bot()).unwrap();
    assert!(workspace.ledger.tag(&TagKind::Daily, &utc).unwrap().created);
    workspace.ledger.apply(&add("y"), &bot()).unwrap();
    let taken = workspace.ledger.tag(&TagKind::Daily, &utc).unwrap();
    assert_eq!(taken.why_not().as_deref(), Some("memory/daily/2026-03-02 was made before"));
    let missed = workspace.ledger.tag_of(&TagKind::Weekly, jiff::civil::date(2026, 2, 20)).unwrap();
    assert_eq!((missed.name.as_str(), missed.created), ("memory/weekly/2026-W08", true));
    workspace.ledger.apply(&add("z"), &bot()).unwrap();
    assert_eq!(workspace.ledger.tag(&TagKind::Weekly, &utc).unwrap().name, "memory/weekly/2026-W10");
    assert_eq!(
        workspace.ledger.tag(&TagKind::Before("the big rewrite".into()), &utc).unwrap().name,
        "memory/before/the-big-rewrite"
    );
    assert_eq!(workspace.ledger.tags().unwrap().len(), 5);
    assert_eq!(
        workspace.ledger.contents_at("memory/daily/2026-03-01", &path("MEMORY.md")).unwrap().unwrap(),
        b"# Core Memory\n"
    );
    workspace.assert_well();
}

#[test]
fn history_answers_when_where_from_and_what_changed() {
    let workspace = Workspace::new();
    workspace.advance(3600);
    workspace.ledger.apply(&add("uses Postgres"), &bot().session("ses_42")).unwrap();
    workspace.advance(3600);
    workspace.ledger.apply(&add("likes tea"), &bot()).unwrap();
    let learned = workspace.ledger.when_learned("Postgres").unwrap();
    assert_eq!(learned.len(), 1);
    assert_eq!(learned[0].session.as_deref(), Some("ses_42"));
    assert_eq!(learned[0].files, ["MEMORY.md"]);
    let origin = workspace.ledger.origin(&path("MEMORY.md"), Some(2)).unwrap();
    assert_eq!(
        (origin[0].text.as_str(), origin[0].origin.actor.as_str()),
        ("- uses Postgres", "bot:trigger-remember")
    );
    let changed = workspace
        .ledger
        .changed_since(crate::support::start() + jiff::SignedDuration::from_secs(5000))
        .unwrap();
    assert_eq!((changed.len(), changed[0].added), (1, 1));
    assert!(changed[0].patch.contains("+- likes tea"));
}

#[test]
fn a_read_only_workspace_gives_a_clear_error() {
    let workspace = Workspace::new();
    // Root ignores permissions, so a file stands where the folder of the new memory should be.
    workspace.write("memory/blocked", "a file");
    let error = workspace
        .ledger
        .apply(&ChangeSet::new().write(path("memory/blocked/x.md"), "x", "x"), &bot())
        .unwrap_err();
    assert!(error.to_string().contains("blocked"), "{error}");
    workspace.ledger.commit_outside_changes().unwrap();
    workspace.assert_well();
}

#[test]
fn a_repository_with_another_name_stands_beside_the_owners() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("w");
    std::fs::create_dir_all(&root).unwrap();
    crate::support::git(&root, &["init", "-q"]);
    let options = rem_ledger::LedgerOptions { git_folder: ".audit".into(), ..crate::support::options() };
    let clock = std::sync::Arc::new(rem_ledger::FixedClock::new(crate::support::start()));
    let (ledger, _) =
        rem_ledger::Ledger::init(&root, options, clock, &[(path("MEMORY.md"), "x\n".into())]).unwrap();
    ledger.apply(&add("y"), &bot()).unwrap();
    assert!(ledger.verify().unwrap().is_well(), "{:#?}", ledger.verify().unwrap());
    assert_eq!(
        ledger
            .audit(&AuditQuery { actions: vec![Action::Edit, Action::Append], ..AuditQuery::default() })
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn with_the_batched_cadence_changes_share_a_commit_until_its_interval_ends() {
    let mut workspace = Workspace::new();
    workspace.ledger = rem_ledger::Ledger::open(
        &workspace.root(),
        rem_ledger::LedgerOptions {
            batch: Some(std::time::Duration::from_secs(1800)),
            ..crate::support::options()
        },
        workspace.clock.clone(),
    )
    .unwrap();
    let count = |workspace: &Workspace| {
        workspace.git(&["rev-list", "--count", "HEAD"]).trim().parse::<usize>().unwrap()
    };
    let (commits, lines) = (count(&workspace), workspace.audit_bytes().lines().count());
    for number in 0..5 {
        workspace.advance(60);
        workspace.ledger.apply(&add(&format!("fact {number}")), &bot()).unwrap();
        assert_eq!(
            workspace.audit_bytes().lines().count(),
            lines + number + 1,
            "the line is written at once"
        );
        workspace.assert_well();
    }
    assert_eq!(count(&workspace), commits + 1);
    let log = workspace.audit_bytes();
    workspace.ledger.rebuild_audit().unwrap();
    assert_eq!(workspace.audit_bytes(), log);
    // A tag keeps what it names: the next change begins another commit, and so does the end of the interval.
    workspace.ledger.tag(&TagKind::Daily, &jiff::tz::TimeZone::UTC).unwrap();
    workspace.ledger.apply(&add("after the tag"), &bot()).unwrap();
    assert_eq!(count(&workspace), commits + 2);
    workspace.advance(1800);
    workspace.ledger.apply(&add("later"), &bot()).unwrap();
    assert_eq!(count(&workspace), commits + 3);
    workspace.assert_well();
}

#[test]
fn a_large_workspace_has_a_split_index_that_git_and_we_change_in_turn() {
    let workspace = Workspace::new();
    let name = |number: usize| format!("memory/reference/{}/n{number}.md", number % 40);
    let many =
        (0..2_100).fold(ChangeSet::new(), |set, number| set.create(path(&name(number)), "x\n", "note"));
    workspace.ledger.apply(&many, &bot()).unwrap();
    let shared = |workspace: &Workspace| {
        let names = std::fs::read_dir(workspace.root().join(".git")).unwrap();
        names
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("sharedindex."))
            .count()
    };
    assert_eq!(shared(&workspace), 1);
    assert!(std::fs::metadata(workspace.root().join(".git/index")).unwrap().len() < 500);
    workspace.assert_well();
    // Ours: changed, removed, added, removed again, brought back.
    workspace
        .ledger
        .apply(
            &ChangeSet::new().append(path(&name(7)), "y\n", "more").delete(path(&name(1_000)), "gone"),
            &bot(),
        )
        .unwrap();
    workspace.assert_well();
    workspace
        .ledger
        .apply(
            &ChangeSet::new().create(path("a-first.md"), "a\n", "new").create(path("zz.md"), "z\n", "new"),
            &bot(),
        )
        .unwrap();
    workspace.assert_well();
    // Git's, between ours.
    workspace.write("memory/by-hand.md", "mine\n");
    workspace.write(&name(8), "mine\n");
    std::fs::remove_file(workspace.root().join(name(9))).unwrap();
    workspace.git(&["add", "-A"]);
    workspace.git(&["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "by hand"]);
    workspace
        .ledger
        .apply(
            &ChangeSet::new()
                .delete(path("zz.md"), "gone")
                .create(path(&name(1_000)), "back\n", "back")
                .append(path("memory/by-hand.md"), "ours\n", "more"),
            &bot(),
        )
        .unwrap();
    workspace.assert_well();
    assert_eq!(
        workspace.git(&["ls-files"]).lines().count(),
        workspace.git(&["ls-tree", "-r", "--name-only", "HEAD"]).lines().count()
    );
    // So many changes that a new shared part is due.
    for round in 0..5 {
        let set = (0..60).fold(ChangeSet::new(), |set, number| {
            set.append(path(&name(100 + round * 60 + number)), "z\n", "more")
        });
        workspace.ledger.apply(&set, &bot()).unwrap();
        workspace.assert_well();
    }
}

#[test]
fn a_private_file_grows_by_whole_lines_and_keeps_its_newest() {
    let workspace = Workspace::new();
    let ledger = &workspace.ledger;
    assert_eq!(ledger.read_private_tail("log", 100), None);
    for number in 0..100 {
        ledger.append_private("log", format!("line {number:02}\n").as_bytes(), 80).unwrap();
        let kept = String::from_utf8(ledger.read_private("log").unwrap()).unwrap();
        assert!(kept.len() <= 80 && kept.lines().count() > number.min(4), "{kept}");
        assert!(kept.lines().all(|line| line.len() == 7) && kept.ends_with(&format!("line {number:02}\n")));
    }
    assert_eq!(ledger.read_private_tail("log", 16).unwrap(), b"line 98\nline 99\n");
    assert_eq!(ledger.read_private_tail("log", 17).unwrap(), b"line 98\nline 99\n");
    // Half a line of a process that died.
    ledger.write_private("log", b"whole\nhal").unwrap();
    ledger.append_private("log", b"next\n", 80).unwrap();
    assert_eq!(ledger.read_private("log").unwrap(), b"whole\nhal\nnext\n");
}
