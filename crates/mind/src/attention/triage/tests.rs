use std::collections::BTreeSet;

use proptest::prelude::*;
use rem_format::config::{CustomTrigger, TriggerFamily, TriggerSide};
use serde_json::json;

use super::Family::{Forget, Memory, Question, RecallFailure, Reflection, SoftCorrection};
use super::*;

mod near;

fn read(text: &str) -> Triage {
    triage(text, Side::Input, &CustomPatterns::default())
}

fn names(text: &str, family: Family) -> Vec<String> {
    read(text).matches.into_iter().filter(|found| found.family == family).map(|found| found.pattern).collect()
}

fn about(text: &str, pattern: &str) -> String {
    let found = read(text).matches.into_iter().find(|found| found.pattern == pattern);
    found.unwrap_or_else(|| panic!("{pattern}: {text}")).about
}

#[test]
fn you_forgot_says_enough_by_itself() {
    for text in ["you forgot", "You forgot.", "ugh, you forgot"] {
        assert!(read(text).recall_failure.is_some(), "{text}");
    }
    assert!(read("you forgot a semicolon").recall_failure.is_none());
}

#[test]
fn what_says_in_chinese_that_it_is_done_is_not_what_is_spoken_of() {
    assert_eq!(about("你记错了,服务器在慕尼黑。", "你记错了"), "服务器在慕尼黑");
}

/// P7 and M8.1, list by list, each pattern in a sentence that means it.
#[test]
fn the_seeds_own_triggers_fire_under_their_names() {
    for (family, text, name) in [
        (Memory, "Remember that my sister is called Ines.", "remember that"),
        (Memory, "remember this: the code is 4711", "remember that"),
        (Memory, "Remember when the lease ends, it is in March.", "remember when"),
        (Memory, "don't forget that the office is closed on Friday", "don't forget"),
        (Memory, "Important: my flight leaves at 7.", "important:"),
        (Memory, "Decision: we keep the old logo.", "decision:"),
        (Memory, "We agreed on blue for the door.", "we agreed"),
        (Memory, "The plan is to move out in June.", "the plan is"),
        (Memory, "note to self: buy stamps", "note to self"),
        (Memory, "Keep in mind that I don't eat meat.", "keep in mind"),
        (Memory, "Note that Ada is away in May.", "note that"),
        (Memory, "For future reference, the boiler is from 2018.", "for future reference"),
        (Memory, "Save this for me: gate code 4471.", "save this"),
        (Memory, "FYI for later: the landlord is called Brandt.", "fyi for later"),
        (RecallFailure, "I already told you my name.", "I already told you"),
        (RecallFailure, "I just told you that.", "I already told you"),
        (RecallFailure, "We talked about this.", "we talked about this"),
        (RecallFailure, "We discussed this yesterday.", "we talked about this"),
        (RecallFailure, "we went over this", "we talked about this"),
        (RecallFailure, "You forgot my birthday.", "you forgot"),
        (RecallFailure, "Remember when I said I hate olives?", "remember when I said"),
        (RecallFailure, "I mentioned this before.", "I mentioned this before"),
        (RecallFailure, "No, I said Thursday.", "no, I said"),
        (RecallFailure, "no, my name is Ida", "no, I said"),
        (RecallFailure, "How many times do I have to say it?", "how many times"),
        (RecallFailure, "Don't you remember?", "don't you remember"),
        (SoftCorrection, "Actually, it's Postgres.", "actually, it's"),
        (SoftCorrection, "Actually, we moved in May.", "actually, it's"),
        (SoftCorrection, "No, it's Thursday.", "no, it's"),
        (SoftCorrection, "No, the meeting is on Monday.", "no, it's"),
        (SoftCorrection, "I switched to Helix.", "I changed"),
        (SoftCorrection, "I moved to Ghent.", "I changed"),
        (SoftCorrection, "I stopped drinking coffee.", "I changed"),
        (SoftCorrection, "That's outdated.", "that's wrong"),
        (SoftCorrection, "That's wrong.", "that's wrong"),
        (SoftCorrection, "It's Okafor-Lind now.", "it's … now"),
        (Forget, "Forget about the Lisbon trip.", "forget about"),
        (Forget, "Never mind about the Lisbon trip.", "never mind about"),
        (Forget, "Disregard what I told you about Rui.", "disregard"),
        (Forget, "That's no longer relevant.", "no longer relevant"),
        (Forget, "Scratch that.", "scratch that"),
        (Forget, "Ignore what I said about the budget.", "ignore what I said"),
        (Forget, "Remove from memory everything about Plan A.", "remove from memory"),
        (Forget, "Delete the memory about my salary.", "delete the memory about"),
        (Reflection, "Reflect on today's session.", "reflect on"),
        (Reflection, "Consolidate your memories.", "consolidate your memories"),
        (Reflection, "Review your memories.", "review your memories"),
        (Reflection, "Clean up your memory.", "clean up your memory"),
        (Question, "What do you remember about Copenhagen?", "what do you remember about"),
    ] {
        assert!(names(text, family).contains(&name.to_owned()), "{name}: {text}: {:?}", read(text));
    }
    let seeds = wordings::tables()[0].triggers().filter(|trigger| !trigger.2.is_empty());
    assert!(seeds.count() >= 40);
}

#[test]
fn what_is_asked_writes_nothing() {
    let found = read("What do you remember about Copenhagen?");
    assert!(found.memory.is_empty() && found.reflection.is_empty() && found.forget.is_empty());
    assert_eq!(found.question, ["what do you remember about"]);
}

#[test]
fn ordinary_talk_does_not_fire() {
    let mut fired = Vec::new();
    for text in [
        "never mind the weather, let's go",
        "Never mind, found it.",
        "actually, it's fine",
        "Actually I think we can leave it.",
        "I moved the file to src/",
        "I updated the lock file.",
        "don't forget to run the tests",
        "The \"remember me\" checkbox does nothing.",
        "the remember me checkbox does nothing",
        "We discussed this in the book club.",
        "No, it's not a bug.",
        "It's raining now.",
        "How many times does this loop run?",
        "You forgot a semicolon.",
        "What's the capital of Peru?",
        "Can you write a function that removes duplicates from a list?",
        "Please clean up the temporary files when you are done.",
        "Delete the unused imports and the dead code.",
        "I can't remember the name of that film.",
        "My brother always forgets his keys.",
        "Thanks, that works now!",
        "Let's start with the second option.",
        "Could you summarise this article in three sentences?",
        "What do you think about the new design?",
        "How do I save a file in vim?",
        "The server keeps crashing, can you look at it?",
        "I think the test is wrong, not the code.",
        "Why is my build so slow?",
        "Should I use a map instead of a list?",
        "Sounds good, go ahead.",
        "I'm getting an error when I start the app.",
        "Is it better to rent or to buy?",
        "Tell me a joke about penguins.",
        "That's a good point, but what about memory usage?",
        "Add a note to the readme that the script needs Python 3.",
        "We need to decide on a date for the party, any ideas?",
        "I started reading the book you suggested, it's great.",
        "He said he would never forget that day.",
        "Store the result in a variable and return it.",
        "Log the error and continue.",
        "What does this error mean?",
        "The plan is good, carry on.",
        "My flight is delayed, any tips for the airport?",
        "Can you keep it short please?",
        "Not the second one, the first.",
        "Was ist die Hauptstadt von Peru?",
        "Kannst du mir eine Funktion schreiben, die Duplikate entfernt?",
        "Ich hab den Test angepasst, jetzt läuft er.",
        "Danke, das hilft mir weiter.",
        "Wie speichere ich eine Datei in vim?",
        "Das Wetter ist heute schlecht, oder?",
        "Warum ist mein Build so langsam?",
        "Schreib mir eine kurze Mail an den Vermieter.",
        "Ich verstehe die Fehlermeldung nicht.",
        "Soll ich lieber mieten oder kaufen?",
        "Gute Idee, mach weiter.",
        "페루의 수도는 어디야?",
        "이 함수 왜 안 돌아가는지 봐 줘",
        "고마워, 이제 잘 돼.",
        "오늘 날씨 어때?",
        "메일 초안 하나 써 줘",
        "어떤 노트북을 사는 게 좋을까?",
        "좋아, 계속해.",
        "이 오류가 무슨 뜻이야?",
        "秘鲁的首都是哪里？",
        "帮我写一个去重的函数",
        "谢谢，现在好了。",
        "今天天气怎么样？",
        "这个报错是什么意思？",
        "买哪个笔记本比较好？",
        "好的，继续吧。",
        "帮我给房东写封邮件",
    ] {
        fired.extend(read(text).matches.into_iter().map(|found| (text, found.family, found.pattern)));
    }
    assert_eq!(fired, []);
}

#[test]
fn what_is_not_the_senders_own_talk_does_not_fire() {
    for text in [
        "Why?\n```\n# remember that this is wrong\n```\nThanks",
        "Why?\n~~~\nforget about it all\n~~~",
        "What is `remember that` for?",
        "> I already told you that.\n\nHow do I answer him?",
        "She wrote “forget about me” on it.",
        "Er schrieb „merk dir das“ dazu.",
        "他写了「记住这个」。",
        "《别忘了我》这首歌不错。",
        "'기억해'가 무슨 뜻이야?",
        "‚Merk dir, dass ich vegan bin‘, sagte er.",
        "Why?\n````\n```\nremember that this is wrong\n```\nremember that it is nested\n````\nThanks",
        "Why?\n<pre>\nremember that this is wrong\n</pre>\nThanks",
        "2026-03-02 11:04:17 WARN important: remember that ttl is gone",
        "Traceback (most recent call last):\n  File \"x.py\", line 1\nValueError: you forgot that",
        "Translate this: remember that I love you",
        "Proofread, please.\n\nDear Ms Brandt, remember that the lease ends in May.",
        "In the log:\n\n    remember that the cache is cold\n    forget about me\n",
    ] {
        assert!(read(text).is_empty(), "{text}: {:?}", read(text).matches);
    }
    let text = "```\nforget about me\n```\nRemember that I eat fish.";
    assert_eq!(read(text).matches.len(), 1);
}

#[test]
fn the_shape_is_the_documented_one() {
    let found =
        serde_json::to_value(read("Remember that Ada works at Nordlys. You forgot my name.")).unwrap();
    assert_eq!(
        found,
        json!({
            "memory": ["remember that"],
            "recall_failure": {"confidence": "high", "pattern": "you forgot"},
            "forget": [], "reflection": [], "custom": [], "question": [],
            "matches": [
                {"family": "memory", "pattern": "remember that", "text": "Remember that", "span": {"start": 0, "end": 13},
                 "about": "Ada works at Nordlys"},
                {"family": "recall_failure", "pattern": "you forgot", "text": "You forgot my", "span": {"start": 36, "end": 49},
                 "about": "my name"},
            ],
        })
    );
    let medium = read("Actually, it's Postgres.").recall_failure;
    assert_eq!(medium.map(|failure| failure.confidence), Some(Confidence::Medium));
    assert_eq!(serde_json::to_value(read("Hello")).unwrap()["recall_failure"], json!(null));
}

#[test]
fn a_trigger_says_what_it_refers_to() {
    for (text, pattern, expected) in [
        ("Please remember that the key is under the mat.", "remember that", "the key is under the mat"),
        ("Remember this:\nthe code is 4711", "remember that", "the code is 4711"),
        ("tomasz left. save that pls", "keep it", "tomasz left"),
        ("Forget about the March deadline!", "forget about", "the March deadline"),
        ("Actually, it's Postgres, not MySQL.", "actually, it's", "Postgres"),
        ("Merk dir: der Schlüssel liegt unter der Matte.", "merk dir", "der Schlüssel liegt unter der Matte"),
        ("记住，我不吃香菜。", "记住", "我不吃香菜"),
    ] {
        assert_eq!(about(text, pattern), expected, "{text}");
    }
}

#[test]
fn every_wording_compiles_and_names_are_unique_in_a_language() {
    for table in wordings::tables() {
        let mut names = BTreeSet::new();
        for (family, name, _, wording) in table.triggers() {
            let pattern = regex::Regex::new(&table.written_out(wording)).expect(name);
            assert!(!pattern.is_match(" "), "{name}");
            assert!(names.insert((*family, *name)), "{name} twice");
            assert!(!table.written_out(wording).contains("{mem"), "{name}");
        }
    }
}

#[test]
fn the_words_of_the_wordings_are_in_their_file() {
    wordings::patterns().assert_words_are_current();
}

#[test]
fn wordings_found_by_their_words_are_those_that_all_together_find() {
    let labelled = [
        include_str!("../../../tests/triage/tune.jsonl"),
        include_str!("../../../tests/triage/heldout.jsonl"),
    ];
    let messages = labelled.iter().flat_map(|lines| lines.lines()).map(|line| {
        let labelled: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = crate::wording::Plain::of(labelled["text"].as_str().unwrap()).text;
        (labelled["lang"].as_str().unwrap().to_owned(), text)
    });
    wordings::patterns().assert_answers_are_those_of_the_set(&messages.collect::<Vec<_>>());
}

fn trigger(name: &str, pattern: &str, family: TriggerFamily, side: TriggerSide) -> CustomTrigger {
    CustomTrigger { name: name.into(), pattern: pattern.into(), family, side, route: String::new() }
}

#[test]
fn custom_patterns_fire_on_their_side_and_in_their_family() {
    let custom = CustomPatterns::new(&[
        trigger("ticket", r"T-\d+", TriggerFamily::Custom, TriggerSide::Input),
        trigger("note", r"(?i)zur akte", TriggerFamily::Memory, TriggerSide::Both),
        trigger("sorry", "(?i)sorry", TriggerFamily::Custom, TriggerSide::Output),
    ])
    .unwrap();
    let found = triage("T-12 zur Akte: fertig. Sorry `T-13`", Side::Input, &custom);
    assert_eq!((found.custom, found.memory), (vec!["ticket".to_owned()], vec!["note".to_owned()]));
    assert_eq!(found.matches[1].about, "fertig. Sorry `T-13");
    let found = triage("Sorry, remember that T-12 goes zur Akte", Side::Output, &custom);
    assert_eq!((found.custom, found.memory), (vec!["sorry".to_owned()], vec!["note".to_owned()]));
    assert!(triage("```\nT-12\n```\n> T-13", Side::Input, &custom).is_empty());
}

#[test]
fn of_a_long_message_both_ends_are_read() {
    let filler = "lorem ipsum dolor sit amet.\n".repeat(40_000);
    let text =
        format!("Remember that I eat fish.\n{filler}Forget about olives.\n{filler}Review your memories.");
    let found = read(&text);
    assert_eq!(found.matches.len(), 2);
    assert_eq!(&text[found.matches[1].span.clone()], "Review your memories");
    assert!(read(&"ä".repeat(600_000)).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn what_a_wording_matches_has_its_words(seed in any::<u64>()) {
        wordings::patterns().assert_matches_have_their_words(seed);
    }
}

proptest! {
    #[test]
    fn spans_lie_on_characters_and_hold_the_matched_text(
        text in proptest::collection::vec(
            prop_oneof![
                Just("remember that ".to_owned()), Just("Merk dir, dass ".to_owned()), Just("记住，".to_owned()),
                Just("기억해 줘 ".to_owned()), Just("forget about ".to_owned()), Just("> ".to_owned()),
                Just("\n".to_owned()), Just("```".to_owned()), Just("“".to_owned()), Just("”".to_owned()),
                Just("\"".to_owned()), Just("I already told you. ".to_owned()), Just("İ’ ".to_owned()), "\\PC{0,12}",
                any::<String>(),
            ],
            0..24,
        ).prop_map(|pieces| pieces.concat())
    ) {
        for found in read(&text).matches {
            prop_assert_eq!(text.get(found.span.clone()), Some(found.text.as_str()));
            prop_assert!(text.contains(&found.about));
        }
    }
}

#[test]
fn what_is_asked_in_so_many_words_is_taken_whatever_it_is_about() {
    for (family, text) in [
        (Memory, "remember that the staging server runs on port 8081"),
        (Memory, "Remember that our unit tests run on Jenkins"),
        (Memory, "important: the build runs at 3 am"),
        (Memory, "note that I prefer CSS modules"),
        (Memory, "decision: functions return Result, never null"),
        (Memory, "we agreed to use regex crate"),
        (Memory, "the plan is to move src to lib"),
        (RecallFailure, "I already told you, the tests are in spec/"),
        (SoftCorrection, "No, that's wrong: the atlas staging server runs on port 9090."),
        (Forget, "forget what I said about the database"),
        (Forget, "delete the memory about the repo URL"),
        (Reflection, "clean up your memory of this repo"),
        (RecallFailure, "how many times do I have to tell you: no semicolons"),
        (Memory, "Merk dir, dass der Server auf Port 8081 läuft"),
        (Memory, "Merk dir: Tests laufen mit pnpm test"),
        (Memory, "记住服务器端口是8081"),
        (Memory, "记住,测试用pytest"),
        (Memory, "서버 포트는 8081이야, 기억해 줘"),
        (RecallFailure, "I told you, the port is 6000!"),
        (RecallFailure, "That's not what I said."),
        (SoftCorrection, "wait, no - it's port 6000"),
        (SoftCorrection, "No wait, the port is 6000"),
        (SoftCorrection, "아니, 포트는 6000이야"),
        (RecallFailure, "말했잖아, 포트는 6000이라고"),
        (SoftCorrection, "不对，端口是6000"),
        (RecallFailure, "我跟你说过端口是6000"),
    ] {
        let families: Vec<Family> = read(text).matches.into_iter().map(|found| found.family).collect();
        assert!(families.contains(&family), "{text}: {families:?}");
    }
}
