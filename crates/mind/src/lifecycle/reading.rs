//! Many transcripts read and extracted on all cores, and handed on in their order.

use std::sync::mpsc::sync_channel;

use rem_format::path::MemoryPath;
use rem_format::transcript::Transcript;
use rem_ledger::Snapshot;
use rem_reason::Tier;

use super::extract::{Extracted, Extraction, by_rules, extract};
use super::mine::Worded;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::patterns;
use crate::reasoning::Missed;

/// How many transcripts each reader is ahead at most: what waits is held in memory.
const AHEAD: usize = 4;
/// No more readers than this wait for a model at once.
const MOST_READERS: usize = 8;
/// No more read by the rules, however many cores there are: each needs a hundred megabytes for its patterns.
const MOST_BY_RULES: usize = 4;

/// A transcript as the extractors left it.
pub(super) struct Read {
    pub(super) transcript: Transcript,
    pub(super) extractions: Vec<Extraction>,
    /// What can be told of those that are to last by themselves, in their order; nothing of what only the rules read.
    pub(super) worded: Vec<Worded>,
    /// Who read it: the rules with their versions, or models; nothing where it does not matter.
    pub(super) by: String,
    /// Why the rules read it, all or in part, although a model is named.
    pub(super) missed: Option<Missed>,
}

impl Read {
    /// Whether the rules of this version read it, and nobody else.
    pub(super) fn is_by_rules(&self) -> bool {
        self.by == by_rules()
    }
}

/// Who takes things out of transcripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// The rules.
    Rules,
    /// The rules, for a look at what they would have kept: nobody is paid for a look.
    RulesToKeep,
    /// A model where there is one, else the rules.
    Anybody,
}

impl Memory {
    /// Reads transcripts and hands them on, one after the other in the order given. One that git does not have as it is was not
    /// closed by us, or changed since: it is no evidence, and is refused.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where git cannot be asked; that one transcript cannot be read is handed on.
    pub(super) fn read_each(
        &self,
        paths: &[MemoryPath],
        by: Readers,
        mut take: impl FnMut(&MemoryPath, Result<Read, MemoryError>),
    ) -> Result<(), MemoryError> {
        let recorded = match self.ledger.head()? {
            Some(head) if !paths.is_empty() => Some(self.ledger.snapshot(&head)?),
            _ => None,
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let readers = match by {
            Readers::Rules => cores.min(MOST_BY_RULES),
            Readers::Anybody if self.model_of(Tier::Cheap).is_ok() => cores.min(MOST_READERS),
            // Mining a transcript takes as long as reading it, and needs a core of its own.
            Readers::Anybody | Readers::RulesToKeep => cores.saturating_sub(1).clamp(1, MOST_BY_RULES - 1),
        };
        let _at_work = patterns::Readers::begin(readers);
        std::thread::scope(|scope| {
            // Each reader has every so manieth, so asking them in turn gives all in order.
            let receivers: Vec<_> = (0..readers.min(paths.len()))
                .map(|number| {
                    let recorded = recorded.as_ref();
                    let (sender, receiver) = sync_channel(AHEAD);
                    scope.spawn(move || {
                        for path in paths.iter().skip(number).step_by(readers) {
                            if sender.send(self.read_transcript(path, recorded, by)).is_err() {
                                break; // Whoever receives has stopped.
                            }
                        }
                    });
                    receiver
                })
                .collect();
            for (path, receiver) in paths.iter().zip(receivers.iter().cycle()) {
                let Ok(read) = receiver.recv() else { break };
                take(path, read);
            }
        });
        Ok(())
    }

    fn read_transcript(
        &self,
        path: &MemoryPath,
        recorded: Option<&Snapshot>,
        by: Readers,
    ) -> Result<Read, MemoryError> {
        let transcript = self.recorded_transcript(path, recorded)?;
        let Extracted { extractions, by: name, missed } = match by {
            // What a group or somebody else says is no word of the operator's.
            _ if !transcript.header.is_with_operator() => Extracted::by_rules(Vec::new()),
            Readers::Rules => Extracted { by: String::new(), ..Extracted::by_rules(extract(&transcript)) },
            Readers::RulesToKeep => Extracted::by_rules(extract(&transcript)),
            Readers::Anybody => self.extracted(&transcript)?,
        };
        let worded = match by {
            Readers::Rules => Vec::new(),
            Readers::RulesToKeep | Readers::Anybody => self.worded(&extractions)?,
        };
        Ok(Read { transcript, extractions, worded, by: name, missed })
    }

    /// A transcript that git has as it is; one that it has otherwise is no evidence.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where git has it otherwise, [`MemoryError::Transcript`] where it cannot be read.
    pub(crate) fn recorded_transcript(
        &self,
        path: &MemoryPath,
        recorded: Option<&Snapshot>,
    ) -> Result<Transcript, MemoryError> {
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let known = recorded.map(|recorded| self.ledger.contents_in(recorded, path)).transpose()?.flatten();
        if known.as_deref() != Some(bytes.as_slice()) {
            return Err(MemoryError::usage(
                "git does not have it as it is",
                "`rem verify` says more; `rem import` takes conversations in, `git add` and `git commit` one that you vouch for",
            ));
        }
        Transcript::parse(&bytes).map_err(|source| MemoryError::Transcript { path: path.clone(), source })
    }
}
