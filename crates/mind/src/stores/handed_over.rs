//! What another program's checkpoint says was forgotten (M8.3): entities and procedures whose files do not say so themselves.
//!
//! The seed marks what is forgotten in `decay-scores.json` alone. Searches leave it out from the first one on; the first job or statement
//! that writes puts it into the files (resolution 7), where this program has it. Must not do so with what this program wrote: there the
//! files say it.

use std::collections::BTreeSet;
use std::io::Read as _;

use rem_format::audit::Action;
use rem_format::decay_scores::{BY, DecayScore, DecayScores, Visibility};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance};

use super::forget::archived;
use super::locate::Named;
use crate::error::MemoryError;
use crate::memory::Memory;

/// How much of a checkpoint is looked at for who wrote it.
const BEGINNING: u64 = 512;

impl Memory {
    /// The files of what a checkpoint of another program says was forgotten and that do not say so themselves.
    pub(crate) fn forgotten_by_others(&self) -> BTreeSet<MemoryPath> {
        let read = || -> Result<BTreeSet<MemoryPath>, MemoryError> {
            let path = self.decay_scores()?;
            if self.is_own_checkpoint(&path) {
                return Ok(BTreeSet::new());
            }
            let bytes = self.ledger.read(&path)?.unwrap_or_default();
            let scores = DecayScores::parse(&bytes).unwrap_or_default();
            let forgotten = scores.entries.iter().filter(|(_, score)| is_forgotten(score));
            let mut files = BTreeSet::new();
            for (id, _) in forgotten {
                let Ok(Named::File(file)) = self.named(id) else { continue };
                if self.ledger.read(&file)?.is_some() && !self.is_out_of_use(&file)? {
                    files.insert(file);
                }
            }
            Ok(files)
        };
        read().unwrap_or_default()
    }

    /// Whether this program wrote the checkpoint, or there is none.
    fn is_own_checkpoint(&self, path: &MemoryPath) -> bool {
        let Ok(file) = std::fs::File::open(self.ledger.root().join(path.as_str())) else { return true };
        let mut beginning = Vec::new();
        let _ = file.take(BEGINNING).read_to_end(&mut beginning);
        String::from_utf8_lossy(&beginning).contains(&format!("\"{}\": \"{}\"", BY.0, BY.1))
    }

    /// Puts what another program's checkpoint says was forgotten into the files.
    pub(crate) fn take_over_forgotten(&self) -> Result<(), MemoryError> {
        let files = self.forgotten_by_others();
        if files.is_empty() {
            return Ok(());
        }
        let today = self.today();
        let path = self.decay_scores()?;
        let mut set = ChangeSet::new();
        for file in files {
            set = set
                .edit(file.clone(), "it was forgotten before", move |found| archived(found, today))
                .action(&file, Action::Archive);
        }
        set = set.edit(path, "what was forgotten before", |found| {
            let mut scores = DecayScores::parse(found.unwrap_or_default())?;
            scores.further.insert(BY.0.to_owned(), BY.1.into());
            Ok(Some(scores.render()))
        });
        self.change(set, &Provenance::system("decay", "what was forgotten before is marked in its file"))?;
        Ok(())
    }
}

/// Whether a score says that its memory was forgotten rather than that it faded.
fn is_forgotten(score: &DecayScore) -> bool {
    let is_faded_out = score.status == Visibility::Archived && score.current_score <= 0.0;
    score.forgotten || is_faded_out && is_of_others(score)
}

/// Whether another program made an entry: this one writes days.
pub(super) fn is_of_others(score: &DecayScore) -> bool {
    score.created.len() > "2026-01-15".len()
}
