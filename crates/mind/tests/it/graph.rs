//! The graph's own page, ways between entities, links between files.

use rem_format::entity::{EntityId, EntityType};
use rem_format::graph_index::GraphIndex;
use rem_ledger::LayoutPreset;
use rem_mind::recall::Query;
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{RememberOutcome, RememberRequest};
use rem_testkit::{Workspace, machine_time};

use crate::support::{in_both_layouts, placed};

const PAGE: &str = "memory/graph/index.md";

fn remember(workspace: &Workspace, text: &str) -> RememberOutcome {
    let request = RememberRequest {
        text: text.to_owned(),
        store: Some(StoreKind::Semantic),
        ..RememberRequest::default()
    };
    workspace.memory().remember(&request).unwrap()
}

fn entity(workspace: &Workspace, id: &str, label: &str, rest: &str) {
    let kind = id.split("--").next().unwrap();
    workspace.write(
        &placed(workspace, &format!("memory/graph/entities/{id}.md")),
        format!("# {id}\n\n<!-- Type: {kind} | Label: {label} -->\n\n{rest}"),
    );
}

fn ids(page: &str) -> Vec<String> {
    GraphIndex::parse(page).unwrap().entities.into_iter().map(|entity| entity.id).collect()
}

fn edges(page: &str) -> Vec<String> {
    let edges = GraphIndex::parse(page).unwrap().edges.into_iter();
    edges.map(|edge| format!("{} {} {}", edge.from, edge.relation, edge.to)).collect()
}

#[test]
fn the_graphs_page_changes_in_the_commit_of_what_it_follows() {
    for workspace in in_both_layouts() {
        let before = workspace.text(&placed(&workspace, "memory/meta/audit.log")).lines().count();
        let mira = remember(&workspace, "Mira works at Helix").id.replace("entity:", "");
        let page = workspace.text(&placed(&workspace, PAGE));
        let kind = mira.split("--").next().unwrap();
        let file = match workspace.memory().ledger().layout().preset_name() {
            LayoutPreset::OpenClaw => format!("entities/{mira}.md"),
            LayoutPreset::Autopoiesis => "/knowledge/people/mira.md".to_owned(),
        };
        assert!(page.contains(&format!("| {mira} | {kind} | Mira | {file} | — |")), "{page}");
        assert_eq!(edges(&page).len(), 1, "{page}");
        let touched = workspace.git(&["show", "--format=", "--name-only", "HEAD"]);
        assert_eq!(touched.lines().filter(|line| !line.ends_with("_index.md")).count(), 3, "{touched}");
        // The page follows; what it follows from is in the log.
        let lines = workspace.text(&placed(&workspace, "memory/meta/audit.log"));
        assert_eq!(lines.lines().count(), before + 3, "{lines}");

        workspace.memory().pin(&format!("entity:{mira}"), true).unwrap();
        assert!(
            workspace.text(&placed(&workspace, PAGE)).contains("| pinned |"),
            "{}",
            workspace.text(&placed(&workspace, PAGE))
        );
        let helix = ids(&page).into_iter().find(|id| id.ends_with("--helix")).unwrap();
        workspace.memory().forget(&[format!("entity:{helix}")], false).unwrap();
        let page = workspace.text(&placed(&workspace, PAGE));
        assert_eq!((ids(&page), edges(&page)), (vec![mira.clone()], Vec::new()), "{page}");
        workspace.memory().forget(&[format!("entity:{mira}")], true).unwrap();
        assert_eq!(ids(&workspace.text(&placed(&workspace, PAGE))), Vec::<String>::new());
        workspace.assert_well();
    }
}

#[test]
fn the_page_is_the_same_by_changes_and_made_anew() {
    for workspace in in_both_layouts() {
        entity(&workspace, "concept--old", "Old", "<!-- Status: archived -->\n");
        entity(
            &workspace,
            "concept--new",
            "New %7C er",
            "## Relations\n- replaces: [[concept--old]]\n- near: [[concept--gone]]\n",
        );
        workspace.memory().catch_up();
        for text in
            ["Mira uses Helix", "Mira lives in Bremen", "Mira lives in Lyon", "Bo knows Mira", "Bo uses Rust"]
        {
            remember(&workspace, text);
        }
        workspace.memory().graph_merge("Helix", "Rust", machine_time()).unwrap();
        let by_changes = workspace.text(&placed(&workspace, PAGE));
        assert!(by_changes.contains("New \\| er") && !by_changes.contains("concept--old"), "{by_changes}");
        assert!(by_changes.contains("| concept--new | near | concept--gone |"), "{by_changes}");
        let outcome = workspace.memory().graph_index(machine_time()).unwrap();
        assert_eq!(outcome.change, "", "{by_changes}\n{}", workspace.text(&placed(&workspace, PAGE)));
        assert_eq!((outcome.entities, outcome.edges), (ids(&by_changes).len(), edges(&by_changes).len()));

        workspace.write(&placed(&workspace, PAGE), by_changes.replace("Mira", "Nobody"));
        workspace.memory().catch_up();
        assert_eq!(workspace.text(&placed(&workspace, PAGE)), by_changes, "edits are overwritten");
        let findings = workspace.memory().verify().unwrap().findings;
        assert_eq!(findings.len(), 1, "only the link to what is gone: {findings:?}");
    }
}

#[test]
fn going_back_takes_the_page_along() {
    for workspace in in_both_layouts() {
        let request = |text: &str, session: &str| RememberRequest {
            text: text.to_owned(),
            store: Some(StoreKind::Semantic),
            session: Some(session.to_owned()),
            ..RememberRequest::default()
        };
        workspace.memory().remember(&request("Anna uses Helix", "one")).unwrap();
        workspace.memory().remember(&request("Bo uses Kafka", "two")).unwrap();
        workspace.memory().remember(&request("Cleo uses Redis", "three")).unwrap();
        let provenance = rem_mind::ledger::Provenance::manual("test");
        let outcome = workspace.memory().ledger().rollback_session("two", &provenance).unwrap();
        assert_eq!(outcome.conflicts, Vec::<String>::new());
        assert!(workspace.memory().graph_index_follows(&outcome.applied.files));
        let page = workspace.text(&placed(&workspace, PAGE));
        assert_eq!((ids(&page).len(), edges(&page).len()), (4, 2), "{page}");
        assert!(!page.contains("Bo"), "{page}");
        workspace.assert_well();
    }
}

#[test]
fn a_page_of_somebody_elses_is_left_until_it_is_asked_for() {
    let workspace = Workspace::new();
    let theirs = "# Graph\n\n| ID | Type |\n|----|------|\n| person--alex | person |\n";
    workspace.write(&placed(&workspace, PAGE), theirs);
    workspace.memory().catch_up();
    remember(&workspace, "Mira uses Helix");
    assert_eq!(workspace.text(&placed(&workspace, PAGE)), theirs);
    let outcome = workspace.memory().graph_index(machine_time()).unwrap();
    assert_eq!((outcome.entities, outcome.edges, outcome.follows), (2, 1, true));
    assert_eq!(ids(&workspace.text(&placed(&workspace, PAGE))).len(), 2);
}

#[test]
fn a_large_graph_has_its_page_made_anew_on_request_and_it_is_never_searched() {
    let workspace = Workspace::new();
    for number in 0..501 {
        entity(
            &workspace,
            &format!("concept--n{number}"),
            &format!("Thing{number}"),
            "## Relations\n- near: [[concept--n0]]\n",
        );
    }
    entity(&workspace, "concept--old", "Old", "<!-- Status: archived -->\n");
    workspace.memory().catch_up();
    let before = workspace.text(&placed(&workspace, PAGE));
    remember(&workspace, "Mira uses Helix");
    assert_eq!(workspace.text(&placed(&workspace, PAGE)), before);
    let outcome = workspace.memory().graph_index(machine_time()).unwrap();
    assert_eq!((outcome.entities, outcome.edges, outcome.follows), (503, 502, false));
    assert_eq!(workspace.memory().graph_index(machine_time()).unwrap().change, "");
    let query =
        Query { min_score: 0.0, limit: 50, ..workspace.memory().query("thing7 entity registry decay score") };
    let answer = workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap();
    assert!(!answer.results.is_empty());
    assert!(answer.results.iter().all(|hit| hit.path != PAGE));
}

#[test]
fn names_of_emoji_and_edges_to_nobody_are_as_good_as_others() {
    let workspace = Workspace::new();
    let (rocket, dish) = (EntityId::of(EntityType::Concept, "🚀"), EntityId::of(EntityType::Concept, "🛰️"));
    assert_ne!(rocket, dish);
    for (id, label) in [(&rocket, "🚀"), (&dish, "🛰️")] {
        workspace.write(
            &format!("memory/graph/entities/{}", id.file_name()),
            format!("# {id}\n\n<!-- Type: concept | Label: {label} -->\n\n## Facts\n- said of {label}\n\n## Relations\n- uses: [[tool--never-made]]\n"),
        );
    }
    let memory = workspace.memory();
    memory.catch_up();
    let shown = memory.graph_show("🚀", None, 2, machine_time()).unwrap();
    assert_eq!((shown.entity.id.as_str(), shown.facts[0].text.as_str()), (rocket.as_str(), "said of 🚀"));
    assert_eq!(shown.relations[0].other, "tool--never-made");
    // Both lead to what nobody has a file of: they meet there.
    assert!(shown.further.iter().any(|edge| edge.from == dish.as_str()), "{:?}", shown.further);
    assert!(memory.graph_show("tool--never-made", None, 1, machine_time()).is_err());
    let report = memory.verify().unwrap();
    assert!(report.findings.iter().any(|found| found.message.contains("[[tool--never-made]] leads nowhere")));
}
