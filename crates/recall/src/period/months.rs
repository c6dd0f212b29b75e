//! The names of the months, folded.

/// English and German: the number of each is its place, every language twelve.
const MONTHS: [[&str; 12]; 3] = [
    [
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
    ],
    ["jan", "feb", "mar", "apr", "mai", "jun", "jul", "aug", "sept", "oct", "nov", "dec"],
    [
        "januar",
        "februar",
        "marz",
        "april",
        "mai",
        "juni",
        "juli",
        "august",
        "september",
        "oktober",
        "november",
        "dezember",
    ],
];
/// Other languages, with the words that stand before a month in them. Some of these names are other words elsewhere, so that the year
/// or such a word must stand beside them.
const OTHERS: [([&str; 12], &[&str]); 5] = [
    (
        [
            "janvier",
            "fevrier",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "aout",
            "septembre",
            "octobre",
            "novembre",
            "decembre",
        ],
        &["en", "au", "debut", "fin"],
    ),
    (
        [
            "enero",
            "febrero",
            "marzo",
            "abril",
            "mayo",
            "junio",
            "julio",
            "agosto",
            "septiembre",
            "octubre",
            "noviembre",
            "diciembre",
        ],
        &["en", "de"],
    ),
    (
        [
            "gennaio",
            "febbraio",
            "marzo",
            "aprile",
            "maggio",
            "giugno",
            "luglio",
            "agosto",
            "settembre",
            "ottobre",
            "novembre",
            "dicembre",
        ],
        &["in", "a", "nel", "di"],
    ),
    (
        [
            "janeiro",
            "fevereiro",
            "marco",
            "abril",
            "maio",
            "junho",
            "julho",
            "agosto",
            "setembro",
            "outubro",
            "novembro",
            "dezembro",
        ],
        &["em", "de"],
    ),
    (
        [
            "januari",
            "februari",
            "maart",
            "april",
            "mei",
            "juni",
            "juli",
            "augustus",
            "september",
            "oktober",
            "november",
            "december",
        ],
        &["in", "van"],
    ),
];

/// The number of a month by its English or German name.
pub(super) fn month_named(word: &str) -> Option<i8> {
    MONTHS.iter().find_map(|names| numbered(names, word))
}

/// The number of a month by its name in another language, and whether the word before it says that it is one.
pub(super) fn month_elsewhere(word: &str, before: Option<&str>) -> Option<(i8, bool)> {
    let of = |(names, introduced): &([&str; 12], &[&str])| {
        let month = numbered(names, word)?;
        Some((month, before.is_some_and(|before| introduced.contains(&before))))
    };
    let found: Vec<(i8, bool)> = OTHERS.iter().filter_map(of).collect();
    found.iter().find(|(_, is_introduced)| *is_introduced).or(found.first()).copied()
}

fn numbered(names: &[&str; 12], word: &str) -> Option<i8> {
    i8::try_from(names.iter().position(|name| *name == word)? + 1).ok()
}
