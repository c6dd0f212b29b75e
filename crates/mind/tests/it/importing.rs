//! Sessions of other hosts, taken into the workspace: all of it, once.

use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use rem_format::document::Document;
use rem_format::transcript::{Transcript, Turn, file_session_id, parse_file_path, render_turn, utc_date};
use rem_mind::import::{Answer, Event, Format, detect, discover, import as read_sessions};
use rem_testkit::{Workspace, samples};
use serde_json::json;

use crate::support::{Claude, all_turns, import, put, transcript, transcripts, turns, user};

/// What an importer reads from a file, session by session.
fn sessions(from: &Path) -> Vec<(String, Vec<Turn>)> {
    let mut sessions: Vec<(String, Vec<Turn>)> = Vec::new();
    read_sessions(from, None, &mut |event| {
        match event {
            Event::Session(meta) => sessions.push((meta.source_id, Vec::new())),
            Event::Turn(turn) => sessions.last_mut().unwrap().1.push(turn.turn.normalized()),
            Event::End(_) | Event::Progress { .. } => {}
        }
        Answer::Continue
    })
    .unwrap();
    sessions
}

/// Every sample file that an importer knows.
fn sample_files() -> Vec<PathBuf> {
    let Some(samples) = samples() else { return Vec::new() };
    discover(&samples).unwrap().into_iter().map(|source| source.path).collect()
}

#[test]
fn every_sample_comes_in_once_and_as_it_was_read() {
    let files = sample_files();
    let workspace = Workspace::new();
    let mut formats = std::collections::BTreeSet::new();
    for file in &files {
        let outcome = import(workspace.memory(), file);
        assert_eq!(outcome.files, 1);
        formats.extend(detect(file));
        for (id, expected) in sessions(file) {
            let kept: Vec<Turn> = transcripts(&workspace)
                .iter()
                .filter(|path| parse_file_path(path.as_str()).unwrap().session == file_session_id(&id))
                .flat_map(|path| turns(&workspace, path))
                .collect();
            // The samples hold secrets on purpose; what is left of such a turn is the redactor's business.
            let is_clean = |turn: &Turn| !format!("{turn:?}").contains("[redacted:");
            assert!(kept.len() >= expected.len(), "{}: {id}", file.display());
            for turn in expected.iter().filter(|turn| is_clean(turn)) {
                let shown = kept.iter().any(|kept| kept == turn || !is_clean(kept) && kept.time == turn.time);
                assert!(shown, "{}: {id}: {turn:#?}", file.display());
            }
        }
    }
    assert!(files.is_empty() || formats.len() == 7, "{formats:?}");
    workspace.assert_well();

    let (before, head) = (workspace.files(), workspace.head());
    for file in &files {
        let again = import(workspace.memory(), file);
        assert_eq!(
            (again.turns_added, again.new_sessions, again.grown_sessions),
            (0, 0, 0),
            "{}",
            file.display()
        );
        assert!(again.transcripts.is_empty());
    }
    assert_eq!(workspace.head(), head, "no commit");
    assert_eq!(workspace.files(), before, "no byte");
    workspace.assert_well();
}

#[test]
fn a_folder_of_samples_comes_in_at_once() {
    let Some(samples) = samples() else { return };
    let workspace = Workspace::new();
    let outcome = import(workspace.memory(), &samples.join("agent-sessions"));
    assert!(outcome.new_sessions > 8, "{outcome:?}");
    assert_eq!(import(workspace.memory(), &samples.join("agent-sessions")).turns_added, 0);
    workspace.assert_well();
}

#[test]
fn an_imported_session_says_where_it_comes_from() {
    let workspace = Workspace::new();
    let mut session = Claude::new("0c0ffee0-0000-4000-8000-000000000001", "2026-02-01T10:00:00Z");
    session.user("How long does the kiln heat up?").says("m1", "Four hours, to 1,240 degrees.");
    let outcome = import(workspace.memory(), &session.put(&workspace, session.len()));
    assert_eq!((outcome.new_sessions, outcome.turns_added), (1, 2));
    let header = transcript(&workspace, &outcome.transcripts[0]).header;
    assert_eq!(header.session_id, "0c0ffee0-0000-4000-8000-000000000001");
    assert_eq!(header.source.as_deref(), Some("claude-code"));
    assert_eq!(header.source_id.as_deref(), Some("0c0ffee0-0000-4000-8000-000000000001"));
    assert_eq!(header.source_leaf.as_deref(), Some("r0001"));
    assert_eq!(header.model.as_deref(), Some("claude-test"));
    assert!(header.ended.is_some() && header.tokens_out > 0);
    let name = outcome.transcripts[0].file_name();
    assert!(name.ends_with("-how-long-does-the-kiln-heat-up.md"), "{name}");
    let commit = workspace.git(&["log", "-1", "--format=%B"]);
    assert!(commit.contains("Type: conversation"), "{commit}");
    workspace.assert_well();
}

#[test]
fn a_young_session_stays_open_and_is_closed_when_it_has_been_idle() {
    let workspace = Workspace::new();
    let mut session = Claude::new("young", "2026-03-01T08:00:00Z");
    session.user("Is anybody there?").says("m1", "Yes.");
    let outcome = import(workspace.memory(), &session.put(&workspace, session.len()));
    assert_eq!(workspace.memory().open_sessions().unwrap().len(), 1);
    assert_eq!(transcript(&workspace, &outcome.transcripts[0]).header.ended, None);
    workspace.advance(SignedDuration::from_hours(13));
    workspace.memory().catch_up();
    assert!(workspace.memory().open_sessions().unwrap().is_empty());
    let again = import(workspace.memory(), &session.put(&workspace, session.len()));
    assert_eq!((again.turns_added, again.unchanged_sessions), (0, 1));
    workspace.assert_well();
}

#[test]
fn a_session_may_be_captured_and_imported_at_once() {
    let workspace = std::sync::Arc::new(Workspace::new());
    let mut session = Claude::new("both", "2026-03-01T08:00:00Z");
    for number in 0..30 {
        session.user(&format!("imported {number}"));
    }
    let file = session.put(&workspace, session.len());
    let importer = {
        let workspace = workspace.clone();
        std::thread::spawn(move || import(&workspace.open(), &file).turns_added)
    };
    let memory = workspace.open();
    for number in 0..10 {
        memory.capture("both", &user("2026-03-01T08:30:00Z", &format!("captured {number}"))).unwrap();
    }
    assert_eq!(importer.join().unwrap(), 30);
    assert_eq!(transcripts(&workspace).len(), 1, "one session, one open transcript");
    assert_eq!(all_turns(&workspace).len(), 40);
    workspace.assert_well();
}

#[test]
fn a_session_that_takes_another_branch_adds_only_the_branch() {
    for (clock, is_closed) in [("2026-02-01T10:30:00Z", false), ("2026-03-01T09:00:00Z", true)] {
        let workspace = Workspace::at(clock);
        let mut session = Claude::new("branches", "2026-02-01T10:00:00Z");
        session.user("Plan a trip.").says("m1", "Where to?");
        let fork = session.next_id();
        session.user("To the north.").says("m2", "Then bring a coat.");
        import(workspace.memory(), &session.put(&workspace, session.len()));
        session.go_back_to("r0001");
        session.user("To the south, rather.").says("m3", "Then bring a hat.");
        assert_eq!(fork, "r0002");
        let outcome = import(workspace.memory(), &session.put(&workspace, session.len()));
        assert_eq!(outcome.turns_added, 2, "closed: {is_closed}");
        let texts: Vec<String> = all_turns(&workspace).iter().map(Turn::text).collect();
        assert_eq!(
            texts,
            [
                "Plan a trip.",
                "Where to?",
                "To the north.",
                "Then bring a coat.",
                "To the south, rather.",
                "Then bring a hat."
            ]
        );
        assert_eq!(transcripts(&workspace).len(), if is_closed { 2 } else { 1 });
        let again = import(workspace.memory(), &session.put(&workspace, session.len()));
        assert_eq!(again.turns_added, 0, "the branch is known now; closed: {is_closed}");
        session.user("Thanks.");
        let grown = import(workspace.memory(), &session.put(&workspace, session.len()));
        assert_eq!(grown.turns_added, 1, "closed: {is_closed}");
        workspace.assert_well();
    }
}

#[test]
fn other_rules_of_redaction_bring_nothing_again() {
    let mut workspace = Workspace::new();
    let mut session = Claude::new("rules", "2026-02-01T10:00:00Z");
    session.user("The project is PRJ-123456.").says("m1", "Noted.");
    import(workspace.memory(), &session.put(&workspace, session.len()));
    workspace.set("redaction.rules", "[{name: project-code, pattern: 'PRJ-[0-9]{6}'}]");
    assert_eq!(import(workspace.memory(), &session.put(&workspace, session.len())).turns_added, 0);
    session.user("And now?");
    assert_eq!(import(workspace.memory(), &session.put(&workspace, session.len())).turns_added, 1);
    workspace.assert_well();
}

#[test]
fn broken_records_are_counted_and_named_and_stop_nothing() {
    let workspace = Workspace::new();
    let mut session = Claude::new("broken", "2026-02-01T10:00:00Z");
    session.user("One.").says("m1", "Two.").user("Three.").says("m2", "Four.");
    let mut lines: Vec<String> = session.text().lines().map(str::to_owned).collect();
    lines.insert(2, "{\"type\": \"user\", \"message\":".to_owned());
    lines.insert(4, "\u{0}\u{0}\u{0}".to_owned());
    lines.push("{\"type\":\"assistant\",\"uuid\":\"cut-o".to_owned());
    let file = put(&workspace, "broken", lines.join("\n"));
    let outcome = import(workspace.memory(), &file);
    assert_eq!(outcome.turns_added, 4);
    assert_eq!(outcome.skipped_total, outcome.skipped.len() as u64);
    let places: Vec<&str> =
        outcome.skipped.iter().map(|(place, _)| place.rsplit(':').next().unwrap()).collect();
    assert!(places.contains(&"3") && places.contains(&"5"), "{:?}", outcome.skipped);
    workspace.assert_well();
}

#[test]
fn what_is_no_session_is_refused_and_leaves_nothing() {
    let workspace = Workspace::new();
    let (before, head) = (workspace.files(), workspace.head());
    let file = put(&workspace, "nothing", "{\"hello\": 1}\n");
    assert!(workspace.memory().import(&file, None, &mut |_, _| {}).is_err());
    assert!(workspace.memory().import(&workspace.outside().join("absent"), None, &mut |_, _| {}).is_err());
    assert_eq!((workspace.files(), workspace.head()), (before, head));
}

#[test]
fn a_session_too_long_for_memory_is_kept_like_a_short_one() {
    for (clock, is_closed) in [("2026-03-01T09:00:00Z", true), ("2026-02-01T10:00:00Z", false)] {
        let workspace = Workspace::at(clock);
        let mut session = Claude::new("long", "2026-02-01T09:00:00Z");
        let paragraph = "Wide rivers carry fine sand far out; ünïcödé and 한국어 too. ".repeat(400);
        for number in 0..110 {
            session.user(&format!("Question {number}: {paragraph}"));
            session.answer(
                &format!("m{number}"),
                json!({"type": "text", "text": format!("Answer {number}: {paragraph}")}),
            );
        }
        let file = session.put(&workspace, session.len());
        let outcome = import(workspace.memory(), &file);
        let path = &outcome.transcripts[0];
        let bytes = workspace.read(path.as_str()).unwrap();
        assert!(bytes.len() > 5 << 20, "longer than what is kept in memory: {}", bytes.len());

        // What it is when every turn is rendered in memory, one after the other.
        let expected = &sessions(&file)[0].1;
        let parsed = Transcript::parse(&bytes).unwrap();
        assert_eq!(parsed.header.ended.is_some(), is_closed);
        let mut date = utc_date(parsed.header.started);
        let mut body = format!("\n# {}\n", parsed.title);
        for turn in expected {
            body.push_str(&render_turn(turn, date));
            date = turn.date();
        }
        assert!(Document::parse(&bytes).body_text() == body, "the body differs");
        assert_eq!(import(workspace.memory(), &file).turns_added, 0);
        let folders = std::fs::read_dir(workspace.root().join(".rem")).unwrap();
        let staged = folders.flatten().filter(|entry| entry.file_name() == "staging");
        let left = staged.flat_map(|entry| std::fs::read_dir(entry.path()).unwrap()).count();
        assert_eq!(left, 0, "nothing is left in the staging folder");
        workspace.assert_well();
    }
}

#[test]
fn what_was_captured_as_it_was_said_is_known_by_the_hosts_clock() {
    let workspace = Workspace::at("2026-03-01T08:00:00Z");
    let mut session = Claude::new("host", "2026-03-01T08:00:30Z");
    // Captured before the host wrote it down, within two minutes of it.
    let captured = workspace.memory();
    captured.capture("host", &user("2026-03-01T07:59:59Z", "Is the mast up?")).unwrap();
    session.user("Is the mast up?").says("m1", "Since noon.");
    let take = || {
        let file = session.put(&workspace, session.len());
        captured.import_session(&file, Format::ClaudeCode, "host").unwrap()
    };
    assert_eq!(take().turns_added, 1, "the answer alone");
    assert_eq!(take().turns_added, 0);
    captured.capture("host", &user("2026-03-01T08:01:00Z", "Is the mast up?")).unwrap();
    let texts = || all_turns(&workspace).iter().map(Turn::text).collect::<Vec<_>>();
    assert_eq!(texts(), ["Is the mast up?", "Since noon.", "Is the mast up?"], "asked again, and kept again");
    session.user("Is the mast up?").says("m2", "It still is.");
    let file = session.put(&workspace, session.len());
    assert_eq!(captured.import_session(&file, Format::ClaudeCode, "host").unwrap().turns_added, 1);
    assert_eq!(texts()[3..], ["It still is."]);
    workspace.assert_well();
}

#[test]
fn a_hosts_file_belongs_to_the_session_that_the_host_names() {
    let workspace = Workspace::new();
    let mut session = Claude::new("older-name", "2026-03-01T08:00:30Z");
    session.user("Is the mast up?").says("m1", "Since noon.");
    let file = session.put(&workspace, session.len());
    let outcome = workspace.memory().import_session(&file, Format::ClaudeCode, "newer-name").unwrap();
    assert_eq!(transcript(&workspace, &outcome.transcripts[0]).header.session_id, "newer-name");
}

#[test]
fn two_hooks_that_take_in_one_session_at_once_take_it_in_once() {
    let workspace = std::sync::Arc::new(Workspace::new());
    let mut session = Claude::new("both", "2026-03-01T08:00:00Z");
    for number in 0..30 {
        session.user(&format!("said {number}"));
    }
    let file = session.put(&workspace, session.len());
    let hooks: Vec<_> = (0..4)
        .map(|_| {
            let (workspace, file) = (workspace.clone(), file.clone());
            std::thread::spawn(move || {
                workspace.open().import_session(&file, Format::ClaudeCode, "both").unwrap().turns_added
            })
        })
        .collect();
    assert_eq!(hooks.into_iter().map(|hook| hook.join().unwrap()).sum::<u64>(), 30);
    assert_eq!((transcripts(&workspace).len(), all_turns(&workspace).len()), (1, 30));
    workspace.assert_well();
}
