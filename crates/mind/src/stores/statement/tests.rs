//! What is the same, what takes another's place, and what does neither.

use proptest::prelude::*;

use super::*;
use crate::patterns::tests::Tables;

mod turned;
mod values;

fn compare(new: &str, known: &str) -> Comparison {
    Statement::new(new).compared_to(&Statement::new(known))
}

fn tables() -> Tables<'static> {
    let tables: [(&str, &Patterns); 4] = [
        ("compared", &COMPARED),
        ("dropped", &dropped::DROPPED),
        ("turned", &super::turned::TURNED),
        ("halves", &crate::stores::halves::SHAPE),
    ];
    let sections = tables.map(|(name, patterns)| (name.to_owned(), patterns)).into();
    Tables { file: "stores/statement/words.txt", words: WORDS, sections }
}

#[test]
fn the_words_of_the_patterns_are_in_their_file() {
    tables().assert_words_are_current();
}

#[test]
fn what_a_pattern_matches_has_its_words() {
    (0..20).for_each(|seed| tables().assert_matches_have_their_words(seed));
}

#[test]
fn the_same_in_other_words_is_the_same() {
    for (new, known) in [
        ("Mira lives in Lyon.", "mira lives in Lyon"),
        ("The release deadline is March 9", "Release deadline: March 9"),
        ("I am allergic to penicillin", "I'm allergic to penicillin!"),
        ("Tests laufen vor jedem Deploy", "Vor jedem Deploy laufen die Tests"),
        ("미라는 리옹에 산다", "미라는 리옹에 살아"),
        ("我对青霉素过敏", "我对青霉素过敏。"),
        ("Anna lives in Lyon, France", "Anna lives in Lyon"),
        ("Anna lives in Lyon", "Anna lives in Lyon, France"),
        ("I'm allergic to peppermint", "I am allergic to peppermint"),
        ("Mira’s restaurant isn’t open", "Mira's restaurant isn't open"),
        ("On Mondays we deploy", "We deploy on Mondays"),
        ("Every morning Mira drinks green tea", "Mira drinks green tea every morning"),
        ("Before production deploy staging", "Deploy staging before production"),
        ("Seit 2019 kennt Bob Max", "Bob kennt Max seit 2019"),
        ("Am Montag bespricht das ganze Team alle Fehler", "Das ganze Team bespricht alle Fehler am Montag"),
        ("Bo's boss is Mira", "Mira is Bo's boss"),
        ("The boss of Bo is Mira", "Mira is the boss of Bo"),
        ("The train goes to Kiel from Bonn", "The train goes from Bonn to Kiel"),
        ("Tomorrow Mira flies to Rome", "Mira flies to Rome tomorrow"),
        ("지민을 민수가 좋아해", "민수가 지민을 좋아해"),
        ("The backups run each night at two", "The backups run every night at two"),
        ("Am Sonnabend nutzt Käthe die Werkstatt", "Am Samstag verwendet Käthe die Werkstatt"),
        ("妈妈每日喝茶", "母亲每天喝茶"),
        ("Ju\u{308}rgen wohnt in Ko\u{308}ln", "Jürgen wohnt in Köln"),
    ] {
        assert_eq!(compare(new, known), Comparison::Same, "{new} / {known}");
    }
    let fuller = Statement::new("Anna lives in Lyon, France");
    assert!(fuller.is_fuller_than(&Statement::new("Anna lives in Lyon")));
}

#[test]
fn another_value_of_what_has_one_takes_its_place() {
    for (new, known) in [
        ("Mira moved to Lyon", "Mira lives in Bremen"),
        ("Mira works for Kestrel", "Mira works at Harbor Labs"),
        ("The release deadline is March 19", "The release deadline is March 9"),
        ("My favourite editor is Helix", "My favorite editor is Vim"),
        ("I prefer spaces over tabs", "I prefer tabs over spaces"),
        ("Mira no longer likes cilantro", "Mira likes cilantro"),
        ("Mira wohnt jetzt in Lyon", "Mira wohnt in Bremen"),
        ("미라는 리옹에 산다", "미라는 브레멘에 산다"),
        ("米拉住在里昂", "米拉住在不来梅"),
        ("서버 포트는 8081", "서버 포트는 8080"),
        ("数据库密码是 b", "数据库密码是 a"),
        ("Always give me long and detailed answers", "Always give me short and detailed answers"),
        ("I prefer long answers", "I prefer short answers"),
        ("The nightly builds are disabled", "The nightly builds are enabled"),
        ("Mira takes her tea without milk", "Mira takes her tea with milk"),
        ("我喜欢短的回答", "我喜欢长的回答"),
        ("Ich mag lange Antworten", "Ich mag kurze Antworten"),
        ("나는 긴 답변을 좋아해", "나는 짧은 답변을 좋아해"),
        ("I moved to Hamburg last week", "I live in Bremen"),
        ("Ich bin nach Köln gezogen", "Ich wohne in Bremen"),
        ("我搬到了深圳", "我住在上海"),
        ("구글로 이직했어", "나는 한빛은행에서 일해"),
        ("The server listens on port 9090", "The server listens on port 8080"),
        ("Mira has three children", "Mira has 2 children"),
        ("The server runs Ubuntu 24.04", "The server runs Ubuntu 22.04"),
        ("Bo is 35 years old", "Bo is 34 years old"),
        ("Anna trinkt keinen Kaffee mehr", "Anna trinkt Kaffee"),
        ("커피보다 홍차를 더 좋아해", "홍차보다 커피를 더 좋아해"),
        ("Mira prefers coffee to tea", "Mira prefers tea to coffee"),
        ("Mira prefers coffee to tea", "Mira prefers tea"),
    ] {
        assert_eq!(compare(new, known), Comparison::Replaces, "{new} / {known}");
    }
}

#[test]
fn what_can_both_be_true_stands_side_by_side() {
    for (new, known) in [
        ("Mira likes tea", "Mira likes coffee"),
        ("Mira lives in Lyon", "Bo lives in Bremen"),
        ("The staging deadline is March 9", "The release deadline is March 12"),
        ("We deployed version 12 on Monday", "We deployed version 13 on Monday"),
        ("Mira is a designer", "Mira is a mother"),
        ("나는 커피를 좋아해", "나는 홍차를 좋아해"),
        ("我喜欢茶", "我喜欢咖啡"),
        ("Mira drinks strong black tea every morning", "Mira drinks strong black coffee every morning"),
        ("I moved to a standing desk", "I live in Lyon"),
        ("I live in constant fear", "I live in Lyon"),
        ("Mira works at night", "Mira works at Kestrel"),
        ("Mira works for free on weekends", "Mira works at Kestrel"),
        ("Anna works for 8 hours a day", "Anna works for Kestrel"),
        ("Mira lives in a small house with two cats", "Mira lives in Lyon"),
        ("Mira moved to Berlin in 2015", "Mira lives in Lyon"),
        ("Mira moved to the frontend team", "Mira lives in Lyon"),
        ("Bo is living in fear of layoffs", "Bo lives in Lyon"),
        ("Ich lebe in der Hoffnung, dass es klappt", "Ich lebe in Köln"),
        ("Ich wohne in einer WG", "Ich wohne in Köln"),
        ("Mein Name ist Programm", "Mein Name ist Anna"),
        ("Ich arbeite für mein Leben gern", "Ich arbeite bei Siemens"),
        ("나는 아파트에 살아", "나는 서울에 살아"),
        ("나는 집에서 일해", "나는 한빛은행에서 일해"),
        ("내 이름은 잘 알려져 있어", "내 이름은 김민수야"),
        ("我住在一个小公寓里", "我住在上海"),
        ("我在家工作", "我在华夏银行工作"),
        ("The price of the ticket is too high", "The price of the ticket is 20 euros"),
        ("Status: we are waiting for legal", "Status: done"),
        ("My favourite editor is awesome", "My favourite editor is Helix"),
        ("I prefer coffee over tea in the evening", "I prefer tea over coffee in the morning"),
        ("Anna trinkt mehr Kaffee", "Anna trinkt Kaffee"),
        ("The build takes longer", "The build takes long"),
        ("He lives in Lyon", "I live in Bremen"),
        ("Mira does not live in Oslo", "Mira does not live in Lyon"),
        ("We have two deploys on Monday", "We have three deploys on Monday"),
        ("We run Ubuntu 24.04", "We run Ubuntu 22.04"),
        ("The server runs Postgres 16", "The server runs Ubuntu 22.04"),
        ("The server runs on port 9090", "The gateway runs on port 8080"),
        ("Mira has three children", "Mira has three children and a dog"),
        ("The left door of the yard stays open", "The right door of the yard stays open"),
        ("", "Mira likes tea"),
        ("Bo is Mira's boss", "Mira is Bo's boss"),
        ("Bo is not Mira's boss", "Mira is Bo's boss"),
        ("Tom owes Anna 50 euros", "Anna owes Tom 50 euros"),
        ("Tom does not owe Anna 50 euros", "Anna owes Tom 50 euros"),
        ("Harbor depends on Atlas", "Atlas depends on Harbor"),
        ("Lisa manages Paul", "Paul manages Lisa"),
        ("Paul is managed by Lisa", "Paul manages Lisa"),
        ("Deploy production before staging", "Deploy staging before production"),
        ("Deploy staging after production", "Deploy staging before production"),
        ("Ask Alice before Bob", "Ask Bob before Alice"),
        ("The agency pays the client", "The client pays the agency"),
        ("I want the report in German not English", "I want the report in English not German"),
        ("I want the report not in German but English", "I want the report in German, not English"),
        ("The train goes from Kiel to Bonn", "The train goes from Bonn to Kiel"),
        ("The train goes to Bonn from Kiel", "The train goes from Bonn to Kiel"),
        ("Emil mag Max", "Max mag Emil"),
        ("Seit 2019 kennt Max Bob", "Bob kennt Max seit 2019"),
        (
            "Ann approves the invoices of Tom before they are paid",
            "Tom approves the invoices of Ann before they are paid",
        ),
        (
            "Put the red cable into port A and the blue into B",
            "Put the blue cable into port A and the red into B",
        ),
        ("지민이 민수를 좋아해", "민수가 지민을 좋아해"),
        ("지민은 민수의 상사야", "민수는 지민의 상사야"),
        ("민수를 지민이 좋아해", "민수가 지민을 좋아해"),
        ("기차는 킬에서 본으로 간다", "기차는 본에서 킬로 간다"),
        ("李娜管理张伟", "张伟管理李娜"),
        ("小王比小李高", "小李比小王高"),
        ("Die Chefin von Bo ist Mira", "Die Chefin von Mira ist Bo"),
        ("Mira leiht Bo das Rad", "Bo leiht Mira das Rad"),
        ("Mira prefers coffee to tea", "Mira likes tea"),
    ] {
        assert_eq!(compare(new, known), Comparison::Apart, "{new} / {known}");
    }
}

/// Few words, so that statements often have to do with each other.
fn row() -> impl Strategy<Value = Vec<&'static str>> {
    let words = [
        "mira", "port", "deadline", "is", "not", "longer", "shorter", "long", "short", "likes", "dislikes",
        "over", "tea", "coffee", "on", "off", "harbour", "lives", "in", "9", "boats", "boat", "open",
        "closed", "never", "with", "without",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..9)
}

proptest! {
    #[test]
    fn what_has_to_do_with_a_statement_is_found_under_its_keys(
        new in row(),
        known in row(),
        uses in proptest::collection::vec(0_usize..4, 16),
    ) {
        let (new, known) = (Statement::new(&new.join(" ")), Statement::new(&known.join(" ")));
        let found_under: Vec<String> = known.all_keys().collect();
        let is_found = new.telling_keys(&|key| uses[key.len() % 16]).iter().any(|key| found_under.contains(key));
        let is_apart = new.compared_to(&known) == Comparison::Apart;
        prop_assert!(is_apart || is_found || new.is_brief() && known.is_brief(), "{new:?} {known:?}");
    }

    #[test]
    fn no_statement_is_too_odd(one in "\\PC{0,60}", other in "\\PC{0,60}") {
        let _ = compare(&one, &other);
    }
}
