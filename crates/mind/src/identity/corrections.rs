//! Corrections (I1, I2; P5.3): written down, and made good wherever the stores say what was wrong, in one change.
//!
//! What was wrong stays readable: as a comment in MEMORY.md, struck through elsewhere, as an ended fact of an entity. How far a correction
//! is, unverified, verified, part of the identity, is computed from its dates: a job that was missed changes nothing. Entries are
//! never deleted, only moved into the archive of corrections.

use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use rem_format::annotation::Annotation;
use rem_format::audit::{Action, Approval};
use rem_format::conflict::{self, Conflict, Rule, Side};
use rem_format::correction::{self, CorrectedBy, Correction};
use rem_format::entity::{Entity, FACTS};
use rem_format::fielded;
use rem_format::page::{Item, Page, PageError};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_recall::Addressees;
use serde::Serialize;

use super::settling::is_same_text;
use super::standing::items_of;
use super::withdrawing::without_outdated;
use crate::acting::{is_the_operators, not_an_agents};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::core;
use crate::stores::edges::end_edges_of;
use crate::stores::elsewhere::Place;
use crate::stores::incoming::{Authority, Incoming, Written, in_place, number, short_id, struck, undated};
use crate::stores::router::{Routing, route};
use crate::stores::statement::{Comparison, Statement};

/// How far a correction is (I2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CorrectionStatus {
    /// It helps recall already, and rests before the identity may learn from it.
    Unverified,
    /// Its rest is over.
    Verified,
    /// It became part of the identity.
    Encoded,
    /// It was taken back.
    Retracted,
}

/// A correction as it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrectionShown {
    /// Its id.
    pub id: String,
    /// How far it is.
    pub status: CorrectionStatus,
    /// When it was written down.
    pub logged: String,
    /// The words that led to it; may be empty.
    pub trigger: String,
    /// What was said; may be empty.
    pub wrong: String,
    /// What is right.
    pub right: String,
    /// When its rest is over.
    pub cooldown_expires: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// 1-based lines of CORRECTIONS.md, end exclusive.
    pub lines: std::ops::Range<usize>,
}

/// Something to be corrected.
#[derive(Debug, Clone, Default)]
pub struct CorrectRequest {
    /// What was said, where that is known.
    pub wrong: Option<String>,
    /// What is right.
    pub right: String,
    /// The words that led to it.
    pub trigger: Option<String>,
    /// How sure it was that something was wrong: `high` or `medium`.
    pub trigger_confidence: Option<&'static str>,
    /// The session it came up in.
    pub session: Option<String>,
}

/// A place that said what was wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CorrectedPlace {
    /// The file.
    pub path: MemoryPath,
    /// What it said.
    pub was: String,
}

/// What correcting did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrectionOutcome {
    /// The correction's id.
    pub id: String,
    /// The places that say what is right now.
    pub corrected: Vec<CorrectedPlace>,
    /// The places that still say what was wrong, because only the operator may change them; CONFLICTS.md asks them.
    pub waiting: Vec<CorrectedPlace>,
    /// The change's id.
    pub change: String,
}

/// What archiving corrections did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CorrectionsArchived {
    /// The ids of those that moved.
    pub moved: Vec<String>,
    /// The change's id; empty where nothing moved.
    pub change: String,
}

impl Memory {
    /// The corrections that CORRECTIONS.md holds in the form of [`rem_format::correction`], in its order.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where it cannot be read.
    pub fn corrections(&self) -> Result<Vec<CorrectionShown>, MemoryError> {
        let bytes = self.ledger.read(self.path(Store::Corrections))?.unwrap_or_default();
        let now = self.now();
        let shown = |placed: correction::Placed| {
            let each = placed.correction;
            CorrectionShown {
                status: status_on(&each, now),
                id: each.id,
                logged: each.logged.to_string(),
                trigger: each.trigger,
                wrong: each.wrong,
                right: each.right,
                cooldown_expires: each.cooldown_expires.to_string(),
                confidence: each.confidence,
                lines: placed.lines,
            }
        };
        Ok(correction::parse(&bytes).into_iter().map(shown).collect())
    }

    /// Writes a correction down, and puts right what the stores say, in the same change. It is the operator's, or that of the agent at work where
    /// it has given its name: less sure, nothing that the identity learns from, and no match for what the operator corrected.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where nothing is said to be right, or as [`rem_ledger::Ledger::apply`].
    pub fn correct(&self, request: &CorrectRequest) -> Result<CorrectionOutcome, MemoryError> {
        self.correct_as(request, self.corrector())
    }

    /// Who corrects by a command.
    pub(super) fn corrector(&self) -> CorrectedBy {
        if self.named_agent().is_some() { CorrectedBy::Agent } else { CorrectedBy::Operator }
    }

    /// As [`Self::correct`], of somebody who is known, as one correction.
    pub(super) fn correct_one(
        &self,
        request: &CorrectRequest,
        by: CorrectedBy,
    ) -> Result<CorrectionOutcome, MemoryError> {
        let correcting = self.correcting(request, by, None)?;
        let right = &correcting.entry.right;
        let mut provenance =
            Provenance::new(self.agent_or("recall-validator"), Approval::Auto, format!("corrected: {right}"));
        if let Some(session) = &request.session {
            provenance = provenance.session(session.clone());
        }
        let incoming = correcting.incoming(self);
        let applied = self.change(correcting.set(self, &incoming)?, &provenance)?;
        let corrected = std::mem::take(&mut *correcting.found.lock().unwrap_or_else(PoisonError::into_inner));
        let waits = |conflict: &Conflict| {
            let path = MemoryPath::new(conflict.first.place.as_str()).ok()?;
            Some(CorrectedPlace { path, was: conflict.first.text.clone() })
        };
        let waiting = correcting.waiting.iter().filter_map(waits).collect();
        Ok(CorrectionOutcome { id: correcting.entry.id.clone(), corrected, waiting, change: applied.change })
    }

    /// What a correction will change; it is looked for in `place`, too, where that is known.
    pub(super) fn correcting(
        &self,
        request: &CorrectRequest,
        by: CorrectedBy,
        place: Option<Place>,
    ) -> Result<Correcting, MemoryError> {
        let redactor = self.redactor()?;
        let line = |text: &str| redactor.redact(text).0.split_whitespace().collect::<Vec<_>>().join(" ");
        let right = line(&request.right);
        if right.is_empty() {
            return Err(MemoryError::usage("nothing is said to be right", "say what is true instead"));
        }
        let wrong = request.wrong.as_deref().map(line).filter(|wrong| !wrong.is_empty());
        if wrong.as_ref().is_some_and(|wrong| is_same_text(wrong, &right)) {
            return Err(MemoryError::usage(
                "what is right says the same as what was wrong",
                "say what is true instead of it",
            ));
        }
        let now = self.now();
        let who = match (by, self.named_agent()) {
            (CorrectedBy::Operator, _) => "user-explicit".to_owned(),
            (CorrectedBy::Agent, named) => format!("agent {}", named.unwrap_or("main")),
        };
        let hours = i64::try_from(self.config.corrections.cooldown_hours).unwrap_or(0);
        let mut correcting = Correcting {
            entry: Correction {
                id: correction::id_of(now, wrong.as_deref().unwrap_or_default(), &right),
                logged: now,
                trigger: request.trigger.as_deref().map(line).unwrap_or_default(),
                trigger_confidence: request.trigger_confidence.unwrap_or_default().to_owned(),
                wrong: wrong.clone().unwrap_or_default(),
                right,
                cooldown_expires: now
                    .saturating_add(SignedDuration::from_hours(hours))
                    .unwrap_or(Timestamp::MAX),
                confidence: match by {
                    CorrectedBy::Operator => self.config.confidence.correction,
                    CorrectedBy::Agent => self.config.confidence.inferred,
                },
                by,
                encoded: None,
                is_retracted: false,
                is_marked_verified: false,
            },
            source: match &request.session {
                Some(session) => format!("{who}, session {session}"),
                None => who,
            },
            wrong: wrong.as_deref().map(Statement::new),
            places: Vec::new(),
            waiting: Vec::new(),
            connecting: None,
            written: Mutex::default(),
            found: Mutex::default(),
        };
        // Either may name what the other does not.
        let mut places = self.places_about(&correcting.entry.right)?;
        let further = match &correcting.wrong {
            Some(_) => self.places_about(&correcting.entry.wrong)?,
            None => Vec::new(),
        };
        for further in further.into_iter().chain(place) {
            if places.iter().all(|known| known.path() != further.path()) {
                places.push(further);
            }
        }
        let saying = self.places_saying(&correcting.incoming(self), correcting.wrong.as_ref(), by, places)?;
        for (place, said) in saying {
            if !self.ledger.is_closed(place.path()) {
                correcting.places.push(place);
                continue;
            }
            let right = &correcting.entry.right;
            correcting.waiting.extend(said.into_iter().map(|said| Conflict {
                id: conflict::id_of(&said, right),
                found: now,
                first: Side { text: said, place: place.path().to_string() },
                second: Side { text: right.clone(), place: self.path(Store::Corrections).to_string() },
                rule: Rule::OperatorReview,
                resolved: None,
            }));
        }
        correcting.place_of_edges(self)?;
        Ok(correcting)
    }

    /// Writes down of corrections whose rest is over that they are verified, each in the audit log; gives their ids. What holds is computed from the
    /// dates, whether or not this was done.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::apply`].
    pub fn verify_corrections(&self) -> Result<Vec<String>, MemoryError> {
        let path = self.path(Store::Corrections).clone();
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        let now = self.now();
        let is_due = |each: &Correction| {
            !each.is_marked_verified && status_on(each, now) == CorrectionStatus::Verified
        };
        let due = correction::parse(&bytes).into_iter().map(|placed| placed.correction).filter(is_due);
        let ids: Vec<String> = due.map(|each| each.id).collect();
        let mut set = ChangeSet::new();
        for id in ids.clone() {
            set = set.edit(path.clone(), format!("{} verified", ids.join(", ")), move |found| {
                let bytes = found.unwrap_or_default();
                Ok(Some(
                    fielded::with_field(bytes, &id, "verified", "true").unwrap_or_else(|| bytes.to_vec()),
                ))
            });
        }
        if !ids.is_empty() {
            let provenance = Provenance::system("corrections", "their rest is over")
                .kind(rem_format::commit::CommitType::Maintenance);
            self.change(set, &provenance)?;
        }
        Ok(ids)
    }

    /// Moves corrections that are old enough into their archive (P5.5): those that were taken back, and those whose rest is over and that
    /// are older than `corrections.archive_days`.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::apply`].
    pub fn archive_corrections(&self) -> Result<CorrectionsArchived, MemoryError> {
        let days = i64::try_from(self.config.corrections.archive_days).unwrap_or(i64::MAX / 86_400);
        let now = self.now();
        let before = now.saturating_sub(SignedDuration::from_hours(24 * days)).unwrap_or(Timestamp::MIN);
        let path = self.path(Store::Corrections).clone();
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        let is_done = |each: &Correction| {
            let status = status_on(each, now);
            status == CorrectionStatus::Retracted
                || status != CorrectionStatus::Unverified && each.logged < before
        };
        let moving: Vec<correction::Placed> =
            correction::parse(&bytes).into_iter().filter(|placed| is_done(&placed.correction)).collect();
        let ids: Vec<String> = moving.iter().map(|placed| placed.correction.id.clone()).collect();
        if ids.is_empty() {
            return Ok(CorrectionsArchived { moved: ids, change: String::new() });
        }
        let mut set = ChangeSet::new();
        for placed in moving {
            let logged = placed.correction.logged.to_zoned(self.time_zone().clone());
            let month = logged.strftime("%Y-%m").to_string();
            let archive = self.ledger.layout().file(Store::CorrectionArchive, &format!("{month}.md"))?;
            let title = format!("# Corrections of {month}\n");
            // As it stands, with what a person added to it.
            let entry = bytes[placed.bytes].to_vec();
            let (id, leaving) = (placed.correction.id, entry.clone());
            let moved = ChangeSet::new()
                .edit(archive, "archived a correction", move |found| {
                    Ok(Some(fielded::append(found, &title, &entry)))
                })
                .edit(path.clone(), "a correction archived", move |found| {
                    match fielded::without(found.unwrap_or_default(), &id) {
                        Some((rest, there)) if there == leaving => Ok(Some(rest)),
                        _ => Err("a correction changed meanwhile: try again".into()),
                    }
                });
            set = set.and(moved);
        }
        let provenance = Provenance::system("corrections", "old corrections")
            .kind(rem_format::commit::CommitType::Maintenance);
        let applied = self.change(set, &provenance)?;
        Ok(CorrectionsArchived { moved: ids, change: applied.change })
    }

    /// Those of the files that say what is wrong, or what the right of it takes the place of, and what each says of the kind.
    fn places_saying(
        &self,
        incoming: &Incoming<'_>,
        wrong: Option<&Statement>,
        by: CorrectedBy,
        places: Vec<Place>,
    ) -> Result<Vec<(Place, Vec<String>)>, MemoryError> {
        let mut saying = Vec::new();
        for place in places {
            let items = self.items_of_place(&place)?.into_iter();
            let wrong = items.filter(|item| is_wrong(item, &incoming.statement, wrong, &incoming.addressees));
            let wrong: Vec<Item> = wrong.collect();
            if let Some(item) = wrong.iter().find(|item| !may_put_right(item, by)) {
                return Err(not_an_agents(item));
            }
            let wrong: Vec<String> = wrong.iter().map(|item| item.plain().to_owned()).collect();
            if !wrong.is_empty() {
                saying.push((place, wrong));
            }
        }
        Ok(saying)
    }

    /// What a place says; nothing where it cannot be read as a page.
    pub(crate) fn items_of_place(&self, place: &Place) -> Result<Vec<Item>, MemoryError> {
        Ok(items_of(place, &self.ledger.read(place.path())?.unwrap_or_default()))
    }
}

/// A correction on its way into the stores.
pub(super) struct Correcting {
    pub(super) entry: Correction,
    source: String,
    wrong: Option<Statement>,
    /// The files that say what is wrong.
    places: Vec<Place>,
    /// What only the operator may put right, of which they are asked: a place says what is wrong, and nobody here can sign.
    waiting: Vec<Conflict>,
    /// Where what is right is about an entity that says what is wrong: its file, and what it connects.
    connecting: Option<(MemoryPath, Routing)>,
    written: Mutex<Option<Written>>,
    found: Mutex<Vec<CorrectedPlace>>,
}

impl Correcting {
    /// The files that say what is wrong and that only the operator may change.
    pub(super) fn closed(&self) -> impl Iterator<Item = MemoryPath> {
        self.waiting.iter().filter_map(|conflict| MemoryPath::new(conflict.first.place.as_str()).ok())
    }

    /// What is right, as it goes into the stores; [`Self::set`] borrows it.
    pub(super) fn incoming<'a>(&'a self, memory: &'a Memory) -> Incoming<'a> {
        let (right, today) = (&self.entry.right, memory.today());
        let written = self.entry.logged.to_zoned(memory.time_zone().clone()).datetime();
        let mut annotation = Annotation::new()
            .with("id", short_id(right, written))
            .with("since", today.to_string())
            .with("confidence", number(self.entry.confidence))
            .with("mentions", "1")
            .with("source", &self.source);
        if self.entry.by == CorrectedBy::Operator {
            annotation.set("tags", "correction");
        }
        Incoming {
            text: right,
            statement: Statement::new(right),
            annotation,
            today,
            memory,
            source: self.source.clone(),
            looks_back: false,
            is_dated: false,
            authority: match self.entry.by {
                CorrectedBy::Operator => Authority::Asked,
                CorrectedBy::Agent => Authority::Agents,
            },
            addressees: Addressees::default(),
            beside: Vec::new(),
        }
    }

    /// Looks whether one of the places is the file of the entity that the right statement is about: its connections change, too.
    fn place_of_edges(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        if !self.places.iter().any(|place| matches!(place, Place::Entity(..))) {
            return Ok(());
        }
        let routing = route(&self.entry.right);
        let main = {
            let index = memory.kept_index();
            memory.main_entity(index.as_ref(), &routing, &self.incoming(memory))?
        };
        let Some((id, _)) = main else { return Ok(()) };
        let is_it = |place: &&Place| matches!(place, Place::Entity(_, known) if *known == id);
        let path = self.places.iter().find(is_it).map(|place| place.path().clone());
        self.connecting = path.map(|path| (path, routing));
        Ok(())
    }

    /// The change: the entry, and what is right in every place that says what is wrong; `incoming` is [`Self::incoming`].
    pub(super) fn set<'a>(
        &'a self,
        memory: &'a Memory,
        incoming: &'a Incoming<'a>,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let (log, right) = (memory.path(Store::Corrections).clone(), &self.entry.right);
        let mut set = ChangeSet::new()
            .edit(log.clone(), right.clone(), |bytes| {
                let known = bytes.map(|bytes| without_outdated(bytes, &self.entry));
                Ok(Some(correction::append(known.as_deref(), &self.entry)))
            })
            .action(&log, Action::Append);
        for place in &self.places {
            let path = place.path();
            let is_said_by_others =
                self.connecting.as_ref().is_some_and(|(connecting, _)| connecting == path);
            set = set.edit(path.clone(), format!("corrected: {right}"), move |bytes| {
                let bytes = bytes.unwrap_or_default();
                let (after, was) = put_right(bytes, place, incoming, self, is_said_by_others)?;
                let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
                found.retain(|place: &CorrectedPlace| place.path != *path);
                found.extend(was.into_iter().map(|was| CorrectedPlace { path: path.clone(), was }));
                Ok(Some(after))
            });
        }
        if let Some((_, routing)) = &self.connecting {
            set = set.and(memory.entity_set(routing, incoming, &self.written)?.1);
        }
        Ok(match self.waiting.is_empty() {
            true => set,
            false => set.and(memory.noted(self.waiting.clone())),
        })
    }
}

/// How far a correction is at a moment.
fn status_on(correction: &Correction, now: Timestamp) -> CorrectionStatus {
    match correction {
        Correction { is_retracted: true, .. } => CorrectionStatus::Retracted,
        Correction { encoded: Some(_), .. } => CorrectionStatus::Encoded,
        Correction { cooldown_expires, .. } if now >= *cooldown_expires => CorrectionStatus::Verified,
        _ => CorrectionStatus::Unverified,
    }
}

/// Whether somebody may put an item right: what the operator corrected or pinned is no agent's to correct.
fn may_put_right(item: &Item, by: CorrectedBy) -> bool {
    by == CorrectedBy::Operator || !is_the_operators(item)
}

/// Whether an item says what is wrong: the very thing, or another value of what has one.
pub(super) fn is_wrong(
    item: &Item,
    right: &Statement,
    wrong: Option<&Statement>,
    addressees: &Addressees,
) -> bool {
    if item.ended().is_some() || *addressees != Addressees::of_annotation(&item.annotation) {
        return false;
    }
    let known = Statement::new(undated(item.plain()));
    wrong.is_some_and(|wrong| wrong.compared_to(&known) == Comparison::Same)
        || right.compared_to(&known) == Comparison::Replaces
}

/// A file with what is right in the place of every item that is wrong; gives what those said. Where something else adds what is right to an
/// entity's facts (`is_said_by_others`), it is not added here.
fn put_right(
    bytes: &[u8],
    place: &Place,
    incoming: &Incoming<'_>,
    correcting: &Correcting,
    is_said_by_others: bool,
) -> Result<(Vec<u8>, Vec<String>), PageError> {
    let is_wrong = |item: &Item| {
        is_wrong(item, &incoming.statement, correcting.wrong.as_ref(), &incoming.addressees)
            && may_put_right(item, correcting.entry.by)
    };
    let says_right = |item: &Item| {
        item.ended().is_none()
            && incoming.is_for_same(&item.annotation)
            && incoming.statement.compared_to(&Statement::new(undated(item.plain()))) == Comparison::Same
    };
    // What was put in just now is no mistake, whatever else was said to be one.
    let next = |page: &Page, was: &[String]| {
        page.items().iter().position(|item| {
            let is_fact = !matches!(place, Place::Entity(..)) || item.section.eq_ignore_ascii_case(FACTS);
            is_fact && is_wrong(item) && (was.is_empty() || !says_right(item))
        })
    };
    let mut was = Vec::new();
    match place {
        Place::Page(_, store) => {
            let mut page = Page::parse(bytes)?;
            // In MEMORY.md every line costs context.
            let is_core = *store == "core";
            for _ in 0..page.items().len() {
                let Some(at) = next(&page, &was) else { break };
                let is_first = was.is_empty();
                was.push(page.items()[at].plain().to_owned());
                match page.items().iter().position(says_right).filter(|standing| *standing != at) {
                    Some(standing) if is_core => core::take_over(&mut page, standing, at, incoming.today),
                    Some(standing) => {
                        if is_first {
                            incoming.strengthen(&mut page, standing, store);
                        }
                        page.supersede(at, incoming.today, incoming.text);
                    }
                    None if is_core => in_place(&mut page, at, incoming)?,
                    None => struck(&mut page, at, incoming)?,
                }
            }
            Ok((page.into_bytes(), was))
        }
        Place::Entity(_, id) => {
            let mut entity = Entity::parse(bytes)?;
            for _ in 0..entity.page().items().len() {
                let Some(at) = next(entity.page(), &was) else { break };
                let Some(fact) = entity.facts().into_iter().find(|fact| fact.item == at) else { break };
                was.push(entity.page().items()[at].plain().to_owned());
                entity.supersede_fact(&fact, incoming.today, incoming.text);
                end_edges_of(&mut entity, &fact.text, &incoming.ending(&fact.text));
            }
            if was.is_empty() {
                return Ok((bytes.to_vec(), was));
            }
            if !is_said_by_others {
                incoming.add_fact(&mut entity, id)?;
            }
            entity.set_updated(incoming.today)?;
            Ok((entity.into_bytes(), was))
        }
    }
}
