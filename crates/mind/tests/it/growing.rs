//! A host's file that grows and is imported as it grows: in the end it is as if it had been imported once.

use proptest::prelude::*;
use rem_format::transcript::{Turn, TurnPart};
use rem_testkit::{Workspace, samples};

use crate::support::{Claude, all_turns, import, put};

/// Turns that are kept in pieces, because a transcript only ever grows, put together again: a piece goes on where the
/// same speaker of the same minute stopped, and a call that was kept without its result is the one kept with it.
fn whole(turns: &[Turn]) -> Vec<Turn> {
    let mut whole: Vec<Turn> = Vec::new();
    for turn in turns {
        match whole.last_mut() {
            Some(last) if last.role == turn.role && last.kind == turn.kind && last.time == turn.time => {
                for part in &turn.body {
                    if let TurnPart::Tool { name, summary, result } = part
                        && !result.is_empty()
                        && let Some(open) = last.body.iter_mut().find(|part| {
                            matches!(part, TurnPart::Tool { name: n, summary: s, result: r }
                                if n == name && s == summary && r.is_empty())
                        })
                    {
                        *open = part.clone();
                        continue;
                    }
                    last.body.push(part.clone());
                }
                *last = last.normalized();
            }
            _ => whole.push(turn.clone()),
        }
    }
    whole
}

/// Everything said, part by part, without regard to how it is divided into turns.
fn parts(turns: &[Turn]) -> Vec<String> {
    whole(turns).iter().flat_map(|turn| turn.body.iter().map(|part| format!("{part:?}"))).collect()
}

/// A session with everything that makes a turn grow: several blocks of one answer, calls whose results come later,
/// two calls at once, the same words twice.
fn conversation() -> Claude {
    let mut session = Claude::new("growing", "2026-02-01T23:57:00Z");
    session.user("Please look at the logs.");
    session.says("m1", "I will look.");
    session.calls("m1", "c1", "ls logs");
    session.result("c1", "a.log b.log");
    session.calls("m2", "c2", "cat a.log");
    session.calls("m2", "c3", "cat b.log");
    session.result("c3", "all quiet");
    session.result("c2", "disk full at 03:12");
    session.says("m3", "The disk was full.");
    session.says("m3", "    df -h\n\nshows it.");
    session.user("Again, please.");
    session.calls("m4", "c4", "ls logs");
    session.result("c4", "a.log b.log");
    session.calls("m4", "c5", "ls logs");
    session.result("c5", "a.log b.log");
    session.says("m5", "Again, please.");
    session.user("Again, please.");
    session.user("## 00:00 — user");
    session.says("m6", "Done.");
    session.says("m6", "Done.");
    session
}

/// The clock shortly after the session, when it stays open, and long after, when each import closes a part.
const CLOCKS: [&str; 2] = ["2026-02-02T00:10:00Z", "2026-03-01T09:00:00Z"];

fn imported_at_once(session: &Claude, clock: &str) -> Vec<Turn> {
    let workspace = Workspace::at(clock);
    import(workspace.memory(), &session.put(&workspace, session.len()));
    all_turns(&workspace)
}

#[test]
fn imported_after_every_record_it_is_the_same_as_imported_once() {
    let session = conversation();
    for clock in CLOCKS {
        let expected = parts(&imported_at_once(&session, clock));
        let workspace = Workspace::at(clock);
        for records in 1..=session.len() {
            let file = session.put(&workspace, records);
            // A file without a turn yet is no session yet.
            let _ = workspace.memory().import(&file, None, &mut |_, _| {});
            let before = workspace.files();
            let again = workspace.memory().import(&file, None, &mut |_, _| {});
            assert_eq!(again.map_or(0, |outcome| outcome.turns_added), 0, "{clock}, {records} records");
            assert!(workspace.files() == before, "{clock}, {records} records: imported again");
        }
        assert_eq!(parts(&all_turns(&workspace)), expected, "{clock}");
        workspace.assert_well();
    }
}

#[test]
fn cut_once_at_any_record_it_is_the_same_as_imported_once() {
    let session = conversation();
    for clock in CLOCKS {
        let expected = parts(&imported_at_once(&session, clock));
        for records in 1..session.len() {
            let workspace = Workspace::at(clock);
            for length in [records, session.len()] {
                let file = session.put(&workspace, length);
                let _ = workspace.memory().import(&file, None, &mut |_, _| {});
            }
            assert_eq!(parts(&all_turns(&workspace)), expected, "{clock}, cut after {records} records");
        }
    }
}

#[test]
fn a_file_cut_in_the_middle_of_a_record_loses_nothing_either() {
    let session = conversation();
    let text = session.text();
    for clock in CLOCKS {
        let expected = parts(&imported_at_once(&session, clock));
        let workspace = Workspace::at(clock);
        for step in 1..=12 {
            let mut end = text.len() * step / 12;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let file = put(&workspace, "growing", &text[..end]);
            let _ = workspace.memory().import(&file, None, &mut |_, _| {});
        }
        assert_eq!(parts(&all_turns(&workspace)), expected, "{clock}");
        workspace.assert_well();
    }
}

#[test]
fn a_session_that_is_closed_between_two_imports_goes_on_in_its_next_part() {
    let session = conversation();
    let expected = parts(&imported_at_once(&session, CLOCKS[0]));
    for records in 1..session.len() {
        let workspace = Workspace::at(CLOCKS[0]);
        let _ = workspace.memory().import(&session.put(&workspace, records), None, &mut |_, _| {});
        workspace.advance(jiff::SignedDuration::from_hours(13));
        workspace.memory().catch_up();
        import(workspace.memory(), &session.put(&workspace, session.len()));
        assert_eq!(parts(&all_turns(&workspace)), expected, "cut after {records} records");
        assert_eq!(import(workspace.memory(), &session.put(&workspace, session.len())).turns_added, 0);
    }
}

#[test]
fn samples_grow_record_by_record_without_saying_anything_twice() {
    let Some(samples) = samples() else { return };
    for name in ["claude/small.jsonl", "claude/large.jsonl", "claude/schema_drift.jsonl"] {
        let text = std::fs::read_to_string(samples.join("agent-sessions").join(name)).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for clock in ["2025-12-16T00:10:00Z", "2026-03-01T09:00:00Z"] {
            let workspace = Workspace::at(clock);
            for length in 1..=lines.len() {
                let file = put(&workspace, "sample", lines[..length].concat());
                let _ = workspace.memory().import(&file, None, &mut |_, _| {});
            }
            let file = put(&workspace, "sample", &text);
            assert_eq!(import(workspace.memory(), &file).turns_added, 0, "{name} at {clock}");
            workspace.assert_well();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn whatever_the_steps_the_end_is_the_same(
        mut steps in proptest::collection::btree_set(1..20_usize, 0..5),
        clock in proptest::sample::select(CLOCKS.to_vec()),
    ) {
        let session = conversation();
        steps.insert(session.len());
        let workspace = Workspace::at(clock);
        for length in steps {
            let file = session.put(&workspace, length);
            let _ = workspace.memory().import(&file, None, &mut |_, _| {});
        }
        prop_assert_eq!(parts(&all_turns(&workspace)), parts(&imported_at_once(&session, clock)));
    }
}
