//! A model against servers that speak its protocol, well and badly.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use std::time::{Duration, Instant};

mod protocols;

use rem_reason::http::SettingNames;
use rem_reason::proxy::Proxies;
use rem_reason::{ChatProvider, Model, ModelError, ModelSettings, Question};
use rem_testkit::{Reply, Server};
use serde_json::json;

const KEY: &str = "sk-test-0123456789";
const NAMES: SettingNames = SettingNames { url: "section.url", api_key_variable: "section.key" };

fn settings(provider: ChatProvider, url: &str) -> ModelSettings {
    let proxies = Proxies::default();
    ModelSettings { provider, model: String::new(), url: url.to_owned(), api_key: None, proxies }
}

fn question(within: Duration) -> Question<'static> {
    Question {
        system: "",
        prompt: "Is it?",
        schema: None,
        max_tokens: 1,
        temperature: 0.0,
        within,
        attempts: 2,
        longest_answer: 64 << 10,
    }
}

fn ask_within(server: &Server, within: Duration) -> Result<String, ModelError> {
    let settings = ModelSettings {
        api_key: Some(KEY.to_owned()),
        ..settings(ChatProvider::OpenAi, &format!("{}/v1/", server.url))
    };
    Model::new(&settings, NAMES).unwrap().ask(&question(within)).map(|said| said.text)
}

fn ask(server: &Server) -> Result<String, ModelError> {
    ask_within(server, Duration::from_secs(10))
}

#[test]
fn one_message_is_sent_and_what_the_model_says_comes_back() {
    let server = Server::new(|_, _| Some(Reply::said(" yes")));
    assert_eq!(ask(&server).unwrap(), " yes");
    let request = &server.requests()[0];
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.authorization.as_deref(), Some("Bearer sk-test-0123456789"));
    assert_eq!(
        request.body,
        json!({
            "model": "gpt-4o-mini",
            "messages": [{ "role": "user", "content": "Is it?" }],
            "max_tokens": 1,
            "temperature": 0.0,
            "stream": false,
        })
    );
    let ollama = Model::new(&settings(ChatProvider::Ollama, &server.url), NAMES).unwrap();
    assert_eq!(ollama.name(), "ollama:llama3.2");
    ollama.ask(&question(Duration::from_secs(10))).unwrap();
    let request = &server.requests()[1];
    assert_eq!((request.path.as_str(), &request.authorization), ("/v1/chat/completions", &None));
}

#[test]
fn a_busy_provider_is_asked_once_more() {
    let server = Server::new(|number, _| match number {
        0 => Some(Reply::status(429, "slow down")),
        _ => Some(Reply::said("NO")),
    });
    assert_eq!(ask(&server).unwrap(), "NO");
    let failing = Server::new(|_, _| Some(Reply::status(500, "out of memory")));
    assert!(ask(&failing).unwrap_err().to_string().contains("status 500: out of memory"));
    assert_eq!(failing.requests().len(), 2);
    // A gateway that says it is well while the server behind it is not.
    let overloaded = json!({ "error": { "message": "model overloaded", "code": 503 } });
    let gateway = Server::new(move |number, _| match number {
        0 => Some(Reply::ok(&overloaded)),
        1 => Some(Reply::said("NO")),
        _ => Some(Reply::ok(&json!({ "error": "no such model" }))),
    });
    assert_eq!(ask(&gateway).unwrap(), "NO");
    let error = ask(&gateway).unwrap_err().to_string();
    assert!(error.contains("status 502: ") && error.contains("no such model"), "{error}");
}

#[test]
fn tries_and_pauses_together_keep_to_the_time() {
    for reply in [
        Reply { after: Duration::from_secs(30), ..Reply::said("YES") },
        Reply { per_byte: Duration::from_millis(40), ..Reply::said("YES") },
        Reply { headers: vec![("retry-after", "1".to_owned())], ..Reply::status(429, "") },
        Reply { after: Duration::from_millis(400), ..Reply::status(503, "") },
    ] {
        let server = Server::new(move |_, _| Some(reply.clone()));
        let began = Instant::now();
        let error = ask_within(&server, Duration::from_millis(600)).unwrap_err().to_string();
        // Twice the limit, for a busy machine; the server would take more than a second in all cases.
        assert!(began.elapsed() < Duration::from_millis(1_200), "{:?}: {error}", began.elapsed());
    }
}

#[test]
fn what_is_no_answer_is_an_error_that_says_so_without_the_key() {
    let long = "tokens ".repeat(20_000);
    for (reply, shown) in [
        (Reply::said(&long), "it is longer than 64 kB"),
        (Reply::status(200, "{\"choices\": "), "cannot be used"),
        (Reply::status(200, " <!doctype html>"), "is not reachable at"),
        (Reply::ok(&json!({ "choices": [] })), "there is no text in it"),
        (Reply::ok(&json!([1, 2])), "there is no text in it"),
        (Reply::ok(&json!({ "choices": [{ "message": { "content": 7 } }] })), "there is no text in it"),
        (
            Reply::ok(&json!({ "choices": [{ "message": { "content": null, "refusal": "I cannot." } }] })),
            "does not want to answer",
        ),
        (Reply::status(401, &format!("the key {KEY} is wrong")), "status 401: the key [key] is wrong"),
    ] {
        let server = Server::new(move |_, _| Some(reply.clone()));
        let error = ask(&server).unwrap_err();
        let message = error.to_string();
        assert!(message.contains(shown), "{shown}: {message}");
        assert!(!format!("{message} {error:?}").contains(KEY), "{message}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn settings_that_would_give_a_key_away_are_refused_and_named() {
    let made = |url: &str, key: Option<&str>| {
        let settings =
            ModelSettings { api_key: key.map(str::to_owned), ..settings(ChatProvider::OpenAi, url) };
        assert!(!format!("{settings:?}").contains(KEY));
        Model::new(&settings, NAMES).map(drop)
    };
    let error = made("http://example.invalid/v1", Some(KEY)).unwrap_err().to_string();
    assert!(error.contains("section.url") && !error.contains(KEY), "{error}");
    assert!(made("https://u:p@example.invalid", None).unwrap_err().to_string().contains("section.key"));
    made("http://localhost:1/v1", Some(KEY)).unwrap();
    assert!(settings(ChatProvider::OpenAi, "").leaves_this_machine());
    assert!(!settings(ChatProvider::Ollama, "").leaves_this_machine());
    assert!(settings(ChatProvider::Ollama, "http://127.0.0.1.example.invalid").leaves_this_machine());
}
