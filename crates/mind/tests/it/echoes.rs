//! What the memory handed out is not learned again when it comes back, and what is said anew is.

use rem_mind::attention::{CompiledContext, ContextQuery};
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_testkit::{Workspace, machine_time};

use crate::support::{Claude, agent, all_turns, import, transcripts, user};

const PLAN: &str = "The staging server is backed up every night at two by a timer on the harbor machine";

fn lived_in() -> Workspace {
    let workspace = Workspace::new();
    workspace.write(
        "MEMORY.md",
        format!(
            "# Core Memory\n\n## Critical Facts\n- Noor is allergic to walnuts <!-- id:aaaaaa | since:2026-01-01 -->\n\
             - {PLAN} <!-- id:bbbbbb | since:2026-01-01 -->\n\
             - We decided to use Postgres because the reports need window functions <!-- id:cccccc | since:2026-01-01 -->\n"
        ),
    );
    workspace.memory().catch_up();
    workspace
}

fn handed(workspace: &Workspace, session: &str) -> CompiledContext {
    handed_for(workspace, session, "backup")
}

fn handed_for(workspace: &Workspace, session: &str, message: &str) -> CompiledContext {
    let query = ContextQuery { message, session: Some(session), ..ContextQuery::default() };
    workspace.memory().context(&query, machine_time()).unwrap()
}

fn notice(workspace: &Workspace, text: &str, session: Option<&str>) -> RememberOutcome {
    let request = RememberRequest {
        text: text.to_owned(),
        store: Some(StoreKind::Semantic),
        detected: true,
        session: session.map(str::to_owned),
        ..RememberRequest::default()
    };
    workspace.memory().remember(&request).unwrap()
}

#[test]
fn what_was_handed_out_is_on_record_memory_by_memory_until_the_record_is_lost() {
    let workspace = lived_in();
    assert_eq!(workspace.memory().handed_out("s"), []);
    handed(&workspace, "s");
    let record = workspace.memory().handed_out("s");
    let entry = record.iter().find(|item| item.id == "core:bbbbbb").unwrap();
    assert_eq!((entry.path.as_str(), entry.start_line, entry.end_line), ("MEMORY.md", 5, 5));
    assert!(entry.shingles.contained_in(&rem_mind::echo::Shingles::of(&format!("Yes: {PLAN}."))) > 0.99);
    handed(&workspace, "s");
    assert_eq!(workspace.memory().handed_out("s"), record, "nothing twice");
    assert_eq!(workspace.memory().handed_out("another"), []);
    for (path, bytes) in rem_testkit::files(&workspace.root().join(".rem/handed-out")) {
        assert!(!String::from_utf8_lossy(&bytes).contains("walnuts"), "{path} holds hashes alone");
    }
    std::fs::remove_dir_all(workspace.root().join(".rem/handed-out")).unwrap();
    assert_eq!(workspace.memory().handed_out("s"), []);
    assert_eq!(notice(&workspace, PLAN, Some("s")).effect, Effect::Added);
    workspace.assert_well();
}

#[test]
fn an_echo_that_is_noticed_does_nothing_and_news_and_wishes_do() {
    let workspace = lived_in();
    handed(&workspace, "s");
    let head = workspace.head();
    for echo in [
        PLAN.to_owned(),
        PLAN.to_uppercase(),
        format!("Known facts:\n* {PLAN}\n* Noor is allergic to walnuts\n"),
        "- Bo lives in Bremen <!-- id:zzzzzz | since:2026-01-01 -->".to_owned(),
        "## 14:30 | decision | confidence:high | tags:[x]\nChose the hybrid.".to_owned(),
    ] {
        let outcome = notice(&workspace, &echo, Some("s"));
        assert!(
            outcome.echo && outcome.effect == Effect::Nothing && outcome.change.is_empty(),
            "{echo}: {outcome:?}"
        );
    }
    // Who names no session is compared with all that are recent.
    assert!(notice(&workspace, PLAN, None).echo);
    assert_eq!(workspace.head(), head);
    for news in [
        "Mira is allergic to walnuts",
        "We decided to use Postgres for the harbor atlas",
        "The staging server is backed up every night at three by a timer on the harbor machine of Bo",
    ] {
        let outcome = notice(&workspace, news, Some("s"));
        assert!(!outcome.echo && outcome.effect != Effect::Nothing, "{news}: {outcome:?}");
    }
    assert!(!notice(&workspace, PLAN, Some("another")).echo, "it was not told that");
    let asked = RememberRequest {
        text: "Noor is allergic to walnuts".to_owned(),
        store: Some(StoreKind::Core),
        session: Some("s".to_owned()),
        ..RememberRequest::default()
    };
    assert_eq!(workspace.memory().remember(&asked).unwrap().effect, Effect::Merged, "a wish is a wish");
    workspace.assert_well();
}

#[test]
fn what_somebody_just_said_is_no_echo_of_the_context_that_quotes_it() {
    let workspace = Workspace::new();
    let said = "Our harbor office closes for the whole of August and the keys are with Mira";
    workspace.memory().capture("s", &user("2026-03-01T08:59:00Z", said)).unwrap();
    let context = handed_for(&workspace, "s", said);
    assert!(!context.text.contains(said), "the message itself is not what is remembered");
    assert!(handed_for(&workspace, "s", "harbor office keys").text.contains(said));
    assert!(!notice(&workspace, said, Some("s")).echo);
    // In another session the same text is a quotation.
    handed_for(&workspace, "t", said);
    assert!(notice(&workspace, said, Some("t")).echo);
}

#[test]
fn a_long_episode_of_the_last_days_is_not_noticed_again_and_a_short_one_is() {
    let workspace = Workspace::new();
    let remember = |text: &str, detected: bool| {
        let request = RememberRequest {
            text: text.to_owned(),
            store: Some(StoreKind::Episodic),
            detected,
            ..RememberRequest::default()
        };
        workspace.memory().remember(&request).unwrap()
    };
    let long = "Went through the whole list of moorings with the harbor master and moved every late payer to the outer pier";
    for text in [long, "Met Mira at the harbor"] {
        assert_eq!(remember(text, false).effect, Effect::Added);
    }
    workspace.advance(jiff::SignedDuration::from_hours(24));
    assert!(remember(long, true).echo);
    assert_eq!(remember("Met Mira at the harbor", true).effect, Effect::Added, "that happens again");
    assert_eq!(remember(long, false).effect, Effect::Added, "a person says so");
}

#[test]
fn an_imported_session_loses_the_context_that_was_put_into_it_fenced_or_not() {
    let workspace = lived_in();
    let context = handed(&workspace, "echo").text;
    let question = "Can you tell me when the harbor machine was last restarted?";
    let part: String = context
        .lines()
        .filter(|line| line.starts_with("- "))
        .take(2)
        .map(|line| format!("{line}\n"))
        .collect();
    let mut session = Claude::new("echo", "2026-03-01T08:00:00Z");
    session.user(&format!("{context}\n{question}"));
    session.says("a", &format!("As noted, {PLAN}."));
    session.user(&format!("Relevant memories:\n{part}\nAnd now?"));
    session.user("Noor is allergic to walnuts, isn't she?");
    let outcome = import(workspace.memory(), &session.put(&workspace, session.len()));
    assert_eq!(outcome.echoes, 2, "{outcome:?}");
    let said: Vec<String> = all_turns(&workspace).iter().map(|turn| turn.text()).collect();
    assert_eq!(
        said,
        [question, &format!("As noted, {PLAN}."), "And now?", "Noor is allergic to walnuts, isn't she?"]
    );
    let path = transcripts(&workspace)[0].to_string();
    assert!(path.ends_with("-echo-can-you-tell-me-when-the-harbor-machine-was-last.md"), "{path}");
    // Again, and of a session that nothing was handed to.
    assert_eq!(import(workspace.memory(), &session.put(&workspace, session.len())).turns_added, 0);
    let mut other = Claude::new("other", "2026-03-01T08:00:00Z");
    other.user(&format!("{part}{question}"));
    assert_eq!(import(workspace.memory(), &other.put(&workspace, other.len())).echoes, 0);
    workspace.assert_well();
}

#[test]
fn a_captured_message_is_kept_without_the_echo_in_it() {
    let workspace = lived_in();
    let context = handed(&workspace, "s").text;
    let at = "2026-03-01T09:00:00Z";
    let captured = workspace.memory().capture("s", &user(at, &context)).unwrap();
    assert!(captured.echo && captured.created);
    let captured = workspace.memory().capture("s", &user(at, &format!("{context}\nAnd now?"))).unwrap();
    assert!(captured.echo && !captured.created);
    assert!(!workspace.memory().capture("s", &agent(at, &format!("Because {PLAN}."))).unwrap().echo);
    let said: Vec<String> = all_turns(&workspace).iter().map(|turn| turn.text()).collect();
    assert_eq!(said, ["And now?", &format!("Because {PLAN}.")]);
}

#[test]
fn records_are_capped_and_old_ones_go() {
    let workspace = lived_in();
    let context = handed(&workspace, "s0");
    for session in 0..105 {
        workspace.memory().hand_out(&format!("s{session}"), &context).unwrap();
        workspace.advance(jiff::SignedDuration::from_secs(60));
    }
    let count = || std::fs::read_dir(workspace.root().join(".rem/handed-out")).unwrap().count();
    assert_eq!(count(), 100);
    assert!(
        workspace.memory().handed_out("s0").is_empty() && !workspace.memory().handed_out("s104").is_empty()
    );
    workspace.advance(jiff::SignedDuration::from_hours(24 * 31));
    handed(&workspace, "new");
    assert_eq!(count(), 1);
}
