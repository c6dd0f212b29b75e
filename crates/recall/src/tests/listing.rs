//! What is remembered of all files but some never makes the index say what a file no longer says.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rusqlite::Connection;

use super::{Store, every};
use crate::index::Index;
use crate::listing::Remembered;
use crate::source::Sources;

/// The paths that stand apart; nothing where nothing is remembered.
fn apart(store: &Store) -> Option<BTreeSet<String>> {
    let connection = Connection::open(store.database()).expect("opens");
    Remembered::read(&connection).expect("reads").map(|all| all.apart)
}

#[test]
fn a_file_that_changes_again_is_the_only_one_that_is_looked_at() {
    let mut store = Store::new(&[("notes/a.md", "the walrus\n"), ("notes/b.md", "the heron\n")]);
    store.paths("walrus");
    let all: BTreeSet<String> = ["notes/a.md", "notes/b.md"].map(str::to_owned).into();
    assert_eq!(apart(&store), Some(all));
    for (number, word) in ["otter", "badger", "osprey"].into_iter().enumerate() {
        store.write("notes/b.md", format!("the {word}\n").as_bytes());
        assert_eq!(store.paths(word).first().map(String::as_str), Some("notes/b.md"));
        assert!(apart(&store).is_some_and(|apart| apart.contains("notes/b.md")));
        // A file that came is one that nothing was known of.
        let (path, bird) = (format!("notes/new{number}.md"), ["puffin", "plover", "curlew"][number]);
        store.write(&path, format!("the {bird}\n").as_bytes());
        assert_eq!(store.paths(bird).first(), Some(&path));
    }
    // A program that writes what it changed itself forgets what was known, if that is not apart.
    store.write("notes/a.md", b"the lynx\n");
    store.take_in(&["notes/a.md".to_owned()].into());
    assert_eq!(apart(&store), None);
    assert_eq!(store.paths("lynx").first().map(String::as_str), Some("notes/a.md"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn whatever_changes_the_index_says_what_the_files_say(
        steps in prop::collection::vec((0..6_usize, 0..4_usize, any::<bool>(), any::<bool>()), 1..14),
    ) {
        let mut store = Store::new(&[("notes/first.md", "the walrus\n")]);
        for (number, (file, what, is_young, is_taken_in)) in steps.into_iter().enumerate() {
            let path = format!("notes/{file}.md");
            match what {
                0 => store.remove(&path),
                _ => store.write(&path, format!("the number {number} of {file}\n").as_bytes()),
            }
            if is_taken_in {
                store.take_in(&[path].into());
                continue;
            }
            // Young files are looked at again, whatever their times say.
            let files = store.sources();
            let observed_at = if is_young { std::time::SystemTime::UNIX_EPOCH } else { super::now() };
            let mut index = Index::open(&store.database(), super::LIMIT).expect("opens");
            index.refresh(&Sources { observed_at, ..every(&files) }, &mut |_| {}).expect("refreshed");
            let connection = Connection::open(store.database()).expect("opens");
            let mut statement = connection.prepare("SELECT path, hash FROM files ORDER BY path").expect("prepared");
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("asked");
            let said: Vec<(String, Vec<u8>)> = rows.collect::<Result<_, _>>().expect("read");
            let there: Vec<(String, Vec<u8>)> = store
                .files
                .iter()
                .map(|(path, text)| (path.clone(), blake3::hash(text).as_bytes().to_vec()))
                .collect();
            prop_assert_eq!(said, there);
        }
    }
}
