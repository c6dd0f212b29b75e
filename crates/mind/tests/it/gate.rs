//! The gate against a model's server that answers well and badly: what comes of it for a topic.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rem_mind::Memory;
use rem_mind::attention::topics::{GateState, TopicMatch, TopicMessage};
use rem_testkit::{Reply, Server, Workspace};
use serde_json::json;

const KEY: &str = "a key that nobody sees";
const MESSAGE: &str = "Shall we deploy the boat to the harbour?";

/// A workspace with topics that the gate decides over, and the gate at this address.
fn workspace(url: &str, topics: usize) -> Workspace {
    let mut workspace = Workspace::new();
    for number in 0..topics {
        workspace.write(
            &format!("topics/deploy-{number}.md"),
            "---\nsimilarity_threshold: 0\npriority: medium\ndescription: About shipping software.\ntriggers:\n  - {type: keywords, words: [deploy]}\n---\n# Rollouts\n",
        );
    }
    workspace.set("topics.medium_gate_score", "0");
    workspace.set("topics.gate_provider", "openai");
    workspace.set("topics.gate_url", url);
    workspace
}

fn only(memory: &Memory, text: &str) -> TopicMatch {
    let message = TopicMessage { text, ..TopicMessage::default() };
    memory.match_topics(&message, &memory.gate()).unwrap().topics.remove(0)
}

/// What becomes of a topic where a model's server replies so; a short limit for what hangs.
fn decided(reply: Reply) -> TopicMatch {
    let server = Server::new(move |_, _| Some(reply.clone()));
    let mut workspace = workspace(&server.url, 1);
    workspace.set("topics.gate_timeout_ms", "500");
    only(&workspace.open(), MESSAGE)
}

#[test]
fn yes_activates_and_no_does_not() {
    let yes = decided(Reply::said("YES"));
    assert_eq!((yes.active, yes.gate, yes.gate_error), (true, GateState::Yes, None));
    assert_eq!(yes.answered_by.as_deref(), Some("openai:gpt-4o-mini"));
    let no = decided(Reply::said(" no"));
    assert_eq!((no.active, no.gate, no.gate_error), (false, GateState::No, None));
}

#[test]
fn whatever_else_comes_the_default_applies_and_says_why() {
    let thousand = "well ".repeat(1_000);
    for (reply, why) in [
        (Reply::said("That depends on the boat."), "said neither YES nor NO"),
        (Reply::said("JA"), "said neither YES nor NO"),
        (Reply::said(&thousand), "said neither YES nor NO"),
        (Reply::said(&"endless ".repeat(20_000)), "longer than 64 kB"),
        (
            Reply::ok(&json!({ "choices": [{ "message": { "content": null, "refusal": "I will not." } }] })),
            "does not want to answer",
        ),
        (Reply::status(500, "out of memory"), "status 500"),
        (Reply::status(200, "{\"choices\": "), "cannot be used"),
        (Reply::ok(&json!({ "error": "no such model" })), "status 502"),
        (Reply { after: Duration::from_secs(20), ..Reply::said("NO") }, "no answer within"),
        (Reply { per_byte: Duration::from_millis(50), ..Reply::said("NO") }, "no answer within"),
    ] {
        let began = Instant::now();
        let topic = decided(reply);
        let error = topic.gate_error.unwrap();
        assert!(topic.active && topic.gate == GateState::Yes, "{why}: {error}");
        assert_eq!(topic.answered_by.as_deref(), Some("topics.gate_default"));
        assert!(error.contains(why), "{why}: {error}");
        assert!(began.elapsed() < Duration::from_secs(5), "{why}: {:?}", began.elapsed());
        for private in ["boat", "well", "endless", "I will"] {
            assert!(!error.contains(private), "nothing of message or answer is repeated: {error}");
        }
    }
}

#[test]
fn a_default_of_no_and_likeness_alone_leave_the_topic_inactive() {
    let server = Server::new(|_, _| Some(Reply::status(500, "")));
    let mut workspace = workspace(&server.url, 1);
    workspace.set("topics.gate_default", "no");
    assert!(!only(&workspace.open(), MESSAGE).active);
    drop(server);
    workspace.advance(jiff::SignedDuration::from_mins(2));
    let topic = only(&workspace.open(), MESSAGE);
    assert!(!topic.active && topic.gate_error.unwrap().contains("not reachable"));
}

#[test]
fn a_model_that_fails_is_waited_for_by_one_message_and_not_by_each() {
    let server =
        Server::new(|number, _| Some(if number < 2 { Reply::status(500, "") } else { Reply::said("NO") }));
    let workspace = workspace(&server.url, 1);
    only(&workspace.open(), MESSAGE);
    let asked = server.requests().len();
    let topic = only(&workspace.open(), MESSAGE);
    assert_eq!(server.requests().len(), asked);
    assert!(topic.gate_error.unwrap().contains("left alone until"));
    workspace.advance(jiff::SignedDuration::from_mins(2));
    assert_eq!(only(&workspace.open(), MESSAGE).gate_error, None);
}

#[test]
fn a_busy_model_is_asked_once_more() {
    let server = Server::new(|number, _| match number {
        0 => Some(Reply::status(429, "slow down")),
        _ => Some(Reply::said("NO")),
    });
    let topic = only(&workspace(&server.url, 1).open(), MESSAGE);
    assert_eq!((topic.active, topic.gate_error, server.requests().len()), (false, None, 2));
}

#[test]
fn all_topics_of_a_message_together_keep_to_the_time() {
    let server = Server::new(|_, _| Some(Reply { after: Duration::from_secs(20), ..Reply::said("NO") }));
    let mut workspace = workspace(&server.url, 30);
    workspace.set("topics.gate_timeout_ms", "400");
    let memory = workspace.open();
    let began = Instant::now();
    let message = TopicMessage { text: MESSAGE, ..TopicMessage::default() };
    let found = memory.match_topics(&message, &memory.gate()).unwrap();
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert_eq!(found.active().count(), 30, "the default says yes");
    let errors: Vec<_> = found.topics.iter().filter_map(|topic| topic.gate_error.as_deref()).collect();
    assert!(errors.len() == 30 && errors.iter().any(|error| error.contains("topics.gate_timeout_ms")));
}

#[test]
fn what_was_answered_is_not_asked_again_by_anybody_until_the_model_changes() {
    let server = Server::new(|_, _| Some(Reply::said("NO")));
    let mut workspace = workspace(&server.url, 1);
    assert_eq!(only(&workspace.open(), MESSAGE).answered_by.as_deref(), Some("openai:gpt-4o-mini"));
    let again = only(&workspace.open(), MESSAGE);
    assert_eq!((again.active, again.answered_by.as_deref()), (false, Some("cache")));
    assert_eq!(server.requests().len(), 1);
    only(&workspace.open(), "Shall we deploy something else?");
    assert_eq!(server.requests().len(), 2);
    workspace.set("topics.gate_model", "another");
    only(&workspace.open(), MESSAGE);
    let requests = server.requests();
    assert_eq!((requests.len(), &requests[2].body["model"]), (3, &json!("another")));
    std::fs::remove_file(workspace.root().join(".rem/gate-cache")).unwrap();
    only(&workspace.open(), MESSAGE);
    assert_eq!(server.requests().len(), 4, "a lost file costs a question and nothing else");
    std::fs::write(workspace.root().join(".rem/gate-cache"), b"\xFF\xFE half a li").unwrap();
    only(&workspace.open(), MESSAGE);
    only(&workspace.open(), MESSAGE);
    assert_eq!(server.requests().len(), 5, "a damaged one too");
}

#[test]
fn the_remembered_answers_are_bounded_and_none_may_be_kept() {
    let server = Server::new(|_, _| Some(Reply::said("NO")));
    let mut workspace = workspace(&server.url, 1);
    workspace.set("topics.gate_cache_entries", "4");
    let memory = workspace.open();
    for number in 0..20 {
        only(&memory, &format!("deploy {number}"));
    }
    let lines = || std::fs::read_to_string(workspace.root().join(".rem/gate-cache")).unwrap().lines().count();
    assert!((4..=8).contains(&lines()), "{}", lines());
    assert_eq!(only(&memory, "deploy 19").answered_by.as_deref(), Some("cache"));
    only(&memory, "deploy 0");
    assert_eq!(server.requests().len(), 21, "the oldest went");
    workspace.set("topics.gate_cache_entries", "0");
    only(&workspace.open(), "deploy 19");
    assert_eq!(server.requests().len(), 22);
}

#[test]
fn nothing_secret_is_in_a_question_and_the_key_is_in_no_error() {
    let server = Server::new(|_, request| {
        let key = request.authorization.clone().unwrap_or_default();
        Some(Reply::status(401, &format!("wrong: {key}")))
    });
    let mut workspace = workspace(&server.url, 1);
    workspace.set("topics.gate_api_key_variable", "GATE_KEY");
    let refused = only(&workspace.open(), MESSAGE).gate_error.unwrap();
    assert!(refused.contains("REM_TRUST_PROVIDERS=1") && refused.contains("GATE_KEY"), "{refused}");
    assert!(server.requests().is_empty(), "nobody is asked on the word of CONFIG.md");
    let names = Arc::new(Mutex::new(Vec::new()));
    let seen = names.clone();
    let memory = workspace.open_with(|mut options| {
        options.trusts_providers = true;
        options.secret = Arc::new(move |name| {
            seen.lock().unwrap().push(name.to_owned());
            Some(KEY.to_owned())
        });
        options
    });
    let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let error = only(&memory, &format!("deploy with {token}")).gate_error.unwrap();
    assert!(error.contains("status 401") && !error.contains(KEY), "{error}");
    assert_eq!(*names.lock().unwrap(), ["GATE_KEY"]);
    let request = &server.requests()[0];
    assert_eq!(request.authorization, Some(format!("Bearer {KEY}")));
    assert!(!request.body.to_string().contains("a1B2c3D4e5F6"), "{}", request.body);
}

#[test]
fn no_message_leaves_this_machine_on_the_word_of_config_md() {
    for (provider, url) in
        [("openai", ""), ("openai", "https://gate.invalid/v1"), ("ollama", "http://gate.invalid")]
    {
        let mut workspace = workspace(url, 1);
        workspace.set("topics.gate_provider", provider);
        let memory = workspace.open();
        assert_eq!(memory.gate().model(), None);
        assert!(only(&memory, MESSAGE).gate_error.unwrap().contains("REM_TRUST_PROVIDERS=1"));
    }
    let mut here = workspace("", 1);
    here.set("topics.gate_provider", "ollama");
    assert_eq!(here.open().gate().model(), Some("ollama:llama3.2"));
    here.set("models.provider", "ollama");
    here.set("models.cheap", "tiny");
    assert_eq!(here.open().gate().model(), Some("ollama:tiny"), "the small model of the same provider");
    here.set("models.url", "http://gate.invalid");
    assert_eq!(here.open().gate().model(), None, "and its address, with the same rule");
}
