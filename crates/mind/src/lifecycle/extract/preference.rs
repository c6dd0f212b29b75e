//! What somebody says plainly of their own taste: "I prefer dark roast coffee". Labelled sessions hold few such sentences, so weights
//! that were learned from them are unsure of what nobody else would doubt.

use std::sync::LazyLock;

use regex::Regex;

use crate::patterns::constant;
use crate::wording::Language;

/// Who likes what, in the sentence as it was written. What follows is a kind of thing, not one that stands before the eyes of those who
/// talk: no "this", "the second one", "it", "when".
static ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"^I (?:(?:really|still|always|usually|generally|much|absolutely|also|only|just|do|don't|do not|never) ){0,2}",
        r"(?:prefer|like|love|hate|dislike|adore|enjoy|can't stand|cannot stand|drink|eat|wear) ",
        r"(?P<what>[^,;:()]{3,60})$"
    ))
});
static GERMAN: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"^Ich (?:mag|liebe|hasse|bevorzuge|trinke|esse|nutze|nehme|lese|höre) ",
        r"(?:(?:am liebsten|lieber|sehr|wirklich|nur|immer|keinen?|keine|nie|überhaupt) ){0,2}",
        r"(?P<what>[^,;:()]{3,60})$"
    ))
});
static KOREAN: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^(?:나는|난|저는|전) (?P<what>[^,;:()]{1,40}(?:을|를|이|가)) (?:더 |제일 |가장 |정말 |아주 |안 |별로 안 ){0,2}(?:좋아해|좋아해요|좋아합니다|좋아한다|싫어해|싫어해요|싫어합니다|선호해|선호해요|선호합니다)$",
    )
});
static CHINESE: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^我(?:很|更|最|一直|真的|非常|不|不太){0,2}(?:喜欢|爱吃|爱喝|讨厌|偏爱|偏好)(?P<what>[^，。,；;：:]{1,30})$",
    )
});

/// Words with which what is liked is one thing that both know, or a matter of the moment.
static OF_THE_MOMENT: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"(?i)^(?:the|this|that|these|those|your|his|her|its|their|it|them|him|you|how|when|what|where|if|to|an?|one|both|everything|something|nothing|",
        r"der|die|das|den|dem|diese[rsmn]?|dein\w*|euer|eure\w*|es|ihn|sie|ihm|dich|euch|wie|wenn|dass|was|beide[sn]?|alles|etwas|nichts|mir|mich|heute|jetzt|gerade|an|ab|mal)\b|",
        r"\b(?:today|tonight|now|right now|this|that|anymore|heute|jetzt|gerade|diesmal|mit|noch|schon)\b|",
        r"^(?:그|이|저|그것|이것|네|너)\s?|그게|이게|그걸|이걸|오늘|지금|这|那|你|它|今天|现在"
    ))
});

/// Whether a sentence says of its speaker what they like or do not, as a kind of thing and for good.
pub(super) fn is_plain(text: &str, language: Language) -> bool {
    let sentence = text.trim().trim_end_matches(['.', '!', '。', '！', ' ']);
    let pattern = match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::Korean => &KOREAN,
        Language::Chinese => &CHINESE,
    };
    let what = pattern.captures(sentence).and_then(|groups| groups.name("what"));
    what.is_some_and(|what| !OF_THE_MOMENT.is_match(what.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_tastes_are_told_from_those_of_the_moment() {
        for (text, language) in [
            ("I prefer dark roast coffee.", Language::English),
            ("I like tea more than coffee.", Language::English),
            ("I don't like crowded trains", Language::English),
            ("I can't stand cilantro!", Language::English),
            ("I never drink alcohol.", Language::English),
            ("Ich mag keine Oliven.", Language::German),
            ("Ich trinke lieber Tee.", Language::German),
            ("Ich hasse laute Büros", Language::German),
            ("나는 커피보다 차를 좋아해.", Language::Korean),
            ("저는 고수를 싫어해요", Language::Korean),
            ("我更喜欢绿茶。", Language::Chinese),
            ("我不喜欢香菜", Language::Chinese),
        ] {
            assert!(is_plain(text, language), "{text}");
        }
        for (text, language) in [
            ("I like this song.", Language::English),
            ("I like the second option better.", Language::English),
            ("I prefer to wait.", Language::English),
            ("I like it when it rains.", Language::English),
            ("I would like tea.", Language::English),
            ("I like your idea, go on.", Language::English),
            ("She says I like tea.", Language::English),
            ("I drink coffee right now", Language::English),
            ("Ich mag dich.", Language::German),
            ("Ich nehme das zweite.", Language::German),
            ("Ich nehme heute den Bus.", Language::German),
            ("나는 그걸 좋아해.", Language::Korean),
            ("我喜欢这个。", Language::Chinese),
            ("我喜欢你", Language::Chinese),
        ] {
            assert!(!is_plain(text, language), "{text}");
        }
    }
}
