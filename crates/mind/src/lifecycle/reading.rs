//! Many transcripts read and extracted on all cores, and handed on in their order.

use std::sync::mpsc::sync_channel;

use rem_format::path::MemoryPath;
use rem_format::transcript::Transcript;

use super::extract::{Extracted, Extraction, extract};
use crate::error::MemoryError;
use crate::memory::Memory;

/// How many transcripts each reader is ahead at most: what waits is held in memory.
const AHEAD: usize = 4;
/// No more readers than this, however many cores there are.
const MOST_READERS: usize = 8;

/// A transcript as the extractors left it.
pub(super) struct Read {
    pub(super) transcript: Transcript,
    pub(super) extractions: Vec<Extraction>,
    /// Who read it: the rules with their versions, or models; nothing where it does not matter.
    pub(super) by: String,
}

/// Who takes things out of transcripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// The rules.
    Rules,
    /// A model where there is one, else the rules.
    Anybody,
}

impl Memory {
    /// Reads transcripts and hands them on, one after the other in the order given.
    pub(super) fn read_each(
        &self,
        paths: &[MemoryPath],
        by: Readers,
        mut take: impl FnMut(&MemoryPath, Result<Read, MemoryError>),
    ) {
        let readers = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_READERS);
        std::thread::scope(|scope| {
            // Each reader has every so manieth, so asking them in turn gives all in order.
            let receivers: Vec<_> = (0..readers.min(paths.len()))
                .map(|number| {
                    let (sender, receiver) = sync_channel(AHEAD);
                    scope.spawn(move || {
                        for path in paths.iter().skip(number).step_by(readers) {
                            if sender.send(self.read_transcript(path, by)).is_err() {
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
    }

    fn read_transcript(&self, path: &MemoryPath, by: Readers) -> Result<Read, MemoryError> {
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let transcript = Transcript::parse(&bytes)
            .map_err(|source| MemoryError::Transcript { path: path.clone(), source })?;
        let Extracted { extractions, by } = match by {
            Readers::Rules => Extracted { extractions: extract(&transcript), by: String::new() },
            Readers::Anybody => self.extracted(&transcript)?,
        };
        Ok(Read { transcript, extractions, by })
    }
}
