//! Embedders against servers that speak the real protocols, well and badly.

use std::time::{Duration, Instant};

use rem_reason::http::Patience;
use rem_testkit::{Reply, Server, embedding_of as vector};
use serde_json::json;

use super::batch::Remote;
use super::ollama::Ollama;
use super::openai::OpenAi;
use super::*;

const KEY: &str = "sk-test-0123456789";

fn settings(provider: Provider, url: &str) -> EmbedderSettings {
    EmbedderSettings {
        provider,
        model: String::new(),
        dimensions: 0,
        url: url.to_owned(),
        folder: PathBuf::new(),
        api_key: None,
        proxies: Proxies::default(),
    }
}

fn quick() -> Patience {
    Patience {
        connect: Duration::from_secs(2),
        total: Duration::from_secs(20),
        overall: Duration::MAX,
        attempts: 3,
        pause: Duration::from_millis(1),
        longest_pause: Duration::from_secs(2),
        longest_answer: 1 << 20,
    }
}

fn ollama(url: &str) -> Remote<Ollama> {
    Remote::new(Ollama, &settings(Provider::Ollama, url)).expect("good settings").with_patience(quick())
}

fn openai(settings: &EmbedderSettings) -> Remote<OpenAi> {
    Remote::new(OpenAi, settings).expect("good settings").with_patience(quick())
}

#[test]
fn ollama_is_asked_in_batches_and_answers_in_order() {
    let server = Server::embedding(8);
    let embedder = settings(Provider::Ollama, &server.url).embedder().expect("good settings");
    assert_eq!(embedder.name(), "ollama:bge-m3");
    let mut texts: Vec<String> = (0..40).map(|number| format!("text number {number}")).collect();
    texts.push("long ".repeat(10_000));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embedder.embed(&texts, Purpose::Passage).expect("answers");
    assert_eq!(vectors.len(), 41);
    assert!(texts.iter().zip(&vectors).all(|(text, found)| *found == vector(text, 8)));
    let sizes: Vec<usize> = server.requests().iter().map(|request| request.texts().len()).collect();
    assert_eq!(sizes, [16, 16, 8, 1], "limited by number, and by characters");
    let first = &server.requests()[0];
    assert_eq!((first.path.as_str(), &first.body["model"]), ("/api/embed", &json!("bge-m3")));
}

#[test]
fn openai_gets_key_and_width_and_its_answers_are_put_in_order() {
    let server = Server::new(|_, request| {
        let mut data: Vec<_> = request
            .texts()
            .iter()
            .enumerate()
            .map(|(index, text)| json!({ "index": index, "embedding": vector(text, 4) }))
            .collect();
        data.reverse();
        Some(Reply::ok(&json!({ "object": "list", "data": data })))
    });
    let settings = EmbedderSettings {
        dimensions: 4,
        api_key: Some(KEY.to_owned()),
        ..settings(Provider::OpenAi, &format!("{}/v1/", server.url))
    };
    let embedder = openai(&settings);
    assert_eq!(embedder.name(), "openai:text-embedding-3-small@4");
    let vectors = embedder.embed(&["one", "two", "three"], Purpose::Query).expect("answers");
    assert_eq!(vectors, ["one", "two", "three"].map(|text| vector(text, 4)));
    let request = &server.requests()[0];
    assert_eq!(request.path, "/v1/embeddings");
    assert_eq!(request.authorization.as_deref(), Some("Bearer sk-test-0123456789"));
    assert_eq!(request.body["dimensions"], 4);
    assert!(!format!("{settings:?}").contains(KEY));
}

#[test]
fn a_busy_provider_is_asked_again_when_it_says() {
    let server = Server::new(|number, _| match number {
        0 => {
            Some(Reply { headers: vec![("retry-after", "1".to_owned())], ..Reply::status(429, "slow down") })
        }
        1 => None,
        _ => Some(Reply::ok(&json!({ "embeddings": [[1.0, 2.0]] }))),
    });
    let began = Instant::now();
    let vectors = ollama(&server.url).embed(&["x"], Purpose::Passage).expect("answers in the end");
    assert_eq!(vectors, [[1.0, 2.0]]);
    assert!(began.elapsed() >= Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!(server.requests().len(), 3, "busy, then hung up, then answered");
}

#[test]
fn a_provider_that_keeps_failing_is_given_up_and_one_that_wants_more_time_than_there_is_at_once() {
    let server = Server::new(|_, _| Some(Reply::status(500, "out of memory")));
    let error = ollama(&server.url).embed(&["x"], Purpose::Passage).expect_err("fails");
    assert!(matches!(error, EmbedError::Refused { status: 500, .. }), "{error}");
    assert_eq!(server.requests().len(), 3);

    let server = Server::new(|_, _| {
        Some(Reply { headers: vec![("retry-after", "3600".to_owned())], ..Reply::status(429, "") })
    });
    assert!(ollama(&server.url).embed(&["x"], Purpose::Query).is_err());
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn no_message_holds_a_key() {
    let server = Server::new(|_, request| {
        let key = request.authorization.clone().unwrap_or_default();
        Some(Reply::status(401, &format!("wrong key {key} aka sk-te***6789\n{}", "more ".repeat(500))))
    });
    let settings =
        EmbedderSettings { api_key: Some(KEY.to_owned()), ..settings(Provider::OpenAi, &server.url) };
    let message = openai(&settings).embed(&["x"], Purpose::Query).expect_err("refused").to_string();
    assert!(!message.contains("sk-t") && message.contains("401") && message.len() < 400, "{message}");
    assert_eq!(server.requests().len(), 1, "a refusal is final");
}

#[test]
fn vectors_that_are_not_what_was_asked_for_are_refused() {
    let answers = [
        json!({ "embeddings": [[1.0, 2.0], [1.0]] }),
        json!({ "embeddings": [[1.0, 2.0]] }),
        json!({ "embeddings": [[1.0, null], [1.0, 2.0]] }),
        json!({ "embeddings": [[1.0, 1e300], [1.0, 2.0]] }),
        json!({ "embeddings": [[], []] }),
        json!({ "embeddings": "none" }),
        json!([]),
    ];
    for answer in answers {
        let shown = answer.to_string();
        let server = Server::new(move |_, _| Some(Reply::ok(&answer)));
        let error = ollama(&server.url).embed(&["x", "y"], Purpose::Passage).expect_err(&shown);
        let is_right = match error {
            EmbedError::Dimensions { expected, found, .. } => (expected, found) == (2, 1),
            EmbedError::Malformed { .. } => true,
            _ => false,
        };
        assert!(is_right, "{shown}: {error}");
    }
    let server = Server::new(|_, _| Some(Reply::status(200, "[NaN]")));
    let error = ollama(&server.url).embed(&["x"], Purpose::Passage).expect_err("no JSON");
    assert!(matches!(error, EmbedError::Malformed { .. }), "{error}");

    let server = Server::embedding(8);
    let settings = EmbedderSettings { dimensions: 9, ..settings(Provider::Ollama, &server.url) };
    let error = settings.embedder().expect("good").embed(&["x"], Purpose::Passage).expect_err("too narrow");
    assert!(matches!(error, EmbedError::Dimensions { expected: 9, found: 8, .. }), "{error}");
}

#[test]
fn what_is_too_much_is_halved_and_a_long_text_is_shortened() {
    let server = Server::new(|_, request| {
        let texts = request.texts();
        let characters: usize = texts.iter().map(String::len).sum();
        if characters > 1_500 {
            return Some(Reply::status(400, "the input is too long"));
        }
        Some(Reply::ok(
            &json!({ "embeddings": texts.iter().map(|text| vector(text, 4)).collect::<Vec<_>>() }),
        ))
    });
    let long = "x".repeat(4_000);
    let vectors = ollama(&server.url).embed(&["a", &long, "b"], Purpose::Passage).expect("answers");
    assert_eq!((&vectors[0], &vectors[2]), (&vector("a", 4), &vector("b", 4)));
    assert_eq!(vectors[1], vector(&long[..1_000], 4));

    let never = Server::new(|_, _| Some(Reply::status(400, "no")));
    assert!(ollama(&never.url).embed(&["a", "b"], Purpose::Passage).is_err());
}

#[test]
fn a_slow_provider_is_not_waited_for() {
    let server = Server::new(|_, _| {
        Some(Reply { after: Duration::from_secs(3), ..Reply::ok(&json!({ "embeddings": [[1.0]] })) })
    });
    let patience = Patience { total: Duration::from_millis(200), ..quick() };
    let embedder = ollama(&server.url).with_patience(patience);
    let began = Instant::now();
    let error = embedder.embed(&["x"], Purpose::Query).expect_err("too slow");
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    assert!(error.to_string().contains("no answer within 0.2 s"), "{error}");
}

#[test]
fn settings_that_would_give_a_key_away_are_refused() {
    let made = |url: &str, key: Option<&str>| {
        let settings =
            EmbedderSettings { api_key: key.map(str::to_owned), ..settings(Provider::OpenAi, url) };
        settings.embedder().map(drop)
    };
    for url in
        ["http://example.invalid/v1", "ftp://localhost", "localhost:8080", "https://u:p@example.invalid"]
    {
        let error = made(url, Some(KEY)).expect_err(url).to_string();
        assert!(error.contains("embeddings.url") && !error.contains(KEY), "{error}");
    }
    for url in ["http://localhost:1/v1", "http://127.0.0.1:1", "http://[::1]:1", "https://example.invalid"] {
        made(url, Some(KEY)).expect(url);
    }
    made("http://example.invalid", None).expect("nothing secret");
}

#[test]
fn an_encrypted_provider_is_reached_and_a_stranger_is_not() {
    let certified = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
    let key = rustls::pki_types::PrivateKeyDer::Pkcs8(certified.signing_key.serialize_der().into());
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .expect("fits");
    let config = std::sync::Arc::new(config);
    let server = Server::over(
        "https",
        |_, _| Some(Reply::ok(&json!({ "embeddings": [[1.0, 0.5]] }))),
        move |stream| {
            let connection = rustls::ServerConnection::new(config.clone()).expect("a good configuration");
            Box::new(rustls::StreamOwned::new(connection, stream))
        },
    );
    let root = certified.cert.der();
    let trusting = ollama(&server.url).with_client(|client| client.with_roots(&[root]));
    assert_eq!(trusting.embed(&["x"], Purpose::Query).expect("answers"), [[1.0, 0.5]]);
    let error = ollama(&server.url).embed(&["x"], Purpose::Query).expect_err("nobody vouches for it");
    assert!(matches!(error, EmbedError::Unreachable { .. }), "{error}");
}

#[test]
fn models_that_want_a_prefix_get_it() {
    assert_eq!(prefix("multilingual-e5-small", Purpose::Query), "query: ");
    assert_eq!(prefix("E5-base-v2", Purpose::Passage), "passage: ");
    assert_eq!(prefix("e5-mistral-7b-instruct", Purpose::Query), "");
    assert_eq!(prefix("nomic-embed-text:latest", Purpose::Passage), "search_document: ");
    assert_eq!(prefix("bge-m3", Purpose::Query), "");
}
