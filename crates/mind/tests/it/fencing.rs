//! A block of code that is remembered ends where it ends.

use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberRequest};
use rem_testkit::Workspace;

const SNIPPET: &str = "The build snippet is:\n```sh\nmake all\n```";

#[test]
fn what_comes_after_a_block_of_code_is_still_remembered() {
    for store in [StoreKind::Core, StoreKind::Semantic, StoreKind::Vault] {
        let workspace = Workspace::new();
        let remember = |text: &str| {
            let request =
                RememberRequest { text: text.to_owned(), store: Some(store), ..RememberRequest::default() };
            workspace.memory().remember(&request).unwrap()
        };
        let snippet = remember(SNIPPET);
        for text in ["The gate code is 4411", "Left open:\n```\nmake", "Bo keeps the spare key"] {
            assert_eq!(remember(text).effect, Effect::Added, "{store:?} {text}");
        }
        assert_eq!(remember(SNIPPET).effect, Effect::Merged);
        let path = snippet.path.clone().unwrap();
        let page = workspace.text(path.as_str());
        assert!(!page.contains("``` <!--"), "{page}");
        let memory = workspace.memory();
        memory.forget(&[snippet.id], false).unwrap();
        workspace.assert_well();
        assert!(workspace.text(path.as_str()).contains("4411"));
    }
}

#[test]
fn a_page_that_an_earlier_version_left_open_is_named_and_mended() {
    let workspace = Workspace::new();
    let path = "memory/semantic/facts.md";
    let broken = "# Facts\n\n## Facts\n- snippet:\n  ```sh\n  make\n  ``` <!-- id:abc234 -->\n";
    workspace.write(path, broken);
    let memory = workspace.memory();
    memory.catch_up();
    let named = |memory: &rem_mind::Memory| {
        memory
            .verify()
            .unwrap()
            .findings
            .iter()
            .any(|finding| finding.message.contains("line 7: a comment after"))
    };
    assert!(named(memory));
    let request = RememberRequest {
        text: "The gate code is 4411".to_owned(),
        store: Some(StoreKind::Semantic),
        ..RememberRequest::default()
    };
    assert_eq!(memory.remember(&request).unwrap().effect, Effect::Added);
    assert_eq!(memory.mend_pages().unwrap(), [format!("put a comment below its code in {path}")]);
    assert!(!named(memory) && workspace.text(path).contains("  ```\n  <!-- id:abc234 -->\n"));
    assert!(memory.mend_pages().unwrap().is_empty());
}

#[test]
fn an_entity_whose_header_is_not_closed_is_named() {
    let workspace = Workspace::new();
    let path = "memory/graph/entities/concept--broken.md";
    workspace.write(
        path,
        "# Broken\n\n<!-- Type: concept | Label: Broken \n\n## Facts\n- Broken is written in Rust\n",
    );
    let memory = workspace.memory();
    memory.catch_up();
    let findings = memory.verify().unwrap().findings;
    let found = findings.iter().find(|finding| finding.message.contains("opened and not closed"));
    assert!(found.is_some_and(|found| found.path.as_deref() == Some(path)), "{findings:?}");
}
