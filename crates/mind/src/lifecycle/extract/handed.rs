//! What is only handed over to be worked on ("translate to German: …"), or only supposed ("suppose we moved to Lisbon. …"). Nothing in it is said.
//!
//! It goes to the end of its paragraph; where the request ends with a colon at a line's end, to the end of the message. When in doubt it was
//! handed over: a wrong memory is worse than a missed one.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::patterns::constant;

/// A request to work on the text after its colon.
static REQUEST: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"(?im)(?:^|[.!?,;]\s)\s*(?:",
        r"(?:(?:please|pls|ok|okay|hey|hi|now|and|then|also|just|next|can you|could you|would you|will you|help me|i need you to|i want you to|,) ?,? ?)*(?:",
        // What is done with texts alone.
        r"(?:translate|back-?translate|paraphrase|rephrase|reword|proofread|spell-?check|transcribe|summari[sz]e|tl;?dr|continue (?:writing|the|this|from)|autocomplete)\b[^.!?:：\n]{0,60}",
        // What is done with other things as well.
        r"|(?:complete|finish|continue|fix|correct|check|improve|polish|shorten|simplify|expand|edit|rewrite|explain|analy[sz]e|classify|label|parse|convert|turn|make|put|fill in|format|tag|rate|grade|redact|anonymi[sz]e)\b[^.!?:：\n]{0,40}\b(?:sentences?|texts?|paragraphs?|phrases?|wording|grammar|spelling|typos?|passages?|lines?|blanks?|gaps?|clauses?|the following|below|example|statement|quote|snippet|into (?:english|german|french|spanish|italian|korean|chinese|japanese))\b[^.!?:：\n]{0,40}",
        r"|rewrite\b[^.!?:：\n]{0,30}",
        r"|(?:how (?:do|would|can) (?:you|i|we|one) (?:say|write|translate)|how to say|what(?:'s|’s| is)|what does)\b[^.!?:：\n]{0,30}\bin (?:english|german|french|spanish|italian|portuguese|dutch|polish|korean|chinese|japanese|latin)\b[^.!?:：\n]{0,20}",
        r"|(?:imagine|pretend|suppose) [^.!?:：\n]{1,60})",
        r"|(?:(?:bitte|ok|okay|und|dann|jetzt|nun|kannst du|könntest du|hilf mir,?) )*(?:",
        r"(?:übersetz\w*|umformulier\w*|korrekturles\w*|fass\w*[^.!?:：\n]{0,30}\bzusammen|formulier\w*[^.!?:：\n]{0,30}\bum)\b[^.!?:：\n]{0,60}",
        r"|(?:vervollständig\w*|ergänz\w*|beende?\w*|korrigier\w*|verbesser\w*|prüf\w*|kürz\w*|vereinfach\w*|formulier\w*|erklär\w*|setz\w*|schreib\w*)\b[^.!?:：\n]{0,40}\b(?:sätze?|satz|texte?|absatz|absätze|formulierung|grammatik|rechtschreibung|zeilen?|lücken?|folgende\w*|beispiel|zitat|weiter|fort|ins (?:englisch|deutsch|französisch|spanisch|koreanisch|chinesisch)e)\b[^.!?:：\n]{0,40}",
        r"|(?:wie (?:sagt|heißt|schreibt)|was heißt)\b[^.!?:：\n]{0,30}\bauf (?:englisch|deutsch|französisch|spanisch|italienisch|koreanisch|chinesisch|japanisch|latein)\b[^.!?:：\n]{0,20}",
        r"|stell dir vor,? [^.!?:：\n]{1,60}))",
        r"\s?[:：]",
        r"|(?:(?:번역|요약|교정|첨삭|의역|윤문|완성) ?(?:좀 |을 |를 )?(?:해|부탁)|(?:이어|고쳐|바꿔|다듬어) ?(?:써|줘)|(?:영어|한국어|중국어|일본어|독일어|프랑스어)로 (?:뭐|어떻게|옮겨|바꿔|써))[^.!?:：\n]{0,16}[:：]|^(?:번역|영작) ?[:：]",
        r"|(?:(?:翻译|润色|改写|续写|补全|补完|校对|概括|总结|缩写|扩写|造句)(?:成|为|到|一下|下|这|以下)|译成|译为|完成(?:这|下面|以下)?(?:个|句|的)*句子?|用(?:英语|英文|德语|法语|韩语|日语|中文)(?:怎么)?说)[^。！？:：\n]{0,16}[:：]|(?:^|请)(?:翻译|续写|改写|润色) ?[:：]"
    ))
});
/// A line that asks for the translation of the next.
static TRANSLATE: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?im)^\s*(?:(?:please|can you|could you|bitte|kannst du) )*(?:translate (?:(?:this|that|it|the following|the text) )?(?:to|into) \p{L}+(?:,? please)?|übersetz\w* (?:(?:das|dies|den text|folgendes) )?(?:ins|auf) \p{L}+(?:,? bitte)?)[ ?]*$",
    )
});
/// What would be, but is not: what is said after it belongs to it.
static SUPPOSED: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"(?im)(?:^|[.!?]\s)\s*(?:(?:ok|okay|so|and|now|just|hypothetically|,) ?,? ?)*(?:",
        r"(?:suppose|supposing|imagine|pretend|picture this|let(?:'s|’s| us) (?:suppose|imagine|pretend)),? (?:that )?(?:i|we|you|he|she|they|it|there|somebody|someone|everyone|(?:my|our|the) [^.!?\s]+ (?:was|were|had|would|could|moved|lived|\p{L}+ed))\b[^.!?:：\n]*[.!?:：]",
        r"|let(?:'s|’s| us) say (?:that )?(?:i|we|you|he|she|they) (?:was|were|had|would|could|moved|lived|lost|won|sold|bought|left)\b[^.!?:：\n]*[.!?:：]",
        r"|(?:(?:ok|also|und|nun|mal) )*(?:angenommen|stell(?:t|en sie)? (?:dir|euch|sich) (?:mal |einmal )?vor|gesetzt den fall|nehmen wir (?:mal |einmal )?an|tun wir (?:mal )?so),? [^.!?:：\n]*[.!?:：])",
        r"|[^.!?\n]*(?:라고|다고|고) (?:가정해|가정하|가정한|치자|치고|상상해|생각해 ?보자)[^.!?:：\n]*[.!?:：]|상상해 ?(?:봐|보자|보세요)[^.!?:：\n]*[.!?:：]",
        r"|(?:假设|假如|假定|设想|想象一下|想像一下|如果我是|如果我们是)[^。！？:：\n]*[。！？:：]"
    ))
});
/// Asks for remembering what follows, which is the user's own then.
static ASKS: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?i)\b(?:remember|memori[sz]e|keep in mind|note down)\b|\bmerk(?:e|en)?\b|기억|메모해|기록해|记住|记下|记得",
    )
});

/// The message without what is handed over or supposed in it. The lines stay.
pub(super) fn without(text: &str) -> Cow<'_, str> {
    let mut own = String::new();
    let mut from = 0;
    while let Some((begin, end)) = next(text, from) {
        own.push_str(&text[from..begin]);
        own.extend(text[begin..end].matches('\n'));
        from = end;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    own.push_str(&text[from..]);
    Cow::Owned(own)
}

/// What is handed over or supposed in a message.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let places = std::iter::successors(next(text, 0), |(_, end)| next(text, *end));
    places.map(|(begin, end)| &text[begin..end]).collect()
}

/// Where what is handed over next begins and ends.
fn next(text: &str, from: usize) -> Option<(usize, usize)> {
    let found = [&REQUEST, &TRANSLATE, &SUPPOSED].into_iter().filter_map(|pattern| {
        pattern
            .find_iter(&text[from..])
            .find(|found| !ASKS.is_match(found.as_str()))
            .map(|found| found.range())
    });
    let request = found.min_by_key(|found| found.start)?;
    let begin = from + request.end;
    let rest = &text[begin..];
    let is_open =
        text[..begin].ends_with([':', '：']) && rest.lines().next().is_none_or(|line| line.trim().is_empty());
    let end = if is_open { None } else { paragraph_end(rest) };
    Some((begin, end.map_or(text.len(), |end| begin + end)))
}

/// Where the first paragraph of a text ends, if another one follows.
fn paragraph_end(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && line.trim().is_empty() {
            return Some(at);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_over_is_gone_and_lines_keep_their_numbers() {
        for (text, own) in [
            ("Translate to German: We decided to use Redis.", "Translate to German:"),
            (
                "Hi. Please translate into French: My boss Robert lives in Lyon.",
                "Hi. Please translate into French:",
            ),
            ("Complete this sentence: We decided to sell because", "Complete this sentence:"),
            ("Finish the sentence for me: I live in", "Finish the sentence for me:"),
            (
                "Translate into Korean: A.\nB.\n\nWe live in Bonn.",
                "Translate into Korean:\n\n\nWe live in Bonn.",
            ),
            ("Translate into Korean:\nA.\n\nB.", "Translate into Korean:\n\n\n"),
            ("Translate to German\nWe decided.\n\nThanks", "Translate to German\n\n\nThanks"),
            ("How do you say in Italian: I live in Bonn", "How do you say in Italian:"),
            ("Suppose we moved to Lisbon. My neighbour Carla has a cat.", "Suppose we moved to Lisbon."),
            ("Imagine I was a pirate: I live on a ship.", "Imagine I was a pirate:"),
            ("Übersetze ins Englische: Mein Chef heißt Konrad", "Übersetze ins Englische:"),
            ("Vervollständige den Satz: Wir ziehen nach", "Vervollständige den Satz:"),
            ("Angenommen, wir ziehen um. Carla nimmt die Katze.", "Angenommen, wir ziehen um."),
            ("다음을 번역해 줘: 대표는 이민호 씨입니다", "다음을 번역해 줘:"),
            ("우리가 부산으로 간다고 치자. 내 이웃은 김철수야.", "우리가 부산으로 간다고 치자."),
            ("翻译成英文:我的经理叫李强", "翻译成英文:"),
            ("假设我们搬到里斯本。邻居李雷照顾猫。", "假设我们搬到里斯本。"),
        ] {
            assert_eq!(without(text), own, "{text}");
        }
    }

    #[test]
    fn what_is_said_beside_a_request_stays() {
        for text in [
            "Translate the labels to German. We decided to ship in May.",
            "Fix the build: we use Rust 1.80 now.",
            "I suppose we moved too early. My neighbour Carla has the key.",
            "Imagine my surprise. Carla has the key.",
            "Translate to German and remember: we use tabs.",
            "Die Übersetzung ist fertig. Wir nehmen Redis.",
            "The translation: we use DeepL.",
            "번역은 끝났어. 우리는 레디스를 쓰기로 했어.",
            "번역 규칙: 우리는 존댓말을 쓴다.",
            "翻译规则：我们用敬语。",
            "翻译已经完成。我们决定用 Redis。",
            "Check the port: it's 8080",
        ] {
            assert_eq!(without(text), text, "{text}");
        }
    }
}
