//! Searching without an index: what is corrected is never shown as current, and days are understood as with one.

use super::*;

const LONG: &str = "The crew books the harbor early, orders new sails, paints the hull, hires a cook, invites the mayor and checks \
                    the weather every morning before anybody leaves the house.";

/// Corrections and episodes by their own labels.
fn by_place(path: &str) -> Label {
    if path == "CORRECTIONS.md" { by_correction(path) } else { label(path) }
}

fn grepped(store: &Store, text: &str) -> Vec<(String, &'static str)> {
    let files = store.sources();
    let sources = Sources { label: &by_place, ..every(&files) };
    let today = Some("2026-11-30".parse().expect("a date"));
    let query = Query { text: text.to_owned(), today, ..Query::default() };
    let answer = grep(&sources, &query, LIMIT).expect("a good query");
    answer.results.into_iter().map(|hit| (hit.path, hit.status)).collect()
}

#[test]
fn what_is_corrected_is_left_out_without_an_index_as_well() {
    for (wrong, right, question) in [
        ("The Atlas launch is in May", "The Atlas launch is in June", "Atlas launch"),
        ("Der Start von Atlas ist im Mai", "Der Start von Atlas ist im Juni", "Start von Atlas"),
        ("아틀라스 출시는 오월이다", "아틀라스 출시는 유월이다", "아틀라스 출시"),
        ("阿特拉斯项目五月上线", "阿特拉斯项目六月上线", "阿特拉斯项目上线"),
    ] {
        let correction = format!("## 2026-03-02\n- **Agent said:** {wrong}\n- **Correct:** {right}\n");
        let long = format!("{wrong}. {LONG}\n");
        let store = Store::new(&[
            ("CORRECTIONS.md", &correction),
            ("notes/launch.md", &format!("{wrong}.\n")),
            ("notes/right.md", &format!("{right}.\n")),
            ("notes/long.md", &long),
        ]);
        let found = grepped(&store, question);
        assert!(!found.iter().any(|(path, _)| path == "notes/launch.md"), "{found:?}");
        for expected in
            [("CORRECTIONS.md", "active"), ("notes/right.md", "active"), ("notes/long.md", "corrected")]
        {
            assert!(found.iter().any(|(path, status)| (path.as_str(), *status) == expected), "{found:?}");
        }
    }
}

#[test]
fn a_question_about_a_time_alone_is_answered_without_an_index_as_well() {
    let store = Store::new(&[
        ("episode/2026-11-29.md", "# 2026-11-29\n\n## 10:00 | event\nI painted the garden fence.\n"),
        ("episode/2026-11-24.md", "# 2026-11-24\n\n## 10:00 | event\nThe boiler broke.\n"),
        ("episode/2026-10-20.md", "# 2026-10-20\n\n## 10:00 | event\nWe did something last summer.\n"),
    ]);
    let paths =
        |text: &str| -> Vec<String> { grepped(&store, text).into_iter().map(|(path, _)| path).collect() };
    for text in [
        "What did we do last week?",
        "Was haben wir letzte Woche gemacht?",
        "지난주에 뭐 했어?",
        "上周做了什么",
    ] {
        assert_eq!(paths(text), ["episode/2026-11-29.md", "episode/2026-11-24.md"], "{text}");
    }
    for text in ["What did we do yesterday?", "昨天我们做了什么"] {
        assert_eq!(paths(text), ["episode/2026-11-29.md"], "{text}");
    }
    assert_eq!(paths("What happened on Tuesday?"), ["episode/2026-11-24.md"]);
    assert_eq!(paths("the boiler last week"), ["episode/2026-11-24.md"]);
}
