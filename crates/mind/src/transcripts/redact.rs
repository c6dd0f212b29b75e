//! Secrets are taken out of every text before its first write (feature T7).
//!
//! Owns the scan: one pass over the text decides which rules can match at all, and only those run, so that clean
//! text costs one pass. A built-in rule is compiled when a text may hold its secret. Every replacement names its rule: `[redacted:github-token]`. Patterns are linear in the
//! text, whoever wrote them. A replacement is never taken for a secret. A hit never holds the secret itself. Must not
//! keep, log or report what it removed.

mod checks;
mod rules;
mod setting;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use crate::patterns::Patterns;
use checks::Check;
use rules::BUILT_IN;
pub(crate) use setting::secret_in_setting;

/// Why a redactor could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RedactError {
    /// A custom rule has a name that can't stand in a replacement.
    #[error("redaction rule name `{name}` is not usable: give it 1 to 64 letters, digits, `-` or `_`")]
    Name {
        /// The name as given.
        name: String,
    },
    /// A custom rule matches the empty text, and so everywhere.
    #[error(
        "redaction rule `{name}` matches the empty text: make its pattern require at least one character"
    )]
    Empty {
        /// The rule's name.
        name: String,
    },
    /// A pattern is no regular expression, or is too large.
    #[error(
        "redaction {what} has a pattern that can't be used: fix it, or make it smaller (no look-around, no back-references)"
    )]
    Pattern {
        /// ``rule `name` `` or ``allow list entry `pattern` ``.
        what: String,
        /// What is wrong with it.
        source: regex::Error,
    },
}

/// A rule of the workspace's own, added to the built-in ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomRule {
    /// Stands in the replacement: 1 to 64 ASCII letters, digits, `-` or `_`.
    pub name: String,
    /// A regular expression of the `regex` crate. If it has a group named `secret`, only that is replaced,
    /// otherwise the whole match.
    pub pattern: String,
}

/// One replacement that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleHit {
    /// The rule that asked for it.
    pub rule: String,
    /// The bytes of the original text that were replaced.
    pub bytes: Range<usize>,
}

/// What every replacement starts with.
const MARK: &str = "[redacted:";
/// Bytes that a compiled pattern of a workspace may take.
const CUSTOM_LIMIT: usize = 1 << 20;

/// Finds and replaces secrets. Make it once and share it: the rules of a workspace are compiled with it.
#[derive(Debug, Clone)]
pub struct Redactor {
    built_in: bool,
    custom: Vec<(CustomRule, Regex)>,
    /// The custom rules together: what does not match here matches none of them.
    custom_prefilter: RegexSet,
    allow: Vec<Regex>,
}

/// What the built-in rules are looked for by, one pattern each, in rule order: where it does not match, the rule can't.
static ANCHORS: LazyLock<Patterns> = LazyLock::new(|| {
    Patterns::new(BUILT_IN.len(), WORDS, "built-in", 64 * CUSTOM_LIMIT, |index| {
        BUILT_IN[index].anchor().to_owned()
    })
});
/// What the anchors need (`crate::patterns`).
const WORDS: &str = include_str!("redact/words.txt");
/// The built-in rules, compiled when their anchor is met first.
static COMPILED: [OnceLock<Regex>; BUILT_IN.len()] = [const { OnceLock::new() }; BUILT_IN.len()];

/// A rule in use.
#[derive(Clone, Copy)]
struct Rule<'a> {
    name: &'a str,
    pattern: &'a Regex,
    check: Check,
}

/// The built-in rule at this place of the table.
#[expect(clippy::expect_used, reason = "constant patterns, compiled by a test")]
fn built_in(index: usize) -> Rule<'static> {
    let rule = &BUILT_IN[index];
    let compiled = || compile(rule.pattern, 10 * CUSTOM_LIMIT).expect("a constant pattern");
    Rule { name: rule.name, pattern: COMPILED[index].get_or_init(compiled), check: rule.check }
}

impl Redactor {
    /// A redactor of the built-in rules, the rules given, and an allow list: a secret in which an allow pattern
    /// matches is left as it is.
    ///
    /// # Errors
    /// [`RedactError`] that names the rule or the allow list entry at fault.
    pub fn new(rules: &[CustomRule], allow: &[String]) -> Result<Self, RedactError> {
        Self::of(true, rules, allow)
    }

    /// A redactor of the rules given alone, for who turned the built-in ones off.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn without_built_in(rules: &[CustomRule], allow: &[String]) -> Result<Self, RedactError> {
        Self::of(false, rules, allow)
    }

    fn of(built_in: bool, rules: &[CustomRule], allow: &[String]) -> Result<Self, RedactError> {
        let mut custom = Vec::with_capacity(rules.len());
        for rule in rules {
            let named_well = (1..=64).contains(&rule.name.len())
                && rule.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
            if !named_well {
                return Err(RedactError::Name { name: rule.name.clone() });
            }
            let pattern = compile(&rule.pattern, CUSTOM_LIMIT).map_err(|source| named(&rule.name, source))?;
            if pattern.is_match("") {
                return Err(RedactError::Empty { name: rule.name.clone() });
            }
            custom.push((rule.clone(), pattern));
        }
        let custom_prefilter = RegexSetBuilder::new(rules.iter().map(|rule| &rule.pattern))
            .size_limit(64 * CUSTOM_LIMIT)
            .dfa_size_limit(16 * CUSTOM_LIMIT)
            .build()
            .map_err(|source| RedactError::Pattern { what: "rules taken together".to_owned(), source })?;
        let allow = allow
            .iter()
            .map(|pattern| {
                compile(pattern, CUSTOM_LIMIT).map_err(|source| RedactError::Pattern {
                    what: format!("allow list entry `{pattern}`"),
                    source,
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Redactor { built_in, custom, custom_prefilter, allow })
    }

    /// The text without its secrets, and what was replaced, in text order. Borrowed when nothing was.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str) -> (Cow<'t, str>, Vec<RuleHit>) {
        let hits = self.hits(text);
        if hits.is_empty() {
            return (Cow::Borrowed(text), hits);
        }
        let mut out = String::with_capacity(text.len());
        let mut end = 0;
        for hit in &hits {
            // Invariant: hits are in order, do not overlap, and lie on character boundaries.
            out.push_str(text.get(end..hit.bytes.start).unwrap_or_default());
            out.push_str(MARK);
            out.push_str(&hit.rule);
            out.push(']');
            end = hit.bytes.end;
        }
        out.push_str(text.get(end..).unwrap_or_default());
        (Cow::Owned(out), hits)
    }

    /// Where secrets are, in text order, without overlaps: what two rules share is replaced once, whole, under the
    /// name of the rule that starts first.
    #[must_use]
    pub fn hits(&self, text: &str) -> Vec<RuleHit> {
        let rules = self.rules_for(text);
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            found.extend(self.secrets(*rule, text).map(|range| (range, index)));
        }
        // Of two that start together the longer counts, then the rule that stands earlier in the table.
        found.sort_by_key(|(range, index)| (range.start, std::cmp::Reverse(range.end), *index));
        let mut hits: Vec<RuleHit> = Vec::new();
        for (range, index) in found {
            match hits.last_mut().filter(|last| range.start < last.bytes.end) {
                Some(last) => last.bytes.end = last.bytes.end.max(range.end),
                None => hits.push(RuleHit { rule: rules[index].name.to_owned(), bytes: range }),
            }
        }
        hits
    }

    /// The rules that can match the text, built-in ones first.
    fn rules_for(&self, text: &str) -> Vec<Rule<'_>> {
        let mut rules: Vec<Rule<'_>> = Vec::new();
        if self.built_in {
            rules.extend(ANCHORS.matches(text).into_iter().map(|index| -> Rule<'_> { built_in(index) }));
        }
        if !self.custom.is_empty() {
            rules.extend(self.custom_prefilter.matches(text).iter().map(|index| {
                let (rule, pattern) = &self.custom[index];
                Rule { name: &rule.name, pattern, check: Check::Always }
            }));
        }
        rules
    }

    /// The secrets of one rule. The search goes on right after each secret, not after its match, so that what one
    /// match needs behind it can stand before the next.
    fn secrets<'a>(&'a self, rule: Rule<'a>, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let mut at = 0;
        std::iter::from_fn(move || {
            let captures = rule.pattern.captures_at(text, at)?;
            let whole = captures.get(0)?;
            let secret = captures.name("secret").unwrap_or(whole);
            let (start, words) = (secret.start(), secret.as_str());
            let parts = if words.contains(MARK) { Vec::new() } else { rule.check.secrets_of(words) };
            // What turned out to be no secret may hold the name of the next one.
            let after = if parts.is_empty() { start } else { secret.end() };
            at = if after > at { after } else { text.ceil_char_boundary(at + 1) };
            Some((start, parts))
        })
        .flat_map(|(start, parts)| parts.into_iter().map(move |part| start + part.start..start + part.end))
        .filter(|range| {
            let words = text.get(range.clone()).unwrap_or_default();
            !words.is_empty() && !self.allow.iter().any(|allow| allow.is_match(words))
        })
    }
}

fn compile(pattern: &str, limit: usize) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).size_limit(limit).dfa_size_limit(4 * CUSTOM_LIMIT).build()
}

fn named(name: &str, source: regex::Error) -> RedactError {
    RedactError::Pattern { what: format!("rule `{name}`"), source }
}

#[cfg(test)]
mod tests;
