//! Promotion takes nothing out of a note that does not stand in the target, and writes where it may alone.

use rem_format::path::MemoryPath;
use rem_testkit::Workspace;

const AGREED: &str = "We approved and decided and confirmed: the fee is";

fn promoted(workspace: &Workspace) -> rem_mind::stores::promote::PromoteOutcome {
    workspace.memory().catch_up();
    let candidates = workspace.memory().promotion_candidates(7, 0.4).unwrap();
    workspace.memory().promote(&candidates, None).unwrap()
}

#[test]
fn what_begins_like_something_in_the_target_is_not_there_yet() {
    let workspace = Workspace::at("2026-03-06T09:00:00Z");
    workspace.write("memory/2026-03-04.md", format!("# D\n\n## Vendor\n{AGREED} $500\n"));
    assert_eq!(promoted(&workspace).results.len(), 1);
    workspace.write(
        "memory/2026-03-05.md",
        format!("# D\n\n## Vendor\n{AGREED} $5\n\n## Decided, confirmed, approved\n"),
    );
    assert_eq!(promoted(&workspace).results.len(), 2);
    let core = workspace.text("MEMORY.md");
    let lines: Vec<&str> = core.lines().collect();
    for line in
        [format!("{AGREED} $500"), format!("{AGREED} $5"), "## Decided, confirmed, approved".to_owned()]
    {
        assert!(lines.contains(&line.as_str()), "{line} in {core}");
    }
    assert_eq!(workspace.text("memory/2026-03-05.md"), "# D\n\n");

    // The section is taken out, and not the longer one before it that begins alike.
    let note = format!("# D\n\n## Rate\n{AGREED} $70, soup\n\n### Rate\n{AGREED} $70");
    workspace.write("memory/2026-03-06.md", note);
    workspace.memory().catch_up();
    let mut candidates = workspace.memory().promotion_candidates(7, 0.4).unwrap();
    let second = candidates.split_off(1);
    workspace.memory().promote(&second, None).unwrap();
    assert_eq!(workspace.text("memory/2026-03-06.md"), format!("# D\n\n## Rate\n{AGREED} $70, soup\n\n"));
    workspace.assert_well();
}

#[test]
fn what_would_swallow_what_follows_stays_and_is_named() {
    let workspace = Workspace::at("2026-03-06T09:00:00Z");
    let note = format!(
        "# D\n\n## Remark\n{AGREED} $5 <!-- why\n\n## Fee\n{AGREED} $6\n\n## Code\n{AGREED} $7\n```\nx\n"
    );
    workspace.write("memory/2026-03-05.md", note);
    let outcome = promoted(&workspace);
    let moved: Vec<&str> = outcome.results.iter().map(|one| one.section.as_str()).collect();
    let stayed: Vec<&str> = outcome.stayed.iter().map(|one| one.section.as_str()).collect();
    assert_eq!((moved, stayed), (vec!["Fee"], vec!["Remark", "Code"]));
    assert!(workspace.text("memory/2026-03-05.md").contains("$5 <!-- why\n\n## Code"));

    workspace.write("MEMORY.md", "# Core Memory\n\n```\nopen\n");
    workspace.write("memory/2026-03-04.md", format!("# D\n\n## Rate\n{AGREED} $8\n"));
    let outcome = promoted(&workspace);
    assert_eq!((outcome.results.len(), outcome.stayed.len()), (0, 3));
    assert!(outcome.stayed[0].reason.contains("MEMORY.md"), "{:?}", outcome.stayed);
    assert!(workspace.text("memory/2026-03-04.md").contains("$8"));
}

#[test]
fn identity_configuration_and_logs_are_no_targets() {
    let workspace = Workspace::at("2026-03-06T09:00:00Z");
    let note = format!("# D\n\n## Vendor\n{AGREED} $5\n");
    workspace.write("memory/2026-03-05.md", note.clone());
    workspace.memory().catch_up();
    let candidates = workspace.memory().promotion_candidates(7, 0.4).unwrap();
    for target in [
        "SOUL.md",
        "IDENTITY.md",
        "CONFIG.md",
        "CORRECTIONS.md",
        "raw/conversations/x.md",
        "memory/graph/index.md",
        "memory/graph/entities/person--mira.md",
        "memory/episodes/2026-03-05.md",
        "memory/meta/x.md",
        "memory/2026-03-06.md",
        "memory/legal.txt",
        "elsewhere/x.md",
    ] {
        let target = MemoryPath::new(target).unwrap();
        let refused = workspace.memory().promote(&candidates, Some(&target)).unwrap_err();
        assert!(refused.to_string().contains("nothing is promoted to"), "{target}: {refused}");
    }
    assert_eq!(workspace.text("memory/2026-03-05.md"), note);
    let target = MemoryPath::new("memory/reference/vendors.md").unwrap();
    assert_eq!(workspace.memory().promote(&candidates, Some(&target)).unwrap().results.len(), 1);
    assert!(workspace.text(target.as_str()).contains("$5"));
}
