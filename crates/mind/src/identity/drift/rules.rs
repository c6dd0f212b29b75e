//! Principles that a message can be held against without judging it: no lists, no emoji, this language.
//!
//! What no rule here tests is not tested: nothing is said of it. Pure.

use unicode_segmentation::UnicodeSegmentation;

use super::measures::{Measure, Measured};
use crate::wording::{Language, Plain};

/// What a principle asks of every message, where that can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// None of what is measured.
    Without(Measure),
    /// Answers in a language.
    In(Language),
}

/// A message in another language is told from one with a few foreign words where it has so many words.
const FEWEST_WORDS: f64 = 6.0;

/// Words for what may be forbidden, in small letters.
const TOPICS: [(Measure, &[&str]); 6] = [
    (
        Measure::Lists,
        &["bullet", "list", "aufzählung", "listen", "stichpunkt", "글머리", "목록", "列表", "项目符号"],
    ),
    (Measure::Emoji, &["emoji", "emoticon", "smiley", "이모지", "이모티콘", "表情"]),
    (Measure::Exclamations, &["exclamation", "ausrufezeichen", "느낌표", "感叹号"]),
    (Measure::Apologies, &["apolog", "sorry", "entschuldig", "사과", "죄송", "道歉"]),
    (Measure::Headings, &["heading", "headline", "überschrift", "제목", "标题"]),
    (Measure::Tables, &["table", "tabelle", "表格"]),
];
/// Words that forbid what comes after them, in small letters, each a whole word.
const BEFORE: [&str; 22] = [
    "no", "not", "don't", "dont", "never", "without", "avoid", "stop", "skip", "drop", "fewer", "kein",
    "keine", "keinen", "nicht", "nie", "ohne", "vermeide", "lass", "stopp", "niemals", "zero",
];
/// The same where words are not set apart, or the forbidding comes last.
const CHINESE: [&str; 7] = ["不要", "别", "不用", "避免", "禁止", "不使用", "不再"];
const KOREAN: [&str; 9] = ["지 마", "지마", "지 말", "지말", "않", "없이", "금지", "빼고", "피해"];
/// Between what forbids and what is forbidden stand no more words than this.
const REACH: usize = 4;

/// Names of languages, in small letters.
const LANGUAGES: [(Language, &[&str]); 4] = [
    (Language::English, &["english", "englisch", "영어", "英语", "英文"]),
    (Language::German, &["german", "deutsch", "독일어", "德语", "德文"]),
    (Language::Korean, &["korean", "koreanisch", "한국어", "한국말", "韩语", "韩文"]),
    (Language::Chinese, &["chinese", "chinesisch", "중국어", "中文", "汉语"]),
];
/// Words that say that a language is the one to answer in, in small letters.
const ANSWERING: [&str; 16] = [
    "answer", "reply", "respond", "write", "speak", "talk", "antwort", "schreib", "sprich", "rede", "대답",
    "답변", "답해", "말해", "回答", "回复",
];

/// Words for texts that are no answers, in small letters: what is asked of them alone is asked of no message.
const OTHER_TEXTS: [&str; 31] = [
    "commit",
    "code",
    "mail",
    "letter",
    "report",
    "document",
    "docs",
    "readme",
    "slide",
    "blog",
    "tweet",
    "post",
    "pull request",
    "ticket",
    "comment",
    "invoice",
    "bericht",
    "dokument",
    "brief",
    "kommentar",
    "rechnung",
    "커밋",
    "코드",
    "메일",
    "보고서",
    "문서",
    "주석",
    "提交",
    "代码",
    "邮件",
    "报告",
];

/// What a principle asks of every message; nothing where no message could be held against it.
pub(super) fn rule_of(principle: &str) -> Option<Rule> {
    let lower = principle.to_lowercase().replace('’', "'");
    // A condition narrows it to messages that cannot be told from the others.
    let conditions = [
        "if ", "when ", "unless ", "except ", "until ", "wenn ", "falls ", "außer ", "때", "경우", "如果",
        "除非", "时",
    ];
    if conditions.iter().chain(&OTHER_TEXTS).any(|word| lower.contains(word)) {
        return None;
    }
    let forbidden = TOPICS
        .iter()
        .find(|(_, words)| words.iter().any(|word| is_forbidden(&lower, word)))
        .map(|(measure, _)| Rule::Without(*measure));
    forbidden.or_else(|| language_of(&lower).map(Rule::In))
}

fn language_of(lower: &str) -> Option<Language> {
    if !ANSWERING.iter().any(|word| lower.contains(word)) || BEFORE.iter().any(|word| has_word(lower, word)) {
        return None;
    }
    let mut named = LANGUAGES.iter().filter(|(_, names)| names.iter().any(|name| lower.contains(name)));
    let first = named.next().map(|(language, _)| *language);
    if named.next().is_some() { None } else { first }
}

fn has_word(text: &str, word: &str) -> bool {
    text.unicode_words().any(|each| each == word)
}

fn is_forbidden(lower: &str, topic: &str) -> bool {
    let Some(at) = lower.find(topic) else { return false };
    if CHINESE.iter().any(|word| lower[..at].contains(word))
        || KOREAN.iter().any(|word| lower[at..].contains(word))
    {
        return true;
    }
    let before: Vec<&str> = lower[..at].unicode_words().collect();
    let near = before.len().saturating_sub(REACH);
    // "Do not forget the list" asks for one.
    let is_turned =
        before[near..].iter().any(|word| word.starts_with("forget") || word.starts_with("vergiss"));
    !is_turned && before[near..].iter().any(|word| BEFORE.contains(word))
}

impl Rule {
    /// Whether a message goes against it.
    pub(super) fn is_broken_by(self, text: &str, measured: &Measured) -> bool {
        match self {
            // One line that begins with a stroke is no list.
            Self::Without(Measure::Lists) => {
                text.lines().filter(|line| super::measures::is_list_entry(line)).count() > 1
            }
            Self::Without(measure) => measured.get(measure) > 0.0,
            Self::In(language) => {
                measured.get(Measure::Length) >= FEWEST_WORDS
                    && Language::told(&Plain::of(text).text).is_some_and(|told| told != language)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::measures::measured;
    use super::*;

    #[test]
    fn principles_that_can_be_tested_are_told_from_those_that_cannot() {
        for (principle, rule) in [
            ("Don't use bullet points", Some(Rule::Without(Measure::Lists))),
            ("Answer without bullet points", Some(Rule::Without(Measure::Lists))),
            ("Bitte keine Aufzählungen verwenden", Some(Rule::Without(Measure::Lists))),
            ("글머리 기호를 쓰지 마", Some(Rule::Without(Measure::Lists))),
            ("不要用列表", Some(Rule::Without(Measure::Lists))),
            ("Stop apologising", Some(Rule::Without(Measure::Apologies))),
            ("Never use emoji", Some(Rule::Without(Measure::Emoji))),
            ("Answer in German", Some(Rule::In(Language::German))),
            ("한국어로 대답해", Some(Rule::In(Language::Korean))),
            ("请用中文回答", Some(Rule::In(Language::Chinese))),
            ("Always confirm timezone before scheduling", None),
            ("Don't forget to send the list", None),
            ("Use bullet points", None),
            ("Answer in German or English", None),
            ("Don't answer in German", None),
            ("Don't use bullet points unless I ask for them", None),
            ("Never use emoji in commit messages", None),
            ("Write commit messages in English", None),
            ("In E-Mails keine Emojis verwenden", None),
            ("커밋 메시지에는 이모지를 쓰지 마", None),
            ("不要在邮件里用表情", None),
            ("Never use emoji in your messages", Some(Rule::Without(Measure::Emoji))),
            ("Be honest", None),
        ] {
            assert_eq!(rule_of(principle), rule, "{principle}");
        }
    }

    #[test]
    fn a_message_breaks_a_rule_or_does_not() {
        let breaks = |principle: &str, text: &str| {
            rule_of(principle).expect("a rule").is_broken_by(text, &measured(text).expect("prose"))
        };
        assert!(
            breaks("Don't use bullet points", "Here:\n- one\n- two")
                && !breaks("Don't use bullet points", "- 5 degrees")
        );
        assert!(
            breaks("Answer in German", "It is done and the tests are all green.")
                && !breaks("Answer in German", "Das ist erledigt, und die Tests sind alle grün.")
        );
        assert!(!breaks("Answer in German", "OK"));
        assert!(
            breaks("한국어로 대답해", "It is done and the tests are all green.")
                && !breaks("한국어로 대답해", "네, 지금 바로 확인해 보고 다시 말씀드릴게요.")
        );
        assert!(
            breaks("Stop apologising", "죄송합니다, 다시 할게요.") && breaks("Never use emoji", "Done 🎉")
        );
    }
}
