//! A pattern that is compiled when it is first run.
//!
//! Compiling costs half a millisecond, and most patterns are never run, since no message holds one of their words. A pattern that may be
//! too large is compiled at once, so that its file is reported; an upper bound of its size tells which ones. Whoever checks topics
//! compiles all.

use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Class, Hir, HirKind};

/// The most memory that one compiled pattern may take, in bytes.
pub(super) const LIMIT: usize = 1 << 20;
/// What one state of a compiled pattern takes, in bytes, and how many states a range of characters outside of ASCII takes.
const STATE: usize = 40;
const STATES_OF_RANGE: usize = 20;

/// A pattern.
pub(super) struct Pattern {
    text: String,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A pattern that fits.
    ///
    /// # Errors
    /// A sentence where it doesn't, or cannot be read.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let pattern = Self { text: text.to_owned(), compiled: OnceLock::new() };
        let hir = regex_syntax::ParserBuilder::new().case_insensitive(true).build().parse(text);
        if hir.is_ok_and(|hir| size(&hir) <= LIMIT) {
            return Ok(pattern);
        }
        pattern.check()?;
        Ok(pattern)
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Compiles it, if it was not yet.
    ///
    /// # Errors
    /// A sentence where it is too large, or cannot be read.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.compiled.get().is_some_and(Option::is_some) {
            return Ok(());
        }
        let compiled = self.compile()?;
        let _ = self.compiled.set(Some(compiled));
        Ok(())
    }

    /// The pattern, compiled; nothing where that turned out to be impossible, which is said on the log.
    pub(super) fn regex(&self) -> Option<&Regex> {
        let compile = || {
            let compiled = self.compile();
            compiled.inspect_err(|what| tracing::warn!("{:?} is not looked for: {what}", self.text)).ok()
        };
        self.compiled.get_or_init(compile).as_ref()
    }

    fn compile(&self) -> Result<Regex, String> {
        let built = RegexBuilder::new(&self.text).case_insensitive(true).size_limit(LIMIT).build();
        built.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => format!(
                "the regular expression is too large: compiled it would take more than {} kB; make its repetitions smaller",
                LIMIT >> 10
            ),
            other => format!("the regular expression cannot be read: {other}"),
        })
    }
}

/// About the most memory that a pattern takes when it is compiled, in bytes.
fn size(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty => 0,
        HirKind::Look(_) => STATE,
        HirKind::Literal(literal) => literal.0.len() * STATE,
        HirKind::Class(Class::Bytes(class)) => class.ranges().len() * STATE,
        HirKind::Class(Class::Unicode(class)) => {
            let states = class.iter().map(|range| if range.end().is_ascii() { 1 } else { STATES_OF_RANGE });
            states.sum::<usize>() * STATE
        }
        HirKind::Capture(capture) => size(&capture.sub) + 2 * STATE,
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1);
            (size(&repetition.sub) + STATE).saturating_mul(times as usize)
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(size).fold(STATE, usize::saturating_add)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_surely_small_waits_and_what_may_be_large_is_compiled_at_once() {
        for text in [r"\b(email|inbox)\b", r"\d{4}-\d{2}", r"[a-z]+@[a-z.]+", "colou?r"] {
            let pattern = Pattern::new(text).expect(text);
            assert!(pattern.compiled.get().is_none(), "{text}");
            assert!(pattern.check().is_ok() && pattern.regex().is_some(), "{text}");
        }
        assert!(Pattern::new(r"\w{20}").expect("it fits").compiled.get().is_some());
        for text in [r"\w{900}\w{900}", r"((a{100}){100}){100}", "(a"] {
            assert!(Pattern::new(text).is_err(), "{text}");
        }
    }
}
