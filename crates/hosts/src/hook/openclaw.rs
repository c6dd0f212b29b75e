//! OpenClaw's hooks, as the plugin in `integrations/openclaw` passes them on.
//!
//! The plugin says the event's name, the session, its agent's folder and, after a turn, what was said. Where the conversation lies is
//! found from that: the agent's database, or the files that older versions wrote.

use std::path::Path;

use rem_mind::import::Format;
use serde_json::{Value, json};

use super::{Call, Event, text_of};

pub(super) fn read(said: &Value, call: &mut Call) {
    call.session = text_of(said, &["session_id"]);
    call.is_shared = text_of(said, &["session_key"]).is_some_and(|key| is_of_group(&key));
    if let Some(file) = text_of(said, &["session_file"]) {
        call.transcripts.push((file.into(), Format::OpenClaw));
    }
    if let (Some(folder), Some(session)) = (text_of(said, &["agent_folder"]), &call.session) {
        let folder = Path::new(&folder);
        call.transcripts.push((folder.join("agent/openclaw-agent.sqlite"), Format::OpenClawSqlite));
        // A session's id is a name here, never a way.
        if !session.contains(['/', '\\']) {
            call.transcripts.push((folder.join(format!("sessions/{session}.jsonl")), Format::OpenClaw));
        }
    }
    call.event = match call.name.as_str() {
        "session_start" => Event::SessionStart { is_compacted: false },
        "after_compaction" => Event::SessionStart { is_compacted: true },
        "before_prompt_build" | "before_agent_start" => Event::prompt(text_of(said, &["prompt"])),
        "agent_end" => Event::TurnEnd { said: text_of(said, &["said"]) },
        "before_compaction" | "before_reset" => Event::BeforeCompaction,
        "session_end" => Event::SessionEnd,
        _ => Event::UNKNOWN,
    };
}

/// Whether a session's key names a group or a channel: `agent:main:discord:group:123`.
fn is_of_group(key: &str) -> bool {
    key.split(':').any(|part| matches!(part, "group" | "channel" | "room" | "thread"))
}

pub(super) fn answer(call: &Call, context: Option<&str>) -> String {
    match (&call.event, context) {
        (Event::SessionStart { .. } | Event::Prompt { .. }, Some(context)) => {
            json!({ "prependContext": context }).to_string()
        }
        _ => "{}".to_owned(),
    }
}
