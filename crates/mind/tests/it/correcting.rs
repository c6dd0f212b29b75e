//! What was remembered wrongly is written down and put right wherever it stands, and what contradicts nothing leaves no trace.

use jiff::SignedDuration;
use rem_format::transcript::Role;
use rem_mind::attention::Observation;
use rem_mind::attention::topics::Nobody;
use rem_mind::identity::{CorrectRequest, CorrectionStatus, Verdict};
use rem_mind::stores::RememberRequest;
use rem_mind::transcripts::{SessionEnd, SessionStart};
use rem_testkit::{Workspace, machine_time};

use crate::support::{agent, in_both_layouts, placed, user};
use crate::trusting::open;

fn remember(workspace: &Workspace, text: &str) {
    let request = RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap();
}

#[test]
fn a_correction_is_written_down_and_made_good_in_one_change() {
    for workspace in in_both_layouts() {
        remember(&workspace, "Mira lives in Bremen");
        remember(&workspace, "I prefer tabs over spaces");
        let head = workspace.head();
        let request = CorrectRequest {
            right: "Mira lives in Lyon".to_owned(),
            wrong: Some("Mira lives in Bremen".to_owned()),
            ..CorrectRequest::default()
        };
        let outcome = workspace.memory().correct(&request).unwrap();
        let entity = placed(&workspace, "memory/graph/entities/person--mira.md");
        assert_eq!(outcome.corrected[0].path.as_str(), entity);
        assert_eq!(outcome.corrected[0].was, "Mira lives in Bremen");
        let page = workspace.text(&entity);
        assert!(
            page.contains("~~Mira lives in Bremen~~") && page.contains("- Mira lives in Lyon <!--"),
            "{page}"
        );
        assert!(page.contains("confidence:1.00"), "{page}");
        let log = workspace.text(&placed(&workspace, "CORRECTIONS.md"));
        assert!(log.contains("- Agent said: Mira lives in Bremen\n- Correct: Mira lives in Lyon\n"), "{log}");
        assert!(log.contains("- verified: false\n- cooldown_expires: 2026-03-02T09:00:00Z\n"), "{log}");

        let second =
            CorrectRequest { right: "I prefer spaces over tabs".to_owned(), ..CorrectRequest::default() };
        workspace.memory().correct(&second).unwrap();
        let core = workspace.text(&placed(&workspace, "MEMORY.md"));
        assert!(core.contains("- I prefer spaces over tabs <!--"), "{core}");
        assert!(core.contains("was:I prefer tabs over spaces (2026-03-01 to 2026-03-01)"), "{core}");
        assert_eq!(workspace.git(&["rev-list", "--count", &format!("{head}..HEAD")]).trim(), "2");
        workspace.assert_well();
    }
}

#[test]
fn how_far_a_correction_is_follows_from_its_dates_and_old_ones_go_into_the_archive() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    let by_hand = workspace.text("CORRECTIONS.md") + "\n## By hand\n- Agent said: a\n- Correct: b\n";
    workspace.write("CORRECTIONS.md", &by_hand);
    memory.catch_up();
    let right = |text: &str| CorrectRequest { right: text.to_owned(), ..CorrectRequest::default() };
    let first = memory.correct(&right("The launch is in June")).unwrap();
    let status = || memory.corrections().unwrap().iter().map(|each| each.status).collect::<Vec<_>>();
    assert_eq!(status(), [CorrectionStatus::Unverified]);
    assert_eq!(memory.archive_corrections().unwrap().moved, [""; 0]);
    workspace.advance(SignedDuration::from_hours(24));
    assert_eq!(status(), [CorrectionStatus::Verified]);
    workspace.advance(SignedDuration::from_hours(24 * 14));
    let second = memory.correct(&right("The hall is in Lyon")).unwrap();
    let archived = memory.archive_corrections().unwrap();
    assert_eq!(archived.moved, std::slice::from_ref(&first.id));
    assert!(workspace.text("Archive/Corrections/2026-03.md").contains(&first.id));
    let log = workspace.text("CORRECTIONS.md");
    assert!(log.starts_with(&by_hand) && log.contains(&second.id) && !log.contains(&first.id), "{log}");
    assert_eq!(memory.archive_corrections().unwrap().change, "");
    workspace.assert_well();
}

#[test]
fn a_message_that_contradicts_what_was_said_or_stored_corrects_it_and_any_other_writes_nothing() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    remember(&workspace, "My favourite editor is Vim");
    let start = SessionStart { session: "s".to_owned(), ..SessionStart::default() };
    memory.start_session(&start).unwrap();
    memory.capture("s", &user("2026-03-01T09:00:00Z", "Where does Mira live?")).unwrap();
    memory
        .capture("s", &agent("2026-03-01T09:01:00Z", "As far as I know, she moved. Mira lives in Bremen."))
        .unwrap();
    let head = workspace.head();
    for (message, verdict) in [
        ("What is the weather like?", Verdict::NoTrigger),
        ("Actually, never mind, it's fine.", Verdict::NothingContradicted),
        ("I already told you that I like this tool.", Verdict::NothingContradicted),
        ("> No, I told you Mira lives in Lyon\n\nwho wrote that?", Verdict::NoTrigger),
    ] {
        let found = memory.validate_recall(message, Some("s"), false).unwrap();
        assert_eq!(found.verdict, verdict, "{message}: {found:?}");
    }
    assert_eq!(workspace.head(), head, "nothing is written of what contradicts nothing");

    let said = "No, I already told you: Mira lives in Lyon.";
    let preview = memory.validate_recall(said, Some("s"), true).unwrap();
    assert_eq!((preview.verdict, preview.correction), (Verdict::Corrected, None));
    assert_eq!(workspace.head(), head);
    let found = memory.validate_recall(said, Some("s"), false).unwrap();
    assert_eq!(found.wrong.as_deref(), Some("Mira lives in Bremen"));
    assert_eq!(found.right.as_deref(), Some("Mira lives in Lyon"));
    let log = workspace.text("CORRECTIONS.md");
    assert!(
        log.contains("(confidence: high)") && log.contains("- Agent said: Mira lives in Bremen\n"),
        "{log}"
    );

    // What a store says is put right, too, whatever the agent said.
    let found = memory
        .validate_recall("I already told you, my favourite editor is Helix.", Some("s"), false)
        .unwrap();
    assert_eq!(found.wrong.as_deref(), Some("My favourite editor is Vim"), "{found:?}");
    assert_eq!(found.correction.unwrap().corrected.len(), 1);
    let message = workspace.git(&["log", "-1", "--format=%B"]);
    assert!(message.contains("Actor: bot:recall-validator") && message.contains("Session: s"), "{message}");
    memory.end_session("s", &SessionEnd::default()).unwrap();
    workspace.assert_well();
}

#[test]
fn a_message_that_is_observed_corrects_before_its_context_is_made_and_once() {
    let mut workspace = Workspace::new();
    remember(&workspace, "The port of the gateway is 8080");
    let said = "No, I already told you: the port of the gateway is 8443.";
    let observe = |workspace: &Workspace| {
        let observation = Observation::new("s", Role::User, said);
        workspace.memory().observe(&observation, &Nobody, machine_time()).unwrap()
    };
    let observed = observe(&workspace);
    let correction = observed.correction.unwrap();
    assert_eq!(correction.verdict, Verdict::Corrected);
    let context = observed.context.unwrap().text;
    assert!(context.contains("8443"), "{context}");
    assert_eq!(observe(&workspace).correction, None, "told twice it corrects once");
    assert_eq!(workspace.text("CORRECTIONS.md").matches("- Correct: ").count(), 1);
    let counts = workspace.memory().recall_failures();
    assert_eq!((counts.high, counts.corrected, counts.nothing_contradicted), (2, 1, 1));

    workspace.set("corrections.automatic", "false");
    let observation =
        Observation::new("s", Role::User, "I already told you: the port of the gateway is 9000.");
    assert_eq!(workspace.memory().observe(&observation, &Nobody, machine_time()).unwrap().correction, None);
    workspace.assert_well();
}

#[test]
#[cfg(unix)]
fn a_failure_of_a_tool_is_handed_on_where_config_is_trusted() {
    let mut workspace = Workspace::new();
    workspace.set("triage.recall_external_handler", "cat > handed-on.json");
    let said = "I already told you to run the tests first.";
    let hand = |workspace: &Workspace, said: &str| {
        open(workspace).validate_recall(said, Some("s"), false).unwrap().verdict
    };
    assert_eq!(hand(&workspace, said), Verdict::NothingContradicted, "nobody trusts it yet");
    open(&workspace).trust_workspace().unwrap();
    assert_eq!(hand(&workspace, said), Verdict::HandedOn);
    assert!(
        workspace
            .text("handed-on.json")
            .contains(r#""message":"I already told you to run the tests first.""#)
    );
    assert_eq!(
        hand(&workspace, "I already told you that I like tea."),
        Verdict::NothingContradicted,
        "that is a memory"
    );
    let counts = workspace.memory().recall_failures();
    assert_eq!((counts.handed_on, counts.nothing_contradicted), (1, 2));
    workspace.set("triage.recall_external_handler", "sleep 60");
    open(&workspace).trust_workspace().unwrap();
    assert_eq!(hand(&workspace, said), Verdict::NothingContradicted, "nobody waits for it");
}
