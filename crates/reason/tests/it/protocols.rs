//! Tasks over each protocol: what is sent, and what is made of what comes back.

use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::Mutex;
use std::time::Duration;

use rem_reason::answer::Unusable;
use rem_reason::{
    ChatProvider, Model, ModelError, ModelSettings, Prepared, Question, Said, Task, Tier, Values,
};
use rem_testkit::{Reply, Request, Server};
use serde_json::{Value, json};

use crate::{KEY, NAMES, settings};

const BOATS: Task = Task {
    name: "count-boats",
    prompt: "version: 1\n# System\nYou count boats.\n# Prompt\nHow many?\n\n{{quote talk}}\n",
    schema: r#"{"type": "object", "properties": {"count": {"type": "integer", "minimum": 0}}, "required": ["count"], "additionalProperties": false}"#,
    max_answer_tokens: 20,
    tier: Tier::Cheap,
};
const RIGHT: &str = r#"{"count": 2}"#;
const WITHIN: Duration = Duration::from_secs(10);

fn prepared() -> Prepared {
    BOATS.prepare(&BOATS.own_prompt().unwrap(), &Values::default().with("talk", "Two boats.")).unwrap()
}

fn model(provider: ChatProvider, url: &str) -> Model {
    let settings = ModelSettings { api_key: Some(KEY.to_owned()), ..settings(provider, url) };
    Model::new(&settings, NAMES).unwrap()
}

fn asked(provider: ChatProvider, server: &Server) -> Result<Said, ModelError> {
    model(provider, &server.url).ask(&Question::of(&prepared(), WITHIN))
}

/// A server that replies so to each request in turn, and with the last one from then on.
fn replies(replies: Vec<Reply>) -> Server {
    Server::new(move |number, _| Some(replies[number.min(replies.len() - 1)].clone()))
}

#[test]
fn openai_is_told_the_schema_and_says_what_it_took() {
    let server = replies(vec![Reply::said_for(RIGHT, 61, 7)]);
    let said = asked(ChatProvider::OpenAi, &server).unwrap();
    assert_eq!((said.tokens.input, said.tokens.output, said.tokens.are_estimated), (61, 7, false));
    assert_eq!(prepared().read(&said.text).unwrap(), json!({ "count": 2 }));
    let body = server.requests()[0].body.clone();
    assert_eq!(body["messages"][0], json!({ "role": "system", "content": "You count boats." }));
    assert_eq!(
        body["messages"][1],
        json!({ "role": "user", "content": "How many?\n\n<talk>\nTwo boats.\n</talk>" })
    );
    let format = &body["response_format"];
    assert_eq!((&format["type"], &format["json_schema"]["strict"]), (&json!("json_schema"), &json!(true)));
    let properties = &format["json_schema"]["schema"]["properties"];
    assert_eq!(properties, &json!({ "count": { "type": "integer" } }), "sizes are checked here");
    let ollama = replies(vec![Reply::said(RIGHT)]);
    let said = asked(ChatProvider::Ollama, &ollama).unwrap();
    assert!(said.tokens.are_estimated && said.tokens.input > 10 && said.tokens.output > 2, "{said:?}");
    assert_eq!(ollama.requests()[0].body["response_format"]["type"], "json_schema");
}

#[test]
fn a_server_that_knows_less_is_asked_for_less_and_it_is_remembered() {
    fn refusal(request: &Request) -> Option<&'static str> {
        let has = |name: &str| request.body.get(name).is_some();
        match () {
            () if has("max_tokens") => Some("Unsupported parameter: use 'max_completion_tokens'"),
            () if has("temperature") => Some("'temperature' does not support 0 with this model"),
            () if has("response_format") => Some("response_format is not supported"),
            () => None,
        }
    }
    let server = Server::new(|_, request| {
        Some(refusal(request).map_or(Reply::said(RIGHT), |why| Reply::status(400, why)))
    });
    let model = model(ChatProvider::OpenAi, &server.url);
    let prepared = prepared();
    model.ask(&Question::of(&prepared, WITHIN)).unwrap();
    assert_eq!(server.requests().len(), 4);
    model.ask(&Question::of(&prepared, WITHIN)).unwrap();
    let requests = server.requests();
    assert_eq!(requests.len(), 5, "what was learned stays");
    let prompt = requests[4].body["messages"][1]["content"].as_str().unwrap();
    assert!(prompt.contains("one JSON object") && prompt.contains("\"minimum\":0"), "{prompt}");
    let stubborn =
        replies(vec![Reply::status(400, "response_format, temperature, max_completion_tokens: no")]);
    assert!(asked(ChatProvider::OpenAi, &stubborn).unwrap_err().to_string().contains("status 400"));
    assert_eq!(stubborn.requests().len(), 4, "not for ever");
}

#[test]
fn anthropic_answers_through_its_only_tool() {
    let given = json!([
        { "type": "text", "text": "I count." },
        { "type": "tool_use", "id": "t", "name": "count-boats", "input": { "count": 2 } },
    ]);
    let server = replies(vec![Reply::message(&given, "tool_use")]);
    let said = asked(ChatProvider::Anthropic, &server).unwrap();
    assert_eq!(prepared().read(&said.text).unwrap(), json!({ "count": 2 }));
    assert_eq!((said.tokens.input, said.tokens.output, said.tokens.are_estimated), (150, 40, false));
    let request = &server.requests()[0];
    assert_eq!((request.path.as_str(), request.header("x-api-key")), ("/v1/messages", Some(KEY)));
    assert_eq!((request.header("anthropic-version"), &request.authorization), (Some("2023-06-01"), &None));
    let body = &request.body;
    assert_eq!((&body["model"], &body["max_tokens"]), (&json!("claude-haiku-4-5"), &json!(20)));
    assert_eq!((&body["system"], &body["messages"][0]["role"]), (&json!("You count boats."), &json!("user")));
    assert_eq!(body["tool_choice"], json!({ "type": "tool", "name": "count-boats" }));
    assert_eq!(body["tools"][0]["input_schema"]["additionalProperties"], json!(false));
}

#[test]
fn anthropic_may_answer_in_words_refuse_or_be_overloaded() {
    let words = json!([{ "type": "text", "text": format!("Sure:\n{RIGHT}") }]);
    let overloaded = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let server = replies(vec![
        Reply::status(529, overloaded),
        Reply::status(400, "temperature is not supported by this model"),
        Reply::message(&words, "end_turn"),
    ]);
    let said = asked(ChatProvider::Anthropic, &server).unwrap();
    assert_eq!(prepared().read(&said.text).unwrap()["count"], 2);
    assert_eq!(server.requests().len(), 3);
    let refusing = replies(vec![Reply::message(&json!([]), "refusal")]);
    let error = asked(ChatProvider::Anthropic, &refusing).unwrap_err();
    assert!(matches!(&error, ModelError::Unwilling { tokens, .. } if tokens.input == 150), "{error}");
    for (reply, why) in [
        (Reply::message(&json!([]), "end_turn"), "there is no text in it"),
        (Reply::ok(&json!("hello")), "there is no text in it"),
        (Reply::status(401, &format!("invalid x-api-key {KEY}")), "invalid x-api-key [key]"),
        (Reply::status(404, "model: no-such"), "status 404"),
    ] {
        let error = asked(ChatProvider::Anthropic, &replies(vec![reply])).unwrap_err();
        assert!(error.to_string().contains(why), "{why}: {error}");
        assert!(!format!("{error:?}").contains(KEY), "{error:?}");
    }
}

#[test]
fn odd_answers_are_read_where_they_are_clear_and_refused_where_not() {
    let read = |text: &str| {
        let server = replies(vec![Reply::said(text)]);
        prepared().read(&asked(ChatProvider::OpenAi, &server).unwrap().text)
    };
    let right: Result<Value, Unusable> = Ok(json!({ "count": 2 }));
    for text in
        ["Sure! Here it is:\n\n{\"count\": 2}\n\nAnything else?", "```json\n{\"count\": 2}\n```", RIGHT]
    {
        assert_eq!(read(text), right, "{text}");
    }
    assert_eq!(read("{\"count\": "), Err(Unusable::CutOff));
    assert_eq!(read("As an AI I cannot count boats."), Err(Unusable::Refusal));
    assert_eq!(read(""), Err(Unusable::Empty));
    for unfit in ["{\"count\": \"2\"}", "{\"count\": -1}", "{\"boats\": 2}", "{}"] {
        assert!(matches!(read(unfit), Err(Unusable::Unfit(_))), "{unfit}");
    }
    let parts = json!({ "choices": [{ "message": { "content": [
        { "type": "text", "text": "{\"count\":" }, { "type": "text", "text": " 2}" },
    ] } }] });
    let server = replies(vec![Reply::ok(&parts)]);
    assert_eq!(prepared().read(&asked(ChatProvider::OpenAi, &server).unwrap().text), right);
}

#[test]
fn a_provider_that_names_a_pause_is_left_alone_for_so_long() {
    let busy = |headers: Vec<(&'static str, String)>| Reply { headers, ..Reply::status(429, "slow down") };
    let named = |name: &'static str, value: &str| (name, value.to_owned());
    for (headers, least) in [
        (vec![named("retry-after", "1")], 1_000),
        (vec![named("retry-after-ms", "300"), named("retry-after", "9")], 300),
        (
            vec![
                named("date", "Sun, 01 Mar 2026 09:00:00 GMT"),
                named("retry-after", "Sun, 01 Mar 2026 09:00:01 GMT"),
            ],
            1_000,
        ),
    ] {
        let server = replies(vec![busy(headers), Reply::said(RIGHT)]);
        let began = std::time::Instant::now();
        asked(ChatProvider::OpenAi, &server).unwrap();
        assert!(began.elapsed() >= Duration::from_millis(least), "{:?}", began.elapsed());
    }
    let long = replies(vec![busy(vec![named("retry-after", "3600")])]);
    assert!(asked(ChatProvider::OpenAi, &long).unwrap_err().to_string().contains("status 429"));
    assert_eq!(long.requests().len(), 1, "an hour is not waited for");
}

#[test]
fn slow_bytes_end_with_the_time_and_may_have_cost_something() {
    let slow = Reply { per_byte: Duration::from_millis(50), ..Reply::said(RIGHT) };
    let server = replies(vec![slow]);
    let task = prepared();
    let question = Question::of(&task, Duration::from_millis(300));
    let error = model(ChatProvider::OpenAi, &server.url).ask(&question).unwrap_err();
    assert!(error.to_string().contains("no answer within 0.3 s"), "{error}");
    let tokens = error.tokens(&question);
    assert!(tokens.input == question.tokens() && tokens.are_estimated, "{tokens:?}");
    let refused = replies(vec![Reply::status(401, "no")]);
    let error = asked(ChatProvider::OpenAi, &refused).unwrap_err();
    assert_eq!(error.tokens(&question), rem_reason::Tokens::default(), "a refusal is free");
}

#[test]
fn a_proxy_that_opens_no_tunnel_is_named_as_the_reason() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // Read to its end: a connection closed on unread bytes is reset, and the refusal lost.
            let request = BufReader::new(&stream).lines().map_while(Result::ok);
            let _ = request.take_while(|line| !line.is_empty()).count();
            let _ = stream.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
        }
    });
    let mut elsewhere = settings(ChatProvider::OpenAi, "http://models.invalid:8080/v1");
    elsewhere.proxies.http = Some(proxy);
    let task = prepared();
    let error = Model::new(&elsewhere, NAMES).unwrap().ask(&Question::of(&task, WITHIN)).unwrap_err();
    let said = error.to_string();
    assert!(said.contains("the proxy opens no tunnel") && said.contains("no_proxy"), "{said}");
}

#[test]
fn a_provider_elsewhere_is_asked_through_the_proxy_and_one_here_is_not() {
    let proxy = replies(vec![Reply::said(RIGHT)]);
    let mut elsewhere = settings(ChatProvider::OpenAi, "http://models.invalid:8080/v1");
    elsewhere.proxies.http = Some(proxy.url.clone());
    let task = prepared();
    Model::new(&elsewhere, NAMES).unwrap().ask(&Question::of(&task, WITHIN)).unwrap();
    let request = &proxy.requests()[0];
    assert_eq!(request.through.as_deref(), Some("models.invalid:8080"));
    assert_eq!(request.path, "/v1/chat/completions");
    let here = replies(vec![Reply::said(RIGHT)]);
    let mut near = elsewhere.clone();
    near.url = here.url.clone();
    Model::new(&near, NAMES).unwrap().ask(&Question::of(&task, WITHIN)).unwrap();
    assert_eq!((proxy.requests().len(), here.requests().len()), (1, 1));
    elsewhere.proxies.http = Some("socks5://a.invalid".to_owned());
    assert!(Model::new(&elsewhere, NAMES).unwrap_err().to_string().contains("proxy"));
}

#[test]
fn a_program_is_asked_with_all_of_it_as_text_and_told_that_it_is_a_helper() {
    let folder = std::env::temp_dir();
    let asked_of = Mutex::new(String::new());
    let ask = |command: &str| {
        let said = Model::program(command, &folder).ask(&Question::of(&prepared(), WITHIN))?;
        asked_of.lock().unwrap().clone_from(&said.text);
        Ok::<_, ModelError>(prepared().read(&said.text))
    };
    assert_eq!(ask("echo \"{\\\"count\\\": $(grep -c -i boats)}\"").unwrap().unwrap()["count"], 2);
    ask("cat").unwrap().unwrap_err();
    assert_eq!(asked_of.lock().unwrap().as_str(), prepared().text());
    ask("echo $REM_ROLE").unwrap().unwrap_err();
    assert_eq!(asked_of.lock().unwrap().trim(), "sub");
    assert!(ask("exit 3").unwrap_err().to_string().contains("exit status: 3"));
    let named = Model::program("/usr/local/bin/claude -p --secret x", &folder);
    assert_eq!((named.name(), named.stays_here()), ("command:claude", false));
}
