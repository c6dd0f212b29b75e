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
    "you're wrong",
    "you are wrong",
    "mistaken",
    "got that wrong",
    "got it wrong",
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
    "du irrst",
    "irrst du",
    "dich geirrt",
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
    "wrong.",
    "wrong;",
    "wrong –",
    "wrong —",
    "wrong -",
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
/// Words that make a sentence a supposition or somebody else's word, in small letters, at the beginning of one of its clauses.
const SUPPOSING: &[&str] = &[
    "if ",
    "only if ",
    "even if ",
    "unless ",
    "when ",
    "whenever ",
    "once ",
    "as soon as ",
    "as long as ",
    "in case ",
    "provided ",
    "assume ",
    "i wish",
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
    "sobald ",
    "sofern ",
    "solange ",
    "im roman ",
    "angenommen",
    "만약",
    "만일",
    "要是",
    "如果",
    "假如",
    "假设",
    "倘若",
    "万一",
    "等到",
];
/// What begins as such words do and supposes nothing.
const NO_SUPPOSING: &[&str] = &["if you ask me", "once again", "once more", "when i said", "when i told"];
/// Korean nouns that end as "if" is written; those of the second row in compounds, too.
const ENDING_AS_IF: &[&str] = &[
    "반면", "방면", "냉면", "라면", "이면", "전면", "정면", "지면", "수면", "서면", "당면", "외면", "내면",
    "단면", "가면",
];
const ENDING_AS_IF_IN_COMPOUNDS: &[&str] = &["화면", "장면", "측면", "표면", "국면", "도면", "평면"];
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
    "that's incorrect,",
    "that is incorrect,",
    "incorrect,",
    "you're wrong,",
    "you are wrong,",
    "you're mistaken,",
    "you are mistaken,",
    "you're wrong about that,",
    "you got that wrong,",
    "you got it wrong,",
    "you've got that wrong,",
    "you misremember,",
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
    "stimmt nicht,",
    "das ist falsch,",
    "du irrst dich,",
    "da irrst du dich,",
    "du hast dich geirrt,",
    "du liegst falsch,",
    "da liegst du falsch,",
    "sondern",
    "아니,",
    "아니요,",
    "아니에요,",
    "아니야,",
    "사실은",
    "사실",
    "틀렸어요,",
    "틀렸어,",
    "네가 틀렸어,",
    "그건 틀렸어,",
    "잘못 알고 있어,",
    "잘못 기억하고 있어,",
    "그게 아니라",
    "그게 아니고",
    "이제",
    "不对，",
    "不是，",
    "不，",
    "其实",
    "错了，",
    "你错了，",
    "记错了，",
    "你记错了，",
    "搞错了，",
    "你搞错了，",
    "弄错了，",
    "你弄错了，",
    "这不对，",
    "那不对，",
    "已经",
    "我早就跟你说过了，",
    "我跟你说过，",
    "是",
];
/// Signs after which something else begins.
const ENDS: [char; 11] = [',', '，', ':', '：', '.', '。', '!', '！', ';', '–', '—'];
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

/// Whether a sentence, or a clause of it, supposes something.
pub(super) fn is_supposing(sentence: &str) -> bool {
    let begins = |clause: &str| {
        let lower = claim(clause).to_lowercase();
        let supposes = SUPPOSING.iter().any(|words| lower.starts_with(words));
        // "When the budget is …" in Chinese.
        let is_when = lower.starts_with('当') && lower.contains("的时候");
        is_when || supposes && !NO_SUPPOSING.iter().any(|words| lower.starts_with(words))
    };
    sentence.split([',', ';', '，', '；', '–', '—']).any(begins)
        || sentence.split_whitespace().any(is_korean_condition)
}

/// Whether a Korean word has the ending of "if".
fn is_korean_condition(word: &str) -> bool {
    let word = word.trim_matches(|each: char| !each.is_alphanumeric());
    let is_noun =
        ENDING_AS_IF.contains(&word) || ENDING_AS_IF_IN_COMPOUNDS.iter().any(|noun| word.ends_with(noun));
    word.chars().count() > 1 && word.ends_with('면') && !is_noun
}

/// Whether a sentence asks by one of its words.
pub(super) fn is_asking(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    ASKING.iter().any(|word| lower.contains(word))
}

/// What a message says to be so, in its own words: its sentences and their clauses, without what it quotes, asks or supposes.
pub(super) fn claims(message: &str, about: &str) -> Vec<String> {
    let own = without_quoted(message);
    // What a trigger refers to may be what is asked.
    let is_asked = |about: &&str| !message.trim_end().trim_end_matches(['?', '？']).ends_with(*about);
    let about = Some(about).filter(|about| !about.is_empty()).filter(is_asked).map(str::to_owned);
    let mut claims: Vec<String> = Vec::new();
    for sentence in about.into_iter().chain(sentences_of(&own)) {
        if sentence.len() > LONGEST || is_supposing(&sentence) || is_asking(&sentence) {
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
pub(super) fn without_quoted(message: &str) -> String {
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
            // Any sign that ends a clause does for the comma of an opening.
            let bare = opening.trim_end_matches([',', '，']);
            let Some(after) = lower.strip_prefix(bare) else { continue };
            let is_word = match bare.len() < opening.len() {
                true => after.trim_start_matches(' ').starts_with(ENDS),
                false => {
                    opening.ends_with(['.', ':', '?'])
                        || after.starts_with([' ', ',', ':'])
                        || !opening.is_ascii() && !after.is_empty()
                }
            };
            // Lower case may have another length in bytes; then the sentence is left as it is.
            if is_word && let Some(cut) = rest.get(bare.len()..).filter(|_| lower.len() == rest.len()) {
                rest = cut
                    .trim_start_matches([' ', ':', '：'])
                    .trim_start_matches(ENDS)
                    .trim_start_matches([' ', ':', '：']);
                continue 'again;
            }
        }
        return rest;
    }
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
}
