//! The same in Chinese and Korean, where words are not set apart: a figure with its unit, a day of the week, a name.

use super::super::cues::without_stop;
use crate::wording::{is_han, is_hangul};

/// Korean words with the ending of a name and none.
const NO_NAMES_KO: &[&str] =
    &["아니야", "뭐야", "거야", "그거야", "진짜야", "아니에요", "정말이야", "가짜야", "안돼야", "농담이야"];
/// Whoever is called something, or is somebody, in Korean.
const NAMED_KO: [&str; 8] = ["이름", "담당자", "책임자", "팀장", "주인", "소유자", "관리자", "대표"];
/// Chinese signs that are in no name.
const NO_NAMES: [char; 12] = ['不', '没', '的', '了', '吗', '我', '你', '他', '她', '它', '这', '那'];
/// Signs of figures, those of Chinese ones included.
const FIGURES: &str = "0123456789.:：〇零一二两三四五六七八九十百千万半";
/// What a time of day begins with.
const PARTS_OF_DAY: [&str; 16] = [
    "凌晨", "早上", "上午", "中午", "下午", "傍晚", "晚上", "半夜", "새벽", "아침", "오전", "정오", "오후",
    "저녁", "밤", "낮",
];
/// Days of the week begin, in Chinese, with one of these.
const WEEK_ZH: [&str; 3] = ["星期", "礼拜", "周"];
/// What a Korean statement that only says a value ends with.
const COPULAS_KO: [&str; 6] = ["이에요", "예요", "입니다", "이야", "야", "이다"];

/// A sentence with what is right in the one place where it fits; `rest` is what the message says after the words of correcting.
pub(super) fn put_in(rest: &str, sentence: &str, is_sure: bool) -> Option<String> {
    let rest = without_stop(rest).trim_start_matches(['，', ',', ' ', '是']).trim();
    let own = without_pronoun(rest);
    figure(own, sentence).or_else(|| name(rest, sentence, is_sure)).or_else(|| said_of_it(own, sentence))
}

/// What is said without the Chinese pronoun for whom or what it is about.
fn without_pronoun(rest: &str) -> &str {
    const PRONOUNS: [&str; 6] = ["她们", "他们", "它们", "她", "他", "它"];
    PRONOUNS.iter().find_map(|pronoun| rest.strip_prefix(pronoun)).unwrap_or(rest)
}

/// Chinese words between whom or what is spoken of and the one thing that is said of them.
const VERBS_ZH: [&str; 10] =
    ["住在", "位于", "定在", "改在", "来自", "搬到", "出生于", "出生在", "工作在", "叫"];

/// "他住在广州": the same verb, with another name behind it.
fn said_of_it(rest: &str, sentence: &str) -> Option<String> {
    let verb = VERBS_ZH.iter().find(|verb| rest.starts_with(**verb))?;
    let mut places = sentence.match_indices(*verb).map(|(at, _)| at);
    let at = places.next().filter(|at| *at > 0 && places.next().is_none())?;
    let is_name =
        |text: &str| is_all_han(text) && (2..=6).contains(&text.chars().count()) && !text.contains(NO_NAMES);
    let (right, wrong) = (&rest[verb.len()..], &sentence[at + verb.len()..]);
    (is_name(right) && is_name(wrong)).then(|| format!("{}{rest}", &sentence[..at]))
}

fn is_all_han(text: &str) -> bool {
    text.chars().all(is_han)
}

/// A figure with its unit, or a day of the week, in the place of the only one of its kind; what stands around it in `rest` stands
/// in the sentence as well.
fn figure(rest: &str, sentence: &str) -> Option<String> {
    let [right] = values(rest)[..] else { return None };
    let fitting: Vec<Value<'_>> =
        values(sentence).into_iter().filter(|value| value.unit == right.unit).collect();
    let [wrong] = fitting[..] else { return None };
    let around = [&rest[..right.start], &rest[right.end..]];
    let mut words =
        around.iter().flat_map(|text| text.split([' ', '，', ','])).filter(|word| !word.is_empty());
    let is_known = |word: &str| {
        let stem: String = word.chars().take(2).collect();
        sentence.contains(&stem)
            || COPULAS_KO.contains(&word)
            || matches!(word, "에" | "에요" | "的" | "了" | "在")
    };
    words.all(is_known).then(|| {
        format!("{}{}{}", &sentence[..wrong.start], &rest[right.start..right.end], &sentence[wrong.end..])
    })
}

/// A figure or a day of the week: its bytes, without its unit, and the sign that is its unit.
#[derive(Debug, Clone, Copy)]
struct Value<'t> {
    start: usize,
    end: usize,
    unit: &'t str,
}

/// Every value that a text gives.
fn values(text: &str) -> Vec<Value<'_>> {
    let mut found: Vec<Value<'_>> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let end = at + text[at..].find(|each| !FIGURES.contains(each)).unwrap_or(text.len() - at);
        let week = WEEK_ZH.iter().find(|week| text[..at].ends_with(**week));
        if let (Some(_), true) = (week, "一二三四五六日天".contains(first)) {
            found.push(Value { start: at, end: at + first.len_utf8(), unit: "周" });
            at += first.len_utf8();
        } else if "월화수목금토일".contains(first) && text[at + first.len_utf8()..].starts_with("요일")
        {
            found.push(Value { start: at, end: at + first.len_utf8(), unit: "요일" });
            at += first.len_utf8();
        } else if end > at && text[at..end].chars().any(|each| !".:：".contains(each)) {
            let after = text[end..].trim_start();
            // "9090이야" is a number and no unit.
            let unit = if COPULAS_KO.iter().any(|copula| after.starts_with(copula)) { "" } else { after };
            let unit = unit.chars().next().map_or("", |sign| &unit[..sign.len_utf8()]);
            let part = PARTS_OF_DAY.iter().find(|part| text[..at].trim_end().ends_with(**part));
            let start = part.map_or(at, |part| text[..at].trim_end().len() - part.len());
            let unit = if unit.chars().all(char::is_alphabetic) { unit } else { "" };
            found.push(Value { start, end, unit });
            at = end;
        } else {
            at += first.len_utf8();
        }
    }
    found
}

/// A name after 是, or with the ending of one in Korean.
fn name(rest: &str, sentence: &str, is_sure: bool) -> Option<String> {
    if is_all_han(rest) && (2..=4).contains(&rest.chars().count()) {
        let says = |word: &str| Some(sentence.rfind(word)? + word.len());
        let start = ["住在", "是在", "叫"].iter().find_map(|word| says(word));
        let start = start.or_else(|| says("是").filter(|_| is_sure))?;
        let is_name = |text: &str| {
            is_all_han(text) && (2..=4).contains(&text.chars().count()) && !text.contains(NO_NAMES)
        };
        let value = &sentence[start..];
        return (is_name(value) && is_name(rest)).then(|| format!("{}{rest}", &sentence[..start]));
    }
    // 강아지 이름은 보리야.
    let ending = |text: &str| COPULAS_KO[..5].iter().any(|ending| text.ends_with(ending));
    let is_hangul = rest.chars().all(is_hangul);
    let (about, value) = sentence.rsplit_once(' ')?;
    let is_of = |name: &str| {
        ["은", "는", "이", "가"].iter().any(|particle| about.ends_with(&format!("{name}{particle}")))
    };
    let is_name_of = is_of("이름") || is_sure && NAMED_KO.iter().any(|name| is_of(name));
    let fits = is_hangul && is_name_of && ending(rest) && ending(value) && !NO_NAMES_KO.contains(&rest);
    (fits && (2..=8).contains(&rest.chars().count())).then(|| format!("{about} {rest}"))
}
