//! What searching promises, on real files in a temporary folder: every language finds its words, no question is
//! syntax, and the index always says what the files say.

mod graph;
mod keeping;
mod latest;
mod listing;
mod providers;
mod times;
mod without;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use rem_format::decay_scores::StoreKind;

use crate::embed::builtin::Builtin;
use crate::segment::Terms;
use crate::view::View;
use crate::*;

const LIMIT: usize = 400;

struct Store {
    folder: tempfile::TempDir,
    files: BTreeMap<String, Vec<u8>>,
}

impl Store {
    fn new(files: &[(&str, &str)]) -> Self {
        let mut store =
            Self { folder: tempfile::tempdir().expect("a temporary folder"), files: BTreeMap::new() };
        for (path, text) in files {
            store.write(path, text.as_bytes());
        }
        store
    }

    #[allow(clippy::disallowed_methods, reason = "tests make the files that are searched")]
    fn write(&mut self, path: &str, content: &[u8]) {
        let absolute = self.absolute(path);
        std::fs::create_dir_all(absolute.parent().expect("inside the folder")).expect("made");
        std::fs::write(absolute, content).expect("written");
        self.files.insert(path.to_owned(), content.to_owned());
    }

    #[allow(clippy::disallowed_methods, reason = "tests remove the files that are searched")]
    fn remove(&mut self, path: &str) {
        if self.files.remove(path).is_some() {
            std::fs::remove_file(self.absolute(path)).expect("removed");
        }
    }

    fn absolute(&self, path: &str) -> PathBuf {
        self.folder.path().join("files").join(path)
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("memory.db")
    }

    fn sources(&self) -> Vec<SourceFile> {
        self.files.keys().filter_map(|path| SourceFile::at(path.clone(), self.absolute(path))).collect()
    }

    fn ask(&self, query: &Query) -> (Answer, Option<Refreshed>) {
        asked(&self.database(), &every(&self.sources()), query).expect("a good query")
    }

    /// Has the index take in what became of these files alone.
    fn take_in(&self, changed: &BTreeSet<String>) {
        let mut index = Index::open(&self.database(), LIMIT).expect("opens");
        let (there, gone): (Vec<&String>, Vec<&String>) =
            changed.iter().partition(|path| self.files.contains_key(*path));
        let files: Vec<SourceFile> =
            there.into_iter().filter_map(|path| SourceFile::at(path.clone(), self.absolute(path))).collect();
        let gone: Vec<&str> = gone.into_iter().map(String::as_str).collect();
        let sources = Sources { observed_at: SystemTime::UNIX_EPOCH, ..every(&files) };
        index.take_in(&sources, &gone, Duration::from_secs(1)).expect("taken in");
    }

    fn paths(&self, text: &str) -> Vec<String> {
        let query = Query { text: text.to_owned(), min_score: 0.0, ..Query::default() };
        let (answer, _) = self.ask(&query);
        assert_eq!(answer.mode, "hybrid");
        answer.results.into_iter().map(|hit| hit.path).collect()
    }

    fn grepped(&self, text: &str) -> Vec<String> {
        let query = Query { text: text.to_owned(), min_score: 0.0, ..Query::default() };
        let answer = grep(&every(&self.sources()), &query, LIMIT).expect("a good query");
        answer.results.into_iter().map(|hit| hit.path).collect()
    }
}

/// One search through an index that is opened for it.
fn asked(
    database: &Path,
    sources: &Sources<'_>,
    query: &Query,
) -> Result<(Answer, Option<Refreshed>), QueryError> {
    let mut opened = None;
    let index = Index::open(database, LIMIT).map(|index| &mut *opened.insert(index));
    recall(index, sources, query, None, LIMIT, &mut |_| {})
}

/// Long after every file was written, so that their times are trusted.
fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(40_000_000_000)
}

fn label(path: &str) -> Label {
    let category = path.split('/').next().unwrap_or_default().to_owned();
    let id = path.strip_prefix("entity/").map(|name| format!("entity:{}", name.trim_end_matches(".md")));
    Label {
        category,
        tier: if date_of_path(path).is_some() { "T2" } else { "T1" }.to_owned(),
        id,
        facets: Vec::new(),
        holds: match path.split('/').next() {
            Some("entity") => Holds::Entity,
            Some("list") => Holds::Entries("list", StoreKind::Vault),
            _ => Holds::Nothing,
        },
        ..Label::default()
    }
}

fn every(files: &[SourceFile]) -> Sources<'_> {
    Sources { files, label: &label, labels: 1, observed_at: now(), checkpoint: None, moment: None }
}

fn sample() -> Store {
    Store::new(&[
        (
            "entity/project--atlas.md",
            "# Atlas\n\n## Facts\n- The Atlas launch moved to June.\n- Owner: Dana Müller\n",
        ),
        (
            "journal/2026-03-19.md",
            "# 2026-03-19\n\n- Migration plan agreed with the database team\n- Lunch\n",
        ),
        ("journal/2026-03-20.md", "# 2026-03-20\n\n- Deployed the rollback script `scripts/roll_back.sh`\n"),
        (
            "talk/2026/03/21/1845-s-x.md",
            "# Talk\n\n## 18:45 — user\n다음 주 회의에서 예산을 정합시다\n\n## 18:46 — agent\n네\n",
        ),
        ("notes/zh.md", "# 笔记\n\n数据库迁移计划在六月完成。\n"),
        ("notes/ja.md", "東京オフィスの会議は金曜日です。\n"),
        (
            "notes/de.md",
            "Die Häuser am Ufer wurden verkauft. Der Vertrag mit dem Käufer liegt in der Straße der Freiheit.\n",
        ),
        ("notes/bytes.md", "caf\u{e9} society\n"),
    ])
}

#[test]
fn words_are_found_in_every_language() {
    let store = sample();
    for (question, path) in [
        ("when does atlas launch?", "entity/project--atlas.md"),
        ("muller", "entity/project--atlas.md"),
        ("migrating plans", "journal/2026-03-19.md"),
        ("roll_back.sh", "journal/2026-03-20.md"),
        ("scripts/roll_back.sh", "journal/2026-03-20.md"),
        ("회의", "talk/2026/03/21/1845-s-x.md"),
        ("예산을", "talk/2026/03/21/1845-s-x.md"),
        ("迁移计划", "notes/zh.md"),
        ("六月", "notes/zh.md"),
        ("会議", "notes/ja.md"),
        ("haus", "notes/de.md"),
        ("STRASSE", "notes/de.md"),
        ("cafe", "notes/bytes.md"),
    ] {
        assert_eq!(store.paths(question).first().map(String::as_str), Some(path), "index: {question}");
        // Without the index nobody knows that the files are German, so only whole German words are found.
        if question != "haus" {
            assert_eq!(store.grepped(question).first().map(String::as_str), Some(path), "grep: {question}");
        }
    }
    assert!(store.paths("nonexistentword").is_empty() && store.grepped("nonexistentword").is_empty());
}

#[test]
fn a_question_is_text_and_never_syntax() {
    let store = sample();
    let noise = "\" OR NEAR(-* ^{}[]:\\'%;--".repeat(400);
    for question in [
        "\"atlas",
        "atlas AND",
        "-atlas",
        "atlas*",
        "(atlas",
        "NEAR(atlas launch)",
        "tokens:atlas",
        "atlas\0",
        "🎉 atlas",
    ] {
        assert_eq!(
            store.paths(question).first().map(String::as_str),
            Some("entity/project--atlas.md"),
            "{question}"
        );
    }
    assert!(!store.paths(&format!("{noise} atlas")).is_empty());
    for nothing in ["", "   ", "🎉", "\"", "*", "((("] {
        assert!(store.paths(nothing).is_empty() && store.grepped(nothing).is_empty(), "{nothing:?}");
    }
    let many: String = (0..2_000).map(|number| format!("word{number} ")).collect();
    store.paths(&many);
}

#[test]
fn filters_narrow_the_search() {
    let store = sample();
    let of = |query: Query| -> Vec<String> {
        let query = Query { mode: Mode::Keyword, ..query };
        let (answer, _) = store.ask(&Query { min_score: 0.0, ..query.clone() });
        let mut by_index: Vec<String> = answer.results.into_iter().map(|hit| hit.path).collect();
        // A turn next to one that matches is found as well.
        let mut seen = std::collections::HashSet::new();
        by_index.retain(|path| seen.insert(path.clone()));
        let mut by_grep: Vec<String> =
            grep(&every(&store.sources()), &Query { min_score: 0.0, ..query }, LIMIT)
                .expect("a good query")
                .results
                .into_iter()
                .map(|hit| hit.path)
                .collect();
        let mut sorted = by_index.clone();
        sorted.sort();
        sorted.dedup();
        by_grep.sort();
        assert_eq!(sorted, by_grep);
        by_index
    };
    let all = Query { text: "atlas migration deployed 회의".to_owned(), ..Query::default() };
    assert_eq!(of(all.clone()).len(), 4);
    assert_eq!(of(Query { categories: vec!["journal".into()], ..all.clone() }).len(), 2);
    assert_eq!(of(Query { paths: vec!["entity/*".into()], ..all.clone() }), ["entity/project--atlas.md"]);
    assert_eq!(of(Query { paths: vec!["2026-*.md".into()], ..all.clone() }).len(), 2);
    assert!(of(Query { paths: vec!["talk/*".into()], ..all.clone() }).is_empty());
    assert_eq!(of(Query { paths: vec!["talk/**".into()], ..all.clone() }).len(), 1);
    let day = |text: &str| Some(text.parse().expect("a date"));
    assert_eq!(of(Query { since: day("2026-03-20"), ..all.clone() }).len(), 2);
    assert_eq!(of(Query { since: day("2026-03-19"), until: day("2026-03-20"), ..all.clone() }).len(), 2);
    assert_eq!(store.ask(&Query { limit: 1, min_score: 0.0, ..all.clone() }).0.results.len(), 1);
    let wrong = Query { paths: vec!["[".into()], ..all };
    assert!(asked(&store.database(), &every(&store.sources()), &wrong).is_err());
}

#[test]
fn the_answer_has_the_documented_shape() {
    let store = sample();
    let query = Query { text: "atlas launch".to_owned(), ..Query::default() };
    let (answer, _) = store.ask(&query);
    let mut json = serde_json::to_value(&answer).expect("serialises");
    for measured in ["bm25", "bm25_raw", "vector"] {
        let found = json["results"][0]["explain"][measured].take();
        assert!(found.as_f64().is_some_and(|found| found > 0.0), "{measured}");
    }
    json["freshness"]["refreshed_ms"] = 3.into();
    let expected = serde_json::json!({
        "mode": "hybrid", "strategy": null, "period": null,
        "results": [{
            "id": "entity:project--atlas", "path": "entity/project--atlas.md", "start_line": 1, "end_line": 5,
            "category": "entity", "date": null, "score": 1.0,
            "snippet": "# Atlas ## Facts - The Atlas launch moved to June. - Owner: Dana Müller",
            "status": "active", "tier": "T1",
            "explain": {"weights": [0.8, 0.2], "bm25": null, "bm25_raw": null, "vector": null, "context": 0.0,
                "bonuses": [["it is named", 0.15], ["words that stand together", 0.3]],
                "date_weight": 1.0, "relevance": 1.0, "boosts": []}
        }],
        "left_out": {"dormant": 0, "archived": 0, "repeated": 0},
        "freshness": {"generation": 1, "files_changed_since": 0, "embedder": Builtin::NAME, "dimensions": 128,
            "embedder_notice": null, "refreshed_ms": 3, "skipped": []}
    });
    let mut results = json["results"].as_array().cloned().unwrap_or_default();
    results.truncate(1);
    json["results"] = results.into();
    assert_eq!(json, expected);
    let (answer, _) = store.ask(&Query { text: "lunch".to_owned(), ..Query::default() });
    assert_eq!(answer.results[0].id, "passage:journal/2026-03-19.md:1-4");
    assert_eq!(answer.results[0].date.as_deref(), Some("2026-03-19"));
}

fn by_correction(path: &str) -> Label {
    let category = if path == "CORRECTIONS.md" { "correction" } else { "reference" };
    Label { category: category.to_owned(), ..Label::default() }
}

#[test]
fn a_correction_comes_first_and_what_it_corrects_is_never_shown_as_current() {
    let mut store = Store::new(&[
        ("notes/launch.md", "The Atlas launch is in May.\n"),
        (
            "notes/long.md",
            "The Atlas launch is in May. The crew books the harbor early, orders new sails, paints the hull, hires a cook, \
             invites the mayor and checks the weather every morning before anybody leaves the house.\n",
        ),
        ("notes/right.md", "Since the meeting the Atlas launch is planned for June.\n"),
    ]);
    let query = Query { text: "when is the atlas launch".to_owned(), min_score: 0.0, ..Query::default() };
    let ask = |store: &Store| {
        let files = store.sources();
        let sources = Sources { label: &by_correction, ..every(&files) };
        asked(&store.database(), &sources, &query).expect("a good query").0.results
    };
    assert!(ask(&store).iter().any(|hit| hit.path == "notes/launch.md"));
    store.write(
        "CORRECTIONS.md",
        b"## 2026-03-02\n- **Agent said:** the Atlas launch is in May\n- **Correct:** the Atlas launch is in June\n",
    );
    let hits = ask(&store);
    let found: Vec<(&str, &str)> = hits.iter().map(|hit| (hit.path.as_str(), hit.status)).collect();
    assert_eq!(found[0], ("CORRECTIONS.md", "active"), "{found:?}");
    assert!(hits[0].explain.boosts.contains(&("correction".to_owned(), 1.5)));
    assert!(!found.iter().any(|(path, _)| *path == "notes/launch.md"), "{found:?}");
    assert!(
        found.contains(&("notes/right.md", "active")) && found.contains(&("notes/long.md", "corrected")),
        "{found:?}"
    );
    store.remove("CORRECTIONS.md");
    assert!(ask(&store).iter().any(|hit| hit.path == "notes/launch.md"));
}

#[test]
fn a_question_in_another_script_is_answered_by_meaning_and_a_word_without_meaning_is_not() {
    let store = Store::new(&[
        ("notes/school.md", "我女儿的学校在河边，每天走路去上学。\n"),
        ("notes/car.md", "我们在三月买了一辆新汽车，花了很多钱。\n"),
        ("notes/harbor.md", "The harbor crane was painted last summer.\n"),
    ]);
    let found = store.paths("which vehicle did we purchase");
    assert_eq!(found.first().map(String::as_str), Some("notes/car.md"), "{found:?}");
    assert!(!found.contains(&"notes/harbor.md".to_owned()), "its script is the question's: {found:?}");
    assert!(store.paths("nonexistentword").is_empty());
}

#[test]
fn a_turn_is_found_with_its_speaker_and_the_lines_that_it_stands_on() {
    let named = "# Talk\n\n## 09:00 — user\nAnn: I bought a kayak.\n\n## 09:01 — agent\nBen: Where is the kayak?\n\n\
                 ## 09:02 — user\nAnn: In the shed.\n\n## 09:03 — user\nAnn: And the paddle too.\n";
    let mut store = sample();
    store.write("talk/2026/03/22/0900-s-y.md", named.as_bytes());
    let first = |text: &str, grepped: bool| {
        let query = Query { text: text.to_owned(), min_score: 0.0, ..Query::default() };
        let sources = store.sources();
        let answer = match grepped {
            true => grep(&every(&sources), &query, LIMIT).expect("a good query"),
            false => store.ask(&query).0,
        };
        let hit = &answer.results[0];
        (hit.text.clone(), hit.start_line, hit.end_line)
    };
    let meeting = ("user: 다음 주 회의에서 예산을 정합시다".to_owned(), 4, 4);
    assert_eq!([first("회의 예산", false), first("예산을", true)], [meeting.clone(), meeting]);
    assert_eq!(first("paddle", false), ("Ann: And the paddle too.".to_owned(), 13, 13));
}

#[test]
fn a_long_turn_counts_by_what_it_says_in_one_place() {
    let filler =
        "We went on about this and that for quite a while without settling anything of note. ".repeat(12);
    let scattered = format!("The harbor was busy. {filler} A crane flew by. {filler} My invoice is late.");
    let together = format!("{filler} {filler} The harbor crane invoice is overdue.");
    let talk = |said: &str| format!("# Talk\n\n## 18:45 — user\n{said}\n");
    let store = Store::new(&[
        ("talk/2026/03/20/1845-s-a.md", &talk(&scattered)),
        ("talk/2026/03/20/1945-s-b.md", &talk(&together)),
    ]);
    let query =
        Query { text: "overdue invoice, harbor crane".to_owned(), min_score: 0.0, ..Query::default() };
    let words = |path: &str| {
        let found = store.ask(&query).0.results;
        found.iter().filter(|hit| hit.path.contains(path)).map(|hit| hit.explain.bm25).fold(0.0, f64::max)
    };
    assert!(words("s-b") > 1.5 * words("s-a"), "{} and {}", words("s-b"), words("s-a"));
}

#[test]
fn what_answers_a_question_about_what_was_said_takes_part_in_it() {
    let talk = |between: &str| {
        format!(
            "# Talk\n\n## 18:45 — user\nWe had a picnic by the lake.\n\n## 18:46 — agent\n{between}\n\n\
             ## 18:47 — user\nCharades and a scavenger hunt.\n"
        )
    };
    let words = |between: &str| {
        let store = Store::new(&[("talk/2026/03/20/1845-s-a.md", talk(between).as_str())]);
        let query = Query { text: "picnic by the lake".to_owned(), min_score: 0.0, ..Query::default() };
        let found = store.ask(&query).0.results;
        let last = found.iter().find(|hit| hit.text.contains("Charades")).expect("it is found");
        last.explain.bm25
    };
    let (asked, remarked) = (words("Which games did you play?"), words("That sounds like great fun."));
    assert!(remarked > 0.0 && (asked / remarked - 2.0).abs() < 0.05, "{asked} and {remarked}");
}

#[test]
fn what_holds_no_word_counts_sooner_where_the_talk_holds_one_or_its_speaker_is_named() {
    let said = "The waves were rough that afternoon.";
    let talk = |name: &str, begins: &str| {
        let filler = ["My sister teaches algebra.", "Lunch was soup.", "The train left late."];
        let lines = [begins].into_iter().chain(filler).chain([said]);
        let turn = |line| format!("## 09:00 — user\n{name}{line}\n\n");
        format!("# Talk\n\n{}", lines.map(turn).collect::<String>())
    };
    let finds = |talk: &str, question: &str| {
        let store =
            Store::new(&[("talk/2026/03/20/0900-s-a.md", talk), ("a/b.md", "A sailboat costs a lot.\n")]);
        let query = Query { text: question.to_owned(), min_score: 0.0, ..Query::default() };
        store.ask(&query).0.results.iter().any(|hit| hit.text.contains(said))
    };
    let question = "Where did we moor the sailboat?";
    assert!(finds(&talk("", "The sailboat is ours."), question));
    assert!(!finds(&talk("", "The kettle is ours."), question));
    assert!(finds(&talk("Ann: ", "The kettle is ours."), "Where did Ann moor the sailboat?"));
    assert!(!finds(&talk("Ann: ", "The kettle is ours."), question));
}

#[test]
fn what_is_latest_of_days_that_are_named_does_not_fade() {
    let store = Store::new(&[
        ("journal/2024-03-02.md", "The latest crane inspection found rust.\n"),
        ("journal/2026-03-02.md", "The newest of the crane lamps broke.\n"),
    ]);
    let today = Some("2026-04-01".parse().expect("a date"));
    let first = |text: &str| {
        let query = Query { text: text.to_owned(), today, min_score: 0.0, ..Query::default() };
        store.ask(&query).0.results[0].explain.date_weight
    };
    assert!(first("latest crane inspection in March 2024") > 0.9);
    assert!(first("latest crane inspection found rust") < 0.5);
}

#[test]
fn the_same_passage_in_two_files_is_shown_once() {
    let store = Store::new(&[("a/x.md", "the very same words\n"), ("b/y.md", "the very same words\n")]);
    assert_eq!(store.paths("same words"), ["a/x.md"]);
    assert_eq!(store.grepped("same words"), ["a/x.md"]);
}

#[test]
fn a_small_folder_in_a_large_store_is_searched_as_if_it_stood_alone() {
    let mut store = Store::new(&[("small/one.md", "the harbor is quiet\n")]);
    for number in 0..400 {
        store.write(
            &format!("large/{number}.md"),
            format!("harbor harbor harbor {number} quiet\n").as_bytes(),
        );
    }
    let query = Query {
        text: "quiet harbor".to_owned(),
        scopes: vec![Scope::Folder("small".to_owned())],
        limit: 3,
        ..Query::default()
    };
    let (answer, _) = store.ask(&query);
    assert_eq!(answer.results.iter().map(|hit| hit.path.as_str()).collect::<Vec<_>>(), ["small/one.md"]);
    let by_meaning = Query { mode: Mode::Vector, ..query };
    assert_eq!(store.ask(&by_meaning).0.results.len(), 1);
}

#[test]
fn tags_and_scopes_narrow_by_what_front_matter_says() {
    let store = Store::new(&[
        ("a.md", "---\ntags: [Urgent, boats]\nproject: Atlas\n---\nthe harbor\n"),
        ("b.md", "---\ntags: calm\nagent: coder\n---\nthe harbor again\n"),
        ("c.md", "the harbor once more\n"),
    ]);
    let of = |tags: &[&str], scopes: &[&str]| -> Vec<String> {
        let query = Query {
            text: "harbor".to_owned(),
            tags: tags.iter().map(ToString::to_string).collect(),
            scopes: scopes.iter().map(|scope| scope.parse().expect("a scope")).collect(),
            min_score: 0.0,
            ..Query::default()
        };
        let mut paths: Vec<String> = store.ask(&query).0.results.into_iter().map(|hit| hit.path).collect();
        paths.sort();
        paths.dedup();
        paths
    };
    assert_eq!(of(&["urgent"], &[]), ["a.md"]);
    assert_eq!(of(&["#boats", "calm"], &[]), ["a.md", "b.md"]);
    assert_eq!(of(&[], &["project:atlas"]), ["a.md"]);
    assert_eq!(of(&["calm"], &["agent:Coder"]), ["b.md"]);
    assert_eq!(of(&[], &[]).len(), 3);
    assert!("planet:mars".parse::<Scope>().is_err() && "folder:".parse::<Scope>().is_err());
}
