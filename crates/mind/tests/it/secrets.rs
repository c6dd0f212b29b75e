//! Secrets never reach the disk: no file, no name, no commit, no private folder.

use rem_format::transcript::{Turn, TurnKind, TurnPart};
use rem_mind::transcripts::{SessionEnd, SessionStart};
use rem_mind::{Memory, Outcome};
use rem_testkit::{Workspace, machine_time, options};

use crate::support::{Claude, agent, all_turns, import, transcripts, user};

// Put together here, so that no tool that looks for secrets finds one in this file.
fn github() -> String {
    format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
}

fn cloud() -> String {
    format!("AKIA{}", "Q3EGXZ7WPLMN2RST")
}

/// No byte below the workspace, no name, and nothing that git keeps holds the secret.
fn assert_nowhere(workspace: &Workspace, secret: &str) {
    let mut pending = vec![workspace.root()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.path().display().to_string();
            assert!(!name.to_lowercase().contains(&secret.to_lowercase()), "in the name {name}");
            if entry.file_type().unwrap().is_dir() {
                pending.push(entry.path());
                continue;
            }
            let bytes = std::fs::read(entry.path()).unwrap();
            assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "in {name}");
        }
    }
    let history = workspace.git(&["log", "-p", "--all", "--format=%B"]);
    assert!(!history.contains(secret), "in git's history");
}

#[test]
fn a_secret_is_replaced_by_the_name_of_its_rule_wherever_it_is_said() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    let secret = github();
    let started = memory
        .start_session(&SessionStart {
            session: "s".into(),
            topic: Some(format!("deploy with {secret}")),
            channel: Some(format!("room {secret}")),
            model: Some(secret.clone()),
            source: Some(secret.clone()),
            ..SessionStart::default()
        })
        .unwrap();
    assert_eq!(started.redacted, ["github-token"]);
    let captured = memory
        .capture("s", &user("2026-03-01T09:00:00Z", &format!("My token is {secret}, keep it.")))
        .unwrap();
    assert_eq!(captured.redacted, ["github-token"]);
    let tool = TurnPart::Tool {
        name: format!("run {secret}"),
        summary: format!("curl -H {secret}"),
        result: format!("ok {secret}"),
    };
    let parts = vec![
        tool,
        TurnPart::Attachment { path: format!("files/{secret}.txt") },
        TurnPart::Text(format!("Also {}.", cloud())),
    ];
    let captured = memory.capture("s", &Turn { body: parts, ..agent("2026-03-01T09:01:00Z", "") }).unwrap();
    assert_eq!(captured.redacted, ["github-token", "aws-access-key-id"]);
    let change = TurnPart::Knowledge {
        action: "updated".into(),
        path: format!("memory/{secret}.md"),
        summary: secret.clone(),
    };
    let turn = Turn { kind: TurnKind::Memory, body: vec![change], ..agent("2026-03-01T09:02:00Z", "") };
    memory.capture("s", &turn).unwrap();
    let end = SessionEnd {
        topic: Some(format!("after {secret}")),
        tags: vec![format!("tag {secret}")],
        ..SessionEnd::default()
    };
    memory.end_session("s", &end).unwrap();
    let text = all_turns(&workspace)[0].text();
    assert_eq!(text, "My token is [redacted:github-token], keep it.");
    memory.recall(&Default::default(), machine_time(), &mut |_| {}).unwrap();
    memory.index(true, machine_time(), &mut |_| {}).unwrap();
    assert_nowhere(&workspace, &secret);
    assert_nowhere(&workspace, &cloud());
    workspace.assert_well();
}

#[test]
fn a_secret_in_the_first_words_does_not_name_the_file() {
    let workspace = Workspace::new();
    let secret = github();
    workspace.memory().capture("s", &user("2026-03-01T09:00:00Z", &format!("{secret} is my token"))).unwrap();
    assert_eq!(transcripts(&workspace)[0].file_name(), "0900-s-is-my-token.md");
    workspace.memory().capture("t", &user("2026-03-01T09:00:00Z", &secret)).unwrap();
    workspace.memory().end_session("t", &SessionEnd::default()).unwrap();
    assert_eq!(transcripts(&workspace)[1].file_name(), "0900-t-conversation.md");
    assert_nowhere(&workspace, &secret);
}

#[test]
fn imported_secrets_are_hidden_in_titles_turns_and_tools() {
    let workspace = Workspace::new();
    let secret = github();
    let mut session = Claude::new("leaky", "2026-02-01T10:00:00Z");
    session.user(&format!("{secret} is the token, use it"));
    session.calls("m1", "c1", &format!("export GH_TOKEN={secret}")).result("c1", &format!("set {secret}"));
    session.says("m2", &format!("I used {secret}."));
    let outcome = import(workspace.memory(), &session.put(&workspace, session.len()));
    assert_eq!(outcome.redacted.keys().collect::<Vec<_>>(), ["github-token"]);
    assert_eq!(outcome.redacted["github-token"], 3, "counted per turn");
    workspace.memory().index(true, machine_time(), &mut |_| {}).unwrap();
    assert_nowhere(&workspace, &secret);
    let again = import(workspace.memory(), &session.put(&workspace, session.len()));
    assert_eq!((again.turns_added, again.unchanged_sessions), (0, 1));
}

#[test]
fn rules_of_ones_own_add_to_the_built_in_ones_and_an_allow_list_takes_away() {
    let mut workspace = Workspace::new();
    workspace.set("redaction.rules", "[{name: project-code, pattern: 'PRJ-[0-9]{6}'}]");
    workspace.set("redaction.allow", "['^ghp_a1B2']");
    let text = format!("{} and PRJ-123456 and {}", github(), cloud());
    let captured = workspace.memory().capture("s", &user("2026-03-01T09:00:00Z", &text)).unwrap();
    assert_eq!(captured.redacted, ["project-code", "aws-access-key-id"]);
    assert_eq!(
        all_turns(&workspace)[0].text(),
        format!("{} and [redacted:project-code] and [redacted:aws-access-key-id]", github())
    );
}

#[test]
fn the_built_in_rules_can_be_turned_off() {
    let mut workspace = Workspace::new();
    workspace.set("redaction.rules", "[{name: project-code, pattern: 'PRJ-[0-9]{6}'}]");
    workspace.set("redaction.builtin", "false");
    let text = format!("{} and PRJ-123456", github());
    let captured = workspace.memory().capture("s", &user("2026-03-01T09:00:00Z", &text)).unwrap();
    assert_eq!(captured.redacted, ["project-code"]);
    assert_eq!(all_turns(&workspace)[0].text(), format!("{} and [redacted:project-code]", github()));
}

#[test]
fn a_rule_that_cannot_be_used_is_a_mistake_in_the_configuration_and_nothing_is_written() {
    let workspace = Workspace::new();
    workspace
        .write("CONFIG.md", "```yaml\nredaction:\n  rules:\n    - name: broken\n      pattern: '('\n```\n");
    let clock = std::sync::Arc::new(rem_ledger::FixedClock::new(workspace.now()));
    let error = match Memory::open(&workspace.root(), options(&clock)) {
        Ok(memory) => memory.capture("s", &user("2026-03-01T09:00:00Z", "hello")).unwrap_err(),
        Err(error) => error,
    };
    assert_eq!(error.outcome(), Outcome::Configuration);
    let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
    let said = causes.map(ToString::to_string).collect::<Vec<_>>().join(": ");
    assert!(said.contains("redaction.rules") && said.contains("line 5"), "{said}");
    assert!(transcripts(&workspace).is_empty());
}
