//! A person's answer (M10.6): all, some, in other words, none. Whatever is decided is one change, with the log and evolution.md.
//!
//! Two people who answer at once answer one after the other: the second is told what is decided already. What stands in the way of an
//! item leaves it waiting. Must not decide anything by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use rem_format::audit::{Action, Actor, Approval};
use rem_format::reflection::{
    Decided, Decision, Item, ItemKind, LogEntry, PendingReflection, append_evolution, append_log, past,
};
use rem_ledger::{ChangeSet, LedgerError, Provenance, Store};
use serde::Serialize;

use super::apply::{ReflectionConflict, tampered_with};
use super::{EVOLUTION, LOG, Moved, is_what_is_read, sealed};
use crate::decision::ReviewDecision;
use crate::error::MemoryError;
use crate::memory::Memory;

/// How often an answer is planned anew because a file changed meanwhile.
const ATTEMPTS: usize = 10;

/// What an answer did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReflectionDecided {
    /// Which reflection.
    pub number: u32,
    /// The ids of items that were applied.
    pub applied: Vec<String>,
    /// The ids of questions that were seen.
    pub asked: Vec<String>,
    /// The ids of items that were rejected.
    pub rejected: Vec<String>,
    /// Items that could not be applied and wait on.
    pub conflicts: Vec<ReflectionConflict>,
    /// Entries of MEMORY.md that made room, now in their long-term store.
    pub demoted: Vec<String>,
    /// How many items wait still.
    pub pending: usize,
    /// The change's id; empty where nothing was decided.
    pub change: String,
}

impl Memory {
    /// Applies what is approved, exactly as the twin has it, and remembers what is rejected: the same is not proposed again without new
    /// evidence. All in one change; when nothing waits any more the pending files go with it.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where no reflection waits, the twin cannot be used, an id is not one of its items, everything is
    /// approved by a document that somebody changed, or an item cannot be put in other words; [`MemoryError::Refused`] for a named agent;
    /// or as [`rem_ledger::Ledger::apply`].
    pub fn decide_reflection(
        &self,
        decision: &ReviewDecision,
        observed_at: SystemTime,
    ) -> Result<ReflectionDecided, MemoryError> {
        self.ledger.may_change()?;
        self.only_the_operator("answering a reflection")?;
        for _ in 0..ATTEMPTS {
            match self.decide_once(decision, observed_at) {
                Err(MemoryError::Ledger(LedgerError::Edit { source, .. })) if source.is::<Moved>() => {}
                other => return other,
            }
        }
        Err(MemoryError::usage(
            "the memory changes faster than an answer can be planned",
            "try again in a moment",
        ))
    }

    fn decide_once(
        &self,
        decision: &ReviewDecision,
        observed_at: SystemTime,
    ) -> Result<ReflectionDecided, MemoryError> {
        let Some((pending, twin_bytes)) = self.pending_twin()? else {
            return Err(MemoryError::usage(
                "no reflection waits for an answer",
                "`rem reflect start` makes one; `rem reflect log` shows what became of others",
            ));
        };
        let (page, twin) = self.pending_paths()?;
        let document = self.ledger.read(&page)?;
        if decision.approve_all && !is_what_is_read(&pending, document.as_deref().unwrap_or_default()) {
            return Err(MemoryError::usage(
                format!(
                    "{page} or its twin was changed since it was written: it says no longer what would be applied"
                ),
                "name the items (`rem reflect show --json` has them), or use `rem reflect review`, which shows each as it would be applied",
            ));
        }
        let (mut approved, rejected) = chosen(&pending, decision)?;
        let asked_for: BTreeSet<String> = approved.iter().map(|item| item.id.clone()).collect();
        let tampered = tampered_with(&pending.items);
        approved.retain(|item| tampered.iter().all(|conflict| conflict.id != item.id));
        let needs_index = approved.iter().any(|item| item.kind == ItemKind::Duplicate);
        let index = needs_index.then(|| self.refreshed_index(observed_at)).transpose()?;
        let plan = self.plan_of(&approved, index.as_ref())?;
        let mut outcome = ReflectionDecided {
            number: pending.number,
            applied: Vec::new(),
            asked: Vec::new(),
            rejected: rejected.keys().cloned().collect(),
            conflicts: tampered
                .into_iter()
                .filter(|conflict| asked_for.contains(&conflict.id))
                .chain(plan.conflicts)
                .collect(),
            demoted: plan.demoted,
            pending: 0,
            change: String::new(),
        };
        let mut decided = Vec::new();
        for item in &approved {
            if !plan.applied.contains(&item.id) {
                continue;
            }
            if item.kind == ItemKind::Question {
                outcome.asked.push(item.id.clone());
                decided.push(Decided::of(item, Decision::Asked, ""));
                continue;
            }
            outcome.applied.push(item.id.clone());
            let is_edited = decision.edits.contains_key(&item.id);
            decided.push(Decided::of(
                item,
                if is_edited { Decision::Edited } else { Decision::Approved },
                "",
            ));
        }
        for (id, reason) in &rejected {
            if let Some(item) = pending.item(id) {
                decided.push(Decided::of(item, Decision::Rejected, reason));
            }
        }
        let done: BTreeSet<&String> = plan.applied.iter().chain(rejected.keys()).collect();
        let rest: Vec<Item> = pending.items.iter().filter(|item| !done.contains(&item.id)).cloned().collect();
        outcome.pending = rest.len();
        if decided.is_empty() && !pending.items.is_empty() {
            return Ok(outcome);
        }
        let head = self.ledger.head()?.unwrap_or_default();
        let mut set = self.with_removals(plan.set, "reflection", &head, &plan.removals);
        let entry = LogEntry {
            number: pending.number,
            time: self.now(),
            trigger: pending.trigger,
            processed: pending.processed,
            episodes: pending.episodes,
            decided,
            pending: rest.len(),
        };
        let has_applied = !outcome.applied.is_empty();
        set = self.with_story(set, &pending, entry, has_applied)?;
        let remaining = (!rest.is_empty()).then(|| {
            let mut remaining = PendingReflection { items: rest, tokens: 0, ..pending.clone() };
            let text = sealed(&mut remaining).into_bytes();
            (text, remaining.render().into_bytes())
        });
        let (text, json) = remaining.unzip();
        let what = format!("reflection #{} answered", pending.number);
        let guarded = |path: rem_format::path::MemoryPath, found: Option<Vec<u8>>, after: Option<Vec<u8>>| {
            ChangeSet::new().edit(path, what.clone(), move |now| match now == found.as_deref() {
                true => Ok(after.clone()),
                false => Err(Box::new(Moved)),
            })
        };
        set = set.and(guarded(page, document, text)).and(guarded(twin, Some(twin_bytes), json));
        let session = pending.session();
        let approval = if has_applied { Approval::Approved } else { Approval::None };
        let provenance = Provenance::new(
            Actor::Reflection(session.clone()),
            approval,
            format!("reflection #{}, answered by a person", pending.number),
        )
        .session(session);
        outcome.change = self.change(set, &provenance)?.change;
        Ok(outcome)
    }

    /// The set, with the entry in the log and, where something was applied, evolution.md grown.
    fn with_story<'a>(
        &self,
        set: ChangeSet<'a>,
        pending: &PendingReflection,
        entry: LogEntry,
        has_applied: bool,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let layout = self.ledger.layout();
        let (log, evolution) = (layout.file(Store::Meta, LOG)?, layout.file(Store::Meta, EVOLUTION)?);
        // What is decided now is part of what a milestone looks back on.
        let told = past(&append_log(self.ledger.read(&log)?.as_deref(), &entry));
        let what = format!("reflection #{} decided", pending.number);
        let set = set
            .edit(log.clone(), what, move |found| Ok(Some(append_log(found, &entry))))
            .action(&log, Action::Append);
        if !has_applied {
            return Ok(set);
        }
        let (number, day, insights) = (pending.number, self.today(), pending.insights.clone());
        let set = set
            .edit(evolution.clone(), format!("reflection #{number}"), move |found| {
                Ok(Some(append_evolution(found, number, day, &insights, &told)))
            })
            .action(&evolution, Action::Append);
        Ok(set)
    }
}

/// The items that are approved, in the words that they are approved in, and those that are rejected with the reasons.
fn chosen(
    pending: &PendingReflection,
    decision: &ReviewDecision,
) -> Result<(Vec<Item>, BTreeMap<String, String>), MemoryError> {
    let (items, rejected) = decision.split(&pending.items, |item| &item.id, "rem reflect show")?;
    let mut approved = Vec::new();
    for item in items {
        let mut item = item.clone();
        if let Some(text) = decision.edits.get(&item.id) {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if item.kind != ItemKind::Promotion || text.is_empty() {
                return Err(MemoryError::usage(
                    format!("{} cannot be put in other words", item.id),
                    "only a promotion has words of its own; reject the item, or edit the file by hand",
                ));
            }
            item.says = text.clone();
            item.after = Some(text);
        }
        approved.push(item);
    }
    Ok((approved, rejected))
}
