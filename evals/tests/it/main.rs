//! The whole way of a measurement, on a conversation made up here: written as a host's sessions, imported, indexed, asked,
//! and mapped back to turns.
#![allow(clippy::unwrap_used, reason = "a scene that cannot be set is a failed test")]

use rem_evals::{
    Configuration, Conversation, Corpus, DataFolder, Evaluation, Level, Settings, Suite, missed,
    read_conversations, run,
};
use rem_testkit::Workspace;

const FLAT: &str = concat!(
    r#"{"id":"flat","sessions":["#,
    r#"{"id":"first","time":"2026-01-05T18:30:20Z","turns":["#,
    r#"{"id":"f1","speaker":"Ann","text":"I signed the lease for a flat in Bergen today."},"#,
    r#"{"id":"f2","speaker":"Bo","role":"assistant","text":"Congratulations! How many rooms does it have?"},"#,
    r#"{"id":"f3","speaker":"Bo","role":"assistant","text":"And is there a balcony?"},"#,
    r#"{"id":"f4","speaker":"Ann","text":"Three rooms.\n\n## 18:31 — user\nNo balcony, though."}]},"#,
    r#"{"id":"second","time":"2026-02-07T09:00:00Z","turns":["#,
    r#"{"id":"s1","speaker":"Ann","text":"My violin lessons begin on Thursday."},"#,
    r#"{"id":"s2","speaker":"Bo","role":"assistant","text":"Wonderful, a musician next door."}]}],"#,
    r#""questions":["#,
    r#"{"text":"Which city is the flat with the lease in?","evidence":["f1"],"category":"fact"},"#,
    r#"{"text":"When do the violin lessons begin?","evidence":["s1","nowhere"],"category":"time"},"#,
    r#"{"text":"In which session was the violin talked about?","evidence":["second"]},"#,
    r#"{"text":"What colour is the sofa?","evidence":["nowhere"]}]}"#,
    "\n",
);
const DOG: &str = concat!(
    r#"{"id":"dog","sessions":[{"id":"first","time":"2026-01-09T08:00:00Z","turns":["#,
    r#"{"id":"f1","text":"Our dog Rufus chased the postman."}]}],"#,
    r#""questions":[{"text":"Who is Rufus?","evidence":["f1"],"category":"fact"}]}"#,
    "\n",
);

fn made_up(workspace: &Workspace) -> Vec<Conversation> {
    rem_testkit::write(workspace.outside(), "made-up.jsonl", [FLAT, DOG].concat());
    read_conversations(&workspace.outside().join("made-up.jsonl")).unwrap()
}

#[test]
fn every_turn_is_found_on_its_own_lines() {
    let scene = Workspace::new();
    let conversations = made_up(&scene);
    let corpus = Corpus::of_conversations(&conversations, &[]).unwrap();
    assert_eq!(corpus.lost(), 0);
    assert_eq!(corpus.today().to_string(), "2026-02-08", "a day after the last session");
    corpus.prepare().unwrap();
    let memory = corpus.open();
    let keyword = &Configuration::all()[0];
    for (question, evidence) in
        [("lease flat Bergen", "f1"), ("balcony there", "f3"), ("three rooms", "f4"), ("musician", "s2")]
    {
        let asked = rem_evals::Question {
            text: question.to_owned(),
            evidence: vec![evidence.to_owned()],
            category: None,
        };
        let gold = corpus.gold("flat", &asked).unwrap();
        assert_eq!((gold.level, gold.units.len(), gold.unknown), (Level::Turn, 1, 0));
        let found = corpus.ask(&memory, &keyword.query(&memory, question, corpus.today())).unwrap();
        let first = found.turns.iter().find(|passage| !passage.units.is_empty()).unwrap();
        assert!(first.units.iter().all(|unit| gold.units.contains(unit)), "{question}: {found:?}");
        assert!(first.tokens > 0);
    }
}

#[test]
fn a_conversation_goes_the_whole_way() {
    let scene = Workspace::new();
    let conversations = made_up(&scene);
    let configurations = Configuration::all();
    for evaluation in [
        Evaluation::apart(&conversations, &configurations, &[]).unwrap(),
        Evaluation::together(&conversations, &configurations, &[]).unwrap(),
    ] {
        assert_eq!(evaluation.counts.questions_without_evidence, 1);
        assert_eq!(evaluation.counts.unknown_evidence, 1);
        assert_eq!(evaluation.counts.lost_turns, 0);
        let levels: Vec<Level> = evaluation.asked.iter().map(|asked| asked.level).collect();
        assert_eq!(levels, [Level::Turn, Level::Turn, Level::File, Level::Turn]);
        for asked in &evaluation.asked {
            // By words, and by both: everything is so small that it stands among the first ten.
            for at in [0, 2] {
                let scores = &asked.scores[at];
                assert!(scores.recall[2] > 0.99 && scores.ndcg > 0.3, "{asked:?}");
                assert!(scores.coverage[3] > 0.99, "{asked:?}");
            }
        }
    }
}

#[test]
fn the_suite_of_conversations_reports_turns_and_sessions() {
    let scene = Workspace::new();
    made_up(&scene);
    let data = DataFolder::named(scene.outside());
    let files = vec![scene.outside().join("made-up.jsonl")];
    let settings = Settings { data, files, config: vec![("search.passage_tokens".into(), "300".into())] };
    let outcomes = run(Suite::Conversations, &settings).unwrap();
    assert_eq!(outcomes.len(), 1);
    assert_eq!(outcomes[0].suite, "conversations: made-up");
    let text = outcomes[0].markdown();
    for part in
        ["**Turns, each conv", "**Sessions, all conv", "| fact | keyword | 2 |", "1 questions without"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn data_that_is_missing_is_skipped_and_a_wrong_setting_is_not() {
    let scene = Workspace::new();
    let data = DataFolder::named(&scene.outside().join("nowhere"));
    let settings = Settings { data, files: Vec::new(), config: Vec::new() };
    for suite in Suite::ALL {
        let outcomes = run(suite, &settings).unwrap();
        assert_eq!(outcomes.len(), 1);
        assert!(outcomes[0].skipped.is_some(), "{suite:?}");
        assert!(outcomes[0].tables.is_empty());
    }
    let conversations = made_up(&scene);
    let wrong = [("search.nothing".to_owned(), "1".to_owned())];
    assert!(Corpus::of_conversations(&conversations, &wrong).is_err());
}

#[test]
fn a_question_is_missed_whose_evidence_stands_too_far_down() {
    let scene = Workspace::new();
    let conversations = made_up(&scene);
    // Every question's evidence is found, and comes first.
    assert_eq!(missed(&conversations, 1, &[]).unwrap(), []);
    let mut asked = conversations[0].clone();
    asked.questions.truncate(1);
    asked.questions[0].evidence = vec!["f1".to_owned(), "s2".to_owned()];
    let [one] = &missed(&[asked], 1, &[]).unwrap()[..] else { panic!("one question is missed") };
    assert_eq!((one.evidence[0].id.as_str(), one.evidence[0].rank), ("f1", Some(1)));
    assert_eq!(one.evidence[1].id, "s2");
    assert!(one.evidence[1].rank != Some(1), "{one:?}");
    assert_eq!(one.above.len(), 1);
    assert_eq!(one.above[0].id.as_deref(), Some("f1"));
    assert_eq!(one.evidence[0].explain.as_ref(), Some(&one.above[0].explain));
}
