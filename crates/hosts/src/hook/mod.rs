//! A host's hook: what it was called for, what the memory does then, what the host is answered.
//!
//! [`Call`] is what every host says in its own words; one file per host reads it and puts the answer into that host's shape. `work` does
//! what the event asks for, `injection` is the text that the model sees. What always holds: every field may be missing, and an event
//! that is not known asks for nothing.

mod claude_code;
mod codex;
mod condensed;
mod cursor;
mod gemini;
mod hearing;
mod injection;
mod input;
mod openclaw;
mod work;

use std::path::PathBuf;

use rem_format::json_text::without_lone_surrogates;
use rem_mind::attention::Audience;
use rem_mind::import::Format;
use rem_mind::ledger::AgentRole;
use serde_json::Value;

use crate::Host;

pub(crate) use claude_code::{AFTER_A_TOOL, WRITING_TOOLS};
pub use input::read_input;
pub use work::{Response, finish, judge, note, note_without_memory, respond};

/// A hook that was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Who calls.
    pub host: Host,
    /// The event's name, as the host gave it and as the answer repeats it.
    pub name: String,
    /// What happened.
    pub event: Event,
    /// The session's id at the host.
    pub session: Option<String>,
    /// Where the host keeps the conversation; the first of them that is there counts.
    pub transcripts: Vec<(PathBuf, Format)>,
    /// Whether others than the operator listen, as in a group.
    pub is_shared: bool,
}

/// What happened at a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A session begins or goes on.
    SessionStart {
        /// Whether the model has just lost what it was told before.
        is_compacted: bool,
    },
    /// A person said something, and the model is about to answer.
    Prompt {
        /// What they said.
        text: String,
    },
    /// The agent has answered.
    TurnEnd {
        /// What it said, where the host repeats it.
        said: Option<String>,
    },
    /// The model is about to lose what it was told.
    BeforeCompaction,
    /// The session is over.
    SessionEnd,
    /// An agent wrote with a tool of the host's, or may have.
    Wrote {
        /// What.
        written: Written,
        /// The sub-agent that did it; nothing for the agent of the session itself.
        subagent: Option<String>,
    },
    /// Something that this program has no part in.
    Other,
    /// Nothing that can be answered, and why.
    Unclear(&'static str),
}

impl Event {
    /// An event whose name says nothing to this program.
    const UNKNOWN: Self = Self::Unclear("no event of this name is answered");

    /// What a person said, where the host told it.
    fn prompt(text: Option<String>) -> Self {
        text.map_or(Self::Unclear("it holds no prompt"), |text| Self::Prompt { text })
    }
}

/// What an agent wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// This file.
    File(PathBuf),
    /// Whatever this command of a shell wrote.
    ByCommand(String),
}

/// What a host said that is no call of a hook.
#[derive(Debug, thiserror::Error)]
#[error("what {host} said is not JSON")]
pub struct NotJson {
    host: Host,
    source: serde_json::Error,
}

impl Call {
    /// Reads what a host wrote to the hook.
    ///
    /// # Errors
    /// [`NotJson`]. Missing and unknown fields are no errors.
    pub fn read(host: Host, bytes: &[u8]) -> Result<Self, NotJson> {
        let text = String::from_utf8_lossy(bytes);
        let text = without_lone_surrogates(text.trim_start_matches('\u{feff}').as_bytes());
        let said: Value = serde_json::from_slice(&text).map_err(|source| NotJson { host, source })?;
        let mut call = Call {
            host,
            name: text_of(&said, &["hook_event_name"]).unwrap_or_default(),
            event: Event::Other,
            session: None,
            transcripts: Vec::new(),
            is_shared: false,
        };
        match host {
            Host::ClaudeCode => claude_code::read(&said, &mut call),
            Host::Codex => codex::read(&said, &mut call),
            Host::Gemini => gemini::read(&said, &mut call),
            Host::Cursor => cursor::read(&said, &mut call),
            Host::OpenClaw => openclaw::read(&said, &mut call),
        }
        Ok(call)
    }

    /// Who listens.
    pub(crate) fn audience(&self) -> Audience {
        if self.is_shared { Audience::Shared } else { Audience::Main }
    }

    /// Whether the host kills the hook before it could be done, so that all of it is done apart from the host.
    #[must_use]
    pub fn outlives_host(&self) -> bool {
        self.event == Event::SessionEnd
    }

    /// Whether a session begins, and the host has a place for what is said to it then.
    #[must_use]
    pub fn begins_session(&self) -> bool {
        matches!(self.event, Event::SessionStart { .. })
    }

    /// Whether there is nothing to do for an agent of this role, so that not even the workspace needs to be opened.
    #[must_use]
    pub fn asks_for_nothing(&self, role: AgentRole) -> bool {
        match &self.event {
            Event::Other | Event::Unclear(_) => true,
            Event::Wrote { subagent, .. } => subagent.is_none() && role == AgentRole::Main,
            _ => false,
        }
    }

    /// Why a call that this program has a part in cannot be answered as it is; nothing where it can.
    #[must_use]
    pub fn unanswerable(&self) -> Option<&'static str> {
        let needs_session = matches!(
            self.event,
            Event::Prompt { .. } | Event::TurnEnd { .. } | Event::BeforeCompaction | Event::SessionEnd
        );
        match self.event {
            Event::Unclear(why) => Some(why),
            _ if needs_session && self.session.is_none() => {
                Some("it names no session: nothing of it is kept")
            }
            _ => None,
        }
    }

    /// The answer in the host's shape: with `context` for the model, or with nothing to say.
    #[must_use]
    pub fn answer(&self, context: Option<&str>) -> String {
        let context = context.filter(|context| !context.is_empty());
        match self.host {
            Host::ClaudeCode => claude_code::answer(self, context),
            Host::Codex => codex::answer(self, context),
            Host::Gemini => gemini::answer(self, context),
            Host::Cursor => cursor::answer(self, context),
            Host::OpenClaw => openclaw::answer(self, context),
        }
    }
}

/// What a host is answered whose call could not be read.
#[must_use]
pub fn empty_answer(host: Host) -> String {
    let call = Call {
        host,
        name: String::new(),
        event: Event::Other,
        session: None,
        transcripts: Vec::new(),
        is_shared: false,
    };
    call.answer(None)
}

/// The first of these fields that is text with something in it.
fn text_of(said: &Value, names: &[&str]) -> Option<String> {
    names
        .iter()
        .filter_map(|name| said.get(*name)?.as_str())
        .find(|text| !text.trim().is_empty())
        .map(str::to_owned)
}

/// `hookSpecificOutput` with context for the model: the shape that Claude Code, Codex and Gemini share.
fn specific_output(call: &Call, context: &str) -> String {
    let output = serde_json::json!({
        "hookSpecificOutput": { "hookEventName": call.name, "additionalContext": context },
    });
    output.to_string()
}
