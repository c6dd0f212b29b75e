//! The scores of all passages before any is looked at closely: words and meaning joined, what is closed left out, and what each
//! conversation adds to its turns.

use std::collections::HashSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::LeftOut;
use crate::best::best;
use crate::decay::Visibility;
use crate::lexical::Matches;
use crate::query::{Mode, Query};
use crate::rank::{self, Fusion, Ranking};
use crate::segment::{Slot, Traits};
use crate::view::View;
use crate::visibility::Visibilities;

/// Of what is hidden, that counts as matching which reaches this share of the best match.
const LEAST_LEFT_OUT: f32 = 0.5;

/// The scores of all passages.
pub(crate) struct Scores {
    pub(crate) matches: Matches,
    pub(crate) cosines: Vec<f32>,
    /// The best cosine there is.
    nearest: f32,
    /// Both together.
    pub(crate) own: Vec<f32>,
    /// What the words count in it; 0 where it is no such sum.
    pub(crate) by_words: f32,
    pub(crate) in_context: bool,
    /// What the match by meaning counts in it.
    by_meaning: f32,
    /// In the seed's fusion, the two parts of each passage that is listed, as its arithmetic takes them.
    seed: FxHashMap<usize, (f32, f32)>,
    ranking: Ranking,
}

/// The parts of a passage's own score, for whoever asks where it comes from.
pub(crate) struct Parts {
    /// What words and meaning count.
    pub(crate) weights: (f64, f64),
    pub(crate) words: f64,
    pub(crate) meaning: f64,
    /// What is added by name, or taken off.
    pub(crate) bonuses: Vec<(String, f64)>,
}

impl Scores {
    pub(crate) fn new(
        query: &Query,
        traits: &[Traits],
        open: &[bool],
        matches: Matches,
        cosines: Vec<f32>,
    ) -> Self {
        let (by_words, by_meaning) = match (query.ranking.fusion, query.mode) {
            (Fusion::Scaled, Mode::Hybrid) => (query.ranking.bm25_weight, query.ranking.vector_weight),
            (Fusion::Scaled, Mode::Keyword) => (1.0, 0.0),
            (Fusion::Scaled, Mode::Vector) => (0.0, 1.0),
            (Fusion::Seed, _) => (0.0, 0.0),
        };
        let nearest = rank::most(&cosines, open);
        let in_context = query.ranking.context;
        let (seed, ranking) = (FxHashMap::default(), query.ranking);
        let own = Vec::new();
        let mut scores =
            Self { matches, cosines, nearest, own, by_words, in_context, by_meaning, seed, ranking };
        scores.own = match query.ranking.fusion {
            Fusion::Scaled => {
                let own = |at| by_words * scores.matches.share(at) + by_meaning * scores.meaning(at);
                (0..traits.len()).map(own).collect()
            }
            Fusion::Seed => {
                let (fused, parts) = seed_fused(query, &scores.matches.spread, &scores.cosines);
                scores.seed = parts;
                fused
            }
        };
        for ((score, traits), open) in scores.own.iter_mut().zip(traits).zip(open) {
            let bare = if traits.has(Traits::BARE) { rank::BARE } else { 1.0 };
            *score *= if *open { bare } else { 0.0 };
        }
        scores
    }

    /// How many memories match about as well as what is shown must, and are hidden.
    pub(crate) fn left_out(
        &self,
        query: &Query,
        slots: &[Slot],
        hidden: &[usize],
        visibilities: &Visibilities<'_>,
    ) -> LeftOut {
        // The seed's fusion knows the best of what is open alone.
        if hidden.is_empty() || query.ranking.fusion == Fusion::Seed {
            return LeftOut::default();
        }
        let match_of = |at: usize| {
            self.by_words * self.matches.share(at) + (1.0 - self.by_words) * self.meaning(at).min(1.0)
        };
        let best = hidden.iter().map(|at| match_of(*at)).fold(0.0, f32::max);
        let best = self.own.iter().copied().fold(best, f32::max);
        #[allow(clippy::cast_possible_truncation, reason = "a share")]
        let least = best * (query.min_score as f32).max(LEAST_LEFT_OUT);
        let mut seen = HashSet::new();
        let mut left_out = LeftOut::default();
        for at in hidden {
            let slot = &slots[*at];
            if self.matches.spread[*at] <= 0.0 || match_of(*at) < least {
                continue;
            }
            if seen.insert((slot.file, slot.fading.memory)) {
                match visibilities.of(slot) {
                    Visibility::Dormant => left_out.dormant += 1,
                    _ => left_out.archived += 1,
                }
            }
        }
        left_out
    }

    /// Where a passage's own score comes from.
    pub(crate) fn parts(&self, slot: &Slot, at: usize) -> Parts {
        let (weights, (words, meaning)) = match self.ranking.fusion {
            Fusion::Scaled => ((self.by_words, self.by_meaning), (self.matches.share(at), self.meaning(at))),
            Fusion::Seed => {
                let weights = (self.ranking.bm25_weight, self.ranking.vector_weight);
                (weights, self.seed.get(&at).copied().unwrap_or_default())
            }
        };
        let sum = weights.0 * words + weights.1 * meaning;
        let mut bonuses = Vec::new();
        let mut name = |name: &str, amount: f32| {
            let amount = shown(amount);
            if amount != 0.0 {
                bonuses.push((name.to_owned(), amount));
            }
        };
        let bare = if slot.traits.has(Traits::BARE) { (rank::BARE - 1.0) * sum } else { 0.0 };
        name("headings alone", bare);
        name("words that stand together", self.own[at] - sum - bare);
        let weights = (shown(weights.0), shown(weights.1));
        Parts { weights, words: f64::from(words), meaning: f64::from(meaning), bonuses }
    }

    /// The match by meaning: 1 is the best of the question.
    pub(crate) fn meaning(&self, at: usize) -> f32 {
        rank::share(self.cosines[at], self.nearest)
    }

    /// The conversations of which a turn among these matches by words; none where each passage stands for itself.
    pub(crate) fn conversations_with_words(&self, slots: &[Slot], among: &[usize]) -> FxHashSet<u32> {
        let matched = among.iter().filter(|at| self.in_context && self.matches.spread[**at] > 0.0);
        let turns = matched.map(|at| &slots[*at]).filter(|slot| slot.traits.has(Traits::TURN));
        turns.map(|slot| slot.file).collect()
    }

    /// Takes off what a passage matches less by words than it seemed. The seed's fusion knows the best of each list alone and
    /// keeps them.
    pub(crate) fn lower(&mut self, at: usize, excess: f32) {
        let before = self.matches.share(at);
        self.matches.spread[at] = (self.matches.spread[at] - excess).max(0.0);
        self.own[at] -= self.by_words * (before - self.matches.share(at));
    }

    /// Each passage's own score with what its conversation adds; 0 for those that are not open.
    pub(crate) fn with_session(&self, view: &View, open: &[bool]) -> Vec<f32> {
        let mut total = vec![0.0; self.own.len()];
        if self.in_context {
            rank::add_sessions(&view.conversations, &self.own, &mut total);
        }
        for ((total, own), open) in total.iter_mut().zip(&self.own).zip(open) {
            *total = if *open { *total + own } else { 0.0 };
        }
        total
    }

    /// Does [`Self::with_session`] again for these passages, of which their own scores have changed, and for their conversations.
    pub(crate) fn renew(&self, view: &View, open: &[bool], changed: &[usize], total: &mut [f32]) {
        let files: FxHashSet<u32> = changed.iter().map(|at| view.slots[*at].file).collect();
        let runs_of = |file: &u32| view.conversations.of(&view.slots, *file).filter(|_| self.in_context);
        for runs in files.iter().filter_map(runs_of) {
            let session = rank::session_of(runs, &self.own);
            for at in runs.iter().cloned().flatten() {
                total[at] = if open[at] { session + self.own[at] } else { 0.0 };
            }
        }
        for &at in changed.iter().filter(|at| runs_of(&view.slots[**at].file).is_none()) {
            total[at] = if open[at] { self.own[at] } else { 0.0 };
        }
    }
}

/// A number as it is shown: what comes after the sixth place is of the arithmetic.
fn shown(number: f32) -> f64 {
    const PLACES: f64 = 1e6;
    (f64::from(number) * PLACES).round() / PLACES
}

/// The seed's fusion (A7.3) of the best of each list, twice as many as are shown; and the parts it takes of each: `bm25 / max bm25`
/// and `1 − distance / max distance`.
fn seed_fused(query: &Query, words: &[f32], meaning: &[f32]) -> (Vec<f32>, FxHashMap<usize, (f32, f32)>) {
    let listed = query.limit.saturating_mul(2);
    let by_words = best(words, listed);
    let by_meaning = best(meaning, listed);
    let most = by_words.first().map_or(0.0, |at| words[*at]);
    let farthest = by_meaning.last().map_or(0.0, |at| 1.0 - meaning[*at]);
    let mut fused = vec![0.0; words.len()];
    let (lexical, near): (HashSet<usize>, HashSet<usize>) =
        (by_words.into_iter().collect(), by_meaning.into_iter().collect());
    let alone = |words, meaning| Ranking { bm25_weight: words, vector_weight: meaning, ..query.ranking };
    let (of_words, of_meaning) = (alone(1.0, 0.0), alone(0.0, 1.0));
    let mut parts = FxHashMap::default();
    for at in lexical.union(&near) {
        let by_words = lexical.contains(at).then(|| (words[*at], most));
        let by_meaning = near.contains(at).then(|| (1.0 - meaning[*at], farthest));
        fused[*at] = rank::seed_fusion(&query.ranking, by_words, by_meaning);
        let part = |ranking| rank::seed_fusion(ranking, by_words, by_meaning);
        parts.insert(*at, (part(&of_words), part(&of_meaning)));
    }
    (fused, parts)
}
