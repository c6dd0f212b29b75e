//! Drift is what can be measured and shown: each claim with messages, and none where there are too few.

use jiff::{SignedDuration, Timestamp};
use rem_mind::identity::{DriftKind, DriftReport, DriftRequest, Measure};
use rem_testkit::Workspace;

use crate::support::talk;

const RULE: &str = "Don't use bullet points";

/// Conversations of `count` messages of the agent each, one a day from a day on.
fn conversations(
    workspace: &Workspace,
    first: &str,
    days: i64,
    count: usize,
    words: impl Fn(usize) -> String,
) {
    let first: Timestamp = format!("{first}T09:00:00Z").parse().unwrap();
    for day in 0..days {
        let at = first + SignedDuration::from_hours(24 * day);
        let turns: Vec<String> = (0..count)
            .flat_map(|number| {
                let message = words(usize::try_from(day).unwrap() * count + number);
                ["user: And then?".to_owned(), format!("agent: {message}")]
            })
            .collect();
        let turns: Vec<&str> = turns.iter().map(String::as_str).collect();
        talk(workspace, &format!("d{}", at.as_second()), &at.to_string(), &turns);
    }
}

fn drift(workspace: &Workspace) -> DriftReport {
    workspace.memory().drift(&DriftRequest::default()).unwrap()
}

fn kinds(report: &DriftReport) -> Vec<DriftKind> {
    report.claims.iter().map(|claim| claim.kind).collect()
}

/// SOUL.md with a principle that was encoded on a day.
fn encoded(workspace: &Workspace, principle: &str, day: &str) {
    workspace.write("SOUL.md", format!("# Soul\n\n## Principles\n\n- {principle}\n- Be honest\n"));
    workspace.write(
        "CHANGELOG.md",
        format!("# Changelog\n\n## {day} — Soul Keeper\n- Added principle: \"{principle}\"\n  <!-- seen:{day} -->\n"),
    );
    workspace.memory().catch_up();
}

#[test]
fn messages_against_a_principle_are_cited_from_the_day_after_it_was_encoded() {
    let workspace = Workspace::at("2026-03-01T09:00:00Z");
    encoded(&workspace, RULE, "2026-02-20");
    let list = |_| "Here it is:\n\n- one thing\n- another thing".to_owned();
    conversations(&workspace, "2026-02-18", 3, 1, list);
    assert_eq!(drift(&workspace).claims, [], "it was said before");
    conversations(&workspace, "2026-02-22", 4, 1, |number| match number {
        0 | 2 => "Here it is:\n\n- one thing\n- another thing".to_owned(),
        _ => "That is all of it, in one sentence.".to_owned(),
    });
    let report = drift(&workspace);
    assert_eq!((report.tested.as_slice(), report.untested), (&[RULE.to_owned()][..], 1));
    assert_eq!(kinds(&report), [DriftKind::PrincipleContradicted]);
    let claim = &report.claims[0];
    assert_eq!((claim.count, claim.of, claim.principle.as_deref()), (2, 4, Some(RULE)));
    assert_eq!(claim.says, format!("2 of 4 messages go against “{RULE}”"));
    // The last one first, and the lines are those of the message.
    assert_eq!(
        claim.evidence.iter().map(|each| each.day.to_string()).collect::<Vec<_>>(),
        ["2026-02-24", "2026-02-22"]
    );
    for each in &claim.evidence {
        let text = workspace.text(each.path.as_str());
        let lines: Vec<&str> = text.lines().skip(each.lines.start - 1).take(each.lines.len()).collect();
        assert!(
            lines[0].ends_with("— agent") && lines.iter().any(|line| line.contains("- another thing")),
            "{lines:?}"
        );
    }
    assert!(report.not_enough.as_deref().unwrap().contains("messages in"), "{report:?}");
    assert!(report.measures.iter().all(|each| each.p.is_none()));
    let weeks: Vec<(String, usize, usize)> = report
        .weeks
        .iter()
        .map(|week| (week.begins.to_string(), week.messages, week.contradicting))
        .collect();
    assert_eq!(weeks, [("2026-02-16".to_owned(), 4, 1), ("2026-02-23".to_owned(), 3, 1)]);
    // What the operator had to say again is named, with where it was said.
    assert_eq!(workspace.memory().identity().unwrap().waiting, []);
    talk(&workspace, "again", "2026-02-27T09:00:00Z", &["user: Don't use bullet points!", "agent: Right."]);
    let report = drift(&workspace);
    let again = report.claims.iter().find(|claim| claim.kind == DriftKind::CorrectedAgain).unwrap();
    assert_eq!(again.says, format!("the operator said “{RULE}” again since it was encoded on 2026-02-20"));
    let cited = &again.evidence[0];
    let line = workspace.text(cited.path.as_str()).lines().nth(cited.lines.start - 1).unwrap().to_owned();
    assert_eq!(line, "Don't use bullet points!");
    workspace.assert_well();
}

#[test]
fn a_change_of_manner_is_told_by_rank_with_the_farthest_messages_and_chance_is_not() {
    let workspace = Workspace::at("2026-03-01T09:00:00Z");
    let short = |number: usize| format!("Done, that took {} minutes in all.", 2 + number % 3);
    let long = |number: usize| {
        format!(
            "{} And this is sentence number {number}, which goes on for quite a while before it ends! ",
            short(number)
        )
        .repeat(3)
    };
    conversations(&workspace, "2026-01-10", 6, 5, short);
    conversations(&workspace, "2026-02-20", 6, 5, short);
    let report = drift(&workspace);
    assert_eq!((report.not_enough.as_deref(), report.claims.as_slice()), (None, &[][..]));
    assert_eq!((report.now.messages, report.now.sessions, report.before.messages), (30, 6, 30));
    let length = report.measures.iter().find(|each| each.measure == Measure::Length).unwrap();
    assert!(length.p.unwrap() > 0.5 && length.delta.unwrap().abs() < 0.05, "{length:?}");

    let workspace = Workspace::at("2026-03-01T09:00:00Z");
    conversations(&workspace, "2026-01-10", 6, 5, short);
    conversations(&workspace, "2026-02-20", 6, 5, long);
    let report = drift(&workspace);
    let says: Vec<&str> = report.claims.iter().map(|claim| claim.says.as_str()).collect();
    assert!(says.iter().any(|says| says.starts_with("messages are longer: ")), "{says:?}");
    assert!(says.iter().any(|says| says.starts_with("more exclamations: 0.5 now, 0 before")), "{says:?}");
    assert!(says.iter().all(|says| !says.contains("emoji") && !says.contains("lists")), "{says:?}");
    for claim in &report.claims {
        assert!(
            claim.kind == DriftKind::Changed && claim.evidence.len() == 5 && claim.count <= claim.of,
            "{claim:?}"
        );
        assert!(claim.evidence.iter().all(|each| each.day.to_string().as_str() >= "2026-02-20"));
    }
    // As many messages, all of one conversation on either side, say nothing.
    let workspace = Workspace::at("2026-03-01T09:00:00Z");
    conversations(&workspace, "2026-01-10", 1, 30, short);
    conversations(&workspace, "2026-02-20", 1, 30, long);
    let report = drift(&workspace);
    assert!(
        report.not_enough.as_deref().unwrap().starts_with("30 messages in 1 conversations lately"),
        "{report:?}"
    );
    assert_eq!(report.claims, []);
}

#[test]
fn korean_messages_are_measured_by_their_own_words() {
    let mut workspace = Workspace::at("2026-03-01T09:00:00Z");
    workspace.set("operator.timezone", "Asia/Seoul");
    encoded(&workspace, "이모지를 쓰지 마", "2026-02-01");
    conversations(&workspace, "2026-01-10", 5, 5, |number| {
        format!("네, {number}번 일정을 확인했습니다. 더 필요한 것이 있으신가요?")
    });
    conversations(&workspace, "2026-02-20", 5, 5, |number| {
        format!("죄송합니다! {number}번을 다시 하겠습니다 😀")
    });
    let report = drift(&workspace);
    let says: Vec<&str> = report.claims.iter().map(|claim| claim.says.as_str()).collect();
    assert_eq!(says[0], "25 of 25 messages go against “이모지를 쓰지 마”");
    for told in [
        "messages are shorter: ",
        "fewer questions: 0 now, 0.5 before",
        "more exclamations: ",
        "more messages with emoji: 1 now, 0 before",
        "more apologies: 1 now, 0 before",
    ] {
        assert!(says.iter().any(|says| says.starts_with(told)), "{told} {says:?}");
    }
    assert!(report.claims[0].evidence[0].text.starts_with("죄송합니다! 24번을 다시"));
    // The span can be asked for; the future and what lies before it do not count.
    let asked = DriftRequest { days: Some(1), baseline_days: Some(1) };
    let report = workspace.memory().drift(&asked).unwrap();
    assert_eq!((report.now.messages, report.before.messages, report.claims.len()), (0, 0, 0));
    workspace.advance(SignedDuration::from_hours(-24 * 30));
    assert_eq!(drift(&workspace).now.messages, 0);
    workspace.advance(SignedDuration::from_hours(24 * 400));
    assert_eq!((drift(&workspace).now.messages, drift(&workspace).claims.len()), (0, 0));
}
