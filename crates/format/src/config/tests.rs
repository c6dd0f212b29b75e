//! What CONFIG.md promises: the seeds' own files are understood, every mistake is named with its line, and
//! setting one key leaves every other byte alone.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::yaml;

/// The settings block of P13, key by key with its default.
const FLAT: &str = r#"# ── Context Assembler ──
context_budget_tokens: 6000
identity_tokens: 800
user_profile_tokens: 600
corrections_tokens: 400
recent_memory_tokens: 1200
semantic_recall_tokens: 1500
crm_tokens: 1000
longterm_memory_tokens: 500
headroom_reserve_tokens: 500          # v4.1
memory_retention_hours: 48
compaction_age_days: 30
correction_archive_days: 14
correction_overflow_strategy: "prioritize_unverified"
corrected_embedding_grace_days: 7
confidence_decay_interval_days: 30
confidence_decay_amount: 0.05
confidence_floor: 0.2
confidence_boost_per_mention: 0.05
correction_relevance_boost: 1.5
correction_cooldown_hours: 24
correction_retraction_confidence: 0.3
soul_max_tokens: 800
soul_history_retention_days: 90
soul_encoding_min_occurrences: 2
lock_retry_interval_seconds: 2
lock_max_retries: 5
lock_stale_threshold_seconds: 3600
cron_soul_keeper: "02:30"
cron_memory_miner: "06:00"
cron_conflict_detector: "07:00"
cron_compactor_weekly: "Sunday 03:00"
external_context_budget: 0
external_context_source: ""
recall_external_handler: ""
heartbeat_custom_patterns: []
"#;

/// The settings of A9.3.
const NESTED: &str = r#"# memory-config.yaml

context_compiler:
  token_budget: 8192                    # Target context size
  identity_budget_kb: 17
  memory_budget_kb: 3
  journal_budget_kb: 4
  topic_budget_kb: 6

search:
  bm25_weight: 0.4
  vector_weight: 0.6
  embedding_model: text-embedding-3-small
  embedding_dimensions: 1536

watchers:
  similarity_threshold: 0.15
  gate_model: haiku
  gate_max_tokens: 1

lifecycle:
  commit_interval_minutes: 30
  journal_retention_days: 90
  memory_line_cap: 200
  extraction_trigger: on_session_end     # on_session_end | hourly | manual
  condensation_schedule: "0 23 * * *"    # Daily at 23:00
  pruning_schedule: "0 0 * * 0"          # Weekly Sunday midnight

git:
  auto_commit: true
  auto_push: true
  auto_tag_daily: true
  commit_message_model: haiku
"#;

fn fenced(yaml: &str) -> String {
    format!("# Config\n\nWords.\n\n```yaml\n{yaml}```\n\nMore words.\n")
}

fn problems(yaml: &str) -> Vec<String> {
    let errors = Config::parse(&fenced(yaml)).expect_err("the file is wrong");
    errors.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn without_a_file_or_a_block_everything_has_its_default() {
    for text in
        ["", "# Only words\n", "```yaml\n```\n", "```yaml\n# nothing\n```\n", "```rust\nfoo: 1\n```\n"]
    {
        let parsed = Config::parse(text).expect("nothing is wrong");
        assert_eq!((parsed.config, parsed.notices.len()), (Config::default(), 0), "{text:?}");
    }
}

#[test]
fn every_default_is_within_its_own_range_and_round_trips() {
    for parameter in PARAMETERS {
        let value = parameter.default_value();
        let text =
            fenced(&format!("{}:\n  {}: {}\n", parameter.section, parameter.key, yaml::render(&value)));
        let parsed = Config::parse(&text).unwrap_or_else(|errors| panic!("{}: {errors}", parameter.name));
        assert_eq!(parsed.config.get(parameter.name), Some(value), "{}", parameter.name);
        assert!(!parameter.doc.trim().is_empty() && !parameter.seed.is_empty(), "{}", parameter.name);
    }
    let schedule = Config::default().schedule;
    assert_eq!(schedule.compactor.cron(), Some("0 3 * * 0"));
    assert!(
        Config::default()
            .entries()
            .all(|(parameter, value)| { parameter.kind != Kind::Schedule || value != json!("off") })
    );
}

#[test]
fn names_and_older_names_are_all_different() {
    let mut names: Vec<&str> = PARAMETERS
        .iter()
        .flat_map(|each| std::iter::once(each.name).chain(each.aliases.iter().copied()))
        .collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn the_flat_keys_of_v4_1_are_read_and_reported_once_with_their_new_names() {
    let parsed = Config::parse(&fenced(FLAT)).expect("the seed's file is good");
    let renamed = parsed.notices.iter().filter(|notice| matches!(notice, Notice::Renamed { .. })).count();
    assert_eq!(renamed, FLAT.lines().filter(|line| !line.starts_with('#')).count());
    assert!(parsed.notices.contains(&Notice::Renamed {
        line: 18,
        old: "correction_archive_days".to_owned(),
        new: "corrections.archive_days"
    }));
    assert_eq!(parsed.config.context.preset, ContextPreset::V4_1);
    let expected = Config {
        context: ContextSettings { preset: ContextPreset::V4_1, ..ContextSettings::default() },
        ..Config::default()
    };
    assert_eq!(parsed.config, expected, "the seed's numbers are our defaults");
}

#[test]
fn the_nested_keys_of_the_compiler_are_read() {
    let parsed = Config::parse_yaml(NESTED).expect("the seed's file is good");
    assert_eq!(parsed.config.context.preset, ContextPreset::Compiler);
    assert_eq!(parsed.config.embeddings.model, "text-embedding-3-small");
    assert_eq!(parsed.config.embeddings.dimensions, 1536);
    assert_eq!(parsed.config.topics.gate_model, "haiku");
    assert_eq!(parsed.config.core.line_cap, 200);
    assert_eq!(parsed.config.schedule.condensation.cron(), Some("0 23 * * *"));
    assert!(parsed.config.git.auto_push);
    let first = parsed.notices.first().map(ToString::to_string);
    assert_eq!(
        first.as_deref(),
        Some("CONFIG.md line 13: `search.embedding_model` is now called `embeddings.model`")
    );
    let trust: Vec<&str> = parsed.config.in_need_of_trust().iter().map(|parameter| parameter.name).collect();
    assert_eq!(trust, ["git.auto_push"]);
}

#[test]
fn an_unknown_key_names_its_line_and_the_nearest_key() {
    assert_eq!(
        problems("search:\n  min_scor: 0.3\n"),
        ["line 7: unknown key `search.min_scor`; did you mean `search.min_score`?"]
    );
    assert_eq!(
        problems("context:\n  min_score: 0.3\n"),
        ["line 7: unknown key `context.min_score`; did you mean `search.min_score`?"]
    );
    assert_eq!(problems("serch:\n  x: 1\n"), ["line 6: unknown key `serch`; did you mean `search`?"]);
    assert_eq!(
        problems("zzzzqqqqxxxx: 1\n"),
        ["line 6: unknown key `zzzzqqqqxxxx`; `rem config show` lists every key"]
    );
}

#[test]
fn all_problems_are_reported_in_the_order_of_their_lines() {
    let yaml = "search:\n  max_results: many\n  min_score: 1.5\n  min_score: 0.2\nlocks:\n  max_retries: -1\n\
                identity:\n  policy: sometimes\nredaction:\n  rules: [{name: a, pattern: \"(\"}]\naudit: 3\n";
    let found = problems(yaml);
    assert_eq!(found.len(), 7, "{found:#?}");
    assert_eq!(
        found[0],
        "line 7: `search.max_results` must be a whole number from 1 to 10000, but is `many`"
    );
    assert_eq!(found[1], "line 8: `search.min_score` is `1.5`, which is out of range: it must be 0 to 1");
    assert_eq!(found[2], "line 9: `search.min_score` was already given on line 8; keep one of the two");
    assert!(
        found[3].starts_with("line 11: `locks.max_retries` is `-1`, which is out of range"),
        "{}",
        found[3]
    );
    assert_eq!(
        found[4],
        "line 13: `identity.policy` is `sometimes`, which is out of range: it must be one of propose, auto, immutable"
    );
    assert!(
        found[5].starts_with("line 15: `redaction.rules` must be a valid regular expression"),
        "{}",
        found[5]
    );
    assert!(found[6].starts_with("line 16: `audit` must be a section"), "{}", found[6]);
}

#[test]
fn a_key_under_its_name_and_an_older_name_is_given_twice() {
    assert_eq!(
        problems("locks:\n  max_retries: 4\nlock_max_retries: 5\n"),
        ["line 8: `locks.max_retries` was already given on line 7; keep one of the two"]
    );
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let found = problems("core:\n  line_warning: 230\n");
    assert_eq!(
        found,
        ["line 7: `core.line_warning` contradicts another setting: \
          line_warning, line_cap and line_error must rise in this order"]
    );
}

#[test]
fn broken_yaml_is_one_problem_with_its_line() {
    assert_eq!(problems("search:\n\tmin_score: 1\n").len(), 1);
    assert!(problems("a: [1, 2\n")[0].starts_with("line "));
    assert!(problems("a: &x 1\nb: *x\n")[0].contains("anchors"));
    assert!(problems("- a\n- b\n")[0].contains("a list of 2"));
    let deep = format!("layout: {}{}\n", "[".repeat(100), "]".repeat(100));
    assert_eq!(problems(&deep).len(), 1);
}

#[test]
fn rules_paths_and_triggers_are_typed() {
    let yaml = "layout:\n  paths: {core: notes/MEMORY.md}\nredaction:\n  rules:\n    - name: ticket\n      \
                pattern: 'T-\\d+'\n  allow: ['T-0']\nheartbeat_custom_patterns:\n  - deploy(ed)?\n  \
                - {pattern: 'x+', name: many, route: scripts/x}\n";
    let config = Config::parse(&fenced(yaml)).expect("all is well").config;
    assert_eq!(config.layout.paths["core"], "notes/MEMORY.md");
    assert_eq!(config.redaction.rules, [RedactionRule { name: "ticket".into(), pattern: r"T-\d+".into() }]);
    assert_eq!(config.triage.custom_patterns[0].name, "deploy(ed)?");
    assert_eq!(config.triage.custom_patterns[1].route, "scripts/x");
    assert_eq!(
        config.get("heartbeat_custom_patterns").map(|value| value.as_array().map(Vec::len)),
        Some(Some(2))
    );
}

#[test]
fn the_template_reads_as_the_defaults_and_takes_every_setting() {
    let page = template();
    let parsed = Config::parse(&page).expect("the template is good");
    assert_eq!((parsed.config, parsed.given.len()), (Config::default(), 0));
    for parameter in PARAMETERS {
        let value = yaml::render(&parameter.default_value());
        let value = value.trim_matches('"');
        let changed =
            set(&page, parameter.name, value).unwrap_or_else(|error| panic!("{}: {error}", parameter.name));
        assert!(Config::parse(&changed).expect("still good").given.contains_key(parameter.name));
        assert!(changed.lines().count() - page.lines().count() <= 2);
    }
}

#[test]
fn the_reference_page_has_every_parameter() {
    let page = reference();
    for parameter in PARAMETERS {
        assert!(page.contains(&format!("| `{}`", parameter.key)), "{}", parameter.name);
    }
    assert!(page.contains("| `min_score` | a number | `0.3` | 0 to 1 |"), "{page}");
}

#[test]
fn set_changes_exactly_one_line_and_keeps_comments_and_line_endings() {
    let text = "# C\r\n\r\n```yaml\r\nsearch:\r\n    min_score: 0.3   # mine\r\n    # more\r\n\r\nlock_max_retries: 5\r\n```\r\nend";
    let once = set(text, "search.min_score", "0.4").expect("can be set");
    assert_eq!(once, text.replace("0.3", "0.4"));
    let alias = set(text, "locks.max_retries", "7").expect("can be set under its older name");
    assert_eq!(alias, text.replace("retries: 5", "retries: 7"));
    let added = set(text, "search.max_results", "9").expect("can be added");
    assert_eq!(added, text.replace("search:\r\n", "search:\r\n    max_results: 9\r\n"));
    let section = set(text, "operator.timezone", "Asia/Seoul").expect("can be added");
    assert_eq!(section, text.replace("5\r\n```", "5\r\noperator:\r\n  timezone: Asia/Seoul\r\n```"));
}

#[test]
fn set_makes_the_block_where_there_is_none() {
    assert_eq!(
        set("", "search.min_score", "0.4").as_deref(),
        Ok("```yaml\nsearch:\n  min_score: 0.4\n```\n")
    );
    assert_eq!(
        set("Words", "operator.name", "Ann: the first").as_deref(),
        Ok("Words\n\n```yaml\noperator:\n  name: \"Ann: the first\"\n```\n")
    );
    assert_eq!(
        set("```yaml", "search.min_score", "1").as_deref(),
        Ok("```yaml\nsearch:\n  min_score: 1.0\n")
    );
}

#[test]
fn set_manages_every_way_a_value_can_be_written() {
    let cases = [
        ("search: {min_score: 0.3, max_results: 5}\n", "search: {min_score: 0.5, max_results: 5}\n"),
        ("search: {max_results: 5}\n", "search: {min_score: 0.5, max_results: 5}\n"),
        ("search: {}\n", "search: {min_score: 0.5}\n"),
        ("search: ~\n", "search: {min_score: 0.5}\n"),
        ("search:\n", "search:\n  min_score: 0.5\n"),
        ("search: # why\n", "search: # why\n  min_score: 0.5\n"),
        ("search:\n  min_score:\n", "search:\n  min_score: 0.5\n"),
        ("search:\n  min_score: # why\n", "search:\n  min_score: 0.5 # why\n"),
        ("search:\n  min_score:\n    0.3\n", "search:\n  min_score: 0.5\n"),
        ("search:\n  \"min_score\" : 0.3\n", "search:\n  \"min_score\" : 0.5\n"),
    ];
    for (before, after) in cases {
        assert_eq!(set(&fenced(before), "search.min_score", "0.5"), Ok(fenced(after)), "{before}");
    }
    let list = fenced("redaction:\n  allow:\n    - a\n    - b\n  builtin: true\n");
    let expected = fenced("redaction:\n  allow: [c, \"d+\"]\n  builtin: true\n");
    assert_eq!(set(&list, "redaction.allow", "[c, d+]"), Ok(expected));
}

#[test]
fn prices_have_both_their_ends_and_a_range() {
    let read = |prices: &str| {
        Config::parse(&fenced(&format!("spending:\n  prices: {prices}\n"))).map_err(|error| error.to_string())
    };
    let prices = read("{\"openai:gpt-9\": {input: 0.5, output: 2}}").unwrap().config.spending.prices.0;
    assert_eq!(prices["openai:gpt-9"], ModelPrice { input: 0.5, output: 2.0 });
    for (wrong, why) in [
        ("{a: {input: 1}}", "both input and output"),
        ("{a: {input: -1, output: 1}}", "dollars from 0"),
        ("{a: {input: x, output: 1}}", "{input, output}"),
        ("{a: 1}", "{input, output}"),
        ("[1]", "{input, output}"),
        ("{a: {input: 1, output: 1, cached: 1}}", "`cached`"),
    ] {
        let error = read(wrong).unwrap_err();
        assert!(error.contains(why), "{wrong}: {error}");
    }
}

#[test]
fn set_refuses_before_it_changes_anything() {
    let text = fenced("search:\n  min_score: 0.3\n");
    let message = |name: &str, value: &str| set(&text, name, value).expect_err("refused").to_string();
    assert_eq!(
        message("search.min_scor", "1"),
        "unknown key `search.min_scor`; did you mean `search.min_score`?"
    );
    assert_eq!(
        message("search.min_score", "2"),
        "`search.min_score` must be 0 to 1, but the new value is `2`"
    );
    assert!(message("core.line_cap", "500").contains("does not go with the rest"));
    assert!(message("redaction.allow", "[(]").contains("regular expression"));
    assert!(matches!(set(&fenced("a: [\n"), "search.min_score", "0.4"), Err(SetError::Unreadable(_))));
    assert!(matches!(set("", "schedule.decay", " "), Err(SetError::BadValue { .. })));
}

#[test]
fn a_secret_in_the_wrong_setting_is_refused_and_not_repeated() {
    for (name, value) in [
        ("models.api_key_variable", "sk-abc123def456ghi789"),
        ("embeddings.api_key_variable", "9abc"),
        ("models.url", "http://user:secret-pw@host.example/v1"),
    ] {
        let error = set("", name, value).expect_err("a secret").to_string();
        assert!(error.contains(name) && !error.contains("abc") && !error.contains("pw@"), "{error}");
    }
    for (name, value) in [
        ("models.api_key_variable", "OPENAI_API_KEY"),
        ("models.api_key_variable", ""),
        ("models.url", "http://127.0.0.1:8080/v1/@me"),
    ] {
        set("", name, value).expect("no secret");
    }
}

fn any_value(parameter: &'static Parameter) -> BoxedStrategy<Value> {
    let word = "[ -~äß한\n\t\u{7f}\u{85}\u{feff}]{0,12}";
    match (parameter.kind, parameter.limits) {
        (Kind::Text, _) if parameter.key.ends_with("api_key_variable") => {
            "[A-Z_][A-Z0-9_]{0,9}".prop_map(Value::from).boxed()
        }
        (Kind::Boolean, _) => any::<bool>().prop_map(Value::from).boxed(),
        (Kind::Integer, Limits::Whole(low, high)) => (low..=high).prop_map(Value::from).boxed(),
        (Kind::Number, Limits::Real(low, high)) => (low..=high).prop_map(Value::from).boxed(),
        (Kind::Choice(names), _) => proptest::sample::select(names).prop_map(Value::from).boxed(),
        (Kind::Text, _) => word.prop_map(Value::from).boxed(),
        (Kind::TextList, _) => proptest::collection::vec(word, 0..4).prop_map(Value::from).boxed(),
        (Kind::TextMap, _) => {
            proptest::collection::btree_map(word, word, 0..4).prop_map(|map| json!(map)).boxed()
        }
        (Kind::PatternList, _) => {
            proptest::collection::vec("[ a-z가]{0,8}", 0..4).prop_map(Value::from).boxed()
        }
        (Kind::RedactionRules, _) => proptest::collection::vec((word, "[a-z:# ]{0,8}"), 0..3)
            .prop_map(|rules| {
                rules.iter().map(|(name, pattern)| json!({"name": name, "pattern": pattern})).collect()
            })
            .boxed(),
        (Kind::ModelPrices, _) => {
            let dollars = 0.0..=1_000_000.0;
            proptest::collection::btree_map(word, (dollars.clone(), dollars), 0..3)
                .prop_map(|prices| {
                    let price = |(input, output)| json!({"input": input, "output": output});
                    prices.into_iter().map(|(model, both)| (model, price(both))).collect()
                })
                .boxed()
        }
        _ => Just(parameter.default_value()).boxed(),
    }
}

fn any_setting() -> impl Strategy<Value = (&'static Parameter, Value)> {
    // Settings bound to others by a rule are tested above.
    let free = PARAMETERS
        .iter()
        .filter(|each| !each.name.contains("threshold") && !each.key.starts_with("line_"))
        .filter(|each| !each.key.ends_with("_weight") && !each.key.starts_with("topic_"))
        .collect::<Vec<_>>();
    proptest::sample::select(free).prop_flat_map(|parameter| (Just(parameter), any_value(parameter)))
}

proptest! {
    #[test]
    fn what_was_set_is_read_and_all_other_lines_stay(
        settings in proptest::collection::vec(any_setting(), 1..6),
        flat in any::<bool>(),
        windows in any::<bool>(),
    ) {
        let mut text = if flat { fenced(FLAT) } else { template() };
        if windows {
            text = text.replace('\n', "\r\n");
        }
        for (parameter, value) in settings {
            let given = match &value {
                Value::String(text) => text.clone(),
                other => yaml::render(other),
            };
            let changed = set(&text, parameter.name, &given).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let parsed = Config::parse(&changed).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(parsed.config.get(parameter.name), Some(value));
            let before: Vec<&str> = text.split('\n').collect();
            let after: Vec<&str> = changed.split('\n').collect();
            let head = before.iter().zip(&after).take_while(|(left, right)| left == right).count();
            let tail = before.iter().rev().zip(after.iter().rev()).take_while(|(left, right)| left == right).count();
            let touched = after.len().saturating_sub(head + tail);
            prop_assert!(touched <= 2, "{} lines changed in {}", touched, changed);
            prop_assert!(before.len() <= head + tail + 1);
            text = changed;
        }
    }

    #[test]
    fn any_text_is_read_or_refused_without_a_panic(text in "(```yaml\n)?[ -~\n\t가&*{}\\[\\]:#\"'-]{0,200}") {
        let _ = Config::parse(&text);
        let _ = set(&text, "search.min_score", "0.5");
    }
}

#[test]
fn custom_triggers_have_a_family_and_a_side() {
    let yaml =
        "triage:\n  custom_patterns:\n    - {pattern: 'zur Akte', name: note, family: memory, side: both}\n";
    let config = Config::parse(&fenced(yaml)).expect("all is well").config;
    let trigger = &config.triage.custom_patterns[0];
    assert_eq!((trigger.family, trigger.side), (TriggerFamily::Memory, TriggerSide::Both));
    let said = problems("triage:\n  custom_patterns:\n    - {pattern: x, family: memories}\n");
    assert!(said[0].contains("`triage.custom_patterns` must be one of memory, recall_failure"), "{said:?}");
}

#[test]
fn a_hostile_trigger_is_refused_at_once_and_by_name() {
    let list = |patterns: &mut dyn Iterator<Item = String>| {
        let lines: String = patterns.map(|pattern| format!("    - '{pattern}'\n")).collect();
        problems(&format!("triage:\n  custom_patterns:\n{lines}")).join("\n")
    };
    let one = |pattern: &str| list(&mut ["fine".to_owned(), pattern.to_owned()].into_iter());
    for (said, expected) in [
        (one(r"(\w{200}){200}"), "takes at most 256 KiB compiled in entry 2"),
        (one("((((((a{100}){100}){100}){100}){100}){100})"), "in entry 2"),
        (one(&"x".repeat(1 << 20)), "at most 1000 bytes in entry 2"),
        (one("(unclosed"), "a valid regular expression in entry 2"),
        (one(r"(a)\1"), "a valid regular expression in entry 2"),
        (one("x*"), "requires at least one character in entry 2"),
        (one("fine"), "a name of its own in entry 2"),
        (list(&mut (0..10_000).map(|number| format!("x{number}"))), "at most 500 triggers, but is 10000"),
        (
            list(&mut (0..300).map(|number| format!("{number}{}", r"\w".repeat(3)))),
            "together take at most 8 MiB",
        ),
    ] {
        assert!(said.contains("`triage.custom_patterns`") && said.contains(expected), "{said:.300}");
    }
}

#[test]
fn wrong_settings_are_mended_one_by_one() {
    let text = fenced("search:\n  min_score: much\n  max_results: none\nschedule:\n  decay: sometimes\n");
    assert_eq!(Config::parse(&text).unwrap_err().problems.len(), 3);
    let text = set(&text, "search.min_score", "0.4").unwrap();
    assert_eq!(Config::parse(&text).unwrap_err().problems.len(), 2);
    let text =
        set(&text, "operator.timezone", "UTC").expect("what is wrong elsewhere does not stand in the way");
    let (as_far, wrong) = Config::parse_as_far_as_it_is_right(&text);
    assert_eq!((as_far.config.search.min_score, wrong.len()), (0.4, 2));
    let text = set(&text, "schedule.decay", "off").unwrap();
    let text = set(&text, "search.max_results", "5").unwrap();
    assert!(Config::parse(&text).is_ok(), "{text}");
}
