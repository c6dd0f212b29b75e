//! CONFIG.md: one line changes, the rest stays; mistakes are named with their lines.

use std::sync::Arc;

use rem_ledger::FixedClock;
use rem_mind::{Memory, MemoryError, Outcome};
use rem_testkit::{Workspace, options};

fn open(workspace: &Workspace) -> Result<Memory, MemoryError> {
    Memory::open(&workspace.root(), options(&Arc::new(FixedClock::new(workspace.now()))))
}

#[test]
fn setting_a_value_changes_its_line_alone() {
    let mut workspace = Workspace::new();
    let text = "# Ours\r\n\r\nWords about it.\r\n\r\n```yaml\r\n# a comment\r\nsearch:\r\n  min_score: 0.5   # strict\r\n  max_results: 7\r\n```\r\n\r\nMore words.";
    workspace.write("CONFIG.md", text);
    workspace.reopen();
    workspace.memory().catch_up();
    let applied = workspace.memory().set_config("search.min_score", "0.25").unwrap();
    assert_eq!(applied.files.len(), 1);
    assert_eq!(workspace.text("CONFIG.md"), text.replace("0.5 ", "0.25 "));
    workspace.set("transcripts.idle_close_hours", "3");
    assert_eq!(workspace.memory().config().transcripts.idle_close_hours, 3);
    let after = workspace.text("CONFIG.md");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
    for kept in ["# a comment", "# strict", "Words about it.", "More words."] {
        assert!(after.contains(kept), "{kept}");
    }
    assert!(workspace.memory().ledger().open_alerts().unwrap().iter().any(|alert| alert.file == "CONFIG.md"));
    workspace.assert_well();
}

#[test]
fn setting_a_value_to_what_it_is_changes_nothing() {
    let workspace = Workspace::new();
    let head = workspace.head();
    let value = workspace.memory().config().search.max_results.to_string();
    workspace.memory().set_config("search.max_results", &value).unwrap();
    workspace.memory().set_config("search.max_results", &value).unwrap();
    let commits = workspace.git(&["rev-list", "--count", &format!("{head}..HEAD")]);
    // The first may write down what was a default; the second has nothing to do. A critical file brings an alert.
    assert!(commits.trim().parse::<usize>().unwrap() <= 2, "{commits}");
    workspace.assert_well();
}

#[test]
fn a_config_that_was_deleted_is_made_by_the_first_setting() {
    let mut workspace = Workspace::new();
    std::fs::remove_file(workspace.root().join("CONFIG.md")).unwrap();
    workspace.memory().catch_up();
    workspace.set("search.max_results", "3");
    assert_eq!(workspace.memory().config().search.max_results, 3);
    workspace.assert_well();
}

#[test]
fn bytes_that_are_no_text_survive_a_setting() {
    let mut workspace = Workspace::new();
    let before = b"# Caf\xe9\n\n```yaml\nsearch:\n  max_results: 9\n```\n\xff\n".to_vec();
    workspace.write("CONFIG.md", &before);
    workspace.reopen();
    assert_eq!(workspace.memory().config().search.max_results, 9);
    match workspace.memory().set_config("search.max_results", "8") {
        Ok(_) => assert_eq!(
            workspace.read("CONFIG.md").unwrap(),
            b"# Caf\xe9\n\n```yaml\nsearch:\n  max_results: 8\n```\n\xff\n"
        ),
        Err(_) => assert_eq!(workspace.read("CONFIG.md").unwrap(), before),
    }
}

#[test]
fn an_unknown_key_suggests_the_nearest_and_changes_nothing() {
    let workspace = Workspace::new();
    let (before, head) = (workspace.files(), workspace.head());
    let error = workspace.memory().set_config("search.min_scor", "0.2").unwrap_err();
    assert!(error.to_string().contains("search.min_score"), "{error}");
    assert_eq!(error.outcome(), Outcome::Usage);
    let error = workspace.memory().set_config("search.min_score", "7").unwrap_err();
    assert!(error.to_string().contains("0") && error.to_string().contains('7'), "{error}");
    assert_eq!(error.outcome(), Outcome::Usage);
    assert_eq!((workspace.files(), workspace.head()), (before, head));
}

#[test]
fn all_mistakes_are_named_at_once_with_their_lines() {
    let workspace = Workspace::new();
    workspace.write(
        "CONFIG.md",
        "# Ours\n\n```yaml\nsearch:\n  min_score: high\n  max_result: 5\ntranscripts:\n  idle_close_hours: 0\n```\n",
    );
    let error = open(&workspace).unwrap_err();
    let text = error.to_string();
    for said in ["line 5", "line 6", "line 8", "search.max_results"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert_eq!(text.matches("CONFIG.md cannot be used").count(), 1, "said once: {text}");
    assert_eq!(error.outcome(), Outcome::Configuration);
    assert!(error.hint().is_some());
    workspace.write("CONFIG.md", "```yaml\nsearch: [\n```\n");
    assert!(open(&workspace).unwrap_err().to_string().contains("line "));
}

#[test]
fn names_of_older_programs_are_understood_and_noted() {
    let mut workspace = Workspace::new();
    workspace.write("CONFIG.md", "```yaml\ncore_memory_cap: 2500\n```\n");
    workspace.reopen();
    assert_eq!(workspace.memory().config().core.token_cap, 2500);
    let notices: Vec<String> = workspace.memory().notices().iter().map(ToString::to_string).collect();
    assert!(notices.iter().any(|notice| notice.contains("core.token_cap")), "{notices:?}");
}

#[test]
fn a_store_may_lie_elsewhere_but_never_outside() {
    let mut workspace = Workspace::new();
    workspace.set("layout.paths", "{core: notes/CORE.md}");
    assert_eq!(workspace.memory().path(rem_ledger::Store::Core).as_str(), "notes/CORE.md");
    for paths in ["{core: ../CORE.md}", "{cores: CORE.md}"] {
        workspace.write("CONFIG.md", format!("```yaml\nlayout:\n  paths: {paths}\n```\n"));
        let error = open(&workspace).unwrap_err();
        assert_eq!(error.outcome(), Outcome::Configuration, "{error}");
        assert!(error.to_string().contains("layout.paths"), "{error}");
    }
}

#[test]
fn a_config_that_cannot_be_read_can_be_given_back() {
    let workspace = Workspace::new();
    let (good, head) = (workspace.text("CONFIG.md"), workspace.head());
    workspace
        .write("CONFIG.md", good.replace("identity:\n", "identity:\n  policy: auto\n  policy: propose\n"));
    let given = || options(&Arc::new(FixedClock::new(workspace.now())));
    Memory::open(&workspace.root(), given()).unwrap_err();
    let memory = Memory::open_as_before(&workspace.root(), given()).unwrap();
    let path = rem_format::path::MemoryPath::new("CONFIG.md").unwrap();
    memory.ledger().rollback_file(&path, &head, &memory.asked_for("rem rollback file")).unwrap();
    assert_eq!(workspace.text("CONFIG.md"), good);
    Memory::open(&workspace.root(), given()).unwrap();
    workspace.assert_well();
}

#[test]
fn a_value_that_cannot_be_used_is_refused_and_one_that_is_there_can_be_mended() {
    let workspace = Workspace::new();
    let before = workspace.text("CONFIG.md");
    for (key, value) in [
        ("timezone", "Mars/Base"),
        ("operator.timezone", "Europe/Berlinn"),
        ("server.address", "nonsense"),
        ("server.address", "127.0.0.1:99999"),
        ("schedule.decay", ""),
    ] {
        let error = workspace.memory().set_config(key, value).unwrap_err();
        assert_eq!(error.outcome(), Outcome::Usage, "{key} {value}: {error}");
    }
    assert_eq!(workspace.text("CONFIG.md"), before);
    workspace.memory().set_config("timezone", "Asia/Seoul").unwrap();
    workspace.memory().set_config("server.address", "[::1]:0").unwrap();
    for wrong in
        ["operator:\n  timezone: Mars/Base", "search:\n  min_score: much\nschedule:\n  decay: sometimes"]
    {
        workspace.write("CONFIG.md", format!("# Ours\n\n```yaml\n{wrong}\n```\n"));
        assert_eq!(open(&workspace).unwrap_err().outcome(), Outcome::Configuration);
        let options = options(&Arc::new(FixedClock::new(workspace.now())));
        let mending = Memory::open_to_mend(&workspace.root(), options).unwrap();
        for (key, value) in [("timezone", "UTC"), ("search.min_score", "0.4"), ("schedule.decay", "off")] {
            mending.set_config(key, value).unwrap();
        }
        assert!(open(&workspace).is_ok(), "{}", workspace.text("CONFIG.md"));
        assert!(workspace.text("CONFIG.md").starts_with("# Ours\n"));
    }
}

#[test]
fn a_key_is_never_written_into_a_setting() {
    let workspace = Workspace::new();
    let head = workspace.head();
    for (key, value) in [
        ("models.command", "curl -H \"Authorization: Bearer sk-test-0123456789\" http://127.0.0.1:1/v1"),
        ("models.url", "https://me:sk-test-0123456789@api.example.invalid/v1"),
        ("models.url", "https://api.example.invalid/v1?api_key=sk-test-0123456789"),
        ("topics.gate_url", "https://api.example.invalid/v1?key=0123456789"),
        ("models.api_key_variable", "sk-test-0123456789"),
    ] {
        let error = workspace.memory().set_config(key, value).unwrap_err();
        let (said, hint) = (error.to_string(), error.hint().unwrap());
        assert!(matches!(error, MemoryError::Usage { .. }), "{said}");
        assert!(said.contains(key) && !said.contains("0123456789"), "{said}");
        assert!(hint.contains("models.api_key_variable") && hint.contains("models.api_key_file"), "{hint}");
    }
    assert_eq!(workspace.head(), head);
    let command = "curl -H \"Authorization: Bearer $MY_KEY\" http://127.0.0.1:1/v1";
    workspace.memory().set_config("models.command", command).unwrap();
    workspace.memory().set_config("redaction.allow", "[\"sk-test-0123456789\"]").unwrap();
}

#[test]
fn a_key_that_a_person_wrote_into_a_setting_is_named() {
    let mut workspace = Workspace::new();
    workspace.write("CONFIG.md", "```yaml\nmodels:\n  command: llm --token 0123456789\n```\n");
    workspace.reopen();
    let findings = workspace.memory().verify().unwrap().findings;
    let found = findings.iter().find(|finding| finding.message.contains("models.command")).unwrap();
    assert!(!found.message.contains("0123456789"), "{}", found.message);
}
