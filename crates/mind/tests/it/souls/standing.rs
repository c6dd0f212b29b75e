//! What stands in SOUL.md: the cap, what takes the place of what, going back, and what is kept of it.

use rem_mind::identity::CorrectionStatus;

use super::*;

/// SOUL.md with principles that CHANGELOG.md says this program added: text, the day, ids of corrections.
fn grown_before(workspace: &Workspace, principles: &[(&str, &str, &str)]) {
    let (mut soul, mut log) =
        ("# Soul\n\nBy hand.\n\n## Principles\n\n- Be honest\n".to_owned(), String::new());
    for (text, day, corrections) in principles {
        soul.push_str(&format!("- {text}\n"));
        let corrections =
            if corrections.is_empty() { String::new() } else { format!(" | corrections:{corrections}") };
        log.push_str(&format!(
            "\n## {day} — Soul Keeper\n- Added principle: \"{text}\"\n  <!-- seen:{day}{corrections} -->\n"
        ));
    }
    workspace.write(&placed(workspace, "SOUL.md"), soul);
    workspace.write(&placed(workspace, "CHANGELOG.md"), format!("# Changelog\n{log}"));
    workspace.memory().catch_up();
}

/// A cap that SOUL.md as it stands has this many tokens less than.
fn with_room(workspace: &mut Workspace, room: usize) {
    let tokens = workspace.memory().identity().unwrap().tokens;
    workspace.set("identity.max_tokens", &(tokens + room).to_string());
}

#[test]
fn the_cap_holds_by_merging_and_moving_and_never_drops_what_the_operator_corrected_or_wrote() {
    // What was said twice goes first; then what came from no correction, the oldest.
    let mut workspace = night();
    let long = "Read every attached document to its end before you say what you think of it";
    grown_before(
        &workspace,
        &[
            ("Ask before you delete files", "2026-01-02", ""),
            ("Ask before you delete files.", "2026-01-04", ""),
            ("Use British spelling", "2026-01-03", "c77"),
            (long, "2026-01-05", ""),
        ],
    );
    sample(&workspace);
    with_room(&mut workspace, 2);
    let grown = grow(workspace.memory());
    let leaves: Vec<(&str, LeavingTo)> =
        grown.items[0].leaves.iter().map(|each| (each.principle.as_str(), each.to)).collect();
    assert_eq!(leaves, [("Ask before you delete files", LeavingTo::Merged)], "{grown:#?}");
    assert!(
        grown
            .document
            .contains("For room: \"Ask before you delete files\" goes: another principle says the same")
    );
    assert_eq!(decide(workspace.memory(), &all()).unwrap().applied.len(), 1);
    let text = soul(&workspace);
    assert!(text.contains("- Ask before you delete files.\n") && text.contains(TIMEZONE), "{text}");
    assert_eq!(text.matches("Ask before").count(), 1);
    assert!(changelog(&workspace).contains("- Merged principle: \"Ask before you delete files\"\n"));

    for (session, day) in [("m", "2026-02-19"), ("n", "2026-02-20")] {
        talk(&workspace, session, &format!("{day}T09:00:00Z"), &["user: Please answer in German"]);
    }
    with_room(&mut workspace, 1);
    let grown = grow(workspace.memory());
    let leaves: Vec<(&str, LeavingTo)> =
        grown.items[0].leaves.iter().map(|each| (each.principle.as_str(), each.to)).collect();
    assert_eq!(leaves, [("Ask before you delete files.", LeavingTo::Memory)]);
    assert!(!workspace.text("MEMORY.md").contains("Ask before"));
    assert_eq!(decide(workspace.memory(), &all()).unwrap().applied.len(), 1);
    assert!(workspace.text("MEMORY.md").contains("- Ask before you delete files. <!-- id:"));
    assert!(!soul(&workspace).contains("Ask before"));
    let tokens = workspace.memory().identity().unwrap();
    assert!(u64::try_from(tokens.tokens).unwrap() <= tokens.max_tokens);

    // Nothing may go any more but the long one; then only what was corrected or written by hand is left.
    for (session, day) in [("o", "2026-02-19"), ("p", "2026-02-20")] {
        talk(
            &workspace,
            session,
            &format!("{day}T12:00:00Z"),
            &["user: Never send an email without asking me first"],
        );
    }
    with_room(&mut workspace, 0);
    grow(workspace.memory());
    assert_eq!(decide(workspace.memory(), &all()).unwrap().applied.len(), 1);
    assert!(!soul(&workspace).contains(long) && workspace.text("MEMORY.md").contains(long));
    let kept = soul(&workspace);
    assert!(
        kept.contains("By hand.") && kept.contains("- Be honest") && kept.contains("- Use British spelling")
    );
    // A twin that asks for it all the same is refused.
    workspace.set("identity.max_tokens", "60");
    correct(
        &workspace,
        &[
            corrected("c1", "2026-02-10T08:00:00Z", "Don't use bullet points"),
            corrected("c2", "2026-02-12T08:00:00Z", "Don't use bullet points"),
        ],
    );
    let grown = preview(workspace.memory());
    assert!(
        grown.items.is_empty()
            || !grown.items[0].leaves.iter().any(|each| each.principle.contains("British"))
    );
    for _ in 0..4 {
        if grow(workspace.memory()).items.is_empty() {
            break;
        }
        decide(workspace.memory(), &all()).unwrap();
    }
    workspace.set("identity.max_tokens", "20");
    correct(
        &workspace,
        &[
            corrected("c3", "2026-02-10T08:00:00Z", "Use metric units"),
            corrected("c4", "2026-02-12T08:00:00Z", "Use metric units"),
        ],
    );
    let said = why(&grow(workspace.memory()), "Use metric units");
    assert!(
        said.iter().any(|why| why.contains("SOUL.md has no room") && why.contains("of 20 tokens")),
        "{said:?}"
    );
    assert!(soul(&workspace).contains("- Use British spelling") && soul(&workspace).contains(TIMEZONE));
    workspace.assert_well();
}

#[test]
fn a_newer_correction_takes_the_place_of_a_principle_and_nothing_else_does() {
    let workspace = night();
    grown_before(&workspace, &[("Keep your answers short", "2026-01-03", "c77")]);
    for (session, day) in [("m", "2026-02-17"), ("n", "2026-02-18")] {
        talk(&workspace, session, &format!("{day}T09:00:00Z"), &["user: Keep your answers long"]);
    }
    let said = why(&grow(workspace.memory()), "Keep your answers long");
    assert!(said.iter().any(|why| why.contains("no correction says so")), "{said:?}");
    correct(&workspace, &[corrected("c80", "2026-02-19T08:00:00Z", "Keep your answers long")]);
    let grown = grow(workspace.memory());
    assert_eq!(
        (grown.items[0].kind, grown.items[0].replaces.as_deref()),
        (GrowthKind::Replace, Some("Keep your answers short"))
    );
    decide(workspace.memory(), &all()).unwrap();
    assert_eq!(
        soul(&workspace),
        "# Soul\n\nBy hand.\n\n## Principles\n\n- Be honest\n- Keep your answers long\n"
    );
    let log = changelog(&workspace);
    assert!(log.contains("- Replaced principle: \"Keep your answers short\"\n  By: 'Keep your answers long'\n- Added principle: \"Keep your answers long\""), "{log}");
    // The older one, said once more before that, does not come back.
    correct(
        &workspace,
        &[
            corrected("c81", "2026-02-16T08:00:00Z", "Keep your answers short"),
            corrected("c82", "2026-02-14T08:00:00Z", "Keep your answers short"),
        ],
    );
    let said = why(&grow(workspace.memory()), "Keep your answers short");
    assert!(said.iter().any(|why| why.starts_with("taken back on 2026-02-19")), "{said:?}");

    // What a person wrote is replaced with a person's yes alone.
    let mut workspace = night();
    workspace.set("identity.policy", "auto");
    workspace.write("SOUL.md", "# Soul\n\n- Keep your answers short\n");
    correct(
        &workspace,
        &[
            corrected("c1", "2026-02-17T08:00:00Z", "Keep your answers long"),
            corrected("c2", "2026-02-19T08:00:00Z", "Keep your answers long"),
        ],
    );
    let grown = grow(workspace.memory());
    assert!(why(&grown, "Keep your answers long")[0].contains("which a person wrote"), "{grown:#?}");
    assert_eq!(soul(&workspace), "# Soul\n\n- Keep your answers short\n");
    workspace.set("identity.policy", "propose");
    // Over its cap as it is, SOUL.md may still be changed where it gets no longer.
    workspace.set("identity.max_tokens", "1");
    assert_eq!(grow(workspace.memory()).items.len(), 1);
    decide(workspace.memory(), &all()).unwrap();
    assert_eq!(soul(&workspace), "# Soul\n\n- Keep your answers long\n");
    // In prose it is left to the person.
    let workspace = night();
    workspace.write("SOUL.md", "# Soul\n\nKeep your answers short.\n");
    correct(
        &workspace,
        &[
            corrected("c1", "2026-02-17T08:00:00Z", "Keep your answers long"),
            corrected("c2", "2026-02-19T08:00:00Z", "Keep your answers long"),
        ],
    );
    assert!(why(&grow(workspace.memory()), "Keep your answers long")[0].contains("stands in no list"));
    workspace.assert_well();
}

#[test]
fn an_answer_in_a_persons_words_is_applied_in_them_and_goes_back_byte_for_byte() {
    let workspace = night();
    let before = "# Soul\r\n\r\n* Be honest\r\n";
    workspace.write("SOUL.md", before);
    sample(&workspace);
    grow(workspace.memory());
    let id = pending(&workspace).items[0].id.clone();
    let edit = |text: &str| ReviewDecision {
        edits: BTreeMap::from([(id.clone(), text.to_owned())]),
        ..ReviewDecision::default()
    };
    for refused in ["", "…", &"long ".repeat(80)] {
        assert!(decide(workspace.memory(), &edit(refused)).unwrap_err().to_string().contains("these words"));
    }
    let twice = ReviewDecision { reject: BTreeMap::from([(id.clone(), String::new())]), ..only(&[&id]) };
    assert!(decide(workspace.memory(), &twice).unwrap_err().to_string().contains("approved and rejected"));
    decide(workspace.memory(), &edit("Confirm the\n time zone \"first\".")).unwrap();
    assert_eq!(
        soul(&workspace),
        format!("{before}\r\n## Principles\r\n\r\n- Confirm the time zone 'first'\r\n")
    );
    assert!(changelog(&workspace).contains("- Added principle: \"Confirm the time zone 'first'\"\n"));
    let grown = soul(&workspace);
    // Said again, it is what SOUL.md has in other words.
    correct(&workspace, &[corrected("c9", "2026-02-19T08:00:00Z", TIMEZONE)]);
    assert_eq!(preview(workspace.memory()).items, []);
    assert_eq!(preview(workspace.memory()).waiting, []);
    workspace
        .write("CORRECTIONS.md", workspace.text("CORRECTIONS.md").split("\n## 2026-02-19").next().unwrap());
    workspace.memory().catch_up();

    for wrong in ["yesterday", "2026-02-21", "../CONFIG.md", "SOUL.md"] {
        assert!(
            workspace
                .memory()
                .rollback_identity(wrong)
                .unwrap_err()
                .to_string()
                .contains("there is no snapshot")
        );
    }
    let back = workspace.memory().rollback_identity("2026-02-22").unwrap();
    assert_eq!(
        (back.to.as_str(), back.snapshot.as_str()),
        ("SOUL_HISTORY/2026-02-22-0230.md", "SOUL_HISTORY/2026-02-22-0230-2.md")
    );
    assert_eq!((soul(&workspace).as_str(), workspace.text(back.snapshot.as_str())), (before, grown.clone()));
    let encoded = || {
        let all = workspace.memory().corrections().unwrap();
        all.iter().filter(|each| each.status == CorrectionStatus::Encoded).count()
    };
    assert_eq!(encoded(), 0, "{}", workspace.text("CORRECTIONS.md"));
    assert!(changelog(&workspace).ends_with("- Rolled back to: \"SOUL_HISTORY/2026-02-22-0230.md\"\n  Snapshot: SOUL_HISTORY/2026-02-22-0230-2.md\n"));
    let same = workspace.memory().rollback_identity("2026-02-22-0230").unwrap_err();
    assert!(same.to_string().contains("is what"), "{same}");
    // What was taken out does not come back by itself, and comes back as this program's by going forward again.
    workspace.advance(SignedDuration::from_hours(24));
    assert_eq!(grow(workspace.memory()).items, []);
    assert_eq!(
        workspace.memory().rollback_identity("latest").unwrap().to.as_str(),
        "SOUL_HISTORY/2026-02-22-0230-2.md"
    );
    assert_eq!(soul(&workspace), grown);
    assert!(encoded() > 0, "{}", workspace.text("CORRECTIONS.md"));
    assert_eq!(
        workspace
            .memory()
            .identity()
            .unwrap()
            .principles
            .iter()
            .filter(|each| each.encoded.is_some())
            .count(),
        1
    );
    let history = workspace.memory().identity_history().unwrap();
    let whats: Vec<&str> = history.changes.iter().map(|each| each.what.as_str()).collect();
    assert_eq!(whats, ["Added principle", "Rolled back to", "Rolled back to"]);
    assert_eq!(
        history.snapshots.iter().map(|each| each.taken.as_str()).collect::<Vec<_>>(),
        ["2026-02-23 02:30", "2026-02-22 02:30", "2026-02-22 02:30"]
    );
    workspace.assert_well();
}

#[test]
fn old_snapshots_go_but_the_last_of_each_month_and_git_has_them() {
    let mut workspace = Workspace::at("2026-06-30T02:00:00Z");
    for name in [
        "2026-01-03-0230",
        "2026-01-09-0230",
        "2026-01-09-0230-2",
        "2026-02-01-0230",
        "2026-04-02-0230",
        "2026-04-05-0230",
        "2026-06-01-0230",
        "2026-06-02-0230",
    ] {
        workspace.write(&format!("SOUL_HISTORY/{name}.md"), format!("# {name}\n"));
    }
    workspace.write("SOUL_HISTORY/notes.md", "mine\n");
    workspace.memory().catch_up();
    let head = workspace.head();
    let job = rem_mind::jobs::Job::named("soul-keeper").unwrap();
    let run = workspace.memory().run_job(job, rem_testkit::machine_time()).unwrap();
    assert!(run.said.contains("2 old snapshots removed"), "{run:?}");
    let left: Vec<String> =
        workspace.files().into_keys().filter(|path| path.starts_with("SOUL_HISTORY/")).collect();
    // April's are 89 and 86 days old.
    assert_eq!(
        left,
        [
            "2026-01-09-0230-2",
            "2026-02-01-0230",
            "2026-04-02-0230",
            "2026-04-05-0230",
            "2026-06-01-0230",
            "2026-06-02-0230",
            "notes"
        ]
        .map(|name| format!("SOUL_HISTORY/{name}.md"))
    );
    let log = workspace.text("COMPACTION_LOG.md");
    assert!(log.contains("- SOUL_HISTORY/2026-01-03-0230.md → SOUL_HISTORY/2026-01-09-0230-2.md | 1 line | older than 90 days, one a month stays | `rem rollback file SOUL_HISTORY/2026-01-03-0230.md --to "), "{log}");
    let back = rem_ledger::Provenance::manual("rem rollback");
    workspace
        .memory()
        .ledger()
        .rollback_file(&support::path("SOUL_HISTORY/2026-01-03-0230.md"), &head, &back)
        .unwrap();
    assert_eq!(workspace.text("SOUL_HISTORY/2026-01-03-0230.md"), "# 2026-01-03-0230\n");
    workspace.set("identity.history_retention_days", "0");
    let run = workspace.memory().run_job(job, rem_testkit::machine_time()).unwrap();
    assert!(run.said.contains("3 old snapshots removed"), "{run:?}");
    assert!(
        workspace
            .memory()
            .run_job(job, rem_testkit::machine_time())
            .unwrap()
            .said
            .ends_with("none passes the gate")
    );
    workspace.assert_well();
}

#[test]
fn a_correction_that_was_taken_back_has_its_principle_looked_at_by_a_person() {
    let mut workspace = night();
    sample(&workspace);
    grow(workspace.memory());
    decide(workspace.memory(), &all()).unwrap();
    workspace.set("identity.policy", "auto");
    let entry = workspace.text("CORRECTIONS.md");
    workspace.write("CORRECTIONS.md", entry + "- status: retracted\n");
    workspace.memory().catch_up();
    let grown = grow(workspace.memory());
    assert_eq!((grown.applied.len(), grown.items[0].kind), (0, GrowthKind::Remove));
    assert!(soul(&workspace).contains(TIMEZONE) && grown.document.contains("which was taken back"));
    // Kept: not asked about again.
    let keep = ReviewDecision {
        reject_all: true,
        reason: "it holds all the same".to_owned(),
        ..ReviewDecision::default()
    };
    decide(workspace.memory(), &keep).unwrap();
    assert!(changelog(&workspace).contains(&format!("- Kept principle: \"{TIMEZONE}\"\n")));
    assert_eq!(grow(workspace.memory()).items, []);
    // Taken out.
    let log = changelog(&workspace);
    workspace.write("CHANGELOG.md", &log[..log.find("\n## 2026-02-22 — Soul Keeper\n- Kept").unwrap()]);
    workspace.memory().catch_up();
    grow(workspace.memory());
    decide(workspace.memory(), &all()).unwrap();
    assert!(!soul(&workspace).contains(TIMEZONE));
    assert!(changelog(&workspace).contains(&format!("- Removed principle: \"{TIMEZONE}\"\n  Evidence: Correction 2026-02-18 (CORRECTIONS.md #14)\n  Because: it came from 14, which was taken back\n")));
    assert_eq!(grow(workspace.memory()).items, []);
    workspace.assert_well();
}

#[test]
fn a_fact_that_was_wrong_again_is_one_principle_whatever_its_value_is_by_now() {
    let workspace = night();
    let said = |value: &str| {
        format!("Look up what was corrected before speaking of this: The launch date is {value}")
    };
    correct(
        &workspace,
        &[
            corrected("c1", "2026-02-10T08:00:00Z", "The launch date is June 5"),
            corrected("c2", "2026-02-12T08:00:00Z", "The launch date is June 5"),
        ],
    );
    assert_eq!(principles(&grow(workspace.memory())), [said("June 5")]);
    decide(workspace.memory(), &all()).unwrap();
    assert_eq!(grow(workspace.memory()).items, []);
    correct(&workspace, &[corrected("c3", "2026-02-20T08:00:00Z", "The launch date is July 9")]);
    let grown = grow(workspace.memory());
    assert_eq!(
        (grown.items[0].kind, grown.items[0].replaces.as_ref()),
        (GrowthKind::Replace, Some(&said("June 5")))
    );
    assert_eq!(decide(workspace.memory(), &all()).unwrap().conflicts, []);
    let text = soul(&workspace);
    assert!(text.contains(&said("July 9")) && !text.contains("June"), "{text}");
    assert_eq!(grow(workspace.memory()).items, []);
    workspace.assert_well();
}

#[test]
fn what_says_the_opposite_in_other_words_takes_the_place_of_what_was_encoded() {
    for (known, wrong, right) in [
        ("Never use tables", "", "Always use tables"),
        ("Never use tables", "Never use tables", "Use tables whenever you compare things"),
        ("Answer in German", "", "Always answer in English"),
        ("Keep your answers short", "", "Give detailed answers"),
        ("항상 존댓말로 대답해 줘", "", "항상 반말로 대답해 줘"),
        ("Never use emoji in answers", "", "Always use emoji in answers"),
        ("Sign every answer with Ada", "Sign every answer with Ada", "Always close with your initials"),
    ] {
        let workspace = night();
        grown_before(&workspace, &[(known, "2026-01-03", "c77")]);
        let again = |id: &str, day: &str| {
            let correction = corrected(id, &format!("{day}T08:00:00Z"), right);
            Correction { wrong: wrong.to_owned(), ..correction }
        };
        correct(&workspace, &[again("c80", "2026-02-17"), again("c81", "2026-02-19")]);
        let grown = grow(workspace.memory());
        assert_eq!(grown.items.len(), 1, "{right}: {grown:?}");
        assert_eq!(grown.items[0].replaces.as_deref(), Some(known), "{right}");
        let decided = decide(workspace.memory(), &all()).unwrap();
        assert_eq!(decided.conflicts, [], "{right}");
        let text = soul(&workspace);
        assert!(
            text.contains(&grown.items[0].principle) && !text.contains(&format!("- {known}\n")),
            "{text}"
        );
        workspace.assert_well();
    }
}

#[test]
fn of_opposites_the_newer_is_proposed_and_one_rule_in_two_wordings_is_one() {
    let workspace = night();
    correct(
        &workspace,
        &[
            corrected("c1", "2026-02-12T08:00:00Z", "Never use tables"),
            corrected("c2", "2026-02-14T08:00:00Z", "Never use tables"),
            corrected("c3", "2026-02-16T08:00:00Z", "Always use tables"),
            corrected("c4", "2026-02-18T08:00:00Z", "Always use tables"),
            corrected("c5", "2026-02-12T09:00:00Z", "Never use emoji"),
            corrected("c6", "2026-02-15T09:00:00Z", "Don't use emoji"),
        ],
    );
    let grown = grow(workspace.memory());
    let mut found = principles(&grown);
    found.sort_unstable();
    assert_eq!(found.len(), 2, "{grown:?}");
    assert!(
        found.contains(&"Always use tables") && found.iter().any(|each| each.contains("emoji")),
        "{found:?}"
    );
    assert!(why(&grown, "Never use tables").iter().any(|why| why.starts_with("taken back on 2026-02-18")));
}

#[test]
fn the_latest_snapshot_is_the_one_taken_last_whatever_the_clock_said() {
    let workspace = Workspace::new();
    workspace.write("SOUL.md", "# Soul\n- one\n");
    workspace.write("SOUL_HISTORY/2026-02-27-0900.md", "# Soul\n- two\n");
    workspace.write("SOUL_HISTORY/2026-02-28-0900.md", "# Soul\n- three\n");
    workspace.memory().catch_up();
    // Taken on the first of March; after that the clock is set back.
    workspace.memory().rollback_identity("2026-02-27-0900").unwrap();
    workspace.advance(SignedDuration::from_hours(-24 * 20));
    let back = workspace.open().rollback_identity("2026-02-28-0900").unwrap();
    assert!(back.snapshot.as_str().contains("2026-02-09"), "{back:?}");
    assert_eq!(workspace.open().soul_snapshot("latest").unwrap(), back.snapshot);
    workspace.open().rollback_identity("latest").unwrap();
    assert_eq!(workspace.text("SOUL.md"), "# Soul\n- two\n");
}
