//! Thresholds that the log speaks for (A5.5): proposed with the evidence, set when somebody says so.
//!
//! What counts are decisions of which it is known whether the topic was of use, a trigger matched, and the topic is not critical: for
//! those the threshold decides. A threshold is wrong about a useful topic below it, which counts double, and about a useless one
//! above. Another one is proposed where it is clearly less wrong, on enough evidence of both kinds; else it is said why not.

use rem_format::document::{Document, Value};
use rem_format::topic::Priority;
use rem_ledger::{Applied, ChangeSet, Store};
use serde::Serialize;

use super::{GateRecord, Side};
use crate::error::MemoryError;
use crate::memory::Memory;

const SETTING: &str = "topics.similarity_threshold";
const KEY: &str = "similarity_threshold";
/// Decisions that are needed, and of each kind, for the threshold of all topics and of one.
const LEAST_FOR_ALL: (usize, usize) = (30, 8);
const LEAST_FOR_ONE: (usize, usize) = (12, 3);
/// What a useful topic below the threshold counts; a useless one above counts 1.
const LOST: usize = 2;
/// By how much less another threshold must be wrong, and by which share.
const LEAST_GAIN: usize = 3;
const LEAST_GAIN_SHARE: f64 = 0.1;
/// Where the evidence is shown to be divided.
const BANDS: [f64; 7] = [0.0, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0];

/// What the log speaks for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tuning {
    /// Decisions in the log.
    pub decisions: usize,
    /// Those of which it is known whether the topic was of use.
    pub judged: usize,
    /// The threshold of topics that say none themselves, then of each topic with evidence.
    pub thresholds: Vec<ThresholdProposal>,
}

/// A threshold, the evidence about it, and what follows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThresholdProposal {
    /// The topic; nothing for `topics.similarity_threshold`.
    pub topic: Option<String>,
    /// What holds now.
    pub now: f64,
    /// What would be better; nothing where it stays.
    pub proposed: Option<f64>,
    /// Why, in words.
    pub why: String,
    /// Decisions after which the topic was of use.
    pub useful: usize,
    /// Decisions after which it was not.
    pub not_useful: usize,
    /// The same by score.
    pub by_score: Vec<ScoreBand>,
}

/// Decisions whose scores lie close together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreBand {
    /// The lowest score.
    pub from: f64,
    /// Where the next begins.
    pub to: f64,
    /// Decisions after which the topic was of use.
    pub useful: usize,
    /// Decisions after which it was not.
    pub not_useful: usize,
}

impl Tuning {
    /// The thresholds that would change.
    pub fn proposals(&self) -> impl Iterator<Item = (&ThresholdProposal, f64)> {
        self.thresholds.iter().filter_map(|each| Some((each, each.proposed?)))
    }
}

/// A score, and whether the topic was of use.
type Evidence = (f64, bool);

impl Memory {
    /// What the log of decisions says about the thresholds. Changes nothing.
    ///
    /// # Errors
    /// As [`Self::topics`].
    pub fn tune_topics(&self) -> Result<Tuning, MemoryError> {
        let log = self.gate_log();
        let set = self.topics()?;
        let evidence = |record: &GateRecord| {
            (record.side == Side::Input && record.tier1_matched)
                .then_some(())
                .and_then(|()| Some((record.tier2_score, record.was_useful?)))
        };
        let mut of_all: Vec<Evidence> = Vec::new();
        let mut of_each: Vec<(&str, Option<f64>, Vec<Evidence>)> = Vec::new();
        for topic in set.topics().iter().filter(|topic| topic.priority != Priority::Critical) {
            let own = topic.similarity_threshold;
            // With 0 somebody says that triggers alone decide: that is no threshold that is wrong.
            if own == Some(0.0) {
                continue;
            }
            let found: Vec<Evidence> =
                log.iter().filter(|record| record.topic_name == topic.name).filter_map(evidence).collect();
            if own.is_none() {
                of_all.extend(&found);
            }
            if !found.is_empty() {
                of_each.push((&topic.name, own, found));
            }
        }
        let now = self.config.topics.similarity_threshold;
        let global = proposal(None, now, &of_all, LEAST_FOR_ALL);
        let then = global.proposed.unwrap_or(now);
        let mut thresholds = vec![global];
        thresholds.extend(
            of_each
                .iter()
                .map(|(name, own, found)| proposal(Some(name), own.unwrap_or(then), found, LEAST_FOR_ONE)),
        );
        let judged = log.iter().filter(|record| record.was_useful.is_some()).count();
        Ok(Tuning { decisions: log.len(), judged, thresholds })
    }

    /// Sets what [`Self::tune_topics`] proposes, all at once: the setting in CONFIG.md, and the topics' own in their files, where no
    /// other byte changes. `None` where nothing is proposed.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where it cannot be written; then nothing was.
    pub fn apply_tuning(&self, tuning: &Tuning) -> Result<Option<Applied>, MemoryError> {
        let set = self.topics()?;
        let mut changes = ChangeSet::new();
        for (each, threshold) in tuning.proposals() {
            changes = match &each.topic {
                None => changes.edit(
                    self.path(Store::Config).clone(),
                    format!("set {SETTING} to {threshold}"),
                    move |found| {
                        let text = std::str::from_utf8(found.unwrap_or_default())?;
                        Ok(Some(rem_format::config::set(text, SETTING, &threshold.to_string())?.into_bytes()))
                    },
                ),
                Some(name) => match set.path(name) {
                    None => changes,
                    Some(path) => {
                        changes.edit(path.clone(), format!("topic {name}: {KEY} {threshold}"), move |found| {
                            // A file that is gone is not made again.
                            let Some(found) = found else { return Ok(None) };
                            let mut document = Document::parse(found);
                            document.set(KEY, &Value::Float(threshold))?;
                            Ok(Some(document.render()))
                        })
                    }
                },
            };
        }
        if changes.is_empty() {
            return Ok(None);
        }
        let provenance = self.asked_for("rem topics tune --apply");
        Ok(Some(self.ledger.apply(&changes, &provenance)?))
    }
}

fn proposal(
    topic: Option<&str>,
    now: f64,
    evidence: &[Evidence],
    (least, least_of_each): (usize, usize),
) -> ThresholdProposal {
    let useful = evidence.iter().filter(|(_, useful)| *useful).count();
    let not_useful = evidence.len() - useful;
    let (proposed, why) = if evidence.len() < least {
        (None, format!("too little evidence: {} of {least} decisions", evidence.len()))
    } else if useful.min(not_useful) < least_of_each {
        (
            None,
            format!(
                "too little evidence: it takes {least_of_each} that were useful and {least_of_each} that were not"
            ),
        )
    } else {
        let (best, wrong, wrong_now) = best(now, evidence);
        #[allow(clippy::cast_precision_loss, reason = "a log has some thousand lines")]
        let is_clear = wrong_now - wrong >= LEAST_GAIN
            && (wrong_now - wrong) as f64 >= LEAST_GAIN_SHARE * evidence.len() as f64;
        let (below, above) = errors(best, evidence);
        let (below_now, above_now) = errors(now, evidence);
        match is_clear {
            true => (
                Some(best),
                format!(
                    "useful ones below it: {below_now} now, {below} then; useless ones above: {above_now} now, {above} then"
                ),
            ),
            false => (
                None,
                format!(
                    "no other is clearly better: {below_now} useful ones below it, {above_now} useless ones above"
                ),
            ),
        }
    };
    let band = |edges: &[f64]| {
        let is_last = edges[1] >= 1.0;
        let inside = |score: f64| score >= edges[0] && (score < edges[1] || is_last);
        let count = |wanted: bool| {
            evidence.iter().filter(|(score, useful)| inside(*score) && *useful == wanted).count()
        };
        ScoreBand { from: edges[0], to: edges[1], useful: count(true), not_useful: count(false) }
    };
    let by_score = BANDS.windows(2).map(band).filter(|band| band.useful + band.not_useful > 0).collect();
    ThresholdProposal { topic: topic.map(str::to_owned), now, proposed, why, useful, not_useful, by_score }
}

/// Useful ones below a threshold, and useless ones from it on.
fn errors(threshold: f64, evidence: &[Evidence]) -> (usize, usize) {
    let below = evidence.iter().filter(|(score, useful)| *useful && *score < threshold).count();
    let above = evidence.iter().filter(|(score, useful)| !*useful && *score >= threshold).count();
    (below, above)
}

/// The threshold that is least wrong, among those between two scores, with two digits; the nearest to what is now where several are.
/// With it how wrong it is, and how wrong the present one.
fn best(now: f64, evidence: &[Evidence]) -> (f64, usize, usize) {
    let wrong = |threshold: f64| {
        let (below, above) = errors(threshold, evidence);
        LOST * below + above
    };
    let mut scores: Vec<f64> = evidence.iter().map(|(score, _)| *score).collect();
    scores.sort_by(f64::total_cmp);
    let wrong_now = wrong(now);
    let mut best = (now, wrong_now);
    for pair in scores.windows(2) {
        let between = (f64::midpoint(pair[0], pair[1]) * 100.0).round() / 100.0;
        let found = (between.clamp(0.01, 0.99), wrong(between.clamp(0.01, 0.99)));
        let is_nearer = (found.0 - now).abs() < (best.0 - now).abs();
        if found.1 < best.1 || found.1 == best.1 && is_nearer {
            best = found;
        }
    }
    (best.0, best.1, wrong_now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(useful: &[f64], not: &[f64]) -> Vec<Evidence> {
        let useful = useful.iter().map(|score| (*score, true));
        useful.chain(not.iter().map(|score| (*score, false))).collect()
    }

    fn proposed(useful: &[f64], not: &[f64]) -> ThresholdProposal {
        proposal(Some("t"), 0.15, &evidence(useful, not), LEAST_FOR_ONE)
    }

    #[test]
    fn a_threshold_moves_to_where_it_is_least_wrong() {
        let found = proposed(&[0.5, 0.6, 0.7, 0.8, 0.9, 0.55], &[0.2, 0.22, 0.25, 0.3, 0.31, 0.32]);
        assert_eq!(found.proposed, Some(0.41), "between 0.32 and 0.5");
        assert_eq!(found.why, "useful ones below it: 0 now, 0 then; useless ones above: 6 now, 0 then");
        assert_eq!((found.useful, found.not_useful), (6, 6));
        let bands: Vec<_> =
            found.by_score.iter().map(|band| (band.from, band.useful, band.not_useful)).collect();
        assert_eq!(bands, [(0.2, 0, 3), (0.3, 0, 3), (0.5, 6, 0)]);
        let lower = proposed(&[0.1, 0.11, 0.12, 0.13, 0.14, 0.2], &[0.01, 0.02, 0.03, 0.04, 0.05, 0.02]);
        assert_eq!(lower.proposed, Some(0.08), "useful ones that were dropped bring it down");
    }

    #[test]
    fn too_little_evidence_or_gain_leaves_it_and_says_so() {
        for (useful, not) in [
            (&[][..], &[][..]),
            (&[0.5, 0.6][..], &[0.2; 9][..]),
            (&[0.5; 20][..], &[0.2, 0.2][..]),
            (&[][..], &[0.2; 40][..]),
        ] {
            let found = proposed(useful, not);
            assert_eq!(found.proposed, None);
            assert!(found.why.starts_with("too little evidence"), "{}", found.why);
        }
        let mixed = proposed(&[0.2, 0.3, 0.4, 0.5, 0.6, 0.7], &[0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
        assert!(
            mixed.proposed.is_none() && mixed.why.starts_with("no other is clearly better"),
            "{}",
            mixed.why
        );
    }
}
