//! Sessions of OpenClaw, and of the hosts that write the same tree: `~/.openclaw/agents/<id>/sessions/*.jsonl`.
//!
//! Owns which entries are conversation, for files and for the database alike (`openclaw_sqlite` only brings other
//! records). Entries form a tree; the way to the active leaf counts. Must not keep compaction and branch summaries,
//! custom entries (they are how context is injected) or what the agent says to nobody.

use std::path::Path;

use jiff::Timestamp;
use rem_format::transcript::Role;
use serde::Deserialize;

use super::assemble::{Assembler, Output};
use super::json::{Block, Content, Count, Flag, Lenient, Link, Raw, Text, record as as_record, time_of};
use super::lines::{Lines, Records, text_of};
use super::tree::{Chain, Parent, Tree};
use super::{Format, ImportError, SessionMeta, tools};

const MESSAGE: u8 = 1;
const LINK: u8 = 2;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow, rename = "parentId")]
    parent: Link<'a>,
    #[serde(borrow)]
    timestamp: Text<'a>,
    #[serde(borrow)]
    cwd: Text<'a>,
    #[serde(borrow, rename = "modelId")]
    model: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow, rename = "parentSession")]
    parent_session: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Entry<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    timestamp: Text<'a>,
    #[serde(borrow)]
    message: Lenient<Message<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow)]
    content: Content<'a>,
    /// The content again, for results, whose blocks are not read one by one.
    #[serde(borrow, rename = "toolCallId")]
    call: Text<'a>,
    #[serde(rename = "isError")]
    is_error: Flag,
    #[serde(borrow)]
    model: Text<'a>,
    #[serde(borrow)]
    timestamp: Text<'a>,
    usage: Lenient<Usage>,
    #[serde(borrow)]
    command: Text<'a>,
    #[serde(borrow)]
    output: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Usage {
    input: Count,
    output: Count,
    #[serde(rename = "cacheRead")]
    cache_read: Count,
    #[serde(rename = "cacheWrite")]
    cache_write: Count,
}

/// What a database knows of a session beside its records.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) id: Option<String>,
    pub(super) channel: Option<String>,
}

/// Reads one session file.
pub(super) fn read(path: &Path, output: &mut Output<'_>) -> Result<(), ImportError> {
    read_records(&mut Lines::of(path, Format::OpenClaw), Known::default(), output)
}

/// Reads one session from wherever its records are.
pub(super) fn read_records(
    records: &mut dyn Records,
    known: Known,
    output: &mut Output<'_>,
) -> Result<(), ImportError> {
    let mut tree = Tree::new();
    let mut facts = Facts::default();
    records.pass(output, true, &mut |output, number, record| {
        let Some(text) = text_of(output, true, number, record) else { return Ok(()) };
        match as_record::<Head<'_>>(text) {
            Ok(head) => {
                facts.learn(&head);
                plant(&mut tree, number, &head);
            }
            Err(error) => output.skip(number, format!("not a JSON record: {error}")),
        }
        Ok(())
    })?;
    let chain = tree.chain(|kind| kind == MESSAGE);
    let session = Assembler::new(facts.meta(known, records.format(), output));
    let mut reader = Reader { session, chain };
    records.pass(output, false, &mut |output, number, record| reader.record(output, number, record))?;
    reader.session.finish(output)
}

fn plant(tree: &mut Tree, number: usize, head: &Head<'_>) {
    let Some(id) = head.id.get() else { return };
    let parent = match &head.parent {
        Link::Id(id) => Parent::Id(id),
        Link::Null => Parent::Root,
        Link::Missing => Parent::Before,
    };
    let kind = if head.kind.is("message") { MESSAGE } else { LINK };
    tree.add(number, id, parent, kind, false);
}

#[derive(Default)]
struct Facts {
    id: Option<String>,
    started: Option<Timestamp>,
    cwd: Option<String>,
    model: Option<String>,
    title: Option<String>,
    parent: Option<String>,
}

impl Facts {
    fn learn(&mut self, head: &Head<'_>) {
        if self.started.is_none() {
            self.started = head.timestamp.get().and_then(time_of);
        }
        match head.kind.or_empty() {
            "session" if self.id.is_none() => {
                self.id = head.id.owned();
                self.cwd = head.cwd.owned();
                self.parent = head.parent_session.owned();
            }
            "model_change" => self.model = self.model.take().or(head.model.owned()),
            "session_info" => self.title = head.name.owned().or(self.title.take()),
            _ => {}
        }
    }

    fn meta(self, known: Known, format: Format, output: &Output<'_>) -> SessionMeta {
        SessionMeta {
            source: format.source(),
            source_id: known.id.or(self.id).unwrap_or_else(|| output.stem()),
            title: self.title.unwrap_or_default(),
            model: self.model,
            started: self.started.unwrap_or_else(|| output.file_time()),
            cwd: self.cwd,
            channel: known.channel,
            parent: self.parent,
            path: output.path().to_owned(),
        }
    }
}

struct Reader {
    session: Assembler,
    chain: Chain,
}

impl Reader {
    fn record(&mut self, output: &mut Output<'_>, number: usize, record: &[u8]) -> Result<(), ImportError> {
        if self.chain.kind(number) != MESSAGE || !self.chain.holds(number) {
            return Ok(());
        }
        let Some(text) = text_of(output, false, number, record) else { return Ok(()) };
        let Ok(entry) = as_record::<Entry<'_>>(text) else {
            output.skip(number, "the record changed while it was read");
            return Ok(());
        };
        let message = &entry.message.0;
        let time =
            entry.timestamp.get().and_then(time_of).or_else(|| message.timestamp.get().and_then(time_of));
        self.session.at(time);
        let id = entry.id.or_empty();
        match message.role.or_empty() {
            "user" => self.spoken(output, id, Role::User, &message.content),
            "system" => self.spoken(output, id, Role::System, &message.content),
            "assistant" => self.assistant(output, id, message),
            "toolResult" | "tool" => {
                let texts = message.content.0.iter().filter_map(|block| block.0.text.get());
                let mut text: String =
                    texts.collect::<Vec<_>>().join("\n").chars().take(tools::KEPT).collect();
                if message.is_error.0 {
                    text.insert_str(0, "error: ");
                }
                self.session.result(Some(id), message.call.get(), text.trim());
                Ok(())
            }
            // A command that the person ran in the conversation.
            "bashExecution" => {
                let summary = message.command.or_empty().to_owned();
                self.session.call(output, id, None, Some(id), "bash", summary)?;
                self.session.result(Some(id), Some(id), &tools::result(message.output, false));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn spoken(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        role: Role,
        content: &Content<'_>,
    ) -> Result<(), ImportError> {
        for Block(block) in &content.0 {
            let text = block.text.or_empty();
            match media(text).or_else(|| tools::file_name(block)) {
                Some(name) => self.session.attachment(output, role, id, &name)?,
                None => self.session.words(output, role, id, text)?,
            }
        }
        Ok(())
    }

    fn assistant(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        message: &Message<'_>,
    ) -> Result<(), ImportError> {
        let usage = &message.usage.0;
        let totals = self.session.totals();
        let read = usage.input.0.saturating_add(usage.cache_read.0).saturating_add(usage.cache_write.0);
        totals.tokens_in = totals.tokens_in.saturating_add(read);
        totals.tokens_out = totals.tokens_out.saturating_add(usage.output.0);
        if let Some(model) = message.model.owned() {
            totals.model = Some(model);
        }
        for Block(block) in &message.content.0 {
            match block.kind.or_empty() {
                "text" => match media(block.text.or_empty()) {
                    Some(name) => self.session.attachment(output, Role::Agent, id, &name)?,
                    None => self.session.answer(output, id, None, block.text.or_empty())?,
                },
                "toolCall" | "tool_use" | "toolUse" => {
                    let name = block.name.get().unwrap_or("tool");
                    let summary = tools::summary(block.arguments.or(block.input));
                    self.session.call(output, id, None, block.id.get(), name, summary)?;
                }
                "thinking" => {}
                _ => {
                    if let Some(name) = tools::file_name(block) {
                        self.session.attachment(output, Role::Agent, id, &name)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A text that only says which file came along: `[media attached: photo.jpg (image/jpeg)]`.
fn media(text: &str) -> Option<String> {
    let name = text.trim().strip_prefix("[media attached: ")?.strip_suffix(']')?;
    (!name.contains(['\n', '['])).then(|| name.to_owned())
}
