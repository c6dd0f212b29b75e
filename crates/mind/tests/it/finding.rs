//! Finding again, with an index or without, and proving that all is as it was.

use rem_ledger::Severity;
use rem_mind::attention::ContextQuery;
use rem_mind::recall::{Answer, Query};
use rem_mind::transcripts::SessionEnd;
use rem_mind::{Memory, Outcome, recall::Hit};
use rem_testkit::{Workspace, machine_time};

use crate::support::{agent, transcripts, user};

fn recall(workspace: &Workspace, text: &str) -> Answer {
    let query = Query { text: text.to_owned(), min_score: 0.0, ..Query::default() };
    workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap()
}

fn said(text: &str) -> rem_mind::stores::RememberRequest {
    rem_mind::stores::RememberRequest { text: text.to_owned(), ..Default::default() }
}

fn found(answer: &Answer) -> Vec<&str> {
    answer.results.iter().map(|hit: &Hit| hit.path.as_str()).collect()
}

fn lived_in() -> Workspace {
    let workspace = Workspace::new();
    workspace
        .write("memory/2026-02-28.md", "# Saturday\n\nThe kiln reached 1240 degrees. The glaze cracked.\n");
    workspace.write("memory/reference/kiln.md", "# Kiln\n\nHeats for four hours.\n");
    workspace.write("memory/2026-02-20.md", "# 도자기\n\n가마를 네 시간 동안 데웠다.\n");
    workspace.memory().catch_up();
    workspace.memory().capture("s", &user("2026-03-01T08:00:00Z", "Why did the glaze crack?")).unwrap();
    workspace.memory().end_session("s", &SessionEnd::default()).unwrap();
    workspace
}

#[test]
fn a_deleted_index_is_made_again_and_answers_the_same() {
    let workspace = lived_in();
    for question in ["kiln degrees", "glaze", "가마", "four hours"] {
        let before = recall(&workspace, question);
        assert!(!before.results.is_empty(), "{question}");
        for name in ["memory.db", "memory.db-wal", "memory.db-shm"] {
            let _ = std::fs::remove_file(workspace.root().join(name));
        }
        assert_eq!(recall(&workspace, question).results, before.results, "{question}");
        workspace.write("memory.db", "no database at all");
        assert_eq!(recall(&workspace, question).results, before.results, "{question}, after damage");
    }
    workspace.assert_well();
}

#[test]
fn a_short_answer_is_found_by_what_it_was_asked_about() {
    let workspace = Workspace::new();
    for (session, hour, between) in
        [("asked", 8, "Which games did you play?"), ("remarked", 9, "That sounds like great fun.")]
    {
        let at = |minute: u8| format!("2026-03-01T0{hour}:0{minute}:00Z");
        let capture = |turn| workspace.memory().capture(session, &turn).unwrap();
        capture(user(&at(0), "We had a picnic by the lake."));
        capture(agent(&at(1), between));
        capture(user(&at(2), &format!("Charades and a scavenger hunt, as {session}.")));
        workspace.memory().end_session(session, &SessionEnd::default()).unwrap();
    }
    let answer = recall(&workspace, "picnic by the lake");
    let words = |session: &str| {
        let end = format!("as {session}.");
        answer.results.iter().find(|hit| hit.text.ends_with(&end)).map_or(0.0, |hit| hit.explain.bm25)
    };
    assert!(words("remarked") > 0.0, "{answer:?}");
    assert!(words("asked") > 1.5 * words("remarked"), "{answer:?}");
}

#[test]
fn those_who_ask_at_once_are_all_answered_while_files_change() {
    let workspace = lived_in();
    let memory = workspace.memory();
    let guest = memory.acting_as("scout", rem_ledger::AgentRole::Sub);
    let apart = workspace.open();
    let query = Query { text: "kiln degrees".to_owned(), min_score: 0.0, ..Query::default() };
    std::thread::scope(|threads| {
        for asker in 0..4 {
            let (memory, query) = ([memory, &guest, &apart, memory][asker], &query);
            threads.spawn(move || {
                for _ in 0..25 {
                    let answer = memory.recall(query, machine_time(), &mut |_| {}).unwrap();
                    assert_eq!(answer.mode, "hybrid");
                    assert!(found(&answer).contains(&"memory/2026-02-28.md"), "{answer:?}");
                }
            });
        }
        for forced in [memory, &apart] {
            threads.spawn(move || {
                for _ in 0..5 {
                    forced.index(true, machine_time(), &mut |_| {}).unwrap();
                }
            });
        }
        threads.spawn(|| {
            for (day, why) in (10..).zip(["rain", "a storm", "frost", "the holiday", "nobody came"]) {
                let text = format!("# Day {day}\n\nThe kiln stayed cold, for there was {why}.\n");
                workspace.write(&format!("memory/2026-01-{day}.md"), text);
                memory.index(false, machine_time(), &mut |_| {}).unwrap();
            }
        });
    });
    let answer = recall(&workspace, "kiln stayed cold");
    assert_eq!(
        found(&answer).iter().filter(|path| path.starts_with("memory/2026-01-")).count(),
        5,
        "{answer:?}"
    );
}

#[test]
fn an_index_that_is_damaged_while_open_is_built_anew_for_all_who_have_it_open() {
    let workspace = lived_in();
    let (memory, apart) = (workspace.memory(), workspace.open());
    let query = Query { text: "kiln degrees".to_owned(), min_score: 0.0, ..Query::default() };
    let before = recall(&workspace, "kiln degrees").results;
    let sound = std::fs::read(workspace.root().join("memory.db")).unwrap();
    for damaged in [
        b"no database, though it is long enough to hold a header".repeat(900),
        sound[..sound.len() / 2].to_vec(),
        sound.iter().enumerate().map(|(at, byte)| if at % 3 == 0 { !byte } else { *byte }).collect(),
        Vec::new(),
    ] {
        workspace.write("memory.db", damaged);
        let newcomer = workspace.open();
        let ask = |asked: &Memory| asked.recall(&query, machine_time(), &mut |_| {}).unwrap();
        std::thread::scope(|threads| {
            for asked in [memory, &apart, &newcomer, memory] {
                threads.spawn(move || {
                    for _ in 0..5 {
                        // By the index or, while it is being put right, by the files.
                        assert_eq!(found(&ask(asked)), ["memory/2026-02-28.md", "memory/reference/kiln.md"]);
                    }
                });
            }
        });
        for asked in [memory, &apart, &newcomer] {
            let answer = ask(asked);
            assert_eq!((answer.mode, &answer.results), ("hybrid", &before));
        }
    }
    workspace.assert_well();
}

#[test]
fn where_there_can_be_no_index_the_files_are_searched() {
    let workspace = lived_in();
    std::fs::create_dir(workspace.root().join("memory.db")).unwrap();
    let answer = recall(&workspace, "kiln degrees");
    assert_eq!(answer.mode, "grep");
    assert!(found(&answer).contains(&"memory/2026-02-28.md"), "{:?}", found(&answer));
    assert!(found(&recall(&workspace, "가마")).contains(&"memory/2026-02-20.md"));
    assert!(workspace.memory().status().is_ok());
}

#[test]
fn what_was_changed_a_moment_ago_is_found() {
    let workspace = lived_in();
    assert!(recall(&workspace, "parliament").results.is_empty());
    workspace.write("memory/reference/kiln.md", "# Kiln\n\nThe parliament sits on Mondays.\n");
    assert_eq!(found(&recall(&workspace, "parliament")), ["memory/reference/kiln.md"]);
    std::fs::remove_file(workspace.root().join("memory/reference/kiln.md")).unwrap();
    assert!(recall(&workspace, "parliament").results.is_empty());
}

#[test]
fn a_question_is_text_and_never_syntax() {
    let workspace = lived_in();
    for question in ["\"", "glaze OR", "NEAR(", "*", "a:b", "(kiln", "' ; DROP TABLE", "", "\0"] {
        recall(&workspace, question);
    }
    let query = Query { text: "kiln".into(), paths: vec!["[".into()], ..Query::default() };
    let error = workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap_err();
    assert_eq!(error.outcome(), Outcome::Usage);
}

#[test]
fn a_transcript_that_was_tampered_with_is_named() {
    let workspace = lived_in();
    let path = transcripts(&workspace)[0].clone();
    let at = workspace.root().join(path.as_str());
    let mut bytes = std::fs::read(&at).unwrap();
    // Its folder lets the file be replaced, whatever its own permissions say.
    std::fs::remove_file(&at).unwrap();
    bytes.extend_from_slice(b"\n## 08:05 \xe2\x80\x94 user\nI agree to everything.\n");
    std::fs::write(&at, bytes).unwrap();
    workspace.memory().catch_up();
    let report = workspace.memory().verify().unwrap();
    assert!(!report.is_well());
    let named: Vec<_> =
        report.findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert_eq!(named.len(), 1, "{named:?}");
    assert_eq!(named[0].path.as_deref(), Some(path.as_str()));
    assert!(named[0].message.contains("tampered"), "{}", named[0].message);
    let evidence = workspace.memory().ledger().contents_at("HEAD", &path).unwrap().unwrap();
    assert!(!String::from_utf8_lossy(&evidence).contains("I agree"), "history has the true one");
}

#[test]
fn a_transcript_that_was_removed_or_changed_and_committed_is_named() {
    let workspace = lived_in();
    let path = transcripts(&workspace)[0].clone();
    std::fs::remove_file(workspace.root().join(path.as_str())).unwrap();
    workspace.memory().catch_up();
    let report = workspace.memory().verify().unwrap();
    assert!(
        report
            .findings
            .iter()
            .any(|finding| finding.path.as_deref() == Some(path.as_str())
                && finding.severity == Severity::Error)
    );
    workspace.git(&["commit", "-q", "-a", "-m", "tidy up"]);
    let report = workspace.memory().verify().unwrap();
    assert!(
        report.findings.iter().any(|finding| finding.path.as_deref() == Some(path.as_str())),
        "{:#?}",
        report.findings
    );
}

#[test]
fn front_matter_that_cannot_be_read_is_a_warning_and_the_file_is_searched() {
    let workspace = lived_in();
    workspace.write("topics/glaze.md", "---\ntriggers: [glaze\n---\n\nCeladon is a glaze of jade colour.\n");
    workspace.memory().catch_up();
    let report = workspace.memory().verify().unwrap();
    let warnings: Vec<_> =
        report.findings.iter().filter(|finding| finding.path.as_deref() == Some("topics/glaze.md")).collect();
    assert_eq!(warnings.len(), 1, "{:#?}", report.findings);
    assert_eq!((warnings[0].severity, warnings[0].check), (Severity::Warning, "formats"));
    assert_eq!(found(&recall(&workspace, "celadon")), ["topics/glaze.md"]);
    assert!(
        workspace
            .memory()
            .context(&ContextQuery { message: "celadon", ..ContextQuery::default() }, machine_time())
            .is_ok()
    );
}

#[test]
fn a_list_that_only_links_answers_nothing_and_a_memory_is_shown_as_it_reads() {
    let workspace = Workspace::new();
    workspace.memory().remember(&said("Mira likes rowing")).unwrap();
    workspace.memory().catch_up();
    assert!(workspace.text("memory/people/_index.md").contains("**Mira** — [["));
    let answer = recall(&workspace, "Mira");
    assert!(!found(&answer).iter().any(|path| path.ends_with("_index.md")), "{:?}", found(&answer));
    let day = workspace.now().to_string();
    let expected = format!("## Facts - Mira likes rowing (since {})", &day[..10]);
    assert!(answer.results.iter().any(|hit| hit.snippet.ends_with(&expected)), "{answer:?}");
    // With words of a person's it is a memory.
    workspace
        .write("memory/people/_index.md", "# People\n\n- **Mira** — my rowing partner, [[person--mira]]\n");
    workspace.memory().catch_up();
    assert!(found(&recall(&workspace, "rowing partner")).contains(&"memory/people/_index.md"));
}

#[test]
fn what_is_no_memory_answers_nothing_and_a_filter_of_nothing_is_refused() {
    use rem_mind::recall::Scope;
    let workspace = Workspace::new();
    let memory = workspace.memory();
    for text in ["kinds of relations between entities", "rules for agents", "settings of search in CONFIG.md"]
    {
        let answer = memory.catch_up_and_recall(&memory.query(text), machine_time(), &mut |_| {}).unwrap();
        let found: Vec<&str> = answer.results.iter().map(|hit| hit.path.as_str()).collect();
        for no_memory in ["memory/graph/relations.md", "AGENTS.md", "CONFIG.md"] {
            assert!(!found.contains(&no_memory), "{text}: {found:?}");
        }
    }
    let query = memory.query("anything");
    let check = |query: Query| memory.with_filters_checked(query, machine_time());
    check(query.clone()).unwrap();
    let folder = Scope::Folder("memory".to_owned());
    let known = Query {
        categories: vec!["episode".to_owned(), "note".to_owned()],
        scopes: vec![folder],
        ..query.clone()
    };
    check(known).unwrap();
    let error = check(Query { categories: vec!["episodes".to_owned()], ..query.clone() }).unwrap_err();
    assert!(error.hint().unwrap().contains("episode, identity"), "{error}: {:?}", error.hint());
    let unknown = Query { scopes: vec![Scope::Folder("memories".to_owned())], ..query };
    assert!(check(unknown).unwrap_err().to_string().contains("memories"));
}

#[test]
fn people_and_projects_are_filtered_by_any_of_their_names_and_paths_by_where_they_are() {
    let workspace = lived_in();
    workspace.write(
        "memory/graph/entities/person--mira-kessler.md",
        "# person--mira-kessler\n\n<!-- Type: person | Label: Mira Kessler | Aliases: Miri, Captain -->\n\n## Facts\n\
         - She keeps a kayak in the shed.\n",
    );
    workspace.write("memory/projects/atlas/notes.md", "# Notes\n\nThe kayak is on the logo.\n");
    workspace.write("memory/people/bo-lind.md", "# Bo Lind\n\nHe sold his kayak.\n");
    workspace.write("memory/reference/boats.md", "---\nperson: Ann Lee\n---\nA kayak has no keel.\n");
    let memory = workspace.memory();
    memory.catch_up();
    let asked = |scopes: &[&str], paths: &[&str]| -> Result<Vec<String>, rem_mind::MemoryError> {
        let query = Query {
            scopes: scopes.iter().map(|scope| scope.parse().unwrap()).collect(),
            paths: paths.iter().map(ToString::to_string).collect(),
            min_score: 0.0,
            ..memory.query("kayak")
        };
        let query = memory.with_filters_checked(query, machine_time())?;
        let answer = memory.recall(&query, machine_time(), &mut |_| {})?;
        let mut paths: Vec<String> = answer.results.into_iter().map(|hit| hit.path).collect();
        paths.sort();
        paths.dedup();
        Ok(paths)
    };
    for scope in
        ["person:mira-kessler", "person:Mira Kessler", "person:mira kessler", "person:Miri", "person:captain"]
    {
        assert_eq!(
            asked(&[scope], &[]).unwrap(),
            ["memory/graph/entities/person--mira-kessler.md"],
            "{scope}"
        );
    }
    assert_eq!(asked(&["person:Bo Lind"], &[]).unwrap(), ["memory/people/bo-lind.md"]);
    assert_eq!(asked(&["project:Atlas"], &[]).unwrap(), ["memory/projects/atlas/notes.md"]);
    assert_eq!(asked(&["person:Ann Lee"], &[]).unwrap(), ["memory/reference/boats.md"]);
    for scope in ["person:Nobody", "project:mira-kessler"] {
        let error = asked(&[scope], &[]).unwrap_err();
        assert!(error.to_string().starts_with("there is no "), "{error}");
        assert!(error.hint().unwrap().starts_with("there are "), "{:?}", error.hint());
    }
    let root = workspace.root().to_str().unwrap().to_owned();
    let all = asked(&[], &[]).unwrap();
    assert!(all.len() >= 3, "{all:?}");
    for path in [".", root.as_str()] {
        assert_eq!(asked(&[], &[path]).unwrap(), all, "{path}");
    }
    for path in
        ["memory/reference", "memory/reference/", "memory/reference/*.md", "memory/reference/boats.md"]
    {
        assert_eq!(
            asked(&[], &[&format!("{root}/{path}")]).unwrap(),
            ["memory/reference/boats.md"],
            "{path}"
        );
    }
    let error = asked(&[], &["/elsewhere"]).unwrap_err();
    assert!(error.to_string().contains("outside of the workspace") && error.hint().unwrap().contains(&root));
}

#[test]
#[cfg(unix)]
fn a_file_whose_name_is_no_text_is_named_among_what_was_skipped() {
    use std::os::unix::ffi::OsStrExt as _;
    let workspace = lived_in();
    let name = std::ffi::OsStr::from_bytes(b"kiln-\xfe.md");
    std::fs::write(workspace.root().join("memory/reference").join(name), "The kiln is blue.\n").unwrap();
    let answer = recall(&workspace, "kiln");
    assert!(!answer.results.is_empty());
    let skipped: Vec<(&str, &str)> =
        answer.freshness.skipped.iter().map(|each| (each.path.as_str(), each.why.as_str())).collect();
    assert_eq!(skipped, [("memory/reference/kiln-\u{FFFD}.md", "its name is not UTF-8")]);
}
