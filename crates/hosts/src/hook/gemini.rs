//! The hooks of Gemini's command line. What they print must be JSON, also where there is nothing to say.

use rem_mind::import::Format;
use serde_json::Value;

use super::{Call, Event, specific_output, text_of};

pub(super) fn read(said: &Value, call: &mut Call) {
    let transcript = text_of(said, &["transcript_path"]);
    call.session = text_of(said, &["session_id"]);
    call.transcripts.extend(transcript.map(|path| (path.into(), Format::Gemini)));
    call.event = match call.name.as_str() {
        "SessionStart" => Event::SessionStart { is_compacted: false },
        "BeforeAgent" => Event::prompt(text_of(said, &["prompt"])),
        "AfterAgent" => Event::TurnEnd { said: text_of(said, &["prompt_response"]) },
        "PreCompress" => Event::BeforeCompaction,
        "SessionEnd" => Event::SessionEnd,
        _ => Event::UNKNOWN,
    };
}

pub(super) fn answer(call: &Call, context: Option<&str>) -> String {
    match (&call.event, context) {
        (Event::SessionStart { .. } | Event::Prompt { .. }, Some(context)) => specific_output(call, context),
        _ => "{}".to_owned(),
    }
}
