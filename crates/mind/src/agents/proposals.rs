//! What sub-agents propose to remember (G2; M13.2): written down, listed, weighed.
//!
//! Proposing is the one thing that a sub-agent may write, and it only adds: a section of its own, and the mark of a conflict on the
//! section that it contradicts. What was proposed already, what was rejected and brings no new evidence, and what this memory
//! itself had handed out is told and not written down again. Must not decide: `committing` and `deciding` do.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use rem_format::audit::{Action, Actor, Approval, one_line};
use rem_format::config::{ConfidenceLevel, ReviewMode};
use rem_format::episode::Certainty;
use rem_format::path::MemoryPath;
use rem_format::proposal::{self, Change, Placed, Proposal, ProposalStatus};
use rem_ledger::{AgentRole, ChangeSet, Provenance, Store};
use serde::Serialize;

use super::committing::{CommitRequest, Committed};
use super::deciding::{Reviewer, Which};
use super::placing::Target;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::elsewhere::Place;
use crate::stores::remember::can_be_kept;
use crate::stores::router::{Kind, StoreKind};
use crate::stores::statement::{Comparison, Statement};

/// The most characters of a field besides what is proposed.
const LONGEST_FIELD: usize = 400;

/// Something to be proposed.
#[derive(Debug, Clone, Default)]
pub struct ProposeRequest {
    /// The statement.
    pub text: String,
    /// Where it should go; the router decides where none is given.
    pub store: Option<StoreKind>,
    /// What it is about, besides what it says itself.
    pub tags: Vec<String>,
    /// The ids of entities that it is about.
    pub entities: Vec<String>,
    /// How sure the agent is; medium where it does not say.
    pub confidence: Option<Certainty>,
    /// Whether it should always be in sight.
    pub core_worthy: bool,
    /// What led to it.
    pub trigger: Option<String>,
    /// What speaks for it now and did not when the same was rejected.
    pub evidence: Option<String>,
    /// The session it came up in.
    pub session: Option<String>,
    /// The agent it comes from, where the main agent writes it down for another.
    pub from: Option<String>,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposeEffect {
    /// It waits.
    Proposed,
    /// It waited for nobody: `proposals.review` has such ones committed at once.
    Committed,
    /// The same waits already.
    Waiting,
    /// The same was rejected, and nothing new speaks for it.
    Rejected,
    /// It is what this memory had handed out (T10).
    Echo,
}

/// What proposing did.
#[derive(Debug, Clone, Serialize)]
pub struct ProposeOutcome {
    /// What became of it.
    pub effect: ProposeEffect,
    /// Its number, or that of the same one; 0 for an echo.
    pub number: u64,
    /// The waiting proposals that it contradicts.
    pub conflicts: Vec<u64>,
    /// The file that says the same already.
    pub known: Option<MemoryPath>,
    /// What a store says that it would take the place of.
    pub contradicts: Option<String>,
    /// Why the same was rejected.
    pub reason: Option<String>,
    /// What was written where, for one that waited for nobody.
    pub committed: Option<Committed>,
    /// The change's id; empty where nothing was written.
    pub change: String,
}

/// How far a proposal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// Nobody decided.
    Pending,
    /// It contradicts another one that waits.
    Conflict,
    /// Left for a later time.
    Deferred,
}

/// A proposal as it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposalShown {
    /// Its number.
    pub number: u64,
    /// The agent it comes from.
    pub from: String,
    /// When it was proposed, in RFC 3339; nothing where the file does not say.
    pub time: Option<String>,
    /// What led to it.
    pub trigger: String,
    /// The store it would go to.
    pub store: StoreKind,
    /// What is to be remembered.
    pub content: String,
    /// The entities it is about.
    pub entities: Vec<String>,
    /// What it is about besides.
    pub tags: Vec<String>,
    /// The session it came up in.
    pub session: Option<String>,
    /// What speaks for it now.
    pub evidence: String,
    /// How sure the agent is.
    pub confidence: Certainty,
    /// Whether it should always be in sight.
    pub core_worthy: bool,
    /// How far it is.
    pub status: ProposalState,
    /// The waiting proposals that it contradicts.
    pub conflicts: Vec<u64>,
    /// 1-based line of its heading.
    pub line: usize,
}

/// A section of the file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BrokenProposal {
    /// 1-based line of its heading.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// What waits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposalsShown {
    /// The file.
    pub path: MemoryPath,
    /// The proposals, in the file's order.
    pub proposals: Vec<ProposalShown>,
    /// The sections that cannot be read.
    pub broken: Vec<BrokenProposal>,
}

/// What committing a proposal would do, and what speaks for and against it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposalWeighed {
    /// The proposal.
    pub proposal: ProposalShown,
    /// Whether it says what it is for a store, or the words themselves do.
    pub suggested: bool,
    /// The file that says the same already.
    pub known: Option<MemoryPath>,
    /// What a store says that it would take the place of.
    pub contradicts: Option<String>,
    /// What the operator said that it is against.
    pub denied: Option<String>,
    /// The waiting ones that it contradicts.
    pub conflicting: Vec<ProposalShown>,
}

impl Memory {
    /// Proposes a memory (M13.1, M13.2): what a sub-agent may do. Secrets are replaced first.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for an empty or a very long text, or as [`rem_ledger::Ledger::apply`].
    pub fn propose(&self, request: &ProposeRequest) -> Result<ProposeOutcome, MemoryError> {
        let redactor = self.redactor()?;
        let text = redactor.redact(request.text.trim()).0.into_owned();
        can_be_kept(&text)?;
        let line = |text: &str| one_line(&redactor.redact(text).0, LONGEST_FIELD);
        let lines = |texts: &[String]| texts.iter().map(|text| line(text)).collect::<Vec<_>>();
        let mut outcome = ProposeOutcome {
            effect: ProposeEffect::Echo,
            number: 0,
            conflicts: Vec::new(),
            known: None,
            contradicts: None,
            reason: None,
            committed: None,
            change: String::new(),
        };
        if self.is_own_echo(&text, request.session.as_deref())? {
            return Ok(outcome);
        }
        let statement = Statement::new(&text);
        let of_rejected = self.ledger.read(&self.rejected_path()?)?.unwrap_or_default();
        let rejected = proposal::parse(&of_rejected);
        let draft = Proposal {
            from: self.proposer(request),
            time: Some(to_second(self.now())),
            trigger: line(request.trigger.as_deref().unwrap_or("auto-detect")),
            store: request.store.map_or("", StoreKind::as_str).to_owned(),
            content: text.clone(),
            entities: lines(&request.entities),
            tags: lines(&request.tags),
            session: request.session.as_deref().map(line),
            evidence: line(request.evidence.as_deref().unwrap_or_default()),
            confidence: Some(request.confidence.unwrap_or(Certainty::Medium)),
            core_worthy: request.core_worthy,
            ..Proposal::default()
        };
        let same = |placed: &&Placed| self.compared(&statement, &placed.proposal.content) == Comparison::Same;
        if let Some(before) = rejected.placed.iter().rev().find(same)
            && !speaks_anew(&draft, &before.proposal)
        {
            outcome.effect = ProposeEffect::Rejected;
            outcome.number = before.proposal.number;
            outcome.reason = Some(before.proposal.reason.clone());
            return Ok(outcome);
        }
        (outcome.known, outcome.contradicts) = self.stored_of(&text)?;
        let brief: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(100).collect();
        let path = self.ledger.layout().pending_memories();
        let found = Mutex::new(None);
        let note = |effect, proposal| {
            *found.lock().unwrap_or_else(PoisonError::into_inner) = Some((effect, proposal));
        };
        let set = ChangeSet::new()
            .edit(path.clone(), &brief, |bytes| {
                let all = proposal::parse(bytes.unwrap_or_default());
                if let Some(same) = all.placed.iter().find(same) {
                    note(ProposeEffect::Waiting, same.proposal.clone());
                    return Ok(bytes.map(<[u8]>::to_vec));
                }
                let number = all.last.max(rejected.last) + 1;
                let contradicted = |placed: &&Placed| {
                    self.compared(&statement, &placed.proposal.content) == Comparison::Replaces
                };
                let contradicted: Vec<&Placed> = all.placed.iter().filter(contradicted).collect();
                let conflicts = contradicted.iter().map(|placed| placed.proposal.number).collect();
                let proposed = Proposal { number, conflicts, ..draft.clone() };
                let after = proposal::append(bytes, proposal::START, &proposed);
                note(ProposeEffect::Proposed, proposed);
                let mark = |placed: &Placed| {
                    let mut conflicts = placed.proposal.conflicts.clone();
                    conflicts.insert(number);
                    (placed.proposal.number, Change::Mark(placed.proposal.status, conflicts))
                };
                let marks: BTreeMap<u64, Change> = contradicted.into_iter().map(mark).collect();
                Ok(Some(if marks.is_empty() { after } else { proposal::changed(&after, &marks) }))
            })
            .action(&path, Action::Propose);
        let mut provenance =
            Provenance::new(self.proposing_actor(request), Approval::Pending, format!("proposed: {brief}"));
        provenance.session.clone_from(&request.session);
        let applied = self.ledger.apply(&set, &provenance)?;
        let found = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // The edit ran, or there would have been an error.
        let (effect, draft) = found.unwrap_or_else(|| (ProposeEffect::Waiting, draft.clone()));
        outcome = ProposeOutcome {
            effect,
            number: draft.number,
            conflicts: draft.conflicts.iter().copied().collect(),
            change: applied.change,
            ..outcome
        };
        if effect == ProposeEffect::Proposed
            && outcome.contradicts.is_none()
            && self.is_committed_at_once(&draft)
        {
            self.commit_at_once(&mut outcome);
        }
        Ok(outcome)
    }

    /// The proposals that wait, and what of their file cannot be read.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where the file cannot be read.
    pub fn proposals(&self) -> Result<ProposalsShown, MemoryError> {
        let path = self.ledger.layout().pending_memories();
        let all = proposal::parse(&self.ledger.read(&path)?.unwrap_or_default());
        let broken = all
            .broken
            .iter()
            .map(|each| BrokenProposal { line: each.line, what: each.what.clone() })
            .collect();
        let there: std::collections::BTreeSet<u64> =
            all.placed.iter().map(|placed| placed.proposal.number).collect();
        let shown = |placed: &Placed| {
            let mut shown = self.proposal_shown(placed);
            shown.conflicts.retain(|number| there.contains(number));
            shown
        };
        Ok(ProposalsShown { path, proposals: all.placed.iter().map(shown).collect(), broken })
    }

    /// What speaks for and against a proposal.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is no such one, or as [`Self::proposals`].
    pub fn weigh_proposal(&self, number: u64) -> Result<ProposalWeighed, MemoryError> {
        let all = self.proposals()?;
        let found = all.proposals.iter().find(|each| each.number == number);
        let proposal = found.ok_or_else(|| no_such(number))?.clone();
        let (known, contradicts) = self.stored_of(&proposal.content)?;
        let conflicts = |each: &&ProposalShown| proposal.conflicts.contains(&each.number);
        let conflicting = all.proposals.iter().filter(conflicts).cloned().collect();
        let bytes = self.ledger.read(&all.path)?.unwrap_or_default();
        let placed =
            proposal::parse(&bytes).placed.into_iter().find(|placed| placed.proposal.number == number);
        let suggested = placed.is_some_and(|placed| Target::of(&placed.proposal, None, None).is_suggested);
        let denied = self.denied_by_the_operator(&proposal.content)?;
        Ok(ProposalWeighed { proposal, suggested, known, contradicts, denied, conflicting })
    }

    /// How many proposals wait for somebody to decide; those that were put off are not among them.
    pub(crate) fn pending_proposals(&self) -> Result<usize, MemoryError> {
        let bytes = self.ledger.read(&self.ledger.layout().pending_memories())?.unwrap_or_default();
        let waits = |placed: &&Placed| placed.proposal.status != ProposalStatus::Deferred;
        Ok(proposal::parse(&bytes).placed.iter().filter(waits).count())
    }

    /// The file of what was rejected.
    pub(super) fn rejected_path(&self) -> Result<MemoryPath, MemoryError> {
        Ok(self.ledger.layout().file(Store::Meta, "rejected-memories.md")?)
    }

    pub(super) fn compared(&self, new: &Statement, known: &str) -> Comparison {
        let near = self.config.lifecycle.merge_similarity;
        self.statements.with(known, |known| new.compared_from(known, near))
    }

    fn proposal_shown(&self, Placed { proposal, line, .. }: &Placed) -> ProposalShown {
        ProposalShown {
            number: proposal.number,
            from: agent_of(proposal).to_owned(),
            time: proposal.time.map(|time| time.to_string()),
            trigger: proposal.trigger.clone(),
            store: Target::of(proposal, None, None).store,
            content: proposal.content.clone(),
            entities: proposal.entities.clone(),
            tags: proposal.tags.clone(),
            session: proposal.session.clone(),
            evidence: proposal.evidence.clone(),
            confidence: proposal.confidence.unwrap_or(Certainty::Medium),
            core_worthy: proposal.core_worthy,
            status: match proposal.status {
                ProposalStatus::Deferred => ProposalState::Deferred,
                _ if proposal.conflicts.is_empty() => ProposalState::Pending,
                _ => ProposalState::Conflict,
            },
            conflicts: proposal.conflicts.iter().copied().collect(),
            line: *line,
        }
    }

    /// The file that says the same, and what a store says otherwise.
    fn stored_of(&self, text: &str) -> Result<(Option<MemoryPath>, Option<String>), MemoryError> {
        let statement = Statement::new(text);
        for place in self.places_about(text)? {
            let says = |item: &rem_format::page::Item| {
                item.ended().is_none() && self.compared(&statement, item.plain()) == Comparison::Same
            };
            if self.items_of_place(&place)?.iter().any(says) {
                return Ok((Some(Place::path(&place).clone()), None));
            }
        }
        Ok((None, self.stored_contradiction(text)?))
    }

    /// Who proposes: a sub-agent itself, whatever it says; for the main agent whom it names.
    fn proposer(&self, request: &ProposeRequest) -> String {
        let named = request.from.as_deref().filter(|_| self.ledger.role() == AgentRole::Main);
        let name = one_line(named.unwrap_or(self.agent()), 80);
        if name.is_empty() { "unknown".to_owned() } else { name }
    }

    fn proposing_actor(&self, request: &ProposeRequest) -> Actor {
        match self.proposer(request) {
            main if main == "main" && self.ledger.role() == AgentRole::Main => Actor::Bot(main),
            name => Actor::Subagent(as_actor(&name)),
        }
    }

    /// Whether `proposals.review` has it committed without anybody looking (M13.4). Never what goes to the vault, what says who the user
    /// is, and what contradicts
    /// another one; what a store says otherwise is looked at before.
    fn is_committed_at_once(&self, proposal: &Proposal) -> bool {
        let settings = &self.config.proposals;
        let enough = match settings.auto_commit_confidence {
            ConfidenceLevel::High => Certainty::High,
            ConfidenceLevel::Medium => Certainty::Medium,
            ConfidenceLevel::Low => Certainty::Low,
        };
        let target = Target::of(proposal, None, None);
        let is_of_identity = target.store == StoreKind::Vault || target.routing.kind == Kind::Identity;
        settings.review == ReviewMode::AutoCommit
            && settings.trusted_agents.contains(&proposal.from)
            && self.is_trusted()
            && proposal.confidence.unwrap_or(Certainty::Low) >= enough
            && proposal.conflicts.is_empty()
            && !is_of_identity
    }

    /// Commits what was just proposed, as the main agent, whose rule that is. What cannot be committed waits.
    fn commit_at_once(&self, outcome: &mut ProposeOutcome) {
        let request = CommitRequest {
            which: Which::These(vec![outcome.number]),
            reviewer: Reviewer::Rule,
            ..CommitRequest::default()
        };
        match self.acting_as("main", AgentRole::Main).commit_proposals(&request) {
            Ok(done) => {
                if let Some(committed) = done.committed.into_iter().next() {
                    outcome.effect = ProposeEffect::Committed;
                    outcome.committed = Some(committed);
                }
            }
            Err(error) => tracing::warn!("proposal #{} waits: {error}", outcome.number),
        }
    }
}

/// Whether something speaks for a proposal that did not when the same was rejected.
fn speaks_anew(new: &Proposal, rejected: &Proposal) -> bool {
    !new.evidence.is_empty() && new.evidence != rejected.evidence
}

/// A moment without the parts of its second, which nobody reads.
pub(super) fn to_second(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}

/// The agent that a proposal comes from.
pub(super) fn agent_of(proposal: &Proposal) -> &str {
    if proposal.from.is_empty() { "unknown" } else { &proposal.from }
}

/// A name as it may stand in the audit log.
pub(super) fn as_actor(name: &str) -> String {
    let is_sign = |each: char| each.is_whitespace() || each.is_control() || matches!(each, '|' | '\\');
    name.chars().map(|each| if is_sign(each) { '-' } else { each }).collect()
}

pub(super) fn no_such(number: u64) -> MemoryError {
    MemoryError::usage(
        format!("there is no proposal #{number}"),
        "`rem proposals list` shows those that wait; `rem verify` names sections that cannot be read",
    )
}
