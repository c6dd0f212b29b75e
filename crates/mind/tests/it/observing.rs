//! The loop for one message: captured, triaged, topics, context; and back with the agent's own words.

use rem_format::transcript::Role;
use rem_mind::attention::topics::{GateState, Nobody};
use rem_mind::attention::{Observation, Observed, parse_history};
use rem_mind::transcripts::Told;
use rem_testkit::{Workspace, machine_time};

fn observe(workspace: &Workspace, session: &str, role: Role, text: &str) -> Observed {
    workspace.memory().observe(&Observation::new(session, role, text), &Nobody, machine_time()).unwrap()
}

/// A topic for boats, which is sure of itself, and one that watches what the agent says.
fn harbor() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("SOUL.md", "# Soul\n\nI answer briefly.\n");
    workspace.write(
        "topics/boats.md",
        "---\ntype: topic\ntriggers:\n  - type: keywords\n    words: [heron, slip]\nactivation: auto\nsimilarity_threshold: 0\n---\n# Boats\n\nAsk for the tide table before anything else.\n",
    );
    workspace.write(
        "topics/units.md",
        "---\ntype: topic\npriority: critical\ntriggers:\n  - type: pattern\n    match: '\\d+ ?(feet|miles)'\n    scope: output\n    correction_hint: Give lengths in metres.\n---\n# Units\n\nLengths are metric.\n",
    );
    workspace.memory().catch_up();
    workspace
}

#[test]
fn a_message_goes_through_the_whole_loop() {
    let workspace = harbor();
    workspace.write("memory/2026-02-28.md", "# Saturday\n\n- Painted the hull of the Heron in green\n");
    let first = observe(
        &workspace,
        "s",
        Role::User,
        "Remember that the Heron is on the slip. What colour is its hull?",
    );
    assert!(!first.triage.memory.is_empty(), "{:?}", first.triage);
    let boats = first.topics.iter().find(|topic| topic.name == "boats").unwrap();
    assert!(boats.active && boats.tier1 && boats.gate == GateState::Bypassed, "{boats:?}");
    let context = first.context.unwrap();
    for said in ["I answer briefly.", "Ask for the tide table", "hull of the Heron in green"] {
        assert!(context.text.contains(said), "{said}:\n{}", context.text);
    }
    assert!(!context.text.contains("What colour is its hull?"), "the message itself is no memory of it");
    let json = serde_json::to_value(observe(&workspace, "s", Role::User, "hello")).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["session", "echo", "triage", "topics", "hints", "context", "milliseconds"]);
    let log = workspace.memory().receipts(usize::MAX);
    assert_eq!((log.len(), log[1].arguments.topics.as_slice()), (2, &["boats".to_owned()][..]));
    // What was said is in the transcript, whatever came of it.
    workspace.memory().index(false, machine_time(), &mut |_| {}).unwrap();
    let said = observe(&workspace, "t", Role::User, "Where is the Heron now?").context.unwrap();
    assert!(said.text.contains("the Heron is on the slip"), "{}", said.text);
    workspace.assert_well();
}

#[test]
fn what_the_agent_says_is_watched_and_told_on_its_next_turn() {
    let workspace = harbor();
    observe(&workspace, "s", Role::User, "How long is the pier?");
    let said = observe(&workspace, "s", Role::Agent, "The pier is 300 feet long.");
    assert!(said.context.is_none() && said.hints.is_empty());
    assert_eq!(said.topics.iter().map(|topic| topic.name.as_str()).collect::<Vec<_>>(), ["units"]);
    let other = observe(&workspace, "other", Role::User, "And the quay?");
    assert!(other.hints.is_empty(), "the hint is for the session it was said in");
    let next = observe(&workspace, "s", Role::User, "And the quay?");
    assert_eq!(next.hints, ["Give lengths in metres."]);
    assert!(next.context.unwrap().text.contains("Lengths are metric."));
    assert!(observe(&workspace, "s", Role::User, "Thanks").hints.is_empty(), "once");
}

#[test]
fn odd_messages_and_an_empty_workspace_are_survived() {
    let workspace = Workspace::new();
    let long = "word ".repeat(200_000);
    for text in ["", " ", "\u{0}", "😀", long.as_str(), "```\nremember that\n```"] {
        let observed = observe(&workspace, "s", Role::User, text);
        assert!(observed.context.is_some(), "{:?}", &text[..text.len().min(20)]);
    }
    workspace.assert_well();
}

#[test]
fn no_secret_reaches_the_disk_by_way_of_a_receipt() {
    let mut workspace = harbor();
    let secret = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    workspace.set("context_standard.history_tokens", "300");
    let history =
        parse_history(&format!("{{\"role\":\"user\",\"content\":\"the token is {secret}\"}}"), true).unwrap();
    let text = format!("Where does {secret} belong?");
    let observation =
        Observation { history: Some(&history), ..Observation::new("s", Role::User, text.as_str()) };
    let observed = workspace.memory().observe(&observation, &Nobody, machine_time()).unwrap();
    assert!(observed.context.unwrap().text.contains("the token is"));
    let receipts = workspace.memory().receipts(usize::MAX);
    assert!(receipts[0].arguments.message.starts_with("Where does "));
    assert!(!serde_json::to_string(&receipts).unwrap().contains(&secret));
    workspace.memory().replay(&receipts[0]).unwrap();
}

#[test]
fn words_that_a_host_tells_twice_are_kept_once_and_words_said_again_are_kept_again() {
    let workspace = harbor();
    let memory = workspace.memory();
    let told = Told { source: Some("claude-code"), once: true, ..Told::default() };
    let tell = |text: &str| {
        let observation = Observation { told, ..Observation::new("s", Role::User, text) };
        memory.observe(&observation, &Nobody, machine_time()).unwrap();
    };
    let said = || -> Vec<String> {
        memory.open_session_turns("s").unwrap().iter().map(rem_format::transcript::Turn::text).collect()
    };
    let long = "What was said at length. ".repeat(2_000);
    for text in ["go on", "go on", "go", &long, &long] {
        tell(text);
    }
    assert_eq!(said(), ["go on", "go", &long]);
    // An answer came in between, or time passed.
    tell("go on");
    observe(&workspace, "s", Role::Agent, "Done.");
    tell("go on");
    workspace.advance(jiff::SignedDuration::from_mins(3));
    tell("go on");
    assert_eq!(said()[3..], ["go on", "Done.", "go on", "go on"]);
    // Nobody who does not say so is held to it.
    observe(&workspace, "t", Role::User, "go on");
    observe(&workspace, "t", Role::User, "go on");
    assert_eq!(memory.open_session_turns("t").unwrap().len(), 2);
}
