//! Questions about a time and nothing else: "What did we do …?", "Was war …?", "뭐 했지?", "做了什么?" with the time taken out.
//!
//! Such a question has no word to look for: what answers it is whatever happened then. Pure.

use crate::analyzer::{all_query_words, fold, is_ideograph};
use crate::stop_words::{is_generic, is_stop_word};

/// Words of questions about a time that name nothing, folded and sorted.
const LIGHT: &[&str] = &[
    "abbiamo",
    "activities",
    "activity",
    "again",
    "all",
    "alles",
    "also",
    "anything",
    "avons",
    "back",
    "besprochen",
    "bitte",
    "chat",
    "chats",
    "chatted",
    "conversation",
    "conversations",
    "cosa",
    "day",
    "days",
    "denn",
    "diary",
    "dich",
    "did",
    "discuss",
    "discussed",
    "diskutiert",
    "during",
    "eigentlich",
    "entries",
    "entry",
    "episode",
    "episodes",
    "erinnerst",
    "erlebt",
    "erzahlt",
    "etwas",
    "event",
    "events",
    "everything",
    "fait",
    "fatto",
    "gab",
    "gearbeitet",
    "gelaufen",
    "gemacht",
    "geredet",
    "gesagt",
    "geschah",
    "geschehen",
    "gesprochen",
    "getan",
    "gibt",
    "ging",
    "give",
    "hab",
    "habe",
    "haben",
    "hablamos",
    "hast",
    "hatte",
    "hatten",
    "hice",
    "hicimos",
    "history",
    "hizo",
    "journal",
    "just",
    "let",
    "list",
    "log",
    "los",
    "ma",
    "machte",
    "machten",
    "made",
    "make",
    "mal",
    "me",
    "memories",
    "memory",
    "mir",
    "new",
    "news",
    "noch",
    "note",
    "notes",
    "overview",
    "parlato",
    "parle",
    "paso",
    "passe",
    "passiert",
    "passierte",
    "please",
    "quoi",
    "recall",
    "recap",
    "remember",
    "remind",
    "review",
    "session",
    "sessions",
    "show",
    "so",
    "something",
    "speak",
    "spoke",
    "spoken",
    "stuff",
    "successo",
    "summaries",
    "summarise",
    "summarize",
    "summary",
    "talk",
    "talked",
    "talking",
    "tat",
    "taten",
    "then",
    "thing",
    "things",
    "uns",
    "unterhalten",
    "up",
    "ve",
    "waren",
    "whats",
    "woran",
    "worked",
    "working",
    "woruber",
    "worum",
    "wovon",
    "zeig",
    "zeige",
    "zusammenfassung",
];
/// Korean words of the same kind begin with one of these, and end in no other syllables than [`KOREAN_ENDINGS`].
const KOREAN: [&str; 32] = [
    "무슨일",
    "무엇",
    "무슨",
    "무얼",
    "어떤",
    "뭐",
    "뭘",
    "뭔",
    "일들",
    "일어났",
    "일어난",
    "일",
    "것",
    "거",
    "얘기",
    "이야기",
    "대화",
    "말",
    "우리",
    "우린",
    "내",
    "나",
    "저",
    "했",
    "한",
    "할",
    "해",
    "있었",
    "있",
    "생겼",
    "나눴",
    "나눈",
];
const KOREAN_ENDINGS: &str = "이가은는을를도에의들야였지요죠어나니까냐던습더라고데었았했는한줘일동안";
/// Signs of Chinese questions of the same kind.
const CHINESE: &str =
    "我们們你咱都做了干幹些什甚么麼啥事情有没沒哪发發生过過的呢吗嗎吧聊说說谈談讲講话話题題是在和一起怎样樣";
/// Pieces of Japanese ones, the longer first.
const JAPANESE: [&str; 46] = [
    "しましたか",
    "ありました",
    "出来事",
    "起こった",
    "話しました",
    "しました",
    "話した",
    "あった",
    "起きた",
    "ました",
    "ですか",
    "私たち",
    "どんな",
    "私達",
    "なに",
    "なん",
    "でし",
    "って",
    "っけ",
    "いた",
    "した",
    "たち",
    "こと",
    "です",
    "何",
    "私",
    "僕",
    "俺",
    "事",
    "を",
    "が",
    "は",
    "に",
    "の",
    "と",
    "で",
    "も",
    "た",
    "か",
    "し",
    "ね",
    "よ",
    "て",
    "い",
    "る",
    "だ",
];

/// Whether a question without its time names nothing to look for.
pub(crate) fn names_nothing(rest: &str) -> bool {
    // A name of a thing is no light word, however it is spelled otherwise.
    all_query_words(&without_ideographs(rest), &[]).iter().all(|word| {
        let is_light =
            |word: &str| is_stop_word(word) || is_generic(word) || LIGHT.binary_search(&word).is_ok();
        word.folded.split('\'').all(|part| is_light(part) || part.len() < 3)
            || is_light(&word.folded.replace('\'', ""))
    }) && runs(rest).into_iter().all(is_light_run)
}

fn without_ideographs(text: &str) -> String {
    text.chars().map(|each| if is_ideograph(each) { ' ' } else { each }).collect()
}

/// The runs of ideographs.
fn runs(text: &str) -> Vec<String> {
    let composed = fold(text);
    let runs = composed.split(|each: char| !is_ideograph(each)).filter(|run| !run.is_empty());
    runs.map(str::to_owned).collect()
}

fn is_light_run(run: String) -> bool {
    let is_in = |range: std::ops::RangeInclusive<char>| run.contains(|each| range.contains(&each));
    if is_in('가'..='힣') {
        let ends = |rest: &str| rest.chars().all(|each| KOREAN_ENDINGS.contains(each));
        return ends(&run)
            || KOREAN.iter().any(|begin| {
                run.strip_prefix(begin).is_some_and(|rest| rest.chars().count() < 6 && ends(rest))
            });
    }
    if is_in('\u{3041}'..='\u{309F}') {
        let mut rest = run.as_str();
        while let Some(piece) = JAPANESE.iter().find(|piece| rest.starts_with(**piece)) {
            rest = &rest[piece.len()..];
        }
        return rest.is_empty();
    }
    run.chars().all(|each| CHINESE.contains(each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_without_its_time_may_name_nothing() {
        assert!(LIGHT.is_sorted(), "{:?}", LIGHT.windows(2).find(|pair| pair[0] > pair[1]));
        for text in [
            "What did we do ?",
            "what happened",
            "What did we talk about ?",
            "summarize ",
            "Was war ?",
            "Was haben wir gemacht?",
            "Worüber haben wir gesprochen",
            " 뭐 했지?",
            " 무슨 일이 있었어?",
            " 동안 뭐 했어?",
            "우리 무슨 얘기 했지",
            "做了什么?",
            "我们聊了什么",
            "发生了什么事",
            "何をしましたか",
            "何があった？",
            "",
            "So what's new",
        ] {
            assert!(names_nothing(text), "{text}");
        }
        for text in [
            "What did Caroline do",
            "meeting",
            "what did the dentist say",
            "Was hat der Zahnarzt gesagt",
            "회의에서 뭐 했지",
            "하나는 뭐 했지",
            "예산은",
            "会议说了什么",
            "做了什么蛋糕",
            "りんごを食べた",
            "what did we do about the roof",
            "port 8080",
        ] {
            assert!(!names_nothing(text), "{text}");
        }
    }
}
