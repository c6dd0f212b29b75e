use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::patterns::Patterns;
use crate::patterns::tests::Tables;

fn store(text: &str) -> Option<StoreKind> {
    route(text).store
}

#[test]
fn the_phrase_that_asks_for_remembering_is_no_part_of_the_summary() {
    for (text, summary) in [
        ("remember that Ada works at Nordlys", "Ada works at Nordlys"),
        ("Please don't forget: the boiler is from 2018.", "The boiler is from 2018."),
        ("keep in mind i don't eat meat", "I don't eat meat"),
        ("FYI, the gate code is 4471", "The gate code is 4471"),
        ("Merk dir bitte: der Hausmeister heißt Kolb.", "Der Hausmeister heißt Kolb."),
        ("Vergiss nicht, dass Ida Imkerin ist.", "Ida Imkerin ist."),
        ("기억해, 가은이는 나래의 언니야.", "가은이는 나래의 언니야."),
        ("참고로 결제 서비스는 레디스를 써.", "결제 서비스는 레디스를 써."),
        ("记住，我不吃香菜。", "我不吃香菜。"),
        ("别忘了：车险四月到期。", "车险四月到期。"),
    ] {
        let routing = route(text);
        assert_eq!((routing.summary.as_str(), routing.confidence), (summary, Certainty::High), "{text}");
    }
}

#[test]
fn nothing_is_stripped_where_nothing_would_remain() {
    for text in ["remember that", "Merk dir das.", "기억해 줘", "记住。", "", " ", "?!"] {
        assert_eq!(route(text).summary.to_lowercase(), text.trim().to_lowercase());
    }
}

#[test]
fn dates_and_times_are_read_in_four_languages() {
    let dated = |text| {
        let signals = reader::read(text).signals;
        [Signal::Date, Signal::Clock, Signal::PastTime, Signal::FutureTime]
            .map(|each| signals.hold(Signals::of(&[each])))
    };
    for (text, expected) in [
        ("The review is on 12 March at 16:20.", [true, true, false, false]),
        ("Ann called yesterday about the 22nd.", [true, false, true, false]),
        ("The movers come tomorrow.", [false, false, false, true]),
        ("Zahnarzt am 23.4. um 7:45 Uhr", [true, true, false, false]),
        ("Vorgestern war der 3. Juni.", [true, false, true, false]),
        ("Übermorgen kommt Ida.", [false, false, false, true]),
        ("5월 18일 오전 9시 예약", [true, true, false, false]),
        ("엊그제 다녀왔어", [false, false, true, false]),
        ("다음 주에 이사해", [false, false, false, true]),
        ("4月26日九点要去", [true, true, false, true]),
        ("前天停电", [false, false, true, false]),
        ("明天搬家", [false, false, false, true]),
    ] {
        assert_eq!(dated(text), expected, "{text}");
    }
}

#[test]
fn the_answer_has_the_shape_of_the_seed() {
    let routing = route("remember that Heron depends on Postgres");
    assert_eq!(
        serde_json::to_value(&routing).unwrap(),
        json!({
            "store": "semantic",
            "kind": "relation",
            "entities": [{"name": "Heron", "type": "project"}, {"name": "Postgres", "type": "tool"}],
            "relations": [{"from": "Heron", "relation": "depends-on", "to": "Postgres"}],
            "tags": ["heron", "depends", "postgres"],
            "confidence": "high",
            "core_update": false,
            "summary": "Heron depends on Postgres",
        })
    );
    assert_eq!(serde_json::from_value::<Routing>(serde_json::to_value(&routing).unwrap()).unwrap(), routing);
    assert_eq!(serde_json::to_value(route("thanks, that fixed it")).unwrap()["store"], json!(null));
}

#[test]
fn each_store_is_found_in_each_language() {
    use StoreKind::{Core, Episodic, Procedural, Semantic, Vault};
    for (text, expected) in [
        ("I can't stand cilantro.", Some(Core)),
        ("We decided to keep the monorepo.", Some(Episodic)),
        ("The library closes at six on weekdays.", Some(Semantic)),
        ("To reset the router hold the pin, wait for the red light, then let go.", Some(Procedural)),
        ("Never forget that Lina's blood group is B.", Some(Vault)),
        ("What's the capital of Mongolia?", None),
        ("Ich mag keine Überraschungspartys.", Some(Core)),
        ("Wir haben uns für die blaue Küche entschieden.", Some(Episodic)),
        ("Der Zähler hat die Nummer 88-1234.", Some(Semantic)),
        ("Rechnungen kommen zuerst zu Petra, dann gehen sie an die Buchhaltung.", Some(Procedural)),
        ("Vergiss niemals, dass Opa 1923 geboren ist.", Some(Vault)),
        ("Danke dir, hat geklappt!", None),
        ("땅콩 알레르기가 있어요.", Some(Core)),
        ("우리는 파란 타일로 결정했어.", Some(Episodic)),
        ("가은이는 나래의 언니야.", Some(Semantic)),
        ("장애 나면 상태 페이지부터 바꾸고, 당번한테 전화하고, 로그는 그러고 나서 본다.", Some(Procedural)),
        ("이건 절대 잊지 마: 아버지 기일은 3월 2일이야.", Some(Vault)),
        ("지금 몇 시야?", None),
        ("我对花生过敏。", Some(Core)),
        ("我们决定用蓝色的瓷砖。", Some(Episodic)),
        ("图书馆周一闭馆。", Some(Semantic)),
        ("红烧肉先焯水，再炒糖色，加水没过肉，小火炖一小时。", Some(Procedural)),
        ("永远记住：爷爷的忌日是三月初二。", Some(Vault)),
        ("谢谢，好了！", None),
    ] {
        assert_eq!(store(text), expected, "{text}");
    }
}

#[test]
fn what_a_machine_wrote_is_dropped() {
    for text in [
        "2026-02-11T04:12:09Z WARN pool: connection reset by peer",
        "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>",
        "error[E0308]: mismatched types",
        "thread 'main' panicked at src/main.rs:3:5",
    ] {
        assert_eq!(store(text), None, "{text}");
    }
}

#[test]
fn what_belongs_nowhere_names_nobody() {
    let routing = route("Can you rename Heron to Osprey, please?");
    assert_eq!((routing.store, routing.entities.len(), routing.relations.len()), (None, 0, 0));
    assert_eq!((routing.confidence, routing.core_update), (Certainty::Low, false));
}

#[test]
fn hostile_texts_are_routed_in_bounded_time() {
    let noise = [
        "a and ".repeat(200_000),
        "then , ".repeat(100_000),
        "(".repeat(500_000),
        "我不吃香菜和、".repeat(50_000),
        "이는 가 ".repeat(80_000),
        "remember that ".repeat(60_000),
        "A uses B and ".repeat(60_000),
        "\u{0}\u{202e}\u{feff}".repeat(100_000),
    ];
    for text in noise {
        let routing = route(&text);
        assert!(routing.relations.len() <= 12 && routing.entities.len() <= 16 && routing.tags.len() <= 5);
    }
}

fn tables() -> Tables<'static> {
    let further: [(&str, &Patterns); 4] = [
        ("somebody", &reader::SOMEBODY),
        ("next", &relations::NEXT),
        ("shown", &evidence::SHOWN.patterns),
        ("hedges", &hedged::HEDGES),
    ];
    let further = further.map(|(name, patterns)| (name.to_owned(), patterns)).into();
    let sections = [reader::patterns(), relations::patterns(), entities::patterns(), further];
    Tables { file: "stores/router/words.txt", words: WORDS, sections: sections.concat() }
}

#[test]
fn the_words_of_the_patterns_are_in_their_file() {
    tables().assert_words_are_current();
}

#[test]
fn patterns_found_by_their_words_are_those_that_all_together_find() {
    let labelled = [
        include_str!("../../../tests/router/tune.jsonl"),
        include_str!("../../../tests/router/held-out.jsonl"),
        include_str!("../../../tests/router/held-out-2.jsonl"),
        include_str!("../../../tests/router/dev.jsonl"),
    ];
    let sentences = labelled.iter().flat_map(|lines| lines.lines()).flat_map(|line| {
        let labelled: serde_json::Value = serde_json::from_str(line).unwrap();
        let (language, text) = (labelled["language"].as_str().unwrap(), labelled["text"].as_str().unwrap());
        [crate::wording::Plain::of(text).text, text.to_owned()].map(|text| (language.to_owned(), text))
    });
    tables().assert_answers_are_those_of_the_set(&sentences.collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn what_a_pattern_matches_has_its_words(seed in any::<u64>()) {
        tables().assert_matches_have_their_words(seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_is_routed(text in "\\PC{0,400}") {
        let routing = route(&text);
        prop_assert!(routing.tags.len() <= 5);
        prop_assert_eq!(routing.store, routing.store.and(Some(routing.kind.store())));
    }

    #[test]
    fn ten_kilobytes_of_noise_are_routed(characters in prop::collection::vec(any::<char>(), 3_000..4_000)) {
        route(&String::from_iter(characters));
    }

    #[test]
    fn words_of_four_languages_in_any_order_are_routed(words in prop::collection::vec(prop::sample::select(vec![
        "remember", "that", "A", "uses", "B", "merk", "dir", ":", "，", "기억해", "记住", "나는", "我", "then", "dann", "“", "”", "'", "if", "\n",
    ]), 0..120)) {
        route(&words.join(" "));
    }
}

#[test]
fn tags_say_what_it_is_about_and_not_what_kind_of_memory_it_is() {
    assert!(NO_TAGS.is_sorted());
    assert_eq!(
        route("We decided to use Postgres for the atlas service").tags,
        ["postgres", "atlas", "service"]
    );
    assert_eq!(route("Wir haben uns für Hetzner entschieden").tags, ["hetzner"]);
    assert_eq!(route("I always use decided never").tags, Vec::<String>::new());
}

#[test]
fn what_agents_say_of_the_user_goes_where_the_users_own_words_go() {
    for (said, own) in [
        ("The user lives in Hamburg", "I live in Hamburg"),
        ("The user prefers short answers", "I prefer short answers"),
        ("The user is allergic to nuts", "I am allergic to nuts"),
        ("The user's name is Tom", "My name is Tom"),
        ("Der Nutzer wohnt in Köln", "Ich wohne in Köln"),
    ] {
        let (said_of, own) = (route(said), route(own));
        assert_eq!(
            (said_of.store, said_of.kind, &said_of.relations),
            (own.store, own.kind, &own.relations),
            "{said}"
        );
        assert_eq!(said_of.summary, said);
    }
}

#[test]
fn what_is_on_a_day_of_each_week_holds_and_what_is_once_happens() {
    for text in [
        "remember that the stand-up is on Monday",
        "The release day is Tuesday",
        "Remember: our weekly is on Thursday.",
        "Der Release-Tag ist Dienstag",
        "Das Stand-up ist am Montag",
        "기억해 줘: 스탠드업은 월요일이야",
        "发布日是周二",
        "记住：站会在周一",
    ] {
        assert_eq!(store(text), Some(StoreKind::Semantic), "{text}");
    }
    for text in ["The wedding is on Saturday", "The launch was on Tuesday"] {
        assert_ne!(store(text), Some(StoreKind::Semantic), "{text}");
    }
}
