//! Searching with a provider that CONFIG.md names, and what a CONFIG.md from a stranger may not do.

use std::sync::{Arc, Mutex};

use jiff::SignedDuration;
use rem_mind::Memory;
use rem_mind::identity::CorrectRequest;
use rem_mind::jobs::Job;
use rem_mind::recall::{Answer, Builtin};
use rem_testkit::{Server, Workspace, machine_time};

const KEY: &str = "a key that nobody sees";

/// A workspace with three notes that asks this provider.
fn workspace(provider: &str, url: &str) -> Workspace {
    let mut workspace = Workspace::new();
    workspace.write("memory/2026-02-01.md", "# Pottery\n\nThe kiln reaches cone six on Tuesdays.\n");
    workspace.write("memory/2026-02-02.md", "# Garden\n\nThe roses want less water.\n");
    workspace.write("memory/2026-02-03.md", "# Boat\n\nThe keel is painted red.\n");
    workspace.memory().catch_up();
    workspace.set("embeddings.provider", provider);
    if url.contains('@') {
        // By hand: no command takes it.
        workspace.set("embeddings.url", "http://replaced.invalid");
        workspace.write("CONFIG.md", workspace.text("CONFIG.md").replace("http://replaced.invalid", url));
    } else {
        workspace.set("embeddings.url", url);
    }
    workspace
}

fn recall(memory: &Memory) -> Answer {
    memory.recall(&memory.query("kiln"), machine_time(), &mut |_| {}).unwrap()
}

/// The façade with an environment of its own, and the names of the variables that were read.
fn surrounded(workspace: &Workspace, trusts_providers: bool) -> (Memory, Arc<Mutex<Vec<String>>>) {
    let read = Arc::new(Mutex::new(Vec::new()));
    let names = read.clone();
    let memory = workspace.open_with(|mut options| {
        options.trusts_providers = trusts_providers;
        options.secret = Arc::new(move |name| {
            names.lock().unwrap().push(name.to_owned());
            Some(KEY.to_owned())
        });
        options
    });
    (memory, read)
}

/// The built-in model answers, and the notice says what to do.
fn assert_refused(memory: &Memory, what: &str) {
    let answer = recall(memory);
    assert!(answer.results[0].path.ends_with("2026-02-01.md"));
    assert_eq!(answer.freshness.embedder.as_deref(), Some(Builtin::NAME));
    let notice = answer.freshness.embedder_notice.unwrap();
    for part in [what, "REM_TRUST_PROVIDERS=1", "the built-in model answered"] {
        assert!(notice.contains(part), "{part}: {notice}");
    }
    assert!(!notice.contains(KEY), "{notice}");
    let encoding = memory.encode(&mut |_| {}).unwrap().unwrap();
    assert_eq!((encoding.done, encoding.embedder.as_str()), (0, ""));
    assert!(encoding.error.unwrap().contains("REM_TRUST_PROVIDERS=1"));
}

#[test]
fn a_provider_on_this_machine_needs_no_trust_and_answers_what_it_encoded() {
    let provider = Server::embedding(16);
    let workspace = workspace("ollama", &provider.url);
    let memory = workspace.open();
    recall(&memory);
    let encoding = memory.encode(&mut |_| {}).unwrap().unwrap();
    assert_eq!((encoding.embedder.as_str(), encoding.error), ("ollama:bge-m3", None));
    assert!(encoding.done >= 3 && encoding.done == encoding.total, "{}", encoding.done);
    let answer = recall(&memory);
    assert!(answer.results[0].path.ends_with("2026-02-01.md"));
    assert_eq!(answer.freshness.embedder.as_deref(), Some("ollama:bge-m3"));
    assert_eq!((answer.freshness.dimensions, answer.freshness.embedder_notice), (Some(16), None));
    assert!(
        provider.requests().iter().all(|asked| asked.path == "/api/embed" && asked.authorization.is_none())
    );
}

#[test]
fn vectors_of_what_was_corrected_long_ago_go_and_those_of_texts_that_are_no_more() {
    let provider = Server::embedding(16);
    let workspace = workspace("ollama", &provider.url);
    let memory = workspace.open();
    let said = || {
        recall(&memory);
        let encoding = memory.encode(&mut |_| {}).unwrap().unwrap();
        (encoding.done, encoding.total)
    };
    let tidy = || memory.run_job(Job::VectorHygiene, machine_time()).unwrap().said;
    let (all, _) = said();
    assert_eq!(tidy(), "no vector to drop");
    let correction = CorrectRequest {
        wrong: Some("The keel is painted red".to_owned()),
        right: "The keel is painted blue".to_owned(),
        ..CorrectRequest::default()
    };
    memory.correct(&correction).unwrap();
    let (done, total) = said();
    assert!(done == total && total > all, "the correction is encoded as well");
    assert_eq!(tidy(), "no vector to drop", "it may be a mistake");
    workspace.advance(SignedDuration::from_hours(24 * 9));
    assert_eq!(tidy(), "1 vectors dropped; 1 passages say only what was corrected");
    let asked = provider.requests().len();
    assert_eq!(said(), (total - 1, total - 1));
    assert_eq!(provider.requests().len(), asked + 1, "only the question is encoded");
    assert!(recall(&memory).results.iter().all(|hit| !hit.text.contains("painted red")));
}

#[test]
fn no_text_goes_to_another_machine_on_the_word_of_config_md() {
    for (provider, url, shown) in [
        ("ollama", "http://provider.invalid", "http://provider.invalid"),
        ("ollama", "http://127.0.0.1@provider.invalid", "provider.invalid"),
        ("ollama", "http://127.0.0.1.provider.invalid", "127.0.0.1.provider.invalid"),
        ("ollama", "http://provider.invalid#@127.0.0.1/", "provider.invalid"),
        ("ollama", "http://0.0.0.0:11434", "0.0.0.0"),
        ("openai", "https://provider.invalid/v1", "provider.invalid"),
        ("openai", "", "the provider"),
    ] {
        assert_refused(&workspace(provider, url).open(), shown);
    }
}

#[test]
fn a_notice_does_not_pass_on_what_a_terminal_obeys() {
    let workspace = workspace("openai", "http://provider.invalid/\u{1b}[2J");
    let notice = recall(&workspace.open()).freshness.embedder_notice.unwrap();
    assert!(!notice.contains('\u{1b}') && notice.contains("\\u{1b}[2J"), "{notice}");
}

#[test]
fn no_key_is_read_on_the_word_of_config_md() {
    let provider = Server::embedding(16);
    let mut workspace = workspace("openai", &provider.url);
    workspace.set("embeddings.api_key_variable", "CLOUD_PASSWORD");
    let (memory, read) = surrounded(&workspace, false);
    assert_refused(&memory, "the key in CLOUD_PASSWORD");
    assert_eq!(*read.lock().unwrap(), [""; 0]);
    assert!(provider.requests().is_empty(), "{:?}", provider.requests());
}

#[test]
fn a_trusted_workspace_names_its_provider_and_its_key() {
    let provider = Server::embedding(16);
    let mut workspace = workspace("openai", &provider.url);
    workspace.set("embeddings.api_key_variable", "PROVIDER_KEY");
    let (memory, read) = surrounded(&workspace, true);
    recall(&memory);
    let encoding = memory.encode(&mut |_| {}).unwrap().unwrap();
    assert_eq!((encoding.done, encoding.error), (encoding.total, None));
    assert_eq!(recall(&memory).freshness.embedder.as_deref(), Some("openai:text-embedding-3-small"));
    assert_eq!(*read.lock().unwrap(), ["PROVIDER_KEY"]);
    let bearer = format!("Bearer {KEY}");
    assert!(provider.requests().iter().all(|asked| asked.authorization.as_deref() == Some(&bearer)));
}

#[test]
fn a_trusted_workspace_reaches_out() {
    let workspace = workspace("openai", "https://provider.invalid/v1");
    let (memory, _) = surrounded(&workspace, true);
    let notice = recall(&memory).freshness.embedder_notice.unwrap();
    let error = memory.encode(&mut |_| {}).unwrap().unwrap().error.unwrap();
    let expected = "not reachable at https://provider.invalid/v1/embeddings";
    assert!(notice.contains(expected) && error.contains(expected), "{notice} {error}");
}
