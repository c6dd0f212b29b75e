//! Changes of mind: what was said later takes the place of what was said before (thesis 2: correction beats accumulation).
//!
//! Found by the words people use for them ("switching from X to Y", "Y instead of X", "Y, not X"), without a model. A passage
//! that names only the old thing and was said earlier is not shown as current. This is about whole conversations that nobody
//! has distilled yet; corrections that were logged have their own file and win over everything.

mod wordings;

use super::compiled::Candidate;

/// One change of mind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Replacement {
    old: Term,
    new: Term,
    path: String,
    line: usize,
    order: (String, usize),
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
        let by = changes.iter().find(|change| {
            order < change.order && names(&text, &change.old.lower) && !names(&text, &change.new.lower)
        });
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
    // "not a" and "instead of the" replace nothing that could be named elsewhere.
    let found = found.filter(|found| {
        found.old.chars().count() >= 3
            && !found.old.eq_ignore_ascii_case(found.new)
            && !is_function_word(found.old)
    });
    let replacement = |found: wordings::Found<'_>| Replacement {
        old: Term::new(found.old),
        new: Term::new(found.new),
        path: candidate.path.clone(),
        line: candidate.start_line + found.line,
        order: order(candidate),
    };
    found.map(replacement).collect()
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

fn is_hangul(character: char) -> bool {
    ('\u{ac00}'..='\u{d7a3}').contains(&character)
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
