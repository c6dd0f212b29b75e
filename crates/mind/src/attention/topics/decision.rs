//! From what both tiers say to what happens (A5.2, A5.4): a table, and nothing else.

use rem_format::config::TopicSettings;
use rem_format::topic::{Activation, Priority};
use serde::Serialize;

/// The scores that decide, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// From here on a topic is a candidate (`topics.similarity_threshold`, or the topic's own).
    pub pass: f64,
    /// A topic of high priority needs no gate from here on (`topics.high_bypass_score`).
    pub high: f64,
    /// A topic of medium priority is dropped below (`topics.medium_gate_score`).
    pub medium: f64,
    /// A topic of low priority is dropped below (`topics.low_gate_score`).
    pub low: f64,
}

impl Thresholds {
    /// As CONFIG.md and the topic have them.
    #[must_use]
    pub fn of(settings: &TopicSettings, own: Option<f64>) -> Self {
        Self {
            pass: own.unwrap_or(settings.similarity_threshold),
            high: settings.high_bypass_score,
            medium: settings.medium_gate_score,
            low: settings.low_gate_score,
        }
    }
}

/// What happens to a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "what", content = "why")]
pub enum Decision {
    /// It is active; nobody is asked.
    Activate,
    /// The gate decides.
    AskGate,
    /// It is not active.
    Drop(DropReason),
}

/// Why a topic is not active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// Only a person may activate it.
    Manual,
    /// No trigger matched, and the similarity alone is not high enough to ask.
    NoTrigger,
    /// The similarity is below the topic's threshold.
    BelowThreshold,
    /// The similarity is below what its priority needs.
    BelowPriority,
}

impl Decision {
    /// The reason in words.
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            Self::Activate => "it is sure enough to skip the gate",
            Self::AskGate => "the gate decides",
            Self::Drop(DropReason::Manual) => "only a person activates it",
            Self::Drop(DropReason::NoTrigger) => "no trigger matched, and it is not near enough to ask",
            Self::Drop(DropReason::BelowThreshold) => "it is below the topic's threshold",
            Self::Drop(DropReason::BelowPriority) => "it is below what its priority needs",
        }
    }
}

/// Decides over one topic.
///
/// With a trigger that matched, A5.4's table holds, after two things that A5.2 and A4.2 say first: a topic with the activation
/// `manual` never becomes active, and one below its threshold is no candidate, whatever its priority, unless it is critical
/// ("any"). `auto` skips the gate and with it the table.
///
/// Without such a trigger the seeds say nothing. Similarity alone then never activates: from the score on at which a topic of
/// high priority would skip the gate, the gate is asked, whatever the priority.
#[must_use]
pub fn decide(
    activation: Activation,
    priority: Priority,
    has_matched: bool,
    score: f64,
    thresholds: &Thresholds,
) -> Decision {
    if activation == Activation::Manual {
        return Decision::Drop(DropReason::Manual);
    }
    if !has_matched {
        let is_near = score >= thresholds.high.max(thresholds.pass);
        return if is_near { Decision::AskGate } else { Decision::Drop(DropReason::NoTrigger) };
    }
    if priority == Priority::Critical {
        return Decision::Activate;
    }
    if score < thresholds.pass {
        return Decision::Drop(DropReason::BelowThreshold);
    }
    if activation == Activation::Auto {
        return Decision::Activate;
    }
    match priority {
        Priority::High if score >= thresholds.high => Decision::Activate,
        Priority::Medium if score < thresholds.medium => Decision::Drop(DropReason::BelowPriority),
        Priority::Low if score < thresholds.low => Decision::Drop(DropReason::BelowPriority),
        _ => Decision::AskGate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Thresholds = Thresholds { pass: 0.15, high: 0.3, medium: 0.2, low: 0.3 };

    fn gated(priority: Priority, score: f64) -> Decision {
        decide(Activation::Gated, priority, true, score, &SEED)
    }

    #[test]
    fn the_table_of_the_seed_holds_row_by_row() {
        // | critical | yes | any | no gate, at once |
        for score in [0.0, 0.1, 0.3, 1.0] {
            assert_eq!(gated(Priority::Critical, score), Decision::Activate);
        }
        // | high | yes | ≥0.3 | no gate |
        assert_eq!(gated(Priority::High, 0.3), Decision::Activate);
        assert_eq!(gated(Priority::High, 1.0), Decision::Activate);
        // | high | yes | <0.3 | gate |
        assert_eq!(gated(Priority::High, 0.299), Decision::AskGate);
        assert_eq!(gated(Priority::High, 0.15), Decision::AskGate);
        // | medium | yes | ≥0.2 | gate |
        assert_eq!(gated(Priority::Medium, 0.2), Decision::AskGate);
        assert_eq!(gated(Priority::Medium, 1.0), Decision::AskGate);
        // | medium | yes | <0.2 | dropped |
        assert_eq!(gated(Priority::Medium, 0.199), Decision::Drop(DropReason::BelowPriority));
        // | low | yes | ≥0.3 | gate |
        assert_eq!(gated(Priority::Low, 0.3), Decision::AskGate);
        assert_eq!(gated(Priority::Low, 1.0), Decision::AskGate);
        // | low | yes | <0.3 | dropped |
        assert_eq!(gated(Priority::Low, 0.299), Decision::Drop(DropReason::BelowPriority));
    }

    #[test]
    fn below_its_threshold_a_topic_is_no_candidate_unless_it_is_critical() {
        for priority in [Priority::Low, Priority::Medium, Priority::High] {
            assert_eq!(gated(priority, 0.149), Decision::Drop(DropReason::BelowThreshold));
            let auto = decide(Activation::Auto, priority, true, 0.149, &SEED);
            assert_eq!(auto, Decision::Drop(DropReason::BelowThreshold));
        }
        let own = Thresholds { pass: 0.5, ..SEED };
        assert_eq!(
            decide(Activation::Gated, Priority::High, true, 0.4, &own),
            Decision::Drop(DropReason::BelowThreshold)
        );
        let none = Thresholds { pass: 0.0, ..SEED };
        assert_eq!(decide(Activation::Auto, Priority::Low, true, 0.0, &none), Decision::Activate);
        assert_eq!(decide(Activation::Gated, Priority::High, true, 0.0, &none), Decision::AskGate);
    }

    #[test]
    fn auto_skips_the_gate_and_manual_never_becomes_active() {
        for priority in [Priority::Low, Priority::Medium, Priority::High, Priority::Critical] {
            for score in [0.0, 0.15, 0.2, 0.3, 1.0] {
                for has_matched in [false, true] {
                    let manual = decide(Activation::Manual, priority, has_matched, score, &SEED);
                    assert_eq!(manual, Decision::Drop(DropReason::Manual));
                }
            }
            assert_eq!(decide(Activation::Auto, priority, true, 0.15, &SEED), Decision::Activate);
        }
    }

    #[test]
    fn similarity_alone_asks_and_never_activates() {
        for activation in [Activation::Auto, Activation::Gated] {
            for priority in [Priority::Low, Priority::Medium, Priority::High, Priority::Critical] {
                let alone = |score| decide(activation, priority, false, score, &SEED);
                assert_eq!(alone(0.299), Decision::Drop(DropReason::NoTrigger));
                assert_eq!(alone(0.3), Decision::AskGate);
                assert_eq!(alone(1.0), Decision::AskGate);
            }
        }
        let own = Thresholds { pass: 0.5, ..SEED };
        let alone = decide(Activation::Gated, Priority::High, false, 0.4, &own);
        assert_eq!(alone, Decision::Drop(DropReason::NoTrigger));
    }
}
