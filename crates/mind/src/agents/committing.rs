//! Proposals that become memories (G2, G5; M13.3, M13.7).
//!
//! A proposal leaves the pending file and enters its store in one change: whatever dies when, it is in one of them, once. The change says
//! who proposed and who approved. Many of one agent share a change, so that a thousand do not rewrite the file a thousand times.

use std::collections::{BTreeMap, BTreeSet};

use rem_format::audit::{Action, Actor, Approval};
use rem_format::correction::{self, CorrectedBy, Correction};
use rem_format::path::MemoryPath;
use rem_format::proposal::{self, Placed, Proposal};
use rem_ledger::{Applied, ChangeSet, LedgerError, Provenance, Store};
use rem_recall::Addressees;
use serde::Serialize;

use super::deciding::{
    ATTEMPTS, Picked, Reviewer, Which, changes_too_fast, decided_meanwhile, picked, signs, taken_out,
};
use super::placing::{Note, Target};
use super::proposals::{agent_of, as_actor};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::Effect;
use crate::stores::core;
use crate::stores::elsewhere::is_gone;
use crate::stores::incoming::{Written, in_place};
use crate::stores::places::{is_full, unreadable};
use crate::stores::router::StoreKind;
use crate::stores::statement::{Comparison, Statement};

/// So many share a change.
const TOGETHER: usize = 50;

/// Proposals to be committed.
#[derive(Debug, Clone, Default)]
pub struct CommitRequest {
    /// Which.
    pub which: Which,
    /// Another store than the one they suggest.
    pub store: Option<StoreKind>,
    /// Other words; for one proposal alone.
    pub text: Option<String>,
    /// Whether those that contradict them are rejected.
    pub resolve: bool,
    /// Whether those that contradict them are committed as well, all of them with little confidence (M13.6).
    pub both: bool,
    /// Who decided.
    pub reviewer: Reviewer,
}

/// A proposal that became a memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Committed {
    /// Its number.
    pub number: u64,
    /// The agent it came from.
    pub from: String,
    /// The store.
    pub store: StoreKind,
    /// The memory's id.
    pub id: String,
    /// Its file.
    pub path: MemoryPath,
    /// What became of it there.
    pub effect: Effect,
    /// What it took the place of.
    pub replaced: Option<String>,
    /// Entries of MEMORY.md that made room, now in their long-term store.
    pub demoted: Vec<String>,
    /// The change's id.
    pub change: String,
}

/// A proposal that could not become one, and waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotCommitted {
    /// Its number.
    pub number: u64,
    /// Why.
    pub why: String,
}

/// What committing did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ProposalsCommitted {
    /// Those that became memories.
    pub committed: Vec<Committed>,
    /// Those that were rejected because they contradict one of them.
    pub rejected: Vec<u64>,
    /// Those that wait for a choice, because they contradict each other.
    pub conflicting: Vec<u64>,
    /// Those that somebody else had decided before.
    pub gone: Vec<u64>,
    /// Those that could not be committed.
    pub failed: Vec<NotCommitted>,
    /// The contradictions that wait for the operator since, because both sides were kept; their ids in CONFLICTS.md.
    pub asked: Vec<String>,
}

/// A proposal that is being committed.
struct Taking {
    proposal: Proposal,
    /// It and what it is chosen over, as they stand in the file.
    sections: Vec<(u64, Vec<u8>)>,
    target: Target,
}

impl Memory {
    /// Makes memories of proposals (M13.3).
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for a number that no proposal has and for one that contradicts another without a choice,
    /// [`MemoryError::Refused`] where a person has to decide, or as [`rem_ledger::Ledger::apply`].
    pub fn commit_proposals(&self, request: &CommitRequest) -> Result<ProposalsCommitted, MemoryError> {
        self.may_decide(request.reviewer)?;
        self.mark_conflicting_proposals()?;
        let bytes = self.ledger.read(&self.ledger.layout().pending_memories())?.unwrap_or_default();
        let all = proposal::parse(&bytes);
        let Picked { mut those, gone } = picked(&all, &request.which)?;
        if request.both {
            let is_contradicted = |placed: &&Placed| {
                let number = placed.proposal.number;
                those
                    .iter()
                    .any(|one| one.proposal.number != number && one.proposal.conflicts.contains(&number))
            };
            let others: Vec<&Placed> = all.placed.iter().filter(is_contradicted).collect();
            for other in others {
                if !those.iter().any(|one| one.proposal.number == other.proposal.number) {
                    those.push(other.clone());
                }
            }
        }
        if request.text.is_some() && those.len() > 1 {
            return Err(MemoryError::usage(
                "several proposals cannot get the same words",
                "name one of them",
            ));
        }
        let there: BTreeMap<u64, &Placed> =
            all.placed.iter().map(|placed| (placed.proposal.number, placed)).collect();
        let mut outcome = ProposalsCommitted { gone, ..ProposalsCommitted::default() };
        if request.which == Which::All {
            let conflicts =
                |placed: &&Placed| placed.proposal.conflicts.iter().any(|number| there.contains_key(number));
            outcome.conflicting =
                all.placed.iter().filter(conflicts).map(|placed| placed.proposal.number).collect();
        }
        let text = match &request.text {
            Some(text) => Some(self.redactor()?.redact(text.trim()).0.into_owned()),
            None => None,
        };
        if let Some(text) = &text {
            crate::stores::remember::can_be_kept(text)?;
        }
        let forgotten = self.forgotten_for_good()?;
        let mut words: BTreeMap<u64, String> = BTreeMap::new();
        let chosen: BTreeSet<u64> = those.iter().map(|placed| placed.proposal.number).collect();
        let mut taking: BTreeMap<(String, Option<String>), Vec<Taking>> = BTreeMap::new();
        let section = |placed: &Placed| (placed.proposal.number, bytes[placed.bytes.clone()].to_vec());
        for placed in &those {
            let others: Vec<&&Placed> =
                placed.proposal.conflicts.iter().filter_map(|number| there.get(number)).collect();
            let proposal = placed.proposal.clone();
            let mut store = request.store;
            if request.both && !others.is_empty() {
                // Side by side, where contradictions are looked for: in the store of the first of them.
                let all = others.iter().map(|other| &other.proposal).chain([&proposal]);
                let first = all.min_by_key(|each| each.number).unwrap_or(&proposal);
                store = store.or_else(|| match Target::of(first, None, None).store {
                    StoreKind::Episodic | StoreKind::Procedural => Some(StoreKind::Semantic),
                    of_first => Some(of_first),
                });
            }
            let mut target = Target::of(&proposal, store, text.as_deref());
            if request.reviewer != Reviewer::Person
                && text.is_none()
                && let Some(why) = self.forgotten_since(&forgotten, &proposal)
            {
                outcome.failed.push(NotCommitted { number: proposal.number, why });
                continue;
            }
            if request.reviewer != Reviewer::Person
                && let Some(said) = self.denied_by_the_operator(&target.text)?
            {
                if matches!(request.which, Which::These(_)) && those.len() == 1 {
                    return Err(for_the_operator(proposal.number, &said));
                }
                outcome.failed.push(NotCommitted { number: proposal.number, why: is_the_operators(&said) });
                continue;
            }
            let mut sections = vec![section(placed)];
            if request.both && !others.is_empty() {
                target = target.beside(others.iter().map(|other| other.proposal.clone()).collect());
            } else if let Some(other) =
                others.iter().find(|other| !request.resolve || chosen.contains(&other.proposal.number))
            {
                return Err(undecided(&placed.proposal, &other.proposal));
            } else {
                sections.extend(others.into_iter().map(|other| section(other)));
            }
            words.insert(proposal.number, target.text.clone());
            let of = (proposal.from.clone(), proposal.session.clone());
            taking.entry(of).or_default().push(Taking { proposal, sections, target });
        }
        for together in taking.into_values() {
            let mut rest = together.into_iter().peekable();
            while rest.peek().is_some() {
                self.commit_together(rest.by_ref().take(TOGETHER).collect(), request.reviewer, &mut outcome)?;
            }
        }
        outcome.committed.sort_by_key(|committed| committed.number);
        if request.reviewer == Reviewer::Person {
            // Their word now takes the place of theirs before.
            let said = outcome.committed.iter().filter_map(|committed| words.get(&committed.number));
            said.into_iter().try_for_each(|said| self.outdate_corrections(said))?;
        }
        if request.both && outcome.committed.len() > 1 {
            // The user is asked which is right.
            let found = self.scan_conflicts(false)?.found.into_iter();
            outcome.asked = found.filter(|each| each.kept.is_none()).map(|each| each.id).collect();
        }
        if let (Which::These(_), [NotCommitted { number, why }]) = (&request.which, outcome.failed.as_slice())
            && outcome.committed.is_empty()
        {
            return Err(MemoryError::usage(
                format!("proposal #{number} could not be committed: {why}"),
                "it waits as before; name another store with --store, or mend the file",
            ));
        }
        Ok(outcome)
    }

    /// What the operator said that an agent's statement is against: what was corrected or pinned, or a correction of that very statement.
    pub(super) fn denied_by_the_operator(&self, text: &str) -> Result<Option<String>, MemoryError> {
        if let Some(item) = self.operators_word_against(text, &Addressees::default())? {
            return Ok(Some(item.plain().to_owned()));
        }
        let statement = Statement::new(text);
        let is_same = |other: &str| statement.compared_to(&Statement::new(other)) == Comparison::Same;
        let bytes = self.ledger.read(self.path(Store::Corrections))?.unwrap_or_default();
        let mut corrections = correction::parse(&bytes).into_iter().map(|placed| placed.correction);
        let of_operator = |each: &Correction| {
            each.by == CorrectedBy::Operator && !each.is_retracted && is_same(&each.wrong)
        };
        let Some(denied) = corrections.rfind(of_operator) else { return Ok(None) };
        // What is known again since is no longer denied.
        let is_known = self.stored_about(text)?.iter().any(|known| is_same(known));
        Ok((!is_known).then_some(denied.right))
    }

    /// Commits some of one agent in one change; where that cannot be, each by itself, so that one stops no other.
    fn commit_together(
        &self,
        mut taking: Vec<Taking>,
        reviewer: Reviewer,
        outcome: &mut ProposalsCommitted,
    ) -> Result<(), MemoryError> {
        for _ in 0..ATTEMPTS {
            if taking.is_empty() {
                return Ok(());
            }
            match self.commit_at(&taking, reviewer) {
                Ok(committed) => {
                    let known = committed.iter().filter(|each| each.effect == Effect::Merged);
                    let session = taking.first().and_then(|each| each.proposal.session.as_deref());
                    // What is said again has been used (M9.4).
                    self.note_uses(session, known.map(|each| each.id.as_str()));
                    outcome.committed.extend(committed);
                    let chosen_over = taking.iter().flat_map(|each| each.sections.iter().skip(1));
                    outcome.rejected.extend(chosen_over.map(|(number, _)| *number));
                    return Ok(());
                }
                Err(MemoryError::Ledger(error)) if decided_meanwhile(&error).is_some() => {
                    let gone = decided_meanwhile(&error).unwrap_or_default();
                    let is_gone =
                        |each: &Taking| each.sections.iter().any(|(number, _)| gone.contains(number));
                    let those = taking.iter().filter(|each| is_gone(each)).map(|each| each.proposal.number);
                    outcome.gone.extend(those.collect::<Vec<_>>());
                    taking.retain(|each| !is_gone(each));
                }
                Err(error) if is_gone(&error) => {}
                Err(error) if is_of_one(&error) && taking.len() > 1 => {
                    for each in taking {
                        self.commit_together(vec![each], reviewer, outcome)?;
                    }
                    return Ok(());
                }
                Err(error) if is_of_one(&error) => {
                    let why = MemoryErrorText(&error).to_string();
                    outcome.failed.extend(
                        taking
                            .iter()
                            .map(|each| NotCommitted { number: each.proposal.number, why: why.clone() }),
                    );
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
        Err(changes_too_fast())
    }

    /// Commits these in one change.
    fn commit_at(&self, taking: &[Taking], reviewer: Reviewer) -> Result<Vec<Committed>, MemoryError> {
        let notes: Vec<Note<'_>> =
            taking.iter().map(|each| self.note_of(&each.proposal, &each.target, reviewer)).collect();
        let provenance = self.provenance_of(taking, reviewer);
        // Two processes that meet a name at once must not give it two types.
        let _names = self.ledger.lock_private("entity-names.lock")?;
        let mut set = self.leaving(taking)?;
        let mut paths = Vec::new();
        for (each, note) in taking.iter().zip(&notes) {
            let (path, addition) = self.placed_of(note)?;
            set = set.and(addition.noted_as(Action::Commit, &accepted(&each.proposal)));
            paths.push(path);
        }
        let (applied, demoted) = match (self.change(set, &provenance), taking, notes.as_slice()) {
            (Err(error), [each], [note]) if is_full(&error) => self.making_room(each, note, &provenance)?,
            (done, ..) => (done?, Vec::new()),
        };
        let committed = taking.iter().zip(&notes).zip(paths).map(|((each, note), path)| {
            let nothing = Written { id: String::new(), effect: Effect::Nothing, replaced: None };
            let written = note.written().unwrap_or(nothing);
            Committed {
                number: each.proposal.number,
                from: agent_of(&each.proposal).to_owned(),
                store: each.target.store,
                id: written.id,
                path,
                effect: written.effect,
                replaced: written.replaced,
                demoted: demoted.clone(),
                change: applied.change.clone(),
            }
        });
        Ok(committed.collect())
    }

    /// The change that takes proposals out of the pending file, and rejects what they are chosen over.
    fn leaving<'a>(&self, taking: &[Taking]) -> Result<ChangeSet<'a>, MemoryError> {
        let pending = self.ledger.layout().pending_memories();
        let own: Vec<(u64, Vec<u8>)> =
            taking.iter().filter_map(|each| each.sections.first().cloned()).collect();
        let numbers: BTreeSet<u64> = own.iter().map(|(number, _)| *number).collect();
        let what = format!("accepted {}", signs(&numbers));
        let mut set = taken_out(&pending, &own, &what).action(&pending, Action::Commit);
        for each in taking.iter().filter(|each| each.sections.len() > 1) {
            let others = &each.sections[1..];
            let numbers: BTreeSet<u64> = others.iter().map(|(number, _)| *number).collect();
            let reason = format!("it contradicts #{}, which was accepted", each.proposal.number);
            set = set.and(self.rejection(&numbers, others, &reason)?);
        }
        Ok(set)
    }

    /// As [`Self::commit_at`] for one that goes to a MEMORY.md which is full: something makes room in the same change.
    fn making_room(
        &self,
        each: &Taking,
        note: &Note<'_>,
        provenance: &Provenance,
    ) -> Result<(Applied, Vec<String>), MemoryError> {
        let path = self.path(Store::Core).clone();
        let today = note.incoming.today;
        let (outcome, applied, demoted) = self.rewrite_core(
            &note.incoming.summary(),
            today,
            |page| {
                let put = note.incoming.put(page, note.section(), "core", in_place);
                let outcome = put.map_err(|error| unreadable(&path, &error))?;
                let keep = outcome.id.trim_start_matches("core:").to_owned();
                Ok((outcome, core::make_room(page, &self.config.core, &keep, today)))
            },
            |set| {
                let leaving = self.leaving(std::slice::from_ref(each))?;
                self.change(leaving.and(set.noted_as(Action::Commit, &accepted(&each.proposal))), provenance)
            },
        )?;
        note.note(outcome);
        Ok((applied, demoted))
    }

    /// Who proposed, and who approved.
    fn provenance_of(&self, taking: &[Taking], reviewer: Reviewer) -> Provenance {
        let name = taking.first().map_or("unknown", |each| agent_of(&each.proposal));
        let session = taking.first().and_then(|each| each.proposal.session.clone());
        let numbers: BTreeSet<u64> = taking.iter().map(|each| each.proposal.number).collect();
        let (approval, by) = match reviewer {
            Reviewer::Person => (Approval::Approved, "a person".to_owned()),
            Reviewer::Agent => (Approval::Auto, format!("agent {}", self.agent())),
            Reviewer::Rule => (Approval::Auto, "the rule proposals.review: auto_commit".to_owned()),
        };
        let words = if numbers.len() == 1 { "proposal" } else { "proposals" };
        let trigger = format!("{words} {} of {name}, accepted by {by}", signs(&numbers));
        let mut provenance = Provenance::new(Actor::CommitFrom(as_actor(name)), approval, trigger);
        provenance.session = session;
        provenance
    }
}

/// An error with what is behind it, on one line.
struct MemoryErrorText<'a>(&'a MemoryError);

impl std::fmt::Display for MemoryErrorText<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.0)?;
        let mut next = std::error::Error::source(self.0);
        while let Some(error) = next {
            write!(formatter, ": {error}")?;
            next = error.source();
        }
        Ok(())
    }
}

fn accepted(proposal: &Proposal) -> String {
    format!("accepted proposal #{}", proposal.number)
}

/// Whether a change failed for something in one file, and not for the workspace.
fn is_of_one(error: &MemoryError) -> bool {
    matches!(
        error,
        MemoryError::Usage { .. }
            | MemoryError::Ledger(LedgerError::Edit { .. } | LedgerError::AppendOnly { .. })
    )
}

fn is_the_operators(said: &str) -> String {
    format!("it is against “{said}”, which is the operator's own word")
}

fn for_the_operator(number: u64, said: &str) -> MemoryError {
    MemoryError::Refused {
        message: format!("proposal #{number} waits for the operator: {}", is_the_operators(said)),
        hint: "they decide at a terminal with `rem proposals review`, or say what is right with `rem corrections add`"
            .to_owned(),
    }
}

/// Two proposals of which one must be chosen.
fn undecided(one: &Proposal, other: &Proposal) -> MemoryError {
    let said = |proposal: &Proposal| {
        let text = rem_format::audit::one_line(&proposal.content, 80);
        format!("#{} of {} ({text:?})", proposal.number, agent_of(proposal))
    };
    MemoryError::usage(
        format!("proposals {} and {} contradict each other", said(one), said(other)),
        format!(
            "commit one of them with `--resolve`, which rejects the other: `rem proposals commit {0} --resolve`; or keep both until the operator decides: `rem proposals commit {0} --both`",
            one.number
        ),
    )
}
