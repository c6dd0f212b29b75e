//! Codex's hooks: Claude Code's shapes, but a field too many makes it refuse the whole answer, and there may be no transcript.

use rem_mind::import::Format;
use serde_json::Value;

use super::{Call, claude_code, text_of};

pub(super) fn read(said: &Value, call: &mut Call) {
    let transcript = text_of(said, &["transcript_path"]);
    call.session = text_of(said, &["session_id"]);
    call.transcripts.extend(transcript.map(|path| (path.into(), Format::Codex)));
    call.event = claude_code::event(said, &call.name);
}

pub(super) fn answer(call: &Call, context: Option<&str>) -> String {
    claude_code::answer(call, context)
}
