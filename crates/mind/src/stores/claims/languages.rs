//! The language that the assistant is told to answer in: one at a time, however it is asked for.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::{Claim, patterns};
use crate::patterns::Patterns;

/// Languages by what they are called in English, German, Korean and Chinese.
const LANGUAGES: [&[&str]; 12] = [
    &["english", "englisch", "영어", "英语", "英文", "英語"],
    &["german", "deutsch", "독일어", "德语", "德文"],
    &["korean", "koreanisch", "한국어", "한글", "韩语", "韩文"],
    &["chinese", "chinesisch", "mandarin", "중국어", "中文", "汉语", "普通话"],
    &["japanese", "japanisch", "일본어", "日语", "日文"],
    &["french", "französisch", "프랑스어", "불어", "法语", "法文"],
    &["spanish", "spanisch", "스페인어", "西班牙语"],
    &["italian", "italienisch", "이탈리아어", "意大利语"],
    &["portuguese", "portugiesisch", "포르투갈어", "葡萄牙语"],
    &["russian", "russisch", "러시아어", "俄语"],
    &["dutch", "niederländisch", "네덜란드어", "荷兰语"],
    &["turkish", "türkisch", "터키어", "土耳其语"],
];

pub(super) static SHAPES: LazyLock<Patterns> = LazyLock::new(|| {
    let language = LANGUAGES.iter().copied().flatten().copied().collect::<Vec<_>>().join("|");
    let shapes = [
        format!(
            r"(?i)^(?:(?:please|always|from now on|only),? )*(?:answer|reply|respond|write|speak|talk)(?: to)?(?: me)?(?: back)?(?: always| only)? in (?P<language>{language})(?:,? (?:please|only|always|from now on))*$"
        ),
        format!(
            r"(?i)^(?:(?:bitte|ab jetzt|künftig) )*(?:antworte|schreib|schreibe|sprich)(?: mir| bitte| immer| nur| ab jetzt| künftig)* auf (?P<language>{language})$"
        ),
        format!(
            r"^(?:(?:항상|언제나|앞으로|앞으로는|이제|이제부터) )*(?P<language>{language})로(?:만)? (?:답|대답|답변)(?:해|하세요|해 ?줘|해 ?주세요|해라)$"
        ),
        format!(
            r"^(?:请|以后|总是|永远|都|只|一直|始终)*用(?P<language>{language})(?:来)?(?:回答|回复|答复)(?:我)?$"
        ),
    ];
    patterns("languages", shapes.into())
});

/// The language that a text says to answer in.
pub(super) fn claim(text: &str) -> Option<Claim> {
    let found = SHAPES.find_map(text, |_, found| Some(found))?;
    let language = found["language"].to_lowercase();
    let value = LANGUAGES.iter().find(|names| names.contains(&language.as_str()))?[0];
    let about = BTreeSet::from(["(language of answers)".to_owned()]);
    Some(Claim { about, value: value.to_owned(), has_more: false, is_loose: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_answers_is_told_in_four_languages_and_for_all_of_them() {
        for (text, language) in [
            ("Always answer in German", Some("german")),
            ("Please reply in English", Some("english")),
            ("Antworte mir immer auf Deutsch", Some("german")),
            ("항상 한국어로 답해 줘", Some("korean")),
            ("请总是用中文回答", Some("chinese")),
            ("Answer in German when Mira writes", None),
            ("Answer in short sentences", None),
            ("Write code comments in English", None),
            ("Antworte auf deutsche Mails", None),
        ] {
            assert_eq!(claim(text).map(|claim| claim.value).as_deref(), language, "{text}");
        }
    }
}
