//! What of a message is right and what is wrong: "not this, but that", several things in one sentence, and what is no correction at all.

use rem_format::transcript::Role;
use rem_mind::attention::Observation;
use rem_mind::attention::topics::Nobody;
use rem_mind::identity::{CorrectRequest, Verdict};
use rem_mind::stores::RememberRequest;
use rem_mind::transcripts::SessionStart;
use rem_testkit::{Workspace, machine_time};

use crate::support::agent;

pub(crate) fn knowing(texts: &[&str]) -> Workspace {
    let workspace = Workspace::new();
    for text in texts {
        let request = RememberRequest { text: (*text).to_owned(), ..RememberRequest::default() };
        workspace.memory().remember(&request).unwrap();
    }
    workspace
}

/// What the memory makes of a message: what was wrong, and what is right.
fn found(workspace: &Workspace, message: &str) -> Option<(String, String)> {
    let found = workspace.memory().validate_recall(message, None, true).unwrap();
    found.wrong.zip(found.right)
}

#[test]
fn of_not_this_but_that_the_second_half_is_right() {
    for (known, message, right) in [
        (
            "The gateway listens on port 8080",
            "No, the gateway doesn't listen on port 8080, it listens on port 9090",
            "the gateway listens on port 9090",
        ),
        (
            "The gateway listens on port 8080",
            "No, the gateway doesn't listen on port 8080. It listens on port 9090.",
            "the gateway listens on port 9090",
        ),
        (
            "The server room is in building 4",
            "The server room isn't in building 4, it's in building 7",
            "The server room is in building 7",
        ),
        ("Lea lives in Ulm", "No, Lea doesn't live in Ulm but in Bonn", "Lea lives in Bonn"),
        ("Lea wohnt in Ulm", "Nein, Lea wohnt nicht in Ulm, sondern in Bonn", "Lea wohnt in Bonn"),
        ("레아는 울름에 살아", "아니, 레아는 울름에 안 살아, 본에 살아", "레아는 본에 살아"),
        ("莉娅住在乌尔姆", "不对,莉娅不住在乌尔姆,她住在波恩", "莉娅住在波恩"),
        (
            "I am allergic to peanuts",
            "No, I'm not allergic to peanuts, I'm allergic to hazelnuts",
            "I'm allergic to hazelnuts",
        ),
        ("小李喜欢喝茶", "你记错了,小李喜欢喝咖啡,不喜欢喝茶", "小李喜欢喝咖啡"),
    ] {
        let workspace = knowing(&[known]);
        let (wrong, now) = found(&workspace, message).unwrap_or_default();
        assert_eq!((wrong.as_str(), now.as_str()), (known, right), "{message}");
    }
    // A denial alone stands for itself, without the words of correcting.
    let workspace = knowing(&["Lea works at Siemens"]);
    let (_, right) = found(&workspace, "You're wrong, Lea doesn't work at Siemens anymore").unwrap();
    assert_eq!(right, "Lea doesn't work at Siemens anymore");
}

#[test]
fn a_message_that_says_only_that_something_is_wrong_and_what_is_right_is_a_correction() {
    for message in [
        "Wrong. The server room is in building 7.",
        "You are wrong. The server room is in building 7.",
        "You're mistaken, the server room is in building 7.",
        "You are mistaken. The server room is in building 7.",
        "Nope. The server room is in building 7.",
    ] {
        let workspace = knowing(&["The server room is in building 4"]);
        let (_, right) = found(&workspace, message).unwrap_or_default();
        assert_eq!(
            right.to_lowercase().trim_end_matches('.'),
            "the server room is in building 7",
            "{message}"
        );
    }
    let workspace = knowing(&["The server room is in building 4"]);
    assert_eq!(found(&workspace, "Something went wrong. We are in building 7 now."), None);
}

#[test]
fn what_is_supposed_wished_for_or_of_another_time_corrects_nothing() {
    for (known, message) in [
        ("The budget is 5000 euros", "No, if the budget is 6000 euros we can hire"),
        ("The budget is 5000 euros", "No, when the budget is 6000 euros we can hire"),
        ("The budget is 5000 euros", "No, the budget will be 6000 euros next year"),
        ("The budget is 5000 euros", "No, the budget was 4000 euros last year"),
        ("Das Budget ist 5000 Euro", "Nein, wenn das Budget 6000 Euro ist, stellen wir ein"),
        ("Das Budget ist 5000 Euro", "Nein, das Budget wird nächstes Jahr 6000 Euro sein"),
        ("예산은 5000유로야", "아니, 예산이 6000유로면 좋겠어"),
        ("예산은 5000유로야", "아니, 예산이 6000유로면 채용할 수 있어"),
        ("预算是5000欧元", "不,去年的预算是4000欧元"),
        ("预算是5000欧元", "不,如果预算是6000欧元就好了"),
        ("우리 사무실은 서울에 있어", "아니, 우리 옛날 사무실은 부산에 있었어"),
    ] {
        let workspace = knowing(&[known]);
        assert_eq!(found(&workspace, message), None, "{message}");
        let memory = workspace.memory();
        memory.start_session(&SessionStart { session: "s".to_owned(), ..SessionStart::default() }).unwrap();
        let observation = Observation::new("s", Role::User, message);
        memory.observe(&observation, &Nobody, machine_time()).unwrap();
        assert_eq!(memory.corrections().unwrap(), [], "{message}");
    }
    // What is right now still corrects.
    for (known, message) in [
        ("The budget is 5000 euros", "No, the budget is 6000 euros"),
        ("The launch is in May", "No, the launch will be in June"),
        ("예산은 5000유로야", "아니, 예산은 6000유로야"),
        ("预算是5000欧元", "不,预算是6000欧元"),
        ("우리 사무실은 서울에 있어", "아니, 우리 사무실은 부산에 있어"),
    ] {
        let workspace = knowing(&[known]);
        assert!(found(&workspace, message).is_some(), "{message}");
    }
}

#[test]
fn a_sentence_that_puts_two_things_right_is_two_corrections() {
    for (known, message) in [
        (["Mira lives in Berlin", "Mira works at Bosch"], "No, Mira lives in Bonn and works at Siemens"),
        (
            ["Mira lives in Berlin", "Mira works at Bosch"],
            "No, Mira lives in Bonn, and she works at Siemens.",
        ),
        (
            ["Mira arbeitet bei Bosch", "Mira wohnt in Berlin"],
            "Nein, Mira wohnt in Bonn und arbeitet bei Siemens",
        ),
        (
            ["Mira has 2 children", "Mira lives in Bonn"],
            "Wrong: Mira has 3 children, and she lives in Ulm now",
        ),
    ] {
        let workspace = knowing(&known);
        let found = workspace.memory().validate_recall(message, None, false).unwrap();
        assert_eq!(found.verdict, Verdict::Corrected, "{message}");
        let page = workspace.text("memory/graph/entities/person--mira.md");
        for old in known {
            assert!(page.contains(&format!("~~{old}~~")), "{message}: {page}");
        }
        assert_eq!(workspace.memory().corrections().unwrap().len(), 2, "{message}");
        workspace.assert_well();
    }
    // By command, too, with the edges; and a part that puts nothing right leaves the sentence whole.
    let workspace = knowing(&["Mira lives in Berlin", "Mira works at Bosch"]);
    let request = CorrectRequest {
        right: "Mira lives in Bonn and works at Siemens".to_owned(),
        ..CorrectRequest::default()
    };
    workspace.memory().correct(&request).unwrap();
    let page = workspace.text("memory/graph/entities/person--mira.md");
    assert!(page.contains("--siemens]]"), "{page}");
    let whole = CorrectRequest {
        right: "Mira lives in Ulm and plays the cello".to_owned(),
        ..CorrectRequest::default()
    };
    workspace.memory().correct(&whole).unwrap();
    let log = workspace.text("CORRECTIONS.md");
    assert!(log.contains("- Correct: Mira lives in Ulm and plays the cello\n"), "{log}");
}

#[test]
fn what_an_agent_was_told_is_completed_without_the_words_that_say_so() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    memory.start_session(&SessionStart { session: "s".to_owned(), ..SessionStart::default() }).unwrap();
    memory
        .capture("s", &agent("2026-03-01T09:00:00Z", "You told me that your daughter Clara is 7."))
        .unwrap();
    let found = memory.validate_recall("No, 8!", Some("s"), true).unwrap();
    assert_eq!(found.right.as_deref(), Some("My daughter Clara is 8"));
}
