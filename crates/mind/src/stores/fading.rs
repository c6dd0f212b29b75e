//! The memories that fade: what was listed and used, the checkpoint of their relevance, and what passed a threshold (K8, S11).
//!
//! Relevance itself is arithmetic over dates (`rem_recall::decay`); searches compute it for the moment they are asked in. This job
//! writes down where everything stands (resolution 7) and tells the audit log what became less or more visible. Must not change
//! what any memory says.

use std::collections::{BTreeMap, HashMap};
use std::time::SystemTime;

use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::audit::Action;
use rem_format::config::DecaySettings;
use rem_format::decay_scores::{BY, DecayScore, DecayScores, Visibility};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_recall::decay::Relevances;
use rem_recall::{Answer, Checkpoint, CheckpointEntry, Hit, Index, Remembered, SearchError, days_since_1970};
use serde::Serialize;

use super::confidence::confidence_on;
use super::handed_over::is_of_others;
use crate::error::MemoryError;
use crate::memory::Memory;

/// Where a checkpoint that cannot be read is kept when another is written.
const UNREADABLE: &str = "decay-scores.unreadable.json";

/// A memory that passed a threshold since the last checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Transition {
    /// The memory's id.
    pub id: String,
    /// Its file.
    pub path: String,
    /// What it was.
    pub from: Visibility,
    /// What it is.
    pub to: Visibility,
    /// Its relevance now, at most 1.
    pub score: f64,
}

/// How a memory stands now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StandingShown {
    /// Where its relevance puts it.
    pub status: Visibility,
    /// Its relevance (M9), at most 1.
    pub relevance: f64,
    /// How often it was used; its making is the first time.
    pub accesses: u32,
    /// The day of the last use, where that is known.
    pub last_accessed: Option<String>,
    /// How sure it is today (P8), where something is noted of that.
    pub confidence: Option<f64>,
}

/// What the decay job found and did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecayReport {
    /// How many memories are how visible.
    pub counts: BTreeMap<&'static str, usize>,
    /// What passed a threshold, by id.
    pub transitions: Vec<Transition>,
    /// The change's id; empty where the checkpoint says it all already, or nothing was to be written.
    pub change: String,
}

impl Memory {
    /// Computes every memory's relevance as of now and writes the checkpoint (`decay-scores.json`); with `preview` nothing is written.
    ///
    /// # Errors
    /// [`MemoryError::Search`] where there can be no index, or as [`rem_ledger::Ledger::apply`].
    pub fn decay(&self, preview: bool, observed_at: SystemTime) -> Result<DecayReport, MemoryError> {
        if !preview {
            self.take_over_forgotten()?;
        }
        let index = self.refreshed_index(observed_at)?;
        self.decay_with(&index, preview)
    }

    fn decay_with(&self, index: &Index, preview: bool) -> Result<DecayReport, MemoryError> {
        let path = self.decay_scores()?;
        if !preview {
            index.claim_uses().map_err(SearchError::from)?;
        }
        let found = self.ledger.read(&path)?;
        let before = found.as_ref().and_then(|bytes| self.read_scores(&path, bytes));
        let unreadable = found.filter(|_| before.is_none());
        let before = before.unwrap_or_default();
        let relevances = Relevances::on(days_since_1970(self.today()), &self.config.decay);
        let (mut counts, mut written) = (no_counts(), Days::default());
        let mut transitions = Vec::new();
        let mut entries: Vec<(String, DecayScore)> = Vec::new();
        let DecayScores { entries: old, mut further, .. } = before;
        let is_own = further.insert(BY.0.to_owned(), BY.1.into()).is_some();
        let (mut has_changed, mut old) = (!is_own, old.into_iter().peekable());
        // Both are in the order of ids.
        for memory in index.memories().map_err(SearchError::from)? {
            while old.next_if(|(id, _)| *id < memory.id).is_some() {
                has_changed = true;
            }
            let known = old.next_if(|(id, _)| *id == memory.id).map(|(_, known)| known);
            let score = self.score_of(&memory, known.as_ref(), &relevances, &mut written);
            *counts.entry(score.status.as_str()).or_insert(0) += 1;
            has_changed |= known.as_ref() != Some(&score);
            if let Some(from) = known.map(|known| known.status).filter(|from| *from != score.status) {
                transitions.push(Transition {
                    id: memory.id.clone(),
                    path: memory.path.to_string(),
                    from,
                    to: score.status,
                    score: score.current_score,
                });
            }
            if !preview {
                entries.push((memory.id, score));
            }
        }
        has_changed |= old.next().is_some();
        if preview {
            return Ok(DecayReport { counts, transitions, change: String::new() });
        }
        let now = DecayScores { entries: entries.into_iter().collect(), further, last_updated: None };
        let change = match has_changed {
            true => self.write_scores(&path, now, &transitions, unreadable)?,
            false => String::new(),
        };
        index.mark_checkpoint(&self.checkpoint_stamp()).map_err(SearchError::from)?;
        Ok(DecayReport { counts, transitions, change })
    }

    /// How a memory stands now; nothing where it does not fade for itself, as a conversation.
    ///
    /// # Errors
    /// [`MemoryError::Search`] where there can be no index.
    pub fn standing(&self, id: &str, observed_at: SystemTime) -> Result<Option<StandingShown>, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let Some(memory) = index.memory(id).map_err(SearchError::from)? else { return Ok(None) };
        let relevances = Relevances::on(days_since_1970(self.today()), &self.config.decay);
        let score = self.score_of(&memory, None, &relevances, &mut Days::default());
        Ok(Some(StandingShown {
            status: score.status,
            relevance: score.current_score,
            accesses: score.access_count,
            last_accessed: Some(score.last_accessed).filter(|day| !day.is_empty()),
            confidence: self.confidence_of(id)?,
        }))
    }

    /// How sure an entry is today: what its comment says, less what the months since the last mention took (P8).
    fn confidence_of(&self, id: &str) -> Result<Option<f64>, MemoryError> {
        let text = self.show(id)?.text;
        let noted = text.rfind("<!--").and_then(|at| Annotation::parse(text[at..].trim_end()));
        let Some(noted) = noted.filter(|_| text.lines().count() == 1) else { return Ok(None) };
        let stored: Option<f64> = noted.get("confidence").and_then(|stored| stored.parse().ok());
        let last = noted.date("last").or_else(|| noted.date("since"));
        let today = |(stored, last)| confidence_on(stored, last, self.today(), &self.config.confidence);
        Ok(stored.zip(last).map(today))
    }

    /// How every memory stood at the last checkpoint, by id.
    pub(crate) fn checkpoint_scores(&self) -> Result<BTreeMap<String, DecayScore>, MemoryError> {
        let path = self.decay_scores()?;
        let scores = self.ledger.read(&path)?.and_then(|bytes| self.read_scores(&path, &bytes));
        Ok(scores.unwrap_or_default().entries)
    }

    /// Writes the checkpoint. It follows from the files, the counts and what was read of the last; one that could not be read is kept beside it.
    fn write_scores(
        &self,
        path: &MemoryPath,
        mut now: DecayScores,
        transitions: &[Transition],
        unreadable: Option<Vec<u8>>,
    ) -> Result<String, MemoryError> {
        let told = told(transitions);
        now.last_updated = Some(self.now().to_string());
        let text = now.render();
        let set = ChangeSet::new().edit(path.clone(), told.clone(), |_| Ok(Some(text.clone())));
        let mut set = self.with_scores(set, &now.entries);
        if let Some(bytes) = unreadable {
            let beside = self.ledger.layout().file(Store::Meta, UNREADABLE)?;
            set = set.edit(beside, "a checkpoint that could not be read", move |_| Ok(Some(bytes.clone())));
        }
        let set = if transitions.is_empty() { set } else { set.action(path, Action::Decay) };
        Ok(self.ledger.apply(&set, &Provenance::system("decay", told))?.change)
    }

    fn score_of(
        &self,
        memory: &Remembered,
        known: Option<&DecayScore>,
        relevances: &Relevances<'_>,
        written: &mut Days,
    ) -> DecayScore {
        let (settings, standing) = (&self.config.decay, &memory.standing);
        let relevance = if memory.archived { 0.0 } else { relevances.of(standing) };
        let weight = standing.type_weight(settings);
        let created = memory.created.or(standing.last_day);
        let mut score = DecayScore {
            store: standing.store,
            base_relevance: standing.base(settings),
            created: written.of(created),
            last_accessed: written.of(standing.last_day.or(created)),
            access_count: standing.accesses,
            type_weight: weight.is_finite().then_some(weight),
            current_score: rounded(relevance),
            status: match memory.archived {
                true => Visibility::Archived,
                false => rem_recall::decay::visibility(relevance, settings),
            },
            forgotten: false,
            pinned: weight.is_infinite(),
            further: known.map(|known| known.further.clone()).unwrap_or_default(),
        };
        if let Some(known) = known {
            keep_of_others(&mut score, known, relevance, settings);
        }
        score
    }

    /// How many memories are how visible, as far as the index knows them; zeros where there is none.
    pub(crate) fn visibility_counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = no_counts();
        let index = self.present_index();
        let relevances = Relevances::on(days_since_1970(self.today()), &self.config.decay);
        let known = index.as_ref().and_then(|index| index.memories().ok()).unwrap_or_default();
        for memory in known {
            let status = match memory.archived {
                true => Visibility::Archived,
                false => relevances.visibility(&memory.standing),
            };
            *counts.entry(status.as_str()).or_insert(0) += 1;
        }
        counts
    }

    /// Writes the checkpoint if anything was used since the last.
    pub(crate) fn keep_uses(&self) {
        let kept = self.present_index();
        let Some(index) = kept.as_ref() else { return };
        let written = match index.has_uses_to_keep() {
            Ok(true) => self.decay_with(index, false).map(drop),
            Ok(false) => Ok(()),
            Err(error) => Err(SearchError::from(error).into()),
        };
        if let Err(error) = written {
            tracing::warn!("what was used could not be written down yet: {error}");
        }
    }

    /// Notes what an answer listed in a session (S11). Listing strengthens nothing; what comes up again and again may be promoted.
    pub fn note_hits(&self, session: Option<&str>, answer: &Answer) {
        let places: Vec<String> = answer.results.iter().map(place_of).collect();
        self.note_listed(session, &places);
    }

    /// As [`Self::note_hits`], by the places.
    pub(crate) fn note_listed(&self, session: Option<&str>, places: &[String]) {
        let session = session.map_or_else(|| format!("{} {}", self.today(), self.agent()), str::to_owned);
        let kept = self.present_index();
        let Some(index) = kept.as_ref().filter(|_| !places.is_empty()) else { return };
        let noted =
            index.record_hits(&session, places.iter().map(String::as_str), days_since_1970(self.today()));
        if let Err(error) = noted {
            tracing::debug!(%error, "what was found is not counted");
        }
    }

    /// Strengthens memories that were used (M9.4): each at most once a session. What cannot be noted now is left out: no memory
    /// depends on it.
    pub fn note_uses<'a>(
        &self,
        session: Option<&str>,
        memories: impl IntoIterator<Item = &'a str>,
    ) -> Vec<String> {
        let session = session.map_or_else(|| format!("{} {}", self.today(), self.agent()), str::to_owned);
        let kept = self.present_index();
        let Some(index) = kept.as_ref() else { return Vec::new() };
        noted(index.record_uses(&session, memories, days_since_1970(self.today())))
    }

    /// Notes that a memory was told once more. Where its file counts that, as procedures do not, it is one use with the mention.
    pub(crate) fn note_mention(&self, session: Option<&str>, memory: &str) {
        if memory.starts_with("procedure:") {
            self.note_uses(session, [memory]);
            return;
        }
        let session = session.map_or_else(|| format!("{} {}", self.today(), self.agent()), str::to_owned);
        let kept = self.present_index();
        let Some(index) = kept.as_ref() else { return };
        noted(index.record_mentions(&session, [memory], days_since_1970(self.today())));
    }

    pub(crate) fn decay_scores(&self) -> Result<MemoryPath, MemoryError> {
        Ok(self.ledger.layout().file(Store::Meta, "decay-scores.json")?)
    }

    fn read_scores(&self, path: &MemoryPath, bytes: &[u8]) -> Option<DecayScores> {
        DecayScores::parse(bytes)
            .inspect_err(|error| {
                tracing::warn!("{path}: {error}; relevance is computed from the files alone")
            })
            .ok()
    }

    /// What tells a checkpoint from another: the state of its file. Zeros where there is none.
    fn checkpoint_stamp(&self) -> [u8; 32] {
        let stamp = self.decay_scores().ok().map(|path| self.ledger.root().join(path.as_str()));
        stamp.and_then(|file| rem_recall::stamp_of(&file)).unwrap_or_default()
    }

    /// The checkpoint, for an index whose counts rest on another.
    pub(crate) fn with_checkpoint<T>(&self, ask: impl FnOnce(Checkpoint<'_>) -> T) -> T {
        let read = || -> Option<Vec<CheckpointEntry>> {
            let path = self.decay_scores().ok()?;
            let bytes = self.ledger.read(&path).ok().flatten()?;
            let scores = self.read_scores(&path, &bytes)?;
            // What was never used but when it was made is in its file.
            let counted = scores
                .entries
                .into_iter()
                .filter_map(|(memory, entry)| {
                    let last: Date = entry.last_accessed.get(..10)?.parse().ok()?;
                    let is_others = is_of_others(&entry);
                    let is_told = is_others || entry.access_count > 1 || entry.last_accessed != entry.created;
                    is_told.then(|| CheckpointEntry {
                        memory,
                        accesses: entry.access_count,
                        last_day: days_since_1970(last),
                        base: is_others.then_some(entry.base_relevance),
                        pinned: is_others && entry.pinned,
                    })
                })
                .collect();
            Some(counted)
        };
        ask(Checkpoint { stamp: self.checkpoint_stamp(), read: &read })
    }
}

/// What was counted; nothing where that cannot be now, which no memory depends on.
fn noted<E: std::fmt::Display>(counted: Result<Vec<String>, E>) -> Vec<String> {
    counted.unwrap_or_else(|error| {
        tracing::debug!(%error, "what was used is not counted");
        Vec::new()
    })
}

/// Keeps what another program noted of a memory and the files do not tell: what it was worth, its times, its pin, that it was forgotten.
fn keep_of_others(score: &mut DecayScore, known: &DecayScore, relevance: f64, settings: &DecaySettings) {
    if known.forgotten && score.status != Visibility::Archived {
        (score.current_score, score.status, score.forgotten) = (0.0, Visibility::Archived, true);
    }
    let same_day = |one: &str, other: &str| !other.is_empty() && one.get(..10) == Some(other);
    if same_day(&known.last_accessed, &score.last_accessed) {
        score.last_accessed.clone_from(&known.last_accessed);
    }
    if !is_of_others(known) {
        return;
    }
    score.created.clone_from(&known.created);
    let worth = if score.base_relevance > 0.0 { known.base_relevance / score.base_relevance } else { 1.0 };
    score.base_relevance = known.base_relevance;
    if known.pinned {
        (score.pinned, score.type_weight) = (true, known.type_weight);
    }
    if score.status != Visibility::Archived || relevance > 0.0 {
        let relevance = if known.pinned { f64::INFINITY } else { relevance * worth };
        if !score.forgotten {
            score.current_score = rounded(relevance);
            score.status = rem_recall::decay::visibility(relevance, settings);
        }
    }
}

fn rounded(relevance: f64) -> f64 {
    (relevance.min(1.0) * 10_000.0).round() / 10_000.0
}

/// Days as they are written, each made once: many memories share a few.
#[derive(Default)]
struct Days(HashMap<i32, String>);

impl Days {
    /// The day counted from 1970; empty where there is none.
    fn of(&mut self, day: Option<i32>) -> String {
        let Some(day) = day else { return String::new() };
        let written = self.0.entry(day).or_insert_with(|| {
            Date::constant(1970, 1, 1).saturating_add(jiff::Span::new().days(i64::from(day))).to_string()
        });
        written.clone()
    }
}

/// Where a result stands, for counting how often it comes up: its memory, else the section of its file.
fn place_of(hit: &Hit) -> String {
    match (hit.id.starts_with("passage:"), &hit.section) {
        (false, _) => hit.id.clone(),
        (true, Some(section)) => format!("{}#{section}", hit.path),
        (true, None) => hit.path.clone(),
    }
}

fn no_counts() -> BTreeMap<&'static str, usize> {
    Visibility::ALL.into_iter().map(|status| (status.as_str(), 0)).collect()
}

/// `2 entries transitioned: fading→dormant`, as M12.4's example has it; several kinds are counted each.
fn told(transitions: &[Transition]) -> String {
    if transitions.is_empty() {
        return "relevance computed anew".to_owned();
    }
    let mut kinds: BTreeMap<(Visibility, Visibility), usize> = BTreeMap::new();
    for transition in transitions {
        *kinds.entry((transition.from, transition.to)).or_insert(0) += 1;
    }
    let arrow = |(from, to): &(Visibility, Visibility)| format!("{}→{}", from.as_str(), to.as_str());
    let listed: Vec<String> = match &kinds.iter().collect::<Vec<_>>()[..] {
        [(kind, _)] => vec![arrow(kind)],
        several => several.iter().map(|(kind, count)| format!("{count} {}", arrow(kind))).collect(),
    };
    let entries = if transitions.len() == 1 { "entry" } else { "entries" };
    format!("{} {entries} transitioned: {}", transitions.len(), listed.join(", "))
}
