//! Searching with a provider's vectors: encoded once, never mixed, and done without where there is nobody.

use super::*;
use crate::encode::width;
use rem_testkit::{Reply, Server, embedding_of as vector};
use serde_json::json;

fn embedder(url: &str, model: &str) -> Box<dyn Embedder> {
    let settings = EmbedderSettings {
        provider: Provider::Ollama,
        model: model.to_owned(),
        dimensions: 0,
        url: url.to_owned(),
        folder: PathBuf::new(),
        api_key: None,
        proxies: rem_reason::proxy::Proxies::default(),
    };
    settings.embedder().expect("good settings")
}

fn refreshed(store: &Store) -> Index {
    let mut index = Index::open(&store.database(), LIMIT).expect("opens");
    index.refresh(&every(&store.sources()), &mut |_| {}).expect("refreshes");
    index
}

fn encode_all(index: &mut Index, embedder: &dyn Embedder) -> Encoded {
    index.encode(embedder, &mut |_| {}, None).expect("encodes")
}

fn ask(index: &mut Index, store: &Store, text: &str, embedder: &dyn Embedder) -> Answer {
    let query = Query { text: text.to_owned(), min_score: 0.0, ..Query::default() };
    index.recall(&every(&store.sources()), &query, Some(embedder), &mut |_| {}).expect("answers").0
}

/// The embedders that have vectors in the index, with how many.
fn kept(index: &Index) -> Vec<(String, u32)> {
    index
        .connection
        .prepare("SELECT embedder, count(*) FROM embeddings GROUP BY embedder ORDER BY embedder")
        .expect("prepares")
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("queries")
        .collect::<Result<_, _>>()
        .expect("reads")
}

/// More passages than one search encodes by itself.
fn large() -> Store {
    let mut store = Store::new(&[]);
    for number in 0..70 {
        store.write(&format!("notes/{number:02}.md"), format!("note {number} of many\n").as_bytes());
    }
    store
}

#[test]
fn an_encoded_store_is_searched_by_its_provider() {
    let (server, store) = (Server::embedding(64), sample());
    let mut index = refreshed(&store);
    let provider = embedder(&server.url, "m");
    let encoded = encode_all(&mut index, provider.as_ref());
    assert!(encoded.done == encoded.total && encoded.total > 5, "{encoded:?}");
    assert_eq!(index.encoded("ollama:m").expect("reads"), encoded);
    let answer = ask(&mut index, &store, "Atlas launch", provider.as_ref());
    assert_eq!(answer.freshness.embedder.as_deref(), Some("ollama:m"));
    assert_eq!((answer.freshness.dimensions, answer.freshness.embedder_notice), (Some(64), None));
    assert_eq!(answer.results[0].path, "entity/project--atlas.md");
    let by_meaning = Query {
        text: "Migration plan agreed with the database team".into(),
        mode: Mode::Vector,
        min_score: 0.0,
        ..Query::default()
    };
    let answer = index.search(&by_meaning, Some(provider.as_ref())).expect("answers");
    assert_eq!(answer.results[0].path, "journal/2026-03-19.md");
    let sent = server.requests().len();
    let by_words = Query { mode: Mode::Keyword, ..by_meaning };
    index.search(&by_words, Some(provider.as_ref())).expect("answers");
    assert_eq!(server.requests().len(), sent, "a search by words asks nobody");
}

#[test]
fn editing_one_section_sends_one_text_and_moving_a_file_none() {
    let (server, mut store) = (Server::embedding(16), sample());
    store.write("notes/two.md", b"# Two\n\n## First\nalpha\n\n## Second\nbeta\n");
    let provider = embedder(&server.url, "m");
    let mut index = refreshed(&store);
    encode_all(&mut index, provider.as_ref());
    let before = server.requests().len();
    assert_eq!(
        encode_all(&mut index, provider.as_ref()).done,
        index.encoded("ollama:m").expect("reads").total
    );
    assert_eq!(server.requests().len(), before, "nothing is missing, nobody is asked");

    store.write("notes/two.md", b"# Two\n\n## First\nalpha\n\n## Second\ngamma delta\n");
    let mut index = refreshed(&store);
    encode_all(&mut index, provider.as_ref());
    assert_eq!(server.texts(before), ["Two\n## Second\ngamma delta"]);

    let content = store.files["notes/two.md"].clone();
    store.remove("notes/two.md");
    store.write("elsewhere/two.md", &content);
    let mut index = refreshed(&store);
    let encoded = encode_all(&mut index, provider.as_ref());
    assert_eq!(server.requests().len(), before + 1);
    assert_eq!(
        kept(&index),
        [("ollama:m".to_owned(), u32::try_from(encoded.total).expect("few"))],
        "the old text's vector is gone"
    );
}

#[test]
fn a_turn_is_embedded_with_the_end_of_the_turn_before() {
    let server = Server::embedding(16);
    let long = format!("{}the very end", "x".repeat(300));
    let talk = format!("# Talk\n\n## 18:45 — user\n{long}\n\n## 18:46 — agent\nyes\n");
    let store = Store::new(&[("talk/1.md", &talk)]);
    let mut index = refreshed(&store);
    encode_all(&mut index, embedder(&server.url, "m").as_ref());
    let texts = server.texts(0);
    assert_eq!(texts[0], "# Talk");
    assert_eq!(texts[1], long, "the title is no turn");
    let tail: String = long.chars().skip(long.chars().count() - 200).collect();
    assert_eq!(texts[2], format!("{tail}\nyes"));
}

#[test]
fn few_new_passages_are_encoded_by_the_search_and_many_are_left() {
    let (server, mut store) = (Server::embedding(16), large());
    let provider = embedder(&server.url, "m");
    let mut index = Index::open(&store.database(), LIMIT).expect("opens");
    let answer = ask(&mut index, &store, "note 7", provider.as_ref());
    let notice = answer.freshness.embedder_notice.expect("a notice");
    assert!(notice.starts_with("0 of 70 passages are encoded by ollama:m"), "{notice}");
    assert!(notice.contains("`rem index`") && server.requests().is_empty(), "{notice}");
    assert_eq!(answer.freshness.embedder.as_deref(), Some(Builtin::NAME));
    assert!(!answer.results.is_empty());

    encode_all(&mut index, provider.as_ref());
    store.write("notes/new.md", b"something else entirely\n");
    let before = server.requests().len();
    let answer = ask(&mut index, &store, "entirely", provider.as_ref());
    assert_eq!(answer.freshness.embedder.as_deref(), Some("ollama:m"));
    assert_eq!(answer.results[0].path, "notes/new.md");
    assert_eq!(server.texts(before), ["entirely", "something else entirely"]);
}

#[test]
fn where_nobody_answers_the_built_in_model_does_and_says_so() {
    let store = sample();
    let server = Server::embedding(16);
    let provider = embedder(&server.url, "m");
    let mut index = refreshed(&store);
    encode_all(&mut index, provider.as_ref());
    let expected =
        index.search(&Query { text: "Atlas launch".into(), min_score: 0.0, ..Query::default() }, None);
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        format!("http://{}", listener.local_addr().expect("bound"))
    };
    let away = embedder(&closed, "m");
    let answer = ask(&mut index, &store, "Atlas launch", away.as_ref());
    let notice = answer.freshness.embedder_notice.expect("a notice");
    assert!(
        notice.starts_with(&format!("ollama:m is not reachable at {closed}/api/embed"))
            && notice.ends_with("the built-in model answered"),
        "{notice}"
    );
    assert_eq!(answer.freshness.embedder.as_deref(), Some(Builtin::NAME));
    assert_eq!(answer.results, expected.expect("answers").results);
    assert!(matches!(
        index.encode(embedder(&closed, "other").as_ref(), &mut |_| {}, None),
        Err(EncodeError::Embed(EmbedError::Unreachable { .. }))
    ));
    assert_eq!(kept(&index).len(), 1, "a provider that is away takes no vectors with it");
}

#[test]
fn another_model_encodes_anew_and_vectors_are_never_mixed() {
    let (server, store) = (Server::embedding(16), large());
    let mut index = refreshed(&store);
    encode_all(&mut index, embedder(&server.url, "one").as_ref());
    let other = embedder(&server.url, "two");
    let answer = ask(&mut index, &store, "note 7", other.as_ref());
    assert_eq!(answer.freshness.embedder.as_deref(), Some(Builtin::NAME), "one's vectors are not two's");
    index.encode(other.as_ref(), &mut |_| {}, Some(10)).expect("encodes");
    assert_eq!(kept(&index), [("ollama:one".to_owned(), 70), ("ollama:two".to_owned(), 10)]);
    encode_all(&mut index, other.as_ref());
    assert_eq!(kept(&index), [("ollama:two".to_owned(), 70)]);
    let answer = ask(&mut index, &store, "note 7", other.as_ref());
    assert_eq!(answer.freshness.embedder.as_deref(), Some("ollama:two"));
}

#[test]
fn a_model_that_changed_its_width_under_the_same_name_is_noticed() {
    let (narrow, wide, store) = (Server::embedding(16), Server::embedding(32), large());
    let mut index = refreshed(&store);
    encode_all(&mut index, embedder(&narrow.url, "m").as_ref());
    let changed = embedder(&wide.url, "m");
    let answer = ask(&mut index, &store, "note 7", changed.as_ref());
    let notice = answer.freshness.embedder_notice.expect("a notice");
    assert!(notice.contains("16 numbers before and gives 32 now"), "{notice}");
    let encoded = encode_all(&mut index, changed.as_ref());
    assert_eq!((encoded.done, width(&index.connection, "ollama:m").expect("reads")), (70, Some(32)));

    // The same found by encoding itself, half way.
    let store = large();
    let mut index = refreshed(&store);
    index.encode(embedder(&narrow.url, "m").as_ref(), &mut |_| {}, Some(20)).expect("encodes");
    assert_eq!(encode_all(&mut index, changed.as_ref()).done, 70);
    assert_eq!(width(&index.connection, "ollama:m").expect("reads"), Some(32));
}

#[test]
fn encoding_goes_on_where_it_was_stopped() {
    let store = large();
    let failing = Server::new(|number, request| {
        let vectors: Vec<_> = request.texts().iter().map(|text| vector(text, 8)).collect();
        Some(if number < 3 {
            Reply::ok(&json!({ "embeddings": vectors }))
        } else {
            Reply::status(404, "gone")
        })
    });
    let mut seen = Vec::new();
    let mut index = refreshed(&store);
    let stopped =
        index.encode(embedder(&failing.url, "m").as_ref(), &mut |progress| seen.push(progress.done), None);
    assert!(matches!(stopped, Err(EncodeError::Embed(EmbedError::Refused { status: 404, .. }))));
    drop(index);
    assert_eq!(seen, [4, 8, 12]);

    let server = Server::embedding(8);
    let mut index = refreshed(&store);
    assert_eq!(index.encoded("ollama:m").expect("reads"), Encoded { done: 12, total: 70 });
    assert_eq!(encode_all(&mut index, embedder(&server.url, "m").as_ref()).done, 70);
    assert_eq!(server.texts(0).len(), 58, "what was done is not done again");
}
