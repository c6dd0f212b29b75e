//! "Not this, but that": what a message denies, and what it says to be so instead.
//!
//! The likeliest wording of a correction. What is right is the second half, said of what the first half is about: "it listens on
//! port 9090" becomes "the gateway listens on port 9090". Where it is not plain what the second half is about, or where it says something
//! of another kind, there is no contrast, and the denial stands for itself. Pure.

use super::cues::{claim, is_asking, is_supposing, without_quoted, without_stop};
use crate::wording::{is_han, is_hangul, sentences_of};

/// What is denied, and what is said instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contrast {
    /// The clause that denies something, in the message's own words.
    pub(super) denied: String,
    /// The same as it would be said by who takes it to be so; empty where that is not plain.
    pub(super) wrong: String,
    /// The clause that says what is so, in the message's own words.
    pub(super) instead: String,
    /// What is right, with what it is about.
    pub(super) right: String,
    /// Whether both halves say the same of the same thing; else it takes a known value to tell.
    pub(super) is_framed: bool,
}

impl Contrast {
    /// Whether a claim of the same message is one of the halves, or both together: the contrast says it better.
    pub(super) fn is_part(&self, claim: &str) -> bool {
        let holds = |half: &str| claim.contains(half) && claim != self.right;
        self.is_framed && (holds(&self.denied) || holds(&self.instead))
    }
}

/// Clauses with more words are no half of a contrast.
const LONGEST: usize = 24;
/// Words that link the second half to the first one.
const LINKS: &[&str] = &["but", "rather", "instead", "and", "sondern", "aber", "und"];
const PRONOUNS: &[&str] = &["it", "he", "she", "they", "that", "this", "er", "sie", "es", "das"];
const FIRST_PERSON: &[&str] = &["i", "we", "ich", "wir"];
const BEING: &[&str] = &["is", "are", "am", "was", "were"];
const PREPOSITIONS: &[&str] = &[
    "in", "at", "on", "to", "from", "for", "with", "of", "by", "near", "under", "im", "am", "an", "auf",
    "bei", "beim", "zu", "zum", "zur", "aus", "von", "vom", "nach", "mit", "gegen", "für", "über", "unter",
    "seit", "um",
];

/// "Is not … but".
const KOREAN_NO: &str = "아니라";

/// The contrasts of a message.
pub(super) fn contrasts(message: &str) -> Vec<Contrast> {
    let own = without_quoted(message);
    let mut halves: Vec<Option<String>> = Vec::new();
    for sentence in sentences_of(&own) {
        let said = claim(&sentence);
        if is_supposing(said) || is_asking(said) || said.trim_end().ends_with(['?', '？']) {
            halves.push(None);
            continue;
        }
        let clauses = halves_of(said).into_iter().map(|clause| without_stop(clause).to_owned());
        halves.extend(clauses.filter(|clause| !clause.is_empty()).map(Some));
    }
    let pairs = halves.windows(2).filter_map(|pair| Some((pair[0].as_deref()?, pair[1].as_deref()?)));
    pairs.filter_map(|(first, second)| contrast(first, second)).collect()
}

/// What a sentence says to be so that does nothing but deny one thing and say another instead.
pub(crate) fn said_instead(sentence: &str) -> Option<String> {
    let mut all = contrasts(sentence).into_iter();
    let only = all.next().filter(|each| each.is_framed && all.next().is_none())?;
    let letters = |text: &str| text.chars().filter(|each| each.is_alphanumeric()).count();
    let rest = letters(sentence).checked_sub(letters(&only.denied) + letters(&only.instead));
    (rest == Some(0)).then_some(only.right)
}

/// A sentence cut where its clauses end, each once; what links the second half to the first one stays with it.
fn halves_of(sentence: &str) -> Vec<&str> {
    let is_digit = |each: Option<char>| each.is_some_and(|each| each.is_ascii_digit());
    let signs = sentence.char_indices().filter_map(|(at, each)| {
        let end = at + each.len_utf8();
        let is_inside =
            is_digit(sentence[..at].chars().next_back()) && is_digit(sentence[end..].chars().next());
        (matches!(each, ',' | ';' | ':' | '–' | '—' | '，' | '；' | '：' | '、') && !is_inside)
            .then_some((at, end))
    });
    let mut cuts: Vec<(usize, usize)> = signs.collect();
    for link in [" but ", " sondern "] {
        cuts.extend(sentence.match_indices(link).map(|(at, _)| (at, at + 1)));
    }
    cuts.extend(sentence.match_indices(KOREAN_NO).map(|(at, word)| (at + word.len(), at + word.len())));
    cuts.sort_unstable();
    let begins = std::iter::once(0).chain(cuts.iter().map(|(_, end)| *end));
    let ends = cuts.iter().map(|(at, _)| *at).chain([sentence.len()]);
    begins.zip(ends).filter_map(|(begin, end)| sentence.get(begin..end)).collect()
}

fn contrast(first: &str, second: &str) -> Option<Contrast> {
    let (right, is_framed) = if first.chars().any(is_hangul) {
        korean(first, second)?
    } else if first.chars().any(is_han) {
        return chinese(first, second);
    } else {
        spaced(first, second)?
    };
    let wrong = affirmed(first);
    Some(Contrast { denied: first.to_owned(), wrong, instead: second.to_owned(), right, is_framed })
}

/// A clause without its denial.
fn affirmed(clause: &str) -> String {
    let clause = clause.replace('’', "'");
    let words: Vec<&str> = clause.split_whitespace().collect();
    let Some(denial) = denial(&words) else { return String::new() };
    let all = denial.subject.iter().copied().chain([denial.verb.as_str()]).chain(denial.rest.iter().copied());
    all.filter(|word| !matches!(*word, "anymore" | "mehr")).collect::<Vec<_>>().join(" ")
}

/// A clause that denies something, cut at the words that do.
struct Denial<'a> {
    /// Whom or what it is about.
    subject: Vec<&'a str>,
    /// The verb as it stands without the denial.
    verb: String,
    /// What is denied of it.
    rest: Vec<&'a str>,
    is_german: bool,
}

/// English and German: the right statement, and whether both halves have the same verb.
fn spaced(first: &str, second: &str) -> Option<(String, bool)> {
    let first = first.replace('’', "'");
    let second = second.replace('’', "'");
    let words: Vec<&str> = first.split_whitespace().collect();
    let mut others: Vec<&str> = second.split_whitespace().collect();
    if words.len() > LONGEST || others.len() > LONGEST {
        return None;
    }
    let denial = denial(&words)?;
    let is_linked = others.first().is_some_and(|word| LINKS.contains(&word.to_lowercase().as_str()));
    if is_linked {
        others.remove(0);
    }
    let lower = |word: &str| word.to_lowercase();
    let is_denied = others.iter().any(|word| {
        let word = lower(word);
        matches!(word.as_str(), "not" | "never" | "nicht" | "nie") || word.ends_with("n't")
    });
    let begin = others.first().map(|word| lower(word)).filter(|_| !is_denied)?;
    let subject = denial.subject.join(" ");
    let (pronoun, joined) = begin.split_once('\'').map_or((begin.as_str(), ""), |(word, end)| (word, end));
    // A pronoun alone: "this server" is none.
    let own = denial.subject.first().filter(|_| denial.subject.len() == 1).map(|word| lower(word));
    let own = own.unwrap_or_default();
    let own = own.as_str();
    // About the same one, in the same words.
    let repeats = others.len() > denial.subject.len()
        && others.iter().zip(&denial.subject).all(|(one, other)| one.eq_ignore_ascii_case(other));
    if FIRST_PERSON.contains(&pronoun) || repeats || pronoun == own && PRONOUNS.contains(&pronoun) {
        if !repeats && pronoun != own || PRONOUNS.contains(&own) {
            return None;
        }
        let verb = match joined {
            "" => others.get(denial.subject.len()).map(|word| lower(word))?,
            joined => whole(joined)?.to_owned(),
        };
        return Some((others.join(" "), is_same_verb(&denial.verb, &verb)));
    }
    if PRONOUNS.contains(&own) || subject.is_empty() {
        return None;
    }
    if PRONOUNS.contains(&pronoun) {
        if FIRST_PERSON.contains(&own) {
            return None;
        }
        let (verb, rest) = match joined {
            "" => (others.get(1).copied()?.to_owned(), &others[2..]),
            joined => (whole(joined)?.to_owned(), &others[1..]),
        };
        let is_same = is_same_verb(&denial.verb, &lower(&verb));
        return Some((format!("{subject} {verb} {}", rest.join(" ")), is_same)).filter(|_| !rest.is_empty());
    }
    // What stands in the place of a part of what is denied.
    if !is_linked {
        return None;
    }
    let kept = kept_before(&denial, &others)?;
    let mut parts = vec![subject, denial.verb.clone()];
    parts.extend(kept.iter().map(|word| (*word).to_owned()));
    parts.push(others.join(" "));
    let end = ending_after(&denial.rest[kept.len()..], &others);
    parts.extend(end.map(str::to_owned));
    Some((parts.join(" "), true))
}

/// Of what is denied, the words before those whose place others take.
fn kept_before<'a>(denial: &Denial<'a>, others: &[&str]) -> Option<Vec<&'a str>> {
    let lower = |word: &&str| word.to_lowercase();
    let (first, last) = (lower(others.first()?), others.last()?);
    let is_preposition = |word: &str| PREPOSITIONS.contains(&word);
    let rest = &denial.rest;
    if is_preposition(&first) {
        let at = rest.iter().position(|word| lower(word) == first).or_else(|| {
            let at = rest.iter().position(|word| is_preposition(&lower(word)))?;
            (!first.is_ascii() || denial.is_german).then_some(at)
        })?;
        return Some(rest[..at].to_vec());
    }
    let kind = |word: &str| {
        let first = word.chars().next();
        (first.is_some_and(|each| each.is_ascii_digit()), first.is_some_and(char::is_uppercase))
    };
    let is_value_alone = others.len() == 1 && rest.last().is_some_and(|word| kind(word) == kind(last));
    if is_value_alone && rest.len() > 1 {
        return Some(rest[..rest.len() - 1].to_vec());
    }
    // Of "is" all that follows is the value.
    let is_being = BEING.contains(&denial.verb.as_str()) || matches!(denial.verb.as_str(), "ist" | "sind");
    let is_value = !rest.first().is_some_and(|word| is_preposition(&lower(word))) && others.len() <= 4;
    (is_value && (is_being || denial.is_german || rest.len() == others.len())).then(Vec::new)
}

/// The word that what is denied ends with and that goes on to hold: "gegen Erdnüsse allergisch". Nothing where that is not plain.
fn ending_after<'a>(rest: &[&'a str], others: &[&str]) -> Option<&'a str> {
    let end = rest.get(others.len()..).filter(|end| end.len() == 1)?.first()?;
    let is_predicate = ["isch", "lich", "ig", "bar"].iter().any(|ending| end.ends_with(ending));
    let is_participle = end.starts_with("ge") && end.ends_with(['t', 'n']);
    (end.chars().next().is_some_and(char::is_lowercase) && (is_predicate || is_participle)).then_some(*end)
}

/// Where a clause denies something, and what.
fn denial<'a>(words: &[&'a str]) -> Option<Denial<'a>> {
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    for (at, word) in lower.iter().enumerate() {
        let (subject_end, aux) = match word.as_str() {
            "not" => {
                let before = lower.get(at.checked_sub(1)?)?.as_str();
                match before.split_once('\'') {
                    // "I'm not": the verb hangs on the subject.
                    Some((_, joined)) => {
                        let verb = whole(joined)?;
                        let subject = &words[..at];
                        return Some(Denial {
                            subject: shortened(subject),
                            verb: verb.to_owned(),
                            rest: words[at + 1..].to_vec(),
                            is_german: false,
                        });
                    }
                    None => (at - 1, before),
                }
            }
            "longer" if at > 1 && lower[at - 1] == "no" => {
                let being = BEING.contains(&lower[at - 2].as_str());
                let (end, verb, rest) = match being {
                    true => (at - 2, lower[at - 2].clone(), at + 1),
                    false => (at - 1, lower.get(at + 1)?.clone(), at + 2),
                };
                let rest = words.get(rest..).unwrap_or_default().to_vec();
                return Some(Denial { subject: words[..end].to_vec(), verb, rest, is_german: false });
            }
            "nicht" | "kein" | "keine" | "keinen" | "keinem" | "keiner" => {
                let verb = at.checked_sub(1)?;
                return Some(Denial {
                    subject: words[..verb].to_vec(),
                    verb: words[verb].to_owned(),
                    rest: words[at + 1..].to_vec(),
                    is_german: true,
                });
            }
            contracted => match contracted.strip_suffix("n't") {
                Some(aux) => (at, aux),
                None => continue,
            },
        };
        let rest_at = at + 1;
        let is_third = aux == "does";
        return match aux {
            "is" | "are" | "was" | "were" | "am" => Some(Denial {
                subject: words[..subject_end].to_vec(),
                verb: aux.to_owned(),
                rest: words[rest_at..].to_vec(),
                is_german: false,
            }),
            "does" | "do" => {
                let verb = lower.get(rest_at)?;
                let verb = if is_third { third_person(verb) } else { verb.clone() };
                let rest = words.get(rest_at + 1..).unwrap_or_default().to_vec();
                Some(Denial { subject: words[..subject_end].to_vec(), verb, rest, is_german: false })
            }
            // "Lea lives not in Ulm".
            verb if words.get(at) == Some(&"not") && !is_auxiliary(verb) => Some(Denial {
                subject: words[..subject_end].to_vec(),
                verb: verb.to_owned(),
                rest: words[rest_at..].to_vec(),
                is_german: false,
            }),
            _ => None,
        };
    }
    None
}

fn is_auxiliary(word: &str) -> bool {
    ["did", "has", "have", "had", "will", "would", "can", "could", "should", "must", "may", "might", "but"]
        .contains(&word)
}

/// The words of a subject without the verb that hangs on the last one.
fn shortened<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut words = words.to_vec();
    if let Some(last) = words.last_mut() {
        *last = last.split('\'').next().unwrap_or(last);
    }
    words
}

/// The verb that hangs on a pronoun.
fn whole(joined: &str) -> Option<&'static str> {
    Some(match joined {
        "s" => "is",
        "re" => "are",
        "m" => "am",
        _ => return None,
    })
}

fn third_person(verb: &str) -> String {
    match verb {
        "have" => return "has".to_owned(),
        "be" => return "is".to_owned(),
        _ => {}
    }
    let is_after_consonant = |stem: &str| !stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    match verb.strip_suffix('y') {
        Some(stem) if is_after_consonant(stem) => format!("{stem}ies"),
        _ if ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| verb.ends_with(end)) => format!("{verb}es"),
        _ => format!("{verb}s"),
    }
}

fn is_same_verb(one: &str, other: &str) -> bool {
    let one = one.to_lowercase();
    BEING.contains(&one.as_str()) && BEING.contains(&other) || one == other || third_person(&one) == other
}

/// Korean: the second half with the topic of the first, and whether both have the same verb.
fn korean(first: &str, second: &str) -> Option<(String, bool)> {
    let words: Vec<&str> = first.split_whitespace().collect();
    let others: Vec<&str> = second.split_whitespace().collect();
    if words.len() > LONGEST || others.is_empty() || others.len() > LONGEST {
        return None;
    }
    let is_denied = |words: &[&str]| {
        words
            .iter()
            .any(|word| matches!(*word, "안" | "못" | "않아" | "않아요" | "않습니다" | "아니야" | "아니에요"))
    };
    let denies_noun = words.last().is_some_and(|word| word.ends_with("아니고") || word.ends_with("말고"))
        || words.last().is_some_and(|word| word.ends_with(KOREAN_NO));
    if !is_denied(&words) && !denies_noun && !words.iter().any(|word| word.starts_with("않")) {
        return None;
    }
    if is_denied(&others) || others.iter().any(|word| word.starts_with("않")) {
        return None;
    }
    let topic_end = words.iter().position(|word| is_topic(word, &["은", "는"])).or_else(|| {
        words.first().filter(|word| words.len() > 2 && is_topic(word, &["이", "가"])).map(|_| 0)
    })?;
    let topic = &words[..=topic_end];
    let rest = &words[topic_end + 1..];
    let second = second.trim();
    let begins_alike =
        others.iter().zip(topic).all(|(one, other)| one == other) && others.len() > topic.len();
    let is_about_other = others.iter().take(others.len() - 1).any(|word| is_topic(word, &["은", "는"]));
    if is_about_other && !begins_alike || rest.is_empty() {
        return None;
    }
    let right = if begins_alike { second.to_owned() } else { format!("{} {second}", topic.join(" ")) };
    let verb = |words: &[&str]| -> Option<char> {
        let at = words.iter().position(|word| matches!(*word, "안" | "못")).map(|at| at + 1);
        let at = at.or_else(|| {
            words.iter().position(|word| word.starts_with("않")).and_then(|at| at.checked_sub(1))
        });
        words.get(at.unwrap_or(words.len().checked_sub(1)?))?.chars().next()
    };
    let is_framed = denies_noun || verb(rest) == verb(&others[others.len() - 1..]);
    Some((right, is_framed))
}

fn is_topic(word: &str, particles: &[&str]) -> bool {
    word.chars().count() > 1 && particles.iter().any(|particle| word.ends_with(particle))
}

/// Chinese, in either order: 她不住在乌尔姆，住在波恩; 她喜欢喝咖啡，不喜欢喝茶.
fn chinese(first: &str, second: &str) -> Option<Contrast> {
    match (chinese_no(first), chinese_no(second)) {
        (Some((at, word)), None) if at > 0 => {
            let (subject, denied) = (&first[..at], &first[at + word.len()..]);
            let right = chinese_right(subject, (word, denied), second)?;
            let is =
                if word == "不是" && !begins_as_said(denied, &right[subject.len()..]) { "是" } else { "" };
            let wrong = format!("{subject}{is}{denied}");
            let (denied, instead) = (first.to_owned(), second.to_owned());
            Some(Contrast { denied, wrong, instead, right, is_framed: true })
        }
        (None, Some((at, word))) if at == 0 || &second[..at] == "而" => {
            let rest = &second[at + word.len()..];
            let verb: String = rest.chars().take(2).collect();
            let end = first.find(verb.as_str()).filter(|at| *at > 0 && verb.chars().count() == 2)?;
            let denied = format!("{}{word}{rest}", &first[..end]);
            let wrong = format!("{}{rest}", &first[..end]);
            let (instead, right) = (second.to_owned(), first.to_owned());
            Some(Contrast { denied, wrong, instead, right, is_framed: true })
        }
        _ => None,
    }
}

/// Whether both halves begin with one verb; days and times that begin alike are none.
fn begins_as_said(denied: &str, said: &str) -> bool {
    const TIMES: [&str; 9] = ["星期", "周", "礼拜", "上午", "下午", "早上", "晚上", "今", "明"];
    let is_time = TIMES.iter().any(|time| said.starts_with(time));
    !is_time && denied.chars().next() == said.chars().next() && denied.chars().next().is_some_and(is_han)
}

/// Where a Chinese clause says no, and by which word.
fn chinese_no(text: &str) -> Option<(usize, &'static str)> {
    let words = ["不是", "不", "没"].into_iter();
    words.filter_map(|word| Some((text.find(word)?, word))).min_by_key(|(at, _)| *at)
}

/// The second half, said of whom the first one is about: it begins as what is denied does, or both are what something is.
fn chinese_right(subject: &str, (word, denied): (&str, &str), second: &str) -> Option<String> {
    let said = ["而", "应该"].iter().find_map(|link| second.strip_prefix(link)).unwrap_or(second);
    let said = said.strip_prefix(subject).unwrap_or(said);
    let is_of_somebody = !matches!(subject, "我" | "你" | "您" | "我们" | "你们");
    let pronoun = ["她们", "他们", "她", "他", "它"].iter().find_map(|pronoun| said.strip_prefix(pronoun));
    let said = pronoun.filter(|_| is_of_somebody).unwrap_or(said);
    let (bare, has_copula) = said.strip_prefix('是').map_or((said, false), |rest| (rest, true));
    let begins_alike = begins_as_said(denied, bare);
    match word {
        _ if bare.is_empty() => None,
        _ if begins_alike => Some(format!("{subject}{bare}")),
        "不是" if has_copula || !bare.chars().any(is_han) => Some(format!("{subject}是{bare}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right(message: &str) -> Option<String> {
        contrasts(message).into_iter().find(|each| each.is_framed).map(|each| each.right)
    }

    #[test]
    fn what_is_said_instead_is_said_of_the_same() {
        for (message, is) in [
            (
                "No, the gateway doesn't listen on port 8080, it listens on port 9090",
                "the gateway listens on port 9090",
            ),
            (
                "No, the gateway does not listen on port 8080. It listens on port 9090.",
                "the gateway listens on port 9090",
            ),
            ("The gateway doesn't listen on port 8080 but on port 9090", "The gateway listens on port 9090"),
            ("The server room isn't in building 4, it's in building 7", "The server room is in building 7"),
            ("The server room is not in building 4 but in building 7.", "The server room is in building 7"),
            ("No, I'm not allergic to peanuts, I'm allergic to hazelnuts", "I'm allergic to hazelnuts"),
            ("Lea doesn't live in Ulm – she lives in Bonn", "Lea lives in Bonn"),
            ("No, Lea no longer lives in Ulm, she lives in Bonn now", "Lea lives in Bonn now"),
            ("Lea isn't a doctor but a lawyer", "Lea is a lawyer"),
            ("No, we don't use Redis, we use Valkey", "we use Valkey"),
            ("The port isn't 8080, it's 9090", "The port is 9090"),
            ("Nein, Lea wohnt nicht in Ulm, sondern in Bonn", "Lea wohnt in Bonn"),
            ("Nein, Lea wohnt nicht in Ulm, sie wohnt in Bonn", "Lea wohnt in Bonn"),
            ("Nein, das Treffen ist nicht am Montag, sondern am Dienstag", "das Treffen ist am Dienstag"),
            (
                "Ich bin nicht gegen Erdnüsse allergisch, sondern gegen Haselnüsse",
                "Ich bin gegen Haselnüsse allergisch",
            ),
            ("Lea ist keine Ärztin, sondern Anwältin", "Lea ist Anwältin"),
            ("아니, 레아는 울름에 안 살아, 본에 살아", "레아는 본에 살아"),
            ("아니, 레아는 울름에 살지 않아, 본에 살아", "레아는 본에 살아"),
            ("서버 포트는 8080이 아니라 9090이야", "서버 포트는 9090이야"),
            ("不对,莉娅不住在乌尔姆,她住在波恩", "莉娅住在波恩"),
            ("不对，服务器的端口不是8080，是9090", "服务器的端口是9090"),
            ("莉娅不是住在乌尔姆，而是住在波恩", "莉娅住在波恩"),
            ("你记错了,小李喜欢喝咖啡,不喜欢喝茶", "小李喜欢喝咖啡"),
            ("我不住在上海，我住在北京", "我住在北京"),
            ("错了,我的航班不是星期六,而是星期天。", "我的航班是星期天"),
            ("不对，会议不是下午三点，而是下午四点", "会议是下午四点"),
        ] {
            assert_eq!(right(message).as_deref(), Some(is), "{message}");
        }
    }

    #[test]
    fn where_the_second_half_says_something_else_there_is_no_contrast() {
        for message in [
            "No, Lea doesn't live in Ulm, she works there",
            "Lea doesn't live in Ulm, I told you",
            "No, it isn't port 8080, it's port 9090",
            "Lea doesn't live in Ulm, and Mira doesn't either",
            "Lea doesn't live in Ulm, does she? She lives in Bonn?",
            "If Lea doesn't live in Ulm, she lives in Bonn",
            "Lea doesn't live in Ulm anymore",
            "The port is 9090, not 8080",
            "Lea wohnt nicht in Ulm, das habe ich dir gesagt",
            "레아는 울름에 안 살아, 미라는 본에 살아",
            "莉娅不住在乌尔姆，我告诉过你",
            "我不住在上海，他住在北京",
        ] {
            assert_eq!(right(message), None, "{message}");
        }
    }
}
