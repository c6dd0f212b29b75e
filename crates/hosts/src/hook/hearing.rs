//! How far a host's transcript was heard: what it holds that no hook was called for comes before what is said next.
//!
//! A mark for each session in the private folder says how the file was when it was last taken in. It may be deleted at any time: without
//! it the file is taken in again, and nothing in it is kept twice.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rem_format::transcript::file_session_id;
use rem_mind::import::Format;
use rem_mind::{Memory, MemoryError};

use super::Call;

/// A file up to so long is taken in while the host waits; what a longer one holds, apart from it.
const MOST_BYTES: u64 = 2 << 20;
/// Of what was added to a file so much is looked through for words that somebody said.
const MOST_ADDED: u64 = 1 << 20;
/// One of these is in each record of most hosts that says something; they go on writing others after their hook for the end of a turn.
const SAYING: [&[u8]; 2] = [b"\"user\"", b"\"assistant\""];

/// What is to be done about a host's transcript before something is kept that was said after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unheard {
    /// Nothing: all of it was taken in, or there is none.
    Nothing,
    /// It can be taken in at once.
    Some,
    /// It takes longer than the host waits.
    Much,
}

/// The host's transcript, where there is one that can be read.
pub(super) fn transcript(call: &Call) -> Option<(&Path, Format)> {
    let is_file = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    call.transcripts.iter().find(|(path, _)| is_file(path)).map(|(path, format)| (path.as_path(), *format))
}

/// How much of the host's transcript nobody has taken in.
pub(super) fn unheard(memory: &Memory, call: &Call, session: &str) -> Unheard {
    let Some((path, format)) = transcript(call) else { return Unheard::Nothing };
    let Some(state) = state(path) else { return Unheard::Nothing };
    let mark = memory.ledger().read_private(&mark_of(session)).and_then(|mark| String::from_utf8(mark).ok());
    if let Some(mark) = mark {
        if mark == state {
            return Unheard::Nothing;
        }
        let heard = mark.split(' ').next().and_then(|length| length.parse().ok());
        let is_lines = matches!(format, Format::ClaudeCode | Format::Codex | Format::OpenClaw);
        if is_lines && heard.is_some_and(|heard| says_nothing_after(path, heard)) {
            return Unheard::Nothing;
        }
    }
    let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    // Of a database one session alone is read.
    if length > MOST_BYTES && format != Format::OpenClawSqlite { Unheard::Much } else { Unheard::Some }
}

/// Takes in what is new in the host's transcript; gives the number of turns, or nothing where there is no transcript.
pub(super) fn capture(memory: &Memory, call: &Call, session: &str) -> Result<Option<u64>, MemoryError> {
    let Some((path, format)) = transcript(call) else { return Ok(None) };
    // Before it is read: what is added meanwhile may not be heard.
    let state = state(path);
    let taken = memory.import_session(path, format, session)?;
    if let Some(state) = state {
        memory.ledger().write_private(&mark_of(session), state.as_bytes())?;
    }
    // A database without this session says nothing about it.
    let is_known = taken.new_sessions + taken.grown_sessions + taken.unchanged_sessions > 0;
    Ok((is_known || format != Format::OpenClawSqlite).then_some(taken.turns_added))
}

/// Drops the mark of a session that is over.
pub(super) fn forget(memory: &Memory, session: &str) {
    if let Err(error) = memory.ledger().remove_private(&mark_of(session)) {
        tracing::info!("{error}");
    }
}

fn mark_of(session: &str) -> String {
    format!("heard/{}", file_session_id(session))
}

/// How a file is: its length and when it was written, the log of a database too.
fn state(path: &Path) -> Option<String> {
    let of = |path: &Path| {
        let metadata = std::fs::metadata(path).ok()?;
        let written = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        Some(format!("{} {written}", metadata.len()))
    };
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    Some(format!("{} {} {}", of(path)?, of(Path::new(&log)).unwrap_or_default(), path.display()))
}

/// Whether nobody says anything in what was added to a file of so many bytes.
fn says_nothing_after(path: &Path, heard: u64) -> bool {
    let added = || -> std::io::Result<Option<Vec<u8>>> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        if length < heard || length - heard > MOST_ADDED {
            return Ok(None);
        }
        file.seek(SeekFrom::Start(heard))?;
        let mut added = Vec::new();
        file.take(MOST_ADDED).read_to_end(&mut added)?;
        Ok(Some(added))
    };
    let holds = |added: &[u8], mark: &[u8]| added.windows(mark.len()).any(|window| window == mark);
    matches!(added(), Ok(Some(added)) if !SAYING.iter().any(|mark| holds(&added, mark)))
}
