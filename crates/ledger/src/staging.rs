//! Files too large for memory: written aside piece by piece, then put into place by a change set.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use crate::change::Staged;
use crate::error::LedgerError;
use crate::files;
use crate::ledger::Ledger;

/// A file being written in the private folder; removed when dropped unfinished.
#[derive(Debug)]
pub struct StagedFile {
    name: String,
    at: PathBuf,
    writer: BufWriter<File>,
    hasher: blake3::Hasher,
    length: u64,
    finished: bool,
}

impl Ledger {
    /// Begins a staged file.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be made.
    pub fn stage(&self) -> Result<StagedFile, LedgerError> {
        let name = format!("staging/{}", self.new_change_id(self.now(), b"staging"));
        let at = self.private_folder().join(&name);
        files::create_parents(&at)?;
        let file = files::create_new(&at).map_err(LedgerError::io("create", &at))?;
        Ok(StagedFile {
            name,
            at,
            writer: BufWriter::with_capacity(1 << 18, file),
            hasher: blake3::Hasher::new(),
            length: 0,
            finished: false,
        })
    }
}

impl StagedFile {
    /// Bytes written so far.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Everything written so far, to be read from the start.
    ///
    /// # Errors
    /// The system's, when it cannot be written out or opened.
    pub fn reopen(mut self) -> io::Result<impl io::Read> {
        self.writer.flush()?;
        // The file goes with `self`; on the handle it stays readable.
        File::open(&self.at)
    }

    /// Syncs the file; it can then be placed.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when it cannot be written to the end; nothing stays behind then.
    pub fn finish(mut self) -> Result<Staged, LedgerError> {
        self.writer
            .flush()
            .and_then(|()| self.writer.get_ref().sync_data())
            .map_err(LedgerError::io("write", &self.at))?;
        self.finished = true;
        Ok(Staged {
            name: self.name.clone(),
            hash: self.hasher.finalize().to_hex().to_string(),
            length: self.length,
        })
    }
}

impl Write for StagedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write_all(bytes)?;
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.finished {
            let _ = files::remove_if_there(&self.at);
        }
    }
}
