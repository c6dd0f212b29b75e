//! Reflection (R1 to R6; M10): the memory looked over as a whole, and what should change laid before a person.
//!
//! [`Memory::reflect`] writes a document and its twin and nothing else; [`Memory::decide_reflection`] applies what was approved, all
//! of it in one change, remembers what was rejected, and grows the log and evolution.md. Without an answer nothing ever changes.
//! By rules: survey (`survey`), what past reflections show (`insights`), proposals (`propose`, `contradictions`), the document
//! within its budget (here), and what is approved (`apply`). What a model sees besides, where one may be asked, is in `asked`.

mod apply;
mod asked;
mod contradictions;
mod decide;
mod forgotten;
mod insights;
mod propose;
mod survey;
mod unused;

use std::time::SystemTime;

use rem_format::audit::{Action, Actor, Approval};
use rem_format::path::MemoryPath;
use rem_format::reflection::{Item, PendingReflection, Processed, ReflectionTrigger, document, past};
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_reason::spending::Urgency;
use serde::Serialize;

pub use apply::ReflectionConflict;
pub use decide::ReflectionDecided;
pub use unused::Unused;

use crate::error::MemoryError;
use crate::memory::Memory;
use crate::reasoning::{Missed, RuledInstead};
use unused::Dropped;

/// What a person reads.
const DOCUMENT: &str = "pending-reflection.md";
/// What is applied.
const TWIN: &str = "pending-reflection.json";
/// What became of each.
const LOG: &str = "reflection-log.md";
/// What was understood on the way.
const EVOLUTION: &str = "evolution.md";

/// Somebody changed the file after it was read.
#[derive(Debug, thiserror::Error)]
#[error("it changed meanwhile: try again")]
struct Moved;

/// What a reflection came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReflectionMade {
    /// Which one it is; nothing where there was nothing to say.
    pub number: Option<u32>,
    /// The document, as it was written.
    pub document: String,
    /// How many items it has.
    pub items: usize,
    /// How many items found no room in the budget.
    pub left_out: usize,
    /// Tokens of the document.
    pub tokens: usize,
    /// The change's id; empty where nothing was written.
    pub change: String,
    /// What a model or an agent answered and no item says, and why.
    pub unused: Vec<Unused>,
    /// Why the rules alone looked, although a model is named.
    pub by_rules: Vec<RuledInstead>,
}

/// A reflection as it would be written.
struct Reflected {
    pending: PendingReflection,
    /// Whether there is anything in it for a person to say.
    made: bool,
    unused: Vec<Unused>,
    by_rules: Vec<RuledInstead>,
}

/// What an agent is asked in the place of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReflectionTask {
    /// What its answer is submitted by.
    pub task: String,
    /// Everything that is needed to answer.
    pub text: String,
    /// The JSON Schema of the answer.
    pub schema: serde_json::Value,
    /// What a person should be told, such as that a prompt of the workspace's was passed over.
    pub notices: Vec<String>,
}

/// A reflection that waits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReflectionShown {
    /// What would be applied.
    #[serde(flatten)]
    pub pending: PendingReflection,
    /// The document as it stands.
    #[serde(skip)]
    pub text: String,
    /// Whether somebody changed the document or its twin since it was written: it says no longer what would be applied.
    pub is_document_changed: bool,
    /// Items that could not be applied as the files are now.
    pub conflicts: Vec<ReflectionConflict>,
}

impl Memory {
    /// Looks over the memory and writes what should change into `pending-reflection.md` and its twin, in one change.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] while one waits for an answer, unless `replace`; [`MemoryError::Search`] where there can be no index;
    /// or as [`rem_ledger::Ledger::apply`].
    pub fn reflect(
        &self,
        trigger: ReflectionTrigger,
        replace: bool,
        observed_at: SystemTime,
    ) -> Result<ReflectionMade, MemoryError> {
        self.reflect_thinking(trigger, replace, observed_at, None)
    }

    /// What a model would be asked for a reflection, as text, for an agent that thinks in its place: it gives its answer to
    /// [`Self::submit_reflection`]. Nothing is written.
    ///
    /// # Errors
    /// [`MemoryError::Search`] where there can be no index, [`MemoryError::Task`] where a prompt of the workspace's is wrong.
    pub fn reflection_task(&self, observed_at: SystemTime) -> Result<ReflectionTask, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let survey = self.survey_memories(&index)?;
        let (handed, task) = self.reflection_handed(&survey)?;
        Ok(ReflectionTask { task, text: handed.text, schema: handed.schema, notices: handed.notices })
    }

    /// Reflects as [`Self::reflect`], with what an agent's answer to a task sees in the place of a model's.
    ///
    /// # Errors
    /// As [`Self::reflect`]; [`MemoryError::Usage`] where the answer is none, or the memory moved on since the task was given.
    pub fn submit_reflection(
        &self,
        task: &str,
        answer: &str,
        replace: bool,
        observed_at: SystemTime,
    ) -> Result<ReflectionMade, MemoryError> {
        self.reflect_thinking(ReflectionTrigger::Request, replace, observed_at, Some((task, answer)))
    }

    fn reflect_thinking(
        &self,
        trigger: ReflectionTrigger,
        replace: bool,
        observed_at: SystemTime,
        answered: Option<(&str, &str)>,
    ) -> Result<ReflectionMade, MemoryError> {
        self.ledger.may_change()?;
        let (page, twin) = self.pending_paths()?;
        let before = (self.ledger.read(&page)?, self.ledger.read(&twin)?);
        if !replace && (before.0.is_some() || before.1.is_some()) {
            return Err(MemoryError::usage(
                "a reflection waits for an answer",
                "`rem reflect show` and `rem reflect review`; `rem reflect start --replace` drops it for a new one",
            ));
        }
        let Reflected { mut pending, made, unused, by_rules } =
            self.reflection_of(trigger, observed_at, answered)?;
        if !made {
            return Ok(ReflectionMade {
                number: None,
                document: String::new(),
                items: 0,
                left_out: pending.left_out,
                tokens: 0,
                change: String::new(),
                unused,
                by_rules,
            });
        }
        let text = sealed(&mut pending);
        let (json, document) = (pending.render().into_bytes(), text.clone().into_bytes());
        let what = format!("reflection #{}: {} items", pending.number, pending.items.len());
        let guarded = |path: MemoryPath, found: Option<Vec<u8>>, after: Vec<u8>| {
            ChangeSet::new()
                .edit(path.clone(), what.clone(), move |now| match now == found.as_deref() {
                    true => Ok(Some(after.clone())),
                    false => Err(Box::new(Moved)),
                })
                .action(&path, Action::Propose)
        };
        let set = guarded(page, before.0, document).and(guarded(twin, before.1, json));
        let provenance = Provenance::new(
            Actor::System("reflection".to_owned()),
            Approval::Pending,
            format!("reflection, {}", trigger.as_str()),
        );
        let change = self.change(set, &provenance)?.change;
        Ok(ReflectionMade {
            number: Some(pending.number),
            document: text,
            items: pending.items.len(),
            left_out: pending.left_out,
            tokens: pending.tokens,
            change,
            unused,
            by_rules,
        })
    }

    /// The reflection that waits, and what of it could not be applied now; nothing where none waits.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where its twin cannot be used, with the line.
    pub fn reflection(&self) -> Result<Option<ReflectionShown>, MemoryError> {
        let Some((pending, _)) = self.pending_twin()? else { return Ok(None) };
        let text = self.ledger.read(&self.pending_paths()?.0)?.unwrap_or_default();
        let conflicts = self.conflicts_of(&pending.items)?;
        Ok(Some(ReflectionShown {
            is_document_changed: !is_what_is_read(&pending, &text),
            text: String::from_utf8_lossy(&text).into_owned(),
            pending,
            conflicts,
        }))
    }

    /// Whether a reflection waits for an answer.
    pub(crate) fn is_reflection_pending(&self) -> Result<bool, MemoryError> {
        let (page, twin) = self.pending_paths()?;
        Ok(self.ledger.read(&twin)?.is_some() || self.ledger.read(&page)?.is_some())
    }

    /// The document that waits, as it stands; nothing where none does.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::read`].
    pub fn reflection_document(&self) -> Result<Option<String>, MemoryError> {
        let bytes = self.ledger.read(&self.pending_paths()?.0)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// `reflection-log.md`, as it stands.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::read`].
    pub fn reflection_log(&self) -> Result<String, MemoryError> {
        let path = self.ledger.layout().file(Store::Meta, LOG)?;
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The twin that waits, and its bytes.
    fn pending_twin(&self) -> Result<Option<(PendingReflection, Vec<u8>)>, MemoryError> {
        let (page, twin) = self.pending_paths()?;
        let Some(bytes) = self.ledger.read(&twin)? else {
            return match self.ledger.read(&page)? {
                None => Ok(None),
                Some(_) => Err(unusable(&twin, "is gone, and the document alone cannot be applied")),
            };
        };
        match PendingReflection::parse(&bytes) {
            Ok(pending) => Ok(Some((pending, bytes))),
            Err(error) => Err(unusable(&twin, &format!("cannot be used: {error}"))),
        }
    }

    /// The document and its twin.
    fn pending_paths(&self) -> Result<(MemoryPath, MemoryPath), MemoryError> {
        let layout = self.ledger.layout();
        Ok((layout.file(Store::Meta, DOCUMENT)?, layout.file(Store::Meta, TWIN)?))
    }

    /// A reflection as it would be written.
    fn reflection_of(
        &self,
        trigger: ReflectionTrigger,
        observed_at: SystemTime,
        answered: Option<(&str, &str)>,
    ) -> Result<Reflected, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let survey = self.survey_memories(&index)?;
        let mut seen = match (answered, trigger) {
            (Some((task, answer)), _) => self.seen_by_agent(&survey, task, answer)?,
            (None, ReflectionTrigger::Request) => self.seen_by_model(&survey, Urgency::Asked)?,
            (None, ReflectionTrigger::Schedule) => self.seen_by_model(&survey, Urgency::Background)?,
            // At the end of a session nobody waits for a model.
            (None, ReflectionTrigger::SessionEnd | ReflectionTrigger::Threshold) => asked::Seen::default(),
        };
        let mut dropped = Dropped::default();
        let items = self.proposed_items(&survey, &seen, &mut dropped)?;
        let mut insights = self.insights(&survey)?;
        insights.learning.append(&mut seen.learned);
        let budget = usize::try_from(self.config.reflection.token_budget).unwrap_or(usize::MAX);
        let mut pending = PendingReflection {
            version: 1,
            number: survey.past.last.saturating_add(1),
            made: self.now(),
            day: survey.today,
            trigger,
            document: String::new(),
            episodes: survey.episodes,
            processed: Processed {
                episodes: survey.waiting(),
                entities: survey.nodes.len(),
                procedures: survey.procedures,
            },
            reviewed: survey.past.reflections,
            next: self.next_reflection()?,
            archive_threshold: self.config.decay.archive_threshold.to_string(),
            tokens: 0,
            budget,
            left_out: 0,
            knowledge: self.new_knowledge(&survey)?,
            connections: insights::new_connections(&survey),
            faded: insights::faded_episodes(&survey),
            insights,
            items: Vec::new(),
        };
        within_budget(&mut pending, items);
        let made = !pending.items.is_empty() || pending.left_out > 0;
        let unused = unused::unused(&survey, &seen, &pending.items, &dropped);
        let mut by_rules = Vec::new();
        if let Some(Missed { cause, why }) = &seen.missed {
            RuledInstead::count_in(&mut by_rules, *cause, why);
        }
        Ok(Reflected { pending, made, unused, by_rules })
    }

    /// When the next one is due, for people; empty where none is.
    fn next_reflection(&self) -> Result<String, MemoryError> {
        if !self.config.reflection.on_schedule {
            return Ok(String::new());
        }
        let schedule = &self.config.schedule.reflection;
        if schedule.cron().is_none() {
            return Ok(String::new());
        }
        let cron = rem_format::cron::Cron::parse(schedule.text())
            .map_err(|reason| MemoryError::Setting { key: "schedule.reflection".to_owned(), reason })?;
        let next = cron.next_after(&self.now().to_zoned(self.time_zone().clone()));
        Ok(next.map(|next| next.strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default())
    }

    /// How many episodes no reflection has looked at yet, as far as the index knows; 0 without one.
    pub(crate) fn episodes_waiting(&self) -> Result<usize, MemoryError> {
        let kept = self.present_index();
        let Some(index) = kept.as_ref() else { return Ok(0) };
        let memories = index.memories().map_err(rem_recall::SearchError::from)?;
        let episodes = memories.iter().filter(|memory| memory.id.starts_with("episode:")).count();
        let path = self.ledger.layout().file(Store::Meta, LOG)?;
        Ok(episodes.saturating_sub(past(&self.ledger.read(&path)?.unwrap_or_default()).episodes))
    }

    /// Reflects where the time or a threshold asks for it and none waits; says in a sentence what came of it.
    pub(crate) fn reflect_if_due(&self, observed_at: SystemTime) -> Result<String, MemoryError> {
        let settings = &self.config.reflection;
        let trigger = match settings.on_schedule {
            true => ReflectionTrigger::Schedule,
            false => ReflectionTrigger::Threshold,
        };
        if self.is_reflection_pending()? {
            return Ok("a reflection waits for your answer: `rem reflect review`".to_owned());
        }
        if !settings.on_schedule {
            let waiting = self.episodes_waiting()?;
            if u64::try_from(waiting).unwrap_or(u64::MAX) < settings.episode_threshold {
                return Ok(format!("{waiting} episodes wait, too few for a reflection"));
            }
        }
        let made = self.reflect(trigger, false, observed_at)?;
        let ruled: String = made.by_rules.iter().map(|each| format!("; by rules: {}", each.why)).collect();
        Ok(match made.number {
            None => format!("nothing to propose{ruled}"),
            Some(number) => {
                format!("reflection #{number} proposes {} items: `rem reflect review`{ruled}", made.items)
            }
        })
    }

    /// Reflects after a session that was long, or when enough episodes wait, where `reflection.on_session_end` asks for it. What
    /// cannot be done is said on the log.
    pub(crate) fn reflect_ended(&self, session: &str) {
        let made = self.trigger_after(session).and_then(|trigger| {
            // What was written just now is too young for its times to tell it from what comes next.
            trigger.map(|trigger| self.reflect(trigger, false, SystemTime::UNIX_EPOCH)).transpose()
        });
        if let Err(error) = made {
            tracing::warn!("no reflection after {session}: {error}");
        }
    }

    fn trigger_after(&self, session: &str) -> Result<Option<ReflectionTrigger>, MemoryError> {
        let settings = &self.config.reflection;
        if !settings.on_session_end || self.is_reflection_pending()? {
            return Ok(None);
        }
        let reaches = |count: usize, least: u64| u64::try_from(count).is_ok_and(|count| count >= least);
        if reaches(self.episodes_waiting()?, settings.episode_threshold) {
            return Ok(Some(ReflectionTrigger::Threshold));
        }
        let mut messages = 0;
        for path in self.parts_of(session)? {
            let bytes = self.ledger.read(&path)?.unwrap_or_default();
            messages += rem_format::transcript::Transcript::parse(&bytes).map_or(0, |read| read.turns.len());
        }
        Ok(reaches(messages, settings.session_messages).then_some(ReflectionTrigger::SessionEnd))
    }
}

/// The twin with its document's hash and tokens; gives the document.
fn sealed(pending: &mut PendingReflection) -> String {
    let mut text = document(pending);
    // The document says how long it is: two or three rounds.
    for _ in 0..8 {
        let tokens = rem_reason::count_tokens(&text);
        if tokens == pending.tokens {
            break;
        }
        pending.tokens = tokens;
        text = document(pending);
    }
    pending.document = hash_of(text.as_bytes());
    text
}

/// Takes in items as long as the document stays within its budget, the most valuable first; the others are counted.
fn within_budget(pending: &mut PendingReflection, items: Vec<Item>) {
    let count = |pending: &PendingReflection| rem_reason::count_tokens(&document(pending));
    let all = items.len();
    // What is told makes room before what is asked does.
    for which in 0..3 {
        if count(pending) <= pending.budget / 2 {
            break;
        }
        match which {
            0 => pending.connections.clear(),
            1 => pending.knowledge.clear(),
            _ => pending.insights = Default::default(),
        }
    }
    let mut sum = count(pending);
    for item in items {
        // Each word at most twice: as an item, and in what MEMORY.md comes to.
        let after = item.after.as_deref().unwrap_or_default();
        let said = format!("- [{}] {} ({})\n{after}\n", item.id, item.says, item.reason);
        sum += rem_reason::count_tokens(&said);
        if sum > pending.budget {
            break;
        }
        pending.items.push(item);
    }
    pending.left_out = all - pending.items.len();
    while !pending.items.is_empty() && count(pending) + SPARE > pending.budget {
        pending.items.pop();
        pending.left_out += 1;
    }
}

/// Tokens for the numbers at the document's end, which are not known while it is cut.
const SPARE: usize = 24;

/// Whether a document is the one that was written, and says what its twin says now.
fn is_what_is_read(pending: &PendingReflection, text: &[u8]) -> bool {
    hash_of(text) == pending.document && document(pending).as_bytes() == text
}

/// What tells bytes from others: sixteen signs.
pub(crate) fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().as_str()[..16].to_owned()
}

fn unusable(path: &MemoryPath, what: &str) -> MemoryError {
    MemoryError::usage(
        format!("{path} {what}"),
        "nothing was applied; `rem rollback file` brings back what it was, `rem reflect start --replace` makes a new one",
    )
}
