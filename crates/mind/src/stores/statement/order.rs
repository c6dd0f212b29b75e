//! Whether two statements of the same words say who does what to whom alike.
//!
//! "Paul manages Lisa" and "Lisa manages Paul" have every word in common. What may stand elsewhere without another meaning is what a
//! preposition or a word of time begins ("On Mondays we deploy"), the two sides of "is", and in Korean what its particles mark. Whatever
//! else stands in another order is another statement: nothing is lost where two are kept. Pure.

use rem_recall::QueryWord;

use super::NEGATIONS;
use crate::wording::is_hangul;

/// What begins a phrase that may stand at another place.
const LEADING: [&str; 62] = [
    "on", "in", "at", "before", "after", "during", "since", "until", "from", "to", "into", "with", "without",
    "for", "by", "every", "each", "when", "if", "under", "over", "above", "below", "between", "via",
    "through", "against", "within", "while", "because", "am", "im", "an", "auf", "aus", "bei", "beim", "vor",
    "nach", "während", "seit", "bis", "von", "vom", "zu", "zum", "zur", "mit", "ohne", "für", "gegen",
    "jeden", "jede", "jedes", "wenn", "unter", "über", "zwischen", "durch", "weil", "ab", "once",
];
/// Words of time that may stand anywhere by themselves.
const FREE: [&str; 26] = [
    "today",
    "tomorrow",
    "yesterday",
    "now",
    "always",
    "usually",
    "often",
    "sometimes",
    "currently",
    "daily",
    "weekly",
    "still",
    "please",
    "also",
    "heute",
    "morgen",
    "gestern",
    "jetzt",
    "immer",
    "oft",
    "meistens",
    "manchmal",
    "derzeit",
    "täglich",
    "wöchentlich",
    "bitte",
];
/// What stands between two sides of which each is the other.
const IS: [&str; 8] = ["is", "are", "was", "were", "ist", "sind", "war", "waren"];
/// Words that lead elsewhere than one another.
const OPPOSED: [(&str, &str); 26] = [
    ("before", "after"),
    ("from", "to"),
    ("from", "into"),
    ("from", "until"),
    ("since", "until"),
    ("by", "to"),
    ("by", "for"),
    ("by", "from"),
    ("for", "from"),
    ("with", "without"),
    ("for", "against"),
    ("above", "below"),
    ("over", "under"),
    ("on", "under"),
    ("vor", "nach"),
    ("von", "nach"),
    ("von", "zu"),
    ("vom", "zum"),
    ("von", "für"),
    ("von", "bis"),
    ("ab", "bis"),
    ("aus", "nach"),
    ("seit", "bis"),
    ("mit", "ohne"),
    ("für", "gegen"),
    ("über", "unter"),
];
/// Said of who does something, where else it is said without: "managed by".
const AGENTS: [&str; 3] = ["by", "von", "durch"];
/// What Korean particles make of a word, the longer ones first.
const PARTICLES: [(&str, char); 19] = [
    ("에게서", 'f'),
    ("한테서", 'f'),
    ("에서", 'f'),
    ("부터", 'f'),
    ("보다", 'c'),
    ("에게", 't'),
    ("한테", 't'),
    ("으로", 't'),
    ("까지", 't'),
    ("께서", 's'),
    ("로", 't'),
    ("께", 't'),
    ("은", 's'),
    ("는", 's'),
    ("이", 's'),
    ("가", 's'),
    ("을", 'o'),
    ("를", 'o'),
    ("의", 'g'),
];
/// The longest phrase that is looked for at another place, in words.
const LONGEST: usize = 6;

/// A word of a statement, as it stands and by its stem.
#[derive(Debug, Clone)]
struct Word<'a> {
    plain: &'a str,
    /// Its number among the words that carry meaning, by those of the other statement.
    meaning: Option<usize>,
}

/// Whether what two statements have in common stands in them in an order of the same meaning. `plain` is all words in small letters
/// and `mine` those with a meaning.
pub(super) fn is_alike(
    (plain, mine): (&[String], &[QueryWord]),
    (known_plain, theirs): (&[String], &[QueryWord]),
) -> bool {
    if plain == known_plain {
        return true;
    }
    let (own, other) = (words_of(plain, mine, theirs, false), words_of(known_plain, mine, theirs, true));
    if !leads_alike(&own, &other) || !marks_alike(&own, &other) {
        return false;
    }
    let row = |words: &[Word<'_>]| words.iter().filter_map(|word| word.meaning).collect::<Vec<_>>();
    let is_same_row = row(&own) == row(&other);
    is_same_row
        || is_marked_throughout(&own, &other)
        || is_about_is(&own, &other)
        || has_moved(&own, &other)
        || has_moved(&other, &own)
}

/// The words of a statement, those that the other has as well by the number of the first of `mine` that they are.
fn words_of<'a>(
    plain: &'a [String],
    mine: &[QueryWord],
    theirs: &[QueryWord],
    is_other: bool,
) -> Vec<Word<'a>> {
    let same =
        |one: &QueryWord, other: &QueryWord| one.tokens.iter().any(|token| other.tokens.contains(token));
    let (own, other) = if is_other { (theirs, mine) } else { (mine, theirs) };
    let word = |plain: &'a String| {
        let is_no = NEGATIONS.contains(&plain.as_str()) || LEADING.contains(&plain.as_str());
        let content = own.iter().find(|word| !is_no && word.written.to_lowercase() == *plain);
        let shared = content.filter(|word| other.iter().any(|their| same(word, their)));
        let meaning = shared.and_then(|word| mine.iter().position(|first| same(first, word)));
        Word { plain, meaning }
    };
    plain.iter().map(word).collect()
}

/// The shared words of a statement with the words that lead to each, since the shared word before.
fn led<'a>(words: &'a [Word<'a>]) -> Vec<(usize, Vec<&'a str>)> {
    let (mut all, mut before) = (Vec::new(), Vec::new());
    for word in words {
        match word.meaning {
            Some(meaning) => all.push((meaning, std::mem::take(&mut before))),
            None => before.push(word.plain),
        }
    }
    all
}

/// Whether no word is led to by the opposite of what leads to it in the other, nor one denied for the other.
fn leads_alike(own: &[Word<'_>], other: &[Word<'_>]) -> bool {
    let (mine, theirs) = (led(own), led(other));
    let is_once =
        |row: &[(usize, Vec<&str>)], word: usize| row.iter().filter(|(each, _)| *each == word).count() == 1;
    for (word, before) in mine.iter().filter(|(word, _)| is_once(&mine, *word) && is_once(&theirs, *word)) {
        let Some((_, known)) = theirs.iter().find(|(each, _)| each == word) else { continue };
        let leads = |row: &[&str], wanted: &str| row.contains(&wanted);
        let is_turned = OPPOSED.iter().any(|(one, opposite)| {
            let turned = |mine: &[&str], theirs: &[&str]| {
                leads(mine, one) && leads(theirs, opposite) && !leads(mine, opposite) && !leads(theirs, one)
            };
            turned(before, known) || turned(known, before)
        });
        let has_agent = |row: &[&str]| AGENTS.iter().any(|agent| leads(row, agent));
        let has_lead = |row: &[&str]| row.iter().any(|word| LEADING.contains(word) || *word == "of");
        let is_of_other = has_agent(before) && !has_lead(known) || has_agent(known) && !has_lead(before);
        if is_turned || is_of_other {
            return false;
        }
    }
    let denied = |row: &[Word<'_>]| {
        let no = row.iter().position(|word| NEGATIONS.contains(&word.plain))?;
        row[no..].iter().find_map(|word| word.meaning)
    };
    denied(own).zip(denied(other)).is_none_or(|(mine, theirs)| mine == theirs)
}

/// What a Korean word's particle makes of it.
fn particle(word: &str) -> Option<char> {
    let is_korean = word.chars().next_back().is_some_and(is_hangul);
    let found =
        PARTICLES.iter().find(|(ending, _)| is_korean && word.len() > ending.len() && word.ends_with(ending));
    found.map(|(_, role)| *role)
}

/// Whether no two words have changed their particles.
fn marks_alike(own: &[Word<'_>], other: &[Word<'_>]) -> bool {
    let changed = own.iter().filter(|word| {
        let Some((meaning, role)) = word.meaning.zip(particle(word.plain)) else { return false };
        let theirs = other.iter().find(|their| their.meaning == Some(meaning));
        theirs.and_then(|their| particle(their.plain)).is_some_and(|theirs| theirs != role)
    });
    changed.count() < 2
}

/// Whether both are Korean and every shared word but the last has the same particle: they may stand in any order. A word that has none
/// belongs to the next one.
fn is_marked_throughout(own: &[Word<'_>], other: &[Word<'_>]) -> bool {
    let body = |row: &[Word<'_>]| {
        let body: Vec<String> = row.iter().rev().skip(1).map(|word| word.plain.to_owned()).collect();
        let is_marked =
            !body.is_empty() && body.iter().all(|word| particle(word).is_some_and(|role| role != 'g'));
        is_marked.then(|| body.into_iter().collect::<std::collections::BTreeSet<_>>())
    };
    body(own).zip(body(other)).is_some_and(|(mine, theirs)| mine == theirs)
}

/// Whether one says "A is B" and the other "B is A".
fn is_about_is(own: &[Word<'_>], other: &[Word<'_>]) -> bool {
    let sides = |row: &[Word<'_>]| -> Option<(Vec<usize>, Vec<usize>)> {
        let mut places =
            row.iter().enumerate().filter(|(_, word)| IS.contains(&word.plain)).map(|(at, _)| at);
        let (at, None) = (places.next()?, places.next()) else { return None };
        let meanings = |row: &[Word<'_>]| row.iter().filter_map(|word| word.meaning).collect::<Vec<_>>();
        Some((meanings(&row[..at]), meanings(&row[at + 1..])))
    };
    let turned = sides(own).zip(sides(other));
    turned.is_some_and(|((left, right), (known_left, known_right))| {
        left == known_right && right == known_left && !left.is_empty() && !right.is_empty()
    })
}

/// Whether the other comes of it by one phrase that stands elsewhere there; in German the verb follows what stands first.
fn has_moved(own: &[Word<'_>], other: &[Word<'_>]) -> bool {
    // What is shared, and what leads phrases.
    let row = |words: &[Word<'_>]| -> Vec<(Option<usize>, String)> {
        let kept = words.iter().filter(|word| word.meaning.is_some() || LEADING.contains(&word.plain));
        let lead =
            |word: &Word<'_>| if word.meaning.is_some() { String::new() } else { word.plain.to_owned() };
        kept.map(|word| (word.meaning, lead(word))).collect()
    };
    let is_free = |at: usize| {
        let kept = own.iter().filter(|word| word.meaning.is_some() || LEADING.contains(&word.plain));
        kept.clone().nth(at).is_some_and(|word| FREE.contains(&word.plain))
    };
    let (mine, theirs) = (row(own), row(other));
    if mine.len() != theirs.len() {
        return false;
    }
    (0..mine.len()).any(|start| {
        (1..=LONGEST.min(mine.len() - start)).any(|length| {
            let phrase = &mine[start..start + length];
            let begins = if length == 1 { is_free(start) } else { !phrase[0].1.is_empty() };
            // What stands in the middle may belong to what stands before it.
            if !begins || phrase[0].1 == "von" || phrase[0].1 == "by" {
                return false;
            }
            let rest = [&mine[..start], &mine[start + length..]].concat();
            (0..=theirs.len() - length).filter(|at| theirs[*at..*at + length] == *phrase).any(|at| {
                let known = [&theirs[..at], &theirs[at + length..]].concat();
                rest == known || start == 0 && is_inverted(&rest, &known)
            })
        })
    })
}

/// Whether the first word stands later in the other and nothing else is different.
fn is_inverted<T: PartialEq>(verb_first: &[T], other: &[T]) -> bool {
    let Some((verb, rest)) = verb_first.split_first() else { return false };
    (1..=rest.len()).any(|at| {
        other.len() == verb_first.len()
            && rest[..at] == other[..at]
            && other[at] == *verb
            && rest[at..] == other[at + 1..]
    })
}
