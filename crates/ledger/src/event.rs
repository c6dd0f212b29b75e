//! Events: what happened and changes no file, as an empty commit with its audit lines (resolution 8). Must not touch a file.

use rem_format::audit::{Action, AuditLine};

use crate::apply::Inside;
use crate::change::{Applied, Provenance};
use crate::error::LedgerError;
use crate::git::Repository;
use crate::ledger::Ledger;

impl Ledger {
    /// Records an event that changes no file (resolution 8): an empty commit and its audit line.
    ///
    /// # Errors
    /// As [`Self::apply`].
    pub fn record_event(
        &self,
        action: Action,
        file: &str,
        summary: &str,
        provenance: &Provenance,
    ) -> Result<Applied, LedgerError> {
        self.may_change()?;
        let mut inside = self.enter()?;
        self.with_repository(|repository| {
            repository.check_ready()?;
            let now = self.clock.now();
            let line =
                AuditLine::new(now, action, file, provenance.actor.clone(), provenance.approval, summary);
            self.carry_out_event(&mut inside, repository, vec![line], provenance)
        })
    }

    /// Events that change no file, in one empty commit.
    pub(crate) fn carry_out_event(
        &self,
        inside: &mut Inside,
        repository: &Repository,
        lines: Vec<AuditLine>,
        provenance: &Provenance,
    ) -> Result<Applied, LedgerError> {
        let salt: String = lines.iter().map(|line| line.file.as_str()).collect();
        let now = self.clock.now();
        let record = self.record(now, Vec::new(), Vec::new(), lines, provenance, Vec::new(), salt.as_bytes());
        self.carry_out(inside, repository, &record)
    }
}
