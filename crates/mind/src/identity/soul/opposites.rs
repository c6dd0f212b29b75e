//! How one rule about the agent's behaviour stands to another: more than two statements of facts, it says that something is always, never or
//! not to be done, in which language, how long, how formally.
//!
//! "Use tables whenever you compare things" takes the place of "Never use tables", and "Answer in German" that of "Answer in English".
//! Where one has a condition that the other lacks, both may hold. Pure.

use std::collections::BTreeSet;

use crate::stores::statement::{Comparison, Statement, bare_words};

/// A rule: what its words mean, and how they are read.
#[derive(Clone, Copy)]
pub(super) struct Rule<'a> {
    pub(super) statement: &'a Statement,
    pub(super) reading: &'a Reading,
}

/// A rule in itself.
pub(super) struct OwnRule {
    statement: Statement,
    reading: Reading,
}

impl OwnRule {
    pub(super) fn of(text: &str) -> Self {
        Self { statement: Statement::new(text), reading: Reading::of(text) }
    }

    pub(super) fn rule(&self) -> Rule<'_> {
        Rule { statement: &self.statement, reading: &self.reading }
    }
}

/// How the newer rule stands to the known one.
pub(super) fn compared(new: Rule<'_>, known: Rule<'_>) -> Comparison {
    let by_words = new.statement.compared_to(known.statement);
    if by_words != Comparison::Apart {
        return by_words;
    }
    new.reading.of_manner(known.reading).unwrap_or_else(|| new.reading.of_doing(known.reading))
}

/// Words that forbid, in small letters; those of scripts that do not set words apart stand anywhere.
const FORBIDDING: &[&str] = &[
    "never",
    "don't",
    "dont",
    "do not",
    "not",
    "no",
    "avoid",
    "stop",
    "without",
    "nie",
    "niemals",
    "nicht",
    "kein",
    "keine",
    "keinen",
    "vermeide",
    "ohne",
    "verzichte auf",
    "지 마",
    "지마",
    "지 말",
    "지말",
    "금지",
    "없이",
    "않",
    "不要",
    "别",
    "从不",
    "永远不",
    "避免",
    "禁止",
    "不用",
    "不能",
    "不可以",
    "勿",
];
/// Words that forbid whatever the case.
const ABSOLUTE: &[&str] = &[
    "never",
    "no",
    "nie",
    "niemals",
    "kein",
    "keine",
    "keinen",
    "절대",
    "从不",
    "永远不",
    "绝不",
    "绝对",
    "don't",
    "dont",
    "do not",
    "avoid",
    "不要",
    "别",
    "지 마",
    "지마",
    "지 말",
];
/// Words that a rule may have and that change nothing of what it is about.
const FILLING: &[&str] = &[
    "always",
    "please",
    "ever",
    "again",
    "anymore",
    "any",
    "the",
    "a",
    "an",
    "your",
    "you",
    "should",
    "must",
    "may",
    "can",
    "could",
    "to",
    "me",
    "my",
    "make sure",
    "be sure",
    "from now on",
    "it is fine",
    "it's fine",
    "fine",
    "okay",
    "ok",
    "feel free",
    "i",
    "want",
    "would like",
    "prefer",
    "with",
    "immer",
    "bitte",
    "stets",
    "mir",
    "du",
    "sollst",
    "darfst",
    "kannst",
    "ab jetzt",
    "wieder",
    "die",
    "der",
    "das",
    "den",
    "deine",
    "deinen",
    "항상",
    "언제나",
    "제발",
    "좀",
    "앞으로",
    "절대",
    "절대로",
    "请",
    "总是",
    "一定",
    "始终",
    "永远",
    "以后",
    "可以",
    "要",
    "应该",
    "都",
    "你",
    "给我",
    "对我",
];
/// Words of saying something, of which every rule of manner has some.
const SAYING: &[&str] = &[
    "answer",
    "answers",
    "reply",
    "replies",
    "respond",
    "response",
    "responses",
    "write",
    "speak",
    "talk",
    "keep",
    "give",
    "be",
    "it",
    "in",
    "use",
    "sound",
    "messages",
    "explain",
    "explanations",
    "antworte",
    "antworten",
    "antwort",
    "schreib",
    "schreibe",
    "sprich",
    "rede",
    "halte",
    "auf",
    "sei",
    "fasse",
    "dich",
    "benutze",
    "verwende",
    "fass",
    "erkläre",
    "대답해",
    "대답하",
    "대답",
    "답변",
    "답해",
    "답",
    "말해",
    "말하",
    "말",
    "써",
    "쓰",
    "사용해",
    "사용",
    "설명",
    "해줘",
    "해 줘",
    "주세요",
    "하세요",
    "해요",
    "해",
    "하기",
    "하고",
    "줘",
    "으로",
    "로",
    "을",
    "를",
    "은",
    "는",
    "게",
    "세요",
    "回答",
    "回复",
    "说话",
    "说",
    "写",
    "解释",
    "用",
    "使用",
    "跟我",
    "和我",
    "我",
    "得",
    "地",
    "点",
    "一点",
    "一些",
    "尽量",
];
/// What may be chosen of one kind: each way to say it, in small letters.
type Axis = &'static [&'static [&'static str]];
const AXES: [Axis; 3] = [
    // In which language.
    &[
        &["english", "englisch", "영어", "英语", "英文"],
        &["german", "deutsch", "독일어", "德语", "德文"],
        &["korean", "koreanisch", "한국어", "韩语", "韩文"],
        &["chinese", "mandarin", "chinesisch", "중국어", "中文", "汉语"],
        &["french", "französisch", "프랑스어", "法语"],
        &["spanish", "spanisch", "스페인어", "西班牙语"],
        &["japanese", "japanisch", "일본어", "日语", "日文"],
    ],
    // How long.
    &[
        &[
            "short",
            "shorter",
            "brief",
            "briefly",
            "concise",
            "concisely",
            "terse",
            "succinct",
            "kurz",
            "kürzer",
            "kurze",
            "knapp",
            "짧게",
            "간단히",
            "간결하게",
            "简短",
            "简洁",
            "短",
        ],
        &[
            "long",
            "longer",
            "detailed",
            "detail",
            "verbose",
            "thorough",
            "thoroughly",
            "lang",
            "länger",
            "lange",
            "ausführlich",
            "ausführlicher",
            "detailliert",
            "길게",
            "자세히",
            "자세하게",
            "상세하게",
            "상세히",
            "详细",
            "长",
        ],
    ],
    // How formally.
    &[
        &[
            "formal",
            "formally",
            "förmlich",
            "siez",
            "sieze",
            "siezen",
            "존댓말",
            "높임말",
            "존대",
            "您",
            "正式",
        ],
        &["informal", "informally", "casual", "casually", "locker", "duz", "duze", "duzen", "반말", "随意"],
    ],
];

/// A rule, taken apart.
#[derive(Debug, Clone)]
pub(in crate::identity) struct Reading {
    forbids: bool,
    is_absolute: bool,
    /// The one axis of which it chooses something, what, and what else it says; nothing where it is of none or of several.
    manner: Option<(usize, usize, String)>,
    /// The words of what is to be done or not.
    doing: BTreeSet<String>,
}

impl Reading {
    pub(super) fn of(text: &str) -> Self {
        let lower = text.to_lowercase().replace('’', "'");
        let text: &str = lower.trim_matches(|each: char| !each.is_alphanumeric());
        let holds = |words: &&str| place_of(text, words).is_some();
        let chosen = AXES.iter().enumerate().flat_map(|(at, axis)| {
            let poles = (0..axis.len()).filter(|pole| axis[*pole].iter().any(holds));
            poles.map(move |pole| (at, pole)).collect::<Vec<_>>()
        });
        let chosen: Vec<(usize, usize)> = chosen.collect();
        let manner = match chosen[..] {
            [(axis, pole)] => Some((axis, pole, without(text, &[AXES[axis][pole], FILLING, SAYING]))),
            _ => None,
        };
        Self {
            forbids: FORBIDDING.iter().any(holds),
            is_absolute: ABSOLUTE.iter().any(holds),
            manner,
            doing: core_of(&without(text, &[FORBIDDING, FILLING])),
        }
    }

    /// Where both choose one thing of one axis and say nothing else; nothing where they do not.
    fn of_manner(&self, known: &Self) -> Option<Comparison> {
        let ((axis, pole, rest), (other_axis, other, their_rest)) =
            self.manner.as_ref().zip(known.manner.as_ref())?;
        let is_other = axis == other_axis && pole != other && rest == their_rest;
        (is_other && !self.forbids && !known.forbids).then_some(Comparison::Replaces)
    }

    /// How they stand where one says to do what the other forbids, or both the same.
    fn of_doing(&self, known: &Self) -> Comparison {
        let (own, theirs) = (&self.doing, &known.doing);
        if own.is_empty() || theirs.is_empty() {
            return Comparison::Apart;
        }
        match (self.forbids == known.forbids, own == theirs) {
            (true, true) => Comparison::Same,
            (false, true) => Comparison::Replaces,
            // What is never to be done is to be done in some case.
            (false, false) if known.is_absolute && known.forbids && theirs.is_subset(own) => {
                Comparison::Replaces
            }
            _ => Comparison::Apart,
        }
    }
}

fn is_joined(each: char) -> bool {
    matches!(u32::from(each), 0x3400..=0x9fff | 0xac00..=0xd7a3)
}

/// Where words stand in a text; as words of their own where their script sets them apart.
fn place_of(text: &str, words: &str) -> Option<usize> {
    let is_inside = words.chars().any(is_joined);
    text.match_indices(words).map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        is_inside || !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// A text without these words, the longest taken out first.
fn without(text: &str, words: &[&[&str]]) -> String {
    let mut all: Vec<&str> = words.iter().flat_map(|words| words.iter().copied()).collect();
    all.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    let mut text = text.to_owned();
    for word in all {
        while let Some(at) = place_of(&text, word) {
            text.replace_range(at..at + word.len(), " ");
        }
    }
    let bare: String = text.chars().map(|each| if each.is_alphanumeric() { each } else { ' ' }).collect();
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of what is to be done or not, by their stems; of scripts that do not set words apart the signs.
fn core_of(text: &str) -> BTreeSet<String> {
    if text.chars().any(is_joined) {
        return without(text, &[SAYING]).split_whitespace().map(str::to_owned).collect();
    }
    bare_words(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(new: &str, known: &str) -> Comparison {
        compared(OwnRule::of(new).rule(), OwnRule::of(known).rule())
    }

    #[test]
    fn what_says_the_opposite_takes_its_place() {
        for (new, known) in [
            ("Always use tables", "Never use tables"),
            ("Never use tables", "Always use tables"),
            ("Use tables whenever you compare things", "Never use tables"),
            ("Answer in English", "Answer in German"),
            ("Antworte auf Deutsch", "Always answer in English please"),
            ("Please write in German", "Answer in English"),
            ("Keep your answers short", "Give detailed answers"),
            ("Antworte ausführlich", "Antworte immer kurz"),
            ("Answer in detail", "Be brief"),
            ("You may use emoji", "Never use emoji"),
            ("Don't use emoji", "Always use emoji"),
            ("반말로 대답해 줘", "항상 존댓말로 대답해"),
            ("반말 써", "존댓말로 말해 주세요"),
            ("Immer duzen", "Bitte siezen"),
            ("回答要详细", "回答要简短"),
            ("请用中文回答", "请用英文回答"),
            ("可以用表格", "不要用表格"),
            ("Benutze Tabellen", "Benutze nie Tabellen"),
        ] {
            assert_eq!(between(new, known), Comparison::Replaces, "{new} / {known}");
        }
    }

    #[test]
    fn what_says_the_same_is_one_rule() {
        for (new, known) in [
            ("Don't use emoji", "Never use emoji"),
            ("Please never use emoji", "Do not use emoji"),
            ("Avoid using emoji", "Never use emoji"),
            ("Benutze keine Emojis", "Bitte benutze niemals Emojis"),
        ] {
            assert_eq!(between(new, known), Comparison::Same, "{new} / {known}");
        }
    }

    #[test]
    fn what_may_hold_beside_the_other_does() {
        for (new, known) in [
            ("Never use tables in commit messages", "Always use tables"),
            ("Never use tables", "Never use emoji"),
            ("Answer in German when I write German", "Answer in English"),
            ("Write commit messages in English", "Answer in German"),
            ("Use bullet points", "Never use tables"),
            ("Keep summaries short", "Give detailed answers to questions of law"),
            ("Answer formally in German", "Answer in English"),
            ("Use tables in reports", "Never use tables in chat"),
            ("代码注释用英文", "请用中文回答"),
            ("이메일은 존댓말로 써", "반말로 대답해"),
        ] {
            assert_eq!(between(new, known), Comparison::Apart, "{new} / {known}");
        }
    }
}
