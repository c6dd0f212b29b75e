//! What was forgotten is not proposed any more: proposals that say it go with it, for good or among those that were rejected, and one that
//! another clone kept is no memory again by itself.

use std::collections::BTreeSet;

use jiff::civil::Date;
use rem_format::proposal::{self, Change, Placed, Proposal};
use rem_ledger::ChangeSet;

use super::deciding::taken_out;
use crate::error::MemoryError;
use crate::lifecycle::forgotten::Forgotten;
use crate::lifecycle::records::Untold;
use crate::memory::Memory;
use crate::stores::Located;

impl Memory {
    /// The change that takes proposals of what is forgotten out of those that wait, and their numbers. What is not forgotten for good is
    /// remembered as rejected; what is, leaves those that were rejected as well.
    pub(crate) fn proposals_without(
        &self,
        forgotten: &[Located],
        permanent: bool,
    ) -> Result<(ChangeSet<'static>, Vec<u64>), MemoryError> {
        let untold = Untold::of(forgotten);
        let (pending, rejected) = (self.ledger.layout().pending_memories(), self.rejected_path()?);
        let says = |placed: &&Placed| untold.is_told_by(&placed.proposal.content);
        let bytes = self.ledger.read(&pending)?.unwrap_or_default();
        let all = proposal::parse(&bytes);
        let section = |placed: &Placed| (placed.proposal.number, bytes[placed.bytes.clone()].to_vec());
        let sections: Vec<(u64, Vec<u8>)> = all.placed.iter().filter(says).map(section).collect();
        let numbers: BTreeSet<u64> = sections.iter().map(|(number, _)| *number).collect();
        let mut set = match (sections.is_empty(), permanent) {
            (true, _) => ChangeSet::new(),
            (false, true) => taken_out(&pending, &sections, "forgotten"),
            (false, false) => self.rejection(&numbers, &sections, "forgotten since")?,
        };
        let bytes = self.ledger.read(&rejected)?.unwrap_or_default();
        let before = proposal::parse(&bytes);
        let gone: BTreeSet<u64> =
            before.placed.iter().filter(says).map(|placed| placed.proposal.number).collect();
        if permanent && !gone.is_empty() {
            set = set.edit(rejected, "forgotten", move |found| {
                let removed = gone.iter().map(|number| (*number, Change::Remove)).collect();
                Ok(found.map(|bytes| proposal::changed(bytes, &removed)))
            });
        }
        Ok((set, numbers.into_iter().collect()))
    }

    /// Why a proposal is no memory without a person's word: what it says was forgotten since.
    pub(super) fn forgotten_since(&self, forgotten: &Forgotten, proposal: &Proposal) -> Option<String> {
        let made = proposal.time.map_or(Date::MIN, |time| self.day_of(time));
        let day = forgotten.day_of(&proposal.content).filter(|day| made <= *day)?;
        Some(format!("what it says was forgotten on {day}, after it was proposed"))
    }
}
