//! Words that statements are compared by: what says no, what says how much, opposites, and what says only when.

/// Words that turn a statement around, folded.
pub(super) const NEGATIONS: [&str; 16] = [
    "not", "no", "never", "anymore", "stopped", "quit", "dont", "doesnt", "isnt", "cant", "wont", "nicht",
    "kein", "keine", "keinen", "nie",
];
/// Words that belong to one of negation where there is one (no longer, nicht mehr), and else say how much.
pub(super) const DEGREES: [&str; 2] = ["longer", "mehr"];
/// Words that say how much: what is said with one is not the same as what is said without.
pub(super) const AMOUNTS: [&str; 8] =
    ["longer", "mehr", "more", "less", "fewer", "weniger", "shorter", "kürzer"];
/// Words that say when or that it was otherwise before, and are no part of what is said, folded.
pub(super) const FILLERS: [&str; 21] = [
    "now",
    "currently",
    "actually",
    "again",
    "nowadays",
    "meanwhile",
    "anymore",
    "jetzt",
    "nun",
    "derzeit",
    "aktuell",
    "mittlerweile",
    "inzwischen",
    "wieder",
    "이제",
    "지금",
    "현재",
    "요즘",
    "다시",
    "더",
    "이상",
];
/// The same in scripts whose words are not set apart: the sign alone may be part of a name.
pub(super) const NEGATING: [&str; 19] = [
    " 안 ",
    "지 않",
    "지않",
    "못 하",
    "못하",
    "아니",
    "없",
    "不再",
    "不是",
    "不在",
    "不喜欢",
    "不吃",
    "不喝",
    "不能",
    "不会",
    "不要",
    "不用",
    "没有",
    "别再",
];

/// Words that say the opposite of one another of the same thing, folded: with one in the place of the other a statement is
/// contradicted. Not those that tell two things apart, as left and right do.
const OPPOSITES: [(&str, &str); 69] = [
    ("long", "short"),
    ("longer", "shorter"),
    ("more", "less"),
    ("more", "fewer"),
    ("high", "low"),
    ("higher", "lower"),
    ("big", "small"),
    ("bigger", "smaller"),
    ("fast", "slow"),
    ("formal", "informal"),
    ("formal", "casual"),
    ("detailed", "brief"),
    ("detailed", "short"),
    ("detailed", "concise"),
    ("always", "never"),
    ("everyone", "nobody"),
    ("everybody", "nobody"),
    ("immer", "nie"),
    ("immer", "niemals"),
    ("jeder", "niemand"),
    ("jeder", "keiner"),
    ("alle", "niemand"),
    ("kurze", "ausführliche"),
    ("kurzen", "ausführlichen"),
    ("knappe", "ausführliche"),
    ("knappen", "ausführlichen"),
    ("kurz", "lang"),
    ("kurz", "ausführlich"),
    ("gern", "ungern"),
    ("gerne", "ungern"),
    ("paid", "unpaid"),
    ("safe", "unsafe"),
    ("所有人都", "没有人"),
    ("verbose", "terse"),
    ("light", "dark"),
    ("with", "without"),
    ("like", "dislike"),
    ("likes", "dislikes"),
    ("love", "hate"),
    ("loves", "hates"),
    ("like", "hate"),
    ("likes", "hates"),
    ("enabled", "disabled"),
    ("enable", "disable"),
    ("on", "off"),
    ("allowed", "forbidden"),
    ("public", "private"),
    ("open", "closed"),
    ("always", "rarely"),
    ("often", "rarely"),
    ("early", "late"),
    ("lange", "kurze"),
    ("langen", "kurzen"),
    ("married", "divorced"),
    ("verheiratet", "geschieden"),
    ("mehr", "weniger"),
    ("groß", "klein"),
    ("schnell", "langsam"),
    ("förmlich", "locker"),
    ("mit", "ohne"),
    ("mag", "hasst"),
    ("mag", "hasse"),
    ("immer", "selten"),
    ("helle", "dunkle"),
    ("긴", "짧은"),
    ("길게", "짧게"),
    ("자주", "드물게"),
    ("长", "短"),
    ("详细", "简短"),
];

/// Whether one word says the opposite of the other; in scripts whose words are not set apart, with the rest of them the same.
pub(super) fn are_opposites(one: &str, other: &str) -> bool {
    OPPOSITES.iter().any(|(first, second)| {
        let is = |from: &str, to: &str| {
            one == from && other == to
                || !from.is_ascii() && one.contains(from) && one.replacen(from, to, 1) == other
        };
        is(first, second) || is(second, first)
    }) || is_undone(one, other)
        || is_undone(other, one)
}

/// Whether a word is another with `un` before it, where that is said of what is or is not done to something: `unencrypted`, `unbezahlt`.
fn is_undone(word: &str, done: &str) -> bool {
    let is_english = ["ed", "able", "ible"].iter().any(|ending| done.ends_with(ending));
    let is_german =
        done.ends_with('t') && ["ver", "be", "ge", "er", "ent"].iter().any(|prefix| done.starts_with(prefix));
    done.len() > 5 && (is_english || is_german) && word.strip_prefix("un") == Some(done)
}

/// The days of the week, folded.
pub(crate) const WEEKDAYS: [&str; 14] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
];
/// Stems of words that say that something is used.
pub(super) const USING: [&str; 12] = [
    "use",
    "run",
    "work",
    "reli",
    "depend",
    "nutz",
    "nutzt",
    "verwend",
    "verwendet",
    "setzt",
    "benutz",
    "benutzt",
];

/// The names of the months in English and German, in small letters.
pub(crate) const MONTHS: [&str; 20] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "januar",
    "februar",
    "märz",
    "mai",
    "juni",
    "juli",
    "oktober",
    "dezember",
];
