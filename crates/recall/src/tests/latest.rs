//! "What's the latest on …?": the newest first, in every language.

use super::*;

#[test]
fn the_newest_comes_first_where_the_latest_is_asked_for() {
    let store = Store::new(&[
        ("journal/2026-01-12.md", "The current Falcon budget is 10k.\n"),
        ("journal/2026-06-15.md", "The Falcon budget was raised, it is 20k from July on.\n"),
        ("journal/2026-11-10.md", "Falcon budget: 30k after the board meeting.\n"),
        ("journal/2026-11-28.md", "The Falcon budget is 45k now.\n"),
        ("journal/2026-11-29.md", "The budget of the summer party is small.\n"),
    ]);
    let today = Some("2026-11-30".parse().expect("a date"));
    for text in [
        "newest Falcon budget",
        "What's the latest on the Falcon budget?",
        "What is the current Falcon budget?",
        "What is the Falcon budget right now?",
        "Was ist der neueste Stand beim Falcon budget?",
        "Wie hoch ist das aktuelle Falcon budget?",
        "Falcon budget 최근 소식",
        "현재 Falcon budget",
        "最新的 Falcon budget",
        "目前的 Falcon budget",
    ] {
        let query = Query { text: text.to_owned(), today, ..Query::default() };
        let answer = store.ask(&query).0;
        assert_eq!(answer.strategy, Some("latest"), "{text}");
        let found: Vec<&str> =
            answer.results.iter().map(|hit| hit.path.trim_start_matches("journal/2026-")).collect();
        assert_eq!(
            found.get(..4),
            Some(&["11-28.md", "11-10.md", "06-15.md", "01-12.md"][..]),
            "{text}: {found:?}"
        );
        assert!(answer.results.is_sorted_by(|one, next| one.score >= next.score), "{text}");
        let names = |hit: &Hit| hit.explain.boosts.iter().any(|boost| boost.0 == "newest first");
        assert!(answer.results[..4].iter().all(names), "{text}");
        let query = Query { min_score: 0.0, ..query };
        let grepped = grep(&every(&store.sources()), &query, LIMIT).expect("a good query").results;
        assert_eq!(grepped[0].path, "journal/2026-11-28.md", "{text}");
    }
}
