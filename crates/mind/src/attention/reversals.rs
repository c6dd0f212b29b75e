//! Changes of mind: what was said later takes the place of what was said before (thesis 2: correction beats accumulation).
//!
//! Found by the words people use for them ("switching from X to Y", "use Y instead of X", "Y, not X"), without a model. A passage
//! that was said earlier, names only the old thing and speaks of choosing it, or of what the change is about, is not shown as
//! current: "pizza instead of Thai food" at one lunch changes nothing of what else was said of Thai food. This is about whole
//! conversations that nobody has distilled yet; corrections that were logged have their own file and win over everything.

mod wordings;

use super::compiled::Candidate;
use crate::wording::is_hangul;

/// One change of mind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Replacement {
    old: Term,
    new: Term,
    path: String,
    line: usize,
    order: (String, usize),
    /// What the change is about: the words of its line, apart from the two things.
    about: Vec<String>,
    /// What it says the new thing is for; empty where it says nothing of that.
    purpose: Vec<String>,
}

/// A thing as it was named, and in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    written: String,
    lower: String,
}

impl Term {
    fn new(written: &str) -> Self {
        Self { written: written.to_owned(), lower: written.to_lowercase() }
    }
}

/// A candidate that was left out because something later took its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Superseded {
    pub(crate) candidate: Candidate,
    /// For the receipt: by what.
    pub(crate) why: String,
}

/// The changes of mind in what was said.
pub(crate) fn changes_of_mind<'c>(evidence: impl IntoIterator<Item = &'c Candidate>) -> Vec<Replacement> {
    evidence.into_iter().flat_map(replacements).collect()
}

/// Takes out of `candidates` what was replaced later.
pub(crate) fn take_out(candidates: &mut Vec<Candidate>, changes: &[Replacement]) -> Vec<Superseded> {
    let mut taken = Vec::new();
    if changes.is_empty() {
        return taken;
    }
    candidates.retain(|candidate| {
        let (order, text) = (order(candidate), candidate.text.to_lowercase());
        let is_of = |change: &Replacement| {
            let mut named = text.lines().filter(|line| names(line, &change.old.lower));
            named.any(|line| {
                let is_about = change.about.iter().any(|word| names(line, word));
                is_about || speaks_of_choice(line) && !is_for_something_else(line, change)
            })
        };
        let by = changes
            .iter()
            .find(|change| order < change.order && !names(&text, &change.new.lower) && is_of(change));
        if let Some(Replacement { old, new, path, line, .. }) = by {
            let why = format!("superseded: {} → {} by {path}:{line}", old.written, new.written);
            taken.push(Superseded { candidate: candidate.clone(), why });
        }
        by.is_none()
    });
    taken
}

/// Transcript paths sort by time, and lines within them too.
fn order(candidate: &Candidate) -> (String, usize) {
    (candidate.date.clone().unwrap_or_default() + &candidate.path, candidate.start_line)
}

fn replacements(candidate: &Candidate) -> Vec<Replacement> {
    let found = wordings::replacements(&candidate.text).into_iter();
    let line = |found: &wordings::Found<'_>| candidate.text.lines().nth(found.line).unwrap_or_default();
    // "not a" and "instead of the" replace nothing that could be named elsewhere.
    let found = found.filter(|found| {
        found.old.chars().count() >= 3
            && !found.old.eq_ignore_ascii_case(found.new)
            && !is_function_word(found.old)
            && (!found.needs_choice || speaks_of_choice(&line(found).to_lowercase()))
    });
    let replacement = |found: wordings::Found<'_>| Replacement {
        old: Term::new(found.old),
        new: Term::new(found.new),
        path: candidate.path.clone(),
        line: candidate.start_line + found.line,
        order: order(candidate),
        about: about(line(&found), [found.old, found.new]),
        purpose: purpose(&line(&found).to_lowercase()),
    };
    found.map(replacement).collect()
}

/// Whether a line chooses the old thing for one purpose and the change the new one for another.
fn is_for_something_else(line: &str, change: &Replacement) -> bool {
    let purpose = purpose(line);
    !purpose.is_empty()
        && !change.purpose.is_empty()
        && !purpose.iter().any(|word| change.purpose.contains(word))
}

/// The words of a line, in lower case, that say what something is for.
fn purpose(line: &str) -> Vec<String> {
    // What stands after the first of these, or in Korean and Chinese around them.
    const AFTER: [&str; 5] = [" for ", " für ", " fürs ", "用于", "用来"];
    const BEFORE: [&str; 4] = ["에는 ", "용으로", "을 위해", "를 위해"];
    let after = AFTER.iter().find_map(|mark| Some(line.split_once(mark)?.1));
    let before = BEFORE.iter().find_map(|mark| Some(line.split_once(mark)?.0));
    let said = after.or(before).unwrap_or_default();
    let clause = said.split([',', '.', ';', '，', '。']).next().unwrap_or_default();
    about(clause, ["", ""])
}

/// The words of a line that say what it is about, in lower case, apart from `terms`.
fn about(line: &str, terms: [&str; 2]) -> Vec<String> {
    const SHORTEST: usize = 5;
    let terms = terms.map(str::to_lowercase);
    let line = line.to_lowercase();
    let words = line.split(|each: char| !each.is_alphanumeric() && each != '-' && each != '_');
    let says = |word: &&str| {
        let is_long = word.chars().count() >= SHORTEST || !word.is_ascii() && word.chars().count() >= 2;
        is_long && !terms.iter().any(|term| term.contains(word)) && !is_common(word)
    };
    words.filter(says).map(str::to_owned).collect()
}

/// Words that stand beside changes of any kind.
fn is_common(word: &str) -> bool {
    const WORDS: [&str; 28] = [
        "actually",
        "instead",
        "called",
        "named",
        "moving",
        "moved",
        "switching",
        "switched",
        "changing",
        "changed",
        "migrate",
        "migrating",
        "migrated",
        "replace",
        "replacing",
        "replaced",
        "about",
        "would",
        "should",
        "could",
        "today",
        "tomorrow",
        "heute",
        "statt",
        "anstatt",
        "anstelle",
        "대신",
        "대신에",
    ];
    WORDS.contains(&word)
}

/// Whether a line, in lower case, speaks of what is used or chosen, and not of what was had once.
fn speaks_of_choice(line: &str) -> bool {
    const WORDS: [&str; 18] = [
        "use",
        "uses",
        "using",
        "let's",
        "we'll",
        "i'll",
        "decided",
        "decide",
        "choose",
        "chose",
        "chosen",
        "picked",
        "prefer",
        "go with",
        "going with",
        "settled",
        "from now on",
        "stick",
    ];
    // Beginnings and endings stand in one word here.
    const PARTS: [&str; 12] = [
        "nutzen",
        "benutz",
        "verwend",
        "nehmen",
        "entschieden",
        "steigen",
        "wechsel",
        "ab jetzt",
        "쓰자",
        "쓰기로",
        "사용",
        "씁니다",
    ];
    WORDS.iter().any(|word| names(line, word)) || PARTS.iter().any(|part| line.contains(part))
}

fn is_function_word(word: &str) -> bool {
    const WORDS: [&str; 24] = [
        "the", "this", "that", "just", "only", "what", "when", "there", "here", "now", "you", "your", "for",
        "from", "with", "and", "one", "mehr", "nicht", "ein", "eine", "das", "der", "die",
    ];
    WORDS.iter().any(|function_word| word.eq_ignore_ascii_case(function_word))
}

/// Whether a text names a term as a whole word, both in lower case. Korean particles may follow it.
fn names(text: &str, term: &str) -> bool {
    text.match_indices(term).any(|(at, _)| {
        let inside = |character: Option<char>| {
            character.is_some_and(|c| c.is_alphanumeric() && (c.is_ascii() || !is_hangul(c)))
        };
        let after = &text[at + term.len()..];
        let joined = after.strip_prefix(['-', '_']).is_some_and(|rest| inside(rest.chars().next()));
        !inside(text[..at].chars().next_back()) && !inside(after.chars().next()) && !joined
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(day: &str, text: &str) -> Candidate {
        Candidate {
            path: format!("raw/conversations/{}/0900-s-x.md", day.replace('-', "/")),
            start_line: 10,
            end_line: 12,
            text: text.to_owned(),
            why: String::new(),
            score: None,
            date: Some(day.to_owned()),
            day: None,
            memory: None,
            is_untrusted: true,
            is_urgent: false,
        }
    }

    fn left(texts: &[(&str, &str)]) -> Vec<String> {
        let all: Vec<Candidate> = texts.iter().map(|(day, text)| said(day, text)).collect();
        let mut candidates = all.clone();
        take_out(&mut candidates, &changes_of_mind(&all));
        candidates.into_iter().map(|candidate| candidate.text).collect()
    }

    #[test]
    fn an_earlier_choice_goes_when_a_later_one_replaces_it() {
        for change in [
            "We're switching from SQLite to Postgres as our database.",
            "Let's replace SQLite with Postgres.",
            "We'll use Postgres instead of SQLite.",
            "Wir steigen um von SQLite auf Postgres.",
            "SQLite 대신 Postgres를 쓰자.",
        ] {
            let kept = left(&[
                ("2026-01-12", "We decided to use SQLite."),
                ("2026-01-29", change),
                ("2026-01-13", "Tea is at four."),
            ]);
            assert_eq!(kept, [change, "Tea is at four."], "{change}");
        }
    }

    #[test]
    fn what_was_had_once_takes_the_place_of_nothing() {
        for (before, once) in [
            (
                "Kim has a peanut allergy; avoid Thai food places.",
                "For lunch we had pizza instead of Thai food.",
            ),
            ("Kaffee verursacht bei Lena Herzrasen.", "Heute gab es Tee statt Kaffee."),
            ("Postgres runs billing.", "For the toy demo we used SQLite instead of Postgres."),
            ("Postgres runs billing.", "We'll use SQLite instead of Postgres for the toy demo."),
            ("커피를 마시면 잠이 안 와.", "오늘은 커피 대신 차를 마셨어."),
        ] {
            assert_eq!(left(&[("2026-01-12", before), ("2026-01-29", once)]).len(), 2, "{once}");
        }
        let about = [
            ("2026-01-12", "Our database is SQLite."),
            ("2026-01-29", "The database moves from SQLite to Postgres."),
        ];
        assert_eq!(left(&about).len(), 1);
    }

    #[test]
    fn what_was_said_later_or_names_both_stays() {
        let kept = left(&[
            ("2026-01-12", "SQLite or Postgres, we will see."),
            ("2026-01-29", "We move from SQLite to Postgres."),
            ("2026-02-01", "SQLite is back for the tests."),
        ]);
        assert_eq!(kept.len(), 3);
    }

    #[test]
    fn names_that_share_a_beginning_are_told_apart() {
        let kept = left(&[
            ("2026-01-12", "Staging runs on harbor-stage-1."),
            ("2026-01-13", "The monitor watches harbor-stage-10."),
            ("2026-01-29", "Actually, the staging server is called harbor-stage-2, not harbor-stage-1."),
        ]);
        assert_eq!(kept.len(), 2);
        assert!(kept[0].contains("harbor-stage-10"));
    }
}
