//! The operator's key and what they approve with it (row I10): set up, looked at, signed after the fact, taken back.
//!
//! That a change is signed at all is the ledger's business; here is what a person does about it.

use std::collections::BTreeSet;

use rem_format::audit::{Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::path::MemoryPath;
use rem_ledger::{Applied, ChangeSet, Consent, Provenance, Signer};

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
        if let Some(key) = &consent.key
            && !named.is_empty()
            && named != key
        {
            consent.flaws.push(format!("{PUBLIC_KEY} in CONFIG.md names another key than the one in force"));
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

    /// Gives files back what the operator signed last. Nothing named means all that lack a signature. What stood there stays in history.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where a file does not need it, or what was signed is not in the history any more.
    pub fn undo_unsigned(&self, named: &[MemoryPath]) -> Result<Applied, MemoryError> {
        self.ledger.commit_outside_changes()?;
        let mut set = ChangeSet::new();
        for path in self.unsigned(named)? {
            let what = "back to what the operator signed";
            set = match self.ledger.signed_contents(&path)? {
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
            return Err(MemoryError::usage(
                "no operator's key was set up, so that nothing lacks a signature",
                "`rem operator init` sets one up",
            ));
        }
        let all: BTreeSet<MemoryPath> = consent.unsigned.into_iter().collect();
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
            ([], false) => Ok(all),
            (named, false) => Ok(named.iter().cloned().collect()),
        }
    }
}
