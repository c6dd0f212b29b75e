//! What is told again, otherwise or turned round, and whom it is about: each in the wordings of everyday.

use rem_format::entity::Entity;
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_testkit::{Workspace, machine_time};

fn remember(workspace: &Workspace, text: &str) -> RememberOutcome {
    let request = RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap()
}

/// All open edges of the graph, as `from relation to`.
fn edges(workspace: &Workspace) -> Vec<String> {
    let mut all = Vec::new();
    for (path, bytes) in workspace.files() {
        let Some(name) = path.strip_prefix("memory/graph/entities/") else { continue };
        let Ok(entity) = Entity::parse(&bytes) else { continue };
        for edge in entity.edges().into_iter().filter(|edge| edge.ended().is_none()) {
            all.push(format!("{} {} {}", name.trim_end_matches(".md"), edge.relation, edge.to));
        }
    }
    all
}

fn entities(workspace: &Workspace) -> Vec<String> {
    let files = workspace.files();
    let names = files.keys().filter_map(|path| path.strip_prefix("memory/graph/entities/"));
    names.map(|name| name.trim_end_matches(".md").to_owned()).collect()
}

/// What each of two statements comes to, the second a week later.
fn second(first: &str, then: &str) -> RememberOutcome {
    let workspace = Workspace::new();
    assert_eq!(remember(&workspace, first).effect, Effect::Added, "{first}");
    workspace.advance(jiff::SignedDuration::from_hours(168));
    remember(&workspace, then)
}

#[test]
fn what_is_turned_round_is_another_statement() {
    for (first, then) in [
        ("Mira is Bo's boss", "Bo is Mira's boss"),
        ("Anna owes Tom 50 euros", "Tom owes Anna 50 euros"),
        ("Atlas depends on Harbor", "Harbor depends on Atlas"),
        ("Paul manages Lisa", "Lisa manages Paul"),
        ("Deploy staging before production", "Deploy production before staging"),
        ("The client pays the agency", "The agency pays the client"),
        ("Max mag Emil", "Emil mag Max"),
    ] {
        assert_eq!(second(first, then).effect, Effect::Added, "{first} / {then}");
    }
    assert_eq!(second("We deploy on Mondays", "On Mondays we deploy").effect, Effect::Merged);
}

#[test]
fn everyday_contradictions_take_the_place_of_what_was_so() {
    let mut missed = Vec::new();
    for (first, then) in [
        ("The release is on 2026-04-01", "The release is on 2026-04-08"),
        ("The team meeting is at 10", "The team meeting is at 11"),
        ("The backup runs at 02:00", "The backup runs at 03:00"),
        ("The upload limit is 10 MB", "The upload limit is 20 MB"),
        ("Version 1.3 is current", "Version 1.4 is current"),
        ("We use Postgres 16", "We use Postgres 17"),
        ("I weigh 80 kg", "I weigh 78 kg"),
        ("We deploy on Tuesdays", "We deploy on Wednesdays now"),
        ("The prod database is db-prod-3", "The prod database is db-prod-4"),
        ("The CEO is Tim", "The CEO is Lisa"),
        ("I'm a software engineer", "I'm now a product manager"),
        ("I work at Google", "I got a new job at Meta"),
        ("Please call me Sam", "Please call me Alex instead of Sam"),
        ("My favourite colour is blue", "My favorite color is green"),
        ("Der Server läuft auf Port 8080", "Der Server läuft jetzt auf Port 9090"),
        ("Die Miete beträgt 900 Euro", "Die Miete beträgt 950 Euro"),
    ] {
        if second(first, then).effect != Effect::Replaced {
            missed.push(then);
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
    for (first, then) in [
        ("Room 3 is free on Mondays", "Room 4 is free on Mondays"),
        ("We deploy on Tuesdays", "We test on Wednesdays now"),
        ("The meeting on May 3 is at 10", "The meeting on May 4 is at 11"),
        ("I'm a teacher", "I'm a developer"),
        ("A coffee costs 3 euros", "A beer costs 4 euros"),
    ] {
        assert_eq!(second(first, then).effect, Effect::Added, "{first} / {then}");
    }
}

#[test]
fn a_change_of_job_and_a_denial_reach_the_graph_in_other_words() {
    let after = |texts: &[&str]| {
        let workspace = Workspace::new();
        for text in texts {
            remember(&workspace, text);
            workspace.memory().catch_up();
            workspace.advance(jiff::SignedDuration::from_hours(168));
        }
        edges(&workspace)
    };
    assert_eq!(
        after(&["Mira works at Siemens", "Mira now works at Bosch"]),
        ["person--mira works-at place--bosch"]
    );
    assert!(after(&["Mira works at Bosch", "Mira doesn't work at Bosch anymore"]).is_empty());
    assert_eq!(
        after(&["Mira works at Bosch", "Mira doesn't work at Bosch anymore", "Mira works at Bosch again"]),
        ["person--mira works-at place--bosch"]
    );
    assert_eq!(
        after(&["My sister Anna works at Siemens", "Anna works at Bosch now"])
            .into_iter()
            .filter(|edge| edge.contains("works-at"))
            .collect::<Vec<_>>(),
        ["person--anna works-at place--bosch"]
    );
    assert!(after(&["Mira is married to Bo", "Mira is divorced from Bo"]).is_empty());
    assert_eq!(
        after(&["Harbor uses Redis", "Harbor replaced Redis with Valkey"]),
        ["project--harbor uses tool--valkey"]
    );
    let works = |texts: &[&str]| {
        after(texts).into_iter().filter(|edge| edge.contains("works-at")).collect::<Vec<_>>()
    };
    assert!(works(&["小李在百度工作", "小李不在百度工作了"]).is_empty());
    assert_eq!(works(&["小明现在在腾讯工作"]), ["person--小明 works-at place--腾讯"]);
}

#[test]
fn what_is_not_stated_draws_no_edge() {
    for text in [
        "Tom thinks Harbor uses Oracle",
        "If Harbor uses Oracle, we pay twice",
        "Mira doubts that Atlas depends on Kafka",
        "Nobody knows if Bo works at Intel",
        "Mira works at night",
        "Mira lives in fear",
        "Harbor uses about 2 GB of RAM",
        "Harbor runs on port 8080",
        "Tom glaubt, dass Harbor Oracle nutzt",
        "Wenn Harbor Oracle nutzt, zahlen wir",
        "我觉得小李在百度工作",
    ] {
        let workspace = Workspace::new();
        remember(&workspace, text);
        assert_eq!(edges(&workspace), Vec::<String>::new(), "{text}");
        assert!(
            !entities(&workspace).iter().any(|name| name.contains("if-") || name.contains("night")),
            "{text}"
        );
    }
    for (text, edge) in [
        ("Harbor uses Oracle", "project--harbor uses tool--oracle"),
        ("Mira works at Night Labs", "person--mira works-at place--night-labs"),
    ] {
        let workspace = Workspace::new();
        remember(&workspace, text);
        assert_eq!(edges(&workspace), [edge], "{text}");
    }
}

#[test]
fn people_keep_their_whole_names() {
    let workspace = Workspace::new();
    remember(&workspace, "My colleague Jean-Luc Picard prefers tea in the morning");
    remember(&workspace, "Jean-Luc Godard is our film consultant");
    remember(&workspace, "CEO Maria Lopez likes short reports");
    remember(&workspace, "Peter Smith works at Kestrel");
    remember(&workspace, "Anna Smith lives in Oslo");
    let names = entities(&workspace);
    for unwanted in ["person--jean-luc", "person--lopez", "person--smith", "person--picard"] {
        assert!(!names.contains(&unwanted.to_owned()), "{unwanted}: {names:?}");
    }
    for wanted in
        ["person--jean-luc-picard", "person--peter-smith", "person--anna-smith", "person--maria-lopez"]
    {
        assert!(names.contains(&wanted.to_owned()), "{wanted}: {names:?}");
    }
}

#[test]
fn what_somebody_does_not_like_is_that_of_the_one_it_is_said_of() {
    for (first, then) in [
        ("Mira prefers tea", "Mira does not like tea"),
        ("Mira prefers tea", "Mira's favourite drink is coffee"),
    ] {
        let outcome = second(first, then);
        assert_eq!(outcome.routing.store, Some(StoreKind::Semantic), "{then}");
        assert_eq!(outcome.path.unwrap().as_str(), "memory/graph/entities/person--mira.md", "{then}");
    }
    let own = second("I prefer tea", "My favourite drink is coffee");
    assert_eq!(own.routing.store, Some(StoreKind::Core));
}

#[test]
fn an_edge_is_as_sure_as_who_said_it_and_surer_when_it_is_said_again() {
    let workspace = Workspace::new();
    let detected = |text: &str| {
        let request = RememberRequest { text: text.to_owned(), detected: true, ..RememberRequest::default() };
        workspace.memory().remember(&request).unwrap()
    };
    let sure = |id: &str| {
        let page = workspace.read(&format!("memory/graph/entities/{id}.md")).unwrap();
        Entity::parse(&page).unwrap().edges()[0].annotation.get("confidence").unwrap().to_owned()
    };
    remember(&workspace, "Mira works at Kestrel");
    detected("Bo works at Nordlys");
    assert_eq!(sure("person--mira"), "high");
    assert_ne!(sure("person--bo"), "high");
    detected("Bo works at Nordlys");
    detected("Bo works at Nordlys");
    assert_eq!(sure("person--bo"), "high");
}

#[test]
fn what_was_forgotten_before_can_be_forgotten_for_good() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    let on_disk = |word: &str| {
        let is_it = |(path, bytes): (&String, &Vec<u8>)| {
            path.ends_with(".md") && !path.contains("meta/") && String::from_utf8_lossy(bytes).contains(word)
        };
        workspace.files().iter().any(is_it)
    };
    for (store, text) in [
        (StoreKind::Core, "The safe code is 4711"),
        (StoreKind::Vault, "The safe code is 4711"),
        (StoreKind::Semantic, "The safe code is 4711"),
    ] {
        let request =
            RememberRequest { text: text.to_owned(), store: Some(store), ..RememberRequest::default() };
        let id = memory.remember(&request).unwrap().id;
        memory.forget(std::slice::from_ref(&id), false).unwrap();
        assert!(on_disk("4711"), "{store:?}");
        let candidates = memory.forget_candidates("safe code", machine_time()).unwrap();
        assert_eq!(candidates.len(), 1, "{candidates:?}");
        assert!(memory.forget(&[candidates[0].id.clone()], false).is_err());
        memory.forget(std::slice::from_ref(&id), true).unwrap();
        assert!(!on_disk("4711"), "{store:?}");
        assert!(memory.forget(&[id], true).is_err());
        assert!(memory.forget_candidates("safe code", machine_time()).unwrap().is_empty());
    }
    let id = remember(&workspace, "Bo likes tulips").id;
    memory.catch_up();
    memory.forget(std::slice::from_ref(&id), false).unwrap();
    remember(&workspace, "Bo works at Kestrel");
    assert!(on_disk("tulips"));
    memory.forget(&[id], true).unwrap();
    assert!(!on_disk("tulips") && !on_disk("person--bo.md"));
    workspace.assert_well();
}

#[test]
fn a_word_offers_the_fact_before_the_whole_entity() {
    let workspace = Workspace::new();
    remember(&workspace, "Mira works at Kestrel");
    remember(&workspace, "Mira likes Tulipmania");
    let ids = |question: &str| -> Vec<String> {
        let found = workspace.memory().forget_candidates(question, machine_time()).unwrap();
        found.into_iter().map(|each| each.id).filter(|id| id.starts_with("entity:person--mira")).collect()
    };
    assert!(ids("tulipmania").first().is_some_and(|id| id.contains('#')), "{:?}", ids("tulipmania"));
    assert_eq!(ids("Mira"), ["entity:person--mira"]);
}
