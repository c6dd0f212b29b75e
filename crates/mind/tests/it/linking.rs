//! Links between files: where they lead, what leads to a file, and a file that moves with them.

use rem_format::path::MemoryPath;
use rem_mind::Outcome;
use rem_mind::recall::Asking;
use rem_mind::stores::RenameOutcome;
use rem_testkit::{Workspace, machine_time};

use crate::support::{in_both_layouts, placed};

fn path(path: &str) -> MemoryPath {
    MemoryPath::new(path).unwrap()
}

fn moved(workspace: &Workspace, from: &str, to: &str) -> RenameOutcome {
    workspace.memory().rename(&path(from), &path(to), machine_time()).unwrap()
}

/// What verification says of links.
fn broken(workspace: &Workspace) -> Vec<String> {
    let findings = workspace.memory().verify().unwrap().findings.into_iter();
    findings.filter(|finding| finding.check == "links").map(|finding| finding.message).collect()
}

fn linked(workspace: &Workspace, name: &str) -> Vec<String> {
    let backlinks = workspace.memory().backlinks(&Asking::default(), name, machine_time()).unwrap();
    backlinks.links.into_iter().map(|link| format!("{}:{}", link.path, link.line)).collect()
}

#[test]
fn a_file_moves_with_every_link_to_it_and_no_other_byte_changes() {
    let workspace = Workspace::new();
    let words = "Three boats leave at dawn.\nTwo come back at noon.\nOne stays out.\n".repeat(3);
    workspace.write("memory/plan.md", format!("# Plan\n\n{words}See [[#Plan]] and [[plan#Plan]].\n"));
    workspace.write(
        "memory/reference/notes.md",
        "# N\r\n\r\n| [[plan\\|the plan]] | [[Plan.md#Plan]] |\r\n`[[plan]]` ![[plan]]\r\n```\r\n[[plan]]\r\n```\r\n[[planet]] [[memory/plan|x]]",
    );
    workspace.write("memory/episodes/2026-02-02.md", "# D\n\n## 09:00 | event\nwrote [[plan]]\n");
    workspace.write("SOUL.md", "# Soul\n\n[[plan]]\n");
    let outcome = moved(&workspace, "memory/plan.md", "memory/projects/atlas/road-map.md");
    assert_eq!(workspace.read("memory/plan.md"), None);
    assert_eq!(
        workspace.text("memory/projects/atlas/road-map.md"),
        format!("# Plan\n\n{words}See [[#Plan]] and [[road-map#Plan]].\n")
    );
    assert_eq!(
        workspace.text("memory/reference/notes.md"),
        "# N\r\n\r\n| [[road-map\\|the plan]] | [[road-map.md#Plan]] |\r\n`[[plan]]` ![[road-map]]\r\n```\r\n[[plan]]\r\n```\r\n[[planet]] [[memory/projects/atlas/road-map|x]]"
    );
    let rewritten: Vec<(&str, usize)> =
        outcome.rewritten.iter().map(|(path, links)| (path.as_str(), *links)).collect();
    assert_eq!(rewritten, [("memory/projects/atlas/road-map.md", 1), ("memory/reference/notes.md", 4)]);
    let left: Vec<&str> = outcome.left.iter().map(|link| link.path.as_str()).collect();
    assert_eq!(left, ["SOUL.md", "memory/episodes/2026-02-02.md"]);
    assert!(workspace.text("SOUL.md").contains("[[plan]]"));
    // One commit, and git sees where the file went.
    let names = workspace.git(&["show", "--format=%s", "--name-status", "-M", "HEAD"]);
    assert!(names.contains("memory/plan.md\tmemory/projects/atlas/road-map.md"), "{names}");
    assert_eq!(
        linked(&workspace, "road-map"),
        [
            "memory/reference/notes.md:3",
            "memory/reference/notes.md:3",
            "memory/reference/notes.md:4",
            "memory/reference/notes.md:8"
        ]
    );
    // What could not be changed is named with the new place.
    let said = broken(&workspace);
    let moved = "[[plan]] leads nowhere; the file is now memory/projects/atlas/road-map.md";
    assert_eq!(said, [moved, moved, "[[planet]] leads nowhere"], "{said:?}");
}

#[test]
fn an_entity_that_moves_is_found_by_its_old_id_and_its_edges_lead_to_the_new() {
    for workspace in in_both_layouts() {
        let at = |id: &str| placed(&workspace, &format!("memory/graph/entities/{id}.md"));
        let day = placed(&workspace, "memory/2026-02-01.md");
        workspace.write(
            &at("person--jose\u{301}"),
            "# person--jose\u{301}\n\n<!-- Type: person | Label: José -->\n\n## Facts\n- sails\n",
        );
        workspace.write(&at("person--bo"), "# person--bo\n\n<!-- Type: person | Label: Bo -->\n\n## Relations\n- knows: [[person--jos\u{e9}|him]] <!-- first-seen:2026-01-01 -->\n");
        workspace.write(
            &at("person--pepe"),
            "# person--pepe\n\n<!-- Type: person | Status: archived | Merged into: person--jose\u{301} -->\n",
        );
        workspace.write(&day, "# D\n\nMet [[entity:person--jos\u{e9}]], called [[José]].\n");
        moved(&workspace, &at("person--jose\u{301}"), &at("person--jose-mar"));
        let entity = workspace.text(&at("person--jose-mar"));
        assert!(
            entity.starts_with("# person--jose-mar\n") && entity.contains("Aliases: person--jose\u{301}"),
            "{entity}"
        );
        assert!(
            workspace.text(&at("person--bo")).contains("- knows: [[person--jose-mar|him]] <!-- first-seen")
        );
        assert!(workspace.text(&at("person--pepe")).contains("Merged into: person--jose-mar"));
        assert_eq!(workspace.text(&day), "# D\n\nMet [[entity:person--jose-mar]], called [[José]].\n");
        for name in ["person--jos\u{e9}", "José", "person--jose-mar", "jose mar"] {
            let shown = workspace.memory().graph_show(name, None, 1, machine_time()).unwrap();
            assert_eq!(shown.entity.id, "person--jose-mar", "{name}");
            assert_eq!(shown.relations.len(), 1);
            assert_eq!(shown.linked_from, [day.clone(), at("person--bo")]);
        }
        assert!(
            workspace
                .text(&placed(&workspace, "memory/graph/index.md"))
                .contains("| person--bo | knows | person--jose-mar |")
        );
        assert_eq!(broken(&workspace), Vec::<String>::new());
        workspace.assert_well();
    }
}

#[test]
fn what_has_a_fixed_place_or_a_name_taken_does_not_move() {
    let workspace = Workspace::new();
    for note in ["memory/reference/a.md", "memory/reference/b.md", "memory/graph/entities/tool--x.md"] {
        workspace.write(note, "# T\n");
    }
    workspace.memory().catch_up();
    let before = workspace.files();
    for (from, to) in [
        ("memory/reference/a.md", "memory/reference/b.md"),
        ("memory/reference/a.md", "memory/reference/B.md"),
        ("memory/reference/a.md", "memory/reference/a.txt"),
        ("memory/reference/a.md", "memory/reference/a|b.md"),
        ("memory/reference/a.md", "memory/tmp/a.md"),
        ("memory/reference/a.md", "raw/conversations/a.md"),
        ("memory/reference/a.md", "memory/graph/entities/a.md"),
        ("memory/graph/entities/tool--x.md", "memory/reference/tool--x.md"),
        ("memory/graph/entities/tool--x.md", "memory/graph/entities/x.md"),
        ("MEMORY.md", "memory/reference/core.md"),
        ("CONFIG.md", "memory/c.md"),
        ("memory.db", "memory/db.md"),
        ("memory/none.md", "memory/some.md"),
    ] {
        let error = workspace.memory().rename(&path(from), &path(to), machine_time()).unwrap_err();
        assert_eq!(error.outcome(), Outcome::Usage, "{from} to {to}: {error}");
        assert!(error.hint().is_some(), "{from} to {to}");
    }
    let now = workspace.files();
    assert_eq!(
        before.keys().filter(|path| path.ends_with(".md")).collect::<Vec<_>>(),
        now.keys().filter(|path| path.ends_with(".md")).collect::<Vec<_>>()
    );
}

#[test]
fn names_that_would_mean_another_file_after_a_move_are_written_as_paths() {
    let workspace = Workspace::new();
    workspace.write("memory/reference/plan.md", "# A\n");
    workspace.write("memory/projects/x/old.md", "# B\n");
    workspace.write("memory/projects/x/notes.md", "[[plan]] [[old]] [[gone]]\n");
    // In the folder of the notes a new file takes the name that meant another.
    moved(&workspace, "memory/projects/x/old.md", "memory/projects/x/plan.md");
    assert_eq!(workspace.text("memory/projects/x/notes.md"), "[[memory/reference/plan]] [[plan]] [[gone]]\n");
    assert_eq!(linked(&workspace, "memory/reference/plan.md"), ["memory/projects/x/notes.md:1"]);
    // A link that still leads there stays as it is written.
    moved(&workspace, "memory/projects/x/plan.md", "memory/projects/y/scheme.md");
    moved(&workspace, "memory/projects/y/scheme.md", "memory/topics-of-mine/scheme.md");
    assert_eq!(
        workspace.text("memory/projects/x/notes.md"),
        "[[memory/reference/plan]] [[scheme]] [[gone]]\n"
    );
}

#[test]
fn verification_knows_headings_other_names_and_where_a_file_went_by_hand() {
    let workspace = Workspace::new();
    workspace.write(
        "memory/reference/boats.md",
        "# Boats\n\n## The Lugger\n\nTwo masts and a crew of three, built in Bremen.\n",
    );
    workspace.write(
        "memory/graph/entities/person--mira.md",
        "# person--mira\n\n<!-- Type: person | Label: Mira Holt | Aliases: Mimi -->\n",
    );
    workspace.write(
        "memory/2026-02-01.md",
        "[[boats#the lugger]] [[boats#Sloop]] [[Mira Holt]] [[mimi]] [[#Nothing]] [[boats#^b1]] ![[memory/pic.png]]\n",
    );
    workspace.write("memory/pic.png", b"\x89PNG");
    workspace.memory().catch_up();
    assert_eq!(
        broken(&workspace),
        [
            "[[#Nothing]] leads to no heading: there is no \"Nothing\" in memory/2026-02-01.md",
            "[[boats#Sloop]] leads to no heading: there is no \"Sloop\" in memory/reference/boats.md",
            "[[boats#^b1]] leads to no heading: there is no \"^b1\" in memory/reference/boats.md",
        ]
    );
    let at = |path: &str| workspace.root().join(path);
    std::fs::create_dir_all(at("memory/reference/harbor")).unwrap();
    std::fs::rename(at("memory/reference/boats.md"), at("memory/reference/harbor/ships.md")).unwrap();
    workspace.memory().catch_up();
    let said = broken(&workspace);
    assert!(
        said.contains(
            &"[[boats]] leads nowhere; the file is now memory/reference/harbor/ships.md".to_owned()
        ),
        "{said:?}"
    );
}
