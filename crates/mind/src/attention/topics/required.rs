//! What a text must hold for a pattern to match at all.
//!
//! Most patterns hold a word: `\b(email|inbox)\b` matches nothing without `email` or `inbox`. All such words of all topics are
//! looked for in one pass, and only patterns whose word is there are run. So thousands of patterns cost what the few cost
//! that could match, whatever is in the text; one set of all patterns loses its fast engine at the first letter outside of ASCII
//! beside a `\b`.

use std::collections::BTreeSet;

use regex_syntax::hir::{Class, Hir, HirKind};

use super::folded::fold;

/// The most words of one pattern; more would be worse than running it.
const MOST: usize = 64;
/// The most characters that one place of a pattern may have.
const MOST_CHARACTERS: usize = 8;
/// A word this long is worth looking for: two letters, or one ideograph.
const SHORTEST: usize = 2;

type Words = BTreeSet<String>;

/// Folded words one of which is in every match; nothing where the pattern has no such words.
pub(super) fn required(pattern: &str) -> Option<Vec<String>> {
    let hir = regex_syntax::ParserBuilder::new().case_insensitive(true).build().parse(pattern).ok()?;
    let part = part(&hir);
    let exact = useful(part.exact);
    better(exact, part.required).map(|words| words.into_iter().collect())
}

/// What is known of a part of a pattern.
struct Part {
    /// All that it can match.
    exact: Option<Words>,
    /// One of these is in every match.
    required: Option<Words>,
}

impl Part {
    fn unknown() -> Self {
        Self { exact: None, required: None }
    }

    fn exactly(words: Words) -> Self {
        Self { exact: (words.len() <= MOST).then_some(words), required: None }
    }
}

fn part(hir: &Hir) -> Part {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Part::exactly(Words::from([String::new()])),
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => Part::exactly(Words::from([text.chars().map(fold).collect()])),
            Err(_) => Part::unknown(),
        },
        HirKind::Class(Class::Unicode(class)) => {
            let mut characters = Words::new();
            for character in class.iter().flat_map(|range| range.start()..=range.end()) {
                characters.insert(fold(character).to_string());
                if characters.len() > MOST_CHARACTERS {
                    return Part::unknown();
                }
            }
            Part::exactly(characters)
        }
        HirKind::Class(Class::Bytes(_)) => Part::unknown(),
        HirKind::Capture(capture) => part(&capture.sub),
        HirKind::Repetition(repetition) => {
            let inner = part(&repetition.sub);
            match (repetition.min, repetition.max) {
                (1, Some(1)) => inner,
                (0, Some(1)) => match inner.exact {
                    Some(mut words) => {
                        words.insert(String::new());
                        Part::exactly(words)
                    }
                    None => Part::unknown(),
                },
                (0, _) => Part::unknown(),
                _ => Part { exact: None, required: better(useful(inner.exact), inner.required) },
            }
        }
        HirKind::Concat(parts) => concatenation(parts),
        HirKind::Alternation(parts) => {
            let parts: Vec<Part> = parts.iter().map(part).collect();
            let union =
                |sets: Option<Vec<Words>>| sets.map(|sets| sets.into_iter().flatten().collect::<Words>());
            let exact = union(parts.iter().map(|part| part.exact.clone()).collect());
            let required =
                union(parts.into_iter().map(|part| better(useful(part.exact), part.required)).collect());
            Part {
                exact: exact.filter(|words| words.len() <= MOST),
                required: required.filter(|words| words.len() <= MOST),
            }
        }
    }
}

fn concatenation(parts: &[Hir]) -> Part {
    let mut running = Words::from([String::new()]);
    let mut required = None;
    let mut is_exact = true;
    for next in parts.iter().map(part) {
        let joined: Option<Words> =
            next.exact.as_ref().filter(|words| words.len() * running.len() <= MOST).map(|words| {
                running
                    .iter()
                    .flat_map(|before| words.iter().map(move |after| format!("{before}{after}")))
                    .collect()
            });
        match joined {
            Some(joined) => running = joined,
            None => {
                is_exact = false;
                required = better(required, useful(Some(std::mem::take(&mut running))));
                required = better(required, next.required);
                // What follows goes on from these words, where they are known.
                running = next.exact.unwrap_or_else(|| Words::from([String::new()]));
            }
        }
    }
    match is_exact {
        true => Part { exact: Some(running), required: None },
        false => Part { exact: None, required: better(required, useful(Some(running))) },
    }
}

fn useful(words: Option<Words>) -> Option<Words> {
    words.filter(is_useful)
}

fn is_useful(words: &Words) -> bool {
    shortest(words) >= SHORTEST
}

/// The length of the shortest word; a letter outside of ASCII counts twice, since it is rarer.
fn shortest(words: &Words) -> usize {
    let length = |word: &String| word.chars().map(|each| if each.is_ascii() { 1 } else { 2 }).sum();
    words.iter().map(length).min().unwrap_or(0)
}

fn better(one: Option<Words>, other: Option<Words>) -> Option<Words> {
    match (one, other) {
        (Some(one), Some(other)) => {
            let worth = |words: &Words| (shortest(words), MOST - words.len().min(MOST));
            Some(if worth(&other) > worth(&one) { other } else { one })
        }
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::super::folded::folded;
    use super::*;
    use proptest::prelude::*;

    fn words(pattern: &str) -> Vec<String> {
        required(pattern).unwrap_or_default()
    }

    #[test]
    fn patterns_with_words_have_words_and_others_have_none() {
        assert_eq!(words("email|inbox|mail"), ["email", "inbox", "mail"]);
        assert_eq!(words(r"\b(PR|pull request|review)\b"), ["pr", "pull request", "review"]);
        assert_eq!(words(r"print\s+\w+"), ["print"]);
        assert_eq!(words(r"colou?r"), ["color", "colour"]);
        assert_eq!(words(r"배포(해|를)?"), ["배포", "배포를", "배포해"]);
        assert_eq!(words(r"(error|fail)+ in \d+"), [" in "].map(String::from));
        for pattern in [r"\d{4}-\d{2}", ".*", "", "a", "(mail)?", "mail|"] {
            assert!(required(pattern).is_none(), "{pattern}: {:?}", required(pattern));
        }
    }

    proptest! {
        #[test]
        fn every_match_holds_a_required_word(
            pattern in r"(\(?[a-cK-Sſß]{1,3}(\||\)?[?+*]?|\\b|\\s|\.|[a-c]{2}\{2\}|\[k-s\])){1,6}",
            text in "[a-cK-Sk-sſKß \n]{0,40}",
        ) {
            if let (Ok(regex), Some(words)) =
                (regex::RegexBuilder::new(&pattern).case_insensitive(true).build(), required(&pattern))
            {
                for found in regex.find_iter(&text) {
                    let found = folded(found.as_str());
                    prop_assert!(words.iter().any(|word| found.contains(word.as_str())), "{} {} {:?}", pattern, found, words);
                }
            }
        }
    }
}
