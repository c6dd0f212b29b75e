//! How much of a session its host has condensed: what was said since stands before the model still, and is not recalled at once.
//!
//! A mark for each session in the private folder says how many turns it had then. Without one the host keeps all.

use rem_format::transcript::file_session_id;
use rem_mind::Memory;

/// How many turns the host has condensed.
pub(super) fn turns(memory: &Memory, session: &str) -> usize {
    let mark = memory.ledger().read_private(&mark_of(session));
    mark.and_then(|mark| String::from_utf8(mark).ok()?.parse().ok()).unwrap_or(0)
}

/// Notes that the host condenses all that was said so far.
pub(super) fn note(memory: &Memory, session: &str) {
    let turns = memory.open_session_turns(session).map_or(0, |turns| turns.len());
    if let Err(error) = memory.ledger().write_private(&mark_of(session), turns.to_string().as_bytes()) {
        tracing::warn!("that session {session} was condensed is not noted: {error}");
    }
}

/// Drops the mark of a session that is over.
pub(super) fn forget(memory: &Memory, session: &str) {
    if let Err(error) = memory.ledger().remove_private(&mark_of(session)) {
        tracing::info!("{error}");
    }
}

fn mark_of(session: &str) -> String {
    format!("condensed/{}", file_session_id(session))
}
