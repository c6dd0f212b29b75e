//! Batched commits (`git.cadence: batched`): one more change set joins the newest commit.

use rem_format::audit::AuditLine;
use rem_format::commit::CommitMessage;

use crate::error::LedgerError;
use crate::git::{PathChange, Repository};
use crate::ledger::Ledger;
use crate::redo::Record;

/// A commit that took in one more change set.
pub(crate) struct Joined {
    pub(crate) commit: gix::ObjectId,
    pub(crate) lines: Vec<AuditLine>,
}

impl Ledger {
    /// With `git.cadence: batched`: takes a change set into the newest commit, if that is a batch, young enough, and nothing
    /// but the branch points to it. The commit is replaced by one that holds both.
    pub(crate) fn join_batch(
        &self,
        repository: &Repository,
        record: &Record,
        changes: &[PathChange<'_>],
        message: &str,
    ) -> Result<Option<Joined>, LedgerError> {
        let Some(interval) = self.options.batch.filter(|_| record.joins.is_none()) else { return Ok(None) };
        let Some(later) = CommitMessage::parse(message, record.time).filter(|message| message.batched) else {
            return Ok(None);
        };
        let Some(head) = repository.head()? else { return Ok(None) };
        let info = repository.commit_info(head)?;
        let Some(batch) = info.structured().filter(|message| message.batched) else { return Ok(None) };
        let age = record.time.duration_since(info.time);
        let is_young = age.is_negative() || age.unsigned_abs() < interval;
        if !is_young || info.parents.len() != 1 || !repository.is_only_the_branchs(head)? {
            return Ok(None);
        }
        let lines = later.lines.clone();
        // The commit keeps its first time, so that the batch ends when its interval does.
        let text = batch.joined(later).render(info.time);
        let commit = repository.replace_head(&info, changes, &text, &record.author)?;
        Ok(Some(Joined { commit, lines }))
    }
}
