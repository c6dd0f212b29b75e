//! Drift (I9; P5.2): whether the agent still is what SOUL.md says, and how it changed, by what can be measured.
//!
//! The agent's own messages of the last days are held against principles that a message can be held against (`rules`), and against
//! its messages before (`measures`, `statistic`); what the operator said is held against what was encoded. Each claim
//! cites messages; where there are too few, that is said and nothing else. Reads only, and judges nothing: a list may have been
//! asked for.

mod measures;
mod rules;
mod statistic;

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rem_format::identity::OccurrenceKind;
use rem_format::path::MemoryPath;
use rem_format::transcript::{Role, TurnKind};
use serde::Serialize;
use unicode_segmentation::UnicodeSegmentation;

pub use measures::Measure;

use super::soul::{Principle, Soul};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::statement::Comparison;
use measures::{Measured, measured};
use rules::rule_of;
use statistic::{deviation, difference, mean, median};

/// A change is told where it would come about by chance less often than this, over all measures together (C. Bonferroni's correction).
const CHANCE: f64 = 0.01;
/// … and where Cliff's delta is at least this: what J. Romano and others (2006) call a medium effect.
const EFFECT: f64 = 0.33;
/// Messages of one conversation are alike: fewer conversations than this on either side say nothing.
const FEWEST_SESSIONS: usize = 3;
/// So many messages are cited for a claim.
const CITED: usize = 5;
/// Characters of a message that are cited.
const EXCERPT: usize = 120;

/// What to look at; settings stand in for what is not said.
#[derive(Debug, Clone, Copy, Default)]
pub struct DriftRequest {
    /// Days that are looked at (`identity.drift_days`).
    pub days: Option<u64>,
    /// Days before them that they are held against (`identity.drift_baseline_days`).
    pub baseline_days: Option<u64>,
}

/// Messages that are looked at together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DriftSpan {
    /// From when on, in RFC 3339.
    pub since: String,
    /// Until when, in RFC 3339.
    pub until: String,
    /// How many messages of the agent's there are.
    pub messages: usize,
    /// In how many conversations.
    pub sessions: usize,
}

/// A measure, now and before.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasureShown {
    /// What is measured.
    pub measure: Measure,
    /// Now: the median of amounts, the mean of shares.
    pub now: f64,
    /// Before.
    pub before: f64,
    /// The median absolute deviation before.
    pub deviation: f64,
    /// How likely so much would be by chance, from 0 to 1; nothing where there are too few messages.
    pub p: Option<f64>,
    /// Cliff's delta, from -1 to 1; nothing where there are too few messages.
    pub delta: Option<f64>,
}

/// What is claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DriftKind {
    /// Messages go against a principle.
    PrincipleContradicted,
    /// The operator said again what was encoded already.
    CorrectedAgain,
    /// Messages are not as they were.
    Changed,
}

/// A message or a correction that speaks for a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DriftEvidence {
    /// The file.
    pub path: MemoryPath,
    /// 1-based lines of the file, end exclusive; both 0 for what has an id.
    pub lines: std::ops::Range<usize>,
    /// The id of a correction or a memory; nothing of a message.
    pub id: Option<String>,
    /// The day.
    pub day: Date,
    /// Its beginning.
    pub text: String,
}

/// A claim, with what speaks for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DriftClaim {
    /// What is claimed.
    pub kind: DriftKind,
    /// It in a sentence.
    pub says: String,
    /// The principle, where it is about one.
    pub principle: Option<String>,
    /// How many messages show it.
    pub count: usize,
    /// Of how many that were looked at.
    pub of: usize,
    /// Some of them: those that show it most, or last.
    pub evidence: Vec<DriftEvidence>,
}

/// A week of messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DriftWeek {
    /// Its Monday.
    pub begins: Date,
    /// How many messages.
    pub messages: usize,
    /// The middle of each measure: the median of amounts, the mean of shares.
    pub values: BTreeMap<Measure, f64>,
    /// Messages that go against a principle.
    pub contradicting: usize,
}

/// How the agent changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DriftReport {
    /// What is looked at.
    pub now: DriftSpan,
    /// What it is held against.
    pub before: DriftSpan,
    /// Why nothing is said of how messages changed, where nothing is.
    pub not_enough: Option<String>,
    /// Principles that messages were held against.
    pub tested: Vec<String>,
    /// How many principles no message can be held against.
    pub untested: usize,
    /// What is claimed; each with messages.
    pub claims: Vec<DriftClaim>,
    /// Every measure.
    pub measures: Vec<MeasureShown>,
    /// Week by week, the oldest first.
    pub weeks: Vec<DriftWeek>,
}

/// A message of the agent's.
struct Said {
    path: MemoryPath,
    session: String,
    lines: std::ops::Range<usize>,
    time: Timestamp,
    day: Date,
    text: String,
    measured: Measured,
}

impl Said {
    fn cited(&self) -> DriftEvidence {
        DriftEvidence {
            path: self.path.clone(),
            lines: self.lines.clone(),
            id: None,
            day: self.day,
            text: excerpt(&self.text),
        }
    }
}

impl Memory {
    /// How the agent's messages of the last days relate to SOUL.md and to its messages before. Changes nothing.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where files or git cannot be read.
    pub fn drift(&self, request: &DriftRequest) -> Result<DriftReport, MemoryError> {
        let settings = &self.config.identity;
        let days = request.days.unwrap_or(settings.drift_days).clamp(1, 36_500);
        let before_days = request.baseline_days.unwrap_or(settings.drift_baseline_days).clamp(1, 36_500);
        let now = self.now();
        let ago = |days: u64| {
            let hours = 24 * i64::try_from(days).unwrap_or(0);
            now.saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(Timestamp::MIN)
        };
        let (since, begin) = (ago(days), ago(days + before_days));
        let (before, recent) = self.said_by_agent(begin, since, now)?;
        let soul = self.soul_now()?;
        let principles: Vec<Principle> = soul.principles();
        let tested: Vec<_> = principles
            .iter()
            .filter_map(|principle| Some((principle, rule_of(&principle.shown.text)?)))
            .collect();
        let mut claims = Vec::new();
        let mut contradicting = BTreeSet::new();
        for (principle, rule) in &tested {
            // What was said before it was encoded does not go against it.
            let since = principle.shown.encoded.as_ref().map(|encoded| encoded.day);
            let bound: Vec<&Said> =
                recent.iter().filter(|said| since.is_none_or(|since| said.day > since)).collect();
            let all = before.iter().filter(|said| since.is_none_or(|since| said.day > since));
            for said in
                all.chain(bound.iter().copied()).filter(|said| rule.is_broken_by(&said.text, &said.measured))
            {
                contradicting.insert((said.path.clone(), said.lines.start));
            }
            let against: Vec<&&Said> =
                bound.iter().filter(|said| rule.is_broken_by(&said.text, &said.measured)).collect();
            if !against.is_empty() {
                let text = &principle.shown.text;
                claims.push(DriftClaim {
                    kind: DriftKind::PrincipleContradicted,
                    says: format!("{} of {} messages go against “{text}”", against.len(), bound.len()),
                    principle: Some(text.clone()),
                    count: against.len(),
                    of: bound.len(),
                    evidence: against.iter().rev().take(CITED).map(|said| said.cited()).collect(),
                });
            }
        }
        claims.extend(self.corrected_again(&soul, &principles, since)?);
        let (mut measures, not_enough) = (Vec::new(), too_few(&recent, &before, settings.drift_min_messages));
        for measure in Measure::ALL {
            let (shown, claim) = compared(measure, &recent, &before, not_enough.is_none());
            measures.extend(shown);
            claims.extend(claim);
        }
        let span = |said: &[Said], since: Timestamp, until: Timestamp| DriftSpan {
            since: since.to_string(),
            until: until.to_string(),
            messages: said.len(),
            sessions: sessions(said),
        };
        Ok(DriftReport {
            now: span(&recent, since, now),
            before: span(&before, begin, since),
            not_enough,
            untested: principles.iter().filter(|each| each.is_item).count()
                - tested.iter().filter(|(each, _)| each.is_item).count(),
            tested: tested.into_iter().map(|(principle, _)| principle.shown.text.clone()).collect(),
            claims,
            measures,
            weeks: weeks(before.iter().chain(&recent), &contradicting),
        })
    }

    /// What the agent said before a moment and since, the oldest first.
    fn said_by_agent(
        &self,
        begin: Timestamp,
        since: Timestamp,
        until: Timestamp,
    ) -> Result<(Vec<Said>, Vec<Said>), MemoryError> {
        let mut all = Vec::new();
        self.each_conversation(begin, |memory, path, transcript| {
            for located in &transcript.turns {
                let turn = &located.turn;
                let is_own = turn.role == Role::Agent && turn.kind == TurnKind::Message;
                if !is_own || turn.time <= begin || turn.time > until {
                    continue;
                }
                let text = turn.text();
                let Some(measured) = measured(&text) else { continue };
                all.push(Said {
                    path: path.clone(),
                    session: transcript.header.session_id.clone(),
                    lines: located.lines.clone(),
                    time: turn.time,
                    day: memory.day_of(turn.time),
                    text,
                    measured,
                });
            }
        })?;
        all.sort_by(|one, other| {
            (one.time, &one.path, one.lines.start).cmp(&(other.time, &other.path, other.lines.start))
        });
        Ok(all.into_iter().partition(|said| said.time <= since))
    }

    /// Principles that the operator had to say again after they were encoded.
    fn corrected_again(
        &self,
        soul: &Soul,
        principles: &[Principle],
        since: Timestamp,
    ) -> Result<Vec<DriftClaim>, MemoryError> {
        let mut claims = Vec::new();
        if principles.iter().all(|principle| principle.shown.encoded.is_none()) {
            return Ok(claims);
        }
        let evidence = self.identity_evidence()?;
        for principle in principles {
            let Some(encoded) = &principle.shown.encoded else { continue };
            let said = soul.said_of(&principle.shown.text);
            let is_again = |each: &&super::soul::Observed| {
                each.occurrence.day > encoded.day
                    && each.occurrence.time > since
                    && (each.statement.compared_to(&principle.statement) == Comparison::Same
                        || said.iter().any(|said| each.statement.compared_to(said) == Comparison::Same))
            };
            let again: Vec<_> = evidence.observed.iter().filter(is_again).collect();
            if again.is_empty() {
                continue;
            }
            let cited = again.iter().rev().take(CITED).map(|each| {
                let line = each.occurrence.at.parse::<usize>().ok();
                let line = line.filter(|_| each.occurrence.kind == OccurrenceKind::Conversation);
                DriftEvidence {
                    path: each.occurrence.path.clone(),
                    lines: line.map_or(0..0, |line| line..line + 1),
                    id: if line.is_none() { Some(each.occurrence.at.clone()) } else { None },
                    day: each.occurrence.day,
                    text: excerpt(&each.occurrence.text),
                }
            });
            claims.push(DriftClaim {
                kind: DriftKind::CorrectedAgain,
                says: format!(
                    "the operator said “{}” {} since it was encoded on {}",
                    principle.shown.text,
                    if again.len() == 1 {
                        "again".to_owned()
                    } else {
                        format!("{} times again", again.len())
                    },
                    encoded.day
                ),
                principle: Some(principle.shown.text.clone()),
                count: again.len(),
                of: again.len(),
                evidence: cited.collect(),
            });
        }
        Ok(claims)
    }
}

fn sessions(said: &[Said]) -> usize {
    said.iter().map(|each| each.session.as_str()).collect::<BTreeSet<_>>().len()
}

/// Why two sets of messages cannot be held against each other, where they cannot.
fn too_few(recent: &[Said], before: &[Said], least: u64) -> Option<String> {
    for (said, when) in [(recent, "lately"), (before, "before")] {
        let count = sessions(said);
        if u64::try_from(said.len()).is_ok_and(|messages| messages < least) || count < FEWEST_SESSIONS {
            return Some(format!(
                "{} messages in {count} conversations {when}: {least} in {FEWEST_SESSIONS} are wanted (identity.drift_min_messages)",
                said.len()
            ));
        }
    }
    None
}

/// The middle of a measure.
fn middle(measure: Measure, sample: &[f64]) -> Option<f64> {
    if measure.is_amount() { median(sample) } else { mean(sample) }
}

/// A measure now and before, and what is to be claimed of it.
fn compared(
    measure: Measure,
    recent: &[Said],
    before: &[Said],
    is_enough: bool,
) -> (Option<MeasureShown>, Option<DriftClaim>) {
    let sample = |said: &[Said]| said.iter().map(|each| each.measured.get(measure)).collect::<Vec<_>>();
    let (now, then) = (sample(recent), sample(before));
    let found = is_enough.then(|| difference(&now, &then)).flatten();
    let (Some(middle_now), Some(middle_then)) = (middle(measure, &now), middle(measure, &then)) else {
        return (None, None);
    };
    let shown = MeasureShown {
        measure,
        now: middle_now,
        before: middle_then,
        deviation: deviation(&then).unwrap_or(0.0),
        p: found.map(|found| found.p),
        delta: found.map(|found| found.delta),
    };
    #[allow(clippy::cast_precision_loss, reason = "nine measures")]
    let chance = CHANCE / Measure::ALL.len() as f64;
    let told = found.filter(|found| found.p < chance && found.delta.abs() >= EFFECT);
    let claim = told.and_then(|found| {
        let is_more = found.delta > 0.0;
        // Those beyond the middle before, the farthest first.
        let is_beyond = |said: &&Said| {
            let value = said.measured.get(measure);
            if is_more { value > middle_then } else { value < middle_then }
        };
        let mut beyond: Vec<&Said> = recent.iter().filter(is_beyond).collect();
        beyond.sort_by(|one, other| {
            let order = one.measured.get(measure).total_cmp(&other.measured.get(measure));
            if is_more { order.reverse() } else { order }
        });
        // A claim without evidence is not made.
        (!beyond.is_empty()).then(|| DriftClaim {
            kind: DriftKind::Changed,
            says: format!(
                "{}: {} now, {} before (delta {:+.2}, p {:.4})",
                measure.told(is_more),
                rounded(middle_now),
                rounded(middle_then),
                found.delta,
                found.p
            ),
            principle: None,
            count: beyond.len(),
            of: recent.len(),
            evidence: beyond.iter().take(CITED).map(|said| said.cited()).collect(),
        })
    });
    (Some(shown), claim)
}

fn rounded(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Messages week by week.
fn weeks<'a>(
    said: impl Iterator<Item = &'a Said>,
    contradicting: &BTreeSet<(MemoryPath, usize)>,
) -> Vec<DriftWeek> {
    let mut by_week: BTreeMap<Date, Vec<&Said>> = BTreeMap::new();
    for each in said {
        let back = i64::from(each.day.weekday().to_monday_zero_offset());
        let monday = each.day.checked_sub(SignedDuration::from_hours(24 * back)).unwrap_or(each.day);
        by_week.entry(monday).or_default().push(each);
    }
    let shown = |(begins, said): (Date, Vec<&Said>)| DriftWeek {
        begins,
        messages: said.len(),
        values: Measure::ALL
            .into_iter()
            .filter_map(|measure| {
                let sample: Vec<f64> = said.iter().map(|each| each.measured.get(measure)).collect();
                Some((measure, middle(measure, &sample)?))
            })
            .collect(),
        contradicting: said
            .iter()
            .filter(|each| contradicting.contains(&(each.path.clone(), each.lines.start)))
            .count(),
    };
    by_week.into_iter().map(shown).collect()
}

/// The beginning of a text, on one line, cut where a character ends.
fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut signs = line.graphemes(true);
    let begin: String = signs.by_ref().take(EXCERPT).collect();
    if signs.next().is_some() { format!("{begin}…") } else { begin }
}
