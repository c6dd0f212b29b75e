//! Sessions of Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`, sub-agents in files of their own.
//!
//! Owns which of the host's records are conversation. Records form a tree that runs through attachments and system
//! records too; the way to the active leaf counts, and with it the parallel tool calls of a response on it, whose
//! results may stand on another branch. A file in which all records are of a side chain is a sub-agent's session;
//! in any other file side chains are left out. Must not keep thinking, hook output or compaction summaries.

use std::path::Path;

use jiff::Timestamp;
use rem_format::transcript::Role;
use serde::Deserialize;

use super::assemble::{Assembler, Output};
use super::json::{
    Block, Content, Count, Flag, Lenient, Link, Raw, Text, read as read_raw, record as as_record, time_of,
};
use super::lines::{Lines, Records, text_of};
use super::tree::{Chain, Parent, Tree};
use super::{Format, ImportError, SessionMeta, tools};

const USER: u8 = 1;
const ASSISTANT: u8 = 2;
const ATTACHMENT: u8 = 3;
/// A record that is only a link of the chain.
const LINK: u8 = 4;
/// Old files: a tool call or its result as a record of its own.
const CALL: u8 = 5;
const RESULT: u8 = 6;
const SIDE: u8 = 0x10;

/// What the first pass reads of a record.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    uuid: Text<'a>,
    #[serde(borrow, rename = "parentUuid")]
    parent: Link<'a>,
    #[serde(borrow, rename = "logicalParentUuid")]
    logical_parent: Text<'a>,
    #[serde(borrow, rename = "sessionId")]
    session: Text<'a>,
    #[serde(borrow, rename = "agentId")]
    agent: Text<'a>,
    #[serde(borrow)]
    timestamp: Text<'a>,
    #[serde(rename = "isSidechain")]
    side: Flag,
    #[serde(borrow)]
    cwd: Text<'a>,
    #[serde(borrow)]
    subtype: Text<'a>,
    #[serde(borrow)]
    summary: Text<'a>,
    #[serde(borrow, rename = "leafUuid")]
    leaf: Text<'a>,
    #[serde(borrow, rename = "aiTitle")]
    ai_title: Text<'a>,
    #[serde(borrow, rename = "customTitle")]
    custom_title: Text<'a>,
    #[serde(borrow, rename = "supersedesUuids")]
    supersedes: Raw<'a>,
    #[serde(borrow, rename = "retractedMessageUuids")]
    retracts: Raw<'a>,
}

/// What the second pass reads of a record that counts.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Record<'a> {
    #[serde(borrow)]
    uuid: Text<'a>,
    #[serde(borrow)]
    timestamp: Text<'a>,
    #[serde(rename = "isMeta")]
    meta: Flag,
    #[serde(rename = "isCompactSummary")]
    compact_summary: Flag,
    #[serde(rename = "isApiErrorMessage")]
    api_error: Flag,
    #[serde(borrow, rename = "requestId")]
    request: Text<'a>,
    #[serde(borrow)]
    origin: Lenient<Origin<'a>>,
    #[serde(borrow)]
    message: Lenient<Message<'a>>,
    #[serde(borrow)]
    attachment: Lenient<Attachment<'a>>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
    #[serde(borrow)]
    output: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Origin<'a> {
    #[serde(borrow)]
    kind: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    model: Text<'a>,
    #[serde(borrow)]
    content: Content<'a>,
    usage: Lenient<Usage>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(default)]
struct Usage {
    input_tokens: Count,
    cache_creation_input_tokens: Count,
    cache_read_input_tokens: Count,
    output_tokens: Count,
}

impl Usage {
    fn tokens(self) -> (u64, u64) {
        let read = self.input_tokens.0.saturating_add(self.cache_creation_input_tokens.0);
        (read.saturating_add(self.cache_read_input_tokens.0), self.output_tokens.0)
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    prompt: Content<'a>,
    #[serde(borrow, rename = "commandMode")]
    mode: Text<'a>,
    #[serde(borrow)]
    origin: Lenient<Origin<'a>>,
    #[serde(borrow)]
    filename: Text<'a>,
    #[serde(borrow, rename = "displayPath")]
    display_path: Text<'a>,
}

/// Reads one session file.
pub(super) fn read(path: &Path, output: &mut Output<'_>) -> Result<(), ImportError> {
    let mut lines = Lines::of(path, Format::ClaudeCode);
    let (chain, meta, side) = survey(&mut lines, output)?;
    let mut reader = Reader { session: Assembler::new(meta), chain, side, usage: Usages::default() };
    lines.pass(output, false, &mut |output, number, line| reader.record(output, number, line))?;
    reader.usage.settle(&mut reader.session);
    reader.session.finish(output)
}

/// What a first pass learns of the session as a whole.
#[derive(Default)]
struct Facts {
    session: Option<String>,
    session_is_stem: bool,
    agent: Option<String>,
    cwd: Option<String>,
    model: Option<String>,
    custom_title: Option<String>,
    ai_title: Option<String>,
    /// The last summaries with the records they sum up: older versions left those of other sessions here.
    summaries: Vec<(String, String)>,
    /// The first time of a message, in the main chain and in side chains.
    started: [Option<Timestamp>; 2],
    /// Whether there are messages outside of side chains.
    has_main: bool,
}

/// The first pass: the tree, the session's facts, and whether it is a side chain as a whole.
fn survey(
    lines: &mut dyn Records,
    output: &mut Output<'_>,
) -> Result<(Chain, SessionMeta, bool), ImportError> {
    let stem = output.stem();
    let mut tree = Tree::new();
    let mut facts = Facts::default();
    lines.pass(output, true, &mut |output, number, line| {
        let Some(text) = text_of(output, true, number, line) else { return Ok(()) };
        match as_record::<Head<'_>>(text) {
            Ok(head) => {
                facts.learn(&head, text, &stem);
                plant(&mut tree, number, &head);
            }
            Err(error) => output.skip(number, format!("not a JSON record: {error}")),
        }
        Ok(())
    })?;
    let side = !facts.has_main;
    facts.summaries.retain(|(leaf, _)| tree.has(leaf));
    let lane = if side { SIDE } else { 0 };
    let chain =
        tree.chain(|kind| kind & SIDE == lane && matches!(kind & !SIDE, USER | ASSISTANT | CALL | RESULT));
    Ok((chain, facts.meta(side, stem, output), side))
}

/// Gives a record its place in the tree.
fn plant(tree: &mut Tree, number: usize, head: &Head<'_>) {
    for ids in [head.supersedes, head.retracts] {
        for id in read_raw::<Vec<Text<'_>>>(ids).unwrap_or_default() {
            tree.retract(id.or_empty());
        }
    }
    let Some(uuid) = head.uuid.get() else { return };
    let kind = match head.kind.or_empty() {
        "user" => USER,
        "assistant" => ASSISTANT,
        "attachment" => ATTACHMENT,
        "tool_use" => CALL,
        "tool_result" => RESULT,
        _ => LINK,
    };
    let cut = head.subtype.is("compact_boundary");
    let parent = match &head.parent {
        Link::Id(id) => Parent::Id(id),
        // A compaction starts a new chain for the model; the conversation goes on.
        Link::Null if cut => match head.logical_parent.get().filter(|id| tree.has(id)) {
            Some(id) => Parent::Id(id),
            None => Parent::Before,
        },
        Link::Null => Parent::Root,
        Link::Missing => Parent::Before,
    };
    let side = if head.side.0 { SIDE } else { 0 };
    tree.add(number, uuid, parent, kind | side, head.side.0);
}

impl Facts {
    fn learn(&mut self, head: &Head<'_>, text: &str, stem: &str) {
        let keep = |slot: &mut Option<String>, value: &Text<'_>| {
            if let Some(value) = value.owned() {
                *slot = Some(value);
            }
        };
        keep(&mut self.custom_title, &head.custom_title);
        keep(&mut self.ai_title, &head.ai_title);
        if let (true, Some(summary)) = (head.kind.is("summary"), head.summary.owned()) {
            self.summaries.truncate(63);
            self.summaries.insert(0, (head.leaf.or_empty().to_owned(), summary));
        }
        if let Some(session) = head.session.get() {
            self.session_is_stem |= session == stem;
            self.session.get_or_insert_with(|| session.to_owned());
        }
        if self.agent.is_none() {
            self.agent = head.agent.owned();
        }
        if self.cwd.is_none() {
            self.cwd = head.cwd.owned();
        }
        if !matches!(head.kind.or_empty(), "user" | "assistant" | "tool_use" | "tool_result") {
            return;
        }
        self.has_main |= !head.side.0;
        let started = &mut self.started[usize::from(head.side.0)];
        if started.is_none() {
            *started = head.timestamp.get().and_then(time_of);
        }
        if self.model.is_none() && head.kind.is("assistant") {
            self.model = model_in(text);
        }
    }

    fn meta(self, side: bool, stem: String, output: &Output<'_>) -> SessionMeta {
        let session = if self.session_is_stem { Some(stem.clone()) } else { self.session };
        let (source_id, parent) = match (side, self.agent) {
            (true, Some(agent)) => {
                let id = format!("agent-{agent}");
                let folder = output.path().parent().and_then(Path::parent).and_then(Path::file_name);
                let parent = session.filter(|session| *session != id);
                (id, parent.or_else(|| folder.map(|name| name.to_string_lossy().into_owned())))
            }
            _ => (session.filter(|id| !id.is_empty()).unwrap_or(stem), None),
        };
        let summary = self.summaries.into_iter().next().map(|(_, summary)| summary);
        SessionMeta {
            source: Format::ClaudeCode.source(),
            source_id,
            title: self.custom_title.or(self.ai_title).or(summary).unwrap_or_default(),
            model: self.model,
            started: self.started[usize::from(side)].unwrap_or_else(|| output.file_time()),
            cwd: self.cwd,
            channel: Some("cli".to_owned()),
            parent,
            path: output.path().to_owned(),
        }
    }
}

/// The model's name without parsing the message. A quote inside of JSON text is escaped, so this can't be one.
fn model_in(record: &str) -> Option<String> {
    let mark = "\"model\":\"";
    let start = memchr::memmem::find(record.as_bytes(), mark.as_bytes())? + mark.len();
    let name = record.get(start..)?.split('"').next()?;
    (!name.is_empty() && !name.starts_with('<') && name.len() < 200).then(|| name.to_owned())
}

/// The second pass.
struct Reader {
    session: Assembler,
    chain: Chain,
    side: bool,
    usage: Usages,
}

impl Reader {
    fn record(&mut self, output: &mut Output<'_>, number: usize, line: &[u8]) -> Result<(), ImportError> {
        let kind = self.chain.kind(number);
        if kind == 0 || (kind & SIDE != 0) != self.side {
            return Ok(());
        }
        let holds = |mark: &[u8]| memchr::memmem::find(line, mark).is_some();
        let on_chain = self.chain.holds(number);
        let wanted = match kind & !SIDE {
            USER => on_chain || (self.session.has_open_calls() && holds(b"\"tool_result\"")),
            ASSISTANT | CALL => true,
            RESULT => on_chain || self.session.has_open_calls(),
            ATTACHMENT => on_chain && (holds(b"\"queued_command\"") || holds(b"\"type\":\"file\"")),
            _ => false,
        };
        // Off the chain only the rest of a response at hand counts: look before reading it in full.
        if !wanted || (!on_chain && kind & !SIDE == ASSISTANT && !self.is_rest_of_response(line)) {
            return Ok(());
        }
        let Some(text) = text_of(output, false, number, line) else { return Ok(()) };
        // Whatever fails here was valid JSON in the first pass: a file that changed under the reader.
        let Ok(record) = as_record::<Record<'_>>(text) else {
            output.skip(number, "the record changed while it was read");
            return Ok(());
        };
        self.session.at(record.timestamp.get().and_then(time_of));
        let id = record.uuid.or_empty();
        match kind & !SIDE {
            USER => self.user(output, id, &record, on_chain),
            ASSISTANT => self.assistant(output, id, &record),
            ATTACHMENT => self.attachment(output, id, &record.attachment.0),
            CALL => {
                let name = record.name.get().unwrap_or("tool");
                self.session.call(output, id, None, None, name, tools::summary(record.input))
            }
            RESULT => {
                self.session.result(Some(id), None, &tools::result(record.output, false));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn is_rest_of_response(&self, line: &[u8]) -> bool {
        let mark = b"\"id\":\"msg_";
        let Some(start) = memchr::memmem::find(line, mark) else { return false };
        let id = line.get(start + 6..).unwrap_or_default().split(|byte| *byte == b'"').next();
        id.and_then(|id| std::str::from_utf8(id).ok()).is_some_and(|id| self.session.is_response(id))
    }

    fn user(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        record: &Record<'_>,
        on_chain: bool,
    ) -> Result<(), ImportError> {
        // What the host writes in the person's name is not the person's.
        let role = match record.origin.0.kind.or_empty() {
            "task-notification" => Role::System,
            _ => Role::User,
        };
        let hidden = record.meta.0 || record.compact_summary.0 || !on_chain;
        for Block(block) in &record.message.0.content.0 {
            match block.kind.or_empty() {
                "tool_result" => {
                    let text = tools::result(block.content, block.is_error.0);
                    self.session.result(on_chain.then_some(id), block.tool_use_id.get(), &text);
                }
                _ if hidden => {}
                "text" => self.session.words(output, role, id, block.text.or_empty())?,
                _ => {
                    if let Some(name) = tools::file_name(block) {
                        self.session.attachment(output, role, id, &name)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn assistant(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        record: &Record<'_>,
    ) -> Result<(), ImportError> {
        let message = &record.message.0;
        let model = message.model.get().filter(|model| !model.starts_with('<'));
        if record.api_error.0 || record.meta.0 || (model.is_none() && message.model.get().is_some()) {
            return Ok(());
        }
        if let Some(model) = model {
            self.session.totals().model = Some(model.to_owned());
        }
        let response = message.id.get().or(record.request.get());
        self.usage.note(&mut self.session, response, message.usage.0);
        for Block(block) in &message.content.0 {
            match block.kind.or_empty() {
                "text" => self.session.answer(output, id, response, block.text.or_empty())?,
                "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                    let name = block.name.get().unwrap_or("tool");
                    let summary = tools::summary(block.input);
                    self.session.call(output, id, response, block.id.get(), name, summary)?;
                }
                kind if kind.ends_with("tool_result") => {
                    let text = tools::result(block.content, block.is_error.0);
                    self.session.result(Some(id), block.tool_use_id.get(), &text);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn attachment(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        attached: &Attachment<'_>,
    ) -> Result<(), ImportError> {
        match attached.kind.or_empty() {
            // Words that a person wrote while the agent was at work.
            "queued_command" if !attached.mode.is("task-notification") => {
                let role =
                    if attached.origin.0.kind.is("task-notification") { Role::System } else { Role::User };
                for Block(block) in &attached.prompt.0 {
                    match tools::file_name(block) {
                        Some(name) => self.session.attachment(output, role, id, &name)?,
                        None => self.session.words(output, role, id, block.text.or_empty())?,
                    }
                }
            }
            "file" => {
                let name = attached.display_path.get().or(attached.filename.get());
                self.session.late_attachment(id, name.unwrap_or("file"));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Token counts: each record of a response repeats those of the whole.
#[derive(Default)]
struct Usages {
    response: Option<String>,
    tokens: (u64, u64),
}

impl Usages {
    fn note(&mut self, session: &mut Assembler, response: Option<&str>, usage: Usage) {
        if response.is_none() || self.response.as_deref() != response {
            self.settle(session);
            self.response = response.map(str::to_owned);
        }
        let (read, written) = usage.tokens();
        self.tokens = (self.tokens.0.max(read), self.tokens.1.max(written));
    }

    fn settle(&mut self, session: &mut Assembler) {
        let (read, written) = std::mem::take(&mut self.tokens);
        let totals = session.totals();
        totals.tokens_in = totals.tokens_in.saturating_add(read);
        totals.tokens_out = totals.tokens_out.saturating_add(written);
    }
}
