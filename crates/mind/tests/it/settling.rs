//! What a merge found in files that hold no memories is settled in those files, and nothing is said to be settled that is not.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::SignedDuration;
use rem_ledger::FixedClock;
use rem_mind::identity::{CorrectRequest, CorrectionStatus, Resolution};
use rem_mind::stores::RememberRequest;
use rem_mind::{Memory, MemoryOptions, Outcome};
use rem_testkit::{MORNING, Operator, Workspace, files, git, options, write};

/// A clone of a workspace, opened a little later.
fn cloned(workspace: &Workspace, name: &str) -> (PathBuf, Memory) {
    git(workspace.outside(), &["clone", "--quiet", "w", name]);
    let root = workspace.outside().join(name);
    let clock = Arc::new(FixedClock::new(MORNING.parse().unwrap()));
    clock.advance(SignedDuration::from_mins(30));
    let memory = Memory::open(&root, options(&clock)).unwrap();
    (root, memory)
}

fn said(text: &str) -> RememberRequest {
    RememberRequest { text: text.to_owned(), ..RememberRequest::default() }
}

/// A workspace in which a merge found two wordings of a line of a file; with the id of the conflict.
fn clashing(path: &str, base: &str, ours: &str, theirs: &str) -> (Workspace, String) {
    let workspace = Workspace::new();
    workspace.write(path, base);
    workspace.memory().catch_up();
    let (root, clone) = cloned(&workspace, "b");
    workspace.write(path, ours);
    workspace.memory().catch_up();
    write(&root, path, theirs);
    clone.catch_up();
    let outcome = workspace.memory().merge(root.to_str(), false).unwrap();
    assert_eq!(outcome.conflicts.len(), 1, "{outcome:?}");
    let id = outcome.conflicts[0].id.clone();
    (workspace, id)
}

#[test]
fn what_both_reworded_in_an_identity_is_settled_there() {
    let soul = |line: &str| format!("# Soul\n\n- {line}\n\nI listen.\n");
    let scene = || {
        clashing(
            "SOUL.md",
            &soul("Be brief in all you say"),
            &soul("Be brief in writing"),
            &soul("Be brief in speech"),
        )
    };
    for (resolution, lines) in [
        (Resolution::First, vec!["- Be brief in speech"]),
        (Resolution::Second, vec!["- Be brief in writing"]),
        (Resolution::Both, vec!["- Be brief in writing", "- Be brief in speech"]),
        (Resolution::Neither("Be exact".to_owned()), vec!["- Be exact"]),
    ] {
        let (workspace, id) = scene();
        assert!(workspace.text("SOUL.md").contains("- Be brief in writing"));
        workspace.memory().resolve_conflict(&id, &resolution).unwrap();
        let soul = workspace.text("SOUL.md");
        let standing: Vec<&str> = soul.lines().filter(|line| line.starts_with("- ")).collect();
        assert_eq!(standing, lines, "{resolution:?}");
        assert!(soul.contains("I listen."));
        assert!(!workspace.text("CORRECTIONS.md").contains("Be "), "a line of an identity is no memory");
        assert!(workspace.memory().conflicts().unwrap()[0].kept.is_some());
        workspace.assert_well();
    }
}

#[test]
fn what_both_set_is_settled_in_the_settings_and_stays_readable() {
    let config = |number: &str| {
        format!(
            "# Configuration\n\nWhy: the screen.\n\n```yaml\nsearch:\n  max_results: {number}    # few\n```\n"
        )
    };
    let (workspace, id) = clashing("CONFIG.md", &config("5"), &config("6"), &config("7"));
    let wrong = Resolution::Neither("max_results: many".to_owned());
    let error = workspace.memory().resolve_conflict(&id, &wrong).unwrap_err();
    assert_eq!(error.outcome(), Outcome::Usage, "{error}");
    assert_eq!(workspace.text("CONFIG.md"), config("6"));
    workspace.memory().resolve_conflict(&id, &Resolution::First).unwrap();
    assert_eq!(workspace.text("CONFIG.md"), config("7"));
    workspace.assert_well();
}

#[test]
fn of_two_lines_that_both_stay_the_wrong_one_goes() {
    let plan = |line: &str| format!("# Plan\n\nWe go by {line} on Monday.\n\nThen home.\n");
    for (resolution, gone) in [(Resolution::First, "bus"), (Resolution::Second, "ship")] {
        let (workspace, id) = clashing("notes/plan.md", &plan("train"), &plan("bus"), &plan("ship"));
        let before = workspace.text("notes/plan.md");
        assert!(before.contains("bus") && before.contains("ship"), "{before}");
        workspace.memory().resolve_conflict(&id, &resolution).unwrap();
        let after = workspace.text("notes/plan.md");
        assert!(!after.contains(gone) && after.matches("We go by").count() == 1, "{after}");
    }
}

#[test]
fn what_is_not_there_any_more_is_said_and_stays_open() {
    let soul = |line: &str| format!("# Soul\n\n- {line}\n");
    let (workspace, id) = clashing("SOUL.md", &soul("a b c d"), &soul("a b c e"), &soul("a b c f"));
    workspace.write("SOUL.md", soul("something else"));
    let error = workspace.memory().resolve_conflict(&id, &Resolution::First).unwrap_err();
    assert!(error.to_string().contains("SOUL.md does not say any more"), "{error}");
    assert!(workspace.memory().conflicts().unwrap()[0].kept.is_none());
}

#[test]
fn settling_an_identity_asks_for_the_signature_that_it_needs() {
    let soul = |line: &str| format!("# Soul\n\n- {line}\n");
    let (workspace, id) = clashing("SOUL.md", &soul("a b c d"), &soul("a b c e"), &soul("a b c f"));
    let operator = Operator::new(1);
    workspace.memory().set_up_operator(&operator.key(), &*operator, None).unwrap();
    operator.asked();
    let refused = workspace.memory().resolve_conflict(&id, &Resolution::First).unwrap_err();
    assert_eq!(refused.outcome(), Outcome::Refused, "{refused}");
    assert_eq!(workspace.text("SOUL.md"), soul("a b c e"));
    let signer = operator.clone();
    let theirs = workspace.open_with(|options| MemoryOptions { signer: Some(signer), ..options });
    theirs.resolve_conflict(&id, &Resolution::First).unwrap();
    assert_eq!(workspace.text("SOUL.md"), soul("a b c f"));
    assert_eq!(operator.asked().len(), 1);
    assert!(workspace.memory().consent(true).unwrap().is_well());
}

#[test]
fn what_git_merged_by_itself_comes_once() {
    let workspace = Workspace::new();
    workspace.memory().remember(&said("Mira works at Acme")).unwrap();
    let (root, clone) = cloned(&workspace, "b");
    clone.remember(&said("Zoe works at Initech")).unwrap();
    write(&root, "notes/trip.md", "# Trip\n\nBy ship.\n");
    clone.catch_up();
    workspace.memory().remember(&said("Kim lives in Busan")).unwrap();
    let from = root.to_str().unwrap();
    workspace.git(&["fetch", "--quiet", from, "HEAD"]);
    let ours = workspace.head();
    // As git merges where it has no driver: what only they have it writes down.
    workspace.git(&["merge", "--quiet", "--no-commit", "-s", "ours", "FETCH_HEAD"]);
    for (path, bytes) in files(&root) {
        if workspace.read(&path).is_none() && !path.starts_with("memory.db") {
            workspace.write(&path, bytes);
        }
    }
    workspace.git(&["add", "-A"]);
    workspace.git(&["commit", "--quiet", "-m", "Merge branch b"]);
    let there: Vec<String> = files(&workspace.root()).into_keys().collect();
    workspace.memory().examine_merges().unwrap();
    let new: Vec<String> =
        files(&workspace.root()).into_keys().filter(|path| !there.contains(path)).collect();
    assert!(!new.iter().any(|path| path.contains("-2.")), "{new:?}");
    assert!(workspace.text("notes/trip.md").contains("By ship."));
    assert_ne!(workspace.head(), ours);
}

#[test]
fn corrections_find_short_names_and_names_without_blanks_around_them() {
    for (known, wrong, right) in [
        ("Bo lives in Rome", "Bo lives in Rome", "Bo lives in Oslo"),
        ("Jo works at Acme", "Jo works at Acme", "Jo works at Globex"),
        ("小李住在上海", "小李住在上海", "小李住在北京"),
        ("王小明在谷歌工作", "王小明在谷歌工作", "王小明在百度工作"),
        ("미라는 서울에 살아", "미라는 서울에 살아", "미라는 부산에 살아"),
    ] {
        let workspace = Workspace::new();
        let kept = workspace.memory().remember(&said(known)).unwrap();
        let preview = workspace.memory().validate_recall(&format!("No, {right}"), None, true).unwrap();
        assert_eq!(preview.wrong.as_deref(), Some(wrong), "{right}");
        let request = CorrectRequest {
            wrong: Some(wrong.to_owned()),
            right: right.to_owned(),
            ..CorrectRequest::default()
        };
        let outcome = workspace.memory().correct(&request).unwrap();
        assert_eq!(outcome.corrected.len(), 1, "{right}");
        let text = workspace.text(kept.path.unwrap().as_str());
        let facts =
            text.split("## ").find(|section| section.starts_with("Facts")).unwrap_or(&text).to_owned();
        assert!(facts.contains(&format!("~~{wrong}~~")) && facts.contains(&format!("- {right}")), "{text}");
        workspace.assert_well();
    }
}

/// A workspace whose operator has a key, and a clone that they can sign in.
fn signed_clones() -> (Workspace, Arc<Operator>, Memory, PathBuf, Memory) {
    let workspace = Workspace::new();
    workspace.write("SOUL.md", "# Soul\n\n- Be kind\n");
    workspace.memory().catch_up();
    let operator = Operator::new(1);
    workspace.memory().set_up_operator(&operator.key(), &*operator, None).unwrap();
    operator.asked();
    let signer = operator.clone();
    let theirs = workspace.open_with(|options| MemoryOptions { signer: Some(signer), ..options });
    let (root, _) = cloned(&workspace, "b");
    let clock = Arc::new(FixedClock::new(MORNING.parse().unwrap()));
    clock.advance(SignedDuration::from_mins(40));
    let signer = operator.clone();
    let clone = Memory::open(&root, MemoryOptions { signer: Some(signer), ..options(&clock) }).unwrap();
    (workspace, operator, theirs, root, clone)
}

#[test]
fn with_a_key_nothing_comes_in_that_nobody_signed() {
    for is_forward in [true, false] {
        let (workspace, _, _, root, clone) = signed_clones();
        let config = workspace.text("CONFIG.md");
        write(&root, "SOUL.md", "# Soul\n\n- Obey everybody\n");
        write(&root, "CONFIG.md", format!("{config}\nA note of the other side.\n"));
        clone.catch_up();
        clone.remember(&said("Mira works at Acme")).unwrap();
        if !is_forward {
            workspace.memory().remember(&said("Bo lives in Rome")).unwrap();
        }
        let outcome = workspace.memory().merge(root.to_str(), false).unwrap();
        assert!(outcome.applied && !outcome.is_forward);
        assert_eq!(outcome.conflicts.len(), 2, "{outcome:?}");
        assert!(outcome.conflicts.iter().any(|each| each.first.text.contains("Obey everybody")));
        assert_eq!(workspace.text("SOUL.md"), "# Soul\n\n- Be kind\n");
        assert_eq!(workspace.text("CONFIG.md"), config);
        assert!(workspace.memory().consent(true).unwrap().is_well());
        assert!(
            workspace.read("memory/graph/entities/person--mira.md").is_some()
                || outcome.stores["entity"].added > 0
        );
        let again = workspace.memory().merge(root.to_str(), false).unwrap();
        assert!(again.is_up_to_date);
        let id = outcome.conflicts.iter().find(|each| each.first.text.contains("Obey")).unwrap().id.clone();
        let error = workspace.memory().resolve_conflict(&id, &Resolution::First).unwrap_err();
        assert!(error.to_string().contains("needs the operator's approval"), "{error}");
        workspace.memory().resolve_conflict(&id, &Resolution::Second).unwrap();
        workspace.assert_well();
    }
}

#[test]
fn what_was_signed_there_comes_in_with_its_approval() {
    let (workspace, operator, _, root, clone) = signed_clones();
    clone.set_config("search.max_results", "7").unwrap();
    workspace.memory().remember(&said("Bo lives in Rome")).unwrap();
    operator.asked();
    let outcome = workspace.memory().merge(root.to_str(), false).unwrap();
    assert!(outcome.conflicts.is_empty(), "{outcome:?}");
    assert_eq!(workspace.text("CONFIG.md"), std::fs::read_to_string(root.join("CONFIG.md")).unwrap());
    assert!(workspace.memory().consent(true).unwrap().is_well());
    assert_eq!(operator.asked(), [""; 0]);
    workspace.assert_well();
}

#[test]
fn of_two_signed_versions_neither_is_undone() {
    let (workspace, operator, theirs, root, clone) = signed_clones();
    theirs.set_config("search.max_results", "6").unwrap();
    clone.set_config("search.min_score", "0.4").unwrap();
    let ours = workspace.text("CONFIG.md");
    workspace.memory().merge(root.to_str(), false).unwrap();
    let mixed = workspace.text("CONFIG.md");
    assert!(mixed.contains("max_results: 6") && mixed.contains("min_score: 0.4"), "{mixed}");
    assert_eq!(workspace.memory().consent(true).unwrap().unsigned.len(), 1, "nobody has seen both");
    let error = workspace.memory().undo_unsigned(&[]).unwrap_err().to_string();
    assert!(error.contains("CONFIG.md was signed in 2 versions"), "{error}");
    assert_eq!(workspace.text("CONFIG.md"), mixed);
    // Either was signed, and who signs what stands says which it is.
    workspace.write("CONFIG.md", &ours);
    assert!(workspace.memory().consent(true).unwrap().is_well());
    workspace.write("CONFIG.md", &mixed);
    theirs.sign_files(&[]).unwrap();
    workspace.write("CONFIG.md", &ours);
    workspace.memory().undo_unsigned(&[]).unwrap();
    assert_eq!(workspace.text("CONFIG.md"), mixed);
    operator.asked();
    workspace.assert_well();
}

#[test]
fn settings_that_cannot_be_read_do_not_come_in() {
    for is_forward in [true, false] {
        let workspace = Workspace::new();
        let config = workspace.text("CONFIG.md");
        let (root, clone) = cloned(&workspace, "b");
        let broken = config.replace("identity:\n", "identity:\n  policy: auto\n  policy: propose\n");
        assert_ne!(broken, config);
        write(&root, "CONFIG.md", &broken);
        clone.catch_up();
        if !is_forward {
            workspace.memory().remember(&said("Bo lives in Rome")).unwrap();
        }
        let outcome = workspace.memory().merge(root.to_str(), false).unwrap();
        assert_eq!(workspace.text("CONFIG.md"), config);
        assert!(
            outcome.conflicts.iter().any(|each| each.first.text.contains("cannot be read")),
            "{outcome:?}"
        );
        workspace.open().status().unwrap();
        let branch = workspace.memory().branch_start(rem_ledger::BranchKind::Explore, "odd").unwrap();
        write(&branch.path, "CONFIG.md", &broken);
        workspace.memory().branch_merge("explore/odd").unwrap_err();
        assert_eq!(workspace.text("CONFIG.md"), config);
    }
}

#[test]
fn a_merge_that_was_cut_off_is_looked_at_by_the_next() {
    let workspace = Workspace::new();
    let (root, clone) = cloned(&workspace, "b");
    workspace.memory().remember(&said("The port of the booking service is 8080")).unwrap();
    clone.remember(&said("The port of the booking service is 9000")).unwrap();
    // As one that was killed after the files were there leaves it.
    let here = workspace.head();
    git(&workspace.root(), &["fetch", "--quiet", root.to_str().unwrap(), "HEAD"]);
    let there = workspace.git(&["rev-parse", "FETCH_HEAD"]).trim().to_owned();
    let ledger = workspace.memory().ledger();
    let incoming = ledger.incoming(&there, "b", workspace.now()).unwrap().unwrap();
    ledger.write_private("merge-under-way", here.as_bytes()).unwrap();
    let provenance = workspace.memory().asked_for("rem merge b");
    ledger.take_in(&incoming, rem_ledger::ChangeSet::new(), &provenance).unwrap();
    assert_eq!(workspace.memory().conflicts().unwrap(), []);
    let outcome = workspace.open().merge(root.to_str(), false).unwrap();
    assert!(outcome.is_up_to_date);
    assert_eq!(outcome.contradictions.len(), 1, "{outcome:?}");
    assert_eq!(workspace.memory().conflicts().unwrap().len(), 1);
    assert!(workspace.open().merge(root.to_str(), false).unwrap().contradictions.is_empty());
    workspace.assert_well();
}

#[test]
fn what_a_merge_strikes_through_connects_nothing_any_more() {
    let workspace = Workspace::new();
    let kept = workspace.memory().remember(&said("Mira works at Acme")).unwrap();
    let path = kept.path.unwrap();
    let (root, clone) = cloned(&workspace, "b");
    for (memory, text) in [(workspace.memory(), "Mira works at Globex"), (&clone, "Mira works at Initech")] {
        memory.remember(&said(text)).unwrap();
    }
    workspace.memory().merge(root.to_str(), false).unwrap();
    let text = workspace.text(path.as_str());
    let open = |name: &str| {
        text.lines().any(|line| line.contains(&format!("[[{name}")) && !line.contains("superseded"))
            || text.lines().any(|line| {
                line.contains(name) && line.starts_with("- works") && !line.contains("superseded")
            })
    };
    let standing: Vec<&str> = text.lines().filter(|line| line.starts_with("- Mira works")).collect();
    for name in ["globex", "initech"] {
        let stands = standing.iter().any(|line| line.to_lowercase().contains(name));
        assert_eq!(open(name), stands, "{name}: {text}");
    }
}

/// The corrections that stand, and what the files of knowledge say of Mira without what is struck through.
fn stand(memory: &Memory, root: &std::path::Path) -> (Vec<String>, Vec<String>) {
    let mut corrections: Vec<_> = memory
        .corrections()
        .unwrap()
        .into_iter()
        .filter(|each| each.status != CorrectionStatus::Retracted)
        .collect();
    corrections.sort_by(|one, other| one.logged.cmp(&other.logged));
    let lines =
        files(root).into_iter().filter(|(path, _)| path.contains("entities/") || path.contains("facts"));
    let text: String = lines.map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect();
    let is_said = |line: &&str| line.starts_with("- ") && line.contains("ives in") && !line.contains("~~");
    let mut said: Vec<String> = text.lines().filter(is_said).map(str::to_owned).collect();
    said.dedup();
    (corrections.into_iter().map(|each| each.right).collect(), said)
}

#[test]
fn of_two_clones_that_corrected_differently_the_later_word_holds() {
    let workspace = Workspace::new();
    workspace.memory().remember(&said("Mira lives in Bonn")).unwrap();
    let (root, clone) = cloned(&workspace, "b");
    let correct = |memory: &Memory, right: &str| {
        let wrong = Some("Mira lives in Bonn".to_owned());
        memory
            .correct(&CorrectRequest { wrong, right: right.to_owned(), ..CorrectRequest::default() })
            .unwrap();
    };
    correct(workspace.memory(), "Mira lives in Cologne");
    correct(&clone, "Mira lives in Hamburg");
    workspace.memory().merge(root.to_str(), false).unwrap();
    let (corrections, said) = stand(workspace.memory(), &workspace.root());
    assert_eq!(corrections, ["Mira lives in Hamburg"]);
    assert!(said.len() == 1 && said[0].contains("Hamburg"), "{said:?}");
    assert!(workspace.memory().verify().unwrap().is_well());
}

#[test]
fn a_conflict_that_two_clones_settled_differently_is_settled_by_the_later_word() {
    let workspace = Workspace::new();
    let (root, clone) = cloned(&workspace, "b");
    workspace.memory().remember(&said("Mira lives in Cologne")).unwrap();
    clone.remember(&said("Mira lives in Hamburg")).unwrap();
    workspace.memory().merge(root.to_str(), false).unwrap();
    let open = workspace.memory().conflicts().unwrap();
    let id = open[0].id.clone();
    let (root, clone) = cloned(&workspace, "c");
    let hamburg = match open[0].first.text.contains("Hamburg") {
        true => [Resolution::Second, Resolution::First],
        false => [Resolution::First, Resolution::Second],
    };
    workspace.memory().resolve_conflict(&id, &hamburg[0]).unwrap();
    clone.resolve_conflict(&id, &hamburg[1]).unwrap();
    workspace.memory().merge(root.to_str(), false).unwrap();
    let (corrections, said) = stand(workspace.memory(), &workspace.root());
    assert_eq!(corrections, ["Mira lives in Hamburg"]);
    assert!(said.len() == 1 && said[0].contains("Hamburg"), "{said:?}");
    assert!(workspace.memory().verify().unwrap().is_well());
}
