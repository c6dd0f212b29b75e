//! How relevant a memory still is (M9): it fades with the days since it was last used, and use strengthens it.
//!
//! Pure: numbers in, numbers out, so what a moment's relevance is never depends on how often a job ran.

use rem_format::config::DecaySettings;
use serde::{Deserialize, Serialize};

use super::router::StoreKind;

/// Where a memory's relevance puts it (M9.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Hidden from search unless asked for.
    Archived,
    /// Found when asked for.
    Dormant,
    /// Found, further down.
    Fading,
    /// Found.
    Active,
}

/// What a memory's kind is worth (M9.1): infinite in the vault, which never fades.
#[must_use]
pub fn type_weight(store: StoreKind, settings: &DecaySettings) -> f64 {
    match store {
        StoreKind::Core => settings.core_weight,
        StoreKind::Episodic => settings.episodic_weight,
        StoreKind::Semantic => settings.semantic_weight,
        StoreKind::Procedural => settings.procedural_weight,
        StoreKind::Vault => f64::INFINITY,
    }
}

/// M9.1: `base · e^(−λ · days) · log2(accesses + 1) · weight`. `days` since the last access, at least 0 (a clock that went back
/// makes nothing more relevant than it is now); `accesses` counts the making as the first (resolution 6).
#[must_use]
pub fn relevance(base: f64, days: f64, accesses: u32, weight: f64, lambda: f64) -> f64 {
    if weight.is_infinite() {
        return f64::INFINITY;
    }
    base * (-lambda * days.max(0.0)).exp() * (f64::from(accesses.max(1)) + 1.0).log2() * weight
}

/// M9.2's table; scores above 1 are active as well.
#[must_use]
pub fn visibility(score: f64, settings: &DecaySettings) -> Visibility {
    match score {
        score if score >= settings.active_threshold => Visibility::Active,
        score if score >= settings.fading_threshold => Visibility::Fading,
        score if score >= settings.archive_threshold => Visibility::Dormant,
        _ => Visibility::Archived,
    }
}

#[cfg(test)]
mod tests {
    use rem_format::config::Config;

    use super::*;

    fn settings() -> DecaySettings {
        Config::default().decay
    }

    #[test]
    fn the_formula_is_the_seeds() {
        let lambda = settings().lambda;
        // λ 0.03: a half-life of about 23 days.
        assert!((relevance(1.0, 23.1, 1, 1.0, lambda) - 0.5).abs() < 0.001);
        // The entity of M9.3: 0.7 at its making, weight 1.2, 13.25 days untouched.
        let entity = relevance(0.7, 13.25, 1, 1.2, lambda);
        assert!((entity - 0.84 * (-0.3975_f64).exp()).abs() < 1e-12);
        // Its episode: just used, twice, weight 0.8.
        let episode = relevance(1.0, 0.0, 2, 0.8, lambda);
        assert!((episode - 3.0_f64.log2() * 0.8).abs() < 1e-12);
        // The example gives 0.92 and 0.52 and calls both active: the formula gives 1.27 and 0.56, active as well.
        assert_eq!([entity, episode].map(|score| visibility(score, &settings())), [Visibility::Active; 2]);
    }

    #[test]
    fn the_table_of_statuses_is_the_seeds() {
        use Visibility::{Active, Archived, Dormant, Fading};
        let table = [
            (1.0, Active),
            (0.5, Active),
            (0.499, Fading),
            (0.2, Fading),
            (0.199, Dormant),
            (0.05, Dormant),
            (0.049, Archived),
            (0.0, Archived),
        ];
        for (score, expected) in table {
            assert_eq!(visibility(score, &settings()), expected, "{score}");
        }
    }

    #[test]
    fn what_is_pinned_never_fades_and_a_clock_that_goes_back_strengthens_nothing() {
        let vault = type_weight(StoreKind::Vault, &settings());
        assert_eq!(visibility(relevance(1.0, 1e6, 1, vault, 0.03), &settings()), Visibility::Active);
        assert!(
            (relevance(1.0, -400.0, 1, 1.0, 0.03) - relevance(1.0, 0.0, 1, 1.0, 0.03)).abs() < f64::EPSILON
        );
        assert!((relevance(1.0, 0.0, 0, 1.0, 0.03) - 1.0).abs() < f64::EPSILON);
    }
}
