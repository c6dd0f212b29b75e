//! Who may change a workspace: the main agent, never those who work for it.
//!
//! A sub-agent reads, and proposes (M13.1): one file is open to it, that of proposals, under its own name. Every way to change what is
//! remembered asks here first, so that no surface can forget to. What only completes or keeps what others did (recovery, changes
//! made outside, the index) is not the sub-agent's own doing and goes on.

use rem_format::audit::{Action, Actor, Approval};
use rem_format::correction::{self, CorrectedBy, Correction};
use rem_format::page::{Item, Page};
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

    /// Refuses an agent under its own name to take back what a person pinned, keeps in the vault or corrected, and their corrections: `after`
    /// is what the file would hold.
    ///
    /// # Errors
    /// [`LedgerError::ForAPerson`], or as [`Ledger::read`].
    pub(crate) fn may_take_back(
        &self,
        path: &MemoryPath,
        after: Option<&[u8]>,
        provenance: &Provenance,
    ) -> Result<(), LedgerError> {
        let Actor::Bot(agent) = &provenance.actor else { return Ok(()) };
        if provenance.approval == Approval::Approved {
            return Ok(());
        }
        let now = self.read(path)?.unwrap_or_default();
        let after = after.unwrap_or_default();
        let is_kept = match self.options.layout.store_of(path) {
            Some(Store::Corrections | Store::CorrectionArchive) => keeps_corrections(&now, after),
            Some(Store::Vault) => keeps_items(&now, after, |_| true),
            _ => keeps_items(&now, after, is_a_persons),
        };
        match is_kept {
            true => Ok(()),
            false => Err(LedgerError::ForAPerson { agent: agent.clone(), path: path.clone() }),
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

/// Whether all corrections of the operator's are as they were.
fn keeps_corrections(now: &[u8], after: &[u8]) -> bool {
    let after: Vec<Correction> =
        correction::parse(after).into_iter().map(|placed| placed.correction).collect();
    let mut before = correction::parse(now).into_iter().map(|placed| placed.correction);
    before.all(|one| one.by == CorrectedBy::Agent || after.contains(&one))
}

/// Whether what holds of these items of a page still holds, with the same marks, and a page that is pinned as a whole is as it was.
fn keeps_items(now: &[u8], after: &[u8], is_kept: impl Fn(&Item) -> bool) -> bool {
    let Ok(page) = Page::parse(now) else { return true };
    if page.header().is_yes("pinned") && now != after {
        return false;
    }
    let after = Page::parse(after).ok();
    let stands = |item: &Item| {
        let mut others = after.iter().flat_map(|page| page.items());
        others.any(|other| other.ended().is_none() && other.plain() == item.plain() && is_kept(other))
    };
    page.items().iter().filter(|item| item.ended().is_none() && is_kept(item)).all(stands)
}

/// Whether an item is pinned or what the operator corrected.
fn is_a_persons(item: &Item) -> bool {
    let is_tagged = |tags: &str| tags.split(',').any(|tag| tag.trim().eq_ignore_ascii_case("correction"));
    item.annotation.is_yes("pinned")
        || ["tags", "tag", "type", "kind"].iter().any(|key| item.annotation.get(key).is_some_and(is_tagged))
        || item.text.to_lowercase().split_whitespace().any(|word| word == "#correction")
}
