//! The operator's key and what they approve with it (row I10): set up, looked at, signed after the fact, taken back.
//!
//! That a change is signed at all is the ledger's business; here is what a person does about it.

use std::collections::BTreeSet;

use rem_format::audit::{Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::path::MemoryPath;
use rem_ledger::{Applied, ChangeSet, Consent, Provenance, Signer, fingerprint};

use crate::error::MemoryError;
use crate::memory::Memory;

/// The setting in which the public key stands for everybody to see.
const PUBLIC_KEY: &str = "operator.public_key";

impl Memory {
    /// How the memory stands with its operator's approvals; every signature is checked if `all` is set.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] when a file cannot be read.
    pub fn consent(&self, all: bool) -> Result<Consent, MemoryError> {
        let mut consent = self.ledger.consent(all)?;
        let named = &self.config.operator.public_key;
        match &consent.key {
            _ if named.is_empty() => {}
            Some(key) if named == key => {}
            Some(_) => {
                consent
                    .flaws
                    .push(format!("{PUBLIC_KEY} in CONFIG.md names another key than the one in force"));
            }
            None => {
                let approvals = self.ledger.layout().approvals();
                consent.flaws.push(format!(
                    "{PUBLIC_KEY} in CONFIG.md names {}, and {approvals} has no approval of any key: `rem operator undo` gives it back from the history",
                    fingerprint(named)
                ));
            }
        }
        Ok(consent)
    }

    /// Sets up the operator's key, or another one, and approves with it what stands. `new` signs with the new key, `before` with the one in
    /// force; a new key without the word of the one before stays visible for good.
    ///
    /// # Errors
    /// [`rem_ledger::LedgerError::Unsigned`] where nobody signs, or as [`Self::set_config`].
    pub fn set_up_operator(
        &self,
        key: &str,
        new: &dyn Signer,
        before: Option<&dyn Signer>,
    ) -> Result<Applied, MemoryError> {
        self.ledger.commit_outside_changes()?;
        let set = self.setting(PUBLIC_KEY, key)?;
        let trigger = match self.ledger.consent(false)?.key {
            None => "the operator's key is set up",
            Some(_) => "the operator's key is replaced",
        };
        let provenance =
            Provenance::new(Actor::Manual, Approval::Approved, trigger).kind(CommitType::Identity);
        Ok(self.ledger.establish_key(key, set, new, before, &provenance)?)
    }

    /// Has the operator approve what stands in files now, though it came past them. Nothing named means all that lack a signature.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where a file does not need it, [`rem_ledger::LedgerError::Unsigned`] where nobody signs.
    pub fn sign_files(&self, named: &[MemoryPath]) -> Result<Applied, MemoryError> {
        self.ledger.commit_outside_changes()?;
        let paths = self.unsigned(named)?;
        let provenance = Provenance::new(Actor::Manual, Approval::Approved, "approved after the fact")
            .kind(CommitType::Identity);
        Ok(self.ledger.sign_standing(&paths, &provenance)?)
    }

    /// Gives files back what the operator signed last. Nothing named means all that lack a signature. What stood there stays in history. Approvals
    /// that are damaged or gone come back from the history first, in the same change.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where a file does not need it; [`rem_ledger::LedgerError::Approvals`] where nobody knows what was signed, or it is not
    /// in the history any more.
    pub fn undo_unsigned(&self, named: &[MemoryPath]) -> Result<Applied, MemoryError> {
        self.ledger.commit_outside_changes()?;
        let state = self.ledger.signed_state()?.ok_or_else(no_key)?;
        // Of two versions neither is the last one.
        let meant = |path: &&MemoryPath| named.is_empty() || named.contains(*path);
        if let Some(path) = state.several.keys().find(meant) {
            return Err(rem_ledger::LedgerError::Approvals(state.several[path].clone()).into());
        }
        let what = "back to what the operator signed";
        let mut set = ChangeSet::new();
        if let Some(approvals) = state.approvals {
            set = set.write(self.ledger.layout().approvals(), approvals, "approvals out of the history");
        }
        let lacking = state.files.keys().cloned().collect();
        if set.is_empty() || !named.is_empty() {
            chosen(&lacking, named)?;
        }
        for (path, contents) in state.files {
            if !named.is_empty() && !named.contains(&path) {
                continue;
            }
            // A link is in no history; what it leads to stays.
            self.ledger.remove_link(&path)?;
            set = match contents {
                Some(contents) => set.write(path, contents, what),
                None => set.delete(path, what),
            };
        }
        let provenance = Provenance::new(
            self.agent_or("manual"),
            Approval::None,
            "what came past the operator is taken back",
        )
        .kind(CommitType::Identity);
        Ok(self.ledger.apply(&set, &provenance)?)
    }

    /// Those of the files that lack a signature; all of them where none is named.
    fn unsigned(&self, named: &[MemoryPath]) -> Result<BTreeSet<MemoryPath>, MemoryError> {
        let consent = self.ledger.consent(false)?;
        if consent.key.is_none() {
            return Err(no_key());
        }
        chosen(&consent.unsigned.into_iter().collect(), named)
    }
}

fn no_key() -> MemoryError {
    MemoryError::usage(
        "no operator's key was set up, so that nothing lacks a signature",
        "`rem operator init` sets one up",
    )
}

/// The files that are meant among those that lack a signature.
fn chosen(all: &BTreeSet<MemoryPath>, named: &[MemoryPath]) -> Result<BTreeSet<MemoryPath>, MemoryError> {
    if let Some(path) = named.iter().find(|path| !all.contains(path)) {
        return Err(MemoryError::usage(
            format!("{path} holds what the operator signed last, or needs no signature"),
            "`rem operator show` names the files that lack one",
        ));
    }
    match (named, all.is_empty()) {
        (_, true) => Err(MemoryError::usage(
            "everything that needs the operator's signature has it",
            "`rem operator show` says how the approvals stand",
        )),
        ([], false) => Ok(all.clone()),
        (named, false) => Ok(named.iter().cloned().collect()),
    }
}
