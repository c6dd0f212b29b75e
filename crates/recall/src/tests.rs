//! What searching promises, on real files in a temporary folder: every language finds its words, no question is
//! syntax, and the index always says what the files say.

mod graph;
mod providers;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;

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
        recall(&self.database(), &every(&self.sources()), query, None, LIMIT, &mut |_| {})
            .expect("a good query")
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
    }
}

fn every(files: &[SourceFile]) -> Sources<'_> {
    Sources { files, label: &label, labels: 1, observed_at: now() }
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
    assert!(recall(&store.database(), &every(&store.sources()), &wrong, None, LIMIT, &mut |_| {}).is_err());
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
            "explain": {"bm25": null, "bm25_raw": null, "vector": null, "context": 0.0, "bonuses": [],
                "date_weight": 1.0, "relevance": 1.0, "boosts": []}
        }],
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
        recall(&store.database(), &sources, &query, None, LIMIT, &mut |_| {}).expect("a good query").0.results
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
fn only_changed_files_are_read_and_vanished_ones_leave() {
    let mut store = sample();
    let first = store.ask(&Query::default()).1.expect("indexed");
    assert_eq!((first.indexed, first.unchanged, first.generation), (8, 0, 1));
    let second = store.ask(&Query::default()).1.expect("indexed");
    assert_eq!((second.indexed, second.unchanged, second.generation), (0, 8, 1));
    store.write("notes/zh.md", "现在不同了\n".as_bytes());
    store.remove("notes/ja.md");
    let third = store.ask(&Query::default()).1.expect("indexed");
    assert_eq!((third.indexed, third.removed, third.unchanged, third.generation), (1, 1, 6, 2));
    assert!(store.paths("会議").is_empty() && store.paths("六月").is_empty());
    assert_eq!(store.paths("不同"), ["notes/zh.md"]);
}

#[test]
fn a_change_of_the_same_size_within_one_tick_is_found() {
    let mut store = sample();
    let mut index = Index::open(&store.database(), LIMIT).expect("opens");
    // Observed before the files were written: their times prove nothing.
    let unsettled = SystemTime::UNIX_EPOCH;
    for word in ["aaaa", "bbbb", "cccc", "dddd"] {
        store.write("notes/tick.md", word.as_bytes());
        index
            .refresh(&Sources { observed_at: unsettled, ..every(&store.sources()) }, &mut |_| {})
            .expect("refreshes");
        let query = Query { text: word.to_owned(), ..Query::default() };
        assert_eq!(index.search(&query, None).expect("answers").results.len(), 1, "{word}");
    }
}

#[test]
fn a_new_label_reaches_the_index_without_the_file_changing() {
    let store = sample();
    store.ask(&Query::default());
    let relabelled = |_: &str| Label { category: "new".to_owned(), ..Label::default() };
    let query = Query {
        text: "atlas".to_owned(),
        categories: vec!["new".to_owned()],
        mode: Mode::Keyword,
        ..Query::default()
    };
    let (answer, _) = recall(
        &store.database(),
        &Sources { label: &relabelled, labels: 2, ..every(&store.sources()) },
        &query,
        None,
        LIMIT,
        &mut |_| {},
    )
    .expect("good");
    assert_eq!((answer.results.len(), answer.freshness.generation), (1, 2));
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests delete the cache")]
fn deleting_the_index_changes_no_answer() {
    let store = sample();
    let query =
        Query { text: "atlas migration 회의 häuser".to_owned(), min_score: 0.0, ..Query::default() };
    let before = store.ask(&query).0.results;
    assert!(before.len() >= 4);
    std::fs::remove_file(store.database()).expect("deleted");
    assert_eq!(store.ask(&query).0.results, before);
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests damage the cache")]
fn a_damaged_index_is_noticed_and_built_anew() {
    let store = sample();
    let query = Query { text: "atlas migration 회의".to_owned(), min_score: 0.0, ..Query::default() };
    let before = store.ask(&query).0.results;
    let sound = std::fs::read(store.database()).expect("read");
    let mut garbled = sound.clone();
    garbled.iter_mut().skip(100).step_by(3).for_each(|byte| *byte = byte.wrapping_mul(31).wrapping_add(7));
    let mut no_words = sound.clone();
    let page = sound.len() / 2 / 4096 * 4096;
    no_words[page..page + 4096].fill(0xA5);
    for (what, damaged) in [
        ("no database", b"this is no database, but it is long enough to have a header".repeat(40)),
        ("half of it", sound[..sound.len() / 2].to_vec()),
        ("garbled", garbled),
        ("a page overwritten", no_words),
    ] {
        std::fs::write(store.database(), damaged).expect("damaged");
        let (answer, refreshed) = store.ask(&query);
        assert_eq!((answer.mode, answer.results), ("hybrid", before.clone()), "{what}");
        let refreshed = refreshed.expect("by the index");
        if what != "a page overwritten" {
            assert_eq!(refreshed.notices.len(), 1, "{what}");
        }
        let index = Index::open(&store.database(), LIMIT).expect("opens");
        // A damaged page that this question did not need is found by the check that reads everything.
        assert!(index.is_sound().expect("checks") || what == "a page overwritten", "{what}");
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests damage the cache")]
fn a_database_of_another_kind_or_version_is_replaced() {
    let store = sample();
    let before = store.paths("atlas");
    let other = rusqlite::Connection::open(store.database()).expect("opens");
    other.execute_batch("PRAGMA user_version = 7").expect("set");
    drop(other);
    assert_eq!(store.paths("atlas"), before);
    let other = rusqlite::Connection::open(store.database()).expect("opens");
    other.execute_batch("DROP TABLE passages").expect("dropped");
    drop(other);
    assert_eq!(store.paths("atlas"), before);
    assert_eq!(
        Index::open(&store.database(), 300).expect("another length of passages").generation().ok(),
        Some(0)
    );
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a folder where the database should be")]
fn without_a_place_for_the_index_the_files_are_searched() {
    let store = sample();
    std::fs::create_dir(store.database()).expect("made");
    let (answer, refreshed) = store.ask(&Query { text: "atlas launch".to_owned(), ..Query::default() });
    assert_eq!((answer.mode, answer.results[0].path.as_str()), ("grep", "entity/project--atlas.md"));
    assert_eq!(refreshed, None);
}

#[test]
#[cfg(unix)]
fn links_folders_and_odd_bytes_do_no_harm() {
    let mut store = sample();
    store.write("notes/odd.md", b"\xff\xfe broken \xe9 bytes zebra\0\n");
    std::os::unix::fs::symlink(store.absolute("notes/zh.md"), store.absolute("notes/link.md"))
        .expect("linked");
    store.files.insert("notes/link.md".to_owned(), Vec::new());
    store.files.insert("notes".to_owned(), Vec::new());
    assert_eq!(store.paths("zebra"), ["notes/odd.md"]);
    assert_eq!(store.paths("六月"), ["notes/zh.md"]);
    let indexed: Vec<String> = store.sources().into_iter().map(|source| source.path).collect();
    assert!(!indexed.iter().any(|path| path == "notes" || path == "notes/link.md"), "{indexed:?}");
}

#[test]
fn several_threads_may_build_the_same_index_at_once() {
    let mut store = sample();
    for number in 0..200 {
        store.write(&format!("notes/{number}.md"), format!("entry {number} common\n").as_bytes());
    }
    let sources = store.sources();
    let query = Query { text: "common".to_owned(), limit: 500, min_score: 0.0, ..Query::default() };
    let counts: Vec<(usize, &str)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let (answer, _) =
                        recall(&store.database(), &every(&sources), &query, None, LIMIT, &mut |_| {})
                            .expect("good");
                    (answer.results.len(), answer.mode)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert_eq!(counts, [(200, "hybrid"); 4]);
    assert_eq!(content(&store.database()), rebuilt(&store));
}

#[test]
fn progress_is_reported_while_many_files_are_indexed() {
    let mut store = Store::new(&[]);
    for number in 0..1_100 {
        store.write(&format!("notes/{number}.md"), b"x\n");
    }
    let mut seen = Vec::new();
    let mut index = Index::open(&store.database(), LIMIT).expect("opens");
    index.refresh(&every(&store.sources()), &mut |progress| seen.push(progress)).expect("refreshes");
    assert!(seen.len() >= 3 && seen.last() == Some(&Progress { done: 1_100, total: 1_100 }), "{seen:?}");
}

/// One passage with all that the index knows of it.
type Content = (String, u32, u32, String, Vec<String>, Vec<(String, u32)>, Vec<u8>, String, Option<Vec<u8>>);

/// Everything the index holds, without row numbers and times: each passage with its terms in order, its terms by way of the
/// postings, its vector, and what ranking knows of it.
fn content(database: &Path) -> Vec<Content> {
    let index = Index::open(database, LIMIT).expect("opens");
    let connection = &index.connection;
    let names: BTreeMap<u32, String> = connection
        .prepare("SELECT id, term FROM lexicon")
        .expect("prepares")
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("queries")
        .collect::<Result<_, _>>()
        .expect("reads");
    let width = Builtin::get().dimensions();
    let view = View::load(connection, 0, width, None).expect("reads");
    let fresh = view.fresh_postings(&names.keys().copied().collect());
    let mut posted: BTreeMap<usize, Vec<(String, u32)>> = BTreeMap::new();
    for (term, name) in &names {
        let add = |at: usize, count| posted.entry(at).or_default().push((name.clone(), count));
        let packed = view.postings(connection, *term).expect("reads");
        view.visit(&packed, fresh.get(term).map_or(&[], Vec::as_slice), add).expect("reads");
    }
    let mut all = Vec::new();
    for (at, slot) in view.slots.iter().enumerate().filter(|(at, _)| view.alive[*at]) {
        let sql = "SELECT f.path, p.start_line, p.end_line, p.text, a.terms, p.text_hash FROM passages p
                   JOIN files f ON f.id = p.file JOIN analyses a ON a.passage = p.id WHERE p.id = ?1";
        let (path, first, last, text, terms, hash): (String, u32, u32, String, Vec<u8>, Option<Vec<u8>>) =
            connection
                .query_row(sql, [slot.passage], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
                })
                .expect("every slot has its passage");
        let terms = Terms::from_bytes(&terms).expect("packed");
        let terms = terms.iter().map(|(term, _)| names[&term].clone()).collect();
        let mut postings = posted.remove(&at).unwrap_or_default();
        postings.sort();
        let known = format!("{:?} {} {} {}", slot.traits, slot.length, slot.day, slot.speaker);
        all.push((path, first, last, text, terms, postings, view.vector(at), known, hash));
    }
    let (passages, alive): (i64, usize) = (
        connection.query_row("SELECT count(*) FROM passages", [], |row| row.get(0)).expect("counts"),
        view.count,
    );
    assert_eq!((usize::try_from(passages).ok(), alive), (Some(all.len()), all.len()));
    all.sort();
    all
}

fn rebuilt(store: &Store) -> Vec<Content> {
    let database = store.folder.path().join("fresh.db");
    let mut index = Index::open(&database, LIMIT).expect("opens");
    index.reset().expect("resets");
    index.refresh(&every(&store.sources()), &mut |_| {}).expect("refreshes");
    drop(index);
    content(&database)
}

#[derive(Debug, Clone)]
enum Step {
    Write(u8, String),
    Remove(u8),
    Refresh,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..6_u8, "(# a\n|- alpha\n|beta 한국 \n|\n){0,6}").prop_map(|(file, text)| Step::Write(file, text)),
        1 => (0..6_u8).prop_map(Step::Remove),
        2 => Just(Step::Refresh),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn refreshing_step_by_step_equals_building_anew(steps in proptest::collection::vec(step(), 1..24)) {
        let mut store = Store::new(&[]);
        let name = |file: u8| format!("notes/{file}.md");
        for step in steps {
            match step {
                Step::Write(file, text) => store.write(&name(file), text.as_bytes()),
                Step::Remove(file) => store.remove(&name(file)),
                Step::Refresh => { store.ask(&Query::default()); }
            }
        }
        // Nothing is known of when the last files were written.
        let mut index = Index::open(&store.database(), LIMIT).expect("opens");
        index.refresh(&Sources { observed_at: SystemTime::UNIX_EPOCH, ..every(&store.sources()) }, &mut |_| {}).expect("refreshes");
        drop(index);
        prop_assert_eq!(content(&store.database()), rebuilt(&store));
    }
}

/// Everything that may lie in a workspace and breaks lesser programs.
#[test]
#[cfg(unix)]
#[allow(clippy::disallowed_methods, reason = "tests make the files that are searched")]
fn odd_files_are_searched_or_skipped_and_never_harm() {
    let mut store = sample();
    store.write(
        "notes/huge.md",
        format!("{}\n\nthe zebrafish swims\n", "word and more words. ".repeat(200_000)).as_bytes(),
    );
    store.write("notes/line.md", format!("{}quokka", "a ".repeat(300_000)).as_bytes());
    store.write("notes/broken.md", b"---\ntags: [unclosed\nkey: : :\n---\nthe axolotl smiles\n");
    store.write("notes/open.md", b"---\ntags: never closed\n\nthe okapi hides\n");
    store.write("notes/\u{1F419} d\u{ea}j\u{e0} vu.md", b"the narwhal sings\n");
    store.write("notes/empty.md", b"");
    store.write("notes/zeros.md", &[0; 4_096]);
    std::os::unix::fs::symlink(store.folder.path(), store.absolute("notes/loop")).expect("linked");
    let long = format!("notes/{}/{}.md", "d".repeat(200), "f".repeat(200));
    store.write(&long, b"the pangolin curls\n");
    for (word, path) in [
        ("zebrafish", "notes/huge.md"),
        ("quokka", "notes/line.md"),
        ("axolotl", "notes/broken.md"),
        ("okapi", "notes/open.md"),
        ("narwhal", "notes/\u{1F419} d\u{ea}j\u{e0} vu.md"),
        ("pangolin", long.as_str()),
    ] {
        assert_eq!(store.paths(word).first().map(String::as_str), Some(path), "{word}");
        assert_eq!(store.grepped(word).first().map(String::as_str), Some(path), "{word}");
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests remove a file behind the index's back")]
fn a_file_that_vanishes_between_the_list_and_the_reading_is_no_error() {
    let store = sample();
    let listed = store.sources();
    std::fs::remove_file(store.absolute("notes/zh.md")).expect("removed");
    let (answer, _) = recall(
        &store.database(),
        &every(&listed),
        &Query { text: "六月".to_owned(), ..Query::default() },
        None,
        LIMIT,
        &mut |_| {},
    )
    .expect("a good query");
    assert!(!answer.results.iter().any(|hit| hit.path == "notes/zh.md"));
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
