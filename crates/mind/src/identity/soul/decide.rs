//! A person's answer: all, some, in other words, none. Whatever is decided is one change.
//!
//! Two people who answer at once answer one after the other: the second is told what is decided already. What stands in the way of an
//! item leaves it waiting. Must not decide anything by itself.

use std::collections::{BTreeMap, BTreeSet};

use rem_format::audit::{Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::config::IdentityPolicy;
use rem_format::identity::{Change, Growth, GrowthKind, PendingIdentity, Verb};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, LedgerError, Provenance};
use serde::Serialize;

use super::evidence::principle_of;
use super::plan::{Approved, Grounds, IdentityConflict, Plan, change_of, plan_of};
use super::propose::Soul;
use super::{Moved, hash_of, immutable, sealed};
use crate::decision::ReviewDecision;
use crate::error::MemoryError;
use crate::memory::Memory;

/// How often an answer is planned anew because a file changed meanwhile.
const ATTEMPTS: usize = 10;

/// What an answer did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdentityDecided {
    /// The ids of items that were applied.
    pub applied: Vec<String>,
    /// The ids of items that were rejected.
    pub rejected: Vec<String>,
    /// Items that could not be applied and wait on.
    pub conflicts: Vec<IdentityConflict>,
    /// How many items wait still.
    pub pending: usize,
    /// SOUL.md as it was before, where it changed.
    pub snapshot: Option<MemoryPath>,
    /// The change's id; empty where nothing was decided.
    pub change: String,
}

/// What is carried out at once.
pub(super) struct Carried {
    pub(super) plan: Plan,
    /// What CHANGELOG.md says beyond the plan.
    pub(super) also_said: Vec<Change>,
    /// The change of the pending files.
    pub(super) pending: ChangeSet<'static>,
    pub(super) approval: Approval,
    pub(super) trigger: String,
}

impl Memory {
    /// Applies what is approved, exactly as the twin has it, and remembers what is rejected: the same is not proposed again without new
    /// evidence. All in one change; when nothing waits any more the pending files go with it.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where nothing waits, the policy is `immutable`, the twin cannot be used, an id is not one of its items,
    /// everything is approved by a document that somebody changed, or an item cannot be put in other words; [`MemoryError::Refused`] for a named
    /// agent; or as
    /// [`rem_ledger::Ledger::apply`].
    pub fn decide_identity(&self, decision: &ReviewDecision) -> Result<IdentityDecided, MemoryError> {
        self.ledger.may_change()?;
        self.only_a_person("answering changes of identity")?;
        self.until_it_stands(|| self.decide_identity_once(decision))
    }

    /// Does something anew as long as a file changed meanwhile.
    pub(super) fn until_it_stands<T>(
        &self,
        once: impl Fn() -> Result<T, MemoryError>,
    ) -> Result<T, MemoryError> {
        for _ in 0..ATTEMPTS {
            match once() {
                Err(MemoryError::Ledger(LedgerError::Edit { source, .. })) if source.is::<Moved>() => {}
                other => return other,
            }
        }
        Err(MemoryError::usage(
            "the memory changes faster than an answer can be planned",
            "try again in a moment",
        ))
    }

    fn decide_identity_once(&self, decision: &ReviewDecision) -> Result<IdentityDecided, MemoryError> {
        let Some((pending, twin_bytes)) = self.pending_identity_twin()? else {
            return Err(MemoryError::usage(
                "no change of identity waits for an answer",
                "`rem identity grow` looks for some; `rem identity history` shows what became of others",
            ));
        };
        let (page, _) = self.pending_identity_paths()?;
        let document = self.ledger.read(&page)?;
        if decision.approve_all && hash_of(document.as_deref().unwrap_or_default()) != pending.document {
            return Err(MemoryError::usage(
                format!("{page} was changed since it was written: it says no longer what would be applied"),
                "name the items (`rem identity show --json` has them), or use `rem identity review`, which shows each as it would be applied",
            ));
        }
        let (mut approved, rejected) = chosen(&pending, decision)?;
        for words in approved.iter_mut().filter_map(|approved| approved.words.as_mut()) {
            *words = self.redactor()?.redact(words).0.into_owned();
        }
        if !approved.is_empty() && self.config.identity.policy == IdentityPolicy::Immutable {
            return Err(immutable());
        }
        let soul = self.soul_now()?;
        let plan = match approved.is_empty() {
            true => Plan::default(),
            false => {
                let evidence = self.identity_evidence()?;
                let limits = self.identity_limits();
                plan_of(&Grounds { soul: &soul, evidence: &evidence, limits, by_person: true }, &approved)
            }
        };
        let done: BTreeSet<&String> = plan.applied.iter().chain(rejected.keys()).collect();
        let rest: Vec<Growth> =
            pending.items.iter().filter(|item| !done.contains(&item.id)).cloned().collect();
        let mut decided = IdentityDecided {
            applied: plan.applied.clone(),
            rejected: rejected.keys().cloned().collect(),
            conflicts: plan.conflicts.clone(),
            pending: rest.len(),
            snapshot: None,
            change: String::new(),
        };
        if done.is_empty() && !pending.items.is_empty() {
            return Ok(decided);
        }
        let also_said =
            rejected.iter().filter_map(|(id, reason)| Some(rejection(pending.item(id)?, reason))).collect();
        let approval = if plan.applied.is_empty() { Approval::None } else { Approval::Approved };
        let carried = Carried {
            also_said,
            pending: self.pending_identity_set((document, Some(twin_bytes)), &pending, rest)?,
            plan,
            approval,
            trigger: "identity, answered by a person".to_owned(),
        };
        (decided.change, decided.snapshot) = self.carry_out_identity(&soul, carried)?;
        Ok(decided)
    }

    /// The one place where SOUL.md grows: whatever was approved, by a person or by the policy, is applied here, in one change.
    pub(super) fn carry_out_identity(
        &self,
        soul: &Soul,
        carried: Carried,
    ) -> Result<(String, Option<MemoryPath>), MemoryError> {
        let Carried { plan, also_said, pending, approval, trigger } = carried;
        let (set, snapshot) = self.identity_set(soul, plan, also_said)?;
        let provenance = Provenance::new(Actor::System("soul-keeper".to_owned()), approval, trigger)
            .kind(CommitType::Identity);
        let applied = self.change(set.and(pending), &provenance)?;
        Ok((applied.change, snapshot))
    }

    /// The change of the pending files: to what waits on, or away.
    pub(super) fn pending_identity_set(
        &self,
        found: (Option<Vec<u8>>, Option<Vec<u8>>),
        pending: &PendingIdentity,
        rest: Vec<Growth>,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let (page, twin) = self.pending_identity_paths()?;
        let remaining = (!rest.is_empty()).then(|| {
            let mut remaining = PendingIdentity { items: rest, ..pending.clone() };
            (sealed(&mut remaining).into_bytes(), remaining.render().into_bytes())
        });
        let (text, json) = remaining.unzip();
        let guarded = |path: MemoryPath, found: Option<Vec<u8>>, after: Option<Vec<u8>>| {
            ChangeSet::new().edit(path, "changes of identity that wait", move |now| {
                match now == found.as_deref() {
                    true => Ok(after.clone()),
                    false => Err(Box::new(Moved)),
                }
            })
        };
        Ok(guarded(page, found.0, text).and(guarded(twin, found.1, json)))
    }
}

/// What CHANGELOG.md says of an item that a person did not want.
fn rejection(item: &Growth, reason: &str) -> Change {
    let mut change = change_of(item, &item.occurrences, reason);
    change.verb = if item.kind == GrowthKind::Remove { Verb::Kept } else { Verb::Rejected };
    change.details.retain(|(name, _)| name == "Evidence" || name == "Because" && !reason.trim().is_empty());
    change
}

/// The items that are approved, in the words that they are approved in, and those that are rejected with the reasons.
fn chosen(
    pending: &PendingIdentity,
    decision: &ReviewDecision,
) -> Result<(Vec<Approved>, BTreeMap<String, String>), MemoryError> {
    let (items, rejected) = decision.split(&pending.items, |item| &item.id, "rem identity show")?;
    let mut approved = Vec::new();
    for item in items {
        let words = decision.edits.get(&item.id).map(|text| principle_of(text));
        if words.is_some() && (words == Some(None) || item.kind == GrowthKind::Remove) {
            return Err(MemoryError::usage(
                format!("{} cannot be put in these words", item.id),
                "a principle is a line of at most 240 characters; what is to be taken out has no words to change",
            ));
        }
        approved.push(Approved { item: item.clone(), words: words.flatten() });
    }
    Ok((approved, rejected))
}
