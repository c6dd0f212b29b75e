//! Old days go into archives: whole, once, and so that each can be had back.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use rem_format::archive;
use rem_format::config::Granularity;
use rem_ledger::fault::APPLY_POINTS;
use rem_mind::lifecycle::compact::{CompactOutcome, CompactRequest};
use rem_mind::recall::Query;
use rem_testkit::{Workspace, machine_time};

use crate::support::{self, DONE, in_a_process, in_both_layouts, path, placed};

const APPLY: CompactRequest = CompactRequest { days: None, granularity: None, apply: true, remove: false };
const REMOVE: CompactRequest = CompactRequest { remove: true, ..APPLY };
const LOG: &str = "COMPACTION_LOG.md";

fn compact(workspace: &Workspace, request: CompactRequest) -> CompactOutcome {
    workspace.memory().compact(&request, machine_time()).unwrap()
}

fn reasons(outcome: &CompactOutcome) -> Vec<(&str, &str)> {
    outcome.kept.iter().map(|kept| (kept.path.as_str(), kept.why.as_str())).collect()
}

/// A day's note, in the language and with the line ends that its number gives it, and the sentences in it.
fn note(day: Date, number: usize) -> (Vec<u8>, Vec<String>) {
    let said = match number % 4 {
        0 => [format!("On {day} the harbour froze over {number} times."), "Nobody went out.".to_owned()],
        1 => [format!("Am {day} fror der Hafen {number}-mal zu."), "Größe: überall Eis.".to_owned()],
        2 => [format!("{day}에 항구가 {number}번 얼었다."), "아무도 나가지 않았다.".to_owned()],
        _ => [format!("{day}港口结冰{number}次。"), "没有人出去。".to_owned()],
    };
    let end = if number.is_multiple_of(3) { "\r\n" } else { "\n" };
    let mut text = format!("# {day}{end}{end}{}{end}{end}## Later{end}- {}", said[0], said[1]).into_bytes();
    match number % 7 {
        0 => text.extend_from_slice(b"\n\xff\xfe odd \x00 bytes\n"),
        1 => text.extend_from_slice(b"\n```\nnever closed\n"),
        2 => text.extend_from_slice("\n\u{2028}<!-- never closed".as_bytes()),
        3 => text.extend_from_slice(b"\n<!-- source:memory/2020-01-01.md | bytes:5 -->\n\n## 2020-01-01\n"),
        _ => {}
    }
    if !number.is_multiple_of(5) {
        text.extend_from_slice(end.as_bytes());
    }
    (text, said.into())
}

#[test]
fn five_years_of_days_go_into_archives_and_not_one_sentence_is_lost() {
    let workspace = Workspace::new();
    let mut notes: BTreeMap<String, (Vec<u8>, Vec<String>)> = BTreeMap::new();
    let mut day = date(2021, 1, 1);
    while day < date(2026, 1, 1) {
        let number = notes.len();
        let name =
            if number % 50 == 7 { format!("memory/{day}-회의.md") } else { format!("memory/{day}.md") };
        notes.insert(name, note(day, number));
        day = day.checked_add(1.day()).unwrap();
    }
    notes.iter().for_each(|(path, (bytes, _))| workspace.write(path, bytes));
    workspace.memory().catch_up();
    let young = "memory/2026-02-01.md";
    workspace.write(young, "# young\n");

    let pages = |files: BTreeMap<String, Vec<u8>>| -> BTreeMap<String, Vec<u8>> {
        files.into_iter().filter(|(path, _)| path.ends_with(".md")).collect()
    };
    let before = pages(workspace.files());
    let preview = compact(&workspace, CompactRequest { apply: false, ..REMOVE });
    assert_eq!(
        (preview.applied, preview.change.as_str(), pages(workspace.files()) == before),
        (false, "", true)
    );
    let last = date(2026, 3, 1).checked_sub(30.days()).unwrap();
    let is_old = |path: &str| path["memory/".len()..][..10].parse::<Date>().unwrap() < last;
    let old = notes.keys().filter(|path| is_old(path)).count();
    assert_eq!(preview.archives.iter().map(|archive| archive.files.len()).sum::<usize>(), old);

    let outcome = compact(&workspace, REMOVE);
    assert!(outcome.removed && outcome.kept.is_empty(), "{:?}", outcome.kept);
    assert_eq!(outcome.archives.len(), 60, "January 2021 to December 2025");
    let after = workspace.files();
    for (path, (bytes, sentences)) in &notes {
        if !is_old(path) {
            assert_eq!(after.get(path), Some(bytes), "{path} is not old enough");
            continue;
        }
        assert!(!after.contains_key(path), "{path} is still there");
        let archive = &after[&format!("memory/archive/{}.md", &path["memory/".len()..][..7])];
        assert!(archive::holds(archive, path, bytes), "{path} is not in its archive");
        let archive = String::from_utf8_lossy(archive);
        for sentence in sentences {
            assert!(archive.contains(sentence.as_str()), "{path}: {sentence}");
        }
    }
    assert!(after.contains_key(young));
    workspace.assert_well();

    // Each comes back by the command that the log gives.
    let log = workspace.text(LOG);
    let mut commands = 0;
    for line in log.lines().filter(|line| line.starts_with("- ")) {
        let command = line.split('`').nth(1).unwrap().strip_prefix("rem rollback file ").unwrap();
        let (file, commit) = command.split_once(" --to ").unwrap();
        let contents = workspace.memory().ledger().contents_at(commit, &path(file)).unwrap();
        assert_eq!(contents.as_ref(), Some(&notes[file].0), "{line}");
        commands += 1;
    }
    assert_eq!(commands, old);
    assert!(log.contains("- memory/2021-01-01.md → memory/archive/2021-01.md | "), "{}", &log[..400]);
    let provenance = rem_ledger::Provenance::manual("test");
    let (file, commit) =
        ("memory/2021-01-01.md", log.split(" --to ").nth(1).unwrap().split('`').next().unwrap());
    workspace.memory().ledger().rollback_file(&path(file), commit, &provenance).unwrap();
    assert_eq!(workspace.read(file).as_ref(), Some(&notes[file].0));

    // What came back goes again, and into no archive a second time.
    let archive = workspace.read("memory/archive/2021-01.md");
    let again = compact(&workspace, CompactRequest { granularity: Some(Granularity::Quarter), ..REMOVE });
    assert_eq!(again.archives.len(), 1);
    assert!(again.archives[0].files[0].was_archived);
    assert_eq!(workspace.read("memory/archive/2021-01.md"), archive);
    assert_eq!(workspace.read(file), None);
    workspace.assert_well();

    // Search finds it, and knows the day.
    for (question, day) in [("harbour froze 1008 times", "2023-10-06"), ("Hafen fror 1009-mal", "2023-10-07")]
    {
        for since in [None, Some(date(2023, 10, 1))] {
            let query = Query {
                since,
                until: since.map(|_| date(2023, 10, 31)),
                ..workspace.memory().query(question)
            };
            let answer = workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap();
            let best = &answer.results[0];
            assert_eq!(
                (best.path.as_str(), best.date.as_deref()),
                ("memory/archive/2023-10.md", Some(day)),
                "{question}"
            );
        }
    }
}

#[test]
fn what_is_archived_already_is_added_to_and_never_written_over() {
    let mut workspace = Workspace::new();
    workspace.set("compaction.granularity", "quarter");
    let other = "<!-- source: 2025-01-02.md -->\n\nfrom another program\n";
    workspace.write("memory/archive/2025-Q1.md", other);
    workspace.write("memory/2025-01-03.md", "one\n");
    let first = compact(&workspace, APPLY);
    assert!(!first.removed && workspace.read("memory/2025-01-03.md").is_some());
    let archived = workspace.text("memory/archive/2025-Q1.md");
    assert!(archived.starts_with(other) && archived.ends_with("\n\none\n"), "{archived}");
    assert!(!workspace.text(LOG).contains("2025-01-03"), "nothing was taken away");
    let commits = workspace.git(&["rev-list", "--count", "HEAD"]);
    assert_eq!(compact(&workspace, APPLY).change, "");
    assert_eq!(workspace.git(&["rev-list", "--count", "HEAD"]), commits, "twice is once");
    // It was changed since: both are kept.
    workspace.write("memory/2025-01-03.md", "one\nand more\n");
    workspace.write("memory/2025-02-01.md", "two\n");
    compact(&workspace, REMOVE);
    let grown = workspace.text("memory/archive/2025-Q1.md");
    assert!(grown.starts_with(&archived) && grown.contains("one\nand more\n") && grown.contains("two\n"));
    assert_eq!(workspace.read("memory/2025-01-03.md"), None);
    workspace.assert_well();
}

#[test]
fn what_must_stay_stays_and_is_named() {
    let workspace = Workspace::new();
    let kept = [
        ("memory/2025-01-01.md", "- no, Wednesday #correction\n", "it holds a correction"),
        ("memory/2025-01-02.md", "---\npinned: true\n---\nalways\n", "something in it is pinned"),
        ("memory/2025-01-03.md", "---\nfor: Mira\n---\nsecret\n", "something in it is for some people alone"),
    ];
    kept.iter().for_each(|(path, text, _)| workspace.write(path, text));
    let silent = [
        "memory/roadmap.md",
        "memory/episodes/2025-01-01.md",
        "memory/2026-02-20.md",
        "memory/people/2025-01-01.md",
    ];
    silent.iter().for_each(|path| workspace.write(path, "# P\n"));
    let outcome = compact(&workspace, REMOVE);
    assert_eq!(reasons(&outcome), kept.map(|(path, _, why)| (path, why)));
    assert_eq!((outcome.archives.len(), outcome.change.as_str()), (0, ""));
    assert!(kept.iter().all(|(path, text, _)| workspace.text(path) == *text));
    assert!(silent.iter().all(|path| workspace.read(path).is_some()));
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_left_alone_and_the_others_go() {
    let workspace = Workspace::new();
    workspace.write("memory/2025-01-01.md", "readable\n");
    workspace.memory().catch_up();
    // Not to be read by anybody, whoever runs the tests: it leads out of the workspace, or nowhere.
    workspace.write("../secret.md", "outside\n");
    let at = |name: &str| workspace.root().join("memory").join(name);
    std::os::unix::fs::symlink(workspace.outside().join("secret.md"), at("2025-01-02.md")).unwrap();
    std::os::unix::fs::symlink("nowhere.md", at("2025-01-03.md")).unwrap();
    // git never saw it: it could not be had back.
    workspace.write(".gitignore", format!("{}memory/2025-01-04.md\n", workspace.text(".gitignore")));
    workspace.write("memory/2025-01-04.md", "ignored\n");
    let outcome = compact(&workspace, REMOVE);
    let named: Vec<&str> = outcome.kept.iter().map(|kept| kept.path.as_str()).collect();
    assert_eq!(named, ["memory/2025-01-02.md", "memory/2025-01-03.md", "memory/2025-01-04.md"]);
    assert!(at("2025-01-02.md").is_symlink() && at("2025-01-03.md").is_symlink());
    assert_eq!(workspace.text("memory/2025-01-04.md"), "ignored\n");
    assert_eq!(workspace.read("memory/2025-01-01.md"), None);
    assert!(!workspace.text("memory/archive/2025-01.md").contains("outside"));
}

#[test]
fn links_lead_to_the_archive_and_what_is_archived_is_as_it_was() {
    for workspace in in_both_layouts() {
        let [one, two, plan] = ["memory/2025-01-01.md", "memory/2025-01-02.md", "memory/projects/plan.md"]
            .map(|at| placed(&workspace, at));
        workspace.write(&one, "# D\n\n## Talk\nsee [[2025-01-02]]\n");
        workspace.write(&two, "# E\n");
        workspace.write(&plan, format!("# Plan\n\n[[2025-01-01]] [[2025-01-01#Talk|x]] [[{}]]\n", &two));
        workspace.memory().catch_up();
        let outcome = compact(&workspace, REMOVE);
        assert_eq!(outcome.rewritten, BTreeMap::from([(plan.clone(), 3)]));
        let archive = outcome.archives[0].path.clone();
        let name = "2025-01";
        assert_eq!(workspace.text(&plan), format!("# Plan\n\n[[{name}]] [[{name}#Talk|x]] [[{archive}]]\n"));
        assert!(workspace.text(archive.as_str()).contains("see [[2025-01-02]]\n"));
        workspace.assert_well();
    }
}

#[test]
fn victim() {
    support::victim(|memory, _| memory.compact(&REMOVE, machine_time()).is_ok());
}

#[test]
fn killed_at_any_step_the_days_are_where_they_were_or_in_their_archive() {
    let days: Vec<String> = (1..=3).map(|day| format!("memory/2025-01-0{day}.md")).collect();
    let (mut stayed, mut went) = (0, 0);
    for point in APPLY_POINTS {
        for nth in 1..=4 {
            let workspace = Workspace::new();
            days.iter().for_each(|day| workspace.write(day, format!("# {day}\r\nsaid on {day}")));
            workspace.memory().catch_up();
            let before = workspace.files();
            match in_a_process("compacting::victim", &workspace, point, nth, "abort") {
                Some(DONE) => break,
                code => assert_eq!(code, None, "{point} #{nth} did not kill"),
            }
            workspace.memory().ledger().recover().unwrap();
            let archive = workspace.read("memory/archive/2025-01.md");
            let is_in = |day: &String| {
                archive.as_ref().is_some_and(|archive| archive::holds(archive, day, &before[day]))
            };
            let there = days.iter().filter(|day| workspace.read(day) == before.get(*day).cloned()).count();
            let archived = days.iter().filter(|day| is_in(day)).count();
            let logged = days.iter().filter(|day| workspace.text(LOG).contains(day.as_str())).count();
            match (there, archived, logged) {
                (3, 0, 0) => stayed += 1,
                (0, 3, 3) => went += 1,
                other => panic!("{point} #{nth}: {other:?}"),
            }
            workspace.assert_well();
        }
    }
    assert!(stayed >= 3 && went > 10, "{stayed} {went}");
}

#[test]
fn a_full_disk_leaves_everything_where_it_was() {
    let workspace = Workspace::new();
    workspace.write("memory/2025-01-01.md", "one\n");
    workspace.memory().catch_up();
    for point in ["apply.edited", "redo.append", "redo.written"] {
        assert_eq!(in_a_process("compacting::victim", &workspace, point, 1, "full"), Some(8), "{point}");
        assert_eq!(workspace.text("memory/2025-01-01.md"), "one\n");
        assert_eq!(workspace.read("memory/archive/2025-01.md"), None, "{point}");
    }
    compact(&workspace, REMOVE);
    assert_eq!(workspace.read("memory/2025-01-01.md"), None);
}

#[test]
fn plain_links_to_what_goes_into_an_archive_lead_there() {
    let workspace = Workspace::new();
    workspace.write("memory/2024-01-02.md", "# 2024-01-02\n\n- The mast broke.\n");
    workspace.write(
        "memory/reference/mast.md",
        "# Mast\n\n[that day](../2024-01-02.md#x), [[2024-01-02]], [web](https://a.example/2024-01-02.md)\n",
    );
    workspace.write("memory/plan.md", "# Plan\n\n- [d](2024-01-02.md) [e](./2024-01-02.md \"t\") `[c](2024-01-02.md)` [r](memory/2024-01-02.md)\n");
    workspace.memory().catch_up();
    let outcome = compact(&workspace, REMOVE);
    assert_eq!(outcome.rewritten.get("memory/plan.md"), Some(&3), "{:?}", outcome.rewritten);
    assert!(workspace.read("memory/2024-01-02.md").is_none());
    assert_eq!(
        workspace.text("memory/reference/mast.md"),
        "# Mast\n\n[that day](../archive/2024-01.md#x), [[2024-01]], [web](https://a.example/2024-01-02.md)\n"
    );
    assert_eq!(
        workspace.text("memory/plan.md"),
        "# Plan\n\n- [d](archive/2024-01.md) [e](archive/2024-01.md \"t\") `[c](2024-01-02.md)` [r](memory/archive/2024-01.md)\n"
    );
    workspace.assert_well();
}
