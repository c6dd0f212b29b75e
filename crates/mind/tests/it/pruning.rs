//! What is over its cap, its age or out of use is put away, and everything is somewhere afterwards.

use std::time::{Duration, SystemTime};

use rem_mind::lifecycle::prune::PruneOutcome;
use rem_testkit::{Workspace, machine_time};

fn prune(workspace: &Workspace, apply: bool) -> PruneOutcome {
    workspace.memory().prune(apply, machine_time()).unwrap()
}

/// Makes a file as old as that by the clock of the workspace.
fn age(workspace: &Workspace, path: &str, days: u64) {
    let now: SystemTime = workspace.now().into();
    let file = std::fs::File::options().write(true).open(workspace.root().join(path)).unwrap();
    file.set_modified(now - Duration::from_secs(days * 86_400)).unwrap();
}

fn paths(outcome: &PruneOutcome) -> Vec<(&str, &str)> {
    outcome.files.iter().map(|file| (file.path.as_str(), file.why.as_str())).collect()
}

#[test]
fn old_days_and_what_nobody_refers_to_move_into_the_archive() {
    let workspace = Workspace::new();
    let files = [
        ("memory/2025-01-01.md", "# D\n\nsee [[tides]]\n", 400),
        ("memory/2026-02-20.md", "# young\n\n[[boats]]\n", 9),
        ("memory/2025-01-02.md", "- no: Wednesday #correction\n", 400),
        ("memory/roadmap.md", "# undated\n", 400),
        ("memory/reference/tides.md", "# Tides\n", 31),
        ("memory/reference/lights.md", "# Lights\n\n[[memory/reference/moon]]\n", 31),
        ("memory/reference/boats.md", "# Boats\n", 92),
        ("memory/reference/moon.md", "# Moon\n", 30),
        ("memory/reference/kept.md", "---\npinned: true\n---\n", 400),
        ("memory/people/mira.md", "# Mira\n", 400),
        ("memory/people/jo.md", "# Jo\n\n[[mira]]\n", 400),
        ("memory/projects/atlas/notes.md", "# Atlas\n", 400),
        ("memory/projects/old/notes.md", "# Old\n", 400),
        ("memory/vault/deed.md", "# Deed\n", 400),
        ("memory/procedures/row.md", "# Row\n", 400),
    ];
    files.iter().for_each(|(path, text, _)| workspace.write(path, text));
    workspace.write("memory/projects/_active.md", "# Active Projects\n\n- **atlas** — maps\n");
    workspace.memory().catch_up();
    files.iter().for_each(|(path, _, days)| age(&workspace, path, *days));

    let preview = prune(&workspace, false);
    assert!(preview.changes.is_empty() && !preview.applied);
    assert_eq!(
        paths(&preview),
        [
            ("memory/2025-01-01.md", "an old day"),
            ("memory/people/jo.md", "unused"),
            ("memory/projects/old/notes.md", "unused"),
            ("memory/reference/lights.md", "unused"),
        ]
    );
    let kept: Vec<&str> = preview.kept.iter().map(|kept| kept.path.as_str()).collect();
    assert_eq!(kept, ["memory/2025-01-02.md", "memory/reference/kept.md"]);

    let outcome = prune(&workspace, true);
    assert_eq!(paths(&outcome), paths(&preview));
    let log = workspace.text("COMPACTION_LOG.md");
    for file in &outcome.files {
        let (path, text, _) = files.iter().find(|(path, ..)| *path == file.path.as_str()).unwrap();
        assert_eq!(workspace.read(path), None, "{path}");
        assert_eq!(workspace.text(file.target.as_str()), *text, "{path}");
        let line = log.lines().find(|line| line.starts_with(&format!("- {path} → {}", file.target))).unwrap();
        let commit = line.split(" --to ").nth(1).unwrap().trim_end_matches('`');
        let before = workspace.memory().ledger().contents_at(commit, &file.path).unwrap();
        assert_eq!(before.as_deref(), Some(text.as_bytes()));
    }
    assert_eq!(outcome.files[0].target.as_str(), "memory/archive/journal/2025-01-01.md");
    workspace.assert_well();
    let other =
        files.iter().filter(|(path, ..)| outcome.files.iter().all(|file| file.path.as_str() != *path));
    other.for_each(|(path, text, _)| assert_eq!(workspace.text(path), *text, "{path}"));
}

#[test]
fn core_memory_comes_below_its_caps_and_every_entry_is_somewhere() {
    let mut workspace = Workspace::new();
    workspace.set("core.line_warning", "15");
    workspace.set("core.line_cap", "20");
    let mut text =
        "# Core Memory\n\n## Persona\n- wants figs <!-- id:stale | since:2025-11-01 | confidence:0.3 -->\n"
            .to_owned();
    text.push_str("- never on Tuesday #correction <!-- id:right | since:2020-01-01 | confidence:0.1 -->\n\n## Active Context\n");
    let words = [
        "oak", "elm", "ash", "fir", "yew", "box", "bay", "fig", "palm", "pine", "plum", "pear", "rose",
        "reed", "rush", "moss",
    ];
    for (number, word) in words.iter().enumerate() {
        text.push_str(&format!("- {word} arrives <!-- id:t{number} | since:2026-02-{:02} -->\n", 1 + number));
    }
    workspace.write("MEMORY.md", &text);
    workspace.memory().catch_up();
    let outcome = prune(&workspace, true);
    assert!(!outcome.is_over_cap);
    let core = workspace.text("MEMORY.md");
    assert!(core.lines().count() <= 20 && core.contains("never on Tuesday #correction"), "{core}");
    let archive = workspace.text("memory/archive/core-memory.md");
    assert!(archive.contains("wants figs") && archive.contains("pruned:2026-03-01"), "{archive}");
    let reference = workspace.text("memory/reference/core-memory.md");
    for word in words {
        let count =
            [&core, &reference].iter().filter(|text| text.contains(&format!("{word} arrives"))).count();
        assert_eq!(count, 1, "{word}");
    }
    let log = workspace.text("COMPACTION_LOG.md");
    assert!(
        log.contains("- MEMORY.md → memory/archive/core-memory.md | 1 line | core:stale, confidence 0.20"),
        "{log}"
    );
    assert_eq!(prune(&workspace, true).changes.len(), 0, "twice is once");
    workspace.assert_well();
}

#[test]
fn what_was_brought_back_goes_again_without_a_second_copy() {
    let mut workspace = Workspace::new();
    workspace.write(
        "MEMORY.md",
        "# Core Memory\n\n## Active Context\n- The ferry was late. <!-- id:aaaaaa | since:2025-06-01 | confidence:0.20 | mentions:1 -->\n- The ferry is new. <!-- id:bbbbbb | since:2026-02-27 | confidence:0.90 | mentions:3 -->\n",
    );
    workspace.write("memory/2025-06-01.md", "# 2025-06-01\n\nThe ferry was late.\n");
    workspace.reopen();
    workspace.memory().catch_up();
    let head = workspace.head();
    let first = prune(&workspace, true);
    assert_eq!((first.entries.len(), first.files.len()), (1, 1), "{first:?}");
    for file in ["MEMORY.md", "memory/2025-06-01.md"] {
        let path = rem_format::path::MemoryPath::new(file).unwrap();
        let bytes = workspace.memory().ledger().contents_at(&head, &path).unwrap().unwrap();
        workspace.write(file, bytes);
    }
    workspace.memory().catch_up();
    let again = prune(&workspace, true);
    assert_eq!((again.entries.len(), again.files.len()), (1, 1), "{again:?}");
    let archive = workspace.text("memory/archive/core-memory.md");
    assert_eq!(archive.matches("The ferry was late.").count(), 1, "{archive}");
    assert!(workspace.read("memory/2025-06-01.md").is_none());
    assert!(workspace.text("memory/archive/journal/2025-06-01.md").contains("late"));
    workspace.assert_well();
}

#[test]
fn what_is_pinned_as_a_whole_stays_however_that_is_written_and_plain_links_follow_what_goes() {
    let workspace = Workspace::new();
    for (number, word) in
        ["pinned: true", "pinned: \"true\"", "Pinned: yes", "pinned: on"].into_iter().enumerate()
    {
        workspace
            .write(&format!("memory/reference/kept{number}.md"), format!("---\n{word}\n---\n\n# Kept\n"));
    }
    workspace.write("memory/reference/marked.md", "\u{feff}---\npinned: true\n---\n\n# Kept\n");
    workspace.write("memory/reference/goes.md", "---\npinned: false\n---\n\n# Goes\n\n[p](../plan.md)\n");
    workspace.write("memory/reference/used.md", "# Used\n");
    workspace.write("memory/plan.md", "# Plan\n\n[u](reference/used.md)\n");
    let core = "---\npinned: true\n---\n\n# Core Memory\n\n## Active Context\n\
        - The mast broke <!-- id:aaaaa1 | since:2024-01-01 | confidence:0.20 | mentions:1 -->\n";
    workspace.write("MEMORY.md", core);
    workspace.memory().catch_up();
    let files = workspace.files().into_keys().filter(|path| path.starts_with("memory/reference/"));
    files.for_each(|path| age(&workspace, &path, 60));
    let outcome = prune(&workspace, true);
    assert_eq!(paths(&outcome), [("memory/reference/goes.md", "unused")], "{:?}", outcome.kept);
    assert!(outcome.entries.is_empty());
    assert_eq!(workspace.text("MEMORY.md"), core);
    assert!(workspace.text("memory/archive/reference/goes.md").contains("[p](../../plan.md)"));

    // An entry that says so in one word or the other.
    let entry = |id: &str, word: &str| {
        format!(
            "- Boat {id} leaks <!-- id:{id} | since:2024-01-01 | confidence:0.20 | mentions:1{word} -->\n"
        )
    };
    let kept = [entry("aaaaa1", " | pinned:yes"), entry("aaaaa2", " | pinned:true")].concat();
    workspace
        .write("MEMORY.md", format!("# Core Memory\n\n## Active Context\n{kept}{}", entry("aaaaa3", "")));
    workspace.memory().catch_up();
    assert_eq!(prune(&workspace, true).entries.len(), 1);
    assert!(workspace.text("MEMORY.md").contains(&kept));
    workspace.assert_well();
}
