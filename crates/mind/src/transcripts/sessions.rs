//! Which sessions are open and where their transcripts lie.
//!
//! The truth is on disk: an open session is a transcript without `ended`. `.rem/sessions/` only remembers paths, so that
//! a message need not look through all days; it may be deleted at any time.

use jiff::{SignedDuration, Timestamp};
use rem_format::document::Document;
use rem_format::path::MemoryPath;
use rem_format::transcript::{Transcript, TranscriptHeader, Turn, file_session_id, parse_file_path};
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::Memory;

/// A session that is still being written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenSession {
    /// Its id.
    pub session: String,
    /// Its transcript.
    pub path: MemoryPath,
    /// When it began.
    pub started: Timestamp,
    /// When something was last written to it.
    pub last_active: Timestamp,
}

impl Memory {
    /// The open sessions, oldest first.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] when the transcripts cannot be listed.
    pub fn open_sessions(&self) -> Result<Vec<OpenSession>, MemoryError> {
        self.sessions_at(&self.ledger.survey()?.open)
    }

    fn sessions_at(&self, paths: &[MemoryPath]) -> Result<Vec<OpenSession>, MemoryError> {
        let mut open = Vec::new();
        for path in paths {
            let Some(bytes) = self.ledger.read(path)? else { continue };
            let transcript = match Transcript::parse(&bytes) {
                Ok(transcript) => transcript,
                Err(error) => {
                    tracing::warn!("{path} cannot be read as a transcript: {error}");
                    continue;
                }
            };
            let said = transcript.turns.last().map_or(transcript.header.started, |turn| turn.turn.time);
            open.push(OpenSession {
                session: transcript.header.session_id,
                path: path.clone(),
                started: transcript.header.started,
                last_active: said,
            });
        }
        Ok(open)
    }

    /// Closes sessions that nobody wrote to for `transcripts.idle_close_hours`; gives their ids.
    ///
    /// # Errors
    /// As ending a session; those before the failure are closed.
    pub fn close_idle_sessions(&self) -> Result<Vec<String>, MemoryError> {
        self.close_idle(&self.ledger.survey()?.open)
    }

    /// As [`Self::close_idle_sessions`] for these transcripts.
    pub(crate) fn close_idle(&self, paths: &[MemoryPath]) -> Result<Vec<String>, MemoryError> {
        let hours = i64::try_from(self.config.transcripts.idle_close_hours).unwrap_or(i64::MAX / 3600);
        let limit = self.now().saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(Timestamp::MIN);
        let mut closed = Vec::new();
        for session in self.sessions_at(paths)? {
            if session.last_active < limit {
                let end =
                    super::SessionEnd { ended: Some(session.last_active), ..super::SessionEnd::default() };
                match self.end_session_at(&session.path, &end, "session idle") {
                    Ok(_) => closed.push(session.session),
                    // Another process was faster.
                    Err(MemoryError::NoSession(_)) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(closed)
    }

    /// What was said in an open session so far; `None` where it is not open.
    #[must_use]
    pub fn open_session_turns(&self, session: &str) -> Option<Vec<Turn>> {
        let path = self.open_transcript(session).ok()??;
        let transcript = Transcript::parse(&self.ledger.read(&path).ok()??).ok()?;
        Some(transcript.turns.into_iter().map(|located| located.turn).collect())
    }

    /// The transcript of an open session.
    pub(crate) fn open_transcript(&self, session: &str) -> Result<Option<MemoryPath>, MemoryError> {
        let key = file_session_id(session);
        let remembered = self
            .ledger
            .read_private(&format!("sessions/{key}"))
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .and_then(|path| MemoryPath::new(path.trim()).ok());
        if let Some(path) = remembered
            && self.ledger.is_open(&path)?
        {
            return Ok(Some(path));
        }
        let found = self.parts_of(session)?.into_iter().next_back();
        match found {
            Some(path) if self.ledger.is_open(&path)? => {
                self.remember_session(session, &path)?;
                Ok(Some(path))
            }
            _ => Ok(None),
        }
    }

    /// Every transcript of a session, oldest first.
    pub(crate) fn parts_of(&self, session: &str) -> Result<Vec<MemoryPath>, MemoryError> {
        let key = file_session_id(session);
        let mut parts = self.ledger.transcripts()?;
        parts.retain(|path| parse_file_path(path.as_str()).is_some_and(|name| name.session == key));
        self.leave_out_empty(&mut parts)?;
        self.put_in_order(&mut parts)?;
        Ok(parts)
    }

    /// Leaves out those that were not given their front matter yet.
    pub(crate) fn leave_out_empty(&self, parts: &mut Vec<MemoryPath>) -> Result<(), MemoryError> {
        let mut begun = Vec::with_capacity(parts.len());
        for path in parts.drain(..) {
            if self.ledger.read(&path)?.is_some_and(|bytes| !bytes.is_empty()) {
                begun.push(path);
            }
        }
        *parts = begun;
        Ok(())
    }

    /// Puts the parts of one session in the order they were written in: their names say the minute, and within one minute
    /// their numbers decide. `parts` must be in path order.
    pub(crate) fn put_in_order(&self, parts: &mut [MemoryPath]) -> Result<(), MemoryError> {
        let minute = |path: &MemoryPath| parse_file_path(path.as_str()).map(|name| name.started);
        if parts.windows(2).all(|pair| minute(&pair[0]) != minute(&pair[1])) {
            return Ok(());
        }
        let mut numbers = std::collections::HashMap::new();
        for path in parts.iter() {
            let bytes = self.ledger.read(path)?.unwrap_or_default();
            let number =
                TranscriptHeader::read(&Document::parse(&bytes)).map_or(0, |header| header.part.max(1));
            numbers.insert(path.clone(), number);
        }
        parts.sort_by_key(|path| (minute(path), numbers.get(path).copied()));
        Ok(())
    }

    pub(crate) fn remember_session(&self, session: &str, path: &MemoryPath) -> Result<(), MemoryError> {
        Ok(self
            .ledger
            .write_private(&format!("sessions/{}", file_session_id(session)), path.as_str().as_bytes())?)
    }

    pub(crate) fn forget_session(&self, session: &str) -> Result<(), MemoryError> {
        Ok(self.ledger.remove_private(&format!("sessions/{}", file_session_id(session)))?)
    }
}
