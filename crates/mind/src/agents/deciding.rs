//! Proposals rejected and put off (G2; M13.3), and who may decide (G3; M13.4).
//!
//! What is rejected moves, with the reason, into a file of its own in the same change, so that the same is not proposed again without new
//! evidence. What is decided is taken out of the pending file under its lock: of two who decide at once, one does.

use std::collections::{BTreeMap, BTreeSet};

use rem_format::audit::{Action, Actor, Approval};
use rem_format::config::ReviewMode;
use rem_format::fielded;
use rem_format::path::MemoryPath;
use rem_format::proposal::{self, Change, Placed, Proposal, ProposalStatus, Proposals};
use rem_ledger::{ChangeSet, LedgerError, Provenance};
use serde::Serialize;

use super::proposals::{no_such, to_second};
use crate::error::MemoryError;
use crate::memory::Memory;

/// How often a decision is made anew because somebody else decided in between.
pub(super) const ATTEMPTS: usize = 40;

/// What the file of rejected ones begins with.
const REJECTED: &str = "# Rejected Memory Proposals\n\n<!-- Not proposed again without new evidence. A section that is removed may be. -->\n";

/// Who decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reviewer {
    /// A person, at a terminal.
    Person,
    /// The main agent.
    #[default]
    Agent,
    /// Nobody: a rule of CONFIG.md.
    Rule,
}

/// Which proposals are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// All that wait; not those that were put off or contradict another one.
    All,
    /// Those of these numbers.
    These(Vec<u64>),
}

impl Default for Which {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

/// What deciding did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProposalsDecided {
    /// The numbers of those it was done to.
    pub numbers: Vec<u64>,
    /// The numbers of those that somebody else had decided before.
    pub gone: Vec<u64>,
    /// The change's id; empty where nothing changed.
    pub change: String,
}

/// Somebody else decided on some.
#[derive(Debug, thiserror::Error)]
#[error("somebody decided on proposals meanwhile")]
pub(super) struct Decided(pub(super) Vec<u64>);

impl Memory {
    /// Takes proposals out of the pending file and remembers them as rejected.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for a number that no proposal has, [`MemoryError::Refused`] where a person has to decide, or as
    /// [`rem_ledger::Ledger::apply`].
    pub fn reject_proposals(
        &self,
        which: &Which,
        reason: &str,
        reviewer: Reviewer,
    ) -> Result<ProposalsDecided, MemoryError> {
        self.may_decide(reviewer)?;
        let reason = self.redactor()?.redact(reason.trim()).0.into_owned();
        self.decide(which, reviewer, "rejected", Some(&reason), |numbers, sections| {
            self.rejection(numbers, sections, &reason)
        })
    }

    /// Puts proposals off: they stay, and nobody is asked about them until they are named.
    ///
    /// # Errors
    /// As [`Self::reject_proposals`].
    pub fn defer_proposals(
        &self,
        which: &Which,
        reviewer: Reviewer,
    ) -> Result<ProposalsDecided, MemoryError> {
        self.may_decide(reviewer)?;
        self.decide(which, reviewer, "deferred", None, |numbers, _| {
            let path = self.ledger.layout().pending_memories();
            let numbers = numbers.clone();
            Ok(ChangeSet::new().edit(path, deferred(&numbers), move |found| {
                let bytes = found.unwrap_or_default();
                let all = still_there(bytes, &numbers)?;
                let those = all.placed.iter().filter(|placed| numbers.contains(&placed.proposal.number));
                let mark = |placed: &Placed| {
                    let proposal = &placed.proposal;
                    (proposal.number, Change::Mark(ProposalStatus::Deferred, proposal.conflicts.clone()))
                };
                Ok(Some(proposal::changed(bytes, &those.map(mark).collect())))
            }))
        })
    }

    fn decide<'a>(
        &'a self,
        which: &Which,
        reviewer: Reviewer,
        what: &str,
        reason: Option<&str>,
        set_of: impl Fn(&BTreeSet<u64>, &[(u64, Vec<u8>)]) -> Result<ChangeSet<'a>, MemoryError>,
    ) -> Result<ProposalsDecided, MemoryError> {
        let (approval, actor) = match reviewer {
            Reviewer::Person => (Approval::Approved, Actor::Manual),
            Reviewer::Agent | Reviewer::Rule => (Approval::Auto, self.agent_or("main")),
        };
        let mut gone = Vec::new();
        for _ in 0..ATTEMPTS {
            let bytes = self.ledger.read(&self.ledger.layout().pending_memories())?.unwrap_or_default();
            let Picked { those, gone: missing } = picked(&proposal::parse(&bytes), which)?;
            gone.extend(missing.into_iter().filter(|number| !gone.contains(number)).collect::<Vec<_>>());
            let numbers: BTreeSet<u64> = those.iter().map(|placed| placed.proposal.number).collect();
            if numbers.is_empty() {
                return Ok(ProposalsDecided { numbers: Vec::new(), gone, change: String::new() });
            }
            let section = |placed: &Placed| (placed.proposal.number, bytes[placed.bytes.clone()].to_vec());
            let set = set_of(&numbers, &those.iter().map(section).collect::<Vec<_>>())?;
            let because = reason
                .filter(|reason| !reason.is_empty())
                .map_or(String::new(), |reason| format!(" — {reason}"));
            let trigger = format!("{what} {}{because}", signs(&numbers));
            let provenance = Provenance::new(actor.clone(), approval, trigger);
            match self.ledger.apply(&set, &provenance) {
                Ok(applied) => {
                    return Ok(ProposalsDecided {
                        numbers: numbers.into_iter().collect(),
                        gone,
                        change: applied.change,
                    });
                }
                Err(error) if decided_meanwhile(&error).is_some() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(changes_too_fast())
    }

    /// The change that takes proposals out and remembers them as rejected; one that fails where somebody decided on one meanwhile.
    pub(super) fn rejection<'a>(
        &self,
        numbers: &BTreeSet<u64>,
        sections: &[(u64, Vec<u8>)],
        reason: &str,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let (pending, rejected, now) =
            (self.ledger.layout().pending_memories(), self.rejected_path()?, to_second(self.now()));
        let because = if reason.is_empty() { String::new() } else { format!(" — {reason}") };
        let words = if numbers.len() == 1 { "proposal" } else { "proposals" };
        let what = format!("rejected {words} {}{because}", signs(numbers));
        // An entry begins with the rule that stood before it, if there was one.
        let entry = |(number, section): &(u64, Vec<u8>)| proposal::rejected(section, *number, reason, now);
        let entries: Vec<Vec<u8>> = sections.iter().map(entry).collect();
        let set = taken_out(&pending, sections, &what).action(&pending, Action::Reject);
        Ok(set.edit(rejected, what, move |found| {
            let mut bytes = found.map(<[u8]>::to_vec);
            for entry in &entries {
                bytes = Some(fielded::append(bytes.as_deref(), REJECTED, entry));
            }
            Ok(bytes)
        }))
    }

    /// Refuses a sub-agent, and in the manual mode whoever is no person.
    pub(super) fn may_decide(&self, reviewer: Reviewer) -> Result<(), MemoryError> {
        self.ledger.may_change()?;
        if self.config.proposals.review == ReviewMode::Manual && reviewer != Reviewer::Person {
            return Err(MemoryError::Refused {
                message: "a person reviews proposals here (proposals.review: manual)".to_owned(),
                hint: "ask the user to run `rem proposals review`".to_owned(),
            });
        }
        Ok(())
    }
}

/// Proposals that were asked for.
pub(super) struct Picked {
    pub(super) those: Vec<Placed>,
    /// Those that somebody decided on before.
    pub(super) gone: Vec<u64>,
}

/// The proposals that are meant.
pub(super) fn picked(all: &Proposals, which: &Which) -> Result<Picked, MemoryError> {
    let numbers = match which {
        Which::All => {
            let there: BTreeSet<u64> = all.placed.iter().map(|placed| placed.proposal.number).collect();
            let waits = |placed: &&Placed| {
                placed.proposal.status != ProposalStatus::Deferred
                    && placed.proposal.conflicts.intersection(&there).next().is_none()
            };
            let those = all.placed.iter().filter(waits).cloned().collect();
            return Ok(Picked { those, gone: Vec::new() });
        }
        Which::These(numbers) if numbers.is_empty() => {
            return Err(MemoryError::usage("no proposal is named", "name some, as 3, or all of them"));
        }
        Which::These(numbers) => numbers,
    };
    let wanted: BTreeSet<u64> = numbers.iter().copied().collect();
    let those: Vec<Placed> =
        all.placed.iter().filter(|placed| wanted.contains(&placed.proposal.number)).cloned().collect();
    let found: BTreeSet<u64> = those.iter().map(|placed| placed.proposal.number).collect();
    let missing: Vec<u64> = wanted.difference(&found).copied().collect();
    if let Some(never) = missing.iter().find(|number| **number > all.last) {
        return Err(no_such(*never));
    }
    Ok(Picked { those, gone: missing })
}

/// The change that takes sections out of the pending file; one that fails where one of them is not there as it was.
pub(super) fn taken_out<'a>(path: &MemoryPath, sections: &[(u64, Vec<u8>)], what: &str) -> ChangeSet<'a> {
    let wanted: BTreeMap<u64, Proposal> = sections
        .iter()
        .filter_map(|(number, section)| Some((*number, proposal::parse(section).placed.pop()?.proposal)))
        .collect();
    ChangeSet::new().edit(path.clone(), what, move |found| {
        let bytes = found.unwrap_or_default();
        let numbers: BTreeSet<u64> = wanted.keys().copied().collect();
        let all = still_there(bytes, &numbers)?;
        let mut changes: BTreeMap<u64, Change> = BTreeMap::new();
        let mut differing = Vec::new();
        let there: BTreeSet<u64> = all.placed.iter().map(|placed| placed.proposal.number).collect();
        let left: BTreeSet<u64> = there.difference(&numbers).copied().collect();
        for Placed { proposal, .. } in &all.placed {
            match wanted.get(&proposal.number) {
                Some(was) if was.content != proposal.content => differing.push(proposal.number),
                Some(_) => drop(changes.insert(proposal.number, Change::Remove)),
                None if proposal.conflicts.intersection(&numbers).next().is_some() => {
                    let others: BTreeSet<u64> = proposal.conflicts.intersection(&left).copied().collect();
                    changes.insert(proposal.number, Change::Mark(proposal.status, others));
                }
                None => {}
            }
        }
        match differing.is_empty() {
            true => Ok(Some(proposal::changed(bytes, &changes))),
            // Somebody wrote it anew: it is another proposal now.
            false => Err(Box::new(Decided(differing))),
        }
    })
}

/// What a file holds, where all of these are in it.
fn still_there(bytes: &[u8], numbers: &BTreeSet<u64>) -> Result<Proposals, Decided> {
    let all = proposal::parse(bytes);
    let there: BTreeSet<u64> = all.placed.iter().map(|placed| placed.proposal.number).collect();
    let gone: Vec<u64> = numbers.difference(&there).copied().collect();
    if gone.is_empty() { Ok(all) } else { Err(Decided(gone)) }
}

/// The proposals on which somebody decided meanwhile, where a change failed for that.
pub(super) fn decided_meanwhile(error: &LedgerError) -> Option<&[u64]> {
    match error {
        LedgerError::Edit { source, .. } => {
            source.downcast_ref::<Decided>().map(|decided| decided.0.as_slice())
        }
        _ => None,
    }
}

pub(super) fn changes_too_fast() -> MemoryError {
    MemoryError::usage("the proposals change faster than they can be decided", "try again in a moment")
}

pub(super) fn signs(numbers: &BTreeSet<u64>) -> String {
    numbers.iter().map(|number| format!("#{number}")).collect::<Vec<_>>().join(", ")
}

fn deferred(numbers: &BTreeSet<u64>) -> String {
    format!("deferred {}", signs(numbers))
}
