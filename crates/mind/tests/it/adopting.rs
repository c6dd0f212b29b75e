//! Taking over a workspace that an agent lives in: no byte changes, and one revert undoes it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rem_ledger::FixedClock;
use rem_mind::{AdoptOutcome, Memory, Outcome};
use rem_testkit::{MORNING, copy_folder, files, git, options, samples, write};

use crate::support::time;

fn clock() -> Arc<FixedClock> {
    Arc::new(FixedClock::new(time(MORNING)))
}

fn adopt(root: &Path, dry_run: bool) -> AdoptOutcome {
    Memory::adopt(root, dry_run, options(&clock())).unwrap()
}

fn kinds(outcome: &AdoptOutcome) -> BTreeMap<&str, Vec<&str>> {
    outcome
        .recognised
        .iter()
        .map(|kind| (kind.kind.as_str(), kind.files.iter().map(String::as_str).collect()))
        .collect()
}

/// A workspace of OpenClaw as people have them: the host's templates, dated notes, core memory, topics, odd bytes.
fn lived_in() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    match samples() {
        Some(samples) => copy_folder(&samples.join("openclaw-workspace"), root),
        None => {
            for name in ["SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md"] {
                write(root, name, format!("# {name}\n"));
            }
        }
    }
    write(root, "MEMORY.md", "# Memory\r\n\r\n- Prefers short answers\r\n- The cat is called Ada");
    write(root, "memory/2026-02-27.md", "\u{feff}# Friday\n\nFixed the boiler.\n");
    write(root, "memory/2026-02-28.md", b"# Saturday\n\nA byte that is no text: \xff\xfe\n");
    write(root, "memory/2026-02-28-boiler.md", "## Session\n\nMore on the boiler.\n");
    write(root, "memory/gardening.md", "# Gardening\n\nTomatoes need sun.\n");
    write(root, "topics/boiler.md", "---\ntriggers: [boiler]\n---\n\nAsk for the pressure first.\n");
    write(root, "notes/recipe.md", "Flour, water, salt.");
    write(root, "notes/\u{fc}n\u{ef}c\u{f6}d\u{e9} name.md", "Odd name.");
    write(root, "picture.png", b"\x89PNG\r\n\x1a\n\0\0");
    folder
}

#[test]
fn a_dry_run_says_what_it_recognises_and_changes_nothing() {
    let folder = lived_in();
    let before = files(folder.path());
    let outcome = adopt(folder.path(), true);
    assert_eq!(files(folder.path()), before);
    assert!(!folder.path().join(".git").exists() && !folder.path().join(".rem").exists());
    assert_eq!(outcome.layout, "openclaw");
    assert!(outcome.commit.is_none() && !outcome.added.is_empty());
    let kinds = kinds(&outcome);
    for name in ["SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md"] {
        assert!(kinds["identity"].contains(&name), "{name}");
    }
    assert_eq!(kinds["memory"], ["MEMORY.md"]);
    assert_eq!(
        kinds["dated notes"],
        ["memory/2026-02-27.md", "memory/2026-02-28-boiler.md", "memory/2026-02-28.md"]
    );
    assert_eq!(kinds["core notes"], ["memory/gardening.md"]);
    assert_eq!(kinds["topic"], ["topics/boiler.md"]);
    assert!(kinds["host instructions"].contains(&"HEARTBEAT.md"));
    assert!(outcome.others >= 2, "{outcome:?}");
    let added: Vec<&str> = outcome.added.iter().map(|path| path.as_str()).collect();
    assert!(added.contains(&"CONFIG.md") && !added.contains(&"SOUL.md"));
}

#[test]
fn adopting_changes_no_byte_and_one_revert_undoes_it() {
    let folder = lived_in();
    let root = folder.path();
    let before = files(root);
    let dry = adopt(root, true);
    let outcome = adopt(root, false);
    assert_eq!((&outcome.recognised, &outcome.added), (&dry.recognised, &dry.added), "as it was announced");
    let after = files(root);
    for (path, contents) in &before {
        assert_eq!(after.get(path), Some(contents), "{path}");
    }
    let memory = Memory::open(root, options(&clock())).unwrap();
    let report = memory.verify().unwrap();
    assert!(report.is_well(), "{:#?}", report.findings);
    assert_eq!(git(root, &["status", "--porcelain"]), "");
    for path in before.keys() {
        let kept = git(root, &["-c", "core.quotepath=off", "ls-files", "--", path]);
        assert_eq!(kept.trim(), path, "what was found is in history");
    }
    assert_eq!(
        memory.ledger().contents_at("HEAD", &crate::support::path("memory/2026-02-28.md")).unwrap().unwrap(),
        before["memory/2026-02-28.md"]
    );

    git(root, &["revert", "--no-edit", outcome.commit.as_deref().unwrap()]);
    let mut reverted = files(root);
    reverted.remove("memory/meta/audit.log");
    assert_eq!(reverted.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    assert_eq!(reverted, before);
    assert_eq!(git(root, &["status", "--porcelain"]), "");
}

#[test]
fn a_repository_of_ones_own_keeps_its_history_and_its_rules() {
    let folder = lived_in();
    let root = folder.path();
    write(root, ".gitignore", "private/\n*.tmp\n");
    write(root, "private/diary.txt", "not for git");
    write(root, ".git-hooks-are-not-here", "");
    git(root, &["init", "-q", "-b", "trunk"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "mine"]);
    write(root, ".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n");
    write(root, "MEMORY.md", "# Memory\n\nchanged and not committed\n");
    let before = files(root);
    let outcome = adopt(root, false);
    let log = git(root, &["log", "--format=%s"]);
    assert!(log.lines().last().unwrap() == "mine" && log.lines().count() == 3, "{log}");
    assert_eq!(git(root, &["branch", "--show-current"]), "trunk\n");
    assert_eq!(std::fs::read_to_string(root.join(".gitignore")).unwrap(), "private/\n*.tmp\n");
    assert_eq!(
        std::fs::read_to_string(root.join(".git/hooks/pre-commit")).unwrap(),
        "#!/bin/sh\nexit 0\n",
        "somebody's hook is left alone"
    );
    assert_eq!(git(root, &["ls-files", "--", "private"]), "");
    assert_eq!(git(root, &["status", "--porcelain"]), "", "our own state is not seen by git");
    git(root, &["revert", "--no-edit", outcome.commit.as_deref().unwrap()]);
    let mut reverted = files(root);
    reverted.remove("memory/meta/audit.log");
    assert_eq!(reverted, before);
}

#[test]
fn a_session_can_be_captured_and_a_note_found_after_adopting() {
    let folder = lived_in();
    adopt(folder.path(), false);
    let memory = Memory::open(folder.path(), options(&clock())).unwrap();
    memory.capture("s", &crate::support::user(MORNING, "The boiler hums.")).unwrap();
    let query = rem_mind::recall::Query { text: "boiler".into(), ..Default::default() };
    let answer = memory.recall(&query, rem_testkit::machine_time(), &mut |_| {}).unwrap();
    let paths: Vec<&str> = answer.results.iter().map(|hit| hit.path.as_str()).collect();
    assert!(paths.contains(&"memory/2026-02-27.md") && paths.contains(&"topics/boiler.md"), "{paths:?}");
}

#[test]
fn settings_of_the_hosts_are_translated() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "knowledge/identity/SOUL.md", "# Soul\n\nI am patient.\n");
    write(root, "knowledge/journal/2026-02-28.md", "# Saturday\n");
    write(root, "topics/rocket.md", "---\ntriggers: [rocket]\n---\nCount down.\n");
    write(
        root,
        "memory-config.yaml",
        "# of the compiler\ncontext_compiler:\n  identity_budget_kb: 6\nlifecycle:\n  memory_line_cap: 190\n",
    );
    let openclaw = serde_json::json!({"agents": {"defaults": {"memorySearch": {
        "provider": "openai", "model": "small",
        "query": {"hybrid": {"vectorWeight": 0.6, "textWeight": 0.4,
            "temporalDecay": {"enabled": true, "halfLifeDays": 45}}}}}}});
    write(root, "openclaw.json", openclaw.to_string());
    let before = files(root);
    let outcome = adopt(root, false);
    assert_eq!(outcome.layout, "autopoiesis");
    let memory = Memory::open(root, options(&clock())).unwrap();
    let config = memory.config();
    assert_eq!(config.layout.preset.name(), "autopoiesis");
    assert_eq!(config.context_compiler.identity_budget_kb, 6, "{:?}", outcome.settings);
    assert_eq!(config.core.line_cap, 190);
    assert_eq!(config.search.half_life_days, 45.0);
    assert_eq!((config.search.vector_weight, config.search.bm25_weight), (0.6, 0.4));
    assert_eq!(config.embeddings.model, "small");
    assert!(outcome.settings.contains(&"search.half_life_days = 45".to_owned()), "{:?}", outcome.settings);
    let kinds = kinds(&outcome);
    assert_eq!(kinds["host settings"], ["memory-config.yaml", "openclaw.json"]);
    assert_eq!(kinds["identity"], ["knowledge/identity/SOUL.md"]);
    assert_eq!(kinds["topic"], ["topics/rocket.md"]);
    for (path, contents) in &before {
        assert_eq!(files(root).get(path), Some(contents), "{path}");
    }
    assert!(memory.verify().unwrap().is_well());
}

#[test]
fn settings_that_are_not_understood_stop_nothing() {
    let folder = lived_in();
    write(folder.path(), "memory-config.yaml", "context: {identity_kb: 6}\n");
    write(folder.path(), "openclaw.json", "{ // with a comment\n}");
    let outcome = adopt(folder.path(), false);
    assert!(outcome.commit.is_some() && outcome.settings.is_empty());
}

#[test]
fn what_is_a_workspace_already_or_no_folder_at_all_is_refused() {
    let folder = lived_in();
    adopt(folder.path(), false);
    for root in [folder.path().to_owned(), folder.path().join("absent")] {
        let error = Memory::adopt(&root, false, options(&clock())).unwrap_err();
        assert_eq!(error.outcome(), Outcome::Usage);
        assert!(error.hint().is_some());
    }
}
