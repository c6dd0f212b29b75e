use proptest::prelude::*;

use super::*;
use crate::document::{Document, Value};

/// The file of A2.2, to the letter.
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
  - knowledge/procedures/email-workflow.md
  - knowledge/people/_index.md
activation: gated          # auto | gated | manual
priority: high             # low | medium | high | critical
max_context_kb: 4
---

# Email Triage

## Instructions

When a new email arrives:
1. Classify: urgent / actionable / informational / spam
"#;

fn parse(text: &str) -> Parsed {
    Topic::parse("t", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What is wrong with a front matter, as `line: beginning of the sentence`.
fn wrong(front: &str) -> Vec<String> {
    let error = Topic::parse("t", format!("---\n{front}\n---\n").as_bytes()).expect_err(front);
    error.issues.iter().map(ToString::to_string).collect()
}

fn trigger(front: &str) -> Trigger {
    parse(&format!("---\ntriggers:\n  - {front}\n---\n")).topic.triggers.remove(0)
}

#[test]
fn the_file_of_the_seed_is_read() {
    let parsed = Topic::parse("email-triage", EMAIL.as_bytes()).expect("a topic");
    assert_eq!((&parsed.notes, &parsed.refused), (&vec![], &vec![]));
    let topic = parsed.topic;
    assert_eq!((topic.name.as_str(), topic.title.as_str()), ("email-triage", "Email Triage"));
    assert_eq!(topic.description, "Email Triage", "no paragraph stands before the first section");
    assert!(topic.instructions.starts_with("# Email Triage") && topic.instructions.ends_with("spam"));
    assert_eq!((topic.activation, topic.priority), (Activation::Gated, Priority::High));
    assert_eq!((topic.max_context_kb, topic.similarity_threshold), (Some(4), None));
    let webhook = When::Webhook { source: "email".to_owned(), event: Some("new_message".to_owned()) };
    assert_eq!((&topic.triggers[0].when, topic.triggers[0].line), (&webhook, 4));
    assert_eq!(topic.triggers[1].when, When::Pattern("email|inbox|mail".to_owned()));
    assert_eq!((topic.triggers[1].scope, topic.triggers[1].line), (Scope::Input, 7));
    let subscribed: Vec<(&str, usize)> =
        topic.subscriptions.iter().map(|each| (each.path.as_str(), each.line)).collect();
    assert_eq!(
        subscribed,
        [("knowledge/procedures/email-workflow.md", 11), ("knowledge/people/_index.md", 12)]
    );
}

#[test]
fn every_kind_of_trigger_is_read() {
    let one = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    assert_eq!(trigger("{type: glob, match: '*.py'}").when, When::Glob(one(&["*.py"])));
    assert_eq!(
        trigger("{type: keywords, words: [deploy, 배포]}").when,
        When::Keywords(one(&["deploy", "배포"]))
    );
    assert_eq!(trigger("boiler").when, When::Keywords(one(&["boiler"])), "a bare word");
    assert_eq!(trigger("{type: code}").when, When::Code(vec![]));
    assert_eq!(trigger("{type: code, languages: [python]}").when, When::Code(one(&["python"])));
    let german = When::Language(vec![NaturalLanguage::German, NaturalLanguage::Korean]);
    assert_eq!(trigger("{type: language, languages: [de, Korean]}").when, german);
    assert_eq!(trigger("{type: mention, names: David}").when, When::Mention(one(&["David"])));
    assert_eq!(trigger("{type: url, match: github.com}").when, When::Url(one(&["github.com"])));
    assert_eq!(trigger("{type: urgency, scope: both}").scope, Scope::Both);
    assert_eq!(trigger("{type: sentiment, mood: negative}").when, When::Sentiment(Mood::Negative));
    assert!(
        matches!(trigger("{type: cron, schedule: '0 8 * * *'}").when, When::Cron(cron) if cron.text() == "0 8 * * *")
    );
    let corrected =
        trigger(r#"{type: pattern, match: 'print ', scope: output, correction_hint: Use Python 3 syntax}"#);
    assert_eq!(corrected.correction_hint.as_deref(), Some("Use Python 3 syntax"));
    assert!(!trigger("{type: webhook, source: email}").when.watches_messages());
}

#[test]
fn the_description_is_the_key_or_the_first_paragraph_or_the_heading_or_the_name() {
    let description = |text: &str| parse(text).topic.description;
    assert_eq!(description("---\ndescription: Mail\n---\n# A\n\nText.\n"), "Mail");
    assert_eq!(description("# A\n\nHow mail\nis answered.\n\nMore.\n"), "How mail is answered.");
    assert_eq!(description("# A\n\n## Steps\n\nOne.\n"), "A");
    assert_eq!(description(""), "t");
}

#[test]
fn every_mistake_is_named_with_its_line_and_all_at_once() {
    let mistakes = wrong(
        "activation: maybe\npriority: [high]\nmax_context_kb: -1\nsimilarity_threshold: 2\ntriggers:\n  - type: pattern\n    match: '(a'\n  - type: cron\n    schedule: 0 0 31 2 *\n  - type: weather\n  - [keywords]\n  - type: keywords\n  - {type: language, languages: [klingon]}",
    );
    let expected = [
        "line 2: `activation` must be one of auto, gated, manual, but is `maybe`",
        "line 3: `priority` must be text, but is a list of 1",
        "line 4: `max_context_kb` must be a whole number from 0 to 100000, but is `-1`",
        "line 5: `similarity_threshold` must be a number from 0 to 1, but is `2`",
        "line 8: the regular expression cannot be read: unclosed group",
        "line 10: \"0 0 31 2 *\" never comes: no such month has that day",
        "line 11: \"weather\" is no kind of trigger: one of pattern, glob",
        "line 12: a trigger is a mapping with `type`, not a list of 1",
        "line 13: a keywords trigger needs `words`",
        "line 14: \"klingon\" is no language that can be told: one of ar, zh",
    ];
    assert_eq!(mistakes.len(), expected.len(), "{mistakes:#?}");
    for (mistake, expected) in mistakes.iter().zip(expected) {
        assert!(mistake.starts_with(expected), "{mistake:?} does not start with {expected:?}");
    }
    assert!(wrong("a: [").first().is_some_and(|mistake| mistake.contains("YAML")));
    assert!(wrong("a: 1\na: 2")[0].starts_with("line 3: `a` was given before"));
    // A lone carriage return ends a line for YAML, and none of the file.
    assert!(wrong("a: 1\r\r\rb: 2\na: 2")[0].starts_with("line 3: `a` was given before"));
    assert!(
        Topic::parse("t", b"---\na: \xff\n---\n").expect_err("no UTF-8").to_string().starts_with("line 2")
    );
    assert!(
        Topic::parse("t", b"---\nactivation: auto\n")
            .expect_err("unclosed")
            .to_string()
            .starts_with("line 1")
    );
}

#[test]
fn what_is_odd_is_a_note_and_a_subscription_out_of_the_workspace_is_refused() {
    let parsed = parse(
        "---\ncolour: red\ntags: [a]\nsubscriptions:\n  - ../../etc/passwd\n  - a.md\n  - a.md\ntriggers:\n  - {type: urgency, size: 3}\n---\n",
    );
    let notes: Vec<String> = parsed.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "line 2: `colour` is no key of a topic and is passed over",
            "line 7: a.md is subscribed to twice",
            "line 9: `size` is no key of a trigger of the kind urgency and is passed over",
        ]
    );
    assert_eq!(parsed.refused.len(), 1);
    assert!(parsed.refused[0].to_string().starts_with("line 5: the subscription \"../../etc/passwd\""));
    assert_eq!(parsed.topic.subscriptions.len(), 1);
}

fn word() -> impl Strategy<Value = String> {
    "[ -~가-힣äöü]{1,20}"
        .prop_map(|text| text.trim().to_owned())
        .prop_filter("not empty", |text| !text.is_empty())
}

proptest! {
    #[test]
    fn what_front_matter_says_is_what_the_topic_holds(
        words in prop::collection::vec(word(), 1..5),
        hint in word(),
        threshold in 0_u32..=100,
        kilobytes in 0_u64..=100_000,
        scope in 0_usize..3,
    ) {
        let text = |text: &str| Value::Text(text.to_owned());
        let pairs = |pairs: &[(&str, Value)]| {
            Value::Map(pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
        };
        let list = Value::List(words.iter().map(|each| text(each)).collect());
        let scope = Scope::NAMES[scope];
        let mut document = Document::parse(b"# A title\n\nA paragraph.\n");
        let triggers = [
            pairs(&[("type", text("keywords")), ("words", list), ("scope", text(scope)), ("correction_hint", text(&hint))]),
            pairs(&[("type", text("webhook")), ("source", text(&hint))]),
        ];
        document.set("triggers", &Value::List(triggers.to_vec())).unwrap();
        document.set("max_context_kb", &Value::Integer(i64::try_from(kilobytes).unwrap())).unwrap();
        document.set("similarity_threshold", &Value::Float(f64::from(threshold) / 100.0)).unwrap();
        let topic = Topic::parse("t", document.as_bytes()).unwrap().topic;
        prop_assert_eq!(&topic.triggers[0].when, &When::Keywords(words));
        prop_assert_eq!(topic.triggers[0].scope.name(), scope);
        prop_assert_eq!(topic.triggers[0].correction_hint.as_deref(), Some(hint.as_str()));
        prop_assert_eq!(&topic.triggers[1].when, &When::Webhook { source: hint.clone(), event: None });
        prop_assert_eq!(topic.max_context_kb, Some(kilobytes));
        prop_assert_eq!(topic.similarity_threshold, Some(f64::from(threshold) / 100.0));
    }

    #[test]
    fn any_bytes_are_a_topic_or_mistakes_with_lines(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&bytes);
    }

    #[test]
    fn anything_that_looks_like_a_topic_is_one_or_mistakes_with_lines(
        front in "(triggers:\n)?( *- \\{?(type|match|words|schedule): ?[ -~]{0,20}\n?){0,4}[a-z_]{0,12}:? ?[ -~\n\r]{0,60}",
    ) {
        check(format!("---\n{front}\n---\nbody").as_bytes());
    }
}

fn check(bytes: &[u8]) {
    let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count();
    match Topic::parse("t", bytes) {
        Ok(parsed) => {
            let issues = parsed.notes.iter().chain(&parsed.refused);
            assert!(issues.into_iter().all(|issue| (1..=lines).contains(&issue.line)));
        }
        Err(errors) => {
            assert!(!errors.issues.is_empty());
            assert!(errors.issues.iter().all(|issue| (1..=lines).contains(&issue.line)), "{errors}");
        }
    }
}
