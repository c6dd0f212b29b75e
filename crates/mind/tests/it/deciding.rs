//! What is kept of decisions over topics, what follows from it, and activations that wait for the next message.

use std::sync::{Arc, Barrier};

use jiff::SignedDuration;
use rem_mind::attention::topics::{
    Cause, Gate, GateAnswer, GateError, GateQuestion, LoggedDecision, Nobody, TopicActivation, TopicMessage,
    TopicUse,
};
use rem_testkit::Workspace;

use crate::support::{agent, user};

const LOG: &str = ".rem/gate-log.jsonl";

/// Agrees to every topic whose name begins with `y`.
struct ByName;

impl Gate for ByName {
    fn ask(&self, question: &GateQuestion) -> Result<GateAnswer, GateError> {
        Ok(GateAnswer { yes: question.topic.starts_with('y'), by: "a model".to_owned() })
    }
}

fn topic(workspace: &Workspace, name: &str, front: &str, body: &str) {
    let text = format!("---\ndescription: About shipping software.\n{front}\n---\n# {name}\n\n{body}\n");
    workspace.write(&format!("topics/{name}.md"), text);
}

const DEPLOY: &str = "triggers:\n  - {type: keywords, words: [deploy]}";

fn decide(workspace: &Workspace, session: Option<&str>, text: &str, gate: &dyn Gate) {
    let message = TopicMessage { text, ..TopicMessage::default() };
    workspace.memory().decide_topics(session, &message, gate).unwrap();
}

fn names(taken: &[TopicActivation]) -> Vec<&str> {
    taken.iter().map(|each| each.topic.as_str()).collect()
}

/// With medium topics that the gate decides over whatever their likeness.
fn workspace() -> Workspace {
    let mut workspace = Workspace::new();
    workspace.set("topics.medium_gate_score", "0");
    workspace
}

#[test]
fn every_decision_is_logged_with_the_fields_of_the_seed() {
    let workspace = workspace();
    let any = "similarity_threshold: 0";
    topic(&workspace, "bypassed", &format!("{DEPLOY}\npriority: critical"), "");
    topic(&workspace, "skipped", &format!("{DEPLOY}\nactivation: manual"), "");
    topic(&workspace, "yes", &format!("{DEPLOY}\n{any}"), "");
    topic(&workspace, "no", &format!("{DEPLOY}\n{any}"), "");
    topic(&workspace, "unrelated", "triggers:\n  - {type: keywords, words: [tea]}", "");
    decide(&workspace, Some("s1"), "deploy it", &ByName);
    decide(&workspace, None, "deploy it", &Nobody);
    let log = workspace.memory().gate_log();
    let told: Vec<_> = log
        .iter()
        .map(|each| {
            (each.topic_name.as_str(), each.decision, each.gate_result, each.by.as_deref(), each.is_active())
        })
        .collect();
    use LoggedDecision::{Bypassed, Default, No, Skipped, Yes};
    for expected in [
        ("bypassed", Bypassed, None, None, true),
        ("skipped", Skipped, None, None, false),
        ("yes", Yes, Some(true), Some("a model"), true),
        ("no", No, Some(false), Some("a model"), false),
    ] {
        assert!(told[..4].contains(&expected), "{told:?}");
    }
    assert!(told[4..].contains(&("no", Default, Some(true), Some("topics.gate_default"), true)), "{told:?}");
    assert_eq!(told.len(), 8, "{told:?}");
    let file = workspace.text(LOG);
    let line: serde_json::Value = serde_json::from_str(file.lines().next().unwrap()).unwrap();
    for field in ["timestamp", "message_hash", "topic_name", "tier1_matched", "tier2_score", "gate_result"] {
        assert!(line.get(field).is_some(), "{field}: {line}");
    }
    assert_eq!((&line["was_useful"], &line["session"]), (&serde_json::Value::Null, &"s1".into()));
    assert!(!file.contains("deploy it"), "the message itself is not kept");
    assert_eq!(log[0].message_hash, log[4].message_hash);
}

#[test]
fn a_reply_tells_which_topics_were_of_use_and_its_word_is_joined() {
    let workspace = workspace();
    workspace.write("memory/rollout.md", "# Rollout\n\nStaging machines are called heron and egret.\n");
    topic(
        &workspace,
        "y-checks",
        &format!("{DEPLOY}\nsimilarity_threshold: 0"),
        "- Run the smoke tests against the canary before anything else.",
    );
    topic(
        &workspace,
        "y-machines",
        &format!("{DEPLOY}\nsimilarity_threshold: 0\nsubscriptions:\n  - memory/rollout.md"),
        "Know the machines.",
    );
    topic(
        &workspace,
        "y-tea",
        &format!("{DEPLOY}\nsimilarity_threshold: 0"),
        "Kettles boil at ninety degrees.",
    );
    let memory = workspace.memory();
    memory.capture("s1", &user("2026-03-01T09:00:00Z", "Can we deploy the search service today?")).unwrap();
    decide(&workspace, Some("s1"), "Can we deploy the search service today?", &ByName);
    decide(&workspace, Some("other"), "deploy something else", &ByName);
    let uses = memory.note_topic_use("s1", "Yes: I run the smoke tests against the canary first.");
    let told = |topic: &str, was_useful| TopicUse { topic: topic.to_owned(), was_useful };
    let mut sorted = uses.clone();
    sorted.sort_by(|one, other| one.topic.cmp(&other.topic));
    assert_eq!(sorted, [told("y-checks", true), told("y-machines", false), told("y-tea", false)]);
    // A second reply, recorded as any other: what it uses counts too, and what was of use stays so.
    memory.capture("s1", &agent("2026-03-01T09:01:00Z", "Staging is heron and egret, by the way.")).unwrap();
    let useful: Vec<_> = memory
        .gate_log()
        .into_iter()
        .map(|each| (each.session.unwrap(), each.topic_name, each.was_useful))
        .filter(|(session, ..)| session == "s1")
        .map(|(_, topic, useful)| (topic, useful))
        .collect();
    for expected in [("y-checks", true), ("y-machines", true), ("y-tea", false)] {
        assert!(useful.contains(&(expected.0.to_owned(), Some(expected.1))), "{useful:?}");
    }
    assert!(
        memory
            .gate_log()
            .iter()
            .filter(|each| each.session.as_deref() == Some("other"))
            .all(|each| each.was_useful.is_none())
    );
    assert!(memory.note_topic_use("s1", "Yes: the smoke tests against the canary.").is_empty(), "known");
    assert!(memory.note_topic_use("nobody", "anything").is_empty());
}

#[test]
fn words_of_the_user_prove_nothing() {
    let workspace = workspace();
    topic(
        &workspace,
        "y",
        &format!("{DEPLOY}\nsimilarity_threshold: 0"),
        "Deploy with the smoke tests on the canary.",
    );
    let text = "Shall I deploy with smoke tests on the canary?";
    workspace.memory().capture("s", &user("2026-03-01T09:00:00Z", text)).unwrap();
    decide(&workspace, Some("s"), text, &ByName);
    let uses = workspace.memory().note_topic_use("s", "Yes, deploy with the smoke tests on the canary.");
    assert_eq!(uses, [TopicUse { topic: "y".to_owned(), was_useful: false }]);
}

#[test]
fn a_log_that_is_damaged_or_cannot_be_written_stops_no_message() {
    let workspace = workspace();
    topic(&workspace, "y", &format!("{DEPLOY}\nsimilarity_threshold: 0"), "");
    workspace.write(LOG, "no JSON\n{\"of\": \"nothing\", \"timestamp\": \"2026-03-01T09:00:00Z\", \"was_useful\": true}\n\u{0}half");
    decide(&workspace, None, "deploy", &ByName);
    assert_eq!(workspace.memory().gate_log().len(), 1);
    std::fs::remove_file(workspace.root().join(LOG)).unwrap();
    std::fs::create_dir(workspace.root().join(LOG)).unwrap();
    decide(&workspace, None, "deploy", &ByName);
    assert!(workspace.memory().gate_log().is_empty());
}

#[test]
fn a_thousand_messages_keep_the_log_bounded_and_cheap() {
    let workspace = workspace();
    for number in 0..8 {
        topic(&workspace, &format!("y{number}"), &format!("{DEPLOY}\nsimilarity_threshold: 0"), "");
    }
    let line = format!("{{\"padding\": \"{}\"}}\n", "x".repeat(1 << 20));
    workspace.write(LOG, line.repeat(4));
    decide(&workspace, None, "deploy", &ByName);
    let size = std::fs::metadata(workspace.root().join(LOG)).unwrap().len();
    assert!(size <= 2 << 20, "the oldest half went: {size}");
    assert_eq!(workspace.memory().gate_log().len(), 8);
}

/// Decisions over a topic, at these scores, that were of use or were not.
fn evidence(name: &str, useful: &[f64], not: &[f64]) -> String {
    let mut lines = String::new();
    let all = useful.iter().map(|score| (score, true)).chain(not.iter().map(|score| (score, false)));
    for (at, (score, useful)) in all.enumerate() {
        lines.push_str(&format!(
            "{{\"id\":\"{name}{at}\",\"timestamp\":\"2026-02-01T09:00:00Z\",\"session\":\"s\",\"side\":\"input\",\"message_hash\":\"{at}\",\"topic_name\":\"{name}\",\"tier1_matched\":true,\"tier2_score\":{score},\"threshold\":0.15,\"decision\":\"yes\",\"gate_result\":true,\"by\":\"m\",\"was_useful\":null}}\n{{\"of\":\"{name}{at}\",\"timestamp\":\"2026-02-01T09:01:00Z\",\"was_useful\":{useful}}}\n"
        ));
    }
    lines
}

#[test]
fn too_little_evidence_proposes_nothing_and_says_so() {
    let workspace = workspace();
    topic(&workspace, "few", DEPLOY, "");
    let nothing = workspace.memory().tune_topics().unwrap();
    assert_eq!((nothing.decisions, nothing.judged, nothing.thresholds.len()), (0, 0, 1));
    assert_eq!(nothing.thresholds[0].why, "too little evidence: 0 of 30 decisions");
    workspace.write(LOG, evidence("few", &[0.5, 0.6], &[0.2, 0.2, 0.2, 0.2]));
    let few = workspace.memory().tune_topics().unwrap();
    assert_eq!((few.decisions, few.judged, few.proposals().count()), (6, 6, 0));
    assert_eq!(few.thresholds[1].why, "too little evidence: 6 of 12 decisions");
    assert_eq!(workspace.memory().apply_tuning(&few).unwrap(), None);
}

#[test]
fn thresholds_are_proposed_with_their_evidence_and_written_when_told() {
    let mut workspace = workspace();
    // Line ends and comments of somebody else's editor.
    workspace.write("topics/own.md", "---\r\n# mine\r\nsimilarity_threshold: 0.2 # once tried\r\ntriggers:\r\n  - {type: keywords, words: [deploy]}\r\n---\r\n\r\n# Own\r\n");
    topic(&workspace, "shared", DEPLOY, "");
    topic(&workspace, "never", &format!("{DEPLOY}\nsimilarity_threshold: 0"), "");
    topic(&workspace, "always", &format!("{DEPLOY}\npriority: critical"), "");
    let (high, low) = ([0.5; 20], [0.25; 20]);
    let log = ["own", "shared", "never", "always"].map(|name| evidence(name, &high, &low)).concat();
    workspace.write(LOG, log);
    let memory = workspace.open();
    let own = || workspace.text("topics/own.md");
    let before = own();
    let tuning = memory.tune_topics().unwrap();
    assert_eq!(own(), before, "asking changes nothing");
    let told: Vec<_> =
        tuning.thresholds.iter().map(|each| (each.topic.as_deref(), each.now, each.proposed)).collect();
    assert_eq!(
        told,
        [(None, 0.15, Some(0.38)), (Some("own"), 0.2, Some(0.38)), (Some("shared"), 0.38, None)],
        "a topic that the common threshold serves needs none of its own; 0 and critical are left alone"
    );
    assert_eq!((tuning.thresholds[1].useful, tuning.thresholds[1].not_useful), (20, 20));
    let applied = memory.apply_tuning(&tuning).unwrap().unwrap();
    assert_eq!(applied.files.len(), 2, "one change for both");
    assert_eq!(own(), before.replace("0.2 #", "0.38 #"));
    workspace.reopen();
    assert!((workspace.memory().config().topics.similarity_threshold - 0.38).abs() < 1e-9);
    let again = workspace.memory().tune_topics().unwrap();
    assert_eq!(again.proposals().count(), 0, "{again:#?}");
}

#[test]
fn an_activation_waits_for_its_session_and_is_taken_once() {
    let workspace = workspace();
    topic(&workspace, "manual", "activation: manual", "");
    topic(&workspace, "notes", "", "");
    let memory = workspace.memory();
    let error = memory.queue_activation("nowhere", Cause::Manual, None).unwrap_err();
    assert!(
        error.to_string().contains("there is no topic \"nowhere\"")
            && error.hint().unwrap().contains("rem topics")
    );
    assert!(memory.take_activations("a").unwrap().is_empty());
    memory.queue_activation("manual", Cause::Manual, Some("a")).unwrap();
    memory.queue_activation("notes", Cause::Manual, None).unwrap();
    memory.queue_activation("notes", Cause::Manual, None).unwrap();
    let another = workspace.open();
    assert_eq!(names(&another.take_activations("b").unwrap()), ["notes"]);
    assert!(another.take_activations("b").unwrap().is_empty());
    assert_eq!(names(&another.take_activations("a").unwrap()), ["manual"]);
    assert!(memory.waiting_activations().is_empty());
    // What nobody comes for is gone after a week, and what is no topic any more is not active.
    memory.queue_activation("notes", Cause::Manual, Some("never")).unwrap();
    memory.queue_activation("manual", Cause::Manual, None).unwrap();
    std::fs::remove_file(workspace.root().join("topics/manual.md")).unwrap();
    assert!(memory.take_activations("b").unwrap().is_empty());
    workspace.advance(SignedDuration::from_hours(24 * 7 + 1));
    assert!(memory.take_activations("never").unwrap().is_empty());
}

#[test]
fn many_who_take_at_once_get_each_activation_once() {
    let workspace = workspace();
    let count = 60;
    for number in 0..count {
        topic(&workspace, &format!("t{number:02}"), "", "");
    }
    let barrier = Arc::new(Barrier::new(8));
    let workers: Vec<_> = (0..8)
        .map(|worker| {
            let (memory, barrier) = (workspace.open(), barrier.clone());
            std::thread::spawn(move || {
                barrier.wait();
                let mut taken = Vec::new();
                for number in (0..count).filter(|number| number % 4 == worker % 4 && worker < 4) {
                    memory.queue_activation(&format!("t{number:02}"), Cause::Manual, None).unwrap();
                    taken.extend(memory.take_activations("s").unwrap());
                }
                for _ in 0..20 {
                    taken.extend(memory.take_activations("s").unwrap());
                }
                taken
            })
        })
        .collect();
    let mut taken: Vec<TopicActivation> =
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect();
    taken.extend(workspace.memory().take_activations("s").unwrap());
    taken.sort_by(|one, other| one.topic.cmp(&other.topic));
    let expected: Vec<String> = (0..count).map(|number| format!("t{number:02}")).collect();
    assert_eq!(names(&taken), expected);
}

#[test]
fn schedules_queue_what_came_due_since_the_last_look_once() {
    let workspace = workspace(); // at nine in the morning
    topic(&workspace, "hourly", "triggers:\n  - {type: cron, schedule: '0 * * * *'}", "");
    topic(&workspace, "noon", "triggers:\n  - {type: cron, schedule: '0 12 * * *'}", "");
    let memory = workspace.memory();
    assert!(memory.queue_due_topics().unwrap().is_empty(), "the first look has nothing to make up for");
    workspace.advance(SignedDuration::from_mins(59));
    assert!(memory.queue_due_topics().unwrap().is_empty());
    workspace.advance(SignedDuration::from_mins(181));
    assert_eq!(memory.queue_due_topics().unwrap(), ["hourly", "noon"], "four hours missed are one");
    assert!(memory.queue_due_topics().unwrap().is_empty());
    let taken = workspace.open().take_activations("s").unwrap();
    assert_eq!((names(&taken), taken[0].cause), (vec!["hourly", "noon"], Cause::Cron));
    // A clock that was set back is no reason to go through the day again.
    workspace.write(".rem/schedules-checked", "2030-01-01T00:00:00Z");
    assert!(memory.queue_due_topics().unwrap().is_empty());
    workspace.advance(SignedDuration::from_hours(1));
    assert_eq!(memory.queue_due_topics().unwrap(), ["hourly"]);
    workspace.write(".rem/schedules-checked", "no time");
    assert!(memory.queue_due_topics().unwrap().is_empty());
}

#[test]
fn a_webhook_queues_the_topics_that_wait_for_it() {
    let workspace = workspace();
    topic(&workspace, "mail", "triggers:\n  - {type: webhook, source: email, event: new_message}", "");
    topic(&workspace, "any", "triggers:\n  - {type: webhook, source: email}", "");
    let memory = workspace.memory();
    for _ in 0..3 {
        assert_eq!(memory.queue_webhook("email", "new_message").unwrap(), ["any", "mail"]);
    }
    assert!(memory.queue_webhook("calendar", "new_message").unwrap().is_empty());
    let taken = memory.take_activations("s").unwrap();
    assert_eq!(names(&taken), ["any", "mail"], "three calls before a message are one");
    assert_eq!(taken[0].detail.as_deref(), Some("email/new_message"));
}

#[test]
fn what_an_agent_says_brings_the_hint_with_the_next_message_of_its_session() {
    let workspace = workspace();
    topic(
        &workspace,
        "python",
        "activation: auto\nsimilarity_threshold: 0\ntriggers:\n  - {type: pattern, match: 'print ', scope: output, correction_hint: 'Use Python 3 syntax.'}",
        "",
    );
    let memory = workspace.memory();
    assert!(memory.watch_output("s", "print(1)", &Nobody).unwrap().is_empty());
    let queued = memory.watch_output("s", "print 'hello'", &Nobody).unwrap();
    assert_eq!(queued[0].hint.as_deref(), Some("Use Python 3 syntax."));
    memory.watch_output("s", "print 'again'", &Nobody).unwrap();
    assert!(memory.take_activations("another").unwrap().is_empty());
    let taken = memory.take_activations("s").unwrap();
    assert_eq!(taken, queued, "told once, however often it was said");
    assert_eq!(taken[0].cause, Cause::Output);
    assert_eq!(memory.gate_log().len(), 2);
    assert!(memory.note_topic_use("s", "anything").is_empty(), "an agent's words are no message to answer");
}
