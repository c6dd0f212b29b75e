use jiff::civil::date;
use proptest::prelude::*;

use super::*;

fn merged(shape: Shape, base: &str, ours: &str, theirs: &str) -> (String, Vec<Clash>) {
    let day = date(2026, 3, 9);
    let merged = merge(shape, Some(base.as_bytes()), ours.as_bytes(), theirs.as_bytes(), day);
    assert!(merged.is_whole);
    (String::from_utf8(merged.bytes).expect("UTF-8"), merged.clashes)
}

#[test]
fn a_page_takes_the_additions_the_removals_and_the_changes_of_both() {
    let base = "# Facts\n- one <!-- id:a1 | mentions:1 -->\n- two <!-- id:a2 -->\n- three <!-- id:a3 -->\n\n## Other\n\ntext\n";
    let ours = "# Facts\n- one <!-- id:a1 | mentions:3 | last:2026-03-02 -->\n- three <!-- id:a3 -->\n- four <!-- id:b1 -->\n\n## Other\n\ntext\n";
    let theirs = "# Facts\n- one <!-- id:a1 | mentions:2 | last:2026-03-04 -->\n- two <!-- id:a2 -->\n- three and a half <!-- id:a3 -->\n- five <!-- id:c1 -->\n\n## Other\n\ntext\nmore\n";
    let (text, clashes) = merged(Shape::Page, base, ours, theirs);
    assert_eq!(
        text,
        "# Facts\n- one <!-- id:a1 | mentions:4 | last:2026-03-04 -->\n- three and a half <!-- id:a3 -->\n- four <!-- id:b1 -->\n- five <!-- id:c1 -->\n\n## Other\n\ntext\nmore\n"
    );
    assert_eq!(clashes, []);
}

#[test]
fn what_both_sides_worded_anew_is_settled_and_told() {
    let base = "## Facts\n- The port is 8080 <!-- since:2026-01-01 -->\n";
    let ours = "## Facts\n- The port is 8443 <!-- since:2026-01-01 | last:2026-03-01 -->\n";
    let theirs = "## Facts\n- The port is 9000 <!-- since:2026-01-01 | last:2026-03-02 -->\n";
    let (text, clashes) = merged(Shape::Page, base, ours, theirs);
    let expected = "## Facts\n- The port is 9000 <!-- since:2026-01-01 | last:2026-03-02 -->\n- ~~The port is 8443~~ <!-- since:2026-01-01 | last:2026-03-01 | superseded:2026-03-09 | by:The port is 9000 -->\n";
    assert_eq!(text, expected);
    assert_eq!(
        (clashes[0].kept.as_str(), clashes[0].other.as_str()),
        ("The port is 9000", "The port is 8443")
    );
    assert_eq!(merged(Shape::Page, base, theirs, ours).0, expected);
    let (text, _) = merged(Shape::Core, base, ours, theirs);
    assert_eq!(
        text,
        "## Facts\n- The port is 9000 <!-- since:2026-01-01 | last:2026-03-02 | was:The port is 8443 (since 2026-01-01 to 2026-03-09) -->\n"
    );
    // A correction of the operator's wins over what is newer.
    let corrected = ours.replace("last:2026-03-01", "last:2026-03-01 | tags:correction");
    let (text, clashes) = merged(Shape::Core, base, &corrected, theirs);
    assert!(text.starts_with("## Facts\n- The port is 8443 <!--") && clashes[0].is_corrected, "{text}");
}

#[test]
fn what_was_made_shorter_is_nothing_else() {
    let line = |text: &str| format!("# People\n- **Mira** — {text}\n");
    let whole = "keeps the harbor and its three boats";
    let (text, clashes) =
        merged(Shape::Page, &line("keeps the harbor"), &line(whole), &line("keeps the harbor and…"));
    assert_eq!((text, clashes.len()), (line(whole), 0));
}

#[test]
fn the_same_id_for_two_memories_is_two_and_the_same_words_are_one() {
    let base = "# Facts\n";
    let ours =
        "# Facts\n- Mira lives in Lyon <!-- id:k1 -->\n- The sky is blue <!-- id:k2 | mentions:1 -->\n";
    let theirs = "# Facts\n- Bo likes tea <!-- id:k1 -->\n- The sky is blue <!-- id:z9 | mentions:2 -->\n";
    let (text, _) = merged(Shape::Page, base, ours, theirs);
    let page = crate::page::Page::parse(text.as_bytes()).expect("UTF-8");
    let ids: Vec<&str> = page.items().iter().filter_map(|item| item.annotation.get("id")).collect();
    assert_eq!(page.items().len(), 3, "{text}");
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), 3, "{text}");
    assert_eq!(text.matches("The sky is blue").count(), 1);
    assert!(text.contains("mentions:2"));
}

#[test]
fn a_log_goes_by_its_moments_and_has_nothing_twice() {
    let base = "# 2026-02-02 — Episode Log\n\n## 09:00 | event | confidence:high | tags:[]\nfirst\n";
    let ours = format!(
        "{base}\n## 10:00 | event | confidence:high | tags:[]\nours\n\n## 12:00 | event | confidence:high | tags:[]\nboth\n"
    );
    let theirs = format!(
        "{base}\n## 11:00 | event | confidence:high | tags:[]\ntheirs\n\n## 12:00 | event | confidence:high | tags:[]\nboth\n\n## 12:00 | event | confidence:high | tags:[]\nanother\n"
    );
    let (text, clashes) = merged(Shape::Log, base, &ours, &theirs);
    let (placed, errors) = crate::episode::parse(text.as_bytes());
    let said: Vec<&str> = placed.iter().map(|each| each.episode.text.as_str()).collect();
    assert_eq!(said, ["first", "ours", "theirs", "both", "another"], "{text}");
    assert_eq!((errors.len(), clashes.len()), (0, 0));
    assert!(text.starts_with(base) && !text.contains("\n\n\n"), "{text}");
    // Again with what came of it, from either side: nothing is added.
    let again =
        merge(Shape::Log, Some(base.as_bytes()), text.as_bytes(), theirs.as_bytes(), date(2026, 3, 9));
    assert_eq!(again.bytes, text.as_bytes());
}

#[test]
fn entries_with_fields_unite_and_what_is_settled_stays_settled() {
    let entry = |id: &str, status: &str| {
        format!(
            "\n## 2026-03-02 07:00 | A / B\n- id: {id}\n- found: 2026-03-02T07:00:00Z\n- first: A\n- second: B\n- rule: operator-review\n- status: {status}\n"
        )
    };
    let base = format!("# Conflicts\n{}", entry("x1", "open"));
    let ours =
        base.replace("status: open", "status: resolved\n- kept: first\n- resolved: 2026-03-03T07:00:00Z");
    let theirs = format!("{base}{}", entry("x2", "open").replace("A / B", "C / D"));
    let (text, _) = merged(Shape::Log, &base, &ours, &theirs);
    let found = crate::conflict::parse(text.as_bytes());
    assert_eq!(
        found.iter().map(|each| (each.id.as_str(), each.resolved.is_some())).collect::<Vec<_>>(),
        [("x1", true), ("x2", false)]
    );
    // The same id for another entry is another id.
    let other = format!("# Conflicts\n{}", entry("x1", "open").replace("A / B", "E / F"));
    let (text, _) = merged(Shape::Log, "# Conflicts\n", &base, &other);
    let ids: std::collections::BTreeSet<String> =
        crate::conflict::parse(text.as_bytes()).into_iter().map(|each| each.id).collect();
    assert_eq!(ids.len(), 2, "{text}");
}

#[test]
fn proposals_with_one_number_are_two_and_what_refers_to_them_follows() {
    let proposal = |number: u64, content: &str, conflict: &[u64]| crate::proposal::Proposal {
        number,
        content: content.to_owned(),
        from: "r".to_owned(),
        status: if conflict.is_empty() {
            crate::proposal::ProposalStatus::Pending
        } else {
            crate::proposal::ProposalStatus::Conflict
        },
        conflicts: conflict.iter().copied().collect(),
        ..Default::default()
    };
    let add = |bytes: &[u8], each: &crate::proposal::Proposal| {
        crate::proposal::append(Some(bytes), crate::proposal::START, each)
    };
    let base = add(crate::proposal::START.as_bytes(), &proposal(1, "first", &[]));
    let ours = add(&base, &proposal(2, "ours", &[]));
    let theirs = add(&add(&base, &proposal(2, "theirs", &[3])), &proposal(3, "against", &[2]));
    let merged = merge(Shape::Proposals, Some(&base), &ours, &theirs, date(2026, 3, 9));
    let found = crate::proposal::parse(&merged.bytes);
    assert_eq!(found.broken, [], "{}", String::from_utf8_lossy(&merged.bytes));
    let told: Vec<(u64, &str, Vec<u64>)> = found
        .placed
        .iter()
        .map(|each| {
            (
                each.proposal.number,
                each.proposal.content.as_str(),
                each.proposal.conflicts.iter().copied().collect(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [(1, "first", vec![]), (2, "ours", vec![]), (4, "theirs", vec![3]), (3, "against", vec![4])]
    );
    // What one side decided is not asked again, however the other marked it.
    let text = String::from_utf8(base.clone()).expect("UTF-8");
    let marked = text.replace("**Status**: pending", "**Status**: deferred");
    let (left, _) = self::merged(Shape::Proposals, &text, crate::proposal::START, &marked);
    assert!(!left.contains("Proposal #1"), "{left}");
}

#[test]
fn front_matter_goes_key_by_key() {
    let base = "---\ntype: note # kind\ntags: [a, b]\nupdated: 2026-01-01\nuses: 2\n---\nbody\n";
    let ours = "---\ntype: note # kind\ntags: [a, b, c]\nupdated: 2026-02-01\nuses: 4\nown: 1\n---\nbody\n";
    let theirs = "---\ntype: note # kind\ntags: [b, d]\nupdated: 2026-03-01\nuses: 3\n---\nbody\nmore\n";
    let (text, clashes) = merged(Shape::Page, base, ours, theirs);
    assert_eq!(
        text,
        "---\ntype: note # kind\ntags: [b, c, d]\nupdated: 2026-03-01\nuses: 5\nown: 1\n---\nbody\nmore\n"
    );
    assert_eq!(clashes, []);
    let (text, clashes) =
        merged(Shape::Page, base, &base.replace("note", "idea"), &base.replace("note", "plan"));
    assert!(text.contains("type: idea"), "{text}");
    assert_eq!((clashes[0].kept.as_str(), clashes[0].other.as_str()), ("type: idea", "type: plan"));
}

#[test]
fn the_identity_keeps_its_own_line_where_both_changed_it() {
    let base = "# Soul\n\nI am calm.\n\nI am kind.\n";
    let ours = "# Soul\n\nI am very calm.\n\nI am kind.\n";
    let theirs = "# Soul\n\nI am never calm.\n\nI am kind.\n\nI listen.\n";
    let (text, clashes) = merged(Shape::Prose, base, ours, theirs);
    assert_eq!(text, "# Soul\n\nI am very calm.\n\nI am kind.\n\nI listen.\n");
    assert_eq!(clashes[0].other, "I am never calm.");
    // Elsewhere both are kept.
    let (text, clashes) = merged(Shape::Page, base, ours, theirs);
    assert!(
        text.contains("I am very calm.\nI am never calm.\n")
            || text.contains("I am very calm.\n\nI am never calm.\n"),
        "{text}"
    );
    assert_eq!(clashes.len(), 1);
}

#[test]
fn a_configuration_that_could_not_be_read_is_none() {
    let base = "# C\n\n```yaml\nsearch:\n  max_results: 20\n```\n";
    let (text, clashes) = merged(Shape::Config, base, &base.replace("20", "30"), &base.replace("20", "40"));
    assert!(text.contains("30") && clashes[0].other.contains("40"), "{text}");
    let both = |line: &str| base.replace("  max_results: 20\n", &format!("  max_results: 20\n{line}\n"));
    let day = date(2026, 3, 9);
    let (ours, theirs) = (both("core:\n  token_cap: 3000"), both("core:\n  line_cap: 150"));
    let merged = merge(Shape::Config, Some(base.as_bytes()), ours.as_bytes(), theirs.as_bytes(), day);
    assert!(is_config(&merged.bytes), "{}", String::from_utf8_lossy(&merged.bytes));
}

#[test]
fn odd_files_lose_nothing() {
    for (base, ours, theirs) in [
        ("\u{feff}- a\r\n- b", "\u{feff}- a\r\n- b\r\n- 하나 둘", "\u{feff}- a\r\n- b\r\n- 셋"),
        ("---\nnever closed: 1\n", "---\nnever closed: 1\n- x\n", "---\nnever closed: 1\n- y\n"),
        ("```\nopen\n", "```\nopen\nours\n", "```\nopen\ntheirs\n"),
    ] {
        let (text, _) = merged(Shape::Page, base, ours, theirs);
        for line in ours.lines().chain(theirs.lines()) {
            assert!(text.lines().any(|found| found == line), "{line:?} is not in {text:?}");
        }
    }
    let day = date(2026, 3, 9);
    let merged = merge(Shape::Page, Some(b"a\n"), b"a\n\xff\xfe\n", b"a\nb\n", day);
    assert_eq!(merged.bytes, b"a\n\xff\xfe\nb\n");
    assert!(!merge(Shape::Page, Some(b"a"), b"a\0", b"b", day).is_whole);
}

#[test]
fn archives_keep_each_file_as_it_was() {
    let put =
        |found: &[u8], name: &str, text: &[u8]| crate::archive::append(Some(found), "Archive", name, text);
    let base =
        crate::archive::append(None, "Archive 2024-03", "memory/2024-03-05.md", b"# Tue\n\n## 10:00\nrain\n");
    let ours = put(&base, "memory/2024-03-07.md", b"ours\n\n## 14:00 | x\nlast, without an end");
    let theirs =
        put(&put(&base, "memory/2024-03-06.md", b"theirs\n\n\n"), "memory/2024-03-08.md", b"```\nopen");
    let merged = merge(Shape::Archive, Some(&base), &ours, &theirs, date(2026, 3, 9));
    for (name, text) in [
        ("memory/2024-03-05.md", &b"# Tue\n\n## 10:00\nrain\n"[..]),
        ("memory/2024-03-07.md", b"ours\n\n## 14:00 | x\nlast, without an end"),
        ("memory/2024-03-06.md", b"theirs\n\n\n"),
        ("memory/2024-03-08.md", b"```\nopen"),
    ] {
        assert!(
            crate::archive::holds(&merged.bytes, name, text),
            "{name}: {}",
            String::from_utf8_lossy(&merged.bytes)
        );
    }
    assert_eq!(crate::archive::entries(&merged.bytes).len(), 4);
}

fn page() -> impl Strategy<Value = String> {
    "(?s)(# T\n)?((## [A-C]|- [a-e]{1,3} [a-e]{1,3}( <!-- id:[a-c][0-9] \\| mentions:[1-3] -->)?|- ~~[a-c]{1,2}~~|[가-나 ]{1,3}|[a-c]{1,2}|  x|```|<!-- k:[a-c] -->)?\r?\n){0,9}[a-c]?"
}

fn log() -> impl Strategy<Value = String> {
    "(?s)# L\n(\n## (0[0-9]:[0-5]0 \\| event|[a-c])\n(- (id|status|x): [a-c]{1,2}\n|[a-e가]{1,5}\n){0,3}){0,6}"
}

fn shapes() -> impl Strategy<Value = Shape> {
    prop::sample::select(vec![
        Shape::Core,
        Shape::Page,
        Shape::Log,
        Shape::Proposals,
        Shape::Archive,
        Shape::Prose,
        Shape::Config,
        Shape::Lines,
    ])
}

fn words(text: &str) -> std::collections::BTreeSet<&str> {
    text.split(|each: char| each.is_whitespace() || "~|#-<>:!`;()/".contains(each))
        .filter(|word| !word.is_empty())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn one_side_alone_goes_through(shape in shapes(), base in page(), other in page()) {
        let (base, other, day) = (base.as_bytes(), other.as_bytes(), date(2026, 3, 9));
        prop_assert_eq!(merge(shape, Some(base), other, base, day).bytes, other);
        prop_assert_eq!(merge(shape, Some(base), base, other, day).bytes, other);
        prop_assert_eq!(merge(shape, Some(base), other, other, day).bytes, other);
        // Taken apart and put together, too, where nothing says that it need not be.
        let [alone, same] = [texts(shape, base, other, base, day), texts(shape, base, other, other, day)];
        prop_assert_eq!(String::from_utf8_lossy(&alone.bytes), String::from_utf8_lossy(other));
        prop_assert_eq!(String::from_utf8_lossy(&same.bytes), String::from_utf8_lossy(other));
        prop_assert_eq!((alone.clashes, same.clashes), (Vec::new(), Vec::new()));
        let taken = texts(shape, base, base, other, day).bytes;
        let lines = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let mut lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
            lines.sort();
            lines
        };
        prop_assert_eq!(lines(&taken), lines(other));
    }

    #[test]
    fn every_word_that_a_side_added_is_there_or_told(shape in shapes(), base in prop_oneof![page(), log()], ours in prop_oneof![page(), log()], theirs in prop_oneof![page(), log()]) {
        let merged = merge(shape, Some(base.as_bytes()), ours.as_bytes(), theirs.as_bytes(), date(2026, 3, 9));
        let mut text = String::from_utf8(merged.bytes).expect("UTF-8");
        for clash in &merged.clashes {
            text.push_str(&format!("\n{} {}", clash.kept, clash.other));
        }
        let (known, found) = (words(&base), words(&text));
        for side in [&ours, &theirs] {
            // Values of the same key may come to one value, and a side's own ids to other ones.
            let is_value = |word: &&str| word.len() <= 2 && word.chars().any(|each| each.is_ascii_digit());
            for line in side.lines().filter(|line| !base.lines().any(|known| known.trim() == line.trim())) {
                if line.contains("<!--") || line.trim_start().starts_with("- status") || line.starts_with("- id") || line.starts_with("- x:") {
                    continue;
                }
                for word in words(line).into_iter().filter(|word| !known.contains(word) && !is_value(word)) {
                    prop_assert!(found.contains(word), "{word:?} of {line:?} is not in {text:?}");
                }
            }
        }
    }

    #[test]
    fn a_log_merged_again_from_an_older_state_has_nothing_twice(base in log(), ours in log(), theirs in log()) {
        let day = date(2026, 3, 9);
        let [ours, theirs] = [ours, theirs].map(|side| format!("{base}{}", side.trim_start_matches("# L\n")));
        let once = merge(Shape::Log, Some(base.as_bytes()), ours.as_bytes(), theirs.as_bytes(), day).bytes;
        let again = merge(Shape::Log, Some(base.as_bytes()), &once, theirs.as_bytes(), day).bytes;
        prop_assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&once));
    }

    #[test]
    fn logs_are_the_same_from_both_sides_but_for_their_order(base in log(), ours in log(), theirs in log()) {
        let day = date(2026, 3, 9);
        let [ours, theirs] = [ours, theirs].map(|side| format!("{base}{}", side.trim_start_matches("# L\n")));
        let titles = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("UTF-8");
            let mut lines: Vec<String> = text.lines().filter(|line| line.starts_with("## ")).map(str::to_owned).collect();
            lines.sort();
            lines
        };
        let one = merge(Shape::Log, Some(base.as_bytes()), ours.as_bytes(), theirs.as_bytes(), day).bytes;
        let other = merge(Shape::Log, Some(base.as_bytes()), theirs.as_bytes(), ours.as_bytes(), day).bytes;
        prop_assert_eq!(titles(one), titles(other));
    }
}

proptest! {
    #[test]
    fn no_line_of_a_list_is_lost_though_it_be_no_text(
        states in proptest::array::uniform3(proptest::collection::vec(
            prop_oneof![Just(b'\n'), Just(b' '), Just(b'a'), Just(0x93_u8), Just(0xc5), Just(0xb0), Just(0xff)], 0..12)),
    ) {
        let [base, ours, theirs] = &states;
        let united = merge(Shape::Lines, Some(base), ours, theirs, date(2026, 3, 9));
        let lines = |bytes: &[u8]| -> std::collections::BTreeSet<Vec<u8>> {
            let all = bytes.split(|byte| *byte == b'\n').map(|line| line.trim_ascii().to_vec());
            all.filter(|line| !line.is_empty()).collect()
        };
        if united.is_whole && base != theirs && base != ours {
            let (known, found) = (lines(base), lines(&united.bytes));
            for line in lines(ours).union(&lines(theirs)).filter(|line| !known.contains(*line)) {
                prop_assert!(found.contains(line), "{line:?} in {:?}", united.bytes);
            }
        }
    }
}

proptest! {
    #[test]
    fn one_side_alone_goes_through_whatever_its_bytes(
        shape in prop::sample::select(&Shape::ALL[..]),
        states in proptest::array::uniform3(proptest::collection::vec(any::<u8>(), 0..7)),
    ) {
        let [base, ours, theirs] = &states;
        let day = date(2026, 3, 9);
        let united = merge(shape, Some(base), ours, theirs, day);
        prop_assert_eq!(&united, &merge(shape, Some(base), ours, theirs, day));
        prop_assert_eq!(&merge(shape, Some(base), ours, base, day).bytes, ours);
        prop_assert_eq!(&merge(shape, Some(base), base, theirs, day).bytes, theirs);
    }
}
