//! The rules that hosts' samples do not show, on files written here.

use proptest::prelude::*;

use super::*;

fn claude(kind: &str, uuid: &str, parent: &str, message: &str, more: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        "{{\"parentUuid\":{parent},\"isSidechain\":false,\"sessionId\":\"s\",\"type\":\"{kind}\",\"message\":{message},\
         \"uuid\":\"{uuid}\",\"timestamp\":\"2026-01-01T10:00:00Z\"{more}}}\n"
    )
}

fn asked(uuid: &str, parent: &str, words: &str) -> String {
    claude("user", uuid, parent, &format!("{{\"role\":\"user\",\"content\":{words:?}}}"), "")
}

fn answered(uuid: &str, parent: &str, id: &str, block: &str) -> String {
    let message = format!("{{\"id\":\"msg_{id}\",\"role\":\"assistant\",\"content\":[{block}]}}");
    claude("assistant", uuid, parent, &message, "")
}

fn said(words: &str) -> String {
    format!("{{\"type\":\"text\",\"text\":{words:?}}}")
}

fn called(id: &str, command: &str) -> String {
    format!(
        "{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"Bash\",\"input\":{{\"command\":{command:?}}}}}"
    )
}

fn gave(uuid: &str, parent: &str, id: &str, result: &str) -> String {
    let block = format!("{{\"type\":\"tool_result\",\"tool_use_id\":\"{id}\",\"content\":{result:?}}}");
    claude("user", uuid, parent, &format!("{{\"role\":\"user\",\"content\":[{block}]}}"), "")
}

#[test]
fn an_edited_question_takes_its_old_answer_with_it() {
    let text = asked("u1", "", "hello")
        + &answered("a1", "u1", "1", &said("hi"))
        + &asked("u2", "a1", "old question")
        + &answered("a2", "u2", "2", &said("old answer"))
        + &asked("u3", "a1", "new question")
        + &answered("a3", "u3", "3", &said("new answer"));
    let (sessions, _) = from_text("s.jsonl", text);
    assert_eq!(sessions[0].page(), "user:\nhello\nagent:\nhi\nuser:\nnew question\nagent:\nnew answer\n");
}

#[test]
fn parallel_calls_of_one_response_all_get_their_results() {
    // The second call is not an ancestor of what follows the first result.
    let text = asked("u1", "", "go")
        + &answered("a1", "u1", "1", &called("t1", "one"))
        + &answered("a2", "a1", "1", &called("t2", "two"))
        + &gave("r2", "a2", "t2", "second")
        + &gave("r1", "a1", "t1", "first")
        + &answered("a3", "r1", "2", &said("done"));
    let (sessions, _) = from_text("s.jsonl", text);
    assert_eq!(
        sessions[0].page(),
        "user:\ngo\nagent:\n[Bash] one -> first\n[Bash] two -> second\nagent:\ndone\n"
    );
}

#[test]
fn a_compaction_does_not_cut_what_came_before() {
    let boundary = "{\"parentUuid\":null,\"logicalParentUuid\":\"a1\",\"type\":\"system\",\"subtype\":\"compact_boundary\",\
                    \"sessionId\":\"s\",\"uuid\":\"c1\",\"timestamp\":\"2026-01-01T11:00:00Z\"}\n";
    let summary = claude(
        "user",
        "c2",
        "c1",
        "{\"role\":\"user\",\"content\":\"summary\"}",
        ",\"isCompactSummary\":true",
    );
    let text = asked("u1", "", "before")
        + &answered("a1", "u1", "1", &said("yes"))
        + boundary
        + &summary
        + &asked("u2", "c2", "after");
    let (sessions, _) = from_text("s.jsonl", text);
    assert_eq!(sessions[0].page(), "user:\nbefore\nagent:\nyes\nuser:\nafter\n");
}

#[test]
fn broken_records_are_reported_with_their_lines_and_passed_over() {
    let mut bytes = asked("u1", "", "one").into_bytes();
    bytes.extend(b"{\"type\":\"user\",\n\n[1,2]\n\xff\xfe\n");
    bytes.extend(asked("u2", "u1", "two").into_bytes());
    bytes.extend(claude("user", "u3", "u2", "7", "").into_bytes());
    bytes.extend(b"{\"type\":\"assistant\",\"uuid\":\"a9\",\"mess");
    let (sessions, report) = from_text("s.jsonl", bytes);
    assert_eq!(sessions[0].page(), "user:\none\nuser:\ntwo\n");
    let lines: Vec<&str> =
        report.skipped.iter().map(|skipped| skipped.location.rsplit(':').next().unwrap()).collect();
    assert_eq!(lines, ["2", "4", "5", "8"]);
    assert_eq!(report.skipped_total, 4);
}

#[test]
fn injected_and_superseded_text_is_not_taken_for_words() {
    let fence = format!("<{OWN_FENCE_TAG}>\nold memory\n</{OWN_FENCE_TAG}>\nreal words");
    let text = asked("u1", "", &fence)
        + &answered("a1", "u1", "1", &said("bad"))
        + &claude(
            "assistant",
            "a2",
            "u1",
            "{\"id\":\"msg_2\",\"content\":[{\"type\":\"text\",\"text\":\"good\"}]}",
            ",\"supersedesUuids\":[\"a1\"]",
        )
        + &claude("user", "u2", "a2", "{\"role\":\"user\",\"content\":\"hidden\"}", ",\"isMeta\":true")
        + &claude(
            "assistant",
            "a3",
            "u2",
            "{\"model\":\"<synthetic>\",\"content\":[{\"type\":\"text\",\"text\":\"API error\"}]}",
            ",\"isApiErrorMessage\":true",
        );
    let (sessions, _) = from_text("s.jsonl", text);
    assert_eq!(sessions[0].page(), "user:\nreal words\nagent:\ngood\n");
    assert_eq!(sessions[0].meta.title, "real words");
}

#[test]
fn words_written_while_the_agent_worked_and_files_are_kept() {
    let queued = "{\"parentUuid\":\"a1\",\"type\":\"attachment\",\"sessionId\":\"s\",\"uuid\":\"q1\",\"timestamp\":\"2026-01-01T10:01:00Z\",\"attachment\":{\"type\":\"queued_command\",\"prompt\":\"also this\",\"commandMode\":\"prompt\"}}\n";
    let file = "{\"parentUuid\":\"u1\",\"type\":\"attachment\",\"sessionId\":\"s\",\"uuid\":\"f1\",\"attachment\":{\"type\":\"file\",\"filename\":\"/x/a.md\",\"displayPath\":\"a.md\"}}\n";
    let image = "{\"role\":\"user\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"AAAA\"}},{\"type\":\"text\",\"text\":\"look\"}]}";
    let text = asked("u1", "", "read @a.md")
        + file
        + &answered("a1", "f1", "1", &said("working"))
        + queued
        + &claude("user", "u2", "q1", image, "");
    let (sessions, _) = from_text("s.jsonl", text);
    assert_eq!(
        sessions[0].page(),
        "user:\nread @a.md\n[file] a.md\nagent:\nworking\nuser:\nalso this\nuser:\n[file] image/png\nlook\n"
    );
}

#[test]
fn a_summary_of_another_session_is_no_title() {
    let other = "{\"type\":\"summary\",\"summary\":\"Other\",\"leafUuid\":\"z9\"}\n";
    let own = "{\"type\":\"summary\",\"summary\":\"Own\",\"leafUuid\":\"u1\"}\n";
    let title = |text: String| from_text("s.jsonl", text).0[0].meta.title.clone();
    assert_eq!(title(own.to_owned() + other + &asked("u1", "", "words")), "Own");
    assert_eq!(title(other.to_owned() + &asked("u1", "", "words")), "words");
}

#[test]
fn a_codex_roll_back_takes_the_undone_turns_with_it() {
    let message = |role: &str, kind: &str, words: &str| {
        format!(
            "{{\"timestamp\":\"2026-01-01T10:00:00Z\",\"type\":\"response_item\",\"payload\":{{\"type\":\"message\",\"role\":\"{role}\",\"content\":[{{\"type\":\"{kind}\",\"text\":\"{words}\"}}]}}}}\n"
        )
    };
    let text = message("user", "input_text", "keep")
        + &message("assistant", "output_text", "kept")
        + &message("user", "input_text", "undo")
        + &message("assistant", "output_text", "undone")
        + "{\"timestamp\":\"2026-01-01T10:00:00Z\",\"type\":\"event_msg\",\"payload\":{\"type\":\"thread_rolled_back\",\"num_turns\":1}}\n"
        + &message("user", "input_text", "again");
    let (sessions, _) = from_text("rollout-x.jsonl", text);
    assert_eq!(sessions[0].page(), "user:\nkeep\nagent:\nkept\nuser:\nagain\n");
}

#[test]
fn codex_events_count_when_there_are_no_response_items() {
    let event = |kind: &str, words: &str| {
        format!(
            "{{\"timestamp\":\"2026-01-01T10:00:00Z\",\"type\":\"event_msg\",\"payload\":{{\"type\":\"{kind}\",\"message\":\"{words}\"}}}}\n"
        )
    };
    let text =
        event("user_message", "hello") + &event("agent_reasoning", "secret") + &event("agent_message", "hi");
    let (sessions, _) = from_text("rollout-x.jsonl", text);
    assert_eq!(sessions[0].page(), "user:\nhello\nagent:\nhi\n");
}

#[test]
fn gemini_lines_written_again_count_once_and_a_rewind_undoes() {
    let text = "{\"sessionId\":\"g\",\"projectHash\":\"h\",\"startTime\":\"2026-01-01T10:00:00Z\"}\n\
        {\"id\":\"1\",\"type\":\"user\",\"content\":\"one\"}\n\
        {\"id\":\"2\",\"type\":\"gemini\",\"content\":\"par\"}\n\
        {\"id\":\"2\",\"type\":\"gemini\",\"content\":\"partial no more\"}\n\
        {\"id\":\"3\",\"type\":\"user\",\"content\":\"undone\"}\n\
        {\"$rewindTo\":\"3\"}\n\
        {\"id\":\"4\",\"type\":\"user\",\"content\":\"two\"}\n";
    let (sessions, report) = from_text("session.jsonl", text);
    assert_eq!(sessions[0].page(), "user:\none\nagent:\npartial no more\nuser:\ntwo\n");
    assert_eq!(report.skipped_total, 0);
}

#[test]
fn an_export_that_breaks_off_gives_what_is_whole() {
    let conversation = "{\"uuid\":\"c\",\"name\":\"n\",\"created_at\":\"2026-01-01T10:00:00Z\",\"chat_messages\":[{\"uuid\":\"m\",\"sender\":\"human\",\"text\":\"hi\"}]}";
    let (sessions, report) =
        from_text("conversations.json", format!("[{conversation},7,{{\"uuid\":\"d\",\"chat_me"));
    assert_eq!(sessions.len(), 1);
    let places: Vec<&str> = report.skipped.iter().map(|s| s.location.rsplit(':').next().unwrap()).collect();
    assert_eq!(places, ["conversation 2", "conversation 3"]);
}

#[test]
fn a_chatgpt_tree_with_a_loop_or_without_a_leaf_is_read() {
    let node = |key: &str, parent: &str, children: &str, words: &str| {
        format!(
            "\"{key}\":{{\"id\":\"{key}\",\"parent\":\"{parent}\",\"children\":[{children}],\"message\":{{\"id\":\"{key}\",\"author\":{{\"role\":\"user\"}},\"content\":{{\"content_type\":\"text\",\"parts\":[\"{words}\"]}}}}}}"
        )
    };
    let looped = format!(
        "{{\"id\":\"1\",\"current_node\":\"b\",\"mapping\":{{{},{}}}}}",
        node("a", "b", "\"b\"", "one"),
        node("b", "a", "\"a\"", "two")
    );
    let leafless = format!(
        "{{\"id\":\"2\",\"mapping\":{{{},{},{}}}}}",
        node("r", "gone", "\"x\",\"y\"", "root"),
        node("x", "r", "", "old"),
        node("y", "r", "", "new")
    );
    let (sessions, _) = from_text("conversations.json", format!("[{looped},{leafless}]"));
    assert_eq!(sessions[0].page(), "user:\none\nuser:\ntwo\n");
    assert_eq!(sessions[1].page(), "user:\nroot\nuser:\nnew\n");
}

#[test]
fn compressed_rows_of_the_database_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openclaw-agent.sqlite");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd BLOB);
             INSERT INTO transcript_events VALUES('s',0,'{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"hi\"}}',1,NULL);
             INSERT INTO transcript_events VALUES('s',1,NULL,2,x'28b52ffd');
             INSERT INTO transcript_events VALUES('s',2,'{\"type\":\"message\",\"id\":\"c\",\"parentId\":\"b\",\"message\":{\"role\":\"assistant\",\"content\":\"yes\"}}',3,NULL);",
        )
        .unwrap();
    drop(connection);
    let (sessions, report) = collect(&path, None);
    assert_eq!(sessions[0].page(), "user:\nhi\nagent:\nyes\n");
    assert_eq!(report.skipped.len(), 1);
    assert!(report.skipped[0].location.ends_with(":s row 1") && report.skipped[0].reason.contains("zstd"));
}

#[test]
fn the_receiver_can_skip_a_session_and_stop() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        // Tests make the files that hosts would.
        #[allow(clippy::disallowed_methods)]
        std::fs::write(
            folder.path().join(format!("{name}.jsonl")),
            asked("u1", "", name) + &asked("u2", "u1", "x"),
        )
        .unwrap();
    }
    let mut seen = Vec::new();
    let report = import(folder.path(), None, &mut |event| match event {
        Event::Session(meta) => {
            seen.push(meta.title.clone());
            match meta.title.as_str() {
                "a" => Answer::SkipSession,
                "c" => Answer::Stop,
                _ => Answer::Continue,
            }
        }
        Event::Turn(turn) => {
            seen.push(turn.turn.text());
            Answer::Continue
        }
        _ => Answer::Continue,
    })
    .unwrap();
    assert_eq!(seen, ["a", "b", "b", "x", "c"]);
    assert!(report.stopped && report.turns == 2);
}

#[test]
fn what_no_importer_knows_is_an_error_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let error = import(folder.path(), None, &mut |_| Answer::Continue).unwrap_err();
    assert!(error.to_string().contains("is not a session of a known host"), "{error}");
    assert!(matches!(
        import(&folder.path().join("no"), None, &mut |_| Answer::Continue),
        Err(ImportError::Read { .. })
    ));
}

/// Keys, words and bytes that importers know, in any order.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just("{".to_owned()),
        Just("}".to_owned()),
        Just("[".to_owned()),
        Just("]\n".to_owned()),
        Just(",".to_owned()),
        Just("null".to_owned()),
        Just("\"\\ud83d\"".to_owned()),
        "\"(type|uuid|parentUuid|message|content|payload|mapping|chat_messages|messages|id|parentId|role|text)\":",
        "\"(user|assistant|message|tool_use|tool_result|session|response_item|event_msg|[a-c])\"",
        "[0-9.e-]{1,4}",
        "\\PC{0,6}",
    ];
    let bytes = prop::collection::vec(any::<u8>(), 0..20);
    (prop::collection::vec(piece, 0..40), bytes)
        .prop_map(|(pieces, bytes)| [pieces.concat().into_bytes(), bytes].concat())
}

/// A session with some of its bytes changed.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let sound = asked("u1", "", "one")
        + &answered("a1", "u1", "1", &(said("two") + "," + &called("t", "ls")))
        + &gave("r1", "a1", "t", "three")
        + "{\"timestamp\":1,\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"text\":\"x\"}]}}\n"
        + "{\"type\":\"message\",\"id\":\"m\",\"parentId\":null,\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"id\":\"q\",\"arguments\":{}}]}}\n";
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8).prop_map(move |changes| {
        let mut bytes = sound.clone().into_bytes();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop_oneof![soup(), damaged()]) {
        let folder = tempfile::tempdir().unwrap();
        for format in Format::ALL {
            let path = folder.path().join(format!("{format:?}.json{}", if format == Format::Gemini { "" } else { "l" }));
            // Tests make the files that hosts would.
            #[allow(clippy::disallowed_methods)]
            std::fs::write(&path, &bytes).unwrap();
            let _ = detect(&path);
            let _ = import(&path, Some(format), &mut |_| Answer::Continue);
        }
    }
}
