//! Tasks asked of models that answer well, badly or not at all.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::{Arc, Mutex};

use rem_mind::Memory;
use rem_mind::reasoning::task::{Task, Tier};
use rem_mind::reasoning::{Answered, AnsweredBy, Cause, Urgency, UsageBy, prompt::Values};
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberRequest};
use rem_testkit::{Reply, Server, Workspace};
use serde::Deserialize;

pub(crate) const BOATS: Task = Task {
    name: "count-boats",
    prompt: "version: 1\n# System\nYou count boats.\n# Prompt\nHow many?\n\n{{quote talk}}\n",
    schema: r#"{"type": "object", "properties": {"count": {"type": "integer", "minimum": 0}}, "required": ["count"], "additionalProperties": false}"#,
    max_answer_tokens: 20,
    tier: Tier::Cheap,
};
pub(crate) const RIGHT: &str = r#"{"count": 2}"#;
const KEY: &str = "a key that nobody sees";

#[derive(Debug, Deserialize, PartialEq)]
pub(crate) struct Boats {
    pub(crate) count: u8,
}

/// What the rules say.
const RULED: Boats = Boats { count: 0 };

/// A workspace whose models are at this address.
pub(crate) fn workspace(url: &str) -> Workspace {
    let mut workspace = Workspace::new();
    workspace.set("models.provider", "openai");
    workspace.set("models.url", url);
    workspace
}

pub(crate) fn ask(memory: &Memory, urgency: Urgency) -> Answered<Boats> {
    let values = Values::default().with("talk", "Two boats.");
    memory.ask(&BOATS, &values, urgency, || RULED).unwrap()
}

/// A server that replies so to each request in turn, and with the last one from then on.
pub(crate) fn replies(replies: Vec<Reply>) -> Server {
    Server::new(move |number, _| Some(replies[number.min(replies.len() - 1)].clone()))
}

/// Why the rules answered.
pub(crate) fn why(answered: &Answered<Boats>) -> &str {
    match &answered.by {
        AnsweredBy::Rules { why, .. } if answered.value == RULED => why,
        other => panic!("{other:?} answered {:?}", answered.value),
    }
}

fn is_by(answered: &Answered<Boats>, wanted: &str) -> bool {
    matches!(&answered.by, AnsweredBy::Model { name, prompt_version: 1 } if name == wanted)
}

/// Surroundings that trust CONFIG.md and have a key; gives the names of the variables that were asked for too.
fn trusting(workspace: &Workspace, key: Option<&'static str>) -> (Memory, Arc<Mutex<Vec<String>>>) {
    let names = Arc::new(Mutex::new(Vec::new()));
    let seen = names.clone();
    let memory = workspace.open_with(|mut options| {
        options.trusts_providers = true;
        options.secret = Arc::new(move |name| {
            seen.lock().unwrap().push(name.to_owned());
            key.map(str::to_owned)
        });
        options
    });
    (memory, names)
}

#[test]
fn a_model_answers_and_it_is_said_who_and_what_it_took() {
    let server = replies(vec![Reply::said_for(&format!("Sure:\n```json\n{RIGHT}\n```"), 100, 10)]);
    let memory = workspace(&server.url).open();
    let answered = ask(&memory, Urgency::Waiting);
    assert_eq!(answered.value, Boats { count: 2 });
    assert!(is_by(&answered, "openai:gpt-4o-mini") && answered.notices.is_empty(), "{answered:?}");
    let usage = memory.usage(None, UsageBy::Operation);
    assert_eq!((usage.rows.len(), usage.rows[0].key.as_str()), (1, "count-boats"));
    let total = usage.total;
    assert_eq!((total.calls, total.failed_calls, total.input_tokens, total.output_tokens), (1, 0, 100, 10));
}

#[test]
fn an_answer_that_does_not_fit_is_asked_for_once_more_with_what_was_wrong() {
    let server = replies(vec![Reply::said(r#"{"count": "two"}"#), Reply::said(RIGHT)]);
    let memory = workspace(&server.url).open();
    assert_eq!(ask(&memory, Urgency::Waiting).value.count, 2);
    let prompts: Vec<String> = server
        .requests()
        .iter()
        .map(|request| request.body["messages"][1]["content"].as_str().unwrap().to_owned())
        .collect();
    assert!(!prompts[0].contains("/count"), "{}", prompts[0]);
    assert!(prompts[1].contains("/count: a whole number is wanted, found a text"), "{}", prompts[1]);
    assert_eq!(memory.usage(None, UsageBy::Day).total.failed_calls, 1);
}

#[test]
fn after_two_answers_that_cannot_be_used_the_rules_answer() {
    for (text, reason) in [
        ("I would rather talk about the weather.", "no JSON object"),
        (r#"{"count": 2,}"#, "malformed"),
        (r#"{"count": "#, "cut off"),
        (r#"{"count": 300}"#, "do not go together"),
        (r#"{"count": 1} or {"count": 2}"#, "2 JSON objects"),
    ] {
        let server = replies(vec![Reply::said(text)]);
        let answered = ask(&workspace(&server.url).open(), Urgency::Waiting);
        assert!(why(&answered).contains(reason), "{text}: {}", why(&answered));
        assert!(why(&answered).starts_with("openai:gpt-4o-mini gave no answer that can be used"));
        assert!(!why(&answered).contains("weather"), "an answer is not repeated");
        assert_eq!(server.requests().len(), 2, "{text}");
    }
}

#[test]
fn where_nobody_can_answer_the_rules_do_and_say_why() {
    let failing =
        replies(vec![Reply { headers: vec![("retry-after-ms", "1".into())], ..Reply::status(500, "oh") }]);
    let memory = workspace(&failing.url).open();
    assert!(why(&ask(&memory, Urgency::Waiting)).contains("status 500"));
    assert_eq!(failing.requests().len(), 4, "a failing provider is asked again, and no second answer wanted");
    let url = failing.url.clone();
    drop(failing);
    assert!(why(&ask(&workspace(&url).open(), Urgency::Waiting)).contains("not reachable"));
    let mut workspace = workspace(&url);
    for (provider, reason) in [
        ("none", "models.provider names nobody"),
        ("host", "hand-off"),
        ("command", "models.command names no command"),
        ("anthropic", "not reachable"),
    ] {
        workspace.set("models.provider", provider);
        let memory = workspace.open();
        assert!(why(&ask(&memory, Urgency::Waiting)).contains(reason), "{provider}");
        let who = memory.answerers();
        assert_eq!(who.cheap.is_some(), provider == "anthropic");
        assert_eq!(who.why.is_none(), who.cheap.is_some());
    }
    let usage = workspace.open().usage(None, UsageBy::Model);
    assert_eq!(usage.rows[0].key, "anthropic:claude-haiku-4-5", "what failed is recorded too: {usage:?}");
}

#[test]
fn the_strong_model_is_another_and_anthropic_is_asked_by_its_own_protocol() {
    let given = serde_json::json!([{ "type": "tool_use", "name": "count-boats", "input": { "count": 2 } }]);
    let server = replies(vec![Reply::message(&given, "tool_use")]);
    let mut workspace = workspace(&server.url);
    workspace.set("models.provider", "anthropic");
    let memory = workspace.open();
    let strong = Task { tier: Tier::Strong, ..BOATS };
    let values = Values::default().with("talk", "Two boats.");
    let answered = memory.ask(&strong, &values, Urgency::Waiting, || RULED).unwrap();
    assert!(is_by(&answered, "anthropic:claude-sonnet-4-5"), "{answered:?}");
    let row = &memory.usage(None, UsageBy::Model).rows[0];
    // 150 tokens there at 3 dollars a million, 40 back at 15.
    assert!((row.cost_usd - 0.001_05).abs() < 1e-9 && row.unpriced_calls == 0, "{row:?}");
}

#[test]
fn no_secret_and_no_key_leaves_by_a_prompt_or_an_error() {
    let server = Server::new(|_, request| {
        let key = request.authorization.clone().unwrap_or_default();
        Some(Reply::status(401, &format!("wrong: {key}")))
    });
    let mut workspace = workspace(&server.url);
    workspace.set("models.api_key_variable", "MODEL_KEY");
    let refused = ask(&workspace.open(), Urgency::Waiting);
    assert!(why(&refused).contains("rem trust") && why(&refused).contains("MODEL_KEY"), "{refused:?}");
    assert!(server.requests().is_empty());
    let (memory, names) = trusting(&workspace, Some(KEY));
    let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let values = Values::default().with("talk", format!("Push with {token}."));
    let answered = memory.ask(&BOATS, &values, Urgency::Waiting, || RULED).unwrap();
    assert!(why(&answered).contains("status 401") && !why(&answered).contains(KEY), "{answered:?}");
    assert_eq!(*names.lock().unwrap(), ["MODEL_KEY"]);
    let request = &server.requests()[0];
    assert_eq!(request.authorization, Some(format!("Bearer {KEY}")));
    assert!(!request.body.to_string().contains("a1B2c3D4e5F6"), "{}", request.body);
}

#[test]
fn the_usual_key_is_for_the_providers_own_address_alone() {
    let server = replies(vec![Reply::said(RIGHT)]);
    let mut workspace = workspace(&server.url);
    let (memory, names) = trusting(&workspace, Some(KEY));
    ask(&memory, Urgency::Waiting);
    assert_eq!((names.lock().unwrap().len(), &server.requests()[0].authorization), (0, &None));
    for (provider, variable) in [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")] {
        workspace.set("models.url", "");
        workspace.set("models.provider", provider);
        let (memory, names) = trusting(&workspace, None);
        assert!(why(&ask(&memory, Urgency::Waiting)).contains(&format!("the variable {variable}")));
        assert_eq!(*names.lock().unwrap(), [variable]);
        assert!(memory.answerers().why.unwrap().contains(variable));
    }
}

#[test]
fn a_key_file_is_for_its_owner_alone_and_outside_of_the_workspace() {
    let server = replies(vec![Reply::said(RIGHT)]);
    let mut workspace = workspace(&server.url);
    let key = workspace.outside().join("key");
    let set_mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    std::fs::write(&key, format!("{KEY}\n")).unwrap();
    set_mode(&key, 0o600);
    workspace.set("models.api_key_file", key.to_str().unwrap());
    assert!(why(&ask(&workspace.open(), Urgency::Waiting)).contains("rem trust"));
    let reason = |workspace: &Workspace| why(&ask(&trusting(workspace, None).0, Urgency::Waiting)).to_owned();
    for mode in [0o640, 0o604, 0o660] {
        set_mode(&key, mode);
        let why = reason(&workspace);
        assert!(
            why.contains("others may read it") && why.contains("chmod 600") && !why.contains(KEY),
            "{why}"
        );
    }
    assert!(server.requests().is_empty());
    set_mode(&key, 0o600);
    ask(&trusting(&workspace, None).0, Urgency::Waiting);
    assert_eq!(server.requests()[0].authorization, Some(format!("Bearer {KEY}")));
    workspace.write("key", KEY);
    let inside = workspace.root().join("key");
    set_mode(&inside, 0o600);
    for (file, why) in [
        (inside.to_str().unwrap(), "kept in git"),
        ("key", "whole path"),
        ("/no/such/key", "No such file"),
        ("/", "no file with a key"),
    ] {
        workspace.set("models.api_key_file", file);
        assert!(reason(&workspace).contains(why), "{file}: {}", reason(&workspace));
    }
    workspace.set("models.api_key_variable", "BOTH");
    assert!(reason(&workspace).contains("not both"));
}

#[test]
fn a_command_answers_where_it_is_trusted() {
    let mut workspace = workspace("");
    workspace.set("models.provider", "command");
    workspace.set("models.command", "echo \"{\\\"count\\\": $(grep -c -i 'two boats')}\"");
    assert!(why(&ask(&workspace.open(), Urgency::Waiting)).contains("rem trust"));
    let (memory, _) = trusting(&workspace, None);
    let answered = ask(&memory, Urgency::Waiting);
    assert!(answered.value.count == 1 && is_by(&answered, "command:echo"), "{answered:?}");
    let total = memory.usage(None, UsageBy::Day).total;
    assert!(total.unpriced_calls == 1 && total.estimated_calls == 1 && total.input_tokens > 20, "{total:?}");
}

#[test]
fn a_task_can_be_handed_on_as_text_and_its_answer_is_read_like_any_other() {
    let workspace = Workspace::new();
    let values = Values::default().with("talk", "Two boats.");
    let handed = workspace.memory().hand_off(&BOATS, &values).unwrap();
    for part in ["You count boats.", "<talk>\nTwo boats.\n</talk>", "JSON Schema", "\"minimum\":0"] {
        assert!(handed.text.contains(part), "{part}: {}", handed.text);
    }
    assert_eq!(handed.schema["properties"]["count"]["type"], "integer");
    assert_eq!(handed.read::<Boats>(&format!("Here:\n{RIGHT}")).unwrap(), Boats { count: 2 });
    let error = handed.read::<Boats>(r#"{"count": -1}"#).unwrap_err().to_string();
    assert!(error.contains("/count: a number from 0"), "{error}");
    let missing = workspace.memory().hand_off(&BOATS, &Values::default()).unwrap_err();
    assert!(missing.to_string().contains("count-boats"));
}

const ROUTED: &str = r#"{"kind": "relation", "entities": [{"name": "Ada", "type": "person"}, {"name": "Nordlys", "type": "project"}],
    "relations": [{"from": "Ada", "relation": "works-at", "to": "Nordlys"}], "tags": ["ada", "job"], "confidence": "high"}"#;

#[test]
fn a_model_says_where_a_memory_goes_where_it_may_and_the_rules_where_it_cannot() {
    let remember = |memory: &Memory, request: &RememberRequest| memory.remember(request).unwrap();
    let asked = RememberRequest { text: "Ada has moved over to Nordlys".to_owned(), ..Default::default() };
    let server = replies(vec![Reply::said(ROUTED)]);
    let mut workspace = workspace(&server.url);
    workspace.set("models.router", "true");
    let outcome = remember(workspace.memory(), &asked);
    assert_eq!(outcome.routing.store, Some(StoreKind::Semantic));
    let page = workspace.text("memory/graph/entities/person--ada.md");
    assert!(page.contains("- works-at: [[project--nordlys]]"), "{page}");
    assert!(page.contains("- Ada has moved over to Nordlys <!--"), "{page}");
    // Who says where it goes asks nobody, and what a model finds in talk to be nothing is none.
    let chosen = RememberRequest { store: Some(StoreKind::Core), ..asked.clone() };
    remember(workspace.memory(), &chosen);
    assert_eq!(server.requests().len(), 1);
    let nothing = replies(vec![Reply::said(
        r#"{"kind": "none", "entities": [], "relations": [], "tags": [], "confidence": "low"}"#,
    )]);
    workspace.set("models.url", &nothing.url);
    let noticed =
        RememberRequest { text: "I prefer short answers".to_owned(), detected: true, ..Default::default() };
    assert_eq!(remember(workspace.memory(), &noticed).effect, Effect::Nothing);
    let broken = replies(vec![Reply::status(500, "")]);
    workspace.set("models.url", &broken.url);
    assert_eq!(remember(workspace.memory(), &noticed).routing.store, Some(StoreKind::Core));
    workspace.assert_well();
}

#[test]
fn a_provider_that_names_its_time_is_left_alone_for_so_long_by_other_processes_too() {
    let busy = Reply { headers: vec![("retry-after", "7200".to_owned())], ..Reply::status(429, "{}") };
    let server =
        Server::new(move |number, _| Some(if number == 0 { busy.clone() } else { Reply::said(RIGHT) }));
    let mut workspace = workspace(&server.url);
    ask(workspace.memory(), Urgency::Background);
    assert_eq!(server.requests().len(), 1);
    workspace.reopen();
    workspace.advance(jiff::SignedDuration::from_mins(90));
    assert!(why(&ask(workspace.memory(), Urgency::Background)).contains("429"));
    assert_eq!(server.requests().len(), 1, "another process asks nobody, though ten minutes are over");
    workspace.advance(jiff::SignedDuration::from_mins(31));
    assert_eq!(ask(workspace.memory(), Urgency::Background).value.count, 2);
}

#[test]
fn a_provider_that_fails_is_left_alone_by_all_processes_and_tried_with_care_after_a_while() {
    let server =
        Server::new(|number, _| Some(if number < 6 { Reply::status(500, "oh") } else { Reply::said(RIGHT) }));
    let workspace = workspace(&server.url);
    let asked = |urgency| ask(&workspace.open(), urgency);
    assert!(why(&asked(Urgency::Background)).contains("500"));
    assert_eq!(server.requests().len(), 4);
    for urgency in [Urgency::Waiting, Urgency::Background] {
        let answered = asked(urgency);
        assert!(why(&answered).contains("left alone until"), "{answered:?}");
        assert!(matches!(answered.by, AnsweredBy::Rules { cause: Cause::Away, .. }));
    }
    assert_eq!(server.requests().len(), 4, "another process waits for nobody");
    let rests = workspace.open().answerers().rests.unwrap();
    assert!(rests.contains("500") && rests.contains("left alone"), "{rests}");
    assert!(why(&asked(Urgency::Asked)).contains("500"), "who asks for it has it tried");
    assert_eq!(server.requests().len(), 5, "once");
    workspace.advance(jiff::SignedDuration::from_mins(13));
    assert!(why(&asked(Urgency::Background)).contains("500"));
    assert_eq!(server.requests().len(), 6, "once, and not waited for");
    workspace.advance(jiff::SignedDuration::from_mins(13));
    assert!(why(&asked(Urgency::Background)).contains("left alone"), "twice as long");
    workspace.advance(jiff::SignedDuration::from_mins(13));
    assert_eq!(asked(Urgency::Background).value.count, 2);
    assert_eq!(workspace.open().answerers().rests, None, "all is as before");
}

#[test]
fn another_provider_is_asked_although_the_one_before_was_away() {
    let (broken, well) = (replies(vec![Reply::status(503, "")]), replies(vec![Reply::said(RIGHT)]));
    let mut workspace = workspace(&broken.url);
    why(&ask(&workspace.open(), Urgency::Waiting));
    workspace.set("models.url", &well.url);
    assert_eq!(ask(&workspace.open(), Urgency::Waiting).value.count, 2);
}

#[test]
fn a_refusal_in_words_is_asked_for_once() {
    let server = replies(vec![Reply::said("I'm sorry, but I can't help with that.")]);
    let answered = ask(&workspace(&server.url).open(), Urgency::Waiting);
    assert!(why(&answered).contains("does not want to answer"), "{answered:?}");
    assert!(matches!(answered.by, AnsweredBy::Rules { cause: Cause::Unwilling, .. }));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_prompt_of_the_workspace_for_another_version_or_for_no_task_is_named() {
    let workspace = Workspace::new();
    workspace.write("prompts/route.md", "version: 900\n# System\nx\n# Prompt\n{{quote statement}}\n");
    workspace.write("prompts/rout.md", "version: 1\n# System\nx\n# Prompt\nx\n");
    let memory = workspace.open();
    memory.catch_up();
    let said: Vec<String> = memory
        .verify()
        .unwrap()
        .findings
        .into_iter()
        .map(|finding| format!("{} {}", finding.path.unwrap_or_default(), finding.message))
        .collect();
    assert!(said.iter().any(|said| said.starts_with("prompts/route.md it is for version 900")), "{said:?}");
    assert!(said.iter().any(|said| said.starts_with("prompts/rout.md there is no task")), "{said:?}");
}
