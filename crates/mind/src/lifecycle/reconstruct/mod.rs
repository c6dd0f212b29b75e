//! Reconstruction (L8, W12; seed A8.7): all knowledge made anew from the transcripts, on a branch with a working tree of its own.
//!
//! The live workspace goes on being used. On the branch everything that was mined or condensed goes, what people wrote or asked for
//! stays, and every transcript is mined and condensed again. Interrupted, it goes on where it was: each transcript is a commit that
//! says so. Days come from the transcripts, so the same extractors over the same transcripts write the same bytes; and what is made as it was keeps its
//! place (`in_place`), so that nothing differs then.

mod by_hand;
mod clear;
mod compare;
mod in_place;
mod measure;
mod pairing;
mod settling;

use jiff::ToSpan as _;
use rem_format::commit::CommitType;
use rem_format::path::MemoryPath;
use rem_ledger::{Branch, BranchKind, Provenance};
use serde::Serialize;

pub(super) use by_hand::OwnWords;
pub use compare::{ComparedEntry, ComparedStore, Comparison, Figures};
pub use measure::{AskedQuestion, Measured, MeasuredSide};

use super::condense::CondenseRequest;
use super::done::Done;
use super::mine::{MineRequest, NotMined};
use super::reading::Read;
use crate::error::MemoryError;
use crate::memory::Memory;

/// The branch where none is named.
const NAME: &str = "reconstructed";

/// What a reconstruction came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reconstruction {
    /// Its branch.
    pub branch: Branch,
    /// Whether it was begun before and went on.
    pub resumed: bool,
    /// How many transcripts were mined now.
    pub mined: usize,
    /// The transcripts that could not be, and why.
    pub failed: Vec<NotMined>,
    /// The branch beside the memory in use.
    pub comparison: Comparison,
}

impl Memory {
    /// Makes all knowledge anew from the transcripts, on the branch `extract/NAME`, or goes on where that was interrupted. `progress` is
    /// told how many transcripts of how many are mined. The memory in use is not changed.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] for a sub-agent, and where git or the files of the branch cannot be read or written.
    pub fn reconstruct(
        &self,
        name: Option<&str>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Reconstruction, MemoryError> {
        let name = name.unwrap_or(NAME);
        // A branch is called by what is left of its name, and goes on by the same.
        let called = rem_format::slug::slug(name);
        let known = self.ledger.branches()?.into_iter().find(|branch| {
            branch.kind == BranchKind::Extract
                && branch.name.strip_prefix("extract/") == Some(called.as_deref().unwrap_or(name))
        });
        let resumed = known.is_some();
        let (branch, ledger) = match known {
            Some(branch) => (branch.name.clone(), self.ledger.branch_ledger(&branch.name)?),
            None => {
                let (branch, ledger) = self.ledger.branch_start(BranchKind::Extract, name)?;
                (branch.name, ledger)
            }
        };
        let apart = Self::over(ledger, self.config.clone(), Vec::new(), self.options.clone())?;
        let Some(_alone) = apart.ledger.try_lock_private("reconstruct.lock")? else {
            return Err(MemoryError::usage(
                format!("{branch} is being made by another process"),
                "wait until it is done, or name another branch",
            ));
        };
        apart.ledger.recover()?;
        // Clearing is the branch's first commit, or there was nothing to clear.
        if self.ledger.branch(&branch)?.commits == 0 {
            let provenance = Provenance::system("reconstruct", "cleared for reconstruction");
            apart.change(apart.cleared()?, &provenance.kind(CommitType::Extract))?;
        }
        apart.ledger.commit_outside_changes()?;
        let (mut mined, mut failed) = (0, Vec::new());
        let mut days = apart.condensing(&CondenseRequest::default())?;
        let waiting = apart.days_to_mine(std::mem::take(&mut days.waiting))?;
        let own = apart.own_words(self, &self.ledger.branch(&branch)?)?;
        apart.mine_each(&MineRequest::default(), own, progress, |path, taken, read| {
            match taken {
                Ok(transcript) => mined += usize::from(transcript.is_some()),
                Err(why) => failed.push(why),
            }
            // The journal tells what the rules read, which need not read it twice.
            if let Some(read) = read.filter(Read::is_by_rules)
                && waiting.binary_search(path).is_ok()
            {
                days.take(path, Ok(read));
            }
        })?;
        days.finish()?;
        apart.condense_days(&CondenseRequest::default(), &mut |_, _| {})?;
        for day in self.put_in_place(&apart, &self.ledger.branch(&branch)?)? {
            apart.condense_week(Some(day), false)?;
        }
        Ok(Reconstruction {
            branch: self.ledger.branch(&branch)?,
            resumed,
            mined,
            failed,
            comparison: self.branch_compare(&branch)?,
        })
    }

    /// Of these transcripts, which are sorted, those of days of which none was mined yet: a day is told of as a whole.
    fn days_to_mine(&self, mut transcripts: Vec<MemoryPath>) -> Result<Vec<MemoryPath>, MemoryError> {
        let mined = self.transcripts_done(Done::Mined)?;
        let day = |path: &MemoryPath| rem_recall::date_of_path(path.as_str());
        let last = transcripts.iter().filter(|path| mined.contains(path.as_str())).filter_map(day).max();
        // The operator's day and that of the path are one apart at most.
        let begun = last.map(|last| last.saturating_add(2.days()));
        transcripts.retain(|path| begun.is_none_or(|begun| day(path).is_some_and(|day| day > begun)));
        Ok(transcripts)
    }
}
