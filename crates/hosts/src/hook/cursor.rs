//! Cursor's hooks.
//!
//! No importer reads Cursor's transcripts, so that both sides are captured in the words that the hooks are given. A prompt goes on unless
//! it is told not to; it is told to in so many words, and may be given context beside that.

use serde_json::{Value, json};

use super::{Call, Event, text_of};

pub(super) fn read(said: &Value, call: &mut Call) {
    call.session = text_of(said, &["conversation_id", "session_id"]);
    call.event = match call.name.as_str() {
        "sessionStart" => Event::SessionStart { is_compacted: false },
        "beforeSubmitPrompt" => Event::prompt(text_of(said, &["prompt"])),
        "afterAgentResponse" => Event::TurnEnd { said: text_of(said, &["text"]) },
        "stop" => Event::TurnEnd { said: None },
        "preCompact" => Event::BeforeCompaction,
        "sessionEnd" => Event::SessionEnd,
        _ => Event::UNKNOWN,
    };
}

pub(super) fn answer(call: &Call, context: Option<&str>) -> String {
    let mut answer = json!({});
    if call.name == "beforeSubmitPrompt" {
        answer["continue"] = json!(true);
    }
    if let (Event::SessionStart { .. } | Event::Prompt { .. }, Some(context)) = (&call.event, context) {
        answer["additional_context"] = json!(context);
    }
    answer.to_string()
}
