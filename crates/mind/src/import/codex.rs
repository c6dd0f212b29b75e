//! Sessions of Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`.
//!
//! Owns which records are conversation. The same words stand in several kinds of record: `response_item` is
//! preferred, then the older `event_msg` messages, then completed items; one kind is chosen for the whole file. A
//! roll-back takes the turns it undid with it. Old files without envelopes are read too. Must not keep reasoning,
//! developer messages, or the environment that the host writes in the person's name.

use std::path::Path;

use jiff::Timestamp;
use rem_format::transcript::Role;
use serde::Deserialize;

use super::assemble::{Assembler, Output};
use super::json::{Block, Content, Count, Lenient, Raw, Text, record as as_record, time_of};
use super::lines::{Lines, Records, text_of};
use super::{Format, ImportError, SessionMeta, injected, tools};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Record<'a> {
    #[serde(borrow)]
    timestamp: Text<'a>,
    #[serde(borrow)]
    created_at: Text<'a>,
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    payload: Raw<'a>,
}

/// A payload, or in old files the record itself.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Payload<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow)]
    content: Content<'a>,
    #[serde(borrow)]
    message: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    function: Lenient<Function<'a>>,
    #[serde(borrow)]
    call_id: Text<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
    #[serde(borrow)]
    action: Raw<'a>,
    #[serde(borrow)]
    output: Raw<'a>,
    #[serde(borrow)]
    result: Raw<'a>,
    #[serde(borrow)]
    item: Lenient<Item<'a>>,
    #[serde(borrow)]
    model: Text<'a>,
    #[serde(borrow)]
    revised_prompt: Text<'a>,
    #[serde(borrow)]
    local_images: Content<'a>,
    // Of the header, and of events about the session.
    #[serde(borrow)]
    cwd: Text<'a>,
    #[serde(borrow)]
    timestamp: Text<'a>,
    #[serde(borrow)]
    originator: Text<'a>,
    #[serde(borrow)]
    thread_name: Text<'a>,
    num_turns: Count,
    #[serde(borrow)]
    forked_from_id: Text<'a>,
    info: Lenient<TokenInfo>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Function<'a> {
    #[serde(borrow)]
    name: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Item<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    content: Content<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct TokenInfo {
    total_token_usage: Lenient<Tokens>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Tokens {
    input_tokens: Count,
    output_tokens: Count,
}

/// Where the words of a file are taken from; a later kind counts only when no earlier one has any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Words {
    ResponseItems,
    Events,
    CompletedItems,
}

/// Reads one rollout file.
pub(super) fn read(path: &Path, output: &mut Output<'_>) -> Result<(), ImportError> {
    let mut lines = Lines::of(path, Format::Codex);
    let mut facts = Facts::default();
    lines.pass(output, true, &mut |output, number, line| {
        let Some(text) = text_of(output, true, number, line) else { return Ok(()) };
        if let Err(error) = facts.learn(number, text) {
            output.skip(number, format!("not a JSON record: {error}"));
        }
        Ok(())
    })?;
    let words = facts.words.unwrap_or(Words::ResponseItems);
    let undone = std::mem::take(&mut facts.undone);
    let mut reader = Reader { session: Assembler::new(facts.meta(output)), words, undone };
    lines.pass(output, false, &mut |output, number, line| {
        let Some(text) = text_of(output, false, number, line) else { return Ok(()) };
        // What is no record was reported in the first pass.
        match parse(text) {
            Ok((record, payload)) => reader.record(output, number, &record, &payload),
            Err(_) => Ok(()),
        }
    })?;
    reader.session.finish(output)
}

/// A record with its payload; without one the record is its own.
fn parse(text: &str) -> Result<(Record<'_>, Payload<'_>), serde_json::Error> {
    let record: Record<'_> = as_record(text)?;
    let payload = match record.payload {
        Some(payload) => serde_json::from_str::<Lenient<Payload<'_>>>(payload.get())?.0,
        None => serde_json::from_str(text)?,
    };
    Ok((record, payload))
}

impl Record<'_> {
    /// The envelope's kind; a bare item counts as a response item.
    fn envelope(&self) -> &str {
        match (self.payload, self.kind.get()) {
            (Some(_), Some(kind)) => kind,
            (Some(_), None) => "",
            (None, _) => "response_item",
        }
    }

    fn time(&self) -> Option<Timestamp> {
        self.timestamp.get().or(self.created_at.get()).and_then(time_of)
    }
}

impl Payload<'_> {
    /// The role of a message with something to read in it.
    fn speaker(&self) -> Option<Role> {
        let is_message = matches!(self.kind.get(), None | Some("message"));
        let says = self.message.get().is_some_and(|words| !words.trim().is_empty())
            || self.content.0.iter().any(|block| !block.0.text.or_empty().trim().is_empty());
        match self.role.or_empty() {
            "user" if is_message && says => Some(Role::User),
            "assistant" if is_message && says => Some(Role::Agent),
            _ => None,
        }
    }

    /// Whether a person's words are left once the injected ones are taken out.
    fn is_persons(&self) -> bool {
        let words = self.content.0.iter().map(|block| block.0.text.or_empty()).chain(self.message.get());
        words.into_iter().any(|words| !injected::cleaned(words).is_empty())
    }
}

/// What the first pass learns.
#[derive(Default)]
struct Facts {
    id: Option<String>,
    parent: Option<String>,
    started: Option<Timestamp>,
    cwd: Option<String>,
    channel: Option<String>,
    model: Option<String>,
    title: Option<String>,
    words: Option<Words>,
    /// Where each turn of a person began, by kind of words.
    turns: [Vec<usize>; 3],
    /// Records that a roll-back undid, from and up to (exclusive).
    undone: Vec<(usize, usize)>,
}

impl Facts {
    fn learn(&mut self, number: usize, text: &str) -> Result<(), serde_json::Error> {
        let (record, payload) = parse(text)?;
        if self.started.is_none() {
            self.started = record.time();
        }
        let keep = |slot: &mut Option<String>, value: &Text<'_>| {
            if slot.is_none() {
                *slot = value.owned();
            }
        };
        let header = record.payload.is_none() && number == 1 && payload.kind.get().is_none();
        match (record.envelope(), payload.kind.or_empty()) {
            // A forked session repeats the header of the one it came from: the first is its own.
            ("session_meta", _) if self.id.is_none() => {
                keep(&mut self.id, &payload.id);
                keep(&mut self.cwd, &payload.cwd);
                keep(&mut self.channel, &payload.originator);
                keep(&mut self.parent, &payload.forked_from_id);
                self.started = payload.timestamp.get().and_then(time_of).or(self.started);
            }
            ("turn_context", _) => {
                keep(&mut self.model, &payload.model);
                keep(&mut self.cwd, &payload.cwd);
            }
            ("event_msg", "thread_name_updated") => {
                self.title = payload.thread_name.owned().or(self.title.take());
            }
            ("event_msg", "thread_rolled_back") => self.roll_back(number, payload.num_turns.0),
            ("event_msg", "user_message") => self.spoke(number, Words::Events, payload.is_persons()),
            ("event_msg", "agent_message") => self.spoke(number, Words::Events, false),
            ("event_msg", "item_completed") => match payload.item.0.kind.or_empty() {
                "UserMessage" => self.spoke(number, Words::CompletedItems, true),
                "AgentMessage" => self.spoke(number, Words::CompletedItems, false),
                _ => {}
            },
            ("response_item", _) => {
                if header {
                    keep(&mut self.id, &payload.id);
                }
                if let Some(role) = payload.speaker() {
                    self.spoke(number, Words::ResponseItems, role == Role::User && payload.is_persons());
                    keep(&mut self.model, &payload.model);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn spoke(&mut self, number: usize, words: Words, person: bool) {
        self.words = Some(self.words.map_or(words, |before| before.min(words)));
        if person {
            self.turns[words as usize].push(number);
        }
    }

    /// Undoes the last `count` turns, in each kind of words: they begin at nearly the same place.
    fn roll_back(&mut self, number: usize, count: u64) {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let mut from = None;
        for turns in &mut self.turns {
            let kept = turns.len().saturating_sub(count);
            if let Some(start) = turns.get(kept) {
                from = Some(from.map_or(*start, |from: usize| from.min(*start)));
            }
            turns.truncate(kept);
        }
        if let Some(from) = from.filter(|_| count > 0) {
            self.undone.push((from, number));
        }
    }

    fn meta(self, output: &Output<'_>) -> SessionMeta {
        SessionMeta {
            source: Format::Codex.source(),
            source_id: self.id.unwrap_or_else(|| output.stem()),
            title: self.title.unwrap_or_default(),
            model: self.model,
            started: self.started.unwrap_or_else(|| output.file_time()),
            cwd: self.cwd,
            channel: self.channel.or_else(|| Some("cli".to_owned())),
            parent: self.parent,
            path: output.path().to_owned(),
        }
    }
}

struct Reader {
    session: Assembler,
    words: Words,
    undone: Vec<(usize, usize)>,
}

impl Reader {
    fn record(
        &mut self,
        output: &mut Output<'_>,
        number: usize,
        record: &Record<'_>,
        payload: &Payload<'_>,
    ) -> Result<(), ImportError> {
        if self.undone.iter().any(|(from, to)| (*from..*to).contains(&number)) {
            return Ok(());
        }
        self.session.at(record.time());
        // Few records have ids of their own; the line is as stable, for the file only grows.
        let id = payload.id.owned().or(payload.item.0.id.owned());
        let id = id.filter(|id| !id.starts_with('[')).unwrap_or_else(|| format!("line-{number}"));
        match (record.envelope(), payload.kind.or_empty()) {
            ("response_item", _) => self.response_item(output, &id, payload),
            ("turn_context", _) => {
                if let Some(model) = payload.model.owned() {
                    self.session.totals().model = Some(model);
                }
                Ok(())
            }
            ("event_msg", "token_count") => {
                let total = &payload.info.0.total_token_usage.0;
                let totals = self.session.totals();
                totals.tokens_in = totals.tokens_in.max(total.input_tokens.0);
                totals.tokens_out = totals.tokens_out.max(total.output_tokens.0);
                Ok(())
            }
            ("event_msg", "user_message") if self.words == Words::Events => {
                self.session.words(output, Role::User, &id, payload.message.or_empty())?;
                for Block(image) in &payload.local_images.0 {
                    self.session.attachment(output, Role::User, &id, image.text.or_empty())?;
                }
                Ok(())
            }
            ("event_msg", "agent_message") if self.words == Words::Events => {
                self.session.answer(output, &id, None, payload.message.or_empty())
            }
            ("event_msg", "item_completed") if self.words == Words::CompletedItems => {
                let role = match payload.item.0.kind.or_empty() {
                    "UserMessage" => Role::User,
                    "AgentMessage" => Role::Agent,
                    _ => return Ok(()),
                };
                self.message(output, &id, role, &payload.item.0.content)
            }
            _ => Ok(()),
        }
    }

    fn response_item(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        item: &Payload<'_>,
    ) -> Result<(), ImportError> {
        match item.kind.or_empty() {
            "" | "message" if self.words == Words::ResponseItems => match item.role.or_empty() {
                "user" | "assistant" => {
                    let role = if item.role.is("user") { Role::User } else { Role::Agent };
                    if let Some(words) = item.message.get() {
                        return self.say(output, id, role, words);
                    }
                    self.message(output, id, role, &item.content)
                }
                // `system` and `developer` are the host's.
                _ => Ok(()),
            },
            // Another agent's words to this one.
            "agent_message" => {
                let words = item.content.0.iter().filter_map(|block| block.0.text.get()).collect::<Vec<_>>();
                self.session.words(output, Role::System, id, &words.join("\n\n"))
            }
            kind if kind.ends_with("_output") || matches!(kind, "tool_result" | "function_result") => {
                let content = item.output.or(item.result);
                self.session.result(Some(id), item.call_id.get(), &tools::result(content, false));
                Ok(())
            }
            kind if kind.ends_with("_call") => {
                let name =
                    item.name.get().or(item.function.0.name.get()).unwrap_or(kind.trim_end_matches("_call"));
                let arguments = item.arguments.or(item.input).or(item.action);
                let summary = match item.revised_prompt.owned() {
                    Some(prompt) => prompt,
                    None => tools::summary(arguments),
                };
                self.session.call(output, id, None, item.call_id.get(), name, summary)
            }
            _ => Ok(()),
        }
    }

    fn message(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        role: Role,
        content: &Content<'_>,
    ) -> Result<(), ImportError> {
        for Block(block) in &content.0 {
            if let Some(words) = block.text.get() {
                self.say(output, id, role, words)?;
            } else if block.image_url.is_some()
                && let Some(name) = tools::file_name(block)
            {
                self.session.attachment(output, role, id, &name)?;
            }
        }
        Ok(())
    }

    fn say(&mut self, output: &mut Output<'_>, id: &str, role: Role, words: &str) -> Result<(), ImportError> {
        match role {
            Role::Agent => self.session.answer(output, id, None, words),
            _ => self.session.words(output, role, id, words),
        }
    }
}
