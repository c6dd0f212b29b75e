//! The session's earlier turns: given by the host, or those of the open transcript (A6.4).
//!
//! The newest go in first, without holes; tool results are one line. What falls out and is recorded nowhere is kept before it is
//! lost: by rules, as episodes. Must not decide how many turns fit; the compiler does.

use std::collections::HashSet;

use rem_format::document::Document;
use rem_format::transcript::{LocatedTurn, Role, Transcript, TranscriptHeader, Turn, TurnKind, TurnPart};
use rem_recall::Asking;
use serde::Deserialize;
use serde_json::Value;

use super::compiled::{Candidate, CompiledContext};
use super::data::without_data;
use crate::error::MemoryError;
use crate::import::cleaned;
use crate::lifecycle::extract::{Extraction, ExtractionKind, extract};
use crate::memory::Memory;
use crate::stores::RememberRequest;
use crate::stores::router::StoreKind;

/// So many of the last turns are looked through for names.
const TALK_TURNS: usize = 6;
/// The most of one turn that is looked through, in bytes.
const TALK_BYTES: usize = 2_000;
/// The most of a tool's result that stands in the context, in characters.
const TOOL_CHARACTERS: usize = 200;
/// The most turns of one context that are looked through for what is worth keeping.
const MOST_FLUSHED: usize = 50;

/// An earlier turn of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryTurn {
    /// Whether a person said it.
    pub is_user: bool,
    /// Whether a person or an agent said it, and no tool.
    pub is_said: bool,
    /// Whether it is an instruction of the host's, which no window drops (A6.4).
    pub is_system: bool,
    /// What was said, as it is shown.
    pub text: String,
    /// What a person or an agent said themselves in a turn that a host gave: nothing of tools, nothing that this memory handed out.
    pub own: String,
    /// Its lines in what it comes from, from 1, both inclusive; turns given as JSON are counted.
    pub lines: (usize, usize),
}

/// One message as hosts give it.
#[derive(Deserialize)]
struct Given {
    role: String,
    content: Value,
}

impl Given {
    /// What its sender said, without what tools gave and what the host or this memory put in.
    fn own(&self) -> String {
        let parts = match &self.content {
            Value::String(text) => vec![text.as_str()],
            Value::Array(parts) => parts.iter().filter_map(said_part).collect(),
            _ => Vec::new(),
        };
        let own: Vec<_> = parts.into_iter().map(cleaned).filter(|part| !part.is_empty()).collect();
        own.join("\n")
    }
}

/// The words of a part that is no tool's.
fn said_part(part: &Value) -> Option<&str> {
    match part.get("type").and_then(Value::as_str) {
        Some("text" | "input_text" | "output_text") | None => {
            part.as_str().or_else(|| part.get("text").and_then(Value::as_str))
        }
        Some(_) => None,
    }
}

/// Reads earlier turns: a JSON array of messages with `role` and `content`, or one such message a line. What tools gave is one line
/// each where `summarizes_tools` is set (`context.summarize_tool_results`).
///
/// # Errors
/// [`MemoryError::Usage`] that names the message, or line, that is none.
pub fn parse_history(text: &str, summarizes_tools: bool) -> Result<Vec<HistoryTurn>, MemoryError> {
    let wrong = |place: String, error: serde_json::Error| {
        MemoryError::usage(
            format!("the history cannot be read: {place}: {error}"),
            "give a JSON array of {\"role\": \"user\", \"content\": \"…\"}, or one such message a line",
        )
    };
    let given: Vec<Given> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(|error| wrong("the array".to_owned(), error))?
    } else {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(at, line)| {
                serde_json::from_str(line).map_err(|error| wrong(format!("line {}", at + 1), error))
            })
            .collect::<Result<_, _>>()?
    };
    let turns = given.iter().enumerate().map(|(at, given)| HistoryTurn {
        is_user: given.role == "user",
        is_said: matches!(given.role.as_str(), "user" | "assistant" | "agent" | "model"),
        is_system: matches!(given.role.as_str(), "system" | "developer"),
        text: format!("{}: {}", given.role, said(&given.role, &given.content, summarizes_tools)),
        own: given.own(),
        lines: (at + 1, at + 1),
    });
    Ok(turns.filter(|turn| !turn.text.ends_with(": ")).collect())
}

/// The words of a message; of tools a line each.
fn said(role: &str, content: &Value, summarizes_tools: bool) -> String {
    let result = |text: &str| if summarizes_tools { one_line(text) } else { text.trim().to_owned() };
    let is_tool = matches!(role, "tool" | "function");
    let part = |part: &Value| -> String {
        let text = || part.get("text").or_else(|| part.get("content")).map_or_else(String::new, flat);
        match part.get("type").and_then(Value::as_str) {
            Some("tool_use" | "tool_call" | "function_call") => {
                let name = part.get("name").and_then(Value::as_str).unwrap_or("tool");
                format!("[tool:{name}]")
            }
            Some("tool_result" | "function_call_output") => format!("[result] {}", result(&text())),
            Some("text" | "input_text" | "output_text") | None => text(),
            Some(_) => String::new(),
        }
    };
    let words = match content {
        Value::Array(parts) => {
            let parts = parts.iter().map(|each| if each.is_string() { flat(each) } else { part(each) });
            parts.filter(|said| !said.is_empty()).collect::<Vec<_>>().join("\n")
        }
        other => flat(other),
    };
    if is_tool { result(&words) } else { words.trim().to_owned() }
}

fn flat(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// The first line, and how many more there are.
fn one_line(text: &str) -> String {
    let text = text.trim();
    let first: String = text.lines().next().unwrap_or_default().chars().take(TOOL_CHARACTERS).collect();
    match text.lines().count() {
        0 | 1 => first,
        lines => format!("{first} … ({lines} lines)"),
    }
}

/// The turns as candidates, oldest first as they were said.
pub(super) fn history_of(path: &str, turns: &[HistoryTurn]) -> Vec<Candidate> {
    let turns = turns.iter().enumerate().filter(|(_, turn)| !turn.is_system);
    let candidates = turns.map(|(at, turn)| Candidate {
        date: Some(format!("{at:08}")),
        is_untrusted: true,
        ..Candidate::new(path, turn.lines, turn.text.as_str(), "earlier in the session")
    });
    candidates.collect()
}

/// What hosts tell the agent, which stands in every context: candidates for the system's slot.
pub(super) fn system_of(turns: &[HistoryTurn]) -> Vec<Candidate> {
    let system = turns.iter().filter(|turn| turn.is_system);
    let candidates = system.map(|turn| Candidate {
        is_untrusted: true,
        ..Candidate::new("history", turn.lines, turn.text.as_str(), "the host's own instructions")
    });
    candidates.collect()
}

/// What was said in a turn of a transcript, without its heading.
pub(super) fn said_in(turn: &HistoryTurn) -> &str {
    turn.text.split_once('\n').map_or("", |(_, said)| said)
}

/// What is looked through for names: the message and the last turns before it.
pub(super) fn talk_of(message: &str, turns: Option<&[HistoryTurn]>) -> String {
    let turns = turns.unwrap_or_default();
    let last = turns.iter().rev().take(TALK_TURNS).map(|turn| turn.text.as_str());
    let parts = std::iter::once(message).chain(last);
    let parts = parts.map(|text| &text[..text.floor_char_boundary(TALK_BYTES)]);
    parts.collect::<Vec<_>>().join("\n")
}

/// What was kept of turns that fell out.
pub(super) struct Flushed {
    /// The ids of the episodes.
    written: Vec<String>,
    /// How many turns are still to be looked at.
    left: usize,
}

impl Memory {
    /// The turns of a session's open transcript, with its path.
    pub(super) fn open_turns(&self, session: &str) -> Option<(String, Vec<HistoryTurn>)> {
        let path = self.open_transcript(session).ok()??;
        let bytes = self.ledger.read(&path).ok()??;
        let transcript = Transcript::parse(&bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        let turns = transcript.turns.into_iter().filter_map(|located| {
            let (first, last) = (located.lines.start, located.lines.end.saturating_sub(1));
            let shown = lines.get(first.checked_sub(1)?..last.min(lines.len()))?;
            let is_user = located.turn.role == Role::User;
            Some(HistoryTurn {
                is_user,
                is_said: is_user || located.turn.role == Role::Agent,
                is_system: false,
                text: without_data(shown.join("\n").trim_end()).into_owned(),
                own: String::new(),
                lines: (first, last),
            })
        });
        Some((path.to_string(), turns.collect()))
    }

    /// Turns with their secrets replaced, as captured ones have them.
    pub(super) fn without_secrets(&self, turns: &[HistoryTurn]) -> Result<Vec<HistoryTurn>, MemoryError> {
        let redactor = self.redactor()?;
        let without = |text: &str| without_data(&redactor.redact(text).0).into_owned();
        let turns = turns.iter();
        Ok(turns
            .map(|turn| HistoryTurn { text: without(&turn.text), own: without(&turn.own), ..turn.clone() })
            .collect())
    }

    /// Keeps what is worth keeping of given turns that did not fit: what the miner would take out of them becomes episodes. Each turn is
    /// looked at once a session, and so many at a time.
    fn flush(&self, session: &str, asking: &Asking, turns: &[&HistoryTurn]) -> Result<Flushed, MemoryError> {
        let name = format!("flushed/{}", rem_format::transcript::file_session_id(session));
        let known = self.ledger.read_private(&name).unwrap_or_default();
        let mut known = String::from_utf8_lossy(&known).into_owned();
        let hash = |turn: &HistoryTurn| blake3::hash(turn.text.as_bytes()).to_hex()[..16].to_owned();
        let seen: HashSet<String> = known.lines().map(str::to_owned).collect();
        let new: Vec<&HistoryTurn> =
            turns.iter().copied().filter(|turn| turn.is_said && !seen.contains(&hash(turn))).collect();
        let now = &new[..new.len().min(MOST_FLUSHED)];
        let mut written = Vec::new();
        let is_kept = |taken: &Extraction| {
            taken.kind != ExtractionKind::Journal
                && taken.confidence >= self.config.lifecycle.mining_confidence
        };
        for taken in extract(&self.as_transcript(session, now)).into_iter().filter(is_kept) {
            let request = RememberRequest {
                text: taken.text,
                store: Some(StoreKind::Episodic),
                detected: true,
                session: Some(session.to_owned()),
                addressees: asking.names().map(str::to_owned).collect(),
                ..RememberRequest::default()
            };
            let outcome = self.remember(&request)?;
            written.extend(Some(outcome.id).filter(|id| !id.is_empty()));
        }
        known.extend(now.iter().map(|turn| format!("{}\n", hash(turn))));
        self.ledger.write_private(&name, known.as_bytes())?;
        Ok(Flushed { written, left: new.len() - now.len() })
    }

    /// Turns as a transcript has them, with their senders' own words.
    fn as_transcript(&self, session: &str, turns: &[&HistoryTurn]) -> Transcript {
        let turn = |turn: &&HistoryTurn| LocatedTurn {
            turn: Turn {
                time: self.now(),
                role: if turn.is_user { Role::User } else { Role::Agent },
                kind: TurnKind::Message,
                body: vec![TurnPart::Text(turn.own.clone())],
            },
            lines: turn.lines.0..turn.lines.1 + 1,
        };
        Transcript {
            document: Document::parse(&[]),
            header: TranscriptHeader {
                session_id: session.to_owned(),
                started: self.now(),
                ..TranscriptHeader::default()
            },
            title: String::new(),
            turns: turns.iter().map(turn).collect(),
        }
    }

    /// Sees to the turns that fell out of a context and are recorded nowhere.
    pub(super) fn keep_what_fell_out(
        &self,
        session: Option<&str>,
        asking: &Asking,
        turns: &[HistoryTurn],
        context: &mut CompiledContext,
    ) {
        let stands = |turn: &&HistoryTurn| {
            !context.items().any(|(_, item)| item.path == "history" && item.start_line == turn.lines.0)
        };
        let fell_out: Vec<&HistoryTurn> = turns.iter().filter(stands).collect();
        let percent = usize::try_from(self.config.context.flush_at_percent).unwrap_or(100);
        let history = context.slots.iter().find(|slot| slot.name == "history");
        let is_near = history.is_some_and(|slot| slot.used * 100 >= slot.budget * percent);
        // A host that keeps things itself is told in time; the rules wait until something is lost.
        context.flush_needed = !fell_out.is_empty() || is_near && !self.config.context.flush_by_rules;
        if fell_out.is_empty() {
            return;
        }
        if let Some(session) = session.filter(|_| self.config.context.flush_by_rules) {
            match self.flush(session, asking, &fell_out) {
                Ok(Flushed { written, left }) => {
                    (context.flushed, context.flush_needed) = (written, left > 0);
                }
                Err(error) => tracing::warn!("what fell out of the context is not kept: {error}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_is_read_as_hosts_write_it() {
        let array = r#"[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"text","text":"Hello"},
            {"type":"tool_use","name":"grep","input":{}}]},{"role":"tool","content":"one\ntwo\nthree"},{"role":"user","content":""}]"#;
        let turns = parse_history(array, true).unwrap();
        let said: Vec<&str> = turns.iter().map(|turn| turn.text.as_str()).collect();
        assert_eq!(said, ["user: Hi", "assistant: Hello\n[tool:grep]", "tool: one … (3 lines)"]);
        assert!(parse_history(array, false).unwrap()[2].text.ends_with("two\nthree"));
        let lines = "{\"role\":\"user\",\"content\":\"a\"}\n\n{\"role\":\"user\",\"content\":\"b\"}\n";
        assert_eq!(parse_history(lines, true).unwrap().len(), 2);
        let error = parse_history("{\"role\":\"user\",\"content\":\"a\"}\nnonsense", true).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
        assert!(parse_history("", true).unwrap().is_empty());
    }

    #[test]
    fn what_tools_and_this_memory_gave_is_nobodys_own() {
        let history = r#"[{"role":"user","content":[{"type":"tool_result","content":"We decided to use T."},{"type":"text","text":"Fine."}]},
            {"role":"user","content":"<remembrancer-context>\nMy sister lives in Rome.\n</remembrancer-context>\nHello"},
            {"role":"assistant","content":"Yes."}]"#;
        let turns = parse_history(history, true).unwrap();
        let own: Vec<&str> = turns.iter().map(|turn| turn.own.as_str()).collect();
        assert_eq!(own, ["Fine.", "Hello", "Yes."]);
        assert!(turns[0].text.contains("[result] We decided"));
    }
}
