//! Tests of documents: the byte-exact inverse, typed reading, and changes that move nothing else.

use proptest::prelude::*;

use super::{Document, DocumentError, Section, Value};

fn doc(text: &str) -> Document {
    Document::parse(text.as_bytes())
}

fn rendered(document: &Document) -> String {
    String::from_utf8(document.render()).unwrap()
}

#[test]
fn front_matter_and_body_are_split_at_the_closing_fence() {
    let document = doc("---\ntype: memory\n---\n# Core\n---\n");
    assert_eq!(document.front_matter(), Some(b"type: memory\n".as_slice()));
    assert_eq!(document.body(), b"# Core\n---\n");
    assert_eq!(document.body_line(), 4);
}

#[test]
fn a_byte_order_mark_and_crlf_are_understood_and_kept() {
    let mut document = doc("\u{FEFF}---\r\ntype: memory\r\n---\r\nbody");
    assert_eq!(document.get("type").unwrap(), Some("memory".into()));
    document.set("line_count", &Value::Integer(3)).unwrap();
    assert_eq!(rendered(&document), "\u{FEFF}---\r\ntype: memory\r\nline_count: 3\r\n---\r\nbody");
}

#[test]
fn numbers_that_would_print_differently_stay_text() {
    let document = doc(
        "---\na: 1.10\nb: 1.5\nc: 007\nd: 0x1F\ne: \"12\"\nf: 12\ng: yes\nh: true\ni: 1_000\nj: [1.10, 2]\nk: 1e3\nl: +5\n---\n",
    );
    let get = |key: &str| document.get(key).unwrap().unwrap();
    assert_eq!(get("a"), "1.10".into());
    assert_eq!(get("b"), Value::Float(1.5));
    assert_eq!(get("c"), "007".into());
    assert_eq!(get("d"), "0x1F".into());
    assert_eq!(get("e"), "12".into());
    assert_eq!(get("f"), Value::Integer(12));
    assert_eq!(get("g"), "yes".into());
    assert_eq!(get("h"), Value::Bool(true));
    assert_eq!(get("i"), "1_000".into());
    assert_eq!(get("j"), Value::List(vec!["1.10".into(), Value::Integer(2)]));
    assert_eq!(get("k"), "1e3".into());
    assert_eq!(get("l"), "+5".into());
}

#[test]
fn a_malformed_line_is_an_error_that_names_it_and_the_bytes_stay() {
    let text = "---\ntype: memory\nbad: [1, 2\n---\nbody\n";
    let document = doc(text);
    match document.get("type").unwrap_err() {
        DocumentError::Malformed { line, .. } => assert!((3..=4).contains(&line), "line {line}"),
        other => panic!("{other}"),
    }
    assert_eq!(rendered(&document), text);
    assert_eq!(document.body(), b"body\n");
}

#[test]
fn bytes_that_are_not_text_are_an_error_that_names_the_line() {
    let document = Document::parse(b"---\na: 1\nb: \xff\n---\n");
    assert_eq!(document.get("a"), Err(DocumentError::NotUtf8 { line: 3 }));
}

#[test]
fn front_matter_without_an_end_is_reported_and_a_rule_across_the_page_is_not() {
    assert_eq!(doc("---\ntype: x\n# Heading\n").get("type"), Err(DocumentError::Unclosed));
    assert_eq!(doc("---\n\nSome text\n").get("type"), Ok(None));
}

#[test]
fn setting_a_key_changes_its_lines_and_nothing_else() {
    let mut document = doc(
        "---\n# who\nname:   Ada   # the first\n\nlist:\n- a\n# between\n- b\n\n# last\nz: 1\n---\nBody\n",
    );
    document.set("name", &"Grace: Hopper".into()).unwrap();
    document.set("list", &Value::from(vec!["c", "d, e"])).unwrap();
    assert_eq!(
        rendered(&document),
        "---\n# who\nname: \"Grace: Hopper\"   # the first\n\nlist: [c, \"d, e\"]\n\n# last\nz: 1\n---\nBody\n"
    );
}

#[test]
fn setting_the_value_it_has_changes_no_byte() {
    let text = "---\ntags: [ a,b ]\n---\n";
    let mut document = doc(text);
    document.set("tags", &Value::from(vec!["a", "b"])).unwrap();
    assert_eq!(rendered(&document), text);
}

#[test]
fn a_block_scalar_is_replaced_whole() {
    let mut document = doc("---\na: |\n  # not a comment\n\n  text\nb: 2\n---\n");
    document.set("a", &"x".into()).unwrap();
    assert_eq!(rendered(&document), "---\na: x\nb: 2\n---\n");
}

#[test]
fn a_key_without_front_matter_makes_some() {
    let mut document = doc("# Title\n");
    document.set("type", &"memory".into()).unwrap();
    assert_eq!(rendered(&document), "---\ntype: memory\n---\n# Title\n");
}

#[test]
fn a_removed_key_takes_only_its_lines() {
    let mut document = doc("---\na: 1\nb:\n  - x: 1\n    y: 2\nc: 3 # keep\n---\n");
    document.remove("b").unwrap();
    document.remove("missing").unwrap();
    assert_eq!(rendered(&document), "---\na: 1\nc: 3 # keep\n---\n");
}

#[test]
fn nested_values_are_written_in_block_form() {
    let mut document = doc("");
    let change =
        Value::Map(vec![("path".into(), "knowledge/a.md".into()), ("action".into(), "updated".into())]);
    document.set("knowledge_changes", &Value::List(vec![change])).unwrap();
    assert_eq!(
        rendered(&document),
        "---\nknowledge_changes:\n  - path: knowledge/a.md\n    action: updated\n---\n"
    );
}

#[test]
fn headings_form_a_tree_and_fences_hide_them() {
    let document =
        doc("---\na: 1\n---\n# One\ntext\n## Two ##\n```sh\n# not one\n```\n### Three\n## Four\n# Five\n");
    let tree = document.sections();
    let names = |sections: &[Section]| sections.iter().map(|s| s.title.clone()).collect::<Vec<_>>();
    assert_eq!(names(&tree), ["One", "Five"]);
    assert_eq!(names(&tree[0].children), ["Two", "Four"]);
    assert_eq!(names(&tree[0].children[0].children), ["Three"]);
    assert_eq!(tree[0].lines, 4..12);
    assert_eq!(&document.as_bytes()[tree[0].content.clone()], b"text\n");
    assert_eq!(&document.as_bytes()[tree[0].children[1].bytes.clone()], b"## Four\n");
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Integer),
        (-1.0e9..1.0e9f64).prop_map(Value::Float),
        any::<String>().prop_map(Value::Text),
        "[a-z0-9:#,'\" \\[\\]{}.+-]{0,12}".prop_map(Value::Text),
        "(true|null|~|1\\.10|0x1|1e3|- a|a: b|yes|\\.inf|2026-01-01)".prop_map(Value::Text),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::btree_map("[a-z ]{1,6}|[^\\x00]{0,3}", inner, 0..4)
                .prop_map(|map| Value::Map(map.into_iter().collect())),
        ]
    })
}

/// Texts that look like front matter often enough to matter.
fn file() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("---".to_owned()),
        Just("...".to_owned()),
        Just("```".to_owned()),
        "[a-c]: [a-z0-9 #'\"\\[\\],:|>-]{0,10}",
        " {1,3}[a-z-]{0,5}",
        "#{0,7} ?[a-z]{0,4}",
        any::<String>(),
    ];
    (any::<bool>(), prop::collection::vec((line, prop_oneof![Just("\n"), Just("\r\n")]), 0..12)).prop_map(
        |(fence, lines)| {
            let start = if fence { "---\n" } else { "" };
            lines.into_iter().fold(start.to_owned(), |text, (line, end)| text + &line + end)
        },
    )
}

proptest! {
    #[test]
    fn any_bytes_render_as_they_were(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let document = Document::parse(&bytes);
        prop_assert_eq!(document.render(), bytes);
        let _ = document.entries();
        let _ = document.sections();
    }

    #[test]
    fn any_text_renders_as_it_was_and_its_parts_cover_it(text in file()) {
        let document = doc(&text);
        prop_assert_eq!(rendered(&document), text.clone());
        let mut end = document.body_start();
        for section in document.sections() {
            prop_assert!(section.bytes.start >= end && section.content.end <= section.bytes.end);
            end = section.bytes.end;
        }
    }

    #[test]
    fn what_is_set_is_read_back_and_all_else_stays(text in file(), value in value()) {
        let mut document = doc(&text);
        if let Ok(before) = document.entries() {
            let body = document.body().to_vec();
            match document.set("key", &value) {
                Ok(()) => {
                    prop_assert_eq!(document.get("key").unwrap(), Some(value));
                    prop_assert_eq!(document.body(), body);
                    for (key, old) in before {
                        prop_assert!(key == "key" || document.get(&key).unwrap() == Some(old));
                    }
                }
                Err(_) => prop_assert_eq!(rendered(&document), text),
            }
        }
    }

    #[test]
    fn every_value_survives_in_a_file_of_its_own(value in value()) {
        let mut document = doc("");
        document.set("key", &value).unwrap();
        prop_assert_eq!(document.get("key").unwrap(), Some(value));
    }
}

#[test]
fn a_list_that_is_never_closed_is_no_front_matter() {
    for (text, line) in [
        ("---\nbad: [\n---\n# Page\n", 2),
        ("---\ntitle: Page\nbad: [a, b\n---\n# Page\n", 3),
        ("---\nbad: {a: 1\n---\n# Page\n", 2),
        ("---\nbad: \"open\n---\n# Page\n", 2),
    ] {
        let found = Document::parse(text.as_bytes()).entries();
        assert!(matches!(found, Err(DocumentError::Malformed { .. })), "{text:?}, line {line}: {found:?}");
    }
}
