//! How a call fails: what went wrong, why, and what to do next, in words for a model.

use std::borrow::Cow;
use std::fmt;

use rem_mind::ledger::LedgerError;
use rem_mind::{MemoryError, Outcome};

/// The most bytes of a message: what it quotes may be as long as whoever asked made it.
const LONGEST: usize = 1_000;

/// A text that quotes what somebody sent, without its middle where that is long.
pub(crate) fn in_brief(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let head = text.floor_char_boundary(LONGEST / 4);
    let tail = text.ceil_char_boundary(text.len() - LONGEST / 2);
    Cow::Owned(format!("{}… ({} bytes left out) …{}", &text[..head], tail - head, &text[tail..]))
}

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    causes: Vec<String>,
    hint: Option<String>,
    outcome: Outcome,
}

impl Failure {
    /// A request that makes no sense: what is wrong with it and what to do instead.
    #[must_use]
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        let (message, hint) = (message.into(), hint.into());
        let causes = vec![in_brief(&message).into_owned()];
        Self { causes, hint: Some(in_brief(&hint).into_owned()), outcome: Outcome::Usage }
    }

    /// Another kind of failure.
    #[must_use]
    pub fn with_outcome(self, outcome: Outcome) -> Self {
        Self { outcome, ..self }
    }

    /// The same with what could not be done because of it.
    #[must_use]
    pub fn after(mut self, what: impl Into<String>) -> Self {
        self.causes.insert(0, in_brief(&what.into()).into_owned());
        self
    }

    /// What it means to whoever asked.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// What went wrong, and why, the nearest cause first.
    #[must_use]
    pub fn causes(&self) -> &[String] {
        &self.causes
    }

    /// What to do next, where there is something to do.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// From an error and its sources.
    #[must_use]
    pub fn of(error: &(dyn std::error::Error + 'static), hint: Option<String>) -> Self {
        let mut causes: Vec<String> = Vec::new();
        let mut next = Some(error);
        while let Some(error) = next {
            let text = in_brief(&error.to_string()).into_owned();
            if !causes.last().is_some_and(|last| last.contains(&text)) {
                causes.push(text);
            }
            next = error.source();
        }
        let hint = hint.map(|hint| in_brief(&hint).into_owned());
        Self { causes, hint, outcome: Outcome::Internal }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut causes = self.causes.iter();
        write!(formatter, "error: {}", causes.next().map_or("unknown", String::as_str))?;
        for cause in causes {
            write!(formatter, "\n  because: {cause}")?;
        }
        self.hint.as_ref().map_or(Ok(()), |hint| write!(formatter, "\n  hint: {hint}"))
    }
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Self {
        Self::of(&error, error.hint()).with_outcome(error.outcome())
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        Self::from(MemoryError::from(error))
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::of(&error, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_cut_where_it_is_long() {
        assert_eq!(in_brief("memory is short"), "memory is short");
        for letter in ["x", "ü", "字"] {
            let failure = Failure::new(format!("there is no {:?}", letter.repeat(1 << 20)), "look again");
            let said = failure.after(letter.repeat(5_000)).to_string();
            assert!(said.len() < 3_000 && said.contains("there is no \"") && said.contains("bytes left out"));
        }
    }

    #[test]
    fn a_failure_says_what_why_and_what_next_and_nothing_twice() {
        let error = LedgerError::SubAgent("scout".to_owned());
        let said = Failure::from(error).to_string();
        assert!(said.starts_with("error: agent \"scout\""), "{said}");
        assert!(said.contains("\n  hint: propose it"), "{said}");
        assert_eq!(said.matches("scout").count(), 1, "{said}");
    }
}
