//! Topics through the façade: files, triggers, similarity, the gate, and how well they are told apart.

use std::cell::RefCell;
use std::path::Path;

use rem_mind::attention::topics::{
    Decision, DropReason, Gate, GateAnswer, GateError, GateQuestion, GateState, Nobody, Side, TopicMatch,
    TopicMatches, TopicMessage,
};
use rem_testkit::Workspace;

/// The file of A2.2, with a paragraph.
const EMAIL: &str = r#"---
type: topic
triggers:
  - type: webhook
    source: email
    event: new_message
  - type: pattern
    match: "email|inbox|mail"
    scope: input
subscriptions:
  - memory/procedures/email-workflow.md
activation: gated
priority: high
max_context_kb: 4
---

# Email Triage

Sorting and answering new email.

## Instructions

When a new email arrives, classify it: urgent, actionable, informational, spam.
"#;

fn matched(workspace: &Workspace, text: &str) -> TopicMatches {
    matched_by(workspace, TopicMessage { text, ..TopicMessage::default() }, &Nobody)
}

fn matched_by(workspace: &Workspace, message: TopicMessage<'_>, gate: &dyn Gate) -> TopicMatches {
    workspace.memory().match_topics(&message, gate).unwrap()
}

fn only(matches: &TopicMatches) -> &TopicMatch {
    assert_eq!(matches.topics.len(), 1, "{matches:#?}");
    &matches.topics[0]
}

/// A topic with these triggers that needs no likeness.
fn watching(workspace: &Workspace, name: &str, triggers: &str) {
    let text =
        format!("---\nactivation: auto\nsimilarity_threshold: 0\ntriggers:\n{triggers}\n---\n# {name}\n");
    workspace.write(&format!("topics/{name}.md"), text);
}

fn names(matches: &TopicMatches) -> Vec<&str> {
    matches.active().map(|topic| topic.name.as_str()).collect()
}

/// Says what it is told to, and keeps what it was asked.
struct Answers(Result<bool, GateError>, RefCell<Vec<GateQuestion>>);

impl Gate for Answers {
    fn ask(&self, question: &GateQuestion) -> Result<GateAnswer, GateError> {
        self.1.borrow_mut().push(question.clone());
        self.0.clone().map(|yes| GateAnswer { yes, by: "a model".to_owned() })
    }
}

#[test]
fn a_new_workspace_has_a_folder_for_topics_in_both_layouts() {
    use rem_mind::ledger::LayoutPreset::{Autopoiesis, OpenClaw};
    for preset in [OpenClaw, Autopoiesis] {
        let workspace = Workspace::with_layout(preset);
        assert!(workspace.root().join("topics").is_dir());
        assert!(workspace.memory().topics().unwrap().topics().is_empty());
        assert!(matched(&workspace, "anything").topics.is_empty());
    }
}

#[test]
fn the_seeds_topic_is_active_for_mail_and_not_for_the_weather() {
    let workspace = Workspace::new();
    workspace.write("topics/email-triage.md", EMAIL);
    let found = matched(&workspace, "Please sort the new email in my inbox, most is spam.");
    let topic = only(&found);
    assert_eq!((topic.name.as_str(), topic.tier1, topic.gate), ("email-triage", true, GateState::Bypassed));
    assert!(topic.active && topic.tier2 >= 0.3, "{topic:#?}");
    let first = &topic.matches[0];
    assert_eq!((first.trigger, first.line, first.text.as_str()), ("pattern", 7, "email"));
    assert_eq!(first.span, Some(20..25));
    assert!(matched(&workspace, "What will the weather be like on Sunday?").topics.is_empty());
}

#[test]
fn every_matcher_finds_what_it_is_for() {
    let workspace = Workspace::new();
    for (name, triggers) in [
        ("pattern", "  - {type: pattern, match: '\\bdeploy(ed|ing)?\\b'}"),
        ("number", "  - {type: pattern, match: '\\d{4}-\\d{2}'}"),
        ("glob", "  - {type: glob, match: ['*.py', 'docs/**']}"),
        ("keywords", "  - {type: keywords, words: [roll back, 배포, 部署]}"),
        ("code", "  - {type: code, languages: [python]}"),
        ("language", "  - {type: language, languages: [de]}"),
        ("mention", "  - {type: mention, names: [David, '@silas']}"),
        ("anybody", "  - {type: mention}"),
        ("host", "  - {type: url, match: github.com}"),
        ("pull", "  - {type: url, match: 'github.com/*/pull/*'}"),
        ("urgency", "  - {type: urgency}"),
        ("sentiment", "  - {type: sentiment, mood: positive}"),
    ] {
        watching(&workspace, name, triggers);
    }
    for (text, expected) in [
        ("We DEPLOYED it, and then had to roll\nback", vec!["keywords", "pattern"]),
        ("redeployable, unemployed", vec![]),
        ("the report of 2026-02 is there", vec!["number"]),
        ("배포해줘", vec!["keywords"]),
        ("请部署到服务器", vec!["keywords"]),
        ("look:\n```py\nx = 1\n```", vec!["code"]),
        ("look:\n```rust\nlet x = 1;\n```", vec![]),
        ("Kannst du mir bitte helfen, das zu verstehen?", vec!["language"]),
        ("ask david about it", vec!["mention"]),
        ("ask @silas about it", vec!["anybody", "mention"]),
        ("write to me@silas.example", vec![]),
        ("Mira is away this week", vec!["anybody"]),
        ("see https://www.github.com/rust-lang/rust.", vec!["host"]),
        ("see (https://github.com/a/b/pull/12)", vec!["host", "pull"]),
        ("see https://notgithub.com/a", vec![]),
        ("It is down!!!", vec!["urgency"]),
        ("nice 🎉👍", vec!["sentiment"]),
        ("An ordinary sentence about boats.", vec![]),
        ("", vec![]),
    ] {
        let people = ["Mira".to_owned()];
        let message = TopicMessage { text, people: &people, ..TopicMessage::default() };
        let found = matched_by(&workspace, message, &Nobody);
        let mut found = names(&found);
        found.sort_unstable();
        assert_eq!(found, expected, "{text}");
    }
    for (path, expected) in [
        ("src/main.py", true),
        ("/home/a/x.py", true),
        ("docs/a/b.md", true),
        ("main.pyc", false),
        ("a.md", false),
    ] {
        let tool_paths = [path.to_owned()];
        let message = TopicMessage { text: "ran a tool", tool_paths: &tool_paths, ..TopicMessage::default() };
        let found = matched_by(&workspace, message, &Nobody);
        assert_eq!(names(&found), if expected { vec!["glob"] } else { vec![] }, "{path}");
    }
}

#[test]
fn spans_lead_to_the_words_even_after_letters_that_fold_to_another_length() {
    let workspace = Workspace::new();
    watching(
        &workspace,
        "deploy",
        "  - {type: keywords, words: [deploy]}\n  - {type: pattern, match: 'server.?'}",
    );
    for text in ["deploy the server!", "İK ſ 界 deploy the server!", "\u{212A}\u{212A} deploy, the SERVERs"]
    {
        let found = matched(&workspace, text);
        let topic = only(&found);
        assert_eq!(topic.matches.len(), 2, "{text}");
        for matched in &topic.matches {
            assert_eq!(text[matched.span.clone().unwrap()], matched.text, "{text}");
        }
    }
}

#[test]
fn the_agents_own_words_bring_the_hint_of_a_topic_and_the_users_do_not() {
    let workspace = Workspace::new();
    watching(
        &workspace,
        "python3",
        "  - {type: pattern, match: '\\bprint \"', scope: output, correction_hint: Use Python 3 syntax}",
    );
    let text = "Here you are: print \"hello\"";
    let output = TopicMessage { text, side: Side::Output, ..TopicMessage::default() };
    let found = matched_by(&workspace, output, &Nobody);
    assert_eq!(only(&found).hint.as_deref(), Some("Use Python 3 syntax"));
    assert_eq!(names(&matched(&workspace, text)), [] as [&str; 0]);
}

#[test]
fn the_gate_is_asked_only_where_the_table_says_so_and_its_word_counts() {
    let workspace = Workspace::new();
    workspace.write("topics/email-triage.md", EMAIL.replace("priority: high", "priority: medium"));
    let text = "Please sort the new email in my inbox.";
    let message = TopicMessage { text, ..TopicMessage::default() };
    for (answer, state) in [(Ok(true), GateState::Yes), (Ok(false), GateState::No)] {
        let gate = Answers(answer, RefCell::default());
        let found = matched_by(&workspace, message, &gate);
        let topic = only(&found);
        assert_eq!(
            (topic.decision, topic.gate, topic.active),
            (Decision::AskGate, state, state == GateState::Yes)
        );
        assert_eq!((topic.answered_by.as_deref(), topic.gate_error.as_deref()), (Some("a model"), None));
        let asked = gate.1.into_inner();
        assert_eq!(asked.len(), 1);
        assert!(
            asked[0].is_triggered
                && asked[0].prompt.contains("Description: Sorting and answering new email.")
        );
    }
    let critical = EMAIL.replace("priority: high", "priority: critical");
    workspace.write("topics/email-triage.md", critical);
    let gate = Answers(Ok(false), RefCell::default());
    assert!(only(&matched_by(&workspace, message, &gate)).active);
    assert!(gate.1.into_inner().is_empty(), "a critical topic asks nobody");
}

#[test]
fn where_nobody_answers_the_setting_does_but_similarity_alone_needs_a_real_yes() {
    let mut workspace = Workspace::new();
    workspace.write("topics/email-triage.md", EMAIL.replace("priority: high", "priority: medium"));
    let text = "Please sort the new email in my inbox.";
    let found = matched(&workspace, text);
    assert!(only(&found).active);
    assert_eq!(only(&found).answered_by.as_deref(), Some("topics.gate_default"));
    assert_eq!(only(&found).gate_error.as_deref(), Some("there is no model to ask"));
    let failing = Answers(Err(GateError::Failed("no answer in 5 s".to_owned())), RefCell::default());
    let message = TopicMessage { text, ..TopicMessage::default() };
    assert!(only(&matched_by(&workspace, message, &failing)).active);
    workspace.set("topics.gate_default", "no");
    assert!(!only(&matched(&workspace, text)).active);
    workspace.set("topics.gate_default", "yes");

    let untriggered = EMAIL.replace("email|inbox|mail\"", "zzzz\"");
    workspace.write("topics/email-triage.md", untriggered);
    let found = matched(&workspace, "Sorting and answering new email: classify it, urgent or spam");
    let topic = only(&found);
    assert_eq!((topic.tier1, topic.decision, topic.active), (false, Decision::AskGate, false), "{topic:#?}");
    let gate = Answers(Ok(true), RefCell::default());
    let text = "Sorting and answering new email: classify it, urgent or spam";
    let message = TopicMessage { text, ..TopicMessage::default() };
    assert!(only(&matched_by(&workspace, message, &gate)).active);
}

#[test]
fn a_manual_topic_waits_for_a_person() {
    let workspace = Workspace::new();
    workspace.write("topics/email-triage.md", EMAIL.replace("activation: gated", "activation: manual"));
    let found = matched(&workspace, "Please sort the new email in my inbox.");
    assert_eq!(only(&found).decision, Decision::Drop(DropReason::Manual));
    assert!(!only(&found).active);
}

#[test]
fn a_bad_file_is_named_by_line_and_takes_no_other_with_it() {
    let workspace = Workspace::new();
    workspace.write("topics/email-triage.md", EMAIL);
    workspace.write("topics/b-type.md", "---\ntriggers:\n  - type: weather\n---\n");
    workspace.write("topics/c-yaml.md", "---\ntriggers: [\n---\n");
    workspace.write(
        "topics/d-large.md",
        "---\ntriggers:\n  - type: pattern\n    match: 'ok'\n  - type: pattern\n    match: '\\w{900}\\w{900}'\n---\n",
    );
    workspace.write("topics/e-bytes.md", b"---\na: \xFF\n---\n");
    workspace.write("topics/f-escape.md", "A title\n\n\u{1b}]0;owned\u{7}");
    workspace.write("topics/g-noise.md", b"# A picture\n\n\x89PNG\xFF");
    workspace.write("topics/_index.md", "no topic");
    workspace.write("topics/notes.txt", "no topic");
    workspace.write("topics/old/gone.md", EMAIL);
    let memory = workspace.memory();
    let set = memory.topics().unwrap();
    let usable: Vec<&str> = set.topics().iter().map(|topic| topic.name.as_str()).collect();
    assert_eq!((usable, set.unusable()), (vec!["email-triage"], 6));
    let check = memory.check_topics().unwrap();
    let named: Vec<(&str, usize)> =
        check.problems.iter().map(|problem| (problem.path.as_str(), problem.line)).collect();
    assert_eq!(
        named,
        [
            ("topics/b-type.md", 3),
            ("topics/c-yaml.md", 2),
            ("topics/d-large.md", 5),
            ("topics/e-bytes.md", 2),
            ("topics/email-triage.md", 11),
            ("topics/f-escape.md", 3),
            ("topics/g-noise.md", 3),
        ],
        "{:#?}",
        check.problems
    );
    assert!(check.problems[2].what.contains("too large"), "{}", check.problems[2].what);
    assert!(!check.is_well());
    assert!(only(&matched(&workspace, "Sort my inbox, the email is new")).active);
}

#[test]
fn subscriptions_that_lead_nowhere_are_named_and_harmless() {
    let workspace = Workspace::new();
    workspace.write("notes/large.md", "");
    let large =
        std::fs::OpenOptions::new().write(true).open(workspace.root().join("notes/large.md")).unwrap();
    large.set_len(100 << 20).unwrap();
    let text = EMAIL.replace(
        "  - memory/procedures/email-workflow.md\n",
        "  - topics/email-triage.md\n  - notes/missing.md\n  - ../../etc/passwd\n  - notes/large.md\n  - topics\n  - USER.md\n",
    );
    workspace.write("topics/email-triage.md", text);
    let huge = std::fs::File::create(workspace.root().join("topics/huge.md")).unwrap();
    huge.set_len(100 << 20).unwrap();
    let check = workspace.memory().check_topics().unwrap();
    let said: Vec<String> = check
        .problems
        .iter()
        .map(|problem| format!("{}:{} {}", problem.path, problem.line, problem.what))
        .collect();
    for (said, expected) in said.iter().zip([
        "topics/email-triage.md:11 it subscribes to itself",
        "topics/email-triage.md:12 the subscription notes/missing.md is not there",
        "topics/email-triage.md:13 the subscription \"../../etc/passwd\" has a component",
        "topics/email-triage.md:14 the subscription notes/large.md has 102400 KB",
        "topics/email-triage.md:15 the subscription topics is no file",
        "topics/huge.md:1 the file has 102400 kB",
    ]) {
        assert!(said.starts_with(expected), "{said:?} is not {expected:?}");
    }
    assert_eq!((check.problems.len(), check.usable, check.unusable), (6, 1, 1));
    assert!(only(&matched(&workspace, "Sort my inbox, the email is new")).active);
    let set = workspace.memory().topics().unwrap();
    let kept: Vec<&str> = set.topics()[0].subscriptions.iter().map(|each| each.path.as_str()).collect();
    assert_eq!(kept, ["notes/missing.md", "notes/large.md", "topics", "USER.md"]);
}

#[test]
fn a_changed_folder_is_read_anew_and_an_unchanged_one_is_not() {
    let workspace = Workspace::new();
    let memory = workspace.memory();
    watching(&workspace, "a", "  - {type: keywords, words: [heron]}");
    assert_eq!(names(&matched(&workspace, "the heron")), ["a"]);
    let first = memory.topics().unwrap();
    assert!(std::sync::Arc::ptr_eq(&first, &memory.topics().unwrap()), "nothing changed");
    watching(&workspace, "a", "  - {type: keywords, words: [egret]}");
    watching(&workspace, "b", "  - {type: keywords, words: [heron]}");
    assert_eq!(names(&matched(&workspace, "the heron")), ["b"]);
    std::fs::remove_file(workspace.root().join("topics/b.md")).unwrap();
    assert!(matched(&workspace, "the heron").topics.is_empty());
    assert_eq!(names(&matched(&workspace, "the egret")), ["a"]);
}

#[test]
fn schedules_and_webhooks_name_their_topics() {
    let mut workspace = Workspace::at("2026-03-01T08:30:00Z");
    watching(&workspace, "morning", "  - {type: cron, schedule: '0 8 * * *'}");
    watching(&workspace, "sunday", "  - {type: cron, schedule: 'Sunday 09:00'}");
    watching(&workspace, "mail", "  - {type: webhook, source: email, event: new_message}");
    watching(&workspace, "any-mail", "  - {type: webhook, source: email}");
    let since = "2026-03-01T07:30:00Z".parse().unwrap();
    assert_eq!(workspace.memory().topics_due(since).unwrap(), ["morning"]);
    assert_eq!(workspace.memory().topics_of_webhook("email", "new_message").unwrap(), ["any-mail", "mail"]);
    assert_eq!(workspace.memory().topics_of_webhook("email", "bounce").unwrap(), ["any-mail"]);
    // 08:30 in UTC is 09:30 in Berlin, and 07:30 is 08:30 there.
    workspace.set("operator.timezone", "Europe/Berlin");
    assert_eq!(workspace.memory().topics_due(since).unwrap(), ["sunday"]);
}

#[test]
fn a_message_of_a_megabyte_is_read_at_both_ends() {
    let workspace = Workspace::new();
    watching(
        &workspace,
        "heron",
        "  - {type: keywords, words: [heron]}\n  - {type: pattern, match: '\\d+ egrets'}",
    );
    let noise = "가나다 lorem 12 !!\n".repeat(50_000);
    assert!(noise.len() > 1_000_000);
    assert!(matched(&workspace, &noise).topics.is_empty());
    for text in [format!("the heron\n{noise}"), format!("{noise}\nthe heron")] {
        let found = matched(&workspace, &text);
        let place = only(&found).matches[0].span.clone().unwrap();
        assert_eq!(&text[place], "heron");
    }
}

/// One labelled message.
struct Labelled {
    topic: String,
    text: String,
}

fn labelled(part: &str) -> Vec<Labelled> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/topics").join(part);
    let lines = std::fs::read_to_string(file).unwrap();
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        Labelled { topic: fields[1].to_owned(), text: fields[2].to_owned() }
    };
    lines.lines().map(line).collect()
}

/// Workspaces that share the topics of the set among them, so many in each.
fn with_the_set(size: usize) -> Vec<Workspace> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/topics/topics");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let groups = files.len() / size;
    let workspace = |group: usize| {
        let mut workspace = Workspace::new();
        for file in files.iter().skip(group).step_by(groups) {
            let name = file.file_name().unwrap().to_str().unwrap();
            workspace.write(&format!("topics/{name}"), std::fs::read(file).unwrap());
        }
        // So that every topic is told with its score.
        workspace.set("topics.similarity_threshold", "0");
        workspace
    };
    (0..groups).map(workspace).collect()
}

/// Every message of a part with what is told of all topics.
fn judged(workspaces: &[Workspace], part: &str) -> Vec<(Labelled, Vec<TopicMatch>)> {
    let all = |labelled: Labelled| {
        let topics =
            workspaces.iter().flat_map(|each| matched(each, &labelled.text).topics).collect::<Vec<_>>();
        assert_eq!(topics.len(), 30);
        (labelled, topics)
    };
    labelled(part).into_iter().map(all).collect()
}

/// Right, told, and wanted pairs of message and topic, of those that `counts` lets count.
fn tally(set: &[(Labelled, Vec<TopicMatch>)], counts: impl Fn(&TopicMatch) -> bool) -> (usize, usize, usize) {
    let wanted = set.iter().filter(|(labelled, _)| labelled.topic != "none").count();
    let told = || set.iter().flat_map(|(labelled, topics)| topics.iter().map(move |topic| (labelled, topic)));
    let all = told().filter(|(_, topic)| counts(topic)).count();
    let right = told().filter(|(labelled, topic)| counts(topic) && topic.name == labelled.topic).count();
    (right, all, wanted)
}

/// The figures of docs/topics.md: run with `--nocapture` to see them.
#[test]
#[allow(clippy::print_stdout, reason = "the figures are read by a person")]
fn the_thresholds_mean_on_unseen_messages_what_the_documentation_says() {
    for size in [30, 3] {
        let workspaces = with_the_set(size);
        for part in ["tune.tsv", "held-out.tsv"] {
            let set = judged(&workspaces, part);
            let pairs = set.len() * 30;
            let share = |of: usize, all: usize| of as f64 / all.max(1) as f64;
            let at = |threshold: f64| {
                let (right, told, wanted) = tally(&set, |topic| topic.tier2 >= threshold);
                let (both, both_told, _) = tally(&set, |topic| topic.tier1 && topic.tier2 >= threshold);
                println!(
                    "{size} topics, {part}, {threshold}: {right}/{told} right ({:.2}), {right}/{wanted} found ({:.2}), {:.1} % of pairs; with a trigger {both}/{both_told} right",
                    share(right, told),
                    share(right, wanted),
                    100.0 * share(told, pairs),
                );
                (share(right, told), share(right, wanted), share(told, pairs), share(both, both_told))
            };
            let (_, found, passed, _) = at(0.15);
            assert!(found >= 0.73 && passed <= 0.12, "nine tenths are filtered out, and few that are wanted");
            let (_, found, passed, both) = at(0.2);
            assert!(found >= 0.65 && passed <= 0.07 && both >= 0.85);
            let (right, found, ..) = at(0.3);
            assert!(right >= 0.75 && found >= 0.4, "what is told at 0.3 is mostly right");
        }
    }
}

#[test]
fn a_common_word_says_little_even_where_there_is_one_topic_only() {
    let workspace = Workspace::new();
    workspace
        .write("topics/code-review.md", "# Code Review\n\nReviewing a PR: read the diff, look for tests.\n");
    for text in ["look at this", "can you look", "what time is it?", "thanks"] {
        assert!(matched(&workspace, text).topics.iter().all(|topic| topic.tier2 < 0.3), "{text}");
    }
    assert!(matched(&workspace, "please review the diff of this PR").topics[0].tier2 >= 0.3);
}
