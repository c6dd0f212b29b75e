//! The index says what the files say, whatever happens to either.

use rusqlite::OptionalExtension as _;

use super::*;

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
    assert!(!store.paths("会議").contains(&"notes/ja.md".to_owned()) && store.paths("六月").is_empty());
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
    let (answer, _) = asked(
        &store.database(),
        &Sources { label: &relabelled, labels: 2, ..every(&store.sources()) },
        &query,
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
#[allow(clippy::disallowed_methods, reason = "tests delete the cache")]
fn an_index_that_grew_answers_like_one_that_was_built_anew() {
    let tree = |number: usize, more: &str| {
        format!(
            "user: The apple tree number {number} needs water{more}.\n\nAnn: Plums grow beside parcel {number}.\n"
        )
    };
    let mut store = Store::new(&[
        ("a.md", "One apple stands beside the rich parcel.\n"),
        ("b.md", "Plums and apples are carried to Graz.\n"),
    ]);
    const QUESTIONS: [&str; 4] = ["rich apple", "apple plums", "water every day", "parcel 3"];
    let anew = tempfile::tempdir().expect("a folder");
    let answers = |store: &Store, database: &Path| {
        QUESTIONS.map(|text| {
            let query = Query { text: text.to_owned(), min_score: 0.0, limit: 50, ..Query::default() };
            asked(database, &every(&store.sources()), &query).expect("a good query").0.results
        })
    };
    // Six passages are sealed in tests: what is replaced dies in segments, and those are written anew.
    for round in 0..6 {
        for number in 0..8 {
            let path = format!("notes/{}.md", (round * 5 + number) % 23);
            match (round + number) % 4 {
                0 => store.remove(&path),
                _ => store.write(&path, tree(number, &" every day".repeat(round)).as_bytes()),
            }
        }
        let grown = answers(&store, &store.database());
        let anew = answers(&store, &anew.path().join(format!("{round}.db")));
        for (grown, anew) in grown.iter().flatten().zip(anew.iter().flatten()) {
            assert_eq!(grown, anew, "in round {round}");
        }
        assert_eq!(grown, anew);
        assert!(grown.iter().all(|results| results.len() > 3));
    }
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
fn an_index_that_lost_its_bytes_is_built_anew_and_says_so() {
    let store = sample();
    let before = store.paths("atlas");
    let notices =
        || store.ask(&Query { text: "atlas".to_owned(), ..Query::default() }).1.expect("indexed").notices;
    assert_eq!(notices(), [""; 0]);
    for left in ["", "S"] {
        std::fs::write(store.database(), left).expect("emptied");
        assert_eq!(notices().len(), 1, "{left:?}");
        assert_eq!(store.paths("atlas"), before);
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
    for emptied in ["fresh", "segments", "passages", "postings", "lexicon", "languages"] {
        let other = rusqlite::Connection::open(store.database()).expect("opens");
        other.execute_batch(&format!("DELETE FROM {emptied}")).expect("emptied");
        drop(other);
        assert_eq!(store.paths("atlas"), before, "{emptied}");
    }
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
                    let (answer, _) = asked(&store.database(), &every(&sources), &query).expect("good");
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
        let text_of = |near: Option<usize>| -> String {
            let number = near.map_or(0, |near| view.slots[near].passage);
            let text =
                connection.query_row("SELECT text FROM passages WHERE id = ?1", [number], |row| row.get(0));
            text.optional().expect("reads").unwrap_or_default()
        };
        let memory: Option<String> = connection
            .query_row(
                "SELECT m.id FROM memories m JOIN passages p ON p.file = m.file WHERE m.number = ?1 AND p.id = ?2",
                [slot.fading.memory, slot.passage],
                |row| row.get(0),
            )
            .optional()
            .expect("reads");
        assert_eq!(memory.is_some(), slot.fading.memory != 0);
        let (before, after) = (text_of(view.turn_before(at)), text_of(view.turn_after(at)));
        let known = format!(
            "{:?} {} {} {} {memory:?} {:?} {before:?} {after:?}",
            slot.traits,
            slot.length,
            slot.day,
            slot.speaker,
            slot.fading.standing()
        );
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
    Grow(u8, String),
    Remove(u8),
    Refresh,
    /// Only of the files written or removed since the last one.
    TakeIn,
}

/// Notes, conversations, lists of memories: two of each.
fn name(file: u8) -> String {
    format!("{}/{file}.md", ["note", "talk", "list"][usize::from(file / 2)])
}

fn text_for(file: u8) -> proptest::string::RegexGeneratorStrategy<String> {
    let pattern = match file / 2 {
        0 => "(# a\n|- alpha\n|beta 한국 \n|\n){0,6}",
        1 => "(## 18:4[5-7] — (user|agent)\n(alpha|beta|Ann: gamma)\n\n){0,4}",
        _ => "(- (alpha|beta) <!-- id:k[1-4] \\| mentions:[1-3] -->\n){0,5}",
    };
    proptest::string::string_regex(pattern).expect("a pattern")
}

fn step() -> impl Strategy<Value = Step> {
    let written = || (0..6_u8).prop_flat_map(|file| (Just(file), text_for(file)));
    prop_oneof![
        2 => written().prop_map(|(file, text)| Step::Write(file, text)),
        3 => written().prop_map(|(file, text)| Step::Grow(file, text)),
        1 => (0..6_u8).prop_map(Step::Remove),
        1 => Just(Step::Refresh),
        3 => Just(Step::TakeIn),
    ]
}

impl Store {
    /// Changes a file and gives its path.
    fn step(&mut self, step: Step) -> String {
        let (Step::Write(file, _) | Step::Grow(file, _) | Step::Remove(file)) = step else { return name(0) };
        let path = name(file);
        match step {
            Step::Write(_, text) => self.write(&path, text.as_bytes()),
            Step::Grow(_, text) => {
                let before = self.files.get(&path).cloned().unwrap_or_default();
                self.write(&path, &[before.as_slice(), text.as_bytes()].concat());
            }
            _ => self.remove(&path),
        }
        path
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn refreshing_step_by_step_equals_building_anew(steps in proptest::collection::vec(step(), 1..32)) {
        let mut store = Store::new(&[]);
        let mut changed = BTreeSet::new();
        for step in steps {
            match step {
                Step::Refresh => drop(store.ask(&Query::default())),
                Step::TakeIn => store.take_in(&std::mem::take(&mut changed)),
                step => drop(changed.insert(store.step(step))),
            }
        }
        // Nothing is known of when the last files were written.
        let mut index = Index::open(&store.database(), LIMIT).expect("opens");
        index.refresh(&Sources { observed_at: SystemTime::UNIX_EPOCH, ..every(&store.sources()) }, &mut |_| {}).expect("refreshes");
        drop(index);
        prop_assert_eq!(content(&store.database()), rebuilt(&store));
    }

    #[test]
    fn looking_at_what_was_touched_alone_equals_building_anew(steps in proptest::collection::vec(step(), 1..32)) {
        let mut store = Store::new(&[]);
        let mut index = Index::open(&store.database(), LIMIT).expect("opens");
        let mut touched: Vec<String> = Vec::new();
        for step in steps.into_iter().chain([Step::Refresh]) {
            match step {
                Step::Refresh => {
                    let changed_since = |state: u64| Some(touched[usize::try_from(state).expect("small")..].iter().cloned().collect());
                    let moment = Moment { state: touched.len() as u64, changed_since: &changed_since };
                    let files = store.sources();
                    // Nothing is told by the times of files that were just written.
                    let sources = Sources { observed_at: SystemTime::UNIX_EPOCH, moment: Some(moment), ..every(&files) };
                    index.refresh(&sources, &mut |_| {}).expect("refreshes");
                }
                // Another process writes the index.
                Step::TakeIn => store.take_in(&touched.last().cloned().into_iter().collect()),
                step => touched.push(store.step(step)),
            }
        }
        drop(index);
        prop_assert_eq!(content(&store.database()), rebuilt(&store));
    }

    #[test]
    fn what_is_taken_in_is_what_a_refresh_would_find(steps in proptest::collection::vec(step(), 1..24)) {
        let mut store = Store::new(&[]);
        for step in steps {
            let changed = store.step(step);
            store.take_in(&BTreeSet::from([changed]));
        }
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
    let (answer, _) =
        asked(&store.database(), &every(&listed), &Query { text: "六月".to_owned(), ..Query::default() })
            .expect("a good query");
    assert!(!answer.results.iter().any(|hit| hit.path == "notes/zh.md"));
}

#[test]
fn what_another_program_keeps_there_is_not_added_to() {
    let store = sample();
    let other = rusqlite::Connection::open(store.database()).expect("opens");
    other.execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)").expect("made");
    drop(other);
    let refreshed = store.ask(&Query::default()).1.expect("indexed");
    assert!(refreshed.notices.iter().any(|notice| notice.contains("built anew")), "{:?}", refreshed.notices);
    assert_eq!(refreshed.indexed, 8);
    assert_eq!(store.paths("会議"), ["notes/ja.md"]);
}
