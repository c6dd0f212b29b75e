//! Who may change a workspace: the main agent, never those who work for it.
//!
//! A sub-agent reads, and proposes (M13.1): one file is open to it, that of proposals, under its own name. Every way to change what is
//! remembered asks here first, so that no surface can forget to. What only completes or keeps what others did (recovery, changes
//! made outside, the index) is not the sub-agent's own doing and goes on.

use rem_format::audit::{Action, Actor, Approval};
use rem_format::path::MemoryPath;

use crate::change::{ChangeSet, Provenance};
use crate::error::LedgerError;
use crate::layout::Store;
use crate::ledger::Ledger;

/// What an agent is to the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AgentRole {
    /// The agent whose memory it is.
    #[default]
    Main,
    /// An agent that works for it: it may ask and propose, and changes nothing.
    Sub,
}

impl Ledger {
    /// What the agent at work is to this memory.
    #[must_use]
    pub fn role(&self) -> AgentRole {
        self.options.role
    }

    /// Refuses a sub-agent.
    ///
    /// # Errors
    /// [`LedgerError::SubAgent`].
    pub fn may_change(&self) -> Result<(), LedgerError> {
        match self.options.role {
            AgentRole::Main => Ok(()),
            AgentRole::Sub => Err(LedgerError::SubAgent(self.options.agent.clone())),
        }
    }

    /// Refuses an agent under its own name whatever brings other versions of the identity or of CONFIG.md in: of a past state, of a branch, of
    /// another clone.
    ///
    /// # Errors
    /// [`LedgerError::ForAPerson`].
    pub(crate) fn may_bring_in(
        &self,
        changes: &ChangeSet<'_>,
        provenance: &Provenance,
    ) -> Result<(), LedgerError> {
        let Actor::Bot(agent) = &provenance.actor else { return Ok(()) };
        let layout = &self.options.layout;
        let is_for_a_person =
            |path: &&MemoryPath| layout.needs_consent(path) && layout.store_of(path) != Some(Store::Vault);
        match changes.paths().find(is_for_a_person) {
            Some(path) if provenance.approval != Approval::Approved => {
                Err(LedgerError::ForAPerson { agent: agent.clone(), path: path.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Refuses a sub-agent whatever is no proposal: a change of the file of proposals alone, as its own.
    ///
    /// # Errors
    /// [`LedgerError::SubAgent`].
    pub(crate) fn may_apply(
        &self,
        changes: &ChangeSet<'_>,
        provenance: &Provenance,
    ) -> Result<(), LedgerError> {
        let open = self.options.layout.pending_memories();
        let is_proposal = matches!(provenance.actor, Actor::Subagent(_))
            && changes
                .planned
                .iter()
                .all(|(path, planned)| *path == open && planned.is_plain(Action::Propose));
        match is_proposal {
            true => Ok(()),
            false => self.may_change(),
        }
    }
}
