//! What is read from an entity's file and written into it.

use jiff::civil::date;
use proptest::prelude::*;

use super::*;

const SEED: &str = "# project--moltbot-memory\n\n<!-- Type: project | Created: 2026-01-15 | Last updated: 2026-02-02 -->\n\
    <!-- Decay score: 0.95 | Access count: 14 | Pinned: no -->\n\n## Summary\nBuilding a memory.\n\n## Facts\n\
    - Architecture: hybrid multi-store\n- Core memory budget: ~3,000 tokens\n\n## Timeline\n- 2026-01-15: Initial research\n\n\
    ## Relations\n- Developed by: [[person--alex]]\n- Inspired by: [[concept--letta|Letta]], [[concept--sleep#why]]\n";

#[test]
fn the_seeds_file_is_read() {
    let entity = Entity::parse(SEED.as_bytes()).expect("UTF-8");
    assert_eq!(entity.label().as_deref(), Some("moltbot memory"));
    assert_eq!(entity.facts().len(), 2);
    let edges: Vec<(String, String)> =
        entity.edges().into_iter().map(|edge| (edge.relation, edge.to)).collect();
    let expected = [
        ("developed-by", "person--alex"),
        ("inspired-by", "concept--letta"),
        ("inspired-by", "concept--sleep"),
    ];
    assert_eq!(edges, expected.map(|(relation, to)| (relation.to_owned(), to.to_owned())));
    assert_eq!(entity.into_bytes(), SEED.as_bytes());
}

#[test]
fn a_fact_that_ends_says_when_and_by_what() {
    let id = EntityId::of(EntityType::Person, "Mira Holt");
    let mut entity = Entity::new(&id, "Mira Holt", date(2026, 1, 1));
    let since = |day: &str| Annotation::new().with("since", day).with("confidence", "0.95");
    entity.add_fact("Lives in Bremen", &since("2026-01-01")).expect("added");
    let old = entity.facts().remove(0);
    entity.supersede_fact(&old, date(2026, 3, 1), "Lives in Lyon");
    entity.add_fact("Lives in Lyon", &since("2026-03-01")).expect("added");
    let facts = entity.facts();
    let on = |day: Date| {
        facts.iter().filter(|fact| fact.held_on(day)).map(|fact| fact.text.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(on(date(2026, 2, 1)), ["Lives in Bremen"]);
    assert_eq!(on(date(2026, 3, 1)), ["Lives in Lyon"]);
    let text = String::from_utf8(entity.into_bytes()).expect("UTF-8");
    assert!(text.contains("- ~~Lives in Bremen~~ <!-- since:2026-01-01 | confidence:0.95 | superseded:2026-03-01 | by:Lives in Lyon -->"), "{text}");
}

#[test]
fn an_edge_is_kept_once_with_the_day_it_was_first_seen() {
    let mut entity = Entity::new(&EntityId::of(EntityType::Person, "Bo"), "Bo", date(2026, 1, 1));
    let tool = EntityId::of(EntityType::Tool, "Rust");
    let seen =
        |first: &str, last: &str| Annotation::new().with("first-seen", first).with("last-accessed", last);
    entity.set_edge("uses", &tool, &seen("2026-01-01", "2026-01-01")).expect("added");
    entity.set_edge("uses", &tool, &seen("2026-02-01", "2026-02-01")).expect("changed");
    let edges = entity.edges();
    assert_eq!(edges.len(), 1);
    assert_eq!(edges[0].annotation, seen("2026-01-01", "2026-02-01"));
    entity.add_alias("Bo, the builder");
    entity.add_alias("보");
    entity.add_alias("보");
    assert_eq!(entity.aliases(), ["Bo  the builder", "보"]);
}

#[test]
fn a_page_that_a_person_wrote_is_an_entity_and_keeps_every_byte_but_what_is_added() {
    let page = "---\ntype: person\nname: David Feldhofer\naliases: [Dave, DF]\nupdated: 2026-02-16 # by hand\n---\n\n# Jean-Luc\n\n\
        ## Communication\n- Prefers bullet lists\n";
    let mut entity = Entity::parse(page.as_bytes()).expect("UTF-8");
    assert_eq!(entity.label().as_deref(), Some("David Feldhofer"));
    assert_eq!(entity.aliases(), ["Dave", "DF"]);
    assert_eq!(entity.prose(), "## Communication\n- Prefers bullet lists");
    entity.add_fact("Lives in Lyon", &Annotation::new()).expect("added");
    entity.set_updated(date(2026, 3, 1)).expect("set");
    assert_eq!(entity.prose(), "## Communication\n- Prefers bullet lists");
    let now = String::from_utf8(entity.into_bytes()).expect("UTF-8");
    let added = page.replace("2026-02-16", "2026-03-01") + "\n## Facts\n\n- Lives in Lyon\n";
    assert_eq!(now.replace('"', ""), added);
    let mut bare = Entity::parse(b"# Jean-Luc\n\nKeeps bees.\n").expect("UTF-8");
    bare.set_updated(date(2026, 3, 1)).expect("set");
    assert_eq!((bare.label().as_deref(), bare.prose().as_str()), (Some("Jean-Luc"), "Keeps bees."));
    assert_eq!(bare.into_bytes(), b"# Jean-Luc\n\nKeeps bees.\n");
    let made = Entity::new(&EntityId::of(EntityType::Tool, "Helix"), "Helix", date(2026, 1, 1));
    assert_eq!(made.prose(), "");
}

#[test]
fn ids_are_of_any_script_and_lead_nowhere_else() {
    assert_eq!(EntityId::of(EntityType::Person, "김철수").as_str(), "person--김철수");
    assert_eq!(EntityId::of(EntityType::Concept, "🚀").as_str(), "concept--u1f680");
    assert_eq!(EntityId::of(EntityType::Tool, "../../etc").as_str(), "tool--etc");
    assert!(
        "entity:person--alex"
            .parse::<EntityId>()
            .is_ok_and(|id| id.kind() == "person" && id.slug() == "alex")
    );
    for wrong in ["alex", "--alex", "person--", "person--a/b", "person--[[a]]"] {
        assert!(wrong.parse::<EntityId>().is_err(), "{wrong}");
    }
}

proptest! {
    #[test]
    fn whatever_is_added_to_whatever_file_is_read_back(text in "(?s)\\PC{0,60}", fact in "[a-z가 ]{0,10}[a-z가]") {
        let Ok(mut entity) = Entity::parse(text.as_bytes()) else { return Ok(()) };
        let before = entity.facts().len();
        if entity.add_fact(&fact, &Annotation::new().with("since", "2026-01-01")).is_ok() {
            prop_assert_eq!(entity.facts().len(), before + 1);
            prop_assert_eq!(&entity.facts()[before].text, fact.trim());
        }
        let _ = (entity.edges(), entity.label(), entity.aliases());
    }
}
