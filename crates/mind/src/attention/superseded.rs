//! Changes of mind: what was said later takes the place of what was said before (thesis 2: correction beats accumulation).
//!
//! Found by the words people use for them ("switching from X to Y", "Y instead of X", "Y, not X"), without a model. A passage
//! that names only the old thing and was said earlier is not shown as current. This is about whole conversations that nobody
//! has distilled yet; corrections that were logged have their own file and win over everything.

use std::sync::LazyLock;

use regex::Regex;

use super::compiled::Candidate;

/// One change of mind.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Replacement {
    old: String,
    new: String,
    path: String,
    line: usize,
    order: (String, usize),
}

/// A word, a name or an identifier.
const TERM: &str = r"([\p{L}\p{N}][\p{L}\p{N}._+#/-]*[\p{L}\p{N}+#]|[\p{L}\p{N}])";

/// Patterns with the groups `old` and `new`, as (source, old first). English, German and Korean.
static PATTERNS: LazyLock<Vec<(Regex, bool)>> = LazyLock::new(|| {
    [
        (
            format!(r"(?i)\b(?:switch|mov|migrat|chang)\w*\s+(?:\w+\s+){{0,3}}from\s+{TERM}\s+to\s+{TERM}"),
            true,
        ),
        (format!(r"(?i)\breplac\w+\s+{TERM}\s+(?:with|by)\s+{TERM}"), true),
        (format!(r"(?i){TERM}\s+instead\s+of\s+{TERM}"), false),
        (format!(r"(?i)\b(?:is|are|called|named|use|it's)\s+{TERM},?\s+not\s+{TERM}"), false),
        (
            format!(
                r"(?i)\b(?:wechseln|umsteigen|umgestiegen|migrieren)?\s*von\s+{TERM}\s+(?:auf|zu)\s+{TERM}"
            ),
            true,
        ),
        (format!(r"(?i){TERM}\s+(?:statt|anstatt|anstelle\s+von)\s+{TERM}"), false),
        (format!(r"{TERM}\s*대신\s*(?:에\s*)?{TERM}"), true),
        (format!(r"{TERM}에서\s+{TERM}(?:으)?로\s+(?:바꾸|바꿨|옮기|옮겼|전환)"), true),
    ]
    .into_iter()
    .filter_map(|(pattern, old_first)| Some((Regex::new(&pattern).ok()?, old_first)))
    .collect()
});

/// A candidate that was left out because something later took its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Superseded {
    pub(crate) candidate: Candidate,
    /// For the receipt: by what.
    pub(crate) why: String,
}

/// Takes out of `candidates` what something in `evidence` replaced later.
pub(crate) fn take_out(candidates: &mut Vec<Candidate>, evidence: &[Candidate]) -> Vec<Superseded> {
    let replacements: Vec<Replacement> = evidence.iter().flat_map(replacements).collect();
    let mut taken = Vec::new();
    candidates.retain(|candidate| {
        let order = order(candidate);
        let by = replacements.iter().find(|change| {
            order < change.order
                && names(&candidate.text, &change.old)
                && !names(&candidate.text, &change.new)
        });
        if let Some(change) = by {
            let why =
                format!("superseded: {} → {} by {}:{}", change.old, change.new, change.path, change.line);
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
    let mut found = Vec::new();
    for (at, line) in candidate.text.lines().enumerate() {
        for (pattern, old_first) in PATTERNS.iter() {
            for groups in pattern.captures_iter(line) {
                let (Some(one), Some(other)) = (groups.get(1), groups.get(2)) else { continue };
                let (old, new) = if *old_first { (one, other) } else { (other, one) };
                // "not a" and "instead of the" replace nothing that could be named elsewhere.
                if old.as_str().chars().count() < 3
                    || old.as_str().eq_ignore_ascii_case(new.as_str())
                    || is_function_word(old.as_str())
                {
                    continue;
                }
                found.push(Replacement {
                    old: old.as_str().to_owned(),
                    new: new.as_str().to_owned(),
                    path: candidate.path.clone(),
                    line: candidate.start_line + at,
                    order: order(candidate),
                });
            }
        }
    }
    found
}

fn is_function_word(word: &str) -> bool {
    const WORDS: [&str; 24] = [
        "the", "this", "that", "just", "only", "what", "when", "there", "here", "now", "you", "your", "for",
        "from", "with", "and", "one", "mehr", "nicht", "ein", "eine", "das", "der", "die",
    ];
    WORDS.iter().any(|function_word| word.eq_ignore_ascii_case(function_word))
}

/// Whether a text names a term as a whole word, in any case. Korean particles may follow it.
fn names(text: &str, term: &str) -> bool {
    let (text, term) = (text.to_lowercase(), term.to_lowercase());
    text.match_indices(&term).any(|(at, _)| {
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
        take_out(&mut candidates, &all);
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
