//! Claude Code's hooks.
//!
//! Context goes in before a prompt and at the start of a session: on `Stop` it would make the turn go on. After a tool that wrote a file
//! the agent is told what became of it. An exit code of 2 would
//! take the prompt away, and nothing may be printed where there is nothing to say.

use rem_mind::import::Format;
use serde_json::Value;

use super::{Call, Event, Written, specific_output, text_of};

/// The event after a tool was used.
pub(crate) const AFTER_A_TOOL: &str = "PostToolUse";
/// The tools that write a file, the last of them whatever its command says.
pub(crate) const WRITING_TOOLS: [&str; 5] = ["Write", "Edit", "MultiEdit", "NotebookEdit", SHELL];
const SHELL: &str = "Bash";

pub(super) fn read(said: &Value, call: &mut Call) {
    let transcript = text_of(said, &["transcript_path"]);
    call.session = text_of(said, &["session_id"]);
    call.transcripts.extend(transcript.map(|path| (path.into(), Format::ClaudeCode)));
    call.event = match call.name.as_str() {
        AFTER_A_TOOL => after_a_tool(said),
        name => event(said, name),
    };
}

/// `agent_id` is there inside of a sub-agent alone; `agent_type` names its kind.
fn after_a_tool(said: &Value) -> Event {
    let tool = text_of(said, &["tool_name"]).filter(|tool| WRITING_TOOLS.contains(&&**tool));
    let Some((tool, input)) = tool.zip(said.get("tool_input")) else { return Event::Other };
    let written = match tool.as_str() {
        SHELL => text_of(input, &["command"]).map(Written::ByCommand),
        _ => text_of(input, &["file_path", "notebook_path"]).map(|file| Written::File(file.into())),
    };
    let subagent = text_of(said, &["agent_id"]).map(|id| text_of(said, &["agent_type"]).unwrap_or(id));
    written.map_or(Event::Other, |written| Event::Wrote { written, subagent })
}

/// The events by the names that Codex shares.
pub(super) fn event(said: &Value, name: &str) -> Event {
    match name {
        "SessionStart" => {
            Event::SessionStart { is_compacted: said.get("source").is_some_and(|source| source == "compact") }
        }
        "UserPromptSubmit" => Event::prompt(text_of(said, &["prompt"])),
        "Stop" => Event::TurnEnd { said: text_of(said, &["last_assistant_message"]) },
        "PreCompact" => Event::BeforeCompaction,
        "SessionEnd" => Event::SessionEnd,
        _ => Event::UNKNOWN,
    }
}

pub(super) fn answer(call: &Call, context: Option<&str>) -> String {
    match (&call.event, context) {
        (Event::SessionStart { .. } | Event::Prompt { .. } | Event::Wrote { .. }, Some(context)) => {
            specific_output(call, context)
        }
        _ => String::new(),
    }
}
