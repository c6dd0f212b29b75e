//! What is written is read back, what a person wrote stays, and nothing in a file stops the rest.

use proptest::prelude::*;

use super::*;

const PAGE: &str = "# Pending Memory Proposals\n\n<!-- Sub-agents append proposals here. Main agent reviews and commits. -->\n\n---\n\
    ## Proposal #1\n- **From**: researcher\n- **Timestamp**: 2026-02-03T10:00:00Z\n- **Trigger**: auto-detect during research task\n\
    - **Suggested store**: semantic\n- **Content**: The user reads papers first\n- **Entities**: [preference--sources]\n\
    - **Confidence**: medium\n- **Core-worthy**: no\n- **Status**: pending\n\n---\n\
    ## Proposal #2 ⚠️ CONFLICT with #1, #7\n- **From**: coder\n- **Content**: The user reads posts first\n\
    - **Status**: conflict — see #1\n";

fn marked_as(number: u64, status: ProposalStatus, conflicts: &[u64]) -> BTreeMap<u64, Change> {
    BTreeMap::from([(number, Change::Mark(status, conflicts.iter().copied().collect()))])
}

fn removed(numbers: &[u64]) -> BTreeMap<u64, Change> {
    numbers.iter().map(|number| (*number, Change::Remove)).collect()
}

#[test]
fn the_form_of_the_seed_is_read_and_a_section_without_all_fields_too() {
    let found = parse(PAGE.as_bytes());
    assert_eq!((found.placed.len(), found.broken.len(), found.last), (2, 0, 2));
    let Proposal { from, store, entities, confidence, status, .. } = &found.placed[0].proposal;
    assert_eq!((from.as_str(), store.as_str()), ("researcher", "semantic"));
    assert_eq!(
        (entities.as_slice(), *confidence),
        (&["preference--sources".to_owned()][..], Some(Certainty::Medium))
    );
    assert_eq!((*status, found.placed[0].line), (ProposalStatus::Pending, 6));
    let second = &found.placed[1].proposal;
    assert_eq!(
        (second.status, second.conflicts.iter().copied().collect::<Vec<_>>()),
        (ProposalStatus::Conflict, vec![1, 7])
    );
    assert_eq!((second.time, second.confidence), (None, None));
    assert!(PAGE.ends_with(&PAGE[found.placed[1].bytes.clone()]));
}

#[test]
fn taking_one_out_leaves_every_other_byte_and_gives_its_number_to_nobody() {
    let page = PAGE.replace('\n', "\r\n") + "\r\na person's own words \r\n";
    let rest = String::from_utf8(changed(page.as_bytes(), &removed(&[2]))).unwrap();
    let (head, tail) = page.split_once("\r\n").unwrap();
    let kept = &tail[..tail.find("---\r\n## Proposal #2").unwrap()];
    assert_eq!(rest, format!("{head}\r\n<!-- Last number: #2 -->\r\n{kept}a person's own words \r\n"));
    assert_eq!(parse(rest.as_bytes()).last, 2);
    let empty = changed(rest.as_bytes(), &removed(&[1]));
    assert_eq!((parse(&empty).placed.len(), parse(&empty).last), (0, 2));
    // Nothing to do changes nothing.
    assert_eq!(changed(page.as_bytes(), &removed(&[9])), page.as_bytes());
}

#[test]
fn marks_are_written_into_the_heading_and_the_status_and_nowhere_else() {
    let page = PAGE.replace('\n', "\r\n");
    let with = changed(page.as_bytes(), &marked_as(1, ProposalStatus::Conflict, &[2, 3]));
    let text = String::from_utf8(with.clone()).unwrap();
    assert!(text.contains("## Proposal #1 ⚠️ CONFLICT with #2, #3\r\n"), "{text}");
    assert!(text.contains("- **Status**: conflict — see #2, #3\r\n\r\n---"), "{text}");
    assert_eq!(changed(&with, &marked_as(1, ProposalStatus::Pending, &[])), page.as_bytes());
    // A section without a status gets one.
    let bare = b"## Proposal #4\n- **Content**: a \xff thing";
    let deferred = changed(bare, &marked_as(4, ProposalStatus::Deferred, &[]));
    assert_eq!(deferred, b"## Proposal #4\n- **Content**: a \xff thing\n- **Status**: deferred\n");
}

#[test]
fn what_cannot_be_read_is_told_with_its_line_and_stops_no_other() {
    let page = "## Proposal #x\n- **Content**: a\n## Proposal #5\n- **From**: scout\n\n## Proposal #6\n- **Content**: fine\n\
        ## Proposal #6\n- **Content**: again\n## Proposals of others\n```\n## Proposal #7\n- **Content**: open fence\n\
        <!--\n## Proposal #8\n- **Content**: hidden\n-->\n## Proposal 9\n## Proposal #10:\n\n- Content: loose\n  ## Proposal #11\n";
    let found = parse(page.as_bytes());
    let numbers: Vec<u64> = found.placed.iter().map(|placed| placed.proposal.number).collect();
    assert_eq!(numbers, [6, 7, 10], "{found:#?}");
    assert_eq!(found.broken.iter().map(|broken| broken.line).collect::<Vec<_>>(), [1, 3, 8, 18]);
    assert_eq!(found.placed[2].proposal.content, "loose\n## Proposal #11");
    assert!(
        found.broken[2].what.contains("line 6") && found.broken[1].what.contains("Content"),
        "{found:#?}"
    );
    let rest = changed(page.as_bytes(), &removed(&[6, 7, 10]));
    let rest = String::from_utf8_lossy(&rest);
    for kept in
        ["## Proposal #x\n", "- **From**: scout\n", "again\n", "hidden\n-->", "## Proposal 9\n", "```\n"]
    {
        assert!(rest.contains(kept), "{kept}: {rest}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        content in "[a-z가`#<-][a-z가 :|#\"`\n-]{0,40}[a-z가]", trigger in "([a-z가][a-z가 :|#*-]{0,20}[a-z가])?", number in 1u64..2_000,
        before in "(?s)(|# Pending Memory Proposals\n|## a\r\n- b: c\r\n|text\n```\n|<!-- x\n|\\PC{0,20})", core_worthy: bool,
        conflicts in prop::collection::btree_set(2_001u64..2_100, 0..3), tags in prop::collection::vec("[a-z가]{1,8}", 0..3),
    ) {
        let status = if conflicts.is_empty() { ProposalStatus::Pending } else { ProposalStatus::Conflict };
        let written = Proposal {
            number, from: "scout".to_owned(), time: "2026-03-02T10:15:00Z".parse().ok(), trigger: one_line(&trigger),
            store: "semantic".to_owned(), content: indented(&content).replace("\n  ", "\n"), tags, core_worthy,
            confidence: Some(Certainty::High), status, conflicts, session: Some("s-1".to_owned()), ..Proposal::default()
        };
        let bytes = append(Some(before.as_bytes()), START, &written);
        prop_assert!(bytes.starts_with(before.as_bytes()) || before.trim().is_empty());
        let placed = parse(&bytes);
        prop_assert_eq!(placed.placed.last().map(|placed| &placed.proposal), Some(&written));
        let after = append(Some(&bytes), START, &Proposal { number: number + 1, ..written.clone() });
        prop_assert_eq!(parse(&after).placed.len(), placed.placed.len() + 1);
        let marked = changed(&after, &marked_as(number, ProposalStatus::Deferred, &[]));
        let read = parse(&marked).placed.into_iter().find(|placed| placed.proposal.number == number).unwrap().proposal;
        prop_assert_eq!(read, Proposal { status: ProposalStatus::Deferred, conflicts: BTreeSet::new(), ..written });
        prop_assert_eq!(parse(&changed(&after, &removed(&[number]))).last, parse(&after).last);
    }

    #[test]
    fn no_file_is_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let found = parse(&bytes);
        let all: Vec<u64> = found.placed.iter().map(|placed| placed.proposal.number).collect();
        prop_assert_eq!(parse(&changed(&bytes, &removed(&all))).placed.len(), 0);
    }

    #[test]
    fn a_file_of_odd_parts_keeps_the_others_whatever_is_done_to_one(
        parts in prop::collection::vec(prop::sample::select(PARTS), 0..24), last in "(|x|- \\*\\*Status\\*\\*: )",
    ) {
        let page = parts.concat() + &last;
        let bytes = page.as_bytes();
        let found = parse(bytes);
        for placed in &found.placed {
            let number = placed.proposal.number;
            let marked = parse(&changed(bytes, &marked_as(number, ProposalStatus::Deferred, &[])));
            prop_assert_eq!(marked.placed.len(), found.placed.len(), "{}", page);
            let others = |all: &Proposals| {
                let others = all.placed.iter().filter(|each| each.proposal.number != number);
                others.map(|each| each.proposal.clone()).collect::<Vec<_>>()
            };
            prop_assert_eq!(others(&marked), others(&found), "{}", page);
            let status = marked.placed.iter().find(|each| each.proposal.number == number).map(|each| each.proposal.status);
            prop_assert_eq!(status, Some(ProposalStatus::Deferred), "{}", page);
            let appended = append(Some(bytes), START, &Proposal { number: found.last + 1, content: "x".to_owned(), ..Proposal::default() });
            prop_assert_eq!(parse(&appended).placed.len(), found.placed.len() + 1, "{}", page);
        }
        let all: Vec<u64> = found.placed.iter().map(|placed| placed.proposal.number).collect();
        let rest = changed(bytes, &removed(&all));
        prop_assert!(parse(&rest).last >= found.last, "{}", page);
    }
}

const PARTS: &[&str] = &[
    "## Proposal #1\n",
    "## Proposal #2 ⚠️ CONFLICT with #1\r\n",
    "## Proposal #3\n",
    "## Proposal #x\n",
    "## Other\n",
    "---\n",
    "---\r\n",
    "- **Content**: a\n",
    "- **Content**: b\r\n",
    "- content: c -->\n",
    "- **Status**: pending\n",
    "- **Status**: conflict — see #1\r\n",
    "- **From**: scout\n",
    "  more\n",
    "  ## Proposal #4\n",
    "\n",
    "\r\n",
    "text\n",
    "```\n",
    "~~~\n",
    "<!-- x\n",
    "-->\n",
    "<!-- Last number: #9 -->\n",
    "# Title\n",
    "* [ ] x: y\n",
];
