//! Change sets: what they do to files, commits and the audit log.

use rem_format::audit::{Action, Actor};
use rem_ledger::{AuditQuery, ChangeSet, LedgerError};

use crate::support::{Workspace, bot, path};

#[test]
fn a_change_becomes_a_file_a_commit_with_trailers_and_an_audit_line() {
    let workspace = Workspace::new();
    workspace.advance(60);
    let set =
        ChangeSet::new().write(path("memory/graph/entities/person--지민.md"), "# Jimin\n", "new entity");
    let applied = workspace.ledger.apply(&set, &bot().session("ses_1")).unwrap();
    assert_eq!(applied.files[0].action, Action::Create);
    let message = workspace.git(&["log", "-1", "--format=%an%n%B"]);
    assert!(message.starts_with("bot:trigger-remember\n[CREATE] memory/graph/entities/person--지민.md — new entity\n\nActor: bot:trigger-remember\nApproval: auto\nTrigger: user said"));
    assert!(message.contains("Session: ses_1\n"));
    let line = workspace.audit_bytes().lines().last().unwrap().to_owned();
    assert!(line.starts_with("2026-03-01T12:01Z | CREATE | memory/graph/entities/person--지민.md"), "{line}");
    workspace.assert_well();
}

#[test]
fn several_files_change_in_one_commit_and_each_has_its_line() {
    let workspace = Workspace::new();
    let set = ChangeSet::new()
        .append(path("MEMORY.md"), "- a fact\n", "added a fact")
        .write(path("memory/procedures/deploy.md"), "# Deploy\n", "learned to deploy")
        .delete(path("memory/none.md"), "was never there");
    let before = workspace.audit_bytes().lines().count();
    let applied = workspace.ledger.apply(&set, &bot()).unwrap();
    assert_eq!(applied.files.len(), 2);
    assert_eq!(workspace.git(&["show", "--name-only", "--format="]).lines().count(), 2);
    assert_eq!(workspace.audit_bytes().lines().count(), before + 2);
    workspace.assert_well();
}

#[test]
fn an_edit_that_changes_nothing_writes_nothing() {
    let workspace = Workspace::new();
    let head = workspace.git(&["rev-parse", "HEAD"]);
    let applied = workspace
        .ledger
        .apply(&ChangeSet::new().write(path("MEMORY.md"), "# Core Memory\n", "same"), &bot())
        .unwrap();
    assert_eq!((applied.change.as_str(), applied.commit), ("", None));
    assert_eq!(workspace.git(&["rev-parse", "HEAD"]), head);
}

#[test]
fn an_edit_that_refuses_changes_none_of_the_files() {
    let workspace = Workspace::new();
    let set = ChangeSet::new()
        .write(path("A.md"), "a", "a")
        .edit(path("MEMORY.md"), "no", |_| Err("over the cap".into()));
    let error = workspace.ledger.apply(&set, &bot()).unwrap_err();
    assert!(matches!(&error, LedgerError::Edit { path, .. } if path.as_str() == "MEMORY.md"));
    assert_eq!(workspace.read("A.md"), None);
    workspace.assert_well();
}

#[test]
fn bytes_that_are_not_text_come_through_unchanged() {
    let workspace = Workspace::new();
    let bytes = b"\xef\xbb\xbf# BOM\r\nCRLF \xff\xfe\0 no newline".to_vec();
    workspace.ledger.apply(&ChangeSet::new().write(path("odd.md"), bytes.clone(), "odd"), &bot()).unwrap();
    assert_eq!(std::fs::read(workspace.root().join("odd.md")).unwrap(), bytes);
    assert_eq!(workspace.ledger.contents_at("HEAD", &path("odd.md")).unwrap().unwrap(), bytes);
    workspace.assert_well();
}

#[test]
fn what_a_person_changed_is_committed_as_manual_before_our_edit() {
    let workspace = Workspace::new();
    workspace.write("MEMORY.md", "# Core Memory\n- by hand\n");
    workspace
        .ledger
        .apply(&ChangeSet::new().append(path("MEMORY.md"), "- by us\n", "added"), &bot())
        .unwrap();
    assert_eq!(workspace.read("MEMORY.md").unwrap(), "# Core Memory\n- by hand\n- by us\n");
    assert_eq!(workspace.git(&["log", "-2", "--format=%an"]), "bot:trigger-remember\nmanual\n");
    workspace.assert_well();
}

#[test]
fn outside_changes_are_found_and_committed_with_their_kind() {
    let workspace = Workspace::new();
    workspace.write("memory/2026-03-01.md", "# Today\n");
    workspace.write("MEMORY.md", "# Mine\n");
    let changes = workspace.ledger.commit_outside_changes().unwrap();
    assert_eq!(
        changes.iter().map(|c| (c.path.as_str(), c.action)).collect::<Vec<_>>(),
        [("MEMORY.md", Action::Edit), ("memory/2026-03-01.md", Action::Create)]
    );
    assert!(workspace.ledger.commit_outside_changes().unwrap().is_empty());
    workspace.assert_well();
}

#[test]
fn a_critical_file_raises_an_alert_that_stays_until_acknowledged() {
    let workspace = Workspace::new();
    workspace.ledger.apply(&ChangeSet::new().write(path("SOUL.md"), "# Evil\n", "improved"), &bot()).unwrap();
    let alerts = workspace.ledger.open_alerts().unwrap();
    assert_eq!(alerts.len(), 1);
    assert!(alerts[0].summary.starts_with("INTEGRITY"), "{}", alerts[0].summary);
    assert!(workspace.git(&["log", "-2", "--format=%B"]).contains("⚠️ CRITICAL FILE CHANGED"));
    let acknowledged = rem_ledger::Provenance {
        approval: rem_format::audit::Approval::Approved,
        ..rem_ledger::Provenance::manual("rem alerts ack")
    };
    workspace.ledger.record_event(Action::Alert, "SOUL.md", "acknowledged", &acknowledged).unwrap();
    assert!(workspace.ledger.open_alerts().unwrap().is_empty());
    workspace.assert_well();
}

#[test]
fn a_critical_file_in_a_commit_that_git_made_raises_an_alert_and_amending_takes_none_away() {
    let workspace = Workspace::new();
    let alerts = || {
        workspace.ledger.catch_up().unwrap();
        let log = workspace.audit_bytes();
        workspace.ledger.rebuild_audit().unwrap();
        assert_eq!(workspace.audit_bytes(), log, "the log follows from git");
        workspace.ledger.open_alerts().unwrap()
    };
    workspace.write("MEMORY.md", "# Mine\n");
    workspace.git(&["commit", "--quiet", "--no-verify", "-a", "-m", "tidied"]);
    assert_eq!(alerts(), []);
    workspace.write("SOUL.md", "# Evil\n");
    workspace.git(&["commit", "--quiet", "--no-verify", "-a", "-m", "sneaky"]);
    let open = alerts();
    assert_eq!((open.len(), open[0].file.as_str()), (1, "SOUL.md"));
    assert!(open[0].summary.contains("by a commit made outside"), "{open:?}");
    let acknowledged = rem_ledger::Provenance {
        approval: rem_format::audit::Approval::Approved,
        ..rem_ledger::Provenance::manual("rem audit acknowledge")
    };
    workspace.ledger.record_event(Action::Alert, "SOUL.md", "acknowledged", &acknowledged).unwrap();
    assert_eq!(alerts(), []);

    // An alert's own commit is the newest: amended, it is gone from the history, and open all the same.
    workspace.ledger.apply(&ChangeSet::new().write(path("SOUL.md"), "# Worse\n", "worse"), &bot()).unwrap();
    assert_eq!(alerts().len(), 1);
    workspace.git(&["commit", "--quiet", "--no-verify", "--amend", "--allow-empty", "-m", "nothing"]);
    let open = alerts();
    assert_eq!(open.len(), 1, "{open:?}");
    assert!(open[0].summary.starts_with("INTEGRITY"), "{open:?}");
    // With its message kept, what is put into it is found.
    workspace.ledger.record_event(Action::Alert, "SOUL.md", "acknowledged", &acknowledged).unwrap();
    workspace.write("SOUL.md", "# Worst\n");
    workspace.git(&["commit", "--quiet", "--no-verify", "-a", "--amend", "--no-edit"]);
    let open = alerts();
    assert!(
        open.iter().any(|alert| alert.file == "SOUL.md" && alert.summary.contains("outside")),
        "{open:?}"
    );
    workspace.assert_well();
}

const DAY: &str = "memory/episodes/2026-03-01.md";
const ENTRY: &str = "# 2026-03-01\n\n## 09:00 | event\nMet the pilot.\n";

#[test]
fn a_store_that_is_only_added_to_refuses_every_other_change_but_a_revert_and_one_that_says_so() {
    let workspace = Workspace::new();
    let apply = |set: ChangeSet<'_>| workspace.ledger.apply(&set, &bot());
    apply(ChangeSet::new().write(path(DAY), ENTRY, "first")).unwrap();
    apply(ChangeSet::new().append(path(DAY), "\n## 10:00 | event\nLeft.\n", "second")).unwrap();
    let refused = [
        ChangeSet::new().write(path(DAY), ENTRY.replace("pilot", "master"), "edit"),
        ChangeSet::new().write(path(DAY), ENTRY, "cut"),
        ChangeSet::new().delete(path(DAY), "delete"),
        ChangeSet::new().rename(path(DAY), path("memory/moved.md"), "move"),
    ];
    for set in refused {
        let error = apply(set).unwrap_err();
        assert!(matches!(&error, LedgerError::AppendOnly { path, .. } if path.as_str() == DAY), "{error}");
        assert_eq!(error.kind(), rem_ledger::ErrorKind::Refused);
        assert!(error.hint().is_some());
    }
    assert!(workspace.read(DAY).unwrap().ends_with("Left.\n"));
    let said = ChangeSet::new().write(path(DAY), ENTRY, "a person asked").take_away(&path(DAY));
    assert_eq!(apply(said).unwrap().files.len(), 1);
    let back = ChangeSet::new().delete(path(DAY), "undo").action(&path(DAY), Action::Revert);
    assert_eq!(apply(back).unwrap().files.len(), 1);
    assert!(workspace.ledger.open_alerts().unwrap().is_empty());
    workspace.assert_well();
}

#[test]
fn what_is_rewritten_outside_in_such_a_store_is_kept_and_raises_an_alert_and_an_addition_does_not() {
    let workspace = Workspace::new();
    workspace.ledger.apply(&ChangeSet::new().write(path(DAY), ENTRY, "first"), &bot()).unwrap();
    let grown = format!("{ENTRY}\n## 10:00 | event\nLeft.\n");
    workspace.write(DAY, &grown);
    workspace.ledger.commit_outside_changes().unwrap();
    assert_eq!(workspace.ledger.open_alerts().unwrap(), []);

    workspace.write(DAY, &grown.replace("pilot", "master"));
    // Whoever touches the file next finds it.
    let more = ChangeSet::new().append(path(DAY), "\n## 11:00 | event\nBack.\n", "third");
    workspace.ledger.apply(&more, &bot()).unwrap();
    let alerts = workspace.ledger.open_alerts().unwrap();
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0].file, DAY);
    assert_eq!(
        alerts[0].summary,
        "Append-only file rewritten outside: 1 of 7 lines changed or gone, the first is line 4. Pending user acknowledgment."
    );
    assert!(!workspace.git(&["log", "-3", "--format=%B"]).contains("CRITICAL"));

    std::fs::remove_file(workspace.root().join(DAY)).unwrap();
    workspace.ledger.commit_outside_changes().unwrap();
    let alerts = workspace.ledger.open_alerts().unwrap();
    assert!(alerts[1].summary.contains("the file was removed"), "{}", alerts[1].summary);
    let log = workspace.audit_bytes();
    workspace.ledger.rebuild_audit().unwrap();
    assert_eq!(workspace.audit_bytes(), log);
    workspace.assert_well();
}

#[test]
fn the_audit_log_is_rebuilt_to_the_same_bytes_foreign_commits_included() {
    let workspace = Workspace::new();
    workspace
        .ledger
        .apply(&ChangeSet::new().write(path("a | b — c.md"), "x", "pipes | and \\ slashes"), &bot())
        .unwrap();
    workspace.write("note.md", "by hand");
    workspace.git(&["add", "note.md"]);
    workspace.git(&["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "a note of mine"]);
    workspace.ledger.apply(&ChangeSet::new().append(path("MEMORY.md"), "- more\n", "more"), &bot()).unwrap();
    let log = workspace.audit_bytes();
    assert!(
        log.contains(
            "| CREATE | note.md                  | manual               | —        | a note of mine"
        ),
        "{log}"
    );
    std::fs::remove_file(workspace.root().join("memory/meta/audit.log")).unwrap();
    workspace.ledger.rebuild_audit().unwrap();
    assert_eq!(workspace.audit_bytes(), log);
    workspace.assert_well();
}

#[test]
fn audit_questions_filter_by_actor_action_file_and_text() {
    let workspace = Workspace::new();
    workspace.ledger.apply(&ChangeSet::new().write(path("memory/a.md"), "1", "first thing"), &bot()).unwrap();
    workspace
        .ledger
        .apply(&ChangeSet::new().write(path("memory/a.md"), "2", "second thing"), &bot())
        .unwrap();
    let ask = |query: AuditQuery| workspace.ledger.audit(&query).unwrap().len();
    assert_eq!(ask(AuditQuery { actor: Some("bot:*".into()), ..AuditQuery::default() }), 2);
    assert_eq!(ask(AuditQuery { actions: vec![Action::Edit], ..AuditQuery::default() }), 1);
    assert_eq!(ask(AuditQuery { file: Some("memory".into()), ..AuditQuery::default() }), 2);
    assert_eq!(ask(AuditQuery { contains: Some("SECOND".into()), ..AuditQuery::default() }), 1);
    assert_eq!(ask(AuditQuery { tail: Some(1), ..AuditQuery::default() }), 1);
}

#[test]
fn old_lines_become_a_monthly_digest_and_the_rest_is_still_derived() {
    let workspace = Workspace::new();
    workspace.ledger.apply(&ChangeSet::new().write(path("memory/a.md"), "1", "in March"), &bot()).unwrap();
    workspace.advance(200 * 24 * 3600);
    workspace
        .ledger
        .apply(&ChangeSet::new().write(path("memory/a.md"), "2", "in September"), &bot())
        .unwrap();
    let outcome = workspace.ledger.digest_audit().unwrap();
    assert_eq!(outcome.months, ["2026-03"]);
    let archive = workspace.read("memory/meta/audit-archive.md").unwrap();
    assert!(archive.contains("# Audit Digest — March 2026\n\n## Summary\n- 5 total mutations"), "{archive}");
    assert!(
        !workspace.audit_bytes().contains("in March") && workspace.audit_bytes().contains("in September")
    );
    assert_eq!(workspace.ledger.digest_audit().unwrap().lines, 0);
    workspace.assert_well();
}

#[test]
fn a_renamed_file_keeps_its_contents_and_has_one_line() {
    let workspace = Workspace::new();
    workspace.ledger.apply(&ChangeSet::new().write(path("memory/a.md"), "text", "a"), &bot()).unwrap();
    let lines = workspace.audit_bytes().lines().count();
    workspace
        .ledger
        .apply(
            &ChangeSet::new().rename(path("memory/a.md"), path("memory/b.md"), "moved from memory/a.md"),
            &bot(),
        )
        .unwrap();
    assert_eq!(
        (workspace.read("memory/a.md"), workspace.read("memory/b.md").as_deref()),
        (None, Some("text"))
    );
    assert_eq!(workspace.audit_bytes().lines().count(), lines + 1);
    workspace.assert_well();
}

#[test]
fn a_file_moves_changed_on_the_way_and_never_over_another() {
    let workspace = Workspace::new();
    workspace.ledger.apply(&ChangeSet::new().write(path("memory/a.md"), "text", "a"), &bot()).unwrap();
    workspace.ledger.apply(&ChangeSet::new().write(path("memory/b.md"), "mine", "b"), &bot()).unwrap();
    let moved = |to: &str| {
        let shout = |found: Option<&[u8]>| Ok(found.map(|found| found.to_ascii_uppercase()));
        workspace
            .ledger
            .apply(&ChangeSet::new().rename_with(path("memory/a.md"), path(to), "moved", shout), &bot())
    };
    assert!(moved("memory/b.md").is_err());
    assert_eq!(
        (workspace.read("memory/a.md").as_deref(), workspace.read("memory/b.md").as_deref()),
        (Some("text"), Some("mine"))
    );
    moved("memory/c.md").unwrap();
    assert_eq!(
        (workspace.read("memory/a.md"), workspace.read("memory/c.md").as_deref()),
        (None, Some("TEXT"))
    );
    workspace.assert_well();
}

#[test]
fn what_is_derived_follows_the_others_of_its_set_and_nothing_else() {
    let workspace = Workspace::new();
    let set = |text: &'static str| {
        ChangeSet::new().write(path("memory/z.md"), text, "z").derive(
            path("memory/a.md"),
            |found, results| {
                let others: usize = results.values().flatten().map(Vec::len).sum();
                Ok(Some(
                    format!("{}{others}\n", String::from_utf8_lossy(found.unwrap_or_default())).into_bytes(),
                ))
            },
        )
    };
    let lines = workspace.audit_bytes().lines().count();
    let applied = workspace.ledger.apply(&set("text"), &bot()).unwrap();
    let paths: Vec<&str> = applied.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["memory/a.md", "memory/z.md"]);
    assert_eq!(workspace.read("memory/a.md").as_deref(), Some("4\n"));
    assert_eq!(workspace.audit_bytes().lines().count(), lines + 1);
    // Nothing changes, so nothing follows.
    assert_eq!(workspace.ledger.apply(&set("text"), &bot()).unwrap().change, "");
    workspace.ledger.apply(&set("longer"), &bot()).unwrap();
    assert_eq!(workspace.read("memory/a.md").as_deref(), Some("4\n6\n"));
    workspace.assert_well();
}

#[test]
fn init_again_changes_nothing_and_brings_back_what_is_missing() {
    let workspace = Workspace::new();
    let head = workspace.git(&["rev-parse", "HEAD"]);
    let files = [(path("MEMORY.md"), "# Another\n".to_owned())];
    let again = |files: &[_]| {
        rem_ledger::Ledger::init(&workspace.root(), crate::support::options(), workspace.clock.clone(), files)
            .unwrap()
            .1
    };
    let outcome = again(&files);
    assert_eq!((outcome.created, outcome.files.len(), outcome.commit), (false, 0, None));
    assert_eq!(workspace.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(again(&[(path("USER.md"), "# User\n".to_owned())]).files, [path("USER.md")]);
    assert!(
        workspace
            .ledger
            .audit(&AuditQuery {
                actor: Some(Actor::System("init".into()).to_string()),
                ..AuditQuery::default()
            })
            .unwrap()
            .len()
            >= 4
    );
    workspace.assert_well();
}

#[test]
fn paths_through_symbolic_links_are_refused() {
    let workspace = Workspace::new();
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), workspace.root().join("memory/link")).unwrap();
    let error = workspace
        .ledger
        .apply(&ChangeSet::new().write(path("memory/link/x.md"), "x", "x"), &bot())
        .unwrap_err();
    assert!(matches!(error, LedgerError::SymbolicLink { .. }));
    assert!(std::fs::read_dir(outside.path()).unwrap().next().is_none());
}

#[test]
fn transcripts_grow_by_synced_appends_and_are_sealed_when_closed() {
    let workspace = Workspace::new();
    let transcript = path("raw/conversations/2026/03/01/1200-s1-talk.md");
    workspace.ledger.append(&transcript, |_| b"---\nsession_id: s1\n---\n\n# Talk\n".to_vec()).unwrap();
    workspace
        .ledger
        .append(&transcript, |found| format!("\n## 12:00 — user\n{}\n", found.tail.len()).into_bytes())
        .unwrap();
    assert!(
        workspace.ledger.commit_outside_changes().unwrap().is_empty(),
        "open transcripts are not committed"
    );
    let close = ChangeSet::new()
        .edit(transcript.clone(), "closed", |found| {
            let text = String::from_utf8_lossy(found.unwrap_or_default()).replacen(
                "session_id: s1\n",
                "session_id: s1\nended: 2026-03-01T12:05:00Z\n",
                1,
            );
            Ok(Some(text.into_bytes()))
        })
        .seal(&transcript);
    workspace.ledger.apply(&close, &bot()).unwrap();
    assert!(std::fs::metadata(workspace.root().join(transcript.as_str())).unwrap().permissions().readonly());
    assert!(matches!(
        workspace.ledger.append(&transcript, |_| b"x".to_vec()),
        Err(LedgerError::Sealed { .. })
    ));
    assert!(matches!(
        workspace.ledger.apply(&ChangeSet::new().append(transcript.clone(), "x", "x"), &bot()),
        Err(LedgerError::Sealed { .. })
    ));
    workspace.assert_well();

    let at = workspace.root().join(transcript.as_str());
    std::fs::remove_file(&at).unwrap();
    std::fs::write(&at, "---\nended: x\n---\nforged\n").unwrap();
    let report = workspace.ledger.verify().unwrap();
    assert!(report.findings.iter().any(|f| f.check == "transcripts"
        && f.path.as_deref() == Some(transcript.as_str())
        && f.message.contains("tampered")));
    workspace.git(&["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qam", "nothing to see"]);
    let report = workspace.ledger.verify().unwrap();
    assert!(
        report.findings.iter().any(|f| f.message.contains("changed and committed after it was closed")),
        "{:#?}",
        report.findings
    );
}

#[test]
fn a_staged_file_is_placed_whole_and_only_where_nothing_stands() {
    use std::io::Write;
    let workspace = Workspace::new();
    let mut staged = workspace.ledger.stage().unwrap();
    for number in 0..10_000 {
        writeln!(staged, "line {number}").unwrap();
    }
    let staged = staged.finish().unwrap();
    let target = path("raw/conversations/2026/03/01/1200-s1-long.md");
    let set = ChangeSet::new().place(target.clone(), staged.clone(), "imported").seal(&target);
    workspace.ledger.apply(&set, &bot()).unwrap();
    assert_eq!(
        workspace.ledger.contents_at("HEAD", &target).unwrap().unwrap(),
        workspace.read(target.as_str()).unwrap().as_bytes()
    );
    assert!(matches!(
        workspace.ledger.apply(&ChangeSet::new().place(target, staged, "again"), &bot()),
        Err(LedgerError::Edit { .. })
    ));
    workspace.assert_well();
}
