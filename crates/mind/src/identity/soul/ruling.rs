//! Whether a correction says how the agent is to behave where the extractors of conversations do not see it: "Immer duzen", "Less emoji",
//! "English only". A rule kept as a fact would become a principle that says to look it up.
//!
//! Only words that begin or end a rule count, and short ones only where nothing in the sentence says what something is. Pure.

/// Words that a rule begins with, whatever follows.
const BEGINS: &[&str] = &[
    "always ",
    "never ",
    "don't ",
    "dont ",
    "do not ",
    "please ",
    "avoid ",
    "stop ",
    "call me ",
    "address me ",
    "use ",
    "write ",
    "answer ",
    "reply ",
    "respond ",
    "speak ",
    "talk ",
    "keep ",
    "feel free to ",
    "it is fine to ",
    "it's fine to ",
    "it is ok to ",
    "it's ok to ",
    "it is okay to ",
    "it's okay to ",
    "you may ",
    "you can ",
    "you should ",
    "you must ",
    "be more ",
    "be less ",
    "immer ",
    "nie ",
    "niemals ",
    "bitte ",
    "nenn mich ",
    "du darfst ",
    "du kannst ",
    "du sollst ",
    "du musst ",
    "verwende ",
    "benutze ",
    "schreib ",
    "schreibe ",
    "antworte ",
    "sprich ",
    "vermeide ",
    "请",
    "别",
    "不要",
    "总是",
    "永远",
    "叫我",
    "可以",
    "用",
];
/// Words that a short rule begins with: "No emoji", "Weniger Ausrufezeichen".
const SHORTLY: &[&str] = &[
    "less ", "more ", "fewer ", "no ", "only ", "not ", "nicht ", "kein ", "keine ", "keinen ", "weniger ",
    "mehr ", "nur ", "多", "少", "只",
];
/// Words that a rule ends with.
const ENDS: &[&str] = &[
    "지 마",
    "지마",
    "지 마세요",
    "지 말아 줘",
    "도 돼",
    "도 돼요",
    "도 괜찮아",
    "해 줘",
    "해줘",
    "써 줘",
    "써줘",
    "말해 줘",
    "해 주세요",
    "해주세요",
    "써 주세요",
    "하기",
    "쓰기",
    "말기",
];
/// Words that say what something is or does.
const TELLING: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "will", "lives", "works", "ist", "sind", "war", "hat",
    "haben", "wird", "wohnt", "arbeitet",
];
/// A short rule has no more words.
const SHORT: usize = 5;

/// Whether it says how to behave.
pub(super) fn is_rule(text: &str) -> bool {
    let lower = text.trim().trim_end_matches(['.', '!', '。', '！', ' ']).to_lowercase().replace('’', "'");
    let words: Vec<&str> = lower.split_whitespace().collect();
    let tells = words.iter().any(|word| TELLING.contains(word));
    let is_short = words.len() <= SHORT && lower.chars().count() <= 40 && !tells;
    let begins = |all: &[&str]| all.iter().any(|begin| lower.starts_with(begin));
    // "Immer" begins a statement of a habit, too: "Immer montags ist Probe".
    let is_german_habit = ["immer ", "nie ", "niemals "].iter().any(|word| lower.starts_with(word)) && tells;
    begins(BEGINS) && !is_german_habit
        || is_short && begins(SHORTLY)
        || is_short && words.len() > 1 && words.last() == Some(&"only")
        || ENDS.iter().any(|end| lower.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_told_from_what_is_so() {
        for rule in [
            "Immer duzen",
            "Bitte siezen",
            "Nicht siezen",
            "Less emoji",
            "English only",
            "Don't call me sir",
            "Call me Bob",
            "Use tabs for indentation",
            "It is fine to apologize",
            "반말로 해도 돼",
            "이모지 쓰지 마",
            "请用中文回答",
            "别用表情",
            "No emoji",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
        for fact in [
            "The launch is in June",
            "Mira lives in Lyon",
            "No meeting is on Friday",
            "More people live in Lyon than in Bremen, as of the last count",
            "Der Start ist im Juni",
            "출시는 6월이다",
            "발표는 금요일이야",
            "发布是在六月",
            "Callum works at Acme",
            "Users log in with a key",
        ] {
            assert!(!is_rule(fact), "{fact}");
        }
    }
}
