//! What a Korean or Chinese sentence says to be so or not so, whatever level of speech it is said in: its words but for the ending of its
//! verb and for what says no.
//!
//! Only sentences that are the same in all else say the same or the opposite: no word is left out but the user's own pronoun and what says
//! that it is so now. Pure.

use crate::wording::{is_han, is_hangul};

/// What a sentence is about, in one form or in two where it cannot be told which, and whether it is so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Whether {
    what: Vec<String>,
    is_so: bool,
}

impl Whether {
    /// What a text says to be so or not; nothing where it says that of some alone, asks, or has several clauses.
    pub(super) fn of(text: &str) -> Option<Self> {
        let is_asked = text.contains(['?', '？', ',', '，', ';', '；', '、']) || text.ends_with(['吗', '呢']);
        let is_of_some = SOME.iter().any(|some| text.starts_with(some));
        if is_asked || is_of_some {
            return None;
        }
        let last = text.chars().next_back()?;
        if is_hangul(last) {
            return korean(text);
        }
        if text.chars().any(is_han) { chinese(text) } else { None }
    }

    /// Whether the other is about the same.
    pub(super) fn is_of_same(&self, other: &Self) -> bool {
        self.what.iter().any(|what| other.what.contains(what))
    }

    /// Whether it says that the same is so, or that the same is not.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        self.is_so == other.is_so
    }

    /// What it is found under.
    pub(super) fn keys(&self) -> impl Iterator<Item = String> {
        self.what.iter().map(|what| format!("whether {what}"))
    }
}

/// What begins a sentence about some of many, of whom others may be otherwise.
const SOME: [&str; 17] = [
    "어떤 ",
    "몇몇",
    "일부",
    "누군가",
    "대부분",
    "有人",
    "有些",
    "有的",
    "有时",
    "一些",
    "部分",
    "许多",
    "很多",
    "不少",
    "多数",
    "大多",
    "几个",
];
/// The user's own pronouns with what follows them.
const OWN: [&str; 8] = ["나는", "난", "나", "내가", "저는", "전", "저", "제가"];
/// Words that say only that it is so now.
const NOW: [&str; 8] = ["이제", "이제는", "지금", "지금은", "현재", "요즘", "더", "이상"];
/// Verbs that say no to another, by the stems of both.
const TURNED: [(&str, &str); 3] = [("싫어하", "좋아하"), ("싫", "좋"), ("없", "있")];

fn korean(text: &str) -> Option<Whether> {
    let mut words: Vec<&str> = text.split_whitespace().filter(|word| !NOW.contains(word)).collect();
    let mut stem = stem(words.pop()?)?;
    let mut is_so = true;
    match words.last().copied() {
        Some("안") => {
            words.pop();
            is_so = false;
        }
        Some(verb) if stem == "않" => {
            let verb = ["지는", "지도", "지"].iter().find_map(|ending| verb.strip_suffix(ending))?;
            stem = in_one_form(verb);
            words.pop();
            is_so = false;
        }
        Some(noun) if stem == "아니" => {
            stem = format!("{}이", noun.strip_suffix(['이', '가'])?);
            words.pop();
            is_so = false;
        }
        _ => {}
    }
    if let Some((_, turned)) = TURNED.iter().find(|(no, _)| *no == stem) {
        // Who does not dislike something does not like it yet.
        if !is_so {
            return None;
        }
        (stem, is_so) = ((*turned).to_owned(), false);
    }
    let is_own = words.first().is_some_and(|first| OWN.contains(first));
    let body = &words[usize::from(is_own)..];
    let body = match body {
        [] => return None,
        // Whatever particle it has.
        [thing] if is_own => ["을", "를", "은", "는", "이", "가"]
            .iter()
            .find_map(|particle| thing.strip_suffix(particle))
            .unwrap_or(thing)
            .to_owned(),
        several => several.join(" "),
    };
    let whose = if is_own { "나" } else { "" };
    Some(Whether { what: vec![format!("{whose} {body} {stem}")], is_so })
}

/// A Hangul syllable's vowel and final consonant, by their numbers, with its first.
fn parts(syllable: char) -> Option<(u32, u32, u32)> {
    let number = u32::from(syllable).checked_sub(0xac00).filter(|number| *number < 11_172)?;
    Some((number / 588, number / 28 % 21, number % 28))
}

fn syllable(first: u32, vowel: u32, last: u32) -> Option<char> {
    char::from_u32(0xac00 + first * 588 + vowel * 28 + last)
}

/// A word with another last syllable, made of the one that it has; nothing where that is none of them.
fn ending_in(word: &str, change: impl Fn(u32, u32, u32) -> Option<(u32, u32, u32)>) -> Option<String> {
    let last = word.chars().next_back()?;
    let (first, vowel, end) = parts(last)?;
    let (first, vowel, end) = change(first, vowel, end)?;
    let mut changed = word[..word.len() - last.len_utf8()].to_owned();
    changed.push(syllable(first, vowel, end)?);
    Some(changed)
}

const NIEUN: u32 = 4;
const RIEUL: u32 = 8;
const BIEUP: u32 = 17;

/// The stem of a verb or an adjective at the end of a sentence, in one form for all levels of speech.
fn stem(word: &str) -> Option<String> {
    let without =
        |wanted: u32| move |first: u32, vowel: u32, last: u32| (last == wanted).then_some((first, vowel, 0));
    let found = if let Some(stem) = word.strip_suffix("습니다").or_else(|| word.strip_suffix("는다")) {
        stem.to_owned()
    } else if let Some(stem) = word.strip_suffix("니다").and_then(|stem| ending_in(stem, without(BIEUP))) {
        stem
    } else if let Some(stem) = word.strip_suffix('다') {
        ending_in(stem, without(NIEUN)).unwrap_or_else(|| stem.to_owned())
    } else {
        spoken_stem(word.strip_suffix('요').unwrap_or(word))?
    };
    (!found.is_empty()).then(|| in_one_form(&found))
}

/// The stem of a verb in the form of everyday speech: `좋아해`, `먹어`, `마셔`.
fn spoken_stem(word: &str) -> Option<String> {
    for (ending, stem) in
        [("이에", "이"), ("이야", "이"), ("예", "이"), ("야", "이"), ("해", "하"), ("함", "하"), ("돼", "되")]
    {
        if let Some(rest) = word.strip_suffix(ending) {
            return Some(format!("{rest}{stem}"));
        }
    }
    if let Some(stem) = word.strip_suffix(['아', '어']) {
        return Some(stem.to_owned());
    }
    ending_in(word, |first, vowel, last| match (vowel, last) {
        // ㅕ of ㅣ, ㅘ of ㅗ, ㅝ of ㅜ.
        (6, 0) => Some((first, 20, 0)),
        (9, 0) => Some((first, 8, 0)),
        (14, 0) => Some((first, 13, 0)),
        (0 | 1 | 4, 0) => Some((first, vowel, 0)),
        _ => None,
    })
}

/// A stem without what changes in it before endings: `살` and `사`, `어렵` and `어려우`, `쓰` and `써`.
fn in_one_form(stem: &str) -> String {
    if let Some(rest) = stem.strip_suffix('우')
        && let Some(joined) =
            ending_in(rest, |first, vowel, last| (last == 0).then_some((first, vowel, BIEUP)))
    {
        return joined;
    }
    let changed = ending_in(stem, |first, vowel, last| match (vowel, last) {
        (vowel, RIEUL) => Some((first, vowel, 0)),
        (18, 0) => Some((first, 4, 0)),
        _ => None,
    });
    changed.unwrap_or_else(|| stem.to_owned())
}

/// What says no in Chinese, the longer ones first.
const NO: [&str; 11] = ["从来不", "从不", "不再", "并不", "不太", "不要", "没有", "别再", "不", "没", "别"];
/// So many signs are too few to say anything.
const FEWEST: usize = 3;

fn chinese(text: &str) -> Option<Whether> {
    let mut text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for now in ["现在", "如今", "目前", "已经"] {
        text = text.replace(now, "");
    }
    let (mut what, mut is_so) =
        match NO.iter().filter_map(|no| Some((text.find(no)?, *no))).min_by_key(|(at, _)| *at) {
            None => (vec![text], true),
            Some((at, no)) => {
                let (before, rest) = (&text[..at], text[at + no.len()..].trim_end_matches('了'));
                let mut what = vec![format!("{before}{rest}")];
                if no == "没有" || no == "没" {
                    what.push(format!("{before}有{rest}"));
                }
                (what, false)
            }
        };
    if what.iter().any(|what| what.contains(['不', '没', '别'])) {
        return None;
    }
    if what[0].contains("讨厌") {
        if !is_so {
            return None;
        }
        is_so = false;
        what[0] = what[0].replacen("讨厌", "喜欢", 1);
    }
    let is_enough = what.iter().any(|what| what.chars().count() >= FEWEST);
    is_enough.then_some(Whether { what, is_so })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_speech_have_one_stem() {
        for row in [
            &["좋아한다", "좋아합니다", "좋아해요", "좋아해", "좋아하다"][..],
            &["먹는다", "먹습니다", "먹어요", "먹어"],
            &["마신다", "마십니다", "마셔요", "마셔"],
            &["산다", "삽니다", "살아요", "살아"],
            &["어렵다", "어렵습니다", "어려워요"],
            &["쓴다", "씁니다", "써요"],
            &["배운다", "배웁니다", "배워요"],
            &["있다", "있습니다", "있어요"],
            &["의사이다", "의사입니다", "의사예요", "의사야"],
            &["했다", "했습니다", "했어요"],
        ] {
            let stems: Vec<_> = row.iter().map(|word| stem(word)).collect();
            assert!(stems[0].is_some() && stems.iter().all(|stem| *stem == stems[0]), "{row:?} {stems:?}");
        }
    }
}
