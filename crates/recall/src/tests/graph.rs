//! Entities by their names and by what connects them.

use super::*;
use crate::addressees::Asking;

fn open(store: &Store) -> Index {
    let mut index = Index::open(&store.database(), LIMIT).expect("opens");
    let label = |path: &str| match path.strip_prefix("graph/").filter(|name| name.contains("--")) {
        Some(name) => Label {
            id: Some(format!("entity:{}", name.trim_end_matches(".md"))),
            holds: Holds::Entity,
            ..Label::default()
        },
        None => Label::default(),
    };
    let files = store.sources();
    let sources = Sources {
        files: &files,
        label: &label,
        labels: 1,
        observed_at: now(),
        checkpoint: None,
        moment: None,
    };
    index.refresh(&sources, &mut |_| {}).expect("indexes");
    index
}

fn people() -> Store {
    let mira = "# person--mira-holt\n\n<!-- Type: person | Label: Mira Holt -->\n<!-- Aliases: Mimi, 미라 -->\n\n## Relations\n\
        - works-at: [[place--harbor-office]] <!-- confidence:high | first-seen:2026-01-01 | last-accessed:2026-02-01 -->\n\
        - uses: [[tool--helix]] <!-- last-accessed:2026-03-01 -->\n- lives-in: [[place--bremen]] <!-- superseded:2026-02-01 -->\n";
    let bo = "# person--bo\n\n<!-- Label: Bo -->\n\n## Relations\n- knows: [[person--mira-holt]]\n- uses: [[tool--unknown]]\n";
    let office = "# place--harbor-office\n\n## Relations\n- part-of: [[place--harbor]]\n";
    let old = "# tool--helix\n\n<!-- Status: archived -->\n\n## Relations\n- replaced-by: [[tool--zed]]\n";
    Store::new(&[
        ("graph/person--mira-holt.md", mira),
        ("graph/person--bo.md", bo),
        ("graph/place--harbor-office.md", office),
        ("graph/tool--helix.md", old),
        ("graph/concept--jose.md", "# concept--jose\n\n<!-- Label: José -->\n"),
        ("graph/person--dmitrij.md", "# person--дмитрий\n\n<!-- Label: Дмитрий -->\n"),
        ("graph/place--yokohama.md", "# place--yokohama\n\n<!-- Label: ヨコハマ -->\n"),
        ("graph/person--sujin.md", "# person--sujin\n\n<!-- Label: Su Jin -->\n"),
        ("graph/index.md", "# Index\n\n## Relations\n- a: [[b--c]]\n"),
        ("notes/person--nobody.md", "# person--nobody\n"),
    ])
}

#[test]
fn a_name_means_an_entity_in_every_way_of_writing_it() {
    let store = people();
    let index = open(&store);
    let named = |name: &str| -> Vec<(String, NameMatch)> {
        index.entities_named(name, 5).expect("asked").into_iter().map(|(node, how)| (node.id, how)).collect()
    };
    let mira = |how| vec![("person--mira-holt".to_owned(), how)];
    assert_eq!(named("person--mira-holt"), mira(NameMatch::Id));
    for name in ["Mira Holt", "MIRA  HOLT", "mimi", "미라", "mira-holt"] {
        assert_eq!(named(name), mira(NameMatch::Name), "{name}");
    }
    assert_eq!(named("Mira Hollt"), mira(NameMatch::Spelling));
    let alike = |id: &str| vec![(id.to_owned(), NameMatch::Spelling)];
    assert_eq!(named("Dmitriy"), alike("person--dmitrij"));
    assert_eq!(named("ダミトリ"), [], "only about the same sound is the same name");
    assert_eq!(named("요코하마"), alike("place--yokohama"));
    assert_eq!(named("수 진"), alike("person--sujin"));
    assert_eq!(named("Jose\u{301}"), [("concept--jose".to_owned(), NameMatch::Name)]);
    for name in ["Bob", "", "🚀", "nobody", "Index", "'; DROP TABLE names; --"] {
        assert_eq!(named(name), [], "{name}");
    }
}

#[test]
fn connections_are_found_from_both_ends_without_what_ended_or_is_archived() {
    let store = people();
    let index = open(&store);
    let around = |id: &str, hops: usize, breadth: usize| -> Vec<String> {
        let found = index.connections(id, hops, breadth, None, &Asking::default()).expect("asked").0;
        found.into_iter().map(|edge| format!("{} {} {}", edge.from, edge.relation, edge.to)).collect()
    };
    let one = ["person--mira-holt works-at place--harbor-office", "person--bo knows person--mira-holt"];
    assert_eq!(around("person--mira-holt", 1, 10), one);
    let two = around("person--mira-holt", 2, 10);
    assert_eq!(two.len(), 4, "{two:?}");
    assert!(two.contains(&"place--harbor-office part-of place--harbor".to_owned()));
    assert!(two.contains(&"person--bo uses tool--unknown".to_owned()));
    assert_eq!(around("place--harbor", 1, 10), ["place--harbor-office part-of place--harbor"]);
    assert_eq!(around("person--nobody", 2, 10), Vec::<String>::new());
    assert_eq!(around("person--mira-holt", 1, 0), Vec::<String>::new());
    let at =
        |day| index.connections("person--mira-holt", 1, 10, Some(day), &Asking::default()).expect("asked").0;
    let before: Vec<String> =
        at(jiff::civil::date(2025, 12, 31)).into_iter().map(|edge| edge.relation).collect();
    assert_eq!(before, ["knows", "lives-in"]);
}

#[test]
fn the_shortest_way_is_found_in_both_directions_and_around_what_is_archived() {
    let mut store = people();
    let chain = |id: &str, next: &str| format!("# {id}\n\n## Relations\n- next: [[{next}]]\n");
    for number in 0..8 {
        let id = format!("concept--c{number}");
        store.write(&format!("graph/{id}.md"), chain(&id, &format!("concept--c{}", number + 1)).as_bytes());
    }
    // A way round that is longer by one.
    store.write("graph/concept--d.md", chain("concept--d", "concept--e").as_bytes());
    store.write("graph/concept--e.md", chain("concept--e", "concept--c2").as_bytes());
    store.write(
        "graph/concept--c0.md",
        b"# concept--c0\n\n## Relations\n- next: [[concept--c1]], [[concept--d]]\n",
    );
    let index = open(&store);
    let way = |from: &str, to: &str, hops: usize| -> Option<String> {
        let edges = index.route(from, to, hops, 10, None, &Asking::default()).expect("asked")?;
        Some(edges.iter().map(|edge| format!("{}>{}", edge.from, edge.to)).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(
        way("concept--c0", "concept--c2", 6).as_deref(),
        Some("concept--c0>concept--c1 concept--c1>concept--c2")
    );
    assert_eq!(
        way("concept--c3", "concept--d", 6).as_deref(),
        Some("concept--c2>concept--c3 concept--e>concept--c2 concept--d>concept--e")
    );
    assert_eq!(way("concept--c0", "concept--c6", 6).map(|way| way.split(' ').count()), Some(6));
    assert_eq!(way("concept--c0", "concept--c7", 6), None);
    assert_eq!(way("concept--c0", "concept--c0", 6).as_deref(), Some(""));
    assert_eq!(way("concept--c0", "person--bo", 6), None);
    assert_eq!(
        way("person--bo", "place--harbor", 6).as_deref(),
        Some(
            "person--bo>person--mira-holt person--mira-holt>place--harbor-office place--harbor-office>place--harbor"
        )
    );
    // What is archived is no way through, and can be asked for.
    assert_eq!(way("person--mira-holt", "tool--zed", 6), None);
    assert_eq!(way("tool--helix", "tool--zed", 6).as_deref(), Some("tool--helix>tool--zed"));
    // A way that was open until a day.
    let then = |day| {
        index
            .route("person--bo", "place--bremen", 6, 10, Some(day), &Asking::default())
            .expect("asked")
            .is_some()
    };
    assert!(then(jiff::civil::date(2026, 1, 31)) && !then(jiff::civil::date(2026, 2, 1)));
}

#[test]
fn the_graph_follows_the_files() {
    let mut store = people();
    drop(open(&store));
    store.remove("graph/person--bo.md");
    store.write("graph/person--mira-holt.md", b"# person--mira-holt\n\n<!-- Label: Mira Berg -->\n");
    let index = open(&store);
    assert_eq!(index.entities_named("Mira Holt", 5).expect("asked").len(), 1, "the id still says it");
    assert_eq!(index.entities_named("Mimi", 5).expect("asked"), []);
    assert_eq!(index.entities_named("Mira Berg", 5).expect("asked").len(), 1);
    assert_eq!(index.connections("person--mira-holt", 2, 10, None, &Asking::default()).expect("asked").0, []);
}

#[test]
fn a_question_about_somebody_reaches_their_file_by_any_name_and_what_they_are_connected_with() {
    let store = people();
    let index = open(&store);
    let paths = |text: &str| -> Vec<String> {
        let query = Query { text: text.to_owned(), min_score: 0.0, ..Query::default() };
        let found = index.search(&query, None).expect("answers");
        found.results.iter().map(|hit| hit.path.clone()).collect()
    };
    let found = paths("Who is Mira Holt?");
    assert_eq!(found.first().map(String::as_str), Some("graph/person--mira-holt.md"), "{found:?}");
    assert!(found.contains(&"graph/place--harbor-office.md".to_owned()), "one step: {found:?}");
    assert!(!found.contains(&"graph/tool--helix.md".to_owned()), "archived: {found:?}");
    // Told by name, nothing of what she is connected with comes along.
    assert!(!paths("Mira Holt bicycle").contains(&"graph/place--harbor-office.md".to_owned()));
    let query = Query { text: "who is Mimi?".to_owned(), min_score: 0.0, ..Query::default() };
    let hit = &index.search(&query, None).expect("answers").results[0];
    assert_eq!(hit.explain.bonuses.last().map(|bonus| bonus.0.as_str()), Some("it is named"));
}
