//! Branches of the memory (A3.3), as a person uses them: begun, merged, dropped, and pruned when nobody works on them.

use rem_format::commit::CommitType;
use rem_ledger::{Applied, Branch, BranchKind};

use crate::error::MemoryError;
use crate::memory::Memory;

/// A what-if that nobody committed to for so long may go (A3.3).
const IDLE_DAYS: i64 = 7;

impl Memory {
    /// Begins a branch at the present state, with a working tree of its own that is a workspace.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::branch_start`].
    pub fn branch_start(&self, kind: BranchKind, name: &str) -> Result<Branch, MemoryError> {
        Ok(self.ledger.branch_start(kind, name)?.0)
    }

    /// Takes over what a branch changed, as one change that a person asked for, and drops the branch. Files that both sides changed are merged
    /// by their formats.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::branch_merge`].
    pub fn branch_merge(&self, name: &str) -> Result<Applied, MemoryError> {
        let branch = self.ledger.branch(name)?;
        let kind = match branch.kind {
            BranchKind::Explore => CommitType::Explore,
            BranchKind::Extract => CommitType::Extract,
        };
        let provenance = self.asked_for(format!("rem branch merge {}", branch.name)).kind(kind);
        let applied = self.ledger.branch_merge(&branch.name, &provenance)?;
        self.graph_index_follows(&applied.files);
        Ok(applied)
    }

    /// Drops the `explore/` branches that nobody committed to for a week; gives their names.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::branch_drop`].
    pub fn branches_prune(&self) -> Result<Vec<String>, MemoryError> {
        let idle = jiff::SignedDuration::from_hours(24 * IDLE_DAYS);
        let before = self.now().saturating_sub(idle).unwrap_or(jiff::Timestamp::MIN);
        let mut gone = Vec::new();
        for branch in self.ledger.branches()? {
            if branch.kind == BranchKind::Explore && branch.last_commit < before {
                gone.push(self.ledger.branch_drop(&branch.name)?.name);
            }
        }
        Ok(gone)
    }
}
