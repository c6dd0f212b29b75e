//! The redo journal: what is acknowledged before it is done.
//!
//! `.rem/redo.log` is a row of frames. A *begin* frame holds everything a change set will write; once it is synced the change
//! is acknowledged, and whoever comes next completes it. A *done* or *cancelled* frame closes it. Frames are kept until a
//! checkpoint has made files and git objects durable, so that a power loss can be replayed too.
//!
//! Frame: magic, kind, length of header and body, header (JSON), body (file contents), 16 bytes of BLAKE3 over all before.
//! A torn frame at the end was never acknowledged and is cut off.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rem_format::path::MemoryPath;
use serde::{Deserialize, Serialize};

use crate::change::Staged;
use crate::error::LedgerError;
use crate::{fault, files};

const MAGIC: &[u8; 4] = b"RMJ1";
const PRELUDE: usize = 4 + 1 + 4 + 8;
const CHECKSUM: usize = 16;
const BEGIN: u8 = 1;
const CLOSED: u8 = 2;

/// What a file shall hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileRecord {
    pub(crate) path: MemoryPath,
    /// Hash of what it held, in hexadecimal; `None`: there was no file.
    pub(crate) before: Option<String>,
    /// Position and length of the new contents in the frame's body; `None`: the file goes.
    pub(crate) after: Option<(u64, u64)>,
    /// Instead of `after`: the staged file that is moved into place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) staged: Option<Staged>,
    /// Closed for good, read-only.
    pub(crate) sealed: bool,
}

/// How a change brings another history in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Joins {
    /// The commit of the files has this one as its second parent.
    Commit(String),
    /// The branch goes on from one commit to a later one, and nothing is committed.
    Forward { from: String, to: String },
}

/// One change set as it will be: enough to do it again from nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) change: String,
    pub(crate) time: Timestamp,
    /// Shown as the commit's author.
    pub(crate) author: String,
    pub(crate) files: Vec<FileRecord>,
    /// Commit messages: the first commit carries the files, the others are events without any.
    pub(crate) messages: Vec<String>,
    /// What of another history comes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) joins: Option<Joins>,
    #[serde(skip)]
    pub(crate) body: Vec<u8>,
}

impl Record {
    /// The new contents of a file of this record, `None` where it goes.
    pub(crate) fn after(&self, file: &FileRecord) -> Option<&[u8]> {
        let (start, length) = file.after?;
        let (start, length) = (usize::try_from(start).ok()?, usize::try_from(length).ok()?);
        self.body.get(start..start.checked_add(length)?)
    }

    /// The id in the `Change:` trailer of its n-th commit.
    pub(crate) fn commit_id(&self, number: usize) -> String {
        if number == 0 { self.change.clone() } else { format!("{}.{number}", self.change) }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Closed {
    change: String,
}

/// The open journal. Only whoever holds the door may have one.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Journal {
    pub(crate) fn open(path: &Path) -> Result<Self, LedgerError> {
        let file = files::open_or_create(path).map_err(LedgerError::io("open", path))?;
        let length = file.metadata().map_err(LedgerError::io("look at", path))?.len();
        Ok(Self { path: path.to_path_buf(), file, length })
    }

    /// Bytes kept since the last checkpoint.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Whether the last frame closes a change: then nothing needs completing. Reads the end alone.
    pub(crate) fn is_clean(&mut self) -> Result<bool, LedgerError> {
        if self.length == 0 {
            return Ok(true);
        }
        // A closing frame is small; its own length stands in its prelude, found by looking for it from the end.
        let window = usize::try_from(self.length.min(512)).unwrap_or(512);
        let mut tail = vec![0; window];
        let read = |journal: &mut Self, tail: &mut [u8]| {
            journal.file.seek(SeekFrom::End(-i64::try_from(tail.len()).unwrap_or(0)))?;
            journal.file.read_exact(tail)
        };
        read(self, &mut tail).map_err(LedgerError::io("read", &self.path))?;
        let start = (0..tail.len().saturating_sub(PRELUDE + CHECKSUM))
            .rev()
            .find(|at| tail[*at..].starts_with(MAGIC));
        Ok(start.is_some_and(|at| matches!(parse_frame(&tail[at..]), Some((CLOSED, _, _, length)) if length == tail.len() - at)))
    }

    /// Appends a change and syncs: from here on it is acknowledged. On failure the journal is as before.
    pub(crate) fn begin(&mut self, record: &Record) -> Result<(), LedgerError> {
        let header =
            serde_json::to_vec(record).map_err(|source| self.damaged(format!("cannot encode: {source}")))?;
        let frame = frame(BEGIN, &header, &record.body);
        let path = self.path.clone();
        let write = |journal: &mut Self| -> io::Result<()> {
            fault::point("redo.append")?;
            journal.file.seek(SeekFrom::Start(journal.length))?;
            journal.file.write_all(&frame)?;
            fault::point("redo.written")?;
            journal.file.sync_data()
        };
        if let Err(source) = write(self) {
            let _ = self.file.set_len(self.length);
            return Err(LedgerError::Io { what: "append to", path, source });
        }
        self.length += frame.len() as u64;
        fault::point("redo.synced").map_err(LedgerError::io("append to", path))
    }

    /// Marks a change as completed or given up. Not synced: losing the mark only means looking again.
    pub(crate) fn close(&mut self, change: &str) -> Result<(), LedgerError> {
        let header = serde_json::to_vec(&Closed { change: change.to_owned() })
            .map_err(|source| self.damaged(source.to_string()))?;
        let frame = frame(CLOSED, &header, &[]);
        let path = self.path.clone();
        self.file
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.file.write_all(&frame))
            .map_err(LedgerError::io("append to", path))?;
        self.length += frame.len() as u64;
        Ok(())
    }

    /// Every change since the last checkpoint, and whether it was closed. Cuts off a torn end.
    pub(crate) fn read(&mut self) -> Result<Vec<(Record, bool)>, LedgerError> {
        let mut bytes = Vec::new();
        self.file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.read_to_end(&mut bytes))
            .map_err(LedgerError::io("read", &self.path))?;
        let mut records: Vec<(Record, bool)> = Vec::new();
        let mut at = 0;
        while let Some((kind, header, body, length)) = parse_frame(&bytes[at..]) {
            if kind == BEGIN {
                let mut record: Record = serde_json::from_slice(header)
                    .map_err(|error| self.damaged(format!("frame at byte {at}: {error}")))?;
                record.body = body.to_vec();
                records.push((record, false));
            } else if let Ok(closed) = serde_json::from_slice::<Closed>(header) {
                for (record, done) in &mut records {
                    *done |= record.change == closed.change;
                }
            }
            at += length;
        }
        if (at as u64) < self.length {
            tracing::warn!(
                "{} bytes at the end of the redo journal were never acknowledged and are dropped",
                self.length - at as u64
            );
            self.file.set_len(at as u64).map_err(LedgerError::io("shorten", &self.path))?;
            self.length = at as u64;
        }
        Ok(records)
    }

    /// Drops all frames: everything they hold is durable elsewhere.
    pub(crate) fn truncate(&mut self) -> Result<(), LedgerError> {
        self.file
            .set_len(0)
            .and_then(|()| self.file.sync_data())
            .map_err(LedgerError::io("shorten", &self.path))?;
        self.length = 0;
        Ok(())
    }

    fn damaged(&self, reason: String) -> LedgerError {
        LedgerError::Journal { path: self.path.clone(), reason }
    }
}

fn frame(kind: u8, header: &[u8], body: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(PRELUDE + header.len() + body.len() + CHECKSUM);
    frame.extend_from_slice(MAGIC);
    frame.push(kind);
    // A header is a few hundred bytes per file; four gigabytes of them cannot be built.
    frame.extend_from_slice(&u32::try_from(header.len()).unwrap_or(u32::MAX).to_le_bytes());
    frame.extend_from_slice(&(body.len() as u64).to_le_bytes());
    frame.extend_from_slice(header);
    frame.extend_from_slice(body);
    let hash = blake3::hash(&frame);
    frame.extend_from_slice(&hash.as_bytes()[..CHECKSUM]);
    frame
}

/// Kind, header, body and whole length of the frame at the start of `bytes`, if a whole one stands there.
fn parse_frame(bytes: &[u8]) -> Option<(u8, &[u8], &[u8], usize)> {
    let prelude = bytes.get(..PRELUDE)?;
    if &prelude[..4] != MAGIC {
        return None;
    }
    let header = u32::from_le_bytes(prelude[5..9].try_into().ok()?) as usize;
    let body = usize::try_from(u64::from_le_bytes(prelude[9..17].try_into().ok()?)).ok()?;
    let end = PRELUDE.checked_add(header)?.checked_add(body)?;
    let length = end.checked_add(CHECKSUM)?;
    let checksum = bytes.get(end..length)?;
    (blake3::hash(&bytes[..end]).as_bytes()[..CHECKSUM] == *checksum)
        .then(|| (prelude[4], &bytes[PRELUDE..PRELUDE + header], &bytes[PRELUDE + header..end], length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(change: &str, contents: &[u8]) -> Record {
        let path = MemoryPath::new("MEMORY.md").unwrap();
        Record {
            change: change.into(),
            time: Timestamp::UNIX_EPOCH,
            author: "manual".into(),
            files: vec![FileRecord {
                path,
                before: None,
                after: Some((0, contents.len() as u64)),
                staged: None,
                sealed: false,
            }],
            messages: vec!["m".into()],
            joins: None,
            body: contents.to_vec(),
        }
    }

    #[test]
    fn what_was_begun_is_read_back_and_closing_it_makes_the_journal_clean() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("redo.log");
        let mut journal = Journal::open(&path).unwrap();
        assert!(journal.is_clean().unwrap());
        journal.begin(&record("a", b"RMJ1 in the contents")).unwrap();
        assert!(!journal.is_clean().unwrap());
        journal.close("a").unwrap();
        assert!(journal.is_clean().unwrap());
        journal.begin(&record("b", &vec![7; 10_000])).unwrap();
        let read = Journal::open(&path).unwrap().read().unwrap();
        assert_eq!(
            read,
            vec![(record("a", b"RMJ1 in the contents"), true), (record("b", &vec![7; 10_000]), false)]
        );
    }

    #[test]
    fn a_torn_frame_is_cut_off_wherever_it_tore() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("redo.log");
        let mut journal = Journal::open(&path).unwrap();
        journal.begin(&record("a", b"one")).unwrap();
        let whole = journal.length();
        journal.begin(&record("b", b"two")).unwrap();
        let end = journal.length();
        for cut in whole..end {
            let file = files::open_existing(&path).unwrap();
            file.set_len(cut).unwrap();
            let mut torn = Journal::open(&path).unwrap();
            assert_eq!(torn.read().unwrap().len(), 1, "cut at {cut}");
            assert_eq!(torn.length(), whole);
            torn.begin(&record("b", b"two")).unwrap();
        }
    }
}
