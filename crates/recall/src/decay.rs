//! How relevant a memory still is (M9): it fades with the days since it was last used, and use strengthens it.
//!
//! Pure: numbers in, numbers out, so what a moment's relevance is never depends on how often a job ran.

use rem_format::config::DecaySettings;
pub use rem_format::decay_scores::{StoreKind, Visibility};

/// Of so many parts [`Standing::handed_base`] counts.
pub(crate) const BASE_PARTS: f64 = 10_000.0;

/// How a memory came to be: what it is worth at its making (M9.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Concluded from others.
    Inferred,
    /// Noticed in talk.
    Detected,
    /// Asked for, or written by a person.
    Explicit,
}

/// What a memory's relevance follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Its store.
    pub store: StoreKind,
    /// How it came to be.
    pub origin: Origin,
    /// The day of the last access, counted from 1970; none where nothing says when: it does not fade.
    pub last_day: Option<i32>,
    /// Accesses; the making is the first.
    pub accesses: u32,
    /// Whether it never fades.
    pub pinned: bool,
    /// What another program's checkpoint says that it was worth at its making, in ten-thousandths; nothing where its origin tells.
    pub handed_base: Option<u16>,
}

impl Standing {
    /// What its kind is worth (M9.1): infinite for what is pinned or in the vault, which never fades.
    #[must_use]
    pub fn type_weight(&self, settings: &DecaySettings) -> f64 {
        match self.store {
            _ if self.pinned => f64::INFINITY,
            StoreKind::Core => settings.core_weight,
            StoreKind::Episodic => settings.episodic_weight,
            StoreKind::Semantic => settings.semantic_weight,
            StoreKind::Procedural => settings.procedural_weight,
            StoreKind::Vault => f64::INFINITY,
        }
    }

    /// What it was worth at its making (M9.1), 0 to 1.
    #[must_use]
    pub fn base(&self, settings: &DecaySettings) -> f64 {
        match (self.handed_base, self.origin) {
            (Some(base), _) => f64::from(base) / BASE_PARTS,
            (None, Origin::Explicit) => settings.explicit_base,
            (None, Origin::Detected) => settings.detected_base,
            (None, Origin::Inferred) => settings.inferred_base,
        }
    }
}

/// The relevance of many memories on one day.
#[derive(Debug)]
pub struct Relevances<'a> {
    settings: &'a DecaySettings,
    today: i32,
    /// `e^(−λ · days)` for the first days, since most memories share a few hundred values.
    falloff: Vec<f64>,
}

impl<'a> Relevances<'a> {
    /// On `today`, counted from 1970.
    #[must_use]
    pub fn on(today: i32, settings: &'a DecaySettings) -> Self {
        const DAYS: i32 = 1_024;
        let falloff = (0..DAYS).map(|days| (-settings.lambda * f64::from(days)).exp()).collect();
        Self { settings, today, falloff }
    }

    /// M9.1; infinite for what never fades.
    #[must_use]
    pub fn of(&self, standing: &Standing) -> f64 {
        let weight = standing.type_weight(self.settings);
        if weight.is_infinite() {
            return f64::INFINITY;
        }
        let days = standing.last_day.map_or(0, |last| self.today.saturating_sub(last).max(0));
        let falloff = usize::try_from(days).ok().and_then(|days| self.falloff.get(days)).copied();
        let falloff = falloff.unwrap_or_else(|| (-self.settings.lambda * f64::from(days)).exp());
        standing.base(self.settings) * falloff * strengthened(standing.accesses) * weight
    }

    /// Where its relevance puts it.
    #[must_use]
    pub fn visibility(&self, standing: &Standing) -> Visibility {
        visibility(self.of(standing), self.settings)
    }
}

/// What use makes of a memory (M9.1): `log2(accesses + 1)`; a memory's making is its first access (resolution 6).
#[must_use]
fn strengthened(accesses: u32) -> f64 {
    match accesses {
        0 | 1 => 1.0,
        more => (f64::from(more) + 1.0).log2(),
    }
}

/// M9.1: `base · e^(−λ · days) · log2(accesses + 1) · weight`. `days` since the last access, at least 0 (a clock that went back
/// makes nothing more relevant than it is now).
#[must_use]
pub fn relevance(base: f64, days: f64, accesses: u32, weight: f64, lambda: f64) -> f64 {
    if weight.is_infinite() {
        return f64::INFINITY;
    }
    base * (-lambda * days.max(0.0)).exp() * strengthened(accesses) * weight
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

/// What A8.5's pruning goes by: `exp(−λ · days) · references`. Days before the file was made count as none; λ is a rate per day.
#[must_use]
pub fn eviction_score(days: i64, references: usize, lambda: f64) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "days of a life and links of a workspace")]
    let (days, references) = (days.max(0) as f64, references as f64);
    (-lambda * days).exp() * references
}

#[cfg(test)]
mod tests {
    use rem_format::config::Config;

    use super::*;

    fn settings() -> DecaySettings {
        Config::default().decay
    }

    fn standing(last_day: i32, accesses: u32) -> Standing {
        let (store, origin) = (StoreKind::Semantic, Origin::Detected);
        Standing { store, origin, last_day: Some(last_day), accesses, pinned: false, handed_base: None }
    }

    #[test]
    fn the_relevances_of_a_day_are_those_of_the_formula() {
        let settings = settings();
        for (days, accesses) in
            [(0, 0), (0, 1), (13, 1), (100, 7), (1_023, 2), (1_024, 2), (4_000, 90), (-5, 1)]
        {
            let expected = relevance(0.7, f64::from(days), accesses, 1.2, settings.lambda);
            let found = Relevances::on(20_000, &settings).of(&standing(20_000 - days, accesses));
            assert!((found - expected).abs() < 1e-12, "{days} {accesses}: {found} {expected}");
        }
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
    fn the_eviction_score_is_the_seeds() {
        let lambda = settings().eviction_lambda;
        // A half-life of about 14 days.
        assert!((eviction_score(14, 1, lambda) - 0.5).abs() < 0.01);
        assert!(eviction_score(92, 1, lambda) > 0.01 && eviction_score(93, 1, lambda) < 0.01);
        assert!(eviction_score(93, 2, lambda) > 0.01 && eviction_score(0, 0, lambda) < 0.01);
        assert!((eviction_score(-9, 3, lambda) - 3.0).abs() < f64::EPSILON);
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
        let vault = Standing { store: StoreKind::Vault, ..standing(0, 1) };
        let pinned = Standing { pinned: true, ..standing(0, 1) };
        let settings = settings();
        let in_a_thousand_years = Relevances::on(365_000, &settings);
        assert_eq!(
            [vault, pinned].map(|each| in_a_thousand_years.visibility(&each)),
            [Visibility::Active; 2]
        );
        let undated = Standing { last_day: None, ..standing(0, 1) };
        assert_eq!(in_a_thousand_years.visibility(&undated), Visibility::Active);
        assert!(
            (relevance(1.0, -400.0, 1, 1.0, 0.03) - relevance(1.0, 0.0, 1, 1.0, 0.03)).abs() < f64::EPSILON
        );
        assert!((relevance(1.0, 0.0, 0, 1.0, 0.03) - 1.0).abs() < f64::EPSILON);
    }
}
