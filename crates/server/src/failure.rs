//! How a call fails: what went wrong, why, and what to do next, in words for a model.

use std::fmt;

use rem_mind::ledger::LedgerError;
use rem_mind::{MemoryError, Outcome};

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
        Self { causes: vec![message.into()], hint: Some(hint.into()), outcome: Outcome::Usage }
    }

    /// Another kind of failure.
    #[must_use]
    pub fn with_outcome(self, outcome: Outcome) -> Self {
        Self { outcome, ..self }
    }

    /// The same with what could not be done because of it.
    #[must_use]
    pub fn after(mut self, what: impl Into<String>) -> Self {
        self.causes.insert(0, what.into());
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
            let text = error.to_string();
            if !causes.last().is_some_and(|last| last.contains(&text)) {
                causes.push(text);
            }
            next = error.source();
        }
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
    fn a_failure_says_what_why_and_what_next_and_nothing_twice() {
        let error = LedgerError::SubAgent("scout".to_owned());
        let said = Failure::from(error).to_string();
        assert!(said.starts_with("error: agent \"scout\""), "{said}");
        assert!(said.contains("\n  hint: propose it"), "{said}");
        assert_eq!(said.matches("scout").count(), 1, "{said}");
    }
}
