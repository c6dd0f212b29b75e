//! Sessions in OpenClaw's agent database: `~/.openclaw/agents/<id>/agent/openclaw-agent.sqlite`.
//!
//! Owns the access: read-only, and without the log that a running host keeps beside the database when its folder
//! can't be written. Each row is an entry of `openclaw`'s tree; rows kept only in compressed form are reported and
//! passed over. Must not write, lock out the host, or interpret entries.

use std::path::{Path, PathBuf};

use rem_format::json_text::without_lone_surrogates;
use rusqlite::{Connection, OpenFlags, types::ValueRef};

use super::assemble::Output;
use super::lines::{EachRecord, Records};
use super::openclaw::{Known, read_records};
use super::{Format, ImportError};

/// Whether a database holds agent sessions.
pub(super) fn is_agent_database(path: &Path) -> bool {
    open(path).is_ok()
}

fn open(path: &Path) -> Result<Connection, rusqlite::Error> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let check = |connection: Connection| {
        connection
            .query_row("SELECT count(*) FROM (SELECT 1 FROM transcript_events LIMIT 1)", [], |_| Ok(()))?;
        Ok(connection)
    };
    let address = |query: &str| format!("file:{}?{query}", percent_encoded(path));
    Connection::open_with_flags(address("mode=ro"), flags)
        .and_then(check)
        // In a folder that can't be written the log can't be opened; a copy at rest needs none.
        .or_else(|_| Connection::open_with_flags(address("mode=ro&immutable=1"), flags).and_then(check))
}

/// A path inside of a `file:` address.
fn percent_encoded(path: &Path) -> String {
    let mut out = String::new();
    for byte in path.to_string_lossy().bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Reads every session of a database.
pub(super) fn read(path: &Path, output: &mut Output<'_>) -> Result<(), ImportError> {
    let failed = |source| ImportError::Database { path: path.to_owned(), source };
    let connection = open(path).map_err(failed)?;
    let sessions = session_ids(&connection).map_err(failed)?;
    for session in sessions {
        let channel = channel_of(&connection, &session);
        let mut rows = Rows { connection: &connection, path: path.to_owned(), session: session.clone() };
        read_records(&mut rows, Known { id: Some(session), channel }, output)?;
    }
    Ok(())
}

fn session_ids(connection: &Connection) -> Result<Vec<String>, rusqlite::Error> {
    let mut statement = connection.prepare(
        "SELECT session_id FROM transcript_events GROUP BY session_id ORDER BY min(created_at), 1",
    )?;
    statement.query_map([], |row| row.get(0))?.collect()
}

/// The channel, where this version of the schema has it.
fn channel_of(connection: &Connection, session: &str) -> Option<String> {
    connection
        .query_row("SELECT channel FROM session_windows WHERE session_id = ?1", [session], |row| row.get(0))
        .ok()
        .flatten()
}

/// The rows of one session.
struct Rows<'a> {
    connection: &'a Connection,
    path: PathBuf,
    session: String,
}

impl Records for Rows<'_> {
    fn format(&self) -> Format {
        Format::OpenClawSqlite
    }

    fn pass(
        &mut self,
        output: &mut Output<'_>,
        first: bool,
        each: &mut EachRecord<'_>,
    ) -> Result<(), ImportError> {
        let failed = |source| ImportError::Database { path: self.path.clone(), source };
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT seq, event_json FROM transcript_events WHERE session_id = ?1 ORDER BY seq",
            )
            .map_err(failed)?;
        let mut rows = statement.query([&self.session]).map_err(failed)?;
        let mut number = 0;
        while let Some(row) = rows.next().map_err(failed)? {
            number += 1;
            let place = |output: &mut Output<'_>, reason: &str| {
                let sequence = row.get::<_, i64>(0).unwrap_or_default();
                if first {
                    output.skip_at(&format!("{} row {sequence}", self.session), reason);
                }
            };
            let record = match row.get_ref(1).map_err(failed)? {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
                ValueRef::Null => {
                    place(output, "the event is kept only in compressed form (zstd), which is not read");
                    &[]
                }
                ValueRef::Integer(_) | ValueRef::Real(_) => {
                    place(output, "the event is a number, not JSON");
                    &[]
                }
            };
            each(output, number, &without_lone_surrogates(record))?;
            output.advance(record.len() as u64)?;
        }
        Ok(())
    }
}
