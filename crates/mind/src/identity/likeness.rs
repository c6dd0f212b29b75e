//! How much one statement is like another that gives another value for the same thing. Pure.

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
/// Chinese nouns that are written with one of those: no verb.
const NOUNS_ZH: &[&str] = &[
    "会议", "会员", "会场", "会计", "会面", "会谈", "会见", "会客", "会期", "会址", "布会", "聚会", "晚会",
    "大会", "年会", "例会", "周会", "早会", "社会", "机会", "乐会", "展会", "峰会", "开会", "酒会", "委会",
    "学会", "协会", "工会", "家会", "有限", "有关",
];
/// A statement shares so much of what another says, if it says the same of something with another value.
const FRAME: f64 = 0.5;

/// The words by which what may be meant is found, and how many of them it must hold.
pub(super) fn marks(claim: &str) -> (Vec<String>, usize) {
    let units = units(claim);
    // A single sign stands in far too much.
    let least = if units.iter().all(|unit| unit.chars().count() > 1) { 1 } else { 2 };
    // Korean endings differ.
    let begins_in_hangul =
        |unit: &str| unit.chars().next().is_some_and(|first| is_hangul(&first.to_string()));
    let stem = |unit: String| if begins_in_hangul(&unit) { unit.chars().take(2).collect() } else { unit };
    (units.into_iter().map(stem).collect(), least)
}

/// The words of a statement that say something.
fn units(text: &str) -> Vec<String> {
    let mut units = words(text);
    units.retain(|unit| !SMALL.contains(&unit.as_str()));
    units
}

/// The words of a statement in small letters; signs of scripts whose words are not set apart each by itself.
fn words(text: &str) -> Vec<String> {
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
    units.retain(|unit| !unit.is_empty());
    units
}

fn is_hangul(text: &str) -> bool {
    text.chars().all(|each| matches!(u32::from(each), 0xac00..=0xd7a3))
}

/// Whether two words are the same but for a Korean ending.
fn is_same(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let longest = one.chars().count().max(other.chars().count());
    one == other || is_hangul(one) && is_hangul(other) && shared >= 2 && longest - shared <= 2
}

/// Verbs between a thing and what is said of it.
const COPULAS: &[&str] = &["is", "are", "was", "were", "isn't", "aren't", "ist", "sind", "war", "是"];
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

/// Whether a word is one of what may be true of several things at once, and no part of a Chinese noun.
fn is_plural(units: &[String], at: usize) -> bool {
    let is_noun = |from: usize| {
        let pair = units.get(from..from + 2).map(|pair| pair.concat());
        pair.is_some_and(|pair| NOUNS_ZH.contains(&pair.as_str()))
    };
    PLURAL.contains(&units[at].as_str()) && !is_noun(at) && !at.checked_sub(1).is_some_and(is_noun)
}

/// Whether two statements differ in two places with a word in common between them: not in the value alone, but in what it is the value of
/// ("the rent of the garage is 80", "the rent of the flat is 900"). In Korean a thing comes before all of its values, which may be several.
fn differ_twice(right: &str, known: &str) -> bool {
    let said = |text: &str| -> Vec<String> {
        let says = |word: &String| !SMALL.contains(&word.as_str()) || COPULAS.contains(&word.as_str());
        words(text).into_iter().filter(says).collect()
    };
    let (right, known) = (said(right), said(known));
    let (begin, end) = shared_ends(&right, &known);
    let (own, theirs) = (&right[begin..right.len() - end], &known[begin..known.len() - end]);
    let inner = |words: &[String]| 1..words.len().saturating_sub(1).max(1);
    let is_between = |at: usize| !is_hangul(&own[at]) && inner(theirs).any(|other| own[at] == theirs[other]);
    inner(own).any(is_between)
}

/// How many words two statements share at their beginning, and at their end.
fn shared_ends(one: &[String], other: &[String]) -> (usize, usize) {
    let same = |(one, other): &(&String, &String)| is_same(one, other);
    let begin = one.iter().zip(other).take_while(same).count();
    let left = one.len().min(other.len()) - begin;
    (begin, one.iter().rev().zip(other.iter().rev()).take_while(same).count().min(left))
}

/// How much of a known statement another one repeats that gives another value for the same thing, from [`FRAME`] to 1; nothing where it does not
/// look like that. For messages that sound like a correction alone: of others it would retire too much.
pub(super) fn revalued(right: &str, known: &str) -> Option<f64> {
    if is_of_another(right, known) || differ_twice(right, known) {
        return None;
    }
    let (right, known) = (units(right), units(known));
    let (begin, end) = shared_ends(&right, &known);
    let (other, gone) = (right.len() - begin - end, known.len() - begin - end);
    let has_digit =
        |units: &[String]| units.iter().any(|unit| unit.contains(|each: char| each.is_ascii_digit()));
    let is_counted = has_digit(&right[begin..begin + other]) && has_digit(&known[begin..begin + gone]);
    let may_be_several = !is_counted && (0..known.len().min(3)).any(|at| is_plural(&known, at));
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
            ("会议在星期六", "会议在星期一", true),
            ("发布会在三月八日", "发布会在三月五日", true),
            ("我会说法语", "我会说英语", false),
            ("Atlas goes live five days later, May 9", "The launch of Atlas is on May 9", false),
            ("The printer's port is 9100", "The gateway's port is 8080", false),
            ("I like black tea", "I like green tea", false),
            ("Hannah plays tennis", "Priya lives in Leeds", false),
            ("The build uses Node 18", "The build uses Node 18", false),
            ("the rent of the garage is 80 euros", "The rent of the flat is 900 euros", false),
            ("the tests for the lexer take 5 minutes", "The tests for the parser take 3 minutes", false),
            ("the backup of the forum runs at 04:00", "The backup of the wiki runs at 03:00", false),
            (
                "das Budget für das Sommerfest beträgt 300 Euro",
                "Das Budget für die Messe beträgt 5000 Euro",
                false,
            ),
            ("夏日派对的预算是300欧元", "展会的预算是5000欧元", false),
            ("the rent of the flat is 950 euros", "The rent of the flat is 900 euros", true),
        ] {
            assert_eq!(revalued(right, known).is_some(), is_revalued, "{right} / {known}");
        }
    }
}
