//! What the extractors would take out of a transcript of the workspace: a look, which writes nothing.

use rem_format::path::MemoryPath;
use rem_format::transcript::Transcript;
use serde::Serialize;

use super::{Extraction, extract};
use crate::error::MemoryError;
use crate::memory::Memory;

/// A transcript, and what would be taken out of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExtractionPreview {
    /// The transcript's file.
    pub path: MemoryPath,
    /// In the order of the conversation, the journal last.
    pub extractions: Vec<Extraction>,
}

impl Memory {
    /// What the extractors would take out of the closed transcripts of a session, or out of the one at a path, without writing
    /// anything; with neither, out of the one that was begun last. One preview for each file, in their order.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is no such transcript or it is still open, [`MemoryError::Transcript`] where it cannot be
    /// read as one, [`MemoryError::Ledger`] where it cannot be read at all.
    pub fn extract(&self, session_or_path: Option<&str>) -> Result<Vec<ExtractionPreview>, MemoryError> {
        let mut paths = match session_or_path {
            Some(path) if path.ends_with(".md") => MemoryPath::new(path).into_iter().collect(),
            Some(session) => self.parts_of(session)?,
            None => self.ledger.transcripts()?,
        };
        let mut is_open = false;
        let mut closed = Vec::new();
        if session_or_path.is_none() {
            paths.reverse();
        }
        for path in paths {
            let Some(bytes) = self.ledger.read(&path)?.filter(|bytes| !bytes.is_empty()) else { continue };
            if self.ledger.is_open(&path)? {
                is_open = true;
                continue;
            }
            let transcript = Transcript::parse(&bytes)
                .map_err(|source| MemoryError::Transcript { path: path.clone(), source })?;
            closed.push(ExtractionPreview { path, extractions: extract(&transcript) });
            if session_or_path.is_none() {
                break;
            }
        }
        if closed.is_empty() {
            let what = session_or_path.unwrap_or("the workspace");
            let message = match is_open {
                true => format!("the transcript of {what:?} is still open"),
                false => format!("there is no closed transcript of {what:?}"),
            };
            let hint = "`rem capture end` closes a session; a path begins with the folder of the transcripts";
            return Err(MemoryError::usage(message, hint));
        }
        Ok(closed)
    }
}
