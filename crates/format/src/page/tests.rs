use proptest::prelude::*;

use super::*;

const CORE: &str = "# Core Memory\n\n<!-- Always in the context. -->\n\n## Identity\n<!-- Who. -->\n\n- Name is Ada <!-- id:a1 -->\n\
    * likes tea,\n  green above all <!-- id:b2 | confidence:0.95 -->\n    - a part of it\n\n## Critical Facts\n\nprose stays\n";

fn page(text: &str) -> Page {
    Page::parse(text.as_bytes()).expect("UTF-8")
}

#[test]
fn items_are_read_with_their_sections_and_comments() {
    let page = page(CORE);
    let items: Vec<(&str, &str, Option<&str>)> = page
        .items()
        .iter()
        .map(|item| (item.section.as_str(), item.text.as_str(), item.annotation.get("id")))
        .collect();
    assert_eq!(items[0], ("Identity", "Name is Ada", Some("a1")));
    // The comment does not end this one: something follows it.
    assert_eq!(
        items[1].1,
        "likes tea,\n  green above all <!-- id:b2 | confidence:0.95 -->\n    - a part of it"
    );
    assert_eq!(page.items()[0].lines, 8..9);
    assert_eq!(page.items()[1].lines, 9..12);
    assert_eq!(page.title(), Some("Core Memory"));
    assert_eq!(page.section_text("critical facts"), Some("prose stays"));
}

#[test]
fn an_edit_touches_its_item_and_nothing_else() {
    let odd = "#\tTitle\r\n\r\n* one <!-- id:a -->\r\n* two\r\n\r\n\r\n|table|\r\n";
    let mut page = page(odd);
    let annotation = Annotation::new().with("id", "a").with("mentions", "2");
    page.set(0, "one", &annotation);
    assert_eq!(page.as_str(), odd.replace("<!-- id:a -->", "<!-- id:a | mentions:2 -->"));
    page.set(0, "uno", &annotation);
    assert_eq!(page.as_str(), odd.replace("one <!-- id:a -->", "uno <!-- id:a | mentions:2 -->"));
    page.set(0, "one", &Annotation::new().with("id", "a"));
    assert_eq!(page.as_str(), odd);
    page.add("Title", "three", &Annotation::new()).expect("added");
    assert_eq!(page.as_str(), odd.replace("* two\r\n", "* two\r\n* three\r\n"));
    assert_eq!(page.remove(2), Some("* three\r\n".to_owned()));
    assert_eq!(page.as_str(), odd);
}

#[test]
fn an_item_finds_its_place() {
    let mut added = page("# Core Memory\n\n## Identity\n<!-- Who. -->\n\n## Persona\n");
    added.add("identity", "Name is Ada", &Annotation::new().with("id", "a1")).expect("added");
    added.add("Persona", "likes\noptions", &Annotation::new()).expect("added");
    added.add("Team", "Bo leads it", &Annotation::new()).expect("added");
    assert_eq!(
        added.as_str(),
        "# Core Memory\n\n## Identity\n<!-- Who. -->\n- Name is Ada <!-- id:a1 -->\n\n## Persona\n- likes\n  options\n\n\
         ## Team\n\n- Bo leads it\n"
    );
    let mut empty = page("");
    empty.add("Facts", "one", &Annotation::new()).expect("added");
    assert_eq!(empty.as_str(), "## Facts\n\n- one\n");
    let mut unended = page("## Facts");
    unended.add("Facts", "one", &Annotation::new()).expect("added");
    assert_eq!(unended.as_str(), "## Facts\n- one\n");
}

#[test]
fn the_comments_under_the_title_are_the_header() {
    let text = "# concept--x\n\n<!-- Type: concept | Created: 2026-01-15 -->\n<!-- Pinned: no -->\n\n## Facts\n- a: b\n";
    let mut entity = page(text);
    assert_eq!(entity.header().get("pinned"), Some("no"));
    entity.set_header("Pinned", "yes");
    entity.set_header("Created", "2026-01-15");
    assert_eq!(entity.as_str(), text.replace("Pinned: no", "Pinned: yes"));
    let mut bare = page("# Note\n\ntext\n");
    bare.set_header("Type", "concept");
    assert_eq!(bare.as_str(), "# Note\n\n<!-- Type: concept -->\n\ntext\n");
    assert_eq!(bare.header().get("type"), Some("concept"));
    // Without a title it stands below the front matter, which would be none any more with something above it.
    let mut untitled = page("---\ntype: person\n---\nKeeps bees.\n");
    untitled.set_header("Status", "archived");
    assert_eq!(untitled.as_str(), "---\ntype: person\n---\n\n<!-- Status: archived -->\n\nKeeps bees.\n");
    assert_eq!(untitled.header().get("status"), Some("archived"));
}

#[test]
fn code_and_rules_and_remarks_are_no_items() {
    let text = "# T\n\n```\n- code\n```\n\n---\n\n**bold** text\n\n<!--\n- hidden\n-->\n\n- real\n  ```\n  - inside\n  ```\n1) first\n";
    let page = page(text);
    let said: Vec<&str> = page.items().iter().map(|item| item.text.as_str()).collect();
    assert_eq!(said, ["real\n  ```\n  - inside\n  ```", "first"]);
}

#[test]
fn what_is_opened_and_not_closed_is_known() {
    for open in ["# T\n\n<!-- Type: concept | Label: T\n\n## Facts\n- a\n", "# T\n\n```sh\n- a\n"] {
        assert!(page(open).is_left_open(), "{open}");
    }
    for closed in [
        "",
        "# T\n\n<!-- Type: concept -->\n\n## Facts\n- a\n",
        "# T\n\n```sh\n- a\n```\n",
        "- a\n  ```\n  b\n  ```\n",
    ] {
        assert!(!page(closed).is_left_open(), "{closed}");
    }
}

#[test]
fn a_page_that_is_not_text_says_where() {
    assert_eq!(Page::parse(b"# T\n- a\n\xff\n"), Err(PageError::NotUtf8 { line: 3 }));
}

#[test]
fn code_at_the_end_of_an_item_stays_closed() {
    let id = |id: &str| Annotation::new().with("id", id);
    let codes = [
        "The snippet is:\n```sh\nmake all\n```",
        "```sh\nmake all\n```",
        "Twice:\n~~~\na\n~~~\nand\n````\n```\n````",
        "Left open:\n```sh\n# make all",
    ];
    for code in codes {
        for newline in ["\n", "\r\n"] {
            let mut page = page(&format!("# T{newline}{newline}## A{newline}- one <!-- id:o -->{newline}"));
            page.add("A", code, &id("c")).expect("added");
            page.add("A", "after", &id("d")).expect("added");
            page.add("B", "other", &id("e")).expect("added");
            let ids: Vec<_> = page.items().iter().filter_map(|item| item.annotation.get("id")).collect();
            assert_eq!(ids, ["o", "c", "d", "e"], "{}", page.as_str());
            assert!(page.commented_fences().is_empty(), "{}", page.as_str());
            let said = page.items()[1].text.clone();
            assert!(
                said.starts_with(code.lines().next().unwrap_or_default()) && !said.contains("<!--"),
                "{said}"
            );
            // What is known of it changes, and so does what it says.
            page.set(1, &said, &id("c").with("mentions", "2"));
            assert!(page.commented_fences().is_empty() && page.items().len() == 4, "{}", page.as_str());
            page.set(1, "no code", &id("c"));
            page.set(1, code, &id("c"));
            assert!(page.commented_fences().is_empty() && page.items().len() == 4, "{}", page.as_str());
            assert_eq!(page.items()[1].text, said);
            assert_eq!(page.items()[1].annotation, id("c"));
        }
    }
}

#[test]
fn a_remark_below_an_item_is_none_of_it() {
    let text = "# T\n\n## A\n- vpn gateway <!-- id:a -->\n<!-- What must never be forgotten. -->\n- two\n<!-- id:b -->\n- three <!-- id:c -->\n<!-- more\nlines -->\n";
    let page = page(text);
    let items: Vec<_> =
        page.items().iter().map(|item| (item.text.as_str(), item.annotation.get("id"))).collect();
    assert_eq!(items, [("vpn gateway", Some("a")), ("two", Some("b")), ("three", Some("c"))]);
}

#[test]
fn a_page_with_a_comment_at_a_fence_is_read_and_mended() {
    let broken = "# T\n\n## A\n- snippet:\n  ```sh\n  make\n  ``` <!-- id:c -->\n- after <!-- id:d -->\n\n## B\n- other\n";
    let mut page = page(broken);
    assert_eq!(page.commented_fences(), [7]);
    let ids: Vec<_> = page.items().iter().map(|item| item.annotation.get("id")).collect();
    assert_eq!(ids, [Some("c"), Some("d"), None]);
    assert_eq!(page.items()[2].section, "B");
    assert!(page.mend_fences());
    assert_eq!(page.as_str(), broken.replace("``` <!-- id:c -->", "```\n  <!-- id:c -->"));
    assert!(!page.mend_fences());
}

#[test]
fn lines_of_an_item_are_no_headings_but_in_code() {
    let mut page = page("# Facts\n\n## Facts\n");
    let said = "Line one\n## Proposal 99\n#7 is open\n```\n# a comment\n```\nmore";
    page.add("Facts", said, &Annotation::new().with("id", "x")).unwrap();
    let item = &page.items()[0];
    assert_eq!(
        item.text,
        "Line one\n  Proposal 99\n  #7 is open\n  ```\n  # a comment\n  ```\n  more",
        "{}",
        page.as_str()
    );
    assert_eq!(page.items().len(), 1);
}

proptest! {
    #[test]
    fn what_is_added_is_read_back_and_removed_without_a_trace(
        text in "(?s)(# [a-z]{1,5}\n|- [a-z ]{0,8}\n|\n|  [a-z]\n|```\n|## [a-z]\r\n|<!-- [a-z] -->\n|\t.{0,4}){0,12}",
        said in "[a-z가-힣]{1,12}",
    ) {
        let before = page(&text);
        let mut after = before.clone();
        if after.add("Facts", &said, &Annotation::new().with("id", "x")).is_err() {
            // Text that ends inside an open fence or remark would swallow it.
            prop_assert!(text.contains("```") && after == before);
            return Ok(());
        }
        let added: Vec<usize> = after.items().iter().enumerate()
            .filter(|(_, item)| item.annotation.get("id") == Some("x")).map(|(index, _)| index).collect();
        prop_assert_eq!(added.len(), 1);
        prop_assert_eq!(&after.items()[added[0]].text, &said);
        prop_assert_eq!(after.items().len(), before.items().len() + 1);
        after.remove(added[0]);
        prop_assert!(after.as_str().starts_with(text.trim_end_matches('\n')));
    }

    #[test]
    fn any_page_is_kept_byte_for_byte(text in "(?s).{0,200}") {
        prop_assert_eq!(page(&text).into_bytes(), text.into_bytes());
    }
}
