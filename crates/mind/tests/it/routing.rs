//! How often the memory router is right on labelled sentences.
//!
//! `tune`, `held-out` and `dev` are development data: rules were written and weights learned with them, so what is measured on
//! them here only shows what got worse. What new sentences may expect is what `crates/mind/model/train.py` prints, and what a
//! sealed set says. With `--nocapture` the tables are printed.

use std::collections::BTreeMap;
use std::fmt::Write;

use rem_mind::stores::router::{Mention, Statement, StoreKind, route};
use serde_json::Value;

const TUNE: &str = include_str!("../router/tune.jsonl");
const HELD_OUT: &str = include_str!("../router/held-out.jsonl");
const DEV: &str = include_str!("../router/dev.jsonl");
const HELD_OUT_2: &str = include_str!("../router/held-out-2.jsonl");
const WRITTEN: &str = include_str!("../router/written.tsv");
const STORES: [&str; 6] = ["core", "episodic", "semantic", "procedural", "vault", "none"];

/// Right and all.
#[derive(Debug, Default, Clone, Copy)]
struct Share {
    right: usize,
    of: usize,
}

impl Share {
    fn count(&mut self, is_right: bool) {
        self.right += usize::from(is_right);
        self.of += 1;
    }

    fn is_at_least(self, percent: usize) -> bool {
        self.right * 100 >= self.of * percent
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = (self.right * 1000).checked_div(self.of).unwrap_or(1000);
        write!(formatter, "{}/{} ({}.{} %)", self.right, self.of, percent / 10, percent % 10)
    }
}

#[derive(Debug, Default)]
struct Measured {
    stores: Share,
    kinds: Share,
    by_language: BTreeMap<String, Share>,
    /// Wanted store, then answered store.
    confusion: BTreeMap<(String, String), usize>,
    relations: Share,
    relations_found: Share,
    entities: Share,
    entities_found: Share,
    types: Share,
}

fn measure(lines: &str) -> Measured {
    let mut measured = Measured::default();
    for line in lines.lines() {
        let labelled: Value = serde_json::from_str(line).unwrap();
        let label = |field: &str| labelled[field].as_str().unwrap().to_owned();
        let routing = route(&label("text"));
        let answer = serde_json::to_value(&routing).unwrap();
        let store = answer["store"].as_str().unwrap_or("none").to_owned();
        let is_right = store == label("store");
        measured.stores.count(is_right);
        measured.by_language.entry(label("language")).or_default().count(is_right);
        if store != "none" && is_right {
            measured.kinds.count(answer["kind"] == labelled["kind"]);
        }
        *measured.confusion.entry((label("store"), store)).or_default() += 1;

        let relations: Vec<Statement> = serde_json::from_value(labelled["relations"].clone()).unwrap();
        routing.relations.iter().for_each(|each| measured.relations.count(relations.contains(each)));
        relations.iter().for_each(|each| measured.relations_found.count(routing.relations.contains(each)));
        let entities: Vec<Mention> = serde_json::from_value(labelled["entities"].clone()).unwrap();
        for found in &routing.entities {
            let same = entities.iter().find(|each| each.name == found.name);
            measured.entities.count(same.is_some());
            if let Some(same) = same {
                measured.types.count(same.r#type == found.r#type);
            }
        }
        let names: Vec<&str> = routing.entities.iter().map(|each| each.name.as_str()).collect();
        entities.iter().for_each(|each| measured.entities_found.count(names.contains(&each.name.as_str())));
    }
    measured
}

fn report(title: &str, measured: &Measured) -> String {
    let mut report = format!("\n{title}: stores {}\n", measured.stores);
    for (language, share) in &measured.by_language {
        writeln!(report, "  {language} {share}").unwrap();
    }
    writeln!(report, "  kinds, where the store is right {}", measured.kinds).unwrap();
    writeln!(report, "  relations: precision {}, recall {}", measured.relations, measured.relations_found)
        .unwrap();
    writeln!(report, "  entities: precision {}, recall {}", measured.entities, measured.entities_found)
        .unwrap();
    writeln!(report, "  types, where the name is right {}", measured.types).unwrap();
    writeln!(report, "  {:<12}{}", "wanted", STORES.map(|store| format!("{store:>11}")).concat()).unwrap();
    for wanted in STORES {
        let row = STORES.map(|store| {
            let count = measured.confusion.get(&(wanted.to_owned(), store.to_owned())).unwrap_or(&0);
            format!("{count:>11}")
        });
        writeln!(report, "  {wanted:<12}{}", row.concat()).unwrap();
    }
    report
}

#[test]
fn sentences_the_rules_were_written_with_stay_where_they_are() {
    let mut share = Share::default();
    for line in WRITTEN.lines() {
        let (store, text) = line.split_once('\t').unwrap();
        let answer = serde_json::to_value(route(text).store).unwrap();
        share.count(answer.as_str().unwrap_or("none") == store);
    }
    assert!(share.is_at_least(95), "{share}");
}

#[test]
#[allow(clippy::print_stdout, reason = "the tables are for whoever runs this test with --nocapture")]
fn the_router_files_most_sentences_where_a_careful_reader_would() {
    for (title, lines, sentences, names) in
        [("tune", TUNE, 242, 90), ("held-out", HELD_OUT, 238, 70), ("dev", DEV, 240, 70)]
    {
        let measured = measure(lines);
        println!("{}", report(title, &measured));
        assert_eq!(measured.stores.of, sentences);
        assert!(measured.stores.is_at_least(94), "{title}: {}", measured.stores);
        assert!(measured.entities.is_at_least(names), "names, {title}: {}", measured.entities);
    }
    let held_out = measure(HELD_OUT_2);
    println!("{}", report("held-out-2", &held_out));
    assert_eq!(held_out.stores.of, 240);
    assert!(held_out.stores.is_at_least(89), "held-out-2: {}", held_out.stores);
    assert!(held_out.relations.is_at_least(75), "relations, held-out-2: {}", held_out.relations);
}

#[test]
fn when_somebody_was_born_holds_and_is_no_event_of_today() {
    for text in [
        "Anna was born on 3 May 1990",
        "Anna ist am 3. Mai 1990 geboren",
        "안나는 1990년 5월 3일에 태어났어",
        "安娜出生于1990年5月3日",
    ] {
        assert_eq!(route(text).store, Some(StoreKind::Semantic), "{text}: {:?}", route(text));
    }
    for text in ["Our daughter was born yesterday", "We founded the company last week"] {
        assert_eq!(route(text).store, Some(StoreKind::Episodic), "{text}: {:?}", route(text));
    }
}

#[test]
fn a_day_of_the_week_is_nothing_that_is_used() {
    for text in
        ["Our stand-up is on Mondays at 9", "The stand-up is on Tuesday", "Unser Termin ist dienstags"]
    {
        assert_eq!(route(text).relations, [], "{text}");
    }
    assert_eq!(route("The API is on Kubernetes").relations[0].relation, "uses");
}
