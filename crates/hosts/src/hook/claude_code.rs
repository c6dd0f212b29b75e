//! Claude Code's hooks.
//!
//! Context goes in before a prompt and at the start of a session alone: on `Stop` it would make the turn go on. An exit code of 2 would
//! take the prompt away, and nothing may be printed where there is nothing to say.

use rem_mind::import::Format;
use serde_json::Value;

use super::{Call, Event, specific_output, text_of};

pub(super) fn read(said: &Value, call: &mut Call) {
    let transcript = text_of(said, &["transcript_path"]);
    call.session = text_of(said, &["session_id"]);
    call.transcripts.extend(transcript.map(|path| (path.into(), Format::ClaudeCode)));
    call.event = event(said, &call.name);
}

/// The events by the names that Codex shares.
pub(super) fn event(said: &Value, name: &str) -> Event {
    match name {
        "SessionStart" => {
            Event::SessionStart { is_compacted: said.get("source").is_some_and(|source| source == "compact") }
        }
        "UserPromptSubmit" => match text_of(said, &["prompt"]) {
            Some(text) => Event::Prompt { text },
            None => Event::Other,
        },
        "Stop" => Event::TurnEnd { said: text_of(said, &["last_assistant_message"]) },
        "PreCompact" => Event::BeforeCompaction,
        "SessionEnd" => Event::SessionEnd,
        _ => Event::Other,
    }
}

pub(super) fn answer(call: &Call, context: Option<&str>) -> String {
    match (&call.event, context) {
        (Event::SessionStart { .. } | Event::Prompt { .. }, Some(context)) => specific_output(call, context),
        _ => String::new(),
    }
}
