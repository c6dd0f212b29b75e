//! The language of a text that is too short for letters to tell it: by its script, by small words, by letters that others do not have.
//!
//! What is taken for a language brings its stems beside the English ones, which always count, so a mistake hides nothing. Where English
//! small words stand as often as others, it is English. Pure.

use super::{Language, SHORTEST_DETECTABLE};

/// Small words of English.
const ENGLISH: &[&str] = &[
    "the", "is", "are", "were", "of", "to", "and", "that", "this", "these", "it", "with", "for", "you",
    "your", "my", "our", "we", "they", "have", "has", "had", "not", "on", "at", "from", "be", "been", "will",
    "can", "could", "would", "should", "did", "does", "i", "his", "she", "he", "him", "what", "who", "where",
    "when", "which", "how", "by", "if", "but", "their", "its", "all", "a", "an", "in", "or", "as", "about",
    "into", "than", "then", "there", "no", "new", "old", "i'm", "it's", "don't",
];
/// Small words of the others, without those that are English words as well, such as "die", "war" and "son".
const OTHERS: [(Language, &[&str], &str); 8] = [
    (
        Language::German,
        &[
            "wir", "ich", "ist", "nicht", "und", "der", "das", "dem", "ein", "eine", "einen", "einem",
            "einer", "eines", "mein", "meine", "meinen", "meinem", "meiner", "unser", "unsere", "unserer",
            "unserem", "unseren", "dein", "deine", "sie", "er", "es", "mit", "für", "auf", "aus", "bei",
            "nach", "von", "vom", "zum", "zur", "im", "haben", "habe", "hatte", "sind", "wird", "werden",
            "kann", "auch", "noch", "heute", "gestern", "sein", "seine", "ihr", "ihre", "ihren", "kein",
            "keine", "welche", "welches", "welcher", "wie", "wo", "wer", "wem", "wann", "des", "du", "zu",
            "über", "um", "oder", "aber", "gibt", "wurde", "beim", "dass",
        ],
        "äöüß",
    ),
    (
        Language::French,
        &[
            "le", "la", "les", "des", "du", "de", "une", "un", "et", "est", "nous", "vous", "je", "il",
            "elle", "dans", "avec", "sur", "pas", "que", "qui", "quel", "quelle", "mes", "notre", "nos",
            "votre", "sa", "ses", "cette", "ce", "ces", "aux", "au", "sont", "avons", "ont", "été", "où",
            "chez",
        ],
        "çœêëîïôûùàèâ",
    ),
    (
        Language::Spanish,
        &[
            "el", "la", "los", "las", "una", "un", "es", "en", "de", "por", "para", "con", "del", "mi",
            "mis", "nuestro", "nuestra", "nuestros", "nuestras", "su", "sus", "que", "qué", "lo", "se", "al",
            "está", "tiene", "muy", "pero", "y", "dónde", "cómo",
        ],
        "ñ¿¡áíóú",
    ),
    (
        Language::Italian,
        &[
            "il", "lo", "la", "gli", "le", "una", "un", "è", "di", "che", "per", "con", "mio", "mia", "miei",
            "nostra", "nostro", "nostri", "del", "della", "dei", "delle", "nel", "nella", "sono", "ha", "al",
            "alla", "dove", "e",
        ],
        "èòùì",
    ),
    (
        Language::Portuguese,
        &[
            "os", "um", "uma", "é", "em", "para", "com", "não", "da", "dos", "das", "meu", "minha", "meus",
            "nosso", "nossa", "nossos", "que", "por", "na", "se", "está", "de", "e", "ele", "ela",
        ],
        "ãõâêçáíóú",
    ),
    (
        Language::Dutch,
        &[
            "het", "een", "de", "ik", "wij", "zijn", "niet", "voor", "onze", "ons", "mijn", "jouw", "aan",
            "te", "dat", "naar", "ook", "heeft", "hebben", "wordt", "waar", "wie", "bij", "uit",
        ],
        "",
    ),
    (
        Language::Swedish,
        &[
            "och", "att", "det", "är", "jag", "vi", "inte", "en", "ett", "på", "för", "som", "har", "vår",
            "våra", "mitt", "mina", "av", "till", "är", "var",
        ],
        "åäö",
    ),
    (
        Language::Turkish,
        &["ve", "bir", "bu", "için", "ile", "çok", "değil", "benim", "bizim", "mi", "da", "de"],
        "ğşıçöü",
    ),
];

impl Language {
    /// As [`Self::of`], and for a text that is too short for it by what else tells.
    pub(crate) fn told(text: &str) -> Self {
        Self::told_within(text, Self::English)
    }

    /// The same for a part of a text in this language: what tells nothing is in that.
    pub(crate) fn told_within(text: &str, whole: Self) -> Self {
        let prose = prose(text);
        if prose.len() >= SHORTEST_DETECTABLE {
            return Self::of(&prose);
        }
        by_script(&prose).unwrap_or_else(|| by_words(&prose, whole))
    }
}

/// A text without comments and the lines of figures and marks over an entry: these are in nobody's language.
fn prose(text: &str) -> String {
    let mut prose = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        prose.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    prose.push_str(rest);
    let is_mark = |line: &&str| line.starts_with('#') && line.contains(" | ");
    if prose.lines().any(|line| is_mark(&line)) {
        prose = prose.lines().filter(|line| !is_mark(line)).collect::<Vec<_>>().join("\n");
    }
    prose
}

/// The language that most letters are of alone.
fn by_script(text: &str) -> Option<Language> {
    let (mut letters, mut cyrillic, mut arabic) = (0, 0, 0);
    for letter in text.chars().filter(|letter| letter.is_alphabetic()) {
        letters += 1;
        match letter {
            '\u{0400}'..='\u{052F}' => cyrillic += 1,
            '\u{0600}'..='\u{06FF}' | '\u{0750}'..='\u{077F}' => arabic += 1,
            _ => {}
        }
    }
    match () {
        () if cyrillic * 2 > letters => Some(Language::Russian),
        () if arabic * 2 > letters => Some(Language::Arabic),
        () => None,
    }
}

fn by_words(text: &str, whole: Language) -> Language {
    let words: Vec<String> = text
        .split(|each: char| !each.is_alphabetic() && each != '\'')
        // A word in capitals is a name.
        .filter(|word| !(word.is_empty() || word.len() > 1 && word.chars().all(char::is_uppercase)))
        .map(str::to_lowercase)
        .collect();
    let count = |list: &[&str]| words.iter().filter(|word| list.contains(&word.as_str())).count();
    let english = count(ENGLISH);
    let scored = OTHERS.map(|(language, list, letters)| {
        let has_letter = words.iter().any(|word| word.contains(|letter| letters.contains(letter)));
        (language, count(list) + usize::from(has_letter))
    });
    let most = scored.iter().map(|(_, score)| *score).max().unwrap_or(0);
    if most == 0 && english == 0 {
        return whole;
    }
    if most <= english {
        return Language::English;
    }
    let tied: Vec<Language> =
        scored.iter().filter(|(_, score)| *score == most).map(|(language, _)| *language).collect();
    match tied[..] {
        [one] => one,
        _ if tied.contains(&whole) => whole,
        _ => Some(Language::detected(text)).filter(|guess| tied.contains(guess)).unwrap_or(tied[0]),
    }
}

/// The two-letter code of the language that a text is most likely written in, of the sixteen that are told apart; nothing for an
/// empty text. Short texts are guessed at.
pub fn written_in(text: &str) -> Option<&'static str> {
    use whichlang::Lang;
    if text.trim().is_empty() {
        return None;
    }
    Some(match whichlang::detect_language(text) {
        Lang::Ara => "ar",
        Lang::Cmn => "zh",
        Lang::Deu => "de",
        Lang::Eng => "en",
        Lang::Fra => "fr",
        Lang::Hin => "hi",
        Lang::Ita => "it",
        Lang::Jpn => "ja",
        Lang::Kor => "ko",
        Lang::Nld => "nl",
        Lang::Por => "pt",
        Lang::Rus => "ru",
        Lang::Spa => "es",
        Lang::Swe => "sv",
        Lang::Tur => "tr",
        Lang::Vie => "vi",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_tells_its_language_by_small_words_letters_and_script() {
        for (text, expected) in [
            ("Wir verkaufen unsere alten Stühle.", Language::German),
            ("Meine Tochter sammelt Bücher.", Language::German),
            ("welches Buch", Language::German),
            ("Fahrräder", Language::German),
            (
                "- Wir verkaufen Stühle. <!-- id:a | since:2026-11-29 | confidence:0.95 | mentions:1 | source:user-explicit -->",
                Language::German,
            ),
            (
                "## 10:00 | event | confidence:high | tags:[garden, fence] | source:user-explicit\nIch streiche den Zaun.",
                Language::German,
            ),
            ("Мы продали старую машину.", Language::Russian),
            ("машина", Language::Russian),
            ("بعنا السيارة القديمة", Language::Arabic),
            ("Nous avons vendu les chaises.", Language::French),
            ("Vendimos las sillas de mi abuela.", Language::Spanish),
            ("Abbiamo venduto le sedie della nonna.", Language::Italian),
            ("Vi sålde våra gamla stolar.", Language::Swedish),
            ("Wij hebben onze stoelen verkocht.", Language::Dutch),
            // Not these.
            ("Die hard", Language::English),
            ("The war was long", Language::English),
            ("Müller called at nine", Language::English),
            ("café at the corner", Language::English),
            ("let mut x = parse(&input)?;", Language::English),
            ("harbor", Language::English),
            ("Chairs", Language::English),
            ("MIT Lisp", Language::English),
            ("Rio de Janeiro is in Brazil", Language::English),
            ("git log --all", Language::English),
            ("8080", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::told(text), expected, "{text}");
        }
        assert_eq!(Language::told_within("Hunde, Katzen", Language::German), Language::German);
        assert_eq!(Language::told_within("The harbor is quiet", Language::German), Language::English);
    }
}
