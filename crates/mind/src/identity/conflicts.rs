//! The conflict detector (I6, I7; P5.4): memories that contradict each other are settled by the seed's rules, or a person decides.
//!
//! What `remember` and the miner write supersedes what it contradicts at once. What a person's hand, a merge of two clones or another
//! program wrote is found here. Whatever happens is an entry of CONFLICTS.md, in the same change as what it does to the stores; what
//! was wrong stays readable where it stood. Episodes tell what happened and journals what was said: they contradict nothing.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use rem_format::annotation::Annotation;
use rem_format::audit::Action;
use rem_format::commit::CommitType;
use rem_format::conflict::{self, Conflict, Kept, Rule, Side};
use rem_format::entity::{Entity, FACTS};
use rem_format::fielded;
use rem_format::page::{Item, Page};
use rem_ledger::{ChangeSet, EditError, Provenance, Snapshot, Store};
use rem_recall::Addressees;
use serde::Serialize;

use super::settling::settled_among;
use super::standing::{AllStanding, Standing};
use super::withdrawing::outdated_by;
use crate::error::MemoryError;
use crate::lifecycle::keeping::is_correction;
use crate::memory::Memory;
use crate::stores::core;
use crate::stores::edges::{Ending, end_edges_of};
use crate::stores::elsewhere::Place;
use crate::stores::incoming::undated;
use crate::stores::statement::Statement;

/// When the last scan began.
const SCANNED: &str = "conflicts-scanned";

/// The primary tags of what the newer one wins for (P5.4).
const TAGS: [&str; 3] = ["event", "knowledge", "decision"];

/// A conflict as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConflictShown {
    /// Its id.
    pub id: String,
    /// When it was found.
    pub found: String,
    /// The older memory.
    pub first: SideShown,
    /// The newer one; empty for a correction that was taken back.
    pub second: SideShown,
    /// The rule: `operator-correction`, `newer-wins`, `operator-review` or `confidence-decayed`.
    pub rule: String,
    /// What stayed: `first`, `second`, `both` or `neither`; nothing while nobody decided.
    pub kept: Option<String>,
}

/// One side of a conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SideShown {
    /// What it says.
    pub text: String,
    /// Its file, since when and from whom.
    pub place: String,
}

/// What a scan found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConflictScan {
    /// How many memories were looked at because they are new.
    pub looked_at: usize,
    /// The conflicts, those that a rule settled included.
    pub found: Vec<ConflictShown>,
    /// The ids of corrections that were taken back.
    pub retracted: Vec<String>,
    /// The change's id; empty in a preview and where nothing was found.
    pub change: String,
}

/// What a person decides of a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// The first side is right.
    First,
    /// The second side is right.
    Second,
    /// Both are: they do not contradict each other.
    Both,
    /// Neither is; this is right.
    Neither(String),
}

/// What settling a conflict did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConflictResolved {
    /// The conflict's id.
    pub id: String,
    /// What stayed.
    pub kept: String,
    /// The change's id.
    pub change: String,
}

impl From<Conflict> for ConflictShown {
    fn from(conflict: Conflict) -> Self {
        let side = |side: Side| SideShown { text: side.text, place: side.place };
        Self {
            id: conflict.id,
            found: conflict.found.to_string(),
            first: side(conflict.first),
            second: side(conflict.second),
            rule: conflict.rule.to_string(),
            kept: conflict.resolved.map(|(_, kept)| kept.to_string()),
        }
    }
}

impl Memory {
    /// The conflicts of CONFLICTS.md, in its order.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where it cannot be read.
    pub fn conflicts(&self) -> Result<Vec<ConflictShown>, MemoryError> {
        let bytes = self.ledger.read(self.path(Store::Conflicts))?.unwrap_or_default();
        Ok(conflict::parse(&bytes).into_iter().map(ConflictShown::from).collect())
    }

    /// The ids of conflicts that a person is asked about, or has settled as none.
    pub(crate) fn conflicts_left_to_a_person(&self) -> Result<HashSet<String>, MemoryError> {
        let bytes = self.ledger.read(self.path(Store::Conflicts))?.unwrap_or_default();
        let is_left = |each: &Conflict| matches!(each.resolved, None | Some((_, Kept::Both)));
        Ok(conflict::parse(&bytes).into_iter().filter(is_left).map(|each| each.id).collect())
    }

    /// Holds what was written in the last `conflicts.scan_hours`, since the last scan where that was longer ago, and all of it where there was none, against everything that is stored, settles what the rules settle, and
    /// takes back corrections that are not sure enough any more. In a preview nothing is written.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::apply`].
    pub fn scan_conflicts(&self, preview: bool) -> Result<ConflictScan, MemoryError> {
        if !preview {
            self.ledger.may_change()?;
        }
        let hours = i64::try_from(self.config.conflicts.scan_hours).unwrap_or(i64::MAX / 3_600);
        let now = self.now();
        let begin = now.saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(Timestamp::MIN);
        let scan = match self.last_scan() {
            Some(last) => {
                let begin = begin.min(last);
                self.scan_since(self.ledger.snapshot_at(begin)?.as_ref(), begin, preview)?
            }
            // Where nobody ever looked everything is new.
            None => self.scan_since(None, begin, preview)?,
        };
        if !preview {
            self.verify_corrections()?;
            self.ledger.write_private(SCANNED, now.to_string().as_bytes())?;
        }
        Ok(scan)
    }

    /// When the last scan began, as far as this clone remembers.
    fn last_scan(&self) -> Option<Timestamp> {
        String::from_utf8(self.ledger.read_private(SCANNED)?).ok()?.trim().parse().ok()
    }

    /// The same for what the stores did not say in a snapshot, as before another clone's memories came in, and for what was in a conflict that was
    /// settled from `settled` on: it may contradict something else, too.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::apply`].
    pub(crate) fn scan_since(
        &self,
        before: Option<&Snapshot>,
        settled: Timestamp,
        preview: bool,
    ) -> Result<ConflictScan, MemoryError> {
        let now = self.now();
        let mut all = self.all_standing(before)?;
        let looked_at = all.statements.iter().filter(|standing| standing.is_new).count();
        let log = self.ledger.read(self.path(Store::Conflicts))?.unwrap_or_default();
        let known: HashMap<String, Conflict> =
            conflict::parse(&log).into_iter().map(|each| (each.id.clone(), each)).collect();
        let again = known.values().filter(|each| each.resolved.is_some_and(|(at, _)| at >= settled));
        let again: HashSet<&str> =
            again.flat_map(|each| [&each.first, &each.second]).map(|side| &*side.text).collect();
        for standing in &mut all.statements {
            standing.is_new |= again.contains(standing.text.as_str());
        }
        let is_none = |one: &Standing, other: &Standing| {
            let of_both = known.get(&conflict::id_of(&one.text, &other.text));
            of_both.is_some_and(|known| matches!(known.resolved, Some((_, Kept::Both))))
        };
        let mut scan =
            ConflictScan { looked_at, found: Vec::new(), retracted: Vec::new(), change: String::new() };
        let corrections = self.path(Store::Corrections);
        let outdated = outdated_by(&self.ledger.read(corrections)?.unwrap_or_default());
        let (mut set, mut conflicts): (ChangeSet<'_>, Vec<Conflict>) = (ChangeSet::new(), Vec::new());
        let mut superseded: BTreeMap<usize, Vec<(String, String, Annotation)>> = BTreeMap::new();
        for (one, other) in all.contradictions(self.config.conflicts.similarity, is_none) {
            let (one, other) = (&all.statements[one], &all.statements[other]);
            let (first, second) = if other.said_on() < one.said_on() { (other, one) } else { (one, other) };
            let mut found = Conflict {
                id: conflict::id_of(&first.text, &second.text),
                found: now,
                first: side(&all, first),
                second: side(&all, second),
                rule: Rule::OperatorReview,
                resolved: None,
            };
            match known.get(&found.id).map(|known| known.resolved) {
                // A person is asked once, and what is settled as no contradiction stays settled.
                Some(None | Some((_, Kept::Both))) => continue,
                // One that was settled and is there again is another.
                Some(Some(_)) => found.id = fielded::id_of('x', &format!("{} {now}", found.id)),
                None => {}
            }
            let is_free = |kept: Kept| {
                let wrong = if kept == Kept::First { second } else { first };
                !self.ledger.is_closed(all.places[wrong.place].path())
            };
            if let Some((rule, kept)) =
                self.rule_for(first, second, &outdated).filter(|(_, kept)| is_free(*kept))
            {
                (found.rule, found.resolved) = (rule, Some((now, kept)));
                let (right, wrong) = if kept == Kept::First { (first, second) } else { (second, first) };
                let (wrong, item) = (wrong.place, wrong.item.clone());
                superseded.entry(wrong).or_default().push((
                    item,
                    right.text.clone(),
                    right.annotation.clone(),
                ));
            }
            conflicts.push(found);
        }
        let corrections = corrections.as_str();
        let mut closed: Vec<(String, Kept)> = known
            .values()
            .filter_map(|each| Some((each.id.clone(), settled_among(&all.statements, each, corrections)?)))
            .collect();
        closed.sort_by(|(one, _), (other, _)| one.cmp(other));
        for (id, found, retracted) in self.retractions(now)? {
            set = set.and(retracted);
            conflicts.push(found);
            scan.retracted.push(id);
        }
        for (place, wrong) in superseded {
            set = set.and(self.superseding(&all.places[place], wrong));
        }
        scan.found = conflicts.iter().cloned().map(ConflictShown::from).collect();
        set = set.and(self.noted(conflicts));
        if !closed.is_empty() {
            set = set.and(self.closing(closed.clone(), now));
        }
        if !(preview || scan.found.is_empty() && closed.is_empty()) {
            let what = match (scan.found.len(), closed.len()) {
                (found, 0) => format!("{found} conflicts found"),
                (found, closed) => format!("{found} conflicts found, {closed} settled meanwhile"),
            };
            let provenance = Provenance::system("conflict-detector", what).kind(CommitType::Maintenance);
            scan.change = self.change(set, &provenance)?.change;
        }
        Ok(scan)
    }

    /// The change that closes conflicts of which a side does not hold any more, by whatever settled them.
    fn closing(&self, closed: Vec<(String, Kept)>, now: Timestamp) -> ChangeSet<'static> {
        let what = format!("{} conflicts settled meanwhile", closed.len());
        ChangeSet::new().edit(self.path(Store::Conflicts).clone(), what, move |bytes| {
            let bytes = bytes.unwrap_or_default();
            let open: HashSet<String> = conflict::parse(bytes)
                .into_iter()
                .filter(|each| each.resolved.is_none())
                .map(|each| each.id)
                .collect();
            let those = closed.iter().filter(|(id, _)| open.contains(id));
            Ok(Some(those.fold(bytes.to_vec(), |bytes, (id, kept)| {
                conflict::resolve(&bytes, id, now, *kept).unwrap_or(bytes)
            })))
        })
    }

    /// The rule that settles a contradiction, and which side it keeps; nothing where a person decides (P5.4).
    /// A correction that was taken back since, `outdated` by its words, wins over nothing.
    fn rule_for(
        &self,
        first: &Standing,
        second: &Standing,
        outdated: &HashSet<String>,
    ) -> Option<(Rule, Kept)> {
        if !first.takes_place_of(second) && !second.takes_place_of(first) {
            return None;
        }
        let is_corrected = |standing: &Standing| {
            is_correction(&standing.item, &standing.annotation) && !outdated.contains(&standing.text)
        };
        let (rule, kept) = match (is_corrected(first), is_corrected(second)) {
            (true, false) => (Rule::OperatorCorrection, Kept::First),
            (false, true) => (Rule::OperatorCorrection, Kept::Second),
            // Of two corrections the later one says what is right now, where it is known which that is.
            (true, true) if first.said_on() < second.said_on() => (Rule::OperatorCorrection, Kept::Second),
            (true, true) => return None,
            (false, false) => {
                let days = (second.said_on()? - first.said_on()?).get_days();
                let is_much_newer =
                    u64::try_from(days).is_ok_and(|days| days >= self.config.conflicts.newer_wins_days);
                let may_win =
                    [first, second].into_iter().all(|side| self.is_direct(side) && is_of_a_kind(side));
                (is_much_newer && may_win).then_some((Rule::NewerWins, Kept::Second))?
            }
        };
        let wrong = if kept == Kept::First { second } else { first };
        // What somebody pinned goes by a person's word alone.
        let is_pinned = wrong.annotation.is_yes("pinned");
        (!is_pinned).then_some((rule, kept))
    }

    /// Whether it was said in a conversation, by its source: told to remember, or mined from a transcript.
    fn is_direct(&self, standing: &Standing) -> bool {
        let transcripts = self.path(Store::Transcripts).as_str();
        let source = standing.annotation.get("source").unwrap_or_default();
        let is_an_agents = source.starts_with("agent ") && !source.contains("user-explicit");
        let is_said = ["user-explicit", "conversation"].iter().any(|word| source.starts_with(word))
            || source.contains("session ");
        !is_an_agents && (is_said || source.contains(transcripts))
    }

    /// The change that takes statements back where they stand, each for what is right in its place.
    fn superseding(&self, place: &Place, wrong: Vec<(String, String, Annotation)>) -> ChangeSet<'static> {
        let (today, place, path) = (self.today(), place.clone(), place.path().clone());
        let summary = match wrong.as_slice() {
            [(_, right, _)] => format!("superseded by: {right}"),
            several => format!("{} memories superseded", several.len()),
        };
        ChangeSet::new().edit(path, summary, move |bytes| {
            let gone = || EditError::from("a memory changed meanwhile: try again");
            let mut page = Page::parse(bytes.unwrap_or_default())?;
            for (wrong, right, of_right) in &wrong {
                let is_wrong = |(_, item): &(usize, &Item)| item.ended().is_none() && item.plain() == wrong;
                let found = match place {
                    Place::Page(..) => page.items().iter().enumerate().find(is_wrong),
                    Place::Entity(..) => page.items_in(FACTS).find(is_wrong),
                };
                let (at, _) = found.ok_or_else(gone)?;
                let stands = |each: &Item| each.ended().is_none() && each.plain() == right;
                match (&place, page.items().iter().position(stands)) {
                    (Place::Page(_, "core"), Some(standing)) => {
                        core::take_over(&mut page, standing, at, today)
                    }
                    (Place::Page(_, "core"), None) => core::take_place(&mut page, at, right, of_right, today),
                    _ => page.supersede(at, today, right),
                }
            }
            let bytes = page.into_bytes();
            if matches!(place, Place::Page(..)) {
                return Ok(Some(bytes));
            }
            let mut entity = Entity::parse(&bytes)?;
            for (wrong, right, of_right) in &wrong {
                let old = undated(wrong);
                let says_no = Statement::new(right).is_negated() && !Statement::new(old).is_negated();
                let addressees = Addressees::of_annotation(of_right);
                end_edges_of(&mut entity, old, &Ending { by: right, today, says_no, addressees });
            }
            entity.set_updated(today)?;
            Ok(Some(entity.into_bytes()))
        })
    }

    /// The change that writes conflicts down, where nobody else did.
    pub(crate) fn noted(&self, conflicts: Vec<Conflict>) -> ChangeSet<'static> {
        let log = self.path(Store::Conflicts).clone();
        let summary = match conflicts.as_slice() {
            [conflict] => format!("{}: {}", conflict.rule, conflict.first.text),
            several => format!("{} conflicts", several.len()),
        };
        ChangeSet::new()
            .edit(log.clone(), summary, move |bytes| {
                let found = conflict::parse(bytes.unwrap_or_default());
                let known: HashSet<&str> = found.iter().map(|each| each.id.as_str()).collect();
                let new = conflicts.iter().filter(|each| !known.contains(each.id.as_str()));
                let begin = bytes.map(<[u8]>::to_vec);
                Ok(new.fold(begin, |bytes, each| Some(conflict::append(bytes.as_deref(), each))))
            })
            .action(&log, Action::Append)
    }
}

/// Whether it has one of the tags for which the newer one wins.
fn is_of_a_kind(standing: &Standing) -> bool {
    let tags = standing.annotation.get("tags").unwrap_or_default();
    tags.split([',', ' ']).any(|tag| TAGS.contains(&tag.trim().trim_start_matches('#')))
}

fn side(all: &AllStanding, standing: &Standing) -> Side {
    let mut place = all.places[standing.place].path().to_string();
    if let Some(day) = standing.said_on() {
        place.push_str(&format!(", since {day}"));
    }
    if let Some(source) = standing.annotation.get("source") {
        place.push_str(&format!(", from {source}"));
    }
    Side { text: standing.text.clone(), place }
}
