//! Triage: what a message seems to ask of the memory, told from patterns alone (C1; P7, M8.1).
//!
//! `crate::wording` leaves the sender's own sentences, `wordings` matches them against a language's table, `custom` a person's own patterns
//! against the whole message, `about` says what a trigger refers to. A trigger is a candidate, never a verdict: nothing is
//! written, and nobody is asked, because of one alone. Pure: the same text gives the same triage.

mod about;
mod chinese;
mod custom;
mod english;
mod explicit;
mod german;
mod korean;
mod wordings;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::time::{Duration, Instant};

use serde::Serialize;

pub use custom::CustomPatterns;

use super::topics::Side;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::patterns::time_compiling;
use crate::wording::Talk;

/// What a trigger is a sign of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Something is to be kept.
    Memory,
    /// Something said before was not remembered.
    RecallFailure,
    /// Something known has changed or was wrong.
    SoftCorrection,
    /// Something is not to be kept any longer.
    Forget,
    /// What is kept is to be gone over: condensed, sorted, merged.
    Reflection,
    /// What is remembered is asked about. It is answered by a search and writes nothing.
    Question,
    /// A pattern of CONFIG.md that belongs to no other family.
    Custom,
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 7] = [
        Self::Memory,
        Self::RecallFailure,
        Self::SoftCorrection,
        Self::Forget,
        Self::Reflection,
        Self::Question,
        Self::Custom,
    ];

    /// Its word in answers and in CONFIG.md.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::RecallFailure => "recall_failure",
            Self::SoftCorrection => "soft_correction",
            Self::Forget => "forget",
            Self::Reflection => "reflection",
            Self::Question => "question",
            Self::Custom => "custom",
        }
    }
}

/// How sure it is that the agent failed to remember (P7: `trigger_confidence`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// The sender corrects something, which the agent may have had no way of knowing.
    Medium,
    /// The sender says that it was told before.
    High,
}

/// The failure to remember that a message speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecallFailure {
    /// High for a recall failure, medium for a soft correction.
    pub confidence: Confidence,
    /// The name of the pattern.
    pub pattern: String,
}

/// One trigger in a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Match {
    /// What it is a sign of.
    pub family: Family,
    /// The name of the pattern.
    pub pattern: String,
    /// The words that matched, as they stand in the message.
    pub text: String,
    /// Where they stand: bytes of the message.
    pub span: Range<usize>,
    /// What the trigger likely refers to, as it stands in the message; empty where the message does not say.
    pub about: String,
}

/// What a message seems to ask of the memory. Lists hold the names of patterns, each once, in the order of the message.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Triage {
    /// Something is to be kept.
    pub memory: Vec<String>,
    /// The strongest sign that something was not remembered, or is remembered wrongly.
    pub recall_failure: Option<RecallFailure>,
    /// Something is not to be kept any longer.
    pub forget: Vec<String>,
    /// What is kept is to be gone over.
    pub reflection: Vec<String>,
    /// Patterns of CONFIG.md.
    pub custom: Vec<String>,
    /// What is remembered is asked about.
    pub question: Vec<String>,
    /// All triggers, in the order of the message.
    pub matches: Vec<Match>,
}

impl Triage {
    fn of(mut matches: Vec<Match>) -> Self {
        // Of those that begin together the longest says most.
        matches.sort_by_key(|found| (found.span.start, found.family, std::cmp::Reverse(found.span.end)));
        let mut triage = Self::default();
        for found in &matches {
            let list = match found.family {
                Family::Memory => &mut triage.memory,
                Family::Forget => &mut triage.forget,
                Family::Reflection => &mut triage.reflection,
                Family::Question => &mut triage.question,
                Family::Custom => &mut triage.custom,
                Family::RecallFailure | Family::SoftCorrection => {
                    let confidence = match found.family {
                        Family::RecallFailure => Confidence::High,
                        _ => Confidence::Medium,
                    };
                    if triage.recall_failure.as_ref().is_none_or(|known| known.confidence < confidence) {
                        triage.recall_failure =
                            Some(RecallFailure { confidence, pattern: found.pattern.clone() });
                    }
                    continue;
                }
            };
            if !list.contains(&found.pattern) {
                list.push(found.pattern.clone());
            }
        }
        triage.matches = matches;
        triage
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.matches.is_empty()
    }

    /// Whether there is a trigger of this family.
    #[must_use]
    pub fn has(&self, family: Family) -> bool {
        self.matches.iter().any(|found| found.family == family)
    }
}

/// The triage of a text. Of one longer than 32 KiB the first and the last 16 KiB are read.
#[must_use]
pub fn triage(text: &str, side: Side, custom: &CustomPatterns) -> Triage {
    let talk = Talk::of(text);
    let mut matches = Vec::new();
    if side == Side::Input {
        wordings::read(text, &talk, &mut matches);
    }
    custom.read(text, &talk, side, &mut matches);
    if matches.is_empty() { Triage::default() } else { Triage::of(matches) }
}

impl Memory {
    /// What a text seems to ask of the memory (C1), by patterns alone and without writing anything. Custom patterns are
    /// compiled once for this value.
    ///
    /// # Errors
    /// [`MemoryError::Setting`] where `triage.custom_patterns` cannot be used.
    pub fn triage(&self, text: &str, side: Side) -> Result<Triage, MemoryError> {
        let custom = self.custom_patterns()?;
        let (begun, compiled) = (Instant::now(), time_compiling());
        let found = triage(text, side, custom);
        let taken = begun.elapsed().saturating_sub(time_compiling().saturating_sub(compiled));
        if let Some(said) = slowness(taken, self.config.triage.latency_budget_ms, !custom.is_empty()) {
            tracing::warn!("{said}");
        }
        Ok(found)
    }
}

/// What is said of a triage that took longer than `triage.latency_budget_ms`, without the time in which patterns were compiled: that is
/// spent once for a process, by whatever message comes first.
fn slowness(taken: Duration, budget: u64, has_custom: bool) -> Option<String> {
    (taken > Duration::from_millis(budget)).then(|| {
        let milliseconds = taken.as_millis();
        let help = if has_custom { ": fewer or simpler custom patterns help" } else { "" };
        format!("triage took {milliseconds} ms, more than triage.latency_budget_ms ({budget}){help}")
    })
}
