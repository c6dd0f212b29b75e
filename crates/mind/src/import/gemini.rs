//! Sessions of Gemini's command line: `~/.gemini/tmp/<project>/chats/*.json` and `*.jsonl`.
//!
//! Owns which messages are conversation, for the one document and for the lines alike. In lines a message may be
//! written again when it grows (the last one counts), and a session may be wound back. Must not keep thoughts,
//! notices or the host's own state.

use std::collections::HashMap;
use std::path::Path;

use jiff::Timestamp;
use rem_format::json_text::without_lone_surrogates;
use rem_format::transcript::Role;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::assemble::{Assembler, Output};
use super::json::{Block, Content, Count, Lenient, Many, Raw, Text, record as as_record, time_of};
use super::lines::{Lines, Records, text_of};
use super::{Format, ImportError, SessionMeta, tools};

/// The header of a file: the document, the first line, or what `$set` changes.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Header<'a> {
    #[serde(borrow, rename = "sessionId")]
    session: Text<'a>,
    #[serde(borrow, rename = "startTime")]
    started: Text<'a>,
    #[serde(borrow, rename = "start_time")]
    started_old: Text<'a>,
    #[serde(borrow)]
    summary: Text<'a>,
    #[serde(borrow)]
    meta: Lenient<Meta<'a>>,
    #[serde(borrow)]
    messages: Many<&'a RawValue>,
    #[serde(borrow)]
    history: Many<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Meta<'a> {
    #[serde(borrow)]
    model: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow)]
    timestamp: Text<'a>,
    #[serde(borrow)]
    ts: Text<'a>,
    #[serde(borrow)]
    content: Content<'a>,
    #[serde(borrow)]
    parts: Content<'a>,
    #[serde(borrow)]
    model: Text<'a>,
    tokens: Lenient<Tokens>,
    #[serde(borrow, rename = "toolCalls")]
    calls: Many<Lenient<Call<'a>>>,
    #[serde(borrow, rename = "$set")]
    set: Raw<'a>,
    #[serde(borrow, rename = "$rewindTo")]
    rewind: Text<'a>,
    #[serde(borrow, rename = "sessionId")]
    session: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Tokens {
    input: Count,
    output: Count,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Call<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    args: Raw<'a>,
    #[serde(borrow)]
    result: Raw<'a>,
    #[serde(borrow, rename = "resultDisplay")]
    display: Raw<'a>,
    #[serde(borrow)]
    status: Text<'a>,
}

/// Reads one chat file.
pub(super) fn read(path: &Path, output: &mut Output<'_>) -> Result<(), ImportError> {
    let failed = |source| ImportError::Read { path: path.to_owned(), source };
    if path.extension().is_some_and(|ending| ending == "jsonl") {
        return read_lines(path, output);
    }
    // A chat is one document: it has to be held as a whole, but its messages are read one by one.
    let bytes = std::fs::read(path).map_err(failed)?;
    let bytes = without_lone_surrogates(&bytes);
    let Some(text) = text_of(output, true, 1, &bytes) else { return Ok(()) };
    let header = match as_record::<Header<'_>>(text) {
        Ok(header) => header,
        // Lines under the name of a document.
        Err(_) if text.contains("\n{") => return read_lines(path, output),
        Err(error) => {
            output.skip(error.line(), format!("not a chat: {error}"));
            return Ok(());
        }
    };
    let mut facts = Facts::default();
    facts.learn(&header);
    let mut session = Assembler::new(facts.meta(output));
    for (number, raw) in header.messages.0.iter().chain(&header.history.0).enumerate() {
        match as_record::<Message<'_>>(raw.get()) {
            Ok(message) => pass_on(&mut session, output, number + 1, &message)?,
            Err(error) => {
                output.skip_at(&format!("message {}", number + 1), format!("not a message: {error}"))
            }
        }
    }
    session.finish(output)
}

/// A chat kept as lines.
fn read_lines(path: &Path, output: &mut Output<'_>) -> Result<(), ImportError> {
    let mut lines = Lines::of(path, Format::Gemini);
    let mut facts = Facts::default();
    // The line that counts for each message, by id, in the order in which they first came.
    let mut current: HashMap<String, (usize, usize)> = HashMap::new();
    lines.pass(output, true, &mut |output, number, line| {
        let Some(text) = text_of(output, true, number, line) else { return Ok(()) };
        let message = match as_record::<Message<'_>>(text) {
            Ok(message) => message,
            Err(error) => {
                output.skip(number, format!("not a JSON record: {error}"));
                return Ok(());
            }
        };
        let header = match message.set {
            Some(set) => as_record(set.get()).ok(),
            None if message.session.get().is_some() => as_record(text).ok(),
            None => None,
        };
        if let Some(header) = header {
            facts.learn(&header);
        }
        if let Some((_, first)) = message.rewind.get().and_then(|id| current.get(id).copied()) {
            current.retain(|_, (_, other)| *other < first);
        }
        if let Some(id) = message.id.owned() {
            current.entry(id).and_modify(|(last, _)| *last = number).or_insert((number, number));
        }
        Ok(())
    })?;
    let counted: std::collections::HashSet<usize> = current.into_values().map(|(last, _)| last).collect();
    let mut session = Assembler::new(facts.meta(output));
    lines.pass(output, false, &mut |output, number, line| {
        if !counted.contains(&number) {
            return Ok(());
        }
        let Some(text) = text_of(output, false, number, line) else { return Ok(()) };
        match as_record::<Message<'_>>(text) {
            Ok(message) => pass_on(&mut session, output, number, &message),
            Err(_) => Ok(()),
        }
    })?;
    session.finish(output)
}

#[derive(Default)]
struct Facts {
    id: Option<String>,
    started: Option<Timestamp>,
    title: Option<String>,
    model: Option<String>,
}

impl Facts {
    fn learn(&mut self, header: &Header<'_>) {
        self.id = self.id.take().or(header.session.owned());
        let started = header.started.get().or(header.started_old.get());
        self.started = self.started.or(started.and_then(time_of));
        self.title = header.summary.owned().or(self.title.take());
        self.model = header.meta.0.model.owned().or(self.model.take());
    }

    fn meta(self, output: &Output<'_>) -> SessionMeta {
        SessionMeta {
            source: Format::Gemini.source(),
            source_id: self.id.unwrap_or_else(|| output.stem()),
            title: self.title.unwrap_or_default(),
            model: self.model,
            started: self.started.unwrap_or_else(|| output.file_time()),
            cwd: None,
            channel: Some("cli".to_owned()),
            parent: None,
            path: output.path().to_owned(),
        }
    }
}

fn pass_on(
    session: &mut Assembler,
    output: &mut Output<'_>,
    number: usize,
    message: &Message<'_>,
) -> Result<(), ImportError> {
    session.at(message.timestamp.get().or(message.ts.get()).and_then(time_of));
    let id = message.id.owned().unwrap_or_else(|| format!("message-{number}"));
    let blocks = message.content.0.iter().chain(&message.parts.0);
    let texts = blocks.filter(|Block(block)| !block.thought.0);
    match message.kind.get().or(message.role.get()).unwrap_or_default() {
        "user" => {
            for Block(block) in texts {
                match tools::file_name(block) {
                    Some(name) => session.attachment(output, Role::User, &id, &name)?,
                    None => session.words(output, Role::User, &id, block.text.or_empty())?,
                }
            }
        }
        "gemini" | "model" | "assistant" => {
            let totals = session.totals();
            totals.tokens_in = totals.tokens_in.saturating_add(message.tokens.0.input.0);
            totals.tokens_out = totals.tokens_out.saturating_add(message.tokens.0.output.0);
            if let Some(model) = message.model.owned() {
                totals.model = Some(model);
            }
            for Block(block) in texts {
                match tools::file_name(block) {
                    Some(name) => session.attachment(output, Role::Agent, &id, &name)?,
                    None => session.answer(output, &id, None, block.text.or_empty())?,
                }
            }
            for Lenient(call) in &message.calls.0 {
                let name = call.name.get().unwrap_or("tool");
                session.call(output, &id, None, call.id.get(), name, tools::summary(call.args))?;
                let display = call.display.filter(|raw| raw.get().starts_with('"'));
                let failed = matches!(call.status.get(), Some("error" | "cancelled"));
                session.result(Some(&id), call.id.get(), &tools::result(display.or(call.result), failed));
            }
        }
        // Notices, errors and the like are the host's.
        _ => {}
    }
    Ok(())
}
