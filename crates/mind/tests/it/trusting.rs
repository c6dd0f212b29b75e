//! A workspace may do what a person saw and allowed, and nothing else.

use rem_ledger::AgentRole;
use rem_mind::reasoning::{AnsweredBy, Urgency};
use rem_mind::{Memory, Outcome};
use rem_testkit::{Reply, Workspace};
use serde_json::json;

use crate::asking::{RIGHT, ask, replies, why};

/// The workspace as somebody's with a home has it.
pub(crate) fn open(workspace: &Workspace) -> Memory {
    let state = workspace.outside().join("state");
    workspace.open_with(|mut options| {
        options.user_state = Some(state);
        options
    })
}

/// A workspace that wants a command run.
fn commanding() -> Workspace {
    let mut workspace = Workspace::new();
    workspace.set("models.provider", "command");
    workspace.set("models.command", "echo '{\"count\": 2}'");
    workspace
}

fn answers(memory: &Memory) -> bool {
    matches!(ask(memory, Urgency::Waiting).by, AnsweredBy::Model { .. })
}

#[test]
fn what_a_person_saw_is_trusted_until_it_changes() {
    let mut workspace = commanding();
    let memory = open(&workspace);
    let wanted = memory.trust();
    assert!(!wanted.trusted && wanted.since.is_none() && wanted.changed.is_empty());
    assert_eq!(wanted.settings["models.command"], json!("echo '{\"count\": 2}'"));
    assert!(!answers(&memory));
    memory.trust_workspace().unwrap();
    assert!(answers(&open(&workspace)));
    let trust = open(&workspace).trust();
    assert_eq!((trust.by, trust.since.as_deref()), (Some("person"), Some("2026-03-01T09:00:00Z")));
    workspace.set("models.timeout_seconds", "60");
    assert!(answers(&open(&workspace)), "what needs no trust may change");
    workspace.set("models.command", "touch stolen; echo '{\"count\": 2}'");
    let memory = open(&workspace);
    let reason = ask(&memory, Urgency::Waiting);
    assert!(
        why(&reason).contains("models.command changed") && why(&reason).contains("rem trust"),
        "{reason:?}"
    );
    assert_eq!((memory.trust().trusted, memory.trust().changed), (false, vec!["models.command".to_owned()]));
    assert!(workspace.read("stolen").is_none());
    workspace.set("models.command", "echo '{\"count\": 2}'");
    assert!(answers(&open(&workspace)), "as it was, it is trusted as it was");
    workspace.set("git.auto_push", "true");
    assert!(!answers(&open(&workspace)), "more than was allowed is not");
}

#[test]
fn a_program_that_lives_long_goes_by_what_holds_now() {
    let workspace = commanding();
    let (living, other) = (open(&workspace), open(&workspace));
    assert!(!answers(&living));
    other.trust_workspace().unwrap();
    assert!(answers(&living));
    other.revoke_trust().unwrap();
    assert!(!answers(&living));
}

#[test]
fn nothing_is_pushed_before_a_person_allows_it() {
    let mut workspace = Workspace::new();
    let remote = workspace.outside().join("remote.git");
    workspace.git(&["init", "-q", "--bare", remote.to_str().unwrap()]);
    workspace.set("git.auto_push", "true");
    workspace.set("git.remote", remote.to_str().unwrap());
    let pushed = || workspace.git(&["-C", remote.to_str().unwrap(), "for-each-ref"]);
    let end = |session: &str| {
        let memory = open(&workspace);
        let turn = crate::support::user("2026-03-01T09:00:00Z", "The boat is red.");
        memory.capture(session, &turn).unwrap();
        memory.end_session(session, &rem_mind::transcripts::SessionEnd::default()).unwrap();
    };
    end("one");
    assert_eq!(pushed(), "");
    open(&workspace).trust_workspace().unwrap();
    end("two");
    assert!(pushed().contains("refs/heads/"), "{}", pushed());
}

#[test]
fn trust_can_be_taken_back_and_lies_outside_of_the_workspace() {
    let workspace = commanding();
    let before = workspace.files();
    let memory = open(&workspace);
    memory.trust_workspace().unwrap();
    assert_eq!(workspace.files(), before);
    assert!(answers(&open(&workspace)));
    assert!(memory.revoke_trust().unwrap() && !memory.revoke_trust().unwrap());
    assert!(!answers(&open(&workspace)));
    memory.trust_workspace().unwrap();
    // The same files elsewhere are another workspace.
    let copy = workspace.outside().join("copy");
    rem_testkit::copy_folder(&workspace.root(), &copy);
    let state = workspace.outside().join("state");
    let moved =
        Memory::open(&copy, rem_mind::MemoryOptions { user_state: Some(state), ..options(&workspace) });
    assert!(!answers(&moved.unwrap()));
    assert_eq!(
        workspace.memory().trust_workspace().unwrap_err().outcome(),
        Outcome::Usage,
        "no home, no trust"
    );
    let sub = workspace.open_with(|mut options| {
        options.role = AgentRole::Sub;
        options.user_state = Some(workspace.outside().join("state"));
        options
    });
    assert_eq!(sub.trust_workspace().unwrap_err().outcome(), Outcome::Refused);
    assert_eq!(sub.revoke_trust().unwrap_err().outcome(), Outcome::Refused);
}

fn options(workspace: &Workspace) -> rem_mind::MemoryOptions {
    let clock = rem_ledger::FixedClock::new(workspace.now());
    rem_testkit::options(&std::sync::Arc::new(clock))
}

#[test]
fn a_prompt_of_the_workspace_is_used_once_it_is_trusted() {
    let server = replies(vec![Reply::said(RIGHT)]);
    let workspace = crate::asking::workspace(&server.url);
    let system = |memory: &Memory| {
        let answered = ask(memory, Urgency::Waiting);
        let asked = server.requests().last().unwrap().body["messages"][0]["content"].clone();
        (asked.as_str().unwrap().to_owned(), answered.notices)
    };
    workspace.write("prompts/notes.md", "# My prompts\n\nThe admiral likes them short.\n");
    assert!(open(&workspace).trust().prompts.is_empty(), "a note is no prompt");
    let prompt = |version: u32, place: &str| {
        format!(
            "version: {version}\n# System\nYou are an admiral.\n# Prompt\nCount:\n{{{{quote {place}}}}}\n"
        )
    };
    workspace.write("prompts/count-boats.md", prompt(1, "talk"));
    let memory = open(&workspace);
    let found = memory
        .recall(
            &memory.query("Which prompts does the admiral like?"),
            rem_testkit::machine_time(),
            &mut |_| {},
        )
        .unwrap();
    assert!(found.results.iter().any(|hit| hit.path == "prompts/notes.md"), "{found:?}");
    assert!(found.results.iter().all(|hit| hit.path != "prompts/count-boats.md"), "a prompt is no memory");
    let (asked, notices) = system(&memory);
    assert_eq!(asked, "You count boats.");
    assert!(notices[0].contains("prompts/count-boats.md is not used") && notices[0].contains("rem trust"));
    assert_eq!(memory.trust().prompts, ["prompts/count-boats.md"]);
    memory.trust_workspace().unwrap();
    assert_eq!(system(&open(&workspace)), ("You are an admiral.".to_owned(), Vec::new()));
    for (text, reason) in [
        (prompt(2, "talk"), "it is for version 2, and the program has version 1"),
        (prompt(1, "secrets"), "no value called secrets"),
        ("version: 1\n# System\nYou.\n".to_owned(), "# Prompt"),
    ] {
        workspace.write("prompts/count-boats.md", &text);
        let memory = open(&workspace);
        assert!(system(&memory).1[0].contains("prompts/count-boats.md changed"), "changed, it is untrusted");
        memory.trust_workspace().unwrap();
        let (asked, notices) = system(&memory);
        assert_eq!(asked, "You count boats.");
        assert!(notices[0].contains(reason), "{reason}: {notices:?}");
    }
}
