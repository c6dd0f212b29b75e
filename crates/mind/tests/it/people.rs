//! Persons where the layout has a place for them (resolution 20): a page in `people/` is the entity, whoever wrote it.

use rem_ledger::LayoutPreset;
use rem_mind::recall::{Asking, Query};
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_mind::{Memory, Outcome};
use rem_testkit::{Workspace, files, machine_time, options, write};

use crate::support::path;

/// As a person writes it (A2.2), with marks and line ends of their own.
const DAVID: &str = "---\ntype: person\nname: David Feldhofer # the creator\nrelationship: creator\nupdated: 2026-02-16\n---\n\n\
    # David Feldhofer\n\n## Communication\n* Prefers bullet lists\n\n## Context\n\nRuns the mill, with [[ada]].\n";
const ADA: &str = "Keeps bees.\r\n";

fn workspace() -> Workspace {
    Workspace::with_layout(LayoutPreset::Autopoiesis)
}

fn remember(memory: &Memory, text: &str) -> RememberOutcome {
    let store = Some(StoreKind::Semantic);
    memory.remember(&RememberRequest { text: text.to_owned(), store, ..RememberRequest::default() }).unwrap()
}

/// Everybody, with the files that are about them.
fn everybody(memory: &Memory) -> Vec<(String, Vec<String>)> {
    let people = memory.people(&Asking::default(), machine_time()).unwrap().into_iter();
    people.map(|one| (one.name, one.files.iter().map(ToString::to_string).collect())).collect()
}

/// The categories and ids under which a search finds a file.
fn found(memory: &Memory, question: &str, file: &str) -> Vec<(String, String)> {
    let query = Query { min_score: 0.0, limit: 50, ..memory.query(question) };
    let results = memory.recall(&query, machine_time(), &mut |_| {}).unwrap().results.into_iter();
    results.filter(|hit| hit.path == file).map(|hit| (hit.category, hit.id)).collect()
}

#[test]
fn a_person_lies_among_the_people_and_everything_else_among_the_entities() {
    let workspace = workspace();
    let memory = workspace.memory();
    let outcome = remember(memory, "Mira Holt works at Kestrel");
    assert_eq!(outcome.id, "entity:person--mira-holt");
    let file = "knowledge/people/mira-holt.md";
    assert_eq!(outcome.path, Some(path(file)));
    assert!(workspace.read("knowledge/graph/entities/place--kestrel.md").is_some());
    assert!(workspace.read("knowledge/graph/entities/person--mira-holt.md").is_none());
    let entity = ("person".to_owned(), "entity:person--mira-holt".to_owned());
    assert_eq!(found(memory, "Mira Holt Kestrel", file).first(), Some(&entity));
    assert_eq!(memory.show("entity:person--mira-holt").unwrap().path, path(file));
    for name in ["Mira Holt", "person--mira-holt", "mira holt", "Mira Hollt"] {
        let shown = memory.graph_show(name, None, 1, machine_time()).unwrap();
        assert_eq!(
            (shown.entity.path.as_str(), shown.facts.len(), shown.relations.len()),
            (file, 1, 1),
            "{name}"
        );
    }
    let way = memory.graph_path(&Asking::default(), "Kestrel", "Mira Holt", None, machine_time()).unwrap();
    assert_eq!(way.steps.unwrap()[0].relation.other, "person--mira-holt");
    // By id, by name and by path alike; the list of people links to it.
    workspace.write(
        "knowledge/reference/n.md",
        "[[person--mira-holt]] [[Mira Holt]] [[mira-holt]] [[knowledge/people/mira-holt]]\n",
    );
    memory.catch_up();
    for name in ["person--mira-holt", "Mira Holt", "knowledge/people/mira-holt.md"] {
        let backlinks = memory.backlinks(&Asking::default(), name, machine_time()).unwrap();
        assert_eq!(
            (backlinks.links.len(), backlinks.path.as_str()),
            (5, file),
            "{name}: {:?}",
            backlinks.links
        );
        assert_eq!(backlinks.entity.map(|node| node.id).as_deref(), Some("person--mira-holt"));
    }
    assert_eq!(memory.verify().unwrap().findings, []);
    assert_eq!(everybody(memory), [("Mira Holt".to_owned(), vec![file.to_owned()])]);
    assert!(
        memory.person_show(&Asking::default(), "Mira Holt", machine_time()).unwrap().pages.is_empty(),
        "its facts are told once"
    );

    memory.forget(&["entity:person--mira-holt".to_owned()], false).unwrap();
    assert!(workspace.text(file).contains("Status: archived"));
    assert_eq!(everybody(memory), []);
    assert!(found(memory, "Mira Holt Kestrel", file).is_empty());
    workspace.write("knowledge/reference/n.md", "# Nothing\n");
    memory.catch_up();
    memory.forget(&["entity:person--mira-holt".to_owned()], true).unwrap();
    assert!(workspace.read(file).is_none());
    assert!(memory.show("entity:person--_index").is_err(), "the list of people is nobody");
    workspace.assert_well();
}

#[test]
fn pages_that_a_person_wrote_are_adopted_byte_for_byte_and_get_facts_without_harm() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "knowledge/identity/SOUL.md", "# Soul\n");
    write(root, "knowledge/people/david.md", DAVID);
    write(root, "knowledge/people/ada.md", ADA);
    write(root, "knowledge/people/family/anna.md", "# Anna\n\nA cousin.\n");
    write(root, "knowledge/people/_index.md", "# Everybody\n\n- David, see [[david]]\n");
    let before = files(root);
    let clock = std::sync::Arc::new(rem_ledger::FixedClock::new(crate::support::time(rem_testkit::MORNING)));
    Memory::adopt(root, false, options(&clock)).unwrap();
    for (path, contents) in &before {
        assert_eq!(files(root).get(path), Some(contents), "{path}");
    }
    let memory = Memory::open(root, options(&clock)).unwrap();
    let text = |path: &str| String::from_utf8(files(root)[path].clone()).unwrap();
    // Before anything is indexed already.
    let outcome = remember(&memory, "David Feldhofer lives in Lyon");
    assert_eq!((outcome.id.as_str(), outcome.effect), ("entity:person--david", Effect::Added));
    remember(&memory, "Ada uses Helix");
    let now = text("knowledge/people/david.md");
    let fact = now.split_once("\n## Facts\n\n").unwrap();
    assert_eq!(fact.0.replace("2026-03-01", "2026-02-16"), DAVID, "{now}");
    assert!(
        fact.1.starts_with("- David Feldhofer lives in Lyon <!-- ")
            && fact.1.contains("lives-in: [[place--lyon]]")
    );
    let ada = text("knowledge/people/ada.md");
    assert!(
        ada.starts_with(ADA)
            && ada.contains("- Ada uses Helix <!-- ")
            && !ada.replace("\r\n", "").contains('\n'),
        "{ada:?}"
    );
    assert_eq!(
        text("knowledge/people/_index.md"),
        "# Everybody\n\n- David, see [[david]]\n\n## People\n\n- **Ada** — [[person--ada]]\n",
        "he is on the list already"
    );
    for name in ["David Feldhofer", "david", "person--david"] {
        let shown = memory.person_show(&Asking::default(), name, machine_time()).unwrap();
        let entity = shown.entity.unwrap();
        assert_eq!((entity.entity.label.as_str(), entity.facts.len()), ("David Feldhofer", 1), "{name}");
        let [page] = &shown.pages[..] else { panic!("{:?}", shown.pages) };
        assert!(page.text.contains("Prefers bullet lists") && !page.text.contains("Lyon"), "{}", page.text);
    }
    let everybody = everybody(&memory);
    let names: Vec<(&str, usize)> =
        everybody.iter().map(|(name, files)| (name.as_str(), files.len())).collect();
    assert_eq!(names, [("Anna", 1), ("David Feldhofer", 1), ("ada", 1)], "{everybody:?}");
    // What a person wrote does not fade because something was added.
    clock.advance(jiff::SignedDuration::from_hours(24 * 400));
    for file in ["david", "ada"] {
        let file = format!("knowledge/people/{file}.md");
        assert!(!found(&memory, "bullet lists bees", &file).is_empty(), "{file}");
    }
    let report = memory.verify().unwrap();
    assert!(report.is_well() && report.findings.is_empty(), "{:#?}", report.findings);
}

#[test]
fn persons_of_an_earlier_version_stay_where_they_are_until_they_are_moved() {
    let workspace = workspace();
    let memory = workspace.memory();
    let (old, new) = ("knowledge/graph/entities/person--mira.md", "knowledge/people/mira.md");
    workspace.write(old, "# person--mira\n\n<!-- Type: person | Label: Mira -->\n\n## Facts\n- Lives in Lyon\n\n## Relations\n- knows: [[person--bo]]\n");
    workspace.write(
        "knowledge/graph/entities/person--bo.md",
        "# person--bo\n\n<!-- Type: person | Label: Bo -->\n\n## Relations\n- knows: [[person--mira]]\n",
    );
    memory.catch_up();
    assert_eq!(remember(memory, "Mira prefers tea").path, Some(path(old)));
    assert!(workspace.read(new).is_none());
    assert_eq!(memory.graph_show("Mira", None, 1, machine_time()).unwrap().facts.len(), 2);

    // A page of the same name is about her, and is not she.
    workspace.write(new, "# Mira\n\nLikes lists.\n");
    memory.catch_up();
    let shown = memory.person_show(&Asking::default(), "Mira", machine_time()).unwrap();
    assert_eq!(
        (shown.entity.unwrap().entity.path.as_str(), shown.pages[0].text.as_str()),
        (old, "# Mira\n\nLikes lists.")
    );
    assert_eq!(
        everybody(memory),
        [
            ("Bo".to_owned(), vec!["knowledge/graph/entities/person--bo.md".to_owned()]),
            ("Mira".to_owned(), vec![old.to_owned(), new.to_owned()])
        ]
    );
    let nodes = memory.graph(machine_time()).unwrap().nodes;
    assert_eq!(nodes.iter().filter(|node| node.id.starts_with("person--")).count(), 2, "{nodes:?}");
    assert_eq!(found(memory, "likes lists", new), [("person".to_owned(), format!("passage:{new}:1-3"))]);
    let page = workspace.text("knowledge/graph/index.md");
    assert_eq!(page.matches("| person--mira | person |").count(), 1, "{page}");
    assert_eq!(memory.graph_index(machine_time()).unwrap().change, "");

    // The page may go elsewhere, and nobody else may take her id.
    for (from, to) in [
        ("knowledge/graph/entities/person--bo.md", "knowledge/people/person--mira.md"),
        (new, "knowledge/people/mira-2.md"),
    ] {
        assert!(memory.rename(&path(from), &path(to), machine_time()).is_err(), "{from} to {to}");
    }
    memory.rename(&path(new), &path("knowledge/reference/mira.md"), machine_time()).unwrap();

    // Where the page was she may be herself.
    memory.rename(&path(old), &path(new), machine_time()).unwrap();
    assert_eq!(memory.graph_show("Mira", None, 1, machine_time()).unwrap().entity.path, new);
    assert!(
        workspace.text("knowledge/graph/entities/person--bo.md").contains("knows: [[person--mira]]"),
        "the id is the same"
    );
    assert!(
        workspace
            .text("knowledge/graph/index.md")
            .contains("| person--mira | person | Mira | /knowledge/people/mira.md |")
    );
    assert_eq!(memory.graph_index(machine_time()).unwrap().change, "");
    assert_eq!(remember(memory, "Mira uses Helix").path, Some(path(new)));
    for (from, to) in
        [(new, "knowledge/reference/mira.md"), ("knowledge/people/_list.md", "knowledge/people/list.md")]
    {
        workspace.write("knowledge/people/_list.md", "# List\n");
        memory.catch_up();
        let error = memory.rename(&path(from), &path(to), machine_time()).unwrap_err();
        assert_eq!(error.outcome(), Outcome::Usage, "{from} to {to}");
    }
    assert_eq!(memory.verify().unwrap().findings.len(), 0);
    workspace.assert_well();
}

#[test]
fn a_name_in_any_script_leads_to_its_page_and_back() {
    let workspace = workspace();
    let memory = workspace.memory();
    for (file, name) in
        [("김철수", "김철수"), ("Jose\u{301} Mar", "José Mar"), ("person--zora", "zora"), ("a--b", "a b")]
    {
        let file = format!("knowledge/people/{file}.md");
        workspace.write(&file, "## Facts\n- Sails\n");
        memory.catch_up();
        let shown = memory.graph_show(name, None, 1, machine_time()).unwrap();
        assert_eq!(shown.entity.path, file, "{name}");
        let located = memory.show(&format!("entity:{}", shown.entity.id)).unwrap();
        assert_eq!(located.path, path(&file), "{}", shown.entity.id);
        memory.pin(&located.id, true).unwrap();
        assert!(workspace.text(&file).contains("Pinned: yes"), "{name}");
    }
    workspace.assert_well();
}
