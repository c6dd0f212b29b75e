//! What a message that corrects something sounds like, and the claims that it makes.
//!
//! Any of it alone means nothing: "actually, it's fine" and "that's wrong on so many levels" sound the same. A claim that takes the place of
//! something known, in a message that sounds like a correction, is one.

use crate::wording::sentences_of;

/// Words that say that something said or known is wrong, anywhere in a message, in small letters.
const CUES: &[&str] = &[
    "that's wrong",
    "that is wrong",
    "that was wrong",
    "wrong ",
    "wrong,",
    "wrong!",
    "wrong:",
    "incorrect",
    "not right",
    "isn't right",
    "not true",
    "isn't true",
    "no longer",
    "anymore",
    "any more",
    "outdated",
    "out of date",
    "old date",
    "old number",
    "old address",
    "mixed up",
    "mixed that up",
    "mixing up",
    "confused",
    "you forgot",
    "you've forgotten",
    "you keep forgetting",
    "i never said",
    "never said",
    "i already",
    "already told",
    "i told you",
    "told you",
    "i said",
    "as i said",
    "remember?",
    "the opposite",
    "wrong way round",
    "where did you get",
    "since when",
    "how often",
    "how many times",
    "correction",
    "you're behind",
    "you misremember",
    "misremember",
    "please fix",
    "not anymore",
    "das stimmt nicht",
    "stimmt nicht",
    "falsch",
    "veraltet",
    "nicht mehr",
    "verwechselt",
    "durcheinander",
    "schon gesagt",
    "doch gesagt",
    "habe dir gesagt",
    "hab dir gesagt",
    "nie gesagt",
    "vergessen",
    "seit wann",
    "woher hast du",
    "틀렸",
    "틀린",
    "아니라",
    "말했잖아",
    "말했는데",
    "말했어요",
    "언제",
    "잘못",
    "더 이상",
    "옛날",
    "예전",
    "잊었",
    "까먹",
    "不对",
    "错了",
    "记错",
    "搞错",
    "忘了",
    "跟你说过",
    "说过了",
    "没说过",
    "不再",
];
/// Words that such a message begins with, in small letters.
const BEGINNINGS: &[&str] = &[
    "no,",
    "no.",
    "no!",
    "no ",
    "nope",
    "nah",
    "actually",
    "wait",
    "huh",
    "what?",
    "hm,",
    "sorry",
    "not ",
    "nein",
    "doch",
    "eigentlich",
    "nicht ",
    "hä",
    "아니",
    "사실",
    "不是",
    "不,",
    "不，",
    "其实",
];
/// Words that make a sentence a supposition or somebody else's word, in small letters, at its beginning.
const SUPPOSING: &[&str] = &[
    "if ",
    "what if",
    "suppose",
    "imagine",
    "assuming",
    "let's say",
    "in the novel",
    "in my novel",
    "in the story",
    "wenn ",
    "falls ",
    "angenommen",
    "만약",
    "만일",
    "要是",
    "如果",
    "假如",
    "假设",
];
/// Words of a question that may have no mark.
const ASKING: &[&str] = &["哪里", "哪儿", "什么", "是不是", "吗", "어디", "무엇", "뭐였", "있지"];
/// Words that only say that it is so now, with what stays of them.
const FILLERS: &[(&str, &str)] = &[("는 이제 ", "는 "), ("은 이제 ", "은 "), ("已经", ""), ("现在", "")];
/// Words that a correction begins with and that say nothing themselves.
const OPENINGS: &[&str] = &[
    "no,",
    "no.",
    "no",
    "nope,",
    "nope",
    "actually,",
    "actually",
    "but",
    "wait,",
    "sorry,",
    "and",
    "because",
    "please",
    "you forgot that",
    "you forgot:",
    "you forgot",
    "i told you that",
    "i told you last week:",
    "i told you",
    "i already told you that",
    "i already told you",
    "i said that",
    "i said",
    "as i said,",
    "remember,",
    "that's wrong,",
    "that is wrong,",
    "wrong,",
    "that's not right,",
    "that's not true,",
    "correction:",
    "huh?",
    "well,",
    "as of now",
    "nein,",
    "nein",
    "doch,",
    "doch",
    "eigentlich",
    "ich habe dir gesagt, dass",
    "ich habe dir doch gesagt, dass",
    "ich habe doch gesagt:",
    "falsch,",
    "das stimmt nicht,",
    "sondern",
    "아니,",
    "아니요,",
    "아니에요,",
    "아니야,",
    "사실은",
    "사실",
    "틀렸어요,",
    "이제",
    "不对，",
    "不是，",
    "不，",
    "其实",
    "错了，",
    "已经",
    "我早就跟你说过了，",
    "我跟你说过，",
    "是",
];
/// Claims with fewer characters say nothing that could be right.
const SHORTEST: usize = 5;
/// Sentences with more bytes are no corrections, and so many claims are held against what is known: a message may be very long.
const LONGEST: usize = 400;
const MOST_CLAIMS: usize = 48;
/// Words of a clause that only says what was said.
const SAYING: &[&str] = &["never said", "never told", "nie gesagt", "没说过", "다고 했", "라고 했"];

/// The words that make a message sound like a correction; nothing where none do.
pub(super) fn cue(message: &str) -> Option<String> {
    // What is quoted or pasted is somebody else's.
    let lower = sentences_of(message).join(" ").to_lowercase().replace('’', "'");
    let begins = BEGINNINGS.iter().find(|words| lower.starts_with(**words));
    let holds = || CUES.iter().find(|words| lower.contains(**words));
    begins.or_else(holds).map(|words| words.trim().to_owned())
}

/// What a message says to be so, in its own words: its sentences and their clauses, without what it quotes, asks or supposes.
pub(super) fn claims(message: &str, about: &str) -> Vec<String> {
    let own = without_quoted(message);
    // What a trigger refers to may be what is asked.
    let is_asked = |about: &&str| !message.trim_end().trim_end_matches(['?', '？']).ends_with(*about);
    let about = Some(about).filter(|about| !about.is_empty()).filter(is_asked).map(str::to_owned);
    let mut claims: Vec<String> = Vec::new();
    for sentence in about.into_iter().chain(sentences_of(&own)) {
        let lower = sentence.trim().to_lowercase();
        if sentence.len() > LONGEST
            || SUPPOSING.iter().any(|words| lower.starts_with(words))
            || ASKING.iter().any(|word| lower.contains(word))
        {
            continue;
        }
        for clause in clauses(&sentence) {
            let claim = FILLERS
                .iter()
                .fold(claim(clause).to_owned(), |claim, (filler, rest)| claim.replace(filler, rest));
            let claim = without_stop(&claim).to_owned();
            let is_said = SAYING.iter().any(|words| claim.to_lowercase().contains(words));
            if claim.chars().count() >= SHORTEST && !is_said && !claims.contains(&claim) {
                claims.push(claim);
            }
            if claims.len() == MOST_CLAIMS {
                return claims;
            }
        }
    }
    claims
}

/// The clauses of a sentence, each with or without those after it; none of one that asks.
pub(super) fn clauses(sentence: &str) -> Vec<&str> {
    if sentence.trim_end().ends_with(['?', '？']) {
        return Vec::new();
    }
    let is_digit = |each: Option<char>| each.is_some_and(|each| each.is_ascii_digit());
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for (at, each) in sentence.char_indices() {
        let end = at + each.len_utf8();
        // Numbers and times have such signs inside.
        let is_inside =
            is_digit(sentence[..at].chars().next_back()) && is_digit(sentence[end..].chars().next());
        if matches!(each, ',' | ':' | ';' | '–' | '—' | '!' | '，' | '：' | '；' | '！') && !is_inside
        {
            cuts.push((at, end));
        }
    }
    // "It is not X but Y", where Korean sets no sign.
    cuts.extend(sentence.match_indices("아니라").map(|(at, word)| (at, at + word.len())));
    cuts.sort_unstable();
    let begins = std::iter::once(0).chain(cuts.iter().map(|(_, end)| *end));
    let ends =
        |begin: usize| cuts.iter().map(|(at, _)| *at).filter(move |at| *at > begin).chain([sentence.len()]);
    begins.flat_map(|begin| ends(begin).map(move |end| &sentence[begin..end])).collect()
}

/// The message without code and without what stands in quotation marks: those are somebody else's words.
fn without_quoted(message: &str) -> String {
    let mut own = String::new();
    let mut until: Option<char> = None;
    for each in message.replace("```", "`").chars() {
        match (until, each) {
            (Some(end), _) if each == end => until = None,
            (Some(_), _) => {}
            (None, '"') => until = Some('"'),
            (None, '`') => until = Some('`'),
            (None, '“' | '„') => until = Some('”'),
            (None, '「') => until = Some('」'),
            (None, '«') => until = Some('»'),
            (None, _) => own.push(each),
        }
    }
    own
}

pub(super) fn without_stop(sentence: &str) -> &str {
    sentence.trim().trim_end_matches(['.', '!', '。', '！', ' '])
}

/// A sentence without the words of correcting that it begins with.
pub(super) fn claim(sentence: &str) -> &str {
    let mut rest = sentence.trim();
    'again: loop {
        let lower = rest.to_lowercase();
        for opening in OPENINGS {
            let Some(after) = lower.strip_prefix(opening) else { continue };
            let is_word = opening.ends_with([',', '.', ':', '?', '，'])
                || after.starts_with([' ', ',', ':'])
                || !opening.is_ascii() && !after.is_empty();
            // Lower case may have another length in bytes; then the sentence is left as it is.
            if is_word && let Some(cut) = rest.get(opening.len()..).filter(|_| lower.len() == rest.len()) {
                rest = cut.trim_start_matches([' ', ',', ':', '，']);
                continue 'again;
            }
        }
        return rest;
    }
}

/// Words that say little, left out when two statements are held beside each other.
const SMALL: &[&str] = &[
    "the",
    "a",
    "an",
    "is",
    "are",
    "was",
    "be",
    "now",
    "to",
    "do",
    "does",
    "on",
    "at",
    "in",
    "of",
    "since",
    "der",
    "die",
    "das",
    "ist",
    "sind",
    "ein",
    "eine",
    "jetzt",
    "ja",
    "doch",
    "am",
    "im",
    "um",
    "übrigens",
    "이제",
    "이",
    "그",
    "现",
    "已",
    "经",
    "的",
    "了",
    "是",
    "要",
];
/// Words of what may be true of several things at once: another one contradicts nothing.
const PLURAL: &[&str] = &[
    "like",
    "likes",
    "love",
    "loves",
    "enjoy",
    "enjoys",
    "know",
    "knows",
    "have",
    "has",
    "speak",
    "speaks",
    "own",
    "owns",
    "mag",
    "mögen",
    "kenne",
    "kennt",
    "habe",
    "hat",
    "spricht",
    "좋아해",
    "좋아한다",
    "喜",
    "有",
    "会",
];
/// A statement shares so much of what another says, if it says the same of something with another value.
const FRAME: f64 = 0.5;

/// The words by which what may be meant is found, and how many of them it must hold.
pub(super) fn marks(claim: &str) -> (Vec<String>, usize) {
    let units = units(claim);
    // A single sign stands in far too much.
    let least = if units.iter().all(|unit| unit.chars().count() > 1) { 1 } else { 2 };
    // Korean endings differ.
    let is_hangul =
        |unit: &str| unit.chars().next().is_some_and(|first| matches!(u32::from(first), 0xac00..=0xd7a3));
    let stem = |unit: String| if is_hangul(&unit) { unit.chars().take(2).collect() } else { unit };
    (units.into_iter().map(stem).collect(), least)
}

/// The words of a statement in small letters; signs of scripts whose words are not set apart each by itself.
fn units(text: &str) -> Vec<String> {
    let mut units: Vec<String> = Vec::new();
    let mut word = String::new();
    for each in text.to_lowercase().chars() {
        let stands_alone = matches!(u32::from(each), 0x3040..=0x30ff | 0x3400..=0x9fff);
        if each.is_alphanumeric() && !stands_alone
            || matches!(each, '\'' | '’')
            || matches!(each, ':' | '.' | ',' | '/') && !word.is_empty()
        {
            word.push(each);
            continue;
        }
        units.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        if stands_alone {
            let is_number =
                |text: &str| text.chars().all(|each| "〇零一二两三四五六七八九十百千万".contains(each));
            match units.last_mut().filter(|last| is_number(last) && is_number(&each.to_string())) {
                Some(number) => number.push(each),
                None => units.push(each.to_string()),
            }
        }
    }
    units.extend(Some(word).filter(|word| !word.is_empty()));
    for unit in &mut units {
        *unit = unit.trim_end_matches(['.', ',', ':', '\'', '/']).to_owned();
    }
    units.retain(|unit| !unit.is_empty() && !SMALL.contains(&unit.as_str()));
    units
}

/// Whether two words are the same but for a Korean ending.
fn is_same(one: &str, other: &str) -> bool {
    let is_hangul = |text: &str| text.chars().all(|each| matches!(u32::from(each), 0xac00..=0xd7a3));
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let longest = one.chars().count().max(other.chars().count());
    one == other || is_hangul(one) && is_hangul(other) && shared >= 2 && longest - shared <= 2
}

/// Verbs between a thing and what is said of it.
const COPULAS: &[&str] = &["is", "are", "was", "were", "isn't", "aren't", "ist", "sind", "war"];
/// Words that say no.
const DENYING: &[&str] = &["not", "never", "nicht", "kein", "keine", "keinen", "nie"];
/// What follows one of these is told of something else than what follows another word.
const TURNING: &[&str] = &["for", "by", "from", "für", "von", "durch"];

/// Whether a statement gives no other value for what the known one speaks of: it only denies something, or its subject is told more
/// closely ("the office party", "the logo of Acme"), or it goes on with a word that turns it to something else ("I live for").
fn is_of_another(right: &str, known: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase().replace('’', "'");
        let bare =
            lower.split_whitespace().map(|word| word.trim_matches([',', '.', ';', ':', '!']).to_owned());
        bare.filter(|word| !word.is_empty()).collect()
    };
    let (right, known) = (words(right), words(known));
    let denies =
        |words: &[String]| words.iter().any(|word| DENYING.contains(&word.as_str()) || word.ends_with("n't"));
    let subject = |words: &[String]| {
        let end = words.iter().position(|word| COPULAS.contains(&word.as_str()))?;
        Some(words[..end].iter().filter(|word| !SMALL.contains(&word.as_str())).cloned().collect::<Vec<_>>())
    };
    let is_closer = match (subject(&right), subject(&known)) {
        (Some(own), Some(theirs)) => {
            own.len() > theirs.len() && !theirs.is_empty() && theirs.iter().all(|word| own.contains(word))
        }
        _ => false,
    };
    let shared = right.iter().zip(&known).take_while(|(one, other)| one == other).count();
    let turns = |words: &[String]| words.get(shared).is_some_and(|word| TURNING.contains(&word.as_str()));
    let is_turned = shared > 0 && turns(&right) && !turns(&known);
    denies(&right) && !denies(&known) || is_closer || is_turned
}

/// How much of a known statement another one repeats that gives another value for the same thing, from [`FRAME`] to 1; nothing where it does not
/// look like that. For messages that sound like a correction alone: of others it would retire too much.
pub(super) fn revalued(right: &str, known: &str) -> Option<f64> {
    if is_of_another(right, known) {
        return None;
    }
    let (right, known) = (units(right), units(known));
    let same = |(one, other): &(&String, &String)| is_same(one, other);
    let begin = right.iter().zip(&known).take_while(same).count();
    let left = right.len().min(known.len()) - begin;
    let end = right.iter().rev().zip(known.iter().rev()).take_while(same).count().min(left);
    let (other, gone) = (right.len() - begin - end, known.len() - begin - end);
    let has_digit =
        |units: &[String]| units.iter().any(|unit| unit.contains(|each: char| each.is_ascii_digit()));
    let is_counted = has_digit(&right[begin..begin + other]) && has_digit(&known[begin..begin + gone]);
    let may_be_several = !is_counted && known.iter().take(3).any(|unit| PLURAL.contains(&unit.as_str()));
    // The same number at the end of other words is the value itself, said again.
    let is_restated = begin == 0 && has_digit(&right[right.len() - end..]);
    if other == 0 || gone == 0 || may_be_several || is_restated || begin == 0 && end < 2 {
        return None;
    }
    let repeated = known.iter().filter(|unit| right.iter().any(|other| is_same(other, unit))).count();
    #[allow(clippy::cast_precision_loss, reason = "a sentence has few words")]
    let share = repeated as f64 / known.len() as f64;
    (share >= FRAME).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_correcting_are_no_part_of_what_is_right() {
        for (said, right) in [
            ("No, I told you the launch is in June.", "the launch is in June."),
            ("Actually, it is in June", "it is in June"),
            ("Nothing is lost", "Nothing is lost"),
            ("Nein, Mira wohnt in Lyon", "Mira wohnt in Lyon"),
            ("아니, 미라는 리옹에 살아", "미라는 리옹에 살아"),
            ("不对，米拉住在里昂", "米拉住在里昂"),
            ("", ""),
        ] {
            assert_eq!(claim(said), right);
        }
    }

    #[test]
    fn what_is_asked_supposed_or_quoted_is_no_claim() {
        assert_eq!(
            claims("Is the port 80? If the port were 81, fine. He wrote \"the port is 82\".", ""),
            ["He wrote"]
        );
        assert_eq!(
            claims("No, the port is 83, not 82.", ""),
            ["the port is 83", "the port is 83, not 82", "not 82"]
        );
    }

    #[test]
    fn another_value_of_the_same_thing_is_told_from_the_value_of_another_thing() {
        for (right, known, is_revalued) in [
            (
                "the staging database runs on port 5440 since May",
                "The staging database runs on port 5433",
                true,
            ),
            ("Tobias is allergic to shellfish", "Tobias is allergic to peanuts", true),
            ("Herr Adomeit leitet die Buchhaltung", "Frau Petzold leitet die Buchhaltung", true),
            ("刘老师教的是化学", "刘老师教的是物理", true),
            ("Atlas goes live five days later, May 9", "The launch of Atlas is on May 9", false),
            ("The printer's port is 9100", "The gateway's port is 8080", false),
            ("I like black tea", "I like green tea", false),
            ("Hannah plays tennis", "Priya lives in Leeds", false),
            ("The build uses Node 18", "The build uses Node 18", false),
        ] {
            assert_eq!(revalued(right, known).is_some(), is_revalued, "{right} / {known}");
        }
    }
}
