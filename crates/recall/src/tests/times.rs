//! Questions about a time: what happened then answers them, and the words that name the time are not looked for.

use super::*;

fn asked_on(store: &Store, text: &str, today: &str) -> Vec<String> {
    let today = Some(today.parse().expect("a date"));
    let query = Query { text: text.to_owned(), today, ..Query::default() };
    let mut paths: Vec<String> = store.ask(&query).0.results.into_iter().map(|hit| hit.path).collect();
    paths.dedup();
    paths
}

fn diary() -> Store {
    Store::new(&[
        ("episode/2026-11-29.md", "# 2026-11-29\n\n## 10:00 | event\nI painted the garden fence.\n"),
        ("episode/2026-11-24.md", "# 2026-11-24\n\n## 10:00 | event\nThe boiler broke.\n"),
        (
            "episode/2026-10-20.md",
            "# 2026-10-20\n\n## 10:00 | event\nWe did discuss what to do about the roof.\n",
        ),
        (
            "conversation/2026-11-29.md",
            "# Talk\n\n## 09:00 — user\nThe ferry leaves at noon.\n\n## 09:01 — agent\nNoted.\n",
        ),
        ("note/fence.md", "What was the yesterday of fences? 어제 뭐 했지 昨天做了什么\n"),
    ])
}

#[test]
fn a_question_about_a_time_alone_is_answered_by_what_happened_then() {
    let store = diary();
    for text in [
        "What did we do yesterday?",
        "what happened yesterday",
        "What did we talk about on 2026-11-29?",
        "Was war gestern?",
        "Was haben wir gestern gemacht?",
        "어제 뭐 했지?",
        "昨天做了什么?",
        "昨日何をしましたか",
        "What happened on November 29?",
    ] {
        let found = asked_on(&store, text, "2026-11-30");
        assert_eq!(found, ["episode/2026-11-29.md", "conversation/2026-11-29.md"], "{text}");
    }
    for text in ["What happened last week?", "Was war letzte Woche?", "지난주에 무슨 일이 있었어?"]
    {
        let found = asked_on(&store, text, "2026-11-30");
        assert_eq!(found[..2], ["episode/2026-11-29.md", "episode/2026-11-24.md"], "{text}");
        assert_eq!(found.len(), 3, "{text}");
    }
    // Nothing happened then, and that is the answer.
    for text in ["What did we do yesterday?", "어제 뭐 했지?", "昨天做了什么?"] {
        assert!(asked_on(&store, text, "2026-10-20").is_empty(), "{text}");
    }
    // What is named is looked for.
    assert_eq!(asked_on(&store, "Did the boiler break last week?", "2026-11-30")[0], "episode/2026-11-24.md");
    assert_eq!(asked_on(&store, "the roof yesterday", "2026-11-30")[0], "episode/2026-10-20.md");
    assert!(asked_on(&store, "zeppelin yesterday", "2026-11-30").is_empty());
    // Without a day of today nothing is understood.
    assert!(!store.paths("What did we do yesterday?").is_empty());
}

#[test]
fn a_day_of_the_week_is_answered_by_what_happened_then() {
    let store = Store::new(&[
        ("episode/2026-11-24.md", "# 2026-11-24\n\n## 10:00 | event\nWe visited the dentist in Graz.\n"),
        ("episode/2026-11-28.md", "# 2026-11-28\n\n## 10:00 | event\nThe ferry was late.\n"),
        ("episode/2026-11-26.md", "# 2026-11-26\n\n## 10:00 | event\nLast time we spoke of Friday.\n"),
    ]);
    for text in [
        "What happened last Tuesday?",
        "What happened on Tuesday?",
        "What did we do on Tuesday last week?",
        "Was haben wir letzten Dienstag gemacht?",
        "Was haben wir letzte Woche am Dienstag gemacht?",
        "지난 화요일에 뭐 했어?",
        "화요일에 뭐 했어?",
        "지난주 화요일에 뭐 했어?",
        "星期二做了什么?",
        "上周二我们做了什么?",
    ] {
        assert_eq!(asked_on(&store, text, "2026-11-30")[0], "episode/2026-11-24.md", "{text}");
    }
    // A day that is counted from today is not looked for by its name.
    for text in
        ["What happened last Tuesday?", "Was haben wir letzten Dienstag gemacht?", "上周二我们做了什么?"]
    {
        assert_eq!(asked_on(&store, text, "2026-11-30"), ["episode/2026-11-24.md"], "{text}");
    }
    for text in
        ["What did we do on the weekend?", "Was war am Wochenende?", "주말에 뭐 했어?", "周末做了什么?"]
    {
        assert_eq!(asked_on(&store, text, "2026-11-30")[0], "episode/2026-11-28.md", "{text}");
    }
    for text in ["what did we do last friday?", "Was haben wir letzten Freitag gemacht?", "上周五做了什么"]
    {
        assert!(asked_on(&store, text, "2026-11-30").is_empty(), "{text}");
    }
}

#[test]
fn days_that_are_filtered_by_are_asked_for_where_nothing_else_is() {
    let store = diary();
    let day = |text: &str| Some(text.parse().expect("a date"));
    for text in ["What did we do?", "What did we do yesterday?", "뭐 했지"] {
        let query = Query {
            text: text.to_owned(),
            today: day("2026-11-30"),
            since: day("2026-11-29"),
            until: day("2026-11-29"),
            ..Query::default()
        };
        let found: Vec<String> = store.ask(&query).0.results.into_iter().map(|hit| hit.path).collect();
        assert_eq!(found[0], "episode/2026-11-29.md", "{text}");
    }
}

#[test]
fn what_names_a_day_is_not_looked_for_after_it() {
    let store = Store::new(&[
        ("journal/2025-10-05.md", "Meeting of 2025-10-05: ten chairs.\n"),
        ("journal/2025-10-20.md", "Meeting about the chairs.\n"),
        ("journal/2025-09-01.md", "Meeting about 7 tables, last week.\n"),
    ]);
    for text in [
        "meeting after 2025-10-05",
        "meeting in the last 7 days",
        "meeting nach dem 05.10.2025",
        "meeting last week",
    ] {
        assert_eq!(asked_on(&store, text, "2025-10-27")[0], "journal/2025-10-20.md", "{text}");
    }
    assert_eq!(asked_on(&store, "meeting on 2025-10-05", "2025-10-27")[0], "journal/2025-10-05.md");
    // A note without a day of its own is found by the words for it.
    let store = Store::new(&[("note/move.md", "In October 2025 we moved to Hamburg.\n")]);
    assert_eq!(asked_on(&store, "What happened in October 2025?", "2026-01-01"), ["note/move.md"]);
}
