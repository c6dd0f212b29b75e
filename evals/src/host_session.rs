//! A session as a host leaves it on disk: the record of Claude Code, one JSON object a line.
//!
//! This format carries a time for every record, plain roles and a number for every response, so that what two speakers say
//! arrives turn by turn. Each turn is given a minute of its own, counted from the session's beginning: transcripts keep times
//! to the minute, and so the minute tells afterwards which turn it was.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::conversation::{Session, Speaker, Turn};

/// When the turn at this place is said: the session's minute, and one more for every turn before it.
pub(crate) fn time_of_turn(session: &Session, at: usize) -> Timestamp {
    let minute = session.time.as_second().div_euclid(60);
    let minutes = i64::try_from(at).unwrap_or(i64::MAX);
    let seconds = minute.saturating_add(minutes).saturating_mul(60);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX)
}

/// The place of the turn that was said at this time.
pub(crate) fn turn_at_time(session: &Session, time: Timestamp) -> Option<usize> {
    let minutes = time.as_second().div_euclid(60) - session.time.as_second().div_euclid(60);
    usize::try_from(minutes).ok().filter(|at| *at < session.turns.len())
}

/// A moment a day after the last turn of these sessions.
pub(crate) fn day_after<'a>(sessions: impl IntoIterator<Item = &'a Session>) -> Option<Timestamp> {
    let last = sessions.into_iter().map(|session| time_of_turn(session, session.turns.len())).max()?;
    last.checked_add(SignedDuration::from_hours(24)).ok()
}

/// What a turn says, with its speaker's name where it has one.
pub(crate) fn words(turn: &Turn) -> String {
    match &turn.speaker {
        Some(speaker) => format!("{speaker}: {}", turn.text),
        None => turn.text.clone(),
    }
}

/// The session's file; `id` is the session's name at the host.
pub(crate) fn file(id: &str, session: &Session) -> String {
    let mut lines = String::new();
    for (at, turn) in session.turns.iter().enumerate() {
        let name = |at: usize| format!("{id}-{at}");
        let text = words(turn);
        let (kind, message) = match turn.role {
            Speaker::User => ("user", json!({ "role": "user", "content": text })),
            Speaker::Assistant => (
                "assistant",
                json!({
                    "id": format!("msg_{at}"),
                    "role": "assistant",
                    "model": "none",
                    "content": [{ "type": "text", "text": text }],
                }),
            ),
        };
        let record = json!({
            "type": kind,
            "uuid": name(at),
            "parentUuid": at.checked_sub(1).map(name),
            "sessionId": id,
            "isSidechain": false,
            "timestamp": time_of_turn(session, at).to_string(),
            "message": message,
        });
        lines.push_str(&record.to_string());
        lines.push('\n');
    }
    lines
}
