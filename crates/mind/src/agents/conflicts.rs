//! Proposals that contradict each other (G4; M13.6): found among all that wait, and marked in their file.
//!
//! `propose` marks what it meets; this is for sections that came into the file by hand. Statements that could contradict each other
//! have a word in common under which they are looked up, so that a thousand are not compared with each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rem_format::audit::{Action, Approval};
use rem_format::proposal::{self, Change, Placed};
use rem_ledger::{ChangeSet, Provenance};

use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::statement::{Comparison, Statement};

impl Memory {
    /// Marks the proposals that contradict each other and do not say so yet; gives their numbers.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::apply`].
    pub fn mark_conflicting_proposals(&self) -> Result<Vec<u64>, MemoryError> {
        let path = self.ledger.layout().pending_memories();
        let marks = self.unmarked(&self.ledger.read(&path)?.unwrap_or_default());
        if marks.is_empty() {
            return Ok(Vec::new());
        }
        let numbers: Vec<u64> = marks.keys().copied().collect();
        let signs: Vec<String> = numbers.iter().map(|number| format!("#{number}")).collect();
        let what = format!("proposals contradict each other: {}", signs.join(", "));
        let set = ChangeSet::new()
            .edit(path.clone(), &what, |found| {
                let bytes = found.unwrap_or_default();
                Ok(Some(proposal::changed(bytes, &self.unmarked(bytes))))
            })
            .action(&path, Action::Edit);
        let provenance = Provenance::new(self.agent_or("main"), Approval::Auto, what);
        self.ledger.apply(&set, &provenance)?;
        Ok(numbers)
    }

    /// The marks that are missing.
    fn unmarked(&self, bytes: &[u8]) -> BTreeMap<u64, Change> {
        let all = proposal::parse(bytes).placed;
        let mut with: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
        let mut under: HashMap<String, Vec<usize>> = HashMap::new();
        let statements: Vec<Statement> =
            all.iter().map(|placed| Statement::new(&placed.proposal.content)).collect();
        for (at, statement) in statements.iter().enumerate() {
            let mut others = BTreeSet::new();
            for key in statement.keys() {
                let known = under.entry(key).or_default();
                others.extend(known.iter().copied());
                known.push(at);
            }
            for other in others {
                if statement.compared_to(&statements[other]) == Comparison::Replaces {
                    with.entry(at).or_default().insert(all[other].proposal.number);
                    with.entry(other).or_default().insert(all[at].proposal.number);
                }
            }
        }
        let mark = |(at, mut numbers): (usize, BTreeSet<u64>)| {
            let Placed { proposal, .. } = &all[at];
            numbers.extend(&proposal.conflicts);
            let is_new = numbers.len() > proposal.conflicts.len();
            is_new.then_some((proposal.number, Change::Mark(proposal.status, numbers)))
        };
        with.into_iter().filter_map(mark).collect()
    }
}
