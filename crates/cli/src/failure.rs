//! How a command fails: what went wrong, why, what to do next, and the exit code.

use std::fmt;
use std::process::ExitCode;

use rem_format::path::PathError;
use rem_mind::ledger::LedgerError;
use rem_mind::{MemoryError, Outcome};

use crate::printer::Printer;

/// An error of the command line itself, with the next step.
#[derive(Debug)]
pub(crate) struct Hinted {
    message: String,
    hint: String,
    outcome: Outcome,
}

impl Hinted {
    /// The request makes no sense.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), outcome: Outcome::Usage }
    }

    /// A rule, or a person, forbids it.
    pub(crate) fn refused(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), outcome: Outcome::Refused }
    }

    /// A model that is named does not answer.
    pub(crate) fn no_model(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), outcome: Outcome::NoModel }
    }

    /// Something does not agree that should.
    pub(crate) fn integrity(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), outcome: Outcome::Integrity }
    }
}

impl From<rem_server::Failure> for Hinted {
    fn from(failure: rem_server::Failure) -> Self {
        Self {
            message: failure.causes().join(": "),
            hint: failure.hint().unwrap_or_default().to_owned(),
            outcome: failure.outcome(),
        }
    }
}

impl fmt::Display for Hinted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Hinted {}

/// A failed command.
pub(crate) struct Failure {
    error: anyhow::Error,
    outcome: Outcome,
    hint: Option<String>,
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        // One table: the first error in the chain that knows its kind decides.
        let known = error.chain().find_map(|cause| {
            if let Some(hinted) = cause.downcast_ref::<Hinted>() {
                let hint = (!hinted.hint.is_empty()).then(|| hinted.hint.clone());
                return Some((hinted.outcome, hint));
            }
            if let Some(error) = cause.downcast_ref::<MemoryError>() {
                return Some((error.outcome(), error.hint()));
            }
            if cause.is::<PathError>() {
                let hint = "name a file of the workspace, from its folder on: memory/2026-03-01.md";
                return Some((Outcome::Usage, Some(hint.to_owned())));
            }
            let error = cause.downcast_ref::<LedgerError>()?;
            let outcome = match error.kind() {
                rem_mind::ledger::ErrorKind::Usage => Outcome::Usage,
                rem_mind::ledger::ErrorKind::Locked => Outcome::Locked,
                rem_mind::ledger::ErrorKind::Integrity => Outcome::Integrity,
                rem_mind::ledger::ErrorKind::Refused => Outcome::Refused,
                rem_mind::ledger::ErrorKind::Internal => Outcome::Internal,
            };
            Some((outcome, error.hint()))
        });
        let (outcome, hint) = known.unwrap_or((Outcome::Internal, None));
        Self { error, outcome, hint }
    }
}

impl Failure {
    /// Says what happened on stderr, or in JSON, and gives the exit code.
    pub(crate) fn report(self, printer: &Printer) -> ExitCode {
        let mut causes: Vec<String> = Vec::new();
        for cause in self.error.chain() {
            let text = cause.to_string();
            if !causes.last().is_some_and(|last| last.contains(&text)) {
                causes.push(text);
            }
        }
        printer.failure(&causes, self.hint.as_deref());
        ExitCode::from(self.outcome as u8)
    }
}

/// What went wrong and what to do next, where another surface says it.
pub(crate) fn cause_and_hint(error: &anyhow::Error) -> (String, String) {
    let hint = error.chain().find_map(|cause| Some(cause.downcast_ref::<Hinted>()?.hint.clone()));
    (format!("{error:#}"), hint.unwrap_or_else(|| "`rem status` says how the workspace is".to_owned()))
}

/// Help and version go to stdout, wrong arguments to stderr with code 2.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if error.use_stderr() { ExitCode::from(Outcome::Usage as u8) } else { ExitCode::SUCCESS }
}
