//! Days become journal pages, weeks entries of MEMORY.md, months chronicles; what a person did to them stays.

use jiff::civil::date;
use rem_mind::lifecycle::condense::{CondenseOutcome, CondenseRequest};
use rem_mind::lifecycle::mine::MineRequest;
use rem_mind::stores::RememberRequest;
use rem_testkit::Workspace;

use crate::support::{believing, in_both_layouts, placed, talk};

const MORNING_TALK: [&str; 4] = [
    "user: We decided to use Postgres for the booking service, because SQLite locked up under load.",
    "agent: Noted.",
    "user: Lesson learned: never deploy on a Friday afternoon, we spent the weekend rolling back.",
    "agent: Understood.",
];

fn condense(workspace: &Workspace) -> CondenseOutcome {
    workspace.memory().condense_days(&CondenseRequest::default(), &mut |_, _| {}).unwrap()
}

#[test]
fn a_day_gets_a_page_whose_lines_lead_to_what_was_said_and_a_persons_hand_stays() {
    for workspace in in_both_layouts().map(believing) {
        talk(&workspace, "s1", "2026-02-20T09:00:00Z", &MORNING_TALK);
        let preview = CondenseRequest { preview: true, ..CondenseRequest::default() };
        let shown = workspace.memory().condense_days(&preview, &mut |_, _| {}).unwrap();
        let outcome = condense(&workspace);
        assert_eq!((shown.days[0].lines.clone(), shown.applied), (outcome.days[0].lines.clone(), false));
        let path = placed(&workspace, "memory/2026-02-20.md");
        let page = workspace.text(&path);
        assert!(
            page.starts_with("---\ntype: journal\ndate: 2026-02-20\n---\n\n# 2026-02-20\n\n## "),
            "{page}"
        );
        let transcript = outcome.days[0].transcripts[0].to_string();
        let target = transcript.trim_end_matches(".md");
        for line in page.lines().filter(|line| line.starts_with("- ")) {
            assert!(line.contains(&format!("[[{target}|09:0")), "{line}");
            let (_, lines) = line.split_once("<!-- lines:").unwrap();
            let first: usize = lines.split(['-', ',', ' ']).next().unwrap().parse().unwrap();
            let said = workspace.text(&transcript).lines().nth(first - 1).unwrap().to_owned();
            assert!(said.contains(&line[2..20]), "{line} is not {said}");
        }
        assert!(page.contains("Postgres") && page.contains("Friday"), "{page}");

        // A person takes a line out, changes one and adds one; a second conversation of the day comes in.
        let edited: String = page
            .lines()
            .filter(|line| !line.contains("Friday"))
            .map(|line| format!("{}\n", line.replace("We decided to use Postgres", "Postgres it is")))
            .collect::<String>()
            + "\nBy hand.\n";
        workspace.write(&path, &edited);
        workspace.memory().catch_up();
        assert_eq!(condense(&workspace).days, []);
        assert_eq!(workspace.text(&path), edited);
        talk(
            &workspace,
            "s2",
            "2026-02-20T15:00:00Z",
            &["user: We decided to keep the logs for thirty days.", "agent: Ok."],
        );
        assert_eq!(condense(&workspace).days.len(), 1);
        let page = workspace.text(&path);
        assert!(page.contains("Postgres it is") && page.contains("By hand.") && page.contains("thirty days"));
        assert!(!page.contains("Friday") && page.matches("Postgres").count() == 1, "{page}");
        workspace.assert_well();
    }
}

#[test]
fn what_a_page_says_already_is_not_said_twice_and_a_page_keeps_to_its_length() {
    let mut workspace = Workspace::new();
    workspace.set("lifecycle.summary_max_tokens", "60");
    let by_hand = "# Friday\r\n\r\n* We decided to use Postgres for the booking service\r\n";
    workspace.write("memory/2026-02-20.md", by_hand);
    workspace.memory().catch_up();
    talk(
        &workspace,
        "s1",
        "2026-02-20T09:00:00Z",
        &["user: We decided to use Postgres for the booking service.", "agent: Ok."],
    );
    let many: Vec<String> = (0..30)
        .map(|number| format!("user: We decided to use tool{number} for the job number {number}."))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    talk(&workspace, "s2", "2026-02-20T10:00:00Z", &many);
    let outcome = condense(&workspace);
    let page = workspace.text("memory/2026-02-20.md");
    assert!(page.starts_with(by_hand), "{page}");
    assert_eq!(page.matches("Postgres").count(), 1, "{page}");
    let tokens: usize = outcome.days[0].lines.iter().map(|line| rem_reason::count_tokens(line)).sum();
    assert!(tokens <= 60 && outcome.days[0].lines.len() > 1, "{tokens}");
}

#[test]
fn a_week_goes_into_core_memory_once_and_leaves_when_nobody_speaks_of_it() {
    let workspace = believing(Workspace::new());
    let memory = workspace.memory();
    memory.project_add("Atlas", "the booking service").unwrap();
    talk(&workspace, "s1", "2026-02-18T09:00:00Z", &MORNING_TALK);
    talk(
        &workspace,
        "s2",
        "2026-02-19T09:00:00Z",
        &["user: We decided to use Redis for the queue of the atlas repo.", "agent: Ok."],
    );
    memory.mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
    let day = Some(date(2026, 2, 20));
    let preview = memory.condense_week(day, true).unwrap();
    let week = memory.condense_week(day, false).unwrap();
    assert_eq!(week.monday, date(2026, 2, 16));
    assert_eq!((preview.applied, &preview.added), (false, &week.added));
    assert_eq!(week.added.len(), 2, "{week:#?}");
    let core = workspace.text("MEMORY.md");
    let active = core.split("## Active Context").nth(1).unwrap();
    assert!(
        active.contains("2026-02-18: ") && active.contains("Postgres") && active.contains("Redis"),
        "{core}"
    );
    assert!(active.contains("week:2026-W08") && active.contains("source:raw/conversations/"), "{core}");
    let again = memory.condense_week(day, false).unwrap();
    assert_eq!((again.added.len(), again.moved.len(), again.change.as_str()), (0, 0, ""));
    assert_eq!(workspace.text("MEMORY.md"), core);

    // Five weeks on nobody spoke of it again, but for one that is pinned by hand.
    let pinned = core.replacen("week:2026-W08 -->", "week:2026-W08 | pinned:yes -->", 1);
    workspace.write("MEMORY.md", &pinned);
    memory.catch_up();
    let later = memory.condense_week(Some(date(2026, 3, 27)), false).unwrap();
    assert_eq!((later.added.len(), later.moved.len()), (0, 1));
    assert!(workspace.text("memory/reference/core-memory.md").contains(&later.moved[0]));
    let log = workspace.text("COMPACTION_LOG.md");
    assert!(
        log.contains("| making room\n- MEMORY.md → memory/reference/core-memory.md | 1 line | core:"),
        "{log}"
    );
    assert!(workspace.text("MEMORY.md").contains("Lessons"), "what is no week's stays");
    workspace.assert_well();
}

#[test]
fn a_month_becomes_a_chronicle_by_what_it_belongs_to() {
    for workspace in in_both_layouts().map(believing) {
        let memory = workspace.memory();
        memory.project_add("Atlas", "").unwrap();
        talk(&workspace, "s1", "2026-02-18T09:00:00Z", &MORNING_TALK);
        talk(
            &workspace,
            "s2",
            "2026-02-19T09:00:00Z",
            &[
                "user: We decided to use Redis for the queue of the atlas repo.",
                "agent: Ok.",
                "user: Mira lives in Lyon.",
            ],
        );
        memory.mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
        let secret = RememberRequest {
            text: "Mira is planning a party".to_owned(),
            addressees: vec!["Bo".to_owned()],
            ..RememberRequest::default()
        };
        memory.remember(&secret).unwrap();
        // The month before this one, where none is named.
        let month = memory.condense_month(None, false).unwrap();
        let page = workspace.text(month.path.as_str());
        let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(headings, ["## Mira", "## atlas", "## Decisions", "## Lessons"], "{page}");
        assert!(
            page.contains("- 2026-02-18: We decided to use Postgres") && !page.contains("party"),
            "{page}"
        );
        assert!(
            page.lines().filter(|line| line.starts_with("- ")).all(|line| line.contains(" [[")),
            "{page}"
        );
        let again = memory.condense_month(Some(date(2026, 2, 3)), false).unwrap();
        assert_eq!((again.lines.len(), again.change.as_str()), (0, ""));
        let march = memory.condense_month(Some(date(2026, 3, 1)), true).unwrap();
        assert!(march.lines.iter().all(|line| !line.contains("party")), "{march:#?}");
        workspace.assert_well();
    }
}

#[test]
fn what_was_given_up_since_is_not_put_into_core_memory_and_leaves_it() {
    let episodes = |day: &str, text: &str| {
        format!("# {day}\n\n## 09:00 | decision | confidence:high | tags:[]\n{text}\n")
    };
    let (first, second) = (
        "We decided to use SQLite as our database.",
        "We're switching from SQLite to Postgres as our database.",
    );
    for is_rolled_up_between in [false, true] {
        let workspace = Workspace::at("2026-02-14T12:00:00Z");
        workspace.write("memory/episodes/2026-02-12.md", episodes("2026-02-12", first));
        workspace.memory().catch_up();
        if is_rolled_up_between {
            workspace.memory().condense_week(None, false).unwrap();
            assert!(workspace.text("MEMORY.md").contains("use SQLite"));
        }
        workspace.advance(jiff::SignedDuration::from_hours(10 * 24));
        workspace.write("memory/episodes/2026-02-23.md", episodes("2026-02-23", second));
        workspace.memory().catch_up();
        let week = workspace.memory().condense_week(None, false).unwrap();
        let core = workspace.text("MEMORY.md");
        assert!(core.contains("Postgres") && !core.contains("use SQLite"), "{is_rolled_up_between}: {core}");
        assert_eq!(week.moved.len(), usize::from(is_rolled_up_between), "{week:?}");
        assert!(workspace.text("memory/episodes/2026-02-12.md").contains("use SQLite"));
    }
}

#[test]
fn what_was_learned_to_do_is_told_of_its_month_and_a_month_without_notes_has_no_chronicle() {
    for workspace in in_both_layouts().map(believing) {
        let memory = workspace.memory();
        let january = memory.condense_month(Some("2026-01-10".parse().unwrap()), false).unwrap();
        assert!(!january.is_there && january.lines.is_empty());
        assert!(workspace.read(january.path.as_str()).is_none());
        talk(
            &workspace,
            "s1",
            "2026-02-18T09:00:00Z",
            &[
                "user: How to deploy Harbor:\n1. Run `make test`\n2. Tag the release\n3. Run `make deploy`\n\nRemember this procedure.",
                "agent: Noted.",
            ],
        );
        memory.mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
        condense(&workspace);
        assert!(workspace.text(&placed(&workspace, "memory/2026-02-18.md")).contains("How to deploy Harbor"));
        let month = memory.condense_month(Some("2026-02-10".parse().unwrap()), false).unwrap();
        assert!(month.is_there);
        let page = workspace.text(month.path.as_str());
        let procedure = placed(&workspace, "memory/procedures/how-to-deploy-harbor.md");
        assert!(workspace.read(&procedure).is_some());
        let link = format!("[[{}|02-18]]", procedure.trim_end_matches(".md"));
        assert!(
            page.contains("## Procedures\n") && page.contains("How to deploy Harbor") && page.contains(&link),
            "{page}"
        );
        let again = memory.condense_month(Some("2026-02-10".parse().unwrap()), false).unwrap();
        assert!(again.is_there && again.lines.is_empty() && again.change.is_empty());
        workspace.assert_well();
    }
}

#[test]
fn sentences_that_are_far_from_each_other_are_no_one_line_of_the_day() {
    let workspace = believing(Workspace::new());
    talk(
        &workspace,
        "s1",
        "2026-02-18T09:00:00Z",
        &[
            "user: I look after the boats of our sailing club, and I'd like to build a small booking app for it.",
            "agent: Ok.",
            "user: We decided to use SQLite as our database, because it is one file.",
            "agent: Ok.",
            "user: The staging server is called harbor-stage-1.",
            "agent: Ok.",
            "user: Nobody of us can log in with a password, we have keys for that.",
            "agent: Ok.",
            "user: A booking is a slot of two hours between 08:00 and 20:00.",
            "agent: Ok.",
        ],
    );
    condense(&workspace);
    let page = workspace.text("memory/2026-02-18.md");
    let lines: Vec<&str> = page.lines().filter(|line| line.starts_with("- ")).collect();
    assert!(lines.iter().any(|line| line.contains("sailing club")) && lines.len() >= 3, "{page}");
    assert!(!lines.iter().any(|line| line.contains("sailing club") && line.contains("two hours")), "{page}");
}

#[test]
fn a_heading_is_nothing_that_was_taken_back_or_only_handed_over() {
    for (message, gone, told) in [
        (
            "user: We go with the blue kiln. The old one was 20 years old. No wait, we take the red kiln.",
            "blue",
            "red kiln",
        ),
        ("user: Translate to German: We decided to sell the boat.", "boat", ""),
    ] {
        let workspace = believing(Workspace::new());
        talk(&workspace, "s1", "2026-02-20T09:00:00Z", &[message, "agent: Fine."]);
        condense(&workspace);
        let page = workspace.text("memory/2026-02-20.md");
        // Where the conversation lies is in a link.
        let said: String = page.lines().filter_map(|line| line.split("[[").next()).collect();
        assert!(!said.contains(gone) && said.contains(told), "{page}");
    }
}
